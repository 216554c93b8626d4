"""Which folders can be the gallery's."""

from __future__ import annotations

import os
from pathlib import Path

from gm.errors import ConfigurationError

MARK = ".gm-site"
"""The file that makes a folder a site."""


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
    if not os.access(there, os.W_OK | os.X_OK):
        raise ConfigurationError(f"{str(there)!r} cannot be written.", "Run gm as its owner, or chown it.")


def cannot_be_written(folder: Path, error: OSError) -> ConfigurationError:
    """The error for a folder in which something could not be written."""
    return ConfigurationError(f"{str(folder)!r} cannot be written ({error.strerror}).")


def closed_to_others(folder: Path) -> Path | None:
    """The folder above it, or itself, that users other than the server's cannot enter; None if all can be."""
    above = [path for path in (*reversed(folder.parents), folder) if path.exists()]
    return next((path for path in above if not path.stat().st_mode & 0o001), None)
