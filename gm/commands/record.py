"""LOG, ROLLBACK, ROLLFORWARD, ACCEPT LATE and REFUSE LATE: a game's log, and phases that are played again."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta, tzinfo
from functools import partial
from itertools import islice
from typing import Any

from gm.commands.context import Context, Meant
from gm.commands.correcting import adjudicate_again, compared, what_follows
from gm.commands.declaration import About, Command, Consent, Help, Policy, Record, Sentences, Stage, Syntax, Who
from gm.commands.promote import called
from gm.commands.voice import TO_UNDO_ROLLBACK, say_of_phase
from gm.errors import NotNow, NotUnderstood
from gm.games import loading, report_inputs
from gm.games.limits import Spent
from gm.games.snapshot import Game, holders
from gm.options import RULES
from gm.parsing.headings import one_phase
from gm.parsing.lists import names_in
from gm.play import admission, calendar, preorders
from gm.play.ending import REASON
from gm.reports import full_moment, in_groups, listed, wrap
from gm.store import game_rows, people, records
from gm.store.game_rows import PhaseRow, SeatRole
from gm.store.records import LateOrdersRow, LogRow

_USUAL, _MOST = 30, 500
_FOR_A_POWER = (SeatRole.PLAYER, SeatRole.DEPUTY)
_SEEN_BY_ALL = ("join", "takeover", "resign", "reveal")
"""Commands of other players that a gamemaster who plays may see in LOG, but without their details or powers."""


def act_log(ctx: Context, args: Mapping[str, Any]) -> None:
    """The newest events of the game."""
    game, own = ctx.seated()
    number = _USUAL if args["number"] is None else args["number"]
    if not 0 < number <= _MOST:
        raise NotUnderstood(f"'{number}' is not a number of events.", f"Write a number up to {_MOST}: LOG 50.")
    zone = ctx.tx.identity.zone_of(ctx.person, game)
    who_acts = _who_acts(ctx, game)
    unseen, others = _unseen(ctx, game), _others(ctx, game)
    of_others = {*unseen, "power", "powers"} if game.hides_duties and ctx.plays(game) else unseen
    lines = []
    for event in islice(_shown(ctx, game), number):
        who = "a player" if event.seat_id in others else who_acts.get(event.seat_id or 0, "server")
        hidden = unseen if event.seat_id == own.id else of_others
        said = event.kind if event.seat_id in others else _said(ctx, event, zone, hidden)
        lines.append(wrap(f"{event.at.astimezone(zone):%Y-%m-%d %H:%M} {who}: {said}", 0, 4))
    ctx.show(f"Log of {game.name}, the newest first (times: {zone.key})", "\n".join(lines) or "No events yet.")


def _who_acts(ctx: Context, game: Game) -> Mapping[int, str]:
    """Who holds each seat, by its id; of one that runs the game, who has held it, too."""
    held = {seat.id: person.id for seat, person in holders(game.moderators)}
    for event in reversed(records.log_of(ctx.tx.session, game.id)):
        left = {"resign": event.seat_id, "promote": event.detail.get("left")}.get(event.kind)
        if left is not None and "account" in event.detail:
            held[left] = event.detail["account"]
    named = {seat.id: seat.power or seat.title for seat in game.seats}
    return named | {seat_id: f"{_name_of(ctx, person)} ({named[seat_id]})" for seat_id, person in held.items()}


def _shown(ctx: Context, game: Game) -> Iterator[LogRow]:
    """The log without what is hidden from this gamemaster, the newest first."""
    unseen, others, log = _unseen(ctx, game), _others(ctx, game), records.log_of(ctx.tx.session, game.id)
    secret = _secret(game, log, others) if ctx.plays(game) and not game.over else set()
    seen_by_all = [kind for kind in _SEEN_BY_ALL if kind != "join" or not game.variant.seating.secret or game.over]
    for event in log:
        shown = event.seat_id not in others or event.kind in seen_by_all
        if shown and event.kind not in unseen and event.id not in secret:
            yield event


def _others(ctx: Context, game: Game) -> set[int]:
    """The seats of players and their deputies of which this gamemaster may see no more than every player: none, if they
    do not play.
    """
    seats = [seat for seat in game.seats if seat.role in _FOR_A_POWER] if ctx.plays(game) else []
    return {seat.id for seat in seats if not game.principal(seat).is_of(ctx.person)}


def _secret(game: Game, log: Sequence[LogRow], others: Collection[int]) -> set[int]:
    """The ids of events of a seat while it was secret who holds it, or about its power; also from before a start was
    taken back, because the next one can deal the same.
    """
    powers, found = game.variant.seating.secret, set[int]()
    seats: set[int] = set()
    for event in reversed(log):
        if event.kind in ("start", "unstart"):
            seats = {seat for power, seat in event.detail.get("powers", {}).items() if power in powers}
        about = event.seat_id not in others and event.detail.get("power") in powers
        if event.seat_id in seats or about or (event.kind == "undo" and event.detail["of"] in found):
            found.add(event.id)
    return found


def _unseen(ctx: Context, game: Game) -> set[str]:
    """The kinds and details of log entries that are hidden from this gamemaster: votes from every gamemaster, some
    others from one who plays.
    """
    plays = ctx.plays(game)
    drawn_for = {"silent", "by_lot", "number"} if plays and game.hides_duties else set()
    records_of = {command.title.lower(): command.policy.record for command in ctx.commands.values()}
    return (
        drawn_for
        | ({"account"} if game.undealt or (plays and game.names_hidden) else set())
        | {kind for record in records_of.values() for kind in record.secret}
        | {kind for kind, record in records_of.items() if plays and record.from_players}
    )


_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:[\d.]+[+-]\d\d:\d\d")
_KEYS = ("undo", "phase_id", "left", "opened", "events")
"""Details that are keys of rows."""
_WORDS = {"close": "orders closed", "silent": "no orders from", "by_lot": "orders by lot for"}
"""What kinds and details are called, where their own words do not say it."""


def _said(ctx: Context, event: LogRow, zone: tzinfo, unseen: Collection[str] = ()) -> str:
    """What was done, with its details: `extend (hours 24, due Mon 30 Nov 18:00 CET)`."""
    if event.kind == "undo" and (undone := ctx.tx.session.get(LogRow, event.detail["of"])) is not None:
        return f"{event.kind} {_said(ctx, undone, zone, unseen)}"
    command = ctx.commands.by_title.get(event.kind.upper())
    wish = ("power",) if event.kind == "join" and "account" in unseen else ()
    hidden = (*_KEYS, *unseen, *wish, *(command.policy.record.details if command is not None else ()))
    details = [(key, value) for key, value in event.detail.items() if key not in hidden and value not in (None, [])]
    said = ", ".join(filter(None, (_detail(ctx, key, value, zone) for key, value in details)))
    kind = _WORDS.get(event.kind, event.kind)
    return f"{kind} ({said})" if said else kind


def _detail(ctx: Context, key: str, value: Any, zone: tzinfo) -> str:
    """A detail of an event in words; moments in this time zone; "" for what the reader may not know."""
    if key == "account":
        return _name_of(ctx, value)
    if key == "invitation":
        return _invited(ctx, value)
    named, key = key in _WORDS, _WORDS.get(key, key.replace("_", " "))
    match value:
        case True | False:
            return key if value else f"not {key}"
        case str() if _MOMENT.fullmatch(value):
            value = full_moment(datetime.fromisoformat(value), zone)
        case list():
            value = listed(value) if named else "; ".join(map(str, value))
        case dict():
            value = "; ".join(f"{name} {each}" for name, each in value.items() if name != RULES)
    return f"{key} {value}"


def _invited(ctx: Context, invitation_id: int) -> str:
    """Who was invited, for a gamemaster who may know it; an invitation that was declined is not kept."""
    game, seat = ctx.seated()
    rows = people.invitations_of(ctx.tx.session, game.id) if admission.knows_the_invited(game, seat) else ()
    return next((row.email for row in rows if row.id == invitation_id), "")


def _name_of(ctx: Context, account_id: int) -> str:
    """A person's present name: log entries contain only account ids, so that a person who leaves can be erased."""
    person = loading.people(ctx.tx.session, [account_id])[account_id]
    return person.name if ctx.plays(ctx.seated()[0]) else called(person)


LOG = Command(
    "log",
    Syntax("LOG [number:NUMBER]", ("LOG", "LOG 50")),
    Policy(Who.MASTER, cost=5, spends=(Spent.BYTES,), instead="HISTORY shows what was played."),
    act_log,
    Help("show what was done in the game", "The newest 30 events, or as many as you ask for: LOG 50."),
)


def act_rollback(ctx: Context, args: Mapping[str, Any]) -> None:
    """Play a phase again, with the orders that were given for it."""
    game, _ = ctx.seated()
    if game.phase is None:
        raise NotNow(f"The game {game.name} has not begun.", "There is nothing to roll back.")
    left, was_over = game.phase, game.over
    phase = _named(ctx, game, args["phase"] or "")
    kept = report_inputs.newest_sets(ctx.tx.session, game, phase)
    given = {key: replace(orders, number=0) for key, orders in kept.items()}
    game = calendar.play_again(ctx.tx, game, phase, given, ctx.mail_id)
    again = ctx.running(game)
    more = (
        f"{_NEW_SEED} {in_groups(game.chance.commitment)}" if was_over else "" if game.options.sandbox else _SAME_DRAWS
    )
    undo = more if was_over else TO_UNDO_ROLLBACK
    if ctx.why:
        say_of_phase(ctx, f"{again.code} was played again", again.id, REASON)
    ctx.say(f"{again.code} is played again, with the orders that were given for it. {undo}")
    _tell(ctx, game, f"The gamemaster has rolled the game back: {again.code} is played again.", more)
    if was_over:
        ctx.note("rollback", to=again.code, left=left.id, opened=again.id, commitment=game.chance.commitment)
        ctx.bring(Consent.IRREVOCABLE)  # its end is gone
        return
    ctx.offer("ROLLFORWARD", "undo the rollback")
    ctx.note("rollback", to=again.code, left=left.id, opened=again.id, undo={})


def _named(ctx: Context, game: Game, words: str) -> PhaseRow:
    """The phase with this name among those that led to the present one. Raises NotUnderstood."""
    phases = report_inputs.to_play_again(ctx.tx.session, game)
    if not phases:
        raise NotNow("No phase has been played yet.", "There is nothing to roll back.")
    codes = f"Write one of: {', '.join(phase.code for phase in phases[-12:])}."
    if not words:
        raise NotUnderstood("ROLLBACK needs the phase to play again.", codes)
    code = one_phase(words, game.variant.language.kinds) or words.upper()
    wanted = [phase for phase in phases if phase.code == code]
    if not wanted:
        raise NotUnderstood(f"'{words}' is not a phase that was played in {game.name}.", codes)
    return wanted[-1]


def act_rollforward(ctx: Context, args: Mapping[str, Any]) -> None:
    """Undo the last ROLLBACK."""
    del args
    game, _ = ctx.seated()
    game = _roll_forward(ctx, game)
    code = ctx.running(game).code
    sentence = f"The gamemaster has undone the rollback: {_as_left(game, code)}"
    _tell(ctx, game, sentence, subject="the rollback is undone")
    until = f" The deadline is {ctx.reader().until(game.due_at)}." if game.due_at is not None else ""
    ctx.say(f"The game is back in {code}, with the orders that were sent for it.{until}")
    if game.withheld:
        ctx.offer(f"RELEASE {code}", "let the results go")
    ctx.note("rollforward", to=code)


def _as_left(game: Game, code: str) -> str:
    """What holds again of a phase that was left by a rollback: the rest of a sentence."""
    if game.withheld:
        return f"the orders for {code} are closed, and the results come when the gamemaster has released them."
    return f"{code} is being played."


def _roll_forward(ctx: Context, game: Game) -> Game:
    """The game in the phase in which it was before the last ROLLBACK. Raises NotNow when that is not possible."""
    moves = (one for one in records.actions(ctx.tx.session, game.id) if one.command in ("rollback", "rollforward"))
    last = next(moves, None)
    if last is not None and game.phase is not None and last.detail.get("opened") == game.phase.id:
        if "commitment" in last.detail:
            raise NotNow(f"The game {game.name} was over before it was rolled back.", "TERMINATE ends it again.")
        left = game_rows.phase_by_id(ctx.tx.session, last.detail["left"])
        if left is not None and left.adjudicated_at is None and game.running:
            if ctx.plays(game) or any(one.number > 0 for one in game.orders.values()):
                ctx.bring(Consent.IRREVOCABLE)  # orders sent since are void; who plays may not learn whether any were
            return calendar.return_to(ctx.tx, game, left)
    raise NotNow("There is no rollback to undo.", "It can be undone until the phase is adjudicated again.")


_NEW_SEED = (
    "The seed of the random draws was published when the game ended. From now on they come from a new one, which is"
    " published at the end; its SHA-256 is"
)


_SAME_DRAWS = (
    "Where chance decides, the same draws are made again, from the seed that was committed to in the first mail: what"
    " you have seen happen by chance happens again, unless the choices differ. So nobody can throw again by rolling"
    " back, and everybody knows the same."
)


_STILL_PAUSED = "The game is still paused, without a deadline."


def _tell(ctx: Context, game: Game, sentence: str, more: str = "", subject: str = "the game is set back") -> None:
    kept = (
        "Orders that were sent for this phase are kept; STATUS shows yours and the position. They count at the"
        " deadline, and before it once you have said READY or sent some again. What was sent for the phases since is"
        " void."
    )
    paused = _STILL_PAUSED if game.paused else ""
    if paused:
        ctx.say(f"{paused} RESUME continues it.")
    words = tuple(filter(None, (sentence, kept, more, paused)))
    subject = "orders are closed" if game.withheld else subject
    ctx.tell_others(game, subject, words, f"rollback:{ctx.key}")


def _undo_rollback(ctx: Context, undo: Mapping[str, Any]) -> str:
    del undo
    game, _ = ctx.seated()
    game = _roll_forward(ctx, game)
    said = _as_left(game, ctx.running(game).code)
    return f"{said[:1].upper()}{said[1:]}"


ROLLBACK = Command(
    "rollback",
    Syntax(
        "ROLLBACK (TO) [phase:WORDS]",
        ("ROLLBACK F1901M", "ROLLBACK F1901M\nBECAUSE the reason"),
        synonyms=("roll back",),
    ),
    Policy(
        Who.MASTER,
        record=Record(undo=_undo_rollback, changes="the phase"),
        cost=5,
        spends=(Spent.MAILS,),
        in_sandbox=True,
        about=(About.ORDERS, About.RESULTS),
    ),
    act_rollback,
    Help(
        "play a phase again",
        """
        Sets the game back to the beginning of that phase, and tells everybody
        why, if the next line is BECAUSE and the reason, also in its new report.
        The orders given for it, the last ones of all times that it was played,
        and those stored for phases that were played after it, are kept, and
        everybody can change them: they count at the deadline, and before it
        once their player has sent some again or said READY. A gamemaster who
        plays cannot end it earlier, and each phase has at least the longest
        time that it ever had, whatever was SET since. Nothing is erased: until
        the phase is adjudicated again, ROLLFORWARD undoes the rollback. A game
        that was over goes on with a new seed for its random draws; one whose
        end has shown what was hidden does not go on.
        """,
    ),
)
ROLLFORWARD = Command(
    "rollforward",
    Syntax("ROLLFORWARD", synonyms=("roll forward",), sentences=Sentences.UNLESS_WHOLE),
    Policy(Who.MASTER, record=Record(changes="the phase"), cost=5, spends=(Spent.MAILS,), in_sandbox=True),
    act_rollforward,
    Help(
        "undo a rollback",
        """
        Possible until the phase that is played again is adjudicated. The phase
        that was left then has the time that it had left.
        """,
    ),
)


def act_accept_late(ctx: Context, args: Mapping[str, Any]) -> None:
    """Adjudicate the last phase again, with orders that came after it was closed."""
    game, _ = ctx.seated()
    named = _powers_named(game, args)
    phase, waiting = _waiting(ctx, game, named)
    newest = {late.seat_id: late for late in waiting}
    came = partial(report_inputs.since_report, ctx.tx.session, game, phase=phase)
    since = {key: came(key, came=late.received_at) for key, late in newest.items()}
    powers = [_power_of(game, late) for late in newest.values()]
    each = [f"{_power_of(game, late)} ({compared(since[key])} was sent to its player)" for key, late in newest.items()]
    if not named and any(one is not None and one > timedelta() for one in since.values()):
        line = f"ACCEPT LATE {listed(powers)}"
        ctx.say(
            f"Nothing is changed yet. There are late orders of {listed(each)}, so that not everybody wrote them without"
            f" knowing the results. Name those that you accept, as in {line}; the report says when they came."
        )
        ctx.offer(line, "accept all of them", Meant.SURELY)
        return
    whose = f"late orders of {listed(each)}"
    told_of = whose if not game.hides_duties else "late orders"
    why, ctx.why = f": {ctx.why}" if ctx.why else "", ""  # it stands in the report
    ctx.say(f"{phase.code} is adjudicated again, with the {whose}. {what_follows(ctx, game)}")
    adjudicate_again(ctx, game, phase, partial(_take_late, ctx, waiting), newest, f"{told_of} were accepted{why}")
    ctx.note("accept late", phase=phase.code, powers=powers)


def _powers_named(game: Game, args: Mapping[str, Any]) -> list[str]:
    names = names_in(args["power"] or "")
    return [game.lexicon.power(name) or name for name in names if name.lower() != "all"]


def late_of(ctx: Context, game: Game) -> tuple[str, ...]:
    """The powers whose late orders wait to be accepted."""
    try:
        return tuple(dict.fromkeys(_power_of(game, late) for late in _waiting(ctx, game, ())[1]))
    except NotNow:
        return ()


def _waiting(ctx: Context, game: Game, named: Sequence[str]) -> tuple[PhaseRow, list[LateOrdersRow]]:
    """The phase that was closed last, and the late orders for it, of these powers or of all, oldest first. Raises
    NotNow."""
    phases = {phase.id: phase for phase in report_inputs.to_play_again(ctx.tx.session, game)}
    every = [late for late in records.late_orders(ctx.tx.session, game.id) if late.phase_id in phases]
    wait = {_power_of(game, late) for late in every}
    found = [late for late in every if not named or _power_of(game, late) in named]
    if not found or not wait.issuperset(named):
        whose = f" of {listed([name for name in named if name not in wait])}" if named else ""
        raise NotNow(f"No late orders{whose} wait to be accepted.", "When some come, you get a mail that says so.")
    last, code = list(phases.values())[-1], phases[found[-1].phase_id].code
    waiting = [late for late in found if late.phase_id == last.id]
    if not waiting:
        raise NotNow(
            f"The late orders are for {code}, and {last.code} was closed since.",
            f"To go back so far, write ROLLBACK {code}; the players can then send their orders again.",
        )
    return last, waiting


def _power_of(game: Game, late: LateOrdersRow) -> str:
    return game.seat(late.seat_id).label


def _take_late(ctx: Context, waiting: Sequence[LateOrdersRow], game: Game) -> Game:
    """Put late orders in force, beside those that their seats had sent before."""
    found: dict[int, list[tuple[datetime, Sequence[str]]]] = {}
    for late in waiting:
        late.accepted_at = ctx.now
        found.setdefault(late.seat_id, []).append((late.received_at, late.lines))
    with_late = partial(preorders.with_late, game, mail_id=ctx.mail_id)
    return ctx.tx.put_orders(game, {key: with_late(game.seat(key), late) for key, late in found.items()})


ACCEPT_LATE = Command(
    "acceptlate",
    Syntax("ACCEPT LATE (ORDERS) (OF|FROM|FOR) [power:POWERS]", ("ACCEPT LATE", "ACCEPT LATE power")),
    Policy(
        Who.NEUTRAL_MASTER,
        Stage.RUNNING,
        consent=Consent.IRREVOCABLE,
        cost=5,
        spends=(Spent.MAILS,),
        playing="ROLLBACK and the phase has everybody order anew.",
        about=(About.ORDERS, About.RESULTS),
    ),
    act_accept_late,
    Help(
        "let orders count that came too late",
        """
        A mail to you names orders that came after their phase was closed: how
        long after the deadline and after that player's report, and what they
        would change. This adjudicates that phase again, with them and with
        everybody else's orders as they were; the corrected report says so.
        Orders that were sent since for the phase after it are void.
        Without a power it accepts all that wait, but asks first if some came
        after the report: ACCEPT LATE Turkey, Italy names those that count. The
        report says how long after it they came, and why they count if a line
        BECAUSE and the reason stands below. It works until the next phase is
        closed, and not for a gamemaster who plays: ROLLBACK does.
        """,
        words=("ACCEPT",),
    ),
)


def act_refuse_late(ctx: Context, args: Mapping[str, Any]) -> None:
    """Let orders that came after the last phase was closed not count, so that nobody is asked about them any more."""
    game, _ = ctx.seated()
    phase, waiting = _waiting(ctx, game, _powers_named(game, args))
    for late in waiting:
        late.refused_at = ctx.now
    seats = [game.seat(seat_id) for seat_id in dict.fromkeys(late.seat_id for late in waiting)]
    powers = [seat.label for seat in seats]
    told = f"The gamemaster does not let your orders for {phase.code} count that came after it was closed."
    told, ctx.why = " ".join(filter(None, (told, ctx.said_why))), ""
    for seat in seats:  # nobody is to know of another's
        ctx.tx.tell(game, [seat], "late orders", (told,), f"refuselate:{ctx.key}")
    whose = "their player was told" if len(seats) == 1 else "each of their players was told"
    ctx.say(f"The late orders of {listed(powers)} for {phase.code} do not count; {whose}.")
    ctx.note("refuse late", phase=phase.code, powers=powers, undo={"refused": [late.id for late in waiting]})


def _no_refusal(ctx: Context, undo: Mapping[str, Any]) -> str:
    for late_id in undo["refused"]:
        ctx.tx.session.get_one(LateOrdersRow, late_id).refused_at = None
    return "The late orders wait for you again: ACCEPT LATE lets them count."


REFUSE_LATE = Command(
    "refuselate",
    Syntax("REFUSE LATE (ORDERS) (OF|FROM|FOR) [power:POWERS]", ("REFUSE LATE", "REFUSE LATE power")),
    Policy(
        Who.NEUTRAL_MASTER,
        Stage.RUNNING,
        record=Record(undo=_no_refusal, changes="late orders"),
        cost=5,
        spends=(Spent.MAILS,),
        playing="Late orders wait for nothing where the gamemaster plays.",
        about=(About.ORDERS, About.RESULTS),
    ),
    act_refuse_late,
    Help(
        "let orders that came too late not count",
        """
        Late orders count only with ACCEPT LATE. This says that they never
        will: their players are told, with your reason if a line BECAUSE stands
        below it, and your desk names them no more. Without a power it is for
        all that wait. UNDO has them wait again.
        """,
        words=("REFUSE",),
    ),
)
