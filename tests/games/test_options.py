"""What can be set in each game, and how a wrong setting is refused."""

from typing import Any

import pytest

from games.assertions import every_game
from towerhall_server.games import GAMES, BadOptions, Game, NoSuchGame, Option
from towerhall_server.games import game as find

OFFERED = {
    "strangers": {"pool": (9, 4, 99), "copies": (0, 0, 9), "one_may_open": True},
    "relatives": {"pool": (9, 4, 100), "even_opening": False},
    "duel": {"tiles": (5, 3, 9), "towers": (3, 2, 6)},
    "chain": {"target": (10, 3, 30), "strict": True},
    "builder": {"target": (20, 6, 34), "shared": False},
}
PRESETS = {
    ("strangers", "classic"): (False, {}),
    ("strangers", "singles"): (True, {"pool": 20, "copies": 1, "one_may_open": False}),
    ("relatives", "classic"): (False, {}),
    ("relatives", "juniper"): (True, {"pool": 40, "even_opening": True}),
    ("duel", "classic"): (True, {}),
    ("duel", "grand"): (True, {"tiles": 7, "towers": 4}),
    ("chain", "classic"): (True, {}),
    ("chain", "marathon"): (True, {"target": 25}),
    ("builder", "classic"): (False, {}),
    ("builder", "quarry"): (True, {"shared": True}),
}
EACH_OPTION = [
    pytest.param(game, option, id=f"{game.id}-{option.name}")
    for game in GAMES
    for option in game.options
]


def assert_bad_option(
    game: Game[Any], given: dict[str, object], option: str, sentence: str
) -> None:
    """Both ways in are closed, with the option's name and this sentence."""
    for refused in (lambda: game.resolve(given), lambda: game.start(given, 0)):
        with pytest.raises(BadOptions) as refusal:
            refused()
        assert refusal.value.option == option
        assert str(refusal.value) == sentence


@pytest.mark.parametrize("game_id", OFFERED)
def test_the_five_games_offer_these_options(game_id: str) -> None:
    assert OFFERED[game_id] == {
        option.name: (option.default, *option.range) if option.range else option.default
        for option in find(game_id).options
    }


@pytest.mark.parametrize(("game_id", "name"), PRESETS)
def test_the_five_games_offer_these_presets(game_id: str, name: str) -> None:
    rated, options = PRESETS[game_id, name]
    preset = find(game_id).preset(name)
    assert (preset.rated, dict(preset.options)) == (rated, options)


@every_game
def test_every_game_has_a_classic_preset_of_its_defaults(game: Game[Any]) -> None:
    defaults = {option.name: option.default for option in game.options}
    assert game.resolve({}) == game.resolve({}, "classic") == defaults


@every_game
def test_every_preset_resolves_to_a_value_for_every_option(game: Game[Any]) -> None:
    for preset in game.presets:
        values = game.resolve({}, preset.name)
        assert values.keys() == {option.name for option in game.options}
        assert values.items() >= preset.options.items()
        assert game.to_move(game.start(values, 1)) == 1


@every_game
@pytest.mark.parametrize("end", [0, 1], ids=["lowest", "highest"])
def test_the_ends_of_the_ranges_are_allowed(game: Game[Any], end: int) -> None:
    values = {option.name: option.range[end] if option.range else True for option in game.options}
    assert game.resolve(values) == values


@every_game
def test_what_is_given_comes_before_the_preset(game: Game[Any]) -> None:
    for preset in game.presets:
        given = {option.name: option.default for option in game.options}
        assert game.resolve(given, preset.name) == given


@pytest.mark.parametrize(("game", "option"), EACH_OPTION)
def test_a_wrong_value_is_refused_with_the_name_and_the_range(
    game: Game[Any], option: Option
) -> None:
    wrong: list[object] = ["9", "true", None, 9.0, [9]]
    sentence = f"{option.name} must be true or false."
    if option.range:
        low, high = option.range
        wrong += [low - 1, high + 1, -1, 10**30, True]
        sentence = f"{option.name} must be a whole number from {low} to {high}."
    else:
        wrong += [0, 1]
    for value in wrong:
        assert_bad_option(game, {option.name: value}, option.name, sentence)


@every_game
def test_an_unknown_option_is_refused_with_those_that_exist(game: Game[Any]) -> None:
    names = ", ".join(option.name for option in game.options)
    sentence = f"{game.title} has no option colour; it has {names}."
    assert_bad_option(game, {"colour": 3}, "colour", sentence)


@every_game
@pytest.mark.parametrize("name", ["", "Pool", "no\nname", "x" * 33], ids=ascii)
def test_an_unspeakable_option_is_not_repeated_in_the_refusal(game: Game[Any], name: str) -> None:
    names = ", ".join(option.name for option in game.options)
    sentence = f"{game.title} has no option of that name; it has {names}."
    assert_bad_option(game, {name: 3}, name, sentence)


@every_game
def test_an_unknown_preset_is_refused_with_those_that_exist(game: Game[Any]) -> None:
    with pytest.raises(BadOptions) as refusal:
        game.resolve({}, "deluxe")
    assert refusal.value.option == "preset"
    assert all(preset.name in str(refusal.value) for preset in game.presets)


@pytest.mark.parametrize("tiles", range(3, 7))
def test_a_duel_has_fewer_towers_than_tiles(tiles: int) -> None:
    duel = find("duel")
    assert duel.resolve({"tiles": tiles, "towers": tiles - 1})["towers"] == tiles - 1
    sentence = f"towers must be from 2 to {tiles - 1} with {tiles} tiles."
    assert_bad_option(duel, {"tiles": tiles, "towers": tiles}, "towers", sentence)


def test_an_unknown_game_is_refused_with_those_that_exist() -> None:
    with pytest.raises(NoSuchGame) as refusal:
        find("checkers")
    assert all(known.id in str(refusal.value) for known in GAMES)


@every_game
def test_every_game_is_found_by_its_id(game: Game[Any]) -> None:
    assert find(game.id) is game
    assert game.title and game.summary.endswith(".") and game.rules.endswith(".")
