"""INVITE and PROMOTE: people the gamemaster wants at the table, as players or beside himself."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from gm.commands import Command
from gm.commands.replace import account_at
from gm.commands.scene import Scene
from gm.errors import NotNow, NotUnderstood
from gm.games.post import post, tell
from gm.games.report_inputs import game_facts, reader_of
from gm.games.snapshot import Table
from gm.games.terms import terms
from gm.mail.message.compose import can_be_written_to
from gm.reports.context import Notice
from gm.reports.render import render
from gm.store import game_rows, people
from gm.store.game_rows import GameState, SeatRole

_FORM = re.compile(
    r"<?(?P<address>[^\s@<>,;\"]{1,64}@[^\s@<>,;\"]{1,190}?)>?(?:\s+as\s+(?P<power>\S.*))?", re.IGNORECASE
)


def act_invite(scene: Scene, args: Mapping[str, Any]) -> None:
    """Write to somebody how to join, and admit him where only those who are invited may join."""
    table, _ = scene.as_master()
    if table.game.state not in (GameState.FORMING, GameState.RUNNING):
        raise NotNow(f"The game {table.game.name} is {table.game.state}.", "Nobody can join it.")
    found = _FORM.fullmatch(str(args["words"]).strip())
    if found is None:
        raise NotUnderstood(f"'{args['words']}' is not a mail address.", "Write INVITE name@example.org AS power.")
    power = table.lexicon.power(found["power"]) if found["power"] else None
    if found["power"] and power not in table.powers:
        raise NotUnderstood(
            f"'{found['power']}' is no power of this game.", f"Write one of: {', '.join(table.powers)}."
        )
    email = found["address"].lower()
    if not can_be_written_to(email):
        raise NotUnderstood(f"'{email}' is not a mail address.", "Write INVITE name@example.org AS power.")
    if scene.office.is_own(email):
        raise NotUnderstood(f"{email} is an address of this server.", "Name the address of a person.")
    people.invite(scene.session, table.game.id, email, power, scene.now)
    _write(scene, table, email, power)
    scene.say(f"{email} is invited to {table.game.name}" + (f" as {power}." if power else "."))
    scene.note("invite", address=email, power=power)


def _write(scene: Scene, table: Table, email: str, power: str | None) -> None:
    how = f"JOIN {table.game.name}" + (f" AS {power}" if power else "")
    if table.running:
        how = f"TAKEOVER {table.game.name}" + (f" AS {power}" if power else "") + f", or STANDBY {table.game.name}"
    by = scene.account.name if scene.account is not None else "The gamemaster"
    words = (
        f"{by} invites you to {table.game.name}, a game of {table.variant.title} by mail.",
        f"To accept, answer: {how}",
        "Its terms: " + "; ".join(f"{name.lower()}: {text}" for name, text in terms(table)) + ".",
        "If you do not want to play, do nothing. HELP explains everything else.",
    )
    account = people.account_by_address(scene.session, email)
    notice = Notice(reader_of(scene.office, account), "an invitation", words, game_facts(table))
    post(
        scene.session,
        scene.office,
        render("player/notice", notice),
        purpose=f"invitation:{scene.mail_id}:{email}",
        recipient=email,
        now=scene.now,
        reply_to=scene.office.server.address,
        to_stranger=True,
    )


def act_promote(scene: Scene, args: Mapping[str, Any]) -> None:
    """A gamemaster's seat for somebody else, beside the present ones."""
    table, _ = scene.as_master()
    account = account_at(scene, str(args["words"]).strip().strip("<>"))
    if any(seat.account_id == account.id for seat in table.masters):
        raise NotNow(f"{account.name} is a gamemaster of {table.game.name} already.", "DASHBOARD shows who plays.")
    seat = game_rows.add_seat(scene.session, table.game.id, SeatRole.MASTER, account_id=account.id, joined_at=scene.now)
    scene.office.renew_token(seat)
    table.forget()
    scene.say(f"{account.name} is a gamemaster of {table.game.name} beside you.")
    words = (
        f"You are a gamemaster of {table.game.name} from now on.",
        "Answer this mail to command the game; HELP lists the gamemaster's commands.",
    )
    purpose = f"promoted:{scene.mail_id}:{seat.id}"
    tell(table, scene.office, [seat], "you are a gamemaster", words, purpose=purpose, now=scene.now)
    scene.note("promote", account=account.name)


INVITE = Command(
    "invite",
    "invite somebody to the game",
    "He is sent the terms and how to join. In games with admission=invited\nonly those who are invited may.",
    act_invite,
    for_masters=True,
)
PROMOTE = Command(
    "promote",
    "make somebody a gamemaster beside you",
    "A game may have several, each with his own address. One who also plays\nis shown no more than his power sees.",
    act_promote,
    for_masters=True,
)
