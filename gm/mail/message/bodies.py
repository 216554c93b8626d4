"""Which parts of a message are its text, what the sender wrote in them, and the messages about parts that cannot be
read.

Of alternatives the plain one is used, or the HTML one if the sender wrote nothing in the plain one. Attachments and
attached messages are named, never parsed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from gm.mail.message.addresses import parse_list
from gm.mail.message.attribution import subject_apart, words_of
from gm.mail.message.charset import Decoded, decode, decode_text
from gm.mail.message.html import TooManyTags, above_quotation, html_lines
from gm.mail.message.mime import Headers, LimitBroken, Limits, Part, canonical, parse, with_newlines
from gm.mail.message.reply import OwnWords, own_words
from gm.mail.message.text import Line, clean_text, flowed_lines, in_doubt, plain_lines, without_armor, without_encoded

_PGP_MESSAGE = "-----BEGIN PGP MESSAGE-----"
_SMIME = ("application/pkcs7-mime", "application/x-pkcs7-mime")
_SIGNATURES = ("application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature")
_TNEF = ("application/ms-tnef", "application/vnd.ms-tnef")
_ENTITIES_PER_TAG = 5
_NO_DOCUMENTS = re.compile(
    r"(?:image|audio|video|font)/.+|text/(?:x-)?(?:vcard|vcalendar|calendar|directory)|application/(?:ics|applefile)"
    r"|application/(?:x-)?(?:pgp-keys|pgp-signature|pkcs7-signature)"
)
_NO_DOCUMENTS_NAMED = re.compile(
    r".*\.(?:png|jpe?g|gif|bmp|svg|webp|hei[cf]|tiff?|emz|wmz|vcf|ics|p7s|asc|sig)", re.IGNORECASE | re.DOTALL
)
_MOST_NAMED = 20  # recipients whose names a quoted header may repeat
_STUB_LINES = 5  # a plain text that stands in the place of HTML is a line or two
_WORD = re.compile(r"\w+")
_PREFERENCE = {"text/plain": 0, "text/html": 2}


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read from a message; the fields are those of `Message`."""

    text: str = ""
    quoted: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    attachments: tuple[str, ...] = ()
    doubtful: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()
    apart_in: str = ""
    left_out: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    headed: str = ""
    beneath: tuple[tuple[str, str], ...] = ()
    below: str = ""
    of_page: bool = False
    refused: bool = False
    answers_invitation: bool = False
    """A calendar program answers an invitation (RFC 6047), and nothing in the mail is its sender's own: the words of
    who has invited stand in it, and in what is an alternative to it.
    """
    flows: bool = False
    """Text of several lines is format=flowed: a blank at the end of any of them joins it to the next."""


_ANSWERS = ("REPLY", "COUNTER", "REFRESH", "DECLINECOUNTER")


@lru_cache(maxsize=8)
def reading_of(raw: bytes, limits: Limits) -> Reading:
    """What is read of a message with LF line ends. Raises LimitBroken. The last ones are kept: to know whether a mail
    reads alike with fewer blanks it is read with these, too, and most have no more.
    """
    return read_bodies(parse(raw, limits), limits)


def read_bodies(message: Part, limits: Limits) -> Reading:
    """Reads the text of a message. Raises LimitBroken when it has more lines or tags than the limits allow."""
    texts = _Texts(limits, known_in(message.headers))
    words, leaves = texts.of(message) or OwnWords("", ()), list(message.leaves())
    calendars = [leaf for leaf in leaves if _answers_invitation(leaf)]
    most = limits.own_lines
    if words.text.count("\n") >= most or len(words.text) > limits.own_text:
        raise LimitBroken(f"Your mail has more than {most:,} lines of your own, or {limits.own_text:,} characters.")
    words = _without_words_of(calendars, words) if calendars else words
    enclosed = list(dict.fromkeys(texts.enclosed))
    attachments = tuple(_named(leaf) for leaf in leaves if not _is_text(leaf) and leaf.type not in _SIGNATURES)
    found = (*undecodable(words.undecodable), *struck_out(words.struck))
    if words.text.lstrip().startswith(_PGP_MESSAGE):
        return Reading("", (), (encrypted("PGP"),), attachments)
    unread = (*map(_named, _documents(message)), *enclosed)
    if words.text.strip():
        found += unread_documents(unread)
    else:
        found += (only_attachments(enclosed),) if enclosed else tuple(_why_no_text(leaves, words))
    outside = tuple(line for branch in message.branches() if branch.outside for line in _lines_outside(branch))
    apart_in = " and the ".join(filter(None, (words.apart_in, "text outside the parts" if outside else "")))
    quoted, doubtful, apart = (
        lines[: limits.quoted] for lines in (words.quoted, words.doubtful, (*words.apart, *outside))
    )
    left_out = (*words.struck, *words.undecodable)[:most]
    attachments += tuple(enclosed)
    beneath = words.beneath[:most]
    return Reading(
        words.text,
        quoted,
        found,
        attachments,
        doubtful,
        apart,
        apart_in,
        left_out,
        unread,
        words.headed,
        beneath,
        words.below,
        words.of_page,
        answers_invitation=bool(calendars) and not words.text.strip(),
        flows=any(leaf.flows and b"\n" in leaf.body.strip(b"\n") for leaf in leaves),
    )


def known_in(headers: Headers) -> frozenset[str]:
    """The words of a mail's subject, and of the names and addresses of who sent it and to whom, but for short ones."""
    subject = subject_apart(headers.text("subject"))[1]
    values = (value for field in ("from", "to", "cc") for value in headers.all(field)[:1])
    boxes = [box for value in values for box in parse_list(value)][:_MOST_NAMED]
    found = map(words_of, (subject, *(box.name for box in boxes), *(box.address for box in boxes)))
    return frozenset(words for words in found if len(words) > 1)


def _answers_invitation(leaf: Part) -> bool:
    return leaf.type == "text/calendar" and leaf.params.get("method", "").upper() in _ANSWERS


def _without_words_of(calendars: Iterable[Part], words: OwnWords) -> OwnWords:
    """The sender's words, those of them that stand in these calendars (RFC 5545, 3.1 and 3.3.11) quoted."""
    known = "".join(_letters(_plain_calendar(leaf)) for leaf in calendars)[:_MOST_OF_CALENDARS]
    own, theirs = list[str](), list[str]()
    for line in words.text.split("\n"):
        (theirs if line.strip() and _letters(line) in known else own).append(line)
    return replace(words, text="\n".join(own).strip("\n"), quoted=(*words.quoted, *theirs))


_MOST_OF_CALENDARS = 20_000
"""So many letters are looked at: an invitation has few, and each line is looked for in them."""


def _plain_calendar(leaf: Part) -> str:
    """The text of a calendar, its lines unfolded and without the signs that stand for others."""
    text = decode_text(leaf.content(), leaf.params.get("charset"))
    return re.sub(r"\r?\n[ \t]", "", text).replace("\\n", "\n").replace("\\N", "\n").replace("\\", "")


def _lines_outside(branch: Part) -> list[str]:
    """What is written outside the parts of a multipart; usually that it is one."""
    lines = clean_text(decode_text(branch.outside, None)).split("\n")
    return [line.strip() for line in lines if line.strip() and not line.startswith("--")]


def _why_no_text(leaves: list[Part], words: OwnWords) -> Iterable[str]:
    """The reasons why there is no text. Pictures within a quotation are those of the mail that is quoted."""
    others = [leaf for leaf in leaves if not _is_text(leaf) and leaf.type not in _SIGNATURES]
    added = [leaf for leaf in others if leaf.disposition == "attachment" or not leaf.type.startswith("image/")]
    if any(leaf.type == "application/pgp-encrypted" for leaf in leaves):
        yield encrypted("PGP")
    elif smime := next((leaf for leaf in leaves if leaf.type in _SMIME), None):
        yield (enclosed_signature() if smime.params.get("smime-type") == "signed-data" else encrypted("S/MIME"))
    elif any(leaf.type in _TNEF or leaf.filename.lower() == "winmail.dat" for leaf in leaves):
        yield winmail()
    elif any(leaf.type == "message/partial" for leaf in leaves):
        yield fragment()
    elif named := added if words.quoted else others:
        yield only_attachments([_named(leaf) for leaf in named])


def all_lines(raw: bytes) -> tuple[str, ...]:
    """Every line of the text parts of a mail of ours, those of its HTML too: what comes back when it is quoted."""
    limits = Limits()
    try:
        leaves = [leaf for leaf in parse(with_newlines(raw), limits).leaves() if _is_text(leaf)]
        texts = _Texts(limits)
        return tuple(line.text for leaf in leaves for line in texts.lines_of(leaf))
    except LimitBroken:
        return ()


class _Texts:
    """Reads the text parts of one message within one budget of lines and tags."""

    def __init__(self, limits: Limits, known: Collection[str] = ()) -> None:
        self._limits, self._known = limits, known
        self._lines = limits.lines
        self._tags = limits.tags
        self.enclosed: list[str] = []
        """The names of files that are encoded within the text."""

    def of(self, part: Part) -> OwnWords | None:
        """What the sender wrote in a part, None when it has no text."""
        if not part.children:
            return self._own_words(part) if _is_text(part) else None
        if part.type == "multipart/alternative" and any(_answers_invitation(leaf) for leaf in part.leaves()):
            return None
        if part.type in ("multipart/alternative", "multipart/related"):
            return self._best(sorted(part.children, key=lambda child: _PREFERENCE.get(child.type, 1)))
        if part.type == "multipart/signed":
            return self.of(part.children[0])
        return _joined(
            _attached(words) if at and _is_named(child) else words
            for at, child in enumerate(part.children)
            if (words := self.of(child)) is not None
        )

    def _own_words(self, *parts: Part) -> OwnWords:
        """The sender's own words in text parts of one kind."""
        words = own_words([line for part in parts for line in self.lines_of(part)], self._known)
        return replace(words, of_page=parts[0].type == "text/html")

    def _best(self, parts: Iterable[Part]) -> OwnWords | None:
        """The first part in which the sender wrote something, otherwise the first with any text."""
        fallback = None
        rest = iter(parts)
        for part in rest:
            words = self.of(part)
            if words is not None and (words.text.strip() or words.undecodable):
                return self._better(words, rest) if part.type == "text/plain" else words
            fallback = fallback or words
        return fallback

    def _better(self, plain: OwnWords, others: Iterable[Part]) -> OwnWords:
        """What the HTML says where the plain text beside it does not: when it strikes something out, and when the
        plain text is a stub in the place of what was written. What the other of the two says alone is `apart`."""
        pages = [leaf for part in others for leaf in part.leaves() if leaf.type == "text/html" and _is_text(leaf)]
        if not pages:
            return plain
        if self._says_the_same(pages, plain):
            return replace(plain, apart_in="HTML")
        try:
            page = self._own_words(*pages)
        except LimitBroken:
            return plain
        if plain.text.count("\n") >= self._limits.own_lines:
            return plain  # it is not read
        if page.struck and page.text.count("\n") > plain.text.count("\n"):  # perhaps more than their own
            kept = _missing_in(page.struck, plain.text.split("\n"), "\n")
            return replace(plain, text="\n".join(kept), struck=page.struck)
        plain = _marked_as_in(page, plain)
        stub = plain.text.count("\n") < _STUB_LINES and _is_stub(plain, self._first(page))
        if not page.struck and not stub:
            return replace(plain, apart=_only_in(self._first(page), plain), apart_in="HTML")
        return replace(page, apart=_only_in(self._first(plain), page), apart_in="plain text")

    def _says_the_same(self, pages: Sequence[Part], plain: OwnWords) -> bool:
        """Whether the page ends with a quotation, and has the very lines above it that are the sender's own in the
        plain text: what it quotes need not be read then.
        """
        text, guessed = self._decoded(pages[0])
        above = above_quotation(text) if len(pages) == 1 and not guessed else None
        if above is None or not above.isascii():
            return False
        try:
            lines = html_lines(above, tags=self._tags, lines=max(self._lines, 0))
        except TooManyTags:
            return False
        page = own_words([*lines, Line("quoted", 1, "> quoted")], self._known)
        own, theirs = ([_letters(line) for line in words.text.split("\n")] for words in (page, plain))
        return not page.struck and [*filter(None, own)] == [*filter(None, theirs)]

    def _decoded(self, part: Part) -> Decoded:
        content = part.content()
        return decode(content, part.params.get("charset") or _said_within(part, content))

    def _first(self, words: OwnWords) -> list[str]:
        """The own lines in a part, at most as many as are read."""
        return words.text.split("\n")[: self._limits.own_lines]

    def lines_of(self, part: Part) -> list[Line]:
        """The lines of a text part, each with how deep it is quoted."""
        text, guessed = self._decoded(part)
        if part.type == "text/html":
            lines = self._html(text)
        else:
            text, names = without_encoded(clean_text(text))
            self.enclosed += names
            if text.count("\n") > self._lines:
                raise LimitBroken(self._too_many_lines())
            if part.flows:
                lines = flowed_lines(text, delete_space=part.params.get("delsp", "").lower() == "yes")
            else:
                lines = plain_lines(text)
        self._lines -= len(lines)
        lines = [line.without_runs() for line in lines]
        return without_armor([in_doubt(line, guessed=guessed) for line in lines] if not text.isascii() else lines)

    def _html(self, text: str) -> list[Line]:
        tags = text.count("<")
        if tags > self._tags:
            raise LimitBroken(f"The HTML of your mail has more than {self._limits.tags:,} tags.")
        self._tags -= tags
        if text.count("&") > _ENTITIES_PER_TAG * self._limits.tags:
            raise LimitBroken("The HTML of your mail has too many character references.")
        try:
            return html_lines(text, tags=tags, lines=max(self._lines, 0))
        except TooManyTags:
            raise LimitBroken(self._too_many_lines()) from None

    def _too_many_lines(self) -> str:
        return f"Your mail has more than {self._limits.lines:,} lines."


_META = re.compile(rb"<meta[^>]{1,200}charset\s*=\s*[\"']?([\w.:-]{1,40})", re.IGNORECASE)
_META_WITHIN = 1024  # bytes from the beginning, by the HTML standard (13.2.3.2)


def _said_within(part: Part, content: bytes) -> str | None:
    """The charset that a page names itself."""
    found = _META.search(canonical(content)[:_META_WITHIN]) if part.type == "text/html" else None
    return found[1].decode("ascii", "replace") if found else None


def _only_in(lines: Iterable[str], other: OwnWords) -> tuple[str, ...]:
    """The own lines of one part whose words the other has nowhere."""
    return _missing_in((other.text, *other.quoted, *other.struck, *other.undecodable), lines)


def _missing_in(texts: Iterable[str], lines: Iterable[str], between: str = "") -> tuple[str, ...]:
    """The lines whose words these texts have nowhere. A line's words may begin in one text and end in the next, unless
    `between` them stands something. The texts are read once, however many lines there are.
    """
    known = [_letters(text) for text in texts]
    whole, everything = set(known), between.join(known)
    return tuple(line for line in lines if (words := _letters(line)) not in whole and words not in everything)


def _marked_as_in(page: OwnWords, plain: OwnWords) -> OwnWords:
    """The plain text, in which a program may have lost the quote marks that the HTML has."""
    own = {_letters(line) for line in page.text.split("\n")}
    quoted = {_letters(line) for line in page.quoted} - own if page.text.strip() else set()
    lines = plain.text.split("\n")
    lost = tuple(line for line in lines if _letters(line) in quoted)
    kept = "\n".join(line for line in lines if _letters(line) not in quoted)
    return replace(plain, text=kept.strip("\n"), quoted=(*plain.quoted, *lost)) if lost else plain


def _is_stub(plain: OwnWords, page: Iterable[str]) -> bool:
    """Whether a plain text has not the half of the lines that the HTML beside it has."""
    lines = [line for line in page if len(_WORD.findall(line)) >= 2]
    return 2 * len(_missing_in((plain.text, *plain.quoted), lines)) > len(lines)


def _letters(text: str) -> str:
    return "".join(_WORD.findall(text.casefold()))


def _documents(part: Part) -> Iterator[Part]:
    """The leaves that may hold orders and are not read. Pictures, visiting cards, calendars and signatures hold none;
    an alternative says in another way what was read.
    """
    for child in part.children:
        if part.type == "multipart/alternative" and not child.children and child.disposition != "attachment":
            continue
        yield from _documents(child)
    if not part.children and not _is_text(part) and part.body.strip():
        harmless = _NO_DOCUMENTS.fullmatch(part.type) or _NO_DOCUMENTS_NAMED.fullmatch(part.filename)
        if not harmless:
            yield part


def _is_named(part: Part) -> bool:
    """Whether it is a file that is shown in its place (`inline`): anybody may have written it. The first part is none,
    which some programs name.
    """
    return bool(part.filename)


def _attached(words: OwnWords) -> OwnWords:
    """What a file that is shown in its place says: its sender is asked whether it is theirs."""
    lines = tuple(filter(None, map(str.strip, words.text.split("\n"))))
    return replace(
        words, text="", headed="", beneath=(), quoted=(*words.quoted, *lines), doubtful=(*words.doubtful, *lines)
    )


def _is_text(part: Part) -> bool:
    """Whether a leaf is plain text or HTML, and not an attachment. Plain text with a name that is shown in its place
    (`inline`) is text, of which it may be in doubt whose it is.
    """
    named_page = part.type == "text/html" and part.filename and part.disposition
    return part.type in _PREFERENCE and part.disposition != "attachment" and not named_page


def _named(leaf: Part) -> str:
    """A leaf's name for a person."""
    return f"{leaf.filename} ({leaf.type})" if leaf.filename else leaf.type


def _joined(texts: Iterable[OwnWords]) -> OwnWords | None:
    """The texts of consecutive parts."""
    all_texts = list(texts)
    if not all_texts:
        return None
    return OwnWords(
        "\n\n".join(words.text for words in all_texts if words.text),
        tuple(line for words in all_texts for line in words.quoted),
        tuple(line for words in all_texts for line in words.undecodable),
        tuple(line for words in all_texts for line in words.doubtful),
        tuple(line for words in all_texts for line in words.struck),
        tuple(line for words in all_texts for line in words.apart),
        next((words.apart_in for words in all_texts if words.apart), ""),
        "\n\n".join(words.headed or words.text for words in all_texts) if any(one.headed for one in all_texts) else "",
        tuple(pair for words in all_texts for pair in words.beneath),
        next((words.below for words in reversed(all_texts) if words.below), ""),
        any(words.of_page for words in all_texts),
    )


# mail that could not be read


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


def unread_documents(names: Sequence[str]) -> tuple[str, ...]:
    """Attachments, beside a text, that may hold orders."""
    if not names:
        return ()
    listed = ", ".join(_shown(name) for name in names[:5])
    return (f"Not read, since it is attached: {listed}. Please write orders in the body of the mail.",)


def struck_out(lines: Sequence[str]) -> tuple[str, ...]:
    """What the sender struck out: one fault for all."""
    if not lines:
        return ()
    listed = "; ".join(f'"{_shown(line)}"' for line in lines[:_MOST])
    more = f" and {len(lines) - _MOST} more" if len(lines) > _MOST else ""
    return (f"Struck out in your mail, and so not acted on: {listed}{more}.",)


def undecodable(lines: Sequence[str]) -> tuple[str, ...]:
    """The sender's lines with characters that could not be decoded: one fault for each."""
    listed = tuple(
        f'This line has characters that could not be read, and was left out: "{_shown(line)}".'
        " Please write it again in plain letters."
        for line in lines[:_MOST]
    )
    more = len(lines) - _MOST
    return (*listed, f"So were {more} more lines.") if more > 0 else listed
