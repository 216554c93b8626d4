"""Sends digests: gathers the mails that were held for a person, outside any lock, and queues one mail with them all.

A mail that is held alone is sent as it is. What is gathered is written and queued together, or not at all: if another
mail is held in the meantime, or the digest is released, everything is done again.
"""

from __future__ import annotations

import email
import email.policy
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from email.message import EmailMessage
from itertools import groupby

from gm.games import loading
from gm.games.composing import Envelope, composed
from gm.games.report_inputs import closes_at, reader_of
from gm.games.snapshot import Game, Person, Seat
from gm.games.transaction import Transaction
from gm.mail.message.addresses import mailto
from gm.mail.message.compose import Attachment, joined
from gm.reports import full_moment
from gm.reports.digest import Digest, GameNews, Gathered, gathered
from gm.reports.reader import next_phase
from gm.reports.render import render
from gm.server import Server
from gm.store import gathering, mail_files
from gm.store.game_rows import SeatRole
from gm.store.outbox import OutboxRow, OutboxState, Queued

MOST_BYTES = 5_000_000
"""The most octets of pictures and other files in a digest; the later ones are left out."""

_REMINDER = "reminder:"
_CALENDAR = "text/calendar"


@dataclass(frozen=True, slots=True)
class _Written:
    """A digest, the mails that it leaves out, since they are not true any more, and the phases of which it tells each
    seat.
    """

    mail: Queued
    stale: frozenset[int]
    phases: dict[int, int | None]
    renewed: bool
    """Whether one of the mails names an address of a seat that was replaced since: it is not sent as it is."""


def gather_next(server: Server) -> bool:
    """Send the digest that is due first. Returns whether there was one."""
    with server.reading() as tx:
        first = gathering.first_due(tx.session, tx.now)
        if first is None:
            return False
        person = loading.person_at(tx.session, first.recipient)
        emails = person.addresses if person is not None else (first.recipient,)
        mails = _due(gathering.held_for(tx.session, emails), tx)
        digest = _write(tx, person, mails) if person is not None else None
    with server.transaction() as tx:
        now_held = _due(gathering.held_for(tx.session, emails, lock=True), tx)
        if [mail.id for mail in now_held] == [mail.id for mail in mails]:
            _send(tx, now_held, digest)
    return True


def _due(held: Sequence[OutboxRow], tx: Transaction) -> list[OutboxRow]:
    """The mails that are due, and all that wait for the same seats."""
    seats = {mail.seat_id for mail in held if mail.next_try_at <= tx.now}
    return [mail for mail in held if mail.seat_id in seats]


def _send(tx: Transaction, mails: Sequence[OutboxRow], digest: _Written | None) -> None:
    if digest is None:
        gathering.release(tx.session, mails, tx.now)
        return
    for mail in mails:
        if mail.id in digest.stale:
            mail.state = OutboxState.DROPPED
    taken = [mail for mail in mails if mail.id not in digest.stale]
    if len(taken) < 2 and not digest.renewed:
        gathering.release(tx.session, taken, tx.now)
        return
    gathering.gather(tx.session, taken, digest.mail.message_id, digest.phases, tx.now)
    tx.queue(digest.mail)


# what it says


def _write(tx: Transaction, person: Person, mails: Sequence[OutboxRow]) -> _Written:
    """The digest of these mails to a person."""
    sections, files, stale = list[GameNews](), list[Attachment](), list[OutboxRow]()
    phases: dict[int, int | None] = {}
    renewed = False
    for seat_id, own in groupby(sorted(mails, key=_seat_id), key=_seat_id):
        game, seat = _seat(tx, seat_id)
        kept = list[OutboxRow]()
        for mail in own:
            (stale if _is_stale(game, seat, mail) else kept).append(mail)
        if not kept:
            continue
        read = [_read(tx, game, seat, mail) for mail in kept]
        renewed = renewed or any(_names_another(tx, seat, mail) for mail in kept)
        files += (file for _, each in read for file in each)
        sections.append(_section(tx, person, game, seat, tuple(one for one, _ in read)))
        phases[seat_id] = game.phase.id if game.running and game.phase is not None else None
    kept_files, gone = _within_limits(files)
    sections = [replace(one, mails=tuple(mail.without_pictures(gone) for mail in one.mails)) for one in sections]
    digest = _composed(tx, person, sections, kept_files, mails[-1].id)
    return _Written(digest, frozenset(one.id for one in stale), phases, renewed)


def _seat_id(mail: OutboxRow) -> int:
    return mail.seat_id or 0


def _seat(tx: Transaction, seat_id: int) -> tuple[Game, Seat]:
    (game,) = loading.load(tx.session, loading.BY_SEAT, {"seat": seat_id})
    return game, game.seat(seat_id)


def _composed(
    tx: Transaction, person: Person, sections: Sequence[GameNews], files: tuple[Attachment, ...], newest: int
) -> Queued:
    address = tx.identity.digest_address(person.id, tx.now.date()) or tx.identity.address
    reader = replace(reader_of(tx.identity, person), reply_to=address, mailto=lambda *what: mailto(address, *what))
    envelope = Envelope(f"{gathering.DIGEST}{person.id}:{newest}", person.reachable, address)
    return composed(tx.identity, tx.now, render(Digest(reader, tuple(sections))), envelope, files)


def _is_stale(game: Game, seat: Seat, mail: OutboxRow) -> bool:
    """Whether a mail only reminds of orders that are in, or not needed any more."""
    if not mail.purpose.startswith(_REMINDER):
        return False
    now = game.phase.id if game.running and game.phase is not None else None
    return mail.phase_id != now or game.has_ordered(seat, incomplete_too=False)


def _section(tx: Transaction, person: Person, game: Game, seat: Seat, mails: tuple[Gathered, ...]) -> GameNews:
    if not seat.is_of(person):
        return GameNews(game.name, game.name, "This is not your seat any more; there is nothing to answer.", mails)
    who = seat.power or {SeatRole.MASTER: "Gamemaster", SeatRole.OBSERVER: "Observer"}.get(seat.role, "Player")
    who = f"Deputy of {seat.power}" if seat.deputy_of is not None else who
    alone = len(game.seats_of(person)) == 1 or seat.role is SeatRole.PLAYER
    heading = f"GAME {game.name}" if alone else game.name
    answer = "" if alone else f" To answer as {who.lower()}, write to {tx.identity.address_of(game, seat)}."
    return GameNews(game.name, heading, f"{who}. {_stands(tx, person, game, seat)}{answer}", mails)


def _stands(tx: Transaction, person: Person, game: Game, seat: Seat) -> str:
    """How a game stands for its player, when the digest is written."""
    if not game.running or game.position is None:
        return f"The game is {game.state}."
    due, zone = closes_at(game, seat), tx.identity.zone_of(person, game)
    when = f" is due {full_moment(due, zone)}." if due is not None else " has no deadline."
    title = next_phase(game.position.phase)
    if seat.power not in game.duties:
        return f"{title}{when} You have nothing to order."
    if not game.has_ordered(seat):
        return f"{title}{when} You have sent no orders."
    return f"{title}{when} " + ("Your orders are in." if game.has_ordered(seat, incomplete_too=False) else _INCOMPLETE)


_INCOMPLETE = "Your orders are incomplete."


# the mails in it


def _read(tx: Transaction, game: Game, seat: Seat, mail: OutboxRow) -> tuple[Gathered, tuple[Attachment, ...]]:
    """A mail that was held, with the seat's present address, and its files."""
    raw = joined(mail.raw, mail.message_id, mail_files.of(tx.session, mail.message_id)) if mail.files else mail.raw
    message = email.message_from_bytes(raw, policy=email.policy.default)
    leaves = [part for part in message.walk() if not part.is_multipart()]
    bodies = {part.get_content_type(): part.get_content() for part in reversed(leaves) if _is_body(part)}
    files = tuple(_file(game, part) for part in leaves if not _is_body(part))
    older = game.running and game.phase is not None and mail.phase_id not in (None, game.phase.id)
    remark = f"This was written before {game.phase.code} began." if older and game.phase is not None else ""
    text, html = (tx.identity.with_present_address(seat, bodies.get(kind, "")) for kind in ("text/plain", "text/html"))
    return gathered(game.name, str(message["Subject"]), text, html, remark), files


def _names_another(tx: Transaction, seat: Seat, mail: OutboxRow) -> bool:
    """Whether it has an address of the seat that was replaced since."""
    raw = mail.raw.decode("latin-1")
    return tx.identity.with_present_address(seat, raw) != raw


def _is_body(part: EmailMessage) -> bool:
    return part.get_content_type() in ("text/plain", "text/html") and part.get_content_disposition() is None


def _file(game: Game, part: EmailMessage) -> Attachment:
    kind, name = part.get_content_type(), part.get_filename() or "file"
    parameters = tuple((key, value) for key, value in part["Content-Type"].params.items() if key != "name")
    content = part.get_payload(decode=True)
    if not name.startswith(game.name):
        name = f"{game.name}-{name}"
    return Attachment(name, kind, content if isinstance(content, bytes) else b"", parameters, part["Content-ID"] or "")


def _within_limits(files: Iterable[Attachment]) -> tuple[tuple[Attachment, ...], frozenset[str]]:
    """The files that a digest has, each once and of each calendar the newest, and the ids of pictures left out."""
    newest = {file.name if file.content_type == _CALENDAR else file: file for file in files}
    kept, gone, size = list[Attachment](), set[str](), 0
    for file in newest.values():
        if size + len(file.content) <= MOST_BYTES:
            kept.append(file)
            size += len(file.content)
        else:
            gone.add(file.content_id.strip("<>"))
    return tuple(kept), frozenset(gone)
