"""`gm demo`: a real server, and correspondents who play a whole game against it by mail while you watch. `gm say`:
sends one mail to such a server.
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import textwrap
import time
from base64 import b64encode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import make_msgid
from itertools import zip_longest
from pathlib import Path

from gm.cli import at, init, load, program, publish
from gm.demo import Correspondent, Mailroom, Play, PlayFailed, is_over, load_script, text_of
from gm.demo.clients import PLAYED, Draft, terminal
from gm.errors import ConfigurationError
from gm.settings import CONFIGURATION
from gm.store import inbox
from gm.store.copying import known_revision
from gm.store.database import Database
from gm.store.presence import is_served

ADDRESS = "gm@demo.example"
GAME = "demo"
START_SECONDS = 90.0  # on a busy machine

COLUMN = 46
"""The width, in characters, of a column of mails side by side; three columns fit a wide terminal."""

_BETWEEN = " | "


def main(given: argparse.Namespace) -> int:
    """Set up a folder, start the server, play the script to its end, and show how to continue."""
    home: Path = given.home.absolute()
    _clear(home)
    port = _free_port()
    script = load_script(given.script)
    print(f"{script.title}: a game is played by mail while you watch.")
    print(f"Its server is set up in {home} and listens on 127.0.0.1 port {port}.\n")
    init.write(home, address=ADDRESS, mode="alone", port=port)
    mailroom = Mailroom(port, home / "mail")
    play = Play(script, mailroom, ADDRESS, lambda line: print(line, flush=True))
    began = time.monotonic()
    try:
        with serving(home, port, script.rehearsal_seed):
            play.run(GAME)
            mailroom.close()
    except PlayFailed as error:
        print(f"\nThe demonstration failed: {error}\nThe server's log is {home / 'gm.log'}.", file=sys.stderr)
        return 1
    _show_end(play, mailroom, home, port, time.monotonic() - began)
    return 0


def _clear(home: Path) -> None:
    """Start with an empty folder. Only an earlier demonstration is deleted, and only while nothing was added to it."""
    if not home.exists():
        return
    configuration = home / CONFIGURATION
    if not configuration.exists() or ADDRESS not in configuration.read_text(encoding="utf-8"):
        raise ConfigurationError(
            f"{str(home)!r} exists and is not a demonstration.", "Name another folder with --home."
        )
    with Database(load(home).database.url) as database:
        served = is_served(database)
        continued = known_revision(database) is not None and _has_mail_by_hand(database)
    if continued:
        raise ConfigurationError(
            f"{str(home)!r} holds a demonstration that was continued by hand.",
            "Name another folder with --home, or delete this one.",
        )
    if served:
        raise ConfigurationError(
            f"A demonstration is being played in {str(home)!r} just now.", "Name another folder with --home."
        )
    shutil.rmtree(home)


def _has_mail_by_hand(database: Database) -> bool:
    """Whether the demonstration's server has mail that is not of the demonstration."""
    with database.reading() as session:
        return inbox.has_others(session, PLAYED)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def serving(home: Path, port: int, rehearsal_seed: str = "") -> Iterator[None]:
    """Run `gm serve` for that folder, with its log in gm.log there. Raises PlayFailed if it does not start."""
    seed = {"GM_SERVER_REHEARSAL_SEED": rehearsal_seed} if rehearsal_seed else {}
    with (home / "gm.log").open("ab") as log:
        server = subprocess.Popen(  # noqa: S603 (our own program)
            [sys.executable, "-P", "-m", "gm", "serve", "--home", str(home)],
            stdout=log,
            stderr=log,
            env={"GM_SERVER_LIMITS": "0", **os.environ, **seed, "PYTHONUNBUFFERED": "1"},  # years take a minute
        )
        try:
            _await(server, port)
            yield
        finally:
            server.send_signal(signal.SIGTERM)
            try:
                server.wait(20)
            except subprocess.TimeoutExpired:
                server.kill()


def _await(server: subprocess.Popen[bytes], port: int) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if server.poll() is not None:
            raise PlayFailed(f"the server ended with status {server.returncode}")
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise PlayFailed(f"the server does not listen after {START_SECONDS:.0f} seconds")


def _has_won(person: Correspondent) -> bool:
    return person.latest is not None and f"{person.power} has won" in str(person.latest["Subject"])


def _keep_report(mail: EmailMessage, home: Path) -> Iterator[str]:
    """Write the report and its map into files for a browser. Returns the lines that name them."""
    page, picture = mail.get_body(("html",)), _picture(mail)
    if picture is not None:
        (home / "map.png").write_bytes(picture.get_content())
    if page is not None:
        text = str(page.get_content())
        if picture is not None:
            shown = f"data:image/png;base64,{b64encode(picture.get_content()).decode()}"
            text = text.replace(f"cid:{str(picture['Content-ID']).strip('<>')}", shown)
        (home / "report.html").write_text(text, encoding="utf-8")
        yield f"The report      {home / 'report.html'} (the last mail as a mail program shows it)"
    if picture is not None:
        yield f"The map         {home / 'map.png'}"


def _make_page(home: Path, title: str) -> Path:
    """Publish the gallery, and write a page from which a browser sees all that was made."""
    publish.main(argparse.Namespace(home=home, to=home / "gallery", order_page=None))
    page = home / "index.html"
    page.write_text(_PAGE.format(title=title), encoding="utf-8")
    return page


_PAGE = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}: a game by mail</title>
<style>
body {{ max-width: 50rem; margin: 0 auto; padding: 1rem; font: 1rem/1.5 sans-serif; color-scheme: light dark; }}
iframe {{ width: 100%; height: 80vh; border: 1px solid gray; }}
</style>
<h1>{title}</h1>
<p><a href="gallery/index.html">The gallery</a>: every phase of the game with its map, as everybody may see it.
<a href="map.png">The last map</a> alone. Below is <a href="report.html">the last mail</a> to a player.
<iframe src="report.html" title="The last mail to a player"></iframe>
</html>
"""


def _picture(mail: EmailMessage) -> EmailMessage | None:
    parts = (part for part in mail.walk() if part.get_content_type() == "image/png" and isinstance(part, EmailMessage))
    return next(parts, None)


def _show_end(play: Play, mailroom: Mailroom, home: Path, port: int, seconds: float) -> None:
    """Print the winner's last report, and where everything is."""
    winner = next((person for person in play.people if _has_won(person)), play.people[0])
    if winner.latest is not None:
        bar = "=" * 72
        print(f"\n{bar}\nThe last mail in the mailbox of {winner.name}, who played {winner.power}:\n{bar}")
        print(f"Subject: {winner.latest['Subject']}\n\n{text_of(winner.latest).strip()}\n{bar}\n")
    if play.script.beside:
        print(side_by_side([p for p in play.people if p.power in play.script.beside], play.script.shown), end="\n\n")
    gm = sys.argv[0] if Path(sys.argv[0]).name == program() else program()
    if winner.latest is not None and is_over(str(winner.latest["Subject"])):
        print("To verify the random draws and the adjudication:\n")
        print(f"    {gm} verify {GAME} {at(home)}\n")
    looked_at = "".join(f"{line}\n" for line in _keep_report(winner.latest, home)) if winner.latest is not None else ""
    page, box = _make_page(home, play.script.title), home / "mail" / winner.address
    print(
        f"{mailroom.posted} mails were sent to the server and {mailroom.opened} received in {seconds:.0f} seconds.\n"
        f"The gamemaster sent {play.written} of them; {_asked(play.questions)}\n\n"
        f"To see the last report, its map and the gallery of all phases:\n\n"
        f"    python3 -m webbrowser {shlex.quote(str(page))}\n\n{looked_at}"
        f"A mailbox       {box} (a Maildir: mutt -f {shlex.quote(str(box))})\n\n"
        f"Database        {home / 'gm.sqlite3'}\n"
        f"Configuration   {home / CONFIGURATION}\n"
        f"Server's log    {home / 'gm.log'}\n\n"
        "To continue by hand, start the server again and write to it from another terminal:\n\n"
        f"    {gm} serve {at(home)}\n"
        f'    {gm} say {at(home)} --from you@mail.example "HELP"\n'
        f'    {gm} say {at(home)} --from you@mail.example "CREATE winter"\n\n'
        f"`gm say` sends a mail and shows the answer. Any mail program or SMTP tool works as well, such as\n"
        f'    swaks --server 127.0.0.1:{port} --from you@mail.example --to {ADDRESS} --body "LIST"'
    )


def _asked(questions: int) -> str:
    """What is said of the mails by which the server wanted a decision of the gamemaster."""
    return f"the server needed an answer to {questions} questions." if questions else "the server needed no decision."


def side_by_side(people: Sequence[Correspondent], phases: Sequence[str]) -> str:
    """The mails to these people about these phases, with a column for each person."""
    lines = []
    for phase in phases:
        columns = [[f"{person.name} ({person.power})", "", *_mails(person, phase)] for person in people]
        rule = "=" * (len(people) * COLUMN + (len(people) - 1) * len(_BETWEEN))
        lines += [rule, phase, rule]
        for row in zip_longest(*columns, fillvalue=""):
            lines.append(_BETWEEN.join(f"{cell:<{COLUMN}}" for cell in row).rstrip())
    return "\n".join(lines)


def _mails(person: Correspondent, phase: str) -> Iterator[str]:
    """The mails about a phase, without the forms to fill in, wrapped to the column."""
    for mail in person.mails:
        subject = str(mail["Subject"])
        if f" {phase} results" not in subject and f"] {phase}: orders are closed" not in subject:
            continue
        yield from textwrap.wrap(f"Subject: {subject}", COLUMN)
        yield "-" * COLUMN
        body = text_of(mail).partition("---\n")[2] or text_of(mail)
        for line in body.partition("Your orders for")[0].strip().splitlines():
            stroke = line.strip("-=") == ""
            yield from [line[:COLUMN]] if stroke else textwrap.wrap(line, COLUMN, subsequent_indent="  ") or [""]
        yield ""
        yield ""


# one mail by hand


def say(given: argparse.Namespace) -> int:
    """Send the text given (or standard input) and print the reply."""
    settings = load(given.home)
    if settings.listen is None or settings.listen.protocol != "smtp" or settings.send.kind != "maildir":
        raise ConfigurationError(
            "`gm say` needs a server that listens for SMTP and delivers into Maildirs.",
            "Use your mail program with this one.",
        )
    words = "\n".join(given.words) if given.words else sys.stdin.read()
    mailroom = Mailroom(settings.listen.port, settings.send.maildir)
    mailroom.collect(given.sender)
    try:
        to = given.to or settings.server.address
        mail = terminal(Draft(given.sender, given.sender, to, "by hand", words, datetime.now(UTC)))
        mail.replace_header("Message-ID", make_msgid(domain=given.sender.partition("@")[2]))
        mailroom.post(mail)
    except OSError as error:
        raise ConfigurationError(
            f"The server does not accept the mail ({error}).", f"Run `gm serve {at(given.home)}` first."
        ) from error
    return 0 if _show_answers(mailroom, given.sender, given.wait) else 1


def _show_answers(mailroom: Mailroom, address: str, seconds: float) -> bool:
    """Print incoming mail until the reply has arrived. False when it has not arrived in time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        for mail in mailroom.collect(address):
            print(f"Subject: {mail['Subject']}\nReply-To: {mail['Reply-To']}\n\n{text_of(mail)}")
            if mail["In-Reply-To"]:
                return True
        time.sleep(0.05)
    print(f"No answer arrived within {seconds:.0f} seconds.", file=sys.stderr)
    return False
