"""The addresses of records that are being written down."""

from django.urls import path

from games.web.write import page, start, watched

urlpatterns = [
    path("write/", start.write, name="write"),
    path("write/<slug:key>/", page.written, name="written"),
    path("write/<slug:key>/live/", page.written_live, name="written_live"),
    path("write/<slug:key>/record/", page.written_text, name="written_text"),
    path("g/<slug:slug>/rounds/<int:number>/write/", start.write_round, name="write_round"),
    path("g/<slug:slug>/rounds/<int:number>/written/", watched.round_written, name="round_written"),
    path(
        "g/<slug:slug>/rounds/<int:number>/written/live/",
        watched.round_written_live,
        name="round_written_live",
    ),
]
