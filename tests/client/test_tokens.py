"""Tokens: one file per server, for nobody else's eyes; each name a player of its own."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from towerhall_client.addresses import Address
from towerhall_client.tokens import Tokens

HALL, OTHER = Address("hall.example", 7777), Address("other.example", 7777)


def test_each_name_is_a_player_and_the_last_one_is_taken(tmp_path: Path) -> None:
    tokens = Tokens((HALL,), tmp_path)
    assert tokens.find(None) is tokens.find("ann") is None
    tokens.keep("ann", "token-a")
    tokens.keep("bob", "token-b")
    assert (tokens.find("ann"), tokens.find(None)) == ("token-a", "token-b")
    tokens.keep("Player-1", "token-1", last=False)
    assert tokens.find(None) == "token-b"


def test_a_token_is_given_to_its_own_hall_only(tmp_path: Path) -> None:
    Tokens((HALL,), tmp_path).keep("ann", "token-a")
    assert Tokens((OTHER,), tmp_path).find("ann") is None


def test_all_addresses_of_a_hall_have_the_token(tmp_path: Path) -> None:
    Tokens((HALL, OTHER), tmp_path).keep("ann", "token-a")
    assert Tokens((OTHER,), tmp_path).find("ann") == "token-a"


def test_a_forgotten_token_is_gone(tmp_path: Path) -> None:
    tokens = Tokens((HALL,), tmp_path)
    tokens.keep("ann", "token-a")
    tokens.forget("token-a")
    assert tokens.find("ann") is tokens.find(None) is None


def test_nobody_else_can_read_the_file(tmp_path: Path) -> None:
    Tokens((HALL,), tmp_path / "towerhall").keep("ann", "token-a")
    for file in (tmp_path / "towerhall").iterdir():
        assert file.stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "towerhall").stat().st_mode & 0o777 == 0o700


def test_a_damaged_file_is_started_anew(tmp_path: Path) -> None:
    (tmp_path / "hall.example_7777.json").write_text("{]")
    tokens = Tokens((HALL,), tmp_path)
    assert tokens.find("ann") is None
    tokens.keep("ann", "token-a")
    assert tokens.find("ann") == "token-a"


def test_many_at_once_lose_none(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        names = [f"player-{n}" for n in range(40)]
        list(pool.map(lambda name: Tokens((HALL,), tmp_path).keep(name, name), names))
    assert all(Tokens((HALL,), tmp_path).find(name) == name for name in names)
