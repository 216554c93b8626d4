"""Bounces: delivery reports as mail servers write them, other formats, and mails that only look like bounces."""

from __future__ import annotations

from functools import partial

import pytest

from gm.mail.message.bounce_report import DEAD, NO_FAILURE, Reason, our_message_ids, read_bounce, refused
from tests.server.bounces import in_own_words, report
from tests.tables import lines, rows
from tests.timing import cost

ANN = "ann@example.org"

STATUSES = [
    ("5.1.1", "550 5.1.1 User unknown", True),
    ("5.1.10", "recipient address has null MX", True),
    ("5.0.0", "550 no", False),
    ("5.2.1", "mailbox disabled", True),
    ("5.2.1", "550-5.2.1 The email account that you tried to reach is inactive.", True),
    ("5.0.0", "554 30 Sorry, your message cannot be delivered. This mailbox is disabled (554.30).", True),
    ("5.2.1", "550 5.2.1 mailbox temporarily disabled", False),
    ("4.2.1", "450 4.2.1 account disabled", False),
    ("5.2.2", "552 quota exceeded", False),
    ("5.2.3", "message too large", False),
    ("5.3.4", "552 message size exceeds limit", False),
    ("5.4.4", "no route to host", False),
    ("5.7.1", "554 5.7.1 spam message rejected", False),
    ("4.4.7", "delivery time expired", False),
    ("4.2.2", "mailbox full", False),
]


@pytest.mark.parametrize(
    ("status", "words", "hard"), STATUSES, ids=[f"{status} {words}" for status, words, _ in STATUSES]
)
def test_a_report_by_its_status(status: str, words: str, hard: bool) -> None:
    found = read_bounce(report(ANN, status, words))
    assert found is not None
    assert (found.hard, found.status, found.words) == (hard, status, words)


def test_what_is_said_of_the_address_is_more_exact_than_a_vague_reply() -> None:
    said = f"收件人邮件地址（{ANN}）不存在，邮件无法送达。"
    for above, hard in ((said, True), (f"（{ANN}）", False)):
        mail = "From: PostMaster@qq.example\nSubject: 系统退信\nContent-Type: text/plain; charset=utf-8\n\n"
        mail += f"{above}\nhost said: 550 Mailbox unavailable or access denied\n"
        found = read_bounce(mail.encode())
        assert found is not None
        assert (found.hard, found.recipients) == (hard, (ANN,))


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n"])
def test_line_ends(line_end: bytes) -> None:
    assert read_bounce(report(ANN, "5.1.1", "no").replace(b"\n", line_end)) is not None


@pytest.mark.parametrize("action", ["delayed", "delivered", "relayed", "expanded", ""])
def test_what_is_no_failure(action: str) -> None:
    found = read_bounce(report(ANN, "2.0.0", "fine", action=action))
    assert found is None or found.reason in NO_FAILURE


def test_of_several_recipients_the_one_that_failed() -> None:
    raw = report(ANN, "2.0.0", "fine", action="delivered").replace(
        b"smtp; fine\n", b"smtp; fine\n\nFinal-Recipient: rfc822; x\nAction: failed\nStatus: 5.1.1\n"
    )
    found = read_bounce(raw)
    assert found is not None
    assert (found.hard, found.status) == (True, "5.1.1")


BOB, CY = "bob@example.net", "cy@example.net"
DEAD_BOB = f"550 5.1.1 <{BOB}>: user unknown"
OF_SEVERAL = rows("""
    delivered ann, failed bob              | delivered
    failed bob, relayed ann                | delivered
    expanded ann, failed bob               | delivered
    failed bob, delayed ann                | delayed
    delivered bob, failed ann              | user unknown
    failed bob                             | unknown
    failed bob, failed cy                  | about others
    failed bob for ann                     | user unknown
    failed bob for ann, delivered cy for ann | delivered
""")


@pytest.mark.parametrize("plain", [False, True], ids=["a report", "the same fields as text"])
@pytest.mark.parametrize(("blocks", "expected"), OF_SEVERAL)
def test_a_report_is_read_for_each_recipient(blocks: str, expected: str, *, plain: bool) -> None:
    """Only what is said of the address that we mailed is concluded of it."""
    addresses, said = {"ann": ANN, "bob": BOB, "cy": CY}, []
    for block in blocks.split(", "):
        action, who, *original = block.split()
        status = {"failed": "5.1.1", "delayed": "4.4.1"}.get(action, "2.0.0")
        first = [f"Original-Recipient: rfc822; {addresses[original[-1]]}"] if original else []
        final = f"Final-Recipient: rfc822; {addresses[who]}"
        said.append("\n".join([*first, final, f"Action: {action}", f"Status: {status}"]))
    raw = report(ANN, "2.0.0", "fine")
    head, _, rest = raw.partition(b"Final-Recipient")
    text = "\n\n".join(said)
    whole = head + text.encode() + rest[rest.index(b"\n--b") :]
    if plain:
        whole = f"From: MAILER-DAEMON@x.org\nTo: gm@example.org\nSubject: failure notice\n\n{text}\n".encode()
    found = read_bounce(whole, (ANN,))
    assert found is not None
    assert found.reason == expected
    assert found.hard is (expected == "user unknown")


IN_WORDS_OF_SEVERAL = rows(f"""
    <{BOB}>: {DEAD_BOB}/<{ANN}>: delivered to mailbox                    | about others
    <{ANN}>: relayed/<{BOB}>:/{DEAD_BOB}                                 | about others
    <{ANN}>: will be retried/<{BOB}>: {DEAD_BOB}                         | delayed
    <{BOB}>: delivered//<{ANN}>:/550 5.1.1 user unknown                  | user unknown
    It was delivered to {ANN} but not to {BOB}: user unknown             | about others
    It could not be delivered to {BOB}: user unknown                     | unknown
    Ask postmaster@x.org why {ANN} failed:/550 5.1.1 user unknown        | user unknown
    550 5.1.1 user unknown                                               | user unknown
""")


@pytest.mark.parametrize(("words", "expected"), IN_WORDS_OF_SEVERAL)
def test_so_are_a_programs_own_words(words: str, expected: str) -> None:
    head = "From: MAILER-DAEMON@x.org\nTo: gm@example.org\nSubject: failure notice\n\n"
    found = read_bounce((head + words.replace("/", "\n")).encode(), (ANN,))
    assert found is not None
    assert found.reason == expected
    assert found.hard is (expected == "user unknown")


@pytest.mark.parametrize(("listed", "expected"), [(BOB, "unknown"), (f"{BOB}, {CY}", "about others")])
def test_so_is_the_field_of_those_that_failed(listed: str, expected: str) -> None:
    raw = f"X-Failed-Recipients: {listed}\nSubject: Mail delivery failed\n\n550 5.1.1 user unknown\n".encode()
    found = read_bounce(raw, (ANN,))
    assert found is not None
    assert found.reason == expected


def test_so_is_a_notification_in_json() -> None:
    each = ", ".join(
        f'{{"emailAddress":"{one}","status":"{status}","diagnosticCode":"smtp; {words}"}}'
        for one, status, words in ((BOB, "5.1.1", "550 no such user"), (ANN, "5.2.2", "552 mailbox full"))
    )
    raw = f'From: a@sns.example\n\n{{"notificationType":"Bounce","bouncedRecipients":[{each}]}}\n'.encode()
    reasons = [found and found.reason for found in (read_bounce(raw, (one,)) for one in (ANN, BOB))]
    assert reasons == [Reason.FULL, Reason.USER_UNKNOWN]


def test_servers_that_do_not_keep_to_the_standard() -> None:
    found = read_bounce(in_own_words(ANN))
    assert found is not None
    assert (found.hard, found.status) == (True, "5.1.1")


@pytest.mark.parametrize(
    "raw",
    [
        b"", b"\n\n", b"Subject: Out of office\n\nI am away until Monday. 5.1.1 is my office.\n",
        b"Content-Type: multipart/report; boundary=b\n\n--b\nContent-Type: message/delivery-status\n\n--b--\n",
        b"Content-Type: multipart/report\n\nx", b"Content-Type: message/delivery-status\n\nAction: failed\xff\n"[:40],
    ],
)  # fmt: skip
def test_what_is_no_bounce(raw: bytes) -> None:
    assert read_bounce(raw) is None


@pytest.mark.parametrize(
    ("words", "hard", "status"),
    [("550 5.1.1 no such user", True, "5.1.1"), ("552 5.2.2 full", False, "5.2.2"), ("550 no", False, ""),
     ("554 5.7.1 rejected as spam", False, "5.7.1"), ("", False, "")],
)  # fmt: skip
def test_refused_at_once(words: str, hard: bool, status: str) -> None:
    found = refused(words)
    assert (found.hard, found.status) == (hard, status)


def test_the_mail_that_came_back_is_known_by_its_message_id() -> None:
    ours = f"<{'0123456789abcdef' * 2}@gm.example.org>"
    raw = report(ANN, "5.1.1", "no", original=f"Message-ID: {ours}\nReferences: <x@y> {ours}\n\nx\n".encode())
    assert our_message_ids(raw) == (ours,)
    assert our_message_ids(f"Message-ID: {ours}\n\nnothing of ours\n".encode()) == ()


@pytest.mark.parametrize("piece", [b"Action: failed\n\n", b"<a@b.example>:\n", b"\n", b"--b\n", b"550 5.1.1 <a@b.c>\n"])
def test_a_hostile_one_costs_little_more_than_an_honest_mail(piece: bytes) -> None:
    honest = b"Subject: Re: results\n\n" + b"A PIC-BEL and so forth, until the line is fifty long\n" * 17_000
    head = b"Content-Type: multipart/report; boundary=b\n\n--b\nContent-Type: message/delivery-status\n\n"
    for raw in (
        head + piece * (900_000 // len(piece)),
        b"Subject: failure notice\n\n" + piece * (900_000 // len(piece)),
    ):
        assert cost(partial(read_bounce, raw), partial(read_bounce, honest), enough=25) < 25


COMPLAINT = b"""Subject: FW: Results
Content-Type: multipart/report; report-type=feedback-report; boundary=b

--b
Content-Type: text/plain

This is an email abuse report.

--b
Content-Type: message/feedback-report

Feedback-Type: abuse
Version: 1
Original-Rcpt-To: <ann@example.org>

--b
Content-Type: message/rfc822

Subject: Results

--b--
"""


def test_a_complaint_is_read_as_one() -> None:
    found = read_bounce(COMPLAINT)
    assert found is not None
    assert (found.reason, found.hard, found.recipients) == (Reason.COMPLAINT, False, (ANN,))


def test_a_service_may_notify_of_a_delivery_in_json() -> None:
    text = f'{{"notificationType":"Delivery","delivery":{{"smtpResponse":"250 taken","emailAddress":"{ANN}"}}}}'
    found = read_bounce(f"From: no-reply@sns.example\nSubject: Notification\n\n{text}\n".encode())
    assert found is not None
    assert (found.reason, found.recipients, found.words) == (Reason.DELIVERED, (ANN,), "250 taken")


def test_a_delay_in_a_program_s_own_words_is_no_failure() -> None:
    raw = (
        b"From: Mailer Daemon <MAILER-DAEMON@example.net>\nSubject: Delivery status notification: warning\n\n"
        b"A message is delayed for more than 10 minutes for the following list of recipients:\n\n"
        b"ann@example.org: Network error on destination MXs\n\n"
        b"You DO NOT NEED to re-send the message to these recipients.\n"
    )
    found = read_bounce(raw)
    assert found is not None
    assert found.reason is Reason.DELAYED


def test_what_only_a_programs_own_name_tells_is_known_by_it() -> None:
    header = b"From: Mailer <mailer@club.example>\nTo: gm@example.org\nSubject: hm\nX-Mailer: <SMTP32 v6.00>\n\n"
    found = read_bounce(header + b"undeliverable to ann@example.org\nOriginal message follows.\n")
    assert found is not None
    assert (found.reason, found.recipients) == (Reason.UNKNOWN, ("ann@example.org",))


def test_of_a_transcript_the_first_refusal_counts() -> None:
    header = b"From: mailer-daemon@club.example\nTo: gm@example.org\nSubject: Undelivered\n\n"
    said = ["The transcript, for ann@example.org:", "250-SIZE", *["250-EXTENSION"] * 9, "550 5.1.1 User unknown", "bye"]
    found = read_bounce(header + "\n".join(said).encode())
    assert found is not None
    assert (found.reason, found.status) == (Reason.USER_UNKNOWN, "5.1.1")
    assert found.words.startswith("550 5.1.1")


WORDS = rows("""
    5.1.1 | 552 5.2.2 Over quota | FULL
    5.1.1 | 550 5.7.1 IP address blacklisted by recipient | POLICY
    5.4.1 | 550 5.4.1 [ann@example.org]: Recipient address rejected: Access denied | USER_UNKNOWN
    5.1.8 | 553 5.1.8 Domain of sender address gm@example.org does not exist | SENDER
    5.4.5 | 550 5.4.5 Daily user sending limit exceeded | RATE
    5.0.0 | 550 relay access denied | RELAY
    5.6.0 | 554 5.6.0 Malformed | CONTENT
    5.5.4 | <ann@example.org> was refused: 501 5.5.4 Invalid arguments | SYSTEM
    5.5.0 | 550 5.5.0 Requested action not taken: mailbox unavailable | USER_UNKNOWN
     | 500 unrecognized | SYSTEM
    5.1.1 | 550 5.1.1 Sending rate exceeded | RATE
    5.1.1 | 550 5.1.1 Too many messages | RATE
    5.1.1 | 550 5.1.1 User unknown, try again later | USER_UNKNOWN
    5.1.1 | 550 5.1.1 too many recipients this hour, policy | POLICY
    5.1.1 | 550 5.1.1 User unknown, rejected by policy | USER_UNKNOWN
    5.0.0 | 550 Requested action not taken: mailbox unavailable | USER_UNKNOWN
    5.7.324 | 550 5.7.324 dnssec-invalid: Destination domain returned invalid DNSSEC records | NETWORK
    5.7.1 | 554 5.7.1 DANE: no usable TLSA records, host unknown | NETWORK
    5.7.5 | 550 5.7.5 MTA-STS: invalid domain policy | NETWORK
    5.1.1 | 550 5.1.1 Dane Lee: user unknown | USER_UNKNOWN
""")


def test_the_words_say_more_than_the_code() -> None:
    for status, words, reason in WORDS:
        found = read_bounce(report(ANN, status, words))
        assert found is not None
        assert found.reason is Reason[reason], words


# ours is example.org, theirs is club.example; {us} is the return path
OF_WHOM = rows("""
    550 5.1.1 User unknown                                                 | their server said | user unknown
    550 5.1.1 <bob@club.example>: no such user, gm@example.org writes      |           | user unknown
    550 5.1.1 <{us}>: no such user                                         |           | sender refused
    550 Verification of <{us}> failed: no such user here                   |           | sender refused
    550 Callback: RCPT TO:<{us}> said 550 unknown user                     |           | sender refused
    550 unknown user                    | we asked the other side: RCPT TO:<{us}>      | sender refused
    550 5.1.2 mail.example.org: host unknown                               |           | sender refused
    550 5.1.2 example.org does not exist                                   |           | sender refused
    550 5.1.2 mail.club.example: host unknown                              |           | host unknown
    550 5.1.2 xexample.org: host unknown                                   |           | host unknown
    550 no such user here       | SMTP error after MAIL FROM:<{us}> SIZE=100           | sender refused
    550 5.1.1 no such domain    | said that in reply to the EHLO command               | sender refused
    550 no such user here       | SMTP error after RCPT TO:<bob@club.example>          | user unknown
    550 no such user here       | MAIL FROM:<{us}>, then RCPT TO:<bob@club.example>    | user unknown
    550 5.1.1 User unknown in local table; from=<{us}> proto=ESMTP helo=<mail.example.org> | | user unknown
    550 5.1.1 no such user here F=<{us}>                                   |           | user unknown
    550 5.1.1 no such user, so the message from {us} was not delivered     |           | user unknown
    550 5.1.1 <{us}>: no such user; from=<{us}>                           |           | sender refused
    550 5.1.1 no such user; from=<{us}>: sender address rejected           |           | sender refused
    550 5.1.1 no such user, said after MAIL FROM: <{us}>                   |           | sender refused
    550 5.1.2 from=<{us}> example.org: host unknown                        |           | sender refused
    550 mailbox full            | SMTP error after MAIL FROM:<{us}>                    | mailbox full
""")


@pytest.mark.parametrize(("words", "beside", "expected"), OF_WHOM)
def test_a_refusal_of_the_sender_is_not_a_dead_recipient(words: str, beside: str, expected: str) -> None:
    us = "gm+return.abc@example.org"
    raw = report("bob@club.example", "5.0.0", words.replace("{us}", us))
    raw = raw.replace(b"To: gm@example.org", f"To: {us}".encode())
    raw = raw.replace(b"could not be delivered", f"could not be delivered. {beside.replace('{us}', us)}".encode())
    found = read_bounce(raw)
    assert found is not None
    assert found.reason == expected


@pytest.mark.parametrize(
    ("words", "hard"),
    [
        ("550 5.1.1 User unknown", True),
        ("550 5.1.1 <bob@club.example> User unknown", True),
        ("550 5.1.1 <gm+return.abc@example.org> User unknown", False),
        ("550 5.1.1 User unknown; from=<gm+return.abc@example.org>", True),
        ("550 5.1.2 Host example.org unknown", False),
        ("550 5.1.1 User unknown (in reply to MAIL FROM command)", False),
    ],
)
def test_so_it_is_when_the_relay_says_it_itself(words: str, hard: bool) -> None:
    assert refused(words, "gm+return.abc@example.org", "bob@club.example").hard is hard


TALKED = "... while talking to mx.club.example:"


@pytest.mark.parametrize(
    ("beside", "hard"),
    [
        ("<bob@club.example>: it said: 550 no such user (in reply to end of DATA\n    command)", False),
        ("<bob@club.example>: it said: 550 no such user (in reply to RCPT TO command)", True),
        (f"{TALKED}\n>>> DATA\n<<< 550 no such user\n554 5.0.0 Not possible", False),
        (f"{TALKED}\n>>> DATA\n<<< 550-no such user\n<<< 550 here\n554 5.0.0 Not possible", False),
        (f"{TALKED}\n>>> DATA\n<<< 550 no such user\n550 5.1.1 No user\n<<< 503 nobody is left", True),
        (f"{TALKED}\n>>> RCPT TO:<bob@club.example>\n<<< 550 no such user\n>>> DATA\n<<< 503 nobody is left", True),
        (f"{TALKED}\n>>> DATA\n<<< 451 busy\n{TALKED}\n>>> DATA\n<<< 550 no such user\n<<< 503 nobody is left", True),
        (f"{TALKED}\n>>> RCPT TO:<bob@club.example>\n<<< 550 no such user", True),
    ],
)
def test_who_was_taken_before_the_mail_was_refused_is_not_dead_by_it(beside: str, hard: bool) -> None:
    raw = report("bob@club.example", "5.0.0", "550 no such user")
    raw = raw.replace(b"I am sorry", f"{beside}\n\nI am sorry".encode())
    found = read_bounce(raw, ["bob@club.example"])
    assert found is not None
    assert (found.hard, found.passing, found.reason in NO_FAILURE) == (hard, False, False)


OF_THE_SENDER = lines("""
    550 5.1.0 Sender verify failed
    550-Verification failed for <{us}> 550-No Such User Here 550 Sender verify failed
    550 Sender callout verification failed: no such address
    550 Callback setup failed while verifying <{us}>: 550 no such user
    550 5.1.1 <{us}>: Recipient address rejected: undeliverable address (sender address verification)
    553 5.1.8 <{us}>... Domain of sender address {us} does not exist
    550 5.7.23 SPF validation failed: example.org does not designate 192.0.2.1
    550 5.7.1 Mail from example.org is not accepted: no such domain
    550 example.org: domain not found (in reply to MAIL FROM command)
    550 5.1.1 unknown user (in reply to end of MAIL command)
    550 5.1.2 MX of gm.example.org not found
    550 5.1.1 unknown address, said after "mail from"
    550 Your host (192.0.2.1) was not found in the DNS
    550 Der Absender existiert nicht
    550 Absenderadresse nicht gefunden
    550 Adresse de l'expéditeur inexistante
    550 El remitente no existe
    550 Dirección del remitente inválida
    550 Indirizzo del mittente inesistente
    550 Endereço do remetente inexistente
    550 Adres afzender bestaat niet
    550 Adres nadawcy nie istnieje
    550 адрес отправителя не существует
    550 发件人地址不存在
    550 差出人アドレスが存在しません
    550 보낸 사람 주소가 존재하지 않습니다
    550 Originator unknown
    550 5.1.0 originating address rejected: unknown
    550 The sending user does not exist
    550 5.1.1 the mailbox you write from is unknown
    550 5.1.1 We could not confirm that you exist: no such mailbox
    550 5.1.1 Unknown originator address
    550 The return address does not exist
    550 Reply address: no such user
    550 Call-back failed: user unknown
    550 callout: 550 5.1.1 no such user here
    550 I could not verify you, mailbox does not exist
    550 Your e-mail address does not exist
    550 The address you are sending from does not exist
    550 5.1.1 Lähettäjää ei löydy, address unknown
    550 Palautusosoite: user unknown
    550 5.1.1 Odesílatel neexistuje
    550 Zpáteční adresa neexistuje, no such user
    550 5.1.1 Gönderen adresi bulunamadı
    550 5.1.1 A feladó címe nem létezik
    550 5.1.1 Visszatérési cím ismeretlen
    550 5.1.1 Адреса відправника не існує
    550 5.1.1 Expeditorul nu există
""")
OF_THE_RECIPIENT = lines("""
    550 5.1.1 Empfänger unbekannt. Die Nachricht geht an den Absender zurück.
    550 5.1.1 Empfänger unbekannt, der Absender wird benachrichtigt
    550 5.1.1 Destinataire inconnu, retour à l'expéditeur
    550 5.1.1 Получатель не найден. Письмо возвращено отправителю
    550 5.1.1 收件人不存在。退回发件人
    550 5.1.1 Odbiorca: adres nie istnieje. Zwrot do nadawcy
    550 5.1.1 Usuario desconocido. Devuelto al remitente
    550 5.1.1 User unknown; contact the sender
    550 5.1.1 <bob@club.example> no such user (sender {us})
    550 5.1.1 unknown user (in reply to RCPT command)
    550 5.1.1 bob@club.example: unknown; return to sender
    550 5.1.1 User unknown, please notify the sender
    550 5.1.1 mailbox gone; original sender notified
    550 5.1.1 Ontvanger onbekend; bericht retour afzender
    550 5.1.1 User unknown; sender=<{us}>
    550 5.1.1 User unknown, your message is returned to its originator
    550 5.1.1 Vastaanottajaa ei löydy, posti palautetaan lähettäjälle
    550 5.1.1 Příjemce neexistuje, zpráva se vrací odesílateli
    550 5.1.1 A címzett ismeretlen, visszaküldve a feladónak
    550 5.1.1 Alıcı bulunamadı, gönderene iade edildi
    550 5.1.1 User unknown, check your address book
""")


@pytest.mark.parametrize(
    ("words", "dead"), [*((words, False) for words in OF_THE_SENDER), *((words, True) for words in OF_THE_RECIPIENT)]
)
def test_of_whom_a_refusal_is_in_any_language(words: str, dead: bool) -> None:
    us, bob = "gm+return.abc@example.org", "bob@club.example"
    words = words.replace("{us}", us)
    found = read_bounce(report(bob, "5.0.0", words).replace(b"To: gm@example.org", f"To: {us}".encode()))
    assert found is not None
    assert (found.reason in DEAD) is dead
    assert dead or found.reason is Reason.SENDER
    assert refused(words, us, bob).hard is dead


AWAY = rows("""
    Undeliverable: out of office | X-Note: none                       | bob@club.example           | none
    Undeliverable: out of office | X-Note: none                       | MAILER-DAEMON@club.example | user unknown
    Nicht zustellbar: Abwesenheit | X-Note: none                      | Bob <bob@club.example>     | none
    Mail delivery: on vacation  | X-Note: none                        | bob@club.example           | none
    Undeliverable: I am away    | Auto-Submitted: auto-replied        | bob@club.example           | none
    Mail delivery: not today    | X-Autoreply: yes                    | bob@club.example           | none
    Undelivered                 | Auto-Submitted: auto-replied (rule) | Bob <bob@club.example>     | none
    Automatic reply: failed     | X-Note: none                        | bob@club.example           | none
    Undelivered mail            | Auto-Submitted: auto-replied        | MAILER-DAEMON@club.example | user unknown
    Undelivered mail            | Auto-Submitted: auto-generated      | postmaster@club.example    | user unknown
    Automatic reply: spring     | X-Note: none                        | MAILER-DAEMON@club.example | user unknown
    Out of office               | Auto-Submitted: auto-replied        | postmaster@club.example    | user unknown
    Undelivered: spring         | X-Note: none                        | Bob <bob@club.example>     | user unknown
    Undelivered: spring         | X-Note: none                        | Pat <pat@club.example>     | none
    Delivery failed             | X-Note: none                        | PAT@club.example           | none
""")


@pytest.mark.parametrize(("subject", "field", "sender", "expected"), AWAY)
def test_what_answers_for_a_person_is_no_bounce_whatever_it_says(
    subject: str, field: str, sender: str, expected: str
) -> None:
    head = f"From: {sender}\nTo: gm@example.org\nSubject: {subject}\n{field}\n\n"
    words = "Your mail was not delivered to pat@club.example: 550 5.1.1 user unknown. I am away."
    found = read_bounce(f"{head}{words}\n".encode())
    assert (found.reason if found is not None else "none") == expected


ANSWERED = rows("""
    postmaster@club.example                      | X-Note: none                   | none
    Mail Delivery System <bob@club.example>      | X-Note: none                   | none
    Mail Delivery System <bob@club.example>      | X-Failed-Recipients: pat@x.org | user unknown
    Mail Delivery System <MAILER-DAEMON@x.org>   | X-Note: none                   | user unknown
""")


@pytest.mark.parametrize(("sender", "field", "expected"), ANSWERED)
@pytest.mark.parametrize(
    "subject", ["Undeliverable: Spring 1901", "Undelivered Mail Returned to Sender", "failure notice"]
)
def test_what_says_in_its_header_that_it_answers_is_no_bounce_without_a_report_or_a_reply(
    subject: str, sender: str, field: str, expected: str
) -> None:
    head = f"From: {sender}\nTo: gm@example.org\nSubject: {subject}\nAuto-Submitted: auto-replied\n{field}\n\n"
    found = read_bounce(f"{head}I am away. Your message to pat@x.org was not delivered: user unknown.\n".encode())
    assert (found.reason if found is not None else "none") == expected


TOLD = rows("""
    postmaster@x.org    | Spring 1901      | I am away and cannot read this. The address is invalid | unknown
    postmaster@x.org    | Spring 1901      | Not delivered: 550 5.1.1 user unknown                  | user unknown
    postmaster@x.org    | Delivery failure | Not delivered to pat@y.org: user unknown               | user unknown
    System admin <x@y>  | Hello            | Bob has left us. I could not forward your mail.        | unknown
    MAILER-DAEMON@x.org | Spring 1901      | Not delivered to pat@y.org: user unknown               | user unknown
    postmaster@x.org    | Spring 1901      | I cannot read this, my mailbox is full                 | mailbox full
    postmaster@x.org    | Spring 1901      | See you on Monday                                      | none
""")


@pytest.mark.parametrize(("sender", "subject", "words", "expected"), TOLD)
def test_an_address_is_not_dead_by_words_that_a_person_may_have_written(
    sender: str, subject: str, words: str, expected: str
) -> None:
    found = read_bounce(f"From: {sender}\nTo: gm@example.org\nSubject: {subject}\n\n{words}\n".encode())
    assert (found.reason if found is not None else "none") == expected
