"""Clear-signed text (RFC 4880, 7): the armour lines go, the dashes that escape lines go, the words stay."""

from __future__ import annotations

from collections.abc import Iterator

from gm.mail.message.lines import Line

_SIGNED = "-----BEGIN PGP SIGNED MESSAGE-----"
_SIGNATURE = "-----BEGIN PGP SIGNATURE-----"
_END = "-----END PGP SIGNATURE-----"


def without_armor(lines: list[Line]) -> list[Line]:
    """The lines without the armour of an inline signature; the signature itself is not checked."""
    if not any(line.text.rstrip() == _SIGNED for line in lines):
        return lines
    return list(_words(lines))


def _words(lines: list[Line]) -> Iterator[Line]:
    state = "outside"
    for line in lines:
        text = line.text.rstrip()
        if line.depth:
            yield line
        elif text == _SIGNED:
            state = "headers"
        elif state == "headers":
            state = "headers" if text else "words"
        elif text == _SIGNATURE and state == "words":
            state = "signature"
        elif text == _END and state == "signature":
            state = "outside"
        elif state == "words" and line.text.startswith("- "):
            bare = line.text.removeprefix("- ")
            quoted = bare.startswith(">")
            yield Line(bare.lstrip("> "), 1, bare) if quoted else Line(bare, 0, bare)
        elif state != "signature":
            yield line
