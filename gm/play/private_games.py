"""What practice games and sandboxes share: only those who are in such a game know of it, and a week of silence ends
it.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from gm.games.snapshot import Game, Person
from gm.games.transaction import Transaction
from gm.options import PRACTICE, SANDBOX
from gm.play import calendar
from gm.store.game_rows import GameState
from gm.turn import TERMINATED, Victory

SILENCE = timedelta(days=7)
"""How long such a game waits for orders, or for READY."""

QUIET: Mapping[str, str] = {
    **dict.fromkeys(("first", "move", "retreat", "adjust"), f"{SILENCE.days}d"),
    **dict.fromkeys(
        ("press", "draw", "motions", "at", "holidays", "reminder", "grace", "extensions", "absence"), "none"
    ),
    **{"admission": "invited", "anonymous": "no", "concede": "no", "days": "all"},
}
"""A week for every phase, and nothing else of deadlines or players."""

THINGS: Mapping[str, str] = {PRACTICE: "practice game", SANDBOX: "sandbox"}
_AFTERWARDS = {
    PRACTICE: (
        ("LIST OPEN", "shows the games with other people that you can join."),
        ("PRACTICE", "begins another practice game."),
        ("SUMMARY", "shows how this one went."),
    ),
    SANDBOX: (("HISTORY ALL", "shows how it went."), ("SANDBOX standard", "begins another one.")),
}


def is_own(game: Game, kind: str, person: Person) -> bool:
    """Whether it is such a game that this person has begun; among the games that they are in."""
    return game.options.texts.get(kind) in ("yes", str(person.id))  # a sandbox is marked with its maker


def end(tx: Transaction, game: Game, why: str, by: Person | None = None) -> Game:
    """End the game without a result, and tell those who have it why; others than the person who has ended it, if
    somebody has, only that."""
    game = tx.fold(calendar.cancel_deadline(tx, game), state=GameState.ABORTED, victory=Victory((), TERMINATED))
    kind, holders = (SANDBOX, game.masters) if game.options.sandbox else (PRACTICE, game.held)
    theirs = [seat for seat in holders if by is None or seat.is_of(by)]
    others = [seat for seat in holders if seat not in theirs]
    for group, words in ((theirs, why), (others, "Whoever began it has ended it.")):
        about = f"the {THINGS[kind]} is over"
        tx.tell(game, group, about, (words,), f"{kind}-over:{game.id}", answers=_AFTERWARDS[kind])
    return game
