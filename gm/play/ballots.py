"""Votes: secret ballots on draws and concessions, and motions for more time. Votes are never shown to anybody else.

A vote of a kind is a word: `no`, or what it is for. Only players who hold a seat and still have a unit or a centre may
vote. For the end of a game the true position decides that; for motions the public one, because the number of votes that
a motion needs is announced.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from gm.board import Power
from gm.games.snapshot import Game, Seat, holders
from gm.games.transaction import Transaction
from gm.reports import listed
from gm.store import records

DRAW, CONCEDE = "draw", "concede"
STANDING = (DRAW, CONCEDE)
"""The ballots that carry over to the next phase, in games with standing ballots."""
MOTIONS = ("extend", "pause", "resume")
NO = "no"
ALL = "all survivors"
DECIDED = "decided"
"""The value of a vote on a motion that has been carried."""

Votes = Mapping[Power, str]


def cast(tx: Transaction, game: Game, seat: Seat, kind: str, value: str) -> None:
    """Record a vote of this kind by the holder of the seat, replacing an earlier one. The game must be under way."""
    whose = {"phase_id": game.present.id, "seat_id": seat.id, "account_id": seat.occupant.id}
    records.cast_vote(tx.session, **whose, kind=kind, value=value, now=tx.now)


def own_votes(tx: Transaction, game: Game, seat: Seat) -> Mapping[str, str]:
    """How the holder of the seat votes on the end of the game in this phase, in words, by kind."""
    if game.phase is None or seat.person is None:
        return {}
    given = records.votes_by(tx.session, game.phase.id, seat.id, seat.person.id)
    return {kind: in_words(kind, given[kind]) for kind in STANDING if kind in given}


def in_words(kind: str, value: str) -> str:
    """What a vote on the end of the game is for: `a draw of England and France`, `a concession to Turkey`."""
    if value == NO:
        return "no draw" if kind == DRAW else "no concession"
    return f"a draw of {listed(value.split(', '))}" if kind == DRAW else f"a concession to {value}"


def votes(tx: Transaction, game: Game, kind: str) -> Votes:
    """The valid votes of a kind, by power; powers without a vote are not included.

    A vote belongs to the person who cast it, and does not count for a later holder of the seat.
    """
    if game.phase is None:
        return {}
    cast_by = records.votes_of(tx.session, game.phase.id, kind)
    seats = electorate(game) if kind in STANDING else game.voters
    held = {seat.power: (seat.id, person.id) for seat, person in holders(seats) if seat.power}
    return {power: cast_by[whose] for power, whose in held.items() if whose in cast_by}


def electorate(game: Game) -> tuple[Seat, ...]:
    """The seats that vote on the end of the game."""
    alive = survivors(game)
    return tuple(seat for seat in game.voters if seat.power in alive)


def agreed_draw(tx: Transaction, game: Game) -> tuple[Power, ...]:
    """The powers that share the draw to which every voter agrees; empty when there is none."""
    given = votes(tx, game, DRAW)
    wanted = set(given.values())
    if len(given) < len(electorate(game)) or len(wanted) != 1 or NO in wanted:
        return ()
    (value,) = wanted
    return survivors(game) if value == ALL else tuple(Power(name) for name in value.split(", "))


def survivors(game: Game) -> tuple[Power, ...]:
    """The powers that truly survive, whatever is known of them."""
    if game.position is None:
        return game.powers
    holders = game.variant.limits.survivors(game.variant, game.position)
    alive = game.variant.seating.without_units(game.position).union(holders)
    return tuple(power for power in game.powers if power in alive)


def agreed_concession(tx: Transaction, game: Game) -> Power | None:
    """The power to which every other voter concedes the game."""
    given = {power: value for power, value in votes(tx, game, CONCEDE).items() if value != NO}
    for winner in dict.fromkeys(given.values()):
        others = [seat.power for seat in electorate(game) if seat.power is not None and seat.power != winner]
        if others and all(given.get(power) == winner for power in others):
            return Power(winner)
    return None


# motions


def needed(game: Game) -> int:
    """The number of votes that a motion needs."""
    voters = len(game.voters)
    return voters if game.options.motions == "all" else voters // 2 + 1


def proposals(given: Votes) -> list[str]:
    """What is asked for, that with the most votes first: for more time there can be several."""
    wanted = Counter(value for value in given.values() if value not in (NO, DECIDED))
    return [value for value, _ in wanted.most_common()]


def open_motions(tx: Transaction, game: Game) -> Iterator[tuple[str, str]]:
    """The kinds and values of the motions that somebody has asked for in this phase, and that are not decided."""
    for kind in MOTIONS:
        yield from ((kind, value) for value in proposals(votes(tx, game, kind)))


def proposal(given: Votes) -> str | None:
    """What is asked for by most votes."""
    return next(iter(proposals(given)), None)


def carried(game: Game, given: Votes) -> str | None:
    """The motion with enough votes; None when there is none."""
    value = proposal(given)
    if value is None or sum(vote == value for vote in given.values()) < needed(game):
        return None
    return value


def mark_decided(tx: Transaction, game: Game, kind: str) -> None:
    """Void the votes of a motion that is decided."""
    records.change_votes(tx.session, game.present.id, kind, [seat.id for seat in game.voters], DECIDED, tx.now)


def carry(tx: Transaction, game: Game, before: int) -> None:
    """Carry standing votes over from the previous phase."""
    records.copy_votes(tx.session, before, game.present.id, STANDING, tx.now)
