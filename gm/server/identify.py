"""Who sent a mail: the seat by its own address, the sender by the addresses of its holder.

A seat is acted for only when both agree. A registered sender who writes to the server itself may ask and join; nothing
is done in the name of a seat for him.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum

from sqlalchemy.orm import Session

from gm.commands.scene import Scene
from gm.games import ServerIdentity
from gm.games.snapshot import Table
from gm.mail.message.addresses import parse_seat_address, token_hash
from gm.mail.message.authentication import Authenticity
from gm.mail.message.incoming import Message
from gm.server.trust import proof_of
from gm.store import game_rows, people
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
    """The scene of a mail, and how far its sender is trusted."""

    scene: Scene
    standing: Standing
    proof: Authenticity = Authenticity.NONE


def identify(session: Session, office: ServerIdentity, letter: Message, mail: InboxRow, now: datetime) -> Identified:
    """Find seat and sender. The game, if there is one, is locked for this transaction."""
    sender = letter.sender or ""
    proof = proof_of(letter, mail.source, office)
    account = people.account_by_address(session, sender)
    scene = Scene(session, office, letter, mail.id, mail.received_at, now, sender, account)
    named = filter(None, (parse_seat_address(to, office.server.address) for to in letter.recipients))
    tokens = list(dict.fromkeys(token for _, token in named))
    if not tokens:
        return Identified(scene, Standing.REGISTERED if account is not None else Standing.STRANGER, proof)
    seat = game_rows.seat_by_token_hash(session, token_hash(tokens[0]))
    if seat is None:
        return Identified(scene, Standing.VOID_SEAT, proof)
    if len(tokens) > 1:
        scene.letter = replace(letter, faults=(*letter.faults, _SEVERAL_SEATS))
    scene.table = Table(session, game_rows.lock_game(session, seat.game_id))
    scene.seat = seat
    if account is None or seat.account_id != account.id:
        return Identified(scene, Standing.STRANGER_AT_SEAT, proof)
    scene.table.speaker = seat
    return Identified(scene, Standing.SEATED, proof)
