"""What players do: they order, in time, late or for a later phase; they write press, vote, ask and leave."""

from __future__ import annotations

import random
from datetime import timedelta
from functools import partial

from gm.games.snapshot import Game, Seat
from gm.orders.notation import write
from tests.simulation.hidden import KEEPER
from tests.simulation.oddities import Shape, plain
from tests.simulation.people import People
from tests.simulation.ways import BASE
from tests.simulation.world import Got

# ---- players


def order(
    people: People,
    rng: random.Random,
    game: Game,
    seat: Seat,
    share: float,
    *,
    extra: str = "",
    early: timedelta = timedelta(),
    shape: Shape = plain,
    deputy: Seat | None = None,
    address: str = "",
) -> None:
    """A player, or their deputy, answers the newest mail that told them of a phase with orders for it."""
    writer = deputy or seat
    address = address or people.holder(writer)
    told = people.last_of(address, game.name, told=True)
    if not address or told is None or told.phase is None or told.seat != writer.id:
        return
    orders = people.orders(game, seat, told.phase, random.Random(rng.random()), share)
    if not orders:
        return
    text = "\n".join(map(write, orders)) + extra
    if rng.random() < 0.2:
        text += f"\n\nOn some day {told.recipient} got:\n> A PAR-BUR\n> {told.subject}"
    people.write(
        "orders", address, told.reply_to, text, rng,
        cites=told, game=game.name, seat=seat.id, phase=told.phase, orders=True,
        complete=share >= 1, serial=serial_of(writer, address), given=orders, early=early, shape=shape,
        by=deputy.id if deputy is not None else None,
    )  # fmt: skip


def serial_of(seat: Seat, writer: str = "") -> tuple[int, int | None]:
    """The seat's address and holder; no holder if it is somebody else who writes, such as a former deputy."""
    holds = seat.person is not None and (not writer or writer in seat.person.addresses)
    return seat.serial, seat.person.id if seat.person is not None and holds else None


def orders(people: People, rng: random.Random) -> None:
    """Somebody orders something."""
    game = people.running(rng)
    if game is not None:
        orders_in(people, rng, game)


def orders_in(people: People, rng: random.Random, game: Game) -> None:
    """Somebody in this game orders something."""
    order(people, rng, game, rng.choice(game.players), rng.choice((0.3, 0.6, 1.0)))


def all_order(people: People, rng: random.Random) -> None:
    """Everybody in a game orders, perhaps all but one."""
    game = people.running(rng)
    if game is not None:
        idle = rng.choice((*game.players, None, None, None))
        for seat in game.players:
            if seat is not idle:
                order(people, rng, game, seat, 1.0, extra=rng.choice(("", "", "\nREADY", "\nSTATUS")))


def keep_playing(people: People) -> None:
    """In every other game each player answers each report with orders, most in time, and some say READY."""
    world = people.world

    def arrived(got: Got, _: bytes) -> None:
        name = next((one for one in people.games[::2] if f"+{one}." in got.reply_to), None)
        if name is None or got.phase is None or not got.purpose.startswith(("report:", "opening:")):
            return
        rng = random.Random(f"{world.seed} {got.seat} {got.phase}")
        if rng.random() < 0.85:
            world.later(timedelta(minutes=rng.choice((2, 9, 30, 50, 110))), partial(answer, name, got, rng))

    def answer(name: str, got: Got, rng: random.Random) -> None:
        game = world.game(name)
        seat = next((seat for seat in game.players if seat.id == got.seat), None)
        if seat is not None and game.running:
            order(people, rng, game, seat, rng.choice((0.6, 1.0, 1.0)), extra=rng.choice(("", "", "\nREADY")))

    world.observers.append(arrived)


def reordered(people: People, rng: random.Random) -> None:
    """Two mails of one player, of which the older arrives last."""
    game = people.running(rng)
    if game is not None:
        seat, again = rng.choice(game.players), random.Random(rng.random())
        order(people, rng, game, seat, 0.7)
        older = timedelta(minutes=6)
        people.world.later(timedelta(minutes=4), lambda: order(people, again, game, seat, 0.7, early=older))


def late(people: People, rng: random.Random) -> None:
    """Orders that cite an older mail than the newest."""
    game = people.running(rng)
    seat = rng.choice(game.players) if game is not None else None
    if game is None or seat is None:
        return
    address = people.holder(seat)
    told = [got for got in people.mailbox(address) if got.phase is not None and got.seat == seat.id]
    if len(told) > 1:
        cited = rng.choice(told[:-1])
        given = people.orders(game, seat, cited.phase or 0, rng, 0.7)
        if given:
            people.write(
                "late", address, told[-1].reply_to, "\n".join(map(write, given)), rng, cites=cited,
                game=game.name, seat=seat.id, phase=cited.phase, orders=True, serial=serial_of(seat), given=given,
            )  # fmt: skip


def uncited(people: People, rng: random.Random) -> None:
    """Orders in a new mail, which cites nothing: they are for the phase of which their writer was told last."""
    game = people.running(rng)
    if game is not None and game.phase is not None:
        seat = rng.choice(game.players)
        got = people.last_of(people.holder(seat), game.name)
        given = people.orders(game, seat, game.phase.id, rng, 0.7)
        if got is not None and given:
            text, told = "\n".join(map(write, given)), people.last_of(people.holder(seat), game.name, told=True)
            certain = told is not None and (told.seat, told.phase) == (seat.id, game.phase.id) and got.seat == seat.id
            people.write(
                "uncited", people.holder(seat), got.reply_to, text, rng, game=game.name, seat=seat.id,
                phase=game.phase.id if certain else None, orders=certain, serial=serial_of(seat), given=given,
            )  # fmt: skip


_SAYINGS = (
    *("STATUS", "MY ORDERS", "READY", "WAIT", "CLEAR", "HISTORY", "POSITION", "WHOAMI", "LIST", "HELP ORDERS"),
    *("DRAW", "NO DRAW", "EXTEND 12h", "EXTEND", "PAUSE", "RESUME", "SUMMARY", "ALIAS home = Par", "HERE", "READY"),
    *("PREFERENCES mail=html maps=png", "PREFERENCES mail=text maps=none", "PREFERENCES remind=6h", "UNDO", "WAIT"),
    *("WHY A PAR", "DIARY\nI wonder.\nENDDIARY", "WHATIF\nA PAR-BUR\nENDWHATIF", "CONCEDE TO France"),
    *("Hello, is anybody there?", "TIMEZONE Asia/Tokyo", "STOP", "STOP NONE", "EXTEND YES", "EXPORT"),
)
_OF_A_PHASE = ("READY", "WAIT", "CLEAR")


def says(people: People, rng: random.Random) -> None:
    """A player sends a command, or talks."""
    game = people.running(rng)
    if game is not None:
        say(people, rng, game, rng.choice(game.players), rng.choice(_SAYINGS), cites=rng.random() < 0.8)


def say(people: People, rng: random.Random, game: Game, seat: Seat, words: str, *, cites: bool = True) -> None:
    """A player sends these words; what belongs to a phase is certain if they cite a mail that told of it."""
    bound = words in _OF_A_PHASE and cites
    got = people.last_of(people.holder(seat), game.name, told=bound)
    if got is None:
        return
    certain = bound and got.seat == seat.id and got.phase is not None
    clears = certain and words == "CLEAR" and bool(people.orders(game, seat, got.phase or 0, random.Random(1), 1.0))
    people.write(
        "says", people.holder(seat), got.reply_to, words, rng, cites=got if cites else None, game=game.name,
        seat=seat.id, phase=got.phase if certain else None, orders=clears, serial=serial_of(seat),
    )  # fmt: skip


def waits(people: People, rng: random.Random) -> None:
    """Everybody orders, or says that they are ready, but one of them says WAIT or CLEAR before or after that."""
    game = people.running(rng)
    if game is None:
        return
    one, words, first = rng.choice(game.players), rng.choice(("WAIT", "WAIT", "CLEAR")), rng.random() < 0.5
    if first:
        say(people, rng, game, one, words)
    for seat in game.players:
        order(people, rng, game, seat, 1.0, extra="\nREADY" if rng.random() < 0.7 and seat is not one else "")
    if not first:
        say(people, rng, game, one, words)


def votes(people: People, rng: random.Random) -> None:
    """Everybody votes for a draw or to concede, perhaps all but one; or one votes otherwise, or leaves."""
    game = people.running(rng)
    if game is None:
        return
    winner, odd = rng.choice(game.players), rng.choice((None, *game.players, *game.players))
    words = rng.choice(("DRAW", "DRAW", f"CONCEDE TO {winner.power}"))
    how = rng.choice(("", "NO DRAW", "NO CONCEDE", f"RESIGN {game.name}"))
    for seat in game.players:
        if seat is winner and words != "DRAW":
            continue
        if seat is not odd or how.startswith("RESIGN"):
            say(people, rng, game, seat, words)
        if seat is odd and how:
            say(people, rng, game, seat, how)


def ahead(people: People, rng: random.Random) -> None:
    """Orders for the next movement phase of the same year, or of the next; some are possible then."""
    game = people.running(rng)
    if game is None or game.phase is None:
        return
    seat, now = rng.choice(game.players), game.phase.position.phase
    given = people.orders(game, seat, game.phase.id, rng, 0.7)
    code = f"F{now.year}M" if now.code.startswith("S") else f"S{now.year + 1}M"
    if given:
        say(people, rng, game, seat, f"PHASE {code}\n" + "\n".join(map(write, given)) + "\nENDPHASE")


def former(people: People, rng: random.Random) -> None:
    """Somebody who has lost a seat orders for it, at the address that they know."""
    game = people.running(rng)
    if game is None:
        return
    for seat in game.players:
        told = [got for box in people.world.mails.values() for got in box[-8:] if got.seat == seat.id and got.phase]
        gone = [got for got in told if got.recipient != people.holder(seat)]
        given = people.orders(game, seat, game.phase.id, rng, 0.7) if gone and game.phase is not None else []
        if given:
            got = gone[-1]
            people.world.count("orders of former players")
            text = "\n".join(map(write, given))
            people.write("former", got.recipient, got.reply_to, text, rng, cites=got, game=game.name, seat=seat.id)


_ENDS = (".", ", and A PAR-BUR!", ".\n\nPS: Gr\u00fc\u00dfe\n> no")


def press(people: People, rng: random.Random) -> None:
    """Press to somebody or everybody."""
    game = people.running(rng)
    if game is None:
        return
    seat, other = rng.choice(game.players), rng.choice(game.players)
    to = rng.choice((str(other.power), "ALL", "GM"))
    how = rng.choice(("", "", "", "GREY ", "POSTAL ")) if to != "GM" else ""
    words = f"Number {people.world.number()}{rng.choice(_ENDS)}"
    got = people.last_of(people.holder(seat), game.name)
    if got is not None:
        text = f"{how}PRESS TO {to}\n{words}\nENDPRESS" if rng.random() < 0.85 else f"STOP PRESS FROM {other.power}"
        people.write("press", people.holder(seat), got.reply_to, text, rng, cites=got, game=game.name, seat=seat.id)


def answers(people: People, rng: random.Random) -> None:
    """Somebody answers a question: nobody whose address is the secret of twin worlds, which their answer would tell."""
    waiting = [asked for asked in people.world.questions if not asked.recipient.endswith(f"@{KEEPER}")]
    if waiting:
        asked = rng.choice(waiting)
        people.world.questions.remove(asked)
        words = rng.choice(("YES", "YES", "YES", "NO", "perhaps"))
        people.write("answer", asked.recipient, asked.reply_to, words, rng, cites=asked, asks=False)


def leaves(people: People, rng: random.Random) -> None:
    """A player goes away for a while, or for good; somebody else takes a seat over, or stands by, or wants to be
    forgotten."""
    game = people.running(rng)
    if game is None:
        return
    seat, day = rng.choice(game.players), people.world.now + timedelta(days=1)
    got = people.last_of(people.holder(seat), game.name)
    words = rng.choice((f"ABSENCE {day:%Y-%m-%d} TO {day + timedelta(days=2):%Y-%m-%d}", f"RESIGN {game.name}"))
    new = f"new{rng.randrange(40)}@newcomers.sim"
    if rng.random() < 0.5 and got is not None:
        people.write("leaves", people.holder(seat), got.reply_to, words, rng, cites=got, game=game.name)
    vacant = [one.power for one in game.vacant]
    words = (
        f"TAKEOVER {game.name} AS {rng.choice(vacant)}" if vacant else rng.choice(("STANDBY ", "OBSERVE ")) + game.name
    )
    people.write("comes", new, BASE, rng.choice((words, words, words, "FORGET ME")), rng)
