"""From a rendered mail to one for the outbox: where it goes, in which thread it is, whom it tells of which phase."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

from gm.games.digests import held_until
from gm.games.identity import ServerIdentity
from gm.games.snapshot import Game, Seat
from gm.mail.message.addresses import mailto
from gm.mail.message.compose import Attachment, Outgoing, compose_apart
from gm.mail.message.mime import Headers
from gm.reports.render import Rendered
from gm.store import outbox
from gm.store.game_rows import SeatRole


@dataclass(frozen=True, slots=True)
class Answering:
    """The mail that is being answered."""

    message_id: str
    references: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Envelope:
    """Where a mail goes, and its `purpose`, for which only one mail is ever sent.

    `to_stranger` gives it the null return path, so that bounces to a forged sender are not returned; all other mail has
    a return path for each recipient and game. Mails about a `game` are in one thread, whose root was never sent. The
    mail tells the holder of the seat `seat` that the phase `phase` is being played (ids). A `thread` within the game's
    mails is one of its own. `held_until`: when it goes with its recipient's digest, if it is not sent at once. `ends`
    is the line that ends mail of this kind, and `commands_to` where its recipient's commands are read, if neither is
    as for anybody else. `shows`: the Message-IDs of mails whose words it repeats, and that it does not answer."""

    purpose: str
    recipient: str
    reply_to: str | None
    game: str | None = None
    answering: Answering | None = None
    to_stranger: bool = False
    ends: str = ""
    commands_to: str = ""
    shows: tuple[str, ...] = ()
    seat: int | None = None
    phase: int | None = None
    thread: str = ""
    held_until: datetime | None = None
    proposes: tuple[str, ...] = ()
    """What YES in reply to it does."""
    vouched: bool = True
    """Whether the mail that led to what it proposes, if one did, was authenticated."""


def composed(
    identity: ServerIdentity,
    now: datetime,
    rendered: Rendered,
    envelope: Envelope,
    attachments: tuple[Attachment, ...] = (),
) -> outbox.Queued:
    """A mail ready for the outbox."""
    host, answering, game = identity.host, envelope.answering, envelope.game
    thread = (root_of(identity, game, envelope.thread),) if game and answering is None else ()
    message_id = _message_id(identity, envelope.purpose)
    raw, apart = compose_apart(
        Outgoing(
            sender=identity.address,
            sender_name=identity.settings.name,
            to=envelope.recipient,
            subject=rendered.subject,
            text=rendered.text,
            html=rendered.html or None,
            auto="auto-replied" if answering else "auto-generated",
            reply_to=envelope.reply_to,
            in_reply_to=answering.message_id if answering else None,
            references=(*answering.references, answering.message_id) if answering else (*thread, *envelope.shows),
            message_id=message_id,
            list_id=f"{game}.{host}" if game else None,
            list_unsubscribe=_way_out(identity, envelope),
            one_click=identity.one_click(message_id),
            attachments=attachments,
            date=now,
        )
    )
    sender = "" if envelope.to_stranger else identity.return_path(envelope.recipient, game)
    about, urgent = (envelope.seat, envelope.phase), answering is not None
    queued = (envelope.purpose, envelope.recipient, sender, message_id, raw)
    return outbox.Queued(*queued, *about, urgent, apart, envelope.held_until, None, envelope.proposes, envelope.vouched)


def _way_out(identity: ServerIdentity, envelope: Envelope) -> str | None:
    """What ends mail of this kind, for its recipient, who did not just write (List-Unsubscribe, RFC 2369); None for the
    operator's, which the settings end.
    """
    if envelope.answering is not None or (envelope.recipient == identity.settings.operator and not envelope.game):
        return None
    ends = envelope.ends or f"STOP {envelope.game or ''}".rstrip()
    return mailto(envelope.commands_to or identity.address, "unsubscribe", ends)


class End(NamedTuple):
    """The line that ends mail of a kind, and the address to which it is sent."""

    to: str
    line: str


def end_of(raw: bytes) -> End | None:
    """What the List-Unsubscribe of a mail of ours has its reader's program send; None if it has none."""
    found = _MAILED.search(Headers.of(raw).first("list-unsubscribe"))
    link = urlsplit(found[0]) if found is not None else None
    return End(unquote(link.path), parse_qs(link.query).get("body", [""])[0]) if link is not None else None


_MAILED = re.compile(r"mailto:[^<>\s]+")


def composed_for(
    identity: ServerIdentity,
    now: datetime,
    game: Game,
    seat: Seat,
    rendered: Rendered,
    purpose: str,
    files: tuple[Attachment, ...] = (),
    *,
    waits: bool = False,
) -> outbox.Queued:
    """A mail for the outbox to the holder of the seat, telling them which phase of `game` is being played.

    Pictures within the HTML are among the `files`, and left out of mails without HTML. A mail that `waits` goes with
    the digest of somebody who gets one, if there is time. Raises ValueError if the seat is vacant."""
    held = held_until(identity, game, seat, now) if waits else None
    envelope = replace(envelope_to(identity, game, seat, purpose), held_until=held)
    kept = files if rendered.html else tuple(file for file in files if not file.content_id)
    return composed(identity, now, rendered, envelope, kept)


def envelope_to(identity: ServerIdentity, game: Game, seat: Seat, purpose: str) -> Envelope:
    """The envelope of a mail to the holder of the seat. Raises LookupError if the seat is vacant."""
    reply_to = identity.address_of(game, seat)
    return Envelope(
        purpose=purpose,
        recipient=seat.occupant.reachable,
        reply_to=reply_to,
        game=game.name,
        ends=_end_of(game, seat, purpose),
        commands_to=reply_to,
        seat=seat.id,
        phase=game.running_phase_id,
    )


def _end_of(game: Game, seat: Seat, purpose: str) -> str:
    """The command that, sent as it stands, ends mail of this kind to who holds the seat; "" for mail that is needed to
    play: a program may send it unasked, so that it must not cost a seat, and STOP says how to leave.
    """
    if seat.role is SeatRole.OBSERVER:
        return f"UNOBSERVE {game.name}"
    reminds = seat.role is SeatRole.PLAYER and purpose.startswith("reminder:")
    return "PREFERENCES remind=none" if reminds else ""


def root_of(identity: ServerIdentity, game: str, thread: str = "") -> str:
    """The id of the mail, never sent, with which the thread of a game begins, or one of its own within it."""
    return _message_id(identity, f"thread {game} {thread}".rstrip())


def _message_id(identity: ServerIdentity, purpose: str) -> str:
    return f"<{hashlib.sha256(identity.key + purpose.encode()).hexdigest()[:32]}@{identity.host}>"
