"""The files of mails are stored once, what mails say is compressed, and leases are found in an index."""

from __future__ import annotations

import zlib

import sqlalchemy as sa
from alembic import op

revision = "a002"
down_revision = "a001"
branch_labels = None
depends_on = None

LEASED = ("inbox", "outbox", "way_in", "report_queue")
AT_ONCE = 100
"""The number of mails that are compressed together, so that old servers do not fill the memory."""


def upgrade() -> None:
    """Tables and indexes, and the mails that are there."""
    op.create_table(
        "file",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_file"),
        sa.UniqueConstraint("digest", name="uq_file_digest"),
    )
    op.create_table(
        "mail_file",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_mail_file"),
        sa.UniqueConstraint("message_id", "number", name="uq_mail_file_message_id_number"),
        sa.ForeignKeyConstraint(["digest"], ["file.digest"], name="fk_mail_file_digest"),
    )
    op.create_index("ix_mail_file_digest", "mail_file", ["digest"])
    with op.batch_alter_table("outbox") as outbox:
        outbox.add_column(sa.Column("files", sa.Integer(), nullable=False, server_default="0"))
    with op.batch_alter_table("outbox") as outbox:
        outbox.alter_column("files", server_default=None)
    for name in LEASED:
        op.create_index(f"ix_{name}_leased_until", name, ["leased_until"])
    compress()


def compress() -> None:
    """What mails say, as `gm.store.rows.Packed` writes it."""
    outbox = sa.table("outbox", sa.column("id", sa.Integer), sa.column("raw", sa.LargeBinary))
    connection, last = op.get_bind(), 0
    while True:
        mails = connection.execute(
            sa.select(outbox.c.id, outbox.c.raw).where(outbox.c.id > last).order_by(outbox.c.id).limit(AT_ONCE)
        ).all()
        if not mails:
            return
        for mail in mails:
            if mail.raw:
                packed = zlib.compress(mail.raw, 1)
                connection.execute(outbox.update().where(outbox.c.id == mail.id).values(raw=packed))
        last = mails[-1].id
