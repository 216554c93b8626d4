"""Writes the receipt, the single reply to a mail; who pays for what the mail causes; and error reports to operator and
gamemasters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial

from gm.commands.context import Context, Mail
from gm.commands.correcting import YOUR_WORDS
from gm.commands.help import plays_nothing, ways_in, welcome
from gm.errors import GmError
from gm.games.composing import Answering, Envelope, composed, composed_for, root_of
from gm.games.limits import CERTAIN, Allowance, Budget, OverLimit, Payer, Per, Spent, mailbox, moment
from gm.games.ordered import view_of_orders
from gm.games.report_inputs import game_facts, reader_of
from gm.games.snapshot import Game, Person
from gm.games.transaction import RECEIPT, Transaction
from gm.inbound import seat_state
from gm.inbound.acting import said_beside
from gm.inbound.contents import message_of
from gm.inbound.facts import is_commanded
from gm.inbound.identification import AT_OWN_SEAT, Identified, Standing
from gm.inbound.limited import without_limited
from gm.inbound.plain_answers import declined, is_answer
from gm.inbound.telling import (
    ask_which_block,
    in_subject,
    lines_in_doubt,
    meant_lines,
    refused_lines,
    signed_with,
    talk_lines,
    unfilled_line,
)
from gm.inbound.wishes.beside_orders import beside_orders
from gm.inbound.wishes.passed_over import explains, say_of_passed
from gm.inbound.wishes.plain_questions import questions_in
from gm.inbound.wishes.question_answers import answer_questions, how_to_accept, show_games
from gm.inbound.wishes.talk import only_chats
from gm.mail.message.addresses import hidden
from gm.mail.message.compose import Attachment
from gm.mail.message.incoming import Message
from gm.mail.message.trace import Authenticity, organization_of
from gm.orders.notation import write
from gm.parsing.lexicon import shorten
from gm.parsing.message import Talk
from gm.play import conversations
from gm.play.pictures import inline_map, wants_map
from gm.reading.line import Lines, Origin, Reason, asks_anything, commands, for_reasons, has_unread, settled
from gm.reading.origin import Sources
from gm.reports import listed
from gm.reports import moment as moment_in
from gm.reports.answers import Receipt, Refusal, Trouble
from gm.reports.game_mails import Map
from gm.reports.render import MailKind, Rendered, render
from gm.reports.standing_orders import StandingOrders
from gm.store import inbox, outbox
from gm.store.inbox import InboxRow

# the receipt

_TOGETHER, _TOGETHER_LATER = timedelta(minutes=10), timedelta(hours=1)
"""For how long the mails of somebody who is not answered each time are answered in one: within an hour in which there
were many, and within a day."""


@dataclass(frozen=True, slots=True)
class Remarks:
    """What an answer says beside what became of the lines: what is wrong with the mail, what waits for an answer, what
    is about no error, and what stands beside commands that were done.
    """

    faults: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()


def worked_on(
    ctx: Context, message: Message, lines: Lines, sources: Sources, act: Callable[[Lines], Lines], *, letter: bool
) -> tuple[Lines, Remarks]:
    """Act on a mail's lines, and answer what it asks in its sender's own words, unless all of it is a letter. Returns
    all its lines, and what the receipt says beside of them.
    """
    answers = is_answer(ctx, message)
    has_more = any(line.is_talk or line.texts[1:] for line in lines)
    lines = without_limited(ctx, lines) if has_more and ctx.guesses and not letter else lines
    unread = not (letter or answers) and has_unread(lines)
    instead_of = declined(ctx, message) if unread else ()
    given, questions = questions_in(ctx, lines, instead_of) if unread else (lines, ())
    answers = answers or bool(instead_of and not questions)
    acted = _explaining(ctx, act(given))
    offered, explained, beside = answer_questions(ctx, questions, acted) if questions else ((), (), ())
    acted, said = said_beside(ctx, message, acted, sources, beside_orders)
    notes = say_of_passed(ctx, acted) if has_unread(acted) and not answers else ()
    if is_commanded(ctx, acted) or (notes and explains(ctx, acted, for_reasons(acted, Reason.PASSED))):
        notes, beside = (), (*beside, *notes)
    offered = (*offered, *how_to_accept(ctx)) if offered else ()
    return acted, Remarks(said, offered, (*explained, *notes), beside)


def _explaining(ctx: Context, acted: Lines) -> Lines:
    """The lines, of a gamemaster's mail with commands those that only mention units as sentences of any kind: who runs
    a game orders by ORDERS FOR.
    """
    if not (ctx.at_chair and is_commanded(ctx, acted)):
        return acted
    mentions = for_reasons(acted, Reason.MENTIONS)
    mere = [line for line in mentions if isinstance(line.meaning, Talk) and not line.meaning.reason]
    return tuple(settled(line, Reason.PASSED) if line in mere else line for line in acted)


def answer(who: Identified, lines: Lines, remarks: Remarks = Remarks()) -> str:
    """Put the receipt into the outbox: what became of the lines, and these remarks. Returns a note for the inbox row,
    "" in the usual case.
    """
    which = tuple(filter(None, (ask_which_block(who.ctx, lines),)))
    remarks = replace(remarks, waiting=(*remarks.waiting, *which))
    doubt = lines_in_doubt(who.ctx, lines)
    if not (doubt or remarks.waiting):
        remarks = replace(remarks, beside=(*remarks.beside, *_how_to_accept(who.ctx)))
    receipt = _receipt(who, lines, remarks, doubt)
    asks = _only_asks(who.ctx, receipt)
    note = "asked to confirm it" if asks else _reply(who, partial(render, receipt), proposes=doubt)
    _copy_to_player(who.ctx)
    return note


def _how_to_accept(ctx: Context) -> tuple[str, ...]:
    """What is said of YES where exactly one thing is offered that the mail may have meant."""
    if len(ctx.proposes) != 1:
        return ()
    lines = ctx.proposes[0].replace("\n", " / ")
    if len(ctx.open_offers) > 1:
        return (f"Reply with YES to send {shorten(lines)!r}.",)
    why = "and BECAUSE with your reason below it, " if YOUR_WORDS in lines else ""
    return (f"Reply with YES {why}to do this:",)


def _only_asks(ctx: Context, receipt: Receipt) -> bool:
    """Whether nothing is to be said of a mail but that it waits for answers of its sender: the questions, which are in
    reply to it, say that themselves. The holder of a seat with orders always learns where that stands.
    """
    if not receipt.waiting or receipt.waiting != ctx.answer.asked or ctx.answer.attachments:
        return False
    beside = replace(receipt, game=None, phase="", stands=(), next=(), waiting=(), apart=False)
    return beside == Receipt(receipt.reader, receipt.answered)


def answer_together(who: Identified, silent: OverLimit) -> str:
    """Answer the mails of the same minutes in one, at the end of these minutes, where the holder of a seat in a running
    game has had as many answers as a limit allows: every mail to a seat is answered. Returns the note for the inbox
    row.
    """
    ctx, game, tx = who.ctx, who.ctx.game, who.ctx.tx
    if game is None or ctx.seat is None or not game.running or tx.allowance.payer is not Payer.SEAT:
        return f"not answered: {silent.problem}"
    span = _TOGETHER_LATER if silent.budget.span == timedelta(days=1) else _TOGETHER
    window = int(tx.now.timestamp() // span.total_seconds()) + 1
    purpose = f"{RECEIPT}together:{ctx.seat.id}:{span.seconds}:{window}"
    outbox.replace_unsent(tx.session, purpose, tx.now)
    at = datetime.fromtimestamp(window * span.total_seconds(), UTC)
    rendered, envelope = _written_for(who, partial(_together, who, at - span), purpose)
    queued = composed(tx.identity, tx.now, rendered, replace(envelope, proposes=()))  # it shows no lines to send
    tx.queue(replace(queued, urgent=False, not_before=at))
    tx.allowance.charge(silent.budget.of)
    return f"{inbox.ANSWERED_IN_ONE}: {silent.problem}"


def _together(who: Identified, since: datetime) -> Rendered:
    ctx, game, seat = who.ctx, who.ctx.game, who.ctx.seat
    row = inbox.mail_by_id(ctx.tx.session, who.mail.id)
    before = inbox.answered_in_one(ctx.tx.session, row, since) if row is not None else ()
    mails = [*((one.received_at, message_of(one, ctx.tx.identity)) for one in before), (ctx.now, who.mail.message)]
    zone = ctx.tx.identity.zone_of(ctx.person, game)
    standing = seat_state.orders_of(ctx, game, seat) if game and seat else None
    receipt = Receipt(
        reader=ctx.reader(),
        game=game_facts(game) if game is not None else None,
        standing=standing,
        changed=ctx.answer.changed is not None,
        stands=seat_state.sentences_of(ctx, game, seat) if game and seat and standing is None else (),
        next=seat_state.next_for(ctx, game, standing) if game is not None else (),
        phase=game.code if game is not None else "",
        notes=_named([(moment_in(at, zone), message) for at, message in mails]),
        together=True,
    )
    return render(receipt)


def _named(mails: Sequence[tuple[str, Message]]) -> tuple[str, ...]:
    """A sentence for each of these mails, with its moment and the first line that no other has; those that say the same
    in one. A mail without text is known by its subject.
    """
    texts = [tuple(filter(None, map(str.strip, one.text.split("\n")))) or (one.subject,) for _, one in mails]
    times = Counter(line for lines in {*texts} for line in {*lines})
    found = dict[str, dict[str, None]]()
    for (at, _), lines in zip(mails, texts, strict=True):
        name = next((line for line in lines if times[line] == 1), lines[0])
        found.setdefault(shorten(name), {})[at] = None
    return tuple(f"Your mail{'s' if len(of) > 1 else ''} of {listed(of)}: {name!r}." for name, of in found.items())


def refuse(who: Identified, error: GmError, once: str = "") -> str:
    """Reply that nothing could be done, and why; with `once`, only to the first mail of all for which that is the same.
    Returns a note as `answer` does.
    """
    who.ctx.tx.allowance.charge(Spent.ANSWERS)
    return _reply(who, partial(_refusal, who.ctx, who.mail, error), once)


def send_reply(ctx: Context, mail: Mail, written: MailKind, reply_to: str) -> None:
    """Send a reply that is in no game's thread."""
    answering = Answering(mail.message.message_id, tuple(mail.message.references))
    ctx.tx.post(render(written), Envelope(f"{RECEIPT}{mail.id}", ctx.sender, reply_to, answering=answering))


def _reply(who: Identified, written: Callable[[], Rendered], once: str = "", proposes: str = "") -> str:
    rendered, envelope = _written_for(who, written, f"{RECEIPT}{once or who.mail.id}")
    offers = (proposes,) if proposes else envelope.proposes  # YES is for what it says
    vouched = not offers or (who.proof is Authenticity.PASS and who.ctx.vouched)
    envelope = replace(envelope, proposes=offers, vouched=vouched)
    who.ctx.tx.post(rendered, envelope, (*who.ctx.answer.attachments, *_moved_deadlines(who.ctx)))
    return ""


def _written_for(who: Identified, written: Callable[[], Rendered], purpose: str) -> tuple[Rendered, Envelope]:
    """A reply to the mail, and where it goes."""
    ctx, mail = who.ctx, who.mail
    rendered, game = written(), ctx.game
    talks = conversations.address(ctx.tx.identity, game, ctx.seat, who.to) if game and ctx.seat and who.to else ""
    begun = (root_of(ctx.tx.identity, game.name),) if game is not None and ctx.seat is not None and not talks else ()
    envelope = Envelope(
        purpose=purpose,
        recipient=ctx.sender,
        reply_to=talks or ctx.reader().reply_to,
        game=game.name if game is not None else None,
        answering=Answering(mail.message.message_id, tuple(mail.message.references) or begun),
        to_stranger=who.standing is Standing.STRANGER and ctx.person is None,
        seat=ctx.seat.id if ctx.seat is not None else None,
        phase=game.running_phase_id if game is not None else None,
        proposes=ctx.proposes,
    )
    return rendered, envelope


def _moved_deadlines(ctx: Context) -> Iterator[Attachment]:
    """The calendar files of all games of the sender of which the mail has moved the deadline, one of each."""
    about = ctx.game
    for game in ctx.tx.held():
        mine = (ctx.seat,) if about is not None and game.id == about.id else game.seats_of(ctx.person)
        for seat in [seat for seat in mine if seat is not None][:1]:
            files = ctx.tx.new_deadline(game, seat).get(seat.id, ())
            other = about is None or game.id != about.id
            yield from (replace(file, name=f"{game.name}-{file.name}") if other else file for file in files)


def _receipt(who: Identified, lines: Lines, remarks: Remarks, doubt: str) -> Receipt:
    ctx, message = who.ctx, who.mail.message
    game, seat = ctx.game, ctx.seat
    changed = ctx.answer.changed is not None
    shown = [one.name for one in commands(lines)] == ["myorders"]  # it is what the answer ends with already
    ends = game is not None and seat is not None and not who.to and not shown  # an answer to press goes to players
    standing = seat_state.orders_of(ctx, game, seat) if game and seat and (ends or changed) else None
    receipt = Receipt(
        reader=ctx.reader(),
        answered=hidden(message.subject, *ctx.tx.identity.addresses) if game is None or who.to else "",
        game=game_facts(game) if game is not None else None,
        standing=standing,
        changed=changed,
        stands=seat_state.sentences_of(ctx, game, seat) if game and seat and ends and standing is None else (),
        map=_map_of(ctx, standing),
        done=ctx.answer.done,
        heading=ctx.answer.heading,
        made=ctx.answer.made,
        waiting=remarks.waiting,
        apart=bool(remarks.waiting) and {*remarks.waiting} <= {*ctx.answer.asked},
        refused=tuple(sorted((*refused_lines(lines), *ctx.answer.refused), key=lambda line: line.number)),
        late=ctx.answer.kept_late,
        lines_late=len(refused_lines(for_reasons(lines, Reason.TOO_LATE))) if ctx.answer.kept_late else 0,
        talk=talk_lines(ctx, lines),
        meant=bool(for_reasons(lines, Reason.OFFERED)),
        quoted=meant_lines(lines, Origin.QUOTED),
        doubtful=meant_lines(lines, Origin.DOUBTFUL),
        may_be_sent=doubt,
        faults=(*message.faults, *remarks.faults, *(() if asks_anything(lines) else in_subject(ctx, message))),
        notes=remarks.notes,
        beside=remarks.beside,
        parts=ctx.answer.parts,
        answers=ctx.open_offers,
        next=seat_state.next_for(ctx, game, standing, lines) if game is not None and ends else (),
        phase=game.code if game is not None and game.running else "",
        unfilled=unfilled_line(lines),
        elsewhere=any(not line.is_heading for line in for_reasons(lines, Reason.ELSEWHERE)),
        chats=not asks_anything(lines) and only_chats(ctx, lines),
    )
    if receipt.doubtful and ctx.person is not None:
        receipt = replace(receipt, signed=signed_with(lines, ctx.person))
    if standing is not None:
        return receipt
    beside = replace(
        receipt, talk=(), meant=False, quoted=(), doubtful=(), signed="", may_be_sent="", notes=(), chats=False
    )
    idle = beside == Receipt(receipt.reader, receipt.answered)
    if idle and plays_nothing(ctx) and ctx.tx.allowance.used_today(Spent.IDLE) <= 1:
        ctx.give(welcome(ctx))
        receipt = replace(receipt, greets=True, parts=ctx.answer.parts)
    elif idle and ctx.seat is None:
        for way, about, _ in ways_in(ctx, named=True):
            ctx.offer(way, about)
        if not (ctx.open_offers or receipt.chats or receipt.doubtful or receipt.quoted):
            show_games(ctx)
        receipt = replace(receipt, answers=ctx.open_offers, parts=ctx.answer.parts, lost=True)
    return receipt


def _copy_to_player(ctx: Context) -> None:
    """Send the player what their deputy has done for them: the sentences and the orders in force, without what was
    refused to the deputy or answers their questions."""
    game, deputy, tx = ctx.game, ctx.seat, ctx.tx
    if not ctx.answer.on_behalf or game is None or deputy is None or deputy.person is None:
        return
    player = game.principal(deputy)
    receipt = Receipt(
        reader=reader_of(tx.identity, player.person, game, player, ctx.now),
        game=game_facts(game),
        standing=seat_state.orders_of(ctx, game, player) if ctx.answer.changed is not None else None,
        changed=ctx.answer.changed is not None,
        done=ctx.answer.done,
        phase=game.code,
        by=deputy.person.name,
    )
    tx.queue(composed_for(tx.identity, ctx.now, game, player, render(receipt), f"by deputy:{ctx.key}", waits=True))


def _map_of(ctx: Context, standing: StandingOrders | None) -> Map | None:
    """The map with the sender's orders, if they want it in receipts; its picture goes with the answer."""
    person, seat, game = ctx.person, ctx.seat, ctx.game
    wanted = person is not None and person.receipts == "map" and wants_map(person) and ctx.answer.changed is not None
    if not wanted or standing is None or not standing.orders or seat is None or game is None or game.phase is None:
        return None
    if ctx.tx.allowance.used_up(Spent.BYTES) is not None:
        return None
    one = inline_map(view_of_orders(standing.view, standing.orders), person, ctx.tx.identity.host)
    orders = tuple(map(write, standing.orders))
    drawn = ctx.drawn(("receipt", game.id, seat.id, game.phase.id, orders, one.dark), lambda: one.within)
    if drawn is None:
        return None
    ctx.attach(drawn[1])
    return drawn[0]


def _refusal(ctx: Context, mail: Mail, error: GmError) -> Rendered:
    reader, subject = reader_of(ctx.tx.identity, ctx.person), hidden(mail.message.subject, *ctx.tx.identity.addresses)
    return render(Refusal(reader, error.problem, error.remedy, subject))


def tell_of_trouble(tx: Transaction, mail: InboxRow) -> None:
    """Notify the operator of a mail that was set aside, with the error."""
    problem = (
        f"Mail {mail.id} from {mail.envelope_from or 'an unknown sender'} could not be processed and was set aside."
    )
    report_trouble(tx, problem, mail.note, f"trouble:mail:{mail.id}")


NOTHING_LOST = "Nothing is lost; see `gm check` and `gm mail show`."


def report_trouble(
    tx: Transaction, problem: str, detail: str, purpose: str, game: Game | None = None, remedy: str = NOTHING_LOST
) -> None:
    """Notify the operator, if there is one, and the game's gamemasters, without the technical details; once for each
    purpose.
    """
    identity = tx.identity
    reported = outbox.raw_of(tx.session, purpose) is not None
    if identity.settings.operator and not reported and tx.allowance_of(Payer.SERVER).take(tx.session, Spent.NOTICES):
        trouble = Trouble(reader_of(identity, None), problem, remedy, detail)
        tx.post(render(trouble), Envelope(purpose, identity.settings.operator, identity.address))
    if game is not None and game.playable:
        tx.tell(game, game.masters, "trouble", (problem, *operator_told(tx)), purpose)


def operator_told(tx: Transaction) -> tuple[str, ...]:
    """What a notice says about the operator, who may have no address."""
    return ("The operator was notified.",) if tx.identity.settings.operator else ()


# who pays for a mail


def allowance_for(who: Identified) -> Allowance:
    """What may still be caused by mail like this one."""
    ctx = who.ctx
    person = ctx.person
    if person is not None and person.proved_at is None and who.proof is not Authenticity.PASS:
        person = None  # anybody can have registered an address that is not theirs
    payer = payer_of(who.standing, who.proof, known=person is not None)
    holder = who.addressed if payer is Payer.SEAT else None
    keys = _keys(payer, ctx.sender, holder.person if holder is not None else person)
    if ctx.game is not None and who.standing in AT_OWN_SEAT:
        keys[Per.GAME] = f"game {ctx.game.id}"
    if holder is not None:
        keys[Per.SEAT] = f"seat {holder.id}"
    return ctx.tx.allowance_of(payer, keys)


def payer_of(standing: Standing, proof: Authenticity, *, known: bool) -> Payer:
    """Whose budgets are charged for such mail. `known`: its sender is registered, and has written here provably."""
    sure = (Authenticity.PASS, Authenticity.NONE) if standing is Standing.SEATED else (Authenticity.PASS,)
    if standing in AT_OWN_SEAT and proof in sure:
        return Payer.SEAT
    if proof is Authenticity.PASS:
        return Payer.PROVED if known else Payer.NEWCOMER
    return Payer.KNOWN if known else Payer.STRANGER


def _keys(payer: Payer, sender: str, known: Person | str | None) -> dict[Per, str]:
    """What the budgets are counted for; all mail that only this person can have written has one account, and so have
    all persons with one mailbox, and all subdomains of an organization.
    """
    domain = organization_of(sender.rpartition("@")[2])
    name = f"person {known.id}" if isinstance(known, Person) else known or mailbox(sender)
    whose = "certain" if payer in CERTAIN else payer.name.lower()
    return {
        Per.SENDER: f"{whose} {name}",
        Per.MAILBOX: mailbox(sender),
        Per.DOMAIN: f"{payer.name.lower()} @{domain}",
    }


def allowance_of_answer(tx: Transaction, sender: str, asked: str, person: Person | None) -> Allowance:
    """What an answer to a question may still cause: on the account of the person who was asked if the answer comes from
    them (it has the question's token), otherwise of its sender.
    """
    if sender == asked or person is not None:
        return tx.allowance_of(Payer.PROVED, _keys(Payer.PROVED, sender, person or f"asked {asked}"))
    return tx.allowance_of(Payer.STRANGER, _keys(Payer.STRANGER, sender, None))


def last_words(allowance: Allowance, used_up: Sequence[tuple[Budget, datetime]], *, seated: bool = False) -> str:
    """What the last reply says about there being no more for a while; "" when it is not the last."""
    for budget, ends_at in sorted(used_up, key=lambda one: one[1], reverse=True):
        if budget.of in (Spent.ANSWERS, Spent.IDLE):
            until = moment(ends_at)
            if seated and allowance.payer is Payer.SEAT:
                together = "answered together, once in ten minutes or an hour"
                if budget.of is Spent.IDLE:
                    return f"Until {until}, several mails of yours that ask for nothing are {together}."
                orders = "Orders to your seat still count; other lines are not acted on until then."
                return f"Until {until} your mails are {together}. {orders}"
            if budget.of is Spent.IDLE:
                idle = "Mail from you that asks for nothing, and an answer to a question that does nothing,"
                return f"{idle} is not replied to again before {until}. A YES or NO alone still counts."
            orders = " Orders to your seat still count;" if allowance.payer is Payer.SEAT else ""
            whom = "" if budget.per is Per.SENDER else f" to {budget.per.value}"
            return f"This is the last answer{whom} before {until}.{orders} Other mail is not acted on until then."
    return ""
