"""DASHBOARD: the gamemaster's view of a game: who has ordered, what is due, and what waits for somebody."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import time, timedelta
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from gm.board import Power
from gm.commands.all_games import run_by
from gm.commands.context import Context
from gm.commands.declaration import About, Command, Help, Policy, Record, Sentences, Stage, Syntax, Who
from gm.commands.invitations import to_play
from gm.commands.process import PROCESS, RELEASE, awaited, lacks
from gm.commands.promote import called, offers_rights
from gm.commands.record import late_of
from gm.commands.roster import refuse_secret, seat_named
from gm.commands.scheduling import said_of
from gm.errors import NotNow
from gm.games import loading
from gm.games.limits import Spent
from gm.games.report_inputs import early_by, holder_name, unreachable, without_player
from gm.games.snapshot import Game, Seat, holders
from gm.mail.message.bounce_report import without_addresses
from gm.play import admission, beginning, calendar, deputies, roll_call, turnout
from gm.play.beginning import how_it_begins
from gm.play.questions import SEAT
from gm.play.seats import seats_taken
from gm.reports import day, full_moment, listed, moment
from gm.reports.blocks import Paragraphs, Table
from gm.reports.reader import BY_READY, UNTIMED
from gm.store import agenda, game_rows, people, question_rows, records, refusals, sent
from gm.store.agenda import DeadlineKind
from gm.store.game_rows import GameState, SeatRole
from gm.store.people import AbsenceRow


def act_dashboard(ctx: Context, args: Mapping[str, Any]) -> None:
    """Show who has ordered, who is late or cannot be reached, what is due, and what waits for somebody; at the
    server's address a line for each game that the sender runs.
    """
    del args
    if ctx.game is None:
        show_desk(ctx)
        return
    game, _ = ctx.seated()
    zone = ctx.tx.identity.zone_of(ctx.person, game)
    text = [f"{game.variant.title}, {game.state}" + (f", {game.phase.code}" if game.phase is not None else "")]
    text += (
        [f"Gamemasters: {listed(moderators(game, addresses=not ctx.plays(game)))}"] if len(game.moderators) > 1 else []
    )
    text += _moderators_away(ctx, game)
    if game.paused:
        text.append("The game is paused. To continue, write RESUME.")
    elif game.phase is not None and game.withheld:
        code = game.phase.code
        since = full_moment(game.phase.closed_at, zone) if game.phase.closed_at is not None else ""
        goes = _is_released(ctx, game)
        text.append(f"The results of {code} {'go to everybody now' if goes else f'have waited since {since}'}.")
        if not goes and RELEASE.is_open_to(ctx.seat):
            text.append(f"RELEASE {code} lets them go, ROLLBACK {code} opens the orders again.")
    elif game.phase is not None and game.running and not game.timed:
        text.append(f"{UNTIMED[early_by(game)]} PROCESS {game.phase.code} has it adjudicated now.")
    closes = {DeadlineKind.ADJUDICATE: "Late orders are accepted until" if game.in_grace else "Deadline"}
    of_all = [game.due_at - lead for lead in game.options.clock.reminders] if game.due_at is not None else []
    due = [
        (closes.get(row.kind, row.kind.capitalize()), row.due_at)
        for row in agenda.open_deadlines(ctx.tx.session, game.id)
        if row.kind is DeadlineKind.STANDBY or (row.kind in _OF_PHASE and row.phase_id == game.phase_id)
        if row.kind is not DeadlineKind.REMINDER or game.due_at is None or row.due_at in of_all
    ]
    text += [f"{what}: {full_moment(at, zone)}" for what, at in due]
    text += _mustered(ctx, game)
    text += [f"Scheduled: {said_of(ctx, game, row)}" for row in agenda.scheduled(ctx.tx.session, game.id)]
    if game.running and ctx.plays(game):
        text.append("Whose orders are in is not shown to you, since you play; REMIND writes to those who are late.")
    table = Table((("Power", "Orders", "Heard", "Turnout", "Away", "Player", "Write"), *_rows(ctx, game)), headed=True)
    above = (tuple(text), tuple(_next_steps(ctx, game)))
    below = (tuple(_waiting(ctx, game)), tuple(_notes(ctx)))
    paragraphs = [[Paragraphs(one) for one in part if one] for part in (above, below)]
    ctx.show(f"Dashboard of {game.name}", [*paragraphs[0], table, *paragraphs[1]])


def _mustered(ctx: Context, game: Game) -> list[str]:
    """Who has not answered the roll call of this phase, if there is one; not to who plays, who sees what all see."""
    if ctx.plays(game) or game.phase is None or agenda.roll_call(ctx.tx.session, game.phase.id) is None:
        return []
    silent = [seat.label for seat in roll_call.unanswered(ctx.tx, game) if not game.is_secret(seat)]
    return [f"No answer to MUSTER yet: {listed(silent)}." if silent else "All have answered MUSTER."]


def show_desk(ctx: Context, names: Collection[str] = ()) -> None:
    """All games that the sender runs, or those with these names, in one table, and what waits for them, with a button
    for each thing.
    """
    mine = [(game, seat) for game, seat in run_by(ctx) if not names or game.name in names]
    rows = desk(ctx, mine)
    if not rows:
        raise NotNow("You are not the gamemaster of any game that is not over.", "HELP CREATE says how to make one.")
    if ctx.person is not None and ctx.game is None:
        # an address that only they know: what is named in a reply to it is not asked about
        address = ctx.tx.identity.digest_address(ctx.person.id, ctx.now.date())
        ctx.answer = replace(ctx.answer, replies_to=address)
    before = ctx.answer.parts
    ctx.show("Your games as gamemaster", [Table((DESK, *rows), headed=True)])
    if ctx.answer.parts == before:
        return  # the same mail has asked for it before
    for said in filter(None, (_who_is_missing(ctx, game, seat) for game, seat in mine)):
        ctx.say(said)


DESK = ("Game", "Phase", "Due", "Without orders", "Waits for you")
"""The head of the table of all games that somebody runs."""
_NOT_SHOWN = "not shown: you play"


def desk(ctx: Context, mine: Sequence[tuple[Game, Seat]]) -> list[tuple[str, ...]]:
    """The rows of that table for these games (`run_by`), first those where something waits; for what waits a button is
    offered.
    """
    rows: list[tuple[str, ...]] = []
    for game, seat in mine:
        own = replace(ctx, actor=seat, about=game)
        zone = ctx.tx.identity.zone_of(ctx.person, game)
        goes_on = calendar.pause_end(ctx.tx, game)
        paused = f"paused until {moment(goes_on, zone)}" if goes_on is not None else "paused"
        due = paused if game.paused else moment(game.due_at, zone) if game.due_at is not None else ""
        waits = list(_waits_for(own, game))
        phase = game.code or str(game.state)
        dummies = (f"{seat.label} (dummy)" for seat in _idle_dummies(own, game))
        late = _NOT_SHOWN if game.running and ctx.plays(game) else ", ".join((*_without_orders(own, game), *dummies))
        rows.append((game.name, phase, due, late, "; ".join(what for what, _ in waits)))
        for what, lines in waits:
            for line in lines:
                ctx.offer(f"GAME {game.name}\n{line}", what)
    return sorted(rows, key=lambda row: not row[-1])


def _waits_for(ctx: Context, game: Game) -> Iterator[tuple[str, Sequence[str]]]:
    """What waits for the gamemaster in one of their games, what they alone can decide first, and what to write; nothing
    where that needs more words. What they chose themselves, such as stand-ins, does not wait.
    """
    code, plays = game.code, ctx.plays(game)
    if game.withheld and not _is_released(ctx, game):
        yield f"results of {code} to release", [f"RELEASE {code}"]
    for power in filter(partial(_knows_duties, ctx, game), late_of(ctx, game)):
        yield f"late orders of {power}", [f"ACCEPT LATE {power}", f"REFUSE LATE {power}"]
    if game.state is GameState.FORMING and not beginning.missing(game):
        yield "it can begin", [f"START {game.name}"]
    asked = _asked(ctx, game)
    for seat in game.vacant if game.running else ():
        if seat in game.standins:
            continue
        how = "nobody orders for it" + (f", {asked[seat.id]} is asked" if seat.id in asked else "")
        yield f"vacant: {seat.power} ({how})", [] if seat.id in asked else _steps(ctx, game, seat)
    if plays:
        return
    gone = [
        game.seat(key).power or "a player" for key in failing(ctx, game, ctx.seat) if not game.is_secret(game.seat(key))
    ]
    if gone:
        yield f"mail fails to {', '.join(gone)}", ["DASHBOARD"]
    if unanswered := list(_unanswered(ctx, game)):
        yield "; ".join(unanswered), []
    soon = game.due_at is not None and not game.paused and game.due_at - ctx.now <= _SOON
    if soon and (lacking := _without_orders(ctx, game)):
        yield f"due within a day, without orders: {', '.join(lacking)}", ["REMIND"]


_SOON = timedelta(days=1)


def _is_released(ctx: Context, game: Game) -> bool:
    """Whether the results that wait were released in the same mail."""
    row = game_rows.phase_by_id(ctx.tx.session, game.phase.id) if game.phase is not None else None
    return row is not None and row.released_at is not None


def _who_is_missing(ctx: Context, game: Game, seat: Seat) -> str:
    """How many seats of a forming game that cannot begin yet, or waits for invited people, are taken, and who these
    are, as far as the seat that runs it may know; which vacant seats of a running one stand-ins play, as far as is
    public, and who is asked to play them; "" if none.
    """
    if game.state is GameState.FORMING:
        told = admission.knows_the_invited(game, seat)
        invited = [one.email for one in admission.open_invitations(ctx.tx, game, seat)] if told else []
        silent = f" Invited: {', '.join(invited)}." if invited else ""
        return f"{game.name}: {seats_taken(game)}.{silent}" if beginning.missing(game) or invited else ""
    asked = _asked(ctx, game)
    seats = [seat for seat in game.vacant if game.running and seat in game.standins]
    powers = [f"{one.power} ({asked[one.id]} is asked)" if one.id in asked else str(one.power) for one in seats]
    return f"{game.name}: stand-ins play {', '.join(powers)}." if powers else ""


_NOTES = 5
_OF_PHASE = (DeadlineKind.ADJUDICATE, DeadlineKind.REVIEW, DeadlineKind.REMINDER, DeadlineKind.MUSTER)
"""What is due in a phase, and no more when another is played."""


def moderators(game: Game, *, addresses: bool = False) -> list[str]:
    """The names of those who run the game (with `addresses`, the address of who has none), and who are assistants."""
    held = holders(game.moderators)
    named = [(seat, called(person) if addresses else person.name) for seat, person in held]
    return [name if seat.role is SeatRole.MASTER else f"{name} ({seat.title})" for seat, name in named]


def _moderators_away(ctx: Context, game: Game) -> list[str]:
    """When those who run the game are away; to one who plays only when they are themselves."""
    zone, own = ctx.tx.identity.zone_of(ctx.person, game), ctx.account_id
    held = {person.id: person.name for _, person in holders(game.moderators)}
    shown = [key for key in held if key == own or not ctx.plays(game)]
    return [
        f"{'You are' if one.account_id == own else f'{held[one.account_id]} is'} away: {_span(one, zone)}"
        for one in people.absences_of(ctx.tx.session, shown, ctx.now)
        if one.account_id == own or calendar.is_shown(game, one)
    ]


def _asked(ctx: Context, game: Game) -> Mapping[int, str]:
    """Who was asked with REPLACE to play a seat, and has not answered yet, by the seat; to one who plays, nothing."""
    rows = question_rows.open_of(ctx.tx.session, SEAT, game.id) if not ctx.plays(game) else ()
    seats = {int(row.detail["seat"]): row.asked for row in rows if "seat" in row.detail}
    return {key: person for key, person in seats.items() if not game.is_secret(game.seat(key))}


def vacant_one(ctx: Context) -> str:
    """The only power of a running game that has no player or that somebody is asked to play; "" if there is not one."""
    game = ctx.game
    if game is None or not game.running or ctx.plays(game):
        return ""
    powers = {str(seat.power) for seat in game.vacant} | {str(game.seat(key).power) for key in _asked(ctx, game)}
    return powers.pop() if len(powers) == 1 else ""


def _span(absence: AbsenceRow, zone: ZoneInfo) -> str:
    """When somebody is away: whole days as days, `Fri 27 Nov to Sun 29 Nov`."""
    begins, ends = absence.begins.astimezone(zone), absence.ends.astimezone(zone)
    if begins.time() == ends.time() == time():
        first, last = day(begins), day(ends - timedelta(days=1))
        return first if first == last else f"{first} to {last}"
    return f"{moment(begins, zone)} to {moment(ends, zone)}"


def failing(ctx: Context, game: Game, reader: Seat | None) -> dict[int, str]:
    """The seats whose players' mail of this game is refused or bounces, or has bounced lately though they write to us,
    of those of whom this gamemaster may know that.
    """
    of_game = _addresses(game, game.seats), ctx.now, [seat.id for seat in game.seats]
    lately = sent.bounced_in_game(ctx.tx.session, *of_game)
    found = unreachable(game, lately, refusals.refused_of(ctx.tx.session, *of_game))
    return {key: words for key, words in found.items() if game.knows_arrival(reader, game.seat(key))}


def _addresses(game: Game, seats: Iterable[Seat]) -> list[str]:
    people = {seat.person.id: game.people[seat.person.id] for seat in seats if seat.person is not None}
    return [email for person in people.values() for email in person.addresses]


def _rows(ctx: Context, game: Game) -> list[tuple[str, ...]]:
    """One row for each seat. A gamemaster who plays sees only what every player sees, and so does one who may not know
    of a secret seat, of which everybody sees the same at all times.
    """
    came = turnout.seen_by_master(ctx.tx, game, ctx.seat, game.people)
    gone, plays = failing(ctx, game, ctx.seat), ctx.plays(game)
    heard, away = ({}, {}) if plays else (_last_heard(ctx, game), _away(ctx, game))
    asked = _asked(ctx, game)
    rows: list[tuple[str, ...]] = []
    for seat in game.players:
        knows = game.knows(ctx.seat, seat)
        person = None if game.is_secret(seat) and not knows else seat.person
        who = _holder(game, seat) if knows and not game.undealt else holder_name(game, seat)
        who = (who or "-") + (f" ({gone[seat.id]})" if seat.id in gone and person is not None else "")
        orders = game.knows_duties(ctx.seat, seat) and knows
        reliable = turnout.in_words(came[person.id]) if person is not None and came[person.id] and orders else ""
        power = game.power_known(ctx.seat, seat) or (seat.wish if knows and not game.variant.seating.secret else None)
        progress = progress_of(game, seat) if orders else ""
        steps = _steps(ctx, game, seat, unreachable=seat.id in gone) if knows else []
        step = f"{asked[seat.id]} is asked to play it" if seat.id in asked else " or ".join(steps)
        last = heard.get(seat.id, "") if orders and game.knows_writing(ctx.seat) else ""
        rows.append((power or "-", progress, last, reliable, away.get(seat.id, ""), who, step))
    return rows


def known_of(ctx: Context, words: Collection[str]) -> list[str]:
    """What a gamemaster who may know everybody knows of the people whom these words, in small letters, name by a name
    of theirs or by their address: a sentence or more for each; those who are only asked to play, too.
    """
    game = ctx.game
    if game is None or ctx.plays(game) or not admission.knows_the_invited(game, ctx.seat):
        return []
    asked = {email: str(game.seat(key).power) for key, email in _asked(ctx, game).items()}
    asked |= {one.email: one.power or "" for one in admission.open_invitations(ctx.tx, game, ctx.seat)}
    each = zip(game.players, _rows(ctx, game), strict=True)
    held = [(seat.person, f"{seat.person.name} {seat.label}", row) for seat, row in each if seat.person is not None]
    named = [_named_by(words, name, person.addresses) for person, name, _ in held]
    most = max((*named, *(_named_by(words, "", [email]) for email in asked)), default=0)
    said = []
    for (person, _, row), number in zip(held, named, strict=True) if most else ():
        if number < most:
            continue
        power, orders, heard, reliable, away, who, _ = row
        others = [(one, own) for one, own in run_by(ctx) if one.id != game.id and one.plays(person)]
        also = [one.name for one, own in others if not ctx.plays(one) and admission.knows_the_invited(one, own)]
        facts = {
            "Orders": orders,
            "Heard": heard,
            "In all games": reliable,
            "Away": away or "no",
            "Also in": listed(also),
        }
        said.append(" ".join((f"{who} plays {power}.", *(f"{name}: {what}." for name, what in facts.items() if what))))
    for email, power in asked.items() if most else ():
        if _named_by(words, "", [email]) == most:
            said.append(f"{email} is asked to play{f' {power}' if power else ''}, and has not answered.")
    return said


def _named_by(words: Collection[str], name: str, addresses: Iterable[str]) -> int:
    """How many of these words, in small letters, name somebody: words of their name, or their address."""
    names = set(re.findall(r"[^\W\d_]{3,}", name.casefold()))
    names |= {part for one in addresses for part in (one.lower(), one.partition("@")[0].lower())}
    return len(names.intersection(words))


def _last_heard(ctx: Context, game: Game) -> Mapping[int, str]:
    """When something was last received from the holder of each seat, at its present address or as press, or when they
    took it; of a secret seat that is not told.
    """
    zone = ctx.tx.identity.zone_of(ctx.person, game)
    seats = {ctx.tx.identity.stored_address_of(game, seat): seat.id for seat in game.held}
    joined = {seat.id: seat.joined_at for seat in game.held if seat.joined_at is not None}
    heard = {**joined, **records.last_heard(ctx.tx.session, game.id, seats)}
    return {seat_id: moment(at, zone) for seat_id, at in heard.items() if not game.is_secret(game.seat(seat_id))}


def _away(ctx: Context, game: Game) -> Mapping[int, str]:
    """When the holder of each seat is away, and who orders for them then; of a secret seat that is not told."""
    zone, said = ctx.tx.identity.zone_of(ctx.person, game), defaultdict[int, list[str]](list)
    seats = [] if game.undealt else [seat for seat in game.held if not game.is_secret(seat)]
    absent = people.absences_of(ctx.tx.session, [person.id for _, person in holders(seats)], ctx.now)
    for seat in seats:
        spans = (one for one in absent if one.account_id == seat.account_id and calendar.is_shown(game, one))
        said[seat.id] += [_span(one, zone) for one in spans]
        for deputy in game.deputies_of(seat):
            said[seat.id].append(f"deputy {_holder(game, deputy)}, {deputies.when(ctx.tx, game, deputy, ctx.person)}")
    return {seat_id: "; ".join(words) for seat_id, words in said.items()}


def who_is_away(ctx: Context, game: Game) -> str:
    """Which players are away, and when, for who runs the game."""
    if ctx.plays(game):
        return "Who is away is not shown to you, since you play."
    away = _away(ctx, game)
    said = [f"{seat.label}: {away[seat.id]}" for seat in game.players if away.get(seat.id)]
    return f"Away: {'; '.join(said)}." if said else "No player has said to be away."


def _steps(ctx: Context, game: Game, seat: Seat, *, unreachable: bool = False) -> list[str]:
    """What a gamemaster may want to write about a seat now, as far as their rights go; of a secret seat nothing."""
    if not game.running or game.paused or game.in_review or game.is_secret(seat):
        return []
    replaced, power = ("replace", f"REPLACE {seat.power} WITH address"), seat.power
    if seat in game.vacant:
        steps = [replaced] if seat in game.standins else [replaced, ("standin", f"STANDIN {power}")]
    elif _is_idle_dummy(ctx, game, seat):
        steps = [("ordersfor", f"ORDERS FOR {power}")]
    elif seat.person is None or not lacks(ctx, game, seat):
        return []
    else:
        steps = [replaced] if unreachable else [("press", f"PRESS TO {power}"), ("ordersfor", f"ORDERS FOR {power}")]
    return [line for name, line in steps if ctx.commands[name].is_open_to(ctx.seat)]


def _holder(game: Game, seat: Seat) -> str:
    """Who holds a seat, for a gamemaster who does not play; "" without a holder at the end."""
    if seat.person is None:
        return without_player(game, seat)
    return f"{seat.person.name} <{seat.person.addresses[0]}>"


def progress_of(game: Game, seat: Seat) -> str:
    """The state of a seat's orders in a few words, for the gamemaster; of a secret seat always the same."""
    if game.is_secret(seat):
        return "not waited for" if game.running else ""
    given = game.orders.get(seat.id)
    if not game.running:
        return ""
    if seat.power not in game.duties:
        return "nothing to order" if game.is_in(seat) or not game.is_asked(seat) else "nothing to order, not READY"
    finished = given is not None and given.complete
    word = "none" if not game.has_ordered(seat) else "complete" if finished else "incomplete"
    late = ", late" if game.in_grace and word == "none" and seat.person is not None else ""
    ready = ", READY" if finished and seat.person is not None else ""
    said = ("", ready) if early_by(game) in BY_READY else (", waits", "")
    return word + late + said[not seat.wait]


def _waiting(ctx: Context, game: Game) -> list[str]:
    """Mail that does not leave, the standby list, invitations, and unanswered questions."""
    lines, plays = [], ctx.plays(game)
    if not plays:
        whose = [seat for seat in game.seats if game.knows_arrival(ctx.seat, seat)]
        stuck = refusals.stuck_among(ctx.tx.session, _addresses(game, whose))
        lines += [f"{one.problem} ({without_addresses(one.words)})" for one in stuck]
    standing_by = people.standbys_of(ctx.tx.session, game.id)
    if not (plays and game.names_hidden):
        known = loading.people(ctx.tx.session, [entry.account_id for entry in standing_by])
        waiting = [known[entry.account_id] for entry in standing_by]
        named = (one.name if plays or not one.addresses else f"{one.name} <{one.addresses[0]}>" for one in waiting)
        lines.append(f"On standby: {', '.join(named) or 'nobody'}")
    if not admission.knows_the_invited(game, ctx.seat):
        own = question_rows.asked_from(ctx.tx.session, SEAT, game.id, ctx.seated()[1].id)
        asked = {people.normal(row.asked) for row in own if to_play(row)}
        lines += [f"Asked by you to play: {len(asked)}"] if asked else []
    elif invited := admission.open_invitations(ctx.tx, game, ctx.seat):
        lines.append(f"Invited: {', '.join(one.email for one in invited)}")
    offered = [row.asked for row in question_rows.open_of(ctx.tx.session, SEAT, game.id) if offers_rights(row)]
    lines += [f"Asked to run the game, without an answer yet: {', '.join(offered)}"] if offered and not plays else []
    return lines if plays else [*lines, *_unanswered(ctx, game)]


def _notes(ctx: Context) -> list[str]:
    """The newest notes of who runs the game, to themselves."""
    notes = records.diary_of(ctx.tx.session, ctx.seated()[1].id, ctx.known().id)[-_NOTES:]
    return [f"Your note of {one.written_at:%d %b}: {one.body}" for one in notes]


def _unanswered(ctx: Context, game: Game) -> Iterator[str]:
    theirs = [one.id for one in game.seats if not one.moderates and game.knows_duties(ctx.seat, one)]
    held, asked = question_rows.waiting_for(ctx.tx.session, theirs)
    if held:
        yield f"Mails quarantined until a player confirms them: {held}"
    if asked:
        yield f"Other questions that players have not answered: {asked}"


def _next_steps(ctx: Context, game: Game) -> Iterator[str]:
    """What a gamemaster may want to write now. Of a secret seat, and to one who plays, it says nothing."""
    if game.state is GameState.FORMING:
        yield f"In {game.name} {seats_taken(game)}. INVITE address asks somebody to play. {how_it_begins(game)}"
    if not game.running or game.paused or game.in_review or ctx.plays(game) or game.phase is None:
        return
    if ready := _not_ready(ctx, game):
        yield f"Not READY yet, with nothing to order: {listed(ready)}."
    if late := _without_orders(ctx, game):
        more = "EXTEND 24h gives them more time" if game.timed else "DEADLINE in 48h sets them a deadline"
        going = f", PROCESS {game.phase.code} goes on without them" if PROCESS.is_open_to(ctx.seat) else ""
        yield f"Without orders: {listed(late)}. {more}{going}."
    if idle := _idle_dummies(ctx, game):
        how = listed([f"ORDERS FOR {seat.power}" for seat in idle])
        yield f"Dummies without orders: {listed(seat.label for seat in idle)}. The rules decide unless you write {how}."


def _late(ctx: Context, game: Game, but: Collection[int] = ()) -> list[str]:
    """The powers that are asked for orders, or for READY, and have not sent them, but for secret ones, as far as the
    actor may know it; to one who plays, none. Of what is not simply missing it says what it is, as the table of the
    game does. `but`: seats that are left out.
    """
    lack = ((seat, progress_of(game, seat)) for seat in awaited(ctx, game) if seat.id not in but)
    more = ((seat, how.removeprefix("none").replace(", late", "").strip(", ")) for seat, how in lack)
    return [f"{seat.label} ({how})" if how else seat.label for seat, how in more]


def _without_orders(ctx: Context, game: Game) -> list[str]:
    """Those of them that have something to order."""
    return _late(ctx, game, [seat.id for seat in game.unfinished if seat.power not in game.duties])


def _idle_dummies(ctx: Context, game: Game) -> list[Seat]:
    return [seat for seat in game.players if _is_idle_dummy(ctx, game, seat)]


def _is_idle_dummy(ctx: Context, game: Game, seat: Seat) -> bool:
    """Whether a power is without a player on purpose, has something to order, and nobody has ordered for it: nothing
    waits for it. As far as the actor may know it and may order for it; to one who plays, none is.
    """
    if seat.dummy_since is None or seat.power not in game.duties or game.in_review or ctx.plays(game):
        return False
    may = ctx.commands["ordersfor"].is_open_to(ctx.seat)
    known = may and game.knows_duties(ctx.seat, seat) and not game.is_secret(seat)
    return known and not game.has_ordered(seat, incomplete_too=False)


def _not_ready(ctx: Context, game: Game) -> list[str]:
    """Those of them that are asked only for READY."""
    return [seat.label for seat in awaited(ctx, game) if seat.power not in game.duties]


def _knows_duties(ctx: Context, game: Game, power: str) -> bool:
    seat = game.seat_of(Power(power))
    return seat is not None and not ctx.plays(game) and game.knows_duties(ctx.seat, seat)


_REMINDED_FOR = timedelta(hours=1)
"""For so long nobody who was reminded, by the gamemaster or before the deadline, is reminded by REMIND."""


def act_remind(ctx: Context, args: Mapping[str, Any]) -> None:
    """Send a reminder now to those whose orders are missing, at most once an hour. The answer says who they are to
    those only who may know it.
    """
    game, seat = ctx.seated()
    others = _but(game, args["power"]) if args["power"] is not None else []
    calendar.check_open(game, seat)
    if game.due_at is None:
        raise NotNow(f"{game.name} has no deadline now, so nothing is due.", "RESUME ends a pause.")
    reminded = agenda.seats_owed(ctx.tx.session, ctx.running(game).id, "reminder:", ctx.now - _REMINDED_FOR)
    fresh = [seat for seat in game.unfinished if seat.id not in (*reminded, *others)]
    ctx.tx.owe(game, fresh, f"reminder:{game.due_at:%s}:{ctx.now:%s}")
    ctx.say(_reminded(ctx, game, reminded, others))
    ctx.note("remind")


def _but(game: Game, power: str) -> list[int]:
    """All seats but that of a power. Raises NotUnderstood; NotPermitted for a secret one."""
    seat = seat_named(game, power)
    refuse_secret(game, seat, "be reminded alone")
    return [one.id for one in game.seats if one is not seat]


def _reminded(ctx: Context, game: Game, before: Collection[int], others: Collection[int]) -> str:
    """To whom a reminder goes, and whose went less than an hour `before`; nothing of `others`; the same of everybody to
    who may not know.
    """
    if ctx.plays(game) or not game.knows_duties(ctx.seat, game.players[0]):
        return "A reminder goes to everybody whose orders are missing, but to nobody twice within an hour."
    every, fresh = _late(ctx, game, others), _late(ctx, game, (*before, *others))
    again = [one for one in every if one not in fresh]
    goes = f"A reminder goes to {listed(fresh)}." if fresh else ""
    if not again:
        return goes or f"{'These' if others else 'All'} orders are in, so there is nobody to remind."
    went = f"reminder went to {listed(again)} less than an hour ago, and REMIND sends one an hour at most."
    return f"{goes} A {went}" if fresh else f"Nobody was reminded again: a {went}"


REMIND = Command(
    "remind",
    Syntax("REMIND [power:KNOWN_POWER]", ("REMIND", "REMIND power"), sentences=Sentences.UNLESS_WHOLE),
    Policy(
        Who.MASTER,
        Stage.RUNNING,
        by_assistants=True,
        schedulable=True,
        harmless=True,
        record=Record(quiet=True),
        cost=5,
        spends=(Spent.MAILS,),
        about=(About.WORDS,),
    ),
    act_remind,
    Help(
        "remind those whose orders are missing or incomplete",
        """
        They get the reminder of the deadline now, with their form for orders;
        at most once an hour. REMIND and a power reminds that one alone; ALL
        GAMES: REMIND does it in all your games. You read to whom it went unless
        you play, or that is hidden in the game.
        """,
    ),
)
DASHBOARD = Command(
    "dashboard",
    Syntax("DASHBOARD", synonyms=("desk",), asks=True, sentences=Sentences.UNLESS_WHOLE),
    Policy(Who.MASTER, by_assistants=True, of_all_games=True),
    act_dashboard,
    Help(
        "see who has ordered, and what is due",
        """
        For each power: whether its orders are in (READY or WAIT as they were
        written), when something was last heard from its player, how reliably
        they have ordered, when they are away and who orders for them then,
        bounces, and what you may want to write about them. Then questions,
        and what else to write next. A gamemaster who plays is shown what every
        player may know, and an assistant nothing of a secret seat, nor whose
        orders are in where that is hidden from players. Who may not know every
        player is told how many they have asked to play themselves, and nothing
        of other invitations.
        """,
    ),
)
