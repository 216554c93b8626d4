"""`gm`: the operator's command line. One module for each subcommand, imported only when it is asked for.

Each has `main(given) -> int`: from what its command line says (`command_lines`, read before it is imported) to the exit
status: 0 done, 1 a problem (reported on standard error), 2 a command line that is not understood.

Importing lazily keeps `gm adjudicate` free of the database, the templates and the grammars'
libraries until it needs them.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import io
import os
import re
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, TextIO

from gm import __version__
from gm.errors import GmError

if TYPE_CHECKING:
    from gm.settings import Settings

COMMANDS: Mapping[str, tuple[str, str]] = {
    "init": ("init", "write a configuration and a server key"),
    "serve": ("serve", "run the server"),
    "check": ("check", "check the installation and report problems"),
    "games": ("games", "list the games, or one of them with its seats"),
    "oauth2": ("init:oauth2", "give leave to read and send mail at Google or Microsoft, once"),
    "mail": ("mailbox", "show, replay or drop mails that were set aside or quarantined; flush what waits to be sent"),
    "tidy": ("mailbox:tidy", "delete the content of mails that were dealt with long ago"),
    "forget": ("mailbox:forget", "delete a person's name, addresses and mails, as FORGET ME does"),
    "backup": ("keeping", "write the database, the configuration and the keys into one file"),
    "restore": ("keeping:restore", "make a server's folder from such a file"),
    "move": ("move", "move the server: to another database, mail address or key"),
    "upgrade": ("move:upgrade", "upgrade the database, or say whether that is possible"),
    "adjudicate": ("adjudicate", "adjudicate phases given as JSON lines, without a database"),
    "verify": ("verify", "check every draw and every phase of a finished game"),
    "export": ("publish:export", "write a game as a file for other programs, or the map of a phase"),
    "publish": ("publish", "write the gallery, a static site that shows all games to everybody"),
    "variant": ("variant", "check a game that is a file: draw its start, and let stand-ins play it"),
    "demo": ("demo_command", "watch a whole game being played by mail against a server of its own"),
    "say": ("demo_command:say", "send one mail to a server on this machine and show the answer"),
}
"""Each subcommand, its module (and function, if that is not `main`) and what it does, in the order in which an operator
meets them."""


PROGRAMS = ("gm", "gm-diplomacy")
"""The names of the program. The second is for machines on which `gm` is GraphicsMagick's."""


def program() -> str:
    """The name by which the program was called."""
    called = Path(sys.argv[0]).name
    return called if called in PROGRAMS else PROGRAMS[0]


def main(argv: Sequence[str] | None = None) -> int:
    """Run one subcommand and return the exit status."""
    words = sys.argv[1:] if argv is None else argv
    if not words:
        print(_first_steps(home_of_environment()), file=sys.stderr)
        return 2
    given = _parser().parse_args(words)
    usual = os.umask(0o077)  # only the server's user may read the key, the database and the mailboxes
    try:
        with redirect_stdout(Visible(sys.stdout)), redirect_stderr(Visible(sys.stderr)):
            arguments = parser_of(given.command).parse_args(given.arguments)  # a mistake is told of at once
            status = entry(given.command)(arguments)
        sys.stdout.flush()
    except GmError as error:
        print(f"gm {given.command}: {error}", file=Visible(sys.stderr))
        return 1
    except BrokenPipeError:
        sys.stdout = None  # the reader has gone; leave Python nothing to flush at exit
        return 0
    except KeyboardInterrupt:
        return 130
    finally:
        os.umask(usual)
    return status


_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]"
)


class Visible(io.TextIOBase):
    r"""A stream to a terminal. Control characters and direction marks are escaped as `\x1b` and `\u202e`: text from
    others must not move the cursor or look like something else.
    """

    def __init__(self, under: TextIO) -> None:
        self._under = under

    @property
    def buffer(self) -> BinaryIO:
        """The underlying stream, for bytes that are to be written unchanged."""
        return self._under.buffer

    def write(self, text: str) -> int:
        """Write the text with control characters escaped."""
        shown = _UNSEEN.sub(lambda found: found[0].encode("unicode_escape").decode(), text.replace("\r\n", "\n"))
        self._under.write(shown)
        return len(text)

    def flush(self) -> None:
        """Write what is buffered."""
        self._under.flush()

    def isatty(self) -> bool:
        """Whether the stream is a terminal."""
        return self._under.isatty()


def entry(name: str) -> Callable[[argparse.Namespace], int]:
    """The function of a subcommand; imports its module."""
    module, _, function = COMMANDS[name][0].partition(":")
    with loading():
        imported = importlib.import_module(f"gm.cli.{module}")
    found: Callable[[argparse.Namespace], int] = getattr(imported, function or "main")
    return found


@contextmanager
def loading() -> Iterator[None]:
    """For imports: what they leave is not looked through for garbage, since it stays."""
    gc.disable()  # to look takes a tenth of the time, and later 70 ms, again and again
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def parser_of(name: str) -> argparse.ArgumentParser:
    """The parser of a subcommand."""
    from gm.cli import command_lines

    found: argparse.ArgumentParser = getattr(command_lines, name)()
    return found


def whole_parser() -> argparse.ArgumentParser:
    """The parser of the whole command line, with those of all subcommands."""
    parser = _parser_without_commands()
    commands = parser.add_subparsers(  # type: ignore[call-overload]
        dest="command",
        metavar="COMMAND",
        parser_class=lambda **named: parser_of(named["prog"].split()[-1]),
    )
    for name, (_, purpose) in COMMANDS.items():
        commands.add_parser(name, help=purpose)
    return parser


def load(home: Path, environment: Mapping[str, str] = os.environ) -> Settings:
    """The settings of the server in this folder, whose own games are known from then on. Raises ConfigurationError."""
    from gm import settings

    return with_games(settings.load(home, environment))


def with_games(settings: Settings) -> Settings:
    """The settings; the operator's own games are known to this process from then on. Raises ConfigurationError."""
    if settings.games is not None:
        from gm import variants

        variants.include(settings.games)
    return settings


def at(home: Path) -> str:
    """How a command that somebody copies names the server's folder."""
    return f"--home {shlex.quote(str(home))}"


def home_of_environment() -> Path:
    """The server's folder if none is named."""
    return Path(os.environ.get("GM_HOME") or ".").expanduser().absolute()


def _first_steps(home: Path) -> str:
    """What to do first, for somebody who has only typed `gm`."""
    if (home / "gm.toml").exists():
        steps = {
            "check": "checks the installation and reports problems",
            "serve": "runs the server until it is stopped",
            "games": "lists the games",
            "backup FILE": "writes everything into one file, also while the server runs",
        }
        head = f"{home} has a server."
    else:
        steps = {
            "demo": "shows a whole game being played by mail, in half a minute",
            "init --home games": "makes a server in the folder games, and says what to do next",
        }
        head = f"{home} has no server. If there is one elsewhere, name its folder with --home or GM_HOME."
    lines = "\n".join(f"  {program()} {name:<19}{purpose}" for name, purpose in steps.items())
    return f"usage: {program()} COMMAND ...\n\n{head} Begin with:\n\n{lines}\n\nFor all commands: `{program()} --help`."


def _parser_without_commands(epilog: str | None = None) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=program(),
        description="A gamemaster server for Diplomacy played by e-mail.",
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"gm {__version__}")
    return parser


def _parser() -> argparse.ArgumentParser:
    """Knows the names of the subcommands alone, so that only the one which is asked for is imported."""
    commands = "\n".join(f"  {name:<12}{purpose}" for name, (_, purpose) in COMMANDS.items())
    parser = _parser_without_commands(f"commands:\n{commands}\n\nFor details: `{program()} COMMAND --help`.")
    parser.add_argument("command", choices=COMMANDS, metavar="COMMAND", help="one of the commands below")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    return parser
