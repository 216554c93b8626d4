"""What people want of a program that runs their game, whatever words they have for it (`gm.parsing.sayings`)."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from itertools import pairwise

from gm import patterns as re
from gm.parsing.courtesies import GREETING, PLEASE, THANKS
from gm.parsing.days import is_span, opens_span


class Wanted(Enum):
    """What a sentence asks for."""

    DEADLINE = "when the deadline is"
    MY_ORDERS = "your orders"
    MY_POWER = "which power you play"
    PLAYERS = "who plays"
    TURNOUT = "who has sent orders"
    CLEAR = "delete your orders"
    HOW_TO_SUPPORT = "how to support"
    HOW_TO_CONVOY = "how to convoy"
    HOW_TO_RETREAT = "how to retreat"
    HOW_TO_BUILD = "how to build and remove"
    HOW_TO_ORDER = "how orders are written"
    HOW_TO_WRITE = "how to write to other players"
    WHY = "the results, and why"
    MAP = "the map"
    POSITION = "the position"
    CENTRES = "who has how many centres"
    RULES = "what game this is, and its rules"
    ABSENCE = "say that you are away"
    RESIGN = "leave the game"
    EXTEND = "have more time"
    DRAW = "how to agree on a draw"
    VOTE_DRAW = "vote for a draw"
    NO_DRAW = "vote against a draw"
    VOTES = "which votes are open"
    MY_TURN = "whose turn it is"
    NO_ORDERS = "what happens without orders"
    COMMAND = "what a command does, or a word means"
    ANYBODY = "who reads this"
    HELP = "what you can write"
    NEWCOMER = "what Diplomacy is, and how it is played"
    GAMES = "which games there are"
    JOIN = "how to join a game"
    NO_MAIL = "no more mail"
    READY = "say that your orders are final"
    WAIT = "say that your orders are not final"
    NEAR = "where a unit can go"
    LETTERS = "the press you have sent and received"
    START = "when the game begins"
    ADDRESS = "change your address"
    SETTINGS = "change what mail you get, and when"
    DEPUTY = "have a friend order for you"
    TRY = "how to try orders out"
    HISTORY = "the results of phases that were played"
    CONCEDE = "concede the game"
    PAUSE = "how to have a pause"
    LATE = "whether orders still count"
    FASTER = "have phases end sooner"
    REPLAY = "have a phase played again"
    SAME = "order what you ordered before"
    WINTER = "when there are builds"
    VICTORY = "how one wins"
    STOPS = "what happens when a player stops"
    SIGNS = "what the signs on the map mean"
    COST = "what it costs, and how long a game takes"
    WATCH = "how to watch a game"
    VARIANTS = "which games can be created"
    WHO_SEES = "who sees your orders"
    PROMISES = "what players may say to each other, and who reads it"
    SEEN = "what the others learn of you"
    WHAT_READY = "what READY and WAIT do"
    CODES = "what the code of a phase means"
    ATTACKED = "who attacked you"
    ADVICE = "what is best to do"
    NAME = "change your name"
    LANGUAGE = "which languages are read"
    ACCOUNT = "how you are known, and where all is"
    CREATE = "create a game"
    STANDBY = "stand by for a seat that becomes vacant"
    OPTION = "how an option of the game is set"

    # of those who run a game
    GM_EXTEND = "give more time"
    GM_DEADLINE = "set the deadline"
    GM_PROCESS = "have the phase adjudicated now"
    GM_DASHBOARD = "who is missing, and what waits for you"
    GM_REMIND = "remind those whose orders are missing or incomplete"
    GM_PAUSE = "stop the clock"
    GM_RESUME = "go on with the game"
    GM_RELEASE = "send the results that are held"
    GM_PREVIEW = "what would come out"
    GM_REPLACE = "give a power to somebody else"
    GM_INVITE = "invite somebody"
    GM_EJECT = "take a seat away from its player"
    GM_DENY = "keep somebody out"
    GM_DUMMY = "leave a power without a player"
    GM_STANDIN = "let the program order for a power"
    GM_ORDERS_FOR = "enter orders for a power"
    GM_ACCEPT_LATE = "accept late orders"
    GM_LATE = "how late orders came, and what they would change"
    GM_SENT = "when orders came"
    GM_CORRECT = "correct the last result"
    GM_ROLLBACK = "set the game back, so that all order again"
    GM_UNDO = "take back your last command"
    GM_BROADCAST = "write to all"
    GM_PRESS = "write to players"
    GM_REMARK = "put words above the next report"
    GM_HOUSE_RULES = "set house rules"
    GM_NOTE = "keep a note for yourself"
    GM_SET = "change an option"
    GM_SCHEDULE = "change what is scheduled"
    GM_TERMINATE = "end the game"
    GM_DRAW = "end the game as a draw"
    GM_START = "begin the game"
    GM_UNSTART = "take the start of the game back"
    GM_MUSTER = "ask all whether they are there"
    GM_CREATE = "create a game"
    GM_PROMOTE = "have another gamemaster"
    GM_REVEAL = "show who was who"
    GM_WHO = "who somebody is, and how reliable"
    GM_EXPORT = "the game as a file for other programs"
    GM_LOG = "what happened when"
    AWAY = "what to do while a player is away"


_SENTENCE = re.compile(
    r"(?<=[?!\u2600-\u27bf\U0001f300-\U0001faff])\s+|(?<=[^\W\d_]{2}\.)(?<!\b[SsM]t\.)(?<!\b[DMHF]r\.)\s+(?=[A-Z])"
    r"|(?<=[\w.!?][\"”“»])[.,]?\s+(?=(?:and|also|then|but|please|und|dann|aber|bitte|et|puis|mais)\b)"
)
"""Where one ends: not behind an initial, `J. Doe`, nor what is short for a part of a name, `St. Petersburg`."""


def sentences(text: str) -> list[str]:
    """The sentences of a line; words in quotes belong to one. Behind a number that may be a day, and in small letters,
    only what asks, requests or leads to something else begins one.
    """
    whole = _IN_QUOTES.sub(lambda quoted: _STOP.sub(rf"\1{_TIES[' ']}", quoted[0]), text.strip())
    parts = [one for one in _SENTENCE.split(whole) if one]
    found = [_untied(one) for part in parts for one in _behind_stops(part)]
    if len(found) > 1 and _ASKS_BACK.fullmatch(found[-1]) and not found[-2].endswith("?"):
        *found, said, tag = found
        found.append(f"{tag.rstrip('?')}, {said.rstrip('.! ')}?")
    return found


_IN_QUOTES = re.compile(r"(?<=[: ])[\"“„«][^\"“”„«»]{1,2000}+[\"“”»]")
"""Words for somebody, which are one whole: `tell France: "Dear neighbour, I agree. Yours, England."`"""
_STOP = re.compile(r"([.!?])\s")


def points_back(text: str) -> bool:
    """Whether a sentence is short and about what stands before it: `Is that possible?`, `Wie melde ich sie an?`"""
    return len(text.split()) <= _POINTS_BACK and OF_IT.search(text) is not None


_POINTS_BACK = 7
OF_IT = re.compile(
    r"\b(?:it|its|he|she|him|they|them|their|that|this|these|those|one of mine|es|sie|das|da|dafür|dagegen|sowas"
    r"|il|elle|ça|cela)\b",
    re.I,
)


_ASKS_BACK = re.compile(
    r"\W*(?:(?:is|isn't) (?:that|this|it) (?:not )?(?:so|true|right|correct|the case)|am i (?:right|correct)"
    r"|right|correct|(?:stimmt|ist) (?:das|es)(?: so| richtig)?|oder|n'est-ce pas|c'est (?:bien )?(?:ça|vrai))\?",
    re.IGNORECASE,
)
"""A question whether the sentence before it is so: they are one."""


_MAY_END = re.compile(r"(?:(?P<whole>\d[:.]\d\d|\d{3})?(?<=\d)|(?<=[^\W\d_]))\.\s+(?=[^\W\d_])")


def _behind_stops(sentence: str) -> Iterator[str]:
    begin = 0
    for end in _MAY_END.finditer(sentence):
        rest = sentence[end.end() :]
        if asks(rest) or _PLEASE.match(rest) or _LEADS_ON.match(rest) or (end["whole"] and rest[0].isupper()):
            if not _LIST_MARK.fullmatch(sentence[begin : end.end()]):
                yield sentence[begin : end.end()].rstrip()
            begin = end.end()
    yield sentence[begin:]


_LIST_MARK = re.compile(r"\d{1,2}\.\s+")
_PLEASE = re.compile(rf"{PLEASE}\b(?=\W*\w)", re.IGNORECASE)
_REQUESTS = re.compile(
    rf"\b{PLEASE}\b"
    r"|\b(?:can|could|will|would) you\b(?! (?:\w+ )?(?:tell|say|explain))"
    r"|\b(?:kannst|könntest|würdest|könnten|könnt) (?:du|sie|ihr)\b"
    r"|\b(?:peux|pourrais|veux)-tu\b|\b(?:pouvez|pourriez|voulez)-vous\b|\b(?:puedes|podrías|puede) ",
    re.IGNORECASE,
)


def requests(text: str) -> bool:
    """Whether a sentence asks somebody to do something, `can you ...?`, and not to say something."""
    return _REQUESTS.search(text) is not None


def asks(text: str) -> bool:
    """Whether a sentence begins as a question does that wants to know something, and no request: `can fleets swim`."""
    whether = _WHETHER.match(text)
    wonders_if = whether is not None and whether[0].lower().split()[-1] in _IF
    return (wonders_if or _ASKS.search(text) is not None) and not requests(text)


def wonders(text: str) -> bool:
    """Whether a text begins or ends as a question does."""
    return asks(text) or text.rstrip().endswith("?")


def asks_beside(clause: str) -> bool:
    """Whether a clause beside another asks: without its sign `which goes home` only says more of what stands before."""
    return wonders(clause) and (clause.rstrip().endswith("?") or _RELATES.match(clause) is None)


def asks_what_if(text: str) -> bool:
    """Whether a text begins with a case and ends with a question about it, `when my army supports the fleet and Serbia
    is attacked, is the support broken?`: no order stands in it.
    """
    return text.rstrip().endswith("?") and _A_CASE.match(text) is not None and asks(clauses(text)[-1])


_A_CASE = re.compile(
    r"\W*(?:(?:so|and|but|hm+|ok|okay|well|say|also|then|und|aber|et|mais)\b\W*)*+"
    r"(?:when|if|what if|suppos\w+|assum\w+|let['’]?s say|in case|wenn|falls|angenommen|si|quand|au cas où)\b",
    re.IGNORECASE,
)


def says_which(clause: str) -> bool:
    """Whether a clause beside another only says more of something there: `the fleet, which is to go into Greece`."""
    return not clause.rstrip().endswith("?") and _WHICH_IS.match(clause) is not None


_WHICH_IS = re.compile(
    r"\W*(?:which|welcher?|qui) (?:is|are|has|have|was|were|will|would|can|could|ist|sind|hat|est|sont)\b",
    re.IGNORECASE,
)
_RELATES = re.compile(r"\s*(?:which|who|whose|what|where|was|wo|wer|qui|où|que)\b", re.IGNORECASE)


def only_asks(text: str) -> bool:
    """Whether a text is a question, and asks nobody to do anything: nothing is done for it."""
    return wonders(text) and not requests(text)


def is_asking(text: str) -> bool:
    """Whether a text is a question, also one that asks to be told: `please tell me when the deadlines are`."""
    return only_asks(text) or ((said := without_lead(text)) != text and asks(said))


_BY_THE_WAY = (
    r"(?:btw|fyi|tbh|afaik|imh?o|by the way|besides|anyways?|however|therefore|furthermore|moreover|finally|hm+|uh|um"
    r"|w?h?oops|(?:first|second|last|basical|actual|apparent|frank|lucki|sad|honest|hopeful|(?:un)?fortunate)ly"
    r"|leider|hoffentlich|deshalb|allerdings|zudem|ansonsten|(?:mal)?heureusement|enfin|cependant|pourtant|donc|bref"
    r"|p\.?[ ]?p?\.?[ ]?s\b|(?:i )?(?:almost |nearly )?forgot(?=[ ]?[:,\u2013-])"
    r"|(?:(?:just )?(?:one|a|another|my) )?(?:(?:more|quick|next|last|small|short) )*(?:question|thing)"
    r"(?=[ ]?[:,\u2013-])"
    r"|übrigens|außerdem|nebenbei|(?:noch )?eine frage(?=[ ]?[:,])|au fait|d['’]ailleurs"
    r"|(?:encore )?une question(?=[ ]?[:,])|por cierto)"
)
"""What leads from one thing to another."""
_LEADS_ON = re.compile(rf"(?:{_BY_THE_WAY}|also|auch|aussi|también)\b", re.IGNORECASE)
_CONJUNCTIONS = (
    rf"\W*+(?:(?:{_BY_THE_WAY}|and|but|so(?! (?:that|as)\b)|ok|okay|also|oh|ah|well|sorry|{GREETING}(?: there)?"
    rf"|{THANKS}|und|aber|auch|entschuldigung|(?:excuse|pardon) me|et|mais|aussi|pardon|y|pero|también)\b\W*+)*+"
)
_ASKS = re.compile(
    rf"^{_CONJUNCTIONS}(?:(?:how|what|when|why|who|where)s?|whose|which|can|could|may|must"
    r"|should|shall|does|do(?! (?:nothing|not|this|that|it|so)\b)|did|am(?= i\b)|is|are|was|were|has|have"
    r"|(?:wie|como)(?=[^?]*\?)|was|wann|warum|wieso|wer|wo|welche\w*|kann|darf|muss|soll"
    r"|ist|sind|hat|haben|comment|quand|pourquoi|qui|où|combien|est-ce|puis-je|peut-on|quel\w*|cómo|cuándo|cuando"
    r"|quién|quien|dónde|donde|cuántos|puedo|puede)\b(?![-@])",
    re.IGNORECASE,
)
_OPENS = re.compile(
    r"\s*+(?:dear (?:sir|madam|gm|game ?master|server|program|all)(?: or (?:sir|madam))?\s*+[,:!])?"
    rf"{_CONJUNCTIONS}(?:(?:(?<=[,:.!\u2013-])|(?<=[,:.!\u2013-] ))(?=\S{{1,200}}\s+\S)|(?=(?:\S{{1,200}}\s+){{2}}\S))",
    re.IGNORECASE,
)
"""What stands before two words or more, if a sign parts it from them, or else before three."""


def is_opening(text: str) -> bool:
    """Whether a text has nothing but words that stand before what is said."""
    return _ONLY_OPENS.fullmatch(text) is not None


_ONLY_OPENS = re.compile(rf"{_CONJUNCTIONS}(?:(?:yes|no|nope|ja|nein|oui|non)\b{_CONJUNCTIONS})?", re.IGNORECASE)


def without_courtesies(sentence: str) -> str:
    """A sentence without what only stands before it, and is to no player, or behind it, if it says more than a word:
    `Dear Sir or Madam,`, `P.S. I forgot:`, `Also,`, `Thanks in advance!`
    """
    begin = found.end() if (found := _OPENS.match(sentence)) is not None else 0
    return without_thanks(sentence[begin:])


def without_thanks(sentence: str) -> str:
    """A sentence without the thanks at its end."""
    return _THANKS.sub("", sentence)


_THANKS = re.compile(rf"(?<=\w)[\s,.;!-]{{1,3}}{THANKS}[\s.!]*\Z", re.IGNORECASE)


_TELL = (
    r"(?:(?:(?:please|bitte)[ ,]+)?(?:(?:can|could|would|will) you"
    r" (?:(?:please|kindly|perhaps|just|also|be so (?:kind|good)(?: as)? to) ){0,2}"
    r"(?:tell|explain to|explain) ?(?:me|us)?"
    r"|(?:please )?(?:let (?:me|us) know|show (?:me|us)(?= (?:who|what|which|when|whose|where)\b))"
    r"|(?:may|can|could|might) i (?:just |also )?ask|(?:i|we) should (?:also )?(?:like|love) to (?:know|ask)"
    r"|(?:please )?(?:tell|explain to) (?:me|us)|do you know|does (?:any|some)(?:one|body) know|i wonder(?:ed)?"
    r"|(?:i|we)(?:'d| would) (?:like|love) to know|i(?:'m| am) not sure"
    r"|(?:just )?(?:one|a|another) (?:quick )?question[:,]?"
    r"|(?:i|we)(?:'d| would) (?:like|love) to ask|ich (?:würde|möchte|wollte) (?:gerne? )?(?:wissen|fragen)"
    r"|(?:j'aimerais|je voudrais) savoir|(?:können|könnten) sie mir (?:bitte )?sagen"
    r"|(?:(?:und|bitte) )*(?:sag|sagt|sagen sie|erklär\w*) (?:mir|uns)(?: bitte)?"
    r"|(?:dis|dites|explique\w*)[- ](?:moi|nous)"
    r"|(?:kannst|könntest) du mir (?:bitte )?sagen|ich (?:wüsste gern\w*|frage mich)"
    r"|(?:pouvez|pourriez)-vous me dire|(?:peux|pourrais)-tu me dire|je (?:voudrais|me) (?:savoir|demande)"
    r"|(?:me )?(?:puede|puedes|podría|podrías)(?: usted)? decir(?:me)?)[ ,]*(?:whether|if|ob|si)?\b[ ,]*)?"
)
_WHETHER = re.compile(rf"{_CONJUNCTIONS}{_TELL.removesuffix('?')}", re.IGNORECASE)
_IF = frozenset(("whether", "if", "ob", "si"))
_FRAME = re.compile(
    rf"{_CONJUNCTIONS}{_TELL}(?:(?:how (?:can|do|could|would|should|may) (?:i|we|one|you)"
    r"|what (?:do|must|should|can) (?:i|we) (?:do|write|send) to|(?:can|may|could|might|must|should) (?:i|we|one)"
    r"|(?:i|we)(?: want|'d like| would like| wish) to"
    r"|is (?:it|there) (?:possible|allowed|any way|a way)(?: for (?:me|us))?(?: to)?"
    r"|wie (?:kann|muss|soll|darf|können) (?:ich|man|wir)|(?:kann|darf|können|dürfen|muss|soll) (?:ich|man|wir)"
    r"|ist es möglich,?|comment (?:puis-je|peut-on|faire pour|est-ce que je peux)|puis-je|peut-on"
    r"|est-ce (?:que je peux|qu'on peut)|est-il possible de|(?:cómo|como) (?:puedo|se puede)|puedo|se puede"
    r"|es posible)\b\s*)?",
    re.IGNORECASE,
)


def unframed(text: str) -> str:
    """What a sentence asks about, without the words that ask: `quit?` of `And how can I quit?`"""
    return text[found.end() :].strip() if (found := _FRAME.match(text)) else text


def without_lead(text: str) -> str:
    """A sentence without the words that only lead to what it asks: `when is the deadline` of `Can you tell me, ...`."""
    return text[found.end() :].strip() or text if (found := _WHETHER.match(text)) else text


def asked_directly(text: str) -> str:
    """A question that begins with words that only lead to it as it is asked without them: `how can I win` of `tell me
    how I can win`.
    """
    return _INDIRECT.sub(r"\g<asks> \g<verb> \g<who>", without_lead(text))


_INDIRECT = re.compile(
    r"\A(?P<asks>how(?: (?:many|much|long|often|far))?|when|where|why|what|who|which) (?P<who>I|we|you|they|it|one) "
    r"(?P<verb>can|could|may|might|must|shall|should|will|would|am|are|is|have|has)\b",
    re.IGNORECASE,
)


_MEANING = re.compile(
    rf"{_CONJUNCTIONS}{_TELL}"
    r"(?:wh?at(?: exactly)?(?:['’]?s| is| are| does| do)?|c['’]est quoi|que (?:veut dire|signifie)"
    r"|was(?: (?:ist|sind|hei(?:ß|ss)t|bedeutet))?|(?:what is )?(?:the )?meaning of|(?:please )?(?:define|explain))\s++"
    r"(?:meant by |actually |exactly |(?:the )?(?:word|term) )*"
    r"(?:an? |eine? |une? |th(?:is|at) |dies(?:e[rs]?)? |cet(?:te)? |ce (?:truc |machin )?|l['’])?[\"'“”«»]*"
    r"(?P<thing>[^\W_][^?.!,\"“”«»]{0,40}?)[\"'“”«»]*"
    r"(?:\s++(?:things?|stuff|business|ding|sache|truc|machin"
    r"|means?|stands? for|hei(?:ß|ss)t|bedeutet|exactly|actually|here|in (?:this game|diplomacy)|please))*"
    r"\W*+$",
    re.IGNORECASE,
)


_MEANING_BEHIND = re.compile(
    r"(?P<thing>[^\W_][^?.!,\"“”«»]{0,40}?)[ ,?:\u2013-]{1,3}"
    r"(?:wh?at(?:['’]?s| is)|was (?:ist|hei(?:ß|ss)t|bedeutet|soll)|c['’]est quoi)(?: (?:that|it|this|das|ça))?\W*+$",
    re.IGNORECASE,
)


def meaning_asked(text: str) -> str:
    """The word or two of which a sentence asks what it is or means: `supply centre` of `What is a supply centre?`; ""
    if it asks for something else.
    """
    found = _MEANING.match(text.strip()) or _MEANING_BEHIND.match(text.strip())
    return found["thing"] if found is not None and len(found["thing"].split()) <= _A_THING else ""


_A_THING = 4


_TO_KNOW = re.compile(
    rf"^{_CONJUNCTIONS}{_TELL}(?:(?:how(?! about)|why(?! (?:not|don'?t))|whether|what (?:happens|would|if|do(?:es)?)"
    r"|(?:should|shall|must|do|did) (?:i|we)|wieso|warum|wie|soll(?:en|te)? (?:ich|wir)"
    r"|comment|pourquoi|cómo|por qué)\b"
    r"|(?:what(?! about)|who|whose|which|when|where|was|wer|wann|quand|qui|quién)\b[^?]*\?)",
    re.IGNORECASE,
)


def wants_to_know(text: str) -> bool:
    """Whether a sentence wants to know something, and nothing to be done: `How do I eject somebody?`"""
    return _TO_KNOW.search(text) is not None and not requests(text)


_BECAUSE = (
    r"(?:because|'?cause|cos|cuz|since|(?<!soon )(?<!long )as(?! (?:it|they|you|all|both|this|that|these|those)\b)"
    r"|due to|owing to|weil|denn|da|car|parce qu\w*|puisque|porque|ya que)"
)
_WHO = (
    r"(?:i|we|he|she|they|it|that|this|there|nobody|no one|none|somebody|someone|everybody|everyone"
    r"|half of \w+|(?:some|most|many|several|two|three|one) of \w+|people|er|sie|es|wir|ich|il|elle|ils|on)"
)
_FINITE = (
    r"(?:am|is|are|was|were|has|have|had|does|did|do|got|went|came|broke|never|cannot"
    r"|could not|will not|(?:is|are|was|were|ha[sd]|have|does|did|do|ca|wo|could|would|should)n['’]?t"
    r"|ist|sind|war|waren|hat|haben|est|sont|était|ont)"
)
_STATED = rf"(?:{_WHO}|(?:(?:the|a|an|my|our|his|her|their) [\w-]+(?: [\w-]+)?|[\w-]+(?: and [\w-]+)?) {_FINITE})\b"
"""How a sentence begins that states something: `they`, `the server was`, `Ann and Bob are`."""
_DEEDS = (
    r"(?:accept|add|allow|announce|ask|call|cancel|change|check|clear|close|correct|count|deal|delete|drop|eject|end|enter"
    r"|extend|forbid|give|grant|have|hold|invite|keep|kick|leave|let|list|make|mark|move|note|open|order|pause|play|post"
    r"|process|publish|put|release|remind|remove|replace|report|reset|resume|run|save|send|set|shorten|show|skip|start"
    r"|stop|take|tell|undo|use|wait|warn|write)"
)
"""What is asked for by the bare verb, with what it is done to behind it: `Send results to all`."""
_NO_NAME = (
    r"(?:all|any|both|every|few|many|more|most|new|next|no|only|other|some|such|two|three|yes|best|kind|th[eo]se|the|an?"
    r"|this|that|her|his|its|my|our|their|your|whose|which|what|who|how|if|when|as|in|on|at|for|with|from|to|by|of|about"
    r"|after|before|until|between|without|please)"
)
"""What a capital letter may begin that is no name."""
_OFTEN = r"(?:always|never|often|also|still|now|usually|just|only|mostly|sometimes|again)"
_DOES = (
    rf"(?!(?:{_DEEDS}|{_NO_NAME})\b)(?-i:[A-Z])[\w-]+(?: and (?-i:[A-Z])[\w-]+)? (?:{_OFTEN} )*"
    r"(?!(?:gets|asks|lets|as|is|his|its|this|us|ours|hers|yours|theirs|plays (?:for|as|instead)|takes over)\b)"
    r"(?:[a-z]{2,}(?<![su])s\b(?= \w)|(?:leaves|resigns|quits|stops)\b)"
)
"""What somebody with a name does, `Eve starts a new job`, or is not said to."""
_STATES = re.compile(
    rf"^{_CONJUNCTIONS}(?:{_DOES}|{_BECAUSE} (?!(?:mon|tue|wed|thu|fri|sat|sun|[a-z]+ay\b|\d))"
    rf"|{_WHO}(?:['’](?:s|re|ve|m)\b| (?!should|must|shall|may\b|can\b|could\b|would|need|want|wish|like)\w)"
    r"|(?-i:[A-Z])[\w-]+(?: (?-i:[A-Z])[\w-]+)? (?:(?:has|have|had|just|now|also|already) )*"
    r"(?:\w{2,}ed|lost|left|went|got|told|rang|wrote|gave|forgot|fell|broke|said|thought|found|sent|made|meant|came|sat"
    r"|slept|took|flew|drove|caught|knew|felt|saw|kept|held|stood|hurt|ran|met|spent|spoke) (?!by (?:(?-i:[A-Z])|\S+@))"
    r"|(?!(?:if|unless|when|once|wenn|falls|si|quand)\b)"
    rf"(?:(?:the|a|an|my|our|his|her|their|der|die|das|le|la) )?(?!let['’])"
    rf"[^\W_][\w-]*(?:['’]s)?+(?: of(?: (?:the|my|our|all))?)?(?: [\w-]+)?(?: and [\w-]+)? {_FINITE}\b"
    r"|(?!let['’])[\w-]+['’]s (?:\w+ )?(?:mail|mother|father|wife|gone|ill|sick|away|not|out|been)\b)",
    re.IGNORECASE,
)
_ITS_WORDS = {
    "EXTEND": "exten|postpon|verläng|aufschub|prolong|report|(?<!no )more time|mehr zeit",
    "CLEAR": "cancel|delet|clear|withdraw|lösch|streich|annul|efface|borr",
    "CONCEDE": "conced|surrender|kapitul|rendir",
    "RESIGN": "resign|quit|leav|drop out|give up|stop playing|kick me|aufgeben|aufhör|aussteigen|abandon|quitter|dejar"
    "|rendir",
    "WAIT": "(?:want to |wanna |like to )wait|warten",
    "VOTE_DRAW": "draw|remis|unentschieden|nulle|match nul|empate|tablas",
    "PAUSE": "paus|stop the clock|anhalten",
    "PROCESS": "process|adjudicat|auswert|résou",
    "EJECT": "eject|kick|remov|throw|rauswerf|expuls",
    "REMIND": "remind|erinner|rappel",
    "TERMINATE": "terminat|end the|abort|beenden|abbrech|terminer",
    "ROLLBACK": "roll|set back|zurück",
    "START": "start|begin|anfang|commenc",
    "RELEASE": "releas|publish|send the result",
    "REPLACE": "replac|substitut|ersetz|remplac",
    "INVITE": "invit|einlad|einge?lad",
    "ACCEPT_LATE": "accept|count|akzept|zähl|compt",
}
_WISHES = re.compile(
    rf"^{_CONJUNCTIONS}(?:i|we)(?:['’]ll| will| shall| now| hereby)*+ "
    rf"(?!\w*ed\b)(?:give|grant|allow|{'|'.join(_ITS_WORDS.values())})\w*|"
    r"\b(?:please|pls|plz|bitte|should|must|shall|needs?|wants?|would|wish\w*|let|ought|agreed"
    r"|(?:can|could) (?:you|we|i)|(?:has|have|is|are) to be)\b"
    r"|\b(?:is|are|will be) due (?!to\b|by mistake\b)"
    r"|\b(?:new (?:deadline|due date)s? (?:is|are|will be|would be)|deadlines? (?:is|are) now)\b(?! too\b)|\S@\S",
    re.IGNORECASE,
)


def is_reason(clause: str) -> bool:
    """Whether a clause only states something, `Cas is ill`, `because they are away`: beside a wish it is the reason for
    it, and wishes nothing.
    """
    clause = _ASIDE.sub("", clause)
    states = _STATES.search(clause) is not None or is_too_much(clause)
    return states and _WISHES.search(_SAID_THAT.sub("", clause)) is None


def is_too_much(clause: str) -> bool:
    """Whether a clause says that something is too much, or too little."""
    return _TOO.search(clause) is not None


_TOO = re.compile(r"\btoo (?:many|much|few|little|long|short|slow|fast|quick)\b", re.IGNORECASE)


_ASIDE = re.compile(r" \([^()]{1,40}\)")
"""What stands in brackets behind a name: `Ines (Italy) is ill`."""


_SAID_THAT = re.compile(
    r"\b(?:told|said|promised|announced|wrote|thought|hoped|feared|knew|agreed)\b(?: [\w'’]+){0,3}? that\b.*",
    re.IGNORECASE | re.DOTALL,
)
"""What was said or thought, in which a wish is none of now: `I had told nobody that I would end the phase early`."""


OF_SOMETHING = r"of\b(?!.*\b(?:i|we|they|it)\b)"
"""What leads to a reason that is no sentence, behind `because`."""


def without_telling_why(text: str) -> str:
    """A text without what points to the reason in it, and asks to tell it: `, and let everybody know why`."""
    return _THIS_IS_WHY.sub(". ", _IT_IS_BECAUSE.sub(" ", text))


_TELL_ALL = (
    r"(?:,? and|,|(?<=[.;!]))\s*+(?:please |also )?(?:tell|inform|let) (?:them|everybody|everyone|all)"
    r"(?: of them| players)?(?: know)?"
)
_THIS_IS_WHY = re.compile(
    rf"{_TELL_ALL}(?: (?:that )?(?:this|that|it) (?:is|was) (?:the reason|why)\b"
    r"|(?: (?:so|why|about (?:it|this)|the reason))(?=[.!]|$))[ .!]*+",
    re.IGNORECASE,
)
_IT_IS_BECAUSE = re.compile(rf"{_TELL_ALL}(?: that)? (?:this|that|it)(?:['’]s| is| was) (?=because\b)", re.IGNORECASE)


def with_then(text: str) -> str:
    """A text in which `until then` names the moment that it points back to: `ill until Friday. Pause until then`."""
    then = _UNTIL_THEN.search(text)
    named = next(reversed([*_UNTIL_WHEN.finditer(text, 0, then.start())]), None) if then is not None else None
    return text if then is None or named is None else f"{text[: then.start()]}{named[0]}{text[then.end() :]}"


_UNTIL_THEN = re.compile(r"\b(?:until|till) then\b|\bbis dahin\b|\bjusque[- ]là\b", re.IGNORECASE)
_UNTIL_WHEN = re.compile(r"\b(?:until|till|bis|jusqu\S{0,4}) (?!then\b)[^.,;:!?()]{2,30}", re.IGNORECASE)
_THEREFORE = re.compile(
    rf"(?P<why>[^.!?;:]{{8,300}}?)(?:,\s|\s(?=(?:and )?so (?:please|let|i|we|you|can|could|would|will|{_DEEDS})\b))"
    r"(?P<so>(?:and )?(?:so|therefore|hence|deshalb|daher|donc)\b(?! (?:that|far|long|much|many|is|are|do)\b)\W+\w.*)",
    re.IGNORECASE | re.DOTALL,
)
_BEGINS_DEED = re.compile(rf"\W*{_DEEDS}\b", re.IGNORECASE)
_OF_TIME = re.compile(r"\d|deadline|(?:hour|day|week|phase|turn)s?\b", re.IGNORECASE)
"""What may be moved, or by how much: `the deadline moves to Friday, so remind all`."""
_JOINS = re.compile(r"(?<=\s)(?:and|also|plus|n|und|auch|et|aussi)(?=\s)", re.IGNORECASE)
_BOUND = str.maketrans({",": "\u201a"})
_LOOSED = str.maketrans({"\u201a": ",", "\u2060": None})


def with_reason_bound(sentence: str) -> str:
    """A sentence that says why before what it wishes, `Eve and Fay are fast, so let us play on`, with its reason as one
    clause behind `because`, which no sign or word within it divides; see `loosed`.
    """
    found = _THEREFORE.fullmatch(sentence)
    if found is None or is_reason(found["so"]):
        return sentence
    deeds = (_WISHES.search, _BEGINS_DEED.match, asks, is_told)
    if any(says(found["why"]) for says in deeds) or (_OF_TIME.search(found["why"]) and not is_reason(found["why"])):
        return sentence  # of which more may be meant than a reason
    said = _GREETED.sub("", found["why"].strip())
    why = _JOINS.sub("\u2060\\g<0>\u2060", said.translate(_BOUND))
    return f"{why if begins_because(why) else f'because {why}'}, {found['so']}"


_GREETED = re.compile(rf"\A{GREETING}(?: \w+)?[,!] ?", re.IGNORECASE)


def loosed(clause: str) -> str:
    """A bound clause as it was written."""
    return clause.translate(_LOOSED)


def as_written(text: str) -> str:
    """A sentence whose reason may have been bound, as it was written."""
    return loosed(text.removeprefix("because ")) if "\u201a" in text or "\u2060" in text else text


def begins_because(clause: str) -> bool:
    """Whether a clause begins with a word that leads to a reason: `because it was my mistake`, `since they are ill`."""
    return _LEADS_TO_REASON.match(clause) is not None


def without_because(clause: str) -> str:
    """A clause without such a word."""
    return _LEADS_TO_REASON.sub("", clause)


_LEADS_TO_REASON = re.compile(
    rf"\A{_CONJUNCTIONS}(?:(?:so|therefore)\b\W*)*+"
    rf"(?:(?:because(?: {OF_SOMETHING})?|'?cause|weil|denn|parce qu(?:e\b|['’])|puisque|porque)\b"
    r"|in order (?:to|that)\b|so (?:that|as to)\b"
    rf"|{_BECAUSE}(?= {_STATED})(?! \w+ (?:said|told|wrote|mentioned|announced|promised)\b))"
    r"(?:[ ]that\b)?\W*",
    re.IGNORECASE,
)
_TOLD = re.compile(
    rf"^{_CONJUNCTIONS}(?!(?:i|we|you|please|bitte|can|could|will|would|do|does|did|who|what|how|let|if|when)\b)"
    r"(?:(?:the|a|one of|some of|two of|all|both|der|die|das|ein\w*|le|la|les|un\w*) (?:the )?[\w-]+(?: [\w-]+)?"
    r"|(?-i:[A-Z])[\w-]+(?: (?:(?:and|und|et|&) )?(?-i:[A-Z])[\w-]+){0,2}|[\w-]+)"
    r"(?:['’](?:s [\w-]+|s|d|ve))?(?: (?:has|have|had|just|also|already|both|all|hat|haben|hatten?|a|ont|avait|would))*"
    r" (?:(?:ask|want|wish|request|begg?|plead|demand|insist|suggest|propos|like|need|wr[io]t)\w*|said|says?|told"
    r"|tells?|wollte\w*|möchte\w*|bat|baten|gebeten|gefragt|fragte\w*|voulait|voudrait)\b"
    rf"|^{_CONJUNCTIONS}(?:(?:asks|asked|wonders|wondered|wants|wanted|thinks|fears|says|said|fragt|glaubt|meint) "
    r")|\b(?:i|we) (?:need not|needn'?t|don'?t (?:need|have) to|do not (?:need|have) to|no longer (?:need|have) to)\b",
    re.IGNORECASE,
)


def is_told(clause: str) -> bool:
    """Whether a clause tells what somebody else asks for or says, `Rolf has asked for two days`: beside a wish of the
    writer's own it is no wish.
    """
    return (_TOLD.search(clause) or _CONTRAST.match(clause)) is not None and not requests(clause)


_CONTRAST = re.compile(r"\W*(?:(?:but|and) )?(?:not (?:the|to|from|in)|instead of|rather than)\b", re.IGNORECASE)
"""What says what is not wished: `one day, not the three that Germany wanted`."""


def without_reasons(text: str) -> str:
    """A text without the clauses that only state something, or tell of others; all of it, if they all do."""
    parts = wishes(text)
    left = [part for part in parts if not (is_reason(part) or is_told(part))]
    return " ".join(left) if left and len(left) < len(parts) else text


_SOONER = re.compile(
    r"\b(?:short\w*|soon\w*|fast\w*|quick\w*|earl\w+|speed\w*|hurry\w*|br(?:ing|ought) forward|reduc\w+|less time"
    r"|tighter|kürz\w+|verkürz\w*|schnell\w*|früher\w*|vorverleg\w*|vorzieh\w*|beschleunig\w*|weniger zeit"
    r"|plus (?:tôt|vite|court\w*)|accélér\w*|raccourc\w*|réduire|moins de temps"
    r"|más (?:rápid\w*|cort\w*)|antes|acort\w*|acelera\w*|menos tiempo)\b",
    re.IGNORECASE,
)
_LATER = re.compile(
    r"\b(?:more time|late\w*|long\w*|exten\w*|postpon\w*|too (?:short|fast|quick|soon|early)|slow\w*"
    r"|mehr zeit|länger\w*|später\w*|verläng\w*|zu (?:kurz|schnell|früh)|langsam\w*"
    r"|plus (?:de temps|tard|long\w*)|trop (?:court|vite|rapide|tôt)|lent\w*|ralent\w*|prolong\w*"
    r"|más (?:tiempo|tarde|larg\w*)|demasiado|despacio|not|n't|nicht|pas)\b",
    re.IGNORECASE,
)
WANTS_TIME = frozenset(("EXTEND", "GM_EXTEND", "PAUSE", "GM_PAUSE"))
_NO = (
    r"\b(?:do not|don['’]?t|won['’]?t|will not|shall not|never|no|not"
    r"|without|stop|nicht|keine?n?|ne|pas de|sin|no quiero"
    r"|withdraw|revoke|cancel|take back|undo|uninvite|annul\w*|retir\w*|widerruf\w*)[ ]+"
)
_NOT_BEHIND = r"\w*[ ]+(?:brauch|will|möchte|woll)\w*[ ]+(?:ich|wir)[ ]+(?:\w+[ ]+)?nicht\b"
"""What denies a word behind it: `mehr Zeit brauche ich nicht`."""
_NEGATED = {
    kind: re.compile(rf"{_NO}(?:[^\W\d_]+[ ]+){{0,2}}(?:{words})|(?:{words}){_NOT_BEHIND}", re.IGNORECASE)
    for kind, words in _ITS_WORDS.items()
}


def is_against(text: str, kind: str) -> bool:
    """Whether a text wants something else than this kind of wish, whose words it has: `shorter deadlines` want no more
    time.
    """
    if kind == "GM_PROCESS" or (kind == "GM_RESUME" and A_PHASE.search(text)):
        return _AGAIN.search(text) is not None
    if kind == "CODES":
        return _DONE_TO_A_PHASE.search(text) is not None and not wonders(text)
    if kind == "ABSENCE":
        return _IS_THERE.search(text) is not None
    return kind in WANTS_TIME and _SOONER.search(text) is not None and _LATER.search(text) is None


_AWAY = (
    r"(?:away|absente?s?|gone|travell?ing|(?:on|am) (?:holidays?|vacation|leave)|weg|fort|verreist|abwesend|im urlaub"
    r"|en (?:vacances|voyage))"
)
_IS_THERE = re.compile(
    rf"(?:\b(?:not|never|nicht|pas|jamais)|n['’]t)\b(?! (?:until|before|bis|vor|avant))[^.,;!?]{{0,24}}\b{_AWAY}\b"
    r"(?![^.;!?]{0,20}\b(?:after all|finalement|before|until|bis|vor|avant)\b)(?<!\bdoch nicht weg)",
    re.IGNORECASE,
)
"""What denies that its writer is away: `I'm not away on Friday, only late`; but not that they still are to be."""


A_PHASE = re.compile(r"\b(?:spring|summer|fall|autumn|winter) (?:of )?\d{4}\b|\b[A-Z]\d{3,4}[A-Z]\b", re.IGNORECASE)
"""A phase by its season and year, or its code."""


def seasons_in(text: str) -> frozenset[str]:
    """The seasons that a text names, by the letters with which the codes of their phases begin."""
    return frozenset(_SEASONS[one.lower()] for one in _A_SEASON.findall(text))


_SEASONS = {"spring": "S", "fall": "F", "autumn": "F", "winter": "W"}
_A_SEASON = re.compile(rf"\b(?:{'|'.join(_SEASONS)})\b", re.IGNORECASE)
_AGAIN = re.compile(r"\b(?:again|anew|once more|redo|nochmals?|noch einmal|à nouveau|encore une fois)\b", re.IGNORECASE)
"""What was played is played or adjudicated again by another command than what was not, or was paused."""
_DONE_TO_A_PHASE = re.compile(
    r"\b(?:correct|repeat|replay|redo|play|adjudicat|process|roll|run|releas|publish|undo|korrigier|wiederhol|rejou)\w*\b"
    rf"|{_AGAIN.pattern}",
    re.IGNORECASE,
)
"""What asks nothing about a phase whose code stands beside it."""


_IGNORES = re.compile(
    r"(?<!not )(?<!n't )\b(?:ignor\w*|disregard\w*|discard\w*|reject\w*|refus\w*|forget|skip|ignorier\w*)\b"
    r"[^.,;!?]{0,30}\b(?:orders?|set|befehle?)\b",
    re.IGNORECASE,
)
"""What says that orders are not to count."""


def is_refused(text: str, kind: str) -> bool:
    """Whether a text says that what this kind of wish does is not to be: `don't extend it again`."""
    if kind.removeprefix("GM_") == "ACCEPT_LATE" and _IGNORES.search(text) is not None:
        return True
    negated = _NEGATED.get(kind.removeprefix("GM_"))
    return negated is not None and negated.search(text) is not None


_OF_THE_WRITER = frozenset(
    ("ADDRESS", "NAME", "SETTINGS", "NO_MAIL", "DEPUTY", "ABSENCE", "RESIGN", "CONCEDE", "CLEAR", "READY", "WAIT")
)
"""What somebody can want of their own account or seat only."""
_OTHERS = re.compile(
    r"\b(?:he|she|his|him|her|hers|they|them|their|theirs|someone else|somebody else"
    r"|er|sie|sein\w*|ihr\w*|ihm|ihn|il|elle|ils|elles|leurs?|jemand ander\w+|quelqu'un d'autre"
    r"|él|ella|ellos|ellas|lui|loro)\b",
    re.IGNORECASE,
)
_WRITERS = re.compile(
    r"\b(?:i|me|my|mine|myself|we|us|our|ich|mir|mich|mein\w*|wir|uns\w*|je|j'\w+|moi|mon|ma|mes|nous|notre|nos|yo|mi"
    r"|mis|io|mia|mio|ik|mijn|me)\b",
    re.IGNORECASE,
)


def is_of_another(text: str, kind: str, others: bool | None = None) -> bool:
    """Whether this kind of wish is one of its writer's own account or seat, and a text is about somebody else: `his new
    address is ...`. `others`: whether its mail is, if that is known.
    """
    if kind not in _OF_THE_WRITER or _WRITERS.search(text) is not None:
        return False
    return others or speaks_of_others(text)


def speaks_of_others(text: str) -> bool:
    """Whether a text has a word for somebody else than its writer."""
    return _OTHERS.search(text) is not None


_TAG = (
    r"\s*(?:is|are|was|were|do|does|did|can|could|will|would|should|have|has|had|may|must)(?:n['’]?t)? "
    r"(?:it|they|he|she|I|we|you|one|that|this|there)(?: not)?\s*\?"
    r"|\s*(?:n['’]est-ce pas|non|hein|oder|nicht wahr|gell|right|correct|ok(?:ay)?|yes|no)\s*\?"
)
"""What makes a question of the statement before it: `that cannot move, can it?`"""
JOINT = re.compile(
    rf"(?:[;!&]|,(?!{_TAG}))\s*"
    r"|(?<=\?)\s+|(?:(?<!\b[SM]t)\.|:)(?:\s+|$)|\s(?:and|plus|n|und|et)\s(?:(?:also|auch|aussi)\s)?"
    r"|\s(?=with (?:(?:the|this|these|my|a|following) ){1,2}(?:words?|remarks?|comments?|notes?|message|text)\b)"
    rf"|\s(?=(?:because|weil|parce qu\w*)\b|{_BECAUSE} {_STATED})",
    re.IGNORECASE,
)
"""What stands between clauses."""


def clauses(text: str) -> list[str]:
    """The parts of a text, each of which may say something of its own; without the signs and words between them."""
    parts = JOINT.split(_tied(text))
    return [one for one in (_untied(part).strip() for part in parts) if one]


_TIES = {" ": "\uf8ff", ", ": "\uf8fe", ". ": "\uf8fd"}


def _tied(text: str) -> str:
    """A text in which nothing divides two names that belong together, nor a date; see `_untied`."""
    dates = _IN_A_DATE.sub(lambda found: _TIES[found[0]], text)
    return _TWO_NAMES.sub(f"\\1{_TIES[' ']}\\2{_TIES[' ']}", dates)


def _untied(text: str) -> str:
    return text.translate(_LOOSE)


_LOOSE = {ord(tie): sign for sign, tie in _TIES.items()}
_IN_A_DATE = re.compile(
    r"(?:(?<=day)|(?<=tag)|(?<=woch)|(?<=abend)|(?<=di)|(?<=che)), (?=(?:the |den |le )?\d{1,2}(?:\.|st|nd|rd|th|\s))"
    r"|(?<=\d)\. (?=\d{1,2}\.)"
    r"|(?<=\d)\. (?=(?:jan|feb|m[äa]r|apr|mai|jun|jul|aug|sep|okt|nov|dez)[a-zä]{0,6}\b)"
    r"|(?<=\b20\d\d), (?=(?:bis|to|until|till|through|und|and|au|jusqu\w*)\b)",
    re.IGNORECASE,
)
"""What stands between a day of the week and its date, and behind one that begins a span."""
_TWO_NAMES = re.compile(
    r"(\b(?:do|does|did|are|is|were|was|have|has|had|can|will|would|if|when|unless|that|between|both"
    r"|wenn|falls|ob|dass|zwischen|si|quand|que|entre) (?-i:[A-Z])[\w'’-]+) (and|und|et)"
    r" (?=(?-i:[A-Z])[\w'’-]*(?: \w|[ ?.!]*$))",
    re.IGNORECASE,
)
"""Two of whom a question asks together: `why do Dyer and Zorg ...`."""


_ENDS_WITH_ADDRESS, _ADDRESS_BEGINS = re.compile(r"(?<!\S)\S{1,80}@\S{1,80}\Z"), re.compile(r"\S{1,80}@\S")
_WITH_ADDRESS = re.compile(r"[^\W\d_]+ \S+@\S+")
"""`ban kim@example.org`"""
_IN_CAPITALS = re.compile(r"[A-Z]{5,} \S|[A-Z]{3,} [a-z]")
"""A command, however short it is: `EXTEND 24h`."""
_WHOLE = re.compile(
    r"(?:please |then )?(?:[^\W\d_]{3,} (?:it|them|that|this|both|everybody|everyone)"
    r"|(?:tell|inform|eject|remove|kick) [\w-]+)",
    re.IGNORECASE,
)
"""A deed done to what was named before, `undo it`; or to a power, `tell Italy`."""
_AND = re.compile(r"\s(?:and|und|et)\s", re.IGNORECASE)
_WHEN = re.compile(
    r"\W*+\w+[ ]?(?:hours?|days?|h|d)[ ]before[ ](?:the |each |every |a )?deadlines?"
    r"(?:[ ](?:in|of|for)[ ][\w -]{1,30})?\W*+"
    r"|\W*(?:at|by|um|à) \d\d?(?:[:.]\d\d)?(?: ?[ap]\.?m\.?| ?uhr| o'clock)?(?: [^\W\d_][\w/]*){0,3}\W*",
    re.IGNORECASE,
)
"""A time of the day, with its zone, or one before a deadline."""
_SHORT = 2
"""So few words may be a part of what stands beside them."""


_APART = re.compile(r";|\b(?:also|auch|aussi)\b", re.IGNORECASE)
"""What stands before something else, however short it is: `and also the map`."""
_SUBORDINATE = re.compile(
    r"\s*(?:if|unless|while|that|until|before|after|wenn|falls|dass|bis|ob|während|bevor|nachdem|si|que"
    r"|lorsque|pendant que|avant que)\b",
    re.IGNORECASE,
)
"""What a question leans on: `what happens, if I am late`."""


def wishes(text: str) -> list[str]:
    """The clauses of a text that are long enough for a wish each, with shorter ones behind them that may be theirs, if
    there are several; otherwise the text. One that tells only when is a part of the one before it, `a break, from 24
    Dec to 2 Jan`, and so is one on which a question leans: `what happens, if I am late`.
    """
    found = list[str]()
    tied = _tied(text)
    between = ["", *JOINT.findall(tied), ""]
    for (joint, behind), clause in zip(pairwise(between), JOINT.split(tied), strict=True):
        own = bool(clause.strip()) and not found and (behind.startswith(":") or not is_opening(clause))
        if found and _ENDS_WITH_ADDRESS.search(found[-1]) and _ADDRESS_BEGINS.match(clause.lstrip()):
            found[-1] += joint + clause.rstrip()  # `ask ann@x.org and bob@x.org whether ...`
            continue
        goes_on = found and _AND.fullmatch(joint) and opens_span(found[-1])
        when = found and (is_span(clause) or _WHEN.fullmatch(clause) or goes_on)
        leans = found and not _AND.fullmatch(joint) and _SUBORDINATE.match(clause) and asks(found[-1])
        apart = len(clause.split()) > _SHORT or (clause.strip() and _APART.search(joint) is not None)
        own = own or (apart and not when and not leans)
        own = own or _IN_CAPITALS.match(clause.strip()) is not None
        if own or _WITH_ADDRESS.fullmatch(clause.strip()) or _WHOLE.fullmatch(clause.strip()):
            found.append(clause.strip())
        elif found and clause.strip():
            found[-1] += joint + clause.rstrip()
    return [_untied(one) for one in found] if len(found) > 1 else [text]
