"""One line that is a command, `JOIN spring AS FRANCE`: its name and arguments. What it does is in `gm.commands`."""

from __future__ import annotations

import re
from difflib import get_close_matches

from gm.errors import NotUnderstood
from gm.parsing.arguments import Command, command, malformed, read, with_grammar
from gm.parsing.folding import Script, fold, shorten
from gm.parsing.forms import FORMS, PRESS_LIKE, title, written
from gm.parsing.lexicon import Lexicon
from gm.parsing.phases import phase_code
from gm.parsing.small_talk import FUNCTION_WORDS, PROSE

__all__ = ["Command", "parse_command"]

_SYNONYMS = {
    "withdraw": "resign", "nowait": "ready", "signoff": "end", "zone": "timezone", "?": "help", "watch": "observe",
    "preference": "preferences", "prefs": "preferences", "addaddress": "address", "removeaddress": "address",
    "myorder": "myorders", "orderfor": "ordersfor", "holiday": "absence", "vacation": "absence",
    "predict": "preview",
    "nodraw": "draw", "noconcede": "concede", "noabsence": "absence", "noextend": "extend", "nopause": "pause",
}  # fmt: skip
"""Other words for a command; those that begin with "no" take it back."""

_ELSEWHERE = {
    "signon": "join", "activate": "start", "form": "start", "begin": "start", "kick": "eject", "apply": "join",
    "who": "status", "info": "status", "games": "list", "delay": "extend", "adjudicate": "process",
    "quit": "resign", "surrender": "resign", "message": "press", "msg": "press", "tell": "press", "unready": "wait",
    "monitor": "observe", "propose": "draw", "vote": "draw", "become": "ordersfor", "whois": "status",
    "vacate": "eject", "abort": "terminate", "cancel": "undo", "explain": "why", "results": "history",
    "sandbox": "whatif", "try": "whatif", "away": "absence", "comaster": "promote", "unstart": "rollback",
    "notice": "official", "sub": "standby", "substitute": "standby", "options": "status", "version": "whoami",
}  # fmt: skip
"""What other judges and players call a command, to the name it has here."""

MAXIMAL_LENGTH = 4_000
_LONGEST_NAME = {"register": 5, "help": 2}
"""How many words may follow before they are looked at: `Register Will May` is no sentence."""

_TIME_WORDS = frozenset(("until", "on", "before", "after", "for", "from", "no"))
_OWN_WORDS = {
    "extend": _TIME_WORDS,
    "deadline": _TIME_WORDS,
    "resign": frozenset(("from",)),
    "list": frozenset(("mine",)),
}
"""Words of sentences that a command has too."""

_ARGUMENT_WORDS = frozenset(("as", "to", "all", "no", "none", "yes", "until", "from", "by", "off", "over", "in", "and"))
"""Words of sentences that may follow a command without a grammar."""

_MOST_WORDS = 7
_QUESTIONS = frozenset(
    ("help", "status", "list", "why", "whatif", "whoami", "rules", "summary", "history", "myorders", "dashboard")
)
"""Commands that may end with a question mark."""

_LOUD = frozenset(("what if", "stand by", "take over", "forget me"))
"""Words that begin sentences too, and so count in capitals only."""

_ALONE = frozenset(("forgetme", "whoami", "dashboard", "preview", "rollforward", "undo", "myorders", "pause", "resume"))
"""Commands that say all with their word; what may follow some of them is yes or no."""

_FIRST = re.compile(
    r"[ *]*(\?(?=[ ]|$)|time zone|no wait|sign off|my orders?|who am i|orders? for|what if|stand by|take over|roll back"
    r"|roll forward|forget me|(?:add|remove) address|no (?:draw|concede|absence|extend|pause)|[a-z]+(?![a-z?]))"
)
_SET = re.compile(
    r"[ *]*set[ ]+(?=(?:no[ ]?)?(?:draw|concede|absence|holiday|vacation|preferences?|comment|timezone|zone|deadline"
    r"|address|wait)\b)"
)
_WORDS = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_COURTESY = re.compile(r"\b(?:please|pls|thanks|thank you)$", re.IGNORECASE)


def parse_command(line: str, lexicon: Lexicon | None) -> Command | None:
    """The command that a line is; None for a line that is none. Raises NotUnderstood for one that is not complete."""
    line = line[:MAXIMAL_LENGTH]
    set_before = _SET.match(fold(line).folded)
    if set_before is not None:  # SET DRAW, as the judges have it
        line = " " * (fold(line).column(set_before.end()) - 1) + line[fold(line).column(set_before.end()) - 1 :]
    script = fold(line)
    first = _FIRST.match(script.folded)
    if first is None:
        return None
    word = first.group(1).replace(" ", "")
    name = _SYNONYMS.get(word, word)
    if name not in FORMS or name in (*PRESS_LIKE - {"diary"}, "orders"):
        _complain_of_unknown(line, script.folded, word)
        return None
    if name not in with_grammar():
        return _plain(line, script, first, name, lexicon)
    try:
        found = read(line, _without_courtesy(_printable(line)), name, lexicon)
    except NotUnderstood:
        if _is_talk(line, script.folded, name):
            return None
        raise
    return None if _is_talk(line, script.folded, name) else found


def _plain(line: str, script: Script, first: re.Match[str], name: str, lexicon: Lexicon | None) -> Command | None:
    """A command whose words are handed on as they stand; None for a sentence."""
    head = line[: script.column(first.end()) - 1].strip(" *")
    words = _without_courtesy(_printable(line[script.column(first.end()) - 1 :])).strip(" :,").removeprefix("=").strip()
    words = words.rstrip("? ") if name in _QUESTIONS else words
    asks = line.rstrip().endswith("?") and name not in _QUESTIONS
    if asks or (first.group(1) in _LOUD and not head.isupper()):
        return None
    if name == "diary":
        return command(name, words="") if words.upper() == "LIST" else None
    if name in ("ordersfor", "reveal"):
        return _about(name, words, lexicon)
    if name == "phase":
        return _phase(line, words, loud=head.isupper())
    if not (head.isupper() and not line.isupper()) and not _said_briefly(words, name):
        return None
    if first.group(1).startswith("no") and name != "ready":
        return command(name, words="NO")
    if name in _ALONE and words.upper() not in ("", "NO", "YES"):
        if not head.isupper():
            return None
        raise malformed(line, name, script.column(first.end()))
    return command(name, words=words)


def _about(name: str, words: str, lexicon: Lexicon | None) -> Command | None:
    """A command with a power's or a unit's name; None for a sentence."""
    if name == "reveal":
        return command(name, words=words) if not words or _names_unit(words, lexicon) else None
    power = lexicon.power(words.strip(" :")) if lexicon is not None else None
    return command(name, words=power) if power is not None else None


def _names_unit(words: str, lexicon: Lexicon | None) -> bool:
    """Whether these words are ME, or a unit: `A SMY`."""
    if words.strip(" .").upper() == "ME":
        return True
    unit = re.fullmatch(r"(?:a|f|army|fleet)[ ]+(.{2,30}?)[ .]*", words, re.IGNORECASE)
    try:
        return unit is not None and lexicon is not None and bool(lexicon.place(unit[1]))
    except NotUnderstood:
        return False


def _phase(line: str, words: str, *, loud: bool) -> Command | None:
    """PHASE with the code of a phase. What names none is a sentence, or a mistake if PHASE stands in capitals."""
    none = re.fullmatch(r"(.*?)[ ]+(?:none|off|clear)", words, re.IGNORECASE)
    code = phase_code(none[1] if none else words)
    if code is None and not loud:
        return None
    if code is None:
        raise malformed(line, "phase")
    return command("phase", code=code, none=bool(none))


def _said_briefly(words: str, name: str) -> bool:
    """Whether what follows a word in small letters can be its argument: few words, none that only sentences have."""
    found = _WORDS.findall(fold(words).folded)
    own = _ARGUMENT_WORDS | ({"a"} if name == "why" else set())
    return len(found) <= _MOST_WORDS and not (PROSE & set(found)) - own


def _complain_of_unknown(line: str, folded: str, word: str) -> None:
    """Raise NotUnderstood if the line looks like a command: its first word is nearly one, or is one elsewhere."""
    if len(word) <= 2 or word in FORMS:
        return
    words = folded.split()
    head = line.split(maxsplit=1)[0]
    shouted = head.isupper()
    plain = 1 < len(words) <= 3 and not line.rstrip().endswith((",", ".", "!", "?")) and PROSE.isdisjoint(words)
    if len(words) > 6 or not (shouted or plain):
        return
    known = _ELSEWHERE.get(word) if shouted else None
    names = FORMS if shouted else _LONG_WORDS
    for name in [known] if known else get_close_matches(word, names, n=1, cutoff=0.75):
        remedy = f"Did you mean {title(name)}? It is written: {written(name)}."
        raise NotUnderstood(f"{shorten(head)!r} is not a command here.", remedy, column=line.index(head) + 1)


_LONG_WORDS = tuple(name for name in FORMS if len(name) > 3)
"""Words of three letters are near to too many others."""


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in text)


def _without_courtesy(text: str) -> str:
    """The text without full stops and thanks at its end."""
    while True:
        text = text.rstrip(" ,.;!")
        found = _COURTESY.search(text, max(0, len(text) - 12))
        if found is None:
            return text
        text = text[: found.start()]


def _is_talk(line: str, folded: str, name: str) -> bool:
    """Whether a line that begins like a command is a sentence. A first word alone in capitals says it is a command."""
    if line.rstrip().endswith("?") and name not in _QUESTIONS:
        return True
    if line.split(maxsplit=1)[0].isupper() and not line.isupper():
        return False
    words = set(_WORDS.findall(folded)[1:]) - _OWN_WORDS.get(name, frozenset())
    return len(words) > _LONGEST_NAME.get(name, 0) and not FUNCTION_WORDS.isdisjoint(words)
