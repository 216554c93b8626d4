"""Questions: answered once, in time or not at all, by one process at a time."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from gm.store import inbox, question_rows, records
from gm.store.database import Database
from gm.store.game_rows import PhaseRow
from gm.store.inbox import InboxState
from tests.store.setting import MINUTE, NOW, arrived, lay_table


def asked(database: Database, number: int = 1, state: InboxState = InboxState.QUARANTINED) -> int:
    """A question about a mail in quarantine; its id."""
    with database.transaction() as session:
        table = lay_table(session, f"game{number}")
        mail = inbox.accept(session, arrived(number))
        assert mail is not None
        inbox.mark(session, mail, state, NOW)
        row = question_rows.ask(
            session,
            inbox_id=mail.id,
            scope="whole",
            asked="ann@example.org",
            now=NOW,
            expires_at=NOW + timedelta(days=3),
            seat_id=table.france.id,
            phase_id=table.phase.id,
            detail={"lines": [1, 2]},
        )
        question_rows.set_token(session, row, f"hash{number}")
        return row.id


def test_a_question_is_found_by_its_token_and_settled(database: Database) -> None:
    number = asked(database)
    with database.transaction() as session:
        found = question_rows.by_token_hash(session, "hash1")
        assert found is not None
        assert (found.id, found.detail, found.settled_at, found.outcome) == (number, {"lines": [1, 2]}, None, "")
        question_rows.settle(session, question_rows.take(session, number), "yes", NOW + MINUTE)
    with database.reading() as session:
        found = question_rows.by_token_hash(session, "hash1")
        assert found is not None
        assert (found.settled_at, found.outcome) == (NOW + MINUTE, "yes")
        assert question_rows.by_token_hash(session, "hash2") is None
        assert question_rows.open_questions(session) == 0


def test_questions_to_an_address_are_counted(database: Database) -> None:
    asked(database, 1)
    asked(database, 2)
    with database.reading() as session:
        assert question_rows.asked_since(session, "ann@example.org", NOW - MINUTE) == 2
        assert question_rows.asked_since(session, "ann@example.org", NOW + MINUTE) == 0
        assert question_rows.asked_since(session, "bob@example.org", NOW - MINUTE) == 0
        assert question_rows.open_questions(session) == 2


def test_what_nobody_answered_is_closed_and_its_mail_too(database: Database) -> None:
    asked(database, 1)
    asked(database, 2, InboxState.DONE)
    with database.transaction() as session:
        assert not question_rows.expire(session, NOW + timedelta(days=2))
        assert len(question_rows.expire(session, NOW + timedelta(days=3))) == 2
        assert not question_rows.expire(session, NOW + timedelta(days=4))
    with database.reading() as session:
        waiting, done = (inbox.mail_by_id(session, number) for number in (1, 2))
        assert waiting is not None
        assert done is not None
        assert (waiting.state, waiting.note) == (InboxState.IGNORED, "nobody confirmed it in time")
        assert done.state is InboxState.DONE


def test_mails_set_aside_or_quarantined_are_listed_tried_again_and_dropped(database: Database) -> None:
    asked(database, 1)
    asked(database, 2, InboxState.ASIDE)
    asked(database, 3, InboxState.DONE)
    with database.transaction() as session:
        stopped = inbox.in_states(session, InboxState.ASIDE, InboxState.QUARANTINED)
        assert [mail.state for mail in stopped] == [InboxState.ASIDE, InboxState.QUARANTINED]
        assert inbox.try_again(session, stopped[0].id)
        assert inbox.drop(session, stopped[1].id, NOW + MINUTE)
        assert not inbox.drop(session, stopped[1].id, NOW + MINUTE)
        assert not inbox.try_again(session, 3)
    with database.reading() as session:
        counts = inbox.counts(session)
        assert (counts[InboxState.NEW], counts[InboxState.DROPPED], counts[InboxState.DONE]) == (1, 1, 1)


def test_the_newest_words_to_a_seat_are_press_that_came_to_it_and_announcements(database: Database) -> None:
    """However much is written between others, and what will come with the next report has not come."""
    with database.transaction() as session:
        table = lay_table(session, "game1")
        game, phase, france = table.game.id, table.phase.id, table.france.id
        mine, others = 7, 77

        def wrote(body: str, *to: str, readers: Sequence[int] = (mine,), manner: str = "") -> None:
            records.add_press(
                session,
                game_id=game,
                phase_id=phase,
                from_seat_id=france,
                to=list(to),
                readers=readers,
                body=body,
                now=NOW,
                manner=manner,
            )

        wrote("Shall we?", "Italy", "England")
        wrote("No.", "ALL", manner="grey")
        wrote("Later.", "England", manner="postal")
        for number in range(3):
            wrote(f"Between us {number}.", "England", readers=(others, 70))
        records.announce(session, game, "Play on.", NOW)
        came = [(france, ["ALL"], "No."), (france, ["Italy", "England"], "Shall we?"), (None, None, "Play on.")]
        assert records.newest_words(session, game, mine, 2) == came
        assert records.newest_words(session, game, france, 2) == came[2:]
        session.get_one(PhaseRow, phase).adjudicated_at = NOW
        assert records.newest_words(session, game, mine, 1)[0].body == "Later."
