"""What the sender of a mail is told that has failed on its last try, on whatever way it came."""

from __future__ import annotations

import logging

from gm.errors import NotNow
from gm.games import loading
from gm.games.identity import Public, destination_at
from gm.games.limits import Spent
from gm.games.transaction import Transaction
from gm.inbound.answering import allowance_for, operator_told, refuse
from gm.inbound.contents import message_of
from gm.inbound.digest_replies import in_force
from gm.inbound.identification import Identified, Standing, identify, is_believed
from gm.mail.message.compose import can_be_written_to
from gm.mail.message.incoming import Message
from gm.mail.message.trace import Authenticity
from gm.server import Server
from gm.store import inbox
from gm.store.inbox import InboxRow

log = logging.getLogger(__name__)

_FAILED = "A fault of this server kept it from working on your mail, in three tries. Nothing in it was done."
_HOW = "Send what you want once more, one order or command a line, without other words."


def tell_sender(server: Server, mail_id: int) -> None:
    """Tell the sender of a mail that was set aside so, once that is stored: whatever fails here fails alone."""
    try:
        with server.transaction() as tx:
            if (mail := inbox.mail_by_id(tx.session, mail_id)) is not None:
                _tell(tx, mail, message_of(mail, server.identity))
    except Exception:  # what the mail broke before it may break again
        log.exception("the sender of a mail that failed was not told", extra={"mail": mail_id})


def _tell(tx: Transaction, mail: InboxRow, message: Message) -> None:
    """Tell them, if the mail would be acted on: not a program, nor who only may have written it."""
    if message.automatic or message.listed or not (message.sender and can_be_written_to(message.sender)):
        return
    who = _written_by(tx, mail, message)
    if who is None or not is_believed(tx.identity.trust.level, who.standing, who.proof):
        return
    tx.allowance = allowance_for(who)
    if tx.allowance.used_up(Spent.ANSWERS) is None:
        once = f"failed:{mail.content_hash}:{mail.message_id}"  # its copies may fail alike
        refuse(who, NotNow(_FAILED, " ".join((*operator_told(tx), _HOW))), once)


def _written_by(tx: Transaction, mail: InboxRow, message: Message) -> Identified | None:
    """Who wrote a mail, to a seat, to the server, or as the answer to a question of ours, which only they have."""
    destination, question = in_force(tx, message, mail, destination_at(mail.address, tx.identity) or Public(""))
    if question is None:
        return identify(tx, message, mail, destination)
    person = loading.person_at(tx.session, message.author)
    if message.author != question.asked and (person is None or person.id != question.account_id):
        return None
    who = identify(tx, message, mail, Public(""))
    standing = Standing.REGISTERED if person is not None else Standing.STRANGER
    return Identified(who.mail, who.ctx, standing, Authenticity.PASS)
