"""How mail programs introduce quotations, by language; and what only looks like it."""

from __future__ import annotations

import pytest

from gm.mail.message import attribution
from tests.mail.message.messages import PLAIN, message, read, read_own
from tests.tables import lines

ORDER, ECHO = "A PIC-BEL", "A PIC-PAR"

ATTRIBUTIONS = [
    "On Mon, Feb 2, 2026 at 9:00 AM Judge <gm@example.org> wrote:",
    "On 2 Feb 2026, at 09:00, Judge <gm@example.org> wrote:",
    "On 2026-02-02 09:00, Judge wrote:",
    "On Mon, 2 Feb 2026, Judge of a long game <\ngm+spring.uq6mufmb4p4ftorwyplf@gm.example.org>\nwrote:",
    "*On Monday, 2 February 2026, 09:00:00 CET, Judge <gm@example.org> wrote:*",
    "Judge <gm@example.org> wrote on Mon, 2 Feb 2026 at 9:00:",
    "Judge <gm@example.org> wrote:",
    "Am Mo., 2. Feb. 2026 um 09:00 Uhr schrieb Judge <gm@example.org>:",
    "Am 02.02.26 um 09:00 schrieb Judge:",
    "Judge <gm@example.org> schrieb am Mo., 2. Feb. 2026,\n09:00:",
    "Le lun. 2 févr. 2026 à 09:00, Judge <gm@example.org> a écrit :",
    "Le 02/02/2026 à 09:00, Judge a écrit\u00a0:",
    "El lun, 2 feb 2026 a las 9:00, Judge (<gm@example.org>) escribió:",
    "El 2/2/26 a las 9:00, Judge escribió:",
    "Il giorno lun 2 feb 2026 alle ore 09:00 Judge <gm@example.org> ha scritto:",
    "Il 02/02/2026 09:00, Judge ha scritto:",
    "Op ma 2 feb 2026 om 09:00 schreef Judge <gm@example.org>:",
    "Op 2 februari 2026 om 09:00 heeft Judge het volgende geschreven:",
    "Em seg., 2 de fev. de 2026 às 09:00, Judge <gm@example.org> escreveu:",
    "Em 02/02/2026 09:00, Judge escreveu:",
    "W dniu 02.02.2026 o 09:00, Judge pisze:",
    "pon., 2 lut 2026 o 09:00 Judge <gm@example.org> napisał(a):",
    "Den mån 2 feb. 2026 kl 09:00 skrev Judge <gm@example.org>:",
    "2 feb. 2026 kl. 09:00 skrev Judge <gm@example.org>:",
    "Den 02.02.2026 09:00, skrev Judge:",
    "ma 2. helmik. 2026 klo 9.00 Judge (gm@example.org) kirjoitti:",
    "Dne 02. 02. 26 v 9:00 Judge napsal(a):",
    "po 2. 2. 2026 o 9:00 Judge <gm@example.org> napísal(a):",
    "Judge <gm@example.org> ezt írta (időpont: 2026. febr. 2., H, 9:00):",
    "În lun., 2 feb. 2026 la 09:00, Judge <gm@example.org> a scris:",
    "Judge <gm@example.org>, 2 Şub 2026 Pzt, 09:00 tarihinde şunu yazdı:",
    "пн, 2 февр. 2026 г. в 09:00, Judge <gm@example.org>:",
    "02.02.2026 09:00, Judge пишет:",
    "пн, 2 лют. 2026 р. о 09:00 Judge <gm@example.org> пише:",
    "Στις Δευ 2 Φεβ 2026 στις 9:00 π.μ., ο χρήστης Judge <gm@example.org> έγραψε:",
    "2026年2月2日(月) 9:00 Judge <gm@example.org>:",
    "Judge <gm@example.org> 于2026年2月2日周一 09:00写道：",
    "2026년 2월 2일 (월) 오전 9:00, Judge <gm@example.org>님이 작성:",
    "Vào Th 2, 2 thg 2, 2026 vào lúc 09:00 Judge <gm@example.org> đã viết:",
    "Quoting Judge <gm@example.org>:",
    "Zitat von Judge <gm@example.org>:",
    "Citeren Judge <gm@example.org>:",
    "---- On Mon, 02 Feb 2026 09:00:00 +0100 Judge <gm@example.org> wrote ----",
]

ABOVE_UNMARKED = [
    "On Mon, Feb 2, 2026 at 9:00 AM Judge\n\n<\nmailto:Judge <gm@example.org>\n> wrote:",
    "Am Mo, 2. Feb. 2026 um 09:00, Judge\n\n<\nmailto:gm@example.org\n> schrieb:",
    "Le lun. 2 févr. 2026 à 09:00, Jean Dupont\n\n<mailto:Jean Dupont <gm@example.org>> a écrit :",
    "On Mon, Feb 2, 2026 at 9:00 AM gm@example.org\n\n<\nmailto:gm@example.org\n> wrote:",
    "---- 回复的原邮件 ----\n| 发件人 | Judge<gm@example.org> |\n| 日期 | 2026年02月02日 09:00 |\n| 主题 | plan |",
    "---- 回复的原邮件 ----\n发件人: Judge<gm@example.org>\n日期: 2026年02月02日 09:00",
    "| 差出人 | Judge <gm@example.org> |\n| 日付 | 2026年2月2日 9:00 |\n| 宛先 | Pat |\n| 件名 | plans |",
    "---- Odgovorjeno sporočilo ----\n| | Judge<gm@example.org> |\n|---|---|",
]
"""What stands above quotations without marks; the last is in a language that is in no table."""

SEPARATORS = [
    "-----Original Message-----",
    "-------- Original Message --------",
    "-------- Original message --------",
    "---------- Forwarded message ---------",
    "----- Forwarded by Ann/ACME on 02/02/2026 09:00 -----",
    "-----Ursprüngliche Nachricht-----",
    "-------- Weitergeleitete Nachricht --------",
    "-------- Originalnachricht --------",
    "-----Message d'origine-----",
    "-------- Message original --------",
    "-----Mensaje original-----",
    "-----Messaggio originale-----",
    "-----Oorspronkelijk bericht-----",
    "-----Mensagem original-----",
    "-----Wiadomość oryginalna-----",
    "-----Ursprungligt meddelande-----",
    "-----Oprindelig meddelelse-----",
    "-----Opprinnelig melding-----",
    "-----Alkuperäinen viesti-----",
    "-----Eredeti üzenet-----",
    "-----Původní zpráva-----",
    "-----Исходное сообщение-----",
    "------------------ 原始邮件 ------------------",
    "Begin forwarded message:",
    "Anfang der weitergeleiteten Nachricht:",
    "Début du message réexpédié :",
    "Inizio messaggio inoltrato:",
]

HEADER_BLOCKS = [
    "Од: Judge <gm@example.org>\nИспратено: 2026-02-02 09:00\nДо: Ann <ann@example.org>\nПредмет: plan",
    "Kutoka: gm <gm@gm.test>\nTarehe: 21 Novemba 2026\nKwa: Ann <ann@example.org>\nMada: [spring] S1901M",
    "From: Judge <gm@example.org>\nSent: Monday, February 2, 2026 9:00 AM\nTo: Ann\nSubject: spring",
    "*From:* Judge\n*Date:* Monday\n*To:* Ann\n*Subject:* spring",
    "________________________________\nFrom: Judge\nSent: Monday\nTo: Ann\nSubject: spring",
    "Von: Judge\nGesendet: Montag, 2. Februar 2026 09:00\nAn: Ann\nBetreff: spring",
    "De : Judge\nEnvoyé : lundi 2 février 2026\nÀ : Ann\nObjet : spring",
    "De: Judge\nEnviado el: lunes, 2 de febrero de 2026\nPara: Ann\nAsunto: spring",
    "De: Judge\nEnviada em: segunda-feira\nPara: Ann\nAssunto: spring",
    "Da: Judge\nInviato: lunedì 2 febbraio 2026\nA: Ann\nOggetto: spring",
    "Van: Judge\nVerzonden: maandag 2 februari 2026\nAan: Ann\nOnderwerp: spring",
    "Od: Judge\nWysłano: poniedziałek\nDo: Ann\nTemat: spring",
    "Från: Judge\nSkickat: den 2 februari 2026\nTill: Ann\nÄmne: spring",
    "Fra: Judge\nSendt: mandag den 2. februar\nTil: Ann\nEmne: spring",
    "Lähettäjä: Judge\nLähetetty: maanantai\nVastaanottaja: Ann\nAihe: spring",
    "Feladó: Judge\nKüldve: hétfő\nCímzett: Ann\nTárgy: spring",
    "Odesílatel: x\nOd: Judge\nOdesláno: pondělí\nKomu: Ann\nPředmět: spring",
    "Kimden: Judge\nGönderildi: Pazartesi\nKime: Ann\nKonu: spring",
    "От: Judge\nОтправлено: 2 февраля 2026 г.\nКому: Ann\nТема: spring",
    "发件人: Judge\n发送时间: 2026年2月2日\n收件人: Ann\n主题: spring",
    "差出人: Judge\n送信日時: 2026年2月2日\n宛先: Ann\n件名: spring",
    "Subject: \tspring\nDate: \tMon, 2 Feb 2026\nFrom: \tJudge\nTo: \tAnn",
    "Nork: Judge\nBidaltze-data: 2026(e)ko otsailaren 2a\nNori: Ann\nGaia: spring",
    "Frá: Judge\nSent: mánudagur\nTil: Ann\nEfni: spring",
    "از: Judge\nارسال شده: دوشنبه\nبه: Ann\nموضوع: spring",
    "प्रेषक: Judge\nभेजा गया: सोमवार\nप्रति: Ann\nविषय: spring",
    "Daripada: Judge\nDihantar: Isnin\nKepada: Ann\nSubjek: spring",
    "Nga: Judge\nDërguar: e hënë\nPër: Ann\nSubjekti: spring",
    "Кімнен: Judge\nЖіберілді: дүйсенбі\nКімге: Ann\nТақырып: spring",
    "_______________________\nXaa: Judge <gm@example.org>\nXbb: 2.2.2026 09:00\nXcc: Ann\nXdd dd: spring",
]

COPIED = [
    *lines("""
    [21.11.26, 07:29:33] Ann: hello
    [07:29] Ann: hello
    [7:29 AM] Ann Ng
    [07:29] <ann> hello
    21/11/2026, 07:29 - Ann Ng: hello
    07:29 <ann> hello
    Ann, [21.11.2026 07:29]
    Ann — Today at 07:29
    """),
    "Ann Ng  7:29 AM",
    "Ann Ng <ann@ng.example>                 To\n21.11.2026 07:29                  ben\n"
    "                                  cc\n                       Subject\n                      plan",
    "                     To\n 21.11.2026     Ben\n 07:29         cc\n         Subject\n         plan",
    "21.11.2026 07:29 An Ben\nKopie\nThema Plan",
    "发件人 Ann<ann@ng.example>\n日期 2026年11月21日 07:29",
]
"""Messages of a chat, and headers without colons: they may be the sender's own, and what is below is named."""

IN_ANY_LANGUAGE = [
    "On November 21, 2026 at 7:29 GMT, Ann Ng ( mailto:Ann Ng <ann@ng.example> ) wrote:",
    '>>> On Sat, Nov 21, 2026 at 7:29 AM, in message\n<5B7C1A2B.A1@ng.example>, "Ann Ng" <ann@ng.example> wrote:',
    '>>> On Sat, Nov 21, 2026 at 7:29 AM, in message <5B7C1A2B.A1@ng.example>, "Ann Ng" wrote: ',
    "[Ann Ng, 21.11.2026 07:29 via Zed]:",
    "Tar Nov 21, 2026 - 7.29 blorpte Ann Ng:",
    "  >-----------------------------------|\n  |  To:   ben@ng.example    |\n  |  cc:         |\n"
    "  |  Subject:  plan     |\n  >-----------------------------------|",
    "Ann Ng <ann@ng.example>:",
    "Ann Ng <ann@ng.example> kotadhe:",
    "ann@ng.example (Sat 21/11):",
    "Mnamo Jumamosi, 21 Nov 2026 saa 07:29, Ann Ng <ann@ng.example> kotadhe:",
    "Mnamo Jumamosi, 21 Nov 2026 saa 07:29, Ann Ng <ann@ng.example>\nkotadhe:",
    "Ann Ng <ann@ng.example> igorleak hau idatzi du (2026 aza. 21, lr. (07:29)):",
    "21 ნოე. 2026, შაბ, 07:29 თარიღზე Ann Ng <ann@ng.example>-მა დაწერა:",
    "Ann Ng-ը գրեց 21.11.2026 07:29-ին։",
    "Sat 21 Nov 2026 Ann Ng <ann@ng.example>",
    "<ann@ng.example>\n21/11/2026 07:29",
    "ann@ng.example\nSat, 21 Nov 2026",
    "From: Ann\nDate: Sat",
    "From: Ann Ng <ann@ng.example>\nDate: Sat, 21 Nov 2026 07:29:00 +0000",
    "From: Ann Ng <ann@ng.example>\nTo: ben@ng.example",
    "Ann wrote to me:",
    "Fred schrieb mir:",
    "From: Ann Ng [mailto:ann@ng.example] Sent: Saturday, November 21, 2026 07:29 To: Ben Subject: plan",
    ">>>>> In <871@ng.example>\n>>>>>\tAnn Ng <ann@ng.example> wrote:",
    "> On Sat, Nov 21, 2026 at 7:29 AM Ann Ng\n> <mailto:Ann Ng <ann@ng.example>> wrote:",
    *COPIED,
]

OF_PROGRAMS_THAT_NOBODY_LISTED = [
    *lines("""
    Ann Ng, 7:29 AM, November 21st, 2026:
    2026-11-21T07:29:00Z Ann Ng:
    ২১ নভেম্বর ২০২৬ তারিখে ০৭:২৯ টায় Ann Ng লিখেছেন:
    Sa ika-21 ng Nobyembre 2026 sa 7:29, isinulat ni Ann Ng:
    I le 21 Novema 2026, na tusia e Ann Ng <ann@ng.example>:
    Op Sa. 21 Nov. 2026 om 07:29 het Ann Ng geskryf:
    --- On Sat, 11/21/26, Ann Ng <ann@ng.example> wrote:
    --- Ann Ng wrote on 21 Nov 2026 07:29 ---
    === Ann Ng, 21.11.2026 07:29 ===
    **** Ann Ng <ann@ng.example> [21.11.2026 07:29] ****
    <quote author="Ann Ng" date="2026-11-21 07:29">
    [quote name="Ann Ng" time="2026-11-21 07:29"]
    Also sprach Ann Ng (2026-11-21 07:29):
    """),
    "Ann Ng <ann@ng.example>\nSat 21/11/2026 07:29",
    """\
|---------+---------------------------->
|         |           Ann Ng           |
|         |           21.11.2026 07:29 |
|---------+---------------------------->
  >-----------------------------------|
  |       To:       ben@ng.example    |
  |       Subject:  plan              |
  >-----------------------------------|""",
]
"""Their languages, words, frames and order are in no table: they say who wrote, and when."""

ONLY_ABOVE_MARKS = lines("""
    Sa ika-21 ng Nobyembre 2026, isinulat ni Ann Ng:
    On 21.11.2026 at 07:29 Ann Ng wrote
    Zitat von Ann:
    Quoth Ann Ng on Sat, Nov 21, 2026:
""")
"""What tells too little alone: above marked lines it introduces them, elsewhere it may be a heading of the sender's."""

HEADINGS = lines("""
    Orders for 2026-12-01 18:00:
    My orders for Fall 1901, due 2026-12-01 at 18:00:
    For the deadline of Monday 2 Feb 2026 18:00:
    Proposal for France, 2 Feb 2026 18:00:
    Dear Ann, by 2 February 2026 at 18:00 we should agree on this:
    Before 2026-12-01 18:00 Berlin time I want:
    England wrote on 2026-02-02 18:00: I support you. So:
    On Monday Ann wrote to me: let us fight
    On Monday 2 Feb 2026 at 18:00 Ann wrote to me: let us fight
    Deadline 2026-12-01 18:00:
    Ann said yes, so:
    I wrote on 2026-02-02 18:00 to Ann:
    As we wrote on 2026-02-02 18:00:
    England wrote on 2026-02-02 18:00: go north. So:
    Am 2.2.2026 18:00 schrieb ich an Ann:
    Let us meet Ann Ng on 21 Nov 2026 at 07:29
    Order deadline is 21 Nov 2026, 07:29
    订单截止 2026年11月21日 18:00：
    Turkey, Russia and I agreed on 21.11.2026 at 07:29:
    France, 2026-12-01 18:00:
    Away from 2026-12-01 08:00 to 2026-12-05 18:00:
    Befehle für Frankreich, 21.11.2026 18:00:
    Meine Befehle bis 21.11.2026 18:00:
    Mes ordres pour le 21/11/2026 18:00:
    My address is now ann@ng.example, so:
    setup start=2026-12-01 18:00 zone=Europe/Berlin:
""")
"""Lines of players' own, which have a day, a name and a colon, too."""

TALK = lines("""
    He wrote:
    I wrote to you at 10:00 and you said nothing.
    On Monday I go.
    On the other hand, as the Kaiser wrote: beware.
    To: Germany
    From: France, to: Germany
    Date: soon
    Ann, on 2 February 2026:
    As I wrote to you:
    My address is ann@ng.example now
    Until 2026-12-01 I am ann@ng.example
    2026-12-01 18:00 suits me:
    Original message
    -- My orders --
    ---------
    ====================
    at=18:00 days=mon-fri:
    [18:00] is when I am back
    From: now to: then subject: rules
    To Ben, the subject is the 21.11.2026
""")


@pytest.mark.parametrize("introduction", [*ATTRIBUTIONS, *OF_PROGRAMS_THAT_NOBODY_LISTED, *ONLY_ABOVE_MARKS])
def test_attributions_go_with_the_quote_and_answers_below_stay(introduction: str) -> None:
    words = read_own(f"{ORDER}\n\n{introduction}\n\n> {ECHO}\n\nF BRE-MAO\n")
    assert words.text == f"{ORDER}\n\nF BRE-MAO"
    assert ECHO in words.quoted


@pytest.mark.parametrize("introduction", ATTRIBUTIONS)
@pytest.mark.parametrize("own", ["A PIC-BEL", "1. A PIC-BEL"])
def test_the_line_right_above_an_attribution_is_the_senders(own: str, introduction: str) -> None:
    assert read_own(f"{own}\n{introduction}\n> {ECHO}").text == own


@pytest.mark.parametrize("introduction", ["am 2.2.2026 09:00 schrieb Judge:", "Mon, 2 Feb 2026, Judge wrote:"])
def test_even_when_it_has_a_date_too(introduction: str) -> None:
    assert read_own(f"A PIC-BEL before 18:00\n{introduction}\n> {ECHO}").text == "A PIC-BEL before 18:00"


@pytest.mark.parametrize(
    "introduction",
    [
        *ATTRIBUTIONS[:-4],
        *SEPARATORS,
        *HEADER_BLOCKS,
        *IN_ANY_LANGUAGE,
        *OF_PROGRAMS_THAT_NOBODY_LISTED,
    ],
)
def test_below_an_introduction_without_marks_nothing_is_read(introduction: str) -> None:
    words = read_own(f"{ORDER}\n\n{introduction}\n\n{ECHO}\n\nF BRE-MAO\n")
    assert words.text.split("\n")[0] == ORDER
    assert not {ECHO, "F BRE-MAO"} & set(words.text.split("\n"))
    assert {ECHO, "F BRE-MAO"} <= set(words.quoted)


@pytest.mark.parametrize("line", HEADINGS)
def test_a_heading_of_the_senders_own_is_no_introduction(line: str) -> None:
    assert read_own(f"{line}\n{ORDER}").text == f"{line}\n{ORDER}"
    assert read_own(f"Hello!\n\n{line}\n\n{ORDER}").text == f"Hello!\n\n{line}\n\n{ORDER}"
    assert read_own(f"> {ECHO}\n\n{line}\n{ORDER}").text == f"{line}\n{ORDER}"


PERHAPS = [
    *lines("""
    Tar Nov 21, 2026 - 7.29 blorpte Ann Ng:
    Sa ika-21 ng Nobyembre 2026, blinorpte ni Ann Ng:
    Quoth Ann Ng on Sat, Nov 21, 2026:
    On 21 Nov 2026 07:29 Ann Ng wrote
    王小明 于 2026-11-21 07:29 写道
    王小明 2026年11月21日 07:29：
    김철수 2026-11-21 07:29:
    """),
    "Ann Ng\n21.11.2026 07:29",
]


@pytest.mark.parametrize("introduction", COPIED)
def test_below_what_was_copied_the_orders_are_named(introduction: str) -> None:
    assert read_own(f"{ORDER}\n\n{introduction}\n{ECHO}").doubtful == (ECHO,)


@pytest.mark.parametrize("introduction", PERHAPS)
def test_below_what_only_may_be_an_introduction_the_orders_are_named(introduction: str) -> None:
    words = read_own(f"Hello!\n\n{introduction}\n\n{ECHO}")
    assert (words.text, words.doubtful) == ("Hello!", (ECHO,))
    assert read_own(f"{introduction}\n\n{ORDER}").text.endswith(ORDER)


MARKS = [*("> ", ">", "> > ", ">>", "   > ", "\uff1e", "| ", "|", "\u2502", ": ", ":", ":: ", "AP> ", "AP>", "MK>> ")]
MAY_BE_BULLETS = ["» ", "»", "»» ", "› ", "›", "》 ", "》", "〉", "⟩ ", "❯ ", "≫ ", "=> ", "=>"]
AMONG = [
    "What do you think?\n\n{}\n\nA PIC-BEL",
    "A PIC-BEL\n{}",
    "{}\nno, I play\nA PIC-BEL",
    "{}\nREADY",
    "As I heard today\n{}",
]


@pytest.mark.parametrize("mark", [*MARKS, *MAY_BE_BULLETS])
def test_lines_with_marks_are_quoted_beside_an_attribution_and_the_senders_own_stand_below(mark: str) -> None:
    for above in (
        "Ann wrote:\n",
        "Ann wrote:\n\n",
        "On Mon, 2 Feb 2026 9:00 Ann Ng wrote:\n",
        "Ann Ng <ann@ng.example>:\n",
    ):
        words = read_own(f"F BRE-MAO\n\n{above}{mark}{ECHO}\n{mark}A MAR-SPA\n\n{ORDER}\n")
        assert words.text.split("\n") in (["F BRE-MAO", "", ORDER], ["F BRE-MAO", ORDER])
        assert ({ECHO, "A MAR-SPA"} <= {*words.quoted}, words.doubtful) == (True, ())


@pytest.mark.parametrize("mark", MAY_BE_BULLETS)
@pytest.mark.parametrize("among", AMONG)
def test_marks_among_other_words_that_nothing_introduces_are_asked_about(mark: str, among: str) -> None:
    words = read_own(among.format(f"{mark}{ECHO}\n{mark}A MAR-SPA"))
    assert words.doubtful == (ECHO, "A MAR-SPA")
    assert ECHO not in words.text


@pytest.mark.parametrize("mark", MAY_BE_BULLETS)
@pytest.mark.parametrize(
    "frame", ["{}", "Hello GM,\n\nmy orders:\n{}\n\nRegards\nAnn", "{}\n\nJudge wrote:\n> F BRE-ENG"]
)
def test_a_list_with_such_bullets_is_the_senders_own_if_they_stand_apart(mark: str, frame: str) -> None:
    words = read_own(frame.format(f"{mark}{ECHO}\n{mark}A MAR-SPA"))
    assert (f"{mark}{ECHO}\n{mark}A MAR-SPA" in words.text) is mark.endswith(" ")
    assert words.doubtful == (() if mark.endswith(" ") else (ECHO, "A MAR-SPA"))


@pytest.mark.parametrize(
    "text", ["»A PIC-BEL«", "« A PIC-BEL »", "Par>Bur", "PIC>BEL\nPIC>PAR", ":) see below", "A PIC » BEL"]
)
def test_a_pair_around_words_an_arrow_and_a_face_mark_nothing(text: str) -> None:
    assert read_own(f"Hello!\n{text}\n{ORDER}").text == f"Hello!\n{text}\n{ORDER}"


def test_an_indentation_marks_nothing_for_no_signature_covers_how_long_it_is() -> None:
    indented = f"\t{ECHO}\n   A MAR-SPA"
    assert read_own(f"{ORDER}\nand\n{indented}").text == f"{ORDER}\nand\n{indented}"
    words = read_own(f"F BRE-MAO\n\nAnn wrote:\n{indented}\n\n{ORDER}")
    assert (words.text, {ECHO, ORDER} <= {*words.quoted}) == ("F BRE-MAO", True)


@pytest.mark.parametrize("line", TALK)
def test_what_people_write_themselves_is_no_introduction(line: str) -> None:
    assert read_own(f"{line}\n{ORDER}").text == f"{line}\n{ORDER}"


def test_orders_for_armies_below_a_separator_are_no_fields_of_a_header() -> None:
    above = "---- On Mon, 2 Feb 2026 09:00 Ann Ng <ann@ng.example> wrote ----"
    assert read_own(f"{above}\nA MAR-SPA\nA PIC-BEL\n\n> {ECHO}\n").text == "A MAR-SPA\nA PIC-BEL"


def test_a_marked_header_may_end_a_mail() -> None:
    assert read_own(f"{ORDER}\n\n> From: Ann\n> Sent: Mon\n> To: Ben\n> Subject: x").text == ORDER


@pytest.mark.parametrize("introduction", ABOVE_UNMARKED)
def test_what_is_below_an_address_over_several_lines_or_a_table_is_quoted(introduction: str) -> None:
    assert read_own(f"{ORDER}\n\n{introduction}\n{ECHO}\n").text == ORDER
    assert ORDER in read_own(f"--- my orders ---\nTo: all\n{ORDER}\n| note | text |\n").text


@pytest.mark.parametrize(
    "above", ["A Par-Bur", "DEADLINE 2 Feb 2026 18:00", "I saw you on 2 Feb 2026 at 18:00 in Lyon"]
)
def test_an_address_that_begins_a_line_takes_nothing_of_the_senders_with_it(above: str) -> None:
    assert read_own(f"{above}\n\n<gm@example.org> wrote:\n{ECHO}\n").text == above


LABELLED = [
    "Ó: Bea\nSeolta: 24 Samhain 2026 18:02\nÁbhar: Plans for spring",  # Irish
    "Feha: Bea\nJoh: Ann Lee\nZeit: 24.11.2026, 18.02",
    "Kutoka: Bea\nIlitumwa: Jumanne 24 Novemba 2026 18:02\nKwa: Ann Lee\nMada: Habari",  # Swahili
    "Mula kay: Bea\nPetsa: Nobyembre 24, 2026 6:02 PM\nPara kay: ann@example.org",  # Filipino
    "ከ፦ Bea\nቀን፦ 24 ኖቬምበር 2026 18:02\nርዕስ፦ Plans for spring",  # Amharic
    "ຈາກ: Bea\nວັນທີ: 24/11/2569 18:02\nຫົວຂໍ້: Plans for spring",  # Lao, in its own years
    "அனுப்புநர்: Bea\nதேதி: 24 நவம்பர் 2026 18:02\nபெறுநர்: Ann Lee",  # Tamil
    "*Zeno:* Bea\n*Tempo:* 2026-11-24 18:02\n*Al:* Ann Lee",
    "Qui: Bea\nQuid: Re: Plans for spring\nQuando: 24.11.2026",
    "?????: Bea\n????: 24.11.2026 18:02\n????: Plans for spring",
    "Bidjasz:\nBea\nDanje:\n24/11/2026 18:02\nTam:\nAnn Lee",
    "Qq：Bea\nWw：2026年11月24日 18時02分\nEe：Plans for spring",
]
ADDRESSED = [
    "Kutoka: Bea <bea@example.net>\nIlitumwa: Jumanne 24 Novemba 2026 18:02\nKwa: Pat",  # Swahili
    "Ումից՝ Բեա <bea@example.net>\nՈւղարկված է՝ 24 նոյեմբերի, 2026 18:02\nՈւմ՝ Պատ\nԹեմա՝ պլան",  # Armenian
    "ከ፦ ቤያ <bea@example.net>\nየተላከው፦ 24 ኖቬምበር 2026 18:02\nለ፦ ፓት",  # Amharic
    "Kuva ku: Bea\nItariki: 24.11.2026\nKuri: pat@example.net",  # Kinyarwanda
    "Nani | Bea <bea@example.net>\nLini | 24.11.2026\nKwa | Pat",
]
SPOILED = [
    ("Ումից՝ Բեա <bea@example.net>\nՈւղարկված է՝ 24 նոյեմբերի, 2026 18:02\nՈւմ՝ Պատ", "utf-8", "cp1252"),
    ("发件人：贝亚 <bea@example.net>\n发送时间：2026年11月24日 18:02\n收件人：法国", "gbk", "latin-1"),
    ("发件人：贝亚 <bea@example.net>\n发送时间：2026年11月24日 18:02\n收件人：法国", "gbk", "cp437"),
    ("발신：베아 <bea@example.net>\n날짜：2026년 11월 24일 18:02\n수신：팻", "euc_kr", "koi8-r"),
    ("发件人：贝亚 <bea@example.net>\n发送时间：2026年11月24日 18:02\n收件人：法国", "ascii", "ascii"),
]


@pytest.mark.parametrize(
    "header", [*ADDRESSED, *(text.encode(a, "replace").decode(b, "replace") for text, a, b in SPOILED)]
)
@pytest.mark.parametrize("above", ["", "Hello", ORDER])
def test_so_do_three_with_a_day_and_an_address_whatever_ends_their_labels(header: str, above: str) -> None:
    words = read(message(f"{above}\n\n{header}\n\n{ECHO}\nF BRE-MAO\n", PLAIN, "Subject: orders"))
    assert words.text == above
    assert {ECHO, "F BRE-MAO"} <= {*words.quoted}


OF_OWN = [
    "Name: Pat\nBorn: 1990\nWhere: pat@example.net",
    "Who: Pat\nWhen: 24.11.2026 18:02\nWhere: Vienna",
    "Write to pat@example.net\nor call on 24.11.2026 at 18:02\nor come here",
    "Game: spring\nPower: France\nPhase: S1901M",
    "Name: Ann Lee\nGame: spring\nPower: France",
    "When: 24.11.2026 18:02\nWhere: Vienna\nWho: all of us",
    "When: 24.11.2026 18:02\nAnn Lee: me",
]


@pytest.mark.parametrize("header", LABELLED)
@pytest.mark.parametrize("above", ["See what I was sent.", ORDER])
def test_fields_that_repeat_the_mails_own_in_any_language_introduce_a_quotation(header: str, above: str) -> None:
    body = f"{above}\n\n{header}\n\n{ECHO}\nF BRE-MAO\n"
    words = read(message(body, PLAIN, "Subject: Re: [x] Plans for spring", sender="Ann Lee <ann@example.org>"))
    assert words.text == above
    assert words.doubtful[-2:] == (ECHO, "F BRE-MAO")


@pytest.mark.parametrize(
    "header",
    [
        "Fr?n: Bea\nSkickat: den 24 november 2026 18:02\nTill: Ann\n?mne: plan",
        "Exp?diteur: Bea\nDe: Bea\nEnvoy? : mardi 24 novembre 2026\n? : Ann\nObjet : plan",
        "Le 24 nov. 2026 ? 18:02, Bea a ?crit :",
        "Lähettäjä: Bea\nP?iv?m??r?: 24.11.2026\nVastaanottaja: Ann\nAihe: suunnitelma",
        "Od: Bea\nWys?ano: 24 listopada 2026\nDo: Ann\nTemat: plan",
    ],
)
def test_a_letter_that_was_lost_hides_no_introduction(header: str) -> None:
    words = read_own(f"See what I was sent.\n\n{header}\n\n{ECHO}\n")
    assert ECHO not in words.text


@pytest.mark.parametrize("header", OF_OWN)
def test_fields_that_repeat_nothing_or_tell_no_day_are_the_senders_own(header: str) -> None:
    body = f"Hello!\n\n{header}\n\n{ORDER}\n"
    words = read(message(body, PLAIN, "Subject: Re: [x] Plans for spring", sender="Ann Lee <ann@example.org>"))
    assert words.text.endswith(ORDER)


def test_a_line_without_a_letter_is_not_compared_with_how_people_are_introduced(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It takes twenty times as long as to read it."""
    looked_at: list[str] = []
    monkeypatch.setattr(attribution, "is_attribution", lambda text, **_: looked_at.append(text))
    monkeypatch.setattr(attribution, "may_say_who_wrote", lambda text, _: looked_at.append(text))
    for line in ("-- -- --", "== 12 ==:", "~~~~", "***:"):
        read_own(f"A Par-Bur\n{line}\n{line}\n{line}\n> F Bre-Mao")
    assert {*looked_at} <= {"A Par-Bur", "F Bre-Mao"}


@pytest.mark.parametrize("order", ["A PAR H", "A Paris - Picardy", "A Marseilles S A Par", "A Par Holds"])
@pytest.mark.parametrize("sent", ["Envoy\u00e9", "Envoy\u00e9 ", "Inviato"])
def test_an_order_for_an_army_is_no_label_of_the_header_below_it(order: str, sent: str) -> None:
    """`A` is whom a mail is to, in French and Italian, but a header has a sign behind each of its labels or none."""
    header = f"De : Gamemaster <gm@example.org>\n{sent}: mardi 24 novembre 2026 20:11\nObjet : [spring] S1901M"
    assert read_own(f"{order}\nA MAR H\n\n{header}\n\nThe game spring begins").text == f"{order}\nA MAR H"
