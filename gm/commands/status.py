"""STATUS: how a game stands, as far as the reader may know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.board import Power
from gm.commands import Command
from gm.commands.dashboard import progress_of
from gm.commands.scene import Scene
from gm.commands.summary import how_it_ended
from gm.games.post import unreachable
from gm.games.report_inputs import called, due_at, game_facts, held_orders, reader_of, view_of
from gm.games.snapshot import Table
from gm.games.terms import seats_taken, terms
from gm.reports.context import SeatStatus, StatusAnswer
from gm.store.game_rows import GameState, SeatRole, SeatRow
from gm.store.order_rows import OrderSetRow


def act(scene: Scene, args: Mapping[str, Any]) -> None:
    """Show the position, the deadline, the seats and, to whoever has a seat, his orders."""
    table = scene.public_table(args["game"])
    seat = scene.seat if scene.table is not None and table.game.id == scene.table.game.id else None
    sets = table.order_sets()
    begun = table.position is not None
    plays = seat is not None and seat.role is SeatRole.PLAYER and seat.power in table.duties
    scene.parts.append(
        StatusAnswer(
            game=game_facts(table),
            reader=reader_of(scene.office, scene.account, table.game if seat else None, seat),
            state=_state(table),
            view=view_of(table, seat) if begun else None,
            deadline=due_at(table) if table.running else None,
            seats=_seats(scene, table, seat, sets),
            held=held_orders(table, seat, sets.get(seat.id)) if seat is not None and plays else None,
            terms=terms(table),
        )
    )


def _state(table: Table) -> str:
    if table.game.state is GameState.FORMING:
        state = f"The game is forming: {seats_taken(table)}."
    elif table.game.victory:
        state = f"The game is over. {how_it_ended(table)}"
    elif table.paused:
        state = "The clock stands: there is no deadline until it is resumed."
    elif table.in_review:
        state = "The orders are closed, and the results come at the moment below."
    elif table.in_grace:
        state = "The deadline has passed; missing orders are still waited for."
    else:
        state = f"The game is {table.game.state}."
    return f"{state} {table.game.comment}" if table.game.comment else state


def _seats(
    scene: Scene, table: Table, reader: SeatRow | None, sets: Mapping[int, OrderSetRow]
) -> tuple[SeatStatus, ...]:
    """Who plays what. Who has sent orders is for the gamemaster alone, if he does not play himself."""
    master = reader is not None and reader.role is SeatRole.MASTER and not scene.plays(table)
    failing = unreachable(table) if master else {}
    lines = []
    for seat in table.players:
        if table.is_secret(seat) and not master:
            continue
        power = Power(seat.power or "(not dealt yet)")
        said = (progress_of(table, seat, sets.get(seat.id)), failing.get(seat.id)) if master else ()
        lines.append(SeatStatus(power, called(table, seat) or "-", ", ".join(word for word in said if word)))
    return tuple(lines)


COMMAND = Command(
    "status",
    "show how a game stands, and your orders",
    "Written to your seat's address it shows your orders in force too; the\ngamemaster sees who has sent his.",
    act,
)
