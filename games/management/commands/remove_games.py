"""`manage.py remove_games`: games deleted or abandoned more than 30 days ago are removed for good.

Lists each with what was in it. Meant to be run once a day; what was brought back is never removed. Records of
rounds that nobody has looked at for 180 days go too, checked ones and unfinished ones; it says how many.
"""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from games.drafts import drafts_due, drafts_forget
from games.removal import Due, forget_answers, game_remove, games_due
from games.shared_records import unseen_forget, unseen_records


class Command(BaseCommand):
    help = "Removes games that were deleted or abandoned more than 30 days ago, for good, and lists them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="List them only; remove nothing.")

    def handle(self, *args: Any, dry_run: bool, **options: Any) -> None:
        count = 0
        for due in games_due():
            if dry_run or game_remove(game=due.game):
                count += 1
                self.stdout.write(line(due))
        if not dry_run:
            forget_answers()
        games = "1 game" if count == 1 else f"{count} games"
        self.stdout.write(f"{games} to be removed." if dry_run else f"{games} removed.")
        self._tell(unseen_records() if dry_run else unseen_forget(), "unseen record", dry_run=dry_run)
        self._tell(drafts_due() if dry_run else drafts_forget(), "unfinished record", dry_run=dry_run)

    def _tell(self, count: int, what: str, *, dry_run: bool) -> None:
        if count:
            records = f"1 {what}" if count == 1 else f"{count} {what}s"
            self.stdout.write(f"{records} to be removed." if dry_run else f"{records} removed.")


def line(due: Due) -> str:
    """«Friday at Ruth’s (k3m7…): deleted 2026-11-29 21:40 by Ruth; 7 rounds; Ruth, Ben»"""
    what = "deleted" if due.deleted else "abandoned"
    at = timezone.localtime(due.at).strftime("%Y-%m-%d %H:%M")
    rounds = "1 round" if due.rounds == 1 else f"{due.rounds} rounds"
    name = due.game.name or "no name"
    who = due.who or "scorer link"
    return f"{name} ({due.game.slug}): {what} {at} by {who}; {rounds}; {', '.join(due.players)}"
