"""Budgets: what one mail may use, what its sender may, and how a server learns which are used up."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from gm.commands import COMMANDS
from gm.games import limits
from gm.games.limits import BUDGETS, CERTAIN, OVERDRAWN, Allowance, Budget, OverLimit, Payer, Per, Spent, UsedUp
from gm.games.snapshot import Person
from gm.inbound.answering import _keys
from gm.store.database import Database
from tests.games import budgets
from tests.store.setting import NOW

ANN = {Per.SENDER: "ann", Per.SEAT: "7", Per.DOMAIN: "example.org"}


def allowance(payer: Payer = Payer.SEAT, keys: dict[Per, str] | None = None, **more: object) -> Allowance:
    return Allowance(payer, ANN if keys is None else keys, NOW, **more)  # type: ignore[arg-type]


def most(of: Spent, per: Per, payer: Payer, span: timedelta | None) -> Budget:
    (found,) = (one for one in BUDGETS if (one.of, one.per, one.span) == (of, per, span) and payer in one.whose)
    return found


def settle(database: Database, one: Allowance) -> tuple[Budget, ...]:
    with database.transaction() as session:
        return tuple(budget for budget, _ in one.settle(session))


HOUR = timedelta(hours=1)


@pytest.mark.parametrize(
    ("mailbox", "addresses"),
    [
        ("ann@example.org", "ann+x@example.org Ann@Example.org"),
        ("annlee@gmail.com", "ann.lee@gmail.com a.nnlee+x@googlemail.com annl.e.e@GMAIL.com"),
        ("ann@yahoo.co.uk", "ann-x@yahoo.co.uk ann-y-z@yahoo.co.uk"),
        ("ann@fastmail.com", "x@ann.fastmail.com y+z@ann.fastmail.com ann+z@fastmail.com"),
        ("annlee@proton.me", "ann.lee@proton.me ann_lee+x@protonmail.com ann-lee@pm.me"),
    ],
)
def test_addresses_of_one_mailbox_have_one_account(mailbox: str, addresses: str) -> None:
    assert {limits.mailbox(one) for one in addresses.split()} == {mailbox}


@pytest.mark.parametrize(
    "address", ["ann.lee@example.org", "ann-x@example.org", "x@ann.example.org", "ann_x@gmail.com"]
)
def test_other_providers_addresses_are_mailboxes_of_their_own(address: str) -> None:
    assert limits.mailbox(address) == address


def test_no_two_budgets_are_counted_together() -> None:
    assert len({budget.name for budget in BUDGETS}) == len(BUDGETS)


def test_every_sender_has_a_bound_for_all_that_a_mail_can_cause() -> None:
    for payer in set(Payer) - {Payer.SERVER}:
        for of in set(Spent) - {Spent.NOTICES}:
            assert any(budget.of is of and payer in budget.whose and budget.span for budget in BUDGETS), (payer, of)


def test_a_mail_that_has_spent_all_of_one_thing_has_nothing_left_of_any() -> None:
    mail = allowance()
    mail.charge(Spent.WORK, 119)
    assert mail.over(Spent.MAILS) is None
    mail.charge(Spent.WORK, 50)
    reason = mail.over(Spent.MAILS)
    assert reason is not None
    assert reason.remedy == "Send the rest in another mail."


def test_a_used_up_budget_is_reported_once_and_known_to_the_next_mail(database: Database) -> None:
    budget = most(Spent.ANSWERS, Per.SEAT, Payer.SEAT, HOUR)
    known: dict[tuple[str, str], datetime] = {}
    first = allowance(exhausted=known)
    first.charge(Spent.ANSWERS, budget.amount)
    assert settle(database, first) == (budget,)
    reason = allowance(exhausted=known).used_up(Spent.ANSWERS)
    assert reason is not None
    assert reason.until == NOW + HOUR
    assert replace(allowance(exhausted=known), now=NOW + HOUR).used_up(Spent.ANSWERS) is None
    assert allowance(Payer.PROVED, {Per.SENDER: "proved ann"}, exhausted=known).used_up(Spent.ANSWERS) is None


def test_another_server_learns_it_when_it_charges_and_acts_again(database: Database) -> None:
    budget = most(Spent.ANSWERS, Per.SEAT, Payer.SEAT, HOUR)
    first = allowance()
    first.charge(Spent.ANSWERS, budget.amount)
    settle(database, first)
    other = allowance()
    other.charge(Spent.ANSWERS)
    with pytest.raises(UsedUp):
        settle(database, other)
    assert other.used_up(Spent.ANSWERS) is not None


def test_a_recipient_is_protected_from_all_senders_together(database: Database) -> None:
    known: dict[tuple[str, str], datetime] = {}
    for number in range(6):
        sender = allowance(keys={Per.SENDER: f"gm{number}"}, exhausted=known)
        sender.admit(Spent.FIRST, "eve@example.org")
        settle(database, sender)
    last = allowance(keys={Per.SENDER: "another"}, exhausted=known)
    last.admit(Spent.FIRST, "adam@example.org")
    with pytest.raises(OverLimit, match="one recipient"):
        last.admit(Spent.FIRST, "eve@example.org")


def test_an_operator_can_have_larger_budgets_or_none(database: Database) -> None:
    twice = allowance(times=2)
    twice.charge(Spent.ANSWERS, 60)
    assert settle(database, twice) == ()
    none = allowance(times=0)
    none.charge(Spent.WORK, 10_000)
    assert none.over(Spent.WORK) is None


def test_every_command_has_its_cost() -> None:
    dear = {name for name, command in COMMANDS.items() if command.policy.cost > 1}
    assert {"press", "map", "invite", "create", "history", "listing"} <= dear | {"listing"}
    for command in COMMANDS.values():
        assert 1 <= command.policy.cost <= 10
        assert command.policy.cost > 1 or not command.policy.spends, command.name


def test_only_what_may_be_overdrawn_is_used_several_at_a_time() -> None:
    several = set()
    for path in Path(limits.__file__).parent.parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "charge":
                several |= {ast.unparse(node.args[0]) for _ in node.args[1:2]}
    used = {one for one in Spent if f"Spent.{one.name}" in several}
    assert used | {Spent.MAILS} == set(OVERDRAWN), "a line of press is sent to several people"


def test_the_table_in_the_docs_is_made_from_the_budgets() -> None:
    page = budgets.PAGE.read_text(encoding="utf-8")
    assert budgets.table() in page, "python -m tests.games.budgets writes it"


def test_all_limits_are_in_the_table() -> None:
    """No other module limits how many of something there may be in an hour or a day."""
    beside = re.compile(r"(?:AN_HOUR|A_DAY|PER_HOUR|PER_DAY)\b")  # what a provider takes an hour is a setting
    sources = Path(__file__).parents[2] / "gm"
    found = [path.name for path in sources.rglob("*.py") if beside.search(path.read_text(encoding="utf-8"))]
    assert not found


@pytest.mark.parametrize("payer", CERTAIN)
def test_what_only_its_sender_can_have_written_is_counted_together(payer: Payer) -> None:
    ann, one, other = Person(7, "Ann"), "ann@example.net", "ann@example.com"
    assert _keys(payer, one, ann)[Per.SENDER] == _keys(Payer.SEAT, other, ann)[Per.SENDER]
    assert _keys(payer, one, ann)[Per.SENDER] != _keys(Payer.KNOWN, one, ann)[Per.SENDER]
