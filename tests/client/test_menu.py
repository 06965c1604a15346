"""The short menu of `towerhall play`."""

from client.conftest import Arrive
from client.hall import Hall


def test_ctrl_d_leaves_at_any_question(arrive: Arrive) -> None:
    for answers in ((), ("1",), ("3",), ("4",)):
        ann = arrive("ann", "play")
        ann.sees("Your choice>")
        for answer in answers:
            ann.enters(answer)
            ann.until(lambda: ann.picture.count(">") > 1, "the next question")  # noqa: B023
        ann.types("\x04")
        assert ann.ends() == 0
        assert "Traceback" not in ann.picture


def test_a_room_is_joined_by_the_link_that_its_invitation_shows(arrive: Arrive, hall: Hall) -> None:
    ann = arrive("ann", "play", "duel", "--new", "--first=creator")
    link = f"http://{hall.server}/r/{ann.code()}"
    ann.sees(link)
    bob = arrive("bob", "play")
    bob.sees("Your choice>")
    bob.enters("3")
    bob.sees("The room's code or link>")
    bob.enters("http://nonsense")
    bob.sees("is not a link to a room")
    bob.enters("000-000")
    bob.sees("There is no such room.")
    bob.enters(link)
    bob.sees("ann to move>")


def test_a_room_in_another_hall_is_entered_there(arrive: Arrive, hall: Hall) -> None:
    ann = arrive("ann", "play", "duel", "--new", "--first=creator", server=hall.server)
    code = ann.code()
    bob = arrive("bob", "play")
    bob.sees("Your choice>")
    bob.enters("4")
    bob.sees("The room's code or link, or nothing for TV>")
    bob.enters("http://127.0.0.1:1/r/K7Q-2MX")
    bob.sees("nothing listens there")
    bob.enters(f"http://localhost:{hall.port}/r/{code}")
    bob.sees("Waiting for a second player.")


def test_watching_nothing_in_particular_is_tv(arrive: Arrive) -> None:
    ann = arrive("ann", "play", "duel", "--new", "--listed", "--first=creator", "--clock=none")
    bob = arrive("bob", "play", ann.code())
    bob.sees("ann to move>")
    cleo = arrive("cleo", "play")
    cleo.sees("Your choice>")
    cleo.enters("4")
    cleo.sees("or nothing for TV>")
    cleo.enters("")
    cleo.sees("Say>")


def test_a_new_room_without_a_game_asks_for_the_game_alone(arrive: Arrive) -> None:
    ann = arrive("ann", "play", "--new", "--clock=none")
    ann.sees("Which game>")
    assert "quick match" not in ann.picture
    assert "…" not in ann.picture, "all of what a game is about"
    ann.enters("3")
    ann.code()
    assert ann.screen[0].startswith(" Number Tower Duel · ")
