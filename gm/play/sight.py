"""Whether somebody has known another seat's secrets, and so can have no seat that could use them.

Whoever holds a player's seat sees its orders and its press, a deputy those of the player, and who runs the game
without playing those of everybody. What they have seen is a secret of every phase that had been opened by then: they
can play another power when each of these, or the one that is played in its place after a rollback, has been
adjudicated. In games that keep something secret to the end (`Variant.chronicle`), and for deputies, that never comes.
The seat itself can be theirs again, as the power that it was; as another, when a start was taken back, only what its
holder has seen is no secret there.

Everything that gives a seat asks here; a seat that is given up is noted here, with its phase, and so is what everybody
has seen of a phase that the game leaves for an earlier one: nothing that was seen is unknown by going back. A person is
known by all addresses that they have had while their games went on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from gm.errors import NotNow
from gm.games.report_inputs import played_again
from gm.games.snapshot import Game, Person, Seat, addresses_of
from gm.games.transaction import Transaction
from gm.parsing.headings import moment_of
from gm.play.questions import SEAT
from gm.reports import listed
from gm.store import game_rows, people, question_rows, shown_addresses, sights
from gm.store.game_rows import PhaseRow, SeatRole

_FIRST = "the beginning"


@dataclass(frozen=True, slots=True)
class Sight:
    """What somebody sees at a seat, as this power, or has seen up to a phase that is not over (its code in `until`; "":
    the seat is held now). `apart`: it is held by the other account of somebody who has had two.
    """

    seat: Seat
    power: str | None
    until: str = ""
    apart: bool = False


def sees(game: Game, seat: Seat) -> bool:
    """Whether the holder of the seat sees orders or press that are not everybody's: no observer does, nor, as such, a
    gamemaster who plays.
    """
    return seat.role is not SeatRole.OBSERVER and not (seat.moderates and game.plays(seat.person))


def lasts(game: Game, sight: Sight) -> bool:
    """Whether what was seen is to be used for no other seat until the game is over."""
    names = sight.seat.moderates and game.names_hidden
    return sight.seat.deputy_of is not None or game.variant.chronicle is not None or names


def _is_of_another(tx: Transaction, game: Game, sight: Sight, wanted: Seat | None) -> bool:
    """Whether something was seen of another seat than the one that is wanted (None: of any), or of the same as another
    power, for which whoever holds it has not seen that, too.
    """
    if sight.seat.moderates or wanted is None or game.principal(sight.seat).id != wanted.id:
        return True
    held = sights.of(tx.session, game.id, [wanted.account_id]) if wanted.account_id is not None else ()
    return sight.power not in (wanted.power, *(one.power for one in held if one.seat_id == wanted.id))


def _has_shown(tx: Transaction, game: Game, seat: Seat) -> bool:
    """Whether a seat that sees what others may not know has shown any of it: orders and press since the game began, and
    before that who has joined a game where players know each other only by power, or was invited as one.
    """
    if game.phase is not None:
        return True
    others = any(one.person is not None and not one.is_of(seat.person) for one in game.players)
    hides = seat.moderates and game.names_hidden and not game.undealt
    return hides and (others or any(row.power for row in people.invitations_of(tx.session, game.id)))


def note(tx: Transaction, game: Game, seat: Seat) -> None:
    """The holder of the seat gives it up now. Call it before anything of that is folded."""
    if seat.person is not None and sees(game, seat) and _has_shown(tx, game, seat):
        power = game.principal(seat).power
        newest = game_rows.newest_phase(tx.session, game.id)  # the game may have gone back to an earlier one
        sights.note(tx.session, seat.person.id, seat.id, newest, power)


def note_all(tx: Transaction, game: Game) -> None:
    """The game leaves its phase without the adjudication of it, for an earlier one: what all have seen in it is known
    as long as that is not played again. Call it before anything of that is folded. Of a game that was over, everybody
    has seen everything.
    """
    for seat in () if game.over else game.seats:
        note(tx, game, seat)


def note_joined(tx: Transaction, game: Game) -> None:
    """Who has joined a game that forms, or was invited, is about to go, and whoever runs it has seen that."""
    if game.phase is None:
        note_all(tx, game)


def unbind_deputies(tx: Transaction, game: Game) -> None:
    """Powers are dealt anew, so no deputy is bound to one: what they saw is kept as what the player saw."""
    sights.pass_on(tx.session, {seat.id: seat.deputy_of for seat in game.seats if seat.deputy_of is not None})


def in_the_way(
    tx: Transaction, game: Game, person: Person | None, wanted: Seat | None, sender: str = ""
) -> Sight | None:
    """What keeps somebody from having the seat that is `wanted` (None: a new one), what they hold now first. They may
    be known only by the address that they write from.
    """
    found = filter(lambda one: _is_of_another(tx, game, one, wanted), _of(tx, game, person, sender))
    return next(iter(found), None)


def has_held(tx: Transaction, game: Game, person: Person | None, sender: str) -> bool:
    """Whether somebody has had a seat in the game since it began, at which they could see more than everybody."""
    return bool(sights.of(tx.session, game.id, _known_as(tx, person, sender)))


def plays(tx: Transaction, game: Game, person: Person) -> bool:
    """Whether this person plays a power, with this account or with another one that has had an address of theirs."""
    accounts = _known_as(tx, person, "")
    return any(seat.account_id in accounts for seat in game.players)


def players_decide(tx: Transaction, game: Game, by: Seat, person: Person, role: SeatRole) -> bool:
    """Whether all players are asked before somebody runs the game, with this role, at the word of this seat: for one of
    them, who gets what others write to the gamemaster; for anybody where it is hidden who has some seat, since who is
    asked about plays otherwise; and, if it plays, for anybody who is to have all rights, since no player gives more
    sight than they have. That a game is over, or forms again, changes nothing, since both can end; of one that never
    began, all are told when it begins (`seats.who_runs_and_plays`).
    """
    if not game_rows.has_begun(tx.session, game.id):
        return False
    if game.hides_holders or plays(tx, game, person):
        return True
    return role is SeatRole.MASTER and (by.person is None or plays(tx, game, by.person))


def finds_by_elimination(tx: Transaction, game: Game) -> bool:
    """Whether somebody who may not know who has a secret seat could find out: they may know whom they have invited, and
    where names are shown it is whoever of these has no other seat. They play, and run the game or have ever run it; or
    they help to run it, and have invited anybody or run it before.
    """
    if not _shows_all_but_one(game):
        return False
    ran = {seat.account_id for seat in game.moderators} | _have_run(tx, game)
    plays = any(not ran.isdisjoint(_known_as(tx, seat.person, "")) for seat in game.held)
    return plays or any(_helps_and_may_know(tx, game, seat) for seat in game.moderators)


def _helps_and_may_know(tx: Transaction, game: Game, seat: Seat) -> bool:
    """Whether this is the seat of an assistant who may know whom others joined with: what was asked from this seat was
    an invitation, as an assistant asks nothing else, and at another one they may have seen more.
    """
    if seat.role is not SeatRole.ASSISTANT or seat.person is None:
        return False
    others = [one.id for one in game.moderators if one.id != seat.id]
    earlier = shown_addresses.holders_of(tx.session, others)
    asked = question_rows.asked_from(tx.session, SEAT, game.id, seat.id)
    return bool(asked) or not earlier.isdisjoint(_known_as(tx, seat.person, ""))


def _shows_all_but_one(game: Game) -> bool:
    """Whether names are shown but for that of a secret seat."""
    return game.options.anonymous == "no" and not game.options.private and bool(game.variant.seating.secret)


def _have_run(tx: Transaction, game: Game) -> set[int]:
    """Who has run the game and given that up."""
    return shown_addresses.holders_of(tx.session, [seat.id for seat in game.moderators])


def require_no_elimination(tx: Transaction, game: Game) -> None:
    """Raises NotNow where names would be shown and somebody could find out; whether they play is not told."""
    if finds_by_elimination(tx, game):
        raise NotNow(
            f"Somebody who runs {game.name}, or has run it, has joined it, or an assistant has invited people. Where"
            " names are shown, whoever has invited the players finds out by elimination who is"
            f" {listed(game.variant.seating.secret)}.",
            f"SET anonymous=yes hides the names, from who runs the game, too; then START {game.name}. Or who has joined"
            f" gives the player's seat up (RESIGN {game.name}), and the assistant gets all rights (PROMOTE and the"
            " address).",
        )


def require_none(tx: Transaction, game: Game, person: Person | None, wanted: Seat | None, sender: str = "") -> None:
    """Raises NotNow for somebody who has known another seat's secrets, with what they have seen, which they know."""
    if (sight := in_the_way(tx, game, person, wanted, sender)) is not None:
        raise refusal(game, sight)


def require_no_other_account(tx: Transaction, game: Game, person: Person, sender: str) -> None:
    """Raises NotNow for somebody who plays, or orders as a deputy, with another account of theirs, which they know."""
    found = (one for one in _of(tx, game, person, sender) if one.apart and not one.seat.moderates)
    if (other := next(found, None)) is not None:
        raise refusal(game, other)


def may_wait(tx: Transaction, game: Game, person: Person | None, sender: str = "") -> None:
    """Raises NotNow for somebody whom no phase that ends sets free, unless they give something up."""
    for sight in _of(tx, game, person, sender):
        if not sight.until or lasts(game, sight):
            raise refusal(game, sight)


def _of(tx: Transaction, game: Game, person: Person | None, sender: str) -> Iterator[Sight]:
    accounts = _known_as(tx, person, sender)
    for seat in game.seats:
        if seat.account_id not in accounts or not sees(game, seat):
            continue
        own = seat.is_of(person)
        if not own or (seat.role is not SeatRole.PLAYER and _has_shown(tx, game, seat)):
            yield Sight(seat, game.principal(seat).power, apart=not own)
    rows = sights.of(tx.session, game.id, accounts)
    never_played = all(game.seat(row.seat_id).moderates for row in rows)  # the game did not begin otherwise
    shown = game.running and never_played and _shows_all_but_one(game)
    if shown and not accounts.isdisjoint(_have_run(tx, game)):
        yield Sight(game.moderators[0], None, _FIRST)
    if not rows:
        return
    forms_again = ((phase, phase) for phase in game_rows.phases_of(tx.session, game.id))
    stands = played_again(tx.session, game) or list(forms_again)
    for row in rows:
        seat = game.seat(row.seat_id)
        until, is_over = _last_to_wait_for(game, stands, row.phase_id) if row.phase_id else (_FIRST, True)
        sight = Sight(seat, row.power or game.principal(seat).power, until)
        if not is_over or lasts(game, sight):
            yield sight


def _last_to_wait_for(game: Game, stands: Sequence[tuple[PhaseRow, PhaseRow]], newest: int) -> tuple[str, bool]:
    """The code of the last phase that must still be adjudicated, of those that had been opened when this one was the
    newest, and False; its own and True if there is none. `stands` has each phase with the one that is played in its
    place: one that is not played again yet comes, until a later one is played.
    """
    kinds = game.variant.language.kinds
    seen = [(then, now) for then, now in stands if then.id <= newest]
    latest = max(moment_of(now.code, kinds) for _, now in stands)
    turn = {0: 0}  # how many phases of the game were played up to each, by its number
    for then, _ in seen:
        turn[then.number] = turn[then.follows] + 1
    comes = [then for then, now in seen if now.code != then.code and moment_of(then.code, kinds) > latest]
    waits = [then for then, now in seen if now.adjudicated_at is None or then in comes]
    return max(waits or [seen[-1][0]], key=lambda phase: turn[phase.number]).code, not waits


def _known_as(tx: Transaction, person: Person | None, sender: str) -> Set[int]:
    """All accounts that somebody has, or has had while their games went on."""
    addresses = (*addresses_of(person), *filter(None, [sender]))
    return people.same_person(tx.session, person.id if person is not None else None, addresses)


def refusal(game: Game, sight: Sight) -> NotNow:
    """Why somebody who has seen this can have no other power, and when they can. They know all of it."""
    seat, power, until = sight.seat, sight.power, sight.until
    if sight.apart:
        return NotNow(
            f"Somebody whose address this was, or who has had one of your addresses, has a seat in {game.name}.",
            "A person can have only one: write from the address that has it.",
        )
    still = bool(power) and game.principal(seat).power == power  # a start that was taken back deals anew
    if seat.deputy_of is not None:
        return NotNow(
            f"You {'have ordered' if until else 'order'} for {power} in {game.name} as a deputy.",
            "A person can order for only one power of a game, also after that has ended"
            + (f"; for you it is {power}." if still else "."),
        )
    joined = seat.moderates and (until == _FIRST or not (until or game.phase))
    saw = f"You played {power or 'a power'} in {game.name}, and may know its orders and press of {until}."
    itself = f", and {power} itself at once if it is free" if still else ""
    when = f"You can play another power when {until} has been adjudicated{itself}."
    if seat.moderates:
        runs, then = ("ran", f" of {until}") if until else ("run", "")
        secrets = "who has joined it, and for which power" if joined else f"everybody's orders and press{then}"
        saw = f"You {runs} {game.name} without playing, so you may know {secrets}."
        when = f"You can play when {until} has been adjudicated."
    if seat.moderates and not until:
        when = "First give that up (RESIGN, from your gamemaster's address), then wait for the next phase."
    if lasts(game, sight):
        keeps = game.variant.title if game.variant.chronicle is not None else "An anonymous game"
        when = f"{keeps} keeps secrets to the end of the game, and until then you can play no other power."
        if joined:
            when = f"{keeps} keeps secrets to its end: who runs it can play, too, if they join before anybody else."
    return NotNow(saw, when)
