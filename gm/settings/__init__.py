"""Settings: one frozen value, read from `gm.toml` in the server's home folder and from the environment.

Every key can be overridden by an environment variable GM_<SECTION>_<KEY> (GM_LISTEN_PORT=2525), in which lists are
separated by commas. Relative paths start at the home folder. Every mistake raises a ConfigurationError that quotes the
place, the key and the value, and says what was expected; for an unknown key the nearest known one is suggested.

This module defines the sections and keys and what they mean; `section` reads the values.

Long because every section is defined here, with what each key means and how it is parsed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Literal, cast
from zoneinfo import ZoneInfo

from gm.errors import ConfigurationError
from gm.mail.message.addresses import parse_address
from gm.mail.message.trace import THIS_MACHINE, Relays
from gm.ownership import closed
from gm.settings.providers import PROVIDERS
from gm.settings.section import Secret, Section, Tls, TokenSettings, is_loopback, take_environment, take_file

CONFIGURATION = "gm.toml"
"""The name of the configuration file in the home folder."""

_UTC = ZoneInfo("UTC")

KEY_BYTES = 32
"""The minimum length of the server's key, from which the seats' tokens are derived."""

SEED_BYTES = 16
"""The minimum length of a seed for random draws."""

_DRIVERS = {"postgresql://": "postgresql+psycopg://", "postgres://": "postgresql+psycopg://"}


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """The server's identity. `address` is its mail address, without a plus sign: seats add `+game.token` to it."""

    address: str
    also: tuple[str, ...] = ()
    """Earlier addresses of this server, at which mail still arrives."""
    name: str = "Diplomacy gamemaster"
    operator: str | None = None
    """The address that is notified of mail that was set aside."""
    zone: ZoneInfo = _UTC
    """The time zone of players who have not set their own."""
    gamemasters: tuple[str, ...] = ("*",)
    """Addresses (lower case) that may create games; "*" means anyone."""
    limits: int = 1
    """The factor by which the budgets in docs/limits.md are multiplied; 0: no limits."""
    plus_addressing: bool = True
    """Whether mail for `gm+game.token@host` arrives too; otherwise seats are told apart by the name of the address."""
    keep_days: int = 0
    """The number of days after which the content of processed mails is deleted; 0: it is kept."""
    processes: int = 1
    """How many processes the server has: the first takes and sends mail; others, if any, write the reports."""
    log: str = "logfmt"
    """The form of the log: "logfmt" or "json"."""
    rehearsal_seed: bytes = field(default=b"", repr=False)
    """For demonstrations and tests only: the seeds of new games are derived from it, so that their random draws are
    predictable. Without it every game has a secret random seed."""


@dataclass(frozen=True, slots=True)
class DatabaseSettings:
    """`url` in SQLAlchemy's form, with an absolute path for SQLite."""

    url: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class ListenSettings:
    """The server's own listener. `port` 0 means any free port; `max_size` is in bytes."""

    protocol: Literal["smtp", "lmtp"] = "smtp"
    host: str = "127.0.0.1"
    port: int = 2525
    max_size: int = 1_000_000
    per_peer: int = 20
    """The most connections from one address, or from one /64 of IPv6, at a time; our own relays have no limit."""
    retry_seconds: int = 4300
    """When a mail server in front tries again at the latest (of Postfix); 0: there is none."""
    tls_certificate: Path | None = None
    """The certificate chain (PEM); with it and `tls_key` STARTTLS is offered."""
    tls_key: Path | None = None


@dataclass(frozen=True, slots=True)
class ImapSettings:
    """The mailbox that is read by IMAP; processed mail is moved to `done_folder`.

    `oauth2` yields the access token that replaces the password.
    """

    host: str
    user: str
    password: str = field(repr=False)
    port: int = 993
    tls: Tls = "implicit"
    folder: str = "INBOX"
    done_folder: str = "Done"
    spam_folder: str | None = None
    """Where the provider puts what it takes for spam: mail there to a seat's own address is read as well."""
    poll_seconds: int = 300
    oauth2: Secret | TokenSettings | None = None


@dataclass(frozen=True, slots=True)
class SendSettings:
    """How mail is sent: `smtp` to a mail server, or `maildir`: one Maildir for each recipient below `maildir`."""

    maildir: Path
    kind: Literal["smtp", "maildir"] = "maildir"
    host: str = "127.0.0.1"
    port: int = 25
    tls: Tls = "none"
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    oauth2: Secret | TokenSettings | None = None
    connections: int = 8
    """The number of mails that are sent at once."""
    per_domain: int = 2
    """How many of them may go to recipients of one domain, so that one slow server does not delay everybody else's
    mail.
    """
    per_hour: int = 0
    """The most mails per hour, as the provider allows; 0: no limit."""
    per_day: int = 0
    """The most mails in any 24 hours."""
    provider: str | None = None
    """The provider whose server and limits stand where none are given (`gm.settings.providers`)."""
    dkim_selector: str | None = None
    """With it and `dkim_key` outgoing mail is signed for the domain of the server's address (RFC 6376)."""
    dkim_key: Path | None = None


Level = Literal["open", "normal", "strict"]


@dataclass(frozen=True, slots=True)
class TrustSettings:
    """Which senders are trusted. `level` is the main choice; `gm.inbound.identification` says what it means.

    `authserv_ids` (lower case) are the servers in front of us whose Authentication-Results are trusted (RFC 8601).
    They count where the servers in `relays` and we alone can have written, or, if `results_below`, also below that:
    then a mail for which the server in front wrote none can bring its own.
    `verify` says which mail the SMTP listener verifies itself (DKIM, SPF, DMARC): what is not from `relays`, all, or
    none. Unless it is none, DKIM is verified in what came from them, or lay in a mailbox, too.
    """

    level: Level = "normal"
    authserv_ids: tuple[str, ...] = ()
    results_below: bool = False
    verify: Literal["remote", "all", "none"] = "remote"
    confirm_days: int = 3
    relays: Relays = THIS_MACHINE
    """Our own mail servers: when the first of them received a mail is when it came."""


@dataclass(frozen=True, slots=True)
class MetricsSettings:
    """Metrics for a monitoring system, on this machine's loopback interface or at `host`; `port` 0: any free port."""

    port: int
    host: str = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class ClockSettings:
    """`catch_up`: what happens to deadlines that passed while the server was down; `extend` adds `extend_hours`."""

    catch_up: Literal["adjudicate", "extend"] = "adjudicate"
    poll_seconds: int = 60
    extend_hours: int = 24


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings. `home` is absolute; at least one of `listen` and `imap` is not None."""

    home: Path
    server: ServerSettings
    key: bytes = field(repr=False)
    database: DatabaseSettings
    send: SendSettings
    listen: ListenSettings | None = None
    imap: ImapSettings | None = None
    clock: ClockSettings = ClockSettings()
    trust: TrustSettings = TrustSettings()
    metrics: MetricsSettings | None = None
    gallery: Path | None = None
    """The folder of the static site that shows the games to everybody; None for no site."""
    order_page: str = ""
    """The address of the gallery's `order.html` on the web, which reports link to; "" for no links."""
    one_click: str = ""
    """The address on the web which is handed on to the metrics page, for ending mail by one click; "" for none."""
    games: Path | None = None
    """The folder of the operator's own games, files as docs/adding-a-game.md describes them; None for none."""
    secret_files: tuple[Path, ...] = ()
    """The files that hold secrets: the configuration, the key, the passwords."""

    @property
    def among_friends(self) -> bool:
        """Whether mail comes only from this machine, none goes out, and everybody on it is believed: as at first, when
        somebody tries gm alone.
        """
        listens = self.listen is not None and is_loopback(self.listen.host) and self.imap is None
        return listens and self.send.kind == "maildir" and self.trust.level == "open"

    @property
    def is_alone(self) -> bool:
        """Whether other people's mail servers hand mail over to this one, and none of ours."""
        listen = self.listen
        return listen is not None and not listen.retry_seconds and not is_loopback(listen.host)


_SECRETS = (
    *("password_file", "password_command", "oauth2_file", "oauth2_command"),
    *("oauth2_provider", "oauth2_client_id", "oauth2_client_secret", "oauth2_tokens"),
)


def _but(kind: type, left_out: str) -> tuple[str, ...]:
    return tuple(f.name for f in fields(kind) if f.name != left_out)


_SECTIONS: Mapping[str, tuple[str, ...]] = {
    "server": (*(f.name for f in fields(ServerSettings)), "key_file"),
    "database": tuple(f.name for f in fields(DatabaseSettings)),
    "listen": tuple(f.name for f in fields(ListenSettings)),
    "imap": (*_but(ImapSettings, "oauth2"), *_SECRETS),
    "send": (*_but(SendSettings, "oauth2"), *_SECRETS),
    "clock": tuple(f.name for f in fields(ClockSettings)),
    "trust": tuple(f.name for f in fields(TrustSettings)),
    "metrics": tuple(f.name for f in fields(MetricsSettings)),
    "gallery": ("folder", "order_page", "one_click"),
    "games": ("folder",),
}


def load(home: Path | str, environment: Mapping[str, str] = os.environ) -> Settings:
    """The settings of the server whose folder (or configuration file) is `home`.

    Raises ConfigurationError.
    """
    path = Path(home).expanduser().absolute()
    file = path if path.suffix == ".toml" else path / CONFIGURATION
    folder = file.parent
    sections = {name: Section(name, file, keys) for name, keys in _SECTIONS.items()}
    take_file(file, sections)
    take_environment(environment, sections)

    listen = sections["listen"]
    imap = sections["imap"]
    return Settings(
        home=folder,
        server=_server(sections["server"]),
        key=_key(sections["server"], folder),
        database=_database(sections["database"], folder),
        send=_send(sections["send"], folder),
        listen=_listen(listen, folder) if listen.present or not imap.present else None,
        imap=_imap(imap, folder) if imap.present else None,
        clock=_clock(sections["clock"]),
        trust=_trust(sections["trust"]),
        metrics=_metrics(sections["metrics"]) if sections["metrics"].present else None,
        gallery=folder / sections["gallery"].text("folder") if sections["gallery"].text("folder") else None,
        order_page=_web_address(sections["gallery"], "order_page", "order.html"),
        one_click=_one_click(sections["gallery"], sections["metrics"]),
        games=folder / sections["games"].text("folder") if sections["games"].text("folder") else None,
        secret_files=(
            *(file, _key_file(sections["server"], folder)),
            *_secret_files(folder, imap, sections["send"], listen),
        ),
    )


# ---- the sections


def _web_address(section: Section, key: str, example: str) -> str:
    page = section.text(key)
    if page and not re.fullmatch(r"https?://(?:(?!//)[!$-;=?-~]){1,500}", page):
        section.refuse(key, f"the address of the page, such as 'https://games.example.org/{example}'")
    return page


def _one_click(section: Section, metrics: Section) -> str:
    page = _web_address(section, "one_click", "unsubscribe").rstrip("/")
    if page and not metrics.present:
        section.refuse("one_click", "left out without [metrics], whose page takes what is posted")
    return page


def _server(section: Section) -> ServerSettings:
    return ServerSettings(
        address=section.own_address("address") or section.missing("address", "the mail address of this server"),
        also=section.own_addresses("also"),
        name=section.text("name", "Diplomacy gamemaster"),
        operator=section.address("operator"),
        zone=section.zone("zone", _UTC),
        gamemasters=tuple(_gamemaster(section, one) for one in section.listed("gamemasters", ("*",))),
        limits=section.integer("limits", 1, 0, 1000),
        plus_addressing=section.yes_no("plus_addressing", default=True),
        keep_days=section.integer("keep_days", 0, 0, 36_500),
        processes=section.integer("processes", 1, 1, 64),
        log=section.choice("log", ("logfmt", "json"), "logfmt"),
        rehearsal_seed=_seed(section),
    )


def _gamemaster(section: Section, given: str) -> str:
    mailbox = parse_address(given)
    if given != "*" and (mailbox is None or not mailbox.writable):
        section.refuse("gamemasters", 'mail addresses, or "*" for anyone')
    return mailbox.address if mailbox is not None else given


def _seed(section: Section) -> bytes:
    text = section.text("rehearsal_seed")
    try:
        seed = bytes.fromhex(text)
    except ValueError:
        seed = b""
    if text and len(seed) < SEED_BYTES:
        section.refuse("rehearsal_seed", f"at least {SEED_BYTES} bytes in hexadecimal figures, or nothing")
    return seed


def _key_file(section: Section, home: Path) -> Path:
    return home / section.text("key_file", "gm.key")


def _secret_files(home: Path, *sections: Section) -> tuple[Path, ...]:
    keys = ("password_file", "oauth2_file", "oauth2_tokens", "dkim_key", "tls_key")
    names = (section.text(key) for section in sections for key in keys if key in section.keys)
    return tuple(home / name for name in names if name)


def _key(section: Section, home: Path) -> bytes:
    path = _key_file(section, home)
    try:
        key = bytes.fromhex(path.read_text(encoding="ascii"))
    except PermissionError as error:
        raise closed("The server key ", path, error) from error
    except OSError as error:
        raise NoKey(path, f"cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise NoKey(path, "is not a line of hexadecimal digits") from error
    if len(key) < KEY_BYTES:
        raise NoKey(path, f"holds {len(key)} bytes, and at least {KEY_BYTES} are expected")
    return key


class NoKey(ConfigurationError):
    """The server's key is not in its `file`."""

    def __init__(self, file: Path, why: str) -> None:
        self.file = file
        super().__init__(
            f"The server key {str(file)!r} {why}.",
            "Put back the one from your backup, as gm's user in the server's folder: `tar -xzf BACKUP gm.key`. If it is"
            " lost, `gm move --key` makes another and tells the players; if there has never been one,"
            " `gm init --again` writes it.",
        )


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


def _listen(section: Section, home: Path) -> ListenSettings:
    default = ListenSettings()
    certificate, key = section.both(home, "tls_certificate", "tls_key")
    host = section.text("host", default.host)
    protocol = section.choice("protocol", ("smtp", "lmtp"), default.protocol)
    retry = default.retry_seconds if protocol == "lmtp" or is_loopback(host) else 0
    return ListenSettings(
        protocol=cast(Literal["smtp", "lmtp"], protocol),
        host=host,
        port=section.integer("port", default.port, 0, 65535),
        max_size=section.integer("max_size", default.max_size, 10_000, 100_000_000),
        per_peer=section.integer("per_peer", default.per_peer, 1, 200),
        retry_seconds=section.integer("retry_seconds", retry, 0, 86_400),
        tls_certificate=certificate,
        tls_key=key,
    )


def _imap(section: Section, home: Path) -> ImapSettings:
    tls = section.tls("implicit")
    oauth2 = section.oauth2(home)
    password = section.password(home) or ""
    if not password and oauth2 is None:
        section.missing("password", "the password of the mailbox")
    settings = ImapSettings(
        host=section.text("host") or section.missing("host", "the name of the IMAP server"),
        user=section.text("user") or section.missing("user", "the name the mailbox is opened with"),
        password=password,
        port=section.integer("port", 993 if tls == "implicit" else 143, 1, 65535),
        tls=tls,
        folder=section.text("folder", "INBOX"),
        done_folder=section.text("done_folder", "Done"),
        spam_folder=section.text("spam_folder") or None,
        poll_seconds=section.integer("poll_seconds", 300, 1, 86_400),
        oauth2=oauth2,
    )
    section.guard_password(settings.host, tls)
    return settings


def _send(section: Section, home: Path) -> SendSettings:
    kind = cast(Literal["smtp", "maildir"], section.choice("kind", ("smtp", "maildir"), "maildir"))
    name = section.choice("provider", tuple(PROVIDERS), "") if section.text("provider") else None
    provider = PROVIDERS[name] if name else None
    tls = section.tls(("starttls" if provider.starttls else "implicit") if provider else "none")
    selector = section.text("dkim_selector") or None
    key = section.existing(home, "dkim_key")
    if (selector is None) != (key is None):
        section.missing("dkim_key" if key is None else "dkim_selector", "both dkim_selector and dkim_key, or neither")
    settings = SendSettings(
        maildir=home / section.text("maildir", "mail"),
        kind=kind,
        host=section.text("host", provider.smtp if provider else "127.0.0.1"),
        port=section.integer("port", {"implicit": 465, "starttls": 587, "none": 25}[tls], 1, 65535),
        tls=tls,
        user=section.text("user") or None,
        password=section.password(home),
        oauth2=section.oauth2(home),
        connections=section.integer("connections", 8, 1, 100),
        per_domain=section.integer("per_domain", 2, 1, 100),
        per_hour=section.integer("per_hour", provider.per_hour if provider else 0, 0, 1_000_000),
        per_day=section.integer("per_day", provider.per_day if provider else 0, 0, 10_000_000),
        provider=name,
        dkim_selector=selector,
        dkim_key=key,
    )
    if settings.user and settings.password is None and settings.oauth2 is None:
        section.missing("password", f"the password of {settings.user!r}")
    if settings.password is not None or settings.oauth2 is not None:
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


def _trust(section: Section) -> TrustSettings:
    default = TrustSettings()
    return TrustSettings(
        level=cast(Level, section.choice("level", ("open", "normal", "strict"), default.level)),
        authserv_ids=tuple(one.lower() for one in section.listed("authserv_ids", ())),
        results_below=section.yes_no("results_below", default=default.results_below),
        verify=cast(
            Literal["remote", "all", "none"], section.choice("verify", ("remote", "all", "none"), default.verify)
        ),
        confirm_days=section.integer("confirm_days", default.confirm_days, 1, 30),
        relays=Relays(section.networks("relays", default.relays.networks)),
    )


def _metrics(section: Section) -> MetricsSettings:
    return MetricsSettings(section.integer("port", 9464, 0, 65535), section.text("host", "127.0.0.1"))
