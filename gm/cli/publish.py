"""`gm publish`: writes the gallery, a static site of all games as everybody may see them."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

from gm.cli import home_parser
from gm.errors import ConfigurationError
from gm.gallery import opened, publish_game, publish_index, site_facts, versions
from gm.games.identity import ServerIdentity
from gm.server import Server
from gm.settings import load
from gm.store.database import Database


def main(argv: Sequence[str]) -> int:
    """Write what has changed; 1 if a game cannot be published."""
    given = _parser().parse_args(argv)
    settings = load(given.home)
    folder = given.to.expanduser().absolute() if given.to is not None else settings.gallery
    if folder is None:
        raise ConfigurationError(
            "No folder is named for the gallery.", "gm publish --to FOLDER, or folder under [gallery] in gm.toml."
        )
    began = time.monotonic()
    with Database(settings.database.url) as database:
        server = Server(database, ServerIdentity(settings.server, settings.key, settings.trust))
        with opened(folder, site_facts(server)) as site:
            site.sweep()
            games = versions(server)
            for number in games:
                publish_game(server, site, number)
            publish_index(server, site)
    spent = time.monotonic() - began
    print(f"{folder / 'index.html'}: {len(games)} games, {site.written} files written in {spent:.1f} seconds.")
    if site.skipped:
        print(f"Not published, because of their names: {', '.join(map(repr, site.skipped))}.")
    return 1 if site.skipped else 0


def _parser() -> argparse.ArgumentParser:
    parser = home_parser("publish", "Write the gallery: a static site of all games as everybody may see them.")
    parser.add_argument(
        "--to", type=Path, metavar="FOLDER", help="where to (default: folder under [gallery] in gm.toml)"
    )
    return parser
