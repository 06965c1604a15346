"""`towerhall`: the command line. Nothing heavy is imported before it is known what to do."""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from towerhall_client.arguments import build_parser
from towerhall_client.streams import flush_help, hold_streams, let_go

DEFAULT_SERVER = "localhost"
WHERE = "Name a hall with --server, or open one on this machine: towerhall-server"


def main(argv: Sequence[str] | None = None) -> int:
    hold_streams()
    try:
        args = _read(sys.argv[1:] if argv is None else argv)
        return 2 if args is None else _run(args)
    except BrokenPipeError:
        # Whoever read our output has seen enough.
        let_go(sys.stdout)
        return 0
    except KeyboardInterrupt:
        return 130


def _read(argv: Sequence[str]) -> argparse.Namespace | None:
    """None, and usage on stderr, where a pipe asked for nothing; ends the program for `--help`."""
    parser = build_parser()
    try:
        args, left = parser.parse_known_args(argv)
        # Words on both sides of an option are words all the same: `play duel --new K7Q-2MX`.
        if left and (args.command != "play" or any(word.startswith("-") for word in left)):
            parser.error(f"unrecognized arguments: {' '.join(left)}")
        if left:
            args.words += left
    finally:
        flush_help()
    if not getattr(args, "command", None):
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            parser.print_usage(sys.stderr)
            return None
        parser.parse_args(["play"], namespace=args)
    return args


def _run(args: argparse.Namespace) -> int:
    import asyncio

    from towerhall_client.exits import Stop, Unwritable
    from towerhall_client.output import Output
    from towerhall_client.terminated import Terminated, until_terminated

    color = not args.no_color and not os.environ.get("NO_COLOR")
    output = Output(json=args.json, plain=args.plain, color=color)
    try:
        return int(asyncio.run(until_terminated(_visit(args, output))))
    except Stop as stop:
        if isinstance(stop, Unwritable):
            let_go(sys.stdout)
        output.problem(stop.sentence)
        return int(stop.code)
    except Terminated as terminated:
        return terminated.end()


async def _visit(args: argparse.Namespace, output: Any) -> int:
    from towerhall_client.addresses import read_servers
    from towerhall_client.exits import NoConnection
    from towerhall_client.visit import Visit

    told = args.server or [word for word in [os.environ.get("TOWERHALL_SERVER")] if word]
    addresses = read_servers(told or [DEFAULT_SERVER])
    name = args.name or os.environ.get("TOWERHALL_NAME") or None
    visit: Visit = Visit(args, output, addresses, name)
    command = import_module(f"towerhall_client.commands.{args.command}")
    try:
        return int(await command.run(visit))
    except NoConnection as stop:
        if told or visit.addresses != addresses:  # a link names its hall, too
            raise
        raise NoConnection(f"{stop.sentence} {WHERE}") from None
    finally:
        await visit.close()
