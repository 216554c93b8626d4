"""The site in a real Chromium: slider, keys, tap, no script, dark, a phone, from a disk; and axe-core finds nothing."""

from __future__ import annotations

import functools
import re
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Route, ViewportSize, expect

from gm.board.geography import standard_geography
from gm.maps.glyphs import NAME
from tests.browser import SCHEMES
from tests.gallery.played import Shelf
from tests.gallery.test_site import publish

pytestmark = pytest.mark.long(seconds=30)

PHONE, DESK = ViewportSize(width=390, height=844), ViewportSize(width=1200, height=900)
PHASE = "games/the-standard-game/F1901M.html"

MIDDLE = """links => links.map(link => {
    const path = link.querySelector('path'), at = path.getPointAtLength(path.getTotalLength() / 2);
    const there = at.matrixTransform(path.getScreenCTM());
    const top = document.elementFromPoint(there.x, there.y);
    return [there.x, there.y, link.getAttribute('aria-label'), !!top && link.contains(top)];
}).filter(found => found[3])"""
"""Where orders can be tapped on the map, as far as nothing is above them."""


class Quiet(SimpleHTTPRequestHandler):
    """A web server that says nothing."""

    def log_message(self, format: str, *args: object) -> None: ...


@pytest.fixture(scope="module")
def folder(the_seven: Shelf, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of the seven games."""
    folder = tmp_path_factory.mktemp("site")
    publish(the_seven, folder)
    return folder


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    """The same, served on this machine."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/"
    server.shutdown()
    server.server_close()


@pytest.fixture
def opened(browser: Browser, address: str) -> Iterator[Opener]:
    opener = Opener(browser, address)
    yield opener
    opener.close()


class Opener:
    """Opens pages, each in a window of its own, and watches what they load and complain of."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.browser, self.address = browser, address
        self.loaded: list[str] = []
        self.complaints: list[str] = []

    def __call__(self, path: str, size: ViewportSize = DESK, **how: object) -> Page:
        context = self.browser.new_context(viewport=size, **how)  # type: ignore[arg-type]
        page = context.new_page()
        page.on("request", lambda request: self.loaded.append(request.url))
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.goto(path if "://" in path else self.address + path)
        return page

    def close(self) -> None:
        for context in self.browser.contexts:
            context.close()
        assert not self.complaints
        assert all(url.startswith((self.address, "file:")) for url in self.loaded), "only our own server is asked"


def pages(folder: Path) -> list[str]:
    """The page of all games, and of each game its own and that of its last phase."""
    found = ["index.html"]
    for game in sorted((folder / "games").iterdir()):
        phases = sorted(path.name for path in game.glob("*.html") if path.name != "index.html")
        found += [f"games/{game.name}/{name}" for name in ("index.html", *phases[-1:])]
    return found


def test_axe_finds_nothing_and_every_page_fits_a_phone(opened: Opener, folder: Path) -> None:
    axe, page = Axe(), opened(PHASE, DESK, color_scheme="dark")
    assert axe.run(page).violations_count == 0
    page.set_viewport_size(PHONE)
    for number, path in enumerate(pages(folder)):
        page.emulate_media(color_scheme=SCHEMES[number % 2])
        page.goto(opened.address + path)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], path
        results = axe.run(page)
        assert results.violations_count == 0, (path, results.generate_report())


LETTERS = """([high, wide]) => {
    const boards = [...document.querySelectorAll('.board.of-paper')].map(board => {
        const share = board.querySelector('.name').getScreenCTM().a;
        return [...board.querySelectorAll('.name')].map(name => parseFloat(getComputedStyle(name).fontSize) * share);
    });
    const maps = [...document.querySelectorAll('.games img')].filter(map => map.getAttribute('width') >= 936);
    return [...boards.flat(), ...maps.map(map => high * map.clientWidth / wide)];
}"""
"""How high the font of names is on each map, in pixels of the screen."""


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["390", "1200"])
def test_names_on_every_map_are_eleven_pixels_high(opened: Opener, folder: Path, size: ViewportSize) -> None:
    page, seen = opened("index.html", size), 0
    for path in pages(folder):
        page.goto(opened.address + path)
        found = page.evaluate(LETTERS, [NAME, standard_geography().width])
        assert min(found, default=11) >= 11, path
        seen += len(found)
    assert seen > 75


@pytest.mark.parametrize(("scheme", "bright"), [("light", True), ("dark", False)])
def test_light_and_dark(opened: Opener, scheme: str, bright: bool) -> None:
    page = opened(PHASE, color_scheme=scheme)
    colours = page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)")
    assert (sum(colours[:3]) > 384) is bright


def test_keys_and_slider_go_from_phase_to_phase(opened: Opener) -> None:
    page = opened(PHASE)
    heading = page.locator("h1")
    assert heading.inner_text() == "Fall 1901 movement"
    page.keyboard.press("ArrowLeft")
    page.wait_for_url("**/S1901M.html")
    expect(heading).to_have_text("Spring 1901 movement")
    page.keyboard.press("ArrowLeft")
    assert heading.inner_text() == "Spring 1901 movement", "there is none before"
    slider = page.get_by_role("slider", name="Phase")
    slider.focus()
    page.keyboard.press("End")
    expect(heading).to_have_text("Fall 1902 movement")
    assert slider.evaluate("node => node === document.activeElement"), "the next key still moves it"
    assert slider.get_attribute("aria-valuetext") == "Fall 1902 movement"
    assert page.title().startswith("Fall 1902 movement")
    assert page.url.endswith("/F1902M.html")
    page.keyboard.press("ArrowLeft")
    page.wait_for_url("**/S1902M.html")


def test_every_press_of_a_key_is_a_step_however_slowly_pages_come(opened: Opener) -> None:
    page = opened("games/the-standard-game/index.html")
    page.goto(f"{opened.address}games/the-standard-game/S1901M.html")
    codes = [code for code, _ in page.evaluate("window.phases")]
    waiting: list[Route] = []
    page.route("**/*.html", lambda route: waiting.append(route) if len(waiting) < 5 else route.continue_())
    for step, expected in (("Right", 1), ("Right", 2), ("Right", 3), ("Left", 2), ("Right", 3)):
        with page.expect_request("**/*.html") as request:
            page.keyboard.press(f"Arrow{step}")
        assert request.value.url.endswith(f"/{codes[expected]}.html")
    for route in waiting:
        route.continue_()
    page.wait_for_url(f"**/{codes[3]}.html")
    page.go_back()
    page.wait_for_url("**/index.html")
    page.keyboard.press("ArrowLeft")
    page.wait_for_url(f"**/{codes[-1]}.html")


def test_a_tap_on_an_order_shows_its_reason(opened: Opener) -> None:
    page = opened(PHASE, PHONE, has_touch=True)
    page.locator(".board").scroll_into_view_if_needed()
    places = page.locator(".board a").evaluate_all(MIDDLE)
    assert len(places) > 10
    for x, y, words, _ in places[:4]:
        page.touchscreen.tap(x, y)
        expect(page.locator("#reason")).to_have_text(words)
        assert page.locator(".orders li.lit").count() == 1
    box = page.locator(".board").bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + 3, box["y"] + 3)
    expect(page.locator("#reason")).to_contain_text("Point at an order")
    assert page.locator(".lit").count() == 0
    assert page.url.endswith("F1901M.html")


def test_a_pointer_on_an_order_of_a_star_chart_shows_its_reason(opened: Opener, folder: Path) -> None:
    charts = [path for path in pages(folder) if "quantum" in path and not path.endswith("index.html")]
    page = opened(charts[0])
    for x, y, words, _ in page.locator(".board a").evaluate_all(MIDDLE)[:2]:
        page.mouse.move(x, y)
        expect(page.locator("#reason")).to_have_text(words)


@pytest.mark.parametrize("scripts", [True, False])
def test_the_map_can_be_enlarged_on_a_phone(opened: Opener, scripts: bool) -> None:
    page = opened(PHASE, PHONE, java_script_enabled=scripts)
    small = page.locator(".board").bounding_box()
    page.get_by_label("Larger map").focus()
    page.keyboard.press("Space")
    large, sheet = page.locator(".board").bounding_box(), page.locator(".sheet").bounding_box()
    assert small is not None
    assert large is not None
    assert sheet is not None
    assert small["width"] <= PHONE["width"]
    assert large["width"] > 2.4 * small["width"]
    assert sheet["width"] <= PHONE["width"], "the page itself is no wider"
    page.locator(".sheet").evaluate("node => node.scrollTo(node.scrollWidth, 0)")
    assert page.locator(".sheet").evaluate("node => node.scrollLeft") > PHONE["width"]
    if scripts:
        page.keyboard.press("ArrowLeft")
        page.wait_for_url("**/S1901M.html")
        assert page.get_by_label("Larger map").is_checked(), "also on the next page"
        page.goto(page.url.replace("S1901M", "F1902M"))
        assert page.get_by_label("Larger map").is_checked()


def test_an_enlarged_map_opens_in_the_middle(opened: Opener) -> None:
    page = opened(PHASE, PHONE)
    page.get_by_label("Larger map").check()
    beyond, left = page.locator(".sheet").evaluate("node => [node.scrollWidth - node.clientWidth, node.scrollLeft]")
    assert abs(left - beyond / 2) < 2
    assert beyond > PHONE["width"]


def test_a_phone_shows_each_legend_once(opened: Opener) -> None:
    """The names of the powers beside the map while that is small, and on it when it is large."""
    page = opened(PHASE, PHONE)
    for large in (False, True):
        page.get_by_label("Larger map").set_checked(large)
        board, sheet = page.locator(".board").bounding_box(), page.locator(".board .legend").last.bounding_box()
        assert board is not None
        assert sheet is not None
        assert (sheet["y"] < board["y"] + board["height"]) is large
        assert page.locator(".powers").is_visible() is not large
    desk = opened(PHASE, DESK)
    assert desk.locator(".board .legend").last.is_visible()
    assert not desk.locator(".powers").is_visible()


def test_the_chart_fits_a_phone(opened: Opener) -> None:
    page = opened("games/the-standard-game/index.html", PHONE)
    chart = page.locator(".chart").bounding_box()
    years = page.locator(".chart text", has_text="190").all()
    assert chart is not None
    assert [year.text_content() for year in years] == ["1902", "1901", "1900"]
    for year in years:
        box = year.bounding_box()
        assert box is not None
        assert chart["x"] <= box["x"]
        assert box["x"] + box["width"] <= chart["x"] + chart["width"] <= PHONE["width"]
        assert box["height"] > 10
    names = page.locator("[aria-labelledby=centres] .powers")
    expect(names).to_contain_text("Austria")
    expect(names).to_be_visible()


def test_every_order_on_the_map_can_be_pointed_at(opened: Opener, folder: Path) -> None:
    """Also a ship's that lands; only of units beyond the map, and for none, there is nothing to point at. A phase of a
    game in fog has no map while the game is played (FW-4).
    """
    beyond, page = re.compile(r"Army Orbit|waived"), opened("index.html")
    for game in sorted((folder / "games").iterdir()):
        for path in sorted(game.glob("[A-Z]*.html"))[:4]:
            page.goto(opened.address + str(path.relative_to(folder)))
            if not page.locator(".board").count():
                assert "Fog of War" in page.locator("main").inner_text()
                continue
            ways = page.locator(".board a").evaluate_all(
                "links => links.map(link => link.getAttribute('href').slice(1))"
            )
            lines = page.locator(".orders li").evaluate_all("lines => lines.map(line => [line.id, line.innerText])")
            missing = [words for anchor, words in lines if anchor not in ways]
            assert all(map(beyond.search, missing)), (path, missing)
            expect(page.locator("#reason")).to_contain_text("Orders that are not on it" if missing else "Point at")


def test_without_scripts_links_do_it(opened: Opener) -> None:
    page = opened(PHASE, java_script_enabled=False)
    assert page.get_by_role("slider").count() == 0
    page.get_by_role("link", name="Spring 1901 movement").click()
    page.wait_for_url("**/S1901M.html")
    page.get_by_role("link", name="Fall 1901 movement").click()
    page.wait_for_url("**/F1901M.html")
    page.locator(".board a").first.click(force=True)
    assert "#o" in page.url, "an order leads to its line"


def test_the_map_has_the_board_and_the_legend_its_font(opened: Opener) -> None:
    page = opened(PHASE)
    page.wait_for_load_state("networkidle")
    asked = {url.rpartition("/")[2] for url in opened.loaded}
    assert {"ground.svg", "borders.svg", "SourceSansPro-Semibold.ttf", "gallery.css"} <= asked
    assert page.evaluate("document.fonts.check('600 19px \"Source Sans Pro\"')")


def test_it_works_from_a_disk(opened: Opener, folder: Path) -> None:
    page = opened((folder / PHASE).as_uri())
    page.keyboard.press("ArrowLeft")
    page.wait_for_url("**/S1901M.html")
    slider = page.get_by_role("slider", name="Phase")
    box = slider.bounding_box()
    assert box is not None
    page.get_by_label("Larger map").check()
    page.mouse.move(box["x"] + 8, box["y"] + box["height"] / 2)
    page.mouse.down()
    for step in range(1, 11):
        page.mouse.move(box["x"] + 8 + (box["width"] - 16) * step / 10, box["y"] + box["height"] / 2)
    assert page.url.endswith("/S1901M.html"), "not before the slider is let go"
    page.mouse.up()
    page.wait_for_url("**/F1902M.html")
    assert page.get_by_label("Larger map").is_checked()


def test_the_slider_is_where_its_label_says_after_going_back(opened: Opener) -> None:
    page = opened("games/the-standard-game/index.html")
    slider = page.get_by_role("slider", name="Phase")
    for keys in (["ArrowLeft"], ["Home"]):
        slider.focus()
        for key in keys:
            page.keyboard.press(key)
        page.wait_for_url("**/*M.html")
        page.go_back()
        page.wait_for_url("**/index.html")
        assert slider.get_attribute("aria-valuetext") == "Fall 1902 movement"
        assert slider.evaluate("node => node.value === node.max")
