"""The addresses of the API, under /api/."""

from django.urls import URLPattern, path, re_path

from games.api import docs, views

app_name = "api"

urlpatterns: list[URLPattern] = [
    path("games/", views.GamesView.as_view(), name="games"),
    path("games/<slug:slug>/", views.GameView.as_view(), name="game"),
    path("games/<slug:slug>/rounds/<int:number>/", views.RoundView.as_view(), name="round"),
    path("games/<slug:slug>/players/", views.PlayersView.as_view(), name="players"),
    path("games/<slug:slug>/players/<int:seat>/", views.PlayerView.as_view(), name="player"),
    path(
        "games/<slug:slug>/players/<int:seat>/adjustments/",
        views.AdjustmentsView.as_view(),
        name="adjustments",
    ),
    path(
        "games/<slug:slug>/players/<int:seat>/adjustments/<int:number>/",
        views.AdjustmentView.as_view(),
        name="adjustment",
    ),
    path("games/<slug:slug>/finish/", views.FinishView.as_view(), name="finish"),
    path("games/<slug:slug>/log/", views.LogView.as_view(), name="log"),
    path("me/", views.MeView.as_view(), name="me"),
    path("schema/", docs.SchemaView.as_view(), name="schema"),
    path("docs/", docs.page, name="docs"),
    re_path("", views.NothingHereView.as_view()),
]
