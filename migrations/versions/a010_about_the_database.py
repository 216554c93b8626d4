"""A database says whose it is, how it was made and when it was backed up; a mail, what the relay said."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "a010"
down_revision = "a009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """A table, whose row is written when the whole schema is made, and a column."""
    op.create_table(
        "about",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("database", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("made", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("claimed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("backed_up_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("backed_up_to", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_about")),
    )
    op.add_column("outbox", sa.Column("reply", sa.Text(), nullable=True))
