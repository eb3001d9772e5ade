"""The addresses of a club's pages, under /clubs/."""

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, path

from games.web.club import (
    bring_in,
    doubts,
    home,
    links,
    log,
    members,
    night_game,
    nights,
    scheme,
    season,
    seasons,
    settings,
    take,
)


def later(request: HttpRequest, **_given: object) -> HttpResponse:
    raise Http404


urlpatterns: list[URLPattern | URLResolver] = [
    path("", home.clubs, name="clubs"),
    path("found/", home.club_found, name="club_found"),
    path("read/<slug:secret>/", links.club_reader, name="club_reader"),
    path("join/<slug:secret>/", links.club_join, name="club_join"),
    path("<slug:slug>/", home.club, name="club"),
    path("<slug:slug>/members/", members.members, name="members"),
    path("<slug:slug>/members/add/", members.members_add, name="members_add"),
    path("<slug:slug>/members/bring-in/", bring_in.members_bring, name="members_bring"),
    path("<slug:slug>/members/<int:number>/", members.member, name="member"),
    path("<slug:slug>/members/<int:number>/merge/", members.member_merge, name="member_merge"),
    path("<slug:slug>/leave/", members.club_leave, name="club_leave"),
    path("<slug:slug>/links/", links.club_links, name="club_links"),
    path("<slug:slug>/links/replace/", links.club_link_replace, name="club_link_replace"),
    path("<slug:slug>/settings/", settings.club_settings, name="club_settings"),
    path("<slug:slug>/log/", log.club_log, name="club_log"),
    path("<slug:slug>/seasons/", seasons.seasons, name="seasons"),
    path("<slug:slug>/seasons/bring-in/", bring_in.season_bring, name="season_bring"),
    path("<slug:slug>/take/", take.club_take, name="club_take"),
    path("<slug:slug>/take/<slug:what>.<slug:ending>", take.club_file, name="club_file"),
    path("<slug:slug>/seasons/<int:number>/take/", take.season_take, name="season_take"),
    path(
        "<slug:slug>/seasons/<int:number>/take/<slug:what>.<slug:ending>",
        take.season_file,
        name="season_file",
    ),
    path("<slug:slug>/seasons/<int:number>/", season.season, name="season"),
    path("<slug:slug>/seasons/<int:number>/more/", seasons.season_more, name="season_more"),
    path("<slug:slug>/seasons/<int:number>/scheme/", scheme.scheme, name="scheme"),
    path("<slug:slug>/seasons/<int:number>/scheme/change/", scheme.scheme_form, name="scheme_form"),
    path("<slug:slug>/seasons/<int:number>/game/", night_game.night_game, name="night_game"),
    path("<slug:slug>/seasons/<int:number>/game/known/", night_game.night_known, name="night_known"),
    path("<slug:slug>/seasons/<int:number>/nights/", nights.nights, name="nights"),
    path("<slug:slug>/seasons/<int:number>/nights/<slug:day>/", nights.night, name="night"),
    path("<slug:slug>/seasons/<int:number>/games/<slug:game>/", nights.club_game, name="club_game"),
    path("<slug:slug>/seasons/<int:number>/games/<slug:game>/board/", nights.night_board, name="night_board"),
    path("<slug:slug>/seasons/<int:number>/games/<slug:game>/doubt/", doubts.doubt_new, name="doubt_new"),
    path("<slug:slug>/people/<int:number>/", later, name="person"),
    path("<slug:slug>/doubts/<int:number>/", doubts.doubt, name="doubt"),
]
