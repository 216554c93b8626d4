"""What reads as if it were not for those to whom it would go is sent to nobody before its writer has confirmed it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from gm.games.snapshot import Game
from gm.inbound.disclosing import Letter, doubt_of, names_writer
from tests.inbound.test_conversations import count, heard, press
from tests.server.kept import kept
from tests.server.world import World, player, reply_to, text_of
from tests.timing import cost


@pytest.fixture
def seats(world: World) -> dict[str, str]:
    return begun(world)


@kept
def begun(world: World) -> dict[str, str]:
    return world.started()


def letter(world: World, text: str, *to: str, headed: bool = True, beyond: str = "") -> Letter:
    """What Germany writes, to France if to nobody else."""
    game = world.game()
    (seat,) = [one for one in game.seats if one.power == "Germany"]
    return Letter(game, seat, to or ("France",), text, headed, beyond)


ASKED = {
    "speaks to": [
        "Dear Italy,\nlet us attack",
        "Hi England, shall we go west?",
        "For Russia: hello",
        "@Turkey hi",
        "Lieber GM, hallo",
    ],
    "as of somebody else": [
        "France suspects nothing.",
        "I don't trust France at all.",
        "As I told you, France must not know about this.",
        "Have you heard from France? I will take Belgium anyway.",
        "Between us, I am going to stab France.",
        "Our plan against France stays.",
        "France's fleet is in the way.",
        "Hello,\nI wrote to FRANCE that I stay out of Burgundy.",
    ],
    "words to the gamemaster": [
        "Can you extend the deadline?",
        "Extend the deadline!",
        "Did you get my orders for this turn?",
        "I need an extension until Friday.",
        "Please find a replacement for me, I can't go on.",
        "Has my order set arrived?",
        "The map in your last report did not load on my phone.",
        "¿Han llegado mis órdenes?",
        "C'è un errore nella mappa dell'ultimo turno.",
        "Kunt u mijn orders van gisteren wissen?",
    ],
    "a password or a code": [
        "My password is hunter2",
        "passwort: rhein1871",
        "The code I got by mail is 493022.",
        "Here is my PIN 4411 for the account.",
    ],
    "a note to yourself": [
        "Note to myself: lie about Belgium",
        "To self: go on",
        "Draft, not finished",
        "Do not send this",
    ],
    "your own orders": [
        "Munich to Burgundy. Kiel to Denmark.",
        "A MUN-BUR\nF KIE-DEN\nA BER-KIE",
        "All my units hold.",
        "Same orders as last turn.",
        "Ejército Múnich a Borgoña",
        "Armata Monaco in Borgogna, flotta Kiel in Danimarca",
        "Leger München naar Bourgondië, vloot Kiel naar Denemarken",
        "München steunt Berlijn naar Silezië.",
        "L'armée de Munich va en Bourgogne.",
        "Please enter these for me: Berlin to Kiel, Kiel to Denmark.",
        "Put Munich into Burgundy for me and leave the others where they are.",
    ],
}


@pytest.mark.parametrize(("why", "text"), [(why, text) for why, texts in ASKED.items() for text in texts])
def test_what_may_not_be_for_its_reader_is_asked_about(
    world: World, seats: dict[str, str], why: str, text: str
) -> None:
    assert seats
    assert why in doubt_of(letter(world, text))
    assert doubt_of(letter(world, text, "GM")) == "", "the gamemaster may read it"


TOLD = [
    "Hello France, shall we agree on a DMZ in Burgundy this year?",
    "I'd propose that you take Belgium and I take Holland and Denmark. What do you think, France?",
    "Thanks for your mail. I agree to the DMZ in Burgundy.",
    "I am worried about England. If he opens to the Channel, we should talk again.",
    "Let's split the Low Countries: Belgium for France, Holland for Germany.",
    "Sorry for the late reply, I was away. Your offer sounds good to me.",
    "If you support A MUN-BUR, I will support you into Belgium next year.",
    "My plan is to move to Denmark in 1901. Are you going to Iberia?",
    "I promise not to build a second fleet. Please tell England nothing about it.",
    "Vienna is the key in 1902. Pin Italy down, and the code of honour holds.",
    "Could you bounce me in Burgundy in spring?",
    "The draw is fine by me, if Russia agrees.",
    "Good evening France. Thanks France! No, France, I did not.",
    "Let me know by tomorrow, please.",
    "I am going to Denmark this turn, so Sweden will be Russia's problem.",
    "My apologies for the bounce in Holland.",
    "My orders are in, I kept my word. See you after the deadline!",
    "Did England write to you as well? He offers everybody the same.",
    "As-tu des nouvelles de l'Italie ? Je n'ai rien reçu depuis une semaine.",
    "Te propongo dejar Borgoña vacía este año. ¿Qué te parece?",
    "No quiero guerra contigo, pero tu ejército en Borgoña me preocupa.",
    "Yes",
    "Later!",
]


@pytest.mark.parametrize("text", TOLD)
def test_negotiation_goes_unasked(world: World, seats: dict[str, str], text: str) -> None:
    assert seats
    assert doubt_of(letter(world, text)) == ""
    assert doubt_of(letter(world, text, headed=False)) == ""


def test_of_a_hundred_ordinary_letters_two_are_asked_about(world: World, seats: dict[str, str]) -> None:
    assert seats
    letters = _written("letters")
    assert len(letters) == 159
    assert sum(bool(doubt_of(letter(world, text))) for text in letters) <= 3


def test_what_only_the_gamemaster_can_do_goes_to_nobody_else(world: World, seats: dict[str, str]) -> None:
    assert seats
    wishes = _written("wishes")
    assert len(wishes) == 50
    assert sum("words to the gamemaster" in doubt_of(letter(world, text, headed=False)) for text in wishes) >= 49


def _written(kind: str) -> list[str]:
    """Letters as players write them, a line each. None of them becomes an example."""
    lines = Path(__file__).with_name(f"{kind}.txt").read_text(encoding="utf-8").splitlines()
    return [line.replace("\\n", "\n") for line in lines]


def test_a_short_word_that_is_a_name_only_in_capitals_speaks_of_nobody(world: World, seats: dict[str, str]) -> None:
    assert seats
    assert doubt_of(letter(world, "Dear France, it says fra on the coin.")) == ""
    assert doubt_of(letter(world, "Dear France, it says FRA on the coin."))


def test_of_several_readers_one_may_be_spoken_of(world: World, seats: dict[str, str]) -> None:
    assert seats
    text = "Italy supports France, and I keep out of it."
    assert doubt_of(letter(world, text, "France", "Italy")) == doubt_of(letter(world, text, "ALL")) == ""
    assert doubt_of(letter(world, text))


@pytest.mark.parametrize(
    ("text", "asked"), [("Per il master: ciao", True), ("Dear Italy, hello", False), ("Dear all, gm: x", False)]
)
def test_what_goes_to_everybody_may_speak_to_one_of_them_but_not_to_the_gamemaster(
    world: World, seats: dict[str, str], text: str, asked: bool
) -> None:
    assert seats
    assert ("speaks to GM" in doubt_of(letter(world, text, "ALL"))) == asked


@pytest.mark.parametrize("text", ["note to ", "France ", "a,France,", "code ", "A MUN-BUR ", "Dear Italy, ", "\n", " "])
def test_a_long_letter_costs_no_more_than_its_length(world: World, seats: dict[str, str], text: str) -> None:
    assert seats
    short, long = (letter(world, (text * 8_000)[:size]) for size in (3_000, 30_000))
    doubt_of(short)
    assert cost(lambda: doubt_of(long), lambda: doubt_of(short), enough=30) < 30


TELLS = (
    *(
        "Best,\nAnn Example",
        "Best,\nAnn",
        "Cheers Ann",
        "*Ann Example*",
        "Ann here: shall we ally?",
        "I am Ann Example.",
    ),
    *("Example, Ann", "write to ann@acme.de", "I, Ann, promise it", "-- \nANN", "Ännchen at acme, or just Äm"),
    *("Shall we ally? I promise.\n\nAnn", "I promise. Ann", "It would be great for all of us, thank you, ann"),
    *("I promise.\n\nbob77", "Cheers, Bob77"),
    *("Ann wrote this, Ann Arbor is far", "Hope to hear from you\n- ann"),
)
KEEPS = ("can you ann?", "Annex Belgium", "Will you?", "joann", "ann@acme.dev")


@pytest.mark.parametrize("text", [*TELLS, *KEEPS])
def test_a_letter_does_not_tell_its_writer_where_names_are_hidden(world: World, text: str) -> None:
    game = anonymous(world)
    seat = next(one for one in game.seats if one.power == "Germany")
    asked = text in TELLS
    called = ("Ann Example", "ann@acme.de", "Germany", "Äm", "bob77")
    for to, hides in ((("France",), True), (("ALL",), True), (("GM",), False), (("GM", "France"), True)):
        assert ("tells its readers who you are" in doubt_of(Letter(game, seat, to, text, called=called))) is (
            asked and hides
        )


SPELT = {
    "Jörg Müller": (
        "Joerg",
        "Mueller",
        "JÖRG",
        "jorg",
        "Jo\u0308rg",
        "𝐉ö𝐫𝐠",
        "Joerg Mueller",
        "joergmueller",
        "Müller",
    ),
    "Joerg Mueller": ("Jörg", "Müller", "Jorg"),
    "Søren Ågård": ("Soeren", "Soren", "Sören", "Aagaard", "Agard", "Aagård"),
    "Łukasz Groß": ("Lukasz", "Gross", "GROSS", "Łukasz"),
    "Ægir Đoković": ("Aegir", "Dokovic", "Đokovic"),
    "Sean O'Neill": ("O’Neill", "Oneill", "O Neill"),
    "Jean-Luc Picard": ("Jean Luc", "JeanLuc", "jeanluc"),
    "Иван Петров": ("Ivan", "иван", "Petrov"),
    "Ann Example": ("AnnExample", "@annexample", "It is ann here.", "I'm ann, by the way", "ann (at) acme dot de"),
}
UNSPELT = {
    "Due Other": "Und du",
    "An Other": "Another",
    "Tru Ng": "That is true.",
    "Jo Doe": "do",
}


def test_a_name_is_known_in_any_spelling(world: World) -> None:
    game = anonymous(world)
    seat = next(one for one in game.seats if one.power == "Germany")

    def asked(name: str, text: str) -> bool:
        return bool(names_writer(Letter(game, seat, ("France",), text, called=(name, "ann@acme.de"))))

    texts = [(name, form) for name, forms in SPELT.items() for form in forms]
    assert [one for one in texts if not asked(one[0], f"I promise it to all of you.\n\n{one[1]}")] == []
    assert [one for one in UNSPELT.items() if asked(one[0], f"I promise it to all of you. {one[1]}")] == []
    assert [(name, text) for name in SPELT for text in _written("letters") if asked(name, text)] == []


def test_a_letter_may_tell_its_writer_whom_its_readers_know(world: World, seats: dict[str, str]) -> None:
    assert seats
    signed = replace(letter(world, "Best,\nAnn", "GM"), called=("Ann",))
    assert [doubt_of(signed), doubt_of(replace(signed, to=("France",)))] == ["", ""]
    assert "who you are" in doubt_of(replace(signed, unsigned=True))


def anonymous(world: World) -> Game:
    return hidden_game(world)


@kept
def hidden_game(world: World) -> Game:
    world.started(options="anonymous=yes press=grey")
    return world.game()


# ---- by mail


@pytest.mark.parametrize("by_reply", [False, True])
def test_a_signature_is_asked_about_before_it_names_its_writer(world: World, by_reply: bool) -> None:
    seats = world.started(options="anonymous=yes press=grey")
    press(world, seats, "France", "Germany")
    name = next(seat.name for seat in world.game().players if seat.power == "Germany")
    to = reply_to(world.last(player("Germany"))) if by_reply else seats["Germany"]
    text = f"Let us talk.\n\nBest,\n{name}"
    before = count(world)
    world.arrive(player("Germany"), to, text if by_reply else f"GREY PRESS TO France\n{text}\nENDPRESS")
    world.work()
    assert not heard(world, before)
    asked = next(m for m in reversed(world.mailboxes[player("Germany")]) if by_reply or "+confirm." in reply_to(m))
    assert "tells its readers who you are" in text_of(asked).replace("\n", " ")


HEADS = {
    "PRESS TO France": "",
    "PRESS TO France please": "",
    "PRESS France:": "",
    "PRESS TO ALL not Italy": "not Italy",
    "PRESS TO ALL (without Italy)": "(without Italy)",
    "PRESS TO France or Italy:": "or Italy:",
    "GREY PRESS TO France for Italy's eyes": "for Italy's eyes",
}


@pytest.mark.parametrize("head", HEADS)
def test_a_heading_is_understood_whole_or_asked_about(world: World, head: str) -> None:
    seats = world.started(options="press=grey")
    before = count(world)
    world.arrive(player("Germany"), seats["Germany"], f"{head}\nLet us talk.\nENDPRESS")
    world.work()
    assert bool(heard(world, before)) is not bool(HEADS[head])
    if HEADS[head]:
        asked = next(m for m in reversed(world.mailboxes[player("Germany")]) if "Please confirm" in str(m["Subject"]))
        words = text_of(asked).replace("\n", " ")
        assert f"ends with {HEADS[head]!r}, which names nobody" in words
        assert "YES sends it to " in words
        assert "Let us talk." in words


@pytest.mark.parametrize("name", ["Fance", "Itally", "France, Itally", "France and not Italy", "ALL, not Italy"])
def test_a_name_that_nearly_matches_is_never_guessed(world: World, seats: dict[str, str], name: str) -> None:
    before = count(world)
    said = text_of(world.send(player("Germany"), seats["Germany"], f"PRESS TO {name}\nLet us talk.\nENDPRESS"))
    assert "is nobody to send press to" in said
    assert not heard(world, before)


@pytest.mark.parametrize(("answer", "sent"), [("YES", {"France"}), ("NO", set())])
@pytest.mark.parametrize("by_reply", [False, True])
def test_yes_sends_what_was_shown(
    world: World, seats: dict[str, str], by_reply: bool, answer: str, sent: set[str]
) -> None:
    text = "I am going to stab France.\nShall we?"
    press(world, seats, "France", "Germany")
    to = reply_to(world.last(player("Germany"))) if by_reply else seats["Germany"]
    before = count(world)
    world.arrive(player("Germany"), to, text if by_reply else f"PRESS TO France\n{text}\nENDPRESS")
    world.work()
    assert not heard(world, before)
    asked = next(m for m in reversed(world.mailboxes[player("Germany")]) if by_reply or "+confirm." in reply_to(m))
    assert "speaks of France as of somebody else" in text_of(asked).replace("\n", " ")
    assert "I am going to stab France." in text_of(asked)
    world.send(player("Germany"), reply_to(asked), "PRESS" if by_reply and answer == "YES" else answer)
    assert heard(world, before) == sent
