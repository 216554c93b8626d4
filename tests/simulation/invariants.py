"""The promises as code: what must be true after every event, looked at in the rows that are new.

`Watch` compares what the server did with a model of its own: which mail of which seat counts for which phase follows
from what the mail cites and from when the mail server in front had it, not from anything that gm has worked out.
"""

from __future__ import annotations

import zlib
from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import datetime
from email.parser import BytesHeaderParser
from typing import Any

from gm.store import inbox
from tests.simulation.bounds import Bounds
from tests.simulation.contents import Contents
from tests.simulation.endings import Endings
from tests.simulation.fairness import Fairness
from tests.simulation.faults import Broken
from tests.simulation.held import Held
from tests.simulation.holders import Holders
from tests.simulation.leases import Leases
from tests.simulation.passed_on import PassedOn
from tests.simulation.people import Letter, People
from tests.simulation.promises import Promise
from tests.simulation.rests import Rests
from tests.simulation.rows import Newer, Orders, moment, value
from tests.simulation.standing import Standing
from tests.simulation.telling import Telling
from tests.simulation.timing import Timing
from tests.simulation.world import Got, World

_OF_MAIL = "SELECT id, message_id, address, state, note FROM inbox"
_HANDED_ON = "to whose seats it goes, too"
"""In the note of a mail to everybody's address that is acted on at the seats for whose games its lines are."""
FINAL = ("done", "ignored", "aside", "quarantined")


@dataclass
class Closed:
    """A phase that was adjudicated."""

    game: int
    at: str
    result: str


_UNPROVED = "SELECT id FROM inbox WHERE message_id = :id AND state = 'unproved'"


class Watch:
    """Looks at a world after every event. Every method raises Broken."""

    def __init__(self, world: World, people: People, keep: list[tuple[str, str, bytes]] | None = None) -> None:
        self.world = world
        self.people = people
        self._by_mail: dict[int, str] = {}
        self._holders, self._contents = Holders(world, people), Contents(world)
        self._endings, self._telling = Endings(world, people), Telling(world, people)
        self._passed_on = PassedOn(world, people)
        self._standing = Standing(world, people, self._by_mail)
        self._timing = Timing(world, people, self._by_mail)
        self._fair = Fairness(world, people, self._holders, self._endings)
        self._keep = keep
        self._inbox = Newer(world, f"{_OF_MAIL} WHERE id > :last ORDER BY id")
        self._outbox = Newer(
            world, "SELECT id, purpose, recipient, seat_id, phase_id, raw FROM outbox WHERE id > :last ORDER BY id"
        )
        self._orders = Newer(
            world,
            "SELECT o.id, o.phase_id, o.seat_id, o.inbox_id, o.orders, o.complete, g.name FROM order_set o"
            " JOIN phase p ON p.id = o.phase_id JOIN game g ON g.id = p.game_id WHERE o.id > :last ORDER BY o.id",
        )
        self._open_mails: set[int] = set()
        self._phases: dict[int, Closed] = {}
        self._answers: Counter[str] = Counter()
        self._answers_at: Counter[tuple[str, int | None]] = Counter()
        """Answers by mail, and by seat where one mail is for several."""
        self._reports: dict[tuple[str, ...], str] = {}
        self._done: dict[tuple[str, str], int] = {}
        self._given: dict[tuple[int, int], set[str]] = defaultdict(set)
        """The Message-IDs of the mails whose orders were put in force, by phase and seat."""
        self._stored: dict[tuple[int, int], Orders] = {}
        """The orders in force, by phase and seat."""
        self._adjudicated: Counter[int] = Counter()
        self._bounds = Bounds(world)
        self._seen = -1
        self._told: dict[int, list[tuple[datetime, int]]] = defaultdict(list)
        """When each seat was told which phase is played."""
        self._leases, self._held, self._rests = Leases(world), Held(world), Rests(world, people)
        world.observers.append(self._delivered)

    def look(self) -> None:
        """Everything that is cheap to look at, if anything was committed."""
        commits = sum(machine.commits for machine in self.world.machines)
        if commits == self._seen:
            return
        self._seen = commits
        self.world.told()
        self._failed()
        self._holders.look()
        self._new_mails()
        self._new_orders()
        self._passed_on.look()
        self._new_answers()
        self._phases_closed()
        self._fair.look()
        self._endings.look()
        self._standing.look()
        self._timing.look()
        self._holders.deadlines()
        self._leases.look()
        self._held.look()

    # ---- one mail, one effect, one answer

    def _failed(self) -> None:
        """No thread of the server met an error that it does not know."""
        for machine in self.world.machines:
            found = [*machine.failures]
            if machine.up:
                found += [error for worker in machine.scheduler.workers for error in worker.failures]
            self.world.checks(Promise.THREADS)
            if found:
                raise Broken(f"a thread failed: {type(found[0]).__name__}: {found[0]}") from found[0]

    def _new_mails(self) -> None:
        rows = self._inbox()
        if self._open_mails:
            ids = ", ".join(map(str, self._open_mails))
            rows += self.world.rows(f"{_OF_MAIL} WHERE id IN ({ids})")
        for row in rows:
            self._by_mail[row.id] = row.message_id
            (self._open_mails.discard if row.state in FINAL else self._open_mails.add)(row.id)
            if row.state == "aside" and "Traceback" in row.note:
                raise Broken(f"a mail failed: {row.note}")
            letter = self.people.letters.get(row.message_id)
            robot = letter is not None and letter.kind == "robot"
            self.world.checks(Promise.ROBOTS, robot and row.state in FINAL)
            key = row.message_id, row.address if letter is not None and letter.sections else ""
            done = row.state == "done" and _HANDED_ON not in row.note
            self.world.checks(Promise.ONE_EFFECT, done)
            if done and self._done.setdefault(key, row.id) != row.id:
                raise Broken(f"two copies of {row.message_id} were acted on")

    def _new_answers(self) -> None:
        for row in self._outbox():
            raw = zlib.decompress(row.raw) if row.raw else b""
            self._holders.queued(row, raw)
            self._contents.queued(row, raw)
            self._telling.queued(row, raw)
            self._passed_on.queued(row, raw)
            head = BytesHeaderParser().parsebytes(raw, headersonly=True)
            if self._keep is not None:
                self._keep.append((row.purpose, row.recipient, raw))
            answered = str(head["In-Reply-To"] or "").strip()
            if answered and ">" not in row.purpose:
                self._answered(answered, row, raw, asks="+confirm." in str(head["Reply-To"]))
            if row.purpose.startswith("scheduled:"):
                self._timing.told(row.purpose.partition(">")[0])
            if row.purpose.startswith("trouble:"):
                self._trouble(row.purpose)

    def _answered(self, answered: str, row: Any, raw: bytes, *, asks: bool) -> None:
        """Each mail is answered once, and perhaps asked about; so is a proved copy of one that nothing proved, if that
        did no more than ask.
        """
        letter = self.people.letters.get(answered)
        several = letter is not None and bool(letter.sections)
        seat = row.seat_id if several else None
        self._answers[answered] += 1
        self._answers_at[answered, seat] += not asks
        if letter is not None:
            self._endings.answered(letter, raw)
            self._passed_on.answered(letter, raw)
            self._bounds.answered(letter, len(raw))
            if letter.kind == "robot":
                raise Broken(f"{answered} of a robot was answered: {row.purpose}")
        self.world.checks(Promise.ONE_ANSWER)
        if self._answers_at[answered, seat] > 1 + len(self.world.rows(_UNPROVED, id=answered)):
            raise Broken(f"{answered} was answered twice: {row.purpose}")

    def _trouble(self, purpose: str) -> None:
        """A mail is set aside only if the server has died of it three times; the operator has it tried again."""
        kind, _, mail = purpose.partition(":mail:")
        self.world.checks(Promise.SET_ASIDE)
        dead = mail.isdigit() and self.world.rows("SELECT note FROM inbox WHERE id = :m", m=int(mail))
        if kind != "trouble" or not dead or not dead[0].note.startswith("The server stopped"):
            raise Broken(f"the server had trouble: {purpose}")
        self.world.count("mails tried again by the operator")
        with self.world.database.transaction() as session:
            inbox.try_again(session, int(mail))

    def _delivered(self, got: Got, raw: bytes) -> None:
        """A mail has arrived somewhere."""
        kind, *about = got.purpose.partition(">")[0].split(":")
        if kind in ("report", "opening", "review"):
            self.world.checks(Promise.ONE_REPORT)
            first = self._reports.setdefault((kind, *about[-2:], got.recipient), got.message_id)
            if first != got.message_id:
                raise Broken(f"{got.recipient} got {got.purpose} twice, as {first} and as {got.message_id}")
        self._fair.arrived(got)
        for seat, phase in got.told:
            self._told[seat].append((got.at, phase))
        self._bounds.delivered(got)

    # ---- orders

    def _new_orders(self) -> None:
        for row in self._orders():
            orders: Orders = value(row.orders)
            key = row.phase_id, row.seat_id
            were, self._stored[key] = self._stored.get(key, []), orders
            letter = self.people.letters.get(self._by_mail.get(row.inbox_id or 0, ""))
            letter = letter.part(row.seat_id) if letter is not None else None
            self._standing.put(letter, row, orders, self.world.game(row.name))
            if letter is not None and (orders or were):  # otherwise it is noted only that something was sent
                self._counts(letter, row, were, orders)

    def _counts(self, letter: Letter, row: Any, were: Orders, orders: Orders) -> None:
        """A mail changed the orders of a seat in a phase."""
        self._fair.may_count(letter, row)
        if letter.game not in ("", row.name):
            raise Broken(f"{letter.message_id} was for {letter.game} and counts in {row.name}")
        self.world.checks(Promise.RIGHT_PHASE, letter.seat == row.seat_id and letter.phase is not None)
        if letter.seat == row.seat_id and not self._may_be_for(letter, row.phase_id):
            raise Broken(f"{letter.message_id} was for phase {letter.phase} and counts for phase {row.phase_id}")
        before = self._given[row.phase_id, row.seat_id]
        self._standing.overtaken(letter, before, were, orders)
        cites_it = (letter.seat, letter.phase) == (row.seat_id, row.phase_id)
        if cites_it and not letter.clears and self._is_newest(letter, before):
            self._fair.all_stored(letter, orders, were)
        before.add(letter.message_id)
        if row.phase_id in self._phases:
            raise Broken(f"{letter.message_id} changed phase {row.phase_id} after it was adjudicated")

    def _is_newest(self, letter: Letter, counted: set[str]) -> bool:
        """Whether neither another counted mail was sent later, nor any of the same sender that came before."""
        others = (
            one for one in self.people.letters.values() if one.message_id in counted or one.sender == letter.sender
        )
        return all(one.sent < letter.sent or one.message_id == letter.message_id for one in others)

    def _may_be_for(self, letter: Letter, phase: int) -> bool:
        """Whether a mail can be for a phase: the one of the mail that it cites, or one of which its writer had been
        told when it was received, or that they were asked about."""
        if letter.phase in (None, phase) or letter.received is None:
            return True
        told = [at for at, one in self._told[letter.by or letter.seat or 0] if one == phase]
        return bool(told) and min(told) <= letter.received

    def _phases_closed(self) -> None:
        rows = self.world.rows("SELECT id, game_id, adjudicated_at, result FROM phase WHERE adjudicated_at IS NOT NULL")
        for row in rows:
            known = self._phases.get(row.id)
            now = Closed(row.game_id, str(row.adjudicated_at), str(row.result))
            if known is None:
                self._phases[row.id] = now
                self.world.checks(Promise.ADJUDICATED_ONCE)
                self._adjudicated[row.game_id] += 1
                self._orders_in_time(row.id)
                self._fair.may_end(row.id, row.game_id)
                self.world.count("deadlines")
                self.world.count(f"deadlines with orders: {self._how_many_ordered(row.id)}")
            elif (known.at, known.result) != (now.at, now.result):
                raise Broken(f"phase {row.id} was adjudicated twice")

    def _how_many_ordered(self, phase: int) -> str:
        seats = [seat for (one, seat), mails in self._given.items() if one == phase and mails]
        return ("of nobody", "of one", "of several")[min(2, len(seats))]

    def _orders_in_time(self, phase: int) -> None:
        """Every mail that certainly was for this phase, and came before each of its deadlines, was counted."""
        rows = self.world.rows("SELECT due_at FROM deadline WHERE phase_id = :p AND kind = 'adjudicate'", p=phase)
        if not rows:
            return
        due = min(moment(row.due_at) for row in rows)
        for letter in self._certain(phase):
            counted = letter.message_id in self._given[phase, letter.seat or 0]
            in_time = letter.received is not None and letter.received <= due - abs(self.world.ways.drift)
            must = in_time and (counted or self._must(letter, due))
            self.world.checks(Promise.IN_TIME, must)
            self.world.checks(Promise.AT_THE_DEADLINE, must and letter.received == due)
            if must and not counted:
                raise Broken(
                    f"{letter.message_id} of {letter.sender}, which came {letter.received}, does not count for phase"
                    f" {phase} that was due {due}: {self.people.fate(letter)}"
                )

    def _certain(self, phase: int) -> list[Letter]:
        every = (part for one in self.people.letters.values() for part in one.parts)
        return [one for one in every if one.phase == phase and one.orders and one.seat]

    def _must(self, letter: Letter, due: datetime) -> bool:
        """Whether nothing excuses that a mail was not counted: the same person holds the seat at the same address, no
        newer mail of theirs replaced it, and the server's clock was right."""
        at = letter.by or letter.seat or 0
        rows = self.world.rows("SELECT serial, account_id FROM seat WHERE id = :s", s=at)
        newer = [
            one
            for one in self.people.letters.values()
            if one.message_id != letter.message_id
            and one.sent >= letter.sent
            and (one.part(letter.seat or 0).seat == letter.seat or one.kind == "odd")
            and (one.sender == letter.sender or one.by != letter.by)
        ]
        copies = self.world.rows(
            "SELECT id, received_at, done_at FROM inbox WHERE message_id = :m", m=letter.message_id
        )
        if any(moment(copy.received_at) > due for copy in copies):
            return False  # it was accepted twice in front, and the later copy reached the server first
        if (letter.cited is None or letter.to_press) and any(self.people.was_asked_about(copy.id) for copy in copies):
            return False  # it may be for the phase before, or press
        if any(moment(at) <= moment(copy.done_at or at) for at in self._left(letter) for copy in copies):
            return False  # the phase had been left by a rollback, of which a digest tells later
        right = self.world.skewed_until < letter.sent
        last = [one for then, one in self._told[at] if then <= (letter.received or then)]
        held = tuple(rows[0]) == letter.serial or (letter.kind == "digest" and rows[0].account_id == letter.serial[1])
        still = rows[0].account_id is not None  # a former deputy may go on writing
        return still and held and not newer and right and last[-1:] == [letter.phase]

    def _left(self, letter: Letter) -> list[Any]:
        """When the phase that a mail is for was left by rollbacks."""
        wanted = (
            "SELECT l.detail, l.at FROM log l JOIN phase p ON p.game_id = l.game_id WHERE p.id = :p"
            " AND l.kind = 'rollback'"
        )
        return [row.at for row in self.world.rows(wanted, p=letter.phase) if value(row.detail)["left"] == letter.phase]

    # ---- rest and end

    def rested(self) -> None:
        """After days without mail or faults everything is done."""
        self.look()
        self._held.rested()
        self._timing.rested()
        self._holders.given_up()
        self._rests.look(self._answers)

    def end(self) -> None:
        """What is looked at once."""
        logged = self.world.rows("SELECT game_id, count(*) AS n FROM log WHERE kind = 'adjudicate' GROUP BY game_id")
        for row in logged:
            if row.n != self._adjudicated[row.game_id]:
                raise Broken(f"game {row.game_id}: {row.n} adjudications of {self._adjudicated[row.game_id]} phases")
