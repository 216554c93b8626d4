"""Who lacks orders is reminded before the deadline, as the game or the player has it. Every method raises Broken."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from gm.clock import parse_duration
from gm.games.snapshot import Game, Seat
from tests.simulation.faults import Broken
from tests.simulation.people import People
from tests.simulation.promises import Promise
from tests.simulation.rows import moment
from tests.simulation.world import World


class Reminding:
    """Knows since when each deadline is known, by the server's clock."""

    def __init__(self, world: World, people: People) -> None:
        self.world, self.people = world, people
        self._since: dict[int, datetime] = {}

    def is_set(self, deadline: int) -> None:
        """A deadline is new."""
        self._since[deadline] = self.world.server_clock()

    def passed(self, phase: int, game: Game, deadline: Any, seats: Sequence[Seat]) -> None:
        """A phase has ended at this deadline: those of the seats which had to order, and never had all orders, were
        reminded each time that came after the deadline had been set."""
        due, since = moment(deadline.due_at), self._since.get(deadline.id)
        if since is None or game.variant.review is not None:
            return
        sets = self.world.rows("SELECT seat_id, complete FROM order_set WHERE phase_id = :p", p=phase)
        complete = {row.seat_id for row in sets if row.complete}
        owed = self.world.rows("SELECT seat_id, kind FROM report_queue WHERE phase_id = :p", p=phase)
        reminded = {(row.seat_id, row.kind) for row in owed}
        for seat in seats:
            if seat.id in complete or seat.person is None or self._has_changed(seat):
                continue
            own = seat.person.remind or game.options.texts.get("reminder", "none")
            for lead in (parse_duration(one) for one in own.split(",") if own != "none"):
                at = due - lead
                if at <= since or (seat.joined_at is not None and seat.joined_at >= at):
                    continue
                self.world.checks(Promise.REMINDED)
                if (seat.id, f"reminder:{due:%s}:{at:%s}") not in reminded:
                    raise Broken(f"seat {seat.id} has no orders for phase {phase}, and was not reminded at {at}")

    def _has_changed(self, seat: Seat) -> bool:
        """Whether the holder of a seat has lately wished for other reminders."""
        mine = seat.person.addresses if seat.person is not None else ()
        return any(one.sender in mine and "remind=" in one.words for one in self.people.letters.values())
