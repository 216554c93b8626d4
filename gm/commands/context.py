"""Where a command acts: the transaction, the actor, the game, the origin, and the answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from difflib import get_close_matches
from enum import Enum
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar, cast

from gm.errors import GmError, NotNow, NotPermitted, NotUnderstood, Temporary
from gm.games import loading, names
from gm.games.limits import AS_TEXT_AND_HTML, BYTES_OF_A_PART, CERTAIN, Spent
from gm.games.report_inputs import reader_of
from gm.games.snapshot import Game, Person, PhasePlayed, Seat, addresses_of
from gm.games.transaction import Transaction
from gm.mail.message.addresses import mailto
from gm.mail.message.compose import Attachment
from gm.mail.message.incoming import MACHINE_NAMES, Message
from gm.parsing.lexicon import Lexicon
from gm.play import admission, beginning, calendar
from gm.reports.answers import Part, RefusedLine
from gm.reports.blocks import Block, Paragraphs, Passage, Verbatim
from gm.reports.reader import Answers, Reader
from gm.store import game_rows, people, records
from gm.store.game_rows import GameState, SeatRole
from gm.store.records import LogRow
from gm.views import View

if TYPE_CHECKING:
    from gm.commands.declaration import Commands, Consent
    from gm.parsing.command_lines import Call
    from gm.parsing.message import CommandLine

T = TypeVar("T")

LONGEST_ANSWER = 60_000
"""The most characters of text in one reply; longer texts are attached as files."""


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail. `received_at` is when its orders count as given; `overtaken_by` is when a newer mail from the same sender
    was sent, if that one was acted on first. `secret`: it came to an address of ours that only its sender knows.
    `proved`: it is certain who wrote it.
    """

    id: int
    message: Message
    received_at: datetime
    overtaken_by: datetime | None = None
    secret: bool = False
    proved: bool = False

    @property
    def overtaken(self) -> NotUnderstood | None:
        """Why the mail does not change what the newer mail has changed."""
        if self.overtaken_by is None:
            return None
        return NotUnderstood(
            f"By its date this mail is older than one of yours, of {self.overtaken_by:%d %b %H:%M} UTC, that was acted"
            " on before it came.",
            "If you mean it now, answer this mail with it.",
        )

    @property
    def key(self) -> str:
        """A key unique to this origin, for the purposes of the mails that it causes."""
        return str(self.id)


@dataclass(frozen=True, slots=True)
class _Other:
    """An origin that is no mail; `id` distinguishes it from others of its kind."""

    id: object

    @property
    def key(self) -> str:
        """See `Mail.key`."""
        return f"{type(self).__name__.lower()}-{self.id}"


class Scheduled(_Other):
    """A command that a gamemaster has scheduled (SCHEDULE). `id` is the row's."""


@dataclass(frozen=True, slots=True)
class Beginning(Scheduled):
    """One that was for the phase that begins. The report of the phase before it, with the id `after`, is still to be
    written. `due`: the deadline with which the phase begins.
    """

    after: int
    due: datetime | None


class Operator(_Other):
    """An action of the operator on the server itself. `id` names this one action."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A dry run of another origin; everything is rolled back."""

    of: Origin

    @property
    def key(self) -> str:
        """See `Mail.key`."""
        return f"trial-{self.of.key}"


Origin: TypeAlias = Mail | Scheduled | Operator | Trial
"""Why a command is carried out."""

_MOST_ADDRESSES = 3
"""So many addresses of seats are listed in a sentence."""

Actor: TypeAlias = Seat | Person | None
"""Who acts: an authenticated seat; a registered person; None for somebody unknown."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A phase of a game, or the time before its first or after its last one."""

    game: Game
    phase_id: int | None


@dataclass(frozen=True, slots=True)
class OrdersChanged:
    """A new set of orders is in force."""

    all_in: bool = False
    """It completed the orders of all powers, so the phase is closed."""


_OR = re.compile(r"\b(?:or|oder|ou)\b", re.IGNORECASE)
THE_POWER, THE_DEADLINE = "the power", "the deadline"
"""What several commands change, one after the other: `EJECT Italy`, `STANDIN Italy`, `REPLACE Italy WITH ...`."""


class Meant(Enum):
    """How sure it is that a line which is offered is what the actor's mail was meant to say."""

    NO = 0
    """It may be wanted next."""
    MAYBE = 1
    SURELY = 2


class Offered(NamedTuple):
    """A line to be sent with one tap, what it does, when it was offered, and whether a mail was meant to say it."""

    line: str
    does: str
    at: Moment | None
    meant: Meant


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer: sentences, answers to queries, files, refused lines below a command, any change of the actor's
    orders, and lines that the actor can send with one tap."""

    done: tuple[str, ...] = ()
    heading: str = ""
    """The one of these sentences that says what the mail has come to; of several the last, about where it was."""
    made: tuple[str, ...] = ()
    """The names of the games that the mail has made."""
    parts: tuple[Part, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    refused: tuple[RefusedLine, ...] = ()
    changed: OrdersChanged | None = None
    offers: tuple[Offered, ...] = ()
    replies_to: str = ""
    """The address for replies to the answer, if it is another than usual."""
    on_behalf: bool = False
    """A deputy has done something for a player, who gets a copy."""
    asked: tuple[str, ...] = ()
    """What is said of the lines that wait for the sender, who is asked about them in reply to the mail."""
    deadline: str = ""
    """The one of these sentences that says what becomes of the deadline, until a later line moves it."""
    told: frozenset[str] = frozenset()
    """The reasons that somebody was told."""
    kept_late: str = ""
    """The code of the phase for which the orders of the mail came late and are kept."""
    brings: frozenset[Consent] = frozenset()
    """What a line has brought about that its command does not say, as what could do the same."""


class Beforehand:
    """Slow results, made outside the transaction so that it blocks no other.

    A transaction asks for a result and, if it is not there, is rolled back; the result is made, and everything is done
    again. The result must depend only on its key, and the key must not contain the version of a game that this
    transaction changes.
    """

    def __init__(self) -> None:
        self._made: dict[Hashable, Any] = {}
        self._wanted: dict[Hashable, Callable[[], Any]] = {}

    def of(self, key: Hashable, make: Callable[[], T]) -> T | None:
        """The result for this key; None when it is still to be made."""
        if key not in self._made:
            self._wanted[key] = make
        return self._made.get(key)

    @property
    def wanted(self) -> bool:
        """Whether any result is still to be made."""
        return bool(self._wanted)

    def make(self) -> None:
        """Make the results that were asked for."""
        for key, make in self._wanted.items():
            self._made[key] = make()
        self._wanted.clear()


_MOST_LOOKS = 240
"""So much of a mail is looked at for what it may mean; a look at a sentence is one, a line made of it several."""


@dataclass
class Looks:
    """What sentences of a mail may mean, each found once, and how much more of the mail is looked at."""

    left: int = _MOST_LOOKS
    _found: dict[Hashable, tuple[object, object]] = field(default_factory=dict)

    def once(self, of: object, key: Hashable, cost: int, find: Callable[[], T]) -> T:
        """What is found, or was before, of this state of a game."""
        state, found = self._found.get(key, (self, None))
        if state is not of:
            self.left -= cost
            found = find()
            self._found[key] = of, found
        return cast(T, found)


@dataclass
class Context:
    """Where a command acts. `sender` is the address that the answer goes to, `commands` are all commands.

    `about` is the game that the lines are about: the seat's, or the one chosen by GAME.
    """

    tx: Transaction
    origin: Origin
    sender: str
    commands: Commands
    actor: Actor = None
    about: Game | None = None
    answer: Answer = field(default_factory=Answer)
    called: str = ""
    """The name by which others have invited the actor."""
    beforehand: Beforehand | None = None
    """If None, everything is made at once."""
    why: str = ""
    """The reason below the command that is carried out, `BECAUSE the map was wrong`, until somebody is told it."""
    accepts: bool = False
    """Whether the mail confirms what it stands for: lines that a mail to its sender alone has proposed, which it cites,
    and to which an authenticated mail led.
    """
    vouched: bool = True
    """Whether all that is offered again was offered to a mail that was authenticated."""
    looks: Looks = field(default_factory=Looks)
    guesses: bool = True
    """Whether lines that are no orders or commands are looked at for what they may mean. On a mail's last try they are
    not: no mistake in a guess keeps orders from being acted on.
    """

    # who, where and why

    @property
    def game(self) -> Game | None:
        """The present state of the game `about`."""
        return self.tx.newest(self.about) if self.about is not None else None

    @property
    def seat(self) -> Seat | None:
        """The present state of the actor's seat."""
        if not isinstance(self.actor, Seat) or (game := self.game) is None:
            return None
        return game.seat(self.actor.id)

    @property
    def by_name(self) -> bool:
        """Whether the mail has come to the seat, or is to, by the name of its game: below `GAME spring`."""
        return self.mail is not None and self.tx.identity.answers_digest(self.mail.message.recipients)

    @property
    def own_mastership(self) -> Seat | None:
        """The gamemaster's seat of an actor who writes from another of their seats in the game; not from a secret one,
        nor as a deputy.
        """
        game, seat = self.game, self.seat
        if game is None or seat is None or seat.role not in (SeatRole.PLAYER, SeatRole.OBSERVER):
            return None
        own = (one for one in game.moderators if one.is_of(seat.person))
        return next(own, None) if seat.person is not None and not game.is_secret(seat) else None

    @property
    def who(self) -> str:
        """Who does what is done at the seat, as players know them: `The gamemaster`."""
        assists = self.seat is not None and self.seat.role is SeatRole.ASSISTANT
        return "An assistant gamemaster" if assists else "The gamemaster"

    @property
    def at_chair(self) -> bool:
        """Whether the mail came to a seat of one who runs the game."""
        return self.seat is not None and self.seat.moderates

    @property
    def game_name(self) -> str:
        """The name of the game of the mail; "" if it is in none."""
        return self.game.name if self.game is not None else ""

    @property
    def account_id(self) -> int | None:
        """The key of the actor's account; None for an unknown person."""
        return self.person.id if self.person is not None else None

    @property
    def reached_at(self) -> str:
        """The address at which the actor is written to."""
        return self.person.reachable if self.person is not None else self.sender

    @property
    def addresses(self) -> tuple[str, ...]:
        """All addresses of the actor; of an unknown person the one that they write from."""
        return tuple(self.person.addresses) if self.person is not None else (self.sender,)

    @property
    def person(self) -> Person | None:
        """The actor; None for an unknown person."""
        if isinstance(self.actor, Person):
            return self.actor
        seat = self.seat
        return seat.person if seat is not None else None

    @property
    def now(self) -> datetime:
        """The time of the transaction."""
        return self.tx.now

    @property
    def key(self) -> str:
        """The beginning of the purposes of mails that this causes."""
        return self.origin.key

    @property
    def mail(self) -> Mail | None:
        """The mail that contains the command, if there is one."""
        origin = self.origin
        while isinstance(origin, Trial):
            origin = origin.of
        return origin if isinstance(origin, Mail) else None

    @property
    def answered(self) -> Seat | None:
        """The seat to which an answer goes, also to what it has scheduled; None if everybody is to be notified."""
        return self.seat if self.mail is not None or isinstance(self.origin, Scheduled) else None

    @property
    def mail_id(self) -> int | None:
        """The id of that mail."""
        return self.mail.id if self.mail is not None else None

    @property
    def received_at(self) -> datetime:
        """When orders count as given."""
        return self.mail.received_at if self.mail is not None else self.tx.now

    def sit_down(self, game: Game, seat: Seat) -> None:
        """Act for this seat in the following lines."""
        self.about, self.actor = game, seat

    def stand_up(self) -> None:
        """Act for the person, no longer for their seat, in the following lines."""
        self.actor = self.person

    # the answer

    def say(self, sentence: str, *, first: bool = False) -> None:
        """Add a sentence to the answer; the `first` one says what the mail has come to, and heads the answer; any
        other such stands in its turn.
        """
        done, heading = self.answer.done, self.answer.heading
        done = (sentence, *done) if first and not heading else (*done, sentence)
        self.answer = replace(self.answer, done=done, heading=sentence if first else heading)

    def replace_said(self, sentence: str, now: str) -> None:
        """Let the answer say this instead of a sentence that a later line has made wrong."""
        said = (one.replace(sentence, now).strip() for one in self.answer.done)
        self.answer = replace(self.answer, done=tuple(filter(None, said)))

    def say_of_deadline(self, sentence: str) -> None:
        """Let the answer say this of the deadline, and nothing else that it has said of it; "" for nothing."""
        self.replace_said(self.answer.deadline, "")
        if sentence:
            self.say(sentence)
        self.answer = replace(self.answer, deadline=sentence)

    def bring(self, *consents: Consent) -> None:
        """Note what the line brings about, so that it needs what a command would that says so."""
        self.answer = replace(self.answer, brings=self.answer.brings.union(consents))

    def on_trial(self) -> Context:
        """The same context for what is done on trial, with an answer of its own."""
        return replace(self, origin=Trial(self.origin), answer=Answer())

    def tried(self, commands: Iterable[CommandLine]) -> Context:
        """The context of commands that were carried out on trial, as far as they could be: with what they bring."""
        trying = self.on_trial()
        try:
            with self.tx.attempt(keep=False):
                for item in commands:
                    self.commands[item.name].run(trying, {**item.args, "below": item.below})
        except Temporary:
            raise
        except GmError:
            pass
        return trying

    def offer(self, line: str, does: str, meant: Meant = Meant.NO) -> None:
        """Add a line that the actor can send with one tap, while the game is where it is now; one that their mail may
        have meant is also done by YES in reply to the answer. In capitals or not, it is the same line.
        """
        line = next((one.line for one in self.answer.offers if one.line.lower() == line.lower()), line)
        self.answer = replace(self.answer, offers=(*self.answer.offers, Offered(line, does, self._now, meant)))

    def offer_last(self, line: str, does: str) -> None:
        """Offer a line with one tap, and no other any more that does the same."""
        self.answer = replace(self.answer, offers=tuple(one for one in self.answer.offers if one.does != does))
        self.offer(line, does)

    @property
    def open_offers(self) -> Answers:
        """What has been offered, and is not over: the same mail may have ended the phase, or the game."""
        found = dict[str, str]()
        for one in self._open():
            found.setdefault(one.line, one.does)  # each line once
        return tuple(found.items())

    @property
    def proposes(self) -> tuple[str, ...]:
        """What YES in reply to the answer stands for: all lines together that the mail surely meant; or each that it
        may have meant, if it may have meant others, or two of them change the same thing in different ways. Those that
        only show something are for a tap.
        """
        sure = dict.fromkeys(one.line for one in self._open() if one.meant is Meant.SURELY)
        meant = dict.fromkeys(one.line for one in self._open() if one.meant is not Meant.NO)
        if not sure or len(meant) > len(sure) or self.are_alternatives(sure):
            return tuple(line for line in meant if not self._shows(line))
        first = ("REMARK", "ALL GAMES")  # words stand above a report; what is below GAME is done at the seats, too
        return ("\n".join(sorted(sure, key=lambda line: not line.startswith(first))),)

    def _shows(self, line: str) -> bool:
        name = self.commands.reader.name_of(line)
        return name is not None and (self.commands[name].syntax.asks or name == "map")

    def are_alternatives(self, lines: Iterable[str]) -> bool:
        """Whether two of these lines change the same thing by different commands: `EXTEND 24h` and `DEADLINE Friday`. A
        power is taken from one, ordered for and offered to another in turn, if the mail does not say `or`.
        """
        either = self.mail is not None and _OR.search(self.mail.message.text) is not None
        found: dict[tuple[str, str], frozenset[str]] = {}
        for line in lines:
            changed = [*self._changed_by(line)]
            commands = frozenset(name for name, _ in changed)
            changed = [one for one in changed if either or one[1][0] != THE_POWER]
            if any(found.setdefault(what, commands) != commands for _, what in changed):
                return True
        return False

    def _changed_by(self, text: str) -> Iterator[tuple[str, tuple[str, str]]]:
        """The commands of a text, each with what it changes: the deadline, or a power, and of which game or whom."""
        where = ""
        for line in text.split("\n"):
            call = self._call(line)
            command = self.commands[call.name] if call is not None else None
            if call is None or command is None or command.name == "allgames":
                return
            where = str(call.args.get("game") or where) if command.name == "game" else where
            if (changes := command.policy.record.changes) and not command.policy.record.leads:
                yield command.name, (changes, str(call.args.get("power") or where))
            if command.syntax.below is not None:
                return

    def _call(self, line: str) -> Call | None:
        with suppress(NotUnderstood):
            return self.commands.reader.read(line, self.lexicon)
        return None

    def _open(self) -> Iterator[Offered]:
        return (one for one in self.answer.offers if one.at is None or self.is_now(one.at))

    @property
    def _now(self) -> Moment | None:
        game = self.game
        return Moment(game, game.running_phase_id) if game is not None else None

    def is_now(self, moment: Moment) -> bool:
        """Whether the game is still in that phase."""
        return self.tx.newest(moment.game).running_phase_id == moment.phase_id

    def withdraw(self, line: str) -> None:
        """Offer a line no more: the actor has written it."""
        self.answer = replace(self.answer, offers=tuple(one for one in self.answer.offers if one.line != line))

    def show(self, title: str, said: str | Sequence[Block], *, as_file: bool = False) -> None:
        """Answer with blocks or with a text for 72 columns; what is too long to be read in a mail comes as a file."""
        part = Passage(title, (Verbatim(said.strip("\n")),) if isinstance(said, str) else tuple(said))
        text, shown = part.text, sum(len(part.text) for part in self.answer.parts if isinstance(part, Passage))
        if as_file or shown + len(text) > LONGEST_ANSWER:
            name = re.sub("[^a-z0-9]+", "-", title.lower()).strip("-") + ".txt"
            self.attach([Attachment(name, "text/plain", text.encode(), (("charset", "utf-8"),))])
            part = Passage(title, (Paragraphs((f"See the attached file {name}.",)),))
        self.give(part)

    def show_view(self, title: str, view: View, words: Callable[[View], Sequence[Block]]) -> None:
        """Answer with the words for a view; of very many powers with those on what is near, and all in a file."""
        near = view.narrowed
        self.show(title, words(near))
        if near is not view:
            self.show(f"{title}, all {len(view.powers):,} powers", words(view), as_file=True)

    def give(self, part: Part) -> None:
        """Add the answer to a query."""
        self.tx.allowance.charge(Spent.BYTES, len(getattr(part, "text", "")) * AS_TEXT_AND_HTML or BYTES_OF_A_PART)
        if part not in self.answer.parts:
            self.answer = replace(self.answer, parts=(*self.answer.parts, part))

    def attach(self, files: Iterable[Attachment]) -> None:
        """Send files along with the answer."""
        new = tuple(file for file in files if file not in self.answer.attachments)
        self.tx.allowance.charge(Spent.BYTES, sum(len(file.content) for file in new))
        self.answer = replace(self.answer, attachments=(*self.answer.attachments, *new))

    def drawn(self, key: Hashable, draw: Callable[[], T]) -> T | None:
        """What takes long to draw and depends only on the `key`; None when this transaction is to be repeated."""
        return draw() if self.beforehand is None else self.beforehand.of(key, draw)

    def tell_others(self, game: Game, title: str, words: tuple[str, ...], purpose: str) -> None:
        """Tell all of a game but whom the answer goes to what the actor has done in it, with their reason."""
        why = self.why
        self.note_told("All players get")
        self.tx.tell_together(game, game.all_but(self.answered), title, words, why, purpose)

    @property
    def said_why(self) -> str:
        """The sentence with the actor's reason, or ""."""
        return f"The reason: {self.why}." if self.why else ""

    def note_told(self, who_get: str) -> None:
        """Note that people were told the actor's reason; the answer says once "who get" it."""
        why, self.why = self.why, ""
        if why and why not in self.answer.told:
            self.say(f"{who_get} your reason: {why}.")
            self.answer = replace(self.answer, told=self.answer.told | {why})

    def refuse(self, lines: Iterable[RefusedLine]) -> None:
        """Report lines below a command as refused."""
        self.answer = replace(self.answer, refused=(*self.answer.refused, *lines))

    def changed(self, orders: OrdersChanged) -> None:
        """Report that the actor's orders have changed."""
        self.answer = replace(self.answer, changed=orders)

    def note(self, kind: str, **detail: object) -> None:
        """Add to the log what was done, and to what can be undone."""
        self.noted(self.tx.note(kind, self.game, self.seat, **detail))

    def noted(self, entry: LogRow) -> None:
        """What this entry of the log says can be undone, unless its command changes nothing that could be."""
        command = self.commands.by_title.get(entry.kind.upper())
        if command is not None and not command.policy.record.quiet:
            records.act(self.tx.session, entry)

    @property
    def lexicon(self) -> Lexicon | None:
        """The names of the game in question as the actor may use them; None without a game."""
        return self.game.lexicon_of(self.seat) if self.game is not None else None

    def reader(self) -> Reader:
        """The actor as the reader of the answer."""
        reader = reader_of(self.tx.identity, self.person, self.game, self.seat, self.now)
        to = self.answer.replies_to
        return replace(reader, reply_to=to, mailto=partial(mailto, to)) if to else reader

    # who is asked for

    def known(self) -> Person:
        """The actor. Raises NotPermitted for an unknown person."""
        if self.person is None:
            problem = f"{self.sender} is not registered here."
            raise NotPermitted(problem, "Write REGISTER and your name, or JOIN a game.")
        return self.person

    def registered(self, name: str | None = None) -> Person:
        """The actor, registered if this is their first command: with this name, the one in the mail, or a neutral
        one.
        """
        if self.person is None:
            in_mail = self.mail.message.sender_name if self.mail is not None else ""
            server = self.tx.identity.settings.name
            given = name or names.written(in_mail, server)
            self.actor = self.tx.register(self.sender, given or names.written(self.called, server))
            if given is None:
                self.say(f"Others see you as {self.actor.name}. To change that, write REGISTER and your name.")
        return self.known()

    def change_person(self, **values: Any) -> Person:
        """The actor with new preferences; registered if they were not."""
        changed = self.tx.change_person(self.registered(values.get("name")), **values)
        self.actor = changed if isinstance(self.actor, Person) else self.actor
        return changed

    def reach(self, email: str, kind: str) -> None:
        """Check that a person who may not have asked for it can be sent a mail. Raises NotUnderstood for a program's
        address, NotPermitted when they do not want mail of this kind, OverLimit when they have been sent enough."""
        if MACHINE_NAMES.fullmatch(email.partition("@")[0]):
            raise NotUnderstood(f"{email} is the address of a program, not of a person.", "Name a person's address.")
        person = loading.person_at(self.tx.session, email)
        unwanted = people.blocked(self.tx.session, (email, *addresses_of(person)))
        if unwanted & {people.ALL_MAIL, kind}:
            raise NotPermitted(f"{email} does not want mail like this from here.", "Ask them yourself.")
        self.tx.allowance.admit(Spent.FIRST, "" if self._plays_for_actor(person) else email)

    def _plays_for_actor(self, person: Person | None) -> bool:
        """Whether somebody plays in a game that the actor provably runs, of which the actor may know all players: what
        such a person is sent counts for its sender alone.
        """
        if person is None or self.tx.allowance.payer not in CERTAIN:
            return False
        own = ((game, seat) for game in self.own_games if game.seats_of(person) for seat in game.seats_of(self.person))
        return any(seat.moderates and admission.knows_the_invited(game, seat) for game, seat in own)

    def public_game(self, name: str | None) -> Game:
        """The game named, or the seat's, for queries by anybody who may know of it. Raises NotUnderstood."""
        mine = self.game
        if name is None and mine is None:
            raise NotUnderstood("No game is named.", "Add its name, as in STATUS spring; LIST shows the games.")
        found = mine if mine is not None and name in (None, mine.name) else self.tx.game_named(name or "")
        if found is None or not admission.may_know_of(self.tx, found, self.person, self.sender):
            near = get_close_matches((name or "").lower(), self._known_names, 1)
            hint = f"Did you mean {near[0]}? " if near else ""
            raise NotUnderstood(f"There is no game '{name}'.", f"{hint}LIST shows the games.")
        return found

    @cached_property
    def runs_games(self) -> bool:
        """Whether the actor runs the game; at the server's own address, whether they run one that is not over."""
        if self.seat is not None:
            return self.seat.moderates
        return any(seat.moderates for game in self.own_games for seat in game.seats_of(self.person))

    @property
    def own_games(self) -> Sequence[Game]:
        """The actor's games that are not over."""
        states = (GameState.FORMING, GameState.RUNNING)
        return self.tx.games_of(self.person, *states)

    @cached_property
    def _known_names(self) -> Sequence[str]:
        """The names of the games that are not over of which the sender knows; as they were when first asked."""
        states = (GameState.FORMING, GameState.RUNNING)
        return [game.name for game in (*self.tx.games_in(*states), *self.own_games)]

    def game_with_seats(self, name: str | None) -> Game:
        """Like `public_game`, locked, to take a seat or leave it. Raises NotNow where others can have none."""
        found = self.tx.game(self.public_game(name).id, lock=True)
        if found.options.private:
            raise NotNow(f"{found.name} is a game of your own, with no seat for others.", "LIST OPEN shows games.")
        return found

    def own_seat(self, game: Game) -> Seat | None:
        """The actor's seat if it is in this game, otherwise None; it decides what they may see."""
        return self.seat if self.game is not None and self.game.id == game.id else None

    def seated(self, name: str | None = None) -> tuple[Game, Seat]:
        """The game and the actor's seat. Raises NotPermitted when the actor is not a seat."""
        game, seat = self.game, self.seat
        if seat is None or game is None:
            raise NotPermitted("Send this to your seat's address.", self.where_to_send(name))
        if name is not None and (power := game.lexicon.power(name)) is not None:
            raise NotPermitted(f"This is for all of {game.name}, not for {power} alone.", f"Write it without {power}.")
        if name is not None and name.lower() != game.name:
            raise NotPermitted(f"This address is your seat in {game.name}, not in '{name}'.", self.where_to_send(name))
        return game, seat

    def commanding(self) -> tuple[Game, Seat]:
        """Like `seated`, with the seat whose orders the actor gives: a deputy those of the player."""
        game, seat = self.seated()
        return game, game.principal(seat)

    def act_on_behalf(self) -> None:
        """If the actor is a deputy, the player gets a copy of the answer."""
        self.answer = replace(self.answer, on_behalf=self.seat is not None and self.seat.deputy_of is not None)

    def as_player(self, name: str | None = None, *, instead: str = "") -> tuple[Game, Seat]:
        """Like `seated`, for players of a power. Raises NotPermitted for others, with what they can do `instead`."""
        game, seat = self.seated(name)
        if seat.role is not SeatRole.PLAYER:
            problem = f"You play no power in {game.name}; this is your {seat.title} address."
            raise NotPermitted(problem, instead or "HELP lists what you can do.")
        return game, seat

    def as_master(self, name: str | None = None, *, instead: str = "") -> tuple[Game, Seat]:
        """Like `seated`, for the gamemaster; `instead`: what others can do."""
        game, seat = self.seated(name)
        if seat.role is not SeatRole.MASTER:
            how = f"{instead} To ask them, write PRESS TO GM, your text, and ENDPRESS.".strip()
            raise NotPermitted(f"Only the gamemaster of {game.name} can do that.", how)
        return game, seat

    def plays(self, game: Game) -> bool:
        """Whether the actor also plays a power in the game, and so may see no more than that power."""
        return game.plays(self.person)

    def require_neutral(
        self, game: Game, why: str = "so you can see only what your power sees.", how: str = ""
    ) -> None:
        """Raise NotPermitted for a gamemaster who also plays a power in the game; `why` goes on with that."""
        if self.plays(game):
            raise NotPermitted(f"You play in this game, {why}", how)

    def require_not_hurried(self, game: Game) -> None:
        """Raise NotPermitted for a gamemaster who plays and would end a phase before its deadline that is played again:
        they know its results, and the others have the time to change their orders.
        """
        others = (seat for seat in game.awaited if not seat.is_of(self.person))
        hidden = game.variant.veiled or not game.shows_progress  # to refuse only while some are missing would tell it
        waited = hidden or any(not game.has_ordered(seat, incomplete_too=False) for seat in others)
        waited = waited or calendar.lost_a_player(game)
        phase = self.running(game)
        if waited and game_rows.is_played_again(self.tx.session, game.id, phase.code, phase.number):
            why = f"and {phase.code} is played again, so nobody who plays can end it before its deadline."
            self.require_neutral(game, why, "It ends early when the others have all sent their orders or said READY.")

    def require_may_know_players(self, game: Game) -> None:
        """Raise NotPermitted for a gamemaster who also plays where the players are not known to each other."""
        if self.plays(game) and (game.names_hidden or game.variant.seating.secret):
            raise NotPermitted(
                "You play in this game, so you may not know who else does.",
                "PROMOTE makes somebody a gamemaster who does not play.",
            )

    def running(self, game: Game, named: str | None = None) -> PhasePlayed:
        """The present phase of a running game. Raises NotNow, also if another one was `named`."""
        if not game.running:
            raise beginning.not_running(game, self.seat)
        if named is not None and named != game.present.code:
            raise NotNow(f"{named} is not being played.", f"{game.name} is in {game.present.code}.")
        return game.present

    def under_way(self, game: Game) -> None:
        """Raises NotNow for a game that is over."""
        if game.over:
            raise NotNow(f"The game {game.name} is {game.state}.", "SUMMARY and HISTORY show how it went.")

    def where_to_send(self, name: str | None) -> str:
        """For a registered person, a hint with the addresses of their seats; it may go to that person only."""
        person = self.person
        if person is None:
            return "Join a game first; the reply gives you your seat's address. LIST shows the games."
        mine = [
            f"{game.name} ({seat.title}): {self.tx.identity.address_of(game, seat)}"
            for game in self.tx.games_of(person)
            for seat in game.seats_of(person)
            if name is None or game.name == name.lower()
        ]
        if not mine:
            return "You have no seat in that game. LIST OPEN shows the games with room."
        if len(mine) > _MOST_ADDRESSES:
            first = mine[0].partition(" ")[0]
            return f"Write the name of its game above the line, as in GAME {first}; LIST MINE shows your games."
        return "Write GAME and its name above the line, or write to your seat: " + "; ".join(mine)
