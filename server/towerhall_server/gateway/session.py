"""One connection's conversation: frames in, one reply for each request, events out."""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Hashable

from msgspec import UNSET

from towerhall_protocol.codec import Codec
from towerhall_protocol.errors import BadFrame, BadMessage, CloseCode, ErrorCode
from towerhall_protocol.limits import BAD_FRAMES_ALLOWED, HELLO_WITHIN_MS
from towerhall_protocol.replies import Beat, Error, ServerMessage
from towerhall_protocol.requests import Move, Request
from towerhall_server import metrics
from towerhall_server.frames import frame
from towerhall_server.games import BadOptions, NoSuchGame
from towerhall_server.gateway.hall import BEAT_MS, Hall
from towerhall_server.gateway.limits import Bucket
from towerhall_server.gateway.socket import Socket
from towerhall_server.logs import Log
from towerhall_server.match.refusal import Refused
from towerhall_server.match.state import Sitter
from towerhall_server.referee import KeptByNewer
from towerhall_server.store import StoreError

log = Log(__name__)

STRIKES, FORGIVEN_PER_SECOND = 60, 5
"""Requests refused for coming too fast before the connection is closed."""
RECORDS_PER_SECOND, RECORDS_BURST = 1, 5
TABLES_PER_SECOND, TABLES_BURST = 2, 20
CONTROLS_PER_SECOND, CONTROLS_BURST = 20, 100
MOST_WAITING = 64
CLOSING = "This part of the hall is closing"
STUCK_S = 8.0


Replier = Callable[["Session", Request], Awaitable[ServerMessage]]
Hurrier = Callable[["Session", Move], None]
"""A replier's short cut for moves: it calls `hurried` when it knows more."""


class Session:
    def __init__(
        self,
        hall: Hall,
        socket: Socket,
        codec: Codec,
        address: Hashable,
        reply: Replier,
        hurry: Hurrier,
    ) -> None:
        now = time.monotonic()
        settings = hall.settings
        self.hall = hall
        self.socket = socket
        self.codec = codec
        self.address = address
        self.player: Sitter | None = None
        self.rooms: set[str] = set()
        self.since = now
        self.open = True
        self.chat = Bucket(settings.chat_per_second, max(3, settings.chat_per_second), now)
        self.records = Bucket(RECORDS_PER_SECOND, RECORDS_BURST, now)
        self.tables = Bucket(TABLES_PER_SECOND, TABLES_BURST, now)
        self.write = socket.write
        self._reply, self._hurry = reply, hurry
        self._requests = Bucket(settings.requests_per_second, settings.requests_burst, now)
        self._controls = Bucket(CONTROLS_PER_SECOND, CONTROLS_BURST, now)
        self._bad_frames = 0
        self._strikes = Bucket(FORGIVEN_PER_SECOND, STRIKES, now)
        self._inbox: deque[Request] = deque()
        self._at_work = False
        self._leaving = False
        self._work: asyncio.Task[None] | None = None
        self._player_queue, self._watcher_queue = settings.player_queue, settings.watcher_queue
        self._beat_at = now
        self._full_since: float | None = None

    # What the socket tells

    def heard(self, data: bytes | str) -> None:
        if not self.open:
            return
        now = time.monotonic()
        try:
            request = self.codec.decode_request(data)
        except BadFrame as bad:
            self._refuse_frame(bad)
            return
        except BadMessage as bad:
            if self._may_ask(now, bad.re):
                self.send(_error(bad.code, bad.sentence, bad.re, field=bad.field))
            return
        if not self._may_ask(now, request.id):
            return
        if self.hall.draining:
            self.send(_error(ErrorCode.DRAINING, f"{CLOSING}; connect again.", request.id))
            return
        if self._at_work:
            self._inbox.append(request)
        elif type(request) is Move and self.player:
            self._at_work = True
            self._hurry(self, request)
        else:
            self._at_work = True
            self.hurried(request, None)

    def heard_control(self) -> None:
        if not self._controls.take(time.monotonic()):
            self.close(CloseCode.ABUSE, "too many control frames")

    def lost(self) -> None:
        self.open = False
        hall = self.hall
        hall.sessions.discard(self)
        for room in self.rooms:
            hall.hub.unfollow(self, room)
        hall.listing.unfollow(self)
        if self.player:
            hall.leave(self, self.player.player)

    # What the hub asks

    def has_room(self, *, seated: bool, more: int = 0) -> bool:
        queue = self._player_queue if seated else self._watcher_queue
        return self.socket.queued + more < queue

    def cut_slow(self) -> None:
        metrics.SLOW_CUTS.inc()
        self.close(CloseCode.SLOW, "reading too slowly")

    # What happens by itself

    def look_after(self, now: float) -> None:
        """Twice a second or so: is somebody there, and do they read?"""
        self.socket.look_after(now)
        if self.player is None and now - self.since > HELLO_WITHIN_MS / 1000:
            self.close(CloseCode.HELLO_TIMEOUT, "no hello")
        if self.socket.transport.get_write_buffer_size() == 0:
            self._full_since = None
        elif self._full_since is None:
            self._full_since = now
        elif now - self._full_since > STUCK_S:
            metrics.SLOW_CUTS.inc()
            self.socket.cut()
        if self.player and now - self._beat_at >= BEAT_MS / 1000 and self.has_room(seated=False):
            self._beat_at = now
            tops = self.hall.hub.tops(list(self.rooms))
            self.send(Beat(now_ms=self.hall.store.hall_now(), rooms=tops))

    def send(self, message: ServerMessage) -> None:
        self.socket.write(frame(self.codec, message))

    def close(self, code: CloseCode, reason: str) -> None:
        self.open = False
        self.socket.shut(code, reason)

    def send_elsewhere(self) -> None:
        """Close when the request in hand is answered; what waits behind it is asked elsewhere."""
        self._inbox.clear()
        self._leaving = True
        if not self._at_work:
            self._rest()

    def hurried(self, request: Request, reply: ServerMessage | None) -> None:
        """The reply to the request in hand; None where the short cut does not lead to one."""
        if reply:
            self.send(reply)
        else:
            self._inbox.appendleft(request)
        if self._inbox:
            self._work = asyncio.get_running_loop().create_task(self._answer_all())
        elif self._leaving:
            self._rest()
        else:
            self._at_work = False

    async def _answer_all(self) -> None:
        try:
            while self._inbox and self.open:
                self.send(await self._answer(self._inbox.popleft()))
                if self._inbox:
                    await self.socket.ready()
        finally:
            self._rest()

    def _rest(self) -> None:
        self._at_work, self._work = False, None
        if self._leaving:
            self.close(CloseCode.DRAINING, CLOSING)

    async def _answer(self, request: Request) -> ServerMessage:
        try:
            return await self._reply(self, request)
        except Refused as refused:
            return _error(refused.code, refused.sentence, request.id, **refused.data)
        except NoSuchGame as error:
            return _error(ErrorCode.NO_SUCH_GAME, str(error), request.id)
        except BadOptions as error:
            return _error(ErrorCode.BAD_OPTIONS, str(error), request.id, option=error.option)
        except KeptByNewer as trouble:
            log.warning("A room is kept by a newer version of the hall.", why=str(trouble))
            sentence = "This room is in the hands of a newer part of the hall; connect again."
            return _error(ErrorCode.UNAVAILABLE, sentence, request.id)
        except StoreError as trouble:
            log.warning("The store does not answer.", why=str(trouble))
            sentence = "The hall's store does not answer just now; try again."
            return _error(ErrorCode.UNAVAILABLE, sentence, request.id)
        except Exception as error:
            # A fault of ours: the asker is told so, and everybody else plays on.
            log.exception("A request failed.", error, request=type(request).__name__)
            metrics.BACKGROUND_FAILURES.inc("request")
            sentence = "The hall could not carry this out; try again."
            return _error(ErrorCode.UNAVAILABLE, sentence, request.id)

    def _refuse_frame(self, bad: BadFrame) -> None:
        self._bad_frames += 1
        self.send(_error(bad.code, bad.sentence, None))
        if self._bad_frames > BAD_FRAMES_ALLOWED:
            self.close(CloseCode.ABUSE, "frames that are no messages")

    def _may_ask(self, now: float, re: int | None) -> bool:
        if self._requests.take(now) and len(self._inbox) < MOST_WAITING:
            return True
        if not self._strikes.take(now):
            self.close(CloseCode.ABUSE, "too many requests")
        else:
            rate = self.hall.settings.requests_per_second
            sentence = f"Too many requests: at most {rate:g} a second, please."
            self.send(_error(ErrorCode.RATE_LIMITED, sentence, re))
        return False


def _error(code: str, sentence: str, re: int | None, **data: object) -> Error:
    metrics.ERRORS.inc(str(code))
    known = {name: value for name, value in data.items() if value is not None}
    return Error(
        re=UNSET if re is None else re,
        code=str(code),
        message=sentence,
        temporary=ErrorCode(code).temporary,
        **known,  # type: ignore[arg-type]
    )
