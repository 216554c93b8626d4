"""STATUS, LIST, SUMMARY, RULES and DASHBOARD: how games stand, as far as the reader may know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.board import Power
from gm.commands.account import turnout_words
from gm.commands.context import Context
from gm.commands.declaration import Command, Help, Policy, Sentences, Syntax, Who
from gm.errors import NotNow, NotUnderstood
from gm.files import folder
from gm.games.post import unreachable
from gm.games.report_inputs import called, due_at, game_facts, held_orders, history, reader_of, view_of
from gm.games.snapshot import Table
from gm.games.terms import seats_taken, terms
from gm.reports.context import GameLine, GameList, SeatStatus, StatusAnswer
from gm.reports.turn_summary import years_text
from gm.reports.words import columns, full_moment, quote, wrap
from gm.store import agenda, game_rows, people, question_rows, records
from gm.store.game_rows import GameState, SeatRole, SeatRow
from gm.store.order_rows import OrderSetRow
from gm.variants import all_variants


def act_status(ctx: Context, args: Mapping[str, Any]) -> None:
    """Show the position, the deadline, the seats and, to whoever has a seat, their orders."""
    table = ctx.public_table(args["game"])
    seat = ctx.own_seat(table)
    sets = table.order_sets()
    begun = table.position is not None
    plays = seat is not None and seat.role is SeatRole.PLAYER and seat.power in table.duties
    ctx.parts.append(
        StatusAnswer(
            game=game_facts(table),
            reader=reader_of(ctx.office, ctx.account, table.game if seat else None, seat),
            state=_state(table),
            view=view_of(table, seat) if begun else None,
            deadline=due_at(table) if table.running else None,
            seats=_seats(ctx, table, seat, sets),
            held=held_orders(table, seat, sets.get(seat.id)) if seat is not None and plays else None,
            terms=terms(table),
        )
    )


def _state(table: Table) -> str:
    if table.game.state is GameState.FORMING:
        state = f"The game is forming: {seats_taken(table)}."
    elif table.game.victory:
        state = f"The game is over. {_how_it_ended(table)}"
    elif table.paused:
        state = "The clock stands: there is no deadline until it is resumed."
    elif table.in_review:
        state = "The orders are closed, and the results come at the moment below."
    elif table.in_grace:
        state = "The deadline has passed; missing orders are still waited for."
    else:
        state = f"The game is {table.game.state}."
    return f"{state} {table.game.comment}" if table.game.comment else state


def _seats(
    ctx: Context, table: Table, reader: SeatRow | None, sets: Mapping[int, OrderSetRow]
) -> tuple[SeatStatus, ...]:
    """Who plays what. Who has sent orders is for the gamemaster alone, if they do not play."""
    master = reader is not None and reader.role is SeatRole.MASTER and not ctx.plays(table)
    failing = unreachable(table) if master else {}
    lines = []
    for seat in table.players:
        if table.is_secret(seat) and not master:
            continue
        power = Power(seat.power or "(not dealt yet)")
        said = (_progress_of(table, seat, sets.get(seat.id)), failing.get(seat.id)) if master else ()
        lines.append(SeatStatus(power, called(table, seat) or "-", ", ".join(word for word in said if word)))
    return tuple(lines)


STATUS = Command(
    "status",
    Syntax("STATUS [game:GAME]", elsewhere=("who", "info", "whois", "options"), asks=True, sentences=Sentences.RARE),
    Policy(),
    act_status,
    Help(
        "show how a game stands, and your orders",
        "Written to your seat's address it shows your orders in force too; the\ngamemaster sees who has sent orders.",
    ),
)


_OPEN = (GameState.FORMING, GameState.RUNNING)
_STATES = {
    None: _OPEN,
    "forming": (GameState.FORMING,),
    "open": _OPEN,
    "running": (GameState.RUNNING,),
    "finished": (GameState.FINISHED, GameState.ABORTED),
    "mine": (),
    "all": (),
}


def act_listing(ctx: Context, args: Mapping[str, Any]) -> None:
    """Show the games that are forming or running, those that are over, the sender's, or those with room."""
    wanted = args["state"]
    shown = [Table(ctx.session, game) for game in game_rows.games(ctx.session, *_STATES[wanted])]
    if wanted == "mine":
        mine = ctx.account.id if ctx.account is not None else None
        shown = [table for table in shown if any(seat.account_id == mine for seat in table.seats if mine is not None)]
    if wanted == "open":
        shown = [
            table for table in shown if table.game.state is GameState.FORMING or table.vacant or _joins_late(table)
        ]
    ctx.parts.append(GameList(reader_of(ctx.office, ctx.account), tuple(_line(table) for table in shown)))


def _line(table: Table) -> GameLine:
    phase = str(table.position.phase) if table.position is not None else ""
    return GameLine(table.game.name, table.variant.title, ", ".join(_facts(table)), phase, due_at(table))


def _joins_late(table: Table) -> bool:
    """Whether the rules let somebody into the running game."""
    return table.running and table.variant.seating.late is not None


def _facts(table: Table) -> list[str]:
    """What somebody who looks for a game wants to know of this one."""
    state, options = table.game.state, table.options
    if state is GameState.FINISHED or state is GameState.ABORTED:
        return [_how_it_ended(table).rstrip(".")]
    facts = [str(state) if not table.paused else "paused"]
    if state is GameState.FORMING:
        facts.append(seats_taken(table))
        facts += [f"JOIN {table.game.name}" if not options.by_invitation else "by invitation"]
    elif table.vacant:
        facts.append(f"vacant: {', '.join(seat.power or '' for seat in table.vacant)} (TAKEOVER {table.game.name})")
    elif _joins_late(table):
        facts.append(f"JOIN {table.game.name} at any time")
    facts.append("no press" if options.press == "none" else f"{options.press} press")
    if options.anonymous != "no":
        facts.append("anonymous")
    waiting = len(people.standbys_of(table.session, table.game.id))
    if waiting:
        facts.append(f"{waiting} standing by")
    if table.game.comment:
        facts.append(f'"{table.game.comment}"')
    return facts


LIST = Command(
    "list",
    Syntax(
        "LIST (GAMES) [state:FORMING|OPEN|RUNNING|FINISHED|MINE|ALL]",
        ("LIST", "LIST FINISHED"),
        elsewhere=("games",),
        asks=True,
        sentences=Sentences.RARE,
    ),
    Policy(),
    act_listing,
    Help(
        "show the games of this server, and what they need",
        "LIST shows games that form or run. LIST OPEN shows those with room,\n"
        "LIST MINE yours, LIST FINISHED those that are over, LIST ALL every one.\n"
        "JOIN takes a seat in a game that forms, TAKEOVER a vacant one.",
    ),
)


def act_summary(ctx: Context, args: Mapping[str, Any]) -> None:
    """Show the game from its beginning to now, as far as the sender may know it."""
    table = ctx.public_table(args["game"])
    if table.position is None:
        raise NotNow(f"The game {table.game.name} has not begun.", "STATUS shows who has joined.")
    over = table.game.state in (GameState.FINISHED, GameState.ABORTED)
    powers = table.variant.powers(table.position)
    years = history(table, ctx.own_seat(table), open_book=over)
    text = [
        f"{table.variant.title}, begun {table.line[0].opened_at:%d %b %Y}.",
        wrap(_how_it_ended(table)),
        "",
        columns([("Power", "Player"), *((seat.power or "", called(table, seat) or "-") for seat in table.players)]),
        "",
        "Supply centres at the end of each year:",
        "",
        years_text(years, powers),
    ]
    if over:
        text += _released(ctx, table)
    ctx.show(f"Summary of {table.game.name}", "\n".join(text))


def _how_it_ended(table: Table) -> str:
    """A sentence on how the game stands or ended."""
    victory = table.game.victory
    if victory is None:
        return f"The game is {table.game.state}" + (f", at {table.phase.code}." if table.phase is not None else ".")
    winners = [Power(name) for name in victory.get("winners", ())]
    won = f"{winners[0]} has won. " if len(winners) == 1 else f"A draw of {', '.join(winners)}. " if winners else ""
    return won + str(victory.get("reason", ""))


def _released(ctx: Context, table: Table) -> list[str]:
    """What is open to all now: the seed of the draws, and the diaries."""
    lines = ["", f"The seed of the draws: {table.game.seed}"]
    for seat, entry in records.diaries_of(ctx.session, table.game.id):
        phase = game_rows.phase_by_id(ctx.session, entry.phase_id) if entry.phase_id is not None else None
        lines += ["", f"Diary of {seat.power}" + (f", {phase.code}:" if phase is not None else ":"), quote(entry.body)]
    return lines


SUMMARY = Command(
    "summary",
    Syntax("SUMMARY [game:GAME]", asks=True),
    Policy(cost=5),
    act_summary,
    Help(
        "show a game from its beginning: players, centres year by year",
        "When the game is over it shows how it ended, and everybody's diary.",
    ),
)


def act_rules(ctx: Context, args: Mapping[str, Any]) -> None:
    """Answer with the rules of the game of this seat, of the game named, or of a kind of game."""
    word = (args["game"] or "").lower()
    games = all_variants()
    if word in games:
        game = games[word]
    elif word or ctx.table is not None:
        try:
            game = ctx.public_table(word or None).variant
        except NotUnderstood:
            raise NotUnderstood(
                f"There is no game '{args['game']}'.", f"Write RULES and one of: {', '.join(games)}."
            ) from None
    else:
        raise NotUnderstood("RULES needs to know of which game.", f"Write RULES and one of: {', '.join(games)}.")
    path = folder("templates") / "rules" / f"{game.name}.txt"
    if not path.is_file():
        raise NotNow(
            f"There is no text of the rules of {game.title} here.", "RULES standard tells what it is based on."
        )
    ctx.show(f"The rules of {game.title}", path.read_text(encoding="utf-8"))


RULES = Command(
    "rules",
    Syntax("RULES [game:GAME]", asks=True),
    Policy(),
    act_rules,
    Help("send the rules of a game", "RULES alone sends those of your game; RULES standard those of Diplomacy."),
)


def act_dashboard(ctx: Context, args: Mapping[str, Any]) -> None:
    """Who has ordered, who is late or cannot be reached, what falls due, what waits."""
    del args
    table, _ = ctx.seated()
    zone = ctx.office.zone_of(ctx.account)
    text = [f"{table.variant.title}, {table.game.state}" + (f", {table.phase.code}" if table.phase is not None else "")]
    if table.paused:
        text.append("The clock stands (RESUME sets it going).")
    text += [
        f"{deadline.kind.capitalize()}: {full_moment(deadline.due_at, zone)}"
        for deadline in agenda.open_deadlines(ctx.session, table.game.id)
    ]
    text += ["", columns([("Power", "Orders", "Turnout", "Player"), *_rows(ctx, table)])]
    text += _waiting(ctx, table)
    ctx.show(f"Dashboard of {table.game.name}", "\n".join(text))


def _rows(ctx: Context, table: Table) -> list[tuple[str, ...]]:
    sets = table.order_sets()
    came = people.turnout_of(ctx.session, list(table.accounts))
    gone = unreachable(table)
    rows: list[tuple[str, ...]] = []
    for seat in table.players:
        account = table.account_of(seat)
        who = called(table, seat) or (account.name if account is not None and not ctx.plays(table) else "-")
        if account is not None and not ctx.plays(table):
            who += f" <{people.addresses_of(ctx.session, account.id)[0]}>"
        who += f" ({gone[seat.id]})" if seat.id in gone else ""
        turnout = turnout_words(came[account.id]) if account is not None else ""
        progress = "" if ctx.plays(table) else _progress_of(table, seat, sets.get(seat.id))
        rows.append((seat.power or seat.wish or "-", progress, turnout, who))
    return rows


def _progress_of(table: Table, seat: SeatRow, given: OrderSetRow | None) -> str:
    """How far a seat's orders are, in a word or two, for the gamemaster."""
    if not table.running or seat.power not in table.duties:
        return "nothing to order" if table.running else ""
    word = "none" if given is None or not given.orders else "complete" if given.complete else "incomplete"
    late = ", late" if table.in_grace and word == "none" else ""
    return f"{word}{late}, waits" if seat.wait else word + late


def _waiting(ctx: Context, table: Table) -> list[str]:
    """Votes, stand-bys, invitations, absences, and mails that wait for a confirmation."""
    lines = []
    standing_by = people.standbys_of(ctx.session, table.game.id)
    if standing_by:
        names = {one.id: one.name for one in people.accounts_by_id(ctx.session, [s.account_id for s in standing_by])}
        lines.append("Standing by: " + ", ".join(names[entry.account_id] for entry in standing_by))
    invited = people.invitations_of(ctx.session, table.game.id)
    if invited:
        lines.append("Invited: " + ", ".join(one.email for one in invited))
    for away in people.absences_of(ctx.session, list(table.accounts), ctx.now):
        who = table.accounts[away.account_id].name if not table.names_hidden else "a player"
        lines.append(f"Absent: {who}, {away.begins:%d %b %H:%M} to {away.ends:%d %b %H:%M} UTC")
    held = question_rows.waiting_for(ctx.session, [seat.id for seat in table.seats])
    if held:
        lines.append(f"Mails quarantined until their sender confirms them: {held}")
    return ["", *(wrap(line, 0, 4) for line in lines)] if lines else []


DASHBOARD = Command(
    "dashboard",
    Syntax("DASHBOARD", asks=True, sentences=Sentences.UNLESS_WHOLE),
    Policy(Who.MASTER),
    act_dashboard,
    Help("see who has ordered, what falls due and what waits", "A gamemaster who plays is not shown who has ordered."),
)
