"""Sends digests: gathers the mails that were held for a person, outside any lock, and queues one mail with them all.

A mail that is held alone is sent as it is. What is gathered is written and queued together, or not at all: if another
mail is held in the meantime, or the digest is released, everything is done again.
"""

from __future__ import annotations

import email
import email.policy
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from email.message import EmailMessage
from itertools import accumulate, groupby
from typing import NamedTuple

from gm.games import loading
from gm.games.calendar_file import calendar_file
from gm.games.composing import Envelope, composed
from gm.games.report_inputs import closes_at, reader_of
from gm.games.snapshot import Game, Person, Seat
from gm.games.transaction import Transaction
from gm.machine.reports import waits, written_again
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

MOST_TEXT = 1_000_000
"""The most octets of the mails that one digest gathers, without their files."""

_OF_DEADLINES = ("deadline:", "absence:", "extension:", "extended:", "resume:", "pause:", "open:", "outage:")
"""The beginnings of the purposes of notices whose matter is over when the deadline changes again."""
_CALENDAR = "text/calendar"


@dataclass(frozen=True, slots=True)
class _Written:
    """A digest, the mails that it leaves out, since they are not true any more, the phases of which it tells each
    seat, and whether it says of a mail more than that did.
    """

    mail: Queued
    stale: frozenset[int]
    phases: dict[int, int | None]
    renewed: bool


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
    """The mails that are due, and all that wait for the same seats, the oldest first: as many as one mail can have that
    every server takes. The others go with the next digest, at once.
    """
    seats = {mail.seat_id for mail in held if mail.next_try_at <= tx.now}
    due = [mail for mail in held if mail.seat_id in seats]
    sizes = list(accumulate(len(mail.raw) for mail in due))
    return due[: max(1, bisect_right(sizes, MOST_TEXT))]


def _send(tx: Transaction, mails: Sequence[OutboxRow], digest: _Written | None) -> None:
    if digest is None:
        gathering.release(tx.session, mails, tx.now)
        return
    for mail in mails:
        if mail.id in digest.stale:
            mail.state = OutboxState.DROPPED
    taken = [mail for mail in mails if mail.id not in digest.stale]
    if not taken or (len(taken) < 2 and not digest.renewed):
        gathering.release(tx.session, taken, tx.now)
        return
    gathering.gather(tx.session, taken, digest.mail.message_id, digest.phases, tx.now)
    tx.queue(digest.mail)


# what it says


def _write(tx: Transaction, person: Person, mails: Sequence[OutboxRow]) -> _Written:
    """The digest of these mails to a person."""
    sections, files, stale = list[GameNews](), list[Attachment](), list[OutboxRow]()
    phases, renewed = dict[int, int | None](), False
    for seat_id, own in groupby(sorted(mails, key=_seat_id), key=_seat_id):
        game, seat = _seat(tx, seat_id)
        read = list[_Read]()
        for mail in own:
            one = _read(tx, person, game, seat, mail)
            if one is None:
                stale.append(mail)
            else:
                read.append(one)
        if not read:
            continue
        renewed |= any(one.renewed for one in read)
        files += _with_calendar(tx, person, game, seat, [file for one in read for file in one.files])
        sections.append(_section(tx, person, game, seat, tuple(one.mail for one in read)))
        phases[seat_id] = game.running_phase_id
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
    purpose, stop = f"{gathering.DIGEST}{person.id}:{newest}", "PREFERENCES digest=none"
    envelope = Envelope(purpose, person.reachable, address, ends=stop, commands_to=address)
    return composed(tx.identity, tx.now, render(Digest(reader, tuple(sections))), envelope, files)


def _section(tx: Transaction, person: Person, game: Game, seat: Seat, mails: tuple[Gathered, ...]) -> GameNews:
    if not seat.is_of(person):
        return GameNews(game.name, game.name, "This is not your seat any more; there is nothing to answer.", mails)
    who = seat.power or seat.title.capitalize()
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
    if game.withheld:
        return f"{title}: orders are closed, and the results come when the gamemaster has released them."
    if game.in_review and due is not None:
        when = f": orders are closed, and the results come {full_moment(due, zone)}."
    if seat.power not in game.duties:
        ready = "" if game.is_in(seat) or not game.is_asked(seat) else " READY is awaited from you."
        return f"{title}{when} You have nothing to order.{ready}"
    if not game.has_ordered(seat):
        return f"{title}{when} You have sent no orders."
    return f"{title}{when} " + ("Your orders are in." if game.has_ordered(seat, incomplete_too=False) else _INCOMPLETE)


_INCOMPLETE = "Your orders are incomplete."


# the mails in it


class _Read(NamedTuple):
    """A mail that was held, and its files; `renewed`: it was written again as the game is now, or has the present
    address of the seat in place of one that was replaced.
    """

    mail: Gathered
    files: tuple[Attachment, ...]
    renewed: bool = False


def _read(tx: Transaction, person: Person, game: Game, seat: Seat, mail: OutboxRow) -> _Read | None:
    """A mail that was held, as it was written or, if its deadline has changed, as it is now; None if there is nothing
    more to say.
    """
    is_past = mail.phase_id != game.running_phase_id
    if game.phase is None and waits(mail.purpose):
        return None  # its start was taken back
    if mail.purpose.startswith(("reminder:", *_OF_DEADLINES)) and is_past:
        return None
    if mail.purpose.startswith("reminder:") and game.has_ordered(seat, incomplete_too=False):
        return None
    raw = joined(mail.raw, mail.message_id, mail_files.of(tx.session, mail.message_id)) if mail.files else mail.raw
    one = _Read(*_parts(tx, game, seat, mail, raw), _names_another(tx, seat, mail))
    if not seat.is_of(person) or is_past or _is_current(tx, person, game, seat, one.mail.text):
        return one
    if not waits(mail.purpose) or game.options.sandbox:
        return None if mail.purpose.startswith(_OF_DEADLINES) and not _tells_of_pause(game, mail) else one
    again = written_again(tx, mail.purpose)
    if again is None:
        return None
    return _Read(*_parts(tx, game, seat, mail, joined(again.raw, again.message_id, again.files)), True)


def _is_current(tx: Transaction, person: Person, game: Game, seat: Seat, text: str) -> bool:
    """Whether the mail says the deadline as it is."""
    due = closes_at(game, seat) if game.running else None
    return due is not None and full_moment(due, tx.identity.zone_of(person, game)) in " ".join(text.split())


def _tells_of_pause(game: Game, mail: OutboxRow) -> bool:
    return game.paused and mail.purpose.startswith("pause:")


def _with_calendar(
    tx: Transaction, person: Person, game: Game, seat: Seat, files: Sequence[Attachment]
) -> list[Attachment]:
    """The files with the deadline as it is now, if one of them says a deadline."""
    kept = [file for file in files if file.content_type != _CALENDAR]
    if len(kept) == len(files) or not seat.is_of(person):
        return kept
    now = calendar_file(tx.identity, game, seat, loading.revision(tx.session, game.id), tx.now)
    return [*kept, *(replace(file, name=f"{game.name}-{file.name}") for file in now)]


def _parts(
    tx: Transaction, game: Game, seat: Seat, mail: OutboxRow, raw: bytes
) -> tuple[Gathered, tuple[Attachment, ...]]:
    """What a mail says, with the seat's present address, and its files."""
    message = email.message_from_bytes(raw, policy=email.policy.default)
    leaves = [part for part in message.walk() if not part.is_multipart()]
    bodies = {part.get_content_type(): part.get_content() for part in reversed(leaves) if _is_body(part)}
    files = tuple(_file(game, part) for part in leaves if not _is_body(part))
    older = game.running and mail.phase_id not in (None, game.phase_id)
    remark = f"This was written before {game.code} began." if older else ""
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
    """The files that a digest has, each once, and the ids of pictures left out."""
    kept, gone, size = list[Attachment](), set[str](), 0
    for file in dict.fromkeys(files):
        if size + len(file.content) <= MOST_BYTES:
            kept.append(file)
            size += len(file.content)
        else:
            gone.add(file.content_id.strip("<>"))
    return tuple(kept), frozenset(gone)
