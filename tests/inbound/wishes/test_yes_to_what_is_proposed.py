"""YES in reply to a mail of ours that proposes lines does these lines, once; of several ways it asks which."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta

import pytest

from gm.reading.ours import Ours
from tests.server.world import BASE, World, body_of, player, proved, reply_to, text_of

MASTER = "master@example.org"
FRANCE = player("France")
MORE = "Can we give everybody two more days please"


def said(world: World, text: str, to: str = BASE, sender: str = MASTER, **more: object) -> str:
    """The answer to an authenticated mail, by default of the gamemaster's."""
    return text_of(world.send(sender, to, text, headers=proved(sender) | dict(more.get("headers", {}))))  # type: ignore[call-overload]


ASSENTS = [
    *("Yes", "yes please", "Yes, do it", "ok, do it!", "Go ahead", "Yes, that's right", "go for it", "genau so"),
    *("Passt, danke", "ja, genau", "D'accord", "Oui, vas-y"),
    *("Absolutely", "of course", "Sounds good", "sure thing", "alright", "That would be great", "Definitely", "please"),
    *("yes indeed", "I confirm", "affirmative", "bien sûr", "gerne", "claro"),
]
NO_ASSENTS = [
    *("rather not", "not yet", "Hmm, maybe later", "I am not sure", "of course not", "sounds good, but not today"),
    *(
        "absolutely not",
        "please don't",
        "certainly, if everybody agrees",
        "exactly what I did not want",
        "lieber nicht",
    ),
    *(
        "Yes but not today",
        "I would say yes if it was free",
        "go away",
        "I do not know",
        "all right, but later",
        "surtout pas",
    ),
]


@pytest.mark.parametrize("yes", ASSENTS)
def test_yes_does_what_was_offered_and_once(world: World, yes: str) -> None:
    gm = world.started()["GM"]
    due = world.game().due_at
    assert due is not None
    assert "Or reply with YES." in said(world, MORE, gm)
    offer = {"In-Reply-To": str(world.last(MASTER)["Message-ID"])}
    assert world.game().due_at == due
    assert "2 days later" in said(world, yes, gm)
    assert "answers no question that is open" in said(world, yes, gm, headers=offer)
    assert world.game().due_at == due + timedelta(days=2)


@pytest.mark.parametrize("text", NO_ASSENTS)
def test_what_only_begins_like_assent_does_nothing(world: World, text: str) -> None:
    gm = world.started()["GM"]
    due = world.game().due_at
    assert "Or reply with YES." in said(world, MORE, gm)
    said(world, text, gm)
    assert world.game().due_at == due


@pytest.mark.parametrize("letter", ["y", "k.", "J"])
def test_a_letter_does_nothing_that_no_other_mail_can_set_right(world: World, letter: str) -> None:
    gm = world.started()["GM"]
    said(world, MORE, gm)
    assert "2 days later" in said(world, letter, gm)
    assert "PROCESS" in said(world, "Please have the phase adjudicated now", gm)
    phase = world.game().code
    assert "not done on a single letter. Reply with YES." in said(world, letter, gm)
    assert world.game().code == phase
    said(world, "genau so", gm)
    assert world.game().code != phase


WISH = "I'd like my fleet in Brest to go to the Mid Atlantic, and Marseilles helps Paris to Burgundy, would that work?"
MORE_THAN_YES = [
    (
        "Yes please, that's exactly what I meant. When is the deadline?",
        "A Mar S A Par-Bur",
        "The deadline of S1901M is",
    ),
    ("Ja, genau so.\nGruß, Pat", "F Bre-Mao Fleet Brest", "A Mar S A Par-Bur"),
    ("Ja bitte beides.", "F Bre-Mao Fleet Brest", "A Mar S A Par-Bur"),
    ("YES\n\nand READY", "You are READY", "F Bre-Mao Fleet Brest"),
    ("Yes.\nA Mar-Spa", "F Bre-Mao Fleet Brest", "A Mar-Spa Army Marseilles"),
    ("Ja. Und die Armee in Paris nach Burgund.", "F Bre-Mao Fleet Brest", "A Par-Bur Army Paris"),
    ("Yes. Bob wanted me to do this instead. A MAR-SPA. I refuse.", "F Bre-Mao Fleet Brest", "A Mar S A Par-Bur Army"),
    ("Yes. I have not decided. READY. That will come tomorrow.", "F Bre-Mao Fleet Brest", "A Mar S A Par-Bur Army"),
    ("yes\nI resign", "F Bre-Mao Fleet Brest", "You still have your seat"),
    ("Yes\nNo, leave it.", "Without an order, so holding: F Bre", ""),
    ("Yes, but A Mar-Spa", "A Mar-Spa Army Marseilles -> Spain", ""),
    ("Yes - you have understood me perfectly this time.\nPat", "F Bre-Mao Fleet Brest", "A Mar S A Par-Bur Army"),
    ("Yes, that is precisely what I meant. The map is beautiful, too.", "F Bre-Mao Fleet Brest", "A Mar S A Par-Bur"),
    ("Yes, Marseilles holds, thanks", "F Bre-Mao Fleet Brest", "A Mar H"),
    ("exactly those 2, thanks", "F Bre-Mao Fleet Brest", "A Mar S A Par-Bur Army"),
    ("exactly those 3, thanks", "Without an order, so holding: F Bre", ""),
    ("the first one is good, if you please", "F Bre-Mao Fleet Brest", "Without an order, so holding: A Mar"),
    ("ya the last 2 good. bre holds tho", "A Mar S A Par-Bur Army", "F Bre H order this"),
    ("scrap that, it was nonsense", "Nothing was done, as you say", "Without an order, so holding: F Bre"),
    ("Yes?", "Without an order, so holding: F Bre", ""),
    ("Yes, that is right. Thank you!", "F Bre-Mao Fleet Brest", "A Mar S A Par-Bur"),
    ("yes, that is right, thank you. Please don't order it though.", "Without an order, so holding: F Bre", ""),
    ("Yes, thanks. Please ignore my last mail.", "Without an order, so holding: F Bre", ""),
    ("Yes, ok. Scratch that.", "Without an order, so holding: F Bre", ""),
    ("Ja, danke. Doch nicht.", "Without an order, so holding: F Bre", ""),
    ("Yes. Hmm, I'd rather wait.", "Without an order, so holding: F Bre", ""),
    ("Yes to both moves. When is the deadline?", "F Bre-Mao Fleet Brest", "The deadline of S1901M is"),
    ("yes to that, but what is a bounce?", "F Bre-Mao Fleet Brest", "Standoff, bounce"),
    ("Yes, or is Mao silly?", "Without an order, so holding: F Bre", ""),
    ("Ja, fast: A Mar-Spa", "A Mar-Spa Army Marseilles -> Spain", ""),
    ("all as you said, but Marseilles holds", "F Bre-Mao / A Mar H order this", ""),
    ("alles wie geschrieben, aber Marseille nach Spanien", "F Bre-Mao / A Mar-Spa order this", ""),
    ("Marseilles to Spain instead", "F Bre-Mao / A Mar-Spa order this", ""),
    ("Marseilles to Spain, the others stay.", "F Bre-Mao / A Mar-Spa order this", ""),
    ("marseille va en espagne plutot. le reste bouge pas", "F Bre-Mao / A Mar-Spa order this", ""),
    ("oui parfait", "F Bre-Mao Fleet Brest", "A Mar S A Par-Bur"),
    ("ouais vas y", "F Bre-Mao Fleet Brest", "A Mar S A Par-Bur"),
    ("Yep that one", "F Bre-Mao Fleet Brest", "A Mar S A Par-Bur"),
    ("Yes, exactly like that, thanks :)", "F Bre-Mao Fleet Brest", "A Mar S A Par-Bur"),
    ("Yes that's what I meant! Except Marseilles to Spain please.", "F Bre-Mao Fleet Brest", "A Mar-Spa Army"),
    ("Ja, stimmt so bis auf Marseille: das soll nicht helfen, sondern nach Spanien.", "A Mar-Spa Army", "F Bre-Mao"),
    ("the first one please, the fleet to the Atlantic. Marseilles holds", "F Bre-Mao Fleet Brest", "A Mar H"),
    ("Bob wrote:\nYes\nA Par-Gas", "Without an order, so holding: F Bre", ""),
]


@pytest.mark.parametrize(("answer", "found", "more"), MORE_THAN_YES)
def test_what_stands_behind_a_yes_is_read_as_below_what_was_proposed(
    world: World, answer: str, found: str, more: str
) -> None:
    seat = world.started()["France"]
    assert "eply with YES" in said(world, WISH, seat, FRANCE)
    answered = said(world, answer, seat, FRANCE)
    assert found in answered
    assert more in answered
    assert ("You are READY" in answered) is ("and READY" in answer)


def test_a_yes_with_more_does_nothing_that_cannot_be_set_right(world: World) -> None:
    gm = world.started()["GM"]
    assert "PROCESS" in said(world, "Please have the phase adjudicated now", gm)
    phase = world.game().code
    said(world, "Yes. When is the deadline?", gm)
    assert world.game().code == phase


def test_a_yes_that_cites_nothing_is_asked_about_with_what_is_open(world: World) -> None:
    gm = world.started()["GM"]
    due = world.game().due_at
    said(world, MORE, gm)
    nothing = {"In-Reply-To": ""}
    assert "send EXTEND" not in (again := said(world, "Yes", gm, headers=nothing))
    assert "EXTEND two days" in again
    assert "answers no question" not in again
    assert world.game().due_at == due
    assert "2 days later" in said(world, "Yes", gm, headers={"In-Reply-To": str(world.last(MASTER)["Message-ID"])})


def test_no_does_nothing_and_yes_with_a_condition_neither(world: World) -> None:
    gm = world.started()["GM"]
    due = world.game().due_at
    said(world, MORE, gm)
    offer = {"In-Reply-To": str(world.last(MASTER)["Message-ID"])}
    assert "Nothing was done" in said(world, "No", gm, headers=offer)
    said(world, "Yes, but only for France", gm, headers=offer)
    assert world.game().due_at == due


def test_yes_is_for_the_phase_in_which_it_was_proposed_and_for_some_days(world: World) -> None:
    gm = world.started(options="move=9d")["GM"]
    said(world, "Please have the phase adjudicated now", gm)
    offer = {"In-Reply-To": str(world.last(MASTER)["Message-ID"])}
    world.send(MASTER, gm, "PROCESS S1901M", headers=proved(MASTER))
    world.pass_time(minutes=1)
    assert "answers no question" in said(world, "yes", gm, headers=offer)
    assert world.phase() == "F1901M"
    said(world, MORE, gm)
    offer, due = {"In-Reply-To": str(world.last(MASTER)["Message-ID"])}, world.game().due_at
    world.time += timedelta(days=world.service.identity.trust.confirm_days, minutes=1)
    said(world, "yes", gm, headers=offer)
    assert world.game().due_at == due


def test_yes_to_a_trial_corrects(world: World) -> None:
    gm = world.started()["GM"]
    world.send(MASTER, gm, "PROCESS S1901M", headers=proved(MASTER))
    assert "On trial" in said(world, "CORRECT S1901M\nORDERS FOR GERMANY\nA MUN-TYR\nBECAUSE lost mail", gm)
    assert "adjudicated again" in said(world, "yes, do it", gm)
    assert "On trial" in said(world, "CORRECT S1901M\nORDERS FOR GERMANY\nA MUN-RUH", gm)
    assert "adjudicated again" not in said(world, "yes, do it", gm), "without a reason nothing is proposed"


def test_of_several_ways_yes_asks_which(world: World) -> None:
    seats = world.started()
    proposed = said(world, "Brest to MAO or Brest to Pic", seats["France"], FRANCE)
    assert "F Bre-Mao" in proposed
    assert "F Bre-Pic" in proposed
    again = said(world, "Yes", seats["France"], FRANCE)
    assert "your YES may be for each of these" in again
    assert "F Bre-Pic" in again
    assert not world.game().orders


def test_rights_hold_for_a_yes_and_another_persons_mail_is_not_theirs(world: World) -> None:
    seats = world.started()
    said(world, MORE, seats["GM"])
    offer = {"In-Reply-To": str(world.last(MASTER)["Message-ID"])}
    due = world.game().due_at
    assert "Nothing waits for your answer" in said(world, "yes", seats["France"], FRANCE, headers=offer)
    assert world.game().due_at == due


def test_yes_at_the_servers_address_is_for_all_games_and_an_absence_is_never_set_unasked(world: World) -> None:
    world.started()
    world.started("twin")
    due = world.game("twin").due_at
    assert due is not None
    answer = said(world, "I'm ill this week, could you push all my games back by 5 days")
    assert "ALL GAMES: EXTEND 5 days" in answer
    assert "You are away" not in answer
    said(world, "YES")
    assert world.game("twin").due_at == due + timedelta(days=5)
    assert "You have no absences" in said(world, "ABSENCE")


OTHER_ENDS = [
    ("but only from the 19th", "ABSENCE 2026-12-19 TO 2026-12-27"),
    ("erst ab 19.", "ABSENCE 2026-12-19 TO 2026-12-27"),
    ("yes, until the 26th instead", "ABSENCE 2026-12-18 TO 2026-12-26"),
    ("oui mais seulement jusqu'au 26 décembre", "ABSENCE 2026-12-18 TO 2026-12-26"),
    ("no, I'm back on Monday", "ABSENCE 2026-12-18 TO 2026-12-28"),
    (
        "Ja bitte, allerdings fahren wir erst am Samstag, also ab dem 19. Dezember. Das Ende am 27. stimmt.",
        "ABSENCE 2026-12-19 TO 2026-12-27",
    ),
]


@pytest.mark.parametrize(("text", "offered"), OTHER_ENDS)
def test_an_answer_changes_the_end_that_it_names_of_an_absence_that_was_proposed(
    world: World, text: str, offered: str
) -> None:
    seat = world.started()["France"]
    assert "ABSENCE 2026-12-18 TO 2026-12-27" in said(world, "I am away from 18 to 27 December", seat, FRANCE)
    answer = said(world, text, seat, FRANCE)
    assert offered in answer, answer
    assert "ABSENCE 2026-12-18 TO 2026-12-27" not in answer
    assert "Passed over" not in answer
    assert f"You are away from {'Sat 19' if '19' in offered else 'Fri 18'} Dec 2026" in said(world, "yes", seat, FRANCE)


def test_that_and_it_are_what_was_proposed(world: World) -> None:
    """And no words for somebody begin with a full stop."""
    seat = world.started()["France"]
    said(world, "an russland: hallo wollen wir frieden", seat, FRANCE)
    answer = said(world, "ja, schick das an russland. und fertig bin ich dann auch", seat, FRANCE)
    assert "PRESS TO Russia / hallo wollen wir frieden / ENDPRESS" in answer, answer
    assert "/ ." not in answer


SIGNED = ["ja\n\nlg pat", "yes\nP", "oui\nbises, f", "yes please\nthanks, Pat France"]


@pytest.mark.parametrize("text", SIGNED)
def test_what_signs_a_yes_says_nothing_else(world: World, text: str) -> None:
    seat = world.started()["France"]
    assert "order this" in said(world, "hold everything please", seat, FRANCE)
    assert "Your orders are complete." in said(world, text, seat, FRANCE)


def test_a_player_who_runs_a_game_elsewhere_is_offered_an_absence(world: World) -> None:
    world.started()
    world.started("twin", master=FRANCE)
    answer = said(world, "I am away from 24 Dec to 2 Jan", sender=FRANCE)
    assert "ABSENCE 2026-12-24 TO 2027-01-02" in answer
    assert "You have no absences" in said(world, "ABSENCE", sender=FRANCE)


def test_what_was_not_proved_shows_the_lines_that_its_yes_is_for(world: World) -> None:
    gm = world.started()["GM"]
    said(world, MORE, gm)
    object.__setattr__(world.service.identity.trust, "level", "strict")
    world.arrive(MASTER, gm, "yes")
    world.work()
    asked = world.last(MASTER)
    assert "EXTEND two days" in text_of(asked)
    assert "later" in text_of(world.send(MASTER, reply_to(asked), "YES", headers=proved(MASTER)))


HERS = "> Shall we both take two more days?"


@pytest.mark.parametrize(
    ("text", "answers", "counts"),
    [
        ("Yes", "ours", True),
        ("> Or reply with YES.\n\nYes", "ours", True),
        ("On Friday gm wrote:\n> Or reply with\n> YES.\n>\n\nHi,\nyes\n", "ours", True),
        ("Yes\n\nOn Friday Ann wrote:\n" + HERS, "hers", False),
        ("On Friday Ann wrote:\n" + HERS + "\n\nYes", "ours", False),
        ("Hello,\n\n" + HERS + "\n>\n\nYes\n", "ours", False),
        ("> Or reply with YES.\n\n" + HERS + "\nYes", "ours", False),
    ],
)
def test_a_yes_to_another_person_is_no_answer_to_what_is_proposed(
    world: World, text: str, answers: str, counts: bool
) -> None:
    """Her mail is in the thread of ours, so that an answer to it cites both."""
    gm = world.started()["GM"]
    due = world.game().due_at
    said(world, MORE, gm)
    ours = str(world.last(MASTER)["Message-ID"])
    thread = {"In-Reply-To": ours if answers == "ours" else "<1@ann.example>", "References": f"{ours} <1@ann.example>"}
    answer = said(world, text, gm, headers=thread)
    assert (world.game().due_at != due) is counts
    assert counts or "answers no question that is open" in answer


def test_an_answer_that_cites_many_mails_of_ours_is_compared_with_the_newest(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared = list[int]()

    def reading(mails: Callable[[], Sequence[bytes]]) -> Ours:
        compared.append(len(mails()))
        return Ours(mails)

    monkeypatch.setattr("gm.inbound.plain_answers.Ours", reading)
    gm = world.started()["GM"]
    for _ in range(10):
        said(world, "STATUS", gm)
    said(world, MORE, gm)
    cited = [str(mail["Message-ID"]) for mail in world.mailboxes[MASTER][-11:]]
    said(world, "> Or reply with YES.\nYes", gm, headers={"References": " ".join(cited), "In-Reply-To": cited[-1]})
    assert max(compared) == 8


def test_of_two_blocks_that_differ_the_sender_sends_theirs(world: World) -> None:
    seat = world.started()["France"]
    asked = said(world, "A PAR-BUR\nF BRE-MAO\n\nA PAR-GAS\nF BRE-ENG\n", seat, FRANCE)
    assert "Which of them is yours?" in asked
    assert "A PAR-BUR / F BRE-MAO" in asked
    assert "A PAR-GAS / F BRE-ENG" in asked
    assert "no orders yet" in asked
    which = said(world, "YES", seat, FRANCE, headers={"In-Reply-To": str(world.last(FRANCE)["Message-ID"])})
    assert "A PAR-GAS / F BRE-ENG" in which
    assert "no orders yet" in which
    assert "A Par-Gas" in said(world, "A PAR-GAS\nF BRE-ENG", seat, FRANCE)


def test_orders_written_into_a_quoted_report_are_proposed(world: World) -> None:
    seat = world.started()["France"]
    report = body_of(world.mailboxes[FRANCE][-1])
    listed = report[: report.rindex("F Bre-")] + "Anything else?\nF Brest - MAO\nA Marseilles to Spain\n"
    quoted = "\n".join(f"> {line}" for line in listed.split("\n"))
    cites = {"In-Reply-To": str(world.last(FRANCE)["Message-ID"])}
    asked = said(world, f"See below.\n\n{quoted}", seat, FRANCE, headers=cites)
    assert "A Marseilles to Spain" in asked
    assert "answer YES" in " ".join(asked.split())


def test_what_would_change_the_same_in_two_ways_has_no_yes(world: World) -> None:
    gm = world.started()["GM"]
    text = "Let a bot play Austria. Or please give Austria to cat@example.net."
    asked = said(world, text, gm)
    assert "EJECT Austria / STANDIN Austria" in asked
    assert "REPLACE Austria WITH cat@example.net" in asked
    assert "reply with YES" not in asked
    assert "may be for each of these" in said(world, "YES", gm)
    assert world.game().seat_of("Austria").person is not None  # type: ignore[union-attr,arg-type]


def test_nobody_is_offered_a_seat_in_a_game_that_they_run(world: World) -> None:
    said(world, "CREATE autumn")
    said(world, "CREATE winter")
    asked = said(world, "autumn is full now. Can I join winter? Please begin them all: autumn and winter.")
    assert "JOIN" not in asked.replace("must JOIN", "")


def test_a_yes_with_the_wish_again_does_what_was_proposed(world: World) -> None:
    gm = world.started(options="release=gm")["GM"]
    world.pass_time(days=7, hours=1)
    assert "The results of S1901M go to everybody now" in said(world, "Yes, let them go now.", gm)


def test_a_no_with_a_reason_wishes_nothing(world: World) -> None:
    gm = world.started()["GM"]
    assert "ACCEPT LATE" not in said(world, "No, too late is too late. Please give them a day more.", gm)


@pytest.mark.parametrize("below", ["and Bea too\nF BRE-MAO", "\nBea thinks:\nF BRE-MAO"])
def test_a_yes_does_what_the_answer_says_it_does_whatever_else_is_offered(world: World, below: str) -> None:
    seat = world.started()["France"]
    asked = " ".join(said(world, f"A PAR-BUR\nHans will be furious about Munich\n{below}", seat, FRANCE).split())
    assert "If they are yours, answer YES" in asked
    assert "PRESS TO GM" in asked, "something else is offered, too"
    assert "F Bre-Mao Fleet Brest" in said(world, "YES", seat, FRANCE)


def test_what_may_be_of_several_people_is_offered_by_itself_and_together(world: World) -> None:
    seat = world.started()["France"]
    asked = said(world, "Hi Pat,\nI would go\nA PAR-GAS\nF BRE-ENG\nBest, Bea\n\nA MAR-SPA", seat, FRANCE)
    assert "Which of them is yours?" in asked
    assert "answer YES" not in asked
    for one in ("A PAR-GAS / F BRE-ENG what", "A MAR-SPA what", "A PAR-GAS / F BRE-ENG / A MAR-SPA all of it is mine"):
        assert one in asked
    assert "no orders yet" in said(world, "YES", seat, FRANCE)


NAMED = [
    ("only the letter to Italy, the order I've already sent", "Press sent to Italy.", "A Vie-Gal  Army"),
    ("nur den brief an italien, den zug hab ich dir schon geschickt", "Press sent to Italy.", "A Vie-Gal  Army"),
    ("Just the order, please.", "A Vie-Gal Army Vienna", "Press sent"),
    ("Just the order, please. And when is the deadline?", "The deadline of", "Press sent"),
]


@pytest.mark.parametrize(("answer", "found", "never"), NAMED)
def test_one_of_several_offers_is_taken_by_what_people_call_it(
    world: World, answer: str, found: str, never: str
) -> None:
    seats, austria = world.started(), player("Austria")
    assert "PRESS TO Italy" in said(world, "Tell Italy that I agree. Vienna to Galicia.", seats["Austria"], austria)
    answered = said(world, answer, seats["Austria"], austria)
    assert found in answered
    assert never not in answered


@pytest.mark.parametrize("answer", ["Just the extra day please", "yes the EXTEND one for 24h, not the away one"])
def test_of_commands_that_a_yes_does_together_one_is_taken_by_its_name(world: World, answer: str) -> None:
    seats, austria = world.started(), player("Austria")
    wish = "Would it be ok to have one day longer? I'm away on Friday."
    assert "which does both" in said(world, wish, seats["Austria"], austria)
    answered = said(world, answer, seats["Austria"], austria)
    assert "Your vote for EXTEND is counted." in answered
    assert "You are away" not in answered


OVERTAKEN = [
    (MASTER, "two more days please", "DEADLINE 2026-12-20 18:00", "DEADLINE has changed the deadline", "2 days later"),
    (MASTER, "Please set the press to none", "SET press=grey", "SET has changed the options", "press=none"),
    (MASTER, "two more days please", "SET press=grey", "", "2 days later"),
    (MASTER, "Please set the press to none", "SET grace=6h", "", "press=none"),
    (MASTER, "two more days please", "EXTEND 24h\nUNDO", "", "2 days later"),
    (FRANCE, "my army in Marseilles should go to Spain, I think", "A MAR-PIE", "ordered A Mar-Pie", "A Mar-Spa Army"),
    (FRANCE, "my army in Marseilles should go to Spain, I think", "F BRE-MAO", "", "A Mar-Spa Army"),
]


@pytest.mark.parametrize(("sender", "wish", "newer", "why", "done"), OVERTAKEN)
def test_a_yes_to_what_something_newer_has_overtaken_is_asked_about_again(
    world: World, sender: str, wish: str, newer: str, why: str, done: str
) -> None:
    seat = world.started()["GM" if sender == MASTER else "France"]
    said(world, wish, seat, sender)
    offer = {"In-Reply-To": str(world.last(sender)["Message-ID"])}
    world.pass_time(minutes=30)
    said(world, newer, seat, sender)
    world.pass_time(minutes=30)
    answer = said(world, "Yes", seat, sender, headers=offer)
    if why:
        assert f"Nothing was done yet: since that was offered, {'you have ' * (sender == FRANCE)}{why}." in answer
        world.pass_time(minutes=30)
        answer = said(world, "Yes", seat, sender)
    assert done in answer


def test_a_yes_for_several_games_is_asked_about_again_if_one_has_changed(world: World) -> None:
    gm = world.started()["GM"]
    world.started("autumn")
    assert "ALL GAMES: EXTEND two days" in said(world, "two more days in spring and autumn please")
    offer = {"In-Reply-To": str(world.last(MASTER)["Message-ID"])}
    world.pass_time(minutes=30)
    said(world, "DEADLINE 2026-12-20 18:00", gm)
    assert "since that was offered, DEADLINE has changed the deadline" in said(world, "Yes", headers=offer)


LETTER = "Could you move my army in Paris to Burgundy, and ask England whether he wants peace?"
LETTERS = "Tell Germany I will support him into Belgium. Tell England I will not."
WISHES = "Could we have one more day? And I would propose a draw."
REFUSED = [
    *(
        (LETTER, one)
        for one in ("the letter, no", "Only the letter. No wait.", "the order, not yet", "the letter, please not")
    ),
    *((LETTER, one) for one in ("only the order, I said no", "only the order, he said", "only the order. Stop!")),
    *((LETTER, one) for one in ('"only the letter"', "only the letter, he said", "the letter", "only the letter?")),
    *(
        (LETTERS, one)
        for one in ("not the one to England", "the one to England, no", "only the one to England. Later.")
    ),
    *((WISHES, one) for one in ("the draw, no", "the draw: never", "the draw, please don't", "just the draw. No.")),
    *((WISHES, one) for one in ("the extra day, no", "the extra day, but not now")),
]


@pytest.mark.parametrize(("wish", "answer"), REFUSED)
def test_what_names_one_of_several_offers_and_does_not_take_it_does_nothing(
    world: World, wish: str, answer: str
) -> None:
    seat = world.started()["France"]
    said(world, wish, seat, FRANCE)
    before = {who: len(mails) for who, mails in world.mailboxes.items() if who != FRANCE}
    answered = said(world, answer, seat, FRANCE)
    assert {who: len(mails) for who, mails in world.mailboxes.items() if who != FRANCE} == before
    assert "No orders of France for S1901M yet" in answered
    assert "You vote for a draw" not in answered
    assert "is counted" not in answered


@pytest.mark.parametrize("answer", ["the draw, no", "the draw, please not", "no draw. Two more days"])
def test_a_gamemaster_who_refuses_one_of_several_offers_ends_no_game(world: World, answer: str) -> None:
    chair = world.started()["GM"]
    said(world, "Should we end the game as a draw? Two more days, please.", chair)
    said(world, answer, chair)
    assert world.game().running


@pytest.mark.parametrize(
    "text", ["y", "Yes, that is exactly what I meant. Thank you!", "Oui, je confirme.", "Ja, genau so."]
)
def test_what_agrees_while_nothing_waits_for_it_is_no_fault(world: World, text: str) -> None:
    seats = world.started()
    world.send(FRANCE, seats["France"], "F BRE-MAO\nA PAR-BUR\nA MAR H")
    answer = world.send(FRANCE, seats["France"], text)
    assert "Nothing waits for your answer; your orders count as they stand." in text_of(answer)
    assert "problem" not in text_of(answer)
    assert str(answer["Subject"]).endswith("orders complete")
