"""REGISTER: who a sender is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.commands import Command
from gm.commands.scene import Scene


def act(scene: Scene, args: Mapping[str, Any]) -> None:
    """Make an account for the sender's address, or give his account the name."""
    name = " ".join(str(args["name"]).split())
    known = scene.account is not None
    account = scene.registered()
    if name:
        account.name = name[:60]
    scene.say(f"{'You are now known' if known else 'You are registered'} as {account.name} <{scene.sender}>.")
    scene.note("register", name=account.name, address=scene.sender)


COMMAND = Command(
    "register",
    "say who you are",
    "Other players see this name in reports. JOIN registers you by itself,\n"
    "with the name your mail client sends; REGISTER changes it at any time.",
    act,
)
