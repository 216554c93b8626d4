"""What moves a deadline: EXTEND by so much, motions that enough players voted for, UNDO, and SCHEDULE at its time.
Every method raises Broken.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from tests.simulation.faults import Broken
from tests.simulation.people import People
from tests.simulation.promises import Promise
from tests.simulation.rows import Newer, moment, value
from tests.simulation.world import World

_EXTENDED = timedelta(hours=12)
"""By how much everybody extends (`actors`, `others`)."""
_IN_HOURS = re.compile(r"SCHEDULE in (\d+)h:")
_SOON = timedelta(minutes=2)


class Timing:
    """Looks at what is new in the log, and at scheduled commands."""

    def __init__(self, world: World, people: People, mails: Mapping[int, str]) -> None:
        self.world, self.people, self._mails = world, people, mails
        self._log = Newer(
            world,
            "SELECT l.id, l.game_id, l.kind, l.detail, l.at, s.role FROM log l LEFT JOIN seat s ON s.id = l.seat_id"
            " WHERE l.id > :last ORDER BY l.id",
        )
        self._scheduled = Newer(world, "SELECT id, inbox_id, due_at, line FROM scheduled WHERE id > :last ORDER BY id")

    def look(self) -> None:
        """All that is new."""
        rows = self._log()
        newest = {row.game_id: row.id for row in rows}
        for row in rows:
            if row.kind == "extend":
                self._extended(row, value(row.detail))
            elif row.kind == "undo" and newest[row.game_id] == row.id:
                self._undone(row, value(row.detail))
        for row in self._scheduled():
            self._put_on_the_agenda(row)

    def _extended(self, row: Any, detail: dict[str, Any]) -> None:
        """A gamemaster moved a deadline, or the time that a paused game has left, by what they wrote; or players did,
        of whom more than half had voted for it.
        """
        self.world.checks(Promise.EXTENDED)
        if "due" not in detail:
            left, to = detail["undo"]["left"] or 0, detail["undo"]["to"]
            if timedelta(seconds=to - left) != _EXTENDED:
                raise Broken(f"game {row.game_id}, which is paused, had {left} seconds left and has {to}")
            return
        due, before = datetime.fromisoformat(detail["due"]), detail["undo"]["due"]
        there = self.world.rows("SELECT due_at FROM deadline WHERE game_id = :g", g=row.game_id)
        if not any(moment(one.due_at) == due for one in there):
            raise Broken(f"game {row.game_id} was extended to {due}, and has no such deadline")
        if row.role == "master":
            if before is not None and due - datetime.fromisoformat(before) != _EXTENDED:
                raise Broken(f"game {row.game_id} was extended from {before} to {due}, and not by {_EXTENDED}")
            return
        name = self.world.rows("SELECT name FROM game WHERE id = :g", g=row.game_id)[0].name
        game = self.world.game(name)
        wrote = {one.seat for one in self.people.letters.values() if one.game == name and "EXTEND" in one.words}
        if 2 * len(wrote) <= len(game.voters):
            raise Broken(f"{name} was extended by a vote of {len(wrote)} of {len(game.voters)}")

    def _undone(self, row: Any, detail: dict[str, Any]) -> None:
        """What was done last is as it was before."""
        done = self.world.rows("SELECT kind, detail FROM log WHERE id = :i", i=detail["of"])[0]
        undo = value(done.detail)["undo"]
        game = self.world.rows(
            "SELECT g.paused_at, d.due_at FROM game g LEFT JOIN deadline d ON d.phase_id = g.current_phase_id"
            " AND d.kind IN ('adjudicate', 'review') AND d.done_at IS NULL AND NOT d.cancelled WHERE g.id = :g",
            g=row.game_id,
        )[0]
        self.world.count(f"undone: {done.kind}")
        self.world.checks(Promise.UNDONE, done.kind in ("deadline", "extend", "pause", "resume"))
        if done.kind in ("deadline", "extend") and undo["due"] is not None:
            due = moment(game.due_at) if game.due_at is not None else None
            if due != datetime.fromisoformat(undo["due"]):
                raise Broken(f"after UNDO of {done.kind} game {row.game_id} is due {due}, and not {undo['due']}")
        elif done.kind in ("pause", "resume") and (game.paused_at is None) != (done.kind == "pause"):
            raise Broken(f"after UNDO of {done.kind} game {row.game_id} is paused since {game.paused_at}")

    # ---- scheduled commands

    def _put_on_the_agenda(self, row: Any) -> None:
        """A command is to be carried out so many hours after its mail was acted on as it says."""
        letter = self.people.letters.get(self._mails.get(row.inbox_id or 0, ""))
        asked = _IN_HOURS.search(letter.words) if letter is not None else None
        mail = self.world.rows("SELECT done_at FROM inbox WHERE id = :i", i=row.inbox_id or 0)
        if asked is None or not mail or mail[0].done_at is None:
            return
        self.world.checks(Promise.SCHEDULED)
        wanted = moment(mail[0].done_at) + timedelta(hours=int(asked[1]))
        if abs(moment(row.due_at) - wanted) > _SOON:
            raise Broken(f"{row.line} is scheduled for {row.due_at}, and not for {wanted}")

    def told(self, purpose: str) -> None:
        """A mail says that a scheduled command was carried out: not before its time."""
        row = self.world.rows("SELECT line, due_at FROM scheduled WHERE id = :i", i=int(purpose.split(":")[1]))[0]
        ahead = max(self.world.ways.drift, timedelta()) + timedelta(seconds=1)
        self.world.count("scheduled commands carried out")
        self.world.checks(Promise.CARRIED_OUT)
        if not self.world.skew and moment(row.due_at) > self.world.now + ahead:
            raise Broken(f"{row.line}, scheduled for {row.due_at}, was carried out at {self.world.now}")

    def rested(self) -> None:
        """Nothing that was scheduled waits in a game that is played."""
        rows = self.world.rows(
            "SELECT s.line, s.due_at FROM scheduled s JOIN game g ON g.id = s.game_id WHERE s.done_at IS NULL"
            " AND g.state = 'running'"
        )
        for row in rows:
            if moment(row.due_at) < self.world.now - timedelta(hours=2):
                raise Broken(f"{row.line}, scheduled for {row.due_at}, was never carried out")
