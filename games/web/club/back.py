"""The way from a game back to its season and to a doubt about it, for who may read the club."""

from __future__ import annotations

from games.models import ClubGame, Doubt, Game, Season
from games.permissions import club_access
from games.web.access import user_of
from games.web.device import DeviceRequest


def doubt_about(request: DeviceRequest, game: Game, number: int) -> Doubt | None:
    """The newest doubt about a score of round `number`, if this device may read it."""
    season = season_of_game(request, game)
    if season is None:
        return None
    doubts = Doubt.objects.filter(club_game__game=game, other__round=number)
    return doubts.select_related("club_game__night__season__club").order_by("-number").first()


def season_of_game(request: DeviceRequest, game: Game) -> Season | None:
    """The season a game is played for, if it is and this device may read it: one query for any other game."""
    played = ClubGame.objects.filter(game=game).select_related("night__season__club").first()
    if played is None:
        return None
    season = played.night.season
    access = club_access(season.club.slug, user=user_of(request), reader_keys=request.device.reader_keys)
    return None if access is None else season
