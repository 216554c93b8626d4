"""Whether files and folders can be read and written by the user who runs gm; if not, whose they are and what to run."""

from __future__ import annotations

import errno
import os
import pwd
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from gm.errors import ConfigurationError


class Hindrance(NamedTuple):
    """Why a file is closed to the user who runs gm: whose it is, and its mode; and what to run."""

    path: Path
    why: str
    remedy: str


def unwritable(paths: Iterable[Path]) -> Iterator[Hindrance]:
    """Those of these files and folders that cannot be written. What does not exist is left out."""
    effective = os.access in os.supports_effective_ids
    for path in paths:
        wanted = os.W_OK | (os.X_OK if path.is_dir() else os.R_OK)
        if path.exists() and not os.access(path, wanted, effective_ids=effective):
            yield hindrance(path)


def strangers(paths: Iterable[Path]) -> Iterator[Hindrance]:
    """Those of these files that belong to somebody else than their folder does, for root, to whom none is closed."""
    for path in paths if os.geteuid() == 0 else ():
        if path.exists() and path.stat().st_uid != path.parent.stat().st_uid:
            yield hindrance(path)


def hindrance(path: Path) -> Hindrance:
    """Who owns a path that is closed, or the innermost folder above it that can be seen, and what opens it."""
    seen = next(one for one in (path, *path.parents) if _is_seen(one))
    if os.statvfs(seen).f_flag & os.ST_RDONLY:
        remedy = f"`dmesg` says why; `findmnt -T {seen}` names the file system, and `mount -o remount,rw` opens it."
        return Hindrance(path, "its file system is mounted read-only", remedy)
    status, above, user = seen.stat(), seen.parent.stat(), os.geteuid()
    owner, folder = user_name(status.st_uid), user_name(above.st_uid)
    which = f"{seen} belongs" if seen != path else "it belongs"
    why = f"{which} to {owner}, with mode {stat.S_IMODE(status.st_mode):04o}, and gm runs as {user_name(user)}"
    if not seen.is_dir() and status.st_uid != above.st_uid:
        closed = "" if status.st_mode & stat.S_IRUSR and status.st_mode & stat.S_IWUSR else f", `chmod u+rw {seen}`"
        return Hindrance(path, why, f"As root: `chown {folder} {seen}`{closed}.")
    if status.st_uid == user:
        return Hindrance(path, why, f"`chmod u+rwX {seen}`.")
    home = seen if seen.is_dir() else seen.parent
    remedy = f"Run gm as its owner: `runuser -u {owner} -- gm ...`; or, as root, `chown -R {user_name(user)} {home}`."
    return Hindrance(path, why, remedy)


def not_written(path: Path, error: OSError) -> ConfigurationError:
    """The error that a file cannot be written, in the words in which `gm check` says it."""
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        found = hindrance(path)
        return ConfigurationError(f"{path} cannot be written: {found.why}.", found.remedy)
    return ConfigurationError(f"{path} cannot be written: {error.strerror}.", "Free some space there.")


def closed(what: str, path: Path, error: PermissionError) -> ConfigurationError:
    """The error that a file, named by what it is, cannot be read, with what opens it."""
    found = hindrance(path)
    return ConfigurationError(f"{what}{str(path)!r} cannot be read ({error.strerror}): {found.why}.", found.remedy)


def user_name(number: int) -> str:
    """The name of a user; the number if it has none."""
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)


def _is_seen(path: Path) -> bool:
    try:
        path.stat()
    except OSError:
        return False
    return True
