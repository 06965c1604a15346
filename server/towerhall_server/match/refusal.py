"""What a match refuses, with the wire's code and a sentence for a person."""

from typing import Any


class Refused(Exception):
    """`data` is what the error carries besides: the current ply, the time to wait."""

    def __init__(self, code: str, sentence: str, **data: Any) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.data = data


def no_such_room() -> Refused:
    # One answer for unknown and private: a guess learns nothing.
    return Refused("no_such_room", "There is no such room.")


def not_seated() -> Refused:
    return Refused("not_seated", "You have no seat in this room.")


def room_full() -> Refused:
    return Refused("room_full", "Both seats of this room are taken; you can watch.")


def game_over(text: str) -> Refused:
    return Refused("game_over", text)


def closed() -> Refused:
    return game_over("This room is closed.")


def stale_round(current: int) -> Refused:
    return Refused("stale_round", f"The room is at round {current} now.", round=current)


def stale_ply(current: int) -> Refused:
    made = "1 move has been made" if current == 1 else f"{current} moves have been made"
    return Refused("stale_ply", f"{made}: the next ply is {current}.", ply=current)


def not_your_turn(sentence: str = "It is your opponent's turn.") -> Refused:
    return Refused("not_your_turn", sentence)


def not_allowed(sentence: str, **data: Any) -> Refused:
    return Refused("not_allowed", sentence, **data)


def too_early_to_claim(needed_ms: int, wait_ms: int) -> Refused:
    sentence = f"You can claim the win when your opponent has been away for {span(needed_ms)}"
    more = "" if wait_ms == needed_ms else f": {span(wait_ms)} more"
    return not_allowed(f"{sentence}{more}.", wait_ms=wait_ms)


def span(ms: int) -> str:
    """Rounded up to whole seconds; to hours or days where they would be many."""
    seconds = -(-ms // 1000)
    if seconds < 7200:
        return f"{seconds} s"
    hours = -(-seconds // 3600)
    return f"{hours} h" if hours < 72 else f"{-(-hours // 24)} days"
