"""JOIN: a seat in a game that is forming; or in one that is running, where its rules let people in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm.board import Power
from gm.commands import Command
from gm.commands.scene import Scene
from gm.commands.whoami import turnout_words
from gm.errors import NotNow, NotPermitted, NotUnderstood
from gm.games.post import tell
from gm.games.power_preferences import read_wishes
from gm.games.snapshot import Table
from gm.games.terms import seats_taken
from gm.position import position_to_json
from gm.store import game_rows, people
from gm.store.game_rows import GameState, SeatRole, SeatRow
from gm.store.people import AccountRow


def act(scene: Scene, args: Mapping[str, Any]) -> None:
    """Give the sender a seat; the answer brings its address."""
    table = scene.public_table(args["game"])
    if table.running and table.variant.seating.late is not None:
        _come_in(scene, Table(scene.session, game_rows.lock_game(scene.session, table.game.id)), args["power"])
        return
    if table.game.state is not GameState.FORMING:
        remedy = "LIST shows the games that are forming."
        if table.running and table.vacant:
            remedy = f"TAKEOVER {table.game.name} takes a vacant seat."
        elif table.running:
            remedy = f"STANDBY {table.game.name} puts you on its list for vacant seats. {remedy}"
        raise NotNow(f"The game {table.game.name} is {table.game.state}.", remedy)
    wanted = args["power"]
    if wanted is not None and table.variant.seating.name is None:
        read_wishes(wanted, table.variant.seating.powers, table.lexicon.power)
    check_admission(scene, table)
    account = scene.registered()
    mine = next((seat for seat in table.players if seat.account_id == account.id), None)
    news = f"You have your seat in {table.game.name} already."
    if mine is None:
        mine = _take_seat(scene, table, account.id)
        news = f"You have a seat in {table.game.name} ({table.variant.title})."
    wish = _name(table, mine, wanted if wanted is not None or mine.wish else _liked(table, account))
    scene.seat, scene.table = mine, Table(scene.session, table.game)
    scene.say(news + (f" {wish}" if wish else ""))
    scene.say(f"Write to your own address from now on: {scene.office.address_of(table.game, mine)}")
    _tell_master(scene, scene.table, account, mine.power or mine.wish)
    scene.note("join", power=mine.power or mine.wish)


def _come_in(scene: Scene, table: Table, wanted: str | None) -> None:
    """Give the sender a seat in a running game: he comes in with the next report, and orders in the turn after it."""
    late, phase, position = table.variant.seating.late, table.phase, table.position
    if late is None or phase is None or position is None:
        raise NotNow(f"The game {table.game.name} is {table.game.state}.", "LIST shows the games that are forming.")
    check_admission(scene, table)
    account = scene.registered()
    seat = next((seat for seat in table.players if seat.account_id == account.id), None)
    if seat is not None and seat.power in (*table.variant.powers(position), *late.enlisted(position)):
        raise NotNow(
            f"You play {seat.power} in {table.game.name} already.", "WHOAMI tells you the address of your seat."
        )
    if seat is None:
        seat = game_rows.add_seat(
            scene.session, table.game.id, SeatRole.PLAYER, account_id=account.id, joined_at=scene.now
        )
        scene.office.renew_token(seat)
    _name(table, seat, wanted)
    phase.position = position_to_json(late.enlist(position, Power(seat.power or "")))
    scene.seat, scene.table = seat, Table(scene.session, table.game)
    scene.say(f"You have a seat in {table.game.name} ({table.variant.title}). You play {seat.power}.")
    scene.say(
        f"You come into the game when {phase.code} is adjudicated: its report announces you, and in the turn after it "
        "you give your first orders."
    )
    scene.say(f"Write to your own address from now on: {scene.office.address_of(table.game, seat)}")
    _tell_master(scene, scene.table, account, seat.power)
    scene.note("join", power=seat.power, phase=phase.code)


def _take_seat(scene: Scene, table: Table, account_id: int) -> SeatRow:
    """A vacated seat, or a new one while there is room."""
    vacant = game_rows.vacant_seats(scene.session, table.game.id)
    if vacant:
        seat = vacant[0]
        game_rows.replace_holder(scene.session, seat, account_id, scene.now)
    elif table.variant.seating.most is None or len(table.players) < table.variant.seating.most:
        seat = game_rows.add_seat(
            scene.session, table.game.id, SeatRole.PLAYER, account_id=account_id, joined_at=scene.now
        )
    else:
        raise NotNow(
            f"All {table.variant.seating.most} seats of {table.game.name} are taken.", "LIST shows other games."
        )
    scene.office.renew_token(seat)
    return seat


def _name(table: Table, seat: SeatRow, text: str | None) -> str:
    """Note the power wished for, or name the power where players do so. Returns what to say of it."""
    seating = table.variant.seating
    if seating.name is not None:
        taken = [Power(other.power) for other in table.players if other.power is not None and other.id != seat.id]
        if text is None and seat.power is None:
            raise NotUnderstood(
                "In this game you name your own power.", f"Write JOIN {table.game.name} AS and the name."
            )
        if text is not None:
            seat.power = seating.name(text, taken)
        return f"You play {seat.power}."
    if text is None:
        return ""
    wishes = read_wishes(text, seating.powers, table.lexicon.power)
    seat.wish = wishes[0][0] if len(wishes) == 1 == len(wishes[0]) else text
    order = ", then ".join(" or ".join(group) for group in wishes)
    return f"You asked to play {order}."


def _liked(table: Table, account: AccountRow) -> str | None:
    """What somebody likes to play by his PREFERENCES, where it makes sense in this game."""
    if account.wishes is None or table.variant.seating.name is not None:
        return None
    try:
        read_wishes(account.wishes, table.variant.seating.powers, table.lexicon.power)
    except NotUnderstood:
        return None
    return account.wishes


def check_admission(scene: Scene, table: Table) -> None:
    """Raises NotPermitted for somebody who is not invited to a game that asks for it."""
    if not table.options.by_invitation:
        return
    mine = people.addresses_of(scene.session, scene.account.id) if scene.account is not None else ()
    if people.invitation_of(scene.session, table.game.id, (scene.sender, *mine)) is None:
        raise NotPermitted(f"{table.game.name} is for invited players only.", "Ask its gamemaster for an invitation.")


def _tell_master(scene: Scene, table: Table, account: AccountRow, power: str | None) -> None:
    came = people.turnout_of(scene.session, [account.id])[account.id]
    enough = table.taken >= table.variant.seating.fewest and not table.running
    ready = f" START {table.game.name} begins the game." if enough else ""
    paragraphs = (
        f"{account.name} has joined"
        + (f" and asks for {power}." if power else ".")
        + f" Turnout: {turnout_words(came)}.",
        f"{seats_taken(table).capitalize()}.{ready}",
    )
    purpose = f"joined:{scene.mail_id}"
    tell(table, scene.office, table.masters, "a player has joined", paragraphs, purpose=purpose, now=scene.now)


COMMAND = Command(
    "join",
    "take a seat in a game that is forming",
    "The answer brings the address of your seat: whatever you write to it,\n"
    "from the address you joined with, counts as yours. Powers are given as\n"
    "wished for where that is possible, else by lot. You may name several,\n"
    "the dearest first: France, Italy, or initials: F[ER]* (France, then\n"
    "England or Russia, then any). Where players name their powers, name\n"
    "yours. Some games may be joined when they are running. RESIGN gives the\n"
    "seat back.",
    act,
)
