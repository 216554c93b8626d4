"""TIMEZONE: the zone in which a player reads deadlines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.clock import parse_zone
from gm.commands import Command
from gm.commands.scene import Scene


def act(scene: Scene, args: Mapping[str, Any]) -> None:
    """Set the sender's zone."""
    zone = parse_zone(args["zone"])
    scene.registered().zone = zone.key
    scene.say(
        f"Times in your mails are now given in {zone.key}; here it is {scene.now.astimezone(zone):%a %d %b %H:%M}."
    )


COMMAND = Command(
    "timezone",
    "choose the time zone of your mails",
    "Deadlines in your mails are written in this zone, and in UTC beside it.\n"
    "The name is one of the IANA list: America/New_York, Asia/Tokyo, UTC.",
    act,
)
