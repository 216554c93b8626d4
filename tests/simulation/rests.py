"""What is so after days without mail or faults: everything is done, and comes out the same again. Every method raises
Broken.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from gm.cli.verify import replay
from gm.games import loading
from gm.play.export import chronicle_of
from tests.simulation.faults import Broken
from tests.simulation.people import People
from tests.simulation.promises import Promise
from tests.simulation.rows import moment
from tests.simulation.world import World


class Rests:
    """Looks at a server that has nothing to do."""

    def __init__(self, world: World, people: People) -> None:
        self.world, self.people = world, people

    def look(self, answers: Mapping[str, int]) -> None:
        """Look at everything; `answers`: how many there were to each mail."""
        left = {
            "mails in the inbox": "SELECT message_id, address, state FROM inbox WHERE state IN ('new', 'unchecked')",
            "mails in the outbox": "SELECT message_id, recipient, purpose FROM outbox WHERE state = 'queued'",
            "owed reports": "SELECT phase_id, seat_id, kind FROM report_queue WHERE done_at IS NULL",
        }
        for what, statement in left.items():
            self.world.checks(Promise.DRAINED)
            if found := self.world.rows(statement):
                raise Broken(f"{len(found)} {what} are left after six quiet days: {found[:3]}")
        if self.world.front.waiting:
            raise Broken(f"{self.world.front.waiting} mails wait in front of the server after six quiet days")
        if self.world.ways.polls and (there := self.world.mailbox.there("INBOX")):
            raise Broken(f"{len(there)} mails are left in the mailbox")
        overdue = self.world.rows(
            "SELECT d.due_at, d.kind, g.name FROM deadline d JOIN game g ON g.id = d.game_id WHERE d.done_at IS NULL"
            " AND NOT d.cancelled AND g.state = 'running'"
        )
        for row in overdue:
            if moment(row.due_at) < self.world.now - timedelta(hours=2):
                raise Broken(f"a deadline ({row.kind}) of {row.name}, {row.due_at}, was never met")
        for row in self.world.rows(
            "SELECT message_id, recipient, purpose FROM outbox WHERE state = 'sent' AND recipient <> ''"
        ):
            self.world.checks(Promise.ARRIVED)
            if (row.message_id, row.recipient) not in self.world.arrived:
                raise Broken(
                    f"{row.purpose} to {row.recipient}, {row.message_id}, is marked as sent, and never arrived"
                )
        self._all_answered(answers)
        self._verify()

    def _all_answered(self, answers: Mapping[str, int]) -> None:
        """Every mail that asks for something was answered, or is listed with a reason."""
        refused = {mail.raw for mail in self.world.front.bounced}
        for letter in self.people.letters.values():
            if not letter.asks or letter.received is None:
                continue
            self.world.checks(Promise.ANSWERED)
            letter.asks = False
            if answers.get(letter.message_id):
                continue
            rows = self.world.rows("SELECT id, state, note FROM inbox WHERE message_id = :m", m=letter.message_id)
            listed = any(row.note or self._was_thinned(row) or self.people.was_asked_about(row.id) for row in rows)
            told = letter.message_id.encode() in b"".join(refused)
            if not listed and not told:
                raise Broken(
                    f"{letter.kind} {letter.message_id} of {letter.sender} was not answered: {self.people.fate(letter)}"
                )

    def _was_thinned(self, row: Any) -> bool:
        """Whether the answer to a mail was there, and its writer was forgotten before anybody looked."""
        purpose = f"thinned:{hashlib.sha256(f'receipt:{row.id}'.encode()).hexdigest()}"
        return bool(self.world.rows("SELECT 1 AS one FROM outbox WHERE purpose = :p", p=purpose))

    def _verify(self) -> None:
        """Every game's draws and turns come out the same again."""
        with self.world.database.reading() as session:
            for game in loading.load(session, loading.IN_STATES, {"states": ("running", "finished", "aborted")}):
                for finding in replay(chronicle_of(session, game), bytes.fromhex(game.seed)):
                    self.world.checks(Promise.VERIFIED)
                    if finding.faults:
                        raise Broken(f"{game.name}, {finding.title}: {finding.faults[0]}")
        self.world.count("verified")
