"""A command as one value: its syntax, who may give it and when, what it does, and its help.

    PING = Command("ping", Syntax("PING power:KNOWN_POWER"), Policy(Who.PLAYER), act_ping, Help("say hello", "..."))

The grammar and its error messages, HELP, permission, confirmation, SCHEDULE and UNDO are derived from it; so are the
table of all commands in docs/commands.md (python -m tests.commands.reference) and what each level of trust asks, in
docs/trust.md (python -m tests.server.trust_page). The types of arguments are in grammars/commands.lark.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from enum import Enum
from functools import cached_property
from textwrap import dedent
from typing import Any, TypeAlias

from gm import folder
from gm.commands.context import Context
from gm.errors import NotPermitted, NotUnderstood
from gm.games.limits import Spent
from gm.games.snapshot import Game, Seat
from gm.parsing.command_lines import CommandReader
from gm.parsing.command_syntax import Orders, Sentences, Syntax, Text
from gm.parsing.message import Below, reason_apart
from gm.play import calendar
from gm.store import game_rows
from gm.store.game_rows import SeatRole

__all__ = [
    "Command", "Commands", "Consent", "Help", "Orders", "Policy", "Record", "Sentences", "Stage", "Syntax",
    "Text", "Undo", "Who",
]  # fmt: skip

Act: TypeAlias = Callable[[Context, Mapping[str, Any]], None]
"""Carries out a command: with its arguments by name, and `below` (lines), `lines` (orders) or `body` (a text).

It raises a GmError if it cannot be done; all its changes are then rolled back.
"""

Undo: TypeAlias = Callable[[Context, Mapping[str, Any]], str]
"""Takes back what a command did, using what the command logged as `undo`. Returns a sentence about the new state."""


class Who(Enum):
    """Who may give a command."""

    ANYBODY = "anybody"
    REGISTERED = "anybody who is registered"
    PERSON = "anybody who is registered, not as a deputy"
    SEATED = "whoever has a seat"
    PARTICIPANT = "players and the gamemaster"
    PLAYER = "players"
    MASTER = "the gamemaster"
    NEUTRAL_MASTER = "a gamemaster who does not play"


class Stage(Enum):
    """The stage of a game at which a command of a seat is possible."""

    ANY = "any"
    UNDER_WAY = "forming or running"
    RUNNING = "running"


@dataclass(frozen=True, slots=True)
class Record:
    """How LOG and UNDO treat the log entries that the command writes, whose kind is its title in lower case."""

    undo: Undo | None = None
    changes: str = ""
    """What it changes, in words; if somebody else has changed the same since, UNDO does not take it back."""
    leads: bool = False
    """What else changes the same may follow it in a mail: the game goes on, and until Friday."""
    untold: bool = False
    """Players are not told of it; so UNDO tells only the others who run the game."""
    quiet: bool = False
    """It changes nothing that could be undone, so UNDO skips it."""
    secret: tuple[str, ...] = ()
    """Kinds of log entries that LOG never shows."""
    from_players: bool = False
    """LOG does not show its entries to a gamemaster who plays."""
    details: tuple[str, ...] = ()
    """Details of its entries that LOG does not show."""
    opposite: str = ""
    """What is written to take it back where UNDO does not, `UNSTART {game}`."""


class Consent(Enum):
    """What a command can do to the person named as its sender; the level of trust decides who must confirm it first."""

    NONE = "nothing that could not be set right by another mail"
    BINDING = "it commits the sender, or changes what is known of them"
    IRREVOCABLE = "it cannot be undone, or changes a seat's owner"
    UNASKED = "it writes to people who did not ask for it"
    FAR_REACHING = "it moves or erases a person, or puts one into a seat"


class About(Enum):
    """What commands deal with that are for much the same: beside one of them, a sentence that may want another explains
    the one that was given.
    """

    ORDERS = "the orders of somebody else"
    RESULTS = "when results come, and which"
    WORDS = "words for others, or to keep"
    ENDING = "the end of a game"
    ENTERING = "a game's beginning, and who plays in it"
    EVERYWHERE = "what another command does, in several games"


@dataclass(frozen=True, slots=True)
class Policy:
    """Who may give the command, when, and whether it must be confirmed."""

    who: Who = Who.ANYBODY
    stage: Stage = Stage.ANY
    consent: Consent = Consent.NONE
    """Decides whether the command must be confirmed."""
    of_master: Consent | None = None
    """The same for a gamemaster, if different."""
    bare: Consent | None = None
    """The same for the command without arguments, if that only shows something."""
    of_newcomer: Consent | None = None
    """The same for a person who is not registered, if different."""
    of_unseated: Consent | None = None
    """The same for a person who writes to the server's own address, which is no secret, if different."""
    of_none: Consent | None = None
    """The same for the command with NONE, which undoes it, if different."""
    of_vacant: Consent | None = None
    """The same for a power without a player, if different."""
    of_later: Consent | None = None
    """The same where SCHEDULE carries it out, if different: what it brings about is not known before."""
    phase_bound: bool = False
    """Its meaning depends on the present phase."""
    final: bool = False
    """It is acted on below all other lines of a mail, and not at all if one of these was not acted on."""
    whole: bool = False
    """It is not acted on if orders in the same mail were not."""
    reopens: bool = False
    """Written below a final command, it takes that back."""
    playing: str = ""
    """What a gamemaster who plays writes instead of a command for those who do not."""
    instead: str = ""
    """What players write, of whom it is refused because it is the gamemaster's."""
    by_deputies: bool = False
    """The deputy of a player may give it, too; others of its kind are the player's own."""
    by_assistants: bool = False
    """An assistant gamemaster may give it, too; others of a gamemaster's need all rights."""
    of_all_games: bool = False
    """Without a game, at the server's address, it is about all games that its sender runs."""
    in_sandbox: bool = False
    """Whoever has a sandbox may give it there; of the commands for which one needs a seat, others may not be given."""
    schedulable: bool = False
    """SCHEDULE can carry it out later."""
    harmless: bool = False
    """It is done without a question where a mail surely wishes it in other words; or is on trial until NOW is added."""
    about: tuple[About, ...] = ()
    record: Record = Record()
    cost: int = 1
    """Its share of the work that is done for a sender: 1 for a reply, 5 if it mails others or adjudicates, 10
    for maps.
    """
    spends: tuple[Spent, ...] = ()
    """What else it may cause; it is refused when the budget for any of these is used up (`gm.games.limits`)."""

    def consent_of(self, ctx: Context, args: Mapping[str, Any]) -> Consent:
        """What the command can do to the person who gives it."""
        if self.bare is not None and not any(value for key, value in args.items() if key != "below"):
            return self.bare
        if self.of_none is not None and args.get("what") == "none":
            return self.of_none
        if self.of_vacant is not None and _names_a_vacant_seat(ctx, args):
            return self.of_vacant
        if self.of_master is not None and ctx.seat is not None and ctx.seat.role is SeatRole.MASTER:
            return self.of_master
        if self.of_unseated is not None and ctx.seat is None:
            return self.of_unseated
        if self.of_newcomer is not None and ctx.person is None:
            return self.of_newcomer
        return self.consent

    def consent_later(self, ctx: Context) -> Consent:
        """What the command can do where it is carried out later."""
        return self.of_later or self.consent_of(ctx, {"kept": True})

    @property
    def needs_seat(self) -> bool:
        """Whether only somebody with a seat in a game can give it, for that game."""
        return self.who not in (Who.ANYBODY, Who.REGISTERED, Who.PERSON)

    def check(self, ctx: Context, game: str | None) -> None:
        """Raises NotPermitted or NotNow if the sender may not give the command now, for the game named in it."""
        if self.who is Who.ANYBODY:
            return
        if self.who in (Who.REGISTERED, Who.PERSON) or (self.of_all_games and ctx.game is None):
            ctx.known()
            if self.who is Who.PERSON and ctx.seat is not None and ctx.seat.role is SeatRole.DEPUTY:
                self._check_deputy(ctx.seat)
            return
        played, seat = ctx.seated(game)
        if not self.serves(played):
            raise NotPermitted(f"{played.name} is a sandbox, in which there is no such thing to do.", _IN_SANDBOXES)
        if seat.role is SeatRole.DEPUTY:
            self._check_deputy(seat)
        elif seat.role is SeatRole.ASSISTANT and self.who in _GAMEMASTERS:
            self._check_assistant(ctx, played)
        elif self.who is Who.PLAYER or (self.who is Who.PARTICIPANT and seat.role is SeatRole.OBSERVER):
            ctx.as_player(instead=self.instead)
        elif self.who in (Who.MASTER, Who.NEUTRAL_MASTER):
            ctx.as_master(instead=self.instead)
        self._check_stage(ctx, played)
        if self.who is Who.NEUTRAL_MASTER:
            how = "PROMOTE and an address asks somebody who does not play to run the game, too."
            ctx.require_neutral(played, how=f"{self.playing} {how}".strip())

    def _check_stage(self, ctx: Context, game: Game) -> None:
        if self.stage is Stage.RUNNING:
            ctx.running(game)
        if self.stage is Stage.UNDER_WAY:
            ctx.under_way(game)

    def serves(self, game: Game) -> bool:
        """Whether there is any use for the command in the game: a sandbox has no players, deadlines or votes."""
        return self.in_sandbox or not game.options.sandbox or not self.needs_seat

    def _check_assistant(self, ctx: Context, game: Game) -> None:
        if not self.by_assistants:
            may = (command.title for command in ctx.commands.values() if command.policy.by_assistants)
            raise NotPermitted(
                f"You are an assistant gamemaster of {game.name}; that takes a gamemaster with all rights.",
                f"You can write {', '.join(may)} and press. PRESS TO GM, your text, and ENDPRESS asks the gamemaster.",
            )

    def _check_deputy(self, seat: Seat) -> None:
        if not self.by_deputies:
            raise NotPermitted(
                f"You are a deputy: for {seat.power} you can send orders, READY, WAIT, CLEAR and press.",
                "HELP DEPUTY says more. DEPUTY NONE ends it.",
            )


_GAMEMASTERS = (Who.PARTICIPANT, Who.MASTER, Who.NEUTRAL_MASTER)
"""Whose commands need rights of a gamemaster who gives them."""
_IN_SANDBOXES = (
    "Write orders for any power, READY, ROLLBACK F1901M, MAP, STATUS, HISTORY, WHATIF, SANDBOX WITH address,"
    " SANDBOX NEW or TERMINATE; HELP SANDBOX says more."
)


def _names_a_vacant_seat(ctx: Context, args: Mapping[str, Any]) -> bool:
    game = ctx.game
    power = game.lexicon.power(str(args.get("power"))) if game is not None else None
    seat = game.seat_of(power) if game is not None and power is not None else None
    return seat is not None and seat.person is None


@dataclass(frozen=True, slots=True)
class Help:
    """`summary` is one line for the list in HELP, `text` the rest, written for 72 columns; it may be indented."""

    summary: str
    text: str
    for_masters: bool = False
    """Listed with the gamemaster's commands, although others may give it too."""
    for_all: bool = False
    """Listed for everybody, although it is one of the gamemaster's commands."""
    words: tuple[str, ...] = ()
    """Other words, in capitals, under which HELP finds it."""
    more: Callable[[], str] = str
    """What is added to the text when somebody asks: what only the server that runs knows."""

    def __post_init__(self) -> None:
        if self.text.startswith("\n"):
            object.__setattr__(self, "text", dedent(self.text).strip())


def _weigh_time(ctx: Context, game: Game, before: Sequence[timedelta]) -> None:
    """Note that a command, whichever it is, has left players too little time; `before` is what they had in the game as
    it was. Raises NotPermitted where it has taken time from a phase that is played again, whose results its sender
    knows.
    """
    newest = ctx.tx.newest(game)
    then, now = calendar.time_left(game, ctx.now), calendar.time_left(newest, ctx.now)
    if game.phase is not None and not game.withheld and game.phase_id == newest.phase_id and now is not None:
        if then is None:  # without a deadline there is time without end, or what it had before
            then = game_rows.longest_given(ctx.tx.session, game.id, game.code) or timedelta.max
        if now < then:
            ctx.require_not_hurried(newest)
    if game.variant.review is not None and game.running and newest.options.window < game.options.window:
        ctx.require_neutral(newest, f"and {game.variant.review.seat} has a time that nobody who plays can shorten.")
    if calendar.hurries(before, calendar.notice(newest, ctx.now)):
        ctx.bring(Consent.IRREVOCABLE)


def _note_reason(ctx: Context, why: str, below: Below) -> None:
    """Note that somebody was told the reason for a command; if nobody was, say so once, where it stands: below the last
    of the commands that share it.
    """
    if why and not ctx.why:
        ctx.answer = replace(ctx.answer, told=ctx.answer.told | {why})
    elif ctx.why and any(number for number, _ in below) and why not in ctx.answer.told:
        if ctx.game is not None and ctx.tx.has_told(ctx.game, why):
            return
        ctx.say(f"Nobody was told your reason: {why}.")


@dataclass(frozen=True, slots=True)
class Command:
    """A command of the mail language. Its name is its title in lower case and without blanks."""

    name: str
    syntax: Syntax
    policy: Policy
    act: Act
    help: Help

    def run(self, ctx: Context, args: Mapping[str, Any]) -> None:
        """Carry it out, if the sender may give it; a gamemaster who also plays gives it at any of their seats. Raises
        the errors of the policy and of `act`.
        """
        with self._given(ctx):
            self._check(ctx, args)
            below: Below = args.get("below", ())
            why = ctx.why = reason_apart(below)[0] if self.says_why else ""
            game = ctx.game if ctx.at_chair else None
            before = calendar.notice(game, ctx.now) if game is not None else ()
            self.act(ctx, args)
            if game is not None:
                _weigh_time(ctx, game, before)
            _note_reason(ctx, why, below)

    def check(self, ctx: Context, args: Mapping[str, Any]) -> None:
        """Raise the errors of the policy, as `run` does."""
        with self._given(ctx):
            self._check(ctx, args)

    def _check(self, ctx: Context, args: Mapping[str, Any]) -> None:
        """Raises the errors of the policy; to whom it is not open, first what its words are here that it has on other
        judges: `SET ADDR`.
        """
        words = args.get("words") if self.for_master and ctx.seat is not None and not ctx.seat.moderates else None
        if words and (there := ctx.commands.translated(f"{self.title} {words}")):
            raise NotUnderstood(f"{self.title} {words} is a command of other servers.", there)
        self.policy.check(ctx, args.get("game"))

    @contextmanager
    def _given(self, ctx: Context) -> Iterator[None]:
        """Within the block, a gamemaster's command is given by the gamemaster."""
        played, master = ctx.actor, ctx.own_mastership if self._is_masters(ctx) else None
        ctx.actor = master or played
        try:
            yield
        finally:
            if master is not None and ctx.actor is master:
                ctx.actor = played

    def _is_masters(self, ctx: Context) -> bool:
        """Whether a gamemaster gives it as such at each of their seats, or here, below the name of the game."""
        return self.for_master or (self.of_chair and ctx.by_name)

    @property
    def for_master(self) -> bool:
        """Whether only a gamemaster may give it."""
        return self.policy.who in (Who.MASTER, Who.NEUTRAL_MASTER)

    @property
    def of_chair(self) -> bool:
        """Whether it is the gamemaster's, of one who plays, too, where only the game is named: also what players may
        give, if UNDO takes it back.
        """
        return self.for_master or (self.policy.who is Who.PARTICIPANT and self.policy.record.undo is not None)

    @property
    def is_deed(self) -> bool:
        """Whether it is one by which who runs games does something, and does not only look at it or keep a note."""
        policy, record = self.policy, self.policy.record
        notifies = policy.consent is not Consent.NONE or Spent.MAILS in policy.spends
        begins = self.for_master and policy.cost > 1 and not (record.quiet or policy.spends)
        takes = self.syntax.below is not None and self.for_masters
        return notifies or begins or takes or record.undo is not None or About.EVERYWHERE in policy.about

    @property
    def for_persons(self) -> bool:
        """Whether it is of whoever writes, wherever they write it: it takes no seat, and no game is in its form."""
        return not self.policy.needs_seat and re.search(":(?:GAME|PHASE)", self.syntax.form) is None

    def is_open_to(self, seat: Seat | None) -> bool:
        """Whether the rights of a gamemaster at this seat suffice for it, if they do not play."""
        if seat is None or seat.role is not SeatRole.ASSISTANT:
            return seat is not None and seat.role is SeatRole.MASTER
        return self.policy.by_assistants or self.policy.who not in _GAMEMASTERS

    @property
    def title(self) -> str:
        """Its word or words in capitals."""
        return self.syntax.title or self.name.upper()

    @property
    def says_why(self) -> bool:
        """Whether a reason may follow it, `BECAUSE the map was wrong`: any of the gamemaster's that is no text."""
        ends = self.policy.of_master is Consent.IRREVOCABLE  # DRAW
        return (self.for_masters or self.of_chair or ends) and not self.syntax.is_text

    @property
    def for_masters(self) -> bool:
        """Whether it is listed among the gamemaster's commands."""
        return self.help.for_masters or self.for_master


def _said(ours: str) -> str:
    """What is written here instead of another judge's command, as a sentence."""
    if ours.startswith("none: "):
        return f"There is none here: {ours.removeprefix('none: ')}."
    return f"Here: {_OPTION if re.match('[a-z]+=', ours) else ''}{ours}."


_FETCHES = ("GET", "SEND", "SHOW")
"""Words of other judges before the name of what they send."""
_BEGUN = 3
"""So many letters of the last word say which one it is."""
_OPTION = "the option "
"""Before what only HELP and SET translate: GRACE and FIRST also begin other lines."""


class Commands(Mapping[str, Command]):
    """All commands by name, the gamemaster's last, and the reader of lines that is derived from them."""

    def __init__(self, by_subject: Mapping[str, Sequence[Command]]) -> None:
        self.by_subject = by_subject
        declared = [command for commands in by_subject.values() for command in commands]
        self._by_name = {command.name: command for command in sorted(declared, key=lambda each: each.for_masters)}

    def __getitem__(self, name: str) -> Command:
        return self._by_name[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self._by_name)

    @cached_property
    def reader(self) -> CommandReader:
        """Parses lines that are commands."""
        syntaxes = {name: replace(command.syntax, says_why=command.says_why) for name, command in self.items()}
        return CommandReader(syntaxes, self._whole, {one.name for one in self.values() if one.policy.needs_seat})

    def _whole(self, line: str) -> str:
        """The translation of a line that can stand for it: one that leaves nothing to be filled in, or ""."""
        translation = self.translated(line)
        return "" if _OPTION in translation else translation

    def translated(self, words: str) -> str:
        """What is written here for a command of other judges that begins with these words, as a sentence, or ""."""
        spoken = words.upper().split()
        if len(spoken) > 1 and spoken[0] in _FETCHES and (name := self.reader.named(spoken[1].lower())) is not None:
            return f"Here: {self[name].title}."
        return next(filter(None, (self._their(" ".join(spoken[:length])) for length in (3, 2, 1))), "")

    def _their(self, words: str) -> str:
        """The translation of another judge's command, also without its blanks (`WHOGAME`), or if only one begins with
        these several words: `SET ADDR`.
        """
        if words in self._theirs:
            return self._theirs[words]
        begun = " " in words and len(words.rpartition(" ")[2]) >= _BEGUN
        near = (name for name in self._theirs if name.replace(" ", "") == words or (begun and name.startswith(words)))
        said = list(dict.fromkeys(map(self._theirs.__getitem__, near)))
        return said[0] if len(said) == 1 else ""

    @cached_property
    def _theirs(self) -> Mapping[str, str]:
        """The translations by the words in capitals with which a command begins: `SIGNON`, `SET PASSWORD`."""
        found: dict[str, list[str]] = {}
        for line in (folder("templates") / "judges.md").read_text(encoding="utf-8").splitlines():
            *theirs, ours = line.strip("| ").split(" | ")
            for words in re.findall(r"`([A-Z][A-Z_]*(?: [A-Z]{2,})*)", " ".join(theirs)):
                found.setdefault(words, []).append(_said(ours.replace("`", "")))
        return {words: " ".join(dict.fromkeys(ours)) for words, ours in found.items()}

    @cached_property
    def by_title(self) -> Mapping[str, Command]:
        """The commands by their word or words in capitals."""
        return {command.title: command for command in self.values()}
