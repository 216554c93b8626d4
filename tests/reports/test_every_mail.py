"""What holds for every mail: text that fits, HTML that is whole and safe, nothing prepared that is not shown."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from jinja2 import UndefinedError, nodes

from gm.files import folder
from gm.reports import answers, held, pages, results, tasks
from gm.reports.context import Refusal
from gm.reports.render import KINDS, Rendered, environment, render
from gm.reports.words import WIDTH
from tests.reports.kinds import EVERY_KIND, HOSTILE, REPORTS
from tests.reports.scenes import reader

MAILS = [(name, context) for name, context in EVERY_KIND.items()]
MAILS += [("player/report", report) for report in REPORTS.values()]
VOID = {"meta", "br", "img"}


@pytest.fixture(params=MAILS, ids=[f"{name}-{n}" for n, (name, _) in enumerate(MAILS)])
def mail(request: pytest.FixtureRequest) -> Rendered:
    name, context = request.param
    return render(name, context)


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


def test_the_list_of_templates_is_closed() -> None:
    root = folder("templates")
    found = {str(path.relative_to(root)) for path in root.rglob("*.j2")}
    mails = {f"{name}.{part}.j2" for name in KINDS for part in ("txt", "html")}
    assert mails <= found
    assert all(Path(name).parts[0] in ("shared", "maps") for name in found - mails)
    assert set(EVERY_KIND) == set(KINDS)


def test_text_fits_a_plain_client(mail: Rendered) -> None:
    for line in mail.text.splitlines():
        assert len(line) <= WIDTH or len(line.split()) == 1, line
        assert line == line.rstrip()
    assert mail.text.endswith("\n")
    assert not mail.text.endswith("\n\n")
    assert "\n\n\n" not in mail.text
    assert "  None" not in mail.text


def test_text_begins_with_the_line_that_replies_are_cut_at(mail: Rendered) -> None:
    assert mail.text.splitlines()[0] == "--- Reply above this line ---"


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


def test_what_players_write_is_shown_as_it_stands() -> None:
    shown = {name: "".join(Whole(render(name, context).html).said) for name, context in EVERY_KIND.items()}
    for name in ("player/receipt", "player/press", "player/topic", "gm/trouble"):
        assert HOSTILE in shown[name]


def test_both_parts_say_the_same(mail: Rendered) -> None:
    """Every word of the text but marks and rulings is in the HTML too."""
    words = set(re.findall(r"[A-Za-z]{2,}", " ".join(Whole(mail.html).said)))
    judges = {"following", "units", "were", "dislodged", "The"}  # the judges' heading, which tools look for
    reference = set(re.findall(r"[A-Za-z]{2,}", "spring MR"))
    assert set(re.findall(r"[A-Za-z]{2,}", mail.text)) - words <= judges | reference


def _pages() -> Iterator[type]:
    for module in (pages, answers, held, tasks, results):
        for value in vars(module).values():
            if dataclasses.is_dataclass(value) and isinstance(value, type) and value.__module__ == module.__name__:
                yield value


def test_everything_prepared_is_shown() -> None:
    """Each field of a page is read by a text template and by an HTML template; three are for subjects."""
    for part in ("txt", "html"):
        read = {
            node.attr
            for name in environment().list_templates(filter_func=lambda n, part=part: n.endswith(f".{part}.j2"))  # type: ignore[misc]
            for node in environment().parse(Path(folder("templates"), name).read_text()).find_all(nodes.Getattr)
        }
        fields = {field.name for page in _pages() for field in dataclasses.fields(page)}
        assert fields - read <= {"subject", "phase", "state"} | _only(part), part


def _only(part: str) -> set[str]:
    """Fields for one of the two parts: links and pictures need HTML, the judges' reference is for text."""
    return {"txt": {"link", "map"}, "html": {"reference"}}[part]


def test_templates_do_no_more_than_loop_and_choose() -> None:
    for name in environment().list_templates(filter_func=lambda name: name.endswith((".txt.j2", ".html.j2"))):
        tree = environment().parse(Path(folder("templates"), name).read_text())
        assert not list(tree.find_all((nodes.Macro, nodes.Call, nodes.CallBlock))), name


def test_a_missing_value_is_an_error() -> None:
    with pytest.raises(UndefinedError):
        environment().get_template("player/refusal.txt.j2").render(reader=reader(None))


@pytest.mark.parametrize(
    ("name", "context", "error"),
    [("player/unheard", EVERY_KIND["player/help"], KeyError), ("player/report", EVERY_KIND["player/help"], TypeError)],
)
def test_other_names_and_contexts_are_refused(name: str, context: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        render(name, context)


def test_same_context_same_bytes() -> None:
    assert render("player/receipt", EVERY_KIND["player/receipt"]) == render(
        "player/receipt", EVERY_KIND["player/receipt"]
    )


def test_a_subject_stays_one_line_whatever_is_in_it() -> None:
    made = render("player/refusal", Refusal(reader(None), "No.", subject="orders\r\nBcc: all@example.org"))
    assert made.subject == "Re: orders Bcc: all@example.org"
