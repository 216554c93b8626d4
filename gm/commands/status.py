"""STATUS, POSITION, LIST and SUMMARY: the state of games, as far as the reader may see it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice
from textwrap import shorten
from typing import Any

from gm.board import Power
from gm.commands.context import Context
from gm.commands.dashboard import failing, moderators, progress_of
from gm.commands.declaration import Command, Help, Policy, Sentences, Syntax
from gm.commands.history import show_review
from gm.errors import NotNow
from gm.games import report_inputs
from gm.games.limits import Spent
from gm.games.report_inputs import (
    announcements,
    game_facts,
    holder_name,
    progress_shown,
    reader_of,
    view_of,
    without_player,
)
from gm.games.snapshot import Game, Seat
from gm.play import ballots, calendar, turnout
from gm.play.seats import conditions, open_by, seats_taken, terms
from gm.reports import full_moment, in_groups, listed, quote, results
from gm.reports.answers import GameLine, GameList, SeatStatus, StatusAnswer
from gm.reports.blocks import Block, Paragraphs, Table, Verbatim, position_blocks
from gm.reports.reader import UNTIMED, offered
from gm.store import game_rows, people, records
from gm.store.game_rows import GameState, SeatRole


def act_status(ctx: Context, args: Mapping[str, Any]) -> None:
    """Show the position, the deadline, the seats and, to the holder of a seat, their orders."""
    game = ctx.public_game(args["game"])
    seat = ctx.own_seat(game)
    ctx.give(
        StatusAnswer(
            game=game_facts(game),
            reader=reader_of(ctx.tx.identity, ctx.person, game, seat, ctx.now),
            state=state_words(game, calendar.pause_end(ctx.tx, game)),
            view=view_of(game, seat) if game.phase is not None else None,
            over=game.over,
            announcements=_announced(ctx, game),
            deadline=report_inputs.closes_at(game, None) if game.running else None,
            seats=_seats(ctx, game, seat),
            terms=() if game.options.sandbox else (*_run_by(game), *terms(game)),
        )
    )
    if seat is not None and game.running and (votes := ballots.own_votes(ctx.tx, game, seat)):
        ctx.say(f"You vote for {listed(votes.values())}.")
    if game.phase is not None and len(game.powers) <= results.MANY_POWERS:
        _show_position(ctx, game, seat)
    show_review(ctx, game)


def _run_by(game: Game) -> tuple[tuple[str, str], ...]:
    """Who runs the game, if these are several, unless it could tell who plays."""
    return (("GM", listed(moderators(game))),) if len(game.moderators) > 1 and not game.names_hidden else ()


def _announced(ctx: Context, game: Game) -> tuple[tuple[str, str], ...]:
    """The newest announcements, each with its sender and the day."""
    newest = announcements(ctx.tx.session, game)[-_ANNOUNCED:]
    return tuple((f"{one.by}, {one.at:%d %b}", shorten(one.text, _TOLD_LENGTH, placeholder=" ...")) for one in newest)


_ANNOUNCED, _TOLD_LENGTH = 3, 300
"""How many announcements STATUS shows, and how much of each; EXPORT has all."""


def act_position(ctx: Context, args: Mapping[str, Any]) -> None:
    """Show the next position to be played, as far as the reader may see it."""
    game = ctx.public_game(args["game"])
    if game.phase is None:
        raise NotNow(f"{game.name} has not begun, so there is no position.", "STATUS shows how far it is.")
    _show_position(ctx, game, ctx.own_seat(game))


def _show_position(ctx: Context, game: Game, seat: Seat | None) -> None:
    code = game.code
    ctx.show_view(f"{game.name}, {code}: the position", view_of(game, seat), position_blocks)


def state_words(game: Game, goes_on: datetime | None = None) -> str:
    """How far a game is, as a sentence, and when its pause ends, if that is known."""
    if game.state is GameState.FORMING:
        state = f"The game {game.name} is forming: {seats_taken(game)}."
    elif game.victory:
        state = f"The game is over. {how_it_ended(game)}"
    elif game.paused:
        until = full_moment(goes_on, game.options.clock.zone) if goes_on is not None else "it is resumed"
        state = f"The game is paused: there is no deadline until {until}."
    elif game.withheld:
        state = "Orders are closed. The results come when the gamemaster has released them."
    elif game.in_review:
        state = "Orders are closed. The results will be out at the time below."
    elif game.in_grace:
        state = "The deadline has passed; late orders are still accepted."
    elif game.running and not game.timed:
        state = f"The game is running. {UNTIMED[report_inputs.early_by(game)]}"
    else:
        state = f"The game is {game.state}."
    return f"{state} {game.comment}" if game.comment else state


def _seats(ctx: Context, game: Game, reader: Seat | None) -> tuple[SeatStatus, ...]:
    """Who plays which power. Who has sent orders sees a gamemaster who does not play and, if the game shows it, all."""
    bounced = failing(ctx, game, reader) if reader is not None and reader.moderates else {}
    came = turnout.seen_by_players(ctx.tx, game) if reader is not None and reader.role is not SeatRole.OBSERVER else {}
    lines = []
    for seat in game.players:
        master = game.knows(reader, seat)
        if game.is_secret(seat) and not master:
            continue
        power = Power(game.power_known(reader, seat) or "(not dealt yet)")
        progress = progress_of if master and game.knows_duties(reader, seat) else progress_shown
        said = progress(game, seat), bounced.get(seat.id) if master else None
        name = holder_name(game, seat)
        if master and seat.person is None:
            name = without_player(game, seat)
        elif seat.person is not None and master and game.knows_holder(reader, seat):
            name = seat.person.name
        player, orders = name or "-", ", ".join(filter(None, said))
        lines.append(SeatStatus(power, player, orders, came.get(seat.person.id, "") if seat.person is not None else ""))
    return tuple(lines)


STATUS = Command(
    "status",
    Syntax("STATUS [game:GAME]", elsewhere=("who", "info", "options"), asks=True, sentences=Sentences.RARE),
    Policy(),
    act_status,
    Help(
        "show the state of a game, and your orders",
        """
        Send it to your seat's address to see your orders too, and how reliably
        the others have ordered in games whose players are named. The
        gamemaster sees who has sent orders, and so does everybody in games with
        progress=yes.
        """,
    ),
)


POSITION = Command(
    "position",
    Syntax(
        "POSITION [game:GAME]",
        synonyms=("positions",),
        elsewhere=("board", "units"),
        asks=True,
        sentences=Sentences.UNLESS_WHOLE,
    ),
    Policy(),
    act_position,
    Help(
        "show the position in words",
        """
        Units, centres and whatever the game adds to them, as your seat may
        see it. MAP sends the picture.
        """,
    ),
)


MOST_LISTED = 45
_OPEN = (GameState.FORMING, GameState.RUNNING)
_STATES = {
    None: _OPEN,
    "forming": (GameState.FORMING,),
    "open": _OPEN,
    "running": (GameState.RUNNING,),
    "finished": (GameState.FINISHED, GameState.ABORTED),
    "all": (),
}


def act_listing(ctx: Context, args: Mapping[str, Any]) -> None:
    """Show games that are forming or running, those that are over, the sender's, or those with vacant seats."""
    wanted, person = args["state"], ctx.person
    found: Iterator[Game]
    if wanted == "mine":
        found = iter(ctx.tx.games_of(person))
    else:
        after = ctx.public_game(args["after"]).id if args["after"] else 0
        found = ctx.tx.games_in(*_STATES[wanted], after=after)
    if wanted == "open":
        found = (game for game in found if game.state is GameState.FORMING or game.vacant or open_by(game))
    shown = tuple(islice(found, None if wanted == "mine" else MOST_LISTED))
    more = ""
    if next(found, None) is not None:
        more = " ".join(filter(None, ("LIST", wanted and wanted.upper(), "AFTER", shown[-1].name)))
    waiting = people.count_standbys(ctx.tx.session, [game.id for game in shown])
    mine = wanted == "mine"
    lines = tuple(_line(game, waiting.get(game.id, 0), _own_state(ctx, game) if mine else ()) for game in shown)
    reader = reader_of(ctx.tx.identity, person)
    offers = [(more, "the games after these")] if more else []
    if not lines:
        played = wanted == "open" and next(ctx.tx.games_in(*_OPEN), None) is not None
        offers = [("LIST", "the games that are played")] if played else []
        offers += [("PRACTICE", "a game of your own against the program"), ("HELP CREATE", "how to begin a game")]
    ctx.give(GameList(reader, lines, offered(reader, offers), has_room=wanted == "open"))


def _own_state(ctx: Context, game: Game) -> list[str]:
    """Whom the sender plays in a game, and how complete their orders are."""
    seat = next((one for one in game.seats_of(ctx.person) if one.role is SeatRole.PLAYER), None)
    if seat is None or seat.power is None or not game.playable:
        return []
    due = game.running and seat.power in game.duties
    state = report_inputs.standing_orders(ctx.tx.identity, game, seat, ctx.now).lacking if due else ""
    return [f"you are {seat.power}: {state}" if state else f"you are {seat.power}"]


def _line(game: Game, waiting: int, own: Sequence[str]) -> GameLine:
    if not game.playable:
        return GameLine(game.name, game.options.rules, "an edition of the rules that this server does not have")
    phase = str(game.position.phase) if game.position is not None else ""
    facts = ", ".join((*own, *_facts(game, waiting)))
    return GameLine(game.name, game.variant.title, facts, phase, report_inputs.closes_at(game, None))


def _facts(game: Game, waiting: int) -> list[str]:
    """What a person looking for a game wants to know about this one. `waiting`: people on its standby list."""
    state = game.state
    if game.over:
        return [how_it_ended(game).rstrip(".")]
    facts = [str(state) if not game.paused else "paused"]
    how = "by invitation" if game.options.by_invitation else open_by(game)
    if state is GameState.FORMING:
        facts += [seats_taken(game), *filter(None, [how])]
    elif game.vacant:
        facts.append(f"vacant: {', '.join(seat.label for seat in game.vacant)} ({how})")
    elif open_by(game):
        facts.append(f"{how} at any time")
    facts += conditions(game)
    if waiting:
        facts.append(f"{waiting} on standby")
    if game.comment:
        facts.append(f'"{game.comment}"')
    return facts


LIST = Command(
    "list",
    Syntax(
        "LIST (GAMES) [state:FORMING|OPEN|RUNNING|FINISHED|MINE|ALL] [AFTER after:GAME]",
        ("LIST", "LIST FINISHED"),
        elsewhere=("games",),
        asks=True,
        sentences=Sentences.RARE,
    ),
    Policy(cost=5, spends=(Spent.BYTES,)),
    act_listing,
    Help(
        "show the games on this server",
        """
        LIST shows forming and running games, LIST OPEN those with room, LIST
        MINE yours, LIST FINISHED those that are over, LIST ALL every game, the
        oldest first. With many games a line at the end asks for the next. To
        play, use JOIN in a forming game or TAKEOVER for a vacant seat.
        """,
    ),
)


def act_summary(ctx: Context, args: Mapping[str, Any]) -> None:
    """Show the game from its beginning to now, as far as the sender may know it."""
    game = ctx.public_game(args["game"])
    if game.position is None:
        raise NotNow(f"The game {game.name} has not begun.", "STATUS shows who has joined.")
    years = report_inputs.history(ctx.tx.session, game, ctx.own_seat(game), open_book=game.over)
    with_centres = {power for _, counts in years for power in counts}
    named = results.coloured(game.variant.powers(game.position), game.variant.looks)
    shown = {power: name for power, name in named.items() if power in with_centres}
    begun = report_inputs.phases_leading_to(ctx.tx.session, game)[0].opened_at
    players = tuple((named.get(Power(seat.label), seat.label), holder_name(game, seat) or "-") for seat in game.players)
    said: list[Block] = [
        Paragraphs((f"{game.variant.title}, begun {begun:%d %b %Y}.", how_it_ended(game))),
        Table((("Power", "Player"), *players), headed=True),
        *([Table(results.years(years, shown), headed=True, title=_BY_YEAR)] if shown else []),
    ]
    if game.over:
        secrets = report_inputs.chronicle(ctx.tx.session, game)
        said += [Table(one.rows, one.headed, one.title) for one in secrets if one.rows]
        said.append(Verbatim("\n".join(_released(ctx, game)).strip("\n")))
    ctx.show(f"Summary of {game.name}", said)


_BY_YEAR = "Supply centres at the end of each year:"


def how_it_ended(game: Game) -> str:
    """A sentence about the game's state or result."""
    victory = game.victory
    if victory is None:
        return f"The game is {game.state}" + (f", at {game.phase.code}." if game.phase is not None else ".")
    winners = victory.winners
    won = f"{winners[0]} has won. " if len(winners) == 1 else f"A draw of {', '.join(winners)}. " if winners else ""
    return won + game.variant.words.victory(victory)


def _released(ctx: Context, game: Game) -> list[str]:
    """What is published when a game is over: the seed of the draws, and the diaries."""
    lines = ["", f"The seed of the random draws: {in_groups(game.seed)}"]
    lines += [f"Until the game was rolled back they came from: {in_groups(seed)}" for seed in reversed(game.told_seeds)]
    codes = {phase.id: phase.code for phase in game_rows.phases_of(ctx.tx.session, game.id)}
    for entry in records.diaries_of(ctx.tx.session, game.id):
        code = codes.get(entry.phase_id or 0)
        lines += ["", f"Diary of {game.seat(entry.seat_id).power}" + (f", {code}:" if code else ":"), quote(entry.body)]
    return lines


SUMMARY = Command(
    "summary",
    Syntax("SUMMARY [game:GAME]", asks=True),
    Policy(cost=5, spends=(Spent.BYTES,)),
    act_summary,
    Help(
        "show a game from its beginning: players, centres year by year",
        "For a finished game it also shows the result and everybody's diary.",
    ),
)
