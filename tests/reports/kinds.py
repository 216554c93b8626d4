"""One context of every kind of mail, with every field filled."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from gm.position import Position
from gm.reports import context as given
from gm.variants.standard import POWERS, STANDARD, opening
from gm.views import Section, View
from tests.reports.scenes import DUE, FALL, GAME, SPRING, VICTORY, order, reader

HOSTILE = "</pre><script>alert('&')</script>"
"""What a player may write; HTML parts must show it as it stands."""

FRANCE = reader("France")
PICTURE = given.Map(cid="map@example.org", alt="The board in Fall 1901")


def view_of(position: Position) -> View:
    """France's view of a position nobody has played in yet."""
    return STANDARD.view(STANDARD, position, None, POWERS[2])


def held(**changes: Any) -> given.HeldOrders:
    """Two of France's three opening orders."""
    start = opening()
    values: dict[str, Any] = {
        "view": view_of(start),
        "orders": (order(start, "France", "A par-bur"), order(start, "France", "A mar S A par-bur")),
        "number": 4,
        "replaces": 3,
        "deadline": DUE,
        "warnings": ("A Mar S A Par-Bur: England could have been asked first.",),
        "early": True,
    }
    return given.HeldOrders(**(values | changes))


STATUS = given.StatusAnswer(
    game=GAME,
    reader=FRANCE,
    state="The game is running.",
    view=view_of(opening()),
    deadline=DUE,
    seats=tuple(given.SeatStatus(power, f"{power[:3]} Player", "in" if power < "G" else "missing") for power in POWERS),
    held=held(),
    terms=(("press", "white"), ("move", "3d")),
)
LIST = given.GameList(
    FRANCE,
    (
        given.GameLine("spring", "Diplomacy", "running", "S1901M", DUE),
        given.GameLine("autumn", "Diplomacy", "forming: 3 of 7 powers are taken"),
    ),
)
HELP = given.HelpListing(FRANCE, (("ORDERS", "how orders are written"), ("PRESS", "writing to other players")))
TOPIC = given.HelpTopic(FRANCE, "press", f"PRESS TO FRANCE\n    {HOSTILE}\nENDPRESS\n")

RECEIPT = given.Receipt(
    reader=FRANCE,
    subject="Re: [spring] orders",
    game=GAME,
    held=held(),
    done=("Your time zone is Europe/Berlin now.",),
    refused=(
        given.RefusedLine(3, "A Pra-Bur", "There is no place 'Pra'.", "Did you mean Par (Paris)?", 3),
        given.RefusedLine(7, HOSTILE, "This is no order.", "Write one such as A PAR-BUR."),
    ),
    talk=(given.TalkLine(5, "I hope that MUN holds; " + "and so on, " * 12),),
    quoted=("A Mar-Spa",),
    faults=("An attachment, orders.doc, was not read. Write orders into the mail itself.",),
    parts=(STATUS, LIST, HELP, TOPIC),
)

EVERY_KIND: Mapping[str, Any] = {
    "player/opening": given.Opening(
        game=GAME,
        reader=FRANCE,
        view=view_of(opening()),
        deadline=DUE,
        early=True,
        terms=(("press", "white"), ("move", "3d")),
        commitment="ab12" * 16,
        map=given.Map(svg="<svg></svg>"),
    ),
    "player/report": given.PhaseReport(
        game=GAME,
        reader=FRANCE,
        view=FALL.view("France"),
        deadline=DUE,
        early=True,
        notices=("The server was away on Monday; the deadline was moved by a day for everybody.",),
        map=PICTURE,
    ),
    "player/receipt": RECEIPT,
    "player/refusal": given.Refusal(
        FRANCE, "This address belongs to no seat.", "Answer the newest mail.", "Re: orders"
    ),
    "player/reminder": given.Reminder(GAME, FRANCE, held(), DUE, DUE - timedelta(hours=24)),
    "player/review": given.Review(
        GAME,
        FRANCE,
        view_of(opening()),
        (Section("Orders of the others", (("Germany", "A Mun-Bur"), ("Italy", HOSTILE))),),
        DUE,
    ),
    "player/press": given.PressMail(
        GAME,
        FRANCE,
        "England",
        ("France", "Germany"),
        f"Dear all,\n\n  {HOSTILE}\n{'word ' * 40}",
        opening().phase,
        DUE,
    ),
    "player/notice": given.Notice(FRANCE, "The deadline has moved", ("By a day.", "Ask why."), GAME, DUE),
    "player/question": given.Question(
        FRANCE,
        "Did you write this?",
        (f"A mail from thief@example.com {HOSTILE} came to your seat.", "Nothing in it was acted on."),
        ("A PAR-BUR", HOSTILE),
        (("YES", "act on it"), ("NO", "forget it")),
        DUE,
        "spring",
    ),
    "player/status": STATUS,
    "player/list": LIST,
    "player/help": HELP,
    "player/topic": TOPIC,
    "gm/trouble": given.Trouble(FRANCE, "A mail was set aside.", "See the log.", f"Traceback\n  {HOSTILE}", "spring"),
}

REPORTS: Mapping[str, given.PhaseReport] = {
    "spring": given.PhaseReport(GAME, FRANCE, SPRING.view("France"), DUE),
    "fall": EVERY_KIND["player/report"],
    "victory": given.PhaseReport(
        GAME,
        FRANCE,
        VICTORY.view("France"),
        history=((1901, {POWERS[2]: 5}), (1902, {POWERS[2]: 7, POWERS[6]: 6})),
        seed="cd34" * 16,
    ),
}
