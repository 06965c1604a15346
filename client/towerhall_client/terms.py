"""What a match is played on: preset, options, clock, length, and whether it counts. Pure."""

from collections.abc import Iterable
from typing import Protocol

from towerhall_client.clockface import control
from towerhall_protocol.replies import Room
from towerhall_protocol.rooms import GameInfo, Options


class Agreed(Protocol):
    """A room, open or on, or a seek."""

    @property
    def game(self) -> str: ...
    @property
    def preset(self) -> str: ...
    @property
    def options(self) -> Options: ...


def special_options(agreed: Agreed, games: Iterable[GameInfo]) -> tuple[str, ...]:
    """The options that are not as the preset has them; none in a game that nobody knows."""
    game = next((game for game in games if game.id == agreed.game), None)
    if game is None:
        return ()
    usual = {option.name: option.default for option in game.options}
    for preset in game.presets:
        if preset.name == agreed.preset:
            usual |= preset.options
    return tuple(
        f"{name}={str(value).lower()}"
        for name, value in agreed.options.items()
        if usual.get(name) != value
    )


def terms_of(room: Room) -> list[str]:
    terms = [room.preset] if room.preset and room.preset != "classic" else []
    terms.append(control(room.clock))
    if room.rounds > 1:
        terms.append(f"match of {room.rounds}")
    if room.rated:
        terms.append("rated")
    return terms
