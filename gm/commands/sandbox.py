"""SANDBOX: a position that its holders play on for all powers, alone or shared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from functools import partial
from typing import Any, NamedTuple

from gm.board import Power
from gm.chance import Chance
from gm.commands.context import Context
from gm.commands.declaration import Command, Consent, Help, Policy, Sentences, Syntax
from gm.commands.invitations import Offer, ask_to_join
from gm.commands.practice import begin_own
from gm.commands.roster import reachable
from gm.errors import NotNow
from gm.games.bounds import Bound
from gm.games.limits import Spent
from gm.games.report_inputs import view_of
from gm.options import SANDBOX as KIND
from gm.options import GameOptions, read_options
from gm.orders import Order
from gm.play import practice, sandbox
from gm.position import Position
from gm.variants import Variant, find
from gm.views import MASTER


class _Start(NamedTuple):
    """Where a sandbox begins: `said` in words; `power` already has `orders`."""

    options: GameOptions
    position: Position
    powers: Sequence[Power]
    said: str
    power: Power | None = None
    orders: tuple[Order, ...] = ()


def act_sandbox(ctx: Context, args: Mapping[str, Any]) -> None:
    """Begin a sandbox, or share the one that the line is written to."""
    if args["address"] is not None:
        _share(ctx, args["address"])
        return
    start = _start(ctx, args["game"])
    create = partial(sandbox.create, ctx.tx, start.options, start.position, start.powers)
    game, seat = begin_own(ctx, KIND, "You have a sandbox", create, again=args["again"])
    if start.power is not None:
        game = sandbox.put_orders(ctx.tx, game, start.power, start.orders)
    ctx.say(f"Your sandbox is {game.name}: {start.said}. Nobody else is told of it, and no other game changes.")
    ctx.say("Its first report follows. Reply to that with orders for any power and READY; the results come at once.")
    ctx.tx.note("sandbox", game, seat)


def _start(ctx: Context, named: str | None) -> _Start:
    """The position that is meant. Raises NotNow or NotUnderstood where there is none to begin from."""
    variant = find(named or "standard")
    if variant is not None and (named is not None or ctx.game is None):
        return _opening(variant)
    game = ctx.public_game(named)
    if not game.running:
        raise NotNow(
            f"The game {game.name} is {game.state}.", f"SANDBOX {game.options.variant.name} begins at the start."
        )
    _refuse_hidden(game.variant)
    seat = ctx.own_seat(game)
    view = view_of(game, seat)
    if view.near is not None:
        raise NotNow(f"{game.name} has {len(view.powers):,} powers, too many for a sandbox.", "WHATIF tries one phase.")
    own = game.orders_of(seat) if seat is not None else ()
    who = {None: "everybody", MASTER: "its gamemaster"}.get(view.seat, view.seat)
    said = f"{game.code} of {game.name}, as {who} may see it" + (", with your orders" if own else "")
    return _Start(game.options, view.position, view.powers, said, seat.power if seat is not None else None, own)


def _opening(variant: Variant) -> _Start:
    _refuse_hidden(variant)
    powers = practice.powers_of(variant.seating)
    position = variant.opening(powers, Chance(bytes(32)))
    return _Start(read_options({"variant": variant.name}), position, powers, f"{variant.title}, from the start")


def _refuse_hidden(variant: Variant) -> None:
    """Raises NotNow for games in which some units obey a seat that is secret: no view has all that decides a phase."""
    if variant.review is not None or variant.seating.secret:
        raise NotNow(
            f"There is no sandbox of {variant.title}: who controls which units is hidden, so that what you see is not a"
            " whole position.",
            "WHATIF tries one phase of what you see; SANDBOX standard is the standard game.",
        )


_TIME_TO_COME = timedelta(days=7)


def _share(ctx: Context, email: str) -> None:
    """Ask somebody whether they want to hold the sandbox, too."""
    game, _ = ctx.as_master()
    if not game.options.sandbox or not game.running:
        raise NotNow("This is not your sandbox.", "Write SANDBOX WITH and the address to the sandbox's own address.")
    person = reachable(ctx, email)
    if person is not None and game.seats_of(person):
        raise NotNow(f"{email} has this sandbox already.")
    Bound.SHARED.check(len(game.masters) + 1, "EXPORT sends you all of it as a file.")
    name = ctx.person.name if ctx.person is not None else "Somebody"
    reasons = (
        f"{name} wants to share a sandbox with you: a position of {game.variant.title} that you play on together, each"
        " of you for all powers. It is no game with other people.",
        "With YES you get the position, the map and an address for orders.",
    )
    offer = Offer(email, person, "a sandbox", reasons, ("YES", "share it"), _TIME_TO_COME, name)
    ask_to_join(ctx, game, offer, what=f"share {game.name}", sandbox=True)
    ctx.say(f"{email} is asked whether they want to share {game.name}, and has it as soon as they say YES.")


SANDBOX = Command(
    "sandbox",
    Syntax(
        "SANDBOX [again:NEW] [game:GAME] | SANDBOX WITH address:ADDRESS",
        ("SANDBOX", "SANDBOX game", "SANDBOX standard", "SANDBOX WITH address"),
        sentences=Sentences.UNLESS_WHOLE,
    ),
    Policy(
        consent=Consent.BINDING,
        bare=Consent.BINDING,
        of_master=Consent.UNASKED,  # who shares it holds it as its gamemaster
        cost=5,
        spends=(Spent.GAMES, Spent.FIRST),
    ),
    act_sandbox,
    Help(
        "play a position on for all powers, by yourself or with a friend",
        """
        Sent to your seat's address it begins with the present position as your
        power may see it, and with your orders; SANDBOX standard begins at the
        start of a game. Reply to its reports with orders for any power:

            A PAR-BUR
            Germany: A MUN H, F KIE-DEN
            READY

        READY brings the results at once; units without orders hold. ROLLBACK
        F1901M goes back, MAP ORDERS draws the orders, SANDBOX WITH
        friend@example.org shares it: your friend then sees the position as your
        power sees it, and the orders that it begins with. The game itself does
        not change, and nobody else learns of it. You have one at a time;
        SANDBOX NEW begins another, and it ends with RESIGN and its name, or
        after a week without READY.
        """,
    ),
)
