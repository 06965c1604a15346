"""The command line: fast to start, and told on its page as it is."""

import argparse
import re
import subprocess
import sys
from pathlib import Path

from client.record_writer import write
from towerhall_client.arguments import COMMANDS, GLOBAL, build_parser
from towerhall_client.exits import ExitCode
from towerhall_client.orders import ORDERS
from towerhall_client.record import read

PAGE = (Path(__file__).parents[2] / "docs" / "client.md").read_text(encoding="utf-8")
HEAVY = ("websockets", "rich", "prompt_toolkit")


def loaded_by(*arguments: str) -> set[str]:
    """The modules that are there when the program has ended."""
    program = (
        "import sys, towerhall_client.cli as cli\n"
        f"try: cli.main({list(arguments)!r})\n"
        "except SystemExit: pass\n"
        "print('\\n'.join(['=====', *sys.modules]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=30
    )
    return set(done.stdout.partition("=====")[2].split())


def test_help_imports_nothing_heavy() -> None:
    for arguments in (["--help"], ["play", "--help"], ["--version"], ["nonsense"]):
        loaded = loaded_by(*arguments)
        assert "towerhall_client.cli" in loaded
        assert not loaded & set(HEAVY)


def test_a_pipe_needs_nothing_to_draw_with() -> None:
    assert not loaded_by("games", "--server", "127.0.0.1:1") & {"rich", "prompt_toolkit"}


def parser_of(command: str) -> argparse.ArgumentParser:
    [choices] = [
        action.choices
        for action in build_parser()._actions
        if isinstance(action, argparse._SubParsersAction)
    ]
    found: argparse.ArgumentParser = choices[command]
    return found


def rows_of(parser: argparse.ArgumentParser, *but: str) -> list[str]:
    """What the page must have of a parser."""
    passing = (argparse._HelpAction, argparse._SubParsersAction)
    return [
        f"| `{_name(action)}` | {action.help} |"
        for action in parser._actions
        if not isinstance(action, passing) and action.dest not in but
    ]


def _name(action: argparse.Action) -> str:
    if not action.option_strings:
        name = str(action.metavar)
    elif action.nargs == 0:
        name = action.option_strings[0]
    else:
        choices = "|".join(map(str, action.choices or ()))
        name = f"{action.option_strings[0]} {action.metavar or choices or action.dest.upper()}"
    return name.replace("|", "\\|")


def section(heading: str) -> str:
    level = heading.partition(" ")[0]
    _, found, rest = PAGE.partition(f"\n{heading}\n")
    assert found, f"the page has no {heading}"
    return re.split(rf"^#{{1,{len(level)}}} ", rest, flags=re.MULTILINE)[0]


def told(text: str) -> list[str]:
    """The rows of a section's table, without its head."""
    return [line for line in text.splitlines() if line.startswith("|")][2:]


def test_the_page_has_every_command_with_every_option() -> None:
    assert re.findall(r"^### `towerhall (\w+)`$", PAGE, re.MULTILINE) == list(COMMANDS)
    assert told(section("## Everywhere")) == rows_of(build_parser())
    for command in COMMANDS:
        rows = told(section(f"### `towerhall {command}`"))
        assert rows == rows_of(parser_of(command), *GLOBAL), command


def test_the_page_has_every_order_and_every_exit_code() -> None:
    assert told(section("## In a room")) == [f"| `/{o.name}` | {o.help} |" for o in ORDERS]
    codes = [int(row.split("|")[1]) for row in told(section("## Exit codes"))]
    assert codes == list(ExitCode)


def test_the_pages_record_is_one() -> None:
    example = section("## Records").split("```")[1].lstrip("\n")
    assert write(read(example)) == example


def test_every_command_says_how_it_ends() -> None:
    for command in COMMANDS:
        assert "Exit codes: 0 done" in parser_of(command).format_help().replace("\n", " ")
