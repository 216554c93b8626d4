"""Bounces by address: recorded once for each mail, forgiven when mail arrives from the address; a person's several
addresses.
"""

from __future__ import annotations

from sqlalchemy import select

from gm.games.loading import person_at
from gm.mail.message.bounce_report import Bounce, Reason
from gm.store import outbox, people
from gm.store import sent as sent_mails
from gm.store.database import Database
from gm.store.sent import BounceRow
from tests.store.setting import MINUTE, NOW, lay_table, queued

ANN = "ann@example.org"


def sent(database: Database, number: int, recipient: str = ANN) -> int:
    with database.transaction() as session:
        people.create_account(session, email=ANN, name="Ann", now=NOW)
        mail = queued(session, f"p{number}", recipient, sender=f"gm+return.{number}@example.org")
        assert mail is not None
        return mail.id


def bounce(database: Database, number: int, *, hard: bool, minutes: int = 0) -> bool | None:
    """Record a bounce of mail `number`. Returns whether it counts as hard, None when it was recorded before."""
    with database.transaction() as session:
        row = sent_mails.add_bounce(
            session,
            (number, "Ann@Example.org"),
            Bounce(Reason.UNKNOWN, "5.1.1", "no"),
            NOW + minutes * MINUTE,
            hard=hard,
        )
        return None if row is None else row.hard


def dead(database: Database) -> list[str]:
    with database.reading() as session:
        known = (person_at(session, email) for email in (ANN, "bob@example.org"))
        return sorted(email for person in known if person is not None for email in person.dead)


def test_a_hard_bounce_counts_until_the_address_is_heard_from(database: Database) -> None:
    number = sent(database, 1)
    assert bounce(database, number, hard=True) is True
    assert dead(database) == [ANN]
    with database.transaction() as session:
        sent_mails.forgive_bounces(session, "ANN@example.org", NOW + MINUTE)
        ann = person_at(session, ANN)
        assert ann is not None
        assert not ann.bounced
        assert all(row.forgiven_at == NOW + MINUTE for row in session.scalars(select(BounceRow)))
        assert sent_mails.bounce_counts(session) == {True: 1, False: 0}
    assert dead(database) == []


def test_the_same_mail_bounces_once_but_a_soft_one_may_become_hard(database: Database) -> None:
    number = sent(database, 1)
    assert bounce(database, number, hard=False) is False
    assert bounce(database, number, hard=False) is None
    assert dead(database) == []
    assert bounce(database, number, hard=True) is True
    assert bounce(database, number, hard=True) is None
    assert bounce(database, number, hard=False) is None


def test_many_soft_ones_within_a_week_are_a_hard_one(database: Database) -> None:
    numbers = [sent(database, number) for number in range(6)]
    minute_of = [0, 8 * 24 * 60, 8 * 24 * 60, 8 * 24 * 60, 8 * 24 * 60, 8 * 24 * 60]
    hard = [bounce(database, number, hard=False, minutes=at) for number, at in zip(numbers, minute_of, strict=True)]
    assert hard == [False, False, False, False, False, True], "the first was too long ago to count"


def test_mails_are_found_by_return_path_and_message_id(database: Database) -> None:
    number = sent(database, 7)
    with database.reading() as session:
        for found in (
            sent_mails.by_return_path(session, "GM+return.7@example.org"),
            sent_mails.by_message_id(session, "<p7@gm>"),
            outbox.mail_by_id(session, number),
        ):
            assert found is not None
            assert found.id == number
        assert sent_mails.by_return_path(session, "gm+return.8@example.org") is None
        assert sent_mails.by_message_id(session, "") is None


def test_a_persons_addresses(database: Database) -> None:
    def addresses() -> tuple[str, ...]:
        person = person_at(session, ANN)
        assert person is not None
        return person.addresses

    with database.transaction() as session:
        lay_table(session)
        account = person_at(session, ANN)
        assert account is not None
        assert people.add_address(session, account.id, "Second@example.org", NOW) is not None
        assert people.add_address(session, account.id, "third@example.org", NOW) is not None
        assert addresses() == (ANN, "second@example.org", "third@example.org")
        assert people.prefer_address(session, account.id, "THIRD@example.org", NOW + MINUTE)
        assert addresses()[0] == "third@example.org"
        assert people.prefer_address(session, account.id, "second@example.org", NOW + 2 * MINUTE)
        assert addresses() == ("second@example.org", "third@example.org", ANN)
        assert not people.prefer_address(session, account.id, "bob@example.org", NOW)
        assert people.remove_address(session, account.id, "second@example.org", NOW)
        assert not people.remove_address(session, account.id, "second@example.org", NOW)
        assert person_at(session, "second@example.org") is None
