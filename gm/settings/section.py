"""One section of the configuration: its values, where each was given, and how each kind of value is parsed."""

from __future__ import annotations

import ipaddress
import shlex
import subprocess
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal, NoReturn, cast, get_args
from zoneinfo import ZoneInfo

from gm.errors import ConfigurationError
from gm.mail.message.addresses import Mailbox, parse_address
from gm.mail.message.trace import Network
from gm.ownership import closed
from gm.settings.editing import text_in

Tls = Literal["implicit", "starttls", "none"]
TLS: tuple[str, ...] = get_args(Tls)


def nearest(word: str, known: Sequence[str] | Mapping[str, object]) -> str:
    near = get_close_matches(word, list(known), 1, 0.6)
    return f"Did you mean {near[0]!r}?" if near else f"Known are {', '.join(known)}."


@dataclass(frozen=True, slots=True)
class Secret:
    """Where to read a secret: the first line of a file, or of the output of a command."""

    home: Path
    way: str
    """`file` or `command`."""
    given: str
    origin: str
    """Where the operator wrote it, for error messages."""

    def read(self) -> str:
        """The present secret; it is read each time. Raises ConfigurationError."""
        try:
            if self.way == "file":
                words = (self.home / self.given).read_text(encoding="utf-8")
            else:
                words = subprocess.run(  # noqa: S603  the operator's own command
                    shlex.split(self.given), check=True, capture_output=True, text=True, timeout=30, cwd=self.home
                ).stdout
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            if isinstance(error, PermissionError) and self.way == "file":
                raise closed(f"{self.origin} yields no secret: ", self.home / self.given, error) from error
            raise ConfigurationError(
                f"{self.origin} yields no secret ({error}).", "Expected the password or token on the first line."
            ) from error
        secret = words.partition("\n")[0].strip()
        if not secret:
            raise ConfigurationError(f"{self.origin} yields an empty line.", "Expected the secret on the first line.")
        return secret


@dataclass(frozen=True, slots=True)
class TokenSettings:
    """How OAuth2 tokens are got that gm renews itself; they are kept in `file` (`gm.mail.transport.tokens`)."""

    provider: str
    client_id: str
    client_secret: str = field(repr=False)
    file: Path


@dataclass(slots=True)
class Section:
    """The values given for one section, and where each was given."""

    name: str
    file: Path
    keys: tuple[str, ...]
    present: bool = False
    values: dict[str, Any] = field(default_factory=dict)
    origins: dict[str, str] = field(default_factory=dict)

    def take(self, key: str, value: object, origin: str) -> None:
        if key not in self.keys:
            raise ConfigurationError(f"{origin}: unknown key {key!r}.", nearest(key, self.keys))
        self.values[key] = value
        self.origins[key] = origin

    def refuse(self, key: str, expected: str) -> NoReturn:
        shown = "(hidden)" if key in ("password", "url", "oauth2_client_secret") else repr(self.values[key])
        raise ConfigurationError(f"{self.origins[key]} = {shown} is not usable.", f"Expected {expected}.")

    def missing(self, key: str, expected: str) -> NoReturn:
        raise ConfigurationError(
            f"{self.file}, [{self.name}] {key} is missing.",
            f"Expected {expected}, here or in GM_{self.name.upper()}_{key.upper()}.",
        )

    def text(self, key: str, default: str = "") -> str:
        value = self.values.get(key, default)
        if not isinstance(value, str) or "\0" in value or "\n" in value:
            self.refuse(key, "a text in quotes, on one line")
        return value.strip() or default

    def integer(self, key: str, default: int, low: int, high: int) -> int:
        value = self.values.get(key, default)
        if isinstance(value, str) and self.origins[key].startswith("environment") and value.strip().isdecimal():
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            self.refuse(key, f"a whole number from {low} to {high}")
        return value

    def yes_no(self, key: str, *, default: bool) -> bool:
        value = self.values.get(key, default)
        if isinstance(value, str) and self.origins[key].startswith("environment"):
            value = {"true": True, "false": False}.get(value.strip().lower(), value)
        if not isinstance(value, bool):
            self.refuse(key, "true or false")
        return value

    def listed(self, key: str, default: tuple[str, ...]) -> tuple[str, ...]:
        value = self.values.get(key, list(default))
        if isinstance(value, str):
            value = value.split(",")
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            self.refuse(key, 'a list of texts, as ["one", "two"]')
        return tuple(one.strip() for one in value if one.strip())

    def networks(self, key: str, default: tuple[Network, ...]) -> tuple[Network, ...]:
        """Machines by their addresses, alone or as networks."""
        try:
            return tuple(map(ipaddress.ip_network, self.listed(key, tuple(map(str, default)))))
        except ValueError:
            self.refuse(key, 'addresses or networks, as ["127.0.0.0/8", "192.0.2.7"]')

    def choice(self, key: str, known: tuple[str, ...], default: str) -> str:
        value = self.text(key, default)
        if value not in known:
            self.refuse(key, " or ".join(repr(one) for one in known))
        return value

    def tls(self, default: Tls) -> Tls:
        return cast(Tls, self.choice("tls", TLS, default))

    def zone(self, key: str, default: ZoneInfo) -> ZoneInfo:
        name = self.text(key)
        try:
            return ZoneInfo(name) if name else default
        except (LookupError, ValueError, OSError):
            self.refuse(key, "the name of a time zone, as 'Europe/Berlin' or 'UTC'")

    def address(self, key: str) -> str | None:
        """The mail address of a person."""
        return self._read(key, persons_address)

    def own_address(self, key: str) -> str | None:
        """The server's mail address."""
        return self._read(key, own_address)

    def own_addresses(self, key: str) -> tuple[str, ...]:
        """Mail addresses that the server has had."""
        return tuple(self._address(key, one, own_address) for one in self.listed(key, ()))

    def _read(self, key: str, read: Callable[[str], str]) -> str | None:
        value = self.text(key)
        return self._address(key, value, read) if value else None

    def _address(self, key: str, value: str, read: Callable[[str], str]) -> str:
        try:
            return read(value)
        except NoAddress as error:
            self.refuse(key, error.expected)

    def existing(self, home: Path, key: str) -> Path | None:
        """An existing file."""
        name = self.text(key)
        if not name:
            return None
        if not (home / name).is_file():
            self.refuse(key, "the name of an existing file")
        return home / name

    def both(self, home: Path, one: str, other: str) -> tuple[Path | None, Path | None]:
        """Two files that belong together."""
        files = self.existing(home, one), self.existing(home, other)
        if (files[0] is None) != (files[1] is None):
            self.missing(one if files[0] is None else other, f"both {one} and {other}, or neither")
        return files

    def password(self, home: Path) -> str | None:
        """The password itself, or the first line of its file or of its command's output."""
        ways = [key for key in ("password", "password_file", "password_command") if self.values.get(key)]
        if len(ways) > 1:
            self.refuse(ways[1], f"only one of {' and '.join(ways)}")
        if not ways:
            return None
        given = self.text(ways[0])
        if ways[0] == "password":
            return given
        return Secret(home, ways[0].removeprefix("password_"), given, f"{self.origins[ways[0]]} = {given!r}").read()

    def oauth2(self, home: Path) -> Secret | TokenSettings | None:
        """Where to read an access token, at each log-in; it is not read yet."""
        if self.text("oauth2_provider"):
            return self._renewed(home)
        ways = [key for key in ("oauth2_file", "oauth2_command") if self.values.get(key)]
        if len(ways) > 1 or (ways and any(self.values.get(f"password{way}") for way in ("", "_file", "_command"))):
            self.refuse(ways[-1], "only one of password, oauth2_file and oauth2_command")
        if not ways:
            return None
        given = self.text(ways[0])
        return Secret(home, ways[0].removeprefix("oauth2_"), given, f"{self.origins[ways[0]]} = {given!r}")

    def _renewed(self, home: Path) -> TokenSettings:
        others = ("oauth2_file", "oauth2_command", "password", "password_file", "password_command")
        if other := next((key for key in others if self.values.get(key)), None):
            self.refuse(other, "only one of it and oauth2_provider")
        return TokenSettings(
            provider=self.choice("oauth2_provider", ("google", "microsoft"), ""),
            client_id=self.text("oauth2_client_id") or self.missing("oauth2_client_id", "the number of your client"),
            client_secret=self.text("oauth2_client_secret"),
            file=home / self.text("oauth2_tokens", "oauth2.json"),
        )

    def guard_password(self, host: str, tls: Tls) -> None:
        """Raises ConfigurationError if a password would be sent over the network without encryption."""
        if tls == "none" and not is_loopback(host):
            raise ConfigurationError(
                f'{self.file}, [{self.name}] tls = "none" would send the password to {host!r} unencrypted.',
                'Expected tls = "implicit" or "starttls".',
            )


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches what listens there."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class NoAddress(ValueError):
    """Not the mail address that is `expected`."""

    def __init__(self, text: str, expected: str) -> None:
        super().__init__(f"{text!r} is not {expected}.")
        self.expected = expected


def persons_address(text: str) -> str:
    """An address to which anybody can write. Raises NoAddress for any other."""
    return _address_of(text, "a mail address such as 'ann@example.org'", lambda mailbox: mailbox.writable)


def known_address(text: str) -> str:
    """An address that a mail can have had, whether or not anybody can write there. Raises NoAddress for any other."""
    return _address_of(text, "a mail address such as 'ann@example.org'", lambda _: True)


def own_address(text: str) -> str:
    """An address that a server can have: seats add `+game.token` before the @, and no sign of it has a meaning in a
    link, which some programs take in its encoded form (`%3F`), too. Raises NoAddress for any other.
    """
    expected = "a mail address such as 'gm@example.org', without + ? & # %"
    return _address_of(text, expected, lambda one: _is_plain(one) and not set('+"?&#%') & set(one.address))


def plain_address(text: str) -> str:
    """An address that every mail program and server can write to. Raises NoAddress for any other."""
    return _address_of(text, "a mail address such as 'ann@example.org', in ASCII", _is_plain)


def _is_plain(mailbox: Mailbox) -> bool:
    """Whether the address needs neither quotes nor signs beyond ASCII."""
    return mailbox.writable and not mailbox.international


def _address_of(text: str, expected: str, fits: Callable[[Mailbox], bool]) -> str:
    mailbox = parse_address(text)
    if mailbox is None or not fits(mailbox):
        raise NoAddress(text, expected)
    return mailbox.address


def port_number(text: str) -> int:
    """A port. Raises ValueError, in words, for what is none."""
    if not (text.isdecimal() and 0 < int(text) < 65536):
        raise ValueError(f"{text!r} is not a port, a number from 1 to 65535.")
    return int(text)


def take_file(file: Path, sections: Mapping[str, Section]) -> None:
    """Read the values of all sections from a TOML file. Raises ConfigurationError."""
    try:
        content = tomllib.loads(text_in(file))
    except FileNotFoundError as error:
        raise ConfigurationError(
            f"There is no configuration file {str(file)!r}.",
            "Create one with `gm init`, or name the server's folder with --home or GM_HOME.",
        ) from error
    except PermissionError as error:
        raise closed("", file, error) from error
    except OSError as error:
        raise ConfigurationError(f"{str(file)!r} cannot be read ({error.strerror}).", "See to its disk.") from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigurationError(
            f"{str(file)!r} is not TOML: {error}.", "Texts are written in quotes, sections in [ ]."
        ) from error
    for name, values in content.items():
        if name not in sections:
            raise ConfigurationError(f"{file}: unknown section or key {name!r}.", nearest(name, sections))
        if not isinstance(values, dict):
            raise ConfigurationError(
                f"{file}: {name} = {values!r} is not a section.", f"Expected a line [{name}] with keys below."
            )
        for key, value in values.items():
            sections[name].take(key, value, f"{file}, [{name}] {key}")
        sections[name].present = True


def take_environment(environment: Mapping[str, str], sections: Mapping[str, Section]) -> None:
    """Override the values of the file by environment variables GM_<SECTION>_<KEY>."""
    for variable, value in sorted(environment.items()):
        gm, _, rest = variable.partition("_")
        name, _, key = rest.lower().partition("_")
        if gm == "GM" and key and name in sections:
            sections[name].take(key, value, f"environment, {variable}")
            sections[name].present = True
