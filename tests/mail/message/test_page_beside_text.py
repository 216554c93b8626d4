"""A page that ends with a quotation, and has the same own lines above it as the plain text beside it, is read as a page
that is read as a whole.
"""

from __future__ import annotations

from email.message import EmailMessage

import pytest

from gm.mail.message import bodies
from gm.mail.message.bodies import Reading, read_bodies
from gm.mail.message.html import above_quotation, html_lines
from gm.mail.message.mime import Limits, parse
from gm.mail.message.text import Line

QUOTED = "> A PIC-PAR\n> F BRE-ENG\n"
QUOTE = '<blockquote class="gmail_quote">A PIC-PAR<br>F BRE-ENG</blockquote>'
WROTE = "On Mon, 9 Feb 2026 at 18:00, GM wrote:"


def reading(text: str, page: str) -> Reading:
    mail = EmailMessage()
    mail.set_content(text)
    mail.add_alternative(page, subtype="html")
    return read_bodies(parse(mail.as_bytes(), Limits()), Limits())


@pytest.mark.parametrize(
    ("own", "page", "short"),
    [
        ("A PIC-BEL", f"<div>A PIC-BEL</div>{QUOTE}", True),
        ("A PIC-BEL", f'<div>A PIC-BEL</div><div class="gmail_attr">{WROTE}</div>{QUOTE}', True),
        ("A PIC-BEL", f'<p>A PIC-BEL</p><div class="gmail_quote"><div>{WROTE}</div>{QUOTE}</div>', True),
        ("A PIC-BEL", f"<div>A PIC-BEL</div>{QUOTE}<div>F LON-NTH</div>", False),
        ("A PIC-BEL", f"<div>A PIC-BEL</div>{QUOTE}F LON-NTH{QUOTE}", False),
        ("A PIC-BEL", f"<div><s>A PIC-BEL</s></div>{QUOTE}", True),
        ("A PIC-BEL", f"<div>A PIC-BEL</div><div>F LON-NTH</div>{QUOTE}", True),
        ("A PIC-BEL", f'<div>A PIC-BEL</div><blockquote style="margin-left:40px">F LON-NTH</blockquote>{QUOTE}', False),
        ("A PIC-BEL\nA PIC-PAR", f"<div>A PIC-BEL</div>{QUOTE}", True),
        ("A PIC-BEL", f'<div>A PIC-BEL</div><div style="display:none">F LON-NTH</div>{QUOTE}', True),
    ],
)
def test_a_page_is_read_alike(monkeypatch: pytest.MonkeyPatch, own: str, page: str, *, short: bool) -> None:
    assert (above_quotation(page) is not None) is short
    text = f"{own}\n\n{WROTE}\n\n{QUOTED}"
    found = reading(text, page)
    monkeypatch.setattr(bodies, "above_quotation", lambda _: None)
    assert found == reading(text, page)


def test_what_is_quoted_is_not_read_when_all_above_it_is_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def lines(html: str, *, tags: int, lines: int) -> list[Line]:
        read.append(html)
        return html_lines(html, tags=tags, lines=lines)

    monkeypatch.setattr(bodies, "html_lines", lines)
    reading(f"A PIC-BEL\n\n{QUOTED}", f"<div>A PIC-BEL</div>{QUOTE}")
    assert read == ["<div>A PIC-BEL</div>"]
