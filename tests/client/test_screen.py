"""Pictures: whatever the view is, and however small the terminal, it fits."""

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from protocol.examples import REPLIES, SNAPSHOT, VIEW
from towerhall_client.addresses import read_address
from towerhall_client.clockface import control, duration, face
from towerhall_client.ink import row_width, text_of, wrapped
from towerhall_client.lobby_list import entries_of
from towerhall_client.screen import Scene, counting, draw
from towerhall_client.sharing import Invitation
from towerhall_client.status import Seating
from towerhall_client.supplies import draw_supplies
from towerhall_client.table import Table
from towerhall_client.towers import draw_towers, tail_of
from towerhall_protocol.replies import LobbyState, Presence, Welcome
from towerhall_protocol.rooms import (
    Clock,
    Clocks,
    SeatPresence,
    Stack,
    Supply,
    SupplyItem,
    View,
)
from towerhall_protocol.text import show_code

NAMES = ("ann", "bob")
NOW_MS = 1_000_000

words = st.text(max_size=40)
numbers = st.integers(-(2**53), 2**53)
stacks = st.builds(
    Stack, label=words, owner=st.none(), items=st.lists(numbers, max_size=120), note=words
)
items = st.builds(SupplyItem, value=numbers, count=st.integers(0, 99))
supplies = st.builds(Supply, label=words, owner=st.none(), items=st.lists(items, max_size=40))
views = st.builds(
    View,
    stacks=st.lists(stacks, max_size=12),
    supplies=st.lists(supplies, max_size=4),
    prompt=words,
    notes=st.lists(words, max_size=4),
)


@given(view=views, width=st.integers(40, 200), height=st.integers(20, 60), seat=st.booleans())
@settings(max_examples=60, deadline=None)
def test_any_view_fits_into_any_terminal(view: View, width: int, height: int, seat: bool) -> None:
    room = structs.replace(SNAPSHOT, view=view)
    table = Table(room).told("chat", "a word " * 40)
    rows = draw(Scene(table, Seating((0,) if seat else ()), 0, "trouble " * 9), width, height)
    assert len(rows) == height
    assert max(row_width(row) for row in rows) <= width


@given(view=views, width=st.integers(1, 60), height=st.integers(1, 20))
@settings(max_examples=60, deadline=None)
def test_the_smallest_terminal_breaks_nothing(view: View, width: int, height: int) -> None:
    room = structs.replace(SNAPSHOT, view=view)
    rows = draw(Scene(Table(room), Seating((0,)), 0, "trouble " * 9), width, height)
    assert len(rows) == height
    assert max(row_width(row) for row in rows) <= width


def test_a_small_terminal_has_what_one_needs_to_play() -> None:
    """Both clocks, the turn, the legal moves, and the last of what happened."""
    clocks = Clocks(remaining_ms=(61_000, 59_000), running=None, at_ms=NOW_MS)
    sitter = SNAPSHOT.seats[0]
    assert sitter
    seats = tuple(structs.replace(sitter, name=name, online=True) for name in NAMES)
    room = structs.replace(
        SNAPSHOT,
        status="live",
        turn=0,
        you=0,
        legal=["1A", "2B"],
        seats=seats,
        clocks=clocks,
        view=structs.replace(VIEW, prompt="Place a tile."),
    )
    scene = Scene(Table(room).told("chat", "bob: hello"), Seating((0,)), NOW_MS)
    for width, height in ((30, 14), (40, 10)):
        shown = "\n".join(text_of(row) for row in draw(scene, width, height))
        for text in ("1:01", "0:59", "Your turn.", "Legal: 1A 2B", "bob: hello", ": 1 3", "B: "):
            assert text in shown, shown


def test_a_narrow_terminal_has_the_whole_invitation() -> None:
    room = structs.replace(SNAPSHOT, status="open", turn=None, you=0)
    invitation = Invitation(read_address("192.168.100.200"), "K7Q2MX")
    scene = Scene(Table(room), Seating((0,)), 0, invitation=invitation)
    shown = "".join(text_of(row).strip() for row in draw(scene, 34, 14)[1:])
    assert "http://192.168.100.200:7777/r/K7Q-2MX" in shown
    assert "--server192.168.100.200 K7Q-2MX" in shown


def test_the_top_line_has_the_options_that_are_not_the_presets() -> None:
    scene = Scene(Table(SNAPSHOT), Seating(), NOW_MS, terms=("tiles=7",))
    assert text_of(draw(scene, 80, 23)[0]).endswith(" · tiles=7")


def test_whoever_has_leafed_back_sees_that_there_is_more() -> None:
    table = Table(SNAPSHOT)
    for number in range(20):
        table = table.told("chat", f"word {number}")
    rows = [text_of(row) for row in draw(Scene(table, Seating(), NOW_MS, back=3), 80, 23)]
    assert rows[-1] == " ↓ 3 newer: Page Down"
    assert " word 19" not in rows


def lines_of(stack: Stack, height: int = 8) -> list[str]:
    return [text_of(row) for row in draw_towers([stack], NAMES, 40, height)]


def tower(*items: int, note: str = "") -> Stack:
    return Stack(label="A", owner=None, items=list(items), note=note)


def test_a_tower_stands_on_its_label() -> None:
    assert lines_of(tower(3, 12)) == ["┌────┐", "│ 12 │", "│ 3  │", "└────┘", "  A"]
    assert lines_of(tower()) == ["", "─────", "  A"]


def test_a_tall_tower_shows_its_top_and_how_many_are_below() -> None:
    drawn = lines_of(tower(*range(10, 60)), height=8)
    assert len(drawn) == 8
    assert drawn[1:6] == ["│ 59 │", "│ 58 │", "│ 57 │", "│ 56 │", "│+46 │"]


def test_towers_that_do_not_fit_side_by_side_become_lines() -> None:
    many = [Stack(label=f"T{n}", owner=None, items=[n, n + 1], note="") for n in range(9)]
    drawn = [text_of(row) for row in draw_towers(many, NAMES, 40, 6)]
    assert drawn[:2] == ["T0: 0 1", "T1: 1 2"]
    assert drawn[-1] == "… and 4 more"


def test_a_long_line_keeps_its_end() -> None:
    assert text_of(tail_of(list(range(100)), 20)) == "+95 … 95 96 97 98 99"


def test_counted_and_uncounted_supplies() -> None:
    one = [SupplyItem(value=n, count=1) for n in (1, 2)]
    five = [SupplyItem(value=1, count=5)]
    view = structs.replace(
        VIEW,
        supplies=[
            Supply(label="Player 1's tiles", owner=0, items=one),
            Supply(label="Blocks", owner=None, items=five),
            Supply(label="Nothing", owner=None, items=[]),
        ],
        notes=["Player 2 leads."],
    )
    drawn = [text_of(row) for row in draw_supplies(view, NAMES, 40, 9)]
    assert drawn == ["ann's tiles  1  2", "Blocks  1×5", "Nothing  none", "", "bob leads."]


def test_wide_characters_are_measured_as_the_terminal_shows_them() -> None:
    assert wrapped("漢字漢字 ab", 8) == ["漢字漢字", "ab"]


def test_times_as_people_read_them() -> None:
    shown = [face(ms) for ms in (0, 9_449, 59_999, 171_000, 3_723_000)]
    assert shown == ["0:00", "9.4", "0:59", "2:51", "1:02:03"]
    assert [duration(ms) for ms in (400, 45_000, 600_000, 86_400_000)] == [
        "0 s",
        "45 s",
        "10 min",
        "24 h",
    ]
    assert control(Clock(initial_ms=90_000, increment_ms=2_000)) == "1.5+2"
    assert control(None) == "no clock"


def test_a_small_terminal_has_room_for_the_picture_of_a_link() -> None:
    room = structs.replace(SNAPSHOT, status="open", turn=None, you=0)
    invitation = Invitation(read_address("192.168.100.200"), "K7Q2MX")
    scene = Scene(Table(room), Seating((0,)), 0, invitation=invitation)
    shown = "\n".join(text_of(row) for row in draw(scene, 80, 23))
    assert "█▀▀▀▀" in shown
    for text in (
        "K7Q-2MX",
        "http://192.168.100.200:7777/r/K7Q-2MX",
        "Waiting for a second player.",
    ):
        assert text in shown
    assert "towerhall play --server" in shown
    assert "…" not in shown.split("\n", 2)[2]


def test_a_link_of_this_machine_alone_has_no_picture() -> None:
    rows = Invitation(read_address("localhost"), "K7Q2MX").rows(78, 16)
    shown = "\n".join(text_of(row) for row in rows)
    assert "█" not in shown
    assert "This link works on this machine only." in shown
    assert "--server" in shown.splitlines()[-2]


def test_a_clock_is_drawn_anew_when_it_looks_different() -> None:
    """Once a second, and every tenth of the last ten."""

    def shown(left_ms: int, after_ms: int) -> tuple[str, ...]:
        clocks = Clocks(remaining_ms=(left_ms, 60_000), running=0, at_ms=NOW_MS)
        table = Table(structs.replace(SNAPSHOT, status="live", turn=0, clocks=clocks))
        return counting(Scene(table, Seating((0,)), NOW_MS + after_ms))

    assert shown(60_900, 0) == shown(60_900, 800) != shown(60_900, 1_000)
    assert shown(9_990, 0) != shown(9_990, 200)


def test_nothing_counts_down_once_a_match_is_over() -> None:
    gone = SeatPresence(online=False, away_since_ms=NOW_MS)
    there = SeatPresence(online=True, away_since_ms=None)
    seats = (SNAPSHOT.seats[0], SNAPSHOT.seats[0])
    room = structs.replace(SNAPSHOT, seats=seats, status="live", turn=0, clocks=None)
    live = Table(room).after(Presence(room=room.room, seats=(there, gone), watchers=0))
    over = Table(structs.replace(live.room, status="over", turn=None))

    def shown(table: Table, after_ms: int) -> tuple[str, ...]:
        return counting(Scene(table, Seating((0,)), NOW_MS + after_ms))

    assert shown(live, 0) != shown(live, 5_000)
    assert shown(over, 0) == shown(over, 5_000)


def test_a_list_says_what_differs() -> None:
    live = next(reply for reply in REPLIES if isinstance(reply, LobbyState)).live[0]
    first = structs.replace(live, rounds=1, score=(0, 0), ply=6, watchers=1)
    later = structs.replace(live, rounds=2, score=(1, 0), ply=3, watchers=0)
    lobby = LobbyState(seeks=[], open=[], live=[first, later], featured=None, online=2)
    one, two = entries_of(lobby)
    code = show_code(live.code)
    assert "×" not in one.cells[2]
    assert one.cells[4] == f"move 6, 1 watching, {code}"
    assert "×2" in two.cells[2]
    assert two.cells[4] == f"1-0, move 3, {code}"


def test_a_list_has_the_options_that_are_not_the_presets() -> None:
    duel = next(reply for reply in REPLIES if isinstance(reply, Welcome)).games[0]
    lobby = next(reply for reply in REPLIES if isinstance(reply, LobbyState))
    name = duel.options[0].name
    room = structs.replace(lobby.open[0], game=duel.id, preset="own", options={name: 7})
    listed = structs.replace(lobby, open=[room], seeks=[], live=[])
    [known] = entries_of(listed, [duel])
    [unknown] = entries_of(listed, [])
    assert f"own {name}=7 " in known.cells[2]
    assert name not in unknown.cells[2]
