"""The link to the page on which orders are tapped together (`order.html`); its fragment has all that the page needs.

The fragment is what stands behind the `#`: browsers send it to no server. It holds what the mail says and no more: the
phase, the units that the seat sees, and the lines that its units can be ordered, each as the seat could write it. The
page walks through these lines word by word. Those of the standard rules on the standard board it finds itself from the
units (`templates/gallery/order_rules.js`), so that only the lines in which a game differs stand in the fragment.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import takewhile
from typing import Any, NamedTuple

from gm.board import Location, Power, Province, TableBoard, UnitKind, standard_board
from gm.mail.message.mime import pack
from gm.maps.glyphs import Livery, palette
from gm.maps.scene import drawable, liveries_of
from gm.orders import Convoy, Disband, Order, Support, UnitName, power_of, unit_of
from gm.orders.notation import PRIVATE, Spelt, Wishes, write, write_unit, written_between
from gm.orders.possible import Duty, legal_builds, legal_orders, with_convoys
from gm.position import PhaseKind, Position, Unit, Units
from gm.store.rows import canonical_json
from gm.variants import Variant
from gm.views import View

LONGEST = 2000
"""Characters of a link. Internet Explorer took 2,083, and programs that follow it still cut or refuse longer ones."""

UTMOST = 8000
"""Of a link that has been shortened in vain, as in a sandbox with the lists of many powers: most programs take it."""

EDITION = 5
"""Of what a fragment says: a page of another edition says so."""

COLOURS = 40
"""So many colours of powers stand on the page, so that a link only says which."""

Keep = Callable[[Order], bool]


class Group(NamedTuple):
    """Lines of which the seat writes at most so many, below a title: a unit, or `Builds`. A line may be written as
    often as it is here. If `most` is 0, each is a wish: as many as the seat likes are written as one line.

    `without` is None where `lines` are all. Otherwise they stand beside those that the standard rules allow the unit,
    and `without` has those of the rules' lines that are not possible here. `verbs` and `places` are those of
    `lines`: what a short verb means, and where.
    """

    title: str
    most: int
    lines: tuple[str, ...]
    without: tuple[str, ...] | None = None
    verbs: tuple[tuple[str, str], ...] = ()
    places: tuple[Location, ...] = ()


class Heading(NamedTuple):
    """What stands above the orders: the game's name, and until when orders are accepted, in the reader's zone; "" if
    there is no deadline.
    """

    game: str = ""
    deadline: str = ""


NO_HEADING = Heading()


def order_link(
    page: str, game: Variant, view: View, powers: Sequence[Power], mailto: str, heading: Heading = NO_HEADING
) -> str:
    """The link to the page at the address `page` for the powers that the reader orders for; "" if they have nothing to
    order. `mailto`: the link that opens a mail to the seat.

    If it would be too long, supports and convoys of other powers' units are left out, then all supports and convoys
    that are listed; the page says so, and has room for lines to write. "" also if even that is longer than `UTMOST`.
    What it says is packed as zlib does (RFC 1950), with a checksum, so that the page knows a damaged link.
    """
    link = ""
    for keep in (_all, _of_own, _of_itself):
        groups = [
            group for power in powers for group in groups_of(game, view, power, several=view.seat != power, keep=keep)
        ]
        if not groups:
            return ""
        said = _told(view, powers, groups, mailto, heading) | ({"l": 1} if keep is not _all else {})
        link = f"{page}#{pack(canonical_json(said).encode())}"
        if len(link) <= LONGEST:
            break
    return link if len(link) <= UTMOST else ""


def _all(_: Order) -> bool:
    return True


def _of_own(order: Order) -> bool:
    helped = _helped(order)
    return helped is None or helped.power == power_of(order)


def _of_itself(order: Order) -> bool:
    return _helped(order) is None


def _helped(order: Order) -> Unit | None:
    match order:
        case Support(supported=Unit() as helped) | Convoy(convoyed=Unit() as helped):
            return helped
    return None


def groups_of(game: Variant, view: View, power: Power, *, several: bool = False, keep: Keep = _all) -> Iterator[Group]:
    """What the power can order in the phase of the view; `several`: the lines name it, as others' are beside them.
    `keep` says which of the listed lines there is room for.
    """
    duty, position = view.duties.get(power, Duty()), view.position
    named = f"{power}: " if several else ""
    if position.phase.kind is PhaseKind.ADJUSTMENT:
        yield from _adjustments(view, power, duty, named)
    offers, units = list(game.offered(game, position, power)), _ordered(view, duty)
    yield from () if several else _heads(view, units)
    for unit in units:
        legal = with_convoys(view.board, position, unit, game.legal_orders(view.board, position, unit, duty.need))
        more = [order for orders in offers for order in orders if unit_of(order) == unit]
        yield _of_unit(view, unit, (*legal, *more), named, keep)
    for number, orders in enumerate(offers, 1):
        apart = [order for order in orders if unit_of(order) not in units and not _is_removal(view, order)]
        if apart:
            yield _listed(f"{named}{_title(apart) or f'More {number}'}", 1, apart, named)


def _heads(view: View, units: Sequence[Unit]) -> Iterator[Group]:
    """The lines that stand above a list of orders and say that it is whole; before these orders, as they are mailed."""
    for head in dict.fromkeys(view.lists[unit.at] for unit in units if unit.at in view.lists):
        yield Group(head, 1, (head,))


def _ordered(view: View, duty: Duty) -> tuple[Unit, ...]:
    """The units that need an order each: in an adjustment phase they are only removed, and counted."""
    return () if view.position.phase.kind is PhaseKind.ADJUSTMENT else duty.units


def _is_removal(view: View, order: Order) -> bool:
    return view.position.phase.kind is PhaseKind.ADJUSTMENT and isinstance(order, Disband)


def _adjustments(view: View, power: Power, duty: Duty, named: str) -> Iterator[Group]:
    count = duty.need.count or (len(duty.need.sites) if duty.offer else 0)
    if builds := legal_builds(view.board, power, replace(duty.need, count=count)):
        yield _listed(f"{named}Builds", count, builds, named)
    if count < 0:
        yield _listed(f"{named}Removals", -count, map(Disband, duty.removable), named)


def _listed(title: str, most: int, orders: Iterable[Order], named: str) -> Group:
    shown = tuple(orders)
    return _group(title, most, (f"{named}{write(order)}" for order in shown), None, shown)


def _group(
    title: str, most: int, lines: Iterable[str], without: tuple[str, ...] | None, orders: Collection[Order]
) -> Group:
    if any(isinstance(order, Wishes) for order in orders):
        most = 0
    words = _words(orders)
    return Group(title, most, tuple(lines), without, tuple(words.verbs), tuple(words.places))


def _title(orders: Sequence[Order]) -> str:
    """The unit that all of these are for, or the verb with which they all begin."""
    units = {unit_of(order) for order in orders}
    unit = units.pop()
    if unit is not None and not units:
        return write_unit(unit)
    verbs = {write(order).split(" ")[0] for order in orders}
    verb = verbs.pop()
    return "" if verbs or len(verb) == 1 else verb


def _of_unit(view: View, unit: Unit, orders: Sequence[Order], named: str, keep: Keep) -> Group:
    usual = _usual_lines(view, unit)
    lines = dict.fromkeys(map(write, orders))
    kept = tuple(order for order in orders if write(order) not in usual and keep(order))
    more = tuple(dict.fromkeys(map(write, kept)))
    without = tuple(line for line in usual if line not in lines)
    if usual and len(more) + len(without) < len(lines):
        return _group(write_unit(unit), 1, more, without, kept)
    listed = dict.fromkeys(map(write, filter(keep, orders)))
    return _group(f"{named}{write_unit(unit)}", 1, (f"{named}{line}" for line in listed), None, orders)


class _Words:
    """A pen that only remembers: each word that is short for others, and the places."""

    def __init__(self) -> None:
        self.verbs: dict[tuple[str, str], None] = {}
        self.places: dict[Location, None] = {}

    def unit(self, unit: Unit | UnitName) -> str:
        return self.place(unit.at)

    def place(self, at: Location) -> str:
        self.places[at] = None
        return ""

    def verb(self, brief: str, full: str) -> str:
        both = zip(written_between(brief), written_between(full), strict=True)
        for word, said in both:
            if " " not in word and word.lower() != said.lower():
                self.verbs[word, said] = None
        return ""


def _meanings(verbs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """What each short verb means; of several meanings, the words with which all begin."""
    found: dict[str, str] = {}
    for brief, full in verbs:
        pairs = zip(found.get(brief, full).split(), full.split(), strict=False)
        found[brief] = " ".join(word for word, _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    return found


def _words(orders: Iterable[Order]) -> _Words:
    pen = _Words()
    for order in orders:
        if isinstance(order, Spelt):
            order.spell(pen)
        else:
            write(order, pen.place)
    return pen


# what the standard rules allow


def _usual_lines(view: View, unit: Unit) -> dict[str, None]:
    """The lines that the page finds for the unit by itself; none for a unit that is not on the standard board."""
    position = view.position
    if not drawable(view) or position.phase.kind is PhaseKind.RETREAT:
        return {}
    board = _board_without(_gone(view))
    if not _is_usual(board, unit):
        return {}
    units = Units(other for other in position.units if _is_usual(board, other))
    moving = _movement(position, units)
    return dict.fromkeys(map(write, with_convoys(board, moving, unit, legal_orders(board, moving, unit))))


def _movement(position: Position, units: Units) -> Position:
    return replace(position, phase=replace(position.phase, kind=PhaseKind.MOVEMENT), units=units)


def _is_usual(board: TableBoard, unit: Unit) -> bool:
    return board.exists(unit.at) and board.may_stand(unit.kind, unit.at)


def _gone(view: View) -> tuple[Province, ...]:
    """The provinces of the standard board that this one has no more, and those that the map shows as gone."""
    painted = {mark.province for mark in view.marks if mark.emblem.ground.paint}
    left = set(view.board.provinces) - painted
    return tuple(province for province in standard_board().provinces if province not in left)


@lru_cache(maxsize=64)
def _board_without(gone: tuple[Province, ...]) -> TableBoard:
    return standard_board().without(gone) if gone else standard_board()


# the fragment


def _told(view: View, seats: Sequence[Power], groups: Sequence[Group], mailto: str, heading: Heading) -> dict[str, Any]:
    """What the page is told, with short keys."""
    position = view.position
    shown: dict[str, Any] = {
        "v": EDITION,
        "m": mailto,
        "t": heading.game,
        "e": heading.deadline,
        "k": position.phase.code,
        "y": str(view.seat) if view.seat in seats else "",
        "g": [_lined(group) for group in groups],
        "n": _names(view, seats, groups),
        "w": _meanings(pair for group in groups for pair in group.verbs),
        "z": _kinds(view, seats),
        "o": {at.partition(PRIVATE)[0]: head for at, head in view.lists.items() if view.seat in seats},
    }
    if not drawable(view):
        return shown
    colours, powers = liveries_of(view), view.powers
    units = {power: [f"{u.kind} {u.at}" for u in position.units if u.power == power] for power in powers}
    owned = {power: [at for at, owner in position.centers.items() if owner == power] for power in powers}
    return shown | {
        "p": [_coloured(power, colours[power], number) for number, power in enumerate(powers)],
        "u": [",".join(units[power]) for power in powers],
        "d": [[powers.index(d.unit.power), f"{d.unit.kind} {d.unit.at}"] for d in position.dislodged],
        "c": [",".join(owned[power]) for power in powers],
        "x": ",".join(_gone(view)),
        "a": _marks(view),
        **_free(view),
        **_partly(view),
    }


def _free(view: View) -> dict[str, str]:
    """The neutral centres, where they are not simply the others of the standard board."""
    taken, gone = view.position.centers, _gone(view)
    usual, there = (
        [at for at in board.centers if at not in taken and at not in gone] for board in (standard_board(), view.board)
    )
    return {} if sorted(usual) == sorted(there) else {"s": ",".join(there) or ","}


def _partly(view: View) -> dict[str, list[int]]:
    """The powers of which only a part may be in sight, so that nothing of them is counted."""
    powers = [number for number, power in enumerate(view.powers) if power not in view.counted]
    return {"f": powers} if powers else {}


def _marks(view: View) -> list[list[object]]:
    """What only this game has on its map: the legend's text, whose it is (-1: neutral), and where."""
    found: dict[tuple[str, int], list[str]] = {}
    for mark in view.marks:
        whose = view.powers.index(mark.power) if mark.power in view.powers else -1
        found.setdefault((mark.emblem.meaning, whose), []).append(mark.province)
    return [[meaning, whose, ",".join(places)] for (meaning, whose), places in found.items()]


def _kinds(view: View, seats: Sequence[Power]) -> dict[str, str]:
    """The words for kinds of units that only this game has."""
    units = [unit for power in seats for unit in view.duties.get(power, Duty()).units]
    kinds = dict.fromkeys((*view.art.units, *(unit.kind for unit in units)))
    return {str(kind): kind.word.capitalize() for kind in kinds if kind not in (UnitKind.ARMY, UnitKind.FLEET)}


def _lined(group: Group) -> list[object]:
    listed: list[object] = [group.title, group.most, group.lines]
    return listed if group.without is None else [*listed, group.without]


def _names(view: View, seats: Sequence[Power], groups: Iterable[Group]) -> dict[str, str]:
    """The full names of places that the page does not know: where the reader's units are, and what the lines name.
    Numbered places have one name: `ar#` is `Ares `, so `ar7` is `Ares 7`.
    """
    usual = standard_board()
    places = [unit.at for power in seats for unit in view.duties.get(power, Duty()).units]
    places += [at for group in groups for at in group.places]
    unknown = (at for at in places if not usual.exists(at) and view.board.exists(at))
    return dict(_stem(at.partition(PRIVATE)[0], view.board.full_name(at)) for at in unknown)


def _stem(at: str, name: str) -> tuple[str, str]:
    stem = at.rstrip("0123456789")
    number = at.removeprefix(stem)
    return (f"{stem}#", name.removesuffix(number)) if number and name.endswith(number) else (at, name)


def _coloured(power: Power, livery: Livery, number: int) -> list[object]:
    """A power's name, its letters (or how many of the name's), and its colour unless it is the next on the page."""
    letters = len(livery.tag) if power.startswith(livery.tag) else livery.tag
    usual = palette(COLOURS)
    if number < len(usual) and usual[number] == livery.strong:
        return [power, letters]
    return [power, letters, usual.index(livery.strong) if livery.strong in usual else livery.strong[1:]]
