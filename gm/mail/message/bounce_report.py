"""Bounces: which mail of ours was not delivered, why, and to whom, from whatever a mail server writes in that case.

A report in the form of RFC 3464 or RFC 5965 is parsed by these standards, also if a program has put the same fields
into plain text. A mail in neither form is parsed by the phrases that servers use (refusals.toml), without the copy of
the returned mail, and finally by flufl.bounce, which knows the wording of many programs. The reason matters more than
the code: servers give 5.1.1 for a full mailbox and 5.7.1 for an unknown user. The module is long because all forms are
judged by the same words.
"""

from __future__ import annotations

import contextlib
import logging
import tomllib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from email import message_from_bytes
from email.message import Message
from enum import StrEnum
from itertools import chain
from pathlib import Path

from gm import patterns as re
from gm.mail.message.addresses import addresses_in, only_address, parse_address
from gm.mail.message.attribution import is_absence, says_away
from gm.mail.message.auto_reply import answers_itself
from gm.mail.message.charset import decode_text
from gm.mail.message.html import TooManyTags, html_lines
from gm.mail.message.mime import Headers, LimitBroken, Limits, Part, parse, split_header, with_newlines
from gm.mail.message.text import clean_line
from gm.mail.message.trace import organization_of

# It logs a traceback, at level ERROR, for each hostile mail that one of its parsers fails on.
logging.getLogger("flufl.bounce").setLevel(logging.CRITICAL)


class Reason(StrEnum):
    """Why a mail was not delivered; `DELAYED`, `DELIVERED` and `OTHERS` are not failures of it."""

    USER_UNKNOWN = "user unknown"
    HOST_UNKNOWN = "host unknown"
    MOVED = "moved"
    NOT_ACCEPTING = "takes no mail"
    FULL = "mailbox full"
    DISABLED = "account disabled"
    EXPIRED = "given up after days"
    SENDER = "sender refused"
    RELAY = "relaying refused"
    POLICY = "policy"
    RATE = "rate limit"
    CONTENT = "content"
    SIZE = "too large"
    NETWORK = "network"
    SYSTEM = "system"
    UNCONFIRMED = "no confirmation"
    COMPLAINT = "complaint"
    UNKNOWN = "unknown"
    DELAYED = "delayed"
    DELIVERED = "delivered"
    OTHERS = "about others"


DEAD = frozenset({Reason.USER_UNKNOWN, Reason.HOST_UNKNOWN, Reason.MOVED, Reason.NOT_ACCEPTING})
"""The address accepts no mail, whoever sends it."""

ABOUT_US = frozenset({
    Reason.SENDER, Reason.RELAY, Reason.POLICY, Reason.RATE, Reason.CONTENT, Reason.SIZE, Reason.NETWORK, Reason.SYSTEM,
    Reason.UNCONFIRMED,
})  # fmt: skip
"""Failed because of us, of the mail or of the way: this says nothing about the address, however often it happens."""

NO_FAILURE = frozenset({Reason.DELAYED, Reason.DELIVERED, Reason.OTHERS})

_PASSING = ABOUT_US | {Reason.FULL, Reason.EXPIRED}


@dataclass(frozen=True, slots=True)
class Bounce:
    """What a report says about one recipient: the reason, the status such as 5.1.1 or empty, the server's words, and
    the addresses in it, in lower case: the recipient's as the server knows it, and the one that the mail was sent to.
    """

    reason: Reason
    status: str
    words: str
    recipients: tuple[str, ...] = ()
    informal: bool = False
    """It is said in words only, which an absence notice may have, too."""

    @property
    def hard(self) -> bool:
        """Whether the address is dead. A code of class 4 with a final failure means that the server has given up after
        days.
        """
        return self.reason in DEAD and not self.status.startswith("4")

    @property
    def passing(self) -> bool:
        """Whether the same mail may be accepted later: by its class (RFC 3463, 2), or by the reason."""
        if self.reason in NO_FAILURE or self.reason is Reason.COMPLAINT:
            return False
        return self.reason in _PASSING or self.status.startswith("4")


_LONGEST = 300
_LONGEST_REPORT = 50_000  # octets of a delivery report
_LONGEST_PROSE = 10_000  # characters
_LONGEST_REPLY = 2_000  # characters of a server's words
_MOST_RECIPIENTS = 20
_MOST_NAMED = 5  # addresses in prose, of which one may be the recipient's
_MOST_READ = 50_000  # octets shown to flufl.bounce, which reads them many times over
_MESSAGE_ID = re.compile(rb"<[0-9a-f]{32}@[A-Za-z0-9.-]{1,253}>")
_STATUS = re.compile(r"(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?![\d.])")
_REPLY = re.compile(r"(?<![\w.:/-])([245][0-5]\d)(?=[ :,\]-]|\Z)(?!-\d\d-\d\d)")
_LETTER = r"[^\s<>@,;:()\[\]'\"\u3001-\u3011\uff01-\uff20]"  # of an address, or of words without blanks around it
_ADDRESS = re.compile(rf"<?{_LETTER}{{1,80}}@{_LETTER}{{1,253}}>?")
_LINK = re.compile(r"https?://\S{0,500}")
_BETWEEN = re.compile(
    rf"\b(?:(?:from|sender|f|to|helo)=<[^<>]{{0,300}}>|(?<!mail )from:? {_ADDRESS.pattern})", re.IGNORECASE
)
"""What says between whom a mail went, not who is refused: as servers log it, or within a sentence."""
_FIELD = re.compile(
    r"^[>\s]{0,9}(final-recipient|original-recipient|action|status|diagnostic-code)\s?:[ \t]?(.*)", re.IGNORECASE
)


def read_bounce(raw: bytes, mailed: Collection[str] = (), limits: Limits | None = None) -> Bounce | None:
    """What a mail reports about the addresses (in lower case) to which the one that it returns was `mailed`: what it
    says of these alone. A failure of one other address, to which they may hand on mail, has no reason
    here, since they may hand it on to others as well. Without addresses, the first recipient that failed is meant. None
    when it is not a report, such as an absence notice.
    """
    raw = with_newlines(raw)
    headers = Headers.parse(split_header(raw)[0][: Limits().header])
    try:
        message = parse(raw, limits or Limits())
    except LimitBroken:
        return None
    leaves = list(message.leaves())
    prose = _prose(leaves)
    ours, whole = {*map(_without_detail, addresses_in(headers.first("to")))}, _own_part(prose)
    named_at_all = not set(mailed).isdisjoint(_addresses(*_ADDRESS.findall(whole)))
    own = _said_of(mailed, whole, ours) if named_at_all else whole
    formal = _reported(leaves, whole, ours) or _complained(leaves) or _embedded(prose, ours)
    found = _about(mailed, formal)
    if found is None and not _is_of_person(headers, prose):
        found = _told(headers, leaves, own)
        if own != whole and (found is None or (found.reason is Reason.UNKNOWN and not found.status)):
            of_all = _told(headers, leaves, whole)
            found = of_all and replace(of_all, reason=Reason.OTHERS, recipients=tuple(mailed))
        elif found is None and not any(leaf.type in _REPORTS for leaf in leaves):
            found = _recognized(raw)
    if found is None:
        return None
    listed = [one for value in headers.all("x-failed-recipients") for one in addresses_in(value)]
    named = found.recipients or _addresses(*(listed or _ADDRESS.findall(own)[:_MOST_NAMED]))
    found = replace(found, recipients=named, informal=not formal)
    if found.informal and only_address(headers.first("from")) in named:
        return None  # no address says of itself that it is dead
    if mailed and named and not _is_of(mailed, found) and found.reason not in NO_FAILURE:
        reason = Reason.OTHERS if len(listed) > 1 else Reason.UNKNOWN
        return Bounce(reason, "", found.words, named, informal=found.informal)
    return _of_whom(found, own, addresses_in(headers.first("to")))


def refused(words: str, sender: str = "", recipient: str = "") -> Bounce:
    """A refusal in the SMTP dialogue, in the server's words. RFC 5321's own words for 550 name no dead address: servers
    write them also if they refuse for policy (4.2.3). A relay that passes them on in a report has tried for itself.
    """
    found = _of_whom(replace(_judged(words), recipients=(recipient,)), "", (sender,))
    if found.hard and not found.status and not _names_nobody(_GENERIC.sub(" ", _bare(found.words))):
        return Bounce(Reason.UNKNOWN, "", found.words, found.recipients)
    return found


def without_addresses(words: str) -> str:
    """A server's words without addresses, for those who may not see to whom a mail was sent."""
    return _ADDRESS.sub("<...>", words)


def _is_of_person(headers: Headers, prose: str) -> bool:
    """Whether a mail that is no report by its form is a person's or answers for one, and not a mail server's; one of
    these that says in its subject that somebody is absent, or in its header that it answers, cites a reply or names in
    its header whom it did not reach.
    """
    subject = headers.text("subject")
    mailer = _MAILERS.search(headers.first("from")) is not None
    answers = answers_itself(headers)
    if is_absence(subject) or (answers and not headers.has("x-failed-recipients")):
        return not (mailer and _REPLY.search(_own_part(prose)))
    return not mailer and (answers or says_away(subject.partition(":")[2].strip()))


def our_message_ids(raw: bytes) -> tuple[str, ...]:
    """The Message-IDs of our form in a mail, except in its own header: those of the mail it returns."""
    _, body = split_header(with_newlines(raw))
    return tuple(dict.fromkeys(found.decode("ascii") for found in _MESSAGE_ID.findall(body)[:20]))


def returned_fields(raw: bytes) -> Headers:
    """The header fields in the body of a report, whatever part or quotation they are in: first those of the mail that
    it returns."""
    _, body = split_header(with_newlines(raw))
    return Headers.parse(re.sub(rb"(?m)^>[> ]*", b"", body[:_LONGEST_REPORT]))


# ---- the forms

_REPORTS = ("message/delivery-status", "message/global-delivery-status")


def _reported(leaves: list[Part], prose: str, ours: Collection[str]) -> list[Bounce]:
    """A report by RFC 3464: groups of fields, one for each recipient."""
    reports = [leaf.content()[:_LONGEST_REPORT].strip() for leaf in leaves if leaf.type in _REPORTS]
    groups = chain.from_iterable(re.split(rb"\n[ \t]*\n", one, maxsplit=_MOST_RECIPIENTS) for one in reports)
    found = (_of_group(Headers.parse(group), prose, ours) for group in groups)
    return [one for one in found if one is not None]


def _about(mailed: Collection[str], found: Sequence[Bounce]) -> Bounce | None:
    """What is said about these addresses, or about none in particular: that the mail has arrived, before the first
    failure; of all addresses, if none are given, the first failure.
    """
    theirs = [one for one in found if not mailed or _is_of(mailed, one)]
    if found and not theirs:
        one, *others = found
        return replace(one, reason=Reason.OTHERS) if others else one
    arrived = (one for one in theirs if mailed and one.reason is Reason.DELIVERED)
    failed = (one for one in theirs if one.reason not in NO_FAILURE)
    return next(chain(arrived, failed, theirs), None)


def _is_of(mailed: Collection[str], found: Bounce) -> bool:
    return not set(found.recipients).isdisjoint(mailed)


_ACTIONS = {
    "delayed": Reason.DELAYED,
    "delivered": Reason.DELIVERED,
    "relayed": Reason.DELIVERED,
    "expanded": Reason.DELIVERED,
    "deliverable": Reason.DELIVERED,
}


def _of_group(fields: Headers, prose: str, ours: Collection[str]) -> Bounce | None:
    """What the fields about one recipient say, with the text beside them if they do not give a reason."""
    action = fields.first("action").strip().lower().partition(" ")[0]
    named = _addresses(*(fields.first(name).partition(";")[2] for name in ("final-recipient", "original-recipient")))
    status = _code(fields.first("status"))
    given = fields.first("diagnostic-code")
    kind, semicolon, rest = given.partition(";")
    words = clean_line(rest if semicolon and len(kind.split()) == 1 else given)
    if not action and status:
        action = "delivered" if status.startswith("2") else "failed"
    if action in _ACTIONS:
        return Bounce(_ACTIONS[action], status, words[:_LONGEST], named)
    if action != "failed":
        return None
    found = _judged(words or clean_line(fields.text("status")), status)
    own = _said_of(named, prose, ours)
    for beside in (_reasons(own), own):
        if found.reason is Reason.UNKNOWN or (not words and found.reason in _VAGUE):
            better = _judged(beside, status)
            if better.reason is not Reason.UNKNOWN:
                found = Bounce(better.reason, found.status, found.words if words else better.words)
    return Bounce(found.reason, found.status, found.words or "no reason was given", named)


FEEDBACK = "feedback report: "
AUTH_FAILURE = f"{FEEDBACK}auth-failure"
"""The words of a complaint that is none of its recipient's: a signature failed (RFC 6591)."""


def _complained(leaves: list[Part]) -> list[Bounce]:
    """A report that somebody marked our mail as spam, or that its signature failed (RFC 5965, 6591)."""
    for leaf in leaves:
        if leaf.type == "message/feedback-report":
            fields = Headers.parse(leaf.content()[:_LONGEST_REPORT])
            kind = clean_line(fields.first("feedback-type")).lower() or "abuse"
            named = _addresses(*fields.all("original-rcpt-to"), *fields.all("removal-recipient"))
            reason = Reason.DELIVERED if kind == "not-spam" else Reason.COMPLAINT  # RFC 6430
            return [Bounce(reason, "", f"{FEEDBACK}{kind}"[:_LONGEST], named)]
    returned = Headers.of(leaves[0].content()[:_LONGEST_REPORT])
    if len(leaves) == 1 and returned.has("x-hmxmroriginalrecipient"):  # Hotmail's, without a form
        named = _addresses(returned.first("x-hmxmroriginalrecipient"))
        return [Bounce(Reason.COMPLAINT, "", f"{FEEDBACK}abuse", named)]
    return []


def _embedded(prose: str, ours: Collection[str]) -> list[Bounce]:
    """The fields of RFC 3464 within plain text, or within the JSON of a notification service."""
    if "diagnosticCode" in prose or "notificationType" in prose:
        return list(_from_json(prose.replace("\\", "")))
    groups: list[list[str]] = [[]]
    for line in prose.splitlines():
        fields = groups[-1]
        if found := _FIELD.match(line):
            if any(field.startswith(f"{found[1]}: ") for field in fields):
                groups.append(fields := [])
            fields.append(f"{found[1]}: {found[2]}")
        elif fields and line.lstrip("> ")[:1] and line.startswith((" ", "\t", ">  ")):
            fields[-1] += f" {line.strip('> ')}"
        elif len(fields) > 2 and not line.strip():
            groups.append([])
    parsed = [Headers.parse("\n".join(fields).encode()) for fields in groups[:_MOST_RECIPIENTS]]
    own = _own_part(prose)
    named_ones = (_of_group(one, own, ours) for one in parsed if one.first("action") and one.first("final-recipient"))
    return [one for one in named_ones if one is not None]


def _from_json(text: str) -> Iterator[Bounce]:
    def value(name: str, within: str = text) -> str:
        found = re.search(rf'"{name}"\s*:\s*"([^"]{{0,1000}})"', within)
        return found[1] if found else ""

    kind, named = value("notificationType") or value("eventType"), _addresses(value("emailAddress"))
    each = [one for one in re.findall(r"\{[^{}]{0,3000}\}", text) if '"emailAddress"' in one]
    if kind == "Delivery":
        yield Bounce(Reason.DELIVERED, "", clean_line(value("smtpResponse"))[:_LONGEST], named)
    elif kind == "Complaint":
        feedback = clean_line(value("complaintFeedbackType")) or "abuse"
        yield Bounce(Reason.COMPLAINT, "", f"{FEEDBACK}{feedback}"[:_LONGEST], named)
    elif kind == "Bounce":
        for one in each[:_MOST_RECIPIENTS] or [text]:
            found = _judged(value("diagnosticCode", one).partition(";")[2], _code(value("status", one)))
            yield replace(found, recipients=_addresses(value("emailAddress", one)))


# ---- prose

_SAYINGS = tomllib.loads(Path(__file__).with_name("refusals.toml").read_text(encoding="utf-8"))


def _any_of(words: list[str], before: str = "") -> re.Pattern[str]:
    return re.compile(f"{before}(?:{'|'.join(words)})", re.IGNORECASE)


_COPY = _any_of(_SAYINGS["prose"]["copy"], r"[\s>*_=+#-]{0,40}+")
_HEADER_LINE = re.compile(r"(?:Received|Return-Path|X-[\w-]+|DKIM-Signature|Message-ID):", re.IGNORECASE)
_NOT_YET, _SUBJECT = _any_of(_SAYINGS["prose"]["not_yet"]), _any_of(_SAYINGS["prose"]["subject"])
_MAILERS, _NEVER = _any_of(_SAYINGS["prose"]["mailers"]), _any_of(_SAYINGS["prose"]["never"])
_NOBODY = re.compile(r"daemon|<>|^\s*$", re.IGNORECASE)
_RETURNED = ("message/rfc822", "message/rfc822-headers", "text/rfc822-headers")


def _told(headers: Headers, leaves: list[Part], own: str) -> Bounce | None:
    """The bounce described in a program's own words, if the mail looks as if a program had written it. Of an address
    that is dead only what a person does not write tells for certain: a postmaster may be one, too, and away.
    """
    subject, sender = headers.text("subject"), headers.first("from")
    returned = any(leaf.type in _RETURNED for leaf in leaves)
    certain = returned or _SUBJECT.search(subject)
    if not (certain or _MAILERS.search(sender)) or not own.strip():
        return None
    if _NOT_YET.search(own) or (_NOT_YET.search(subject) and not _NEVER.search(own)):
        return Bounce(Reason.DELAYED, _code(own), clean_line(own)[:_LONGEST])
    if not (_SUBJECT.search(subject) or _NEVER.search(own) or _REPLY.search(own)):
        return None
    found = _judged(_reasons(own))
    if found.reason is Reason.POLICY:  # no word for it may be more exact in what the program says of the address
        of_it = (_judged(line) for line in own.splitlines() if _ADDRESS.search(line) and not _REPLY.search(line))
        found = next((one for one in of_it if one.reason in DEAD), found)
    certain = certain or _REPLY.search(own) or _STATUS.search(own) or _NOBODY.search(sender)
    return found if certain or found.reason not in DEAD else replace(found, reason=Reason.UNKNOWN)


def _prose(leaves: list[Part]) -> str:
    """The text of a mail's first text part that is not empty, HTML as its lines."""
    for leaf in leaves:
        if leaf.type == "text/rfc822-headers" or not leaf.type.startswith("text/"):
            continue
        text = decode_text(leaf.content()[:_LONGEST_REPORT], leaf.params.get("charset"))
        if leaf.type == "text/html":
            with contextlib.suppress(TooManyTags):
                text = "\n".join(line.text for line in html_lines(text, tags=Limits().tags, lines=Limits().lines))
        if text.strip():
            return text[:_LONGEST_PROSE]
    return ""


def _own_part(prose: str) -> str:
    """The text before the copy of the returned mail."""
    lines: list[str] = []
    for line in prose.splitlines():
        bare = line.lstrip("> ")
        if lines and any(one.strip() for one in lines) and (_COPY.match(bare) or _HEADER_LINE.match(bare)):
            break
        lines.append(bare)
    return "\n".join(lines)


def _said_of(about: Collection[str], own: str, ours: Collection[str]) -> str:
    """What a text says about these addresses: the lines that name only them, with those below each up to one that names
    others; all of it, if it names no others. Neither `ours` nor a mail server's own is one of which it speaks.
    """
    lines, names = own.splitlines(), list[set[str]]()
    for line in lines:
        named = _addresses(*_ADDRESS.findall(line))
        names.append({one for one in named if _without_detail(one) not in ours and not _MAILERS.search(one)})
    others = set[str]().union(*names).difference(about)
    if not others:
        return own
    said, theirs = list[str](), False
    for line, of in zip(lines, names, strict=True):
        theirs = of.isdisjoint(others) if of else theirs
        said += (line,) if theirs else ()
    return "\n".join(said)


def _without_detail(address: str) -> str:
    """The address without what stands behind `+` in its local part."""
    local, at, host = address.lower().rpartition("@")
    return f"{local.partition('+')[0]}{at}{host}"


def _reasons(own: str) -> str:
    """The lines that give the reason: the server's replies with the lines after them, if there are any,
    otherwise all.
    """
    lines = own.splitlines()
    for number, line in enumerate(lines):
        if _REPLY.search(line) or _STATUS.search(line):
            if re.match(r"\s*250[ -]", line):
                continue
            return " ".join(lines[number : number + 8])
    return " ".join(lines)


# ---- of whom

_COMMAND = re.compile(
    r"\b(MAIL(?: FROM|(?= command))|RCPT(?: TO|(?= command))|EHLO|HELO)\b\s{0,3}:?\s{0,3}(?:<([^<>\s]{0,300})>)?",
    re.IGNORECASE,
)
_END_OF_DATA = re.compile(r"in reply to end\s{1,9}of\s{1,9}DATA\b", re.IGNORECASE)
_DATA = re.compile(r"^[> ]{0,9}DATA *$", re.MULTILINE)
_ANSWER = re.compile(r"^<<< ?\d{3}(?!-)", re.MULTILINE)
_HOST = re.compile(r"(?<![\w.-])(?:[a-z0-9][a-z0-9-]{0,62}\.){1,8}[a-z][a-z0-9-]{1,62}(?![\w-])", re.IGNORECASE)


def _of_whom(found: Bounce, prose: str, senders: Sequence[str]) -> Bounce:
    """The same, unless it is a refusal of the sender or of the mail in the words for a dead address. A refusal is of
    whom it names, otherwise than as the one from whom the mail is; or else of whom the command was about that it
    answers, which stands before it or behind it.
    """
    if found.reason not in DEAD:
        return found
    if _took_the_recipient(f"{found.words}\n{prose}"):
        return replace(found, reason=Reason.UNKNOWN)
    ours, theirs = _hosts_of(senders), _hosts_of(found.recipients)
    words = _BETWEEN.sub(" ", _LINK.sub(" ", found.words))
    named = {organization_of(host) for host in _HOST.findall(words)}
    if ours - theirs and named & theirs:
        return found
    commands = _COMMAND.findall(words) or _COMMAND.findall(prose)
    of_us = [command[:4].upper() != "RCPT" or to.lower() in senders for command, to in commands]
    if named & ours - theirs or (of_us and all(of_us)):
        return replace(found, reason=Reason.SENDER)
    return found


def _took_the_recipient(told: str) -> bool:
    """Whether the server took RCPT, and so knows the recipient, and refused this mail after DATA. One that refuses RCPT
    refuses DATA as well, which many programs send along with it: then a transcript has two replies.
    """
    _, *behind = _DATA.split(told)
    answers = [len(_ANSWER.findall(part)) for part in (told, *behind[-1:])]
    return _END_OF_DATA.search(told) is not None or answers == [1, 1]


def _hosts_of(addresses: Sequence[str]) -> set[str]:
    """The organizations whose hosts these addresses are at."""
    return {organization_of(address.rpartition("@")[2]) for address in addresses if "@" in address}


# ---- why


_SAID = tuple((Reason[said["reason"].upper()], _any_of(said["words"])) for said in _SAYINGS["said"])
_BY_STATUS = {
    "5.1.0": Reason.USER_UNKNOWN, "5.1.1": Reason.USER_UNKNOWN, "5.1.2": Reason.HOST_UNKNOWN,
    "5.1.3": Reason.USER_UNKNOWN, "5.1.6": Reason.MOVED, "5.1.7": Reason.SENDER, "5.1.8": Reason.SENDER,
    "5.1.10": Reason.NOT_ACCEPTING, "5.2.1": Reason.DISABLED, "5.2.2": Reason.FULL, "5.2.3": Reason.SIZE,
    "5.3.2": Reason.NOT_ACCEPTING, "5.3.4": Reason.SIZE, "5.4.5": Reason.RATE, "5.4.7": Reason.EXPIRED,
}  # fmt: skip
_BY_REPLY = {"552": Reason.FULL} | dict.fromkeys(("500", "501", "502", "503", "504", "555"), Reason.SYSTEM)
_BY_SUBJECT = {"3": Reason.SYSTEM, "4": Reason.NETWORK, "5": Reason.SYSTEM, "6": Reason.CONTENT, "7": Reason.POLICY}

_VAGUE = frozenset({Reason.DISABLED, Reason.POLICY, Reason.RATE, Reason.EXPIRED, Reason.NETWORK, Reason.SYSTEM})
"""Reasons that are less specific than a definite status."""
_OF_THE_CODE = frozenset({Reason.POLICY, Reason.RATE})
"""Those of them that a status of a dead address does not belong to, unless the words name one, too."""
_GENERIC = re.compile(
    r"(requested (mail )?action (not taken|aborted)\W{0,3})?"
    r"(\bmailbox (is )?(unavailable|not available)|\bunavailable mailbox)",
    re.IGNORECASE,
)
_MAY_COME_BACK = re.compile(r"temporar|suspend|\bon hold\b|limit|quota|locked", re.IGNORECASE)
"""What says of a disabled account that it is not closed for good, whatever the code."""
_LIMITS = re.compile(r"limit|quota|\brates?\b|too (?:many|much)", re.IGNORECASE)
"""What makes a rate as definite as a status."""


def _judged(words: str, status: str = "") -> Bounce:
    """Why a server refused, by its words (a code in them before the `status` beside them), otherwise by the
    code alone.
    """
    line = clean_line(words[:_LONGEST_REPLY])
    bare = _bare(line)
    own = _code(line)
    if own and (not status or not own.endswith(".0.0")) and not (own[0] != "5" and status.startswith("5")):
        status = own
    reply = _REPLY.search(line)
    if not status and reply is not None and reply[1].startswith("4"):
        status = "4.0.0"
    by_code = _BY_STATUS.get(f"5{status[1:]}") or _by_subject(status)
    said = next((reason for reason, pattern in _SAID if pattern.search(bare)), Reason.UNKNOWN)
    limited = (said is Reason.RATE and _LIMITS.search(bare)) or (said in _OF_THE_CODE and not _names_nobody(bare))
    vague = said in _VAGUE and status in _BY_STATUS and not limited
    protocol = said in DEAD and re.fullmatch(r"5\.5\.[1-9]\d*", status) is not None
    if said is Reason.UNKNOWN or by_code is Reason.SENDER or vague or protocol:
        said = by_code
    if said is Reason.UNKNOWN and reply is not None:
        said = _BY_REPLY.get(reply[1], said)
    if said is Reason.DISABLED and status.startswith("5.") and not _MAY_COME_BACK.search(bare):
        said = Reason.NOT_ACCEPTING
    if (said is Reason.UNKNOWN or said in DEAD) and _names_sender(bare):
        said = Reason.SENDER
    return Bounce(said, status, line[:_LONGEST])


def _bare(line: str) -> str:
    """A server's words without what is no words of its own."""
    return _ADDRESS.sub("<>", _BETWEEN.sub(" ", _LINK.sub(" ", line)))


def _names_nobody(bare: str) -> bool:
    """Whether words say, whatever else they say, that the address does not exist."""
    return any(reason in DEAD and pattern.search(bare) for reason, pattern in _SAID)


_SENTENCE = re.compile("[.;!。]")
_BACK, _SENDER, _RECIPIENT = (_any_of(_SAYINGS["whom"][whom]) for whom in ("back", "sender", "recipient"))


def _names_sender(bare: str) -> bool:
    """Whether a sentence names the sender, otherwise than as the one to whom the mail goes back, and no recipient."""
    sentences = _SENTENCE.split(_BACK.sub(" ", bare))
    return any(_SENDER.search(one) and not _RECIPIENT.search(one) for one in sentences)


def _by_subject(status: str) -> Reason:
    """The reason by the second digit of a code, which is its subject (RFC 3463, 3)."""
    return _BY_SUBJECT.get(status[2:3], Reason.UNKNOWN) if status else Reason.UNKNOWN


def _code(text: str) -> str:
    found = _STATUS.search(text)
    return found[0] if found else ""


def _addresses(*values: str) -> tuple[str, ...]:
    found = (parse_address(clean_line(value).strip("<> ")) for value in values)
    return tuple(dict.fromkeys(one.address for one in found if one is not None))


def _recognized(raw: bytes) -> Bounce | None:
    """The bounce as recognized by flufl.bounce. Its parsers fail on some hostile mails; those are not bounces."""
    from flufl.bounce import all_failures  # not loaded before such a mail comes

    with contextlib.suppress(Exception):
        message: Message = message_from_bytes(raw[:_MOST_READ])
        temporary, permanent = all_failures(message)
        if permanent or temporary:
            named = _addresses(*(one.decode("utf-8", "replace") for one in sorted(permanent or temporary)))
            return Bounce(Reason.UNKNOWN, "", "the mail came back", named)
    return None
