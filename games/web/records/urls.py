"""The addresses of records that are checked for whoever asks."""

from django.urls import URLPattern, path

from games.web.records import check, shared

urlpatterns: list[URLPattern] = [
    path("", check.check_round, name="check_round"),
    path("<slug:slug>/", shared.verdict, name="verdict"),
    path("<slug:slug>/share/", shared.verdict_share, name="verdict_share"),
    path("<slug:slug>/file/", shared.verdict_file, name="verdict_file"),
]
