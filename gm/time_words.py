"""Times in the words of other languages, and by the parts of the day, as the one reader of times has them
(`gm.clock`): in English, by a clock of 24 hours. So what reads a time reads it in all of these languages.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from functools import lru_cache

from gm import patterns as re

WEEK = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAYS = (
    "monday montag lundi lunes lunedi maandag|tuesday dienstag mardi martes martedi dinsdag"
    "|wednesday mittwoch mercredi miercoles mercoledi woensdag|thursday donnerstag jeudi jueves giovedi donderdag"
    "|friday freitag vendredi viernes venerdi vrijdag|saturday samstag sonnabend samedi sabado sabato zaterdag"
    "|sunday sonntag dimanche domingo domenica zondag|today heute aujourd'hui hoy oggi vandaag"
    "|tomorrow tmrw tmr tomorow tommorow morgen demain manana domani"
    "|overmorrow ubermorgen uebermorgen apres-demain dopodomani overmorgen"
)
_MONTHS = (
    "january januar janner janvier enero gennaio januari|february februar fevrier febrero febbraio februari"
    "|march marz maerz mars marzo maart|april avril abril aprile|may mai mayo maggio mei|june juni juin junio giugno"
    "|july juli juillet julio luglio|august aout agosto augustus|september septembre septiembre settembre"
    "|october oktober octobre octubre ottobre|november novembre noviembre"
    "|december dezember decembre diciembre dicembre|jan ene gen|feb fev|mar mrz|apr avr abr|may mag|jun giu"
    "|jul juil lug|aug ago|sep set|oct okt ott|dec dez dic"
)
"""Behind the day: alone, `mars` is a game's name."""
_UNITS = (
    "week woche wochen semaine semaines semana semanas settimana settimane weken"
    "|day tag tage tagen jour jours dia dias giorno giorni dag dagen"
    "|hour stunde stunden std heure heures hora horas ore uur|minute minuten minuti minutos"
)
_COUNTS = (
    "one ein einen eine einer un une una uno een|two zwei deux dos due twee|three drei trois tres tre drie"
    "|four vier quatre cuatro quattro|five funf fuenf cinq cinco cinque vijf|six sechs seis sei zes"
    "|seven sieben sept siete sette zeven|ten zehn dix diez dieci tien"
)
"""Before a unit: alone, `due` is English."""
_UNTIL = "until bis jusque hasta tot|noon midi mittags mezzogiorno mediodia|tonight stasera"
_PARTS = (
    "morning morgen morgens fruh matin matina mattina mattino manana ochtend vormittag vormittags"
    "|afternoon nachmittag nachmittags apres-midi tarde pomeriggio middag"
    "|evening abend abends soir soiree sera avond|night nacht nuit noche notte|noon mittag"
)
"""Behind a day or an hour."""


def _of(table: str) -> dict[str, str]:
    return {word: names.split()[0] for names in table.split("|") for word in names.split()}


_DAY_OF, _MONTH_OF, _UNIT_OF, _COUNT_OF, _PART_OF = map(_of, (_DAYS, _MONTHS, _UNITS, _COUNTS, _PARTS))
_WORD_OF = _DAY_OF | _of(_UNTIL)
_BEFORE_PARTS = frozenset(("am", "au", "de", "la", "por", "di", "del", "du", "en", "in", "the"))


def unaccented(text: str) -> str:
    """A text in small letters without accents."""
    apart = unicodedata.normalize("NFKD", text.lower())
    return "".join(one for one in apart if not unicodedata.combining(one))


def _folded(word: str) -> str:
    return unaccented(word.replace("\u2019", "'"))


_LETTERS = r"[^\W\d_]"
_A_WORD = re.compile(
    rf"(?<![\w@.-])(?:aujourd['\u2019]hui|apr[eè]s-(?:midi|demain)|{_LETTERS}{{2,14}})(?![\w@-])", re.IGNORECASE
)
_A_MONTH = re.compile(
    rf"(?P<day>\b\d{{1,2}}(?:\.(?= ))?)(?:er|º)?[ ](?:de |of )?(?P<month>{_LETTERS}{{3,10}})\.?(?![\w@-])"
)
_A_SPAN = re.compile(
    rf"\b(?P<count>\d{{1,3}}|fünf|{'|'.join(_COUNT_OF)})"
    rf"(?P<between>[ ](?:{_LETTERS}{{2,10}}[ ])??)(?P<unit>{_LETTERS}{{3,9}})\b",
    re.IGNORECASE,
)
_WEEK = "|".join(WEEK)
_TOGETHER = re.compile(
    r"\b(?P<day>montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)"
    r"(?P<part>morgen|vormittag|mittag|nachmittag|abend|nacht)\b",
    re.IGNORECASE,
)
"""`Sonntagabend`"""
_BRIEF = re.compile(r"(?<=\bbis )(?P<day>mo|di|mi|do|fr|sa|so)\b\.?", re.IGNORECASE)
BRIEF_DAYS = dict(zip(("mo", "di", "mi", "do", "fr", "sa", "so"), WEEK, strict=True))
"""The days of the week as German has them in brief."""
_TEN = {"twenty": 20, "thirty": 30, "forty": 40, "seventy": 70}
_ONES = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_TENS = re.compile(rf"\b(?P<ten>{'|'.join(_TEN)})[- ](?P<one>{'|'.join(_ONES)})\b", re.IGNORECASE)
"""`twenty-four hours`"""
_PHRASES = (
    (re.compile(r"\bgut(?:en|e)? (?:morgen|tag|abend|nacht)\b", re.IGNORECASE), ""),
    (re.compile(r"\b(?:a day and a half|one and a half days|anderthalb tage)\b", re.IGNORECASE), "36 hours"),
    (re.compile(r"\b(?:half a day|a half day|(?:einen )?halben tag|une demi-journée)\b", re.IGNORECASE), "12 hours"),
    (re.compile(r"\b(?:half an hour|eine halbe stunde|une demi-heure)\b", re.IGNORECASE), "30 minutes"),
    (re.compile(r"\b(?:the )?day after tomorrow\b|\bpasado mañana\b", re.IGNORECASE), "overmorrow"),
    (re.compile(r"\bce soir\b|\besta noche\b|\bheute (?:abend|nacht)\b", re.IGNORECASE), "tonight"),
    (re.compile(r"\bjusqu['\u2019](?:à|au|en)\b|\bd['\u2019]ici(?: à)?\b|\bfino (?:al?|alle)\b", re.I), "until"),
    (
        re.compile(r"\b(?:dans|tra|fra)(?= \w{1,6} (?:jours?|semaines?|heures?|giorn[io]|settiman[ae]|ore)\b)", re.I),
        "in",
    ),
)
"""Of several words, or what only looks like a time: `Guten Morgen`."""
_ANCHOR = rf"(?:{_WEEK}|today|tomorrow|overmorrow|\d\.|\d{{4}}|(?<=\d )[a-z]{{3,9}})"
_NEXT = re.compile(
    rf"(?P<day>\b(?:{_WEEK})) (?:prochaine?|pr[oó]xim[oa]|prossim[oa]|que viene|venant|volgende)\b", re.IGNORECASE
)
_TO_DAY = re.compile(r"\b(?P<until>until)(?: (?:to|zum|den|dem|le|la|las|el|il|al|à|the|um))+(?= \w)", re.IGNORECASE)
_OF_PART = re.compile(
    rf"(?P<hour>\b\d{{1,2}})(?:[:.h](?P<minute>[0-5]\d))?(?: ?(?:h|uhr|heures?|horas?|ore|hour|uur))?"
    rf"(?: (?:am|du|de la|por la|di|del|in der))? (?:de l['\u2019])?(?P<part>{_LETTERS}{{4,10}}(?:-midi)?)\b",
    re.IGNORECASE,
)
_HOUR_SAID = re.compile(
    rf"(?:(?P<day>\b{_ANCHOR}\b\.?,? )|(?P<until>\buntil ))?"
    r"(?<![\w:.+-])(?:(?P<sure>alle ore|alle|a las|las|ore|à|vers|om) )?(?:(?P<at>at|um|a|gegen) )?"
    r"(?P<hour>2[0-3]|1\d|0?\d)(?:[:.h](?P<minute>[0-5]\d))?"
    r"(?P<unit> ?(?:h|uhr|heures?|horas?|ore|hour|uur)(?: (?P<past>[0-5]\d))?)?"
    r"(?![\w:.]\w| ?(?:stunden?|std|tagen?|tage|hours|days?|weeks?|from|later|giorni|jours)\b|\w)",
    re.IGNORECASE,
)
"""An hour as other languages say it."""
_SAYS_TIME = ("uhr", "uur")
_EVENING = 13


@lru_cache(maxsize=256)  # several readers look at one sentence
def in_english(text: str) -> str:
    """A text with its times in English, and its hours as those of a clock with 24: `Sunday 20:00` of `Sonntag um 20
    Uhr`, `dimanche à 20h` and `Sunday at 8 in the evening`; `until 6 january` of `bis 6. Januar`.
    """
    text = _TENS.sub(lambda found: f"{_TEN[found['ten'].lower()] + _ONES.index(found['one'].lower()) + 1}", text)
    for phrase, english in _PHRASES:
        text = phrase.sub(english, text)
    text = _SPOKEN.sub(_in_digits, _HOUR_IN_WORDS.sub(lambda found: f"{_HOURS[found[0].lower()] or _NOON}", text))
    text = _BRIEF.sub(lambda found: BRIEF_DAYS[found["day"].lower()], _TOGETHER.sub(r"\g<day> \g<part>", text))
    text = _days_in_english(_A_MONTH.sub(_with_month, text))
    text = _TO_DAY.sub(r"\g<until>", _NEXT.sub(r"\g<day>", text))
    text = _A_SPAN.sub(_with_span, _HOUR_SAID.sub(_said, _OF_PART.sub(_with_part, text)))
    text = _THEN_HOUR.sub(_on_the_clock, _HOUR_THEN.sub(_on_the_clock, _AT.sub("at", text)))
    return _NO_HOUR.sub(lambda found: f"{found['day']} {_HOUR_OF[found['part'].lower()]}", text)


_NOON = 12
_CLOCK_HOURS = (
    "zwölf zwoelf twelve|eins one|zwei two|drei three|vier four|fünf fuenf five|sechs six|sieben seven|acht eight"
    "|neun nine|zehn ten|elf eleven"
)
_HOURS = {
    word: number
    for number, words in enumerate(_CLOCK_HOURS.split("|"))
    for word in (*words.split(), str(number or _NOON))
}
_MINUTES = {"half": 30, "halb": -30, "quarter": 15, "viertel": 15, "five": 5, "ten": 10, "twenty": 20}
_HOUR_IN_WORDS = re.compile(
    rf"\b(?:{'|'.join(word for word in _HOURS if word.isalpha())})"
    r"(?= ?(?:o['’]?clock|[ap]m|uhr|heures?)\b| in the (?:morning|afternoon|evening)\b)",
    re.IGNORECASE,
)
"""`seven o'clock`, `sieben Uhr`."""
_SPOKEN = re.compile(
    rf"(?:\b(?:a )?(?P<minutes>half|quarter|viertel|five|ten|twenty) (?P<way>past|to|nach|vor)|\b(?P<half>halb)"
    rf"|(?<=\bat)) (?P<hour>{'|'.join(_HOURS)})\b(?![ ]?(?:[:.]\d|hours?|days?|weeks?|uhr))",
    re.IGNORECASE,
)
"""A time of the day in words: `half past seven`, `viertel vor acht`, `at seven`."""


def _in_digits(found: re.Match[str]) -> str:
    """The time in digits; which half of the day is meant, is not said."""
    minutes = _MINUTES.get((found["minutes"] or found["half"] or "").lower(), 0)
    minutes = -minutes if (found["way"] or "").lower() in ("to", "vor") else minutes
    hour, minute = divmod(_HOURS[found["hour"].lower()] * 60 + minutes, 60)
    hour = hour % _NOON or _NOON
    return f"{'' if found['minutes'] or found['half'] else ' '}{hour}{f':{minute:02}' if minute else ''}"


_AT = re.compile(r"\bum\b", re.IGNORECASE)


def _english(word: str, of: Mapping[str, str]) -> str:
    """The English for a word; itself if it is English, or has none."""
    english = of.get(_folded(word), word)
    return word if english == word.lower() else english


def _days_in_english(text: str) -> str:
    """A text with its days, and the parts of them behind these, in English: `sunday morning` of `Sonntag Morgen`."""
    found, at, after_day = list[str](), 0, False
    for word in _A_WORD.finditer(text):
        between = text[at : word.start()]
        after_day = after_day and not between.strip()
        folded = _folded(word[0])
        part = after_day and folded in _PART_OF
        found += between, _english(word[0], _PART_OF if part else _WORD_OF)
        after_day = folded in _DAY_OF or (after_day and folded in _BEFORE_PARTS)
        if after_day and folded in _BEFORE_PARTS:
            found[-1] = ""
        at = word.end()
    return "".join((*found, text[at:]))


def _with_month(found: re.Match[str]) -> str:
    month = _english(found["month"], _MONTH_OF)
    return f"{found['day']} {month}" if _folded(month) in _MONTH_OF else found[0]


def _with_span(found: re.Match[str]) -> str:
    count, unit = found["count"], _UNIT_OF.get(_folded(found["unit"]))
    return found[0] if unit is None else f"{_english(count, _COUNT_OF)}{found['between']}{unit}"


def _with_part(found: re.Match[str]) -> str:
    part = _PART_OF.get(_folded(found["part"]))
    hour = f"{found['hour']}:{found['minute'] or '00'}"
    return found[0] if part in (None, "noon") else f"{hour} {'at' if part == 'night' else 'in the'} {part}"


def _said(found: re.Match[str]) -> str:
    unit = (found["unit"] or "").split()[0].lower() if found["unit"] else ""
    day, at, minute = found["day"], (found["at"] or "").lower(), found["minute"] or found["past"]
    by = at == "um" and not day  # `um 12h` is by so much
    with_unit = bool(unit) and not by and bool(day or found["until"] or at)
    german = bool(day) and (at in ("um", "gegen") or (bool(at) and int(found["hour"]) >= _EVENING))
    if not (found["sure"] or unit in _SAYS_TIME or with_unit or german):
        return found[0]
    return f"{day or found['until'] or ''}{'at ' if at or found['sure'] else ''}{found['hour']}:{minute or '00'}"


def _on_the_clock(found: re.Match[str]) -> str:
    hour, said = int(found["hour"]), found["of"] or found["now"] or ""
    if not said and not found["clock"]:
        return found[0]
    before_noon = "a" in found["half"].lower() if found["half"] else said.lower() in ("", "morning")
    hour = hour % 12 if found["half"] or said.lower() == "morning" else hour
    later = 12 if not before_noon and hour < _NOON else 0
    day = "today" if found["now"] else found["day"]
    return f"{f'{day} ' if day else ''}{hour + later}:{found['minute'] or '00'}"


_HOUR = (
    r"\b(?P<hour>2[0-3]|1?\d)(?:[:.](?P<minute>[0-5]\d))?"
    r"(?:(?P<half> ?[ap]\.?m)\b\.?|(?P<clock> o'clock))?"
)
_OF = (
    r"(?:(?:in the|at|this|every|each|(?:on )?(?P<day>today|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day))"
    r" (?P<of>morning|afternoon|evening|night)|(?P<now>tonight))"
)
_NO_HOUR = re.compile(
    rf"\b(?P<day>{_WEEK}|today|tomorrow) (?P<part>noon|evening|night)\b(?! (?:at )?\d)", re.IGNORECASE
)
_HOUR_OF = {"noon": "12:00", "evening": "20:00", "night": "23:59"}
"""The hour that is meant where none is named: `until Sunday evening`."""
_HOUR_THEN = re.compile(rf"{_HOUR}(?:,? {_OF})?\b", re.IGNORECASE)
_THEN_HOUR = re.compile(rf"\b{_OF},? (?:at )?{_HOUR}(?![\w:])", re.IGNORECASE)


_COUNT = rf"\d{{1,3}}|{'|'.join(dict.fromkeys(_COUNT_OF.values()))}"
_COUNTED = re.compile(
    rf"\b(?:{_COUNT})[ -](?:more |extra |further |full )?(?P<unit>hour|day|week)s?\b"
    r"|\b(?:give|grant|allow|gave|get|gets|them|everybody|everyone|all|it|only|just|and|rather|actually|sorry|be|is|takes?|lasts?"
    r"|moves?|movements?|retreats?|builds?|winters?|adjustments?|grace)[:,]? "
    rf"(?P<count>{_COUNT})(?= (?:for|and|only|then|please|instead|at most|from)\b| ?(?:[.,;!?]|$))",
    re.IGNORECASE,
)


def with_units(text: str) -> str:
    """A text in which each length of time has its unit: a count alone has that of the one before it, `They need three
    days. I give two`, `three days for the moves, retreats one`.
    """
    unit, found, at = "", list[str](), 0
    for one in _COUNTED.finditer(text):
        if one["unit"]:
            unit = one["unit"].lower()
        elif unit:
            found += text[at : one.end()], f" {unit}{'' if one['count'].lower() in _SINGLE else 's'}"
            at = one.end()
    return "".join((*found, text[at:]))


_SINGLE = ("1", "one")
