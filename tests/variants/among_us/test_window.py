"""The two deadlines (AU-2, AU-3): orders close at T, only the Alien is sent a mail, and results always come at T+W."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from gm.cli.verify import replay
from gm.gallery.public import PublicGame
from gm.machine.deadlines import catch_up
from gm.play.export import chronicle_of, record_of
from gm.settings import ClockSettings
from gm.variants.among_us.state import ALIEN, Layer, province_of
from gm.variants.standard import POWERS
from tests.server.kept import kept
from tests.server.world import BASE, START, reply_to, text_of
from tests.variants.among_us.mails import HOSTS, MASTER, SEED, WATCHER, Game, address, new_game
from tests.variants.among_us.scenes import units

T = START + timedelta(days=3)
WINDOW = timedelta(hours=24)

EIGHTEEN = (
    *("bel", "hol", "den", "swe", "nwy", "edi", "lon", "lvp", "par"),
    *("mar", "bre", "spa", "por", "ven", "rom", "nap", "mun", "ber"),
)


def everybody_orders(game: Game) -> None:
    """The Alien adopts a unit, and the hosts order theirs."""
    game.order(ALIEN, "ADOPT A SMY")
    game.hosts_order()


@kept
def to_the_end(game: Game) -> None:
    """Past T, then to T+W."""
    game.time = T
    game.work()
    game.time = T + WINDOW
    game.work()


def reports(game: Game, code: str = "S1901M") -> list[str]:
    return [mail.recipient for mail in game.sent if f"{code} results".encode() in mail.raw]


@pytest.mark.ruling("AU-2", "AU-3")
def test_at_t_the_alien_alone_is_written_to_and_the_report_comes_at_t_plus_w(game: Game) -> None:
    everybody_orders(game)
    before = len(game.sent)
    game.time = T
    game.work()
    assert [mail.recipient for mail in game.sent[before:]] == [address(ALIEN)]
    letter = game.words(ALIEN)
    assert "A Smy-Con" in letter
    assert "A Con-Bul" not in letter, "not the host's other orders"
    assert game.phase() == "S1901M"
    game.time = T + WINDOW - timedelta(seconds=1)
    game.work()
    assert not reports(game)
    game.time = T + WINDOW
    game.work()
    assert len(reports(game)) == len(POWERS) + 3
    assert {mail.at for mail in game.sent if b"S1901M results" in mail.raw} == {T + WINDOW}
    assert "Turkey A con" in units(game.position())


@pytest.mark.ruling("AU-11")
def test_the_alien_is_never_told_to_be_out_of_the_game(game: Game) -> None:
    everybody_orders(game)
    to_the_end(game)
    assert "S1901M" in game.words(ALIEN)
    assert "out of the game" not in game.words(ALIEN)


@pytest.mark.ruling("AU-4")
def test_the_aliens_answer_counts_until_t_plus_w(game: Game) -> None:
    everybody_orders(game)
    game.time = T
    game.work()
    assert "not yours" in text_of(game.order(ALIEN, "A CON-BUL"))
    assert "A Smy-Arm" in text_of(game.order(ALIEN, "A SMY-ARM"))
    game.time = T + WINDOW
    game.work()
    assert "Turkey A arm" in units(game.position())
    assert Layer.of(game.position()).units == {"arm"}


@pytest.mark.ruling("AU-2")
def test_a_mute_alien_has_a_unit_by_lot_and_lets_all_stand(game: Game) -> None:
    game.hosts_order()
    to_the_end(game)
    assert len(Layer.of(game.position()).units) == 1
    assert {"Turkey A con", "France A bur", "Germany A kie"} <= units(game.position())
    assert {mail.at for mail in game.sent if b"S1901M results" in mail.raw} == {T + WINDOW}


@pytest.mark.ruling("AU-2", "AU-4")
def test_an_early_alien_changes_no_time(game: Game) -> None:
    everybody_orders(game)
    to_the_end(game)
    due = game.time + timedelta(days=3)
    game.order(ALIEN, "A CON-SMY")
    for power in POWERS:
        game.order(power, "\n".join(f"{unit.kind} {unit.at} H" for unit in game.position().units_of(power)))
    assert game.phase() == "F1901M", "orders are never closed early"
    game.time = due
    game.work()
    assert "A Con-Smy (your order; the host's: A Con H)" in game.words(ALIEN)
    game.time = due + WINDOW
    game.work()
    assert "Turkey A smy" in units(game.position())


@pytest.mark.ruling("AU-2")
def test_a_late_alien_is_refused_and_so_are_late_hosts(game: Game) -> None:
    everybody_orders(game)
    game.time = T + timedelta(minutes=1)
    game.work()
    late = text_of(game.order("Turkey", "A CON H"))
    assert "came after the deadline" in late
    assert "came after the deadline" in text_of(game.order("Turkey", "CLEAR"))
    game.time = T + WINDOW + timedelta(minutes=5)
    answer = game.order(ALIEN, "A SMY-ARM")
    assert "came after the deadline" in text_of(answer)
    assert "Turkey A con" in units(game.position())


@pytest.mark.ruling("AU-15")
@pytest.mark.parametrize("power", ["Turkey", ALIEN])
def test_whose_late_orders_were_accepted_is_not_told(game: Game, power: str) -> None:
    everybody_orders(game)
    to_the_end(game)
    assert "the gamemaster can still let it count" in text_of(game.order(power, "PHASE S1901M\nA SMY H\nENDPHASE"))
    game.send(MASTER, game.seats["GM"], f"ACCEPT LATE {power}")
    game.time += WINDOW
    game.work()
    said = game.words("France")
    assert "S1901M" in said
    assert "late orders were accepted" in said
    assert "late orders of" not in said


@pytest.mark.ruling("AU-2")
def test_the_window_is_kept_when_the_aliens_units_are_destroyed(game: Game) -> None:
    everybody_orders(game)
    to_the_end(game)
    with game.altering() as row:
        row.position = {**row.position, "units": [u for u in row.position["units"] if u != "Turkey A con"]}
        state = row.position["state"]["alien"]
        row.position = {**row.position, "state": {"alien": {**state, "units": []}}}
    due = game.time + timedelta(days=3)
    game.time = due
    game.work()
    assert "You control no unit" in game.words(ALIEN)
    assert not reports(game, "F1901M")
    game.time = due + WINDOW
    game.work()
    assert len(reports(game, "F1901M")) == len(POWERS) + 3


@pytest.mark.ruling("AU-2")
@pytest.mark.parametrize("way", ["adjudicate", "extend"])
def test_a_server_that_was_down_over_t_gives_the_alien_the_window(game: Game, way: str) -> None:
    everybody_orders(game)
    game.time = T + timedelta(days=5)
    assert catch_up(game.service, ClockSettings(catch_up=way, extend_hours=24)) == (way == "extend")  # type: ignore[arg-type]
    if way == "extend":
        game.time += timedelta(hours=24)
    game.work()
    assert game.phase() == "S1901M"
    assert "A Smy-Con" in game.words(ALIEN)
    game.order(ALIEN, "A SMY-ARM")
    game.pass_time(hours=24)
    assert "Turkey A arm" in units(game.position())


@pytest.mark.ruling("AU-2")
@pytest.mark.parametrize("way", ["adjudicate", "extend"])
def test_a_server_that_was_away_over_t_plus_w(game: Game, way: str) -> None:
    everybody_orders(game)
    game.time = T
    game.work()
    game.time = T + timedelta(days=5)
    before = len(game.sent)
    assert catch_up(game.service, ClockSettings(catch_up=way, extend_hours=24)) == (way == "extend")  # type: ignore[arg-type]
    game.work()
    if way == "extend":
        assert game.phase() == "S1901M"
        told = [mail.recipient for mail in game.sent[before:]]
        assert sorted(told) == sorted([*map(address, (*POWERS, ALIEN)), MASTER, "watcher@example.org"])
        assert "came after the deadline" in text_of(game.order("Turkey", "A CON H")), "the hosts' orders stay closed"
        game.order(ALIEN, "A SMY-ARM")
        game.pass_time(hours=24)
    assert game.phase() == "F1901M"


@pytest.mark.ruling("AU-2")
def test_the_gamemaster_may_close_at_once_and_then_end_the_window(game: Game) -> None:
    game.hosts_order()
    game.say(MASTER, game.seats["GM"], "PROCESS S1901M")
    assert game.phase() == "S1901M"
    assert "orders are closed" in str(game.last(address(ALIEN))["Subject"])
    game.say(MASTER, game.seats["GM"], "PROCESS S1901M")
    assert game.phase() == "F1901M"


def test_a_clock_that_was_stopped_in_the_window_does_not_open_the_orders_again(game: Game) -> None:
    game.hosts_order()
    game.time = T
    game.work()
    game.say(MASTER, game.seats["GM"], "PAUSE")
    game.pass_time(days=3)
    game.say(MASTER, game.seats["GM"], "RESUME")
    assert "came after the deadline" in text_of(game.order("Turkey", "A CON H"))
    game.pass_time(days=2)
    assert game.phase() == "F1901M"


@pytest.mark.ruling("AU-1")
def test_the_alien_alone_is_reminded_of_the_adoption(game: Game) -> None:
    game.hosts_order()
    before = len(game.sent)
    game.time = T - timedelta(hours=23)
    game.work()
    assert [mail.recipient for mail in game.sent[before:]] == [address(ALIEN)]


@pytest.mark.ruling("AU-5")
def test_a_silent_powers_orders_are_random_and_only_it_is_told(game: Game) -> None:
    for power, orders in HOSTS.items():
        if power != "Italy":
            game.order(power, orders)
    to_the_end(game)
    assert "drawn at random" in game.words("Italy").partition("Movement results")[0]
    for other in ("Turkey", "Austria"):
        assert "drawn at random" not in game.words(other)
        assert "NMR" not in game.words(other)
    assert "sent no orders" not in text_of(game.last(WATCHER))


@pytest.mark.ruling("AU-13")
def test_press_from_the_alien_and_revelations(game: Game) -> None:
    game.order(ALIEN, "ADOPT A SMY\n\nPRESS TO ALL\nTake me to your leader.\nENDPRESS")
    assert "Press from the Alien" in game.words("Turkey")
    assert address(ALIEN) not in game.last(address("Turkey")).as_string()
    game.order("Turkey", "PRESS TO THE ALIEN\nWho are you?\nENDPRESS")
    assert "Who are you?" in game.words(ALIEN)
    assert "have nothing hidden" in text_of(game.order("Turkey", "REVEAL ME"))
    assert "have nothing hidden" in text_of(game.order("Turkey", "REVEAL A SMY"))
    game.time = T
    game.work()
    assert "not yours" in text_of(game.order(ALIEN, "REVEAL A CON"))
    game.order(ALIEN, "REVEAL A SMY")
    assert "control of Turkish A Smy" in game.words("England")
    game.order(ALIEN, "REVEAL ME")
    assert "The Alien is revealed: Alien plays it." in game.words("England")


def test_what_everybody_was_told_is_public(game: Game) -> None:
    """In STATUS, exports and the gallery; a mail address in it is left out."""
    game.order(ALIEN, "ADOPT A SMY")
    game.time = T
    game.work()
    game.order(ALIEN, "REVEAL A SMY")
    game.say(MASTER, game.seats["GM"], "OFFICIAL\nWrite to boss@example.org, please.\nENDOFFICIAL")
    game.order(ALIEN, "REVEAL ME")
    told = ("The Alien reveals control of Turkish A Smy", "Write to [address], please.", "The Alien is revealed: Alien")
    with game.service.reading() as tx:
        (shown,) = tx.games_in()
        letters = PublicGame(tx.session, shown, BASE).letters
        value = record_of(tx.session, shown)
    assert [letter.sender for letter in letters] == ["the Alien", "GM", "the Alien"]
    assert all(letter.text.startswith(words) for letter, words in zip(letters, told, strict=True))
    assert [(one["phase"], one["kind"], one["by"]) for one in value["told"]] == [
        ("S1901M", "reveal", "the Alien"),
        ("S1901M", "official", "GM"),
        ("S1901M", "reveal", "the Alien"),
    ]
    assert [one["text"] for one in value["told"]] == [letter.text for letter in letters]
    status = text_of(game.say("somebody@else.example", BASE, f"STATUS {shown.name}"))
    assert all(words in status for words in told)
    assert "boss@" not in status


def test_only_the_gamemaster_learns_who_the_alien_is(tmp_path: Path) -> None:
    game = new_game(tmp_path / "other")
    for power in ("Turkey", "England"):
        said = text_of(game.order(power, "STATUS\nSUMMARY\nLIST"))
        assert "Turkey" in said
        assert "alien@" not in said
        assert "the Alien Alien" not in said
    assert "the Alien" in text_of(game.say(MASTER, game.seats["GM"], "STATUS"))
    game.database.dispose()


@pytest.mark.ruling("AU-12")
def test_the_true_history_is_published_with_the_last_report(game: Game) -> None:
    """Eighteen centres are truly Germany's, set directly; the last report lists turn by turn what the Alien did."""
    everybody_orders(game)
    to_the_end(game)
    with game.altering() as row:
        row.position = {**row.position, "centers": {"Germany": list(EIGHTEEN), "Turkey": ["smy"]},
                        "units": ["Germany A mun", "Turkey A con"]}  # fmt: skip
    game.pass_time(days=3)
    game.pass_time(days=1)
    last = game.words("England")
    assert "Germany has won" in last
    assert "What the Alien did" in last
    assert "adopts Turkish A Smy" in last
    assert "holds Constantinople, Smyrna; controls Turkish A Con" in last


@pytest.mark.ruling("AU-1", "AU-5")
@pytest.mark.ruling("AU-5")
def test_status_tells_a_host_what_becomes_of_units_without_orders(game: Game) -> None:
    drawn = "If you send nothing at all, orders are drawn at random"
    assert drawn in text_of(game.order("Italy", "STATUS"))
    assert "Without an order, so holding:" in text_of(game.order("Italy", "A ROM-TUS"))
    assert drawn not in text_of(game.order("Italy", "STATUS"))
    assert drawn not in text_of(game.order("France", "READY"))
    assert "no orders yet" not in text_of(game.order("France", "STATUS"))
    game.order("Turkey", HOSTS["Turkey"])
    game.pass_time(days=3)
    for power, said in (("Italy", "so holding"), ("Austria", "You sent no orders, so they are drawn at random.")):
        status = text_of(game.order(power, "STATUS"))
        assert said in status
        assert "Orders are closed: yours count as they are." in status
    for power in ("Italy", "Austria", "Turkey", "France"):
        status = text_of(game.order(power, "STATUS"))
        assert "You can change them until" not in status
        assert drawn not in status


@pytest.mark.ruling("AU-5")
@pytest.mark.parametrize(("option", "costs"), [("nmr=disorder", True), ("", False)])
def test_status_says_what_missing_orders_cost(tmp_path: Path, option: str, costs: bool) -> None:
    game = new_game(tmp_path / "game", option)
    said = text_of(game.order("Italy", "STATUS"))
    assert ("random orders, and missing two phases in a row costs you your seat" in said) == costs
    game.database.dispose()


@pytest.mark.parametrize("adoption", ["ADOPT A SMY", "STATUS"], ids=["by choice", "by lot"])
def test_a_game_is_worked_out_again_from_its_seed(game: Game, adoption: str) -> None:
    """Adoption, random orders, overrides and CLEAR in the window: everything is verified from the chronicle."""
    game.order(ALIEN, adoption)
    for power in ("Austria", "Turkey", "France"):
        game.order(power, HOSTS[power])
    game.time = T
    game.work()
    (held,) = Layer.of(game.position()).units
    unit = next(unit for unit in game.position().units if province_of(unit) == held)
    game.order(ALIEN, f"{unit.kind} {unit.at} H")
    game.order(ALIEN, "CLEAR")
    game.time = T + WINDOW
    game.work()
    for _ in range(4):
        game.pass_time(days=3)
        game.pass_time(days=1)
    with game.looking() as session:
        found = chronicle_of(session, game.game())
    findings = list(replay(found, bytes.fromhex(SEED)))
    assert not [(finding.title, finding.faults) for finding in findings if finding.faults]
    assert len(findings) > 5


@pytest.mark.ruling("AU-12")
def test_the_true_history_is_published_when_the_gamemaster_ends_the_game_too(game: Game) -> None:
    everybody_orders(game)
    to_the_end(game)
    question = game.say(MASTER, game.seats["GM"], "TERMINATE spring")
    if "YES" in text_of(question):
        game.say(MASTER, reply_to(question), "YES")
    last = game.words("England")
    assert "is over" in last
    assert "What the Alien did" in last
    assert "adopts Turkish A Smy" in last


def test_nobody_is_told_of_a_later_deadline_once_orders_are_closed(game: Game) -> None:
    game.pass_time(days=3)
    due = game.game().due_at
    sent = len(game.sent)
    for line in ("EXTEND 24h", "DEADLINE in 24h"):
        assert "The orders for S1901M are closed." in text_of(game.say(MASTER, game.seats["GM"], line))
    assert len(game.sent) == sent + 2
    assert game.game().due_at == due
    assert "EXTEND" not in text_of(game.say(MASTER, game.seats["GM"], "DASHBOARD"))
    assert "or a time before" in text_of(game.say(MASTER, game.seats["GM"], "MUSTER in 5d"))


@pytest.mark.ruling("AU-2")
@pytest.mark.parametrize("how", ["CORRECT", "ACCEPT LATE"])
def test_nobody_reviews_orders_again_whose_results_are_known(game: Game, how: str) -> None:
    """The orders of a phase that is corrected are closed, and the corrected report comes at once."""
    everybody_orders(game)
    to_the_end(game)
    assert game.phase() == "F1901M"
    before = len(game.sent)
    correction = "CORRECT S1901M NOW\nORDERS FOR Italy\nA VEN-TYR\nBECAUSE a mail was lost"
    if how == "ACCEPT LATE":
        game.order("Italy", "PHASE S1901M\nA VEN-TYR\nENDPHASE")
        before, correction = len(game.sent), "ACCEPT LATE Italy"
    said = text_of(game.say(MASTER, game.seats["GM"], correction))
    assert "corrected report" in said or "are accepted" in said, said
    assert game.phase() == "F1901M"
    letters = [mail for mail in game.sent[before:] if mail.recipient == address(ALIEN)]
    assert len(letters) == 1, "the corrected report alone"
    assert "no unit in Smy" in text_of(game.order(ALIEN, "A SMY-SYR"))
