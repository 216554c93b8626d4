"""What players write to each other: press is stored as it was written, and arrives whole with all to whom it was
written, at once or, by post, in the next report. Every method raises Broken.
"""

from __future__ import annotations

import re
from typing import Any

from gm.play.ending import CHANGE, REASON
from tests.simulation.endings import said
from tests.simulation.faults import Broken
from tests.simulation.people import Letter, People
from tests.simulation.promises import Promise
from tests.simulation.rows import Newer, value
from tests.simulation.world import World

_BLOCK = re.compile(r"PRESS TO [^\n]+\n(.*?)\nENDPRESS", re.DOTALL)
_SENT = re.compile(r"press to [^.]* sent", re.IGNORECASE)
"""What the answer to press says."""


def texts_of(letter: Letter) -> list[str]:
    """What a mail has for others, with spaces for line ends: what stands between two lines, or all of it if it answers
    press."""
    return [" ".join(text.split()) for text in _BLOCK.findall(letter.words) or [letter.words]]


class PassedOn:
    """Looks at press that is new, and at the reports that bring press by post."""

    def __init__(self, world: World, people: People) -> None:
        self.world, self.people = world, people
        self._press = Newer(
            world,
            "SELECT p.id, p.game_id, p.phase_id, p.body, p.to_powers, p.manner, f.id AS seat, f.account_id AS author,"
            " f.role, f.deputy_of, a.email FROM press p JOIN seat f ON f.id = p.from_seat_id"
            " LEFT JOIN address a ON a.account_id = f.account_id WHERE p.id > :last ORDER BY p.id",
        )
        self._by_post: dict[tuple[int, int], list[tuple[int, str]]] = {}
        """The press by post that a seat is to find in its report of a phase."""
        self._stored: set[str] = set()

    def look(self) -> None:
        """All press that is new."""
        fresh = self._press()
        if not fresh:
            return
        written = {text for letter in self.people.letters.values() for text in texts_of(letter)}
        for row in fresh:
            text = " ".join(row.body.split())
            self._stored.add(text)
            told = {REASON, CHANGE} & {*(row.manner or "").split()}  # what a command says above the next report
            if text not in written and not told:
                raise Broken(f"press {row.id} of {row.email} in game {row.game_id} is {text!r}, which nobody wrote")
            self._goes_to_all(row, text)

    def _goes_to_all(self, row: Any, text: str) -> None:
        """Every player and gamemaster who is named gets it, unless they have stopped press from its author."""
        named = value(row.to_powers)
        for seat in self.world.rows(
            "SELECT id, power, role, muted, account_id FROM seat WHERE game_id = :g AND role IN ('player', 'master')"
            " AND account_id IS NOT NULL AND id <> :s",
            g=row.game_id,
            s=row.seat,
        ):
            wanted = {"ALL", seat.power, "GM" if seat.role == "master" else "ALL"} & set(named)
            if not wanted or (row.author in value(seat.muted) and row.role != "master") or seat.id == row.deputy_of:
                continue
            if "postal" in (row.manner or ""):
                self._by_post.setdefault((row.phase_id, seat.id), []).append((seat.account_id, text))
                continue
            self.world.checks(Promise.PRESS_WHOLE)
            if not self.world.rows("SELECT id FROM outbox WHERE purpose = :p", p=f"press:{row.id}:{seat.id}"):
                raise Broken(f"press {row.id} of {row.email} to {named}, {text!r}, does not go to seat {seat.id}")

    def queued(self, row: Any, raw: bytes) -> None:
        """A mail of ours that is new: with press, or a report."""
        kind, *about = row.purpose.split(":")
        if kind == "press":
            stored = self.world.rows("SELECT body FROM press WHERE id = :p", p=int(about[0]))[0]
            self._has(row, raw, " ".join(stored.body.split()))
        elif kind == "report" and about[-1].isdecimal():
            waiting = self._by_post.pop((int(about[-2]), int(about[-1])), [])
            holder = self.world.rows("SELECT account_id FROM seat WHERE id = :s", s=int(about[-1]))[0].account_id
            for account, text in waiting:
                if account == holder:
                    self.world.checks(Promise.POSTAL)
                    self._has(row, raw, text)

    def _has(self, row: Any, raw: bytes, text: str) -> None:
        if text not in said(raw):
            raise Broken(f"{row.purpose} to {row.recipient} does not have all of the press {text!r}")

    def answered(self, letter: Letter, raw: bytes) -> None:
        """The answer to a mail: press that it says was sent is there."""
        if "PRESS TO" not in letter.words or not _SENT.search(said(raw)):
            return
        for text in texts_of(letter):
            if text not in self._stored:
                raise Broken(f"{letter.message_id} of {letter.sender} is told that press was sent, and {text!r} is not")
