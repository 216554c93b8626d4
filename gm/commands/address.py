"""ADDRESS: the mail addresses a person writes from, and the one his mail goes to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.commands import Command
from gm.commands.scene import Scene
from gm.errors import NotNow, NotPermitted, NotUnderstood
from gm.games.questions import ADDRESS, ask
from gm.mail.message.compose import can_be_written_to
from gm.store import people
from gm.store.people import AccountRow

_MOST = 5
_FORM = "Write ADDRESS you@example.org, ADDRESS ADD you@example.org or ADDRESS REMOVE you@example.org."


def act(scene: Scene, args: Mapping[str, Any]) -> None:
    """List the sender's addresses, or add, prefer or remove one. A new address is asked itself before it counts."""
    account = scene.account
    if account is None:
        raise NotPermitted(f"{scene.sender} is not registered here.", "REGISTER your name, or write from your address.")
    mine = people.addresses_of(scene.session, account.id)
    email, what = str(args["address"] or "").lower(), args["what"]
    if what == "list":
        scene.say("Your addresses: " + ", ".join([f"{mine[0]} (mail goes there)", *mine[1:]]) + ".")
        return
    if not can_be_written_to(email):
        raise NotUnderstood(f"'{args['address']}' is not a mail address.", _FORM)
    if what == "remove":
        _remove(scene, account, mine, email)
    elif email in mine:
        if what == "use":
            people.prefer_address(scene.session, account.id, email, scene.now)
        scene.say(f"{email} is an address of yours" + (", and mail goes there from now on." if what == "use" else "."))
    else:
        _add(scene, account, mine, email, prefer=what == "use")


def _add(scene: Scene, account: AccountRow, mine: list[str] | Any, email: str, *, prefer: bool) -> None:
    if len(mine) >= _MOST:
        raise NotNow(f"You have {len(mine)} addresses already.", "ADDRESS REMOVE takes one away.")
    if email.rpartition("@")[2] == scene.office.host and email.startswith(
        scene.office.server.address.partition("@")[0]
    ):
        raise NotUnderstood(f"{email} is an address of this server.", "Name your own.")
    if people.account_by_address(scene.session, email) is not None:
        raise NotNow(f"{email} cannot be added: it is registered already.", "Write from it, or name another.")
    row = ask(
        scene.session,
        scene.office,
        mail_id=scene.mail_id,
        scope=ADDRESS,
        asked=email,
        title="Is this your address?",
        reasons=(
            f"{account.name} <{mine[0]}> plays Diplomacy by mail here, and asks that {email} be an address of his.",
        ),
        answers=(("YES", "it is mine"), ("NO", "it is not, or I do not want it")),
        account=account,
        detail={"prefer": prefer},
        now=scene.now,
    )
    if row is None:
        raise NotNow(f"{email} was asked too often in the last hour.", "Try again later.")
    scene.say(f"A mail went to {email}; answer it with YES from there, and the address is yours.")


def _remove(scene: Scene, account: AccountRow, mine: list[str] | Any, email: str) -> None:
    if email not in mine:
        raise NotNow(f"{email} is not one of your addresses.", "ADDRESS alone lists them.")
    if len(mine) == 1:
        raise NotNow(f"{email} is your only address.", "Add another first: ADDRESS you@example.org.")
    people.remove_address(scene.session, account.id, email)
    scene.note("address", removed=email)
    scene.say(f"{email} is no address of yours any more.")


COMMAND = Command(
    "address",
    "the addresses you write from, and where your mail goes",
    "ADDRESS with an address makes your mail go there; ADD only lets you\n"
    "write from it too. Either way a mail to that address asks first. If\n"
    "mail to one of your addresses bounces, the next one is tried.",
    act,
)
