"""What the server says of a match is what the wire's own page and codec say it is."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import msgpack
import pytest
from msgspec import UNSET
from websockets.frames import Frame, Opcode
from websockets.streams import StreamReader

from games.assertions import every_game
from match.logs import EVERY_KIND
from match.table import ANN, BLITZ, BOB, NOW, Line, Table, opened, seated, small_duel
from protocol.examples import SERVER_MESSAGES, name_of
from protocol.frames import frame_of, plain_of
from towerhall_protocol import JSON, MSGPACK, Codec, ServerMessage, codec, replies
from towerhall_server import wire
from towerhall_server.frames import Frames, frame
from towerhall_server.games import GAMES, Game, Seat
from towerhall_server.match import happenings
from towerhall_server.match.actions import Abort, Rematch
from towerhall_server.match.clock import Clock
from towerhall_server.store import Presence

PAGE = Path(__file__).parents[2] / "docs" / "protocol.schema.json"
SCHEMA = json.loads(PAGE.read_text())
BOTH_HERE = Presence((True, True), (None, None), 3)
BOB_AWAY = Presence((True, False), (None, NOW), 0)
EPOCH = "e-1"

both = pytest.mark.parametrize("encoding", [MSGPACK, JSON], ids=lambda codec: codec.name)


def assert_on_the_wire(message: Any) -> None:
    """Both codecs read it as the message it is, and the published schema has it."""
    plain = plain_of(message)
    for encoding in (MSGPACK, JSON):
        read = encoding.decode_server_message(frame_of(encoding, message))
        assert read is not None and type(read) is type(message)
        assert plain_of(read) == plain
    of_its_own = {"anyOf": [{"$ref": f"#/$defs/{type(message).__name__}"}]}
    jsonschema.Draft202012Validator(SCHEMA | of_its_own).validate(plain)


# Events


every_kind = pytest.mark.parametrize(
    "line", EVERY_KIND, ids=lambda line: type(line.happening).__name__
)


def event_of(line: Line, room: str = "0123456789abcdef") -> ServerMessage:
    """What a client reads, which is the same in both encodings."""
    told = wire.event(room, EPOCH, happenings.entry(*line))
    read = MSGPACK.decode_server_message(wire.event_in(told, MSGPACK))
    assert read is not None
    assert JSON.decode_server_message(wire.event_in(told, JSON).decode()) == read
    return read


@every_kind
def test_every_happening_becomes_an_event_of_the_wire(line: Line) -> None:
    event = event_of(line)
    assert_on_the_wire(event)
    plain = plain_of(event)
    assert (plain["type"], plain["kind"]) == ("event", line.happening.__struct_config__.tag)
    assert (plain["room"], plain["epoch"]) == ("0123456789abcdef", EPOCH)
    assert (plain["seq"], plain["at_ms"]) == (line.seq, line.at_ms)


@every_kind
def test_an_event_has_what_happened_and_the_room_s_address_and_nothing_else(line: Line) -> None:
    told: dict[str, Any] = msgpack.unpackb(wire.event("r", EPOCH, happenings.entry(*line)))
    happened: dict[str, Any] = msgpack.unpackb(happenings.entry(*line).happening)
    assert told == happened | {
        "type": "event",
        "room": "r",
        "epoch": EPOCH,
        "seq": line.seq,
        "at_ms": line.at_ms,
    }


@pytest.mark.parametrize("fields", [0, 9, 10, 11, 14, 15, 16, 300])
def test_an_event_of_any_number_of_fields_is_put_together(fields: int) -> None:
    happened = {"kind": "newer", **{f"f{number}": number for number in range(fields)}}
    entry = happenings.decode(msgpack.packb([7, 8, happened]))
    told: dict[str, Any] = msgpack.unpackb(wire.event("r", EPOCH, entry))
    assert {name: told[name] for name in happened} == happened
    assert (len(told), told["seq"], told["at_ms"]) == (len(happened) + 5, 7, 8)


def test_every_kind_of_event_is_made_of_something_that_happens() -> None:
    assert {type(event_of(line)) for line in EVERY_KIND} == set(codec.EVENTS)


# Snapshots


def begun(game: Game[Any], clock: Clock | None) -> Table:
    """A live match in which the first mover has moved, if there is a move that does not win."""
    table = seated(game.id, clock=clock)
    table.move({"strangers": "2", "relatives": "6", "duel": "3A"}.get(game.id, "4"))
    return table


def snapshot(table: Table, you: Seat | None = 0, presence: Presence = BOTH_HERE) -> replies.Room:
    room = wire.snapshot(table.match, EPOCH, presence, you)
    assert_on_the_wire(room)
    return room


@every_game
@pytest.mark.parametrize("clock", [BLITZ, None], ids=["timed", "untimed"])
def test_a_snapshot_of_an_open_room(game: Game[Any], clock: Clock | None) -> None:
    room = snapshot(opened(game.id, clock=clock))
    assert (room.status, room.turn, room.ply, room.moves) == ("open", None, 0, [])
    assert room.seats[0] is not None and room.seats[0].player == ANN
    assert room.seats[1] is None
    assert (room.clocks, room.result) == (None, None)
    assert not room.legal


@every_game
@pytest.mark.parametrize("clock", [BLITZ, None], ids=["timed", "untimed"])
def test_a_snapshot_of_a_live_match(game: Game[Any], clock: Clock | None) -> None:
    table = begun(game, clock)
    room, position = snapshot(table, you=1), table.match.position
    assert (room.status, room.turn, room.ply, room.you) == ("live", 1, 1, 1)
    assert [(move.ply, move.seat, move.move) for move in room.moves] == [
        (0, 0, position.moves[0].text)
    ]
    assert (room.game, room.title, room.preset) == (game.id, game.title, "classic")
    assert room.options == game.resolve({})
    assert plain_of(room)["view"] == game.view(position)
    assert room.legal == game.legal_moves(position)
    assert (room.clocks is None) == (room.clock is None) == (clock is None)
    assert (room.seq, room.match, room.round, room.rounds) == (4, 1, 1, 1)


@every_game
@pytest.mark.parametrize("clock", [BLITZ, None], ids=["timed", "untimed"])
def test_a_snapshot_of_a_match_that_is_over(game: Game[Any], clock: Clock | None) -> None:
    table = begun(game, clock)
    table.win(1)
    table.do(Rematch(BOB, 1))
    room = snapshot(table, you=None)
    assert (room.status, room.turn, room.score, room.match_winner) == ("over", None, (0, 1), 1)
    assert room.result is not None and room.result.reason == "resigned"
    assert room.rematch == (False, True)
    assert room.clocks is None or room.clocks.running is None
    assert not room.legal
    assert (room.legal is None) == (game.legal_moves(game.start({}, 0)) is None)


@every_game
def test_a_snapshot_between_rounds_has_nobody_to_move(game: Game[Any]) -> None:
    table = seated(game.id, rounds=2)
    table.win(0)
    room = snapshot(table)
    assert (room.status, room.turn, room.round, room.score) == ("live", None, 1, (1, 0))
    assert not room.legal
    table.next_round()
    assert (snapshot(table).turn, snapshot(table).round) == (1, 2)


def test_a_snapshot_of_a_closed_room() -> None:
    table = opened()
    table.do(Abort(ANN, 1))
    room = snapshot(table)
    assert (room.status, room.result, room.clocks) == ("over", None, None)


def test_a_snapshot_marks_the_passes_that_were_forced() -> None:
    room = snapshot(small_duel().play("3A 2B"))
    assert [(move.move, move.forced) for move in room.moves] == [
        ("3A", False),
        ("2B", False),
        ("pass", True),
    ]
    assert room.ply == 3


def test_a_snapshot_tells_who_is_there() -> None:
    room = snapshot(seated(), presence=BOB_AWAY)
    one, two = room.seats
    assert one is not None and two is not None
    assert (one.name, one.online, one.away_since_ms) == ("ann", True, None)
    assert (two.name, two.online, two.away_since_ms) == ("bob", False, NOW)
    assert (room.watchers, snapshot(seated()).watchers) == (0, 3)


def test_a_snapshot_is_a_reply_or_is_pushed() -> None:
    match = seated().match
    assert wire.snapshot(match, EPOCH, BOTH_HERE, 0, 7).re == 7
    assert wire.snapshot(match, EPOCH, BOTH_HERE, 0).re is UNSET


def test_the_events_of_a_commit_and_a_snapshot_after_it_say_the_same() -> None:
    table = small_duel().play("3A 2B")
    room: dict[str, Any] = plain_of(snapshot(table))
    for line in table.log[-2:]:
        event = plain_of(event_of(line, table.match.room))
        for field in ("round", "view", "legal", "turn", "clocks"):
            assert event[field] == room[field]


# Presence, games, frames


@pytest.mark.parametrize("presence", [BOTH_HERE, BOB_AWAY])
def test_presence_is_told_by_seat(presence: Presence) -> None:
    message = wire.presence_message("0123456789abcdef", presence)
    assert_on_the_wire(message)
    assert [seat and seat.online for seat in message.seats] == list(presence.online)


@pytest.mark.parametrize("info", wire.GAME_INFOS, ids=lambda info: info.id)
def test_every_game_introduces_itself(info: Any) -> None:
    jsonschema.Draft202012Validator(SCHEMA | {"anyOf": [{"$ref": "#/$defs/GameInfo"}]}).validate(
        plain_of(info)
    )
    assert (info.presets[0].name, info.presets[0].options) == ("classic", {})
    names = {option.name for option in info.options}
    assert all(names >= set(preset.options) for preset in info.presets)


def test_all_games_are_introduced_in_the_hall_s_order() -> None:
    assert [info.id for info in wire.GAME_INFOS] == [game.id for game in GAMES]


def read_frame(blob: bytes) -> Frame:
    """As somebody else's websocket reads it, down to the last byte."""
    stream = StreamReader()
    stream.feed_data(blob)
    with pytest.raises(StopIteration) as done:
        next(Frame.parse(stream.read_exact, mask=False, max_size=None))
    assert not stream.buffer
    read = done.value.value
    assert isinstance(read, Frame)
    return read


@both
@pytest.mark.parametrize("message", SERVER_MESSAGES, ids=name_of)
def test_a_frame_is_read_by_any_websocket(encoding: Codec, message: ServerMessage) -> None:
    read = read_frame(frame(encoding, message))
    assert (read.fin, read.opcode) == (True, Opcode.TEXT if encoding.text else Opcode.BINARY)
    assert bytes(read.data) == encoding.encode(message)


@both
def test_frames_of_every_length_are_read_by_any_websocket(encoding: Codec) -> None:
    empty = len(encoding.encode(record_of_length(0)))
    for length in (125 - empty, 126 - empty, 200, 65_535 - empty, 65_536 - empty, 70_000):
        message = record_of_length(max(0, length))
        assert bytes(read_frame(frame(encoding, message)).data) == encoding.encode(message)


def record_of_length(length: int) -> replies.Record:
    return replies.Record(re=1, room=None, round=1, text="x" * length, frames=[])


def test_a_frame_is_made_once_for_each_encoding() -> None:
    frames = Frames.of_message(replies.Ok(re=1))
    assert frames.of(JSON) is frames.of(JSON)
    assert frames.of(JSON) == frame(JSON, replies.Ok(re=1))
    assert frames.of(MSGPACK) == frame(MSGPACK, replies.Ok(re=1))
