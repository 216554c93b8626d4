"""All ways of writing an order that we promise to understand, and what it means in its phase."""

from __future__ import annotations

import pytest

from gm.board import Power, Province
from gm.errors import NotUnderstood
from gm.orders import Build, Convoy, Disband, Hold, Move, Retreat, Support, UnitName, Waive, WrittenOrder
from gm.parsing.orders import parse_orders, read_by_pieces, read_orders
from gm.position import PhaseKind
from tests.parsing.names import ADJUSTMENT, LEXICON, MOVEMENT, PHASES, RETREAT, at, unit
from tests.tables import table


def only(line: str, phase: PhaseKind = MOVEMENT) -> WrittenOrder:
    [(power, order)] = parse_orders(line, LEXICON, phase)
    assert power is None
    return order


@pytest.mark.parametrize(
    "line",
    [
        "A PAR-BUR",
        "a par-bur",
        "A Paris - Burgundy",
        "Army Paris to Burgundy",
        "army paris moves to burgundy",
        "A Par -> Bur",
        "A Par => Bur",
        "A Par > Bur",
        "A Par → Bur",
        "A Par ➔ Bur",
        "A Par – Bur",
        "A Par — Bur",
        "A Par − Bur",
        "A Par ‑ Bur",
        "A Par -- Bur",
        "A Par M Bur",
        "A Par move Bur",
        "A Par move to Bur",
        "A Par goes to Bur",
        "A par bur",
        "A. Par - Bur.",
        "  A   Par-Bur  ;",
        "A\u00a0Par\u2009-\u00a0Bur",
        "\u200eA Par\u200b-Bur\u202c",
        "\ufeffA PAR-BUR",
        "Ａ ＰＡＲ－ＢＵＲ",
        "A\tPar\t-\tBur",
        "A Par-Bur!",
        "1. A Par-Bur",
        "1) A Par-Bur",
        "(1) A Par-Bur",
        "#3 A Par-Bur",
        "- A Par-Bur",
        "-A Par-Bur",
        "* A Par-Bur",
        "• A Par-Bur",
        "– A Par-Bur",
        "*A Par-Bur*",
        "__A Par-Bur__",
        "▶ A Par-Bur 😀",
        '"A Par-Bur"',
        "«A Par - Bur»",
        "« A Par - Bur »",
        "»A Par-Bur«",
        "„A Par-Bur“",
        "”A Par-Bur”",
        "‹A Par-Bur›",
        "「A Par-Bur」",
        "『A Par-Bur』",
        "《A Par-Bur》",
        "〝A Par-Bur〟",
        "❝A Par-Bur❞",
        "＂A Par-Bur＂",
        "Orders: A Par-Bur",
        "My orders: A Par-Bur",
        "A Par-Bur (to keep Germany out)",
        "A Par-Bur # with luck",
        "A Par-Bur // with luck",
        "A Par-Bur % with luck",
        "A Par-Bur, please",
        "A Par-Bur\r",
        "Move the army in Paris to Burgundy",
        "Please send my army from Paris to Burgundy",
        "Our army in Paris attacks Burgundy",
        "Army Paris goes back to Burgundy",
        "Armee Paris zieht nach Burgund",
        "Bitte verschiebe die Armee in Paris nach Burgund",
        "Die Armee von Paris fährt nach Burgund",
        "Order the army in Paris to Burgundy",
        "L'armée de Paris va en Bourgogne",
        "Armée Paris vers la Bourgogne",
    ],
)
def test_a_move(line: str) -> None:
    assert only(line) == Move(unit("A par"), at("bur"))


@table("""
    line
    par bur
    PAR-BUR
    par to bur
    Paris - Burgundy
    par  bur.
""")
def test_the_units_letter_may_be_left_out(line: str) -> None:
    assert only(line) == Move(unit("par"), at("bur"))


@table("""
    line                                             | origin | target
    F STP/SC-BOT                                     | stp/sc | bot
    F stp(sc) - bot                                  | stp/sc | bot
    F stp (sc) - bot                                 | stp/sc | bot
    F stp sc - bot                                   | stp/sc | bot
    F stp-sc - bot                                   | stp/sc | bot
    F stp.sc - bot                                   | stp/sc | bot
    F stp/s - bot                                    | stp/sc | bot
    F StP / SC - Bot                                 | stp/sc | bot
    F St. Petersburg (south coast) - Gulf of Bothnia | stp/sc | bot
    F St Petersburg south coast to Bothnia           | stp/sc | bot
    F Saint  Petersburg/SC - Gulf of Bothnia         | stp/sc | bot
    Fleet St. Pete SC - GoB                          | stp/sc | bot
    F spa nc - gas                                   | spa/nc | gas
    F mao - Spain, south coast                       | mao    | spa/sc
    F mao - spa, nc                                  | mao    | spa/nc
    F Spain (north coast) - Gascony                  | spa/nc | gas
    F mao-spa nc                                     | mao    | spa/nc
    F Mid-Atlantic Ocean - Spain (s.c.)              | mao    | spa/sc
    F Mid-Atlantic - North Atlantic                  | mao    | nao
    F mid-nat                                        | mao    | nao
    F North Sea-Norwegian Sea                        | nth    | nwg
    F ech-iri                                        | eng    | iri
    F eng - bre                                      | eng    | bre
    F English Channel - Brest                        | eng    | bre
    F GoL - Tyrrhenian Sea                           | lyo    | tys
    F con-bul/ec                                     | con    | bul/ec
    F con - bul east coast                           | con    | bul/ec
    F Kiel - München                                 | kie    | mun
    F Kiel - Mu\u0308nchen                           | kie    | mun
""")
def test_places_and_coasts(line: str, origin: str, target: str) -> None:
    assert only(line) == Move(unit(f"F {origin}"), at(target))


@pytest.mark.parametrize(
    ("line", "route"),
    [
        ("A LON-NWY VIA CONVOY", []),
        ("A Lon - Nwy via convoy.", []),
        ("A Lon-Nwy by convoy", []),
        ("A Lon-Nwy (via convoy)", []),
        ("A Lon-Nwy, via convoy", []),
        ("A Lon-Nwy (via convoy by Nth)", []),
        ("A Lon-Nwy, via Nth", ["nth"]),
        ("A Lon to Nwy via", []),
        ("A LON-NTH-NWY", ["nth"]),
        ("A London - North Sea - Norway", ["nth"]),
        ("A lon-nwy via nth", ["nth"]),
        ("A LON -> NTH -> NWG -> NWY", ["nth", "nwg"]),
        ("A lon-nwy via nth-nwg", ["nth", "nwg"]),
        ("A lon-nwy via nth nwg", ["nth", "nwg"]),
    ],
)
def test_a_move_by_convoy(line: str, route: list[str]) -> None:
    assert only(line) == Move(unit("A lon"), at("nwy"), True, tuple(map(at, route)))


@table("""
    words
    H
    h
    HOLD
    Holds
    holding
    STAND
    STANDS
    Std.
    std
    stays
    to hold
""")
def test_a_hold(words: str) -> None:
    assert only(f"A Par {words}") == Hold(unit("A par"))


@table("""
    line                               | supported
    A Mun S A Ber                      | A ber
    A Mun S Ber                        | ber
    A Mun S A Ber H                    | A ber
    A Mun S Ber HOLD                   | ber
    A Mun supports Army Berlin to hold | A ber
    A Mun sup A Ber holds              | A ber
    A Mun S Italian A Ven              | Italy A ven
    A Mun S ITA A Ven                  | Italy A ven
    A Mun S Italy A Ven                | Italy A ven
    A Mun S Italy's A Ven              | Italy A ven
    A Mun S Austrian Tyr               | Austria tyr
    A Mun S Austro-Hungarian A Tyr     | Austria A tyr
    A Mun S ENG                        | eng
    A Mun S English A Hol              | England A hol
    A Mun S F English Channel          | F eng
""")
def test_a_support_to_hold(line: str, supported: str) -> None:
    assert only(line) == Support(unit("A mun"), unit(supported))


@table("""
    line                                        | supported     | to
    A Mun S A Ber-Sil                           | A ber         | sil
    A MUN SUPPORTS BER TO SIL                   | ber           | sil
    A MUN SUPPORT A BER - SIL                   | A ber         | sil
    Army Munich supports Army Berlin to Silesia | A ber         | sil
    A Mun sup. Ber-Sil                          | ber           | sil
    A Mun S Ber Sil                             | ber           | sil
    A Mun S Russian A War-Sil                   | Russia A war  | sil
    A Mun S ENG F Nth-Hol                       | England F nth | hol
    A Mun S F Eng-Bel                           | F eng         | bel
    A Mun S A Yor-Nth-Hol                       | A yor         | hol
    A Mun S A Yor-Hol via convoy                | A yor         | hol
    A Mun S F Mao-Spa/sc                        | F mao         | spa/sc
    A Mun supports A Ber moving to Sil          | A ber         | sil
""")
def test_a_support_to_move(line: str, supported: str, to: str) -> None:
    assert only(line) == Support(unit("A mun"), unit(supported), at(to))


@table("""
    line                                      | convoyed
    F NTH C A LON-NWY                         | A lon
    F NTH CONVOYS A LON TO NWY                | A lon
    F North Sea convoys Army London to Norway | A lon
    F nth c lon-nwy                           | lon
    F nth conv A lon nwy                      | A lon
    F nth C English A lon-nwy                 | England A lon
    F nth C A lon-nth-nwy                     | A lon
    F nth C A lon-nwy via nth                 | A lon
""")
def test_a_convoy(line: str, convoyed: str) -> None:
    assert only(line) == Convoy(unit("F nth"), unit(convoyed), at("nwy"))


@table("""
    line
    A PAR R BUR
    A Par RETREATS TO BUR
    A par retreat bur
    A par r - bur
    retreat A par - bur
    A par ret. to bur
    L'armée de Paris retraite à Burgundy
""")
@pytest.mark.parametrize("phase", PHASES)
def test_a_retreat_by_its_word(line: str, phase: PhaseKind) -> None:
    assert only(line, phase) == Retreat(unit("A par"), at("bur"))


@table("""
    line
    A PAR-BUR
    A PAR BUR
    A Par moves to Bur
    Die Armee in Paris zieht sich nach Burgund zurück
""")
def test_in_a_retreat_phase_a_plain_move_is_a_retreat(line: str) -> None:
    assert only(line, RETREAT) == Retreat(unit("A par"), at("bur"))


def test_a_retreat_has_no_convoy() -> None:
    assert only("A LON-NWY VIA CONVOY", RETREAT) == Move(unit("A lon"), at("nwy"), True)


@table("""
    line
    A PAR D
    A PAR DISBAND
    A Par disbands
    DISBAND A PAR
    REMOVE A PAR
    A PAR REMOVE
    Remove: A Par
    A PAR OTB
    Armee Paris auflösen
""")
@pytest.mark.parametrize("phase", PHASES)
def test_a_disband(line: str, phase: PhaseKind) -> None:
    assert only(line, phase) == Disband(unit("A par"))


@table("""
    line
    BUILD A PAR
    B A PAR
    A PAR BUILD
    build army paris
    Builds: A Par
    b a. par.
    Build the army at Paris
    Baue eine Armee in Paris
    Aufbau: A Paris
    Construire une armée à Paris
""")
def test_a_build(line: str) -> None:
    assert only(line, ADJUSTMENT) == Build(unit("A par"))


@table("""
    line
    WAIVE
    waive.
    Waives build
    waive a build
    1. WAIVE
""")
def test_a_waiver(line: str) -> None:
    assert only(line, ADJUSTMENT) == Waive[UnitName]()


MANY: list[tuple[str, PhaseKind, list[WrittenOrder]]] = [
    ("A PAR-BUR, A MAR H", MOVEMENT, [Move(unit("A par"), at("bur")), Hold(unit("A mar"))]),
    ("A PAR-BUR; F BRE-MAO.", MOVEMENT, [Move(unit("A par"), at("bur")), Move(unit("F bre"), at("mao"))]),
    ("A PAR-BUR. F BRE - St. Pete", MOVEMENT, [Move(unit("A par"), at("bur")), Move(unit("F bre"), at("stp"))]),
    ("A PAR-BUR A MAR H F BRE H", MOVEMENT, [Move(unit("A par"), at("bur")), Hold(unit("A mar")), Hold(unit("F bre"))]),
    ("A Par S A Bur A Mar H", MOVEMENT, [Support(unit("A par"), unit("A bur")), Hold(unit("A mar"))]),
    ("A Par H and A Mar S Par-Bur", MOVEMENT, [Hold(unit("A par")), Support(unit("A mar"), unit("par"), at("bur"))]),
    ("A Par H / A Mar H | F Bre H", MOVEMENT, [Hold(unit("A par")), Hold(unit("A mar")), Hold(unit("F bre"))]),
    ("par bur, mar spa", MOVEMENT, [Move(unit("par"), at("bur")), Move(unit("mar"), at("spa"))]),
    ("BUILD A PAR, F BRE", ADJUSTMENT, [Build(unit("A par")), Build(unit("F bre"))]),
    ("Build F Stp/nc and A Mos", ADJUSTMENT, [Build(unit("F stp/nc")), Build(unit("A mos"))]),
    ("Remove A Par A Mar", ADJUSTMENT, [Disband(unit("A par")), Disband(unit("A mar"))]),
    ("Build A Par, waive", ADJUSTMENT, [Build(unit("A par")), Waive()]),
]  # fmt: skip


@pytest.mark.parametrize(("line", "phase", "orders"), MANY, ids=[line for line, _, _ in MANY])
def test_several_orders_on_a_line(line: str, phase: PhaseKind, orders: list[WrittenOrder]) -> None:
    assert parse_orders(line, LEXICON, phase) == [(None, order) for order in orders]


@pytest.mark.parametrize(
    ("line", "phase", "power", "order"),
    [
        ("England: F nth-nwy", MOVEMENT, "England", Move(unit("F nth"), at("nwy"))),
        ("ENGLAND:F NTH-NWY", MOVEMENT, "England", Move(unit("F nth"), at("nwy"))),
        ("Eng: F Lon -> Nth", MOVEMENT, "England", Move(unit("F lon"), at("nth"))),
        ("Austria: F tri R alb", RETREAT, "Austria", Retreat(unit("F tri"), at("alb"))),
        ("Russia: Build F stp", ADJUSTMENT, "Russia", Build(unit("F stp"))),
        ("England: remove F nth", ADJUSTMENT, "England", Disband(unit("F nth"))),
        ("England: Waive", ADJUSTMENT, "England", Waive()),
        ("England: F nth H", MOVEMENT, "England", Hold(unit("F nth"))),
        ("England F nth-nwy", MOVEMENT, "England", Move(unit("England F nth"), at("nwy"))),
        ("French A Par H", MOVEMENT, "France", Hold(unit("France A par"))),
        ("Austria: Army Bohemia -> Silesia.", MOVEMENT, "Austria", Move(unit("A boh"), at("sil"))),
        ("Germany: Fleet Kiel SUPPORT Army Berlin.", MOVEMENT, "Germany", Support(unit("F kie"), unit("A ber"))),
    ],
)
def test_orders_that_name_their_power(line: str, phase: PhaseKind, power: str, order: WrittenOrder) -> None:
    assert parse_orders(line, LEXICON, phase) == [(Power(power), order)]


def test_a_power_holds_for_the_rest_of_its_line() -> None:
    line = "England: F nth-nwy, A yor H; France: A par H A mar H"
    assert [power for power, _ in parse_orders(line, LEXICON, MOVEMENT)] == ["England", "England", "France", "France"]


@table("""
    line
    Build A Par, F Bre
    England: F nth-nwy, A yor H
    A Par S A Bur A Mar H
""")
def test_the_same_line_is_read_alike_however_often(line: str) -> None:
    assert parse_orders(line, LEXICON, ADJUSTMENT) == parse_orders(line, LEXICON, ADJUSTMENT)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "   ",
        "A",
        "A Par",
        "A Par-",
        "Par",
        "Paris Burgundy",  # perhaps the end of a sentence
        "par bur mar spa",  # nothing shows where the second order begins
        "f bla con a ank-sev",  # a move to Constantinople or a convoy
        "A Par-Bur A Mar",
        "A Par S",
        "F nth C A lon",
        "Build",
        "A Par R",
        "England:",
        "A Par/nc - Bur",
        "F Spa/ec - Mao",
        "I will not attack Munich",
        "A Munich is a nice city",
    ],
)
def test_lines_that_are_no_orders(line: str) -> None:
    with pytest.raises(NotUnderstood):
        parse_orders(line, LEXICON, MOVEMENT)


@pytest.mark.parametrize(
    "line", ["A PAR-GAS Army Paris -> Burgundy", "A PAR-BUR Army Paris -> Burgundy", "My orders: Waive"]
)
def test_how_many_blanks_there_are_says_nothing(line: str) -> None:
    """No signature that is `relaxed` covers them; programs that make HTML of a text leave one."""
    readings = [read_orders(line.replace(" ", blanks), LEXICON, MOVEMENT) for blanks in (" ", "  ", "\t", " \t ")]
    assert all(one.orders == readings[0].orders for one in readings)
    assert len(read_orders(line, LEXICON, MOVEMENT).orders) == 1


@pytest.mark.parametrize(
    "text",
    [
        "Alles halten",
        "Mes unités restent en place",
        "please hold all my units",
        "My units hold.",
        "all stay where they are",
    ],
)
def test_all_pieces_hold_in_a_sentence(text: str) -> None:
    own = (Province("ber"), Province("kie"))
    reading = read_by_pieces(text, LEXICON, PhaseKind.MOVEMENT, own)
    assert reading is not None
    assert [type(order) for _, order in reading.orders] == [Hold, Hold]


@pytest.mark.parametrize("text", ["all armies hold", "hold my fleets", "my units", "all hold and move"])
def test_not_all_pieces_hold(text: str) -> None:
    assert read_by_pieces(text, LEXICON, PhaseKind.MOVEMENT, (Province("ber"), Province("kie"))) is None
