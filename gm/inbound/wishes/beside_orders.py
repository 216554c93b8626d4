"""What stands in a mail beside orders that are offered: wishes, which go with them, and words of which nothing was
made, so that an offer names everything that it leaves out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from gm.commands.context import Context
from gm.inbound.meant_orders import Beside
from gm.inbound.ordering import Ordering
from gm.inbound.plain_answers import can_be_set_right
from gm.inbound.wishes.askable import OPPOSITE
from gm.inbound.wishes.guesses import applies, guess, wanted
from gm.inbound.wishes.lines import changes, line_for
from gm.parsing.lexicon import shorten
from gm.parsing.meant import keeps_orders, orders_by
from gm.parsing.meant_words import says, with_coasts
from gm.parsing.questions import Wanted, begins_because, clauses, is_reason, requests
from gm.parsing.sayings import SURE
from gm.parsing.small_talk import PROSE
from gm.parsing.thoughts import without_thoughts
from gm.play.questions import says_no


def beside_orders(ctx: Context, ordering: Ordering, texts: Iterable[str]) -> Beside:
    """What stands in these sentences beside the orders that they give, and before a condition; of what is said twice,
    `that's all, I'm ready`, what is surer.
    """
    found, left, conditions = dict[str, None](), list[str](), list[str]()
    for text in texts:
        found |= dict.fromkeys(_titles(ctx, text))
        plain, condition = ordering.parted(with_coasts(without_thoughts(text)))
        conditions += [condition] if condition else []
        leads = clauses(plain.partition(":")[0]) if ":" in plain else ()  # `and my moves for the fall: ...`
        for clause in clauses(plain):
            if (
                says_no(clause)
                or keeps_orders(clause)
                or ordering.places_in(clause)
                or orders_by(clause, ordering.lexicon)
            ):
                continue
            if line := _wished(ctx, clause):
                found[line] = None
            elif clause not in leads and _means_something(ctx, clause):
                left.append(clause)
    for one in [*found]:
        if OPPOSITE.get(one) in [*found][[*found].index(one) + 1 :]:  # what is said last counts
            del found[one]
    unsaid = [one for one in left if found.keys().isdisjoint((*_may_be(ctx, one), *_titles(ctx, one)))]
    return Beside(tuple(found), tuple(dict.fromkeys(repr(shorten(one)) for one in (*conditions, *unsaid))))


def _titles(ctx: Context, text: str) -> Iterator[str]:
    """The commands among the clauses of a text, and its last word, that are final: `Mar-Spa, Bre-Mao ready`."""
    parts = dict.fromkeys(part.strip(".!").upper() for part in (*clauses(text), *text.split()[-1:]))
    commands = map(ctx.commands.by_title.get, parts)
    yield from (one.title for one in commands if one is not None and one.policy.final)


def _wished(ctx: Context, clause: str) -> str:
    """The line for what a clause surely wishes, of those that another mail can set right; "" for none. Beside orders a
    word asks nothing: `final` is no question what that means.
    """
    near = [*wanted(_near(ctx, clause))]
    wishes = [one for one in near if one not in (None, Wanted.CLEAR) and applies(ctx, one)]
    changing = [one for one in wishes if changes(ctx, one, clause)]
    if not changing and not (requests(clause) or guess(ctx, clause).is_example):
        return ""
    if not wishes or len(near) > _FEW or (len(near) > 1 and (None in near or near[:1] != changing)):
        return ""
    line = line_for(ctx, wishes[0], clause)
    return line if not line.startswith("HELP") and can_be_set_right(ctx, line, ready=True) else ""


def _near(ctx: Context, clause: str) -> tuple[str, ...]:
    found = guess(ctx, clause)
    return found.within(SURE) if found.known else ()


def _may_be(ctx: Context, clause: str) -> Iterator[str]:
    """The lines that change something of a clause that may be one of two things."""
    near = _near(ctx, clause)
    wishes = (one for one in wanted(near if len(near) <= _FEW else ()) if one is not None)
    yield from (line_for(ctx, one, clause) for one in wishes if changes(ctx, one, clause))


def _means_something(ctx: Context, clause: str) -> bool:
    """Whether a clause may wish to change something, or has more than words that connect others, talk, what is so, its
    writer's name, and a word that leads to something, `actually no`, `Entschuldigung`.
    """
    said = re.findall(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?", clause)
    words = [word.lower() for word in said]
    near, name = _near(ctx, clause), ctx.person.name.lower().split() if ctx.person is not None else []
    if [*_may_be(ctx, clause)]:
        return True
    signs = all(word[0].isupper() or word == "of" for word in said)  # `Nora of Krell`
    signs = signs or _HEADS_LIST.fullmatch(clause.lower()) is not None
    leads = len(words) == 1 or signs or (says(clause, "not") and len(words) <= _FEW)
    return not (
        leads or is_reason(clause) or begins_because(clause) or "CHAT" in near or PROSE.union(name).issuperset(words)
    )


_HEADS_LIST = re.compile(
    r"(?:and |und )?(?:the |my |die |das )?(?:first|second|third|other|next|last|erste|zweite)(?: one)?"
)
_FEW = 2
