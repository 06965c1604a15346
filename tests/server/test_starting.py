"""The entry point, before anything runs."""

import importlib.util

import pytest

from towerhall_server import __main__ as program


@pytest.mark.parametrize("missing", program.EXTRA)
def test_without_its_extra_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], missing: str
) -> None:
    found = importlib.util.find_spec

    def find_spec(name: str) -> object:
        return None if name == missing else found(name)

    monkeypatch.setattr(importlib.util, "find_spec", find_spec)
    assert program.main([]) == 1
    said = capsys.readouterr().err
    assert missing in said and "pip install 'towerhall[server]'" in said


def test_a_bad_flag_is_exit_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert program.main(["--port", "x"]) == 2
    assert "must be a whole number from 0 to 65535" in capsys.readouterr().err
