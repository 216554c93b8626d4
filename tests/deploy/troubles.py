"""The failures in the table of docs/operating/troubles.md, each made to happen to a server in a folder."""

from __future__ import annotations

import os
import shutil
import socket
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple, Protocol
from zoneinfo import ZoneInfoNotFoundError

import pytest
from sqlalchemy import select, text

from gm.cli import check, init
from gm.cli.mail_trial import mail_trial
from gm.cli.service import service_of
from gm.mail.transport.dmarc import LookupFailed
from gm.operation import Part
from gm.server.condition import MARK, claim
from gm.settings import load
from gm.settings.editing import change
from gm.store import inbox, outbox
from gm.store.about import change as change_about
from gm.store.agenda import DeadlineKind, DeadlineRow
from gm.store.database import Database
from gm.store.game_rows import PhaseRow
from gm.store.inbox import InboxState
from gm.store.outbox import Trouble
from gm.store.presence import Presence
from tests.certificates import new_certificate
from tests.databases import migrated_sqlite
from tests.mail.transport.dovecot import PASSWORD, USER, Dovecot, free_port
from tests.mail.transport.mailserver import MailServer
from tests.store.setting import claimed, lay_table


class PostgreSQL(Protocol):
    """Gives the URL of a new database with the schema."""

    def __call__(self) -> str: ...


@dataclass
class Site:
    """A server that has been started once, with a game. What is started beside it ends with `left`."""

    home: Path
    monkeypatch: pytest.MonkeyPatch
    postgresql: PostgreSQL
    key: Path
    left: ExitStack

    @property
    def file(self) -> Path:
        return self.home / "gm.sqlite3"

    def database(self) -> Database:
        return self.left.enter_context(Database(load(self.home, {}).database.url))

    def execute(self, statement: str) -> None:
        with self.database().transaction() as session:
            session.execute(text(statement))

    def settings(self, section: str, **values: str) -> None:
        """Settings of the environment."""
        for key, value in values.items():
            self.monkeypatch.setenv(f"GM_{section.upper()}_{key.upper()}", value)


def new_site(home: Path, monkeypatch: pytest.MonkeyPatch, postgresql: PostgreSQL, key: Path) -> Iterator[Site]:
    """A server that is well."""
    init.write(home, address="gm@localhost", port=free_port())
    (home / "gm.sqlite3").write_bytes(migrated_sqlite())
    (home / "gm.sqlite3").chmod(0o600)
    with service_of(load(home, {})).database as database:
        claim(service_of(load(home, {})).asked())
        with database.transaction() as session:
            lay_table(session)
    with ExitStack() as left:
        yield Site(home, monkeypatch, postgresql, key, left)


NOW = datetime.now(UTC)
AGO = NOW - timedelta(hours=3)
LATELY = NOW - timedelta(minutes=30)


# the machine


def full(site: Site) -> None:
    site.monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10**9, 0, 5_000_000))


def nearly_full(site: Site) -> None:
    site.monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10**9, 0, 90_500_000))


def read_only(site: Site) -> None:
    site.monkeypatch.setattr(os, "access", lambda path, *_, **__: path != site.home)


def clock_set_back(site: Site) -> None:
    with site.database().transaction() as session:
        inbox.accept(session, inbox.ArrivedMail("smtp", b"Subject: x\r\n\r\ny\r\n", NOW + timedelta(days=2)))
        session.execute(text("UPDATE inbox SET state = 'done'"))


def file_of_the_future(site: Site) -> None:
    ahead = (NOW + timedelta(days=2)).timestamp()
    os.utime(site.home / "gm.toml", (ahead, ahead))


def clock_by_itself(site: Site) -> None:
    site.monkeypatch.setattr(check, "_network_time", lambda: False)


def no_zones(site: Site) -> None:
    def none(_: str) -> None:
        raise ZoneInfoNotFoundError("No time zone found")

    site.monkeypatch.setattr(check, "ZoneInfo", none)


def open_to_others(site: Site) -> None:
    (site.home / "gm.key").chmod(0o640)


def gallery_with_other_files(site: Site) -> None:
    (site.home / "site").mkdir()
    (site.home / "site" / "index.php").touch()
    site.settings("gallery", folder=str(site.home / "site"))


def port_taken(site: Site) -> None:
    other = site.left.enter_context(socket.create_server(("127.0.0.1", 0)))
    site.monkeypatch.setattr(check, "GREETING_SECONDS", 0.1)
    site.settings("listen", port=str(other.getsockname()[1]))


# the configuration


def wrong_setting(site: Site) -> None:
    site.settings("listen", port="high")


def no_key(site: Site) -> None:
    (site.home / "gm.key").unlink()


def another_certificate(site: Site) -> None:
    own, other = (new_certificate(Path(site.left.enter_context(TemporaryDirectory()))) for _ in range(2))
    site.settings("listen", tls_certificate=str(own.chain), tls_key=str(other.key))


def old_certificate(site: Site) -> None:
    own = new_certificate(Path(site.left.enter_context(TemporaryDirectory()))).renewed(site.home, days=-1)
    site.settings("listen", tls_certificate=str(own.chain), tls_key=str(own.key))


def another_key(site: Site) -> None:
    (site.home / "gm.key").write_text("ab" * 32)


def another_address(site: Site) -> None:
    change(site.home / "gm.toml", "server", "address", "gm@example.net")


def rehearsal(site: Site) -> None:
    site.settings("server", rehearsal_seed="5e" * 32)


# the database


def emptied(site: Site) -> None:
    site.file.write_bytes(b"")


def gone(site: Site) -> None:
    site.file.unlink()


def damaged(site: Site) -> None:
    content = bytearray(site.file.read_bytes())
    content[4096:] = b"\xa5" * (len(content) - 4096)
    site.file.write_bytes(content)


def postgresql_stopped(site: Site) -> None:
    site.settings("database", url=f"postgresql://gm:x@127.0.0.1:{free_port()}/gm")


def exchanged(site: Site) -> None:
    (site.home / MARK).write_text("another")


def of_another_program(site: Site) -> None:
    site.file.unlink()
    with closing(sqlite3.connect(site.file)) as other:
        other.execute("CREATE TABLE birds (id INTEGER)")


def altered(site: Site) -> None:
    site.execute("ALTER TABLE press DROP COLUMN manner")


def never_backed_up(site: Site) -> None:
    with site.database().transaction() as session:
        change_about(session, claimed_at=NOW - timedelta(days=8))


def backed_up_long_ago(site: Site) -> None:
    with site.database().transaction() as session:
        change_about(session, backed_up_at=NOW - timedelta(days=8), backed_up_to="/backups/gm.tar.gz")


def without_reports(site: Site) -> None:
    url = site.postgresql()
    (site.home / MARK).unlink()
    site.settings("database", url=url)
    database = site.left.enter_context(Database(url))
    site.left.callback(Presence(database, {Part.INTAKE, Part.DEADLINES, Part.DELIVERY}).close)


# mail


def mail_waits(site: Site) -> None:
    with site.database().transaction() as session:
        inbox.accept(session, inbox.ArrivedMail("smtp", b"Subject: x\r\n\r\ny\r\n", AGO))


def mail_set_aside(site: Site) -> None:
    mail_waits(site)
    with site.database().transaction() as session:
        mail = inbox.next_new(session, NOW)
        assert mail is not None
        taken = inbox.take(session, mail.id)
        assert taken is not None
        inbox.mark(session, taken, InboxState.ASIDE, NOW, "ValueError: no such bishop\n")


def answers_wait(site: Site, refused: str = "", trouble: Trouble = Trouble.DEFERRED, since: datetime = AGO) -> None:
    now = datetime.now(UTC)  # what was refused is tried again in a minute, and late ten minutes after that
    with site.database().transaction() as session:
        mails = [outbox.Queued(f"w{number}", f"w{number}@x{number}.example", "", "", b"x") for number in range(3)]
        outbox.queue_all(session, mails, since)
        for mail in claimed(session, now) if refused else ():
            outbox.mark_failed(session, mail.id, now, outbox.Failure(refused, jitter=0.0, trouble=trouble))


def deadline_missed(site: Site) -> None:
    with site.database().transaction() as session:
        session.execute(text("DELETE FROM deadline"))
        phase = session.scalars(select(PhaseRow)).one()
        session.add(DeadlineRow(game_id=phase.game_id, phase_id=phase.id, kind=DeadlineKind.ADJUDICATE, due_at=AGO))


def imap_away(site: Site) -> None:
    site.settings("imap", host="127.0.0.1", port=str(free_port()), tls="none", user="gm", password="x")


def mailbox_deleted(site: Site) -> None:
    dovecot = site.left.enter_context(Dovecot())
    given = {"host": "127.0.0.1", "port": str(dovecot.port), "tls": "none", "user": USER, "password": PASSWORD}
    site.settings("imap", **given, folder="Nowhere")


def relay_away(site: Site) -> None:
    site.settings("send", kind="smtp", port=str(free_port()))


def no_plus(site: Site) -> None:
    refusing = site.left.enter_context(MailServer(answers={"RCPT gm+check@localhost": "550 5.1.1 no such user"}))
    imap_away(site)
    site.settings("send", kind="smtp", port=str(refusing.port))


def nothing_arrives(site: Site) -> None:
    relay = site.left.enter_context(MailServer())
    site.settings("send", kind="smtp", port=str(relay.port))
    site.monkeypatch.setattr(check, "mail_trial", partial(mail_trial, seconds=0.01))


def signing(site: Site, published: Callable[..., list[str]]) -> None:
    shutil.copy(site.key, site.home / "dkim.pem")
    (site.home / "dkim.pem").chmod(0o600)
    site.settings("send", dkim_selector="a", dkim_key="dkim.pem")
    site.monkeypatch.setattr(check, "dns_records", published)


def nobody_checks(site: Site) -> None:
    site.settings("trust", level="normal")
    site.settings("listen", protocol="lmtp")


def results_below(site: Site) -> None:
    """The mail server in front writes what it finds out below its own Received, as OpenDKIM does."""
    site.settings("trust", authserv_ids="mx.example")
    raw = b"Received: from x (x [192.0.2.1]) by mx.example\nAuthentication-Results: mx.example; none\n\nHELP\n"
    with site.database().transaction() as session:
        inbox.accept(session, inbox.ArrivedMail("lmtp", raw, AGO))
        session.execute(text("UPDATE inbox SET state = 'done'"))


def rules_are_gone(site: Site) -> None:
    """The file of a game has been taken away."""
    site.execute("""UPDATE game SET options = '{"rules": "nowhere/1"}'""")


def no_dns(*_: object) -> list[str]:
    raise LookupFailed("timed out")


class Failure(NamedTuple):
    """What `gm check` says FIX or note to, what one sees, and how it comes about."""

    name: str
    seen: str
    happens: Callable[[Site], object]


TROUBLES = tuple(
    Failure(*one)
    for one in (
        ("configuration", "cannot be read", no_key),
        ("configuration", "is not usable", wrong_setting),
        ("configuration", "The certificate", another_certificate),
        ("certificate", "has expired", old_certificate),
        ("disk", "is full", full),
        ("disk", "cannot be written", read_only),
        ("space", "MB are free", nearly_full),
        ("database", "has been emptied", emptied),
        ("database", "is not there any more", gone),
        ("database", "is damaged", damaged),
        ("database", "is not available", postgresql_stopped),
        ("database", "not the database that this server has had", exchanged),
        ("database", "has tables of another program", of_another_program),
        ("schema", "is not as gm made it", altered),
        ("key", "another key", another_key),
        ("address", "The database is that of", another_address),
        ("clock", "but a mail came at", clock_set_back),
        ("clock", "but a file is dated", file_of_the_future),
        ("clock", "not synchronized", clock_by_itself),
        ("backup", "No backup was ever made", never_backed_up),
        ("backup", "The last backup was made on", backed_up_long_ago),
        ("servers", "Nobody runs", without_reports),
        ("inbox", "A mail has waited since", mail_waits),
        ("inbox", "set aside", mail_set_aside),
        ("outbox", "to be sent", answers_wait),
        ("outbox", "refused for now", partial(answers_wait, refused="450 4.7.1 Greylisted", since=LATELY)),
        ("outbox", "All mail is refused", partial(answers_wait, refused="554 5.7.1 No", trouble=Trouble.REFUSED)),
        ("deadlines", "passed without being processed", deadline_missed),
        ("imap", "cannot be reached", imap_away),
        ("imap", "refused user", mailbox_deleted),
        ("sending", "Connection refused", relay_away),
        ("addresses", "refuses gm+check@", no_plus),
        ("a mail", "did not arrive", nothing_arrives),
        ("signing", "The DNS does not answer", partial(signing, published=no_dns)),
        ("signing", "is not published", partial(signing, published=lambda *_: [])),
        ("trust", "no server checks who sent a mail", nobody_checks),
        ("games", "cannot go on", rules_are_gone),
        ("trust", "its own Received", results_below),
        ("listener", "cannot be used", port_taken),
        ("files", "can be read by others", open_to_others),
        ("gallery", "is not a gallery of gm", gallery_with_other_files),
        ("time zones", "time zone data cannot be used", no_zones),
        ("draws", "rehearsal_seed is set", rehearsal),
    )
)
