"""An Alien without centres (AU-11): games that differ in it alone send everybody else the same bytes, but for the
number of each Autumn and the word that the Alien has begun again; and one such game is played to its end.
"""

from __future__ import annotations

import email
import email.policy
import re
from pathlib import Path

import pytest

from gm.board import Power
from gm.cli.verify import replay
from gm.play.export import chronicle_of
from gm.variants.among_us.state import ALIEN
from gm.variants.standard import POWERS
from tests.server.kept import kept
from tests.server.world import text_of
from tests.variants.among_us.mails import MASTER, SEED, Game, Sent, address, new_game

pytestmark = pytest.mark.long

PLANS = {
    "Austria": {"M": "A VIE H\nA BUD H\nF TRI H"},
    "England": {"M": "F LON H\nF EDI H\nA LVP H"},
    "France": {"M": "A PAR H\nA MAR H\nF BRE H"},
    "Germany": {"M": "A BER H\nA MUN H\nF KIE H"},
    "Italy": {"M": "A VEN H\nA ROM H\nF NAP H"},
    "Russia": {"M": "A WAR H\nA MOS H\nF SEV H\nF STP/SC H"},
    "Turkey": {
        "S1901M": "A SMY-ARM\nA CON H\nF ANK H",
        "F1901M": "A CON-SMY\nA ARM H\nF ANK H",
        "M": "A CON H\nA SMY H\nF ANK H",
    },
}
"""What each power orders; `M`: in every other movement phase."""

MOVES = ("S1901M", "F1901M", "S1902M", "F1902M")


def planned(game: Game, plans: dict[str, dict[str, str]]) -> None:
    """All orders of all powers are sent at the beginning, each power's in one mail."""
    for power, plan in plans.items():
        blocks = {code: plan.get(code, plan.get("M", "")) for code in MOVES} | plan
        mail = "\n\n".join(f"{code}:\n{lines}" for code, lines in blocks.items() if len(code) > 1 and lines)
        assert "Not acted on" not in text_of(game.order(power, mail)), game.words(power)


def until(game: Game, code: str) -> None:
    """Pass deadlines and windows until this phase is played."""
    while not game.game().over and game.phase() != code:
        game.pass_time(days=1)


# Twins


def twin(path: Path, *, without: bool) -> Game:
    """Two years of which the public sees the same: the Alien has one unit and soon no centre, or has two centres and
    builds where Turkey would.
    """
    game = new_game(path)
    turkey = PLANS["Turkey"] | {"W1901A": "BUILD A CON" if without else "REMOVE A ARM"}
    planned(game, PLANS | {"Turkey": turkey})
    game.order(ALIEN, f"ADOPT A {'SMY' if without else 'CON'}")
    until(game, "W1901A")
    game.order(ALIEN, "STATUS" if without else "BUILD A CON")
    until(game, "S1902M")
    until(game, "W1902A")
    game.database.dispose()
    return game


TOLD = re.compile(r"""The Alien owns \d+ supply centres?\.|"facts":\{"centers":\d+\},"kind":"the Alien's count\"""")


def to_others(game: Game) -> list[Sent]:
    """Every mail to those who are neither the Alien, nor the host, nor the gamemaster."""
    own = {address(power) for power in (ALIEN, "Turkey")} | {MASTER}
    return [mail for mail in game.sent if mail.recipient not in own]


def without_what_is_told(raw: bytes) -> list[str]:
    """The header of a mail and its parts, without what AU-11 tells."""
    parts = email.message_from_bytes(raw, policy=email.policy.default).walk()
    contents = [part.get_content() for part in parts if not part.is_multipart()]
    texts = [one.decode("utf-8", "replace") if isinstance(one, bytes) else str(one) for one in contents]
    return [raw.partition(b"\r\n\r\n")[0].decode(), *(TOLD.sub("", text) for text in texts)]


@pytest.mark.ruling("AU-11")
def test_nobody_can_tell_an_alien_without_centres_but_by_the_number(tmp_path: Path) -> None:
    lost, has = twin(tmp_path / "lost", without=True), twin(tmp_path / "has", without=False)
    for game, number in ((lost, 0), (has, 2)):
        autumns = [text_of(mail) for mail in game.mailboxes[address("England")] if "F190" in str(mail["Subject"])]
        assert "The Alien owns" not in " ".join(text for text in autumns if "Fall of 1901" in text)
        assert f"The Alien owns {number} supply centres." in " ".join(autumns)
    differ = 0
    for one, two in zip(to_others(lost), to_others(has), strict=True):
        assert (one.recipient, one.at) == (two.recipient, two.at)
        if one.raw != two.raw:
            differ += 1
            assert without_what_is_told(one.raw) == without_what_is_told(two.raw)
    assert differ == 7, "the report of the second Autumn to six powers and an observer"


# A game to its end


@kept
def played_to_the_end(game: Game) -> None:
    """The Alien adopts a Turkish army, loses all, begins again in France, which is eliminated by that, and shows
    itself; the gamemaster plays Italy, and Austria never writes.
    """
    plans = {power: plan for power, plan in PLANS.items() if power != "Austria"}
    plans["England"] = {"S1901M": "F LON-ENG\nF EDI H\nA LVP H", "F1901M": "F ENG-BRE\nF EDI H\nA LVP H",
                        "W1901A": "WAIVE", "M": "F BRE H\nF EDI H\nA LVP H"}  # fmt: skip
    plans["France"] = {"S1901M": "F BRE-MAO\nA MAR-GAS\nA PAR H", "F1901M": "F MAO H\nA GAS H\nA PAR H",
                       "W1901A": "REMOVE F MAO\nREMOVE A GAS", "M": "A PAR H"}  # fmt: skip
    plans["Italy"] = {"S1901M": "A VEN-PIE\nA ROM H\nF NAP H", "F1901M": "A PIE-MAR\nA ROM H\nF NAP H",
                      "W1901A": "WAIVE", "M": "A MAR H\nA ROM H\nF NAP H"}  # fmt: skip
    plans["Turkey"] = PLANS["Turkey"] | {"W1901A": "BUILD A CON"}
    planned(game, plans)
    game.order(ALIEN, "ADOPT A SMY")
    game.pass_time(days=3)
    assert "are closed" in text_of(game.order("Turkey", "A SMY-SYR"))
    until(game, "S1902M")
    game.order(ALIEN, "ADOPT A PAR")
    game.pass_time(days=3)
    game.order(ALIEN, "A PAR-BUR")
    until(game, "F1902M")
    game.order(ALIEN, "REVEAL A BUR\nREVEAL ME\nA BUR-PAR")
    until(game, "the end")


@pytest.fixture
def ended(tmp_path: Path) -> Game:
    game = new_game(tmp_path / "ended", "last=1902", master=address("Italy"))
    played_to_the_end(game)
    return game


def results(game: Game, power: str, code: str) -> str:
    """The report of a phase to a player; to a gamemaster who plays, as a player."""
    mails = [mail for mail in game.mailboxes[address(power)] if f"{code} results" in str(mail["Subject"])]
    return text_of(mails[-1])


@pytest.mark.ruling("AU-1", "AU-9", "AU-10", "AU-11", "AU-13", "AU-14")
def test_a_game_with_a_new_beginning_is_played_to_its_end(ended: Game) -> None:
    assert ended.game().over
    everybody = (*POWERS, ALIEN)
    winter, begun = ({p: results(ended, p, code) for p in everybody} for code in ("W1901A", "S1902M"))
    assert {"Turkey: Build Army Constantinople. Turkey: Remove Army Armenia." in text for text in winter.values()} == {
        True
    }
    assert {"The Alien has begun again." in text for text in begun.values()} == {True}
    assert [power for power in everybody if "you are eliminated" in begun[power]] == ["France"]
    assert not [power for power in everybody if "The Alien owns" in results(ended, power, "F1901M")]
    autumn = results(ended, ALIEN, "F1901M")
    assert "Centres none; without one, all these units are removed in Winter" in autumn
    shown = [str(mail["Subject"]) for mail in ended.mailboxes[address("Russia")]]
    assert shown.count("[spring] Something is revealed") == 2
    mine = " ".join(text_of(mail) for mail in ended.mailboxes[address(ALIEN)])
    assert "out of the game" not in mine
    assert "eliminated" not in mine


@pytest.mark.ruling("AU-11", "AU-14")
def test_at_the_end_everybody_is_shown_the_same(ended: Game) -> None:
    last = {power: results(ended, power, "F1902M") for power in (*POWERS, ALIEN)}
    events = (text[text.index("Events") : text.index("Players ---")] for text in last.values())
    assert len({text.replace("What the Alien controls", "") for text in events}) == 1
    text = last[Power("France")]
    assert "Russia, Turkey and the Alien: 1902 was the last year." in text
    assert "the Alien 1 drew Alien" in text
    assert "1901 4 4 1 3 4 4 3 -" in text
    assert "W1901A loses Turkish A Arm" in text
    assert not [power for power, text in last.items() if "you alone are sent" in text or "you are eliminated" in text]


@pytest.mark.ruling("AU-5")
def test_the_random_orders_of_a_silent_power_can_be_verified(ended: Game) -> None:
    with ended.looking() as session:
        found = chronicle_of(session, ended.game())
    findings = list(replay(found, bytes.fromhex(SEED)))
    assert not [(finding.title, finding.faults) for finding in findings if finding.faults]
    wrong = list(replay(found, bytes.fromhex(SEED[::-1])))
    assert [finding for finding in wrong if finding.faults and finding.title.startswith("S1901M")]
