"""`gm variant check FILE`: whether a file is a game, what its start looks like, and how stand-ins play it."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from gm import standins
from gm.advance import advance
from gm.chance import Chance
from gm.gallery import cannot_be_written
from gm.maps.picture import figure
from gm.position import PhaseKind
from gm.reports.results import victory
from gm.turn import Turn
from gm.variants import Variant, all_variants
from gm.variants.from_files import game_in
from gm.views import MASTER

SEASONS = 10
"""How many movement phases stand-ins play."""


def main(given: argparse.Namespace) -> int:
    """Read the file, draw the start and play. Raises ConfigurationError for a file that is not a game."""
    game = game_in(given.file, set(all_variants()))
    print(f"{given.file} is a game: {game.title}, for {len(game.seating.powers)} players.\n")
    print("\n".join(game.brief) or "Nothing in it is different from Diplomacy.")
    picture = given.to or given.file.with_suffix(".png")
    try:
        picture.write_bytes(start_of(game))
    except OSError as error:
        raise cannot_be_written(picture, error) from error
    print(f"\nThe start is drawn in {picture}. {SEASONS} seasons of stand-in players:\n")
    last = None
    for turn in played(game):
        last = turn
        counts = ", ".join(f"{power} {len(turn.after.centers_of(power))}" for power in game.powers(turn.after))
        if turn.count is not None:
            print(f"After {turn.before.phase.season.capitalize()} {turn.before.phase.year}: {counts}.")
    if last is not None and last.victory is not None:
        print(victory(last, game.words))
    return 0


def start_of(game: Variant) -> bytes:
    """The map of the start, as PNG, as a gamemaster sees it: all files are games on the standard board."""
    drawn = figure(game.view(game, game.opening(game.seating.powers, _CHANCE), None, MASTER))
    if drawn is None:
        raise LookupError(f"there is no map of {game.title}")
    return drawn.png


def played(game: Variant) -> Iterator[Turn]:
    """Turns of stand-in players: ten movement phases with what lies between them, or fewer if somebody wins."""
    position, moved = game.opening(game.seating.powers, _CHANCE), 0
    while moved <= SEASONS:
        seen = {power: game.view(game, position, None, power) for power in game.powers(position)}
        orders = {power: standins.orders_of(game, view, _CHANCE) for power, view in seen.items()}
        turn = advance(game, position, {power: own for power, own in orders.items() if own}, _CHANCE)
        yield turn
        if turn.victory is not None:
            return
        position = turn.after
        moved += position.phase.kind is PhaseKind.MOVEMENT


_CHANCE = Chance(bytes(32), "check")
