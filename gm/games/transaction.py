"""One database transaction: the games as they are within it, the changes to them, and the mails it sends.

A game is loaded once in a transaction. A change makes a new snapshot (`fold`); the differences of each game are written
once, with a new version, and after the commit the decoded game is cached under that version.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from sqlalchemy import Row, Select
from sqlalchemy.orm import Session, SessionTransaction

from gm.board import Power
from gm.errors import Temporary
from gm.games import loading, writing
from gm.games.calendar_file import calendar_file
from gm.games.composing import Envelope, composed, composed_for
from gm.games.digests import can_wait, held_until
from gm.games.identity import ServerIdentity
from gm.games.limits import AS_TEXT_AND_HTML, BYTES_OF_A_PART, Allowance, Exhausted, Payer, Per, Spent
from gm.games.loading import Snapshots
from gm.games.report_inputs import game_facts, reader_of
from gm.games.snapshot import Deadline, Game, OrderSet, Person, Seat
from gm.mail.message.addresses import token_hash
from gm.mail.message.compose import Attachment
from gm.options import GameOptions
from gm.reports.game_mails import Notice
from gm.reports.reader import Answers
from gm.reports.render import Rendered, render
from gm.store import agenda, game_rows, outbox, people, records
from gm.store.database import Database, leaves_no_work
from gm.store.game_rows import GameState, SeatRole
from gm.store.records import LogRow
from gm.views import Section

if TYPE_CHECKING:
    from gm.reading.line import Lines  # which has all that is read of mails below it

RECEIPT = "receipt:"
"""The beginning of the purpose of a receipt; each mail gets one at most."""


class StaleSnapshot(Exception):
    """Raised when a game is changed that is not locked, or through an outdated snapshot. A bug of this program."""


class _Attempt:
    """A part of a transaction that is done completely or not at all. There is a savepoint from when the database is
    used first: most attempts change nothing but the games in memory.
    """

    def __init__(self) -> None:
        self.savepoint = ExitStack()
        self._opened: SessionTransaction | None = None

    def open(self, session: Session) -> None:
        if self._opened is None:
            self._opened = self.savepoint.enter_context(session.begin_nested())

    def undo(self) -> None:
        if self._opened is not None:
            self._opened.rollback()


class Transaction:
    """A server's database transaction with its time. `Server.transaction` makes one and ends it with `finish`."""

    def __init__(self, session: Session, identity: ServerIdentity, now: datetime, snapshots: Snapshots) -> None:
        self._session = session
        self.identity = identity
        self.now = now
        self._snapshots = snapshots
        self._games: dict[int, Game] = {}
        self._deadlines: dict[int, Deadline | None] = {}
        """The deadline of each game at the beginning."""
        self._revisions: dict[tuple[int, Deadline | None], int] = {}
        self._rows: dict[int, Game] = {}
        """Each game as its rows are."""
        self._people: dict[int, tuple[str, list[Person | None]]] = {}
        """What the database had of the people in each game, and who they were."""
        self._locked: set[int] = set()
        self._mails: dict[str, outbox.Queued] = {}
        self._told: dict[tuple[int, tuple[int, ...]], Mapping[str, tuple[str, tuple[str, ...], str]]] = {}
        """For each game and seats that were told what was done there: by purpose, the title and the words."""
        self._sets: list[tuple[int, Mapping[int, OrderSet]]] = []
        """The order sets that are still to be written, each by seat, with their phases."""
        self._attempts: list[_Attempt] = []
        self.orders_only = False
        """What is acted on is orders alone, in one attempt."""
        self.queue_all: Callable[[Session, Sequence[outbox.Queued], datetime], object] = outbox.queue_all
        self.forgotten: set[str] = set()  # the addresses of people who are to be forgotten at the end
        self.lines: Lines = ()
        """What became of the lines of the mail being processed."""
        self.handed_on = False
        """Whether that went to seats, at each of which it is decided whether its sender is believed."""
        self.own_text: str | None = None
        """Its own text, where that has more than its sender wrote above quotations."""
        self.exhausted: Exhausted = {}
        self.allowance = Allowance()
        """What the mail being processed may cause; unlimited for the server's own actions."""

    @property
    def session(self) -> Session:
        """The database session. What is asked of it sees all that was done before; what is done by it in an attempt can
        be rolled back.
        """
        for attempt in self._attempts:
            attempt.open(self._session)
            self.orders_only = False
        while self._sets:
            writing.add_orders(self._session, *self._sets.pop(0))
        return self._session

    # games

    def game(self, game_id: int, *, lock: bool = False) -> Game:
        """The game with this id. Raises LookupError."""
        for game in self._load(loading.BY_ID, {"key": game_id}, lock=lock):
            return game
        raise LookupError(f"there is no game {game_id}")

    def game_named(self, name: str, *, lock: bool = False) -> Game | None:
        """The game with this name, in any case; None if there is none."""
        return next(iter(self._load(loading.BY_NAME, {"name": name.lower()}, lock=lock)), None)

    def seat_at(self, token: str) -> tuple[Game, Seat] | None:
        """The seat whose present address has this token, and its game, locked; None if there is none."""
        hashed = token_hash(token)
        heads = loading.heads(self.session, loading.BY_TOKEN, {"token": hashed}, lock=True)
        for game, head in zip(self.loaded(heads, lock=True), heads, strict=True):
            seat = game.seat(head.seat_id)
            if self.identity.token_hash_of(seat) == hashed:  # otherwise it was replaced during the wait for the lock
                return game, seat
        return None

    def seat_numbered(self, seat_id: int) -> tuple[Game, Seat]:
        """The seat with this id and its game, locked. Raises LookupError."""
        for game in self._load(loading.BY_SEAT, {"seat": seat_id}, lock=True):
            return game, game.seat(seat_id)
        raise LookupError(f"there is no seat {seat_id}")

    def games_in(self, *states: GameState, after: int = 0) -> Iterator[Game]:
        """The games in these states (in any state, if none is given) after the one with this id, oldest first, of which
        everybody may know. They are loaded as they are asked for.
        """
        key = {"states": states or tuple(GameState)}
        while found := self._load(loading.NEXT_IN_STATES, {**key, "after": after}, lock=False):
            yield from (game for game in found if game.is_known_to(None))
            after = found[-1].id

    def games_of(self, person: Person | None, *states: GameState, lock: bool = False) -> Sequence[Game]:
        """The games in these states in which this person has a seat; none of somebody who is not known."""
        if person is None:
            return ()
        return self._load(loading.OF_PERSON, _of_person(person, states), lock=lock)

    def names_of_games(self, person: Person, *states: GameState) -> frozenset[str]:
        """The names of those games that can be played."""
        self.write()
        return loading.names_of(self.session, _of_person(person, states))

    def loaded(self, heads: Sequence[Row[Any]], *, lock: bool) -> Sequence[Game]:
        """The games of rows selected by a statement of `loading`; with `lock`, selected for this transaction."""
        fresh = [head for head in heads if head.id not in self._locked]
        for game in loading.assemble(self.session, fresh, self._snapshots):
            self._games[game.id] = self._rows[game.id] = game
            self._deadlines.setdefault(game.id, game.deadline)
        for head in fresh:
            self._people[head.id] = head.people, [seat.person for seat in self._games[head.id].seats]
        if lock:
            self._locked |= {head.id for head in heads}
        return [self._games[head.id] for head in heads]

    def _load(self, statement: Select[Any], key: Mapping[str, Any], *, lock: bool) -> Sequence[Game]:
        self.write()
        return self.loaded(loading.heads(self.session, statement, key, lock=lock), lock=lock)

    def held(self) -> Sequence[Game]:
        """Every game that this transaction has loaded, in its present state."""
        return list(self._games.values())

    def newest(self, game: Game) -> Game:
        """The present state of the game within this transaction."""
        return self._games[game.id]

    # changes

    def fold(self, game: Game, **changes: Any) -> Game:
        """The game after a change of its fields. Raises StaleSnapshot."""
        if game.id not in self._locked or self._games[game.id] is not game:
            raise StaleSnapshot(f"{game.name}, version {game.version}")
        if game.version == self._rows[game.id].version:
            changes["version"] = game_rows.new_version()
        self._games[game.id] = folded = replace(game, **changes)
        return folded

    def fold_seats(self, game: Game, *changed: Seat) -> Game:
        """The game with these seats replacing those with the same id."""
        by_id = {seat.id: seat for seat in changed}
        return self.fold(game, seats=tuple(by_id.get(seat.id, seat) for seat in game.seats))

    def write(self) -> None:
        """Write the changes to games that are not written yet."""
        for game_id, game in self._games.items():
            if game.version != self._rows[game_id].version:
                writing.write(self.session, self.identity, self._rows[game_id], game)
                self._rows[game_id] = game

    @contextmanager
    def attempt(self, *, keep: bool = True) -> Iterator[None]:
        """Run the block completely or, after any exception, not at all; without `keep`, roll it back in any case."""
        before = dict(self._games), dict(self._rows), set(self._locked), dict(self._mails), set(self.forgotten)
        spent, sets, told = dict(self.allowance.spent), list(self._sets), dict(self._told)
        kept = False
        attempt = _Attempt()
        self._attempts.append(attempt)
        try:
            with attempt.savepoint:
                yield
                if not keep:
                    attempt.undo()
            kept = keep
        finally:
            self._attempts.remove(attempt)
            if not kept:
                self._games, self._rows, self._locked, self._mails, self.forgotten = before
                self.allowance.spent, self._sets, self._told = spent, sets, told

    def finish(self) -> None:
        """Write everything that is still to be written. Call it last before the commit."""
        if self.orders_only and len(self._mails) == 1:
            leaves_no_work(self._session)
        self.write()
        if self._mails:
            self.queue_all(self.session, list(self._mails.values()), self.now)
            self._mails = {}

    def keep(self) -> None:
        """After the commit: cache the locked games as they are now."""
        games = [self._games[game_id] for game_id in self._locked]
        people = {game.id: self._people[game.id] for game in games}
        same = {game.id: people[game.id][0] for game in games if [s.person for s in game.seats] == people[game.id][1]}
        self._snapshots.keep(games, same)

    def add_seat(
        self, game: Game, role: SeatRole, person: Person | None, power: Power | None = None, of: Seat | None = None
    ) -> tuple[Game, Seat]:
        """Add a seat that this person holds, or a vacant one; one for the deputies `of` a player."""
        deputy_of = of.id if of is not None else None
        seat_id = game_rows.new_seat(self.session, game.id, role, deputy_of)
        joined_at = self.now if person is not None else None
        seat = Seat(seat_id, role, power, person, joined_at=joined_at, deputy_of=deputy_of)
        return self.fold(game, seats=(*game.seats, seat)), seat

    def create_game(self, name: str, options: GameOptions) -> Game | None:
        """Create a game that is forming, without seats; None when the name is taken."""
        seed = self.identity.new_seed(name)
        row = game_rows.create_game(self.session, name=name, options=options.texts, seed=seed, now=self.now)
        return self.game(row.id, lock=True) if row is not None else None

    def put_orders(self, game: Game, sets: Mapping[int, OrderSet]) -> Game:
        """Put these sets in force for the present phase, by seat id; each has the next number of its seat."""
        if not sets:
            return game
        self._sets.append((game.present.id, sets))
        return self.fold(game, orders={**game.orders, **sets})

    def register(self, email: str, name: str | None) -> Person:
        """Register a person with this address. Raises Temporary when another mail registers them at the same time."""
        made = people.create_account(self.session, email=email, name=name or self.identity.unnamed(email), now=self.now)
        person = loading.person_at(self.session, email)
        if made is None or person is None:
            raise Temporary(f"{email} is being registered by another mail of the same moment.")
        return person

    def change_person(self, person: Person, **values: Any) -> Person:
        """The person with new preferences: `name`, `zone`, `html`, `maps`, `remind`, `digest` ..."""
        if values:
            people.update_account(self.session, person.id, values)
        return self._know(replace(person, **values))

    def reread(self, person: Person) -> Person:
        """The person, read again after their addresses were changed."""
        return self._know(loading.people(self.session, [person.id])[person.id])

    def _know(self, person: Person) -> Person:
        for held in (self._games, self._rows):
            held |= {game_id: game.with_person(person) for game_id, game in held.items()}
        return person

    # what is noted and owed

    def allowance_of(self, payer: Payer, keys: Mapping[Per, str] | None = None) -> Allowance:
        """What the payer, or what `keys` identify, may still cause."""
        return Allowance(payer, keys or {}, self.now, self.identity.settings.limits, self.exhausted, self.session)

    def note(self, kind: str, game: Game | None = None, seat: Seat | None = None, **detail: object) -> LogRow:
        """Add to the log what was done."""
        return records.note(
            self.session,
            kind,
            self.now,
            game_id=game.id if game is not None else None,
            seat_id=seat.id if seat is not None else None,
            detail=detail,
        )

    def owe(self, game: Game, seats: Iterable[Seat], kind: str) -> None:
        """Queue a report of this kind about the present phase for each of these seats and their deputies, once."""
        if game.phase is not None:
            seats = tuple(seats)
            informed = dict.fromkeys(seat.id for seat in (*seats, *game.deputies_of(*seats)) if self._is_told(seat))
            agenda.owe_reports(self.session, game.phase.id, informed, kind, self.now)

    def _is_told(self, seat: Seat) -> bool:
        """Whether mail goes to the holder of the seat, which a player's always does."""
        return seat.deputy_of is None or seat.serves(self.now)

    # mails

    def post(
        self,
        rendered: Rendered,
        envelope: Envelope,
        attachments: tuple[Attachment, ...] = (),
        *,
        counted: bool = False,
        silent: bool = False,
    ) -> None:
        """Put a mail into the outbox; a `silent` one is charged alike, and not sent."""
        mail = composed(self.identity, self.now, rendered, envelope, attachments)
        self.queue(mail, counted=counted, silent=silent)

    def queue(self, mail: outbox.Queued, *, counted: bool = False, silent: bool = False) -> None:
        """Put a mail that is already composed into the outbox, instead of one of this transaction with its purpose.
        `counted`: it is charged with others (`charge_mails`), or its writer may not know of it. `silent`: only charged.
        """
        if not counted and not mail.purpose.startswith(RECEIPT):
            self._charge(1)
        if not silent:
            self._mails[mail.purpose] = mail

    def says(self, purpose: str) -> bool:
        """Whether a mail of this transaction has a purpose that begins so."""
        return any(one.startswith(purpose) for one in self._mails)

    def unsay(self, purpose: str) -> bool:
        """Forget the mails of this transaction whose purpose begins so, but for what else they tell. Returns whether
        there were any.
        """
        unsaid = [one for one in self._mails if one.startswith(purpose)]
        for one in unsaid:
            del self._mails[one]
        for key, told in list(self._told.items()):
            rest = {one: said for one, said in told.items() if not f"{one}:".startswith(purpose)}
            if len(rest) < len(told):
                self._told[key] = {}
                for one, said in rest.items():
                    game = self.game(key[0])
                    self.tell_together(game, map(game.seat, key[1]), *said, one)
        return bool(unsaid)

    def charge_mails(self, game: Game, seats: Iterable[Seat], text: Iterable[str]) -> None:
        """Charge a text that is written to these seats by what its writer can see, since how much is left tells how
        much was used: one mail for each, also for a secret seat without a player and for somebody with two seats, and
        none for a deputy; each as long as the text, however its reader gets it.
        """
        written = sum(len(part.encode()) for part in text)
        self._charge(
            sum(one.deputy_of is None and (one.person is not None or game.is_secret(one)) for one in seats), written
        )

    def _charge(self, mails: int, written: int = 0) -> None:
        self.allowance.charge(Spent.MAILS, mails)
        self.allowance.charge(Spent.BYTES, mails * (BYTES_OF_A_PART + written * AS_TEXT_AND_HTML))

    def left_deadline(self, game: Game, seat: Seat) -> tuple[Attachment, ...]:
        """The file that removes the deadline from the calendar of somebody who loses this seat."""
        if not game.running:
            return ()
        revision = loading.revision(self.session, game.id)
        return calendar_file(self.identity, game, seat, revision, self.now, leaves=True)

    def new_deadline(self, game: Game, *seats: Seat) -> Mapping[int, tuple[Attachment, ...]]:
        """The calendar files for these seats, by id, if this transaction has moved or cancelled the deadline."""
        closing = game.running and game.due_at is not None and game.due_at <= self.now
        if closing or game.deadline == self._deadlines.get(game.id):
            return {}
        key = game.id, game.deadline
        if key not in self._revisions:
            self._revisions[key] = loading.revision(self.session, game.id)
        files = ((seat, calendar_file(self.identity, game, seat, self._revisions[key], self.now)) for seat in seats)
        return {seat.id: found for seat, found in files}

    def to_person(
        self,
        person: Person,
        title: str,
        words: tuple[str, ...],
        purpose: str,
        game: Game,
        answers: Answers = (),
        files: tuple[Attachment, ...] = (),
        stop: str = "",
        counted: bool = False,
    ) -> None:
        """Send a notice to a person without a seat in the game, who replies to the server's own address. `stop` ends
        mail of this kind; STOP and the game's name, if it is empty. `counted` as in `queue`.
        """
        notice = Notice(reader_of(self.identity, person), title, words, game_facts(game), answers=answers)
        address = self.identity.address
        envelope = Envelope(purpose, person.reachable, address, game.name, ends=stop)
        self.post(render(notice), envelope, files, counted=counted)

    def dismiss(
        self, game: Game, seat: Seat, title: str, words: tuple[str, ...], purpose: str, answers: Answers = ()
    ) -> None:
        """Tell the holder of the seat that it is theirs no longer; the deadline leaves their calendar. Nobody is
        charged for a mail to a deputy, of whom not everybody knows.
        """
        if seat.person is not None:
            files, deputy = self.left_deadline(game, seat), seat.deputy_of is not None
            self.to_person(seat.person, title, words, purpose, game, answers, files, counted=deputy)

    def tell(
        self,
        game: Game,
        seats: Iterable[Seat],
        title: str,
        paragraphs: tuple[str, ...],
        purpose: str,
        sections: tuple[Section, ...] = (),
        answers: Answers = (),
        proposes: str = "",
        maps: tuple[Attachment, ...] = (),
    ) -> None:
        """Send a notice to these seats, each in its own zone; `answers` are lines to be sent with one tap, and YES in
        reply stands for what it `proposes`; `maps` go to those who want maps. One that asks for nothing can wait for
        their digests. Who holds several of them is told once, as a player if they are one.
        """
        seats = tuple(seats)
        players_last = sorted(seats, key=lambda seat: seat.role is SeatRole.PLAYER)
        held = list({one.person: one for one in players_last if one.serves(self.now)}.values())
        facts = game_facts(game)
        files, moved = self.new_deadline(game, *held), game.deadline != self._deadlines.get(game.id)
        for seat in held:
            reader = reader_of(self.identity, seat.person, game, seat, self.now)
            waits = can_wait(seat, purpose, asks=bool(answers))
            later = waits and not moved and held_until(self.identity, game, seat, self.now) is not None
            due = None if later else game.due_at  # their digest says when the deadline is by then
            rendered = render(Notice(reader, title, paragraphs, facts, due, sections, answers))
            shown = maps if seat.person is not None and seat.person.maps != "none" else ()
            details = f"{purpose}:{seat.id}", (*shown, *files.get(seat.id, ()))
            queued = composed_for(self.identity, self.now, game, seat, rendered, *details, waits=waits)
            self.queue(replace(queued, proposes=(proposes,) if proposes else ()), counted=True)
        several = len(seats) > 1  # who is told of something else may have a secret one
        secret = [one for one in game.players if several and game.is_secret(one)]
        self.charge_mails(game, dict.fromkeys((*seats, *secret)), paragraphs)

    def tell_together(
        self, game: Game, seats: Iterable[Seat], title: str, paragraphs: tuple[str, ...], why: str, purpose: str
    ) -> None:
        """Tell these seats what was done in a game, in one notice with all that this transaction tells them of it; a
        reason `why` that several things done one after the other share is told once.
        """
        seats = tuple(seats)
        key = game.id, tuple(seat.id for seat in seats)
        before = self._told.get(key, {})
        purpose = f"{purpose}+{len(before)}" if purpose in before else purpose  # of another line of the mail
        told = self._told[key] = {**before, purpose: (title, paragraphs, why)}
        for seat in seats if before else ():
            self._mails.pop(f"{next(iter(before))}:{seat.id}", None)
        titles = ", ".join(dict.fromkeys(one for one, _, _ in told.values()))
        self.tell(game, seats, titles, tuple(_with_reasons(told.values())), next(iter(told)))

    def has_told(self, game: Game, why: str) -> bool:
        """Whether anybody was told this reason for something that was done in the game."""
        told = (told for (game_id, _), told in self._told.items() if game_id == game.id)
        return any(reason == why for one in told for _, _, reason in one.values())


def _with_reasons(told: Iterable[tuple[str, tuple[str, ...], str]]) -> Iterator[str]:
    """The paragraphs of what was done, each with its reason behind the first, or several with the one that they share
    below them.
    """
    for why, group in groupby(told, key=itemgetter(2)):
        done = [paragraphs for _, paragraphs, _ in group]
        for first, *more in done:
            yield f"{first} The reason: {why}." if why and len(done) == 1 else first
            yield from more
        if why and len(done) > 1:
            yield f"The reason for {'both' if len(done) == 2 else 'all of this'}: {why}."


def _of_person(person: Person, states: Collection[GameState]) -> Mapping[str, Any]:
    return {"person": person.id, "states": states or tuple(GameState)}


@contextmanager
def transaction(
    database: Database, identity: ServerIdentity, now: datetime, snapshots: Snapshots
) -> Iterator[Transaction]:
    """A transaction that is committed at the end, or rolled back on any exception."""
    with database.transaction() as session:
        tx = Transaction(session, identity, now, snapshots)
        yield tx
        tx.finish()
    tx.keep()


@contextmanager
def reading(database: Database, identity: ServerIdentity, now: datetime, snapshots: Snapshots) -> Iterator[Transaction]:
    """A read-only transaction on a consistent snapshot of the database: it blocks no writer, and keeps nothing."""
    with database.reading() as session:
        yield Transaction(session, identity, now, snapshots)
