"""Mail that is not acted on, or not wholly, until a person says yes: why it waits, and what they are asked."""

from __future__ import annotations

from collections.abc import Sequence

from gm.commands.context import Context
from gm.commands.registry import COMMANDS
from gm.games.questions import LINES, WHOLE, YES_NO, Asked, ask
from gm.games.snapshot import Person
from gm.mail.message.addresses import hidden
from gm.mail.message.authentication import Authenticity
from gm.parsing.message import CommandLine, OrderLine, ParsedMessage
from gm.server.identify import Identified, Standing


def quarantine(who: Identified, holder: Person, parsed: ParsedMessage) -> str:
    """Ask the person in whose name the mail came whether it counts. Returns a note for the inbox row, empty when
    nobody could be asked."""
    ctx, seat = who.ctx, who.addressed
    asked = holder.reachable
    came = f"A mail from {ctx.sender} came to {'the address of your seat' if seat is not None else 'this server'}"
    answers: tuple[tuple[str, str], ...] = YES_NO
    if who.standing is Standing.STRANGER_AT_SEAT:
        why = f"{came}, which is not one of your addresses."
        answers = (
            ("YES", "act on it as on a mail of yours"),
            ("YES ALWAYS", f"the same, and {ctx.sender} is an address of yours from now on"),
            ("NO", "forget it"),
        )
    elif who.proof is Authenticity.FAIL:
        why = f"{came}, and its sender's mail server does not vouch for it: somebody else may have written it."
    else:
        why = f"{came}, and nothing proves that you wrote it."
    lines = (line for line in who.mail.message.text.splitlines() if line.strip())
    question = Asked(
        mail_id=who.mail.id,
        scope=WHOLE,
        asked=asked,
        title="Did you write this?",
        reasons=(f"{why} Nothing in it was acted on. It says:",),
        lines=tuple(hidden(line, ctx.tx.identity.address) for line in lines),
        answers=answers,
        person=holder,
        game=ctx.game,
        seat=seat,
        bound_to_phase=_bound_to_phase(parsed.items),
        detail={"stranger": ctx.sender} if who.standing is Standing.STRANGER_AT_SEAT else {},
    )
    if not ask(ctx.tx, question):
        return ""
    return f"{asked} is asked whether it counts: {who.standing.value}, proof {who.proof.value}"


def ask_first(ctx: Context, deferred: Sequence[CommandLine]) -> str:
    """Ask the sender's own address before commands that cannot be undone. Returns what the receipt says of them."""
    if not deferred or ctx.mail is None:
        return ""
    asked = ctx.person.reachable if ctx.person is not None else ctx.sender
    one = len(deferred) == 1
    question = Asked(
        mail_id=ctx.mail.id,
        scope=LINES,
        asked=asked,
        title="Please confirm",
        reasons=(
            f"A mail in your name asks for {'this' if one else 'these'}, and {'it waits' if one else 'they wait'}"
            " for your word:",
        ),
        lines=tuple(item.text for item in deferred),
        person=ctx.person,
        game=ctx.game,
        seat=ctx.seat,
        bound_to_phase=_bound_to_phase(deferred),
        detail={"lines": [item.line for item in deferred]},
    )
    said = ", ".join(item.text.strip() for item in deferred)
    if not ask(ctx.tx, question):
        return f"Not done, since too many questions went to {asked} within the hour: {said}"
    return f"Not done yet: {said}. A mail to {asked} asks you to confirm it; answer that one with YES."


def _bound_to_phase(items: Sequence[object]) -> bool:
    """Whether something in the mail would mean something else once another phase is being played."""
    return any(
        isinstance(item, OrderLine) or (isinstance(item, CommandLine) and COMMANDS[item.name].policy.phase_bound)
        for item in items
    )
