"""Answers made ready for their templates: receipts, refusals, STATUS, LIST, HELP, and trouble for the gamemaster."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from gm.board import Power
from gm.reports.centers import unit_count, winter
from gm.reports.context import (
    GameList,
    HelpListing,
    HelpTopic,
    Part,
    Passage,
    Question,
    Receipt,
    Refusal,
    RefusedLine,
    StatusAnswer,
    TalkLine,
    Trouble,
)
from gm.reports.held import HeldPage, held_page
from gm.reports.tasks import next_phase
from gm.reports.words import WIDTH, counted, full_moment
from gm.views import View


@dataclass(frozen=True, slots=True)
class Complaint:
    """A refused line: its place, its text cut to the width, a caret under the fault, the problem and the remedy."""

    where: str
    text: str
    caret: str
    problem: str
    remedy: str


def complaint(line: RefusedLine) -> Complaint:
    """A refused line ready to be shown."""
    text, caret = _pointed(line.text, line.column)
    where = f"Line {line.number}" if line.number else ""
    return Complaint(where, text, caret, line.problem, line.remedy)


_SHOWN = WIDTH - 4


def _pointed(text: str, column: int | None) -> tuple[str, str]:
    """The line, cut where it is too long for one line of ours, and the caret line ("" without a column)."""
    text = "".join(" " if char.isspace() else char for char in text.rstrip())
    at = min(max(column or 1, 1) - 1, len(text))
    if len(text) > _SHOWN:
        start = max(0, min(at - _SHOWN // 2, len(text) - _SHOWN))
        before, after = "…" if start else "", "…" if start + _SHOWN < len(text) else ""
        text, at = before + text[start + len(before) : start + _SHOWN - len(after)] + after, at - start
    return text, " " * at + "^" if column is not None else ""


@dataclass(frozen=True, slots=True)
class StatusPage:
    """The state of a game."""

    kind: ClassVar[str] = "status"
    subject: str
    heading: str
    state: str
    phase: str
    due: str
    seats: tuple[tuple[str, ...], ...]
    held: HeldPage | None
    terms: tuple[tuple[str, str], ...]


def status_page(context: StatusAnswer) -> StatusPage:
    """The state of a game."""
    game, view = context.game, context.view
    code = f" ({view.position.phase.code})" if view is not None else ""
    return StatusPage(
        subject=f"[{game.name}] Status{code}",
        heading=f"Status of {game.name} ({game.variant})",
        state=context.state,
        phase=f"Next to be adjudicated: {next_phase(view.position.phase)}." if view is not None else "",
        due=f"Deadline: {full_moment(context.deadline, context.reader.zone)}." if context.deadline is not None else "",
        seats=_seat_table(context),
        held=held_page(game, context.reader, replace(context.held, deadline=None)) if context.held else None,
        terms=context.terms,
    )


def _seat_table(context: StatusAnswer) -> tuple[tuple[str, ...], ...]:
    """A head and a row for each power, without empty columns."""
    head = ("Power", "Centres", "Units", "Winter", "Orders", "Player")
    rows = [(seat.power, *_numbers(context.view, seat.power), seat.orders, seat.player) for seat in context.seats]
    kept = [column for column in range(len(head)) if any(row[column] for row in rows)]
    return tuple(tuple(row[column] for column in kept) for row in (head, *rows)) if rows else ()


def _numbers(view: View | None, power: Power) -> tuple[str, str, str]:
    if view is None:
        return "", "", ""
    return f"{len(view.position.centers_of(power)):2}", f"{unit_count(view, power):2}", winter(view, power)


@dataclass(frozen=True, slots=True)
class ListPage:
    """The games of this server."""

    kind: ClassVar[str] = "list"
    subject: str
    games: tuple[tuple[str, str], ...]


def list_page(context: GameList) -> ListPage:
    """The games of this server."""
    games = []
    for game in context.games:
        due = f", due {full_moment(game.deadline, context.reader.zone)}" if game.deadline is not None else ""
        phase = f", {game.phase}" if game.phase else ""
        games.append((game.name, f"{game.variant}, {game.state}{phase}{due}"))
    return ListPage("Games of this server", tuple(games))


@dataclass(frozen=True, slots=True)
class HelpPage:
    """The commands, each with one line."""

    kind: ClassVar[str] = "help"
    subject: str
    topics: tuple[tuple[str, str], ...]


def help_page(context: HelpListing) -> HelpPage:
    """The commands, each with one line."""
    return HelpPage("Help: the commands", context.topics)


@dataclass(frozen=True, slots=True)
class TopicPage:
    """One topic of HELP."""

    kind: ClassVar[str] = "topic"
    subject: str
    text: str


def topic_page(context: HelpTopic) -> TopicPage:
    """One topic of HELP."""
    return TopicPage(f"Help: {context.name.upper()}", context.text.strip("\n"))


PartPage = StatusPage | ListPage | HelpPage | TopicPage


def part_page(part: Part) -> PartPage:
    """The page of an answer that a receipt carries along."""
    match part:
        case StatusAnswer():
            return status_page(part)
        case GameList():
            return list_page(part)
        case HelpListing():
            return help_page(part)
        case HelpTopic():
            return topic_page(part)
        case Passage():
            return TopicPage(part.title, part.text.strip("\n"))


@dataclass(frozen=True, slots=True)
class ReceiptPage:
    """The one answer to one mail."""

    subject: str
    summary: str
    done: tuple[str, ...]
    held: HeldPage | None
    refused: tuple[Complaint, ...]
    talk: tuple[tuple[str, str], ...]
    quoted: tuple[str, ...]
    faults: tuple[str, ...]
    parts: tuple[PartPage, ...]


def receipt_page(context: Receipt) -> ReceiptPage:
    """The one answer to one mail."""
    held = held_page(context.game, context.reader, context.held) if context.game and context.held else None
    return ReceiptPage(
        subject=_receipt_subject(context, held),
        summary=_summary(context, held),
        done=context.done,
        held=held,
        refused=tuple(complaint(line) for line in context.refused),
        talk=tuple(_talk_row(line) for line in context.talk),
        quoted=context.quoted,
        faults=context.faults,
        parts=tuple(part_page(part) for part in context.parts),
    )


def _talk_row(line: TalkLine) -> tuple[str, str]:
    return (f"Line {line.number}:", line.text)


def _receipt_subject(context: Receipt, held: HeldPage | None) -> str:
    """The state of the orders, if there are any; otherwise the subject of the mail answered."""
    refused = f", {_lines(len(context.refused))} not acted on" if context.refused else ""
    if context.game is not None and held is not None:
        return f"[{context.game.name}] {held.phase}: {held.state}{refused}"
    given = context.subject.strip()
    if given:
        return given if given.lower().startswith("re:") else f"Re: {given}"
    return f"[{context.game.name}] Your mail" if context.game is not None else "Your mail to the gamemaster"


def _lines(count: int) -> str:
    return counted(count, "line", digits=True)


def _summary(context: Receipt, held: HeldPage | None) -> str:
    """The outcome in a sentence or two, so that the first lines of the mail already say whether all is well."""
    state = f" {held.phase}: {held.state}." if held is not None else ""
    if context.refused:
        return f"{_lines(len(context.refused))} could not be acted on, see below; everything else was accepted.{state}"
    if context.faults:
        return f"There is a problem with your mail, see below.{state}"
    if held is not None or context.done or context.parts:
        return f"Your mail was understood.{state}"
    return "Your mail contained no order or command, so nothing was changed. HELP lists the commands."


@dataclass(frozen=True, slots=True)
class RefusalPage:
    """A mail on which nothing could be done."""

    subject: str
    problem: str
    remedy: str


def refusal_page(context: Refusal) -> RefusalPage:
    """A mail on which nothing could be done."""
    given = context.subject.strip()
    prefix = f"[{context.game}] " if context.game else ""
    return RefusalPage(
        subject=f"Re: {given.removeprefix('Re: ')}" if given else f"{prefix}Your mail could not be acted on",
        problem=context.problem,
        remedy=context.remedy,
    )


@dataclass(frozen=True, slots=True)
class TroublePage:
    """Something failed on this server."""

    subject: str
    problem: str
    remedy: str
    detail: str


def trouble_page(context: Trouble) -> TroublePage:
    """Something failed on this server."""
    prefix = f"[{context.game}] " if context.game else ""
    return TroublePage(
        f"{prefix}Trouble: {context.problem}"[:100].rstrip(),
        context.problem,
        context.remedy,
        context.detail.strip("\n"),
    )


@dataclass(frozen=True, slots=True)
class QuestionPage:
    """A request that waits for the reader's YES."""

    subject: str
    reasons: tuple[str, ...]
    lines: tuple[str, ...]
    answers: tuple[tuple[str, str], ...]
    until: str


def question_page(context: Question) -> QuestionPage:
    """A request that waits for the reader's YES."""
    prefix = f"[{context.game}] " if context.game else ""
    return QuestionPage(
        subject=f"{prefix}{context.title}",
        reasons=context.reasons,
        lines=context.lines,
        answers=context.answers,
        until=f"Without an answer by {full_moment(context.until, context.reader.zone)} nothing is done.",
    )
