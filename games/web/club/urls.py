"""The addresses of a club's pages, under /clubs/."""

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, path

from games.web.club import home, links, log, members, season, settings


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
    path("<slug:slug>/members/<int:number>/", members.member, name="member"),
    path("<slug:slug>/members/<int:number>/merge/", members.member_merge, name="member_merge"),
    path("<slug:slug>/leave/", members.club_leave, name="club_leave"),
    path("<slug:slug>/links/", links.club_links, name="club_links"),
    path("<slug:slug>/links/replace/", links.club_link_replace, name="club_link_replace"),
    path("<slug:slug>/settings/", settings.club_settings, name="club_settings"),
    path("<slug:slug>/log/", log.club_log, name="club_log"),
    path("<slug:slug>/seasons/<int:number>/", season.season, name="season"),
    path("<slug:slug>/seasons/<int:number>/more/", later, name="season_more"),
    path("<slug:slug>/seasons/<int:number>/scheme/", later, name="scheme"),
    path("<slug:slug>/seasons/<int:number>/game/", later, name="night_game"),
    path("<slug:slug>/people/<int:number>/", later, name="person"),
    path("<slug:slug>/doubts/<int:number>/", later, name="doubt"),
]
