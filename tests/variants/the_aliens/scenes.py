"""Small positions of this game, and orders given as players write them, through grammar, legality and adjudication."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gm.advance import advance
from gm.board import Power, Province
from gm.chance import Chance
from gm.judge.outcomes import Outcome
from gm.orders import Order
from gm.orders.notation import write
from gm.parsing.lexicon import lexicon_of
from gm.parsing.orders import parse_orders
from gm.position import Dislodged, Position, parse_unit
from gm.turn import Turn
from gm.variants import Variant, variant
from gm.variants.the_aliens.state import KINDS
from tests.variants.telling import told

GAME = variant("the-aliens")
RELAYED = GAME.with_choices({"relay": "yes"})
CHANCE = Chance(bytes(32))
SIX = ("Alpha", "Beta", "Gamma", "Delta", "Epsilon", "Zeta")


def races(count: int) -> list[Power]:
    """So many races, Alpha first."""
    return [Power(name) for name in (*SIX, "Eta", "Theta", "Iota", "Kappa", "Lambda", "Mu")[:count]]


def position(
    phase: str,
    pieces: Mapping[str, str],
    centers: Mapping[str, str] | None = None,
    *,
    players: int = 2,
    spared: str = "",
    dislodged: Sequence[tuple[str, str, bool]] = (),
    contested: str = "",
) -> Position:
    """`position("S2052M", {"Alpha": "A kie, T kie"}, {"Alpha": "kie"})`; transmitters are listed with the units."""
    every = [parse_unit(f"{race} {piece}", KINDS) for race, text in pieces.items() for piece in text.split(", ")]
    extra = {
        "races": races(players),
        "transmitters": [str(piece) for piece in every if piece.kind == "T"],
        "spared": spared.split(),
    }
    return Position(
        KINDS.phase_from_code(phase),
        tuple(piece for piece in every if piece.kind != "T"),
        {Province(code): Power(race) for race, codes in (centers or {}).items() for code in codes.split()},
        tuple(Dislodged(parse_unit(text, KINDS), Province(origin), free) for text, origin, free in dislodged),
        frozenset(map(Province, contested.split())),
        extra,
    )


def understood(where: Position, race: str, text: str, game: Variant = GAME) -> tuple[Order, ...]:
    """The orders of a line as the race means them. Raises as for a player."""
    board = game.board(where)
    lexicon = lexicon_of(board, game.powers(where), game.language)
    power = Power(race)
    need = game.needs(board, where, power)
    written = parse_orders(text, lexicon, where.phase.kind)
    return tuple(game.understand(board, where, power, order, need) for _, order in written)


@dataclass(frozen=True)
class Played:
    """A turn, with the outcome of each order."""

    turn: Turn
    outcomes: Mapping[str, Outcome]

    def result(self, text: str) -> str:
        """The result of an order, by its text in short notation: `succeeds`, `bounces`, `dislodged` ..."""
        return self.outcomes[text].result.value

    @property
    def units(self) -> set[str]:
        """The units afterwards, as `Alpha A kie`."""
        return set(map(str, self.turn.after.units))

    @property
    def transmitters(self) -> list[str]:
        """The transmitters afterwards, as `Alpha T kie`."""
        return list(self.turn.after.extra["transmitters"])

    @property
    def told(self) -> tuple[str, ...]:
        """The events of the season, in words."""
        return told(GAME, self.turn)

    @property
    def dislodged(self) -> set[str]:
        """The units dislodged, those without a retreat too."""
        return {str(d.unit) for d in (*self.turn.after.dislodged, *self.turn.destroyed)}


def play(where: Position, orders: Mapping[str, str], *, game: Variant = GAME, chance: Chance = CHANCE) -> Played:
    """Adjudicate orders by race, several to a line."""
    given = {Power(race): understood(where, race, text, game) for race, text in orders.items() if text}
    turn = advance(game, where, given, chance)
    by_order = {write(outcome.order).removesuffix(" (by transmitter)"): outcome for outcome in turn.outcomes}
    return Played(turn, by_order)
