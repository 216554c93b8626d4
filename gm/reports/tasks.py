"""What a reader has to do next and by when: the top of every mail that asks for orders, and the form at its end."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from gm.board import Power
from gm.position import Phase, PhaseKind
from gm.reports.context import GameFacts, Reader
from gm.reports.form import duty_of, has_duty, order_form
from gm.reports.words import counted, full_moment, moment, phase_title
from gm.views import View

LINK_LIMIT = 2000
"""Mail clients cut longer `mailto:` links."""


@dataclass(frozen=True, slots=True)
class Form:
    """The block to copy, and the link that opens it as a new mail ("" where there is none)."""

    title: str
    lines: tuple[str, ...]
    hint: str
    link: str
    address: str


@dataclass(frozen=True, slots=True)
class Task:
    """`asked` is false when the reader has nothing to order. `sentence` and `due` are for the top of the mail."""

    asked: bool
    sentence: str
    due: str
    form: Form | None


def task(game: GameFacts, reader: Reader, view: View, deadline: datetime | None) -> Task:
    """The reader's task in the phase of `view.position`."""
    phase, power = view.position.phase, reader.power
    due = full_moment(deadline, reader.zone) if deadline is not None else ""
    title = f"{phase_title(phase)} ({phase.code})"
    if power is None:
        return Task(False, f"Next: {title}." if not due else f"Next: {title}, due", due, None)
    if not has_duty(view, power):
        return Task(False, f"You ({power}) have nothing to order in {title}" + (", due" if due else "."), due, None)
    sentence = f"Reply with {_asked(view, power)} for {title}" + (" by" if due else ". No deadline is set.")
    return Task(True, sentence, due, form(game, reader, view))


def asked_in_subject(view: View, power: Power | None, deadline: datetime | None, reader: Reader) -> str:
    """The end of a subject: `reply with your F1901M orders by Tue 3 Dec 18:00 CET`."""
    code = view.position.phase.code
    by = f" by {moment(deadline, reader.zone)}" if deadline is not None else ""
    if has_duty(view, power):
        return f"reply with your {code} {_things(view, power)}{by}"
    nothing = ", nothing for you to do" if power is not None else ""
    return f"next is {code}{by}{nothing}"


def _things(view: View, power: Power | None) -> str:
    match view.position.phase.kind:
        case PhaseKind.RETREAT:
            return "retreats"
        case PhaseKind.ADJUSTMENT:
            return "builds" if duty_of(view, power).need.count > 0 else "removals"
        case _:
            return "orders"


def _asked(view: View, power: Power) -> str:
    duty = duty_of(view, power)
    match view.position.phase.kind:
        case PhaseKind.RETREAT:
            return f"{power}'s {counted(len(duty.units), 'retreat')}"
        case PhaseKind.ADJUSTMENT:
            count = duty.need.count
            return f"{power}'s {counted(abs(count), 'build' if count > 0 else 'removal')}"
        case _:
            return f"{power}'s orders"


_HINTS = {
    PhaseKind.MOVEMENT: "Copy these lines into your answer and complete them, one order a line.",
    PhaseKind.RETREAT: "Copy these lines into your answer and complete them. Where a unit can go stands after the #.",
    PhaseKind.ADJUSTMENT: "Copy these lines into your answer and complete them. What there is to choose from stands after the #.",
}


def form(game: GameFacts, reader: Reader, view: View) -> Form | None:
    """The form for the reader's power, or None when there is nothing to fill in."""
    lines = order_form(view, reader.power) if reader.power is not None else ()
    if not lines:
        return None
    phase = view.position.phase
    return Form(
        title=f"Your {_things(view, reader.power)} for {phase.code}",
        lines=lines,
        hint=_HINTS[phase.kind],
        link=mailto(reader, f"[{game.name}] {phase.code} {reader.power}", "\n".join([*lines, ""])),
        address=reader.reply_to,
    )


def mailto(reader: Reader, subject: str, body: str) -> str:
    """A link to the reader's reply address; without the body where clients would cut it; "" where links are not made."""
    if reader.mailto is None:
        return ""
    link = reader.mailto(subject, body)
    return link if len(link) < LINK_LIMIT else reader.mailto(subject, "")


def next_phase(phase: Phase) -> str:
    """`Fall 1901 movement (F1901M)`."""
    return f"{phase_title(phase)} ({phase.code})"
