"""Questions and orders in prose in the phases and games behind the first one: what is asked is answered first, and what
is offered is all that was said.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from gm.variants.standard import POWERS
from tests.server.world import BASE, World, player, reply_to, text_of

MASTER = "master@example.org"
SPRING = {
    "Austria": "A VIE-GAL\nA BUD-SER\nF TRI-ALB",
    "England": "F LON-NTH\nF EDI-NWG\nA LVP-YOR",
    "France": "A PAR-BUR\nA MAR S A PAR-BUR\nF BRE-MAO",
    "Germany": "A BER-KIE\nF KIE-DEN\nA MUN-BUR",
    "Italy": "F NAP-ION\nA ROM-APU\nA VEN H",
    "Russia": "A WAR-GAL\nA MOS-UKR\nF SEV-BLA\nF STP/SC-BOT",
    "Turkey": "F ANK-BLA\nA CON-BUL\nA SMY-CON",
}
FALL = {"England": "F NTH C A YOR-NWY\nA YOR-NWY", "Germany": "A KIE-HOL", "Italy": "A APU-TUN\nF ION C A APU-TUN"}
"""England and Italy may build one unit then, Germany two."""


class Table:
    """A game, and what its players are answered."""

    def __init__(self, path: Path, variant: str, seats: dict[str, str]) -> None:
        self.world, self.seats = World(path, limits=0), dict[str, str]()
        self.chair = reply_to(self.world.send(MASTER, BASE, f"CREATE spring variant={variant} early=no"))
        for name, wish in seats.items():
            self.world.send(player(name), BASE, f"JOIN spring{wish}")
        self.world.send(MASTER, self.chair, "START spring")
        self.seats = {name: reply_to(self.world.last(player(name))) for name in seats}

    def says(self, name: str, text: str) -> str:
        return text_of(self.world.send(player(name), self.seats[name], text))

    def plays(self, orders: dict[str, str]) -> None:
        for name, text in orders.items():
            self.says(name, text)
        self.world.send(MASTER, self.chair, f"PROCESS {self.world.phase()}")


SEVEN = {str(power): f" AS {power}" for power in POWERS}


@pytest.fixture(scope="module")
def fall(tmp_path_factory: pytest.TempPathFactory) -> Table:
    table = Table(tmp_path_factory.mktemp("fall"), "standard", SEVEN)
    table.plays(SPRING)
    return table


@pytest.fixture(scope="module")
def winter(tmp_path_factory: pytest.TempPathFactory) -> Table:
    table = Table(tmp_path_factory.mktemp("winter"), "standard", SEVEN)
    table.plays(SPRING)
    table.plays(FALL)
    return table


@pytest.mark.parametrize(
    ("power", "text", "said"),
    [
        (
            "Russia",
            "Did anyone attack me?",
            "In S1901M you were met by Austria with A Vie-Gal (bounce) and Turkey with F Ank-Bla (bounce).",
        ),
        ("England", "wurde ich angegriffen?", "In S1901M nobody moved to where your units were."),
        (
            "Turkey",
            "What did Russia do last turn?",
            "Russia in S1901M: A War-Gal (bounce), A Mos-Ukr, F Sev-Bla (bounce) and F Stp/sc-Bot.",
        ),
        ("Germany", "Who is in Burgundy now?", "In Bur is France: A Bur."),
        ("France", "what does MAO mean and where is it", "Mao is Mid-Atlantic Ocean, which borders"),
        ("Italy", "conv apu-tun, ven-tyr", "A Apu-Tun / F Ion C A Apu-Tun / A Ven-Tyr order this"),
        (
            "Italy",
            "I'd like to take Tunis with my army in Apulia, the boat can carry it. Venice holds.",
            "A Apu-Tun / F Ion C A Apu-Tun / A Ven H order this",
        ),
        ("Italy", "Army Apulia to Tunis by convoy of the Ionian fleet", "A Apu-Tun / F Ion C A Apu-Tun order this"),
        ("Germany", "to Holland with the Kiel army", "A Kie-Hol order this, if it is what you mean No orders"),
        ("England", "Yor wird von Nth nach Nwy übergesetzt", "A Yor-Nwy / F Nth C A Yor-Nwy order this"),
        ("France", "Actually Mao-Spa, Mar-Gas.", "F Mao-Spa/nc / A Mar-Gas order this, if it is what you mean F Mao"),
        ("France", "MAO va en Espagne côte sud, merci", "F Mao-Spa/sc order this"),
        ("Turkey", "bul s ukr-rum, con-smy, ank-con wait no ank-bla", "A Con-Smy / F Ank-Bla order this"),
        ("Germany", "Entschuldigung, ich war krank. Kiel nach Holland.", "A Kie-Hol order this, if it is what"),
        ("Italy", "Venedig bleibt und die Flotte ins Adriatische Meer", "A Ven H / F Ion-Adr order this"),
        ("France", "mao-por, keep the others", "F Mao-Por order this, if it is what you mean"),
        ("Austria", "Serbia is mine now right?", "In Ser is Austria: A Ser. The centre is nobody's."),
        ("Austria", "any advice?", "so it gives no advice; WHATIF tries orders out"),
        (
            "Austria",
            "ser-gre alb s, and the other one wherever, tri?",
            "A Ser-Gre / F Alb S A Ser-Gre order this, without Tri",
        ),
        (
            "Russia",
            "If Turkey goes to Rum then ukr s sev-rum, otherwise ukr-rum",
            "A Ukr S F Sev-Rum order this in any case A Ukr-Rum order this in any case",
        ),
        ("Russia", "sev-rum ukr s bot-swe", "F Sev-Rum / A Ukr S F Sev-Rum / F Bot-Swe order this"),
        ("France", "swap: mar to por, mao to spa", "A Mar cannot get to Por: it does not border Mar"),
        ("France", "swap: mar to por, mao to spa", "F Mao-Spa/sc order this, without Mar and Por"),
        ("Turkey", "Spring 1901: A Bul-Gre", "A Bul-Gre order this for F1901M"),
        ("Germany", "Kiel nach Atlantis, Dänemark nach Schweden", "that leaves out Kie and atlantis"),
    ],
)  # fmt: skip
def test_after_a_turn(fall: Table, power: str, text: str, said: str) -> None:
    assert said in fall.says(power, text)


def test_of_a_wish_to_delete_one_order_yes_deletes_no_other(tmp_path: Path) -> None:
    table = Table(tmp_path, "standard", SEVEN)
    table.says("Turkey", SPRING["Turkey"])
    said = table.says("Turkey", "delete my order for Vienna")
    assert "CLEAR A Smy-Con delete that order" in said
    assert "YES" not in said
    assert "CLEAR A Smy-Con" in table.says("Turkey", "delete my order from Smyrna to Constantinople")
    said = table.says("Turkey", "delete my order for Constantinople")
    assert "send CLEAR A Con-Bul. Or reply with YES." in said
    assert "CLEAR delete your orders" not in said
    done = table.says("Turkey", "YES")
    assert "No longer ordered: A Con-Bul." in done
    assert "F Ank-Bla Fleet Ankara -> Black Sea A Smy-Con Army Smyrna -> Constantinople Without an order" in done


def test_that_the_rest_stays_keeps_its_orders(tmp_path: Path) -> None:
    table = Table(tmp_path, "standard", SEVEN)
    said = table.says("England", "make that lvp-edi, rest stands")
    assert "A Lvp-Edi / F Edi H / F Lon H order this" in said
    table.says("England", SPRING["England"])
    said = table.says("England", "make that lvp-edi, rest stands")
    assert "A Lvp-Edi order this" in said
    assert "F Lon H" not in said
    assert "F Edi H / F Lon H order this" in table.says("England", "lvp-edi, everything else holds")


@pytest.mark.parametrize(
    "text",
    [
        "München unterstützt Dänemark nach Kiel, nein, München hält",
        "Munich supports Denmark to Kiel, no, Munich holds",
    ],
)
def test_a_unit_that_is_ordered_twice_is_offered_the_later_order(fall: Table, text: str) -> None:
    said = fall.says("Germany", text)
    assert "A Mun H order this" in said
    assert "A Mun S" not in said.partition("order this")[0]


@pytest.mark.parametrize(
    ("power", "text", "said"),
    [
        ("Germany", "how many units can I build?", "You may build two units. You can order these: Build A Ber"),
        ("England", "can I build in Norway?", "You cannot build in Nwy: it is not one of your home centres."),
        ("Germany", "why can't I build in Holland", "You cannot build in Hol"),
        ("England", "F Edi not Lon", "Build F Edi order this"),
        ("England", "can I build in London?", "You may build one unit. You can order one of these: Build A Lon, Build"),
        ("Italy", "pass", "Waive order this, if it is what you mean"),
        ("Italy", "ich verzichte auf den Aufbau", "Waive order this, if it is what you mean"),
        ("England", "F lon or F edi, don't care", "Build F Lon order this, if it is what you mean Build F Edi order"),
        ("Germany", "I got two fleets! One in Kiel and one in Berlin.", "Build F Ber / Build F Kie order this"),
        ("Germany", "Eine Flotte in Kiel und eine Armee in München bitte", "that leaves out Mun. "),
    ],
)  # fmt: skip
def test_what_is_built_is_no_more_than_may_be(winter: Table, power: str, text: str, said: str) -> None:
    answer = winter.says(power, text)
    assert said in answer
    assert "/ Build A Ber / " not in answer


@pytest.fixture
def three_builds(tmp_path: Path) -> Table:
    table = Table(tmp_path, "france-austria", {"France": " AS France", "Austria": " AS Austria"})
    table.plays({"France": "A PAR-BUR\nA MAR-SPA\nF BRE-MAO", "Austria": "A VIE H"})
    table.plays({"France": "A BUR-BEL\nA SPA-POR\nF MAO-SPA/SC", "Austria": "A VIE H"})
    return table


def test_builds_of_several_mails_join_while_there_is_room(three_builds: Table) -> None:
    def says(text: str) -> str:
        _, _, rest = three_builds.says("France", text).partition("Orders of France for W1901A (set #")
        return rest.partition("The deadline")[0]

    assert "Build A Par Build Army Paris Two builds not ordered yet" in says("BUILD A PAR")
    assert "Build A Par Build Army Paris Build F Bre Build Fleet Brest One build not" in says("BUILD F BRE")
    assert "Build A Par Build Army Paris Build A Bre Build Army Brest One build not" in says("BUILD A BRE")
    assert "Build A Bre Build Army Brest Waive Build waived Your orders are complete" in says("WAIVE")
    said = says("BUILD F MAR")
    assert "Build F Mar Build Fleet Marseilles Your orders are complete" in said
    assert "Waive" not in said
    assert "Build A Mar Build Army Marseilles Build A Bre Build Army Brest One" in says(
        "BUILD A MAR\nBUILD A BRE\nCLEAR A PAR"
    )


def test_builds_for_which_there_is_no_room_replace_the_earlier_ones(three_builds: Table) -> None:
    three_builds.says("France", "BUILD A PAR\nBUILD F BRE\nWAIVE")
    said = three_builds.says("France", "BUILD F MAR\nWAIVE")
    assert "No longer ordered, since a later mail replaces all: Build A Par, Build F Bre." in said
    assert "Build F Mar Build Fleet Marseilles Waive Build waived One build not ordered yet" in said


@pytest.mark.parametrize(
    "text",
    [
        "Sorry, I meant army in Paris please, not Brest. Thanks!",
        "Army in Paris instead of Brest",
        "nicht in Brest, sondern eine Armee in Paris",
    ],
)
def test_a_build_that_is_not_meant_is_taken_back(three_builds: Table, text: str) -> None:
    three_builds.says("France", "BUILD F BRE\nBUILD A MAR")
    said = three_builds.says("France", text)
    assert "CLEAR Build F Bre / Build A Par order this" in said
    assert "Build A Bre" not in said
    done = three_builds.says("France", "CLEAR Build F Bre\nBuild A Par")
    assert "Build A Mar Build Army Marseilles Build A Par Build Army Paris One build not ordered yet" in done


def test_words_of_other_phases_offer_no_builds(three_builds: Table) -> None:
    assert "order this" not in three_builds.says("France", "A Par - Bur supported by A Mar")
    assert "order this" not in three_builds.says("France", "Paris and Marseilles convoy Brest")


def test_the_form_says_in_words_what_may_be_built_and_how(three_builds: Table) -> None:
    said = three_builds.says("France", "STATUS")
    assert "You can build in Brest, Marseilles and Paris, the home centres of yours that are free." in said
    assert "an army (A) or a fleet (F): BUILD A Bre. To build one unit fewer, write WAIVE in place of BUILD." in said


def test_what_is_asked_of_a_place_in_fog_is_what_its_reader_sees(tmp_path: Path) -> None:
    table = Table(tmp_path, "fog", SEVEN)
    table.plays(SPRING)
    assert "You do not see Ukr." in table.says("England", "Who is in Ukraine now?")
    assert "In Bur is France: A Bur." in table.says("Germany", "Who is in Burgundy now?")
    assert "nobody that you could see moved to" in table.says("England", "Did anyone attack me?")
    assert "A Mos-Ukr" not in table.says("England", "What did Russia do last turn?")


def test_orders_of_the_games_in_prose(tmp_path: Path) -> None:
    races = {"Krell": " AS Krell", "Ommu": " AS Ommu", "Borg": " AS Borg"}
    for variant in ("the-aliens", "outer-space"):
        (tmp_path / variant).mkdir()
    aliens = Table(tmp_path / "the-aliens", "the-aliens", races)
    lists = ("PAR, BRE", "LON, EDI"), ("BER, KIE", "ROM, NAP"), ("MOS, SEV", "CON, SMY")
    aliens.plays({name: f"SHIP 1: {one}\nSHIP 2: {other}" for name, (one, other) in zip(races, lists, strict=True)})
    said = aliens.says("Krell", "London goes to Wales and the transmitter too, Paris holds")
    assert "A Lon-Wal / T Lon-Wal / A Par H order this" in said
    aliens.plays({"Ommu": "A BER-KIE\nA ROM-VEN"})
    aliens.plays({"Ommu": "A KIE-HOL"})
    said = aliens.says("Ommu", "I'd like a fleet in Rome and an army in Berlin")
    assert "T Rom (R) F Rom / T Ber (R) A Ber order this" in said
    orbit = Table(tmp_path / "outer-space", "outer-space", races)
    said = orbit.says("Krell", "Put one army in Paris, one in London and one in Rome")
    assert "A Orb-Par / A Orb-Lon / A Orb-Rom order this" in said
    assert "A Orb-Ber / A Orb-Kie / A Orb-Kie order this" in orbit.says("Ommu", "beam 1 to Ber 2 to Kie")


def test_who_keeps_a_centre_safe_exempts_it(tmp_path: Path) -> None:
    table = Table(tmp_path, "black-hole", SEVEN)
    said = table.says("France", "Please keep Paris safe from the black hole, the rest I don't know yet")
    assert "Exempt Par order this" in said
    assert "A Mar H" not in said
    said = table.says("Germany", "mun-ruh ber-kie kie-den ex ber")
    assert "A Mun-Ruh / A Ber-Kie / F Kie-Den / Exempt Ber order this" in said
    said = table.says("Austria", "Wien soll geschützt werden. Und wie funktioniert das schwarze Loch?")
    assert "Exempt Vie order this" in said
    assert "one province, land or sea, becomes a black hole" in said
    assert "Exempt Sev" not in table.says("Russia", "exempt war, stp bot, sev rum, rest usual")


@pytest.mark.parametrize(
    ("power", "text", "said", "unsaid"),
    [
        (
            "France",
            "I'd like my army in Burgundy to go to Munich. What can I do with the one in Marseilles?",
            ("A Mar: It can go to Bur, Gas, Pie or Spa.", "A Bur-Mun order this"),
            ("Passed over", "Line 1: What can I do"),
        ),
        (
            "Turkey",
            "Can my fleet in Ankara and Sevastopol's fleet both go into the black sea? what would happen then",
            ("F Ank can go to Bla.",),
            ("could not be acted on",),
        ),
        (
            "Turkey",
            "What's a supply center and how many do I have right now?",
            ("a province that feeds one unit",),
            ("HELP COMMANDS",),
        ),
        (
            "Austria",
            "Ich möchte meinen Befehl für Serbien ändern: nach Griechenland",
            ("A Ser-Gre order this",),
            ("Help: ORDERS",),
        ),
    ],
)
def test_a_question_is_no_order_and_an_order_no_question(
    fall: Table, power: str, text: str, said: tuple[str, ...], unsaid: tuple[str, ...]
) -> None:
    answer = fall.says(power, text)
    assert all(one in answer for one in said), answer
    assert not any(one in answer for one in unsaid), answer


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("swap Burgundy for Ruhr in my orders, rest stands", "A Mun-Ruh order this"),
        ("Tirol statt Burgund bitte", "A Mun-Tyr order this"),
        ("same but mun - tyr instead of mun-bur", "A Mun-Tyr order this"),
        ("Belgium instead of Burgundy, please", "A Mun cannot get to Bel"),
        ("Please forget my order for Munich, the rest is fine", "A Mun H order this"),
    ],
)
def test_what_is_to_be_otherwise_is_read_from_the_orders_in_force(tmp_path: Path, text: str, said: str) -> None:
    table = Table(tmp_path, "standard", SEVEN)
    table.says("Germany", SPRING["Germany"])
    answer = table.says("Germany", text)
    assert said in answer
    assert "A Ber H" not in answer


def test_a_question_in_winter_is_about_the_builds_that_are_due(winter: Table) -> None:
    for text in ("Wo darf ich bauen?", "where can I build?"):
        assert "You can order these: Build A Ber" in winter.says("Germany", text)


def test_what_may_be_asked_is_offered_and_not_answered(fall: Table) -> None:
    said = fall.says("Turkey", "Ai-je bien tout envoyé ?")
    assert "Not answered, since it was not understood: 'Ai-je bien tout envoyé ?'. MY ORDERS your orders STATUS" in said
    assert "YES" not in said


@pytest.mark.parametrize(
    ("power", "text", "said"),
    [
        ("Germany", "who owns belgium?", "In Bel is no unit. The centre is nobody's."),
        ("Germany", "Munich to Ruhr please. Who attacked it?", "met by France with A Par-Bur"),
        ("England", "York ne bouge pas, et les flottes tiennent sauf Nth qui va en Norvège", "F Nth-Nwy"),
        ("Austria", "I think I'd rather have Vienna defend Serbia", "A Vie"),
    ],
)
def test_the_board_answers_before_a_ruling_does(fall: Table, power: str, text: str, said: str) -> None:
    assert said in fall.says(power, text)


def test_who_may_build_and_asks_of_units_is_told_of_builds(winter: Table) -> None:
    assert "You may build two units." in winter.says("Germany", "Which of my cities can make ships?")
    assert "Waive order this" in winter.says("England", "Pas de construction cette fois")


def test_an_initial_ends_no_sentence_and_a_question_how_to_do_a_thing_does_none(tmp_path: Path) -> None:
    world = World(tmp_path, limits=0)
    answer = text_of(world.send("pro@else.example", BASE, "register me as J. Doe, UTC+1. list open games"))
    assert "You are registered" not in answer
    answer = text_of(world.send("hans@else.example", BASE, "Wie gründe ich eine Partie mit fünf Freunden?"))
    assert "Help: CREATE" in answer
    assert "CREATE ich" not in answer


def test_a_report_begins_with_the_units_of_its_reader_that_were_dislodged(tmp_path: Path) -> None:
    table = Table(tmp_path, "standard", SEVEN)
    table.plays({"France": "A PAR-BUR", "Italy": "A VEN-TYR"})
    table.plays({"France": "A BUR-MUN", "Italy": "A TYR S A BUR-MUN"})
    assert text_of(table.world.last(player("Germany"))).startswith("Your A Mun was dislodged. You sent no orders")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Change Munich to Berlin please", "ORBIT / A Orb-Ber / A Orb-Lon / A Orb-Par order this"),
        ("rather Berlin than London", "ORBIT / A Orb-Mun / A Orb-Ber / A Orb-Par order this"),
        ("lieber Rom statt Paris", "ORBIT / A Orb-Mun / A Orb-Lon / A Orb-Rom order this"),
    ],
)
def test_a_change_of_a_whole_list_is_offered_as_that_list(tmp_path: Path, text: str, said: str) -> None:
    table = Table(tmp_path, "outer-space", {name: f" AS {name}" for name in ("Krell", "Zorg", "Morbo")})
    table.says("Krell", "A Orb-Mun\nA Orb-Lon\nA Orb-Par")
    assert said in table.says("Krell", text)


def test_a_retreat_that_is_taken_back_for_one_that_cannot_be_says_why(tmp_path: Path) -> None:
    table = Table(tmp_path, "standard", SEVEN)
    table.plays({"Turkey": "A CON-BUL\nF ANK-BLA", "Russia": "F SEV-RUM"})
    table.plays({"Turkey": "A BUL-RUM\nF BLA S A BUL-RUM", "Russia": "F RUM H"})
    assert "F Rum cannot retreat to Bla: it is occupied." in table.says("Russia", "rum x, no wait: rum-bla")
