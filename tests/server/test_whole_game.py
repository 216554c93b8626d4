"""A game of seven by mail as people play it: two absences, a resignation, a take-over from the standby list, an
extension by vote, a rollback and a draw. The mail is real SMTP both ways; the clock is set by the test.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from gm.clock import parse_span
from gm.games.report_inputs import phases_leading_to
from gm.reports import in_groups
from gm.store import game_rows
from gm.store.game_rows import GameState
from gm.variants.standard import POWERS
from tests.server.smtp import SmtpWorld, smtp_world
from tests.server.world import BASE, OPENINGS, player, reply_to, text_of

pytestmark = pytest.mark.long

MASTER = "master@example.org"
SUB = "sub@players.example"

FALL = {
    "Austria": "A VIE H\nA SER-GRE\nF ALB S A SER-GRE",
    "England": "F NTH C A YOR-NWY\nA YOR-NWY\nF NWG S A YOR-NWY",
    "France": "A BUR-BEL\nA SPA-POR\nF MAO-SPA/SC",
    "Germany": "A KIE-HOL\nA RUH-BEL\nF DEN-SWE",
    "Italy": "A VEN H\nA APU-TUN\nF ION C A APU-TUN",
    "Russia": "A WAR-GAL\nA UKR-RUM\nF SEV S A UKR-RUM\nF BOT-SWE",
    "Turkey": "A BUL-GRE\nA CON-BUL\nF ANK-CON",
}
WINTER = {
    "Austria": "BUILD A BUD",
    "England": "BUILD F LON",
    "France": "BUILD F BRE\nBUILD A PAR",
    "Germany": "BUILD A MUN\nBUILD A BER",
    "Italy": "BUILD F NAP",
    "Russia": "BUILD A MOS\nBUILD F SEV",
    "Turkey": "BUILD A SMY",
}


class Table:
    """The seven players, their gamemaster, and helpers for the test."""

    def __init__(self, world: SmtpWorld) -> None:
        self.world = world
        self.who = {power: player(power) for power in POWERS} | {"GM": MASTER}
        options = "first=3d move=2d retreat=1d adjust=1d reminder=12h nmr=hold absence=10d"
        options += " draw=dias motions=majority early=orders"
        created = world.send(MASTER, BASE, f"CREATE spring {options}")
        for power in POWERS:
            world.send(self.who[power], BASE, f"JOIN spring AS {power}")
        world.send(SUB, BASE, "REGISTER Sue Sub\nSTANDBY spring")
        world.send(MASTER, reply_to(created), "START spring")
        self.seats = {"GM": reply_to(created)}
        for power in POWERS:
            self.seats[power] = reply_to(world.last(self.who[power]))

    def says(self, power: str, text: str) -> str:
        """Write to a seat's address and return the reply."""
        return text_of(self.world.send(self.who[power], self.seats[power], text))

    def order(self, orders: dict[str, str], *but: str) -> None:
        for power, text in orders.items():
            if power not in but:
                answer = self.says(power, text)
                assert "could not be acted on" not in answer, f"{power}: {answer}"

    def due(self) -> datetime:
        due = self.world.game().due_at
        assert due is not None
        return due


@pytest.mark.ruling("ST-11")
def test_a_game_of_seven_from_the_first_mail_to_the_draw(tmp_path: Path) -> None:
    with smtp_world(tmp_path) as world:
        table = Table(world)
        assert world.phase() == "S1901M"
        _two_absences(world, table)
        _an_extension_by_vote(world, table)
        _a_resignation_and_a_take_over(world, table)
        _a_rollback(world, table)
        _a_draw(world, table)
        assert world.received > 50
        assert world.delivered > world.received, "everybody was answered, and told the news besides"


def _two_absences(world: SmtpWorld, table: Table) -> None:
    """The deadline moves behind both absences, one after the other, and back to back."""
    before = table.due()
    assert before == datetime(2026, 11, 23, 9, tzinfo=UTC)
    assert "2026-11" not in table.says("Italy", "TIMEZONE Europe/Rome")
    first, last = parse_span("2026-11-22 to 2026-11-24")
    assert (first.day, last.day) == (22, 24)
    said = table.says("Italy", "ABSENCE 2026-11-22 TO 2026-11-24")
    assert "You are away from Sun 22 Nov 2026" in said
    assert "The deadline of spring is now" in said
    moved = table.due()
    assert moved == datetime(2026, 11, 24, 23, tzinfo=UTC), "midnight in Rome"
    assert "A player is away" in text_of(world.last(player("France")))
    assert "Italy" not in text_of(world.last(player("France"))).split("A player is away")[1][:80]
    table.says("Russia", "ABSENCE 2026-11-24 TO 2026-11-25")
    assert table.due() == datetime(2026, 11, 26, tzinfo=UTC)
    table.order(OPENINGS)
    assert world.phase() == "F1901M", "all orders came, and nobody waits for absences any more"


def _an_extension_by_vote(world: SmtpWorld, table: Table) -> None:
    before = table.due()
    assert "4 players must agree; 1 so far" in table.says("Turkey", "EXTEND 24h")
    told = text_of(world.last(player("England")))
    assert "A player asks to move the deadline to" in told
    assert "Turkey" not in told.split("A player asks")[1]
    table.says("England", "EXTEND YES")
    table.says("France", "EXTEND NO")
    table.says("Germany", "EXTEND YES")
    assert table.due() == before, "three of seven are too few"
    assert "the motion is carried" in table.says("Austria", "EXTEND YES")
    assert (table.due() - before).total_seconds() == 24 * 3600
    assert "The players have voted for more time" in text_of(world.last(player("France")))


def _a_resignation_and_a_take_over(world: SmtpWorld, table: Table) -> None:
    """Germany resigns; the first person on the standby list is asked, accepts, and plays on."""
    old = table.seats["Germany"]
    table.says("Germany", "RESIGN spring")
    assert "Germany in spring" in text_of(world.last(SUB))
    assert "TAKEOVER spring AS Germany" in text_of(world.last(SUB))
    stranger = text_of(world.send("eve@elsewhere.example", BASE, "TAKEOVER spring AS Germany"))
    assert "reserved for a player on the standby list" in stranger
    answer = world.send(SUB, BASE, "TAKEOVER spring AS Germany")
    assert "You play Germany in spring" in text_of(answer)
    table.who["Germany"], table.seats["Germany"] = SUB, reply_to(answer)
    assert "Sue Sub now plays Germany" in text_of(world.last(player("Turkey")))
    assert "not your seat any more" in text_of(world.send(player("Germany"), old, "STATUS"))
    table.order(FALL)
    assert world.phase() == "W1901A"


def _a_rollback(world: SmtpWorld, table: Table) -> None:
    """Fall is played again with one order changed; the first results are kept."""
    centers = text_of(world.last(player("Russia")))
    assert "Russia gained Rumania" in centers
    refused = table.says("France", "ROLLBACK F1901M")
    assert "Only the gamemaster" in refused
    said = table.says("GM", "ROLLBACK F1901M")
    assert "F1901M is played again, with the orders that were given for it" in said
    assert world.phase() == "F1901M"
    assert "F Sev S A Ukr-Rum" in table.says("Russia", "MY ORDERS")
    assert world.phase() == "F1901M", "nothing is adjudicated before somebody has sent anything"
    table.says("Russia", "A UKR H")
    assert world.phase() == "F1901M", "the others have not sent anything since"
    table.says("GM", "PROCESS F1901M")
    assert world.phase() == "W1901A"
    assert "Russia gained Rumania" not in text_of(world.last(player("Russia")))
    with world.looking() as session:
        rows = game_rows.phases_of(session, world.game().id)
        line = phases_leading_to(session, world.game())
    assert [row.code for row in rows] == ["S1901M", "F1901M", "W1901A", "F1901M", "W1901A"]
    assert [row.number for row in line] == [1, 4, 5]
    assert "Ukr" in table.says("Russia", "WHY A UKR H")
    assert "S1901M" in table.says("Turkey", "HISTORY ALL")


def _a_draw(world: SmtpWorld, table: Table) -> None:
    for power, text in WINTER.items():
        table.says(power, text)
    world.pass_time(days=3)
    assert world.phase() == "S1902M"
    for power in POWERS[:-1]:
        answer = table.says(power, "DRAW")
        assert "You vote for a draw of all survivors" in answer
    assert world.game().state is GameState.RUNNING
    assert "DRAW" not in text_of(world.last(MASTER)), "a ballot is secret, for the gamemaster too"
    table.says(POWERS[-1], "DIARY\nI would have won.\nENDDIARY\nDRAW")
    game = world.game()
    assert game.state is GameState.FINISHED
    assert game.victory is not None
    assert sorted(game.victory.winners) == sorted(POWERS)
    over = text_of(world.last(player("Italy")))
    assert "The game is drawn between" in over
    assert in_groups(game.seed) in over
    summary = text_of(world.send("new@reader.example", BASE, "SUMMARY spring"))
    assert "All players agreed to a draw" in summary
    assert "I would have won." in summary
