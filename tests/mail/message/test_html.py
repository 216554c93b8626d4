"""HTML to lines: order lines stay whole, quotes are marked."""

from __future__ import annotations

import re

import pytest

from gm.mail.message.html import TooManyTags, html_lines
from gm.mail.message.incoming import Message
from tests.mail.message.messages import HTML, PLAIN, message, multipart, read
from tests.reading.attacks import is_linear

SEEN = {
    # name: HTML, the lines a reader sees
    "inline elements": ("<p><b>A</b> PIC<i>-</i><span>BEL</span></p>", ["A PIC-BEL"]),
    "source lines are no lines": ("<div>A PIC\n   -\n BEL</div>", ["A PIC - BEL"]),
    "breaks": ("A PIC-BEL<br>F BRE-MAO<br/><br>x", ["A PIC-BEL", "F BRE-MAO", "", "x"]),
    "break at the end of a block": ("<div>A<br></div><div>B</div>", ["A", "B"]),
    "empty block with a break": ("<div>A</div><div><br></div><div>B</div>", ["A", "", "B"]),
    "paragraphs": ("<p>A</p>\n<p>B</p>", ["A", "", "B"]),
    "paragraphs of Word": (
        '<p class="MsoNormal">A</p><p class=MsoNormal>B</p><p class=MsoNormal>&nbsp;</p>',
        ["A", "B", ""],
    ),
    "list": ("<ol><li>A<li>B</ol>C", ["A", "B", "C"]),
    "nested list": ("<ul><li>A<ul><li>B</ul><li>C</ul>", ["A", "B", "C"]),
    "table": ("<table><tr><td>A</td><td>B</td></tr><tr><td>C</td></tr></table>", ["A B", "C"]),
    "table with paragraphs": (
        "<table><tr><th><p>Unit</p></th><th><p>Order</p></th></tr>"
        "<tr><td><p>A Par</p></td>\n<td><div><p>- Pic</p></div></td></tr>"
        "<tr><td><p>F Bre<td><p>- Mao</table>D",
        ["Unit Order", "A Par - Pic", "F Bre - Mao", "D"],
    ),
    "table for the layout": (
        "<table><tr><td><p>A</p><p>B</p></td><td><p>C</p></td></tr><tr><td><div>D</div>E<div>F</div></td></tr></table>G",
        ["A", "", "B", "C", "D", "E", "F", "G"],
    ),
    "preformatted": ("<pre>A  B\nC</pre>D", ["A  B", "C", "D"]),
    "preserved by style": ('<div style="white-space: pre-wrap">A\nB</div>', ["A", "B"]),
    "entities": ("A PIC&nbsp;&rarr;&#32;BEL &lt;b&gt; &amp;amp;", ["A PIC → BEL <b> &amp;"]),
    "entities of no character": ("a&#99999999999;b&#xD800;&bogus;", ["a\ufffdb\ufffd&bogus;"]),
    "comments": ("A<!-- <b> --> B<!--[if mso]>C<![endif]--> D<!---->E", ["A B DE"]),
    "comment left open": ("A<br>B<!-- C", ["A", "B"]),
    "style and script": ("<style>p{}</style>A<script>if (a<b) x='</p>'</script>B", ["AB"]),
    "hidden by an element": (
        "<style>u{visibility:hidden} @media print{p{display:none}}</style><u>A</u><p>B</p>",
        ["B"],
    ),
    "hidden": ('<div style="display:none">A<div>B<br></div>C</div>D<span hidden>E</span>', ["D"]),
    "hidden by a class": ("<style>/* x */ .h, .g{display:none}</style><p class='a h'>A</p><p class=g>B</p>C", ["C"]),
    "of no size": ('<p style="font-size:0">A</p><p style="font-size:0.9em">B</p>', ["B"]),
    "of no size by a class": ("<style>p.z{font-size:0px;color:red}</style><p class=z>A</p><b class=z>B</b>", ["B"]),
    "of no size around another": ('<div style="font-size:0"><p style="font-size:12px">A</p>B</div>C', ["A", "C"]),
    "hidden only by name": ('<p aria-hidden="true" title="hidden" data-style="display:none">A</p>', ["A"]),
    "drawing that closes itself": ("<svg width=1 />A", ["A"]),
    "signs that are no tags": ("1 < 2 <3 a<", ["1 < 2 <3 a<"]),
    "quoted brackets in attributes": ('<a title="a>b">A</a>', ["A"]),
    "quotation mark left open": ('<p title="x>A</p>', ["A"]),
    "upper case": ("<DIV>A<BR>B</DIV>", ["A", "B"]),
    "signature line": ("A<br>-- <br>B", ["A", "-- ", "B"]),
    "signature line with a hard space": ("A<br>--&nbsp;<br>B", ["A", "-- ", "B"]),
    "captions": (
        "<details open><summary>A</summary>B</details><form><legend>C</legend>D</form>"
        "<figure><figcaption>E</figcaption>F</figure><table><caption>G</caption><tr><td>H</table>",
        [*"ABCDEFGH"],
    ),
    "unclosed": ("<div><b>A<div>B", ["A", "B"]),
    "link": ('<a href="https://example.org/A%20PIC-BEL">map</a>', ["map"]),
    "nothing": ("", []),
}


@pytest.mark.parametrize("name", SEEN)
def test_lines_as_seen(name: str) -> None:
    html, seen = SEEN[name]
    lines = html_lines(html, tags=100, lines=100)
    assert [line.text for line in lines] == seen
    assert not any(line.depth for line in lines)


QUOTED = {
    # name: HTML, (depth, text) of the written lines
    "blockquote": (
        "A<blockquote>B<blockquote>C</blockquote>D</blockquote>E",
        [(0, "A"), (1, "B"), (2, "C"), (1, "D"), (0, "E")],
    ),
    "quoted within a line": ("<p>Bea: <q>A<br>B</q> C</p>", [(0, "Bea:"), (1, "A"), (1, "B"), (0, "C")]),
    "cited without a border": ('<blockquote type="cite" style="border:none">A</blockquote>B', [(1, "A"), (0, "B")]),
    "indented": ('<blockquote style="margin:0 0 0 40px;border:none;padding:0">A</blockquote>', [(0, "A")]),
    "wrapper with its blockquote": (
        '<div class="gmail_quote">wrote:<blockquote>A</blockquote><div>B</div></div>C',
        [(0, "wrote:"), (1, "A"), (0, "B"), (0, "C")],
    ),
    "wrapper without": ('<div class="gmail_quote">A<div>B</div></div>C', [(1, "A"), (1, "B"), (0, "C")]),
    "wrapper in a wrapper": (
        "<div class=gmail_quote>wrote:<blockquote>A<div class=gmail_quote>B</div></blockquote></div>C",
        [(0, "wrote:"), (1, "A"), (1, "B"), (0, "C")],
    ),
    "renamed by another program": (
        '<div class="yiv123yahoo_quoted">A</div><div id="x_olk_src_body_section">B</div>',
        [(1, "A"), (1, "B")],
    ),
    "named by any program": (
        '<div class="mail-quote-collapse">A</div><p class=tutanota_quote>B</p><div id=fastmail-quoted>C</div>D',
        [(1, "A"), (1, "B"), (1, "C"), (0, "D")],
    ),
    "no quotation by its name": ("<p class=unquoted>A</p><p class=quotes-none>B</p>", [(0, "A"), (0, "B")]),
    "beside a cell that is a bar": (
        "<table><tr><td width=2 bgcolor=#00f></td><td>A<br>B</td></tr><tr><td>C</td></tr></table>D",
        [(1, "A"), (1, "B"), (0, "C"), (0, "D")],
    ),
    "before a cell that is a bar": (
        "<table><tr><td>A</td><td style='background:#ccc'>&nbsp;</td></tr></table>B",
        [(1, "A"), (0, "B")],
    ),
    "a cell with a colour and words": ("<table><tr><td bgcolor=red>A</td><td>B</table>", [(0, "A B")]),
    "a white cell": ("<table><tr><td bgcolor=white></td><td>A</table>", [(0, "A")]),
    "a table in a cell beside a bar": (
        "<table><tr><td bgcolor=blue></td><td><table><tr><td>A</table></td></tr><tr><td>B</table>",
        [(1, "A"), (0, "B")],
    ),
    "beside a bar in a cell": (
        '<table><tr><td style="border-left:1px solid">A</td></tr></table>B',
        [(1, "A"), (0, "B")],
    ),
    "beside a bar in a line": ('<span style="display:block;border-left:1px solid">A</span>B', [(1, "A"), (0, "B")]),
    "beside a bar by a class": (
        "<style>.o{color:red} .x .q, p.r{border-left:1px solid}</style><div class=q>A</div><p class=r>B</p><b>C",
        [(1, "A"), (1, "B"), (0, "C")],
    ),
    "beside a bar on a screen": (
        "<style>@media screen{.q{border-left:1px solid}}</style><div class=q>A</div>B",
        [(1, "A"), (0, "B")],
    ),
    "beside a bar": ('<table style="border-left:1px solid"><tr><td>A</table>B', [(1, "A"), (0, "B")]),
    "beside a cell with a picture": (
        "<table><tr><td width=3 background='cid:x'>&nbsp;</td><td>A</td></tr></table>B",
        [(1, "A"), (0, "B")],
    ),
    "in a box with a name": ("A<fieldset><legend>B</legend>C</fieldset>D", [(0, "A"), (1, "B"), (1, "C"), (0, "D")]),
    "folded": ("A<details><summary>B</summary>C</details>D", [(0, "A"), (1, "B"), (1, "C"), (0, "D")]),
    "unfolded": ("<details open><summary>A</summary>B</details>", [(0, "A"), (0, "B")]),
    "in a container of a reply": (
        "<div id=isReplyContent>A</div><div name=messageReplySection>B</div><includetail><div>C</div></includetail>D",
        [(1, "A"), (1, "B"), (1, "C"), (0, "D")],
    ),
    "same names within": ("<div class=yahoo_quoted><div>A</div>B</div>C", [(1, "A"), (1, "B"), (0, "C")]),
    "closed by its parent": ("<div><blockquote>A</div>B", [(1, "A"), (0, "B")]),
    "stray end tags": ("</blockquote></div>A<blockquote></div>B</blockquote>C", [(0, "A"), (1, "B"), (0, "C")]),
}


@pytest.mark.parametrize("name", QUOTED)
def test_quotes_are_marked(name: str) -> None:
    html, expected = QUOTED[name]
    assert [(line.depth, line.text) for line in html_lines(html, tags=100, lines=100) if line.text] == expected


@pytest.mark.parametrize("name", ["gmail_attr", "moz-cite-prefix", "x_divRplyFwdMsg"])
def test_what_markup_introduces_needs_no_known_words(name: str) -> None:
    """An attribution in a language nobody put into the tables."""
    html = f'<div>A PIC-BEL</div><div class="{name}" id="{name}">Grunfaz Judge zolti</div><div>F BRE-MAO</div>'
    mail = read(message(html, HTML))
    assert mail.text == "A PIC-BEL"
    assert mail.quoted == ("Grunfaz Judge zolti", "F BRE-MAO")


def test_limits() -> None:
    with pytest.raises(TooManyTags):
        html_lines("<b>" * 11, tags=10, lines=10)
    with pytest.raises(TooManyTags):
        html_lines("<br>" * 10, tags=100, lines=9)


STRUCK = {
    # name: HTML, own words, what is struck out
    "a line": ("A PIC-BEL<br><s>F BRE-MAO</s><br>A MUN H", "A PIC-BEL\nA MUN H", ["F BRE-MAO"]),
    "deleted": ("<p>A PIC-BEL</p><p><del>F BRE-MAO</del></p>", "A PIC-BEL", ["F BRE-MAO"]),
    "by style": (
        '<div>A PIC-BEL</div><div><span style="text-decoration: line-through">F BRE-MAO</span></div>',
        "A PIC-BEL",
        ["F BRE-MAO"],
    ),
    "several lines": ("<strike>A PIC-BEL<br>F BRE-MAO</strike><br>A MUN H", "A MUN H", ["A PIC-BEL", "F BRE-MAO"]),
    "a part of a line": ("A PIC-<s>BEL</s>BUR", "A PIC-BUR", ["BEL"]),
    "in a quotation": ("A MUN H<blockquote><s>A PIC-BEL</s></blockquote>", "A MUN H", []),
    "in press": ("PRESS TO ALL<br>I <s>hate</s> love you<br>ENDPRESS", "PRESS TO ALL\nI love you\nENDPRESS", ["hate"]),
}


@pytest.mark.parametrize("name", STRUCK)
@pytest.mark.parametrize("beside", ["", "plain text"])
def test_what_is_struck_out_is_told_and_not_acted_on(name: str, beside: str) -> None:
    html, own, struck = STRUCK[name]
    raw = message(html, HTML)
    if beside:  # the plain text does not show it
        lines = html.replace("<br>", "\n").replace("</p><p>", "\n").replace("</div><div>", "\n")
        plain = re.sub("<blockquote>", "\n> ", lines)
        parts = (f"Content-Type: {PLAIN}", re.sub("<[^>]*>", "", plain)), (f"Content-Type: {HTML}", html)
        kind, body = multipart("alternative", *parts)
        raw = message(body, kind)
    mail = read(raw)
    assert mail.text == own
    assert [fault for fault in mail.faults if "Struck out" in fault] == list(mail.faults)
    assert all(f'"{line}"' in mail.faults[0] for line in struck)
    assert bool(struck) is bool(mail.faults)


STUBS = {
    # name: plain text, HTML, own words
    "no HTML": ("Your mail program cannot show HTML.", "A PIC-BEL<br>F BRE-MAO", "A PIC-BEL\nF BRE-MAO"),
    "a telephone's line": ("Sent from my iPhone", "A PIC-BEL<br>F BRE-MAO", "A PIC-BEL\nF BRE-MAO"),
    "a link": ("View this mail: https://example.org/1", "<p>A PIC-BEL</p>", "A PIC-BEL"),
    "the same": ("A PIC-BEL\nF BRE-MAO", "<ol><li>A PIC - BEL</li><li>F BRE - MAO</li></ol>", "A PIC-BEL\nF BRE-MAO"),
    "a quotation that the HTML does not mark": (
        "READY\n\n> A PIC-BEL\n> F BRE-MAO",
        "READY<br><br>A PIC-BEL<br>F BRE-MAO",
        "READY",
    ),
}


@pytest.mark.parametrize("name", STUBS)
def test_a_plain_text_that_stands_in_the_place_of_the_html(name: str) -> None:
    plain, html, own = STUBS[name]
    kind, body = multipart("alternative", (f"Content-Type: {PLAIN}", plain), (f"Content-Type: {HTML}", html))
    assert read(message(body, kind)).text == own


def test_struck_out_within_another_element() -> None:
    sheet = "<style>.z .x{text-decoration-line:line-through}</style>"
    assert read(message(f"{sheet}<div class=z><p class=x>A PAR-PIC</p></div>A PAR-GAS", HTML)).text == "A PAR-GAS"


def test_struck_out_by_a_class() -> None:
    sheet = "<style><!-- .x{color:red;text-decoration:line-through} .x{margin:0} --></style>"
    lines = html_lines(f"{sheet}<p class=x>A</p><p>B</p>", tags=100, lines=100)
    assert [(line.text, line.struck) for line in lines if line.text] == [("A", True), ("B", False)]


UNSEEN = [
    "color:#fff;background:#fff",
    "color:white; background-color: #FFFFFF",
    "color:rgb(255, 255, 255);background:white",
    "opacity:0",
    "opacity: 0.0 ;",
    "max-height:0;overflow:hidden",
    "height:0px;overflow:hidden",
    "position:absolute;left:-9999px",
    "text-indent:-9999px",
]
BESIDE_A_LINE = [
    "border-inline-start:2px solid teal",
    "border-inline-start-style:solid",
    "border-left:4px double #888",
    "border-left:2px dashed rgb(0, 0, 0)",
    "border-left-width:1px;border-left-style:dotted",
    "border-style:solid;border-width:0 0 0 2px",
    "border:solid blue;border-width:0 0 0 2px",
    "border-style:none none none ridge",
    "border-right:2px solid red",
    "box-shadow:inset 3px 0 0 #ccc",
    "border-left:1px solid #ccc",
    "border:none;border-left:solid blue 1.5pt",
    "BORDER-LEFT: #000 2px SOLID",
]
AS_USUAL = [
    "color:#000;background:#fff",
    "opacity:0.8",
    "overflow:hidden",
    "left:-1px",
    "border:1px solid",
    "border-top:solid 1pt",
    "border-style:none solid",
    "border-left:0 solid",
    "border-left:none;border-top:1px solid",
    "border-left-width:3px",
    "border:solid windowtext 1.0pt;border-left:none",
    "height:0.5em",
]


@pytest.mark.parametrize(
    ("style", "expected"),
    [(style, []) for style in UNSEEN]
    + [(style, [("READY", 1)]) for style in BESIDE_A_LINE]
    + [(style, [("READY", 0)]) for style in AS_USUAL],
)
def test_a_style_hides_or_quotes(style: str, expected: list[tuple[str, int]]) -> None:
    lines = html_lines(f'<p>A</p><div style="{style}">READY</div>', tags=10, lines=10)
    assert [(line.text, line.depth) for line in lines if line.text] == [("A", 0), *expected]


@pytest.mark.parametrize("stroke", "\u0335\u0336\u0337\u0338")
def test_strokes_of_unicode_strike_out(stroke: str) -> None:
    out = "".join(letter + stroke for letter in "A Mar-Pie")
    mail = read(message(f"{out}\nA Par-Bur\n".encode(), f"{PLAIN}; charset=utf-8"))
    assert mail.text == "A Par-Bur"
    assert mail.left_out == ("A Mar-Pie",)


def test_quote_marks_that_only_the_html_has_count() -> None:
    html = "<p>A PIC-BEL</p><blockquote type=cite>F BRE-MAO<br>READY</blockquote>"
    plain = "A PIC-BEL\n\nF BRE-MAO\nREADY"
    kind, body = multipart("alternative", (f"Content-Type: {PLAIN}", plain), (f"Content-Type: {HTML}", html))
    mail = read(message(body, kind))
    assert mail.text == "A PIC-BEL"
    assert mail.quoted == ("F BRE-MAO", "READY")


@pytest.mark.parametrize(
    "opened", ["", "<s>", "<pre>", "<blockquote>", "<table><td>", '<p style="font-size:14px">', "<div hidden>"]
)
@pytest.mark.parametrize(
    "again", [" <p>", "<p> ", " <td>", "<td><p> ", " <br>", "<s> ", " </s><p>", "x<s> </s>", "&nbsp;<div>"]
)
def test_what_is_opened_again_and_again_costs_what_its_length_costs(opened: str, again: str) -> None:
    assert is_linear(lambda html: html_lines(html, tags=10**6, lines=10**6), lambda length: opened + again * length)


def read_page(page: str) -> Message:
    return read(message(page, HTML))


@pytest.mark.parametrize(
    "marker",
    [
        '<div id="appendonsend"></div>',
        '<div id="mail-editor-reference-message-container"></div>',
        "<blockquote></blockquote>",
        '<div class="gmail_quote"><br></div>',
        '<div class="moz-cite-prefix"></div>',
    ],
)
def test_an_empty_mark_of_a_quotation_begins_one_that_may_be_ones_own(marker: str) -> None:
    mail = read_page(f"<div>A PIC-BEL</div>{marker}<div>F BRE-MAO</div>")
    assert mail.text == "A PIC-BEL"
    assert mail.doubtful == ("F BRE-MAO",)
    assert read_page(f"<div>A PIC-BEL</div>{marker}").doubtful == ()
