"""The mark in a power's colour beside its name: in HTML alone, never instead of the name."""

from __future__ import annotations

from dataclasses import replace

from gm.board import Power
from gm.maps.glyphs import liveries
from gm.reports.answers import SeatStatus
from gm.reports.render import environment
from gm.reports.results import center_table, coloured, named, owners, standings, unit_lines, years
from gm.variants.standard import POWERS
from tests.maps import views
from tests.reports.kinds import STATUS

FRANCE = Power("France")


def table(rows: tuple[tuple[str, ...], ...]) -> str:
    known = {"rows": rows, "headed": False, "css": environment().get_template("shared/styles.html.j2").module}
    return environment().get_template("shared/table.html.j2").render(known)


def test_tables_mark_each_power_in_its_colour_on_the_map() -> None:
    view = views.seen(views.fall())
    for rows in (owners(view), unit_lines(view), standings(view, {}, ()), center_table(view, None, over=False)):
        html = table(rows)
        for power, livery in liveries(POWERS).items():
            style = f"margin-right:.4em;outline:1px solid #888;border-left:.7em solid {livery.strong}"
            assert f'<span aria-hidden="true" style="{style}"></span>{power}' in html


def test_what_is_no_power_has_no_mark() -> None:
    assert "aria-hidden" not in table((("Unowned", "Bel"), ("Power", "Centres")))


def test_as_text_a_power_is_its_name_alone() -> None:
    view = views.opening()
    assert named(view) == {power: str(power) for power in POWERS}
    assert f"{named(view)[FRANCE]}" == "France"


def test_a_table_by_years_marks_the_powers_in_its_head_or_in_its_rows() -> None:
    view = views.opening()
    history = ((1901, dict.fromkeys(POWERS, 3)), (1902, dict.fromkeys(POWERS, 4)))
    known = {"headed": True, "css": environment().get_template("shared/styles.html.j2").module}
    html = environment().get_template("shared/table.html.j2").render(known | {"rows": years(history, named(view))})
    for power, livery in liveries(POWERS).items():
        assert f'border-bottom:.25em solid {livery.strong}">{power[:3]}' in html
    alike = tuple(Power(f"Empire {number}") for number in range(3))
    rows = years(((1901, dict.fromkeys(alike, 3)),), coloured(alike, {}))
    assert [getattr(row[0], "colour", "") for row in rows[1:]] == [one.strong for one in liveries(alike).values()]


def test_the_status_marks_each_power() -> None:
    seats = tuple(SeatStatus(power, "Ann") for power in POWERS)
    status = replace(STATUS, view=views.opening(), seats=seats)
    assert [row[0] for row in status.table[1:]] == list(POWERS)
    assert [getattr(row[0], "colour", "") for row in status.table[1:]] == [
        livery.strong for livery in liveries(POWERS).values()
    ]
