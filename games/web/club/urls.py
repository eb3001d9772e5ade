"""The addresses of a club's pages, under /clubs/."""

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, path

from games.web.club import season


def later(request: HttpRequest, **_given: object) -> HttpResponse:
    raise Http404


urlpatterns: list[URLPattern | URLResolver] = [
    path("<slug:slug>/", later, name="club"),
    path("<slug:slug>/seasons/<int:number>/", season.season, name="season"),
    path("<slug:slug>/seasons/<int:number>/more/", later, name="season_more"),
    path("<slug:slug>/seasons/<int:number>/scheme/", later, name="scheme"),
    path("<slug:slug>/seasons/<int:number>/game/", later, name="night_game"),
    path("<slug:slug>/people/<int:number>/", later, name="person"),
    path("<slug:slug>/doubts/<int:number>/", later, name="doubt"),
]
