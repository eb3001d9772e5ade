"""The description of the API: an OpenAPI 3 document, and a page to read and try it."""

from __future__ import annotations

from csp.decorators import csp_update
from drf_spectacular.renderers import (
    OpenApiJsonRenderer,
    OpenApiJsonRenderer2,
    OpenApiYamlRenderer,
    OpenApiYamlRenderer2,
)
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from games.api.errors import handle


class SchemaView(SpectacularAPIView):
    """JSON unless YAML is asked for."""

    renderer_classes = [
        OpenApiJsonRenderer2,
        OpenApiJsonRenderer,
        OpenApiYamlRenderer,
        OpenApiYamlRenderer2,
    ]
    http_method_names = ["get", "head"]

    def get_exception_handler(self):  # type: ignore[no-untyped-def] # the package has no types
        return handle


class DocsView(SpectacularSwaggerSplitView):
    url_name = "api:schema"
    template_name = "api/docs.html"
    http_method_names = ["get", "head"]


# Swagger UI's stylesheet draws its arrows from data: addresses.
page = csp_update({"img-src": ["data:"]})(DocsView.as_view())
