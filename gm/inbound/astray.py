"""Mail of players that cannot be acted on as it came: from several authors, or to the return path of a mail of ours. It
is answered to an address of the player whose seat it is about, and no other. And mail that wants no more of ours.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from gm.commands import COMMANDS
from gm.commands.context import Context, Mail
from gm.errors import NotUnderstood
from gm.games import loading
from gm.games.composing import end_of
from gm.games.identity import Destination, SeatAddress
from gm.games.limits import Spent
from gm.games.transaction import Transaction
from gm.inbound.answering import allowance_for, refuse
from gm.inbound.facts import own, read, sources_of
from gm.inbound.identification import AT_OWN_SEAT, Identified, Standing, identify
from gm.mail.message.attribution import subject_apart
from gm.mail.message.incoming import Message
from gm.parsing.questions import Wanted, only_asks
from gm.parsing.sayings import SURE, likely
from gm.store import inbox, sent
from gm.store.inbox import InboxRow, InboxState
from gm.store.outbox import OutboxRow


def of_several_authors(
    tx: Transaction, message: Message, row: InboxRow, destination: Destination
) -> tuple[InboxState, str] | None:
    """Answer a mail without a single sender that came to a seat's address from its player: by its envelope, or as one
    of its authors. Returns the inbox row's new state with a note; None for other mail.
    """
    if not isinstance(destination, SeatAddress):
        return None
    for address in dict.fromkeys(filter(None, (row.envelope_from, *message.authors))):
        who = identify(tx, replace(message, sender=address.lower()), row, destination)
        if who.standing in AT_OWN_SEAT:
            return _refuse(who, NotUnderstood(message.faults[0], "Nothing in it was acted on."))
    return None


def to_return_path(tx: Transaction, message: Message, row: InboxRow, mail: OutboxRow) -> tuple[InboxState, str] | None:
    """Answer a player's mail with orders, commands or press that came to the return path of this mail to them. Returns
    the inbox row's new state with a note; None for other mail: programs that answer for people write there, too.
    """
    person = loading.person_at(tx.session, message.author)
    if message.automatic or message.away or mail.seat_id is None or person is None:
        return None
    game, seat = tx.seat_numbered(mail.seat_id)
    if not seat.is_of(person):
        return None
    ctx = Context(tx, Mail(row.id, message, row.received_at), mail.recipient, COMMANDS, actor=seat, about=game)
    lines = own(ctx, message, sources_of(ctx, message), read(message.text, game, seat))
    if not any(line.asks for line in lines):
        return None
    problem = "Your mail came to an address that is only for mail that cannot be delivered, so nothing was done."
    who = Identified(Mail(row.id, message, row.received_at), ctx, Standing.SEATED, addressed=seat)
    return _refuse(who, NotUnderstood(problem, "Reply to this mail with the same lines."))


def _refuse(who: Identified, error: NotUnderstood) -> tuple[InboxState, str]:
    tx = who.ctx.tx
    tx.allowance = allowance_for(who)
    if silence := tx.allowance.silence(Spent.ANSWERS):
        return InboxState.IGNORED, silence
    return InboxState.DONE, refuse(who, error) or f"not acted on: {error.problem}"


def note_the_way(who: Identified, row: InboxRow) -> None:
    """Say what the sender should know of the way that their mail took."""
    former = who.ctx.tx.identity.former_of((*row.recipients, *who.mail.message.addressed_to))
    if former:
        who.ctx.say(f"This server has moved from {former}: its address is now {who.ctx.tx.identity.address}.")
    if row.source == inbox.SPAM:
        who.ctx.say("Your mail was in the spam folder. It was read; if you get no answer to a mail, send it again.")


# ---- mail that wants no more

_REMEMBERED = timedelta(days=30)
_WORDS_ALONE = 4
"""The most words of a line that wants no more mail, and nothing else."""


def with_its_end(tx: Transaction, message: Message) -> Message:
    """The mail; one that says in a few words, no command or question, that no more mail is wanted (`unsubscribe`), in
    its text or only in its subject, says what the List-Unsubscribe of the mail of ours has that it answers, or else of
    the newest one.
    """
    answers, subject = subject_apart(message.subject)
    said = message.text.strip() or ("" if answers else subject)
    if not said or len(said.split()) > _WORDS_ALONE or COMMANDS.reader.name_of(said) is not None or only_asks(said):
        return message
    if likely(said.partition("\n")[0], None).within(SURE) != (Wanted.NO_MAIL.name,):
        return message
    answered = _answered(tx, message)
    end = end_of(answered.raw) if answered is not None else None
    return replace(message, text=end.line) if end is not None and end.line else message


def _answered(tx: Transaction, message: Message) -> OutboxRow | None:
    """The mail of ours to its sender that a mail cites; of one that cites none, the newest."""
    person = loading.person_at(tx.session, message.author)
    mine = person.addresses if person is not None else (message.author,)
    cited = message.cited(*tx.identity.hosts)
    if not cited:
        return sent.newest_to(tx.session, message.author, tx.now, _REMEMBERED)
    found = (sent.by_message_id(tx.session, one, mine) for one in reversed(cited))
    return next((row for row in found if row is not None and row.recipient in mine), None)
