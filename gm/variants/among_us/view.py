"""What each seat may see: the public layer, what only one host is told, and for the Alien and the gamemaster
everything.

A gamemaster who plays a power is shown that power's view (AU-16). What the others see is made from the public layer
and from outcomes that do not reveal who ordered what; the turn they see has no silent powers and only the published
orders. The words of the game are at the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from gm.board import FiniteBoard, Location, Power, Province, standard_board
from gm.chance import Chance
from gm.maps.glyphs import INK
from gm.orders import Declaration, Disband, Hold, Order
from gm.orders.notation import short, write, write_unit
from gm.orders.possible import Duty, Need, build_sites
from gm.position import PhaseKind, Position, Unit
from gm.turn import Event, Turn, ends_game
from gm.variants import OrderSets, Variant
from gm.variants.among_us.orders import Adopt, by_unit, needs
from gm.variants.among_us.phases import ALIENS_COUNT, hosts_orders
from gm.variants.among_us.state import (
    ADJECTIVES,
    ALIEN,
    FILE,
    NEUTRALS,
    Layer,
    adoptable_now,
    countries_with,
    dislodged_controlled,
    has_no_host,
    is_taken_over,
    owns_nothing,
    province_of,
    revealed_units,
    seen_without,
    surplus,
    units_controlled,
    units_to_order,
)
from gm.variants.standard import POWERS, STANDARD, words_of
from gm.views import MASTER, Emblem, Fate, Mark, Section, View

_MASK = (
    '<path d="M0-8.500C7-8.500 9-3.500 8 .5 7 5 3 8.500 0 8.500-3 8.500-7 5-8 .5-9-3.500-7-8.500 0-8.500z"'
    ' fill="#7fb069" stroke="{ink}" stroke-width="1.200"/>'
    '<path d="M-5.500-2.500C-3.500-2-1.800-.5-1.500 2-3.800 2-5.500.5-5.500-2.500z'
    'M5.500-2.500C3.500-2 1.800-.5 1.500 2 3.800 2 5.500.5 5.500-2.500z" fill="{ink}"/>'
)

MASK = Emblem(meaning="the Alien's", sign=_MASK, sample=f'<g transform="translate(18 0)">{_MASK.format(ink=INK)}</g>')


Row = tuple[str, ...]


_ALIENS_TASK = (
    "When the players' orders are closed you alone are sent those for what you control. What you order in their place, "
    "before or after, counts; without orders from you theirs stay."
)
_BEFORE_ADOPTION = (
    "When the players' orders are closed the unit that you adopt is yours, and you alone are sent its orders. What you"
    " order in their place counts, and can be sent from then on; without orders from you theirs stay."
)


# Duties


def duty(game: Variant, position: Position, power: Power) -> Duty | None:
    """What a power has to order: for a host what is public, for the Alien anything or nothing."""
    if power == ALIEN:
        return Duty(offer=True, things="adoption" if adoptable_now(position) else "orders")
    if power == NEUTRALS or is_taken_over(position, power):
        return None
    found = STANDARD.duty(game, position, power)
    if found is not None and found.need.count > 0:
        return Duty(need=replace(found.need, count=0), offer=True, things="builds")
    return found


# Views


def view(game: Variant, position: Position, turn: Turn | None, seat: Power | None) -> View:
    """What the seat may see; `seat` None is the public, MASTER the gamemaster."""
    board = game.board(position)
    over = ends_game(turn)
    knows = seat in (ALIEN, MASTER) or over
    every = game.duties(position)
    own = {power: found for power, found in every.items() if power == seat or seat == MASTER}
    shown = View(
        seat=seat,
        board=board,
        powers=_powers(position, turn, knows),
        position=truth(position) if over else position if knows else seen_without(position),
        needs={},
        duties=own,
        words=game.words,
        turn=published(turn, knows) if turn is not None else None,
    )
    if turn is not None and seat is not None:
        shown = replace(
            shown, given=tuple(order for order in turn.orders.get(seat, ()) if not isinstance(order, Adopt))
        )
    if knows:
        whose = "What you control" if seat == ALIEN and not over else "What the Alien controls"
        marks = tuple(Mark(MASK, province, ALIEN) for province in sorted(_held(position)))
        shown = replace(shown, sections=_control(position, whose), marks=marks)
    elif public := revealed_units(position):
        marks = tuple(Mark(MASK, province_of(unit), ALIEN) for unit in public)
        shown = replace(shown, sections=_revealed(public), marks=marks)
    if over:
        return replace(shown, private=_silent(game, turn, seat))
    if seat == ALIEN:
        choices = adoptable_now(position)
        said = _BEFORE_ADOPTION if choices else _ALIENS_TASK
        return replace(shown, form=_alien_form(board, position, choices), private=(said,))
    if seat in POWERS:
        own_form = _host_form(every.get(seat), board, position)
        return replace(shown, private=_private(game, position, turn, seat), form=own_form, fates=_fates(position, seat))
    return shown if knows else replace(shown, fates=_fates(position, None))


def _fates(position: Position, host: Power | None) -> dict[PhaseKind, Fate]:
    """What a host gets who orders nothing at all: orders drawn at random, but removals by the rules (AU-5), of which
    only the host is told.
    """
    fates = {PhaseKind.MOVEMENT: Fate("holding", drawn=True), PhaseKind.RETREAT: Fate("disbanded", drawn=True)}
    if host is not None and position.phase.kind is PhaseKind.ADJUSTMENT and surplus(position, host) >= 0:
        fates[PhaseKind.ADJUSTMENT] = Fate("waived", drawn=True)
    return fates


def published(turn: Turn, knows: bool) -> Turn:
    """The turn as it is published: each power's orders are those that were carried out."""
    orders: dict[Power, list[Order]] = {}
    for outcome in turn.outcomes:
        if not isinstance(outcome.order, Declaration):
            orders.setdefault(outcome.order.unit.power, []).append(outcome.order)
    shown = replace(turn, orders={power: tuple(given) for power, given in orders.items()}, silent=())
    return shown if knows else replace(shown, before=seen_without(turn.before), after=seen_without(turn.after))


def _powers(position: Position, turn: Turn | None, knows: bool) -> tuple[Power, ...]:
    """The powers in reports: including the neutrals once there are any, and the Alien for those who know."""
    boards = [position] if turn is None else [position, turn.before]
    neutral = any(
        any(unit.power == NEUTRALS for unit in one.every_unit) or NEUTRALS in one.centers.values() for one in boards
    )
    return (*POWERS, *((NEUTRALS,) if neutral else ()), *((ALIEN,) if knows else ()))


def _held(position: Position) -> frozenset[Province]:
    layer = Layer.of(position)
    return layer.units | layer.centers | frozenset(province_of(d.unit) for d in dislodged_controlled(position))


def truth(position: Position) -> Position:
    """The position as everybody may see it when the game is over: what the Alien controls is the Alien's."""
    if not Layer.is_known(position):
        return position
    mine = set(units_controlled(position))
    units = tuple(replace(unit, power=ALIEN) if unit in mine else unit for unit in position.units)
    return replace(
        position, units=units, centers={**position.centers, **dict.fromkeys(Layer.of(position).centers, ALIEN)}
    )


def _silent(game: Variant, turn: Turn | None, seat: Power | None) -> tuple[str, ...]:
    """What became of the orders that a host did not send, who had any to send, due or not (AU-5)."""
    if turn is None or seat not in POWERS or seat in turn.orders:
        return ()
    own = game.duties(turn.before).get(seat)
    if own is None:
        return ()
    drawn = "the removals followed the rules" if own.need.count < 0 else "they were drawn at random"
    return (f"You sent no orders, so {drawn}.",)


def _private(game: Variant, position: Position, turn: Turn | None, seat: Power) -> tuple[str, ...]:
    """The sentences for this host only (AU-5, AU-8, AU-10)."""
    said = [*_silent(game, turn, seat)]
    if is_taken_over(position, seat):
        said.append(
            f"All that bears {seat}'s colours has gone to the Alien: you are eliminated. The reports go on under your "
            "country's name, and it is for you to say whom you tell."
        )
    due = -surplus(position, seat)
    if position.phase.kind is PhaseKind.ADJUSTMENT and due > 0:
        what = "one unit" if due == 1 else f"{due} units"
        said.append(f"You truly have more units than centres, and must remove {what}. Nobody else is told.")
    return tuple(said)


def _revealed(units: Sequence[Unit]) -> tuple[Section, ...]:
    """What everybody knows to be the Alien's (AU-13)."""
    colours = dict.fromkeys(unit.power for unit in units)
    rows = (
        (f"{ADJECTIVES[colour]} units", ", ".join(write_unit(unit) for unit in units if unit.power == colour))
        for colour in colours
    )
    return (Section("Revealed as the Alien's", tuple(rows)),)


# What the Alien is shown


def _control(position: Position, title: str) -> tuple[Section, ...]:
    """The second layer in words."""
    layer, board = Layer.of(position), standard_board()
    rows: list[Row] = []
    for colour in (*POWERS, NEUTRALS):
        units = [write_unit(unit) for unit in units_controlled(position) if unit.power == colour]
        units += [f"{write_unit(d.unit)} (dislodged)" for d in dislodged_controlled(position) if d.unit.power == colour]
        if units:
            rows.append((f"{ADJECTIVES[colour]} units", ", ".join(units)))
    names = sorted(board.full_name(Location(center)) for center in layer.centers)
    if names:
        rows.append(("Centres", f"{len(names)}: {', '.join(names)}"))
    elif rows:
        rows.append(("Centres", "none; without one, all these units are removed in Winter"))
    if layer.hosts:
        rows.append(("Hosts so far", ", ".join(layer.hosts)))
    if adoptable_now(position):
        otherwise = "otherwise one is drawn at random" if has_no_host(position) else "or in a later Spring"
        rows.append(("Nothing yet", f"a unit may be adopted before this Spring's orders are closed, {otherwise}"))
    elif owns_nothing(position):
        rows.append(("Nothing now", "a unit may be adopted in any Spring, in a country that has not been a host"))
    return (Section(title, tuple(rows) or (("Nothing",),)),)


def _alien_form(board: FiniteBoard, position: Position, choices: Sequence[Unit]) -> tuple[str, ...]:
    """Lines for what the Alien controls; a line that is not filled in changes nothing."""
    if choices:
        return (_comment("To choose from", map(write_unit, choices)), "ADOPT")
    if position.phase.kind is PhaseKind.ADJUSTMENT:
        return _winter_lines(board, position)
    return tuple(f"{write_unit(unit)}-" for unit in units_to_order(position))


def _winter_lines(board: FiniteBoard, position: Position) -> tuple[str, ...]:
    need = needs(board, position, ALIEN)
    if need.count < 0:
        return _comment("To choose from", map(write_unit, units_controlled(position))), *["REMOVE"] * -need.count
    return _builds("To choose from", board, need, need.count)


def _host_form(own: Duty | None, board: FiniteBoard, position: Position) -> tuple[str, ...] | None:
    """A host's lines if they differ from the standard game's: builds, in order of preference."""
    if own is None or position.phase.kind is not PhaseKind.ADJUSTMENT or not own.need.sites:
        return None
    return _builds(_WISHES, board, own.need, len(own.need.sites))


_WISHES = (
    "As many are built as you are truly due, perhaps none, the first named first; name as many as you like; to choose"
    " from"
)
"""Why a form has a line for each vacant centre: the number that is due is secret (AU-8)."""


def _builds(head: str, board: FiniteBoard, need: Need, count: int) -> tuple[str, ...]:
    return (f"{_comment(head, build_sites(board, need))}; or WAIVE", *["BUILD"] * count) if count else ()


def _places(provinces: Iterable[Province]) -> list[str]:
    return [short(Location(province)) for province in sorted(provinces)]


def _comment(head: str, choices: Iterable[str]) -> str:
    return f"# {head}: {', '.join(choices)}"


# The review


def reviewed(game: Variant, position: Position, orders: OrderSets, chance: Chance) -> tuple[Section, ...]:
    """What the Alien is sent when the hosts' orders are closed: those for units under the Alien's control,
    and in Winter the hosts' builds and removals (AU-3); and again to whoever asks in the window (AU-17).
    """
    hosts, own = hosts_orders(game, position, orders, chance), orders.get(ALIEN, ())
    if position.phase.kind is PhaseKind.ADJUSTMENT:
        rows = [_winter_row(power, hosts.get(power, ()), orders) for power in countries_with(position)]
        rows.append(("Your own count", _winter_count(game.board(position), position)))
        rows += [("Your orders", ", ".join(write(order) for order in own))] if own else []
        return (Section("Builds and removals of your hosts", tuple(rows)),)
    retreating = position.phase.kind is PhaseKind.RETREAT
    standing = by_unit(order for given in hosts.values() for order in given)
    rows = [_unit_row(unit, standing, by_unit(own), orders, retreating) for unit in units_to_order(position)]
    title = "Retreats of your units, as their hosts order them" if retreating else "The orders of your hosts"
    return (Section(title, tuple(rows) or (("You control no unit that is ordered now.",),)),)


def _winter_row(power: Power, given: Sequence[Order], orders: OrderSets) -> Row:
    words = ", ".join(write(order) for order in given) or "nothing (removals that are due follow the rules)"
    return (power, words + ("" if orders.get(power) or not given else " (drawn at random)"))


def _winter_count(board: FiniteBoard, position: Position) -> str:
    due = surplus(position, ALIEN)
    need = needs(board, position, ALIEN)
    if due < 0:
        return f"{-due} to remove"
    if not need.count:
        return "nothing to build"
    return f"{need.count} to build, open to you: {', '.join(_places(need.sites))}"


def _unit_row(
    unit: Unit, standing: dict[Unit, Order], own: dict[Unit, Order], orders: OrderSets, retreating: bool
) -> Row:
    stays = Disband(unit) if retreating else Hold(unit)
    words = write(standing.get(unit, stays))
    if unit not in standing:
        words += " (no order)"
    elif not orders.get(unit.power):
        words += " (drawn at random)"
    if unit in own:
        words = f"{write(own[unit])} (your order; the host's: {words.replace(' (', ', ').rstrip(')')})"
    return (f"{ADJECTIVES[unit.power]} {write_unit(unit)}", words)


# words


def _count(event: Event, _: View) -> str:
    number = event.facts["centers"]
    return f"The Alien owns {number} supply {'centre' if number == 1 else 'centres'}."


WORDS = words_of(FILE.says(), events={ALIENS_COUNT: _count})
