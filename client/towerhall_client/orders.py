"""What can be typed in a room besides a move: orders, which begin with a slash."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from towerhall_client.exits import Refused
from towerhall_client.sitting import Sitting
from towerhall_protocol.errors import ErrorCode


class Leave(Exception):
    """The person here wants to go."""


@dataclass(frozen=True)
class Order:
    name: str
    help: str
    carry_out: Callable[[Sitting, str], Awaitable[None]]
    watchers: bool = False
    """Whether somebody without a seat can give it."""


async def obey(sitting: Sitting, line: str) -> None:
    """Raises Refused, also where there is no such order; or Leave."""
    name, _, rest = line.removeprefix("/").strip().partition(" ")
    order = next((order for order in ORDERS if order.name == name.lower()), None)
    if order is None:
        known = " ".join(f"/{order.name}" for order in orders_for(sitting))
        raise _refused(f"There is no order /{name}. There are {known}.")
    if sitting.seating.watching and not order.watchers:
        raise _refused(f"/{order.name} is for players; you are watching.")
    await order.carry_out(sitting, rest.strip())


def _refused(sentence: str) -> Refused:
    return Refused.here(ErrorCode.NOT_ALLOWED, sentence)


def orders_for(sitting: Sitting) -> list[Order]:
    watching = sitting.seating.watching
    return [order for order in ORDERS if order.watchers or not watching]


async def _say(sitting: Sitting, text: str) -> None:
    if not text:
        raise _refused("Say what? /say and a text.")
    await sitting.say(text)


async def _rules(sitting: Sitting, _: str) -> None:
    game = sitting.game
    sitting.sheet = [game.title, game.rules] if game else ["The hall has no rules of this game."]


async def _help(sitting: Sitting, _: str) -> None:
    how = "Type a move as the rules write it, and Enter. Tab completes."
    talk = "Type what you want to say, and Enter."
    sitting.sheet = [talk if sitting.seating.watching else how]
    sitting.sheet += [f"/{order.name:<8} {order.help}" for order in orders_for(sitting)]


async def _quit(sitting: Sitting, _: str) -> None:
    raise Leave


ORDERS = (
    Order("say", "TEXT: say something to everybody in the room", _say, watchers=True),
    Order("rules", "the rules of this game", _rules, watchers=True),
    Order("resign", "give this game up", lambda sitting, _: sitting.resign()),
    Order("abort", "call the match off, before both have moved", lambda s, _: s.abort()),
    Order("claim", "win against somebody who has left", lambda s, _: s.claim()),
    Order("rematch", "another match, if the other one wants it too", lambda s, _: s.rematch()),
    Order("help", "what can be typed here", _help, watchers=True),
    Order("quit", "leave; the game goes on, and one can come back", _quit, watchers=True),
)
