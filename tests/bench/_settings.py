"""The site's settings, for a server that also answers the view everything is measured against."""

import os
from pathlib import Path

from scorekeeper.settings import *  # noqa: F403 - all of them, but for what follows

ROOT_URLCONF = "tests.bench._urls"
STATIC_ROOT = Path(os.environ.get("BENCH_STATIC", "staticfiles"))
LOGGING["root"]["level"] = "ERROR"  # type: ignore[index]  # noqa: F405 - of the star above
