"""What is known of a room: a snapshot, and what each event makes of it. Pure.

A `Table` is a value; `after` gives the next one. What happened is kept in lines for people.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from msgspec import structs

from towerhall_client.meanwhile import begins, meanwhile, so_far
from towerhall_client.naming import Names, named, names_of
from towerhall_protocol.events import (
    Closed,
    Finished,
    Moved,
    Rated,
    RematchAsked,
    Said,
    Seated,
    Started,
    UnknownEvent,
)
from towerhall_protocol.replies import Paired, Presence, Room
from towerhall_protocol.rooms import Clocks, MoveMade, Result, Seat

LINES_KEPT = 200


@dataclass(frozen=True)
class Line:
    """One line of what happened. `kind` is move, chat, game (starts, ends), note or alert."""

    kind: str
    text: str


@dataclass(frozen=True)
class Table:
    room: Room
    next_ms: int | None = None
    """When the next round starts, if one is to come."""
    closed: str = ""
    lines: tuple[Line, ...] = ()
    told_ever: int = 0
    """How many lines there have been, the forgotten ones included."""

    @property
    def names(self) -> Names:
        return names_of(self.room.seats)

    @property
    def over(self) -> bool:
        return self.room.status == "over"

    def told(self, kind: str, text: str) -> "Table":
        lines = (*self.lines, Line(kind, text))[-LINES_KEPT:]
        return replace(self, lines=lines, told_ever=self.told_ever + 1)

    def after(self, news: object) -> "Table":
        """The table after a message of this room; any other message changes nothing."""
        change = _CHANGES.get(type(news))
        return change(self, news) if change else self

    def _found(self, room: Room) -> "Table":
        """A snapshot replaces all that was known; what it shows to have happened is told."""
        # A snapshot does not say when the next round starts: what was said after this one holds.
        same_pause = room.turn is None and room.round == self.room.round
        table = replace(self, room=room, next_ms=self.next_ms if same_pause else None)
        for kind, text in meanwhile(self.room, room):
            table = table.told(kind, text)
        if room.status == "over" and self.room.status != "over" and match_sentence(table):
            table = table.told("game", match_sentence(table))
        return table

    def _said(self, news: Said) -> "Table":
        who = self.names[news.seat] if news.seat is not None else f"{news.name} (watching)"
        return self._with(news.seq).told("chat", f"{who}: {news.text}")

    def _closed(self, news: Closed) -> "Table":
        table = replace(self._with(news.seq, status="over", turn=None), closed=news.reason)
        return table.told("game", f"The room was closed: {news.reason}.")

    def gone(self) -> "Table":
        """The hall does not know the room any more: nothing will ever happen in it."""
        table = self._with(self.room.seq, status="over", turn=None, clocks=None)
        return replace(table, closed="the hall keeps it no longer")

    def _with(self, seq: int, **changes: object) -> "Table":
        return replace(self, room=structs.replace(self.room, seq=seq, **changes))

    def _present(self, news: Presence) -> "Table":
        seats = tuple(
            structs.replace(seat, online=now.online, away_since_ms=now.away_since_ms)
            if seat and now
            else seat
            for seat, now in zip(self.room.seats, news.seats, strict=True)
        )
        table = self._with(self.room.seq, seats=seats, watchers=news.watchers)
        for number, (before, now) in enumerate(zip(self.room.seats, news.seats, strict=True)):
            if before and now and before.online != now.online and number != self.room.you:
                state = "is back" if now.online else "is away"
                table = table.told("note", f"{self.names[number]} {state}.")
        return table

    def _seated(self, news: Seated) -> "Table":
        seats = list(self.room.seats)
        seats[news.seat] = Seat(
            player=news.player, name=news.name, online=True, away_since_ms=None, rating=news.rating
        )
        table = self._with(news.seq, seats=tuple(seats))
        return table.told("game", f"{news.name} sits down as Player {news.seat + 1}.")

    def _started(self, news: Started) -> "Table":
        again = news.match != self.room.match
        table = self._with(
            news.seq,
            match=news.match,
            round=news.round,
            first=news.first,
            view=news.view,
            legal=news.legal,
            turn=news.turn,
            clocks=news.clocks,
            status="live",
            ply=0,
            moves=[],
            rematch=(False, False),
            score=(0, 0) if again else self.room.score,
            match_winner=None,
        )
        sentence = begins(news.round, self.names[news.first])
        return replace(table, next_ms=None).told("game", sentence)

    def _moved(self, news: Moved) -> "Table":
        made = MoveMade(ply=news.ply, seat=news.seat, move=news.move, forced=news.forced)
        table = self._with(
            news.seq,
            ply=news.ply + 1,
            moves=[*self.room.moves, made],
            view=news.view,
            legal=news.legal,
            turn=news.turn,
            clocks=news.clocks,
        )
        return table.told("move", named(news.text, self.names))

    def _finished(self, news: Finished) -> "Table":
        table = self._with(
            news.seq,
            turn=None,
            legal=None if self.room.legal is None else [],
            view=structs.replace(self.room.view, prompt=""),
            score=news.score,
            result=Result(winner=news.winner, reason=news.reason, text=news.text),
            status="over" if news.match_over else "live",
            match_winner=news.match_winner,
            clocks=_stopped(self.room.clocks, news.at_ms),
        )
        table = replace(table, next_ms=news.next_ms).told("game", named(news.text, self.names))
        sentence = match_sentence(table)
        return table.told("game", sentence) if sentence else table

    def _rated(self, news: Rated) -> "Table":
        table = self._with(news.seq)
        for seat, (before, after) in enumerate(zip(news.before, news.after, strict=True)):
            change = after.value - before.value
            text = f"{self.names[seat]} is rated {after.value} now ({change:+})."
            table = table.told("game", text)
        seats = tuple(
            structs.replace(seat, rating=after) if seat else None
            for seat, after in zip(self.room.seats, news.after, strict=True)
        )
        return table._with(news.seq, seats=seats)

    def _rematch(self, news: RematchAsked) -> "Table":
        one, two = self.room.rematch
        asked = (one or news.seat == 0, two or news.seat == 1)
        table = self._with(news.seq, rematch=asked)
        return table.told("game", f"{self.names[news.seat]} asks for a rematch.")


_CHANGES: dict[type, Callable[[Table, Any], Table]] = {
    Room: Table._found,
    Paired: lambda table, news: table._found(news.snapshot),
    Presence: Table._present,
    Seated: Table._seated,
    Started: Table._started,
    Moved: Table._moved,
    Finished: Table._finished,
    Rated: Table._rated,
    RematchAsked: Table._rematch,
    Said: Table._said,
    Closed: Table._closed,
    UnknownEvent: lambda table, news: table._with(news.seq),
}


def introduced(room: Room) -> Table:
    """The table as one finds it, with what was played before one came."""
    table = Table(room)
    if room.moves:
        return table.told("note", so_far(room.moves))
    if room.status == "live":
        return table.told("game", begins(room.round, table.names[room.first]))
    return table


def match_sentence(table: Table) -> str:
    """Who won a match of several games, once it is over; nothing where nobody could."""
    room = table.room
    called_off = room.result is not None and room.result.reason == "aborted"
    if room.status != "over" or room.rounds == 1 or called_off:
        return ""
    if room.match_winner is None:
        return f"The match is drawn, {room.score[0]} to {room.score[1]}."
    won, lost = room.score[room.match_winner], room.score[1 - room.match_winner]
    return f"{table.names[room.match_winner]} wins the match, {won} to {lost}."


def _stopped(clocks: Clocks | None, at_ms: int) -> Clocks | None:
    """The clocks as they are when the running one is stopped at that moment."""
    if clocks is None or clocks.running is None:
        return clocks
    left = list(clocks.remaining_ms)
    left[clocks.running] = max(0, left[clocks.running] - (at_ms - clocks.at_ms))
    return Clocks(remaining_ms=(left[0], left[1]), running=None, at_ms=at_ms)
