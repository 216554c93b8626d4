"""The inputs of mails: the game, the reader, the orders in force, and what a seat may see."""

from __future__ import annotations

from datetime import datetime
from functools import partial

from gm.board import Power
from gm.games.identity import ServerIdentity
from gm.games.snapshot import Game, Person, Seat
from gm.mail.message.addresses import mailto
from gm.mail.message.reply import REPLY_ABOVE
from gm.orders.order_sets import warnings_on
from gm.reports.context import GameFacts, HeldOrders, Reader
from gm.store.game_rows import SeatRole
from gm.turn import Turn
from gm.views import MASTER, View


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


def held_orders(game: Game, seat: Seat, *, replaces: int | None = None, all_in: bool = False) -> HeldOrders:
    """The orders in force for a player's seat, and what its phase asks for."""
    view, given, orders = view_of(game, seat), game.orders.get(seat.id), game.orders_of(seat)
    cautions = game.variant.cautions(view.position, seat.power, orders) if seat.power is not None else ()
    return HeldOrders(
        view=view,
        orders=orders,
        warnings=(*cautions, *warnings_on(view.board, orders)),
        number=given.number if given is not None else 0,
        replaces=replaces,
        deadline=closes_at(game, seat),
        early=is_early(game),
        wait=seat.wait,
        all_in=all_in,
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
    """The public name of a seat's player: a name, `vacant`, `dummy`, or "" where names are hidden."""
    if seat.person is not None:
        return "" if game.names_hidden or game.is_secret(seat) else seat.person.name
    return "dummy" if seat.dummy_since is not None else "vacant"


def unreachable(game: Game) -> dict[int, str]:
    """The seats whose players' mail bounces, by seat id, in words for the gamemaster."""
    words = {}
    for seat in game.seats:
        if seat.person is not None and seat.person.dead:
            every = len(seat.person.dead) == len(seat.person.addresses)
            words[seat.id] = "mail bounces" if every else "mail to one address bounces"
    return words
