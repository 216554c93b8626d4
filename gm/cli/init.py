"""`gm init`: write a commented configuration and the server key. Asks nothing and overwrites nothing.

Place: of the house it uses the settings only.
"""

from __future__ import annotations

import argparse
import os
import secrets
from collections.abc import Sequence
from pathlib import Path
from string import Template

from gm import settings
from gm.cli.home import add_home
from gm.errors import ConfigurationError
from gm.settings.section import own_address

_SERVER = Template("""\
# The settings of one gm server. A line that begins with # is a comment, or a setting that is off or at its default.
# Every key can also be given in the environment: GM_LISTEN_PORT=2525 stands above [listen] port.
# Relative paths start at the folder of this file. After a change: `gm check`, then start the server again.

[server]
# The server's own mail address. Seats get addresses of their own below it (gm+game.token@example.org), so mail for
# every such address must arrive here too.
address = "$address"
name = "Diplomacy gamemaster"
# Who is told of mail that could not be worked on.
#operator = "you@example.org"
# The zone in which times are shown to players who never named theirs.
zone = "UTC"
# Who may create games: mail addresses, or "*" for anyone.
gamemasters = ["*"]
# The key from which the seats' addresses are made. Keep a copy: with another key every seat has another address.
key_file = "$key"

[database]
# A SQLite file, or postgresql://user:password@host/name when several machines share the work.
url = "sqlite:///gm.sqlite3"
""")

_LISTEN = Template("""\
[listen]
# The server's own listener: "smtp", or "lmtp" behind Postfix. Open to the network only what you mean to (host = "::").
protocol = "$protocol"
host = "127.0.0.1"
port = $port
# The largest mail that is taken, in bytes.
max_size = 1000000
# For STARTTLS, the certificate's chain and its key (PEM); read at the start:
# tls_certificate = "/etc/letsencrypt/live/gm.example.org/fullchain.pem"
# tls_key = "/etc/letsencrypt/live/gm.example.org/privkey.pem"
""")

_IMAP = Template("""\
[imap]
# A mailbox that is read instead of, or beside, the listener. Mail that was worked on is moved to done_folder.
host = "imap.example.org"                  # CHANGE
port = 993
tls = "implicit"                           # or "starttls" (port 143), or "none" on this machine only
user = "$address"
password_file = "mail.password"            # CHANGE: or password = "...", or password_command = "pass show gm"
# Where the provider wants OAuth2, an access token instead of the password, read anew at each log-in:
# oauth2_command = "oauth2-token gm"       # or oauth2_file = "token"
folder = "INBOX"
done_folder = "Done"
# New mail is told at once by IDLE; a poll every so many seconds makes sure.
poll_seconds = 300
""")

_MAILDIR = Template("""\
[send]
# Mail is not sent but put into Maildirs below this folder, one for each recipient: for trying things out.
kind = "maildir"
maildir = "mail"
""")

_LOCAL_SMTP = Template("""\
[send]
# Mail is handed to the mail server of this machine.
kind = "smtp"
host = "127.0.0.1"
port = 25
tls = "none"
# If that server signs nothing itself: sign what leaves with DKIM. `gm check` says which DNS record to publish.
# dkim_selector = "gm"
# dkim_key = "dkim.pem"                    # openssl genrsa -out dkim.pem 2048
""")

_SUBMISSION = Template("""\
[send]
# Mail is handed to your provider.
kind = "smtp"
host = "smtp.example.org"                  # CHANGE
port = 465
tls = "implicit"                           # or "starttls" (port 587), or "none" on this machine only
user = "$address"
password_file = "mail.password"            # CHANGE: or password = "...", or password_command = "pass show gm"
# or oauth2_command = "oauth2-token gm", or oauth2_file = "token", as in [imap]
""")

_TRUST = Template("""\
[trust]
# Whom the server believes.
# "open": whoever knows a seat's address and writes from its holder's address, for games among friends.
# "normal": besides, what cannot be undone (RESIGN, REPLACE, PROCESS, TERMINATE, a change of address) is confirmed by
#   reply, unless the sender's mail server vouches for him.
# "strict": what nobody vouches for is always confirmed by reply, joining a game too.
# At every level a mail that fails the sender's own mail policy, or that comes to a seat from an unknown address, waits
# until the seat's holder says yes.
level = "$level"
# The mail servers in front of this one whose Authentication-Results are believed, by the name they write first in that
# header: your Postfix (with a milter that checks DKIM and DMARC), or your provider ("mx.google.com"). They must take
# out such headers when others wrote them.
authserv_ids = []
# Whose DKIM signatures and DMARC policies the server's own SMTP listener looks up: of mail from other machines
# ("remote"), of "all", or of "none".
verify = "remote"
# How many days a question waits for its answer.
confirm_days = 3
""")

_METRICS = Template("""\
[metrics]
# Counters in the text form of Prometheus at http://127.0.0.1:9464/metrics, for this machine only.
port = 9464
""")

_CLOCK = Template("""\
[clock]
# What happens to a deadline that passed while the server was down: "adjudicate" it at once, or "extend" it by so many
# hours and tell everyone.
catch_up = "adjudicate"
extend_hours = 24
# Deadlines are kept to the second; a look every so many seconds makes sure.
poll_seconds = 60
""")

MODES = ("alone", "lmtp", "imap")
"""On its own port with answers into Maildirs; behind Postfix; with a mailbox at a provider."""

KEY = "gm.key"


def main(argv: Sequence[str]) -> int:
    """Write `gm.toml` and `gm.key` into the home folder."""
    given = _parser().parse_args(argv)
    home: Path = given.home
    write(home, address=given.address, mode=given.mode, port=given.port)
    print(f"Wrote {home / settings.CONFIGURATION}, every setting explained, and {home / KEY}. Keep a copy of both.")
    print(_next_steps(home, given.mode, given.port))
    return 0


def write(home: Path, *, address: str, mode: str = "alone", port: int = 2525) -> None:
    """Write the configuration and a new key into `home`, which is made when it is missing.

    `mode` is one of MODES. Raises ConfigurationError when either file is there already, or cannot be written.
    """
    files = {
        home / settings.CONFIGURATION: configuration(address, mode, port),
        home / KEY: secrets.token_hex(settings.KEY_BYTES) + "\n",
    }
    for path in files:
        if path.exists():
            raise ConfigurationError(f"{str(path)!r} is there already.", "Edit it, or name another folder with --home.")
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        for path, text in files.items():
            _write_private(path, text)
    except OSError as error:
        raise ConfigurationError(
            f"{error.filename!r} cannot be written ({error.strerror}).", "Name another folder with --home."
        ) from error


def configuration(address: str, mode: str, port: int) -> str:
    """The text of `gm.toml`: every section is there, and those that `mode` does not need are commented out."""
    fill = {"key": KEY, "address": address, "port": str(port), "protocol": "lmtp" if mode == "lmtp" else "smtp"}
    fill["level"] = "open" if mode == "alone" else "normal"
    sections = [
        _SERVER.substitute(fill),
        _LISTEN.substitute(fill) if mode != "imap" else _off(_LISTEN.substitute(fill)),
        _IMAP.substitute(fill) if mode == "imap" else _off(_IMAP.substitute(fill)),
        {"alone": _MAILDIR, "lmtp": _LOCAL_SMTP, "imap": _SUBMISSION}[mode].substitute(fill),
        _TRUST.substitute(fill),
        _CLOCK.substitute(fill),
        _off(_METRICS.substitute(fill)),
    ]
    return "\n".join(sections)


def _off(section: str) -> str:
    return "".join(line if line.startswith("# ") else f"#{line}" for line in section.splitlines(keepends=True))


def _write_private(path: Path, text: str) -> None:
    """Create `path`, readable by its owner only; an existing file is never touched."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)


def _next_steps(home: Path, mode: str, port: int) -> str:
    where = "" if home == Path.cwd() else f" --home {home}"
    check = f"`gm check{where}` says what is right and what to mend, and `gm serve{where}` runs the server."
    if mode == "alone":
        return f"{check}\nIt takes mail at 127.0.0.1:{port}, and its answers lie in {home / 'mail'}."
    return f"Fill in what is marked CHANGE. {check}" if mode == "imap" else check


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="gm init", description="Write a configuration and a server key. Nothing that exists is overwritten."
    )
    add_home(parser)
    parser.add_argument(
        "--address", type=_address, default="gm@localhost", help="the server's mail address (default: %(default)s)"
    )
    parser.add_argument(
        "--mode",
        choices=MODES,
        default="alone",
        help="alone: own SMTP listener, answers into Maildirs (default); lmtp: behind Postfix; imap: a mailbox",
    )
    parser.add_argument("--port", type=int, default=2525, help="where the listener listens (default: %(default)s)")
    return parser


def _address(text: str) -> str:
    address = own_address(text)
    if address is None:
        raise argparse.ArgumentTypeError(f"{text!r} is not a mail address such as gm@example.org, without a plus sign")
    return address
