"""Who a mail is from and how far they are trusted.

Proof is a DKIM signature or an SPF or DMARC result for the domain of the From line, found by a trusted server in front
of us or by ourselves. What a command can do to its sender (`Consent`) is declared with it; `LEVELS` says what each
level requires (docs/trust.md). DNS queries are made outside any transaction, before the mail is acted on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from enum import Enum
from functools import partial
from types import MappingProxyType
from typing import Any, Literal

from gm.commands import COMMANDS
from gm.commands.context import Context, Mail
from gm.commands.declaration import About, Consent, Policy
from gm.errors import NotUnderstood
from gm.games import loading
from gm.games.identity import Destination, Public, QuestionAddress, SeatAddress, ServerIdentity, all_at, in_names
from gm.games.limits import UNPROVED
from gm.games.snapshot import Game, Seat
from gm.games.transaction import Transaction
from gm.inbound.proof import proof_of
from gm.mail.message.incoming import BY_SUBJECT, LOOP, Message
from gm.mail.message.trace import Authenticity
from gm.parsing.message import CommandLine
from gm.play import conversations, seat_addresses
from gm.settings import Level
from gm.store import inbox, senders, sent
from gm.store.inbox import InboxRow

Confirms = Literal["never", "unproved", "in public", "always"]
"""Whether a command waits for its sender's confirmation. "in public": if it is unproved, or came to the server's own
address, or to one that others have seen: a link or a list's header (RFC 2369) may have had the sender's program write
it. Only the address decides, where it arrived: no other recipient, and no command in the mail; but for a YES to what
was proposed to its sender, which cites that mail: no link can.
"""


@dataclass(frozen=True, slots=True)
class Rules:
    """What one level of trust requires: whether mail without proof is quarantined, and when commands are confirmed."""

    holds_unproved: bool
    confirms: Mapping[Consent, Confirms]


def _rules(*confirms: Confirms, holds_unproved: bool) -> Rules:
    return Rules(holds_unproved, MappingProxyType(dict(zip(Consent, ("never", *confirms), strict=True))))


LEVELS: Mapping[Level, Rules] = MappingProxyType(
    {  # for commands that bind, cannot be undone, were not asked for, or affect many
        "open": _rules("never", "never", "unproved", "unproved", holds_unproved=False),
        "normal": _rules("unproved", "in public", "unproved", "in public", holds_unproved=False),
        "strict": _rules("unproved", "always", "unproved", "always", holds_unproved=True),
    }
)


def consents_of(ctx: Context, item: CommandLine) -> tuple[Consent, ...]:
    """What a command can do to the person who gives it, and what those can do that it schedules, or carries out in
    several games: `spring, autumn: PROCESS`.
    """
    command = COMMANDS[item.name]
    return command.policy.consent_of(ctx, item.args), *_carried(ctx, command.policy, item.args, _DEEPEST)


_DEEPEST = 2
"""So deep one command is carried by others: `ALL GAMES: SCHEDULE Friday 18:00: PROCESS`."""


def carried_by(args: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The command that stands in the arguments of another, with its text, whether or not the games stand before it."""
    line = str(args.get("line") or "")
    for text in (line, line.partition(":")[2].strip()):
        name = COMMANDS.reader.name_of(text)
        if name is not None:
            yield name, text


def _carried(
    ctx: Context, carrier: Policy, args: Mapping[str, Any], deep: int, *, chair: bool = False
) -> Iterator[Consent]:
    """What commands can do that stand in the arguments of another: as the gamemaster's (`chair`), if it is carried out
    in the games that they run, otherwise later.
    """
    later = About.EVERYWHERE not in carrier.about
    chair = chair or not later
    for name, text in carried_by(args) if deep else ():
        policy = COMMANDS[name].policy
        of_master = policy.of_master if chair else None
        yield of_master or (policy.consent_later(ctx) if later else policy.consent_of(ctx, {"kept": True}))
        with suppress(NotUnderstood):
            call = COMMANDS.reader.read(text, None)
            yield from _carried(ctx, policy, call.args if call is not None else {}, deep - 1, chair=chair)


def confirms(ctx: Context, proof: Authenticity, item: CommandLine | None) -> bool:
    """Whether a command, with the one that it carries, is carried out only after its sender has confirmed it; None:
    whether what has been brought about is.
    """
    rules = LEVELS[ctx.tx.identity.trust.level]
    can_do = consents_of(ctx, item) if item is not None else ctx.answer.brings
    asked = [rules.confirms[consent] for consent in can_do]
    public = ctx.mail is not None and not (ctx.mail.secret or ctx.accepts)
    return any(must_ask(how, proof, public=public) for how in asked)


def must_ask(how: Confirms, proof: Authenticity, *, public: bool) -> bool:
    """Whether a command waits that came with this proof, to an address that others know (`public`) or to a secret
    one.
    """
    return how == "always" or (how != "never" and proof is not Authenticity.PASS) or (how == "in public" and public)


class Standing(Enum):
    """The sender's status, and the address at which they are asked."""

    SEATED = "the player of a seat, at its address"
    SHOWN = "the player of a seat, at an address of it that others have seen"
    OPENLY = "the player of a seat, by its name at the server's own address"
    REGISTERED = "somebody we know, at the server's own address"
    STRANGER = "somebody we do not know, at the server's own address"
    VOID = "somebody at a seat address that was replaced, never existed, or is another's whom they play with"
    STRANGER_AT_SEAT = "somebody else at the address of a seat"


AT_OWN_SEAT = (Standing.SEATED, Standing.SHOWN, Standing.OPENLY)


def standing_by_name(identity: ServerIdentity) -> Standing:
    """The standing of a seat's player who names it at the server's own address, to which others can write, too."""
    return Standing.SEATED if identity.among_friends else Standing.OPENLY


def is_believed(level: Level, standing: Standing, proof: Authenticity) -> bool:
    """Whether a mail may be acted on at once; if not, it is quarantined until the person in whose name it came confirms
    it, or ignored if it has no known sender.
    """
    match standing:
        case Standing.STRANGER_AT_SEAT:
            return False
        case Standing.STRANGER | Standing.VOID:
            return proof is not Authenticity.FAIL
        case Standing.SEATED | Standing.REGISTERED if proof is Authenticity.NONE:
            return not LEVELS[level].holds_unproved
        case Standing.SHOWN | Standing.OPENLY if LEVELS[level].holds_unproved:
            return False
    return proof is Authenticity.PASS


@dataclass(frozen=True, slots=True)
class Identified:
    """A mail, where it is acted on, and how far its sender is trusted. `addressed`: the seat that it was sent to;
    `lost`: the seat that was the sender's when it had this address. `to`: whom it goes to, as press, by its address.
    """

    mail: Mail
    ctx: Context
    standing: Standing
    proof: Authenticity = Authenticity.NONE
    addressed: Seat | None = None
    early: bool = False
    """By its date it was written long ago (`_is_early`)."""
    lost: tuple[Game, Seat] | None = None
    to: tuple[str, ...] = ()

    @property
    def trusted(self) -> bool:
        """Whether the sender is certain enough for replies without a rate limit."""
        return self.proof is Authenticity.PASS or (self.standing is Standing.SEATED and self.ctx.seat is not None)


def identify(tx: Transaction, message: Message, row: InboxRow, destination: Destination) -> Identified:
    """Find the seat and the sender. The game, if there is one, is locked for this transaction."""
    sender, confirmed = message.author, senders.was_confirmed(row)
    names_it = partial(names_us, tx, message, row)
    found_out = Authenticity.PASS if confirmed else proof_of(message, row, tx.identity, names_it)
    proved, guesses = found_out is Authenticity.PASS, row.tries < inbox.MAX_TRIES
    mail = Mail(row.id, message, row.received_at, proved=proved)
    found = tx.seat_at(destination.token) if isinstance(destination, SeatAddress) else None
    at_seat, lost = Standing.SEATED, None
    if found is None and isinstance(destination, SeatAddress):
        lost = seat_addresses.former(tx, destination.token, loading.person_at(tx.session, sender))
        if lost is not None and _holds(lost[1], sender):
            at_seat, found = Standing.SHOWN, lost
    if found is not None and found[1].deputy_of is not None and not found[1].serves(row.received_at):
        lost, found = (found if _holds(found[1], sender) else None), None  # their time is over
    to = conversations.recipients(tx.identity, *found, destination.address) if found is not None else ()
    early = not confirmed and _is_early(tx, found[0] if found is not None else None, message, row)
    proof = Authenticity.DOUBTFUL if early and found_out is not Authenticity.FAIL else found_out
    if found is not None and _holds(found[1], sender):
        at_seat = standing_by_name(tx.identity) if senders.came_openly(row) else at_seat
        mail = replace(mail, secret=at_seat is Standing.SEATED)
        ctx = Context(tx, mail, sender, COMMANDS, actor=found[1], about=found[0], guesses=guesses)
        return Identified(mail, ctx, at_seat, proof, found[1], early, to=to)
    person = loading.person_at(tx.session, sender)
    if found is not None:
        own = next((one for one in found[0].seats_of(person) if _is_rival(*found, one, found_out)), None)
        ctx = Context(tx, mail, sender, COMMANDS, actor=own, about=found[0], guesses=guesses)
        return Identified(
            mail, ctx, Standing.STRANGER_AT_SEAT if own is None else Standing.VOID, proof, found[1], to=to
        )
    ctx = Context(tx, mail, sender, COMMANDS, actor=person, guesses=guesses)
    if not isinstance(destination, Public):
        return Identified(mail, ctx, Standing.VOID, proof, lost=lost)
    return Identified(mail, ctx, Standing.REGISTERED if person is not None else Standing.STRANGER, proof, early=early)


def _is_early(tx: Transaction, game: Game | None, message: Message, row: InboxRow) -> bool:
    """Whether by its date a mail was written before the phase that is played was opened, or where none is, by a day
    before it came; by more than clocks are wrong, and it answers no mail since then. It may have been kept by somebody
    to whom it was shown, and be sent again: what it says was meant then.
    """
    if row.sent_at is None or row.note == inbox.REPLAYED:
        return False
    phase = game.phase if game is not None and game.running else None
    since = phase.opened_at if phase is not None else row.received_at - _WRONG_CLOCK
    early = row.sent_at < since - _WRONG_CLOCK
    return early and not sent.cites_since(tx.session, message.cited(*tx.identity.hosts), since)


_WRONG_CLOCK = timedelta(days=1)


def _is_rival(game: Game, seat: Seat, own: Seat, proof: Authenticity) -> bool:
    """Whether it is certain that a mail to a seat is from the holder of another one, or from their own deputy, and the
    seat's holder may know them. Of every other mail of somebody else the holder is asked in the same way, whoever is
    named in From: anybody can write anybody's name there, and would learn who is registered here, or plays a seat whose
    holder is secret.
    """
    known = own.deputy_of == seat.id or (own in game.players and game.knows_holder(seat, own))
    return known and proof is Authenticity.PASS


def note_proof(ctx: Context) -> None:
    """Store that it is certain who has written, if the mail was authenticated or came to an address that only they
    know.
    """
    certain = ctx.tx.allowance.payer not in UNPROVED
    if certain and ctx.person is not None and ctx.person.proved_at is None:
        ctx.tx.change_person(ctx.person, proved_at=ctx.now)


def names_us(tx: Transaction, message: Message, row: InboxRow) -> bool:
    """Whether To or Cc of a mail names the address at which it is acted on, or at which it arrived before it was handed
    on, by itself or as the recipients' names do.
    """
    seen = all_at(message.addressed_to, tx.identity)
    if not tx.identity.settings.plus_addressing:
        seen += in_names(message.names, message.answers, tx.identity, tx.session)
    origin = senders.arrived_at(row)
    return any(one.address == origin if origin else isinstance(one, Public) for one in seen)


def _holds(seat: Seat, sender: str) -> bool:
    return seat.person is not None and sender in seat.person.addresses


def is_of_holder(tx: Transaction, message: Message, row: InboxRow, destination: Destination) -> bool:
    """Whether it is certain that a seat's own player has sent a mail to it."""
    who = _as_holder(tx, message, row, destination)
    return who is not None and who.proof is Authenticity.PASS


def _as_holder(tx: Transaction, message: Message, row: InboxRow, destination: Destination) -> Identified | None:
    """The sender of a mail to a seat, if that is the seat's player."""
    who = identify(tx, message, row, destination) if isinstance(destination, SeatAddress) else None
    return who if who is not None and who.standing in AT_OWN_SEAT else None


def _is_known(tx: Transaction, message: Message, row: InboxRow, destination: Destination) -> bool:
    """Whether a mail is a player's to their seat, or of somebody we know to the server."""
    known = isinstance(destination, SeatAddress | Public)
    return known and identify(tx, message, row, destination).standing in (*AT_OWN_SEAT, Standing.REGISTERED)


def robot_by(tx: Transaction, message: Message, row: InboxRow, destination: Destination) -> str | None:
    """Why the mail is a program's, if it is. An answer to a question is one, too, if its subject speaks of absence; a
    mail of a player to their seat, or of somebody we know to the server, is none for its subject alone, if there is
    anything in it.
    """
    if row.note == inbox.REPLAYED:
        return message.automatic if message.automatic == LOOP else None
    if message.automatic == BY_SUBJECT and _is_known(tx, message, row, destination):
        return None
    away = message.away and isinstance(destination, QuestionAddress)
    return message.automatic or (BY_SUBJECT if away else None)
