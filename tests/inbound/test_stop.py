"""STOP by mail, at every level of trust: what others cause ends at once, and nobody is silenced by a forged mail."""

from __future__ import annotations

import pytest

from tests.inbound.test_limits import flood
from tests.server.world import BASE, Place, player, reply_to, text_of

MASTER, FRANCE = "master@example.org", player("France")


@pytest.mark.way_in(number=17)
def test_somebody_who_says_stop_is_not_written_to_at_the_wish_of_others(place: Place) -> None:
    seats, eve = place.seats_of_spring, "eve@strangers.example"
    place.send(MASTER, BASE, "CREATE summer")
    summer = reply_to(place.last(MASTER))
    place.send(MASTER, summer, f"INVITE {eve}")
    assert "STOP summer" in text_of(place.last(eve))
    assert "STOP%20summer" in place.last(eve)["List-Unsubscribe"]
    assert "not invited to summer again" in text_of(place.send(eve, BASE, "STOP summer"))
    assert "does not want mail like this" in text_of(place.send(MASTER, summer, f"INVITE {eve} AS France"))
    place.send(MASTER, BASE, "CREATE autumn")
    place.send(MASTER, reply_to(place.last(MASTER)), f"INVITE {eve}")
    assert "invites you to autumn" in text_of(place.last(eve))
    assert "Nobody can have mail sent to you" in text_of(place.send(eve, BASE, "STOP"))
    before = len(place.mailboxes[eve])
    place.send(MASTER, BASE, "CREATE winter")
    for line in (f"INVITE {eve}", f"PROMOTE {eve}", f"ADDRESS ADD {eve}"):
        place.send(MASTER, reply_to(place.last(MASTER)), line)
    place.send(MASTER, seats["GM"], f"REPLACE FRANCE WITH {eve}")
    flood(place, eve, BASE, "REGISTER Eve\nLIST", 3)
    assert len(place.mailboxes[eve]) == before
    place.send(FRANCE, BASE, "STOP")
    asked = len(place.mailboxes[FRANCE])
    place.arrive("thief@evil.example", seats["France"], "A PAR-BUR")
    place.work()
    assert len(place.mailboxes[FRANCE]) == asked
    assert "Nothing is stopped any more" in text_of(place.send(eve, BASE, "STOP NONE"))


@pytest.mark.parametrize("who", ["eve@strangers.example", FRANCE])
def test_a_forger_cannot_start_what_was_stopped(place: Place, who: str) -> None:
    place.send(who, BASE, "STOP")
    before = len(place.mailboxes[who])
    flood(place, who, BASE, "STOP NONE", 5)
    new = place.mailboxes[who][before:]
    (question,) = [mail for mail in new if "+confirm." in reply_to(mail)]
    assert len(new) <= 2, "one question, and the answer that names it"
    flood(place, who, BASE, "LIST", 1)
    assert len(place.mailboxes[who]) == before + len(new), "the questions 'Did you write this?' end too"
    with place.forging():
        place.arrive(who, reply_to(question), "YES")
        place.work()
    assert "Nothing is stopped any more" in text_of(place.last(who))
    flood(place, who, BASE, "LIST", 1)
    assert len(place.mailboxes[who]) == before + len(new) + 2


@pytest.mark.parametrize("who", ["eve@strangers.example", MASTER])
def test_a_forged_stop_silences_nobody(place: Place, who: str) -> None:
    """It ends what others can have sent, and never the answers to the person's own mail."""
    flood(place, who, BASE, "STOP", 1)
    assert "STOP NONE" in text_of(place.last(who))
    place.send("gm2@example2.org", BASE, "CREATE summer")
    summer = reply_to(place.last("gm2@example2.org"))
    assert "does not want mail like this" in text_of(place.send("gm2@example2.org", summer, f"INVITE {who}"))
    before = len(place.mailboxes[who])
    flood(place, who, BASE, "LIST", 1)
    assert len(place.mailboxes[who]) == before + 1
    flood(place, who, BASE, "STOP NONE", 1)
    question = next(mail for mail in reversed(place.mailboxes[who]) if "+confirm." in reply_to(mail))
    place.send(who, reply_to(question), "YES")
    assert "Nothing is stopped any more" in text_of(place.last(who))
    assert "is invited to summer" in text_of(place.send("gm2@example2.org", summer, f"INVITE {who}"))


@pytest.mark.way_in(number=17)
def test_another_players_press_can_be_stopped(place: Place) -> None:
    seats = place.seats_of_spring
    assert "no more press from Italy" in text_of(place.send(FRANCE, seats["France"], "STOP PRESS FROM ITALY"))
    before = len(place.mailboxes[FRANCE])
    answer = text_of(place.send(player("Italy"), seats["Italy"], "PRESS TO FRANCE\nhello\nENDPRESS"))
    assert "does not want press from you" in answer
    both = text_of(place.send(player("Italy"), seats["Italy"], "PRESS TO FRANCE, RUSSIA\nhi\nENDPRESS"))
    assert "but not to France, where press from you is stopped" in both
    two = "PRESS TO ALL\nhello\nENDPRESS\nPOSTAL PRESS TO ALL\nlater\nENDPRESS"
    assert text_of(place.send(player("Italy"), seats["Italy"], two)).count("but not to France") == 2
    assert len(place.mailboxes[FRANCE]) == before
    assert "hello" in text_of(place.last(player("Russia")))
    place.pass_time(days=9)
    assert "later" not in text_of(place.last(FRANCE))
    assert "later" in text_of(place.last(player("Russia")))
    place.send(FRANCE, seats["France"], "STOP NONE")
    place.send(player("Italy"), seats["Italy"], "PRESS TO FRANCE\nhello again\nENDPRESS")
    assert "hello again" in text_of(place.last(FRANCE))


def test_who_is_replaced_can_answer_the_mail_that_says_so(place: Place) -> None:
    place.does(MASTER, place.seats_of_spring["GM"], "REPLACE France WITH heir@example.org")
    place.accepts("heir@example.org")
    goodbye = next(mail for mail in place.mailboxes[FRANCE] if "replaced" in str(mail["Subject"]))
    assert reply_to(goodbye) == BASE
