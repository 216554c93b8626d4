"""When a phase or a game may end: WAIT and READY, time for those who are late, and votes. Methods raise Broken."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from email import message_from_bytes, policy
from typing import Any, cast

from gm.clock import parse_duration
from gm.games.snapshot import Game, Seat
from gm.turn import AGREED, CONCEDED
from tests.simulation.faults import Broken
from tests.simulation.people import Letter, People
from tests.simulation.promises import Promise
from tests.simulation.rows import Newer, moment, value
from tests.simulation.world import World

PROCESSING = ("process", "accept late")
"""What gamemasters do by which a phase ends before its deadline."""
_MOVING = ("deadline", "extend", "resume", "set", "undo", "rollforward", "accept late", "outage")
"""What moves a deadline, or changes the rule for it."""
_WAITS = "will not be adjudicated before its deadline"
"""What the receipt of a WAIT says."""
_DAY = timedelta(days=1)


def said(raw: bytes) -> str:
    """The text of a mail, on one line."""
    body = cast(Any, message_from_bytes(raw, policy=policy.default)).get_body(("plain",))
    return " ".join(body.get_content().split()) if body is not None else ""


class Endings:
    """What was said of an early end, which deadlines have passed, and who has voted."""

    def __init__(self, world: World, people: People) -> None:
        self.world, self.people = world, people
        self._waiting: dict[tuple[int, int], tuple[Letter, datetime]] = {}
        """The mails by which a phase waits for its deadline, and since when, by phase and seat."""
        self._deadlines = Newer(
            world,
            "SELECT d.id, d.due_at, d.phase_id, g.name, p.opened_at FROM deadline d JOIN game g ON g.id = d.game_id"
            " JOIN phase p ON p.id = d.phase_id"
            " WHERE d.id > :last AND d.kind = 'adjudicate' AND d.announced ORDER BY d.id",
        )
        self._over: set[int] = set()

    def did(self, game: int, kinds: Sequence[str], since: datetime) -> bool:
        """Whether one of these things was done since then."""
        rows = self.world.rows("SELECT kind, at FROM log WHERE game_id = :g ORDER BY id DESC", g=game)
        return any(row.kind in kinds and moment(row.at) >= since for row in rows)

    def answered(self, letter: Letter, raw: bytes) -> None:
        """The receipt of a mail: WAIT counts if it says so."""
        certain = letter.phase is not None and letter.seat is not None
        if certain and letter.words == "WAIT" and _WAITS in said(raw):
            self._waiting[letter.phase or 0, letter.seat or 0] = letter, self.world.now

    # ---- a phase

    def early(self, phase: int, game: Game, opened: datetime, seats: Sequence[Seat]) -> None:
        """A phase ended before its deadline because all of `seats` had ordered: the game allows that, and nobody waits
        or has not said READY who must."""
        if game.options.sandbox:
            return  # its only player has said READY
        how = game.options.texts.get("early", "ready")
        self.world.checks(Promise.EARLY)
        if how == "no" or game.variant.review is not None:
            raise Broken(f"phase {phase} was adjudicated early, which {game.name} does not allow")
        if self.did(game.id, ("rollforward", "undo"), opened) or opened < self.world.start:
            return
        for seat in seats:
            mail, since = self._waiting.get((phase, seat.id), (None, opened))
            same = mail is not None and mail.serial == (seat.serial, seat.person.id if seat.person else None)
            if mail is not None and same and not self._was_ready(seat, since):
                raise Broken(f"phase {phase} was adjudicated early, and {seat.power} waits by {mail.message_id}")
            if how == "ready" and not self._was_ready(seat, opened):
                raise Broken(f"phase {phase} was adjudicated early, and {seat.power} has not said READY")

    def _was_ready(self, seat: Seat, opened: datetime) -> bool:
        """Whether a mail to this seat with READY was acted on since the phase was opened."""
        rows = self.world.rows("SELECT message_id, done_at FROM inbox WHERE done_at IS NOT NULL")
        done = {row.message_id for row in rows if moment(row.done_at) >= opened}
        answered = self.world.rows(
            "SELECT settled_at AS at FROM question WHERE seat_id = :s AND settled_at IS NOT NULL", s=seat.id
        )
        asked = any(moment(row.at) >= opened for row in answered)
        letters = (one for one in self.people.letters.values() if one.seat == seat.id and "READY" in one.words)
        return asked or any(one.message_id in done for one in letters)

    def closed(self, phase: int, game: Game, opened: datetime, missing: Sequence[Seat]) -> None:
        """A phase ended without the orders of `missing`: not before the time for late orders, and never if it waits
        for them."""
        if not missing or game.variant.review is not None or self.did(game.id, (*PROCESSING, "set"), opened):
            return
        options = game.options.texts
        self.world.checks(Promise.CLOSED)
        if options.get("nmr") == "wait":
            raise Broken(f"phase {phase} was adjudicated without orders of {missing[0].power}, and should wait")
        done = self.world.rows(
            "SELECT id FROM deadline WHERE phase_id = :p AND kind = 'adjudicate' AND done_at IS NOT NULL", p=phase
        )
        if options.get("grace", "none") != "none" and len(done) < 2:
            raise Broken(
                f"phase {phase} was adjudicated without orders of {missing[0].power}, and no time for late ones"
            )

    # ---- deadlines

    def look(self) -> None:
        """Deadlines that follow one that has passed; and games that are over."""
        for row in self._deadlines():
            self._follows(row)
        for row in self.world.rows(
            "SELECT id, name, victory, current_phase_id AS phase FROM game WHERE state = 'finished'"
        ):
            if row.id not in self._over:
                self._over.add(row.id)
                self._ended(row)

    def _follows(self, row: Any) -> None:
        """After a deadline that has passed without an end comes that for late orders, or one a day later."""
        before = self.world.rows(
            "SELECT due_at, done_at FROM deadline WHERE phase_id = :p AND kind = 'adjudicate' AND id < :i ORDER BY id",
            p=row.phase_id,
            i=row.id,
        )
        passed = [one for one in before if one.done_at is not None]
        game = self.world.game(row.name)
        if not passed or before[-1] is not passed[-1] or self.did(game.id, _MOVING, moment(row.opened_at)):
            return
        self.world.checks(Promise.FOLLOWS)
        options, due, then = game.options.texts, moment(row.due_at), moment(passed[-1].done_at)
        late = any(seat.power in game.duties and not game.has_ordered(seat) for seat in game.held)
        if options.get("grace", "none") != "none" and len(passed) == 1 and late:
            wanted = then + parse_duration(options["grace"])
            if abs(due - wanted) > timedelta(seconds=1):
                raise Broken(f"late orders for phase {row.phase_id} are accepted until {due}, and not until {wanted}")
        elif options.get("nmr") != "wait":
            raise Broken(f"phase {row.phase_id} was due {passed[-1].due_at}, and is now due {due}")
        elif not moment(passed[-1].due_at) + _DAY <= due <= max(then, moment(passed[-1].due_at)) + 3 * _DAY:
            raise Broken(f"phase {row.phase_id} waits from {passed[-1].due_at} until {due}")

    # ---- a game

    def _ended(self, row: Any) -> None:
        """A game that the players ended: every one of them who is left voted for it, and holds the seat still."""
        victory, game = value(row.victory), self.world.game(row.name)
        ends = {AGREED: "draw", CONCEDED: "concede"}
        kind = ends.get(str(victory["kind"]))
        position = game.position
        if kind is None or position is None:
            return
        self.world.count(f"games ended by {kind}")
        cast_by = {
            (vote.seat_id, vote.account_id): vote.value
            for vote in self.world.rows(
                "SELECT seat_id, account_id, value FROM vote WHERE phase_id = :p AND kind = :k", p=row.phase, k=kind
            )
        }
        winners = victory["winners"]
        for seat in game.held:
            out = seat.power is None or not (position.units_of(seat.power) or position.centers_of(seat.power))
            if out or seat.person is None or (kind == "concede" and seat.power in winners):
                continue
            vote = cast_by.get((seat.id, seat.person.id), "no")
            wanted = ("all survivors", ", ".join(sorted(winners))) if kind == "draw" else tuple(winners)
            self.world.checks(Promise.ENDED)
            if vote not in wanted or not self._voted(seat, kind):
                raise Broken(f"{game.name} ended by {kind} of {winners}, and {seat.power} voted for {vote}")

    def _voted(self, seat: Seat, kind: str) -> bool:
        """Whether the holder of the seat ever wrote that they vote for it."""
        word, mine = kind.upper(), seat.person.addresses if seat.person is not None else ()
        letters = (one for one in self.people.letters.values() if one.sender in mine and word in one.words)
        return any(f"NO {word}" not in one.words for one in letters)
