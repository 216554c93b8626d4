"""Whether a letter may go to other players unasked. Every letter that a mail would send comes here first.

One wrong letter would hand an enemy the orders, or a plan. So what reads as if it were not for those to whom it would
go, or names its writer to whom may not know them, is sent only after its writer has seen to whom it goes, and has
said yes. Negotiation names places, units and
other players in every sentence, and goes unasked.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from gm import patterns as re
from gm.board import Power
from gm.commands.context import Context
from gm.commands.press import is_for, named
from gm.errors import NotNow
from gm.games.bounds import Bound
from gm.games.snapshot import Game, Seat
from gm.inbound.ordering import MOST_MEANT, Ordering, asked_for, ordering_at
from gm.mail.message.addresses import without_addresses
from gm.mail.message.incoming import Message
from gm.parsing.addressed import addressed, opened_to
from gm.parsing.lexicon import Lexicon, fold, spelt
from gm.parsing.meant_words import says
from gm.parsing.message import PressBlock
from gm.parsing.questions import sentences
from gm.parsing.sayings import SURE, Likely, is_a_name, knows, likely
from gm.parsing.several_lines import GM
from gm.play import conversations
from gm.reading.ours import LINK
from gm.reports import listed


@dataclass(frozen=True, slots=True)
class Letter:
    """What a seat would write to these recipients, as press names them. `headed`: it stands below a heading of press,
    in which `beyond` is no name. `called`: the writer's names and addresses; `unsigned`: it is grey press.
    """

    game: Game
    seat: Seat
    to: tuple[str, ...]
    text: str
    headed: bool = False
    beyond: str = ""
    called: tuple[str, ...] = ()
    unsigned: bool = False

    @property
    def lexicon(self) -> Lexicon:
        return self.game.lexicon_of(self.seat)

    @property
    def is_open(self) -> bool:
        """Whether it goes to everybody, or to whoever has written unsigned."""
        return not {conversations.EVERYBODY, conversations.GREY}.isdisjoint(self.to)

    @property
    def hides_writer(self) -> bool:
        """Whether any of those to whom it goes may not know who its writer is; a player knows their deputy."""
        player = self.game.principal(self.seat).id
        others = (seat for seat in self.game.held if self.game.principal(seat).id != player)
        readers = (seat for seat in others if self.is_open or is_for(self.to, seat))
        return self.unsigned or not all(self.game.knows_holder(reader, self.seat) for reader in readers)


def names_of(ctx: Context, message: Message, game: Game, seat: Seat) -> tuple[str, ...]:
    """What the writer of a mail is called, in it and here, and who else orders at their seat, the player and a deputy:
    their names and addresses.
    """
    player = game.principal(seat)
    people = filter(None, (ctx.person, *(one.person for one in (player, *game.deputies_of(player)))))
    known = chain.from_iterable((person.name, *person.addresses) for person in people)
    return tuple(dict.fromkeys(filter(None, (*known, message.sender_name, message.author))))


def untold(ctx: Context, message: Message, press: PressBlock) -> NotNow | None:
    """Why a text in a mail is not sent before its sender has confirmed it; None if it may be sent."""
    if ctx.game is None or ctx.seat is None or press.kind != "press" or len(press.body) > Bound.TEXT.most:
        return None  # too long a text is refused
    to = (press.to,) if isinstance(press.to, str) else press.to
    called, unsigned = names_of(ctx, message, ctx.game, ctx.seat), "grey" in press.manner
    why = doubt_of(Letter(ctx.game, ctx.seat, to, press.body, True, press.beyond, called, unsigned))
    whom = named(ctx.game, to, ctx.seat)
    return NotNow(f"Your text for {whom} was not sent yet: {why}.", f"YES sends it to {whom}.") if why else None


def doubt_of(letter: Letter) -> str:
    """Why a letter may not be for those to whom it would go; "" if it may be sent unasked."""
    if letter.beyond:
        return f"the line that says to whom it goes ends with {letter.beyond!r}, which names nobody"
    if letter.seat.moderates:
        return ""
    if own := names_writer(letter):
        return f"it has {own!r} in it, which tells its readers who you are"
    if set(letter.to) == {GM}:
        return ""
    if others := speaks_to_others(letter):
        return f"it speaks to {others}"
    if said := next((why for pattern, why in _FOR_NOBODY if pattern.search(fold(letter.text).folded)), ""):
        return said
    if _speaks_of_reader(letter):
        return f"it speaks of {letter.to[0]} as of somebody else"
    parts = list(islice(_parts(letter.text), _MOST_PARTS))
    if is_for_gamemaster(letter, parts):
        return "it reads as words to the gamemaster"
    if _enters_orders(letter, parts) or (letter.headed and _is_orders(letter, parts)):
        return "it reads as your own orders"
    return ""


_MOST_PARTS = 16
"""The most sentences of a letter of which it is found out what they want: who writes more, writes a letter."""
_LONGEST = 500
"""Characters of a sentence; a longer one is looked at in pieces."""


def _parts(text: str) -> Iterator[str]:
    """The sentences of a letter, without links and addresses, whose letters say nothing of what it wants."""
    text = without_addresses(LINK.sub("", text), "")
    for part in (part for line in text.split("\n") for part in sentences(line)):
        yield from (part[at : at + _LONGEST] for at in range(0, len(part), _LONGEST))


def speaks_to_others(letter: Letter) -> str:
    """Whom a letter speaks to by naming them first, if they are not among those to whom it would go: `Dear Italy,`.
    What goes to everybody may speak to one of them, but not to the gamemaster alone.
    """
    found = dict.fromkeys(opened_to([line[:_LONGEST] for line in letter.text.split("\n")], letter.lexicon))
    if letter.is_open:
        return GM if {*found} == {GM} else ""
    return listed([one for one in found if one not in (*letter.to, letter.seat.power)])


def names_writer(letter: Letter) -> str:
    """The writer's own name or address in a letter that goes to anybody who may not know who they are, as it is
    written; "" without any. A word of a name counts where it signs a short clause, or has a capital and is none that
    people write, or stands within a sentence.
    """
    if not (letter.called and letter.hides_writer):
        return ""
    script = spelt(letter.text)
    names = dict.fromkeys(filter(None, (spelt(name).folded.strip() for name in letter.called)))
    for whole in filter(None, map(_whole, names)):
        found = re.search(rf"(?<![^\W_]){whole}(?![^\W_])", script.folded)
        if found is not None and not (found[0].isalpha() and knows(found[0])):
            return script.words(*found.span())
    words = dict.fromkeys(word for name in names if "@" not in name for word in _words_of(name))
    own = [word for word in words if not letter.lexicon.place_names_in(word)]
    one_of_them = re.compile(rf"(?<!\w)(?:{'|'.join(map(_spellings, own))})(?!\w)")
    for line in map(spelt, letter.text.split("\n") if own else ()):
        for found in one_of_them.finditer(line.folded):
            start, end = found.span()
            before, written = line.folded[max(start - _LONGEST_SIGNATURE, 0) : start], line.words(start, end)
            is_word, as_name = knows(found[0]), not written.islower()
            named = as_name and (not is_word or _WITHIN_SENTENCE.search(before))
            introduced = not is_word and _INTRODUCES.search(before)
            signed = _signs(_CLAUSE.split(before)[-1], line.folded[end : end + _LONGEST_SIGNATURE])
            if (named or introduced or signed) and (found[0] in words or as_name or not is_word):
                return written
    return ""


def _whole(name: str) -> str:
    """The pattern of a whole name, or of an address; "" of a name of one word, which is not looked for as a whole."""
    if "@" in name:
        return "".join(_BETWEEN.get(part) or re.escape(part) for part in re.split(r"([@.])", name))
    words = name.split()
    return _APART.join(map(_spellings, words)) if len(words) > 1 else ""


def _words_of(name: str) -> Iterator[str]:
    """The words of a name, and what is written without its signs: `oneill`, `jeanluc`."""
    for part in name.split():
        yield from (word for word in (*re.findall(r"[^\W_]+", part), re.sub(r"[\W_]", "", part)) if len(word) > 1)


def _spellings(word: str) -> str:
    """The pattern of a word with each ä, ö, ü and å as German and Scandinavian keyboards write them, or others do."""
    return "".join(_AS_WRITTEN.get(letter) or re.escape(letter) for letter in _TWO_FOR_ONE.sub("", word))


_TWO_FOR_ONE = re.compile(r"(?<=[aou])e|(?<=a)a")
_AS_WRITTEN = {"a": "a[ae]?", "o": "oe?", "u": "ue?"}
_BETWEEN = {"@": r"[\W_]{0,3}(?:@|at)[\W_]{0,3}", ".": r"[\W_]{0,3}(?:\.|dot|punkt)[\W_]{0,3}"}
_APART = r"[\W_]{0,8}"
_INTRODUCES = re.compile(
    r"\b(?:i am|i'm|im|it is|it's|this is|(?:my )?name is|call me|ich bin|ich heisse|hier ist|je suis|je m'appelle|sono"
    r"|soy|ik ben),? $"
)
_WORDS_BESIDE_NAME = 3
_LONGEST_SIGNATURE = 60
_CLAUSE = re.compile(r"[.!?;:,]")
_WITHIN_SENTENCE = re.compile(r"\w,? $")


def _signs(before: str, behind: str) -> bool:
    """Whether a name between these parts of a line signs it: `Cheers, Ann`, `Ann here`."""
    ends = len(before.split()) <= _WORDS_BESIDE_NAME and not re.search(r"\w|\?", behind)
    return ends or (not before.strip() and re.match(r" here\b", behind) is not None)


def is_for_gamemaster(letter: Letter, parts: Sequence[str]) -> bool:
    """Whether a letter speaks to the gamemaster, or surely wants of the program what only the program does, and says
    nothing that is surely for another player.
    """
    if GM not in letter.to and any(GM in addressed(part, letter.lexicon).to for part in parts):
        return True
    return _wishes(letter, parts, _OF_THE_GAME) or _wishes(letter, _unnamed(letter, parts), ("HOW_TO_ORDER",))


def _wishes(letter: Letter, parts: Sequence[str], kinds: Collection[str]) -> bool:
    found = [likely(part, letter.lexicon, to_players=True) for part in parts if len(part.split()) >= _WORDS_OF_A_WISH]
    wish = any(one.kinds[0] in kinds and _TALK.isdisjoint(one.within(_NO_TALK)) for one in found)
    return wish and not any(map(_is_talk, found))


_TALK = frozenset(("PRESS", "CHAT"))
_WORDS_OF_A_WISH = 3
_NO_TALK = 8.0
"""What is less likely to be talk by so much is none: `Let me know by tomorrow` is near to a wish for more time."""
_OF_THE_GAME = frozenset(
    (
        *("GM", "EXTEND", "DEADLINE", "LATE", "PAUSE", "MY_ORDERS", "CLEAR", "RESIGN", "ABSENCE", "NO_MAIL"),
        *("MAP", "ADDRESS", "DEPUTY", "TRY", "FASTER"),
    )
)
"""Kinds of wishes (`grammars/sayings.txt`) that another player can do nothing about."""


def _is_talk(found: Likely) -> bool:
    return found.within(SURE) == ("PRESS",)


def _enters_orders(letter: Letter, parts: Sequence[str]) -> bool:
    """Whether a letter has whoever enters orders do so without naming a place, as it may to a player to whom an order
    is promised: `The same orders as last turn`.
    """
    return _wishes(letter, _unnamed(letter, parts), ("ORDER", "SAME"))


def _unnamed(letter: Letter, parts: Sequence[str]) -> list[str]:
    """The sentences that name no place: of those that do, players speak among themselves."""
    return [one for one in parts if not letter.lexicon.place_names_in(fold(one).folded)]


def _is_orders(letter: Letter, parts: Sequence[str]) -> bool:
    """Whether half of a letter orders units of its writer: whose ENDPRESS stands too low, orders in it."""
    ordering = ordering_at(letter.game, letter.seat)
    if ordering is None:
        return False
    orders = sum(gives_orders(ordering, part) for part in parts)
    others = len(parts) - orders
    return orders > others or (orders == others > 0 and not any(says(part, "you") for part in parts))


def gives_orders(ordering: Ordering, text: str) -> bool:
    """Whether a text has a sentence that may give an order and is not surely negotiation: `I agree to the DMZ`. Who
    asks somebody to move a unit of their own asks the program.
    """
    parts = filter(ordering.gives, sentences(text)[:MOST_MEANT])
    return any(asked_for(part) or not _is_talk(likely(part, ordering.lexicon, to_players=True)) for part in parts)


# ---- what is said in so many words


_SECRET = re.compile(
    r"\b(?:pass[ -]?(?:words?|phrase|code)|passwor[dt]|kennwort|geheimzahl|zugangscode|mot de passe|pw)\b"
    r"|\b(?:code|pin|tan|otp|token|log-?in|api[ -]?key)\b[^\n]{0,40}?\b(?!(?:1[4-9]|2\d)\d\d\b|[SFW]\d{2,5}[A-Z]\b)"
    r"(?=[^\W_]{0,30}\d)[^\W_]{4,30}\b",
    re.IGNORECASE,
)
"""A word for a secret; and one for a code, with something like one behind it. `redact` takes out seats' addresses."""
_TO_ONESELF = re.compile(
    r"\b(?:notes?|memo|reminder|notiz|notizen) (?:to|for|an|fur) (?:my|mich )?sel(?:f|bst)\b"
    r"|(?<!.)[^\w\n]{0,8}to (?:my)?self\b"
    r"|\b(?:draft|entwurf|brouillon)\b|\b(?:do not|don't|never) send (?:this|it|yet|to any)|\bmy (?:own )?secret plan\b"
    r"|\bnobody (?:else )?knows\b|\bnicht (?:ab)?senden\b|\bne pas envoyer\b",
    re.MULTILINE,
)
_FOR_NOBODY = (
    (_SECRET, "it may have a password or a code in it"),
    (_TO_ONESELF, "it reads as a note to yourself"),
)


def _speaks_of_reader(letter: Letter) -> bool:
    """Whether a letter to one player names them, and does not speak to them by that: `I don't trust France`. Who names
    both, `Belgium for France, Holland for Germany`, may speak of what they have together.
    """
    if len(letter.to) != 1 or letter.is_open or Power(letter.to[0]) not in letter.game.powers:
        return False
    return any(_names_apart(part, letter) for part in _parts(letter.text))


def _names_apart(part: str, letter: Letter) -> bool:
    script = fold(part)
    start, of_reader = 0, list[tuple[int, int]]()
    for number, piece in enumerate(letter.lexicon.scan(script.folded).pieces):
        end = start + len(piece)
        power = letter.lexicon.power(piece) if number % 2 and is_a_name(script.words(start, end)) else None
        if power is not None and power == letter.seat.power:
            return False
        if power is not None and power == letter.to[0]:
            of_reader.append((start, end))
        start = end
    return any(not _calls(script.folded[:begin], script.folded[end:]) for begin, end in of_reader)


_GREETED = re.compile(
    r"(?:[\W\d]*\b(?:dear|hello|hi|hey|hallo|good|guten?|morning|morgen|evening|abend|tag|day|lieber?|liebes|sehr"
    r"|geehrter?|werter?|verehrter?|cher|chere"
    r"|bonjour|bonsoir|salut|ok|okay|yes|ja|oui|no|nein|non|well|so|and|und|et|but|thanks?|danke|merci|you|sorry|listen"
    r"|please|bitte|la|le|l|the|(?:to|dear) (?:the )?\w{1,20} of|to|for|an|fur|pour|a|my|friend|from|greetings"
    r"|again)\b){0,5}[\W\d]*"
)
"""What may stand before the name of whom a sentence speaks to."""


_SAID = re.compile(r"[.!?;:]")


def _calls(before: str, after: str) -> bool:
    """Whether a name between these words calls somebody: at the beginning, after a greeting, or between signs."""
    if after.strip() and after.lstrip()[0] not in ",.!?:;)-\u2013\u2014\"'":
        return False
    apart = not before.strip() or before.rstrip()[-1] in ",.!?:;(-\u2013\u2014"
    return not after.startswith("'s") and (apart or _GREETED.fullmatch(_SAID.split(before)[-1]) is not None)
