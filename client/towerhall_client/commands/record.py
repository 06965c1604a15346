"""`towerhall record CODE`: a game as a file, on stdout."""

from msgspec import UNSET

from towerhall_client.addresses import read_room
from towerhall_client.exits import Dropped, ExitCode
from towerhall_client.record import BadRecord, read, to_json_lines
from towerhall_client.visit import Visit
from towerhall_protocol.replies import Record
from towerhall_protocol.requests import RecordRequest


async def run(visit: Visit) -> ExitCode:
    address, code = read_room(visit.args.room)
    if address:
        visit.addresses = (address,)
    connection = await visit.connect()
    number = visit.args.game_number or UNSET
    record = await connection.ask(Record, RecordRequest, room=code, round=number)
    if not visit.output.json:
        visit.output.lines(record.text)
        return ExitCode.DONE
    try:
        visit.output.lines(to_json_lines(read(record.text)))
    except BadRecord as bad:
        raise Dropped(f"The hall sent a record that cannot be read: {bad}") from None
    return ExitCode.DONE
