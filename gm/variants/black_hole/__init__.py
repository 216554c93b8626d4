"""Black Hole Diplomacy I: after each Spring and Fall a random province vanishes (BH-1 to BH-7).

What differs from the standard game: `state` (Europe with holes, and what the position stores), `orders` (EXEMPT,
ANNOUNCE EXEMPT), `phases` (adjudication, exemptions, retreats by bearings, the end of a season).
This module has the set-up, the duties, what a seat may see (the board is open, exemptions are secret until the game is
over, BH-4), with the words, and the value itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from gm.board import Location, Power, Province, standard_board
from gm.chance import Chance
from gm.orders import Order
from gm.orders.notation import short
from gm.orders.possible import Duty
from gm.position import PhaseKind, Position, parse_unit
from gm.turn import Event, Turn, ends_game
from gm.variants import Variant
from gm.variants.black_hole.orders import LANGUAGE, OWN, Exempt, may_move, merge, offered, understand
from gm.variants.black_hole.phases import HOLE, end_of_season, fill, resolve, victory, ways_out
from gm.variants.black_hole.state import (
    FILE,
    FIRST,
    SAYS,
    State,
    board_of,
    by_time,
    homes,
    is_first,
    season_code,
    season_name,
    spoken,
    state_of,
)
from gm.variants.standard import ADJECTIVES, POWERS, STANDARD, begun, game_of, words_of
from gm.views import Emblem, Fate, Mark, Section, View


def view(game: Variant, position: Position, turn: Turn | None, seat: Power | None) -> View:
    """The board is open; exemptions are secret until the game is over (BH-4)."""
    over = ends_game(turn)
    seen = position if over else _seen(position, seat)
    if turn is not None:
        turn = turn if over else _seen_turn(turn, seat)
    shown = STANDARD.view(game, seen, turn, seat)
    offered = seat is not None and not position.units_of(seat) and may_move(seen, seat)
    exempt = tuple(_exempt(state_of(seen), seat, over))
    movable = () if over else (center for power, center in state_of(seen).movable.items() if power == seat)
    return replace(
        shown,
        sections=_sections(seen, over, exempt),
        hints=(*_hints(seen, seat), *_bearings(position, seat)),
        form=(*(f"# {hint}" for hint in _hints(seen, seat)), "EXEMPT") if offered else None,
        marks=(*_holes(position), *(Mark(FILE.signs["exempt"], center, power) for power, center, _ in exempt)),
        private=tuple(SAYS.note("may move", center=center) for center in movable),
        fates={PhaseKind.RETREAT: Fate("retreated by the server, by bearings (BH-5)")},
    )


def _holes(position: Position) -> Iterator[Mark]:
    """The holes; the last one says when it appeared."""
    holes = by_time(state_of(position).holes)
    latest = holes[-1][1] if holes else ""
    for province, season in holes:
        yield Mark(_new(season) if season == latest and season else FILE.signs["hole"], province)


@cache
def _new(season: str) -> Emblem:
    """A hole with the season in which it appeared."""
    new = FILE.signs["new hole"]
    meaning, sign = new.meaning.format(season=season_name(season)), new.sign.format(year=f"'{season[-2:]}")
    return replace(new, meaning=meaning, sign=sign, ground=FILE.signs["hole"].ground)


def _exempt(state: State, seat: Power | None, over: bool) -> Iterator[tuple[Power, Province, str]]:
    """The exempt centres that the reader knows of, in words too."""
    for power in POWERS:
        center, shown = state.exemptions.get(power), state.announced.get(power)
        if center is not None and (over or power == seat):
            known = "over" if over else "announced" if shown is not None and shown.center == center else "secret"
            yield power, center, SAYS.note(known, center=center)
        elif shown is not None:
            yield power, shown.center, SAYS.note("others", center=shown.center, season=season_name(shown.season))


def _seen(position: Position, seat: Power | None) -> Position:
    return state_of(position).seen_by(seat).within(position)


def _seen_turn(turn: Turn, seat: Power | None) -> Turn:
    """The turn without others' declarations and exemptions. A power that only declared something looks like one that
    said READY: it does not show what it sent.
    """
    orders = {
        power: tuple(order for order in own if power == seat or not isinstance(order, OWN))
        for power, own in turn.orders.items()
    }
    return replace(
        turn,
        before=_seen(turn.before, seat),
        after=_seen(turn.after, seat),
        orders={power: own for power, own in orders.items() if own},
        outcomes=tuple(o for o in turn.outcomes if not isinstance(o.order, OWN) or o.order.power == seat),
    )


def _sections(position: Position, over: bool, exempt: Sequence[tuple[Power, Province, str]]) -> tuple[Section, ...]:
    board, state = board_of(position), state_of(position)
    holes = tuple((season_name(season) or "-", board.full_name(Location(p))) for p, season in by_time(state.holes))
    units, centers = len(position.units), len(board.centers)
    to_win = (
        ("Supply centres", SAYS.note("centers to win", number=centers, more_than_half=centers // 2 + 1)),
        ("Units", SAYS.note("units to win", number=units, more_than_half=units // 2 + 1)),
    )
    sections = (
        Section("Black holes", holes or ((SAYS.note("none yet", first=season_name(FIRST)),),)),
        Section("To win", () if over else to_win),
        Section("Exempt home centres", tuple((power, words) for power, _, words in exempt)),
    )
    return tuple(section for section in sections if section.rows)


def _hints(position: Position, seat: Power | None) -> tuple[str, ...]:
    if seat not in POWERS:
        return ()
    if is_first(position):
        return (SAYS.note("name one", homes=homes(board_of(position), seat)),)
    if may_move(position, seat):
        return (SAYS.note("or move it", center=state_of(position).movable[seat]),)
    return ()


def _bearings(position: Position, seat: Power | None) -> Iterator[str]:
    """Where the seat's dislodged units retreat without an order (BH-5)."""
    board = board_of(position)
    for dislodged in position.dislodged_of(seat) if seat is not None else ():
        first, *others = ways_out(board, position, dislodged)
        kind = "without an order" if others else "only there"
        yield SAYS.note(kind, unit=dislodged.unit, first=first, others=others)


def cautions(position: Position, power: Power, orders: Sequence[Order]) -> tuple[str, ...]:
    """A warning that no exemption is named, while one can be."""
    if not is_first(position) or any(isinstance(order, Exempt) for order in orders):
        return ()
    choices = [f"EXEMPT {short(Location(home))}" for home in homes(board_of(position), power)]
    return (SAYS.note("not named", choices=choices),)


# After the end


def chronicle(_: Variant, turns: Sequence[Turn]) -> tuple[Section, ...]:
    """Which centres were exempt, and since when, so that every draw can be verified."""
    rows = {power: tuple(_exemptions(turns, power)) for power in POWERS}
    shown = tuple((power, "; ".join(row)) for power, row in rows.items() if row)
    return (Section("Exemptions in the course of the game", shown),) if shown else ()


def _exemptions(turns: Sequence[Turn], power: Power) -> Iterator[str]:
    """`Paris`, `Marseilles from Spring 1903`, `lapsed in Fall 1905`."""
    known: Province | None = None
    for turn in turns:
        center = state_of(turn.after).exemptions.get(power)
        season = season_name(season_code(turn.before))
        if center is None and known is not None:
            yield SAYS.note("lapsed", season=season)
        elif center is not None and center != known:
            yield SAYS.note("over" if known is None else "from", center=center, season=season)
        known = center


# words


def _hole(event: Event, view: View) -> str:
    """What vanished and what was lost with it; in a trial, with a note that it is invented."""
    facts, gone = event.facts, Province(event.facts["province"])
    units = map(parse_unit, facts["units"])
    lost = [SAYS.note("annihilated", whose=ADJECTIVES[unit.power], kind=unit.kind.word) for unit in units]
    if standard_board().is_center(gone):
        owner = facts["owner"]
        lost.append(SAYS.note("centre gone", whose="unowned" if owner is None else ADJECTIVES[owner]))
    place = spoken(standard_board(), gone, first=True)
    losses = lost or [SAYS.note("nothing lost")]
    return SAYS.note("invented hole" if view.trial else HOLE, place=place, losses=losses, number=facts["candidates"])


WORDS = words_of(SAYS, events={HOLE: _hole})

# Set-up and duties


def opening(powers: Sequence[Power] = POWERS, chance: Chance | None = None) -> Position:
    """Spring 1901, with all provinces."""
    return State().within(begun(FILE, powers, chance))


def duty(game: Variant, position: Position, power: Power) -> Duty | None:
    """As in the standard game; a power without units may still move its exemption, if it is allowed to."""
    found = STANDARD.duty(game, position, power)
    if found is None and may_move(position, power):
        return Duty(offer=True, things="exemption")
    return found


BLACK_HOLE = replace(
    game_of(FILE),
    words=WORDS,
    language=LANGUAGE,
    opening=opening,
    board=board_of,
    duty=duty,
    understand=understand,
    merge=merge,
    fill=fill,
    resolve=resolve,
    end_of_season=end_of_season,
    victory=victory,
    goal="more than half of all units, and more than half of all supply centres",
    view=view,
    cautions=cautions,
    offered=offered,
    chronicle=chronicle,
)
