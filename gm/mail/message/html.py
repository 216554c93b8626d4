"""HTML mail to lines, with quotes marked, in one pass over its tags.

No tree is built. Parsers that follow the HTML standard take quadratic time or memory on hostile mail (200,000 open
`div` take selectolax's Lexbor a minute, 45,000 unclosed `font` all memory), and to read a reply it is enough to know
where lines end and where quotes begin. The pass takes linear time, and tags are limited.

The module is long because what styles hide, strike out or mark as a quotation is found in the same pass.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from html import unescape
from typing import NamedTuple

from gm import patterns as re
from gm.mail.message.text import Line, clean_text

# A tag with its attributes; one with a quotation mark left open; a declaration.
_TAG = re.compile(
    r"""<(/?)([a-zA-Z][^\s/<>]{0,60})((?:[^<>"']++|"[^"<]*+"|'[^'<]*+')*+)>
    | <(/?)([a-zA-Z][^\s/<>]{0,60})([^<>]*+)>
    | <[!?/][^<>]*+>""",
    re.VERBOSE,
)
_ATTRIBUTE = re.compile(r"""([^\s=/"'>]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?""")
_LONG_NUMBER = re.compile(r"&#[0-9]{8,}")


_ASCII_SPACE = re.compile(r"[ \t\n\r\f]+")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_BLOCKS = _words(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure"
    " footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol optgroup option p"
    " plaintext pre q search section summary table tbody tfoot thead tr ul"
)
"""Those that end lines: shown as blocks by the HTML standard (15.3), the parts of a table, and quotations."""
_VOID = _words("area base br col embed hr img input link meta source track wbr")
_UNREAD = _words("style script title template svg math textarea select iframe xmp")
_CELLS = frozenset(("td", "th"))
_ROWS = frozenset(("table", "tr"))
_MOST_EMPTY = 20  # lines and pieces of an element that is empty
_LONGEST_EMPTY = 200  # characters of these together
_PARAGRAPHS = frozenset(("p", "div"))

# Elements that hold the quoted mail as a whole.
_BOXES = frozenset(("q", "fieldset", "includetail"))
"""Those that are a quotation by their name; no program puts its sender's own words into them."""
_QUOTES = _words(
    "yahoo_quoted ms-outlook-mobile-reference-message mail-editor-reference-message-container olk_src_body_section"
    " moz-forward-container zmail_extra"
)
_FOLDED = "details"
_OPEN = re.compile(r"(?<![\w-])open(?![\w-])", re.IGNORECASE)
"""With which it shows what it holds, and without which only what that is called."""
_NAMED_QUOTE = re.compile(
    r"(?<!un)quot(?:e|ation)(?!s)|zitat|citat|(?:^|[^a-z])(?:original|forward|replie)|reply(?:content|section)"
)
"""The name, in small letters, of what holds an attribution and the quote in a blockquote, and the sender's answers
between such quotes, in any program: `gmail_quote`, `mail-quote-collapse`. Without a blockquote all of it is the quote.
"""
# Elements that introduce the quote that follows them.
_INTRODUCTIONS = _words("appendonsend divrplyfwdmsg outlookmessageheader moz-cite-prefix gmail_attr reply-intro zwchr")
# What some programs prefix to class names and ids of a mail that they quote.
_PREFIX = re.compile(r"(?:x_)+|yiv\d+|ydp[0-9a-f]*")
_HIDDEN = re.compile(
    r"display\s*:\s*none|mso-hide\s*:\s*all|visibility\s*:\s*hidden"
    r"|(?<![\w-])(?:left|text-indent|top|margin-left)\s*:\s*-\d{3,}"
    r"|(?<![\w-])opacity\s*:\s*+0*+(?:\.0*+)?\s*+(?:[;!]|$)",
    re.IGNORECASE,
)
_CLIPPED = re.compile(
    r"(?<![\w-])(?:max-)?(?:height|width)\s*:\s*+0*+(?:\.0*+)?(?:px|pt|r?em|%)?\s*+(?:[;!]|$)", re.IGNORECASE
)
_NO_OVERFLOW = re.compile(r"overflow\s*:\s*hidden", re.IGNORECASE)
_NO_SIZE = re.compile(r"(?<![\w-])font-size\s*:\s*+0*+(?:\.0*+)?(?:px|pt|r?em|%)?\s*+(?:[;!]|$)", re.IGNORECASE)
_SIZE = re.compile(r"(?<![\w-])font-size\s*:", re.IGNORECASE)
_SELECTOR = re.compile(r"[\w-]{0,60}(?:[.#][\w-]{1,60})?")
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)|<!--|-->", re.DOTALL)
_COLOUR = re.compile(
    r"(?<![\w-])(color|background(?:-color)?)\s*:\s*(#[0-9a-f]{3,8}|rgb\([\d\s,]{5,20}\)|[a-z]+)", re.IGNORECASE
)
_BORDER = re.compile(
    r"(?<![\w-])border(-left|-right|-inline-start|-inline-end|-inline|-top|-bottom)?(-style|-width)?\s*:([^;]{1,100})",
    re.IGNORECASE,
)
_DRAWN = re.compile(r"\b(?:solid|double|dashed|dotted|groove|ridge|inset|outset)\b")
_NO_WIDTH = re.compile(r"(?<![\w.#])0(?:\.0*)?(?:px|pt|r?em)?(?![\w.%])")
_IN_BRACKETS = re.compile(r"\([^()]*\)")
_SHADOW = re.compile(r"(?<![\w-])box-shadow\s*:\s*inset\s+-?[1-9][\d.]*(?:px|pt|r?em)?\s+0(?:px)?\s+0", re.IGNORECASE)
_SIDES = ("-top", "-right", "-bottom", "-left")
_BESIDE = {"-inline-start": ("-left",), "-inline-end": ("-right",), "-inline": ("-left", "-right")}
"""The sides of a text; which of the two ends is its start makes no difference here."""
_PRESERVED = re.compile(r"white-space\s*:\s*(?:pre|break-spaces)", re.IGNORECASE)
_MARKERS = frozenset(("introduction", "quote", "wrapper", "inner"))
"""The effects of elements of which an empty one begins what is quoted: a program has put it around nothing."""
_SIZES = frozenset(("tiny", "sized"))
_STRUCK = frozenset(("s", "strike", "del"))
_LINE_THROUGH = re.compile(r"line-through", re.IGNORECASE)
_INDENTED = re.compile(r"border\s*:\s*(?:none|0)|webkit-indent-blockquote", re.IGNORECASE)
_NO_MARGIN = re.compile(r"MsoNormal|MsoPlainText|MsoListParagraph|margin(?:-top|-bottom)?\s*:\s*0", re.IGNORECASE)
_LONGEST_ATTRIBUTES = 2_000
_OUTER_FRAMES = 12
_ATTRIBUTION_LINES = 3


class TooManyTags(Exception):
    """The HTML has more tags or lines than the limits allow."""


def html_lines(html: str, *, tags: int, lines: int) -> list[Line]:
    """The lines of an HTML body as a reader sees them. Raises TooManyTags beyond `tags` or `lines`."""
    walk = _Walk(tags, lines)
    walk.over(html)
    return walk.lines


_QUOTE_TAG = re.compile(r"<(/?)blockquote(?![^\s/>])((?:[^<>\"']++|\"[^\"<]*+\"|'[^'<]*+')*+)>", re.IGNORECASE)
_ANY_TAG = re.compile(r"<[^<>]*+>|&nbsp;|&#160;|\s++")


def above_quotation(html: str) -> str | None:
    """What stands above the one quotation with which a page ends; None if it may have anything below one, or if what
    is quoted shows itself in another way.
    """
    tags = list(_QUOTE_TAG.finditer(html))
    if not tags or tags[0][1] or _effect("blockquote", tags[0][2], {}) != "quote":
        return None
    depth = 0
    for number, tag in enumerate(tags, 1):
        depth += -1 if tag[1] else 1
        if not depth and number < len(tags):
            return None
    return html[: tags[0].start()] if not depth and not _ANY_TAG.sub("", html[tags[-1].end() :]) else None


@dataclass(slots=True)
class _Frame:
    """An open element that matters: `effect` is quote, wrapper, inner, introduction, hidden, struck, preserved, tiny
    (letters of no size) or sized (of another size).
    """

    name: str
    effect: str
    first_line: int
    first_quote: int | None = None
    inside: dict[str, int] = field(default_factory=dict)


class _Row(NamedTuple):
    """A row of a table: where its lines begin, and whether one of its cells is a bar."""

    first_line: int
    barred: bool = False


class _Walk:
    """The state of one pass."""

    def __init__(self, tags: int, lines: int) -> None:
        self.lines: list[Line] = []
        self._tags = tags
        self._most_lines = lines
        self._pieces: list[str] = []
        self._struck: list[str] = []  # what of the line is struck out
        self._frames: list[_Frame] = []
        self._base = _Frame("", "", 0)
        self._in_effect: dict[str, int] = {}
        self._wrapper: _Frame | None = None  # the outermost
        self._sizes: list[str] = []  # tiny or sized, the innermost last
        self._rules: dict[str, str] = {}  # what style sheets say of a tag, .class or #id, without a condition

        self._cell: int | None = None  # the number of lines at the beginning of the table cell
        self._begun = 0  # the number of pieces there
        self._bar = False  # the table cell is drawn as a bar, if nothing is in it
        self._rows: list[_Row] = []  # of the tables that are open, the innermost last
        self._ends_late = False  # a block in the cell has ended; its line ends unless the cell does, too

    def over(self, html: str) -> None:
        at = 0
        while (tag := html.find("<", at)) >= 0:
            self._text(html[at:tag])
            self._tags -= 1
            if self._tags < 0:
                raise TooManyTags
            at = self._markup(html, tag)
        self._text(html[at:])
        self._block_ends()
        self._close(len(self._frames))

    def _markup(self, html: str, at: int) -> int:
        """Process the markup that begins with the `<` at this offset, and return the offset after it."""
        if html.startswith("<!--", at):
            end = html.find("-->", at + 2)
            return end + 3 if end >= 0 else len(html)
        found = _TAG.match(html, at)
        if found is None:
            self._text("<")
            return at + 1
        closing, name, attributes = found.group(1, 2, 3) if found[2] else found.group(4, 5, 6)
        if name is None:
            return found.end()
        name = name.lower()
        if closing:
            self._end_tag(name)
        elif name in _UNREAD and not attributes.endswith("/"):
            end = _behind_element(html, name, found.end())
            if name == "style":
                self._rules.update(_rules(html[found.end() : end], conditional="media" in attributes.lower()))
            return end
        else:
            self._start_tag(name, _ASCII_SPACE.sub(" ", attributes)[:_LONGEST_ATTRIBUTES])
        return found.end()

    def _text(self, text: str) -> None:
        if text and not self._hidden:
            if "preserved" in self._in_effect:
                *whole, rest = text.split("\n")
                for line in whole:
                    self._written.append(line)
                    self._line_ends()
                text = rest
            else:
                text = _ASCII_SPACE.sub(" ", text)
            if self._ends_late and text.strip():
                self._block_ends()
            self._written.append(text)

    @property
    def _hidden(self) -> bool:
        return "hidden" in self._in_effect or self._sizes[-1:] == ["tiny"]

    @property
    def _written(self) -> list[str]:
        return self._struck if "struck" in self._in_effect else self._pieces

    def _start_tag(self, name: str, attributes: str) -> None:
        if name == "br":
            if not self._hidden:
                self._line_ends()
            return
        self._table_begins(name, attributes)
        if name not in _CELLS and name in _BLOCKS and not self._begins_cell(name):
            self._block_ends()
            if name == "p" and not _NO_MARGIN.search(attributes):
                self._paragraph()
        effect = _effect(name, attributes, self._rules)
        if name in _VOID:
            if effect == "introduction":
                self._add(Line("", introduces=True))
            return
        if effect == "quote":
            self._block_ends()
        if effect and (effect != "sized" or self._sizes):
            self._open(name, effect)
        else:
            inside = self._frame().inside
            inside[name] = inside.get(name, 0) + 1

    def _table_begins(self, name: str, attributes: str) -> None:
        """Begin a table, a row or a cell, if an element is one."""
        if name in _ROWS:
            self._rows_end(name)
        elif name in _CELLS:
            self._cell_ends()
            self._pieces.append(" ")
            self._cell, self._begun = len(self.lines), len(self._pieces)
            self._bar = _is_drawn(name, attributes, self._rules)

    def _begins_cell(self, name: str) -> bool:
        """Whether this is a paragraph in which all the cell of a table may be."""
        empty = self._pieces[-1:] == [" "] and not self._ends_late
        return name in _PARAGRAPHS and self._cell == len(self.lines) and empty

    def _cell_ends(self) -> None:
        if self._ends_late and self._cell != len(self.lines):
            self._block_ends()
        if self._bar and self._rows and not self._seen_since(self._cell or 0, self._begun):
            self._rows[-1] = self._rows[-1]._replace(barred=True)
        self._cell, self._ends_late, self._bar = None, False, False

    def _seen_since(self, line: int, piece: int = 0) -> bool:
        """Whether there is any text from this line on, and from this piece on where it is still open, or so much that
        it cannot be empty.
        """
        begun = piece if line == len(self.lines) else 0
        if len(self.lines) - line > _MOST_EMPTY or len(self._pieces) - begun > _MOST_EMPTY:
            return True
        open_text, closed = self._pieces[begun:], [one.text for one in self.lines[line:]]
        if sum(map(len, (*open_text, *closed))) > _LONGEST_EMPTY:
            return True
        return any(one.strip() for one in (*closed, unescaped("".join(open_text))))

    def _rows_end(self, name: str, *, closing: bool = False) -> None:
        """End the row of a table, and begin the next one; beside a cell that is a bar, all of it is a quotation."""
        if name == "tr" or closing:
            self._block_ends()
            row = self._rows.pop() if self._rows else _Row(len(self.lines))
            for at in range(row.first_line, len(self.lines)) if row.barred else ():
                line = self.lines[at]
                self.lines[at] = line if line.depth else _quoted(line)._replace(perhaps=True)
        if not closing and len(self._rows) < _OUTER_FRAMES:
            self._rows.append(_Row(len(self.lines)))

    def _end_tag(self, name: str) -> None:
        if name in _CELLS:
            self._cell_ends()
        elif name == "table":
            self._cell_ends()
            self._rows_end(name, closing=True)
        elif name in _PARAGRAPHS and self._cell is not None:
            self._ends_late = True
        elif name in _BLOCKS:
            self._block_ends()
        outer = self._frames[: -_OUTER_FRAMES - 1 : -1]
        if len(self._frames) <= _OUTER_FRAMES:
            outer.append(self._base)
        for above, frame in enumerate(outer):
            nested = frame.inside.get(name, 0)
            if nested:
                frame.inside[name] = nested - 1
            if nested or frame.name == name:
                self._close(above if nested else above + 1)
                return

    def _frame(self) -> _Frame:
        return self._frames[-1] if self._frames else self._base

    def _open(self, name: str, effect: str) -> None:
        frame = _Frame(name, effect, len(self.lines))
        if effect == "wrapper" and self._wrapper is not None:
            frame.effect = effect = "inner"
        elif effect == "wrapper":
            self._wrapper = frame
        elif effect == "quote" and self._wrapper is not None and self._wrapper.first_quote is None:
            self._wrapper.first_quote = len(self.lines)
        if effect in _SIZES:
            self._sizes.append(effect)
        self._frames.append(frame)
        self._in_effect[effect] = self._in_effect.get(effect, 0) + 1

    def _close(self, innermost: int) -> None:
        """Close this many frames."""
        for _ in range(innermost):
            if self._frames[-1].effect == "quote":
                self._block_ends()
            frame = self._frames.pop()
            if frame.effect in _SIZES:
                self._sizes.pop()
            self._in_effect[frame.effect] -= 1
            if not self._in_effect[frame.effect]:
                del self._in_effect[frame.effect]
            empty = frame.effect in _MARKERS and not self._seen_since(frame.first_line)
            if frame is self._wrapper:
                self._wrapper = None
                self._settle(frame)
            if empty:
                self._add(Line("", introduces=True, perhaps=True))

    def _settle(self, wrapper: _Frame) -> None:
        """A wrapper with an attribution and then a blockquote may contain answers; any other is a quote as a whole."""
        start, quote = wrapper.first_line, wrapper.first_quote
        before = self.lines[start : quote if quote is not None else len(self.lines)]
        written = sum(1 for line in before if line.text.strip())
        if quote is not None and written <= _ATTRIBUTION_LINES:
            self.lines[start:quote] = [line._replace(introduces=bool(line.text.strip())) for line in before]
        else:
            self.lines[start:] = [_quoted(line) for line in self.lines[start:]]

    def _block_ends(self) -> None:
        """End the line unless it is empty; a non-breaking space counts."""
        self._ends_late = False
        if any(_ASCII_SPACE.sub("", piece) for pieces in (self._pieces, self._struck) for piece in pieces):
            self._line_ends()
        else:
            self._pieces.clear()
            self._struck.clear()

    def _paragraph(self) -> None:
        if self.lines and self.lines[-1].text.strip():
            self._add(Line(""))

    def _line_ends(self) -> None:
        if self._struck:
            struck = _seen(unescaped("".join(self._struck)))
            self._struck.clear()
            if struck:
                self._add(Line(struck, struck=True))
                if not any(piece.strip() for piece in self._pieces):
                    self._pieces.clear()
                    return
        written = "".join(self._pieces)
        self._pieces.clear()
        if "&" in written:
            written = unescaped(written)
        for text in clean_text(written).split("\n"):
            self._add(Line(self._as_seen(text), introduces="introduction" in self._in_effect and bool(text.strip())))

    def _as_seen(self, text: str) -> str:
        if "preserved" in self._in_effect:
            return text.rstrip() if text != "-- " else text
        seen = " ".join(text.split())
        return "-- " if seen == "--" and text.endswith(" ") else seen

    def _add(self, line: Line) -> None:
        if len(self.lines) >= self._most_lines:
            raise TooManyTags
        depth = self._in_effect.get("quote", 0)
        self.lines.append(line._replace(depth=depth, raw="> " * min(depth, 9) + line.text))


def _quoted(line: Line) -> Line:
    return Line(line.text, line.depth + 1, "> " + line.raw)


def unescaped(text: str) -> str:
    """The text with its character references replaced; a number that is none gives U+FFFD, however long it is."""
    return unescape(_LONG_NUMBER.sub("&#xfffd", text))


def _seen(text: str) -> str:
    return " ".join(clean_text(text).split())


def _behind_element(html: str, name: str, at: int) -> int:
    """The offset after the end tag of an element whose content is not read."""
    end = re.compile(f"</{re.escape(name)}[^<>]*>", re.IGNORECASE).search(html, at)
    return end.end() if end else len(html)


def _rules(sheet: str, *, conditional: bool) -> Iterator[tuple[str, str]]:
    """What a style sheet says of simple selectors (a tag, .class, #id or tag.class) that matters here, in short: which
    it hides or strikes out without a condition, as @media is, and beside which it draws a line.
    """
    sheet = _ASCII_SPACE.sub(" ", _COMMENT.sub(" ", sheet))
    selectors, depth, start = "", 0, 0
    for brace in re.finditer("[{}]", sheet):
        at = brace.start()
        if brace[0] == "{":
            selectors, start, depth = sheet[start:at], at + 1, depth + 1
            continue
        style = sheet[start : min(at, start + _LONGEST_ATTRIBUTES)]
        if said := _in_short(style, conditional=conditional or depth > 1):
            for selector in selectors.split(","):
                *around, last = selector.split() or [""]
                if last and _SELECTOR.fullmatch(last) and (not around or said in (_A_BAR, _THROUGH)):
                    yield last.lower(), said
        start, depth = brace.end(), max(depth - 1, 0)


_A_BAR, _THROUGH = "border-left:solid", "text-decoration:line-through"
"""What a sheet says that counts wherever its element is: then nothing is done, and it is shown back."""


def _in_short(style: str, *, conditional: bool) -> str:
    """What of a style matters, in its shortest form."""
    if _has_bar(style):
        return _A_BAR
    if conditional:
        return ""
    if _is_hidden(style):
        return "display:none"
    if _NO_SIZE.search(style):
        return "font-size:0"
    return _THROUGH if _LINE_THROUGH.search(style) else ""


@lru_cache(maxsize=512)
def _has_bar(style: str) -> bool:
    """Whether a line is drawn beside an element, on one side of it alone (CSS Backgrounds 3, 4): so programs show a
    quotation.
    """
    drawn = dict.fromkeys((f"{side}{what}" for side in _SIDES for what in ("-style", "-width")), "")
    for side, what, value in _BORDER.findall(style.lower()):
        for one, text in _by_sides(side, what, _IN_BRACKETS.sub("", value).replace("!important", "")):
            for each in (what,) if what else ("-style", "-width"):
                drawn[f"{one}{each}"] = text
    seen = [
        one
        for one in _SIDES
        if _DRAWN.search(drawn[f"{one}-style"]) is not None and _NO_WIDTH.search(drawn[f"{one}-width"]) is None
    ]
    return seen in (["-left"], ["-right"]) or _SHADOW.search(style) is not None


def _by_sides(side: str, what: str, value: str) -> Iterator[tuple[str, str]]:
    """What a declaration says of each side that it is about; several styles or widths are for the sides in order."""
    each = value.split()
    if what and not side and 1 < len(each) <= len(_SIDES):
        places = ((0, 0, 0, 0), (0, 1, 0, 1), (0, 1, 2, 1), (0, 1, 2, 3))[len(each) - 1]
        yield from ((one, each[place]) for one, place in zip(_SIDES, places, strict=True))
    else:
        yield from ((one, value) for one in (_BESIDE.get(side, (side,)) if side else _SIDES))


@lru_cache(maxsize=512)
def _is_hidden(style: str) -> bool:
    """Whether an element of this style is invisible: it is not shown, without any colour or height, or off the page."""
    colours = {key.lower()[:5]: _colour(value.lower()) for key, value in _COLOUR.findall(style)}
    unseen = "backg" in colours and colours.get("color") == colours["backg"]
    return unseen or bool(_HIDDEN.search(style) or (_CLIPPED.search(style) and _NO_OVERFLOW.search(style)))


def _colour(written: str) -> str:
    """A colour in one of the ways in which it can be written."""
    short = re.fullmatch("#([0-9a-f])([0-9a-f])([0-9a-f])", written)
    known = {"white": "#ffffff", "black": "#000000", "rgb(255,255,255)": "#ffffff", "rgb(0,0,0)": "#000000"}
    plain = "".join(written.split())
    return "#" + "".join(2 * digit for digit in short.groups()) if short else known.get(plain, plain)


def _is_drawn(name: str, attributes: str, rules: Mapping[str, str]) -> bool:
    """Whether a cell is seen though nothing is in it: it has a colour or a border."""
    if not attributes and name not in rules:
        return False
    found = {key.lower(): double or single or bare for key, double, single, bare in _ATTRIBUTE.findall(attributes)}
    style = _styled(name, found, rules).lower()
    colours = [found.get("bgcolor", ""), *(value for key, value in _COLOUR.findall(style) if key != "color")]
    coloured = any(_colour(one.lower()) not in ("#ffffff", "transparent", "none") for one in colours if one)
    return (
        coloured or bool(found.get("background")) or any(_DRAWN.search(value) for _, _, value in _BORDER.findall(style))
    )


def _styled(name: str, found: Mapping[str, str], rules: Mapping[str, str]) -> str:
    """The style of an element: what the sheets say of it, and its own."""
    if not rules:
        return found.get("style", "")
    names = [f".{word}" for word in found.get("class", "").lower().split()]
    names += [f"#{found['id'].lower()}"] if found.get("id") else []
    said = (rules[one] for one in (name, *names, *(f"{name}{one}" for one in names)) if one in rules)
    return ";".join((*said, found.get("style", "")))


def _effect(name: str, attributes: str, rules: Mapping[str, str]) -> str:
    """An element's effect, or an empty string."""
    if name == "pre":
        return "preserved"
    if name in _STRUCK:
        return "struck"
    if name in _BOXES or (name == _FOLDED and not _OPEN.search(attributes)):
        return "quote"
    if not attributes and name != "blockquote" and name not in rules:
        return ""
    found = {key.lower(): double or single or bare for key, double, single, bare in _ATTRIBUTE.findall(attributes)}
    style = _styled(name, found, rules)
    if "hidden" in found or _is_hidden(style):
        return "hidden"
    words = f"{found.get('class', '')} {found.get('id', '')} {found.get('name', '')}".lower().split()
    names = {_PREFIX.sub("", word, count=1) if _PREFIX.match(word) else word for word in words}
    holds_quote = any(map(_NAMED_QUOTE.search, names))
    if name == "blockquote":
        indented = found.get("type", "").lower() != "cite" and _INDENTED.search(attributes) and not holds_quote
        return "" if indented else "quote"
    if names & _QUOTES or _has_bar(style):
        return "quote"
    if names & _INTRODUCTIONS:
        return "introduction"
    if holds_quote:
        return "wrapper"
    return _seen_as(style)


@lru_cache(maxsize=512)
def _seen_as(style: str) -> str:
    """The effect of a style that does not hide its element."""
    if _LINE_THROUGH.search(style):
        return "struck"
    if _PRESERVED.search(style):
        return "preserved"
    if _NO_SIZE.search(style):
        return "tiny"
    return "sized" if _SIZE.search(style) else ""
