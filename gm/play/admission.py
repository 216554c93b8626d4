"""Who is expected in a game or invited to it, and who is kept out of it by its gamemaster (DENY)."""

from __future__ import annotations

from collections.abc import Iterable

from gm.errors import NotPermitted
from gm.games import loading
from gm.games.snapshot import Game, Person, Seat, addresses_of
from gm.games.transaction import Transaction
from gm.play import sight
from gm.store import people, question_rows
from gm.store.people import InvitationRow


def check(tx: Transaction, game: Game, emails: Iterable[str]) -> None:
    """Raises NotPermitted for a person who is kept out of the game."""
    if people.is_denied(tx.session, game.id, emails):
        raise NotPermitted(f"The gamemaster of {game.name} does not admit you to this game.", "LIST shows other games.")


def expects(tx: Transaction, game: Game, person: Person | None, sender: str) -> bool:
    """Whether somebody who writes from this address was invited to the game or asked to play in it, waits for a seat,
    or has held one.
    """
    addresses = {sender, *addresses_of(person)}
    waits = person is not None and people.standby_of(tx.session, game.id, person.id) is not None
    invited = waits or people.invitation_of(tx.session, game.id, addresses) is not None
    asked = invited or question_rows.was_asked(tx.session, game.id, addresses)
    return asked or sight.has_held(tx, game, person, sender)


def may_know_of(tx: Transaction, game: Game, person: Person | None, sender: str) -> bool:
    """Whether somebody who writes from this address may know that there is the game."""
    return game.is_known_to(person) or game.is_known_to(person, expected=expects(tx, game, person, sender))


def knows_the_invited(game: Game, reader: Seat | None) -> bool:
    """Whether this reader may know who is invited: only who may know of everybody who plays. Who is invited and not
    among the players that they know would be the one who has the secret seat.
    """
    return not game.undealt and all(game.knows_holder(reader, seat) for seat in game.seats)


def open_invitations(tx: Transaction, game: Game, reader: Seat | None) -> list[InvitationRow]:
    """The invitations since which no seat was taken, whether or not they still have it; all, for a reader who may
    not know who is invited.
    """
    rows = people.invitations_of(tx.session, game.id)
    if not rows or not knows_the_invited(game, reader):
        return list(rows)
    came = {seat.person.id: seat.joined_at for seat in game.seats if seat.person is not None and seat.joined_at}
    for account, at in people.joined(tx.session, game.id).items():
        came[account] = max(at, came.get(account, at))
    known = loading.people(tx.session, came)
    joined = {email: came[person.id] for person in known.values() for email in person.addresses}
    return [row for row in rows if row.email not in joined or joined[row.email] < row.invited_at]
