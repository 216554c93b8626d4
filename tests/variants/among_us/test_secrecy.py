"""Non-interference: games that differ only in what is hidden send the same bytes to everybody but Alien and gamemaster.

Two whole servers play the same public game by mail, with other units adopted, other overrides that come to the same, an
Alien who is mute in one of them; every mail to every other seat and to the observer is compared, with its time,
headers, bodies and number, and so are the answers to every command that reads something, and the server's log.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import get_ident

import pytest

from gm.position import PhaseKind, Position
from gm.variants.among_us import AMONG_US
from gm.variants.among_us.state import ALIEN, Layer, seen_without
from gm.variants.standard import POWERS
from tests.server.world import BASE
from tests.variants.among_us.mails import HOSTS, WATCHER, Game, Sent, new_game

pytestmark = pytest.mark.long

QUESTIONS = "\n".join(
    (
        *("STATUS", "LIST", "SUMMARY", "HISTORY ALL", "MY ORDERS", "RULES", "WHOAMI", "HELP ORDERS"),
        *("WHY SMY", "WHY A CON-BUL", "DASHBOARD", "PREVIEW", "LOG", "REVEAL A SMY", "ADOPT A SMY", "ADOPT A CON"),
        *("A SMY-CON", "F BRE-MAO", "A CON-BUL", "F SMY H", "A MUN S A SMY-CON", "Build A Smy", "Build A Con"),
        *("Remove A Smy", "the Alien: A SMY H", "WHATIF", "Turkey: A SMY-ARM, A CON-BUL", ""),
    )
)
"""What a curious player asks, of units that are the Alien's in one game and not in the other."""

Hidden = Callable[[Game, int], None]
"""What the Alien writes in the movement phase of this number, before and after the orders are closed."""


def adopts(unit: str, *, busy: bool = False) -> Hidden:
    """Adopts the unit; when orders are closed, repeats its present order, or only asks something."""

    def alien(game: Game, step: int) -> None:
        if step == 0:
            game.order(ALIEN, f"ADOPT {unit}")
        else:
            game.order(ALIEN, (busy and review_orders(game)) or "STATUS")

    return alien


def review_orders(game: Game) -> str:
    """The orders for the Alien's units, as the review mail lists them."""
    found = re.search(r"The orders of your hosts -+ (.*?) Your orders for", game.words(ALIEN))
    return "" if found is None else re.sub(r"(?:Turkish|French|Austrian) [AF] [A-Z][a-z]{2} ", "", found[1])


def adopts_at_random(game: Game, step: int) -> None:
    """Never says anything that counts."""
    del step
    game.order(ALIEN, "STATUS")


def mute(game: Game, step: int) -> None:
    """Never says anything."""
    del game, step


def standing(position: Position) -> dict[str, str]:
    """Everybody stands, or passes in Winter."""
    if position.phase.kind is PhaseKind.ADJUSTMENT:
        return {power: "WAIVE" for power in POWERS if power in AMONG_US.duties(seen_without(position))}
    return {power: "\n".join(f"{unit.kind} {unit.at} H" for unit in position.units_of(power)) for power in POWERS}


def played(game: Game, hidden: Hidden) -> Game:
    """A game year: the hosts' orders are the same in every one, and so is every question they ask."""
    hidden(game, 0)
    for number in (1, 2, 3):
        for power, orders in (HOSTS if number == 1 else standing(game.position())).items():
            game.order(power, orders)
        game.pass_time(days=3)
        curious(game)
        hidden(game, number)
        game.pass_time(hours=24)
    curious(game)
    game.database.dispose()
    return game


def curious(game: Game) -> None:
    """The host asks everything, another power and the observer too, and somebody at the server's own address."""
    for power in ("Turkey", "France"):
        game.order(power, QUESTIONS)
    game.say(WATCHER, game.seats["watcher"], QUESTIONS)
    game.say(WATCHER, BASE, "STATUS spring\nLIST\nHISTORY spring ALL\nSUMMARY spring")


_COUNTED = ("a mail was sent", "a mail was processed")
"""The operator's log has a line for each mail, and so for the Alien's reminders."""


@dataclass(frozen=True)
class Record:
    """What a game left outside: the mails to all others, and the server's log."""

    sent: Sequence[Sent]
    log: Sequence[str]
    layer: Layer


def record_of(path: Path, hidden: Hidden, caplog: pytest.LogCaptureFixture) -> Record:
    begun = new_game(path)
    caplog.set_level(logging.INFO)
    caplog.clear()
    game = played(begun, hidden)
    log = [entry.getMessage() for entry in caplog.records if entry.thread == get_ident()]  # no other server's
    return Record(game.to_others(), [line for line in log if line not in _COUNTED], Layer.of(game.position()))


FIRST, BUSY = "a unit adopted", "overrides that come to the same"
HIDDEN: dict[str, Hidden] = {
    FIRST: adopts("A SMY"),
    "another unit adopted": adopts("F BRE"),
    BUSY: adopts("A SMY", busy=True),
    "another unit and overrides": adopts("A CON", busy=True),
    "a unit by lot": adopts_at_random,
}
_kept: dict[str, Record] = {}


def kept(name: str, path: Path, caplog: pytest.LogCaptureFixture) -> Record:
    """The record of one of these games, played once."""
    if name not in _kept:
        _kept[name] = record_of(path, HIDDEN[name], caplog)
    return _kept[name]


@pytest.mark.ruling("AU-2")
@pytest.mark.parametrize("name", [name for name in HIDDEN if name != FIRST])
def test_games_that_differ_in_what_is_hidden_send_the_same_mails(
    name: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    first, other = kept(FIRST, tmp_path / "first", caplog), kept(name, tmp_path / "other", caplog)
    assert first.layer != other.layer or name == BUSY
    for one, two in zip(first.sent, other.sent, strict=True):
        assert one.raw.decode() == two.raw.decode()
        assert one == two
    assert first.log == other.log


_IDS = re.compile(rb"<[0-9a-f]{32}@|=_[0-9a-f]{32}|\+return\.[a-z2-7]+@")
"""Numbers made by a secret key from the number of a mail, which counts the Alien's mails too."""


@pytest.mark.ruling("AU-2")
def test_a_mute_alien_and_a_busy_one_send_others_the_same_mails(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Only the identifiers differ that are made with the server's secret key; they are as good as random."""
    one = [masked(mail) for mail in played(new_game(tmp_path / "one"), mute).to_others()]
    other = [masked(mail) for mail in kept(BUSY, tmp_path / "other", caplog).sent]
    assert one == other


def masked(mail: Sent) -> tuple[object, ...]:
    return (mail.at, mail.recipient, _IDS.sub(b"", mail.envelope_from.encode()), _IDS.sub(b"", mail.raw))
