"""What the numbers of rows in a message are called: game, phase, power, and the mail with its Message-ID."""

from __future__ import annotations

import re
from collections.abc import Callable

from tests.simulation.world import World

_GAME = "SELECT name FROM game WHERE id = :n"
_PHASE = "SELECT p.code, g.name FROM phase p JOIN game g ON g.id = p.game_id WHERE p.id = :n"
_SEAT = "SELECT s.role, s.power, g.name FROM seat s JOIN game g ON g.id = s.game_id WHERE s.id = :n"
_NUMBERED = re.compile(r"\b(game|phase|seat) (\d+)\b")
_OURS = re.compile(r"\b[a-z]+(?:[:>][\w.@-]+)+")
"""What may be the server's own name for a mail of its own: `report:12:3`, `receipt:7`."""
_ANSWERED = ("receipt", "question", "trouble")
"""Kinds of mails whose name has the number of the mail that they are about."""


class Names:
    """Names rows of a world."""

    def __init__(self, world: World) -> None:
        self._world = world

    def explained(self, words: str) -> str:
        """A message with names for the numbers in it."""
        return _OURS.sub(self._replaced(self._mail), _NUMBERED.sub(self._replaced(self._row), words))

    @staticmethod
    def _replaced(name: Callable[[re.Match[str]], str]) -> Callable[[re.Match[str]], str]:
        def replaced(found: re.Match[str]) -> str:
            called = name(found)
            return f"{found[0]} ({called})" if called else found[0]

        return replaced

    def _row(self, found: re.Match[str]) -> str:
        what, number = found[1], int(found[2])
        statement = {"game": _GAME, "phase": _PHASE, "seat": _SEAT}[what]
        for row in self._world.rows(statement, n=number):
            own = row.code if what == "phase" else (row.power or row.role) if what == "seat" else ""
            return f"{own} of {row.name}" if own else str(row.name)
        return ""

    def _mail(self, found: re.Match[str]) -> str:
        """The newest mail of ours of this name; to which mail it is the answer; and whose game and seat it is about."""
        rows = self._world.rows(
            "SELECT o.message_id, o.seat_id, o.phase_id FROM outbox o WHERE o.purpose = :p ORDER BY o.id DESC LIMIT 1",
            p=found[0],
        )
        if not rows:
            return ""
        known, row = [str(rows[0].message_id)], rows[0]
        kind, *about = found[0].partition(">")[0].split(":")
        if kind in _ANSWERED and about[-1].isdecimal():
            question = "SELECT i.message_id FROM inbox i JOIN question q ON q.inbox_id = i.id WHERE q.id = :n"
            mail = question if kind == "question" else "SELECT message_id FROM inbox WHERE id = :n"
            known += [f"about {one.message_id}" for one in self._world.rows(mail, n=int(about[-1]))]
        for what, number in (("seat", row.seat_id), ("phase", row.phase_id)):
            named = self._row(_NUMBERED.match(f"{what} {number}")) if number is not None else ""  # type: ignore[arg-type]
            known += [named] if named else []
        return ", ".join(known)
