"""Mail that is not acted on, or not wholly, until a person says yes: why it waits, and what he is asked."""

from __future__ import annotations

from collections.abc import Sequence

from gm.commands.scene import Scene
from gm.games.post import reachable
from gm.games.questions import ADDRESS, LINES, WHOLE, YES_NO, ask
from gm.mail.message.addresses import hidden
from gm.mail.message.authentication import Authenticity
from gm.parsing.message import CommandLine, OrderLine, ParsedMessage
from gm.server.identify import Identified, Standing
from gm.store.people import AccountRow

__all__ = ["ADDRESS", "LINES", "WHOLE", "ask_first", "quarantine"]

OF_A_PHASE = frozenset({"process", "clear", "wait", "ready", "deadline", "extend"})
"""Commands that would mean something else once another phase is being played."""


def quarantine(who: Identified, holder: AccountRow, parsed: ParsedMessage) -> str:
    """Ask the person in whose name the mail came whether it counts. Returns a note for the inbox row, empty when
    nobody could be asked."""
    scene = who.scene
    asked = reachable(scene.session, holder)
    seat = scene.seat
    came = f"A mail from {scene.sender} came to {'the address of your seat' if seat is not None else 'this server'}"
    answers: tuple[tuple[str, str], ...] = YES_NO
    if who.standing is Standing.STRANGER_AT_SEAT:
        why = f"{came}, which is not one of your addresses."
        answers = (
            ("YES", "act on it as on a mail of yours"),
            ("YES ALWAYS", f"the same, and {scene.sender} is an address of yours from now on"),
            ("NO", "forget it"),
        )
    elif who.proof is Authenticity.FAIL:
        why = f"{came}, and its sender's mail server does not vouch for it: somebody else may have written it."
    else:
        why = f"{came}, and nothing proves that you wrote it."
    row = ask(
        scene.session,
        scene.office,
        mail_id=scene.mail_id,
        scope=WHOLE,
        asked=asked,
        title="Did you write this?",
        reasons=(f"{why} Nothing in it was acted on. It says:",),
        lines=tuple(
            hidden(line, scene.office.server.address) for line in scene.letter.text.splitlines() if line.strip()
        ),
        answers=answers,
        account=holder,
        table=scene.table,
        seat=seat,
        bound_to_phase=_bound_to_phase(parsed.items),
        detail={"stranger": scene.sender} if who.standing is Standing.STRANGER_AT_SEAT else {},
        now=scene.now,
    )
    if row is None:
        return ""
    return f"{asked} is asked whether it counts: {who.standing.value}, proof {who.proof.value}"


def ask_first(scene: Scene, deferred: Sequence[CommandLine]) -> str:
    """Ask the sender's own address before commands that cannot be undone. Returns what the receipt says of them."""
    if not deferred:
        return ""
    asked = reachable(scene.session, scene.account) if scene.account is not None else scene.sender
    one = len(deferred) == 1
    row = ask(
        scene.session,
        scene.office,
        mail_id=scene.mail_id,
        scope=LINES,
        asked=asked,
        title="Please confirm",
        reasons=(
            f"A mail in your name asks for {'this' if one else 'these'}, and {'it waits' if one else 'they wait'}"
            " for your word:",
        ),
        lines=tuple(item.text for item in deferred),
        account=scene.account,
        table=scene.table,
        seat=scene.seat,
        bound_to_phase=_bound_to_phase(deferred),
        detail={"lines": [item.line for item in deferred]},
        now=scene.now,
    )
    said = ", ".join(item.text.strip() for item in deferred)
    if row is None:
        return f"Not done, since too many questions went to {asked} within the hour: {said}"
    return f"Not done yet: {said}. A mail to {asked} asks you to confirm it; answer that one with YES."


def _bound_to_phase(items: Sequence[object]) -> bool:
    return any(
        isinstance(item, OrderLine) or (isinstance(item, CommandLine) and item.command.name in OF_A_PHASE)
        for item in items
    )
