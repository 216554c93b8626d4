"""One context of every kind of mail, with every field filled."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from gm.position import Position
from gm.reports import answers, bulletins, digest, game_mails, press_mails
from gm.reports.blocks import Paragraphs, Passage, Table, Verbatim, turn_blocks
from gm.reports.players import PlayerLine, Players
from gm.reports.reader import Offer, Reader
from gm.reports.render import MailKind
from gm.reports.standing_orders import StandingOrders
from gm.variants.standard import POWERS, STANDARD, opening
from gm.views import Section, View
from tests.reports.scenes import DUE, FALL, GAME, SPRING, VICTORY, mailto, order, reader

HOSTILE = "</pre><script>alert('&')</script>"
"""What a player may write; HTML parts must show it as it stands."""

FRANCE = reader("France")
PLAYERS = Players((
    PlayerLine("England", HOSTILE, "in", "from you, 3 Dec", "gm+spring.to-england.abc@example.org", mailto("To", "")),
    PlayerLine("France", "Ann (you)", "not in yet"),
    PlayerLine("Everybody", address="gm+spring.to-all.abc@example.org", link=mailto("Press to all", "")),
))  # fmt: skip
PICTURE = game_mails.Map(cid="map@example.org", alt="The board in Fall 1901")


def view_of(position: Position) -> View:
    """France's view of a position nobody has played in yet."""
    return STANDARD.view(STANDARD, position, None, POWERS[2])


def report(view: View, reader: Reader = FRANCE, **how: Any) -> game_mails.PhaseReport:
    """The report of a turn; `history`, `seed` and `chronicle` tell the end of the game."""
    ending = {name: how.pop(name) for name in ("history", "seed", "chronicle") if name in how}
    return game_mails.PhaseReport(reader, view, bulletins.Bulletin(GAME, view.common, **ending), **how)


def sent(**changes: Any) -> StandingOrders:
    """Two of France's three opening orders."""
    start = opening()
    values: dict[str, Any] = {
        "game": GAME,
        "reader": FRANCE,
        "view": view_of(start),
        "orders": (order(start, "France", "A par-bur"), order(start, "France", "A mar S A par-bur")),
        "number": 4,
        "deadline": DUE,
        "warnings": ("A Mar S A Par-Bur: England could have been asked first.",),
        "early": "orders",
    }
    return StandingOrders(**(values | changes))


STATUS = answers.StatusAnswer(
    game=GAME,
    reader=FRANCE,
    state="The game is running.",
    view=view_of(opening()),
    deadline=DUE,
    seats=tuple(
        answers.SeatStatus(power, f"{power[:3]} Player", "in" if power < "G" else "missing") for power in POWERS
    ),
    announcements=(("GM, 20 Nov", HOSTILE),),
    terms=(("press", "white"), ("move", "3d")),
)
LIST = answers.GameList(
    FRANCE,
    (
        answers.GameLine("spring", "Diplomacy", "running", "S1901M", DUE),
        answers.GameLine("autumn", "Diplomacy", "forming: 3 of 7 powers are taken"),
    ),
)
HELP = answers.HelpListing(
    (("ORDERS", "how orders are written"), ("PRESS", "writing to other players")),
    (Offer("STATUS", "who plays", "mailto:gm@example.org"),),
)
WELCOME = answers.Welcome((Offer("JOIN autumn", "Diplomacy", "mailto:gm@example.org"),), (Offer("LIST", HOSTILE),))
PLAYED = Passage(
    "spring, F1904M",
    (
        *turn_blocks(FALL.view("France"), GAME.adjectives),
        Table((("Power", "Player"), ("France", HOSTILE)), headed=True),
        Table((("France", HOSTILE),), title="Centres"),
        Paragraphs(("The game is over.", HOSTILE)),
    ),
)
TOPIC = Passage("Help: PRESS", (Verbatim(f"PRESS TO FRANCE\n    {HOSTILE}\nENDPRESS\n"),))

RECEIPT = answers.Receipt(
    reader=FRANCE,
    answered="Re: [spring] orders",
    game=GAME,
    standing=sent(),
    changed=True,
    next=(("STATUS", HOSTILE), ("HELP", "what else you can write")),
    stands=("You have nothing to do now.",),
    done=("Your time zone is Europe/Berlin now.",),
    refused=(
        answers.RefusedLine(3, "A Pra-Bur", "There is no place 'Pra'.", "Did you mean Par (Paris)?", 3),
        answers.RefusedLine(7, HOSTILE, "This is no order.", "Write one such as A PAR-BUR."),
    ),
    talk=(answers.TalkLine(5, "I hope that MUN holds; " + "and so on, " * 12),),
    quoted=("A Mar-Spa",),
    doubtful=("A Par-Bur",),
    faults=("An attachment, orders.doc, was not read. Write orders into the mail itself.",),
    answers=(("WAIT", HOSTILE),),
    parts=(STATUS, LIST, HELP, WELCOME, TOPIC, PLAYED),
)

EVERY_KIND: tuple[MailKind, ...] = (
    game_mails.Opening(
        setup=bulletins.Setup(
            GAME, view_of(opening()).common, (("press", "white"), ("move", "3d")), (HOSTILE,), "ab12" * 16
        ),
        reader=FRANCE,
        view=view_of(opening()),
        deadline=DUE,
        early="orders",
        map=game_mails.Map(svg="<svg></svg>"),
        names=game_mails.Map(svg="<svg></svg>"),
        players=PLAYERS,
        lesson=game_mails.Lesson(
            ("Reply.", "Read."), ("A Par-Bur",), mailto("orders", ""), Passage("How", TOPIC.blocks)
        ),
    ),
    game_mails.PhaseReport(
        bulletin=bulletins.Bulletin(GAME, FALL.view("France").common),
        reader=FRANCE,
        view=FALL.view("France"),
        deadline=DUE,
        early="orders",
        notices=("The server was away on Monday; the deadline was moved by a day for everybody.",),
        players=PLAYERS,
        map=PICTURE,
    ),
    RECEIPT,
    answers.Refusal(FRANCE, "This address belongs to no seat.", "Answer the newest mail.", "Re: orders"),
    game_mails.Reminder(FRANCE, sent(orders=(), deadline=None), DUE, DUE - timedelta(hours=24), 2, "It has passed."),
    game_mails.Review(
        GAME,
        FRANCE,
        view_of(opening()),
        (Section("Orders of the others", (("Germany", "A Mun-Bur"), ("Italy", HOSTILE))),),
        DUE,
    ),
    press_mails.PressMail(
        GAME,
        FRANCE,
        "England",
        ("France", "Germany"),
        f"Dear all,\n\n  {HOSTILE}\n{'word ' * 40}",
        opening().phase,
        DUE,
        (
            press_mails.Correspondent("England", mailto),
            press_mails.Correspondent("England and Germany", mailto, "gm+spring.abc@example.org"),
        ),
    ),
    game_mails.Choice(
        FRANCE, "which game?", ("Which?",), ways=(Offer("For spring", "as France", "mailto:gm@example.org"),)
    ),
    digest.Digest(
        FRANCE,
        (
            digest.GameNews(
                "spring",
                "GAME spring",
                "France. Fall 1901 movement (F1901M) is due Tue 3 Dec 2030, 18:00 CET.",
                (digest.gathered("spring", "[spring] Press", f"England: {HOSTILE}", "", "Written before."),),
            ),
            digest.GameNews("twin", "twin", "This is not your seat any more.", ()),
        ),
    ),
    game_mails.Notice(
        FRANCE,
        "The deadline has moved",
        ("By a day.", "Ask why."),
        GAME,
        DUE,
        answers=(("EXTEND YES", HOSTILE),),
        table=(("Press", HOSTILE),),
    ),
    answers.Question(
        FRANCE,
        "Did you write this?",
        (f"A mail from thief@example.com {HOSTILE} came to your seat.", "Nothing in it was acted on."),
        ("A PAR-BUR", HOSTILE),
        (("YES", "act on it"), ("NO", "forget it")),
        DUE,
        "spring",
        (("Press", HOSTILE),),
    ),
    answers.Trouble(FRANCE, "A mail was set aside.", "See the log.", f"Traceback\n  {HOSTILE}", game="spring"),
)

REPORTS: Mapping[str, game_mails.PhaseReport] = {
    "spring": report(SPRING.view("France"), deadline=DUE),
    "fall": next(mail for mail in EVERY_KIND if isinstance(mail, game_mails.PhaseReport)),
    "victory": report(
        VICTORY.view("France"),
        history=((1901, {POWERS[2]: 5}), (1902, {POWERS[2]: 7, POWERS[6]: 6})),
        seed="cd34" * 16,
    ),
}
