"""The demonstration as a user sees it, and the ways of writing that its correspondents have."""

from __future__ import annotations

import re
from base64 import b64encode
from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import parseaddr
from itertools import islice
from pathlib import Path

import pytest

from gm.cli import demo_command, init, main
from gm.cli.demo_command import ADDRESS, GAME
from gm.demo import Mailroom, Play, clients, load_script, script_names
from gm.errors import ConfigurationError
from gm.inbound.acceptance import accept
from gm.orders.notation import write
from gm.settings import load
from gm.store import inbox
from gm.store.database import Database
from gm.store.inbox import ANSWERED, ArrivedMail
from gm.store.presence import Presence
from tests.demo import script as scripts
from tests.mail.transport.dovecot import free_port
from tests.server.world import BASE, World

pytestmark = pytest.mark.long(seconds=40)


def test_a_game_is_played_to_its_winner_s_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home = tmp_path / "demo"
    assert main(["demo", "--home", str(home)]) == 0
    said = capsys.readouterr().out
    for code in load_script("standard").orders:
        assert f"{code}  " in said
    assert "France has won: France owns 14 supply centres." in said
    assert "corrects it" in said
    assert "closes the phase with PROCESS" in said
    assert re.search(r"The gamemaster sent \d+ of them; the server needed no decision\.", said)
    for place in ("report.html", "map.png", "mail/claire@mail.example", "gm.sqlite3", "gm.toml", "gm.log"):
        assert (home / place).exists()
        assert str(home / place) in said
    page = (home / "report.html").read_text(encoding="utf-8")
    assert "France has won" in page
    assert "cid:" not in page
    assert f'src="data:image/png;base64,{b64encode((home / "map.png").read_bytes()).decode()}"' in page
    whole = (home / "index.html").read_text(encoding="utf-8")
    assert f"python3 -m webbrowser {home / 'index.html'}" in said
    assert all((home / to).exists() for to in re.findall(r'(?:href|src)="([^"]+)"', whole))
    assert list((home / "gallery").rglob("*F1904M*"))
    assert "Traceback" not in (home / "gm.log").read_text()


def test_a_demonstration_that_was_continued_is_not_deleted(tmp_path: Path) -> None:
    """Also one that was interrupted: every mail that is not of the play counts."""
    home = tmp_path / "demo"
    init.write(home, address=ADDRESS, mode="alone", port=free_port())
    for name, continued in (("played.1@mail.example", False), ("abc@mail.example", True)):
        with Database(load(home).database.url) as database:
            database.migrate()
            with database.transaction() as session:
                raw = f"From: a@mail.example\nMessage-ID: <{name}>\n\nLIST".encode()
                assert inbox.accept(session, ArrivedMail("smtp", raw, datetime.now(UTC), (ADDRESS,), "a@mail.example"))
        if continued:
            with pytest.raises(ConfigurationError, match="continued by hand"):
                demo_command._clear(home)
        else:
            demo_command._clear(home)
        assert home.exists() is continued
        init.write(home, address=ADDRESS, mode="alone", port=free_port()) if not continued else None


def test_a_mail_of_the_play_is_told_from_one_by_hand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sent: list[EmailMessage] = []
    monkeypatch.setattr(Mailroom, "post", lambda _, mail: sent.append(mail))
    assert main(["init", "--home", str(tmp_path)]) == 0
    assert main(["say", "--home", str(tmp_path), "--from", "ann@mail.example", "--wait", "0", "HELP"]) == 1
    draft = clients.Draft("Ann", "ann@mail.example", ADDRESS, "", "A", datetime.now(UTC))
    styles = (clients.webmail, clients.office_program, clients.flowed_above, clients.terminal, clients.phone)
    sent.extend(style(draft) for style in styles)
    by_hand, *played = (str(mail["Message-ID"]) for mail in sent)
    assert not by_hand.startswith(f"<{clients.PLAYED}")
    assert all(name.startswith(f"<{clients.PLAYED}") for name in played)
    capsys.readouterr()


def test_the_standard_game_is_what_stand_ins_play() -> None:
    """Nobody does what no player would. Italy, which is away, would only have held."""
    kept = load_script("standard").orders
    for turn in scripts.played("standard", seed=20, win=14):
        code = turn.before.phase.code
        for power, orders in turn.orders.items():
            if (code, power) != ("F1904M", "Italy"):
                assert kept.get(code, {}).get(power, ()) == tuple(map(write, orders)), (code, power)


ELSEWHERE = ("standard", "among-us")
"""Games whose whole demonstration, with a server of its own, is looked at above, and in
tests/variants/among_us/test_demo.py."""
BY_MAIL = 9
"""So many phases are played of the others: two years or more, with lines that are not understood and then corrected.
That every order of a script is understood, and that it is a whole game by the rules, is shown beside the game."""


@dataclass
class Desk(Mailroom):
    """The mailroom of a server in this process, which answers before the next look into a mailbox."""

    port: int = 0
    root: Path = Path()
    world: World = field(kw_only=True)
    read: Counter[str] = field(default_factory=Counter)

    def post(self, message: EmailMessage) -> None:
        sender, recipient = parseaddr(str(message["From"]))[1], parseaddr(str(message["To"]))[1]
        self.world.time = datetime.now(UTC)
        arrived = ArrivedMail("smtp", message.as_bytes(), self.world.time, (recipient,), sender)
        assert accept(self.world.service, arrived)
        self.world.work()

    def collect(self, address: str) -> list[EmailMessage]:
        mails = self.world.mailboxes.get(address, [])[self.read[address] :]
        self.read[address] += len(mails)
        return mails


@pytest.mark.parametrize("game", [name for name in script_names() if name not in ELSEWHERE])
def test_every_game_has_a_demonstration_that_is_played_by_mail(game: str, tmp_path: Path) -> None:
    script = load_script(game)
    played = replace(script, orders=dict(islice(script.orders.items(), BY_MAIL)))
    world = World(tmp_path, limits=0, time=datetime.now(UTC))
    settings = replace(world.service.identity.settings, rehearsal_seed=bytes.fromhex(played.rehearsal_seed))
    object.__setattr__(world.service.identity, "settings", settings)
    told: list[str] = []
    Play(played, Desk(world=world), BASE, told.append).run(GAME)
    for code in (code for code, orders in played.orders.items() if orders):
        assert any(line.startswith(f"{code}  ") for line in told)
    assert {mail.state for mail in world.inbox()} <= {*ANSWERED}
    world.database.dispose()


def test_a_demonstration_has_the_name_of_its_game() -> None:
    assert {name: load_script(name).variant for name in script_names()} == {name: name for name in script_names()}


def test_it_never_clears_a_folder_that_is_something_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "precious.txt").write_text("mine")
    assert main(["demo", "--home", str(tmp_path)]) == 1
    assert "not a demonstration" in capsys.readouterr().err
    assert (tmp_path / "precious.txt").read_text() == "mine"


def test_nor_a_demonstration_that_is_being_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home = tmp_path / "demo"
    init.write(home, address=ADDRESS, mode="alone", port=free_port())
    with Database(load(home).database.url) as database:
        database.migrate()
        presence = Presence(database)
        assert main(["demo", "--home", str(home)]) == 1
        presence.close()
    assert "just now" in capsys.readouterr().err
    assert (home / "gm.sqlite3").exists()


@pytest.mark.parametrize(
    ("style", "written"),
    [
        (clients.as_taught, "F Stp/sc S A Mos-Lvn"),
        (clients.capitals, "F STP/SC S A MOS-LVN"),
        (clients.small_letters, "f stp/sc s a mos - lvn"),
        (clients.full_names, "F St Petersburg (south coast) S A Moscow - Livonia"),
        (clients.sentences, "Fleet St Petersburg (south coast) supports Army Moscow to Livonia"),
        (clients.dashes, "F Stp(sc) S A Mos – Lvn"),
        (clients.arrows, "F STP/SC S A MOS -> LVN"),
    ],
)
def test_order_styles(style: clients.OrderStyle, written: str) -> None:
    assert style("F Stp/sc S A Mos-Lvn") == written
