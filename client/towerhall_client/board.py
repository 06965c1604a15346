"""What is on the table: towers, and beside or below them what is left to play with. Pure."""

from towerhall_client.ink import Row, beside, text_of
from towerhall_client.naming import Names, named
from towerhall_client.supplies import draw_supplies
from towerhall_client.towers import draw_towers, tail_of, widest
from towerhall_protocol.rooms import View

NARROWEST_SIDE = 26
GAP = 3
LOW = 8
WIDE = 10_000


def draw_board(view: View, names: Names, width: int, height: int) -> list[Row]:
    towers_width = widest(view.stacks, names)
    aside = bool(view.supplies or view.notes)
    side = width - towers_width - GAP
    if aside and side >= NARROWEST_SIDE:
        towers = draw_towers(view.stacks, names, towers_width, height)
        supplies = draw_supplies(view, names, side, height)
        air: list[Row] = [[] for _ in range(abs(len(towers) - len(supplies)))]
        if len(towers) < len(supplies):
            towers = air + towers
        else:
            supplies = air + supplies
        return beside(towers, supplies, towers_width, GAP)
    # Where towers are too low to be drawn they are lines, and leave the rest to what is below them.
    share = height - len(view.stacks) if height < LOW else 0
    below = draw_supplies(view, names, width, max(0, height // 3, share)) if aside else []
    return [*draw_towers(view.stacks, names, width, height - len(below)), *below]


def board_lines(view: View, names: Names) -> list[str]:
    """The same in words: each stack from the bottom to its top, then what is left."""
    lines = []
    for stack in view.stacks:
        note = f" ({stack.note})" if stack.note else ""
        lines.append(f"{named(stack.label, names)}: {text_of(tail_of(stack.items, WIDE))}{note}")
    return lines + [text_of(row) for row in draw_supplies(view, names, WIDE, WIDE) if row]
