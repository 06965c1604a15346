import pytest
from hypothesis import given
from hypothesis import strategies as st

from towerhall_protocol.text import is_name, is_printable, read_code, show_code


@pytest.mark.parametrize("name", ["ab", "guest-7f3a", "A_b-9", "x" * 20])
def test_a_name_has_2_to_20_letters_digits_and_dashes(name: str) -> None:
    assert is_name(name)


@pytest.mark.parametrize("name", ["", "a", "x" * 21, "a b", "ab\n", "éa", "аdа", "a\u200bb"])
def test_anything_else_is_no_name(name: str) -> None:
    assert not is_name(name)


@pytest.mark.parametrize("text", ["Hi!", "naïve", "日本語", "😀", "❤\ufe0f", "עברית", ""])
def test_text_of_any_language_can_be_shown(text: str) -> None:
    assert is_printable(text)


HIDDEN = {
    "escape": "\x1b[31m",
    "null": "\x00",
    "newline": "\n",
    "carriage return": "\r",
    "tab": "\t",
    "delete": "\x7f",
    "C1 control sequence introducer": "\x9b31m",
    "next line": "\x85",
    "right-to-left override": "\u202e",
    "left-to-right isolate": "\u2066",
    "Arabic letter mark": "\u061c",
    "zero-width space": "\u200b",
    "zero-width joiner": "\u200d",
    "byte order mark": "\ufeff",
    "soft hyphen": "\u00ad",
    "line separator": "\u2028",
    "paragraph separator": "\u2029",
    "half a surrogate": "\ud800",
    "private use": "\ue000",
    "unassigned": "\u0378",
    "no character": "\uffff",
    "tag": "\U000e0041",
    "Hangul filler": "\u3164",
    "grapheme joiner": "\u034f",
}


@pytest.mark.parametrize("text", HIDDEN.values(), ids=HIDDEN.keys())
def test_what_a_terminal_would_obey_or_hide_cannot_be_shown(text: str) -> None:
    assert not is_printable(text)
    assert not is_printable(f"é{text}b")


@pytest.mark.parametrize("typed", ["K7Q2M0", "k7q2m0", "K7Q-2M0", "k7q-2mo", "K7Q2MO", "k7Q-2m0"])
def test_a_code_is_read_however_it_is_typed(typed: str) -> None:
    assert read_code(typed) == "K7Q2M0"


def test_letters_that_the_alphabet_lacks_are_read_as_their_digits() -> None:
    assert read_code("oil-OIL") == "011011"


@pytest.mark.parametrize(
    "typed",
    ["", "K7Q2M", "K7Q2MXX", "K7-Q2MX", "K7Q--2MX", "-K7Q2MX", "K7Q2MU", "K7Q 2MX", "k7q2mé"],
)
def test_anything_else_is_no_code(typed: str) -> None:
    assert read_code(typed) is None


@pytest.mark.parametrize(
    "typed", ["K7Q２MX", "ſſſſſſ", "K7Q2M-", "K7Q-2M", "K7Q2MX\n", "r8f3kq0zt5w1x7y2"]
)
def test_what_only_resembles_a_code_is_none(typed: str) -> None:
    assert read_code(typed) is None


@given(st.text(alphabet="0123456789ABCDEFGHJKMNPQRSTVWXYZ", min_size=6, max_size=6))
def test_a_code_that_is_shown_can_be_read(code: str) -> None:
    assert read_code(show_code(code)) == code == read_code(show_code(code).lower())


@given(st.text(min_size=8))
def test_nothing_longer_is_a_code(text: str) -> None:
    assert read_code(text) is None
