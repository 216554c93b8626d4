"""Mails as people write them to a seat: each is answered, with what it asked for and with where the seat stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.world import BASE, World, body_of, player, proved, reply_to, text_of

MASTER = "master@example.org"
SEAT_STANDS = ("3 units without an order", "The deadline is Fri 27 Nov 2026, 09:00 UTC", "F Lon-")
"""In the subject, the text and the form of a player who has sent nothing."""

MAILS = [
    # the mail, and what must be in the answer
    ("When is the deadline?", "The deadline of S1901M is Fri 27 Nov 2026, 09:00 UTC, in 7 days."),
    ("Hello,\n\nhow much time do we have left?\n\nBest\nPat", "The deadline of S1901M is Fri 27 Nov"),
    ("Wann ist der Abgabetermin?", "The deadline of S1901M is"),
    ("Quand est la date limite ?", "The deadline of S1901M is"),
    ("hi, is anybody there?", "this is the program that runs spring. A person reads what you write to the gamemaster"),
    ("Ist da jemand?", "this is the program that runs spring"),
    ("What is this game?", "spring is a game of Diplomacy. RULES sends its rules"),
    ("How do I support another unit?", "A MUN S A BER-SIL"),
    ("how do I convoy?", "F NTH C A LON-NWY"),
    ("Wie unterstütze ich eine Einheit?", "A MUN S A BER-SIL"),
    ("Comment soutenir une unité ?", "A MUN S A BER-SIL"),
    ("what are my orders?", "No orders of yours have come for this phase."),
    ("did you get my orders?", "No orders of yours have come for this phase."),
    ("who has sent their orders?", "no player sees whose orders are in"),
    ("Has France ordered?", "no player sees whose orders are in"),
    ("please cancel my orders", "There is nothing to delete: no orders of yours have come for S1901M."),
    ("Which of my fleets can reach the North Sea?", "F Edi can go to Nth. F Lon can go to Nth."),
    ("What is MAO?", "Mao is Mid-Atlantic Ocean, which borders Bre, Eng,"),
    ("Why can't my army go to Norway?", "A Lvp cannot get to Nwy: it does not border Lvp"),
    ("Is F EDI-NTH legal?", "F Edi can go to Nth."),
    ("Warum kann meine Flotte nicht nach Liverpool?", "F Edi cannot go to Lvp: it is not adjacent for a fleet."),
    ("What is the difference between hold and support?", "A MUN S A BER-SIL"),
    ("What's the difference between ready and wait?", "adjudicated before its deadline"),
    ('Was bedeutet "S1901M"?', "S1901M is Spring 1901 movement"),
    ("My name is spelled wrong, it's Emma Smith", "send REGISTER Emma Smith."),
    ("Können wir das auf Deutsch haben?", "These mails are in English only."),
    ("sub for me 24-28 nov, ask at jean@example.net", "DEPUTY jean@example.net 2026-11-24..2026-11-28"),
    ("Lon-Nth, Edi-Nwg, Lvp-Yor, ready", "F Lon-Nth / F Edi-Nwg / A Lvp-Yor / READY order this"),
    ("Do nothing with Liverpool, London goes to the North Sea.", "A Lvp H / F Lon-Nth order this"),
    ("F Lon - Eng?? no, nth.", "F Lon-Nth order this"),
    ("rest hold", "F Edi H / F Lon H / A Lvp H order this"),
    ("Wales can wait, London holds", "F Lon H order this"),
    ("London and Edinburgh go to the North Sea and Clyde respectively", "F Lon-Nth / F Edi-Cly order this"),
    ("London and Edinburgh should hold and move to Clyde respectively", "has an order among other words"),
    # whom it asks, and what
    ("Wie schicke ich dem Spielleiter eine Nachricht?", "PRESS TO GM / your text / ENDPRESS"),
    ("How do I get a message across to the judge?", "reply with PRESS TO GM on a line"),
    ("Hi Ann, shall we work together against Turkey?", "To send it to a player, write PRESS TO and the power above it"),
    (
        "Hi Pat Germany, shall we attack Turkey?",
        "PRESS TO Germany / Hi Pat Germany, shall we attack Turkey? / ENDPRESS",
    ),
    ("Shall we attack Italy together, Turkey?", "send this to Turkey"),
    # not the opposite
    ("Can we have shorter deadlines?", "A phase is adjudicated as soon as all orders are in"),
    ("Bitte die Fristen verkürzen", "Shorter deadlines are for the gamemaster to set"),
    ("Please don't extend the deadline again!", "PRESS TO GM / Please don't extend the deadline again! / ENDPRESS"),
    ("Could you tell me whether two fleets may share the Channel?", "A province holds at most one unit (ST-12)."),
    ("What do the signs on the map mean?", "On the map a shield is an army and a boat a fleet"),
    ("¿Qué pasa si no mando órdenes a tiempo?", "Units that you do not order hold"),
    ("My orders please: same as last time", "Orders are for one phase: those of an earlier one are not used again."),
    # a question gets its answer, and no orders
    ("Can an army stand in the sea?", "Armies are on land. Fleets are at sea and on coasts"),
    ("Can fleets convoy fleets?", "and fleets are not convoyed (ST-13)"),
    ("Why is Norway not mine?", "After Fall, retreats included, each supply centre belongs to the power"),
    ("When do I get new units?", "centres are counted after Fall. The next time is in W1901A."),
    ("How many centres are needed for victory?", "A power wins with 18 supply centres after a Fall."),
    ("How can I quit?", "send RESIGN spring"),
    ("Is it possible to end this in peace?", "The game is drawn when all surviving players vote for the same draw"),
    (
        "What happens if Bob stops?",
        "The gamemaster can give the seat of somebody who leaves, or stays silent, to somebody else.",
    ),
    ("When is the deadline? And who plays Turkey?", "in 7 days. Turkey is played by Pat Turkey."),
    ("Which games are there for two players?", "france-austria France against Austria, 2 players"),
    ("What else should I do in Liverpool?", "All players order at the same time, in secret."),
    ("I'm away from 5 December to 12 December", "ABSENCE 2026-12-05 TO 2026-12-12"),
    ("Ich bin vom 3.12. bis 10.12. verreist", "ABSENCE 2026-12-03 TO 2026-12-10"),
    ("Je suis absent du 3 au 10 décembre", "ABSENCE 2026-12-03 TO 2026-12-10"),
    ("I quit", "You still have your seat."),
    ("J'abandonne", "send RESIGN spring"),
    ("who plays France?", "France is played by Pat France."),
    ("Qui joue l'Allemagne?", "Germany is played by Pat Germany."),
    ("which country am I?", "You play England in spring."),
    ("why did my army not move?", "No phase of spring has been played yet."),
    ("Can I see the map?", "is attached as SVG (scalable) and PNG"),
    ("I don't understand. Help please", "MY ORDERS: your orders in force"),
    ("Can I have more time?", "send EXTEND 24h"),
    # a time in any language, and the date it comes to
    ("Können wir die Frist bis Sonntag um 20 Uhr verlängern?", "EXTEND UNTIL Sun 29 Nov 2026 20:00"),
    ("Peut-on prolonger jusqu'à dimanche 20h ?", "EXTEND UNTIL Sun 29 Nov 2026 20:00"),
    ("¿Podemos ampliar el plazo hasta el domingo a las 20:30?", "EXTEND UNTIL Sun 29 Nov 2026 20:30"),
    ("Possiamo prorogare la scadenza fino a lunedì alle 18?", "EXTEND UNTIL Mon 30 Nov 2026 18:00"),
    ("Can I have two more days please?", "have more time, until Sun 29 Nov 2026, 09:00 UTC"),
    ("Sono in vacanza da lunedì a giovedì", "ABSENCE 2026-11-23 TO 2026-11-26"),
    ("How can I write to Germany?", "reply with PRESS TO Germany on a line"),
    (
        "Dear France,\nshall we agree on a demilitarized Channel?\nYours\nEngland",
        "Sent to nobody, since it is not press",
    ),
    (
        "Dear France,\nshall we agree on a demilitarized Channel?",
        "PRESS TO France / Dear France, / shall we agree on a demilitarized Channel? / ENDPRESS",
    ),
    ("hello germany. want an alliance?", "PRESS TO Germany / hello germany. want an alliance? / ENDPRESS"),
    ("To Germany:\nhands off Denmark", "Sent to nobody, since it is not press"),
    ("To Germany:\nhands off Denmark", "PRESS TO Germany / hands off Denmark / ENDPRESS send this to Germany"),
    ("An alle: Guten Tag,\nich bin neu hier", "PRESS TO ALL / Guten Tag, / ich bin neu hier / ENDPRESS"),
    ("Dear Italy,\nhi\nTo France: my secret", "PRESS TO Italy / Dear Italy, / hi / ENDPRESS"),
    ("Dear Italy,\nhi\nTo France: my secret", "PRESS TO France / my secret / ENDPRESS"),
    ("grey press france hello", "grey PRESS TO France / hello / ENDPRESS"),
    ("Dear Germany, shall we ally?", "PRESS TO Germany / Dear Germany, shall we ally? / ENDPRESS"),
    ("who plays?", "Austria is played by Pat Austria. England is played by Pat England."),
    ("how many centres do I have and who is ahead?", "You have three supply centres, and these units: F Edi,"),
    ("Combien de centres a chaque joueur ?", "Centres: Russia 4, Austria 3"),
    ("where are my units?", "and these units: F Edi, F Lon and A Lvp."),
    ("Can I attack my own army?", "A power cannot dislodge its own unit"),
    ("Darf ich meine eigene Armee angreifen?", "A power cannot dislodge its own unit"),
    ('What does "bounced" mean?', "Standoff, bounce: moves of equal strength to one province"),
    ("What does bouncing mean?", "Standoff, bounce: moves of equal strength to one province"),
    ("Can two of my armies be in the same province?", "A province holds at most one unit (ST-12)."),
    ("My fleet in London is not able to move to Wales, is it?", "F Lon can go to Wal"),
    ("I cannot attack my own units, can I?", "A power cannot dislodge its own unit"),
    ("Can I still change my orders later?", "you can change them as often as you like"),
    ("que se passe-t-il si deux armées vont au même endroit ?", "If the strongest are equal, none succeeds"),
    ("Has the Alien adopted any of my units?", "S1901M: the position"),
    ("Purple monkeys eat my @ at dawn?", "Not answered, since it was not understood: 'Purple monkeys"),
    ("I accuse Austria", "To send it to a player, write PRESS TO and the power above it"),
    ("I accuse Austria", "Your mail contained no order or command"),
    ("What happens at 18 centres? How does it end?", "A power wins with 18 supply centres after a Fall"),
    ("How does Italy win?", "RULES the rules of this game"),
    ("Who controls my army?", "S1901M: the position"),
    ("I'd like to register as Bill Four please", "Help: REGISTER"),
    ("I would prefer to play Italy. How do I say so?", "Help: PREFERENCES"),
    ("what does READY do?", "Help: READY"),
    ("is it my turn?", "All players order at the same time, in secret. The deadline of S1901M is"),
    ("deadline", "The deadline of S1901M is Fri 27 Nov"),
    ("I vote for a draw", "To vote for a draw, send DRAW."),
    ("Wie geht ein Konvoi? Und wie unterstütze ich einen Zug?", "F NTH C A LON-NWY"),
    ("Wie geht ein Konvoi? Und wie unterstütze ich einen Zug?", "A MUN S A BER-SIL"),
    ("Wie schreibe ich an Frankreich?", "reply with PRESS TO France on a line"),
    ("Hi, when do I have to send my moves?", "The deadline of S1901M is"),
    ("what happens if I don't send orders?", "Units that you do not order hold"),
    ("How do I move an army by sea?", "F NTH C A LON-NWY"),
    ("I can't play from 3 to 10 December", "ABSENCE 2026-12-03 TO 2026-12-10"),
    ("How many units do I have?", "S1901M: the position"),
    ("What does the H mean?", "Help: ORDERS"),
    ("Whose orders are in?", "no player sees whose orders are in"),
    ("can I attack my own units?", "A power cannot dislodge its own unit"),
    ("same as last time but lon-nth", "F Lon-Nth order this, if it is what you mean"),
    ("wie zuvor, aber F Lon-Nth", "F Lon-Nth order this, if it is what you mean"),
    ("F Lon-Nth (if France agrees)", "F Lon-Nth order this, if it is what you mean"),
    ("Maybe F Lon-Nth, F Edi-Nwg?", "F Lon-Nth / F Edi-Nwg order this, if it is what you mean"),
    ("not ready", "The phase will not be adjudicated before its deadline"),
    ("noch nicht fertig", "send WAIT"),
    ("fertig", "F Edi, F Lon and A Lvp have no order yet. Send the orders, with READY below them."),
    ("I'll be on vacation over christmas", "From which day to which? Write both, as in ABSENCE 24 December"),
    ("my friend Paul will play for me, his mail is paul@example.net", "To have a friend order for you, send DEPUTY"),
    ("who plays turkey? i want to write them", "PRESS TO Turkey / your text / ENDPRESS"),
    ("Sorry I am late, is it still possible to send in my orders?", "Orders count if they come by then"),
    ("Did anybody win yet?", "Nobody has won yet."),
    ("can London go to Wales and can Liverpool support it?", "This can be ordered: F Lon-Wal / A Lvp S F Lon-Wal."),
    ("Please change: F Lon-Nth. The others remain as ordered.", "F Lon-Nth order this, if it is what you mean"),
    ("den-nth edi-nwg", "'edi' in 'den-nth edi-nwg' was not understood"),
    ("could I get one more day please?", "send EXTEND 24h"),
    ("who am I and what do I own", "You play England in spring."),
    ("what is next to London?", "Lon is London, which borders Eng, Nth, Wal and Yor. In Lon is England: F Lon."),
    ("Is the game over?", "Nobody has won yet."),
    ("Wer führt gerade?", "Centres: Russia 4"),
    ("who is in Burgundy?", "In Bur is no unit."),
    ("Did anyone attack me?", "No turn in which units move was played yet."),
    ("lon-nth edi-nwg lvp-yor ready", "F Lon-Nth / F Edi-Nwg / A Lvp-Yor / READY order this"),
    ("swap edi and lon: edi to nth, lon supports it", "F Edi-Nth / F Lon S F Edi-Nth order this"),
    ("oh no. Can I still change my orders?", "see below. The deadline of S1901M is"),
    ("Was grenzt an Spanien?", "Spa is Spain, which borders Gas, Lyo, Mao, Mar, Por and Wes."),
    ("An Frankreich: der Kanal bleibt leer, ja?", "PRESS TO France / der Kanal bleibt leer, ja? / ENDPRESS"),
    ("what happens when two armies go to the same place?", "If the strongest are equal, none succeeds"),
    ("To Borg: want to be friends?", "'Borg' is nobody to send press to. Write ALL, GM or powers"),
    ("To France: A Lon-Nth", "Sent to nobody, since it is not press"),
    ("Lieber Italiener, wollen wir Tirol frei lassen?", "PRESS TO Italy / Lieber Italiener, wollen wir"),
    ("press all but france: jugg is on", "has no ENDPRESS. Nothing of it was sent"),
    ("can fleets go to Munich?", "F Edi cannot go to Mun: it is not adjacent for a fleet."),
    ("Can France see my orders?", "No other player sees your orders before the phase is adjudicated"),
    ("how about going to Munich from the sea", "Mun is Munich, which borders"),
    ("I go NTH with London, dont tell Germany ;)", "F Lon-Nth order this, if it is what you mean"),
    ("Convoy my army from Lvp to Wales with the London fleet", "A Lvp-Wal may be meant; that leaves out"),
    ("L - NTH", "F Lon-Nth order this"),
    ("Write to our neighbour Germany that Holland is free", "PRESS TO Germany / Holland is free / ENDPRESS"),
    ("both fleets to the North Sea", "F Edi-Nth order this, if it is what you mean F Lon-Nth order this"),
    ("In the fall I want LON to go to Wales", "PHASE F1901M / F Lon-Wal / ENDPHASE order this for F1901M"),
    ("Im Herbst soll London nach Wales", "PHASE F1901M / F Lon-Wal / ENDPHASE order this for F1901M"),
    ("edi & lon as they are. lvp-wal", "F Edi H / F Lon H / A Lvp-Wal order this"),
    ("try: lon-nth edi-nwg lvp-yor", "WHATIF lon-nth edi-nwg lvp-yor do this"),
    ("should I tell Germany about NTH?", "PRESS TO GM"),
    ("Can't we just draw?", "send DRAW"),
    ("press to italy: lepanto? i stay out of tyr", "press to italy: lepanto? i stay out of tyr / ENDPRESS"),
    ("To: Germany, Italy\nshall we?", "PRESS TO Germany, Italy / shall we? / ENDPRESS"),
    ("my orders r in right? cant see them", "No orders of yours have come for this phase."),
    ("sorry wrong mail", "Your mail asks for nothing"),
    ("Just hold everything for now", "F Edi H / F Lon H / A Lvp H order this, if it is what you mean"),
    ("my boats hold, the army goes to Wales", "F Edi H / F Lon H / A Lvp-Wal order this"),
    ("Please tell Italy yes. Then Lon-Nth, Edi-Nwg", "PRESS TO Italy / yes. / ENDPRESS send this to Italy"),
    ("Please tell Italy yes. Then Lon-Nth, Edi-Nwg", "F Lon-Nth / F Edi-Nwg order this"),
    ("Tell everyone I said hello", "PRESS TO ALL / I said hello / ENDPRESS"),
    ("How do I write to Germany without the others noticing?", "reply with PRESS TO Germany on a line"),
    (
        "tell france: the channel stays empty, ok? i trust you. and tell germany holland is free",
        "PRESS TO France / the channel stays empty, ok? i trust you. / ENDPRESS send this to France PRESS TO Germany / "
        "holland is free / ENDPRESS",
    ),
    (
        'Would you tell Germany privately that I agree? Just write: "You have my support into Denmark."',
        "PRESS TO Germany / You have my support into Denmark. / ENDPRESS",
    ),
    (
        'How do I write to Germany alone? If it is allowed, please send this: "Dear neighbour, shall we speak?"',
        "PRESS TO Germany / Dear neighbour, shall we speak? / ENDPRESS",
    ),
    ("msg to italy\nhello\nend", "PRESS TO italy / hello / ENDPRESS send it"),
    ("PRESS TO ITALY\nhello\nA LVP-YOR", "A LVP-YOR order this, if it is what you mean"),
    ("ext 24h", "EXTEND 24h do this, if it is what you mean"),
    ("wait till friday pls", "WAIT do this, if it is what you mean"),
    ("undo", "PRESS TO GM / undo / ENDPRESS"),
    ("resign", "RESIGN spring do this, if it is what you mean"),
    ("I don't want to play any more, this is too hard for me", "send RESIGN spring"),
    ("Is it ok if I send my orders on Sunday?", "The deadline of S1901M is"),
    ("I'm at home from 23 Dec to 2 Jan and wont have internet", "ABSENCE 2026-12-23 TO 2027-01-02"),
    ("Ich bin ab Freitag bis Dienstag nicht da", "ABSENCE 2026-11-20 TO 2026-11-24"),
    ("I am away from Saturday, tomorrow, until Tuesday", "send ABSENCE 2026-11-21 TO 2026-11-24"),
    ("Can we please get an extension to Friday, today is too early?", "send EXTEND"),
    ("Darf ich zwei Tage länger brauchen?", "send EXTEND 48h"),
    ("Ich ziehe meine Befehle zurück", "There is nothing to delete"),
    ("warten bitte, ich überlege noch", "send WAIT"),
    ("Hat Italien mir geschrieben?", "You have no press with Italy"),
    ("is my fleet in London safe", "F Lon: It can go to Eng, Nth, Wal or Yor."),
    ("which way does the wind blow?", "send this to the gamemaster"),
    ("Wie viele Zentren habe ich? Und schick mir bitte die Karte.", "You have three supply centres"),
    ("Wie viele Zentren habe ich? Und schick mir bitte die Karte.", "is attached as SVG (scalable) and PNG"),
    ("f lon-nth if bre-eng then lon h", "'f lon-nth if bre-eng then lon h' depends on a condition that was not read"),
    ("f lon-nth if bre-eng then lon h", "F Lon-Nth order this, if it is what you mean"),
    ("IF F BRE-ENG THEN F LON H", "depends on a condition that was not read"),
    ("lon-nth, edi-nwg, how many centres has Russia?", "F Lon-Nth / F Edi-Nwg order this"),
    ("Could I get two more days? I am travelling.", "send EXTEND 48h"),
    ("Please give us 3 more days", "send EXTEND 72h"),
    ("my new email is kate.new@mail.example, please use that from now on", "send ADDRESS kate.new@mail.example"),
    ("Meine neue Adresse ist hans.neu@post.example", "Nothing was changed yet. To change your address, send ADDRESS"),
    ("Bitte keine HTML-Mails mehr, nur Text.", "send PREFERENCES mail=text"),
    ("Could you please send plain mails without all the html and pictures?", "PREFERENCES mail=text maps=none"),
    ("fake press to g from e: i attack you in den", "press is signed here"),
    ("Who plays France?", "France is played by Pat France."),
    ("how do I convoy?", "HELP ORDERS how orders are written"),
    ("who's late?", "no player sees whose orders are in"),
    ("who has sent their orders?", "In the game spring no player sees"),
    ("please tell me when the game will end", "A power wins with 18 supply centres after a Fall."),
    ("tell me how I can win", "A power wins with 18 supply centres after a Fall."),
    ("show me my orders on a map", "You have sent no orders for S1901M. MAP shows the last phase."),
    ("is there a map with all the names on it", "The map with all names is attached"),
    ("stop sending me pictures", "send PREFERENCES maps=none. Or reply with YES"),
    ("how do I win?", "A power wins with 18 supply centres after a Fall."),
    ("Thanks!", "Your mail asks for nothing"),
    ("asdf qwer", "Your mail contained no order or command"),
    ("", "Your mail contained no order or command"),
]


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[World, dict[str, str]]]:
    world = World(tmp_path_factory.mktemp("words"), limits=0)
    yield world, world.started()
    world.database.dispose()


@pytest.fixture
def world(game: tuple[World, dict[str, str]]) -> World:
    return game[0]


@pytest.fixture
def seats(game: tuple[World, dict[str, str]]) -> dict[str, str]:
    return game[1]


@pytest.mark.parametrize(
    "text",
    [
        "Can an army stand in the sea?",
        "Could my army in Liverpool get to Wales?",
        "Does a fleet in London cut support?",
        "Darf meine Armee in Liverpool stehen bleiben?",
        "Shall I hold with everything?",
        "Hi Ann, shall we work together against Turkey?",
    ],
)
def test_a_question_is_offered_no_order_and_nobody_it_only_names(
    world: World, seats: dict[str, str], text: str
) -> None:
    said = text_of(world.send(player("England"), seats["England"], text))
    assert "order this" not in said
    assert "PRESS TO Turkey" not in said


@pytest.mark.parametrize(("text", "said"), MAILS, ids=[text[:40].replace("\n", "/") for text, _ in MAILS])
def test_no_mail_to_a_seat_is_a_dead_end(world: World, seats: dict[str, str], text: str, said: str) -> None:
    england = player("England")
    others = {who: len(mails) for who, mails in world.mailboxes.items() if who != england}
    answer = world.send(england, seats["England"], text)
    assert said in text_of(answer)
    missing, due, form = SEAT_STANDS
    assert str(answer["Subject"]).startswith("Re: [spring] S1901M: ")
    assert missing in str(answer["Subject"])
    assert due in text_of(answer)
    assert form in body_of(answer)
    assert {who: len(mails) for who, mails in world.mailboxes.items() if who != england} == others, "told nobody else"


def test_who_says_why_they_leave_is_not_asked_whether_they_leave(tmp_path: Path) -> None:
    world = World(tmp_path, limits=0)
    seats = world.started()
    said = text_of(world.send(player("France"), seats["France"], "RESIGN spring\nI have no time any more, sorry."))
    assert "You have left spring." in said
    assert "You still have your seat" not in said


def test_a_no_to_what_is_proposed_is_one_however_it_goes_on(world: World, seats: dict[str, str]) -> None:
    for text in ("No wait, I'll stay!", "Nein, doch nicht."):
        asked = world.send(player("England"), seats["England"], "I want to quit the game")
        cites = {"In-Reply-To": str(asked["Message-ID"])}
        answer = text_of(world.send(player("England"), seats["England"], text, headers=cites))
        assert "Nothing was done, as you say." in answer
        assert "Passed over" not in answer


def test_what_is_not_to_be_told_is_offered_to_nobody(world: World, seats: dict[str, str]) -> None:
    for text in ("I'll go NTH with London, dont tell Germany ;)", "never say to Germany that I go to Nth"):
        assert "PRESS TO Germany" not in text_of(world.send(player("England"), seats["England"], text))


def test_the_subject_of_what_is_not_understood_says_so(world: World, seats: dict[str, str]) -> None:
    answer = world.send(player("England"), seats["England"], "qwertz")
    assert answer["Subject"] == "Re: [spring] S1901M: nothing understood, 3 units without an order"


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("F Lon-Nor", "F Lon-Nth"),
        ("F Edin - Norwegian", "F Edi-Nwg"),
        ("A Liv - Yorks", "A Lvp-Yor"),
        ("F Edi to Norw Sea", "F Edi-Nwg"),
        ("F Lon - eng chan", "F Lon-Eng"),
        ("PRESS Italy\nhello\nENDPRESS", "Press sent to Italy."),
        ("PRESS Italy / hello / ENDPRESS", "Press sent to Italy."),
    ],
)
def test_what_is_written_in_part_is_understood(world: World, seats: dict[str, str], text: str, order: str) -> None:
    said = text_of(world.send(player("England"), seats["England"], text))
    assert order in said
    world.send(player("England"), seats["England"], "CLEAR")


@pytest.mark.parametrize(
    ("line", "said", "ready"),
    [
        ("I accuse Austria", "Passed over, since it is no order or command: 'I accuse Austria'.", True),
        ("Who controls my army?", "S1901M: the position", True),
        ("I vote for a draw", "To vote for a draw, send DRAW.", False),
        ("what does WAIT do?", "Help: WAIT", True),
    ],
)
def test_no_line_about_the_game_is_dropped_beside_orders(
    world: World, seats: dict[str, str], line: str, said: str, *, ready: bool
) -> None:
    """What it asks is answered or offered; otherwise it is named. Talk does not hold READY, a wish does."""
    answer = text_of(world.send(player("Austria"), seats["Austria"], f"{line}\nA VIE H\nREADY"))
    assert said in answer
    assert ("You are READY." in answer) == ready
    world.send(player("Austria"), seats["Austria"], "CLEAR")


@pytest.mark.parametrize(
    ("leave", "named"),
    [("Bis bald", False), ("Vi ses snart,", False), ("それでは", False), ("Bis bald?", True), ("Please extend", True)],
)
def test_words_that_take_leave_above_a_name_are_not_named(
    world: World, seats: dict[str, str], leave: str, named: bool
) -> None:
    answer = text_of(world.send(player("Austria"), seats["Austria"], f"A VIE H\n\n{leave}\nAnn"))
    assert ("Your mail was understood." not in answer) == named, answer


@pytest.mark.parametrize(
    ("above", "heads"), [("Final orders", True), ("Final moves, spring", True), ("My orders are final!", False)]
)
def test_a_line_of_the_words_of_headings_above_orders_wishes_for_nothing(
    world: World, seats: dict[str, str], above: str, heads: bool
) -> None:
    answer = text_of(world.send(player("Austria"), seats["Austria"], f"{above}\nA VIE H\nA BUD H"))
    assert ("Your mail was understood." in answer) == heads, answer


def test_greetings_beside_orders_are_not_named(world: World, seats: dict[str, str]) -> None:
    answer = text_of(
        world.send(
            player("Austria"), seats["Austria"], "Hello,\nA VIE H\nThanks, great game!\nThanks and best wishes\nAnn"
        )
    )
    assert "Passed over" not in answer
    assert "Your mail was understood." in answer


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("FLT NAP TO ION", "F Nap-Ion"),
        ("A Rom nach Apulien", "A Rom-Apu"),
        ("Armée Venise vers Tyrol", "A Ven-Tyr"),
        ("Flotte Neapel nach Tyrrhenisches Meer", "F Nap-Tys"),
        ("A Venedig hält", "A Ven H"),
        ("A Venedig unterstützt A Rom nach Toskana", "A Ven S A Rom-Tus"),
        ("move venice to trieste", "A Ven-Tri"),
        ("Bitte A Ven nach Tri und F Nap nach Ion", "F Nap-Ion"),
        ("1) ven-pie 2) rom-apu 3) nap-ion", "F Nap-Ion"),
        ("support ven with rom", "A Rom S A Ven"),
        ("support Venice to Apulia with Rome", "A Rom S A Ven-Apu"),
        ("attack Trieste with Venice", "A Ven-Tri"),
        ("all hold", "F Nap H"),
        ("Everyone holds.", "A Rom H"),
        ("alle Einheiten halten", "A Ven H"),
        ("toutes les unités tiennent", "A Ven H"),
        ("A Ven - Pie; READY", "A Ven-Pie"),
        ("A Ven - Pie. READY!", "You are READY."),
    ],
)
def test_orders_as_they_are_written_elsewhere(world: World, seats: dict[str, str], text: str, order: str) -> None:
    answer = text_of(world.send(player("Italy"), seats["Italy"], text))
    assert order in answer
    assert "not acted on" not in answer.lower()
    world.send(player("Italy"), seats["Italy"], "CLEAR")


def test_questions_among_orders(world: World, seats: dict[str, str]) -> None:
    """A wish that is only offered holds READY back; a question that is answered does not."""
    asked = text_of(world.send(player("Italy"), seats["Italy"], "A VEN H\nplease cancel my orders\nREADY"))
    assert re.search(
        r"READY was not acted on, because this part of your mail was not: 'please cancel my orders'", asked
    )
    asked = text_of(world.send(player("Italy"), seats["Italy"], "A VEN H\nWhen is the deadline?\nREADY"))
    assert "You are READY" in asked
    assert "The deadline of S1901M is" in asked


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("F Lon-Nth, F Edi-Nwg, A Lvp-Yor\n\nThanks,\nJenny", "Your mail was understood. S1901M: orders complete."),
        ("F Lon-Nth\nI'd like Liverpool to go to York", "Part of your mail was understood, see below."),
        ("F Lon-Nth, A Lvp-Yor\nThe other fleet stays", "F Edi H order this"),
    ],
)
def test_the_first_sentence_says_what_was_done(tmp_path: Path, text: str, said: str) -> None:
    world = World(tmp_path)
    seats = world.started()
    assert said in text_of(world.send(player("England"), seats["England"], text))


@pytest.mark.parametrize("text", ["Hello, I'd like to join spring as Italy", "je voudrais jouer l'Italie"])
def test_a_newcomers_wish_for_a_power_is_kept(tmp_path: Path, text: str) -> None:
    world = World(tmp_path)
    world.send(MASTER, BASE, "CREATE spring")
    assert "JOIN spring AS Italy" in text_of(world.send("zoe@mail.example", BASE, text))


def test_an_order_for_several_units_is_offered_for_each(tmp_path: Path) -> None:
    world = World(tmp_path, limits=0)
    chair = reply_to(world.send("master@example.org", BASE, "CREATE void variant=outer-space"))
    for name in ("Zorg", "Krell", "Dyer"):
        world.send(f"{name.lower()}@players.example", BASE, f"JOIN void AS {name}")
    world.send("master@example.org", chair, "START void")
    world.pass_time(days=8)  # in Fall the armies are in orbit
    zorg = "zorg@players.example"
    answer = world.send(zorg, reply_to(world.last(zorg)), "orb-par*3")
    assert "A Orb-Par / A Orb-Par / A Orb-Par order this" in text_of(answer)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "start a game of the aliens with ann@x.example and bob@y.example, 24h turns",
            "CREATE game-the-aliens variant=the-aliens move=24h / INVITE ann@x.example, bob@y.example",
        ),
        (
            "start a second game for beginners, fog, with kim@x.example and lee@x.example, 2 days per turn",
            "CREATE game-fog variant=fog move=2d / INVITE kim@x.example, lee@x.example",
        ),
        ("Give France to new.player@x.example please, Pat has vanished", "REPLACE France WITH new.player@x.example"),
        ("can you invite jim.knopf@example.net to the next one", "INVITE jim.knopf@example.net"),
        ("Austria is a pain, kick him out", "EJECT Austria"),
        ("let's take a break until 2 January", "To stop the clock, send PAUSE UNTIL 2027-01-02."),
        ("oops, wrong one, take that back", "To take back your last command, send UNDO."),
        ("ban bad.guy@x.example, he is rude", "DENY bad.guy@x.example"),
        ("die Karenzzeit bitte ändern", "Help: SET"),
        ("who has not sent anything yet", "Dashboard of spring"),
        ("show me what would come out", "trial adjudication with the orders received so far"),
        ("How are builds written?", "Help: ORDERS"),
        ("könntest du bitte jetzt auswerten", "PROCESS"),
        ("Spiel bitte bis 3. Januar anhalten", "PAUSE UNTIL 2027-01-03"),
        ("no turns over christmas please 24.12.-2.1.", "SET holidays=2026-12-24..2027-01-02"),
        ("gib ihnen noch bis 30. November", "DEADLINE Mon 30 Nov 2026 09:00. It is 3 days later than before"),
        ("cancel the scheduled stuff", "send SCHEDULE NONE"),
        ("wrong deadline, it should be due Monday 6pm", "DEADLINE Mon 30 Nov 2026 18:00"),
        ("give them 36 hours more", "EXTEND 36 hours"),
        ("Can you give them 2 more days?", "EXTEND 2 days"),
        ("Give everybody until Sunday 20:00", "DEADLINE Sun 29 Nov 2026 20:00"),
        ("Write France a reminder please", "PRESS TO France / Your orders are due. / ENDPRESS"),
        ("Italy has a new mail address: pat@x.example", "REPLACE Italy WITH pat@x.example"),
        ("They all agreed to a draw of France and Italy, end the game", "DRAW spring France, Italy"),
        ("France has told me by phone: A Paris to Burgundy, F Brest holds.", "ORDERS FOR France / A Par-Bur / F Bre H"),
        ("The deadline should be at 20:00 in future, not 18:00", "SET at=20:00"),
        ("No deadlines on weekends please", "SET days=mon-fri"),
        ("Please extend all my games by 3 days, I'm travelling", "ALL GAMES: EXTEND 3 days"),
        ("Tell France: your orders are late", "PRESS TO France"),
    ],
)
def test_what_a_gamemaster_wants_is_offered_or_shown(world: World, seats: dict[str, str], text: str, said: str) -> None:
    """Of what it changes nothing is done."""
    before = {who: len(mails) for who, mails in world.mailboxes.items() if who != MASTER}
    assert said in text_of(world.send(MASTER, seats["GM"], text))
    assert {who: len(mails) for who, mails in world.mailboxes.items() if who != MASTER} == before


def test_thanks_of_a_gamemaster_ask_for_nothing(world: World, seats: dict[str, str]) -> None:
    said = text_of(world.send(MASTER, seats["GM"], "Thanks a lot!"))
    assert "Passed over" not in said
    assert "PRESS TO" not in said


def test_the_phase_to_go_back_to_is_the_last_that_was_played(tmp_path: Path) -> None:
    world = World(tmp_path, limits=0)
    chair = world.started()["GM"]
    assert "Help: ROLLBACK" in text_of(world.send(MASTER, chair, "set the game back please"))
    world.pass_time(days=8)
    assert "send ROLLBACK S1901M" in text_of(world.send(MASTER, chair, "go back a turn"))


def test_a_line_that_heads_orders_is_not_named(world: World, seats: dict[str, str]) -> None:
    said = text_of(world.send(player("Austria"), seats["Austria"], "These moves please for my side:\nA VIE H"))
    assert "Passed over" not in said
    world.send(player("Austria"), seats["Austria"], "CLEAR")


def test_what_is_asked_far_below_other_words_is_passed_over(world: World, seats: dict[str, str]) -> None:
    for lines, said in ((39, "The deadline of S1901M is"), (40, "Not answered, since it was not understood: 'When is")):
        mail = "\n".join([*(f"Thanks for number {n}!" for n in range(lines)), "When is the deadline?"])
        answer = text_of(world.send(player("Austria"), seats["Austria"], mail))
        assert said in answer
        assert ("The deadline of S1901M is" in answer) == (lines < 40)


def test_two_wishes_in_one_line_are_two(world: World, seats: dict[str, str]) -> None:
    """Each clause that surely wants something is answered; beside a guess, what other clauses want is offered."""
    text = "change my addr to frog@phone.example, new cell. and stop the 24h reminder mails pls"
    answer = text_of(world.send(player("Italy"), seats["Italy"], text))
    assert "send ADDRESS frog@phone.example" in answer
    assert "send PREFERENCES remind=none" in answer
    answer = text_of(world.send(player("France"), seats["France"], "pls everyone get orders in early, im away fri-sun"))
    assert "ABSENCE 2026-" in answer


def test_clear_all(world: World, seats: dict[str, str]) -> None:
    world.send(player("Italy"), seats["Italy"], "A Ven H")
    assert "Your orders for this phase are deleted." in text_of(
        world.send(player("Italy"), seats["Italy"], "clear all")
    )


def test_a_gamemaster_is_offered_what_can_be_done_and_no_more_than_was_asked_for(tmp_path: Path) -> None:
    """Each line is tried first; never the opposite, nor more rights."""
    world = World(tmp_path, limits=0)
    seats = world.started()
    offered = [
        ("set deadline +72h", "EXTEND 72h", "DEADLINE +72h"),
        ("spring +24h", "EXTEND 24h", "DEADLINE +24h"),
        ("unpause everything", "RESUME", "PAUSE"),
        ("UNPAUSE", "RESUME", "PAUSE"),
        ("let a bot play turkey", "EJECT Turkey / STANDIN Turkey", "send STANDIN Turkey"),
        ("make olga@example.net assistant gm", "PROMOTE olga@example.net AS ASSISTANT", "olga@example.net. "),
        ("accept englands late orders", "Now it would be refused: ", "ACCEPT LATE accept late orders"),
        ("cancel spring", "", "CLEAR"),
        ("start with bots now", "", "START with"),
    ]
    for text, right, wrong in offered:
        answer = text_of(world.send(MASTER, seats["GM"], text)).replace(text, "")
        assert right in answer, text
        assert wrong not in answer.replace("PAUSE UNTIL", ""), text


def test_a_line_of_orders_and_a_question_is_the_senders_own_each_time(tmp_path: Path) -> None:
    """Also when our last mail has quoted it: a piece of a line is no line of ours."""
    world = World(tmp_path, limits=0)
    seats = world.started()
    for _ in range(2):
        answer = text_of(
            world.send(player("England"), seats["England"], "lon-nth, edi-nwg, how many centres has Russia?")
        )
        assert "F Lon-Nth / F Edi-Nwg" in answer
        assert "You have three supply centres" in answer


def test_orders_to_the_servers_address_are_offered_to_the_one_game(world: World, seats: dict[str, str]) -> None:
    del seats
    said = text_of(world.send(player("France"), BASE, "A PAR-BUR\nF BRE-MAO"))
    assert "GAME spring / A PAR-BUR / F BRE-MAO do this for spring" in said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Which games are there for two players?", "france-austria France against Austria, 2 players"),
        ("What does it cost, and how long does a game take?", "It costs nothing."),
        ("I'd rather just watch first, is that allowed?", "OBSERVE game"),
        ("I would like to be a standby player in spring", "STANDBY spring"),
        ("start a game of standard with ann@x.example", "CREATE game-standard variant=standard / INVITE ann@x.example"),
        ("Are there women playing here?", "It found no command in yours; here is how it works."),
    ],
)
def test_a_strangers_question_is_answered(world: World, text: str, said: str) -> None:
    assert said in text_of(world.send("zoe@players.example", BASE, text))


@pytest.mark.parametrize(
    ("text", "left"),
    [("Forget what I sent before. I want the London fleet to go to the Channel.", 3), ("Delete my orders.", 0)],
)
def test_yes_deletes_nothing_in_reply_to_a_mail_that_says_more(
    world: World, seats: dict[str, str], text: str, left: int
) -> None:
    england = player("England")
    world.send(england, seats["England"], "F LON-NTH\nF EDI-NWG\nA LVP-YOR")
    assert "CLEAR" in text_of(world.send(england, seats["England"], text))
    world.send(england, seats["England"], "YES")
    (seat,) = (one for one in world.game().players if one.power == "England")
    assert len(world.game().orders_of(seat)) == left


def test_a_change_of_mind_is_not_ready(world: World, seats: dict[str, str]) -> None:
    said = text_of(world.send(player("England"), seats["England"], "F LON-ENG\nno wait\nF EDI-NTH\nA LVP H"))
    assert "Passed over, since it is no order or command: 'no wait'" in said
    assert "You are READY" not in said


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("sign me up for hyper, planet Nibiru", "JOIN hyper AS Nibiru"),
        ("nehme an hyper teil, Planet heißt Jura", "JOIN hyper AS Jura"),
        ("place in nebel? put me down, Turkey is nice", "JOIN nebel AS Turkey"),
        ("je participe à nebel avec la Turquie", "JOIN nebel AS Turkey"),
    ],
)
@pytest.mark.parametrize("plays", [False, True])
def test_whoever_names_a_game_that_forms_is_shown_how_to_join_it(
    tmp_path: Path, text: str, line: str, plays: bool
) -> None:
    world = World(tmp_path)
    for name, variant in (("old", "standard"), ("hyper", "quantum-space-3001"), ("nebel", "fog")):
        world.send(MASTER, BASE, f"CREATE {name} variant={variant}")
    if plays:
        world.send("zoe@mail.example", BASE, "JOIN old")
    said = text_of(world.send("zoe@mail.example", BASE, text))
    assert line in said
    assert plays or said.index(line) < said.index("JOIN old")


def test_a_question_how_to_begin_is_answered_by_how_one_plays(tmp_path: Path) -> None:
    world = World(tmp_path)
    assert "How to play by mail" in text_of(world.send("zoe@mail.example", BASE, "How do I start?"))
    world.send(MASTER, BASE, "CREATE hyper variant=quantum-space-3001")
    assert "You play Jötunn." in text_of(world.send("zoe@mail.example", BASE, "JOIN hyper ALS Jötunn"))


GAMES = [
    # the game, orders for its first phase, if that goes by, a mail, and what must be in its answer
    ("outer-space", "", "ber mun kie", "A Orb-Ber / A Orb-Mun / A Orb-Kie order this"),
    (
        "outer-space",
        "A ORB-PAR\nA ORB-SPA",
        "Colonise Paris please. And Spain too.",
        "A Par COL / A Spa COL order this",
    ),
    ("outer-space", "", "What happens if I don't have a colony?", "Ruling OS-12"),
    (
        "the-aliens",
        "",
        "My first ship should land in London, and if it can't then Wales. The second one in Edinburgh or else Norway.",
        "SHIP 1: Lon, Wal / SHIP 2: Edi, Nwy order this",
    ),
    (
        "quantum-space",
        "WAIVE",
        "F K6 en orbite\nle reste ne bouge pas",
        "F K6-KO / A K1 H / A K3 H / F K8 H order this",
    ),
    ("quantum-space", "WAIVE", "Hello everyone!! I'm Kim, please be gentle", "PRESS TO ALL / Hello everyone!!"),
    ("quantum-space", "WAIVE", "How do I get to the planet Zorg?", "Ruling QS-7"),
    ("quantum-space", "WAIVE", "call q42 gate", "ALIAS q42 gate do this"),
]


@pytest.mark.long
@pytest.mark.parametrize(("variant", "first", "text", "said"), GAMES, ids=[text[:20] for _, _, text, _ in GAMES])
def test_each_game_is_spoken_of_in_its_own_words(
    tmp_path: Path, variant: str, first: str, text: str, said: str
) -> None:
    world = World(tmp_path, limits=0)
    chair = reply_to(world.send(MASTER, BASE, f"CREATE void variant={variant}"))
    for name in ("Krell", "Zorg", "Dyer"):
        world.send(f"{name.lower()}@players.example", BASE, f"JOIN void AS {name}")
    world.send(MASTER, chair, "START void")
    krell = "krell@players.example"
    seat = reply_to(world.last(krell))
    if first:
        world.arrive(krell, seat, first)
        world.pass_time(days=8)
    answer = text_of(world.send(krell, seat, text))
    assert said in answer
    assert "Your mail was understood." not in answer or said.startswith("Ruling")


def test_the_subject_says_ready_only_while_that_holds(world: World, seats: dict[str, str]) -> None:
    turkey = player("Turkey")
    assert "orders complete (READY)" in str(world.send(turkey, seats["Turkey"], "A CON-BUL\nREADY")["Subject"])
    assert "2 units without an order" in str(world.send(turkey, seats["Turkey"], "WAIT")["Subject"])


def test_at_the_servers_address_a_question_about_a_seat_is_answered_for_each_game(tmp_path: Path) -> None:
    world = World(tmp_path, limits=0)
    seats = world.started()
    sender = player("France")
    made = world.send(MASTER, BASE, "CREATE duel variant=france-austria", headers=proved(MASTER))
    for one, power in ((sender, "France"), ("dora@players.example", "Austria")):
        world.send(one, BASE, f"JOIN duel AS {power}", headers=proved(one))
    world.send(MASTER, reply_to(made), "START duel", headers=proved(MASTER))
    world.send(sender, seats["France"], "A PAR-BUR")
    said = text_of(world.send(sender, BASE, "What have I ordered last?", headers=proved(sender)))
    assert "spring: Your orders for S1901M are A Par-Bur." in said
    assert "duel: No orders of yours for S1901M yet." in said
    said = text_of(world.send(sender, BASE, "how many centers do i need to win", headers=proved(sender)))
    assert "spring: A power wins with 18" in said
    assert "duel: A power wins with" in said


@pytest.mark.parametrize("asks", ["Könnt ihr so lange auf mich warten?", "Lieber Spielleiter, das wollte ich sagen."])
def test_an_absence_of_which_a_person_writes_is_no_notice_of_a_program(tmp_path: Path, asks: str) -> None:
    world = World(tmp_path, limits=0)
    world.started()
    sender = player("France")
    mail = f"vom 12. bis zum 15. Dezember bin ich in Leipzig. {asks}"
    said = text_of(world.send(sender, BASE, mail, headers={**proved(sender), "Subject": "Urlaub"}))
    assert "ABSENCE 2026-12-12 TO 2026-12-15" in said


def test_an_order_that_stays_with_its_goal_is_the_one_in_force(tmp_path: Path) -> None:
    world = World(tmp_path, limits=0)
    seats = world.started()
    sender = player("France")
    world.send(sender, seats["France"], "A PAR-BUR\nA MAR-SPA\nF BRE-MAO")
    said = text_of(world.send(sender, seats["France"], "Die Flotte bleibt beim Mittelatlantik."))
    assert "Ordered already, and so it stays: F Bre-Mao." in said
    assert "F Bre H" not in said


def test_a_name_a_zone_and_an_address_are_offered_at_the_servers_address(tmp_path: Path) -> None:
    world = World(tmp_path, limits=0)
    world.started()
    sender = player("France")
    asked = "Ich heiße Heike Brandt, können Sie das bitte ändern?\nUnd die Zeiten bitte künftig in Berliner Zeit."
    said = text_of(world.send(sender, BASE, asked, headers=proved(sender)))
    assert "REGISTER Heike Brandt" in said
    assert "TIMEZONE Europe/Berlin" in said
    assert "Or reply with YES, which does both" in said
    asked = "I get a new address soon, fr@example.org, can you send my game mail there?"
    said = text_of(world.send(sender, BASE, asked, headers=proved(sender)))
    assert "send ADDRESS fr@example.org" in said
    assert "A mere YES does none of this" in said
