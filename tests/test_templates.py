"""Every template compiles, the ones that no test renders included."""

from pathlib import Path

import pytest
from django.conf import settings
from django.template.loader import get_template

FOLDER = Path(settings.BASE_DIR) / "templates"
NAMES = sorted(path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.*"))


@pytest.mark.parametrize("name", NAMES)
def test_the_template_compiles(name: str) -> None:
    get_template(name)
