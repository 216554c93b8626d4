"""Reports on very many planets: what concerns the reader in the mail, all of it in a file, and room for a reply."""

from __future__ import annotations

from email.message import EmailMessage
from html import escape
from pathlib import Path

import pytest

from bench.quantum import Scene, scene
from gm.board import Power
from gm.inbound.acceptance import accept
from gm.mail.message.mime import Limits
from gm.orders.notation import write_unit
from gm.position import position_to_json
from gm.store.inbox import ArrivedMail
from gm.variants.quantum_space import TOLD
from tests.server.world import World, player, reply_to, text_of
from tests.variants.quantum.scenes import NEW
from tests.variants.quantum.test_by_mail import GAME, close, founded, say

pytestmark = pytest.mark.long

LONGEST = 16_000
"""The most characters in the text of a mail, however many planets there are."""


def begun(world: World, planets: int) -> tuple[Scene, tuple[Power, ...], dict[str, str]]:
    """A game with this number of planets under way; only the first two, which are neighbours, have players."""
    where = scene(NEW, planets, 10)
    powers = NEW.powers(where.position)
    seats = founded(world, powers[:2], "quantum-space-3001", "early=no")
    with world.altering(GAME) as row:
        row.position = position_to_json(where.position)
    for power in powers[:2]:
        said = say(world, seats, power, "\n".join(where.lines[power]))
        assert "Not acted on" not in said
    close(world, seats)
    return where, powers, seats


def body(mail: EmailMessage, kind: str) -> str:
    """The text or the HTML of a mail."""
    part = mail.get_body((kind,))
    assert part is not None
    return str(part.get_content())


def file_of(mail: EmailMessage) -> str:
    """The text file that came with a mail."""
    (file,) = (part for part in mail.iter_attachments() if part.get_content_type() == "text/plain")
    assert file.get_filename() == f"{GAME}-S3010M.txt"
    return str(file.get_content())


def reply(mail: EmailMessage, sender: str, order: str, *, html_only: bool) -> bytes:
    """An order above the whole mail, quoted as text and as HTML with its picture, as mail programs do."""
    answer = EmailMessage()
    answer["From"], answer["To"] = sender, reply_to(mail)
    answer["Subject"], answer["Message-ID"] = f"Re: {mail['Subject']}", f"<{order}@players.example>".replace(" ", "")
    answer["In-Reply-To"] = str(mail["Message-ID"])
    quoted = "".join(f"> {line}\n" for line in body(mail, "plain").splitlines())
    intro = "On Mon, 23 Nov 2026 at 09:00, gm <gm@example.org> wrote:"
    answer.set_content("" if html_only else f"{order}\n\n{intro}\n{quoted}")
    within = f"<blockquote>{body(mail, 'html')}</blockquote>"
    answer.add_alternative(f"<p>{escape(order)}</p><p>{escape(intro)}</p>{within}", subtype="html")
    picture = next(part for part in mail.walk() if part.get_content_type() == "image/png")
    part = answer.get_body(("html",))
    assert isinstance(part, EmailMessage)
    part.add_related(picture.get_content(), "image", "png", cid=str(picture["Content-ID"]))
    return answer.as_bytes()


@pytest.mark.parametrize("planets", [8, 100, 1000])
def test_a_reply_that_quotes_the_report_is_read_at_any_size(tmp_path: Path, planets: int) -> None:
    world = World(tmp_path)
    _, powers, _ = begun(world, planets)
    me = powers[0]
    report = world.last(player(me))
    assert len(body(report, "plain")) < LONGEST
    position = world.game(GAME).position
    assert position is not None
    first, second = position.units_of(me)[:2]
    for unit, html_only in ((first, False), (second, True)):
        order = f"{write_unit(unit)} H"
        raw = reply(report, player(me), order, html_only=html_only)
        assert len(raw) < Limits().size
        assert accept(world.service, ArrivedMail("smtp", raw, world.time, (reply_to(report),), player(me)))
        world.work()
        receipt = text_of(world.last(player(me)))
        assert f"{order} " in receipt
        assert "Not acted on" not in receipt
    world.database.dispose()


def test_of_very_many_planets_the_mail_tells_what_concerns_the_reader(tmp_path: Path) -> None:
    world = World(tmp_path)
    where, powers, seats = begun(world, 100)
    me, neighbour, far = powers[0], powers[1], powers[50]
    report = world.last(player(me))
    told, whole = text_of(report), " ".join(file_of(report).split())
    codes = where.position.extra["planets"]
    assert f"{me}: Army" in told
    assert f"{neighbour} ({codes[neighbour].upper()})" in told, "whose fleet is to carry the army"
    assert f"{neighbour}: Fleet" in told
    assert f"{far}: " not in told
    assert f"{far} (" not in told
    assert f"of the 100 powers, what concerns you. The attached file {GAME}-S3010M.txt tells of all." in told
    assert "Standings" in told
    assert f"1 {me} 4 centres" in told or f"1 {powers[1]} 4 centres" in told
    for power in powers:
        assert f"{power}: " in whole
        assert f"{power} ({codes[power].upper()})" in whole
    world.send(player(me), seats[me], "POSITION")
    answer = world.last(player(me))
    assert f"{far} " not in text_of(answer)
    (file,) = (part for part in answer.iter_attachments() if part.get_content_type() == "text/plain")
    assert f"{far} " in str(file.get_content())
    master = world.last("master@example.org")
    assert len(text_of(master)) < LONGEST
    world.database.dispose()


def test_up_to_forty_planets_all_are_mentioned(tmp_path: Path) -> None:
    world = World(tmp_path)
    _, powers, _ = begun(world, TOLD)
    report = world.last(player(powers[0]))
    assert all(f"{power}: " in text_of(report) for power in powers)
    assert not [part for part in report.iter_attachments() if part.get_content_type() == "text/plain"]
    world.database.dispose()


def test_long_answers_come_as_files(tmp_path: Path) -> None:
    world = World(tmp_path)
    _, powers, seats = begun(world, 1000)
    for command in ("HISTORY", "POSITION", "SUMMARY", "STATUS", "WHATIF"):
        answer = world.send(player(powers[0]), seats[powers[0]], command)
        texts = [part for part in answer.walk() if part.get_content_maintype() == "text" and not part.is_attachment()]
        assert sum(len(str(part.get_content())) for part in texts) < Limits().size // 2, command
    world.database.dispose()
