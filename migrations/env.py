"""How Alembic meets our database: on the connection, and in the transaction, that gm.store.migrating hands in."""

from __future__ import annotations

from alembic import context

from gm.store.tables import Base

connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=Base.metadata,
    render_as_batch=connection.dialect.name == "sqlite",
)
with context.begin_transaction():
    context.run_migrations()
