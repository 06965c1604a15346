"""Names: what belongs together is in one slot, and ids are not codes."""

import pytest

from towerhall_server.store import SHARDS, is_id, new_code, new_player, new_room, shard_of
from towerhall_server.store.keys import (
    code_key,
    keys_of_player,
    keys_of_ratings,
    keys_of_room,
    keys_of_shard,
    room_of_channel,
    shard_of_code,
    token_key,
)


def tag(key: str) -> str:
    return key[key.index("{") : key.index("}") + 1]


def test_all_keys_of_a_room_share_a_slot() -> None:
    for _ in range(200):
        code = new_code()
        room = new_room(code)
        tags = {tag(key) for key in (*keys_of_room(room)[:-1], code_key(code))}
        assert tags == {tag(keys_of_shard(shard_of_code(code)).pulse)}


def test_all_keys_of_a_player_share_a_slot() -> None:
    token_hash = "f3" * 32
    player = new_player(token_hash)
    assert len({tag(key) for key in (*keys_of_player(player), token_key(token_hash))}) == 1


def test_all_ratings_of_a_game_share_a_slot() -> None:
    assert len({tag(key) for key in keys_of_ratings("duel")}) == 1
    assert tag(keys_of_ratings("duel").best) != tag(keys_of_ratings("chain").best)


def test_an_id_is_none_of_the_codes_and_tells_its_shard() -> None:
    room = new_room("K7Q2MX")
    assert is_id(room)
    assert len(room) >= 16
    assert shard_of(room) == shard_of_code("K7Q2MX") < SHARDS
    assert room_of_channel(keys_of_room(room).channel) == room


@pytest.mark.parametrize("text", ["", "K7Q2MX", "40" + "a" * 18, "0A" + "a" * 18, "0 " + "a" * 18])
def test_other_text_is_no_id(text: str) -> None:
    assert not is_id(text)


def test_rooms_are_spread_over_all_shards() -> None:
    assert {shard_of(new_room(new_code())) for _ in range(3000)} == set(range(SHARDS))
