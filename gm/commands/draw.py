"""DRAW and CONCEDE: secret ballots of the players; the gamemaster declares a draw."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from gm.board import Power
from gm.commands import Command
from gm.commands.scene import Scene
from gm.errors import NotNow, NotPermitted, NotUnderstood
from gm.games import ballots
from gm.games.ending import end_game
from gm.games.snapshot import Table
from gm.reports.words import listed
from gm.store.game_rows import GameState, SeatRole, SeatRow
from gm.turn import AGREED, CONCEDED, DECLARED, Victory

_UNSEEN = "Nobody is told how you voted."
_TAKE_BACK = ("no", "none", "never")


def act_draw(scene: Scene, args: Mapping[str, Any]) -> None:
    """A vote for or against a draw; from the gamemaster its declaration."""
    table, seat = scene.seated()
    scene.running(table)
    words = str(args["words"]).strip()
    if seat.role is SeatRole.MASTER:
        powers = powers_named(table, words) if words else _survivors(table)
        _end(scene, table, Victory(powers, DECLARED))
        return
    scene.as_player()
    may_vote(table, seat)
    if table.options.draw == "none" and words.lower() not in _TAKE_BACK:
        raise NotPermitted(f"There are no draws in {table.game.name}.", "STATUS shows the terms of the game.")
    value = _draw_wanted(table, words)
    ballots.cast(table, seat, ballots.DRAW, value, scene.now)
    scene.note("ballot", on=ballots.DRAW)
    if value == ballots.NO:
        scene.say("You vote for no draw.")
        return
    scene.say(f"You vote for a draw of {value}. {_UNSEEN} {_until(table)}")
    if agreed := ballots.agreed_draw(table):
        _end(scene, table, Victory(agreed, AGREED))


def _draw_wanted(table: Table, words: str) -> str:
    if words.lower() in _TAKE_BACK:
        return ballots.NO
    if words.lower() in ("", "all", "yes", "dias"):
        if table.options.draw == "listed":
            return ", ".join(_survivors(table))
        return ballots.ALL
    if table.options.draw != "listed":
        raise NotPermitted("In this game all survivors share a draw.", "Write DRAW alone, or NO DRAW.")
    return ", ".join(sorted(powers_named(table, words)))


def _survivors(table: Table) -> tuple[Power, ...]:
    return tuple(sorted(Power(seat.power or "") for seat in table.players if table.survives(seat)))


def _end(scene: Scene, table: Table, victory: Victory) -> None:
    purpose = f"ended:{table.game.id}:{scene.mail_id}"
    end_game(table, scene.office, GameState.FINISHED, victory, purpose=purpose, now=scene.now)
    scene.say(f"The game is over: {listed(victory.winners)}.")
    scene.note("end", winners=list(victory.winners), reason=table.variant.words.victory(victory))


def act_concede(scene: Scene, args: Mapping[str, Any]) -> None:
    """A vote to give the game to one power."""
    table, seat = scene.as_player()
    scene.running(table)
    may_vote(table, seat)
    words = re.sub(r"^to\s+", "", str(args["words"]).strip(), flags=re.IGNORECASE)
    if words.lower() in _TAKE_BACK:
        ballots.cast(table, seat, ballots.CONCEDE, ballots.NO, scene.now)
        scene.say("You concede to nobody.")
        return
    if not table.options.concede:
        raise NotPermitted(f"{table.game.name} cannot be conceded.", "STATUS shows the terms of the game.")
    if not words:
        raise NotUnderstood("CONCEDE needs a power.", f"Write CONCEDE TO and one of: {', '.join(_survivors(table))}.")
    (winner,) = one_power(table, words)
    if winner == seat.power:
        raise NotUnderstood("You cannot concede to yourself.", "Your agreement is not needed if all others concede.")
    ballots.cast(table, seat, ballots.CONCEDE, winner, scene.now)
    scene.note("ballot", on=ballots.CONCEDE)
    scene.say(f"You concede the game to {winner}, if all others do. {_UNSEEN} {_until(table)}")
    if (agreed := ballots.agreed_concession(table)) is not None:
        _end(scene, table, Victory((agreed,), CONCEDED))


def may_vote(table: Table, seat: SeatRow) -> None:
    """Raises NotNow for a power that is out of the game."""
    if all(voter.id != seat.id for voter in table.voters):
        raise NotNow(f"{seat.power} is out of the game and has no vote.", "You may watch it to its end.")


def one_power(table: Table, words: str) -> tuple[Power, ...]:
    """One surviving power. Raises NotUnderstood."""
    powers = powers_named(table, words)
    if len(powers) != 1:
        raise NotUnderstood(f"'{words}' names {len(powers)} powers.", "Name one.")
    return powers


def powers_named(table: Table, words: str) -> tuple[Power, ...]:
    """The surviving powers that a list names. Raises NotUnderstood."""
    found: list[Power] = []
    for name in filter(None, (part.strip() for part in re.split(r",|;|/|\band\b", words, flags=re.IGNORECASE))):
        power = table.lexicon.power(name)
        if power is None or power not in _survivors(table):
            raise NotUnderstood(
                f"'{name}' is no power that is still in the game.", f"Write names of: {', '.join(_survivors(table))}."
            )
        if power not in found:
            found.append(power)
    if not found:
        raise NotUnderstood(f"'{words}' names no power.", f"Write names of: {', '.join(_survivors(table))}.")
    return tuple(found)


def _until(table: Table) -> str:
    if table.options.standing_ballots:
        return "It stands until you take it back."
    return f"It counts for {table.phase.code} only." if table.phase is not None else ""


DRAW = Command(
    "draw",
    "vote for a draw, in secret",
    "The game is drawn as soon as every player who is still in it votes for\n"
    "the same draw: of all survivors, or where the game says so of those\n"
    "named. NO DRAW takes your vote back. A vote counts for one phase unless\n"
    "the game has standing ballots. From the gamemaster it ends the game.",
    act_draw,
)
CONCEDE = Command(
    "concede",
    "vote to give the game to one power, in secret",
    "The game is his as soon as all others concede to him. NO CONCEDE takes\nyour vote back.",
    act_concede,
)
