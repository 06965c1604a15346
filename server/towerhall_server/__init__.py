"""The hall: rooms on Redis, a referee, a gateway for websockets."""
