"""docs/games.md, made from the games' files: `python -m tests.variants.games_page`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from gm.variants import Seating, Variant, all_variants

PAGE = Path(__file__).parent.parent.parent / "docs" / "games.md"
HEAD = """# The games

Made from the games' files (`gm/variants/data`), as are the mails that tell what is different. By mail `RULES fog` gets
you all the rules of a game, and `PRACTICE fog` plays it against stand-ins at once. [Adding a game](adding-a-game.md)
says how to write such a file.
"""


def page() -> str:
    """The whole page."""
    return "\n".join((HEAD, *(line for game in all_variants().values() for line in _of(game))))


def _of(game: Variant) -> Iterator[str]:
    yield f"## {game.title}\n"
    yield f"`CREATE summer variant={game.name}`, for {_players(game.seating)}.\n"
    yield from (f"- {paragraph}" for paragraph in game.brief or ("The usual rules.",))
    yield ""


def _players(seating: Seating) -> str:
    if seating.most is None:
        return f"{seating.fewest} players or more"
    return (
        f"{seating.fewest} players" if seating.fewest == seating.most else f"{seating.fewest} to {seating.most} players"
    )


if __name__ == "__main__":
    PAGE.write_text(page().rstrip("\n") + "\n", encoding="utf-8")
