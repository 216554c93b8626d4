"""What became of each line of a mail: whose words it is, what it means, for which game, its fate and the reason.

Transitional: the values are those that the functions of today leave behind (`gm.server.watching`), and the rows are
what one function is to make instead of them.

Origins: `own`; `ours`, a line of a mail of ours; `other`, another person's; `signature`; `program`, what a mail program
writes; `struck` out; `undecodable`; `apart`, what only the other alternative of the mail says, and attachments; `form`,
a line of our form that came back filled in, where it stood; `subject`.

Reasons, by fate:

    ACT     done; answer (to a question); elsewhere (at the seat of another game that the mail goes to as well); same
            (a question that the mail asks before)
    ASK     which-phase; which-game; confirm (it cannot be undone); press-or-orders; quarantined (who wrote it?)
    REFUSE  not-understood, ambiguous, illegal, not-permitted, not-now, limit: the kind of the error; refused, by the
            command; too-late, for another phase; other-game; whole-mail; answer, which is not counted
    QUOTE   quoted-press; changed-in-quotation; below-end; quoted-order, and quoted-prose where it is among other words;
            mentions-board; like-an-order; to-nobody (press without PRESS TO); answers-nothing; apart; struck;
            undecodable; attachment; in-subject
    TALK    plain; heading; quoted (another's words, which ask for nothing); below-end; ignored (the whole mail);
            unanswered, like one of QUOTE, but no reply shows it; lost, for no known reason
    OURS    our-lines; unfilled-form; signature; attribution; device; reply-above
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gm.commands import COMMANDS
from gm.mail.message.attribution import DEVICE, Introductions
from gm.mail.message.text import REPLACEMENT, Line
from gm.parsing.message import CommandLine, Complaint, Item, OrderLine, PressBlock, Talk
from gm.server import Server, intake
from gm.server.contents import message_of
from gm.server.fates import LONGEST, Fate, Row
from gm.server.our_mails import words_of
from gm.server.quotations import _addressee, in_subject, items_in
from gm.server.sections import is_heading, lines_of
from gm.server.watching import Reading, Watched, watching
from gm.store import inbox
from gm.store.inbox import InboxState

_WEIGHT = (Fate.REFUSE, Fate.ASK, Fate.QUOTE, Fate.ACT, Fate.TALK, Fate.OURS)
"""Of a line with several parts that have different fates the first of these counts."""
_REPLY_ABOVE = re.compile(r"\W{0,20}+reply above this line\W{0,20}+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Explained:
    """What became of a mail; `released` are the rows of the mail that it has released, as an answer to a question."""

    state: InboxState
    note: str
    rows: tuple[Row, ...]
    released: tuple[Row, ...] = ()


class _Undone(Exception):
    """Everything is rolled back."""


def explain(server: Server, number: int) -> Explained | None:
    """What would become of a mail that arrived, if it were received now; nothing is done. None if there is none."""
    found: list[Explained] = []
    try:
        with watching(lambda watched: found.append(explained(watched))), server.transaction() as tx:
            row = inbox.mail_by_id(tx.session, number)
            if row is not None:
                intake.receive(tx, row, message_of(row, tx.identity))
            raise _Undone
    except _Undone:
        return found[-1] if found else None


def explained(watched: Watched) -> Explained:
    """The rows of a mail that was received, in its transaction."""
    released = watched.released
    again = () if released is None else tuple(_rows(Watched(released.message, reading=released)))
    return Explained(watched.state, watched.note, tuple(_rows(watched)), again)


# the sender's own lines


def _rows(watched: Watched) -> Iterator[Row]:
    lines = watched.message.text.split("\n")
    fates = _OwnLines(watched)
    for number, text in enumerate(lines, 1):
        if text.strip():
            yield _row(number, text, fates.of(number, text))
    yield from _others(watched)


def _row(number: int | None, text: str, found: tuple[str, str, str, Fate, str]) -> Row:
    origin, meaning, target, fate, reason = found
    return Row(number, origin, meaning, target or "-", fate, reason, _shortened(text))


def _shortened(text: str) -> str:
    words = "".join(sign if sign.isprintable() else REPLACEMENT for sign in " ".join(text[: 10 * LONGEST].split()))
    return words if len(words) <= LONGEST else f"{words[: LONGEST - 3].rstrip()}..."


class _OwnLines:
    """The fates of the own lines of a mail."""

    def __init__(self, watched: Watched) -> None:
        self._watched = watched
        self._reading = watched.reading
        self._items: dict[int, list[Item]] = {}
        self._choice: dict[int, str] = {}
        self._end = 0
        if watched.reading is not None:
            self._place(watched.reading)

    def _place(self, reading: Reading) -> None:
        """Note which items are on which line, and for which game."""
        last: list[Item] = []
        game = reading.game
        at: dict[int, list[Item]] = {}
        for item in reading.whole.items:
            for number, _ in lines_of(item):
                at.setdefault(number, []).append(item)
        count = reading.message.text.count("\n") + 1
        ends = [item.line for item in reading.whole.items if reading.whole.below]
        self._end = max(ends, default=0)
        for number in range(1, count + 1):
            last = at.get(number, last)
            self._items[number] = last
            choosing = next((one for one in last if isinstance(one, CommandLine) and one.line == number), None)
            if choosing is not None and is_heading(choosing):
                game = str(choosing.args["game"]).strip("*_").lower()
            self._choice[number] = game
        kept = (*reading.kept.parsed.items, *reading.kept.doubtful)
        self._kept = {number for item in kept for number, _ in lines_of(item)}
        self._doubtful = {number for item in reading.kept.doubtful for number, _ in lines_of(item)}
        self._complaints = {item.line for item in reading.kept.parsed.items if isinstance(item, Complaint)}
        own = {(item.line, item.text) for item in reading.whole.items if not isinstance(item, PressBlock)}
        as_one = kept[:1] if len(kept) == 1 and isinstance(kept[0], PressBlock) else ()
        whole = any(one.body == reading.message.text.strip("\n") for one in as_one if isinstance(one, PressBlock))
        blocks = {item.line for item in reading.whole.items if isinstance(item, PressBlock)}
        known = any((item.line, item.text) in own or item.line in blocks for item in kept)
        self._foreign = whole or (bool(kept) and not known)
        deferred = reading.acted.deferred if reading.acted is not None else ()
        self._deferred = {number for item in deferred for number, _ in lines_of(item)}

    def of(self, number: int, text: str) -> tuple[str, str, str, Fate, str]:
        """Origin, meaning, target, fate and reason of a line."""
        items = self._items.get(number, [])
        if self._end and number > self._end:
            return "own", "-", "", *self._below_end(text)
        if not items or self._reading is None:
            return "own", "-", "", *self._whole_mail(text)
        found = [(meaning_of(item, number), item, *self._fate(item, number, text)) for item in items]
        if self._foreign and isinstance(self._reading.kept.parsed.items[0], PressBlock):
            found = [("press", *one[1:]) for one in found]
        meaning, item, origin, fate, reason = min(found, key=lambda one: _WEIGHT.index(one[3]))
        phase = getattr(item, "phase", None)
        target = f"{self._choice[number]} {phase.code if phase is not None else ''}".strip()
        return origin, meaning, target, fate, reason

    def _below_end(self, text: str) -> tuple[Fate, str]:
        reading = self._reading
        shown = reading.quoted.below_end(reading.ctx) if reading is not None and reading.acted is not None else ()
        return (Fate.QUOTE if text in shown or text.strip() in map(str.strip, shown) else Fate.TALK), "below-end"

    def _whole_mail(self, text: str) -> tuple[Fate, str]:
        """The fate of a line of a mail that was not acted on line by line."""
        watched = self._watched
        if watched.in_vain:
            return Fate.REFUSE, "answer"
        if watched.refused:
            return Fate.REFUSE, "whole-mail"
        if watched.answers:
            return Fate.ACT, "answer"
        if watched.digest is not None:
            astray = text in watched.digest.astray
            return (Fate.ASK, "which-game") if astray and watched.asked_game else (Fate.ACT, "elsewhere")
        if watched.state is InboxState.QUARANTINED:
            return Fate.ASK, "press-or-orders" if watched.doubted else "quarantined"
        return Fate.TALK, "ignored" if watched.state is InboxState.IGNORED else "lost"

    def _fate(self, item: Item, number: int, text: str) -> tuple[str, Fate, str]:
        """Origin, fate and reason of an item."""
        reading = self._reading
        if reading is None or (reading.acted is None and not self._foreign):
            return "own", *self._whole_mail(text)
        if self._foreign:
            return "own", *self._as_one(reading)
        if number not in dict(lines_of(item)):
            number = item.line
        if number not in self._kept:
            return self._taken_out(reading, item, text)
        if number in self._doubtful:
            return "own", Fate.ASK, "which-phase"
        if number in self._deferred:
            return "own", Fate.ASK, "confirm"
        if (reason := reading.refusals.get(number)) is not None:
            late = number in self._complaints and not isinstance(item, Complaint)
            illegal = isinstance(item, OrderLine) and reason == "refused"
            return "own", Fate.REFUSE, "too-late" if late else "illegal" if illegal else reason
        if isinstance(item, Talk):
            return self._talk(reading, item)
        if all(one.line != item.line for one in reading.given):
            return "own", Fate.REFUSE if self._watched.note else Fate.TALK, "limit" if self._watched.note else "lost"
        return "own", Fate.ACT, "done"

    def _as_one(self, reading: Reading) -> tuple[Fate, str]:
        """The fate of a mail that is one press message, or stands for one line."""
        if reading.acted is None:
            return self._whole_mail("")
        (first, *_) = reading.kept.parsed.items
        press = isinstance(first, PressBlock | Complaint)
        if reason := reading.refusals.get(first.line):
            return Fate.REFUSE, reason
        return Fate.ACT, "done" if press else "answer"

    def _taken_out(self, reading: Reading, item: Item, text: str) -> tuple[str, Fate, str]:
        headings = reading.quoted.headings
        if text in reading.found or item.text in reading.found:
            return "other", Fate.QUOTE, "quoted-press"
        if text in reading.changed or item.text in reading.changed:
            return "own", Fate.QUOTE, "changed-in-quotation"
        if headings is not None:
            if text.strip() in {line for lines in headings.astray.values() for line in lines}:
                return "own", Fate.REFUSE, "other-game"
            if text in headings.unplaced:
                return "own", Fate.ASK, "which-game"
            if self._choice[item.line] != reading.game.lower() or isinstance(item, CommandLine):
                said = headings.astray and self._choice[item.line] in headings.astray
                return "own", *((Fate.REFUSE, "other-game") if said else (Fate.ACT, "elsewhere"))
        return "ours", Fate.OURS, "our-lines"

    def _talk(self, reading: Reading, item: Talk) -> tuple[str, Fate, str]:
        if item.unfilled:
            return "ours", Fate.OURS, "unfilled-form"
        if item.blank:
            return "own", Fate.TALK, "heading"
        shown, reason = self._shown_back(reading, item)
        silent = bool(self._watched.note) and not self._watched.answers
        if shown and silent:
            return "own", Fate.TALK, "unanswered"
        return "own", Fate.QUOTE if shown else Fate.TALK, reason

    def _shown_back(self, reading: Reading, item: Talk) -> tuple[bool, str]:
        if item.mentions_board:
            return True, "like-an-order" if item.reason else "mentions-board"
        ctx, acted = reading.ctx, reading.acted
        nothing = acted is not None and not acted.asked
        if nothing and reading.quoted.writers:
            return True, "to-nobody"
        if ctx.game is not None and ctx.seat is not None and _addressee(item.text, ctx.game.lexicon_of(ctx.seat)):
            return True, "to-nobody"
        if reading.answers_nothing:
            return True, "answers-nothing"
        return False, "plain"


def meaning_of(item: Item, number: int) -> str:
    """What a line of an item says."""
    match item:
        case OrderLine():
            return "order"
        case CommandLine():
            if number != item.line:
                return "order"
            return "question" if COMMANDS[item.name].syntax.asks else "command"
        case PressBlock():
            return "press"
        case Complaint():
            return "complaint"
    return "blank" if item.blank else "talk"


# the other lines


def _others(watched: Watched) -> Iterator[Row]:
    reading, message = watched.reading, watched.message
    if reading is not None:
        yield from _in_subject(reading)
    yield from _quoted(watched)
    apart = set[str]()
    if reading is not None and reading.acted is not None:
        asking = (item for item in items_in(reading.ctx, message.apart) if not isinstance(item, Talk | Complaint))
        apart = {text.strip() for item in asking for _, text in lines_of(item)}
    for text in message.apart:
        if text.strip():
            fate = Fate.QUOTE if text.strip() in apart else Fate.TALK
            yield _row(None, text, ("apart", "-", "", fate, "apart"))
    for text in message.left_out:
        if text.strip():
            kind = "undecodable" if REPLACEMENT in text else "struck"
            yield _row(None, text, (kind, "-", "", Fate.QUOTE, kind))
    for name in message.unread:
        yield _row(None, name, ("apart", "-", "", Fate.QUOTE, "attachment"))


def _in_subject(reading: Reading) -> Iterator[Row]:
    asked = reading.acted is None or reading.acted.asked
    if not asked and in_subject(reading.ctx, reading.message):
        yield _row(None, reading.message.subject, ("subject", "-", "", Fate.QUOTE, "in-subject"))


def _quoted(watched: Watched) -> Iterator[Row]:
    reading, lines = watched.reading, watched.message.quoted
    introductions = Introductions([Line(text, 0, text) for text in lines])
    ours = _ours(reading, lines)
    meanings = _meanings(reading, lines)
    doubtful, signed, introduced = set(watched.message.doubtful), False, 0
    above = ("other", Fate.TALK, "quoted")
    for at, text in enumerate(lines):
        if not text.strip():
            continue
        introduced = max(introduced, 0 if at in ours else introductions.below(at))
        signed = (signed and text.strip() in doubtful) or text.strip() == "--"
        origin, fate, reason = "other", Fate.TALK, "quoted"
        if _REPLY_ABOVE.fullmatch(text):
            origin, fate, reason = "program", Fate.OURS, "reply-above"
        elif at in ours:
            origin, fate, reason = "ours", Fate.OURS, "our-lines"
        elif at < introduced:
            origin, fate, reason = "program", Fate.OURS, "attribution"
        elif DEVICE.fullmatch(text.strip()[:200]):
            origin, fate, reason = "program", Fate.OURS, "device"
        elif signed:
            origin, fate, reason = "signature", Fate.OURS, "signature"
        elif not words_of(text):
            origin, fate, reason = above
        above = origin, fate, reason
        meaning = meanings.get(at, "-") if origin == "other" else "-"
        if reading is not None and text.strip() in reading.meant:
            meaning = meanings.get(at, "-")
            fate, reason = Fate.QUOTE, "quoted-prose" if text.strip() in reading.prose else "quoted-order"
        yield _row(None, text, (origin, meaning, "", fate, reason))


def _ours(reading: Reading | None, lines: Sequence[str]) -> set[int]:
    """Which of the quoted lines we wrote."""
    if reading is None or not lines:
        return set()
    new = set(reading.quoted.ours.edited(lines))
    return {at for at, text in enumerate(lines) if text not in new and words_of(text)}


def _meanings(reading: Reading | None, lines: Sequence[str]) -> dict[int, str]:
    if reading is None:
        return {}
    return {item.line - 1: meaning_of(item, item.line) for item in items_in(reading.ctx, lines)}
