"""The lobby as a list of things one can go for: rooms to join, opponents, games to watch. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from towerhall_client.clockface import control
from towerhall_client.ink import Row, cut_row, pad, width_of
from towerhall_client.terms import special_options
from towerhall_protocol.lobby import LiveRoom, OpenRoom, SeekCount
from towerhall_protocol.replies import LobbyState
from towerhall_protocol.rooms import GameInfo, Rating
from towerhall_protocol.text import show_code


@dataclass(frozen=True)
class Entry:
    """`deed` is join, seek or watch; `thing` what it is done to; `cells` what is shown."""

    deed: str
    thing: OpenRoom | SeekCount | LiveRoom
    cells: tuple[str, ...]

    @property
    def key(self) -> str:
        if isinstance(self.thing, SeekCount):
            seek = self.thing
            return f"{seek.game} {seek.options} {seek.clock} {seek.rounds} {seek.rated}"
        return self.thing.room


HEADINGS = ("", "game", "terms", "who", "state")


def entries_of(lobby: LobbyState, games: Sequence[GameInfo] = ()) -> list[Entry]:
    """`games` tells which options are special."""
    entries = [Entry("join", room, _open(room, games)) for room in lobby.open]
    entries += [Entry("seek", seek, _seek(seek, games)) for seek in lobby.seeks]
    entries += [Entry("watch", room, _live(room, lobby.featured)) for room in lobby.live]
    return entries


def headline(lobby: LobbyState) -> str:
    online = "1 player" if lobby.online == 1 else f"{lobby.online} players"
    return f"The lobby · {online} online · {len(lobby.open)} open · {len(lobby.live)} playing"


def draw_list(lobby: LobbyState, entries: list[Entry], at: int, size: tuple[int, int]) -> list[Row]:
    width, height = size
    rows: list[Row] = [[("title", headline(lobby))], [("rule", "─" * (width - 2))]]
    if not entries:
        rows += [[], [("note", "Nobody is here yet. Open a room: towerhall play GAME --new")]]
    widths = [max((width_of(e.cells[n]) for e in entries), default=0) for n in range(len(HEADINGS))]
    room = max(1, height - len(rows) - 1)
    start = max(0, min(at - room // 2, len(entries) - room))
    for number, entry in enumerate(entries[start : start + room], start):
        cells = (pad(cell, wide) for cell, wide in zip(entry.cells, widths, strict=True))
        rows.append([("top" if number == at else "", "  ".join(cells).rstrip())])
    return [cut_row([("", " "), *row], width) for row in rows]


def _open(room: OpenRoom, games: Sequence[GameInfo]) -> tuple[str, ...]:
    terms = _terms(room, special_options(room, games))
    return ("join", room.game, terms, room.by + _rating(room.rating), show_code(room.code))


def _seek(seek: SeekCount, games: Sequence[GameInfo]) -> tuple[str, ...]:
    who = "1 player" if seek.count == 1 else f"{seek.count} players"
    terms = _terms(seek, special_options(seek, games))
    return ("seek", seek.game, terms, who, "waiting")


def _live(room: LiveRoom, featured: str | None) -> tuple[str, ...]:
    one, two = (
        name + _rating(rating) for name, rating in zip(room.names, room.ratings, strict=True)
    )
    terms = _terms(room)
    state = [f"{room.score[0]}-{room.score[1]}"] * any(room.score)
    state += [f"move {room.ply}"]
    state += ["on TV"] * (room.room == featured)
    state += [f"{room.watchers} watching"] * bool(room.watchers)
    state += [show_code(room.code)]  # last: where it does not fit one chooses the row instead
    return ("watch", room.game, terms, f"{one} – {two}", ", ".join(state))


def _terms(of: OpenRoom | SeekCount | LiveRoom, special: Sequence[str] = ()) -> str:
    many = f"×{of.rounds}" if of.rounds > 1 else ""
    words = [of.preset, *special, control(of.clock), many, "rated" if of.rated else ""]
    return " ".join(word for word in words if word)


def _rating(rating: Rating | None) -> str:
    return f" {rating.value}" if rating else ""
