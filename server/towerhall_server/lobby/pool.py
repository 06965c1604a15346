"""What players look for. Equal seeks wait in one pool, whose name says all of it.

Pure. Seeks are compared by what they come to: a preset is only a name for options.
"""

from typing import Any

import msgspec

from towerhall_protocol.limits import DEFAULT_PRESET
from towerhall_protocol.lobby import Seek, SeekCount
from towerhall_server.games import Game, Options
from towerhall_server.match.clock import Clock
from towerhall_server.match.state import Settings

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Settings)


def sought(
    rules: Game[Any], options: Options, clock: Clock | None, rounds: int, rated: bool
) -> Settings:
    """The settings of the room that such a seek leads to; strangers play where all may watch."""
    return Settings(
        game=rules.id,
        preset=preset_of(rules, options),
        options=options,
        clock=clock,
        rounds=rounds,
        listed=True,
        rated=rated,
    )


def preset_of(rules: Game[Any], options: Options) -> str:
    """The preset that has these options; the usual one's name where there is none."""
    names = (preset.name for preset in rules.presets)
    return next((name for name in names if rules.resolve({}, name) == options), DEFAULT_PRESET)


def name_of(settings: Settings) -> str:
    return _encoder.encode(settings).decode()


def settings_of(name: str) -> Settings:
    return _decoder.decode(name)


def seek_of(settings: Settings, since_ms: int) -> Seek:
    return Seek(**_shown(settings), since_ms=since_ms)


def count_of(settings: Settings, count: int) -> SeekCount:
    return SeekCount(**_shown(settings), count=count)


def _shown(settings: Settings) -> dict[str, Any]:
    return {
        "game": settings.game,
        "preset": settings.preset,
        "options": dict(settings.options),
        "clock": settings.clock,
        "rounds": settings.rounds,
        "rated": settings.rated,
    }
