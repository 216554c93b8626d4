"""`gm mail`: shows mails that were set aside, quarantined or ignored, processes them again, or discards them; shows
mails of ours that were refused, and sends what waits now. `gm tidy` and `gm forget`: delete personal data that is no
longer needed.

They work on the database, whether or not a server is running; the server then processes mails that are to be replayed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from gm.cli import add_home, home_parser
from gm.commands import COMMANDS
from gm.commands.context import Context, Operator
from gm.commands.leaving import act_forget
from gm.errors import ConfigurationError, GmError
from gm.games import loading
from gm.games.identity import ServerIdentity
from gm.mail.message.addresses import parse_address
from gm.mail.message.incoming import read_message
from gm.server import Server
from gm.server.steps import Tidying
from gm.settings import load
from gm.store import inbox, outbox, refusals, retention
from gm.store.database import Database
from gm.store.inbox import InboxRow, InboxState
from gm.store.outbox import OutboxRow

_IGNORED_SHOWN = 20


def main(argv: Sequence[str]) -> int:
    """Carry out the command line; 1 when there is no such mail."""
    given = _parser().parse_args(argv)
    with Database(load(given.home).database.url) as database:
        if given.what == "show" and (given.sender or given.message_id):
            return _search(database, given.sender, given.message_id)
        if given.what == "show":
            return _show(database, given.number, given.raw)
        if given.what == "flush":
            return _flush(database, given.domain)
        return _change(database, given.what, given.number, sent=given.sent)


def _show(database: Database, number: int | None, raw: bool) -> int:
    if number is None:
        _list(database)
        return 0
    with database.reading() as session:
        mail = inbox.mail_by_id(session, number)
        if mail is None:
            raise ConfigurationError(f"There is no mail {number}.", "`gm mail show` lists those that were set aside.")
        if raw and sys.stdout.isatty():
            print(mail.raw.decode("latin-1"))
        elif raw:
            sys.stdout.buffer.write(mail.raw)
        else:
            _describe(mail)
    return 0


def _list(database: Database) -> None:
    """Print the mails set aside, quarantined or ignored, newest first; those of ours that were refused for now, oldest
    first; and those that could not be sent.
    """
    with database.reading() as session:
        waiting = inbox.in_states(session, InboxState.ASIDE, InboxState.QUARANTINED)
        ignored = inbox.in_states(session, InboxState.IGNORED, limit=_IGNORED_SHOWN)
        every = inbox.counts(session)[InboxState.IGNORED]
        failed = outbox.failed(session)
        number, refused = outbox.refused_for_now(session)
    for mail in (*waiting, *ignored):
        _print_row(mail)
    if every > len(ignored):
        print(f"        {every - len(ignored)} older mails were ignored; `gm mail show --from ADDRESS` finds them.")
    for sent in refused:
        _print_sent(sent, "waiting", f"next try {sent.next_try_at:%Y-%m-%d %H:%M}: {sent.last_error}")
    if number > len(refused):
        print(f"        {number - len(refused)} more mails were refused for now, and wait for another try.")
    for sent in failed:
        _print_sent(sent, "failed", sent.last_error)
    if not waiting and not failed and not refused:
        print("No mail is set aside or quarantined, and none of ours was refused.")


def _search(database: Database, sender: str, message_id: str) -> int:
    with database.reading() as session:
        found = inbox.search(session, sender, message_id)
    for mail in found:
        _print_row(mail)
    if not found:
        print("There is no such mail.")
    return 0 if found else 1


def _print_row(mail: InboxRow) -> None:
    note = mail.note.strip().splitlines() or [""]
    sender = mail.envelope_from or mail.sender
    print(f"{mail.id:>6}  {mail.state.value:<11} {mail.received_at:%Y-%m-%d %H:%M}  {sender}  {note[-1]}")


def _print_sent(mail: OutboxRow, state: str, words: str) -> None:
    print(f"{mail.id:>6}  {state:<11} {mail.created_at:%Y-%m-%d %H:%M}  to {mail.recipient}  {words}")


def _describe(mail: InboxRow) -> None:
    """Print one mail: its data, its sender's text, and why it was stopped."""
    message = read_message(mail.raw, envelope_from=mail.envelope_from, recipients=mail.recipients)
    print(f"mail:        {mail.id}, {mail.state.value}, {len(mail.raw):,} bytes, {mail.tries} attempts")
    print(f"received:    {mail.received_at:%Y-%m-%d %H:%M:%S} UTC by {mail.source}")
    print(f"envelope:    <{mail.envelope_from or ''}> to {', '.join(mail.recipients) or '(not known)'}")
    print(f"from:        {message.sender or '(no single sender)'}\nsubject:     {message.subject}")
    if mail.findings:
        print(f"checked:     {mail.findings}")
    if message.automatic:
        print(f"automatic:   {message.automatic}")
    if message.listed:
        print(f"by a list:   {message.listed}")
    for fault in message.faults:
        print(f"fault:       {fault}")
    print("\n" + "\n".join(f"    {line}" for line in message.text.splitlines()))
    if mail.note:
        print(f"\n{mail.note.rstrip()}")


def _change(database: Database, what: str, number: int, *, sent: bool) -> int:
    now = datetime.now(UTC)
    with database.transaction() as session:
        if sent:
            done = what == "replay" and outbox.send_again(session, number, now)
        elif what == "replay":
            done = inbox.try_again(session, number)
        else:
            done = inbox.drop(session, number, now)
    if not done:
        states = "set aside, quarantined or ignored" if what == "replay" else "set aside or quarantined"
        where = "could not be sent" if sent else f"is {states}"
        raise ConfigurationError(f"There is no mail {number} that {where}.", "`gm mail show` lists them.")
    if what == "drop":
        print(f"Mail {number}: dropped; its content is kept.")
    else:
        print(f"Mail {number}: it will be {'sent' if sent else 'processed'} again as soon as the server runs.")
    return 0


def _flush(database: Database, domain: str) -> int:
    """Let all that waits for another try be tried at once."""
    with database.transaction() as session:
        number = refusals.flush(session, datetime.now(UTC), domain)
    where = f" to {domain}" if domain else ""
    mails = "1 mail" if number == 1 else f"{number} mails"
    print(f"{mails}{where} will be sent within a minute, if the server runs.")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="gm mail",
        description="Mails that were set aside, quarantined or ignored, and mails of ours that were refused.",
    )
    kinds = parser.add_subparsers(dest="what", required=True, metavar="show|replay|drop|flush")
    show = kinds.add_parser("show", help="list them, or show one")
    show.add_argument("number", type=int, nargs="?", help="the mail's number")
    show.add_argument("--raw", action="store_true", help="its bytes as received")
    show.add_argument("--from", dest="sender", default="", metavar="ADDRESS", help="all mails of this sender")
    show.add_argument(
        "--id", dest="message_id", default="", metavar="MESSAGE-ID", help="the mails with this Message-ID"
    )
    replay = kinds.add_parser(
        "replay",
        help="process one again, an ignored one as a person's or as a true bounce; --sent: send one again",
    )
    drop = kinds.add_parser("drop", help="close one without processing it")
    for kind in (replay, drop):
        kind.add_argument("number", type=int, help="the mail's number")
    replay.add_argument("--sent", action="store_true", help="the number is that of a mail of ours that was given up")
    drop.set_defaults(sent=False)
    flush = kinds.add_parser("flush", help="send what waits for another try now, as after a failure that was mended")
    flush.add_argument("domain", nargs="?", default="", help="only mail to recipients of this domain")
    for kind in (show, replay, drop, flush):
        add_home(kind)
    return parser


# what is kept of people


def tidy(argv: Sequence[str]) -> int:
    """Delete the content of old mails now."""
    parser = home_parser(
        "tidy", "Delete the content of mails that were dealt with or sent long ago. The server does it daily."
    )
    parser.add_argument(
        "--days", type=int, help="the number of days for which mails are kept (default: keep_days in gm.toml)"
    )
    given = parser.parse_args(argv)
    days = load(given.home).server.keep_days if given.days is None else given.days
    if days < 1:
        raise ConfigurationError(
            "Nothing says how long mails are kept.", "Set keep_days under [server] in gm.toml, or give --days 180."
        )
    with _server(given.home) as server:
        total, step = 0, Tidying(server, days)
        while number := step.thin(server.now()):
            total += number
    print(f"{total} mails older than {days} days were thinned.")
    return 0


def forget(argv: Sequence[str]) -> int:
    """Delete the data of the person with an address, as FORGET ME does, or of the address alone."""
    parser = home_parser(
        "forget", "Vacate a person's seats and delete their name, addresses and mails, as FORGET ME does."
    )
    parser.add_argument("address", help="any mail address of the person")
    given = parser.parse_args(argv)
    mailbox = parse_address(given.address)
    if mailbox is None:
        raise ConfigurationError(f"{given.address!r} is not a mail address.", "Write it like name@example.org.")
    try:
        with _server(given.home) as server:
            with server.transaction() as tx:
                person = loading.person_at(tx.session, mailbox.address)
                if person is not None:
                    ctx = Context(tx, Operator(f"forget-{person.id}"), mailbox.address, COMMANDS, actor=person)
                    act_forget(ctx, {})
                tx.finish()
                number = retention.forget(tx.session, {mailbox.address} | tx.forgotten)
            server.database.scrub()
    except GmError as error:
        raise ConfigurationError(error.problem, error.remedy) from error
    if person is None:
        print(f"Nobody is registered with {mailbox.address}; {number} mails were thinned.")
    else:
        print(f"{person.name} <{mailbox.address}> is forgotten. Seats are vacant, and their mails are thinned.")
    return 0


@contextmanager
def _server(home: Path) -> Iterator[Server]:
    settings = load(home)
    with Database(settings.database.url) as database:
        yield Server(database, ServerIdentity(settings.server, settings.key, settings.trust))
