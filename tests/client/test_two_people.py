"""Two people at two terminals, in one hall: what happens on the way through a game."""

import re
import signal
from collections.abc import Iterator

import pytest

from client.cable import Cable, cable_to
from client.conftest import Arrive
from client.hall import Hall
from client.table_for_two import UNTIMED, assert_golden, sit_down


@pytest.fixture
def cable(hall: Hall) -> Iterator[Cable]:
    with cable_to(hall.host, hall.port) as laid:
        yield laid


def test_a_half_typed_line_stays_while_the_opponent_moves_and_talks(arrive: Arrive) -> None:
    ann, bob = sit_down(arrive, "duel", *UNTIMED)
    bob.types("1b")
    bob.until(lambda: bob.line.endswith("> 1b"))
    bells = bob.glass.bells
    ann.enters("/say take your time")
    bob.sees("ann: take your time")
    assert bob.line == " ann to move> 1b"
    ann.moves("2a")
    bob.sees("ann places 2 on tower A.")
    bob.until(lambda: bob.line == " Your move> 1b", "the line as it was")
    bob.until(lambda: bob.glass.bells == bells + 1, "the bell")
    assert bob.glass.title.startswith("● your move · Number Tower Duel")
    bob.enters("")
    ann.sees("bob places 1 on tower B.")


def test_an_illegal_move_is_explained_and_loses_nothing(arrive: Arrive) -> None:
    ann, bob = sit_down(arrive, "duel", *UNTIMED)
    ann.moves("3a")
    bob.moves("2a")
    bob.sees("2a: 2 is not higher than 3, the top of tower A.")
    bob.sees("Legal moves: 1B 1C 2B 2C 3B 3C 4A 4B 4C 5A 5B 5C")
    bob.moves("nonsense")
    bob.sees("That is not a move")
    bob.moves("4a")
    ann.sees("bob places 4 on tower A.")


def test_a_line_entered_out_of_turn_stays(arrive: Arrive) -> None:
    ann, bob = sit_down(arrive, "duel", *UNTIMED)
    bob.enters("1b")
    bob.sees("It is ann's turn; your line stays as it is.")
    assert bob.line == " ann to move> 1b"
    ann.moves("2a")
    bob.sees("Your move> 1b")


def test_tab_completes_orders_and_moves(arrive: Arrive) -> None:
    ann, _ = sit_down(arrive, "duel", *UNTIMED)
    ann.types("/resi\t")
    ann.until(lambda: ann.line == " Your move> /resign", "the order whole")
    ann.types("\x15")  # Ctrl-U
    ann.types("5\t")
    ann.sees("5C")
    ann.types("\t")
    ann.until(lambda: ann.line == " Your move> 5A", "the first of the moves")
    ann.types("\t")
    ann.until(lambda: ann.line == " Your move> 5B", "the second of the moves")


def test_a_dropped_line_is_told_and_everything_goes_on_when_it_is_back(
    arrive: Arrive, cable: Cable
) -> None:
    ann, bob = sit_down(arrive, "duel", *UNTIMED, ann_by=cable.server)
    ann.moves("2a")
    cable.cut()
    ann.sees("reconnecting…")
    bob.sees("away")
    bob.moves("1b")
    bob.enters("/say are you there?")
    cable.mend()
    ann.sees("The line is back.")
    ann.sees("bob places 1 on tower B.")
    ann.sees("bob: are you there?")
    assert ann.picture.count("bob places 1 on tower B.") == 1
    ann.moves("3a")
    bob.sees("ann places 3 on tower A.")


def test_a_move_made_while_the_line_is_down_is_sent_when_it_is_back(
    arrive: Arrive, cable: Cable
) -> None:
    ann, bob = sit_down(arrive, "duel", *UNTIMED, ann_by=cable.server)
    cable.cut()
    ann.sees("reconnecting…")
    ann.enters("2a")
    ann.sees("sending 2a")
    cable.mend()
    bob.sees("ann places 2 on tower A.")
    ann.sees("ann places 2 on tower A.")
    ann.sees_no("sending")


def test_a_refusal_names_the_players(arrive: Arrive) -> None:
    ann, _ = sit_down(arrive, "duel", *UNTIMED)
    ann.enters("/resign")
    ann.sees("/rematch to play again")
    before = ann.look().count("ann resigned: bob wins.")
    ann.enters("/claim")
    ann.until(lambda: ann.picture.count("ann resigned: bob wins.") > before, "the refusal")
    assert "Player 1" not in ann.picture


def test_a_rematch_is_asked_for_and_played(arrive: Arrive) -> None:
    ann, bob = sit_down(arrive, "duel", *UNTIMED)
    ann.enters("/resign")
    ann.sees("bob wins")
    bob.sees("/rematch to play again")
    ann.enters("/rematch")
    ann.sees("You asked for a rematch; bob has not answered yet.")
    bob.sees("ann wants a rematch: /rematch to accept.")
    bob.enters("/rematch")
    bob.sees("Your move>")
    ann.sees("Game 2 begins: bob moves first.")
    bob.moves("1a")
    ann.sees("bob places 1 on tower A.")


def test_a_watcher_sees_the_game_and_may_talk(arrive: Arrive) -> None:
    ann, bob = sit_down(arrive, "duel", *UNTIMED)
    code = re.search(r"\w{3}-\w{3}", ann.screen[0])
    assert code
    cleo = arrive("cleo", "watch", code[0])
    cleo.sees("It is ann's turn.")
    ann.sees("1 watching")
    ann.moves("2a")
    cleo.sees("ann places 2 on tower A.")
    cleo.enters("/resign")
    cleo.sees("/resign is for players; you are watching.")
    cleo.enters("well played")
    bob.sees("cleo (watching): well played")
    assert_golden("watching", cleo)


def test_somebody_who_left_comes_back_to_their_seat(arrive: Arrive) -> None:
    ann, bob = sit_down(arrive, "duel", *UNTIMED)
    ann.moves("2a")
    bob.types("\x03")
    assert bob.ends() == 130
    found = re.search(r"come back with: (.*?)\$?$", " ".join(bob.picture.split()), re.DOTALL)
    assert found, bob.picture
    ann.sees("bob has been away for")
    ann.sees("you may claim the win in 24 h: /claim")
    back = arrive("bob", "play", found[1].split()[-1])
    back.sees("Your move>")
    back.sees("So far: 1. 2A")
    ann.sees("bob is back.")


def test_help_and_rules_are_read_in_place_of_the_table(arrive: Arrive) -> None:
    ann, _ = sit_down(arrive, "duel", *UNTIMED)
    ann.enters("/help")
    ann.sees("Enter brings the table back.")
    assert_golden("help", ann)
    ann.enters("")
    ann.sees_no("Enter brings the table back.")
    ann.enters("/rules")
    ann.sees("Take turns placing one of your tiles")
    ann.moves("2a")
    ann.sees("│ 2 │")


def test_what_happened_can_be_leafed_through(arrive: Arrive) -> None:
    ann, _ = sit_down(arrive, "duel", *UNTIMED)
    for word in ("one", "two"):
        ann.enters(f"/say {word}")
        ann.sees(f"ann: {word}")
    ann.enters("/nonsense")
    ann.sees("There is no order /nonsense.")
    ann.types("\x1b[5~")
    ann.sees("bob sits down as Player 2.")
    ann.types("\x1b[6~")
    ann.sees("There is no order /nonsense.")


def test_what_cannot_be_said_is_explained(arrive: Arrive) -> None:
    ann, bob = sit_down(arrive, "duel", *UNTIMED)
    ann.enters("/say a zero\u200bwidth space")
    ann.sees("That has characters that cannot be shown.")
    ann.enters("/say " + "long " * 50)
    ann.sees("at most 200 characters")
    ann.enters("x" * 5000)
    ann.sees("That is too long.")
    ann.enters("/say thumbs up 👍")
    bob.sees("ann: thumbs up")


def test_a_claim_that_comes_too_early_says_so(arrive: Arrive) -> None:
    ann, _ = sit_down(arrive, "duel")
    ann.enters("/claim")
    ann.sees("away")


def test_clocks_count_down_where_there_are_any(arrive: Arrive) -> None:
    ann, _ = sit_down(arrive, "duel", "--clock", "3+2")
    ann.until(lambda: re.search(r"ann \(you\)  2:[0-5]\d", ann.screen[1]) is not None, "a clock")
    assert ann.screen[1].endswith("bob  3:00")


def test_both_seats_can_be_played_at_one_keyboard(arrive: Arrive) -> None:
    both = arrive("ann", "play", "builder", "--hotseat", "--option=target=6", *UNTIMED)
    for player, move in ((1, "5"), (2, "4"), (1, "1")):
        both.sees(f"Player-{player} to move>")
        both.enters(move)
    both.sees("The tower is 6 high: Player-1 wins.")
    both.enters("/rematch")
    both.sees("Game 2 begins: Player-2 moves first.")
    both.enters("/quit")
    assert both.ends() == 0


def test_a_half_typed_line_is_seen_again_when_a_narrow_window_grows(arrive: Arrive) -> None:
    both = arrive("ann", "play", "duel", "--hotseat", *UNTIMED)
    both.sees("Player-1 to move>")
    both.types("/say half a sentence")
    both.sees("half a sentence")
    both.resizes(20, 8)
    both.sees_no("half a sentence")
    both.resizes(80, 24)
    both.until(lambda: both.line == " Player-1 to move> /say half a sentence", "the whole line")


def test_the_bell_rings_when_somebody_comes_to_the_room_one_opened(arrive: Arrive) -> None:
    ann = arrive("ann", "play", "duel", "--new", "--first=joiner")
    code = ann.code()
    bells = ann.glass.bells
    arrive("bob", "play", code)
    ann.sees("bob to move>")
    ann.until(lambda: ann.glass.bells == bells + 1, "the bell")


def test_ctrl_z_is_no_part_of_the_line(arrive: Arrive) -> None:
    """Nothing is stopped here, for want of a shell that would go on with it."""
    both = arrive("ann", "play", "duel", "--hotseat", *UNTIMED)
    both.sees("Player-1 to move>")
    both.types("2\x1aa")
    both.until(lambda: both.line == " Player-1 to move> 2a", "the line without it")
    both.enters("")
    both.sees("Player-1 places 2 on tower A.")


def test_whoever_is_told_to_go_leaves_the_terminal_as_it_was(arrive: Arrive) -> None:
    both = arrive("ann", "play", "duel", "--hotseat", *UNTIMED)
    both.sees("Player-1 to move>")
    both.signals(signal.SIGTERM)
    both.sees("The game is not over; come back with:")
    assert both.ends() == -signal.SIGTERM
    assert both.heard.count(b"\x1b[?1049h") == both.heard.count(b"\x1b[?1049l") == 1
    assert b"\x1b[23;0t" in both.heard, "the title as it was"


def test_what_is_said_without_a_line_waits_visibly(arrive: Arrive, cable: Cable) -> None:
    ann, bob = sit_down(arrive, "duel", *UNTIMED, ann_by=cable.server)
    cable.cut()
    ann.sees("reconnecting…")
    ann.enters("/say are you there?")
    ann.sees("(1 to be sent when the line is back)")
    cable.mend()
    bob.sees("ann: are you there?")
    ann.sees_no("to be sent")


def test_a_terminal_that_cannot_be_drawn_on_gets_lines(arrive: Arrive) -> None:
    both = arrive("ann", "play", "duel", "--hotseat", TERM="dumb")
    both.sees("Legal: 1A")
    both.enters("2A")
    both.sees("Player-1 places 2 on tower A.")
    assert b"\x1b" not in both.heard


def test_a_large_and_a_small_terminal_show_a_tall_tower(arrive: Arrive) -> None:
    size = (100, 40)
    both = arrive("ann", "play", "strangers", "--hotseat", *UNTIMED, size=size, NO_COLOR="1")
    for number in range(30):
        both.until(lambda n=number: f"{n % 2 + 1} to move>" in both.line)  # type: ignore[misc]
        both.enters("54"[number % 2])
    both.sees("│+")
    assert len([line for line in both.screen if "│ 5 │" in line]) > 5
    assert b"\x1b[0;32" not in both.heard, "a colour, though NO_COLOR is set"
