"""DRAW, CONCEDE and TERMINATE: ending a game by vote or by the gamemaster; and the players' votes on time (ST-11)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any

from gm.board import Power
from gm.commands.context import Context
from gm.commands.declaration import About, Command, Consent, Help, Policy, Record, Stage, Syntax, Who
from gm.commands.voice import say_in_last_mail
from gm.errors import NotNow, NotPermitted, NotUnderstood
from gm.games.report_inputs import view_of
from gm.games.snapshot import Game, Seat
from gm.mail.message.compose import Attachment
from gm.options.table import NONE
from gm.parsing.lists import names_in
from gm.play import ballots
from gm.play.calendar import check_open, end_game
from gm.play.pictures import map_files
from gm.position import position_to_json
from gm.reports import listed
from gm.store import game_rows
from gm.store.game_rows import GameState, SeatRole
from gm.store.rows import canonical_json
from gm.turn import AGREED, CONCEDED, DECLARED, TERMINATED, Victory

_UNSEEN = "Your vote is secret."


def act_draw(ctx: Context, args: Mapping[str, Any]) -> None:
    """Vote for or against a draw; from the gamemaster, declare it."""
    game, seat = ctx.seated()
    first, _, rest = (args["powers"] or "").partition(" ")
    led = first.rstrip(",:").lower() == game.name
    names_game = led or args.get("game") is not None
    words = rest if led else args["powers"] or ""
    if words.lower() not in NONE:
        check_open(game, seat)
    if seat.role is SeatRole.MASTER:
        _declare_draw(ctx, game, words, names_game)
        return
    _may_vote(seat, ballots.electorate(game))
    if game.options.draw == "none" and words.lower() not in NONE:
        raise NotPermitted(f"There are no draws in {game.name}.", "STATUS shows the terms of the game.")
    value = _draw_wanted(game, words)
    instead = _cast(ctx, game, seat, ballots.DRAW, value)
    ctx.note("ballot", on=ballots.DRAW)
    if value == ballots.NO:
        ctx.say(f"You vote against a draw{instead}.")
        return
    agreed = ballots.agreed_draw(ctx.tx, game)
    without = "" if value == ballots.ALL or seat.power in value.split(", ") else " You are not in this draw."
    said = f"You vote for {ballots.in_words(ballots.DRAW, value)}{instead}.{without}"
    _voted(ctx, game, said, "NO DRAW", Victory(agreed, AGREED) if agreed else None)


def _cast(ctx: Context, game: Game, seat: Seat, kind: str, value: str) -> str:
    """Vote on the end of the game. Returns what is said of another vote that this one replaces."""
    before = ballots.own_votes(ctx.tx, game, seat).get(kind)
    ballots.cast(ctx.tx, game, seat, kind, value)
    return f", instead of your vote for {before}" if before not in (None, ballots.in_words(kind, value)) else ""


def _voted(ctx: Context, game: Game, said: str, back: str, ends: Victory | None) -> None:
    """A vote is secret and can be taken back, until the last one ends the game: then what all agreed is public."""
    if ends is not None:
        ctx.say(said)
        _end(ctx, game, ends)
        return
    ctx.say(f"{said} {_UNSEEN} {_until(game)}")
    ctx.offer(back, "take your vote back")


def _declare_draw(ctx: Context, game: Game, words: str, names_game: bool) -> None:
    powers = _powers_named(game, words) if words else ballots.survivors(game)
    if not names_game:
        named = _survivors(game) if ctx.plays(game) and not words else powers
        remedy = f"To end it, drawn between {listed(named)}, write DRAW {game.name} {', '.join(named)}."
        raise NotUnderstood("DRAW from the gamemaster needs the name of the game.", remedy)
    say_in_last_mail(ctx)
    _end(ctx, game, Victory(powers, DECLARED))


def _draw_wanted(game: Game, words: str) -> str:
    if words.lower() in NONE:
        return ballots.NO
    if words.lower() in ("", "all", "yes", "dias"):
        if game.options.draw == "listed":
            return ", ".join(_survivors(game))
        return ballots.ALL
    if game.options.draw != "listed":
        raise NotPermitted("In this game all survivors share a draw.", "Write DRAW without names, or NO DRAW.")
    return ", ".join(sorted(_powers_named(game, words)))


def _survivors(game: Game) -> tuple[Power, ...]:
    """The powers that survive as far as everybody knows."""
    return tuple(sorted(seat.power for seat in game.players if seat.power is not None and game.survives(seat)))


def _end(ctx: Context, game: Game, victory: Victory) -> None:
    end_game(ctx.tx, game, GameState.FINISHED, victory, f"ended:{game.id}:{ctx.key}", partial(_final_map, ctx))
    ctx.say(f"The game is over: {listed(victory.winners)}.", first=True)
    game_rows.mark_game(ctx.tx.session, game.id, stopped_at=ctx.now)
    ctx.note("end", winners=list(victory.winners), reason=game.variant.words.victory(victory))


def _final_map(ctx: Context, game: Game) -> tuple[Attachment, ...]:
    """The map of the last position of a game that is over, as everybody may see it then."""
    if game.phase is None or game.position is None:
        return ()
    draw = partial(map_files, game, "final", view_of(game, None))
    files = ctx.drawn(("final", game.id, game.phase.id, canonical_json(position_to_json(game.position))), draw) or ()
    return tuple(file for file in files if file.content_type == "image/png")


def act_concede(ctx: Context, args: Mapping[str, Any]) -> None:
    """Vote to give the game to one power."""
    game, seat = ctx.seated()
    _may_vote(seat, ballots.electorate(game))
    words = args["power"] or ""
    if words.lower() in NONE:
        ballots.cast(ctx.tx, game, seat, ballots.CONCEDE, ballots.NO)
        ctx.say("You do not concede to any power.")
        return
    check_open(game, seat)
    if not game.options.concede:
        raise NotPermitted(f"{game.name} cannot be conceded.", "STATUS shows the terms of the game.")
    if not words:
        raise NotUnderstood("CONCEDE needs a power.", f"Write CONCEDE TO and one of: {', '.join(_survivors(game))}.")
    (winner,) = _one_power(game, words)
    if winner == seat.power:
        raise NotUnderstood("You cannot concede to yourself.", "Your agreement is not needed if all others concede.")
    instead = _cast(ctx, game, seat, ballots.CONCEDE, winner)
    ctx.note("ballot", on=ballots.CONCEDE)
    agreed = ballots.agreed_concession(ctx.tx, game)
    ends = Victory((agreed,), CONCEDED) if agreed is not None else None
    condition = ", if all others do" if ends is None else ""
    _voted(ctx, game, f"You concede the game to {winner}{condition}{instead}.", "NO CONCEDE", ends)


def _may_vote(seat: Seat, voters: Sequence[Seat]) -> None:
    """Raises NotNow for a power that has been eliminated."""
    if all(voter.id != seat.id for voter in voters):
        raise NotNow(f"{seat.power} is out of the game and has no vote.", "You will still receive its reports.")


def _one_power(game: Game, words: str) -> tuple[Power, ...]:
    """One surviving power. Raises NotUnderstood."""
    powers = _powers_named(game, words)
    if len(powers) != 1:
        raise NotUnderstood(f"'{words}' names {len(powers)} powers.", "Name one power only.")
    return powers


def _powers_named(game: Game, words: str) -> tuple[Power, ...]:
    """The surviving powers in a list of names. Raises NotUnderstood."""
    found: list[Power] = []
    for name in names_in(words):
        power = game.lexicon.power(name)
        if power is None or power not in _survivors(game):
            raise NotUnderstood(
                f"'{name}' is not a power still in the game.", f"Write names of: {', '.join(_survivors(game))}."
            )
        if power not in found:
            found.append(power)
    if not found:
        raise NotUnderstood(f"'{words}' names no power.", f"Write names of: {', '.join(_survivors(game))}.")
    return tuple(found)


def _until(game: Game) -> str:
    if game.options.standing_ballots:
        return "It counts until you cancel it."
    return f"It counts for {game.phase.code} only." if game.phase is not None else ""


DRAW = Command(
    "draw",
    Syntax(
        "DRAW [powers:POWERS]",
        ("DRAW", "DRAW France, Italy", "DRAW game France, Italy", "NO DRAW"),
        synonyms=("vote draw",),
        shorthands={"no draw": "NO"},
        after_set=True,
    ),
    Policy(
        Who.PARTICIPANT,
        Stage.RUNNING,
        of_master=Consent.IRREVOCABLE,
        phase_bound=True,
        record=Record(secret=("ballot",)),
        about=(About.ENDING,),
    ),
    act_draw,
    Help(
        "vote for a draw, in secret",
        """
        The game is drawn when all surviving players vote for the same draw: of
        all survivors or, with draw=listed, of the powers named. NO DRAW cancels
        your vote. A vote counts for one phase unless the game has
        ballots=standing, and a later one replaces it; STATUS shows you yours.
        Nobody is told of a vote, so agree by press first. From the gamemaster,
        DRAW with the name of the game ends it at once, drawn between all
        survivors or the powers named; with one power, that power wins.
        """,
    ),
)
CONCEDE = Command(
    "concede",
    Syntax(
        "CONCEDE (TO) [power:POWERS]",
        ("CONCEDE TO France", "NO CONCEDE"),
        shorthands={"no concede": "NO"},
        after_set=True,
    ),
    Policy(Who.PLAYER, Stage.RUNNING, phase_bound=True, record=Record(secret=("ballot",)), about=(About.ENDING,)),
    act_concede,
    Help(
        "vote to give the game to one power, in secret",
        """
        A power wins when all others concede to it. NO CONCEDE cancels your
        vote.
        """,
    ),
)


def move_for(ctx: Context, kind: str, words: str, what: str, value: str = "yes") -> str | None:
    """Vote on a motion of this kind, EXTEND or PAUSE: for `value`, for the present proposal (YES), or against it (NO).

    Returns the motion if it is now carried. `what` completes the sentence "A player asks ...".
    """
    game, seat = ctx.as_player()
    _may_vote(seat, game.voters)
    if game.options.motions == "none":
        how = "To ask them, write PRESS TO GM, your text, and ENDPRESS."
        raise NotPermitted(f"In {game.name} only the gamemaster changes deadlines.", how)
    if words.strip().lower() == "no":
        ballots.cast(ctx.tx, game, seat, kind, ballots.NO)
        ctx.say(f"You vote against {kind.upper()}.")
        return None
    if words.strip().lower() == "yes" and kind == "extend":
        proposed = ballots.proposal(ballots.votes(ctx.tx, game, kind))
        if proposed is None:
            raise NotNow("Nobody has asked for more time in this phase.", "Write EXTEND 24h to ask for it.")
        value = proposed
    ballots.cast(ctx.tx, game, seat, kind, value)
    ctx.note("motion", on=kind, value=value)
    given = ballots.votes(ctx.tx, game, kind)
    carried = ballots.carried(game, given)
    if carried is not None:
        ballots.mark_decided(ctx.tx, game, kind)
        ctx.say("With your vote the motion is carried.")
        return carried
    count = sum(vote == value for vote in given.values())
    ctx.say(f"Your vote for {kind.upper()} is counted. {ballots.needed(game)} players must agree; {count} so far.")
    if count == 1:
        _announce(ctx, seat, kind, what, value)
    return None


def _announce(ctx: Context, seat: Seat, kind: str, what: str, value: str) -> None:
    """Notify the other voters of the request, without naming the player."""
    game, _ = ctx.as_player()
    others = [other for other in game.voters if other.id != seat.id]
    if others[0].role is not SeatRole.PLAYER:
        return
    word = kind.upper()
    yes, no = answers_to(kind, value)
    paragraphs = (
        f"A player asks {what}.",
        f"To agree, reply with {yes}, or YES alone; to vote against it, {no}, or NO."
        f" {ballots.needed(game)} players must agree.",
    )
    answers = ((yes, "agree"), (no, "vote against it"))
    ctx.tx.tell(game, others, f"a vote: {word}", paragraphs, f"{mail_on(kind, value)}{ctx.key}", answers=answers)


def mail_on(kind: str, value: str) -> str:
    """With what the purpose of a mail begins that asks players for their vote on this."""
    return f"motion:{kind}:{value}:"


def answers_to(kind: str, value: str) -> tuple[str, str]:
    """The lines that vote for this, whatever else is asked for by then, and against a motion of this kind."""
    word = kind.upper()
    if kind != "extend":
        return word, f"{word} NO"
    return f"{word} UNTIL {datetime.fromisoformat(value).astimezone(UTC):%Y-%m-%d %H:%M} UTC", f"{word} NO"


def act_terminate(ctx: Context, args: Mapping[str, Any]) -> None:
    """End the game without winners. The command must name the game, as a safeguard."""
    game, seat = ctx.seated()
    if args["game"] is None:
        raise NotUnderstood("TERMINATE needs the name of the game.", f"To end it, write TERMINATE {game.name}.")
    check_open(game, seat)
    ctx.say(f"The game {game.name} is over. Everybody was notified.", first=True)
    say_in_last_mail(ctx)
    purpose, end = f"ended:{game.id}:{ctx.key}", Victory((), TERMINATED)
    end_game(ctx.tx, game, GameState.ABORTED, end, purpose, partial(_final_map, ctx))
    game_rows.mark_game(ctx.tx.session, game.id, stopped_at=ctx.now)
    ctx.note("terminate")


TERMINATE = Command(
    "terminate",
    Syntax("TERMINATE [game:GAME]", ("TERMINATE game",), elsewhere=("abort",)),
    Policy(
        Who.MASTER,
        Stage.UNDER_WAY,
        consent=Consent.IRREVOCABLE,
        whole=True,
        cost=5,
        in_sandbox=True,
        about=(About.ENDING,),
    ),
    act_terminate,
    Help(
        "end a game without a result",
        """
        Nothing is erased: SUMMARY and HISTORY still show the game. If it hid
        something, everybody sees that now, and the game cannot go on. Consider
        DRAW or ROLLBACK first. REMARK in the same mail puts your words above
        the game's last mail.
        """,
    ),
)
