"""Absences, turnout, standby lists, invitations, orders for later phases and diaries, on both databases."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta

from gm.games import loading
from gm.games.loading import person_at
from gm.store import game_rows, people
from gm.store.database import Database
from tests.store.setting import NOW, lay_table, open_phase

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
        ann, seat = table.france.account_id, table.france.id
        assert ann is not None
        total = Counter[str]()
        for came, in_a_row in (("missed", 1), ("missed", 2), ("on time", 0), ("missed", 1)):
            phase = open_phase(session, table.game, "F1901M")
            for value in (came, "late"):
                people.note_turnout(session, phase.id, {seat: ann}, {seat: value}, NOW)
            for times in (1, 2, 3):
                missed = people.missed_in_a_row(session, [seat, table.turkey.id], times)
                assert missed == ({(seat, ann)} if times <= in_a_row else set())
            assert people.turnout_of(session, [ann])[ann] == total, "not before it is adjudicated"
            phase.adjudicated_at, total[came] = NOW, total[came] + 1
            session.flush()
            assert people.turnout_of(session, [ann])[ann] == total


def test_nobody_is_twice_on_a_list(database: Database) -> None:
    with database.transaction() as session:
        table = lay_table(session)
        ann = table.france.account_id
        assert ann is not None
        entry = people.add_standby(session, table.game.id, ann, NOW)
        assert entry is not None
        assert people.add_standby(session, table.game.id, ann, NOW) is None
        assert [one.account_id for one in people.standbys_of(session, table.game.id)] == [ann]
        assert people.count_standbys(session, [table.game.id, 99]) == {table.game.id: 1}
        people.remove_standby(session, table.game.id, ann)
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
        game_rows.keep_preorder(session, seat, "F1901M", ["A PAR H"], NOW)
        game_rows.keep_preorder(session, seat, "F1901M", ["A PAR-BUR"], NOW)
        game_rows.keep_preorder(session, seat, "R", ["A PAR R GAS"], NOW)
        assert [one.lines for one in game_rows.preorders_of(session, seat, ("F1901M",))] == [["A PAR-BUR"]]
        assert len(game_rows.preorders_of(session, seat)) == 2
        game_rows.cancel_preorders(session, seat, NOW)
        assert not game_rows.preorders_of(session, seat)


def test_lines_sent_ahead_are_found_for_many_seats_at_once(database: Database) -> None:
    with database.transaction() as session:
        table = lay_table(session)
        france, turkey = table.france.id, table.turkey.id
        game_rows.keep_preorder(session, france, "F1901M", ["A PAR H"], NOW)
        game_rows.keep_preorder(session, france, "S1902M", ["A PAR-BUR"], NOW)
        game_rows.keep_preorder(session, turkey, "M", ["A CON H"], NOW)
        game_rows.keep_preorder(session, turkey, "F1901M", ["A CON-BUL"], NOW)
        game_rows.cancel_preorders(session, turkey, NOW, "F1901M")
        found = game_rows.preorders_for(session, [france, turkey], ("F1901M", "M"))
        assert found == {(france, "F1901M"): ["A PAR H"], (turkey, "M"): ["A CON H"]}


def test_nothing_is_left_of_somebody_who_is_erased(database: Database) -> None:
    with database.transaction() as session:
        table = lay_table(session)
        ann = table.france.account_id
        assert ann is not None
        people.add_absence(session, ann, NOW, NOW + DAY, NOW)
        people.add_standby(session, table.game.id, ann, NOW)
        people.update_account(session, ann, {"wishes": "France", "zone": "Asia/Tokyo"})
        people.erase(session, ann, NOW)
        assert person_at(session, "ann@example.org") is None
        somebody = loading.people(session, [ann])[ann]
        assert (somebody.name, somebody.zone, somebody.wishes, somebody.addresses) == ("somebody", "", None, ())
        assert not people.absences_of(session, [ann], NOW)
        assert not people.standbys_of(session, table.game.id)


def test_a_phase_played_again_leaves_the_line(database: Database) -> None:
    with database.transaction() as session:
        table = lay_table(session)
        second = open_phase(session, table.game, "F1901M")
        again, number = game_rows.add_phase(
            session, game_id=table.game.id, code="S1901M", position={}, follows=0, now=NOW
        )
        assert number == 3
        assert [phase.number for phase in game_rows.phases_leading_to(session, table.game.id, again)] == [3]
        assert [phase.number for phase in game_rows.phases_leading_to(session, table.game.id, second.id)] == [1, 2]
        assert second.follows == 1
