"""How Alembic meets our database: on the connection, and in the transaction, that gm.store.migrating hands in."""

from __future__ import annotations

from typing import Any, Literal

from alembic import context
from sqlalchemy.types import Enum, String, TypeDecorator

from gm.store.rows import Base


def plain_type(kind: str, item: Any, _context: object) -> str | Literal[False]:
    """How a drafted migration writes a column's type: SQLAlchemy's own, since ours may change while it must not."""
    if kind == "type" and isinstance(item, TypeDecorator):
        return f"sa.{item.impl_instance!r}"
    if kind == "type" and isinstance(item, Enum):
        return f"sa.{String(item.length)!r}"
    return False


connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=Base.metadata,
    render_as_batch=True,
    render_item=plain_type,
)
with context.begin_transaction():
    context.run_migrations()
