"""Row 38: what nobody finished, and who does not come back, leaves nothing behind."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from end_to_end.client import ServerError
from end_to_end.conftest import Connect, connect
from faults.conftest import Shim
from faults.guest import eventually
from faults.hall import Hall
from faults.league import RatedMatch, settled
from towerhall_server.match.rating import PLACED_AFTER
from towerhall_server.store import SHARDS

__all__ = ["connect"]

A_SECOND = 1 / 86_400
"""Of a day."""
YEAR_S = 400 * 86_400
OF_RUNNING_NODES = {f"{{th:lobby}}:{name}" for name in ("pulse", "nodes", "deadlines")}


async def _until_refused(
    ask: Callable[[], Awaitable[object]], code: str, within_s: float = 15.0
) -> None:
    """Until the request is refused with this code."""
    async with asyncio.timeout(within_s):
        while True:
            try:
                await ask()
            except ServerError as refused:
                if refused.code == code:
                    return
                raise
            await asyncio.sleep(0.2)


def _keys(hall: Hall) -> set[str]:
    """All but those that a node writes anew as long as it runs."""
    return {key.decode() for key in hall.store.call("KEYS", "*")} - OF_RUNNING_NODES


async def test_row_38_an_open_room_is_closed_and_then_forgotten(
    hall: Hall, connect: Connect
) -> None:
    node = await hall.start("--keep-open-hours", str(2 / 3600))
    ann = await connect(node, "ann")
    opened = await ann.ask("create", game="duel")
    closed = await ann.event("closed", room=opened["room"], patience=15)
    assert closed["reason"] == "expired"
    assert 2500 <= closed["at_ms"] - ann.welcome["now_ms"] <= 9000
    await _until_refused(lambda: ann.ask("watch", room=opened["code"]), "no_such_room")
    assert (await connect(node, "ann", token=ann.token)).welcome["seats"] == []
    assert not [key for key in _keys(hall) if ":room:" in key or ":code:" in key]


async def test_row_38_an_untimed_game_is_aborted_when_nobody_moves(
    hall: Hall, connect: Connect
) -> None:
    node = await hall.start("--keep-idle-days", str(2 * A_SECOND))
    ann, bob = await connect(node, "ann"), await connect(node, "bob")
    opened = await ann.ask("create", game="duel", clock=None, rounds=2, rated=True)
    await bob.ask("join", room=opened["code"])
    finished = await bob.event("finished", room=opened["room"], patience=15)
    assert (finished["reason"], finished["text"]) == ("aborted", "Nobody moved for 2 s.")
    assert finished["match_over"] is True and finished["match_winner"] is None
    await eventually(lambda: settled(hall))
    assert (await ann.ask("history"))["matches"][0]["rated"] is False


async def test_row_38_a_finished_room_is_kept_for_a_while(hall: Hall, connect: Connect) -> None:
    node = await hall.start("--keep-records-days", str(3 * A_SECOND))
    ann, bob = await connect(node, "ann"), await connect(node, "bob")
    opened = await ann.ask("create", game="duel", clock=None)
    await bob.ask("join", room=opened["code"])
    await bob.ask("resign", room=opened["room"], round=1)
    assert (await bob.ask("record", room=opened["code"]))["round"] == 1
    await _until_refused(lambda: ann.ask("watch", room=opened["code"]), "no_such_room")
    left = {key.split(":")[2] for key in _keys(hall)}
    assert left.isdisjoint({"room", "log", "records", "code", "live", "deadlines"})
    (entry,) = (await ann.ask("history"))["matches"]
    assert entry["room"] == opened["room"], "the history outlives the room"


async def test_row_38_who_never_sat_is_forgotten_sooner_than_others(
    hall: Hall, connect: Connect
) -> None:
    node = await hall.start("--keep-guests-days", str(2 * A_SECOND))
    guest, player = await connect(node, "guest"), await connect(node, "player")
    await player.ask("create", game="duel")
    await asyncio.sleep(5)  # whoever is connected is still here
    back = await connect(node, "guest", token=guest.token)
    for client in (guest, back, player):
        await client.close()

    async def return_() -> None:
        await asyncio.sleep(3)  # a visit begins the time anew
        await (await connect(node, "guest", token=guest.token)).close()

    await _until_refused(return_, "bad_token")
    again = await connect(node, "player", token=player.token)
    assert again.player == player.player


@pytest.mark.timeout(120)
async def test_row_38_when_all_time_is_up_nothing_is_left_but_the_pulse(
    hall: Hall, connect: Connect, shim: Shim, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everything that a hall does, and then the store's clock goes on by more than a year."""
    short = ("--keep-open-hours", str(2 / 3600), "--keep-idle-days", str(4 * A_SECOND))
    node = await hall.start(*short)
    ann, bob = hall.guest("ann"), hall.guest("bob")
    matches = [await RatedMatch.seat(ann, bob) for _ in range(PLACED_AFTER)]
    room = matches[0].room
    await ann.ask("say", room=room, text="Good luck!", key="luck")
    await (await hall.watcher("wes", room)).ask("ping")
    await bob.ask("create", game="duel", key="alone")
    idle = await ann.ask("create", game="duel", clock=None)
    await bob.ask("join", room=idle["code"])
    cyd, dan, eve = [await connect(node, name) for name in ("cyd", "dan", "eve")]
    for seeker in (cyd, dan):
        await seeker.ask("seek", game="duel", key="any")
    paired = await cyd.until(lambda message: message["type"] == "paired")
    await cyd.ask("abort", room=paired["room"], round=1)
    await eve.ask("seek", game="builder", key="any")
    await asyncio.gather(*(match.play((0, 1)) for match in matches))
    await eventually(lambda: not _unfinished(hall), within_s=20)
    kinds = {
        key.split(":", 2)[2].split(":")[0]
        for key in _keys(hall)
        if not key.startswith(("{th:ratings", "{th:lobby"))
    }
    assert kinds >= {"room", "log", "records", "code", "here", "once", "answer"}
    assert kinds >= {"token", "player", "seats", "past", "order", "pulse"}
    assert {"{th:ratings:chain}:ratings", "{th:ratings:chain}:best"} <= _keys(hall)
    assert [key for key in _keys(hall) if key.startswith("{th:lobby}")]
    for guest in (ann, bob):
        await hall.dismiss(guest)
    await node.stop()
    hall.nodes.remove(node)
    hall.store.kill()
    with monkeypatch.context() as later:
        later.setenv("LD_PRELOAD", shim("wrong_clock"))
        later.setenv("WRONG_CLOCK_S", str(YEAR_S))
        hall.store.start()
    await hall.start()
    await eventually(lambda: len(_keys(hall)) == SHARDS, within_s=30)
    assert all(key.endswith(":pulse") for key in _keys(hall))
    await eventually(lambda: hall.store.call("HLEN", "{th:lobby}:nodes") == 1, within_s=20)
    assert set(hall.store.call("ZRANGE", "{th:lobby}:deadlines", 0, -1)) <= {b"look"}


def _unfinished(hall: Hall) -> list[str]:
    return [key for key in _keys(hall) if key.endswith((":live", ":deadlines"))]
