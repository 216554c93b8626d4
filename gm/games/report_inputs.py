"""What mails are made of: the game and its reader, the orders in force, what a seat may see, maps.

When a map cannot be drawn the failure is logged, and the mail goes without it.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, partial

from gm.board import Power
from gm.games.identity import ServerIdentity
from gm.games.snapshot import Game, Person, Seat
from gm.mail.message.addresses import mailto
from gm.mail.message.compose import Attachment
from gm.mail.message.reply import REPLY_ABOVE
from gm.maps.picture import Figure, figure
from gm.orders.order_sets import warnings_on
from gm.reports.game_mails import Map
from gm.reports.reader import GameFacts, Reader
from gm.reports.standing_orders import StandingOrders
from gm.store.bounce_rows import BounceRow
from gm.store.game_rows import SeatRole
from gm.turn import Turn
from gm.views import MASTER, View

log = logging.getLogger(__name__)


# The game and its reader


def game_facts(game: Game, reader: Seat | None = None) -> GameFacts:
    """The public facts of the game; the player of a secret seat is known only to that player and the gamemaster."""
    knows = eyes(game, reader) == MASTER
    names = {
        seat.power: seat.person.name if seat.person is not None and not game.names_hidden else ""
        for seat in game.players
        if seat.power is not None
        if knows or not game.is_secret(seat) or (reader is not None and seat.id == reader.id)
    }
    window = game.options.window if game.variant.review is not None else None
    return GameFacts(game.name, game.variant.title, names, game.variant.adjectives, window)


def eyes(game: Game, seat: Seat | None) -> Power | None:
    """Whose view this seat has: its power's, the gamemaster's (MASTER), or the public's (None).

    A gamemaster who plays in their own game sees no more than the public at that seat.
    """
    if seat is None or seat.role is not SeatRole.MASTER:
        return seat.power if seat is not None else None
    return None if game.plays(seat.person) else MASTER


def reader_of(
    identity: ServerIdentity, person: Person | None, game: Game | None = None, seat: Seat | None = None
) -> Reader:
    """The reader of a mail: at their seat if they have one, otherwise at the server's own address."""
    seated = game is not None and seat is not None
    address = identity.address_of(game, seat) if game is not None and seat is not None else identity.address
    return Reader(
        power=seat.power if seated and seat is not None else None,
        zone=identity.zone_of(person),
        reply_to=address,
        reply_above=REPLY_ABOVE,
        mailto=partial(mailto, address),
        master=seat is not None and seat.role is SeatRole.MASTER,
    )


def view_of(game: Game, seat: Seat | None) -> View:
    """What the seat may see of the game now. The game must have begun."""
    if game.position is None:
        raise ValueError(f"the game {game.name} has not begun")
    return game.variant.view(game.variant, game.position, None, eyes(game, seat))


def view_after(game: Game, seat: Seat | None, turn: Turn) -> View:
    """What the seat may see of a turn and of the position it led to."""
    return game.variant.view(game.variant, turn.after, turn, eyes(game, seat))


def standing_orders(identity: ServerIdentity, game: Game, seat: Seat) -> StandingOrders:
    """The orders in force for a player's seat, and what its phase asks for; without a deadline of their own."""
    view, given, orders = view_of(game, seat), game.orders.get(seat.id), game.orders_of(seat)
    cautions = game.variant.cautions(view.position, seat.power, orders) if seat.power is not None else ()
    return StandingOrders(
        game=game_facts(game),
        reader=reader_of(identity, seat.person, game, seat),
        view=view,
        orders=orders,
        warnings=(*cautions, *warnings_on(view.board, orders)),
        number=given.number if given is not None else 0,
        early=is_early(game),
        wait=seat.wait,
    )


def closes_at(game: Game, seat: Seat | None) -> datetime | None:
    """When orders of the seat close: for the reviewing seat after its window, unless the phase waits for it."""
    due, review = game.due_at, game.variant.review
    if review is None or not game.reviews(seat) or due is None or game.in_review or game.position is None:
        return due
    return due if review.awaited(game.position) else due + game.options.window


def is_early(game: Game) -> bool:
    """Whether a phase may be adjudicated before its deadline."""
    return game.options.early and game.variant.review is None


def called(game: Game, seat: Seat) -> str:
    """Who holds a seat, as everybody may know: a name, `vacant`, `dummy`, or "" where that is hidden."""
    if game.is_secret(seat):
        return ""
    if seat.person is not None:
        return "" if game.names_hidden else seat.person.name
    return "dummy" if seat.dummy_since is not None else "vacant"


def unreachable(game: Game, lately: Mapping[str, BounceRow]) -> dict[int, str]:
    """The seats whose players' mail bounces, or has bounced `lately` (by address) though they have written since; by
    seat id, in words for the gamemaster."""
    words = {}
    for seat in game.seats:
        if seat.person is None:
            continue
        bounced = [lately[email].at for email in seat.person.addresses if email in lately and lately[email].hard]
        if seat.person.dead:
            every = len(seat.person.dead) == len(seat.person.addresses)
            words[seat.id] = "mail bounces" if every else "mail to one address bounces"
        elif bounced:
            words[seat.id] = f"mail bounced on {max(bounced):%d %b}"
    return words


# Maps


@dataclass(frozen=True)
class InlineMap:
    """The map of a view within the HTML of mails, drawn when the first of them wants it. `host` is the server's."""

    view: View
    host: str

    @cached_property
    def within(self) -> tuple[Map | None, tuple[Attachment, ...]]:
        """Where it stands in the HTML, and the picture itself; neither when there is none.

        The picture's identifier is made from its content, so that it tells no more than the picture.
        """
        drawn = _figure(self.view)
        if drawn is None:
            return None, ()
        picture = drawn.png
        cid = f"map.{hashlib.sha256(picture).hexdigest()[:24]}@{self.host}"
        inline = Attachment("map.png", "image/png", picture, content_id=f"<{cid}>")
        return Map(cid=cid, alt=f"Map of the board. {drawn.title}."), (inline,)


def wants_map(person: Person | None) -> bool:
    """Whether somebody gets maps in their mails."""
    return person is not None and person.html and person.maps != "none"


def map_files(game: Game, phase: str, view: View) -> tuple[Attachment, ...]:
    """The map of a view as SVG, to look at in any size, and as PNG; none where the board has no map."""
    drawn = _figure(view)
    if drawn is None:
        return ()
    name = f"{game.name}-{phase}"
    return (
        Attachment(f"{name}.svg", "image/svg+xml", drawn.svg.encode()),
        Attachment(f"{name}.png", "image/png", drawn.png),
    )


def _figure(view: View) -> Figure | None:
    try:
        return figure(view)
    except Exception:
        log.exception("a map of %s cannot be drawn", view.position.phase.code)
        return None
