"""The addresses of the pages, grouped by what they are about."""

from django.urls import URLPattern, URLResolver, path

from games.models import Role
from games.web import (
    actions,
    board,
    correct,
    disputes,
    end,
    entry,
    history,
    home,
    links,
    log,
    mine,
    new,
    phone,
    players,
    share,
    tv,
)
from games.web import files as taken

urlpatterns: list[URLPattern | URLResolver] = [
    path("", home.home, name="home"),
    path("new/", new.new, name="new"),
    path("device/", phone.device, name="device"),
    path("g/<slug:slug>/set-up/", new.set_up, name="set_up"),
    path("g/<slug:slug>/share/", share.share, name="share"),
    path("g/<slug:slug>/share/replace/", share.link_replace, name="link_replace"),
    path("g/<slug:slug>/tv/", tv.tv, name="tv"),
    path("g/<slug:slug>/tv/live/", tv.live, name="tv_live"),
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
    path(
        "g/<slug:slug>/rounds/<int:number>/seats/<int:seat>/challenge/", disputes.challenge, name="challenge"
    ),
    path("g/<slug:slug>/challenges/<int:number>/rule/", disputes.rule, name="rule_challenge"),
    path("g/<slug:slug>/files/", taken.files, name="files"),
    path("g/<slug:slug>/files/text/", taken.file_text, name="file_text"),
    path("g/<slug:slug>/files/table/", taken.file_csv, name="file_csv"),
    path("g/<slug:slug>/files/whole/", taken.file_json, name="file_json"),
    path("g/<slug:slug>/files/picture/", taken.file_picture, name="file_picture"),
    path("my-games/", mine.my_games, name="my_games"),
    path("my-games/file/", mine.my_games_file, name="my_games_file"),
    path("my-games/bring-in/", mine.bring_in, name="bring_in"),
    path("s/<slug:secret>/", links.open_link, {"role": Role.SCORER}, name="open_scorer"),
    path("w/<slug:secret>/", links.open_link, {"role": Role.VIEWER}, name="open_viewer"),
]
