"""A way in says whether several servers take mail from the same place, as from a mailbox."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "a008"
down_revision = "a007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """A column: only the ways of mailboxes, named so, are shared. The ones that are in use say so again."""
    op.add_column("way_in", sa.Column("shared", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.execute("UPDATE way_in SET shared = (name LIKE 'imap %')")
    with op.batch_alter_table("way_in") as way:
        way.alter_column("shared", server_default=None)
