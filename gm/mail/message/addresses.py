"""Each seat's reply address: `user+game.token@host`, the token an HMAC of the seat under the server's key.

Questions are answered at addresses of the same form, and bounces come back to them.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from urllib.parse import quote

TOKEN_LENGTH = 20  # base32 characters, 100 bits; short, since a local part holds 64 octets (RFC 5321, 4.5.3.1.1)
_LONGEST_LOCAL = 64
_TOKEN = re.compile(rf"[a-z2-7]{{{TOKEN_LENGTH}}}")
_GAME = re.compile(r"[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?")


def seat_token(key: bytes, seat_id: int, serial: int) -> str:
    """The token of a seat; the next `serial` makes another and so revokes it."""
    digest = hmac.new(key, f"gm seat {seat_id} {serial}".encode(), hashlib.sha256).digest()
    return base64.b32encode(digest).decode("ascii").lower()[:TOKEN_LENGTH]


CONFIRM = "confirm"
"""Stands where a game's name would in the address that a question is answered at."""
RETURN = "return"
"""The same in the return path of each mail we send, so that a bounce says by itself whose it is (VERP)."""
RESERVED = frozenset({CONFIRM, RETURN})
"""Names that no game may have."""


def token_for(key: bytes, use: str, name: str) -> str:
    """The token of something else than a seat, `use` being CONFIRM or RETURN."""
    digest = hmac.new(key, f"gm {use} {name}".encode(), hashlib.sha256).digest()
    return base64.b32encode(digest).decode("ascii").lower()[:TOKEN_LENGTH]


def token_hash(token: str) -> str:
    """What the store keeps of a token: SHA-256 in hex. The case of the token does not matter."""
    return hashlib.sha256(token.lower().encode("utf-8")).hexdigest()


def longest_game_name(base: str) -> int:
    """How many characters the name of a game may have with this base address."""
    return _LONGEST_LOCAL - len(base.rpartition("@")[0]) - TOKEN_LENGTH - 2


def seat_address(base: str, game: str, token: str) -> str:
    """`user+game.token@host` for the base address `user@host`.

    Raises ValueError when the game's name has other characters than letters, digits, `.`, `_`, `-`, or is too long.
    """
    name = game.lower()
    user, _, host = base.rpartition("@")
    if not _GAME.fullmatch(name) or len(name) > longest_game_name(base):
        raise ValueError(f"no address can be made for a game named {game!r}")
    return f"{user}+{name}.{token}@{host}"


def hidden(text: str, base: str) -> str:
    """The text with every token in an address of the form `user+game.token@host` hidden; the game's name stays."""
    user, _, host = base.partition("@")
    form = rf"({re.escape(user)}\+[a-z0-9._-]{{1,60}})\.[a-z2-7]{{{TOKEN_LENGTH}}}(?=@{re.escape(host)})"
    return re.sub(form, r"\1.[removed]", text, flags=re.IGNORECASE)


def parse_seat_address(address: str, base: str) -> tuple[str, str] | None:
    """Game and token of a seat's address under `base`, in lower case; None for any other address."""
    user, _, host = base.lower().rpartition("@")
    local, _, at = address.strip().strip("<>").lower().rpartition("@")
    if at != host or not local.startswith(f"{user}+"):
        return None
    game, dot, token = local[len(user) + 1 :].rpartition(".")
    if not dot or not _GAME.fullmatch(game) or not _TOKEN.fullmatch(token):
        return None
    return game, token


LONGEST_LINK = 2_000  # characters; some programs cut longer links


def mailto(to: str, subject: str = "", body: str = "") -> str:
    """A `mailto:` link (RFC 6068) that opens a new mail with these words in any mail program.

    A link of more than 2,000 characters is cut by some programs in the middle of an order. So a body that does not
    fit is left out as a whole, and then the subject: the block to copy beside the link has them.
    """
    address = quote(to, safe="@")
    lines = "\r\n".join(body.splitlines())
    for fields in ({"subject": subject, "body": lines}, {"subject": subject}):
        query = "&".join(f"{name}={quote(value, safe='')}" for name, value in fields.items() if value)
        link = f"mailto:{address}?{query}" if query else f"mailto:{address}"
        if len(link) <= LONGEST_LINK:
            return link
    return f"mailto:{address}"
