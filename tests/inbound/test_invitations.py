"""People who are asked to play: by INVITE, by REPLACE, by the standby list; and what everybody is told of a change."""

from __future__ import annotations

import re
from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.inbound.test_first_contact import buttons
from tests.server.bounces import UNKNOWN, bounce, report
from tests.server.kept import kept
from tests.server.world import BASE, World, body_of, player, quotation_of, reply_to, text_of

MASTER, ANN, BOB = "master@example.org", "ann@example.net", "bob@example.net"


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


@kept
def invited(world: World, line: str = f"INVITE Ann Lee <{ANN}> AS France", options: str = "") -> EmailMessage:
    """Somebody is invited to club. Returns the gamemaster's receipt."""
    seat = reply_to(world.send(MASTER, BASE, f"CREATE club {options}"))
    return world.send(MASTER, seat, line)


def test_an_invitation_is_accepted_with_one_tap(world: World) -> None:
    invited(world, options="admission=invited")
    asked = world.last(ANN)
    assert str(asked["Subject"]) == "[club] Master invites you to a game of Diplomacy by mail"
    text = body_of(asked)
    assert re.search(r"^Press +white: signed with the power$", text, re.MULTILINE), "the terms are a table"
    assert "of all who ask for a power, the first to join gets it" in text_of(asked)
    found = buttons(asked)
    assert list(found) == ["YES", "NO", "HELP DIPLOMACY", "HELP", "RULES club"]
    assert "mailto:" not in text, "what a tap sends stands there as words"
    joined = text_of(world.send(ANN, reply_to(asked), f"{found['YES'][1]}\n\n-- \nAnn"))
    assert "You have a seat in club" in joined
    assert "You asked to play France" in joined
    assert "seats is taken" in joined
    assert "Ann has joined and would like to play France" in text_of(world.last(MASTER))
    assert "answered YES before" in text_of(world.send(ANN, reply_to(asked), "YES"))
    assert len(world.game("club").held) == 1


def test_who_declines_is_thanked_and_the_gamemaster_is_told(world: World) -> None:
    receipt = invited(world)
    asked = world.last(ANN)
    assert "You have declined" in text_of(world.send(ANN, reply_to(asked), "No, thank you"))
    assert str(world.last(MASTER)["Subject"]) == f"[club] Declined by {ANN}"
    assert not world.game("club").held
    before = len(world.mailboxes[ANN])
    assert "is invited to club" in text_of(world.send(MASTER, reply_to(receipt), f"INVITE {ANN}")), (
        "they can be asked again"
    )
    assert len(world.mailboxes[ANN]) == before + 1


def test_a_kind_yes_accepts_and_the_rest_is_said_to_go_to_nobody(world: World) -> None:
    invited(world)
    joined = text_of(world.send(ANN, reply_to(world.last(ANN)), "YES, please. Who else plays?\n\nBest regards\nAnn"))
    assert "You have a seat in club" in joined
    assert "went to nobody: 'YES, please. Who else plays?'" in joined


@pytest.mark.parametrize(
    "words", ["REGISTER Anne Example\n\nYES", "YES\nREGISTER Anne Example", "Register Anne Example\nYes please!"]
)
def test_a_yes_beside_register_joins_under_that_name(world: World, words: str) -> None:
    invited(world)
    joined = text_of(world.send(ANN, reply_to(world.last(ANN)), words))
    assert "You are registered as Anne Example" in joined
    assert "You have a seat in club" in joined
    assert "Anne Example has joined and would like to play France" in text_of(world.last(MASTER))


def test_a_yes_counts_though_the_name_beside_it_is_refused(world: World) -> None:
    invited(world)
    joined = text_of(world.send(ANN, reply_to(world.last(ANN)), "REGISTER France\nYES"))
    assert "cannot be your name" in joined
    assert "You have a seat in club" in joined


def test_a_yes_that_cannot_be_acted_on_is_said_beside_what_was_done(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gm.commands.joining.NAMES", ())
    invited(world, f"INVITE {ANN}", "variant=quantum-space")
    joined = text_of(world.send(ANN, reply_to(world.last(ANN)), "REGISTER Anne Example\nYES"))
    assert "You are registered as Anne Example" in joined
    assert "In this game you name your own power. Add AS and a name of your own: JOIN club AS Zorg." in joined


def test_a_yes_with_a_condition_is_asked_back_with_the_buttons(world: World) -> None:
    invited(world)
    asked = world.last(ANN)
    back = world.send(ANN, reply_to(asked), "Yes, if my brother can play too")
    assert str(back["Subject"]) == f"{asked['Subject']}: not understood"
    assert {word: link[1:] for word, link in buttons(back).items()}.keys() == {"YES", "NO"}
    assert not world.game("club").held
    assert "You have a seat in club" in text_of(world.send(ANN, reply_to(back), buttons(back)["YES"][1]))


@pytest.mark.parametrize("words", ["JOIN club AS Italy", "I'd like another one:\nJOIN club AS Italy"])
def test_a_command_in_reply_to_an_invitation_is_done(world: World, words: str) -> None:
    invited(world)
    assert "You asked to play Italy" in text_of(world.send(ANN, reply_to(world.last(ANN)), words))


@pytest.mark.parametrize(
    ("words", "said"),
    [("Hello, who is this?", "Nothing was done yet"), ("JOIN club AS Italy", "You asked to play Italy")],
)
@pytest.mark.parametrize("name", ["club", "friends-of-dip", "friends-of-diplomacy", "a-game-for-all-of-my-friends"])
def test_no_line_of_the_invitation_is_a_command_in_its_reply(world: World, name: str, words: str, said: str) -> None:
    """Some programs quote without a mark; a line may begin with JOIN or STOP, however the text is broken."""
    seat = reply_to(world.send(MASTER, BASE, f"CREATE {name}"))
    world.send(MASTER, seat, f"INVITE {ANN} AS France")
    asked = world.last(ANN)
    answer = text_of(world.send(ANN, reply_to(asked), f"{words}\n\n{quotation_of(asked)}".replace("club", name)))
    assert said in answer
    assert "not invited" not in answer
    again = text_of(world.send(MASTER, seat, f"INVITE {ANN} AS Italy"))
    assert "does not want" not in again, "nothing is stopped"


def test_a_power_is_suggested_to_the_person_whose_address_is_before_it(world: World) -> None:
    said = text_of(invited(world, f"INVITE {ANN} AS France, {BOB}, carl@example.net AS Russia"))
    assert f"{ANN} is invited to club as France. {BOB} is invited to club. carl@example.net is" in said
    assert "join as Russia" in text_of(world.last("carl@example.net"))


def test_stop_in_reply_to_an_invitation_ends_them(world: World) -> None:
    receipt = invited(world)
    world.send(ANN, reply_to(world.last(ANN)), "STOP club")
    assert "does not want mail like this" in text_of(world.send(MASTER, reply_to(receipt), f"INVITE {ANN} AS Italy"))


def test_words_alone_leave_the_question_open(world: World) -> None:
    invited(world)
    asked = world.last(ANN)
    assert "Nothing was done yet" in text_of(world.send(ANN, reply_to(asked), "What is this?"))
    assert "You have a seat" in text_of(world.send(ANN, reply_to(asked), "Yes"))


def test_nobody_else_accepts_an_invitation(world: World) -> None:
    invited(world)
    assert "sent to another address" in text_of(world.send("eve@evil.example", reply_to(world.last(ANN)), "YES"))
    assert not world.game("club").held


def test_several_are_invited_at_once_and_each_fault_is_named(world: World) -> None:
    receipt = text_of(invited(world, f"INVITE Ann Lee <{ANN}>, {BOB}; gm@example.org"))
    assert f"{ANN} is invited to club. {BOB} is invited to club." in receipt
    assert "gm@example.org is an address of this server" in receipt
    assert "invites you to club" in text_of(world.last(ANN))
    assert "invites you to club" in text_of(world.last(BOB))


def test_a_power_within_a_list_is_for_the_address_before_it(world: World) -> None:
    receipt = text_of(invited(world, f"INVITE pat@example.net, Bob B. <{BOB}> AS ENGLAND; {ANN}"))
    assert "pat@example.net is invited to club." in receipt
    assert f"{BOB} is invited to club as England. {ANN} is invited to club." in receipt


@pytest.mark.parametrize(("name", "seen"), [("", "Bob B."), ("Robert", "Robert")])
def test_the_name_in_an_invitation_is_that_of_who_has_given_none(world: World, name: str, seen: str) -> None:
    invited(world, f'INVITE {ANN}, "Bob B." <{BOB}>')
    sender = {"From": f"{name} <{BOB}>"}
    joined = text_of(world.send(BOB, reply_to(world.last(BOB)), "YES", headers=sender))
    (seat,) = world.game("club").held
    assert seat.person is not None
    assert seat.person.name == seen
    assert ("Others see you as Bob B." in joined) is (not name)


@pytest.mark.parametrize(("options", "who"), [("", f"({MASTER})"), ("anonymous=yes", "The gamemaster")])
def test_an_inviter_without_a_name_is_known_by_their_address(world: World, options: str, who: str) -> None:
    created = world.send(MASTER, BASE, f"CREATE club {options}", headers={"From": f"<{MASTER}>"})
    world.send(MASTER, reply_to(created), f"INVITE {ANN}")
    assert f"{who} invites you to club" in text_of(world.last(ANN))


def test_who_joins_without_the_button_has_the_wish_of_the_invitation(world: World) -> None:
    invited(world)
    page = world.send(ANN, BASE, "Hello! What is this?")
    assert "you are invited; Diplomacy" in text_of(page)
    assert next(iter(buttons(page))) == "JOIN club AS France"
    assert "You asked to play France" in text_of(world.send(ANN, BASE, "JOIN club"))


def test_a_power_is_named_by_who_accepts(world: World) -> None:
    invited(world, f"INVITE {ANN}", "variant=outer-space")
    asked = world.last(ANN)
    assert list(buttons(asked)) == ["YES", "NO", "HELP DIPLOMACY", "HELP", "RULES club"]
    assert "You play Krell" in text_of(world.send(ANN, reply_to(asked), "YES"))
    assert "You play Vogon" in text_of(world.send(ANN, reply_to(asked), "JOIN club AS Vogon"))


def test_a_bounce_tells_the_gamemaster(world: World) -> None:
    receipt = invited(world)
    bounce(world, str(world.last(ANN)["X-Envelope-From"]), report(ANN, *UNKNOWN))
    told = world.last(MASTER)
    assert str(told["Subject"]) == f"[club] Not reached: {ANN}"
    assert "No such user" in text_of(told)
    assert "is invited" in text_of(world.send(MASTER, reply_to(receipt), f"INVITE {ANN}")), "with the address mended"


def test_an_invitation_is_open_for_two_weeks(world: World) -> None:
    invited(world)
    asked = world.last(ANN)
    world.pass_time(days=15)
    assert "LIST OPEN shows the games with a free seat" in text_of(world.send(ANN, reply_to(asked), "YES"))
    assert not world.game("club").held


def test_the_new_player_is_asked_before_being_seated(world: World) -> None:
    seats, italy = world.started(), player("Italy")
    said = text_of(world.send(MASTER, seats["GM"], f"REPLACE Italy WITH Ann Lee <{ANN}>"))
    assert "as soon as they say YES" in said
    assert "asks you to play Italy in spring" in text_of(world.last(ANN))
    assert "Your mail was understood" in text_of(world.send(italy, seats["Italy"], "A VEN H"))
    told = len(world.mailboxes[player("France")])
    answer = text_of(world.send(ANN, reply_to(world.last(ANN)), "YES"))
    assert "You play Italy in spring" in answer
    assert "is not your seat any more" in text_of(world.send(italy, seats["Italy"], "A VEN H"))
    (notice,) = world.mailboxes[player("France")][told:]
    assert "Ann now plays Italy." in text_of(notice)
    assert "given Italy to another player" in " ".join(map(text_of, world.mailboxes[italy]))


def test_who_declines_a_power_leaves_it_as_it_was(world: World) -> None:
    seats = world.started()
    world.send(MASTER, seats["GM"], f"REPLACE Italy WITH {ANN}")
    world.send(ANN, reply_to(world.last(ANN)), "NO")
    assert f"You asked {ANN} to play Italy" in text_of(world.last(MASTER))
    assert "Your mail was understood" in text_of(world.send(player("Italy"), seats["Italy"], "A VEN H"))


def test_of_two_who_were_asked_the_first_plays(world: World) -> None:
    seats = world.started()
    world.send(MASTER, seats["GM"], f"REPLACE Italy WITH {ANN}\nREPLACE Italy WITH {BOB}")
    assert "You play Italy" in text_of(world.accepts(BOB))
    assert "has been given to somebody else" in text_of(world.accepts(ANN))


def test_a_vacancy_is_told_to_everybody_in_one_sentence(world: World) -> None:
    seats = world.started()
    world.send(player("Italy"), seats["Italy"], "RESIGN spring")
    sentence = "The player of Italy, Pat Italy, has resigned; Italy has no player until somebody takes it over."
    assert sentence in text_of(world.last(player("France")))
    assert "has resigned" in text_of(world.last(MASTER))
    world.send(MASTER, seats["GM"], "EJECT Germany")
    assert "Germany, Pat Germany, was removed by the gamemaster" in text_of(world.last(player("France")))
    world.send(player("Turkey"), seats["Turkey"], "FORGET ME")
    assert "The player of Turkey has left this server" in text_of(world.last(player("France")))


def test_a_vacancy_names_nobody_where_names_are_hidden(world: World) -> None:
    seats = world.started("masks", "anonymous=yes")
    world.send(player("Italy"), seats["Italy"], "RESIGN masks")
    assert "The player of Italy has resigned" in text_of(world.last(player("France")))


def test_the_standby_list_is_asked_with_buttons(world: World) -> None:
    seats = world.started()
    world.send(ANN, BASE, "STANDBY spring")
    world.send(player("Italy"), seats["Italy"], "RESIGN spring")
    found = buttons(world.last(ANN))
    assert list(found) == ["TAKEOVER spring AS Italy", "STANDBY spring OFF"]
    assert "You play Italy" in text_of(world.send(ANN, *found["TAKEOVER spring AS Italy"]))


def test_the_dashboard_shows_who_is_still_invited(world: World) -> None:
    with world.trusting():
        chair = reply_to(world.send(MASTER, BASE, "CREATE spring"))
        world.send(MASTER, chair, f"INVITE {ANN}, carl@example.org")
        world.accepts(ANN)
        assert "Invited: carl@example.org" in text_of(world.send(MASTER, chair, "DASHBOARD"))


@pytest.mark.parametrize("how", ["EJECT Italy", "REPLACE Italy WITH carl@example.org"])
def test_who_was_invited_and_is_out_is_not_shown_as_invited(world: World, seats: dict[str, str], how: str) -> None:
    with world.trusting():
        world.send(MASTER, seats["GM"], f"EJECT Italy\nINVITE {ANN}")
        world.send(ANN, BASE, "REGISTER Ann\nTAKEOVER spring AS Italy")
        assert "Ann" in text_of(world.send(MASTER, seats["GM"], "DASHBOARD"))
        world.send(MASTER, seats["GM"], how)
        if how.startswith("REPLACE"):
            world.accepts("carl@example.org")
            assert "Invited" not in text_of(world.send(MASTER, seats["GM"], "DASHBOARD"))
            world.send(MASTER, seats["GM"], "EJECT Italy")
    assert "Invited" not in text_of(world.send(MASTER, seats["GM"], "DASHBOARD"))
    world.pass_time(minutes=1)
    assert f"{ANN} is invited to spring." in text_of(world.send(MASTER, seats["GM"], f"INVITE {ANN}"))
    assert f"Invited: {ANN}" in text_of(world.send(MASTER, seats["GM"], "DASHBOARD"))


# ---- MUSTER


@kept
def mustered(world: World) -> dict[str, str]:
    """Three players have answered the roll call: by its button, by HERE and by orders."""
    seats = world.started(options="first=4d")
    world.send(ANN, BASE, "STANDBY spring")
    said = text_of(world.send(MASTER, seats["GM"], "MUSTER"))
    assert "Seven players must say by Sun 22 Nov" in said
    asked = world.last(player("France"))
    found = buttons(asked)
    assert list(found) == ["HERE", "RESIGN spring"]
    assert "Thank you, France is there" in text_of(world.send(player("France"), *found["HERE"]))
    world.send(player("Italy"), seats["Italy"], "here")
    world.send(player("Turkey"), seats["Turkey"], "Here are my orders:\nA CON-BUL")
    return seats


def test_who_does_not_answer_the_roll_call_is_replaced_from_the_standby_list(world: World) -> None:
    mustered(world)
    world.pass_time(hours=47)
    assert len([seat for seat in world.game().players if seat.person is not None]) == 7
    world.pass_time(hours=2)
    left = [seat.power for seat in world.game().players if seat.person is not None]
    assert sorted(filter(None, left)) == ["France", "Italy", "Turkey"]
    assert "Vacant now: Austria, England, Germany and Russia." in text_of(world.last(MASTER))
    assert "did not answer the roll call; " in text_of(world.last(player("France")))
    lost = world.last(player("England"))
    assert list(buttons(lost)) == ["TAKEOVER spring AS England"]
    assert next(iter(buttons(world.last(ANN)))) == "TAKEOVER spring AS Austria"
    assert "You play England" in text_of(world.send(player("England"), *buttons(lost)["TAKEOVER spring AS England"]))


def test_a_roll_call_can_be_cancelled(world: World) -> None:
    seats = mustered(world)
    assert "is cancelled" in text_of(world.send(MASTER, seats["GM"], "MUSTER OFF"))
    world.pass_time(hours=49)
    assert len([seat for seat in world.game().players if seat.person is not None]) == 7


def test_where_there_is_no_roll_call_none_is_cancelled(world: World, seats: dict[str, str]) -> None:
    assert "There is no roll call to cancel." in text_of(world.send(MASTER, seats["GM"], "MUSTER OFF"))


def test_only_who_must_answer_the_roll_call_is_asked_once_more(world: World) -> None:
    seats = mustered(world)
    before = {power: len(world.mailboxes[player(power)]) for power in seats if power != "GM"}
    said = text_of(world.send(MASTER, seats["GM"], "MUSTER"))
    assert "Four players must say by" in said
    assert "from the others something has come already" in said
    asked = {power for power, count in before.items() if len(world.mailboxes[player(power)]) > count}
    assert asked == {"Austria", "England", "Germany", "Russia"}
    for power in asked:
        world.send(player(power), seats[power], "HERE")
    assert "Nobody needs to be asked" in text_of(world.send(MASTER, seats["GM"], "MUSTER"))
    world.send(MASTER, seats["GM"], "MUSTER OFF")
    assert "Six players must say" in text_of(world.send(MASTER, seats["GM"], "MUSTER")), (
        "all but Turkey, who has ordered"
    )


def test_a_roll_call_names_its_time_in_the_zone_of_the_game(world: World) -> None:
    seats = world.started(options="first=4d zone=Europe/Berlin")
    world.send(MASTER, seats["GM"], "MUSTER")
    assert "by Sun 22 Nov 2026, 10:00 CET" in " ".join(text_of(world.last(player("France"))).split())


def test_a_roll_call_ends_with_its_phase(world: World) -> None:
    seats = mustered(world)
    world.send(MASTER, seats["GM"], "PROCESS S1901M")
    world.send(MASTER, seats["GM"], "ROLLBACK S1901M")
    world.pass_time(hours=49)
    assert len([seat for seat in world.game().players if seat.person is not None]) == 7


@pytest.mark.parametrize("when", ["MUSTER in 5d", "MUSTER 2026-11-01"])
def test_a_roll_call_is_before_the_deadline(world: World, when: str) -> None:
    seats = world.started(options="first=4d")
    assert "could not be acted on" in text_of(world.send(MASTER, seats["GM"], when))


def test_orders_do_not_answer_the_roll_call_where_a_seat_reviews_them(world: World) -> None:
    """In Among Us it must not be seen who has sent orders."""
    with world.trusting():
        seat = reply_to(world.send(MASTER, BASE, "CREATE spring variant=among-us"))
        for number in range(8):
            world.send(f"p{number}@example.net", BASE, "JOIN spring")
        world.send(MASTER, seat, "START")
    world.send(MASTER, seat, "MUSTER")
    assert "Orders count" not in text_of(world.last("p0@example.net"))
    world.pass_time(hours=49)
    assert not [seat.power for seat in world.game().players if seat.person is not None]


@pytest.mark.parametrize("answers", [True, False])
@pytest.mark.parametrize("plays", [True, False])
def test_the_alien_is_asked_too_and_nobody_learns_it_who_may_not(world: World, plays: bool, answers: bool) -> None:
    master = "p9@example.net" if plays else MASTER
    with world.trusting():
        hidden = "yes" if plays else "no"
        chair = reply_to(world.send(master, BASE, f"CREATE spring variant=among-us anonymous={hidden}"))
        for number in range(2 if plays else 1, 10 if plays else 9):
            world.send(f"p{number}@example.net", BASE, "JOIN spring")
        world.send(master, chair, "START")
        assert "Seven players must say" in text_of(world.send(master, chair, "MUSTER"))
        held = {str(one.power): one for one in world.game().players if one.person is not None}
        addresses = {power: one.person.addresses[0] for power, one in held.items() if one.person is not None}
        for power, address in addresses.items():
            call = next(mail for mail in reversed(world.mailboxes[address]) if "Are you there?" in str(mail["Subject"]))
            if answers or power not in ("the Alien", "France"):
                world.send(address, reply_to(call), "HERE")
    said = text_of(world.send(master, chair, "DASHBOARD"))
    assert ("No answer to MUSTER yet: France." in said) == (not plays and not answers)
    assert ("All have answered MUSTER." in said) == (not plays and answers)
    before = {address: len(mails) for address, mails in world.mailboxes.items()}
    world.pass_time(hours=49)
    left = {one.power for one in world.game().players if one.person is None}
    assert left == (set() if answers else {"France"} if plays else {"France", "the Alien"})
    later = ((who, mail) for who, mails in world.mailboxes.items() for mail in mails[before.get(who, 0) :])
    told = {who for who, mail in later if "Alien" in f"{mail['Subject']} {body_of(mail)}"}
    assert told == (set() if answers or plays else {addresses["the Alien"], MASTER})


@pytest.mark.parametrize(("options", "asked"), [("", "Seven"), ("progress=yes", "Six")])
def test_a_gamemaster_who_plays_does_not_learn_by_a_roll_call_who_has_ordered(
    world: World, options: str, asked: str
) -> None:
    italy = player("Italy")
    seats = world.started(options=f"first=4d {options}", master=italy)
    world.send(player("Turkey"), seats["Turkey"], "A CON-BUL")
    assert f"{asked} players must say by" in text_of(world.send(italy, seats["GM"], "MUSTER"))


def test_who_takes_any_seat_leaves_the_standby_list(world: World) -> None:
    chair = reply_to(world.send(MASTER, BASE, "CREATE spring"))
    for person in (ANN, player("Italy")):
        world.send(person, BASE, "STANDBY spring")
    world.send(player("Italy"), BASE, "JOIN spring")
    said = text_of(world.send(MASTER, chair, "DASHBOARD"))
    assert re.search(r"On standby: \S+ <ann@", said)
    assert "italy@players.example" not in said.partition("On standby")[2]


def test_an_address_that_begins_like_a_question_is_invited(world: World) -> None:
    text = "CREATE ota variant=france-austria\nmay@example.net AS France\ncan@example.net AS Austria"
    said = text_of(world.send("new@example.com", BASE, text))
    assert "may@example.net is invited to ota as France." in said
    assert "can@example.net is invited to ota as Austria." in said
