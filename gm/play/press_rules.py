"""To whom the holder of a seat may write now, by the game's options on press: `quiet` phases, and `partners`.

What a player learns by it they can see: neighbours are found in their own view of the position. A gamemaster may always
write and be written to, and so may a player and their deputy.
"""

from __future__ import annotations

from gm.board import FiniteBoard, Power, Province
from gm.errors import NotNow, NotPermitted
from gm.games.report_inputs import view_of
from gm.games.snapshot import Game, Seat
from gm.play import conversations
from gm.position import PhaseKind, Unit
from gm.reports import listed

_KINDS = {"retreats": PhaseKind.RETREAT, "builds": PhaseKind.ADJUSTMENT}
"""The phases that the option `quiet` can name."""


def check(game: Game, sender: Seat, names: list[str]) -> None:
    """Raises NotNow in a quiet phase, NotPermitted if one of these recipients is no neighbour of the sender's."""
    names = [name for name in names if not _is_free(game, sender, name)]
    if not names:
        return
    if _is_quiet(game):
        raise NotNow(
            f"In {game.name} there is no press between players in {_quiet(game)}.",
            "PRESS TO GM writes to the gamemaster; the others can be written to in the next movement phase.",
        )
    near = neighbours(game, game.principal(sender))
    if near is not None and (far := [name for name in names if name != conversations.EVERYBODY and name not in near]):
        may = f"You can write to {listed(near)} now" if near else "You have no neighbours now"
        verb = "is no neighbour" if len(far) == 1 else "are no neighbours"
        raise NotPermitted(
            f"In {game.name} players write to their neighbours only, and {listed(far)} {verb} of yours.",
            f"{may}; PRESS TO ALL reaches everybody, in public.",
        )


def may_write(game: Game, sender: Seat, name: str) -> bool:
    """Whether the holder of the seat may write to this recipient now."""
    if _is_free(game, sender, name):
        return True
    near = neighbours(game, game.principal(sender))
    return not _is_quiet(game) and (near is None or name == conversations.EVERYBODY or name in near)


def _is_free(game: Game, sender: Seat, name: str) -> bool:
    """Whether no rule limits this press: of a gamemaster, to one, or between a player and their deputy."""
    own = conversations.by_seat(game.principal(sender))
    return sender.moderates or name in (conversations.GM, own)


def _is_quiet(game: Game) -> bool:
    kinds = [_KINDS[word] for word in game.options.quiet]
    return game.running and game.position is not None and game.position.phase.kind in kinds


def _quiet(game: Game) -> str:
    """The quiet phases in words."""
    return f"{listed(word.removesuffix('s') for word in game.options.quiet)} phases"


def neighbours(game: Game, seat: Seat) -> tuple[Power, ...] | None:
    """The powers that the player of this seat may write to: those with a unit that could meet one of theirs, because
    both can move to the same province, or one to where the other is. None if it does not matter.
    """
    if game.options.partners != "neighbours" or not game.running or seat.power is None:
        return None
    view = view_of(game, seat)
    reach: dict[Power, set[Province]] = {}
    for unit in view.position.every_unit:
        reach.setdefault(unit.power, set()).update(_reach(view.board, unit))
    own = reach.get(seat.power, set())
    return tuple(one for one in game.powers if one != seat.power and not own.isdisjoint(reach.get(one, ())))


def _reach(board: FiniteBoard, unit: Unit) -> set[Province]:
    return {board.province(at) for at in (unit.at, *board.neighbours(unit.kind, unit.at))}


def said(game: Game) -> tuple[str, ...]:
    """What the options add to the terms of press, in words; nothing where there is none."""
    if game.options.press == "none":
        return ()
    quiet = (f"none in {_quiet(game)}",) if game.options.quiet else ()
    return (*quiet, *(("in private to neighbours only",) if game.options.partners == "neighbours" else ()))
