"""The site's addresses: pages at the root, the HTTP API under /api/."""

from django.conf import settings
from django.urls import URLPattern, URLResolver, include, path

urlpatterns: list[URLPattern | URLResolver] = [
    path("api/", include("games.api.urls")),
    path("", include("games.web.urls")),
]

if settings.DEBUG:
    from games.web.kit import kit

    urlpatterns.append(path("kit/", kit, name="kit"))
