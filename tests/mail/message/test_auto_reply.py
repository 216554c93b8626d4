"""Which mails are never answered (RFC 3834, and the habits of programs)."""

from __future__ import annotations

import pytest

from gm.mail.message.incoming import BY_SUBJECT, LOOP_HEADER, read_message
from tests.mail.message.messages import PLAIN, message, read
from tests.tables import rows, table

ROBOTS = {
    name: (field, reason)
    for name, field, reason in rows("""
    auto-replied                  | Auto-Submitted: auto-replied                        | auto-replied
    auto-generated with a comment | Auto-Submitted: auto-generated; type=x              | auto-generated
    unknown keyword               | AUTO-SUBMITTED: something                           | something
    vacation                      | X-Autoreply: yes                                    | x-autoreply
    absence                       | Subject: Automatic reply: spring                    | absence
    absence in German             | Subject: =?utf-8?q?Automatische_Antwort=3A_spring?= | absence
    absence in French             | Subject: Réponse automatique : spring               | absence
    absence in Polish             | Subject: Automatyczna odpowiedź: spring             | absence
""")
} | {
    "junk": ("Precedence:  Junk ", "junk"),
    "loop": (f"{LOOP_HEADER}: gm@gm.example.org", "our own"),
}
LISTS = {
    name: (field, reason)
    for name, field, reason in rows("""
    bulk      | Precedence: bulk                  | bulk
    list      | Precedence: list                  | list
    list-id   | List-Id: <x.example.org>          | list-id
    list-post | List-Post: <mailto:x@example.org> | list-post
    forwarded | Auto-Submitted: auto-forwarded    | auto-forwarded
""")
}
PEOPLE = {
    "no": "Auto-Submitted: no",
    "by way of a campaign service": "List-Unsubscribe: <mailto:x@example.org>\nList-Unsubscribe-Post: One-Click",
    "first class": "Precedence: first-class",
    "wants no automatic answers": "X-Auto-Response-Suppress: All",
    "some suppressed": "X-Auto-Response-Suppress: DR, RN, NRN, OOF",
    "speaks of absence": "Subject: Re: I am out of office next week",
    "speaks of absence first": "Subject: Out of office next week",
    "orders before an absence": "Subject: Out of office - here are my orders",
    "answers somebody's absence": "Subject: Re: out of office",
    "an automatic win": "Subject: automatic win",
    "an automatic build": "Subject: [spring] automatic builds",
    "a holiday": "Subject: Vacation orders",
    "a car": "Subject: auto",
}


@pytest.mark.parametrize("name", ROBOTS)
def test_robots_by_header(name: str) -> None:
    field, reason = ROBOTS[name]
    assert reason in str(read(message("x", PLAIN, field)).automatic)


@pytest.mark.parametrize("name", LISTS)
def test_lists_by_header(name: str) -> None:
    field, reason = LISTS[name]
    mail = read(message("x", PLAIN, field))
    assert reason in str(mail.listed)
    assert mail.automatic is None
    assert "x-autoreply" in str(read(message("x", PLAIN, f"{field}\nX-Autoreply: yes")).automatic), "robots come first"


@table("""
    language                     | subject
    Bulgarian                    | Автоматичен отговор: spring
    Catalan                      | Resposta automàtica: spring
    Chinese                      | 自动回复: spring
    Chinese, bracketed           | [自动回复] spring
    Croatian                     | Automatski odgovor: spring
    Danish                       | Automatisk svar: spring
    Estonian                     | Automaatvastus: spring
    Finnish                      | Automaattinen vastaus: spring
    Greek                        | Αυτόματη απάντηση: spring
    Hebrew                       | תשובה אוטומטית: spring
    Hungarian                    | Automatikus válasz: spring
    Indonesian                   | Balasan otomatis: spring
    Japanese                     | 自動応答: spring
    Korean                       | 자동 회신: spring
    Latvian                      | Automātiskā atbilde: spring
    Lithuanian                   | Automatinis atsakymas: spring
    Romanian                     | Răspuns automat: spring
    Serbian                      | Аутоматски одговор: spring
    Slovak                       | Automatická odpoveď: spring
    Slovene                      | Samodejni odgovor: spring
    Thai                         | ตอบกลับอัตโนมัติ: spring
    Turkish                      | Otomatik yanıt: spring
    Ukrainian                    | Автоматична відповідь: spring
    Vietnamese                   | Trả lời tự động: spring
    Afrikaans                    | Outomatiese antwoord: spring
    Arabic                       | الرد التلقائي: spring
    Armenian                     | Ավտոմատ պատասխան: spring
    Azerbaijani                  | Avtomatik cavab: spring
    Belarusian                   | Аўтаматычны адказ: spring
    Bengali                      | স্বয়ংক্রিয় উত্তর: spring
    Filipino                     | Awtomatikong tugon: spring
    Georgian                     | ავტომატური პასუხი: spring
    Irish                        | Freagra uathoibríoch: spring
    Kazakh                       | Автоматты жауап: spring
    Kyrgyz                       | Автоматтык жооп: spring
    Luxembourgish                | Automatesch Äntwert: spring
    Maltese                      | Tweġiba awtomatika: spring
    Mongolian                    | Автомат хариу: spring
    Nepali                       | स्वचालित जवाफ: spring
    Swahili                      | Jibu la kiotomatiki: spring
    Tamil                        | தானியங்கு பதில்: spring
    Urdu                         | خودکار جواب: spring
    Uzbek                        | Avtomatik javob: spring
    Welsh                        | Ateb awtomatig: spring
    without a colon              | Out of office re: spring
    with a dash                  | Out of office - AW: [spring] S1901M
    in a sentence                | I’m out of the office Re: spring
    abbreviated                  | OOO Re: spring
    as Sieve writes              | Auto: spring
    in German, without a colon   | Außer Haus AW: spring
    alone                        | Automatic reply
    nothing but an absence       | Out of office
    in German, nothing else      | Nicht im Büro
    in French, nothing else      | Absence du bureau
    in Spanish, nothing else     | Fuera de la oficina
    in Czech, nothing else       | Nepřítomnost v kanceláři
    in Turkish, nothing else     | Ofis dışında
    in Russian, nothing else     | Вне офиса
    in Japanese, nothing else    | 不在のお知らせ
    in Chinese, nothing else     | 外出中
    in Greek, nothing else       | Εκτός γραφείου
    in Finnish, nothing else     | Poissaoloviesti
    in Finnish, with a subject   | Poissaoloviesti: spring
    in Croatian, other words     | Automatsko odgovaranje: spring
    forwarded                    | Fwd: Automatic reply: spring
    before a dash                | Automatic reply - spring
    behind the subject           | Re: [spring] S1901M (Automatic reply)
    in brackets                  | [Auto-Reply] spring
    behind the mark of a gateway | [EXTERNAL] Automatic reply: spring
    behind the mark of a filter  | *****SPAM***** Autoreply: spring
""")
def test_absence_by_its_subject_alone(language: str, subject: str) -> None:
    assert "absence" in str(read(message("x", PLAIN, f"Subject: {subject}")).automatic), language


@pytest.mark.parametrize("subject", ["Subject: auto", "Subject: Vacation orders", "Subject: Re: on holiday", ""])
def test_who_does_not_speak_of_absence_is_not_away(subject: str) -> None:
    assert not read(message("x", PLAIN, *filter(None, (subject,)))).away


@table("""
    language   | subject
    English    | Vacation
    mail       | Away from my mail
    with time  | On holiday until Monday
    with days  | Vacation 20.11. - 3.12.
    Danish     | Jeg er på ferie
    German     | Ich bin im Urlaub
    Spanish    | Estoy de vacaciones
    Portuguese | Ausência temporária
    Icelandic  | Fjarvera
    Polish     | W urlopie
    Hungarian  | Szabadságon vagyok
    Italian    | Sono in ferie
    Dutch      | Ik ben op vakantie
""")
def test_an_absence_that_may_be_a_persons(language: str, subject: str) -> None:
    mail = read(message("x", PLAIN, f"Subject: {subject}"))
    assert (mail.away, mail.automatic) == (True, None), language


@pytest.mark.parametrize("name", PEOPLE)
def test_people(name: str) -> None:
    mail = read(message("x", PLAIN, PEOPLE[name]))
    assert (mail.automatic, mail.listed) == (None, None)


def test_who_is_away_and_sends_orders_is_a_person() -> None:
    mail = read(
        message("I am out of office next week, so here they are:\nA Par-Bur\n", PLAIN, "Subject: Re: [spring] F1901M")
    )
    assert mail.automatic is None
    assert mail.text.endswith("A Par-Bur")


@pytest.mark.parametrize(
    "sender",
    [
        "MAILER-DAEMON@example.org",
        "Shop <no-reply@example.org>",
        "noreply@example.org",
        "do-not-reply@example.org",
        "donotreply+1@example.org",
        "bounces+ann=example.org@lists.example.org",
    ],
)
def test_machines_by_name(sender: str) -> None:
    assert "sent by" in str(read(message("x", sender=sender)).automatic)


@pytest.mark.parametrize(
    "envelope", ["owner-spring@lists.example.org", "spring-bounces+ann=x@lists.example.org", "spring-request@x.org"]
)
def test_lists_by_return_path(envelope: str) -> None:
    assert "list" in str(read(message("x"), envelope_from=envelope).listed)


def test_the_null_return_path() -> None:
    assert read(message("x"), envelope_from="").automatic == "null return path"
    assert read(message("x", PLAIN, "Return-Path: <>"), envelope_from=None).automatic == "null return path"
    assert read(message("x", PLAIN, "Return-Path: <ann@example.org>"), envelope_from=None).automatic is None
    assert read(message("x"), envelope_from=None).automatic is None


def test_reports_of_mail_servers() -> None:
    raw = message("--b\n\nfailed\n--b--", 'multipart/report; report-type=delivery-status; boundary="b"')
    assert "multipart/report" in str(read(raw).automatic)


@pytest.mark.parametrize(
    "sender", ["ann.noreply.fan@example.org", "reply@example.org", "postmasters@example.org", "bounced@example.org"]
)
def test_names_that_only_look_alike(sender: str) -> None:
    assert read(message("x", sender=sender)).automatic is None


@pytest.mark.parametrize(
    "envelope",
    [
        "bounces+1234-ab12-gm=example.org@em.example.net",
        "bounce-mc.us1_1@mail.example.net",
        "noreply@alias.example.net",
    ],
)
def test_people_whose_mail_goes_by_way_of_a_service(envelope: str) -> None:
    assert read(message("x"), envelope_from=envelope).automatic is None


def test_the_postmaster_of_a_household_is_a_person() -> None:
    sender = "postmaster@lees.example"
    assert read(message("x", sender=sender), envelope_from=sender).automatic is None
    assert read(message("x", PLAIN, "Subject: A PAR-BUR", sender=sender), envelope_from=sender).automatic is None
    failure = message("x", PLAIN, "Subject: Undeliverable: spring", sender=sender)
    assert "sent by" in str(read(failure, envelope_from=sender).automatic)
    assert read(message("x", sender=sender), envelope_from="").automatic == "null return path"


@pytest.mark.parametrize(
    ("subject", "robot"),
    [
        ("AUTO: Ann Example is out of the office (returning 05.01.2027)", True),
        ("AUTO: Ann Example ist abwesend. (Rückkehr am 05.01.2027)", True),
        ("[부재중 자동응답] Re: [spring] The game begins", True),
        ("부재중 자동 회신: Re: [spring] The game begins", True),
        ("부재중 자동 응답: [spring]", True),
        ("Urlaub (was: Re: [spring] The game begins)", True),
        ("Away: Re: [spring] The game begins", True),
        ("Read: Re: [spring] The game begins", True),
        ("Gelesen: AW: [spring] The game begins", True),
        ("Read: my orders", False),
        ("Urlaub", False),
        ("Vacation: orders for S1901M", False),
        ("Auto: orders", False),
        ("AUTO: orders while I am out of the office", False),
    ],
)
def test_the_subject_of_a_program_that_answers(subject: str, robot: bool) -> None:
    raw = f"From: a@example.org\nSubject: {subject}\nContent-Type: text/plain; charset=utf-8\n\nA PAR-BUR\n".encode()
    mail = read_message(raw, envelope_from="a@example.org", recipients=())
    assert (mail.automatic not in (None, BY_SUBJECT)) is robot
