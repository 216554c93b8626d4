"""`gm init`: writes a commented configuration and the server key, and overwrites nothing. At a terminal, and without
arguments that say it, it asks what is needed and tries the mail.
"""

from __future__ import annotations

import argparse
import re
import secrets
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from string import Template

from gm import settings
from gm.cli import at
from gm.errors import ConfigurationError
from gm.settings import editing, load
from gm.settings.section import TokenSettings

_SERVER = Template("""\
# The settings of one gm server. A line that begins with # is a comment, or a setting that is off or at its default.
# Environment variables override this file: GM_LISTEN_PORT=2525 overrides [listen] port.
# Relative paths start at the folder of this file. After a change, run `gm check` and restart the server.

[server]
# The server's mail address. Each seat has an address of its own (gm+game.token@example.org); mail for these must
# arrive here too.
address = "$address"
# Whether mail for gm+anything@example.org arrives in the mailbox of gm@example.org too ("plus addressing"). If not, all
# seats have that one address, and are known by its name, gm+game.token, or by the mail that is answered.
plus_addressing = $plus
# Addresses that this server had before, at which mail still arrives: `gm move --address` adds the last one.
#also = ["gm@old.example.org"]
name = "Diplomacy gamemaster"
# Who is notified of mail that could not be processed.
#operator = "you@example.org"
# The time zone of players who have not set their own.
zone = "UTC"
# Who may create games: a list of mail addresses, or "*" for anyone.
gamemasters = ["*"]
# The limits for each sender are in docs/limits.md: 2 doubles them, 0 switches them off.
limits = $limits
# The content of processed mails is deleted after this number of days, with the addresses of senders and recipients;
# 0 keeps it. `gm tidy` does it at once, and `gm forget ADDRESS` deletes a person's data.
keep_days = 0
# How many processes the server has. With more than one, the first takes and sends mail, and the others write reports:
# with hundreds of games, one more than the processor has cores.
processes = 1
# The form of the log: "logfmt" (key=value) or "json".
log = "logfmt"
# The key from which the addresses of seats are derived. Keep a copy: with another key all of them change.
key_file = "$key"

[database]
# A SQLite file, or postgresql://user:password@host/name when several machines share the work. `gm move` goes from one
# to the other.
url = "sqlite:///gm.sqlite3"
""")

_LISTEN = Template("""\
[listen]
# The server's own listener: "smtp", or "lmtp" behind Postfix. host = "::" opens it to the network.
protocol = "$protocol"
host = "127.0.0.1"
port = $port
# How long a mail server in front keeps what it could not hand over before it tries again, in seconds: of Postfix its
# maximal_backoff_time and queue_run_delay, 4300. After a stop deadlines wait for that mail. 0: there is none in front.
retry_seconds = $retry
# The size of the largest mail that is accepted, in bytes.
max_size = 1000000
# The most connections at a time from one address (of IPv6: from one /64); those in relays have no limit.
per_peer = 20
# For STARTTLS: the certificate chain and its key (PEM), read when the server starts.
# tls_certificate = "/etc/letsencrypt/live/gm.example.org/fullchain.pem"
# tls_key = "/etc/letsencrypt/live/gm.example.org/privkey.pem"
""")

_IMAP = Template("""\
[imap]
# A mailbox to read instead of the listener, or besides it. Processed mail is moved to done_folder.
host = "imap.example.org"                  # CHANGE
port = 993
tls = "implicit"                           # or "starttls" (port 143), or "none" on this machine only
user = "$address"
password_file = "mail.password"            # CHANGE: or password = "...", or password_command = "pass show gm"
# Where OAuth2 takes the place of a password gm gets access tokens and renews them: docs/operating/mail.md says where.
# oauth2_provider = "google"               # or "microsoft"; then run `gm oauth2` once
# oauth2_client_id = "..."
# oauth2_client_secret = "..."
# Or an access token of another program instead of the password, read again at each log-in.
# oauth2_command = "oauth2-token gm"       # or oauth2_file = "token"
folder = "INBOX"
done_folder = "Done"
# Mail that the provider takes for spam, but that is for a seat of a game, is read too:
# spam_folder = "Junk"                     # as it is called there: "Spam", "[Gmail]/Spam", "Junk E-mail"
# New mail is noticed at once (IDLE); the folder is also polled at this interval.
poll_seconds = 300
""")

_MAILDIR = Template("""\
[send]
# Mail is not sent but stored in Maildirs below this folder, one for each recipient: to try gm.
kind = "maildir"
maildir = "mail"
""")

_LOCAL_SMTP = Template("""\
[send]
# Mail is sent through the mail server on this machine.
kind = "smtp"
host = "127.0.0.1"
port = 25
tls = "none"
# If that server does not sign mail, gm can (DKIM). `gm check` says which DNS record to publish.
# dkim_selector = "gm"
# dkim_key = "dkim.pem"                    # openssl genrsa -out dkim.pem 2048
# connections = 8                          # so many mails are sent at once, and at most so many of them to one domain:
# per_domain = 2
""")

_SUBMISSION = Template("""\
[send]
# Mail is sent through your provider.
kind = "smtp"
host = "smtp.example.org"                  # CHANGE
port = 465
tls = "implicit"                           # or "starttls" (port 587), or "none" on this machine only
user = "$address"
password_file = "mail.password"            # CHANGE: or password = "...", or password_command = "pass show gm"
# or oauth2_command = "oauth2-token gm", or oauth2_file = "token", as in [imap]
# As much mail as the provider allows: "gmail", "google-workspace" or "microsoft-365" have known limits.
# provider = "gmail"
# per_hour = 100                           # so many mails an hour at most, whatever the provider; and in 24 hours:
# per_day = 1000
# connections = 8                          # so many mails are sent at once, and at most so many of them to one domain:
# per_domain = 2
""")

_TRUST = Template("""\
[trust]
# Whose mail is acted on without a confirmation by reply; docs/trust.md has the details.
# "open": anybody's, for games among friends; but mail that was not authenticated must be confirmed before it changes
#   a person's address, erases a person or invites somebody.
# "normal": the same, and commands that commit their sender (JOIN, CREATE, TIMEZONE) or cannot be undone (RESIGN,
#   PROCESS, TERMINATE) are confirmed unless the sender was authenticated.
# "strict": every mail of a known person that was not authenticated must be confirmed, and what cannot be undone always.
# At every level, mail that fails its sender's own policy (DMARC), or comes to a seat from an unknown address, is
# quarantined until the seat's player confirms it.
level = "$level"
# The mail servers in front of this one whose Authentication-Results headers are trusted, by the name that comes first
# in that header: your Postfix (with a milter that checks DKIM and DMARC), or your provider ("mx.google.com"). They must
# remove such headers from incoming mail.
authserv_ids = []
# Such a header counts above the Received line of the server that had the mail from outside: no sender can write there.
# true: also below it, where Gmail and OpenDKIM write. Only for servers that write one into every mail.
results_below = false
# Which mail that comes by SMTP the server checks itself (DKIM, SPF, DMARC): what does not come from relays ("remote"),
# "all" or "none". Signatures (DKIM) it verifies in all other mail, too, that of a mailbox as well, unless it is "none".
verify = "remote"
# How many days a question waits for its answer.
confirm_days = 3
# Your own mail servers in front of this one, by the addresses or networks from which they hand mail over: orders count
# from the time at which the first of them received them, by the Received lines that these wrote, and no others.
relays = ["127.0.0.0/8", "::1"]
""")

_METRICS = Template("""\
[metrics]
# Metrics for Prometheus at http://127.0.0.1:9464/metrics. host = "0.0.0.0" opens the page to the network: it has no
# password, and nothing secret.
host = "127.0.0.1"
port = 9464
""")

_GALLERY = Template("""\
[gallery]
# A folder for a static site that shows all games to everybody, kept up to date. Any web server can serve it, if it can
# read it: so not one in this folder, which is private. See deploy/README.md. `gm publish --to FOLDER` writes it once.
folder = "/var/www/gm"
# The address of the page on which players tap their orders together; reports then link to it. It is the order.html in
# this folder, or a copy anywhere (`gm publish --order-page FILE` writes one, and needs no folder). It holds
# nothing secret, and what stands in such a link reaches no server.
# order_page = "https://games.example.org/order.html"
# An address that your web server hands on to the page of [metrics]: large mail providers then show a button with which
# mail of a kind is ended by one click (RFC 8058). Without it the button writes a mail.
# one_click = "https://games.example.org/unsubscribe"
""")

_GAMES = Template("""\
[games]
# A folder with games of your own: files that `gm variant check FILE` has found right. See docs/adding-a-game.md.
folder = "variants"
""")

_CLOCK = Template("""\
[clock]
# What happens to deadlines that passed while the server was down: "adjudicate" at once, or "extend" by extend_hours and
# tell the players.
catch_up = "adjudicate"
extend_hours = 24
# Deadlines are met to the second; this is how often the server checks besides.
poll_seconds = 60
""")

KEY = "gm.key"
DATABASE = "gm.sqlite3"
MARK = "gm.database"
"""In a folder with this file there was a server (`gm.server.condition`): its key is lost, not missing."""


def main(given: argparse.Namespace) -> int:
    """Write `gm.toml` and `gm.key` into the home folder."""
    home: Path = given.home
    if given.again:
        return _again(home)
    answered = given.address or given.mode or given.port or given.no_plus
    if not answered and sys.stdin.isatty() and sys.stdout.isatty():
        return _with_questions(home)
    mode, port = given.mode or "alone", given.port or 2525
    _say_what_was_written(
        home, write(home, address=given.address or "gm@localhost", mode=mode, port=port, plus=not given.no_plus)
    )
    print(_next_steps(home, mode, port))
    return 0


def _with_questions(home: Path) -> int:
    """Ask, write, and try the mail; 1 if the input ended, or if there is a problem."""
    from gm.cli import check, questions  # the checks load everything

    _must_be_new(home)
    print("Enter takes what is in brackets. Everything can be changed later, in gm.toml.\n")
    try:
        answers = questions.ask_all()
    except EOFError:
        print(file=sys.stderr)
        raise ConfigurationError("Nothing was written: a question was not answered.", "Run `gm init` again.") from None
    had_key = write(home, address=answers.address, mode=answers.mode, port=answers.port, plus=answers.plus)
    for (section, key), value in answers.changes.items():
        editing.change(home / settings.CONFIGURATION, section, key, value)
    if answers.password:
        (home / questions.SECRET).unlink(missing_ok=True)
        editing.write_private(home / questions.SECRET, answers.password + "\n")
    print()
    _say_what_was_written(home, had_key)
    if answers.asks_leave:
        print("This provider takes no password: docs/operating/mail.md says what `gm oauth2` needs in gm.toml.")
        return 0
    print("The installation is checked, and a mail sent to the server itself:\n", flush=True)
    if status := check.report(home, mail=True):
        file, where = home / settings.CONFIGURATION, _at(home)
        print(f"\nMend in {file} what is marked FIX, then run `gm init{where} --again`, which tries it all once more.")
        return status
    print(f"\n{_next_steps(home, 'lmtp' if answers.mode == 'imap' else answers.mode, answers.port)}")
    return 0


def _again(home: Path) -> int:
    """Write what is missing, a key or the password of the mailbox, and go on where `gm init` ended: try it all."""
    from gm.cli import check, questions  # the checks load everything

    key, file = home / KEY, home / settings.CONFIGURATION
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    if text and not key.exists() and not (home / MARK).exists():
        editing.write_private(key, secrets.token_hex(settings.KEY_BYTES) + "\n")
        print(f"Wrote {key}. Keep a copy of it.")
    if re.search(rf'^password_file = "{questions.SECRET}"', text, re.MULTILINE) and sys.stdin.isatty():
        secret = home / questions.SECRET
        if not secret.exists() or questions.ask("Another password for the mailbox (yes or no)", "no", questions.yes):
            secret.unlink(missing_ok=True)
            editing.write_private(secret, questions.ask_unseen("The password; it is not shown: ") + "\n")
    return check.report(home, mail=True)


def _say_what_was_written(home: Path, had_key: bool) -> None:
    key = f"{home / KEY}. Keep a copy of both."
    written = f"Wrote {home / settings.CONFIGURATION}, every setting explained"
    print(f"{written}. The key that was there is kept, {key}" if had_key else f"{written}, and {key}")


def _must_be_new(home: Path) -> None:
    path = home / settings.CONFIGURATION
    if path.exists():
        remedy = "Edit it and go on with `gm init --again`, or name another folder with --home."
        raise ConfigurationError(f"{str(path)!r} exists already.", remedy)
    if (file := home / DATABASE).exists():
        from gm.store.copying import known_revision
        from gm.store.database import Database

        with Database(f"sqlite:///{file}") as database:
            known_revision(database)  # of a server whose configuration is lost, or another program's


def write(home: Path, *, address: str, mode: str = "alone", port: int = 2525, plus: bool = True) -> bool:
    """Write the configuration into `home`, which is created if necessary, and a new key unless there is one. Returns
    whether there was: the one of a server whose configuration is lost.

    `mode` is one of MODES. Raises ConfigurationError when there is a configuration, or a database of another program,
    or a file cannot be written.
    """
    _must_be_new(home)
    text = configuration(address, mode, port, plus=plus)
    with _written(home):
        _require_readable(home, text)
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        had_key = (home / KEY).exists()
        editing.write_private(home / settings.CONFIGURATION, text)
        if not had_key:
            editing.write_private(home / KEY, secrets.token_hex(settings.KEY_BYTES) + "\n")
    return had_key


def _require_readable(home: Path, text: str) -> None:
    """A configuration is read as a server does before it is written. Raises ConfigurationError as that does."""
    with tempfile.TemporaryDirectory(prefix="gm-init-") as name:
        for file, content in ((settings.CONFIGURATION, text), (KEY, "00" * settings.KEY_BYTES), (_PASSWORD, "x")):
            Path(name, file).write_text(content, encoding="utf-8")
        try:
            load(name, {})
        except ConfigurationError as error:
            problem = error.problem.replace(name, str(home))
            raise ConfigurationError(problem, f"{error.remedy} Nothing was written.") from error


_PASSWORD = "mail.password"  # noqa: S105  the name of its file


def configuration(address: str, mode: str, port: int, *, plus: bool = True) -> str:
    """The text of `gm.toml`: every section, those that `mode` does not need commented out."""
    fill = {"key": KEY, "address": address, "port": str(port), "protocol": "lmtp" if mode == "lmtp" else "smtp"}
    fill["level"] = "open" if mode == "alone" else "normal"
    fill["limits"] = "0" if mode == "alone" else "1"  # one's own machine has no strangers
    fill["plus"] = "true" if plus else "false"
    fill["retry"] = "0" if mode == "alone" else "4300"
    sections = [
        _SERVER.substitute(fill),
        _LISTEN.substitute(fill) if mode != "imap" else _off(_LISTEN.substitute(fill)),
        _IMAP.substitute(fill) if mode == "imap" else _off(_IMAP.substitute(fill)),
        {"alone": _MAILDIR, "lmtp": _LOCAL_SMTP, "imap": _SUBMISSION}[mode].substitute(fill),
        _TRUST.substitute(fill),
        _CLOCK.substitute(fill),
        _off(_METRICS.substitute(fill)),
        _off(_GALLERY.substitute(fill)),
        _off(_GAMES.substitute(fill)),
    ]
    return "\n".join(sections)


def _off(section: str) -> str:
    return "".join(line if line.startswith("# ") else f"#{line}" for line in section.splitlines(keepends=True))


@contextmanager
def _written(place: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        problem = f"{str(error.filename or place)!r} cannot be written ({error.strerror})."
        raise ConfigurationError(problem, "Make room there, or name another folder with --home.") from error


def _at(home: Path) -> str:
    """What a command must say of the folder."""
    return "" if home == Path.cwd() else f" {at(home)}"


def _next_steps(home: Path, mode: str, port: int) -> str:
    where = _at(home)
    check = f"`gm check{where}` checks the installation and `gm serve{where}` runs the server."
    if mode == "alone":
        return f"{check}\nIt accepts mail at 127.0.0.1:{port}; its answers are in {home / 'mail'}."
    if mode == "lmtp":
        return check
    plus = "If your provider does not deliver mail for you+test@... to you, set plus_addressing = false."
    return f"Fill in the lines marked CHANGE. {plus}\n{check}"


def oauth2(given: argparse.Namespace) -> int:
    """Ask the mailbox's owner for leave, and store what renews the tokens."""
    configured = load(given.home)
    users = [(one.user, one.oauth2) for one in (configured.imap, configured.send) if one is not None]
    tokens = dict.fromkeys((user or "", one) for user, one in users if isinstance(one, TokenSettings))
    if not tokens:
        raise ConfigurationError(
            "Neither [imap] nor [send] has oauth2_provider.", 'Expected oauth2_provider = "google" or "microsoft".'
        )
    done: set[Path] = set()
    for user, one in tokens:
        if one.file in done:
            continue
        from gm.mail.transport.tokens import RenewedTokens  # loads the store, which `gm init` has no use for

        url, waiting = RenewedTokens(one).leave(user)
        print(f"Open this address in a browser and give leave as {user}:\n\n{url}\n")
        print("At the end the browser shows an error at an address that begins with http://localhost/. Paste it here:")
        waiting.finish(sys.stdin.readline())
        done.add(one.file)
        print(f"The tokens are in {one.file}. `gm check` tries them.")
    return 0
