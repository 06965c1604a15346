"""The arguments of `towerhall` and of each of its commands."""

import argparse
import contextlib
import math
import sys
from typing import Any

DESCRIPTION = "Play number games against others over the network, live; or watch them."
EPILOG = (
    "Exit codes: 0 done, 1 the output cannot be written, 2 usage, 3 no connection, 4 refused by "
    "the hall, 5 the input of a script ended on a refused line, 6 the line was lost, "
    "130 interrupted."
)


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="towerhall", description=DESCRIPTION, epilog=EPILOG)
    _add_global(parser, server=None, name=None, json=False, plain=False, no_color=False)
    parser.add_argument("--version", action=_Version, help="which towerhall this is")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for name, (text, add) in COMMANDS.items():
        command = commands.add_parser(name, help=text, description=text, epilog=EPILOG)
        # Left out after the command, they stay as they were given before it.
        _add_global(command, **dict.fromkeys(GLOBAL, argparse.SUPPRESS))
        add(command)
    return parser


GLOBAL = ("server", "name", "json", "plain", "no_color")


def _add_global(parser: argparse.ArgumentParser, **defaults: Any) -> None:
    group = parser.add_argument_group("everywhere")
    group.add_argument(
        "--server",
        action="append",
        metavar="HOST[:PORT]",
        default=defaults["server"],
        help="the hall: host, host:port or a URL; several, with commas between or given again, "
        "are nodes of one hall (TOWERHALL_SERVER; localhost if left out)",
    )
    group.add_argument(
        "--name",
        default=defaults["name"],
        help="who you are: each name is a player of its own (TOWERHALL_NAME; the last one used)",
    )
    for flag, text in (
        ("--json", "one JSON object a line"),
        ("--plain", "plain lines, as in a pipe"),
        ("--no-color", "no colours (NO_COLOR)"),
    ):
        default = defaults[flag[2:].replace("-", "_")]
        group.add_argument(flag, action="store_true", default=default, help=text)


def _add_play(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "words",
        nargs="*",
        metavar="GAME|CODE|URL",
        help="a game: find an opponent; a room's code or link: join it; neither: a menu",
    )
    parser.add_argument("--new", action="store_true", help="open a room, and get a code to share")
    parser.add_argument("--hotseat", action="store_true", help="both seats, at this keyboard")
    parser.add_argument("--clock", help="minutes+seconds a move, such as 3+2; or none")
    parser.add_argument("--rounds", type=int, metavar="N", help="games in a match, 1 to 16")
    parser.add_argument("--preset", help="a named set of options")
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="one option; may be given again",
    )
    parser.add_argument(
        "--first", choices=["random", "creator", "joiner"], help="who begins, in a room of yours"
    )
    parser.add_argument("--listed", action="store_true", help="show your room in the lobby")
    parser.add_argument(
        "--rated", action="store_const", const=True, help="the match counts for your rating"
    )
    parser.add_argument(
        "--unrated", action="store_const", const=False, dest="rated", help="it does not count"
    )


def _add_watch(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("room", nargs="?", metavar="CODE|URL", help="the room to watch")
    parser.add_argument("--tv", action="store_true", help="the featured game, one after the other")


def _add_lobby(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--follow", action="store_true", help="in a pipe: go on with each change")


def _add_replay(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "game_of", metavar="CODE|URL|FILE", help="a room, or a record in a file; - is the input"
    )
    _add_round(parser)
    parser.add_argument(
        "--speed", type=_positive, default=1.0, metavar="N", help="moves a second when it plays"
    )


def _add_record(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("room", metavar="CODE|URL", help="the room")
    _add_round(parser)


def _add_round(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--round", type=_from_1, metavar="N", dest="game_number", help="which game of the room"
    )


def _add_game(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="the game")


def _add_history(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--before", metavar="MARK", help="older ones, from where a page ended")


def _add_doctor(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--idle", type=_positive, metavar="SECONDS", help="how long to leave the line idle"
    )


def _positive(text: str) -> float:
    with contextlib.suppress(ValueError):
        if 0 < float(text) < math.inf:
            return float(text)
    raise argparse.ArgumentTypeError(f"{text} is not a number above 0")


def _from_1(text: str) -> int:
    with contextlib.suppress(ValueError):
        if int(text) >= 1:
            return int(text)
    raise argparse.ArgumentTypeError(f"{text} is not a whole number from 1 up")


def _add_nothing(parser: argparse.ArgumentParser) -> None:
    pass


COMMANDS = {
    "play": ("sit down and play", _add_play),
    "watch": ("watch a game", _add_watch),
    "lobby": ("who wants to play, what is being played", _add_lobby),
    "replay": ("step through a recorded game", _add_replay),
    "record": ("write a game as a file", _add_record),
    "games": ("what can be played", _add_nothing),
    "rules": ("how a game is played", _add_game),
    "leaders": ("the best players of a game", _add_game),
    "history": ("the matches you have played", _add_history),
    "whoami": ("which player you are", _add_nothing),
    "doctor": ("can the hall be reached, and how well", _add_doctor),
}


class _Version(argparse.Action):
    def __init__(self, **options: Any) -> None:
        super().__init__(nargs=0, default=argparse.SUPPRESS, **options)

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib.metadata import version

        parser._print_message(f"towerhall {version('towerhall')}\n", sys.stdout)
        parser.exit()
