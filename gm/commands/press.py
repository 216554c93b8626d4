"""PRESS, BROADCAST, OFFICIAL and DIARY: texts to other players, or kept private until the game is over."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from gm.board import Power
from gm.commands.context import Context
from gm.commands.declaration import About, Command, Help, Policy, Sentences, Syntax, Text, Who
from gm.errors import GmError, NotNow, NotPermitted, NotUnderstood
from gm.games.bounds import Bound
from gm.games.composing import envelope_to
from gm.games.digests import held_until
from gm.games.limits import Spent
from gm.games.report_inputs import game_facts, reader_of
from gm.games.snapshot import Game, Seat
from gm.mail.message.addresses import mailto
from gm.play import conversations, press_rules
from gm.play.ending import is_remark
from gm.play.seat_addresses import redact
from gm.reports import listed, quote
from gm.reports.press_mails import ANONYMOUS, Correspondent, PressMail
from gm.reports.render import render
from gm.store import records
from gm.store.game_rows import SeatRole
from gm.store.records import PressRow


def act_press(ctx: Context, args: Mapping[str, Any]) -> None:
    """Deliver press from the sender's seat to the powers named, to `ALL` or to the `GM`.

    `grey` press does not name its sender; `postal` press waits for the next report.
    """
    game, seat = ctx.seated()
    to = (args["to"],) if isinstance(args["to"], str) else tuple(args["to"])
    manner: frozenset[str] = args["manner"]
    receivers, addressed = _receivers(game, seat, to, manner), _addressed(game, seat, to)
    _check_manner(game, seat, manner)
    body, leaked = readable(ctx, args["body"])
    if "postal" in manner:
        require_room(ctx, seat, game.phase_id, body)
    shown = tuple(_named(game, name, seat) for name in to)
    to = tuple(_named(game, name) for name in to)
    row = records.add_press(
        ctx.tx.session,
        game_id=game.id,
        phase_id=game.phase_id,
        from_seat_id=seat.id,
        to=to,
        readers=(one.id for one in receivers),
        body=body,
        now=ctx.now,
        manner=" ".join(sorted(manner)) or None,
    )
    if "postal" not in manner:
        _deliver(ctx, row, receivers, seat)
        ctx.tx.charge_mails(game, addressed, (body,))
    names = ", ".join("all" if name == "ALL" else name for name in shown)
    kind = "Grey press" if "grey" in manner else "Press"
    done = f"to {names} will be sent with the next report" if "postal" in manner else f"sent to {names}"
    ctx.say(f"{kind} {done}{_but_not(game, seat, to, manner)}.")
    if leaked:
        ctx.say("The text held a seat's address. It was removed, and its player receives a new one.")


def require_room(ctx: Context, seat: Seat, phase_id: int | None, body: str) -> None:
    """Raises NotNow if more of a seat's words would wait for the report of this phase than it is to have."""
    waits = records.length_of_postal(ctx.tx.session, seat.id, phase_id)
    Bound.WAITING.check(waits + len(body), "Send this at once, or with the report after the next.")


def keep_private(ctx: Context, body: str) -> None:
    """Keep a text in the diary of the sender at their seat, or among their notes. Raises NotNow if it is full."""
    game, seat = ctx.seated()
    whose, phase_id = {"seat_id": seat.id, "account_id": ctx.known().id}, game.phase_id
    length = records.length_of_diary(ctx.tx.session, **whose, phase_id=phase_id) + len(body)
    Bound.DIARY.check(length, "There is room again in the next phase.")
    records.add_diary_entry(ctx.tx.session, **whose, phase_id=phase_id, body=body, now=ctx.now)


def _but_not(game: Game, sender: Seat, to: Collection[str], manner: Collection[str]) -> str:
    """Who is written to and will not get it; nothing of a seat that is secret."""
    others = [seat for seat in game.seats if seat.id != sender.id and is_for(to, seat)]
    unwilling = [seat for seat in others if seat.deputy_of is None and does_not_want(seat, sender, manner)]
    names = [str(seat.power) for seat in unwilling if seat.power is not None and not game.is_secret(seat)]
    return f", but not to {listed(names)}, where press from you is stopped" if names else ""


def _deliver(ctx: Context, press: PressRow, receivers: Sequence[Seat], sender: Seat) -> None:
    """Send the press to each of these seats. A reply goes to its sender; of anonymous press it is asked back."""
    game, _ = ctx.seated()
    facts, tx = game_facts(game), ctx.tx
    for receiver in (game.seat(one.id) for one in receivers):  # as it is now: the text may have contained its address
        if not receiver.serves(tx.now):
            continue
        manners = () if game.principal(sender).id == receiver.id else press.manners  # a player knows their deputy
        answers = _answers(ctx, game, press, receiver, sender, grey="grey" in manners)
        held = held_until(tx.identity, game, receiver, tx.now)
        mail = PressMail(
            game=facts,
            reader=reader_of(tx.identity, receiver.person, game, receiver, ctx.now),
            sender=signature(game.principal(sender), manners),
            colleague=_colleague(sender, receiver),
            by_deputy=sender.deputy_of is not None and "grey" not in manners,
            to=tuple(press.to),
            text=press.body,
            phase=game.position.phase if game.position is not None else None,
            deadline=game.due_at if game.running and held is None else None,  # a digest says when it is by then
            answers=tuple(Correspondent(name, partial(mailto, one), one) for name, one in answers.items()),
        )
        rendered, envelope = render(mail), envelope_to(tx.identity, game, receiver, f"press:{press.id}:{receiver.id}")
        envelope = replace(
            envelope,
            thread=f"{receiver.id} {mail.subject}",
            reply_to=next(iter(answers.values()), envelope.reply_to),
            held_until=held,
        )
        power = game.principal(sender).power
        if power and receiver.role is SeatRole.PLAYER and "grey" not in manners:
            envelope = replace(envelope, ends=f"STOP PRESS FROM {power}")
        tx.post(rendered, envelope, counted=True)


def _answers(ctx: Context, game: Game, press: PressRow, reader: Seat, sender: Seat, *, grey: bool) -> Mapping[str, str]:
    """Who can be written to, in words, with the address for that: the sender first, then all who have received it;
    no address, if the reader may not write to the sender.
    """
    writer = conversations.GREY if grey else _recipient(sender, reader)
    to_master_only = game.options.press == "none" or reader.role is SeatRole.OBSERVER
    if to_master_only and writer != conversations.GM and not reader.moderates:
        return {}
    own = conversations.GM if reader.moderates else conversations.by_seat(reader)
    everybody = [name for name in dict.fromkeys((*(() if grey else (writer,)), *press.to)) if name != own]
    if conversations.EVERYBODY in press.to:
        everybody = [conversations.EVERYBODY]
    ways: tuple[Sequence[str], ...] = ([writer], everybody)
    if everybody == [writer] or not everybody or to_master_only:
        ways = ([writer],)
    within = "your deputy" if reader.deputy_of is None else "the player"
    ways = tuple(way for way in ways if grey or all(press_rules.may_write(game, reader, name) for name in way))
    names = {within if list(to) == [own] else named(game, to, reader): to for to in ways}
    found = conversations.addresses(ctx.tx.identity, game, reader, names)
    return {name: address for name, address in found.items() if address}


def _recipient(seat: Seat, reader: Seat) -> str:
    """The holder of a seat as a recipient of this reader's: gamemasters write to each other, others to all of them."""
    return conversations.GM if seat.moderates and not reader.moderates else conversations.by_seat(seat)


def named(game: Game, to: Iterable[str], reader: Seat) -> str:
    """The recipients in words."""
    return listed(["all" if name == conversations.EVERYBODY else _named(game, name, reader) for name in to])


def _named(game: Game, name: str, reader: Seat | None = None) -> str:
    """A recipient as it is shown, to this reader or (None) to all."""
    if name == conversations.GREY:
        return ANONYMOUS
    seat = conversations.seat_named(game, name)
    return (_colleague(seat, reader) or signature(seat, ())) if seat is not None else name


def _colleague(seat: Seat, reader: Seat | None) -> str:
    """Which gamemaster or assistant holds a seat, for another one; "" for others, to whom all of them are the GM."""
    if reader is None or not (reader.moderates and seat.moderates) or seat.person is None:
        return ""
    return seat.holder


def readable(ctx: Context, text: str) -> tuple[str, bool]:
    """A text for others as `redact` leaves it. Raises NotNow for one that is too long."""
    Bound.TEXT.check(len(text), "Shorten it.")
    return redact(ctx.tx, text, f"leaked:{ctx.key}", ctx.person)


def _check_manner(game: Game, sender: Seat, manner: Collection[str]) -> None:
    """Raises NotPermitted for grey press where it is not allowed, NotNow for postal press if there is no next
    report.
    """
    if "grey" in manner and game.options.press != "grey":
        raise NotPermitted(f"There is no grey press in {game.name}.", "Write PRESS TO; it is signed with your power.")
    if "grey" in manner and sender.role not in (SeatRole.PLAYER, SeatRole.DEPUTY):
        raise NotPermitted("Only players can send grey press.", "Write PRESS TO instead; it is signed.")
    if "postal" in manner and not game.running:
        raise NotNow(f"The game {game.name} is {game.state}.", "Use PRESS TO, which is sent at once.")


def act_official(ctx: Context, args: Mapping[str, Any]) -> None:
    """Send the gamemaster's announcement to everybody."""
    body, _ = readable(ctx, args["body"])
    game, seat = ctx.seated()
    words = ("The gamemaster announces:", *(part.strip("\n") for part in body.split("\n\n") if part.strip()))
    purpose = f"official:{ctx.key}:{len(ctx.answer.done)}"
    ctx.tx.tell(game, game.all_but(seat), "an announcement of the gamemaster", words, purpose)
    ctx.say("Your announcement was sent to everybody.")
    records.announce(ctx.tx.session, game.id, body, ctx.now)
    ctx.note("official", text=body)


def _receivers(game: Game, sender: Seat, to: Sequence[str], manner: Collection[str]) -> list[Seat]:
    """The seats to which a block is sent. Raises NotPermitted if the game has no press, NotUnderstood for unknown
    names.
    """
    to_players = any(name != "GM" for name in to)
    if to_players and sender.role is SeatRole.OBSERVER:
        raise NotPermitted("Observers can only write to the gamemaster.", "Write PRESS TO GM.")
    if to_players and game.options.press == "none" and not sender.moderates:
        raise NotPermitted(f"The game {game.name} is played without press.", "PRESS TO GM writes to the gamemaster.")
    press_rules.check(game, sender, list(to))
    found = _addressed(game, sender, to)
    if not found:
        raise NotUnderstood("This press is addressed to yourself only.", "Name another power, ALL or GM.")
    wanted = [seat for seat in found if not does_not_want(game.principal(seat), sender, manner)]
    if not wanted and not any(map(game.is_secret, found)):
        raise NotNow(
            f"{', '.join(_named(game, name) for name in to)} does not want press from you.",
            "PRESS TO GM reaches the gamemaster.",
        )
    return wanted if sender.deputy_of is None else [*wanted, game.principal(sender)]


def _addressed(game: Game, sender: Seat, to: Sequence[str]) -> list[Seat]:
    """The seats that these names mean, and their deputies. Raises NotUnderstood for unknown names."""
    found: dict[int, Seat] = {}
    for name in to:
        chosen = game.seats if name == "ALL" else game.moderators if name == "GM" else (_seat(game, sender, name),)
        found |= {seat.id: seat for seat in (*chosen, *game.deputies_of(*chosen)) if seat.id != sender.id}
    return list(found.values())


def refusal(game: Game, sender: Seat, to: Sequence[str]) -> GmError | None:
    """Why press from this seat to these powers would be refused now; None if it would be sent. Whatever offers press,
    asks this.
    """
    try:
        _receivers(game, sender, to, ())
    except GmError as error:
        return error
    return None


def _seat(game: Game, sender: Seat, name: str) -> Seat:
    seat = game.seat_of(Power(name)) or conversations.seat_named(game, name)
    if seat is None:
        who = "the recipient of this address" if name.startswith("#") else f"'{name}'"
        raise NotUnderstood(f"Nobody plays {who} in {game.name}.", "Name powers of this game, ALL or GM.")
    if seat.person is None and not game.is_secret(seat):
        problem = f"The seat of {_named(game, name)} is vacant, so nobody reads there."
        gives = f"REPLACE {_named(game, name)} WITH address gives it a player."
        raise NotUnderstood(problem, gives if sender.moderates else "PRESS TO GM writes to the gamemaster.")
    return seat


PRESS = Command(
    "press",
    Syntax(
        examples=("PRESS TO France, Italy\nyour text\nENDPRESS",),
        elsewhere=("message", "msg", "tell"),
        below=Text("press", addressed=True, mannered=True),
    ),
    Policy(Who.SEATED, by_deputies=True, cost=5, spends=(Spent.MAILS, Spent.BYTES), about=(About.WORDS,)),
    act_press,
    Help(
        "write to other players, to ALL or to the GM",
        """
        The text between the two lines is sent unchanged and signed with your
        power; your address is not shown. Answer press by replying to it: the
        whole reply goes to its writer, with no ENDPRESS, and no line of it is
        an order. To leave somebody out, write PRESS TO ALL BUT Italy. GREY
        PRESS TO is anonymous, in games that allow it (see STATUS). POSTAL
        PRESS TO is sent with the next report. What is written to ALL is
        public: observers read it, and the gallery may show it. In some games
        one writes to neighbours only, or not in retreats and builds (STATUS).
        """,
        words=("ENDPRESS",),
    ),
)
BROADCAST = Command(
    "broadcast",
    Syntax(examples=("BROADCAST\nyour text\nENDPRESS",), below=Text("press", mannered=True)),
    PRESS.policy,
    act_press,
    Help("write to everybody", "The same as PRESS TO ALL; also GREY BROADCAST and POSTAL BROADCAST."),
)
OFFICIAL = Command(
    "official",
    Syntax(examples=("OFFICIAL\nyour text\nENDOFFICIAL",), elsewhere=("notice",), below=Text("official")),
    Policy(Who.MASTER, by_assistants=True, cost=5, spends=(Spent.MAILS, Spent.BYTES), about=(About.WORDS,)),
    act_official,
    Help(
        "announce something as the gamemaster",
        """
        Sent to everybody, observers too, and kept in the LOG. It is public:
        STATUS, EXPORT and the gallery show it.
        """,
    ),
)


def act_diary(ctx: Context, args: Mapping[str, Any]) -> None:
    """Add an entry to the diary of the sender's seat, or show it to the sender."""
    if "body" not in args:
        _show_diary(ctx)
        return
    game, _ = ctx.seated()
    if game.over:
        raise NotNow(f"The game {game.name} is {game.state}.", "Its diaries are published; SUMMARY shows them.")
    body, _ = readable(ctx, args["body"])
    keep_private(ctx, body)
    ctx.say("Added to your diary. Only you can read it until the game is over.")


def _show_diary(ctx: Context) -> None:
    game, seat = ctx.seated()
    entries = records.diary_of(ctx.tx.session, seat.id, ctx.known().id)
    if not entries:
        ctx.say("Your diary is empty. Write DIARY, your text below it, and ENDDIARY.")
        return
    text = "\n\n".join(f"{entry.written_at:%d %b %Y}\n{quote(entry.body)}" for entry in entries)
    ctx.show(f"Your diary in {game.name}", text)


DIARY = Command(
    "diary",
    Syntax(
        "DIARY list:LIST",
        ("DIARY\nyour text\nENDDIARY", "DIARY LIST"),
        sentences=Sentences.UNLESS_EXACT,
        below=Text("diary", instead=("list",)),
    ),
    Policy(Who.PLAYER),
    act_diary,
    Help(
        "keep a diary that is published when the game is over",
        """
        Until then only you can read it, with DIARY LIST; not even the
        gamemaster can, nor whoever plays your power after you. A game whose
        end has opened a diary does not go on.
        """,
    ),
)


# recipients and signatures


def signature(seat: Seat, manner: Collection[str]) -> str:
    """The signature of press from this seat; grey press has none."""
    if "grey" in manner:
        return ANONYMOUS
    if seat.deputy_of is not None:
        return f"{seat.power} (by a deputy)"
    return "GM" if seat.moderates else seat.power or ("an observer" if seat.role is SeatRole.OBSERVER else "a player")


def deferred_press(written: Iterable[PressRow], game: Game, seat: Seat) -> tuple[tuple[str, str], ...]:
    """The postal press for this seat among the press of a phase, as heading and text, in the same order."""
    by_id = {one.id: one for one in game.seats}
    letters = []
    for press in written:
        sender = by_id.get(press.from_seat_id)
        if "postal" not in press.manners or sender is None or is_remark(press, game):
            continue
        copied = game.principal(sender).id == seat.id
        if not copied and not is_for(press.to, seat):
            continue
        if sender.id == seat.id or does_not_want(game.principal(seat), sender, press.manners):
            continue
        to = ", ".join("all" if name == "ALL" else name for name in press.to)
        letters.append((f"Press from {signature(sender, () if copied else press.manners)} to {to}", press.body))
    return tuple(letters)


def does_not_want(reader: Seat, sender: Seat, manner: Collection[str]) -> bool:
    """Whether the reader has stopped press that is signed like this; grey press and a gamemaster's always come."""
    return "grey" not in manner and sender.power in reader.muted


def is_for(to: Collection[str], seat: Seat) -> bool:
    """Whether press that is written to these recipients now goes to this seat."""
    return not {"ALL", seat.power, "GM" if seat.moderates else None}.isdisjoint(to)
