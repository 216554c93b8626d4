"""The lines with which mail programs introduce a quotation: attributions, separators and header blocks.

`introduction` is asked at each line of a mail and looks at a bounded number of lines, so that reading stays linear.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from gm.letters.lines import Line

_LONGEST = 400  # characters of a line that is looked at
_ATTRIBUTION_LINES = 4
_HEADER_LINES = 10

# "wrote" as mail programs say it, by language; the attribution ends with a colon in all of them.
_WROTE = re.compile(
    r"""\b(?:
      wrote | writes | schrieb | geschrieben | [aà]\s+[ée]crit | escribi[oó] | ha\s+escrito | escreveu | ha\s+scritto | scrisse
    | schreef | geschreven | skrev | napisa[lł]\(?a?\)? | pisze | kirjoitti | [íi]rta | napsala?(?:\(a\))? | nap[ií]sala?
    | a\s+scris | yazd[ıi] | va\s+escriure | je\s+napisao(?:/la)? | je\s+napisa(?:la|o|l) | ra[šs][ėe] | rakst[īi]ja
    | kirjutas | skrifa[ðd]i | έγραψε | написала?(?:\(а\))? | пишет | написав | пише | написа | viết | menulis
    )\b | 写道 | 寫道 | 书きました | 書きました | のメール | 작성 | כתב | كتب""",
    re.IGNORECASE | re.VERBOSE,
)
# The first word of an attribution that may go on over several lines.
_OPENING = re.compile(
    r"(?:on|am|le|el|il|op|em|w\s+dniu|dnia|den|p[åa]|d\.|dne|dňa|ke?|ti|to|la|a|em|az|в|в\s+|\d|zitat|quoting|citeren|mensaje|"
    r"-*\s*on|στις|tarihinde|vào|pada|de\s+la|ons|tor|fre|l[øöo]r|s[øöo]n|man|m[åa]n|tir|tis|пн|вт|ср|чт|пт|сб|вс)\b",
    re.IGNORECASE,
)
_QUOTING = re.compile(
    r"(?:Quoting|Zitat von|Citeren|Citando|Citat|Quoting from|Selon|Citazione di)\s.{1,200}:", re.IGNORECASE
)
_ADDRESS = re.compile(r"<?[^\s<>@]+@[^\s<>@]+>?")
_DATE_AND_ADDRESS = re.compile(r"\D{0,20}\d.*<[^\s<>@]+@[^\s<>@]+>\s*[:：]")
_WHEN = re.compile(r"\b(?:19|20)\d\d\b|\b\d{1,2}[:.h]\d\d\b|\d{1,2}[./-]\d{1,2}[./-]\d\d|@|\d年")

_SEPARATOR = re.compile(
    r"""[\s*>_=-]*(?:
      original[ ]message | original[ ]appointment | forwarded[ ]message | forwarded[ ]by\b.* | reply[ ]message
    | urspr(?:ü|ue)ngliche[ ](?:nachricht|mail|e-mail) | original-?nachricht | weitergeleitete[ ](?:nachricht|mail)
    | message[ ](?:d'|d’)origine | message[ ]original | message[ ]transf[ée]r[ée] | message[ ]initial | courriel[ ]original
    | mensaje[ ](?:original|reenviado) | mensagem[ ](?:original|encaminhada|reencaminhada)
    | messaggio[ ](?:originale|inoltrato) | (?:oorspronkelijk|origineel|doorgestuurd)e?[ ]bericht
    | (?:oryginalna|pierwotna|przekazana)[ ]wiadomo[śs][ćc] | wiadomo[śs][ćc][ ](?:oryginalna|przekazana)
    | (?:ursprungligt|vidarebefordrat)[ ]meddelande | (?:oprindelig|opprinnelig|videresendt)[ ](?:meddelelse|besked|melding|e-post)
    | (?:alkuper[äa]inen|v[äa]litetty)[ ]viesti | (?:eredeti|tov[áa]bb[íi]tott)[ ](?:[üu]zenet|lev[ée]l)
    | (?:p[ůu]vodn[íi]|p[ôo]vodn[áa]|p[řr]eposlan[áa])[ ](?:zpr[áa]va|spr[áa]va) | mesaj(?:ul)?[ ](?:original|ini[țt]ial)
    | [öo]zg[üu]n[ ]mesaj | orijinal[ ](?:mesaj|ileti) | исходное[ ]сообщение | пересылаемое[ ]сообщение | αρχικό[ ]μήνυμα
    | originalmeddelelse | izvorna[ ]poruka | originalna[ ]poruka
    )[\s*_=:-]*
    | -{2,}\s*(?:原始邮件|原始郵件|轉寄郵件|转发邮件|元のメッセージ|転送メッセージ|원본[ ]메시지|הודעה[ ]מקורית)\s*-{2,}
    | begin[ ]forwarded[ ]message\s*: | anfang[ ]der[ ]weitergeleiteten[ ](?:nachricht|e-mail)\s*:
    | d[ée]but[ ]du[ ]message[ ](?:r[ée]exp[ée]di[ée]|transf[ée]r[ée])\s*: | inicio[ ]del[ ]mensaje[ ]reenviado\s*:
    | inizio[ ]messaggio[ ]inoltrato\s*: | begin[ ]doorgestuurd[ ]bericht\s*: | in[íi]cio[ ]da[ ]mensagem[ ]reenviada\s*:
    | vidarebefordrat[ ]brev\s*: | start[ ]p[åa][ ]videresendt[ ]besked\s*:""",
    re.IGNORECASE | re.VERBOSE,
)
_RULE = re.compile(r"[_\u2500-\u257f]{10,}|-{20,}")

# The names of header fields as mail programs print them above a quoted message.
_FIELDS = {
    "from": "from von de da van från fra od lähettäjä feladó от від expeditor kimden από 发件人 寄件者 差出人 보낸사람 מאת من",
    "sent": "sent date gesendet datum envoyé envoyé_le enviado enviado_el enviada_em enviado_em fecha data inviato data_invio"
    " verzonden skickat sendt dato wysłano wysłane data_wysłania lähetetty päivämäärä päiväys küldve dátum отправлено дата"
    " odesláno odoslané trimis gönderme_tarihi gönderildi tarih ημερομηνία надіслано 发送时间 日期 送信日時 日付 寄件日期"
    " 보낸날짜 נשלח تاريخ",
    "to": "to an à a para aan till til do vastaanottaja címzett кому komu către kime προς 收件人 宛先 받는사람 אל إلى",
    "subject": "subject betreff objet asunto assunto oggetto onderwerp ämne emne temat aihe tárgy тема předmět predmet"
    " subiect konu θέμα 主题 主旨 件名 제목 נושא الموضوع",
}
_FIELD_OF = {name.replace("_", " "): field for field, names in _FIELDS.items() for name in names.split()}
_FIELD = re.compile(r"[\s*]{0,4}([^\W\d_][^:：\n]{0,18}?)[\s*]*[:：]")


def introduction(lines: Sequence[Line], at: int) -> int:
    """The line after the introduction of a quotation that begins at line `at`; `at` itself when none begins there."""
    line = lines[at]
    if line.introduces:
        return at + 1
    text = line.text.strip()
    if not text or len(text) > _LONGEST:
        return at
    if _SEPARATOR.fullmatch(text):
        return at + 1
    if _RULE.fullmatch(text):
        below = next_written(lines, at + 1, 3)
        return below if below is not None and _introduces(lines, below) else at
    return max(_header_block(lines, at, text), _attribution(lines, at, text))


def _introduces(lines: Sequence[Line], at: int) -> bool:
    """Whether a header block or a separator begins here."""
    text = lines[at].text.strip()
    return lines[at].introduces or bool(_SEPARATOR.fullmatch(text[:_LONGEST])) or _header_block(lines, at, text) > at


def next_written(lines: Sequence[Line], at: int, reach: int) -> int | None:
    """The first line that is not blank among the `reach` lines from `at`, or None."""
    return next((i for i in range(at, min(at + reach, len(lines))) if lines[i].text.strip()), None)


def _attribution(lines: Sequence[Line], at: int, text: str) -> int:
    """The line after an attribution ("On ... at ... Ann wrote:") that begins at `at`, else `at`."""
    if not (_OPENING.match(text) or _WROTE.search(text) or _ADDRESS.search(text) or _QUOTING.match(text)):
        return at
    joined = ""
    for i in range(at, min(at + _ATTRIBUTION_LINES, len(lines))):
        piece = lines[i].text.strip()
        if not piece or lines[i].depth or len(piece) > _LONGEST:
            break
        joined = f"{joined} {piece}".strip()
        if piece.endswith((":", "：")):
            return i + 1 if _is_attribution(joined, _quote_follows(lines, i + 1)) else at
    return at


def _is_attribution(text: str, quote_follows: bool) -> bool:
    if _QUOTING.fullmatch(text) or _DATE_AND_ADDRESS.fullmatch(text):
        return True
    if _WROTE.search(text) is None:
        return False
    return quote_follows or _WHEN.search(text) is not None


def _quote_follows(lines: Sequence[Line], at: int) -> bool:
    below = next_written(lines, at, 4)
    return below is not None and lines[below].depth > 0


def _header_block(lines: Sequence[Line], at: int, text: str) -> int:
    """The line after a block of From, Sent, To and Subject in any language that begins at `at`, else `at`."""
    if _field(text) is None:
        return at
    found: set[str] = set()
    end = at
    for i in range(at, min(at + _HEADER_LINES, len(lines))):
        if lines[i].depth:
            break
        if (field := _field(lines[i].text)) is not None:
            found.add(field)
            end = i + 1
    return end if "from" in found and len(found) >= 3 else at


def _field(text: str) -> str | None:
    """Which header field such a line shows: from, sent, to or subject."""
    found = _FIELD.match(text[:_LONGEST])
    return _FIELD_OF.get(" ".join(found[1].lower().split())) if found else None
