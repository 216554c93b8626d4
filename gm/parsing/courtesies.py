"""Words of courtesy, in the languages in which people write: thanks, please, greetings, leave, and assent.

Each is the inside of a pattern, to be matched without regard to case. What a word does depends on where it stands, so
that is said where a pattern is made of it.
"""

from __future__ import annotations

GREETING = (
    r"(?:hi|hello|hallo|dear|hey|hej|servus|good (?:morning|evening|afternoon|day)"
    r"|guten (?:tag|morgen|abend)|bonjour|bonsoir|salut|hola|buenos d[íi]as|ciao"
    r"|buongiorno|ol[áa]|bom dia|goedendag)"
)
THANKS = (
    r"(?:(?:(?:many |a thousand )?thanks?(?: you)?|th?x|tnx|thanx|ty|cheers|(?:vielen )?danke?|(?:un grand )?merci"
    r"|(?:muchas |mil )?gracias|(?:mille |molte )?grazie|(?:muito )?obrigad[oa]|bedankt|dank (?:je|u)"
    r"|mange takk?|takk?|tack)"
    r"(?: (?:very|so) much| a lot| schön| sehr| beaucoup| bien| mille| wel| skal du ha| så mycket| again"
    r"| in advance| im voraus| d['’]avance)?)"
)
CLOSING = (
    r"(?:(?:best|kind|warm) )?(?:regards|wishes)|best|cheers|bye|yours|sincerely"
    r"|(?:viele |liebe |beste |schöne |mit freundlichen )?gr(?:ü|ue)(?:ß|ss)en?|gru(?:ß|ss)|mfg|vg|lg|sg|bg"
    r"|(?:bien )?cordialement|amicalement|bises|(?:un )?saludos?(?: cordiales)?|(?:cordiali )?saluti|cumprimentos"
    r"|abraços?|(?:met )?(?:vriendelijke )?groet(?:en)?|(?:med )?venn?lig hilsen|mvh|(?:med )?vänliga hälsningar"
    r"|sent from my (?:telephone|phone|mobile|iphone|ipad|android)"
)
"""Words that take leave."""
PLEASE = (
    r"(?:please|pls|plz|kindly|bitte(?: schön| sehr)?|s['’]il (?:te|vous) pla[iî]t|svp|stp|por favor|per favore"
    r"|per piacere|alstublieft|alsjeblieft)"
)
DO_IT = r"(?:(?:please |pls )?(?:do|send) (?:it|that|so)|(?:please|pls) do|go ahead|go for it|make it so)(?: now)?"
ASSENT = (
    r"(?:yes|yep|yeah|yup|yess|yea|ya|aye|sure|ok|okay|confirm(?:ed)?|(?:i(?:['\u2019]m)? )?agreed?|ja|jawohl|jo"
    r"|passt(?: (?:so|schon))?|genau(?: so)?|ja eh|eh klar|(?:ja )?freilich"
    r"|stimmt(?: so)?|so ist es|einverstanden|mach (?:das|es)(?: so)?"
    r"|oui|ouais|d['\u2019]?accord|c['\u2019 ]?(?:est )?(?:bon|[çc]a|parfait)(?!\w)|vas[- ]y|allez[- ]y|s[íì]|sim)"
)
"""The words of assent, wherever something is asked or proposed. No word that means something else in a language of this
list: tak is yes in Polish and thanks in Danish, si without an accent is if in Spanish and French.
"""
GLADLY = (
    r"(?:absolutely|definitely|certainly|of course|indeed|affirmative|al(?:l )?right|very (?:good|well)|sure thing"
    r"|sounds (?:good|great|fine|right|perfect)"
    r"|(?:that|it)(?: would|['’]d) be (?:great|nice|good|perfect|lovely|fine)"
    r"|fine(?: (?:by|with|for) me)?|you got it|i (?:do|(?:hereby )?confirm(?: it| this| that)?|am sure)|i['’]m sure"
    r"|go|please|bien s[ûu]r|tout à fait|absolument|volontiers|gerne?|(?:na )?klar|natürlich|selbstverständlich"
    r"|auf jeden fall|unbedingt|claro(?: que s[íi])?|certo|com certeza)"
)
"""Assent only where it is all that an answer says: who goes on may only be polite, `of course, if he agrees`."""
