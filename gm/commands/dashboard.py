"""DASHBOARD: the gamemaster's view of a game: who has ordered, what is due, and what waits for somebody."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from gm.commands.account import turnout_words
from gm.commands.context import Context
from gm.commands.declaration import Command, Help, Policy, Sentences, Syntax, Who
from gm.games import deputies, loading
from gm.games.report_inputs import holder_name, unreachable, without_player
from gm.games.seats import seats_taken
from gm.games.snapshot import Game, Seat
from gm.mail.message.bounce_report import without_addresses
from gm.reports import full_moment, listed, moment
from gm.reports.blocks import Paragraphs, Table
from gm.reports.reader import UNTIMED
from gm.store import agenda, people, question_rows, records, refusals, sent
from gm.store.agenda import DeadlineKind
from gm.store.game_rows import GameState


def act_dashboard(ctx: Context, args: Mapping[str, Any]) -> None:
    """Show who has ordered, who is late or cannot be reached, what is due, and what waits for somebody."""
    del args
    game, _ = ctx.seated()
    zone = ctx.tx.identity.zone_of(ctx.person, game)
    text = [f"{game.variant.title}, {game.state}" + (f", {game.phase.code}" if game.phase is not None else "")]
    if game.paused:
        text.append("The game is paused. To continue, write RESUME.")
    elif game.phase is not None and game.withheld:
        code = game.phase.code
        text.append(f"The results of {code} wait: RELEASE {code} lets them go, ROLLBACK {code} opens the orders again.")
    elif game.phase is not None and game.running and not game.timed:
        text.append(f"{UNTIMED[game.options.early]} PROCESS {game.phase.code} has it adjudicated now.")
    due = [
        (row.kind.capitalize(), row.due_at, "")
        for row in agenda.open_deadlines(ctx.tx.session, game.id)
        if row.kind not in (DeadlineKind.ACTION, DeadlineKind.DEPUTY)
    ]
    due += [("Scheduled", row.due_at, f": {row.line}") for row in agenda.scheduled(ctx.tx.session, game.id)]
    text += [f"{what}: {full_moment(at, zone)}{line}" for what, at, line in due]
    table = Table((("Power", "Orders", "Heard", "Turnout", "Player"), *_rows(ctx, game)), headed=True)
    below = (tuple(_waiting(ctx, game)), tuple(_next_steps(ctx, game)))
    ctx.show(f"Dashboard of {game.name}", [Paragraphs(tuple(text)), table, *(Paragraphs(one) for one in below if one)])


def failing(ctx: Context, game: Game) -> dict[int, str]:
    """The seats whose players' mail is refused or bounces, or has bounced lately though they write to us."""
    addresses = _addresses(game)
    lately = sent.bounced_lately(ctx.tx.session, addresses, ctx.tx.now)
    return unreachable(game, lately, refusals.refused_of(ctx.tx.session, addresses, ctx.tx.now))


def _addresses(game: Game) -> list[str]:
    return [email for person in game.people.values() for email in person.addresses]


def _rows(ctx: Context, game: Game) -> list[tuple[str, ...]]:
    """One row for each seat. A gamemaster who plays sees only what every player sees."""
    came, gone, plays = people.turnout_of(ctx.tx.session, game.people), failing(ctx, game), ctx.plays(game)
    heard = {} if plays else _last_heard(ctx, game)
    rows: list[tuple[str, ...]] = []
    for seat in game.listed:
        person = None if game.is_secret(seat) and plays else seat.person
        who = holder_name(game, seat) if plays or _may_play_yet(game) else _holder(game, seat)
        who = (who or "-") + (f" ({gone[seat.id]})" if seat.id in gone and person is not None else "")
        turnout = turnout_words(came[person.id]) if person is not None and came[person.id] and not plays else ""
        progress = "" if plays else progress_of(game, seat)
        power = seat.power or (seat.wish if not plays and not game.variant.seating.secret else None)
        rows.append((power or "-", progress, heard.get(seat.id, ""), turnout, who))
    return rows


def _last_heard(ctx: Context, game: Game) -> Mapping[int, str]:
    """When something was last received from the holder of each seat, at its present address or as press; of a secret
    seat that is not told.
    """
    zone = ctx.tx.identity.zone_of(ctx.person, game)
    seats = {ctx.tx.identity.stored_address_of(game, seat): seat.id for seat in game.held}
    heard = records.last_heard(ctx.tx.session, game.id, seats)
    return {seat_id: moment(at, zone) for seat_id, at in heard.items() if not game.is_secret(game.seat(seat_id))}


def _may_play_yet(game: Game) -> bool:
    """Whether the gamemaster may still take a seat in a game with a secret one, and so must not see who asks for it."""
    return game.state is GameState.FORMING and bool(game.variant.seating.secret)


def _holder(game: Game, seat: Seat) -> str:
    """Who holds a seat, for a gamemaster who does not play; "" if nobody did to the end."""
    if seat.person is None:
        return without_player(game, seat)
    return f"{seat.person.name} <{seat.person.addresses[0]}>"


def progress_of(game: Game, seat: Seat) -> str:
    """The state of a seat's orders in a few words, for the gamemaster; of a secret seat always the same."""
    if game.is_secret(seat):
        return "not waited for" if game.running else ""
    given = game.orders.get(seat.id)
    if not game.running or seat.power not in game.duties:
        return "nothing to order" if game.running else ""
    finished = given is not None and given.complete
    word = "none" if not game.has_ordered(seat) else "complete" if finished else "incomplete"
    late = ", late" if game.in_grace and word == "none" else ""
    said = ("", ", READY" if finished else "") if game.options.early == "ready" else (", waits", "")
    return word + late + said[not seat.wait]


def _waiting(ctx: Context, game: Game) -> list[str]:
    """Mail that does not leave, votes, the standby list, invitations, absences, and unanswered questions."""
    lines, plays = [], ctx.plays(game)
    if not plays:
        stuck = refusals.stuck_among(ctx.tx.session, _addresses(game))
        lines += [f"{one.problem} ({without_addresses(one.words)})" for one in stuck]
    standing_by = people.standbys_of(ctx.tx.session, game.id)
    if standing_by and not (plays and game.names_hidden):
        known = loading.people(ctx.tx.session, [entry.account_id for entry in standing_by])
        lines.append("On standby: " + ", ".join(known[entry.account_id].name for entry in standing_by))
    untold = (plays and game.names_hidden) or _may_play_yet(game)
    joined = set() if untold else {email.lower() for email in _addresses(game)}
    invited = [one.email for one in people.invitations_of(ctx.tx.session, game.id) if one.email.lower() not in joined]
    if invited:
        lines.append("Invited: " + ", ".join(invited))
    return lines if plays else [*lines, *_away(ctx, game), *_unanswered(ctx, game)]


def _away(ctx: Context, game: Game) -> Iterator[str]:
    zone = ctx.tx.identity.zone_of(ctx.person, game)
    for away in people.absences_of(ctx.tx.session, list(game.people), ctx.now):
        who = game.people[away.account_id].name if not game.names_hidden else "a player"
        yield f"Absent: {who}, {moment(away.begins, zone)} to {moment(away.ends, zone)}"
    for seat in game.seats:
        if seat.deputy_of is not None and seat.person is not None:
            yield f"Deputy of {seat.power}: {_holder(game, seat)}, {deputies.when(ctx.tx, game, seat, ctx.person)}"


def _unanswered(ctx: Context, game: Game) -> Iterator[str]:
    held, asked = question_rows.waiting_for(ctx.tx.session, [seat.id for seat in game.seats])
    if held:
        yield f"Mails quarantined until a player confirms them: {held}"
    if asked:
        yield f"Other questions that players have not answered: {asked}"


def _next_steps(ctx: Context, game: Game) -> Iterator[str]:
    """What a gamemaster may want to write now. Of a secret seat, and to one who plays, it says nothing."""
    if game.state is GameState.FORMING:
        yield f"In {game.name} {seats_taken(game)}. INVITE address asks somebody to play; START begins the game."
    if not game.running or ctx.plays(game):
        return
    shown = [seat for seat in game.players if not game.is_secret(seat) and seat.power in game.duties]
    late = [seat.power or "" for seat in shown if seat.person is not None and not game.has_ordered(seat)]
    if late and not (game.paused or game.withheld) and game.phase is not None:
        more = "EXTEND 24h gives them more time" if game.timed else "DEADLINE in 48h sets them a deadline"
        yield (
            f"Without orders: {listed(late)}. {more}, ORDERS FOR {late[0]} with orders below"
            f" orders for one, PROCESS {game.phase.code} goes on without them."
        )
    vacant = [seat.power or "" for seat in game.vacant if seat not in game.standins and not game.is_secret(seat)]
    if vacant:
        yield (
            f"Without a player: {listed(vacant)}. REPLACE {vacant[0]} WITH address asks somebody to play it, STANDIN"
            f" {vacant[0]} lets the program play it."
        )


DASHBOARD = Command(
    "dashboard",
    Syntax("DASHBOARD", asks=True, sentences=Sentences.UNLESS_WHOLE),
    Policy(Who.MASTER),
    act_dashboard,
    Help(
        "see who has ordered, and what is due",
        """
        For each power: whether its orders are in (READY or WAIT as they were
        written), when something was last heard from its player, and how
        reliably they have ordered. Then bounces, absences, questions, and what
        you may want to write next. A gamemaster who plays is shown what every
        player may know.
        """,
    ),
)
