"""WHOAMI: what this server knows of the sender."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm import __version__
from gm.commands import Command
from gm.commands.passages import show
from gm.commands.scene import Scene
from gm.errors import NotPermitted
from gm.reports.words import columns
from gm.store import game_rows, people
from gm.store.game_rows import SeatRole

_ROLES = {SeatRole.MASTER: "gamemaster", SeatRole.OBSERVER: "observer"}


def act(scene: Scene, args: Mapping[str, Any]) -> None:
    """Show name, addresses, preferences, turnout, absences, and the seats with their addresses."""
    del args
    account = scene.account
    if account is None:
        raise NotPermitted(f"{scene.sender} is not registered here.", "REGISTER your name, or JOIN a game.")
    came = people.turnout_of(scene.session, [account.id])[account.id]
    rows = [
        ("Name", account.name),
        ("Addresses", ", ".join(people.addresses_of(scene.session, account.id))),
        ("Zone", account.zone),
        ("Mails", ("HTML and text" if account.html else "text") + (", no maps" if account.maps == "none" else "")),
        ("Reminders", account.remind or "as the game says"),
        ("Wishes", account.wishes or "-"),
        ("Turnout", turnout_words(came)),
    ]
    rows += [
        ("Absent", f"{away.begins:%Y-%m-%d %H:%M} to {away.ends:%Y-%m-%d %H:%M} UTC")
        for away in people.absences_of(scene.session, [account.id], scene.now)
    ]
    for game, seat in game_rows.seats_of_account(scene.session, account.id):
        role = _ROLES.get(seat.role) or seat.power or "player"
        rows.append((game.name, f"{role} ({game.state}): {scene.office.address_of(game, seat)}"))
    rows.append(("Server", f"gm {__version__}, {scene.office.server.address}"))
    show(scene, "Who you are here", columns(rows))


def turnout_words(came: Mapping[str, int]) -> str:
    """How somebody's orders come, in figures that explain themselves."""
    phases = sum(came.values())
    if not phases:
        return "no phase played yet"
    parts = [f"{came[kind]} {kind}" for kind in ("on time", "late", "missed", "excused") if came.get(kind)]
    return f"{', '.join(parts)} of {phases}"


COMMAND = Command(
    "whoami",
    "show what is known of you, and your seats with their addresses",
    "Your turnout (orders on time, late, missed) is shown to gamemasters\nwhen you join.",
    act,
)
