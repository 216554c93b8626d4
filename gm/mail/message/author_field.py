"""The From field as every program reads it.

Programs differ in what they take for the ends of words, names and comments, where RFC 5322 has obsolete forms or none,
and some decode words before they look for the address. So a field proves something only in the few forms that leave
nothing to differ about: an address, or a name and an address in brackets. An `@` in the name is of a copy of the
address, or is in quotation marks or an encoded word and leads to no domain.
"""

from __future__ import annotations

import binascii
import re

from gm.mail.message.addresses import only_address, parse_address
from gm.mail.message.text import in_plain_letters

_ATOM = r'[^\s()<>\[\]:;@\\,"\x00-\x1f\x7f]++'
_ADDRESS = rf"{_ATOM}@{_ATOM}"
_QUOTED = r'"(?:[^"\\<>\x00-\x1f]++|\\["\\])*+"'
_COMMENT = r'\([^()\\<>"@\x00-\x1f]*+\)'
_FORM = re.compile(
    rf"(?:(?P<name>(?:{_QUOTED}|{_COMMENT}|{_ATOM}(?:@{_ATOM})?+|[\s,])*+)<(?P<within>{_ADDRESS})>|(?P<bare>{_ADDRESS}))"
    rf"\s*+(?:{_COMMENT})?+\s*+,?"
)
_WORD = re.compile(r"=\?([A-Za-z0-9_-]{1,40})(?:\*[A-Za-z0-9-]{1,20})?\?([BbQq])\?([!->@-~]*+)\?=(\s++(?==\?))?+")
"""An encoded word (RFC 2047), with the blanks before another one, which do not count."""
_SETS = re.compile(
    r"utf-?8|us-ascii|iso-8859-\d{1,2}|windows-125\d|koi8-[ru]|gb2312|gbk|gb18030|big5|euc-kr|ks_c_5601-1987|euc-jp"
    r"|shift_jis|iso-2022-jp",
    re.IGNORECASE,
)
"""The sets in which names are written, and which all programs read alike."""
_WIDER = {"gb2312": "gb18030", "gbk": "gb18030", "ks_c_5601-1987": "cp949", "euc-kr": "cp949", "shift_jis": "cp932"}
_NO_HEX = re.compile(r"=(?![0-9A-Fa-f]{2})")
_LEADS = re.compile(r"@\s*+[^\s@.]*+\s*+\.")
_AS_IT_IS = re.compile(rf"{_QUOTED}|{_WORD.pattern}")
_SPECIAL = re.compile(r'[<>"()\\,;:\[\]]')


def is_read_alike(value: str) -> bool:
    """Whether no program reads another address in a From value than that of `only_address`, nor several."""
    found = _FORM.fullmatch(value.strip())
    if found is None:
        return False
    address = found["within"] or found["bare"]
    mailbox = parse_address(address)
    if mailbox is None or mailbox.address != only_address(value) or "=?" in address:
        return False
    name = found["name"] or ""
    pieces = [_decoded(word) for word in _WORD.finditer(name)]
    said = [piece for piece in pieces if piece is not None]
    if len(said) < len(pieces) or "=?" in value.replace(name, _WORD.sub("", name)):
        return False
    rest = iter(said)
    whole = name.strip().lower() == address.lower()
    if "@" in _AS_IT_IS.sub("", name) and not whole:
        return False
    shown = in_plain_letters(_WORD.sub(lambda _: next(rest), name))
    if whole or "@" not in shown or shown.strip(' \t",').lower() in (address.lower(), f"'{address.lower()}'"):
        return True
    return not _LEADS.search(shown) and not (said and _SPECIAL.search("".join(said)))


def _decoded(word: re.Match[str]) -> str | None:
    """The text of an encoded word; None if programs may read it otherwise, or not at all."""
    name, kind, packed = word[1].lower(), word[2].lower(), word[3]
    if not _SETS.fullmatch(name) or (kind == "q" and _NO_HEX.search(packed)):
        return None
    try:
        raw = binascii.a2b_qp(packed, header=True) if kind == "q" else binascii.a2b_base64(packed, strict_mode=True)
        text = raw.decode(_WIDER.get(name, name))
    except (binascii.Error, UnicodeError, LookupError):
        return None
    return None if _LEADS.search(raw.decode("latin-1")) and "@" not in text else text
