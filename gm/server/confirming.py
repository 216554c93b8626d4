"""The answer to a question: YES lets the mail that waits be acted on as if its sender stood before us, NO forgets it.

Whoever answers must know the token, which went to the registered address only, and write from an address of that
person. A question is answered once; a second answer, and one that comes too late, changes nothing and is told so.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

from sqlalchemy.orm import Session

from gm.commands.scene import Scene
from gm.games import ServerIdentity
from gm.games.post import Answering, post
from gm.games.questions import ADDRESS, LINES, WHOLE
from gm.games.report_inputs import reader_of
from gm.games.snapshot import Table
from gm.mail.message.addresses import CONFIRM, parse_seat_address, token_hash
from gm.mail.message.authentication import Authenticity
from gm.mail.message.incoming import Message, read_message
from gm.parsing.message import CommandLine, ParsedMessage
from gm.reports.context import Notice
from gm.reports.render import render
from gm.server.acting import act
from gm.server.answering import UNTRUSTED_ANSWERS_AN_HOUR, answer
from gm.server.identify import Identified, Standing
from gm.server.parse_body import read
from gm.store import game_rows, inbox, outbox, people, question_rows
from gm.store.inbox import InboxRow, InboxState
from gm.store.people import AccountRow
from gm.store.question_rows import QuestionRow

_YES = re.compile(r"\W*(?:yes|y|yep|ok|okay|confirm(?:ed)?|ja|oui|s[ií]|sim|tak)\b", re.IGNORECASE)
_ALWAYS = re.compile(r"\balways\b", re.IGNORECASE)
_NO = re.compile(r"\W*(?:no|n|nope|nein|non|nee|nej|nie|reject|cancel)\b", re.IGNORECASE)


def question_at(session: Session, office: ServerIdentity, letter: Message) -> QuestionRow | str | None:
    """The question this mail answers; "" when its address is a question's that never was, None for any other mail."""
    for address in letter.recipients:
        named = parse_seat_address(address, office.server.address)
        if named is not None and named[0] == CONFIRM:
            return question_rows.by_token_hash(session, token_hash(named[1])) or ""
    return None


def confirm(session: Session, office: ServerIdentity, letter: Message, mail: InboxRow, row: QuestionRow) -> str:
    """Take an answer to a question. Returns a note for the inbox row of the answer."""
    now = mail.received_at
    row = question_rows.take(session, row.id)
    sender = letter.sender or ""
    account = people.account_by_address(session, sender)
    scene = Scene(session, office, letter, mail.id, mail.received_at, now, sender, account)
    if sender != row.asked and (account is None or account.id != row.account_id):
        return _turn_away(scene)
    first = next((line for line in letter.text.splitlines() if line.strip()), "")
    if row.outcome in ("yes", "no"):
        said = f"This question was answered with {row.outcome.upper()}; nothing was changed now."
        return _reply(scene, "answered already", said)
    if row.outcome == "late" or row.expires_at <= now:
        _close(session, row, "late", scene)
        return _reply(scene, "too late", "The time to confirm this is over, and nothing was done. Send it again.")
    if _NO.match(first):
        _close(session, row, "no", scene)
        return _reply(scene, "forgotten", "It is forgotten; nothing was done.")
    if not _YES.match(first):
        how = "Nothing was done yet: write YES or NO in the first line of your answer."
        return _reply(scene, "not understood", how, reply_to=office.answer_address(row))
    waiting = inbox.mail_by_id(session, row.inbox_id)
    if row.scope == WHOLE and (waiting is None or waiting.state is not InboxState.QUARANTINED):
        question_rows.settle(session, row, "no", now)  # the operator dropped it, or another question was answered
        return _reply(scene, "dealt with already", "That mail was dealt with already; nothing was changed now.")
    _close(session, row, "yes", scene)
    if row.scope == ADDRESS:
        return _take_address(scene, row)
    if _ALWAYS.search(first) and "stranger" in row.detail and account is not None:
        stranger = str(row.detail["stranger"])
        if people.add_address(session, account.id, stranger, now) is not None:
            scene.say(f"{stranger} is an address of yours from now on.")
    return _act(scene, row)


def _close(session: Session, row: QuestionRow, outcome: str, scene: Scene) -> None:
    question_rows.settle(session, row, outcome, scene.now)
    state = InboxState.DONE if outcome == "yes" else InboxState.IGNORED
    note = f"confirmed by mail {scene.mail_id}" if outcome == "yes" else f"answered {outcome} by mail {scene.mail_id}"
    inbox.close_quarantined(session, row.inbox_id, state, scene.now, note)


def _act(scene: Scene, row: QuestionRow) -> str:
    """Act on what waited, as its holder's: the whole mail, or the lines that were put off."""
    session = scene.session
    waiting = inbox.mail_by_id(session, row.inbox_id)
    if waiting is None:
        raise LookupError(f"question {row.id} has lost its mail")
    original = read_message(waiting.raw, envelope_from=waiting.envelope_from, recipients=waiting.recipients)
    scene.letter = replace(original, message_id=scene.letter.message_id, references=scene.letter.references)
    if row.seat_id is not None and (seat := game_rows.seat_by_id(session, row.seat_id)) is not None:
        if scene.account is None or seat.account_id != scene.account.id:
            return _reply(scene, "not done", "Your seat has changed hands since then, so nothing was done.")
        scene.seat, scene.table = seat, Table(session, game_rows.lock_game(session, seat.game_id), seat)
        session.refresh(seat)
    table = scene.table
    if row.phase_id is not None and (table is None or table.phase is None or table.phase.id != row.phase_id):
        return _reply(scene, "too late", "Another phase is being played by now, so nothing was done. Send it afresh.")
    parsed = read(original.text, table)
    if row.scope == LINES:
        parsed = _only(parsed, row.detail["lines"])
    acted = act(scene, parsed)
    seated = scene.seat is not None
    standing = Standing.SEATED if seated else Standing.REGISTERED if scene.account is not None else Standing.STRANGER
    return answer(Identified(scene, standing, Authenticity.PASS), acted) or f"confirmed mail {row.inbox_id}"


def _only(parsed: ParsedMessage, lines: list[int]) -> ParsedMessage:
    """The commands on these lines, and those that choose the game they speak of."""
    return ParsedMessage(
        tuple(
            item
            for item in parsed.items
            if isinstance(item, CommandLine) and (item.line in lines or item.command.name == "game")
        )
    )


def _take_address(scene: Scene, row: QuestionRow) -> str:
    """The address that was asked belongs to the person who named it; his other addresses are told."""
    session, account_id = scene.session, row.account_id
    if account_id is None:
        raise LookupError(f"question {row.id} has lost its account")
    (account,) = people.accounts_by_id(session, [account_id])
    others = people.addresses_of(session, account_id)
    if people.add_address(session, account_id, row.asked, scene.now) is None and row.asked not in others:
        return _reply(scene, "not done", f"{row.asked} is registered for somebody already.")
    if row.detail.get("prefer"):
        people.prefer_address(session, account_id, row.asked, scene.now)
    news = f"{row.asked} is an address of {account.name} now" + (
        ", and mail goes there from now on." if row.detail.get("prefer") else "."
    )
    scene.account = account
    scene.note("address", added=row.asked)
    for other in others:
        _tell(scene, other, account, news)
    return _reply(scene, "done", news)


def _tell(scene: Scene, recipient: str, account: AccountRow, news: str) -> None:
    notice = Notice(
        reader_of(scene.office, account),
        "another address",
        (news, "If you did not ask for this, answer with ADDRESS REMOVE and the address."),
    )
    post(
        scene.session,
        scene.office,
        render("player/notice", notice),
        purpose=f"address:{scene.mail_id}:{recipient}",
        recipient=recipient,
        now=scene.now,
        reply_to=scene.office.server.address,
    )


def _turn_away(scene: Scene) -> str:
    """Somebody else answers, or the right person from an address that is not known as his."""
    hour_ago = scene.now - timedelta(hours=1)
    if outbox.sent_since(scene.session, scene.sender, hour_ago, "receipt:") >= UNTRUSTED_ANSWERS_AN_HOUR:
        return "not who was asked, and had his answers for this hour"
    words = "Nothing was done: this question was asked of another address. Answer it from the address it came to."
    return _reply(scene, "not asked of you", words)


def _reply(scene: Scene, title: str, words: str, reply_to: str = "") -> str:
    """A short answer to the answer. Returns the note for its inbox row."""
    notice = Notice(reader_of(scene.office, scene.account), title, (words,))
    post(
        scene.session,
        scene.office,
        render("player/notice", notice),
        purpose=f"receipt:{scene.mail_id}",
        recipient=scene.sender,
        now=scene.now,
        reply_to=reply_to or scene.office.server.address,
        answering=Answering(scene.letter.message_id, tuple(scene.letter.references)),
    )
    return title
