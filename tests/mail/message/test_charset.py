"""Character sets: what labels mean, what bytes prove, and that a guess never makes another's words the sender's own."""

from __future__ import annotations

import base64
from dataclasses import replace

import pytest
from webencodings.labels import LABELS

from gm.mail.message.charset import decode
from gm.mail.message.incoming import Message
from tests.mail.message.messages import message, read
from tests.reading.test_contradicted import PLAYER, fates

OWN, ECHO = "A PIC-BEL", "A PAR-PIC"

# Of each set of the standard: the codec that writes it, and an attribution and a header of its own language.
WRITTEN = {
    "utf-8": ("utf-8", "2026年2月2日(月) 9:00 Judge さんは書きました:"),
    "ibm866": ("cp866", "02.02.2026 09:00, Анна пишет:"),
    "iso-8859-2": ("iso8859-2", "W dniu 02.02.2026 o 09:00, Małgorzata napisała:"),
    "iso-8859-3": ("iso8859-3", "Ĵudge skribis:"),
    "iso-8859-4": ("iso8859-4", "Jānis <janis@example.org> rakstīja:"),
    "iso-8859-5": ("iso8859-5", "Анна написала:"),
    "iso-8859-6": ("iso8859-6", "في 2.2.2026 كتب حكم:"),
    "iso-8859-7": ("iso8859-7", "Στις 2/2/2026 9:00 π.μ., ο Κριτής έγραψε:"),
    "iso-8859-8": ("iso8859-8", "בתאריך 2.2.2026 כתב שופט:"),
    "iso-8859-8-i": ("iso8859-8", "בתאריך 2.2.2026 כתב שופט:"),
    "iso-8859-10": ("iso8859-10", "Þann 2.2.2026 skrifaði Dómari:"),
    "iso-8859-13": ("iso8859-13", "2026-02-02 09:00, Šiaulis rašė:"),
    "iso-8859-14": ("iso8859-14", "Ar 2/2/2026, ysgrifennodd Ŵyn:"),
    "iso-8859-15": ("iso8859-15", "Le 02/02/2026 à 09:00, Œdipe a écrit :"),
    "iso-8859-16": ("iso8859-16", "În 2.2.2026, Ștefan a scris:"),
    "koi8-r": ("koi8-r", "02.02.2026 09:00, Анна пишет:"),
    "koi8-u": ("koi8-u", "02.02.2026 09:00, Їжак пише:"),
    "macintosh": ("mac-roman", "Le 02/02/2026 à 09:00, Œdipe a écrit :"),
    "windows-874": ("cp874", "เมื่อ 2 ก.พ. กรรมการ เขียน:"),
    "windows-1250": ("cp1250", "Dne 02. 02. 26 v 9:00 Šárka napsala:"),
    "windows-1251": ("cp1251", "Анна написала:"),
    "windows-1252": ("cp1252", "Le 02/02/2026 à 09:00, Œdipe a écrit :"),
    "windows-1253": ("cp1253", "Ο Κριτής έγραψε:"),
    "windows-1254": ("cp1254", "Yargıç şunu yazdı:"),
    "windows-1255": ("cp1255", "בתאריך 2.2.2026 כתב שופט:"),
    "windows-1256": ("cp1256", "في 2.2.2026 كتب حكم:"),
    "windows-1257": ("cp1257", "Jānis rakstīja:"),
    "windows-1258": ("cp1258", "Giuđge đa\u0303 vi\u00ea\u0301t:"),
    "x-mac-cyrillic": ("mac-cyrillic", "Анна написала:"),
    "gbk": ("gbk", "法官 写道："),
    "gb18030": ("gb18030", "法官 写道："),
    "big5": ("big5hkscs", "法官 寫道："),
    "euc-jp": ("euc_jp", "審判 さんは書きました："),
    "iso-2022-jp": ("iso2022_jp", "審判 さんは書きました："),
    "shift_jis": ("cp932", "審判 さんは書きました："),
    "euc-kr": ("cp949", "심판 님이 작성:"),
    "replacement": ("iso2022_kr", "심판 님이 작성:"),
    "utf-16be": ("utf-16-be", "Анна написала:"),
    "utf-16le": ("utf-16-le", "Анна написала:"),
    "x-user-defined": ("cp874", "เมื่อ 2 ก.พ. กรรมการ เขียน:"),
}
HEADERS = {
    "gbk": "发件人: 法官\n发送时间: 2026年2月2日\n收件人: 安\n主题: 春",
    "shift_jis": "差出人: 審判\n送信日時: 2026年2月2日\n宛先: 安\n件名: 春",
    "windows-874": "จาก: กรรมการ\nส่งเมื่อ: 2 ก.พ. 2026\nถึง: แอน\nเรื่อง: spring",
    "euc-kr": "보낸 사람: 심판\n보낸 날짜: 2026년 2월 2일\n받는 사람: 앤\n제목: spring",
    "koi8-r": "От: Анна\nОтправлено: 2 февраля 2026 г.\nКому: Борис\nТема: весна",
    "iso-8859-8-i": "מאת: שופט\nנשלח: יום שני\nאל: אן\nנושא: אביב",
}


def mail(text: bytes, label: str | None) -> Message:
    """A mail with these bytes as its text."""
    kind = f"text/plain; charset={label}" if label else "text/plain"
    return read(message(base64.encodebytes(text), kind, "Content-Transfer-Encoding: base64"))


def replying(introduction: str, codec: str) -> bytes:
    return f"{OWN}\n\n{introduction}\n\n{ECHO}\n".encode(codec)


def of_the_friend(found: Message) -> bool:
    """Whether only the sender's own orders act, and the friend's are shown."""
    return found.text.strip() == OWN and ECHO in found.quoted


@pytest.mark.parametrize("label", LABELS)
def test_no_label_makes_a_friends_orders_the_senders(label: str) -> None:
    codec, introduction = WRITTEN[LABELS[label]]
    assert of_the_friend(mail(replying(introduction, codec), label))


NO_LANGUAGE = ("replacement", "x-user-defined")


@pytest.mark.parametrize("label", [label for label, name in LABELS.items() if name not in NO_LANGUAGE])
def test_labels_mean_what_the_standard_says(label: str) -> None:
    codec, introduction = WRITTEN[LABELS[label]]
    assert decode(introduction.encode(codec), label).text == introduction


@pytest.mark.parametrize("label", [None, "x-unknown", "unknown-8bit", "us-ascii", "iso-2022-cn", "utf-8"])
@pytest.mark.parametrize("name", sorted(set(WRITTEN) - {"utf-16be", "utf-16le"}))
def test_neither_does_a_label_that_is_missing_unknown_or_wrong(name: str, label: str | None) -> None:
    codec, introduction = WRITTEN[name]
    assert of_the_friend(mail(replying(introduction, codec), label))


@pytest.mark.parametrize("label", ["iso-8859-1", "windows-1252", "iso-8859-15"])
@pytest.mark.parametrize("name", sorted(WRITTEN))
def test_neither_does_a_set_of_western_europe_in_which_another_is_no_text(name: str, label: str) -> None:
    codec, introduction = WRITTEN[name]
    assert of_the_friend(mail(replying(introduction, codec), label))


@pytest.mark.parametrize("label", [None, "utf-8", "us-ascii"])
@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be", "hz", "iso2022_kr"])
@pytest.mark.parametrize(
    "introduction", ["Анна написала:", "Anna a écrit :", "Anna wrote:", "심판 님이 작성:", "法官 写道："]
)
def test_neither_do_wide_letters_and_escapes_without_a_mark(codec: str, introduction: str, label: str | None) -> None:
    if codec not in ("hz", "iso2022_kr") or (codec == "hz") == ("法" in introduction):
        try:
            raw = replying(introduction, codec)
        except UnicodeEncodeError:
            return
        assert of_the_friend(mail(raw, label))


WIDE = ("utf-16", "utf-16le", "utf-16be", "utf-32", "ucs-2", "unicode")


@pytest.mark.parametrize("label", WIDE)
@pytest.mark.parametrize("name", sorted(set(WRITTEN) - {"utf-16be", "utf-16le"}))
@pytest.mark.parametrize("kind", ["text/plain", "text/html"])
def test_neither_does_a_wide_set_that_the_bytes_contradict(name: str, label: str, kind: str) -> None:
    codec, introduction = WRITTEN[name]
    raw = replying(introduction, codec)
    raw = raw.replace(b"\n", b"<br>\n") if kind == "text/html" else raw
    content = base64.encodebytes(raw)
    found = read(message(content, f"{kind}; charset={label}", "Content-Transfer-Encoding: base64"))
    assert of_the_friend(found)
    assert OWN in found.text, "what nothing contradicts is read"


@pytest.mark.parametrize("introduction", ["Zoé a écrit :", "Anna a écrit :", "Jörg schrieb:", "Ågnes skrev:"])
@pytest.mark.parametrize("codec", ["cp850", "cp437"])
def test_neither_do_letters_of_dos(codec: str, introduction: str) -> None:
    assert of_the_friend(mail(replying(introduction, codec), None))


@pytest.mark.parametrize("label", [None, "utf-8", "utf-16", "utf-16le", "utf-16be"])
@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("introduction", ["Anna wrote:", "Анна написала:", "法官 写道："])
def test_neither_do_wide_letters_of_which_a_byte_is_lost(introduction: str, codec: str, label: str | None) -> None:
    raw = replying(introduction, codec)
    for lost in range(2, len(raw)):
        for damaged in (raw[:lost] + raw[lost + 1 :], raw[:lost] + b"\0" + raw[lost:]):
            found = mail(damaged, label)
            sources = replace(PLAYER, beneath=found.beneath)
            assert ECHO not in found.text or ECHO not in fates(found.text, sources)[0]


WITH_ZEROS = [
    b"\0\0A PAR-BUR\0\nA MAR-SPA\0\n\0",
    b"A PAR-BUR" + b"\0" * 500 + b"\nA MAR-SPA\n" + b"\0" * 500,
    b"\0A \0PAR\0-\0BUR\0\n\0A \0MAR\0-\0SPA\0\n",
    b"\nA PAR-BUR\n".replace(b"\n", b"\0\n\0") + b"A MAR-SPA",
]


@pytest.mark.parametrize("raw", WITH_ZEROS)
@pytest.mark.parametrize("label", [None, "us-ascii", "utf-8", "iso-8859-1"])
def test_zeros_among_ascii_say_nothing(raw: bytes, label: str | None) -> None:
    assert mail(raw, label).text.strip() == "A PAR-BUR\nA MAR-SPA"


def test_a_letter_that_was_lost_between_zeros_is_shown() -> None:
    raw = "A PAR-BUR\nA MÜN-BER\nA MAR-SPA\nREADY".encode("utf-16-le").replace(b"M\0A\0R", b"M\0\0R")
    found = mail(raw, None)
    assert (found.text, found.left_out) == ("A PAR-BUR\nA MÜN-BER\nREADY", ("A M\ufffdR-SPA",))


LOOK_WESTERN = {
    "Dne 2. února Šárka napsala:": "mac-latin2",
    "El 2 de febrero, Núria escribió:": "mac-roman",
    "Zoé a écrit :": "mac-roman",
    "De : Anna\nEnvoyé : lundi\nÀ : Zoé\nObjet : été": "mac-roman",
    "Från: Ågnes\nSkickat: måndag\nTill: Örjan\nÄmne: våren": "mac-roman",
    "Lähettäjä: Päivi\nLähetetty: tiistai\nVastaanottaja: Äiti\nAihe: kevät": "mac-roman",
    "-----Ursprüngliche Nachricht-----": "mac-roman",
    "Jānis rakstīja:": "iso8859-4",
    "Šiaulis rašė:": "iso8859-4",
    "No: Jānis\nNosūtīts: otrdiena\nKam: Ilze\nTēma: pavasaris": "cp1257",
    "Nuo: Ona\nIšsiųsta: antradienis\nKam: Jonui\nTema: pavasaris": "cp1257",
}


@pytest.mark.parametrize(("introduction", "codec"), LOOK_WESTERN.items(), ids=map(str, LOOK_WESTERN.values()))
@pytest.mark.parametrize("label", ["iso-8859-1", None])
def test_neither_do_letters_that_may_pass_for_western_ones(introduction: str, codec: str, label: str | None) -> None:
    assert of_the_friend(mail(replying(introduction, codec), label))


@pytest.mark.parametrize("label", [None, "us-ascii", "utf-8", "iso-8859-1", "utf-7"])
@pytest.mark.parametrize("introduction", [*(words for _, words in WRITTEN.values()), *HEADERS.values()])
def test_neither_does_utf7_that_nothing_declares(introduction: str, label: str | None) -> None:
    assert of_the_friend(mail(replying(introduction, "utf-7"), label))


PLUS_SIGNS = [
    "gm+together.abcdefgh@example.org",
    "A PAR + A BUR",
    "+Tus-Pie",
    "call +49 176 1234 or +15551234567",
    "C++, 1+1 and a+b-c",
    "+together we win",
    "https://maps.example/?q=two+words+and+more",
    "+-AOk-",
]


@pytest.mark.parametrize("text", PLUS_SIGNS)
def test_a_plus_sign_is_one(text: str) -> None:
    assert decode(text.encode(), None) == (text, False)


def test_orders_in_undeclared_utf7_are_asked_about_or_told() -> None:
    text = "Anna a écrit en février :\n\nA PAR-PIC\nA MÜN-BER\n"
    found = mail(text.encode("utf-7"), None)
    assert found.text == ""
    assert {"A PAR-PIC", "A MÜN-BER"} <= {*found.quoted, *found.doubtful}


@pytest.mark.parametrize("label", [None, "x-unknown", "us-ascii"])
@pytest.mark.parametrize("name", HEADERS)
def test_header_blocks_in_guessed_letters(name: str, label: str | None) -> None:
    found = mail(replying(HEADERS[name], WRITTEN[name][0]), label)
    assert of_the_friend(found)


@pytest.mark.parametrize("name", ["windows-874", "gbk", "koi8-r"])
def test_what_is_below_guessed_letters_is_asked_about(name: str) -> None:
    codec, introduction = WRITTEN[name]
    assert ECHO in mail(replying(introduction, codec), "x-unknown").doubtful


@pytest.mark.parametrize(
    "text",
    [
        "Grüße aus München\nA PIC-BEL\nA MÜN H",
        "A PAR–BUR – now\n1. F BRE–MAO ‘please’",
        "A M\u00dcN H\n\nGru\u00df\nJ\u00f6rg",
    ],
)
def test_a_guess_costs_nothing_where_nobody_can_be_quoted(text: str) -> None:
    found = mail(text.encode("cp1252"), None)
    assert (found.text, found.doubtful) == (text, ())


@pytest.mark.parametrize("label", [None, "utf-8", "x-unknown"])
@pytest.mark.parametrize(
    "above", ["Hier sind meine Züge für das Frühjahr:", "Grüße! Ägypten lebe hoch: 3 Hurras", "Février passé:"]
)
def test_words_of_a_latin_language_whose_letters_are_the_same_in_all_its_sets_are_certain(
    above: str, label: str | None
) -> None:
    found = mail(f"{above}\n{ECHO}\n".encode("cp1252"), label)
    assert (ECHO in found.text, found.doubtful) == (True, ())


@pytest.mark.parametrize("label", [None, "utf-8", "x-unknown"])
@pytest.mark.parametrize(
    ("above", "codec"),
    [
        ("Jörg schrieb über Österreich:", "cp1252"),  # it is a header, whatever its set
        ("Am 20. März 2026 um 20:14 schrieb Jörg Müller:", "cp1252"),
        ("Můj přítel Marek píše pozdě:", "cp1250"),
        ("Günün önerisi, Mehmet yazdı:", "cp1254"),
        ("Ночной ход, Марио:", "koi8-r"),
        ("Марио, 20:14", "cp1251"),
        ("マリオ案:", "shift_jis"),
        ("馬里奧:", "big5"),
        ("Bücherwurm März 20:14", "mac-roman"),
        ("Jörg über Österreich:", "cp850"),
    ],
)
def test_other_guessed_letters_stay_in_doubt(above: str, codec: str, label: str | None) -> None:
    found = mail(f"{above}\n{ECHO}\n".encode(codec), label)
    assert ECHO not in found.text


def test_marked_quotations_below_guessed_letters_leave_answers_alone() -> None:
    text = "กรรมการ เขียน:\n> A PAR-PIC\n\nA PIC-BEL\n"
    found = mail(text.encode("cp874"), "x-unknown")
    assert (found.text, found.doubtful) == ("A PIC-BEL", ())


JAPANESE = "審判の手紙"
ESCAPED = JAPANESE.encode("iso2022_jp")
BYTES = {
    "UTF-8 in a set of one byte": ("A MÜN H — é".encode(), "iso-8859-1", "A MÜN H — é", False),
    "UTF-8 in a set that Python does not know": ("Анна".encode(), "x-koi", "Анна", False),
    "UTF-8 in a set of two bytes": (JAPANESE.encode(), "shift_jis", JAPANESE, False),
    "two bytes that are UTF-8 by chance": ("模".encode("gbk"), "gb2312", "模", True),
    "undeclared ISO-2022-JP": (ESCAPED, None, JAPANESE, False),
    "ISO-2022-JP as UTF-8": (ESCAPED, "utf-8", JAPANESE, False),
    "ISO-2022-JP without escapes": (ESCAPED.replace(b"\x1b", b""), "iso-2022-jp", JAPANESE, False),
    "ISO-2022-JP without its end": (ESCAPED[:-3] + b"\nA PAR-BUR", "iso-2022-jp", f"{JAPANESE}\nA PAR-BUR", False),
    "a vendor's signs": (b"\x1b$B-!\x1b(B A PAR-BUR", "iso-2022-jp", "\u2460 A PAR-BUR", False),
    "half-width katakana": (b"\x1b(I5!\x1b(B", "iso-2022-jp", "\uff75\uff61", False),
    "the second plane": (b"\x1b$(D0#\x1b(B", "iso-2022-jp", "\u4e05", False),
    "half a character": (b"\x1b$B;3K\x1b(B A PAR-BUR", None, "山\ufffd A PAR-BUR", False),
    "Shift_JIS as ISO-2022-JP": (JAPANESE.encode("cp932"), "iso-2022-jp", JAPANESE, False),
    "an escape of another standard": (b"\x1b$)A\x0eabc\x0f", "iso-2022-cn", "\ufffd$)A\ufffdabc\ufffd", True),
    "no set at all": (b"\xe9t\xe9", None, "été", True),
    "broken UTF-8": ("é".encode() + b" \xe9", "utf-8", "é \ufffd", False),
    "HZ": ("法官".encode("hz"), "us-ascii", "法官", False),
    "ISO-2022-KR": ("심판".encode("iso2022_kr"), None, "심판", False),
    "a zero by mistake": (b"A PAR-BUR \0 \xe9", "iso-8859-1", "A PAR-BUR \0 \xe9", False),
    "UTF-16 that says nothing": ("A PAR-BUR Анна".encode("utf-16-le"), None, "A PAR-BUR Анна", True),
    "UTF-32 that says nothing": ("Анна".encode("utf-32-be"), "utf-8", "Анна", True),
    "Cyrillic as Latin": ("Анна".encode("cp1251"), "iso-8859-1", "Àííà", True),
    "Icelandic in UTF-8": ("Þór bað".encode(), "utf-8", "Þór bað", False),
    "UTF-8 with one letter of another set": (
        "Борис пишет:".encode() + b" \xcf",
        "windows-1251",
        "Борис пишет: \ufffd",
        False,
    ),
    "controls of a wrong set": (b"A \x96 B", "iso-8859-5", "A \ufffd B", True),
    "UTF-8 as UTF-16": ("Zoé: A PAR-BUR".encode(), "utf-16", "Zoé: A PAR-BUR", False),
    "Latin as UTF-32": ("Zoé: A PAR-BUR".encode("latin-1"), "utf-32", "Zoé: A PAR-BUR", True),
    "UTF-16, the other way": ("A PAR-BUR".encode("utf-16-be"), "utf-16le", "A PAR-BUR", False),
}


@pytest.mark.parametrize(("raw", "declared", "text", "guessed"), BYTES.values(), ids=BYTES)
def test_what_bytes_mean(raw: bytes, declared: str | None, text: str, guessed: bool) -> None:
    assert decode(raw, declared) == (text, guessed)


def test_a_page_may_name_its_set_itself() -> None:
    page = '<html><head><meta charset="windows-1251"></head><body>Анна</body></html>'
    raw = message(base64.encodebytes(page.encode("cp1251")), "text/html", "Content-Transfer-Encoding: base64")
    assert read(raw).text == "Анна"


@pytest.mark.parametrize("kind", ["text/plain; charset=windows-1251", 'multipart/mixed; boundary="b"'])
def test_what_is_in_8_bits_in_a_header_is_in_the_charset_of_the_text(kind: str) -> None:
    body = "--b\nContent-Type: text/plain; charset=windows-1251\n\nA PAR-BUR\n--b--\n"
    raw = message(body, kind).replace(b"To: gm", b"Subject: \xcf\xe0\xf0\xe8\xe6\nTo: gm")
    raw = raw.replace(b"From: ann@example.org", "From: Анна <ann@example.org>".encode("cp1251"))
    found = read(raw)
    assert (found.subject, found.sender_name, found.sender) == ("Париж", "Анна", "ann@example.org")


@pytest.mark.parametrize("charset", ["utf-16", "cp037", "hz", "shift_jis", "x-unknown"])
def test_no_charset_makes_a_sender_another(charset: str) -> None:
    raw = message("A PAR-BUR\n", f"text/plain; charset={charset}")
    raw = raw.replace(b"From: ann@example.org", b"From: \xcf\xcf <ann@example.org>\nSubject: ~{<<~}")
    assert read(raw).sender == "ann@example.org"


def test_accents_that_are_written_apart_are_read() -> None:
    found = mail(replying("Le 2 fe\u0301vrier, Judge a e\u0301crit :", "utf-8"), "utf-8")
    assert of_the_friend(found)


CYRILLIC = "Вот что прислали.\n\nОт: Анна Ли\nОтправлено: 24 ноября 2026 г.\nКому: Борис\nТема: Весна"
GREEK = "Δες τι έστειλαν.\n\nΑπό: Άννα Λι\nΣτάλθηκε: 24 Νοεμβρίου 2026\nΠρος: Μπεν\nΘέμα: Άνοιξη"
TURKISH = "Bak ne geldi.\n\nGönderen: Ayşe Öz\nGönderme Tarihi: 24 Kasım 2026\nKime: Işık\nKonu: Bahar"
HEBREW = "תראה מה שלחו.\n\nמאת: אנה לי\nנשלח: 24 בנובמבר 2026\nאל: בן\nנושא: אביב"
ARABIC = "انظر ماذا أرسلوا.\n\nمن: آنا لي\nتاريخ الإرسال: 24 نوفمبر 2026\nإلى: بن\nالموضوع: ربيع"
CZECH = "Podívej se.\n\nOd: Žofie Šárková\nOdesláno: 24. listopadu 2026\nKomu: Řehoř\nPředmět: Léto"
OF_TEXT = {"koi8-r": CYRILLIC, "cp1251": CYRILLIC, "iso8859-5": CYRILLIC, "cp866": CYRILLIC, "cp1253": GREEK}
OF_TEXT |= {"iso8859-7": GREEK, "cp737": GREEK, "iso8859-9": TURKISH}
OF_TEXT |= {"mac-cyrillic": CYRILLIC, "cp1255": HEBREW, "cp862": HEBREW, "cp1256": ARABIC, "iso8859-6": ARABIC}
OF_TEXT |= {"cp1250": CZECH, "cp852": CZECH, "mac-latin2": CZECH, "cp857": TURKISH}
SINGLE = (
    *("koi8-r", "koi8-u", "windows-1251", "iso-8859-5", "ibm866", "x-mac-cyrillic", "iso-8859-7", "windows-1253"),
    *("windows-1255", "windows-1256", "windows-1250", "iso-8859-2", "windows-874", "windows-1254", "windows-1252"),
    *("iso-8859-6", "iso-8859-8", "cp850", "cp852"),
)


@pytest.mark.parametrize("declared", SINGLE)
@pytest.mark.parametrize("written", OF_TEXT)
def test_neither_does_a_set_of_single_bytes_that_is_another(written: str, declared: str) -> None:
    raw = f"{OF_TEXT[written]}\n\n{ECHO}\n".encode(written)
    assert ECHO not in read(message(raw, f"text/plain; charset={declared}")).text


@pytest.mark.parametrize("written", OF_TEXT)
def test_a_text_in_its_own_set_is_not_guessed(written: str) -> None:
    own = "Один кВт, ВУЗов, e-mail и SMS-ка" if OF_TEXT[written] is CYRILLIC else "Wi-Fi"
    assert not decode(f"{OF_TEXT[written]}\n{own}\n".encode(written), written).guessed


@pytest.mark.parametrize(
    "above", ["Frühjahr 1901", "Mes ordres d'été 1901", "Frankreich, F1901M", "Printemps 1901 (à l'été)"]
)
def test_a_phase_in_letters_of_a_guessed_set_is_no_date(above: str) -> None:
    raw = f"{above}\n{ECHO}\n".encode("cp1252")
    assert ECHO in read(message(raw, "text/plain; charset=utf-8")).text
    dated = f"{above}, Août 24\n{ECHO}\n".encode("cp1252")
    assert ECHO not in read(message(dated, "text/plain; charset=utf-8")).text
