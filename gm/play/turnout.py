"""How reliably people send orders: in words, as a share, and as far as the players of a game may see it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from gm.games.snapshot import Game, Seat, holders
from gm.games.transaction import Transaction
from gm.options import GameOptions
from gm.store import game_rows, people
from gm.store.game_rows import GameState
from gm.variants import NoSuchEdition

_ENOUGH = 5
"""Fewer phases are not counted."""


def in_words(came: Mapping[str, int]) -> str:
    """How reliably somebody sends orders: `3 on time, 1 missed of 4`."""
    phases = sum(came.values())
    if not phases:
        return "no phase played yet"
    parts = [f"{came[kind]} {kind}" for kind in ("on time", "late", "missed", "excused") if came.get(kind)]
    share = on_time(came)
    return f"{', '.join(parts)} of {phases}" + (f" ({share} % on time)" if share is not None else "")


def on_time(came: Mapping[str, int]) -> int | None:
    """In how many of 100 phases somebody sent orders in time, without those that were excused; None of too few."""
    phases = sum(number for kind, number in came.items() if kind != "excused")
    return 100 * came.get("on time", 0) // phases if phases >= _ENOUGH else None


def seen_by_players(tx: Transaction, game: Game) -> Mapping[int, str]:
    """The turnout of those who hold players' seats, in words by account; empty where players are anonymous."""
    if not _names_players(game.options, over=game.over):
        return {}
    held = {person.id for _, person in holders(game.held)}
    return {account_id: in_words(came) for account_id, came in _told(tx, held).items() if came}


def seen_by_master(
    tx: Transaction, game: Game, reader: Seat | None, account_ids: Iterable[int]
) -> Mapping[int, Mapping[str, int]]:
    """How often each of these people was on time, late, and missing, for one who runs the game; in it, too, if whose
    orders are in may be known to them (`Game.knows_duties`).
    """
    knows = all(game.knows_duties(reader, seat) for seat in game.players)
    return _told(tx, account_ids, game.id if knows else None)


def _told(tx: Transaction, account_ids: Iterable[int], own: int | None = None) -> Mapping[int, Mapping[str, int]]:
    """The figures of these people in the game `own` and in games in which everybody may know who plays what, and no
    others: whoever saw a figure change at the deadline of an anonymous game would know who has missed it, who has the
    secret seat of another, and in a veiled one whose orders were missing.
    """
    found = {account_id: Counter[str]() for account_id in account_ids}
    by_game = people.turnout_by_game(tx.session, found)
    rows = game_rows.options_of(tx.session, {game_id for _, game_id in by_game}) if by_game else {}
    named = {one for one, (state, texts) in rows.items() if _names_players(GameOptions(texts), over=state in _OVER)}
    for (account_id, game_id), came in by_game.items():
        found[account_id].update(came if game_id in named or game_id == own else {})
    return found


_OVER = (GameState.FINISHED, GameState.ABORTED)


def _names_players(options: GameOptions, *, over: bool) -> bool:
    """Whether it is, or has become, public who plays which power."""
    try:
        hidden = options.anonymous == "yes" or bool(options.variant.seating.secret) or options.variant.veiled
    except NoSuchEdition:
        return False
    return options.anonymous != "always" and (over or not hidden)
