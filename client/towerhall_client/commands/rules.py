"""`towerhall rules GAME`: how a game is played, and what can be set."""

import shutil

from towerhall_client.exits import ExitCode
from towerhall_client.ink import wrapped
from towerhall_client.visit import Visit, find_game
from towerhall_protocol.rooms import OptionInfo, PresetInfo

WIDEST = 80


async def run(visit: Visit) -> ExitCode:
    connection = await visit.connect()
    game = find_game(connection.welcome.games, visit.args.game)
    out = visit.output
    if out.json:
        out.object(game)
        return ExitCode.DONE
    width = min(WIDEST, shutil.get_terminal_size().columns)
    out.line(game.title)
    out.line()
    for line in wrapped(game.rules, width):
        out.line(line)
    out.line()
    out.table(["option", "default", "values", "meaning"], [_option(o) for o in game.options])
    out.line()
    out.table(["preset", "rated", "options"], [_preset(p) for p in game.presets])
    return ExitCode.DONE


def _option(option: OptionInfo) -> list[str]:
    values = f"{option.range[0]} to {option.range[1]}" if option.range else "true, false"
    return [option.name, _value(option.default), values, option.help]


def _preset(preset: PresetInfo) -> list[str]:
    options = " ".join(f"{name}={_value(value)}" for name, value in preset.options.items())
    return [preset.name, "yes" if preset.rated else "no", options or "the defaults"]


def _value(value: int | bool) -> str:
    return str(value).lower()
