"""Mail to a conversation: it is press, whatever its lines look like, unless it may have been meant as orders.

One wrong reply would hand an enemy the orders. So a reply to press that orders units of its sender is not sent,
and its sender is asked; so is the sender of one that says only commands, answers anonymous press, or is a program's.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from gm.board import Location
from gm.commands import COMMANDS
from gm.commands.all_powers import pieces_of
from gm.commands.press import named
from gm.errors import NotNow
from gm.games.snapshot import Game, Seat
from gm.inbound.answering import refuse
from gm.inbound.confirming import as_read, as_shown, is_bound_to_phase, without_secrets
from gm.inbound.contents import as_press
from gm.inbound.disclosing import Letter, doubt_of, gives_orders, names_of, speaks_to_others
from gm.inbound.identification import Identified
from gm.inbound.ordering import ordering_at
from gm.inbound.which_phase import ByPhase, understood
from gm.parsing.addressed import addressed
from gm.parsing.lexicon import FIRST_PLACE, FIRST_POWER, fold
from gm.parsing.message import CommandLine, Complaint, Item, OrderLine, PressBlock, Talk
from gm.parsing.several_lines import GM
from gm.play import conversations
from gm.play.questions import PRESS, Asked, ask
from gm.reading.line import Line, Lines, Origin
from gm.reading.origin import Sources
from gm.store.inbox import InboxState


@dataclass(frozen=True, slots=True)
class Doubt:
    """Why a reply to press is not sent before its sender says what it is, and what they can answer."""

    title: str
    reason: str
    answers: tuple[tuple[str, str], ...]


def sorted_out(who: Identified, lines: Lines, sources: Sources) -> tuple[ByPhase, Sources, Doubt | None]:
    """What a mail to a conversation says, given its lines: press as a whole, which quotes none, unless it must be asked
    about first.
    """
    game, seat, message = who.ctx.about or who.ctx.game, who.addressed, who.mail.message
    if game is None or seat is None:
        raise LookupError(f"mail {who.mail.id} is for no seat")
    called, away = names_of(who.ctx, message, game, seat), "The subject of your reply says that you are away"
    first = _DEALT_SINCE if sources.dealt_since and _names_power(who.to) else away if message.away else ""
    doubt = doubt_about(game, seat, lines, who.to, first=first, called=called)
    if doubt is not None or says_whom(lines):
        return ByPhase(lines), sources, doubt
    return ByPhase(as_press(message.text, who.to)), Sources(ours=sources.ours), None


def ask_back(who: Identified, lines: Lines, doubt: Doubt) -> tuple[InboxState, str]:
    """Ask what a reply to press is. Returns the row's new state and a note."""
    ctx, text = who.ctx, who.mail.message.text.split("\n")
    shown = as_shown(text)
    question = Asked(
        mail_id=who.mail.id,
        scope=PRESS,
        asked=ctx.reached_at,
        title=doubt.title,
        reasons=(doubt.reason,),
        lines=without_secrets(ctx, text[:shown]),
        answers=doubt.answers,
        person=ctx.person,
        game=ctx.game,
        seat=ctx.seat,
        bound_to_phase=is_bound_to_phase(lines),
        detail={"shown": shown, **as_read(who.mail.message)},
    )
    if ask(ctx.tx, question):
        return InboxState.QUARANTINED, "its sender is asked whether it is press"
    how = "Write orders to your seat's own address, which STATUS shows, and press between PRESS TO and ENDPRESS."
    return InboxState.DONE, refuse(who, NotNow(doubt.reason, how))


def doubt_about(
    game: Game, seat: Seat, lines: Lines, to: tuple[str, ...], *, first: str = "", called: tuple[str, ...] = ()
) -> Doubt | None:
    """Why a reply to press, with these lines, must be asked about; `first`: why, whatever it says; `called` are the
    names of its writer.
    """
    grey = conversations.GREY in to
    whom = named(game, [conversations.EVERYBODY] if grey else to, seat)
    sends, forgets = ("PRESS", f"send it to {whom}"), ("NO", "forget it")
    written = [line for line in lines if line.origin is Origin.OWN]
    prose = _tells_orders(game, seat, written, to)
    if prose or _may_be_orders(game, seat, written):
        both = "; BOTH acts on the orders and commands, and sends the other lines" if not prose else ""
        reason = (
            "Your reply to press has orders or commands. Nothing was sent, and nothing was ordered. ORDERS acts on your"
            f" mail, as on a reply to a report; PRESS sends all of it to {whom}{both}:"
        )
        parts = [("BOTH", f"act on the orders, send the rest to {whom}")] if not prose else []
        return Doubt(f"Orders, or press to {whom}?", reason, (("ORDERS", "act on it"), *parts, sends, forgets))
    if says_whom(lines):
        return None
    by_number = {line.number: line.text for line in written}
    rows = [by_number.get(number, "") for number in range(1, max(by_number, default=0) + 1)]
    letter = Letter(game, seat, to, "\n".join(rows), called=called)
    if why := doubt_of(letter):
        others = speaks_to_others(letter)
        how = f" To write to {others}, put PRESS TO {others} above your text, and ENDPRESS below." if others else ""
        reason = f"Your press to {whom} was sent to nobody: {why}.{how} PRESS sends it to {whom}:"
        acts = () if others else (("ORDERS", "act on it, as on a mail to your seat"),)
        return Doubt(f"Press to {whom}?", reason, (sends, *acts, forgets))
    if grey:
        reason = "The press that you answered is anonymous: its writer alone cannot be answered. Nothing was sent:"
        return Doubt(f"Press to {whom}?", reason, (sends, forgets))
    return Doubt(f"Press to {whom}?", f"{first}:", (sends, forgets)) if first else None


_DEALT_SINCE = (
    "You answered press of before the powers were dealt, and its writer may have another now. Nothing was sent"
)


def _names_power(to: Collection[str]) -> bool:
    """Whether any of these recipients is a player, by the power that they have now."""
    return not {conversations.EVERYBODY, conversations.GM, conversations.GREY}.issuperset(to)


def _may_be_orders(game: Game, seat: Seat, written: Sequence[Line]) -> bool:
    """Whether lines order units of this seat, consist of commands, have one that does something, or name the game that
    is meant by those below: all of it would be sent.
    """
    own = [line.meaning for line in written]
    letter = any(isinstance(item, Talk) and not item.blank for item in own)
    only_commands = not letter and any(isinstance(item, CommandLine) for item in own)
    acts = any(isinstance(item, CommandLine) and not COMMANDS[item.name].syntax.asks for item in own)
    names_game = any(line.is_heading for line in written)
    return only_commands or acts or names_game or any(_is_order(game, seat, item) for item in own)


def _tells_orders(game: Game, seat: Seat, written: Sequence[Line], to: Collection[str]) -> bool:
    """Whether what would be sent beside the orders may order units of this seat in other words, or speaks to the
    gamemaster, who is not among those it would go to: no part of such a mail is sent unasked.
    """
    ordering, lexicon = ordering_at(game, seat), game.lexicon_of(seat)
    rest = [line for line in written if isinstance(line.meaning, Talk | Complaint)]
    said = [line for line in rest if not _is_order(game, seat, line.meaning)]
    to_judge = GM not in to and any(GM in addressed(line.text, lexicon).to for line in said)
    asking = {line.number for line in rest if line.text.endswith("?")}  # who asks, orders nothing
    orders = [line.text for line in said if line.number not in asking]
    return to_judge or (ordering is not None and any(gives_orders(ordering, text) for text in orders))


def _is_order(game: Game, seat: Seat, item: Item | None) -> bool:
    match item:
        case OrderLine() | Complaint(of_order=True) if game.phase is None:
            return False
        case OrderLine():
            return _orders_own_units(game, seat, item)
        case Complaint():
            return not item.prose and not _is_of_others(game, seat, item.text)
        case CommandLine():
            return bool(item.below)
    return False


def says_whom(lines: Lines) -> bool:
    """Whether a reply is not press as a whole: it has press of its own, between PRESS TO and ENDPRESS."""
    return any(isinstance(line.meaning, PressBlock) and line.fate is None for line in lines)


def _is_of_others(game: Game, seat: Seat, text: str) -> bool:
    """Whether what could not be read begins with a place where this seat has nothing: `A Par-Bur?` of France's."""
    scan = game.lexicon_of(seat).scan(fold(text).folded)
    places = (ord(sign) - FIRST_PLACE for sign in scan.form if FIRST_PLACE <= ord(sign) < FIRST_POWER)
    first = next((scan.names[place] for place in places), None)
    if not isinstance(first, str) or game.phase is None:
        return False
    return game.phase.board.province(Location(first)) not in pieces_of(game, seat)


def _orders_own_units(game: Game, seat: Seat, item: OrderLine) -> bool:
    """Whether a line has an order for anything of this seat's, now or later."""
    own, board = pieces_of(game, seat), game.phase.board if game.phase is not None else None
    units = (getattr(order, "unit", None) for _, order in item.orders)
    if any(unit is not None and board is not None and board.province(unit.at) in own for unit in units):
        return True
    return item.phase is not None or any(understood(game, seat, [order]) for _, order in item.orders)
