"""The headings GAME in a mail to a seat: what stands below that of another game is not for this seat.

Of a mail to several seats of one person each game is given the lines below its own name, and those above all names.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from gm.commands.context import Context
from gm.games.loading import seats_at
from gm.mail.message.addresses import token_hash
from gm.mail.message.incoming import Message
from gm.parsing.message import CommandLine, Item, ParsedMessage, Talk
from gm.server.identification import SeatAddress, destination_at

_MOST_NAMED = 3


@dataclass
class Headings:
    """Which lines of a mail to a seat are for other games. `astray` has those for games that the mail does not go to,
    by the name in their heading; `only_elsewhere` is whether all are for games that it goes to as well.
    """

    ctx: Context
    message: Message
    astray: dict[str, list[str]] = field(default_factory=dict)
    only_elsewhere: bool = False

    def without(self, parsed: ParsedMessage) -> ParsedMessage:
        """The lines for the seat's game."""
        self.astray, self.only_elsewhere = {}, False
        game = self.ctx.game
        if self.ctx.seat is None or game is None:
            return parsed
        kept, other = list[Item](), list[tuple[str, Item]]()
        here = name = game.name.lower()
        for item in parsed.items:
            if isinstance(item, CommandLine) and item.name == "game":
                name = str(item.args["game"]).lower()
            if name == here:
                kept.append(item)
            else:
                other.append((name, item))
        if other:
            reached = self._reached()
            for name, item in other:
                if name not in reached and not isinstance(item, Talk):
                    self.astray.setdefault(name, []).append(item.text.strip())
            self.only_elsewhere = not self.astray and all(isinstance(item, Talk) for item in kept)
        return ParsedMessage(tuple(kept), parsed.below)

    def _reached(self) -> frozenset[str]:
        """The names of the games to whose seats the mail goes."""
        tx, addresses = self.ctx.tx, {*self.message.recipients, *self.message.addressed_to}
        found = (destination_at(address, tx.identity) for address in addresses)
        hashes = [token_hash(one.token) for one in found if isinstance(one, SeatAddress)]
        return frozenset(tx.game(game_id).name.lower() for _, game_id, _ in seats_at(tx.session, hashes))

    @property
    def unread(self) -> tuple[str, ...]:
        """The lines that are acted on nowhere."""
        return tuple(line for lines in self.astray.values() for line in lines)

    @property
    def said(self) -> tuple[str, ...]:
        """What the reply says about these lines."""
        if not self.astray or self.ctx.game is None:
            return ()
        names = list(self.astray)
        below = ", ".join(f"GAME {name}" for name in names[:_MOST_NAMED])
        what = f"What is below {below}{' and others' if len(names) > _MOST_NAMED else ''} was not acted on"
        there = f"your seat in {names[0]}" if len(names) == 1 else "your seats there"
        return (f"{what}: this address is your seat in {self.ctx.game.name}. Write to {there} instead.",)
