"""The thin client: it draws what it is sent."""
