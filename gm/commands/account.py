"""REGISTER, WHOAMI, ADDRESS, TIMEZONE and PREFERENCES: who a person is, and how they like their mails."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gm import __version__
from gm.clock import parse_duration, parse_zone
from gm.commands.context import Context
from gm.commands.declaration import Command, Help, Policy, Sentences, Syntax, Who
from gm.errors import NotNow, NotUnderstood
from gm.games import questions
from gm.mail.message.compose import can_be_written_to
from gm.reports.words import columns
from gm.store import game_rows, people
from gm.store.game_rows import SeatRole
from gm.store.people import AccountRow


def act_register(ctx: Context, args: Mapping[str, Any]) -> None:
    """Make an account for the sender's address, or give the sender's account the name."""
    known = ctx.account is not None
    account = ctx.registered()
    account.name = str(args["name"])[:60]
    ctx.say(f"{'You are now known' if known else 'You are registered'} as {account.name} <{ctx.sender}>.")
    ctx.note("register", name=account.name, address=ctx.sender)


REGISTER = Command(
    "register",
    Syntax("REGISTER name:NAME", ("REGISTER your name",), sentences=Sentences.RARE, name_words=5),
    Policy(),
    act_register,
    Help(
        "say who you are",
        "Other players see this name in reports. JOIN registers you by itself,\n"
        "with the name your mail client sends; REGISTER changes it at any time.",
    ),
)


_ROLES = {SeatRole.MASTER: "gamemaster", SeatRole.OBSERVER: "observer"}


def act_whoami(ctx: Context, args: Mapping[str, Any]) -> None:
    """Show name, addresses, preferences, turnout, absences, and the seats with their addresses."""
    del args
    account = ctx.known()
    came = people.turnout_of(ctx.session, [account.id])[account.id]
    rows = [
        ("Name", account.name),
        ("Addresses", ", ".join(people.addresses_of(ctx.session, account.id))),
        ("Zone", account.zone),
        ("Mails", ("HTML and text" if account.html else "text") + (", no maps" if account.maps == "none" else "")),
        ("Reminders", account.remind or "as the game says"),
        ("Wishes", account.wishes or "-"),
        ("Turnout", turnout_words(came)),
    ]
    rows += [
        ("Absent", f"{away.begins:%Y-%m-%d %H:%M} to {away.ends:%Y-%m-%d %H:%M} UTC")
        for away in people.absences_of(ctx.session, [account.id], ctx.now)
    ]
    for game, seat in game_rows.seats_of_account(ctx.session, account.id):
        role = _ROLES.get(seat.role) or seat.power or "player"
        rows.append((game.name, f"{role} ({game.state}): {ctx.office.address_of(game, seat)}"))
    rows.append(("Server", f"gm {__version__}, {ctx.office.server.address}"))
    ctx.show("Who you are here", columns(rows))


def turnout_words(came: Mapping[str, int]) -> str:
    """How somebody's orders come, in figures that explain themselves."""
    phases = sum(came.values())
    if not phases:
        return "no phase played yet"
    parts = [f"{came[kind]} {kind}" for kind in ("on time", "late", "missed", "excused") if came.get(kind)]
    return f"{', '.join(parts)} of {phases}"


WHOAMI = Command(
    "whoami",
    Syntax("WHOAMI", synonyms=("who am i",), elsewhere=("version",), asks=True, sentences=Sentences.UNLESS_WHOLE),
    Policy(Who.REGISTERED),
    act_whoami,
    Help(
        "show what is known of you, and your seats with their addresses",
        "Your turnout (orders on time, late, missed) is shown to gamemasters\nwhen you join.",
    ),
)


_MOST_ADDRESSES = 5


def act_address(ctx: Context, args: Mapping[str, Any]) -> None:
    """List the sender's addresses, or add, prefer or remove one. A new address is asked itself before it counts."""
    account = ctx.known()
    mine = people.addresses_of(ctx.session, account.id)
    email, what = args["address"], args["what"] or "use"
    if email is None:
        ctx.say("Your addresses: " + ", ".join([f"{mine[0]} (mail goes there)", *mine[1:]]) + ".")
        return
    if not can_be_written_to(email):
        raise NotUnderstood(f"'{email}' is not a mail address.", f"Write {ADDRESS.syntax.written}.")
    if what == "remove":
        _remove(ctx, account, mine, email)
    elif email in mine:
        if what == "use":
            people.prefer_address(ctx.session, account.id, email, ctx.now)
        ctx.say(f"{email} is an address of yours" + (", and mail goes there from now on." if what == "use" else "."))
    else:
        _add(ctx, account, mine, email, prefer=what == "use")


def _add(ctx: Context, account: AccountRow, mine: list[str] | Any, email: str, *, prefer: bool) -> None:
    if len(mine) >= _MOST_ADDRESSES:
        raise NotNow(f"You have {len(mine)} addresses already.", "ADDRESS REMOVE takes one away.")
    if email.rpartition("@")[2] == ctx.office.host and email.startswith(ctx.office.server.address.partition("@")[0]):
        raise NotUnderstood(f"{email} is an address of this server.", "Name your own.")
    if people.account_by_address(ctx.session, email) is not None:
        raise NotNow(f"{email} cannot be added: it is registered already.", "Write from it, or name another.")
    row = questions.ask(
        ctx.session,
        ctx.office,
        mail_id=ctx.mail_id,
        scope=questions.ADDRESS,
        asked=email,
        title="Is this your address?",
        reasons=(
            f"{account.name} <{mine[0]}> plays Diplomacy by mail here, and asks that {email} be an address of theirs.",
        ),
        answers=(("YES", "it is mine"), ("NO", "it is not, or I do not want it")),
        account=account,
        detail={"prefer": prefer},
        now=ctx.now,
    )
    if row is None:
        raise NotNow(f"{email} was asked too often in the last hour.", "Try again later.")
    ctx.say(f"A mail went to {email}; answer it with YES from there, and the address is yours.")


def _remove(ctx: Context, account: AccountRow, mine: list[str] | Any, email: str) -> None:
    if email not in mine:
        raise NotNow(f"{email} is not one of your addresses.", "ADDRESS alone lists them.")
    if len(mine) == 1:
        raise NotNow(f"{email} is your only address.", "Add another first: ADDRESS you@example.org.")
    people.remove_address(ctx.session, account.id, email)
    ctx.note("address", removed=email)
    ctx.say(f"{email} is no address of yours any more.")


ADDRESS = Command(
    "address",
    Syntax(
        "ADDRESS [what:ADD|REMOVE|USE|LIST] [address:ADDRESS]",
        ("ADDRESS", "ADDRESS you@example.org", "ADDRESS ADD you@example.org", "ADDRESS REMOVE you@example.org"),
        shorthands={"add address": "ADD", "remove address": "REMOVE"},
        after_set=True,
        sentences=Sentences.RARE,
    ),
    Policy(Who.REGISTERED, irrevocable=True, cost=5),
    act_address,
    Help(
        "the addresses you write from, and where your mail goes",
        "ADDRESS with an address makes your mail go there; ADD only lets you\n"
        "write from it too. Either way a mail to that address asks first. If\n"
        "mail to one of your addresses bounces, the next one is tried.",
    ),
)


def act_timezone(ctx: Context, args: Mapping[str, Any]) -> None:
    """Set the sender's zone."""
    zone = parse_zone(args["zone"])
    ctx.registered().zone = zone.key
    ctx.say(f"Times in your mails are now given in {zone.key}; here it is {ctx.now.astimezone(zone):%a %d %b %H:%M}.")


TIMEZONE = Command(
    "timezone",
    Syntax(
        "TIMEZONE zone:ZONE",
        ("TIMEZONE Europe/Berlin",),
        synonyms=("time zone", "zone"),
        after_set=True,
        sentences=Sentences.RARE,
    ),
    Policy(),
    act_timezone,
    Help(
        "choose the time zone of your mails",
        "Deadlines in your mails are written in this zone, and in UTC beside it.\n"
        "The name is one of the IANA list: America/New_York, Asia/Tokyo, UTC.",
    ),
)


_KEYS = ("mail", "maps", "remind", "powers")
_NEVER = ("none", "no", "off")


def act_preferences(ctx: Context, args: Mapping[str, Any]) -> None:
    """Set what is given, and say how everything stands."""
    account = ctx.registered()
    for key, text in args["options"].items():
        _set(account, key.lower(), str(text).strip())
    mails = "text and HTML" if account.html else "text only"
    ctx.say(
        f"Your preferences: mail={'html' if account.html else 'text'} ({mails}), maps={account.maps or 'yes'},"
        f" remind={account.remind or 'game'}, powers={account.wishes or 'none'}."
    )


def _set(account: AccountRow, key: str, text: str) -> None:
    word = text.lower()
    if key == "mail" and word in ("text", "html"):
        account.html = word == "html"
    elif key == "maps" and word in ("yes", "none", "no"):
        account.maps = None if word == "yes" else "none"
    elif key == "remind":
        if word not in ("game", *_NEVER):
            parse_duration(text)
        account.remind = None if word == "game" else "none" if word in _NEVER else word
    elif key == "powers" and len(text) <= 200:
        account.wishes = None if word in _NEVER else text
    else:
        raise NotUnderstood(
            f"'{key}={text}' is not a preference.",
            "Write mail=text or html, maps=yes or none, remind=48h, game or none, powers=FRANCE,ITALY or F[IG]*.",
        )


PREFERENCES = Command(
    "preferences",
    Syntax(
        "PREFERENCES [options:OPTIONS]",
        ("PREFERENCES", "PREFERENCES mail=text maps=none remind=48h powers=F[ER]*"),
        synonyms=("preference", "prefs"),
        after_set=True,
        sentences=Sentences.RARE,
    ),
    Policy(),
    act_preferences,
    Help(
        "how you like your mails, and which powers you like to play",
        "  mail    html (text and HTML) or text (text only)\n"
        "  maps    yes or none\n"
        "  remind  how long before a deadline you are reminded when your orders\n"
        "          are missing: 48h, or none; game: as the game says\n"
        "  powers  what JOIN asks for when it names none: names with commas, or\n"
        "          initials with what is equally dear in brackets: F[ER]*, where\n"
        "          * stands for all others",
    ),
)
