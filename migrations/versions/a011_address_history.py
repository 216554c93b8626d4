"""The addresses of a person are known while their games go on, and as which power somebody has held a seat."""

from __future__ import annotations

import hashlib

import sqlalchemy as sa
from alembic import op

revision = "a011"
down_revision = "a010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """A table, with the addresses that people have now, and a column."""
    op.create_table(
        "address_history",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("who", sa.Text(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("left_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_address_history_account_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_address_history")),
        sa.UniqueConstraint("who", "account_id", name=op.f("uq_address_history_who_account_id")),
    )
    op.create_index(op.f("ix_address_history_account_id"), "address_history", ["account_id"])
    op.add_column("sight", sa.Column("power", sa.Text(), nullable=True))
    connection = op.get_bind()
    insert = sa.text("INSERT INTO address_history (who, account_id) VALUES (:who, :account_id)")
    for row in connection.execute(sa.text("SELECT email, account_id FROM address")).all():
        who = hashlib.sha256(row.email.encode()).hexdigest()
        connection.execute(insert, {"who": who, "account_id": row.account_id})
    connection.execute(sa.text("UPDATE sight SET power = (SELECT power FROM seat WHERE seat.id = sight.seat_id)"))
