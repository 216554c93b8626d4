"""Writing queued reports: those of one phase are read and rendered together, without a lock, and then queued together.

What several seats see alike is worded, rendered and drawn once; personal parts are added. A report is closed in the
transaction that queues its mail, so that it is sent exactly once even if a process dies.

Long because the writers of all kinds of reports are read together.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cached_property, partial
from typing import Any, TypeVar

from gm.commands.press import deferred_press
from gm.errors import Temporary
from gm.games import loading
from gm.games.calendar_file import calendar_file
from gm.games.composing import composed_for
from gm.games.report_inputs import (
    chronicle,
    closes_at,
    early_by,
    game_facts,
    history,
    reader_of,
    standing_orders,
    turn_of,
    view_after,
    view_of,
)
from gm.games.snapshot import Game, PhasePlayed, Seat
from gm.games.transaction import Transaction
from gm.games.turn_file import turn_file, wants_turn
from gm.inbound.answering import report_trouble
from gm.machine.players import players_of
from gm.mail.message.compose import Attachment
from gm.orders.notation import write
from gm.play import extensions, practice, preorders
from gm.play.briefs import brief_of
from gm.play.ending import remarks
from gm.play.pictures import WholeText, inline_map, wants_map
from gm.play.seats import terms, who_runs_and_plays
from gm.reports import full_moment
from gm.reports.bulletins import Bulletin, Excerpt, Setup
from gm.reports.difference import difference, of_deadline, told_to
from gm.reports.game_mails import Lesson, Map, Opening, PhaseReport, Reminder, Review
from gm.reports.players import Players
from gm.reports.reader import Reader
from gm.reports.render import MailKind, SharedPart, render
from gm.reports.results import leaders
from gm.server import Common, Server
from gm.store import agenda, game_rows, records
from gm.store.agenda import REPORTS_AT_ONCE, ReportQueueRow
from gm.store.database import Unusable, leaves_no_work
from gm.store.game_rows import GameState, PhaseRow
from gm.store.outbox import Queued
from gm.store.records import PressRow
from gm.turn import Turn
from gm.views import View

log = logging.getLogger(__name__)

TRY_AGAIN_AFTER = timedelta(hours=1)

_MOST_SHARED = 32
"""How many of the parts that reports may share are kept: those that were used last."""

T = TypeVar("T")
P = TypeVar("P", bound=SharedPart)


@dataclass(frozen=True)
class Desk:
    """The data for the reports about one phase, in a read-only transaction; each item is read once."""

    tx: Transaction
    phase_id: int
    before: Common = field(default_factory=Common)
    """What earlier reports had in common."""

    @cached_property
    def phase(self) -> PhaseRow:
        """The phase. Raises LookupError."""
        phase = game_rows.phase_by_id(self.tx.session, self.phase_id)
        if phase is None:
            raise LookupError(f"reports are owed on phase {self.phase_id}, which does not exist")
        return phase

    @cached_property
    def game(self) -> Game:
        """The game as it is now."""
        return self.tx.game(self.phase.game_id)

    @cached_property
    def turn(self) -> Turn:
        """The turn of the phase."""
        common = self._common
        if common.turn is None:
            common.turn = turn_of(self.tx.session, self.game, self.phase)
        return common.turn

    @cached_property
    def forced(self) -> bool:
        """Whether a gamemaster ended the phase before its deadline."""
        return self.phase.cut_short_at is not None

    @cached_property
    def corrected(self) -> tuple[PhaseRow, Turn] | None:
        """The phase and turn that the report replaces, as they were adjudicated before; None for an ordinary report."""
        if self.phase.number == self.phase.follows + 1:
            return None
        every = reversed(game_rows.phases_of(self.tx.session, self.game.id))
        same = (row for row in every if row.code == self.phase.code and row.number < self.phase.number)
        earlier = next((row for row in same if row.adjudicated_at is not None), None)
        return (earlier, turn_of(self.tx.session, self.game, earlier)) if earlier is not None else None

    @property
    def _common(self) -> Common:
        return self.before.about((self.phase_id, self.phase.adjudicated_at))

    @cached_property
    def press(self) -> Sequence[PressRow]:
        """The press of the phase."""
        return records.press_of(self.tx.session, self.game.id, self.phase_id)

    @cached_property
    def _phases(self) -> Mapping[int, tuple[str, bool]]:
        return game_rows.phase_codes(self.tx.session, self.game.id)

    @cached_property
    def _letters(self) -> tuple[Sequence[PressRow], Mapping[int, tuple[str, bool]]]:
        """The newest press from each to each, and the phases in which it was written, as `players_of` takes them."""
        rows = records.newest_of_each(self.tx.session, self.game.id)
        return rows, self._phases if rows else {}

    def lesson(self, seat: Seat) -> Lesson | None:
        """What the player of a practice game can do now."""
        played = (code for code, done in self._phases.values() if done) if self.game.options.practice else ()
        return practice.lesson(self.game, seat, self.reader(seat), played)

    def players(self, seat: Seat, view: View) -> Players:
        """The table of the players for the holder of the seat."""
        return players_of(self.tx.identity, self.game, seat, view.narrowed.powers, *self._letters)

    @cached_property
    def ending(self) -> Mapping[str, Any]:
        """The parts of a game's last report only, as fields of its bulletin."""
        session, game = self.tx.session, self.game
        if game.state is not GameState.FINISHED:
            return {}
        return {"history": history(session, game), "seed": game.seed, "chronicle": chronicle(session, game)}

    @cached_property
    def stored(self) -> Mapping[int, Sequence[str]]:
        """The lines stored for the phase that is played now, by seat id."""
        return preorders.stored(self.tx.session, self.game, self.game.held)

    @cached_property
    def preordered(self) -> Sequence[tuple[int, str]]:
        """The seats that have stored lines, each with the code of the phase that these are for."""
        return game_rows.preordered(self.tx.session, [seat.id for seat in self.game.held])

    def reader(self, seat: Seat) -> Reader:
        """The holder of the seat, as the reader of a report."""
        return reader_of(self.tx.identity, seat.person, self.game, seat, self.tx.now)

    def shared(self, one: T) -> T:
        """An equal value that another report uses already, or this one if it is the first."""
        parts = self._common.parts
        for place, other in enumerate(parts):
            if type(other) is type(one) and other == one:
                parts.append(parts.pop(place))
                return other
        parts.append(one)
        del parts[:-_MOST_SHARED]
        return one

    @cached_property
    def opened(self) -> PhasePlayed | None:
        """The phase that the readers learn is being played; None when later phases have been played since."""
        now = self.game.phase
        if now is None or now.number <= self.phase.number + 1:
            return now
        row = game_rows.phase_by_id(self.tx.session, now.id)  # numbers are not consecutive if a rollback was undone
        return now if row is not None and row.follows == self.phase.number else None

    @cached_property
    def revision(self) -> int:
        """How often the game's deadline has changed."""
        return loading.revision(self.tx.session, self.game.id)

    def calendar(self, seat: Seat) -> tuple[Attachment, ...]:
        """The file that puts the deadline into the calendar of the seat's holder."""
        return calendar_file(self.tx.identity, self.game, seat, self.revision, self.tx.now)

    def map_for(self, seat: Seat, view: View, kind: str = "map") -> tuple[Map | None, tuple[Attachment, ...]]:
        """A map of a view, for readers who want maps; `kind`: which one (`gm.play.pictures.KINDS`)."""
        if not wants_map(seat.person):
            return None, ()
        return self.shared(inline_map(view, seat.person, self.tx.identity.host, kind)).within

    def theatre_for(self, seat: Seat, view: View) -> tuple[Map | None, tuple[Attachment, ...]]:
        """The part of the same map where the seat's units are."""
        if not wants_map(seat.person):
            return None, ()
        whole = self.shared(inline_map(view, seat.person, self.tx.identity.host))
        return self.shared(replace(whole, kind="theatre", power=view.seat, whole=whole)).within

    def as_json(self, seat: Seat, view: View) -> tuple[Attachment, ...]:
        """The file with the turn of a view, for readers who want it."""
        one = turn_file(self.game, view) if wants_turn(seat.person) else None
        return (self.shared(one).file,) if one is not None else ()

    def worded(self, view: View, make: Callable[[View, Excerpt | None], P]) -> tuple[P, tuple[Attachment, ...]]:
        """The part of a mail that `make` makes of a view; of very many powers an excerpt, with the whole as a file."""
        whole = self.shared(make(view, None))
        if view.near is None:
            return whole, ()
        phase = view.turn.before.phase if view.turn is not None else view.position.phase
        name, narrowed = f"{self.game.name}-{phase.code}.txt", view.narrowed
        which = "what concerns you" if view.seat in view.powers else "where most goes on"
        excerpt = Excerpt(name, len(narrowed.powers), len(view.powers), which, leaders(view))
        return make(narrowed, excerpt), (self.shared(WholeText(whole, name)).file,)


Written = tuple[MailKind, tuple[Attachment, ...]]
"""A mail, and the files that go with it."""


def write_next(server: Server, most: int = REPORTS_AT_ONCE) -> bool:
    """Write and queue the oldest reports, at most `most` of one phase. Returns whether there were any."""
    with server.database.transaction() as session:
        rows = agenda.next_reports(session, server.now(), most)
        leaves_no_work(session)
    if not rows:
        return False
    try:
        with server.reading() as tx:
            desk = Desk(tx, rows[0].phase_id, server.common)
            mails, failures = _write_all(desk, rows)
        if mails:
            _queue(server, desk.game, mails)
    except Temporary:
        server.noted(partial(_put_off, server, rows))
        raise
    for row in rows:
        if row.id in failures:
            _put_off(server, [row], failures[row.id])
    return True


def _write_all(
    desk: Desk, rows: Sequence[ReportQueueRow]
) -> tuple[dict[int, tuple[int, Queued | None]], dict[int, str]]:
    """For each report, its seat and its mail, None when there is nothing (more) to say; and tracebacks of errors."""
    mails: dict[int, tuple[int, Queued | None]] = {}
    failures: dict[int, str] = {}
    for row in rows:
        try:
            mails[row.id] = row.seat_id, _write(desk, row)
        except (Temporary, Unusable):
            raise
        except Exception:  # an error in one report must not delay the others
            log.exception("the owed report %d cannot be written", row.id)
            failures[row.id] = traceback.format_exc()
    return mails, failures


def _write(desk: Desk, row: ReportQueueRow) -> Queued | None:
    return _written(desk, row.kind, row.seat_id)


def _written(desk: Desk, kind: str, seat_id: int) -> Queued | None:
    game, seat, tx = desk.game, desk.game.seat(seat_id), desk.tx
    owed = seat.serves(tx.now) and game.phase is not None  # None: its start was taken back
    if not owed or (written := _WRITERS[kind.partition(":")[0]](desk, seat)) is None:
        return None
    mail, files = written
    purpose = f"{kind}:{desk.phase_id}:{seat_id}"
    opened = replace(game, phase=desk.opened)
    return composed_for(tx.identity, tx.now, opened, seat, render(mail), purpose, files, waits=waits(kind))


def waits(purpose: str) -> bool:
    """Whether a mail for this purpose is a report that goes with the reader's digest, if there is time."""
    return purpose.partition(":")[0] in ("opening", "report", "reminder", "extension")


def written_again(tx: Transaction, purpose: str) -> Queued | None:
    """The report that was queued for this purpose, as it is now; None if there is nothing (more) to say."""
    kind, phase_id, seat_id = purpose.rsplit(":", 2)
    return _written(Desk(tx, int(phase_id)), kind, int(seat_id))


def _queue(server: Server, then: Game, mails: Mapping[int, tuple[int, Queued | None]]) -> None:
    """Queue the mails whose reports are still open; those that are outdated are written again at once."""
    with server.transaction() as tx:
        game = tx.game(then.id, lock=True)
        stale = {report for report, (seat_id, _) in mails.items() if not _holds(then, game, seat_id)}
        for report in sorted(agenda.settle_reports(tx.session, mails.keys() - stale, tx.now)):
            mail = mails[report][1]
            if mail is not None:
                tx.queue(mail)
        if stale:
            agenda.put_off_reports(tx.session, stale, tx.now, timedelta(0))


def _holds(then: Game, now: Game, seat_id: int) -> bool:
    """Whether what a report says about its game and to its reader is still true."""
    return (
        (then.state, then.deadline, then.seat(seat_id), then.set_of(then.seat(seat_id)))
        == (now.state, now.deadline, now.seat(seat_id), now.set_of(now.seat(seat_id)))
        and (then.phase and then.phase.id) == (now.phase and now.phase.id)
    )  # fmt: skip


def _put_off(server: Server, rows: Sequence[ReportQueueRow], trace: str = "") -> None:
    """Leave the reports open, to be retried at once or, after an error in the first, later; the operator is notified of
    that once.
    """
    with server.transaction() as tx:
        agenda.put_off_reports(tx.session, [row.id for row in rows], tx.now, TRY_AGAIN_AFTER if trace else timedelta(0))
        if trace:
            problem = (
                f"A report ({rows[0].kind}, phase {rows[0].phase_id}, seat {rows[0].seat_id}) could not be rendered."
            )
            report_trouble(tx, problem, trace, f"trouble:report:{rows[0].id}")


def _opening(desk: Desk, seat: Seat, *, begins: bool = True) -> Written:
    game, view = desk.game, view_of(desk.game, seat)
    facts, how, sealed = game_facts(game, seat), () if game.options.private else terms(game), _sealed(game)
    setup, files = desk.worded(view, lambda one, of: Setup(facts, one.common, how, brief_of(game.variant), sealed, of))
    picture, pictures = desk.map_for(seat, view)
    names, named = desk.map_for(seat, view, "names")
    deadline, early = closes_at(game, seat), early_by(game)
    lesson, reader = desk.lesson(seat), desk.reader(seat)
    given = () if begins else _given_before(game, seat)
    opening = Opening(
        reader, view, setup, begins, deadline=deadline, early=early, map=picture, names=names, lesson=lesson,
        held=game.orders_of(seat) if given else (),
        remarks=remarks(records.press_before(desk.tx.session, game.id), game) if begins else (),
        notices=(*given, *who_runs_and_plays(game, seat)), players=desk.players(seat, view),
    )  # fmt: skip
    return opening, (*pictures, *named, *files, *desk.calendar(seat))


def _given_before(game: Game, seat: Seat) -> tuple[str, ...]:
    """A sentence about orders for the seat's power that are not of its holder: a deputy's player, or the last one."""
    if not game.running or not game.orders_of(seat):
        return ()
    sent = "" if seat.deputy_of is not None else ", sent before you,"
    said = ", ".join(write(order) for order in game.orders_of(seat))
    more = "" if game.withheld else " You can change them: of each unit the later one counts."
    return (f"Orders of {seat.power}{sent} are in force: {said}.{more}",)


def _sealed(game: Game) -> str:
    """The commitment to the game's seed; "" in a sandbox, whose draws matter to no other player."""
    return "" if game.options.sandbox else game.chance.commitment


def _report(desk: Desk, seat: Seat) -> Written:
    game, view = desk.game, view_after(desk.game, seat, desk.turn)
    picture, pictures = desk.map_for(seat, view)
    theatre, closer = desk.theatre_for(seat, view)
    facts, ending = game_facts(game, seat), desk.ending
    bulletin, files = desk.worded(
        view, lambda one, of: Bulletin(facts, one.common, excerpt=of, forced=desk.forced, **ending)
    )
    report = PhaseReport(
        bulletin=bulletin,
        reader=desk.reader(seat),
        view=view,
        deadline=closes_at(game, seat),
        early=early_by(game),
        notices=(*_corrects(desk, seat), *_sent_ahead(game, seat), *_not_used(desk, seat)),
        held=game.orders_of(seat) if desk.opened is game.phase else (),
        remarks=remarks(desk.press, game),
        letters=deferred_press(desk.press, game, seat),
        replaces=_replaces(desk, seat),
        map=picture,
        theatre=theatre,
        players=desk.players(seat, view),
        lesson=desk.lesson(seat) if desk.opened is game.phase else None,
    )
    return report, (*pictures, *closer, *files, *desk.calendar(seat), *desk.as_json(seat, view))


def _replaces(desk: Desk, seat: Seat) -> str:
    """The sentence that says which report this one replaces, and why; "" for an ordinary one."""
    if desk.corrected is None:
        return ""
    earlier, _ = desk.corrected
    zone, correction = desk.tx.identity.zone_of(seat.person, desk.game), desk.phase.correction
    at = full_moment(earlier.adjudicated_at, zone) if earlier.adjudicated_at is not None else ""
    if correction is None:
        return f"This report replaces that of {earlier.code} of {at}: the phase was played again. {_VOID}"
    return f"This is a corrected report. It replaces that of {earlier.code} of {at}: {correction['why']}."


_VOID = "Orders that were sent for the phase after it are void; send them again."
"""Of a phase that was played again, for everybody; of one that was corrected, for whoever has sent some."""


def _corrects(desk: Desk, seat: Seat) -> tuple[str, ...]:
    """Sentences of a corrected report: what differs for its reader; or why held results were corrected."""
    if desk.phase.correction is None:
        return ()
    if desk.corrected is None:
        return (f"Before this report the gamemaster has corrected its orders: {desk.phase.correction['why']}.",)
    earlier, turn = desk.corrected
    game = desk.game
    old, new = view_after(game, seat, turn), view_after(game, seat, desk.turn)
    differs = difference(old, new, game.variant.adjectives)
    chance = ", and chance fell as before" if desk.phase.correction["draws"] else ""
    whose = game.principal(seat).id
    void = f" {_VOID}" if whose in desk.phase.correction.get("void", (whose,)) else ""
    stay = f"All other orders for {earlier.code} stay as they were{chance}.{void}"
    return (*told_to(seat.power, differs), stay, *_deadline_again(desk, seat))


def _deadline_again(desk: Desk, seat: Seat) -> tuple[str, ...]:
    """What became of the deadline that everybody was told before a correction, if it has not been moved since."""
    correction = desk.phase.correction or {}
    left, (code, due) = correction.get("left"), correction.get("next", ("", ""))
    if not left or not due or desk.game.due_at != (moment := datetime.fromisoformat(due)):
        return ()
    return (of_deadline(left, code, moment, desk.reader(seat).until),)


def _review(desk: Desk, seat: Seat) -> Written | None:
    """The closed orders, for the seat that may change them; None when its time is over."""
    game, review, due = desk.game, desk.game.variant.review, desk.game.due_at
    if review is None or due is None or game.phase_id != desk.phase_id or not game.in_review:
        return None
    shown = review.shows(game.variant, game.present.position, game.orders_by_power, game.chance)
    return Review(game_facts(game, seat), desk.reader(seat), view_of(game, seat), shown, due), ()


def _sent_ahead(game: Game, seat: Seat) -> tuple[str, ...]:
    """Sentences about the reader's stored orders that are now in force."""
    given = game.set_of(seat) if game.running else None
    if given is None or given.number > 1 or given.mail_id is not None or not given.orders:
        return ()
    said = ", ".join(write(order) for order in given.orders)
    again = " They count at the deadline, and before it once you have said READY or sent some again."
    can = f"You can still change them.{again if given.number == 0 else ''}"
    return (f"Your stored orders for {game.code} are in force: {said}. {can}",)


def _not_used(desk: Desk, seat: Seat) -> tuple[str, ...]:
    """Sentences about the reader's stored orders that cannot be used in the phase that is played now, each with the
    reason, or that were for a phase between the last one and this one.
    """
    game, phase = desk.game, desk.game.phase
    if not game.running or phase is None or phase is not desk.opened:
        return ()
    failed = preorders.tried(game, seat, desk.stored.get(seat.id, ())).failed
    said = [f"Of your stored orders for {phase.code}, '{line}' cannot be used: {why}" for line, why in failed]
    earlier = replace(game, phase=replace(phase, position=desk.turn.before))
    own = [code for seat_id, code in desk.preordered if seat_id == seat.id]
    gone = [*preorders.passed_over(earlier, own), desk.phase.code]
    skipped = [code for code in preorders.passed_over(game, own) if code not in gone]
    said += [f"{code} was not played, so that your stored orders for it were not used." for code in skipped]
    return tuple(said)


def _reminder(desk: Desk, seat: Seat, *, late: str = "") -> Written | None:
    game, due = desk.game, desk.game.due_at
    if game.phase_id != desk.phase_id or due is None or not game.is_asked(seat):
        return None
    if game.has_ordered(seat, incomplete_too=False):
        return None
    spare = extensions.left_for_silence(desk.tx, game, seat)
    orders = standing_orders(desk.tx.identity, game, seat)
    late = late.format(*(("your orders", "them") if seat.power in game.duties else ("READY from you", "it")))
    reminder = Reminder(desk.reader(seat), orders, due, desk.tx.now, spare, late)
    return reminder, desk.calendar(seat) if late else ()


def _extension(desk: Desk, seat: Seat) -> Written | None:
    rest = "" if extensions.left(desk.tx, desk.game, seat) else " You have no extensions left."
    return _reminder(desk, seat, late=f"{_PASSED}, so one of your extensions was used.{rest}")


_PASSED = "The deadline passed without {0}"


_WRITERS: Mapping[str, Callable[[Desk, Seat], Written | None]] = {
    "opening": _opening,
    "welcome": partial(_opening, begins=False),
    "report": _report,
    "reminder": _reminder,
    "extension": _extension,
    "late": partial(_reminder, late=f"{_PASSED}. Late orders are accepted until the new deadline."),
    "waits": partial(_reminder, late=f"{_PASSED}. The game waits for {{1}}."),
    "review": _review,
}
"""The kinds of reports, and the function that writes each."""
