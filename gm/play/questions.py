"""Questions to a person's own address, answered by reply with YES or NO; and what a reply says.

A YES counts only if nothing else was written, because a text that begins with yes may end with no. A greeting, please,
thanks and a signature are nothing else. An offer to play may be accepted in a sentence: `accepts`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from enum import Enum
from functools import lru_cache, partial
from typing import Any, NamedTuple

from gm import patterns as re
from gm.games import loading
from gm.games.composing import Answering, Envelope
from gm.games.limits import Spent
from gm.games.report_inputs import reader_of
from gm.games.snapshot import Game, Person, Seat
from gm.games.transaction import Transaction
from gm.mail.message.addresses import mailto
from gm.mail.message.mime import message_ids
from gm.parsing.courtesies import ASSENT, CLOSING, DO_IT, GLADLY, GREETING, PLEASE, THANKS
from gm.parsing.signing import signature_begins, without_signature
from gm.reports import moment
from gm.reports.answers import Question, asked_subject
from gm.reports.game_mails import Notice
from gm.reports.reader import Reader
from gm.reports.render import render
from gm.store import inbox, question_rows
from gm.store.question_rows import QuestionRow

WHOLE = "whole"
"""A whole mail waits for confirmation."""
LINES = "lines"
"""Some commands of a mail wait for confirmation; the rest was done."""
PRESS = "press"
"""A reply to press waits, since it may be orders; its sender says what it is."""
ADDRESS = "address"
"""A new address of a person waits for confirmation from that address."""
SEAT = "seat"
"""A seat in a game waits for somebody who was asked to play. `detail`: the `game`, the `power` or None, the seat of the
gamemaster who asks (`by`), and to replace a player the `seat` and its `holder` (`gm.commands.invitations`)."""

ASKED = "question:"
"""The beginning of the purpose of a question; its id follows."""

_MOST_AGAIN = 3

YES_NO = (("YES", "do it"), ("NO", "discard it"))


@dataclass(frozen=True, slots=True)
class Asked:
    """A question to the address `asked`, and what waits for the answer.

    `scope` is WHOLE, LINES or ADDRESS, `mail_id` the mail that waits. `answers` says what each reply does. The answer
    counts for `person`, at `seat` of `game` if they are given; with `bound_to_phase` only during the present phase,
    otherwise `within` this time (None: `confirm_days`). `table`: facts by name. `stop`: a line that ends such mail to
    somebody who may have written nothing. `last`: a sentence at its end. `first`: what can be
    asked before it is answered. `of_players`: all players of the game are
    asked, whatever they were asked elsewhere: a limit of one of them would tell who plays. `answering`: the mail to
    which it is the reply.
    """

    mail_id: int
    scope: str
    asked: str
    title: str
    reasons: tuple[str, ...]
    lines: tuple[str, ...] = ()
    answers: tuple[tuple[str, str], ...] = YES_NO
    person: Person | None = None
    game: Game | None = None
    seat: Seat | None = None
    bound_to_phase: bool = False
    detail: Mapping[str, Any] = field(default_factory=dict)
    table: tuple[tuple[str, str], ...] = ()
    within: timedelta | None = None
    stop: str = ""
    last: str = ""
    first: tuple[tuple[str, str], ...] = ()
    of_players: bool = False
    answering: Answering | None = None

    @property
    def is_bound(self) -> bool:
        """Whether the answer counts only in the present phase: what somebody who runs a game writes before it begins
        means something else in it.
        """
        early = self.seat is not None and self.seat.moderates and self.game is not None and self.game.phase is None
        return self.game is not None and (self.bound_to_phase or early)

    @property
    def code(self) -> str:
        """The code of the phase being played where the question is to who holds a seat in it; otherwise ""."""
        game = self.game if self.seat is not None else None
        return game.code if game is not None and game.running else ""


def ask(tx: Transaction, what: Asked, *, silent: bool = False) -> bool:
    """Send the question; False, and nothing waits, if that address has reached its limit. With `silent` it is noted,
    written and charged alike, and not sent: who asks must not learn why there is no answer.
    """
    last = None
    if not what.of_players:
        if tx.allowance.used_up(Spent.QUESTIONS, what.asked) is not None:
            return False
        tx.allowance.charge(Spent.QUESTIONS, target=what.asked)
        last = tx.allowance.used_up(Spent.QUESTIONS, what.asked)
    until = tx.now + (what.within or timedelta(days=tx.identity.trust.confirm_days))
    phase = what.game.phase if what.game is not None and what.bound_to_phase else None
    row = question_rows.ask(
        tx.session,
        inbox_id=what.mail_id,
        scope=what.scope,
        asked=what.asked,
        account_id=what.person.id if what.person is not None else None,
        seat_id=what.seat.id if what.seat is not None else None,
        phase_id=phase.id if phase is not None else None,
        detail={
            **what.detail,
            "answers": [word.lower() for word, _ in what.answers],
            "offers": what.answers,
            "stop": what.stop,
            "subject": asked_subject(what.game.name if what.game is not None else "", what.code, what.title),
            question_rows.SILENT: silent,
            question_rows.BOUND: what.is_bound,
        },
        now=tx.now,
        expires_at=until,
    )
    question_rows.set_token(tx.session, row, tx.identity.answer_hash(row.id))
    answer_to = tx.identity.answer_address(row.id)
    reader = replace(who_answers(tx, row, what.person), zone=tx.identity.zone_of(what.person, what.game))
    if last is not None and last.until is not None:
        until_then = "Until then mail like this is set aside. Mail to your seat's secret address always counts."
        said = f"This is the last question before {moment(last.until, reader.zone)}. {until_then}"
        what = replace(what, reasons=(*what.reasons, said))
    name = what.game.name if what.game is not None else None
    due = what.game.due_at if phase is not None and what.game is not None else None
    if due is not None and due > tx.now:
        until = min(until, due)  # what it is about is of this phase only
    question = Question(
        reader,
        what.title,
        what.reasons,
        what.lines,
        what.answers,
        until,
        name or "",
        what.table,
        what.code,
        what.last,
        what.first,
    )
    shown = inbox.mail_by_id(tx.session, what.mail_id) if what.lines else None
    shows = message_ids(shown.message_id) if shown is not None else ()
    purpose = f"{ASKED}{row.id}"
    envelope = Envelope(purpose, what.asked, answer_to, name, answering=what.answering, ends=what.stop, shows=shows)
    tx.post(render(question), envelope, silent=silent)
    return True


def ask_again(tx: Transaction, row: QuestionRow, seen: str) -> None:
    """Ask the question at another address, since others know this one; `seen` says how they may. After a few times it
    is withdrawn: a program shows each.
    """
    if row.detail.get(question_rows.AGAIN, 0) >= _MOST_AGAIN:
        question_rows.withdraw(tx.session, row.inbox_id, tx.now, "others see each address for its answer")
        return
    row = question_rows.again(tx.session, row, tx.now)
    question_rows.set_token(tx.session, row, tx.identity.answer_hash(row.id))
    words = (f"{seen} An answer to that address counts no more. What you are asked has not changed: answer this mail.",)
    notice = asking(tx, row, person_asked(tx, row), "asked again", words)
    envelope = Envelope(f"{ASKED}{row.id}", row.asked, notice.reader.reply_to, ends=row.detail.get("stop", ""))
    tx.post(render(notice), envelope)


def person_asked(tx: Transaction, row: QuestionRow) -> Person | None:
    """For whom the answer counts; None if that is not somebody known."""
    return loading.people(tx.session, [row.account_id])[row.account_id] if row.account_id is not None else None


def asking(tx: Transaction, row: QuestionRow, person: Person | None, title: str, words: tuple[str, ...]) -> Notice:
    """A mail with the answers to a question that was asked before."""
    about = row.detail.get("subject")
    answers = tuple((str(line), str(does)) for line, does in row.detail.get("offers", ()))
    return Notice(who_answers(tx, row, person), f"{about}: {title}" if about else title, words, answers=answers)


def who_answers(tx: Transaction, row: QuestionRow, person: Person | None) -> Reader:
    """The reader of a mail whose reply, and whose buttons, answer the question."""
    answer_to = tx.identity.answer_address(row.id)
    return replace(reader_of(tx.identity, person), reply_to=answer_to, mailto=partial(mailto, answer_to))


# ---- answers


_BRIEF = re.compile(r"[\s*_\"']*[ykj][\s*_\"'.!]*", re.IGNORECASE)
"""Assent in one letter, y, which is and in Spanish, k or j: only to what another mail can set right."""
_KINDLY = (
    rf"(?:{PLEASE}|graag|gladly|sure|absolutely|of course|with pleasure|gerne?|volontiers|con gusto"
    r"|volentieri|com prazer|gjerne|gärna"
    r"|if you (?:please|like|would|will)|if you don['’]t mind"
    rf"|exactly|right|correct|parfait|nickel|super|that['’]?s (?:it|right|correct|fine)|{DO_IT})"
)
"""What may stand beside a yes."""
_THUMB = "[\U0001f44d\U0001f44c][\U0001f3fb-\U0001f3ff]?|[\u2705\u2714]\ufe0f?"
"""Assent in a sign: a thumb up, a hand that says OK, a tick."""
_YES_WORD = rf"[\s*_\"']*(?:{ASSENT}|{DO_IT}|{_THUMB})(?!\w)"
_YES = re.compile(
    rf"(?:{_YES_WORD}|[\s*_\"']*{GLADLY}(?!\w))(?P<always>[\s,]+always)?"
    rf"(?:[\s,.!*_\"']+(?:{THANKS}|{_KINDLY}|{ASSENT}|{GLADLY}|that one)(?!\w)){{0,2}}[\s*_\"'.!]*",
    re.IGNORECASE,
)
_YES_ALONE = re.compile(
    rf"{_YES_WORD}(?:[\s,.!:*_\"'–—-]+(?:{THANKS}|{_KINDLY}|{ASSENT}|both|all|everything|beides?|alles|les deux|tout"
    r"|(?:that(?:['’]s| is|['’]s exactly| is exactly) |exactly |just )?what i (?:meant|want(?:ed)?|said)"
    r"|(?:so|das) (?:war es |ist es )?(?:gemeint|meinte ich(?: das| es)?))(?!\w))*+[\s*_\"'.!:]*",
    re.IGNORECASE,
)
_APPROVES = re.compile(
    rf"(?:{_YES_WORD}|\W*(?:exactly|(?:that|this|it)(?:['’]s| is| was) (?:right|correct|it|exactly|what)"
    r"|(?:all )?correct|(?:quite )?right(?=\W*(?:$|[.,!]))|perfect|jaja|richtig|ganz genau|exactement"
    r"|c['’]est [çc]a)\b)(?P<more>[^?:@\d]*)",
    re.IGNORECASE,
)
_JOINED_ON = re.compile(r"\A\W*(?:(?:and|und|et|also|plus|y)\b[\s,:]*|(?<=[+&])\s*)", re.IGNORECASE)
_KIND = re.compile(r"[\s*_\"']*(orders|press|both|late)[\s*_\"'.!]*", re.IGNORECASE)
_NO = re.compile(
    r"\W*(?:no(?! (?:more |further )?(?:reminders?|e?-?mails?|maps?|pictures?|images?|html|attachments?)\b)"
    r"|n|nope|nah|naw|nay|nein|nö|non|nan|nee|nej|nie|reject|cancel(?=(?: (?:it|this|that))?\W*$))\b",
    re.IGNORECASE,
)


_TO_US = rf"{GREETING}(?:[ ,]+(?:gm|all|there|server|gamemaster))?"
_POLITE = re.compile(rf"(?:{_TO_US}|{THANKS}|{CLOSING}|--)\s*[,.!]?", re.IGNORECASE)
_COURTESY = re.compile(_KINDLY, re.IGNORECASE)
_SIGNS_OFF = re.compile(rf"(?:{THANKS}|{CLOSING}|--)\s*[,.!]?", re.IGNORECASE)
_SIGNATURE_LINES = 6


def _words(line: str) -> list[str]:
    return _words_in(line) or [line]


def _words_in(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.lower())


_IN_NAMES = frozenset(_words("and of the de da di du la le van von der den del y e und"))
TURNING = tuple(
    re.findall(
        r"\S+",
        "no not never but if unless only wait however though although actually sorry maybe perhaps almost nearly except"
        " apart aber nein nicht wenn fast beinahe presque außer ausser sauf"
        " falls nur mais non pero però ma maar niet men ikke inte mas não",
    )
)
"""Words that may turn a yes, in its sentence or in another."""
APPROVING = frozenset(
    _words(
        "you have ve got understood me well correctly rightly perfectly that this it them they is s was are"
        " exactly just quite the way what i we mean meant want wanted said wrote so right correct fine good"
        " great perfect thanks thank very much many please pls do take these those both all yes indeed of"
        " course genau das ist war es gemeint nimm bitte danke sehr vielen dank ja schon richtig merci"
        " beaucoup bien oui c est ça ca juste tout fait like one ones would be kind nice"
        " lovely helpful your understanding patience help gentil"
        " obv obviously ofc sure certainly meine meinte ich gerne klar"
        " natürlich évidemment sûr precisely completely absolutely entirely time now already agree agreed kindly"
        " so for für pour games game spiele partien units einheiten two three zwei drei beide beides"
        " stimmt alles alle passt eintragen übernehmen machen haha hehe lol oh ah well attack go march eh freilich is"
        " ist sind are send too also sigh let count then dann"
    )
)
"""The words that may stand beside a yes in its sentence: `Yes, you understood me well.`"""
_DOUBTS = frozenset(
    _words(
        f"{' '.join(TURNING)} forget undo cancel delete stop later tomorrow wrong opposite without except think"
        " misunderstood lass or until when might nothing nobody cannot who what why which kein keine oder"
        " vielleicht erst pas si ou sauf sino se als alleen ikkje hvis om kun"
    )
)
"""Words that may turn a yes into something else."""
APOLOGY = r"sorry(?: (?:for|about)\b|\W*\Z)"
_TURNS = re.compile(rf"\W*(?!{APOLOGY})(?:{'|'.join(TURNING)})(?!\w)", re.IGNORECASE)
"""The beginning of a sentence that does so with a yes in another; an apology for the mail itself does not."""
_ACCEPTS = re.compile(
    rf"{_YES_WORD}(?:[\s,]+{ASSENT}(?!\w))*(?=[\s*_\"']*(?:$|[,.;:!–—-]|(?:{THANKS}|{_KINDLY})(?!\w)))", re.IGNORECASE
)
_SENTENCES = re.compile(r"(?<=[.!?])\s+|\n")


class Reply(Enum):
    """What an answer to a question says."""

    YES = "yes"
    ALWAYS = "yes always"
    NO = "no"
    ORDERS = "orders"
    PRESS = "press"
    BOTH = "both"
    LATE = "late"
    UNCLEAR = "unclear"


@lru_cache(maxsize=8)  # of a mail it is asked several times
def own_lines(text: str, sender: str) -> Sequence[str]:
    """The lines that say something: no greeting, thanks or signature."""
    own = frozenset(_words_in(sender))
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    lines = lines[: signature_begins(lines, sender)]
    lines[-1:] = filter(None, (_unsigned(without_signature(line), own) for line in lines[-1:]))
    lines = lines[:-1] if len(lines) > 1 and _is_name(lines[-1], own) else lines
    signed = next((at for at, line in enumerate(lines) if at and _SIGNS_OFF.fullmatch(line)), len(lines))
    if len(lines) - signed <= _SIGNATURE_LINES and all(map(_is_signature, lines[signed + 1 :])):
        lines = lines[:signed]
    return [line for line in lines if not all(_is_courtesy(part, own) for part in _AND_NAME.split(line))]


def _unsigned(line: str, own: frozenset[str]) -> str:
    """A line without the `own` name of its writer behind its last sentence: `Yes, please. Birgit`."""
    said, *names = _AND_NAME.split(line)
    return said if names and all(_words(one) and own >= frozenset(_words(one)) for one in names) else line


def _is_courtesy(part: str, own: Collection[str]) -> bool:
    """Whether a part of a line is a greeting, thanks, or its writer's `own` name."""
    return _POLITE.fullmatch(part) is not None or frozenset(own).issuperset(_words(part))


def _is_name(line: str, own: frozenset[str]) -> bool:
    """Whether a line is a name of which its writer's address or account has a part: `Ada Wagner`."""
    words = line.split()
    return len(words) <= _WORDS_IN_NAME and all(map(str.istitle, words)) and not own.isdisjoint(_words(words[0]))


_WORDS_IN_NAME = 3
_AND_NAME = re.compile(r"(?<=[.,!]) ++(?=\S+\Z)")
"""Before the last word of a line, `Thanks! Vera`."""


def _is_signature(line: str) -> bool:
    """Whether a line below the end of a letter is a name, a telephone number, an address: no sentence."""
    if "?" in line:
        return False
    if _POLITE.fullmatch(line):
        return True
    words = line.split()
    named = (word.lower() in _IN_NAMES or not word[0].islower() or re.search(r"[@:/]", word) for word in words)
    return all(named) and not doubtful(line)


def doubtful(words: str) -> bool:
    """Whether words may turn a YES into something else."""
    return "n't" in words.lower().replace("’", "'") or not _DOUBTS.isdisjoint(_words(words))


_NEVER_MIND = re.compile(r"\b(?:never ?mind|lass (?:es|gut sein)|vergiss es|laisse tomber)\b", re.IGNORECASE)
_DROPS = re.compile(
    r"\W*(?:(?:ok(?:ay)?|actually|no|nah|oh|wait|sorry|well|please|pls)[ ,]{1,3}){0,4}+"
    r"(?:scrap|scratch|forget|drop|skip|discard|leave|ignore|disregard) (?:it|this|that|both)(?=\W*(?:$|[,.;!]))",
    re.IGNORECASE,
)


def drops(text: str) -> bool:
    """Whether an answer to an offer begins with a NO in other words: `scrap that, no time needed`."""
    return _DROPS.match(text) is not None or _NEVER_MIND.search(text) is not None


def says_no(clause: str) -> bool:
    """Whether a clause is NO and nothing else: `nope!`"""
    return (found := _NO.match(clause)) is not None and not clause[found.end() :].strip(" ,.!")


def read_reply(text: str, sender: str = "") -> Reply:
    """Parse an answer of this sender (their name and address). YES must be all that it says, `Yes, that is right`,
    beside a greeting, please, thanks and a signature, because what begins with yes may end with no. Any answer that
    begins with NO means NO.
    """
    said = own_lines(text, sender)
    if said and _NO.match(said[0]):
        return Reply.NO
    if len(said) == 1 and (kind := _KIND.fullmatch(said[0])) is not None:
        return Reply(kind[1].lower())
    yes = _YES.fullmatch(said[0]) if len(said) == 1 else None
    if yes is None and only_assents(text, sender):
        return Reply.YES
    if yes is None:
        return _kind_first(said[0] if said else "") or _kind_named(" ".join(said))
    return Reply.ALWAYS if yes["always"] else Reply.YES


def _kind_first(line: str) -> Reply | None:
    """The kind with which an answer begins, of whose other words none names another: `Press please, it is a letter`."""
    first, _, rest = line.partition(",")
    kind = _KIND_PLEASE.fullmatch(first)
    others = {name for reply, names in _KINDS.items() for name in names if kind and reply.value != kind[1].lower()}
    return Reply(kind[1].lower()) if kind is not None and rest and others.isdisjoint(_words(rest)) else None


_KIND_PLEASE = re.compile(rf"[\s*_\"']{{0,9}}(orders|press|both|late)(?:[ ]{{1,3}}{_KINDLY})?[\s*_\"'.!]{{0,9}}", re.I)


def _kind_named(text: str) -> Reply:
    """The only kind that a few words name: `it was only a letter, please send it`."""
    text = _NO_ORDER.sub("", text)
    words = _words(text)
    kinds = {kind for kind, names in _KINDS.items() if not names.isdisjoint(words)}
    clear = len(kinds) == 1 and len(words) <= _FEW_WORDS and _DENIES.search(text) is None
    return kinds.pop() if clear else Reply.UNCLEAR


_NO_ORDER = re.compile(
    r"\b(?:(?:and|und|et) )?(?:not?|kein\w*|pas)(?: an?| any| une?| d['’e] ?)? ?(?:orders?|befehle?|ordres?)\b",
    re.IGNORECASE,
)
"""What a letter is said not to be: `it is a letter and not an order`."""
_KINDS = {
    Reply.ORDERS: frozenset(("orders", "befehle", "ordres")),
    Reply.PRESS: frozenset(
        _words(
            "press letter message send deliver forward brief nachricht zustellen schicken schick senden weiterleiten"
            " lettre envoyer envoie envoyez transmettre"
        )
    ),
    Reply.BOTH: frozenset(("both", "beides")),
}
_FEW_WORDS = 15
_DENIES = re.compile(r"\b(?:no|not|never|nor|nicht|kein\w*|pas|non)\b|n['’]t\b|\?", re.IGNORECASE)


def assents_briefly(text: str, sender: str = "") -> bool:
    """Whether an answer of this sender is one letter of assent, `y`."""
    said = own_lines(text, sender)
    return len(said) == 1 and _BRIEF.fullmatch(said[0]) is not None


def takes_all(sentence: str) -> bool:
    """Whether a sentence that says YES says it to all of several things: `Yes to both, please`."""
    found = _TO_ALL.match(sentence)
    return found is not None and "?" not in sentence and APPROVING.issuperset(_words_in(sentence[found.end() :]))


_TO_ALL = re.compile(
    rf"(?:{_YES_WORD}[\s,]+(?:please[\s,]+)?(?:to |do |zu |à )?)?"
    r"(?:both|all|everything|beide[sm]?|alle[sm]|les deux|tout|tous)(?: of (?:them|these))?\b",
    re.IGNORECASE,
)


def accepts(text: str, sender: str = "") -> bool:
    """Whether an answer to an offer, which can be given back, begins with YES, though more is written: with nothing in
    the same sentence, or at the beginning of another, that takes it back, limits it, or asks.
    """
    first, *others = _SENTENCES.split("\n".join(own_lines(text, sender)))
    if _ACCEPTS.match(first) is None or "?" in first or doubtful(first) or _THANKS_FOR.search(first) is not None:
        return False
    return not any(_TURNS.match(sentence) for sentence in others)


_THANKS_FOR = re.compile(
    r"\b(?:thanks?|thank you|thx|sorry|danke|merci|désolé) (?:for|about|für|pour|de) (?!that|it|this)", re.IGNORECASE
)
"""Thanks for something else than what is offered, for which `ok` may stand: `OK, thanks for explaining`."""
_TAKES_BACK = re.compile(
    r"\b(?:cancel|scratch (?:it|that|this)|forget (?:it|that|this|about)|ignore|disregard|undo|delete|drop|withdraw"
    r"|take (?:it|that|them|this) back|kidding|joking|swap|hold(?:ing)? (?:on|off|everything)|second thoughts?|meant no"
    r"|not an order|rather (?:wait|not|hold)|better not|changed my mind|not (?:yet|to (?:move|go))"
    r"|doch (?:nicht|lieber)|lieber (?:nicht|doch)|noch nicht|nein|vergiss"
    r"|storn\w*|lösch\w*|finalement|plut[oô]t|annul\w*|oubli\w*)\b"
    r"|\b(?!(?:i|we|you|ich|wir|je|nous)\b)[^\W\d]{2,}+ (?:said|says|wrote|writes|sagte?|meinte|schrieb|dit|a dit)\b"
    r"|\b(?:do not|don['’]?t|never|nicht)\s(?:do|order|send|enter|carry|count|make|execute|use|take|move|attack|go"
    r"|eintragen|machen|ausführen|senden|schicken|bewegen)\b",
    re.IGNORECASE,
)


def turns(sentence: str) -> bool:
    """Whether a sentence begins like one that limits or turns a YES in another: `But not before Monday.`"""
    return _TURNS.match(sentence) is not None


def takes_back(sentence: str) -> bool:
    """Whether a sentence may deny or undo what another says, `Please don't order it though`: then that is not done."""
    return _TAKES_BACK.search(sentence) is not None


class Assent(NamedTuple):
    """An answer that says YES in a clause of its own."""

    yes: tuple[str, ...]
    """The clauses that say it, and how much: `Yes`, `that is what I meant`, `the first two`."""
    close: str
    """What else its sentence says, without what joins that on: `and the army holds`, `(and two more days)`."""
    more: str
    """All that it says beside YES, line by line as it was written."""
    joined: bool
    """Whether a word or a sign joins `close` on: it is no other way of what was proposed."""
    turned: bool
    """Whether something may take the YES back, limit it or ask."""


def assent_in(text: str, sender: str = "", about: str = "") -> Assent | None:
    """What an answer says that says YES in a clause, before or behind others; None for any other. The clause may have
    words of what it is `about`: `24h yes please`.
    """
    about_it = frozenset(_words_in(about))
    yes, close, more = list[str](), list[str](), list[str]()
    joined, turned = True, False
    for line in own_lines(text, sender):
        left = []
        for sentence in filter(str.strip, _SENTENCES.split(line)):
            own, others = _yes_apart(sentence, about_it)
            yes += own
            bare = _YES_TO.sub("", _JOINED_ON.sub("", others))
            asks = bare.endswith("?") and _OR.match(bare) is None  # which is answered, and turns nothing
            doubts = doubtful(bare) or (not bare and "?" in sentence)
            turned |= not asks and (takes_back(bare) or _TURNS.match(bare) is not None or bool(own and doubts))
            if own and bare:
                close.append(bare)
                joined &= bare != others
            left += [bare] if bare else []
        more += [" ".join(left)] if left else []
    return Assent(tuple(yes), ", ".join(close), "\n".join(more), joined, turned) if yes else None


def only_assents(text: str, sender: str = "") -> bool:
    """Whether an answer begins with YES, and says nothing else in as many words as may be: `Yes, that is right.`"""
    found = assent_in(text, sender)
    whole = found is not None and not (found.turned or found.more or any(map(is_pick, found.yes)))
    return found is not None and whole and says_only_yes(found.yes[0])


_PART = re.compile(
    r"((?<!\s)\s*+[,;:()–—.!]++\s*+|(?<!\s)\s++-++\s++"
    r"|(?<!\s)\s++(?=(?:and|also|plus|und|et|but|aber|mais|except|apart from|bis auf|au(?:ß|ss)er|sauf)\b|[+&]))",
    re.IGNORECASE,
)
_AROUND = " \t,;:()*_\"'–—."
_YES_TO = re.compile(rf"\A{_YES_WORD}[\s,]+(?:to )?(?=\w)", re.IGNORECASE)


def _yes_apart(sentence: str, about: Collection[str]) -> tuple[list[str], str]:
    """The clauses of a sentence that say YES and nothing else, and the others as they are written."""
    parts = _PART.split(sentence)
    bare = [_JOINED_ON.sub("", one).strip(_AROUND) for one in parts[::2]]
    own = [one for one in bare if one and (says_yes(one) or takes_all(one) or is_pick(one) or _yes_to(one, about))]
    own += [one for one in bare if own and one not in own and _names(one, frozenset(about) - APPROVING)]
    left = [at for at, one in enumerate(bare) if one and one not in own and not _adds_nothing(one, about)]
    others = "".join(parts[2 * left[0] : 2 * left[-1] + 1]).strip(_AROUND) if left else ""
    return own, others + ")" * (others.count("(") - others.count(")"))


_ORDINALS = {
    **dict.fromkeys(("first", "1st", "erste", "ersten", "premier", "première"), 0),
    **dict.fromkeys(("second", "2nd", "zweite", "zweiten", "deuxième", "second"), 1),
    **dict.fromkeys(("third", "3rd", "dritte", "dritten", "troisième"), 2),
    **dict.fromkeys(("last", "letzte", "letzten", "dernier", "dernière"), -1),
}
_COUNTS = {
    word: number
    for number, words in enumerate(
        ("2 two zwei deux", "3 three drei trois", "4 four vier quatre", "5 five fünf cinq", "6 six sechs"), 2
    )
    for word in words.split()
}
_PICKS = re.compile(
    rf"(?:{_YES_WORD}[\s,]+)?(?:(?:exactly|just|only|all|take|please|the|those|these|my|die|der|das|le|la|les)\s)*+"
    rf"(?:(?P<which>{'|'.join(_ORDINALS)})(?:\s(?P<of>{'|'.join(_COUNTS)}))?|(?P<all>{'|'.join(_COUNTS)}))"
    rf"(?:\s(?:one|ones|of (?:the )?(?:two|three|them|those|these)|lines?|orders?|offer|option|choice|suggestion"
    rf"|is|are|was|were|what i meant|good|fine|ok|okay|it|{_KINDLY}))*+",
    re.IGNORECASE,
)
"""An answer that picks some of what is proposed, `the first two are good`, or counts all: `exactly those 4`."""


def is_pick(clause: str) -> bool:
    """Whether a clause picks some of what is proposed, or counts it."""
    return _PICKS.fullmatch(clause) is not None


def picked(yes: str, pool: Sequence[str]) -> Sequence[str]:
    """Those of a pool of lines that a clause which says YES picks, by their order or their number; none if it picks
    none, or not as many as there are.
    """
    found = _PICKS.fullmatch(yes)
    if found is None:
        return ()
    if found["all"]:
        return pool if _COUNTS[found["all"].lower()] == len(pool) else ()
    at, count = _ORDINALS[found["which"].lower()], _COUNTS.get((found["of"] or "").lower(), 1)
    if at < 0:
        return pool[-count:] if count <= len(pool) else ()
    return pool[at : at + count] if at + count <= len(pool) else ()


def _yes_to(clause: str, about: Collection[str]) -> bool:
    """Whether a clause that begins or ends with YES has no other words but those of what it is about; or says to what:
    `yes to the moves`.
    """
    if _YES_TO_IT.fullmatch(clause) and not doubtful(clause):
        return True
    said = _HOURS.sub(r"\1h", clause)
    left = [word for word in _words_in(said) if word not in about]
    approves = any(says_only_yes(word) or word in _GOOD for word in left)
    approves = approves and all(word in APPROVING or says_only_yes(word) for word in left)
    return len(left) < len(_words_in(said)) and (approves or _ONLY.fullmatch(" ".join(left)) is not None)


_THINGS = r"(?:the|my|all|both|these|those|den|die|beiden|les|mes)(?: [^\W\d]+){1,3}"
_YES_TO_IT = re.compile(rf"{_YES_WORD} (?:to|for|on|zu|für|à|pour) (?:that|this|it|{_THINGS})", re.IGNORECASE)
_OR = re.compile(r"\W*(?:or|oder|ou)\b", re.IGNORECASE)
_GOOD = frozenset(("right", "fine", "good", "correct", "perfect", "richtig", "gut", "juste", "bon", "bonne", "exactly"))
_HOURS = re.compile(r"\b(\d+) ?(?:hours?|hrs?|stunden?|std|heures?)\b", re.IGNORECASE)
_ONLY = re.compile(
    r"(?:(?:only|just|nur|seulement|juste)\b ?)"
    r"(?:(?:the|die|der|das|den|dem|le|la|les|to|an|à|for|für|pour|one|please|pls|bitte|svp)\b ?)*",
    re.IGNORECASE,
)
"""What may stand beside the words of the one that is meant: `only the 48 hours please`."""


def named_with_yes(clause: str, ways: Mapping[str, str]) -> Sequence[str]:
    """Those of what is proposed, each with all words for it, whose words a clause has beside a YES: `24h yes` of
    EXTEND 24h and an order, `send it to Germany` of a letter.
    """
    words = {way: {*_words_in(said)} for way, said in ways.items()}
    common = set.intersection(*words.values()) if words else set[str]()
    own = {way: each - common for way, each in words.items()}
    return [way for way, each in own.items() if _yes_to(clause, each) or _names(clause, each - APPROVING)]


def _names(clause: str, about: Collection[str]) -> bool:
    """Whether a clause has words of what it is about, and no others but such as stand beside a YES."""
    said = frozenset(_words_in(_HOURS.sub(r"\1h", clause)))
    return not said.isdisjoint(about) and APPROVING.union(about, ("to",)).issuperset(said)


def _adds_nothing(clause: str, about: Collection[str] = ()) -> bool:
    """Whether a clause thanks, is sorry for something, or has only words that stand beside a YES, `that is what I
    meant`, or that say what is proposed: `Spain holds`.
    """
    polite = _POLITE.fullmatch(clause.strip()) or _COURTESY.fullmatch(clause.strip()) or HOPES.fullmatch(clause.strip())
    return polite is not None or _SORRY.match(clause) is not None or APPROVING.union(about).issuperset(_words(clause))


HOPES = re.compile(
    r"(?:(?:i (?:do |really |just )?|let's |let us |we )?hope|hopefully|fingers crossed|ich hoffe|hoffentlich"
    r"|j'espère)\b(?!.*\b(?:you|also|du|ihr|sie|tu|vous)\b)[^?]*",
    re.IGNORECASE,
)
"""A hope for what others do asks for nothing."""
_SORRY = re.compile(r"\W*(?:so |oh |ah )?sorry(?: (?:for|about)\b|\W*\Z)", re.IGNORECASE)


def says_yes(sentence: str) -> bool:
    """Whether a sentence says YES and nothing but how much: `Yes, you understood me well`. Whether it names a place is
    for the caller to see.
    """
    found = _APPROVES.fullmatch(sentence)
    approves = found is not None and APPROVING.issuperset(_words_in(found["more"]))
    return approves or says_only_yes(sentence)


def says_only_yes(sentence: str) -> bool:
    """Whether a sentence is YES, with please or thanks, or `what I meant`."""
    return _YES_ALONE.fullmatch(sentence) is not None


def beside_yes(text: str, sender: str = "") -> tuple[str, ...]:
    """The lines of such an answer that say more than yes, please and thanks."""
    return tuple(line for line in own_lines(text, sender) if _YES.fullmatch(line) is None)
