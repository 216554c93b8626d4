"""MAP: the map of a game as files, of now or of a phase that was played."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.commands import Command
from gm.commands.history import named, phases_meant
from gm.commands.passages import own_seat
from gm.commands.scene import Scene
from gm.errors import NotNow, NotUnderstood
from gm.games.pictures import map_files
from gm.games.report_inputs import turn_of, view_after, view_of


def act(scene: Scene, args: Mapping[str, Any]) -> None:
    """Attach the map of the last phase, or of the one named, as far as the sender's seat may see it."""
    table, which = named(scene, args["words"])
    if table.position is None or table.phase is None:
        raise NotNow(f"The game {table.game.name} has not begun.", "STATUS shows who has joined.")
    seat, played = own_seat(scene, table), [phase for phase in table.line if phase.adjudicated_at is not None]
    phases = phases_meant(table, played, which) if played else []
    if not phases and which:
        raise NotUnderstood(f"No phase '{which}' was played.", "MAP alone shows how the game stands.")
    phase = phases[-1] if phases else table.phase
    view = view_after(table, seat, turn_of(table, phase)) if phases else view_of(table, seat)
    files = map_files(table, phase.code, view)
    if not files:
        raise NotNow(f"There is no map of {table.game.name}.", "STATUS and HISTORY tell where everything stands.")
    scene.attachments += files
    scene.say(f"The map of {table.game.name}, {phase.code}, is attached: as SVG, which can be enlarged, and as PNG.")


COMMAND = Command(
    "map",
    "get the map as a file, of now or of a phase that was played",
    "MAP alone shows the last phase and its orders, a code an earlier one.\n"
    "Written to your seat's address it shows what your power may know,\n"
    "else what everybody may. Without maps in reports: PREFERENCES maps=none.",
    act,
)
