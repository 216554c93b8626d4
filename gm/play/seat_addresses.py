"""The secret addresses of seats: one that others may have seen is replaced by a new one, and the seat's holder is
notified.

The old address can be used only by that holder, and no longer proves who writes. Once the seat is another's, it is
known only so that its former holder can be told.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import islice

from gm.games import loading
from gm.games.snapshot import Game, Person, Seat, addresses_of
from gm.games.transaction import Transaction
from gm.mail.message.addresses import hidden, parse_seat_address, seat_addresses_in, token_hash
from gm.mail.message.mime import Headers, packed_in
from gm.mail.message.shown import Shown, tokens_in
from gm.play import sight
from gm.play.questions import ask_again, person_asked
from gm.store import people, question_rows, sent, shown_addresses

_MOST = 500  # words of this form in a text that are looked up
_NAMED = 3


def former(tx: Transaction, token: str, person: Person | None) -> tuple[Game, Seat] | None:
    """The seat that had this token in its address when it was this person's, and its game, locked. They may hold it
    still: then others have seen the address.
    """
    heads = tx.session.execute(loading.locked(loading.BY_SHOWN_TOKEN), {"token": token_hash(token)}).all()
    for game, head in zip(tx.loaded(heads, lock=True), heads, strict=True):
        if person is not None and person.id == head.account_id:
            return game, game.seat(head.seat_id)
    return None


def void(tx: Transaction, game: Game, seat: Seat) -> Seat:
    """The seat with another address. The present one is known from now on as one that was its holder's, and so is what
    they have seen there.
    """
    if seat.person is not None:
        shown_addresses.show_address(tx.session, tx.identity.token_hash_of(seat), seat.id, seat.person.id)
        sight.note(tx, game, seat)
        sight.note_joined(tx, game)
    return replace(seat, serial=seat.serial + 1)


def renew(tx: Transaction, game: Game, seat: Seat, seen: str, purpose: str) -> Game:
    """Replace the address of an occupied seat, and notify its holder; `seen` says how others may have seen it."""
    if seat.person is None or not game.playable:
        return game
    game = tx.fold_seats(game, void(tx, game, seat))
    seat = game.seat(seat.id)
    words = (
        seen,
        f"Your new address, known only to you: {tx.identity.address_of(game, seat)}",
        "Replies to this mail go there. Everything you sent before stays in force.",
        "The old address counts for nobody but you. If nothing proves that a mail to it is yours (DKIM, SPF), you are"
        " asked before anything is done.",
    )
    tx.tell(game, [seat], "a new address for your seat", words, purpose)
    tx.note("leaked", game, seat)
    return tx.newest(game)


def redact(tx: Transaction, text: str, purpose: str, writer: Person | None = None) -> tuple[str, bool]:
    """The text without any seat's address or token, for others, and whether it contained any seat's address, also one
    packed in a link to the page for orders; these are replaced. Tokens of questions, and of digests whose name is above
    them or which are the writer's, are taken out, too.
    """
    tokens = tuple(islice(tokens_in(text, *(one.text for one in packed_in(text))), _MOST))
    words = _by_hash((one.token, one.written) for one in tokens)
    theirs = tx.identity.digest_tokens(writer.id, tx.now.date()) if tokens and writer is not None else ()
    digests = (one for one in tokens if one.token in theirs or tx.identity.digest_at(one.digest, one.token))
    found = _seats_of(tx, words)
    gone = {*found, *(loading.shown(tx.session, words) if words else ())}
    gone |= {token_hash(one.token) for one in digests}
    gone |= {row.token_hash for row in (question_rows.unanswered_at(tx.session, words) if words else ())}
    for hashed in gone:
        for word in words[hashed]:
            text = text.replace(word, "[removed]")
    for game_id, seat_id in found.values():
        game = tx.game(game_id, lock=True)
        seen = "Your seat's secret address was in a text for other players. It was removed from the text."
        renew(tx, game, game.seat(seat_id), seen, purpose)
    return hidden(text, *tx.identity.addresses), bool(found)


@dataclass(frozen=True, slots=True)
class Showing:
    """A mail that may show secrets: to all its audience but us, and to its sender, whose address is `author` and who is
    the person `sender`, if known. `own` is the seat to which it came.
    """

    shown: Shown
    author: str
    sender: Person | None
    own: Seat | None = None


def renew_seen(tx: Transaction, mail: Showing, purpose: str) -> None:
    """Replace the address of each seat and of each question that a mail reveals to anybody but its owner, to the sender
    or to other recipients; and note that of a digest. Owners are notified once for a `purpose`, once a day if it is "",
    and once a day of what others show, whoever they are.

    If the sender is unknown, the holder of the seat to which the mail came is asked about it, and their answer decides.
    """
    sender, own, daily = mail.sender, mail.own, f"shown:{tx.now:%Y-%m-%d}"
    audience = {one for one in mail.shown.audience if not tx.identity.is_own(one)}
    tokens = {*mail.shown.tokens, *_led_to(tx, mail.shown.message_ids)}
    words = _by_hash((token, digest) for digest, token in tokens)
    if own is not None and own.is_of(sender) and audience <= set(addresses_of(sender)):
        words.pop(tx.identity.token_hash_of(own), None)
    for game_id, seat_id in _seats_of(tx, words).values():
        game = tx.game(game_id, lock=True)
        seat = game.seat(seat_id)
        if seat.person is None:
            continue
        others = audience - set(seat.person.addresses)
        if seat.is_of(sender):
            if others:
                seen = f"A mail of yours also went to {_some(others)}: in it your seat's secret address can be seen."
                renew(tx, game, seat, seen, purpose or daily)
        elif others or sender is not None or own is None or own.id != seat.id:
            renew(tx, game, seat, "Your seat's secret address was in a mail of somebody else.", daily)
    if words:  # without a token there is no address
        digests = (tx.identity.digest_at(digest, token) for digest, token in tokens if digest)
        _note_digests(tx, filter(None, digests), mail, audience)
        _ask_again(tx, words, mail, audience)


def _led_to(tx: Transaction, message_ids: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The tokens in the addresses to which these mails of ours wanted their answers. Without plus addressing, who
    answers a mail of ours writes there: its Message-ID is as much of a secret.
    """
    if tx.identity.settings.plus_addressing or not message_ids:
        return
    for raw in sent.with_message_ids(tx.session, message_ids):
        for address in seat_addresses_in(Headers.of(raw).first("reply-to"), *tx.identity.addresses):
            if (parsed := parse_seat_address(tx.identity.at_present(address), tx.identity.address)) is not None:
                yield parsed


def _note_digests(
    tx: Transaction, digests: Iterable[tuple[int, date]], mail: Showing, audience: Collection[str]
) -> None:
    for person_id, day in digests:
        theirs = {*mail.sender.addresses} if mail.sender is not None and mail.sender.id == person_id else None
        if (theirs is None or {*audience} - theirs) and not is_digest_seen(tx, person_id, day):
            people.update_account(tx.session, person_id, {"digest_seen_at": tx.now})


def _ask_again(tx: Transaction, words: Collection[str], mail: Showing, audience: Collection[str]) -> None:
    for row in question_rows.unanswered_at(tx.session, words):
        owner = person_asked(tx, row)
        theirs = {row.asked, *addresses_of(owner)}
        if mail.author not in theirs:
            ask_again(tx, row, "The address for your answer was in a mail of somebody else.")
        elif others := {*audience} - theirs:
            seen = f"A mail of yours also went to {_some(others)}: in it the address for your answer can be seen."
            ask_again(tx, row, seen)


def is_digest_seen(tx: Transaction, person_id: int, day: date) -> bool:
    """Whether others have seen the address of a digest of this person since that day."""
    seen_at = people.digest_seen_at(tx.session, person_id)
    return seen_at is not None and seen_at.date() >= day


def _some(addresses: Collection[str]) -> str:
    """Up to three of these addresses, and how many more there are."""
    more = f" and {len(addresses) - _NAMED} more" if len(addresses) > _NAMED else ""
    return ", ".join(sorted(addresses)[:_NAMED]) + more


def _by_hash(tokens: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """What belongs to each token, by its hash."""
    found: dict[str, list[str]] = {}
    for token, what in tokens:
        found.setdefault(token_hash(token), []).append(what)
    return found


def _seats_of(tx: Transaction, words: Mapping[str, object]) -> Mapping[str, tuple[int, int]]:
    """Game and seat of each hash that is of a seat's present token."""
    if not words:
        return {}
    tx.write()  # an address may have been replaced just now
    return {hashed: (game_id, seat_id) for hashed, game_id, seat_id in loading.seats_at(tx.session, words)}
