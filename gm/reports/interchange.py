"""Games in the forms that other programs read: njudge's history, and the JSON of the package `diplomacy`.

Both are made from views, one for each turn, so that they hold what their reader may see and nothing else.

- njudge's history is what jDip imports, and what tools for the judges read: results after `Date:` and `Subject:` lines,
  each with orders and marks, dislodged units, ownership of centres and the next phase. Orders are one to a line.
- The JSON is that of `diplomacy.utils.export` (version 1.1), in which data sets of games, also of webDiplomacy, are
  published: a state, the orders and their results for each phase. It knows the standard game only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from gm.board import FiniteBoard, Location, Power, UnitKind
from gm.judge.outcomes import UNASKED, Outcome, Result, Why
from gm.orders import Build, Convoy, Declaration, Disband, Move, Order, Retreat, Support, power_of
from gm.orders.notation import Partly
from gm.orders.possible import retreat_options
from gm.position import Phase, PhaseKind, Position, Unit
from gm.reports import listed, with_article
from gm.reports.reader import GameFacts
from gm.reports.results import result_lines, unit_count
from gm.reports.standing_orders import Longhand
from gm.turn import CONCEDED, Turn, Victory
from gm.views import View

JUDGE = "GMGM"
"""The name of the judge in the headings: njudge has four letters for each."""


@dataclass(frozen=True, slots=True)
class Played:
    """A turn as the reader may see it, and when it was adjudicated. `view.turn` is required."""

    view: View
    at: datetime

    @property
    def turn(self) -> Turn:
        """The turn."""
        assert self.view.turn is not None
        return self.view.turn


# njudge


_HEADINGS = {PhaseKind.MOVEMENT: "Movement", PhaseKind.RETREAT: "Retreats", PhaseKind.ADJUSTMENT: "Adjustments"}
_MARKS = {
    Result.BOUNCES: "bounce",
    Result.CUT: "cut",
    Result.VOID: "void",
    Result.NO_CONVOY: "no convoy",
    Result.DISRUPTED: "no convoy",
    Result.DESTROYED: "destroyed",
    Result.ILLEGAL: "void",
}


def njudge_history(game: GameFacts, played: Sequence[Played], *, over: bool, victory: Victory | None = None) -> str:
    """The results of every phase, as njudge's HISTORY sends them. `over`: the game ended with the last one, or with the
    victory after it.
    """
    variant = "-".join(game.variant.split()) if game.variant != "Diplomacy" else "Standard"
    lines = [f":: Judge: {JUDGE}  Game: {game.name}  Variant: {variant}", ""]
    for number, one in enumerate(played, 1):
        lines += _results(game, one)
        if not over or number < len(played):
            lines += [_next(game, one.view.position.phase), ""]
    if over:
        lines += [*_end(victory), ""]
    return "\n".join(lines)


def _results(game: GameFacts, played: Played) -> Iterator[str]:
    view, turn = played.view, played.turn
    phase = turn.before.phase
    season = f"{phase.season.capitalize()} of {phase.year}"
    yield f"Date:    {played.at.astimezone(UTC):%a %b %d %Y %H:%M:%S} +0000"
    yield f"Subject: {JUDGE}:{game.name} - {phase.code} Results"
    yield from ("", f"{phase.kind.capitalize()} results for {season}.  ({game.name}.{phase.code})", "")
    words = Longhand(view.board, game.adjectives, phase.kind)
    places = {power: place for place, power in enumerate(view.powers)}
    for outcome, line in sorted(result_lines(view, turn, words), key=lambda one: _place(places, turn, one[0])):
        if outcome.facts.why not in (Why.REPLACED, Why.SURPLUS):
            yield f"{_name(power_of(outcome.order))}: {_order(outcome, line.order, words, turn)}"
    yield ""
    yield from _dislodged(view, turn, words)
    if turn.count is not None:
        yield from _ownership(view)


def _place(places: Mapping[Power, int], turn: Turn, outcome: Outcome) -> tuple[bool, int]:
    """Where njudge lists an adjustment: power by power, and after them all removals without an order. All other results
    have one place: they are listed in the order of units.
    """
    if turn.before.phase.kind is not PhaseKind.ADJUSTMENT:
        return False, 0
    power = power_of(outcome.order)
    return outcome.facts.why in UNASKED, places.get(power, len(places)) if power is not None else len(places)


def _name(power: Power | None) -> str:
    """A power as a word: headings of lines are one word."""
    return "-".join(str(power).split())


def _order(outcome: Outcome, written: str, words: Longhand, turn: Turn) -> str:
    order = outcome.order
    if isinstance(order, Declaration) and turn.before.phase.kind is PhaseKind.ADJUSTMENT:
        return "Build waived."
    if turn.before.phase.kind is PhaseKind.ADJUSTMENT and isinstance(order, Build | Disband):
        unit = f"{order.unit.kind.word} in {words.placed(order.unit.at)}"
        if isinstance(order, Build):
            return f"Builds {with_article(unit)}."
        defaults = outcome.facts.why is Why.BY_DEFAULT
        return f"Defaults, removing the {unit}." if defaults else f"Removes the {unit}."
    if isinstance(order, Move) and outcome.facts.convoyed:
        fleets = order.route or _route(order, words.board, turn)
        written = " ".join([words.unit(order.unit), *(f"-> {words.place(at)}" for at in (*fleets, order.to))])
    marks = [_MARKS[outcome.result]] if outcome.result in _MARKS else []
    if isinstance(order, Retreat) and outcome.result is Result.DISBANDED:
        marks = ["bounce"]  # a unit that no retreat was ordered for is only disbanded
    if outcome.dislodged_by is not None:
        marks = [*(mark for mark in marks if not isinstance(order, Convoy)), "dislodged"]
    return f"{written.removesuffix(' via convoy')}." + (f"  (*{', '.join(marks)}*)" if marks else "")


def _route(order: Move[Unit], board: FiniteBoard, turn: Turn) -> tuple[Location, ...]:
    """The fleets over which an army was convoyed, which the order need not name: the shortest chain; () if none."""
    every = (o.order for o in turn.outcomes if isinstance(o.order, Convoy))
    fleets = [one.unit.at for one in every if one.convoyed == order.unit and one.to == order.to]
    ways: list[tuple[Location, ...]] = [(at,) for at in fleets if _borders(board, at, order.unit.at)]
    seen = {way[0] for way in ways}
    for way in ways:
        if _borders(board, way[-1], order.to):
            return way
        further = [at for at in fleets if at not in seen and board.may_step(UnitKind.FLEET, way[-1], at)]
        seen.update(further)
        ways += [(*way, at) for at in further]
    return ()


def _borders(board: FiniteBoard, sea: Location, land: Location) -> bool:
    return any(board.may_step(UnitKind.FLEET, sea, coast) for coast in board.coasts(board.province(land)))


def _dislodged(view: View, turn: Turn, words: Longhand) -> Iterator[str]:
    driven = (*turn.after.dislodged, *turn.destroyed)
    if turn.before.phase.kind is not PhaseKind.MOVEMENT or not driven:
        return
    yield from ("The following units were dislodged:", "")
    for one in driven:
        unit = one.unit
        what = f"The {words.adjective(unit.power)} {unit.kind.word.capitalize()} in {words.placed(unit.at)}"
        places = retreat_options(view.board, view.position, one) if one in turn.after.dislodged else ()
        where = " or ".join(words.place(at) for at in places)
        yield f"{what} can retreat to {where}." if where else f"{what} with no valid retreats was destroyed."
    yield ""


def _ownership(view: View) -> Iterator[str]:
    yield from ("Ownership of supply centers:", "")
    owned = {power: view.position.centers_of(power) for power in view.powers}
    for power, centers in owned.items():
        if centers:
            yield f"{_name(power)}: {', '.join(sorted(view.board.full_name(Location(one)) for one in centers))}."
    yield ""
    for power in view.counted:
        centers, units = owned[power], unit_count(view, power)
        if centers or units:
            due = len(centers) - units
            verb = "Builds" if due >= 0 else "Removes"
            yield f"{_name(power)}: {len(centers)} Supply centers, {units} Units: {verb} {abs(due)} units."
    yield ""


def _end(victory: Victory | None) -> Iterator[str]:
    """The last lines: who has won or to whom it was conceded, or who shares a draw; no power if it was only ended."""
    winners = [_name(power) for power in victory.winners] if victory is not None else []
    if len(winners) == 1:
        how = "conceded to" if victory is not None and victory.kind == CONCEDED else "won by"
        yield f"The game was {how} {winners[0]}."
    elif winners:
        yield f"The game was declared a draw between {listed(winners)}."
    yield "The game is over."


def _next(game: GameFacts, phase: Phase) -> str:
    kind = _HEADINGS.get(phase.kind, phase.kind.capitalize())
    return f"The next phase of '{game.name}' will be {kind} for {phase.season.capitalize()} of {phase.year}."


# the package `diplomacy`


_RESULTS = {
    Result.BOUNCES: "bounce",
    Result.CUT: "cut",
    Result.VOID: "void",
    Result.NO_CONVOY: "no convoy",
    Result.DISRUPTED: "disrupted",
    Result.DISBANDED: "disband",
    Result.ILLEGAL: "void",
}


def saved_game(game: GameFacts, played: Sequence[Played], now: View, *, over: bool) -> Mapping[str, Any]:
    """The JSON value of a standard game. `now` is the present position, or the final one."""
    phases = [_saved_phase(one) for one in played]
    last = {"name": "COMPLETED" if over else now.position.phase.code, "orders": {}, "results": {}, "messages": []}
    state = _state(now.board, now.powers, now.position, played[-1].at if played else None)
    return {
        "id": game.name,
        "map": "standard",
        "rules": ["NO_PRESS", "POWER_CHOICE"],
        "phases": [*phases, {**last, "state": {**state, "name": last["name"]}}],
    }


def _saved_phase(played: Played) -> dict[str, Any]:
    turn, view = played.turn, played.view
    orders: dict[str, list[str]] = {str(power).upper(): [] for power in view.powers}
    results: dict[str, list[str]] = {}
    for outcome in _counting(turn.outcomes):
        order, power = outcome.order, power_of(outcome.order)
        orders[str(power).upper()].append(_short(outcome))
        if not isinstance(order, Declaration | Build):
            marks = [_RESULTS[outcome.result]] if outcome.result in _RESULTS else []
            results[_piece(order.unit)] = marks + (["dislodged"] if outcome.dislodged_by is not None else [])
    code = turn.before.phase.code
    state = _state(view.board, view.powers, turn.before, played.at)
    return {"name": code, "state": state, "orders": orders, "results": results, "messages": []}


def _counting(outcomes: Iterable[Outcome]) -> Iterator[Outcome]:
    """The outcomes without orders that others replaced, those that were never possible, and those seen in part."""
    for outcome in outcomes:
        beside = outcome.facts.why in (Why.REPLACED, Why.SURPLUS) or outcome.result is Result.ILLEGAL
        beside = beside or isinstance(outcome.order, Partly)
        if not beside:
            yield outcome


def _short(outcome: Outcome) -> str:
    """`A PAR - BUR`, `F NTH C A LON - NWY`, `A PAR B`."""
    order: Order = outcome.order
    match order:
        case Declaration():
            return "WAIVE"
        case Move():
            by_sea = " VIA" if outcome.facts.convoyed or order.via_convoy or order.route else ""
            return f"{_piece(order.unit)} - {_at(order.to)}{by_sea}"
        case Support():
            target = f" - {_at(order.to).partition('/')[0]}" if order.to is not None else ""
            return f"{_piece(order.unit)} S {_piece(order.supported)}{target}"
        case Convoy():
            return f"{_piece(order.unit)} C {_piece(order.convoyed)} - {_at(order.to)}"
        case Retreat():
            return f"{_piece(order.unit)} R {_at(order.to)}"
        case Build():
            return f"{_piece(order.unit)} B"
        case Disband():
            return f"{_piece(order.unit)} D"
    return f"{_piece(order.unit)} H"


def _at(at: Location) -> str:
    return at.upper()


def _piece(unit: Unit) -> str:
    return f"{unit.kind} {_at(unit.at)}"


def _state(board: FiniteBoard, powers: Sequence[Power], position: Position, at: datetime | None) -> dict[str, Any]:
    """The position as their games store it; `*` marks a dislodged unit."""
    kind = position.phase.kind
    own = {power: str(power).upper() for power in powers}
    homes = {power: [_at(Location(p)) for p in board.centers if board.home(p) == power] for power in powers}
    stranded = {power: position.dislodged_of(power) for power in powers}
    return {
        "timestamp": int(at.timestamp() * 1_000_000) if at is not None else 0,
        "name": position.phase.code,
        "units": {
            own[p]: [*map(_piece, position.units_of(p)), *(f"*{_piece(d.unit)}" for d in stranded[p])] for p in powers
        },
        "retreats": {
            own[p]: {_piece(d.unit): [_at(to) for to in retreat_options(board, position, d)] for d in stranded[p]}
            for p in powers
        },
        "centers": {own[p]: [_at(Location(center)) for center in position.centers_of(p)] for p in powers},
        "homes": {own[p]: homes[p] for p in powers},
        "influence": {own[p]: [] for p in powers},
        "civil_disorder": {own[p]: 0 for p in powers},
        "builds": {own[p]: _builds(position, p, homes[p]) if kind is PhaseKind.ADJUSTMENT else _NONE for p in powers},
    }


_NONE: Mapping[str, Any] = {"count": 0, "homes": []}


def _builds(position: Position, power: Power, homes: Sequence[str]) -> Mapping[str, Any]:
    """How many units the power builds, or removes (negative), and where it can build."""
    due = len(position.centers_of(power)) - len(position.units_of(power))
    taken = {_at(unit.at).partition("/")[0] for unit in position.units}
    owned = {_at(Location(center)) for center in position.centers_of(power)}
    free = [home for home in homes if home in owned and home not in taken]
    return {"count": min(due, len(free)), "homes": free} if due > 0 else {"count": due, "homes": []}
