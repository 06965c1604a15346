"""Sentences about where a game stands: whose turn, who is away, what comes next. Pure."""

from dataclasses import dataclass

from towerhall_client.clockface import duration, face, remaining_ms
from towerhall_client.naming import named
from towerhall_client.table import Table, match_sentence

CLAIM_AFTER_MS = 60_000
CLAIM_UNTIMED_AFTER_MS = 86_400_000


@dataclass(frozen=True)
class Seating:
    """Which seats are played from here: one, both (hotseat), or none (watching)."""

    seats: tuple[int, ...] = ()

    @property
    def watching(self) -> bool:
        return not self.seats

    @property
    def both(self) -> bool:
        return len(self.seats) == 2

    def is_mine(self, seat: int | None) -> bool:
        return seat in self.seats

    def may_move(self, table: Table) -> bool:
        return table.room.status == "live" and self.is_mine(table.room.turn)


def turn_sentence(table: Table, seating: Seating) -> str:
    """Whose turn it is, or how it ended."""
    room = table.room
    if room.status == "open":
        return "Waiting for a second player."
    if table.closed:
        return f"The room was closed: {table.closed}."
    if room.turn is None:
        return _ended(table)
    if seating.is_mine(room.turn) and not seating.both:
        return "Your turn."
    return f"It is {table.names[room.turn]}'s turn."


def _ended(table: Table) -> str:
    room = table.room
    text = named(room.result.text, table.names) if room.result else ""
    return f"{text} {match_sentence(table)}".strip() or "This room is closed."


def next_sentence(table: Table, seating: Seating, now_ms: int) -> str:
    """What may be done when nobody is to move."""
    room = table.room
    if room.status == "live" and room.turn is None and table.next_ms is not None:
        return f"The next game starts in {duration(table.next_ms - now_ms)}."
    if room.status == "live" and room.turn is None:
        return "The next game starts in a few seconds."
    if room.status == "over" and (table.closed or seating.watching):
        return "/quit to leave."
    if room.status != "over":
        return ""
    if seating.both:
        return "/rematch to play again, /quit to leave."
    asked_by_other = room.rematch[1 - seating.seats[0]]
    if room.rematch[seating.seats[0]]:
        return f"You asked for a rematch; {table.names[1 - seating.seats[0]]} has not answered yet."
    if asked_by_other:
        return f"{table.names[1 - seating.seats[0]]} wants a rematch: /rematch to accept."
    return "/rematch to play again, /quit to leave."


def clocks_sentence(table: Table, now_ms: int) -> str:
    """What both have left; nothing without a clock."""
    if table.room.clocks is None:
        return ""
    one, two = (face(remaining_ms(table.room.clocks, seat, now_ms)) for seat in (0, 1))
    return f"Time left: {table.names[0]} {one}, {table.names[1]} {two}."


def away_sentence(table: Table, seating: Seating, now_ms: int) -> str:
    """How long the opponent has been away, and when one may claim the win."""
    if table.room.status != "live" or table.room.turn is None:
        return ""
    sentences = []
    for number, seat in enumerate(table.room.seats):
        if seat is None or seat.away_since_ms is None or seat.online or seating.is_mine(number):
            continue
        away = now_ms - seat.away_since_ms
        text = f"{table.names[number]} has been away for {duration(away)}"
        if not seating.watching:
            wait = (CLAIM_AFTER_MS if table.room.clock else CLAIM_UNTIMED_AFTER_MS) - away
            text += (
                f"; you may claim the win in {duration(wait)}: /claim"
                if wait > 0
                else "; you may claim the win: /claim"
            )
        sentences.append(text + ".")
    return " ".join(sentences)
