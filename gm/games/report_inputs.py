"""The data that mails are made from: the game and its reader, the orders in force, what a seat may see, past phases,
what everybody was told (OFFICIAL, REVEAL).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import NamedTuple

from sqlalchemy.orm import Session

from gm.board import Power
from gm.games import loading
from gm.games.identity import ServerIdentity
from gm.games.loading import order_set
from gm.games.order_page import Heading, order_link
from gm.games.snapshot import Game, OrderSet, Person, Seat, holders
from gm.mail.message.addresses import mailto, without_addresses
from gm.mail.message.reply import REPLY_ABOVE
from gm.orders import Order
from gm.orders.order_sets import warnings_on
from gm.position import Position, Season, position_from_json
from gm.reports import full_moment
from gm.reports.reader import BY_READY, GameFacts, PageLink, Reader
from gm.reports.standing_orders import StandingOrders
from gm.store import game_rows, records, sent
from gm.store.game_rows import PhaseRow, SeatRole
from gm.store.records import AnnouncementRow
from gm.store.sent import BounceRow
from gm.turn import Turn, turn_from_json
from gm.variants import Variant
from gm.views import MASTER, Section, View

# The game and its reader


def game_facts(game: Game, reader: Seat | None = None) -> GameFacts:
    """The public facts of the game; the player of a secret seat is shown only to that player and the gamemaster."""
    knows, hidden = viewpoint_of(game, reader) == MASTER, game.names_hidden
    names = {
        seat.power: "stand-in" if seat in game.standins else seat.person.name if seat.person and not hidden else ""
        for seat in game.players
        if seat.power is not None
        if knows or not game.is_secret(seat) or (reader is not None and seat.id == reader.id)
    }
    window = game.options.window if game.variant.review is not None else None
    title, adjectives = game.variant.title, game.variant.adjectives
    closed = game.running and game.withheld
    return GameFacts(
        game.name,
        title,
        names,
        adjectives,
        timed=game.timed,
        window=window,
        as_seen_by=partial(_as_seen_by, game.variant) if game.options.sandbox else None,
        closed=closed,
        reviewed=game.running and game.in_review and not game.withheld,
        keeps=game.variant.seating.keeps,
        paused=game.paused,
        asks_all=game.asks_all,
    )


def viewpoint_of(game: Game, seat: Seat | None) -> Power | None:
    """Whose view this seat has: its power's, the gamemaster's (MASTER), or the public's (None).

    A gamemaster who plays in their own game sees no more than the public at that seat. A veiled game that is over is
    opened to everybody.
    """
    if game.over and game.variant.veiled:
        return MASTER
    if seat is None or seat.role is not SeatRole.MASTER:
        return seat.power if seat is not None else None
    return None if game.plays(seat.person) else MASTER


def reader_of(
    identity: ServerIdentity,
    person: Person | None,
    game: Game | None = None,
    seat: Seat | None = None,
    now: datetime | None = None,
) -> Reader:
    """The reader of a mail: at their seat if they have one, otherwise at the server's own address."""
    address = identity.address_of(game, seat) if game is not None and seat is not None else identity.address
    return Reader(
        power=seat.power if game is not None and seat is not None else None,
        zone=identity.zone_of(person, game),
        reply_to=address,
        reply_above=REPLY_ABOVE,
        mailto=partial(mailto, address),
        page=_page(identity, game, seat, address),
        master=seat is not None and seat.role is SeatRole.MASTER,
        now=now if not (heading := _heading_in_digest(game, seat)) else None,  # a digest is read later
        heading=heading,
        html=person is None or person.html,
        deputy=seat is not None and seat.deputy_of is not None,
    )


def _heading_in_digest(game: Game | None, seat: Seat | None) -> str:
    """The line above what is for the game in an answer to a digest; "" if the holder of the seat gets none."""
    return f"GAME {game.name}" if game is not None and seat is not None and game.digest_reader(seat) else ""


def _page(identity: ServerIdentity, game: Game | None, seat: Seat | None, address: str) -> PageLink | None:
    """What makes the links to the page on which the seat's orders are tapped together; None where there is no page."""
    if not identity.order_page or game is None or seat is None:
        return None
    play, place, zone = game, seat, identity.zone_of(seat.person, game)
    due = closes_at(game, seat)

    def link(view: View) -> str:
        powers = (place.power,) if place.power is not None else tuple(view.duties) if play.options.sandbox else ()
        subject = " ".join(filter(None, (f"[{play.name}] {view.position.phase.code}", place.power)))
        heading = Heading(play.name, full_moment(due, zone) if due is not None else "")
        return order_link(identity.order_page, play.variant, view, powers, mailto(address, subject), heading)

    return link


def view_of(game: Game, seat: Seat | None) -> View:
    """What the seat may see of the game now. The game must have begun."""
    if game.position is None:
        raise ValueError(f"the game {game.name} has not begun")
    variant, position = game.variant, game.position
    if not game.over:
        return variant.view(variant, position, None, viewpoint_of(game, seat))
    who = MASTER if variant.chronicle is not None else viewpoint_of(game, seat)  # what was secret is published
    end = Turn(position, {}, (), position, victory=game.victory)
    shown = variant.view(variant, position, end, who)
    return replace(shown, turn=None, position=variant.truth(position), duties={}, needs={})


def _as_seen_by(variant: Variant, position: Position, power: Power) -> View:
    return variant.view(variant, position, None, power)


def view_after(game: Game, seat: Seat | None, turn: Turn) -> View:
    """What the seat may see of a turn and of the position it led to."""
    return game.variant.view(game.variant, turn.after, turn, viewpoint_of(game, seat))


def standing_orders(identity: ServerIdentity, game: Game, seat: Seat, now: datetime | None = None) -> StandingOrders:
    """The orders in force for a player's seat, and what its phase requires; without a deadline of their own."""
    view, given, orders = view_of(game, seat), game.set_of(seat), game.orders_of(seat)
    own = game.variant.rulebook.self_dislodgement
    cautions = game.variant.cautions(view.position, seat.power, orders) if seat.power is not None else ()
    return StandingOrders(
        game=game_facts(game),
        reader=reader_of(identity, seat.person, game, seat, now),
        view=view,
        orders=orders,
        warnings=(*cautions, *warnings_on(view.board, view.position.units, orders, dislodges_own=own)),
        number=given.number if given is not None else 0,
        early=early_by(game),
        wait=game.principal(seat).wait,
        ready=given is not None and given.complete,
        drawn=_is_drawn(game, view),
        closed=game.closed_to(seat),
        paused=game.paused,
    )


def _is_drawn(game: Game, view: View) -> bool:
    """Whether orders are drawn for a power that sends none, by the game's rules or by its options."""
    fate = view.fates.get(view.position.phase.kind)
    return (fate is not None and fate.drawn) or (game.options.nmr == "random" and game.variant.review is None)


def closes_at(game: Game, seat: Seat | None) -> datetime | None:
    """When orders of the seat close: for the reviewing seat after its window, except when the phase waits for it.

    A sandbox has no deadline for orders: when it is due, it ends.
    """
    if game.options.sandbox:
        return None
    due, review = game.due_at, game.variant.review
    if review is None or not game.reviews(seat) or due is None or game.in_review or game.position is None:
        return due
    return due if review.awaited(game.position) else due + game.options.window


def early_by(game: Game) -> str:
    """When a phase is adjudicated before its deadline: `ready`, `orders` or `no`, as the option says. Where it must not
    be seen what each has to order, when all players have said READY (`all`); if a seat may change orders, never.
    """
    early = game.options.early
    if early == "no" or not game.waits_for_all:
        return early
    return "no" if game.variant.review is not None else "all"


def is_draft(game: Game, seat: Seat) -> bool:
    """Whether the orders of the seat are a draft at first, which waits for the deadline until it has said READY."""
    return early_by(game) in BY_READY and game.is_awaited(seat)


def masters_by_name(game: Game, seat: Seat) -> tuple[tuple[Seat, ...], tuple[Seat, ...]]:
    """The gamemasters who may know about this seat: those who may read its holder's name, and those who may not,
    because they play where names are hidden.
    """
    masters = game.masters_of(seat)
    blind = tuple(one for one in masters if game.names_hidden and game.plays(one.person))
    return tuple(one for one in masters if one not in blind), blind


def holder_name(game: Game, seat: Seat) -> str:
    """The public name of a seat's holder: a name, `vacant`, `stand-in`, `dummy`, or "" if it is hidden."""
    if game.is_secret(seat):
        return ""
    if seat.person is not None:
        return "" if game.names_hidden else seat.name
    return without_player(game, seat)


def without_player(game: Game, seat: Seat) -> str:
    """What is said of a seat without a holder: `vacant`, `stand-in`, `dummy` or "".

    No seat of a game that is over is vacant: one whose player deletes their account looks as a hidden one does, because
    other games show at that time whose account that was.
    """
    if seat.dummy_since is not None:
        return "dummy"
    return "" if game.over else "stand-in" if seat in game.standins else "vacant"


def progress_shown(game: Game, seat: Seat | None) -> str:
    """Whether the orders of a seat's power are in, where the game shows that to all; otherwise ""."""
    if not game.shows_progress or seat is None or seat.power is None:
        return ""
    if seat.power not in game.duties:
        return "nothing to order"
    return "in" if game.has_ordered(seat, incomplete_too=False) else "not in yet"


def unreachable(game: Game, lately: Mapping[str, BounceRow], refused: Collection[str] = ()) -> dict[int, str]:
    """The seats whose players' mail bounces, or has bounced `lately` (by address) though they have written since, or
    waits because their address is among those `refused`; by seat id, in words for the gamemaster."""
    words = {}
    for seat, person in holders(game.seats):
        bounces = [lately[email] for email in person.addresses if email in lately]
        bounced = [one.at for one in bounces]
        if dead := [one for one in bounces if one.forgiven_at is None]:
            every = len(dead) == len(person.addresses)
            words[seat.id] = "mail bounces" if every else "mail to one address bounces"
        elif refused and not set(refused).isdisjoint(person.addresses):
            words[seat.id] = "mail is refused, and tried again"
        elif bounced:
            words[seat.id] = f"mail bounced on {max(bounced):%d %b}"
    return words


# past phases


def phases_leading_to(session: Session, game: Game) -> Sequence[PhaseRow]:
    """The phases played so far and the present one, without what was rolled back."""
    return game_rows.phases_leading_to(session, game.id, game.phase.id) if game.phase is not None else []


def played_again(session: Session, game: Game) -> list[tuple[PhaseRow, PhaseRow]]:
    """Every phase in the order in which they were opened, those that were rolled back with the one played in its place:
    of the same code or, where that is not played again or not yet, one before it.
    """
    if game.phase is None:
        return []
    every = game_rows.phases_of(session, game.id)
    line = {phase.code: phase for phase in phases_leading_to(session, game)}
    first = next(iter(line.values()))
    stands: dict[int, PhaseRow] = {}
    for phase in every:
        stands[phase.number] = line.get(phase.code) or stands.get(phase.follows, first)
    return [(phase, stands[phase.number]) for phase in every]


def adjudicated(session: Session, game: Game) -> list[PhaseRow]:
    """The phases among them that were adjudicated."""
    return [phase for phase in phases_leading_to(session, game) if phase.adjudicated_at is not None]


def to_play_again(session: Session, game: Game) -> list[PhaseRow]:
    """The phases that can be played again: those that were adjudicated, and one whose results wait to be released, that
    is about to be adjudicated again, or in which the game was ended.
    """
    line = phases_leading_to(session, game)
    now = game.withheld or game.is_corrected or game.over
    return [phase for phase in line if phase.adjudicated_at is not None or (now and phase is line[-1])]


def goes_on_in(session: Session, game: Game) -> str:
    """The code of the phase in which a game that is over goes on, by ROLLBACK; "" if it cannot, or is not over."""
    phases = to_play_again(session, game) if game.over and not was_opened(session, game) else []
    return phases[-1].code if phases else ""


def position_of(game: Game, phase: PhaseRow) -> Position:
    """The first position of a phase of this game."""
    return position_from_json(phase.position, game.variant.language.kinds)


def orders_by_power(session: Session, game: Game, phase: PhaseRow) -> dict[Power, tuple[Order, ...]]:
    """All orders in force for a phase of this game, past or present."""
    powers = {seat.id: seat.power for seat in game.players if seat.power is not None}
    sets = sets_in_force(session, game, phase)
    sent = {powers[seat_id]: given for seat_id, given in sets.items() if seat_id in powers}
    return {power: given.orders for power, given in sent.items() if given.says_something}


def sets_of(session: Session, game: Game, seat: Seat) -> list[OrderSet]:
    """Every set that the seat has sent for the present phase, in order; of one mail the last, as READY adds one."""
    phase = game.phase
    rows = game_rows.order_set_history(session, phase.id, seat.id) if phase is not None else ()
    by_mail = {row.inbox_id or -row.number: row for row in rows}
    return [order_set(row, game.variant) for row in sorted(by_mail.values(), key=lambda row: row.number)]


def sets_in_force(session: Session, game: Game, phase: PhaseRow) -> dict[int, OrderSet]:
    """The sets in force for a phase of this game, past or present, by seat id."""
    rows = game_rows.latest_order_sets(session, phase.id)
    return {seat_id: order_set(row, game.variant) for seat_id, row in rows.items()}


def newest_sets(session: Session, game: Game, phase: PhaseRow) -> dict[int, OrderSet]:
    """The sets that were sent last for a phase, by seat id, whichever of its playings they were sent in: those that it
    was opened again with have the number 0, or 1 if it was corrected.
    """
    newest = sets_in_force(session, game, phase)
    for played in game_rows.phases_of(session, game.id):
        if (played.code, played.follows) == (phase.code, phase.follows):
            kept = 0 if played.correction is None else 1
            newest |= {key: one for key, one in sets_in_force(session, game, played).items() if one.number > kept}
    return newest


def first_played(session: Session, game: Game, phase: PhaseRow) -> tuple[PhaseRow, PhaseRow | None]:
    """The first playing of this phase, however often it was played since, and the phase that its results opened."""
    every = game_rows.phases_of(session, game.id)
    first = next(row for row in every if (row.code, row.follows) == (phase.code, phase.follows))
    return first, next((row for row in every if row.follows == first.number), None)


def since_report(session: Session, game: Game, seat_id: int, phase: PhaseRow, came: datetime) -> timedelta | None:
    """How long after the first report of a phase was sent to a seat something came, negative before it; None if no
    report of it has been sent there.
    """
    after = first_played(session, game, phase)[1]
    informed_at = sent.first_told(session, seat_id, after.id, after.opened_at) if after is not None else None
    return came - informed_at if informed_at is not None else None


def turn_of(session: Session, game: Game, phase: PhaseRow) -> Turn:
    """The stored turn of an adjudicated phase."""
    if phase.result is None:
        raise ValueError(f"{phase.code} of {game.name} has not been adjudicated")
    orders, rules = orders_by_power(session, game, phase), game.variant
    turn = turn_from_json(phase.result, phase.position, orders, rules.language)
    return replace(turn, orders=rules.given(turn.before, turn.orders))


def chronicle(session: Session, game: Game) -> tuple[Section, ...]:
    """The game's secrets, published when it is over."""
    tell = game.variant.chronicle
    if tell is None:
        return ()
    return tell(game.variant, [turn_of(session, game, phase) for phase in adjudicated(session, game)])


def was_opened(session: Session, game: Game) -> bool:
    """Whether the game is over, and something that it had hidden was shown to everybody then: names, diaries, or what
    its rules keep secret.
    """
    if not game.over or game.options.anonymous == "yes" or game.variant.veiled:
        return game.over
    return bool(records.diaries_of(session, game.id)) or any(one.rows for one in chronicle(session, game))


def history(
    session: Session, game: Game, seat: Seat | None = None, *, open_book: bool = True
) -> tuple[tuple[int, dict[Power, int]], ...]:
    """The centres of each power at the end of each game year; the year before the first is the set-up.

    Without `open_book`, only as far as the seat may see them.
    """
    power, review = viewpoint_of(game, seat), game.variant.review
    years: dict[int, dict[Power, int]] = {}
    for phase in phases_leading_to(session, game):
        position = position_of(game, phase)
        if review is not None:
            position = review.reopen(position)  # what changed hands when orders were closed did so after that year
        if open_book:
            shown, counted = game.variant.truth(position), game.variant.powers(position)
        else:
            view = game.variant.view(game.variant, position, None, power)
            shown, counted = view.position, view.counted if view.unseen else game.variant.powers(position)
        year = position.phase.year if position.phase.season is Season.WINTER else position.phase.year - 1
        years.setdefault(year, {p: len(shown.centers_of(p)) for p in counted})
    return tuple(sorted(years.items()))


# What everybody was told beside reports and press, and what is therefore public


GAMEMASTER = "GM"


class Announcement(NamedTuple):
    """A text for everybody, without mail addresses. `by` is a power or the `GAMEMASTER`; `phase` is the one that was
    played then, as it was played last, None before the first.
    """

    kind: str
    by: str
    text: str
    at: datetime
    phase: PhaseRow | None


def announcements(session: Session, game: Game) -> tuple[Announcement, ...]:
    """All announcements of a game, oldest first."""
    rows = records.announcements(session, game.id)
    played = played_again(session, game) if rows else []
    return tuple(
        Announcement(
            "official" if row.seat_id is None else "reveal",
            _by(game, row),
            without_addresses(_text(session, game, row)),
            row.at,
            _phase_at(played, row.at),
        )
        for row in rows
    )


def who_plays(power: Power | None, name: str) -> str:
    """What everybody is told of a secret seat whose holder reveals themself."""
    seat = str(power)
    return f"{seat[:1].upper()}{seat[1:]} is revealed: {name} plays it."


def _by(game: Game, row: AnnouncementRow) -> str:
    return str(game.seat(row.seat_id).power) if row.seat_id is not None else GAMEMASTER


def _text(session: Session, game: Game, row: AnnouncementRow) -> str:
    """The text; of whoever revealed themself with their present name."""
    if row.account_id is None or row.seat_id is None:
        return row.text
    return who_plays(game.seat(row.seat_id).power, loading.people(session, [row.account_id])[row.account_id].name)


def _phase_at(played: Sequence[tuple[PhaseRow, PhaseRow]], moment: datetime) -> PhaseRow | None:
    """The phase that was open then and counts, also after ROLLFORWARD; otherwise what is played for the newest."""
    begun = [(then, now) for then, now in played if then.opened_at <= moment]
    counts = [
        (then, now)
        for then, now in begun
        if then is now and (then.adjudicated_at is None or then.adjudicated_at > moment)
    ]
    return (counts or begun)[-1][1] if begun else None
