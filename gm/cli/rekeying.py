"""`gm move --address` and `gm move --key`: the server's address, or its key, is another from now on.

What has been sent stays good. Mail to seats at the old address is for the same seats, as long as the old address is in
`also`. With another key every seat has another address; the old one counts for whoever held the seat, if the mail is
proved to be theirs, or they confirm it, as after any change of a seat's address (`gm.play.seat_addresses`).
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from gm.cli import at, load
from gm.cli.service import service_of
from gm.errors import ConfigurationError, NotNow
from gm.play.rekeying import renew_all
from gm.server import Server
from gm.server.condition import Weight, inspected
from gm.settings import KEY_BYTES, NoKey, Settings
from gm.settings.editing import change, write_private
from gm.store.about import about, fingerprint
from gm.store.about import change as change_about
from gm.store.copying import require_current
from gm.store.database import Database
from gm.store.presence import no_server


@contextmanager
def standing_still(database: Database) -> Iterator[None]:
    """Within the block no server works at the database. Raises NotNow when one is running."""
    with no_server(database) as alone:
        if not alone:
            raise NotNow("A server is running at this database.", "Stop it first: `systemctl stop gm`.")
        yield


@contextmanager
def _stopped(settings: Settings, but: str) -> Iterator[Server]:
    """The server, stopped, whose database is its own, whatever there is to say about `but`."""
    server = service_of(settings)
    with server.database as database:
        require_current(database)
        with standing_still(database):
            for one, finding in inspected(server.asked(), Weight.START):
                if finding.is_problem and one.name != but:
                    raise ConfigurationError(finding.words, finding.remedy)
            yield server


def to_address(settings: Settings, new: str) -> int:
    """Have the configuration name the new address, and the old one in `also`."""
    if "GM_SERVER_ADDRESS" in os.environ:
        raise ConfigurationError("The environment names the address.", "Remove GM_SERVER_ADDRESS first.")
    with _stopped(settings, "address") as server:
        with server.database.reading() as session:
            row = about(session)
        before = [row.address] if row is not None and row.address else []
        if {new.lower()} == {settings.server.address.lower(), *before}:
            raise NotNow(f"The server's address is {new} already.", "Name the new one.")
        olds = dict.fromkeys(one.lower() for one in (settings.server.address, *before, *settings.server.also))
        also = [one for one in olds if one != new.lower()]
        file = settings.secret_files[0]
        change(file, "server", "also", also)
        change(file, "server", "address", new)
        with server.database.transaction() as session:
            change_about(session, address=new.lower())
    print(f"The server's address is {new}. Mail to {', '.join(also)} still counts, as long as it arrives here;")
    print("whoever writes there is told the new address. Next:")
    print(
        f"  - have the mail server in front deliver {new} and {new.replace('@', '+anything@')} to gm, and the old ones"
    )
    print(
        "  - publish SPF, DKIM and DMARC records for its domain; correct [imap] and [send], if the mailbox is another"
    )
    print(f"  - `gm check {at(settings.home)}`, and start the server")
    return 0


def to_key(settings: Settings) -> int:
    """Give every seat an address of a new key, or of the present one if the database has another; tell the players."""
    with _stopped(settings, "key") as server:
        with server.database.reading() as session:
            row = about(session)
        if renewed := row is not None and row.key in ("", fingerprint(settings.key)):
            settings = _with_new_key(settings)
            server = replace(server, identity=service_of(settings).identity)
        with server.transaction() as tx:
            many = renew_all(tx)
            change_about(tx.session, key=fingerprint(server.identity.key))
    print(f"{many} seats have new addresses; their players are told when the server runs. The old ones count only for")
    old = ", and delete the old key" if renewed else ""
    print(f"who held them, with proof (DKIM, SPF) or when confirmed. Make a backup now{old}.")
    return 0


def _with_new_key(settings: Settings) -> Settings:
    """The same server with another key."""
    _write_key(settings.secret_files[1])
    return load(settings.home)


def with_a_key(home: Path) -> Settings:
    """The settings of a server; one whose key is lost gets another, which is not the database's."""
    try:
        return load(home)
    except NoKey as error:
        _write_key(error.file)
        return load(home)


def _write_key(file: Path) -> None:
    """Write a new key; what there was stays beside it."""
    kept = file.with_name(f"{file.name}.until-{datetime.now(UTC):%Y-%m-%d-%H%M%S}")
    new = file.with_name(f"{file.name}.new")
    try:
        new.unlink(missing_ok=True)  # of a command that was ended in between
        write_private(new, secrets.token_hex(KEY_BYTES) + "\n")
        was_there = file.exists()
        if was_there:
            kept.hardlink_to(file)
        new.replace(file)
    except OSError as error:
        where = str(error.filename)
        raise ConfigurationError(f"{where!r} cannot be written ({error.strerror}).", "Make room there.") from error
    print(f"{file} has a new key." + (f" What was there is {kept}." if was_there else ""))
