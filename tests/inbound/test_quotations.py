"""Other people's press and our own mails that are quoted in a reply order nothing, whatever the mail client did to
them.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from dataclasses import replace
from email.message import EmailMessage

import pytest

from gm.inbound.acceptance import accept
from gm.store.inbox import ArrivedMail
from tests.server.world import World, body_of, player, proved, quotation_of, reply_to, text_of

FRANCE = player("France")
LINK = "https://example.org/a/very/long/address/that/no/line/has/room/for"
PRESS = f"{LINK} A Par-Pic {LINK} and {LINK} A Mar H {LINK} and F BRE-ENG, please.\nRESIGN spring\nA MAR-BUR"


def wrapped(text: str, width: int = 40) -> str:
    """A quotation as made by a client that quotes first and then wraps: text after a line break has no quote mark."""
    return "\n".join(textwrap.fill(f"> {line}", width, break_long_words=False) for line in text.splitlines())


CLIENTS: dict[str, Callable[[str], str]] = {
    "wraps after quoting": wrapped,
    "wraps narrowly": lambda text: wrapped(text, 20),
    "does not quote": lambda text: text,
    "wraps and does not quote": lambda text: textwrap.fill(text, 40),
    "one word a line": lambda text: "\n".join(text.split()),
    "leaves links out": lambda text: text.replace(LINK, "\n"),
    "in angle brackets": lambda text: text.replace(LINK, f"<{LINK}>\n"),
    "other spaces": lambda text: wrapped(text.replace(" ", "\u00a0 ")),
}


def sent(world: World, seats: dict[str, str], manner: str = "") -> str:
    """Italy's press to France; the Message-ID of the mail that France gets."""
    world.send(player("Italy"), seats["Italy"], f"{manner}PRESS TO FRANCE\n{PRESS}\nENDPRESS")
    if manner:
        world.pass_time(days=9)
    return str(world.last(FRANCE)["Message-ID"])


@pytest.mark.parametrize("client", CLIENTS)
def test_a_reply_to_press_orders_only_what_its_writer_wrote(world: World, seats: dict[str, str], client: str) -> None:
    message_id = sent(world, seats)
    text = f"No, but:\nA PAR-BUR\n\nOn Monday Italy wrote:\n{CLIENTS[client](PRESS)}"
    answer = text_of(world.send(FRANCE, seats["France"], text, headers={"In-Reply-To": message_id}))
    status = text_of(world.send(FRANCE, seats["France"], "MY ORDERS"))
    assert status.endswith("A Par-Bur"), status
    assert "left spring" not in answer
    assert all(seat.person is not None for seat in world.seats())


@pytest.mark.parametrize("mark", ["> ", "-----Original Message-----\nFrom: Italy\nSubject: press\n\n"])
@pytest.mark.way_in(number=20)
def test_a_plain_answer_to_press_is_quoted_back_with_the_way_to_send_it(
    world: World, seats: dict[str, str], mark: str
) -> None:
    world.send(player("Italy"), seats["Italy"], "PRESS TO FRANCE\nMy idea:\nA BUR-MUN\nF MAO-POR\nENDPRESS")
    message_id = str(world.last(FRANCE)["Message-ID"])
    quotation = "\n".join(f"{mark if mark == '> ' else ''}{line}" for line in ("My idea:", "A BUR-MUN", "F MAO-POR"))
    head = "On Monday Italy wrote:\n" if mark == "> " else mark
    text = f"Thanks for the idea, I agree. We shall do it.\n\n{head}{quotation}"
    answer = text_of(world.send(FRANCE, seats["France"], text, headers={"In-Reply-To": message_id}))
    assert "'Thanks for the idea, I agree. We shall do it.'" in answer
    assert "write PRESS TO Italy" in answer
    assert "BUR-MUN" not in answer.upper()


def test_what_was_taken_for_a_quotation_is_quoted_back(world: World, seats: dict[str, str]) -> None:
    message_id = sent(world, seats)
    answer = text_of(world.send(FRANCE, seats["France"], wrapped(PRESS, 20), headers={"In-Reply-To": message_id}))
    assert "from press that you were sent" in answer
    assert "send it in a new mail" in answer
    assert "Army Marseilles -> Burgundy" in text_of(world.send(FRANCE, seats["France"], "A MAR-BUR"))


def test_postal_press_within_a_report(world: World, seats: dict[str, str]) -> None:
    message_id = sent(world, seats, "POSTAL ")
    assert world.phase() != "S1901M"
    text = f"A PAR-BUR\n{wrapped(PRESS, 30)}"
    world.send(FRANCE, seats["France"], text, headers={"In-Reply-To": message_id})
    assert text_of(world.send(FRANCE, seats["France"], "MY ORDERS")).endswith(": A Par-Bur")


def test_a_client_that_does_not_say_what_it_answers(world: World, seats: dict[str, str]) -> None:
    sent(world, seats)
    world.send(FRANCE, seats["France"], f"A PAR-BUR\n\n{wrapped(PRESS, 20)}", headers={"In-Reply-To": ""})
    status = text_of(world.send(FRANCE, seats["France"], "MY ORDERS"))
    assert status.endswith("A Par-Bur")


def test_the_answer_to_press_may_quote_it_in_press(world: World, seats: dict[str, str]) -> None:
    message_id = sent(world, seats)
    text = "PRESS TO ITALY\nYou wrote: A Mar H. Why?\nENDPRESS"
    answer = world.send(FRANCE, seats["France"], text, headers={"In-Reply-To": message_id})
    assert "Press sent to Italy" in text_of(answer)
    assert "You wrote: A Mar H" in text_of(world.last(player("Italy")))


def test_the_order_form_is_sent_back_and_counts(world: World, seats: dict[str, str]) -> None:
    """It is not press, although it is in the same mail."""
    world.send(player("Italy"), seats["Italy"], "POSTAL PRESS TO FRANCE\nhello\nENDPRESS")
    world.pass_time(days=9)
    report = world.last(FRANCE)
    text = "A PAR - BUR\nA MAR - SPA\nF BRE - MAO"
    answer = text_of(world.send(FRANCE, seats["France"], text, headers={"In-Reply-To": str(report["Message-ID"])}))
    assert answer.count("->") >= 3


# ---- our own mails


@pytest.fixture
def ordered(world: World, seats: dict[str, str]) -> EmailMessage:
    """The receipt for France's earlier orders."""
    return world.send(FRANCE, seats["France"], "A PAR-PIC\nA MAR-SPA\nF BRE-MAO")


EARLIER = {"HELP ORDERS": "A PAR-BUR", "MY ORDERS": "A Mar-Spa"}


@pytest.mark.parametrize("greeting", ["", "Hi GM,\n\n"])
@pytest.mark.parametrize("asked", EARLIER)
def test_an_own_order_above_a_mail_of_ours_is_not_ours_because_another_mail_has_it(
    world: World, seats: dict[str, str], ordered: EmailMessage, asked: str, greeting: str
) -> None:
    own = EARLIER[asked]
    assert f"    {own}" in body_of(world.send(FRANCE, seats["France"], asked))
    receipt = world.send(FRANCE, seats["France"], "A PAR-PIC\nF BRE-ENG\nA MAR-GAS")
    answer = text_of(world.send(FRANCE, seats["France"], f"{greeting}{own}\n\n{quotation_of(receipt)}"))
    assert f"{own.title()} Army" in answer


def test_an_own_order_between_lines_of_a_mail_is_listed_though_another_mail_has_it(
    world: World, seats: dict[str, str], ordered: EmailMessage
) -> None:
    world.send(FRANCE, seats["France"], "HELP ORDERS")
    above, below = quotation_of(ordered).split("\n\n", 1)
    answer = text_of(world.send(FRANCE, seats["France"], f"{above}\n\nA PAR-BUR\n\n{below}"))
    assert "between quoted lines of a mail of ours, and was not acted on: 'A PAR-BUR'" in answer


def test_a_gamemaster_may_paste_a_players_receipt(world: World, seats: dict[str, str], ordered: EmailMessage) -> None:
    due, ours = world.game().due_at, quotation_of(ordered)
    for pasted in (ours, f"{ours}\nDEADLINE 2026-12-02 18:00\n{ours}"):
        world.send("master@example.org", seats["GM"], f"France sent me this, all is well.\n\n{pasted}")
        assert world.game().due_at == due


SENTENCE = "Your mail was understood. S1901M: 1 unit without an order."


@pytest.mark.parametrize("guess", ["> A Con-Bul  Army Constantinople -> Bulgaria", f"{SENTENCE}\nSTATUS\n{SENTENCE}"])
def test_what_becomes_of_a_guess_tells_a_gamemaster_who_plays_nothing_of_others_mails(
    world: World, seats: dict[str, str], guess: str
) -> None:
    """Whether a line is known as ours depends only on what its sender was sent."""
    world.promotes("master@example.org", seats["GM"], f"PROMOTE {FRANCE}")
    world.agreed()
    chair = next(reply_to(mail) for mail in reversed(world.mailboxes[FRANCE]) if reply_to(mail) != seats["France"])
    asked = FRANCE, chair, f"HELP TIME\n\n{guess}"
    world.send(*asked, headers={"In-Reply-To": ""})  # from now on its answer is a mail that may be quoted
    before = world.send(*asked, headers={"In-Reply-To": ""})
    world.send(player("Turkey"), seats["Turkey"], "A CON-BUL\nA SMY-CON")
    after = world.send(*asked, headers={"In-Reply-To": ""})
    assert body_of(after) == body_of(before)


STRANGE = {
    "an attribution in no language we know": "Judge quae sequuntur scripsit",
    "no attribution": "",
    "a signature of a telephone": "Sent from my Wiko RIDGE FAB 4G",
}


@pytest.mark.parametrize("way", STRANGE)
def test_our_mail_is_known_by_its_lines(world: World, seats: dict[str, str], ordered: EmailMessage, way: str) -> None:
    text = f"A PAR-BUR\nF BRE-ENG\n\n{STRANGE[way]}\n\n{quotation_of(ordered)}"
    answer = text_of(world.send(FRANCE, seats["France"], text))
    assert "A Par-Bur" in answer
    assert "F Bre-Eng" in answer
    assert "A Par-Pic" not in answer
    assert "not acted on" not in answer


def test_so_is_one_whose_lines_are_wrapped_again(world: World, seats: dict[str, str], ordered: EmailMessage) -> None:
    wrapped_again = "\n".join(textwrap.fill(line, 50) for line in quotation_of(ordered).splitlines())
    answer = text_of(world.send(FRANCE, seats["France"], f"F BRE-ENG\n\n{wrapped_again}"))
    assert "F Bre-Eng" in answer
    assert "A Par-Pic Army" in answer  # from before: nothing changed it
    assert "F Bre-Mao" not in answer


def test_another_mail_of_ours_may_be_quoted_than_the_one_that_is_cited(world: World, seats: dict[str, str]) -> None:
    opening = world.last(FRANCE)
    ordered = world.send(FRANCE, seats["France"], "A PAR-PIC\nA MAR-SPA\nF BRE-MAO")
    text = f"A PAR-BUR\n\nJudge quae sequuntur scripsit\n\n{quotation_of(ordered)}"
    answer = text_of(world.send(FRANCE, seats["France"], text, headers={"In-Reply-To": str(opening["Message-ID"])}))
    assert "A Par-Bur" in answer
    assert "A Par-Pic" not in answer
    assert "Only the gamemaster" not in answer


def test_a_command_in_our_mail_is_not_carried_out(world: World, seats: dict[str, str]) -> None:
    """As `Deadline: ...` in a status, which a gamemaster has changed where their client quotes it."""
    due = world.game().due_at
    status = world.send("master@example.org", seats["GM"], "STATUS")
    assert "\nThe deadline is Fri 27 Nov" in body_of(status)
    world.pass_time(hours=1)
    old = quotation_of(status).replace("The deadline is Fri 27 Nov", "Deadline: Sat 28 Nov")
    answer = text_of(world.send("master@example.org", seats["GM"], f"LIST\n\n{old}"))
    assert world.game().due_at == due
    assert "between quoted lines of a mail of ours" in answer
    assert "Deadline: " in answer


@pytest.mark.parametrize("mark", ["> ", ""])
def test_changes_within_a_quotation_are_reported(
    world: World, seats: dict[str, str], ordered: EmailMessage, mark: str
) -> None:
    lines = quotation_of(ordered).replace("A Par-Pic  ", "A Par-Gas  ").splitlines()
    text = "READY\n\n" + "\n".join(mark + line for line in lines)
    answer = text_of(world.send(FRANCE, seats["France"], text))
    assert "A Par-Gas" in answer
    assert "not acted on" in answer
    assert text_of(world.send(FRANCE, seats["France"], "MY ORDERS")).count("A Par-Pic") == 1


MEANT = {
    # a mail of France's, and what its receipt lists of it
    "below own orders": ("A PAR-PIC\n\n> A MAR-SPA\n> F BRE-MAO", ("A MAR-SPA", "F BRE-MAO")),
    "below a signature mark": (
        "A PAR-PIC\n-- \nA MAR-SPA\nCLEAR\nPRESS TO ENGLAND\nhi\nENDPRESS",
        ("A MAR-SPA", "CLEAR", "PRESS TO ENGLAND"),
    ),
    "orders below a command": ("OK\n> WHATIF\n> A PAR-BUR\n> F BRE-MAO", ("WHATIF", "A PAR-BUR", "F BRE-MAO")),
    "below words, against own orders": ("A PAR-PIC\nMia Long\nA MAR-BUR\nA PAR-GAS\nREADY", ("A MAR-BUR", "A PAR-GAS")),
    "press alone": ("OK\n> PRESS TO ENGLAND\n> hi\n> ENDPRESS", ("PRESS TO ENGLAND",)),
}


@pytest.mark.parametrize("name", MEANT)
def test_quoted_lines_that_may_be_meant_are_listed_each_time(world: World, seats: dict[str, str], name: str) -> None:
    """The receipt that lists them is a mail of ours, which makes them no lines of ours."""
    text, meant = MEANT[name]
    for _ in range(2):
        told = body_of(world.send(FRANCE, seats["France"], text)).partition("Not acted on, since these lines")[2]
        assert [line for line in meant if f"    {line}\n" in told] == list(meant)


def test_an_order_that_was_replaced_is_listed_too(world: World, seats: dict[str, str]) -> None:
    """MY ORDERS has it as a remark, which makes the order no line of ours."""
    world.send(FRANCE, seats["France"], "A MAR-SPA")
    world.send(FRANCE, seats["France"], "A MAR-PIE")
    sets = body_of(world.send(FRANCE, seats["France"], "MY ORDERS"))
    assert "# A Mar-Spa" in sets
    told = body_of(world.send(FRANCE, seats["France"], "A PAR-PIC\n-- \nA MAR-SPA"))
    assert "    A MAR-SPA\n" in told.partition("Not acted on, since these lines")[2]
    quoted = "\n".join(f"> {line}" for line in sets.splitlines())
    assert "Not acted on, since these" not in text_of(world.send(FRANCE, seats["France"], f"A PAR-BUR\n\n{quoted}"))


def test_a_receipts_own_list_of_them_is_ours_where_it_is_quoted(world: World, seats: dict[str, str]) -> None:
    listed = body_of(world.send(FRANCE, seats["France"], "A PAR-PIC\n\n> A MAR-SPA"))
    assert "Not acted on, since these" in listed
    text = "READY\n\n" + "\n".join(f"> {line}" for line in listed.splitlines())
    assert "Not acted on, since these" not in text_of(world.send(FRANCE, seats["France"], text))


UNKNOWN_HEADERS = {
    "in Armenian": (
        "Ումից՝ Բեա Լոնգ, Փարիզ <b@example.net>\nԵրբ՝ երկուշաբթի, ժամը վեցին\nՈւմ՝ Պատ Ֆրանս <france@players.example>"
    ),
    "words alone": "Of Bea Long on this fine Monday\nSent it was at six in the evening\nTo Pat France about our plan",
}


@pytest.mark.parametrize("header", UNKNOWN_HEADERS)
def test_what_a_receipt_repeats_of_a_mail_proves_no_line_ours(world: World, seats: dict[str, str], header: str) -> None:
    """Otherwise the header of a friend's mail would be a line of ours in the next mail, and no longer in doubt."""
    text = f"Hello!\nA PAR-BUR\n\n{UNKNOWN_HEADERS[header]}\n\nA MAR-SPA\nF BRE-ENG"
    for _ in range(2):
        answer = text_of(world.send(FRANCE, seats["France"], text))
        assert "these lines may be yours or somebody else's" in answer
        in_force = answer.partition("Orders of France")[2]
        assert "A Par-Bur Army" in in_force
        assert "Mar-Spa" not in in_force


@pytest.mark.parametrize(
    ("line", "acts"),
    [
        ("Bea Long | bea@example.net | 23.11.2026 18:02", False),
        ("Bea Long, 23 Nov 2026, 18:02", False),
        ("El 20/11/2026, Bea Long dijo:", False),
        ("My orders for Friday, 20 November 2026:", True),
        ("France, Spring 1901, 20 Nov 2026:", True),
        ("bea@example.net", False),
        ("Pat France, 23 Nov 2026, 18:02", True),
        ("Vienna, 23 November 2026", True),
        ("Sorry for the delay, our Thanksgiving Dinner was at 18:30!", True),
    ],
)
def test_a_first_line_that_tells_who_and_when_and_little_else_is_anothers(
    world: World, seats: dict[str, str], line: str, acts: bool
) -> None:
    answer = text_of(world.send(FRANCE, seats["France"], f"{line}\n\nA MAR-SPA\nF BRE-ENG"))
    assert ("A Mar-Spa Army" in answer) is acts


def test_what_a_question_shows_of_a_mail_makes_no_line_of_it_ours(world: World, seats: dict[str, str]) -> None:
    """Otherwise the same mail would be passed over when it is sent again with proof."""
    text = "Hello, here is what I want to do:\nA PAR-BUR\nThank you for running this game!\nF BRE-MAO"
    identity = world.service.identity
    object.__setattr__(identity, "trust", replace(identity.trust, level="strict"))
    world.arrive(FRANCE, seats["France"], text)
    world.work()
    assert "Did you write this?" in str(world.last(FRANCE)["Subject"])
    answer = text_of(world.send(FRANCE, seats["France"], text, headers=proved(FRANCE)))
    assert "A Par-Bur Army" in answer
    assert "F Bre-Mao Fleet" in answer


@pytest.mark.parametrize(
    "line",
    [
        "To England: shall we ally?",
        "Tell England I agree.",
        "@England stay out",
        "Message for England: go",
        "England: will you support me?",
    ],
)
@pytest.mark.parametrize("more", ["", "\nA PAR-PIC"])
def test_what_speaks_to_a_player_outside_press_is_said_not_to_be_sent(
    world: World, seats: dict[str, str], line: str, more: str
) -> None:
    told = text_of(world.send(FRANCE, seats["France"], f"{line}{more}"))
    assert f"Sent to nobody, since it is not press: '{line}'" in told
    assert "write PRESS TO England" in told


@pytest.mark.parametrize("line", ["England: A LON-NTH", "France:", "I go to England, I think", "Thanks: that is it"])
def test_what_speaks_to_nobody_is_not(world: World, seats: dict[str, str], line: str) -> None:
    assert "Sent to nobody" not in text_of(world.send(FRANCE, seats["France"], f"A PAR-PIC\n{line}"))


@pytest.mark.parametrize("subject", ["Ich bin im Urlaub", "On holiday until Monday"])
def test_who_is_away_is_answered_only_if_there_are_orders(world: World, seats: dict[str, str], subject: str) -> None:
    world.arrive(FRANCE, seats["France"], "I cannot read mail now.", headers={"Subject": subject})
    world.work()
    assert (world.inbox()[-1].state.value, world.inbox()[-1].note) == ("ignored", "an absence notice, by its subject")
    assert "A Par-Pic Army" in text_of(world.send(FRANCE, seats["France"], "A PAR-PIC", headers={"Subject": subject}))


def test_orders_in_the_part_that_is_not_used_are_said(world: World, seats: dict[str, str]) -> None:
    mail = EmailMessage()
    mail.set_content("A PAR-PIC\nA MAR-SPA\n")
    mail.add_alternative("<p>A PAR-BUR</p><p>A MAR-SPA</p><p>Bye</p>", subtype="html")
    mail["From"], mail["To"], mail["Message-ID"] = FRANCE, seats["France"], "<both@example.org>"
    accept(world.service, ArrivedMail("smtp", mail.as_bytes(), world.time, (seats["France"],), FRANCE))
    world.work()
    told = text_of(world.last(FRANCE))
    assert "The HTML of your mail says something else, which was not acted on: 'A PAR-BUR'." in told
    assert "A Par-Pic Army" in told


def test_what_was_not_changed_is_not(world: World, seats: dict[str, str], ordered: EmailMessage) -> None:
    text = "READY\n\n" + "\n".join(f"> {line}" for line in body_of(ordered).splitlines())
    assert "not acted on" not in text_of(world.send(FRANCE, seats["France"], text))


def test_the_form_may_be_filled_in_below_everything_else(world: World, seats: dict[str, str]) -> None:
    """In a quotation without marks, an order below our last sentence is the sender's own."""
    opening = quotation_of(world.last(FRANCE))
    filled = opening.replace("A Mar-", "A Mar-Spa").replace("A Par-", "A Par-Bur").replace("F Bre-", "F Bre-Mao")
    assert filled != opening
    answer = text_of(world.send(FRANCE, seats["France"], filled))
    assert answer.count("->") == 3, answer


def test_an_order_may_be_copied_from_our_mail(world: World, seats: dict[str, str], ordered: EmailMessage) -> None:
    world.send(FRANCE, seats["France"], "CLEAR")
    text = "As before, please, all of them:\nA Par-Pic  Army Paris -> Picardy"
    message_id = {"In-Reply-To": str(ordered["Message-ID"])}
    assert "A Par-Pic Army" in text_of(world.send(FRANCE, seats["France"], text, headers=message_id))


@pytest.mark.parametrize("client", CLIENTS)
def test_a_reply_to_an_announcement_orders_only_what_its_writer_wrote(
    world: World, seats: dict[str, str], client: str
) -> None:
    world.send("master@example.org", seats["GM"], f"OFFICIAL\n{PRESS}\nENDOFFICIAL")
    cited = {"In-Reply-To": str(world.last(FRANCE)["Message-ID"])}
    text = f"No, but:\nA PAR-BUR\n\nOn Monday the gamemaster wrote:\n{CLIENTS[client](PRESS)}"
    world.send(FRANCE, seats["France"], text, headers=cited)
    status = text_of(world.send(FRANCE, seats["France"], "MY ORDERS"))
    assert status.endswith("A Par-Bur"), status
    assert all(seat.person is not None for seat in world.seats())


def test_the_comment_of_a_game_orders_nothing(world: World, seats: dict[str, str]) -> None:
    world.send("master@example.org", seats["GM"], f"COMMENT look at {LINK} A Par-Gas {LINK}")
    cited = {"In-Reply-To": str(world.send(FRANCE, seats["France"], "STATUS")["Message-ID"])}
    text = f"A MAR H\n\n> look at {LINK}\nA Par-Gas\n> {LINK}"
    world.send(FRANCE, seats["France"], text, headers=cited)
    status = text_of(world.send(FRANCE, seats["France"], "MY ORDERS"))
    assert "A Par-Gas" not in status
    assert "A Mar H" in status


@pytest.mark.parametrize(
    "name", ["A Par-Gas", "F Bre - Mao", "army Paris hold", "a3 - a4", "Build A Par - now", "A/F Q5-BO"]
)
def test_nobody_is_called_like_an_order(world: World, name: str) -> None:
    assert "cannot be your name" in text_of(world.send("eve@evil.example", "gm@example.org", f"REGISTER {name}"))


@pytest.mark.parametrize(
    "name", ["A. Lee", "F Scott Fitzgerald", "Ann-Marie Dupont", "T. S. Eliot", "Jean-Luc C. Picard"]
)
def test_usual_names_are_not_taken_for_orders(world: World, name: str) -> None:
    assert "cannot be" not in text_of(world.send("eve@evil.example", "gm@example.org", f"REGISTER {name}"))


def test_a_receipts_list_may_be_sent_back_with_what_is_missing_in_it(world: World, seats: dict[str, str]) -> None:
    world.send(FRANCE, seats["France"], "A Par-Bur")
    world.send(FRANCE, seats["France"], "A Par-Pic")
    for gap in ("  ", "\t", " "):
        rows = f"A Par-Bur{gap}Army Paris -> Burgundy\n\nF Bre{gap}Fleet Brest\nA Mar{gap}Army Marseilles"
        said = text_of(world.send(FRANCE, seats["France"], rows))
        assert "S1901M: 2 units without an order" in said
        assert "A Par-Bur Army Paris -> Burgundy" in said
        world.send(FRANCE, seats["France"], "A Par-Pic")


@pytest.mark.parametrize("head", ["My orders:", "My orders in black:", "Here is what I order:"])
def test_one_yes_never_sends_what_stands_below_another_s_words_and_below_one_s_own(
    world: World, seats: dict[str, str], head: str
) -> None:
    said = text_of(
        world.send(FRANCE, seats["France"], f"Mario's idea in red:\nA PAR-GAS\n\n{head}\nF BRE-MAO\nA MAR-SPA")
    )
    assert "Your mail has two blocks of orders" in said
    assert "A PAR-GAS what is below" in said
    assert "F BRE-MAO / A MAR-SPA what is below" in said
    assert "answer YES" not in said
    world.send(FRANCE, seats["France"], "YES", headers={"In-Reply-To": str(world.last(FRANCE)["Message-ID"])})
    assert "no orders for this phase" in text_of(world.send(FRANCE, seats["France"], "MY ORDERS"))


def test_a_name_to_sign_with_is_asked_about_until_it_is_known(world: World, seats: dict[str, str]) -> None:
    asked = text_of(world.send(FRANCE, seats["France"], "A Par-Bur\n\nThanks\nRobert Smith"))
    assert "Do you sign as Robert Smith? PREFERENCES signature=Robert Smith" in asked
    assert "No orders of France" in asked
    world.send(FRANCE, seats["France"], "PREFERENCES signature=Robert Smith")
    known = text_of(world.send(FRANCE, seats["France"], "A Par-Bur\n\nThanks\nRobert J. Smith"))
    assert "A Par-Bur Army Paris -> Burgundy" in known
    other = text_of(world.send(FRANCE, seats["France"], "A Par-Gas\n\nThanks\nBea Rossi"))
    assert "Do you sign as Bea Rossi?" in other
    assert "A Par-Bur Army Paris -> Burgundy" in other


@pytest.mark.parametrize("below", ["", "\n\nand Bea Rossi said so", "\n\nfrance"])
def test_no_name_is_taken_from_words_that_are_none(world: World, seats: dict[str, str], below: str) -> None:
    assert "Do you sign" not in text_of(world.send(FRANCE, seats["France"], f"From Bea Rossi:\nA Par-Bur{below}"))
