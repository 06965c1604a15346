"""Whoever is connected is not forgotten, however long the connection lasts."""

import asyncio

from towerhall_server.gateway.hall import Hall
from towerhall_server.store import NoAnswer

LONGEST_S = 3600.0
AT_ONCE = 500


async def keep_visitors(hall: Hall) -> None:
    keep = hall.settings.lifetimes
    every_s = min(LONGEST_S, keep.guest_ms / 4000, keep.player_ms / 4000)
    while True:
        await asyncio.sleep(max(0.1, every_s))
        players = list({one.player.player for one in hall.sessions if one.player})
        for start in range(0, len(players), AT_ONCE):
            try:
                await hall.store.visit(players[start : start + AT_ONCE])
            except NoAnswer:
                # There are three more times before anybody is forgotten.
                break
