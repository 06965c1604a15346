"""What a match allows just now. Each raises the refusal that its asker is told."""

from towerhall_server.games import Seat
from towerhall_server.match import refusal
from towerhall_server.match.state import Match

CLAIM_AFTER_MS = 60_000
CLAIM_UNTIMED_AFTER_MS = 86_400_000


def seat_asking(match: Match, player_id: str) -> Seat:
    seat = match.seat_of(player_id)
    if seat is None:
        raise refusal.not_seated()
    return seat


def check_is_on(match: Match, round_: int) -> None:
    """The round is the room's current one, and has not ended; it may have to wait for a player."""
    if round_ != match.round:
        raise refusal.stale_round(match.round)
    if is_closed(match):
        raise refusal.closed()
    if match.result and not match.running:
        raise refusal.game_over(match.result.text)


def check_may_abort(match: Match) -> None:
    if not may_abort(match):
        raise refusal.not_allowed(
            "A match can be aborted only in its first round, before both players have moved."
        )


def may_abort(match: Match) -> bool:
    moved = {entry.seat for entry in match.position.moves if not entry.forced}
    return not match.played and len(moved) < 2


def check_may_claim(match: Match, away_since_ms: int | None, now: int) -> None:
    needed = CLAIM_AFTER_MS if match.settings.clock else CLAIM_UNTIMED_AFTER_MS
    wait = needed if away_since_ms is None else away_since_ms + needed - now
    if wait > 0:
        raise refusal.too_early_to_claim(needed, wait)


def is_closed(match: Match) -> bool:
    return match.status == "over" and match.result is None
