"""How a phase of this game is adjudicated: whose orders count, whose builds are made, and what happens in Autumn.

If a power sends nothing at all, its orders are drawn at random (AU-5, `lots`).

Outcomes contain nothing that would reveal who ordered a unit: every unit has an order, in the order in which units are
listed, and only those builds and removals are included that were made.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gm.board import FiniteBoard, Power, Province
from gm.chance import Chance
from gm.judge.movement import resolve_movement
from gm.judge.outcomes import Outcome, Resolution, Result
from gm.judge.retreats_and_adjustments import removal_order, resolve_retreats
from gm.orders import Build, Disband, Hold, Order, Waive
from gm.orders.possible import retreat_options
from gm.position import PhaseKind, Position, Season, Unit
from gm.turn import Event, SeasonCount, Victory
from gm.variants import OrderSets, SeasonEnd, Variant
from gm.variants.among_us import state
from gm.variants.among_us.lots import Lots
from gm.variants.among_us.orders import Adopt, by_unit, waives
from gm.variants.among_us.state import ALIEN, FILE, HAS_BEGUN_AGAIN, Layer
from gm.variants.standard import POWERS, STANDARD, count_centers, leading

UNITS_TO_WIN, OF_ONE_NATIONALITY = FILE.numbers["units_to_win"], FILE.numbers["of_one_nationality"]

ALIENS_COUNT = "the Alien's count"
"""The event of an Autumn: the number of `centers` that the Alien owns."""

NATIONALITY = "nationality"
"""The Alien's victory: the number of `units`, and `of_power` of them all those of one `power`."""


# Before and at the closing of the hosts' orders


def close(_game: Variant, position: Position, orders: OrderSets, chance: Chance) -> Position:
    """The position after the hosts' orders are closed: with the unit that the Alien has chosen, or a random one
    (AU-1).
    """
    choices = state.adoptable_now(position)
    named = [o.unit for o in orders.get(ALIEN, ()) if isinstance(o, Adopt) and o.unit in choices]
    if named:
        return state.adopted(position, named[-1])
    if choices and not Layer.of(position).hosts:
        return state.adopted(position, chance.choose(choices, position.phase.code, "adoption"))
    return position


def hosts_orders(game: Variant, position: Position, orders: OrderSets, chance: Chance) -> OrderSets:
    """The hosts' orders: as sent, or random for those that had something to order and sent nothing."""
    board, duties = game.board(position), game.duties(position)
    every = {}
    for power in POWERS:
        if power in orders:
            every[power] = orders[power]
        elif power in duties:
            every[power] = Lots(board, position, power, chance).draw(game.needs(board, position, power))
    return every


def fill(game: Variant, position: Position, orders: OrderSets, chance: Chance) -> OrderSets:
    """The orders that count: the hosts', or random ones; for what the Alien controls, the Alien's (AU-4, AU-5)."""
    return _standing(position, hosts_orders(game, position, orders, chance), orders.get(ALIEN, ()))


def fill_on_trial(_game: Variant, position: Position, orders: OrderSets, _chance: Chance) -> OrderSets:
    """The same without random orders: units without a supposed order hold."""
    hosts = {power: orders[power] for power in POWERS if power in orders}
    return _standing(position, hosts, orders.get(ALIEN, ()))


def _standing(position: Position, hosts: OrderSets, alien: Sequence[Order]) -> OrderSets:
    """In Winter the Alien's orders come first, so that they count before hosts' orders that the Alien does not change.

    In other phases every unit has one order; the Alien's count for what the Alien controls (if a phase is played again,
    another unit may have been adopted).
    """
    if position.phase.kind is PhaseKind.ADJUSTMENT:
        return {ALIEN: tuple(alien), **hosts}
    retreating = position.phase.kind is PhaseKind.RETREAT
    layer = Layer.of(position)
    controlled = layer.dislodged if retreating else layer.units
    own = {unit: order for unit, order in by_unit(alien).items() if state.province_of(unit) in controlled}
    standing = by_unit(order for given in hosts.values() for order in given) | own
    stays = Disband if retreating else Hold
    complete: dict[Power, list[Order]] = {}
    for unit in position.to_order:
        complete.setdefault(unit.power, []).append(standing.get(unit) or stays(unit))
    return {power: tuple(given) for power, given in complete.items()}


# Adjudication


def resolve(game: Variant, position: Position, orders: Sequence[Order], _chance: Chance) -> Resolution:
    """The phase adjudicated; the second layer follows the units."""
    board = game.board(position)
    if position.phase.kind is PhaseKind.ADJUSTMENT:
        return _Winter(game, board, position).resolve(orders)
    if position.phase.kind is PhaseKind.RETREAT:
        found = resolve_retreats(board, position, orders)
    else:
        found = resolve_movement(board, game.rulebook, position.units, orders)
    if not Layer.is_known(position):
        return found
    layer = Layer.of(position).after(found)
    then = replace(position, units=found.units, contested=found.contested)
    alive = {state.province_of(d.unit) for d in found.dislodged if retreat_options(board, then, d)}
    kept = replace(layer, dislodged=layer.dislodged & alive)
    again = len(kept.hosts) > 1 and kept.since == position.phase.code  # the first adoption stays secret (AU-1, AU-11)
    return found._replace(extra=kept.extra, events=(*found.events, *([Event(HAS_BEGUN_AGAIN)] if again else ())))


class _Winter:
    """What is ordered for a centre or a unit that the Alien controls counts for the Alien, whoever ordered it."""

    def __init__(self, game: Variant, board: FiniteBoard, position: Position) -> None:
        self._game, self._board, self._position = game, board, position
        self._layer = Layer.of(position)
        self._left = {power: state.surplus(position, power) for power in (*POWERS, ALIEN)}
        self._occupied = {board.province(unit.at) for unit in position.units}
        self._built: list[Unit] = []
        self._removed: list[Unit] = []

    def resolve(self, orders: Sequence[Order]) -> Resolution:
        given_up = waives(o for o in orders if isinstance(o, Waive) and o.power == ALIEN)
        self._left[ALIEN] -= min(given_up, max(0, self._left[ALIEN]))
        for order in orders:
            if isinstance(order, Build):
                self._build(order.unit)
            elif isinstance(order, Disband):
                self._remove(order.unit)
        for power in (one for one in (ALIEN, *POWERS) if self._left[one] < 0):  # the Alien's centres are home (ST-6)
            left = [unit for unit in self._by_distance(power) if unit not in self._removed]
            self._removed += left[: -self._left[power]]
        units = tuple(unit for unit in self._position.units if unit not in self._removed)
        taken = frozenset(map(state.province_of, self._removed))
        built = {state.province_of(unit) for unit in self._built} & self._layer.centers
        layer = replace(self._layer, units=(self._layer.units - taken) | built)
        orders_made: list[Order] = [Build(unit) for unit in sorted(self._built, key=str)]
        orders_made += [Disband(unit) for unit in sorted(self._removed, key=str)]
        outcomes = tuple(Outcome(order, Result.SUCCEEDS) for order in orders_made)
        return Resolution(outcomes, (*units, *self._built), extra=layer.extra)

    def _build(self, unit: Unit) -> None:
        site = state.province_of(unit)
        account = ALIEN if site in self._layer.centers else unit.power
        if self._left[account] > 0 and site not in self._occupied and site in self._position.centers:
            self._left[account] -= 1
            self._occupied.add(site)
            self._built.append(unit)

    def _remove(self, unit: Unit) -> None:
        account = ALIEN if self._layer.has(unit) else unit.power
        if self._left[account] < 0 and unit in self._position.units and unit not in self._removed:
            self._left[account] += 1
            self._removed.append(unit)

    def _by_distance(self, power: Power) -> Sequence[Unit]:
        rulebook, board = self._game.rulebook, self._board
        if power != ALIEN:
            mine = removal_order(board, rulebook, self._position, power)
            return [unit for unit in mine if not self._layer.has(unit)]
        recoloured = {replace(unit, power=ALIEN): unit for unit in state.units_controlled(self._position)}
        alone = replace(self._position, units=tuple(recoloured))
        return [recoloured[unit] for unit in removal_order(board, rulebook, alone, ALIEN, self._layer.centers)]


# The end of a season


def end_of_season(game: Variant, position: Position, chance: Chance) -> SeasonEnd:
    """After Autumn centres are counted on both layers (AU-6). What cannot be supplied goes in Winter, the Alien's units
    as any other (AU-11)."""
    if not Layer.is_known(position):
        return STANDARD.end_of_season(game, position, chance)
    before = replace(Layer.of(position), dislodged=frozenset())
    position = replace(position, extra=before.extra)
    if position.phase.season is not Season.FALL:
        return SeasonEnd(position)
    end = count_centers(game.board(position), position)
    layer = replace(before, centers=_centers_after(game.board(position), position, before))
    event = Event(ALIENS_COUNT, {"centers": len(layer.centers)})
    counted = replace(end.position, extra=layer.extra)
    later = position.phase.year > FILE.begins.year  # than the first Autumn (AU-9, AU-11)
    return SeasonEnd(counted, end.count or SeasonCount(), (event,) if later else ())


def _centers_after(board: FiniteBoard, position: Position, layer: Layer) -> frozenset[Province]:
    """The Alien's centres: those under the Alien's units, and vacant ones that were the Alien's."""
    standing = {board.province(unit.at): layer.has(unit) for unit in position.units}
    taken = {p for p, aliens in standing.items() if aliens and board.is_center(p)}
    return frozenset(taken | {p for p in layer.centers if standing.get(p, True)})


def victory(position: Position) -> Victory | None:
    """Eighteen centres truly one's own; or for the Alien eighteen units, twelve of one nationality of which there are
    no others (AU-12).
    """
    return _by_true_centers(position, FILE.win) or _aliens_victory(position)


def victory_with(_game: Variant, position: Position, win: int) -> Victory | None:
    """With another number of centres for the powers; the Alien's victory stays the same (AU-14)."""
    return _by_true_centers(position, win) or _aliens_victory(position)


def _by_true_centers(position: Position, win: int) -> Victory | None:
    """The power that truly owns `win` centres, and more than any other power."""
    return leading({power: len(state.own_centers(position, power)) for power in POWERS}, win)


def survivors(_game: Variant, position: Position) -> tuple[Power, ...]:
    """The powers that truly have a unit, be it dislodged, or a centre, and the Alien, who cannot be eliminated (AU-11,
    AU-14)."""
    aliens = state.dislodged_controlled(position)
    retreating = {dislodged.unit.power for dislodged in position.dislodged if dislodged not in aliens}
    alive = (p for p in POWERS if state.own_units(position, p) or state.own_centers(position, p) or p in retreating)
    return (*alive, ALIEN)


def _aliens_victory(position: Position) -> Victory | None:
    mine = state.units_controlled(position)
    if len(mine) < UNITS_TO_WIN:
        return None
    for power in POWERS:
        alike = [unit for unit in mine if unit.power == power]
        if len(alike) >= OF_ONE_NATIONALITY and len(alike) == len(position.units_of(power)):
            return Victory((ALIEN,), NATIONALITY, {"units": len(mine), "power": power, "of_power": len(alike)})
    return None
