"""The club of the demonstration: thirteen members, two of them with accounts, in the middle of a season.

Six weekly nights lie behind it, one of them void, and one table of tonight's is still being played.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from itertools import product
from typing import NamedTuple

from allauth.account.models import EmailAddress
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac

from games import results
from games.clubs import club_change, club_found, member_change, member_link, members_add
from games.engine.rules import rule_set
from games.engine.scheme import Scheme
from games.engine.season import shifts
from games.management.dealt import play
from games.models import (
    Club,
    ClubEntry,
    ClubGame,
    ClubKey,
    ClubLink,
    ClubRole,
    Doubt,
    Game,
    LogEntry,
    Member,
    Season,
    User,
)
from games.models.games import SLUG_ALPHABET
from games.seasons import doubt_decide, doubt_raise, doubt_reopen, game_begin, night_void, season_add
from games.selectors import sheet_of
from games.services import Setup

OWNER, ORGANISER, SCORER = "Graham", "Priya", "Kwame"
OTHERS = (
    SCORER,
    "Ruth",
    "Ben",
    "Chitra",
    "Wilhelmina",
    "Ann",
    "Dolores",
    "José María",
    "Margaret-Rose",
    "Old Tom",
)
LATE, GUEST = "Siobhán", "Nadia, Priya’s sister"
# Of each night, the last of them tonight: how many sit at which table.
NIGHTS = ((6, 6), (4, 4, 4), (6, 5), (5, 4, 4), (4, 4), (5, 6), (5,))
APPEAL_AT, JOINS_AT, GUEST_AT, VOID_AT, PENDING_AT = 1, 2, 3, 4, 5
ROUNDS = 13
SCHEME = Scheme(
    measure="placement", best=4, least_nights=4, tiebreaks=("head_to_head", "wins", "zero_rounds")
)
BEGINS = time(19, 30)


class Table(NamedTuple):
    """A game of one night, and the club's row for it."""

    played: ClubGame
    game: Game


@transaction.atomic
def make_club(chance: random.Random) -> None:
    today = timezone.localdate()
    first = today - timedelta(weeks=len(NIGHTS) - 1)
    club = club_found(name="Lantern Street Dominoes", user=_account(OWNER), owner=OWNER)
    members_add(club=club, names=[ORGANISER, *OTHERS], who=OWNER)
    member_link(club=club, number=2, user=_account(ORGANISER), who=OWNER)
    member_change(club=club, number=2, role=ClubRole.ORGANISER, who=OWNER)
    member_change(club=club, number=3, role=ClubRole.SCORER, who=OWNER)
    club_change(club=Club.objects.get(pk=club.pk), public=True, who=OWNER)
    season = season_add(
        club=club,
        name=f"{first:%B} to {today + timedelta(weeks=6):%B}",
        starts_on=first,
        ends_on=today + timedelta(weeks=6),
        scheme=SCHEME,
        who=ORGANISER,
    )
    _date_entries(club, first - timedelta(days=1))
    for at, sizes in enumerate(NIGHTS):
        on = first + timedelta(weeks=at)
        if at == JOINS_AT:
            members_add(club=club, names=[LATE], joined_on=on, who=ORGANISER)
        tables = _night(season, on, sizes, chance, GUEST if at == GUEST_AT else None)
        if at == VOID_AT:
            reason = "The double-twelve set of table 2 had 3-2 twice."
            night_void(season=season, on=on, void=True, reason=reason, who=ORGANISER)
        if at == APPEAL_AT:
            _appeal(tables[0])
        if at == PENDING_AT:
            _pending(season, tables[1])
        for table in tables:
            _date_game(table)
        _date_entries(club, on)


def club_lines() -> Iterator[tuple[str, str]]:
    """What to open first, and how: (words, path)."""
    for club in Club.objects.filter(members__user__email=_address(ORGANISER)).order_by("pk"):
        season = Season.objects.filter(club=club).order_by("number")[0]
        sign_in = f"{reverse('account_login')}?next={reverse('club', args=[club.slug])}"
        for name, role in ((ORGANISER, "an organiser"), (OWNER, "its owner")):
            yield f"{club}, sign in as {role} ({_address(name)}, password {_password(name)})", sign_in
        reader = ClubKey.objects.get(club=club, role=ClubLink.READER, revoked_at=None)
        yield f"{club}, to read only", reverse("club_reader", args=[reader.key])
        table = reverse("season", args=[club.slug, season.number])
        yield f"{club}, the table of {season}", table
        row = season.standings.select_related("member").order_by("position")[2]
        yield f"{club}, why {row.member} stands there", f"{table}?row={row.member.number}"
        for doubt in Doubt.objects.filter(club_game__night__season=season).order_by("-open", "number"):
            words = "a result in doubt" if doubt.open else "one that was decided after an appeal"
            yield f"{club}, {words}", reverse("doubt", args=[club.slug, doubt.number])


def _address(name: str) -> str:
    return f"{name.lower()}@example.org"


def _password(name: str) -> str:
    """The same each time on this site, and no other site's."""
    digest = salted_hmac("games.demo", name, algorithm="sha256").digest()
    return "".join(SLUG_ALPHABET[byte % len(SLUG_ALPHABET)] for byte in digest[:12])


def _account(name: str) -> User:
    """Somebody who has signed up and confirmed the address."""
    user = User.objects.create_user(_address(name), _password(name), name=name)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def _night(
    season: Season, on: date, sizes: tuple[int, ...], chance: random.Random, guest: str | None
) -> list[Table]:
    """The tables of one night, all played to the end but for tonight's."""
    there = list(Member.objects.filter(club=season.club).order_by("number").values_list("name", flat=True))
    chance.shuffle(there)
    tables = []
    for number, size in enumerate(sizes, start=1):
        names = [there.pop() for _ in range(size)]
        if guest and number == 1:
            names[-1] = guest
        setup = Setup(players=names, rules=rule_set(), name=f"Table {number}", played_on=on)
        begun = game_begin(season=season, on=on, setup=setup, who=ORGANISER)
        game = begun.sheet.game
        play(game, begun.sheet.rules, ROUNDS if on < timezone.localdate() else 7, chance, who=names[0])
        played = ClubGame.objects.select_related("night__season__club", "game").get(game=game)
        tables.append(Table(played, played.game))
    return tables


def _appeal(table: Table) -> None:
    """A score that was doubted, stood, and fell on appeal."""
    entry = sheet_of(table.game).rounds[8]
    seat = max(entry.hands, key=lambda seat: entry.hands[seat].points)
    who, points = sheet_of(table.game).names()[seat], entry.hands[seat].points
    other = {"round": entry.number, "seat": seat, "points": points - 9}
    reason = f"{who} counted 9-0 twice."
    doubt = doubt_raise(played=table.played, other=other, reason=reason, who=who)
    doubt_decide(doubt=doubt, stands=True, reason="Nobody else saw the hand.", who=ORGANISER)
    doubt_reopen(doubt=doubt, reason="There is a photograph of the table.", who=who)
    doubt_decide(doubt=doubt, stands=False, reason="The photograph shows 9-0 once.", who=OWNER)


def _pending(season: Season, table: Table) -> None:
    """A score of the last night in doubt: the smallest slip by which somebody would stand elsewhere."""
    sheet, now = sheet_of(table.game), results.table_of(season)
    hands = [(entry, seat) for entry in reversed(sheet.rounds) for seat in entry.hands]
    for slip, (entry, seat) in product((9, 10, 20, 30, 40), hands):
        points = entry.hands[seat].points - slip
        fallen = None
        if points > 0:
            fallen = results.sheet_otherwise(sheet, round=entry.number, seat=seat, points=points)
        if fallen is None:
            continue
        if shifts(now, results.table_of(season, instead=results.season_game(table.played, fallen))):
            who, other = sheet.names()[seat], {"round": entry.number, "seat": seat, "points": points}
            reason = f"{who} says it was {points}; the sheet has {points + slip}."
            doubt_raise(played=table.played, other=other, reason=reason, who=who)
            return


def _date_game(table: Table) -> None:
    """Let it look as if it had been written down on its night, a round every ten minutes."""
    begun = _begun(table.played.night.on)
    game = Game.objects.get(pk=table.game.pk)
    entries = list(LogEntry.objects.filter(game=game))
    for entry in entries:
        entry.at = min(begun + timedelta(minutes=10 * (entry.number - 1)), timezone.now())
    LogEntry.objects.bulk_update(entries, ["at"])
    Game.objects.filter(pk=game.pk).update(created_at=entries[0].at, changed_at=entries[-1].at)
    for doubt in Doubt.objects.filter(club_game=table.played):
        days = [begun + timedelta(hours=3, days=at) for at in range(len(doubt.steps))]
        doubt.steps = [step | {"at": day.isoformat()} for step, day in zip(doubt.steps, days, strict=True)]
        doubt.save(update_fields=["steps"])


def _date_entries(club: Club, on: date) -> None:
    """The same for the lines of the club’s log that are new."""
    entries = list(ClubEntry.objects.filter(club=club, at__gte=timezone.now() - timedelta(hours=1)))
    for at, entry in enumerate(entries):
        entry.at = min(_begun(on) + timedelta(minutes=at), timezone.now() - timedelta(hours=2))
    ClubEntry.objects.bulk_update(entries, ["at"])


def _begun(on: date) -> datetime:
    return timezone.make_aware(datetime.combine(on, BEGINS))
