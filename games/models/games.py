"""The rows: a game, who sits at it, what each round left in each hand, and who wrote it down.

Knows columns and what one row must always satisfy (database constraints). Must not know the rules of the
game (games.engine), who may do what (permissions) or how a change is made (services).
"""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Sequence
from datetime import timedelta
from typing import Any, ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.db import connection, models
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

SLUG_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # no letter that is read as a digit
SLUG_LENGTH = 10
NAME_LENGTH = 40
REASON_LENGTH = 300
KEPT = timedelta(days=30)  # how long a deleted or abandoned game can be brought back
DEVICE_LENGTH = 22


def new_slug() -> str:
    """A game's public id. It opens nothing: the keys do."""
    return "".join(secrets.choice(SLUG_ALPHABET) for _ in range(SLUG_LENGTH))


def new_key() -> str:
    """A link's secret: 192 bits, safe in a URL and in a header."""
    return secrets.token_urlsafe(24)


def stamp(version: int, stirred: int) -> str:
    """ "7", and "7.3" once something happened that is no change of the game."""
    return f"{version}.{stirred}" if stirred else str(version)


def sql_of(queryset: QuerySet[Any, Any]) -> str:
    """A query's statement, to be written once: for what phones ask all the time, writing it takes ten times
    longer than running it. Parameters stand in the order in which the query was given them.
    """
    return str(queryset.query.sql_with_params()[0])


def rows_of(sql: str, parameters: Sequence[int | str]) -> list[tuple[Any, ...]]:
    """Rows as the driver gives them: SQLite's true is 1, and JSON is still text."""
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        return list(cursor.fetchall())


class Status(models.TextChoices):
    PLAYING = "playing", _("playing")
    FINISHED = "finished", _("finished")


class Ended(models.TextChoices):
    OUT = "out", _("somebody went out")
    BLOCKED = "blocked", _("blocked")


class Role(models.TextChoices):
    SCORER = "scorer", _("keeps score")
    VIEWER = "viewer", _("watches")
    SEAT = "seat", _("has a seat")


class Action(models.TextChoices):
    STARTED = "started", _("Game started")
    SETUP_CHANGED = "setup_changed", _("Game set up anew")
    ROUND_RECORDED = "round_recorded", _("Round entered")
    ROUND_CORRECTED = "round_corrected", _("Round corrected")
    ROUND_REMOVED = "round_removed", _("Round taken back")
    FINISHED = "finished", _("Game finished")
    PLAYER_JOINED = "player_joined", _("Player joined")
    PLAYER_CHANGED = "player_changed", _("Players changed")
    ADJUSTED = "adjusted", _("Total adjusted")
    ADJUSTMENT_GONE = "adjustment_gone", _("Adjustment taken back")
    UNDONE = "undone", _("Undone")
    REDONE = "redone", _("Done again")
    LINK_REPLACED = "link_replaced", _("Link stopped, new one made")
    CHALLENGED = "challenged", _("Score disputed")
    RULED = "ruled", _("Dispute ruled on")
    ABANDONED = "abandoned", _("Game abandoned")
    RESUMED = "resumed", _("Game taken up again")
    DELETED = "deleted", _("Game deleted")
    RESTORED = "restored", _("Deleted game brought back")
    CONFIRMED = "confirmed", _("Round confirmed")
    RECORD_ATTACHED = "record_attached", _("Record attached")
    RECORD_REMOVED = "record_removed", _("Record taken off")
    DECIDED = "decided", _("Score decided by the club")


class Ruling(models.TextChoices):
    OPEN = "open", _("open")
    UPHELD = "upheld", _("upheld")
    DISMISSED = "dismissed", _("dismissed")


class RecordMark(models.TextChoices):
    """What comes of holding a round's record against it (engine.agreement)."""

    AGREES = "agrees", _("The record agrees")
    DIFFERS = "differs", _("The record differs")
    BROKEN = "broken", _("The record is not by the rules")
    OPEN = "open", _("The record does not tell enough")


class Game(models.Model):
    """One game. `version` counts its changes and is the number of its newest log entry."""

    slug = models.CharField(max_length=SLUG_LENGTH, unique=True, default=new_slug)
    name = models.CharField(max_length=80, blank=True)
    played_on = models.DateField(null=True, blank=True)
    rules = models.JSONField()  # the whole card, so that a later edit of a preset changes no old game
    first_engine = models.PositiveSmallIntegerField()
    round_count = models.PositiveSmallIntegerField()
    status = models.CharField(max_length=8, choices=Status, default=Status.PLAYING)
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(default=timezone.now)
    changed_at = models.DateTimeField(default=timezone.now)
    # Who this game is, wherever it is brought: it travels with an export, and opens nothing.
    uid = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    challenge_count = models.PositiveSmallIntegerField(default=0)  # ever made: without one none is asked for
    abandoned_at = models.DateTimeField(null=True, blank=True)  # finished, and nobody has won
    deleted_at = models.DateTimeField(null=True, blank=True, db_index=True)  # nothing opens it, for KEPT
    second_person = models.BooleanField(default=False)  # somebody else confirms each round
    # Counts what happens between two versions: seats taken, hands in. Open boards ask for both.
    stirred = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = (
            models.CheckConstraint(condition=Q(status__in=Status.values), name="game_status"),
            models.CheckConstraint(condition=Q(round_count__gte=1), name="game_has_a_round"),
            models.CheckConstraint(condition=Q(version__gte=1), name="game_version"),
        )

    def __str__(self) -> str:
        return self.name or self.slug

    @property
    def stamp(self) -> str:
        """What an open page shows, and asks for news about: the version, and what happened since."""
        return stamp(self.version, self.stirred)


class Player(models.Model):
    """Somebody's place in one game. `seat` is an identity; `order` is where they sit (both from 1)."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="players")
    seat = models.PositiveSmallIntegerField()
    order = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=NAME_LENGTH)
    from_round = models.PositiveSmallIntegerField(default=1)
    to_round = models.PositiveSmallIntegerField(null=True, blank=True)
    start_total = models.IntegerField(default=0)
    # [{"number", "points", "reason", "round"}]: signed, apart from the rounds; `number` is its log entry's
    adjustments = models.JSONField(default=list)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("game", "seat"), name="player_seat_once"),
            models.UniqueConstraint(fields=("game", "name"), name="player_name_once"),
            models.CheckConstraint(condition=Q(seat__gte=1), name="player_seat_from_1"),
            models.CheckConstraint(condition=~Q(name=""), name="player_has_a_name"),
            models.CheckConstraint(
                condition=Q(to_round__isnull=True) | Q(to_round__gte=F("from_round") - 1),
                name="player_leaves_after_joining",
            ),
        )

    def __str__(self) -> str:
        return self.name


class Round(models.Model):
    """One round that has been entered. `marks` are the codes a disputed round was saved in spite of."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    engine = models.PositiveSmallIntegerField()
    ended = models.CharField(max_length=7, choices=Ended)
    disputed = models.BooleanField(default=False)
    marks = models.JSONField(default=list)
    warnings = models.JSONField(default=list)  # [{"code": …, "seat": … or null}]
    confirmed = models.BooleanField(default=False)  # by a second person, as it stands
    device = models.CharField(max_length=DEVICE_LENGTH, blank=True)  # the phone that entered it, if one did
    record = models.TextField(blank=True, default="")  # how it was played, move by move
    record_seats = models.JSONField(default=dict)  # {"A": 1}: who of the record sits where
    # What boards show of it; worked out anew with each change of round or record.
    record_mark = models.CharField(max_length=7, choices=RecordMark, blank=True)

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=Q(record="", record_mark="")
                | (~Q(record="") & Q(record_mark__in=RecordMark.values)),
                name="round_record_mark",
            ),
            models.UniqueConstraint(fields=("game", "number"), name="round_number_once"),
            models.UniqueConstraint(fields=("game", "engine"), name="round_engine_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="round_number_from_1"),
            models.CheckConstraint(condition=Q(ended__in=Ended.values), name="round_ended"),
        )

    def __str__(self) -> str:
        return f"{self.game_id}: {self.number}"


class Hand(models.Model):
    """What one player had left in one round: bare `points`, and the `score` that counts."""

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="hands")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="hands")
    points = models.PositiveSmallIntegerField()
    score = models.IntegerField()
    out = models.BooleanField()
    marker = models.BooleanField(default=False)
    tile_count = models.PositiveSmallIntegerField(null=True, blank=True)
    tiles = models.JSONField(null=True, blank=True)  # ["9-6", …], or null where they are not known

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("round", "player"), name="hand_once_a_round"),
            models.CheckConstraint(condition=Q(out=False) | Q(points=0), name="hand_out_is_empty"),
        )

    def __str__(self) -> str:
        return f"{self.player_id}: {self.points}"


class LogEntry(models.Model):
    """One change, for good: who, when, why, and each thing's state before and after (see services)."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="log")
    number = models.PositiveIntegerField()  # the game's version after this change
    at = models.DateTimeField(default=timezone.now)
    who = models.CharField(max_length=NAME_LENGTH, blank=True)  # blank: by the scorer link
    action = models.CharField(max_length=16, choices=Action)
    round_number = models.PositiveSmallIntegerField(null=True, blank=True)
    target = models.PositiveIntegerField(null=True, blank=True)  # of an undo or redo: the entry's number
    reason = models.CharField(max_length=REASON_LENGTH, blank=True)
    before = models.JSONField(default=dict)
    after = models.JSONField(default=dict)

    class Meta:
        verbose_name_plural = _("log entries")
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=("game", "number"), name="log_number_once"),
            models.CheckConstraint(condition=Q(action__in=Action.values), name="log_action"),
        )

    def __str__(self) -> str:
        return f"{self.game_id}: {self.number} {self.action}"

    @property
    def role(self) -> str:
        """Whose link made the change: only a challenge can come from one that otherwise watches."""
        made = self.after["challenges"].values() if self.action == Action.CHALLENGED else ()
        return next((str(data["role"]) for data in made), str(Role.SCORER))


class Challenge(models.Model):
    """Somebody doubts one score: what it was, what it should be, why, and how the scorer ruled.

    The cell is a round's number and a seat, so that a challenge outlives a round or player that is undone.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="challenges")
    number = models.PositiveSmallIntegerField()  # within the game, from 1
    round_number = models.PositiveSmallIntegerField()
    seat = models.PositiveSmallIntegerField()
    was = models.PositiveSmallIntegerField()  # the bare points challenged
    points = models.PositiveSmallIntegerField(null=True, blank=True)  # what they should be, if that was said
    by_record = models.BooleanField(default=False)  # a record was laid with it, and says `points`
    # For as long as somebody looks at it: what it said stays.
    record = models.ForeignKey(
        "SharedRecord",
        to_field="slug",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="challenges",
    )
    reason = models.CharField(max_length=REASON_LENGTH)
    who = models.CharField(max_length=NAME_LENGTH, blank=True)  # blank: by the link of `role`
    role = models.CharField(max_length=6)  # one of Role
    at = models.DateTimeField(default=timezone.now)
    ruling = models.CharField(max_length=9, choices=Ruling, default=Ruling.OPEN)
    ruling_reason = models.CharField(max_length=REASON_LENGTH, blank=True)
    ruled_by = models.CharField(max_length=NAME_LENGTH, blank=True)
    ruled_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=("game", "number"), name="challenge_number_once"),
            models.UniqueConstraint(
                fields=("game", "round_number", "seat"),
                condition=Q(ruling="open"),
                name="challenge_one_open_a_cell",
            ),
            models.CheckConstraint(condition=Q(ruling__in=Ruling.values), name="challenge_ruling"),
            models.CheckConstraint(condition=~Q(reason=""), name="challenge_has_a_reason"),
            models.CheckConstraint(
                condition=Q(by_record=False, record__isnull=True) | Q(by_record=True, points__isnull=False),
                name="challenge_by_record_has_points",
            ),
            models.CheckConstraint(
                condition=Q(ruling="open", ruled_at__isnull=True)
                | (~Q(ruling="open") & Q(ruled_at__isnull=False) & ~Q(ruling_reason="")),
                name="challenge_ruled_with_a_reason",
            ),
        )

    def __str__(self) -> str:
        return f"{self.game_id}: {self.number} {self.ruling}"


class AccessKey(models.Model):
    """A link's secret and what it opens. Kept readable, because a link can be shown again.

    `member`: it is no link of the game but this member's own, by whose right in the club it keeps score; it
    is stopped as soon as that right ends.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="keys")
    role = models.CharField(max_length=6, choices=Role)
    member = models.ForeignKey(
        "games.Member", on_delete=models.CASCADE, null=True, blank=True, related_name="keys"
    )
    key = models.CharField(max_length=64, unique=True, default=new_key)
    created_at = models.DateTimeField(default=timezone.now)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = (
            models.CheckConstraint(condition=Q(role__in=Role.values), name="key_role"),
            models.UniqueConstraint(
                fields=("game", "role"),
                condition=Q(revoked_at__isnull=True, member__isnull=True),
                name="key_one_live_a_role",
            ),
            models.UniqueConstraint(
                fields=("game", "member"), condition=Q(revoked_at__isnull=True), name="key_one_live_a_member"
            ),
            models.CheckConstraint(
                condition=Q(member__isnull=True) | Q(role="scorer"), name="key_of_a_member_scores"
            ),
        )

    def __str__(self) -> str:
        return f"{self.game_id}: {self.role}"


class SeatHolder(models.Model):
    """Which phone has which seat. `lost`: another phone took it over, and this one is yet to be told."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="holders")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="holders")
    device = models.CharField(max_length=DEVICE_LENGTH)
    lost = models.BooleanField(default=False)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("game", "device"), name="holder_one_seat_a_phone"),
            models.UniqueConstraint(
                fields=("player",), condition=Q(lost=False), name="holder_one_phone_a_seat"
            ),
            models.CheckConstraint(condition=~Q(device=""), name="holder_has_a_phone"),
        )

    def __str__(self) -> str:
        return f"{self.player_id}: {self.device}"


class HandIn(models.Model):
    """What one player told of a hand from their own phone, before the round is closed: no score yet.

    It stays when the round is closed, so that the phone can say what it told and a round that is taken back
    finds its hands again. `times` counts how often it was told.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="hands_in")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="hands_in")
    round_number = models.PositiveSmallIntegerField()
    points = models.PositiveIntegerField()
    out = models.BooleanField(default=False)
    marker = models.BooleanField(default=False)
    tile_count = models.PositiveSmallIntegerField(null=True, blank=True)
    tiles = models.JSONField(null=True, blank=True)  # ["9-6", …], or null where they are not known
    at = models.DateTimeField(default=timezone.now)
    who = models.CharField(max_length=NAME_LENGTH, blank=True)
    times = models.PositiveSmallIntegerField(default=1)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("player", "round_number"), name="hand_in_once_a_round"),
            models.CheckConstraint(condition=Q(out=False) | Q(points=0), name="hand_in_out_is_empty"),
        )

    def __str__(self) -> str:
        return f"{self.player_id}, {self.round_number}: {self.points}"


class SavedAnswer(models.Model):
    """The answer to a request that carried an `Idempotency-Key`, to be given again for a day."""

    credential = models.CharField(max_length=64)
    method = models.CharField(max_length=7)
    path = models.CharField(max_length=200)
    key = models.CharField(max_length=255)
    body_hash = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(null=True)
    body = models.TextField(blank=True)  # as it was sent: a JSON column may reorder its keys
    created_at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("credential", "method", "path", "key"), name="saved_answer_once"),
        )

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


class Attempts(models.Model):
    """How often one address did one limited thing in one minute, counted across all workers."""

    what = models.CharField(max_length=16)
    address = models.CharField(max_length=64)
    minute = models.DateTimeField(db_index=True)
    count = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("what", "address", "minute"), name="attempts_once"),)

    def __str__(self) -> str:
        return f"{self.what} {self.address} {self.count}"


class UserManager(BaseUserManager["User"]):
    """Makes users. Addresses are kept in lower case, so that nobody signs up twice by a capital letter."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> User:
        user = self.model(email=email.lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> User:
        """An operator: opens the admin and may do everything there."""
        return self.create_user(email, password, **{**fields, "is_staff": True, "is_superuser": True})

    def get_by_natural_key(self, username: str | None) -> User:
        return self.get(email=(username or "").lower())


class User(AbstractBaseUser, PermissionsMixin):
    """Somebody with an account, known by an e-mail address. `name` is what others are shown, if given."""

    email = models.EmailField(_("e-mail address"), unique=True)
    name = models.CharField(_("name"), max_length=NAME_LENGTH, blank=True)
    is_staff = models.BooleanField(_("operator"), default=False)
    is_active = models.BooleanField(_("active"), default=True)
    date_joined = models.DateTimeField(_("signed up"), default=timezone.now)

    objects: ClassVar[UserManager] = UserManager()

    EMAIL_FIELD = "email"
    USERNAME_FIELD = "email"

    class Meta:
        verbose_name = _("user")
        verbose_name_plural = _("users")
        constraints = (models.UniqueConstraint(Lower("email"), name="user_email_once"),)

    def __str__(self) -> str:
        return self.name or self.email

    def get_short_name(self) -> str:
        return str(self)


class Claim(models.Model):
    """A game in somebody's account, by the key that opened it on the phone where it was claimed.

    It opens what that key opens and no longer than that: a link that is stopped is stopped in accounts too.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="claims")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="claims")
    key = models.ForeignKey(AccessKey, on_delete=models.CASCADE, related_name="claims")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("user", "game"), name="claim_once"),)

    def __str__(self) -> str:
        return f"{self.user_id}: {self.game_id}"


class ApiToken(models.Model):
    """What a user's program sends instead of a game's key. Only a digest is kept: it is shown once."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=NAME_LENGTH)
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(default=timezone.now)
    used_on = models.DateField(null=True, blank=True)  # the day alone, so that a reading seldom writes

    class Meta:
        constraints = (models.CheckConstraint(condition=~Q(name=""), name="token_has_a_name"),)

    def __str__(self) -> str:
        return f"{self.user_id}: {self.name}"
