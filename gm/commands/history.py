"""HISTORY: the results of phases that were played."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from gm.commands import Command
from gm.commands.passages import own_seat, show
from gm.commands.scene import Scene
from gm.errors import NotNow, NotUnderstood
from gm.games.report_inputs import turn_of, view_after
from gm.games.snapshot import Table
from gm.parsing.phases import one_phase
from gm.reports.turn_summary import turn_text
from gm.store.game_rows import PhaseRow

_MOST = 40
"""Phases in one answer; more are asked for by year."""


def act(scene: Scene, args: Mapping[str, Any]) -> None:
    """Retell the last phase, the one named, a year's or all, as far as the sender's seat may see them."""
    table, which = named(scene, args["words"])
    played = [phase for phase in table.line if phase.adjudicated_at is not None]
    if not played:
        raise NotNow(f"No phase of {table.game.name} has been played yet.", "STATUS shows how it stands.")
    chosen = phases_meant(table, played, which)
    if not chosen:
        raise NotUnderstood(
            f"No phase '{which}' was played.", f"The first was {played[0].code}, the last {played[-1].code}."
        )
    for phase in chosen[-_MOST:]:
        retell(scene, table, phase)
    if len(chosen) > _MOST:
        scene.say(f"Only the last {_MOST} phases are shown; HISTORY with a year shows the others.")


def named(scene: Scene, words: str) -> tuple[Table, str]:
    """The game that the first word names, if it does, and the other words."""
    first, _, rest = words.partition(" ")
    about_phases = (
        one_phase(first) is not None or re.fullmatch(r"\d{1,5}|all|last", first, re.IGNORECASE) or one_phase(words)
    )
    if not first or about_phases:
        return scene.public_table(None), words
    return scene.public_table(first), rest.strip()


def phases_meant(table: Table, played: list[PhaseRow], which: str) -> list[PhaseRow]:
    """The phases that are meant: the last, one by its code, a year's, or all."""
    word = which.upper()
    if word in ("", "LAST"):
        return played[-1:]
    if word == "ALL":
        return played
    if word.isdecimal():
        return [phase for phase in played if table.position_of(phase).phase.year == int(word)]
    code = one_phase(which) or word
    return [phase for phase in played if phase.code == code]


def retell(scene: Scene, table: Table, phase: PhaseRow) -> None:
    """Add the account of one phase to the answer."""
    view = view_after(table, own_seat(scene, table), turn_of(table, phase))
    show(scene, f"{table.game.name}, {phase.code}", turn_text(view, table.variant.adjectives))


COMMAND = Command(
    "history",
    "show the results of phases that were played",
    "HISTORY alone shows the last phase. A code shows one (F1901M), a year\n"
    "all of that year, ALL everything. Written to your seat's address it\n"
    "shows what your power may know, else what everybody may.",
    act,
)
