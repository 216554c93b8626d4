"""DEPUTY: a friend orders for the power while its player is away, and nobody learns of it who may not."""

from __future__ import annotations

import re
from email.message import EmailMessage

import pytest

from gm.games.loading import person_at
from gm.store import people
from tests.server.bounces import UNKNOWN, bounce, report
from tests.server.kept import kept
from tests.server.world import BASE, OPENINGS, Place, World, body_of, player, reply_to, text_of

ANN, BOB, CAROL, MASTER = player("France"), "bob@example.net", "carol@example.net", "master@example.org"


@kept
def appointed(world: World, seats: dict[str, str], words: str = "", friend: str = BOB) -> str:
    """The address of a deputy for France who was asked and has said YES."""
    world.send(ANN, seats["France"], f"DEPUTY {friend} {words}")
    world.accepts(friend)
    return reply_to(world.last(friend))


def got(world: World, address: str, since: int) -> list[EmailMessage]:
    """What came to this address after so many mails."""
    return world.mailboxes.get(address, [])[since:]


def count(world: World, address: str) -> int:
    return len(world.mailboxes.get(address, []))


def everything(world: World, address: str) -> str:
    return "\n".join(mail.as_string() for mail in world.mailboxes.get(address, []))


def token(address: str) -> str:
    return address.partition("@")[0].rpartition(".")[2]


def test_a_friend_is_asked_first_and_has_an_address_of_their_own(world: World, seats: dict[str, str]) -> None:
    said = text_of(world.send(ANN, seats["France"], f"DEPUTY Bob <{BOB}> UNTIL 24 December"))
    assert "bob@example.net is asked to order for France, until Thu 24 Dec 2026, 23:59 UTC" in said
    asked = text_of(world.last(BOB))
    assert f"Pat France ({ANN}) asks you to order for France in spring" in asked
    assert not world.game().deputies_of(*world.game().players), "nothing is done before the answer"
    world.accepts(BOB)
    assert "you order for France as deputy" in str(world.last(BOB)["Subject"])
    assert "Your own" not in text_of(world.last(BOB))
    address = reply_to(world.last(BOB))
    assert token(address) != token(seats["France"])
    assert token(seats["France"]) not in everything(world, BOB)
    assert token(address) not in everything(world, ANN)
    assert f"Bob ({BOB}) has said YES and is your deputy for France, until Thu 24 Dec 2026" in text_of(world.last(ANN))
    assert "Pat France (France) has a deputy, Bob, until Thu 24 Dec 2026" in text_of(world.last(MASTER))
    assert not re.search(r"\bBob\b", everything(world, player("Germany")))
    said = text_of(world.send(MASTER, seats["GM"], "DASHBOARD"))
    assert "Away: deputy Bob <bob@example.net>, until Thu 24 Dec 2026, 23:59 UTC Player: Pat France" in said
    assert "deputy of France (running)" in text_of(world.send(BOB, BASE, "WHOAMI"))


def test_a_gamemaster_who_plays_is_told_of_no_deputy(world: World, seats: dict[str, str]) -> None:
    """As DASHBOARD tells them of none: they see what every player sees."""
    germany = player("Germany")
    world.promotes(MASTER, seats["GM"], f"PROMOTE {germany}")
    world.agreed()
    before = count(world, germany)
    appointed(world, seats)
    world.send(ANN, seats["France"], "DEPUTY NONE")
    assert got(world, germany, before) == []
    own = next(reply_to(mail) for mail in reversed(world.mailboxes[germany]) if reply_to(mail) != seats["Germany"])
    for question in ("LOG", "DASHBOARD"):
        assert "deputy" not in text_of(world.send(germany, own, question))
    assert "no longer has a deputy" in text_of(world.last(MASTER))


def test_what_a_deputy_sends_counts_and_the_player_gets_a_copy(world: World, seats: dict[str, str]) -> None:
    address, before = appointed(world, seats), count(world, ANN)
    receipt = world.send(BOB, address, "A PAR-GAS\nA MAR-SPA")
    assert "A Par-Gas" in text_of(receipt)
    (copy,) = got(world, ANN, before)
    assert "Bob, your deputy, has written for you" in text_of(copy)
    assert "A Par-Gas" in text_of(copy)
    assert reply_to(copy) == seats["France"]
    world.send(ANN, seats["France"], "A PAR-BUR")
    shown = text_of(world.send(BOB, address, "MY ORDERS"))
    assert "A Par-Bur" in shown.partition("replaced")[0], "the later order counts"
    assert "A Mar-Spa" in shown.partition("replaced")[0]
    before = count(world, ANN)
    world.send(BOB, address, "STATUS")
    assert not got(world, ANN, before), "a question is not copied"
    for words, said in (("WAIT", "will not be adjudicated"), ("F BRE-MAO\nREADY", "READY"), ("CLEAR", "deleted")):
        before = count(world, ANN)
        world.send(BOB, address, words)
        assert said in text_of(got(world, ANN, before)[-1]), words


@pytest.mark.parametrize(
    "words",
    ["RESIGN spring", "DRAW", "CONCEDE Germany", "EXTEND 24h", "PAUSE", "ALIAS Home = Par", "DIARY LIST", "REVEAL ME",
     "PHASE F1901M\nA PAR-BUR", "HERE", "ABSENCE 2026-12-24", "F1901M A PAR-BUR", "ORDERS FOR France\nA PAR-BUR"],
)  # fmt: skip
def test_what_is_the_players_own_is_not_the_deputys(world: World, seats: dict[str, str], words: str) -> None:
    address = appointed(world, seats)
    said = text_of(world.send(BOB, address, words))
    assert "not acted on" in said or "could not be acted on" in said
    assert "deputy" in said


def test_a_deputys_welcome_says_what_the_player_has_ordered(world: World, seats: dict[str, str]) -> None:
    world.send(ANN, seats["France"], "A PAR-BUR\nA MAR-SPA")
    appointed(world, seats)
    welcome = world.last(BOB)
    assert "Orders of France are in force: A Par-Bur, A Mar-Spa." in text_of(welcome)
    assert "F Bre-\n" in body_of(welcome)
    assert "A Par-\n" not in body_of(welcome)


def test_a_deputy_gets_reports_reminders_and_press(world: World, seats: dict[str, str]) -> None:
    address = appointed(world, seats)
    world.send(player("Germany"), seats["Germany"], "PRESS TO France\nhello\nENDPRESS")
    assert "hello" in text_of(world.last(BOB))
    assert "hello" in text_of(world.last(ANN))
    world.pass_time(days=6, hours=1)
    assert "Reminder" in str(world.last(BOB)["Subject"]) or "orders" in str(world.last(BOB)["Subject"])
    world.send(BOB, address, OPENINGS["France"])
    world.pass_time(days=1)
    result = world.last(BOB)
    assert "S1901M results" in str(result["Subject"])
    assert "Army Paris -> Burgundy" in text_of(result)
    assert reply_to(result) == address


def test_a_deputys_press_says_so_and_the_answer_reaches_both(world: World, seats: dict[str, str]) -> None:
    address = appointed(world, seats)
    world.send(BOB, address, "PRESS TO Germany\nlet us talk\nENDPRESS")
    press = world.last(player("Germany"))
    assert "Press from France (by a deputy) to Germany" in text_of(press)
    assert "Bob" not in press.as_string()
    assert "let us talk" in text_of(world.last(ANN)), "the player gets it, too"
    world.send(player("Germany"), reply_to(press), "yes please")
    assert "yes please" in text_of(world.last(BOB))
    assert "yes please" in text_of(world.last(ANN))
    shown = text_of(world.send(ANN, seats["France"], "PRESS WITH Germany"))
    assert "From France (by a deputy) to Germany" in shown
    assert "yes please" in shown


def test_in_an_anonymous_game_a_deputys_press_names_neither_of_the_two_unasked(world: World) -> None:
    seats = world.started(options="anonymous=yes")
    address, before = appointed(world, seats), count(world, player("Germany"))
    for words in ("I write for Pat.", "Yours,\n\nBob"):
        world.arrive(BOB, address, f"PRESS TO Germany\nlet us talk. {words}\nENDPRESS")
        world.work()
        asked = next(mail for mail in reversed(world.mailboxes[BOB]) if "+confirm." in reply_to(mail))
        assert "tells its readers who you are" in text_of(asked).replace("\n", " ")
    assert count(world, player("Germany")) == before


@pytest.mark.parametrize(
    "way", ["none", "gives up", "by date", "absence", "ejected", "resigned", "forgotten", "another"]
)
def test_it_ends(world: World, seats: dict[str, str], way: str) -> None:
    if way == "absence":
        world.send(ANN, seats["France"], "ABSENCE today TO 2026-11-30")
    address = appointed(world, seats, "UNTIL 22 Nov" if way == "by date" else "")
    if way == "none":
        world.send(ANN, seats["France"], "DEPUTY NONE")
    elif way == "gives up":
        assert "You no longer order for France" in text_of(world.send(BOB, address, "DEPUTY NONE"))
    elif way == "by date":
        world.pass_time(days=2, hours=16)
        assert not world.game().deputies_of(*world.game().players), "at its end, not at the next deadline"
    elif way == "absence":
        world.send(ANN, seats["France"], "ABSENCE NONE")
    elif way == "ejected":
        world.send(MASTER, seats["GM"], "EJECT France")
    elif way == "resigned":
        world.send(ANN, seats["France"], "RESIGN spring")
    elif way == "forgotten":
        world.send(BOB, address, "FORGET ME")
        assert "Your deputy has left this server" in text_of(world.last(ANN))
    else:
        appointed(world, seats, friend=CAROL)
        assert "has another deputy" in everything(world, BOB).replace("=\n", "")
    assert not [
        one for one in world.game().seats if one.is_of(next(iter(world.game().people.values()))) and one.deputy_of
    ]
    said = text_of(world.send(BOB, address, "A PAR-GAS"))
    assert "You are no longer the deputy of France" in said or "not a seat's address" in said
    assert "A Par-Gas" not in text_of(world.send(player("Germany"), seats["Germany"], "STATUS"))
    assert "France" not in world.game().orders_by_power


def test_it_begins_with_the_absence(world: World, seats: dict[str, str]) -> None:
    world.send(ANN, seats["France"], "ABSENCE 2026-11-24 TO 2026-11-26")
    world.send(ANN, seats["France"], f"DEPUTY {BOB}")
    said = text_of(world.accepts(BOB))
    assert "from Tue 24 Nov 2026, 00:00 UTC until Thu 26 Nov 2026, 23:59 UTC" in said
    before = count(world, BOB)
    world.send(player("Germany"), seats["Germany"], "PRESS TO France\nsecret\nENDPRESS")
    assert count(world, BOB) == before, "not before it begins"
    world.pass_time(days=4)
    address = reply_to(world.last(BOB))
    assert "you order for France as deputy" in str(world.last(BOB)["Subject"])
    assert "A Par-Bur" in text_of(world.send(BOB, address, "A PAR-BUR"))
    world.pass_time(days=3)
    assert "no longer order for France" in everything(world, BOB).replace("=\n", "")


def test_press_between_a_player_and_their_deputy_says_whom_it_is_with(world: World, seats: dict[str, str]) -> None:
    address = appointed(world, seats)
    world.send(BOB, address, "PRESS TO France\nShall I go to Burgundy?\nENDPRESS")
    assert str(world.last(ANN)["Subject"]) == "[spring] Press with your deputy"
    assert "Press from your deputy to you:" in text_of(world.last(ANN))
    world.send(ANN, seats["France"], "PRESS TO France\nNo.\nENDPRESS")
    assert str(world.last(BOB)["Subject"]) == "[spring] Press with the player of France"
    assert "Press from the player of France to you:" in text_of(world.last(BOB))


def test_when_it_ends_both_are_told_what_stays_and_the_old_address_says_so(world: World, seats: dict[str, str]) -> None:
    address = appointed(world, seats)
    world.send(BOB, address, "A PAR-BUR\nREADY")
    world.send(BOB, address, "DEPUTY NONE")
    said = " ".join(text_of(world.last(ANN)).split())
    assert "stay in force until you send others, and so does READY until you write WAIT" in said
    said = text_of(world.send(BOB, address, "A PAR-GAS"))
    assert "You are no longer the deputy of France in spring" in said
    assert "JOIN" not in said, "the game is full"
    assert f"ask its player to send the line DEPUTY {BOB}." in said
    assert "A Par-Bur" in text_of(world.send(ANN, seats["France"], "MY ORDERS"))


def test_the_question_can_be_taken_back_declined_and_bounce(world: World, seats: dict[str, str]) -> None:
    world.send(ANN, seats["France"], f"DEPUTY {BOB}")
    world.send(ANN, seats["France"], "DEPUTY NONE")
    assert "This question was withdrawn" in text_of(world.accepts(BOB))
    world.send(ANN, seats["France"], f"DEPUTY {BOB}")
    asked, before = world.last(BOB), count(world, MASTER)
    world.send(BOB, reply_to(asked), "NO")
    assert "You asked bob@example.net to be your deputy. They have answered NO" in text_of(world.last(ANN))
    assert count(world, MASTER) == before, "that is between the two"
    world.send(ANN, seats["France"], f"DEPUTY {CAROL}")
    bounce(world, str(world.last(CAROL)["X-Envelope-From"]), report(CAROL, *UNKNOWN))
    assert "not reached" in str(world.last(ANN)["Subject"]).lower()


def test_nobody_orders_for_two_powers(world: World, seats: dict[str, str]) -> None:
    said = text_of(world.send(ANN, seats["France"], f"DEPUTY {player('Germany')}"))
    assert "plays in spring" in said
    assert "runs spring" in text_of(world.send(ANN, seats["France"], f"DEPUTY {MASTER}"))
    address = appointed(world, seats)
    world.send(MASTER, seats["GM"], "EJECT Italy")
    bound = "in spring as a deputy. A person can order for only one power of a game, also after that has ended"
    for words in ("TAKEOVER spring AS Italy", "STANDBY spring"):
        said = text_of(world.send(BOB, BASE, words))
        assert f"You order for France {bound}" in " ".join(said.split())
    assert "have a seat in spring already" in text_of(world.send(BOB, BASE, "OBSERVE spring"))
    world.send(MASTER, seats["GM"], f"REPLACE Italy WITH {BOB}")
    assert "You order for France in spring as a deputy" in text_of(world.accepts(BOB))
    world.send(BOB, address, "DEPUTY NONE")
    for words in ("TAKEOVER spring AS Italy", "STANDBY spring"):
        said = text_of(world.send(BOB, BASE, words))
        assert f"You have ordered for France {bound}" in " ".join(said.split())
        assert "DEPUTY NONE" not in said, "that would not help"
    before = count(world, BOB)
    said = text_of(world.send(player("Germany"), seats["Germany"], f"DEPUTY {BOB}"))
    assert "is asked to order for Germany" in said, "whose deputy somebody was is not told"
    assert count(world, BOB) == before
    assert "is asked to order for France" in text_of(world.send(ANN, seats["France"], f"DEPUTY {BOB}"))


def test_whoever_becomes_a_deputy_is_offered_no_seat_that_they_could_never_take(
    world: World, seats: dict[str, str]
) -> None:
    for friend in (BOB, CAROL):
        world.send(friend, BASE, "STANDBY spring")
    world.send(player("Italy"), seats["Italy"], "RESIGN spring")
    assert "TAKEOVER spring AS Italy" in text_of(world.last(BOB))
    appointed(world, seats)
    assert "TAKEOVER spring AS Italy" in text_of(world.last(CAROL)), "it is the next one's, at once"
    assert "You play Italy in spring" in text_of(world.send(CAROL, BASE, "TAKEOVER spring AS Italy"))


def test_a_former_deputy_of_an_older_standby_list_is_passed_over(world: World, seats: dict[str, str]) -> None:
    address = appointed(world, seats)
    world.send(BOB, address, "DEPUTY NONE")
    with world.service.transaction() as tx:
        for friend in (BOB, CAROL):
            account = person_at(tx.session, friend) or tx.register(friend, "Carol")
            people.add_standby(tx.session, world.game().id, account.id, tx.now)
    before = count(world, BOB)
    world.send(player("Italy"), seats["Italy"], "RESIGN spring")
    assert all("a seat for you" not in str(mail["Subject"]) for mail in got(world, BOB, before))
    assert "TAKEOVER spring AS Italy" in text_of(world.last(CAROL))
    world.send(ANN, seats["France"], "RESIGN spring")
    assert "TAKEOVER spring AS France" in text_of(world.last(BOB)), "the power for which they have ordered"


def test_in_an_anonymous_game_a_player_who_is_asked_learns_nothing_nor_does_who_asks(world: World) -> None:
    seats = world.started(options="anonymous=yes")
    before = count(world, player("Germany"))
    of_player = world.send(ANN, seats["France"], f"DEPUTY {player('Germany')}")
    world.send(ANN, seats["France"], "DEPUTY NONE")
    of_friend = world.send(ANN, seats["France"], f"DEPUTY {BOB}")
    assert count(world, player("Germany")) == before
    assert text_of(of_player).replace(player("Germany"), BOB) == text_of(of_friend)
    address = reply_to(world.accepts(BOB))
    world.send(BOB, address, "PRESS TO ALL\nhi\nENDPRESS")
    for power in ("Germany", "Italy"):
        assert not re.search(r"\bBob\b", everything(world, player(power)))
        assert "Pat France" not in everything(world, player(power))
    assert "Pat Germany" not in everything(world, BOB)


def test_the_secret_seat_has_no_deputy(world: World) -> None:
    master = reply_to(world.send(MASTER, BASE, "CREATE hidden variant=among-us"))
    for number in range(8):
        world.send(f"p{number}@players.example", BASE, "JOIN hidden")
    world.send(MASTER, master, "START hidden")
    game = world.game("hidden")
    secret = next(seat for seat in game.players if game.is_secret(seat))
    assert secret.person is not None
    holder = secret.person.addresses[0]
    before = count(world, MASTER)
    address = next(reply_to(mail) for mail in reversed(world.mailboxes[holder]) if "+hidden." in reply_to(mail))
    assert "can have no deputy" in text_of(world.send(holder, address, f"DEPUTY {BOB}"))
    assert count(world, MASTER) == before
    assert not world.mailboxes.get(BOB)
    other = next(seat for seat in game.players if seat.person is not None and not game.is_secret(seat))
    assert other.person is not None
    theirs = other.person.addresses[0]
    address = next(reply_to(mail) for mail in reversed(world.mailboxes[theirs]) if "+hidden." in reply_to(mail))
    before = count(world, holder)
    said = text_of(world.send(theirs, address, f"DEPUTY {holder}"))
    assert "is asked to order" in said, "that somebody holds the secret seat is not told"
    assert count(world, holder) == before


def test_a_deadline_does_not_move_for_a_player_who_has_a_deputy(world: World, seats: dict[str, str]) -> None:
    appointed(world, seats)
    due = world.game().due_at
    world.send(ANN, seats["France"], "ABSENCE 2026-11-26 TO 2026-11-28")
    assert world.game().due_at == due


def test_forgers_and_strangers(place: Place) -> None:
    seats = place.seats_of_spring
    place.does(ANN, seats["France"], f"DEPUTY {BOB}")
    place.accepts(BOB)
    address = reply_to(place.last(BOB))
    before = count(place, ANN)
    place.arrive("eve@elsewhere.example", address, "A PAR H")
    place.work()
    assert "Did you write this?" in str(place.last(BOB)["Subject"]), "the deputy is asked, not the player"
    assert count(place, ANN) == before
    with place.forging():
        place.arrive(BOB, seats["France"], "A PAR H")
    place.work()
    assert "Did you write this?" in str(place.last(ANN)["Subject"]), "as in anybody's name, without proof"
    place.arrive(BOB, seats["France"], "A PAR H")
    place.work()
    assert "new address" in str(place.last(ANN)["Subject"])
    assert "another player's seat" in text_of(place.last(BOB))
    assert "France" not in place.game().orders_by_power
    address = next(reply_to(mail) for mail in reversed(place.mailboxes[BOB]) if "+spring." in reply_to(mail))
    with place.forging():
        place.arrive(BOB, address, "A PAR-PIC")
        place.work()
    quarantined = "France" not in place.game().orders_by_power
    assert quarantined is (place.service.identity.trust.level == "strict")


def test_a_forged_request_gives_nobody_a_seat(place: Place) -> None:
    with place.forging():
        place.arrive(ANN, place.seats_of_spring["France"], f"DEPUTY {BOB}")
        place.work()
    assert not place.mailboxes.get(BOB), "its player is asked first"


def test_a_rollback_keeps_what_the_deputy_sent(world: World, seats: dict[str, str]) -> None:
    address = appointed(world, seats)
    world.send(BOB, address, OPENINGS["France"])
    world.pass_time(days=8)
    world.send(MASTER, seats["GM"], "ROLLBACK S1901M")
    assert "A Par-Bur" in text_of(world.send(BOB, address, "MY ORDERS"))
    assert "S1901M" in everything(world, BOB)
    assert "A Par-Pic" in text_of(world.send(BOB, address, "A PAR-PIC"))


def test_a_deputys_address_that_others_saw_is_replaced(world: World, seats: dict[str, str]) -> None:
    address = appointed(world, seats)
    world.send(BOB, address, f"PRESS TO Germany\nwrite to {address}\nENDPRESS")
    assert token(address) not in everything(world, player("Germany"))
    assert token(reply_to(world.last(BOB))) != token(address)


def test_the_digest_of_a_deputy(world: World, seats: dict[str, str]) -> None:
    appointed(world, seats)
    world.send(BOB, BASE, "PREFERENCES digest=07:00")
    world.send(player("Germany"), seats["Germany"], "PRESS TO France\nhello\nENDPRESS")
    world.send(MASTER, seats["GM"], "OFFICIAL\nbe quick\nENDOFFICIAL")
    world.pass_time(hours=23)
    digest = world.last(BOB)
    assert "Deputy of France" in text_of(digest)
    world.arrive(BOB, reply_to(digest), "GAME spring\nA PAR-BUR")
    world.work()
    assert "A Par-Bur" in text_of(world.last(BOB))
    assert "Bob, your deputy" in body_of(world.last(ANN)).replace("\n", " ")


def test_press_of_a_deputy_in_a_digest_says_how_it_is_answered(world: World, seats: dict[str, str]) -> None:
    germany = player("Germany")
    world.send(germany, seats["Germany"], "PREFERENCES digest=07:00")
    address = appointed(world, seats)
    world.send(BOB, address, "PRESS TO Germany\nlet us talk\nENDPRESS")
    world.send(MASTER, seats["GM"], "OFFICIAL\nbe quick\nENDOFFICIAL")
    world.pass_time(hours=23)
    said = text_of(world.last(germany))
    assert "Press from France (by a deputy) to Germany" in said
    assert "PRESS TO France, your text and ENDPRESS" in said


@pytest.mark.parametrize("address", ["mailer-daemon@example.net", "no-reply@example.net"])
def test_no_program_is_asked(world: World, seats: dict[str, str], address: str) -> None:
    asking = (ANN, seats["France"], f"DEPUTY {address}"), (MASTER, seats["GM"], f"REPLACE Italy WITH {address}")
    for who, to, line in asking:
        assert "is the address of a program" in text_of(world.send(who, to, line))
    assert not world.mailboxes.get(address)
