"""How commands answer with text: a passage in the receipt. Not a command."""

from __future__ import annotations

from gm.commands.scene import Scene
from gm.games.report_inputs import reader_of
from gm.games.snapshot import Table
from gm.reports.context import Passage, Reader
from gm.store.game_rows import SeatRow


def show(scene: Scene, title: str, text: str) -> None:
    """Answer with a text, under its title."""
    scene.parts.append(Passage(reader(scene), title, text))


def reader(scene: Scene) -> Reader:
    """The sender as the reader of the answer."""
    game, seat = (scene.table.game, scene.seat) if scene.table is not None else (None, None)
    return reader_of(scene.office, scene.account, game, seat)


def own_seat(scene: Scene, table: Table) -> SeatRow | None:
    """The sender's seat in this game, if he writes to its address: what he may see."""
    return scene.seat if scene.table is not None and scene.table.game.id == table.game.id else None
