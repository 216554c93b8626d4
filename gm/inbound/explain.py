"""What became of each line of a mail: its rows, as they come out of processing it (`gm.reading.line`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from gm.commands import COMMANDS
from gm.games.identity import DigestAddress, QuestionAddress, SeatAddress, destination_at
from gm.games.transaction import Transaction
from gm.inbound import intake
from gm.inbound.contents import message_of
from gm.mail.message.attribution import DEVICE, Introductions
from gm.mail.message.incoming import Message
from gm.mail.message.mending import OURS_BELOW
from gm.mail.message.text import Line
from gm.reading.line import Kind, Reason
from gm.reading.rows import Row, rows, shown
from gm.server import Server
from gm.store import inbox
from gm.store.inbox import InboxRow, InboxState


@dataclass(frozen=True, slots=True)
class Explained:
    """What became of a mail; `released` are the rows of the mail that it has released, as an answer to a question."""

    state: InboxState
    note: str
    rows: tuple[Row, ...]
    released: tuple[Row, ...] = ()


class _Undone(Exception):
    """Everything is rolled back."""


def explain(server: Server, number: int) -> Explained | None:
    """What would become of a mail that arrived, if it were received now; nothing is done. None if there is none."""
    found: list[Explained] = []
    try:
        with server.transaction() as tx:
            row = inbox.mail_by_id(tx.session, number)
            if row is not None:
                message = message_of(row, tx.identity)
                state, note = intake.receive(tx, row, message)
                found.append(explained(tx, row, message, state, note))
            raise _Undone
    except _Undone:
        return found[-1] if found else None


def explained(tx: Transaction, row: InboxRow, message: Message, state: InboxState, note: str) -> Explained:
    """The rows of a mail that was received, in its transaction."""
    destination = destination_at(row.address, tx.identity)
    found = tx.seat_at(destination.token) if isinstance(destination, SeatAddress) else None
    game = found[0].name.lower() if found is not None else ""
    answers = isinstance(destination, QuestionAddress)
    text = message.text if tx.own_text is None else tx.own_text
    fates = rows(tx.lines, "" if answers else text, game, _is_question)
    if answers:
        return Explained(state, note, tuple(_whole(message, Kind.ACT, "answer")), fates)
    if fates:
        return Explained(state, note, tuple(_of_programs(fates)))
    if isinstance(destination, DigestAddress):
        return Explained(state, note, tuple(_whole(message, Kind.ACT, "elsewhere")))
    if state is InboxState.IGNORED:
        return Explained(state, note, tuple(_whole(message, Kind.TALK, "ignored")))
    return Explained(state, note, tuple(_whole(message, Kind.REFUSE, "whole-mail")))


def _of_programs(found: Sequence[Row]) -> Iterator[Row]:
    """The rows; what a mail program writes above a quotation, or below all mails, among those that are quoted."""
    lines = [Line(row.text, 0, row.text) for row in found]
    introductions, introduced = Introductions(lines), 0
    for at, row in enumerate(found):
        quoted = row.reason == Reason.QUOTED_TALK.code
        introduced = max(introduced, introductions.below(at)) if quoted else introduced
        written = quoted and (at < introduced or DEVICE.fullmatch(row.text) or OURS_BELOW.fullmatch(row.text))
        yield replace(row, origin="program", fate=Kind.OURS, reason="program") if written else row


def _is_question(name: str) -> bool:
    return COMMANDS[name].syntax.asks


def _whole(message: Message, kind: Kind, reason: str) -> Iterator[Row]:
    """The rows of a mail that was dealt with as a whole."""
    for number, text in enumerate(message.text.split("\n"), 1):
        if text.strip():
            yield Row(number, "own", "-", "-", kind, reason, shown(text))
