"""What each seat may see: the public layer, what only one host is told, and for the Alien and the gamemaster
everything.

A gamemaster who plays a power is shown that power's view (AU-16). What the others see is made from the public layer
and from outcomes that do not reveal who ordered what; the turn they see has no silent powers and only the published
orders. The words of the game are at the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gm.board import FiniteBoard, Location, Power, standard_board
from gm.chance import Chance
from gm.orders import Declaration, Disband, Hold, Order
from gm.orders.notation import write_unit
from gm.orders.possible import Duty, Need, build_sites
from gm.position import PhaseKind, Position, Unit
from gm.turn import Turn, ends_game
from gm.variants import OrderSets, Variant
from gm.variants.among_us import state
from gm.variants.among_us.orders import Adopt, by_unit, needs
from gm.variants.among_us.phases import hosts_orders
from gm.variants.among_us.state import ADJECTIVES, ALIEN, FILE, NEUTRALS, SAYS, Layer
from gm.variants.standard import POWERS, STANDARD, words_of
from gm.views import MASTER, Fate, Mark, Section, View

Row = tuple[str, ...]


# Duties


def duty(game: Variant, position: Position, power: Power) -> Duty | None:
    """What a power has to order: for a host what is public, for the Alien anything or nothing."""
    if power == ALIEN:
        return Duty(offer=True, things="adoption" if state.adoptable_now(position) else "orders")
    if power == NEUTRALS or state.is_taken_over(position, power):
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
        position=truth(position) if over else position if knows else state.seen_without(position),
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
        layer, lost = Layer.of(position), {state.province_of(one.unit) for one in state.dislodged_controlled(position)}
        held = sorted(layer.units | layer.centers | lost)
        marks = tuple(Mark(FILE.signs["mask"], province, ALIEN) for province in held)
        shown = replace(shown, sections=_control(position, whose), marks=marks)
    elif public := state.revealed_units(position):
        marks = tuple(Mark(FILE.signs["mask"], state.province_of(unit), ALIEN) for unit in public)
        shown = replace(shown, sections=_revealed(public), marks=marks)
    if over:
        return replace(shown, private=_silent(game, turn, seat))
    if seat == ALIEN:
        choices = state.adoptable_now(position)
        said = SAYS.note("before adoption" if choices else "task")
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
    if host is not None and position.phase.kind is PhaseKind.ADJUSTMENT and state.surplus(position, host) >= 0:
        fates[PhaseKind.ADJUSTMENT] = Fate("waived", drawn=True)
    return fates


def published(turn: Turn, knows: bool) -> Turn:
    """The turn as it is published: each power's orders are those that were carried out."""
    orders: dict[Power, list[Order]] = {}
    for outcome in turn.outcomes:
        if not isinstance(outcome.order, Declaration):
            orders.setdefault(outcome.order.unit.power, []).append(outcome.order)
    shown = replace(turn, orders={power: tuple(given) for power, given in orders.items()}, silent=())
    return (
        shown if knows else replace(shown, before=state.seen_without(turn.before), after=state.seen_without(turn.after))
    )


def _powers(position: Position, turn: Turn | None, knows: bool) -> tuple[Power, ...]:
    """The powers in reports: including the neutrals once there are any, and the Alien for those who know."""
    boards = [position] if turn is None else [position, turn.before]
    neutral = any(
        any(unit.power == NEUTRALS for unit in one.every_unit) or NEUTRALS in one.centers.values() for one in boards
    )
    return (*POWERS, *((NEUTRALS,) if neutral else ()), *((ALIEN,) if knows else ()))


def truth(position: Position) -> Position:
    """The position as everybody may see it when the game is over: what the Alien controls is the Alien's."""
    if not Layer.is_known(position):
        return position
    mine = set(state.units_controlled(position))
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
    return (SAYS.note("removed by the rules" if own.need.count < 0 else "drawn at random"),)


def _private(game: Variant, position: Position, turn: Turn | None, seat: Power) -> tuple[str, ...]:
    """The sentences for this host only (AU-5, AU-8, AU-10)."""
    said = [*_silent(game, turn, seat)]
    if state.is_taken_over(position, seat):
        said.append(SAYS.note("taken over", seat=seat))
    due = -state.surplus(position, seat)
    if position.phase.kind is PhaseKind.ADJUSTMENT and due > 0:
        said.append(SAYS.note("remove one" if due == 1 else "remove several", number=due))
    return tuple(said)


def _revealed(units: Sequence[Unit]) -> tuple[Section, ...]:
    """What everybody knows to be the Alien's (AU-13)."""
    colours = dict.fromkeys(unit.power for unit in units)
    rows = ((_of(colour), ", ".join(write_unit(unit) for unit in units if unit.power == colour)) for colour in colours)
    return (Section("Revealed as the Alien's", tuple(rows)),)


def _of(colour: Power) -> str:
    """`French units`."""
    return SAYS.note("units of", whose=ADJECTIVES[colour])


# What the Alien is shown


def _control(position: Position, title: str) -> tuple[Section, ...]:
    """The second layer in words."""
    layer, board = Layer.of(position), standard_board()
    rows: list[Row] = []
    for colour in (*POWERS, NEUTRALS):
        units = [write_unit(unit) for unit in state.units_controlled(position) if unit.power == colour]
        lost = (one.unit for one in state.dislodged_controlled(position) if one.unit.power == colour)
        units += (SAYS.note("dislodged", unit=unit) for unit in lost)
        if units:
            rows.append((_of(colour), ", ".join(units)))
    names = sorted(board.full_name(Location(center)) for center in layer.centers)
    if names or rows:
        rows.append(("Centres", SAYS.note("centres" if names else "no centres", number=len(names), names=names)))
    if layer.hosts:
        rows.append(("Hosts so far", ", ".join(layer.hosts)))
    if state.adoptable_now(position):
        rows.append(("Nothing yet", SAYS.note("nothing yet", first=not layer.hosts)))
    elif state.owns_nothing(position):
        rows.append(("Nothing now", SAYS.note("nothing now")))
    return (Section(title, tuple(rows) or (("Nothing",),)),)


def _alien_form(board: FiniteBoard, position: Position, choices: Sequence[Unit]) -> tuple[str, ...]:
    """Lines for what the Alien controls; a line that is not filled in changes nothing."""
    if choices:
        return (SAYS.note("to choose from", choices=choices), "ADOPT")
    if position.phase.kind is PhaseKind.ADJUSTMENT:
        return _winter_lines(board, position)
    return tuple(f"{write_unit(unit)}-" for unit in state.units_to_order(position))


def _winter_lines(board: FiniteBoard, position: Position) -> tuple[str, ...]:
    need = needs(board, position, ALIEN)
    if need.count < 0:
        return SAYS.note("to choose from", choices=state.units_controlled(position)), *["REMOVE"] * -need.count
    return _builds("builds", board, need, need.count)


def _host_form(own: Duty | None, board: FiniteBoard, position: Position) -> tuple[str, ...] | None:
    """A host's lines if they differ from the standard game's: builds, in order of preference."""
    if own is None or position.phase.kind is not PhaseKind.ADJUSTMENT or not own.need.sites:
        return None
    return _builds("wishes", board, own.need, len(own.need.sites))


def _builds(kind: str, board: FiniteBoard, need: Need, count: int) -> tuple[str, ...]:
    """A line for each build that is due; or for each vacant centre, where the number that is due is secret (AU-8)."""
    return (SAYS.note(kind, sites=build_sites(board, need)), *["BUILD"] * count) if count else ()


# The review


def reviewed(game: Variant, position: Position, orders: OrderSets, chance: Chance) -> tuple[Section, ...]:
    """What the Alien is sent when the hosts' orders are closed: those for units under the Alien's control,
    and in Winter the hosts' builds and removals (AU-3); and again to whoever asks in the window (AU-17).
    """
    hosts, own = hosts_orders(game, position, orders, chance), orders.get(ALIEN, ())
    if position.phase.kind is PhaseKind.ADJUSTMENT:
        rows = [_winter_row(power, hosts.get(power, ()), orders) for power in state.countries_with(position)]
        rows.append(("Your own count", _winter_count(game.board(position), position)))
        rows += [("Your orders", SAYS.note("sent", given=own))] if own else []
        return (Section("Builds and removals of your hosts", tuple(rows)),)
    retreating = position.phase.kind is PhaseKind.RETREAT
    standing = by_unit(order for given in hosts.values() for order in given)
    rows = [_unit_row(unit, standing, by_unit(own), orders, retreating) for unit in state.units_to_order(position)]
    title = SAYS.note("hosts' retreats" if retreating else "hosts' orders")
    return (Section(title, tuple(rows) or ((SAYS.note("none ordered"),),)),)


def _winter_row(power: Power, given: Sequence[Order], orders: OrderSets) -> Row:
    kind = "nothing" if not given else "sent" if orders.get(power) else "drawn"
    return (power, SAYS.note(kind, given=given))


def _winter_count(board: FiniteBoard, position: Position) -> str:
    due = state.surplus(position, ALIEN)
    need = needs(board, position, ALIEN)
    kind = "to remove" if due < 0 else "to build" if need.count else "nothing to build"
    return SAYS.note(kind, due=-due, number=need.count, sites=sorted(need.sites))


def _unit_row(
    unit: Unit, standing: dict[Unit, Order], own: dict[Unit, Order], orders: OrderSets, retreating: bool
) -> Row:
    order = standing.get(unit) or (Disband(unit) if retreating else Hold(unit))
    kind = "not given" if unit not in standing else "given" if orders.get(unit.power) else "drawn"
    words = SAYS.note(kind, given=order)
    if unit in own:
        words = SAYS.note("your order", order=own[unit], words=words.replace(" (", ", ").rstrip(")"))
    return (SAYS.note("coloured", unit=unit), words)


WORDS = words_of(SAYS)
