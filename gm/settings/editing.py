"""One value of a configuration file is replaced, and every other line of it stays as it is."""

from __future__ import annotations

import json
import os
import re
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path

from gm.errors import ConfigurationError


def with_value(text: str, section: str, key: str, value: str | int | list[str]) -> str:
    """The text of a TOML file in which `[section] key` is `value`. Raises ConfigurationError when that cannot be done
    by changing one line.
    """
    lines = text.splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    _put(lines, section, key, f"{key} = {json.dumps(value, ensure_ascii=False)}\n")
    changed = "".join(lines)
    try:
        wanted = tomllib.loads(text)
        wanted[section] = {**wanted.get(section, {}), key: value}
        right = tomllib.loads(changed) == wanted
    except (tomllib.TOMLDecodeError, TypeError, RecursionError):
        right = False
    if not right:
        raise ConfigurationError(f"[{section}] {key} cannot be changed by a program.", "Edit the file by hand.")
    return changed


_REACHES_OUT = ("command", "host", "provider")
_PATH_OUTSIDE = re.compile(r"[/~]|(?:.*/)?\.\.(?:/|\Z)")
_SECRET = ("password", "secret", "seed", "url")


def text_in(file: Path) -> str:
    """What is in a configuration file. Raises OSError, and ConfigurationError if it is not UTF-8."""
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        problem = f"{str(file)!r} is not UTF-8 at byte {error.start:,}: {error.object[error.start : error.end]!r}."
        raise ConfigurationError(problem, "Save it as UTF-8, which TOML is written in.") from error


def outside_in(file: Path) -> list[tuple[str, str]]:
    """What a server with this configuration would run, the machines it would connect to, and the files it would use
    outside its folder, with where each stands (`[imap] password_command`), however it is written. Raises
    ConfigurationError for a file that is not TOML, or has keys of many parts: gm's have two.
    """
    text = text_in(file)
    if (key := _DOTTED.search(text)) is not None:
        raise ConfigurationError(f"{str(file)!r} has a key of too many parts ({key[0][:20]}...).", "Edit it by hand.")
    try:
        values = list(_walked((), tomllib.loads(text)))
    except (ValueError, RecursionError) as error:  # also of a number of thousands of digits
        raise ConfigurationError(f"{str(file)!r} is not TOML ({error}).", "Edit it by hand.") from error
    named = [(where, value) for where, value in values if not where.endswith(_SECRET)]
    return [one for one in named if one[0].endswith(_REACHES_OUT) or _PATH_OUTSIDE.match(one[1].strip())]


_DOTTED = re.compile(r"(?<![\w.\"'-])(?:(?:[\w-]++|\"[^\"\n]*+\"|'[^'\n]*+')[ \t]*+\.[ \t]*+){20}")


def _walked(path: tuple[str, ...], value: object) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _walked((*path, key), inner)
    else:
        yield repr(f"[{'.'.join(path[:-1])}] {path[-1]}")[1:-1], str(value)


def _put(lines: list[str], section: str, key: str, line: str) -> None:
    heads = [number for number, one in enumerate(lines) if one.lstrip().startswith("[")]
    begin = next((one for one in heads if re.match(rf"\s*\[\s*{re.escape(section)}\s*\]", lines[one])), None)
    if begin is None:
        lines += [f"\n[{section}]\n", line]
        return
    end = next((one for one in heads if one > begin), len(lines))
    inside = range(begin + 1, end)
    set_or_off = (rf"\s*{mark}{re.escape(key)}\s*=" for mark in ("", r"#\s*"))
    places = (one for pattern in set_or_off for one in inside if re.match(pattern, lines[one]))
    place = next(places, None)
    if place is None:
        lines.insert(begin + 1, line)
    else:
        lines[place] = line


def change(file: Path, section: str, key: str, value: str | int | list[str]) -> None:
    """Replace one value in a file, which is whole at any time and keeps its mode. Raises ConfigurationError."""
    try:
        text = with_value(text_in(file), section, key, value)
        descriptor, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
        with os.fdopen(descriptor, "w", encoding="utf-8") as new:
            new.write(text)
        Path(name).chmod(file.stat().st_mode & 0o777)
        Path(name).replace(file)
    except OSError as error:
        raise ConfigurationError(f"{str(file)!r} cannot be written ({error.strerror}).", "Edit it by hand.") from error


def write_private(path: Path, text: str) -> None:
    """Create `path`, readable by its owner only; an existing file is never touched, and half a one not left."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError:
        path.unlink()
        raise
