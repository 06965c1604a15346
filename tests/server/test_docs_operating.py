"""The operator's page has every setting, metric and refusal there is, and no other."""

import re
from pathlib import Path

from towerhall_server.metrics import METRICS
from towerhall_server.settings import SETTINGS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")


def rows(heading: str) -> list[str]:
    """The rows of the table under that row of headings."""
    _, found, rest = PAGE.partition(heading + "\n")
    assert found, f"the page has no table {heading}"
    lines = rest.splitlines()[1:]
    return lines[: next(i for i, line in enumerate(lines) if not line.startswith("|"))]


def test_the_page_has_every_setting_with_its_names_default_and_meaning() -> None:
    told = rows("| flag | variable | key in the file | default | meaning |")
    assert told.pop(0).startswith("| `--config` | `TOWERHALL_CONFIG` |")
    assert told == [
        f"| `{s.flag}` | `{s.variable}` | `{s.key}` | {s.default_shown} | {s.help} |"
        for s in SETTINGS
    ]


def test_the_page_has_every_metric_with_its_kind_label_and_meaning() -> None:
    assert rows("| metric | kind | label | meaning |") == [
        f"| `{m.name}{'_total' if m.kind == 'counter' else ''}` | {m.kind} | {m.label or ''} "
        f"| {m.meaning} |".replace("|  |", "| |")
        for m in METRICS
    ]


def test_the_page_names_no_flag_variable_or_metric_that_is_not() -> None:
    flags = {s.flag for s in SETTINGS} | {"--config", "--upgrade"}
    assert set(re.findall(r"`[^`\n]*?(--[a-z][a-z-]+)", PAGE)) <= flags
    variables = {s.variable for s in SETTINGS} | {"TOWERHALL_CONFIG"}
    assert set(re.findall(r"TOWERHALL_[A-Z_]+", PAGE)) <= variables
    metrics = {f"{m.name}{'_total' if m.kind == 'counter' else ''}" for m in METRICS}
    assert set(re.findall(r"towerhall_[a-z_]+", PAGE)) <= metrics


def test_every_link_and_file_on_the_page_is_there() -> None:
    headings = {
        re.sub(r"[^a-z -]", "", line.lstrip("# ").lower()).replace(" ", "-")
        for line in PAGE.splitlines()
        if line.startswith("#")
    }
    assert set(re.findall(r"\]\(#([^)]+)\)", PAGE)) <= headings
    for file in re.findall(r"`(deploy/[^`]+)`", PAGE):
        assert (ROOT / file).exists(), file


def test_the_files_for_deployment_use_settings_that_exist() -> None:
    variables = {s.variable for s in SETTINGS} | {"TOWERHALL_"}
    for file in (ROOT / "deploy").iterdir():
        assert set(re.findall(r"TOWERHALL_[A-Z_]*", file.read_text(encoding="utf-8"))) <= variables
