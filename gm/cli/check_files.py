"""What `gm check` says of files and folders: those that must be private, and the gallery, which must not."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from dataclasses import dataclass

from gm.settings import Settings


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report. Without a `remedy` there is no problem; one that is not `urgent` is advice."""

    subject: str
    words: str
    remedy: str = ""
    urgent: bool = True

    def __str__(self) -> str:
        mark = "ok" if not self.remedy else "FIX" if self.urgent else "note"
        return f"{mark:<5} {self.subject:<14} {self.words}{' ' if self.remedy else ''}{self.remedy}"


def files(settings: Settings) -> Iterator[Finding]:
    """Secrets must be readable only by the server's user, and the folder writable.

    The database contains orders and press: others may have read permission for it only if they cannot enter the folder.
    """
    inside = [path for path in sorted(settings.home.iterdir()) if path.is_file()]
    closed = not settings.home.stat().st_mode & 0o077
    for path in dict.fromkeys((*settings.secret_files, *(() if closed else inside))):
        mode = stat.S_IMODE(path.stat().st_mode)
        if mode & 0o077:
            yield Finding("files", f"{path} can be read by others (mode {mode:04o}).", f"chmod 600 {path}")
        if path.stat().st_uid not in (os.geteuid(), 0):
            yield Finding("files", f"{path} belongs to another user.", "Run gm as its owner, or chown it.")
    if not os.access(settings.home, os.W_OK | os.X_OK):
        yield Finding("files", f"{settings.home} cannot be written.", "Run gm as its owner, or chown it.")
    free = shutil.disk_usage(settings.home).free
    if free < 100_000_000:
        yield Finding("files", f"Only {free // 1_000_000} MB are free in {settings.home}.", "Free some space.")
    else:
        yield Finding("files", f"{settings.home} is writable, {free // 1_000_000} MB free")


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
