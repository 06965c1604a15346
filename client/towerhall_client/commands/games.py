"""`towerhall games`: what can be played here."""

from towerhall_client.exits import ExitCode
from towerhall_client.visit import Visit


async def run(visit: Visit) -> ExitCode:
    connection = await visit.connect()
    games = connection.welcome.games
    if visit.output.json:
        for game in games:
            visit.output.object(game)
        return ExitCode.DONE
    rows = [
        [game.id, game.title, " ".join(preset.name for preset in game.presets), game.summary]
        for game in games
    ]
    visit.output.table(["game", "title", "presets", "in one line"], rows)
    return ExitCode.DONE
