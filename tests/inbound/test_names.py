"""Names: none may look like the server, a gamemaster or a power, and none in a game like another.

Also what a gamemaster who plays learns about the others.
"""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import pytest

from gm.board import Power
from gm.chance import Chance
from gm.games.identity import ServerIdentity
from gm.games.names import alike, is_deceptive, written
from gm.inbound.acceptance import accept
from gm.play.seats import deal
from gm.settings import Level, TrustSettings
from gm.store.inbox import ArrivedMail
from gm.variants.standard import POWERS, STANDARD
from tests.server.bounces import report
from tests.server.world import BASE, World, player, proved, reply_to, text_of
from tests.variants.adjudicating import adjudicated

SERVER = "Diplomacy gamemaster"


@pytest.mark.parametrize(
    "name",
    ["GM", "G.M.", "gm", "The Gamemaster", "Game Master", "Ann (GM)", "G\u0430memaster", "\uff27\uff2d", "Postmaster",
     "Diplomacy gamemaster", "diplomacy-gamemaster", "Somebody", "\u0405\u043em\u0435\u042c\u043e\u0501\u0443",
     "Nobody", "Server", "Germany", "GERMANY", "Fr4nce", "1taly", "G3rmany",
     "Ru55ia", "Fr@nce", "Operator", "The Operator", "0perator", "Civil Disorder", "Neutral", "Vacant",
     "Moderator", "Admin",
     "Host", "The Host", "H0st", "G\u0435rmany", "G\u00e9rmany", "Ger-many", "Ita1y",
     "ItaIy", "King of France",
     "gm@example.org", "Ann <ann@example.org>", "Ann\uff20home", "Ann >", "https://x.example", "WWW.x.example",
     "Your seat", "Ann at example.org", "Ann (at) example", "ann[at]example dot org", "ann_at_example.org",
     "ann at mail dot example dot org", "ann {AT} example.org", "Player 4", "Anonymous", "An\u043enymous",
     "Nobody else", "None",
     "France (France)", "\uff26\uff52\uff41\uff4e\uff43\uff45", "", "..."],
)  # fmt: skip
def test_names_that_pose(name: str) -> None:
    assert is_deceptive(name, SERVER)


@pytest.mark.parametrize(
    "name",
    ["Ann Example", "Anatole France", "Martin England", "G. M. Trevelyan", "Zo\u00eb", "\u5c71\u7530", "\u674e",
     "\u0394\u03b7\u03bc\u03ae\u03c4\u03c1\u03b7\u03c2", "O'Neill-Grant", "Turkey Farmer", "Server Sinclair",
     "Ann Host", "Ann 4", "R2D2", "Neutral Milk", "Ann at Home", "Queen at St. Ives", "Attila", "Pat Dot"],
)  # fmt: skip
def test_names_of_people(name: str) -> None:
    assert not is_deceptive(name, SERVER)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [("Ann Lee", "\u0410nn Lee", True), ("Ann Lee", "ANN-LEE", True), ("Bill", "BiII", True), ("modern", "modem", True),
     ("Zo\u00eb", "Zoe", True), ("Ann Lee", "Anne Lee", False), ("\u674e", "\u738b", False), ("...", "!!!", False)],
)  # fmt: skip
def test_names_that_read_alike(one: str, other: str, same: bool) -> None:
    assert alike(one, other) is same


@pytest.mark.parametrize(("name", "kept"), [("Ann", True), ("The GM", False), ("ann@example.org", False), ("", False)])
def test_the_name_in_front_of_an_address_is_kept_if_it_is_allowed(name: str, kept: bool) -> None:
    assert written(name, SERVER) == (name if kept else None)


def nameless(world: World, sender: str, text: str, name: str = "") -> str:
    """The answer to a mail whose sender has this name, or none."""
    return text_of(world.send(sender, BASE, text, headers={"From": f"{name} <{sender}>"}))


def test_no_part_of_an_address_becomes_a_name(world: World) -> None:
    created = world.send("master@example.org", BASE, "CREATE spring")
    for sender, name in (("zq.one@players.example", ""), ("zq.two@players.example", '"zq.two@players.example"'),
                         ("zq.three@players.example", '"zq.three (at) players.example"')):  # fmt: skip
        answer = nameless(world, sender, "JOIN spring", name)
        assert "Others see you as Player " in answer
        assert "write REGISTER and your name" in answer
    for sender in ("zq.four@players.example", "zq.five@players.example"):
        world.send("master@example.org", reply_to(created), f"PROMOTE {sender}")
        world.send(sender, reply_to(world.last(sender)), "YES", headers={"From": f" <{sender}>"})
    shown = [seat.person.name for seat in world.game().seats if seat.person is not None]
    assert len(set(shown)) == 6
    assert not [name for name in shown if "zq" in name]
    assert "registered as Ann Lee" in nameless(world, "zq.one@players.example", "REGISTER Ann Lee")
    first = nameless(world, "zq.six@players.example", "REGISTER Bob Lee")
    assert "registered as Bob Lee" in first
    assert "Player" not in first


@pytest.mark.way_in(number=10)
def test_deceptive_names_are_not_registered(tmp_path: Path, level: Level) -> None:
    world = World(tmp_path, trust=TrustSettings(level=level, authserv_ids=("mx.home",)))
    passed = proved("@players.example")
    answer = text_of(world.send("ann@players.example", BASE, "REGISTER The Gam\u0435master", headers=passed))
    assert "'The Gam\u0435master' cannot be your name" in answer
    assert "REGISTER Ann Example" in answer
    assert "known as Ann Lee" in text_of(
        world.send("ann@players.example", BASE, "REGISTER Ann Lee", headers=passed)
    ).replace("registered", "known")
    assert "cannot be your name" in text_of(world.send("ann@players.example", BASE, "REGISTER Turkey", headers=passed))
    world.database.dispose()


def test_two_in_a_game_are_never_taken_for_each_other(world: World) -> None:
    created = world.send("master@example.org", BASE, "CREATE spring")
    world.send("ann@players.example", BASE, "REGISTER Ann Lee\nJOIN spring")
    world.send("eve@evil.example", BASE, "REGISTER \u0410nn Lee")
    answer = text_of(world.send("eve@evil.example", BASE, "JOIN spring"))
    assert "reads like another in spring" in answer
    assert len([seat for seat in world.seats() if seat.role.value == "player"]) == 1
    assert "You have a seat" in text_of(world.send("eve@evil.example", BASE, "REGISTER Eve\nJOIN spring"))
    assert "reads like another" in text_of(world.send("eve@evil.example", BASE, "REGISTER ANN LEE"))
    assert "reads like another" in text_of(world.send("x@evil.example", BASE, "REGISTER Ann  Lee\nOBSERVE spring"))
    assert reply_to(created)


def test_the_name_of_ones_own_power_may_be_ones_own(world: World) -> None:
    world.send("master@example.org", BASE, "CREATE void variant=outer-space")
    world.send("zorg@players.example", BASE, "REGISTER Ann Lee\nJOIN void AS Zorg")
    renamed = text_of(world.send("zorg@players.example", BASE, "REGISTER Zorg"))
    assert "reads like another" not in renamed
    assert "Zorg" in text_of(world.send("zorg@players.example", BASE, "WHOAMI"))
    other = text_of(world.send("eve@evil.example", BASE, "REGISTER Zorg\nJOIN void AS Eve"))
    assert "reads like another in void" in other


def test_powers_that_players_name_pose_as_nobody(world: World) -> None:
    world.send("master@example.org", BASE, "CREATE void variant=outer-space")
    world.send("ann@players.example", BASE, "REGISTER Ann Lee\nJOIN void AS Lilliput")
    taken = ("L\u0456lliput", "LiIIiput", "Li11iput", "L-illiput")
    for name in ("The GM", "Ann Lee", "Somebody", "Nobody else", "Anonymous", "France", "K at y.example", *taken):
        answer = text_of(world.send(f"eve.{len(name)}@evil.example", BASE, f"JOIN void AS {name}"))
        assert "cannot be" in answer or "Choose another" in answer, name
    assert "You play Blefuscu" in text_of(world.send("eve@evil.example", BASE, "JOIN void AS Blefuscu"))


@pytest.fixture
def judge_and_party(world: World) -> tuple[World, dict[str, str]]:
    """A game whose gamemaster plays Austria."""
    created = world.send(player("Austria"), BASE, "CREATE spring anonymous=yes")
    seats = {"GM": reply_to(created)}
    for power in ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey"):
        answer = world.send(player(power), BASE, f"JOIN spring AS {power}")
        seats[power] = reply_to(answer)
    return world, seats


def test_a_gamemaster_who_plays_learns_no_more_of_who_joins(judge_and_party: tuple[World, dict[str, str]]) -> None:
    world, seats = judge_and_party
    notices = [text_of(mail) for mail in world.mailboxes[player("Austria")] if "joined" in str(mail["Subject"])]
    assert notices
    later = notices[1:]
    assert all("Somebody has joined" in notice for notice in later)
    assert not [notice for notice in later if "Pat " in notice or "Turnout" in notice or "asks for" in notice]
    dashboard = text_of(world.send(player("Austria"), seats["GM"], "DASHBOARD"))
    assert "Pat England" not in dashboard
    assert "no phase played" not in dashboard


def test_a_gamemaster_who_plays_sees_no_absence_no_alias_and_no_address(
    judge_and_party: tuple[World, dict[str, str]],
) -> None:
    world, seats = judge_and_party
    world.send(player("Austria"), seats["GM"], "START spring")
    france = seats["France"]
    world.send(player("France"), france, "ABSENCE 2026-12-24 TO 2027-01-02")
    world.send(player("France"), france, "ALIAS Refuge = Par")
    world.send(player("France"), france, "REGISTER Pat Marianne")
    log = text_of(world.send(player("Austria"), seats["GM"], "LOG"))
    assert "alias" not in log
    assert "absence (" not in log
    assert "Marianne" not in log
    assert "start" in log
    dashboard = text_of(world.send(player("Austria"), seats["GM"], "DASHBOARD"))
    assert "Away" not in dashboard


@pytest.mark.parametrize("how", ["RESIGN spring", "FORGET ME", "bounce"])
@pytest.mark.parametrize("running", [True, False])
def test_a_gamemaster_who_plays_is_not_told_by_name_who_leaves(
    judge_and_party: tuple[World, dict[str, str]], how: str, running: bool
) -> None:
    world, seats = judge_and_party
    if running:
        world.send(player("Austria"), seats["GM"], "START spring")
        seats["France"] = reply_to(world.last(player("France")))
    before = len(world.mailboxes[player("Austria")])
    if how == "bounce":
        path = str(world.last(player("France"))["X-Envelope-From"])
        raw = report(player("France"), "5.1.1", "550 no Pat Francois here")
        accept(world.service, ArrivedMail("smtp", raw, world.time, (path,), ""))
        world.work()
    else:
        world.send(player("France"), seats["France"], how)
    told = [text_of(mail) for mail in world.mailboxes[player("Austria")][before:]]
    assert not [each for each in told if "Pat " in each]
    if running:
        assert any("France" in each for each in told) is (how != "bounce"), "whose address is dead, other games show"


def test_log_does_not_show_a_gamemaster_who_plays_who_got_which_power(
    judge_and_party: tuple[World, dict[str, str]],
) -> None:
    world, seats = judge_and_party
    world.send(player("Austria"), seats["GM"], "START spring")
    log = text_of(world.send(player("Austria"), seats["GM"], "LOG 50"))
    assert log.count("a player: join") == 6
    assert "Austria: join" in log, "their own"
    assert not [power for power in ("England", "France", "Germany", "Italy", "Russia", "Turkey") if power in log]


def test_log_does_not_name_whom_another_gamemaster_has_put_in(judge_and_party: tuple[World, dict[str, str]]) -> None:
    world, seats = judge_and_party
    world.send(player("Austria"), seats["GM"], "START spring")
    world.promotes(player("Austria"), seats["GM"], "PROMOTE neutral@example.org")
    world.agreed()
    neutral = reply_to(world.last("neutral@example.org"))
    world.send("newt@newt.example", BASE, "REGISTER Newt")
    world.send("neutral@example.org", neutral, "REPLACE France WITH newt@newt.example")
    world.accepts("newt@newt.example")
    assert "Newt" in text_of(world.send("neutral@example.org", neutral, "LOG")).title()
    assert "Newt" not in text_of(world.send(player("Austria"), seats["GM"], "LOG")).title()


def test_a_gamemaster_who_does_not_play_sees_them(world: World) -> None:
    seats = world.started()
    world.send(player("France"), seats["France"], "ABSENCE 2026-12-24 TO 2027-01-02")
    assert "absence (begins Thu 24 Dec 2026" in text_of(world.send("master@example.org", seats["GM"], "LOG"))
    dashboard = text_of(world.send("master@example.org", seats["GM"], "DASHBOARD"))
    assert "Away: Thu 24 Dec to Sat 2 Jan Player: Pat France" in dashboard


def test_an_alias_is_neither_in_the_log_nor_in_a_seat_that_was_left(world: World) -> None:
    seats = world.started()
    world.send(player("France"), seats["France"], "ALIAS Refuge = Par")
    assert "Refuge" not in text_of(world.send("master@example.org", seats["GM"], "LOG")).title()
    world.send(player("France"), seats["France"], "FORGET ME")
    assert next(seat for seat in world.game().players if seat.power == "France").names == ()


@pytest.mark.parametrize("variant", ["outer-space", "the-aliens", "quantum-space", "quantum-space-3001"])
def test_a_power_is_never_named_as_what_orders_are_made_of(tmp_path: Path, variant: str) -> None:
    """Seasons and kinds of phase, also abbreviated, and the words of that game's grammar."""
    world = World(tmp_path, limits=0)
    world.send("master@example.org", BASE, f"CREATE mars variant={variant}")
    own = {
        "outer-space": ("Beam", "Assimilates", "Brainwashing Inc"),
        "the-aliens": ("Spaceship", "Transmits", "Receive", "My Ship"),
        "quantum-space": ("Boards", "Orbit"),
        "quantum-space-3001": ("Embarks", "Disembark", "Boarding"),
    }
    refused = ("Fall", "winter", "SPRING", "Aut", "Summer", "Retreat", "Movement", "Convoying", "Stands", "Std", "Goes")
    for name in (*refused, "Fall Empire", "Waived", "Via", "-Foo", *own[variant]):
        said = text_of(world.send("ann@example.org", BASE, f"REGISTER Ann\nJOIN mars AS {name}"))
        assert "You play" not in said, name
        assert any(why in said for why in ("already has a meaning", "cannot be")), said
    assert "You play Fallia" in text_of(world.send("ann@example.org", BASE, "JOIN mars AS Fallia"))


def test_no_power_has_a_name_by_which_press_goes_to_others(world: World) -> None:
    world.send("master@example.org", BASE, "CREATE mars variant=quantum-space")
    for name in ("Alle", "Tous", "Toutes Nous", "Public", "Chat"):
        said = text_of(world.send("ann@example.org", BASE, f"REGISTER Ann\nJOIN mars AS {name}"))
        assert f"Press to '{name}' would go to others." in said
    assert "You play Zorg" in text_of(world.send("ann@example.org", BASE, "JOIN mars AS Zorg"))
    assert "You play Zorg" in text_of(world.send("ann@example.org", BASE, "JOIN mars AS Zorg"))


def test_a_season_that_is_the_name_of_a_power_is_no_heading() -> None:
    """In games whose names were given before that was refused."""
    planets = {"state": {"planets": {"Fall": "f", "Winter": "w"}}, "season": "spring", "phase": "movement"}
    units = {"units": ["Fall A f1", "Winter A w1"], "centers": {"Fall": ["f1"], "Winter": ["w1"]}, "year": 3001}
    orders = ["Fall: A Fall 1-Fall 2", "Winter: A W1-W2", "Spring 3001: Fall: A f1 H"]
    answer = adjudicated(variant="quantum-space-3001", **planets, **units, orders=orders)
    assert [entry["outcome"] for entry in answer["results"][:2]] == ["void", "succeeds"], answer


def test_the_seed_that_is_published_does_not_tell_what_was_dealt_to_whom(world: World) -> None:
    """Not even to whoever knows in which order the players joined."""
    seed, seating = b"s" * 32, STANDARD.seating
    object.__setattr__(world.service.identity.settings, "rehearsal_seed", b"")
    for name in ("spring", "autumn"):
        with patch.object(ServerIdentity, "new_seed", lambda *_: seed.hex()):
            created = world.send("master@example.org", BASE, f"CREATE {name} anonymous=always")
        for power in POWERS:
            world.send(player(power), BASE, f"JOIN {name}")
        world.send("master@example.org", reply_to(created), f"START {name}")
    foretold = [deal(seating, [()] * len(POWERS), Chance(seed, name)) for name in ("spring", "autumn")]
    games = [sorted(world.game(name).players, key=lambda seat: seat.id) for name in ("spring", "autumn")]
    assert [tuple(seat.power for seat in seats) for seats in games] != foretold


def test_of_those_who_wish_for_a_power_the_first_to_join_gets_it(world: World) -> None:
    object.__setattr__(world.service.identity.settings, "rehearsal_seed", b"")
    created = world.send("master@example.org", BASE, "CREATE spring")
    for place in range(len(POWERS)):
        world.send(f"p{place}@players.example", BASE, "JOIN spring AS Turkey" if place in (2, 5) else "JOIN spring")
    world.send("master@example.org", reply_to(created), "START spring")
    turkey = world.game().seat_of(Power("Turkey"))
    assert turkey is not None
    assert turkey.person is not None
    assert turkey.person.addresses == ("p2@players.example",)


def test_a_seat_moves_to_its_players_new_address_with_their_name(world: World) -> None:
    gm = world.started()["GM"]
    world.send("master@example.org", gm, "REPLACE England WITH new@example.net")
    asked = world.last("new@example.net")
    world.send("new@example.net", reply_to(asked), "REGISTER Pat England\nYES")
    assert "Welcome" in text_of(world.last("new@example.net"))
    assert "reads like another" in text_of(world.send("x@evil.example", BASE, "REGISTER Pat France\nOBSERVE spring"))
