"""What is asked about a server's state: by `gm check`, by `gm serve` when it starts, by `/ready` and by the metrics.

Each inspection has a name, a question, and findings: what is wrong, and what to do. Its weight says whom it stops:
without START no server starts, without WORK none is ready; what has the weight TELL is for the operator.
docs/operating/troubles.md has a row for each name.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import Enum, IntEnum
from functools import partial
from pathlib import Path
from typing import Protocol

from gm.errors import ConfigurationError, GmError
from gm.games.identity import ServerIdentity
from gm.operation import Part
from gm.ownership import not_written, unwritable
from gm.store import inbox, mail_servers, outbox, refusals
from gm.store.about import about, change, fingerprint
from gm.store.agenda import deadlines_due
from gm.store.copying import is_there, known_revision
from gm.store.database import COPY, RESTORE, Database
from gm.store.game_rows import rules_in_use
from gm.store.inbox import ANSWERED, InboxState
from gm.store.mail_search import newest_arrival
from gm.store.outbox import OutboxRow, OutboxState
from gm.store.presence import parts_run
from gm.store.schema import lost, revisions
from gm.variants import NoSuchEdition, variant

LATE = timedelta(minutes=10)
"""Work that has waited for longer means that no server is running, or that it is stuck."""

BACKUP_AFTER = timedelta(days=7)
"""A server whose last backup is older than this should make one."""

LITTLE_BYTES, NO_BYTES = 100_000_000, 10_000_000
"""Below the first the operator is told how little of the disk is left; below the second a server is not ready."""

BACK = timedelta(minutes=1)
"""A clock that is so far behind what happened already was set back."""

MARK = "gm.database"
"""The file in the server's folder that says which database it has had."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report. Without a `remedy` there is no problem; one that is not `urgent` is advice."""

    subject: str
    words: str
    remedy: str = ""
    urgent: bool = True

    def __str__(self) -> str:
        mark = "ok" if not self.remedy else "FIX" if self.urgent else "note"
        end = "" if not self.remedy else " " if self.words.endswith((".", "?", "!")) else ". "
        return f"{mark:<5} {self.subject:<14} {self.words}{end}{self.remedy}"

    @property
    def is_problem(self) -> bool:
        """Whether something is to be done about it."""
        return bool(self.remedy and self.urgent)


class Folder(Protocol):
    """A folder from which mail is taken, with what is wrong with that now, "" for nothing; and whether mail is `taken`
    in spite of it, and only left lying there.
    """

    @property
    def name(self) -> str: ...

    @property
    def trouble(self) -> str: ...

    @property
    def taken(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Asked:
    """The server that is asked about. `home` is its folder; None where that is not known. `folders`: those of
    mailboxes that this process reads.
    """

    database: Database
    identity: ServerIdentity
    now: datetime
    home: Path | None = None
    folders: Sequence[Folder] = ()
    files: Mapping[Path, str] = field(default_factory=dict)
    """The files of settings that this process has read, each with its `stamp` then."""

    @property
    def shown(self) -> str:
        """The database, without a password."""
        url = self.database.url
        return str(url.database) if self.database.is_sqlite else url.render_as_string(hide_password=True)

    @property
    def mark(self) -> str:
        """The name of the database that this server has had; "" when it has had none."""
        try:
            return (self.home / MARK).read_text(encoding="ascii").strip() if self.home is not None else ""
        except (OSError, UnicodeDecodeError):
            return ""

    def is_closed(self) -> bool:
        """Whether a file of the database cannot be written: SQLite would make others beside it that are closed, too."""
        return any(unwritable(_database_files(self)))

    def is_usable(self) -> bool:
        """Whether there is a database with the schema of this program, so that its tables can be asked."""
        try:
            made = not self.is_closed() and is_there(self.database) and self.database.is_current()
            return made and not self.database.altered()
        except GmError:
            return False


class Weight(IntEnum):
    """Whom a problem stops."""

    START = 0
    WORK = 1
    TELL = 2


class Of(Enum):
    """What an inspection is asked of."""

    MACHINE = 0
    DATABASE = 1
    TABLES = 2
    """Those of a database with the schema of this program."""


@dataclass(frozen=True, slots=True)
class Inspection:
    """One question. `of`: what it is asked of, which must be there."""

    name: str
    question: str
    weight: Weight
    find: Callable[[Asked], Iterator[Finding]] = field(repr=False)
    of: Of = Of.TABLES

    def findings(self, asked: Asked) -> Iterator[Finding]:
        """What is found; an error is a problem, with what to do about it."""
        try:
            yield from self.find(asked)
        except GmError as error:
            yield Finding(self.name, error.problem, error.remedy or "Correct it and check again.")
        except OSError as error:
            yield Finding(self.name, f"{error.filename!r}: {error.strerror}.", "Correct it and check again.")


def inspected(asked: Asked, weight: Weight = Weight.TELL) -> Iterator[tuple[Inspection, Finding]]:
    """The findings of all inspections up to this weight. What cannot be asked of this database is left out."""
    is_there = {Of.MACHINE: True, Of.DATABASE: not asked.is_closed()}
    for one in INSPECTIONS:
        if one.of is Of.TABLES and Of.TABLES not in is_there:
            is_there[Of.TABLES] = is_there[Of.DATABASE] and asked.is_usable()
        if one.weight <= weight and is_there[one.of]:
            found = [*one.findings(asked)]
            yield from ((one, finding) for finding in found)
            if one.of is Of.DATABASE and any(finding.is_problem for finding in found):
                is_there[Of.DATABASE] = False  # what is wrong was said, and asking more of it may take long


def problem(asked: Asked, weight: Weight) -> Finding | None:
    """The first problem of this weight, or of a graver one."""
    return next((finding for _, finding in inspected(asked, weight) if finding.is_problem), None)


def claim(asked: Asked) -> None:
    """Let the database be this server's, as it starts, and remember which one it is. Raises ConfigurationError when it
    is another's, or cannot be used.
    """
    if (found := problem(asked, Weight.START)) is not None:
        raise ConfigurationError(found.words, found.remedy)
    with asked.database.transaction() as session:
        row = about(session)
        assert row is not None  # what `_emptied` has seen
        mine = {"key": fingerprint(asked.identity.key), "address": asked.identity.address.lower()}
        if (row.key, row.address) != (mine["key"], mine["address"]):
            change(session, **mine, claimed_at=row.claimed_at or asked.now)
        name = row.database
    if asked.home is not None and asked.mark != name:
        remember(asked.home, name)


def remember(home: Path, name: str) -> None:
    """Note in a server's folder which database it has. Raises ConfigurationError when that cannot be written."""
    file = home / MARK
    try:
        file.touch(mode=0o600)
        file.write_text(f"{name}\n", encoding="ascii")
    except OSError as error:
        raise not_written(file, error) from error


# what keeps a server from starting


def _database(asked: Asked) -> Iterator[Finding]:
    if not is_there(asked.database):
        yield _missing(asked, "there", f"{asked.shown} will be created when the server starts")
        return
    found = known_revision(asked.database) if not _is_empty_file(asked.database) else None
    if found is None:
        yield _missing(asked, "empty", f"{asked.shown} is empty; its tables are made when the server starts")
    elif found != revisions()[-1]:
        yield Finding("database", f"{asked.shown} is reachable; its schema will be migrated when the server starts")
    else:
        yield Finding("database", f"{asked.shown} is reachable and up to date")


def _is_empty_file(database: Database) -> bool:
    """Whether that is seen from outside: a server that still has the file open locks it."""
    return database.is_sqlite and not Path(str(database.url.database)).stat().st_size


def _missing(asked: Asked, how: str, fine: str) -> Finding:
    """A database without tables, which is right only for a server that never had one."""
    if not asked.mark:
        return Finding("database", fine)
    is_how = "is not there any more" if how == "there" else "has been emptied"
    return Finding("database", f"The database {asked.shown} {is_how}.", _RESTORE_OR_BEGIN)


_RESTORE_OR_BEGIN = f"{RESTORE} To begin anew without its games, delete the file {MARK} in the server's folder."


def _schema(asked: Asked) -> Iterator[Finding]:
    if not is_there(asked.database) or not asked.database.is_current():
        return
    if wrong := asked.database.altered():
        more = f" and {len(wrong) - 3} more" if len(wrong) > 3 else ""
        words = f"The database is not as gm made it: {', '.join(wrong[:3])}{more}."
        yield Finding("schema", words, RESTORE if lost(wrong) else COPY)


def _which_database(asked: Asked) -> Iterator[Finding]:
    with asked.database.reading() as session:
        row = about(session)
    if row is None:
        yield Finding("database", f"The database {asked.shown} has been emptied.", RESTORE)
    elif asked.mark and row.database != asked.mark:
        words = f"This is not the database that this server has had: {asked.shown} is another one."
        remedy = f"Correct `url` under [database] in gm.toml, or if it is meant, delete the file {MARK} beside it."
        yield Finding("database", words, remedy)


def _key(asked: Asked) -> Iterator[Finding]:
    with asked.database.reading() as session:
        row = about(session)
    if row is not None and row.key and row.key != fingerprint(asked.identity.key):
        words = "The database was made with another key: with this one all mail to seats would be refused."
        remedy = (
            "Put the right key back (from your backup: `tar -xzf BACKUP gm.key`), or the same one on every machine"
            " that uses this database. If it is lost, `gm move --key` gives every seat a new address."
        )
        yield Finding("key", words, remedy)


def _address(asked: Asked) -> Iterator[Finding]:
    with asked.database.reading() as session:
        row = about(session)
    own = asked.identity.addresses
    if row is not None and row.address and row.address not in own:
        words = f"The database is that of {row.address}, and gm.toml names {own[0]}."
        remedy = f"`gm move --address {own[0]}` moves it there; or write {row.address!r} under [server] again."
        yield Finding("address", words, remedy)


def _disk(asked: Asked) -> Iterator[Finding]:
    for path, why, remedy in unwritable((*_folders(asked), *_files(asked))):
        yield Finding("disk", f"{path} cannot be written: {why}.", remedy)
    for folder in _folders(asked):
        if shutil.disk_usage(folder).free < NO_BYTES:
            yield Finding("disk", f"The disk of {folder} is full.", _FREE)


_FREE = "Free some space: mail is not taken meanwhile, and other servers keep it and try again."


def _little(asked: Asked) -> Iterator[Finding]:
    for folder in _folders(asked):
        free = shutil.disk_usage(folder).free
        if NO_BYTES <= free < LITTLE_BYTES:
            yield Finding("space", f"Only {free // 1_000_000} MB are free in {folder}.", "Free some space.")
        elif free >= LITTLE_BYTES:
            yield Finding("space", f"{free // 1_000_000} MB are free in {folder}")


def _folders(asked: Asked) -> Sequence[Path]:
    """The folders that the server writes to."""
    own = [asked.home] if asked.home is not None else []
    if asked.database.is_sqlite:
        own.append(Path(str(asked.database.url.database)).parent)
    return tuple(dict.fromkeys(folder for folder in own if folder.is_dir()))


def _files(asked: Asked) -> Iterator[Path]:
    """The files that the server writes to, those of SQLite among them, whether they are there or not."""
    if asked.home is not None:
        yield asked.home / MARK
    yield from _database_files(asked)


def _database_files(asked: Asked) -> Iterator[Path]:
    if asked.database.is_sqlite:
        yield from (Path(f"{asked.database.url.database}{end}") for end in ("", "-wal", "-shm", ".lock"))


# what keeps it from working


def _clock(asked: Asked) -> Iterator[Finding]:
    with asked.database.reading() as session:
        last = newest_arrival(session)
    if last is not None and last > asked.now + BACK:
        words = f"It is {asked.now:%Y-%m-%d %H:%M} UTC here, but a mail came at {last:%Y-%m-%d %H:%M}."
        remedy = "Set the clock (`timedatectl set-ntp true`): deadlines wait for it, and mail gets wrong times."
        yield Finding("clock", words, remedy)


def _mailboxes(asked: Asked, *, taken: bool) -> Iterator[Finding]:
    """What the server itself meets when it reads them, where mail is `taken` in spite of it or not; `gm check` logs in
    to find out.
    """
    for folder in asked.folders:
        if folder.trouble and folder.taken is taken:
            remedy = "`gm check` tries the log-in: correct [imap], or see to the folders at the provider."
            yield Finding("imap", f"The mailbox {folder.name.removeprefix('imap ')}: {folder.trouble}", remedy)


# what the operator should know


def stamp(file: Path) -> str:
    """What differs when a file of settings has another content; "" if it cannot be read. Nothing can be found by it."""
    try:
        return hashlib.sha256(b"gm settings\n" + file.read_bytes()).hexdigest()
    except OSError:
        return ""


def _settings(asked: Asked) -> Iterator[Finding]:
    for file, was in asked.files.items():
        if stamp(file) != was:
            words = f"{file} is another one than the running server has read when it started."
            yield Finding("configuration", words, "`gm check` says whether it is right; then restart the server.")


def _backup(asked: Asked) -> Iterator[Finding]:
    with asked.database.reading() as session:
        row = about(session)
    if row is None:
        return
    last, since = row.backed_up_at, row.backed_up_at or row.claimed_at
    if since is not None and asked.now - since > BACKUP_AFTER:
        said = f"The last backup was made on {last:%Y-%m-%d}" if last else "No backup was ever made"
        yield Finding("backup", f"{said}.", "`gm backup FOLDER --keep 14`, daily: gm-backup.timer does it.")
    elif last is not None:
        yield Finding("backup", f"made at {last:%Y-%m-%d %H:%M} UTC: {row.backed_up_to}")


def _servers(asked: Asked) -> Iterator[Finding]:
    """Each part must be run by some server, if any is running."""
    if asked.database.is_sqlite:
        return
    running = parts_run(asked.database)
    if running and (missing := [part for part in Part if part not in running]):
        names = ", ".join(missing)
        yield Finding("servers", f"Nobody runs: {names}.", f"Start `gm serve --only {','.join(missing)}` somewhere.")
    else:
        yield Finding("servers", "every part is run" if running else "none is running")


_RUNNING = "Is `gm serve` running?"


def _inbox(asked: Asked) -> Iterator[Finding]:
    with asked.database.reading() as session:
        counts, oldest = inbox.counts(session), inbox.oldest_new(session)
        aside = inbox.in_states(session, InboxState.ASIDE, limit=1)
    if aside:
        newest = f"the newest of {aside[0].received_at:%Y-%m-%d %H:%M} UTC: {last_line(aside[0].note)}"
        words = f"{mails(counts[InboxState.ASIDE])} set aside, {newest}"
        yield Finding("inbox", words, "See `gm mail show`, then `gm mail replay` or `gm mail drop`.")
    elif oldest is not None and asked.now - oldest > LATE:
        yield Finding("inbox", f"A mail has waited since {oldest:%Y-%m-%d %H:%M} UTC.", _RUNNING)
    else:
        done = sum(counts[state] for state in ANSWERED)
        words = f"{mails(done)} processed, {counts[InboxState.NEW]} waiting, none set aside"
        yield Finding("inbox", words)


def _outbox(asked: Asked) -> Iterator[Finding]:
    now = asked.now
    with asked.database.reading() as session:
        counts, due, stuck = outbox.counts(session), outbox.wakes_at(session), refusals.stuck(session)
        refused, (refused_now, first) = outbox.failed(session, 1), outbox.refused_for_now(session)
        hanging, age = outbox.under_way(session, now), outbox.queue_age(session, now) or timedelta()
    waiting = f"the oldest waiting for {_words(age)}"
    if hanging:
        words = f"{mails(len(hanging))} under way for more than a minute, the first to {hanging[0].recipient}."
        remedy = "The mail server in [send], or theirs, may hang; see `gm mail show`."
        yield Finding("outbox", words, remedy, urgent=False)
    if stuck is not None:
        remedy = "Correct [send] or ask your mail provider, then `gm mail flush`."
        yield Finding("outbox", f"{stuck.problem} {stuck.words}", remedy)
    elif due is not None and now - due > LATE:
        yield Finding("outbox", f"{mails(counts[OutboxState.QUEUED])} to be sent, {waiting}.", _RUNNING)
    elif refused_now:
        words = f"{mails(refused_now)} refused for now, to be sent again, {waiting}: {_why(first)}"
        yield Finding("outbox", words, "See `gm mail show`, then `gm mail flush`.", urgent=age > LATE)
    elif refused:
        words = f"{mails(counts[OutboxState.FAILED])} given up, the last {_why(refused)}"
        yield Finding("outbox", words, "Check the address; see `gm mail show`.", urgent=False)
    else:
        yield Finding("outbox", f"{mails(counts[OutboxState.SENT])} sent, {counts[OutboxState.QUEUED]} waiting")


def _caps(asked: Asked) -> Iterator[Finding]:
    with asked.database.reading() as session:
        known = mail_servers.caps(session, asked.now)
    for cap in known:
        words = f"{cap.server} takes {cap.most} {cap.kind.words}; gm keeps to that until {cap.until:%H:%M} UTC"
        yield Finding("mail server", f'{words}. It said "{cap.words}".')


def _deadlines(asked: Asked) -> Iterator[Finding]:
    with asked.database.reading() as session:
        overdue = deadlines_due(session, asked.now - LATE)
    if overdue:
        yield Finding("deadlines", f"{len(overdue)} passed without being processed.", _RUNNING)


def rules_of_games(asked: Asked) -> Iterator[Finding]:
    """The rules of a game may be gone, or the file that says them be changed: it stands still until they are back."""
    with asked.database.reading() as session:
        used = rules_in_use(session)
    missing = False
    for rules, (name, number) in sorted(used.items()):
        try:
            variant(rules)
        except NoSuchEdition as error:
            missing = True
            more = f" and {number - 1} more" if number > 1 else ""
            yield Finding("games", f"{name}{more} cannot go on. {error.problem}", error.remedy)
    if not missing:
        yield Finding("games", f"{sum(number for _, number in used.values())} are going on, by rules that are here")


def _why(mails: Sequence[OutboxRow]) -> str:
    """Whose mails these are, and why they were refused, for the first three."""
    whose = [f"to {recipient}: {why}" for recipient, why in {one.recipient: one.last_error for one in mails}.items()]
    return "; ".join(whose[:3]) + ("; and more" if whose[3:] else "")


def last_line(text: str) -> str:
    """The last line of a note, which names the reason."""
    return (text.strip().splitlines() or ["no reason given."])[-1]


def mails(number: int) -> str:
    """So many mails, in words."""
    return "1 mail" if number == 1 else f"{number} mails"


def _words(length: timedelta) -> str:
    minutes = int(length.total_seconds()) // 60
    return f"{minutes} minutes" if minutes < 120 else f"{minutes // 60} hours"


INSPECTIONS = (
    Inspection("disk", "Can the server write?", Weight.START, _disk, Of.MACHINE),
    Inspection("database", "Can the database be read, and are its tables there?", Weight.START, _database, Of.DATABASE),
    Inspection("schema", "Is its schema as gm made it?", Weight.START, _schema, Of.DATABASE),
    Inspection("database", "Is it the one that this server has had?", Weight.START, _which_database),
    Inspection("key", "Is this the key with which the addresses of its seats were made?", Weight.START, _key),
    Inspection("address", "Is this the address that its players know?", Weight.START, _address),
    Inspection("clock", "Is it later than what happened already?", Weight.WORK, _clock),
    Inspection("imap", "Can the mailbox be read?", Weight.WORK, partial(_mailboxes, taken=False), Of.MACHINE),
    Inspection("imap", "Is its mail moved away?", Weight.TELL, partial(_mailboxes, taken=True), Of.MACHINE),
    Inspection("configuration", "Are its files those that it has read?", Weight.TELL, _settings, Of.MACHINE),
    Inspection("space", "Is there room for the next weeks?", Weight.TELL, _little, Of.MACHINE),
    Inspection("backup", "Was a backup made within a week?", Weight.TELL, _backup),
    Inspection("servers", "Is every part run by some server?", Weight.TELL, _servers),
    Inspection("inbox", "Is mail that arrives dealt with?", Weight.TELL, _inbox),
    Inspection("outbox", "Is mail sent?", Weight.TELL, _outbox),
    Inspection("mail server", "What does the mail server take at most?", Weight.TELL, _caps),
    Inspection("deadlines", "Are deadlines met?", Weight.TELL, _deadlines),
    Inspection("games", "Are the rules of its games here?", Weight.TELL, rules_of_games),
)
"""All of them, in the order in which problems should be solved."""
