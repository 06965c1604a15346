import pytest

from match.table import ANN, BOB, EVE, Table, opened, seated
from towerhall_server.games import Seat
from towerhall_server.match.actions import Say
from towerhall_server.match.happenings import Said
from towerhall_server.match.state import Match


def over() -> Table:
    table = seated()
    table.win(0)
    return table


@pytest.mark.parametrize(("player", "seat"), [(ANN, 0), (BOB, 1), (EVE, None)])
def test_everybody_in_the_room_is_heard_with_their_seat(player: str, seat: Seat | None) -> None:
    change = seated().do(Say(player, "name", "good luck"))
    assert change.happened == (Said(seat=seat, name="name", text="good luck"),)


@pytest.mark.parametrize("table", [opened(), seated(), seated().play("2 3"), over()])
def test_talking_changes_nothing_but_the_number_of_the_last_event(table: Table) -> None:
    before = table.match
    after = table.wait(3_000).do(Say(ANN, "ann", "hm")).match
    assert after.seq == before.seq + 1
    for field in set(Match.__struct_fields__) - {"seq"}:
        assert getattr(after, field) == getattr(before, field)


def test_the_same_words_twice_are_said_twice() -> None:
    table = seated()
    for _ in range(2):
        table.do(Say(ANN, "ann", "hm"))
    assert [entry.happening for entry in table.log[-2:]] == [
        Said(seat=0, name="ann", text="hm")
    ] * 2
