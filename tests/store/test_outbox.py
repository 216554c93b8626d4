"""The outbox: one mail for each purpose, retried with back-off, sent once or given up."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import select

from gm.store import outbox, refusals, retention, rows, sent
from gm.store.database import Database
from gm.store.outbox import OutboxRow, OutboxState, Pace, Trouble
from tests.store.setting import MINUTE, NOW, claimed, queued


def queue(database: Database, purpose: str = "receipt:1", later: timedelta = timedelta()) -> bool:
    with database.transaction() as session:
        return queued(session, purpose, now=NOW + later) is not None


def due(database: Database, after: timedelta = timedelta(), limit: int = 20) -> list[OutboxRow]:
    with database.transaction() as session:
        return claimed(session, NOW + after, limit)


def fail(
    database: Database,
    after: timedelta,
    *,
    final: bool = False,
    jitter: float = 0.0,
    trouble: Trouble = Trouble.DEFERRED,
) -> OutboxState | None:
    with database.transaction() as session:
        failure = outbox.Failure("451 later", jitter=jitter, final=final, trouble=trouble)
        return outbox.mark_failed(session, 1, NOW + after, failure)


def test_a_purpose_is_queued_once_for_ever(database: Database) -> None:
    assert queue(database)
    assert not queue(database)
    (mail,) = due(database)
    assert (mail.purpose, mail.recipient, mail.envelope_from) == ("receipt:1", "ann@example.org", "")
    with database.transaction() as session:
        assert outbox.mark_sent(session, mail.id, NOW)
        assert not outbox.mark_sent(session, mail.id, NOW)
        assert outbox.raw_of(session, "receipt:1") == b"Subject: x\r\n\r\n"
        assert outbox.raw_of(session, "receipt:2") is None
    assert not queue(database)


def test_of_many_mails_that_are_cited_the_newest_are_read(database: Database) -> None:
    for number in range(20):
        assert queue(database, f"report:{number}")
    with database.transaction() as session:
        ids = session.scalars(select(OutboxRow.message_id)).all()
        assert [one.purpose for one in sent.cited(session, ids)] == [f"report:{number}" for number in range(19, 7, -1)]


def test_mails_are_handed_out_oldest_first_and_leased(database: Database) -> None:
    queue(database, "b", later=MINUTE)
    queue(database, "a")
    queue(database, "c", later=timedelta(hours=1))
    assert [mail.purpose for mail in due(database, 2 * MINUTE, limit=1)] == ["a"]
    assert [mail.purpose for mail in due(database, 2 * MINUTE)] == ["b"]
    assert due(database, 2 * MINUTE) == []
    with database.reading() as session:
        assert outbox.wakes_at(session) == NOW + 2 * MINUTE + outbox.LEASE


@pytest.mark.parametrize(("pace", "leased"), [(Pace(), [True, True, False]), (Pace(each=1), [True, False, False]),
                                              (Pace(per_hour=9), [False] * 3)])  # fmt: skip
def test_a_mail_is_leased_as_it_is_queued_unless_the_pace_forbids_it(
    database: Database, pace: Pace, leased: list[bool]
) -> None:
    with database.transaction() as session:
        mails = [outbox.Queued(f"receipt:{number}", "ann@example.org", "", "", b"x") for number in range(3)]
        rows = [outbox.queue_leased(session, mail, NOW, pace) for mail in mails]
        assert outbox.queue_leased(session, mails[0], NOW, pace) is None, "one for each purpose"
    assert [row is not None for row in rows] == leased
    assert [row.tries for row in rows if row is not None] == [1] * sum(leased)
    later = due(database, outbox.LEASE)
    assert [mail.tries for mail in sorted(later, key=lambda mail: mail.id)] == [1 + one for one in leased]


def test_a_mail_whose_process_died_is_sent_when_its_lease_ends(database: Database) -> None:
    queue(database)
    assert [mail.tries for mail in due(database)] == [1]
    assert due(database, outbox.LEASE - MINUTE) == []
    assert [mail.tries for mail in due(database, outbox.LEASE)] == [2]
    with database.transaction() as session:
        rows.end_leases(session)
    assert [mail.tries for mail in due(database, outbox.LEASE)] == [3]


@pytest.mark.parametrize(("tries", "minutes"), [(1, 1), (2, 2), (3, 4), (8, 128), (9, 240), (30, 240), (100_000, 240)])
def test_the_pause_doubles_up_to_four_hours(tries: int, minutes: int) -> None:
    assert outbox.pause(tries) == timedelta(minutes=minutes)


def test_a_failed_try_is_made_again_after_the_pause(database: Database) -> None:
    queue(database)
    due(database)
    assert fail(database, timedelta(), jitter=0.5) is OutboxState.QUEUED
    with database.reading() as session:
        assert outbox.wakes_at(session) == NOW + timedelta(seconds=52.5)
    assert due(database, timedelta(seconds=52)) == []
    (mail,) = due(database, timedelta(seconds=53))
    assert (mail.tries, mail.last_error) == (2, "451 later")


def test_it_is_tried_for_five_days_and_then_given_up(database: Database) -> None:
    queue(database)
    after = timedelta()
    for tries in range(1, 100):
        assert due(database, after)
        if fail(database, after) is OutboxState.FAILED:
            break
        after += outbox.pause(tries)
    assert timedelta(days=5) <= after < timedelta(days=5, hours=4)
    assert 30 < tries < 50
    with database.reading() as session:
        assert [mail.last_error for mail in outbox.failed(session)] == ["451 later"]
        assert outbox.counts(session) == dict.fromkeys(OutboxState, 0) | {OutboxState.FAILED: 1}
        assert outbox.wakes_at(session) is None


def test_a_refusal_for_good_is_final_and_can_be_sent_again_by_hand(database: Database) -> None:
    queue(database)
    due(database)
    assert fail(database, MINUTE, final=True) is OutboxState.FAILED
    assert fail(database, MINUTE) is None
    later = timedelta(days=30)
    with database.transaction() as session:
        assert outbox.send_again(session, 1, NOW + later)
        assert not outbox.send_again(session, 1, NOW + later)
    (mail,) = due(database, later)
    assert mail.tries == 1
    assert fail(database, later) is OutboxState.QUEUED


def test_what_the_operator_asks(database: Database) -> None:
    queue(database, "a")
    queue(database, "b")
    with database.transaction() as session:
        assert outbox.queue_age(session, NOW + MINUTE) == MINUTE
        for mail in claimed(session, NOW):
            outbox.mark_sent(session, mail.id, NOW)
        assert outbox.queue_age(session, NOW + MINUTE) is None
        assert outbox.counts(session)[OutboxState.SENT] == 2


def test_what_somebody_waits_for_goes_first_and_one_domain_has_its_share(database: Database) -> None:
    with database.transaction() as session:
        mails = [outbox.Queued(f"report:{n}", f"p{n}@slow.example", "", f"<{n}@gm>", b"x") for n in range(4)]
        mails += [outbox.Queued("report:9", "p9@other.example", "", "<9@gm>", b"x")]
        outbox.queue_all(session, mails, NOW)
        outbox.queue_all(session, [outbox.Queued("receipt:1", "a@b.example", "", "<a@gm>", b"x", urgent=True)], NOW)
    with database.transaction() as session:
        taken = [mail.purpose for mail in claimed(session, NOW, pace=Pace())]
    assert taken == ["receipt:1", "report:0", "report:1", "report:9"], "two at once for one domain"


def test_no_more_mails_an_hour_than_the_provider_allows(database: Database) -> None:
    for number in range(3):
        queue(database, f"p{number}")
    pace = Pace(per_hour=2, per_day=9)
    with database.transaction() as session:
        (first,) = claimed(session, NOW, 1, pace)
        outbox.mark_sent(session, first.id, NOW)
        assert len(claimed(session, NOW, 20, pace)) == 1
        assert claimed(session, NOW + MINUTE, 20, pace) == []
        assert outbox.wakes_at(session, NOW + MINUTE, pace) == NOW + timedelta(hours=1)
        assert len(claimed(session, NOW + timedelta(hours=1), 20, pace)) == 2


def test_no_more_mails_a_day_either(database: Database) -> None:
    for number in range(4):
        queue(database, f"p{number}")
    pace, later = Pace(per_hour=2, per_day=3), NOW + timedelta(hours=2)
    with database.transaction() as session:
        for moment in (NOW, later):
            for mail in claimed(session, moment, 20, pace):
                outbox.mark_sent(session, mail.id, moment)
        assert claimed(session, later + MINUTE, 20, pace) == []
        assert outbox.wakes_at(session, later + MINUTE, pace) == NOW + timedelta(days=1)
        assert len(claimed(session, NOW + timedelta(days=1), 20, pace)) == 1


def test_the_queue_is_flushed_by_hand_and_when_the_way_out_works_again(database: Database) -> None:
    for number in range(3):
        queue(database, f"p{number}")
    with database.transaction() as session:
        troubles = (Trouble.UNREACHABLE, Trouble.DEFERRED, Trouble.UNREACHABLE)
        for mail, trouble in zip(claimed(session, NOW), troubles, strict=True):
            outbox.mark_failed(session, mail.id, NOW, outbox.Failure("no", jitter=0.0, trouble=trouble))
        assert claimed(session, NOW) == []
        assert outbox.mark_sent(session, 1, NOW)
        (back,) = claimed(session, NOW)
        assert back.id == 3
        assert outbox.flush(session, NOW, "nowhere.example") == 0
        assert outbox.flush(session, NOW, "Example.ORG") == 1
        assert [mail.id for mail in claimed(session, NOW)] == [2]


HOUR = timedelta(hours=1)
UNCONFIRMED = Trouble.UNCONFIRMED


@pytest.mark.parametrize(
    ("before", "tries", "copies"),
    [
        ([], [0, 0.25, 6.25, 30.25, 54.25, 78.25, 102.25, 126.25], 8),
        ([Trouble.UNREACHABLE] * 3, [7 / 60, 22 / 60, 7 / 60 + 6.25], 3),
    ],
    ids=["a relay that confirms nothing", "one that was away first"],
)
def test_what_may_have_arrived_is_tried_seldom_however_often_it_was_tried_before(
    database: Database, before: list[Trouble], tries: list[float], copies: int
) -> None:
    queue(database)
    moment = timedelta()
    for trouble in before:
        (mail,) = due(database, moment)
        fail(database, moment, trouble=trouble)
        moment += MINUTE * 2 ** (mail.tries - 1)
    for at in tries:
        moment = timedelta(hours=at)
        assert due(database, moment - timedelta(seconds=1)) == []
        assert len(due(database, moment)) == 1
        state = fail(database, moment, trouble=UNCONFIRMED)
        assert state is (OutboxState.FAILED if moment >= outbox.GIVE_UP_AFTER else OutboxState.QUEUED)
    with database.reading() as session:
        assert session.get_one(OutboxRow, 1).copies == copies


@pytest.mark.parametrize("other", ["before", "since"])
def test_what_may_have_arrived_three_times_is_given_up_where_other_mail_is_accepted(
    database: Database, other: str
) -> None:
    accepted = NOW + (HOUR if other == "since" else -HOUR)
    with database.transaction() as session:
        queued(session, "p1", now=NOW)
        queued(session, "p2", now=NOW - 2 * HOUR)
        outbox.mark_sent(session, 2, accepted)
    states = [fail(database, 2 * HOUR * number, trouble=UNCONFIRMED) for number in range(3)]
    given_up = OutboxState.FAILED if other == "since" else OutboxState.QUEUED
    assert states == [OutboxState.QUEUED, OutboxState.QUEUED, given_up]
    with database.transaction() as session:
        session.get_one(OutboxRow, 1).state = OutboxState.QUEUED
    assert fail(database, 5 * HOUR) is OutboxState.QUEUED, "deferred, it did not arrive"
    if other == "since":
        fail(database, 5 * HOUR, trouble=UNCONFIRMED)
        with database.transaction() as session:
            assert outbox.send_again(session, 1, NOW + 6 * HOUR)
        assert fail(database, 6 * HOUR, trouble=UNCONFIRMED) is OutboxState.QUEUED, "it counts anew"


def test_the_first_mail_that_is_accepted_makes_those_due_that_may_have_arrived(database: Database) -> None:
    for number in range(3):
        queue(database, f"p{number}")
    due(database)
    assert fail(database, timedelta(), trouble=UNCONFIRMED) is OutboxState.QUEUED
    with database.transaction() as session:
        assert outbox.mark_sent(session, 2, NOW + MINUTE) == (NOW + MINUTE, False)
    assert [mail.id for mail in due(database, MINUTE)] == [1]
    fail(database, MINUTE, trouble=UNCONFIRMED)
    with database.transaction() as session:
        outbox.mark_sent(session, 3, NOW + 2 * MINUTE)
    assert due(database, 2 * MINUTE) == [], "the relay's way with other mail is known by now"


def back(database: Database, after: timedelta = timedelta(), *, final: bool = False) -> OutboxState | None:
    with database.transaction() as session:
        return outbox.mark_returned(session, 1, NOW + after, outbox.Failure("550 spam", jitter=0.0, final=final))


def test_a_sent_mail_that_bounced_is_queued_again_as_what_it_was(database: Database) -> None:
    queue(database)
    assert back(database) is None, "it is not sent"
    (before,) = due(database)
    assert back(database) is None, "it is being sent"
    with database.transaction() as session:
        outbox.mark_sent(session, 1, NOW)
    assert back(database) is OutboxState.QUEUED
    assert back(database) is None, "it waits already"
    assert due(database, timedelta(seconds=59)) == []
    (after,) = due(database, MINUTE)
    assert (after.tries, after.created_at, after.message_id, after.raw) == (
        2,
        before.created_at,
        before.message_id,
        before.raw,
    )


@pytest.mark.parametrize(
    ("after", "final", "state"),
    [
        (timedelta(), True, OutboxState.FAILED),
        (outbox.GIVE_UP_AFTER - MINUTE, False, OutboxState.QUEUED),
        (outbox.GIVE_UP_AFTER, False, OutboxState.FAILED),
    ],
)
def test_a_bounced_mail_is_given_up_as_a_refused_one_is(
    database: Database, after: timedelta, final: bool, state: OutboxState
) -> None:
    queue(database)
    due(database)
    with database.transaction() as session:
        outbox.mark_sent(session, 1, NOW)
    assert back(database, after, final=final) is state
    if state is OutboxState.FAILED:
        assert back(database, after) is None
        with database.transaction() as session:
            assert outbox.send_again(session, 1, NOW + after)


def test_a_mail_without_its_content_is_never_sent_again(database: Database) -> None:
    queue(database)
    due(database)
    with database.transaction() as session:
        outbox.mark_sent(session, 1, NOW)
        retention.thin(session, NOW + MINUTE)
    assert back(database) is None
    with database.transaction() as session:
        session.get_one(OutboxRow, 1).state = OutboxState.FAILED
        assert not outbox.send_again(session, 1, NOW)


@pytest.mark.parametrize("under_way", [False, True])
@pytest.mark.parametrize("fails", [False, True])
def test_a_mail_that_is_withdrawn_is_not_tried_again(database: Database, under_way: bool, fails: bool) -> None:
    queue(database, "returned:x:1")
    if under_way:
        due(database)
    with database.transaction() as session:
        outbox.withdraw(session, "returned:x:")
    if fails:
        assert fail(database, MINUTE) is None
    elif under_way:
        with database.transaction() as session:
            assert outbox.mark_sent(session, 1, NOW), "it has arrived all the same"
    assert due(database, timedelta(days=1)) == []
    with database.reading() as session:
        assert outbox.wakes_at(session) is None
        state = OutboxState.SENT if under_way and not fails else OutboxState.DROPPED
        assert outbox.counts(session)[state] == 1


def test_what_is_deferred_for_hours_is_refused_until_it_was_tried_again(database: Database) -> None:
    """One count serves the beginning of the trouble and its end."""
    hours = 60 * MINUTE
    with database.transaction() as session:
        for name in ("cat", "ann", "dan", "bob"):
            mail = queued(session, f"receipt:{name}", now=NOW)
            assert mail is not None
            mail.recipient, mail.trouble, mail.tried_at = name, Trouble.DEFERRED, NOW + 5 * hours
    with database.transaction() as session:
        found = refusals.stuck(session)
        assert found is not None
        assert found.refused == 4
        accepted = queued(session, "receipt:eve", now=NOW + 6 * hours)
        assert accepted is not None
        accepted.sent_at, accepted.state, told_at = NOW + 6 * hours, OutboxState.SENT, NOW + 5 * hours
        session.flush()
        assert not refusals.passed(session, "", found.since, told_at).over
        for number in range(1, accepted.id):
            mail = session.get_one(OutboxRow, number)
            mail.tried_at, mail.trouble = NOW + 7 * hours, Trouble.NONE
        session.flush()
        assert refusals.passed(session, "", found.since, told_at).over


def test_what_is_deferred_everywhere_is_refused_within_the_hour_and_by_one_domain_within_hours(
    database: Database,
) -> None:
    with database.transaction() as session:
        for name in ("cat", "ann", "dan"):
            mail = queued(session, f"receipt:{name}", now=NOW)
            assert mail is not None
            mail.recipient, mail.domain, mail.trouble = f"{name}@one.example", "one.example", Trouble.DEFERRED
            mail.tried_at = NOW + 45 * MINUTE
        session.flush()
        assert refusals.stuck(session, "one.example") is None, "it may put off new senders"
        assert refusals.stuck(session) is not None
