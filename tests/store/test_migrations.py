"""The migrations build the same schema as the models, on both databases, from any revision, and never change a newer
database.
"""

from __future__ import annotations

import importlib.util
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Column, Integer, Table, create_engine, inspect, select, text, update
from sqlalchemy.exc import DatabaseError

from gm import folder
from gm.errors import ConfigurationError
from gm.store import game_rows, records
from gm.store.about import AboutRow
from gm.store.copying import require_current
from gm.store.database import Database
from gm.store.game_rows import GameRow
from gm.store.rows import Base, CleanText, UtcDateTime
from gm.store.schema import configuration, revision, revisions
from tests.store.setting import NOW, lay_table
from tests.timing import HANGING

pytestmark = pytest.mark.long


def test_the_migrated_schema_is_the_models_schema(database: Database) -> None:
    with database.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, Base.metadata) == []


def test_every_constraint_has_its_name_on_both_databases(database: Database) -> None:
    inspector = inspect(database.engine)
    for table in Base.metadata.sorted_tables:
        found = {key["name"] for key in inspector.get_foreign_keys(table.name)}
        found |= {key["name"] for key in inspector.get_unique_constraints(table.name)}
        found |= {inspector.get_pk_constraint(table.name)["name"]}
        assert found == {str(constraint.name) for constraint in table.constraints}


def test_revisions_follow_one_another_as_their_files_are_named() -> None:
    known = ScriptDirectory.from_config(configuration())
    assert revisions() == [script.revision for script in known.walk_revisions()][::-1]
    assert revisions()[-1] == known.get_current_head()


def test_a_start_with_nothing_to_migrate_loads_neither_alembic_nor_the_gallery(empty_database: Database) -> None:
    empty_database.migrate()
    url = empty_database.url.render_as_string(hide_password=False)
    code = (
        "import sys; import gm.cli.serve; from gm.store.database import Database; Database(sys.argv[1]).migrate();"
        "print(*{'alembic', 'gm.gallery', 'confusable_homoglyphs'} & sys.modules.keys())"
    )
    run = subprocess.run([sys.executable, "-c", code, url], capture_output=True, text=True, check=True)
    assert run.stdout.split() == []


def test_migrating_an_empty_database_twice(empty_database: Database) -> None:
    assert not empty_database.is_current()
    empty_database.migrate()
    assert empty_database.is_current()
    with empty_database.transaction() as session:
        lay_table(session)
    empty_database.migrate()
    with empty_database.reading() as session:
        assert session.scalars(select(GameRow.name)).all() == ["spring"]


def test_foreign_keys_hold_again_after_migrating(empty_database: Database) -> None:
    empty_database.migrate()
    with pytest.raises(DatabaseError, match=r"(?i)foreign key"), empty_database.transaction() as session:
        records.note(session, "test", NOW, game_id=999)


def test_a_failed_migration_leaves_nothing_behind(
    empty_database: Database, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    broken = tmp_path / "migrations"
    (broken / "versions").mkdir(parents=True)
    (broken / "env.py").write_text((folder("migrations") / "env.py").read_text())
    (broken / "versions" / "0001_breaks.py").write_text(
        "import sqlalchemy as sa\nfrom alembic import op\nrevision, down_revision = '0001', None\n"
        "def upgrade():\n    op.create_table('half', sa.Column('id', sa.Integer()))\n    raise ArithmeticError\n"
    )
    monkeypatch.setattr("gm.store.schema.folder", lambda name: broken)
    with pytest.raises(ArithmeticError):
        empty_database.migrate()
    assert inspect(empty_database.engine).get_table_names() == []


def test_a_newer_database_is_refused_in_words(database: Database) -> None:
    with database.transaction() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(ConfigurationError, match=r"revision '9999'.*newer") as caught:
        database.migrate()
    assert "Install that newer gm" in caught.value.remedy
    with pytest.raises(ConfigurationError):
        database.is_current()


@pytest.mark.parametrize("number", ["0001", "0006", "a001", "a013"])
def test_a_database_from_before_the_first_release_is_refused_in_words(database: Database, number: str) -> None:
    with database.transaction() as session:
        session.execute(text(f"UPDATE alembic_version SET version_num = '{number}'"))
    with pytest.raises(ConfigurationError, match=rf"revision '{number}'.*before the first release") as caught:
        database.migrate()
    assert "gm.toml" in caught.value.remedy
    with pytest.raises(ConfigurationError, match="before the first release"):
        database.is_current()


def test_a_database_that_another_program_made_with_the_same_revision_is_refused(database: Database) -> None:
    """Before the first release there is one revision, whatever is in it."""
    with database.transaction() as session:
        made = set(session.execute(select(AboutRow.made)).scalar_one())
        for other in (
            made - {next(one for one in made if one.startswith("column game.left "))},
            made | {"column game.right text"},
        ):
            session.execute(update(AboutRow).values(made=sorted(other)))
            with pytest.raises(ConfigurationError, match="before the first release"):
                revision(session.connection())


def test_a_database_of_another_program_is_refused_in_words_and_nothing_is_written(empty_database: Database) -> None:
    url = empty_database.url
    if empty_database.is_sqlite:
        with closing(sqlite3.connect(str(url.database))) as other:
            other.execute("CREATE TABLE birds (id INTEGER)")
        before = Path(str(url.database)).read_bytes()
    else:
        with empty_database.engine.begin() as connection:
            connection.execute(text("CREATE TABLE birds (id INTEGER)"))
    for asked in (empty_database.migrate, empty_database.is_current, lambda: require_current(empty_database)):
        with pytest.raises(ConfigurationError, match=r"tables of another program \(birds\)") as caught:
            asked()
        assert "Name an empty database" in caught.value.remedy
    if empty_database.is_sqlite:
        assert Path(str(url.database)).read_bytes() == before
        assert [path.name for path in Path(str(url.database)).parent.glob("*.sqlite3*")] == [
            Path(str(url.database)).name
        ]
    else:
        assert inspect(empty_database.engine).get_table_names() == ["birds"]


def test_the_revision_of_another_program_is_not_ours(empty_database: Database) -> None:
    """Alembic's table is in the databases of many programs."""
    with create_engine(empty_database.url).begin() as connection:
        connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32))"))
        connection.execute(text("CREATE TABLE birds (id INTEGER)"))
        connection.execute(text(f"INSERT INTO alembic_version VALUES ('{revisions()[-1]}')"))
    with pytest.raises(ConfigurationError, match="tables of another program"):
        empty_database.migrate()


def test_tables_that_came_beside_gms_later_do_no_harm(database: Database) -> None:
    with database.engine.begin() as connection:
        connection.execute(text("CREATE TABLE birds (id INTEGER)"))
    database.migrate()
    assert database.is_current()
    assert database.altered() == []


@pytest.mark.parametrize("database_kind", ["postgresql"], indirect=True)
def test_tables_of_an_extension_may_be_there_before_gms(empty_database: Database) -> None:
    """As PostGIS has one in every database that is made from a template with it. SQLite has none."""
    with empty_database.engine.begin() as connection:
        connection.execute(text("CREATE TABLE spatial_ref_sys (srid INTEGER)"))
        connection.execute(text("ALTER EXTENSION plpgsql ADD TABLE spatial_ref_sys"))
    empty_database.migrate()
    with empty_database.engine.begin() as connection:
        connection.execute(text("ALTER EXTENSION plpgsql DROP TABLE spatial_ref_sys"))
        connection.execute(text("DROP TABLE spatial_ref_sys"))
    assert empty_database.is_current()
    assert empty_database.altered() == []


def test_processes_that_start_together_take_turns(empty_database: Database) -> None:
    url = empty_database.url.render_as_string(hide_password=False)
    program = (
        "import sys\nfrom gm.store.database import Database\n"
        "database = Database(sys.argv[1])\nprint('ready', flush=True)\ninput()\ndatabase.migrate()\n"
    )
    children = [
        subprocess.Popen(
            [sys.executable, "-c", program, url], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        for _ in range(3)
    ]
    for child in children:
        assert child.stdout is not None
        assert child.stdout.readline() == b"ready\n"
    for child in children:
        assert child.stdin is not None
        child.stdin.write(b"go\n")
        child.stdin.flush()
    for child in children:
        _, complaint = child.communicate(timeout=HANGING)
        assert (child.returncode, complaint.decode()) == (0, "")
    assert empty_database.is_current()


@pytest.mark.parametrize("statement", ["UPDATE {} SET id = id", "DELETE FROM {}"])
@pytest.mark.parametrize("table", ["log", "order_set"])
def test_what_is_written_once_cannot_be_changed(database: Database, table: str, statement: str) -> None:
    with database.transaction() as session:
        laid = lay_table(session)
        records.note(session, "test", NOW, game_id=laid.game.id)
        given = {"phase_id": laid.phase.id, "seat_id": laid.france.id, "number": 1, "orders": [], "complete": False}
        game_rows.add_order_sets(session, [{**given, "received_at": NOW, "inbox_id": None}])
    with (
        pytest.raises(DatabaseError, match=f"rows of {table} are written once"),
        database.transaction() as session,
    ):
        session.execute(text(statement.format(table)))


def test_a_draft_of_the_next_migration_works(
    empty_database: Database, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """`migrations/draft.py` on models with a new table; the folder's name needs care in Alembic's configuration."""
    copied = tmp_path / "100% new" / "migrations"
    shutil.copytree(folder("migrations"), copied)
    monkeypatch.setattr("gm.store.schema.folder", lambda name: copied)
    extra = Table(
        "extra",
        Base.metadata,
        Column("id", Integer, primary_key=True),
        Column("at", UtcDateTime),
        Column("w", CleanText),
    )
    try:
        spec = importlib.util.spec_from_file_location("draft", copied / "draft.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        path = module.draft("one more table")
        assert path.parent == copied / "versions"
        words = path.read_text()
        assert "sa.DateTime(timezone=True)" in words
        assert "sa.Text()" in words
        assert "gm.store" not in words
        empty_database.migrate()
        with empty_database.engine.connect() as connection:
            assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []
    finally:
        Base.metadata.remove(extra)
