"""The page on which orders are tapped together, in a real Chromium: a server accepts what it writes as it stands."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from email.message import EmailMessage
from html import unescape
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit
from warnings import warn

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect

from gm import folder
from gm.advance import advance
from gm.board import Location, Power, Province, Terrain, UnitKind, standard_board
from gm.chance import Chance
from gm.gallery.order_page import SCRIPTS, order_page
from gm.games.order_page import LONGEST, UTMOST, Heading, groups_of, order_link
from gm.mail.message.addresses import in_display_name, mailto, seat_address
from gm.orders import Move
from gm.orders.notation import write, write_unit
from gm.orders.possible import NOTHING, fleets_at_sea, may_be_convoyed
from gm.play import pictures
from gm.position import Dislodged, Phase, PhaseKind, Position, Season, Unit, parse_unit
from gm.settings.section import NoAddress, own_address
from gm.variants import Variant, all_variants
from gm.variants.game_file import packaged
from gm.views import MASTER, Mark, View
from tests.browser import SCHEMES, Scheme
from tests.inbound.test_sandbox import ANN
from tests.inbound.test_sandbox import begun as begun_sandbox
from tests.server.world import BASE, World, body_of, reply_to, text_of
from tests.server.world import player as alien
from tests.variants.random_play import random_orders
from tests.variants.test_played_by_mail import begun
from tests.variants.test_sent_back import NAMES, PLAYERS
from tests.variants.the_aliens.test_by_mail import started as started_by_aliens
from tests.variants.written import WRITTEN

pytestmark = pytest.mark.long(seconds=60)

PHONE = ViewportSize(width=390, height=844)
ADDRESS = "https://games.example.org/order.html"
PHASES = 5
CHANCE = Chance(bytes(32))
STANDARD = standard_board()

TAPPING = """
    const spots = JSON.parse(document.getElementById('board').textContent).spots;
    const tap = code => {
        const map = document.getElementById('map'), sheet = document.getElementById('sheet'), [x, y] = spots[code].u;
        const at = () => new DOMPoint(x, y).matrixTransform(map.getScreenCTM());
        sheet.scrollIntoView();
        const box = sheet.getBoundingClientRect();
        sheet.scrollBy(at().x - box.x - box.width / 2, at().y - box.y - box.height / 2);
        const found = document.elementFromPoint(at().x, at().y);
        if (!found) throw new Error(`${code} is at ${at().x}, ${at().y} on ${map.getAttribute('viewBox')}`);
        found.dispatchEvent(new MouseEvent('click', {bubbles: true}));
        return document.getElementById('step').textContent;
    };
"""
"""Taps where the unit of a province stands or would stand, where the map has been moved to it."""

AT_RANDOM = f"""seed => {{{TAPPING}
    let state = seed, taps = 0, missed = [];
    const below = number => {{
        state = (state * 1103515245 + 12345) % 2147483648;
        return Math.floor(state / 65536) % number;
    }};
    const walking = () => document.querySelector('#choices button:last-child').textContent === 'Back';
    const ways = ['Back', 'Undo'];
    const shown = () => [...document.querySelectorAll('#choices button')];
    const buttons = () => shown().filter(one => !ways.includes(one.textContent));
    const codeOf = one => (one.dataset.word || '').replace(/^-/, '').split(' ').pop().split('/')[0].toLowerCase();
    const choose = one => {{
        const code = codeOf(one), alike = buttons().filter(other => codeOf(other) === code).length;
        if (document.getElementById('sheet').hidden || !spots[code] || alike > 1) return one.click();
        taps++;
        const said = tap(code);
        if (/cannot come next|Nothing can be/.test(said)) missed.push(said);
    }};
    const heads = buttons().length, back = () => document.querySelector('#choices button:last-child').click();
    for (let head = 0; head < heads; head++) {{
        buttons()[head].click();
        for (let step = 0; step < 9 && walking(); step++) {{
            const open = buttons();
            const unsaid = open.map(one => one.textContent).filter(text => /^\\W*\\(.*\\)$/.test(text));
            missed.push(...unsaid);
            if (!open.length) back();
            else choose(open[below(open.length)]);
        }}
        while (walking()) back();
    }}
    return [document.getElementById('send').href, taps, missed];
}}"""
"""Goes through all groups and chooses at random at each step: on the map, if it can be chosen there. Returns the link
of the mail, how often the map was tapped, and what was wrong: taps for nothing, and buttons with no word but what is
mailed.
"""

FOLLOW = """fragment => new Promise((done, failed) => {
    document.title = '';
    const watch = new MutationObserver(() => document.title && done());
    watch.observe(document.querySelector('title'), {childList: true});
    setTimeout(failed, 60000, 'the page took no notice of another link');
    location.hash = fragment;
})"""
"""Resolves when what the fragment says has been shown."""


STATE = "[location.href, document.readyState, sessionStorage.length, navigation.entries().length]"


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("page") / "order.html"
    path.write_text(order_page(), encoding="utf-8")
    return path.as_uri()


@pytest.fixture(scope="module")
def phone(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport=PHONE)
    yield context
    context.close()


@pytest.fixture
def page(phone: BrowserContext) -> Iterator[Page]:
    """The page in a tab of its own, which keeps no orders of another test's, and must neither complain nor load
    anything.
    """
    page, wrong = phone.new_page(), list[str]()
    page.on("console", lambda message: wrong.append(message.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda request: wrong.append(request.url) if not request.url.startswith("file:") else None)
    yield page
    page.goto("about:blank")  # until it has loaded, all that the test's page has said is heard
    page.close()
    assert not wrong


def link_in(mail: EmailMessage) -> str:
    """The fragment of the link to the page in the HTML of a mail; "" if there is none."""
    part = mail.get_body(("html",))
    found = re.search(rf'href="{re.escape(ADDRESS)}(#[^"]+)"', part.get_content()) if part is not None else None
    return unescape(found[1]) if found else ""


def written(link: str) -> tuple[str, str]:
    """To whom a `mailto:` link writes, and what."""
    body = re.search(r"[?&]body=([^&]*)", link)
    assert body is not None
    return unquote(urlsplit(link).path), unquote(body[1]).replace("\r\n", "\n")


def opened(page: Page, file: str, fragment: str) -> None:
    """The page as a link opens it. Once, on a busy machine, it found nothing of what it had kept before it went on to
    the address without the fragment; why is not known. Whoever sees that opens the link again, and so does this.
    """
    for seconds in (10, 60):
        if page.url != "about:blank":
            page.goto("about:blank")
        page.goto(file + fragment)
        with suppress(AssertionError):
            expect(page.locator("#work")).to_be_visible(timeout=seconds * 1000)
            return
        warn(f"the page was not shown: {page.evaluate(STATE)}", stacklevel=2)
    pytest.fail("the page was not shown")


def show_orders(page: Page, file: str, fragment: str) -> None:
    """The page is opened, or where it is open, led on by another link to it: that takes a tenth of the time."""
    if page.url == "about:blank":
        opened(page, file, fragment)
    else:
        page.evaluate(FOLLOW, fragment)


@pytest.fixture
def linking(world: World) -> World:
    """A server that knows the page's address."""
    object.__setattr__(world.service.identity, "order_page", ADDRESS)
    return world


BOARDS = {name: name.startswith("quantum") for name in WRITTEN} | {"chaos": False}
"""The games, and whether they are ordered by lists."""


@pytest.mark.parametrize(("name", "lists"), BOARDS.items())
def test_orders_made_on_the_page_alone_are_accepted_as_written(
    linking: World, page: Page, file: str, name: str, lists: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pictures, "_figure", lambda _: None)  # the pictures in the reports are not what is asked here
    game, dice, phases, done = all_variants()[name], Random(1901), set[str](), Tapped()
    seats = begun(linking, game)
    for _ in range(PHASES if name in WRITTEN else 2):
        phases.add(phase := linking.phase("dice"))
        for power, (player, _) in seats.items():
            done = _order_all(linking, page, file, power, player, dice, done)
        while linking.phase("dice") == phase and linking.game("dice").running:
            linking.pass_time(hours=12)
    assert len(phases) >= (4 if name in WRITTEN else 2)
    assert done.lines >= len(seats) * 1.5
    assert (done.taps == 0) == lists
    assert done.missed == ()


class Tapped(NamedTuple):
    """How many lines were chosen, how often the map was tapped, and what taps for nothing and buttons without a word
    of their own say.
    """

    lines: int = 0
    taps: int = 0
    missed: tuple[str, ...] = ()


def _order_all(world: World, page: Page, file: str, power: Power, player: str, dice: Random, done: Tapped) -> Tapped:
    """Order everything for a seat by the link in its newest report."""
    phase = world.phase("dice")
    mails = [mail for mail in world.mailboxes[player] if phase in str(mail["Subject"]) and link_in(mail)]
    if not mails:
        return done
    show_orders(page, file, link_in(mails[-1]))
    link, taps, missed = page.evaluate(AT_RANDOM, dice.randrange(1 << 30))
    to, text = written(link)
    chosen = page.locator("#orders li").count()
    if not chosen:
        return done
    said = text_of(world.send(player, to, text))
    assert not re.search("Not acted on|Not read|Did you mean|one too many", said), (power, text, said)
    return Tapped(done.lines + chosen, done.taps + taps, (*done.missed, *missed))


def first_link(world: World) -> str:
    begun(world, all_variants()["standard"])
    return next(filter(None, map(link_in, reversed(world.mailboxes["england@players.example"]))))


def test_a_tap_on_the_map_orders_and_what_was_tapped_is_said_and_drawn(linking: World, page: Page, file: str) -> None:
    opened(page, file, first_link(linking))
    assert "#" not in page.url, "the fragment is out of the history"
    tap(page, "lon")
    expect(page.locator("#step")).to_have_text("Fleet London: what next?")
    tap(page, "nth")
    expect(page.locator("#step")).to_have_text("Written: F Lon-Nth. Fleet London to North Sea.")
    tap(page, "edi")
    page.get_by_role("button", name="Support").click()
    expect(page.locator("#mail")).to_have_text("F Lon-Nth")
    assert page.locator("#arrows path").count() == 2
    page.get_by_role("button", name="Remove F Lon-Nth").click()
    expect(page.locator("#mail")).to_have_text("")


def test_the_second_of_two_quick_taps_orders_nothing(linking: World, page: Page, file: str) -> None:
    """The map may have moved between them, so that another province is under the finger."""
    opened(page, file, first_link(linking))
    spot = page.evaluate("""() => {
        const [x, y] = JSON.parse(document.getElementById('board').textContent).spots.lon.u;
        document.getElementById('sheet').scrollIntoView();
        const at = new DOMPoint(x, y).matrixTransform(document.getElementById('map').getScreenCTM());
        return [at.x, at.y];
    }""")
    page.mouse.dblclick(*spot)
    expect(page.locator("#step")).to_have_text("Fleet London: what next?")
    expect(page.locator("#mail")).to_have_text("")


def tap(page: Page, code: str) -> None:
    page.evaluate(f"code => {{{TAPPING} tap(code); }}", code)


# ---- by tapping


class Case(NamedTuple):
    """What is done in a position: codes are tapped, other words are on buttons. `written` is the mail.

    Without `phase` it is the opening. `dislodged`: `Germany A mun tyr`, driven out from Tyrolia.
    """

    game: str
    power: str
    done: str
    written: str
    units: str = ""
    phase: Phase | None = None
    dislodged: str = ""
    centers: str = ""


RETREATS = Phase(1901, Season.FALL, PhaseKind.RETREAT)
WINTER = Phase(1901, Season.WINTER, PhaseKind.ADJUSTMENT)
DRIVEN = "Germany A mun tyr"

CASES = (
    Case("standard", "Austria", "vie, gal", "A Vie-Gal"),
    Case("standard", "Austria", "vie, vie", "A Vie H"),
    Case("standard", "Austria", "gal", ""),
    Case("standard", "Germany", "mun, Support, ber, kie", "A Mun S A Ber-Kie"),
    Case("standard", "Germany", "mun, Support, ber, That is all", "A Mun S A Ber"),
    Case("standard", "England", "nth, Convoy, nwy, yor, nwy", "F Nth C A Yor-Nwy\nA Yor-Nwy", "F nth, A yor"),
    Case("standard", "England", "bel, hol, Via convoy", "A Bel-Hol via convoy", "F nth, A bel"),
    Case("standard", "England", "bel, hol, hol", "A Bel-Hol", "F nth, A bel"),
    Case("standard", "England", "eng, Convoy, wal, pic", "F Eng C A Wal-Pic", "F eng, A wal"),
    Case("standard", "England", "eng, Convoy, wal, eng, Undo, pic", "F Eng C A Wal-Pic", "F eng, A wal"),
    Case("standard", "Russia", "bot, stp", "F Bot-Stp/sc", "F bot"),
    Case("standard", "France", "mao, spa, to Spain (nc)", "F Mao-Spa/nc", "F mao"),
    Case("standard", "Germany", "mun, boh", "A Mun R Boh", "", RETREATS, DRIVEN),
    Case("standard", "Germany", "mun, Disband", "", "", RETREATS, DRIVEN),
    Case("standard", "Germany", "mun, Disband, Yes, write A Mun disband", "A Mun disband", "", RETREATS, DRIVEN),
    Case("standard", "Austria", "vie, gal, Undo", ""),
    Case("standard", "Austria", "vie, gal, vie, tyr, Undo", "A Vie-Gal"),
    Case(
        "standard",
        "France",
        "par, mar, Army Marseilles",
        "Build A Par\nBuild A Mar",
        "A bur",
        WINTER,
        "",
        "par mar bur",
    ),
    Case("standard", "France", "bre, Fleet Brest", "Build F Bre", "A bur", WINTER, "", "bre bur"),
    Case("standard", "Germany", "kie, Fleet Kiel", "Build F Kie", "A ruh", WINTER, "", "kie ber ruh"),
    Case("standard", "France", "gas", "", "A bur, A gas", WINTER, "", "par"),
    Case("standard", "France", "gas, Yes, write A Gas disband", "A Gas disband", "A bur, A gas", WINTER, "", "par"),
    Case("build-anywhere", "France", "mun", "Build A Mun", "A par", WINTER, "", "mun par"),
    Case("chaos", "Paris", "par", "Build A Par"),
    Case("outer-space", "Octagon", "vie, bud, vie", "A Orb-Vie\nA Orb-Bud\nA Orb-Vie"),
    Case("outer-space", "Octagon", "ORBIT, Yes, write ORBIT, vie", "ORBIT\nA Orb-Vie"),
    Case("outer-space", "Octagon", "par, Colonize (COL), bur", "A Par COL Bur", "A par"),
    Case("outer-space", "Octagon", "par, to Orbit (Orb)", "A Par-Orb", "A par"),
    Case("the-aliens", "Octagon", "vie, swi, That is all, pic", "SHIP 1: Vie, Swi\nSHIP 2: Pic"),
    Case("the-aliens", "Octagon", "vie, swi, Undo", "SHIP 1: Vie"),
    Case("black-hole", "Turkey", "Exempt, con", "Exempt Con"),
    Case("among-us", "the Alien", "bud", "Adopt A Bud"),
)
MAIL_TO = "mailto:gm%2Bspring.k7f3@games.example.org?subject=%5Bspring%5D"


def fragment_of(case: Case) -> str:
    """The link to the page in the position."""
    game, chance, power = all_variants()[case.game], CHANCE, Power(case.power)
    position = game.opening(game.seating.powers or (power, Power("Nova"), Power("Ares")), chance)
    if case.phase or case.units:
        driven = [(parse_unit(text), Province(origin)) for text, _, origin in map(_parted, case.dislodged.splitlines())]
        centers = {Province(code): power for code in case.centers.split()}
        position = replace(
            position,
            phase=case.phase or position.phase,
            units=tuple(parse_unit(f"{power} {unit}") for unit in case.units.split(", ") if unit),
            dislodged=tuple(Dislodged(unit, origin) for unit, origin in driven),
            centers=centers or position.centers,
        )
    view = game.view(game, position, None, power)
    return order_link("", game, view, (power,), MAIL_TO)


def _parted(text: str) -> tuple[str, str, str]:
    return text.rpartition(" ")


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.game} {case.done}")
def test_what_is_tapped_is_written(page: Page, file: str, case: Case) -> None:
    opened(page, file, fragment_of(case))
    for done in re.split(", (?!write)", case.done):
        if done.islower():
            tap(page, done)
        else:
            page.locator("#choices").get_by_role("button", name=done, exact=True).first.click()
    expect(page.locator("#mail")).to_have_text(case.written, use_inner_text=True)
    assert bool(case.written) == bool(page.locator("#arrows *, #crosses *").count()), "and drawn"


def test_a_dislodged_unit_is_its_own_power_s_beside_the_one_that_dislodged_it(page: Page, file: str) -> None:
    """Two units in one province, of one kind: the one that is ordered here is the dislodged one."""
    game, germany = all_variants()["standard"], Power("Germany")
    driven = Dislodged(parse_unit("Germany A mun"), Province("tyr"))
    position = game.opening(game.seating.powers, CHANCE)
    position = replace(position, phase=RETREATS, units=(parse_unit("Austria A mun"),), dislodged=(driven,))
    for seat, said in ((germany, "Army Munich"), (MASTER, "Germany: Army Munich")):
        opened(page, file, order_link("", game, game.view(game, position, None, seat), (germany,), MAIL_TO))
        assert page.locator("#choices button").all_inner_texts() == [said]


HIDDEN = """() => {
    const inner = (one, air) => {
        const {left, top, right, bottom} = one.getBoundingClientRect();
        return [left + 1, top + air * (bottom - top), right - 1, bottom - air * (bottom - top)];
    };
    const names = [...document.querySelectorAll('#names text')].map(one => [one.textContent, inner(one, 0.25)]);
    const units = [...document.querySelectorAll('#units path, #centres circle')].map(one => inner(one, 0.02));
    const meet = ([a, b, c, d], [e, f, g, h]) => a < g && e < c && b < h && f < d;
    return names.filter(([, name]) => units.some(unit => meet(name, unit))).map(([text]) => text);
}"""
"""The names that a unit or a centre is upon."""


def test_no_unit_is_on_a_name_and_the_key_says_whose_the_centres_are(page: Page, file: str) -> None:
    opened(page, file, fragment_of(CASES[0]))
    assert page.evaluate(HIDDEN) == []
    page.get_by_role("button", name="Whole map").click()
    assert page.evaluate(HIDDEN) == []
    assert page.locator("#key li").all_inner_texts()[0].split() == ["Aus", "Austria", "3"]
    assert page.locator("#centres circle").count() == len(STANDARD.centers)


HERE = """() => [...document.querySelectorAll('#marks g.mark')].map(one => {
    const {left, top, width, height} = one.getBoundingClientRect(), paths = one.querySelectorAll('path, circle');
    return [width, height, getComputedStyle(paths[paths.length - 1]).fill];
})"""


def marked(game: str, power: str, meaning: str) -> str:
    """The link of a power in a position with something on the map that only its game has."""
    variant, own = all_variants()[game], Power(power)
    position = variant.opening(variant.seating.powers or (own, Power("Nova"), Power("Ares")), CHANCE)
    view = variant.view(variant, position, None, own)
    emblem = next(one for one in packaged(game).signs.values() if one.meaning == meaning)
    view = replace(view, marks=(Mark(emblem, Province("boh"), own), Mark(emblem, Province("gal"), view.powers[1])))
    return order_link("", variant, view, (own,), MAIL_TO)


@pytest.mark.parametrize(
    ("game", "power", "meaning"),
    [
        ("outer-space", "Octagon", "colony"),
        ("the-aliens", "Octagon", "transmitter"),
        ("black-hole", "Turkey", "exempt"),
        ("among-us", "the Alien", "the Alien's"),
    ],
)
def test_what_only_a_game_has_is_on_the_map_in_the_key_and_in_words(
    page: Page, file: str, game: str, power: str, meaning: str
) -> None:
    opened(page, file, marked(game, power, meaning))
    signs = page.evaluate(HERE)
    assert len(signs) == 2
    assert all(min(width, height) > 8 for width, height, _ in signs)
    expect(page.locator("#key")).to_contain_text(meaning)
    page.get_by_text("The map in words").click()
    line = page.locator("#there li", has_text=f"{power}: ")
    expect(line).to_contain_text(f"{meaning}: Bohemia")
    expect(page.locator("#there")).to_contain_text(f"{meaning}: Galicia")
    assert page.evaluate(HIDDEN) == []


def test_what_a_unit_does_in_its_place_by_an_order_of_its_game_is_framed(page: Page, file: str) -> None:
    opened(page, file, fragment_of(Case("outer-space", "Octagon", "", "", "A par")))
    tap(page, "par")
    page.get_by_role("button", name="Colonize").click()
    tap(page, "bur")
    assert page.locator("#arrows path.stays").count() == 1
    assert page.locator("#arrows path.helps").count() == 1, "and a line leads to the place that it names"


def test_the_map_in_words_says_who_owns_which_centres_and_where_units_are(page: Page, file: str) -> None:
    opened(page, file, fragment_of(CASES[0]))
    page.get_by_text("The map in words").click()
    said = page.locator("#there li").all_inner_texts()
    assert said[0] == "Austria: centres Budapest, Trieste, Vienna; Army Budapest, Fleet Trieste, Army Vienna"
    assert said[-1].startswith("No power's: centres ")
    assert page.locator("#centres text").all_text_contents().count("Aus") == 3


def test_what_is_not_seen_is_grey_and_in_the_key(page: Page, file: str) -> None:
    opened(page, file, fragment_of(Case("fog", "France", "", "")))
    expect(page.locator("#key")).to_contain_text("not seen")
    assert page.evaluate("getComputedStyle(document.getElementById('area-mos')).fill") == "rgb(141, 148, 155)"


def test_orders_that_are_one_list_say_so_where_they_are_chosen(page: Page, file: str) -> None:
    opened(page, file, fragment_of(Case("outer-space", "Octagon", "", "")))
    page.locator("#choices").get_by_role("button", name="Army Orbit").first.click()
    expect(page.locator("#note")).to_contain_text("ORBIT above them says that they are the whole list")
    page.get_by_role("button", name="Back").click()
    expect(page.locator("#note")).to_be_hidden()
    expect(page.locator("#left")).not_to_contain_text("ORBIT")


SIZES = """() => {
    const size = text => parseFloat(getComputedStyle(text).fontSize) / text.getBBox().height;
    const high = text => text.getBoundingClientRect().height * size(text);
    const wide = sign => sign.firstChild.getBoundingClientRect().width;
    const least = (some, size) => Math.min(...[...document.querySelectorAll(some)].map(size));
    return [least('#names text', high), least('#units g', wide)];
}"""
"""The heights of the names' font and the widths of units, in pixels of the screen: the least of each."""


@pytest.mark.parametrize("width", [390, 1200])
@pytest.mark.parametrize("power", ["Russia", "Austria", "MASTER"])
def test_names_and_units_can_be_read_on_a_phone_however_much_is_shown(
    page: Page, file: str, width: int, power: str
) -> None:
    game = all_variants()["standard"]
    position = game.opening(game.seating.powers, CHANCE)
    powers = game.seating.powers if power == "MASTER" else (Power(power),)
    view = game.view(game, position, None, MASTER if power == "MASTER" else Power(power))
    page.set_viewport_size({"width": width, "height": 844})
    opened(page, file, order_link("", game, view, powers, MAIL_TO))
    for _ in range(2):
        name, unit = page.evaluate(SIZES)
        assert name >= 11
        assert unit >= 14
        if page.locator("#zoom").is_visible():
            page.locator("#zoom").click()
    page.set_viewport_size(PHONE)


def test_what_is_missing_is_counted_and_a_removal_from_the_list_takes_nothing_back(page: Page, file: str) -> None:
    opened(page, file, fragment_of(Case("standard", "France", "", "", "A bur, A gas, F mao", WINTER, "", "par")))
    expect(page.locator("#left")).to_have_text("Without an order: Removals (0 of 2).")
    tap(page, "gas")
    page.get_by_role("button", name="Yes, write").click()
    expect(page.locator("#left")).to_have_text("Without an order: Removals (1 of 2).")
    tap(page, "mao")
    page.get_by_role("button", name="Yes, write").click()
    expect(page.locator("#left")).to_have_text("Everything has an order.")
    page.get_by_role("button", name="Remove F Mao disband").click()
    expect(page.locator("#step")).to_contain_text(
        "it stays in force until another order takes its place, or you mail CLEAR"
    )


def test_an_order_that_is_half_made_is_not_dropped_without_a_word(page: Page, file: str) -> None:
    opened(page, file, fragment_of(Case("standard", "England", "", "", "F eng, A wal")))
    tap(page, "eng")
    page.get_by_role("button", name="Convoy").click()
    tap(page, "wal")
    expect(page.locator("#step")).to_have_text("Fleet English Channel Convoy Army Wales: what next?")
    tap(page, "eng")
    expect(page.locator("#step")).to_contain_text("Not written: Fleet English Channel Convoy Army Wales")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#step")).to_have_text("Fleet English Channel Convoy Army Wales: what next?")


@pytest.mark.parametrize(
    ("typed", "mailed"),
    [
        ("PRESS TO Italy\n\nDear Italy,\n\nyes.\n", "PRESS TO Italy\n\nDear Italy,\n\nyes.\nENDPRESS"),
        ("PRESS TO Italy\nyes\nENDPRESS\nREADY", "PRESS TO Italy\nyes\nENDPRESS\nREADY"),
        ("READY\n", "READY"),
        (" \n", ""),
    ],
)
def test_press_among_further_lines_keeps_its_form_and_ends(page: Page, file: str, typed: str, mailed: str) -> None:
    opened(page, file, fragment_of(CASES[0]))
    page.locator("#more").fill(typed)
    assert page.locator("#mail").text_content() == mailed
    assert written(page.locator("#send").get_attribute("href") or "")[1].rstrip("\n") == mailed


def test_places_on_boards_of_their_own_are_named(page: Page, file: str) -> None:
    opened(page, file, fragment_of(Case("quantum-space-3001", "Octagon", "", "")))
    page.locator("#choices button").first.click()
    texts = page.locator("#choices button").all_inner_texts()
    assert not [text for text in texts if not re.fullmatch(r"[A-Z]\w+|to Octagon (\w+) \(O(\1|O)\)", text)]


def test_where_only_a_part_is_in_sight_nothing_is_counted_but_one_s_own(page: Page, file: str) -> None:
    game, france = all_variants()["fog"], Power("France")
    position = game.opening(game.seating.powers, CHANCE)
    opened(page, file, order_link("", game, game.view(game, position, None, france), (france,), MAIL_TO))
    counts = [text for text in page.locator("#key li").all_inner_texts() if re.search(r"\d", text)]
    assert [text.split() for text in counts] == [["Fra", "France", "3"]]


def test_a_place_in_which_two_can_be_built_offers_these_two(page: Page, file: str) -> None:
    opened(page, file, fragment_of(Case("standard", "Germany", "", "", "A ruh", WINTER, "", "kie ber ruh")))
    tap(page, "kie")
    assert page.locator("#choices button").all_inner_texts() == ["Army Kiel", "Fleet Kiel", "Back"]


def test_what_gives_something_up_stands_last(page: Page, file: str) -> None:
    opened(page, file, fragment_of(Case("standard", "Germany", "", "", "", RETREATS, DRIVEN)))
    page.locator("#choices button").first.click()
    assert page.locator("#choices button").all_inner_texts()[-2:] == ["Disband", "Back"]


def test_everything_can_be_done_by_the_keyboard(linking: World, page: Page, file: str) -> None:
    opened(page, file, first_link(linking))
    page.get_by_role("button", name="Army Liverpool").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#choices button").first).to_be_focused()
    page.get_by_role("button", name="to Yorkshire").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#mail")).to_have_text("A Lvp-Yor")
    assert page.locator("#step").get_attribute("role") == "status"
    page.get_by_role("button", name="Army Liverpool").focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Support").click()
    page.keyboard.press("Escape")
    expect(page.locator("#step")).to_have_text("Army Liverpool: what next?")
    page.keyboard.press("Escape")
    expect(page.locator("#choices button").first).to_have_text("Fleet Edinburgh")


TITLED = Heading("dice", "Mon 6 Jan 2025, 18:00 UTC")


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", BOARDS)
def test_axe_finds_nothing_and_a_phone_shows_the_whole_width(page: Page, file: str, name: str, scheme: Scheme) -> None:
    """Of each game when it begins and a year later, at each of three steps."""
    game, dice = all_variants()[name], Random(1902)
    position = game.opening(game.seating.powers or NAMES, CHANCE)
    page.emulate_media(color_scheme=scheme)
    show_words = "document.getElementById('words').open = true"
    axe, seen = Axe(), set[str]()
    options = {"runOnly": ["color-contrast"]} if scheme == "dark" else None  # the page is the same but for its colours
    for turns in range(4):
        for power in list(game.duties(position))[:1]:
            opened(page, file, order_link("", game, game.view(game, position, None, power), (power,), MAIL_TO, TITLED))
            page.evaluate(show_words)
            for _ in range(3):
                choices = page.locator("#choices button")
                seen.update(choices.all_inner_texts())
                choices.nth(min(1, choices.count() - 2)).click()
                assert axe.run(page, options=options).response["violations"] == [], (position.phase.code, turns)
                assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        position = advance(game, position, PLAYERS.get(name, random_orders)(game, position, dice), CHANCE).after
    assert len(seen) > 5


# ---- what the page finds itself


FOUND = """([gone, units, own]) => {
    const board = JSON.parse(document.getElementById('board').textContent);
    return own.map(rules(board, gone, units));
}"""


@pytest.mark.parametrize("name", ["standard", "black-hole", "among-us", "outer-space"])
def test_what_the_page_offers_is_exactly_what_can_be_ordered(page: Page, file: str, name: str) -> None:
    """By the standard rules, which stand on the page, and by what a link says beside them."""
    game, dice, chance = all_variants()[name], Random(26), CHANCE
    page.goto(file)
    rules = (folder("templates") / "gallery" / "order_rules.js").read_text(encoding="utf-8")
    find = f"given => {{ {rules}; return ({FOUND})(given); }}"
    position, compared, convoys, by_sea = game.opening(game.seating.powers or NAMES, chance), 0, 0, 0
    for _ in range(8):
        position = advance(game, position, PLAYERS.get(name, random_orders)(game, position, dice), chance).after
        if position.phase.kind is not PhaseKind.MOVEMENT:
            continue
        at_sea = [unit for unit in position.units if unit.at in SEAS]
        position = replace(position, units=(*position.units, *_more_fleets(position, dice, 6 - len(at_sea))))
        for power in game.duties(position):
            view = game.view(game, position, None, power)
            groups = [group for group in groups_of(game, view, power) if group.without is not None]
            said = told_by(order_link("", game, view, (power,), MAIL_TO))
            units = [unit.split() for units in said["u"] for unit in units.split(",") if unit]
            own = [group.title.lower().split() for group in groups]
            own = [[kind.upper(), at] for kind, at in own]
            for group, found in zip(groups, page.evaluate(find, [said["x"], units, own]), strict=True):
                offered = set(found) - set(group.without or ()) | set(group.lines)
                unit = next(one for one in position.units if write_unit(one) == group.title)
                legal = _legal_lines(game, view, unit)
                by_sea += sum(line.endswith("via convoy") for line in offered)
                assert offered == legal, (position.phase.code, group.title)
                compared += 1
                convoys += sum(" C " in line for line in found)
    assert compared > 40
    assert convoys > 20
    assert by_sea > 5


def _legal_lines(game: Variant, view: View, unit: Unit) -> set[str]:
    """What the server takes for the unit: every order, and each move also with `via convoy` where that differs."""
    found, seas = set[str](), fleets_at_sea(view.board, view.position.units)
    for order in game.legal_orders(view.board, view.position, unit, NOTHING):
        found.add(write(order))
        if type(order) is not Move or unit.kind is not UnitKind.ARMY:
            continue
        ends = view.board.province(unit.at), view.board.province(order.to)
        if view.board.may_step(unit.kind, unit.at, order.to) and may_be_convoyed(view.board, seas, *ends):
            found.add(f"{write(order)} via convoy")
    return found


SEAS = tuple(
    Location(at) for at in ("nth", "nwg", "eng", "iri", "mao", "wes", "tys", "ion", "aeg", "ska", "bal", "hel")
)


def _more_fleets(position: Position, dice: Random, count: int) -> list[Unit]:
    """Fleets at sea where none is, so that there are convoys of several fleets."""
    taken = {unit.at for unit in position.units}
    free = [at for at in SEAS if at not in taken]
    power = next(unit.power for unit in position.units)
    return [Unit(power, UnitKind.FLEET, at) for at in dice.sample(free, max(0, min(count, len(free))))]


# ---- what a link may hold


def packed(told: object) -> str:
    """A fragment that says this."""
    said = told if isinstance(told, bytes) else json.dumps(told).encode()
    return f"#{base64.urlsafe_b64encode(zlib.compress(said, 9)).decode().rstrip('=')}"


def told_by(fragment: str) -> dict[str, Any]:
    """What a link says."""
    told = fragment.partition("#")[2]
    said = json.loads(zlib.decompress(base64.urlsafe_b64decode(told + "=" * (-len(told) % 4))))
    assert isinstance(said, dict)
    return said


def _altered(**altered: object) -> str:
    return packed(told_by(fragment_of(CASES[0])) | altered)


SCRIPT = "<img src=x onerror=alert(1)><script>alert(2)</script>"
TWO_MEGABYTES = 2_000_000
AUSTRIA = ["Austria", 1]
DAMAGED = "This link is damaged"
REFUSED = (
    ("#bm9uc2Vuc2U", DAMAGED),
    (f"#{'A' * 100_000}", DAMAGED),
    (packed(b"{"), DAMAGED),
    (packed(b"\xff\xfe"), DAMAGED),
    (packed([]), "another edition"),
    (packed(None), DAMAGED),
    (packed(b" " * TWO_MEGABYTES), DAMAGED),
    (_altered(v=1), "another edition"),
    (_altered(v=6), "another edition"),
    (_altered(m="javascript:alert(1)"), DAMAGED),
    (_altered(m="https://evil.example/"), DAMAGED),
    (_altered(m="mailto:a@example.org,b@example.org"), DAMAGED),
    (_altered(m="mailto:a@example.org%2Cb@example.org"), DAMAGED),
    (_altered(m="mailto:a@example.org?bcc=b@example.org"), DAMAGED),
    (_altered(m="mailto:a@example.org?subject=x&bcc=b@example.org"), DAMAGED),
    (_altered(m="mailto:a@example.org?subject=x%0D%0ABcc:b@example.org"), DAMAGED),
    (_altered(m="mailto:%FF@example.org"), DAMAGED),
    *((_altered(m=f"mailto:gm%{sign}bcc%3Db@example.org"), DAMAGED) for sign in ("3F", "26", "23", "25")),
    (_altered(m="mailto:gm@ex%D0%B0mple.org"), DAMAGED),
    (_altered(m="mailto:gm%E2%80%8B@example.org"), DAMAGED),
    (_altered(m="mailto:gm%00@example.org"), DAMAGED),
    (_altered(m="mailto:%22b%2Bspring.k7f3%22%20%3Cgm@example.org%3E"), DAMAGED),
    (_altered(m="mailto:a@example.org?subject=x%E2%80%8B"), DAMAGED),
    (_altered(m=["mailto:a@example.org", "b"]), DAMAGED),
    (_altered(g=[["A Vie", 1, ["A Vie\u200b H"]]]), DAMAGED),
    (_altered(g=[["A Vie", 1, ["A Vie H    RESIGN"]]]), DAMAGED),
    (_altered(g="A Vie"), DAMAGED),
    (_altered(g=[["A Vie", 1]]), DAMAGED),
    (_altered(g=[["A Vie", -1, []]]), DAMAGED),
    (_altered(g=[["A Vie", 1, ["A Vie H\nRESIGN"]]]), DAMAGED),
    (_altered(g=[["A Vie", 1, ["A Vie \u202eH"]]]), DAMAGED),
    (_altered(g=[["A Vie", 1, [["A Vie H"]]]]), DAMAGED),
    (_altered(g=[["A Vie", 1, ["x" * 301]]]), DAMAGED),
    (_altered(g=[["A Vie", 1, []]] * 401), DAMAGED),
    (_altered(p=[AUSTRIA]), DAMAGED),
    (_altered(p=[["Austria", 1, "url(https://evil.example/)"]], u=[""], c=[""]), DAMAGED),
    (_altered(p=[["Austria", 1, 10**9]], u=[""], c=[""]), DAMAGED),
    (_altered(p=[AUSTRIA], u=[7], c=[""]), DAMAGED),
    (_altered(a=[["colony", 9, "vie"]]), DAMAGED),
    (_altered(a=[["Hold", 0, "vie"]]), DAMAGED),
    (_altered(a=[["colony", 0, "vie<b>"]]), DAMAGED),
    (_altered(o={"orb": "Back"}), DAMAGED),
    (_altered(p=[AUSTRIA], u=["A vie"], c=[""], d=[[5, "A vie"]]), DAMAGED),
    (_altered(p=[AUSTRIA], u=["A __proto__"], c=[""]), DAMAGED),
    (_altered(n=7), DAMAGED),
    (_altered(w={"COL": 7}), DAMAGED),
    (_altered(p=[AUSTRIA], u=[""], c=[""], f=[1]), DAMAGED),
    (_altered(e="This mail goes to: gm@example.org"), DAMAGED),
    (_altered(t="spring" + 5 * "\u0331"), DAMAGED),
)


def _with(group: list[object], **altered: object) -> str:
    return _altered(**altered, g=[*told_by(fragment_of(CASES[0]))["g"], group])


SIGNS_OF_NOTHING = (
    "\u3164",
    "\u115f",
    "\u034f",
    "\ufe0f",
    "\u2800",
    "\u00a0",
    "\u2003",
    "\u3000",
    "\U000e0041",
    "\ue000",
)
THE_PAGE_S_OWN = ("Hold", "HOLD", "Undo", "Back", "Vienna", "Fleet", "\uff28\uff4f\uff4c\uff44", "supports")


@pytest.mark.parametrize("own", THE_PAGE_S_OWN)
def test_no_word_of_a_link_is_called_what_the_page_calls_another(page: Page, file: str, own: str) -> None:
    """Nor on a title, nor where the word is written as the page's label reads."""
    orders = ["A Orb", 1, ["A Orb COL Vie"]]
    for fragment in (
        _with(orders, w={"COL": own}),
        _with(orders, n={"orb": own}),
        _with(["Q Orb", 1, ["Q Orb H"]], z={"Q": own}),
        _with(["A Orb", 1, [f"A Orb {own} Vie"]]),
        _with(["A Orb", 1, [f"A Orb -{own}"]]),
        _with([own, 1, []]),
    ):
        page.goto("about:blank")
        page.goto(file + fragment)
        expect(page.locator("#intro")).to_contain_text(DAMAGED)


@pytest.mark.parametrize("sign", SIGNS_OF_NOTHING, ids=ascii)
def test_no_word_of_a_link_has_a_sign_that_shows_nothing(page: Page, file: str, sign: str) -> None:
    page.goto(file)
    for fragment in (
        _with(["A Orb", 1, [f"A Orb{sign} H"]]),
        _with([f"A Orb{sign}", 1, []]),
        _altered(n={"orb": f"Orb{sign}it"}),
        _altered(t=f"spring{sign}"),
        _altered(p=[[f"Austria{sign}", 1]], u=[""], c=[""]),
    ):
        page.evaluate(FOLLOW, fragment)
        expect(page.locator("#intro")).to_contain_text(DAMAGED)
        page.evaluate("document.getElementById('intro').textContent = ''")


def test_the_page_s_own_words_keep_their_meaning_and_what_a_link_says_stands_before_the_word(
    page: Page, file: str
) -> None:
    said = {
        "w": {"H": "Resign", "COL": "Stay"},
        "z": {"A": "Ghost", "Q": "Legion"},
        "n": {"h": "Resign", "vie": "Wien"},
    }
    opened(page, file, _with(["Q Orb", 1, ["Q Orb H", "Q Orb COL Vie"]], **said))
    assert page.locator("#choices button").all_inner_texts()[-1] == "Legion Orb (Q Orb)"
    page.locator("#choices button").last.click()
    assert page.locator("#choices button").all_inner_texts() == ["Hold", "Stay (COL)", "Back"]
    page.get_by_role("button", name="Back").click()
    page.get_by_role("button", name="Army Vienna").click()
    expect(page.locator("#choices button").first).to_have_text("Hold")


def test_a_title_is_how_its_lines_begin(page: Page, file: str) -> None:
    for title, line in (("A Vie", "A Bud H"), ("A Vie", "RESIGN"), ("France: Builds", "Build A Par")):
        page.goto("about:blank")
        page.goto(file + _altered(g=[[title, 1, [line]]]))
        expect(page.locator("#intro")).to_contain_text(DAMAGED)


TAKEN = (
    (_altered(y=SCRIPT, k=SCRIPT), SCRIPT),
    (_altered(g=[[SCRIPT, 1, [SCRIPT]]], n={}, w={}), SCRIPT),
    (_altered(g=[["A Orb", 1, ["A Orb H"]]], n={"orb": SCRIPT}), SCRIPT),
    (_altered(p=[[SCRIPT, 3]], u=["A vie"], c=["vie,nowhere,constructor"]), "Austria"),
    (_altered(p=[AUSTRIA], u=["A nowhere,Q vie,A constructor,F vie,A bot"], c=[""]), "Austria"),
    (
        _altered(g=[["A constructor", 1, [], []], ["__proto__", 1, ["__proto__ toString"]], ["A Vie", 1, [], []]]),
        "Army Vienna",
    ),
    (_altered(g=[["A Vie", 0, ["A Vie H"]]]), "Army Vienna"),
    (_altered(g=[]), "Austria"),
    (_altered(x="vie,nowhere"), "Austria"),
    (_altered(a=[[SCRIPT, 0, "vie"], ["__proto__", -1, "bud,constructor"], ["colony", 0, "nowhere,vie,vie"]]), SCRIPT),
    (f"{fragment_of(CASES[0])}>.", "Austria"),
    (fragment_of(CASES[0]).replace("-", "%2D").replace("_", "%5f"), "Austria"),
)


SERVERS = (
    "gm@example.org",
    "o'b=!$*/^`{|}~_-.0@localhost",
    "gm@xn--bcher-kva.example",
    f"{'g' * 30}@{'a.' * 90}org",
)


@pytest.mark.parametrize("plus", [True, False])
@pytest.mark.parametrize("address", SERVERS)
def test_the_page_takes_every_recipient_that_a_server_writes(page: Page, file: str, address: str, plus: bool) -> None:
    server = own_address(address)
    assert server is not None
    own = seat_address(server, "spring-1", "k7f3" * 5)
    seat = own if plus else in_display_name(own, server)
    opened(page, file, _altered(m=mailto(seat, "[spring-1] S1901M Austria")))
    for place in ("#to", "#again"):
        expect(page.locator(place)).to_have_text(seat)
    expect(page.locator("#subject")).to_have_text("[spring-1] S1901M Austria")
    assert written(page.locator("#send").get_attribute("href") or "")[0] == seat


@pytest.mark.parametrize("sign", "?&#%")
def test_no_sign_of_a_server_s_address_has_a_meaning_in_a_link(sign: str) -> None:
    with pytest.raises(NoAddress):
        own_address(f"g{sign}m@example.org")


def test_a_path_that_begins_with_two_slashes_leads_to_no_other_host(page: Page, file: str) -> None:
    opened(page, file.replace("file:///", "file:////", 1), fragment_of(CASES[0]))


@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_a_link_that_is_not_ours_is_refused(page: Page, file: str, number: int) -> None:
    fragment, said = REFUSED[number]
    page.goto(file + fragment)
    expect(page.locator("#intro")).to_contain_text(said)
    expect(page.locator("#work")).to_be_hidden()
    expect(page).to_have_url(file)
    another = said != DAMAGED
    assert page.evaluate("sessionStorage.length") == another, "a reload may bring the page of that edition"


def test_a_link_with_one_letter_changed_is_refused(page: Page, file: str) -> None:
    fragment, dice = fragment_of(CASES[0]), Random(7)
    page.goto(file)
    for _ in range(40):
        place = dice.randrange(1, len(fragment) - 1)  # the last letter has bits that say nothing
        other = dice.choice([letter for letter in "ABCxyz019-_" if letter != fragment[place]])
        page.evaluate(FOLLOW, fragment[:place] + other + fragment[place + 1 :])
        expect(page.locator("#intro")).to_contain_text(DAMAGED)
        expect(page.locator("#work")).to_be_hidden()


@pytest.mark.parametrize("number", range(len(TAKEN)))
def test_what_a_link_says_is_shown_as_text(page: Page, file: str, number: int) -> None:
    fragment, said = TAKEN[number]
    opened(page, file, fragment)
    page.evaluate(AT_RANDOM, 1)
    assert said in page.locator("body").inner_text()
    assert page.locator("main img, main script").count() == 0


# ---- a phone


def test_a_reload_goes_on_with_the_orders_and_another_tab_has_its_own(page: Page, file: str) -> None:
    opened(page, file, fragment_of(CASES[0]))
    tap(page, "vie")
    tap(page, "gal")
    page.locator("#more").fill("READY")
    page.reload()
    expect(page.locator("#mail")).to_have_text("A Vie-Gal\nREADY", use_inner_text=True)
    other = page.context.new_page()
    other.goto(file)
    expect(other.locator("#work")).to_be_hidden()
    opened(other, file, fragment_of(CASES[1]._replace(power="Turkey")))
    expect(other.locator("#mail")).to_have_text("")
    other.close()
    page.goto("about:blank")
    page.go_back()
    expect(page.locator("#mail")).to_have_text("A Vie-Gal\nREADY", use_inner_text=True)
    page.evaluate(FOLLOW, packed(told_by(fragment_of(CASES[0])) | {"e": "Tue 7 Jan 2025, 18:00 UTC"}))
    expect(page.locator("#due")).to_have_text("Deadline: Tue 7 Jan 2025, 18:00 UTC")
    expect(page.locator("#mail")).to_have_text("A Vie-Gal\nREADY", use_inner_text=True)
    page.evaluate(FOLLOW, fragment_of(CASES[3]))
    expect(page.locator("#mail")).to_have_text("")
    expect(page.locator("#step")).to_contain_text("2 lines for another seat or phase were on this page, and are gone.")
    visited = page.context.new_cdp_session(page).send("Page.getNavigationHistory")["entries"]
    assert not [entry["url"] for entry in visited if "#" in entry["url"]]


@pytest.mark.parametrize("size", ["390x844", "844x390", "240x320", "1200x800"])
@pytest.mark.parametrize("text", ["100%", "200%"])
def test_nothing_is_wider_than_the_screen(page: Page, file: str, size: str, text: str) -> None:
    width, height = map(int, size.split("x"))
    page.set_viewport_size({"width": width, "height": height})
    opened(page, file, fragment_of(CASES[3]))
    page.evaluate("size => { document.documentElement.style.fontSize = size; }", text)
    for code in ("mun", "boh", "kie"):
        tap(page, code)
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.set_viewport_size(PHONE)


def test_a_reader_of_text_alone_gets_the_link_and_another_reader_only_as_a_button(linking: World) -> None:
    begun(linking, all_variants()["standard"])
    linking.send("france@players.example", BASE, "PREFERENCES mail=text")
    linking.pass_time(days=2)
    plain, other = (linking.last(f"{power}@players.example") for power in ("france", "england"))
    assert link_in(plain) == ""
    assert re.search(rf"^ *<{re.escape(ADDRESS)}#[\w-]+>$", body_of(plain), re.MULTILINE)
    assert link_in(other)
    assert ADDRESS not in text_of(other)


def test_a_relay_is_chosen_step_by_step(linking: World, page: Page, file: str) -> None:
    seats = started_by_aliens(linking, 2, "relay=yes")
    lists = {"Alpha": "SHIP 1: MUN\nSHIP 2: GRE\nSHIP 3: EDI", "Beta": "SHIP 1: SPA\nSHIP 2: MOS\nSHIP 3: TUN"}
    for race, orders in (*lists.items(), ("Alpha", "T MUN-KIE")):
        linking.send(alien(race), seats[race], orders)
    linking.pass_time(days=4)
    opened(page, file, link_in(linking.last(alien("Alpha"))))
    for unit, choices in (
        ("Army Munich", ("to Kiel", "to Greece")),
        ("Transmitter Kiel (T Kie)", ("Sends to (S)", "Greece")),
        ("Transmitter Greece (T Gre)", ("Receives from (R)", "Kiel")),
    ):
        page.locator("#choices").get_by_role("button", name=unit, exact=True).click()
        for choice in choices:
            page.locator("#choices").get_by_role("button", name=choice, exact=True).click()
    assert page.locator("#arrows circle.goes").count() == 1, "where it stops on its way"
    assert page.locator("#marks g.mark").count() == 6
    to, text = written(page.locator("#send").get_attribute("href") or "")
    assert text.splitlines()[:1] == ["A Mun-Kie-Gre"]
    assert not re.search("Not acted on|Not read", text_of(linking.send(alien("Alpha"), to, text)))
    linking.pass_time(days=4)
    assert "Army Munich -> Kiel -> Greece (by transmitter)." in text_of(linking.last(alien("Alpha")))


@pytest.mark.parametrize("name", ["standard", "outer-space"])
def test_a_sandbox_is_ordered_for_all_its_powers(linking: World, page: Page, file: str, name: str) -> None:
    sandbox = begun_sandbox(linking, words=f"SANDBOX {name}")
    opened(page, file, link_in(sandbox))
    to, text = written(page.evaluate(AT_RANDOM, 7)[0])
    assert len(text.splitlines()) == sum(len(unit.split(",")) for unit in told_by(link_in(sandbox))["u"])
    assert to == reply_to(sandbox)
    assert not re.search("Not acted on|Not read", text_of(linking.send(ANN, to, text)))


def test_names_in_any_script_come_through(linking: World, page: Page, file: str) -> None:
    created = linking.send("master@example.org", BASE, "CREATE dice variant=outer-space first=1d")
    for number, name in enumerate(("Zürich", "Ωmega")):
        linking.send(f"{number}@players.example", BASE, f"JOIN dice AS {name}")
    linking.send("master@example.org", reply_to(created), "START dice")
    for number, name in enumerate(("Zürich", "Ωmega")):
        opened(page, file, link_in(linking.last(f"{number}@players.example")))
        expect(page.locator("h1")).to_have_text(f"dice S1901M: {name}'s orders")
        expect(page.locator("#due")).to_contain_text(re.compile(r"^Deadline: \w{3} \d+ \w{3} \d{4}, \d\d:\d\d UTC$"))
        link = page.evaluate(AT_RANDOM, 7)[0]
        assert name in unquote(link)
        to, text = written(link)
        assert not re.search("Not acted on|Not read", text_of(linking.send(f"{number}@players.example", to, text)))


def test_status_has_a_new_link_whether_orders_are_missing_or_not(linking: World) -> None:
    begun(linking, all_variants()["standard"])
    for orders in ("", "A BUD H\nA VIE H\nF TRI H\n"):
        answer = linking.send(
            "austria@players.example", reply_to(linking.last("austria@players.example")), orders + "STATUS"
        )
        assert told_by(link_in(answer))["t"] == "dice"


def test_reports_have_no_link_where_no_address_is_set(world: World) -> None:
    begun(world, all_variants()["standard"])
    assert not any(map(link_in, (mail for mails in world.mailboxes.values() for mail in mails)))


# ---- the length of a link


@pytest.mark.parametrize("name", [*WRITTEN, "chaos"])
def test_a_link_is_as_long_as_mail_programs_take(name: str) -> None:
    game, dice, chance = all_variants()[name], Random(5), CHANCE
    position, seen = game.opening(game.seating.powers or NAMES, chance), 0
    for _ in range(6):
        for power in game.duties(position):
            link = order_link(ADDRESS, game, game.view(game, position, None, power), (power,), MAIL_TO)
            assert len(link) <= LONGEST
            seen += bool(link)
        view = game.view(game, position, None, MASTER)
        assert not view.duties or 0 < len(order_link(ADDRESS, game, view, tuple(view.duties), MAIL_TO)) <= UTMOST
        turn = advance(game, position, PLAYERS.get(name, random_orders)(game, position, dice), chance)
        position = turn.after
        if turn.victory is not None:
            break
    assert seen > 8


def test_what_there_is_no_room_for_is_left_out_and_said(page: Page, file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    case = Case("quantum-space-3001", "Octagon", "", "")
    whole = told_by(fragment_of(case))
    monkeypatch.setattr("gm.games.order_page.LONGEST", 1)
    lean = told_by(fragment_of(case))
    assert "l" not in whole
    assert sum(len(group[2]) for group in lean["g"]) < sum(len(group[2]) for group in whole["g"])
    opened(page, file, fragment_of(case))
    expect(page.locator("#intro")).to_contain_text("no room for all supports")


def test_a_full_standard_board_takes_less_than_half_of_the_room() -> None:
    dice, game = Random(34), all_variants()["standard"]
    places = dice.sample([at for at in STANDARD.provinces if STANDARD.terrain(at) is not Terrain.SEA], 17)
    own = [f"France A {at}" for at in places]
    others = [f"Russia {'F' if STANDARD.terrain(at) is Terrain.SEA else 'A'} {at}" for at in STANDARD.provinces]
    units = [*own, *dice.sample([unit for unit in others if unit[-3:] not in places], 17)]
    position = replace(game.opening(game.seating.powers, CHANCE), units=tuple(map(parse_unit, units)))
    france = Power("France")
    link = order_link(ADDRESS, game, game.view(game, position, None, france), (france,), MAIL_TO)
    assert 0 < len(link) < LONGEST / 2


def test_the_script_is_short() -> None:
    script = "".join(Path(folder("templates") / "gallery" / name).read_text(encoding="utf-8") for name in SCRIPTS)
    assert len(script.splitlines()) <= 900
