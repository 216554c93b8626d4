"""Delivery of the due mails in the outbox: leased, sent outside any transaction, then marked as sent or retried.

Only a dead address ends a mail at once, and it is dead only if the relay takes others. A mail refused for any other
reason is retried for days, because the operator may be able to correct the cause; when no mail is accepted any more,
operator and gamemasters are notified at once.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Protocol

from gm.errors import DeliveryDeferred, DeliveryRefused, SenderRefused, Unconfirmed, WayOutFailed
from gm.games import loading
from gm.games.snapshot import Game, Seat
from gm.games.transaction import Transaction
from gm.inbound.answering import operator_told, report_trouble
from gm.inbound.bounces import ELSEWHERE, is_lost, not_dead, note_failure
from gm.mail.message.bounce_report import ABOUT_US, Bounce, Reason, refused, without_addresses
from gm.mail.message.compose import joined
from gm.reports import counted
from gm.server import Server, episodes
from gm.server.metrics import count
from gm.store import gathering, mail_files, mail_servers, outbox, refusals, retention, troubles
from gm.store.database import leaves_no_work
from gm.store.game_rows import GameState
from gm.store.mail_servers import Cap
from gm.store.outbox import GIVE_UP_AFTER, OutboxRow, OutboxState, Pace, Sent, Trouble
from gm.store.refusals import Passed, Stuck
from gm.store.troubles import EpisodeRow

log = logging.getLogger(__name__)

_MOST_TOLD = 50
"""The most recipients for whom gamemasters are notified at once that mail is refused."""


_DEFERRALS = {
    WayOutFailed: (Trouble.UNREACHABLE, Reason.EXPIRED),
    SenderRefused: (Trouble.REFUSED, Reason.EXPIRED),
    Unconfirmed: (Trouble.UNCONFIRMED, Reason.UNCONFIRMED),
    DeliveryDeferred: (Trouble.DEFERRED, Reason.EXPIRED),
}
"""What each kind of error means for the mail: why it waits, and why it is lost if that lasts."""


def note_cap(service: Server, cap: Cap) -> None:
    """Note what the mail server takes at most, for `gm check` and the metrics."""
    with service.database.transaction() as session:
        mail_servers.note_cap(session, replace(cap, words=without_addresses(cap.words)), service.now())


class Delivers(Protocol):
    """A way to send mail. Raises DeliveryDeferred (try later) or DeliveryRefused (the server refused it).
    Returns what the server said, None without a response."""

    def deliver(self, raw: bytes, envelope_from: str, recipient: str) -> str | None: ...


def send_due(
    service: Server, sender: Delivers, pace: Pace | None = None, begins: Callable[[], object] = lambda: None
) -> bool:
    """Send the mail that is due first, after calling `begins`. Returns whether there was one."""
    with service.database.transaction() as session:
        mail = outbox.claim_next(session, service.now(), pace)
        leaves_no_work(session)
    if mail is not None:
        begins()
        send(service, sender, mail)
    return mail is not None


def send(service: Server, sender: Delivers, mail: OutboxRow) -> datetime | None:
    """Send a mail that is leased, and note what became of it. Returns when to look for another."""
    sent = _send(service, sender, mail)
    if mail.purpose.startswith(retention.LAST):
        with service.database.transaction() as session:
            emptied = retention.sent(session, mail.id)
        if emptied:
            service.database.scrub()
    return sent.wakes_at if sent is not None else service.now()


def _whole(service: Server, mail: OutboxRow) -> bytes:
    """The mail with its files."""
    if not mail.files:
        return mail.raw
    with service.database.reading() as session:
        return joined(mail.raw, mail.message_id, mail_files.of(session, mail.message_id))


def _send(service: Server, sender: Delivers, mail: OutboxRow) -> Sent | None:
    try:
        reply = sender.deliver(_whole(service, mail), mail.envelope_from, mail.recipient) or ""
    except DeliveryRefused as error:
        found = refused(error.problem, mail.envelope_from, mail.recipient)
        log.warning(
            "a mail is rejected",
            extra={**_known(service, mail), "reason": found.reason, "reply": without_addresses(str(error))},
        )
        trouble = Trouble.REFUSED if found.reason in ABOUT_US else Trouble.DEFERRED
        hard = service.noted(partial(_failed, service, mail, found, trouble))
        count("gm_sent_total", outcome="refused" if hard else "kept")
        count("gm_send_refused_total", code="5xx", reason=found.reason)
    except DeliveryDeferred as error:
        count("gm_sent_total", outcome="deferred")
        trouble, reason = next(found for kind, found in _DEFERRALS.items() if isinstance(error, kind))
        reply = without_addresses(str(error))
        log.info("a mail is deferred", extra={**_known(service, mail), "reason": trouble, "reply": reply})
        if trouble is not Trouble.UNREACHABLE:
            count("gm_send_refused_total", code="4xx", reason=trouble)
        service.noted(partial(_failed, service, mail, Bounce(reason, "", str(error)), trouble))
    else:
        count("gm_sent_total", outcome="sent")
        log.info("a mail was sent", extra={**_known(service, mail), "reply": without_addresses(reply)})
        return _accepted(service, mail, service.noted(partial(_sent, service, mail, reply)))
    return None


def _known(service: Server, mail: OutboxRow) -> dict[str, object]:
    """By what the log tells a mail of ours from others. What follows the kind of a purpose may be an address."""
    name = service.identity.logged(mail.message_id)
    return {"mail": mail.number, "message_id": name, "purpose": mail.purpose.partition(":")[0], "domain": mail.domain}


def _sent(service: Server, mail: OutboxRow, reply: str) -> Sent | None:
    """Note that a mail is sent, and what the relay said; and lease the next one."""
    with service.departures.promised() as departure, service.database.transaction() as session:
        sent = outbox.mark_sent(session, mail.id, now := service.now(), reply)
        if mail.purpose.startswith(gathering.DIGEST):
            gathering.mark_sent(session, mail.message_id, now)
        if sent is not None and sent.wakes_at is not None and sent.wakes_at <= now:
            departure += filter(None, [outbox.claim_next(session, now, service.pace)])
        leaves_no_work(session)
    return sent


def _accepted(service: Server, mail: OutboxRow, sent: Sent | None) -> Sent | None:
    """Note what follows from the acceptance of a mail, other than that it is sent: for its recipient, if mails to them
    were given up, and for all mail, if it had waited. Returns what to do next.
    """
    if sent is not None and sent.alive:
        with service.transaction() as tx:
            not_dead(tx, refusals.known_after_all(tx.session, mail.recipient, tx.now))
    if sent is None or (mail.trouble is Trouble.NONE and not mail.purpose.startswith(_BEGUN)):
        return sent
    if mail.trouble is not Trouble.NONE:
        log.info("a mail that waited is sent", extra={"mail": mail.id, "domain": mail.domain, "tries": mail.tries})
    with service.transaction() as tx:
        _tell_when_over(tx, mail)
    return sent._replace(wakes_at=service.now())


def _failed(service: Server, mail: OutboxRow, found: Bounce, trouble: Trouble) -> bool:
    """Note a failed try. Returns whether the address is dead."""
    with service.transaction() as tx:
        if found.hard:
            dead, trouble = refusals.is_dead(tx.session, mail, tx.now)
            found = found if dead else replace(found, reason=Reason.RELAY)
        failure = outbox.Failure(found.words, service.jitter(), found.hard, trouble)
        state = outbox.mark_failed(tx.session, mail.id, tx.now, failure)
        if trouble is Trouble.UNKNOWN and not found.hard:
            not_dead(tx, refusals.unknown_again(tx.session, mail, tx.now))
        if state is OutboxState.FAILED:
            note_failure(tx, mail, found, state, hard=found.hard or is_lost(state, trouble), at=tx.now)
        else:
            for stuck in refusals.stuck_among(tx.session, [mail.recipient]):
                _tell_at_once(tx, stuck, mail.recipient)
        return found.hard


_STUCK, _PASSED = "mail is refused", "mail is accepted again"
_BEGUN = "stuck:"
"""The beginning of the purposes of notices that mail is refused; the episode's id follows, then whose it is."""
_PASSES_BY_ITSELF = timedelta(minutes=2)
"""A server that refuses all mail for less time was only started again, or corrected, or takes so many a minute."""


def _tell_at_once(tx: Transaction, stuck: Stuck, recipient: str) -> None:
    """Notify the operator, and the gamemasters of those who get no mail, that mail is refused: once for as long as that
    lasts, and again after its end was told, but only a few times a day. Later only the gamemasters of the `recipient`,
    who gets none either.
    """
    recipients: Sequence[str] = [recipient]
    before = troubles.last(tx.session, _STUCK, stuck.domain)
    if max(stuck.since, stuck.accepted_at) > tx.now - _PASSES_BY_ITSELF:
        return
    if episodes.may_be_told(tx, before) or (before is not None and _is_told_daily(tx, before, stuck)):
        if not stuck.domain:
            _withdraw_narrower(tx)
        before = troubles.begin(tx.session, _STUCK, stuck.domain, stuck.since, tx.now)
        log.error(_STUCK, extra={"domain": stuck.domain or "any", "refused": stuck.refused, "tried": stuck.tried})
        remedy = f"It is kept, and tried again for up to {GIVE_UP_AFTER.days} days. See `gm check` and `gm mail show`."
        report_trouble(tx, stuck.problem, stuck.words, f"{_BEGUN}{before.id}:", remedy=remedy)
        recipients = stuck.recipients[:_MOST_TOLD]
    elif before is None or before.over_at is not None:
        return
    problem = "Mail to players of this game is refused; it is kept, and tried again."
    detail = " ".join((f'The mail server said: "{without_addresses(stuck.words)}".', *operator_told(tx)))
    for game, masters in _who_may_know(tx, recipients):
        tx.tell(game, masters, _STUCK, (problem, detail), f"{_BEGUN}{before.id}:{game.id}")


def _withdraw_narrower(tx: Transaction) -> None:
    """Withdraw the notices that mail to one domain is refused, if they could not leave themselves: all mail is."""
    for row in troubles.lasting(tx.session, _STUCK):
        begun = f"{_BEGUN}{row.id}:"
        if row.about and outbox.withdraw(tx.session, begun) and not outbox.sent_for(tx.session, begun):
            row.over_at = tx.now


def _is_told_daily(tx: Transaction, before: EpisodeRow, stuck: Stuck) -> bool:
    """Whether this is another time that mail is refused, a day after the one whose end was not told."""
    lasts = before.over_at is None and before.told_at <= tx.now - episodes.DAY
    return lasts and before.since != stuck.since


def _tell_when_over(tx: Transaction, mail: OutboxRow) -> None:
    """Notify those whom a mail told that mail is refused, or mail to this one's domain, that it is accepted again: all
    who were told when that is found, and later those whose notice was under way then, and arrives. Nobody else is told
    the beginning any more.
    """
    for domain in ("", mail.domain):
        before = troubles.last(tx.session, _STUCK, domain)
        if before is None or before.over_at is not None:
            continue
        found = refusals.passed(tx.session, domain, before.since, before.told_at)
        if not found.over:
            continue
        before.over_at = tx.now
        log.warning(_PASSED, extra={"domain": domain or "any", "sent": found.sent, "left": found.left})
        outbox.withdraw(tx.session, begun := f"{_BEGUN}{before.id}:")
        _tell_end(tx, before, found, outbox.sent_for(tx.session, begun))
    if mail.purpose.startswith(_BEGUN):
        before = tx.session.get(EpisodeRow, int(mail.purpose.split(":")[1]))
        if (
            before is not None
            and before.over_at is not None
            and mail.purpose in outbox.sent_for(tx.session, mail.purpose)
        ):
            found = refusals.passed(tx.session, before.about, before.since, before.told_at)
            _tell_end(tx, before, found, [mail.purpose])


def _tell_end(tx: Transaction, before: EpisodeRow, found: Passed, told: Collection[str]) -> None:
    """Notify those of the end whom mails for these purposes `told` the beginning, wherever they went; each once."""
    begun, told = f"{_BEGUN}{before.id}:", {one.partition(ELSEWHERE)[0] for one in told}
    if begun in told:
        problem = f"Mail{f' to {before.about}' if before.about else ''} is accepted again."
        left = f" Still refused, and tried again: {found.left}." if found.left else ""
        sent = counted(found.sent, "mail", digits=True)
        detail = f"Refused since {before.since:%d %b %H:%M} UTC, and sent now: {sent}.{left}"
        report_trouble(tx, problem, detail, f"passed:{before.id}", remedy="Nothing is to be done.")
    seats = (int(one.rpartition(":")[2]) for one in told if one != begun)
    games = {game.id: game for seat in seats for game in loading.load(tx.session, loading.BY_SEAT, {"seat": seat})}
    for game in (one for one in games.values() if one.playable):
        masters = [one for one in game.masters if f"{begun}{game.id}:{one.id}" in told]
        words = ("Mail to players of this game is accepted again. What was refused is sent.",)
        tx.tell(game, masters, _PASSED, words, f"passed:{game.id}:{before.id}")


def _who_may_know(tx: Transaction, recipients: Sequence[str]) -> Iterator[tuple[Game, Sequence[Seat]]]:
    """The games, forming or running, of the people with these addresses, each with the gamemasters who may know that
    mail to one of them does not arrive.
    """
    people = list(filter(None, (loading.person_at(tx.session, one) for one in recipients)))
    theirs = [game for person in people for game in tx.games_of(person, GameState.FORMING, GameState.RUNNING)]
    for game in {game.id: game for game in theirs if game.playable}.values():
        seats = [seat for person in people for seat in game.seats_of(person)]
        yield game, [one for one in game.masters if any(game.knows_arrival(one, seat) for seat in seats)]
