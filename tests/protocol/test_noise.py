import random
from collections.abc import Iterator

import msgpack
from hypothesis import given
from hypothesis import strategies as st

from protocol.examples import REQUESTS
from protocol.frames import Frame, plain_of
from protocol.refusals import assert_quick, assert_says_nothing_hostile
from towerhall_protocol import JSON, MSGPACK, CodecError, Request
from towerhall_protocol.limits import FRAME_LIMIT


def _random_frames(dice: random.Random, size: int) -> Iterator[Frame]:
    """About `size` bytes, half of them noise, half noise where a message looks for its fields."""
    while size > 0:
        noise = dice.randbytes(int(dice.paretovariate(0.7) * 4) % FRAME_LIMIT)
        size -= len(noise)
        yield noise
        yield b"\x83\xa4type\xa6create\xa2id\x01" + noise
        yield noise.decode("latin-1")


def _mutated_frames(dice: random.Random, count: int) -> Iterator[Frame]:
    """Messages with some bytes changed, taken out, doubled or put in."""
    for _ in range(count):
        wire = dice.choice((MSGPACK, JSON))
        frame = bytearray(wire.encode(dice.choice(REQUESTS)))
        for _ in range(dice.randint(1, 4)):
            at = dice.randrange(len(frame))
            end = at + dice.randint(0, 4)
            frame[at:end] = dice.choice((b"", dice.randbytes(1), frame[at:end] * 2, b'"', b"{"))
            frame = frame or bytearray(b"\x00")
        yield frame.decode("utf-8", "surrogateescape") if wire.text else bytes(frame)


def test_a_megabyte_of_noise_gets_a_typed_answer_each_and_at_once() -> None:
    dice = random.Random(24)
    for frame in _random_frames(dice, 1_000_000):
        assert_quick(frame)


def test_mutated_messages_get_a_typed_answer_each_and_at_once() -> None:
    dice = random.Random(25)
    for frame in _mutated_frames(dice, 20_000):
        assert_quick(frame)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=6,
)


@given(st.sampled_from(REQUESTS), st.data())
def test_any_value_in_any_field_is_taken_or_refused_by_type(
    message: Request, data: st.DataObject
) -> None:
    plain = plain_of(message)
    plain[data.draw(st.sampled_from(sorted(plain)))] = data.draw(json_values)
    try:
        frame = msgpack.packb(plain)
    except OverflowError:
        return
    try:
        taken = MSGPACK.decode_request(frame)
    except CodecError as refusal:
        assert_says_nothing_hostile(refusal.sentence)
    else:
        assert MSGPACK.decode_request(MSGPACK.encode(taken)) == taken
