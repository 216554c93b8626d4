"""Answers to questions, and to digests: each of the games that a reply names is given the mail, as if it had come to
its player's seat.

The lines below `GAME spring` are acted on at the seat in spring, with all that protects and limits it, and its receipt
says what stands there. What is above the first name is for no game: its sender is asked, with a button for each game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from gm.commands import COMMANDS
from gm.errors import NotPermitted
from gm.games import loading
from gm.games.identity import DIGEST_VALID, Destination, DigestAddress, Public, QuestionAddress, ServerIdentity
from gm.games.limits import Spent
from gm.games.report_inputs import reader_of
from gm.games.snapshot import Game, Person, Seat
from gm.games.transaction import Transaction
from gm.inbound.answering import allowance_for, allowance_of_answer, refuse, send_reply
from gm.inbound.confirming import confirm, is_over
from gm.inbound.contents import likely_game
from gm.inbound.facts import OF_A_SEAT, OF_NO_GAME, asking, game_named, read
from gm.inbound.identification import LEVELS, Identified, identify, is_believed
from gm.inbound.several_games import give, seat_for, seats_by_game, too_long
from gm.mail.message.addresses import hidden, mailto, token_hash
from gm.mail.message.incoming import Message
from gm.mail.message.trace import Authenticity
from gm.parsing.lexicon import shorten
from gm.parsing.message import Item
from gm.play import seat_addresses
from gm.reading.ours import Ours
from gm.reading.target import ABOVE, OF_SEVERAL, by_section, sections
from gm.reports import listed
from gm.reports.game_mails import Choice
from gm.reports.reader import Offer
from gm.store import gathering, question_rows, senders, sent
from gm.store.inbox import InboxRow, InboxState
from gm.store.question_rows import QuestionRow

_SHOWN = 10
_COMPARED = 4
"""How many of our mails an answer is compared with."""


@dataclass(frozen=True, slots=True)
class _Reply:
    """What an answer says: what is below each name, and its lines for no game: those above all names, and of each
    section whose heading is not understood.
    """

    items: Mapping[str, Sequence[Item]]
    above: tuple[str, ...]
    closed: tuple[tuple[str, ...], ...]
    of_several: bool = False
    """Whether it has a question about several games, which is answered at the server's address."""
    quoted: tuple[str, ...] = ()
    """Lines among those that are quoted from the digest, which we did not write."""

    @property
    def named(self) -> Sequence[str]:
        """The names of the games."""
        return tuple(self.items)

    @property
    def astray(self) -> tuple[str, ...]:
        """All lines for no game."""
        return (*self.above, *(line for lines in self.closed for line in lines), *self.quoted)

    @property
    def movable(self) -> tuple[str, ...]:
        """The lines that a button can send to a game: all for no game, if they are for one only."""
        if (self.above and self.closed) or self.quoted:
            return ()
        return self.above or (self.closed[0][1:] if len(self.closed) == 1 else ())


def in_force(
    tx: Transaction, message: Message, row: InboxRow, destination: Destination
) -> tuple[Destination, QuestionRow | None]:
    """Where a mail goes, and the question that it answers; the server's own address for one to the address of an offer
    that can be answered no more, and so proves nothing, if more than YES or NO is written.
    """
    if not isinstance(destination, QuestionAddress):
        return destination, None
    question = question_rows.by_token_hash(tx.session, token_hash(destination.token))
    if question is not None and is_over(question, message, row):
        return Public(""), None
    return destination, question


def to_question_or_digest(
    tx: Transaction, message: Message, row: InboxRow, destination: Destination, question: QuestionRow | None
) -> tuple[InboxState, str] | None:
    """Handle the answer to a question, or to a digest. Returns the row's new state and a note; None for other mail."""
    if question is not None:
        sender = message.author
        person = loading.person_at(tx.session, sender)
        own = person if person is not None and person.id == question.account_id else None
        tx.allowance = allowance_of_answer(tx, sender, question.asked, own)
        return InboxState.DONE, confirm(tx, message, row, question)
    if isinstance(destination, DigestAddress):
        return InboxState.DONE, pass_on(tx, message, row, destination)
    return None


def pass_on(tx: Transaction, message: Message, row: InboxRow, digest: DigestAddress) -> str:
    """Give an answer to a digest to the seats of the games that it names, and ask about the rest. Returns a note for
    the inbox row.
    """
    who = identify(tx, message, row, Public(""))
    tx.allowance = allowance_for(who)
    person = who.ctx.person
    if person is None or person.id != digest.person_id:
        return _refuse(who, "This address is for the answers of somebody else.", "Write to the server's own address.")
    if tx.now.date() - digest.day > DIGEST_VALID:
        old = f"This digest is more than {DIGEST_VALID.days} days old. Nothing was done."
        return _refuse(who, old, who.ctx.where_to_send(None))
    seen = seat_addresses.is_digest_seen(tx, digest.person_id, digest.day)
    if seen and (LEVELS[tx.identity.trust.level].holds_unproved or who.proof is not Authenticity.PASS):
        unsafe = "Others have seen the address of this digest, and may have written, or had your mail program write."
        return _refuse(who, f"{unsafe} Nothing was done.", who.ctx.where_to_send(None))
    gathered = gathering.seats_in(tx.session, message.cited(*tx.identity.hosts))
    seats = seats_by_game(who.ctx, person)
    said = _read(who, [game for game, _ in seats.values()])
    meant = [(game, seat) for game, seat in seats.values() if seat.id in gathered] or list(seats.values())
    here = [name for name in said.named if name in seats]
    if not here:  # otherwise their receipts list them
        said = replace(said, quoted=_among_quoted(who, person, [game for game, _ in seats.values()]))
    if not (said.named or said.closed or said.quoted) and (address := _place_of_all(tx, said.above, meant)):
        own = address == tx.identity.address
        tx.handed_on = True
        senders.hand_on(tx.session, row, address, (row.address if own else address,), secret=not own and not seen)
        return ""
    if (error := too_long(row, message, len(here))) is not None:
        return refuse(who, error)
    for name in here:
        game, seat = seats[name]
        give(tx, row, game, seat_for(game, seat, said.items[name]), row.address, secret=not seen)
    at_home = said.above and _place_of_all(tx, said.above, ()) == tx.identity.address  # `ALL GAMES` below the names
    if here and (at_home or said.of_several):
        senders.hand_on(tx.session, row, tx.identity.address, (row.address,), secret=False)
        said = replace(said, above=() if at_home else said.above)
    unknown = [name for name in said.named if name not in seats]
    if here and not said.astray and not unknown:
        return ""
    return _ask(who, digest, meant, said, unknown)


def _place_of_all(tx: Transaction, lines: Sequence[str], seats: Sequence[tuple[Game, Seat]]) -> str:
    """The address at which lines without the name of a game are acted on: that of the only seat; the server's own if
    there are none, or if the first of its commands needs no seat. "" if the game has to be asked for.
    """
    commands = [COMMANDS.get(COMMANDS.reader.name_of(line) or "") for line in lines]
    first = next((one for one in commands if one is not None), None)
    if len(seats) == 1 and not all(one is not None and one.for_persons for one in commands):
        return tx.identity.stored_address_of(*seats[0])
    at_seat = bool(lines) and (first is None or first.policy.needs_seat)
    return "" if at_seat else tx.identity.address


def _refuse(who: Identified, problem: str, remedy: str) -> str:
    return who.ctx.tx.allowance.silence(Spent.ANSWERS) or refuse(who, NotPermitted(problem, remedy))


def _read(who: Identified, games: Sequence[Game]) -> _Reply:
    """What an answer says to the sender's games."""
    text, reader = who.mail.message.text, who.ctx.commands.reader
    names = {game.name.lower() for game in games}
    items = read(text, likely_game(who.ctx), games=lambda: names, at_seat=False).items
    placed = sections(items, names, partial(game_named, who.ctx), OF_NO_GAME, OF_A_SEAT)
    below = dict[str, list[Item]]()
    for name, item in placed:
        if name and name != OF_SEVERAL:
            below.setdefault(name, []).append(item)
    found = by_section(text, placed)
    above = tuple(line for name, lines in found if name == ABOVE for line in lines)
    return _Reply(
        below,
        above if asking(above, (None, *games), reader) else (),
        tuple(lines for name, lines in found if name is None),
        any(name == OF_SEVERAL for name, _ in placed),
    )


def _among_quoted(who: Identified, person: Person, games: Sequence[Game]) -> tuple[str, ...]:
    """The quoted lines that have orders or commands, and are not of our mails: programs without marks quote so what is
    written below the headings of the digest.
    """
    session, message = who.ctx.tx.session, who.mail.message
    cited = sent.cited(session, message.cited(*who.ctx.tx.identity.hosts))
    named = [one.raw for one in cited if one.recipient in person.addresses][:_COMPARED]
    ours = Ours(lambda: [*named, *sent.newest_to_each(session, person.addresses, _COMPARED)])
    return asking(ours.edited(message.quoted), games, who.ctx.commands.reader, talk=False)


# what is asked


def _ask(
    who: Identified,
    digest: DigestAddress,
    seats: Sequence[tuple[Game, Seat]],
    said: _Reply,
    unknown: Sequence[str],
) -> str:
    """Ask for which game the lines are that name none, or one that the sender does not play."""
    ctx, identity = who.ctx, who.ctx.tx.identity
    if not is_believed(identity.trust.level, who.standing, who.proof):
        return "not answered: it is not proved who wrote it"
    budgets = (Spent.ANSWERS,) if said.astray or unknown else (Spent.ANSWERS, Spent.IDLE)
    if silence := ctx.tx.allowance.silence(*budgets):
        return silence
    for budget in budgets:
        ctx.tx.allowance.charge(budget)
    ways = tuple(_way(who, game, seat, said.movable) for game, seat in seats) if said.movable else ()
    title = "which game?" if said.astray or unknown else "nothing to do"
    words = _words(identity, said, unknown, [game.name for game, _ in seats])
    asked = Choice(reader_of(identity, ctx.person), title, words, ways=ways)
    send_reply(ctx, who.mail, asked, identity.digest_address(digest.person_id, digest.day) or identity.address)
    return "asked which game is meant"


def _way(who: Identified, game: Game, seat: Seat, lines: Sequence[str]) -> Offer:
    """A button that sends these lines to a seat."""
    address = who.ctx.tx.identity.address_of(game, seat)
    link = mailto(address, f"[{game.name}]", "\n".join([*lines, "", ""]))
    does = f"sends it as {seat.power or seat.role} there, to {address}."
    return Offer(f"For {game.name}", does, link)


def _words(identity: ServerIdentity, reply: _Reply, unknown: Sequence[str], games: Sequence[str]) -> tuple[str, ...]:
    """What is asked, and how to answer."""
    said = []
    example = games[0] if games else "spring"
    if reply.above:
        shown = _shown(identity, reply.above)
        said.append(f"In your answer to the digest this names no game, so it was not used: {shown}.")
    for heading, *below in reply.closed:
        what = f", and nothing below it was used: {_shown(identity, below)}" if below else ""
        said.append(f"{_shown(identity, [heading])} names no game of yours as a heading does{what}.")
    if reply.quoted:
        said.append(
            f"This is among the quoted lines of the digest, and was not used: {_shown(identity, reply.quoted)}."
        )
    if reply.astray:
        said.append(
            f"Which game do you mean? Reply with its line above them, such as GAME {example}, at the top of your mail."
        )
    if unknown:
        said.append(f"What is below GAME {listed(unknown)} was not used: you do not play there.")
    if not said:
        said.append("Nothing in your answer to the digest was an order or a command, so nothing was done.")
    return (*said, f"Your games: {listed(games)}." if games else "You play in no game now.")


def _shown(identity: ServerIdentity, lines: Sequence[str]) -> str:
    """Lines in quotation marks."""
    more = f" and {len(lines) - _SHOWN} more" if len(lines) > _SHOWN else ""
    return "; ".join(f"'{shorten(hidden(line.strip(), *identity.addresses))}'" for line in lines[:_SHOWN]) + more
