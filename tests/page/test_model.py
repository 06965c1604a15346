"""The pure parts of the page, run where they run: in the browser."""

import re
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser

from gateway.hall import Hall
from page.visitor import Visitor

pytestmark = pytest.mark.asyncio(loop_scope="session")

Run = Callable[..., Awaitable[Any]]


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def run(browser: Browser, open_for_all: Hall) -> AsyncIterator[Run]:
    """`await run("words.js", "(words, x) => words.readCode(x)", argument)`."""
    visitor = await Visitor.arrive(browser, open_for_all.nodes[0].http(""))
    await visitor.enter()
    source = await visitor.page.content()
    found = re.search(r"/assets/[0-9a-f]+", source)
    assert found

    async def run_in_page(module: str, function: str, *arguments: Any) -> Any:
        call = f"async ([path, all]) => ({function})(await import(path), ...all)"
        return await visitor.page.evaluate(call, [f"{found[0]}/{module}", list(arguments)])

    yield run_in_page
    await visitor.leave()


VIEW = {"stacks": [], "supplies": [], "prompt": "", "notes": []}
ROOM = {
    "room": "r1",
    "code": "K7Q2MX",
    "epoch": "e1",
    "seq": 5,
    "match": 1,
    "round": 1,
    "score": [0, 0],
    "status": "live",
    "seats": [{"name": "ann", "online": True}, {"name": "bob", "online": True}],
    "turn": 0,
    "ply": 0,
    "moves": [],
    "view": VIEW,
    "legal": ["1"],
    "clock": None,
    "clocks": {"remaining_ms": [60_000, 60_000], "running": 0, "at_ms": 1000},
    "result": None,
    "match_winner": None,
    "rematch": [False, False],
    "you": 0,
}


def stacks(*towers: list[int]) -> dict[str, Any]:
    def stack(items: list[int]) -> dict[str, Any]:
        return {"label": "T", "owner": None, "items": items, "note": ""}

    return VIEW | {"stacks": [stack(items) for items in towers]}


def moved(seq: int, ply: int, seat: int, *towers: list[int]) -> dict[str, Any]:
    return {
        "kind": "moved",
        "epoch": "e1",
        "seq": seq,
        "round": 1,
        "at_ms": 2000,
        "ply": ply,
        "seat": seat,
        "move": "1",
        "forced": False,
        "text": "moves",
        "view": stacks(*towers),
        "legal": ["2"],
        "turn": 1 - seat,
        "clocks": None,
    }


FOLD = (
    "({fromSnapshot, afterEvent}, room, ...events) => events.reduce(afterEvent, fromSnapshot(room))"
)


async def test_a_move_changes_the_table_and_leaves_the_room_before_it_alone(run: Run) -> None:
    after = await run("room.js", FOLD, ROOM, moved(6, 0, 0, [1]))
    assert (after["seq"], after["ply"], after["turn"]) == (6, 1, 1)
    assert after["moves"] == [{"ply": 0, "seat": 0, "move": "1", "forced": False}]
    assert await run(
        "room.js",
        """({fromSnapshot, afterEvent}, snapshot, event) => {
            const before = fromSnapshot(snapshot), text = JSON.stringify(before);
            afterEvent(before, event);
            return text === JSON.stringify(before);
        }""",
        ROOM,
        moved(6, 0, 0, [1]),
    )


async def test_an_unknown_event_counts_and_changes_nothing_else(run: Run) -> None:
    strange = {"kind": "danced", "epoch": "e1", "seq": 6}
    after = await run("room.js", FOLD, ROOM, strange)
    before = await run("room.js", FOLD, ROOM)
    assert after == before | {"seq": 6}


@pytest.mark.parametrize(
    ("epoch", "seq", "standing"),
    [("e1", 6, "next"), ("e1", 5, "old"), ("e1", 7, "gap"), ("e2", 6, "gap"), ("e2", 1, "gap")],
)
async def test_an_event_is_next_old_or_after_a_gap(
    run: Run, epoch: str, seq: int, standing: str
) -> None:
    function = "({standing}, room, event) => standing(room, event)"
    assert await run("room.js", function, ROOM, {"epoch": epoch, "seq": seq}) == standing


async def test_when_a_game_ends_its_clocks_stand_still(run: Run) -> None:
    finished = {
        "kind": "finished",
        "seq": 6,
        "at_ms": 11_000,
        "round": 1,
        "winner": 1,
        "reason": "resigned",
        "text": "",
        "score": [0, 1],
        "match_over": True,
        "match_winner": 1,
        "next_ms": None,
    }
    after = await run("room.js", FOLD, ROOM, finished)
    assert after["clocks"]["remaining_ms"] == [50_000, 60_000]
    assert (after["status"], after["turn"], after["legal"]) == ("over", None, None)


async def test_every_block_is_known_by_who_put_it_there(run: Run) -> None:
    events = [moved(6, 0, 0, [3], []), moved(7, 1, 1, [3], [4]), moved(8, 2, 0, [3, 5], [4])]
    function = """(model, snapshot, ...events) => model.provenance(
        events.reduce(model.afterEvent, model.fromSnapshot(snapshot)).frames, 3)"""
    marks = await run("room.js", function, ROOM | {"view": stacks([], [])}, *events)
    assert marks == [
        [{"seat": 0, "step": 1}, {"seat": 0, "step": 3}],
        [{"seat": 1, "step": 2}],
    ]


async def test_a_game_can_be_aborted_until_both_have_moved(run: Run) -> None:
    may = "({mayAbort}, room) => mayAbort(room)"
    made = [{"seat": 0, "forced": False}, {"seat": 1, "forced": True}]
    assert await run("room.js", may, ROOM)
    assert await run("room.js", may, ROOM | {"moves": made})
    assert not await run("room.js", may, ROOM | {"moves": [*made, {"seat": 1, "forced": False}]})
    assert not await run("room.js", may, ROOM | {"you": None})
    assert not await run("room.js", may, ROOM | {"score": [1, 0]})


async def test_a_win_can_be_claimed_a_minute_after_the_other_has_gone(run: Run) -> None:
    wait = "({claimWait}, room, now) => claimWait(room, now)"
    gone = [ROOM["seats"][0], {"name": "bob", "online": False, "away_since_ms": 10_000}]  # type: ignore[index]
    timed = ROOM | {"seats": gone, "clock": {"initial_ms": 1000, "increment_ms": 0}}
    assert await run("room.js", wait, ROOM, 0) is None
    assert await run("room.js", wait, timed, 30_000) == 40_000
    assert await run("room.js", wait, timed, 90_000) == 0
    assert await run("room.js", wait, timed | {"clock": None}, 70_000) == 24 * 3_600_000 - 60_000


async def test_time_passes_where_a_clock_runs_somebody_is_gone_or_a_game_is_due(run: Run) -> None:
    has_time = "({fromSnapshot, hasTime}, room, more) => hasTime({...fromSnapshot(room), ...more})"
    still = ROOM | {"clocks": None}
    over = still | {"status": "over", "turn": None, "result": {"text": ""}}
    gone = [{"name": "ann", "online": True}, {"name": "bob", "online": False}]
    assert await run("room.js", has_time, ROOM, {})
    assert not await run("room.js", has_time, still, {})
    assert await run("room.js", has_time, still | {"seats": gone}, {})
    assert not await run("room.js", has_time, over | {"seats": gone}, {})
    assert await run("room.js", has_time, still | {"turn": None}, {"next_ms": 9000})


@pytest.mark.parametrize(
    ("ms", "text"),
    [(0, "0.0"), (9_990, "9.9"), (10_000, "0:10"), (171_900, "2:51"), (3_723_000, "1:02:03")],
)
async def test_a_clock_is_shown_as_people_read_it(run: Run, ms: int, text: str) -> None:
    assert await run("clock.js", "({shown}, ms) => shown(ms)", ms) == text


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("k7q-2mx", "K7Q2MX"),
        (" K7Q2MX ", "K7Q2MX"),
        ("oil000", "011000"),
        ("K7Q2M", None),
        ("K7Q2MU", None),
    ],
)
async def test_a_code_is_read_however_it_was_typed(run: Run, typed: str, code: str | None) -> None:
    assert await run("words.js", "({readCode}, text) => readCode(text)", typed) == code
