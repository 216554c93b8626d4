"""The inbox: duplicates, the order of processing, counted tries, and mails set aside."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from gm.mail.message.incoming import Identity, read_head
from gm.store import inbox, rows
from gm.store.agenda import next_work
from gm.store.database import Database
from gm.store.inbox import ArrivedMail, ImapKey, InboxRow, InboxState
from tests.store.setting import MINUTE, NOW, arrived

KEY = ImapKey("gm@example.org", "INBOX", uidvalidity=4_294_967_295, uid=4_294_967_295)


def identity(raw: bytes) -> Identity:
    """The identity of a mail to the server's own address."""
    return read_head(raw).identity()


SAME = b"Message-ID: <1@x>\r\nSubject: orders\r\n\r\nA PAR-BUR\r\n"


@pytest.mark.parametrize(
    ("other", "same"),
    [
        pytest.param(SAME, True, id="the very bytes"),
        pytest.param(SAME.replace(b"\r\n", b"\n"), True, id="other line ends"),
        pytest.param(SAME + b"\r\n\r\n", True, id="empty lines after it"),
        pytest.param(b"Received: by mx\r\n" + SAME, True, id="another trace"),
        pytest.param(SAME.replace(b"Message-ID: ", b"message-id:\r\n  "), True, id="a folded header"),
        pytest.param(SAME.replace(b"BUR", b"PIC"), False, id="same Message-ID, another body"),
        pytest.param(SAME.replace(b"<1@x>", b"<2@x>"), False, id="another Message-ID, same body"),
    ],
)
def test_what_is_the_same_mail(other: bytes, same: bool) -> None:
    assert (identity(SAME) == identity(other)) is same


NAMELESS = b"Date: Fri, 20 Nov 2026 18:00:00 +0000\r\nFrom: ann@example.org\r\n\r\nA PAR-BUR\r\n"


@pytest.mark.parametrize(
    ("other", "same"),
    [
        pytest.param(b"Received: by mx\r\n" + NAMELESS, True, id="the same by another way"),
        pytest.param(b"Message-ID: <>\r\n" + NAMELESS, False, id="an empty one is part of what names it"),
        pytest.param(NAMELESS.replace(b"18:00", b"19:00"), False, id="the same words an hour later"),
        pytest.param(NAMELESS.replace(b"ann", b"bob"), False, id="the same words of another"),
    ],
)
def test_a_mail_without_message_id_is_known_by_its_headers_and_body(other: bytes, same: bool) -> None:
    assert identity(NAMELESS).message_id.endswith("@made.invalid>")
    assert (identity(NAMELESS) == identity(other)) is same


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\r\n\r\n",
        b"no header at all",
        b"Message-ID: " + b"x" * 100_000 + b"\r\n\r\nbody",
        b"Message-ID: \xff\xfe\x00<a\x00b>\r\n\r\nbody",
        b"Message-ID: <" + b"((" * 2000 + b"\r\n\r\n",
    ],
)
def test_any_bytes_are_accepted_once(database: Database, raw: bytes) -> None:
    mail = ArrivedMail("smtp", raw, NOW, recipients=("gm\0\udcff@example.org",), envelope_from="")
    with database.transaction() as session:
        assert inbox.accept(session, mail) is not None
    with database.transaction() as session:
        assert inbox.accept(session, mail) is None
    with database.reading() as session:
        found = inbox.mail_by_id(session, 1)
        assert found is not None
        assert found.raw == raw


def test_what_arrived_is_kept_as_it_came(database: Database) -> None:
    mail = replace(arrived(), source="imap", envelope_from=None, imap=KEY)
    with database.transaction() as session:
        assert inbox.accept(session, mail) is not None
    with database.reading() as session:
        row = inbox.mail_by_id(session, 1)
        assert row is not None
        assert (row.raw, row.recipients, row.envelope_from) == (mail.raw, ["gm@example.org"], None)
        assert (row.received_at, row.state, row.tries) == (NOW, InboxState.NEW, 0)
        assert (row.imap_uidvalidity, row.imap_uid) == (KEY.uidvalidity, KEY.uid)


def test_an_imap_message_is_one_mail_whatever_its_text(database: Database) -> None:
    with database.transaction() as session:
        assert inbox.accept(session, replace(arrived(1), imap=KEY)) is not None
        assert inbox.accept(session, replace(arrived(2), imap=KEY)) is None
        assert inbox.accept(session, replace(arrived(1), imap=replace(KEY, uid=7))) is None
        assert inbox.accept(session, replace(arrived(3), imap=replace(KEY, uidvalidity=1))) is not None


def start(database: Database, minutes: int = 0) -> int | None:
    """Begin to process a mail. Returns its id."""
    with database.transaction() as session:
        mail = inbox.next_new(session, NOW + minutes * MINUTE)
        return None if mail is None else mail.id


def test_mails_are_worked_on_in_order_of_arrival_and_each_once(database: Database) -> None:
    with database.transaction() as session:
        for number, sender in enumerate(["ann", "bob", "cid"]):
            inbox.accept(session, arrived(number, sender=f"{sender}@example.org"))
    assert [start(database), start(database), start(database), start(database)] == [1, 2, 3, None]
    for mail_id in (1, 2, 3):
        with database.transaction() as session:
            mail = inbox.take(session, mail_id)
            assert mail is not None
            inbox.mark(session, mail, InboxState.DONE, NOW)
    with database.transaction() as session:
        assert inbox.take(session, 1) is None
        assert inbox.next_new(session, NOW + timedelta(days=1)) is None
        assert inbox.counts(session) == dict.fromkeys(InboxState, 0) | {InboxState.DONE: 3}


def test_the_mails_of_one_sender_wait_for_each_other(database: Database) -> None:
    with database.transaction() as session:
        inbox.accept(session, arrived(1))
        inbox.accept(session, arrived(2))
        inbox.accept(session, arrived(3, sender="bob@example.org"))
    assert [start(database), start(database), start(database)] == [1, 3, None]
    with database.transaction() as session:
        mail = inbox.take(session, 1)
        assert mail is not None
        inbox.mark(session, mail, InboxState.IGNORED, NOW, "a robot")
    assert start(database) == 2


def test_a_mail_is_leased_as_it_is_stored_unless_an_earlier_one_of_its_sender_waits(database: Database) -> None:
    with database.transaction() as session:
        mails = [inbox.accept(session, arrived(number), "", NOW + inbox.LEASE) for number in (1, 2)]
        rest = inbox.accept(session, arrived(3, sender="bob@example.org"))
    assert [(mail.tries, mail.leased_until) for mail in (*mails, rest) if mail is not None] == [
        (1, NOW + inbox.LEASE),
        (0, None),
        (0, None),
    ]
    assert [start(database), start(database), start(database, minutes=2)] == [3, None, 1]
    with database.reading() as session:
        found = inbox.mail_by_id(session, 1)
        assert found is not None
        assert found.tries == 2, "the try in which the process died is counted"


def test_a_mail_whose_process_died_is_taken_up_when_its_lease_ends(database: Database) -> None:
    with database.transaction() as session:
        inbox.accept(session, arrived())
    assert start(database) == 1
    assert start(database, minutes=1) is None
    with database.reading() as session:
        assert next_work(session).mail == NOW + inbox.LEASE
    assert start(database, minutes=2) == 1


def test_a_server_that_starts_alone_need_not_wait_for_leases(database: Database) -> None:
    with database.transaction() as session:
        inbox.accept(session, arrived())
    assert start(database) == 1
    with database.transaction() as session:
        rows.end_leases(session)
    assert start(database) == 1


def test_a_mail_that_kills_the_process_is_set_aside_after_three_tries(database: Database) -> None:
    with database.transaction() as session:
        inbox.accept(session, arrived())
    for minutes in (0, 2, 4):
        assert start(database, minutes) == 1
        with database.reading() as session:
            assert inbox.counts(session)[InboxState.NEW] == 1
    with database.transaction() as session:
        mail = inbox.next_new(session, NOW + 6 * MINUTE)
        assert mail is not None
        assert mail.state is InboxState.ASIDE
        assert mail.note == "The server stopped 3 times while it worked on this mail."
        assert inbox.counts(session)[InboxState.ASIDE] == 1
        assert next_work(session).mail is None


def test_a_mail_that_fails_is_tried_again_then_set_aside_with_its_traceback(database: Database) -> None:
    with database.transaction() as session:
        inbox.accept(session, arrived(1))
        inbox.accept(session, arrived(2))
    states = []
    for minutes in (0, 1, 2):
        assert start(database, minutes) == 1
        assert start(database, minutes) == (None if minutes == 0 else 2), "it waits for the first try only"
        with database.transaction() as session:
            states.append(inbox.failed_try(session, 1, NOW + minutes * MINUTE, "Traceback ..."))
            inbox.give_back(session, 2, NOW - MINUTE)
    assert states == [InboxState.NEW, InboxState.NEW, InboxState.ASIDE]
    with database.transaction() as session:
        (mail,) = inbox.in_states(session, InboxState.ASIDE)
        assert (mail.id, mail.note, mail.done_at) == (1, "Traceback ...", NOW + 2 * MINUTE)
        assert inbox.failed_try(session, 1, NOW, "again") is None
    assert start(database, minutes=2) == 2  # the sender's next mail goes on


def test_a_mail_set_aside_can_be_tried_again(database: Database) -> None:
    with database.transaction() as session:
        mail = inbox.accept(session, arrived())
        assert mail is not None
        assert not inbox.try_again(session, mail.id)
        inbox.mark(session, mail, InboxState.ASIDE, NOW, "Traceback ...")
        assert inbox.try_again(session, mail.id)
    assert start(database) == 1


def test_a_failure_that_is_not_the_mails_costs_it_no_try(database: Database) -> None:
    with database.transaction() as session:
        inbox.accept(session, arrived())
    for minutes in range(10):
        assert start(database, minutes) == 1
        with database.transaction() as session:
            inbox.give_back(session, 1, NOW + minutes * MINUTE)
    with database.reading() as session:
        mail = inbox.mail_by_id(session, 1)
        assert mail is not None
        assert (mail.tries, mail.state) == (0, InboxState.NEW)
        assert mail.leased_until == NOW + 9 * MINUTE + timedelta(seconds=10)


def test_an_overtaken_mail_does_not_keep_the_server_awake(database: Database) -> None:
    with database.transaction() as session:
        inbox.accept(session, arrived(1))
        inbox.accept(session, arrived(2))
    start(database)
    with database.reading() as session:
        assert next_work(session).mail == NOW + inbox.LEASE
        assert inbox.oldest_new(session) == NOW


def test_taking_needs_no_try_of_ones_own(database: Database) -> None:
    with database.transaction() as session:
        inbox.accept(session, arrived())
        mail = inbox.take(session, 1)
        assert isinstance(mail, InboxRow)
        assert mail.tries == 0


def is_one_mail(first: InboxRow | None, second: InboxRow | None) -> bool:
    """Whether the second that was stored is a copy of the first, or none was needed."""
    assert first is not None
    return second is None or second.content_hash == first.content_hash


TOKEN = f"gm+spring.{'a' * 20}"


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("gm+spring.token@old.example", "games+spring.token@new.example", True),
        ("gm+spring.token@old.example", "gm+spring.other@old.example", False),
        ("gm@old.example", "", True),
        ("gm@old.example", "games@new.example", True),
        ("gm@old.example", "postmaster@old.example", False),
    ],
)
def test_a_mail_is_the_same_when_the_server_has_moved(
    database: Database, first: str, second: str, *, same: bool
) -> None:
    with database.transaction() as session:
        rows = [inbox.accept(session, arrived(), address) for address in (first, second)]
    assert is_one_mail(*rows) is same


@pytest.mark.parametrize(
    ("fields", "recipients", "same"),
    [
        ("To: gm@gm.example", (), True),
        (f'To: "{TOKEN}" <gm@gm.example>', (), True),
        ("To: gm@gm.example", (f"{TOKEN}@gm.example",), True),
        (f"To: gm@gm.example, {TOKEN}@gm.example", (), False),
    ],
    ids=["it names none", "its answer may go elsewhere, too", "anybody can send it there", "as an address"],
)
def test_where_names_stand_for_seats_what_we_forget_makes_a_mail_no_other(
    database: Database, fields: str, recipients: tuple[str, ...], *, same: bool
) -> None:
    """The seat of a mail without one is that of the mail which it answers."""
    raw = f"From: ann@a.example\r\nMessage-ID: <1@a.example>\r\n{fields}\r\n\r\nA PAR-BUR\r\n".encode()
    with database.transaction() as session:
        rows = [
            inbox.accept(session, ArrivedMail("smtp", raw, NOW, recipients), address, shown=True)
            for address in (f"{TOKEN}@gm.example", "gm@gm.example")
        ]
    assert is_one_mail(*rows) is same
