"""The rooms that a connection follows, and how far it has come in each. Pure.

Every event is handed on exactly once and in order; what is missing is asked for.
"""

from dataclasses import dataclass

from msgspec import UNSET

from towerhall_protocol.events import Event, UnknownEvent
from towerhall_protocol.replies import Beat, Events, Room
from towerhall_protocol.requests import Since, Watch

Numbered = Event | UnknownEvent


@dataclass
class _Place:
    code: str
    epoch: str
    seq: int
    catching_up: bool = False


class Following:
    def __init__(self) -> None:
        self._places: dict[str, _Place] = {}

    def snapshot(self, room: Room) -> None:
        self._places[room.room] = _Place(room.code, room.epoch, room.seq)

    def forget(self, room: str) -> None:
        self._places.pop(room, None)

    def event(self, event: Numbered) -> bool:
        """Whether it is the next one, to be handed on; else it came before, or others are amiss."""
        place = self._places.get(event.room)
        if place is None or event.epoch != place.epoch or event.seq != place.seq + 1:
            return False
        place.seq = event.seq
        return True

    def caught_up(self, events: Events) -> list[Numbered]:
        """Those that are new of what was asked for."""
        place = self._places.get(events.room)
        if place is not None:
            place.catching_up = False
        return [event for event in events.events if self.event(event)]

    def behind(self, message: Numbered | Beat) -> list[str]:
        """The rooms in which this message shows that something was missed."""
        tops = message.rooms if isinstance(message, Beat) else {message.room: message.seq}
        missed = []
        for room, top in tops.items():
            place = self._places.get(room)
            other = not isinstance(message, Beat) and place and message.epoch != place.epoch
            if place and not place.catching_up and (top > place.seq or other):
                place.catching_up = True
                missed.append(room)
        return missed

    def resume(self, room: str, number: int) -> Watch:
        """By its code: the id of a private room works for its players only."""
        place = self._places[room]
        since = Since(epoch=place.epoch, seq=place.seq) if place.epoch else UNSET
        return Watch(id=number, room=place.code or room, since=since)

    def resume_all(self) -> list[str]:
        """After a new connection: everything has to be asked for."""
        for place in self._places.values():
            place.catching_up = True
        return list(self._places)

    def gave_up(self, room: str) -> None:
        """The answer was an error: the next sign of a gap asks again."""
        if place := self._places.get(room):
            place.catching_up = False
