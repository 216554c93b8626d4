"""What is true of every mail: text that fits, HTML that is well formed and safe, and every field is shown."""

from __future__ import annotations

import ast
import dataclasses
import functools
import inspect
import re
from collections.abc import Iterator
from contextlib import suppress
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from jinja2 import UndefinedError, nodes

from gm import folder, reports
from gm.commands import COMMANDS
from gm.errors import NotUnderstood
from gm.reports import WIDTH, answers, bulletins, game_mails, reader, results, standing_orders
from gm.reports.answers import Refusal
from gm.reports.blocks import Passage, Verbatim
from gm.reports.render import MailKind, Rendered, environment, render, unbroken
from tests.reports.kinds import EVERY_KIND, HOSTILE, RECEIPT, REPORTS
from tests.reports.scenes import reader as a_reader

MAILS = [*EVERY_KIND, *REPORTS.values()]
VOID = {"meta", "br", "img", "wbr"}


@pytest.fixture(params=MAILS, ids=[f"{mail.template}-{n}" for n, mail in enumerate(MAILS)])
def mail(request: pytest.FixtureRequest) -> Rendered:
    return render(request.param)


class Whole(HTMLParser):
    """Checks that every element is closed in its order, and gathers attributes and text."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.said: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.said.append(data)


def kinds_below(kind: type[Any]) -> Iterator[type[Any]]:
    """The kinds of mail that are made of this one."""
    for below in kind.__subclasses__():
        yield from kinds_below(below)
        if not inspect.isabstract(below):
            yield below


def test_the_list_of_templates_is_closed() -> None:
    root = folder("templates")
    found = {str(path.relative_to(root)) for path in root.rglob("*.j2")}
    kinds = set(kinds_below(MailKind))
    mails = {f"{kind.template}.{part}.j2" for kind in kinds for part in ("txt", "html")}
    assert mails <= found
    assert all(Path(name).parts[0] in ("shared", "maps", "gallery") for name in found - mails)
    assert set(map(type, EVERY_KIND)) == kinds


def test_text_fits_a_plain_client(mail: Rendered) -> None:
    for line in mail.text.splitlines():
        assert len(line) <= WIDTH or len(line.split()) == 1, line
        assert line == line.rstrip()
    assert mail.text.endswith("\n")
    assert not mail.text.endswith("\n\n")
    assert "\n\n\n" not in mail.text
    assert "  None" not in mail.text


def test_text_begins_with_the_line_that_replies_are_cut_at(mail: Rendered) -> None:
    """Only the headline of results is above it."""
    above = mail.text.splitlines().index("--- Reply above this line ---")
    assert above == 0 or (" results" in mail.subject and above < 10)


def test_mailboxes_show_what_a_mail_says(mail: Rendered) -> None:
    """The hidden words at the beginning of the HTML, which programs show beside the subject."""
    shown = re.search(r'<div aria-hidden="true" style="([^"]*)">([^<]*)</div>', mail.html) if mail.html else None
    assert not mail.html or (shown is not None and 0 < len(shown[2]) < 1_000 and "eply above" not in shown[2])
    assert shown is None or ("display" not in shown[1] and shown.end() < mail.html.index("<p")), "filters mind the word"


def test_subject_is_one_short_line(mail: Rendered) -> None:
    assert "\n" not in mail.subject
    assert 0 < len(mail.subject) <= 110


def test_html_is_whole_and_calls_nothing_from_outside(mail: Rendered) -> None:
    page = Whole(mail.html)
    assert page.open == []
    assert mail.html.startswith("<!DOCTYPE html>")
    for tag, name, value in page.attributes:
        assert not name.startswith("on"), (tag, name)
        if name in ("src", "href"):
            assert value.startswith(("cid:", "mailto:")), value
        if name == "style":
            assert "url(" not in value
            assert not re.search(r"(?<![-\w])(color|background)", value.replace("color-scheme", "")), value
    assert ("meta", "content", "light dark") in page.attributes
    assert "script" not in {tag for tag, _, _ in page.attributes}
    assert "<script" not in mail.html


def test_no_sentence_is_a_command(mail: Rendered) -> None:
    """Pasted into a mail, without marks, it would be carried out. What is to be copied is indented. GAME, which only
    says what is below it, heads the parts of a digest."""
    for line in mail.text.splitlines():
        with suppress(NotUnderstood):
            call = COMMANDS.reader.read(line, None)
            assert call is None or line.startswith("    ") or COMMANDS[call.name].syntax.asks or call.name == "game", (
                line
            )


def test_what_filters_of_spam_object_to_is_in_no_mail(mail: Rendered) -> None:
    """Long runs of letters and digits (TRACKER_ID), encoded links in a text, pictures without a size."""
    assert "mailto:" not in mail.text
    assert not re.search(r"(?im)^[a-z0-9]{6,24}[-_a-z0-9]{12,36}[a-z0-9]{6,24}\s*$", mail.text.replace("    ", ""))
    pictures = re.findall(r"<img [^>]*>", mail.html)
    assert all(re.search(r' width="[1-9]\d*"', picture) for picture in pictures), "Outlook for Windows needs it"


@pytest.mark.parametrize(("lines", "shown"), [(1_300, True), (1_400, False)])
def test_html_that_a_program_would_cut_is_left_out_and_the_text_has_it_all(lines: int, *, shown: bool) -> None:
    """Gmail cuts after 102 kB."""
    topic = Passage("Help", (Verbatim(f"{'y' * 70}\n" * lines),))
    made = render(dataclasses.replace(RECEIPT, parts=(topic,)))
    assert len(made.text) > 70 * lines
    assert bool(made.html) is shown
    assert len(made.html.encode()) <= 100_000


def test_what_players_write_is_shown_as_it_stands() -> None:
    shown = {mail.template: "".join(Whole(render(mail).html).said) for mail in EVERY_KIND}
    for name in ("player/receipt", "player/press", "player/review", "player/question", "gm/trouble"):
        assert HOSTILE in shown[name]


def test_both_parts_say_the_same(mail: Rendered) -> None:
    """Every word of the text but marks and rulings is in the HTML too."""
    page = Whole(mail.html)
    text = mail.text.lower()
    words = set(re.findall(r"[a-z]{2,}", " ".join(page.said).lower()))
    first = {"power"}  # what heads the first cells of a table, which head the blocks of one that is too wide
    judges = {"following", "units", "were", "dislodged", "the"}  # the judges' heading, which tools look for
    reference = set(re.findall(r"[a-z]{2,}", "spring mr"))
    assert set(re.findall(r"[a-z]{2,}", text)) - words <= first | judges | reference


def _contexts() -> Iterator[type]:
    """The classes that templates read."""
    for module in (bulletins, game_mails, answers, standing_orders, results, reader):
        for value in vars(module).values():
            if dataclasses.is_dataclass(value) and isinstance(value, type) and value.__module__ == module.__name__:
                yield value


def _read_by_templates(part: str) -> set[str]:
    """All names that templates of this part take from a value."""
    names = environment().list_templates(filter_func=lambda name: name.endswith(f".{part}.j2"))
    trees = [environment().parse(Path(folder("templates"), name).read_text()) for name in names]
    return {node.attr for tree in trees for node in tree.find_all(nodes.Getattr)}


def test_every_word_that_is_made_is_shown() -> None:
    """Each property of a context is read by a text template and by an HTML template, or makes a property that is."""
    made = {name for one in _contexts() for name, value in vars(one).items() if isinstance(value, WORDS)}
    made = {name for name in made if not name.startswith("_")}
    for part in ("txt", "html"):
        assert made - _read_by_templates(part) <= INNER | _only(part), part
    assert made >= INNER


WORDS = (property, functools.cached_property)
INNER = {
    "subject",
    "phase",
    "state",
    "turn",
    "over",
    "awaited",
    "lacking",
    "victory",
    "preview",
    "eliminated",
    "happened",
}
"""Properties that other properties are made from; `phase` and `state` of orders are for subjects and summaries."""


def test_everything_that_is_handed_in_is_used() -> None:
    """Each field of a context is read by templates of both parts or by the code of the reports."""
    read = _read_by_templates("txt") & _read_by_templates("html") | _only("txt") | _only("html")
    for module in sorted(Path(inspect.getfile(reports)).parent.glob("*.py")):
        tree = ast.parse(module.read_text())
        read |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    assert {field.name for one in _contexts() for field in dataclasses.fields(one)} <= read


def _only(part: str) -> set[str]:
    """What only one of the two parts has: links, pictures and underlining need HTML, the judges' reference is for text,
    and so is a caret below a line, which needs lines that are not broken.
    """
    text, html = (
        {"reference", "caret", "elsewhere"},
        {
            "link",
            "map",
            "names",
            "theatre",
            "cid",
            "svg",
            "alt",
            "light",
            "marked",
            "width",
            "next_offers",
            "link_in_doubt",
        },
    )
    return {"txt": html, "html": text}[part]


def test_templates_do_no_more_than_loop_and_choose() -> None:
    for name in environment().list_templates(filter_func=lambda name: name.endswith((".txt.j2", ".html.j2"))):
        tree = environment().parse(Path(folder("templates"), name).read_text())
        assert not list(tree.find_all((nodes.Macro, nodes.Call, nodes.CallBlock))), name


def test_a_missing_value_is_an_error() -> None:
    with pytest.raises(UndefinedError):
        environment().get_template("player/refusal.txt.j2").render(reader=a_reader(None))


@pytest.mark.parametrize("together", ["AL-1", "A6-AO", "Mun-Bur", "Stp/sc-Bot", "Lon-Nth-Nwy"])
def test_no_line_of_html_ends_within_an_order_or_the_code_of_a_ruling(together: str) -> None:
    whole = f'<span style="white-space:nowrap">{together}</span>'
    assert unbroken(f"<p>see {together}, or x</p>") == f"<p>see {whole}, or x</p>"
    as_it_is = f"<title>{together}</title><a href='{together}'>e-mail, Anglo-French, x+{together}@y.example</a>"
    assert unbroken(as_it_is) == as_it_is


def test_same_context_same_bytes() -> None:
    assert [render(mail) for mail in EVERY_KIND] == [render(mail) for mail in EVERY_KIND]


def test_a_subject_stays_one_line_whatever_is_in_it() -> None:
    made = render(Refusal(a_reader(None), "No.", answered="orders\r\nBcc: all@example.org"))
    assert made.subject == "Re: orders Bcc: all@example.org"
