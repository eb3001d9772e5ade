"""The site's addresses: pages at the root, the HTTP API under /api/, accounts, and the operators' admin."""

from django.conf import settings
from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

urlpatterns: list[URLPattern | URLResolver] = [
    path("api/", include("games.api.urls")),
    path("account/", include("games.web.account_urls")),
    path("admin/", admin.site.urls),
    path("", include("games.web.urls")),
]

handler400 = "games.web.upload.bad_request"
handler429 = "games.web.sign_in.too_many"  # django-allauth looks for it

if settings.DEBUG:
    from games.web.kit import kit

    urlpatterns.append(path("kit/", kit, name="kit"))
