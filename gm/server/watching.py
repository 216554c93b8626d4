"""What the processing of a mail decides about its lines, noted while it runs, for `gm.server.explain`.

Transitional: it stands beside the functions that decide today, and changes none of what they do. Only within `watching`
is anything noted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial, wraps
from types import ModuleType
from typing import Any

from gm.commands.context import Context
from gm.errors import Ambiguous, GmError, IllegalOrder, NotNow, NotPermitted, NotUnderstood
from gm.games.limits import OverLimit
from gm.mail.message.incoming import Message
from gm.parsing.message import CommandLine, Item, ParsedMessage, PressBlock
from gm.server import acting, astray, confirming, digest_replies, intake, replies_to_press, seat_offers
from gm.server.acting import Acted
from gm.server.contents import forming_game, likely_game
from gm.server.quotations import Quotations
from gm.server.sections import lines_of
from gm.server.which_phase import Sorted
from gm.store.inbox import InboxState


@dataclass
class Reading:
    """What was decided about the lines of one message, at one seat or none."""

    ctx: Context
    message: Message
    whole: ParsedMessage
    """Its lines before anything was left out of them."""
    kept: Sorted
    quoted: Quotations
    game: str
    found: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    given: list[Item] = field(default_factory=list)
    """The items that were acted on, in vain or not."""
    refusals: dict[int, str] = field(default_factory=dict)
    """Why a line was refused, by its number: the kind of error."""
    acted: Acted | None = None
    answers_nothing: bool = False
    meant: frozenset[str] = frozenset()
    """The quoted lines that the reply shows, as they may have been meant."""
    prose: frozenset[str] = frozenset()
    """Those of them that have an order among other words."""


@dataclass
class Watched:
    """What became of one mail."""

    message: Message
    state: InboxState = InboxState.DONE
    note: str = ""
    reading: Reading | None = None
    released: Reading | None = None
    """The mail that this one, an answer, has released."""
    doubted: bool = False
    """Its sender is asked whether it is press."""
    refused: bool = False
    """The whole mail was refused."""
    answers: bool = False
    """It answers a question."""
    in_vain: bool = False
    """It answers a question, and was not counted."""
    digest: Any = None
    """What an answer to a digest says, and whether its sender was asked for which game it is."""
    asked_game: bool = False


_now: ContextVar[Watched | None] = ContextVar("_now", default=None)


@contextmanager
def watching(tell: Callable[[Watched], None]) -> Iterator[None]:
    """Within the block, `tell` gets what became of each mail that `intake` receives, in its transaction."""
    with _replacing() as replaced:
        for module, name, noting in _NOTED:
            replaced(module, name, noting)
        replaced(intake, "receive", partial(_received, tell))
        yield


@contextmanager
def _replacing() -> Iterator[Callable[[ModuleType, str, Callable[..., Any]], None]]:
    """Replaces functions of modules, until the end of the block, by others that get the replaced one first."""
    before = list[tuple[ModuleType, str, Callable[..., Any]]]()

    def replaced(module: ModuleType, name: str, noting: Callable[..., Any]) -> None:
        original = getattr(module, name)
        before.append((module, name, original))
        setattr(module, name, wraps(original)(partial(noting, original)))

    try:
        yield replaced
    finally:
        for module, name, original in reversed(before):
            setattr(module, name, original)


def _received(tell: Callable[[Watched], None], original: Callable[..., None], *given: Any, **more: Any) -> None:
    watched = Watched(given[2])
    token = _now.set(watched)
    try:
        original(*given, **more)
        tell(watched)
    finally:
        _now.reset(token)


def _settled(original: Callable[..., Any], *given: Any) -> Any:
    result = original(*given)
    if result is not None and (watched := _now.get()) is not None:
        watched.state, watched.note = result
    return result


def _lines(original: Callable[..., Any], who: Any, row: Any, quoted: Quotations) -> Any:
    kept, doubt = original(who, row, quoted)
    if (watched := _now.get()) is not None:
        reading = _reading(who.ctx, who.mail.message, kept, quoted)
        watched.reading, watched.doubted = reading, doubt is not None
    return kept, doubt


def _reading(ctx: Context, message: Message, kept: Sorted, quoted: Quotations) -> Reading:
    found, changed = tuple(quoted.found), tuple(quoted.changed)
    game = likely_game(ctx) or forming_game(ctx, acting.read(message.text, None, ctx.seat))
    whole = acting.read(message.text, game, ctx.seat)
    name = ctx.game.name if ctx.game is not None else ""
    return Reading(ctx, message, whole, kept, quoted, name, found, changed)


def _act(original: Callable[..., Acted], ctx: Context, parsed: ParsedMessage, *given: Any) -> Acted:
    watched = _now.get()
    if watched is None:
        return original(ctx, parsed, *given)
    reading = _of(watched, ctx, Sorted(parsed), Quotations())
    reading.given += parsed.items
    acted = original(ctx, parsed, *given)
    reading.acted = acted
    for line in acted.refused:
        reading.refusals.setdefault(line.number, "refused")
    return acted


def _of(watched: Watched, ctx: Context, kept: Sorted, quoted: Quotations) -> Reading:
    """The reading of the message that is acted on."""
    message = ctx.mail.message if ctx.mail is not None else watched.message
    own = watched.reading is not None or message.text == watched.message.text
    reading = (watched.reading if own else watched.released) or _reading(ctx, message, kept, quoted)
    if own:
        watched.reading = reading
    else:
        watched.released = reading
    return reading


def _act_on(
    original: Callable[..., Acted], ctx: Context, message: Message, lines: Sorted, quoted: Quotations, *given: Any
) -> Acted:
    watched = _now.get()
    if watched is None:
        return original(ctx, message, lines, quoted, *given)
    reading = _of(watched, ctx, lines, quoted)
    acted = original(ctx, message, lines, quoted, *given)
    items = quoted._meant(ctx, message)
    reading.meant = frozenset(text.strip() for item in items for _, text in lines_of(item))
    reading.prose = frozenset(item.text.strip() for item in items if getattr(item, "prose", False))
    return acted


def _answers_nothing(original: Callable[..., tuple[str, ...]], ctx: Context, message: Message) -> tuple[str, ...]:
    said = original(ctx, message)
    watched = _now.get()
    if said and watched is not None and (reading := watched.released or watched.reading) is not None:
        reading.answers_nothing = True
    return said


def _noted_refusal(items: list[Item], reason: str) -> None:
    watched = _now.get()
    if watched is not None and (reading := watched.released or watched.reading) is not None:
        for item in items:
            for number, _ in lines_of(item):
                reading.refusals.setdefault(number, reason)


_REASONS: tuple[tuple[type[GmError], str], ...] = (
    (NotUnderstood, "not-understood"),
    (IllegalOrder, "illegal"),
    (Ambiguous, "ambiguous"),
    (NotPermitted, "not-permitted"),
    (OverLimit, "limit"),
    (NotNow, "not-now"),
)


def _reason(error: GmError) -> str:
    return next((reason for kind, reason in _REASONS if isinstance(error, kind)), "refused")


def _all_refused(original: Callable[..., Any], items: list[Item], error: GmError) -> Any:
    _noted_refusal(items, _reason(error))
    return original(items, error)


def _refused(original: Callable[..., Any], item: Item, error: GmError) -> Any:
    _noted_refusal([item], _reason(error))
    return original(item, error)


def _not_done(original: Callable[..., Any], item: CommandLine | PressBlock, reason: OverLimit, lines: list[int]) -> Any:
    watched = _now.get()
    if watched is not None and (reading := watched.released or watched.reading) is not None:
        reading.refusals.update(dict.fromkeys(lines, "limit"))
    return original(item, reason, lines)


def _flag(name: str) -> Callable[..., Any]:
    """A function that notes that another was called."""

    def noting(original: Callable[..., Any], *given: Any, **more: Any) -> Any:
        if (watched := _now.get()) is not None:
            setattr(watched, name, True)
        return original(*given, **more)

    return noting


def _digest(original: Callable[..., Any], *given: Any) -> Any:
    said = original(*given)
    if (watched := _now.get()) is not None:
        watched.digest = said
    return said


_REFUSING = (intake, astray, confirming, seat_offers, digest_replies, replies_to_press)
_NOTED: tuple[tuple[ModuleType, str, Callable[..., Any]], ...] = (
    (intake, "_copied", _settled),
    (intake, "_settled", _settled),
    (intake, "_for_the_games", _settled),
    (intake, "_lines", _lines),
    *((module, "act", _act) for module in (acting, intake, confirming, seat_offers)),
    *((module, "act_on", _act_on) for module in (intake, confirming)),
    *((module, "refuse", _flag("refused")) for module in _REFUSING),
    (acting, "answers_nothing", _answers_nothing),
    (acting, "_all_refused", _all_refused),
    (acting, "refused", _refused),
    (acting, "_not_done", _not_done),
    (digest_replies, "confirm", _flag("answers")),
    (confirming, "_answer_in_vain", _flag("in_vain")),
    (digest_replies, "_read", _digest),
    (digest_replies, "_ask", _flag("asked_game")),
)
