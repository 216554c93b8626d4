"""Settings: one frozen value, read from `gm.toml` in the server's home folder and from the environment.

Every key can be overridden by an environment variable GM_<SECTION>_<KEY> (GM_LISTEN_PORT=2525); lists are written with
commas there. Relative paths are taken from the home folder. Anything wrong is a ConfigurationError that quotes where
it stands, the key and the value, and says what was expected; an unknown key is refused and the nearest known one named.

Place: below everything else. It reads files and the environment and knows no other part of gm.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Literal, cast
from zoneinfo import ZoneInfo

from gm.errors import ConfigurationError
from gm.section import Section, Tls, is_address, nearest

CONFIGURATION = "gm.toml"
"""The name of the configuration file in the home folder."""

_UTC = ZoneInfo("UTC")

KEY_BYTES = 32
"""The least length of the server's key, from which the tokens of the seats are made."""

_DRIVERS = {"postgresql://": "postgresql+psycopg://", "postgres://": "postgresql+psycopg://"}


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """Who the server is. `address` is its own mail address, without a plus: seats add `+game.token` to it."""

    address: str
    name: str = "Diplomacy gamemaster"
    operator: str | None = None
    """Who is told of mail that was set aside; nobody when None."""
    zone: ZoneInfo = _UTC
    """The zone of players who never named their own."""
    gamemasters: tuple[str, ...] = ("*",)
    """Addresses (lower case) that may create games; "*" is anyone."""


@dataclass(frozen=True, slots=True)
class DatabaseSettings:
    """`url` as SQLAlchemy reads it, a SQLite path in it made absolute."""

    url: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class ListenSettings:
    """The server's own listener. `port` 0 takes any free port; `max_size` is in bytes."""

    protocol: Literal["smtp", "lmtp"] = "smtp"
    host: str = "127.0.0.1"
    port: int = 2525
    max_size: int = 1_000_000


@dataclass(frozen=True, slots=True)
class ImapSettings:
    """The mailbox that is read by IMAP; done mail is moved to `done_folder`."""

    host: str
    user: str
    password: str = field(repr=False)
    port: int = 993
    tls: Tls = "implicit"
    folder: str = "INBOX"
    done_folder: str = "Done"
    poll_seconds: int = 300


@dataclass(frozen=True, slots=True)
class SendSettings:
    """How mail leaves: `smtp` to a mail server, or `maildir`: one Maildir for each recipient below `maildir`."""

    maildir: Path
    kind: Literal["smtp", "maildir"] = "maildir"
    host: str = "127.0.0.1"
    port: int = 25
    tls: Tls = "none"
    user: str | None = None
    password: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class ClockSettings:
    """`catch_up`: what happens to deadlines that passed while the server was down; `extend` adds `extend_hours`."""

    catch_up: Literal["adjudicate", "extend"] = "adjudicate"
    poll_seconds: int = 60
    extend_hours: int = 24


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything the operator decides. `home` is absolute; at least one of `listen` and `imap` is not None."""

    home: Path
    server: ServerSettings
    key: bytes = field(repr=False)
    database: DatabaseSettings
    send: SendSettings
    listen: ListenSettings | None = None
    imap: ImapSettings | None = None
    clock: ClockSettings = ClockSettings()
    secret_files: tuple[Path, ...] = ()
    """The files that the settings were read from: the configuration, the key, the passwords."""


_SECTIONS: Mapping[str, tuple[str, ...]] = {
    "server": (*(f.name for f in fields(ServerSettings)), "key_file"),
    "database": tuple(f.name for f in fields(DatabaseSettings)),
    "listen": tuple(f.name for f in fields(ListenSettings)),
    "imap": (*(f.name for f in fields(ImapSettings)), "password_file", "password_command"),
    "send": (*(f.name for f in fields(SendSettings)), "password_file", "password_command"),
    "clock": tuple(f.name for f in fields(ClockSettings)),
}


def load(home: Path | str, environment: Mapping[str, str] = os.environ) -> Settings:
    """The settings of the server whose folder is `home` (or whose configuration file it is).

    Raises ConfigurationError.
    """
    path = Path(home).expanduser().absolute()
    file = path if path.suffix == ".toml" else path / CONFIGURATION
    folder = file.parent
    sections = {name: Section(name, file, keys) for name, keys in _SECTIONS.items()}
    _take_file(file, sections)
    _take_environment(environment, sections)

    listen = sections["listen"]
    imap = sections["imap"]
    return Settings(
        home=folder,
        server=_server(sections["server"]),
        key=_key(sections["server"], folder),
        database=_database(sections["database"], folder),
        send=_send(sections["send"], folder),
        listen=_listen(listen) if listen.present or not imap.present else None,
        imap=_imap(imap, folder) if imap.present else None,
        clock=_clock(sections["clock"]),
        secret_files=(file, _key_file(sections["server"], folder), *_password_files(folder, imap, sections["send"])),
    )


# ---- the sections


def _server(section: Section) -> ServerSettings:
    given = section.listed("gamemasters", ("*",))
    for one in given:
        if one != "*" and not is_address(one, plus=True):
            section.refuse("gamemasters", 'mail addresses, or "*" for anyone')
    return ServerSettings(
        address=section.address("address") or section.missing("address", "the mail address of this server"),
        name=section.text("name", "Diplomacy gamemaster"),
        operator=section.address("operator", plus=True),
        zone=section.zone("zone", _UTC),
        gamemasters=tuple(one.lower() for one in given),
    )


def _key_file(section: Section, home: Path) -> Path:
    return home / section.text("key_file", "gm.key")


def _password_files(home: Path, *sections: Section) -> tuple[Path, ...]:
    names = (section.text("password_file") for section in sections)
    return tuple(home / name for name in names if name)


def _key(section: Section, home: Path) -> bytes:
    path = _key_file(section, home)
    try:
        key = bytes.fromhex(path.read_text(encoding="ascii"))
    except OSError as error:
        raise ConfigurationError(
            f"The server key {str(path)!r} cannot be read ({error.strerror}).",
            "`gm init` writes one; an existing server needs the key it began with, or every seat gets a new address.",
        ) from error
    except ValueError as error:
        raise ConfigurationError(
            f"The server key {str(path)!r} is not a line of hexadecimal digits.", "Restore it from your backup."
        ) from error
    if len(key) < KEY_BYTES:
        raise ConfigurationError(
            f"The server key {str(path)!r} holds {len(key)} bytes.", f"Expected at least {KEY_BYTES}."
        )
    return key


def _database(section: Section, home: Path) -> DatabaseSettings:
    url = section.text("url", "sqlite:///gm.sqlite3")
    for short, full in _DRIVERS.items():
        if url.startswith(short):
            url = full + url.removeprefix(short)
    if url.startswith("postgresql+psycopg://"):
        return DatabaseSettings(url)
    file = url.removeprefix("sqlite:///")
    if file in ("", url) or file.startswith(":"):
        section.refuse("url", "sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME")
    return DatabaseSettings(f"sqlite:///{home / file}")


def _listen(section: Section) -> ListenSettings:
    default = ListenSettings()
    return ListenSettings(
        protocol=cast(Literal["smtp", "lmtp"], section.choice("protocol", ("smtp", "lmtp"), default.protocol)),
        host=section.text("host", default.host),
        port=section.integer("port", default.port, 0, 65535),
        max_size=section.integer("max_size", default.max_size, 10_000, 100_000_000),
    )


def _imap(section: Section, home: Path) -> ImapSettings:
    tls = section.tls("implicit")
    settings = ImapSettings(
        host=section.text("host") or section.missing("host", "the name of the IMAP server"),
        user=section.text("user") or section.missing("user", "the name the mailbox is opened with"),
        password=section.password(home) or section.missing("password", "the password of the mailbox"),
        port=section.integer("port", 993 if tls == "implicit" else 143, 1, 65535),
        tls=tls,
        folder=section.text("folder", "INBOX"),
        done_folder=section.text("done_folder", "Done"),
        poll_seconds=section.integer("poll_seconds", 300, 1, 86_400),
    )
    section.guard_password(settings.host, tls)
    return settings


def _send(section: Section, home: Path) -> SendSettings:
    kind = cast(Literal["smtp", "maildir"], section.choice("kind", ("smtp", "maildir"), "maildir"))
    tls = section.tls("none")
    settings = SendSettings(
        maildir=home / section.text("maildir", "mail"),
        kind=kind,
        host=section.text("host", "127.0.0.1"),
        port=section.integer("port", {"implicit": 465, "starttls": 587, "none": 25}[tls], 1, 65535),
        tls=tls,
        user=section.text("user") or None,
        password=section.password(home),
    )
    if settings.user and settings.password is None:
        section.missing("password", f"the password of {settings.user!r}")
    if settings.password is not None:
        if not settings.user:
            section.missing("user", "the name that goes with the password")
        section.guard_password(settings.host, tls)
    return settings


def _clock(section: Section) -> ClockSettings:
    default = ClockSettings()
    catch_up = section.choice("catch_up", ("adjudicate", "extend"), default.catch_up)
    return ClockSettings(
        catch_up=cast(Literal["adjudicate", "extend"], catch_up),
        poll_seconds=section.integer("poll_seconds", default.poll_seconds, 1, 3600),
        extend_hours=section.integer("extend_hours", default.extend_hours, 1, 24 * 90),
    )


# ---- reading


def _take_file(file: Path, sections: Mapping[str, Section]) -> None:
    try:
        content = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise ConfigurationError(
            f"There is no configuration file {str(file)!r}.",
            "Make one with `gm init`, or name the server's folder with --home or GM_HOME.",
        ) from error
    except OSError as error:
        raise ConfigurationError(
            f"{str(file)!r} cannot be read ({error.strerror}).", "Mend its owner or mode."
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigurationError(
            f"{str(file)!r} is not TOML: {error}.", "Texts stand in quotes, sections in [ ]."
        ) from error
    for name, values in content.items():
        if name not in sections:
            raise ConfigurationError(f"{file}: unknown section or key {name!r}.", nearest(name, sections))
        if not isinstance(values, dict):
            raise ConfigurationError(
                f"{file}: {name} = {values!r} is no section.", f"Expected a line [{name}] with keys below."
            )
        for key, value in values.items():
            sections[name].take(key, value, f"{file}, [{name}] {key}")
        sections[name].present = True


def _take_environment(environment: Mapping[str, str], sections: Mapping[str, Section]) -> None:
    for variable, value in sorted(environment.items()):
        gm, _, rest = variable.partition("_")
        name, _, key = rest.lower().partition("_")
        if gm == "GM" and key and name in sections:
            sections[name].take(key, value, f"environment, {variable}")
            sections[name].present = True
