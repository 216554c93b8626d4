"""The command line of each subcommand: from it its help, the manual page and the completion of shells are made, too.

Nothing here imports what does the work, so that a mistake in a command line, or `--help`, is answered at once.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from gm.cli import home_of_environment, program
from gm.operation import OURS, MailNumber, Part

T = TypeVar("T")

MODES = ("alone", "lmtp", "imap")
"""How mail comes and goes in the configurations that `gm init` writes."""
FORMS = ("json", "njudge", "diplomacy")
"""The forms of a whole game as a file."""
PICTURES = {"svg": "image/svg+xml", "png": "image/png"}
"""The forms of a map."""
MOST_JOBS = 8


def home_parser(command: str, description: str) -> argparse.ArgumentParser:
    """The parser of a subcommand that needs a server's folder."""
    parser = argparse.ArgumentParser(prog=f"{program()} {command}", description=description)
    add_home(parser)
    return parser


def add_home(parser: argparse.ArgumentParser) -> None:
    """Add the option `--home FOLDER` to a subcommand that needs a server's folder; `home` of the parsed arguments is an
    absolute path.
    """
    parser.add_argument(
        "--home",
        type=lambda text: Path(text).expanduser().absolute(),
        default=home_of_environment(),
        metavar="FOLDER",
        help="the server's folder, which contains gm.toml (default: $GM_HOME, otherwise the current folder)",
    )


# what is written there


def _address(kind: str) -> Callable[[str], str]:
    """Reads an address: a server's `own`, a `plain` one to write from or to, or one that is `known`, if odd."""

    def read(text: str) -> str:
        from gm.settings.section import known_address, own_address, plain_address

        kinds = {"own": own_address, "plain": plain_address, "known": known_address}
        return _in_words(kinds[kind], text)

    return read


def _port(text: str) -> int:
    from gm.settings.section import port_number

    return _in_words(port_number, text)


def _in_words(read: Callable[[str], T], text: str) -> T:
    """What was read; its ValueError is shown as it is."""
    try:
        return read(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _parts(words: str) -> list[Part]:
    """The parts in a list with commas."""
    try:
        return [Part(word.strip().lower()) for word in words.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(f"{words!r} is not a list of parts: {', '.join(Part)}") from None


def _mail(text: str) -> MailNumber:
    number = MailNumber.of(text)
    if number is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of a mail, such as 12 or {OURS}12")
    return number


def _count(text: str) -> int:
    if not (text.isdecimal() and int(text) > 0):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 on")
    return int(text)


def _url(text: str) -> str:
    if not text.startswith(("sqlite:///", "postgresql://", "postgres://")):
        raise argparse.ArgumentTypeError("write postgresql://USER:PASSWORD@HOST/NAME or sqlite:///FILE")
    return text


_FORM = """\
A line of input:
  {"variant": "standard", "rulebook": "2023", "year": 1901, "season": "spring", "phase": "movement",
   "units": ["Italy A ven", "Russia F stp/sc"], "centers": {"Russia": ["mos", "stp"]},
   "dislodged": [{"unit": "Austria A ser", "from": "bul", "convoyed": false}], "contested": ["alb"],
   "orders": ["Italy: A ven-tri"], "state": {}}
year, season (%(seasons)s) and phase (%(phases)s) are required;
not every game has all of them. Places in units and centers are canonical codes; orders are read as in players' mail, of
any power that the line names. `variant` is played by the newest edition of its rules, or by the one named:
`standard/1`. `rulebook` is %(rulebooks)s; the default is the variant's own. `state` is the `state_after` of
the previous phase; in a game with random draws it also has their `seed`, in hexadecimal digits, and the name of the
`game`.

A line of output:
  results       [{"order", "outcome", "reason"}] for each order in the order given, then for each unit without one
  units_after   the units on the board
  dislodged     [{"unit", "from", "convoyed", "retreats"}]; no_retreat: those of them with nowhere to go
  contested     the vacant provinces where units bounced
  centers_after, state_after, next {"year", "season", "phase"}, victory (null or the winner)
or {"error", "line"} for a line that is not a phase; other lines are not affected.

The values of "outcome":
  succeeds      the order did what it says; a support counted, a unit held, a fleet convoyed
  bounces       a move against equal or greater strength
  cut           a support that was cut by an attack or a dislodgement
  void          a possible order without effect: the other unit has another order, or a later order replaced it
  no convoy     a move by sea without any fleet ordered to convoy it
  disrupted     a move whose convoy was lost or forms a paradox; the order of a convoying fleet that was dislodged
  dislodged     a unit that held and was dislodged
  disbanded     a retreat to the same place as another, or a unit removed because it had no order
  destroyed     a unit removed by a rule of its game
  illegal       an order that was refused: not understood, or never possible; the reason says what to write
"""


def _form() -> str:
    """What `gm adjudicate --help` says about the lines."""
    from gm.judge import RULEBOOKS
    from gm.reports import listed
    from gm.variants import all_variants

    kinds = [game.language.kinds for game in all_variants().values()]
    return _FORM % {
        "seasons": listed(dict.fromkeys(str(season) for one in kinds for season in one.seasons)),
        "phases": listed(dict.fromkeys(str(phase) for one in kinds for phase in one.phases)),
        "rulebooks": listed(RULEBOOKS, "or"),
    }


# subcommands


def init() -> argparse.ArgumentParser:
    """The command line of `gm init`."""
    parser = home_parser(
        "init",
        "Write a configuration and a server key. Existing files are not overwritten. At a terminal, and with no option"
        " but --home, it asks what is needed and tries the mail.",
    )
    parser.add_argument("--address", type=_address("own"), help="the server's mail address (default: gm@localhost)")
    parser.add_argument(
        "--mode",
        choices=MODES,
        help="alone: own SMTP listener, answers in Maildirs (default); lmtp: behind Postfix; imap: a mailbox",
    )
    parser.add_argument(
        "--no-plus",
        action="store_true",
        help="mail for gm+anything@... does not arrive: use the one address for all seats",
    )
    parser.add_argument("--port", type=_port, help="the listener's port (default: 2525)")
    parser.add_argument(
        "--again", action="store_true", help="go on after a failure: write what is missing, and try the mail"
    )
    return parser


def serve() -> argparse.ArgumentParser:
    """The command line of `gm serve`."""
    parser = home_parser("serve", "Run the server until it is stopped.")
    parser.add_argument("--verbose", action="store_true", help="log every piece of work")
    parser.add_argument(
        "--only",
        action="extend",
        type=_parts,
        metavar="PART,...",
        help=f"run these parts only: {', '.join(Part)}; other servers on the same PostgreSQL run the others",
    )
    return parser


def check() -> argparse.ArgumentParser:
    """The command line of `gm check`."""
    parser = home_parser("check", "Check the installation and report problems.")
    parser.add_argument(
        "--mail", action="store_true", help="send a mail to the server itself, too, which must be stopped"
    )
    return parser


def games() -> argparse.ArgumentParser:
    """The command line of `gm games`."""
    parser = home_parser("games", "List the games that are forming or running, or show one game with all its seats.")
    parser.add_argument("game", nargs="?", metavar="GAME", help="the name of a game: show its seats")
    parser.add_argument("--all", action="store_true", help="list also the games that are over")
    return parser


def oauth2() -> argparse.ArgumentParser:
    """The command line of `gm oauth2`."""
    return home_parser("oauth2", "Give leave to read and send mail at Google or Microsoft. Needed once.")


def mail() -> argparse.ArgumentParser:
    """The command line of `gm mail`."""
    parser = argparse.ArgumentParser(
        prog=f"{program()} mail",
        description="Mails that were set aside, quarantined or ignored, and mails of ours that were refused.",
    )
    kinds = parser.add_subparsers(dest="what", required=True, metavar="show|explain|replay|drop|flush")
    show = kinds.add_parser("show", help="list them, or show one")
    number = f"the mail's number as it is listed; those of ours begin with {OURS}"
    show.add_argument("number", type=_mail, nargs="?", help=number)
    show.add_argument("--raw", action="store_true", help="its bytes")
    for option, name, purpose in (("from", "sender", "what came from"), ("to", "recipient", "our mails to")):
        show.add_argument(
            f"--{option}",
            dest=name,
            type=_address("known"),
            metavar="ADDRESS",
            help=f"{purpose} this {name}",
        )
    show.add_argument("--game", default="", metavar="NAME", help="mails of this game: what came, and ours")
    show.add_argument(
        "--id", dest="message_id", default="", metavar="MESSAGE-ID", help="the mails with this Message-ID"
    )
    explained = kinds.add_parser(
        "explain",
        help="what becomes of each line of one, and why, as if it came now: whose words it is, what it means, for which"
        " game; nothing is done",
    )
    explained.add_argument("number", type=_mail, help="the number of a mail that arrived")
    replay = kinds.add_parser(
        "replay",
        help="process one again, an ignored one as a person's or as a true bounce; send one of ours again",
    )
    drop = kinds.add_parser("drop", help="close one without processing or sending it")
    for kind in (replay, drop):
        kind.add_argument("number", type=_mail, help=number)
    flush = kinds.add_parser("flush", help="send what waits for another try now, as after a failure that was mended")
    flush.add_argument("domain", nargs="?", default="", help="only mail to recipients of this domain")
    for kind in (show, explained, replay, drop, flush):
        add_home(kind)
    return parser


def tidy() -> argparse.ArgumentParser:
    """The command line of `gm tidy`."""
    parser = home_parser(
        "tidy", "Delete the content of mails that were dealt with or sent long ago. The server does it daily."
    )
    parser.add_argument(
        "--days", type=int, help="the number of days for which mails are kept (default: keep_days in gm.toml)"
    )
    return parser


def forget() -> argparse.ArgumentParser:
    """The command line of `gm forget`."""
    parser = home_parser(
        "forget", "Vacate a person's seats and delete their name, addresses and mails, as FORGET ME does."
    )
    parser.add_argument("address", type=_address("known"), help="any mail address of the person")
    return parser


def backup() -> argparse.ArgumentParser:
    """The command line of `gm backup`."""
    parser = home_parser(
        "backup", "Write the database, the configuration and the keys into one file. The server may be running."
    )
    parser.add_argument(
        "file",
        metavar="FILE",
        help="the new archive, such as gm.tar.gz, or a folder: it is named by its date",
    )
    parser.add_argument(
        "--keep", type=_count, metavar="N", help="of a folder's archives of this server, keep the newest N"
    )
    return parser


def restore() -> argparse.ArgumentParser:
    """The command line of `gm restore`."""
    parser = argparse.ArgumentParser(
        prog=f"{program()} restore",
        description="Make a server's folder from a file that `gm backup` wrote. Nothing is overwritten.",
    )
    parser.add_argument("file", type=Path, metavar="FILE")
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--home", type=Path, metavar="NEW", help="the new folder, which has no server yet")
    where.add_argument(
        "--try", dest="trial", action="store_true", help="check the whole in a scratch folder, and say what is in it"
    )
    return parser


def move() -> argparse.ArgumentParser:
    """The command line of `gm move`."""
    parser = home_parser(
        "move",
        "Move a server that is stopped: into another, empty database, which is compared row by row; to another mail"
        " address; or to another key.",
    )
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "--to",
        type=_url,
        metavar="URL",
        help="postgresql://USER:PASSWORD@HOST/NAME, or sqlite:///FILE, as under [database] in gm.toml",
    )
    what.add_argument(
        "--address",
        type=_address("own"),
        metavar="NEW",
        help="the new mail address; mail to the old one still counts",
    )
    what.add_argument(
        "--key", action="store_true", help="a new key, and so a new address for every seat; each player is told theirs"
    )
    return parser


def upgrade() -> argparse.ArgumentParser:
    """The command line of `gm upgrade`."""
    parser = home_parser("upgrade", "Upgrade the database to this version of gm. The server does so too, at its start.")
    parser.add_argument("--check", action="store_true", help="say whether it can be upgraded, and change nothing")
    return parser


def adjudicate() -> argparse.ArgumentParser:
    """The command line of `gm adjudicate`."""
    parser = argparse.ArgumentParser(
        prog=f"{program()} adjudicate",
        description="Adjudicate phases: JSON lines on standard input, JSON lines on standard output, one phase a line.",
        epilog=_form(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--explain", action="store_true", help="print each phase for a person to read, naming the rules"
    )
    parser.add_argument(
        "--jobs",
        type=_count,
        default=min(MOST_JOBS, os.cpu_count() or 1),
        metavar="N",
        help="the processes that share a long input (by default one for each processor core, at most "
        f"{MOST_JOBS}); results stay in order",
    )
    return parser


def verify() -> argparse.ArgumentParser:
    """The command line of `gm verify`."""
    parser = home_parser(
        "verify", "Repeat every random draw of a finished game from its seed, and adjudicate every phase again."
    )
    parser.add_argument("game", nargs="?", metavar="GAME", help="a finished game of this server")
    parser.add_argument("--export", type=Path, metavar="FILE", help="export its history as JSON, for its players")
    parser.add_argument("--history", type=Path, metavar="FILE", help="verify this history, without a server")
    parser.add_argument("--seed", metavar="HEX", help="the seed, from the game's last mail")
    parser.add_argument("--commitment", metavar="HEX", help="the commitment, from the game's first mail")
    return parser


def export() -> argparse.ArgumentParser:
    """The command line of `gm export`."""
    parser = home_parser(
        "export",
        "Write a game as a file for other programs, or the map of a phase: whole when the game is over, before as"
        " everybody may see it.",
    )
    parser.add_argument("game", metavar="GAME")
    parser.add_argument(
        "--form",
        choices=(*FORMS, *PICTURES),
        default="json",
        help="json (all of it, see docs/export.md), njudge (results as njudge lists them, for jDip), diplomacy (JSON of"
        " that Python package), svg or png (the map of a phase); default: json",
    )
    parser.add_argument("--phase", metavar="CODE", help="the phase of the map, such as F1901M (default: the last)")
    parser.add_argument("--power", metavar="POWER", help="as this power may see it, while the game is running")
    parser.add_argument("--to", type=Path, metavar="FILE", help="where to (default: standard output)")
    return parser


def publish() -> argparse.ArgumentParser:
    """The command line of `gm publish`."""
    parser = home_parser("publish", "Write the gallery: a static site of all games as everybody may see them.")
    parser.add_argument(
        "--to", type=Path, metavar="FOLDER", help="where to (default: folder under [gallery] in gm.toml)"
    )
    parser.add_argument(
        "--order-page",
        type=Path,
        metavar="FILE",
        help="write only the page on which orders are tapped together, for a web server of any kind",
    )
    return parser


def variant() -> argparse.ArgumentParser:
    """The command line of `gm variant`."""
    parser = argparse.ArgumentParser(
        prog=f"{program()} variant",
        description="Check a game that is a file: draw its start, and let stand-in players play it for ten seasons.",
    )
    parser.add_argument("what", choices=("check",), help="what to do")
    parser.add_argument("file", type=Path, metavar="FILE", help="the game, such as variants/my-game.toml")
    parser.add_argument(
        "--to",
        type=Path,
        metavar="FILE",
        help="where the picture goes (default: beside the file, with the ending .png)",
    )
    return parser


def demo() -> argparse.ArgumentParser:
    """The command line of `gm demo`."""
    from gm.demo import script_names

    parser = argparse.ArgumentParser(
        prog=f"{program()} demo", description="Watch a whole game being played by real mail."
    )
    parser.add_argument(
        "script", nargs="?", default="standard", choices=script_names(), help="which game to play (default: standard)"
    )
    parser.add_argument("--home", type=Path, default=Path("demo"), help="the server's folder (default: demo)")
    return parser


def say() -> argparse.ArgumentParser:
    """The command line of `gm say`."""
    parser = home_parser("say", "Send one mail to your own server and show the answer.")
    address = _address("plain")
    parser.add_argument("--from", dest="sender", type=address, required=True, metavar="ADDRESS", help="your address")
    parser.add_argument(
        "--to", type=address, metavar="ADDRESS", help="a seat's reply address (default: the server's own)"
    )
    parser.add_argument("--wait", type=float, default=10.0, metavar="SECONDS", help="how long to wait (default: 10)")
    parser.add_argument("words", nargs="*", help="the mail's lines (default: standard input)")
    return parser
