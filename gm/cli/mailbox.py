"""`gm mail`: shows mails that were set aside, quarantined or ignored, explains one line by line, processes them again,
or discards them; shows mails of ours that were refused, and sends what waits now. `gm tidy` and `gm forget`: delete
personal data that is no longer needed.

They work on the database, whether or not a server is running; the server then processes mails that are to be replayed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from gm.cli import load
from gm.cli.mail_lines import print_row, print_sent, search
from gm.errors import ConfigurationError, GmError
from gm.mail.message.addresses import hidden
from gm.mail.message.bounce_report import read_bounce
from gm.mail.message.compose import joined
from gm.mail.message.incoming import read_message
from gm.mail.message.mime import Headers
from gm.operation import MailNumber
from gm.store import forgetting, inbox, mail_files, outbox, refusals, retention
from gm.store.copying import opened
from gm.store.database import Database
from gm.store.inbox import InboxRow, InboxState
from gm.store.mail_search import Wanted
from gm.store.outbox import OutboxRow, OutboxState
from gm.store.presence import is_served

if TYPE_CHECKING:
    from gm.server import Server

# What loads the server, its commands and games is imported where it is used: to show a mail takes none of it.

_IGNORED_SHOWN = 20


def _row(database: Database, number: MailNumber) -> InboxRow | OutboxRow | None:
    """The mail with this number."""
    with database.reading() as session:
        return outbox.mail_by_id(session, number.id) if number.ours else inbox.mail_by_id(session, number.id)


def _missing(database: Database, number: MailNumber, which: str = "") -> ConfigurationError:
    """The error that there is no such mail, which names the one of the other kind if there is one."""
    other, kind = replace(number, ours=not number.ours), "arrived" if number.ours else "is one of ours"
    there = _row(database, other) is not None and _row(database, number) is None
    remedy = f"{other} {kind}: `gm mail show {other}`." if there else "`gm mail show` lists them."
    return ConfigurationError(f"There is no mail {number}{which}.", remedy)


def main(given: argparse.Namespace) -> int:
    """Carry out the command line; 1 when there is no such mail."""
    if given.what == "explain":
        return _explain(given.home, given.number)
    with opened(load(given.home).database.url) as database:
        if given.what == "show":
            wanted = Wanted(given.sender or "", given.recipient or "", given.message_id, given.game)
            if wanted != Wanted():
                return search(database, wanted)
        if given.what == "show":
            return _show(database, given.number, given.raw)
        if given.what == "flush":
            return _flush(database, given.domain)
        return _change(database, given.what, given.number)


def _show(database: Database, number: MailNumber | None, raw: bool) -> int:
    if number is None:
        _list(database)
        return 0
    mail = _row(database, number)
    if mail is None:
        raise _missing(database, number)
    if raw:
        _print_raw(database, mail)
    elif isinstance(mail, OutboxRow):
        _describe_sent(mail)
    else:
        _describe(mail)
    return 0


def _print_raw(database: Database, mail: InboxRow | OutboxRow) -> None:
    whole = mail.raw
    if isinstance(mail, OutboxRow) and mail.files:
        with database.reading() as session:
            whole = joined(mail.raw, mail.message_id, mail_files.of(session, mail.message_id))
    if sys.stdout.isatty():
        print(whole.decode("latin-1"))
    else:
        sys.stdout.buffer.write(whole)


def _list(database: Database) -> None:
    """Print the mails set aside, quarantined or ignored, newest first; those of ours that were refused for now, oldest
    first; and those that could not be sent, or have been under way for long.
    """
    with database.reading() as session:
        waiting = inbox.in_states(session, InboxState.ASIDE, InboxState.QUARANTINED)
        ignored = inbox.in_states(session, InboxState.IGNORED, limit=_IGNORED_SHOWN)
        every = inbox.counts(session)[InboxState.IGNORED]
        failed = outbox.failed(session)
        number, refused = outbox.refused_for_now(session)
        hanging = outbox.under_way(session, datetime.now(UTC))
    for mail in (*waiting, *ignored):
        print_row(mail)
    if every > len(ignored):
        print(f"        {every - len(ignored)} older mails were ignored; `gm mail show --from ADDRESS` finds them.")
    for sent in hanging:
        print_sent(sent, "under way", f"for more than a minute, attempt {sent.tries}; its server may hang")
    for sent in refused:
        print_sent(sent, sent.state.value, f"next try {sent.next_try_at:%Y-%m-%d %H:%M}: {sent.last_error}")
    if number > len(refused):
        print(f"        {number - len(refused)} more mails were refused for now, and wait for another try.")
    for sent in failed:
        print_sent(sent, "failed", sent.last_error)
    if not waiting and not failed and not refused and not hanging:
        print("No mail is set aside or quarantined, and none of ours was refused.")


def _describe_sent(mail: OutboxRow) -> None:
    """Print one mail of ours: to whom it is, what became of it, and why it was refused."""
    print(f"mail:        {mail.number}, {mail.state.value}, {len(mail.raw):,} bytes, {mail.tries} attempts")
    print(f"to:          {mail.recipient}\nsubject:     {Headers.of(mail.raw).text('subject')}")
    print(f"queued:      {_second(mail.created_at)}")
    print(f"message-id:  {mail.message_id}\npurpose:     {mail.purpose.partition(':')[0]}")
    if mail.sent_at is not None:
        print(f"sent:        {_second(mail.sent_at)}")
    if mail.reply:
        print(f"relay said:  {mail.reply}")
    if mail.state is OutboxState.QUEUED:
        print(f"next try:    {'now' if mail.leased_until is not None else _second(mail.next_try_at)}")
    if mail.tried_at is not None:
        print(f"last failed: {_second(mail.tried_at)}")
    if mail.last_error:
        print(f"\n{mail.last_error}")


def _second(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M:%S} UTC"


def _describe(mail: InboxRow) -> None:
    """Print one mail: its data, its sender's text, and why it was stopped."""
    message = read_message(mail.raw, envelope_from=mail.envelope_from, recipients=mail.recipients)
    print(f"mail:        {mail.id}, {mail.state.value}, {len(mail.raw):,} bytes, {mail.tries} attempts")
    print(f"received:    {_second(mail.received_at)} by {mail.source}")
    print(f"envelope:    <{mail.envelope_from or ''}> to {', '.join(mail.recipients) or '(not known)'}")
    print(f"from:        {message.sender or '(no single sender)'}\nsubject:     {message.subject}")
    if mail.findings:
        print(f"checked:     {mail.findings}")
    if message.automatic:
        print(f"automatic:   {message.automatic}")
    if message.listed:
        print(f"by a list:   {message.listed}")
    bounce = read_bounce(mail.raw) if message.automatic else None
    if bounce is not None:
        print(f"report:      {bounce.reason} {bounce.status}".rstrip() + f": {bounce.words}")
        print(f"about:       {', '.join(bounce.recipients) or '(no address)'}")
    for fault in message.faults if bounce is None else ():
        print(f"fault:       {fault}")
    print("\n" + "\n".join(f"    {line}" for line in message.text.splitlines()))
    if mail.note:
        print(f"\n{mail.note.rstrip()}")


def _explain(home: Path, number: MailNumber) -> int:
    """Print what would become of each line of a mail that arrived, if it came now."""
    from gm.inbound.explain import explain
    from gm.reading.rows import table

    with _server(home) as server:
        found = None if number.ours else explain(server, number.id)
        if found is None:
            raise _missing(server.database, number, " that arrived")
        base = server.identity.address
    note = f": {found.note.strip().splitlines()[-1]}" if found.note.strip() else ""
    print(f"mail {number}, if it came now: {found.state.value}{note}\n")
    for rows in filter(None, (found.rows, found.released)):
        if rows is found.released:
            print("\nThe mail that it releases:\n")
        hiding = [replace(row, text=hidden(row.text, base)) for row in rows]
        for line in table(hiding, head=True):
            print(line)
    return 0


def _change(database: Database, what: str, number: MailNumber) -> int:
    now = datetime.now(UTC)
    with database.transaction() as session:
        if what == "replay":
            done = outbox.send_again(session, number.id, now) if number.ours else inbox.try_again(session, number.id)
        elif number.ours:
            done = outbox.drop(session, number.id)
            retention.sent(session, number.id)
        else:
            done = inbox.drop(session, number.id, now)
    if not done:
        which = "was refused or given up" if number.ours else "is set aside, quarantined or ignored"
        raise _missing(database, number, f" that {which}")
    if what == "drop":
        print(f"Mail {number}: dropped; its content is kept.")
    else:
        when = "soon: a server is running" if is_served(database) else "as soon as the server runs"
        print(f"Mail {number}: it will be {'sent' if number.ours else 'processed'} again {when}.")
    return 0


def _flush(database: Database, domain: str) -> int:
    """Let all that waits for another try be tried at once."""
    with database.transaction() as session:
        number = refusals.flush(session, datetime.now(UTC), domain)
    where = f" to {domain}" if domain else ""
    mails = "1 mail" if number == 1 else f"{number} mails"
    print(f"{mails}{where} will be sent within a minute, if the server runs.")
    return 0


# what is kept of people


def tidy(given: argparse.Namespace) -> int:
    """Delete the content of old mails now."""
    from gm.machine.steps import Tidying

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


def forget(given: argparse.Namespace) -> int:
    """Delete the data of the person with an address, as FORGET ME does, or of the address alone. Raises
    ConfigurationError when there is nothing to delete.
    """
    from gm.commands import COMMANDS
    from gm.commands.context import Context, Operator
    from gm.commands.leaving import act_forget
    from gm.games import loading
    from gm.machine.steps import Tidying

    address: str = given.address
    try:
        with _server(given.home) as server:
            with server.transaction() as tx:
                person = loading.person_at(tx.session, address)
                if person is not None:
                    ctx = Context(tx, Operator(f"forget-{person.id}"), address, COMMANDS, actor=person)
                    act_forget(ctx, {})
                tx.finish()
                forgetting.forget(tx.session, {address} | tx.forgotten)
            number = sum(iter(Tidying(server, 0).forget, None))
            server.database.scrub()
    except GmError as error:
        raise ConfigurationError(error.problem, error.remedy) from error
    if person is None and not number:
        raise ConfigurationError(
            f"{address} is not registered, and no mail has it: nothing was deleted.",
            "Give an address that they have written from, or that mail went to.",
        )
    if person is None:
        print(f"Nobody is registered with {address}; {number} mails were thinned.")
    else:
        print(f"{person.name} <{address}> is forgotten. Seats are vacant, and their mails are thinned.")
    return 0


@contextmanager
def _server(home: Path) -> Iterator[Server]:
    from gm.games.identity import ServerIdentity
    from gm.server import Server

    settings = load(home)
    with opened(settings.database.url) as database:
        yield Server(database, ServerIdentity(settings.server, settings.key, settings.trust))
