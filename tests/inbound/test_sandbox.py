"""SANDBOX: a position that its maker, and whom they share it with, plays on for all powers; nothing else changes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from email.message import EmailMessage

import pytest

from gm.advance import advance
from gm.board import Location, Power, UnitKind
from gm.chance import Chance
from gm.commands import COMMANDS
from gm.orders import Move, Order
from gm.position import Position, Unit
from gm.store import records
from gm.store.game_rows import GameState
from gm.variants import all_variants
from gm.variants.black_hole.orders import Conceal, Exempt
from gm.views import MASTER
from tests.server.world import BASE, World, begun_by, body_of, name_of, player, proved, reply_to, text_of
from tests.tables import table
from tests.variants.random_play import play, random_orders
from tests.variants.test_sent_back import NAMES, PLAYERS
from tests.variants.written import WRITTEN

ANN = "ann@example.org"
BOB = "bob@example.org"
FRANCE = player("France")
CHANCE = Chance(bytes(32))


def begun(world: World, to: str = BASE, words: str = "SANDBOX standard", by: str = ANN) -> EmailMessage:
    """The first report of a sandbox."""
    return begun_by(world, by, to, words)


def form_in(report: EmailMessage) -> str:
    """The lines to be completed."""
    return "\n".join(re.findall(r"^(?:# \w+|\w+: (?:[AF] \S+-|BUILD|REMOVE))$", body_of(report), re.M))


def units(world: World, name: str) -> set[str]:
    position = world.game(name).position
    assert position is not None
    return set(map(str, position.units))


# ---- from a game


def test_it_begins_with_what_the_power_sees_and_its_orders_and_changes_nothing_there(world: World) -> None:
    seats = world.started()
    world.send(FRANCE, seats["France"], "A PAR-BUR")
    before = {address: len(mails) for address, mails in world.mailboxes.items()}
    game = world.game()
    report = begun(world, seats["France"], "SANDBOX", FRANCE)
    assert "S1901M of spring, as France may see it, with your orders" in text_of(world.mailboxes[FRANCE][-2])
    world.send(FRANCE, reply_to(report), "F Bre-Mao\nGermany: A MUN-RUH, A BER-KIE, F KIE-DEN\nREADY")
    now = units(world, name_of(report))
    assert {"France A bur", "France F mao", "Germany A ruh", "Germany A kie"} <= now, "with the orders sent before"
    assert world.game().orders == game.orders
    assert world.game().phase == game.phase
    for address, mails in world.mailboxes.items():
        assert len(mails) == before[address] or address == FRANCE, "nobody else learns of it"
    with world.looking() as session:
        assert "sandbox" not in {event.kind for event in records.log_of(session, game.id)}


def test_orders_in_the_mail_that_asks_for_it_are_for_the_game(world: World) -> None:
    seats = world.started()
    world.send(FRANCE, seats["France"], "SANDBOX\nA PAR-BUR")
    assert len(world.game().orders) == 1
    world.send(FRANCE, seats["France"], "SANDBOX NEW\nA PAR-GAS")
    (given,) = world.game().orders.values()
    assert given.orders == (Move(Unit(Power("France"), UnitKind.ARMY, Location("par")), Location("gas")),)


# ---- orders for all powers


@table("""
    lines                             | said
    A BUD-SER                         | Austria: A Bud-Ser. Without an order: F Tri, A Vie.
    Germany: A MUN H, F KIE-DEN       | Germany: A Mun H, F Kie-Den. Without an order: A Ber.
    Turkey: A VIE-GAL                 | A Vie is Austria's; you order Turkey's units.
    A BUR-PAR                         | For which power is this?
    A BUD-SPA                         | A Bud cannot
    """)
def test_lines_are_for_the_power_whose_unit_it_is(world: World, lines: str, said: str) -> None:
    report = begun(world)
    assert said in " ".join(text_of(world.send(ANN, reply_to(report), lines)).split())


def test_ready_is_not_acted_on_beside_lines_that_were_not(world: World) -> None:
    report = begun(world)
    assert "READY was not acted on" in text_of(world.send(ANN, reply_to(report), "A PAR-XYZ\nREADY"))
    assert world.phase(name_of(report)) == "S1901M"


def test_several_phases_are_played_with_the_form_and_can_be_rolled_back(world: World) -> None:
    report = begun(world)
    name = name_of(report)
    assert len(form_in(report).splitlines()) == 7 + 22
    assert "Players" not in text_of(report)
    told = ("A MAR-SPA\nA BUD-SER\nREADY", "A SPA-POR\nREADY")
    for orders, code in zip(told, ("F1901M", "W1901A"), strict=True):
        world.send(ANN, reply_to(report), f"{form_in(report)}\n{orders}")
        report = world.last(ANN)
        assert world.phase(name) == code, text_of(report)
    assert form_in(report).splitlines() == ["# Austria", "Austria: BUILD", "# France", "France: BUILD"]
    answer = text_of(world.send(ANN, reply_to(report), f"{form_in(report)}\nFrance: BUILD A MAR\nBUILD A BUD\nREADY"))
    assert "not acted on" not in answer
    assert {"France A mar", "Austria A bud"} <= units(world, name), "the owner of the centre builds"
    assert world.phase(name) == "S1902M"
    with world.trusting():
        world.send(ANN, reply_to(report), "ROLLBACK F1901M")
    assert world.phase(name) == "F1901M"
    assert "France A spa" in units(world, name)


def test_the_map_shows_all_orders(world: World) -> None:
    report = begun(world)
    answer = world.send(ANN, reply_to(report), "A BUD-SER\nA PAR-BUR\nMAP ORDERS")
    drawn = next(part.get_content() for part in answer.walk() if part.get_content_type() == "image/svg+xml")
    drawn = drawn.decode() if isinstance(drawn, bytes) else drawn
    assert drawn.count('stroke-width="4.2"') == 2


# ---- every game


@pytest.mark.parametrize("name", [name for name in WRITTEN if name != "among-us"])
def test_every_line_of_the_form_names_its_power_and_left_alone_orders_nothing(world: World, name: str) -> None:
    report = begun(world, words=f"SANDBOX {name}")
    game = world.game(name_of(report))
    lines = body_of(report).partition("shows how orders are written.")[2].split("\n--\n")[0].split("\n")
    given = [line for line in lines if line and not line.startswith("#")]
    assert bool(given) == any(duty.units for duty in game.duties.values())
    assert all(line.split(":")[0] in game.powers for line in given), given
    answer = text_of(world.send(ANN, reply_to(report), "\n".join(lines)))
    assert "Not acted on" not in answer and "Not read" not in answer and "not press" not in answer  # noqa: PT018
    assert not world.game(game.name).orders


@pytest.mark.ruling("OS-16")
def test_os_16_what_is_offered_in_a_sandbox_names_the_empire(world: World) -> None:
    to = reply_to(begun(world, words="SANDBOX outer-space"))
    world.send(ANN, to, "Krell: A ORB-PAR\nKrell: A ORB-BUR")
    answer = text_of(world.send(ANN, to, "Krell: A ORB-MAR\nKrell: A ORB-GAS"))
    assert "Line 1: Krell: A Orb-Mar" in answer
    assert "Krell: ORBIT / Krell: A Orb-Mar / Krell: A Orb-Gas" in answer
    assert "Krell: ORBIT Krell: A Orb-Par Krell: A Orb-Bur Krell: A Orb-" in answer
    anew = text_of(world.send(ANN, to, "Krell: ORBIT\nKrell: A Orb-Mar\nKrell: A Orb-Gas"))
    assert "Krell: A Orb-Mar, A Orb-Gas. Without an order: A Orb." in anew
    assert "Name it, as in Altair: A ORB-MUN." in text_of(world.send(ANN, to, "A ORB-MUN"))


@pytest.mark.ruling("AL-4", "AL-5")
def test_al_04_each_race_in_a_sandbox_gets_its_own_form(world: World) -> None:
    to = reply_to(begun(world, words="SANDBOX the-aliens"))
    for lines in ("Krell: SHIP 1: PAR\nKrell: SHIP 2: SPA\nDeneb: SHIP 1: LON\nDeneb: SHIP 2: CON\nREADY",
                  "T PAR-BUR\nA PAR-BRE\nA LON-YOR\nT SPA (S) PAR\nREADY", "READY"):  # fmt: skip
        assert "Not acted on" not in text_of(world.send(ANN, to, lines)), "a transmitter is its race's, like a unit"
    form = body_of(world.last(ANN)).split("Orders for W2051A")[1]
    assert "Krell: T Bur (R)" in form
    assert "# Deneb\n# Give up 1 of: T Con, T Lon\nDeneb: REMOVE\n" in form, "no army is owed"


@pytest.mark.parametrize("name", [name for name in WRITTEN if name != "among-us"])
def test_a_sandbox_of_every_game_goes_on(world: World, name: str) -> None:
    report = begun(world, words=f"SANDBOX {name}")
    first = world.game(name_of(report))
    assert first.phase is not None
    for _ in range(3):
        if world.game(first.name).running:  # empires that do nothing are eliminated
            assert text_of(world.send(ANN, reply_to(report), "READY")).count("is adjudicated now") == 1
    assert world.phase(first.name) != first.phase.code


@pytest.mark.parametrize("name", [name for name in WRITTEN if name != "among-us"])
def test_what_any_seat_sees_is_a_position_to_play_on_from(name: str) -> None:
    game = all_variants()[name]
    for turn in play(game, game.seating.powers or NAMES, 5, 10, PLAYERS.get(name, random_orders)):
        for seat in (*game.powers(turn.after)[:3], None):
            seen = game.view(game, turn.after, None, seat).position
            after = advance(game, seen, {}, CHANCE)
            game.view(game, after.after, after, MASTER)


def test_a_game_whose_position_is_hidden_has_none(world: World) -> None:
    refused = text_of(world.send(ANN, BASE, "SANDBOX among-us", headers=proved(ANN)))
    assert "who controls which units is hidden" in " ".join(refused.split())
    assert "SANDBOX standard" in refused


def test_it_holds_nothing_that_its_maker_may_not_see() -> None:
    """Two positions that differ in a secret of another power begin the same sandbox."""
    game = all_variants()["black-hole"]
    turns = [_concealing(center) for center in ("par", "mar")]
    for seat, same in ((Power("Turkey"), True), (None, True), (Power("France"), False)):
        one, two = (game.view(game, position, None, seat).position for position in turns)
        assert (one == two) is same


def _concealing(center: str) -> Position:
    """A position after France has exempted this centre, and told nobody."""
    game, france = all_variants()["black-hole"], Power("France")
    orders: Mapping[Power, tuple[Order, ...]] = {france: (Exempt(france, center=Location(center)), Conceal(france))}
    return advance(game, game.opening(game.seating.powers, CHANCE), orders, CHANCE).after


# ---- whose it is


def test_nobody_else_sees_it(world: World) -> None:
    name = name_of(begun(world))
    for words in ("LIST", "LIST ALL", "LIST OPEN"):
        assert name not in text_of(world.send(BOB, BASE, words))
    for words in (f"STATUS {name}", f"OBSERVE {name}", f"TAKEOVER {name} AS France", f"JOIN {name}", f"MAP {name}"):
        assert f"There is no game '{name}'" in text_of(world.send(BOB, BASE, words, headers=proved(BOB)))
    assert "There is no game" in text_of(world.send(BOB, BASE, f"SANDBOX {name}", headers=proved(BOB)))


def test_it_is_shared_with_who_says_yes(world: World) -> None:
    report = begun(world)
    name = name_of(report)
    with world.trusting():
        said = text_of(world.send(ANN, reply_to(report), f"SANDBOX WITH {BOB}"))
    assert f"{BOB} is asked whether" in said
    asked = text_of(world.last(BOB))
    assert "wants to share a sandbox with you" in asked
    assert ANN not in asked, "a name is told, no address"
    assert f"You share the sandbox {name}" in text_of(world.accepts(BOB))
    assert f"shares the sandbox {name}" in text_of(world.last(ANN))
    theirs = world.last(BOB)
    world.send(BOB, reply_to(theirs), "A BUD-SER\nREADY")
    for who in (ANN, BOB):
        assert "Army Budapest -> Serbia" in text_of(world.last(who))
    with world.trusting():
        world.send(BOB, reply_to(theirs), f"RESIGN {name}")
    assert world.game(name).running, "Ann has it still"


def test_who_says_no_is_not_in_it(world: World) -> None:
    report = begun(world)
    with world.trusting():
        world.send(ANN, reply_to(report), f"SANDBOX WITH {BOB}")
    world.send(BOB, reply_to(world.last(BOB)), "NO")
    assert "to share sandbox-" in text_of(world.last(ANN))
    assert len(world.game(name_of(report)).masters) == 1


def test_only_a_sandbox_is_shared(world: World) -> None:
    seats = world.started()
    for power in ("France", "GM"):
        by = FRANCE if power == "France" else "master@example.org"
        said = text_of(world.send(by, seats[power], f"SANDBOX WITH {BOB}"))
        assert "is asked whether" not in said
    assert BOB not in world.mailboxes


# ---- its end


def test_one_at_a_time(world: World) -> None:
    first = name_of(begun(world))
    assert f"You have a sandbox already: {first}" in text_of(
        world.send(ANN, BASE, "SANDBOX standard", headers=proved(ANN))
    )
    second = name_of(begun(world, words="SANDBOX NEW"))
    assert world.game(first).over
    assert world.game(second).running


def test_it_ends_a_week_after_the_last_ready(world: World) -> None:
    report = begun(world)
    name = name_of(report)
    world.pass_time(days=6)
    world.send(ANN, reply_to(report), "READY")
    world.pass_time(days=6)
    assert world.game(name).running
    world.send(ANN, reply_to(world.last(ANN)), "A PAR-BUR")
    world.pass_time(days=2)
    assert world.game(name).state is GameState.ABORTED
    over = text_of(world.last(ANN))
    assert "Nobody said READY for a week" in over
    mails = len(world.mailboxes[ANN])
    world.pass_time(days=30)
    assert len(world.mailboxes[ANN]) == mails


def test_who_leaves_ends_it_if_nobody_else_has_it(world: World) -> None:
    report = begun(world)
    name = name_of(report)
    with world.trusting():
        world.send(ANN, reply_to(report), f"RESIGN {name}")
    assert world.game(name).over


def test_forget_me_ends_it(world: World) -> None:
    report = begun(world)
    with world.trusting():
        world.send(ANN, BASE, "FORGET ME", headers=proved(ANN))
    world.pass_time(days=8)
    assert world.game(name_of(report)).over


def test_a_sandbox_holds_no_game_back(world: World) -> None:
    """It has no deadline to be late for, no calendar file and no seed that anybody depends on."""
    report = begun(world)
    assert {part.get_content_type() for part in report.iter_attachments()} <= {"image/png"}
    assert "SHA-256" not in text_of(report)
    assert str(report["Subject"]).endswith("S1901M: the sandbox begins")


def test_a_game_can_be_made_like_it_for_everybody(world: World) -> None:
    name = name_of(begun(world))
    assert "The game winter (Diplomacy) is ready" in text_of(world.send(ANN, BASE, f"CREATE winter LIKE {name}"))
    assert not world.game("winter").options.private


# ---- what is of use in it


OF_USE = ["orders", "ready", "whatif", "resign", "preview", "terminate", "rollback", "rollforward"]


def test_of_the_commands_of_a_seat_only_those_that_a_sandbox_needs_are_done(world: World) -> None:
    assert [name for name, command in COMMANDS.items() if command.policy.in_sandbox] == OF_USE
    report = begun(world)
    before = {address: len(mails) for address, mails in world.mailboxes.items()}
    lines = [
        f"PROMOTE {BOB}", f"INVITE {BOB}", f"REPLACE France WITH {BOB}", "MUSTER", "DEADLINE 24h", "EXTEND 24h",
        "STANDIN France", "DRAW", "SET early=no", "PROCESS", "PAUSE", "SCHEDULE Friday 18:00: PROCESS", "COMMENT hello",
        "EJECT France", "DUMMY France", "DASHBOARD",
    ]  # fmt: skip
    for line in (*lines, "OFFICIAL PRESS TO ALL\nHello\nENDPRESS", "PRESS TO France\nHello\nENDPRESS"):
        said = " ".join(text_of(world.send(ANN, reply_to(report), line)).split())
        assert f"{name_of(report)} is a sandbox, in which there is no such thing to do. Write orders" in said, line
    for line in ("TAKEOVER", "JOIN", "STANDBY", "OBSERVE"):
        for to in (reply_to(report), BASE):
            said = text_of(world.send(ANN, to, f"{line} {name_of(report)}"))
            assert "is a game of your own, with no seat for others" in " ".join(said.split()), line
    assert all(len(mails) == before[address] for address, mails in world.mailboxes.items() if address != ANN)
    for line, said in (("STATUS", "sandbox"), ("PREFERENCES mail=both", "mail"), ("ROLLBACK S1901M", "S1901M")):
        assert said in text_of(world.send(ANN, reply_to(report), line))


def test_help_there_lists_what_is_of_use(world: World) -> None:
    shown = text_of(world.send(ANN, reply_to(begun(world)), "HELP"))
    assert not [word for word in ("MUSTER", "DASHBOARD", "INVITE", "EXTEND", "DEPUTY", "PRESS") if word in shown]
    assert all(word in shown for word in ("ROLLBACK", "READY", "MAP ORDERS", "HELP SANDBOX"))


def test_a_friend_is_not_told_that_they_have_begun_another(world: World) -> None:
    report = begun(world)
    world.send(ANN, reply_to(report), f"SANDBOX WITH {BOB}")
    world.accepts(BOB)
    world.send(ANN, BASE, "SANDBOX NEW standard")
    assert "Whoever began it has ended it." in text_of(world.last(BOB))
    told = [mail for mail in world.mailboxes[ANN] if "is over" in str(mail["Subject"])]
    assert "You have begun another sandbox." in text_of(told[-1])
    assert "gamemaster has ended it" not in text_of(told[-1])


def test_no_deadline_is_said_of_a_sandbox(world: World) -> None:
    report = begun(world)
    for line in ("STATUS", "LIST MINE", "A PAR-BUR\nREADY"):
        said = text_of(world.send(ANN, reply_to(report), line))
        assert "eadline" not in said
        assert "due" not in said
