"""INVITE, DENY and REPLACE: people are asked to play, and play once they have said YES.

Whoever is asked replies to a question (`gm.play.questions.SEAT`). An invitation is accepted by joining the game, as
with JOIN or TAKEOVER; REPLACE gives a power to the person asked when they accept, not before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from gm.board import Power
from gm.commands.context import THE_POWER, Context
from gm.commands.declaration import About, Command, Consent, Help, Policy, Record, Sentences, Stage, Syntax, Who
from gm.commands.help import WHAT_IT_IS
from gm.commands.roster import reachable, seat_for_master
from gm.errors import GmError, NotNow, NotPermitted, NotUnderstood, Temporary
from gm.games import loading, names
from gm.games.limits import Spent
from gm.games.report_inputs import view_of
from gm.games.snapshot import Game, Person, Seat, addresses_of
from gm.games.transaction import Transaction
from gm.parsing.command_syntax import Guest
from gm.play import admission, deputies, seats, sight, standby
from gm.play.briefs import brief_to_guests
from gm.play.questions import SEAT, Asked, ask
from gm.play.seats import how_powers_are_dealt, how_to_join, one_of, require_free, terms
from gm.reports import full_moment, listed, phase_title, span, with_article
from gm.reports.answers import RefusedLine
from gm.reports.results import unit_lines
from gm.store import game_rows, people, question_rows
from gm.store.game_rows import SeatRole
from gm.store.question_rows import QuestionRow

_TIME_TO_JOIN = timedelta(days=14)
_TIME_TO_REPLACE = timedelta(days=3)
_WITHOUT_POWER = (
    "STANDIN runs a power that has no player; PROMOTE makes somebody a gamemaster who does not play and can do this."
)


def act_invite(ctx: Context, args: Mapping[str, Any]) -> None:
    """Ask people whether they want to join, and admit them to a game for invited players."""
    game, _ = ctx.seated()
    guests: Sequence[Guest] = args["guests"]
    for guest in guests:
        try:
            with ctx.tx.attempt():
                _invite(ctx, game, guest)
        except Temporary:
            raise
        except GmError as error:
            if len(guests) == 1:
                raise
            ctx.refuse([RefusedLine(0, guest.email, error.problem, error.remedy)])


def _invite(ctx: Context, game: Game, guest: Guest) -> None:
    email, wished = guest.email, guest.power or ""
    power = game.lexicon.power(wished) or wished or None  # an earlier line may have changed the game
    if power is not None and power not in game.powers:
        raise NotUnderstood(f"'{power}' is not a power in this game.", one_of(game.powers))
    require_free(game, power)
    if power is not None or game.running:  # then it leads to a power that is free, or will be
        remedy = _WITHOUT_POWER if game.running else f"INVITE {email} invites them without a power."
        _may_choose(ctx, game, power, remedy)
    person = loading.person_at(ctx.tx.session, email)
    _may_play(ctx, game, person, email)
    _fault_of_own(ctx, game, person, None)
    waiting, tells = admission.open_invitations(ctx.tx, game, ctx.seat), admission.knows_the_invited(game, ctx.seat)
    row = next((one for one in waiting if (one.email, one.power) == (people.normal(email), power)), None)
    again = is_asked(ctx, game, email, what := _to_play(game, power))
    if row is not None and again and tells:
        ctx.say(f"{email} was invited already, and is not written to again.")
        return
    person = reachable(ctx, email)
    _admit(ctx, game, email, person)
    silent = row is not None and not tells
    if row is None or tells:
        sight.note_joined(ctx.tx, game)  # an earlier invitation was for another power
        row = people.invite(ctx.tx.session, game.id, email, power, ctx.now)
    _ask(ctx, game, guest, person, power, what, silent=silent)
    aside = "" if tells else " Whoever was invited already is not written to again."
    ctx.say(f"{email} is invited to {game.name}" + (f" as {power}." if power else ".") + aside + _room(game, email))
    ctx.note("invite", invitation=row.id, power=power)


def _room(game: Game, email: str) -> str:
    """What is said where a YES gets no seat yet: in a running game whose seats are all taken."""
    seating = game.variant.seating
    if not game.running or game.vacant or seating.late or seating.secret:
        return ""
    return f" All seats are taken, so they can only wait for one; REPLACE power WITH {email} gives them one."


def _to_play(game: Game, power: str | None) -> str:
    return f"play {power or f'in {game.name}'}"


def is_asked(ctx: Context, game: Game, email: str, what: str) -> bool:
    """Whether this was asked of the address already, and waits for the answer."""
    rows = question_rows.open_of(ctx.tx.session, SEAT, game.id)
    sent = (row for row in rows if not row.detail.get(question_rows.SILENT))
    return any((row.asked, row.detail.get("what")) == (email, what) for row in sent)


def _ask(
    ctx: Context, game: Game, guest: Guest, person: Person | None, power: str | None, what: str, *, silent: bool
) -> None:
    """Send an invitation; a `silent` one is charged alike, where who invites may not know that there was one."""
    yes = ("YES", f"join as {power}" if power else "join")
    if game.variant.seating.name is not None and power is None:
        yes = ("YES", f"join; JOIN {game.name} AS and a name gives your power that name")
    aside = f", as {power}" if power else ""
    reasons = (
        f"{asker(ctx, game)} invites you to {game.name}, a game of {game.variant.title} by mail{aside}. This mail comes"
        f" from the program that runs the game{_at_its_pace(game)}.",
        *(_TO_NEWCOMERS if person is None else ()),
        *how_powers_are_dealt(game, power),
        *_playing_already(game, person),
    )
    last = f"To be invited to it no more, reply STOP {game.name}."
    title = f"{asker(ctx, game, addressed=False)} invites you to a game of {game.variant.title} by mail"
    offer = Offer(guest.email, person, title, reasons, yes, _TIME_TO_JOIN, last=last)
    ask_to_join(ctx, game, offer, what=what, silent=silent, power=power, called=guest.name)


_TO_NEWCOMERS = (
    "Diplomacy is a board game without dice: you agree with the other players by mail, then all order their units at"
    " the same time. A turn takes you ten minutes or more.",
)


def _at_its_pace(game: Game) -> str:
    """How much time there is for a turn, in a game with deadlines."""
    return f"; there are {span(game.options.clock.movement)} for each turn" if game.timed else ""


def _playing_already(game: Game, person: Person | None) -> tuple[str, ...]:
    """What is told to somebody who is asked by a gamemaster who may not know that they play."""
    said = f"You play in {game.name} already. Who asks may not know that, and is not told; there is nothing to do."
    return (said,) if game.plays(person) else ()


@dataclass(frozen=True, slots=True)
class Offer:
    """What somebody is asked, and what their YES does; without an answer `within` this time nothing happens."""

    email: str
    person: Person | None
    title: str
    reasons: tuple[str, ...]
    yes: tuple[str, str]
    within: timedelta
    by: str = "the gamemaster"
    last: str = ""
    """What the mail ends with."""


def ask_to_join(ctx: Context, game: Game, offer: Offer, *, what: str, silent: bool = False, **detail: object) -> None:
    """Ask somebody to do something (`what`), or only note it (`silent`). Raises NotNow if that address has been asked
    enough.
    """
    if ctx.mail_id is None:
        raise NotPermitted("People are asked by mail.", "Write this from your gamemaster's address.")
    asked = Asked(
        mail_id=ctx.mail_id,
        scope=SEAT,
        asked=offer.email,
        title=offer.title[:1].upper() + offer.title[1:],
        reasons=tuple(filter(None, (*offer.reasons, ctx.said_why, *brief_to_guests(game.variant)))),
        answers=(offer.yes, ("NO", f"decline; {offer.by} is told")),
        person=offer.person,
        game=game,
        detail={"game": game.id, "by": ctx.seat.id if ctx.seat is not None else None, "what": what, **detail},
        table=terms(game) if not game.options.private else (),
        within=offer.within,
        stop=f"STOP {game.name}",
        last=offer.last,
        first=(WHAT_IT_IS, ("HELP", "how one plays by mail"), (f"RULES {game.name}", "its rules")),
    )
    if not ask(ctx.tx, asked, silent=silent):
        limit = ctx.tx.allowance.used_up(Spent.QUESTIONS, offer.email)
        raise limit or NotNow(f"{offer.email} has been asked enough for now.", "Try again tomorrow.")
    why = ctx.why
    ctx.note_told("Who is asked gets")
    ctx.why = why  # for whom the same command asks next


def asker(ctx: Context, game: Game, *, addressed: bool = True) -> str:
    """Who asks: their name, or if they have given none what stands for it, with their address (unless not `addressed`)
    where names are not hidden.
    """
    if ctx.person is None:
        return "The gamemaster"
    if not people.is_unnamed(ctx.person.name):
        return ctx.person.name
    hidden = game.names_hidden or not addressed
    return "The gamemaster" if hidden else f"{ctx.person.name} ({ctx.person.reachable})"


INVITE = Command(
    "invite",
    Syntax(
        "INVITE guests:GUESTS",
        ("INVITE address", "INVITE address, address, address", "INVITE address AS power, address"),
        people_below="INVITE",
    ),
    Policy(
        Who.MASTER,
        Stage.UNDER_WAY,
        consent=Consent.UNASKED,
        by_assistants=True,
        cost=5,
        spends=(Spent.MAILS, Spent.FIRST),
        about=(About.ENTERING,),
    ),
    act_invite,
    Help(
        "invite people to the game",
        """
        They receive the terms, and join by replying YES. Several addresses can
        be on a line, with or without names: Ann <ann@example.org>; AS is for
        the address before it. You are told if they decline, or if the mail does
        not reach them. Games with admission=invited admit only invited people.
        Whoever plays already, where you may not know it, is told so in private.
        A game with a secret seat and names that are shown does not begin when
        an assistant has invited anybody: they would know who is left.
        """,
    ),
)


def act_deny(ctx: Context, args: Mapping[str, Any]) -> None:
    """Keep somebody out of the game: who has a seat in a game that is forming loses it and is told; OFF ends that."""
    game, _ = ctx.seated()
    email = args["address"]
    person = loading.person_at(ctx.tx.session, email)
    if args["off"]:
        if not _admit(ctx, game, email, person):
            raise NotNow(f"{email} is not kept out of {game.name}.", "DASHBOARD shows who plays.")
        ctx.say(f"{email} may join {game.name} again.")
        return
    ctx.require_may_know_players(game)
    held = game.seats_of(person)
    if master := next((seat for seat in held if seat.moderates), None):
        leaves = "A gamemaster leaves with RESIGN."
        remedy = leaves if master.role is SeatRole.MASTER else f"PROMOTE {email} OFF takes that from them."
        raise NotNow(f"{email} is {with_article(master.title)} of {game.name}.", remedy)
    playing = next((seat for seat in held if seat.role is SeatRole.PLAYER), None)
    if playing is not None and game.running:
        remedy = f"EJECT {playing.power} takes the power from them; then DENY {email} keeps them away."
        raise NotNow(f"{email} plays {playing.power}.", remedy)
    every = _addresses(email, person)
    people.deny(ctx.tx.session, game.id, every)
    ctx.note("deny")
    _withdraw(ctx.tx, game, every)
    if person is not None:
        standby.leave(ctx.tx, game, person)
    words = (f"The gamemaster of {game.name} has not admitted you to the game.", "LIST shows other games.")
    for seat in held:
        if seat.role is SeatRole.DEPUTY:
            game = deputies.end(ctx.tx, game, seat, words[0], "The gamemaster has not admitted your deputy.")
        else:
            ctx.tx.dismiss(game, seat, "you are not admitted", words, f"denied:{ctx.key}:{seat.id}")
            game = seats.empty(ctx.tx, game, seat)
    lost = " They had a seat, and are told that they have it no longer." if held else ""
    lost = " If they had a seat, they are told that they have it no longer." if game.undealt else lost
    ctx.say(
        f"{email} is not admitted to {game.name}, and is told so whenever they try.{lost}"
        f" DENY {email} OFF, or INVITE {email}, admits them again."
    )


def _withdraw(tx: Transaction, game: Game, emails: Sequence[str]) -> None:
    """Forget that these addresses of a person were invited, but not who has seen that."""
    sight.note_joined(tx, game)
    people.withdraw_invitation(tx.session, game.id, emails)


def _addresses(email: str, person: Person | None) -> list[str]:
    return [email, *addresses_of(person)]


def _admit(ctx: Context, game: Game, email: str, person: Person | None) -> bool:
    """End DENY for a person. Returns whether it concerned them. Raises NotPermitted for an actor who may not DENY."""
    denied = people.is_denied(ctx.tx.session, game.id, every := _addresses(email, person))
    if denied and not DENY.is_open_to(ctx.seat):
        problem = f"{email} is kept out of {game.name} by DENY, which you may not change."
        raise NotPermitted(problem, f"A gamemaster with all rights can: DENY {email} OFF, or INVITE {email}.")
    if denied:
        people.admit(ctx.tx.session, game.id, every)
        ctx.note("deny", off=True)
    return denied


DENY = Command(
    "deny",
    Syntax("DENY address:ADDRESS [off:OFF|NO|NONE]", ("DENY address", "DENY address OFF"), elsewhere=("ban",)),
    Policy(
        Who.MASTER,
        Stage.UNDER_WAY,
        record=Record(quiet=True, details=("who",)),
        cost=5,
        instead="STOP PRESS FROM power ends a player's press to you.",
    ),
    act_deny,
    Help(
        "keep somebody out of the game",
        """
        Whoever has joined a game that is forming loses the seat, and is told.
        Later JOIN, TAKEOVER, STANDBY and OBSERVE of theirs are refused, with
        the reason that the gamemaster does not admit them. In a running game,
        EJECT comes first. DENY address OFF or INVITE address undoes it, from a
        gamemaster with all rights.
        """,
    ),
)


def act_replace(ctx: Context, args: Mapping[str, Any]) -> None:
    """Ask somebody whether they want to play a power; with their YES they do, and its player, if it has one, is out."""
    game, _ = ctx.seated()
    seat = seat_for_master(ctx, game, args["power"])
    email = args["address"]
    _may_choose(ctx, game, seat.power, _WITHOUT_POWER)
    person = reachable(ctx, email)
    _may_play(ctx, game, person, email)
    _fault_of_own(ctx, game, person, seat)
    _admit(ctx, game, email, person)
    if is_asked(ctx, game, email, wanted := _to_play(game, seat.power)):
        ctx.say(f"{email} was asked already whether they want to play {seat.power}, and has not answered yet.")
        return
    what = "a power (you are told which when you accept)" if game.is_secret(seat) else seat.power
    reasons = (
        f"{asker(ctx, game)} asks you to play {what} in {game.name}, a game of {game.variant.title} by mail"
        " that has begun.",
        *_as_it_stands(game, seat, ctx.now),
        "With YES you get the position, the map and the address for your orders.",
        *_playing_already(game, person),
        f"To be asked for it no more, reply STOP {game.name}.",
    )
    yes = ("YES", f"play {what}" if not game.is_secret(seat) else "play")
    offer = Offer(email, person, "a power to play", reasons, yes, _TIME_TO_REPLACE)
    holder, others = seat.account_id, _asked_too(ctx, game, seat)
    ask_to_join(ctx, game, offer, what=wanted, power=seat.power, seat=seat.id, holder=holder)
    until = f" Until then it keeps its player; EJECT {seat.power} takes it from them now." if holder is not None else ""
    if game.is_secret(seat):
        until = " Until then nothing changes."
    ctx.say(
        f"{email} is asked whether they want to play {seat.power}, and plays it as soon as they say YES.{until}{others}"
    )
    ctx.note("replace", power=seat.power)


def _as_it_stands(game: Game, seat: Seat, now: datetime) -> Iterator[str]:
    """What is played now, until when, and what everybody may know of the units of a seat's power; of a phase that the
    same mail ends, only that.
    """
    if game.due_at is not None and game.due_at <= now:
        yield f"{game.present.code} is being adjudicated."
        return
    due = f", due {full_moment(game.due_at, game.options.clock.zone)}" if game.due_at is not None else ""
    yield f"Being played is {phase_title(game.present.position.phase)} ({game.present.code}){due}."
    view = view_of(game, None)
    units = dict(unit_lines(view)).get(Power(seat.label)) if not game.is_secret(seat) else None
    if units:
        yield f"{seat.label} has {units}."


def _asked_too(ctx: Context, game: Game, seat: Seat) -> str:
    """What is said of those who were asked to play a seat before, and have not answered, as a sentence; "" if none."""
    rows = question_rows.open_of(ctx.tx.session, SEAT, game.id)
    asked = dict.fromkeys(row.asked for row in rows if row.detail.get("seat") == seat.id)
    if not asked or game.is_secret(seat) or not admission.knows_the_invited(game, ctx.seat):
        return ""
    has = "has" if len(asked) == 1 else "have"
    return f" {listed([*asked])} {has} been asked before, and not answered: whoever says YES first plays it."


def _may_choose(ctx: Context, game: Game, power: str | None, remedy: str) -> None:
    """Raises NotPermitted for gamemasters who may not know who plays a power: they would know whom they choose."""
    held = game.seat_of(Power(power)) if power is not None else None
    knows = game.knows_holder(ctx.seat, held) if held is not None else not (game.names_hidden and ctx.plays(game))
    if not knows:
        which, any_ = (power, power) if power is not None else ("which power", "any")
        raise NotPermitted(f"You may not know who plays {which}, so you choose nobody for {any_}.", remedy)


def _fault_of_own(ctx: Context, game: Game, person: Person | None, seat: Seat | None) -> None:
    """Raises NotNow for actors who ask themselves to play and whose YES would be refused, with the reason that it would
    get. What others have seen of the game is not told to who asks them.
    """
    if person is not None and person.id == ctx.account_id:
        sight.require_none(ctx.tx, game, person, seat, ctx.sender)


def _may_play(ctx: Context, game: Game, person: Person | None, email: str) -> None:
    """Raises NotNow for somebody of whom the actor may know that they play."""
    if any(seat.is_of(person) and game.knows_holder(ctx.seat, seat) for seat in game.players):
        raise NotNow(f"{email} plays in {game.name} already.", "A person can play only one power in a game.")


REPLACE = Command(
    "replace",
    Syntax(
        "REPLACE game,power:SEAT WITH|BY address:ADDRESS", ("REPLACE power WITH address",), sentences=Sentences.RARE
    ),
    Policy(
        Who.MASTER,
        Stage.RUNNING,
        consent=Consent.FAR_REACHING,
        record=Record(changes=THE_POWER),
        cost=5,
        spends=(Spent.FIRST,),
        about=(About.ENTERING,),
    ),
    act_replace,
    Help(
        "give a power to another player",
        """
        They are asked first. With their YES they receive the position and the
        seat's new address; the old one is void, and everybody is told, but not
        of a secret seat, of which the answer does not say whether it has a
        player. Orders already sent stay in force until changed. Who plays, and
        may not know who has a power, gives it to nobody.
        """,
    ),
)


# the answer of the person who was asked


def accept(ctx: Context, row: QuestionRow) -> str:
    """Carry out a YES. Returns the line by which its writer joins, to be acted on as theirs; "" if everything is done.

    Raises NotNow when the seat is no longer free to be given.
    """
    game = ctx.tx.game(int(row.detail["game"]), lock=True)
    power = row.detail.get("power")
    if row.detail.get("sandbox"):
        _share(ctx, game)
        return ""
    if "seat" not in row.detail:
        _require_asked_since(ctx, game, row)
        return how_to_join(game, str(power) if power else None)
    seat, by = game.seat(int(row.detail["seat"])), row.detail.get("by")
    if by is not None and game.seat(by).moderates and game.seat(by).person is None:
        raise NotNow(f"Whoever asked you does not run {game.name} any more.", "LIST OPEN shows free seats.")
    others = seat.account_id not in (None, row.detail["holder"])
    if not game.running or others or seat.power != power:  # a start that was taken back deals anew
        raise NotNow(f"{power} in {game.name} has been given to somebody else.", "LIST OPEN shows free seats.")
    if game.plays(ctx.person):
        raise NotNow(f"You play in {game.name} already.", "A person can play only one power in a game.")
    admission.check(ctx.tx, game, _addresses(ctx.sender, ctx.person))
    sight.require_none(ctx.tx, game, ctx.person, seat, ctx.sender)
    account = ctx.registered()
    names.require_own(game, account, takes=seat)
    _say_goodbye(ctx, game, seat)
    game = seats.give(ctx.tx, game, seat, account)
    seat = game.seat(seat.id)
    ctx.sit_down(game, seat)
    ctx.say(f"You play {seat.power} in {game.name}. A mail with the position follows.")
    ctx.say(f"Your seat's address: {ctx.tx.identity.address_of(game, seat)}")
    seats.announce(ctx.tx, game, seat, f"replaced:{ctx.key}:{seat.id}")
    people.took_seat(ctx.tx.session, game.id, account.id, ctx.now)
    ctx.note("replace", power=seat.power, account=account.id)
    return ""


def _require_asked_since(ctx: Context, game: Game, row: QuestionRow) -> None:
    """Raises NotNow where names are hidden, for an invitation that is older than the running game: who wrote it may
    play, and then may not choose for a power that is free since (`_may_choose`). Whether they do is not told by this.
    """
    begun = game_rows.phases_of(ctx.tx.session, game.id)[0].opened_at if game.running else row.created_at
    if game.names_hidden and row.created_at < begun:
        how = f"TAKEOVER {game.name} takes a seat that is free; STANDBY {game.name} waits for one."
        raise NotNow(f"{game.name} has begun since you were invited, and the invitation was to its beginning.", how)


def _share(ctx: Context, game: Game) -> None:
    """Give a sandbox to somebody else, too. Raises NotNow when it is over."""
    account = ctx.registered()
    admission.check(ctx.tx, game, _addresses(ctx.sender, account))
    if not game.running:
        raise NotNow(f"The sandbox {game.name} is over.", "SANDBOX standard begins one of your own.")
    if game.seats_of(account):
        raise NotNow(f"You have {game.name} already.", f"Reply to its last mail, or write EXPORT {game.name}.")
    game, seat = ctx.tx.add_seat(game, SeatRole.MASTER, account)
    words = (f"{account.name} shares the sandbox {game.name} from now on.",)
    ctx.tx.tell(game, game.all_but(seat), "shared", words, f"shared:{ctx.key}:{seat.id}")
    ctx.sit_down(game, seat)
    ctx.tx.owe(game, [seat], "welcome")
    ctx.say(f"You share the sandbox {game.name}. A mail with the position follows; reply to that with orders.")
    ctx.note("sandbox", account=account.id)


def _say_goodbye(ctx: Context, game: Game, seat: Seat) -> None:
    paragraphs = (
        f"The gamemaster has given {seat.power} to another player.",
        "Thank you for having played.",
        seats.way_on(game),
    )
    ctx.tx.dismiss(game, seat, "you are replaced", paragraphs, f"goodbye:{ctx.key}:{seat.id}")


def to_play(row: QuestionRow) -> bool:
    """Whether it asks somebody to play."""
    return "power" in row.detail


def for_deputy(row: QuestionRow) -> bool:
    """Whether it asks somebody to order for a power as its player's deputy, not to take a seat."""
    return "deputy_of" in row.detail


def decline(ctx: Context, row: QuestionRow) -> None:
    """Carry out a NO: the gamemaster is told, and may ask again."""
    game = _to_inviter(ctx.tx, row, f"declined by {row.asked}", "They have answered NO.", f"declined:{row.id}")
    if to_play(row):
        _withdraw(ctx.tx, game, (row.asked,))
    by_player = game.options.sandbox or for_deputy(row)
    who = "whoever asked" if by_player else f"the gamemaster of {game.name}"
    ctx.say(f"You have declined; {who} is told. Thank you for the answer.")


def not_reached(tx: Transaction, row: QuestionRow, words: str) -> None:
    """Tell the gamemaster that the question did not arrive; they may ask at another address, or there again."""
    game = _to_inviter(tx, row, f"not reached: {row.asked}", words, f"not reached:{row.id}")
    if to_play(row):
        _withdraw(tx, game, (row.asked,))


def _to_inviter(tx: Transaction, row: QuestionRow, title: str, words: str, purpose: str) -> Game:
    """Write to the gamemaster who asked, or to the others if they are gone; or to the player who wants a deputy."""
    game = tx.game(int(row.detail["game"]))
    about, deputy = f"You asked {row.asked} to {row.detail['what']}. {words}", for_deputy(row)
    askers = [seat for seat in game.seats if seat.id == row.detail.get("by") and seat.person is not None]
    if deputy:
        askers = [seat for seat in askers if seat.person is not None and seat.person.id == row.detail["holder"]]
    if not game.over:
        tx.tell(game, askers if askers or deputy else game.masters, title, (about,), purpose)
    return game
