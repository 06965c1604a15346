"""Golden playthroughs: a whole game as a text that people can read, kept under golden/.

`make golden` writes them anew: it plays the moves of each file again, so that a change in
behaviour shows as a difference between two texts. A move that is refused stays in the text with
its refusal. When the moves run out before the game is over, and for a preset that has no file
yet, the rest is invented.
"""

import sys
from pathlib import Path
from random import Random
from typing import Any

from games.choices import choices
from towerhall_server.games import GAMES, Game, GameError, Preset, Seat, State, View, player

GOLDEN = Path(__file__).parent / "golden"
MOVE = "> "
FIRST = "first: "
SEATS: tuple[Seat, Seat] = (0, 1)

Registered = dict[str, tuple[Game[Any], Preset]]
REGISTERED: Registered = {
    f"{game.id}-{preset.name}": (game, preset) for game in GAMES for preset in game.presets
}


def subject(name: str) -> tuple[Game[Any], Preset] | None:
    """What a file is about: `duel-classic`, or `duel-classic-` and anything."""
    for registered, found in REGISTERED.items():
        if name == registered or name.startswith(f"{registered}-"):
            return found
    return None


def playthrough(name: str, old: str) -> str:
    """The text for the file of this name, with the first seat and the moves of its old text."""
    found = subject(name)
    if found is None:
        raise ValueError(f"{name} is of no game and preset that exist")
    game, preset = found
    rng = Random(name)
    first = _first(old, rng)
    options = game.resolve({}, preset.name)
    state = game.start(options, first)
    settings = " ".join(f"{option}={value}" for option, value in options.items())
    lines = [game.title, f"preset: {preset.name}", f"options: {settings}"]
    lines += [f"{FIRST}{player(first)}", *_position(game, state)]
    moves = [line.removeprefix(MOVE) for line in old.splitlines() if line.startswith(MOVE)]
    while not game.outcome(state):
        move = moves.pop(0) if moves else rng.choice(choices(game, state))
        lines.append(MOVE + move)
        try:
            after = game.play(state, move)
        except GameError as refusal:
            lines.append(f"refused: {refusal}")
            continue
        new = game.moves(after)[len(game.moves(state)) :]
        lines += [game.describe(entry) for entry in new]
        state = after
        lines += _position(game, state)
    return "\n".join(lines) + "\n"


def _first(old: str, rng: Random) -> Seat:
    for seat in SEATS:
        if f"{FIRST}{player(seat)}" in old.splitlines():
            return seat
    return rng.choice(SEATS)


def _position(game: Game[Any], state: State) -> list[str]:
    """A blank line, whose turn it is, the scene, and what may be played; or the end."""
    ply, turn, outcome = len(game.moves(state)), game.to_move(state), game.outcome(state)
    view = game.view(state)
    if outcome:
        won = f"{player(outcome.winner)} wins by {outcome.reason}"
        return ["", f"over after {ply} plies: {won}", *_scene(view), outcome.text]
    assert turn is not None
    legal = game.legal_moves(state)
    listed = "not listed" if legal is None else " ".join(legal)
    head = f"ply {ply}: {player(turn)} to move"
    return ["", head, *_scene(view), view["prompt"], f"legal: {listed}"]


def _scene(view: View) -> list[str]:
    lines = []
    for stack in view["stacks"]:
        note = f" ({stack['note']})" if stack["note"] else ""
        lines.append(f"  {stack['label']}{note}: {_row(stack['items'])}")
    for supply in view["supplies"]:
        counted = [
            str(item["value"]) if item["count"] == 1 else f"{item['count']}×{item['value']}"
            for item in supply["items"]
        ]
        lines.append(f"  {supply['label']}: {_row(counted)}")
    return [*lines, *(f"  {note}" for note in view["notes"])]


def _row(things: list[Any]) -> str:
    return " ".join(str(thing) for thing in things) or "none"


def regenerate(folder: Path) -> list[str]:
    """Write every playthrough anew, and the missing ones for the first time; their names."""
    folder.mkdir(exist_ok=True)
    kept = [path.stem for path in folder.glob("*.txt") if subject(path.stem)]
    names = sorted({*kept, *REGISTERED})
    for name in names:
        path = folder / f"{name}.txt"
        old = path.read_text("utf-8") if path.exists() else ""
        path.write_text(playthrough(name, old), "utf-8")
    return names


if __name__ == "__main__":
    sys.stdout.write("".join(f"golden/{name}.txt\n" for name in regenerate(GOLDEN)))
