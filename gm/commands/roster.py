"""EJECT, DUMMY, ORDERS FOR and REVEAL: the gamemaster's commands about seats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from gm.clock import parse_when
from gm.commands.all_powers import lacking, orders_below, pieces_of
from gm.commands.context import THE_POWER, Context
from gm.commands.declaration import About, Command, Consent, Help, Orders, Policy, Record, Sentences, Stage, Syntax, Who
from gm.commands.orders import ORDERS
from gm.commands.setup import change
from gm.errors import NotNow, NotPermitted, NotUnderstood
from gm.games import loading
from gm.games.limits import Spent
from gm.games.report_inputs import holder_name, who_plays
from gm.games.snapshot import Game, Person, Seat, addresses_of
from gm.mail.message.compose import can_be_written_to
from gm.options import GameOptions
from gm.options.table import NONE
from gm.orders import UnitName
from gm.orders.notation import write
from gm.parsing.message import OrderLine, reason_apart
from gm.play import admission, beginning, calendar, preorders, roll_call, seats, sight, standby
from gm.play.calendar import close_early
from gm.play.seats import one_of
from gm.reports import counted, full_moment
from gm.reports.answers import RefusedLine
from gm.store import agenda, game_rows, people, records
from gm.store.agenda import DeadlineKind
from gm.store.game_rows import SeatRole


def seat_named(game: Game, power: str) -> Seat:
    """The seat of a power, by any of its names. Raises NotUnderstood; NotNow before powers are dealt, whoever is to get
    it.
    """
    known = game.lexicon.power(power) or power
    seat = next((seat for seat in game.players if seat.label.lower() == known.lower()), None)
    if seat is None and known in game.powers:
        raise NotNow(f"Nobody has {known} before {game.name} begins: powers are dealt then.", "Write it again then.")
    if seat is None:
        raise NotUnderstood(f"'{power}' is not a power in this game.", one_of(game.powers))
    return seat


def seat_for_master(ctx: Context, game: Game, power: str) -> Seat:
    """The seat of a power, for a gamemaster who may know its holder. Raises NotPermitted, NotUnderstood."""
    seat = seat_named(game, power)
    if game.is_secret(seat) and ctx.plays(game):
        raise NotPermitted(
            f"You play in this game, so you may not know who plays {seat.power}.",
            "PROMOTE makes somebody a gamemaster who does not play.",
        )
    return seat


def reachable(ctx: Context, email: str) -> Person | None:
    """The person with this address, if they are registered, who may be written to about this game. Raises
    NotUnderstood for an unusable address, NotPermitted and OverLimit for one that is not to be written to.
    """
    if not can_be_written_to(email):
        raise NotUnderstood(f"'{email}' is not a mail address.", "Write it like name@example.org.")
    if ctx.tx.identity.is_own(email):
        raise NotUnderstood(f"{email} is an address of this server.", "Name the address of a person.")
    game, _ = ctx.seated()
    known = loading.person_at(ctx.tx.session, email)
    if not any(game.knows_holder(ctx.seat, seat) for seat in game.seats_of(known)):
        ctx.reach(email, f"{people.INVITATIONS} {game.id}")
    return known


def act_eject(ctx: Context, args: Mapping[str, Any]) -> None:
    """Take a power from its player, and offer it to the first on the standby list."""
    if not ctx.seated()[0].running:
        _send_away(ctx, args["power"])
        return
    game, seat = _seat(ctx, "EJECT", args["power"])
    if seat.person is None:
        raise NotNow(f"{seat.power} has no player.", f"REPLACE {seat.power} WITH address gives it one.")
    game = _take(ctx, game, seat)
    purpose = f"vacant:{ctx.key}:{seat.id}"
    seats.announce_vacancy(ctx.tx, game, seat, "was removed by the gamemaster", purpose, why=ctx.said_why)
    asked = " It was offered to the next on the standby list." if seat.id in standby.kept(ctx.tx, game) else ""
    played = " A stand-in plays it until somebody takes it over." if game.options.stands_in(seat.label) else ""
    undo = {} if game.is_secret(seat) else {"undo": {"seat": seat.id, "account": seat.person.id}}
    again = (
        f" UNDO gives it back to its player while it is the last that you did; {_asks_again(ctx, seat)}" if undo else ""
    )
    ctx.say(f"{seat.power} is vacant.{asked}{played}{again}")
    ctx.note_told("Its player gets" if game.is_secret(seat) else "All players get")
    ctx.note("eject", power=seat.power, **undo)


def _asks_again(ctx: Context, seat: Seat) -> str:
    """How who has lost a seat, which is as it was before, is asked to play it again."""
    game, chair = ctx.seated()
    known = addresses_of(seat.person) if admission.knows_the_invited(game, chair) else ()
    address = next(iter(known), "their address")
    return f"REPLACE {seat.power} WITH {address} asks them later."


def _send_away(ctx: Context, power: str | None) -> None:
    """Take the seat in a game that is forming from the one person who wants this power most; they are told."""
    game, _ = ctx.seated()
    ctx.require_may_know_players(game)
    wanting = [seat for seat in beginning.wanting(game, power or "") if game.knows_holder(ctx.seat, seat)]
    if len(wanting) != 1 or wanting[0].person is None:
        many = "several want" if wanting else "nobody wants"
        how = "STATUS shows who has joined; DENY and an address takes a seat from its player, and keeps them out."
        raise NotNow(f"{game.name} has not begun, and {many} {power or 'that power'}.", how)
    (seat,) = wanting
    assert seat.person is not None
    given = f"The gamemaster of {game.name} has taken your seat, before the game begins."
    words = (*filter(None, (given, ctx.said_why)), seats.way_on(game))
    ctx.tx.dismiss(game, seat, "the gamemaster has taken your seat", words, f"ejected:{ctx.key}:{seat.id}")
    seats.empty(ctx.tx, game, seat)
    ctx.say(f"{seat.person.name} has lost the seat in {game.name}, and is told.")
    ctx.note_told(f"{seat.person.name} gets")
    ctx.offer(f"DENY {seat.person.addresses[0]}", "keep them out, too")
    ctx.note("eject", power=power)


def _back(ctx: Context, undo: Mapping[str, Any]) -> str:
    """Give a power back to the player who was ejected. Raises NotNow when it, or they, are not free any more."""
    game, _ = ctx.seated()
    seat, person = game.seat(int(undo["seat"])), loading.people(ctx.tx.session, [undo["account"]])[undo["account"]]
    if seat.person is not None or seat.dummy_since is not None:
        raise NotNow(
            f"{seat.power} is not vacant any more; {_has_it(ctx, game, seat)}.",
            f"REPLACE {seat.power} WITH address asks its former player, or another one.",
        )
    unwelcome = people.is_denied(ctx.tx.session, game.id, person.addresses)
    unwilling = people.blocked(ctx.tx.session, person.addresses) & {people.ALL_MAIL, f"{people.INVITATIONS} {game.id}"}
    seen = sight.in_the_way(ctx.tx, game, person, seat) is not None
    if game.plays(person) or not person.addresses or unwelcome or unwilling or seen:
        raise NotNow(f"The player of {seat.power} is not free any more.")
    seats.give(ctx.tx, game, seat, person)
    standby.take_offers_back(ctx.tx, game, seat)
    return f"{seat.power} has its player back."


def _has_it(ctx: Context, game: Game, seat: Seat) -> str:
    """What has become of a power that is not vacant, as far as the sender may know it."""
    if seat.person is None:
        return "it is a dummy"
    return f"{seat.person.name if game.knows_holder(ctx.seat, seat) else 'somebody else'} plays it"


def act_muster(ctx: Context, args: Mapping[str, Any]) -> None:
    """Ask all players whether they are there; who does not answer in time loses the seat."""
    game, _ = ctx.seated()
    phase = ctx.running(game)
    if str(args["by"] or "").lower() in NONE:
        _cancel_muster(ctx, game, phase.id)
        return
    zone, due = game.options.clock.zone, game.due_at
    usual = ctx.now + (_TIME_TO_ANSWER if due is None else min(_TIME_TO_ANSWER, (due - ctx.now) / 2))
    allowed = game.options.clock.next_allowed(usual)
    usual = allowed if due is None or allowed < due else usual
    until = parse_when(args["by"], ctx.now, zone) if args["by"] else usual
    if until <= ctx.now or (due is not None and until > due):
        problem = f"{full_moment(until, zone)} is not between now and the deadline."
        how = f"a time before {full_moment(due, zone)}" if due is not None else "MUSTER in 24h"
        raise NotNow(problem, f"Write MUSTER, or {how}.")
    ctx.note("muster", phase_id=phase.id, until=until.isoformat())
    called = roll_call.call(ctx.tx, game, until, f"muster:{ctx.key}:{len(ctx.answer.done)}", ctx.said_why)
    asked = [seat for seat in called if not game.is_secret(seat)]
    if not asked:
        ctx.say("Nobody needs to be asked: all players are there.")
        return
    shown = sum(not game.is_secret(seat) for seat in game.held)
    have = "; from the others something has come already" if len(asked) < shown else ""
    ctx.say(
        f"{counted(len(asked), 'player').capitalize()} must say by {ctx.reader().until(until)} whether they are"
        f" there{have}. Who does not loses the seat, and it is offered to the standby list. MUSTER OFF cancels this."
    )
    ctx.note_told("Who is asked gets")


def _cancel_muster(ctx: Context, game: Game, phase_id: int) -> None:
    """End the roll call of this phase, and tell those who have not answered it. Raises NotNow when there was none."""
    asked = roll_call.unanswered(ctx.tx, game)
    if not agenda.cancel_roll_call(ctx.tx.session, phase_id):
        raise NotNow("There is no roll call to cancel.", "MUSTER begins one.")
    agenda.cancel(ctx.tx.session, phase_id, (DeadlineKind.MUSTER,))
    ctx.note("muster", off=True)
    ctx.say("The roll call is cancelled; nobody loses a seat by it from now on.")
    words = " ".join(filter(None, ("You were asked whether you are there. You need not answer now.", ctx.said_why)))
    ctx.tx.tell(game, asked, "you need not answer", (words,), f"muster off:{ctx.key}:{len(ctx.answer.done)}")
    if not all(map(game.is_secret, asked)):
        ctx.say("Who had not answered is told.")
        ctx.note_told("They get")


_TIME_TO_ANSWER = timedelta(hours=48)

MUSTER = Command(
    "muster",
    Syntax("MUSTER (UNTIL|BY|TILL) [by:WHEN]", ("MUSTER", "MUSTER in 24h", "MUSTER OFF"), elsewhere=("roll call",)),
    Policy(
        Who.MASTER,
        Stage.RUNNING,
        consent=Consent.IRREVOCABLE,
        record=Record(opposite="MUSTER OFF"),
        cost=5,
        spends=(Spent.MAILS,),
    ),
    act_muster,
    Help(
        "ask all players whether they are there",
        """
        Best after START, before the first deadline. Players who have ordered or
        answered in this phase are not asked; the others confirm with one tap.
        Where it is hidden who has ordered, or a gamemaster plays and would
        learn it, orders do not count, and all are asked.
        Whoever does not within 48 hours (or half of the time that is left, or
        by the time you name) loses the seat to the next on the standby list.
        MUSTER OFF cancels this, and who has not answered is told.
        """,
    ),
)


def act_dummy(ctx: Context, args: Mapping[str, Any]) -> None:
    """Run a power without a player: its units hold unless the gamemaster orders for it."""
    game, seat = _seat(ctx, "DUMMY", args["power"])
    refuse_secret(game, seat, "be a dummy")
    if seat.dummy_since is not None:
        raise NotNow(f"{seat.power} is a dummy already.", f"REPLACE {seat.power} WITH address gives it a player.")
    if seat.person is not None and beginning.has_just_begun(ctx.tx, game):
        how = "The first report shows who plays which; write DUMMY again if they are to be out."
        raise NotNow(f"The powers were dealt just now, and {seat.power} has a player.", how)
    game, taken = ctx.tx.fold_seats(game, replace(seat, dummy_since=ctx.now)), seat.person
    if taken is not None:
        game = _take(ctx, game, game.seat(seat.id))
    fate = seats.dummies_fate(game)
    ctx.say(f"{seat.power} is a dummy: {fate} unless you write ORDERS FOR {seat.power}.")
    if taken is not None:
        stays = " What they have ordered for this phase stays until you order for it."
        known = game.knows(ctx.seat, seat) and game.has_ordered(seat)
        ctx.say(f"Its player is out and is told so; UNDO takes that back.{stays if known else ''}")
    words = (f"{seat.power} now has no player; {fate}.",)
    ctx.tell_others(game, "a dummy", words, f"dummy:{ctx.key}:{seat.id}")
    ctx.note("dummy", power=seat.power, undo={"seat": seat.id, "account": taken.id if taken is not None else None})
    close_early(ctx.tx, game)


def refuse_secret(game: Game, seat: Seat, what: str) -> None:
    """Raises NotPermitted for a seat of which it must not show whether it has a player."""
    if game.is_secret(seat):
        raise NotPermitted(
            f"{seat.power} cannot {what}: whether it has a player is secret.",
            f"REPLACE {seat.power} WITH address names another player, in private.",
        )


def _seat(ctx: Context, word: str, power: str | None) -> tuple[Game, Seat]:
    game, _ = ctx.seated()
    if power is None:
        raise NotUnderstood(f"{word} needs a power.", f"Write {word} and one of: {', '.join(game.powers)}.")
    return game, seat_for_master(ctx, game, power)


def _take(ctx: Context, game: Game, seat: Seat) -> Game:
    """Notify the player and vacate the seat."""
    taken = f"The gamemaster has taken {seat.power} from you. The address of your seat is void."
    words = (*filter(None, (taken, ctx.said_why)), seats.way_on(game))
    ctx.tx.dismiss(game, seat, "the gamemaster has taken your seat", words, f"ejected:{ctx.key}:{seat.id}")
    game = seats.vacate(ctx.tx, game, seat) if seat.dummy_since is None else seats.empty(ctx.tx, game, seat)
    if game.waits_for_all:
        ctx.say(f"{game.code} waits as if {seat.power} still had its player, so that nobody sees whose orders are in.")
    return game


def _no_dummy(ctx: Context, undo: Mapping[str, Any]) -> str:
    """Make the power vacant again, or give it back to its player. Raises NotNow when it is no longer a dummy, or they
    are not free any more.
    """
    game, _ = ctx.seated()
    seat = game.seat(int(undo["seat"]))
    if seat.dummy_since is None or seat.role is not SeatRole.PLAYER:
        raise NotNow("That power is no longer a dummy.")
    ctx.tx.fold_seats(game, replace(seat, dummy_since=None))
    return f"{seat.power} is vacant and can be taken over." if undo["account"] is None else _back(ctx, undo)


EJECT = Command(
    "eject",
    Syntax("EJECT [power:POWER]", ("EJECT power",), elsewhere=("kick", "vacate")),
    Policy(
        Who.MASTER,
        Stage.UNDER_WAY,
        consent=Consent.IRREVOCABLE,
        record=Record(undo=_back, changes=THE_POWER),
        cost=5,
    ),
    act_eject,
    Help(
        "take a power from its player",
        """
        The seat becomes vacant and is offered to the next on the standby list.
        TAKEOVER and REPLACE fill it too. UNDO gives it back in the same phase,
        while nobody else has it; but not a seat of which nobody may know who
        has it: REPLACE asks its player again. A line BECAUSE and the reason
        below it tells the player and everybody why. Before the game begins,
        who wants the power loses the seat.
        """,
    ),
)
DUMMY = Command(
    "dummy",
    Syntax("DUMMY [power:POWER]", ("DUMMY power",)),
    Policy(
        Who.MASTER,
        Stage.RUNNING,
        consent=Consent.IRREVOCABLE,
        of_vacant=Consent.NONE,
        record=Record(undo=_no_dummy, changes=THE_POWER),
        cost=5,
        spends=(Spent.MAILS,),
    ),
    act_dummy,
    Help(
        "run a power without a player",
        """
        Unless you order for it (ORDERS FOR), its units hold or, in games where
        missing orders are random, get random orders. The game does not wait
        for it (in fog from the next phase on: PROCESS ends this one), it has no
        vote, and it is not offered to the standby list.
        Its player, if it has one, is out: UNDO brings them back while it is the
        last that you did, REPLACE asks them later.
        """,
    ),
)


def _of_now(ctx: Context, game: Game, target: Seat, lines: Sequence[OrderLine]) -> list[OrderLine]:
    """The lines for the present phase, or for one that is over; those for a later one are refused. What is stored for
    it is seen and changed by the seat's player alone: whoever may order for it now may be against it then.
    """
    ahead = preorders.by_phase(game.variant, ctx.running(game).position.phase, lines).ahead
    how = f"Write ORDERS FOR {target.power} when it has begun."
    for code, later in ahead.items():
        own = f"Orders for {code} are for the player of {target.power} to store."
        ctx.refuse(RefusedLine(line.line, line.text, own, how) for line in later)
    return [line for line in lines if not any(line in later for later in ahead.values())]


def act_orders_for(ctx: Context, args: Mapping[str, Any]) -> None:
    """Put the orders below the line in force for the power. From a player it is only a heading above their own
    orders.
    """
    game, seat = ctx.seated()
    target = seat_named(game, args["power"])
    if not game.may_order_for(seat, target):
        ctx.as_master()
        ctx.require_neutral(game)
    if target.id != seat.id:
        calendar.check_open(game, seat)
    below = reason_apart(args["below"])[1] if target.id != seat.id else args["below"]
    why, ctx.why = ctx.why if target.id != seat.id else "", ""
    lines, refused = orders_below(game, game.lexicon_of(seat), below, pieces_of(game, target))
    ctx.refuse(refused)
    if not lines and not refused and seat.role is SeatRole.MASTER:
        raise NotUnderstood("There are no orders below this line.", "Write them below it.")
    if target.id != seat.id:
        lines = _of_now(ctx, game, target, lines)
    if not lines:
        return
    own = game.orders.get(target.id)
    if target.id != seat.id and own is not None and own.sent and calendar.leaves_no_time(game, ctx.now):
        ctx.bring(Consent.IRREVOCABLE)  # their player may be too late to put it right
    before = ctx.answer.changed
    acting = replace(ctx, actor=target, answer=replace(ctx.answer, changed=None))
    ORDERS.run(acting, {"lines": lines})
    changed, game = acting.answer.changed, ctx.tx.newest(game)
    ctx.answer = replace(acting.answer, changed=changed or before if target.id == seat.id else before)
    if target.id != seat.id and changed is not None:
        said = ", ".join(write(order) for order in game.orders_of(target))
        ctx.say(f"Orders of {target.power} now in force: {said}.{lacking(game, target)}")
        if why and (target.person is not None or game.is_secret(target)):
            ctx.say(f"Their player gets your reason: {why}.")
        reason, because = (f" The reason: {why}.", {"why": why}) if why else ("", {})
        words = (f"The gamemaster has ordered for {target.power}.{reason} Orders now in force: {said}.",)
        number = game.orders[target.id].number
        ctx.tx.tell(game, [target], "orders for you", words, f"ordered:{ctx.key}:{target.id}:{number}")
        game_rows.note_set_of_master(ctx.tx.session, game.phase_id or 0, target.id, number)
        ctx.note("orders for", power=target.power, orders=said, phase_id=game.phase_id, number=number, **because)


ORDERS_FOR = Command(
    "ordersfor",
    Syntax(
        "ORDERS FOR power:KNOWN_POWER",
        ("ORDERS FOR power\nthe orders",),
        synonyms=("order for", "become"),
        sentences=Sentences.UNLESS_WHOLE,
        below=Orders(to_gap=True),
    ),
    Policy(
        Who.PARTICIPANT,
        Stage.RUNNING,
        phase_bound=True,
        record=Record(from_players=True, details=("number",)),
        about=(About.ORDERS,),
    ),
    act_orders_for,
    Help(
        "order for a power, as its gamemaster",
        """
        Write the orders below the line, up to an empty line. They are added to
        the player's own orders, and the player receives a copy, with your
        reason if the last line is BECAUSE and the reason. They are for the
        present phase; what is stored for a later one is the player's alone.
        """,
        for_masters=True,
    ),
)


def act_reveal(ctx: Context, args: Mapping[str, Any]) -> None:
    """Name the players of an anonymous game to everybody; or reveal a secret seat."""
    if args["me"] or args["unit"]:
        _show(ctx, args["unit"])
        return
    game, _ = ctx.as_master()
    if not game.names_hidden:
        raise NotNow(f"The players of {game.name} are not anonymous.", "STATUS shows them.")
    ctx.require_may_know_players(game)
    game = change(ctx, game, GameOptions({**game.options.texts, "anonymous": "no"}))
    said = ", ".join(f"{seat.power or 'a player'}: {holder_name(game, seat) or '-'}" for seat in game.players)
    words = ("The gamemaster has revealed the players.", f"{said}.")
    ctx.tell_others(game, "the players", words, f"reveal:{ctx.key}")
    ctx.say(f"Sent to everybody: {said}.")
    ctx.note("reveal")


def _show(ctx: Context, unit: UnitName | None) -> None:
    """The holder of a secret seat shows who they are, or a unit that they control."""
    game, seat = ctx.as_player()
    phase, review = ctx.running(game), game.variant.review
    if review is None or game.position is None or not game.reviews(seat):
        raise NotPermitted(
            "You have nothing hidden to reveal.",
            "To tell everybody something, write PRESS TO ALL, your text, and ENDPRESS.",
        )
    person = ctx.registered()
    if unit is None:
        said = who_plays(seat.power, person.name)
    else:
        said, shown = review.reveal(game.position, unit)
        game = ctx.tx.fold(game, phase=replace(phase, position=shown))
    others = game.all_but(seat)
    purpose = f"reveal:{ctx.key}:{len(ctx.answer.done)}"
    ctx.tx.tell(game, others, "something is revealed", (said,), purpose)
    ctx.say(f"Sent to everybody: {said}")
    of_person = person.id if unit is None else None
    records.announce(ctx.tx.session, game.id, said, ctx.now, seat_id=seat.id, account_id=of_person)
    if unit is None:
        ctx.note("reveal", account=person.id, power=seat.power)
    else:
        ctx.note("reveal", words=said)


REVEAL = Command(
    "reveal",
    Syntax(
        "REVEAL | REVEAL me:ME | REVEAL unit:UNIT",
        ("REVEAL", "REVEAL ME", "REVEAL A SMY"),
        sentences=Sentences.UNLESS_EXACT,
    ),
    Policy(Who.PARTICIPANT, consent=Consent.IRREVOCABLE, schedulable=True, cost=5, spends=(Spent.MAILS,)),
    act_reveal,
    Help(
        "name the players of an anonymous game; or show what you hide",
        """
        From the gamemaster, REVEAL shows everybody who plays what. If you hold
        a secret seat, REVEAL ME names you and REVEAL A SMY shows a unit; that
        is public from then on.
        """,
    ),
)
