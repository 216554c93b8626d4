"""What `gm check` says of files and folders: those that must be private, the gallery, which must not, and certificates
that others must believe.
"""

from __future__ import annotations

import ssl
import stat
from collections.abc import Iterator
from contextlib import suppress

from gm.errors import GmError
from gm.mail.transport.listener import tls_of
from gm.ownership import strangers
from gm.server.condition import Finding
from gm.settings import Settings
from gm.store.database import RESTORE, Database


def files(settings: Settings) -> Iterator[Finding]:
    """Secrets must be readable only by the server's user, and the folder writable.

    The database contains orders and press: others may have read permission for it only if they cannot enter the folder.
    """
    inside = [path for path in sorted(settings.home.iterdir()) if path.is_file()]
    closed = not settings.home.stat().st_mode & 0o077
    wrong = False
    for path in dict.fromkeys((*settings.secret_files, *(() if closed else inside))):
        mode = stat.S_IMODE(path.stat().st_mode)
        if mode & 0o077:
            wrong = True
            yield Finding("files", f"{path} can be read by others (mode {mode:04o}).", f"chmod 600 {path}")
    for path, why, remedy in strangers(dict.fromkeys((*settings.secret_files[:2], *inside))):
        wrong = True
        yield Finding("files", f"{path} is not its folder's: {why}.", remedy)
    if not wrong:
        yield Finding("files", f"{settings.home}, its key and its passwords are private")


def gallery(settings: Settings) -> Iterator[Finding]:
    """The gallery must be a folder of its own that the server can write and a web server can read."""
    folder = settings.gallery
    if folder is None:
        return
    from gm.gallery import closed_to_others, require_usable  # not loaded for servers without one

    require_usable(folder)
    closed = closed_to_others(folder)
    if closed is None:
        yield Finding("gallery", f"{folder} can be written")
    else:
        problem = f"A web server of another user cannot read {folder}: {closed} is closed to others."
        yield Finding("gallery", problem, "Name another folder, such as /var/www/gm.", urgent=False)


def certificate(settings: Settings) -> Iterator[Finding]:
    """The listener's certificate, as a mail server that knows it sees it: within the time for which it was given."""
    listen = settings.listen
    if listen is None or listen.tls_certificate is None or (own := tls_of(listen)) is None:
        return
    client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    client.check_hostname, client.verify_flags = False, client.verify_flags | ssl.VERIFY_X509_PARTIAL_CHAIN
    client.load_verify_locations(cafile=listen.tls_certificate)
    there, here = ssl.MemoryBIO(), ssl.MemoryBIO()
    ends = client.wrap_bio(there, here), own.wrap_bio(here, there, server_side=True)
    try:
        for end in (*ends, *ends):
            with suppress(ssl.SSLWantReadError):
                end.do_handshake()
    except ssl.SSLCertVerificationError as error:
        problem = f"{listen.tls_certificate} is not valid: {error.verify_message}."
        yield Finding("certificate", problem, "Renew it, and restart the server.")
        return
    until = dict(ends[0].getpeercert() or {}).get("notAfter")
    yield Finding("certificate", f"{listen.tls_certificate} is valid until {until}")


def damage(database: Database) -> Iterator[Finding]:
    """A SQLite file must be whole in all its pages, also those that are seldom read."""
    if not database.is_sqlite:
        return
    try:
        wrong = database.damage()
    except GmError as error:
        wrong = error.problem
    if wrong:
        yield Finding("database", f"The database is damaged: {wrong}.", RESTORE)
