"""What mails of the server's say: the orders that are in force, no reminder of what is there, no seed before its time.
Every function raises Broken."""

from __future__ import annotations

from typing import Any

from gm.orders import order_from_json
from gm.orders.notation import write
from tests.simulation.endings import said
from tests.simulation.faults import Broken
from tests.simulation.promises import Promise
from tests.simulation.rows import value
from tests.simulation.world import World


class Contents:
    """Looks at each mail of the server's when it is queued."""

    def __init__(self, world: World) -> None:
        self.world = world

    def queued(self, row: Any, raw: bytes) -> None:
        """A mail of ours that is new."""
        self._seeds(row, raw)
        kind, *about = row.purpose.split(":")
        if kind == "receipt" and about[-1].isdecimal():
            self._receipt(row, int(about[-1]), raw)
        elif kind == "reminder" and about[-1].isdecimal():
            self._reminder(row, int(about[-2]), int(about[-1]))

    def _seeds(self, row: Any, raw: bytes) -> None:
        plain = raw.replace(b"=\r\n", b"").replace(b"=\n", b"")
        for game in self.world.rows("SELECT name, seed FROM game WHERE state IN ('forming', 'running')"):
            self.world.checks(Promise.SEEDS)
            if game.seed.encode() in plain:
                raise Broken(f"{row.purpose} to {row.recipient} tells the seed of {game.name}, which is not over")

    def _receipt(self, row: Any, mail: int, raw: bytes) -> None:
        """The receipt of orders has every order that was in force when the mail had been acted on."""
        sets = self.world.rows(
            "SELECT o.orders, g.name FROM order_set o JOIN game g ON g.current_phase_id = o.phase_id"
            " WHERE o.inbox_id = :m AND o.seat_id = :s AND o.number = (SELECT max(number) FROM order_set l"
            " WHERE l.phase_id = o.phase_id AND l.seat_id = o.seat_id)",
            m=mail,
            s=row.seat_id,
        )
        orders = list[str]()
        for one in sets:
            language = self.world.game(one.name).variant.language
            orders += (write(order_from_json(order, language)) for order in value(one.orders))
        self.world.checks(Promise.RECEIPT, len(orders))
        text = said(raw).lower() if orders else ""
        missing = [order for order in orders if order.lower() not in text]
        if missing:
            raise Broken(f"{row.purpose} to {row.recipient} does not have {missing[0]}, which is in force")

    def _reminder(self, row: Any, phase: int, seat: int) -> None:
        """Nobody is reminded whose orders are complete."""
        complete = self.world.rows(
            "SELECT o.complete FROM order_set o JOIN outbox m ON m.purpose = :m AND m.created_at >= o.received_at"
            " WHERE o.phase_id = :p AND o.seat_id = :s ORDER BY o.number DESC LIMIT 1",
            m=row.purpose,
            p=phase,
            s=seat,
        )
        self.world.checks(Promise.NOT_REMINDED)
        if complete and complete[0].complete:
            raise Broken(f"{row.purpose} to {row.recipient} reminds of orders that are complete")
