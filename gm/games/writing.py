"""Writes the newest snapshot of a game to its rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy.orm import Session

from gm.games.identity import ServerIdentity
from gm.games.snapshot import Game, OrderSet, PhasePlayed, Seat
from gm.orders import order_to_json
from gm.position import position_to_json
from gm.store import game_rows
from gm.turn import victory_to_json


def write(session: Session, identity: ServerIdentity, before: Game, after: Game) -> None:
    """Write the differences between `before` and `after`, and the new version.

    Phases, order sets and deadlines are added where they are made; this writes the game's own row, its seats, and the
    columns of a phase that change while it is open.
    """
    game_rows.update_game(session, after.id, _game(after))
    known = {seat.id: seat for seat in before.seats}
    if seats := [_seat(identity, seat) for seat in after.seats if seat != known.get(seat.id)]:
        game_rows.update_seats(session, seats)
    old, new = before.phase, after.phase
    if new is not None and _differs(old, new):
        game_rows.update_phase(session, new.id, position_to_json(new.position), new.closed_at)


def _differs(old: PhasePlayed | None, new: PhasePlayed) -> bool:
    """Whether a phase is not as its row has it: as it was before, or, if it is new, as it was opened."""
    if old is None or old.id != new.id:
        return new.closed_at is not None
    return (old.position, old.closed_at) != (new.position, new.closed_at)


def _game(game: Game) -> dict[str, Any]:
    return {
        "version": game.version,
        "state": game.state,
        "options": dict(game.options.texts),
        "seed": game.seed,
        "told_seeds": list(game.told_seeds),
        "current_phase_id": game.phase_id,
        "victory": victory_to_json(game.victory) if game.victory is not None else None,
        "paused_at": game.paused_at,
        "left": game.left,
        "comment": game.comment,
        "house_rules": game.house_rules,
    }


def _seat(identity: ServerIdentity, seat: Seat) -> dict[str, Any]:
    return {
        "key": seat.id,
        "power": seat.power if seat.deputy_of is None else None,
        "account_id": seat.account_id,
        "serial": seat.serial,
        "token_hash": identity.token_hash_of(seat),
        "wish": seat.wish,
        "wait": seat.wait,
        "joined_at": seat.joined_at,
        "dummy_since": seat.dummy_since,
        "left_in": seat.left_in,
        "muted": sorted(seat.muted),
        "names": dict(seat.names),
        "until": seat.until,
    }


def add_orders(session: Session, phase_id: int, sets: Mapping[int, OrderSet]) -> None:
    """Store order sets of a phase, by seat id."""
    game_rows.add_order_sets(
        session,
        [
            {
                "phase_id": phase_id,
                "seat_id": seat_id,
                "number": given.number,
                "orders": [order_to_json(order) for order in given.orders],
                "complete": given.complete,
                "sent": given.sent,
                "received_at": given.received_at,
                "inbox_id": given.mail_id,
            }
            for seat_id, given in sets.items()
        ],
    )
