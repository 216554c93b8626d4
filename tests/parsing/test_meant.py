"""What a line may be meant as, though it is none of it: orders, press, a command. It is offered, never acted on."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from gm.board import Location, Power, Province, UnitKind
from gm.chance import Chance
from gm.commands import COMMANDS
from gm.commands.all_powers import owner_of
from gm.errors import GmError
from gm.orders.notation import write
from gm.parsing.addressed import addressed
from gm.parsing.lexicon import lexicon_of
from gm.parsing.likely_commands import likely_command
from gm.parsing.meant import meant
from gm.parsing.meant_words import _WORDS, Mine, says
from gm.parsing.orders import read_orders
from gm.position import Dislodged, PhaseKind, Position, Unit
from gm.variants import Variant, all_variants
from gm.variants.standard import STANDARD
from tests.parsing.names import LEXICON, in_1901
from tests.tables import table

GERMANY = Power("Germany")
Reads = Callable[[str], tuple[tuple[str, ...], ...]]
"""What a line may be meant as: ways of ordering, each of several orders."""


def asked(variant: Variant, position: Position, power: Power) -> tuple[Mine, Reads]:
    """What a power has to order, and what a line of its player may be meant as."""
    board, kind = variant.board(position), position.phase.kind
    lexicon = LEXICON if variant.name == "standard" else lexicon_of(board, variant.powers(position), variant.language)

    def proper(order: str) -> str:
        reading = read_orders(order, lexicon, kind)
        if len(reading.orders) != 1 or reading.faults:
            return ""
        try:
            return write(variant.order_of(position, power, *reading.orders[0]))
        except GmError:
            return ""

    retreating = kind is PhaseKind.RETREAT
    units = [one.unit for one in position.dislodged_of(power)] if retreating else position.units_of(power)
    mine = Mine(tuple((unit.kind, unit.at) for unit in units), board, proper)

    def reads(line: str) -> tuple[tuple[str, ...], ...]:
        (found,) = meant([line], lexicon, kind, mine)
        return () if found.unused([order for way in found.ways for order in way]) else found.ways

    return mine, reads


def in_game(name: str, power: str = "") -> Reads:
    """At the beginning of a game."""
    variant = all_variants()[name]
    powers = variant.seating.powers or (Power("Krell"), Power("Zorg"))
    position = variant.opening(powers, Chance(bytes(32)))
    return asked(variant, position, Power(power) if power else powers[0])[1]


def in_phase(kind: PhaseKind) -> tuple[Mine, Reads]:
    """Germany, with an army that was dislodged, or two builds."""
    variant = all_variants()["standard"]
    opening = variant.opening(variant.seating.powers, Chance(bytes(32)))
    army = Unit(GERMANY, UnitKind.ARMY, Location("mun"))
    kept = tuple(unit for unit in opening.units if unit.power != GERMANY)
    fallen = (Dislodged(army, Province("bur")),) if kind is PhaseKind.RETREAT else ()
    return asked(variant, Position(in_1901(kind), kept, opening.centers, fallen), GERMANY)


ORDERS = in_game("standard", "Germany")


@table(
    """
    line                                                                    | orders
    i want munich to go to tyrolia and berlin to munich and the boat to denmark | A Mun-Tyr, A Ber-Mun, F Kie-Den
    Just hold everything for now, I'm on the train                          | A Ber H, F Kie H, A Mun H
    Fleet Kiel to Denmark, the armys stay put.                              | F Kie-Den, A Ber H, A Mun H
    mun-bur ber-kie kie-den rdy                                             | A Mun-Bur, A Ber-Kie, F Kie-Den
    M-Bur, B-Kie, K-Den                                                     | A Mun-Bur, A Ber-Kie, F Kie-Den
    mun-bur; rest h; rdy                                                    | A Mun-Bur, A Ber H, F Kie H
    a mun-bru                                                               | A Mun-Bur
    munich supports venice to tyrolia, berlin to kiel                       | A Mun S A Ven-Tyr, A Ber-Kie
    munich helps berlin                                                     | A Mun S A Ber
    Berlin soll nicht nach Kiel sondern nach Schlesien                      | A Ber-Sil
    Munich va en Ruhr, la flotte va au Danemark                             | A Mun-Ruh, F Kie-Den
    Munich and Berlin hold                                                  | A Mun H, A Ber H
    keep munich                                                             | A Mun H
    Munich to Tyrolia, everything else stays the same                       | A Mun-Tyr
    berlin to kiel, the other army stays                                    | A Ber-Kie, A Mun H
    Do nothing with Berlin, Munich goes to Burgundy, Kiel follows to Holland | A Ber H, A Mun-Bur, F Kie-Hol
    hold all armies, fleet goes to Denmark                                  | A Ber H, A Mun H, F Kie-Den
    the army in Berlin attacks Prussia                                      | A Ber-Pru
    Berlin goes to Silesia with support from Munich                         | A Ber-Sil, A Mun S A Ber-Sil
    Berlin to Silesia, and Munich supports                                  | A Ber-Sil, A Mun S A Ber-Sil
    Berlin to Silesia supported by Munich                                   | A Ber-Sil, A Mun S A Ber-Sil
    the fleet in Kiel to Holland, and I'd like to build a fleet in Berlin   | F Kie-Hol
    ihm in den Rücken fallen                                                |
    die Flotte nach Daenemark, die Armee aus München ins Ruhrgebiet         | F Kie-Den, A Mun-Ruh
    x mun                                                                   | A Mun H
    mun-gal                                                                 |
    I attack Denmark with 2 units                                           |
    munich to burgundy with 2 armies                                        |
    i wont go to burgundy                                                   |
    is Italy going to Venice?                                               |
    Armee Minchen nach Rhur, Flote Kiel nach Holand                         | A Mun-Ruh, F Kie-Hol
    Berlin nach Schlesjen                                                   | A Ber-Sil
    Fleet in Kiel: Denmark                                                  | F Kie-Den
    Army Munich: Burgundy; Army Berlin: Kiel                                | A Mun-Bur, A Ber-Kie
    Berlin nach Schlesien mit Unterstützung von München, Kiel bleibt        | A Ber-Sil, A Mun S A Ber-Sil, F Kie H
    Berlin nach Schlesien, München auch, Kiel hält                          | A Ber-Sil, A Mun-Sil, F Kie H
    Berlin to Prussia with Munich too                                       |
    mun s sil                                                               | A Mun S A Ber-Sil
    munich supports into silesia                                            | A Mun S A Ber-Sil
    I want to win with my armies in the end                                 |
    No wait, instead of Kiel the army in Berlin goes to Silesia             | A Ber-Sil
    Berlin to Silesia, not to Prussia. Everything else as ordered           | A Ber-Sil
    Berlin to Prussia, Munich does not move. Kiel: no move                  | A Ber-Pru, A Mun H, F Kie H
    L'armée de Berlin va en Prusse, les autres ne bougent pas               | A Ber-Pru, F Kie H, A Mun H
    Berlin to Silesia... no, Prussia                                        | A Ber-Pru
    ber sil, no wait, pru                                                   | A Ber-Pru
    Berlin to Silesia... no, Berlin to Prussia                              | A Ber-Pru
    All armies hold except Munich, which goes to Tyrolia                    | A Ber H, A Mun-Tyr
    all but munich hold, munich to burgundy                                 | A Ber H, F Kie H, A Mun-Bur
    Everything except Berlin holds                                          | F Kie H, A Mun H
    all my armys hold. fleet attack denmark                                 | A Ber H, A Mun H, F Kie-Den
    Berlin to Silesia since Kiel will be empty, Munich should help it       | A Ber-Sil, A Mun S A Ber-Sil
    Munich supports Venice to Tyrolia. The fleet stays where it is          | A Mun S A Ven-Tyr, F Kie H
    Silesia from Berlin, the fleet holds                                    | A Ber-Sil, F Kie H
    Berlin goes to Silesia. Die andere Armee hilft dabei                    | A Ber-Sil, A Mun S A Ber-Sil
    the army in Berlin goes by boat to Denmark                              |
    Berlin to Silesia, Munich to Rome                                       |
    Fleet Kiel supports Munich. Berlin supports that, too. The others hold  |
    convoy my army in Berlin to Sweden                                      |
    cancel the order for my fleet in Kiel, the others stay as they are      | F Kie H
    Munich to Tyrolia and Berlin to Silesia. Kiel as before                 | A Mun-Tyr, A Ber-Sil
    Everything as it is, only Munich to Tyrolia instead of Burgundy         | A Mun-Tyr
    cancel that. Berlin to Prussia                                          | A Ber-Pru
    Ich möchte mit der Flotte Dänemark angreifen                            | F Kie-Den
    take Denmark with the fleet                                             | F Kie-Den
    Berlin nach Schlesien, München soll Berlin dabei unterstützen           | A Ber-Sil, A Mun S A Ber-Sil
    Berlin va en Silésie avec l'aide de Munich                              | A Ber-Sil, A Mun S A Ber-Sil
    Berlin to Silesia? No Berlin holds. Munich suports Berlin               | A Ber H, A Mun S A Ber
    all hold exept Munich                                                   | A Ber H, F Kie H
    Kiel should go to Denmark instead of the sea                            | F Kie-Den
    Berlin Munich hold                                                      | A Ber H, A Mun H
    Munich as is, Kiel to Denmark                                           | A Mun H, F Kie-Den
    I leave Munich where it is, send Berlin to Prussia                      | A Mun H, A Ber-Pru
    Kiel to Denmark, Berlin follows                                         | F Kie-Den, A Ber-Kie
    the vessel goes out into the Helgoland                                  | F Kie-Hel
    """
)
def test_orders_are_found_by_their_parts(line: str, orders: str) -> None:
    ways = ORDERS(line)
    assert ", ".join(ways[0] if ways else ()) == orders


def test_what_a_sentence_speaks_of_stands_in_those_before_it() -> None:
    reads = in_game("standard", "England")
    assert reads("Fleet London to the North Sea. The other fleet supports it. The rest holds.") == (
        ("F Lon-Nth", "F Edi S F Lon-Nth", "A Lvp H"),
    )


def test_a_place_that_is_nowhere_has_no_owner() -> None:
    opening = STANDARD.opening(STANDARD.seating.powers, Chance(bytes(32)))
    game: Any = SimpleNamespace(variant=STANDARD)
    for at, owner in (("mun", GERMANY), ("?", None)):
        assert owner_of(game, opening, SimpleNamespace(unit=Unit(GERMANY, UnitKind.ARMY, Location(at)))) == owner


def test_of_several_orders_for_a_unit_each_is_a_way() -> None:
    assert ORDERS("a mun h or else a mun-bur") == (("A Mun H",), ("A Mun-Bur",))


@pytest.mark.parametrize(
    ("game", "power", "line", "orders"),
    [
        ("outer-space", "", "par mun vie", ("A Orb-Par", "A Orb-Mun", "A Orb-Vie")),
        ("outer-space", "", "orb-par*3", ("A Orb-Par",) * 3),
        ("outer-space", "", "Drop two armies on Paris, keep one in orbit", ("A Orb-Par", "A Orb-Par", "A Orb H")),
        ("outer-space", "", "ber mun kie", ("A Orb-Ber", "A Orb-Mun", "A Orb-Kie")),
        ("the-aliens", "", "s1 par/bre/spa s2 mun/ber", ("SHIP 1: Par, Bre, Spa", "SHIP 2: Mun, Ber")),
        ("the-aliens", "", "Erstes Raumschiff: Rom. Zweites Raumschiff: Moskau", ("SHIP 1: Rom", "SHIP 2: Mos")),
        ("the-aliens", "", "ship one in rome, the second in london", ("SHIP 1: Rom", "SHIP 2: Lon")),
        (
            "among-us",
            "Russia",
            "fleets: Sev to the Black Sea, the other to Bothnia",
            ("F Sev-Bla", "F Stp/sc-Bot"),
        ),
    ],
)
def test_each_game_has_places_of_its_own(game: str, power: str, line: str, orders: tuple[str, ...]) -> None:
    assert in_game(game, power)(line) == (orders,)


@table(
    """
    line                                 | orders
    one army in munich, one fleet in kiel | Build A Mun, Build F Kie
    2a mun,ber                           | Build A Mun, Build A Ber
    dont want to build                   | Waive
    kein aufbau bitte                    | Waive
    build army                           | Build A Ber
    keep kiel empty, an army in berlin    | Build A Ber
    Construction : flotte à Kiel, armée à Munich | Build F Kie, Build A Mun
    flotte à Kiel et armée à Berlin       | Build F Kie, Build A Ber
    kie f, +A mun                         | Build F Kie, Build A Mun
    kie f, ber waive                      | Build F Kie, Waive
    mun a, kie f                          | Build A Mun, Build F Kie
    I'll have a new fleet in Kiel please  | Build F Kie
    Ich baue in Berlin eine Armee, in Kiel lieber eine Flotte | Build A Ber, Build F Kie
    armies in berlin and munich           | Build A Ber, Build A Mun
    a mun, no wait, f kie                 | Build F Kie
    """
)
def test_builds_in_words(line: str, orders: str) -> None:
    assert ", ".join(in_phase(PhaseKind.ADJUSTMENT)[1](line)[0]) == orders


@table(
    """
    line                          | orders
    back to the ruhr i guess      | A Mun R Ruh
    get rid of it, disband        | A Mun disband
    to the Ruhr, or to Tyrolia    | A Mun R Ruh
    can it stay where it is       |
    """
)
def test_retreats_in_words(line: str, orders: str) -> None:
    ways = in_phase(PhaseKind.RETREAT)[1](line)
    assert ", ".join(ways[0] if ways else ()) == orders


@table(
    """
    sentence                                        | to              | text                     | before
    Can you ask Italy if he wants peace?            | Italy           | if he wants peace?       | Can you
    Tell everyone I said hello                      | ALL             | I said hello             |
    pr to e,f: wld u 2 agree                        | England, France | wld u 2 agree            |
    mun-bur; rest h; press f: gl hf                 | France          | gl hf                    | mun-bur; rest h;
    Eng: nth empty pls                              | England         | nth empty pls            |
    to all: draw?                                   | ALL             | draw?                    |
    An alle: Guten Tag                              | ALL             | Guten Tag                |
    fwd press to f                                  | France          |                          |
    Envoie ce message a l'Italie et a la France: on se calme. Oui? | Italy, France | on se calme. Oui? |
    Please send this to Italy and to the Germans: hi | Italy, Germany  | hi                       |
    My message to Italy: hi                         | Italy           | hi                       |
    did my mail to Italy go?                        |                 |            | did my mail to Italy go?
    let france know i am friendly                   | France          | i am friendly            |
    press to rus: hi                                | Russia          | hi                       |
    tell fr hi                                      |                 |                          | tell fr hi
    Peux-tu dire à Italy que je viens               | Italy           | je viens                 | Peux-tu
    hello germany. want an alliance?                | Germany         | hello germany. want an alliance? |
    Dear France,                                    | France          | Dear France,             |
    Hi all, mun-tyr                                 |                 |                          | Hi all, mun-tyr
    @England stay out                               | England         | stay out                 |
    BROADCAST hello there                           | ALL             | hello there              |
    To Borg: hi                                     |                 |                          | To Borg: hi
    did italy write me?                             |                 |                          | did italy write me?
    how do I tell Italy?                            |                 |                          | how do I tell Italy?
    Builds: A Mun                                   |                 |                          | Builds: A Mun
    """
)
def test_to_whom_a_sentence_speaks(sentence: str, to: str, text: str, before: str) -> None:
    found = addressed(sentence, LEXICON)
    assert (", ".join(found.to), found.text, found.before) == (to, text, before)


@table(
    """
    line                   | heads | opening
    Dear France,           | yes   | PRESS TO France
    hi, F, E: x            | yes   | PRESS TO France, England
    to France: x           | yes   | PRESS TO France
    gl; to France: x       |       | PRESS TO France
    tell France x          |       | PRESS TO France
    grey press to France x |       | grey PRESS TO France
    grey broadcast x       |       | grey broadcast
    """
)
def test_what_begins_a_letter_and_how_it_is_sent(line: str, heads: str, opening: str) -> None:
    found = addressed(line, LEXICON)
    assert ("yes" if found.heads else "", found.opening.strip()) == (heads, opening)


def test_who_is_nobody_here_is_said_so() -> None:
    found = addressed("To Borg: hi", LEXICON).error
    assert found is not None
    assert (found.column, "'Borg' is nobody" in found.problem) == (4, True)
    assert addressed("To Paris: hi", LEXICON).error is None


@table(
    """
    line                                        | command
    ext 24h                                     | EXTEND 24h
    abs 24.12. - 2.1.                           | ABSENCE 24.12. - 2.1
    vote pause                                  | PAUSE
    Creat a new game called family for my mother | CREATE a new game called family
    JION sprng as France                        | JOIN sprng as France
    Beitreten spring als Frankreich             | JOIN spring as Frankreich
    Ich will ein neues Spiel namens Winter      | CREATE game called Winter
    sign me up                                  |
    Thanks!                                     |
    send my fleet to kiel                       |
    """
)
def test_commands_misspelt_begun_or_in_another_language(line: str, command: str) -> None:
    assert likely_command(line, COMMANDS.reader, None) == command


@pytest.mark.parametrize("ending", ["", "s", "es", "ed", "ing"])
def test_every_form_of_a_word_that_orders_are_made_of_is_read_at_once(ending: str) -> None:
    words = {word.rstrip("*") for words in _WORDS.values() for word in words.split()}
    for word in words:
        says(f"My fleet {word}{ending} the army", "hold")
    assert says("My fleet brings the army", "convoy")
