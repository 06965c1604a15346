"""What every refusal of the codec must be: typed, quick, and free of what the client sent."""

import time

import pytest

from protocol.frames import Frame
from towerhall_protocol import JSON, MSGPACK, BadFrame, BadMessage, Codec, CodecError

MILLISECOND = 0.001


def wire_for(frame: Frame) -> Codec:
    return JSON if isinstance(frame, str) else MSGPACK


def assert_refused(frame: Frame) -> None:
    with pytest.raises(CodecError):
        wire_for(frame).decode_request(frame)
    assert_quick(frame)


def assert_bad_frame(frame: Frame) -> None:
    with pytest.raises(BadFrame):
        wire_for(frame).decode_request(frame)
    assert_quick(frame)


def assert_bad_message(frame: Frame) -> BadMessage:
    with pytest.raises(BadMessage) as refused:
        wire_for(frame).decode_request(frame)
    assert_quick(frame)
    return refused.value


def assert_says_nothing_hostile(sentence: str) -> None:
    assert sentence.isascii()
    assert sentence.isprintable()
    assert len(sentence) < 120


def assert_quick(frame: Frame) -> None:
    """Under a millisecond. The best of several tries, as the machine may have been busy."""
    tries = (_seconds_to_decode(frame) for _ in range(20))
    assert any(seconds < MILLISECOND for seconds in tries), frame[:100]


def _seconds_to_decode(frame: Frame) -> float:
    wire = wire_for(frame)
    start = time.perf_counter()
    try:
        wire.decode_request(frame)
    except (BadFrame, BadMessage) as refusal:
        seconds = time.perf_counter() - start
        assert_says_nothing_hostile(refusal.sentence)
        return seconds
    return time.perf_counter() - start
