"""What you have to do next and by when: the top of every mail that asks for orders, and the form at its end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from gm.board import Power
from gm.orders import Order
from gm.position import Phase, PhaseKind
from gm.reports.context import GameFacts, Reader
from gm.reports.form import duty_of, has_duty, order_form
from gm.reports.words import counted, full_moment, moment, phase_title, span
from gm.views import View

MASTERS_NOTE = "As gamemaster you can reply with STATUS, EXTEND 24h, DEADLINE Friday 18:00 or PROCESS {code}."

LINK_LIMIT = 2000
"""Mail clients cut longer `mailto:` links."""


@dataclass(frozen=True, slots=True)
class Form:
    """The block to copy, and the link that opens it as a new mail ("" where there is none)."""

    title: str
    lines: tuple[str, ...]
    hint: str
    link: str


@dataclass(frozen=True, slots=True)
class Task:
    """The top of a mail: what to do (or what is next), when it is due, a note on that, and the form."""

    sentence: str
    due: str
    note: str
    form: Form | None


def task(game: GameFacts, reader: Reader, view: View, deadline: datetime | None, *, early: bool) -> Task:
    """The reader's task in the phase of `view.position`."""
    power, title = reader.power, next_phase(view.position.phase)
    due = full_moment(deadline, reader.zone) if deadline is not None else ""
    if power is None or not has_duty(view, power):
        note = MASTERS_NOTE.format(code=view.position.phase.code) if reader.master else ""
        return Task(_pause(view, power) + f"Next is {title}" + (", due" if due else "."), due, note, None)
    sentence = f"Reply with {power}'s {_asked(view, power)}" + (" by" if due else ". No deadline is set.")
    note = ""
    if early and due:
        note = "The phase is adjudicated earlier once all orders are in, unless somebody replies WAIT."
    elif game.window is not None and due:
        note = f"The results come {span(game.window)} after the players' deadline."
    return Task(sentence, due, note, form(game, reader, view))


def _pause(view: View, power: Power | None) -> str:
    """Why the reader has nothing to do; "" for a reader without a power."""
    if power is None:
        return ""
    position = view.position
    if not (position.units_of(power) or position.dislodged_of(power) or position.centers_of(power)):
        return f"You played {power}, which is out of the game. "
    return f"You play {power} and have nothing to do now. "


def asked_in_subject(view: View, power: Power | None, deadline: datetime | None, reader: Reader) -> str:
    """The end of a subject: `reply with your F1901M orders by Tue 3 Dec 18:00 CET`."""
    code = view.position.phase.code
    by = f" by {moment(deadline, reader.zone)}" if deadline is not None else ""
    if has_duty(view, power):
        return f"reply with your {code} {_things(view, power)}{by}"
    nothing = ", nothing for you to do" if power is not None else ""
    return f"next is {code}{by}{nothing}"


def _things(view: View, power: Power | None) -> str:
    if own := duty_of(view, power).things:
        return own
    match view.position.phase.kind:
        case PhaseKind.RETREAT:
            return "retreats"
        case PhaseKind.ADJUSTMENT:
            return "builds" if duty_of(view, power).need.count > 0 else "removals"
        case _:
            return "orders"


def _asked(view: View, power: Power) -> str:
    """`orders for Fall 1901 (F1901M)`, `builds for Winter 1901 (W1901A: two builds)`."""
    phase, duty = view.position.phase, duty_of(view, power)
    match phase.kind:
        case PhaseKind.RETREAT:
            much = f": {counted(len(duty.units), 'unit')}"
        case PhaseKind.ADJUSTMENT if duty.need.count:
            much = f": {counted(abs(duty.need.count), 'build' if duty.need.count > 0 else 'removal')}"
        case _:
            much = ""
    return f"{_things(view, power)} for {phase.season.capitalize()} {phase.year} ({phase.code}{much})"


def _hint(address: str) -> str:
    where = f"your reply, or into a new mail to {address}" if address else "your reply"
    return f"Copy these lines into {where}, and complete them. HELP ORDERS shows how orders are written."


def form(game: GameFacts, reader: Reader, view: View, held: Sequence[Order] = ()) -> Form | None:
    """The form for the reader's power beside the orders `held`, or None when there is nothing to fill in."""
    lines = order_form(view, reader.power, held) if reader.power is not None else ()
    if not lines:
        return None
    phase = view.position.phase
    return Form(
        title=f"Your {_things(view, reader.power)} for {phase.code}",
        lines=lines,
        hint=_hint(reader.reply_to),
        link=mailto(reader, f"[{game.name}] {phase.code} {reader.power}", "\n".join([*lines, ""])),
    )


def mailto(reader: Reader, subject: str, body: str) -> str:
    """A link to the reader's reply address, without the body where clients would cut it; "" where none are made."""
    if reader.mailto is None:
        return ""
    link = reader.mailto(subject, body)
    return link if len(link) < LINK_LIMIT else reader.mailto(subject, "")


def next_phase(phase: Phase) -> str:
    """`Fall 1901 movement (F1901M)`."""
    return f"{phase_title(phase)} ({phase.code})"
