"""JOIN, TAKEOVER, STANDBY and OBSERVE: how people get seats."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from gm.board import Power
from gm.commands.context import Context
from gm.commands.declaration import About, Command, Consent, Help, Policy, Sentences, Stage, Syntax, Who
from gm.commands.help import WHAT_IT_IS
from gm.commands.roster import seat_named
from gm.errors import NotNow, NotPermitted, NotUnderstood
from gm.games import names
from gm.games.bounds import Bound
from gm.games.limits import Spent
from gm.games.snapshot import Game, Person, Seat, addresses_of
from gm.parsing.addressed import reached_by
from gm.parsing.grammar import is_order_word
from gm.parsing.lexicon import fold_name
from gm.play import admission, beginning, roll_call, seats, sight, standby, turnout
from gm.play.briefs import brief_of
from gm.play.seats import NAMES, read_wishes, seats_taken
from gm.reports import listed
from gm.reports.blocks import Paragraphs
from gm.store import agenda, people
from gm.store.game_rows import GameState, SeatRole
from gm.variants import LateEntry


def act_join(ctx: Context, args: Mapping[str, Any]) -> None:
    """Give the sender a seat; the receipt contains its address."""
    game = ctx.game_with_seats(args["game"])
    if game.running and game.variant.seating.late is not None:
        _join_running(ctx, game, game.variant.seating.late, args["power"])
        return
    if game.state is not GameState.FORMING:
        admission.check(ctx.tx, game, _addresses(ctx))  # no other way in is named to whom it is closed
        remedy = "LIST shows the games that are forming."
        if game.running and game.vacant:
            remedy = f"Take a vacant seat with TAKEOVER {game.name}."
        elif game.running:
            remedy = f"Write STANDBY {game.name} to be offered the next vacant seat. {remedy}"
        raise NotNow(f"The game {game.name} is {game.state}.", remedy)
    wanted = args["power"]
    if wanted is not None and game.variant.seating.name is None:
        read_wishes(wanted, game.variant.seating.powers, game.lexicon.power)
    check_admission(ctx, game)
    account = ctx.registered()
    names.require_own(game, account)
    earlier = mine = next((seat for seat in game.players if seat.is_of(account)), None)
    news = f"You already have a seat in {game.name}."
    if mine is None:
        game, mine = _take_seat(ctx, game, account)
        news = f"You have a seat in {game.name} ({game.variant.title})."
    mine, wish = _named(
        ctx, game, mine, wanted if wanted is not None or mine.wish else _asked_before(ctx, game, account)
    )
    game = ctx.tx.fold_seats(game, mine)
    ctx.sit_down(game, mine)
    ctx.withdraw(f"JOIN {game.name}")
    ctx.say(news + (f" {wish}" if wish else ""), first=True)
    _say_address(ctx, game, mine)
    begins = beginning.begins_by_itself(ctx.tx, game)
    _say_when(ctx, game, begins=begins)
    if brief := brief_of(game.variant):
        ctx.show(f"What is different in {game.variant.title}", [Paragraphs(brief)])
    _offer_rules(ctx, game)
    if mine != earlier:
        tell = _tell_master if earlier is None else _tell_of_wish
        tell(ctx, game, account, mine.power or mine.wish)
        people.took_seat(ctx.tx.session, game.id, account.id, ctx.now)
        ctx.note("join", power=mine.power or mine.wish, account=account.id)
    if begins:
        ctx.say(beginning.begin(ctx.tx, game))


def _say_when(ctx: Context, game: Game, *, begins: bool) -> None:
    """How many have joined, and when the game begins, unless it does so now."""
    if not begins:
        ctx.say(
            f"{seats_taken(game).capitalize()}. {beginning.when(game)} you get the first report, with the"
            f" map{' and the deadline' if game.timed else ''}. Until then there is nothing to do; RESIGN {game.name}"
            " gives the seat back."
        )


def _join_running(ctx: Context, game: Game, late: LateEntry, wanted: str | None) -> None:
    """Give the sender a seat in a running game: the next report announces them, and they may order from the turn after
    it.
    """
    phase = ctx.running(game)
    check_admission(ctx, game)
    account = ctx.registered()
    names.require_own(game, account)
    seat = next((seat for seat in game.players if seat.is_of(account)), None)
    if seat is not None and seat.power in (*game.variant.powers(phase.position), *late.enlisted(phase.position)):
        raise NotNow(f"You play {seat.power} in {game.name} already.", "WHOAMI shows the address of your seat.")
    sight.require_none(ctx.tx, game, account, seat, ctx.sender)
    if seat is None:
        game, seat = seats.add(ctx.tx, game, account)
    seat, _ = _named(ctx, game, seat, wanted)
    position = late.enlist(phase.position, Power(seat.label))
    game = ctx.tx.fold(ctx.tx.fold_seats(game, seat), phase=replace(phase, position=position))
    ctx.sit_down(game, seat)
    ctx.say(f"You have a seat in {game.name} ({game.variant.title}). You play {seat.power}.")
    ctx.say(
        f"You enter the game when {phase.code} is adjudicated, unless that ends it: its report announces you, and you "
        "order from the turn after it."
    )
    _say_address(ctx, game, seat)
    _tell_master(ctx, game, account, seat.power)
    people.took_seat(ctx.tx.session, game.id, account.id, ctx.now)
    ctx.note("join", power=seat.power, phase=phase.code, account=account.id)


def _offer_rules(ctx: Context, game: Game) -> None:
    """Offer the rules, and a first look at Diplomacy to who plays in no other game."""
    ctx.offer(f"RULES {game.name}", "its rules")
    if all(one.id == game.id for one in ctx.own_games):
        ctx.offer(*WHAT_IT_IS)


def _say_address(ctx: Context, game: Game, seat: Seat) -> None:
    """Say where the sender writes from now on, and that only they may."""
    ctx.say(f"Your seat's address: {ctx.tx.identity.address_of(game, seat)}")
    ctx.say("Send your orders and press there, or reply to the game's mails. Whoever knows it can order for you.")


def _take_seat(ctx: Context, game: Game, account: Person) -> tuple[Game, Seat]:
    """A vacated seat, or a new one if there is room."""
    vacated = [seat for seat in game.players if seat.person is None]
    free = [seat for seat in vacated if sight.in_the_way(ctx.tx, game, account, seat, ctx.sender) is None]
    if free:
        game = seats.hold(ctx.tx, game, free[0], account)
        return game, game.seat(free[0].id)
    sight.require_none(ctx.tx, game, account, next(iter(vacated), None), ctx.sender)
    if seats.is_full(game):
        raise NotNow(f"All {game.variant.seating.most} seats of {game.name} are taken.", "LIST shows other games.")
    return seats.add(ctx.tx, game, account)


def _named(ctx: Context, game: Game, seat: Seat, text: str | None) -> tuple[Seat, str]:
    """The seat with its preferences, or with its name if players name their powers; and a sentence for the answer."""
    seating = game.variant.seating
    if (naming := seating.name) is not None:
        taken = [other.power for other in game.players if other.power is not None and other.id != seat.id]
        if text is not None:
            power = _checked_name(ctx, game, naming(text, taken))
            return replace(seat, power=power), f"You play {power}."
        if seat.power is not None:
            return seat, f"You play {seat.power}."
        power = _free_name(ctx, game, lambda name: naming(name, taken))
        rename = "" if game.running else f" For a name of your own, write JOIN {game.name} AS and the name."
        return replace(seat, power=power), f"You play {power}.{rename}"
    if text is None:
        return seat, ""
    wishes = read_wishes(text, seating.powers, game.lexicon.power)
    order = ", then ".join(" or ".join(group) for group in wishes)
    wish = wishes[0][0] if len(wishes) == 1 == len(wishes[0]) else text
    return replace(seat, wish=wish), f"You asked to play {order}."


def _checked_name(ctx: Context, game: Game, power: Power) -> Power:
    """The name of a power. Raises NotUnderstood for one that cannot be told from another, or from an order."""
    own = fold_name(power)
    for word in (own, re.split("[ '-]", own)[0]):
        if is_order_word(word, game.variant.language):
            raise NotUnderstood(f"'{word}' already has a meaning in orders.", "Choose another name.")
    mine = {seat.power for seat in game.seats_of(ctx.registered())}
    if {*reached_by(power, game.lexicon), *reached_by(re.split("[ '-]", power)[0], game.lexicon)} - mine:
        raise NotUnderstood(f"Press to '{power}' would go to others.", "Choose another name.")
    names.require_power_of_its_own(power, game, ctx.registered(), ctx.tx.identity.settings.name)
    return power


def _free_name(ctx: Context, game: Game, named: Callable[[str], Power]) -> Power:
    """A name for the power of a player who gives none. Raises NotUnderstood when all that are there are taken."""
    for name in sorted(NAMES, key=lambda name: ctx.tx.identity.place(f"called {game.id} {name}")):
        with suppress(NotUnderstood):
            return _checked_name(ctx, game, named(name))
    raise NotUnderstood(
        "In this game you name your own power.", f"Add AS and a name of your own: JOIN {game.name} AS Zorg."
    )


def _asked_before(ctx: Context, game: Game, account: Person) -> str | None:
    """The power for which the person was invited, otherwise their preferred ones."""
    invited = people.invitation_of(ctx.tx.session, game.id, account.addresses)
    return (invited.power if invited is not None else None) or _preferred_powers(game, account)


def _preferred_powers(game: Game, account: Person) -> str | None:
    """The powers from the person's PREFERENCES that this game has."""
    if account.wishes is None or game.variant.seating.name is not None:
        return None
    try:
        read_wishes(account.wishes, game.variant.seating.powers, game.lexicon.power)
    except NotUnderstood:
        return None
    return account.wishes


def check_admission(ctx: Context, game: Game) -> None:
    """Raises NotPermitted for a person whom the gamemaster keeps out, who is not invited to a game for invited players,
    or who orders too seldom in time.
    """
    refusal, mine = _refusal(ctx, game), _addresses(ctx)
    admission.check(ctx.tx, game, mine)
    if refusal is not None and people.invitation_of(ctx.tx.session, game.id, mine) is None:
        raise refusal


def _addresses(ctx: Context) -> tuple[str, ...]:
    return (ctx.sender, *addresses_of(ctx.person))


def _refusal(ctx: Context, game: Game) -> NotPermitted | None:
    if game.options.by_invitation:
        return NotPermitted(f"{game.name} is for invited players only.", "Ask its gamemaster for an invitation.")
    person, least = ctx.person, game.options.on_time
    if person is None or least is None:
        return None
    share = turnout.on_time(people.turnout_of(ctx.tx.session, [person.id])[person.id])
    if share is None or share >= least:
        return None
    return NotPermitted(
        f"{game.name} is for players whose orders come in time in {least} of 100 phases; yours do in {share}.",
        "WHOAMI shows how that is counted. Ask its gamemaster for an invitation.",
    )


def _tell_master(ctx: Context, game: Game, account: Person, power: str | None) -> None:
    """Tell those who run the game who has joined and as which power; of a secret seat, only that it is taken."""
    secret = bool(game.variant.seating.secret)
    enough = len(game.held) >= game.variant.seating.fewest and not game.running
    waits = enough and not beginning.begins_by_itself(ctx.tx, game)
    start = ((f"START {game.name}", "begin the game"),) if waits else ()
    room = f"{seats_taken(game).capitalize()}."
    wish = f" and would like to play {power}." if power else "."
    seen = "Somebody has joined." if secret or game.names_hidden else f"{account.name} has joined."
    purpose, title = f"joined:{ctx.key}", f"{seen.rstrip('.')}: {seats_taken(game)}"
    for one in game.moderators:
        said, answers = seen, start if one.role is SeatRole.MASTER else ()
        if not secret and not game.plays(one.person):
            said = f"{account.name} has joined{wish}{_turnout(ctx, game, one, account)}"
        ctx.tx.tell(game, [one], title, (said, room), purpose, answers=answers)


def _turnout(ctx: Context, game: Game, reader: Seat, account: Person) -> str:
    """How reliably somebody sends orders, as far as this reader may know it; "" before there is anything to know."""
    came = turnout.seen_by_master(ctx.tx, game, reader, [account.id])[account.id]
    return f" In earlier phases their orders came: {turnout.in_words(came)}." if sum(came.values()) else ""


def _tell_of_wish(ctx: Context, game: Game, account: Person, power: str | None) -> None:
    """Tell those who run the game, and do not play in it, that somebody who has joined chose another power."""
    recipients = [one for one in game.moderators if not game.plays(one.person) and not game.variant.seating.secret]
    words = f"{account.name} would like to play {power} now."
    ctx.tx.tell(game, recipients, "a player's wish", (words,), f"wish:{ctx.key}")


JOIN = Command(
    "join",
    Syntax(
        "JOIN game:GAME [(AS|ALS|COMME|COMO|COME) power:WISHES]",
        ("JOIN game", "JOIN game AS power", "JOIN game AS power, power, power"),
        elsewhere=("apply",),
        sentences=Sentences.RARE,
    ),
    Policy(consent=Consent.BINDING, cost=5, spends=(Spent.MAILS,), about=(About.ENTERING,)),
    act_join,
    Help(
        "take a seat in a game that is forming",
        """
        The reply gives you the address of your seat. Write your orders there,
        from the address you joined with. Powers are dealt by preference,
        otherwise at random. Name several, favourite first: France, Italy; or
        initials: F[ER]* (France, then England or Russia, then any). In games
        where players name their powers, name yours: JOIN game AS Krell; without
        a name you get one. Some games can be joined while they are running.
        RESIGN gives the seat back.
        """,
    ),
)


def act_takeover(ctx: Context, args: Mapping[str, Any]) -> None:
    """Give the sender a vacant seat, and send them the position and the seat's address."""
    game = ctx.game_with_seats(args["game"])
    if not game.running:
        raise NotNow(
            f"The game {game.name} is {game.state}.",
            "LIST OPEN shows the games with room.",
        )
    _not_in_it(ctx, game)
    seat = _free(ctx, game, args["power"])
    sight.require_none(ctx.tx, game, ctx.person, seat, ctx.sender)
    admission.check(ctx.tx, game, _addresses(ctx))
    asked = standby.kept(ctx.tx, game).get(seat.id)
    if asked is None or ctx.person is None or asked.account_id != ctx.person.id:
        check_admission(ctx, game)
    account = ctx.registered()
    names.require_own(game, account)
    game = seats.give(ctx.tx, game, seat, account)
    seat = game.seat(seat.id)
    ctx.sit_down(game, seat)
    ctx.say(f"You play {seat.power} in {game.name}. A mail with the position follows.")
    _say_address(ctx, game, seat)
    neutral = [one for one in game.moderators if not game.plays(one.person)]  # others get the players' notice
    for one in neutral:
        words = (f"{account.name} has taken over {seat.power}.{_turnout(ctx, game, one, account)}",)
        ctx.tx.tell(game, [one], "a seat is taken", words, f"taken:{ctx.key}")
    seats.announce(ctx.tx, game, seat, f"takeover:{ctx.key}", neutral)
    people.took_seat(ctx.tx.session, game.id, account.id, ctx.now)
    ctx.note("takeover", power=seat.power, account=account.id)


def _not_in_it(ctx: Context, game: Game) -> None:
    if ctx.plays(game):
        raise NotNow(f"You play in {game.name} already.", "A person can play only one power in a game.")


def _free(ctx: Context, game: Game, power: str | None) -> Seat:
    """The vacant seat meant, unless it is reserved for somebody else. Raises NotNow, NotUnderstood."""
    mine = ctx.account_id
    kept_for = standby.kept(ctx.tx, game)
    free = [seat for seat in game.vacant if (asked := kept_for.get(seat.id)) is None or asked.account_id == mine]
    if not free:
        kept = " The vacant one is reserved for a player on the standby list." if game.vacant else ""
        raise NotNow(f"No seat of {game.name} is free.{kept}", f"Write STANDBY {game.name} to be offered the next one.")
    if power is None:
        return free[0]
    seat = seat_named(game, power)
    if seat not in free:
        names = listed(one.label for one in free)
        raise NotNow(f"{seat.power} is not free.", f"Free: {names}.")
    return seat


def act_standby(ctx: Context, args: Mapping[str, Any]) -> None:
    """Add the sender to the list of replacements for vacant seats, or remove them."""
    game = ctx.game_with_seats(args["game"])
    if args["list"] not in (None, "on"):
        if ctx.person is None or not standby.leave(ctx.tx, game, ctx.person):
            raise NotNow(f"You are not on the standby list of {game.name}.", "WHOAMI shows your seats.")
        ctx.say(f"You are off the standby list of {game.name}.")
        return
    if game.over:
        raise NotNow(f"The game {game.name} is {game.state}.", "LIST shows other games.")
    _not_in_it(ctx, game)
    sight.may_wait(ctx.tx, game, ctx.person, ctx.sender)
    check_admission(ctx, game)
    account = ctx.registered()
    ahead = [one for one in people.standbys_of(ctx.tx.session, game.id) if one.account_id != account.id]
    Bound.STANDBY.check(len(ahead) + 1, "LIST shows other games.")
    people.add_standby(ctx.tx.session, game.id, account.id, ctx.now)
    place = f"You are on the standby list of {game.name}; people ahead of you: {len(ahead)}."
    ctx.say(f"{place} You will get a mail when a seat is vacant.")
    kept_for = standby.kept(ctx.tx, game)
    free = [seat for seat in game.vacant if seat.id not in kept_for] if game.running else []
    if free:
        ctx.say(f"{listed(seat.label for seat in free)} can be taken now: TAKEOVER {game.name}.")
    ctx.note("standby")


TAKEOVER = Command(
    "takeover",
    Syntax(
        "TAKEOVER game:GAME [(AS|ALS|COMME|COMO|COME) power:POWER]",
        ("TAKEOVER game", "TAKEOVER game AS power"),
        synonyms=("take over",),
        loud=("take over",),
    ),
    Policy(consent=Consent.BINDING, cost=5, spends=(Spent.MAILS,)),
    act_takeover,
    Help(
        "take a vacant seat in a running game",
        """
        You receive the position and your seat's address. Orders that the
        previous player sent stay in force until you change them; those of a
        stand-in do not count.
        """,
    ),
)
STANDBY = Command(
    "standby",
    Syntax(
        "STANDBY game:GAME [list:ON|OFF|NO|NONE]",
        ("STANDBY game", "STANDBY game OFF"),
        synonyms=("stand by",),
        elsewhere=("sub", "substitute"),
        loud=("stand by",),
    ),
    Policy(consent=Consent.BINDING),
    act_standby,
    Help(
        "offer to replace a player who leaves",
        """
        A vacant seat is offered to the first on the list for 48 hours, then to
        the next. STANDBY game OFF takes you off the list.
        """,
    ),
)


def act_observe(ctx: Context, args: Mapping[str, Any]) -> None:
    """Give the sender an observer's seat: its holder is sent what everybody may see."""
    game = ctx.game_with_seats(args["game"])
    ctx.under_way(game)
    admission.check(ctx.tx, game, _addresses(ctx))
    account = ctx.registered()
    names.require_own(game, account)
    if game.seats_of(account):
        raise NotNow(f"You have a seat in {game.name} already.", "WHOAMI shows its address.")
    left = next((seat for seat in game.observers if seat.person is None), None)
    if left is not None:
        game = seats.hold(ctx.tx, game, left, account)
        seat = game.seat(left.id)
    else:
        Bound.OBSERVERS.check(len(game.observers) + 1, "LIST shows other games.")
        game, seat = ctx.tx.add_seat(game, SeatRole.OBSERVER, account)
    if game.running:
        ctx.tx.owe(game, [seat], f"welcome:{seat.serial}")
    ctx.sit_down(game, seat)
    ctx.say(f"You observe {game.name} and will receive its reports. To stop, write UNOBSERVE {game.name}.")
    ctx.note("observe")


def act_here(ctx: Context, args: Mapping[str, Any]) -> None:
    """Answer a roll call."""
    del args
    game, seat = ctx.as_player()
    ctx.running(game)
    if any(one.id == seat.id for one in roll_call.unanswered(ctx.tx, game)):
        agenda.answer_roll(ctx.tx.session, ctx.running(game).id, seat.id)
        ctx.note("here")
    ctx.say(f"Thank you, {seat.power} is there.")


HERE = Command(
    "here",
    Syntax("HERE", elsewhere=("present",), sentences=Sentences.UNLESS_EXACT),
    Policy(Who.PLAYER, Stage.RUNNING),
    act_here,
    Help("answer MUSTER, with which the gamemaster asks who is there", "Orders answer it, too."),
)


OBSERVE = Command(
    "observe",
    Syntax("OBSERVE game:GAME", synonyms=("watch",)),
    Policy(consent=Consent.BINDING, cost=5, spends=(Spent.MAILS,)),
    act_observe,
    Help(
        "receive the reports of a game that you do not play",
        "You receive what everybody may see, and press to ALL. WATCH is the same.",
    ),
)
