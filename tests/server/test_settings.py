"""Settings: three sources, one table, and a sentence for whatever cannot be used."""

from ipaddress import ip_network
from pathlib import Path

import pytest

from towerhall_server.lifetimes import USUAL, Lifetimes
from towerhall_server.settings import SETTINGS, Settings, SettingsError, load


def test_without_anything_the_defaults_hold() -> None:
    settings = load([], {})
    assert settings == Settings()
    assert (settings.port, settings.workers, settings.redis) == (7777, 1, None)
    assert settings.data.is_absolute()


def test_flags_win_over_variables_and_variables_over_the_file(tmp_path: Path) -> None:
    file = tmp_path / "hall.toml"
    file.write_text("port = 1\nworkers = 2\nlog_level = 'debug'\n")
    environ = {"TOWERHALL_CONFIG": str(file), "TOWERHALL_PORT": "3", "TOWERHALL_WORKERS": "4"}
    settings = load(["--port", "5"], environ)
    assert (settings.port, settings.workers, settings.log_level) == (5, 4, "debug")


def test_the_config_flag_wins_over_the_config_variable(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("port = 1")
    (tmp_path / "b").write_text("port = 2")
    environ = {"TOWERHALL_CONFIG": str(tmp_path / "a")}
    assert load(["--config", str(tmp_path / "b")], environ).port == 2


def test_an_empty_variable_is_not_set() -> None:
    assert load([], {"TOWERHALL_PORT": "", "TOWERHALL_REDIS": ""}) == Settings()


@pytest.mark.parametrize(
    ("argv", "environ", "toml"),
    [
        (["--trusted-proxy", "10.0.0.0/8", "--trusted-proxy", "::1"], {}, ""),
        ([], {"TOWERHALL_TRUSTED_PROXY": "10.0.0.0/8, ::1"}, ""),
        ([], {}, "trusted_proxy = ['10.0.0.0/8', '::1']"),
    ],
    ids=["flags", "variable", "file"],
)
def test_a_setting_may_have_several_values(
    tmp_path: Path, argv: list[str], environ: dict[str, str], toml: str
) -> None:
    file = tmp_path / "hall.toml"
    file.write_text(toml)
    settings = load(["--config", str(file), *argv], environ)
    assert settings.trusted_proxy == (ip_network("10.0.0.0/8"), ip_network("::1/128"))


@pytest.mark.parametrize(
    ("given", "value"),
    [("--metrics-open", True), ("--metrics-open=false", False), ("--metrics-open=on", True)],
)
def test_a_yes_or_no_needs_no_value(given: str, value: bool) -> None:
    assert load([given], {}).metrics_open is value


BAD = {
    "port": ["-1", "65536", "x", "7_777", "1.5", "٣"],
    "workers": ["0", "257"],
    "redis": ["localhost:6379", "http://h"],
    "origin": ["hall.example.org", "https://h/path", "ftp://h"],
    "trusted_proxy": ["10.0.0.1/8", "nowhere"],
    "metrics_open": ["perhaps"],
    "log_level": ["loud"],
    "log_format": ["xml"],
    "requests_per_second": ["0", "-1", "nan", "inf", "x"],
    "drain_seconds": ["never"],
    "public_url": ["hall.example.org", "ws://h"],
    "node": ["two words", "x" * 65],
    "data": ["", "\x1b[2J"],
}
CASES = [(name, value) for name, values in BAD.items() for value in values]


@pytest.mark.parametrize(("name", "value"), CASES)
def test_a_bad_value_is_named_with_its_source(tmp_path: Path, name: str, value: str) -> None:
    setting = next(setting for setting in SETTINGS if setting.name == name)
    shown = name.replace("_", " ")
    with pytest.raises(SettingsError, match=f"setting {shown}, from the flag {setting.flag}, must"):
        load([f"{setting.flag}={value}"], {})
    if value:
        variable = setting.variable
        with pytest.raises(SettingsError, match=f"{shown}, from the variable {variable}, must"):
            load([], {variable: value})
    file = tmp_path / "hall.toml"
    file.write_text(f"{name} = {_quoted(value)}")
    with pytest.raises(SettingsError, match=f"{shown}, from {name} in {file}, must"):
        load(["--config", str(file)], {})


def _quoted(value: str) -> str:
    return '"' + value.replace("\x1b", "\\u001b") + '"'


@pytest.mark.parametrize("toml", ["port = true", "port = 1.0", "metrics_open = 1", "host = 1"])
def test_a_value_of_another_type_is_refused_in_the_file(tmp_path: Path, toml: str) -> None:
    (tmp_path / "hall.toml").write_text(toml)
    with pytest.raises(SettingsError, match="must be"):
        load(["--config", str(tmp_path / "hall.toml")], {})


@pytest.mark.parametrize(
    ("content", "says"),
    [("prot = 1", "sets 'prot'"), ("port =", "not valid TOML"), (None, "cannot be read")],
)
def test_a_bad_file_is_a_sentence(tmp_path: Path, content: str | None, says: str) -> None:
    file = tmp_path / "hall.toml"
    if content is not None:
        file.write_text(content)
    with pytest.raises(SettingsError, match=says):
        load(["--config", str(file)], {})


def test_an_unknown_or_shortened_flag_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    for flag in ("--prot=1", "--por=1"):
        with pytest.raises(SystemExit) as end:
            load([flag], {})
        assert end.value.code == 2
    assert "unrecognized" in capsys.readouterr().err


def test_the_password_of_the_store_is_in_no_repr_and_no_complaint() -> None:
    assert "secret" not in repr(load(["--redis", "redis://:secret@h"], {}))
    with pytest.raises(SettingsError) as refusal:
        load(["--redis", "http://:secret@h"], {})
    assert "secret" not in str(refusal.value)


def test_a_worker_gets_the_same_settings() -> None:
    given = ["--redis", "redis://h", "--origin", "https://a", "--trusted-proxy", "10.0.0.0/8"]
    settings = load([*given, "--drain-seconds", "2.5", "--data", "x"], {})
    assert Settings.from_json(settings.to_json()) == settings
    assert Settings.from_json(Settings().to_json()) == Settings()


def test_no_two_processes_share_a_node_name() -> None:
    assert Settings().named().node != Settings().named().node
    assert Settings(node="a").named().node.startswith("a-")
    assert Settings(node="a").named().node != Settings(node="a").named().node


def test_the_help_names_every_flag(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        load(["--help"], {})
    shown = capsys.readouterr().out
    assert all(setting.flag in shown for setting in SETTINGS)
    assert shown.isascii()


def test_how_long_things_are_kept_is_settable_in_hours_and_days() -> None:
    assert load([], {}).lifetimes == USUAL
    flags = ["--keep-open-hours", "0.5", "--keep-idle-days", "2", "--keep-records-days", "90"]
    more = ["--keep-guests-days", "0.25", "--keep-players-days", "0.0000000001"]
    assert load(flags + more, {}).lifetimes == Lifetimes(
        open_ms=1_800_000,
        idle_ms=172_800_000,
        record_ms=7_776_000_000,
        guest_ms=21_600_000,
        player_ms=1,
    )
