"""Times as people read them."""

from towerhall_protocol.rooms import Clock, Clocks


def face(ms: int) -> str:
    """2:51, 1:02:03, and tenths when they begin to matter: 9.4."""
    if 0 < ms < 10_000:
        return f"{ms / 1000:.1f}"
    seconds = max(0, ms) // 1000
    hours, minutes = divmod(seconds // 60, 60)
    clock = f"{minutes:02}:{seconds % 60:02}" if hours else f"{minutes}:{seconds % 60:02}"
    return f"{hours}:{clock}" if hours else clock


def remaining_ms(clocks: Clocks, seat: int, now_ms: int) -> int:
    left = clocks.remaining_ms[seat]
    if clocks.running == seat:
        left -= max(0, now_ms - clocks.at_ms)
    return max(0, left)


def duration(ms: int) -> str:
    """For waiting: 45 s, 3 min, 5 h."""
    seconds = max(0, round(ms / 1000))
    if seconds < 100:
        return f"{seconds} s"
    if seconds < 6_000:
        return f"{round(seconds / 60)} min"
    return f"{round(seconds / 3600)} h" if seconds < 172_800 else f"{seconds // 86_400} days"


def control(clock: Clock | None) -> str:
    """A time control: 3+2 is three minutes, and two seconds more for each move."""
    if clock is None:
        return "no clock"
    minutes = f"{clock.initial_ms / 60_000:.2f}".rstrip("0").rstrip(".")
    return f"{minutes}+{clock.increment_ms / 1000:g}"
