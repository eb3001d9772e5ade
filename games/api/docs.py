"""The description of the API: an OpenAPI 3 document, and a page to read and try it."""

from __future__ import annotations

from typing import Any

from csp.decorators import csp_update
from drf_spectacular.renderers import (
    OpenApiJsonRenderer,
    OpenApiJsonRenderer2,
    OpenApiYamlRenderer,
    OpenApiYamlRenderer2,
)
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.exceptions import NotAcceptable
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from games.api.errors import handle


class JSONOtherwise(DefaultContentNegotiation):
    """What was asked for, and JSON where that cannot be had."""

    def select_renderer(
        self, request: Request, renderers: Any, format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        try:
            found: tuple[BaseRenderer, str] = super().select_renderer(request, renderers, format_suffix)
        except NotAcceptable:
            return renderers[0], renderers[0].media_type
        return found


class SchemaView(SpectacularAPIView):
    """JSON unless YAML is asked for."""

    renderer_classes = [
        OpenApiJsonRenderer2,
        OpenApiJsonRenderer,
        OpenApiYamlRenderer,
        OpenApiYamlRenderer2,
    ]
    content_negotiation_class = JSONOtherwise
    http_method_names = ["get", "head"]

    def get_exception_handler(self):  # type: ignore[no-untyped-def] # the package has no types
        return handle


class DocsView(SpectacularSwaggerSplitView):
    url_name = "api:schema"
    template_name = "api/docs.html"
    http_method_names = ["get", "head"]


# Swagger UI's stylesheet draws its arrows from data: addresses.
page = csp_update({"img-src": ["data:"]})(DocsView.as_view())
