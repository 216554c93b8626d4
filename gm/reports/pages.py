"""Game mails made ready for their templates: report, opening, reminder, press, notice.

A page holds finished words; a template only puts them in place.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from gm.reports.centers import center_changes, center_table, eliminations, owners, standings
from gm.reports.context import Map, Notice, Opening, PhaseReport, PressMail, Reminder, Review
from gm.reports.held import HeldPage, held_page
from gm.reports.longhand import Longhand
from gm.reports.results import PowerResults, dislodgements, events, results, silence, unit_lines, victory
from gm.reports.tasks import Form, Task, asked_in_subject, form, mailto, next_phase, task
from gm.reports.words import WIDTH, full_moment, listed, moment, phase_title, span
from gm.views import Section

Row = tuple[str, ...]
"""A line of a table."""


@dataclass(frozen=True, slots=True)
class ReportPage:
    """The results of a phase."""

    subject: str
    victory: str
    task: Task | None
    notices: tuple[str, ...]
    heading: str
    reference: str
    """The game and phase as the judges write them behind a heading, where other tools look for them."""
    powers: tuple[PowerResults, ...]
    silence: str
    dislodged: tuple[str, ...]
    events: tuple[str, ...]
    centers: tuple[Row, ...]
    changes: tuple[str, ...]
    owners: tuple[Row, ...]
    eliminated: str
    sections: tuple[Section, ...]
    standings: tuple[Row, ...]
    history: tuple[Row, ...]
    seed: str
    letters: tuple[tuple[str, str], ...]
    units_heading: str
    units: tuple[Row, ...]
    map: Map | None


def report_page(context: PhaseReport) -> ReportPage:
    """Raises ValueError when the view holds no turn."""
    game, reader, view, turn = context.game, context.reader, context.view, context.view.turn
    if turn is None:
        raise ValueError("a report needs a view with a turn")
    words = Longhand(view.board, game.adjectives, turn.before.phase.kind)
    before, over = turn.before.phase, turn.victory is not None
    ending = victory(turn, view.words)
    wanted = ending.partition(":")[0] if over else asked_in_subject(view, reader.power, context.deadline, reader)
    return ReportPage(
        subject=f"[{game.name}] {before.code} results: {wanted}",
        victory=ending,
        task=None if over else task(game, reader, view, context.deadline, early=context.early),
        notices=(*context.notices, *view.private),
        heading=f"{before.kind.capitalize()} results for {before.season.capitalize()} of {before.year}",
        reference=f"({game.name}.{before.code})",
        powers=results(view, turn, words),
        silence=silence(view, turn),
        dislodged=dislodgements(view, turn, words),
        events=events(view, turn),
        centers=center_table(view, turn.count, over=over),
        changes=center_changes(view, turn.count),
        owners=owners(view) if turn.count is not None or over else (),
        eliminated=eliminations(turn),
        sections=(*view.sections, *context.chronicle),
        standings=standings(view, game.players) if over else (),
        history=_history_table(context) if over else (),
        seed=context.seed,
        letters=context.letters,
        units_heading="Final position" if over else f"Position for {next_phase(view.position.phase)}",
        units=unit_lines(view),
        map=context.map,
    )


def _history_table(context: PhaseReport) -> tuple[Row, ...]:
    """Centres by year and power: a year a line, or a power a line where the powers are too many or named too alike."""
    history, powers = context.history, context.view.powers
    if not history:
        return ()
    brief = [power[:3] for power in powers]
    if len(set(brief)) == len(brief) and 5 * (len(brief) + 1) <= WIDTH:
        rows = ((str(year), *(str(counts.get(p, 0) or "-") for p in powers)) for year, counts in history)
        return (("Year", *brief), *rows)
    lines = ((str(p), *(str(counts.get(p, 0) or "-") for _, counts in history)) for p in powers)
    return (("Power", *(str(year) for year, _ in history)), *lines)


@dataclass(frozen=True, slots=True)
class OpeningPage:
    """The beginning of a game."""

    subject: str
    greeting: str
    task: Task
    private: tuple[str, ...]
    players: tuple[Row, ...]
    terms: tuple[Row, ...]
    commitment: str
    sections: tuple[Section, ...]
    units_heading: str
    units: tuple[Row, ...]
    map: Map | None


def opening_page(context: Opening) -> OpeningPage:
    """The beginning of a game."""
    game, reader, view = context.game, context.reader, context.view
    you = f"you are {reader.power}, " if reader.power is not None else ""
    return OpeningPage(
        subject=f"[{game.name}] The game begins: {you}{asked_in_subject(view, reader.power, context.deadline, reader)}",
        greeting=f"The game {game.name} ({game.variant}) begins."
        + (f" You are {reader.power}." if reader.power is not None else ""),
        task=task(game, reader, view, context.deadline, early=context.early),
        private=view.private,
        players=tuple((power, game.players.get(power) or "-") for power in view.powers),
        terms=context.terms,
        commitment=context.commitment,
        sections=view.sections,
        units_heading=f"Position for {next_phase(view.position.phase)}",
        units=unit_lines(view),
        map=context.map,
    )


@dataclass(frozen=True, slots=True)
class ReviewPage:
    """Closed orders that the reader may change."""

    subject: str
    sentence: str
    due: str
    sections: tuple[Section, ...]
    form: Form | None


def review_page(context: Review) -> ReviewPage:
    """Closed orders that the reader may change."""
    game, reader, phase = context.game, context.reader, context.view.position.phase
    return ReviewPage(
        subject=f"[{game.name}] {phase.code}: orders closed, change them by {moment(context.deadline, reader.zone)}",
        sentence=f"The orders for {next_phase(phase)} are closed. You can change those below; the others "
        "stay as they are. Send your changes by",
        due=full_moment(context.deadline, reader.zone),
        sections=context.sections,
        form=form(game, reader, context.view),
    )


@dataclass(frozen=True, slots=True)
class ReminderPage:
    """Orders are missing and the deadline is near."""

    subject: str
    sentence: str
    held: HeldPage


def reminder_page(context: Reminder) -> ReminderPage:
    """Orders are missing and the deadline is near."""
    game, reader, phase = context.game, context.reader, context.held.view.position.phase
    state = "orders are incomplete" if context.held.orders else "no orders yet"
    return ReminderPage(
        subject=f"[{game.name}] {phase.code} reminder: {state}, deadline {moment(context.deadline, reader.zone)}",
        sentence=f"In {span(context.deadline - context.now)}, on {full_moment(context.deadline, reader.zone)}, "
        f"{phase_title(phase)} ({phase.code}) is adjudicated, and "
        + ("your orders are incomplete." if context.held.orders else f"no orders for {reader.power} have arrived."),
        held=held_page(game, reader, replace(context.held, deadline=None)),
    )


@dataclass(frozen=True, slots=True)
class PressPage:
    """A message between players."""

    subject: str
    sender: str
    to: str
    body: str
    when: str
    answer: tuple[str, ...]
    link: str


def press_page(context: PressMail) -> PressPage:
    """A message between players, with instructions to answer it."""
    game, reader = context.game, context.reader
    phase = f" ({context.phase.code})" if context.phase is not None else ""
    to = listed(context.to)
    back = "ALL" if context.unsigned else context.sender
    answer = (f"PRESS TO {back.upper()}", "", "ENDPRESS")
    return PressPage(
        subject=f"[{game.name}] Press from {context.sender} to {to}{phase}",
        sender=context.sender,
        to=to,
        body=context.body.strip("\n"),
        when=f"{next_phase(context.phase)} is due {full_moment(context.deadline, reader.zone)}."
        if context.phase is not None and context.deadline is not None
        else "",
        answer=answer,
        link=mailto(reader, f"[{game.name}] press to {back}", "\n".join(answer)),
    )


@dataclass(frozen=True, slots=True)
class NoticePage:
    """News of a game."""

    subject: str
    paragraphs: tuple[str, ...]
    due: str
    sections: tuple[Section, ...]


def notice_page(context: Notice) -> NoticePage:
    """News of a game."""
    title = context.title[:1].upper() + context.title[1:]
    return NoticePage(
        subject=f"[{context.game.name}] {title}" if context.game is not None else title,
        paragraphs=context.paragraphs,
        due=f"The deadline is {full_moment(context.deadline, context.reader.zone)}." if context.deadline else "",
        sections=context.sections,
    )
