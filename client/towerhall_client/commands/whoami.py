"""`towerhall whoami`: which player one is in this hall."""

from towerhall_client.exits import ExitCode
from towerhall_client.unfinished import described, unfinished
from towerhall_client.visit import Visit


async def run(visit: Visit) -> ExitCode:
    connection = await visit.connect()
    welcome, out = connection.welcome, visit.output
    if out.json:
        out.object({"player": welcome.player, "ratings": welcome.ratings, "seats": welcome.seats})
        return ExitCode.DONE
    out.line(f"{welcome.player.name} at {connection.address.place}")
    titles = {game.id: game.title for game in welcome.games}
    for game, rating in welcome.ratings.items():
        unsure = ", provisional" if rating.provisional else ""
        matches = "1 match" if rating.matches == 1 else f"{rating.matches} matches"
        out.line(f"{titles.get(game, game)}: {rating.value} after {matches}{unsure}")
    for room in await unfinished(connection):
        out.line(f"Not over: {described(room)}")
    return ExitCode.DONE
