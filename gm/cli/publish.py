"""`gm publish`: writes the gallery, a static site of all games as everybody may see them. `gm export`: writes one game
as a file for other programs, or the map of a phase.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from gm import gallery
from gm.cli import load
from gm.cli.command_lines import PICTURES
from gm.errors import ConfigurationError, NotNow
from gm.gallery import cannot_be_written, publish_game, publish_index, site_facts, stamps
from gm.gallery.order_page import order_page
from gm.games import loading
from gm.games.identity import ServerIdentity
from gm.games.report_inputs import view_of
from gm.games.snapshot import Game, Seat
from gm.mail.message.compose import Attachment
from gm.play.export import exported, seen_turns
from gm.play.pictures import map_files
from gm.reports import counted
from gm.reports.interchange import Played
from gm.server import Server
from gm.store.copying import opened


def main(given: argparse.Namespace) -> int:
    """Write what has changed; 1 if a game cannot be published, or a file not written."""
    if given.order_page is not None:
        return _write_order_page(given.order_page.expanduser().absolute())
    settings = load(given.home)
    folder = given.to.expanduser().absolute() if given.to is not None else settings.gallery
    if folder is None:
        raise ConfigurationError(
            "No folder is named for the gallery.", "gm publish --to FOLDER, or folder under [gallery] in gm.toml."
        )
    began = time.monotonic()
    with opened(settings.database.url) as database:
        server = Server(database, ServerIdentity(settings.server, settings.key, settings.trust))
        with gallery.opened(folder, site_facts(server)) as site:
            site.sweep()
            games = stamps(server)
            works = [
                *(partial(publish_game, server, site, number) for number in games),
                partial(publish_index, server, site),
            ]
            failed = list(dict.fromkeys(filter(None, map(_failure, works))))
    spent = time.monotonic() - began
    counts = [counted(number, noun, digits=True) for number, noun in ((len(games), "game"), (site.written, "file"))]
    print(f"{folder / 'index.html'}: {counts[0]}, {counts[1]} written in {spent:.1f} seconds.")
    if site.skipped:
        print(f"Not published, because of their names: {', '.join(map(repr, site.skipped))}.")
    for error in failed:
        print(f"gm publish: {error}", file=sys.stderr)
    return 1 if site.skipped or failed else 0


def _write_order_page(file: Path) -> int:
    def write() -> None:
        file.write_text(order_page(), encoding="utf-8")
        file.chmod(0o644)  # a web server reads it, whatever the umask of ours is

    if error := _failure(write):
        print(f"gm publish: {error}", file=sys.stderr)
        return 1
    print(f"{file}: when it is on the web, set order_page under [gallery] in gm.toml to its address.")
    return 0


def _failure(work: Callable[[], object]) -> str:
    """Do one piece of work. Returns what was in its way, "" for nothing; it must not stop the others."""
    try:
        work()
    except ConfigurationError as error:
        return str(error)
    except OSError as error:
        return f"{error.filename2 or error.filename or 'A file'} cannot be written ({error.strerror})."
    return ""


# one game as a file


def export(given: argparse.Namespace) -> int:
    """Write one game, or the map of one of its phases, to a file or to standard output."""
    if given.phase is not None and given.form not in PICTURES:
        raise NotNow(f"--form {given.form} has every phase.", f"--phase is for --form {' or '.join(PICTURES)}.")
    with opened(load(given.home).database.url) as database, database.reading() as session:
        game = next(iter(loading.load(session, loading.BY_NAME, {"name": given.game.lower()})), None)
        if game is None or game.phase is None:
            raise NotNow(f"There is no game {given.game!r} that has begun.", "`gm publish` shows all games.")
        seat = _seat(game, given.power)
        turns = seen_turns(session, game, seat) if given.form in PICTURES else []
        file = _map(game, seat, turns, given) if given.form in PICTURES else exported(session, game, seat, given.form)
    if given.to is None:
        sys.stdout.buffer.write(file.content)
    else:
        try:
            given.to.write_bytes(file.content)
        except OSError as error:
            raise cannot_be_written(given.to, error) from error
        print(f"{given.to}: {len(file.content):,} bytes.")
    return 0


def _seat(game: Game, power: str | None) -> Seat | None:
    """The seat whose view is exported; None for everybody's."""
    if power is None:
        return None
    found = next((seat for seat in game.players if str(seat.power).lower() == power.lower()), None)
    if found is None:
        raise NotNow(f"Nobody plays {power!r} in {game.name}.", f"Its powers: {', '.join(game.powers)}.")
    return found


def _map(game: Game, seat: Seat | None, played: Sequence[Played], given: argparse.Namespace) -> Attachment:
    """The map of a phase as a file."""
    turns = {one.turn.before.phase.code: one.view for one in played}
    code = (given.phase or next(reversed(turns), game.code)).upper()
    if code not in turns and (given.phase is not None or turns):
        raise NotNow(f"{code} of {game.name} was not played.", f"Played: {', '.join(turns) or 'none yet'}.")
    view = turns[code] if code in turns else view_of(game, seat)
    files = {file.content_type: file for file in map_files(game, code, view)}
    if PICTURES[given.form] not in files:
        raise NotNow(f"There is no map of {game.name}.")
    return files[PICTURES[given.form]]
