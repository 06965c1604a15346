"""Somebody who wants to play what a visitor looks for."""

from end_to_end.client import Client, Message

TERMS = ("game", "preset", "options", "clock", "rounds", "rated")


async def seek_the_same(client: Client, game: str) -> None:
    """As the one who looks for that game, once the lobby shows it; returns when they are paired."""

    def wanted(lobby: Message) -> list[Message]:
        return [seek for seek in lobby["seeks"] if seek["game"] == game]

    lobby = await client.ask("lobby", on=True)
    if not wanted(lobby):
        lobby = await client.until(lambda said: said["type"] == "lobby" and bool(wanted(said)))
    await client.ask("seek", **{name: wanted(lobby)[0][name] for name in TERMS})
    await client.until(lambda said: said["type"] == "paired")
