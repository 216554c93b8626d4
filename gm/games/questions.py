"""Questions to a person's own address, answered by reply with YES or NO; what a yes does is the service's matter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy.orm import Session

from gm.games import ServerIdentity
from gm.games.post import post
from gm.games.report_inputs import reader_of
from gm.games.snapshot import Table
from gm.reports.context import Question
from gm.reports.render import render
from gm.store import question_rows
from gm.store.game_rows import SeatRow
from gm.store.people import AccountRow
from gm.store.question_rows import QuestionRow

WHOLE = "whole"
"""A whole mail waits."""
LINES = "lines"
"""Some commands of a mail wait; the rest was done."""
ADDRESS = "address"
"""An address is to be somebody's from now on; the address itself is asked."""

QUESTIONS_AN_HOUR = 10
"""To one address: nobody is flooded with questions that somebody else's mails raise."""

YES_NO = (("YES", "it is done"), ("NO", "it is forgotten"))

_SHOWN, _LONGEST = 40, 200
"""How much of a mail stands in the question: lines, and letters of each."""


def ask(
    session: Session,
    office: ServerIdentity,
    *,
    mail_id: int,
    scope: str,
    asked: str,
    title: str,
    reasons: tuple[str, ...],
    now: datetime,
    lines: tuple[str, ...] = (),
    answers: tuple[tuple[str, str], ...] = YES_NO,
    account: AccountRow | None = None,
    table: Table | None = None,
    seat: SeatRow | None = None,
    bound_to_phase: bool = False,
    detail: Mapping[str, Any] | None = None,
) -> QuestionRow | None:
    """Ask the address `asked`; None when it was asked too often in the last hour, and nothing waits then."""
    question_rows.expire(session, now)
    if question_rows.asked_since(session, asked, now - timedelta(hours=1)) >= QUESTIONS_AN_HOUR:
        return None
    until = now + timedelta(days=office.trust.confirm_days)
    phase = table.phase if table is not None and bound_to_phase else None
    row = question_rows.ask(
        session,
        inbox_id=mail_id,
        scope=scope,
        asked=asked,
        account_id=account.id if account is not None else None,
        seat_id=seat.id if seat is not None else None,
        phase_id=phase.id if phase is not None else None,
        detail=detail,
        now=now,
        expires_at=until,
    )
    question_rows.set_token(session, row, office.answer_hash(row))
    answer_to = office.answer_address(row)
    reader = replace(reader_of(office, account), reply_to=answer_to)
    game = table.game.name if table is not None else ""
    shown = tuple(line if len(line) <= _LONGEST else f"{line[:_LONGEST]} ..." for line in lines[:_SHOWN])
    if len(lines) > _SHOWN:
        shown += (f"... and {len(lines) - _SHOWN} more lines",)
    post(
        session,
        office,
        render("player/question", Question(reader, title, reasons, shown, answers, until, game)),
        purpose=f"question:{row.id}",
        recipient=asked,
        now=now,
        reply_to=answer_to,
        game=game or None,
    )
    return row
