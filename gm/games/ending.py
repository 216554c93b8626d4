"""What everybody is sent of a game that is over."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy.orm import Session

from gm.games.report_inputs import chronicle, game_facts, history, view_of
from gm.games.snapshot import Game
from gm.reports import results
from gm.views import Section


def ending(session: Session, game: Game) -> tuple[Section, ...]:
    """What everybody is sent of a game that is over, beside its result: who played, the final position with all that
    the game shows of one, the centres, and its secrets. Of very many powers only the secrets.
    """
    told = chronicle(session, game)
    if game.position is None or len(game.powers) > results.MANY_POWERS:
        return told
    view = replace(view_of(game, None), powers=game.variant.powers(game.position))
    shown = (
        Section("Players", results.standings(view, game_facts(game).players), headed=True),
        Section("Final position", results.unit_lines(view)),
        *view.sections,
        Section("Supply centres", results.owners(view)),
        Section("Supply centres at the end of each year", results.years(history(session, game), view.powers), True),
    )
    return (*shown, *told)
