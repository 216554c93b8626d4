"""The schema.

A game points at its current phase and a phase at its game. SQLite takes the first reference within the table, before
there are phases; PostgreSQL wants it added afterwards. The log and order sets are written once: triggers say so. This
module is long because the whole schema stands in it.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "b001"
down_revision = None
branch_labels = None
depends_on = None

WRITTEN_ONCE = ("log", "order_set")
MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Every table."""
    sqlite = op.get_bind().dialect.name == "sqlite"
    about()
    mail()
    limits()
    people()
    games(sqlite=sqlite)
    for group in (orders, agenda, records, lists):
        group()
    if not sqlite:
        op.create_foreign_key("fk_game_current_phase_id", "game", "phase", ["current_phase_id"], ["id"])
    for name in WRITTEN_ONCE:
        refuse_changes(name, sqlite=sqlite)


def table(name: str, *parts: Any) -> None:
    """A table with a number as its key."""
    key = sa.PrimaryKeyConstraint("id", name=f"pk_{name}")
    op.create_table(name, sa.Column("id", sa.Integer(), nullable=False), *parts, key)


def about() -> None:
    """What database this is, whose, and how it was made; the row is written when the whole schema is made."""
    table(
        "about",
        sa.Column("database", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("made", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("claimed_at", MOMENT, nullable=True),
        sa.Column("backed_up_at", MOMENT, nullable=True),
        sa.Column("backed_up_to", sa.Text(), nullable=False),
    )


def mail() -> None:
    """Mail in and out with its files, and what came back."""
    table(
        "inbox",
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("envelope_from", sa.Text(), nullable=True),
        sa.Column("recipients", sa.JSON(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("peer", sa.Text(), nullable=True),
        sa.Column("helo", sa.Text(), nullable=True),
        sa.Column("site", sa.Text(), nullable=True),
        sa.Column("findings", sa.Text(), nullable=True),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("content_hash", sa.Text(), nullable=False),
        sa.Column("copy", sa.Integer(), nullable=False),
        sa.Column("sender", sa.Text(), nullable=False),
        sa.Column("sent_at", MOMENT, nullable=True),
        sa.Column("imap_account", sa.Text(), nullable=True),
        sa.Column("imap_folder", sa.Text(), nullable=True),
        sa.Column("imap_uidvalidity", sa.BigInteger(), nullable=True),
        sa.Column("imap_uid", sa.BigInteger(), nullable=True),
        sa.Column("received_at", MOMENT, nullable=False),
        sa.Column("arrived_at", MOMENT, nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("done_at", MOMENT, nullable=True),
        sa.Column("leased_until", MOMENT, nullable=True),
        sa.Column("leased_by", sa.Integer(), nullable=True),
        sa.UniqueConstraint("imap_account", "imap_folder", "imap_uidvalidity", "imap_uid", name="uq_inbox_imap"),
        sa.UniqueConstraint("message_id", "content_hash", "copy", name="uq_inbox_message_id_content_hash_copy"),
    )
    op.create_index("ix_inbox_leased_until", "inbox", ["leased_until"])
    op.create_index("ix_inbox_state_game", "inbox", ["state", "game"])
    op.create_index("ix_inbox_state_id", "inbox", ["state", "id"])
    op.create_index("ix_inbox_state_sender", "inbox", ["state", "sender"])
    op.create_index("ix_inbox_address_sender_sent_at", "inbox", ["address", "sender", "sent_at"])
    table(
        "mailbox",
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("folder", sa.Text(), nullable=False),
        sa.Column("uidvalidity", sa.BigInteger(), nullable=False),
        sa.Column("first_uid", sa.BigInteger(), nullable=False),
        sa.UniqueConstraint("account", "folder", name="uq_mailbox_account_folder"),
    )
    table(
        "outbox",
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("recipient", sa.Text(), nullable=False),
        sa.Column("domain", sa.Text(), nullable=False),
        sa.Column("urgent", sa.Boolean(), nullable=False),
        sa.Column("envelope_from", sa.Text(), nullable=False),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("reply", sa.Text(), nullable=True),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("files", sa.Integer(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("next_try_at", MOMENT, nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("copies", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("trouble", sa.String(16), nullable=False),
        sa.Column("tried_at", MOMENT, nullable=True),
        sa.Column("last_error", sa.Text(), nullable=False),
        sa.Column("sent_at", MOMENT, nullable=True),
        sa.Column("seat_id", sa.Integer(), nullable=True),
        sa.Column("phase_id", sa.Integer(), nullable=True),
        sa.Column("proposes", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("vouched", sa.Boolean(), nullable=False),
        sa.Column("leased_until", MOMENT, nullable=True),
        sa.Column("leased_by", sa.Integer(), nullable=True),
        sa.UniqueConstraint("purpose", name="uq_outbox_purpose"),
    )
    op.create_index("ix_outbox_envelope_from", "outbox", ["envelope_from"])
    op.create_index("ix_outbox_leased_until", "outbox", ["leased_until"])
    op.create_index("ix_outbox_message_id", "outbox", ["message_id"])
    op.create_index("ix_outbox_recipient_created_at", "outbox", ["recipient", "created_at"])
    op.create_index("ix_outbox_seat_id_created_at", "outbox", ["seat_id", "created_at"])
    op.create_index("ix_outbox_state_next_try_at", "outbox", ["state", "next_try_at"])
    op.create_index("ix_outbox_state_trouble", "outbox", ["state", "trouble"])
    op.create_index("ix_outbox_state_urgent_next_try_at", "outbox", ["state", "urgent", "next_try_at"])
    op.create_index("ix_outbox_domain_sent_at", "outbox", ["domain", "sent_at"])
    op.create_index("ix_outbox_sent_at", "outbox", ["sent_at"])
    table(
        "file",
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.UniqueConstraint("digest", name="uq_file_digest"),
    )
    table(
        "mail_file",
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["digest"], ["file.digest"], name="fk_mail_file_digest"),
        sa.UniqueConstraint("message_id", "number", name="uq_mail_file_message_id_number"),
    )
    op.create_index("ix_mail_file_digest", "mail_file", ["digest"])
    table(
        "bounce",
        sa.Column("recipient", sa.Text(), nullable=False),
        sa.Column("outbox_id", sa.Integer(), nullable=False),
        sa.Column("hard", sa.Boolean(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.Column("forgiven_at", MOMENT, nullable=True),
        sa.ForeignKeyConstraint(["outbox_id"], ["outbox.id"], name="fk_bounce_outbox_id"),
    )
    op.create_index("ix_bounce_outbox_id", "bounce", ["outbox_id"])
    table(
        "episode",
        sa.Column("trouble", sa.Text(), nullable=False),
        sa.Column("about", sa.Text(), nullable=False),
        sa.Column("since", MOMENT, nullable=False),
        sa.Column("told_at", MOMENT, nullable=False),
        sa.Column("over_at", MOMENT, nullable=True),
    )
    table(
        "cap",
        sa.Column("server", sa.Text(), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("most", sa.Integer(), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("until", MOMENT, nullable=False),
        sa.UniqueConstraint("server", "kind", name="uq_cap_server_kind"),
    )
    table(
        "copied",
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("folder", sa.Text(), nullable=False),
        sa.Column("uidvalidity", sa.BigInteger(), nullable=False),
        sa.Column("uid", sa.BigInteger(), nullable=False),
        sa.UniqueConstraint("account", "folder", "uidvalidity", "uid", name="uq_copied_account_folder_uidvalidity_uid"),
    )
    op.create_index("ix_episode_trouble_about", "episode", ["trouble", "about"])
    op.create_index("ix_bounce_recipient_forgiven_at", "bounce", ["recipient", "forgiven_at"])


def limits() -> None:
    """What senders have spent of their budgets, and which mail people do not want."""
    table(
        "spending",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("payer", sa.Text(), nullable=False),
        sa.Column("ends_at", MOMENT, nullable=False),
        sa.Column("amount", sa.Integer(), nullable=False),
        sa.UniqueConstraint("name", "payer", name="uq_spending_name_payer"),
    )
    op.create_index("ix_spending_ends_at", "spending", ["ends_at"])
    table(
        "block",
        sa.Column("who", sa.Text(), nullable=False),
        sa.Column("what", sa.Text(), nullable=False),
        sa.Column("since", MOMENT, nullable=False),
        sa.UniqueConstraint("who", "what", name="uq_block_who_what"),
    )


def people() -> None:
    """Accounts and their addresses, and when they are away."""
    table(
        "account",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("zone", sa.Text(), nullable=False),
        sa.Column("html", sa.Boolean(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("maps", sa.Text(), nullable=True),
        sa.Column("json", sa.Text(), nullable=True),
        sa.Column("receipts", sa.Text(), nullable=True),
        sa.Column("digest", sa.Text(), nullable=True),
        sa.Column("calendar", sa.Text(), nullable=True),
        sa.Column("remind", sa.Text(), nullable=True),
        sa.Column("wishes", sa.Text(), nullable=True),
        sa.Column("signature", sa.Text(), nullable=True),
        sa.Column("proved_at", MOMENT, nullable=True),
        sa.Column("digest_seen_at", MOMENT, nullable=True),
        sa.Column("desk", sa.Text(), nullable=True),
        sa.Column("desk_at", MOMENT, nullable=True),
    )
    op.create_index("ix_account_desk_at", "account", ["desk_at"])
    table(
        "address",
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("preferred_at", MOMENT, nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_address_account_id"),
        sa.UniqueConstraint("email", name="uq_address_email"),
    )
    op.create_index("ix_address_account_id", "address", ["account_id"])
    table(
        "address_history",
        sa.Column("who", sa.Text(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("left_at", MOMENT, nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_address_history_account_id"),
        sa.UniqueConstraint("who", "account_id", name="uq_address_history_who_account_id"),
    )
    op.create_index("ix_address_history_account_id", "address_history", ["account_id"])
    table(
        "absence",
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("begins", MOMENT, nullable=False),
        sa.Column("ends", MOMENT, nullable=False),
        sa.Column("told_at", MOMENT, nullable=False),
        sa.Column("only_game", sa.Integer(), nullable=True),
        sa.Column("cancelled_at", MOMENT, nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_absence_account_id"),
    )
    op.create_index("ix_absence_account_id", "absence", ["account_id"])


def games(*, sqlite: bool) -> None:
    """Games, their phases and their seats, and who has seen what of them."""
    circular = sa.ForeignKeyConstraint(["current_phase_id"], ["phase.id"], name="fk_game_current_phase_id")
    table(
        "game",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("rules", sa.Text(), nullable=True),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("seed", sa.Text(), nullable=False),
        sa.Column("told_seeds", sa.JSON(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("current_phase_id", sa.Integer(), nullable=True),
        sa.Column("victory", sa.JSON(), nullable=True),
        sa.Column("paused_at", MOMENT, nullable=True),
        sa.Column("left", sa.Integer(), nullable=True),
        sa.Column("comment", sa.Text(), nullable=True),
        sa.Column("house_rules", sa.Text(), nullable=True),
        sa.Column("stopped_at", MOMENT, nullable=True),
        sa.Column("start_before", sa.Text(), nullable=True),
        *([circular] if sqlite else []),
        sa.UniqueConstraint("name", name="uq_game_name"),
    )
    op.create_index("ix_game_state", "game", ["state"])
    table(
        "phase",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("position", sa.JSON(), nullable=False),
        sa.Column("opened_at", MOMENT, nullable=False),
        sa.Column("adjudicated_at", MOMENT, nullable=True),
        sa.Column("result", sa.JSON(), nullable=True),
        sa.Column("follows", sa.Integer(), nullable=False),
        sa.Column("closed_at", MOMENT, nullable=True),
        sa.Column("forced_at", MOMENT, nullable=True),
        sa.Column("cut_short_at", MOMENT, nullable=True),
        sa.Column("correction", sa.JSON(), nullable=True),
        sa.Column("released_at", MOMENT, nullable=True),
        sa.Column("left_with", sa.Integer(), nullable=True),
        sa.Column("given", sa.Integer(), nullable=False),
        sa.Column("seed_number", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_phase_game_id"),
        sa.UniqueConstraint("game_id", "number", name="uq_phase_game_id_number"),
    )
    table(
        "seat",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("power", sa.Text(), nullable=True),
        sa.Column("account_id", sa.Integer(), nullable=True),
        sa.Column("serial", sa.Integer(), nullable=False),
        sa.Column("token_hash", sa.Text(), nullable=True),
        sa.Column("wish", sa.Text(), nullable=True),
        sa.Column("wait", sa.Boolean(), nullable=False),
        sa.Column("joined_at", MOMENT, nullable=True),
        sa.Column("dummy_since", MOMENT, nullable=True),
        sa.Column("left_in", sa.Integer(), nullable=True),
        sa.Column("muted", sa.JSON(), nullable=False),
        sa.Column("names", sa.JSON(), nullable=False),
        sa.Column("deputy_of", sa.Integer(), nullable=True),
        sa.Column("until", MOMENT, nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_seat_account_id"),
        sa.ForeignKeyConstraint(["deputy_of"], ["seat.id"], name="fk_seat_deputy_of"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_seat_game_id"),
        sa.UniqueConstraint("game_id", "power", name="uq_seat_game_id_power"),
        sa.UniqueConstraint("token_hash", name="uq_seat_token_hash"),
    )
    op.create_index("ix_seat_account_id", "seat", ["account_id"])
    table(
        "shown_address",
        sa.Column("token_hash", sa.Text(), nullable=False),
        sa.Column("seat_id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_shown_address_account_id"),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"], name="fk_shown_address_seat_id"),
        sa.UniqueConstraint("token_hash", name="uq_shown_address_token_hash"),
    )
    table(
        "sight",
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("seat_id", sa.Integer(), nullable=False),
        sa.Column("phase_id", sa.Integer(), nullable=True),
        sa.Column("power", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["phase_id"], ["phase.id"], name="fk_sight_phase_id"),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"], name="fk_sight_seat_id"),
        sa.UniqueConstraint("account_id", "seat_id", "phase_id", name="uq_sight_account_id_seat_id_phase_id"),
    )
    op.create_index("ix_sight_seat_id", "sight", ["seat_id"])
    table(
        "forgotten",
        sa.Column("addresses", sa.JSON(), nullable=False),
        sa.Column("received", sa.Integer(), nullable=False),
        sa.Column("all_received", sa.Integer(), nullable=False),
        sa.Column("sent", sa.Integer(), nullable=False),
        sa.Column("all_sent", sa.Integer(), nullable=False),
    )


def orders() -> None:
    """What seats sent for their orders."""
    table(
        "order_set",
        sa.Column("phase_id", sa.Integer(), nullable=False),
        sa.Column("seat_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("orders", sa.JSON(), nullable=False),
        sa.Column("complete", sa.Boolean(), nullable=False),
        sa.Column("sent", sa.Boolean(), nullable=False),
        sa.Column("received_at", MOMENT, nullable=False),
        sa.Column("inbox_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["inbox_id"], ["inbox.id"], name="fk_order_set_inbox_id"),
        sa.ForeignKeyConstraint(["phase_id"], ["phase.id"], name="fk_order_set_phase_id"),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"], name="fk_order_set_seat_id"),
        sa.UniqueConstraint("phase_id", "seat_id", "number", name="uq_order_set_phase_id_seat_id_number"),
    )
    table(
        "masters_set",
        sa.Column("phase_id", sa.Integer(), nullable=False),
        sa.Column("seat_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["phase_id"], ["phase.id"], name="fk_masters_set_phase_id"),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"], name="fk_masters_set_seat_id"),
    )
    op.create_index("ix_masters_set_phase_id", "masters_set", ["phase_id"])
    table(
        "preorder",
        sa.Column("seat_id", sa.Integer(), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("lines", sa.JSON(), nullable=False),
        sa.Column("stored_at", MOMENT, nullable=False),
        sa.Column("cancelled_at", MOMENT, nullable=True),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"], name="fk_preorder_seat_id"),
    )
    op.create_index("ix_preorder_seat_id", "preorder", ["seat_id"])


def agenda() -> None:
    """What is to be done and when."""
    table(
        "deadline",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("phase_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("due_at", MOMENT, nullable=False),
        sa.Column("done_at", MOMENT, nullable=True),
        sa.Column("cancelled", sa.Boolean(), nullable=False),
        sa.Column("announced", sa.Boolean(), nullable=False),
        sa.Column("unmoved_at", MOMENT, nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_deadline_game_id"),
        sa.ForeignKeyConstraint(["phase_id"], ["phase.id"], name="fk_deadline_phase_id"),
    )
    op.create_index("ix_deadline_done_at_cancelled_due_at", "deadline", ["done_at", "cancelled", "due_at"])
    op.create_index(
        "ix_deadline_game_id_done_at_cancelled_due_at", "deadline", ["game_id", "done_at", "cancelled", "due_at"]
    )
    op.create_index("ix_deadline_phase_id", "deadline", ["phase_id"])
    table(
        "extension",
        sa.Column("seat_id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_extension_account_id"),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"], name="fk_extension_seat_id"),
    )
    op.create_index("ix_extension_seat_id", "extension", ["seat_id"])
    table(
        "roll_call",
        sa.Column("phase_id", sa.Integer(), nullable=False),
        sa.Column("called_at", MOMENT, nullable=False),
        sa.Column("answers", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["phase_id"], ["phase.id"], name="fk_roll_call_phase_id"),
        sa.UniqueConstraint("phase_id", name="uq_roll_call_phase_id"),
    )
    table(
        "way_in",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("drained_until", MOMENT, nullable=False),
        sa.Column("heard_at", MOMENT, nullable=False),
        sa.Column("shared", sa.Boolean(), nullable=False),
        sa.Column("leased_until", MOMENT, nullable=True),
        sa.Column("leased_by", sa.Integer(), nullable=True),
        sa.UniqueConstraint("name", name="uq_way_in_name"),
    )
    op.create_index("ix_way_in_leased_until", "way_in", ["leased_until"])
    table(
        "scheduled",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("seat_id", sa.Integer(), nullable=False),
        sa.Column("inbox_id", sa.Integer(), nullable=True),
        sa.Column("phase_id", sa.Integer(), nullable=False),
        sa.Column("for_next", sa.Boolean(), nullable=False),
        sa.Column("line", sa.Text(), nullable=False),
        sa.Column("due_at", MOMENT, nullable=False),
        sa.Column("done_at", MOMENT, nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_scheduled_game_id"),
        sa.ForeignKeyConstraint(["phase_id"], ["phase.id"], name="fk_scheduled_phase_id"),
        sa.ForeignKeyConstraint(["inbox_id"], ["inbox.id"], name="fk_scheduled_inbox_id"),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"], name="fk_scheduled_seat_id"),
    )
    op.create_index("ix_scheduled_game_id", "scheduled", ["game_id"])
    table(
        "report_queue",
        sa.Column("phase_id", sa.Integer(), nullable=False),
        sa.Column("seat_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("done_at", MOMENT, nullable=True),
        sa.Column("leased_until", MOMENT, nullable=True),
        sa.Column("leased_by", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["phase_id"], ["phase.id"], name="fk_report_queue_phase_id"),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"], name="fk_report_queue_seat_id"),
        sa.UniqueConstraint("phase_id", "seat_id", "kind", name="uq_report_queue_phase_id_seat_id_kind"),
    )
    op.create_index("ix_report_queue_done_at_phase_id", "report_queue", ["done_at", "phase_id"])
    op.create_index("ix_report_queue_leased_until", "report_queue", ["leased_until"])
    table(
        "question",
        sa.Column("inbox_id", sa.Integer(), nullable=False),
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("token_hash", sa.Text(), nullable=False),
        sa.Column("asked", sa.Text(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=True),
        sa.Column("seat_id", sa.Integer(), nullable=True),
        sa.Column("phase_id", sa.Integer(), nullable=True),
        sa.Column("detail", sa.JSON(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("expires_at", MOMENT, nullable=False),
        sa.Column("settled_at", MOMENT, nullable=True),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_question_account_id"),
        sa.ForeignKeyConstraint(["inbox_id"], ["inbox.id"], name="fk_question_inbox_id"),
        sa.ForeignKeyConstraint(["phase_id"], ["phase.id"], name="fk_question_phase_id"),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"], name="fk_question_seat_id"),
        sa.UniqueConstraint("token_hash", name="uq_question_token_hash"),
    )
    op.create_index("ix_question_inbox_id", "question", ["inbox_id"])
    op.create_index("ix_question_seat_id", "question", ["seat_id"])
    op.create_index("ix_question_settled_at_expires_at", "question", ["settled_at", "expires_at"])


def records() -> None:
    """What was said and done."""
    table(
        "press",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("phase_id", sa.Integer(), nullable=True),
        sa.Column("from_seat_id", sa.Integer(), nullable=False),
        sa.Column("to_powers", sa.JSON(), nullable=False),
        sa.Column("readers", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("sent_at", MOMENT, nullable=False),
        sa.Column("manner", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["from_seat_id"], ["seat.id"], name="fk_press_from_seat_id"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_press_game_id"),
        sa.ForeignKeyConstraint(["phase_id"], ["phase.id"], name="fk_press_phase_id"),
    )
    op.create_index("ix_press_game_id", "press", ["game_id"])
    op.create_index("ix_press_phase_id", "press", ["phase_id"])
    table(
        "vote",
        sa.Column("phase_id", sa.Integer(), nullable=False),
        sa.Column("seat_id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("cast_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_vote_account_id"),
        sa.ForeignKeyConstraint(["phase_id"], ["phase.id"], name="fk_vote_phase_id"),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"], name="fk_vote_seat_id"),
        sa.UniqueConstraint("phase_id", "seat_id", "kind", name="uq_vote_phase_id_seat_id_kind"),
    )
    table(
        "diary",
        sa.Column("seat_id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("phase_id", sa.Integer(), nullable=True),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("written_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_diary_account_id"),
        sa.ForeignKeyConstraint(["phase_id"], ["phase.id"], name="fk_diary_phase_id"),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"], name="fk_diary_seat_id"),
    )
    op.create_index("ix_diary_seat_id", "diary", ["seat_id"])
    table(
        "log",
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.Column("seat_id", sa.Integer(), nullable=True),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("detail", sa.JSON(), nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_log_game_id"),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"], name="fk_log_seat_id"),
    )
    op.create_index("ix_log_game_id", "log", ["game_id"])
    table(
        "announcement",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("seat_id", sa.Integer(), nullable=True),
        sa.Column("account_id", sa.Integer(), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_announcement_account_id"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_announcement_game_id"),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"], name="fk_announcement_seat_id"),
    )
    op.create_index("ix_announcement_game_id", "announcement", ["game_id"])
    table(
        "action",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("seat_id", sa.Integer(), nullable=True),
        sa.Column("command", sa.Text(), nullable=False),
        sa.Column("detail", sa.JSON(), nullable=False),
        sa.Column("log_id", sa.Integer(), nullable=False),
        sa.Column("played", sa.Integer(), nullable=False),
        sa.Column("undone", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_action_game_id"),
        sa.ForeignKeyConstraint(["log_id"], ["log.id"], name="fk_action_log_id"),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"], name="fk_action_seat_id"),
    )
    op.create_index("ix_action_game_id", "action", ["game_id"])
    table(
        "late_orders",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("seat_id", sa.Integer(), nullable=False),
        sa.Column("phase_id", sa.Integer(), nullable=False),
        sa.Column("lines", sa.JSON(), nullable=False),
        sa.Column("received_at", MOMENT, nullable=False),
        sa.Column("accepted_at", MOMENT, nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_late_orders_game_id"),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"], name="fk_late_orders_seat_id"),
        sa.ForeignKeyConstraint(["phase_id"], ["phase.id"], name="fk_late_orders_phase_id"),
    )
    op.create_index("ix_late_orders_game_id", "late_orders", ["game_id"])


def lists() -> None:
    """Who was invited, who stands by, who came on time."""
    table(
        "invitation",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("power", sa.Text(), nullable=True),
        sa.Column("invited_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_invitation_game_id"),
        sa.UniqueConstraint("game_id", "email", name="uq_invitation_game_id_email"),
    )
    table(
        "joined",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_joined_account_id"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_joined_game_id"),
        sa.UniqueConstraint("game_id", "account_id", name="uq_joined_game_id_account_id"),
    )
    table(
        "denial",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("who", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_denial_game_id"),
        sa.UniqueConstraint("game_id", "who", name="uq_denial_game_id_who"),
    )
    table(
        "standby",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("listed_at", MOMENT, nullable=False),
        sa.Column("asked_seat_id", sa.Integer(), nullable=True),
        sa.Column("asked_at", MOMENT, nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_standby_account_id"),
        sa.ForeignKeyConstraint(["asked_seat_id"], ["seat.id"], name="fk_standby_asked_seat_id"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_standby_game_id"),
        sa.UniqueConstraint("game_id", "account_id", name="uq_standby_game_id_account_id"),
    )
    table(
        "turnout",
        sa.Column("phase_id", sa.Integer(), nullable=False),
        sa.Column("seat_id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("came", sa.Text(), nullable=False),
        sa.Column("noted_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_turnout_account_id"),
        sa.ForeignKeyConstraint(["phase_id"], ["phase.id"], name="fk_turnout_phase_id"),
        sa.ForeignKeyConstraint(["seat_id"], ["seat.id"], name="fk_turnout_seat_id"),
        sa.UniqueConstraint("phase_id", "seat_id", name="uq_turnout_phase_id_seat_id"),
    )
    op.create_index("ix_turnout_account_id", "turnout", ["account_id"])


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
