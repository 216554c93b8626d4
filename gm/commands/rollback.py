"""ROLLBACK and ROLLFORWARD: a phase is played anew; what was played since is kept and can be returned to."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from gm.commands import Command
from gm.commands.scene import Scene
from gm.errors import NotNow, NotUnderstood
from gm.games.deadlines import begin, cancel_deadline, due_for, set_deadline
from gm.games.post import tell
from gm.games.snapshot import Table
from gm.parsing.phases import one_phase
from gm.store import game_rows, order_rows, records
from gm.store.game_rows import GameState, PhaseRow


def act_rollback(scene: Scene, args: Mapping[str, Any]) -> None:
    """Play a phase anew, with the orders that were given for it."""
    table, _ = scene.as_master()
    if table.game.state is GameState.FORMING or table.phase is None:
        raise NotNow(f"The game {table.game.name} has not begun.", "There is nothing to roll back.")
    phase = _named(table, re.sub(r"^to\s+", "", str(args["words"]).strip(), flags=re.IGNORECASE))
    left = table.phase
    again = roll_back(table, phase, scene)
    _tell(scene, table, f"The gamemaster has rolled the game back: {again.code} is played again.")
    scene.say(f"{again.code} is played again, with the orders that were given for it. ROLLFORWARD takes this back.")
    scene.note("rollback", to=again.code, left=left.id, opened=again.id, undo={"what": "rollforward"})


def roll_back(table: Table, phase: PhaseRow, scene: Scene) -> PhaseRow:
    """Open the phase again as a row of its own, with everybody's last orders for it."""
    if table.phase is not None:
        cancel_deadline(table, table.phase)
    given = order_rows.latest_order_sets(table.session, phase.id)
    game_rows.end_game(table.session, table.game, GameState.RUNNING)
    again = game_rows.open_again(table.session, table.game, phase, scene.now)
    table.forget()
    for seat_id, orders in given.items():
        order_rows.add_order_set(
            table.session,
            again,
            seat_id,
            orders.orders,
            complete=orders.complete,
            now=scene.now,
            inbox_id=scene.mail_id,
        )
    begin(table, again, scene.now)
    return again


def _named(table: Table, words: str) -> PhaseRow:
    """The phase of this line that is named. Raises NotUnderstood."""
    played = [phase for phase in table.line if phase.adjudicated_at is not None]
    if not played:
        raise NotNow("No phase has been played yet.", "There is nothing to roll back.")
    codes = f"Write one of: {', '.join(phase.code for phase in played[-12:])}."
    if not words:
        raise NotUnderstood("ROLLBACK needs the phase to play again.", codes)
    wanted = [phase for phase in played if phase.code == (one_phase(words) or words.upper())]
    if not wanted:
        raise NotUnderstood(f"'{words}' is no phase that was played in {table.game.name}.", codes)
    return wanted[-1]


def act_rollforward(scene: Scene, args: Mapping[str, Any]) -> None:
    """Return to where the game stood before the last ROLLBACK."""
    del args
    table, _ = scene.as_master()
    back = roll_forward(table, scene)
    _tell(scene, table, f"The gamemaster has taken his rollback back: {back.code} is played.")
    scene.say(f"The game stands at {back.code} again, with the orders that were sent for it.")
    scene.note("rollforward", to=back.code)


def roll_forward(table: Table, scene: Scene) -> PhaseRow:
    """Point the game at the phase it was in before the last ROLLBACK. Raises NotNow when that cannot be done."""
    for event in records.log_of(table.session, table.game.id):
        if event.kind == "rollforward":
            break
        if event.kind != "rollback":
            continue
        if table.phase is None or event.detail["opened"] != table.phase.id or table.phase.adjudicated_at is not None:
            break
        phase = game_rows.phase_by_id(table.session, event.detail["left"])
        if phase is None or phase.adjudicated_at is not None or not table.running:
            break
        cancel_deadline(table, table.phase)
        game_rows.point_at(table.session, table.game, phase)
        table.forget()
        set_deadline(table, phase, due_for(table, phase, scene.now), scene.now)
        return phase
    raise NotNow("There is no rollback that could be taken back.", "It can be until the phase is adjudicated again.")


def _tell(scene: Scene, table: Table, sentence: str) -> None:
    words = (sentence, "STATUS shows the position and your orders; what you sent for this phase stands.")
    tell(
        table,
        scene.office,
        [seat for seat in table.seats if seat is not scene.seat],
        "the game is set back" if "back:" in sentence else "the game",
        words,
        purpose=f"rollback:{scene.mail_id}",
        now=scene.now,
    )


ROLLBACK = Command(
    "rollback",
    "play a phase again",
    "The position before that phase is set up again, with the orders that\n"
    "were given, which everybody may change. Nothing is erased: ROLLFORWARD\n"
    "returns to where the game stood, until the phase is adjudicated again.",
    act_rollback,
    for_masters=True,
)
ROLLFORWARD = Command(
    "rollforward",
    "take a rollback back",
    "Possible until the phase that was rolled back to is adjudicated.",
    act_rollforward,
    for_masters=True,
)
