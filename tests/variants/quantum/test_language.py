"""How places and planets are written, and the messages for names that are not valid (QS-4 to QS-7)."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from gm.board import Power
from gm.commands import COMMANDS
from gm.commands.declaration import Command
from gm.errors import GmError, NotUnderstood
from gm.orders.notation import write
from gm.parsing.message import Complaint, OrderLine, Talk, parse_message
from gm.variants import Variant
from gm.variants.quantum_space.state import add_planet, assign_codes, name_planet
from tests.tables import rows
from tests.variants.quantum.scenes import CHANCE, NEW, OLD, lexicon, position, understood

FLEETS = "Auerbach A a1, A a3, F a6, F ao; Berenike A b1, F bo; Octagon F q5, F oo"


@pytest.mark.ruling("QS-4")
@pytest.mark.parametrize("game", [OLD, NEW], ids=["1975", "3001"])
@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("A1-A2", "A A1-A2"),
        ("a a1 - a2", "A A1-A2"),
        ("F A6-AO", "F A6-AO"),
        ("F Auerbach 6 - Auerbach Orbit", "F A6-AO"),
        ("fleet auerbach 6 to auerbach orbit", "F A6-AO"),
        ("F A 6 - A Orbit", "F A6-AO"),
        ("F Auerbach O-Q5", "F AO-Q5"),
        ("F AO-Q5", "F AO-Q5"),
        ("AO -> Q31415", "F AO-Q31415"),
        ("F Auerbach Orbit S F A6", "F AO S F A6"),
        ("F AO convoys A1 to A7", "F AO C A A1-A7"),
        ("F AO C Army Auerbach 1 - Berenike 3", "F AO C A A1-B3"),
        ("A A1-B3", "A A1-B3"),
        ("A A1-AO-Q5-BO-B3", "A A1-AO-Q5-BO-B3"),
        ("F AO S Octagon F Q5 - Q6", "F AO S F Q5-Q6"),
        ("A Auerbach-1 - Auerbach-2", "A A1-A2"),
        ("F Auerbach-6-Auerbach-Orbit", "F A6-AO"),
        ("F Auerbach-O - Quantum 5", "F AO-Q5"),
        ("F AO - quantum space 31415", "F AO-Q31415"),
        ("F AO-Quantum5", "F AO-Q5"),
        ("A Auer. 1 - Auer.2", "A A1-A2"),
        ("F Auer. Orbit - Q5", "F AO-Q5"),
        ("F Auer. O - Q5", "F AO-Q5"),
        ("A Auer 1 - Auer 2", "A A1-A2"),
        ("F AO C A Auer. 1 - Ber. 3", "F AO C A A1-B3"),
        ("A A-1 - A-2", "A A1-A2"),
        ("A A-1 to A-2", "A A1-A2"),
        ("F A-6 - AO", "F A6-AO"),
        ("A A. 1 - A. 2", "A A1-A2"),
    ],
)
def test_qs_04_every_way_to_write_a_place(game: Variant, line: str, order: str) -> None:
    power, found = understood(position(FLEETS), f"Auerbach: {line}", game)
    assert (power, write(found)) == ("Auerbach", order)
    again = understood(position(FLEETS), f"Auerbach: {write(found)}", game)
    assert again == (power, found)


@pytest.mark.ruling("QS-5")
@pytest.mark.parametrize(
    ("line", "to"), [("F AO-Q007", "q7"), ("F AO-Q 31415", "q31415"), ("F AO-q9999999999", "q9999999999")]
)
def test_qs_05_numbers(line: str, to: str) -> None:
    assert understood(position(FLEETS), f"Auerbach: {line}")[1].to == to  # type: ignore[union-attr]


@pytest.mark.ruling("QS-5")
def test_qs_05_nineteen_digits_in_1975() -> None:
    where = position(FLEETS, digits=19)
    assert understood(where, "Auerbach: F AO-Q9876543210987654321", OLD)[1].to == "q9876543210987654321"  # type: ignore[union-attr]
    with pytest.raises(NotUnderstood, match="20 digits"):
        understood(where, "Auerbach: F AO-Q10000000000000000000", OLD)


REFUSED = rows("""
    QS-7 | F A6-A1           | do not move from one surface space to another
    QS-4 | F AO-BO           | orbits do not border one another
    QS-4 | F A6-Q5           | to its planet's orbit only
    QS-4 | F AO-B1           | reached from BO only
    QS-5 | F AO-Q0           | There is no Q0
    QS-5 | F AO-Q000         | There is no Q000
    QS-5 | F AO-Q12345678901 | has 11 digits.*at most 10
    QS-6 | F Auerbahc 6-AO   | no planet 'Auerbahc'.*Did you mean Auerbach
    QS-6 | F AO-Narnia Orbit | no planet 'Narnia'
    QS-1 | A A1-A9           | There is no A9
    QS-5 | F AO-Refuge       | 'Refuge'
    QS-7 | A A1-AO           | armies live on the surface
    QS-7 | A A1-Q5           | armies live on the surface
    QS-7 | A A1-C5           | no planet 'C'
    QS-7 | F A6 C A A1-A7    | on the surface fleets are in port
    QS-7 | A A1 S A A3       | could not move there
    QS-7 | F A6 S A A3-A2    | could not move there
""")


@pytest.mark.parametrize(
    ("line", "why"),
    [pytest.param(line, why, id=f"{ruling} {line}", marks=pytest.mark.ruling(ruling)) for ruling, line, why in REFUSED],
)
def test_what_is_refused_and_why(line: str, why: str) -> None:
    with pytest.raises(GmError, match=why) as caught:
        understood(position(FLEETS), f"Auerbach: {line}")
    assert caught.value.remedy


@pytest.mark.ruling("QS-7")
@pytest.mark.parametrize(
    ("on_board", "reached"),
    [
        ("Auerbach A a1, F ao; Octagon F q5; Berenike F bo", True),
        ("Auerbach A a1, F ao; Octagon F q5; Berenike F b6", False),
        ("Auerbach A a1, F a6; Octagon F q5; Berenike F bo", False),
        ("Auerbach A a1, F ao; Octagon F oo; Berenike F bo", False),
    ],
)
def test_qs_07_a_convoy_between_planets_needs_three_fleets(on_board: str, reached: bool) -> None:
    if reached:
        understood(position(on_board), "Auerbach: A A1-B3")
    else:
        with pytest.raises(GmError, match="AO, a quantum space and BO"):
            understood(position(on_board), "Auerbach: A A1-B3")


@pytest.mark.ruling("QS-6")
@pytest.mark.parametrize(
    ("text", "name"),
    [("auerbach", "Auerbach"), ("AUERBACH", "Auerbach"), (" 'McCloud' ", "McCloud"), ("Zoë", "Zoë"), ("Io", "Io"),
     ("X", "X"), ("new  terra", "New Terra"), ("o'brien", "O'brien"), ("Alpha-Beta", "Alpha-Beta"),
     ("Z" * 24, "Z" + "z" * 23)],
)  # fmt: skip
def test_qs_06_names(text: str, name: str) -> None:
    assert name_planet(text, [Power("Berenike")]) == name


@pytest.mark.ruling("QS-6")
@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Quark", "begins with Q"),
        ("qo'nos", "begins with Q"),
        ("Octagon 7", "1 to 24 letters"),
        ("", "1 to 24 letters"),
        ("Z" * 25, "1 to 24 letters"),
        ("New--Terra", "1 to 24 letters"),
        ("火星", "1 to 24 letters"),
        ("Army", "already has a meaning"),
        ("To", "already has a meaning"),
        ("O", "already has a meaning"),
        ("A", "already has a meaning"),
        ("Terra Orbit", "'orbit' already has a meaning"),
        ("Status", "already has a meaning"),
        ("Press On", "'press' already has a meaning"),
        ("Winter", "'winter' already has a meaning"),
        ("spring", "'spring' already has a meaning"),
        ("Autumn Hill", "'autumn' already has a meaning"),
        ("Retreats", "already has a meaning"),
        ("None", "already has a meaning"),
        ("Everybody", "already has a meaning"),
        ("Ready", "already has a meaning"),
        ("BERENIKE", "already"),
        ("Bèrénike", "already"),
    ],
)
def test_qs_06_names_that_cannot_be(text: str, why: str) -> None:
    with pytest.raises(NotUnderstood, match=why):
        name_planet(text, [Power("Berenike")])


def coded(names: Iterable[str]) -> dict[str, str]:
    """The codes of planets, by their names."""
    return {str(name): code for name, code in assign_codes(names).items()}


@pytest.mark.ruling("QS-6")
def test_qs_06_codes() -> None:
    assert list(assign_codes(["Auerbach", "Berenike", "Terra"]).values()) == ["a", "b", "t"]
    codes = coded(["Ares", "Arrakis", "Arda", "Aurora", "Io", "Ithaca", "Leo", "Lemuria", "Luna"])
    assert codes["Ares"] == "a" and codes["Arrakis"] == "ar"  # noqa: PT018
    assert "i" not in codes.values()  # IO would be the orbit and the name
    spaces = [code + number for code in codes.values() for number in "12345678o"]
    names = [name.lower() for name in codes]
    assert len(set(spaces) | set(codes.values()) | set(names)) == len(spaces) + len(codes) + len(names)
    many = assign_codes([f"{a}{b}{c}a" for a in "xyz" for b in "aeiou" for c in "bcdfghklmnprst"])
    assert len(set(many.values())) == len(many) == 210
    assert "to" not in many.values()


@pytest.mark.ruling("QS-6", "QS-12")
def test_qs_06_a_planet_that_comes_later() -> None:
    codes = assign_codes(["Auerbach", "Berenike"])
    assert add_planet(codes, Power("Ares"))[Power("Ares")] == "ar"
    for name in ("Ao", "Bo"):
        with pytest.raises(NotUnderstood, match="how spaces of"):
            add_planet(codes, Power(name))


@pytest.mark.ruling("QS-6")
def test_qs_06_no_name_is_a_word_of_a_command_or_an_order() -> None:
    words = {phrase.split()[0] for command in COMMANDS.values() for phrase in _beginnings(command) if phrase}
    assert {"press", "whatif", "standby", "status", "who", "quit"} <= words
    orders = "board boards land lands hold supports convoys retreat disband build remove waive orbit quantum fleet"
    may_be = [word for word in sorted(words | set(orders.split())) if not _is_refused(word)]
    assert may_be == []


def _beginnings(command: Command) -> tuple[str, ...]:
    """The words with which a line for the command can begin, here or on other servers."""
    return (command.title.lower(), *command.syntax.synonyms, *command.syntax.elsewhere)


def _is_refused(word: str) -> bool:
    try:
        name_planet(word, [])
    except NotUnderstood:
        return True
    return False


@pytest.mark.ruling("QS-6")
def test_qs_06_names_of_several_words_are_written_in_orders() -> None:
    where = NEW.opening([*map(Power, ("New Terra", "X", "O'Brien", "Newton", "Alpha-Beta"))], CHANCE)
    names = {power: unit for unit in reversed(where.units) for power in (unit.power,)}
    for power, code in where.extra["planets"].items():
        for line in (f"A {power} 1 - {power} 2", f"A {power.upper()}-1 H", f"F {power} Orbit - Quantum 7"):
            found = write(understood(where, f"{power}: {line}")[1])
            assert code.capitalize() in found
        assert names[power].at.startswith(code)
    assert where.extra["planets"]["X"] == "x"
    assert write(understood(where, "New Terra: A New Terra 1 - New Terra 2")[1]) == "A N1-N2"
    with pytest.raises(NotUnderstood, match="could be New Terra or Newton"):
        understood(where, "New Terra: A New. 1 - New. 2")
    assert write(understood(where, "Newton: A Newt. 1 H")[1]).endswith(" H")


@pytest.mark.ruling("QS-6")
def test_qs_06_abbreviations_with_a_dot() -> None:
    """With other planets beside: `Om.` is Omicron, whose code is OM; the last word of a name is abbreviated, too."""
    where = NEW.opening([*map(Power, ("Octagon", "Omicron", "Alba", "Alpha Centauri", "New Terra"))], CHANCE)
    codes = where.extra["planets"]
    briefs = {"Om": "Omicron", "Omi": "Omicron", "Oct": "Octagon", "Alb": "Alba", "Alp": "Alpha Centauri"}
    for brief, power in {**briefs, "Alpha Cent": "Alpha Centauri", "New T": "New Terra"}.items():
        code = codes[power]
        for name in (f"{brief}. ", f"{brief}.", f"{code}. ", f"{code}-"):
            for line in (f"A {name}1 - {name}2", f"A {name}1-{name}2", f"Army {name}1 to {name}2"):
                assert write(understood(where, f"{power}: {line}")[1], str) == f"A {code}1-{code}2"
            assert write(understood(where, f"{power}: F {name}Orbit - Q5")[1], str).endswith(f"F {code}o-q5")


WORDS = ("Dione", "Gaia", "Nova", "Sirius", "Terra")


@pytest.mark.ruling("QS-6")
@pytest.mark.parametrize("name", WORDS)
def test_orbits_that_are_words_of_every_day(name: str) -> None:
    """DO, GO, NO, SO and TO are orbits where an order names one, and ordinary words everywhere else."""
    where = NEW.opening([*map(Power, WORDS)], CHANCE)
    letter = name[0]
    for line in (f"F {letter}O-Q5", f"{letter}o - q5", f"F {letter}O to Q5", f"fleet {letter}O -> q5"):
        assert write(understood(where, f"{name}: {line}")[1]) == f"F {letter}O-Q5"
    assert write(understood(where, f"{name}: F {letter}6 S F {letter}O")[1]) == f"F {letter}6 S F {letter}O"
    assert write(understood(where, f"{name}: F {letter}O H")[1]) == f"F {letter}O H"
    assert write(understood(where, f"{name}: A {letter}1 to {letter}2")[1]) == f"A {letter}1-{letter}2"
    talk = "So what do you think?\nNo, I will go to him.\nDo hold on, so we can go to\nto do: nothing\nno hold\n"
    letter_read = parse_message(talk, lexicon(NEW, where), where.phase)
    assert all(isinstance(item, Talk) for item in letter_read.items), letter_read.items


def test_a_mail_with_small_talk_orders_and_a_mistake() -> None:
    text = "Hello,\nI need 3 fleets, see chapter 7.\nF AO-Q31415\nAuerbach 1 - Auerbach 2\nF A6-Nowhere 3\nAt 5 - A."
    where = position(FLEETS)
    items = parse_message(text, lexicon(NEW, where), where.phase).items
    kinds = [type(item) for item in items]
    assert kinds == [Talk, Talk, OrderLine, OrderLine, Complaint, Talk]


def test_a_power_by_its_code_and_letters_that_are_not_codes() -> None:
    where = position("Auerbach A a1; Berenike F b6; Octagon F oo")
    assert understood(where, "A: A A1-A2")[0] == "Auerbach"
    assert write(understood(where, "O: F OO H")[1]) == "F OO H"


@pytest.mark.ruling("QS-4")
@pytest.mark.parametrize("game", [OLD, NEW], ids=["1975", "3001"])
@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("F B6 to orbit", "F B6-Berenike Orbit"), ("F B6-Orbit", "F B6-Berenike Orbit"),
        ("F B6 to the orbit", "F B6-Berenike Orbit"), ("F B6-my own orbit", "F B6-Berenike Orbit"),
        ("F Q5 - orbit", "F Q5-Berenike Orbit"), ("F orbit-Q7", "F Berenike Orbit-Q7"),
        ("F B6 S F Q5-orbit", "F B6 S F Q5-Berenike Orbit"), ("F orbit C A B1-B3", "F Berenike Orbit C A B1-B3"),
        ("F Q5 - Octagon Orbit", "F Q5-Octagon Orbit"),
    ],
)  # fmt: skip
def test_qs_04_orbit_without_a_planet_is_the_writers_own(game: Variant, line: str, order: str) -> None:
    where = position("Berenike F b6, F q5, F bo, A b1; Octagon F o6")
    assert understood(where, f"Berenike: {line}", game) == understood(where, f"Berenike: {order}", game)
