"""The table of the players in each report, as the reader may know them and may write to them now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import tzinfo

from gm.board import Power
from gm.commands.dashboard import moderators
from gm.commands.past_press import Message, known_to
from gm.commands.press import refusal
from gm.games.identity import ServerIdentity
from gm.games.report_inputs import game_facts, holder_name, progress_shown
from gm.games.snapshot import Game, Seat
from gm.mail.message.addresses import mailto
from gm.play import conversations
from gm.play.conversations import EVERYBODY, GM
from gm.reports import day
from gm.reports.players import PlayerLine, Players
from gm.reports.press_mails import conversation
from gm.reports.results import MANY_POWERS, coloured
from gm.store.records import PressRow

_TITLES = {EVERYBODY: "Everybody", GM: "GM"}


def players_of(
    identity: ServerIdentity,
    game: Game,
    seat: Seat,
    powers: Sequence[Power],
    press: Iterable[PressRow],
    phases: Mapping[int, tuple[str, bool]],
) -> Players:
    """The table for the holder of the seat: of these `powers`, or of so many only those with whom there is press, of
    everybody, and of those who run the game. `press`: what is looked through, newest first; `phases` as in `known_to`.
    Empty for a sandbox, which has no players.
    """
    if game.options.sandbox:
        return Players()
    letters = _newest(known_to(game, seat, press, phases))
    few = len(powers) <= MANY_POWERS
    shown = [power for power in powers if few or power in letters]
    zone = identity.zone_of(seat.person, game)
    known = game_facts(game, seat).players
    who: dict[str, str] = {power: known.get(power, "") or _holder(game, power) for power in shown}
    who |= {EVERYBODY: "", GM: _masters(game)}
    return Players(tuple(_lines(identity, game, seat, who, letters, zone)))


def _holder(game: Game, power: Power) -> str:
    seat = game.seat_of(power)
    return holder_name(game, seat) if seat is not None else ""


def _masters(game: Game) -> str:
    return "" if game.names_hidden else ", ".join(moderators(game))


def _newest(known: Iterable[Message]) -> Mapping[str, Message]:
    """The newest signed press with each partner, by its name, of press that is given newest first."""
    found: dict[str, Message] = {}
    for one in known:
        if "grey" not in one.row.manners:
            for name in one.partners:
                found.setdefault(name, one)
    return found


def _lines(
    identity: ServerIdentity,
    game: Game,
    seat: Seat,
    who: Mapping[str, str],
    letters: Mapping[str, Message],
    zone: tzinfo,
) -> Iterator[PlayerLine]:
    named = coloured(game.powers, game.variant.looks)
    addresses = conversations.addresses(identity, game, seat, {name: (name,) for name in who})
    for name, player in who.items():
        own = name in (seat.power, "GM" if seat.moderates else "")
        address = "" if own or refusal(game, seat, [name]) else addresses[name]
        letter = letters.get(name)
        if not (address or letter or name not in _TITLES):
            continue
        yield PlayerLine(
            _TITLES.get(name) or named.get(Power(name), name),
            f"{player} (you)".strip() if own else player,
            progress_shown(game, game.seat_of(Power(name))),
            _letter(letter, zone) if letter is not None else "",
            address,
            mailto(address, conversation(game.name, (name,))) if address else "",
        )


def _letter(letter: Message, zone: tzinfo) -> str:
    return f"from {'you' if letter.own else letter.sender}, {day(letter.row.sent_at.astimezone(zone))}"
