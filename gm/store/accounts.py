"""Persons and their mail addresses. An address is one person's, compared in lower case."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from gm.store.claims import add_once
from gm.store.tables import AccountRow, AddressRow


def normal(email: str) -> str:
    """An address as the store writes it."""
    return email.strip().lower()


def account_by_address(session: Session, email: str) -> AccountRow | None:
    """Whose address it is."""
    return session.scalar(select(AccountRow).join(AddressRow).where(AddressRow.email == normal(email)))


def accounts_by_id(session: Session, ids: Iterable[int]) -> Sequence[AccountRow]:
    """These persons, in no order."""
    return session.scalars(select(AccountRow).where(AccountRow.id.in_(ids))).all()


def create_account(
    session: Session, *, email: str, name: str, now: datetime, zone: str = "UTC", html: bool = True
) -> AccountRow | None:
    """A new person with a first address; None, and nothing done, when the address is somebody's already."""
    if account_by_address(session, email) is not None:
        return None
    account = AccountRow(name=name, zone=zone, html=html, created_at=now)
    session.add(account)
    session.flush()
    if add_address(session, account.id, email, now) is None:
        session.delete(account)
        session.flush()
        return None
    return account


def add_address(session: Session, account_id: int, email: str, now: datetime) -> AddressRow | None:
    """Another address of a person; None when it is somebody's already, be it his own."""
    return add_once(session, AddressRow, account_id=account_id, email=normal(email), created_at=now)


def addresses_of(session: Session, account_id: int) -> Sequence[str]:
    """A person's addresses, the one where his mail goes first."""
    order = (AddressRow.preferred_at.desc().nulls_last(), AddressRow.id)
    return session.scalars(select(AddressRow.email).where(AddressRow.account_id == account_id).order_by(*order)).all()


def prefer_address(session: Session, account_id: int, email: str, now: datetime) -> bool:
    """His mail goes to this address of his from now on; False when it is not his."""
    return _his(session, account_id, email, lambda address: setattr(address, "preferred_at", now))


def remove_address(session: Session, account_id: int, email: str) -> bool:
    """The address is his no more; False when it was not. He must have another."""
    return _his(session, account_id, email, session.delete)


def _his(session: Session, account_id: int, email: str, change: Callable[[AddressRow], object]) -> bool:
    address = session.scalar(
        select(AddressRow).where(AddressRow.account_id == account_id, AddressRow.email == normal(email))
    )
    if address is None:
        return False
    change(address)
    session.flush()
    return True


def erase(session: Session, account: AccountRow) -> None:
    """Nothing is left of a person but a row without a name, which what he did in games refers to."""
    session.execute(delete(AddressRow).where(AddressRow.account_id == account.id))
    account.name, account.zone, account.wishes, account.remind, account.maps = "somebody", "UTC", None, None, None
    session.flush()


def set_profile(
    session: Session, account: AccountRow, *, name: str | None = None, zone: str | None = None, html: bool | None = None
) -> None:
    """Change what a person said of himself; None leaves it."""
    account.name = account.name if name is None else name
    account.zone = account.zone if zone is None else zone
    account.html = account.html if html is None else html
    session.flush()
