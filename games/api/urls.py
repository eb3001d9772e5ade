"""The addresses of the API, under /api/."""

from django.urls import URLPattern, path, re_path

from games.api import docs, views

app_name = "api"

urlpatterns: list[URLPattern] = [
    path("games/", views.GamesView.as_view(), name="games"),
    path("games/<slug:slug>/", views.GameView.as_view(), name="game"),
    path("games/<slug:slug>/rounds/<int:number>/", views.RoundView.as_view(), name="round"),
    path("games/<slug:slug>/finish/", views.FinishView.as_view(), name="finish"),
    path("games/<slug:slug>/log/", views.LogView.as_view(), name="log"),
    path("schema/", docs.SchemaView.as_view(), name="schema"),
    path("docs/", docs.page, name="docs"),
    re_path("", views.NothingHereView.as_view()),
]
