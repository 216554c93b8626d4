"""In fog nothing that is done to a seat shows whether its orders are in, and silence costs nobody anything who has
nothing to order.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle, product
from pathlib import Path

import pytest

from gm.play import extensions
from tests.server.kept import kept
from tests.server.world import BASE, player, reply_to, text_of
from tests.variants.fog.twins import BASE_ORDERS, FRANCE, HELPER, MASTER, WATCHER, Game, alike, change

NEUTRAL = "neutral@example.org"
OWN = "A PAR H\nA MAR H\nF BRE H"
Act = Callable[[Game], None]


def asked(game: Game) -> None:
    """All who may not know look at whatever shows how far a phase is."""
    game.order("France", "STATUS\nMY ORDERS")
    game.chair("DASHBOARD\nSTATUS\nLOG 60")
    game.say(HELPER, game.seats["helper"], "DASHBOARD\nSTATUS")
    game.say(FRANCE, BASE, "DASHBOARD")
    game.say(WATCHER, game.seats["watcher"], "STATUS")


def chair(*lines: str) -> Act:
    """The gamemaster, who plays, writes mails of these lines, and sends their own orders again."""

    def act(game: Game) -> None:
        for line in lines:
            game.chair(line)
            game.order("France", f"{OWN}\nREADY")
            asked(game)

    return act


def resigns(game: Game) -> None:
    game.order("Turkey", "RESIGN spring")
    asked(game)


ACTS = {"dummy": chair("DUMMY Turkey"), "ejected and given back": chair("EJECT Turkey", "UNDO"), "resigns": resigns}
ACTS |= {"a stand-in": chair("EJECT Turkey", "STANDIN Turkey"), "given": chair("REPLACE Turkey WITH n@example.net")}
TIMES = {"before the deadline": "early=ready nmr=hold", "in grace": "early=no nmr=hold grace=12h"}
TIMES |= {"while it waits": "early=no nmr=wait", "until grace": "early=no nmr=hold grace=12h", "random": "nmr=random"}


LATE = ("in grace", "while it waits")
WHEN = [*product(ACTS, LATE), *zip(ACTS, cycle(time for time in TIMES if time not in LATE), strict=False)]
"""Each act while somebody is late, in either way, and at one of the times at which nobody is: all of these."""


@kept
def all_but(game: Game, time: str, silent: str) -> None:
    """The orders of all but one have come, and the deadline is near or over."""
    game.begin(f"{TIMES[time]} reminder=none progress=yes")
    for power, text in (BASE_ORDERS | {"France": OWN}).items():
        if power != silent:
            game.order(power, f"{text}\nREADY")
    if time in LATE:
        game.pass_time(days=3)
    asked(game)


def emptied(path: Path, act: Act, time: str, silent: str) -> list[tuple[object, ...]]:
    """What those see who may not know, of a game in which one player is silent, and Turkey's seat is emptied."""
    path.mkdir()
    game = Game(path, limits=0)
    all_but(game, time, silent)
    act(game)
    assert game.phase() == "S1901M"
    for days, hours in ((0 if time in LATE else 3, 0), (0, 12)):
        game.pass_time(days=days, hours=hours)
        asked(game)
    assert (game.phase() == "S1901M") == (time == "while it waits")
    assert not game.service.wrong
    game.database.dispose()
    return game.seen()


@pytest.mark.long(seconds=60)
@pytest.mark.ruling("FW-4", "FW-7")
@pytest.mark.parametrize(("act", "time"), WHEN)
def test_an_emptied_seat_does_not_show_whether_it_was_waited_for(act: str, time: str, tmp_path: Path) -> None:
    one, other = (emptied(tmp_path / silent, ACTS[act], time, silent) for silent in ("Turkey", "Russia"))
    alike(one, other, least=20)


BACK = {"back": ["ROLLBACK S1901M"], "and forward": ["ROLLBACK S1901M", "ROLLFORWARD"]}


def set_back(path: Path, lines: list[str], silent: str) -> list[tuple[object, ...]]:
    """What those see who may not know, of a game in which one player was silent in a phase; then Turkey's seat is
    emptied, and the game is set back.
    """
    path.mkdir()
    game = Game(path, limits=0)
    game.begin("early=no nmr=hold grace=12h reminder=none progress=yes")
    for power, text in (BASE_ORDERS | {"France": OWN}).items():
        if power != silent:
            game.order(power, text)
    game.pass_time(days=3)
    game.pass_time(hours=12)
    assert game.phase() == "F1901M"
    if lines == BACK["and forward"]:
        for power in {*BASE_ORDERS} - {silent}:
            game.order(power, BASE_ORDERS[power])
    for line in ("DUMMY Turkey", *lines):
        chair(line)(game)
    for days, hours in ((3, 0), (0, 11), (0, 1)):
        game.pass_time(days=days, hours=hours)
        asked(game)
    assert not game.service.wrong
    game.database.dispose()
    return game.seen()


@pytest.mark.long(seconds=60)
@pytest.mark.ruling("FW-4", "FW-7")
@pytest.mark.parametrize("lines", BACK.values(), ids=BACK)
def test_a_seat_that_was_emptied_is_waited_for_in_a_phase_that_is_played_again(
    lines: list[str], tmp_path: Path
) -> None:
    one, other = (set_back(tmp_path / silent, lines, silent) for silent in ("Turkey", "Russia"))
    alike(one, other, least=20)


def test_what_another_gamemaster_does_for_a_power_is_not_named_to_one_who_plays(tmp_path: Path) -> None:
    game = Game(tmp_path, limits=0)
    game.begin("early=no nmr=hold reminder=none")
    game.say(NEUTRAL, BASE, "REGISTER Ned Neutral")
    game.promotes(FRANCE, game.seats["GM"], f"PROMOTE {NEUTRAL}")
    game.agreed()
    neutral = reply_to(game.last(NEUTRAL))
    game.others({power: text for power, text in BASE_ORDERS.items() if power != "Turkey"})
    game.pass_time(days=3)
    game.order("Turkey", f"PHASE S1901M\n{BASE_ORDERS['Turkey']}")
    game.say(NEUTRAL, neutral, "ACCEPT LATE Turkey")
    game.say(NEUTRAL, neutral, "REPLACE Turkey WITH somebody@elsewhere.example")
    logs = [text_of(game.say(*who, "LOG")) for who in ((NEUTRAL, neutral), (FRANCE, game.seats["GM"]))]
    assert ["accept late (phase S1901M, powers Turkey)" in log for log in logs] == [True, False]
    assert all("accept late (phase S1901M" in log for log in logs)
    assert ["replace (power Turkey" in log for log in logs] == [True, False]


# who has nothing to order


def retreating(path: Path, options: str) -> Game:
    """Only Turkey has to retreat, and has done so; all others are silent."""
    game = Game(path, limits=0, master=MASTER)
    game.begin(f"early=no reminder=3h {options}")
    change(game, lambda units, centers: (sorted([*units, "Turkey F bla", "Russia F rum"]), centers))
    russia = "A WAR H\nA MOS H\nF SEV-BLA\nF STP/SC H\nF RUM S F SEV-BLA"
    game.others(BASE_ORDERS | {"France": OWN, "Russia": russia, "Turkey": "A CON H\nA SMY H\nF ANK H\nF BLA H"})
    game.pass_time(days=3)
    assert game.phase() == "S1901R"
    game.order("Turkey", "F BLA D")
    return game


@pytest.mark.ruling("FW-4")
@pytest.mark.parametrize(("options", "hours"), [("nmr=wait", 24), ("nmr=hold grace=12h", 24)])
def test_whoever_a_phase_waits_for_is_asked_for_ready(tmp_path: Path, options: str, hours: int) -> None:
    game = retreating(tmp_path, options)
    assert "reply READY by" in str(game.last(FRANCE)["Subject"])
    assert "Reply READY in any case" in text_of(game.last(FRANCE))
    game.pass_time(hours=21)
    assert "reminder, READY is awaited" in str(game.last(FRANCE)["Subject"])
    game.pass_time(hours=3)
    assert "READY is awaited, new deadline" in str(game.last(FRANCE)["Subject"])
    assert "The deadline passed without READY from you." in text_of(game.last(FRANCE))
    if "wait" in options:
        said = text_of(game.last(MASTER))
        assert "waits for READY of Austria, England, France, Germany, Italy and Russia, who have nothing" in said
        assert "PROCESS S1901R" in said
        game.chair("DASHBOARD")
        desk = " ".join(text_of(game.last(MASTER)).split())
        assert desk.count("Orders: nothing to order, not READY") == 6
        assert "Not READY yet, with nothing to order: Austria, England, France, Germany, Italy and Russia." in desk
        assert "Without orders" not in desk
    for power in ("Austria", "England", "France", "Germany", "Italy", "Russia"):
        assert game.phase() == "S1901R"
        game.order(power, "READY")
        if power == "Austria":
            assert "READY in any case" not in text_of(game.last(player(power)))
    assert game.phase() == "F1901M"


def test_a_digest_asks_for_ready_too(tmp_path: Path) -> None:
    game = retreating(tmp_path, "nmr=wait")
    game.say(player("Italy"), BASE, "PREFERENCES digest=08:00")
    game.pass_time(days=1)
    game.chair("EXTEND 24h")
    game.chair("PRESS TO Italy\nHello.\nENDPRESS")
    game.pass_time(days=1)
    assert any("READY is awaited from you" in text_of(mail) for mail in game.mailboxes[player("Italy")])


@pytest.mark.ruling("FW-4")
def test_a_gamemaster_reads_who_has_something_to_order_apart_from_who_has_not(tmp_path: Path) -> None:
    game = Game(tmp_path, limits=0, master=MASTER)
    game.begin("early=no reminder=none nmr=wait")
    gone = [power for power in BASE_ORDERS if power != "Turkey"]
    change(game, lambda units, centers: ([u for u in units if not u.startswith("Turkey")], {**centers, "Turkey": []}))
    game.others({power: BASE_ORDERS[power] for power in gone if power != "Italy"} | {"France": OWN})
    game.pass_time(days=3)
    said = text_of(game.last(MASTER))
    assert "S1901M waits for the orders of Italy." in said
    assert "S1901M waits for READY of Turkey, who have nothing to order." in said


@pytest.mark.ruling("FW-4")
def test_silence_uses_no_extension_in_fog(tmp_path: Path) -> None:
    game = retreating(tmp_path, "nmr=hold extensions=1")
    assert "READY in any case" not in text_of(game.last(FRANCE))
    game.pass_time(days=1)
    assert game.phase() == "F1901M"
    game.pass_time(days=3)
    assert game.phase() not in ("S1901R", "F1901M")
    with game.service.transaction() as tx:
        now = tx.game(game.game().id)
        assert {extensions.left(tx, now, seat) for seat in now.players} == {1}


@pytest.mark.ruling("FW-4")
def test_silence_costs_no_seat_in_fog(tmp_path: Path) -> None:
    game = Game(tmp_path, limits=0, master=MASTER)
    said = text_of(game.say(MASTER, BASE, "CREATE spring variant=fog nmr=disorder"))
    assert "nmr=disorder does not apply to Fog of War" in said
    game.begin("early=no reminder=none nmr=hold")
    change(game, lambda units, centers: ([u for u in units if not u.startswith("Turkey")], {**centers, "Turkey": []}))
    game.pass_time(days=3)
    game.say(player("Turkey"), BASE, "WHOAMI")
    assert "missed" not in text_of(game.last(player("Turkey")))
