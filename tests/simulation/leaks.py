"""Faults by which others are told of what twin worlds hide."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gm.commands import account, leaving, press, setup
from gm.commands.context import Context
from gm.commands.roster import seat_named
from gm.gallery import Site
from gm.games import loading
from gm.games.transaction import Transaction
from gm.play import admission
from gm.store.game_rows import GameState
from tests.simulation.damage import Change


def _hidden_games_told() -> Change:
    return admission, "may_know_of", lambda *_: True


def _hidden_games_listed() -> Change:
    def games_in(tx: Transaction, *states: GameState, after: int = 0) -> Any:
        found = tx._load(loading.IN_STATES, {"states": states or tuple(GameState)}, lock=False)
        return iter([game for game in found if game.id > after])

    return Transaction, "games_in", games_in


def _hidden_games_published() -> Change:
    def withdraw(_site: Site, folder: Path, name: str) -> None:
        folder.mkdir(parents=True)
        (folder / "index.html").write_text(f"is published: {name}")

    return Site, "_withdraw", withdraw


def _hidden_name_taken() -> Change:
    return setup, "_is_of_own_games", lambda _: False


def _registered_told() -> Change:
    really = account.ask_whose

    def add(ctx: Context, who: Any, email: str, **how: Any) -> None:
        really(ctx, who, email, **how)
        if loading.person_at(ctx.tx.session, email) is not None:
            ctx.say("It is registered here already.")

    return account, "ask_whose", add


def _grey_press_stopped_by_its_author() -> Change:
    return press, "does_not_want", lambda reader, sender, _: sender.power in reader.muted


def _vacant_secret_seat_told() -> Change:
    really = leaving._mute

    def mute(ctx: Context, power: str) -> None:
        really(ctx, power)
        if seat_named(ctx.seated()[0], power).person is None:
            ctx.say("Nobody plays it.")

    return leaving, "_mute", mute


LEAKS = {
    "hidden games told": (_hidden_games_told, "The game hidden0 has not begun."),
    "hidden games listed": (_hidden_games_listed, ", running, vacant: "),
    "hidden games published": (_hidden_games_published, "is published: sandbox-"),
    "hidden name taken": (_hidden_name_taken, "The game sandbox-"),
    "registered told": (_registered_told, "It is registered here already."),
    "grey press stopped by its author": (_grey_press_stopped_by_its_author, "Guess who says"),
    "vacant secret seat told": (_vacant_secret_seat_told, "Nobody plays it."),
}
"""Each with a line by which it tells the worlds apart."""
