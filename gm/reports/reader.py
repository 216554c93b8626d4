"""Who reads a mail, in which game, what they have to do next and by when."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo
from types import MappingProxyType
from typing import TypeAlias

from gm.board import Power
from gm.orders import Order
from gm.position import Phase, PhaseKind, Position
from gm.reports import counted, full_moment, left, moment, phase_title, span
from gm.reports.forms import completed, has_duty, in_name_of, order_form
from gm.views import View

PageLink = Callable[[View], str]
"""Makes the link to the page on which the orders for a view are tapped together; "" if there is nothing to order."""

MailtoLink = Callable[[str, str], str]
"""Makes a `mailto:` link to the reader's reply address from a subject and a body (lines end with newlines)."""


@dataclass(frozen=True, slots=True)
class GameFacts:
    """What every reader may know of a game. `players` are the players' names by power, "" if hidden or vacant."""

    name: str
    variant: str
    """The variant's title: `Standard`."""
    players: Mapping[Power, str] = field(default_factory=lambda: MappingProxyType({}))
    adjectives: Mapping[Power, str] = field(default_factory=lambda: MappingProxyType({}))
    """`Austrian` for `Austria`; for a power without one `Austria's` is used."""
    as_seen_by: Callable[[Position, Power], View] | None = None
    """What each power sees, where the gamemasters order for all powers, in a sandbox; None in any other game."""
    timed: bool = True
    """Whether the phase ends at a deadline."""
    window: timedelta | None = None
    """How long after the deadline the results come, if they do not come at once."""
    closed: bool = False
    """Whether the orders are closed, and the results wait for the gamemaster to release them."""
    reviewed: bool = False
    """Whether the orders are closed to all but the seat that may change them, and the results come at the deadline."""
    keeps: Callable[[Position, Power], bool] = Position.holds
    """Whether a power is still in the game."""
    paused: bool = False
    asks_all: bool = False
    """Whether phases wait beyond their deadlines also for players who have nothing to order."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads the mail, and how they can reply. `power` is None for gamemasters, observers and strangers."""

    power: Power | None = None
    zone: tzinfo = UTC
    reply_to: str = ""
    """The address for replies: the seat's own, or the server's."""
    reply_above: str = ""
    """The line below which replies are not read (`gm.mail.message.reply.REPLY_ABOVE`); "" in mails that ask for no
    reply.
    """
    mailto: MailtoLink | None = None
    page: PageLink | None = None
    master: bool = False
    """Whether the reader manages the game, so that the mail says how."""
    now: datetime | None = None
    """When the mail is written, so that it can say how much time is left."""
    heading: str = ""
    """The line above what is for the game in a reply to a digest; "" for readers without one."""
    html: bool = True
    """Whether the mail is written in HTML, too."""
    deputy: bool = False
    """Whether the reader orders for the power while its player is away."""

    def until(self, due: datetime) -> str:
        """A deadline in the reader's zone, and what is left: `Tue 3 Dec 2030, 18:00 CET (17:00 UTC), in 3 days`."""
        shown = full_moment(due, self.zone)
        return f"{shown}, in {left(due - self.now)}" if self.now is not None and self.now < due else shown


def due_sentence(game: GameFacts, reader: Reader, due: datetime | None) -> str:
    """When the phase is due: until when orders are accepted or, once they are closed, when the results come; "" without
    a deadline, and once it has passed: then the phase is adjudicated now.
    """
    if due is None or (reader.now is not None and due <= reader.now):
        return ""
    return f"{'Orders are closed; the results come' if game.reviewed else 'The deadline is'} {reader.until(due)}."


# What is to be done

MASTERS_NOTE = "As gamemaster you can reply STATUS, {resume}EXTEND 24h, DEADLINE and a time, or PROCESS {code}."

FOR_ALL = "Reply with orders for any power, and READY below them: the results come at once."
FOR_ALL_NOTE = (
    "Units without orders hold. ROLLBACK and a phase, such as ROLLBACK F1901M, goes back to it; MAP ORDERS draws the"
    " orders; SANDBOX WITH friend@example.org shares it with a friend. It ends a week after its last results."
)

LINK_LIMIT = 2000
"""Mail clients cut longer `mailto:` links."""


@dataclass(frozen=True, slots=True)
class Form:
    """The lines to copy, a link that opens them as a new mail, and one to the page on which they are tapped together
    ("" if there is none).
    """

    title: str
    lines: tuple[str, ...]
    hint: str
    link: str
    page: str = ""


@dataclass(frozen=True, slots=True)
class Task:
    """The beginning of a mail: what to do (or what comes next), when it is due, a note about that, and the form."""

    sentence: str
    due: str
    note: str
    form: Form | None


BY_READY = {"ready": "all who have orders to give", "all": "all players, also those who have nothing to order,"}
"""Who ends a phase before its deadline by saying READY, by when phases end early; by other things if not here."""


def by_ready(words: str) -> dict[str, str]:
    """These words for each way in which READY ends a phase, with who says it in place of `{who}`."""
    return {early: words.format(who=who) for early, who in BY_READY.items()}


_EARLIER = {
    **by_ready("The phase is adjudicated earlier once {who} have said READY."),
    "orders": "The phase is adjudicated earlier once all orders are in, unless somebody replies WAIT.",
}


ENDS = {
    **by_ready("the phase is adjudicated once {who} have said READY, or when the gamemaster decides"),
    "orders": "the phase is adjudicated once all orders are in and nobody has said WAIT, or when the gamemaster"
    " decides",
    "no": "the phase is adjudicated when the gamemaster decides",
}
UNTIMED = {early: f"There is no deadline: {when}." for early, when in ENDS.items()}
"""When a phase ends that has no deadline, by when phases end early."""


ASKS_ALL = "Reply READY in any case: the phase waits for all players, also for those who have nothing to order."


def task(
    game: GameFacts,
    reader: Reader,
    view: View,
    deadline: datetime | None,
    *,
    early: str,
    held: Sequence[Order] = (),
) -> Task:
    """The reader's task in the phase of `view.position`; `held` are the orders in force."""
    if game.as_seen_by is not None and reader.master:
        return Task(FOR_ALL, "", FOR_ALL_NOTE, _form_for_all(game.name, game.as_seen_by, reader, view))
    power, title = reader.power, next_phase(view.position.phase)
    if game.closed:
        closed = f"The orders for {title} are closed. The results come when the gamemaster has released them."
        return Task(closed, "", "", None)
    due = reader.until(deadline) if deadline is not None else ""
    later = f"The results come {span(game.window)} after the players' deadline." if game.window and due else ""
    if power is None or not has_duty(view, power):
        note = later if game.timed else UNTIMED[early]
        if early == "all" and due:
            note = _EARLIER[early]
        note = f"{note} {_asks(game, power)}".strip()
        if reader.master:
            resume = "RESUME, " if game.paused else ""
            more = MASTERS_NOTE.format(code=view.position.phase.code, resume=resume)
            note = f"{note} {more}".strip() if game.timed else f"{note} {more.replace('EXTEND 24h, ', '')}"
        return Task(_pause(game, view, power) + f"Next is {title}" + (", due" if due else "."), due, note, None)
    none = (" The game is paused." if game.paused else " No deadline is set.") if game.timed else ""
    ask = "Reply" if view.duty_of(power).binding else "You may reply"
    sentence = f"{ask} with {power}'s {_asked(view, power)}" + (" by" if due else f".{none}")
    note = "" if game.timed else UNTIMED[early]
    if early != "no" and due:
        note = _EARLIER[early]
    note = f"{note or later} {_asks(game, power)}".strip()
    return Task(sentence, due, note, form(game, reader, view, held))


def _asks(game: GameFacts, power: Power | None) -> str:
    """That READY is waited for, of a player from whom something is waited for in any case."""
    return ASKS_ALL if game.asks_all and game.timed and power is not None else ""


def _pause(game: GameFacts, view: View, power: Power | None) -> str:
    """Why the reader has nothing to do; "" for a reader without a power."""
    if power is None:
        return ""
    if not game.keeps(view.position, power):
        return f"You played {power}, which is out of the game. "
    return f"You play {power} and have nothing to do now. "


def in_phase(game: str, code: str, *said: str) -> str:
    """The subject of a mail of a phase: programs that sort by subjects show these mails together. The one with which
    the phase begins has it as it is, all others as answers: `Re: [spring] F1901M: orders complete`.
    """
    return f"[{game}] {code}: {', '.join(filter(None, said))}".removesuffix(": ")


def asked_in_subject(game: GameFacts, reader: Reader, view: View, deadline: datetime | None) -> str:
    """The end of a subject: `reply with your orders by Tue 3 Dec 18:00 CET`."""
    if game.closed:
        return "orders are closed"
    due = moment(deadline, reader.zone) if deadline is not None else ""
    if has_duty(view, reader.power):
        return f"reply with your {_things(view, reader.power)}" + (f" by {due}" if due else "")
    if _asks(game, reader.power):
        return "reply READY" + (f" by {due}" if due else "")
    return ", ".join(filter(None, ("nothing for you to do" if reader.power else "", f"due {due}" if due else "")))


def _things(view: View, power: Power | None) -> str:
    if own := view.duty_of(power).things:
        return own
    match view.position.phase.kind:
        case PhaseKind.RETREAT:
            return "retreats"
        case PhaseKind.ADJUSTMENT:
            return "builds" if view.duty_of(power).need.count > 0 else "removals"
        case _:
            return "orders"


def _asked(view: View, power: Power) -> str:
    """`orders for Fall 1901 (F1901M)`, `builds for Winter 1901 (W1901A: two builds)`."""
    phase, duty = view.position.phase, view.duty_of(power)
    match phase.kind:
        case PhaseKind.RETREAT if duty.units:
            much = f": {counted(len(duty.units), 'unit')}"
        case PhaseKind.ADJUSTMENT if duty.need.count:
            much = f": {counted(abs(duty.need.count), duty.need.what)}"
        case _:
            much = ""
    return f"{_things(view, power)} for {phase.season.capitalize()} {phase.year} ({phase.code}{much})"


def _hint(address: str, how: str = "") -> str:
    where = f"your reply, or into a new mail to {address}" if address else "your reply"
    copy = f"Copy these lines into {where}, and complete them."
    return " ".join(filter(None, (copy, how, "HELP ORDERS shows how orders are written.")))


def form(game: GameFacts, reader: Reader, view: View, held: Sequence[Order] = ()) -> Form | None:
    """The form for the reader's power apart from the orders `held`, or None when nothing is missing."""
    done = bool(held) and view.duty_of(reader.power).met_by(held)
    lines = order_form(view, reader.power, held) if reader.power is not None and not done else ()
    if not lines or reader.power is None:
        return None
    phase = view.position.phase
    return Form(
        title=f"Your {_things(view, reader.power)} for {phase.code}",
        lines=(reader.heading, *lines) if reader.heading else lines,
        hint=_hint(reader.reply_to, completed(view, reader.power)),
        link=mailto(reader, f"[{game.name}] {phase.code} {reader.power}", "\n".join([*lines, ""])),
        page=reader.page(view) if reader.page is not None else "",
    )


def _form_for_all(name: str, as_seen_by: Callable[[Position, Power], View], reader: Reader, view: View) -> Form | None:
    """Each power's own form, for all powers that have something to order; every line names its power."""
    lines: list[str] = []
    for power in view.duties:
        own = order_form(as_seen_by(view.position, power), power)
        lines += (f"# {power}", *in_name_of(power, own)) if own else ()
    if not lines:
        return None
    code = view.position.phase.code
    link = mailto(reader, f"[{name}] {code}", "\n".join([*lines, ""]))
    page = reader.page(view) if reader.page is not None else ""
    return Form(f"Orders for {code}", tuple(lines), _hint(reader.reply_to), link, page)


@dataclass(frozen=True, slots=True)
class Offer:
    """What somebody can write: what it does, and the link that opens it as a mail to be sent as it is."""

    words: str
    does: str
    link: str = ""


Answers: TypeAlias = tuple[tuple[str, str], ...]
"""Lines that a reader can send as they are, and what each does."""


def offered(reader: Reader, words: Iterable[tuple[str, str]], subject: str = "") -> tuple[Offer, ...]:
    """Lines that the reader can send with one tap, each with what it does. Several lines are shown as one."""
    return tuple(
        Offer(_in_one_line(text), does, mailto(reader, subject or text.split("\n")[0], f"{text}\n\n\n"))
        for text, does in words
    )


def _in_one_line(text: str) -> str:
    return " / ".join(line.strip() for line in text.split("\n") if line.strip())


def mailto(reader: Reader, subject: str, body: str) -> str:
    """A link to the reader's reply address, without the body if clients would cut it; "" if the reader gets no
    links.
    """
    if reader.mailto is None:
        return ""
    link = reader.mailto(subject, body)
    return link if len(link) < LINK_LIMIT else reader.mailto(subject, "")


def next_phase(phase: Phase) -> str:
    """`Fall 1901 movement (F1901M)`."""
    return f"{phase_title(phase)} ({phase.code})"
