"""Press: its signature, who wants it, and postal press."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from gm.games.snapshot import Game, Seat
from gm.store.game_rows import SeatRole
from gm.store.records import PressRow

UNSIGNED = "somebody"


def signature(seat: Seat, manner: Collection[str]) -> str:
    """How press from this seat is signed; grey press is not."""
    if "grey" in manner:
        return UNSIGNED
    return {SeatRole.MASTER: "GM", SeatRole.OBSERVER: "an observer"}.get(seat.role) or seat.power or "a player"


def deferred_press(written: Iterable[PressRow], game: Game, seat: Seat) -> tuple[tuple[str, str], ...]:
    """Of what was written in a phase the postal press for this seat, as heading and text, in the same order."""
    by_id = {one.id: one for one in game.seats}
    letters = []
    for press in written:
        manner = (press.manner or "").split()
        sender = by_id.get(press.from_seat_id)
        if "postal" not in manner or sender is None or not is_for(press.to, seat):
            continue
        if sender.id == seat.id or does_not_want(seat, sender):
            continue
        to = ", ".join("all" if name == "ALL" else name for name in press.to)
        letters.append((f"Press from {signature(sender, manner)} to {to}", press.body))
    return tuple(letters)


def does_not_want(reader: Seat, sender: Seat) -> bool:
    """Whether the reader has stopped press from whoever holds this seat; a gamemaster's is always read."""
    return sender.role is not SeatRole.MASTER and sender.person is not None and sender.person.id in reader.muted


def is_for(to: Collection[str], seat: Seat) -> bool:
    """Whether press to these powers goes to this seat."""
    return "ALL" in to or seat.power in to or ("GM" in to and seat.role is SeatRole.MASTER)
