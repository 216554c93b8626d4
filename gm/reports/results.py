"""The results of a turn: orders with marks and reasons, dislodgements, centres, units, victory; power by power."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from gm.board import FiniteBoard, Location, Power, Province
from gm.judge.outcomes import UNASKED, Event, Outcome
from gm.maps.glyphs import colours
from gm.orders import Convoy, Disband, Hold, Move, Order, Retreat, Support, power_of, unit_of
from gm.orders.notation import write_unit
from gm.orders.possible import NOTHING
from gm.position import Dislodged, PhaseKind, Unit
from gm.reports import WIDTH, counted, listed
from gm.reports.explain import mark, sentence
from gm.reports.forms import retreat_choices, unit_names
from gm.reports.render import SharedPart
from gm.reports.standing_orders import Longhand, by_unit
from gm.turn import ELIMINATED, SeasonCount, Turn
from gm.views import Look, View, Words

Row = tuple[str, ...]
"""A line of a table."""

MANY_POWERS = 12
"""With more powers than this, what tells of each of them is not told unasked."""


class Coloured(str):
    """The name of a power, which HTML shows with a mark in its colour on the map. As text it is the name alone."""

    __slots__ = ("colour",)
    colour: str


def named(view: View) -> Mapping[Power, str]:
    """How tables and headings name each power of a view."""
    return coloured(view.powers, view.looks)


def coloured(powers: Sequence[Power], looks: Mapping[Power, Look]) -> Mapping[Power, str]:
    """How tables and headings name each power of a game: with its colour, where the map has no more of them than can be
    told apart.
    """
    if len(powers) > MANY_POWERS:
        return {power: str(power) for power in powers}
    return {power: _marked(power, colour) for power, colour in colours(powers, looks).items()}


def _marked(text: str, colour: str) -> str:
    found = Coloured(text)
    found.colour = colour
    return found


@dataclass(frozen=True, slots=True)
class ResultLine:
    """An order in full words, the mark (`bounce`; "" for success) and the reason as a sentence.

    `reason` is "" if there is nothing to explain: an order that succeeded without opposition.
    """

    order: str
    mark: str
    reason: str
    given: Order = field(compare=False)


@dataclass(frozen=True)
class PowerResults(SharedPart):
    """All orders of a power."""

    whole: ClassVar[str] = "shared/results.txt.j2"
    kind: ClassVar[str] = "results"

    power: Power
    lines: tuple[ResultLine, ...]


def results(view: View, turn: Turn, words: Longhand) -> tuple[PowerResults, ...]:
    """The orders by power, in the game's order of powers and the position's order of units; powers without any are left
    out.

    Equal lines for several units or builds of a power are given once, with their number.
    """
    by_power: dict[Power, list[ResultLine]] = {power: [] for power in view.powers}
    for outcome, line in result_lines(view, turn, words):
        by_power[_power_of(outcome)].append(line)
    shown = named(view)
    return tuple(
        PowerResults(Power(shown.get(power, power)), tuple(_once(lines))) for power, lines in by_power.items() if lines
    )


def result_lines(view: View, turn: Turn, words: Longhand) -> Iterator[tuple[Outcome, ResultLine]]:
    """Each outcome with its line, in the position's order of units."""
    place = by_unit(_ordered_units(turn))
    for outcome in sorted(turn.outcomes, key=lambda outcome: place(outcome.order)):
        reason = " ".join(filter(None, [_omission(outcome, _power_of(outcome), turn), _reason(outcome, view)]))
        yield outcome, ResultLine(words.order(outcome.order), mark(outcome, view.words), reason, outcome.order)


@dataclass(frozen=True, slots=True)
class Group:
    """Results under a heading; "" for none."""

    heading: str
    powers: tuple[PowerResults, ...]


def own_first(found: tuple[PowerResults, ...], view: View) -> tuple[Group, ...]:
    """The results of the reader's own power first, then the orders of others that touched it, then their others."""
    if view.turn is None or all(one.power != view.seat for one in found):
        return (Group("", found),)
    touches = touching(view.turn, view.board, view.seat)
    own, others = ([one for one in found if (one.power == view.seat) == mine] for mine in (True, False))
    near, far = (list(filter(None, (_only(one, touches, wanted) for one in others))) for wanted in (True, False))
    groups = (Group("", tuple(own)), Group("Orders that touched yours", tuple(near)), Group("Other orders", tuple(far)))
    return tuple(group for group in groups if group.powers)


def _only(results: PowerResults, touches: Callable[[Order], bool], wanted: bool) -> PowerResults | None:
    """The orders that touch the reader's, or the others; rendered anew only where a power has both."""
    lines = tuple(line for line in results.lines if touches(line.given) == wanted)
    return results if lines == results.lines else replace(results, lines=lines) if lines else None


def touching(turn: Turn, board: FiniteBoard, power: Power | None) -> Callable[[Order], bool]:
    """Whether an order of others helps one of this power's units, or begins or ends where one stood or went, or in one
    of its centres.
    """
    moved = [one.order for one in turn.outcomes if _power_of(one) == power and isinstance(one.order, Move | Retreat)]
    mine = {unit.at for unit in turn.before.units if unit.power == power} | {
        goal for one in moved if (goal := _goal(one))
    }
    places = {board.province(at) for at in mine} | {p for p, held in turn.before.centers.items() if held == power}
    return lambda order: _partner(order) == power or any(board.province(at) in places for at in _ends(order))


def _ends(order: Order) -> Iterator[Location]:
    """Where the order's unit stands, and where it goes or helps another one to go."""
    unit, goal = unit_of(order), _goal(order)
    yield from (at for at in (unit and unit.at, goal) if at)


def _goal(order: Order) -> Location | None:
    """Where the order's unit goes, or helps another one to go."""
    return order.to if isinstance(order, Move | Retreat | Support | Convoy) else None


def _partner(order: Order) -> Power | None:
    """The power of the unit that the order helps."""
    match order:
        case Support():
            return order.supported.power
        case Convoy():
            return order.convoyed.power
    return None


def _once(lines: list[ResultLine]) -> Iterator[ResultLine]:
    """The lines; equal ones once, with their number."""
    for line, count in Counter(lines).items():
        yield line if count == 1 else replace(line, order=f"{line.order} ({count} times)")


def _ordered_units(turn: Turn) -> tuple[Unit, ...]:
    return () if turn.before.phase.kind is PhaseKind.ADJUSTMENT else turn.before.to_order


def _omission(outcome: Outcome, power: Power, turn: Turn) -> str:
    """A note that a unit got no order although its power sent some; one sentence covers all silent powers."""
    order = outcome.order
    if not isinstance(order, Hold) or power in turn.silent:
        return ""
    return "" if order in turn.orders.get(power, ()) else "It was given no order."


def _reason(outcome: Outcome, view: View) -> str:
    facts = outcome.facts
    contested = facts.against or facts.by or facts.lost or facts.dislodged or outcome.dislodged_by
    given = facts.why not in UNASKED or isinstance(outcome.order, Hold)
    if outcome.succeeded and given and not (contested or facts.convoyed or facts.are_of_variant):
        return ""
    return sentence(outcome, view.board, view.words)


def _power_of(outcome: Outcome) -> Power:
    power = power_of(outcome.order)
    if power is None:
        raise ValueError("a waived build among the outcomes names no power")
    return power


def silence(view: View, turn: Turn, *, forced: bool = False, of: Power | None = None) -> str:
    """A sentence about the powers that had to send something and did not (NMR, no moves received), or "". It is no NMR
    where the phase was `forced` to end before its deadline. To the player `of` such a power it is about that alone.
    """
    kind = turn.before.phase.kind
    lax = [power for power in turn.silent if kind is not PhaseKind.ADJUSTMENT or _left_it_to_the_rules(turn, power)]
    if not lax:
        return ""
    fate = view.fates[kind].sentence if kind in view.fates else _FATES.get(kind, "the units held")
    if of is not None:
        return f"You sent no orders, so {fate}." if of in lax else ""
    if forced:
        return f"{listed(lax)} had not sent orders yet, so {fate}."
    return f"{listed(lax)} sent no orders (NMR), so {fate}."


_FATES = {
    PhaseKind.RETREAT: "the dislodged units disbanded",
    PhaseKind.ADJUSTMENT: "the removals were made by the rules",
}


def _left_it_to_the_rules(turn: Turn, power: Power) -> bool:
    """Whether the rules chose which of the power's units were removed; builds are optional, and a removal of all units
    leaves no choice.
    """
    removed = any(isinstance(o.order, Disband) and o.order.unit.power == power for o in turn.outcomes)
    return removed and bool(turn.after.units_of(power))


def dislodgements(view: View, turn: Turn, words: Longhand) -> tuple[str, ...]:
    """A sentence for each unit dislodged in this turn: where it can retreat, or that it was destroyed. Where the units
    of others can retreat to, who does not see all of the board cannot tell.
    """
    others = [d for d in turn.after.dislodged if d.unit.power not in view.counted]
    alive = [(d, retreat_choices(view, d, words.place)) for d in turn.after.dislodged if d not in others]
    return (
        *_retreats(alive, words),
        *(f"{_placed(d, words)} was dislodged." for d in others),
        *(f"{_placed(d, words)} had nowhere to retreat and was destroyed." for d in turn.destroyed),
    )


def _retreats(alive: Iterable[tuple[Dislodged, Sequence[str]]], words: Longhand) -> tuple[str, ...]:
    return tuple(
        f"{_placed(d, words)} can retreat to {listed(places, 'or')}."
        if places
        else f"{_placed(d, words)} cannot retreat anywhere and must disband."
        for d, places in alive
    )


def units_driven_out(turn: Turn) -> list[Unit]:
    """The units that were dislodged in this turn."""
    return [driven.unit for driven in (*turn.after.dislodged, *turn.destroyed) if driven not in turn.before.dislodged]


def driven_out(turn: Turn) -> str:
    """The units that were dislodged, in a line; "" for none."""
    gone = units_driven_out(turn)
    return f"Dislodged: {listed(f'{write_unit(unit)} ({unit.power})' for unit in gone)}." if gone else ""


def _placed(dislodged: Dislodged, words: Longhand) -> str:
    """`The Austrian Army in Vienna`; for powers without an adjective, `Krell's Army in Vienna`."""
    unit = dislodged.unit
    article = "The " if unit.power in words.adjectives else ""
    return f"{article}{words.adjective(unit.power)} {unit.kind.word.capitalize()} in {words.placed(unit.at)}"


def unit_lines(view: View) -> tuple[tuple[Power, str], ...]:
    """Each power's units in short notation; dislodged units are marked."""
    position = view.position
    every = {
        power: unit_names(position.units_of(power))
        + [f"{write_unit(d.unit)} (dislodged)" for d in position.dislodged_of(power)]
        for power in view.powers
    }
    shown = named(view)
    return tuple((Power(shown[power]), ", ".join(units)) for power, units in every.items() if units)


def events(view: View, turn: Turn) -> tuple[str, ...]:
    """A sentence for each event apart from orders, except eliminations, which are listed with the centres."""
    return tuple(sentence for _, sentence in happened(view, turn))


def happened(view: View, turn: Turn) -> tuple[tuple[Event, str], ...]:
    """The same events, each with its sentence."""
    return tuple((event, view.words.event(event, view)) for event in turn.events if event.kind != ELIMINATED)


def victory(turn: Turn, words: Words) -> str:
    """A sentence about how the game ended, or ""."""
    if turn.victory is None:
        return ""
    winners, reason = turn.victory.winners, words.victory(turn.victory)
    end = f"{winners[0]} has won" if len(winners) == 1 else f"The game is drawn between {listed(winners)}"
    return f"{end}: {reason}" if winners else reason


# Supply centres


def center_table(view: View, count: SeasonCount | None, *, over: bool) -> tuple[Row, ...]:
    """The table's head, and a row for every power with a centre or a unit, now or before this count: centres, units,
    builds and removals.
    """
    counted = count or SeasonCount()
    if view.blank:
        return (("You see nothing of the board.",),)
    if not view.position.centers and not counted.lost:
        return (("Nobody owns a supply centre yet.",),)
    shown = named(view)
    found = ((shown[power], _center_row(view, counted, power)) for power in view.counted)
    rows = [(name, *row[1:]) for name, row in found if row]
    width = 4 if view.position.phase.kind is PhaseKind.ADJUSTMENT and view.needs and not over else 3
    return tuple(row[:width] for row in [("Power", "Centres", "Units", "Winter"), *rows])


def _center_row(view: View, count: SeasonCount, power: Power) -> Row:
    owned, units = view.position.centers_of(power), unit_count(view, power)
    if not (owned or count.lost.get(power) or units):
        return ()
    return (
        power,
        f"{len(owned):2}{_change(power, count)}",
        f"{units:2}",
        winter(view, power),
    )


def unit_count(view: View, power: Power) -> int:
    """The number of the power's units, including dislodged ones."""
    units = (*view.position.units_of(power), *(d.unit for d in view.position.dislodged_of(power)))
    return sum(unit.kind.pieces for unit in units)


def winter(view: View, power: Power) -> str:
    """What the power builds or removes now: `builds 2`, `builds 1 of 3` if it has too few vacant home centres, `removes
    1`; what is removed and is no unit is named.
    """
    if view.position.phase.kind is not PhaseKind.ADJUSTMENT or not view.needs:
        return ""
    due = view.needs.get(power, NOTHING)
    need = due.count
    if need < 0:
        others = [counted(number, kind.word, digits=True) for kind, number in Counter(due.pieces).items()]
        units = -need - len(due.pieces)
        return f"removes {' and '.join([*([str(units)] if units else []), *others])}"
    duty = view.duties.get(power)
    if duty is not None and duty.offer:
        return duty.things
    if need > 0:
        return f"builds {need}" + (f" (of {need + due.beyond}: no more free {view.site}s)" if due.beyond else "")
    return f"no free {view.site}" if due.beyond else "-"


def center_changes(view: View, count: SeasonCount | None) -> tuple[str, ...]:
    """A sentence for each power that gained or lost centres in this count."""
    if count is None:
        return ()
    sentences = []
    for power in view.powers:
        parts = [
            f"{verb} {listed(_names(view, provinces))}"
            for verb, provinces in (("gained", count.gained.get(power, ())), ("lost", count.lost.get(power, ())))
            if provinces
        ]
        if parts:
            sentences.append(f"{power} {' and '.join(parts)}.")
    return tuple(sentences)


def scores(view: View, count: SeasonCount | None) -> str:
    """The powers by their centres, with what this count changed: `England 6 (+1), France 5; 2 unowned`. "" if nobody
    owns one, or if there are too many powers for a line. Who does not see all of the board is told their own.
    """
    owned = Counter(view.position.centers.values())
    if not any(owned[power] for power in view.counted) or len(view.powers) > MANY_POWERS:
        return ""
    shown = sorted((power for power in view.counted if owned[power]), key=lambda power: -owned[power])
    free = len(view.board.centers) - owned.total() if not view.unseen else 0
    line = ", ".join(f"{power} {owned[power]}{_change(power, count)}" for power in shown)
    counted_now = count is not None or view.turn is None or view.turn.before.phase.kind is PhaseKind.ADJUSTMENT
    return f"Centres{'' if counted_now else ', as last counted'}: {line}{f'; {free} unowned' if free > 0 else ''}."


def _change(power: Power, count: SeasonCount | None) -> str:
    change = count.change(power) if count is not None else 0
    return f" ({change:+d})" if change else ""


def owners(view: View) -> tuple[Row, ...]:
    """Each power with the names of its centres, and the centres without an owner, as far as they are seen."""
    owned = {power: view.position.centers_of(power) for power in view.powers}
    free = [p for p in view.board.centers if p not in view.position.centers and p not in view.unseen]
    shown = named(view)
    rows = [(shown[power], ", ".join(_names(view, provinces))) for power, provinces in owned.items() if provinces]
    return (*rows, ("Unowned", ", ".join(_names(view, free)))) if free else tuple(rows)


def _names(view: View, provinces: Iterable[Province]) -> list[str]:
    return sorted(view.board.full_name(Location(province)) for province in provinces)


def eliminations(turn: Turn, words: Words) -> str:
    """A sentence about the powers that were eliminated, or ""."""
    out = turn.eliminated
    return f"{listed(out)} {'is' if len(out) == 1 else 'are'} eliminated, {words.eliminated}." if out else ""


def standings(view: View, players: Mapping[Power, str], winners: Sequence[Power]) -> tuple[Row, ...]:
    """The table's head, and every power with its player, its centres and whether it has won or shares a draw: the
    winners first, then those with most centres. The summary of a finished game.
    """
    counts = {power: len(view.position.centers_of(power)) for power in view.powers}
    ranked = sorted(counts.items(), key=lambda entry: (entry[0] not in winners, -entry[1], entry[0]))
    shown, ended = named(view), dict.fromkeys(winners, "won" if len(winners) == 1 else "drew")
    rows = [(shown[power], f"{count:2}", ended.get(power, ""), players.get(power, "")) for power, count in ranked]
    return (("Power", "Centres", "", "Player"), *rows)


LEADERS = 10
"""The number of powers named at the top of the standings."""


def leaders(view: View) -> tuple[Row, ...]:
    """If there are very many powers, those with the most centres, and the reader's own, each with its rank."""
    centers = Counter(view.position.centers.values())
    ranked = sorted(view.powers, key=lambda power: -centers[power])
    shown = [*ranked[:LEADERS], *(power for power in ranked[LEADERS:] if power == view.seat)]
    first = [centers[power] for power in ranked]  # powers with equally many centres have the same rank
    return tuple((f"{first.index(centers[p]) + 1}", p, counted(centers[p], "centre", digits=True)) for p in shown)


Years = tuple[tuple[int, Mapping[Power, int]], ...]
"""Centres of each power at the end of each year."""


def years(history: Years, shown: Mapping[Power, str]) -> tuple[Row, ...]:
    """A head, and a line for each year; or for each power if there are too many powers or their names are too
    similar. `shown`: how each of the powers is named.
    """
    brief = [_brief(name) for name in shown.values()]
    if len(set(brief)) == len(brief) and 5 * (len(brief) + 1) <= WIDTH:
        rows = ((str(year), *(str(counts.get(p, 0) or "-") for p in shown)) for year, counts in history)
        return (("Year", *brief), *rows)
    lines = ((name, *(str(counts.get(p, 0) or "-") for _, counts in history)) for p, name in shown.items())
    return (("Power", *(str(year) for year, _ in history)), *lines)


def _brief(name: str) -> str:
    short = name.removeprefix("the ")[:3]
    return _marked(short, name.colour) if isinstance(name, Coloured) else short
