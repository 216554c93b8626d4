"""The variants: what each has that differs from the standard game, and the register of all of them.

A variant is a package beside this file and a value (`base.Variant`), made from the standard one with
`dataclasses.replace`: what it does not replace is as in the standard game. No other package names a variant; they call
`variant(name)` and use the value's fields. An amended ruling is another value with the same name and the next edition
number, made from the older one in the same way.
"""

from __future__ import annotations

from gm.errors import GmError
from gm.variants.base import SeasonEnd, Variant

__all__ = ["NoSuchEdition", "SeasonEnd", "Variant", "all_variants", "register", "variant"]


class NoSuchEdition(GmError):
    """A game began with an edition of its rules that this program does not have."""


def variant(name: str) -> Variant:
    """The newest edition of the variant with this name; or the edition that is named, `the-aliens/1`.

    Raises KeyError if there is no such variant, NoSuchEdition if it has no such edition.
    """
    title, _, edition = name.casefold().partition("/")
    newest = all_variants()[title]
    if not edition:
        return newest
    for game in register():
        if game.rules == f"{title}/{edition}":
            return game
    raise NoSuchEdition(
        f"This game is played by edition {edition} of the rules of {newest.title}, which this server does not have.",
        "The operator can install a release of gm that has it; nothing of the game is lost.",
    )


def all_variants() -> dict[str, Variant]:
    """The newest edition of every variant that can be started on this server, by name."""
    return {game.name: game for game in sorted(register(), key=lambda game: game.edition)}


def register() -> tuple[Variant, ...]:
    """Every edition of every variant that this server can run.

    An amended ruling makes another edition: a value that differs in what was amended, added beside the older one. Games
    that began with the older one continue with it.
    """
    from gm.variants import among_us, black_hole, outer_space, quantum_space, standard, the_aliens

    return (
        standard.STANDARD,
        among_us.AMONG_US_1,
        among_us.AMONG_US,
        black_hole.FIRST_EDITION,
        black_hole.BLACK_HOLE,
        outer_space.FIRST_EDITION,
        outer_space.OUTER_SPACE,
        quantum_space.QUANTUM_SPACE,
        quantum_space.QUANTUM_SPACE_3001_1,
        quantum_space.QUANTUM_SPACE_3001,
        the_aliens.FIRST_EDITION,
        the_aliens.THE_ALIENS,
    )
