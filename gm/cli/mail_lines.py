"""Mails as `gm mail show` lists them: one line each, and with what is looked for also the subject."""

from __future__ import annotations

from datetime import datetime

from gm.mail.message.mime import Headers
from gm.store import mail_search
from gm.store.database import Database
from gm.store.inbox import InboxRow
from gm.store.mail_search import Wanted
from gm.store.outbox import OutboxRow, OutboxState, Trouble


def search(database: Database, wanted: Wanted) -> int:
    """Print all mails that are looked for, oldest first, those that arrived and ours, each with what it was."""
    with database.reading() as session:
        found: list[InboxRow | OutboxRow] = [*mail_search.arrived(session, wanted), *mail_search.ours(session, wanted)]
    for mail in sorted(found, key=_at):
        if isinstance(mail, InboxRow):
            print_row(mail, Headers.of(mail.raw).text("subject"))
        else:
            print_sent(mail, mail.state, _fate(mail), Headers.of(mail.raw).text("subject"))
    if not found:
        print("There is no such mail.")
    elif len(found) >= mail_search.MOST:
        print(f"        Only the newest {mail_search.MOST} of each kind are listed.")
    return 0 if found else 1


def _at(mail: InboxRow | OutboxRow) -> datetime:
    return mail.received_at if isinstance(mail, InboxRow) else mail.created_at


def _fate(mail: OutboxRow) -> str:
    """What became of a mail of ours."""
    match mail.state:
        case OutboxState.SENT if mail.sent_at is not None:
            return f"sent {mail.sent_at:%H:%M:%S}, the relay said: {mail.reply or 'nothing that was kept'}"
        case OutboxState.QUEUED if mail.trouble is Trouble.NONE:
            return "waits to be sent"
        case OutboxState.HELD:
            return f"goes with the digest of {mail.next_try_at:%Y-%m-%d %H:%M}"
        case OutboxState.QUEUED:
            return f"next try {mail.next_try_at:%Y-%m-%d %H:%M}: {mail.last_error}"
    return mail.last_error


def print_row(mail: InboxRow, subject: str = "") -> None:
    """Print a mail that arrived: its number, what became of it, from whom it was, and why."""
    note = mail.note.strip().splitlines() or [""]
    _print_line(str(mail.id), mail.state, mail.received_at, f"{mail.envelope_from or mail.sender}  {note[-1]}")
    _print_subject(subject)


def print_sent(mail: OutboxRow, state: str, words: str, subject: str = "") -> None:
    """Print a mail of ours: its number, what became of it, and to whom it is; with the subject also what it is for."""
    _print_line(mail.number, state, mail.created_at, f"to {mail.recipient}  {words}")
    _print_subject(f"{subject}  ({mail.purpose.partition(':')[0]})" if subject else "")


def _print_subject(subject: str) -> None:
    if subject:
        print(f"{'':>21}{subject}")


def _print_line(number: str, state: str, at: datetime, words: str) -> None:
    print(f"{number:>6}  {state:<11} {at:%Y-%m-%d %H:%M}  {words}")
