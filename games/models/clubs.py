"""The rows of a club: its people, seasons and nights, the games played there, and the table they make.

Knows columns and what one row must always satisfy. Must not know how a season is scored
(games.engine.season), who may do what (permissions) or how a change is made (games.clubs, games.seasons). A
game knows nothing of its club: `ClubGame` and `ClubSeat` say which night it belongs to and who sat where.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models.games import NAME_LENGTH, REASON_LENGTH, SLUG_LENGTH, Game, new_key, new_slug

CLUB_NAME_LENGTH = 80


class ClubRole(models.TextChoices):
    OWNER = "owner", _("owner")
    ORGANISER = "organiser", _("organiser")
    SCORER = "scorer", _("scorer")
    MEMBER = "member", _("member")


class ClubLink(models.TextChoices):
    READER = "reader", _("reads")
    INVITE = "invite", _("joins")


class ClubAction(models.TextChoices):
    FOUNDED = "founded", _("Club founded")
    CHANGED = "changed", _("Club changed")
    LINK_REPLACED = "link_replaced", _("Link stopped, new one made")
    MEMBER_ADDED = "member_added", _("Member added")
    MEMBER_CHANGED = "member_changed", _("Member changed")
    MEMBER_LINKED = "member_linked", _("Member linked to an account")
    MEMBER_LEFT = "member_left", _("Member left")
    MEMBERS_MERGED = "members_merged", _("Members merged")
    SEASON_ADDED = "season_added", _("Season added")
    SEASON_CHANGED = "season_changed", _("Season changed")
    SCHEME_CHANGED = "scheme_changed", _("Scoring changed")
    NIGHT_CHANGED = "night_changed", _("Night changed")
    GAME_ADDED = "game_added", _("Game added to a night")
    GAME_CHANGED = "game_changed", _("Game of a night changed")
    GAME_REMOVED = "game_removed", _("Game taken from a night")
    DOUBT_RAISED = "doubt_raised", _("Result put in doubt")
    DOUBT_DECIDED = "doubt_decided", _("Result decided")
    DOUBT_REOPENED = "doubt_reopened", _("Decision appealed against")
    BROUGHT_IN = "brought_in", _("Brought in from a file")


class Club(models.Model):
    """A club. `version` counts its changes and is the number of its newest log entry."""

    slug = models.CharField(max_length=SLUG_LENGTH, unique=True, default=new_slug)
    name = models.CharField(max_length=CLUB_NAME_LENGTH)
    public = models.BooleanField(default=False)  # whether anybody may read its tables
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = (
            models.CheckConstraint(condition=~Q(name=""), name="club_has_a_name"),
            models.CheckConstraint(condition=Q(version__gte=1), name="club_version"),
        )

    def __str__(self) -> str:
        return self.name


class ClubKey(models.Model):
    """A link's secret: it reads the club's tables, or lets somebody with an account join."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="keys")
    role = models.CharField(max_length=6, choices=ClubLink)
    key = models.CharField(max_length=64, unique=True, default=new_key)
    created_at = models.DateTimeField(default=timezone.now)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = (
            models.CheckConstraint(condition=Q(role__in=ClubLink.values), name="club_key_role"),
            models.UniqueConstraint(
                fields=("club", "role"), condition=Q(revoked_at__isnull=True), name="club_key_one_live"
            ),
        )

    def __str__(self) -> str:
        return f"{self.club_id}: {self.role}"


class Member(models.Model):
    """One person in one club; most have no account. `number` is an identity, never used again.

    `merged_into` names the member who has the results of this one, entered twice, now.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="members")
    number = models.PositiveIntegerField()
    name = models.CharField(max_length=NAME_LENGTH)
    role = models.CharField(max_length=9, choices=ClubRole, default=ClubRole.MEMBER)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="memberships"
    )
    joined_on = models.DateField(null=True, blank=True)  # blank: since ever
    left_on = models.DateField(null=True, blank=True)
    merged_into = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="merged"
    )
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=("club", "number"), name="member_number_once"),
            models.UniqueConstraint(fields=("club", "user"), name="member_account_once"),
            models.UniqueConstraint(
                "club", Lower("name"), condition=Q(merged_into__isnull=True), name="member_name_once"
            ),
            models.CheckConstraint(condition=Q(role__in=ClubRole.values), name="member_role"),
            models.CheckConstraint(condition=~Q(name=""), name="member_has_a_name"),
            models.CheckConstraint(
                condition=Q(left_on__isnull=True)
                | Q(joined_on__isnull=True)
                | Q(left_on__gte=F("joined_on")),
                name="member_leaves_after_joining",
            ),
        )

    def __str__(self) -> str:
        return self.name


class Season(models.Model):
    """A season of a club; `scheme` is how it is scored (games.engine.scheme), whole."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="seasons")
    number = models.PositiveIntegerField()
    name = models.CharField(max_length=CLUB_NAME_LENGTH)
    starts_on = models.DateField()
    ends_on = models.DateField(null=True, blank=True)
    scheme = models.JSONField()
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-number",)
        constraints = (
            models.UniqueConstraint(fields=("club", "number"), name="season_number_once"),
            models.CheckConstraint(condition=~Q(name=""), name="season_has_a_name"),
            models.CheckConstraint(
                condition=Q(ends_on__isnull=True) | Q(ends_on__gte=F("starts_on")), name="season_ends_late"
            ),
        )

    def __str__(self) -> str:
        return self.name


class Night(models.Model):
    """One evening of a season. A void one keeps its games, and counts for nobody."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="nights")
    on = models.DateField()
    void = models.BooleanField(default=False)
    reason = models.CharField(max_length=REASON_LENGTH, blank=True)

    class Meta:
        ordering = ("on",)
        constraints = (models.UniqueConstraint(fields=("season", "on"), name="night_once"),)

    def __str__(self) -> str:
        return f"{self.season_id}: {self.on}"


class ClubGame(models.Model):
    """A game that is played on a club's night; `void` takes this one alone out of the table.

    `told`: nobody kept score of it here, it is known by its result alone: {"table": "2", "seats": {"1":
    {"points", "rounds", "zero_rounds", "lowest_nonzero", "place"}}}. Its game has players and no round.
    """

    night = models.ForeignKey(Night, on_delete=models.CASCADE, related_name="games")
    game = models.OneToOneField(Game, on_delete=models.CASCADE, related_name="at_club")
    void = models.BooleanField(default=False)
    reason = models.CharField(max_length=REASON_LENGTH, blank=True)
    told = models.JSONField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.night_id}: {self.game_id}"


class ClubSeat(models.Model):
    """Who sat where in a club's game; a seat without a member is a guest's."""

    club_game = models.ForeignKey(ClubGame, on_delete=models.CASCADE, related_name="seats")
    seat = models.PositiveSmallIntegerField()
    member = models.ForeignKey(Member, on_delete=models.PROTECT, null=True, blank=True, related_name="seats")
    forfeit = models.BooleanField(default=False)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("club_game", "seat"), name="club_seat_once"),
            models.UniqueConstraint(fields=("club_game", "member"), name="club_member_once_a_game"),
        )

    def __str__(self) -> str:
        return f"{self.club_game_id}: {self.seat}"


class Doubt(models.Model):
    """A result of a season that is in doubt, and what became of it.

    `other` is how it would fall otherwise: {"void": true}, or {"round": n, "seat": s, "points": p}; once it
    fell, it is the way back. `steps`, oldest first: {"kind": "raised" | "decided" | "reopened", "stands":
    bool or null, "other": what a decision carried out or null, "reason", "who", "at"}; an appeal keeps both
    decisions.
    """

    club_game = models.ForeignKey(ClubGame, on_delete=models.CASCADE, related_name="doubts")
    number = models.PositiveIntegerField()  # in its club
    other = models.JSONField()
    open = models.BooleanField(default=True)
    steps = models.JSONField(default=list)

    class Meta:
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(
                fields=("club_game",), condition=Q(open=True), name="doubt_one_open_a_game"
            ),
        )

    def __str__(self) -> str:
        return f"{self.club_game_id}: {self.number}"


class Result(models.Model):
    """What one seat of a finished club game brought: written with the game, read by the season's table."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="results")
    night = models.ForeignKey(Night, on_delete=models.CASCADE, related_name="results")
    club_game = models.ForeignKey(ClubGame, on_delete=models.CASCADE, related_name="results")
    seat = models.PositiveSmallIntegerField()
    member = models.ForeignKey(
        Member, on_delete=models.CASCADE, null=True, blank=True, related_name="results"
    )
    points = models.IntegerField()
    rounds = models.PositiveSmallIntegerField()
    place = models.PositiveSmallIntegerField()
    zero_rounds = models.PositiveSmallIntegerField()
    lowest_nonzero = models.PositiveSmallIntegerField(null=True, blank=True)
    forfeit = models.BooleanField(default=False)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("club_game", "seat"), name="result_once"),)

    def __str__(self) -> str:
        return f"{self.club_game_id}: {self.seat}"


class Standing(models.Model):
    """A row of a season's table as it is now; `data` is the engine's row (games.mapping)."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="standings")
    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="standings")
    position = models.PositiveSmallIntegerField()  # from 1, in the order of the table
    place = models.PositiveSmallIntegerField(null=True, blank=True)
    data = models.JSONField()

    class Meta:
        ordering = ("position",)
        constraints = (models.UniqueConstraint(fields=("season", "member"), name="standing_once"),)

    def __str__(self) -> str:
        return f"{self.season_id}: {self.position}"


class ClubEntry(models.Model):
    """One change in a club, for good: who, when, why, and what it was before and after."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="log")
    number = models.PositiveIntegerField()  # the club's version after this change
    at = models.DateTimeField(default=timezone.now)
    who = models.CharField(max_length=NAME_LENGTH, blank=True)
    action = models.CharField(max_length=16, choices=ClubAction)
    about = models.CharField(max_length=CLUB_NAME_LENGTH, blank=True)  # whom or what, as it was called then
    reason = models.CharField(max_length=REASON_LENGTH, blank=True)
    before = models.JSONField(default=dict)
    after = models.JSONField(default=dict)

    class Meta:
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=("club", "number"), name="club_log_number_once"),
            models.CheckConstraint(condition=Q(action__in=ClubAction.values), name="club_log_action"),
        )

    def __str__(self) -> str:
        return f"{self.club_id}: {self.number} {self.action}"
