"""The rows: records of rounds that are being written down, tap by tap."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone

from games.models.games import Game, new_key

KEY_LENGTH = 32


class RecordDraft(models.Model):
    """A train record on its way. `key` is the right to write in it; `version` counts its taps.

    `undone` is the record as it was before Undo, until all of it is done again or another tap is written.
    `last_tap` is what led to this version, so that the same tap sent twice is known.
    `game` and `round_number` say which round it is of, where it was opened from one: one draft a round.
    """

    key = models.CharField(max_length=KEY_LENGTH, unique=True, default=new_key)
    text = models.TextField()
    undone = models.TextField(default="")
    last_tap = models.CharField(max_length=100, default="")
    version = models.PositiveIntegerField(default=1)
    game = models.ForeignKey(Game, null=True, on_delete=models.CASCADE, related_name="drafts")
    round_number = models.PositiveSmallIntegerField(null=True)
    created_at = models.DateTimeField(default=timezone.now)
    touched_on = models.DateField(default=timezone.localdate)  # seen or written: what nobody wants goes

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "round_number"], name="draft_one_a_round"),
            models.CheckConstraint(
                condition=Q(game=None, round_number=None)
                | Q(game__isnull=False, round_number__isnull=False, round_number__gte=1),
                name="draft_game_with_round",
            ),
        ]
        indexes = [models.Index(fields=["touched_on"], name="draft_touched")]

    def __str__(self) -> str:
        return f"record being written, version {self.version}"

    @property
    def stamp(self) -> str:
        """What an open page shows: another one once a tap was written, or something in the record's game."""
        return str(self.version) if self.game is None else f"{self.version}.{self.game.version}"
