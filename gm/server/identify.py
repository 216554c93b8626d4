"""Who sent a mail: the seat by its own address, the sender by the addresses of its holder.

A seat is acted for only when both agree. A registered sender who writes to the server itself may ask and join; nothing
is done for their seats.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from gm.commands.context import Context, Mail
from gm.commands.registry import COMMANDS
from gm.games import loading
from gm.games.snapshot import Seat
from gm.games.transaction import Transaction
from gm.mail.message.addresses import parse_seat_address
from gm.mail.message.authentication import Authenticity
from gm.mail.message.incoming import Message
from gm.server.trust import proof_of
from gm.store.inbox import InboxRow

_SEVERAL_SEATS = (
    "Your mail went to several seats at once; it was acted on for one of them only. Write to each seat by itself."
)


class Standing(Enum):
    """How far a sender is trusted."""

    SEATED = "the holder of a seat, at its address"
    REGISTERED = "somebody we know, at the server's own address"
    STRANGER = "somebody we do not know, at the server's own address"
    VOID_SEAT = "somebody at the address of a seat that was renewed or never was"
    STRANGER_AT_SEAT = "somebody else at the address of a seat"


@dataclass(frozen=True, slots=True)
class Identified:
    """A mail, where it is acted on, and how far its sender is trusted. `addressed`: the seat that it came to."""

    mail: Mail
    ctx: Context
    standing: Standing
    proof: Authenticity = Authenticity.NONE
    addressed: Seat | None = None

    @property
    def trusted(self) -> bool:
        """Whether it is certain enough who is answered."""
        return self.proof is Authenticity.PASS or (self.standing is Standing.SEATED and self.ctx.seat is not None)


def identify(tx: Transaction, message: Message, row: InboxRow) -> Identified:
    """Find seat and sender. The game, if there is one, is locked for this transaction."""
    sender, proof = message.sender or "", proof_of(message, row.source, tx.identity)
    named = filter(None, (parse_seat_address(to, tx.identity.address) for to in message.recipients))
    tokens = list(dict.fromkeys(token for _, token in named))
    if len(tokens) > 1:
        message = replace(message, faults=(*message.faults, _SEVERAL_SEATS))
    mail = Mail(row.id, message, row.received_at)
    found = tx.seat_at(tokens[0]) if tokens else None
    if found is not None and found[1].person is not None and sender in found[1].person.addresses:
        ctx = Context(tx, mail, sender, COMMANDS, actor=found[1], about=found[0])
        return Identified(mail, ctx, Standing.SEATED, proof, found[1])
    person = loading.person_at(tx.session, sender)
    ctx = Context(tx, mail, sender, COMMANDS, actor=person)
    if found is not None:
        ctx.about = found[0]
        return Identified(mail, ctx, Standing.STRANGER_AT_SEAT, proof, found[1])
    if tokens:
        return Identified(mail, ctx, Standing.VOID_SEAT, proof)
    return Identified(mail, ctx, Standing.REGISTERED if person is not None else Standing.STRANGER, proof)
