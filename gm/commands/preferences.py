"""PREFERENCES: how a person likes his mails, and which powers he likes to play."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.clock import parse_duration
from gm.commands import Command
from gm.commands.scene import Scene
from gm.errors import NotUnderstood
from gm.store.people import AccountRow

_KEYS = ("mail", "maps", "remind", "powers")
_NEVER = ("none", "no", "off")


def act(scene: Scene, args: Mapping[str, Any]) -> None:
    """Set what is given, and say how everything stands."""
    account = scene.registered()
    for key, text in args["options"].items():
        _set(account, key.lower(), str(text).strip())
    mails = "text and HTML" if account.html else "text only"
    scene.say(
        f"Your preferences: mail={'html' if account.html else 'text'} ({mails}), maps={account.maps or 'yes'},"
        f" remind={account.remind or 'game'}, powers={account.wishes or 'none'}."
    )


def _set(account: AccountRow, key: str, text: str) -> None:
    word = text.lower()
    if key == "mail" and word in ("text", "html"):
        account.html = word == "html"
    elif key == "maps" and word in ("yes", "none", "no"):
        account.maps = None if word == "yes" else "none"
    elif key == "remind":
        if word not in ("game", *_NEVER):
            parse_duration(text)
        account.remind = None if word == "game" else "none" if word in _NEVER else word
    elif key == "powers" and len(text) <= 200:
        account.wishes = None if word in _NEVER else text
    else:
        raise NotUnderstood(
            f"'{key}={text}' is not a preference.",
            "Write mail=text or html, maps=yes or none, remind=48h, game or none, powers=FRANCE,ITALY or F[IG]*.",
        )


COMMAND = Command(
    "preferences",
    "how you like your mails, and which powers you like to play",
    "  mail    html (text and HTML) or text (text only)\n"
    "  maps    yes or none\n"
    "  remind  how long before a deadline you are reminded when your orders\n"
    "          are missing: 48h, or none; game: as the game says\n"
    "  powers  what JOIN asks for when it names none: names with commas, or\n"
    "          initials with what is equally dear in brackets: F[ER]*, where\n"
    "          * stands for all others",
    act,
)
