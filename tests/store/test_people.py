"""Absences, turnout, stand-by lists, invitations, orders for later and diaries, on both databases."""

from __future__ import annotations

from datetime import timedelta

from gm.store import game_rows, order_rows, people
from gm.store.database import Database
from tests.store.setting import NOW, lay_table

DAY = timedelta(days=1)


def test_absences_are_given_while_they_last(database: Database) -> None:
    with database.transaction() as session:
        ann = lay_table(session).france.account_id
        assert ann is not None
        people.add_absence(session, ann, NOW + DAY, NOW + 2 * DAY, NOW)
        cancelled = people.add_absence(session, ann, NOW, NOW + 9 * DAY, NOW)
        cancelled.cancelled_at = NOW
        assert [one.begins for one in people.absences_of(session, [ann], NOW)] == [NOW + DAY]
        assert not people.absences_of(session, [ann], NOW + 2 * DAY)
        assert not people.absences_of(session, [], NOW)


def test_turnout_is_noted_once_a_phase_and_counted(database: Database) -> None:
    with database.transaction() as session:
        table = lay_table(session)
        ann = table.france.account_id
        assert ann is not None
        for came in ("missed", "missed", "on time"):
            phase = game_rows.open_phase(session, table.game, code="F1901M", position={}, now=NOW)
            for value in (came, "late"):
                people.note_turnout(
                    session, phase_id=phase.id, seat_id=table.france.id, account_id=ann, came=value, now=NOW
                )
            assert people.missed_in_a_row(session, table.france.id, ann) == (
                0 if came == "on time" else phase.number - 1
            )
        assert people.turnout_of(session, [ann]) == {ann: {"missed": 2, "on time": 1}}


def test_nobody_is_twice_on_a_list(database: Database) -> None:
    with database.transaction() as session:
        table = lay_table(session)
        ann = table.france.account_id
        assert ann is not None
        entry = people.add_standby(session, table.game.id, ann, NOW)
        assert entry is not None
        assert people.add_standby(session, table.game.id, ann, NOW) is None
        assert [one.account_id for one in people.standbys_of(session, table.game.id)] == [ann]
        people.remove_standby(session, entry)
        assert people.standby_of(session, table.game.id, ann) is None


def test_an_invitation_is_found_by_any_address(database: Database) -> None:
    with database.transaction() as session:
        game = lay_table(session).game
        people.invite(session, game.id, "Bob@Example.org", None, NOW)
        people.invite(session, game.id, "bob@example.org", "France", NOW)
        found = people.invitation_of(session, game.id, ("else@example.org", "BOB@example.org"))
        assert found is not None
        assert found.power == "France"
        assert people.invitation_of(session, game.id, ("eve@example.org",)) is None


def test_what_is_sent_ahead_replaces_what_was_sent_before(database: Database) -> None:
    with database.transaction() as session:
        seat = lay_table(session).france.id
        order_rows.keep_preorder(session, seat, "F1901M", ["A PAR H"], NOW)
        order_rows.keep_preorder(session, seat, "F1901M", ["A PAR-BUR"], NOW)
        order_rows.keep_preorder(session, seat, "R", ["A PAR R GAS"], NOW)
        assert [one.lines for one in order_rows.preorders_of(session, seat, ("F1901M",))] == [["A PAR-BUR"]]
        assert len(order_rows.preorders_of(session, seat)) == 2
        order_rows.cancel_preorders(session, seat, NOW)
        assert not order_rows.preorders_of(session, seat)


def test_a_phase_played_again_leaves_the_line(database: Database) -> None:
    with database.transaction() as session:
        table = lay_table(session)
        second = game_rows.open_phase(session, table.game, code="F1901M", position={}, now=NOW)
        again = game_rows.open_again(session, table.game, table.phase, NOW)
        assert [phase.number for phase in game_rows.line_of(session, table.game)] == [again.number]
        assert again.follows == 0
        game_rows.point_at(session, table.game, second)
        assert [phase.number for phase in game_rows.line_of(session, table.game)] == [1, 2]
        assert second.follows == 1
