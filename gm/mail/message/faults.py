"""The sentences for mail that could not be read, or not wholly: what was received, and what to send instead."""

from __future__ import annotations

from collections.abc import Sequence

_INSTEAD = "Nothing in it was acted on. Please write your orders in the body of a plain text mail and send it again."
_SHOWN = 80
_MOST = 10


def _shown(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def too_large(size: int, limit: int) -> str:
    """The message is larger than the limit, both in bytes."""
    return f"Your mail has {size:,} bytes; at most {limit:,} are read. {_INSTEAD} Leave out attachments and pictures."


def header_too_large(size: int, limit: int) -> str:
    """The header alone is larger than the limit, both in bytes."""
    return f"The header of your mail has {size:,} bytes; at most {limit:,} are read. {_INSTEAD}"


def beyond_limits(problem: str) -> str:
    """Too deep, too many parts, lines or tags; `problem` is a sentence that says which."""
    return f"{problem} {_INSTEAD}"


def unreadable(problem: Exception) -> str:
    """An unexpected error while reading."""
    return f"Your mail could not be read ({type(problem).__name__}). {_INSTEAD}"


def no_single_sender(fields: int) -> str:
    """There is not exactly one From field with exactly one address."""
    what = {0: "has no From line", 1: "has a From line without exactly one address"}.get(
        fields, "has several From lines"
    )
    return f"Your mail {what}, so its sender is not known. Please send it with your own address as the only sender."


def encrypted(kind: str) -> str:
    """The text is encrypted; `kind` is PGP or S/MIME."""
    return f"Your mail is encrypted ({kind}), and the server cannot decrypt it. {_INSTEAD} Turn encryption off for it."


def enclosed_signature() -> str:
    """An S/MIME message whose text is inside the signature (smime.p7m)."""
    came = "Your mail arrived in an S/MIME container (smime.p7m), which the server does not open."
    return f"{came} {_INSTEAD} Clear-text signatures are fine."


def winmail() -> str:
    """A TNEF container without any readable text."""
    came = "Your mail arrived as winmail.dat, a container that only Outlook opens."
    return f"{came} {_INSTEAD} In Outlook, choose plain text or HTML, not rich text."


def fragment() -> str:
    """A message/partial: one piece of a message that was sent in pieces."""
    return f"Your mail arrived in fragments (message/partial). {_INSTEAD}"


def only_attachments(names: Sequence[str]) -> str:
    """Attachments and no text."""
    listed = ", ".join(_shown(name) for name in names[:5])
    return f"Your mail has no text, only: {listed}. Attachments are not read. {_INSTEAD}"


def undecodable(lines: Sequence[str]) -> tuple[str, ...]:
    """The sender's lines with characters that could not be decoded: one fault for each."""
    listed = tuple(
        f'This line has characters that could not be read, and was left out: "{_shown(line)}".'
        " Please write it again in plain letters."
        for line in lines[:_MOST]
    )
    more = len(lines) - _MOST
    return (*listed, f"So were {more} more lines.") if more > 0 else listed
