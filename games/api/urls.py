"""The addresses of the API, under /api/."""

from django.urls import URLPattern, URLResolver, include, path, re_path

from games.api import docs, records, views

app_name = "api"

urlpatterns: list[URLPattern | URLResolver] = [
    path("games/", views.GamesView.as_view(), name="games"),
    path("games/<slug:slug>/", views.GameView.as_view(), name="game"),
    path("games/<slug:slug>/rounds/<int:number>/", views.RoundView.as_view(), name="round"),
    path("games/<slug:slug>/rounds/<int:number>/confirm/", views.ConfirmView.as_view(), name="confirm"),
    path("games/<slug:slug>/hands/", views.HandsView.as_view(), name="hands"),
    path("games/<slug:slug>/hands/<int:seat>/", views.HandView.as_view(), name="hand"),
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
    path("games/<slug:slug>/challenges/", views.ChallengesView.as_view(), name="challenges"),
    path("games/<slug:slug>/challenges/<int:number>/ruling/", views.RulingView.as_view(), name="ruling"),
    path("games/<slug:slug>/finish/", views.FinishView.as_view(), name="finish"),
    path("games/<slug:slug>/abandon/", views.AbandonView.as_view(), name="abandon"),
    path("games/<slug:slug>/restore/", views.RestoreView.as_view(), name="restore"),
    path("games/<slug:slug>/log/", views.LogView.as_view(), name="log"),
    path("clubs/", include("games.api.club.urls")),
    path("records/check/", records.RecordCheckView.as_view(), name="record_check"),
    path("me/", views.MeView.as_view(), name="me"),
    path("schema/", docs.SchemaView.as_view(), name="schema"),
    path("docs/", docs.page, name="docs"),
    re_path("", views.NothingHereView.as_view()),
]
