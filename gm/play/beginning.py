"""How a game begins: its powers are dealt and its first phase opens; by START, or by itself when enough have joined.
And how a start is taken back, before anything was played.
"""

from __future__ import annotations

from dataclasses import replace

from gm.board import Power
from gm.errors import NotNow
from gm.games.snapshot import Game, Seat
from gm.games.transaction import Transaction
from gm.options import GameOptions
from gm.play import calendar, deputies, sight, standby
from gm.play.seats import Wishes, begins_when, deal, enough, read_wishes
from gm.store import agenda, game_rows, records
from gm.store.agenda import DeadlineKind
from gm.store.game_rows import GameState, SeatRole


def missing(game: Game) -> int:
    """How many players must still join before the game can begin."""
    return max(0, (1 if spare_powers(game) else game.variant.seating.fewest) - len(game.held))


def not_running(game: Game, seat: Seat | None) -> NotNow:
    """Why what is for a running game is not done, and what the holder of this seat can do now."""
    if game.state is not GameState.FORMING:
        return NotNow(f"The game {game.name} is {game.state}.", "This works in running games only.")
    problem = f"The game {game.name} has not begun, so this was neither done nor kept."
    if seat is not None and seat.moderates:
        return NotNow(problem, f"{how_it_begins(game)} Send it again then; STATUS shows who has joined.")
    how = "When it begins you get the first report: reply to that with your orders."
    return NotNow(problem, f"{how} Until then STATUS shows who has joined, and PRACTICE makes a game of your own.")


def begins_by_itself(tx: Transaction, game: Game) -> bool:
    """Whether as many have joined as the option `start` asks for, and no secret would show."""
    due = game.state is GameState.FORMING and 0 < enough(game) <= len(game.held)
    return due and not sight.finds_by_elimination(tx, game)


def how_it_begins(game: Game) -> str:
    """How a gamemaster is told when a game that is forming begins, as it stands now, as a sentence."""
    begins = begins_when(game)
    return f"It begins {begins}." if begins else what_start_needs(game) or f"START {game.name} begins it."


def has_just_begun(tx: Transaction, game: Game) -> bool:
    """Whether a game has begun, and the first mails that say so are still to be written."""
    return game.running and game.present.number == 1 and agenda.is_owed(tx.session, game.present.id, "opening")


def what_start_needs(game: Game) -> str:
    """What must come before START begins the game, as a sentence; "" if nothing is missing."""
    if not (needed := missing(game)):
        return ""
    how = "or SET standins=yes lets stand-ins play the rest." if game.variant.seating.powers else _NAMED
    how = "stand-ins play the rest." if spare_powers(game) else how
    return f"{needed} more must JOIN before START {game.name} begins it; {how}"


_NAMED = "players name their powers here, so no stand-in can take a seat before the start."


def when(game: Game) -> str:
    """How players are told when a game that is forming begins: `When the gamemaster starts the game,`."""
    begins = begins_when(game)
    return f"{begins.capitalize()}, the game begins:" if begins else "When the gamemaster starts the game,"


def begin(tx: Transaction, game: Game, by: Seat | None = None) -> str:
    """Begin the game, at the word of this seat, and send everybody the opening report. Returns a sentence about it.
    Raises NotNow where somebody who plays it could find out by elimination what is secret.
    """
    sight.require_no_elimination(tx, game)
    wished = {seat.id: _wishes(game, seat) for seat in game.held}
    # Of those who wish the first to join comes first; for the others the order is of no use to them. It is another at
    # each start, since the seed is published.
    rest = (seat for seat in game.held if not wished[seat.id])
    anything = sorted(rest, key=lambda seat: tx.identity.place(f"dealt {game.version} {seat.id}"))
    held = (*(seat for seat in game.held if wished[seat.id]), *anything)
    wishes = [wished[seat.id] for seat in held]
    seating = game.variant.seating
    dealt = deal(seating, wishes, game.chance) if seating.powers else ()
    spare = [power for power in spare_powers(game) if power not in dealt]
    # A seat that was taken and given back is not needed.
    seated = [replace(seat, dummy_since=tx.now) for seat in game.vacant]
    seated += [replace(seat, power=power) for seat, power in zip(held, dealt, strict=False)]
    game = deputies.follow_players(tx, tx.fold_seats(game, *seated))
    for power in spare:
        game, _ = tx.add_seat(game, SeatRole.PLAYER, None, power)
    game = tx.fold(game, state=GameState.RUNNING)
    game = calendar.open_phase(tx, game, game.variant.opening(game.powers, game.chance))
    tx.owe(game, game.seats, "opening")
    by_power = {seat.power: seat.id for seat in game.players if seat.power is not None}
    # From which `gm verify` repeats the dealing and the opening.
    entry = tx.note("start", game, by, powers=by_power, wishes=wishes, dealt=dealt, opened=game.powers)
    records.act(tx.session, entry)
    return f"The game {game.name} has begun. Everybody will receive the opening report."


def has_been_played(tx: Transaction, game: Game) -> bool:
    """Whether a phase of it was ever adjudicated."""
    return any(phase.adjudicated_at is not None for phase in game_rows.phases_of(tx.session, game.id))


def take_back(tx: Transaction, game: Game, purpose: str) -> Game:
    """Let a game that has begun, of which no phase was played, form again, and tell everybody. The players keep their
    seats and their addresses, deputies do not; powers are dealt, and orders given, anew. What was written to others
    counts as written before.
    """
    phase_id = game.present.id
    again = f"The gamemaster has taken the start of {game.name} back: it is forming again"
    sight.note_all(tx, game)
    game = deputies.forget_all(tx, game, f"{again}.")
    sight.unbind_deputies(tx, game)
    for seat in game.players:
        game_rows.cancel_preorders(tx.session, seat.id, tx.now)
        standby.take_offers_back(tx, game, seat)
    game = calendar.cancel_deadline(tx, game)
    anew = "powers are dealt and orders given anew when it starts"
    words = (f"{again}, you keep your seat and its address, and {anew}.",)
    tx.tell(game, game.seats, "the start is taken back", words, purpose)
    agenda.cancel(tx.session, phase_id, DeadlineKind)
    for row in agenda.scheduled(tx.session, game.id):
        row.done_at = tx.now
    records.detach(tx.session, phase_id)
    named = not game.variant.seating.powers
    fresh = [replace(one, wait=False, dummy_since=None, muted=frozenset()) for one in game.players]
    seats = (replace(one, power=one.power if named else None) for one in fresh)
    options = GameOptions({**game.options.texts, "start": "gm"})
    game = deputies.follow_players(tx, tx.fold_seats(game, *seats))
    return tx.fold(
        game, state=GameState.FORMING, options=options, phase=None, orders={}, deadline=None, paused_at=None, left=None
    )


def chosen_start(tx: Transaction, game: Game) -> str:
    """The option `start` as it was chosen, where a start that was taken back has replaced it since."""
    before = game_rows.start_before(tx.session, game.id) if game.options.start == "gm" else None
    return before or game.options.start


def spare_powers(game: Game) -> tuple[Power, ...]:
    """The powers that stand-ins would play without a player: none where players name their own."""
    return game.variant.seating.powers if game.options.stands_in("all") else ()


def wanting(game: Game, power: str) -> list[Seat]:
    """The players of a game that is forming who have this power, by any of its names, or want it most."""
    known = game.lexicon.power(power) or power
    return [seat for seat in game.held if seat.power == known or known in (*_wishes(game, seat), ())[0]]


def _wishes(game: Game, seat: Seat) -> Wishes:
    """The power preferences of the seat's player; none in a game that deals powers at random."""
    if not seat.wish or game.options.powers_at_random:
        return ()
    return read_wishes(seat.wish, game.variant.seating.powers, game.lexicon.power)
