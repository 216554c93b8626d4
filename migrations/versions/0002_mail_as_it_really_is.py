"""Questions that wait for a yes, mails that came back, several addresses to a person.

A return path and a Message-ID lead back to the mail that bounced, so both are looked up. The address preferred last is
the one that mail goes to; none was preferred so far.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Two tables, a column and two indexes; no row is changed."""
    op.create_table(
        "bounce",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("recipient", sa.Text(), nullable=False),
        sa.Column("outbox_id", sa.Integer(), nullable=False),
        sa.Column("hard", sa.Boolean(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("forgiven_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_bounce"),
        sa.ForeignKeyConstraint(["outbox_id"], ["outbox.id"], name="fk_bounce_outbox_id"),
    )
    op.create_index("ix_bounce_outbox_id", "bounce", ["outbox_id"])
    op.create_index("ix_bounce_recipient_forgiven_at", "bounce", ["recipient", "forgiven_at"])
    op.create_table(
        "confirmation",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("inbox_id", sa.Integer(), nullable=False),
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("token_hash", sa.Text(), nullable=False),
        sa.Column("asked", sa.Text(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=True),
        sa.Column("seat_id", sa.Integer(), nullable=True),
        sa.Column("phase_id", sa.Integer(), nullable=True),
        sa.Column("detail", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("settled_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_confirmation"),
        sa.UniqueConstraint("token_hash", name="uq_confirmation_token_hash"),
        sa.ForeignKeyConstraint(["inbox_id"], ["inbox.id"], name="fk_confirmation_inbox_id"),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_confirmation_account_id"),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"], name="fk_confirmation_seat_id"),
        sa.ForeignKeyConstraint(["phase_id"], ["phase.id"], name="fk_confirmation_phase_id"),
    )
    op.create_index("ix_confirmation_inbox_id", "confirmation", ["inbox_id"])
    op.create_index("ix_confirmation_seat_id", "confirmation", ["seat_id"])
    op.add_column("address", sa.Column("preferred_at", sa.DateTime(timezone=True), nullable=True))
    op.create_index("ix_outbox_envelope_from", "outbox", ["envelope_from"])
    op.create_index("ix_outbox_message_id", "outbox", ["message_id"])
