"""Press in mails: its recipients, its verbatim text, and what happens to a block that is not well formed."""

from __future__ import annotations

import pytest

from gm.parsing.message import CommandLine, Complaint, OrderLine, PressBlock, Talk
from tests.parsing.names import LEXICON, MOVEMENT, POWERS, parse_message
from tests.tables import rows, table

BODY = "Dear friend,\n\n  A Par-Bur would be fine.\n> A Mun H\nSTATUS\n-- \nF."


TO = [
    (header, to if to == "ALL" else tuple(to.split(", ")))
    for header, to in rows("""
        PRESS TO FRANCE                            | France
        press to france                            | France
        Press to France:                           | France
        PRESS TO: FRANCE                           | France
        press: i                                   | Italy
        press e                                    | England
        PRESS TO FRANCE, ITALY:                    | France, Italy
        PRESS TO FRANCE,ITALY                      | France, Italy
        PRESS TO FRANCE ITALY                      | France, Italy
        PRESS TO France and Italy and GM           | France, Italy, GM
        PRESS TO France; Italy / Germany & Turkey. | France, Italy, Germany, Turkey
        PRESS TO French                            | France
        PRESS TO AUS                               | Austria
        PRESS TO ENG                               | England
        PRESS TO Great Britain                     | England
        PRESS TO F                                 | France
        PRESS TO FI                                | France, Italy
        PRESS TO F, I                              | France, Italy
        PRESS TO FRANCE, FRANCE                    | France
        PRESS TO ALL                               | ALL
        PRESS TO EVERYONE:                         | ALL
        PRESS TO FRANCE AND ALL                    | ALL
        BROADCAST                                  | ALL
        Broadcast:                                 | ALL
        PRESS TO GM                                | GM
        PRESS TO MASTER                            | GM
        PRESS TO M                                 | GM
    """)
] + [
    ("PRESS TO ALL BUT FRANCE, ITALY", tuple(p for p in POWERS if p not in ("France", "Italy"))),
    ("PRESS TO ALL EXCEPT ENGLAND", tuple(p for p in POWERS if p != "England")),
    ("  press\u00a0to  France", ("France",)),
]


@pytest.mark.parametrize(("header", "to"), TO)
@pytest.mark.parametrize("end", ["ENDPRESS", "END PRESS", "endpress.", "  EndPress", "End-press"])
def test_a_block(header: str, to: tuple[str, ...] | str, end: str) -> None:
    items = parse_message(f"Hello,\n{header}\n{BODY}\n{end}\nA Mar H", LEXICON, MOVEMENT).items
    assert items[1] == PressBlock(2, header, to, BODY)
    assert isinstance(items[2], OrderLine)
    assert items[2].line == 11
    assert len(items) == 3


@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("PRESS TO FRANCE: Hello there ENDPRESS", "Hello there"),
        ("PRESS TO FRANCE Hello there\nENDPRESS", "Hello there"),
        ("PRESS TO FRANCE from here: Hello\nENDPRESS", "from here: Hello"),
        ("PRESS TO FRANCE: Hello there\nA Par-Bur?\nENDPRESS", "Hello there\nA Par-Bur?"),
        ("PRESS TO FRANCE\nHello there. ENDPRESS", "Hello there."),
        ("PRESS TO FRANCE:\n\nHello\n\nENDPRESS", "\nHello\n"),
        ("PRESS TO FRANCE\nThis is the end press on\nENDPRESS", "This is the end press on"),
        ("PRESS TO FRANCE\nÜmläut – “quotes” → \u200e\nENDPRESS", "Ümläut – “quotes” → \u200e"),
    ],
)
def test_the_text_is_verbatim(text: str, body: str) -> None:
    [block] = parse_message(text, LEXICON, MOVEMENT).items
    assert isinstance(block, PressBlock)
    assert (block.to, block.body) == (("France",), body)


def test_text_after_endpress_is_read() -> None:
    items = parse_message("PRESS TO FRANCE\nHello\nENDPRESS A Par-Bur\nSTATUS", LEXICON, MOVEMENT).items
    assert [type(item) for item in items] == [PressBlock, OrderLine, CommandLine]
    assert [item.line for item in items] == [1, 3, 4]


def test_without_a_game_names_are_kept() -> None:
    [block] = parse_message("PRESS TO Auerbach, gm\nHello\nENDPRESS", None, None).items
    assert isinstance(block, PressBlock)
    assert block.to == ("AUERBACH", "GM")


def test_a_block_without_an_end_is_quoted_and_not_sent_and_its_orders_are_not_read() -> None:
    text = "A Mar H\nPRESS TO FRANCE\nHello\nA Par-Bur\nEND"
    order, complaint = parse_message(text, LEXICON, MOVEMENT).items
    assert isinstance(order, OrderLine)
    assert isinstance(complaint, Complaint)
    assert complaint.line == 2
    assert complaint.text == "PRESS TO FRANCE\nHello\nA Par-Bur\nEND"
    assert "no ENDPRESS" in complaint.error.problem
    assert "no order in it was read" in complaint.error.remedy


@pytest.mark.parametrize("header", ["press e", "press: e", "PRESS ENGLAND", "press england, italy"])
def test_a_heading_by_itself_begins_press_if_any_press_ends_below(header: str) -> None:
    found = parse_message(f"{header}\nA Par-Bur\npress f\nyes?\nendpress\nA Mar H", LEXICON, MOVEMENT)
    complaint, block, order = found.items
    assert isinstance(complaint, Complaint)
    assert "has no ENDPRESS" in str(complaint.error)
    assert isinstance(block, PressBlock)
    assert (block.to, block.body) == (("France",), "yes?")
    assert isinstance(order, OrderLine)


def test_a_block_without_an_end_does_not_swallow_the_next() -> None:
    text = "PRESS TO FRANCE\nabout Germany\nPRESS TO GERMANY\nabout France\nENDPRESS\nA Par H"
    complaint, block, order = parse_message(text, LEXICON, MOVEMENT).items
    assert isinstance(complaint, Complaint)
    assert complaint.text == "PRESS TO FRANCE\nabout Germany"
    assert block == PressBlock(3, "PRESS TO GERMANY", ("Germany",), "about France")
    assert isinstance(order, OrderLine)


@table("""
    header                    | problem                 | remedy
    PRESS TO FRNACE           | 'FRNACE' is nobody      | Did you mean France?
    PRESS TO FRANCE, ITLAY:   | 'ITLAY' is nobody       | Did you mean Italy?
    PRESS TO FRANCE and Xyzzy | 'Xyzzy' is nobody       | ALL, GM
    PRESS TO                  | names nobody            | ALL, GM
    PRES TO FRANCE            | is not how press begins | PRESS TO
    Message to France:        | is not how press begins | PRESS TO
    PRESS TO FRANCE FROM E    | press is signed here    | GREY PRESS
    PRESS TO F as England:    | press is signed here    | GREY PRESS
    FAKE PRESS TO FRANCE      | press is signed here    | GREY PRESS
""")
def test_a_faulty_header_keeps_its_text_from_being_read(header: str, problem: str, remedy: str) -> None:
    items = parse_message(f"{header}\nA Par-Bur\nENDPRESS\nA Mar H", LEXICON, MOVEMENT).items
    assert isinstance(items[0], Complaint)
    assert items[0].text == f"{header}\nA Par-Bur\nENDPRESS"
    assert problem in items[0].error.problem
    assert remedy in items[0].error.remedy
    assert isinstance(items[1], OrderLine)
    assert len(items) == 2


def test_the_column_of_an_unknown_recipient() -> None:
    complaint = parse_message("PRESS TO FRANCE,  ITLAY\nHello\nENDPRESS", LEXICON, MOVEMENT).items[0]
    assert isinstance(complaint, Complaint)
    assert complaint.error.column == 19


def test_empty_press_is_not_sent() -> None:
    [complaint] = parse_message("PRESS TO FRANCE\n \nENDPRESS", LEXICON, MOVEMENT).items
    assert isinstance(complaint, Complaint)
    assert "has no text" in complaint.error.problem


@pytest.mark.parametrize(
    "line", ["Press to France was slow this turn.", "Express to all what you feel", "Come to Paris"]
)
def test_a_sentence_is_no_press(line: str) -> None:
    talk, order = parse_message(f"{line}\nA Mar H", LEXICON, MOVEMENT).items
    assert isinstance(talk, Talk)
    assert isinstance(order, OrderLine)


def test_an_endpress_by_itself_is_complained_of() -> None:
    [complaint] = parse_message("ENDPRESS", LEXICON, MOVEMENT).items
    assert isinstance(complaint, Complaint)
    assert "PRESS TO" in complaint.error.remedy
