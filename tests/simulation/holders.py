"""Who holds each seat: only they act and are told, nobody is named where names are hidden, and mail to them is tried
long enough. Every method raises Broken.
"""

from __future__ import annotations

import re
from collections import defaultdict
from datetime import timedelta
from typing import Any

from tests.simulation.faults import Broken
from tests.simulation.people import Letter, People
from tests.simulation.promises import Promise
from tests.simulation.rows import Newer, moment, value
from tests.simulation.world import World

TO_SEATS = ("report", "opening", "review", "reminder", "press")
"""Kinds of mails to seats; their purpose ends in the seat's number."""
_TRIED = timedelta(days=5)
_DEAD = re.compile(r"5\.1\.\d|5\.2\.1|user unknown|no such user", re.IGNORECASE)
"""What a mail server says of an address that does not exist."""


class Holders:
    """The seats as they were at the last look, and as they are."""

    def __init__(self, world: World, people: People) -> None:
        self.world, self._people = world, people
        self._seats: dict[int, Any] = {}
        self._emails: dict[int, frozenset[str]] = {}
        self._states: list[Any] = []
        self._held: dict[int, tuple[frozenset[str], frozenset[str]]] = {}
        """The addresses of each seat's holder, at the last look and now."""
        self._open: set[int] = set()
        """Who plays, or has played, where names are shown."""
        self._hidden: re.Pattern[bytes] | None = None
        """Names and addresses of those who play only where names are hidden."""
        self._deadlines = Newer(
            world,
            "SELECT d.id, d.game_id, d.phase_id, d.due_at, d.cancelled FROM deadline d WHERE d.id > :last"
            " AND d.kind = 'adjudicate' AND d.announced ORDER BY d.id",
        )
        self._known_phases: set[int] = set()
        self._told: set[int] = set()
        self._recipients: set[str] = set()

    def look(self) -> None:
        """The seats, before the rows that are new are looked at."""
        self._told.clear()
        self._recipients.clear()
        emails: dict[int, set[str]] = defaultdict(set)
        for row in self.world.rows("SELECT account_id, email FROM address"):
            emails[row.account_id].add(row.email)
        fresh = {account: frozenset(found) for account, found in emails.items()}
        rows = self.world.rows(
            "SELECT s.id, s.game_id, s.role, s.power, s.serial, s.account_id, s.token_hash, s.joined_at, s.deputy_of,"
            " s.until FROM seat s"
        )
        for row in rows:
            before = self._seats.get(row.id, row)
            if before.account_id not in (None, row.account_id):
                self.world.count("seats vacated")
                self.world.checks(Promise.NEW_ADDRESS)
                if row.serial <= before.serial or row.token_hash == before.token_hash:
                    raise Broken(f"seat {row.id} is another's, and has its old address")
            self._held[row.id] = (
                self._emails.get(before.account_id, frozenset()),
                fresh.get(row.account_id, frozenset()),
            )
        states = self.world.rows("SELECT id, state FROM game ORDER BY id")
        changed = fresh != self._emails or any(self._seats.get(row.id) != row for row in rows) or states != self._states
        self._seats, self._emails, self._states = {row.id: row for row in rows}, fresh, states
        if changed:
            self._hide()

    def holds(self, seat: int, email: str) -> bool:
        """Whether somebody with this address holds the seat, or held it a moment ago."""
        before, now = self._held.get(seat, (frozenset(), frozenset()))
        return email in before or email in now

    # ---- who is told

    def queued(self, row: Any, raw: bytes) -> None:
        """A mail of ours that is new: for a seat it is its holder's, and names nobody whose name is hidden."""
        kind, *about = row.purpose.partition(">")[0].split(":")
        self._recipients.add(row.recipient)
        if row.seat_id is not None:
            self._told.add(row.seat_id)
        if kind in TO_SEATS and about[-1].isdecimal():
            seat = int(about[-1])
            self._told.add(seat)
            self.world.checks(Promise.HOLDER_TOLD)
            if not self.holds(seat, row.recipient):
                raise Broken(f"{row.purpose} went to {row.recipient}, who does not hold the seat {self._held[seat]}")
            if kind == "press":
                self._press(int(about[0]), seat)
        self._names(row, raw)

    def _press(self, press: int, to: int) -> None:
        """Press is for those who are named, and their deputies, if they want it; and not before the next report if it
        is by post."""
        row = self.world.rows(
            "SELECT p.to_powers, p.manner, f.account_id AS author, coalesce(t.power, o.power) AS power, t.role, t.muted"
            " FROM press p JOIN seat f ON f.id = p.from_seat_id JOIN seat t ON t.id = :t"
            " LEFT JOIN seat o ON o.id = t.deputy_of WHERE p.id = :p",
            p=press,
            t=to,
        )[0]
        self.world.checks(Promise.PRESS_RIGHT)
        if not {"ALL", row.power, "GM" if row.role == "master" else "ALL"} & set(value(row.to_powers)):
            raise Broken(f"press to {row.to_powers} went to {row.power}")
        if row.author in value(row.muted):
            raise Broken(f"press went to {row.power}, who has stopped press from its author")
        if "postal" in (row.manner or ""):
            raise Broken(f"press by post went to {row.power} at once")

    def _hide(self) -> None:
        rows = self.world.rows(
            "SELECT s.account_id, a.name, g.options, g.state FROM seat s JOIN game g ON g.id = s.game_id"
            " JOIN account a ON a.id = s.account_id"
        )
        hidden = dict[int, str]()
        for row in rows:
            rule = value(row.options).get("anonymous", "no")
            if rule == "always" or (rule == "yes" and row.state in ("forming", "running")):
                hidden[row.account_id] = row.name
            else:
                self._open.add(row.account_id)
        words = [word for one in hidden if one not in self._open for word in (hidden[one], *self._emails.get(one, ()))]
        masters = {email for email in words if email.endswith("@gm.sim")}
        names = sorted(word for word in words if word not in masters and not word.startswith("Master"))
        found = "|".join(map(re.escape, names))
        self._hidden = re.compile(rf"(?<![\w.@])(?:{found})(?![\w@])".encode()) if names else None

    def _names(self, row: Any, raw: bytes) -> None:
        """No player is named, nor their address, to anybody but a gamemaster, the operator and themselves; but
        whoever is asked about a mail to their seat is told where it came from."""
        if self._hidden is None or row.recipient.endswith(("@gm.sim", "@ops.example")):
            return
        self.world.checks(Promise.NAMES)
        own = next((found for found in self._emails.values() if row.recipient in found), frozenset({row.recipient}))
        friends = (friend for email in own for friend in self._people.acquainted.get(email, ()))
        shown = {*own, *friends, *self._asked_about(row.purpose)}
        mine = {*shown, *(email.partition("@")[0].title() for email in shown), "Uno Primo", "Duo Secundo"}
        plain = raw.replace(b"=\r\n", b"").replace(b"=\n", b"")
        for found in self._hidden.finditer(plain):
            if found[0].decode() not in mine:
                where = plain[max(0, found.start() - 60) : found.end() + 30]
                raise Broken(f"{row.purpose} to {row.recipient} has {found[0].decode()}, which is hidden: {where!r}")

    def _asked_about(self, purpose: str) -> set[str]:
        """Who has sent the mail that a question is about, or that the writer of an answered mail was asked about."""
        kind, _, number = purpose.partition(">")[0].partition(":")
        about = "SELECT i.sender FROM question q JOIN inbox i ON i.id = q.inbox_id WHERE q.id = :q"
        if kind == "receipt" and number.isdecimal():  # what is not understood as an answer is asked again
            about = (
                "SELECT i.sender FROM question q JOIN inbox i ON i.id = q.inbox_id JOIN inbox a ON a.sender = q.asked"
                " WHERE a.id = :q"
            )
            return {row.sender for row in self.world.rows(about, q=int(number))}
        return {row.sender for row in self.world.rows(about, q=int(number))} if kind == "question" else set()

    # ---- who acts

    def may_order(self, letter: Letter, row: Any, asked: bool) -> None:
        """Orders are the holder's, the gamemaster's, or somebody was asked about them."""
        self.world.checks(Promise.WHO_ORDERS)
        if letter.kind == "sandbox":
            seats = (seat for seat in self._seats.values() if seat.game_id == self._seats[row.seat_id].game_id)
            may = any(seat.role == "master" and self.holds(seat.id, letter.sender) for seat in seats)
        else:
            may = letter.kind == "master" or asked or self.holds(row.seat_id, letter.sender)
        if not may and not self._is_deputy(row.seat_id, letter):
            raise Broken(f"{letter.message_id} of {letter.sender} counts for seat {row.seat_id}, which is another's")

    def _is_deputy(self, seat: int, letter: Letter) -> bool:
        """Whether somebody orders for the holder of this seat, and may do so now."""
        now = letter.received or self.world.now
        ended = self.world.rows(
            "SELECT i.message_id, i.done_at FROM inbox i JOIN seat s ON s.id = :s JOIN address a ON"
            " a.account_id = s.account_id AND a.email = i.sender WHERE i.state = 'done'",
            s=seat,
        )
        letters = ((self._people.letters.get(row.message_id), row.done_at) for row in ended)
        over = [
            moment(at) for one, at in letters if one is not None and one.words == "DEPUTY NONE" and one.seat == seat
        ]
        return any(
            one.deputy_of == seat
            and not any((one.joined_at is None or moment(one.joined_at) < at) and at < now for at in over)
            and self.holds(one.id, letter.sender)
            and (one.until is None or now <= moment(one.until))
            and (one.joined_at is None or moment(one.joined_at) <= self.world.now)
            for one in self._seats.values()
        )

    # ---- deadlines

    def deadlines(self) -> None:
        """Whoever has a seat is told of a deadline that is another one than was announced."""
        owed: set[int] | None = None
        for row in self._deadlines():
            first = row.phase_id not in self._known_phases
            self._known_phases.add(row.phase_id)
            if first or row.cancelled:
                continue
            if owed is None:
                waiting = self.world.rows("SELECT seat_id FROM report_queue WHERE done_at IS NULL")
                owed = {one.seat_id for one in waiting}
            self._everybody_is_told(row, owed)

    def _everybody_is_told(self, row: Any, owed: set[int]) -> None:
        for seat in self._seats.values():
            before, now = self._held[seat.id]
            if seat.game_id != row.game_id or seat.account_id is None or not before & now:
                continue
            if seat.deputy_of is not None and (seat.until is not None or moment(seat.joined_at) > self.world.now):
                continue
            self.world.checks(Promise.TOLD_OF_DEADLINE)
            if seat.id not in self._told | owed and not now & self._recipients:
                raise Broken(f"{sorted(now)} is not told that phase {row.phase_id} is due {row.due_at}")

    # ---- delivery

    def given_up(self) -> None:
        """Mails were tried for five days, unless their address is dead."""
        rows = self.world.rows(
            "SELECT message_id, recipient, purpose, created_at, tried_at, last_error FROM outbox"
            " WHERE state = 'failed' AND tried_at IS NOT NULL"
        )
        for row in rows:
            tried = moment(row.tried_at) - moment(row.created_at)
            self.world.checks(Promise.GIVEN_UP)
            dead = _DEAD.search(row.last_error) or self.world.returned[row.message_id]
            if tried < _TRIED - timedelta(hours=5) and not dead:
                raise Broken(f"{row.purpose} to {row.recipient} was given up after {tried}: {row.last_error}")
