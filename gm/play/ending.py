"""What everybody is sent of a game that is over, and what its gamemaster writes above that and above each report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from sqlalchemy.orm import Session

from gm.games.report_inputs import chronicle, game_facts, history, view_of
from gm.games.snapshot import Game
from gm.parsing.several_lines import ALL
from gm.reports import results
from gm.store.records import PressRow
from gm.views import Section


def ending(session: Session, game: Game) -> tuple[Section, ...]:
    """What everybody is sent of a game that is over, beside its result: who played, the final position with all that
    the game shows of one, the centres, and its secrets. Of very many powers only the secrets.
    """
    story = chronicle(session, game)
    if game.position is None or len(game.powers) > results.MANY_POWERS:
        return story
    winners = game.victory.winners if game.victory is not None else ()
    view = replace(view_of(game, None), powers=game.variant.powers(game.position))
    shown = (
        Section("Players", results.standings(view, game_facts(game).players, winners), headed=True),
        Section("Final position", results.unit_lines(view)),
        *view.sections,
        Section("Supply centres", results.owners(view)),
        Section(
            "Supply centres at the end of each year", results.years(history(session, game), results.named(view)), True
        ),
    )
    return (*shown, *story)


def remarks(written: Iterable[PressRow], game: Game) -> tuple[tuple[str, str], ...]:
    """What whoever runs the game has written for everybody above the report of a phase, among the press of it: remarks,
    what they changed, and the reason for what they did, each once below its heading. A reason that what is said of a
    phase ends with stands there alone.
    """
    found: dict[str, list[str]] = {}
    for press in written:
        if is_remark(press, game):
            heading = next((heading for manner, heading in _HEADINGS.items() if manner in press.manners), _REMARK)
            found.setdefault(heading, []).append(press.body)
    every = [body for bodies in found.values() for body in bodies]
    once = {heading: [body for body in bodies if not _ends(body, every)] for heading, bodies in found.items()}
    return tuple((heading, "\n\n".join(bodies)) for heading, bodies in once.items() if bodies)


def _ends(body: str, others: Sequence[str]) -> bool:
    """Whether another text ends with this one: `It was lost.`, where there is `F1901M is ...: it was lost.`"""
    return any(one.lower().endswith(f": {body}".lower()) for one in others)


REASON, CHANGE = "reason", "change"
"""How a reason, and what was changed, was sent: the word stands beside `postal`."""
_REMARK = "The gamemaster writes"
_HEADINGS = {REASON: "The gamemaster's reason", CHANGE: "The gamemaster has changed"}


def is_remark(press: PressRow, game: Game) -> bool:
    """Whether it is postal press to all from who runs the game: that stands above the report, not among the press."""
    sender = next((seat for seat in game.seats if seat.id == press.from_seat_id), None)
    return sender is not None and sender.moderates and "postal" in press.manners and list(press.to) == [ALL]
