import pytest

from towerhall_protocol.errors import (
    BadFrame,
    BadMessage,
    CloseCode,
    CodecError,
    ErrorCode,
    should_reconnect,
)


def test_four_errors_are_temporary() -> None:
    temporary = {code.value for code in ErrorCode if code.temporary}
    assert temporary == {"too_many", "rate_limited", "unavailable", "draining"}


def test_an_error_code_is_spelled_like_its_name() -> None:
    assert all(code.value == code.name.lower() for code in ErrorCode)


def test_a_client_comes_back_after_40xx_and_stays_away_after_41xx() -> None:
    assert {code for code in CloseCode if code.reconnect} == {4000, 4001, 4002, 4003}
    assert should_reconnect(4099)
    assert not should_reconnect(4100)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (1000, False),
        (1001, True),
        (1002, False),
        (1006, True),
        (1008, False),
        (1009, False),
        (1011, True),
        (1012, True),
        (4200, False),
    ],
)
def test_a_client_comes_back_when_it_is_not_to_blame(code: int, expected: bool) -> None:
    assert should_reconnect(code) is expected


def test_what_the_codec_raises_carries_its_data() -> None:
    frame, message = BadFrame("No."), BadMessage("ply", "`ply` is missing.", 7)
    assert (frame.code, frame.sentence, str(frame)) == (ErrorCode.BAD_FRAME, "No.", "No.")
    assert (message.code, message.field, message.re) == (ErrorCode.BAD_MESSAGE, "ply", 7)
    assert isinstance(frame, CodecError)
    assert isinstance(message, CodecError)
