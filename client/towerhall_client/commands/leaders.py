"""`towerhall leaders GAME`: the best players of a game."""

from towerhall_client.exits import ExitCode
from towerhall_client.visit import Visit, find_game
from towerhall_protocol.lobby import Leader
from towerhall_protocol.replies import Leaders
from towerhall_protocol.requests import LeadersRequest


async def run(visit: Visit) -> ExitCode:
    connection = await visit.connect()
    game = find_game(connection.welcome.games, visit.args.game)
    leaders = await connection.ask(Leaders, LeadersRequest, game=game.id)
    out = visit.output
    if out.json:
        out.object(leaders)
        return ExitCode.DONE
    if not leaders.best:
        out.line(f"Nobody is ranked in {game.title} yet: that takes a few rated matches.")
    else:
        out.table(["rank", "player", "rating", "±", "matches"], [_row(one) for one in leaders.best])
    if leaders.own and leaders.own.rank > len(leaders.best):
        own = leaders.own
        out.line(f"You are {own.rank} of {leaders.players}, with {own.rating.value}.")
    return ExitCode.DONE


def _row(leader: Leader) -> list[str]:
    rating = leader.rating
    return [
        str(leader.rank),
        leader.name,
        str(rating.value),
        str(rating.deviation),
        str(rating.matches),
    ]
