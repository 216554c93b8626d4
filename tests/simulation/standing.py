"""Which orders stand: after a mail that was overtaken, CLEAR, READY, ROLLBACK and ROLLFORWARD. Every method raises
Broken.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from gm.games.snapshot import Game
from gm.orders import Hold, order_to_json
from gm.position import PhaseKind
from tests.simulation.faults import Broken
from tests.simulation.people import Letter, People
from tests.simulation.promises import Promise
from tests.simulation.rows import ADJUSTING, Newer, Orders, value
from tests.simulation.world import World


def kept(newer: Letter, letter: Letter, before: Orders, after: Orders) -> None:
    """The orders of a newer mail stand `after` an older one as they stood `before`."""
    given: Orders = [order_to_json(order) for order in newer.given]
    units = [order.get("unit") for order in given]
    adjusting = bool(ADJUSTING & {order["order"] for order in (*given, *before)})
    lost = [order for order in before if (adjusting or order.get("unit") in units) and order not in after]
    if lost:
        where = f"seat {letter.seat} in phase {letter.phase}"
        raise Broken(
            f"{lost[0]} of {where}, ordered by {newer.message_id}, is lost by {letter.message_id}, which it overtook,"
            f" and with which there is {after}"
        )


class Standing:
    """What stands in each phase, as far as the log and the mails say."""

    def __init__(self, world: World, people: People, mails: Mapping[int, str]) -> None:
        self.world, self.people = world, people
        self._mails = mails
        """Message-IDs by inbox row."""
        self._log = Newer(world, "SELECT id, game_id, kind, detail, at FROM log WHERE id > :last ORDER BY id")
        self._by_ready: set[tuple[int, int]] = set()
        """Phase and seat where orders are complete although units have none."""
        self._left: dict[int, int] = {}
        """The newest order set when a phase was left by a rollback, by the phase that was opened."""

    def overtaken(self, letter: Letter, counted: Collection[str], before: Orders, after: Orders) -> None:
        """A mail changes nothing that a counted mail has ordered which was sent later, unless it cites a later mail of
        ours."""
        for newer in (self.people.letters[one] for one in counted if one in self.people.letters):
            same = (newer.sender, newer.serial) == (letter.sender, letter.serial)
            if not same or newer.sent <= letter.sent or newer.kind == "forged":
                continue
            cites_later = letter.cited is not None and letter.cited >= newer.sent
            unsure = self.world.skewed_until >= min(letter.sent, letter.cited or letter.sent)
            if cites_later or unsure or not self._is_done(newer):
                continue
            self.world.checks(Promise.OVERTAKEN)
            if letter.clears:
                raise Broken(f"{letter.message_id} deletes orders of {newer.message_id}, which overtook it")
            kept(newer, letter, before, after)

    def _is_done(self, letter: Letter) -> bool:
        rows = self.world.rows("SELECT state FROM inbox WHERE message_id = :m", m=letter.message_id)
        return bool(rows) and all(row.state == "done" for row in rows)

    # ---- CLEAR and READY

    def put(self, letter: Letter | None, row: Any, orders: Orders, game: Game) -> None:
        """A new set: CLEAR leaves nothing, and only READY makes incomplete orders complete, until CLEAR."""
        key = row.phase_id, row.seat_id
        lacking = bool(row.complete) and self._lacks(game, row, orders)
        ours = letter is not None and letter.seat == row.seat_id and letter.kind != "master"
        if ours and letter is not None:
            self.world.checks(Promise.CLEARED, letter.clears)
            self.world.checks(Promise.COMPLETE, lacking)
            if letter.clears and orders and not game.in_review:
                raise Broken(f"after CLEAR, {letter.message_id}, there stands {orders}")
            if lacking and key not in self._by_ready and "READY" not in letter.words:
                raise Broken(f"{letter.message_id} makes orders complete, and lacks some: {orders}")
        (self._by_ready.add if lacking else self._by_ready.discard)(key)

    def _lacks(self, game: Game, row: Any, orders: Orders) -> bool:
        """Whether units that are to be ordered have no order; never in adjustments."""
        position = self.people.position(game, row.phase_id)
        power = game.seat(row.seat_id).power
        if position is None or power is None or position.phase.kind is PhaseKind.ADJUSTMENT:
            return False
        duty = game.variant.duties(position).get(power)
        ordered = [order.get("unit") for order in orders]
        return duty is not None and any(order_to_json(Hold(unit))["unit"] not in ordered for unit in duty.units)

    # ---- ROLLBACK and ROLLFORWARD

    def look(self) -> None:
        """What is new in the log."""
        for row in self._log():
            if row.kind == "rollback":
                self._rolled_back(row.game_id, value(row.detail))
            elif row.kind == "rollforward":
                self._rolled_forward(row)

    def _sets(self, phase: int, which: str = "DESC") -> dict[int, Any]:
        """The newest set of each seat in a phase; or, ASC, the first."""
        rows = self.world.rows(
            "SELECT id, seat_id, inbox_id, orders, complete FROM order_set WHERE phase_id = :p"
            f" ORDER BY number {which}",
            p=phase,
        )
        found: dict[int, Any] = {}
        for row in rows:
            found.setdefault(row.seat_id, row)
        return found

    def _rolled_back(self, game: int, detail: dict[str, Any]) -> None:
        """The phase that was opened begins with the orders that the one to be played again had at its end."""
        phases = {
            row.number: row
            for row in self.world.rows("SELECT id, number, code, follows FROM phase WHERE game_id = :g", g=game)
        }
        by_id = {row.id: row for row in phases.values()}
        opened, one = by_id[detail["opened"]], by_id[detail["left"]]
        while one.code != detail["to"] or one.id == detail["left"]:
            one = phases[one.follows]
        stood, stands = self._sets(one.id), self._sets(opened.id, "ASC")
        for seat, was in stood.items():
            now = stands.get(seat)
            self.world.checks(Promise.ROLLED_BACK)
            said = [(value(row.orders), bool(row.complete)) for row in (was, now) if row is not None]
            if now is None or said[0] != said[1]:
                raise Broken(f"rolled back to {one.code}, seat {seat} has {said[1:]} instead of {said[0]}")
        newest = self.world.rows("SELECT coalesce(max(id), 0) AS id FROM order_set")[0].id
        self._left[opened.id] = newest

    def _rolled_forward(self, log: Any) -> None:
        """The phase that was left is played again, and its orders are those that stood."""
        before = self.world.rows(
            "SELECT detail FROM log WHERE game_id = :g AND kind = 'rollback' AND id < :i ORDER BY id DESC LIMIT 1",
            g=log.game_id,
            i=log.id,
        )
        detail = value(before[0].detail)
        now = self.world.rows(
            "SELECT g.current_phase_id AS id, p.adjudicated_at AS at FROM game g JOIN phase p ON p.id = :p"
            " WHERE g.id = :g",
            g=log.game_id,
            p=detail["left"],
        )[0]
        since = self.world.rows("SELECT id FROM log WHERE game_id = :g AND id > :i", g=log.game_id, i=log.id)
        if now.id != detail["left"] and now.at is None and not since:
            raise Broken(f"rolled forward to phase {now.id} instead of phase {detail['left']}")
        for row in self._sets(detail["left"]).values():
            letter = self.people.letters.get(self._mails.get(row.inbox_id or 0, ""))
            given = letter is not None and letter.kind != "master"
            self.world.checks(Promise.ROLLED_FORWARD)
            if row.id > self._left.get(detail["opened"], row.id) and not given:
                raise Broken(f"rolled forward, seat {row.seat_id} has other orders: {value(row.orders)}")
