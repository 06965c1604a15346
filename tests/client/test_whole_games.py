"""Two people at two terminals play each game to its end."""

import pytest

from client.conftest import Arrive
from client.lines_of_play import IDS, ending_of, line_of
from client.table_for_two import UNTIMED, assert_golden, sit_down


@pytest.mark.parametrize("game", IDS)
def test_two_people_play_a_game_to_its_end(game: str, arrive: Arrive) -> None:
    people = sit_down(arrive, game, *UNTIMED)
    line = line_of(game)
    for number, (seat, move) in enumerate(line):
        people[seat].moves(move)
        if number == len(line) // 2:
            following = people[line[number + 1][0]]
            following.sees("Your move>")
            assert_golden(f"{game}-middle", following)
    winner, text = ending_of(game)
    named = text.replace("Player 1", "ann").replace("Player 2", "bob")
    for person in people:
        person.sees(" ".join(named.split()[-2:]))
        person.sees("/rematch to play again")
    assert_golden(f"{game}-end", people[winner])
    for person in people:
        person.enters("/quit")
        assert person.ends() == 0
