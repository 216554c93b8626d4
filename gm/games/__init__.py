"""The office: what commands and service share. Rows of the store seen as a game, and words into the outbox.

Place: above the store, letters and reports; below commands and service. Everything here works inside a transaction that
somebody else opened.
"""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass, field
from zoneinfo import ZoneInfo

from gm.mail.message.addresses import CONFIRM, RETURN, seat_address, seat_token, token_for, token_hash
from gm.settings import ServerSettings, TrustSettings
from gm.store.game_rows import GameRow, SeatRow
from gm.store.people import AccountRow
from gm.store.question_rows import QuestionRow


@dataclass(frozen=True, slots=True)
class ServerIdentity:
    """Who this server is: its address, its key, and how it speaks to a seat."""

    server: ServerSettings
    key: bytes
    trust: TrustSettings = field(default_factory=TrustSettings)

    @property
    def host(self) -> str:
        """The domain of the server's address."""
        return self.server.address.rpartition("@")[2]

    @property
    def authserv_id(self) -> str:
        """The name under which the server's own listener writes what it found out about a sender (RFC 8601)."""
        return f"gm.{self.host}".lower()

    def is_own(self, email: str) -> bool:
        """Whether an address is the server's own or one of its seats': nobody's, and no mail may be sent there."""
        local, _, domain = email.lower().rpartition("@")
        return domain == self.host.lower() and local.partition("+")[0] == self.server.address.partition("@")[0].lower()

    def answer_address(self, question: QuestionRow) -> str:
        """Where the answer to a question goes. The question must have its id."""
        return seat_address(self.server.address, CONFIRM, self._answer_token(question))

    def answer_hash(self, question: QuestionRow) -> str:
        """What is kept of the token in that address."""
        return token_hash(self._answer_token(question))

    def _answer_token(self, question: QuestionRow) -> str:
        return token_for(self.key, CONFIRM, str(question.id))

    def return_path(self, purpose: str) -> str:
        """The envelope sender of the mail for this purpose, its own (VERP)."""
        return seat_address(self.server.address, RETURN, token_for(self.key, RETURN, purpose))

    def address_of(self, game: GameRow, seat: SeatRow) -> str:
        """The seat's own reply address, known to nobody else."""
        return seat_address(self.server.address, game.name, seat_token(self.key, seat.id, seat.serial))

    def renew_token(self, seat: SeatRow) -> None:
        """Give the seat a new address; the old one is unknown from then on. The seat must have its id."""
        seat.serial += 1
        seat.token_hash = token_hash(seat_token(self.key, seat.id, seat.serial))

    def zone_of(self, account: AccountRow | None) -> ZoneInfo:
        """The zone in which this person reads times."""
        return ZoneInfo(account.zone) if account is not None and account.zone else self.server.zone

    def new_seed(self, game: str) -> str:
        """The secret seed of a new game, in hexadecimal figures. Nothing that is mailed has a part in it, unless the
        operator rehearses: then it is made from his `rehearsal_seed` and the game's name.
        """
        known = self.server.rehearsal_seed
        return hmac.digest(known, game.encode(), "sha256").hex() if known else secrets.token_hex(32)

    def may_create(self, address: str) -> bool:
        """Whether the operator lets this address run games."""
        allowed = self.server.gamemasters
        return "*" in allowed or address.lower() in allowed
