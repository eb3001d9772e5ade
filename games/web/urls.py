"""The addresses of the pages, grouped by what they are about."""

from django.urls import URLPattern, URLResolver, path

from games.models import Role
from games.web import (
    actions,
    board,
    correct,
    end,
    entry,
    history,
    home,
    links,
    log,
    new,
    phone,
    players,
    share,
)

game: list[URLPattern] = []

urlpatterns: list[URLPattern | URLResolver] = [
    path("", home.home, name="home"),
    path("new/", new.new, name="new"),
    path("device/", phone.device, name="device"),
    path("g/<slug:slug>/set-up/", new.set_up, name="set_up"),
    path("g/<slug:slug>/share/", share.share, name="share"),
    path("g/<slug:slug>/", board.board, name="board"),
    path("g/<slug:slug>/live/", board.live, name="live"),
    path("g/<slug:slug>/more/", board.more, name="more"),
    path("g/<slug:slug>/undo/", actions.undo, name="undo"),
    path("g/<slug:slug>/redo/", actions.redo, name="redo"),
    path("g/<slug:slug>/finish/", actions.finish, name="finish"),
    path("g/<slug:slug>/end/", end.end, name="end"),
    path("g/<slug:slug>/log/", log.log, name="log"),
    path("g/<slug:slug>/seats/<int:seat>/", history.player, name="player"),
    path("g/<slug:slug>/players/", players.players, name="players"),
    path("g/<slug:slug>/seats/<int:seat>/edit/", players.player_edit, name="player_edit"),
    path("g/<slug:slug>/rounds/<int:number>/", entry.who_out, name="round"),
    path("g/<slug:slug>/rounds/<int:number>/hands/", entry.hands, name="hands"),
    path("g/<slug:slug>/rounds/<int:number>/check/", entry.check, name="check"),
    path("g/<slug:slug>/rounds/<int:number>/sheet/", history.round_sheet, name="round_sheet"),
    path("g/<slug:slug>/rounds/<int:number>/remove/", actions.round_remove, name="round_remove"),
    path("g/<slug:slug>/rounds/<int:number>/seats/<int:seat>/", history.cell, name="cell"),
    path("g/<slug:slug>/rounds/<int:number>/seats/<int:seat>/correct/", correct.correct, name="correct"),
    path("s/<slug:secret>/", links.open_link, {"role": Role.SCORER}, name="open_scorer"),
    path("w/<slug:secret>/", links.open_link, {"role": Role.VIEWER}, name="open_viewer"),
]
