"""`gm`: the operator's command line. One module for each subcommand, imported only when it is asked for.

Each has `main(argv) -> int`, the exit status: 0 done, 1 a problem (reported on standard error), 2 a command line that
is not understood. Importing lazily keeps `gm adjudicate` free of the database, the templates and the grammars'
libraries until it needs them.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from gm import __version__
from gm.errors import GmError

COMMANDS: Mapping[str, tuple[str, str]] = {
    "init": ("init", "write a configuration and a server key"),
    "serve": ("serve", "run the server"),
    "check": ("check", "check the installation and report problems"),
    "mail": ("mailbox", "show, replay or drop mails that were set aside or quarantined"),
    "adjudicate": ("adjudicate", "adjudicate phases given as JSON lines, without a database"),
    "verify": ("verify", "check every draw and every phase of a finished game"),
    "demo": ("demo_command", "watch a whole game being played by mail against a server of its own"),
    "say": ("say", "send one mail to a server on this machine and show the answer"),
}
"""Each subcommand, its module and what it does, in the order in which an operator meets them."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one subcommand and return the exit status."""
    given = _parser().parse_args(argv)
    command = importlib.import_module(f"gm.cli.{COMMANDS[given.command][0]}")
    usual = os.umask(0o077)  # the key, the database and the mailboxes are nobody else's to read
    try:
        status: int = command.main(given.arguments)
        sys.stdout.flush()
    except GmError as error:
        print(f"gm {given.command}: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        sys.stdout = None  # the reader has gone; leave Python nothing to flush at exit
        return 0
    except KeyboardInterrupt:
        return 130
    finally:
        os.umask(usual)
    return status


def add_home(parser: argparse.ArgumentParser) -> None:
    """Add `--home FOLDER` to a subcommand that has a server; `home` of the parsed arguments is an absolute path."""
    parser.add_argument(
        "--home",
        type=lambda text: Path(text).expanduser().absolute(),
        default=Path(os.environ.get("GM_HOME") or ".").expanduser().absolute(),
        metavar="FOLDER",
        help="the server's folder, where gm.toml lies (default: $GM_HOME, else the current folder)",
    )


def _parser() -> argparse.ArgumentParser:
    commands = "\n".join(f"  {name:<12}{purpose}" for name, (_, purpose) in COMMANDS.items())
    parser = argparse.ArgumentParser(
        prog="gm",
        description="A gamemaster server for Diplomacy played by e-mail.",
        epilog=f"commands:\n{commands}\n\n`gm COMMAND --help` tells more.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"gm {__version__}")
    parser.add_argument("command", choices=COMMANDS, metavar="COMMAND", help="one of the commands below")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    return parser
