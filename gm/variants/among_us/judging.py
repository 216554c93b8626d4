"""How a phase of this game is adjudicated: whose orders stand, whose builds are made, and what Autumn brings.

Outcomes carry nothing by which one could tell who ordered a unit: every unit has an order, in the order in which units
are listed, and of builds and removals only those that are made are there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gm.board import FiniteBoard, Power, Province
from gm.chance import Chance
from gm.judge.adjustments import removal_order
from gm.judge.movement import resolve_movement
from gm.judge.outcomes import Outcome, Resolution, Result
from gm.judge.retreats import resolve_retreats
from gm.orders import Build, Disband, Hold, Order, Waive
from gm.orders.possible import retreat_options
from gm.position import PhaseKind, Position, Season, Unit
from gm.turn import CENTERS, Event, SeasonCount, Victory, elimination
from gm.variants import OrderSets, SeasonEnd, Variant
from gm.variants.among_us.layers import (
    ALIEN,
    FIRST_YEAR,
    Layer,
    adoptable,
    adopted,
    must_adopt,
    own_centers,
    province_of,
    surplus,
    units_controlled,
)
from gm.variants.among_us.lots import Lots
from gm.variants.among_us.orders import Adopt, by_unit, waives
from gm.variants.standard import CENTERS_TO_WIN, POWERS, count_centers

UNITS_TO_WIN = 18
OF_ONE_NATIONALITY = 12

ALIENS_COUNT = "the Alien's count"
"""The event of an Autumn: the Alien owns so many `centers`."""

BEGINS_AGAIN = "the Alien begins again"
"""The event of an Autumn in which nothing was left to the Alien: the `units` removed."""

NATIONALITY = "nationality"
"""The Alien's victory: so many `units`, and among them all of one `power`, so many `of_power`."""


# Before and at the closing of the hosts' orders


def close(game: Variant, position: Position, orders: OrderSets, chance: Chance) -> Position:
    """The position once the hosts' orders are closed: with the Alien's choice of a host, or one by lot (AU-1)."""
    del game
    candidates = adoptable(position)
    if not must_adopt(position) or not candidates:
        return position
    named = [o.unit for o in orders.get(ALIEN, ()) if isinstance(o, Adopt) and o.unit in candidates]
    return adopted(position, named[-1] if named else chance.choose(candidates, position.phase.code, "adoption"))


def hosts_orders(game: Variant, position: Position, orders: OrderSets, chance: Chance) -> OrderSets:
    """What the hosts order: as they sent it, or by lot for those who had something to order and sent nothing."""
    board, duties = game.board(position), game.duties(position)
    every = {}
    for power in POWERS:
        if orders.get(power):
            every[power] = orders[power]
        elif power in duties:
            every[power] = Lots(board, position, power, chance).draw(game.needs(board, position, power))
    return every


def fill(game: Variant, position: Position, orders: OrderSets, chance: Chance) -> OrderSets:
    """The orders that stand: the hosts', or by lot; in their place the Alien's for what he controls (AU-4, AU-5).

    In Winter the Alien's come first, so that they count before what he lets stand.
    """
    position = close(game, position, orders, chance)
    hosts, alien = hosts_orders(game, position, orders, chance), orders.get(ALIEN, ())
    if position.phase.kind is PhaseKind.ADJUSTMENT:
        return {ALIEN: alien, **hosts}
    standing = by_unit(order for given in hosts.values() for order in given) | by_unit(alien)
    retreating = position.phase.kind is PhaseKind.RETREAT
    units = tuple(d.unit for d in position.dislodged) if retreating else position.units
    stays = Disband if retreating else Hold
    complete: dict[Power, list[Order]] = {}
    for unit in units:
        complete.setdefault(unit.power, []).append(standing.get(unit) or stays(unit))
    return {power: tuple(given) for power, given in complete.items()}


# Adjudication


def resolve(game: Variant, position: Position, orders: Sequence[Order], chance: Chance) -> Resolution:
    """The phase adjudicated; the second layer follows the units."""
    del chance
    board = game.board(position)
    if position.phase.kind is PhaseKind.ADJUSTMENT:
        return _Winter(game, board, position).resolve(orders)
    if position.phase.kind is PhaseKind.RETREAT:
        found = resolve_retreats(board, position, orders)
    else:
        found = resolve_movement(board, game.rulebook, position.units, orders)
    layer = Layer.of(position).after(found)
    then = replace(position, units=found.units, contested=found.contested)
    alive = {province_of(d.unit) for d in found.dislodged if retreat_options(board, then, d)}
    return found._replace(extra=replace(layer, dislodged=layer.dislodged & alive).extra)


class _Winter:
    """Builds and removals by true counts (AU-8).

    What is ordered for a centre or a unit that the Alien controls is on his account, whoever ordered it.
    """

    def __init__(self, game: Variant, board: FiniteBoard, position: Position) -> None:
        self._game, self._board, self._position = game, board, position
        self._layer = Layer.of(position)
        self._left = {power: surplus(position, power) for power in (*POWERS, ALIEN)}
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
        for power in (ALIEN, *POWERS):
            self._remove_by_rule(power)
        units = tuple(unit for unit in self._position.units if unit not in self._removed)
        taken = frozenset(map(province_of, self._removed))
        built = {province_of(unit) for unit in self._built} & self._layer.centers
        layer = replace(self._layer, units=(self._layer.units - taken) | built)
        orders_made: list[Order] = [Build(unit) for unit in sorted(self._built, key=str)]
        orders_made += [Disband(unit) for unit in sorted(self._removed, key=str)]
        outcomes = tuple(Outcome(order, Result.SUCCEEDS) for order in orders_made)
        return Resolution(outcomes, (*units, *self._built), extra=layer.extra)

    def _build(self, unit: Unit) -> None:
        site = province_of(unit)
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

    def _remove_by_rule(self, power: Power) -> None:
        """Removals that nobody named: the farthest from home first; the Alien's home are his centres (ST-6)."""
        due = -self._left[power]
        if due <= 0:
            return
        for unit in self._by_distance(power):
            if due and unit not in self._removed:
                self._removed.append(unit)
                due -= 1

    def _by_distance(self, power: Power) -> Sequence[Unit]:
        rulebook, board = self._game.rulebook, self._board
        if power != ALIEN:
            mine = removal_order(board, rulebook, self._position, power)
            return [unit for unit in mine if not self._layer.has(unit)]
        recoloured = {replace(unit, power=ALIEN): unit for unit in units_controlled(self._position)}
        alone = replace(self._position, units=tuple(recoloured))
        return [recoloured[unit] for unit in removal_order(board, rulebook, alone, ALIEN, self._layer.centers)]


# The end of a season


def end_of_season(game: Variant, position: Position, chance: Chance) -> SeasonEnd:
    """After Autumn centres are counted on both layers (AU-6); an Alien without any begins again (AU-11)."""
    del chance
    before = replace(Layer.of(position), dislodged=frozenset())
    position = replace(position, extra=before.extra)
    if position.phase.season is not Season.FALL:
        return SeasonEnd(position)
    end = count_centers(game.board(position), position)
    layer = replace(before, centers=_centers_after(game.board(position), position, before))
    events = _count_told(position, layer)
    counted = replace(end.position, extra=layer.extra)
    if not layer.centers and (before.centers or before.units):
        counted, lost = _without_units(counted, layer)
        events = (Event(BEGINS_AGAIN, {"units": [str(unit) for unit in lost]}),)
    return SeasonEnd(counted, end.count or SeasonCount(), (*events, *elimination(_fallen(position, counted))))


def _centers_after(board: FiniteBoard, position: Position, layer: Layer) -> frozenset[Province]:
    """The Alien's centres: those under his units, and vacant ones that were his."""
    standing = {board.province(unit.at): layer.has(unit) for unit in position.units}
    taken = {p for p, his in standing.items() if his and board.is_center(p)}
    return frozenset(taken | {p for p in layer.centers if standing.get(p, True)})


def _count_told(position: Position, layer: Layer) -> tuple[Event, ...]:
    """Every Autumn but the first, how many centres the Alien owns (AU-9)."""
    if position.phase.year <= FIRST_YEAR or not Layer.is_known(position):
        return ()
    return (Event(ALIENS_COUNT, {"centers": len(layer.centers)}),)


def _without_units(position: Position, layer: Layer) -> tuple[Position, tuple[Unit, ...]]:
    """The position without the Alien's units, which are many or none, and these."""
    lost = units_controlled(position)
    units = tuple(unit for unit in position.units if unit not in lost)
    return replace(position, units=units, extra=Layer(hosts=layer.hosts).extra), lost


def _fallen(before: Position, after: Position) -> tuple[Power, ...]:
    """The powers that are out, which is seen once the Alien's units are gone too."""
    alive = {*after.centers.values(), *(unit.power for unit in after.units)}
    had = {*before.centers.values(), *(unit.power for unit in before.units)}
    return tuple(power for power in POWERS if power in had - alive)


def victory(position: Position) -> Victory | None:
    """Eighteen centres truly one's own; or for the Alien eighteen units, twelve of one nationality of which there are
    none but his (AU-12).
    """
    for power in POWERS:
        owned = len(own_centers(position, power))
        if owned >= CENTERS_TO_WIN:
            return Victory((power,), CENTERS, {"owned": owned})
    mine = units_controlled(position)
    if len(mine) < UNITS_TO_WIN:
        return None
    for power in POWERS:
        his = [unit for unit in mine if unit.power == power]
        if len(his) >= OF_ONE_NATIONALITY and len(his) == len(position.units_of(power)):
            return Victory((ALIEN,), NATIONALITY, {"units": len(mine), "power": power, "of_power": len(his)})
    return None
