"""Who pays for what a mail causes, and what they are told when a budget of theirs is used up by it."""

from __future__ import annotations

from collections.abc import Sequence

from gm.games.limits import Allowance, Budget, Payer, Per, Spent, moment
from gm.games.snapshot import Person
from gm.games.transaction import Transaction
from gm.mail.message.authentication import Authenticity
from gm.server.trust import Identified, Standing

_LABELS = 2
"""So many labels of a domain's name are counted together, so that subdomains bring nothing."""


def allowance_for(who: Identified) -> Allowance:
    """What may still be caused by mail like this one."""
    ctx, payer = who.ctx, _payer(who)
    holder = who.addressed if payer is Payer.SEAT else None
    keys = _keys(payer, ctx.sender, f"seat {holder.id}" if holder is not None else ctx.person)
    if ctx.game is not None and who.standing in (Standing.SEATED, Standing.SHOWN):
        keys[Per.GAME] = f"game {ctx.game.id}"
    return ctx.tx.allowance_of(payer, keys)


def _payer(who: Identified) -> Payer:
    if who.standing is Standing.SEATED and who.proof is not Authenticity.FAIL:
        return Payer.SEAT
    if who.standing is Standing.SHOWN and who.proof is Authenticity.PASS:
        return Payer.SEAT
    registered = who.ctx.person is not None
    if who.proof is Authenticity.PASS:
        return Payer.PROVED if registered else Payer.NEWCOMER
    return Payer.KNOWN if registered else Payer.STRANGER


def _keys(payer: Payer, sender: str, known: Person | str | None) -> dict[Per, str]:
    domain = ".".join(sender.rpartition("@")[2].split(".")[-_LABELS:])
    name = f"person {known.id}" if isinstance(known, Person) else known or sender
    return {Per.SENDER: f"{payer.name.lower()} {name}", Per.DOMAIN: f"{payer.name.lower()} @{domain}"}


def allowance_of_answer(tx: Transaction, sender: str, asked: str, person: Person | None) -> Allowance:
    """What may still be caused by an answer to a question: by whoever was asked, who has the question's token, or by
    somebody else."""
    if sender == asked or person is not None:
        return tx.allowance_of(Payer.PROVED, _keys(Payer.PROVED, sender, person or f"asked {asked}"))
    return tx.allowance_of(Payer.STRANGER, _keys(Payer.STRANGER, sender, None))


def last_words(allowance: Allowance, used_up: Sequence[Budget]) -> str:
    """What the last answer says of there being no more for a while; empty when it is not the last."""
    for budget in used_up:
        if budget.of in (Spent.ANSWERS, Spent.IDLE) and budget.span is not None:
            until = moment(allowance.now + budget.span)
            if budget.of is Spent.IDLE:
                return f"Mail from you that asks for nothing is not answered again before {until}."
            orders = " Orders to your seat still count;" if allowance.payer is Payer.SEAT else ""
            whom = "" if budget.per is Per.SENDER else f" to {budget.per.value}"
            return f"This is the last answer{whom} before {until}.{orders} Other mail is not acted on until then."
    return ""
