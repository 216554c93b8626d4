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

from gm.board import Location, Power, Province, TableBoard
from gm.chance import Chance
from gm.judge.outcomes import Outcome
from gm.orders import Order
from gm.orders.notation import short, write_unit
from gm.orders.possible import Duty
from gm.position import PhaseKind, Position, parse_unit
from gm.turn import Event, Turn, ends_game
from gm.variants import Variant
from gm.variants.black_hole.orders import LANGUAGE, OWN, Drift, Exempt, may_move, merge, offered, understand
from gm.variants.black_hole.phases import (
    ANNOUNCEMENT,
    BY_BEARINGS,
    EXEMPTED,
    HOLE,
    NOT_OPEN,
    end_of_season,
    fill,
    resolve,
    victory,
    ways_out,
)
from gm.variants.black_hole.state import (
    FILE,
    FIRST,
    State,
    board_of,
    by_time,
    hole_board,
    homes,
    is_first,
    season_code,
    season_name,
    spoken,
    state_of,
)
from gm.variants.standard import ADJECTIVES, POWERS, STANDARD, begun, game_of, words_of
from gm.views import Emblem, Fate, Mark, Section, Surface, View

EMBLEM = Emblem(
    ground=Surface(
        paint="url(#hole)",
        defs=(
            '<radialGradient id="hole"><stop offset="0" stop-color="#000"/><stop offset=".42" stop-color="#05030a"/>'
            '<stop offset=".55" stop-color="#7d5bd1"/><stop offset=".62" stop-color="#3a2273"/>'
            '<stop offset="1" stop-color="#15101f"/></radialGradient>'
        ),
        tone="dark",
    )
)


def view(game: Variant, position: Position, turn: Turn | None, seat: Power | None) -> View:
    """The board is open; exemptions are secret until the game is over (BH-4)."""
    over = ends_game(turn)
    seen = position if over else _seen(position, seat)
    if turn is not None:
        turn = turn if over else _seen_turn(turn, seat)
    shown = STANDARD.view(game, seen, turn, seat)
    offered = seat is not None and not position.units_of(seat) and may_move(seen, seat)
    return replace(
        shown,
        sections=_sections(board_of(position), seen, seat, over),
        hints=(*_hints(seen, seat), *_bearings(position, seat)),
        form=(*(f"# {hint}" for hint in _hints(seen, seat)), "EXEMPT") if offered else None,
        marks=(*_holes(position), *_exempt_marks(state_of(seen), seat, over)),
        private=() if over else _private(board_of(position), state_of(seen), seat),
        fates={PhaseKind.RETREAT: Fate("retreated by the server, by bearings (BH-5)")},
    )


def _holes(position: Position) -> Iterator[Mark]:
    """The holes; the last one says when it appeared."""
    holes = by_time(state_of(position).holes)
    latest = holes[-1][1] if holes else ""
    for province, season in holes:
        yield Mark(_new(season) if season == latest and season else EMBLEM, province)


@cache
def _new(season: str) -> Emblem:
    """A hole with the season in which it appeared."""
    return replace(
        EMBLEM,
        meaning=f"black hole of {season_name(season)}",
        sign=f'<text class="tag" font-size="17" y="6" fill="#e6defa" stroke="#15101f" stroke-width="4" '
        f'paint-order="stroke">{season}</text>',
        sample='<circle cx="18" r="12" fill="#05030a" stroke="#7d5bd1" stroke-width="3"/>',
    )


_SHIELD = (
    '<path d="M-9-9H9V0C9 5 4 8 0 9.500-4 8-9 5-9 0z" fill="#fff" stroke="{ink}" stroke-width="1.600"/>'
    '<path d="M-4.500-.5-1.500 3 5-4.500" fill="none" stroke="{edge}" stroke-width="2.600"/>'
)
EXEMPT_CENTER = Emblem(
    meaning="exempt",
    sign=_SHIELD,
    sample=f'<g transform="translate(18 0)">{_SHIELD.format(ink="#22262b", edge="#22262b")}</g>',
)


def _exempt_marks(state: State, seat: Power | None, over: bool) -> Iterator[Mark]:
    """The exempt centres that the reader knows of."""
    for power in POWERS:
        center, told = state.exemptions.get(power), state.announced.get(power)
        known = center if over or power == seat else told.center if told is not None else None
        if known is not None:
            yield Mark(EXEMPT_CENTER, known, power)


def _seen(position: Position, seat: Power | None) -> Position:
    return state_of(position).seen_by(seat).within(position)


def _seen_turn(turn: Turn, seat: Power | None) -> Turn:
    """The turn without others' declarations and exemptions. A power that only declared something looks like one that
    said READY: nobody can tell what it sent.
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


def _sections(board: TableBoard, position: Position, seat: Power | None, over: bool) -> tuple[Section, ...]:
    state = state_of(position)
    holes = tuple((season_name(season) or "-", board.full_name(Location(p))) for p, season in by_time(state.holes))
    units, centers = len(position.units), len(board.centers)
    to_win = (
        ("Supply centres", f"{centers} in being, {centers // 2 + 1} win"),
        ("Units", f"{units} on the board, {units // 2 + 1} win"),
    )
    sections = (
        Section("Black holes", holes or ((f"None yet; the first appears at the end of {season_name(FIRST)}.",),)),
        Section("To win", () if over else to_win),
        Section("Exempt home centres", tuple(_exempt_rows(board, state, seat, over))),
    )
    return tuple(section for section in sections if section.rows)


def _exempt_rows(board: TableBoard, state: State, seat: Power | None, over: bool) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for power in POWERS:
        center, told = state.exemptions.get(power), state.announced.get(power)
        if over and center is not None:
            rows.append((power, board.full_name(Location(center))))
        elif power == seat and center is not None:
            known = "as announced" if told is not None and told.center == center else "known to you alone"
            rows.append((power, f"{board.full_name(Location(center))} ({known})"))
        elif told is not None:
            rows.append((power, f"{board.full_name(Location(told.center))} (announced in {season_name(told.season)})"))
    return rows


def _private(board: TableBoard, state: State, seat: Power | None) -> tuple[str, ...]:
    """A sentence that the seat may move its exemption."""
    if seat is None or seat not in state.movable:
        return ()
    target = Location(state.movable[seat])
    place = board.full_name(target)
    return (
        f"Your exempt home centre is lost to another power, and of your two others only {place} is left. You may move "
        f"the exemption there, once in the game: EXEMPT {short(target)}, in any movement phase as long as {place} is "
        "yours (BH-3).",
    )


def _hints(position: Position, seat: Power | None) -> tuple[str, ...]:
    if seat not in POWERS:
        return ()
    if is_first(position):
        places = [short(Location(p)) for p in homes(board_of(position), seat)]
        names = " or ".join((", ".join(places[:-1]), places[-1]))
        return (f"Also EXEMPT and one of {names}: no black hole takes it. Otherwise one is chosen at random.",)
    if may_move(position, seat):
        target = short(Location(state_of(position).movable[seat]))
        return (f"EXEMPT {target} moves your exemption there, once in the game; otherwise it stays where it is.",)
    return ()


def _bearings(position: Position, seat: Power | None) -> Iterator[str]:
    """Where the seat's dislodged units retreat without an order (BH-5)."""
    board = board_of(position)
    for dislodged in position.dislodged_of(seat) if seat is not None else ():
        unit, (first, *others) = write_unit(dislodged.unit), map(short, ways_out(board, position, dislodged))
        taken = f"; if that is taken, to the first that is empty of {', '.join(others)}" if others else ""
        yield f"Without an order {unit} retreats to {first}{taken}."


def cautions(position: Position, power: Power, orders: Sequence[Order]) -> tuple[str, ...]:
    """A warning that no exemption is named, while one can be."""
    if not is_first(position) or any(isinstance(order, Exempt) for order in orders):
        return ()
    places = ", ".join(f"EXEMPT {short(Location(p))}" for p in homes(board_of(position), power))
    return (f"You have not named your exempt home centre ({places}). If you do not name one, it is chosen at random.",)


# After the end


def chronicle(game: Variant, turns: Sequence[Turn]) -> tuple[Section, ...]:
    """Which centres were exempt, and since when, so that every draw can be verified."""
    rows = {power: tuple(_exemptions(game, turns, power)) for power in POWERS}
    told = tuple((power, "; ".join(row)) for power, row in rows.items() if row)
    return (Section("Exemptions in the course of the game", told),) if told else ()


def _exemptions(game: Variant, turns: Sequence[Turn], power: Power) -> Iterator[str]:
    """`Paris`, `Marseilles from Spring 1903`, `lapsed in Fall 1905`."""
    known: Province | None = None
    for turn in turns:
        center = state_of(turn.after).exemptions.get(power)
        season = season_name(season_code(turn.before))
        if center is None and known is not None:
            yield f"lapsed in {season}"
        elif center is not None and center != known:
            name = game.board(turn.before).full_name(Location(center))
            yield name if known is None else f"{name} from {season}"
        known = center


# words


def _whole_board() -> TableBoard:
    """The board with all provinces, for the names of those that have vanished."""
    return hole_board(frozenset())


# Reasons


def _by_bearings(outcome: Outcome) -> str:
    assert isinstance(outcome.order, Drift)
    here = _whole_board().full_name(Location(_whole_board().province(outcome.order.unit.at)))
    return f"Without an order, the server retreated it by bearings from the middle of {here} (BH-5)"


def _exempted(outcome: Outcome) -> str:
    return f"{_center(outcome)} is now exempt from black holes"


def _not_open(outcome: Outcome) -> str:
    return f"{_center(outcome)} cannot be exempted now"


def _center(outcome: Outcome) -> str:
    assert isinstance(outcome.order, Exempt)
    return _whole_board().full_name(outcome.order.center)


# Events


def _hole(event: Event, view: View) -> str:
    """What vanished and what was lost with it; in a trial, with a note that it is invented."""
    gone, owner = Province(event.facts["province"]), event.facts["owner"]
    units = [parse_unit(text) for text in event.facts["units"]]
    lost = [f"the {ADJECTIVES[unit.power]} {unit.kind.word} there is annihilated" for unit in units]
    if _whole_board().is_center(gone):
        whose = ADJECTIVES[Power(owner)] if owner is not None else "unowned"
        lost.append(f"the {whose} supply centre is gone for good")
    place, losses = spoken(_whole_board(), gone), " and ".join(lost) or "nothing else was lost with it"
    number = event.facts["candidates"]
    made_up = "Made up for this trial (the game draws its own): " if view.trial else ""
    return f"{made_up}{place[:1].upper()}{place[1:]}, drawn from {number} provinces, becomes a black hole; {losses}."


def _announcement(event: Event, _: View) -> str:
    center = _whole_board().full_name(Location(event.facts["center"]))
    return f"{event.facts['power']} announces that its exempt home centre is {center}."


WORDS = words_of(
    FILE.says(),
    reasons={BY_BEARINGS: _by_bearings, EXEMPTED: _exempted, NOT_OPEN: _not_open},
    events={HOLE: _hole, ANNOUNCEMENT: _announcement},
)

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
    view=view,
    cautions=cautions,
    offered=offered,
    chronicle=chronicle,
)
