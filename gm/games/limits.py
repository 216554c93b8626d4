"""Limits: the budgets of this server, and what one mail has used of them.

A budget says how much of something (lines acted on, mails caused, ...) one payer may use within a time. What a mail
causes is collected in its `Allowance` and charged at the end, in one statement; each act is compared with what is left
after those before it. When a budget is used up, what is charged to it is refused, but never in the middle of a line: a
line is begun while something is left, and may overdraw those budgets of which it uses more than one (`OVERDRAWN`).

Mail that only its true sender can have written (it came to a seat, or was authenticated) has budgets of its own, so
that a forged name does not use up a person's budgets.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, MutableMapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import Enum
from functools import cache
from typing import NamedTuple

from sqlalchemy.orm import Session

from gm.errors import NotNow
from gm.store import senders


class Spent(Enum):
    """What a budget limits, in the words used when it is used up."""

    WORK = "commands"
    MAILS = "mails to others"
    BYTES = "files and long texts"
    FIRST = "mails to people who did not ask for them"
    GAMES = "new games"
    ANSWERS = "answers"
    IDLE = "answers to mails that ask for nothing"
    QUESTIONS = "questions to be answered with YES or NO"
    NOTICES = "mails to the operator"


OVERDRAWN = (Spent.WORK, Spent.MAILS, Spent.BYTES)
"""What the last line may use more of than was left; of anything else, nothing is used beyond the budget."""


AS_TEXT_AND_HTML = 2
"""How often a text is in a mail."""
BYTES_OF_A_PART = 5_000
"""The approximate size of an answer that is not a text of its own (a status, a list), or of a mail but for its text."""


class Payer(Enum):
    """Who a mail is from, as far as that is certain."""

    SEAT = "mail to a seat from its holder"
    PROVED = "authenticated mail of somebody registered"
    NEWCOMER = "authenticated mail of anybody else"
    KNOWN = "mail that is not authenticated, in the name of somebody registered who has proved who they are before"
    STRANGER = "any other mail"
    SERVER = "the server itself"


class Per(Enum):
    """What a budget is counted for."""

    MAIL = "one mail"
    SENDER = "one sender"
    MAILBOX = "one mailbox"
    DOMAIN = "all senders of a domain"
    GAME = "one game"
    SEAT = "one seat"
    TARGET = "one recipient"
    ALL = "all such mail"


_HOUR, _DAY, _MONTH = timedelta(hours=1), timedelta(days=1), timedelta(days=30)
_EVERYBODY = tuple(Payer)
_UNSEATED = tuple(payer for payer in Payer if payer is not Payer.SEAT)
CERTAIN = (Payer.SEAT, Payer.PROVED)
"""Those of mail that only its sender can have written: a person has one account for all of it."""
_NEW = (Payer.NEWCOMER, Payer.STRANGER)
UNPROVED = (Payer.KNOWN, Payer.STRANGER)
"""Those of mail that anybody can have written."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How much of something is allowed `per` what, from whom, within how long; `span` None: in one mail."""

    of: Spent
    per: Per
    whose: tuple[Payer, ...]
    amount: int
    span: timedelta | None = None

    @property
    def name(self) -> str:
        """The name under which it is counted."""
        hours = int(self.span.total_seconds()) // 3600 if self.span is not None else 0
        whose = "" if self.whose == _EVERYBODY else "+".join(payer.name for payer in self.whose)
        return f"{self.of.name} {self.per.name} {hours} {whose}".lower().rstrip()

    @property
    def time(self) -> str:
        """How long the budget's period is, in words."""
        return {None: "one mail", _HOUR: "an hour", _DAY: "a day", _MONTH: "30 days"}[self.span]


BUDGETS = (
    Budget(Spent.WORK, Per.MAIL, _EVERYBODY, 120),
    Budget(Spent.WORK, Per.SENDER, CERTAIN, 1_000, _HOUR),
    Budget(Spent.WORK, Per.SENDER, (Payer.KNOWN, Payer.NEWCOMER), 300, _HOUR),
    Budget(Spent.WORK, Per.SENDER, (Payer.STRANGER,), 120, _HOUR),
    Budget(Spent.WORK, Per.ALL, _NEW, 20_000, _HOUR),
    Budget(Spent.MAILS, Per.MAIL, _EVERYBODY, 160),
    Budget(Spent.MAILS, Per.SENDER, CERTAIN, 320, _HOUR),
    Budget(Spent.MAILS, Per.SENDER, CERTAIN, 1_600, _DAY),
    Budget(Spent.MAILS, Per.SENDER, (Payer.KNOWN, *_NEW), 60, _HOUR),
    Budget(Spent.MAILS, Per.GAME, _EVERYBODY, 5_000, _DAY),
    Budget(Spent.MAILS, Per.ALL, _NEW, 1_000, _HOUR),
    Budget(Spent.BYTES, Per.MAIL, _EVERYBODY, 4_000_000),
    Budget(Spent.BYTES, Per.SENDER, CERTAIN, 40_000_000, _DAY),
    Budget(Spent.BYTES, Per.SENDER, (Payer.KNOWN, *_NEW), 8_000_000, _DAY),
    Budget(Spent.BYTES, Per.ALL, _NEW, 400_000_000, _DAY),
    Budget(Spent.FIRST, Per.MAIL, _EVERYBODY, 30),
    Budget(Spent.FIRST, Per.SENDER, CERTAIN, 60, _DAY),
    Budget(Spent.FIRST, Per.MAILBOX, CERTAIN, 60, _DAY),
    Budget(Spent.FIRST, Per.SENDER, (Payer.NEWCOMER,), 30, _DAY),
    Budget(Spent.FIRST, Per.SENDER, UNPROVED, 10, _DAY),
    Budget(Spent.FIRST, Per.DOMAIN, _NEW, 200, _DAY),
    Budget(Spent.FIRST, Per.GAME, _EVERYBODY, 100, _MONTH),
    Budget(Spent.FIRST, Per.TARGET, _EVERYBODY, 6, _DAY),
    Budget(Spent.FIRST, Per.TARGET, _EVERYBODY, 16, _MONTH),
    Budget(Spent.GAMES, Per.SENDER, CERTAIN, 15, _DAY),
    Budget(Spent.GAMES, Per.MAILBOX, CERTAIN, 15, _DAY),
    Budget(Spent.GAMES, Per.SENDER, (Payer.KNOWN, *_NEW), 10, _DAY),
    Budget(Spent.GAMES, Per.DOMAIN, _NEW, 20, _DAY),
    Budget(Spent.GAMES, Per.ALL, (Payer.KNOWN, *_NEW), 60, _DAY),
    Budget(Spent.ANSWERS, Per.SENDER, (Payer.PROVED,), 60, _HOUR),
    Budget(Spent.ANSWERS, Per.SEAT, (Payer.SEAT,), 60, _HOUR),
    Budget(Spent.ANSWERS, Per.SENDER, CERTAIN, 300, _DAY),
    Budget(Spent.ANSWERS, Per.SENDER, (Payer.KNOWN, Payer.NEWCOMER), 30, _HOUR),
    Budget(Spent.ANSWERS, Per.SENDER, (Payer.KNOWN, Payer.NEWCOMER), 100, _DAY),
    Budget(Spent.ANSWERS, Per.SENDER, (Payer.STRANGER,), 10, _HOUR),
    Budget(Spent.ANSWERS, Per.SENDER, (Payer.STRANGER,), 20, _DAY),
    Budget(Spent.ANSWERS, Per.SENDER, (Payer.STRANGER,), 60, _MONTH),
    Budget(Spent.ANSWERS, Per.DOMAIN, _NEW, 200, _HOUR),
    Budget(Spent.ANSWERS, Per.ALL, _NEW, 2_000, _HOUR),
    Budget(Spent.IDLE, Per.SENDER, _UNSEATED, 5, _HOUR),
    Budget(Spent.IDLE, Per.SENDER, _UNSEATED, 12, _DAY),
    Budget(Spent.IDLE, Per.SEAT, (Payer.SEAT,), 5, _HOUR),
    Budget(Spent.IDLE, Per.SEAT, (Payer.SEAT,), 12, _DAY),
    Budget(Spent.IDLE, Per.SENDER, _NEW, 3, _DAY),
    Budget(Spent.IDLE, Per.SENDER, _NEW, 10, _MONTH),
    Budget(Spent.QUESTIONS, Per.TARGET, CERTAIN, 30, _HOUR),
    Budget(Spent.QUESTIONS, Per.TARGET, (Payer.KNOWN,), 10, _HOUR),
    Budget(Spent.QUESTIONS, Per.TARGET, (Payer.KNOWN,), 30, _DAY),
    Budget(Spent.QUESTIONS, Per.TARGET, (Payer.KNOWN,), 90, _MONTH),
    Budget(Spent.QUESTIONS, Per.TARGET, (Payer.NEWCOMER,), 20, _HOUR),
    Budget(Spent.QUESTIONS, Per.DOMAIN, (Payer.NEWCOMER,), 60, _HOUR),
    Budget(Spent.QUESTIONS, Per.TARGET, (Payer.STRANGER,), 10, _HOUR),
    Budget(Spent.QUESTIONS, Per.TARGET, (Payer.STRANGER,), 15, _DAY),
    Budget(Spent.QUESTIONS, Per.TARGET, (Payer.STRANGER,), 30, _MONTH),
    Budget(Spent.NOTICES, Per.ALL, (Payer.SERVER,), 30, _HOUR),
)
"""Every limit of this server."""


class OverLimit(NotNow):
    """A budget is used up."""

    def __init__(self, budget: Budget, until: datetime | None = None) -> None:
        self.budget = budget
        self.until = until
        if until is None:
            super().__init__(
                f"This line and those below it were not carried out: one mail may not cause more {budget.of.value}.",
                "Send the rest in another mail.",
            )
        else:
            whom = "" if budget.per is Per.SENDER else f" for {budget.per.value}"
            super().__init__(
                f"Not done: there were as many {budget.of.value}{whom} as this server allows in {budget.time}.",
                f"Send it again after {moment(until)}.",
            )


def moment(at: datetime) -> str:
    """A time in words, to the minute, rounded up."""
    return f"{at.astimezone(UTC) + timedelta(seconds=59):%a %d %b %H:%M} UTC"


class UsedUp(Exception):
    """A mail was acted on although a budget of its sender had been used up before: it must be processed again, now that
    this is known.
    """


Account = tuple[str, str]
"""The name of a budget, and the key for which it is counted."""

Exhausted = MutableMapping[Account, datetime]
"""The budgets that are known to be used up, and until when; each server learns them by charging."""


@dataclass
class Allowance:
    """What a mail has used. `keys` say who pays, for each kind of payer that is known; without `payer` nothing is
    limited.

    Every budget except those of one mail is multiplied by `times`; 0: there are no budgets.
    """

    payer: Payer | None = None
    keys: Mapping[Per, str] = field(default_factory=dict)
    now: datetime = datetime(2000, 1, 1, tzinfo=UTC)
    times: int = 1
    exhausted: Exhausted = field(default_factory=dict)
    session: Session | None = None
    """Where what was used before this mail can be looked up."""
    spent: dict[tuple[Budget, str], int] = field(default_factory=dict)
    before: dict[Account, senders.Charge | None] = field(default_factory=dict)
    learned: list[Account] = field(default_factory=list)

    def charge(self, of: Spent, amount: int = 1, target: str = "") -> None:
        """Charge this amount, even if it is more than is left (only of what is `OVERDRAWN`)."""
        for budget, key in self._budgets(of, target):
            self.spent[budget, key] = self.spent.get((budget, key), 0) + amount

    def over(self, *kinds: Spent) -> OverLimit | None:
        """Why a line that uses these is not acted on; None when something is left of all of them.

        A mail that has used up any of its own budgets is refused everything.
        """
        for (budget, _), amount in self.spent.items():
            if budget.span is None and amount >= budget.amount:
                return OverLimit(budget)
        return next(filter(None, map(self.used_up, kinds)), None)

    def used_up(self, of: Spent, target: str = "") -> OverLimit | None:
        """Why no more of this can be used; None when something is left."""
        for budget, key in self._budgets(of, target):
            if budget.span is None and self.spent.get((budget, key), 0) >= budget.amount:
                return OverLimit(budget)
            if (until := self.exhausted.get((budget.name, key))) is not None and until > self.now:
                return OverLimit(budget, until)
            if budget.span is not None and (until := self._reached(budget, key)) is not None:
                return OverLimit(budget, until)
        return None

    def is_rested(self, of: Spent) -> bool:
        """Whether a seat has used none of this within the shortest time for which it is counted: its burst is over."""
        if self.payer is not Payer.SEAT or self.session is None:
            return False
        timed = [(budget.span, budget.name, key) for budget, key in self._budgets(of, "") if budget.span is not None]
        return not timed or senders.used(self.session, *min(timed)[1:], self.now) is None

    def silence(self, *kinds: Spent) -> str:
        """Why a mail that uses these is not answered, as a note for the operator; "" if it can be."""
        reason = next(filter(None, map(self.used_up, kinds)), None)
        return f"not answered: {reason.problem}" if reason is not None else ""

    def _reached(self, budget: Budget, key: str) -> datetime | None:
        """Until when there is nothing left, because of what this mail has used already; None if something is left.

        Only the second use in a mail needs to be looked up: for the first one, `settle` finds out.
        """
        if budget.span is None or not (spent := self.spent.get((budget, key), 0)):
            return None
        account = (budget.name, key)
        if account not in self.before:
            self.before[account] = senders.used(self.session, *account, self.now) if self.session is not None else None
        before = self.before[account]
        if spent + (before.amount if before is not None else 0) < budget.amount * self.times:
            return None
        return before.ends_at if before is not None else self.now + budget.span

    def used_today(self, of: Spent) -> int:
        """How much of this was charged within a day, this mail included once it is settled; 0 without limits."""
        daily = ((budget.name, key) for budget, key in self._budgets(of, "") if budget.span == _DAY)
        found = (senders.used(self.session, *one, self.now) for one in daily if self.session is not None)
        return max((row.amount for row in found if row is not None), default=0)

    def admit(self, of: Spent, target: str = "") -> None:
        """Use one of something for a recipient. Raises OverLimit when nothing is left."""
        if (reason := self.used_up(of, target)) is not None:
            raise reason
        self.charge(of, target=target)

    def take(self, session: Session, of: Spent) -> bool:
        """Charge one of something at once; False when nothing was left."""
        if self.used_up(of) is not None:
            return False
        self.charge(of)
        try:
            self.settle(session)
        except UsedUp:
            return False
        return True

    def settle(self, session: Session) -> tuple[tuple[Budget, datetime], ...]:
        """Charge everything that was used. Returns the budgets that are used up by this, and until when.

        Raises UsedUp if one was used up before, and this was not known.
        """
        charged = {(budget.name, key): (budget, amount) for (budget, key), amount in self.spent.items() if budget.span}
        charges = [
            senders.Charge(name, key, self.now + (budget.span or _HOUR), amount)
            for (name, key), (budget, amount) in charged.items()
        ]
        used_up, unknown = [], False
        for row in senders.charge(session, charges, self.now):
            account = (row.name, row.payer)
            budget, amount = charged[account]
            most = budget.amount * self.times
            if row.amount >= most:
                unknown |= row.amount - amount >= most and account not in self.exhausted
                used_up += [(budget, row.ends_at)] if row.amount - amount < most else []
                self.exhausted[account] = row.ends_at
                self.learned += [account] if row.amount - amount < most else []
        self.spent, self.before = {}, {}
        if unknown:
            raise UsedUp
        return tuple(used_up)

    def take_back(self) -> None:
        """After the transaction was rolled back: what this mail itself has used up is not used up."""
        for account in self.learned:
            self.exhausted.pop(account, None)

    def _budgets(self, of: Spent, target: str) -> Iterator[tuple[Budget, str]]:
        """The budgets that pay for this, each with the key for which it is counted; those of a recipient need one."""
        if self.payer is None or not self.times:
            return
        keys = {**self.keys, Per.MAIL: "", Per.ALL: self.payer.name.lower()} | (
            {Per.TARGET: mailbox(target)} if target else {}
        )
        for budget in _paying(of, self.payer):
            if budget.per in keys:
                yield budget, _without_address(keys[budget.per])


@cache
def _paying(of: Spent, payer: Payer) -> tuple[Budget, ...]:
    return tuple(budget for budget in BUDGETS if budget.of is of and payer in budget.whose)


def mailbox(address: str) -> str:
    """The mailbox to which mail for this address comes: `ann@example.org` for `ann+games@example.org`; of providers
    that say so, whatever else they take for the same. Two mailboxes may have one name here; never one mailbox two that
    its owner can choose freely.
    """
    local, at, domain = address.lower().rpartition("@")
    user, _, above = domain.partition(".")
    rows = map(_PROVIDERS.get, (domain, f"*.{above}", f"{user}.*"))
    provider = next(filter(None, rows), _Provider())
    local = user if provider.by_user else local
    for sign in provider.tags:
        local = local.partition(sign)[0] or local
    return f"{local.translate(dict.fromkeys(map(ord, provider.unread)))}{at}{provider.domain or domain}"


class _Provider(NamedTuple):
    """What a provider takes for one mailbox: its domains, what is behind one of the `tags`, with or without the signs
    that are `unread`; `by_user`: whatever is written at a domain below its own, which is the mailbox.
    """

    domain: str = ""
    tags: str = "+"
    unread: str = ""
    by_user: bool = False


_GMAIL = _Provider("gmail.com", unread=".")  # support.google.com/mail/answer/7436150, 10313
_PROTON = _Provider("proton.me", unread="._-")  # proton.me/support/change-username, addresses-and-aliases
_YAHOO = _Provider(tags="+-")  # disposable addresses: a base name, a hyphen, a word
_PROVIDERS = {
    **dict.fromkeys(("gmail.com", "googlemail.com"), _GMAIL),
    **dict.fromkeys(("proton.me", "protonmail.com", "protonmail.ch", "pm.me"), _PROTON),
    **dict.fromkeys(("yahoo.*", "ymail.*", "rocketmail.*"), _YAHOO),
    # fastmail.help, 360060591053: anything@user.fastmail.com
    "*.fastmail.com": _Provider("fastmail.com", by_user=True),
    "*.fastmail.fm": _Provider("fastmail.fm", by_user=True),
}


def _without_address(key: str) -> str:
    """The key under which something is counted; an address in it is replaced by its hash, so that the ledger contains
    no names.
    """
    return hashlib.sha256(key.encode()).hexdigest() if "@" in key else key
