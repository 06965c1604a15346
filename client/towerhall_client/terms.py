"""What a match is played on: preset, options, clock, length, and whether it counts. Pure."""

from towerhall_client.clockface import control
from towerhall_protocol.replies import Room
from towerhall_protocol.rooms import GameInfo


def special_options(room: Room, game: GameInfo | None) -> tuple[str, ...]:
    """The options that are not as the preset has them."""
    if game is None:
        return ()
    usual = {option.name: option.default for option in game.options}
    for preset in game.presets:
        if preset.name == room.preset:
            usual |= preset.options
    return tuple(
        f"{name}={str(value).lower()}"
        for name, value in room.options.items()
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
