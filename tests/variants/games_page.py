"""docs/games.md, made from the games' files: `python -m tests.variants.games_page`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from gm.variants import Seating, Variant, all_variants

PAGE = Path(__file__).parent.parent.parent / "docs" / "games.md"
HEAD = """# The games

The games for two come first, then those for seven, then all others. By mail `RULES fog` gets you the rules of a game,
and `PRACTICE fog` plays it against stand-ins at once. A number such as SB-2 in brackets is a ruling, which `HELP SB-2`
shows. This page is made from the games' files; [adding a game](adding-a-game.md) says how to write one.
"""
_USUAL = (
    "The usual rules: `RULES standard` sends a summary, `HELP DIPLOMACY` a first look, `HELP TERMS` the words.",
    "Three rulebooks can be chosen, `rulebook=1971`, `2000` or `2023`. Paradoxes of convoys are solved by Szykman's"
    " rule in those of 2000 and 2023 (ST-2); [the test cases of the DATC](../CONTRIBUTING.md) are run against each with"
    " `make datc`.",
)


def page() -> str:
    """The whole page."""
    return "\n".join((HEAD, *(line for game in sorted(all_variants().values(), key=_by_players) for line in _of(game))))


def _by_players(game: Variant) -> tuple[int, int, bool]:
    seating = game.seating
    return seating.most or 1000, seating.fewest, bool(game.brief)


def _of(game: Variant) -> Iterator[str]:
    yield f"## {game.title}\n"
    yield f"`CREATE summer variant={game.name}`, for {_players(game.seating)}.\n"
    yield from (f"- {paragraph}" for paragraph in game.brief or _USUAL)
    yield ""


def _players(seating: Seating) -> str:
    if seating.most is None:
        return f"{seating.fewest} players or more"
    return (
        f"{seating.fewest} players" if seating.fewest == seating.most else f"{seating.fewest} to {seating.most} players"
    )


if __name__ == "__main__":
    PAGE.write_text(page().rstrip("\n") + "\n", encoding="utf-8")
