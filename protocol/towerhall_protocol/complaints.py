"""msgspec's complaints, as sentences for people.

msgspec says "Expected `int` <= 16 - at `$.rounds`", and puts what the client sent into some of its
texts. A sentence made here repeats none of that: field names are ours or harmless.
"""

import re

_PLACE = re.compile(r"(?s)(.*?)(?: - at (`key` in )?`\$\.?([a-z_.]{0,64})(\[[.\d]+\])?`)?")
_OURS = re.compile(r"`([a-z_]+)` [^`]*")
_MISSING = re.compile(r"Object missing required field `([a-z_]+)`")
_UNKNOWN = re.compile(r"Object contains unknown field `([a-z_]{1,32})`")
_BOUND = re.compile(r"Expected `(\w+)`( of length)? ([<>]=) (-?\d+)")
_KIND = re.compile(r"Expected `([a-z |]+)`(?:, got .*)?")
_PLAIN = re.compile(r"[a-z_]{1,32}")

_WORDS = {
    "int": "a whole number",
    "str": "text",
    "bool": "true or false",
    "object": "a map",
    "array": "a list",
    "null": "null",
}


def complaint(text: str) -> tuple[str | None, str]:
    """The field that a complaint of msgspec's is about, if it can be named, and a sentence."""
    if _OURS.fullmatch(text):
        return text.split("`")[1], text
    place = _PLACE.fullmatch(text)
    what, in_key, where, in_item = place.groups() if place else (text, None, None, None)
    if found := _MISSING.fullmatch(what):
        field = _within(where, found[1])
        return field, f"`{field}` is missing."
    if found := _UNKNOWN.fullmatch(what):
        field = _within(where, found[1])
        return field, f"`{field}` is not a field of this message."
    if what.startswith("Object contains unknown field"):
        return None, "There is a field that this message does not have."
    if not where:
        return None, "This message cannot be read."
    subject = "A key of " if in_key else "Each entry of " if in_item else ""
    return where, f"{subject}`{where}` {_demand(what)}"


def repetition(key: str) -> tuple[str | None, str]:
    """The same for a key that a map has twice."""
    if _PLAIN.fullmatch(key):
        return key, f"`{key}` is given twice."
    return None, "There is a key that is given twice."


def _within(where: str | None, field: str) -> str:
    return f"{where}.{field}" if where else field


def _demand(what: str) -> str:
    if found := _BOUND.fullmatch(what):
        kind, length, sign, number = found.groups()
        unit = "" if not length else " entries" if kind != "str" else " characters"
        verb = "have" if length else "be"
        bound = "most" if sign == "<=" else "least"
        return f"must {verb} at {bound} {number}{unit}.".replace(" 1 characters", " 1 character")
    if found := _KIND.fullmatch(what):
        return f"must be {' or '.join(_WORDS.get(kind, kind) for kind in found[1].split(' | '))}."
    if what.startswith("Number out of range"):
        return "is a number out of range."
    return "has a value that is not known."
