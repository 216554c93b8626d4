"""The way in, point by point: each promise about incoming mail has tests that play it against a running server at every
level of trust. They bear its number: `pytest -m "way_in(number=9)"` runs those of the ninth.

 1  orders count for the phase in which they were received, however late they are read
 2  one mail is one, by however many ways it comes, and the newer is the one that was sent later
 3  mail in flight when a game is set back, processed, or a seat changes hands
 4  YES is the word alone; a question shows what it acts on, and no robot answers it
 5  what is confirmed by reply, at which level
 6  nobody reads as a sender who is not
 7  keys and look-ups that take long freeze nobody; a check that is deferred holds a deadline, for a while
 8  SPF, DKIM and ARC prove a sender
 9  an address of a seat that others have seen
10  names that pose as others; what a gamemaster who plays may know
11  a diary and ballots stay with the person
12  who is forgotten is forgotten
13  what one mail may cause
14  what one sender, one game and all may cause in a time
15  strangers silence nobody
16  robots that answer each other stop
17  nobody is written to again and again; STOP
18  a poison mail is set aside alone
19  a seed that was told is not drawn from again
20  press cannot order its reader's units
21  what an operator is shown holds no terminal escapes
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from gm.cli import main
from gm.commands.context import Context
from gm.inbound.acceptance import accept
from gm.inbound.acting import act
from gm.orders.notation import write
from gm.parsing.message import ParsedMessage
from gm.reports import in_groups
from gm.store.inbox import ArrivedMail, InboxState
from tests.inbound.test_limits import flood
from tests.server.world import BASE, Place, player, reply_to, text_of

MASTER, FRANCE, ITALY = "master@example.org", player("France"), player("Italy")


def test_every_point_has_tests() -> None:
    listed = {int(line[:2]) for line in (__doc__ or "").splitlines() if line[:2].strip().isdigit()}
    marked = set()
    for path in Path(__file__).parents[1].glob("*/test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "way_in":
                marked |= {word.value.value for word in node.keywords if isinstance(word.value, ast.Constant)}
    assert marked == listed


def orders(place: Place) -> list[str]:
    game = place.game()
    return sorted(write(order) for seat in game.players for order in game.orders_of(seat))


@pytest.mark.way_in(number=2)
def test_one_mail_by_several_ways(place: Place) -> None:
    seat = place.seats_of_spring["France"]
    raw = place.mail(FRANCE, seat, "PRESS TO ITALY\nhello\nENDPRESS", headers={"Cc": BASE})
    ways = [("smtp", (seat,)), ("smtp", (BASE,)), ("smtp", (seat, BASE)), ("imap", ()), ("lmtp", (seat,))]
    new = [accept(place.service, ArrivedMail(source, raw, place.time, to, FRANCE)) for source, to in ways]
    place.work()
    assert new == [True, False, False, False, False]
    assert sum("hello" in text_of(mail) for mail in place.mailboxes[ITALY]) == 1


@pytest.mark.way_in(number=8)
@pytest.mark.parametrize("sealer", ["mx.home", "evil.example", "mx.home.evil.example"])
def test_what_a_list_changed_is_asked_about_whoever_sealed_it(place: Place, sealer: str) -> None:
    headers = {
        "ARC-Seal": f"i=1; a=rsa-sha256; cv=none; d={sealer}; s=a; b=xyz",
        "ARC-Message-Signature": f"i=1; a=rsa-sha256; d={sealer}; s=a; h=from:to; bh=abc; b=xyz",
        "ARC-Authentication-Results": "i=1; mx.home; dkim=pass header.d=players.example",
        "Authentication-Results": "mx.home; arc=pass; dkim=fail header.d=players.example",
    }
    place.arrive(FRANCE, place.seats_of_spring["France"], "A PAR-BUR", headers=headers)
    place.work()
    assert place.inbox()[-1].state is InboxState.QUARANTINED
    assert orders(place) == []


@pytest.mark.way_in(number=10)
@pytest.mark.parametrize("name", ["GM", "Diplomacy gamemaster", "Somebody", "Fr\u0430nce", "P\u0430t Fr\u0430nce"])
def test_nobody_takes_a_name_of_others_in_a_game(place: Place, name: str) -> None:
    answer = place.does(ITALY, place.seats_of_spring["Italy"], f"REGISTER {name}")
    assert not any(seat.person is not None and seat.person.name == name for seat in place.seats()), text_of(answer)


@pytest.mark.way_in(number=10)
def test_a_gamemaster_who_plays_learns_nothing_of_the_others(place: Place) -> None:
    with place.trusting():
        place.promotes(MASTER, place.seats_of_spring["GM"], f"PROMOTE {ITALY}")
    place.agreed()
    master = next(reply_to(mail) for mail in reversed(place.mailboxes[ITALY]) if "gamemaster" in str(mail["Subject"]))
    place.does(FRANCE, place.seats_of_spring["France"], "ALIAS Refuge = Par\nABSENCE 2026-12-24 TO 2027-01-02\nDRAW")
    seen = text_of(place.send(ITALY, master, "LOG\nDASHBOARD"))
    assert not any(word in seen for word in ("Refuge", "absence begins", "Absent", "ballot on"))


@pytest.mark.way_in(number=15)
@pytest.mark.parametrize("proof", ["none", "mail", "YES", "seat"])
def test_a_forged_registration_makes_nobody_known(place: Place, proof: str) -> None:
    """Only who has proved once who they are has the larger budgets for mail that is not authenticated."""
    wanda = "wanda@strangers.example"
    flood(place, wanda, BASE, "REGISTER Wanda", 1)
    if proof == "mail":
        place.send(wanda, BASE, "WHOAMI")
    elif proof == "YES":
        flood(place, wanda, BASE, "ADDRESS ADD wanda@work.example", 1)
        asked = next(mail for mail in reversed(place.mailboxes[wanda]) if "+confirm." in reply_to(mail))
        with place.forging():
            place.send(wanda, reply_to(asked), "YES")
    elif proof == "seat":
        with place.trusting():
            place.send(MASTER, place.seats_of_spring["GM"], f"REPLACE FRANCE WITH {wanda}")
            with place.forging():
                place.accepts(wanda)
            place.send(wanda, reply_to(place.last(wanda)), "WHOAMI", headers={"Authentication-Results": ""})
    place.pass_time_quietly(hours=25)
    before = len(place.mailboxes[wanda])
    flood(place, wanda, BASE, "LIST", 35)
    strict = place.service.identity.trust.level == "strict"
    assert len(place.mailboxes[wanda]) - before == (10 if strict or proof == "none" else 30)


@pytest.mark.way_in(number=15)
def test_an_answer_in_another_persons_name_is_not_charged_to_them(place: Place) -> None:
    place.send("eve@evil.example", BASE, "REGISTER Eve")
    flood(place, "eve@evil.example", BASE, "FORGET ME", 1)
    asked = next(mail for mail in reversed(place.mailboxes["eve@evil.example"]) if "+confirm." in reply_to(mail))
    flood(place, FRANCE, reply_to(asked), "what?", 20)
    before = len(place.mailboxes[FRANCE])
    place.arrive(FRANCE, BASE, "I think that this asks for nothing.")
    place.work()
    assert len(place.mailboxes[FRANCE]) == before + 1


@pytest.mark.way_in(number=14)
def test_who_writes_to_a_seat_is_told_once_that_its_player_is_not_asked(place: Place) -> None:
    """Forty strangers: ten are asked about, and the player is told that it was the last; each of the others is told."""
    seats = place.seats_of_spring
    strangers = [f"eve@evil{number}.example" for number in range(40)]
    for stranger in strangers:
        flood(place, stranger, seats["France"], "A PAR-BUR", 1)
    asked = [text_of(mail) for mail in place.mailboxes[FRANCE] if "+confirm." in reply_to(mail)]
    assert ["This is the last question before" in one for one in asked] == [False] * 9 + [True]
    flood(place, strangers[-1], seats["France"], "A PAR-GAS", 15)
    told = [text_of(mail) for stranger in strangers for mail in place.mailboxes.get(stranger, [])]
    assert len(told) == 30
    assert all("Your mail was set aside" in one and "send it again after" in one for one in told)
    assert [mail.state for mail in place.inbox()][-40:-9] == [InboxState.QUARANTINED] * 31


@pytest.mark.way_in(number=16)
@pytest.mark.parametrize(
    "marks",
    [{"Precedence": "bulk"}, {"Precedence": "list"}, {"List-Id": "<l.example>"}, {"Auto-Submitted": "auto-forwarded"}],
    ids=str,
)
def test_a_player_whose_mail_comes_by_a_list_is_answered(place: Place, marks: dict[str, str]) -> None:
    """If it is certain that they sent it, and no robot did."""
    seat = place.seats_of_spring["France"]
    assert "Army Paris -> Burgundy" in text_of(place.send(FRANCE, seat, "A PAR-BUR", headers=marks))
    before = sum(map(len, place.mailboxes.values()))
    with place.forging():
        place.arrive(FRANCE, seat, "A PAR-GAS", headers=marks)
    place.arrive("ann@work.example", seat, "A PAR-GAS", headers=marks)
    place.arrive(FRANCE, BASE, "LIST", headers=marks)
    place.arrive(FRANCE, seat, "A PAR-GAS", headers={**marks, "X-Autoreply": "yes"})
    place.work()
    assert [mail.state for mail in place.inbox()][-4:] == [InboxState.IGNORED] * 4
    assert sum(map(len, place.mailboxes.values())) == before
    assert orders(place) == ["A Par-Bur"]


@pytest.mark.way_in(number=18)
def test_a_mail_that_cannot_be_worked_on_delays_no_other(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    def poisoned(ctx: Context, parsed: ParsedMessage, *more: object) -> object:
        if ctx.mail is not None and "POISON" in ctx.mail.message.text:
            raise ZeroDivisionError
        return act(ctx, parsed, *more)  # type: ignore[arg-type]

    monkeypatch.setattr("gm.inbound.acting.act", poisoned)
    seats = place.seats_of_spring
    place.arrive(FRANCE, seats["France"], "A PAR-GAS\nPOISON")
    for line in ("ABSENCE 9999-01-01 TO 9999-12-31", "ABSENCE 0001-01-01 TO 0001-12-31"):
        assert "could not be acted on" in text_of(place.send(FRANCE, seats["France"], f"{line}\nA PAR-BUR"))
    for year in ("0001", "9999"):
        assert "could not be acted on" in text_of(place.send(MASTER, seats["GM"], f"DEADLINE {year}-12-31 23:59"))
    assert "spring" in text_of(place.send(ITALY, BASE, "LIST ALL"))
    place.pass_time(seconds=31)
    place.pass_time(seconds=31)
    assert [mail.state for mail in place.inbox()].count(InboxState.ASIDE) == 1
    assert orders(place) == ["A Par-Bur"]


@pytest.mark.way_in(number=19)
def test_a_seed_that_was_told_is_drawn_from_no_more(place: Place) -> None:
    gm = place.seats_of_spring["GM"]
    place.does(MASTER, gm, "PROCESS spring S1901M")
    told = place.game().seed
    place.does(MASTER, gm, "TERMINATE spring")
    assert in_groups(told) in text_of(place.send(MASTER, gm, "SUMMARY"))
    place.does(MASTER, gm, "ROLLBACK S1901M")
    resumed = place.game()
    assert resumed.seed != told
    assert resumed.told_seeds == (told,)
    assert in_groups(resumed.chance.commitment) in text_of(place.last(FRANCE)), "committed to before it is drawn from"
    assert in_groups(resumed.seed) not in text_of(place.send(MASTER, gm, "SUMMARY"))


@pytest.mark.way_in(number=20)
@pytest.mark.parametrize("quoted", ["> {}", "{}", "On Monday Italy wrote:\n{}", "| {}"])
def test_press_that_comes_back_orders_nothing(place: Place, quoted: str) -> None:
    seats, link = place.seats_of_spring, "https://example.org/long/long/long"
    place.send(ITALY, seats["Italy"], f"PRESS TO FRANCE\n{link} A Par-Pic {link} and {link} A Mar H\nENDPRESS")
    press = place.last(FRANCE)
    wrapped = "\n".join(quoted.format(words) for words in (link, "A Par-Pic", f"{link} and", link, "A Mar H"))
    text = f"No. I order\nF BRE-MAO\n\n{wrapped}"
    place.send(FRANCE, seats["France"], text, headers={"In-Reply-To": str(press["Message-ID"])})
    assert orders(place) == ["F Bre-Mao"]


@pytest.mark.way_in(number=21)
def test_an_operator_is_shown_no_terminal_escape(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    escape = "\x1b]0;owned\x07\x9b2J\u202e"
    place.arrive("eve@evil.example", place.seats_of_spring["France"], f"A PAR-BUR {escape}")
    place.work()
    assert place.inbox()[-1].state is InboxState.QUARANTINED
    assert main(["init", "--home", str(place.path)]) == 0
    capsys.readouterr()
    for words in (["mail", "show"], ["mail", "show", str(place.inbox()[-1].id)]):
        main([words[0], words[1], "--home", str(place.path), *words[2:]])
        said = "".join(capsys.readouterr())
        assert "eve@evil.example" in said
        assert not any(letter in said for letter in "\x1b\x07\x9b\u202e")
