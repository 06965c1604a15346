"""`towerhall lobby`: who wants to play, what is being played."""

import asyncio
from typing import Any

from towerhall_client.commands import play, watch
from towerhall_client.connection import Connection, News
from towerhall_client.exits import ExitCode
from towerhall_client.lobby_list import HEADINGS, Entry, entries_of, headline
from towerhall_client.visit import Visit
from towerhall_protocol.lobby import SeekCount
from towerhall_protocol.replies import LobbyState
from towerhall_protocol.requests import ClockAsked, LobbyRequest
from towerhall_protocol.rooms import GameInfo


async def run(visit: Visit) -> ExitCode:
    connection = await visit.connect()
    lobby = await connection.ask(LobbyState, LobbyRequest, on=True)
    if visit.output.drawn:
        from towerhall_client.lobby_terminal import LobbyTerminal

        entry = await LobbyTerminal(connection, lobby, color=visit.output.color).run()
        if entry is None:
            return ExitCode.DONE  # the hall is told by the end of the connection
        await connection.ask(LobbyState, LobbyRequest, on=False)
        return await _go(visit, connection, entry)
    games = connection.welcome.games
    _print(visit, lobby, games)
    if visit.args.follow:
        connection.hear = lambda news: _print_news(visit, news, games)
        connection.line = visit.output.line_changed
        raise await asyncio.shield(connection.ended)
    return ExitCode.DONE


async def _go(visit: Visit, connection: Connection, entry: Entry) -> ExitCode:
    if isinstance(entry.thing, SeekCount):
        game = next(g for g in connection.welcome.games if g.id == entry.thing.game)
        return await play.quick_match(visit, connection, game, _same(entry.thing))
    go = play.join if entry.deed == "join" else watch.watch
    return await go(visit, connection, entry.thing.code)


def _same(seek: SeekCount) -> dict[str, Any]:
    """The wish that pairs with this one."""
    clock = seek.clock
    asked = clock and ClockAsked(initial_ms=clock.initial_ms, increment_ms=clock.increment_ms)
    fields = {"preset": seek.preset, "options": seek.options, "clock": asked}
    return {**fields, "rounds": seek.rounds, "rated": seek.rated}


def _print_news(visit: Visit, news: News, games: list[GameInfo]) -> None:
    if isinstance(news, LobbyState):
        _print(visit, news, games)


def _print(visit: Visit, lobby: LobbyState, games: list[GameInfo]) -> None:
    if visit.output.json:
        visit.output.object(lobby)
        return
    visit.output.line(headline(lobby))
    if entries := entries_of(lobby, games):
        visit.output.table(HEADINGS, [entry.cells for entry in entries])
