"""Practice games: one person against stand-in players, which order at once; others do not see them.

A practice game has no gamemaster. It ends by its own victory or after its last year, when its player is eliminated or
resigns, and when a phase passes without a word from them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gm.board import Power
from gm.chance import Chance
from gm.games.report_inputs import view_of
from gm.games.snapshot import Game, Person, Seat
from gm.games.transaction import Transaction
from gm.options import PRACTICE, GameOptions, read_options
from gm.orders.notation import write
from gm.play import calendar, standins
from gm.play.briefs import help_on
from gm.play.private_games import QUIET
from gm.play.seats import NAMES
from gm.position import PhaseKind
from gm.reports.blocks import Passage, Verbatim
from gm.reports.forms import in_example
from gm.reports.game_mails import Lesson
from gm.reports.reader import Reader, mailto
from gm.store.game_rows import GameState, SeatRole
from gm.variants import Seating, Variant

YEARS = 10
"""How many years a practice game lasts at most."""

FEW = 4
"""The number of powers in games for any number."""


def create(tx: Transaction, variant: str, power: Power | None, name: str, person: Person) -> tuple[Game, Seat] | None:
    """A practice game that has begun, and its player's seat; None if the name is taken. Raises NotUnderstood for a
    variant that there is not. Without a `power` the player gets one at random.
    """
    options = read_options({"variant": variant})
    game = tx.create_game(name, _options(options.variant, person.zone or tx.identity.settings.zone.key))
    if game is None:
        return None
    game, seat = tx.add_seat(game, SeatRole.PLAYER, person)
    powers = powers_of(game.variant.seating)
    open_to_people = [one for one in powers if one not in game.variant.seating.secret]
    mine = power or (game.chance.choose(open_to_people, "practice") if game.variant.seating.powers else powers[0])
    game = tx.fold_seats(game, replace(seat, power=mine))
    for other in powers:
        if other != mine:
            game, _ = tx.add_seat(game, SeatRole.PLAYER, None, other)
    game = tx.fold(game, state=GameState.RUNNING)
    game = calendar.open_phase(tx, game, game.variant.opening(game.powers, game.chance))
    seat, powers_by_seat = game.seat(seat.id), {one.power: one.id for one in game.players}
    tx.owe(game, [seat], "opening")
    # From which `gm verify` repeats the opening; powers were neither asked for nor dealt.
    tx.note("start", game, powers=powers_by_seat, wishes=[], dealt=[], opened=game.powers)
    return game, seat


def powers_of(seating: Seating) -> tuple[Power, ...]:
    """The powers of a practice game, or of a sandbox; where players name theirs, its own player's first."""
    return seating.powers or tuple(map(Power, NAMES))[: max(FEW, seating.fewest)]


def _options(game: Variant, zone: str) -> GameOptions:
    """Results come as soon as the player is READY: also where a seat reviews orders, because a stand-in holds it, and
    there is no other player who could learn from the time.
    """
    first = game.opening(powers_of(game.seating), Chance(bytes(32))).phase.year
    given = {**QUIET, "variant": game.name, "zone": zone, "standins": "yes", "last": str(first + YEARS)}
    at_once = {"early": "ready", "window": "1s", PRACTICE: "yes"}
    return GameOptions({**read_options(given).texts, **at_once})


def is_given_up(game: Game) -> bool:
    """Whether the game is abandoned: its player has left it, or sent nothing for the phase."""
    return not any(game.has_ordered(seat) or seat.power not in game.duties for seat in game.held)


def is_lost(game: Game) -> bool:
    """Whether its player is eliminated."""
    return game.running and not any(map(game.survives, game.held))


def lesson(game: Game, seat: Seat, reader: Reader, played: Iterable[str]) -> Lesson | None:
    """What the player can do now, with orders that can be sent as they are; None if there is nothing to do, or if this
    is no practice game. Until one of the phases `played` (their codes) was of movement, also how orders are written in
    this game.
    """
    if not game.options.practice or seat.power not in game.duties:
        return None
    example = (*map(write, standins.suggested(game, seat)), "READY")
    link = mailto(reader, f"[{game.name}] {game.code} {seat.power}", "\n".join((*example, "")))
    if any(code.endswith(PhaseKind.MOVEMENT.letter) for code in played):
        return Lesson(NEXT_STEPS, example, link)
    how, text = _with_own_units(game, seat), help_on("orders", game.variant)
    notation = Passage("How orders are written", (Verbatim(text),)) if text else None
    reply, *steps = FIRST_STEPS
    return Lesson((" ".join(filter(None, (reply, how))), *steps), example, link, notation)


def _with_own_units(game: Game, seat: Seat) -> str:
    """A move, a hold and a support that units of the seat can be ordered now, and what each does; "" without a unit."""
    view = view_of(game, seat)
    duty = view.duty_of(seat.power)
    legal = [
        order for unit in duty.units for order in game.variant.legal_orders(view.board, view.position, unit, duty.need)
    ]
    return in_example(legal)


FIRST_STEPS = (
    "Reply to this mail with your orders, one on each line; leave the rest of the mail as it is.",
    "Write READY below them when they are final. In this game the results then come at once; the other powers are "
    "stand-in players, and there is no hurry.",
    "Read the results: a unit that met another of its strength bounced, and stayed where it was; with support it gets "
    "through. Then go on with the next turn.",
    "HELP DIPLOMACY says what the game is about, RULES sends its rules, HELP ORDERS explains orders, MAP draws the "
    "board, WHATIF with orders below it tries them, RESIGN with the name of the game ends it.",
)
NEXT_STEPS = ("Reply with your orders and READY below them; the results come at once. These would do:",)
