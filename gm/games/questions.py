"""Questions to a person's own address, answered by reply with YES or NO; the server acts on the answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from typing import Any

from gm.games.limits import Spent
from gm.games.report_inputs import reader_of
from gm.games.snapshot import Game, Person, Seat
from gm.games.transaction import Envelope, Transaction
from gm.mail.message.addresses import mailto
from gm.reports.answers import Question
from gm.reports.render import render
from gm.reports.words import moment
from gm.store import records

WHOLE = "whole"
"""A whole mail waits for confirmation."""
LINES = "lines"
"""Some commands of a mail wait for confirmation; the rest was done."""
ADDRESS = "address"
"""A new address of a person waits for confirmation from that address."""

YES_NO = (("YES", "do it"), ("NO", "discard it"))


@dataclass(frozen=True, slots=True)
class Asked:
    """A question to the address `asked`, and what waits for the answer.

    `scope` is WHOLE, LINES or ADDRESS, `mail_id` the mail that waits. `answers` says what each reply does. The answer
    counts for `person`, at `seat` of `game` if they are given; with `bound_to_phase` only during the present phase.
    """

    mail_id: int
    scope: str
    asked: str
    title: str
    reasons: tuple[str, ...]
    lines: tuple[str, ...] = ()
    answers: tuple[tuple[str, str], ...] = YES_NO
    person: Person | None = None
    game: Game | None = None
    seat: Seat | None = None
    bound_to_phase: bool = False
    detail: Mapping[str, Any] = field(default_factory=dict)


def ask(tx: Transaction, what: Asked) -> bool:
    """Send the question; False, and nothing waits, if that address has reached its limit."""
    records.expire(tx.session, tx.now)
    if tx.allowance.used_up(Spent.QUESTIONS, what.asked) is not None:
        return False
    tx.allowance.charge(Spent.QUESTIONS, target=what.asked)
    last = tx.allowance.used_up(Spent.QUESTIONS, what.asked)
    until = tx.now + timedelta(days=tx.identity.trust.confirm_days)
    phase = what.game.phase if what.game is not None and what.bound_to_phase else None
    row = records.ask(
        tx.session,
        inbox_id=what.mail_id,
        scope=what.scope,
        asked=what.asked,
        account_id=what.person.id if what.person is not None else None,
        seat_id=what.seat.id if what.seat is not None else None,
        phase_id=phase.id if phase is not None else None,
        detail=what.detail,
        now=tx.now,
        expires_at=until,
    )
    records.set_token(tx.session, row, tx.identity.answer_hash(row.id))
    answer_to = tx.identity.answer_address(row.id)
    reader = replace(reader_of(tx.identity, what.person), reply_to=answer_to, mailto=partial(mailto, answer_to))
    if last is not None and last.until is not None:
        until_then = "Until then mail like this is set aside. Mail to your seat's secret address always counts."
        said = f"This is the last question before {moment(last.until, reader.zone)}. {until_then}"
        what = replace(what, reasons=(*what.reasons, said))
    name = what.game.name if what.game is not None else None
    due = what.game.due_at if phase is not None and what.game is not None else None
    if due is not None and due > tx.now:
        until = min(until, due)  # what it is about is of this phase only
    question = Question(reader, what.title, what.reasons, what.lines, what.answers, until, name or "")
    tx.post(render(question), Envelope(f"question:{row.id}", what.asked, answer_to, name))
    return True
