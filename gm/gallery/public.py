"""What everybody may know of a game: the only source of the gallery's pages.

Everything is made from the public view (`gm.views`) and from what STATUS, LIST and SUMMARY tell a stranger. Mail
addresses in texts by people are left out, because a page is read by more than those they were meant for.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from itertools import groupby
from typing import Any, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from gm.board import Power
from gm.commands.press import signature
from gm.commands.status import how_it_ended, state_words
from gm.games import report_inputs
from gm.games.report_inputs import announcements, game_facts, holder_name
from gm.games.snapshot import Game
from gm.mail.message.addresses import mailto, without_addresses
from gm.maps.picture import Figure, figure
from gm.play.ending import is_remark
from gm.play.export import record_of
from gm.play.seats import conditions, open_by, terms
from gm.position import Phase
from gm.reports import phase_title
from gm.reports.blocks import turn_text
from gm.reports.reader import GameFacts
from gm.reports.render import stamp
from gm.reports.results import Years, unit_count
from gm.store import game_rows, records
from gm.store.game_rows import GameRow, GameState, PhaseRow, SeatRow
from gm.store.people import AccountRow
from gm.store.records import AnnouncementRow, PressRow
from gm.store.rows import canonical_json, read
from gm.views import Section, View

ENDINGS = ("end", "terminate")
"""What the log calls the end of a game between phases."""


class Entry(NamedTuple):
    """An entry in the diary of a power; `when` is the title of its phase, "" for one that was rolled back."""

    power: str
    when: str
    text: str


class Letter(NamedTuple):
    """Press to all, or an announcement: its sender as it is signed, and the text."""

    sender: str
    text: str


@dataclass(frozen=True, slots=True)
class Standing:
    """A power's row in the standings. `player` is "" if the name is hidden; the numbers are None if not told."""

    power: Power
    player: str
    centers: int | None
    units: int | None


@dataclass(frozen=True)
class PlayedPhase:
    """A phase that was adjudicated. `number` counts from 1; that of its `row` is another one after a rollback."""

    game: PublicGame
    row: PhaseRow
    number: int
    letters: tuple[Letter, ...]

    @property
    def code(self) -> str:
        """`F1901M`."""
        return self.row.code

    @property
    def at(self) -> datetime:
        """When it was adjudicated."""
        assert self.row.adjudicated_at is not None
        return self.row.adjudicated_at

    @property
    def title(self) -> str:
        """`Fall 1901 movement`."""
        kinds, played = self.game.game.variant.language.kinds, self.row.position
        phase = Phase(int(played["year"]), kinds.season(played["season"]), kinds.phase(played["phase"]))
        return phase_title(phase)

    @property
    def text(self) -> str:
        """The results in plain text."""
        return turn_text(self.view.narrowed, self.game.facts.adjectives)

    @cached_property
    def view(self) -> View:
        """The turn and the position after it."""
        turn = report_inputs.turn_of(self.game.session, self.game.game, self.row)
        return report_inputs.view_after(self.game.game, None, turn)


@dataclass(frozen=True)
class PublicGame:
    """A game as everybody may see it. Its properties read from the session when they are first needed."""

    session: Session
    game: Game
    address: str
    """The server's address, to which one writes to join."""

    @property
    def name(self) -> str:
        """The name, in the form that CREATE allows."""
        return self.game.name

    @property
    def title(self) -> str:
        """The title of the variant."""
        return self.game.variant.title if self.game.playable else self.game.options.rules

    @property
    def group(self) -> str:
        """`forming`, `running` or `finished`."""
        if self.game.over:
            return "finished"
        return "forming" if self.game.state is GameState.FORMING else "running"

    @cached_property
    def state(self) -> str:
        """A sentence or two about the state, as in STATUS."""
        if not self.game.playable:
            return "It is played by an edition of the rules that this server does not have."
        return without_addresses(state_words(self.game))

    @property
    def played_now(self) -> str:
        """The present phase: `Fall 1901 movement`; "" before the first, and when the game is over."""
        return phase_title(self.game.phase.position.phase) if self.game.phase is not None and not self.game.over else ""

    @property
    def due_at(self) -> datetime | None:
        """The deadline, as STATUS tells it."""
        return self.game.due_at if self.game.running else None

    @property
    def way_in(self) -> str:
        """What to write to the server's address to take part; "" if there is no way in now."""
        return open_by(self.game)

    @property
    def way_in_link(self) -> str:
        """A link that opens a mail with it."""
        return mailto(self.address, self.way_in, f"{self.way_in}\n")

    @property
    def no_way_in(self) -> str:
        """Why JOIN does not do for a game that needs players; "" for all others."""
        game = self.game
        if not game.playable or self.way_in or not (game.state is GameState.FORMING or self.vacant):
            return ""
        return "By invitation: its gamemaster invites the players." if game.options.by_invitation else "It is full."

    @property
    def vacant(self) -> tuple[Power, ...]:
        """The powers without a player that a new one could play."""
        return tuple(seat.power for seat in self.game.vacant if seat.power is not None) if self.game.running else ()

    @property
    def conditions(self) -> str:
        """What a person looking for a game wants to know first: `White press, anonymous.`"""
        if self.game.over or not self.game.playable:
            return ""
        return f"{', '.join(conditions(self.game)).capitalize()}."

    @property
    def terms(self) -> tuple[tuple[str, str], ...]:
        """The options in words."""
        return tuple((subject, without_addresses(words)) for subject, words in terms(self.game))

    @property
    def facts(self) -> GameFacts:
        """The facts for reports."""
        return game_facts(self.game)

    @cached_property
    def phases(self) -> tuple[PlayedPhase, ...]:
        """The phases played, without what was rolled back."""
        rows = report_inputs.adjudicated(self.session, self.game)
        said = self._letters
        return tuple(PlayedPhase(self, row, number, said.get(row.id, ())) for number, row in enumerate(rows, 1))

    @property
    def letters(self) -> tuple[Letter, ...]:
        """The press to all in the phase that is played now or, when the game is over, since the last one was played."""
        return self._letters.get(self.game.phase.id, ()) if self.game.phase is not None else ()

    @cached_property
    def _letters(self) -> Mapping[int, tuple[Letter, ...]]:
        """Press to all and announcements, by phase, those of one that was rolled back with the phase played in its
        place. Press that is held back for the report of its phase is told with it, or never if there is none. What was
        written before the powers were dealt is not told, but for remarks: its sender's power is known since.
        """
        by_id = {seat.id: seat for seat in self.game.seats}
        played = {then.id: (then, now) for then, now in report_inputs.played_again(self.session, self.game)}
        found: dict[int, list[tuple[datetime, Letter]]] = {}
        for row in records.press_of(self.session, self.game.id):
            first = next(iter(played), None) if is_remark(row, self.game) else None
            phase_id = first if row.phase_id is None else row.phase_id
            if phase_id not in played or list(row.to) != ["ALL"] or row.from_seat_id not in by_id:
                continue
            then, now = played[phase_id]
            if "postal" not in row.manners or then.adjudicated_at is not None:
                letter = Letter(signature(by_id[row.from_seat_id], row.manners), without_addresses(row.body))
                found.setdefault(now.id, []).append((row.sent_at, letter))
        for one in announcements(self.session, self.game):
            if one.phase is not None:
                found.setdefault(one.phase.id, []).append((one.at, Letter(one.by, one.text)))
        by_time = {phase: sorted(letters, key=lambda one: one[0]) for phase, letters in found.items()}
        return {phase: tuple(letter for _, letter in letters) for phase, letters in by_time.items()}

    @cached_property
    def view(self) -> View | None:
        """The last turn and the position after it; before the first turn the position; None before the start."""
        if self.phases:
            return self.phases[-1].view
        return report_inputs.view_of(self.game, None) if self.game.phase is not None else None

    @cached_property
    def picture(self) -> Figure | None:
        """The map of the last turn, or of the first position; None if there is none."""
        return figure(self.view.pictured) if self.view is not None else None

    @cached_property
    def standings(self) -> tuple[Standing, ...]:
        """The powers that everybody knows, with most centres first."""
        view, game = self.view, self.game
        shown = [seat for seat in game.players if not game.is_secret(seat) and game.power_known(None, seat) is not None]
        rows = [
            Standing(seat.power or Power(""), without_addresses(holder_name(game, seat)), *_numbers(view, seat.power))
            for seat in shown
        ]
        return tuple(sorted(rows, key=lambda row: -(row.centers or 0)))

    @cached_property
    def years(self) -> Years:
        """The centres of each power at the end of each year."""
        return report_inputs.history(self.session, self.game, None, open_book=self.game.over)

    @property
    def version(self) -> str:
        """A text that changes whenever a page of the game does, and with nothing that is secret."""
        game, due = self.game, self.due_at
        about = [self.name, game.state, self.state, self.played_now, due and stamp(due), self.way_in, self.seed]
        holders = (
            [[game.power_known(None, seat), holder_name(game, seat)] for seat in game.players] if game.playable else []
        )
        played = [[phase.row.number, stamp(phase.at), phase.letters] for phase in self.phases]
        known = [*about, game.options.texts, game.house_rules, holders, played, self.letters, self.diaries]
        return hashlib.sha256(canonical_json(known).encode()).hexdigest()

    # ---- when it is over

    @property
    def opened(self) -> bool:
        """Whether its phases have been opened to everybody, who saw nothing of them before."""
        return self.game.over and self.game.playable and self.game.variant.veiled

    @property
    def result(self) -> str:
        """How it ended; "" while it lasts."""
        return how_it_ended(self.game) if self.game.over and self.game.playable else ""

    @property
    def ended_at(self) -> datetime | None:
        """When it ended by a vote or its gamemaster; None while it lasts, and if it ended with its last phase."""
        last = game_rows.stopped_at(self.session, self.game.id) if self.game.over and self.game.playable else None
        return None if last is None or (self.phases and last <= self.phases[-1].at) else last

    @cached_property
    def diaries(self) -> tuple[Entry, ...]:
        """What players wrote for themselves, published when it is over."""
        if not self.game.over or not self.game.playable:
            return ()
        phases = report_inputs.phases_leading_to(self.session, self.game)
        when = {phase.id: phase_title(report_inputs.position_of(self.game, phase).phase) for phase in phases}
        return tuple(
            Entry(str(self.game.seat(row.seat_id).power), when.get(row.phase_id or 0, ""), without_addresses(row.body))
            for row in records.diaries_of(self.session, self.game.id)
        )

    @property
    def seed(self) -> str:
        """The seed of the random draws, once the game is over; "" before."""
        return self.game.seed if self.game.over and self.game.phase is not None else ""

    @property
    def commitment(self) -> str:
        """The SHA-256 of the seed, which was in the first mail."""
        return self.game.chance.commitment

    @property
    def chronicle(self) -> tuple[Section, ...]:
        """What was secret until the end."""
        return report_inputs.chronicle(self.session, self.game) if self.game.state is GameState.FINISHED else ()

    @property
    def record(self) -> Mapping[str, Any] | None:
        """The whole game for `gm verify`, once it is over."""
        return record_of(self.session, self.game) if self.seed else None


def _numbers(view: View | None, power: Power | None) -> tuple[int | None, int | None]:
    """How many centres and units a power has, as far as that is told."""
    if view is None or power is None:
        return 0, 0
    if power not in view.counted:
        return None, None
    return len(view.position.centers_of(power)), unit_count(view, power)


def in_order(games: Sequence[PublicGame], group: str) -> tuple[PublicGame, ...]:
    """The games of a group by name, those that are over with the newest first."""
    own = [game for game in games if game.group == group]
    if group == "finished":
        return tuple(sorted(own, key=lambda one: -one.game.id))
    return tuple(sorted(own, key=lambda one: one.name))


# whether anything that is stored about a game has changed since somebody looked


_NEWEST_PRESS = select(func.max(PressRow.id)).where(PressRow.game_id == GameRow.id).scalar_subquery()
_NEWEST_ANNOUNCED = select(func.max(AnnouncementRow.id)).where(AnnouncementRow.game_id == GameRow.id).scalar_subquery()
_GAMES = select(GameRow.id, GameRow.version, _NEWEST_PRESS.label("press"), _NEWEST_ANNOUNCED.label("announced"))
_NAMES = (
    select(SeatRow.game_id, AccountRow.name)
    .join(AccountRow, AccountRow.id == SeatRow.account_id)
    .order_by(SeatRow.game_id, SeatRow.id)
)


class Stamp(NamedTuple):
    """Changes with everything that is shown of a game. Press, announcements and people are not part of its version."""

    version: int
    press: int | None
    announced: int | None
    names: tuple[str, ...]


def stamps_in(session: Session) -> dict[int, Stamp]:
    """The stamp of every game, by id."""
    seats = groupby(read(session, _NAMES, {}), lambda row: row.game_id)
    named = {game_id: tuple(row.name for row in own) for game_id, own in seats}
    games = read(session, _GAMES, {})
    return {row.id: Stamp(row.version, row.press, row.announced, named.get(row.id, ())) for row in games}
