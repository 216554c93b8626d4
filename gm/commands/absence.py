"""ABSENCE: when a player is away."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, time, timedelta
from typing import Any

from gm.clock import parse_span
from gm.commands import Command
from gm.commands.scene import Scene
from gm.errors import NotNow, NotPermitted
from gm.games.deadlines import absences, set_deadline
from gm.games.post import tell
from gm.games.snapshot import Table
from gm.reports.words import full_moment
from gm.store import game_rows, people
from gm.store.game_rows import GameState, SeatRole
from gm.store.people import AccountRow

_MOST = 6


def act(scene: Scene, args: Mapping[str, Any]) -> None:
    """Tell an absence; deadlines that fall into it move by the rule of each game. Or list or cancel them."""
    scene.seated()
    account = scene.account
    if account is None:
        raise NotPermitted(f"{scene.sender} is not registered here.", "JOIN a game first.")
    words = str(args["words"]).strip()
    mine = people.absences_of(scene.session, [account.id], scene.now)
    if words.lower() in ("no", "none", "off"):
        for absence in mine:
            absence.cancelled_at = scene.now
        scene.say("You are not away." + (" Deadlines that have moved stay as they are." if mine else ""))
        return
    if words:
        if len(mine) >= _MOST:
            raise NotNow(f"You have told {_MOST} absences already.", "ABSENCE NONE cancels them.")
        _add(scene, account, words)
    zone = scene.office.zone_of(account)
    for absence in people.absences_of(scene.session, [account.id], scene.now):
        scene.say(f"You are away from {full_moment(absence.begins, zone)} to {full_moment(absence.ends, zone)}.")
    if not words and not mine:
        scene.say("You have told no absence. Write ABSENCE and two dates: ABSENCE 2026-12-24 TO 2027-01-02.")


def _add(scene: Scene, account: AccountRow, words: str) -> None:
    """Keep the absence, whole days in the sender's zone, and move what it touches now."""
    zone = scene.office.zone_of(account)
    first, last = parse_span(words)
    begins = datetime.combine(first, time(), zone).astimezone(UTC)
    ends = datetime.combine(last + timedelta(days=1), time(), zone).astimezone(UTC)
    if ends <= scene.now:
        raise NotNow(f"{words} is over already.", "Write dates that are to come.")
    people.add_absence(scene.session, account.id, max(begins, scene.now), ends, scene.now)
    scene.note("absence", begins=begins.isoformat(), ends=ends.isoformat())
    for game, seat in game_rows.seats_of_account(scene.session, account.id, GameState.RUNNING):
        if seat.role is SeatRole.PLAYER:
            same = scene.table is not None and scene.table.game.id == game.id
            table = (
                scene.table
                if same and scene.table is not None
                else Table(scene.session, game_rows.lock_game(scene.session, game.id))
            )
            _move(scene, table)


def _move(scene: Scene, table: Table) -> None:
    """Move the present deadline of a game out of the absences of those who must still order."""
    if table.phase is None or table.deadline is None:
        return
    due = table.deadline.due_at
    moved = table.options.clock.out_of(due, absences(table, scene.now))
    if moved == due:
        return
    set_deadline(table, table.phase, moved, scene.now)
    scene.say(f"The deadline of {table.game.name} moves to {full_moment(moved, table.options.clock.zone)}.")
    words = ("A player is away, so the deadline has moved, as the rules of this game have it.",)
    others = [seat for seat in table.seats if scene.account is None or seat.account_id != scene.account.id]
    tell(
        table,
        scene.office,
        others,
        "new deadline",
        words,
        purpose=f"absence:{scene.mail_id}:{table.game.id}",
        now=scene.now,
    )


COMMAND = Command(
    "absence",
    "tell when you are away",
    "The days count whole, in your time zone, and for all your games. A\n"
    "deadline that falls into them while you have still to order moves\n"
    "behind them, as far as the game allows (see STATUS). ABSENCE alone\n"
    "shows what you have told, ABSENCE NONE cancels it.",
    act,
)
