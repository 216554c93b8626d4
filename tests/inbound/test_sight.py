"""Nobody who has known a seat's secrets gets another one: not in that phase, however it is played again, and in games
that keep secrets to the end not at all. Everything that gives a seat asks the same question.
"""

from __future__ import annotations

import pytest

from gm.machine.steps import Tidying
from gm.play import sight
from gm.store import people
from gm.store.people import AddressHistoryRow
from tests.server.kept import kept
from tests.server.world import BASE, OPENINGS, World, player, reply_to, text_of

MASTER, ANN, BOB = "master@example.org", player("France"), "bob@example.net"
ITALY, GERMANY = player("Italy"), player("Germany")
KNOWS = "You played France in spring, and may know its orders and press of S1901M."
WHEN = "You can play another power when S1901M has been adjudicated, and France itself at once if it is free."


def said(world: World, who: str, to: str, text: str) -> str:
    return " ".join(text_of(world.send(who, to, text)).split())


@kept
def left(world: World, options: str = "") -> dict[str, str]:
    """A game in its first phase that France has left, and from which Italy has been taken."""
    seats = world.started("spring", options)
    world.send(ANN, seats["France"], "RESIGN spring")
    world.send(MASTER, seats["GM"], "EJECT Italy")
    return seats


def adjudicated(world: World, seats: dict[str, str]) -> None:
    phase = world.phase()
    world.send(MASTER, seats["GM"], f"PROCESS {phase}")
    if world.game().in_review:
        world.pass_time(days=2)
    assert world.phase() != phase


def own(world: World) -> str:
    """The address of the power that the gamemaster plays."""
    game = world.game()
    return world.service.identity.address_of(game, next(one for one in game.players if one.power == "France"))


def test_whoever_has_ordered_for_a_power_takes_no_other_in_that_phase(world: World) -> None:
    seats = left(world)
    assert f"{KNOWS} {WHEN}" in said(world, ANN, BASE, "TAKEOVER spring AS Italy")
    assert "You play France in spring." in said(world, ANN, BASE, "TAKEOVER spring AS France")
    world.send(ANN, reply_to(world.last(ANN)), "RESIGN spring")
    adjudicated(world, seats)
    assert "You play Italy in spring." in said(world, ANN, BASE, "TAKEOVER spring AS Italy")


def test_neither_another_address_nor_another_account_hides_it(world: World) -> None:
    seats = world.started()
    world.send(ANN, seats["France"], "ADDRESS ADD ann@elsewhere.example")
    world.accepts("ann@elsewhere.example")
    world.send(MASTER, seats["GM"], "EJECT Italy")
    world.send(ANN, seats["France"], "RESIGN spring")
    world.send(ANN, BASE, f"ADDRESS ann@elsewhere.example\nADDRESS REMOVE {ANN}")
    world.send("ann@elsewhere.example", BASE, "ADDRESS ADD ann@third.example")
    world.accepts("ann@third.example")
    world.send("ann@third.example", BASE, "ADDRESS REMOVE ann@elsewhere.example")
    assert KNOWS in said(world, "ann@third.example", BASE, "TAKEOVER spring AS Italy")
    world.send("ann@third.example", BASE, "FORGET ME")
    assert KNOWS in said(world, ANN, BASE, "TAKEOVER spring AS Italy"), "a new account with an address of the old one"


def test_a_phase_that_is_played_again_is_the_same_phase(world: World) -> None:
    seats = world.started()
    adjudicated(world, seats)
    world.send(MASTER, seats["GM"], "EJECT Italy")
    world.send(ANN, seats["France"], "RESIGN spring")
    knows = KNOWS.replace("S1901M", "F1901M")
    world.send(MASTER, seats["GM"], "ROLLBACK S1901M")
    assert knows in said(world, ANN, BASE, "TAKEOVER spring AS Italy"), "it was later than what is played now"
    world.send(MASTER, seats["GM"], "ROLLFORWARD")
    assert knows in said(world, ANN, BASE, "TAKEOVER spring AS Italy")
    world.send(MASTER, seats["GM"], "ROLLBACK S1901M")
    adjudicated(world, seats)
    assert world.phase() == "F1901M"
    assert knows in said(world, ANN, BASE, "TAKEOVER spring AS Italy"), "orders are kept for it"
    adjudicated(world, seats)
    assert "You play Italy in spring." in said(world, ANN, BASE, "TAKEOVER spring AS Italy")


SECOND = "second@example.org"


@kept
def with_own_power(world: World) -> tuple[str, str]:
    """A game whose gamemaster plays France, with another one who does not; the addresses of both."""
    chair = reply_to(world.send(MASTER, BASE, "CREATE spring"))
    for power in ("Austria", "England", "Germany", "Italy", "Russia", "Turkey"):
        world.send(player(power), BASE, f"JOIN spring AS {power}")
    world.send(MASTER, BASE, "JOIN spring AS France")
    world.promotes(MASTER, chair, f"START\nPROMOTE {SECOND}")
    world.agreed()
    return chair, reply_to(next(mail for mail in world.mailboxes[SECOND] if "spring" in reply_to(mail)))


def test_a_gamemaster_who_has_given_up_a_power_does_not_get_it_back(world: World) -> None:
    """One resigned a power, read all orders with PREVIEW, and took the power over again."""
    chair, second = with_own_power(world)
    world.send(MASTER, own(world), "RESIGN spring")
    assert "trial adjudication" in said(world, MASTER, chair, "PREVIEW")
    runs = "You run spring without playing, so you may know everybody's orders and press."
    first = "First give that up (RESIGN, from your gamemaster's address), then wait for the next phase."
    for line in ("TAKEOVER spring AS France", "TAKEOVER spring", "STANDBY spring"):
        assert f"{runs} {first}" in said(world, MASTER, BASE, line)
    world.send(MASTER, chair, "RESIGN spring")
    ran = "You ran spring without playing, so you may know everybody's orders and press of S1901M."
    assert f"{ran} You can play when S1901M has been adjudicated." in said(world, MASTER, BASE, "TAKEOVER spring")
    world.send(SECOND, second, "PROCESS S1901M")
    assert "You play France in spring." in said(world, MASTER, BASE, "TAKEOVER spring")


def test_a_gamemaster_who_plays_has_seen_no_more_than_their_power(world: World) -> None:
    chair, _ = with_own_power(world)
    world.send(MASTER, chair, "RESIGN spring")
    world.send(MASTER, own(world), "RESIGN spring")
    assert "You play France in spring." in said(world, MASTER, BASE, "TAKEOVER spring AS France")


def test_a_gamemaster_who_plays_reveals_nobody(world: World) -> None:
    """They would be the first to know, and nobody could hold them to the promise of the game."""
    chair = reply_to(world.send(MASTER, BASE, "CREATE spring anonymous=yes"))
    world.send(MASTER, BASE, "JOIN spring AS France")
    assert "You play in this game, so you may not know who else does." in said(world, MASTER, chair, "REVEAL")
    assert world.game().names_hidden


@pytest.mark.parametrize("hidden", [True, False])
def test_who_has_known_the_names_of_an_anonymous_game_knows_them_to_its_end(world: World, *, hidden: bool) -> None:
    world.started(options=f"anonymous={'yes' if hidden else 'no'}")
    game = world.game()
    assert [sight.lasts(game, sight.Sight(seat, None)) for seat in game.masters] == [hidden]
    assert not any(sight.lasts(game, sight.Sight(seat, seat.power)) for seat in game.players)


def test_undo_gives_no_power_back_to_who_can_see_all_orders_since(world: World) -> None:
    _, second = with_own_power(world)
    world.send(SECOND, second, "EJECT France")
    assert "The player of France is not free any more." in said(world, SECOND, second, "UNDO")


def test_whoever_is_asked_to_play_learns_it_with_their_yes(world: World) -> None:
    seats = left(world)
    world.send(MASTER, seats["GM"], f"REPLACE Italy WITH {ANN}")
    assert KNOWS in text_of(world.accepts(ANN))
    world.send(MASTER, seats["GM"], f"INVITE {ANN} AS Italy")
    assert KNOWS in text_of(world.accepts(ANN))
    adjudicated(world, seats)
    assert "You play Italy in spring." in text_of(world.accepts(ANN)), "the question was still open"


def test_nobody_deputizes_who_has_ordered_for_another_power_in_that_phase(world: World) -> None:
    seats = left(world)
    before = len(world.mailboxes[ANN])
    asked = said(world, GERMANY, seats["Germany"], f"DEPUTY {ANN}")
    assert len(world.mailboxes[ANN]) == before, "or they would learn who plays Germany"
    assert asked == said(world, GERMANY, seats["Germany"], f"DEPUTY {BOB}").replace(BOB, ANN)
    world.send(GERMANY, seats["Germany"], f"DEPUTY NONE\nDEPUTY {BOB}")
    world.send(BOB, BASE, "TAKEOVER spring AS Italy")
    world.send(BOB, reply_to(world.last(BOB)), "RESIGN spring")
    assert "You played Italy in spring, and may know" in text_of(world.accepts(BOB))
    adjudicated(world, seats)
    assert "You are the deputy of Germany" in text_of(world.accepts(BOB))


def test_the_standby_list_passes_over_who_has_ordered_for_another_power_until_the_phase_is_over(world: World) -> None:
    seats = left(world)
    assert "You are on the standby list" in said(world, ANN, BASE, "STANDBY spring")
    world.send(GERMANY, seats["Germany"], "RESIGN spring")
    assert "A seat for you" not in str(world.last(ANN)["Subject"])
    adjudicated(world, seats)
    offered = next(mail for mail in world.mailboxes[ANN] if "A seat for you" in str(mail["Subject"]))
    assert "TAKEOVER spring AS France" in text_of(offered)


def test_a_start_that_is_taken_back_is_not_unknown(world: World) -> None:
    """What was seen before it is known to those who saw it, at whatever seat they are afterwards."""
    seats = left(world)
    world.send(MASTER, seats["GM"], "UNSTART spring")
    eve = "eve@example.net"
    assert "You have a seat in spring" in said(world, eve, BASE, "JOIN spring"), "that of France is free for others"
    knows = "You played France in spring, and may know its orders and press of S1901M."
    when = "You can play another power when S1901M has been adjudicated."
    assert f"{knows} {when}" in said(world, ANN, BASE, "JOIN spring"), "only the seat of Italy is left"


def test_a_seat_that_is_dealt_another_power_is_not_the_same(world: World) -> None:
    """Whoever has given it up, before another start or after, has seen what another power may not know."""
    seats = left(world)
    world.send(MASTER, seats["GM"], "UNSTART spring")
    world.send(GERMANY, seats["Germany"], "RESIGN spring")
    world.send(MASTER, seats["GM"], f"INVITE {ANN} AS Germany")
    for who, power in ((ITALY, "Italy"), (ANN, "France"), (GERMANY, "Germany")):
        for line in ("JOIN spring", "JOIN spring AS Germany"):
            assert f"You played {power} in spring, and may know its orders" in said(world, who, BASE, line)
    for who in ("eve", "fay", "gus"):
        assert "You have a seat in spring" in said(world, f"{who}@example.net", BASE, "JOIN spring")
    world.send(MASTER, seats["GM"], "START spring")
    assert len(world.game().held) == 7


def test_whoever_ran_a_game_that_forms_again_does_not_join_it(world: World) -> None:
    """They could see all orders."""
    seats = left(world)
    assert "trial adjudication" in said(world, MASTER, seats["GM"], "PREVIEW")
    world.send(MASTER, seats["GM"], "UNSTART spring")
    ran = "You ran spring without playing, so you may know everybody's orders and press of S1901M."
    assert ran in said(world, MASTER, BASE, "JOIN spring")
    world.send("eve@example.net", BASE, "JOIN spring")
    world.send("fay@example.net", BASE, "JOIN spring")
    world.send(MASTER, seats["GM"], "START spring")
    adjudicated(world, seats)
    world.send(SECOND, BASE, "STATUS")
    world.promotes(MASTER, seats["GM"], f"PROMOTE {SECOND}")
    world.send(MASTER, seats["GM"], "EJECT Italy\nRESIGN spring")
    assert "orders and press of F1901M" in said(world, MASTER, BASE, "TAKEOVER spring AS Italy"), "not S1901M"


@pytest.mark.parametrize("left", [False, True], ids=["runs it", "has run it"])
@pytest.mark.parametrize("first", [False, True], ids=["after others", "before others"])
@pytest.mark.parametrize("invited", [False, True], ids=["who joined", "who is invited"])
def test_who_has_seen_who_joins_an_anonymous_game_does_not_play_in_it(
    world: World, first: bool, left: bool, invited: bool
) -> None:
    """The names, and what they asked for, tell who plays which power."""
    with world.trusting():
        chair = reply_to(world.send(MASTER, BASE, "CREATE spring anonymous=yes"))
        world.promotes(MASTER, chair, f"PROMOTE {BOB}")
        if not first:
            world.send(
                *((MASTER, chair, f"INVITE {ANN} AS France") if invited else (ANN, BASE, "JOIN spring AS France"))
            )
        if left:
            world.send(MASTER, chair, "RESIGN spring")
    joined = said(world, MASTER, BASE, "JOIN spring")
    assert ("You have a seat in spring" in joined) is first
    if not first:
        runs = "ran" if left else "run"
        assert f"You {runs} spring without playing, so you may know who has joined it, and for which power." in joined
        assert "who runs it can play, too, if they join before anybody else" in joined


GONE = {
    "an invitation to another power": [f"INVITE {ANN} AS Turkey", f"INVITE {ANN}"],
    "an invitation that is taken back": [f"INVITE {ANN} AS Turkey", f"DENY {ANN}", f"DENY {ANN} OFF"],
    "a player who is kept out": ["+", f"DENY {ANN}", f"DENY {ANN} OFF"],
    "a player who leaves": ["+", "-"],
}


@pytest.mark.parametrize("way", GONE)
def test_who_has_seen_who_joins_an_anonymous_game_does_not_play_when_that_has_gone(world: World, way: str) -> None:
    with world.trusting():
        chair = reply_to(world.send(MASTER, BASE, "CREATE spring anonymous=yes"))
        own = ""
        for line in GONE[way]:
            if line == "+":
                own = reply_to(world.send(ANN, BASE, "JOIN spring AS Turkey"))
            elif line == "-":
                world.arrive(ANN, own, "RESIGN spring")
                world.work()
                assert not world.game().held
            else:
                world.send(MASTER, chair, line)
        assert "so you may know who has joined it" in said(world, MASTER, BASE, "JOIN spring")


def test_who_plays_in_an_anonymous_game_chooses_nobody_for_a_power(world: World) -> None:
    with world.trusting():
        chair = reply_to(world.send(MASTER, BASE, "CREATE spring anonymous=yes"))
        world.send(MASTER, BASE, "JOIN spring")
    assert "You may not know who plays Turkey" in said(world, MASTER, chair, f"INVITE {ANN} AS Turkey")
    assert f"{ANN} is invited" in said(world, MASTER, chair, f"INVITE {ANN}")
    seats = world.started("masks", "anonymous=yes")
    world.promotes(MASTER, seats["GM"], f"PROMOTE {player('Italy')}")
    world.agreed()
    own = reply_to(world.last(player("Italy")))
    assert "You may not know who plays Germany" in said(world, player("Italy"), own, f"REPLACE Germany WITH {ANN}")


@pytest.mark.parametrize(
    ("options", "plays", "seated"),
    [("", False, True), ("anonymous=yes", True, False), ("anonymous=yes", False, False)],
)
def test_an_invitation_to_the_beginning_gives_no_seat_that_is_vacated_later_where_names_are_hidden(
    world: World, options: str, plays: bool, seated: bool
) -> None:
    """Who runs the game and plays would know whom they have seated; that they play is not told by the answer."""
    with world.trusting():
        chair = reply_to(world.send(MASTER, BASE, f"CREATE spring {options}"))
        if plays:
            world.send(MASTER, BASE, "JOIN spring")
        world.send(MASTER, chair, f"INVITE {BOB}")
        for person in (ANN, ITALY, GERMANY, *(f"p{number}@example.net" for number in range(4 - plays))):
            world.send(person, BASE, "JOIN spring")
        world.pass_time(minutes=1)
        world.send(MASTER, chair, "START spring")
        assert world.game().running
        power = next(str(seat.power) for seat in world.game().held if seat.person and ANN in seat.person.addresses)
        world.send(MASTER, chair, f"EJECT {power}")
        answer = text_of(world.accepts(BOB))
        assert (f"You play {power} in spring" in answer) == seated
        assert ("spring has begun since you were invited" in answer) != seated
        assert f"You play {power}" in text_of(world.send(BOB, BASE, "TAKEOVER spring")) or seated


@pytest.mark.parametrize("open_since", ["before it began", "since"])
def test_an_invitation_gives_no_seat_to_who_has_known_anothers_secrets(world: World, open_since: str) -> None:
    with world.trusting():
        chair = reply_to(world.send(MASTER, BASE, "CREATE spring"))
        if open_since != "since":
            world.send(MASTER, chair, f"INVITE {ANN} AS Italy")
        for person in (ANN, ITALY, GERMANY, *(f"p{number}@example.net" for number in range(4))):
            world.send(person, BASE, f"JOIN spring{' AS France' if person == ANN else ''}")
        world.send(MASTER, chair, "START spring")
        world.send(MASTER, chair, "EJECT France")
        world.send(MASTER, chair, "EJECT Italy")
        if open_since == "since":
            world.send(MASTER, chair, f"INVITE {ANN} AS Italy")
        assert f"{KNOWS} {WHEN}" in " ".join(text_of(world.accepts(ANN)).split())


def test_names_that_were_read_are_not_hidden_afterwards(world: World) -> None:
    with world.trusting():
        chair = reply_to(world.send(MASTER, BASE, "CREATE spring"))
        assert "anonymous=yes" in said(world, MASTER, chair, "SET anonymous=yes")
        world.send(MASTER, chair, "SET anonymous=no")
        assert "You have a seat" in said(world, ANN, BASE, "JOIN spring AS France")
        assert "Names of players of spring have been read" in said(world, MASTER, chair, "SET anonymous=yes")


def test_what_was_seen_of_a_phase_that_is_left_is_known_until_it_is_played_again(world: World) -> None:
    """By whoever was there, and gives the seat up only after the game has gone back."""
    seats = world.started()
    adjudicated(world, seats)
    world.send(MASTER, seats["GM"], "EJECT Italy")
    world.send(MASTER, seats["GM"], "ROLLBACK S1901M")
    world.send(ANN, seats["France"], "RESIGN spring")
    adjudicated(world, seats)
    knows = KNOWS.replace("S1901M", "F1901M")
    assert knows in said(world, ANN, BASE, "TAKEOVER spring AS Italy"), "and has seen F1901M already"
    adjudicated(world, seats)
    assert "You play Italy in spring." in said(world, ANN, BASE, "TAKEOVER spring AS Italy")


def test_no_way_to_go_on_ends_what_was_seen_in_a_phase_that_was_gone_back_to(world: World) -> None:
    """Press in it tells what will be done in phases that had begun before, which ROLLFORWARD goes on with."""
    seats = world.started()
    adjudicated(world, seats)
    world.send(MASTER, seats["GM"], "ROLLBACK S1901M\nEJECT France\nEJECT Italy")
    world.send(BOB, BASE, "TAKEOVER spring AS France")
    world.send(BOB, reply_to(world.last(BOB)), "RESIGN spring")
    world.send(MASTER, seats["GM"], "ROLLFORWARD")
    assert KNOWS.replace("S1901M", "F1901M") in said(world, BOB, BASE, "TAKEOVER spring AS Italy")
    adjudicated(world, seats)
    assert "You play Italy in spring." in said(world, BOB, BASE, "TAKEOVER spring AS Italy")


OTHER = "ann@elsewhere.example"
APART = "Somebody whose address this was, or who has had one of your addresses, has a seat in spring."


def parted(world: World, who: str = ANN, seat: str = "France") -> dict[str, str]:
    """A game in which somebody has added an address and removed it, and Italy has no player."""
    seats = world.started()
    world.send(MASTER, seats["GM"], "EJECT Italy")
    world.send(who, seats[seat], f"ADDRESS ADD {OTHER}")
    world.accepts(OTHER)
    world.send(who, seats[seat], f"ADDRESS REMOVE {OTHER}")
    return seats


@pytest.mark.parametrize(("who", "seat"), [(ANN, "France"), (MASTER, "GM")])
def test_an_address_that_was_removed_gets_no_other_seat(world: World, who: str, seat: str) -> None:
    seats = parted(world, who, seat)
    for line in ("TAKEOVER spring AS Italy", "STANDBY spring"):
        assert APART in said(world, OTHER, BASE, line)
    world.send(OTHER, BASE, "REGISTER Otto")
    assert APART in said(world, OTHER, BASE, "TAKEOVER spring AS Italy"), "nor has a new account"
    world.send(MASTER, seats["GM"], f"REPLACE Italy WITH {OTHER}")
    assert APART in text_of(world.accepts(OTHER))
    adjudicated(world, seats)
    assert APART in said(world, OTHER, BASE, "TAKEOVER spring AS Italy"), "as long as both are held"


def test_neither_does_the_account_that_it_was_removed_from(world: World) -> None:
    """What is known of the one is known of the other, also of addresses that came later and went."""
    seats = parted(world)
    world.send(ANN, seats["France"], "RESIGN spring")
    adjudicated(world, seats)
    assert "You play Italy in spring." in said(world, OTHER, BASE, "TAKEOVER spring AS Italy")
    italy = reply_to(world.last(OTHER))
    assert APART in said(world, ANN, BASE, "TAKEOVER spring AS France")
    world.send(OTHER, italy, "ADDRESS ADD ann@third.example")
    world.accepts("ann@third.example")
    world.send("ann@third.example", italy, f"ADDRESS REMOVE {OTHER}")
    assert APART in said(world, ANN, BASE, "TAKEOVER spring AS France")
    world.send("ann@third.example", italy, "RESIGN spring")
    assert "orders and press of F1901M" in said(world, ANN, BASE, "TAKEOVER spring AS France")


def test_whoever_plays_runs_no_game_with_another_account(world: World) -> None:
    """Before the players are asked, who would not know that it is one of them; the gamemaster is told nothing."""
    seats = parted(world)
    world.send(OTHER, BASE, "REGISTER Otto")
    world.send(MASTER, seats["GM"], f"PROMOTE {OTHER}")
    assert APART in text_of(world.accepts(OTHER))
    assert "Otto" not in "".join(map(text_of, world.mailboxes[player("England")]))
    world.send(ANN, seats["France"], "RESIGN spring")
    world.send(MASTER, seats["GM"], f"PROMOTE {OTHER}")
    assert "You are now a gamemaster of spring." in text_of(world.accepts(OTHER))


def test_nor_does_the_assistant_who_plays_become_a_gamemaster(world: World) -> None:
    world.send(MASTER, BASE, "CREATE spring")
    gm = reply_to(world.last(MASTER))
    seat = reply_to(world.send(ANN, BASE, "JOIN spring"))
    world.send(ANN, seat, f"ADDRESS ADD {OTHER}")
    world.accepts(OTHER)
    world.send(ANN, BASE, f"ADDRESS REMOVE {OTHER}")
    world.send(OTHER, BASE, "REGISTER Otto")
    world.send(MASTER, gm, f"PROMOTE {OTHER} AS ASSISTANT")
    assert APART in text_of(world.accepts(OTHER))
    assert [one.name for one in world.game().moderators] == ["Master"]


def test_it_gets_no_second_seat_of_a_game_that_forms(world: World) -> None:
    world.send(MASTER, BASE, "CREATE spring")
    seat = reply_to(world.send(ANN, BASE, "JOIN spring"))
    world.send(ANN, seat, f"ADDRESS ADD {OTHER}")
    world.accepts(OTHER)
    world.send(ANN, BASE, f"ADDRESS REMOVE {OTHER}")
    assert APART in said(world, OTHER, BASE, "JOIN spring")
    world.send(ANN, seat, "RESIGN spring")
    assert "You have a seat in spring" in said(world, OTHER, BASE, "JOIN spring")


def test_whoever_was_forgotten_is_known_by_every_address_that_they_had(world: World) -> None:
    seats = left(world)
    world.send(ANN, BASE, f"ADDRESS ADD {OTHER}")
    world.accepts(OTHER)
    world.send(ANN, BASE, "FORGET ME")
    assert KNOWS in said(world, OTHER, BASE, "TAKEOVER spring AS Italy")
    with world.looking() as session:
        kept_of = session.query(AddressHistoryRow).where(AddressHistoryRow.left_at.is_not(None)).all()
        assert {row.who for row in kept_of} == {people.address_hash(ANN), people.address_hash(OTHER)}
    tidied(world)
    assert KNOWS in said(world, OTHER, BASE, "TAKEOVER spring AS Italy"), "as long as the game goes on"
    world.send(MASTER, seats["GM"], "TERMINATE spring")
    tidied(world)
    with world.looking() as session:
        assert not session.query(AddressHistoryRow).where(AddressHistoryRow.left_at.is_not(None)).count()


def tidied(world: World) -> None:
    Tidying(world.service, 0).thin(world.time)


def _id(world: World, email: str) -> int:
    return next(key for key, person in world.game().people.items() if email in person.addresses)


@pytest.mark.parametrize("options", ["variant=black-hole"])
def test_what_is_secret_to_the_end_is_known_to_the_end(world: World, options: str) -> None:
    """Which home centre of France is exempt matters as long as the game lasts."""
    seats = left(world, options)
    for _ in range(2):
        assert "keeps secrets to the end of the game" in said(world, ANN, BASE, "TAKEOVER spring AS Italy")
        assert "keeps secrets to the end of the game" in said(world, ANN, BASE, "STANDBY spring")
        adjudicated(world, seats)
    assert "You play France in spring." in said(world, ANN, BASE, "TAKEOVER spring AS France")


def test_a_former_alien_becomes_no_host(world: World) -> None:
    chair = reply_to(world.send(MASTER, BASE, "CREATE spring variant=among-us"))
    for number in range(8):
        world.send(f"p{number}@example.net", BASE, "JOIN spring")
    world.send(MASTER, chair, "START")
    game = world.game()
    alien, host = (next(seat for seat in game.players if game.is_secret(seat) is secret) for secret in (True, False))
    assert alien.person is not None
    who = alien.person.reachable
    world.send(MASTER, chair, f"EJECT {host.power}")
    world.send(MASTER, chair, f"REPLACE {alien.power} WITH {BOB}")
    world.accepts(BOB)
    adjudicated(world, {"GM": chair})
    assert "keeps secrets to the end of the game" in said(world, who, BASE, "TAKEOVER spring")
    assert "keeps secrets to the end of the game" in said(world, who, BASE, "STANDBY spring")


@pytest.mark.parametrize("opens_retreats", [True, False])
def test_a_phase_that_comes_again_is_waited_for_also_before_it_is_reached(
    world: World, *, opens_retreats: bool
) -> None:
    """Who has seen the builds takes no seat in a retreat phase that was not there before."""
    seats = world.started(options="move=3d first=3d early=no")
    for power, orders in OPENINGS.items():
        world.send(player(power), seats[power], orders.replace("A WAR-GAL", "A WAR H"))
    world.send(MASTER, seats["GM"], "PROCESS S1901M")
    for power, orders in {"Austria": "A GAL H\nA SER H", "Russia": "A UKR H\nA WAR H", "France": "A SPA H"}.items():
        world.send(player(power), seats[power], orders)
    world.send(MASTER, seats["GM"], "PROCESS F1901M")
    assert world.phase() == "W1901A"
    with world.trusting():
        world.send(player("France"), seats["France"], "RESIGN spring")
        world.send(player("Germany"), seats["Germany"], "RESIGN spring")
        world.send(MASTER, seats["GM"], "ROLLBACK F1901M")
        if opens_retreats:
            world.send(player("Russia"), seats["Russia"], "A WAR-GAL\nA UKR S A WAR-GAL")
        for code in ("F1901M", "F1901R") if opens_retreats else ("F1901M",):
            taken = text_of(world.send(player("France"), BASE, "TAKEOVER spring AS Germany"))
            assert "You can play another power when W1901A has been adjudicated" in taken
            world.send(MASTER, seats["GM"], f"PROCESS {code}")
        assert world.phase() == "W1901A"
        taken = text_of(world.send(player("France"), BASE, "TAKEOVER spring AS Germany"))
        assert "You can play another power when W1901A has been adjudicated" in taken
        world.send(MASTER, seats["GM"], "PROCESS W1901A")
        world.send(player("France"), BASE, "TAKEOVER spring AS Germany")
    held = {str(seat.power): seat.person.addresses for seat in world.game().players if seat.person is not None}
    assert held["Germany"] == (player("France"),)
