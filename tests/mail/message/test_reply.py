"""Own words and quotes: the cases that decide between an order and an echo of one."""

from __future__ import annotations

import pytest

from gm.mail.message.reply import REPLY_ABOVE, own_words
from gm.mail.message.text import clean_text, in_doubt, plain_lines
from gm.parsing.several_lines import QUOTED
from tests.mail.message.messages import message, read, read_own

CASES = {
    # name: body, own words, lines kept apart
    "top-posted": (f"A PIC-BEL\n\n{REPLY_ABOVE}\nA PIC-PAR\n", "A PIC-BEL", ["A PIC-PAR"]),
    "our line, as some programs change it": (
        "A PIC-BEL\n — Reply above this line —\nA PIC-PAR",
        "A PIC-BEL",
        ["A PIC-PAR"],
    ),
    "our line on the attribution's own": (
        f"A PIC-BEL\n\n  On Mon, 2 Feb 2026 at 9:00, Judge<gm@example.org> wrote:   {REPLY_ABOVE}\nA PIC-PAR",
        "A PIC-BEL",
        ["A PIC-PAR"],
    ),
    "our line on the sender's last": (f"A PIC-BEL {REPLY_ABOVE} A PIC-PAR\nF BRE-ENG", "A PIC-BEL", ["F BRE-ENG"]),
    "the words of our line in talk": (
        "Shall I reply above this line, or below?\nA PIC-BEL",
        "Shall I reply above this line, or below?\nA PIC-BEL",
        [],
    ),
    "quoted line of ours does not cut": (f"> {REPLY_ABOVE}\n> A PIC-PAR\nA PIC-BEL", "A PIC-BEL", ["A PIC-PAR"]),
    "a table": (
        "| A PIC | - | BEL |\n|---|---|---|\n | F BRE-MAO | please |",
        "A PIC   -   BEL\n--- --- ---\nF BRE-MAO   please",
        [],
    ),
    "a quotation with bars": ("A PIC-BEL\n| A PIC-PAR\n| | F BRE-MAO", "A PIC-BEL", ["A PIC-PAR", "F BRE-MAO"]),
    "nothing quoted": ("A PIC-BEL\r\nF BRE-MAO\r\n", "A PIC-BEL\nF BRE-MAO", []),
    "bullets stay": ("* A PIC-BEL\n- F BRE-MAO\n1. A MUN H", "* A PIC-BEL\n- F BRE-MAO\n1. A MUN H", []),
    "arrows are no quotes": ("A PIC->BEL\nA PIC > BEL", "A PIC->BEL\nA PIC > BEL", []),
    "answers between quotes": (
        ">> A PIC?\n> A BEL?\nA PIC-BEL\n> F BRE?\nF BRE-MAO",
        "A PIC-BEL\nF BRE-MAO",
        ["A PIC?", "F BRE?"],
    ),
    "answer right below the attribution": (
        "On Mon, 2 Feb 2026, Judge wrote:\n\nA PIC-BEL\n\n> A PIC-PAR",
        "A PIC-BEL",
        ["A PIC-PAR"],
    ),
    "answer right below an attribution that is marked": (
        "> On Monday, Ann wrote:\nA PIC-BEL",
        "",
        ["On Monday, Ann wrote:", "A PIC-BEL"],
    ),
    "signature": ("A PIC-BEL\n-- \nAnn\nA MUN-BUR", "A PIC-BEL", ["Ann", "A MUN-BUR"]),
    "a signature below dashes without a blank": (
        "A PIC-BEL\n--\nAnn of Paris\nAcme\n\n> A PIC-PAR",
        "A PIC-BEL",
        ["Ann of Paris", "Acme"],
    ),
    "no signature, for it goes on": ("A PIC-BEL\n--\nAnn\n\nMunich holds", "A PIC-BEL\n--\nAnn\n\nMunich holds", []),
    "no signature, for it commands": ("A PIC-BEL\n--\nREADY", "A PIC-BEL\n--\nREADY", []),
    "marked by initials": ("AM> A PIC-PAR\nAM> F BRE-ENG\nAM>\nA PIC-BEL", "A PIC-BEL", ["A PIC-PAR", "F BRE-ENG"]),
    "an arrow is no initial": ("PAR> BUR\nMAR> SPA", "PAR> BUR\nMAR> SPA", []),
    "an attribution torn apart": (
        "A PIC-BEL\n2. feb. 2026 kl. 09:00 skrev Judge <gm@example.org\n>:\n> A PIC-PAR",
        "A PIC-BEL",
        ["A PIC-PAR"],
    ),
    "a signature without a blank, and an order in it": (
        "A PIC-BEL\n--\nAnn of Paris\nA PIC-PAR",
        "A PIC-BEL",
        ["--", "Ann of Paris", "A PIC-PAR"],
    ),
    "no signature, for no orders are above it": (
        "Hello\n--\nMy orders\nA PIC-PAR",
        "Hello\n--\nMy orders\nA PIC-PAR",
        [],
    ),
    "two dashes are no signature": ("A PIC-BEL\n--\nA MUN-BUR", "A PIC-BEL\n--\nA MUN-BUR", []),
    "talk that says wrote": ("He wrote:\nA PIC-BEL", "He wrote:\nA PIC-BEL", []),
    "a command with an address and a day": (
        "deputy Bob <bob@example.net> until 2026-12-11\nA PIC-BEL",
        "deputy Bob <bob@example.net> until 2026-12-11\nA PIC-BEL",
        [],
    ),
    "an attribution that begins like that command": (
        "A PIC-BEL\n\nDeputy Head Bob <bob@example.net> 2026-12-11 09:00\nA PIC-PAR",
        "A PIC-BEL",
        ["Deputy Head Bob <bob@example.net> 2026-12-11 09:00", "A PIC-PAR"],
    ),
    "talk of a date": ("On Monday 2026 we meet:\nA PIC-BEL", "On Monday 2026 we meet:\nA PIC-BEL", []),
    "options are no header block": (
        "CREATE spring\nfrom: now\ndate: soon\nA PIC-BEL",
        "CREATE spring\nfrom: now\ndate: soon\nA PIC-BEL",
        [],
    ),
    "a decorated heading is no separator": ("---- My orders ----\nA PIC-BEL", "---- My orders ----\nA PIC-BEL", []),
    "underscores alone are no separator": ("__________________\nA PIC-BEL", "__________________\nA PIC-BEL", []),
    "grey press keeps no signature": (
        "GREY PRESS TO ALL\nHi\n\nSent from my iPhone\n-- \n\nAnn\nENDPRESS\nA PIC-BEL",
        "GREY PRESS TO ALL\nHi\n\nENDPRESS\nA PIC-BEL",
        ["Ann", "Sent from my iPhone"],
    ),
    "press keeps a signature": (
        "PRESS TO ALL\nHi\n-- \nAnn\nENDPRESS\nA PIC-BEL",
        "PRESS TO ALL\nHi\n-- \nAnn\nENDPRESS\nA PIC-BEL",
        [],
    ),
    "press keeps quotes as written": (
        "press to all\n>>no\n>  yes\nend press",
        "press to all\n>>no\n>  yes\nend press",
        [],
    ),
    "so does press that is not signed, or sent by post": (
        "GREY PRESS TO ALL\n> no\n--\nyes\nENDPRESS\n*postal* anonymous Press to Italy\n> no\nENDPRESS",
        "GREY PRESS TO ALL\n> no\n--\nyes\nENDPRESS\n*postal* anonymous Press to Italy\n> no\nENDPRESS",
        [],
    ),
    "so do an announcement and an entry of a diary": (
        "OFFICIAL\n> no\n-- \nyes\nENDPRESS\nEND OFFICIAL\ndiary\n> no\nenddiary",
        "OFFICIAL\n> no\n-- \nyes\nENDPRESS\nEND OFFICIAL\ndiary\n> no\nenddiary",
        [],
    ),
    "talk of what is official": ("Official it is\n> A PIC-BEL\nA MUN-BUR", "Official it is\nA MUN-BUR", ["A PIC-BEL"]),
    "quoted press is not sent again": (
        "> PRESS TO ALL\n> Hi\n> ENDPRESS\nA PIC-BEL",
        "A PIC-BEL",
        ["PRESS TO ALL", "Hi"],
    ),
    "an open press does not take the mail below with it": (
        f"PRESS TO ALL\nHi\n{REPLY_ABOVE}\nA PIC-BEL\nENDPRESS",
        "PRESS TO ALL\nHi",
        ["A PIC-BEL", "ENDPRESS"],
    ),
    "an open press ends with the quote": (
        "PRESS TO ALL\nHi\n\n> A PIC-BEL\n> ENDPRESS",
        "PRESS TO ALL\nHi",
        ["A PIC-BEL"],
    ),
    "press with blank lines": ("PRESS TO ALL\n\n\nHi\n\n\nENDPRESS", "PRESS TO ALL\n\n\nHi\n\n\nENDPRESS", []),
    "telephone": ("A PIC-BEL\nSent from my iPhone\n", "A PIC-BEL", ["Sent from my iPhone"]),
    "a word of a telephone in an order": ("Sent from Paris: A PAR-BUR", "Sent from Paris: A PAR-BUR", []),
    "accents apart": ("A Mu\u0308n H", "A M\u00fcn H", []),
}


@pytest.mark.parametrize("name", CASES)
def test_own_words(name: str) -> None:
    body, own, apart = CASES[name]
    words = read_own(body)
    assert words.text == own
    assert set(apart) <= set(words.quoted)
    assert words.undecodable == ()
    if not apart:
        assert words.quoted == ()


def test_a_line_that_cannot_be_decoded_is_left_out_by_name() -> None:
    words = read_own("A PIC-BEL\nA M\ufffdN-BUR\nF BRE-MAO")
    assert words.text == "A PIC-BEL\nF BRE-MAO"
    assert words.undecodable == ("A M\ufffdN-BUR",)


@pytest.mark.parametrize("line", ["A MAR-\ufffd\ufffd\ufffd", "1. A M\ufffdN-BUR", "\ufffd\ufffd 21.11. \ufffd:"])
@pytest.mark.parametrize("mark", ["", "> "])
def test_a_line_that_cannot_be_decoded_and_may_introduce_a_quotation_is_left_out_by_name(line: str, mark: str) -> None:
    words = own_words([in_doubt(each, guessed=True) for each in plain_lines(f"A PIC-BEL\n{line}\n{mark}F BRE-MAO")])
    assert words.text == "A PIC-BEL"
    assert words.undecodable == (line,)
    assert words.quoted == ("F BRE-MAO",)
    assert words.doubtful == (() if mark else ("F BRE-MAO",))


def test_press_that_cannot_be_decoded_is_left_out_as_a_whole() -> None:
    words = read_own("A PIC-BEL\nPRESS TO ALL\nI shall not\ngo to M\ufffdn\nENDPRESS\nF BRE-MAO")
    assert words.text == "A PIC-BEL\nF BRE-MAO"
    assert words.undecodable == ("go to M\ufffdn",)


def test_undecodable_quotes_are_nobodys_concern() -> None:
    assert read_own("> M\ufffdn\nA PIC-BEL").undecodable == ()


DOUBTFUL = {
    "below a signature": ("A PIC-BEL\n-- \nAnn\nF BRE-MAO\n\n> A PIC-PAR", ["Ann", "F BRE-MAO"]),
    "a quote below a signature": (f"A PIC-BEL\n-- \nAnn\n\n{REPLY_ABOVE}\nA PIC-PAR", ["Ann"]),
    "an unmarked quote below a signature": (
        "A PIC-BEL\n-- \nAnn\n\n-----Original Message-----\nFrom: Judge\n\nA PIC-PAR",
        ["Ann"],
    ),
    "the end of a wrapped line": (f"> {'long ' * 14}\nA Mar-Bur 1\n> next", ["A Mar-Bur 1"]),
    "the last line of a wrapped quotation": (f"> {'long ' * 14}\nA Mar-Bur\n\nNo.\nA PIC-BEL", ["A Mar-Bur"]),
    "the same at the end": (f"> {'long ' * 13}please,\nA Mar-Bur", ["A Mar-Bur"]),
    "below a line that ends as a sentence": (f"> {'long ' * 13}please.\nA Mar-Bur\n\nREADY", []),
    "below a line that is too long for wrapped ones": (f"> {'long ' * 20}\nA Mar-Bur\nREADY", []),
    "below one with room for a word more": (f"> {'long ' * 11}\nA Mar-Bur\nREADY", []),
    "a signature without a blank": ("A PIC-BEL\n--\nAnn\n", ["Ann"]),
    "many lines below an unmarked attribution": (
        "READY\n\nOn Mon, 2 Feb 2026, Judge wrote:\n\n" + "A PIC-BEL\n" * 13 + "\n> A PIC-PAR",
        ["A PIC-BEL"] * 13,
    ),
    "plain quotes": ("> A PIC-PAR\nA PIC-BEL", []),
}


@pytest.mark.parametrize("name", DOUBTFUL)
def test_lines_that_may_have_been_meant(name: str) -> None:
    body, doubtful = DOUBTFUL[name]
    words = read_own(body)
    assert list(words.doubtful) == doubtful
    assert set(doubtful) <= set(words.quoted)


FLOWED = {
    "soft breaks": ("PRESS TO ALL\nThis is \none line.\nENDPRESS", "PRESS TO ALL\nThis is one line.\nENDPRESS"),
    "stuffed mark is no quote": (" > F LON\n From here", "> F LON\nFrom here"),
    "quote levels do not join": ("> quoted \nA PIC-BEL", "A PIC-BEL"),
    "signature is no soft break": ("A PIC-BEL \n-- \nAnn", "A PIC-BEL"),
    "last line open": ("A PIC-BEL ", "A PIC-BEL"),
}


@pytest.mark.parametrize("name", FLOWED)
def test_flowed(name: str) -> None:
    body, own = FLOWED[name]
    assert read_own(body, flowed=True).text == own


def test_flowed_with_deleted_spaces() -> None:
    assert read_own("A PIC-B \nEL", flowed=True, delete_space=True).text == "A PIC-BEL"


@pytest.mark.parametrize(
    "attribution",
    [
        "On Fri, 20 Nov 2026, Diplomacy gamemaster <gm@gm.example> wrote:",
        "On Fri, 20 Nov 2026, Diplomacy gamemaster\n<gm@gm.example> wrote:",
        "Am 20.11.26 um 23:48 schrieb gm <gm@gm.example>:",
        "Le ven. 20 nov. 2026 à 23:48, gm <gm@gm.example> a écrit :",
    ],
)
@pytest.mark.parametrize("mark", ["> ", ""])
def test_own_words_on_the_line_of_the_attribution(attribution: str, mark: str) -> None:
    own = read_own(f"F BRE-MAO\nA PAR-PIC {attribution}\n{mark}A PAR-BUR\n{mark}more\n")
    assert own.text == "F BRE-MAO\nA PAR-PIC"
    assert "A PAR-BUR" in own.quoted


@pytest.mark.parametrize("mark", [*"＞﹥｜￨│┃║┆▌▏❘¦", " │", "> │"])
@pytest.mark.parametrize("flowed", [False, True])
def test_quote_marks_of_any_form(mark: str, flowed: bool) -> None:
    words = read_own(f"A PIC-BEL\n{mark} A PIC-PAR\n{mark}READY", flowed=flowed)
    assert not any(is_acted_on(line) for line in words.text.split("\n")[1:])


def is_acted_on(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith(QUOTED)


def test_a_table_drawn_with_lines_is_own() -> None:
    assert read_own("│ A PIC │ - │ BEL │").text.split() == ["A", "PIC", "-", "BEL"]


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("A MAR\u00adSPA", "A MAR-SPA"),
        ("  Army Marseilles\u00adSpain.", "  Army Marseilles-Spain."),
        ("A MAR S A PAR\u00adBUR", "A MAR S A PAR-BUR"),
        ("A Bur\u00adgundy - Spa", "A Burgundy - Spa"),
        ("Mar\u00adseilles", "Marseilles"),
    ],
)
def test_a_soft_hyphen_at_the_end_of_an_order_is_a_hyphen(line: str, read: str) -> None:
    assert clean_text(line) == read


ENCODED = "A PIC-BEL\nbegin 644 map.txt\n#0V%T\n`\nend\nF BRE-MAO"


def test_what_is_uuencoded_is_an_attachment() -> None:
    mail = read(message(ENCODED))
    assert (mail.text, mail.attachments) == ("A PIC-BEL\nF BRE-MAO", ("map.txt",))
    assert mail.faults == ("Not read, since it is attached: map.txt. Please write orders in the body of the mail.",)
    (alone,) = read(message(ENCODED[10:-10])).faults
    assert "no text, only: map.txt" in alone


def test_what_is_encoded_in_base64_is_one_too() -> None:
    mail = read(message("A PIC-BEL\nbegin-base64 644 map.txt\nQ2F0\n====\nF BRE-MAO"))
    assert (mail.text, mail.attachments) == ("A PIC-BEL\nF BRE-MAO", ("map.txt",))


@pytest.mark.parametrize(
    "text", ["begin with these\nA PIC-BEL\nend", "begin 644 map\nA PIC-BEL\nend", "begin 644 map\n#0V%T"]
)
def test_what_only_begins_like_that_is_text(text: str) -> None:
    assert read(message(text)).text == text


ORDERS_OF_OWN = ["A PAR-BUR", "A MAR S A PAR-BUR", "F BRE-MAO"]


@pytest.mark.parametrize("mark", ["\u00bb ", "=> ", "~ ", "\u2192 ", "--> ", "\u25b6 "])
@pytest.mark.parametrize("sign", ["", "\n\n-- \nLena Vogt\nParis", "\n\nRegards\nLena"])
def test_a_list_of_ones_own_with_the_same_signs_counts(mark: str, sign: str) -> None:
    listed = "\n".join(mark + order for order in ORDERS_OF_OWN)
    words = read_own(f"Hello,\n\nhere are my orders\n{listed}{sign}\n")
    assert all(order in words.text for order in ORDERS_OF_OWN)


@pytest.mark.parametrize("mark", ["\u00bb ", "=> ", "~ ", "\u2192 ", "==> ", "--> ", "\u25b6 ", ";"])
def test_the_same_signs_before_words_and_orders_are_in_doubt(mark: str) -> None:
    said = "\n".join(mark + line for line in ("how about this", *ORDERS_OF_OWN))
    words = read_own(f"Hello\n\n{said}\n")
    assert not any(order in words.text for order in ORDERS_OF_OWN)
    assert {*ORDERS_OF_OWN} <= {*words.doubtful}
