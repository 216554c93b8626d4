"""The time zone that a sentence names behind a time of day: `9pm Berlin time`, `at 18:00 in New York`, `8pm CET`."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import NamedTuple

from gm.clock import ABBREVIATED, parse_zone
from gm.errors import NotUnderstood
from gm.parsing.small_talk import FUNCTION_WORDS

_NAMED = re.compile(
    r"(?:\b\d{1,2}[:.]\d\d(?:[ ]?[ap]\.?m\b\.?|[ ]?uhr\b)?|\b\d{1,2}[ ]?(?:[ap]\.?m\b\.?|uhr\b|o'clock\b)"
    r"|\b(?:at|um)[ ]\d{1,2}\b(?![:.]\d|[ ]?(?:[ap]\.?m\b|uhr|o'clock))|\bnoon\b|\bmidnight\b)"
    r"(?:[ ]in[ ]the[ ](?:morning|afternoon|evening)|[ ]at[ ]night)?"
    r"(?P<in>,?[ ]in[ ](?:the[ ])?|[ ]?[(]|,?[ ])"
    r"(?P<words>[^\W\d_][\w/+-]*(?:[ ][^\W\d_][\w/+-]*){0,3})",
    re.IGNORECASE,
)
_TIME = ("time", "timezone", "zone", "clock", "zeit")
"""What stands behind the name of a zone."""
_OF_ANY = FUNCTION_WORDS - {"my", "our", "your", "their"}
"""What stands before TIME and names none: `this time`."""


class Zone(NamedTuple):
    """A zone by its IANA name, and the text without it; or the words for one that is not known."""

    name: str
    rest: str
    unread: str = ""


def zone_in(text: str, but: Collection[str] = ()) -> Zone:
    """The zone that a text names behind a time of day, "" if it names none. What is in `but`, such as games, is no
    zone; nor is a country, which may be a power, but behind IN, in brackets or before TIME: `6pm Turkey`.
    """
    unread = ""
    for found in _NAMED.finditer(text):
        words = found["words"].split(" ")
        for count in range(len(words), 0, -1):
            name = _bare(words[:count])
            timed = len(name) < count
            zone = _zone_of(" ".join(name), but, said=timed or found["in"].strip(" ,") != "")
            if zone:
                ends = found.start("words") + len(" ".join(words[:count]))
                return Zone(zone, f"{text[: found.start('in')]}{text[ends:].removeprefix(')')}")
            if timed and not _OF_ANY.issuperset(word.lower() for word in name):
                unread = unread or " ".join(words[:count])
    return Zone("", text, unread)


class Place(NamedTuple):
    """A place whose time is asked for, as it is named, and its zone by its IANA name; "" if that is not known."""

    name: str
    zone: str


def place_in(text: str, full_name: Callable[[str], str] = str) -> Place:
    """The place by whose clocks a text tells the time, or where its writer lives: `in New York`, `Berlin time`; none if
    there is no such. `full_name`: a place's name in English, by the one in the text. A place that is only behind IN
    must have a capital; one behind TIME ZONE need not, `zeitzone wien bitte`.
    """
    unread = Place("", "")
    for found in _PLACE.finditer(text):
        words = (found["in"] or found["zone"] or found["timed"] or found["iana"]).split(" ")
        leads = found["in"] or found["zone"]
        for some in (words[:count] for count in range(len(words), 0, -1)) if leads else (words, words[1:]):
            name = " ".join(_bare(some))
            people = name.rstrip("n").rstrip("r").removesuffix("e")  # `Berliner Zeit`, `deutsche Zeit`
            ways = (name, full_name(name), people, full_name(people))
            if zone := next(filter(None, (_zone_of(way, (), said=True) for way in ways if way)), ""):
                if zone != "UTC":
                    return Place(name, zone)
                unread = unread if unread.zone else Place(name, zone)  # it may be where they are not
        unread = unread if unread.name or not found["in"] else Place(" ".join(words), "")
    return unread


_A_PLACE = r"(?-i:[^\W\d_a-z])[\w'-]{1,20}+"
_PLACE = re.compile(
    rf"\b(?:in|at|from|near|nach|aus|à|en|heure de)[ ](?:the[ ])?(?P<in>{_A_PLACE}(?:[ ]{_A_PLACE}){{0,2}})"
    r"|\b(?:time ?zone|zeitzone|fuseau(?: horaire)?)\b[ ]?[:=]?[ ]?"
    r"(?:(?:is|ist|est|to|auf|von|in|zu|der?|à|la|the)[ ]){0,2}"
    r"(?P<zone>[^\W\d_][\w/+-]{1,30}+(?:[ ][^\W\d_][\w'-]{1,20}+)?)"
    r"|(?<![\w/])(?P<iana>(?-i:[A-Z])[a-z]{2,15}/(?-i:[A-Z])[\w/]{2,25}+)"
    rf"|(?<![\w'])(?P<timed>[^\W\d_][\w/+-]{{1,20}}+(?:[ ][^\W\d_][\w/+-]{{1,20}}+)?)(?=[ ](?:time|timezone|zeit)\b)",
    re.IGNORECASE,
)


def _bare(words: list[str]) -> list[str]:
    """The words without those that only say that they name a zone."""
    while words and words[-1].lower() in _TIME:
        words = words[:-1]
    return words


def _zone_of(name: str, but: Collection[str], *, said: bool) -> str:
    if not name or name.lower() in but:
        return ""
    try:
        zone = parse_zone(name).key
    except NotUnderstood:
        return ""
    clock = name.upper() in ABBREVIATED or name.upper().startswith(("UTC", "GMT", "CET", "EET"))
    city = name[0].isupper() and zone.rpartition("/")[2].replace("_", " ").lower() == name.lower() and "/" in zone
    return zone if said or clock or city or "/" in name else ""
