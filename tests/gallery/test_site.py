"""The files of the site: what is written when, what is never touched, what two publishers and bad names do."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag
from xml.etree import ElementTree

import pytest
from PIL import Image
from sqlalchemy import update

from gm.cli import main
from gm.errors import ConfigurationError, Temporary
from gm.gallery import MARK, opened, publish_game, publish_index, require_usable, site_facts, stamps
from gm.maps.picture import Figure
from gm.store import game_rows
from gm.store.game_rows import GameRow, new_version
from tests.gallery.played import Shelf
from tests.gallery.test_secrets import published


def publish(shelf: Shelf, folder: Path) -> set[str]:
    """Publish everything. Returns the files that were written."""
    before = {path: path.stat().st_ino for path in folder.rglob("*") if path.is_file()}
    with opened(folder, site_facts(shelf.server)) as site:
        for number in stamps(shelf.server):
            publish_game(shelf.server, site, number)
        publish_index(shelf.server, site)
    return {
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if path.is_file() and before.get(path) != path.stat().st_ino
    }


def test_a_phase_touches_its_own_files(shelf: Shelf, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    shelf.play(shelf.started("autumn", "standard"), 1)
    assert "games/spring/S1901M.html" in publish(shelf, folder)
    assert publish(shelf, folder) == set()
    shelf.play(1, 1)
    played = published(shelf, tmp_path / "other").keys()
    (newest,) = {name for name in played if name.startswith("games/spring/")} - {
        str(path.relative_to(folder)) for path in folder.rglob("*")
    }
    own = {
        f"games/spring/{name}"
        for name in ("index.html", "map.png", "feed.xml", "phases.js", ".files.json", "F1901M.html")
    }
    assert publish(shelf, folder) == {newest, "index.html", *own}


def test_a_phase_that_is_played_again_replaces_its_page(shelf: Shelf, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    publish(shelf, folder)
    with shelf.database.transaction() as session:
        first, second, third = game_rows.phases_of(session, 1)
        again, _ = game_rows.add_phase(
            session, game_id=1, code=second.code, position=second.position, follows=first.number, now=shelf.now
        )
        session.execute(update(GameRow).values(current_phase_id=again, version=new_version()))
        assert third.code not in (first.code, second.code)
    (folder / "games/spring/mine.html").write_text("not ours")
    publish(shelf, folder)
    assert not (folder / f"games/spring/{second.code}.html").exists(), "it is not played yet"
    assert (folder / "games/spring/mine.html").exists(), "only our own files are deleted"


def test_the_web_server_can_read_it_and_the_links_lead_somewhere(the_seven: Shelf, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    usual = os.umask(0o077)
    publish(the_seven, folder)
    os.umask(usual)
    for path in folder.rglob("*"):
        if path.name != MARK:
            assert stat.S_IMODE(path.stat().st_mode) == (0o755 if path.is_dir() else 0o644), path
    for path in folder.rglob("*.html"):
        for link in links(path):
            target, anchor = urldefrag(link)
            found = path if not target else path.parent / unquote(target)
            assert found.is_file(), (path, link)
            assert not anchor or f'id="{anchor}"' in found.read_text(encoding="utf-8"), (path, link)


def links(path: Path) -> Iterator[str]:
    """The addresses in a page, except of mails. Fails for a page whose elements are not nested."""
    parser = Nested()
    parser.feed(path.read_text(encoding="utf-8"))
    assert not parser.open, (path, parser.open)
    assert len(parser.ids) == len(set(parser.ids)), path
    yield from (link for link in parser.links if not link.startswith("mailto:"))


class Nested(HTMLParser):
    """Checks that elements are nested, and keeps links and ids."""

    void = frozenset(("meta", "link", "image", "img", "rect", "circle", "path", "br", "input", "stop", "ellipse"))

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        self.links += [value for key in ("href", "src") if (value := named.get(key))]
        self.ids += [value for value in [named.get("id")] if value]
        assert "style" not in named, "the policy forbids styles in pages"
        assert not [key for key in named if key.startswith("on")]
        if tag not in self.void:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in self.void:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.void:
            assert self.open.pop() == tag


def test_the_feed_is_an_atom_feed(shelf: Shelf, tmp_path: Path) -> None:
    """RFC 4287, 4.1: id, title and updated once in the feed and in each entry; an author; entries newest first."""
    publish(shelf, tmp_path / "site")
    atom = "{http://www.w3.org/2005/Atom}"
    feed = ElementTree.parse(tmp_path / "site/games/spring/feed.xml").getroot()
    entries = feed.findall(f"{atom}entry")
    assert feed.tag == f"{atom}feed"
    assert feed.findtext(f"{atom}author/{atom}name") == "The <b>Judge</b>"
    titles = [entry.findtext(f"{atom}title") for entry in entries]
    assert titles == ["Fall 1901 movement (F1901M)", "Spring 1901 movement (S1901M)"]
    for part in (feed, *entries):
        for name in ("id", "title", "updated"):
            assert len(part.findall(f"{atom}{name}")) == 1
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", part.findtext(f"{atom}updated") or "")
    assert len({entry.findtext(f"{atom}id") for entry in entries}) == 2
    assert feed.findtext(f"{atom}updated") == entries[0].findtext(f"{atom}updated")


# ---- what is not ours, and what goes wrong


def test_a_folder_with_other_things_is_left_alone(shelf: Shelf, tmp_path: Path) -> None:
    folder = tmp_path / "homepage"
    folder.mkdir()
    (folder / "index.html").write_text("my page")
    with pytest.raises(ConfigurationError, match="not a gallery"), opened(folder, site_facts(shelf.server)):
        pass
    assert [path.name for path in folder.iterdir()] == ["index.html"]


def test_only_one_publishes_at_a_time(shelf: Shelf, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    with (
        opened(folder, site_facts(shelf.server)),
        pytest.raises(Temporary, match="Another gm"),
        opened(folder, site_facts(shelf.server)),
    ):
        pass
    publish(shelf, folder)


def test_links_are_not_followed(shelf: Shelf, tmp_path: Path) -> None:
    folder, elsewhere = tmp_path / "site", tmp_path / "elsewhere"
    publish(shelf, folder)
    elsewhere.mkdir()
    (elsewhere / "file").write_text("keep me")
    page = folder / "games/spring/index.html"
    page.unlink()
    page.symlink_to(elsewhere / "file")
    publish(shelf, folder)
    assert not page.is_symlink()
    assert (elsewhere / "file").read_text() == "keep me"
    for path in (folder / "games/spring").iterdir():
        path.unlink()
    (folder / "games/spring").rmdir()
    (folder / "games/spring").symlink_to(elsewhere)
    with pytest.raises(ConfigurationError, match="symbolic link"):
        publish(shelf, folder)
    assert [path.name for path in elsewhere.iterdir()] == ["file"]


@pytest.mark.parametrize("name", ["../../out", "a/b", "..", "A", "spring\n", ".", "-", "x" * 80])
def test_a_name_that_is_no_folder_is_not_published(shelf: Shelf, tmp_path: Path, name: str) -> None:
    with shelf.database.transaction() as session:
        session.execute(update(GameRow).values(name=name, version=new_version()))
    with opened(tmp_path / "site", site_facts(shelf.server)) as site:
        publish_game(shelf.server, site, 1)
        publish_index(shelf.server, site)
        assert site.skipped == [name]
    assert not (tmp_path / "site/games").exists()
    assert not (tmp_path / "out").exists()


def test_a_game_of_an_edition_that_is_not_here_is_listed_only(shelf: Shelf, tmp_path: Path) -> None:
    for game in (shelf.forming("old", "standard", 2), shelf.started("older", "standard")):
        with shelf.database.transaction() as session:
            row = session.get_one(GameRow, game)
            row.options, row.version = {**row.options, "rules": "standard/99"}, new_version()
    publish(shelf, tmp_path / "site")
    index = (tmp_path / "site/index.html").read_text(encoding="utf-8")
    assert index.count("an edition of the rules that this server does not have") == 2
    assert [path.name for path in (tmp_path / "site/games").iterdir()] == ["spring"]


def test_the_page_of_all_games_shows_each_games_last_map_and_draws_none(
    shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is the file that the game's own page leads to."""
    shelf.forming("autumn", "standard", 2)
    publish(shelf, tmp_path / "site")
    picture = tmp_path / "site/games/spring/map.png"
    with Image.open(picture) as image:
        size = f'width="{image.width}" height="{image.height}"'
    monkeypatch.setattr(Figure, "png", property(lambda _: pytest.fail("it is drawn again")))
    with opened(tmp_path / "site", site_facts(shelf.server)) as site:
        publish_index(shelf.server, site)
    index = (tmp_path / "site/index.html").read_text(encoding="utf-8")
    shown = f'<img src="games/spring/map.png" alt="Last map of spring" {size} loading="lazy">'
    assert shown in index
    assert index.count("<img") == 1, "a game that has not begun has none"
    assert '<a href="map.png">' in (tmp_path / "site/games/spring/index.html").read_text(encoding="utf-8")


def test_a_file_in_the_way_is_reported(shelf: Shelf, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init", "--home", str(shelf.path)]) == 0
    to = ["publish", "--home", str(shelf.path), "--to", str(tmp_path / "site")]
    with opened(tmp_path / "site", site_facts(shelf.server)):
        assert main(to) == 1
        assert "Another gm publishes" in capsys.readouterr().err
    (tmp_path / "site/games").write_text("not a folder")
    assert main(to) == 1
    assert "cannot be written" in capsys.readouterr().err
    (tmp_path / "site/games").unlink()
    assert main(to) == 0


def test_a_folder_in_the_way_of_one_file_stops_nothing_else(
    shelf: Shelf, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["init", "--home", str(shelf.path)]) == 0
    shelf.started("summer", "standard")
    way = tmp_path / "site/games/spring/phases.js"
    with opened(tmp_path / "site", site_facts(shelf.server)):
        way.mkdir(parents=True)
    assert main(["publish", "--home", str(shelf.path), "--to", str(tmp_path / "site")]) == 1
    assert f"gm publish: {way} cannot be written (Is a directory).\n" in capsys.readouterr().err
    assert (tmp_path / "site/games/summer/index.html").is_file()
    assert "spring" in (tmp_path / "site/index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("code", ["../../../F1901M", "a/b", "<b>"])
def test_a_code_that_is_no_file_is_not_published(shelf: Shelf, tmp_path: Path, code: str) -> None:
    with shelf.database.transaction() as session:
        game_rows.phases_of(session, 1)[0].code = code
    publish(shelf, tmp_path / "home" / "site")
    assert not list(tmp_path.glob("*.html"))
    pages = {path.name for path in (tmp_path / "home/site/games/spring").glob("*.html")}
    assert pages == {"F1901M.html", "index.html"}


def test_a_list_of_files_that_was_tampered_with_deletes_nothing_else(shelf: Shelf, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    publish(shelf, folder)
    (tmp_path / "precious.html").write_text("precious")
    for words in ('{"../../../precious.html":""}', "[]", "{", '{"/etc/passwd": 1}', "[" * 100_000):
        (folder / "games/spring/.files.json").write_text(words)
        publish(shelf, folder)
        assert (tmp_path / "precious.html").exists()


def test_a_page_of_no_phase_goes_whoever_was_killed_while_writing_it(shelf: Shelf, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    publish(shelf, folder)
    for name in ("W1999A.html", "spring.json"):
        (folder / "games/spring" / name).write_text("of a phase that was rolled back")
    (folder / "games/spring/notes.txt").write_text("somebody else's")
    publish(shelf, folder)
    left = {path.name for path in (folder / "games/spring").iterdir()}
    assert "W1999A.html" not in left
    assert "spring.json" not in left
    assert "notes.txt" in left


def test_a_folder_that_is_kept_private_stays_so(shelf: Shelf, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    folder.mkdir(mode=0o700)
    publish(shelf, folder)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert (folder / "games").stat().st_mode & 0o777 == 0o755


def test_a_publisher_that_is_killed_leaves_whole_files(
    shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "site"
    publish(shelf, folder)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    shelf.play(1, 1)

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fchmod", killed)
    with pytest.raises(KeyboardInterrupt):
        publish(shelf, folder)
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
    monkeypatch.undo()
    (folder / "games/spring/.new-abc").write_text("half")
    with opened(folder, site_facts(shelf.server)) as site:
        site.sweep()
    assert not list(folder.rglob(".new-*"))


# ---- names and press are text


def test_what_people_write_is_text(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "home")
    number = shelf.started("spring", "outer-space")
    shelf.play(number, 2, press=('<script>alert(1)</script>"><img src=x onerror=alert(2)>\n]]>&nbsp;',))
    with shelf.server.transaction() as tx:
        tx.fold(tx.game(number, lock=True), comment="</title><script>alert(3)</script>")
    for name, content in published(shelf, tmp_path / "site").items():
        if name.endswith((".html", ".xml")):
            assert b"<script>" not in content, name
            assert b"<img src=x" not in content, name


def test_a_folder_on_a_read_only_file_system_is_said_to_be_on_one() -> None:
    """Its owner cannot write there either: to `chown` it would not help."""
    mounts = (line.split() for line in Path("/proc/mounts").read_text().splitlines())
    there = next((at for _, at, _, how, *_ in mounts if "ro" in how.split(",") and Path(at).is_dir()), None)
    if there is None:
        pytest.skip("no file system here is read-only")
    with pytest.raises(ConfigurationError, match="is on a read-only file system") as error:
        require_usable(Path(there) / "gallery" / "site")
    assert "chown" not in str(error.value)


@pytest.mark.parametrize("options", [{"listed": "no"}, {"sandbox": "1"}, {"practice": "yes"}], ids=str)
def test_a_game_of_which_not_everybody_may_know_has_no_page(
    shelf: Shelf, tmp_path: Path, options: dict[str, str]
) -> None:
    """Its pages were published at an address that can be guessed; what was published before goes."""
    folder = tmp_path / "other"
    publish(shelf, folder)
    _change(shelf, options)
    (folder / "games" / "spring" / "S1899M.html").write_text("a page of before")
    publish(shelf, folder)
    publish(shelf, tmp_path / "site")
    for site in (folder, tmp_path / "site"):
        assert not list(site.rglob("*spring*"))
        assert "spring" not in (site / "index.html").read_text()


def test_what_is_somebody_elses_stays_where_a_game_is_withdrawn(shelf: Shelf, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    publish(shelf, folder)
    (folder / "games" / "spring" / "notes.txt").write_text("mine")
    _change(shelf, {"listed": "no"})
    publish(shelf, folder)
    assert [path.name for path in (folder / "games" / "spring").iterdir()] == ["notes.txt"]


def _change(shelf: Shelf, options: dict[str, str]) -> None:
    """Give the game these options."""
    with shelf.database.transaction() as session:
        row = session.get_one(GameRow, 1)
        row.options, row.version = {**row.options, **options}, new_version()
