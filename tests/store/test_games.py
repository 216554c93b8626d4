"""Games, seats and phases: the look-ups, and what may happen only once."""

from __future__ import annotations

from gm.store import games
from gm.store.database import Database
from tests.store.setting import NOW, lay_table


def test_a_game_is_found_by_its_name_in_any_case(database: Database) -> None:
    with database.transaction() as session:
        table = lay_table(session)
    with database.reading() as session:
        found = games.game_by_name(session, "SPRING")
        assert found is not None
        assert found.id == table.game.id
        phase = games.current_phase(session, found)
        assert phase is not None
        assert (phase.code, phase.number, phase.opened_at) == ("S1901M", 1, NOW)
