"""Supply centres by power: counts, gains and losses, builds and removals due, eliminations, and the final ranking."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from gm.board import Location, Power, Province
from gm.orders.possible import NOTHING
from gm.position import PhaseKind
from gm.reports.words import listed
from gm.turn import SeasonCount, Turn
from gm.views import View

Row = tuple[str, ...]


def center_table(view: View, count: SeasonCount | None, *, over: bool) -> tuple[Row, ...]:
    """A head, and for every power with a centre or a unit, now or before this count: centres, units, Winter's work."""
    counted = count or SeasonCount()
    if not view.position.centers and not counted.lost:
        return (("Nobody owns a supply centre yet.",),)
    rows = [row for power in view.powers if (row := _center_row(view, counted, power))]
    width = 4 if view.position.phase.kind is PhaseKind.ADJUSTMENT and view.needs and not over else 3
    return tuple(row[:width] for row in [("Power", "Centres", "Units", "Winter"), *rows])


def _center_row(view: View, count: SeasonCount, power: Power) -> Row:
    owned, gained, lost = view.position.centers_of(power), count.gained.get(power, ()), count.lost.get(power, ())
    units = unit_count(view, power)
    if not (owned or lost or units):
        return ()
    change = len(gained) - len(lost)
    return (
        power,
        f"{len(owned):2}" + (f" ({change:+d})" if change else ""),
        f"{units:2}",
        winter(view, power),
    )


def unit_count(view: View, power: Power) -> int:
    """The power's units, dislodged ones among them."""
    units = (*view.position.units_of(power), *(d.unit for d in view.position.dislodged_of(power)))
    return sum(unit.kind.pieces for unit in units)


def winter(view: View, power: Power) -> str:
    """What the power builds or removes now: `builds 2`, `builds 1 of 3` where home centres are lacking, `removes 1`."""
    if view.position.phase.kind is not PhaseKind.ADJUSTMENT or not view.needs:
        return ""
    need = view.needs.get(power, NOTHING).count
    if need < 0:
        return f"removes {-need}"
    duty = view.duties.get(power)
    if duty is not None and duty.offer:
        return duty.things
    surplus = len(view.position.centers_of(power)) - unit_count(view, power)
    if need > 0:
        return f"builds {need}" + (f" (of {surplus}: no more free {view.site}s)" if surplus > need else "")
    return f"no free {view.site}" if surplus > 0 else "-"


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


def owners(view: View) -> tuple[Row, ...]:
    """Each power with the names of its centres, and the centres nobody owns."""
    owned = {power: view.position.centers_of(power) for power in view.powers}
    free = [province for province in view.board.centers if province not in view.position.centers]
    rows = [(str(power), ", ".join(_names(view, provinces))) for power, provinces in owned.items() if provinces]
    return (*rows, ("Unowned", ", ".join(_names(view, free)))) if free else tuple(rows)


def _names(view: View, provinces: Iterable[Province]) -> list[str]:
    return sorted(view.board.full_name(Location(province)) for province in provinces)


def eliminations(turn: Turn) -> str:
    """A sentence on the powers that are out, or ""."""
    out = turn.eliminated
    return f"{listed(out)} {'is' if len(out) == 1 else 'are'} eliminated, without a centre or a unit." if out else ""


def standings(view: View, players: Mapping[Power, str]) -> tuple[Row, ...]:
    """A head, and every power with its player and its centres, most first: the summary of a game that is over."""
    counts = {power: len(view.position.centers_of(power)) for power in view.powers}
    ranked = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    rows = [(str(power), f"{centers:2}", players.get(power, "")) for power, centers in ranked]
    return (("Power", "Centres", "Player"), *rows)
