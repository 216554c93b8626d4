"""To whom a letter speaks by naming them first, and whom the name of a power reaches."""

from __future__ import annotations

import pytest

from gm.parsing.addressed import opened_to, reached_by
from tests.reading.test_whole_mails import game

LEXICON, _ = game("standard")

SPEAKS = [
    ("Italy, {}", "Italy"),
    ("Italy - {}", "Italy"),
    ("Italy\n{}", "Italy"),
    ("**Italy**\n{}", "Italy"),
    ("[to Italy]\n{}", "Italy"),
    ("@Italy {}", "Italy"),
    ("Thanks. @gm: {}", "GM"),
    ("Good morning Italy!\n{}", "Italy"),
    ("My dear Italy,\n{}", "Italy"),
    ("For Italy's eyes only:\n{}", "Italy"),
    ("Thanks.\n\nDear Italy,\n{}", "Italy"),
    ("Deal!\nTo: Italy\n{}", "Italy"),
    ("Gamemaster, {}", "GM"),
    ("Dear gamemaster,\n{}", "GM"),
    ("Deal!\n\nGamemaster, {}", "GM"),
    ("to the gamemaster only: {}", "GM"),
    ("Para el \u00e1rbitro: {}", "GM"),
    ("Deal!\nPour l'arbitre : {}", "GM"),
    ("Deal!\nPer il master: {}", "GM"),
    ("An den Spielleiter: {}", "GM"),
    ("Voor de spelleider: {}", "GM"),
    ("To the GM: {}", "GM"),
    ("Dear judge\n{}", "GM"),
    ("Cher ma\u00eetre du jeu, {}", "GM"),
    ("Sehr geehrter Herr Spielleiter, {}", "GM"),
    ("Estimado director de juego: {}", "GM"),
    ("Tell Italy that {}", "Italy"),
    ("Please tell Italy {}", "Italy"),
    ("Deal!\n\nLet Italy know that {}", "Italy"),
    ("Dear I,\n{}", "Italy"),
    ("Hi I,\n{}", "Italy"),
]
SPEAKS_NOT = [
    "Italy.",
    "Italy is weak, and France too.",
    "I would rather attack Italy, you know.",
    "What I think you should know of Italy is this: it is weak.",
    "Thanks.\nItaly, as I said, is weak.",
    "That's all.\nBye",
    "Time, please.\nMore",
    "Write to me@italy.example, please.",
    "I shall tell Italy that it is weak.",
    "Don't tell Italy that it is weak.",
    "Deal.\nTell Italy that it is weak.",
    "I wrote to the gamemaster, and all is well.",
    "The gamemaster of our last game, Ann, was better.",
    "Tell me what Italy wants.",
]


@pytest.mark.parametrize(("text", "whom"), SPEAKS)
def test_who_is_named_first_is_spoken_to(text: str, whom: str) -> None:
    assert {*opened_to(text.format("France is weak").split("\n"), LEXICON)} == {whom}


@pytest.mark.parametrize("text", SPEAKS_NOT)
def test_who_is_spoken_of_is_not_spoken_to(text: str) -> None:
    assert not [*opened_to(text.split("\n"), LEXICON)]


@pytest.mark.parametrize(
    "name", ["All", "Alle", "Tous", "Toutes", "Public", "Chat", "World", "GM", "Judge", "Italy", "Fgm"]
)
def test_a_name_by_which_press_goes_to_somebody_is_no_other_powers(name: str) -> None:
    assert reached_by(name, LEXICON)


@pytest.mark.parametrize("name", ["Zorg", "Robot", "Zed-9", "Allensbach"])
def test_another_name_reaches_nobody(name: str) -> None:
    assert not reached_by(name, LEXICON)
