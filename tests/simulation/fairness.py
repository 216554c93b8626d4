"""The promises of play as code: what counts, when a phase may end, and who is told. Every function raises Broken."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime, time
from typing import Any
from zoneinfo import ZoneInfo

from gm.games.snapshot import Game, Seat
from gm.mail.message.addresses import token_hash
from gm.orders import order_to_json
from tests.simulation.endings import PROCESSING, Endings
from tests.simulation.faults import Broken
from tests.simulation.holders import Holders
from tests.simulation.people import Letter, People
from tests.simulation.promises import Promise
from tests.simulation.reminding import Reminding
from tests.simulation.rows import ADJUSTING, Newer, Orders, moment, value
from tests.simulation.world import Got, World

_REPORTS = ("report", "opening", "review", "reminder")
"""Kinds of mails to seats that are to be answered to the seat; their purpose ends in the seat's number."""
_RESUMING = ("resume", "process", "deadline", "extend", "rollback", "rollforward", "undo", "accept late")
_TOKEN = re.compile(r"\+[^.]+\.([a-z0-9]{16,})")


class Fairness:
    """What must be so of the rows that are new, by the game's rules and by what a seat may know."""

    def __init__(self, world: World, people: People, holders: Holders, endings: Endings) -> None:
        self.world, self.people = world, people
        self._holders, self._endings = holders, endings
        self._reminding = Reminding(world, people)
        self._paused: dict[int, int] = {}
        """The newest line of the log when a game was seen to be paused last, by game."""
        self._deadlines = Newer(
            world,
            "SELECT d.id, d.due_at, d.phase_id, g.name FROM deadline d JOIN game g ON g.id = d.game_id"
            " WHERE d.id > :last AND d.kind = 'adjudicate' AND d.announced ORDER BY d.id",
        )
        self._set: set[int] = set()
        """The phases that have had a deadline."""
        self._marks: dict[int, set[str]] = defaultdict(set)
        """The addresses of those who hold or held a seat, and the hashes of its tokens."""

    def _one(self, statement: str, **values: object) -> Any:
        return next(iter(self.world.rows(statement, **values)), None)

    # ---- who is told

    def arrived(self, got: Got) -> None:
        """The reply address of a report is its seat's."""
        kind, *about = got.purpose.partition(">")[0].split(":")
        if kind in _REPORTS and about[-1].isdecimal() and "+" in got.reply_to:
            self.world.checks(Promise.REPLY_TO)
            token = _TOKEN.search(got.reply_to)
            if token is None or token_hash(token[1]) not in self._known(int(about[-1])):
                raise Broken(f"{got.purpose} to {got.recipient} is to be answered to {got.reply_to}")

    def _known(self, seat: int) -> set[str]:
        rows = self.world.rows(
            "SELECT a.email, s.token_hash FROM seat s JOIN address a ON a.account_id = s.account_id WHERE s.id = :s",
            s=seat,
        )
        known = self._marks[seat]
        known |= {row.email for row in rows} | {row.token_hash for row in rows}
        return known

    # ---- which orders count

    def all_stored(self, letter: Letter, stored: Orders, before: Orders) -> None:
        """Every order of a mail is among those that are stored, and so are those for other units that were there."""
        given = [order_to_json(order) for order in letter.given]
        units = [order.get("unit") for order in given]
        if not ADJUSTING & {order["order"] for order in (*given, *before)}:
            given += [order for order in before if order.get("unit") not in units]
        self.world.checks(Promise.ALL_STORED)
        lost = [order for order in given if order not in stored]
        if lost:
            where = f"seat {letter.seat} in phase {letter.phase}"
            raise Broken(f"{lost[0]} of {where} is lost by {letter.message_id}, with which there is {stored}")

    def may_count(self, letter: Letter, row: Any) -> None:
        """No orders count that came after every deadline of their phase, or that somebody else wrote and nobody was
        asked about."""
        asked = self._one("SELECT id FROM question WHERE inbox_id = :i AND outcome <> ''", i=row.inbox_id) is not None
        self._holders.may_order(letter, row, asked)
        due = self._one(
            "SELECT max(d.due_at) AS due FROM deadline d JOIN game g ON g.id = d.game_id WHERE d.phase_id = :p"
            " AND d.kind IN ('adjudicate', 'review') AND g.paused_at IS NULL",
            p=row.phase_id,
        ).due
        came = self._one("SELECT received_at AS at FROM inbox WHERE id = :i", i=row.inbox_id)
        self.world.checks(Promise.LATE, due is not None)
        if letter.kind != "master" and due is not None and moment(came.at) > moment(due):
            raise Broken(f"{letter.message_id} came {came.at}, after the deadline {due}, and counts")

    # ---- when a phase ends

    def look(self) -> None:
        """Deadlines that are new; and which games are paused."""
        self._at_their_hour()
        newest = self._one("SELECT coalesce(max(id), 0) AS id FROM log").id
        paused = self.world.rows("SELECT id FROM game WHERE paused_at IS NOT NULL AND state = 'running'")
        self._paused = {game.id: newest for game in paused}

    def _at_their_hour(self) -> None:
        """A deadline that the server sets falls on the time of day that the game has in its zone."""
        for row in self._deadlines():
            self._reminding.is_set(row.id)
            zone, at = self.people.hours.get(row.name, ("UTC", "none"))
            if at == "none" or row.phase_id in self._set:
                continue
            self._set.add(row.phase_id)
            self.world.checks(Promise.AT_THEIR_HOUR)
            due = moment(row.due_at)
            there = due.astimezone(ZoneInfo(zone))
            if datetime.combine(there.date(), time.fromisoformat(at), ZoneInfo(zone)).astimezone(UTC) != due:
                raise Broken(f"{row.name} is due at {there}, and not at {at}")

    def may_end(self, phase: int, game: int) -> None:
        """A phase is not adjudicated in a pause, nor early unless all have ordered; and everybody is owed a report."""
        since = self._paused.get(game)
        self.world.checks(Promise.PAUSED, since is not None)
        if since is not None and not self._did(game, _RESUMING, since):
            raise Broken(f"phase {phase} was adjudicated while game {game} was paused")
        opened = moment(self._one("SELECT opened_at AS at FROM phase WHERE id = :p", p=phase).at)
        if not self.world.skew and self.world.skewed_until < opened:
            self._in_time(phase, opened)
        missing = self._one(
            "SELECT s.id FROM seat s JOIN phase p ON p.id = :p WHERE s.game_id = :g AND s.account_id IS NOT NULL"
            " AND s.joined_at < p.adjudicated_at AND (s.until IS NULL OR s.until > p.adjudicated_at)"
            " AND NOT EXISTS (SELECT 1 FROM report_queue r WHERE r.phase_id = :p"
            " AND r.seat_id = s.id AND r.kind = 'report')",
            g=game,
            p=phase,
        )
        self.world.checks(Promise.OWED_REPORT)
        if missing is not None:
            raise Broken(f"seat {missing.id} gets no report of phase {phase}")

    def _did(self, game: int, kinds: Sequence[str], since: int = 0) -> bool:
        """Whether a gamemaster did one of these things."""
        rows = self.world.rows("SELECT kind FROM log WHERE game_id = :g AND id > :l", g=game, l=since)
        return any(row.kind in kinds for row in rows)

    def _in_time(self, phase: int, opened: datetime) -> None:
        """A phase ends early when all are ready, and after its deadline when it does not wait for those who are not."""
        row = self._one(
            "SELECT p.adjudicated_at AS at, g.name FROM phase p JOIN game g ON g.id = p.game_id WHERE p.id = :p",
            p=phase,
        )
        due = self._one(
            "SELECT id, due_at FROM deadline WHERE phase_id = :p AND kind = 'adjudicate' AND announced"
            " ORDER BY id DESC LIMIT 1",
            p=phase,
        )
        game = self.world.game(row.name)
        seats = self._who_must(game, phase, moment(row.at))
        given = {seat.id: self._last_set(phase, seat) for seat in seats}
        waited = "SELECT id FROM deadline WHERE phase_id = :p AND done_at IS NOT NULL AND announced AND due_at < :d"
        if due is None or moment(row.at) >= moment(due.due_at):
            missing = [seat for seat in seats if given[seat.id] is None]
            self._endings.closed(phase, game, opened, missing)
            if due is not None:
                self._reminding.passed(phase, game, due, seats)
            return
        if self._endings.did(game.id, PROCESSING, opened):
            return
        some = self._one(waited, p=phase, d=due.due_at) is not None  # it waits for those who had ordered nothing
        for seat in seats:
            found = given[seat.id]
            if found is None or not (found.complete or some):
                raise Broken(f"phase {phase} was adjudicated early, and {seat.power} was not ready")
        if not some:
            self._endings.early(phase, game, opened, seats)

    def _last_set(self, phase: int, seat: Seat) -> Any:
        """The orders of a seat in a phase, None if there are none."""
        row = self._one(
            "SELECT complete, orders FROM order_set WHERE phase_id = :p AND seat_id = :s ORDER BY number DESC LIMIT 1",
            p=phase,
            s=seat.id,
        )
        return row if row is not None and (row.complete or value(row.orders)) else None

    def _who_must(self, game: Game, phase: int, then: datetime) -> list[Seat]:
        """The seats with a holder that had something to order."""
        position = self.people.position(game, phase)
        if position is None or game.variant.review is not None:
            return []
        duties = game.variant.duties(position)
        held = [seat for seat in game.players if seat.person is not None and seat.power in duties]
        return [seat for seat in held if seat.joined_at is None or seat.joined_at <= then]
