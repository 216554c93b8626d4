"""INVITE and REPLACE tell a gamemaster or an assistant no more of who plays than DASHBOARD does; DENY stays theirs who
may write it, and no power is offered that nobody can have.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from sqlalchemy import select

from gm.errors import NotNow
from gm.games.limits import Payer, Per, Spent
from gm.games.snapshot import Seat
from gm.inbound.speech import people_in
from gm.inbound.which_phase import may_still_count
from gm.options import GameOptions
from gm.play.seats import who_runs_and_plays
from gm.play.sight import require_no_elimination
from gm.store.game_rows import GameRow, SeatRole, SeatRow, new_version
from gm.store.people import AddressRow
from gm.store.senders import SpendingRow
from gm.variants.standard import POWERS
from tests.server.kept import kept
from tests.server.world import BASE, World, player, reply_to, text_of

MASTER, HELPER, EVE = "master@example.org", "helper@example.org", "eve@elsewhere.example"
LATE = "late@example.net"
PEOPLE = tuple(f"p{number}@example.net" for number in range(8))


@kept
def alien_game(world: World, invited: Sequence[str] = ()) -> str:
    """A running game with a secret seat, to which these were invited, and somebody who has not joined; the address of
    its assistant.
    """
    with world.trusting():
        chair = reply_to(world.send(MASTER, BASE, "CREATE spring variant=among-us anonymous=yes"))
        world.send(MASTER, chair, f"INVITE {', '.join((*invited, LATE))}")
        for person in PEOPLE:
            world.send(person, BASE, "JOIN spring")
        world.send(MASTER, chair, "START")
        world.promotes(MASTER, chair, f"PROMOTE {HELPER} AS ASSISTANT")
        world.agreed()
    world.pass_time(minutes=1)
    return reply_to(world.last(HELPER))


def holders(world: World, *, secret: bool) -> list[str]:
    """The addresses of those who hold a secret seat, or another one."""
    game = world.game()
    return [seat.person.reachable for seat in game.players if seat.person and game.is_secret(seat) is secret]


@pytest.mark.long
@pytest.mark.parametrize(("invited", "like"), [((), EVE), (PEOPLE, LATE)], ids=["nobody", "everybody"])
def test_an_assistant_invites_the_holder_of_a_secret_seat_like_anybody_else(
    world: World, invited: Sequence[str], like: str
) -> None:
    """Like somebody who has not joined, invited or not; and who is invited is not named, as everybody else who plays
    is.
    """
    chair = alien_game(world, invited)
    (alien,), human = holders(world, secret=True), holders(world, secret=False)[0]
    seen = text_of(world.send(HELPER, chair, "DASHBOARD"))
    assert "Invited" not in seen, "nor how many: one more would tell that somebody was not among them"
    assert [one for one in (alien, LATE) if one in seen] == []
    assert f"{human} plays in spring already." in text_of(world.send(HELPER, chair, f"INVITE {human}"))
    for _ in range(2):
        asked = (alien, LATE, EVE)
        answers = {text_of(world.send(HELPER, chair, f"INVITE {one}")).replace(one, "X") for one in asked}
        assert len(answers) == 1
    assert "X is invited to spring. Whoever was invited already is not written to again." in answers.pop()
    assert "You play in spring already" not in text_of(world.last(like))
    if not invited:
        assert "You play in spring already. Who asks may not know that" in text_of(world.last(alien))


def test_an_assistant_is_told_that_the_holder_of_a_secret_seat_wants_no_such_mail(world: World) -> None:
    chair = alien_game(world)
    (alien,) = holders(world, secret=True)
    world.send(alien, BASE, "STOP spring")
    world.send(EVE, BASE, "STOP spring")
    for address in (alien, EVE):
        said = text_of(world.send(HELPER, chair, f"INVITE {address}"))
        assert f"{address} does not want mail like this from here." in said


def test_a_gamemaster_who_plays_an_anonymous_game_learns_nothing_of_the_others(world: World) -> None:
    seats, italy = world.started("masks", "anonymous=yes"), player("Italy")
    world.promotes(MASTER, seats["GM"], f"PROMOTE {italy}")
    world.agreed()
    own = reply_to(world.last(italy))
    for address in (player("France"), EVE, italy):
        said = text_of(world.send(italy, own, f"INVITE {address}"))
        assert "You may not know who plays which power, so you choose nobody for any." in said
        said = text_of(world.send(italy, own, f"REPLACE Germany WITH {address}"))
        assert "You may not know who plays Germany, so you choose nobody for Germany." in said
    assert "plays in masks already" in text_of(world.send(MASTER, seats["GM"], f"INVITE {player('France')}"))


def test_who_has_joined_a_game_with_a_secret_seat_is_not_told_before_it_begins(world: World) -> None:
    chair = reply_to(world.send(MASTER, BASE, "CREATE spring variant=among-us"))
    world.send("ann@players.example", BASE, "JOIN spring")
    said = text_of(world.send(MASTER, chair, "INVITE ann@players.example"))
    assert "ann@players.example is invited to spring." in said


def test_who_takes_a_secret_seat_stays_on_the_standby_list_as_others_see_it(world: World) -> None:
    chair = alien_game(world)
    world.send(EVE, BASE, "REGISTER Eve Elsewhere")
    world.send(EVE, BASE, "STANDBY spring")
    with world.trusting():
        (master,) = world.game().masters
        world.send(MASTER, world.service.identity.address_of(world.game(), master), f"REPLACE the Alien WITH {EVE}")
        world.accepts(EVE)
    assert holders(world, secret=True) == [EVE]
    assert "On standby: Eve Elsewhere" in text_of(world.send(HELPER, chair, "DASHBOARD"))
    world.send(LATE, BASE, "STANDBY spring")
    assert "people ahead of you: 1" in text_of(world.last(LATE))


@pytest.mark.parametrize("proof", [{}, {"dmarc": "fail"}, {"dmarc": "pass"}], ids=["no proof", "forged", "proved"])
@pytest.mark.parametrize("game", ["among-us", "standard anonymous=yes"])
def test_a_mail_to_ones_seat_in_anothers_name_tells_nothing_of_them(
    world: World, game: str, proof: dict[str, str]
) -> None:
    """Whether whose name it has is registered here, plays in the game, or is the holder of its secret seat."""
    with world.trusting():
        chair = reply_to(world.send(MASTER, BASE, f"CREATE spring variant={game}"))
        for person in PEOPLE[: 8 if game == "among-us" else 7]:
            world.send(person, BASE, "JOIN spring")
        world.send(EVE, BASE, "REGISTER Eve Elsewhere")
        world.send(MASTER, chair, "START")
    world.pass_time(minutes=1)
    names = [EVE, "unknown@elsewhere.example", *(holders(world, secret=True) or holders(world, secret=False)[1:2])]
    own = next(seat for seat in world.game().players if not world.game().is_secret(seat))
    assert own.person is not None
    told, texts = world.mailboxes[own.person.reachable], set()
    for name in names:
        to = world.service.identity.address_of(world.game(), world.game().seat(own.id))
        before = len(told)
        results = "".join(f"; dmarc={said} header.from={name.partition('@')[2]}" for said in proof.values())
        world.arrive(name, to, "A Par - Bur", headers={"Authentication-Results": f"mx.home{results}"} if proof else {})
        world.work()
        (asked,) = told[before:]
        texts.add(re.sub(r"by [^,]+, [\d:]+", "by then", text_of(asked).replace(name, "X")))
        world.pass_time(hours=4)
    assert len(texts) == 1
    assert "which is not one of your addresses" in texts.pop()


def test_an_address_shown_in_anothers_name_tells_nothing_of_them(world: World, seats: dict[str, str]) -> None:
    """Whether whose name it has is registered here: what others show is told of once a day."""
    world.send(EVE, BASE, "REGISTER Eve Elsewhere")
    told = world.mailboxes[player("France")]
    numbers = []
    for name in (EVE, "unknown@elsewhere.example"):
        before = len(told)
        for _ in range(3):
            world.arrive(
                name, BASE, f"Look: {seats['France']}", headers={"Authentication-Results": "mx.home; dmarc=fail"}
            )
            world.work()
            seat = next(seat for seat in world.seats() if seat.power == "France")
            seats["France"] = world.service.identity.address_of(world.game(), seat)
        numbers.append(len(told) - before)
        world.pass_time(days=1)
    assert numbers == [1, 1]


def test_an_assistant_does_not_lift_what_the_gamemaster_has_denied(world: World, seats: dict[str, str]) -> None:
    world.promotes(MASTER, seats["GM"], f"PROMOTE {HELPER} AS ASSISTANT")
    chair = reply_to(world.last(HELPER))
    world.send(MASTER, seats["GM"], f"DENY {EVE}")
    said = text_of(world.send(HELPER, chair, f"INVITE {EVE}"))
    assert f"{EVE} is kept out of spring by DENY, which you may not change." in said
    assert EVE not in world.mailboxes
    log = text_of(world.send(MASTER, seats["GM"], "LOG"))
    assert "): deny" in log
    assert "off" not in log
    assert "is invited to spring" in text_of(world.send(MASTER, seats["GM"], f"INVITE {EVE}"))


def test_no_power_is_offered_that_has_a_player(world: World, seats: dict[str, str]) -> None:
    said = text_of(world.send(MASTER, seats["GM"], f"INVITE {EVE} AS England"))
    assert "England is not free. All seats of spring are taken." in said
    world.send(MASTER, seats["GM"], "EJECT Italy")
    assert "England is not free. Free: Italy." in text_of(world.send(MASTER, seats["GM"], f"INVITE {EVE} AS England"))
    assert EVE not in world.mailboxes
    assert "is invited to spring as Italy" in text_of(world.send(MASTER, seats["GM"], f"INVITE {EVE} AS Italy"))


def test_no_power_is_offered_in_a_game_that_is_full(world: World) -> None:
    chair = reply_to(world.send(MASTER, BASE, "CREATE club"))
    for power in POWERS[1:]:
        world.send(player(power), BASE, "JOIN club")
    assert "is invited to club as England" in text_of(world.send(MASTER, chair, "INVITE ann@example.net AS England"))
    world.send(player(POWERS[0]), BASE, "JOIN club")
    assert "All seats of club are taken." in text_of(world.send(MASTER, chair, f"INVITE {EVE} AS England"))


@pytest.mark.parametrize("line", ["SET move=3d move=4d", "SET move=4d\nmove: 5d\ngrace: 6h", 'SET move="4d", move=5d'])
def test_an_option_with_two_values_changes_nothing(world: World, seats: dict[str, str], line: str) -> None:
    before = world.game().options.texts
    assert "move has two values here" in text_of(world.send(MASTER, seats["GM"], line))
    assert world.game().options.texts == before


def test_an_option_with_two_values_makes_no_game(world: World) -> None:
    assert "move has two values here, '3d' and '4d'." in text_of(
        world.send(MASTER, BASE, "CREATE spring move=3d move=4d")
    )
    assert "There is no game 'spring'" in text_of(world.send(MASTER, BASE, "STATUS spring"))
    assert "is ready" in text_of(world.send(MASTER, BASE, "CREATE spring move=3d move=3d"))


def open_alien_game(world: World) -> str:
    """A running game with a secret seat in which all others are known; the address of its gamemaster."""
    with world.trusting():
        chair = reply_to(world.send(MASTER, BASE, "CREATE spring variant=among-us"))
        for number, person in enumerate(PEOPLE):
            world.send(person, BASE, f"REGISTER {'ABCDEFGH'[number]}mber Example")
            world.send(person, BASE, "JOIN spring")
        world.send(MASTER, chair, "START")
    return chair


def name_at(world: World, address: str) -> str:
    """The name of the player with this address."""
    return next(one.name for one in world.game().people.values() if address in one.addresses)


@pytest.mark.ruling("AU-15")
def test_a_name_like_that_of_the_holder_of_a_secret_seat_is_like_any_other(world: World) -> None:
    open_alien_game(world)
    (alien,), human = holders(world, secret=True), holders(world, secret=False)[0]
    for guessed, refused in ((alien, False), (human, True)):
        said = text_of(world.send(EVE, BASE, f"REGISTER {name_at(world, guessed)}\nOBSERVE spring"))
        assert ("reads like another in spring" in said) == refused
        world.send(EVE, BASE, "UNOBSERVE spring\nREGISTER Eve Else")


@pytest.mark.ruling("AU-15")
def test_players_are_asked_in_the_same_words_about_anybody_who_is_to_run_a_game_with_a_secret_seat(
    world: World,
) -> None:
    chair = open_alien_game(world)
    (alien,), human = holders(world, secret=True), holders(world, secret=False)[0]
    said = []
    for address in (alien, EVE):
        world.send(MASTER, chair, f"PROMOTE {address}")
        world.send(address, reply_to(world.last(address)), "YES")
        asked = world.last(human)
        said.append(text_of(asked).partition("To answer")[0])
        assert "somebody who may be one of the players" in said[-1]
        world.send(MASTER, chair, f"PROMOTE {address} OFF")
    assert said[0] == said[1]


@pytest.mark.ruling("AU-15")
def test_replace_does_not_say_whether_a_secret_seat_has_a_player(world: World) -> None:
    chair = open_alien_game(world)
    said = text_of(world.send(MASTER, chair, f"REPLACE the Alien WITH {EVE}"))
    world.send(MASTER, chair, "EJECT the Alien")
    after = text_of(world.send(MASTER, chair, f"REPLACE the Alien WITH {LATE}"))
    assert said.replace(EVE, "X").partition("#")[0][:400] == after.replace(LATE, "X").partition("#")[0][:400]


ONE, OTHER, WATCHER = PEOPLE[-1], "other@example.net", "watcher@example.net"
GUESSES = "\n".join(
    line.format(address=address, name=name)
    for address, name in ((ONE, "Hamber Example"), (OTHER, "Omber Other"))
    for line in (
        *("INVITE {address}", "INVITE {address} AS France", "PROMOTE {address} AS ASSISTANT", "PROMOTE {address} OFF"),
        *("DEPUTY {address}", "PRESS TO {name}\nHello.\nENDPRESS", "PRESS TO {address}\nHello.\nENDPRESS"),
        *("REPLACE the Alien WITH {address}", "REPLACE France WITH {address}", "DENY {address}", "DENY {address} OFF"),
        *("Is {name} the Alien?", "REGISTER {name}", "STOP PRESS FROM {name}", "ADDRESS ADD {address}"),
    )
)
ASKED = "\n".join(
    (
        *(
            "STATUS",
            "DASHBOARD",
            "LIST",
            "LOG",
            "SUMMARY",
            "HISTORY",
            "WHO",
            "PRESS WITH ALL",
            "EXPORT",
            "MUSTER",
            "WHOAMI",
        ),
        *(
            "PREVIEW",
            "EJECT the Alien",
            "DUMMY the Alien",
            "STANDIN the Alien",
            "STOP PRESS FROM the Alien",
            "STANDBY spring",
        ),
        *(
            "PRESS TO the Alien\nHello.\nENDPRESS",
            "EXTEND 24h",
            "DRAW",
            "Who has not ordered yet?",
            "Who plays the Alien?",
        ),
        *("ORDERS FOR the Alien\nA PAR H", "REMARK\nHello.\nENDREMARK", "UNDO", "TAKEOVER spring AS the Alien"),
    )
)


def told_of_the_alien(world: World, alien: str, *, plays: bool) -> list[str]:
    """What a gamemaster who plays or an assistant, a player, an observer and a stranger are told, in a game in which
    this person has the secret seat, of two who are alike.
    """
    master, identity = PEOPLE[0] if plays else MASTER, world.service.identity
    seeded = replace(identity, settings=replace(identity.settings, rehearsal_seed=b"twins"))
    object.__setattr__(world.service, "identity", seeded)
    with world.trusting():
        names = " anonymous=yes" if plays else ""  # otherwise it would not begin
        chair = reply_to(world.send(master, BASE, f"CREATE spring variant=among-us first=9d move=9d{names}"))
        for number, person in enumerate(PEOPLE):
            world.send(person, BASE, f"REGISTER {'ABCDEFGH'[number]}mber Example")
            world.send(person, BASE, "JOIN spring")
        world.send(OTHER, BASE, "REGISTER Omber Other")
        world.send(master, chair, "START")
        watching = reply_to(world.send(WATCHER, BASE, "OBSERVE spring"))
    with world.database.transaction() as session:
        accounts = {mail.email: mail.account_id for mail in session.scalars(select(AddressRow))}
        rows = {seat.id: session.get_one(SeatRow, seat.id) for seat in world.game().players}
        held = {row.account_id: row for row in rows.values()}
        hidden = next(rows[seat.id] for seat in world.game().players if world.game().is_secret(seat))
        held[accounts[ONE]].account_id = hidden.account_id  # so that the others' seats are the same in each world
        hidden.account_id = accounts[alien]
        for game in session.scalars(select(GameRow)):
            game.version = new_version()
    writers = {PEOPLE[1]: None, WATCHER: watching, EVE: BASE}
    if plays:
        writers[master] = chair
    else:
        world.promotes(MASTER, chair, f"PROMOTE {HELPER} AS ASSISTANT")
        writers[HELPER] = reply_to(world.last(HELPER))
    told = []
    for writer, to in writers.items():
        seat = next((one for one in world.game().players if one.person and writer in one.person.addresses), None)
        address = to or (world.service.identity.address_of(world.game(), seat) if seat is not None else BASE)
        for number, line in enumerate((*ASKED.split("\n"), GUESSES)):
            world.send(writer, address, line, message_id=f"<{number}.{writer}>")
        told += [text_of(one) for one in world.mailboxes[writer]]
    return told


@pytest.mark.long
@pytest.mark.ruling("AU-15")
@pytest.mark.parametrize("plays", [True, False])
def test_nothing_tells_who_has_the_secret_seat(tmp_path: Path, plays: bool) -> None:
    told = []
    for alien in (ONE, OTHER):
        (tmp_path / alien).mkdir()
        world = World(tmp_path / alien, limits=0)
        told.append(told_of_the_alien(world, alien, plays=plays))
        world.database.dispose()
    for one, other in zip(*told, strict=False):
        assert one == other
    assert len(told[0]) == len(told[1]) > 100


@pytest.mark.ruling("AU-15")
def test_a_gamemaster_with_the_secret_seat_seems_to_be_one_who_does_not_play(world: World) -> None:
    open_alien_game(world)
    game = world.game()
    (master,) = game.masters
    (hidden,) = (seat for seat in game.players if game.is_secret(seat))
    host, other, *_ = (seat for seat in game.players if not game.is_secret(seat))

    def seen(playing: Seat | None) -> list[object]:
        seats = tuple(replace(one, person=master.person) if one is playing else one for one in game.seats)
        one = replace(game, seats=seats)
        return [who_runs_and_plays(one, host), people_in(one), may_still_count(one)]

    assert seen(hidden) == seen(None)
    assert all(one != other for one, other in zip(seen(other), seen(None), strict=True)), "a control"
    assert "The gamemaster may be playing the Alien" in " ".join(who_runs_and_plays(game, host))


@pytest.mark.parametrize("game", ["among-us", "standard anonymous=yes", "standard"])
def test_who_is_left_out_when_players_are_asked_tells_nothing(world: World, game: str) -> None:
    """Nor does what one of them was asked elsewhere."""
    with world.trusting():
        chair = reply_to(world.send(MASTER, BASE, f"CREATE spring variant={game}"))
        for person in PEOPLE:
            world.send(person, BASE, "JOIN spring")
        world.send(MASTER, chair, "START")
    world.pass_time(minutes=5)
    players = [seat for seat in world.game().held if seat.power]
    candidate, other = players[0].person, players[1].person
    assert candidate is not None
    assert other is not None
    with world.service.transaction() as tx:
        allowance = tx.allowance_of(Payer.SEAT, {Per.SENDER: "certain person 1"})
        while allowance.used_up(Spent.QUESTIONS, other.reachable) is None:
            allowance.charge(Spent.QUESTIONS, target=other.reachable)
        allowance.settle(tx.session)
    world.promotes(MASTER, chair, f"PROMOTE {candidate.reachable}")
    asked = {one for one, mails in world.mailboxes.items() if "Another gamemaster" in str(mails[-1]["Subject"])}
    public = {one.person.reachable for one in players if one.person and not world.game().is_secret(one)}
    assert asked - {MASTER} == public - ({candidate.reachable} if game == "standard" else set())
    world.agreed()
    assert len(world.game().masters) == 2


_LONG = "\n".join(["\u00fc" * 50] * 30)


@pytest.mark.long
@pytest.mark.parametrize(
    "line",
    [
        "PRESS TO ALL\nHello.\nENDPRESS",
        f"PRESS TO ALL\n{_LONG}\nENDPRESS",
        "PRESS TO the Alien\nHello.\nENDPRESS",
        "PRESS TO Turkey, the Alien\nHello.\nENDPRESS",
        "PRESS TO GM\nHello.\nENDPRESS",
        "EXTEND 24h",
    ],
)
def test_how_much_is_left_of_a_budget_does_not_tell_who_holds_the_secret_seat(world: World, line: str) -> None:
    """Nor how long their address is, nor whether they read HTML, nor whether they want such press."""
    open_alien_game(world)
    (hidden,) = (seat for seat in world.game().players if world.game().is_secret(seat))
    master = world.game().masters[0].person
    assert master is not None
    host = next(seat for seat in world.game().held if seat.power and str(seat.power) == "France")
    assert host.person is not None
    writer, seat = (host.person.reachable, host) if "PRESS" in line else (MASTER, world.game().masters[0])
    spent = [charged(world)]

    def send() -> None:
        world.send(writer, world.service.identity.address_of(world.game(), world.game().seat(seat.id)), line)
        spent.append(charged(world))

    for account in (hidden.account_id, None, master.id):
        with world.database.transaction() as session:
            session.get_one(SeatRow, hidden.id).account_id = account
            session.get_one(GameRow, world.game().id).version = new_version()
        send()
    with world.database.transaction() as session:
        session.get_one(SeatRow, hidden.id).account_id = hidden.account_id
        session.get_one(GameRow, world.game().id).version = new_version()
        for row in session.scalars(select(AddressRow).where(AddressRow.account_id == hidden.account_id)):
            row.email = f"{'x' * 50}{row.email}"
    send()
    each = [
        [after - before for after, before in zip(*two, strict=True)] for two in ((b, a) for a, b in pairwise(spent))
    ]
    assert all(each[0])
    assert each == each[:1] * 4


_CHARGED = ("mails sender 1 ", "bytes sender 24 ")


def charged(world: World) -> tuple[int, int]:
    """What was charged for mails to others in this hour, and for files and long texts in a day."""
    with world.looking() as session:
        rows = session.scalars(select(SpendingRow)).all()
        mails, size = ([row.amount for row in rows if row.name.startswith(of)] for of in _CHARGED)
        return sum(mails), sum(size)


def test_who_runs_a_game_with_a_secret_seat_and_plays_it_reads_no_names(world: World) -> None:
    """They have invited all the others, so the one without another seat has the secret one."""
    with world.trusting():
        chair = reply_to(world.send(MASTER, BASE, "CREATE spring variant=among-us start=full"))
        world.send(MASTER, BASE, "JOIN spring")
        world.send(MASTER, chair, f"INVITE {', '.join(PEOPLE[:7])}")
        for person in PEOPLE[:7]:
            world.send(person, BASE, "JOIN spring")
        assert not world.game().running
        refused = text_of(world.send(MASTER, chair, "START spring"))
        assert "SET anonymous=yes" in refused
        assert not world.game().running
        world.send(MASTER, chair, "SET anonymous=yes")
    game = world.game()
    assert game.running
    assert game.names_hidden
    host = next(seat for seat in game.held if not seat.is_of(game.masters[0].person))
    playing = who_runs_and_plays(game, host)
    without = replace(
        game,
        seats=tuple(
            replace(one, person=None)
            if one.role is SeatRole.PLAYER and one.id != host.id and one.is_of(game.masters[0].person)
            else one
            for one in game.seats
        ),
    )
    assert playing == who_runs_and_plays(without, host), "nobody learns whether they play openly"
    assert "may play, too" in " ".join(playing)
    shown = replace(game, options=GameOptions({**game.options.texts, "anonymous": "no"}))
    with world.service.transaction() as tx, pytest.raises(NotNow, match="by elimination"):
        require_no_elimination(tx, shown)


def test_who_has_run_a_game_with_a_secret_seat_and_plays_it_reads_no_names(world: World) -> None:
    """They have invited all the others, and give up running it before it begins."""
    with world.trusting():
        chair = reply_to(world.send(MASTER, BASE, "CREATE spring variant=among-us start=full"))
        world.send(MASTER, BASE, "JOIN spring")
        world.send(MASTER, chair, f"INVITE {', '.join(PEOPLE[:7])}")
        for person in PEOPLE[:6]:
            world.send(person, BASE, "JOIN spring")
        world.promotes(MASTER, chair, f"PROMOTE {EVE}")
        world.send(MASTER, chair, "RESIGN spring")
        world.send(PEOPLE[6], BASE, "JOIN spring")
        assert not world.game().running, "it does not begin by itself"
        chair = reply_to(world.last(EVE))
        refused = text_of(world.send(EVE, chair, "START spring"))
        assert "or has run it, has joined it" in refused
        assert not world.game().running
        world.send(EVE, chair, "SET anonymous=yes")
    assert world.game().running
    assert world.game().names_hidden


def test_who_has_run_a_game_with_a_secret_seat_before_it_began_takes_none_later(world: World) -> None:
    with world.trusting():
        chair = reply_to(world.send(MASTER, BASE, "CREATE spring variant=among-us"))
        world.promotes(MASTER, chair, f"PROMOTE {EVE}")
        world.send(MASTER, chair, f"INVITE {', '.join(PEOPLE)}\nRESIGN spring")
        for person in PEOPLE:
            world.send(person, BASE, "JOIN spring")
        world.send(EVE, reply_to(world.last(EVE)), "START spring")
        assert world.game().running
        host = next(seat for seat in world.game().held if seat.power == "France")
        assert host.person is not None
        own = world.service.identity.address_of(world.game(), host)
        world.send(host.person.reachable, own, "RESIGN spring")
        said = text_of(world.send(MASTER, BASE, "TAKEOVER spring AS France"))
        assert "keeps secrets" in said
        assert not any(MASTER in seat.person.addresses for seat in world.game().held if seat.person)
        taken = text_of(world.send(host.person.reachable, BASE, "TAKEOVER spring AS France"))
        assert "You play France" in taken, "who has only played returns"


@pytest.mark.parametrize("options", ["variant=standard", "anonymous=yes", "variant=among-us"])
def test_stop_press_before_powers_are_dealt_tells_nothing_of_who_is_there(world: World, options: str) -> None:
    with world.trusting():
        world.send(MASTER, BASE, f"CREATE spring {options}")
        own = reply_to(world.send(PEOPLE[0], BASE, "REGISTER Ann Smith\nJOIN spring"))
        world.send(PEOPLE[1], BASE, "REGISTER Bob Jones\nJOIN spring AS France")
        for there, not_there in (("Bob Jones", "Zoe Jones"), (PEOPLE[1], PEOPLE[7]), ("France", "Italy")):
            said = [
                text_of(world.send(PEOPLE[0], own, f"STOP PRESS FROM {who}")).replace(who, "X")
                for who in (there, not_there)
            ]
            assert said[0] == said[1]
        assert "Nobody has X before spring begins: powers are dealt then." in said[0]


def spent_on(
    world: World, writer: str, seat: Seat, lines: Sequence[str], name: str = "spring"
) -> list[tuple[int, ...]]:
    """What is charged for each of these lines, written from the seat in one hour."""
    found = []
    for line in lines:
        before = charged(world)
        game = world.game(name)
        world.send(writer, world.service.identity.address_of(game, game.seat(seat.id)), line)
        found.append(tuple(after - then for after, then in zip(charged(world), before, strict=True)))
    return found


@pytest.mark.parametrize("options", ["variant=among-us", "variant=standard anonymous=yes"])
def test_what_is_charged_for_the_question_to_a_deputy_does_not_tell_who_plays(world: World, options: str) -> None:
    with world.trusting():
        chair = reply_to(world.send(MASTER, BASE, f"CREATE spring {options} move=14d"))
        for person in PEOPLE:
            world.send(person, BASE, "JOIN spring")
        world.send(MASTER, chair, "START spring")
    host, other = [seat for seat in world.game().held if not world.game().is_secret(seat)][:2]
    hidden = next(filter(world.game().is_secret, world.game().held), other)
    assert host.person is not None
    assert hidden.person is not None
    asked = [f"DEPUTY {address}" for address in (EVE, hidden.person.reachable)]
    one, another = spent_on(world, host.person.reachable, host, asked)
    assert one == another
    assert all(one), "a control"
    assert "order for" not in str(world.last(hidden.person.reachable)["Subject"])


def test_who_ejects_is_not_charged_for_what_a_deputy_is_told(tmp_path: Path) -> None:
    """A gamemaster who plays does not know that there is one."""
    spent = []
    for deputy in (True, False):
        (path := tmp_path / str(deputy)).mkdir()
        world = World(path)
        seats = world.started("masks", "move=14d")
        world.promotes(MASTER, seats["GM"], f"PROMOTE {player('Italy')}")
        world.agreed()
        if deputy:
            world.send(player("France"), seats["France"], f"DEPUTY {EVE}")
            world.accepts(EVE)
        spent += spent_on(world, player("Italy"), world.game("masks").masters[-1], ["EJECT France"], "masks")
        assert not deputy or "No longer a deputy" in str(world.last(EVE)["Subject"])
        world.database.dispose()
    assert spent[0] == spent[1]
    assert all(spent[0]), "a control"


def test_what_is_charged_for_an_invitation_does_not_tell_whether_there_was_one(world: World) -> None:
    """Nor how many are said to be invited: who was invited and has no other seat has the secret one."""
    alien_game(world, PEOPLE)
    (alien,) = holders(world, secret=True)
    helper = next(seat for seat in world.game().moderators if seat.role is SeatRole.ASSISTANT)
    address = world.service.identity.address_of(world.game(), helper)
    one, another = spent_on(world, HELPER, helper, [f"INVITE {EVE}", f"INVITE {alien}"])
    assert one == another
    assert all(one), "a control"
    assert "invites you" not in str(world.last(alien)["Subject"])
    shown = []
    for invited in ("zoe@elsewhere.example", LATE):
        before = text_of(world.send(HELPER, address, "DASHBOARD"))
        world.send(HELPER, address, f"INVITE {invited}")
        after = text_of(world.send(HELPER, address, "DASHBOARD"))
        shown.append([int(re.findall(r"Asked by you to play: (\d+)", text)[0]) for text in (before, after)])
    assert shown == [[2, 3], [3, 4]]


@pytest.mark.parametrize("way", ["invites", "has run it"])
def test_an_assistant_who_may_know_who_was_invited_reads_no_names(world: World, way: str) -> None:
    """Who is left of them when the hosts are named has the secret seat. One who knows nobody is not in the way."""
    with world.trusting():
        chair = reply_to(world.send(MASTER, BASE, "CREATE spring variant=among-us"))
        if way == "invites":
            world.promotes(MASTER, chair, f"PROMOTE {HELPER} AS ASSISTANT")
            world.send(HELPER, reply_to(world.last(HELPER)), f"INVITE {', '.join(PEOPLE)}")
        else:
            world.promotes(MASTER, chair, f"PROMOTE {HELPER}")
            world.send(HELPER, reply_to(world.last(HELPER)), f"INVITE {', '.join(PEOPLE)}\nRESIGN spring")
            world.promotes(MASTER, chair, f"PROMOTE {HELPER} AS ASSISTANT")
        for person in PEOPLE:
            world.send(person, BASE, "JOIN spring")
        refused = text_of(world.send(MASTER, chair, "START spring"))
        assert "by elimination" in refused
        assert not world.game().running
        world.send(MASTER, chair, "SET anonymous=yes\nSTART spring")
    assert world.game().running
    assert world.game().names_hidden


def test_a_game_with_a_secret_seat_and_an_assistant_who_invites_nobody_begins(world: World) -> None:
    with world.trusting():
        chair = reply_to(world.send(MASTER, BASE, "CREATE spring variant=among-us"))
        world.promotes(MASTER, chair, f"PROMOTE {HELPER} AS ASSISTANT")
        world.send(MASTER, chair, f"INVITE {', '.join(PEOPLE)}")
        for person in PEOPLE:
            world.send(person, BASE, "JOIN spring")
        world.send(MASTER, chair, "START spring")
    assert world.game().running
    assert not world.game().names_hidden


@pytest.mark.parametrize("how", ["", " AS ASSISTANT"])
@pytest.mark.parametrize("options", ["variant=among-us", "variant=standard anonymous=yes"])
def test_who_is_asked_whether_somebody_may_run_the_game_does_not_tell_whether_they_play(
    tmp_path: Path, options: str, how: str
) -> None:
    """Whoever plays is asked about whoever else it is, in the same words, and everybody is told the same."""

    def seen(plays: bool) -> tuple[list[tuple[str, ...]], set[str]]:
        (path := tmp_path / str(plays)).mkdir()
        world = World(path)
        with world.trusting():
            chair = reply_to(world.send(MASTER, BASE, f"CREATE spring {options}"))
            world.send(EVE, BASE, "REGISTER Eve Elsewhere")
            for person in PEOPLE:
                world.send(person, BASE, "JOIN spring")
            world.send(MASTER, chair, "START spring")
        world.pass_time(minutes=5)
        game = world.game()
        hidden = next(filter(game.is_secret, game.held), game.held[-1])
        assert hidden.person is not None
        hosts = {seat.person.reachable for seat in game.held if seat.person and seat is not hidden}
        before = {one: len(world.mailboxes[one]) for one in hosts}
        world.promotes(MASTER, chair, f"PROMOTE {hidden.person.reachable if plays else EVE}{how}")
        world.agreed()
        assert len(world.game().moderators) == 2
        told = {
            tuple((str(mail["Subject"]), text_of(mail)) for mail in world.mailboxes[one][before[one] :])
            for one in hosts
        }
        world.database.dispose()
        return sorted({tuple(title for title, _ in one) for one in told}), {
            line for one in told for _, text in one for line in text.splitlines() if "somebody who may be" in line
        }

    playing, other = seen(True), seen(False)
    assert playing == other
    assert playing[1], "a control"


@pytest.mark.parametrize("anonymous", ["yes", "always"])
@pytest.mark.parametrize("named", [True, False])
def test_what_players_name_their_powers_is_seen_when_all_are_there(
    world: World, anonymous: str, *, named: bool
) -> None:
    """A gamemaster who plays, and invites one after another, would know by each new name who has it."""
    master, names = (
        PEOPLE[0],
        dict(zip(PEOPLE[1:4], ("Aurora", "Borax", "Cetus"), strict=True)),
    )
    with world.trusting():
        chair = reply_to(world.send(master, BASE, f"CREATE spring variant=quantum-space anonymous={anonymous}"))
        world.send(master, BASE, "JOIN spring AS Minerva")
        for person, name in names.items():
            joined = text_of(world.send(person, BASE, f"JOIN spring{f' AS {name}' if named else ''}"))
            names[person] = re.findall(r"You play (\w+)\.", joined)[0]
    said = "".join(text_of(world.send(master, chair, asked)) for asked in ("STATUS", "DASHBOARD", "LOG"))
    said += text_of(world.send(EVE, BASE, "STATUS spring"))
    assert not [name for name in names.values() if name in said]
    world.send(master, chair, "START spring")
    assert all(name in text_of(world.send(EVE, BASE, "STATUS spring")) for name in names.values())


def test_the_names_that_powers_are_given_tell_nothing_of_the_order_of_joining(world: World) -> None:
    identity = world.service.identity
    object.__setattr__(
        world.service, "identity", replace(identity, settings=replace(identity.settings, rehearsal_seed=b""))
    )
    given = []
    for game in ("one", "two", "three"):
        world.send(MASTER, BASE, f"CREATE {game} variant=quantum-space")
        given.append(re.findall(r"You play (\w+)\.", text_of(world.send(PEOPLE[0], BASE, f"JOIN {game}")))[0])
    assert len(set(given)) > 1
