"""The gallery: a static site of the games as everybody may see them.

`public` says what everybody may know of a game, `drawings` draws it, `pages` render it; this module keeps the files on
disk, and publishes the games that have changed, or the whole of it at once. Nothing here sees more than the view of
nobody, and no page depends on anything else.

Files are written one by one, each at once and whole, and only if they have changed. A folder is a site if it has a file
`.gm-site`, which is also the lock that keeps two publishers apart. Each game has a folder of its own with the
fingerprints of its pages, `.files.json`; files there that are named as ours and are not of the game, such as the pages
of phases that were rolled back, are deleted, whoever was killed while writing them.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import logging
import os
import re
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from gm.errors import ConfigurationError, Temporary
from gm.gallery import pages
from gm.gallery.pages import PICTURE, Feed, GamePage, IndexPage, PhasePage, SiteFacts
from gm.gallery.public import PublicGame, Stamp, stamps_in
from gm.maps.picture import size_of
from gm.server import Server
from gm.store.rows import canonical_json

MARK = ".gm-site"
"""The file that makes a folder a site."""
LIST = ".files.json"
"""The file with the fingerprints of a game's pages: of what each was made from, and of its content."""
_FIRST = "index.html"
"""The page of a game that every game has."""

_NEW = ".new-"
"""The beginning of the name of a file that is being written."""
_SAFE = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
_CODE = re.compile(r"[A-Z][0-9]{1,9}[A-Z]")


@dataclass
class Site:
    """A site that is open for writing. `written` counts the files that were changed."""

    folder: Path
    facts: SiteFacts
    written: int = 0
    skipped: list[str] = field(default_factory=list)
    """The names of games for which no folder can be made."""

    def publish(self, game: PublicGame) -> None:
        """Write what has changed of a game's own files; of a game of which not everybody may know, none stay."""
        if not _SAFE.fullmatch(game.name):
            self.skipped.append(game.name)
            return
        if not game.game.is_known_to(None):
            self._withdraw(self.folder / "games" / game.name, game.name)
            return
        if not game.game.playable:
            return  # what an earlier version of this program has written of it stays
        folder = _plain_folder(_plain_folder(self.folder / "games") / game.name)
        before, whole = _listed(folder), _version(game, self.facts)
        if before.get(_FIRST, "").partition(" ")[0] == whole and _are_as_written(folder, before):
            _delete(folder, game.name, (), but={*before, LIST})
            return
        after = dict(self._phases(game, folder, before))
        for name, content in _own_files(game, self.facts):
            self._replace(folder / name, content)
            after[name] = f"{whole} {_fingerprint(folder / name)}"
        self._write(folder / LIST, canonical_json(after) + "\n")
        _delete(folder, game.name, before, but=after)

    def _withdraw(self, folder: Path, name: str) -> None:
        """Delete what was written of a game, and its folder unless somebody else's files are in it."""
        if folder.is_symlink() or not folder.is_dir():
            return
        _delete(folder, name, {**_listed(folder), LIST: ""})
        if not any(folder.iterdir()):
            folder.rmdir()

    def _phases(self, game: PublicGame, folder: Path, before: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        """Write the pages of phases that have changed, or are not as they were written. Yields every page with its
        fingerprint and that of its content.
        """
        phases = [phase for phase in game.phases if _CODE.fullmatch(phase.code)]
        beside = [None, *phases, None]
        for phase, earlier, later in zip(phases, beside, beside[2:], strict=False):
            page, name = PhasePage(self.facts, game, phase, earlier, later), f"{phase.code}.html"
            made, path = page.fingerprint, folder / name
            if before.get(name) != f"{made} {_fingerprint(path)}":
                self._write(path, page.render())
            yield name, f"{made} {_fingerprint(path)}"

    def sweep(self) -> None:
        """Delete the unfinished files of a publisher that was killed."""
        for left in (*self.folder.glob(f"{_NEW}*"), *self.folder.glob(f"games/*/{_NEW}*")):
            left.unlink(missing_ok=True)

    def publish_index(self, games: Iterable[PublicGame]) -> None:
        """Write the page of all games, and what all pages share."""
        shown = tuple(game for game in games if _SAFE.fullmatch(game.name))
        paths = {game.name: self.folder / "games" / game.name / PICTURE for game in shown}
        maps = {name: size_of(_beginning(path)) for name, path in paths.items() if path.is_file()}
        for name, content in pages.shared_files().items():
            self._replace(self.folder / name, content)
        self._write(self.folder / "index.html", IndexPage(self.facts, shown, maps).render())

    def _write(self, path: Path, text: str) -> None:
        self._replace(path, text.encode())

    def _replace(self, path: Path, content: bytes) -> None:
        """Replace a file by this content, at once and whole; a file that has it already is left alone."""
        if not path.is_symlink() and path.is_file() and path.read_bytes() == content:
            return
        descriptor, name = tempfile.mkstemp(prefix=_NEW, dir=path.parent)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
                os.fchmod(file.fileno(), 0o644)  # a web server reads it, whatever the umask of ours is
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
        self.written += 1


@contextmanager
def opened(folder: Path, facts: SiteFacts) -> Iterator[Site]:
    """The site in this folder, which is made if it is missing or empty.

    Raises ConfigurationError for a folder with other things in it, Temporary while somebody else publishes there.
    """
    lock = _lock(folder)
    try:
        yield Site(folder, facts)
    finally:
        os.close(lock)


def _lock(folder: Path) -> int:
    mark = folder / MARK
    require_usable(folder)
    try:
        _make_readable(folder)
        lock = os.open(mark, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise cannot_be_written(folder, error) from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        raise Temporary(f"Another gm publishes in {str(folder)!r} just now.") from None
    return lock


def _plain_folder(path: Path) -> Path:
    """The folder, made if it is missing. Raises ConfigurationError if it is a link: files would land elsewhere."""
    if path.is_symlink():
        raise ConfigurationError(f"{str(path)!r} is a symbolic link.", "Delete it, and publish again.")
    _make_readable(path)
    return path


def _beginning(picture: Path) -> bytes:
    """As much of a picture's file as has its size."""
    with picture.open("rb") as file:
        return file.read(24)


def _make_readable(folder: Path) -> None:
    """Make a folder that a web server can read, whatever our umask is; one that is there stays as it is."""
    if not folder.is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o755)


def _own_files(game: PublicGame, facts: SiteFacts) -> Iterator[tuple[str, bytes]]:
    """The files of a game apart from its phases, by name."""
    yield "index.html", GamePage(facts, game).render().encode()
    yield "phases.js", pages.phase_list(game.phases).encode()
    if game.picture is not None:
        yield PICTURE, game.picture.png
    if game.view is not None:
        yield "feed.xml", Feed(facts, game).render().encode()
    if game.record is not None:
        yield f"{game.name}.json", f"{canonical_json(game.record)}\n".encode()


def _version(game: PublicGame, facts: SiteFacts) -> str:
    """A text that changes whenever a file of the game would, made without making any."""
    known = [pages.edition(), facts.name, facts.address, game.version]
    return hashlib.sha256(canonical_json(known).encode()).hexdigest()


def _are_as_written(folder: Path, listed: Mapping[str, str]) -> bool:
    """Whether each of these files of a game is there, as it was written."""
    return all(made.rpartition(" ")[2] == _fingerprint(folder / name) for name, made in listed.items())


def _delete(folder: Path, game: str, ours: Collection[str], but: Collection[str] = ()) -> None:
    """Delete the files of a game that are ours, or are named as its pages, but those in `but`."""
    for path in folder.iterdir():
        if path.name not in but and (path.name in ours or _is_of_a_game(path, game)):
            path.unlink(missing_ok=True)


def _fingerprint(path: Path) -> str:
    """The fingerprint of a file's content; "" if there is none."""
    if path.is_symlink() or not path.is_file():
        return ""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _listed(folder: Path) -> Mapping[str, str]:
    """The files of a game that were written before, with their fingerprints; none if the list cannot be read."""
    try:
        found: Any = json.loads((folder / LIST).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(found, dict):
        return {}
    return {name: str(made) for name, made in found.items() if _is_ours(name)}


def _is_of_a_game(path: Path, game: str) -> bool:
    """Whether a file is named as the page of a phase, or as the record of the game."""
    return path.name == f"{game}.json" or (path.suffix == ".html" and _CODE.fullmatch(path.stem) is not None)


def _is_ours(name: str) -> bool:
    return bool(re.fullmatch(r"[A-Za-z0-9-]+\.(?:html|js|json|png|xml)", name))


# keeping it up to date


log = logging.getLogger(__name__)

SOON = timedelta(minutes=1)
"""How often the games are looked at."""

_ANEW = timedelta(hours=1)
"""After this time every page is compared again, so that one that was damaged is repaired."""


def site_facts(server: Server) -> SiteFacts:
    """What pages tell of the server."""
    return SiteFacts(server.identity.settings.name, server.identity.address)


def publish_game(server: Server, site: Site, game_id: int) -> None:
    """Publish one game, as it is now."""
    with server.reading() as tx:
        site.publish(PublicGame(tx.session, tx.game(game_id), server.identity.address))


def publish_index(server: Server, site: Site) -> None:
    """Publish the page of all games."""
    with server.reading() as tx:
        site.publish_index([PublicGame(tx.session, game, server.identity.address) for game in tx.games_in()])


def stamps(server: Server) -> dict[int, Stamp]:
    """The stamp of every game, by id."""
    with server.database.reading() as session:
        return stamps_in(session)


@dataclass
class Gallery:
    """Publishes each game of which everybody may know something new, and then the page of all games.

    It does so once a minute by the clock, and from nothing but what is public: neither the files nor the time at which
    they are written tell that something secret has happened.
    """

    server: Server
    folder: Path
    _next: datetime | None = None
    """When the next round begins."""
    _queue: list[tuple[int, Stamp] | None] = field(default_factory=list)
    """What is left of this round: games that may have changed, and None for the page of all games."""
    _looked_at: dict[int, Stamp] = field(default_factory=dict)
    _published: dict[int, str] = field(default_factory=dict)
    """The public version in which each game was published last."""
    _anew: datetime | None = None
    _stale: bool = True
    """Whether the page of all games is to be written."""
    _trouble: str = ""
    """Why nothing can be written, if so; logged once."""

    def step(self, now: datetime) -> datetime | None:
        if not self._queue and self._next is not None and now < self._next:
            return self._next
        if not self._queue:
            self._begin(now)
        try:
            self._work()
        except Temporary as error:  # an operator publishes
            log.info("%s", error)
            self._queue = []
        except ConfigurationError as error:
            if self._trouble != str(error):
                log.error("the gallery cannot be written: %s", error)
            self._queue, self._trouble = [], str(error)
        return now if self._queue else self._next

    def _begin(self, now: datetime) -> None:
        """Begin a round. Rounds are at whole minutes, however much there was to do before."""
        self._next = now.replace(second=0, microsecond=0) + SOON
        if self._anew is None or now >= self._anew:
            self._looked_at, self._published, self._anew = {}, {}, now + _ANEW
        changed = [one for one in stamps(self.server).items() if self._looked_at.get(one[0]) != one[1]]
        self._queue = [*changed, None]

    def _work(self) -> None:
        """Publish one game if it has changed or, after the last, the page of all games."""
        if (first := self._queue[0]) is not None:
            game_id, stamp = first
            if self._publish(game_id):
                self._looked_at[game_id] = stamp
        elif self._stale:
            self._stale, self._trouble = not self._publish(None), ""
        self._queue = self._queue[1:]

    def _publish(self, game_id: int | None) -> bool:
        """Publish a game, or the page of all games. An error with one game must not stop the others: then False."""
        try:
            if game_id is not None:
                self._publish_game(game_id)
            else:
                with opened(self.folder, site_facts(self.server)) as site:
                    publish_index(self.server, site)
        except (Temporary, ConfigurationError):
            raise
        except Exception:
            log.exception("the gallery cannot show game %s", game_id)
            return False
        return True

    def _publish_game(self, game_id: int) -> None:
        with self.server.reading() as tx:
            game = PublicGame(tx.session, tx.game(game_id), self.server.identity.address)
            if self._published.get(game_id) == game.version:
                return
            with opened(self.folder, site_facts(self.server)) as site:
                site.publish(game)
            self._published[game_id], self._stale = game.version, True


# which folders can be the gallery's


def require_usable(folder: Path) -> None:
    """Raises ConfigurationError for a folder in which no site can be kept. Changes nothing."""
    try:
        there = next(path for path in (folder, *folder.parents) if path.exists())
        foreign = there == folder and folder.is_dir() and not (folder / MARK).is_file() and any(folder.iterdir())
    except OSError as error:
        raise cannot_be_written(folder, error) from error
    if not there.is_dir():
        raise ConfigurationError(f"{str(there)!r} is a file.", "Name a folder for the gallery, new or empty.")
    if foreign:
        raise ConfigurationError(
            f"{str(folder)!r} is not a gallery of gm, and not empty.", "Name an empty folder, or a new one."
        )
    if os.statvfs(there).f_flag & os.ST_RDONLY:
        raise ConfigurationError(
            f"{str(there)!r} is on a read-only file system.", "Name another folder, or remount it."
        )
    if not os.access(there, os.W_OK | os.X_OK):
        raise ConfigurationError(f"{str(there)!r} cannot be written.", "Run gm as its owner, or chown it.")


def cannot_be_written(folder: Path, error: OSError) -> ConfigurationError:
    """The error for a folder in which something could not be written."""
    return ConfigurationError(f"{str(folder)!r} cannot be written ({error.strerror}).")


def closed_to_others(folder: Path) -> Path | None:
    """The folder above it, or itself, that users other than the server's cannot enter; None if all can be."""
    above = [path for path in (*reversed(folder.parents), folder) if path.exists()]
    return next((path for path in above if not path.stat().st_mode & 0o001), None)
