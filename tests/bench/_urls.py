"""The site's addresses and one more: a bare view of one query, the reference of the measurements."""

from django.http import HttpRequest, HttpResponse
from django.urls import path

from games.models import Game
from scorekeeper.urls import urlpatterns as site


def bare(request: HttpRequest, slug: str) -> HttpResponse:
    version = Game.objects.values_list("version", flat=True).get(slug=slug)
    return HttpResponse(str(version))


urlpatterns = [path("bench/<slug:slug>/", bare), *site]
