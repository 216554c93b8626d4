"""Maps in the mails of a game: within the reports, on request, and not where they are not wanted."""

from __future__ import annotations

import re
from email.message import EmailMessage
from io import BytesIO
from xml.etree import ElementTree

import pytest
from PIL import Image, ImageStat
from sqlalchemy import select, text

from gm.maps import scene as scenes
from gm.maps.glyphs import liveries
from gm.maps.picture import DARK, LIGHT
from gm.store.mail_files import FileRow
from gm.store.outbox import OutboxRow
from gm.variants.standard import POWERS
from tests.server.world import BASE, World, player, text_of


def html_of(mail: EmailMessage) -> str:
    body = mail.get_body(("html",))
    assert isinstance(body, EmailMessage)
    return str(body.get_content())


def pictures_of(mail: EmailMessage) -> list[EmailMessage]:
    return [part for part in mail.walk() if part.get_content_maintype() == "image" and isinstance(part, EmailMessage)]


def test_the_opening_and_the_report_have_the_map_within(world: World) -> None:
    seats = world.started()
    for power in ("France", "Turkey"):
        picture, named_places = pictures_of(world.last(player(power)))
        assert f"cid:{named_places['Content-ID'][1:-1]}" in html_of(world.last(player(power)))
        assert named_places.get_filename() == "names.png"
        named = re.search(r'src="cid:([^"]+)"', html_of(world.last(player(power))))
        assert named is not None
        assert picture["Content-ID"] == f"<{named[1]}>"
        assert picture.get_content_disposition() == "inline"
        with Image.open(BytesIO(picture.get_content())) as image:
            assert image.format == "PNG"
            assert f'width="{min(640, image.width)}"' in html_of(world.last(player(power)))
    world.send(player("France"), seats["France"], "A PAR-BUR")
    world.pass_time(days=30)
    assert [part.get_filename() for part in pictures_of(world.last(player("England")))] == ["map.png"]
    whole, theatre = pictures_of(world.last(player("Austria")))
    html = html_of(world.last(player("Austria")))
    assert 'alt="Map of the board. Spring 1901: moves."' in html
    assert (whole.get_filename(), theatre.get_filename()) == ("map.png", "theatre.png")
    assert html.index(whole["Content-ID"][1:-1]) < html.index(theatre["Content-ID"][1:-1])
    assert 'alt="Map of the board. Austria, Spring 1901."' in html


def test_seats_that_see_the_same_get_the_same_picture(world: World) -> None:
    world.started()
    one, other = (pictures_of(world.last(player(power)))[0] for power in ("France", "Turkey"))
    assert one.get_content() == other.get_content()
    assert one["Content-ID"] == other["Content-ID"]


@pytest.mark.parametrize("preference", ["maps=none", "mail=text"])
def test_who_wants_no_map_gets_none(world: World, preference: str) -> None:
    seats = world.started()
    world.send(player("France"), seats["France"], f"PREFERENCES {preference}")
    world.pass_time(days=30)
    assert not pictures_of(world.last(player("France")))
    assert pictures_of(world.last(player("Turkey")))


def test_dark_readers_get_a_dark_map(world: World) -> None:
    """Where the mail program knows of dark readers, by its style; by a preference elsewhere."""
    seats = world.started()
    world.send(player("France"), seats["France"], "PREFERENCES map=dark")
    world.pass_time(days=30)
    corners = []
    for power in ("France", "Turkey"):
        mail = world.last(player(power))
        assert ("prefers-color-scheme:dark" in html_of(mail)) == (power == "Turkey")
        with Image.open(BytesIO(pictures_of(mail)[0].get_content())) as image:
            corners.append(image.convert("L").tobytes()[2 - image.width])
    assert corners[0] < 60
    assert corners[1] > 200


def test_a_player_asks_for_the_map(world: World) -> None:
    seats = world.started()
    answer = world.send(player("France"), seats["France"], "MAP")
    files = {part.get_filename(): part.get_content() for part in pictures_of(answer)}
    assert set(files) == {"spring-S1901M.svg", "spring-S1901M.png"}
    root = ElementTree.fromstring(files["spring-S1901M.svg"])
    assert root.find("{http://www.w3.org/2000/svg}title") is not None
    assert "is attached" in str(answer.get_body(("plain",)))


def test_a_player_sees_their_own_orders_on_the_map(world: World) -> None:
    seats = world.started()
    assert "sent no orders" in text_of(world.send(player("France"), seats["France"], "MAP ORDERS"))
    world.send(player("Germany"), seats["Germany"], "A MUN-BUR")
    world.send(player("France"), seats["France"], "A PAR-BUR\nA MAR S A PAR-GAS\nF BRE H")
    answer = world.send(player("France"), seats["France"], "MAP ORDERS")
    assert "orders to look at again have a cross" in text_of(answer)
    files = {part.get_filename(): part.get_content() for part in pictures_of(answer)}
    assert set(files) == {"spring-S1901M-orders.svg", "spring-S1901M-orders.png"}
    drawn = files["spring-S1901M-orders.svg"]
    drawn = drawn.decode() if isinstance(drawn, bytes) else drawn
    assert "Spring 1901: your orders" in drawn
    assert ">look again<" in drawn
    assert ">fails<" not in drawn
    blue, grey = (liveries(POWERS)[POWERS[number]].strong for number in (2, 3))
    assert f'stroke="{blue}" stroke-width="4.2"' in drawn
    assert f'stroke="{grey}" stroke-width="4.2"' not in drawn


def test_the_position_is_drawn_without_the_orders_that_led_to_it(world: World) -> None:
    seats = world.started()
    world.send(player("France"), seats["France"], "A PAR-BUR")
    world.pass_time(days=8)
    files: dict[str, str | bytes] = {}
    for line in ("MAP", "MAP POSITION"):
        answer = world.send(player("France"), seats["France"], line)
        files |= {str(part.get_filename()): part.get_content() for part in pictures_of(answer)}
    drawn = {name: text.decode() if isinstance(text, bytes) else text for name, text in files.items() if "svg" in name}
    assert set(drawn) == {"spring-S1901M.svg", "spring-F1901M-position.svg"}
    assert ">moves<" in drawn["spring-S1901M.svg"]
    assert ">moves<" not in drawn["spring-F1901M-position.svg"]
    assert "Fall 1901" in drawn["spring-F1901M-position.svg"]
    assert "No game is named" in text_of(world.send("bob@example.net", BASE, "MAP POSITION"))


@pytest.mark.parametrize("line", ["MAP", "MAP POSITION", "MAP NAMES", "MAP S1901M", "MAP ORDERS"])
def test_dark_readers_get_the_maps_that_they_ask_for_dark(world: World, line: str) -> None:
    seats = world.started()
    world.pass_time(days=8)
    shades = []
    for said in ("PREFERENCES maps=yes", "PREFERENCES maps=dark"):
        world.send(player("France"), seats["France"], said)
        answer = world.send(player("France"), seats["France"], f"A PAR H\n{line}" if "ORDERS" in line else line)
        drawn, picture = (part.get_content() for part in pictures_of(answer))
        paper = DARK.paper if "dark" in said else LIGHT.paper
        assert paper in (drawn.decode() if isinstance(drawn, bytes) else drawn)
        with Image.open(BytesIO(picture)) as image:
            shades.append(ImageStat.Stat(image.convert("L")).mean[0])
    assert shades[0] > 150 > 90 > shades[1]


@pytest.mark.parametrize("where", ["the seat", "the server"])
def test_the_map_with_full_names(world: World, where: str) -> None:
    seats = world.started()
    answer = world.send(player("France"), seats["France"] if where == "the seat" else BASE, "MAP NAMES")
    files = {part.get_filename(): part.get_content() for part in pictures_of(answer)}
    assert set(files) == {"names.svg", "names.png"}
    drawn = files["names.svg"]
    assert ">Munich<" in (drawn.decode() if isinstance(drawn, bytes) else drawn)
    with Image.open(BytesIO(files["names.png"])) as image:
        assert image.width >= 1500, "it is made to be enlarged"
    assert "MAP NAMES sends a picture" in text_of(world.send(player("France"), seats["France"], "HELP PROVINCES"))


def test_receipts_show_the_orders_on_the_map_for_those_who_want_it(world: World) -> None:
    seats = world.started()
    assert not pictures_of(world.send(player("France"), seats["France"], "A PAR-BUR"))
    said = world.send(player("France"), seats["France"], "PREFERENCES receipts=map\nA MAR S A PAR-GAS")
    assert "receipts=map" in text_of(said)
    assert len(pictures_of(said)) == 1, "from the same mail on"
    answer = world.send(player("France"), seats["France"], "A PAR-GAS")
    (picture,) = pictures_of(answer)
    assert picture.get_content_disposition() == "inline"
    assert f'src="cid:{str(picture["Content-ID"])[1:-1]}"' in html_of(answer)
    assert 'alt="Map of the board. Spring 1901: your orders."' in html_of(answer)
    assert not pictures_of(world.send(player("France"), seats["France"], "STATUS")), "orders have not changed"
    assert not pictures_of(world.send(player("France"), seats["France"], "CLEAR")), "nothing to show"
    assert not pictures_of(world.send(player("Italy"), seats["Italy"], "A VEN-TRI"))


@pytest.mark.parametrize("preference", ["maps=none", "mail=text", "receipts=text"])
def test_receipts_have_no_map_where_none_is_wanted(world: World, preference: str) -> None:
    seats = world.started()
    world.send(player("France"), seats["France"], f"PREFERENCES receipts=map {preference}")
    assert not pictures_of(world.send(player("France"), seats["France"], "A PAR-BUR"))


def test_the_map_of_an_earlier_phase_and_of_none(world: World) -> None:
    seats = world.started()
    world.pass_time(days=30)
    answer = world.send(player("France"), seats["France"], "MAP S1901M")
    svg = next(part for part in pictures_of(answer) if part.get_content_subtype() == "svg+xml").get_content()
    assert b"Spring 1901: moves" in (svg if isinstance(svg, bytes) else svg.encode())
    assert "No phase 'S1950M' was played" in str(world.send(player("France"), seats["France"], "MAP S1950M"))


def test_a_report_is_sent_without_a_map_that_cannot_be_drawn(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> object:
        raise ZeroDivisionError

    monkeypatch.setattr(scenes, "_held", broken)
    world.begin_here()
    assert not pictures_of(world.last(player("France")))
    assert "the game begins" in world.last(player("France"))["Subject"]
    assert "cannot be drawn" in caplog.text


def test_a_picture_is_stored_once_for_all_who_are_sent_it(world: World) -> None:
    """And a phase takes little else: seven mails with the map, and that of all names."""
    world.started()
    with world.database.reading() as session:
        pictures = session.scalars(select(FileRow.content)).all()
        mails = session.scalars(select(OutboxRow.raw).where(OutboxRow.files > 0)).all()
        stored = session.scalar(text("SELECT sum(length(raw)) FROM outbox WHERE files > 0")) or 0
    assert [content[:4] for content in pictures] == [b"\x89PNG"] * 2
    assert len(mails) >= 7
    assert max(map(len, mails)) < 27_000
    assert stored < 55_000
