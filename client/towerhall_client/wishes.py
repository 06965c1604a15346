"""What a person wants to play, from the words of a command line."""

import re
from argparse import Namespace
from collections.abc import Iterable
from typing import Any

from msgspec import UNSET, UnsetType

from towerhall_client.exits import Usage
from towerhall_protocol.requests import ClockAsked

_CLOCK = re.compile(r"(\d{1,6}(?:\.\d{1,6})?)(?:\+(\d{1,6}))?")
_OPTION = re.compile(r"([a-z_]+)=(.+)")
_WORDS: dict[str, bool] = {"true": True, "yes": True, "on": True} | {
    "false": False,
    "no": False,
    "off": False,
}


def read_clock(text: str | None) -> ClockAsked | UnsetType | None:
    """`3+2` is three minutes and two seconds a move, `none` no clock; nothing is the usual one."""
    if text is None:
        return UNSET
    if text.lower() in ("none", "no", "-"):
        return None
    found = _CLOCK.fullmatch(text)
    if not found:
        raise Usage(f"{text} is not a clock: write minutes+seconds, such as 3+2, or none.")
    initial, increment = round(float(found[1]) * 60_000), 1000 * int(found[2] or 0)
    if not 1_000 <= initial <= 10_800_000 or increment > 60_000:
        raise Usage("A clock has 1 second to 180 minutes, and at most 60 seconds a move.")
    return ClockAsked(initial_ms=initial, increment_ms=increment)


def read_options(texts: Iterable[str]) -> dict[str, int | bool]:
    options: dict[str, int | bool] = {}
    for text in texts:
        found = _OPTION.fullmatch(text)
        if not found:
            raise Usage(f"{text} is not an option: write name=value, such as tiles=7.")
        name, value = found[1], found[2].lower()
        if value in _WORDS:
            options[name] = _WORDS[value]
        elif re.fullmatch(r"-?\d{1,15}", value):
            options[name] = int(value)
        else:
            raise Usage(f"{text}: a value is a whole number, true or false.")
    return options


def wishes(args: Namespace) -> dict[str, Any]:
    """The fields that `create` and `seek` have in common; what was not said is left out."""
    fields: dict[str, Any] = {"clock": read_clock(args.clock), "options": read_options(args.option)}
    if args.preset is not None:
        fields["preset"] = args.preset
    if args.rounds is not None:
        if not 1 <= args.rounds <= 16:
            raise Usage("A match has 1 to 16 rounds.")
        fields["rounds"] = args.rounds
    if args.rated is not None:
        fields["rated"] = args.rated
    return fields


def check_together(args: Namespace, *, game: bool, room: bool) -> None:
    """Whether what was asked for goes together: nothing is left out without a word."""
    if room:
        if args.new:
            raise Usage("--new opens a room, a code leads to one that is there: give one of them.")
        if terms := _given(args, "clock", "rounds", "preset", "option", "first", "listed", "rated"):
            raise Usage(f"{terms}: a room that is there has its terms already.")
    if args.hotseat and args.rated:
        raise Usage("A hotseat cannot be rated: one person there decides who wins.")
    if args.hotseat and args.listed:
        raise Usage("--listed shows a room that waits for somebody; in a hotseat both are there.")
    seeking = game and not room and not args.new and not args.hotseat
    if seeking and (terms := _given(args, "first", "listed")):
        raise Usage(f"{terms}: this is for a room of yours, so add --new.")


def _given(args: Namespace, *names: str) -> str:
    """Those options of these that were given, as they are typed."""
    words = []
    for name in names:
        value = getattr(args, name)
        if value not in (None, False, []) or (name == "rated" and value is False):
            words.append("--unrated" if value is False else f"--{name}")
    return " ".join(words)
