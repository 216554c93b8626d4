"""`mailto:` links that every mail program opens alike (RFC 6068)."""

from __future__ import annotations

from urllib.parse import quote

LONGEST = 2_000  # characters; some programs cut longer links


def mailto(to: str, subject: str = "", body: str = "") -> str:
    """A link that opens a new mail with these words.

    A link of more than 2,000 characters is cut by some programs in the middle of an order. So a body that does not
    fit is left out as a whole, and then the subject: the block to copy beside the link has them.
    """
    address = quote(to, safe="@")
    lines = "\r\n".join(body.splitlines())
    for fields in ({"subject": subject, "body": lines}, {"subject": subject}):
        query = "&".join(f"{name}={quote(value, safe='')}" for name, value in fields.items() if value)
        link = f"mailto:{address}?{query}" if query else f"mailto:{address}"
        if len(link) <= LONGEST:
            return link
    return f"mailto:{address}"
