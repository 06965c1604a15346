"""One table of messages, at least one of every type, for all tests of the wire."""

from msgspec import Struct

from towerhall_protocol import events, lobby, replies, requests, rooms
from towerhall_protocol.errors import ErrorCode
from towerhall_protocol.limits import MAX_WHOLE

ROOM = "r8f3kq0zt5w1x7y2"
EPOCH = "9c1e44a0-3"
NOW = 1_760_000_000_000

CLOCK = rooms.Clock(initial_ms=180_000, increment_ms=2_000)
CLOCKS = rooms.Clocks(remaining_ms=(180_000, 171_250), running=0, at_ms=NOW)
VIEW = rooms.View(
    stacks=[
        rooms.Stack(label="A", owner=None, items=[1, 3], note="rising"),
        rooms.Stack(label="B", owner=1, items=[], note=""),
    ],
    supplies=[
        rooms.Supply(label="Hand", owner=0, items=[rooms.SupplyItem(value=MAX_WHOLE, count=1)])
    ],
    prompt="Place a tile: 1A to 5C.",
    notes=["Both hands are open."],
)
RATING = rooms.Rating(value=1512, deviation=180, provisional=True, matches=3)
SEEK = lobby.Seek(
    game="duel",
    preset="classic",
    options={"tiles": 5},
    clock=CLOCK,
    rounds=2,
    rated=True,
    since_ms=NOW,
)
SNAPSHOT = replies.Room(
    room=ROOM,
    code="K7Q2MX",
    epoch=EPOCH,
    seq=3,
    game="duel",
    title="Number Tower Duel",
    preset="classic",
    options={"tiles": 5, "towers": 3},
    clock=CLOCK,
    match=1,
    rounds=2,
    rated=True,
    listed=False,
    round=1,
    score=(0, 0),
    seats=(
        rooms.Seat(player="p1", name="ada", rating=RATING, online=True, away_since_ms=None),
        None,
    ),
    status="live",
    first=1,
    turn=0,
    ply=1,
    moves=[rooms.MoveMade(ply=0, seat=1, move="3A", forced=False)],
    view=VIEW,
    legal=["4A", "1B"],
    clocks=CLOCKS,
    result=rooms.Result(winner=None, reason="aborted", text="The game was aborted."),
    match_winner=None,
    rematch=(False, True),
    watchers=12,
    you=0,
)
GAME = rooms.GameInfo(
    id="duel",
    title="Number Tower Duel",
    summary="Empty your hand.",
    rules="Tiles go up.",
    options=[
        rooms.OptionInfo(name="tiles", type="int", default=5, range=(3, 9), help="Tiles."),
        rooms.OptionInfo(name="open", type="bool", default=True, range=None, help="Open."),
    ],
    presets=[rooms.PresetInfo(name="grand", rated=True, options={"tiles": 7, "open": False})],
)

REQUESTS: list[requests.Request] = [
    requests.Hello(id=1),
    requests.Hello(id=2, name="ada", token="t" * 43),
    requests.Create(id=3, game="duel"),
    requests.Create(
        id=4,
        game="strangers",
        preset="singles",
        options={"pool": 20, "one_may_open": False},
        clock=requests.ClockAsked(initial_ms=60_000, increment_ms=0),
        rounds=4,
        first="joiner",
        listed=True,
        key="c-1",
    ),
    requests.Create(id=5, game="chain", clock=None),
    requests.Join(id=6, room="k7q-2mx"),
    requests.Watch(id=7, room=ROOM),
    requests.Watch(id=8, room=ROOM, since=requests.Since(epoch=EPOCH, seq=3)),
    requests.Unwatch(id=9, room=ROOM),
    requests.SeekRequest(id=10, game="builder", preset="quarry", clock=None, rated=True, key="s-1"),
    requests.Unseek(id=11),
    requests.Move(id=12, room=ROOM, round=1, ply=0, move="3A"),
    requests.Resign(id=13, room=ROOM, round=1),
    requests.Abort(id=14, room=ROOM, round=1),
    requests.Claim(id=15, room=ROOM, round=1),
    requests.RematchRequest(id=16, room=ROOM, round=2),
    requests.Say(id=17, room=ROOM, text='Well played! "Naïve", \\o/ 😀', key="y-1"),
    requests.LobbyRequest(id=18, on=True),
    requests.LeadersRequest(id=23, game="duel"),
    requests.HistoryRequest(id=24),
    requests.HistoryRequest(id=25, before="1760000000000-r8f3kq0zt5w1x7y2-1"),
    requests.RecordRequest(id=19, room=ROOM),
    requests.RecordRequest(id=20, room=ROOM, round=2),
    requests.Replay(id=21, game="chain", options={"target": 10}, first=1, moves=["2", "24"]),
    requests.Ping(id=MAX_WHOLE),
]

EVENTS: list[events.Event] = [
    events.Seated(
        room=ROOM,
        epoch=EPOCH,
        seq=1,
        at_ms=NOW,
        seat=1,
        player="p2",
        name="bob",
        rating=RATING,
    ),
    events.Rated(
        room=ROOM,
        epoch=EPOCH,
        seq=9,
        at_ms=NOW,
        match=1,
        before=(RATING, RATING),
        after=(RATING, RATING),
    ),
    events.Started(
        room=ROOM,
        epoch=EPOCH,
        seq=2,
        at_ms=NOW,
        match=1,
        round=1,
        first=1,
        view=VIEW,
        legal=None,
        turn=1,
        clocks=None,
    ),
    events.Moved(
        room=ROOM,
        epoch=EPOCH,
        seq=3,
        at_ms=NOW,
        round=1,
        ply=0,
        seat=1,
        move="3A",
        forced=False,
        text="bob puts 3 on A.",
        view=VIEW,
        legal=["4A"],
        turn=0,
        clocks=CLOCKS,
    ),
    events.Finished(
        room=ROOM,
        epoch=EPOCH,
        seq=4,
        at_ms=NOW,
        round=1,
        winner=0,
        reason="hand_empty",
        text="ada placed the last tile.",
        score=(1, 0),
        match_over=False,
        match_winner=None,
        next_ms=NOW + 5_000,
    ),
    events.RematchAsked(room=ROOM, epoch=EPOCH, seq=5, at_ms=NOW, seat=0),
    events.Said(room=ROOM, epoch=EPOCH, seq=6, at_ms=NOW, seat=None, name="eve", text="Hi"),
    events.Closed(room=ROOM, epoch=EPOCH, seq=7, at_ms=NOW, reason="aborted"),
]

REPLIES: list[replies.Answer | replies.Push] = [
    replies.Welcome(
        re=1,
        player=rooms.Player(id="p1", name="ada"),
        token="t" * 43,
        ratings={"duel": RATING},
        games=[GAME],
        seats=[rooms.HeldSeat(room=ROOM, seat=0)],
        seeking=SEEK,
        now_ms=NOW,
        beat_ms=5_000,
        server=rooms.Server(version="0.1.0", node="n1"),
    ),
    SNAPSHOT,
    replies.Events(re=8, room=ROOM, epoch=EPOCH, events=list(EVENTS)),
    replies.Ok(re=9),
    replies.Seeking(re=10, seek=SEEK),
    replies.Accepted(re=12, room=ROOM, round=1, ply=0, seq=3),
    replies.LobbyState(
        seeks=[
            lobby.SeekCount(
                game="duel", preset="classic", options={}, clock=None, rounds=2, rated=True, count=3
            )
        ],
        open=[
            lobby.OpenRoom(
                room=ROOM,
                code="K7Q2MX",
                game="duel",
                title="Number Tower Duel",
                preset="classic",
                options={"tiles": 5},
                clock=CLOCK,
                rounds=1,
                rated=False,
                by="ada",
                rating=None,
                since_ms=NOW,
            )
        ],
        live=[
            lobby.LiveRoom(
                room=ROOM,
                code="K7Q2MX",
                game="duel",
                title="Number Tower Duel",
                preset="classic",
                rated=True,
                names=("ada", "bob"),
                ratings=(RATING, None),
                rounds=2,
                round=1,
                ply=4,
                score=(0, 0),
                clock=CLOCK,
                clocks=CLOCKS,
                watchers=2,
                since_ms=NOW,
            )
        ],
        featured=ROOM,
        online=7,
    ),
    replies.Leaders(
        re=23,
        game="duel",
        best=[lobby.Leader(rank=1, player="p1", name="ada", rating=RATING)],
        own=None,
        players=1,
    ),
    replies.History(
        re=24,
        matches=[
            lobby.PastMatch(
                id=f"{ROOM}-1",
                room=ROOM,
                code="K7Q2MX",
                game="duel",
                title="Number Tower Duel",
                preset="classic",
                rated=True,
                rounds=2,
                match=1,
                round=2,
                seat=0,
                opponent=rooms.Player(id="p2", name="bob"),
                score=(2, 0),
                winner=0,
                reason="hand_empty",
                text="Player 1 has placed every tile and wins.",
                at_ms=NOW,
                rating=RATING,
                change=-12,
            )
        ],
        before=None,
    ),
    replies.Record(
        re=19,
        room=None,
        round=1,
        text="game: duel\n",
        frames=[
            rooms.Frame(
                ply=None, seat=None, move=None, forced=False, text="", view=VIEW, clocks=None
            ),
            rooms.Frame(
                ply=0, seat=1, move="3A", forced=False, text="3 on A", view=VIEW, clocks=CLOCKS
            ),
        ],
    ),
    replies.Pong(re=22, now_ms=NOW),
    replies.Error(code=ErrorCode.BAD_FRAME, message="This frame is too long.", temporary=False),
    replies.Error(
        re=12,
        code="stale_ply",
        message="The next ply is 2.",
        temporary=False,
        field="ply",
        option="tiles",
        ply=2,
        round=1,
        wait_ms=60_000,
        limit=5,
    ),
    replies.Paired(room=ROOM, snapshot=SNAPSHOT),
    replies.Presence(
        room=ROOM, seats=(rooms.SeatPresence(online=False, away_since_ms=NOW), None), watchers=2
    ),
    replies.Beat(now_ms=NOW, rooms={ROOM: 7}),
]

SERVER_MESSAGES: list[replies.ServerMessage] = [*REPLIES, *EVENTS]
ALL: list[requests.Request | replies.ServerMessage] = [*REQUESTS, *SERVER_MESSAGES]


def name_of(message: Struct) -> str:
    return type(message).__name__
