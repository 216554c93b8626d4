"""REGISTER, WHOAMI, ADDRESS, TIMEZONE, PREFERENCES and ALIAS: a person's name, their preferences for mail, and their
names for places.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from gm import __version__
from gm.clock import parse_leads, parse_time, parse_zone
from gm.commands.context import Context
from gm.commands.declaration import Command, Consent, Help, Policy, Sentences, Syntax, Who
from gm.errors import NotNow, NotPermitted, NotUnderstood
from gm.games import digests, loading, names
from gm.games.bounds import Bound
from gm.games.limits import Spent
from gm.games.snapshot import Person
from gm.mail.message.compose import can_be_written_to
from gm.options.table import NONE
from gm.orders.notation import short
from gm.parsing.aliases import read_name
from gm.play import calendar, questions, turnout
from gm.reports import full_moment, zone_name
from gm.reports.blocks import Table
from gm.store import gathering, people
from gm.store.game_rows import GameState


def act_register(ctx: Context, args: Mapping[str, Any]) -> None:
    """Make an account for the sender's address, or give the sender's account this name."""
    known, name = ctx.person is not None, str(args["name"])[: names.LONGEST]
    names.require_fit(name, ctx.tx.identity.settings.name)
    if ctx.person is not None:
        renamed = replace(ctx.person, name=name)
        for game in ctx.tx.games_of(renamed, GameState.FORMING, GameState.RUNNING):
            names.require_own(game, renamed)
    account = ctx.change_person(name=name)
    ctx.say(f"{'You are now registered' if known else 'You are registered'} as {account.name} <{ctx.sender}>.")
    ctx.note("register", account=account.id)


REGISTER = Command(
    "register",
    Syntax("REGISTER name:NAME", ("REGISTER your name",), sentences=Sentences.RARE, name_words=5),
    Policy(consent=Consent.BINDING, of_newcomer=Consent.NONE),
    act_register,
    Help(
        "say who you are",
        """
        Other players see this name in reports. JOIN registers you by itself,
        with the name your mail client sends, or as Player and a number if it
        sends none; REGISTER changes it at any time.
        No name may read like a power, a gamemaster, the server or an address,
        nor like another player's in your games.
        """,
    ),
)


def act_whoami(ctx: Context, args: Mapping[str, Any]) -> None:
    """Show name, addresses, preferences, turnout, absences, and the seats with their addresses."""
    del args
    account = ctx.known()
    came = people.turnout_of(ctx.tx.session, [account.id])[account.id]
    rows = [
        ("Name", account.name),
        ("Addresses", ", ".join(account.addresses)),
        ("Zone", account.zone or "that of each game"),
        ("Mails", ("HTML and text" if account.html else "text") + (", no maps" if account.maps == "none" else "")),
        ("Reminders", account.remind or "as the game is set"),
        ("Digest", f"daily at {account.digest}" if account.digest is not None else "none"),
        ("Wishes", account.wishes or "-"),
        ("Turnout", turnout.in_words(came)),
    ]
    zone = ctx.tx.identity.zone_of(account, ctx.game)
    rows += [
        ("Absent", f"{full_moment(away.begins, zone)} to {full_moment(away.ends, zone)}")
        for away in people.absences_of(ctx.tx.session, [account.id], ctx.now)
    ]
    for game in ctx.tx.games_of(account):
        for seat in game.seats_of(account):
            rows.append((game.name, f"{seat.title} ({game.state}): {ctx.tx.identity.address_of(game, seat)}"))
    rows.append(("Server", f"gm {__version__}, {ctx.tx.identity.address}"))
    ctx.show("Who you are here", [Table(tuple(rows))])


WHOAMI = Command(
    "whoami",
    Syntax("WHOAMI", synonyms=("who am i",), asks=True, sentences=Sentences.UNLESS_WHOLE),
    Policy(Who.REGISTERED),
    act_whoami,
    Help(
        "show your account, and your seats with their addresses",
        """
        Your turnout is shown to gamemasters when you join, and by STATUS to
        the other players of your games where players are named; that counts
        such games only. Of the phases in which you had something to order,
        "on time" are those with orders before the deadline, "late" those with
        orders in the time of grace after it, "missed" those without. "Excused"
        are missing orders while you had announced an ABSENCE, when the
        gamemaster did not wait for the deadline (PROCESS), or where only the
        gamemaster ordered for you (ORDERS FOR). The share on time leaves these
        out, and is told from 5 phases on.
        """,
        words=("TURNOUT",),
    ),
)


def act_address(ctx: Context, args: Mapping[str, Any]) -> None:
    """List the sender's addresses, or add, prefer or remove one. A new one is added when it has been confirmed
    by mail.
    """
    account = ctx.known()
    mine = account.addresses
    email, what = args["address"], args["what"] or "use"
    if email is None:
        ctx.say("Your addresses: " + ", ".join([f"{mine[0]} (mail goes there)", *mine[1:]]) + ".")
        return
    if not can_be_written_to(email):
        raise NotUnderstood(f"'{email}' is not a mail address.", f"Write {ADDRESS.syntax.written}.")
    if what == "remove":
        _remove(ctx, account, email)
    elif email in mine:
        if what == "use":
            people.prefer_address(ctx.tx.session, account.id, email, ctx.now)
            ctx.tx.reread(account)
        ctx.say(f"{email} is one of your addresses" + (", and your mail now goes there." if what == "use" else "."))
    else:
        ask_whose(ctx, account, email, prefer=what == "use")


def ask_whose(ctx: Context, account: Person, email: str, *, prefer: bool) -> None:
    """Ask an address whether it is this person's; with `prefer` their mail goes there then. Raises NotNow,
    NotUnderstood or NotPermitted if it cannot be asked.
    """
    Bound.ADDRESSES.check(len(account.addresses) + 1, "Remove one first: ADDRESS REMOVE you@example.org.")
    if email.rpartition("@")[2] == ctx.tx.identity.host and email.startswith(ctx.tx.identity.address.partition("@")[0]):
        raise NotUnderstood(f"{email} is an address of this server.", "Name your own.")
    if ctx.mail_id is None:
        raise NotPermitted("Addresses are added by mail.", "Write ADDRESS ADD you@example.org from your own address.")
    ctx.reach(email, people.ALL_MAIL)
    asked = questions.Asked(
        mail_id=ctx.mail_id,
        scope=questions.ADDRESS,
        asked=email,
        title="Is this your address?",
        reasons=(
            f"{account.name} <{account.addresses[0]}> plays Diplomacy by mail here and wants to use {email} as their"
            " address.",
            *(_OTHERS if loading.person_at(ctx.tx.session, email) is not None else ()),
        ),
        answers=(("YES", "it is mine"), ("NO", "it is not, or I do not want it")),
        person=account,
        detail={"prefer": prefer},
        stop="STOP",
    )
    if not questions.ask(ctx.tx, asked):
        raise NotNow(f"Too many confirmation mails went to {email} lately.", "Try again later.")
    ctx.say(f"A mail was sent to {email}. Reply to it with YES from that address to add it.")


_OTHERS = (
    "This address is registered here already, and YES does not change that. If both accounts are yours, write FORGET ME"
    " from the one that is to go, which leaves its games, and ask for this again from the other.",
)
"""Who asks is not told whether an address is registered; who reads the mail to it is."""


def _remove(ctx: Context, account: Person, email: str) -> None:
    if email not in account.addresses:
        raise NotNow(f"{email} is not one of your addresses.", "Write ADDRESS to list them.")
    if len(account.addresses) == 1:
        raise NotNow(f"{email} is your only address.", "Add another first: ADDRESS you@example.org.")
    people.remove_address(ctx.tx.session, account.id, email, ctx.now)
    ctx.tx.reread(account)
    ctx.note("address", account=account.id, what="removed")
    ctx.say(f"{email} is no longer one of your addresses.")


ADDRESS = Command(
    "address",
    Syntax(
        "ADDRESS [what:ADD|REMOVE|USE|LIST] [address:ADDRESS]",
        ("ADDRESS", "ADDRESS you@example.org", "ADDRESS ADD you@example.org", "ADDRESS REMOVE you@example.org"),
        shorthands={"add address": "ADD", "remove address": "REMOVE"},
        after_set=True,
        sentences=Sentences.RARE,
    ),
    Policy(Who.REGISTERED, consent=Consent.FAR_REACHING, bare=Consent.NONE, cost=5, spends=(Spent.FIRST,)),
    act_address,
    Help(
        "the addresses you write from, and where your mail goes",
        """
        ADDRESS you@example.org adds the address and sends your mail there.
        ADDRESS ADD you@example.org only lets you write from it too. Either way
        a mail to the new address asks you to confirm it with YES. If mail to
        one of your addresses bounces, the next one is tried. An address that
        you remove gets no other seat in a game in which you have had one: its
        hash is kept until that is over.
        """,
    ),
)


def act_timezone(ctx: Context, args: Mapping[str, Any]) -> None:
    """Set the sender's time zone."""
    if str(args["zone"]).strip().lower() in ("game", *NONE):
        ctx.change_person(zone="")
        ctx.say("Times in your mails are now given in the time zone of each game.")
        return
    zone = parse_zone(args["zone"])
    ctx.change_person(zone=zone.key)
    here = ctx.now.astimezone(zone)
    name = zone_name(here) if zone.key.startswith("Etc/") else zone.key  # Etc/GMT-2 is two hours ahead
    ctx.say(f"Times in your mails are now given in {name}; here it is {here:%a %d %b %H:%M}.")


TIMEZONE = Command(
    "timezone",
    Syntax(
        "TIMEZONE zone:ZONE",
        ("TIMEZONE Europe/Berlin", "TIMEZONE GAME"),
        synonyms=("time zone", "zone"),
        after_set=True,
        sentences=Sentences.RARE,
    ),
    Policy(consent=Consent.BINDING),
    act_timezone,
    Help(
        "choose the time zone of your mails",
        """
        Your mails give times in this zone and in UTC, instead of in the time
        zone of each game; TIMEZONE GAME goes back to that. Use the name of a
        place, or of the IANA time zone list: Berlin, America/New_York, UTC.
        """,
    ),
)


def act_preferences(ctx: Context, args: Mapping[str, Any]) -> None:
    """Set the preferences that are given, and show all."""
    changes: dict[str, Any] = {}
    initials = str(args["initials"] or "")
    for key, text in (*args["options"].items(), *((("powers", initials),) if initials else ())):
        changes |= _change(key.lower(), str(text).strip())
    hours = changes.keys() & {"desk", "digest"}
    if hours and "zone" not in changes and (zone := _zone_of_games(ctx)):
        changes["zone"] = zone
        ctx.say(f"Your time zone is that of your games now, {zone}; TIMEZONE and its name set another.")
    account = ctx.change_person(**changes)
    gathered = gathering.is_due(ctx.tx.session, account.addresses, ctx.now) if "digest" in changes else 0
    if "remind" in changes:
        for game in ctx.tx.games_of(account, GameState.RUNNING, lock=True):
            calendar.renew_reminders(ctx.tx, game)
    mails = "text and HTML" if account.html else "text only"
    ctx.say(
        f"Your preferences: mail={'html' if account.html else 'text'} ({mails}), maps={account.maps or 'yes'},"
        f" receipts={account.receipts or 'text'}, calendar={account.calendar or 'yes'}, json={account.json or 'none'},"
        f" remind={account.remind or 'game'}, digest={account.digest or 'none'},"
        f" desk={account.desk or 'none'}, zone={account.zone or 'game'}, powers={account.wishes or 'none'},"
        f" signature={account.signature or 'none'}."
    )
    if "desk" in changes or ("zone" in changes and account.desk):
        _set_desk(ctx, account)
    if "digest" in changes:
        ctx.say(_digest_words(ctx, account, gathered))


def _zone_of_games(ctx: Context) -> str:
    """The time zone that all games of a sender have who has chosen none; "" if there is none."""
    person = ctx.person
    games = ctx.tx.games_of(person, GameState.FORMING, GameState.RUNNING) if person is not None else ()
    zones = {game.options.clock.zone.key for game in games}
    ours = ctx.tx.identity.zone_of(person).key  # their own, or the server's
    return zones.pop() if len(zones) == 1 and person is not None and not person.zone and ours not in zones else ""


def _set_desk(ctx: Context, account: Person) -> None:
    """Say from when on the person is told what waits for them, and keep it."""
    zone = ctx.tx.identity.zone_of(account)
    at = digests.next_desk(account, zone, ctx.now)
    people.update_account(ctx.tx.session, account.id, {"desk_at": at})
    when = f"if something does, first on {full_moment(at, zone)}" if at is not None else "when you ask, with DASHBOARD"
    ctx.say(f"You are told what waits for you in the games that you run {when}.")


def _digest_words(ctx: Context, account: Person, gathered: int) -> str:
    """What a change of the digest means, and what becomes of the mails that wait for it."""
    zone = ctx.tx.identity.zone_of(account)
    at = digests.next_digest(account, zone, ctx.now)
    waited = " What waited for your digest is sent now." if gathered else ""
    if at is None:
        return f"Mails of your games come at once, each by itself.{waited}"
    return (
        f"News of your games comes in one mail a day, next on {full_moment(at, zone)}; what cannot wait until then, and"
        f" answers, come at once.{waited}"
    )


_CHOICES: Mapping[str, tuple[str, Mapping[str, bool | str | None]]] = {
    "mail": ("html", {"text": False, "html": True}),
    "maps": ("maps", {"yes": None, "dark": "dark", **dict.fromkeys(NONE, "none")}),
    "calendar": ("calendar", {"yes": None, **dict.fromkeys(NONE, "none")}),
    "json": ("json", {"yes": "yes", **dict.fromkeys(NONE)}),
    "receipts": ("receipts", {"map": "map", "text": None}),
    "remind": ("remind", {"game": None, **dict.fromkeys(NONE, "none")}),
}
"""The column of each preference that has words to choose from, and what it is for each."""
_ALSO = {"map": "maps", "receipt": "receipts", "timezone": "zone"}


def _change(key: str, text: str) -> dict[str, Any]:
    """The columns of a person that a preference changes. Raises NotUnderstood."""
    word, key = text.lower(), _ALSO.get(key, key)
    column, choices = _CHOICES.get(key, ("", {}))
    if word in choices:
        return {column: choices[word]}
    if key == "remind":
        parse_leads(text)
        return {key: word}
    if key in ("digest", "desk"):
        return {key: None if word in NONE else f"{parse_time(text):%H:%M}"}
    if key == "zone":
        return {key: "" if word in ("game", *NONE) else parse_zone(text).key}
    if key in ("powers", "signature") and len(text) <= 200:
        return {"wishes" if key == "powers" else key: None if word in NONE else text}
    raise NotUnderstood(
        f"'{key}={text}' is not a preference.",
        "Write mail=text or html, maps=yes, dark or none, receipts=map or text, calendar=yes or none,"
        " json=yes or none, remind=48h,6h, game or none, digest=07:00 or none, desk=07:00 or none, zone=Europe/Berlin,"
        " powers=FRANCE,ITALY or F[IG]*, signature=Ann Lee.",
    )


PREFERENCES = Command(
    "preferences",
    Syntax(
        "PREFERENCES [options:OPTIONS] | PREFERENCES initials:INITIALS",
        ("PREFERENCES", "PREFERENCES mail=text maps=none remind=48h,6h powers=F[ER]*", "PREFERENCES digest=07:00"),
        synonyms=("preference", "prefs"),
        after_set=True,
        sentences=Sentences.RARE,
    ),
    Policy(consent=Consent.BINDING, bare=Consent.NONE),
    act_preferences,
    Help(
        "choose how your mails look, and which powers you prefer",
        "  mail      html (text and HTML) or text (text only)\n"
        "  maps      yes, dark (for mails with a dark background) or none\n"
        "  receipts  map, to see your orders on the map in each receipt, or text\n"
        "  calendar  yes or none: a file with the deadline for your calendar\n"
        "  json      yes or none: a file of the turn in each report, for programs\n"
        "  remind    when to remind you of missing orders: 48h,6h before the\n"
        "            deadline, or none; game uses the game's own setting\n"
        "  digest    07:00 (in your time zone): news of all your games in one\n"
        "            mail a day, which you can answer for all of them, the orders\n"
        "            for each below its line GAME; answers, questions and what is\n"
        "            due before you could answer come at once. none: at once\n"
        "  desk      07:00: once a day, if something waits for you in games that\n"
        "            you run, all of it in one mail. none: only with DASHBOARD\n"
        "  zone      Europe/Berlin: the time zone of these hours and of the times\n"
        "            in your mails, as TIMEZONE sets it. game: that of each game\n"
        "  powers    your favourite powers, used when JOIN names none: names with\n"
        "            commas (France, Italy), or initials, favourite first, with\n"
        "            equal choices in brackets: F[ER]* is France, then England or\n"
        "            Russia, then any; PREFERENCES F[ER]* says the same\n"
        "  signature the name below your mails, if it is not the one that your\n"
        "            mail program sends, or none: orders above an unknown name\n"
        "            are asked about",
    ),
)


# a player's own names for places


def act_alias(ctx: Context, args: Mapping[str, Any]) -> None:
    """Add an alias for a place, remove one, or list them."""
    game, seat = ctx.seated()
    known = dict(seat.names)
    if args["alias"] is None:
        listed = ", ".join(f"{name.title()} = {short(place)}" for name, place in known.items())
        ctx.say(f"Your aliases: {listed}." if listed else "You have no aliases.")
        return
    name, place = read_name(args["alias"], game.lexicon)
    if place is None:
        if name not in known:
            raise NotNow(f"You have no alias {name.title()}.", "Write ALIAS to list yours.")
        del known[name]
        ctx.say(f"The alias {name.title()} is removed.")
    else:
        known[name] = place
        Bound.ALIASES.check(len(known), f"Remove one first: ALIAS {next(iter(known)).title()} = NONE.")
        ctx.say(f"{name.title()} now means {short(place)} in your orders. Only you can use this alias.")
    ctx.tx.fold_seats(game, replace(seat, names=tuple(sorted(known.items()))))
    ctx.note("alias")


ALIAS = Command(
    "alias",
    Syntax("ALIAS [alias:WORDS]", ("ALIAS Refuge = Q31415", "ALIAS Refuge = NONE", "ALIAS")),
    Policy(Who.PLAYER),
    act_alias,
    Help(
        "give a place a name of your own",
        """
        Only you can use the alias, and no other player sees it. Use it in the
        same mail and all later ones. Reports keep the game's own names. ALIAS
        alone lists your aliases.
        """,
    ),
)
