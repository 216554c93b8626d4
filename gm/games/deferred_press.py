"""Press that waits for the next report: who gets which letter, and how it is signed."""

from __future__ import annotations

from collections.abc import Collection

from gm.games.snapshot import Table
from gm.store import records
from gm.store.game_rows import PhaseRow, SeatRole, SeatRow

UNSIGNED = "somebody"


def signature(seat: SeatRow, manner: Collection[str]) -> str:
    """How press from this seat is signed; grey press is not."""
    if "grey" in manner:
        return UNSIGNED
    return {SeatRole.MASTER: "GM", SeatRole.OBSERVER: "an observer"}.get(seat.role) or seat.power or "a player"


def letters_for(table: Table, phase: PhaseRow, seat: SeatRow) -> tuple[tuple[str, str], ...]:
    """The postal press of a phase that goes to this seat, as heading and text, in the order it was written."""
    by_id = {one.id: one for one in table.seats}
    letters = []
    for press in records.press_of(table.session, table.game.id, phase.id):
        manner = (press.manner or "").split()
        sender = by_id.get(press.from_seat_id)
        if "postal" not in manner or sender is None or sender.id == seat.id or not _is_for(press.to, seat):
            continue
        to = ", ".join("all" if name == "ALL" else name for name in press.to)
        letters.append((f"Press from {signature(sender, manner)} to {to}", press.body))
    return tuple(letters)


def _is_for(to: Collection[str], seat: SeatRow) -> bool:
    return "ALL" in to or seat.power in to or ("GM" in to and seat.role is SeatRole.MASTER)
