"""Legality: from an order as a player wrote it to an order as understood, or an error that says what to write (ST-8).

Only orders that can never succeed in this position are refused; an order that another player's order could make succeed
is accepted. The only possible coast is filled in; if there are two, the player is asked (DATC 4.B, 6.B). A variant
understands its own kinds of orders.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gm.board import Board, Location, Power, Province, Travel
from gm.errors import Ambiguous, IllegalOrder
from gm.orders import (
    Build,
    Convoy,
    Declaration,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    Support,
    UnitName,
    Waive,
    WrittenOrder,
)
from gm.orders.notation import short, write_unit
from gm.orders.possible import (
    NOTHING,
    Barred,
    Need,
    barred,
    fleets_at_sea,
    legal_orders,
    may_be_convoyed,
    may_help,
    may_retreat,
    more_refuges,
    reaches,
    retreat_options,
    steps_into,
    units_by_province,
)
from gm.position import Dislodged, PhaseKind, Position, Unit

__all__ = ["any_unit", "legal_orders", "may_go_to", "own_unit", "understand"]


def understand(board: Board, position: Position, power: Power, written: WrittenOrder, need: Need = NOTHING) -> Order:
    """The order as `power` means it in this position. `need` is its builds or removals in an adjustment phase.

    Raises IllegalOrder when the order can never succeed, Ambiguous when it could mean two things.
    """
    match position.phase.kind:
        case PhaseKind.RETREAT:
            return _in_retreat(board, position, power, written)
        case PhaseKind.ADJUSTMENT:
            return _in_adjustment(board, position, power, written, need)
        case _:
            return _in_movement(board, position, power, written)


# Movement


def _in_movement(board: Board, position: Position, power: Power, written: WrittenOrder) -> Order:
    match written:  # the commonest first
        case Move():
            return _move(board, position, own_unit(board, position.units, power, written.unit), written)
        case Support():
            return _support(board, position, own_unit(board, position.units, power, written.unit), written)
        case Hold():
            return Hold(own_unit(board, position.units, power, written.unit))
        case Convoy():
            return _convoy(board, position, own_unit(board, position.units, power, written.unit), written)
        case Retreat():
            raise IllegalOrder(
                "No unit retreats in this phase; it is a movement phase.",
                f"To move, write {_called(written.unit)}-{short(written.to)}.",
            )
        case Disband():
            raise IllegalOrder(
                "No unit is disbanded in this phase; it is a movement phase.",
                f"To stay, write {_called(written.unit)} H.",
            )
    raise IllegalOrder("There are no builds in this phase; it is a movement phase.", "Order your units to move.")


def _move(board: Board, position: Position, unit: Unit, written: Move[UnitName]) -> Move[Unit]:
    target = board.province(written.to)
    if target == board.province(unit.at):
        raise IllegalOrder(
            f"{write_unit(unit)} is in {short(Location(target))} already.",
            f"To keep it there, write {write_unit(unit)} H.",
        )
    if unit.kind.travel is not Travel.LAND:
        if written.route:
            steps = "-".join(map(short, (*written.route, written.to)))
            raise IllegalOrder(
                f"{write_unit(unit)}-{steps} is more than one move: a fleet moves to one place.",
                may_go_to(board, unit),
            )
        return Move(unit, _coast(board, unit, written.to))
    to = Location(target)
    by_land = board.may_step(unit.kind, unit.at, to)
    if not by_land and not board.may_stand(unit.kind, to):
        raise IllegalOrder(f"{write_unit(unit)} cannot go to {short(to)}: it is at sea.", may_go_to(board, unit))
    for stop in written.route:
        if stop not in fleets_at_sea(board, position.units):
            at_sea = not board.may_stand(unit.kind, Location(board.province(stop)))
            why = "no fleet is there to convoy it" if at_sea else "an army goes to one province, or by convoy over sea"
            raise IllegalOrder(f"{write_unit(unit)} cannot go over {short(stop)}: {why}.", may_go_to(board, unit))
    carried = (not by_land or written.via_convoy) and may_be_convoyed(
        board, fleets_at_sea(board, position.units), board.province(unit.at), target
    )
    if not by_land and not carried:
        raise IllegalOrder(
            f"{write_unit(unit)} cannot get to {short(to)}: it does not border {short(unit.at)}, and there is no chain "
            "of fleets at sea to convoy it.",
            may_go_to(board, unit),
        )
    return Move(unit, to, written.via_convoy and carried, written.route)


def _support(board: Board, position: Position, unit: Unit, written: Support[UnitName]) -> Support[Unit]:
    supported = any_unit(board, position.units, written.supported)
    if supported == unit:
        raise IllegalOrder(
            f"{write_unit(unit)} cannot support itself.", f"To keep it there, write {write_unit(unit)} H."
        )
    there = board.province(supported.at)
    if written.to is None:
        if not reaches(board, unit, there):
            raise IllegalOrder(
                f"{write_unit(unit)} cannot support {write_unit(supported)}: {write_unit(unit)} could not move there.",
                may_go_to(board, unit),
            )
        return Support(unit, supported)
    to, target = written.to, board.province(written.to)
    if target == there:
        raise IllegalOrder(
            f"{write_unit(supported)} is in {short(Location(there))} already; it cannot be supported to move there.",
            f"To support it where it is, write {write_unit(unit)} S {write_unit(supported)}.",
        )
    if not reaches(board, unit, target):
        raise IllegalOrder(
            f"{write_unit(unit)} cannot support into {short(Location(target))}: it could not move there.",
            may_go_to(board, unit),
        )
    by_land = supported.kind.travel is Travel.LAND
    if by_land:
        to = Location(target)
    ways = steps_into(board, supported, target)
    convoyed = not ways and by_land and board.may_stand(supported.kind, to)
    if not ways and not (convoyed and may_be_convoyed(board, fleets_at_sea(board, position.units), there, target)):
        raise IllegalOrder(
            f"{write_unit(unit)} cannot support {write_unit(supported)} to {short(to)}: {write_unit(supported)} cannot "
            "get there.",
            f"To support it where it is, write {write_unit(unit)} S {write_unit(supported)}.",
        )
    if ways and to not in ways and to != Location(target):
        raise IllegalOrder(
            f"{write_unit(unit)} cannot support {write_unit(supported)} to {short(to)}: {write_unit(supported)} cannot "
            "get to that coast.",
            f"Write {write_unit(unit)} S {write_unit(supported)}-{short(ways[0])}.",
        )
    return Support(unit, supported, to)


def _convoy(board: Board, position: Position, unit: Unit, written: Convoy[UnitName]) -> Convoy[Unit]:
    """A convoy of an army by a fleet at sea, and of nothing else (ST-13)."""
    if not unit.kind.convoys:
        raise IllegalOrder(f"{write_unit(unit)} cannot convoy: only fleets can.")
    if not board.can_convoy(unit.at):
        raise IllegalOrder(
            f"{write_unit(unit)} cannot convoy: it is in port, and only fleets at sea convoy.", may_go_to(board, unit)
        )
    army = any_unit(board, position.units, written.convoyed)
    if army.kind.travel is not Travel.LAND:
        raise IllegalOrder(f"{write_unit(unit)} cannot convoy {write_unit(army)}: only armies are convoyed.")
    origin, target = board.province(army.at), board.province(written.to)
    to = Location(target)
    if origin == target or not board.may_stand(army.kind, to):
        raise IllegalOrder(f"{write_unit(army)} cannot be convoyed to {short(to)}.")
    if not may_help(board, fleets_at_sea(board, position.units), unit.at, origin, target):
        raise IllegalOrder(
            f"{write_unit(unit)} cannot help to convoy {write_unit(army)} to {short(to)}: with the present "
            "fleets, no route needs it."
        )
    return Convoy(unit, army, to)


def _coast(board: Board, unit: Unit, to: Location) -> Location:
    """The exact location a fleet moves to: the coast it named, or the only one it can reach (DATC 4.B.1 to 4.B.3)."""
    target = board.province(to)
    coasts = steps_into(board, unit, target)
    if not coasts:
        raise IllegalOrder(
            f"{write_unit(unit)} cannot go to {short(to)}: it is not adjacent for a {unit.kind.word}.",
            may_go_to(board, unit),
        )
    return _one_of(coasts, target, to, f"{write_unit(unit)}-")


def _one_of(coasts: Sequence[Location], target: Province, to: Location, prefix: str) -> Location:
    if to in coasts:
        return to
    choices = _listed([prefix + short(coast) for coast in coasts], "or")
    if to != Location(target):
        raise IllegalOrder(f"{prefix}{short(to)} is not possible: that coast cannot be reached.", f"Write {choices}.")
    if len(coasts) > 1:
        raise Ambiguous(f"{prefix}{short(to)}: which coast?", f"Write {choices}.")
    return coasts[0]


# Retreats


def _in_retreat(board: Board, position: Position, power: Power, written: WrittenOrder) -> Order:
    if isinstance(written, Declaration):
        raise IllegalOrder("There are no builds in this phase; it is a retreat phase.")
    dislodged = _dislodged(board, position, power, written.unit)
    unit, name = dislodged.unit, write_unit(dislodged.unit)
    options = retreat_options(board, position, dislodged)
    choices = [f"{name} R {short(at)}" for at in options] + [f"{name} disband"]
    if more := more_refuges(board, position, dislodged):
        choices.insert(-1, f"{name} R to {more}")
    match written:
        case Disband():
            return Disband(unit)
        case Move() | Retreat():
            target = board.province(written.to)
            places = steps_into(board, unit, target) or [Location(target)]
            open_coasts = [at for at in places if may_retreat(board, position, dislodged, at)]
            if not open_coasts:
                raise IllegalOrder(
                    _why_barred(board, position, dislodged, written.to), f"Write {_listed(choices, 'or')}."
                )
            to = Location(target) if unit.kind.travel is Travel.LAND else written.to
            return Retreat(unit, _one_of(open_coasts, target, to, f"{name} R "))
    raise IllegalOrder(f"{name} is dislodged: it can only retreat or disband.", f"Write {_listed(choices, 'or')}.")


def _dislodged(board: Board, position: Position, power: Power, name: UnitName) -> Dislodged:
    mine = position.dislodged_of(power)
    units = [d.unit for d in mine]
    there = board.province(name.at)
    if not any(board.province(unit.at) == there for unit in units):
        listed = _listed([write_unit(unit) for unit in units], "and") if units else "You have none."
        raise IllegalOrder(
            f"{_called(name)} was not dislodged; only dislodged units have orders in a retreat phase.",
            f"Yours: {listed}." if units else listed,
        )
    unit = own_unit(board, units, power, name)
    return next(d for d in mine if d.unit == unit)


def _why_barred(board: Board, position: Position, dislodged: Dislodged, to: Location) -> str:
    name, target = write_unit(dislodged.unit), board.province(to)
    places = steps_into(board, dislodged.unit, target) or [to]
    place = short(to)
    match barred(board, position, dislodged, places[0]):
        case Barred.OCCUPIED:
            return f"{name} cannot retreat to {place}: it is occupied."
        case Barred.FULL:
            return f"{name} cannot retreat to {place}: it holds as many units as it can."
        case Barred.NO_REFUGE:
            return f"{name} cannot retreat to {place}: the rules of this game do not allow it."
        case Barred.ATTACKER:
            return f"{name} cannot retreat to {place}: its attacker came from there."
        case Barred.CONTESTED:
            return f"{name} cannot retreat to {place}: units bounced there."
    return f"{name} cannot retreat to {place}: it is not adjacent."


# Adjustments


def _in_adjustment(board: Board, position: Position, power: Power, written: WrittenOrder, need: Need) -> Order:
    match written:
        case Build():
            return _build(board, position, power, written, need)
        case Waive():
            if need.count <= 0:
                raise IllegalOrder("You have no build to waive.")
            return Waive(power)
        case Disband():
            if need.count >= 0:
                raise IllegalOrder("You have no unit to remove.", "Send no order for it." if not need.count else "")
            return Disband(own_unit(board, position.units, power, written.unit))
    raise IllegalOrder("Units do not move in this phase; there are only builds and removals.", _what_is_due(need))


def _build(board: Board, position: Position, power: Power, written: Build[UnitName], need: Need) -> Build[Unit]:
    site = board.province(written.unit.at)
    place = short(Location(site))
    if need.count <= 0:
        raise IllegalOrder("You have nothing to build.", _what_is_due(need))
    if site not in need.sites:
        raise IllegalOrder(_why_no_site(board, position, power, site, need), _what_is_due(need))
    coasts = board.coasts(site)
    open_to_it = [kind for kind in need.kinds if coasts or kind.travel is not Travel.SEA]
    choices = _listed([f"Build {kind} {place}" for kind in open_to_it], "or")
    kind = written.unit.kind
    if kind is None:
        if len(open_to_it) > 1:
            raise Ambiguous(f"Build {place}: {_listed([kind.word for kind in open_to_it], 'or')}?", f"Write {choices}.")
        kind = open_to_it[0]
    if kind not in need.kinds:
        raise IllegalOrder(f"No {kind.word} can be built now.", f"Write {choices}.")
    if kind.travel is not Travel.SEA:
        return Build(Unit(power, kind, Location(site)))
    if not coasts:
        raise IllegalOrder(f"No {kind.word} can be built in {place}: it has no coast.", f"Write {choices}.")
    return Build(Unit(power, kind, _one_of(coasts, site, written.unit.at, f"Build {kind} ")))


def _why_no_site(board: Board, position: Position, power: Power, site: Province, need: Need) -> str:
    """Why a power cannot build there: what lasts before what may pass."""
    place = short(Location(site))
    if not board.is_center(site):
        return f"You cannot build in {place}: it is not a supply centre."
    if position.centers.get(site) != power:
        return f"You cannot build in {place}: you do not own it."
    at_home = bool(need.sites) and all(board.home(one) == power for one in need.sites)
    if (not at_home or board.home(site) == power) and any(board.province(unit.at) == site for unit in position.units):
        return f"You cannot build in {place}: there is a unit in it."
    return f"You cannot build in {place}: it is not one of your home centres."


def _what_is_due(need: Need) -> str:
    if need.count > 0:
        sites = _listed([short(Location(site)) for site in sorted(need.sites)], "and")
        if need.wishes:
            return (
                f"You can name builds in {sites}, the first wish first; as many are made as you are due, perhaps none."
            )
        return f"You may build {need.count}; you can build in: {sites}."
    if need.count < 0:
        return f"You must remove {-need.count}."
    return "You have no builds or removals."


# Units


_MOST_NAMED = 20


def own_unit(board: Board, units: Iterable[Unit], power: Power, name: UnitName) -> Unit:
    """The power's unit that `name` means. Raises IllegalOrder if it has no such unit."""
    try:
        unit = any_unit(board, units, name, power)
    except IllegalOrder as error:
        mine = sorted(write_unit(unit) for unit in units if unit.power == power)
        if error.remedy or not 0 < len(mine) <= _MOST_NAMED:
            raise
        raise IllegalOrder(error.problem, f"{power} has {_listed(mine, 'and')}.") from None
    if unit.power != power:
        raise IllegalOrder(f"{write_unit(unit)} is {unit.power}'s; you order {power}'s units.")
    return unit


def any_unit(board: Board, units: Iterable[Unit], name: UnitName, preferred: Power | None = None) -> Unit:
    """The unit that `name` means, of any power. Its coast need not be right (DATC 6.B.10, 6.B.16).

    Raises IllegalOrder when there is none, or the unit there is of another kind or another power.
    """
    there = board.province(name.at)
    found = units_by_province(board, units).get(there)
    if not found:
        raise IllegalOrder(f"There is no unit in {short(Location(there))}.")
    unit = found[0] if len(found) == 1 else _meant(found, name, preferred)
    if name.kind is not None and unit.kind != name.kind:
        raise IllegalOrder(
            f"There is no {name.kind.word} in {short(Location(there))}; the unit there is {write_unit(unit)}.",
            f"If you mean it, write {write_unit(unit)}." if preferred in (None, unit.power) else "",
        )
    if name.power is not None and unit.power != name.power:
        raise IllegalOrder(f"{write_unit(unit)} is {unit.power}'s, not {name.power}'s.")
    return unit


def _meant(there: Iterable[Unit], name: UnitName, preferred: Power | None) -> Unit:
    """Of several units in one place the first of the power and the kind that `name` says, the power before the kind."""
    return min(there, key=lambda unit: (unit.power != (name.power or preferred), unit.kind != name.kind))


def _called(name: UnitName) -> str:
    """The unit as the player named it."""
    return f"{name.kind} {short(name.at)}" if name.kind else short(name.at)


def may_go_to(board: Board, unit: Unit) -> str:
    """Where the unit could move, as a sentence; "" for nowhere."""
    places = [*(short(at) for at in board.neighbours(unit.kind, unit.at)), board.more(unit.kind, unit.at)]
    places = list(filter(None, places))
    return f"It can go to {_listed(places, 'or')}." if places else ""


def _listed(parts: Sequence[str], word: str) -> str:
    """`a, b or c`."""
    return f" {word} ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))
