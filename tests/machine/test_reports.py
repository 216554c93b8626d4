"""The reports of a phase are written together: shared parts once, each mail up to date when it is queued."""

from __future__ import annotations

import re
from collections import Counter
from email.message import EmailMessage
from functools import partial
from pathlib import Path
from typing import Any

import jinja2
import pytest

from bench.deadlines import played
from gm.inbound.intake import receive_next
from gm.machine import reports
from gm.machine.deadlines import close_next
from gm.machine.reports import write_next
from gm.maps import picture
from gm.play import pictures
from gm.variants.standard import POWERS
from tests.server.world import OPENINGS, World, player, text_of
from tests.variants.among_us import mails as secret

SHARED = ("shared/bulletin.txt.j2", "shared/bulletin.html.j2", "shared/setup.txt.j2", "shared/setup.html.j2")


class Work:
    """Counts what is rendered (by template), laid out and drawn."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.counts = Counter[str]()
        for kept in (picture._drawn, picture._file, picture._cut_file):
            kept.cache_clear()
        self._count(monkeypatch, jinja2.Template, "render", lambda self, *_: self.name)
        self._count(monkeypatch, picture, "scene", lambda *_: "layout")
        self._count(monkeypatch, picture, "painted", lambda *_: "drawing")

    def _count(self, monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, called: Any) -> None:
        real = getattr(owner, name)

        def counted(*args: Any, **more: Any) -> Any:
            self.counts[called(*args)] += 1
            return real(*args, **more)

        monkeypatch.setattr(owner, name, counted)

    def shared(self) -> set[int]:
        """Counts how often each shared template was rendered."""
        return {self.counts[name] for name in SHARED if self.counts[name]}


def reported(world: World, address: str) -> EmailMessage:
    mail = world.last(address)
    assert "results" in mail["Subject"]
    return mail


def due(world: World) -> dict[str, str]:
    """A game in which all but Austria have ordered, and whose first deadline has passed."""
    seats = world.started()
    for power in POWERS[1:]:
        world.send(player(power), seats[power], OPENINGS[power])
    world.pass_time_quietly(days=9)
    assert close_next(world.service)
    return seats


def test_seven_players_and_the_gamemaster_share_one_rendering_and_one_map(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    due(world)
    work = Work(monkeypatch)
    assert write_next(world.service)
    assert not write_next(world.service)
    assert work.shared() == {1}
    parts = work.counts["shared/results.txt.j2"]
    assert parts == work.counts["shared/results.html.j2"]
    assert len(POWERS) <= parts <= 2 * len(POWERS), "again only where some orders of a power touched the reader's"
    assert work.counts["player/report.txt.j2"] == 8
    world.work()
    reports = [reported(world, address) for address in (*map(player, POWERS), "master@example.org")]
    pictures = [[part for part in mail.walk() if part.get_content_type() == "image/png"] for mail in reports]
    assert sum(len(shown) - 1 for shown in pictures), "theatres have the layout of the map of all"
    assert work.counts["layout"] == work.counts["drawing"] == 1
    texts = [text_of(mail) for mail in reports]
    start, end = "Movement results", " Players ---"
    results = [text[text.index(start) :].partition(end)[0] for text in texts]
    alike = {tuple(sorted(re.sub("Orders that touched yours:|Other orders:", "", one).split())) for one in results}
    assert len(alike) == 1
    assert len(set(texts)) == 8


def test_an_opening_is_shared_too(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    work = Work(monkeypatch)
    world.begin_here()
    assert work.shared() == {1}
    assert work.counts["layout"] == 1
    assert work.counts["drawing"] == 2, "the map, and that of all names"
    assert work.counts["player/opening.html.j2"] == 8


def test_with_secrets_each_distinct_view_is_rendered_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = secret.Game(tmp_path)
    game.begin()
    for power, orders in secret.HOSTS.items():
        game.order(power, orders)
    work = Work(monkeypatch)
    game.pass_time(days=4)
    game.pass_time(days=2)
    assert work.counts["player/report.txt.j2"] == 10
    assert work.shared() == {3}, "the hosts and the observer, the Alien, and the gamemaster"
    assert work.counts["layout"] == 2, "what the Alien sees and what the gamemaster sees is one picture"


@pytest.mark.parametrize(
    ("power", "said", "again"),
    [("GM", "PAUSE", 8), ("France", "F1901M: A BUR H", 1), ("Turkey", "PREFERENCES mail=text", 1)],
)
def test_what_changes_while_reports_are_written_is_in_them(
    world: World, monkeypatch: pytest.MonkeyPatch, power: str, said: str, again: int
) -> None:
    seats = due(world)
    sender = "master@example.org" if power == "GM" else player(power)
    written, real_write, real_queue = Counter[int](), reports._write, reports._queue

    def write(desk: reports.Desk, row: Any) -> Any:
        written[row.seat_id] += row.kind == "report"
        return real_write(desk, row)

    def queue(*args: Any) -> None:
        if max(written.values()) == 1:
            world.arrive(sender, seats[power], said)
            assert receive_next(world.service)
        real_queue(*args)

    monkeypatch.setattr(reports, "_write", write)
    monkeypatch.setattr(reports, "_queue", queue)
    world.work()
    assert sorted(written.values(), reverse=True) == [2] * again + [1] * (8 - again)
    sent = [mail for mail in world.mailboxes[player("Turkey")] if "S1901M results" in mail["Subject"]]
    assert len(sent) == 1
    if power == "GM":
        assert "The game is paused." in text_of(sent[0])
    if power == "Turkey":
        assert {part.get_content_type() for part in sent[0].iter_parts()} == {"text/plain", "text/calendar"}


def test_reports_that_are_written_in_rounds_share_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of very many planets each is told a part; the file with all is written once, and the turn is read once."""
    server = played(tmp_path, 44)
    assert close_next(server)
    counts = Counter[str]()
    for owner, name in ((reports, "turn_of"), (pictures, "whole_text")):
        monkeypatch.setattr(owner, name, partial(_counted, counts, name, getattr(owner, name)))
    rounds = 0
    while write_next(server, 16):
        rounds += 1
    assert rounds == 3
    assert counts == {"turn_of": 1, "whole_text": 1}
    server.database.dispose()


def _counted(counts: Counter[str], name: str, real: Any, *args: Any) -> Any:
    counts[name] += 1
    return real(*args)
