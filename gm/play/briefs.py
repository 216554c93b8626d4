"""The texts of HELP that are no command's, and what a game adds to them; its rules, their rulings, and the paragraphs
about one of these.
"""

from __future__ import annotations

import re
import textwrap
from functools import lru_cache
from pathlib import Path

from gm import folder
from gm.parsing.sayings import RULING
from gm.variants import Variant, all_variants


def help_on(topic: str, variant: Variant) -> str:
    """What this game adds to a topic of HELP; "" for nothing."""
    path = folder("templates") / "help" / variant.name / f"{topic}.txt"
    return path.read_text(encoding="utf-8").rstrip() if path.is_file() else ""


def topics_of(variant: Variant | None) -> dict[str, str]:
    """The topics of HELP that are files, by their words in capitals: those of all games, and those of this one. The
    first line of a text is its summary.
    """
    texts = folder("templates") / "help"
    places = [texts, *([texts / variant.name] if variant is not None else [])]
    return {
        path.stem.upper(): path.read_text(encoding="utf-8").rstrip()
        for place in places
        for path in sorted(place.glob("*.txt"))
    }


def term_on(words: str) -> str:
    """What the page of terms, HELP TERMS, says of a term, whatever its capitals, number or spelling; "" for nothing."""
    return _terms().get(_spelled(words), "")


@lru_cache
def _terms() -> dict[str, str]:
    """The paragraphs of the page by each of the terms that head them: `Standoff, bounce: moves of ...`."""
    text = (folder("templates") / "help" / "terms.txt").read_text(encoding="utf-8")
    headed = (paragraph.strip() for paragraph in text.split("\n\n")[1:])
    return {_spelled(one): each for each in headed for one in each.partition(":")[0].split(", ")}


def _spelled(words: str) -> str:
    """Terms are one in all their forms, with or without hyphen, in British or American spelling."""
    plain = re.sub(r"[\W_]+", "", words.casefold()).replace("center", "centre")
    return re.sub(r"(?<=\w{2}[^s])(?:e|es|s|ed|ing)$", "", re.sub(r"ies$", "y", plain))


def rules_of(variant: Variant) -> str | None:
    """The rules by which games of this edition and rulebook are played, if there is a text."""
    texts = folder("templates") / "rules"
    return variant.rules_text or _rules_in(texts, variant.name, variant.edition, variant.rulebook.name)


@lru_cache
def _rules_in(texts: Path, name: str, edition: int, rulebook: str) -> str | None:
    replaced = texts / f"{name}.{edition}.txt"
    path = replaced if replaced.is_file() else texts / f"{name}.txt"
    return _by_rulebook(path.read_text(encoding="utf-8"), rulebook) if path.is_file() else None


_OF_RULEBOOKS = re.compile(r"^\[(\d+(?:, \d+)*): (.*)\]\n", re.MULTILINE)
"""A line that holds by these rulebooks: `[1971, 2000: The unit stays.]`"""


def _by_rulebook(text: str, name: str) -> str:
    """The text as it holds by one rulebook: without the lines of others, its paragraphs wrapped anew."""

    def held(paragraph: str) -> str:
        said = _OF_RULEBOOKS.sub(lambda line: f"{line[2]}\n" if name in line[1].split(", ") else "", f"{paragraph}\n")
        said = said.replace("{{rulebook}}", name)
        return textwrap.fill(said, 72, break_on_hyphens=False) if said != f"{paragraph}\n" else paragraph

    return "\n\n".join(map(held, text.rstrip("\n").split("\n\n"))) + "\n"


def brief_of(variant: Variant) -> tuple[str, ...]:
    """What is different in a game, and how to look up the rulings that this cites."""
    cited = RULING.search(" ".join(variant.brief))
    if cited is None:
        return variant.brief
    how = f"Such a number in brackets is a ruling: RULES {cited[0]} sends what the rules say of it."
    return (*variant.brief, how)


def brief_to_guests(variant: Variant) -> tuple[str, ...]:
    """What is different in a game, to somebody who is not in it: without rulings, which are looked up from a seat."""
    return tuple(_CITES.sub("", one) for one in variant.brief)


_CITES = re.compile(rf"[ ]\({RULING.pattern}(?:, {RULING.pattern})*\)")


def paragraphs_on(ruling: str, variant: Variant) -> tuple[str, ...]:
    """The paragraphs of the game's rules that cite the ruling."""
    cited = re.compile(rf"\b{re.escape(ruling)}\b")
    return tuple(one.strip("\n") for one in paragraphs_of(rules_of(variant) or "") if cited.search(one))


def paragraphs_of(rules: str) -> list[str]:
    """The paragraphs of a text of rules."""
    return re.split(r"\n\s*\n", rules)


def rulings_of(variant: Variant) -> frozenset[str]:
    """The rulings that the game's rules cite; of one that is played by the usual rules, but for what its file says,
    those of the usual ones, too, but about builds, in which such games differ.
    """
    usual = _cited(rules_of(all_variants()["standard"]) or "") - {"ST-5"} if variant.rules_text else frozenset[str]()
    return _cited(rules_of(variant) or "") | usual


@lru_cache
def _cited(rules: str) -> frozenset[str]:
    return frozenset(RULING.findall(rules))
