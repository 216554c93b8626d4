"""HISTORY, MAP and WHY: past phases, as far as the reader may see them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import chain
from typing import Any

from gm.board import Board, Location, Province
from gm.chance import Chance
from gm.commands.all_powers import orders_for_all
from gm.commands.context import Context
from gm.commands.declaration import Command, Help, Policy, Syntax
from gm.errors import NotNow, NotUnderstood
from gm.games.limits import Spent
from gm.games.ordered import view_of_orders
from gm.games.report_inputs import adjudicated, position_of, turn_of, view_after, view_of
from gm.games.snapshot import Game
from gm.judge.outcomes import Outcome
from gm.maps.legend import SIGNS_IN_WORDS
from gm.orders import Move, Order, Retreat, unit_of
from gm.orders.notation import write
from gm.parsing.headings import one_phase
from gm.parsing.lexicon import Lexicon, fold
from gm.play.export import exported
from gm.play.pictures import files_of_names, map_files, reads_dark
from gm.position import position_to_json
from gm.reports import wrap
from gm.reports.blocks import Table, turn_blocks
from gm.reports.explain import mark, sentence
from gm.store.game_rows import PhaseRow
from gm.store.rows import canonical_json
from gm.variants import all_variants
from gm.views import View

MOST_PHASES = 40
"""The most phases in one answer; players ask for more by year."""


def act_history(ctx: Context, args: Mapping[str, Any]) -> None:
    """Show the results of the last phase, of the one named, of a year or of all, as far as the sender's seat may see
    them.
    """
    game, which = ctx.public_game(args["game"]), args["phases"] or ""
    played = adjudicated(ctx.tx.session, game)
    shown = show_review(ctx, game) if not which else False
    if shown and not played:
        return
    if not played:
        raise NotNow(f"No phase of {game.name} has been played yet.", "STATUS shows its state.")
    chosen = phases_meant(game, played, which)
    if not chosen:
        raise NotUnderstood(
            f"No phase '{which}' was played.", f"The first was {played[0].code}, the last {played[-1].code}."
        )
    for phase in chosen[-MOST_PHASES:]:
        _add_results(ctx, game, phase)
    if len(chosen) > MOST_PHASES:
        ctx.say(f"Only the last {MOST_PHASES} phases are shown. For others, name a year: HISTORY 1901.")


def show_review(ctx: Context, game: Game) -> bool:
    """While orders are closed, show the seat that may change them those it was sent. Returns whether it did."""
    seat, review, phase = ctx.own_seat(game), game.variant.review, game.phase
    if review is None or phase is None or not game.in_review or not game.reviews(seat):
        return False
    for section in review.shows(game.variant, phase.position, game.orders_by_power, game.chance):
        ctx.show(
            f"{game.name}, {phase.code}: {section.title[:1].lower()}{section.title[1:]}",
            [Table(section.rows, section.headed)],
        )
    return True


def phases_meant(game: Game, played: list[PhaseRow], which: str) -> list[PhaseRow]:
    """The phases meant: the last one, one by its code, those of a year, or all."""
    word = which.upper()
    if word in ("", "LAST"):
        return played[-1:]
    if word == "ALL":
        return played
    if word.isdecimal():
        return [phase for phase in played if position_of(game, phase).phase.year == int(word)]
    return [phase for phase in played if phase.code == word] or [
        phase
        for phase in played
        if phase.code[:-1] == word  # S1901: each phase of that spring
    ]


def _add_results(ctx: Context, game: Game, phase: PhaseRow) -> None:
    """Add the results of one phase to the answer."""
    view = view_after(game, ctx.own_seat(game), turn_of(ctx.tx.session, game, phase))
    ctx.show_view(f"{game.name}, {phase.code}", view, partial(turn_blocks, adjectives=game.variant.adjectives))


HISTORY = Command(
    "history",
    Syntax(
        "HISTORY [game:GAME] [phases:PHASES]",
        ("HISTORY", "HISTORY F1901M", "HISTORY 1901", "HISTORY game ALL"),
        elsewhere=("results", "last"),
        asks=True,
    ),
    Policy(cost=5, spends=(Spent.BYTES,)),
    act_history,
    Help(
        "show the results of phases that were played",
        """
        HISTORY alone shows the last phase, HISTORY F1901M one phase, HISTORY
        1901 a year, HISTORY game ALL everything. Sent to your seat's address
        it shows what your power may see, otherwise what everybody may see.
        """,
    ),
)


def act_map(ctx: Context, args: Mapping[str, Any]) -> None:
    """Attach the map of the last phase, or of the one named, as far as the sender's seat may see it."""
    if args["what"]:
        {"orders": _map_orders, "names": _map_names, "position": _map_position}[args["what"]](ctx)
        return
    game, which = ctx.public_game(args["game"]), args["phases"] or ""
    if game.position is None or game.phase is None:
        raise NotNow(f"The game {game.name} has not begun.", "STATUS shows who has joined.")
    seat, played = ctx.own_seat(game), adjudicated(ctx.tx.session, game)
    phases = phases_meant(game, played, which) if played else []
    if not phases and which:
        raise NotUnderstood(f"No phase '{which}' was played.", "MAP alone shows the last phase.")
    code = phases[-1].code if phases else game.phase.code
    view = view_after(game, seat, turn_of(ctx.tx.session, game, phases[-1])) if phases else view_of(game, seat)
    shown = phases[-1].id if phases else canonical_json(position_to_json(game.position))
    key = (game.id, game.state, shown, seat.id if seat is not None else None)
    _attach_map(ctx, game, code, view, key, f"The map of {game.name}, {code}, is")


def _attach_map(ctx: Context, game: Game, name: str, view: View, key: tuple[object, ...], said: str) -> None:
    dark = reads_dark(ctx.person)
    files = ctx.drawn((*key, dark), partial(map_files, game, name, view, dark=dark))
    if files is None:
        return
    if not files:
        raise NotNow(f"There is no map of {game.name} for you.", "STATUS and HISTORY show what you may see of it.")
    ctx.attach(files)
    ctx.say(f"{said} attached as SVG (scalable) and PNG.")


def _map_orders(ctx: Context) -> None:
    """Attach the map of the present position with the orders of the sender's own seat, in a sandbox with all."""
    game, seat = ctx.seated()
    phase, whose = ctx.running(game), game.players if orders_for_all(ctx) else (seat,)
    orders = tuple(chain.from_iterable(map(game.orders_of, whose)))
    if not orders:
        raise NotNow(f"You have sent no orders for {phase.code}.", "MAP shows the last phase.")
    view = view_of_orders(view_of(game, seat), orders)
    key = (game.id, seat.id, phase.id, tuple(write(order) for order in orders))
    _attach_map(ctx, game, f"{phase.code}-orders", view, key, f"The map of your orders for {phase.code} is")
    if view.turn is not None and not all(outcome.succeeded for outcome in view.turn.outcomes):
        ctx.say("On the map, orders to look at again have a cross.")


def _map_position(ctx: Context) -> None:
    """Attach the map of the present position, without the orders that led to it."""
    game = ctx.public_game(None)
    if game.position is None or game.phase is None:
        raise NotNow(f"The game {game.name} has not begun.", "MAP NAMES shows the board.")
    code, seat = game.phase.code, ctx.own_seat(game)
    key = ("position", game.id, canonical_json(position_to_json(game.position)), seat.id if seat is not None else None)
    said = f"The map of the position for {code}, without orders, is"
    _attach_map(ctx, game, f"{code}-position", view_of(game, seat), key, said)


def _map_names(ctx: Context) -> None:
    """Attach the map with the full names; without a game that of Diplomacy."""
    game = ctx.game if ctx.game is not None and ctx.game.position is not None else None
    view = view_of(game, ctx.seat) if game is not None else _standard()
    dark = reads_dark(ctx.person)
    key = ("names", canonical_json(position_to_json(view.position)), dark)
    files = ctx.drawn(key, partial(files_of_names, view, dark=dark))
    if files is None:
        return
    if not files:
        raise NotNow("This board has no map with names.", "HELP PROVINCES tells how its places are called.")
    ctx.attach(files)
    ctx.say("The map with all names is attached as SVG (scalable) and PNG. HELP PROVINCES lists them.")


def _standard() -> View:
    game = all_variants()["standard"]
    return game.view(game, game.opening(game.seating.powers, Chance(bytes(32))), None, None)


MAP = Command(
    "map",
    Syntax(
        "MAP [game:GAME] [phases:PHASES] | MAP what:ORDERS|NAMES|POSITION",
        ("MAP", "MAP F1901M", "MAP ORDERS", "MAP POSITION", "MAP NAMES", "MAP game"),
    ),
    Policy(cost=10, spends=(Spent.BYTES,)),
    act_map,
    Help(
        "get the map as a file",
        """
        MAP alone shows the last phase with its orders, MAP F1901M an earlier
        one, MAP ORDERS your own orders for the phase being played, MAP
        POSITION only what stands on the board now, MAP NAMES the full names of
        all places. Sent to your seat's address it shows what your power may
        see, otherwise what everybody may see. PREFERENCES
        maps=none leaves maps out of reports, PREFERENCES receipts=map puts
        your orders on one in each receipt.
        """,
        more=lambda: wrap(SIGNS_IN_WORDS),
    ),
)


def act_export(ctx: Context, args: Mapping[str, Any]) -> None:
    """Attach the game in a form that programs read: whole when it is over, otherwise as far as the seat may see it."""
    game, form = ctx.public_game(args["game"]), args["form"] or "json"
    if form in _PICTURES:
        act_map(ctx, {"game": args["game"], "phases": None, "what": None})
        return
    if game.phase is None:
        raise NotNow(f"The game {game.name} has not begun.", "STATUS shows who has joined.")
    ctx.attach([exported(ctx.tx.session, game, ctx.own_seat(game), form)])
    whole = "It is whole, because the game is over." if game.over else "It holds what you may see."
    ctx.say(f"The game {game.name} is attached as a file. {whole}")


_PICTURES = ("svg", "png")
"""What MAP sends too."""
_FORMS = "form:JSON|NJUDGE|DIPLOMACY|SVG|PNG"
EXPORT = Command(
    "export",
    Syntax(
        f"EXPORT [game:GAME] [{_FORMS}] | EXPORT {_FORMS} game:GAME",
        ("EXPORT", "EXPORT NJUDGE", "EXPORT game DIPLOMACY"),
    ),
    Policy(cost=10, spends=(Spent.BYTES,)),
    act_export,
    Help(
        "get the whole game as a file, for programs",
        """
        EXPORT alone sends JSON with every phase, which gm verify reads when the
        game is over. EXPORT NJUDGE sends the results as njudge lists them, for
        jDip; EXPORT DIPLOMACY the JSON of the Python package diplomacy, of
        standard games. Sent to your seat's address they hold what your power
        may see, otherwise what everybody may see; of a game that is over
        everything. EXPORT SVG is MAP, which sends the picture of any phase.
        """,
    ),
)


def act_why(ctx: Context, args: Mapping[str, Any]) -> None:
    """Explain the result of every order for the unit that is named."""
    game, code, words = _asked(ctx, args["phase"], args["order"])
    phase = _phase(ctx, game, code)
    view = view_after(game, ctx.own_seat(game), turn_of(ctx.tx.session, game, phase))
    turn = view.turn
    place = _place(game, game.lexicon_of(ctx.own_seat(game)), words)
    if turn is None:
        raise NotNow(f"You cannot see anything of {phase.code} from here.", "Write to your seat's address.")
    found = [outcome for outcome in turn.outcomes if _begins_at(view.board, outcome.order, place)]
    found = found or [outcome for outcome in turn.outcomes if _goes_to(view.board, outcome.order, place)]
    if not found:
        raise NotUnderstood(
            f"In {phase.code}, no unit that you can see was ordered in '{words}', or to go there.",
            "Name the place where the unit was. For an earlier phase, put its code first: WHY F1901M A PAR-BUR.",
        )
    ctx.show(f"{game.name}, {phase.code}: why", "\n\n".join(_explained(outcome, view) for outcome in found))


def _begins_at(board: Board, order: Order, place: Province) -> bool:
    unit = unit_of(order)
    return unit is not None and board.province(unit.at) == place


def _goes_to(board: Board, order: Order, place: Province) -> bool:
    return isinstance(order, Move | Retreat) and board.province(order.to) == place


def _asked(ctx: Context, code: str | None, words: str) -> tuple[Game, str | None, str]:
    """The game, the phase if one is named, and the order. Outside a seat the first word names the game."""
    first, _, rest = words.partition(" ")
    if ctx.game is not None or code is not None or not rest:
        return ctx.public_game(None), code, words
    game = ctx.public_game(first)
    second, _, order = rest.partition(" ")
    named = one_phase(second, game.variant.language.kinds)
    return (game, named, order) if named and order else (game, None, rest)


def _phase(ctx: Context, game: Game, code: str | None) -> PhaseRow:
    wanted = [phase for phase in adjudicated(ctx.tx.session, game) if code in (None, phase.code)]
    if not wanted:
        none = f"{code} of {game.name} has not" if code else f"No phase of {game.name} has"
        raise NotNow(f"{none} been adjudicated.", "WHY explains results.")
    return wanted[-1]


def _place(game: Game, lexicon: Lexicon, words: str) -> Province:
    """The place of the unit that the order names: the first place in it."""
    for name in lexicon.scan(fold(words).folded).names:
        if isinstance(name, NotUnderstood):
            raise name
        if name not in lexicon.powers and game.phase is not None:
            return game.phase.board.province(Location(str(name)))
    raise NotUnderstood(f"'{words}' names no place.", "Write an order, or the place of a unit: WHY A PAR-BUR, WHY PAR.")


def _explained(outcome: Outcome, view: View) -> str:
    unit = unit_of(outcome.order)
    done = mark(outcome, view.words)
    head = f"{unit.power if unit else ''}: {write(outcome.order)}" + (f"  (*{done}*)" if done else "")
    return f"{head}\n{wrap(sentence(outcome, view.board, view.words), 4)}"


WHY = Command(
    "why",
    Syntax(
        "WHY [phase:PHASE] order:WORDS", ("WHY A PAR-BUR", "WHY F1901M A PAR-BUR"), elsewhere=("explain",), asks=True
    ),
    Policy(),
    act_why,
    Help(
        "explain the result of an order",
        """
        Name the order, or only the unit's place: WHY PAR. For a phase before
        the last one, put its code first: WHY F1901M A PAR-BUR.
        """,
    ),
)
