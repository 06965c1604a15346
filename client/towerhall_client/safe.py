"""Text from elsewhere, made harmless for a terminal.

Names, chat, titles, rules, error messages: whatever the hall sends may be hostile, or have come
from somebody who is. Everything that is printed or drawn passes `safe`.
"""

from towerhall_protocol.text import is_printable


def safe(text: str) -> str:
    """One line that a terminal shows and does not obey: what is hidden is spelled out, `\\x1b`."""
    if is_printable(text):
        return text
    return "".join(c if is_printable(c) else _spelled(c) for c in text)


def _spelled(character: str) -> str:
    point = ord(character)
    if point < 0x100:
        return f"\\x{point:02x}"
    return f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"
