"""The way from a game back to its season, for who may read the club."""

from __future__ import annotations

from games.models import ClubGame, Game, Season
from games.permissions import club_access
from games.web.access import user_of
from games.web.device import DeviceRequest


def season_of_game(request: DeviceRequest, game: Game) -> Season | None:
    """The season a game is played for, if it is and this device may read it: one query for any other game."""
    played = ClubGame.objects.filter(game=game).select_related("night__season__club").first()
    if played is None:
        return None
    season = played.night.season
    access = club_access(season.club.slug, user=user_of(request), reader_keys=request.device.reader_keys)
    return None if access is None else season
