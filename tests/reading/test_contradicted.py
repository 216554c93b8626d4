"""Of two blocks of orders that contradict each other one may be another's, whatever introduces it; and so may be those
that add to others, where the words tell who wrote what follows, or an order is for a unit of another.
"""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from gm.commands import COMMANDS
from gm.parsing.lexicon import fold
from gm.parsing.message import parse_message
from gm.parsing.sayings import knows
from gm.reading.line import Origin, Reason, for_reasons
from gm.reading.origin import NOTHING, Sources, own_lines
from gm.reading.ours import Ours
from tests.mail.message.messages import HTML, message, read, read_own
from tests.reading.test_whole_mails import game
from tests.tables import lines

OWN = "A PAR-PIC\nF BRE-MAO"
THEIRS = "A MAR-BUR\nF BRE-ENG\nA PAR-GAS"


PLAYER = Sources(
    name="Ann Brown",
    power="France",
    game="spring",
    units=frozenset(("par", "bre", "mar")),
    is_word=lambda word: (
        word.lower() not in ("england", "germany")
        and (knows(word) or game("standard")[0].has_in_names(fold(word).folded))
    ),
)


def fates(text: str, sources: Sources = NOTHING) -> tuple[list[str], list[str]]:
    """The lines of a mail that are acted on, and those that are in doubt."""
    lexicon, now = game("standard")
    lines = own_lines(parse_message(text, lexicon, now, COMMANDS.reader), sources)
    doubt = for_reasons(lines, Reason.DOUBTFUL, Reason.UPPER_BLOCK, Reason.LOWER_BLOCK)
    return [line.text.strip() for line in lines if line.fate is None], [line.text.strip() for line in doubt]


@pytest.mark.parametrize(
    "between",
    [
        "нР: лЮПХЪ\nнРОПЮБКЕМН: 20 МНЪАПЪ 2026 Ц. 8:11\nйНЛС: юММЮ\nрЕЛЮ: RE: УНД\n\nHi, I would play",  # KOI8-R
        "20 МНЪАПЪ 2026 Ц., 8:11, лЮПХЪ йСГМЕЖНБЮ МЮОХЯЮКЮ:\n",
        "20 ?????? 2026 ?., 8:11, ????? ????????? ????????:\n",
        "??: ?????\n??????????: 20 ?????? 2026 ?. 8:11\n????: ????\n????: RE: ???\n",
        "Mia Long\n8:11 AM",
        "mia wrote: \u2191Fri Nov 20, 2026 8:11 am",
        '[quote="mia"]',
        'FYI, this is what Mia sent me:\n\n"Hi, I would play',
        "Mia mailed me this yesterday:\n---",
        "Mia Long invited you to:\n\nWhen: Friday, November 20, 2026 8:11 AM-9:00 AM.\nWhere: Teams\n\n*~*~*~*~*",
        "and if Mia is right",
    ],
)
def test_two_blocks_that_contradict_each_other_are_asked_about_with_all_below(between: str) -> None:
    upper, lower = blocks(f"WAIT\n\n{OWN}\n\n{between}\n{THEIRS}\nREADY")
    assert upper == OWN.split("\n")
    assert lower == [*THEIRS.split("\n"), "READY"]
    assert fates(f"WAIT\n\n{OWN}\n\n{between}\n{THEIRS}")[0] == ["WAIT"]


def blocks(text: str, sources: Sources = NOTHING) -> tuple[list[str], list[str]]:
    """The lines of the upper and the lower of two blocks of which one is the sender's."""
    lexicon, now = game("standard")
    lines = own_lines(parse_message(text, lexicon, now, COMMANDS.reader), sources)
    each = (for_reasons(lines, reason) for reason in (Reason.UPPER_BLOCK, Reason.LOWER_BLOCK))
    upper, lower = ([line.text.strip() for line in block] for block in each)
    return upper, lower


@pytest.mark.parametrize("between", ["\n", "\n***\n", "\nMoves:\n", "\n\u2014 Mia\n", "\nthen\n\n"])
def test_whatever_parts_two_blocks_that_differ_they_are_asked_about(between: str) -> None:
    assert blocks(f"A PAR-PIC\nF BRE-MAO{between}\nF BRE-ENG\nA PAR-PIC") == (
        ["A PAR-PIC", "F BRE-MAO"],
        ["F BRE-ENG", "A PAR-PIC"],
    )
    assert blocks(f"A PAR-PIC\nF BRE-MAO{between}\nA MAR-SPA\nA PAR-PIC") == ([], []), "they agree"


@pytest.mark.parametrize(
    "words", ["no, sorry:", "Oops, I meant this instead:", "Nein, doch lieber:", "Pardon, plut\u00f4t:", "\u8a02\u6b63"]
)
def test_who_says_so_has_changed_their_mind(words: str) -> None:
    assert fates(f"A PAR-PIC\n\n{words}\n\nA PAR-GAS", PLAYER) == (["A PAR-PIC", "A PAR-GAS"], [])


@pytest.mark.parametrize("mark", ["=>", "\u00bb", ">", "|", "*", "->"])
def test_a_mark_with_nothing_behind_it_parts_two_blocks(mark: str) -> None:
    text = read_own(f"A PAR-PIC\n{mark}\nA PAR-GAS").text
    assert blocks(text, PLAYER) == (["A PAR-PIC"], ["A PAR-GAS"])


@pytest.mark.parametrize("heading", ["\u041b\u0435\u0442\u043e 1901", "Verano 1901:", "Deel 1:", "Teil 2"])
def test_a_season_with_its_year_or_a_numbered_part_names_nobody(heading: str) -> None:
    assert not fates(f"{heading}\nA PAR-PIC\nA MAR-SPA", PLAYER)[1]
    assert fates("Will 1901:\nA PAR-PIC\nA MAR-SPA", PLAYER)[1]


def test_what_is_answered_below_two_quotations_is_of_two_blocks() -> None:
    words = read_own("> the north?\nA PAR-PIC\n> and then?\nA PAR-GAS")
    assert words.text == "A PAR-PIC\nA PAR-GAS"
    assert blocks(words.text, replace(PLAYER, beneath=words.beneath)) == (["A PAR-PIC"], ["A PAR-GAS"])


SIGNATURES = [
    "\u2014 Bea",
    "~ Bea",
    "(Bea)",
    "/Bea",
    "-- Bea Long",
    "[England]",
    "\u2014 \u30e8\u30ca\u30b9",
    "\u2014 bea@mail.example",
]


@pytest.mark.parametrize("signature", SIGNATURES)
def test_a_block_that_another_signs_is_in_doubt_beside_one_of_ones_own(signature: str) -> None:
    assert fates(f"A PAR-PIC\n\nA MAR-SPA\n{signature}", PLAYER) == (["A PAR-PIC"], ["A MAR-SPA"])
    assert fates(f"A MAR-SPA\n{signature}\n\nA PAR-PIC", PLAYER) == ([], ["A MAR-SPA", "A PAR-PIC"])
    if signature not in ("-- Bea Long", "\u2014 bea@mail.example"):
        assert not fates(f"A PAR-PIC\nA MAR-SPA\n{signature}", PLAYER)[1], "it may be a name of the sender's"


@pytest.mark.parametrize(
    "signature", ["\u2014 Ann", "(France)", "~ A. B.", "/AB", "(thanks!)", "\u2014 the rest", "- Ann Brown"]
)
def test_ones_own_signature_makes_nothing_doubtful(signature: str) -> None:
    assert not fates(f"A PAR-PIC\n\nA MAR-SPA\n{signature}", PLAYER)[1]


@pytest.mark.parametrize(
    "text",
    [
        "A PAR-BUR\nA PAR-PIC",
        "Hello\nA PAR-BUR\nA PAR-PIC\nthanks",
        "A PAR-BUR\n\nCLEAR\n\nA PAR-PIC",
        "A PAR-BUR\nWAIT\nA PAR-PIC",
        "A PAR-PIC\nthe same again:\nPAR-PIC\nREADY",
        "A PAR-PIC\nand for the fleet\nF BRE-ENG\nREADY",
        "A PAR-PIC\nA PAR-BURR\nA PAR-GAS",
        "A PAR-PIC\nlater:\nF1901M:\nA PAR-GAS",
        "A PAR-PIC\nand there\nGAME autumn\nA PAR-GAS",
        "F STP/SC-BOT\nfrom the south:\nF STP/SC-BOT",
    ],
)
def test_what_follows_at_once_contradicts_nothing_or_is_for_another_phase_or_game_counts(text: str) -> None:
    acted, doubt = fates(text)
    assert acted[-1] in text.split("\n")[-2:]
    assert not doubt


def test_a_unit_is_known_by_its_province_and_its_last_order_counts() -> None:
    assert blocks("F STP/SC-BOT\nor not\nF STP H") == (["F STP/SC-BOT"], ["F STP H"])
    assert blocks("so\nA PAR-PIC\nA PAR-BUR\nMia:\nA PAR-PIC") == (["A PAR-PIC", "A PAR-BUR"], ["A PAR-PIC"])
    assert blocks("A PAR-PIC\nA PAR-BUR\nMia:\nA PAR-BUR") == ([], [])


@pytest.mark.parametrize(
    "between",
    [
        "Mia Long\n8:11 AM",
        "<mia> I would play",
        "From Mia Long to Everyone 08:11 AM",
        "[quote]",
        "<blockquote>",
        "```",
        "mia@friend.example",
        "In article 4711, mia says",
        "Mia mailed me:",
        "@mia@friend.example",
        "[mia] hi",
        "Originally Posted by Mia View Post",
        "moves.pdf - page 1",
        "\u00abPropongo:",
        "<<<<<<<<<<",
        "What Mia wants:",
        "* Mia's ideas:",
        "(from Mia)",
        "this came from England:",
        "Das hier hat mir J\u00f6rg vorgeschlagen:",
        "Voici ce que H\u00e9l\u00e8ne propose :",
        "\u041c\u0430\u0440\u0438\u044f \u043f\u0440\u0435\u0434\u043b\u0430\u0433\u0430\u0435\u0442:",
        "\u5c71\u7530\u592a\u90ce\n2026\u5e7411\u670820\u65e5 8:11",
        "Mine Uzun\n20 Kas\u0131m 2026 Cuma",
        "??: ?????\n?????????? 8",
        "\u00cc\u00e0\u00f0\u00e8\u00ff:",
        "\u00c3\u2013 \u00d0\u009c\u00d0\u00b0:",
        "===== copied =====",
        "________________",
        "Viele Gr\u00fc\u00dfe",
        "Regards\nAnn",
        "Hi Ann,",
        'This: "Hi,',
        "Replying to Mia Long:",
        "Mia Long \u00b7 2h ago",
        "Begin quoted text",
        "&#1041;&#1077;&#1085;:",
        "\u4e8c\u3007\u4e8c\u516d\u5e74\u4e8c\u6708\u4e8c\u65e5 \u4e0a\u5348\u4e5d\u6642 \u738b\u5c0f\u660e:",
    ],
)
@pytest.mark.parametrize("own", ["A PAR-PIC\nF BRE-MAO", "WAIT"])
def test_what_adds_to_orders_below_words_that_may_be_anothers_is_in_doubt(between: str, own: str) -> None:
    assert fates(f"{own}\n\n{between}\n\nA MAR-SPA\nREADY", PLAYER) == (own.split("\n"), ["A MAR-SPA", "READY"])
    credited = between in ("Mia Long\n8:11 AM", "Originally Posted by Mia View Post", "(from Mia)") and own != "WAIT"
    below = [*own.split("\n"), "READY"] if credited else []
    assert fates(f"{own}\n\n{between}\n\nREADY", PLAYER)[1] == below, "there is no order below"


def test_an_order_for_anothers_unit_below_other_words_says_that_they_are_anothers() -> None:
    between = "A PAR-PIC\nand the fleet\nF BRE-MAO\nand if you like\n"
    acted = ["A PAR-PIC", "F BRE-MAO"]
    assert fates(f"{between}A MAR-SPA\nF LON-ENG\nREADY", PLAYER) == (acted, ["A MAR-SPA", "F LON-ENG", "READY"])
    assert not fates(f"{between}A MAR-SPA\nLater\nF1901M:\nF LON-ENG", PLAYER)[1], "it may be theirs then"
    assert not fates("A PAR-PIC\nA MAR-SPA\nF LON-ENG", PLAYER)[1], "it is refused"
    assert not fates(f"{between}A MAR-SPA\nF LON-ENG")[1], "nobody's units are known"


@pytest.mark.parametrize(("length", "doubt"), [(60, ["A MAR-SPA"]), (61, [])])
def test_only_a_short_line_with_names_may_be_anothers(length: int, doubt: list[str]) -> None:
    named = f"and {'o' * 60}"[: length - len(" Mia Long")] + " Mia Long"
    assert fates(f"A PAR-PIC\n{named}\nA MAR-SPA", PLAYER)[1] == doubt


def test_what_is_below_the_heading_of_a_game_is_looked_at_by_itself() -> None:
    text = "A PAR-PIC\nMia Long\n8:11 AM\nA MAR-SPA\nGAME {}\nA PAR-GAS\nMia Long\n8:11 AM\nF BRE-MAO"
    assert fates(text.format("spring"), PLAYER)[1] == ["A MAR-SPA", "F BRE-MAO"]
    assert fates(text.format("autumn"), PLAYER)[1] == ["A MAR-SPA"]


@pytest.mark.parametrize("above", ["[quote=mia]", "Hi Ann,\nhow about", 'Mia: "', "8:11 AM", "20.11.2026 08:11"])
def test_a_quotation_above_everything_puts_all_below_it_in_doubt(above: str) -> None:
    assert fates(f"{above}\nA MAR-SPA\nno, I play\nA PAR-PIC", PLAYER) == ([], ["A MAR-SPA", "A PAR-PIC"])


@pytest.mark.parametrize(
    "text",
    [
        "Good morning, it is 8:11 here.\nA PAR-PIC\nF BRE-MAO",
        "Ann Brown, France\nA PAR-PIC",
        "Hello GM, Ann here.\nA PAR-PIC",
        "A PAR-PIC\nand for the fleet\nF BRE-MAO\nand down south\nA MAR-SPA\nRegards\nAnn",
        "North\n-----\nA PAR-PIC\nSouth\n-----\nA MAR-SPA\nWest\n-----\nF BRE-MAO",
        "A PAR-PIC\nGulf Of Lyon\nA MAR-SPA",
        "A PAR-PIC\nFrom Marseilles:\nA MAR-SPA",
        "A PAR-PIC\n***\nA MAR-SPA",
        "A PAR-PIC\nGAME twin\nand there\nA MAR-SPA\nand\nF LON-ENG",
        "GAME autumn\nA PAR-PIC\nMia Long\n8:11 AM\nA MAR-SPA",
        "A PAR-PIC\n[twin]\nA MAR-SPA",
        "A PAR-PIC\nas I wrote above\nF BRE-MAO",
        "A PAR-PIC\nFleets:\nF BRE-MAO",
        'A PAR-PIC\nthat "army of the south":\nA MAR-SPA',
        "A PAR-PIC\nhold on...\nyes\nA MAR-SPA",
        "A PAR-PIC\nAnd as the party of Brown and others has it, all of whom I admire, this one, too\nA MAR-SPA",
    ],
)
def test_a_players_own_words_between_orders_are_no_reason_to_ask(text: str) -> None:
    acted, doubt = fates(text, PLAYER)
    assert not doubt
    assert [one for one in text.split("\n") if re.match("[AF] [A-Z]{3}-", one)] == [one for one in acted if "-" in one]


@pytest.mark.parametrize("mark", ["\u201c", "\u300c", "''", "\u2018", "\u00ab ", '"', "<<"])
@pytest.mark.parametrize("name", ["Mia: ", "Mia says ", ""])
def test_a_quotation_that_is_open_goes_on_below_its_line(mark: str, name: str) -> None:
    assert fates(f"{OWN}\n\n{name}{mark}A MAR-SPA\nA PAR-PIC", PLAYER)[0] == OWN.split("\n")


@pytest.mark.parametrize(
    "text", ["A PAR \u00bb PIC", "\u00bb A PAR-PIC", "A PAR\u203aPIC", "A PAR-PIC 'tis so'", 'A PAR-PIC "as said"']
)
def test_an_arrow_or_a_closed_mark_opens_no_quotation(text: str) -> None:
    assert not fates(f"{text}\nF BRE-MAO", PLAYER)[1]


@pytest.mark.parametrize("mark", ['"', "\u201c", "\u201e", "\u00ab "])
def test_a_quotation_that_an_order_opens_is_in_doubt_with_all_below_it(mark: str) -> None:
    assert fates(f"Hello\n\n{mark}A PAR-PIC\nF BRE-MAO\nA MAR-SPA\u201d", PLAYER)[0] == []
    assert fates(f"A MAR-SPA\nand\n{mark}A PAR-PIC\nF BRE-MAO", PLAYER)[0] == ["A MAR-SPA"]
    assert fates("\u201cA PAR-PIC\u201d\n\u00bbF BRE-MAO\u00ab", PLAYER)[1] == []


def test_what_is_of_press_below_words_that_may_be_anothers_stays_of_press() -> None:
    lexicon, now = game("standard")
    parsed = parse_message("A PAR-PIC\nMia Long\n8:11 AM\nA MAR-SPA\nF BRE-ENG", lexicon, now, COMMANDS.reader)
    lines = own_lines(parsed, replace(PLAYER, press=(" f bre eng ",)))
    assert [line.origin for line in lines][-2:] == [Origin.DOUBTFUL, Origin.PRESS]


ANNOUNCED = [
    "Hi, here is what Bea sent me:",
    "This is what my ally suggests:",
    "Das hat mir Bea geschickt:",
    "Voici ce que Bea m'a envoyé :",
    "Bea dit :",
    "Bea sagt:",
    "Esto me ha enviado Bea:",
    "Ecco cosa mi ha mandato Bea:",
    "Dit heeft Bea mij gestuurd:",
    "Bea lähetti minulle tämän:",
    "Ezt küldte nekem Bea... Bea ezt küldött nekem:",
    "Bea bana gönderdi:",
    "Toto mi poslal Ben:",
    "Вот что мне прислала Беа:",
    "这是贝娅发给我的：",
]
OF_MY_OWN = [
    "Hello, my orders:",
    "I propose these orders:",
    "We suggest:",
    "Je vous envoie mes ordres :",
    "Ich schlage vor:",
    "Posílám rozkazy:",
    "Here is what I sent you last week:",
    "Thanks for what you sent me.",
]


@pytest.mark.parametrize("above", ANNOUNCED)
def test_what_somebody_else_is_said_to_have_sent_is_in_doubt_below_talk_alone(above: str) -> None:
    assert fates(f"Hello\n\n{above}\n{OWN}\nREADY", PLAYER) == ([], [*OWN.split("\n"), "READY"])


@pytest.mark.parametrize("above", OF_MY_OWN)
def test_what_is_announced_as_the_senders_own_is_theirs(above: str) -> None:
    assert fates(f"Hello\n\n{above}\n{OWN}", PLAYER)[1] == []


DENIED = lines("""
    not my orders:
    those are not my orders, they came with the last mail:
    not mine, just for your records:
    I will NOT do this:
    Do not do this:
    don't:
    NOT these (from the chat):
    and not
    instead of
    Rejected:
    old draft:
    please ignore what is below
    what I had last week (ignore)
    Nicht meine Befehle:
    NICHT ausfuehren:
    pas mes ordres :
    no son mis órdenes:
    私の命令ではない：
""")
DENIES_NOTHING = lines("""
    No, sorry:
    Instead of that:
    I do not trust Germany, so my orders:
    Sorry I could not send my orders earlier, here they are:
    Please ignore my earlier orders, new ones:
    Not final:
    not sure, but:
    Nu mijn orders:
    No support for Germany:
    my draft orders:
    ^^ ignore
    This is not my best day.
""")


@pytest.mark.parametrize("heading", DENIED)
def test_what_is_said_not_to_be_ones_own_or_not_to_be_done_is_in_doubt(heading: str) -> None:
    assert fates(f"A MAR-SPA\n\n{heading}\n{OWN}", PLAYER) == (["A MAR-SPA"], OWN.split("\n"))
    assert fates(f"{heading}\n{OWN}", PLAYER) == ([], OWN.split("\n"))


@pytest.mark.parametrize("heading", DENIES_NOTHING)
def test_a_word_of_negation_before_other_things_heads_orders_of_ones_own(heading: str) -> None:
    assert fates(f"{heading}\n{OWN}", PLAYER)[1] == []


HEADED_BY_ANOTHER = [
    "Press from Italy to France:",
    "Press from England to France, Germany:",
    "Ann,",
    "Bea:",
    "Zo\u00e9 :",
    "-- Bea --",
    "\u0411\u0435\u0430:",
    "Fwd: Bea",
    "Bea Long:",
    "Fwd from Bea",
    "WG: Bea",
    "-- Bea's letter --",
    "---------- Bea Long ----------",
    "letter from Bea:",
    *(
        "Bea Long",
        "Bea",
        "[Bea]",
        "(Bea)",
        '"Bea"',
        "*Bea*",
        "Bea -",
        "bea:",
        "BEA:",
        "Ben:",
        "Bea Long, Tuesday:",
        "Bea, 18:02",
    ),
    *(
        "Bea wrote",
        "Forwarded from Bea",
        "[Forwarded by Bea]",
        "Bea via Signal:",
        "Bens Befehle:",
        "Original:",
        "England:",
    ),
    *(
        "# Bea",
        "@bea",
        "- Bea",
        "\u2022 Bea",
        "Will",
        "Mark:",
        "-- May --",
        "[Mia]",
        "Fwd: Hope",
        "From Grace:",
        "Ben sez:",
    ),
    *(
        "Quoth Ben Long on Friday:",
        "Beginning of message from Ben Long",
        ".. epigraph:: Ben Long",
        "In article <a1b2@news.example>, Bea Long says...",
        "mailto:ben@l.example wrote",
        "\uff22\uff45\uff41 \uff37\uff52\uff4f\uff54\uff45\uff1a",
        "\U0001d401\U0001d41e\U0001d41a:",
    ),
    *lines("""
    राम ने भनगढ़ा:
    אבג דהוז:
    أحمد دهوز:
    鈴木さん：
    王芳：
    정민:
    אנה:
    خالد:
    นก:
    ကို:
    აბო:
    አበበ፦
    anna frey:
    dice Pedro:
    Žofie píše:
    """),
    *("@ann", "@france", "@Ann hey", "<@ann_brown>", "@ann."),
    *("Hola Ann:", "Bonjour Ann :", "My dear France,", "-----8<-----", "✂ - - - -", "---- kivágás ----"),
    *("送り主：渡辺健\nあて先：Ann Brown", "Автор: Ольга <x@mail.example>\nКому-то: Ann Brown"),
    *("Nadawca: Zuzanna\nAdresat: Ann Brown", "שולח: רחל\nביום: 20 בנובמבר 2026"),
    *("\\xd0\\x91\\xd0\\xb5 \\xd0\\xbd:", "\\u0411\\u0435\\u043d:", "%D0%91%D0%B5%D0%BD:", "&#x411;&#x435;:"),
]
HEADED_BY_ONESELF = [
    *(
        "Orders:",
        "My Orders:",
        "Mes ordres :",
        "Befehle f\u00fcr Herbst:",
        "Ordini:",
        "Invio ordini:",
        "Rozkazy:",
        "Bewegungen:",
        "Korrektur:",
    ),
    *("\u041f\u0440\u0438\u043a\u0430\u0437\u044b:", "\u041c\u043e\u0438 \u043f\u0440\u0438\u043a\u0430\u0437\u044b:"),
    *("Adjusted orders:", "Revised Orders:", "Fleets:", "South Front:", "Ann:", "Ann Brown:", "-- Ann --", "Dear Bea:"),
    *("France:", "From France:", "For Frankreich:", "--- France ---", "*** Spring ***", "Spring 1901:", "Fall Moves:"),
    *(
        "Thanks Bea, my orders:",
        "Gulf Of Lyon:",
        "I told Bea:",
        "-----",
        "Mijn orders:",
        "Endg\u00fcltige Befehle:",
        "Hola",
        "Bea,",
        "# Fleets",
        "- Ann",
        "> Spain",
        "# the rest",
        "Orders for 20 Nov 2026:",
        "Update 18:30:",
        "Spring 1901 Movement Phase:",
        "Good Morning Game Master",
        "Gr\u00fc\u00dfe Aus Bremen",
        "Halte das Spiel an.",
        "Sent By Ann Brown",
        "#2, Fri 20 Nov 09:00 UTC, replaced:",
        "Tue 24 Nov, 09:00 Uhr:",
    ),
    *lines("""
    Orders from France:
    Zugbefehle:
    Órdenes de Francia:
    Ordens da França:
    hier meine Züge:
    Armeen:
    Flotten:
    Frankreich:
    Primavera 1901:
    Atlantic:
    Mes armées :
    Siirtoni:
    Флоты:
    Στόλοι:
    İlkbahar 1901:
    陸軍：
    1901年春：
    フランス：
    法国：
    우리 함대:
    프랑스:
    הציים:
    الأساطيل:
    دستورهای من:
    กองเรือ:
    फ्रांस:
    """),
    *("Name: Ann Brown\nPower: France", "To: Gamemaster", "Land:\nSpring 1901:", "--- Spring ---"),
    *(
        "France (Ann)",
        "Turn 3:",
        "Army orders:",
        "As discussed:",
        "Captain Ann reporting:",
        "\u79c1\u306e\u547d\u4ee4\uff1a",
    ),
]


@pytest.mark.parametrize("above", HEADED_BY_ANOTHER)
def test_what_anothers_name_heads_is_in_doubt(above: str) -> None:
    assert fates(f"Hello\n\n{above}\n{OWN}\nREADY", PLAYER) == ([], [*OWN.split("\n"), "READY"])
    assert fates(f"{above}\n{OWN}", PLAYER) == ([], OWN.split("\n")), "there is nothing above"
    assert not fates(f"{OWN}\n\nHello\n\n{above}", replace(PLAYER, quoted=("Hello Ann",)))[1], "that is quoted"


@pytest.mark.parametrize("above", HEADED_BY_ONESELF)
def test_what_a_heading_of_ones_own_is_above_counts(above: str) -> None:
    assert fates(f"Hello\n\n{above}\n{OWN}", PLAYER) == (OWN.split("\n"), [])


WHO_AND_WHEN = [
    *lines("""
    山田太郎 2026年11月24日 18:02：
    山田さん 11月24日：
    田中 (2026/11/24 18:02)：
    2026年11月24日(火) 18:02、山田太郎：
    山田太郎、yamada@example.jp：
    山田（昨日）：
    王小明，2026年11月24日：
    王小明 11月24日 18:02：
    小明 (xm@example.cn)：
    김철수, 2026년 11월 24일:
    김철수 11/24 18:02:
    철수 <cs@example.kr>:
    Иван Петров, 24 ноября 2026 г.:
    24 ноября, Борис:
    Борис (вчера):
    Борис Ли, boris@example.ru:
    Іван Шевченко, 24 листопада 2026:
    Νίκος Παπάς, 24 Νοεμβρίου 2026:
    24/11/2026 Νίκος:
    דנה 24.11.2026:
    ٢٤ نوفمبر أحمد:
    สมชาย 18:02:
    राम 24/11:
    ანა ბერიძე, 24 ნოემბერი 2026:
    Աննա Լի, 24 նոյեմբերի 2026:
    Žofie Malá, 24. listopadu 2026:
    Ayşe Öz, 24 Kasım 2026:
    Nguyễn Văn An, 24 tháng 11 năm 2026:
    Bea, Tue:
    Bea Long, Zagreb:
    """),
    "王小明\n2026年11月24日 18:02",
    "山田太郎\n東京都\n2026/11/24：",
    "山田太郎様\n2026年11月24日",
    "Анна Ли\nул. Мира 5, Москва\n24.11.2026:",
]
"""Two of who, when and where, in 15 languages."""
WHAT_AND_WHEN = lines("""
    Приказы на 24 ноября 2026:
    フランスの命令 2026年11月24日：
    命令（11月24日）：
    我的命令 2026年11月24日：
    내 명령 11/24:
    Εντολές 24 Νοεμβρίου 2026:
    פקודות, 24 בנובמבר 2026:
    أوامر فرنسا، ربيع 1901:
    คำสั่ง 24 พ.ย. 2569:
    आदेश, 24 नवंबर 2026:
    Rozkazy na 24 listopada 2026:
    Lệnh 24 tháng 11 năm 2026:
    Corrected 20 Nov:
    1901年春の命令：
""")


@pytest.mark.parametrize("introduction", WHO_AND_WHEN)
@pytest.mark.parametrize("mark", ["", "» "])
def test_what_is_below_two_of_who_when_and_where_in_any_language_is_not_acted_on(introduction: str, mark: str) -> None:
    for above in ("", "Hello\n\n", "Привет\n\n"):
        words = read_own(f"{above}{introduction}\n{mark}A PAR-PIC\n{mark}F BRE-MAO\n")
        acted, doubt = fates(words.text, replace(PLAYER, beneath=words.beneath))
        assert not acted
        assert len(doubt) == 2 or len(words.quoted) >= 2


@pytest.mark.parametrize("heading", WHAT_AND_WHEN)
def test_a_word_for_orders_beside_a_day_is_no_name_in_any_language(heading: str) -> None:
    assert fates(read_own(f"Hello\n\n{heading}\n{OWN}").text, PLAYER) == (OWN.split("\n"), [])


QUOTED_NAMES = ["> Bea", ">> Bea:", "> bea", "| Bea Long", "> Will", "> Bea\n", "> Hello Ann,\n> Bea:", "> Bea\n>"]
QUOTED_TALK = [
    "> Hello Ann, what do you play?",
    "> Hello,\n> how is the south?\n> Bea",
    "> Ann",
    "> France:",
    "> thanks",
]


def below_quoted(quoted: str) -> tuple[list[str], list[str]]:
    words = read_own(f"Hello\n\n{quoted}\n{OWN}\nREADY")
    return fates(words.text, replace(PLAYER, beneath=words.beneath))


@pytest.mark.parametrize("quoted", QUOTED_NAMES)
def test_what_another_s_quoted_name_alone_is_above_is_in_doubt(quoted: str) -> None:
    assert below_quoted(quoted) == ([], [*OWN.split("\n"), "READY"])


@pytest.mark.parametrize("quoted", QUOTED_TALK)
def test_answers_below_a_quotation_count(quoted: str) -> None:
    assert below_quoted(quoted) == ([*OWN.split("\n"), "READY"], [])


def test_a_name_in_a_quoted_mail_of_ours_heads_nothing() -> None:
    assert fates(OWN, replace(PLAYER, beneath=(("England:", "A PAR-PIC"),)))[0] == []
    ours = Ours(lambda: (b"Subject: report\n\nEngland:\n",))
    assert fates(OWN, replace(PLAYER, beneath=(("England:", "A PAR-PIC"),), ours=ours))[0] == OWN.split("\n")


SHOWN_APART = [
    "<section>{}</section>",
    "<center>{}</center>",
    "<pre>{}</pre>",
    "<ul><li>{}</ul>",
    "<table><tr><td>{}</table>",
    "<hr>{}<hr>",
    "<i>{}</i><br>",
    "<details open>{}</details>",
    "<div style='font-style:italic'>{}</div>",
    "<p style='margin:0;color:grey'>{}</p>",
    "<div dir=rtl>{}</div>",
    "<div class=x>{}</div>",
    "<aside>{}</aside>",
    "<font color=red>{}</font><br>",
]


@pytest.mark.parametrize("shown", SHOWN_APART)
def test_on_a_page_one_unit_ordered_twice_is_asked_about_however_the_lines_are_shown_apart(shown: str) -> None:
    page = f"<div>A MAR-SPA</div><div>A PAR-PIC</div>{shown.format('A PAR-GAS')}<div>F BRE-MAO</div>"
    words = read(message(page, HTML))
    assert fates(words.text, replace(PLAYER, of_page=words.of_page))[0] == ["A MAR-SPA"]
    words = read(message(page.replace("A PAR-GAS", "A PAR - PIC"), HTML))
    assert not fates(words.text, replace(PLAYER, of_page=words.of_page))[1], "the same order twice"


def test_several_units_in_one_place_have_an_order_each() -> None:
    page = replace(PLAYER, of_page=True)
    assert fates("A PAR-PIC\nA PAR-GAS", replace(page, alike=frozenset(("par",))))[1] == []
    assert fates("A PAR-PIC\nA PAR-GAS", page)[1] == ["A PAR-PIC", "A PAR-GAS"]


NAMES = lines("""
    anna
    Anna Frey
    anna frey
    england
    the wolf
    xx_frey_xx
    frey77
    @frey
    +44 7700 900123
    france_fan
    Deutschland
    анна
    άννα
    イングランド
    王芳
    王
    안나
    อังกฤษ
    آنا محمد
    אנה כהן
    अन्ना
    ანა
    አና
""")
CHATS = lines("""
    {} 20:11
    {}, 20:11
    {} (20:11)
    {} – 8:11 PM
    {} • 20.11
    {} | 20h11
    {} [20:11]:
    {}: 20:11
    {} Today at 8:11 PM
    {} APP 8:11pm
    {} heute um 20:11
    {} 20時11分
    {} ٢٠:١١
    {} Tuesday, 20:11
    {} 24/11/2026, 20:11
    {} 24 Nov
    {} 24.11.
    {} · 2h
    {} 5 min
    {} — Today
    {}, gestern
    {} вчера
    {} 昨日
    20:11 {}
    20:11 - {}:
    [20:11] {}
    [24/11/2026, 20:11:05] {}:
    24/11/2026, 20:11 - {}:
    (20:11) {}:
    Nov 24, 20:11 {}
    From {} 20:11
    <{}> 20:11
""")
"""How programs head what somebody wrote: who and when, in any order, with anything between."""


@pytest.mark.parametrize("chat", [*CHATS, "{}\n24 November 20:11", "{}\n20:11", "20:11\n{}"])
def test_what_a_name_and_a_moment_head_is_in_doubt_in_whatever_letters(chat: str) -> None:
    for name in NAMES:
        assert fates(f"{chat.format(name)}\n{OWN}\nREADY", PLAYER)[0] == [], name
        assert fates(f"A MAR-SPA\n\n{chat.format(name)}\n{OWN}", PLAYER)[0] == ["A MAR-SPA"], name


@pytest.mark.parametrize("said", ["{} 20:11 A MAR-SPA", "20:11 {}: A MAR-SPA", "20:11 {} | A MAR-SPA", "{}: A MAR-SPA"])
def test_so_is_what_is_below_an_order_on_that_line(said: str) -> None:
    lexicon, now = game("standard")
    parses = replace(
        PLAYER, items_in=lambda texts: parse_message("\n".join(texts), lexicon, now, COMMANDS.reader).items
    )
    for name in set(NAMES) - {"+44 7700 900123", "the wolf", "france_fan"}:
        assert fates(f"{said.format(name)}\n{OWN}", parses)[0] == [], name


OF_ONES_OWN = lines("""
    France 20:11
    france, 8:11 PM
    FRANKREICH (20:11)
    フランス 20:11
    فرنسا 8:11 م
    Ann 20:11
    Ann Brown, Tuesday 20:11
    Orders 20:11
    My orders, Tuesday 20:11
    Befehle 24.11.
    Final orders 20:11
    spring 1901
    Printemps 1901, 24.11.2026
    1 May
    24 Kasım 2026
    24 November 2026
    Tuesday
    Hello, it is 20:11 here
    Good evening, 8:11 pm
    Hello from Paris, 20:11
    for the deadline at 20:00 UTC
    second try, 20:11
    S1901M 20:11
    Turn 1, 20:11
""")


@pytest.mark.parametrize("heading", OF_ONES_OWN)
def test_a_moment_beside_ones_own_name_or_words_heads_orders_of_ones_own(heading: str) -> None:
    assert fates(f"{heading}\n{OWN}", PLAYER) == (OWN.split("\n"), [])


TITLES = lines("""
    < Messages    Anna
    Today 8:11 PM
    Heute 20:11
    Aujourd’hui 20:11
    Tue 24 Nov at 20:11
    last seen today at 8:11 PM
    < Messages   +49 170 5550199
    Messages   England
    Messages | Bertil | Info
    Direct messages · Bertil
    Bertil (online)
    Bertil: typing
    Messages (3)  Anna
    Chat with Bertil
    WhatsApp-Chat mit Bertil
    Chat de WhatsApp con Bertil
    Conversation with England
    What Bertil wants
    Bertil said yesterday
    Copy of Bertil's mail
    Anna online
    Orders by Bertil
    from Bertil
    mika_77 (online)
    Chat with mika_77
""")
"""Somebody's name beside other words, in titles and in sentences; or nothing but a moment."""


@pytest.mark.parametrize("title", TITLES)
def test_what_a_title_with_anothers_name_or_a_moment_heads_is_in_doubt(title: str) -> None:
    assert fates(f"{title}\n{OWN}", PLAYER)[0] == []
    assert fates(f"A MAR-SPA\n\n{title}\n{OWN}", PLAYER)[0] == ["A MAR-SPA"]


OF_NOBODY = lines("""
    Hello Bertil
    Hi Bertil,
    Thanks, Bertil
    Bertil, my orders:
    Ann (France)
    France - spring 1901
    Orders from France
    Against Germany
    Support for Germany
    Is Bertil still with us?
    Invio ordini
    Ecco qua
    Moin zusammen
    wait till friday
    South (Kiel)
    你好，
    您好：
    大家好。
    こんにちは。
    お疲れ様です。
    สวัสดีครับ
    안녕하세요
    مرحبا،
    नमस्ते
    24 Kasım 2026
""")


@pytest.mark.parametrize("title", OF_NOBODY)
def test_a_greeting_a_question_ones_own_name_and_words_that_are_not_known_are_no_titles(title: str) -> None:
    assert fates(f"{title}\n{OWN}", PLAYER)[0][-2:] == OWN.split("\n")


@pytest.mark.parametrize("state", ["Read 8:12 PM", "Gelesen 20:12", "8:12 PM", "Today 8:12 PM", "Bea 20:12"])
def test_the_moment_below_orders_makes_all_above_it_doubtful_that_is_not_marked_as_ones_own(state: str) -> None:
    mine = "A MAR-SPA"
    every: tuple[list[str], list[str]] = ([], [*OWN.split("\n"), mine])
    assert fates(f"{OWN}\n{state}\n\nand mine:\n{mine}", PLAYER) == every
    assert fates(f"{OWN}\n{state}", PLAYER) == ([], OWN.split("\n")), "nothing is below"
    heads = state.startswith("Bea")
    one = (OWN.split("\n"), [mine]) if heads else every
    assert fates(f"A PAR-PIC\n\nF BRE-MAO\n{state}\n{mine}", PLAYER) == one, "a name is above what its bearer wrote"
    for marked in ("My orders:", "S1901M:", "France:"):
        assert fates(f"{marked}\n{OWN}\n{state}\n\n{mine}", PLAYER) == (OWN.split("\n"), [mine])
    assert fates(f"My orders:\nF BRE-MAO\n\nA PAR-PIC\n{state}", PLAYER) == (["F BRE-MAO"], ["A PAR-PIC"])


def test_a_state_that_stands_by_itself_closes_what_is_above_it_and_a_name_does_not() -> None:
    assert fates(f"{OWN}\n\nRead 8:12 PM\n\nA MAR-SPA", PLAYER)[0] == []
    assert fates(f"{OWN}\n\nBertil 8:12 PM\n\nA MAR-SPA", PLAYER)[0] == OWN.split("\n")


def test_what_heads_or_closes_anothers_words_asks_for_nothing() -> None:
    lexicon, now = game("standard")
    text = f"< Messages   Anna\nToday 8:11 PM\n{OWN}\nRead 8:12 PM"
    found = own_lines(parse_message(text, lexicon, now, COMMANDS.reader), PLAYER)
    assert {line.origin for line in found} == {Origin.DOUBTFUL}
    assert {line.fate.reason for line in found if line.fate} == {Reason.DOUBTFUL, Reason.PLAIN}
