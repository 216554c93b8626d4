"""Mail addresses: the parser of addresses and address lists, `mailto:` links, and the addresses of seats.

The grammar is RFC 5322, 3.4, as far as programs use it: quoted local parts, comments, angle brackets, display names,
groups, semicolons between addresses, dots where RFC 5322 allows none. Address literals (`ann@[192.0.2.1]`) and source
routes are not accepted. Each step takes time linear in the length of its input.

A seat's reply address is `user+game.token@host`, the token an HMAC of the seat under the server's key. Questions are
answered to addresses of the same form, and bounces come back to them. Where a provider delivers mail for `user@host`
only, the part before the @ is written as the display name of that address instead.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from urllib.parse import quote

import idna

from gm import patterns as re
from gm.mail.message.mime import comment_end, decode_words, without_packed
from gm.mail.message.text import clean_line, composed, in_plain_letters

OPERATORS = ("postmaster", "abuse")
"""Whose mail the operator gets (RFC 2142)."""

_LONGEST_LOCAL = 64  # octets (RFC 5321, 4.5.3.1.1)
_LONGEST_DOMAIN = 253

_ENCODED = r"=\?[^?\s()<>@\[\]:;\\\"]{1,80}\?[BQ]\?[^?\s()<>@\[\]:;\\\"]{0,1000}\?="
"""An encoded word (RFC 2047, 5), also with commas in it: it is a word of RFC 5322 first, and decoded afterwards."""
_TOKEN = re.compile(
    rf"""(?P<comment>\()
      | (?P<quoted>"(?:[^"\\]|\\.)*+(?:"|\\?\Z))
      | (?P<angle><(?:[^<>"]|"(?:[^"\\]|\\.)*+")*+>)
      | (?P<encoded>{_ENCODED})
      | (?P<separator>[,;:])
      | (?P<other>[^\s(",;:<=]++|\s++|.)""",
    re.DOTALL | re.VERBOSE | re.IGNORECASE,
)
_ATOM = r"[^\s<>@,;:\"()\[\]\\\x00-\x1f\x7f-\xa0]"
_ADDRESS = re.compile(rf'(?:"((?:[^"\\]|\\.)*+)"|({_ATOM}++))@({_ATOM}++)', re.DOTALL)
_NO_DOT = _ATOM.replace("[^", "[^.")
_DOT_ATOM = re.compile(rf"{_NO_DOT}+(?:\.{_NO_DOT}+)*")
_LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_HOST = re.compile(rf"{_LABEL}(?:\.{_LABEL})*")
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*+)"', re.DOTALL)
_COVERED = re.compile(rf'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|{_ENCODED}', re.DOTALL | re.IGNORECASE)
_PAIR = re.compile(r"\\(.)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Mailbox:
    """One address, in the form in which addresses are stored and compared.

    `local` is in lower case and without quotation marks; `domain` in lower case, an international one in its ASCII form
    (RFC 5891); `phrase` is the display name as written.
    """

    local: str
    domain: str
    phrase: str = ""

    @property
    def address(self) -> str:
        """`local@domain`, the local part in quotation marks if RFC 5322 requires them."""
        if _DOT_ATOM.fullmatch(self.local):
            return f"{self.local}@{self.domain}"
        escaped = self.local.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"@{self.domain}'

    @property
    def name(self) -> str:
        """The display name, decoded and cleaned; never to be compared with anything."""
        quoted = _QUOTED.fullmatch(self.phrase)
        return decode_words(_PAIR.sub(r"\1", quoted[1]) if quoted else self.phrase)

    @property
    def international(self) -> bool:
        """Whether the local part is not ASCII: only servers with SMTPUTF8 take mail for it (RFC 6531)."""
        return not self.local.isascii()

    @property
    def writable(self) -> bool:
        """Whether mail can be sent there: a host name as domain, and a local part of atoms and dots."""
        return re.fullmatch(rf"{_ATOM}+", self.local) is not None and _HOST.fullmatch(self.domain) is not None


def parse_address(text: str) -> Mailbox | None:
    """The address that `text` is, with or without angle brackets; None if it is not exactly one address."""
    text = text.strip()
    return _mailbox(text[1:-1] if text[:1] == "<" and text[-1:] == ">" else text)


@lru_cache(maxsize=32)  # a mail's fields are read when it arrives, and again when it is processed
def parse_list(value: str) -> tuple[Mailbox, ...]:
    """Every address of an address list, in order; anything else is skipped."""
    return tuple(mailbox for item in _items(value) for mailbox in item.mailboxes())


def addresses_in(value: str) -> tuple[str, ...]:
    """The addresses of an address list, each once; display names, quoted strings and comments never count."""
    return tuple(dict.fromkeys(mailbox.address for mailbox in parse_list(value)))


def who_is_named(value: str) -> Iterator[str]:
    """Everybody in an address list: each address, and as it is written what may be one and is not certainly read."""
    for item in _items(value):
        yield from (mailbox.address for mailbox in item.mailboxes())
        if item.is_doubtful():
            yield " ".join((item.text, *(f"<{angle}>" for angle in item.angles))).strip()


@lru_cache(maxsize=32)
def only_mailbox(value: str) -> Mailbox | None:
    """The address in a From value that contains exactly one and no group, otherwise None.

    A name may contain separators (`Lee, Ann <ann@example.org>`). A value with an unclosed comment or quoted string, or
    with words after its brackets, contains none, because two programs could read two addresses in it.
    """
    items = [item for item in _items(value) if item.text or item.angles or item.grouped]
    named = [item for item in items if item.angles or "@" in item.bare]
    if len(named) != 1 or any(item.grouped or item.broken for item in items):
        return None
    mailboxes = named[0].mailboxes()
    if len(mailboxes) != 1 or len(named[0].angles) > 1:
        return None
    if len(items) == 1:
        return mailboxes[0]
    return replace(mailboxes[0], phrase=", ".join(item.text for item in items if item.text))


def only_address(value: str) -> str | None:
    """The address of `only_mailbox` as `local@domain`, or None."""
    mailbox = only_mailbox(value)
    return mailbox.address if mailbox is not None else None


@dataclass(frozen=True, slots=True)
class _Item:
    """What is between two separators: text without comments, the text in angle brackets, and the comments.

    `broken`: a comment or quoted string in it does not end. `followed`: words follow the angle brackets, which a
    program may read as the address.
    """

    text: str
    angles: tuple[str, ...]
    comments: tuple[str, ...]
    grouped: bool
    broken: bool
    followed: bool

    @property
    def bare(self) -> str:
        """The text without its quoted or encoded parts."""
        return _COVERED.sub(" ", self.text).strip()

    def is_doubtful(self) -> bool:
        """Whether somebody may be meant whose address is not read, or another one than is read."""
        written = [angle for angle in self.angles if angle.strip()] or re.findall("[@\uff20]", self.bare)
        return self.broken or self.followed or len(self.mailboxes()) < len(written)

    def mailboxes(self) -> tuple[Mailbox, ...]:
        """The addresses in the brackets, or the one that the text is; a bare one may have its name in a comment."""
        if self.followed:
            return ()
        named = [(angle, self.text) for angle in self.angles] or [(self.text, " ".join(self.comments))]
        found = (_mailbox(written, phrase) for written, phrase in named)
        return tuple(mailbox for mailbox in found if mailbox is not None)


def _items(value: str) -> Iterator[_Item]:
    words: list[str] = []
    angles: list[str] = []
    comments: list[str] = []
    grouped = broken = followed = False
    for kind, written in _tokens(f"{value};"):
        match kind:
            case "comment":
                comments.append(written[1:-1])
                words.append(" ")
            case "angle":
                angles.append(written[1:-1])
            case "separator":
                if written != ":":
                    yield _Item("".join(words).strip(), tuple(angles), tuple(comments), grouped, broken, followed)
                    broken = followed = False
                grouped = written == ":" or (grouped and written == ",")
                words, angles, comments = [], [], []
            case _:
                broken = broken or written == "(" or (kind == "quoted" and _QUOTED.fullmatch(written) is None)
                followed = followed or (bool(angles) and not written.isspace())
                words.append(written)
    if words:  # a quoted string that does not end has swallowed the last separator
        yield _Item("".join(words).strip(), tuple(angles), tuple(comments), grouped, broken, followed)


def _tokens(value: str) -> Iterator[tuple[str, str]]:
    """Kind and text of each token. A parenthesis that opens a comment without an end is an ordinary character."""
    place, ends = 0, ")" in value
    while found := _TOKEN.match(value, place):
        kind, place = str(found.lastgroup), found.end()
        if kind == "comment":
            after = comment_end(value, place) if ends else 0
            ends = after > 0
            kind, place = ("comment", after) if after else ("other", place)
        yield kind, value[found.start() : place]


@lru_cache(maxsize=64)  # the same few are looked at when a mail comes, when it is read and when it is answered
def _mailbox(written: str, phrase: str = "") -> Mailbox | None:
    """The address that `written` is; None if it is not one. Never raises."""
    found = _ADDRESS.fullmatch(written.strip())
    if found is None:
        return None
    local, domain = _PAIR.sub(r"\1", found[1]) if found[2] is None else found[2], found[3]
    if not (_plain(local) and _plain(domain)):
        return None
    read = Mailbox(composed(local).lower(), ascii_domain(composed(domain)), phrase)
    lookalike = _lost_letters(local, read.local) or _lost_letters(domain, read.domain)
    fits = 0 < len(read.local) <= _LONGEST_LOCAL and 0 < len(read.domain) <= _LONGEST_DOMAIN
    return read if fits and not lookalike else None


def _plain(part: str) -> bool:
    """Whether a part of an address contains only visible characters: otherwise it could look like another's address."""
    return clean_line(part) == composed(part)


def _lost_letters(written: str, read: str) -> bool:
    """Whether letters outside ASCII became ASCII: full-width ones, or the sign for kelvin."""
    return not written.isascii() and read.isascii() and "xn--" not in read


def ascii_domain(domain: str) -> str:
    """A domain in lower case, an international one in its ASCII form; one without an ASCII form is returned unchanged.

    By IDNA 2008 (RFC 5891): the codec of the standard library changes `straße.example` into `strasse.example`, which
    may be somebody else's.
    """
    domain = domain.lower().removesuffix(".")
    if domain.isascii() or len(domain) > _LONGEST_DOMAIN:
        return domain
    try:
        return idna.encode(domain, uts46=True).decode("ascii")
    except UnicodeError:
        return domain


TOKEN_LENGTH = 20  # base32 characters, 100 bits; short, since a local part holds 64 octets
_SEAT_TOKEN = re.compile(rf"[a-z2-7]{{{TOKEN_LENGTH}}}")
_GAP = r"(?:[ \t]*+[-=]?+\r?\n[ \t>|]*+|[ \t]++)?+"
_IN_FOUR = rf"(?=(?:[a-z2-7]{{1,4}}+(?![a-z2-7]){_GAP}){{0,3}}+[a-z2-7]{{5}})"
_BETWEEN = r"[\s.,_/|*·-]{1,3}+"
_SPELLED = "|".join(
    rf"[a-z2-7]{{{n}}}(?:{_BETWEEN}[a-z2-7]{{{n}}}){{{TOKEN_LENGTH // n - 1}}}"
    + (rf"{_BETWEEN}[a-z2-7]{{{TOKEN_LENGTH % n}}}" if TOKEN_LENGTH % n else "")
    for n in range(1, 5)
)
BROKEN_TOKEN = rf"(?:{_SPELLED}|{_IN_FOUR}[a-z2-7](?:{_GAP}[a-z2-7]){{{TOKEN_LENGTH - 1}}})"
"""A token as a mail program may break it: by blanks, or over lines, which may be quoted or quoted-printable. In four
pieces it has one of five characters; text in which none is so long is passed over fast. Or as a person may spell it, in
pieces of one to four characters.
"""
_GAME = re.compile(r"[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?")


@lru_cache(maxsize=4096)
def seat_token(key: bytes, seat_id: int, serial: int) -> str:
    """The token of a seat; the next `serial` makes a new one and so revokes it."""
    digest = hmac.new(key, f"gm seat {seat_id} {serial}".encode(), hashlib.sha256).digest()
    return base64.b32encode(digest).decode("ascii").lower()[:TOKEN_LENGTH]


CONFIRM = "confirm"
"""Used in place of a game's name in the address for the answer to a question."""
RETURN = "return"
"""The same in the return paths of the mail we send, so that a bounce says by itself whose it is (VERP)."""
DIGEST = "digest."
"""The beginning of the same in the address for the answer to a digest; the person and the day follow, with a dot."""
CLICK = "click"
"""What the token is for in the address on the web with which a mail is ended by one click."""
RESERVED = frozenset({CONFIRM, RETURN})
"""Names that no game may have."""


def token_for(key: bytes, use: str, name: str) -> str:
    """A token for something other than a seat; `use` is CONFIRM, RETURN, DIGEST or CLICK."""
    digest = hmac.new(key, f"gm {use} {name}".encode(), hashlib.sha256).digest()
    return base64.b32encode(digest).decode("ascii").lower()[:TOKEN_LENGTH]


def token_hash(token: str) -> str:
    """The hash of a token that is stored: SHA-256 in hex. The case of the token does not matter."""
    return hashlib.sha256(token.lower().encode("utf-8")).hexdigest()


CONVERSATION = ".to-"
"""Between a game's name, which has no dot, and the codes of those to whom mail to such an address of a seat goes."""


def longest_game_name(base: str) -> int:
    """The maximum length of a game's name with this base address."""
    return _LONGEST_LOCAL - len(base.rpartition("@")[0]) - TOKEN_LENGTH - 2


def seat_address(base: str, game: str, token: str) -> str:
    """`user+game.token@host` for the base address `user@host`.

    Raises ValueError when the game's name contains other characters than letters, digits, `.`, `_`, `-`, or is too
    long.
    """
    name = game.lower()
    user, _, host = base.rpartition("@")
    if not _GAME.fullmatch(name) or len(name) > longest_game_name(base):
        raise ValueError(f"no address can be made for a game named {game!r}")
    return f"{user}+{name}.{token}@{host}"


def in_display_name(address: str, base: str) -> str:
    """A seat's address as a display name of the base address: `"user+game.token" <user@host>`."""
    return f'"{address.rpartition("@")[0]}" <{base}>'


def seat_addresses_in(text: str, *bases: str) -> tuple[str, ...]:
    """The seats' addresses in a text, such as a display name, each once, in lower case, the @ and what follows it
    written or not. `bases`: the server's addresses.
    """
    found = ((base.lower().rpartition("@")[2], one) for base in bases for one in _secret_in(base).finditer(text))
    return tuple(dict.fromkeys(f"{one[0].lower()}@{host}" for host, one in found))


def hidden(text: str, *bases: str) -> str:
    """The text with every token in an address of the form `user+game.token@host`, or in one that is written without the
    host, hidden, the identifiers of our mails, and what is packed in links; the game's name stays. `bases`: the
    server's addresses.
    """
    text = without_packed(text)
    for base in bases:
        ours = re.compile(rf"()\b[0-9a-f]{{32}}(?=@{re.escape(base.rpartition('@')[2])})", re.IGNORECASE)
        for secret in (_secret_in(base), _broken_in(base), ours):
            for found in reversed([*secret.finditer(in_plain_letters(text))]):
                text = f"{text[: found.end(1)]}[removed]{text[found.end() :]}"
    return text


def _secret_in(base: str) -> re.Pattern[str]:
    user, _, host = base.partition("@")
    form = rf"({re.escape(user)}\+[a-z0-9._-]{{1,60}}\.)[a-z2-7]{{{TOKEN_LENGTH}}}(?=@{re.escape(host)}|[^@a-z0-9]|\Z)"
    return re.compile(form, re.IGNORECASE)


def _broken_in(base: str) -> re.Pattern[str]:
    """The same, with the token broken, or with other signs for `+` and `@`."""
    user, _, host = base.partition("@")
    at = rf"{_GAP}(?:@|%40){_GAP}{re.escape(host)}"
    form = rf"({re.escape(user)}(?:\+|%2B|=2B)[a-z0-9._-]{{1,60}}\.){_GAP}{BROKEN_TOKEN}(?={at})"
    return re.compile(form, re.IGNORECASE)


@lru_cache(maxsize=64)  # an address that a mail came to is looked at for each of its lines
def parse_seat_address(address: str, base: str) -> tuple[str, str] | None:
    """Game and token of a seat's address under `base`, in lower case; None for any other address."""
    user, _, host = base.lower().rpartition("@")
    mailbox = parse_address(address)
    if mailbox is None or mailbox.domain != host or not mailbox.local.startswith(f"{user}+"):
        return None
    game, dot, token = mailbox.local[len(user) + 1 :].rpartition(".")
    if not dot or not _GAME.fullmatch(game) or not _SEAT_TOKEN.fullmatch(token):
        return None
    return game, token


_ANY_ADDRESS = re.compile(r"(?:mailto:)?(?:(?<![^\s<>()\[\]\"',;:@])[^\s<>()\[\]\"',;:@]*+)?@[^\s<>()\[\]\"',;:]+")


def without_addresses(text: str, instead: str = "[address]") -> str:
    """A text by a person, for everybody, without the mail addresses in it."""
    return _ANY_ADDRESS.sub(instead, text)


_quoted = lru_cache(maxsize=256)(quote)  # the links of a mail are alike

LONGEST_LINK = 2_000  # characters; some programs cut longer links


def mailto(to: str, subject: str = "", body: str = "") -> str:
    """A `mailto:` link (RFC 6068) that opens a new mail with this subject and body in any mail program.

    Some programs cut a link of more than 2,000 characters in the middle of an order. So a body that does not fit is
    left out completely, and then the subject: the block to copy beside the link contains them.
    """
    address = _quoted(to, safe="@")
    lines = "\r\n".join(body.splitlines())
    for fields in ({"subject": subject, "body": lines}, {"subject": subject}):
        query = "&".join(f"{name}={_quoted(value, safe='')}" for name, value in fields.items() if value)
        link = f"mailto:{address}?{query}" if query else f"mailto:{address}"
        if len(link) <= LONGEST_LINK:
            return link
    return f"mailto:{address}"
