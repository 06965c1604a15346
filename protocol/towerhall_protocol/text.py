"""Text that people type and read: names, chat, room codes."""

import re
import unicodedata

_NAME = re.compile(r"[A-Za-z0-9_-]{2,20}", re.ASCII)
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# Letters and marks by category, yet nothing is drawn for them: fillers, joiners, blanks.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")

_CODE_LENGTH = 6
_CROCKFORD = frozenset("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
_LOOKS_LIKE = str.maketrans("OIL", "011")


def is_name(text: str) -> bool:
    return _NAME.fullmatch(text) is not None


def is_printable(text: str) -> bool:
    """Whether a terminal shows every character and obeys none.

    By category: controls (C0 and C1), format (bidi marks, zero-width), surrogates, private use,
    unassigned, line and paragraph separators.
    """
    return (text.isascii() and text.isprintable()) or not any(_is_hidden(c) for c in text)


def is_blank(text: str) -> bool:
    """Whether nothing of it leaves ink: spaces, and marks without a letter to sit on."""
    return all(unicodedata.category(c)[0] in "ZM" for c in text)


def _is_hidden(character: str) -> bool:
    return unicodedata.category(character) in _HIDDEN or character in _BLANK


def read_code(text: str) -> str | None:
    """The six characters of a room code however it was typed, or None if it is none.

    Crockford's alphabet has no O, I and L: typed, they are taken for the digits they resemble.
    """
    if len(text) not in (_CODE_LENGTH, _CODE_LENGTH + 1) or not text.isascii():
        return None
    if len(text) > _CODE_LENGTH:
        head, dash, tail = text.partition("-")
        if not dash or len(head) != _CODE_LENGTH // 2:
            return None
        text = head + tail
    code = text.upper().translate(_LOOKS_LIKE)
    return code if _CROCKFORD.issuperset(code) else None


def show_code(code: str) -> str:
    """K7Q2MX as people see it: K7Q-2MX."""
    return f"{code[:3]}-{code[3:]}"
