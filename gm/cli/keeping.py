"""`gm backup`: one archive with all that a server is. `gm restore`: a server's folder from such an archive.

The archive is a compressed tar file: `manifest.json` first, with the versions, the number of rows of each table and the
SHA-256 of every file; then the configuration, the key, the other files with secrets that lie in the server's folder,
and the database as a SQLite file, of whatever kind it is.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import io
import json
import os
import re
import shutil
import sys
import tarfile
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import IO, Any, cast

from gm import __version__
from gm.cli import at, load
from gm.cli.move import VARIABLE, Progress
from gm.errors import ConfigurationError, GmError
from gm.server.condition import NO_BYTES, remember
from gm.settings import CONFIGURATION, Settings
from gm.settings.editing import change, outside_in
from gm.store.about import about
from gm.store.about import change as change_about
from gm.store.agenda import games_by_state
from gm.store.copying import counts, is_there, known_revision, snapshot, why_unsound
from gm.store.database import COPY, Database, NotMade

FORM = 1
"""The number of the form of archives; another one cannot be read."""

MANIFEST, KEY, DATABASE = "manifest.json", "gm.key", "gm.sqlite3"

_CHUNK = 1 << 20


class BadArchive(GmError):
    """A file that is no backup, or not a whole one."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What an archive says of itself. `files`: the SHA-256 of each; `rows`: how many each table of the database has."""

    gm: str
    revision: str
    made_at: str
    server: str
    database: str
    rows: Mapping[str, int]
    files: Mapping[str, str]

    def as_json(self) -> bytes:
        """The content of `manifest.json`."""
        fields = {name: getattr(self, name) for name in self.__slots__}
        return (json.dumps({"form": FORM, **fields}, indent=1, ensure_ascii=False) + "\n").encode()

    @classmethod
    def of(cls, text: bytes) -> Manifest:
        """Read it. Raises BadArchive."""
        try:
            value: dict[str, Any] = json.loads(text)
            form = value.pop("form")
            found = cls(**value) if form == FORM else None
            if found is not None and not found._is_sound():
                raise ValueError(f"{MANIFEST} has values of other kinds")
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise BadArchive(f"Its {MANIFEST} cannot be read.", "Name a file that `gm backup` wrote.") from error
        if found is None:
            raise BadArchive(f"It has the form {form!r}, and this gm reads {FORM}.", "Restore it with a newer gm.")
        found._refuse_files()
        return found

    def _is_sound(self) -> bool:
        """Whether it has names of files and of tables, with digests and numbers, and otherwise words that are told as
        they are: of one line, and no sign in them moves a cursor.
        """
        words = (self.gm, self.revision, self.made_at, self.server, self.database, *self.files.values())
        plain = all(isinstance(one, str) and one.isprintable() and len(one) <= _LONGEST for one in words)
        return plain and all(isinstance(one, int) for one in self.rows.values())

    def _refuse_files(self) -> None:
        """Raises BadArchive for files that no server has, or that lie elsewhere than in its folder."""
        if len(self.files) > _MOST_FILES:
            raise BadArchive(f"It has {len(self.files)} files; a server has less than {_MOST_FILES}.", _UNTRUSTED)
        for name in self.files:
            if not _is_kept(name):
                raise BadArchive(f"It has a file {name!r}; `gm backup` writes none of that name.", _UNTRUSTED)
            if above := [str(folder) for folder in PurePosixPath(name).parents if str(folder) in self.files]:
                raise BadArchive(f"It has {above[0]!r} as a file and as the folder of {name!r}.", _UNTRUSTED)
        missing = [name for name in (CONFIGURATION, KEY, DATABASE) if name not in self.files]
        if missing:
            raise BadArchive(f"It has no {', '.join(missing)}.", "Use another copy of it.")


_PART = r"\w[\w -]*+(?:\.[\w -]++)*+"
_KINDS = ("cert", "crt", "json", "key", "password", "passwd", "pem", "pw", "secret", "toml", "token", "tokens", "txt")
_PLAIN = re.compile(rf"(?:{_PART}/)*+(?:\w[\w -]*(?:\.[\w -]+)*[. _-])?(?:{'|'.join(_KINDS)})")
"""A name whose last word says what is in the file: `mail.password`, `smtp-password`, `token`; no other one of those
that have no ending, such as Makefile."""


def _is_kept(name: str) -> bool:
    """Whether a file of this name, from the server's folder on, is backed up and restored: configuration, database, and
    what may be a key, a password or a game. Nothing that a shell, Python or SQLite would run because of its name.
    """
    return name == DATABASE or _PLAIN.fullmatch(name) is not None


def main(given: argparse.Namespace) -> int:
    """Write the archive, read it again as `gm restore` does, and delete those that are too many."""
    named = Path(given.file).expanduser().absolute()
    settings, now = load(given.home), datetime.now(UTC)
    if given.keep is not None or given.file.endswith("/"):
        _make_folder(named)
    stem, *earlier = map(_stem, (settings.server.address, *settings.server.also))
    file = named / f"{stem}{now:%Y-%m-%d-%H%M%S}.tar.gz" if named.is_dir() else named
    if file.exists():
        raise ConfigurationError(f"{str(file)!r} exists already.", "Name a new file.")
    with _cannot_be_written(file), _folder(file.parent) as folder:
        files = _secrets(settings)
        manifest = _manifest(settings, folder / DATABASE, files)
        _pack(folder / "archive", manifest, {**files, DATABASE: folder / DATABASE}, settings.home.stat())
        again = folder / "again"
        again.mkdir()
        _settle(again, _unpack(folder / "archive", again))
        wrong = _altered(again)
        (folder / "archive").rename(file)
    if wrong:
        raise BadArchive(f"{file} was written, but {wrong}.", f"Older backups were kept. {COPY}")
    _note(settings, now, file)
    print(f"{file}: {sum(manifest.rows.values()):,} rows of the database, and {', '.join(files)}.")
    print("It was read again, and is whole.")
    for path in settings.secret_files[2:]:
        if path not in files.values():
            print(f"Not in it: {path}")
    if given.keep is not None:
        _thin(file.parent, (stem, *earlier), given.keep)
    print("Keep it where only you can read it: it has the keys, and everybody's mail.")
    return 0


def _note(settings: Settings, now: datetime, file: Path) -> None:
    """Note in the database that there is a backup; where it cannot be written, as on a full disk, say so."""
    try:
        with Database(settings.database.url) as database:
            if database.is_current():  # an older one is backed up before it is upgraded
                with database.transaction() as session:
                    change_about(session, backed_up_at=now, backed_up_to=str(file))
    except GmError as error:
        print(f"The backup is made. That could not be noted in the database: {error}", file=sys.stderr)


def _make_folder(folder: Path) -> None:
    if not folder.is_dir() and (folder.exists() or folder.name.endswith((".gz", ".tar", ".tgz"))):
        raise ConfigurationError(f"{str(folder)!r} is not a folder.", "Name a folder, or leave --keep out.")
    with _cannot_be_written(folder):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)


def _stem(address: str) -> str:
    """How the names of the archives of a server begin, in a folder in which others may have theirs."""
    return f"gm-{address.replace('@', '-at-').replace('/', '-')}-"


def _thin(folder: Path, stems: Sequence[str], keep: int) -> None:
    """Delete the oldest archives of a server, under any of its addresses; their names say their age."""
    ours = re.compile(rf"(?:{'|'.join(map(re.escape, stems))})(\d{{4}}-\d\d-\d\d-\d{{6}})\.tar\.gz")
    found = sorted((match[1], path) for path in folder.iterdir() if (match := ours.fullmatch(path.name)))
    for _, path in found[:-keep]:
        path.unlink()
        print(f"Deleted: {path}")


def _secrets(settings: Settings) -> dict[str, Path]:
    """Configuration, key, other secret files and games in the server's folder, by their names in the archive."""
    configuration, key, *others = settings.secret_files
    others += sorted(settings.games.glob("*.toml")) if settings.games is not None else []
    inside = (path for path in dict.fromkeys(others) if path.is_file() and path.is_relative_to(settings.home))
    named = {path.relative_to(settings.home).as_posix(): path for path in inside if path not in (configuration, key)}
    return {CONFIGURATION: configuration, KEY: key} | {name: path for name, path in named.items() if _is_kept(name)}


def _manifest(settings: Settings, copy: Path, files: Mapping[str, Path]) -> Manifest:
    """Copy the database, and describe what goes into the archive."""
    with Database(settings.database.url) as database:
        if not is_there(database):
            raise NotMade
        kind, now = database.url.get_backend_name(), datetime.now(UTC)
        rows = snapshot(database, copy, Progress())
    with Database(f"sqlite:///{copy}") as copied:
        if (revision := known_revision(copied)) is None:
            raise NotMade
    return Manifest(
        gm=__version__,
        revision=revision,
        made_at=now.isoformat(timespec="seconds"),
        server=settings.server.address,
        database=kind,
        rows=rows,
        files={name: _digest(path) for name, path in {**files, DATABASE: copy}.items()},
    )


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _pack(archive: Path, manifest: Manifest, files: Mapping[str, Path], home: os.stat_result) -> None:
    """Write the archive, in which all belongs to the owner of the server's folder: `tar -xzf` of root keeps that."""
    with tarfile.open(archive, "w:gz", compresslevel=6) as tar:
        text = manifest.as_json()
        head = tarfile.TarInfo(MANIFEST)
        head.size, head.mode, head.uid, head.gid = len(text), 0o600, home.st_uid, home.st_gid
        tar.addfile(head, io.BytesIO(text))
        for name, path in files.items():
            member = tarfile.TarInfo(name)
            member.size, member.mode, member.uid, member.gid = path.stat().st_size, 0o600, home.st_uid, home.st_gid
            member.mtime = int(path.stat().st_mtime)
            with path.open("rb") as content:
                tar.addfile(member, content)


@contextmanager
def _folder(place: Path) -> Iterator[Path]:
    """A private folder in a place, deleted at the end, so that nothing unfinished stays."""
    name = tempfile.mkdtemp(prefix=".gm-", dir=place)
    try:
        yield Path(name)
    finally:
        shutil.rmtree(name)


@contextmanager
def _cannot_be_written(place: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        where, why = str(error.filename or place), error.strerror or error
        raise ConfigurationError(f"{where!r} cannot be written ({why}).", "Name another place.") from error


# back again


def restore(given: argparse.Namespace) -> int:
    """Make a server's folder from an archive."""
    if not given.file.is_file():
        raise ConfigurationError(f"There is no file {str(given.file)!r}.", "Name a file that `gm backup` wrote.")
    if given.trial:
        return _try(given.file)
    home: Path = given.home.expanduser().absolute()
    _refuse_taken(home, (CONFIGURATION, KEY, DATABASE))
    made = not home.exists()
    try:
        with _cannot_be_written(home):
            home.mkdir(mode=0o700, parents=True, exist_ok=True)
            with _folder(home) as folder:
                manifest = _unpack(given.file, folder)
                by_hand = _settle(folder, manifest)
                _install(folder, home, manifest)
        _remember(home)
    except BaseException:
        if made:
            with suppress(OSError):
                home.rmdir()
        raise
    _say_what_next(home, manifest, by_hand)
    return 0


def _try(file: Path) -> int:
    """Restore an archive into a folder that is deleted again, and say what is in it."""
    with tempfile.TemporaryDirectory(prefix="gm-try-") as name, _cannot_be_written(Path(name)):
        folder = Path(name)
        manifest = _unpack(file, folder)
        _settle(folder, manifest)
        if wrong := _altered(folder):
            raise BadArchive(f"It is whole, but {wrong}.", f"Use another backup, or once it is restored: {COPY}")
        with Database(f"sqlite:///{folder / DATABASE}") as database, database.reading() as session:
            states = games_by_state(session) if database.is_current() else {}
    print(f"{file} is whole: {manifest.server} at {manifest.made_at}, written by gm {manifest.gm}.")
    print(f"  database    {manifest.database}, revision {manifest.revision}, {sum(manifest.rows.values()):,} rows")
    print(f"  games       {', '.join(f'{many} {state}' for state, many in states.items() if many) or 'none'}")
    print(f"  files       {', '.join(sorted(manifest.files))}")
    return 0


def _unpack(archive: Path, folder: Path) -> Manifest:
    """Write the files of an archive into a folder. Raises BadArchive unless each is what the manifest says.

    The archive is read once, from its beginning. Each entry is a plain file that the manifest names, and is known to be
    no larger than such files are before any of it is unpacked.
    """
    try:
        with gzip.open(archive) as unpacked:
            source = _Bounded(unpacked.read)
            with tarfile.open(fileobj=cast(IO[bytes], source), mode="r|") as tar:
                return _unpacked(tar, source, archive, folder)
    except (tarfile.TarError, EOFError, OSError, ValueError, zlib.error) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise BadArchive(f"{str(archive)!r} is not a whole backup ({error}).", "Use another copy of it.") from error


def _unpacked(tar: tarfile.TarFile, source: _Bounded, archive: Path, folder: Path) -> Manifest:
    head = tar.next()
    if head is None or head.name != MANIFEST:
        raise BadArchive(f"{str(archive)!r} is not a backup.", "Name a file that `gm backup` wrote.")
    manifest = Manifest.of(_content(tar, source, head, folder).read())
    left = dict(manifest.files)
    while left:
        source.allow(_HEADERS)
        member = tar.next()
        if member is None:
            raise tarfile.ReadError(f"{', '.join(left)} not found")
        if member.name not in left:
            raise BadArchive(f"It has {member.name!r}, which its {MANIFEST} does not name.", _UNTRUSTED)
        digest = left.pop(member.name)
        _write(folder / member.name, _content(tar, source, member, folder))
        if _digest(folder / member.name) != digest:
            raise BadArchive(f"{member.name} in it is not what was backed up.", "Use another copy of it.")
    return manifest


_UNTRUSTED = "Do not trust it."
_MOST_FILES = 64
_LONGEST = 1_000
"""Characters of what the manifest says: an address, a version, a digest."""
_LARGEST = 1 << 20
"""Bytes of any file but the database: configuration, keys and passwords have a few thousand."""
_HEADERS = 1 << 14
"""Bytes between two files: what a tar archive says of a file, and what `tarfile` reads ahead."""


class _Bounded:
    """What is unpacked, up to a bound that is set anew for each file and for what is said of it."""

    def __init__(self, read: Callable[[int], bytes]) -> None:
        self._read, self._left = read, _HEADERS

    def allow(self, size: int) -> None:
        """Let so many bytes be read from now on."""
        self._left = size

    def read(self, size: int) -> bytes:
        """The next bytes. Raises BadArchive beyond the bound."""
        piece = self._read(size)
        self._left -= len(piece)
        if self._left < 0:
            raise BadArchive("It has more between its files than a backup has.", _UNTRUSTED)
        return piece


def _content(tar: tarfile.TarFile, source: _Bounded, member: tarfile.TarInfo, folder: Path) -> IO[bytes]:
    """What is in a file of the archive. Raises BadArchive for anything but a plain file of a bearable size."""
    content = tar.extractfile(member) if member.isreg() and not member.issparse() and member.size >= 0 else None
    if content is None:
        raise BadArchive(f"It has {member.name!r}, which is no plain file.", _UNTRUSTED)
    _refuse_large(member, folder)
    source.allow(member.size + _HEADERS)
    return content


def _refuse_large(member: tarfile.TarInfo, folder: Path) -> None:
    """Raises BadArchive for a file that is larger than such files are, or than the disk can take."""
    if member.name != DATABASE:
        if member.size > _LARGEST:
            problem = f"Its file {member.name!r} has {member.size:,} bytes; at most {_LARGEST:,} are unpacked."
            raise BadArchive(problem, _UNTRUSTED)
        return
    free = shutil.disk_usage(folder).free
    if member.size > free - NO_BYTES:
        needed = f"its database needs {_megabytes(member.size + NO_BYTES)}, with what a server keeps free"
        problem = f"The disk of {str(folder.parent)!r} is too small: {needed}, and {_megabytes(free)} are free."
        raise BadArchive(problem, "Free some space, or name a folder on another disk (of `--try`, by TMPDIR).")


def _megabytes(number: int) -> str:
    return f"{number / 1_000_000:.1f} MB"


def _write(path: Path, content: IO[bytes]) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with path.open("xb") as file:
        shutil.copyfileobj(content, file, _CHUNK)


def _settle(folder: Path, manifest: Manifest) -> list[str]:
    """Check the database, and have the configuration name it and the key. Returns what is left to do by hand."""
    if wrong := why_unsound(folder / DATABASE):
        raise BadArchive(f"Its database is damaged: {wrong}.", "Use another backup.")
    with Database(f"sqlite:///{folder / DATABASE}") as database:
        known_revision(database)
        if counts(database) != manifest.rows:
            raise BadArchive("Its database does not have the rows that were backed up.", "Use another copy of it.")
    try:
        outside_in(folder / CONFIGURATION)
    except ConfigurationError as error:  # nothing could be said of what it runs, and no server had it
        raise BadArchive(f"Its {CONFIGURATION} is no configuration that a server can read.", _UNTRUSTED) from error
    by_hand = []
    for section, key, value in (("database", "url", f"sqlite:///{DATABASE}"), ("server", "key_file", KEY)):
        try:
            change(folder / CONFIGURATION, section, key, value)
        except ConfigurationError:
            by_hand.append(f'Write {key} = "{value}" under [{section}] in {CONFIGURATION}.')
    return by_hand


def _altered(folder: Path) -> str:
    """How the unpacked database is not as gm made it: a server would not start with it."""
    with Database(f"sqlite:///{folder / DATABASE}") as database:
        wrong = database.altered() if database.is_current() else []
    return f"its database is not as gm made it: {', '.join(wrong[:3])}" if wrong else ""


def _install(folder: Path, home: Path, manifest: Manifest) -> None:
    """Move the files into the server's folder, the configuration last."""
    _refuse_taken(home, manifest.files)
    for name in sorted(manifest.files, key=CONFIGURATION.__eq__):
        (home / name).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        (folder / name).rename(home / name)


def _remember(home: Path) -> None:
    """Note which database the server has, as its start does, so that it is missed from now on."""
    with Database(f"sqlite:///{home / DATABASE}") as database:
        if database.is_current():
            with database.reading() as session:
                row = about(session)
            if row is not None:
                remember(home, row.database)


def _refuse_taken(home: Path, names: Iterable[str]) -> None:
    taken = [name for name in names if (home / name).exists()]
    if taken:
        raise ConfigurationError(
            f"{str(home)!r} has a server: {', '.join(taken)}.", "Name a new folder with --home; nothing is overwritten."
        )


def _say_what_next(home: Path, manifest: Manifest, by_hand: Sequence[str]) -> None:
    print(f"{home} has the server {manifest.server} as it was at {manifest.made_at}, with every file as backed up.")
    print("Mail that came later is missing, and mail that waited to be sent then is sent again. Next:")
    for step in ("Let no other server with this address run.", *by_hand, *_outside(home)):
        print(f"  - {step}")
    if manifest.database != "sqlite":
        print(f"  - It used {manifest.database}; now it has a SQLite file. To go back: gm move {at(home)} --to URL")
    if VARIABLE in os.environ:
        print(f"  - The environment names another database: remove {VARIABLE}.")
    print(f"  - gm check {at(home)}")
    print(f"  - gm serve {at(home)}")


_MOST_NAMED, _LONGEST_NAMED = 50, 200


def _shown(value: str) -> str:
    """A value, of a long one the beginning with a sign that there is more."""
    return value if len(value) <= _LONGEST_NAMED else f"{value[:_LONGEST_NAMED]} ..."


def _outside(home: Path) -> list[str]:
    """What the restored configuration would have a server run, read elsewhere, or connect to, whose password is then
    sent there: for the operator to read first. Nothing was used so far.
    """
    before = f"Read what {CONFIGURATION} runs, reads elsewhere and sends passwords to, before gm check or gm serve:"
    found = outside_in(home / CONFIGURATION)
    more = [f"{before} {len(found) - _MOST_NAMED} more"] if len(found) > _MOST_NAMED else []
    return [f"{before} {where} = {_shown(value)!r}" for where, value in found[:_MOST_NAMED]] + more
