"""The commands of players and gamemasters: one file each, with its help text and the function that carries it out.

Each file gives a `COMMAND`; `gm.commands.registry` lists them all. A command works in the transaction of the mail that
holds it, changes rows, and says in the `Scene` what it did. It raises a GmError for what cannot be done; nothing it
changed before is kept then.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from gm.commands.scene import Scene
from gm.parsing.forms import FORMS, title

Act = Callable[[Scene, Mapping[str, Any]], None]


@dataclass(frozen=True, slots=True)
class Command:
    """A command of the mail language.

    `name` is what the grammar calls it, and where its forms are found; `summary` is one line for the listing of HELP,
    `text` the rest of its help, written for 72 columns. `act` is None for what is not a command word: order lines and
    press blocks.
    """

    name: str
    summary: str
    text: str
    act: Act | None = None
    for_masters: bool = False
    """Listed among the gamemaster's commands in HELP."""

    @property
    def usage(self) -> tuple[str, ...]:
        """The forms it is written in."""
        return FORMS[self.name]

    @property
    def title(self) -> str:
        """Its word or words in capitals."""
        return title(self.name)
