"""Games of fog in whole servers, by mail, that differ only out of France's sight: what is asked and arranged in them,
and that they send the same bytes to France's player, who runs the game too, to an assistant, to an observer and to
whoever asks at the server's own address.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from gm.board import Power
from gm.gallery import MARK, Site, publish_game, publish_index, site_facts
from gm.orders import Hold
from gm.orders.notation import write
from gm.variants.standard import POWERS
from tests.server.kept import kept
from tests.server.world import BASE, World, name_of, player, reply_to

WATCHER, DEPUTY, FRANCE = "watcher@example.org", "dan@example.net", player("France")
HELPER = "helper@example.org"
MASTER, NEWCOMER = "master@example.org", "new@example.org"
ORDER_PAGE, GALLERY = "https://games.example.org/order.html", "gallery"
QUESTIONS = "\n".join(
    (
        *("STATUS", "LIST", "SUMMARY", "HISTORY", "HISTORY ALL", "MY ORDERS", "RULES", "WHOAMI", "HELP ORDERS"),
        *("POSITION", "MAP", "MAP ORDERS", "EXPORT", "WHY SMY", "WHY A CON-BUL", "WHY BUR", "RETURN spring"),
        *("DASHBOARD", "PREVIEW", "LOG", "WHO", "STANDBY", "PRESS WITH ALL", "DRAW", "NO DRAW", "ORDERS FOR TURKEY"),
        *("HISTORY S1901M", "MAP S1901M", "MAP F1901M", "ABSENCE", "DIARY LIST", "MY ORDERS S1901M", "EXPORT JSON"),
        *("Who has ordered?", "How many centres does Turkey have?", "Is Turkey out?", "Whose turn is it?"),
    )
)
"""What a curious player asks."""
TRIED = "\n".join(
    (
        *("A SMY-CON", "A PAR S A CON-BUL", "A MAR S A VEN-PIE", "F BRE S F NTH-ENG", "A PAR S A MUN-BUR"),
        *("A PAR S F KIE-BUR", "A MAR-NAF", "A MAR-TUN via convoy", "F BRE C A LON-PIC", "A PAR S Turkish A MUN-BUR"),
        *(
            "A PAR S A BUR",
            "A MAR S A PIE",
            "A MAR S A PIE-SPA",
            "Build A CON",
            "Remove A SMY",
            "A CON D",
            "A CON R BUL",
        ),
        *("A CON R BUL", "F Bre-Nor", "Par-Brugundy", "A PAR H", "A MAR H", "F BRE H"),
    )
)
"""Orders about what is not seen, misspelt ones, and at the end those that stay."""

LATER = "\n".join(
    (
        *("PHASE F1901M", "IF A BUL THEN A PAR-BUR", "IF NOT A BUL THEN A PAR-PIC", "IF EMPTY SMY THEN A MAR-GAS"),
        *("IF Turkey OWNS BUL THEN F BRE-MAO", "IF NOT Turkey OWNS BUL THEN F BRE-ENG", "ENDPHASE"),
    )
)
"""Orders on conditions about what is not seen."""

GUESSED = """SUMMARY

> A Con H  Army Constantinople HOLD
> A Smy H  Army Smyrna HOLD
> A Con-Bul  Army Constantinople -> Bulgaria
> Pat Turkey (Turkey) has a deputy, Dan, from now on.
"""
"""Lines that may be in mails to others, quoted: what is made of them must not tell."""

BASE_ORDERS = {
    "Austria": "A VIE-TRI\nA BUD-SER\nF TRI-ALB",
    "England": "F LON H\nF EDI H\nA LVP H",
    "Germany": "A BER H\nA MUN H\nF KIE H",
    "Italy": "A VEN H\nA ROM H\nF NAP H",
    "Russia": "A WAR H\nA MOS H\nF SEV H\nF STP/SC H",
    "Turkey": "A CON H\nA SMY H\nF ANK H",
}
Orders = Mapping[str, str]


@dataclass(frozen=True)
class Sent:
    """A mail as it left the server."""

    at: datetime
    recipient: str
    raw: bytes


@dataclass
class Game(World):
    """A server with one game in fog, which one of its players runs, or else somebody who does not play. What is sent to
    the player of `own` is looked at.
    """

    master: str = FRANCE
    variant: str = "fog"
    powers: Sequence[str] = POWERS
    own: str = "France"
    readers: tuple[str, ...] = (WATCHER, HELPER)
    sent: list[Sent] = field(default_factory=list)
    seats: dict[str, str] = field(default_factory=dict)  # type: ignore[assignment]
    posted: Counter[str] = field(default_factory=Counter)

    def restart(self) -> None:
        """The draws are the same in every game, and mails have a link to the order page."""
        super().restart()
        identity = self.service.identity
        settings = replace(identity.settings, rehearsal_seed=b"twins")
        object.__setattr__(self.service, "identity", replace(identity, settings=settings, order_page=ORDER_PAGE))

    def deliver(self, raw: bytes, envelope_from: str, recipient: str) -> None:
        self.sent.append(Sent(self.time, recipient, raw))
        super().deliver(raw, envelope_from, recipient)

    def say(self, sender: str, to: str, text: str) -> EmailMessage:
        """Send a mail and return its reply."""
        return self.send(sender, to, text)

    def mail(self, sender: str, to: str, text: str, **more: Any) -> bytes:
        """The same mail has the same Message-ID in every game."""
        self.posted[sender] += 1
        return super().mail(sender, to, text, message_id=f"<{self.posted[sender]}.{sender}>", **more)

    @kept
    def begin(self, options: str) -> None:
        times = "first=3d move=3d retreat=1d adjust=1d"
        created = self.say(self.master, BASE, f"CREATE spring variant={self.variant} {times} {options}")
        for power in self.powers:
            self.say(_mailbox(power), BASE, f"JOIN spring AS {power}")
            if power == self.own or self.powers is POWERS:
                self.say(_mailbox(power), BASE, "PREFERENCES JSON yes")
        watching = self.say(WATCHER, BASE, "OBSERVE spring")
        self.say(self.master, reply_to(created), "START spring")
        self.seats = {power: self._seat(power) for power in self.powers}
        self.seats |= {"GM": reply_to(created), "watcher": reply_to(watching)}
        self.chair(f"PROMOTE {HELPER} AS ASSISTANT")
        self.say(HELPER, reply_to(self.last(HELPER)), "YES")
        self.seats["helper"] = reply_to(self.last(HELPER))

    def chair(self, text: str) -> None:
        """The gamemaster writes."""
        self.say(self.master, self.seats["GM"], text)

    def _seat(self, power: str) -> str:
        game = self.game()
        (seat,) = (one for one in game.players if one.power == power)
        return self.service.identity.address_of(game, seat)

    def order(self, power: str, text: str) -> None:
        self.say(_mailbox(power), self.seats[power], text)

    def others(self, orders: Orders) -> None:
        """Orders of all but France."""
        for power, text in orders.items():
            if text:
                self.order(power, text)

    def curious(self) -> None:
        """The player asks everything at each seat, and tries orders; an assistant, the observer and a stranger ask too,
        and the gallery is published.
        """
        self.order(self.own, QUESTIONS)
        self.chair(QUESTIONS)
        self.chair(GUESSED)
        self.say(HELPER, self.seats["helper"], QUESTIONS)
        self.say(WATCHER, self.seats["watcher"], QUESTIONS)
        self.say(WATCHER, BASE, "STATUS spring\nLIST\nHISTORY spring ALL\nSUMMARY spring\nMAP spring\nPOSITION spring")
        self.order(self.own, TRIED)
        self.order(self.own, f"WHATIF\n{TRIED}\nTurkey: A CON-BUL")
        self.order(self.own, LATER)
        self.publish()

    def publish(self) -> None:
        """The whole gallery, as one more thing that everybody is sent."""
        site = Site(self.path / GALLERY, site_facts(self.service))
        publish_game(self.service, site, self.game().id)
        publish_index(self.service, site)
        files = sorted(path for path in site.folder.rglob("*") if path.is_file() and path.name != MARK)
        named = [str(path.relative_to(self.path)) for path in files]
        self.sent += [Sent(self.time, name, path.read_bytes()) for name, path in zip(named, files, strict=True)]

    def seen(self) -> list[tuple[object, ...]]:
        """Everything that those see who may not know, in the order in which it was sent: when, and its bytes but for
        what a secret key makes.
        """
        readers = (player(self.own), *self.readers)
        shown = (one for one in self.sent if one.recipient in readers or one.recipient.startswith(GALLERY))
        return [(one.at, one.recipient, _IDS.sub(b"", one.raw)) for one in shown]


def _mailbox(power: str) -> str:
    return player(power.replace(" ", "-"))


_IDS = re.compile(rb"<[0-9a-f]{32}@|=_[0-9a-f]{32}|\+return\.[a-z2-7]+@")
"""Numbers made by a secret key from the number of a mail, which counts the mails of others too."""

Secret = Callable[[Game, int], Orders]
"""What others order in the phase of this number, and whatever else happens out of sight before that."""


def with_orders(**orders: str) -> Secret:
    """Some powers order otherwise than in the first world; "" for nothing at all."""
    return lambda game, number: {**BASE_ORDERS, **orders} if number == 0 else in_fall(game, **orders)


def holding(game: Game) -> dict[str, str]:
    """Orders to hold for every unit that each power but France has now."""
    position = game.game().position
    assert position is not None
    return {p: "\n".join(write(Hold(unit)) for unit in position.units_of(Power(p))) for p in BASE_ORDERS}


def in_fall(game: Game, **orders: str) -> Orders:
    """Fall: Austria takes Serbia in every world, so that there is a Winter; others hold what they have."""
    held = holding(game)
    return held | {"Austria": "A SER H\nA TRI H\nF ALB-GRE"} | {power: "" for power, text in orders.items() if not text}


def nothing(game: Game, number: int) -> Orders:
    return BASE_ORDERS if number == 0 else in_fall(game)


def ready(game: Game, number: int) -> Orders:
    """Turkey says READY, WAIT and READY again; Russia asks things and fails in others."""
    for word in ("READY", "WAIT", "READY"):
        game.order("Turkey", word)
    game.order("Russia", "STATUS\nA PAR-BUR\nA XXX-YYY")
    game.order("England", "DRAW")
    return nothing(game, number)


def arranged(game: Game, number: int) -> Orders:
    """Turkey has a deputy; others write to each other, vote, try orders out and order for later."""
    if number == 0:
        game.order("Turkey", f"DEPUTY {DEPUTY}")
        game.accepts(DEPUTY)
        for letter in range(25):
            game.order("Italy", f"PRESS TO Austria\nLetter {letter}.\nENDPRESS")
        game.order("Turkey", "DRAW\nCONCEDE TO Russia\nPHASE F1901M\nA CON H\nENDPHASE\nIF A BUL THEN A CON H")
        game.order("Russia", "WHATIF\nA WAR-GAL")
        game.order("Russia", "SANDBOX")
        game.order("Russia", "POSTAL PRESS TO Turkey\nLater.\nENDPRESS\nSTOP PRESS FROM Italy\nDIARY\nToday.\nENDDIARY")
    return nothing(game, number)


def out_of_the_game(game: Game, number: int) -> Orders:
    """Turkey has no unit and no centre."""
    if number == 0:
        change(
            game, lambda units, centers: ([u for u in units if not u.startswith("Turkey")], {**centers, "Turkey": []})
        )
    return {power: text for power, text in nothing(game, number).items() if power != "Turkey"}


def grown(game: Game, number: int) -> Orders:
    """Turkey owns four more centres, and has two more units."""
    if number == 0:
        change(game, _more_of_turkey)
    given = dict(nothing(game, number))
    return given | {
        "Turkey": holding(game)["Turkey"],
        "Austria": "A VIE H\nA BUD-SER\nF TRI H" if number == 0 else "A SER H",
    }


def _more_of_turkey(units: list[str], centers: dict[str, Any]) -> tuple[list[str], dict[str, Any]]:
    own = ["ank", "con", "smy", "bul", "rum", "gre", "swe"]
    return sorted([*units, "Turkey A bul", "Turkey F bla"]), {**centers, "Turkey": own}


Change = Callable[[list[str], dict[str, Any]], tuple[list[str], dict[str, Any]]]


def change(game: Game, how: Change, name: str = "spring") -> None:
    with game.altering(name) as row:
        units, centers = how(row.position["units"], row.position["centers"])
        row.position = row.position | {"units": units, "centers": {p: own for p, own in centers.items() if own}}


def leaving(then: Secret) -> Secret:
    """Turkey's player resigns, a newcomer takes over; Russia's is ejected, and a stand-in plays for it."""

    def secret(game: Game, number: int) -> Orders:
        orders = then(game, number)
        if number == 0:
            game.order("Turkey", "RESIGN spring")
            game.chair("EJECT Russia")
        else:
            game.say(NEWCOMER, BASE, "LIST\nTAKEOVER spring AS Turkey")
            game.chair("STANDIN Russia")
        return {power: text for power, text in orders.items() if power not in ("Turkey", "Russia")}

    return secret


def in_practice(then: Secret) -> Secret:
    """France's player also plays against stand-ins, and asks everything there."""

    def secret(game: Game, number: int) -> Orders:
        if number == 0:
            game.say(FRANCE, BASE, "PRACTICE fog AS France")
            name, seat = name_of(game.last(FRANCE)), reply_to(game.last(FRANCE))
            if then is grown:
                change(game, _more_of_turkey, name)
            for text in (QUESTIONS, TRIED, f"WHATIF\n{TRIED}", "READY", QUESTIONS, "ALL HOLD\nREADY", QUESTIONS):
                game.say(FRANCE, seat, text)
        return nothing(game, number)

    return secret


def in_digests(then: Secret) -> Secret:
    """France's player has one mail a day."""

    def secret(game: Game, number: int) -> Orders:
        if number == 0:
            game.say(FRANCE, BASE, "PREFERENCES digest=08:00")
        return then(game, number)

    return secret


def again(**orders: str) -> Secret:
    """Spring is played again, with some other orders."""

    def secret(game: Game, number: int) -> Orders:
        if number == 1:
            game.chair("ROLLBACK S1901M")
            game.others(BASE_ORDERS | orders)
            game.curious()
            game.pass_time(days=3)
        return nothing(game, number)

    return secret


def corrected(orders: str) -> Secret:
    """Spring is adjudicated again, with other orders."""

    def secret(game: Game, number: int) -> Orders:
        if number == 1:
            game.chair(f"CORRECT S1901M NOW\n{orders}\nBECAUSE a mail was lost.")
        return nothing(game, number)

    return secret


def too_late(power: str, orders: str) -> Secret:
    """Orders for Spring that come after it, and are accepted."""

    def secret(game: Game, number: int) -> Orders:
        if number == 1:
            game.order(power, f"PHASE S1901M\n{orders}\nENDPHASE")
            game.curious()
            game.chair(f"ACCEPT LATE {power}")
        return nothing(game, number)

    return secret


TURKISH = "A CON H\nA SMY H\nF ANK H"


def unused(game: Game, number: int) -> Orders:
    """Turkey is out of the game, and sends the orders of one who is not."""
    return {**out_of_the_game(game, number), "Turkey": TURKISH}


def used(game: Game, number: int) -> Orders:
    return {**nothing(game, number), "Turkey": TURKISH}


def all_ready(then: Secret, turkish: str) -> Secret:
    """All say READY, Turkey with these orders."""

    def secret(game: Game, number: int) -> Orders:
        orders = then(game, number)
        game.order("France", "READY")
        return {power: f"{text}\nREADY" for power, text in orders.items()} | {"Turkey": turkish}

    return secret


@dataclass(frozen=True)
class Twins:
    """Two worlds, and how the game is run in both."""

    other: Secret
    one: Secret = nothing
    options: str = ""
    master: str = FRANCE
    after: str = ""
    """What the gamemaster writes after each deadline."""
    times: str = "early=no nmr=hold reminder=3h"
    readers: tuple[str, ...] = (WATCHER, HELPER)
    late: int = 0
    """How many days the game waits for those who are late with their builds."""


FAR = with_orders(Turkey="A CON-BUL\nA SMY-CON\nF ANK-BLA", Russia="A WAR-UKR\nA MOS-LVN\nF SEV-RUM")
_kept: dict[Twins, list[tuple[object, ...]]] = {}


def played(path: Path, secret: Secret, how: Twins) -> list[tuple[object, ...]]:
    """A game year of which France's player, the observer and strangers ask everything that there is to ask."""
    path.mkdir()
    game = Game(path, limits=0, master=how.master, readers=how.readers)
    game.begin(f"{how.times} progress=yes {how.options}")
    for number in (0, 1):
        orders = secret(game, number)
        game.curious()
        game.others(orders)
        game.curious()
        _end(game, how, days=3)
    assert game.phase() == "W1901A"
    game.curious()
    for _ in range(1 + how.late):
        _end(game, how, days=1)
    assert game.phase() == "S1902M"
    game.curious()
    assert not game.service.wrong
    game.database.dispose()
    return game.seen()


def _end(game: Game, how: Twins, days: int) -> None:
    game.pass_time(days=days)
    if how.after:
        game.chair(how.after)


def send_the_same_mails(twins: Twins, path: Path) -> None:
    """Both worlds are played, and nobody of whom something is asked in them can tell which is which."""
    first = replace(twins, other=twins.one)
    if first not in _kept:
        _kept[first] = played(path / "first", twins.one, twins)
    alike(_kept[first], played(path / "other", twins.other, twins))


def alike(one: Sequence[tuple[object, ...]], other: Sequence[tuple[object, ...]], least: int = 40) -> None:
    """The same mails, and enough of them."""
    for mail, twin in zip(one, other, strict=False):
        assert mail == twin, differing(mail, twin)
    assert len(one) == len(other) > least


def differing(one: Sequence[object], two: Sequence[object]) -> str:
    """The lines that differ."""
    first, second = (str(mail[-1]).split("\\n") for mail in (one, two))
    return "\n".join(
        [str(one[:2]), str(two[:2]), *(f"{a}\n  {b}" for a, b in zip(first, second, strict=False) if a != b)]
    )
