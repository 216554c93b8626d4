"""Questions and wishes in people's own words, by their parts: what kind of question, about what, whose.

A sentence is looked at for words of each part, in English, German and French. Each thing that people want is a row with
the parts that say so; the row of which most parts are there is meant, and of several alike each may be. A row says
nothing of how it is answered.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from enum import Enum
from functools import lru_cache
from types import MappingProxyType

_LONGEST = 300
"""Longer sentences are not asked of a program."""
_MOST_WORDS = 30


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
    RULES = "what game this is, and its rules"
    ABSENCE = "say that you are away"
    RESIGN = "leave the game"
    EXTEND = "have more time"
    DRAW = "how to agree on a draw"
    VOTE_DRAW = "vote for a draw"
    MY_TURN = "whose turn it is"
    NO_ORDERS = "what happens without orders"
    COMMAND = "what a command does"
    ANYBODY = "who reads this"
    HELP = "what you can write"
    GAMES = "which games there are"
    JOIN = "how to join a game"
    NO_MAIL = "no more mail"
    READY = "say that your orders are final"
    WAIT = "say that they are not"
    NEAR = "where a unit can go"
    LETTERS = "the press you have sent and received"
    START = "when the game begins"
    ADDRESS = "how to change your address"
    SETTINGS = "what mail you get, and when"
    DEPUTY = "how a friend can order for you"
    TRY = "how to try orders out"
    HISTORY = "the results of phases that were played"
    CONCEDE = "how to concede"
    PAUSE = "how to have a pause"


def _words(text: str) -> re.Pattern[str]:
    """A pattern of words: * stands for the rest of one, _ for a blank."""
    words = "|".join(re.escape(word).replace(r"\*", "[a-z]*").replace("_", " ") for word in text.split())
    return re.compile(rf"(?<![a-z])(?:{words})(?![a-z])")


_DAY_OF_A_MONTH = (
    r"\d{1,2}(?:st|nd|rd|th)?[. /-]{1,2}(?:of )?"
    r"(?:\d|jan|fe[bv]|mar|maer|apr|avr|ma[iy]|ju[nil]|aug|aou|sep|o[ck]t|nov|de[cz])"
)


_PARTS: Mapping[str, re.Pattern[str]] = MappingProxyType({
    # what kind of question
    "when": _words("when wann quand bis_wann until_when how_long wie_lange combien_de_temps what_time what_day"),
    "who": _words("who whom who's whose wer wen wem qui which_player which_players"),
    "how": _words("how wie comment what_is_the_syntax syntax format"),
    "why": _words("why how_come warum wieso weshalb pourquoi"),
    "where": _words("where wo wohin"),
    "what": _words("what what's whats which was welche* que quel* quoi qu'est* how_many"),
    "ask": _words(
        "tell_me show_me send_me give_me wonder* don't_know do_not_know not_sure no_idea explain* can_i could_i may_i"
        " should_i do_i am_i did_i have_i is_it is_there are_there can_you could_you did_you do_you have_you"
        " kann_ich darf_ich muss_ich habe_ich bin_ich soll_ich gibt_es ist_es puis-je peux-je dois-je est-ce* ai-je"
        " y_a-t-il zeig* sag* dites* dis-moi montre* envoie* i_want want_to wants_to would_like i'd_like need*"
        " mochte* moechte* will brauche* veux voudrais aimerais"
    ),
    # about what
    "time": _words("time day days hour hours week zeit tag tage stunden woche temps jour jours heures semaine"),
    "remains": _words("left remain* until noch bis encore reste* much combien long lange"),
    "deadline": _words(
        "deadline* due abgabe* zugabgabe* abgabetermin abgabefrist frist* termin* stichtag einsendeschluss"
        " date_limite delai*"
        " echeance* time_left cutoff cut-off zat"
    ),
    "turn": _words("turn* phase* round* season runde* zug tour* adjudicat* processed ausgewertet auswertung"
        " next_turn next_phase next_report es_weiter"),
    "orders": _words("order* orders befehl* befohlen zuge zuegen zuege zugen zug ordre* moves coups"),
    "play": _words("play* playing player* opponent* enem* spiel* mitspieler* gegner* jou* joueu* adversaire*"),
    "sent": _words(
        "sent submitted ordered received receive got arrive* get_my get_mine missing in_yet ready finished"
        " gezogen geschickt abgegeben eingereicht gesendet bekommen erhalten angekommen bereit fertig fehlt"
        " abgeben abzugeben"
        " envoye* soumis donne recu pret* manque*"
    ),
    "ready": _words("ready rdy done final finished fertig bereit fini pret prets"),
    "wait": _words("wait hold_on not_yet warte warten wartet attends attendez attendre un_moment"),
    "written": _words("wrote written answered replied geschrieben geantwortet ecrit repondu"
                      " letters messages press nachrichten briefe lettres"),
    "past": _words("did has hat"),
    "more": _words("more another extra longer langer laenger mehr noch_ein*"
                    " weiteren weitere zusatzlich* plus supplementaire*"),
    "near": _words("next_to adjacent border* neighbo* touch* reach angrenz* nachbar* grenz* erreichen voisin*"
        " atteindre"),
    "begin": _words("start starts begin begins beginnen beginnt anfangen los losgeht commence* debut*"),
    "in": _words("in_yet joined else has_joined dabei mit_dabei inscrit*"),
    "support": _words("support* unterstutz* unterstuetz* soutien* souten* soutenir appui* appuy*"),
    "convoy": _words("convoy* konvoi* geleit* convoi* transport* ship_an by_sea over_sea across_the_sea uber_see"
                     " par_mer"),
    "retreat": _words("retreat* ruckzug* rueckzug* ruckzuge zuruckzieh* zurueckzieh* retrait* retraite*"
        " dislodged runs_away run_away flee flees flieht"),
    "build": _words("build* rebuild* disband* bau* aufbau* abbau* abzubauen aufbauen constru* remove a_new_unit"
        " new_unit neue_einheit"),
    "unit": _words("unit* army armies fleet* piece* troop* armee* flotte* einheit* unite* my_move my_moves my_attack"),
    "move": _words("move* moving go attack* zieh* gezogen beweg* angreif* angriff* deplac* boug* bouge attaqu*"),
    "control": _words("control* owns owned belong* gehor* kontrollier* appartien* controle*"),
    "mean": _words("mean means meaning stand_for stands_for bedeutet heisst signifie"),
    "win": _words("win wins victory solo sieg siegt gewinnen gewinne gewinnt gagne gagner victoire"),
    "am": _words("am_i bin_ich suis-je"),
    "define": _words("what_is what's what_are was_ist was_sind qu'est-ce* c'est_quoi"),
    "happens": _words("happens passiert arrive-t-il se_passe-t-il"),
    "vote": _words("vote* voting propose* proposal agree* accept* stimme* vorschlag* vorschlage einverstanden propos*"),
    "can": _words("can can't cannot kann konnen peux pouvons"),
    "do": _words("to_do i_do do_now do_next tun machen faire"),
    "not": _words(
        "not n't can't cannot didn't doesn't won't couldn't nicht nichts kein* pas fail* bounce* standing_still wrong"
    ),
    "happened": _words("happened ist_passiert result* outcome geschehen ergebnis* resultat* passe s'est_passe"),
    "map": _words("map* karte* landkarte carte* board spielbrett plateau picture bild image"),
    "position": _words("position* situation stellung* lage wie_steht_es ou_en_est fuhrt vorn standings score* punkte*"
        " stand etat winning leading gewinnt"),
    "rules": _words("rule* regel* spielregel* regle* anleitung rulebook reglement"),
    "game": _words("game spiel partie jeu match"),
    "games": _words("games spiele parties"),
    "country": _words("country power nation land macht pays puissance"),
    "write": _words(
        "write message* talk contact press negotiat* e-mail email letter schreib* nachricht* verhandel* kontakt*"
        " brief sprech* rede reden ecri* negoci* contacter parler"
    ),
    "other": _words(
        "other* another everybody everyone all somebody someone them ander* alle* jemand ihnen autre* tous quelqu'un"
    ),
    "cancel": _words(
        "cancel* delete withdraw undo forget ignore discard take_back losch* loesch* zuruck"
        " zurueck stornier* widerruf* annul* efface*"
        " supprim* retire*"
    ),
    "away": _words(
        "away can't_send cannot_send nicht_da nicht_hier not_here not_around pas_la offline no_internet"
        " have_internet without_internet"
        " holiday* vacation absent absence travelling traveling on_leave out_of_town verreist verreise urlaub"
        " abwesen* ferien unterwegs vacances absente en_voyage conge*"
    ),
    "quit": _words(
        "i_quit quit quitting resign i_give_up give_up drop_out dropping_out leave_the_game leaving_the_game"
        " leave_this_game surrender stop_playing don't_want_to_play aussteigen steige_leider_aus bin_raus"
        " want_to_stop to_stop_playing"
        " want_to_leave want_out i_leave i'm_out i'm_leaving i_am_leaving hore_auf aufhoren aufhoeren aufgeben"
        " gebe_auf steige_aus austreten j'abandonne abandonne* j'arrete quitter"
    ),
    "anybody": _words(
        "anybody_there anyone_there anybody_here anyone_here somebody_there someone_there are_you_there is_this_working"
        " does_this_work are_you_a_bot a_human ein_mensch un_humain a_real_person jemand_da ist_da_jemand"
        " ist_hier_jemand y_a-t-il_quelqu'un"
        " quelqu'un_la il_y_a_quelqu'un"
    ),
    "span": re.compile(rf"{_DAY_OF_A_MONTH}.{{1,20}}?{_DAY_OF_A_MONTH}"),
    "day": _words("today tomorrow tonight monday tuesday wednesday thursday friday saturday sunday weekend heute morgen"
                  " montag dienstag mittwoch donnerstag freitag samstag sonntag wochenende demain lundi mardi mercredi"
                  " jeudi vendredi samedi dimanche"),
    "draw": _words("draw remis unentschieden match_nul nulle"),
    "later": _words("more_time extend* extension postpone* delay* later mehr_zeit verlanger* verlaenger*"
                    " fristverlanger* verschieb*"
                    " plus_de_temps prolong* reporter repousser"),
    "help": _words(
        "help hilfe hilf* aide* aidez don't_understand do_not_understand confused i'm_lost am_lost i_am_new i'm_new"
        " how_does_this_work how_does_it_work how_do_i_start what_now"
        " verstehe_nicht verstehe_das_nicht wie_geht_das wie_funktioniert* comprends_pas"
        " comprends_rien comment_ca_marche que_faire"
    ),
    "join": _words(
        "join* sign_up take_part participate mitspielen mitmachen teilnehmen einsteigen rejoindre participer s'inscrire"
    ),
    "unsubscribe": _words(
        "unsubscribe stop_sending stop_writing no_more_mail* no_more_email* stop_mailing abbestellen austragen"
        " desabonner desinscri* plus_de_mails"
    ),
    # whose
    "mine": _words("my mine me i i'm mein meine meinen meiner meines ich mir mon ma mes je j'ai moi me_voir"),
    "yours": _words("you your yours du dein* ihr euch euer* dich dir tu toi vous votre vos"),
})  # fmt: skip
_QUESTION = ("when", "who", "how", "why", "where", "what", "ask")
_NO_TOPIC = frozenset({
    *_QUESTION, "not", "mine", "yours", "other", "write", "time", "remains", "later", "question", "game", "games",
    "play", "help", "mean", "more", "begin", "in",
})  # fmt: skip
"""Parts that people's talk has as well, of whatever it is."""
_EARLY = 4
"""A word of a question is among the first so many, or the sentence ends with a question mark."""

_ROWS: tuple[tuple[Wanted, str], ...] = (
    (Wanted.DEADLINE, "question deadline"),
    (Wanted.DEADLINE, "when deadline"),
    (Wanted.DEADLINE, "when turn"),
    (Wanted.MY_TURN, "question turn mine"),
    (Wanted.MY_TURN, "who turn"),
    (Wanted.DEADLINE, "when orders"),
    (Wanted.DEADLINE, "when sent mine"),
    (Wanted.DEADLINE, "when ask mine orders"),
    (Wanted.NO_ORDERS, "happens mine orders question"),
    (Wanted.NO_ORDERS, "happens not mine orders question"),
    (Wanted.NO_ORDERS, "happens not mine question"),
    (Wanted.DEADLINE, "question time remains"),
    (Wanted.MY_ORDERS, "what mine orders"),
    (Wanted.MY_ORDERS, "where mine orders"),
    (Wanted.MY_ORDERS, "ask mine orders"),
    (Wanted.MY_ORDERS, "question mine orders sent"),
    (Wanted.MY_POWER, "what country mine"),
    (Wanted.MY_POWER, "what mine play power"),
    (Wanted.MY_POWER, "am power"),
    (Wanted.PLAYERS, "who play"),
    (Wanted.PLAYERS, "who power"),
    (Wanted.PLAYERS, "who play power"),
    (Wanted.PLAYERS, "who other play"),
    (Wanted.PLAYERS, "who ask mine play"),
    (Wanted.TURNOUT, "who sent"),
    (Wanted.TURNOUT, "who sent orders"),
    (Wanted.TURNOUT, "who move"),
    (Wanted.TURNOUT, "who orders"),
    (Wanted.TURNOUT, "question sent power"),
    (Wanted.TURNOUT, "question sent other"),
    (Wanted.CLEAR, "cancel orders"),
    (Wanted.CLEAR, "cancel mine orders"),
    (Wanted.CLEAR, "cancel mine sent"),
    (Wanted.HOW_TO_SUPPORT, "how support"),
    (Wanted.HOW_TO_CONVOY, "how convoy"),
    (Wanted.HOW_TO_CONVOY, "how convoy unit"),
    (Wanted.HOW_TO_CONVOY, "how convoy unit move"),
    (Wanted.HOW_TO_RETREAT, "how retreat"),
    (Wanted.HOW_TO_RETREAT, "where retreat"),
    (Wanted.HOW_TO_RETREAT, "retreat unit mine"),
    (Wanted.HOW_TO_BUILD, "how build"),
    (Wanted.HOW_TO_BUILD, "where build"),
    (Wanted.HOW_TO_BUILD, "what build mine"),
    (Wanted.HOW_TO_SUPPORT, "ask support unit"),
    (Wanted.HOW_TO_CONVOY, "ask convoy unit"),
    (Wanted.HOW_TO_ORDER, "how orders"),
    (Wanted.HOW_TO_ORDER, "what mean"),
    (Wanted.HOW_TO_ORDER, "how move"),
    (Wanted.HOW_TO_ORDER, "how unit move"),
    (Wanted.HOW_TO_ORDER, "how sent orders mine"),
    (Wanted.HOW_TO_WRITE, "how write"),
    (Wanted.HOW_TO_WRITE, "how write other"),
    (Wanted.HOW_TO_WRITE, "how write power"),
    (Wanted.HOW_TO_WRITE, "ask write other"),
    (Wanted.HOW_TO_WRITE, "ask write power"),
    (Wanted.WHY, "why unit"),
    (Wanted.WHY, "why move"),
    (Wanted.WHY, "why not"),
    (Wanted.WHY, "why not move"),
    (Wanted.WHY, "why support"),
    (Wanted.WHY, "why orders"),
    (Wanted.WHY, "why retreat"),
    (Wanted.WHY, "what happened"),
    (Wanted.RULES, "question happens"),
    (Wanted.RULES, "what mean not"),
    (Wanted.RULES, "question win"),
    (Wanted.RULES, "how win"),
    (Wanted.WHY, "question happened"),
    (Wanted.MAP, "question map"),
    (Wanted.MAP, "ask map"),
    (Wanted.POSITION, "where unit"),
    (Wanted.POSITION, "question position"),
    (Wanted.POSITION, "who position"),
    (Wanted.POSITION, "what unit mine"),
    (Wanted.POSITION, "question control"),
    (Wanted.POSITION, "who unit"),
    (Wanted.RULES, "question rules"),
    (Wanted.RULES, "question rules game"),
    (Wanted.RULES, "what game"),
    (Wanted.RULES, "define"),
    (Wanted.DEADLINE, "question day mine orders"),
    (Wanted.DEADLINE, "question day mine sent orders"),
    (Wanted.ABSENCE, "away mine"),
    (Wanted.ABSENCE, "away span"),
    (Wanted.ABSENCE, "away mine span"),
    (Wanted.ABSENCE, "span mine"),
    (Wanted.ABSENCE, "can not mine play"),
    (Wanted.RESIGN, "quit"),
    (Wanted.EXTEND, "later ask"),
    (Wanted.EXTEND, "later question"),
    (Wanted.EXTEND, "later deadline"),
    (Wanted.DRAW, "draw question"),
    (Wanted.DRAW, "draw how vote"),
    (Wanted.VOTE_DRAW, "draw vote"),
    (Wanted.ANYBODY, "anybody"),
    (Wanted.HELP, "help"),
    (Wanted.HELP, "what do mine"),
    (Wanted.HELP, "how play"),
    (Wanted.GAMES, "what games"),
    (Wanted.GAMES, "ask games"),
    (Wanted.GAMES, "question games"),
    (Wanted.JOIN, "question join"),
    (Wanted.JOIN, "question join games"),
    (Wanted.JOIN, "join mine"),
    (Wanted.JOIN, "join game"),
    (Wanted.JOIN, "ask mine play"),
    (Wanted.NO_MAIL, "unsubscribe"),
    (Wanted.MY_POWER, "who ask mine"),
    (Wanted.EXTEND, "ask more time"),
    (Wanted.EXTEND, "ask mine more time"),
    (Wanted.READY, "ready"),
    (Wanted.WAIT, "ready not"),
    (Wanted.WAIT, "wait"),
    (Wanted.LETTERS, "question written power"),
    (Wanted.LETTERS, "question past write power"),
    (Wanted.LETTERS, "question past write power other"),
    (Wanted.LETTERS, "question written mine"),
    (Wanted.LETTERS, "ask written mine"),
    (Wanted.NEAR, "question near"),
    (Wanted.NEAR, "question near mine"),
    (Wanted.START, "when begin"),
    (Wanted.START, "when begin game"),
    (Wanted.PLAYERS, "who in"),
)
"""What is wanted if all these parts are there; `question`: of any kind, `power`: a power's name."""
_TABLE = tuple((wanted, frozenset(parts.split())) for wanted, parts in _ROWS)
_SENTENCE = re.compile(r"(?<=[?!])\s+|(?<=[^\W\d_]\.)\s+(?=[A-Z])")
_OPENS = re.compile(
    r"^\W*(?:(?:hi|hello|hey|hallo|bonjour|salut|dear gm|sorry|please|pls|bitte|ok|so|and|but)[,.! ]+)+"
)


def sentences(text: str) -> list[str]:
    """The sentences of a line."""
    return [one for one in _SENTENCE.split(text.strip()) if one]


def wanted(
    sentence: str, names_power: Callable[[str], bool], can_be: Callable[[Wanted], bool] = lambda _: True
) -> tuple[Wanted, ...]:
    """What a sentence asks for, of what `can_be`: nothing, one thing, or the likeliest of which each may be meant."""
    plain = _OPENS.sub("", _plain(sentence))
    words = plain.split()
    if len(plain) > _LONGEST or len(words) > _MOST_WORDS:
        return ()
    parts = _parts(plain, names_power)
    begins = " ".join(words[:_EARLY])
    if plain.rstrip().endswith("?") or any(_PARTS[part].match(begins) for part in _QUESTION):
        parts.add("question")
    elif parts.isdisjoint({"ask"}):
        parts -= set(_QUESTION)  # `when you have moved` asks nothing
    found: dict[Wanted, int] = {}
    for row, needed in _TABLE:
        if needed <= parts and can_be(row):
            found[row] = max(found.get(row, 0), len(needed))
    most = max(found.values(), default=0)
    return tuple(row for row, count in found.items() if count == most)


def speaks_of_the_game(sentence: str, names_power: Callable[[str], bool]) -> bool:
    """Whether a sentence asks something, or is about something that a game has: it may be meant for its program."""
    plain = _plain(sentence)
    return plain.rstrip().endswith("?") or bool(_parts(plain, names_power) - _NO_TOPIC)


def _parts(plain: str, names_power: Callable[[str], bool]) -> set[str]:
    return {*_said(plain), *(["power"] if any(map(names_power, re.findall(r"[a-z]{3,}", plain))) else ())}


@lru_cache(64)
def _said(plain: str) -> tuple[str, ...]:
    """The parts of a sentence that are words; a line is asked twice, what it wants and whether it is about the game."""
    return tuple(part for part, pattern in _PARTS.items() if pattern.search(plain))


def _plain(text: str) -> str:
    """In small letters without accents, and with one kind of apostrophe."""
    apart = unicodedata.normalize("NFKD", text.casefold().replace("’", "'"))
    return " ".join("".join(sign for sign in apart if not unicodedata.combining(sign)).split())
