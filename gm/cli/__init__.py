"""`gm`: the operator's command line. One module a subcommand, imported only when it is asked for.

Each `gm/cli/<name>.py` has `main(argv) -> int`, the exit status: 0 done, 1 something to mend (said on standard error),
2 a command line that is not understood. Importing lazily keeps `gm adjudicate` free of the database, the templates and
the grammars' libraries until it needs them.

Place: above everything; nothing imports it but `gm.__main__`.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Mapping, Sequence

from gm import __version__
from gm.errors import GmError

COMMANDS: Mapping[str, str] = {
    "init": "write a configuration and a server key",
    "serve": "run the server",
    "check": "say what is right and what to mend",
    "mail": "mails set aside or quarantined: show, replay, drop",
    "adjudicate": "adjudicate phases given as JSON lines, without a database",
    "verify": "check every draw and every phase of a finished game",
    "demo": "play a whole game by mail against an own server",
    "say": "post one mail to a server that runs alone, and show the answer",
}
"""Each subcommand and what it does, in the order in which an operator meets them."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one subcommand and return the exit status."""
    given = _parser().parse_args(argv)
    command = importlib.import_module(f"gm.cli.{given.command}")
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


def _parser() -> argparse.ArgumentParser:
    commands = "\n".join(f"  {name:<12}{purpose}" for name, purpose in COMMANDS.items())
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
