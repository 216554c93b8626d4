"""The office: what commands and service share. Rows of the store seen as a game, and words into the outbox.

Place: above the store, letters and reports; below commands and service. Everything here works inside a transaction that
somebody else opened.
"""

from __future__ import annotations

from dataclasses import dataclass
from zoneinfo import ZoneInfo

from gm.letters.addresses import seat_address, seat_token, token_hash
from gm.settings import ServerSettings
from gm.store.tables import Account, Game, Seat


@dataclass(frozen=True, slots=True)
class Office:
    """Who this server is: its address, its key, and how it speaks to a seat."""

    server: ServerSettings
    key: bytes

    def address_of(self, game: Game, seat: Seat) -> str:
        """The seat's own reply address, known to nobody else."""
        return seat_address(self.server.address, game.name, seat_token(self.key, seat.id, seat.serial))

    def renew_token(self, seat: Seat) -> None:
        """Give the seat a new address; the old one is unknown from then on. The seat must have its id."""
        seat.serial += 1
        seat.token_hash = token_hash(seat_token(self.key, seat.id, seat.serial))

    def zone_of(self, account: Account | None) -> ZoneInfo:
        """The zone in which this person reads times."""
        return ZoneInfo(account.zone) if account is not None and account.zone else self.server.zone

    def may_create(self, address: str) -> bool:
        """Whether the operator lets this address run games."""
        allowed = self.server.gamemasters
        return "*" in allowed or address.lower() in allowed
