"""Orders at the top, and who is behind them below: nothing is done with them. Ordinary closings name others, too."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from gm.reading import origin
from gm.reading.line import Line
from tests.reading.test_contradicted import OWN, PLAYER, fates
from tests.tables import lines

BEHIND = lines("""
    That's what {} would like me to do. I'm not convinced.
    (from {})
    ^ {}'s idea, what do you think?
    so says {}.
    according to {}
    by {}
    -- {}, 20 Nov
    {} Bianchi
    Signed, {} Bianchi
    I got this from {} yesterday.
    At least this is how {} sees it.
    {} asked me to order this
    Source: {}
    Von {}, 20.11., 20:14
    Das hätte {} gern von mir.
    {} möchte, dass ich das so mache.
    laut {}
    C'est ce que {} voudrait que je fasse.
    selon {}
    Voilà comment {} voit les choses
    Es lo que {} quiere que haga.
    Idea de {}
    così dice {}.
    Idea di {}
    Tak to widzi {}
    Dostałem to od {} wczoraj.
    так хочет {}.
""")
"""How people say below orders whose they are."""
SIGNED = [
    "Cheers,\n{0} Rossi\n{0}.rossi@libero.example",
    "Best regards\n\n{} Rossi",
    "Viele Grüße\n{} Rossi\nTel. 089 1234",
]
NAMES = ["Mario", "Zorbert", "Jean-Luc", "Ольга"]
CLOSINGS = lines("""
    Thanks, Mario!
    Tell Mario I said hi
    Cheers to Mario
    Good luck, Mario.
    I promised Mario to do this.
    Mario and I agreed on this.
    Mario, if you read this: sorry!
    As I told Mario on the phone.
    Best, Ann
    Archduke Ann
    The Archduke
    The Red Baron
    Wolfgang
    For the Emperor!
    Merry Christmas to all
    I will be in London until Friday.
    Germany promised me support.
    We'll see what Germany does.
    Looking forward to the results
    Sent from Ann's iPhone
    Dr. Ann Brown | ACME Inc. | Vienna
    Mobile: +43 1 234567
    austria@players.example, ann.brown@mail.example
    Schöne Grüße aus Buxtehude
    Mario und ich sind uns einig.
    Sag Mario einen Gruß von mir.
    Hoch lebe der Kaiser
    Bises à Mario
    J'ai promis cela à Mario.
    Vive l'Empereur !
    Se lo prometí a Mario.
    Saluti da Torino
    Hilsen fra Wien
    Pozdrowienia z Wiednia
    С уважением, Анна
    ขอบคุณครับ
    مع السلامة
""")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("apart", ["\n", "\n\n"])
def test_orders_below_which_somebody_else_is_said_to_be_behind_them_are_in_doubt(name: str, apart: str) -> None:
    acted = [said for said in (*BEHIND, *SIGNED) if fates(f"{OWN}{apart}{said.format(name)}", PLAYER)[0]]
    assert acted == []


def test_such_words_are_of_the_block_above_them_that_is_not_marked_as_ones_own() -> None:
    assert fates("A MAR-SPA\n\nA PAR-PIC\n(from Mario)", PLAYER) == (["A MAR-SPA"], ["A PAR-PIC"])
    assert fates("A MAR-SPA\n\nA PAR-PIC\n\n(from Mario)", PLAYER) == ([], ["A MAR-SPA", "A PAR-PIC"])
    assert fates(f"My orders:\n{OWN}\n\nso says Mario.", PLAYER) == (OWN.split("\n"), [])
    assert fates(f"{OWN}\n\nGreetings\nAnn\n\nBea Long", PLAYER)[1] == [], "that is below their own signature"


@pytest.mark.parametrize("apart", ["\n", "\n\n"])
def test_whom_a_player_greets_or_tells_of_below_their_own_orders_is_behind_nothing(apart: str) -> None:
    asked = [said for said in CLOSINGS if fates(f"{OWN}{apart}{said}", PLAYER)[1]]
    assert asked == []


def test_an_introduction_in_an_unknown_form_is_of_the_quotation_below_it() -> None:
    answers = replace(PLAYER, quoted=("Hello Ann",))
    assert fates(f"{OWN}\n\nMario Rossi 20:14", answers) == (OWN.split("\n"), [])
    assert fates(f"{OWN}\n\nMario Rossi 20:14", PLAYER)[0] == []


@pytest.mark.parametrize(
    "pair", ["A PAR-BUR\n\nhello there my friend\n\n", "A PAR-BUR\nsee you, bye\n", "F BRE H\n\nOf all\nTo all\n\n"]
)
def test_who_is_credited_costs_the_length_of_a_mail(monkeypatch: pytest.MonkeyPatch, pair: str) -> None:
    """Twice the orders and words cost twice the looks at lines, not four times."""
    looks, look, counts = Counter[str](), origin._orders_anything, []

    def counted(line: Line) -> bool:
        looks["orders"] += 1
        return look(line)

    monkeypatch.setattr(origin, "_orders_anything", counted)
    for number in (20, 40):
        looks.clear()
        fates(pair * number, PLAYER)
        counts.append(looks["orders"])
    assert counts[1] <= 2.2 * counts[0]
