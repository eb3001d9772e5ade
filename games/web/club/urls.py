"""The addresses of a club's pages, under /clubs/."""

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, path

from games.web.club import doubts, night_game, nights, scheme, season, seasons


def later(request: HttpRequest, **_given: object) -> HttpResponse:
    raise Http404


urlpatterns: list[URLPattern | URLResolver] = [
    path("<slug:slug>/", later, name="club"),
    path("<slug:slug>/seasons/", seasons.seasons, name="seasons"),
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
