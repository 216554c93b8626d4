"""What the correspondents will order: the script of one game, read from a table that stands with the game's rules.

`orders` and `said` in the table are by phase code and power.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from importlib.resources.abc import Traversable


@dataclass(frozen=True, slots=True)
class Script:
    """A game written down beforehand.

    `orders`: by phase code and power, in canonical notation; a power that is missing from a phase in which it could
    order sends nothing. `said`: what else a power writes in a phase before its orders: press, questions, mistakes.
    """

    title: str
    variant: str
    orders: Mapping[str, Mapping[str, tuple[str, ...]]]
    said: Mapping[str, Mapping[str, str]]
    plain: bool = False
    """Whether everybody writes canonical notation, because the game's own orders are not known to other hands."""
    options: str = ""
    """Options of the game beside its variant, as they stand behind CREATE."""
    altered: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By phase: what is written in answer to the mail that says that orders are closed, in a game that has one."""
    beside: tuple[str, ...] = ()
    """Powers whose mailboxes are laid side by side at the end, with the results of the phases in `shown`."""
    shown: tuple[str, ...] = ()
    rehearsal_seed: str = ""
    """The server's setting of that name, where the script depends on what is drawn."""

    @property
    def powers(self) -> tuple[str, ...]:
        """Who plays, in alphabetical order."""
        return tuple(sorted({power for phase in self.orders.values() for power in phase}))

    @property
    def reviewed(self) -> bool:
        """Whether orders are closed for review, and so never early: the gamemaster closes each phase."""
        return bool(self.altered)

    def silent(self, code: str) -> bool:
        """Whether somebody is absent in this phase, so that the gamemaster must close it."""
        return "absent" in self.said.get(code, {})


def load(name: str) -> Script:
    """The script of that name. Raises KeyError."""
    table = tomllib.loads(_scripts()[name].read_text(encoding="utf-8"))
    return Script(
        title=table["title"],
        variant=table.get("variant", "standard"),
        orders={
            code: {power: _lines(words) for power, words in phase.items()} for code, phase in table["orders"].items()
        },
        said=table.get("said", {}),
        plain=table.get("plain", False),
        options=table.get("options", ""),
        altered={code: _lines(words) for code, words in table.get("altered", {}).items()},
        beside=tuple(table.get("beside", ())),
        shown=tuple(table.get("shown", ())),
        rehearsal_seed=table.get("rehearsal_seed", ""),
    )


def _lines(words: str | list[str]) -> tuple[str, ...]:
    """Orders one by one: written with commas between them, or as a list where an order has commas of its own."""
    return tuple(words.split(", ") if isinstance(words, str) else words)


def names() -> tuple[str, ...]:
    """The scripts there are."""
    return tuple(sorted(_scripts()))


def _scripts() -> dict[str, Traversable]:
    """The tables in the room of the games and in the folders of its games, by name."""
    room = resources.files("gm.variants")
    folders = (room, *(entry for entry in room.iterdir() if entry.is_dir()))
    files = (entry for folder in folders for entry in folder.iterdir() if entry.name.endswith(".toml"))
    return {entry.name.removesuffix(".toml"): entry for entry in files}
