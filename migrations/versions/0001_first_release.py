"""The schema of the first release.

A game points at its current phase and a phase at its game. SQLite takes the first reference within the table, before
there are phases; PostgreSQL wants it added afterwards. Events and order sets are written once: triggers say so.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

WRITTEN_ONCE = ("event", "order_set")


def upgrade() -> None:
    """Every table of the first release."""
    sqlite = op.get_bind().dialect.name == "sqlite"
    op.create_table(
        "account",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("zone", sa.Text(), nullable=False),
        sa.Column("html", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_account"),
    )
    op.create_table(
        "game",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("variant", sa.Text(), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("seed", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("current_phase_id", sa.Integer(), nullable=True),
        sa.Column("victory", sa.JSON(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_game"),
        sa.UniqueConstraint("name", name="uq_game_name"),
        *(
            [sa.ForeignKeyConstraint(["current_phase_id"], ["phase.id"], name="fk_game_current_phase_id")]
            if sqlite
            else []
        ),
    )
    op.create_index("ix_game_state", "game", ["state"])
    op.create_table(
        "inbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("envelope_from", sa.Text(), nullable=True),
        sa.Column("recipients", sa.JSON(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("content_hash", sa.Text(), nullable=False),
        sa.Column("imap_account", sa.Text(), nullable=True),
        sa.Column("imap_folder", sa.Text(), nullable=True),
        sa.Column("imap_uidvalidity", sa.BigInteger(), nullable=True),
        sa.Column("imap_uid", sa.BigInteger(), nullable=True),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("done_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("held_until", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_inbox"),
        sa.UniqueConstraint("imap_account", "imap_folder", "imap_uidvalidity", "imap_uid", name="uq_inbox_imap"),
        sa.UniqueConstraint("message_id", "content_hash", name="uq_inbox_message_id_content_hash"),
    )
    op.create_index("ix_inbox_state_id", "inbox", ["state", "id"])
    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("recipient", sa.Text(), nullable=False),
        sa.Column("envelope_from", sa.Text(), nullable=False),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("next_try_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("last_error", sa.Text(), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("held_until", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_outbox"),
        sa.UniqueConstraint("purpose", name="uq_outbox_purpose"),
    )
    op.create_index("ix_outbox_recipient_created_at", "outbox", ["recipient", "created_at"])
    op.create_index("ix_outbox_state_next_try_at", "outbox", ["state", "next_try_at"])
    op.create_table(
        "address",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_address_account_id"),
        sa.PrimaryKeyConstraint("id", name="pk_address"),
        sa.UniqueConstraint("email", name="uq_address_email"),
    )
    op.create_index("ix_address_account_id", "address", ["account_id"])
    op.create_table(
        "phase",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("position", sa.JSON(), nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("adjudicated_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("result", sa.JSON(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_phase_game_id"),
        sa.PrimaryKeyConstraint("id", name="pk_phase"),
        sa.UniqueConstraint("game_id", "number", name="uq_phase_game_id_number"),
    )
    op.create_table(
        "seat",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("power", sa.Text(), nullable=True),
        sa.Column("account_id", sa.Integer(), nullable=True),
        sa.Column("serial", sa.Integer(), nullable=False),
        sa.Column("token_hash", sa.Text(), nullable=True),
        sa.Column("wish", sa.Text(), nullable=True),
        sa.Column("wait", sa.Boolean(), nullable=False),
        sa.Column("joined_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_seat_account_id"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_seat_game_id"),
        sa.PrimaryKeyConstraint("id", name="pk_seat"),
        sa.UniqueConstraint("game_id", "power", name="uq_seat_game_id_power"),
        sa.UniqueConstraint("token_hash", name="uq_seat_token_hash"),
    )
    op.create_index("ix_seat_account_id", "seat", ["account_id"])
    op.create_table(
        "deadline",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("phase_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("done_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("cancelled", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_deadline_game_id"),
        sa.ForeignKeyConstraint(["phase_id"], ["phase.id"], name="fk_deadline_phase_id"),
        sa.PrimaryKeyConstraint("id", name="pk_deadline"),
    )
    op.create_index("ix_deadline_done_at_cancelled_due_at", "deadline", ["done_at", "cancelled", "due_at"])
    op.create_index("ix_deadline_game_id", "deadline", ["game_id"])
    op.create_index("ix_deadline_phase_id", "deadline", ["phase_id"])
    op.create_table(
        "event",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.Column("seat_id", sa.Integer(), nullable=True),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("detail", sa.JSON(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_event_game_id"),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"], name="fk_event_seat_id"),
        sa.PrimaryKeyConstraint("id", name="pk_event"),
    )
    op.create_index("ix_event_game_id", "event", ["game_id"])
    op.create_table(
        "order_set",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("phase_id", sa.Integer(), nullable=False),
        sa.Column("seat_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("orders", sa.JSON(), nullable=False),
        sa.Column("complete", sa.Boolean(), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("inbox_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["inbox_id"], ["inbox.id"], name="fk_order_set_inbox_id"),
        sa.ForeignKeyConstraint(["phase_id"], ["phase.id"], name="fk_order_set_phase_id"),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"], name="fk_order_set_seat_id"),
        sa.PrimaryKeyConstraint("id", name="pk_order_set"),
        sa.UniqueConstraint("phase_id", "seat_id", "number", name="uq_order_set_phase_id_seat_id_number"),
    )
    op.create_table(
        "owed_report",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("phase_id", sa.Integer(), nullable=False),
        sa.Column("seat_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("done_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("held_until", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["phase_id"], ["phase.id"], name="fk_owed_report_phase_id"),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"], name="fk_owed_report_seat_id"),
        sa.PrimaryKeyConstraint("id", name="pk_owed_report"),
        sa.UniqueConstraint("phase_id", "seat_id", "kind", name="uq_owed_report_phase_id_seat_id_kind"),
    )
    op.create_index("ix_owed_report_done_at", "owed_report", ["done_at"])
    op.create_table(
        "press",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("phase_id", sa.Integer(), nullable=True),
        sa.Column("from_seat_id", sa.Integer(), nullable=False),
        sa.Column("to_powers", sa.JSON(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["from_seat_id"], ["seat.id"], name="fk_press_from_seat_id"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_press_game_id"),
        sa.ForeignKeyConstraint(["phase_id"], ["phase.id"], name="fk_press_phase_id"),
        sa.PrimaryKeyConstraint("id", name="pk_press"),
    )
    op.create_index("ix_press_game_id", "press", ["game_id"])
    op.create_index("ix_press_phase_id", "press", ["phase_id"])
    op.create_table(
        "vote",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("phase_id", sa.Integer(), nullable=False),
        sa.Column("seat_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("cast_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["phase_id"], ["phase.id"], name="fk_vote_phase_id"),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"], name="fk_vote_seat_id"),
        sa.PrimaryKeyConstraint("id", name="pk_vote"),
        sa.UniqueConstraint("phase_id", "seat_id", "kind", name="uq_vote_phase_id_seat_id_kind"),
    )

    if not sqlite:
        op.create_foreign_key("fk_game_current_phase_id", "game", "phase", ["current_phase_id"], ["id"])
    for table in WRITTEN_ONCE:
        refuse_changes(table, sqlite=sqlite)


def refuse_changes(table: str, *, sqlite: bool) -> None:
    """Let the database itself refuse to change or delete a row of `table`."""
    message = f"rows of {table} are written once"
    if sqlite:
        for verb in ("update", "delete"):
            op.execute(
                f"CREATE TRIGGER {table}_no_{verb} BEFORE {verb} ON {table} BEGIN SELECT RAISE(ABORT, '{message}'); END"
            )
    else:
        op.execute(
            f"CREATE FUNCTION {table}_written_once() RETURNS trigger LANGUAGE plpgsql AS "
            f"$$ BEGIN RAISE EXCEPTION '{message}'; END $$"
        )
        op.execute(
            f"CREATE TRIGGER {table}_written_once BEFORE UPDATE OR DELETE ON {table} "
            f"FOR EACH ROW EXECUTE FUNCTION {table}_written_once()"
        )
