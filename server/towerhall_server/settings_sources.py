"""Where settings come from: flags, then variables, then the TOML file.

Errors: SettingsError, whose sentence names the setting and where its value came from.
"""

import argparse
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import Field, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from .settings_values import Reader, yes_or_no

CONFIG_FLAG, CONFIG_VARIABLE = "--config", "TOWERHALL_CONFIG"


class SettingsError(Exception):
    """A setting that cannot be used."""


@dataclass(frozen=True)
class Setting:
    """One setting, under its three names."""

    name: str
    read: Reader
    help: str
    many: bool
    default_shown: str

    @property
    def flag(self) -> str:
        return "--" + self.name.replace("_", "-")

    @property
    def variable(self) -> str:
        return "TOWERHALL_" + self.name.upper()

    @property
    def key(self) -> str:
        return self.name

    @classmethod
    def of(cls, field: "Field[Any]") -> "Setting":
        about = field.metadata
        default = str(about["shown"] or field.default).removesuffix(".0").lower()
        return cls(field.name, about["read"], about["help"], about["many"], default)


def gather(
    settings: Sequence[Setting], argv: Sequence[str], environ: Mapping[str, str]
) -> dict[str, Any]:
    """The value of every setting that was given anywhere."""
    flags = vars(_parser(settings).parse_args(argv))
    file = flags.pop("config", None) or environ.get(CONFIG_VARIABLE)
    table = _read_file(Path(file), settings) if file else {}
    values: dict[str, Any] = {}
    for setting in settings:
        if setting.name in flags:
            values[setting.name] = read(setting, flags[setting.name], f"the flag {setting.flag}")
        # An empty variable is how a container file says "not set".
        elif given := environ.get(setting.variable):
            source = f"the variable {setting.variable}"
            values[setting.name] = read(
                setting, given.split(",") if setting.many else given, source
            )
        elif setting.key in table:
            source = f"{setting.key} in {file}"
            values[setting.name] = read(setting, table[setting.key], source)
    return values


def read(setting: Setting, value: object, source: str) -> Any:
    try:
        if not setting.many:
            return setting.read(value)
        items: Iterable[object] = value if isinstance(value, list) else [value]
        return tuple(setting.read(item) for item in items)
    except ValueError as wrong:
        name = setting.name.replace("_", " ")
        raise SettingsError(f"The setting {name}, from {source}, {wrong}.") from None


def _parser(settings: Sequence[Setting]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="towerhall-server",
        description="Open a hall where people play number games against each other.",
        epilog="Each flag has a variable too (--log-level: TOWERHALL_LOG_LEVEL) and a key in the "
        "TOML file (log_level). Flags win over variables, variables over the file.",
        argument_default=argparse.SUPPRESS,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"towerhall {version('towerhall')}")
    parser.add_argument(CONFIG_FLAG, metavar="FILE", help="TOML file with any of these settings")
    for setting in settings:
        extra: dict[str, Any] = {"metavar": "VALUE"}
        if setting.many:
            extra |= {"action": "append"}
        if setting.read is yes_or_no:
            extra |= {"nargs": "?", "const": "true", "metavar": "true|false"}
        shown = f"{setting.help} (default: {setting.default_shown})".replace("%", "%%")
        parser.add_argument(setting.flag, dest=setting.name, help=shown, **extra)
    return parser


def _read_file(path: Path, settings: Sequence[Setting]) -> dict[str, Any]:
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as wrong:
        raise SettingsError(f"The file {path} cannot be read: {wrong.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as wrong:
        raise SettingsError(f"The file {path} is not valid TOML: {wrong}.") from None
    known = [setting.key for setting in settings]
    for key in table:
        if key not in known:
            raise SettingsError(f"The file {path} sets {key!r}; there are: {', '.join(known)}.")
    return table
