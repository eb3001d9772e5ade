"""
The site's settings: one file, read from the environment (README.md lists the names).

A wrong value stops the start with one line that names the setting, the value and what is
allowed. This module knows no game rule and imports nothing of `games`.
"""

import os
import secrets
import zoneinfo
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import urlsplit

import environ
from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

BASE_DIR = Path(__file__).resolve().parent.parent

env = environ.Env()


def stop(name: str, value: str, allowed: str) -> NoReturn:
    raise SystemExit(f"Setting {name}={value!r} is not allowed: it must be {allowed}.")


def switch(name: str, default: bool) -> bool:
    value: str = env.str(name, default=str(default))
    if value.lower() in {"true", "1", "yes", "on"}:
        return True
    if value.lower() in {"false", "0", "no", "off", ""}:
        return False
    stop(name, value, "true or false")


def number(name: str, default: int, low: int, high: int) -> int:
    value: str = env.str(name, default=str(default))
    if value.isascii() and value.isdecimal() and low <= int(value) <= high:
        return int(value)
    stop(name, value, f"a whole number from {low} to {high}")


def choice(name: str, default: str, allowed: Sequence[str]) -> str:
    value: str = env.str(name, default=default)
    if value in allowed:
        return value
    stop(name, value, "one of " + ", ".join(allowed))


def names(name: str, default: Sequence[str]) -> list[str]:
    value: str = env.str(name, default=",".join(default))
    return [part.strip() for part in value.split(",") if part.strip()]


def hosts(name: str, default: Sequence[str]) -> list[str]:
    found = names(name, default)
    for host in found:
        if "/" in host or " " in host or (":" in host and not host.startswith("[")):
            stop(name, host, "host names or addresses between commas, without scheme or port")
    return found


def origins(name: str) -> list[str]:
    found = names(name, [])
    for origin in found:
        parts = urlsplit(origin)
        if parts.scheme not in {"http", "https"} or not parts.netloc or parts.path:
            stop(name, origin, "origins between commas, such as https://scores.example.org")
    return found


def zone(name: str, default: str) -> str:
    value: str = env.str(name, default=default)
    try:
        zoneinfo.ZoneInfo(value)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        stop(name, value, "a time zone such as Europe/Vienna")
    return value


def secret_key(name: str, file: Path) -> str:
    """Return the environment's key, else that in `file`, made once and for its owner alone."""
    given: str = env.str(name, default="")
    if given:
        if len(given) < 32:
            stop(name, f"({len(given)} characters)", "at least 32 characters long")
        return given
    if not file.exists():
        made = file.with_name(f"{file.name}.{os.getpid()}")
        try:
            made.touch(mode=0o600)
            made.write_text(secrets.token_urlsafe(48), encoding="ascii")
            os.link(made, file)  # never over another process's key
        except FileExistsError:
            pass
        except OSError:
            stop(name, "", f"set, since {file} cannot be written")
        finally:
            made.unlink(missing_ok=True)
    return file.read_text(encoding="ascii").strip()


def database(name: str, default: str) -> dict[str, Any]:
    url: str = env.str(name, default=default)
    parts = urlsplit(url)
    allowed = "sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME"
    shown = url.replace(f":{parts.password}@", ":***@") if parts.password else url
    if parts.scheme not in {"sqlite", "postgres", "postgresql"}:
        stop(name, shown, allowed)
    if parts.scheme == "sqlite" and parts.netloc:
        stop(name, shown, f"{allowed} (three slashes after sqlite:)")
    try:
        config: dict[str, Any] = environ.Env.db_url_config(url)
    except ValueError:
        stop(name, shown, allowed)
    if config["NAME"] in {"", ":memory:"}:
        stop(name, shown, allowed)
    config["CONN_MAX_AGE"] = number("CONN_MAX_AGE", 600, 0, 86_400)
    config["CONN_HEALTH_CHECKS"] = True
    if parts.scheme == "sqlite":
        config["OPTIONS"] = {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
        }
    return config


def mail(name: str, default: str) -> dict[str, Any]:
    url: str = env.str(name, default=default)
    parts = urlsplit(url)
    allowed = "consolemail:// or smtp://USER:PASSWORD@HOST:PORT (smtp+tls:// or smtp+ssl:// with encryption)"
    shown = url.replace(f":{parts.password}@", ":***@") if parts.password else url
    if parts.scheme not in {"consolemail", "smtp", "smtp+tls", "smtp+ssl"}:
        stop(name, shown, allowed)
    try:
        config: dict[str, Any] = environ.Env.email_url_config(url)
    except ValueError:
        stop(name, shown, allowed)
    if parts.scheme != "consolemail" and not config["EMAIL_HOST"]:
        stop(name, shown, allowed)
    return config


def sender(name: str, default: str) -> str:
    value: str = env.str(name, default=default)
    if "@" not in value or "\n" in value:
        stop(name, value, "an address such as scores@example.org or Scorekeeper <scores@example.org>")
    return value


DEBUG = switch("DEBUG", False)
SECRET_KEY = secret_key("SECRET_KEY", BASE_DIR / ".secret-key")
ALLOWED_HOSTS = hosts("ALLOWED_HOSTS", ["127.0.0.1", "localhost", "[::1]"])
CSRF_TRUSTED_ORIGINS = origins("CSRF_TRUSTED_ORIGINS")

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "csp",
    "django_htmx",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "rest_framework",
    "template_partials",
    "games",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "games.web.device.DeviceMiddleware",
]

ROOT_URLCONF = "scorekeeper.urls"
WSGI_APPLICATION = "scorekeeper.wsgi.application"
ASGI_APPLICATION = "scorekeeper.asgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
AUTH_USER_MODEL = "games.User"

# The app template_partials puts its loader around the cached ones.
TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            # Built in from Django 6 on: no page loads them by name.
            "builtins": ["template_partials.templatetags.partials"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "games.web.device.context",
            ],
        },
    },
]

DATABASES = {"default": database("DATABASE_URL", f"sqlite:///{BASE_DIR / 'db.sqlite3'}")}

# What django-allauth counts against its limits: in the database, so that all workers count together.
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.db.DatabaseCache",
        "LOCATION": "cache",
        "OPTIONS": {"MAX_ENTRIES": 10_000},  # beyond it the oldest counts would be forgotten
    }
}

# Accounts, by django-allauth: e-mail and password alone. Nothing at the table needs one.

AUTH_USER_MODEL = "games.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}", "OPTIONS": options}
    for name, options in (
        ("MinimumLengthValidator", {"min_length": 8}),
        ("UserAttributeSimilarityValidator", {"user_attributes": ("email", "name")}),
        ("CommonPasswordValidator", {}),
    )
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "account"
ACCOUNT_ADAPTER = "games.web.sign_in.Adapter"
ACCOUNT_FORMS = {
    "signup": "games.web.sign_in.SignUp",
    "login": "games.web.sign_in.SignIn",
    "reset_password": "games.web.sign_in.ForgottenPassword",
    "reset_password_from_key": "games.web.sign_in.NewPassword",
    "change_password": "games.web.sign_in.ChangePassword",
    "add_email": "games.web.sign_in.ChangeEmail",
}
ACCOUNT_SIGNUP_FORM_CLASS = "games.forms.PersonForm"
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "mandatory"  # else signing up would tell who has an account
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = True  # on the phone that signed up, and only there
ACCOUNT_LOGIN_ON_PASSWORD_RESET = True
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_LOGOUT_REDIRECT_URL = "home"
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_RATE_LIMITS = {  # a hall shares one address
    "login": "30/m/ip",
    "login_failed": "30/m/ip,5/5m/key",
    "signup": "20/m/ip",
    "reset_password": "20/m/ip,5/m/key",
    "reset_password_from_key": "20/m/ip",
    "confirm_email": "1/3m/key",
    "change_password": "5/m/user",
    "manage_email": "10/m/user",
    "reauthenticate": "10/m/user",
}

# Mail: without a server the messages, and the links in them, are printed on the console.

globals().update(mail("EMAIL_URL", "consolemail://"))  # EMAIL_BACKEND, EMAIL_HOST …
DEFAULT_FROM_EMAIL = sender("DEFAULT_FROM_EMAIL", "scorekeeper@localhost")

# Languages, numbers, times

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English"))]
LOCALE_PATHS = [BASE_DIR / "games" / "locale"]
TIME_ZONE = zone("TIME_ZONE", "UTC")
USE_I18N = True
USE_TZ = True

# Static files

STATIC_URL = "static/"
STATIC_ROOT = Path(env.str("STATIC_ROOT", default=str(BASE_DIR / "staticfiles")))
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
WHITENOISE_ALLOW_ALL_ORIGINS = False
WHITENOISE_SKIP_COMPRESS_EXTENSIONS = ["br", "gif", "gz", "ico", "jpg", "map", "png", "webp", "woff2"]

# Uploads: files of games, and those are small

FILE_UPLOAD_HANDLERS = ["games.web.upload.LimitedUpload"]
DATA_UPLOAD_MAX_NUMBER_FILES = 2

# Behind a proxy, and over https

NUM_PROXIES = number("NUM_PROXIES", 0, 0, 10)
HTTPS = switch("HTTPS", False)
if HTTPS and NUM_PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# Cookies: a club plays over plain http on its own network, so secure ones are asked for.

SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = HTTPS
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = LANGUAGE_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = LANGUAGE_COOKIE_SAMESITE = "Lax"

SESSION_COOKIE_AGE = 90 * 24 * 3600  # who plays once a month stays signed in

# Headers

SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_REFERRER_POLICY = "same-origin"
# Over plain http a browser ignores this header and complains in its console.
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin" if HTTPS else None
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "worker-src": [SELF],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    },
}

# The HTTP API

GAMES_PER_MINUTE = number("GAMES_PER_MINUTE", 60, 1, 1_000_000)
WRONG_KEYS_PER_MINUTE = number("WRONG_KEYS_PER_MINUTE", 30, 1, 1_000_000)
RECORDS_PER_MINUTE = number("RECORDS_PER_MINUTE", 60, 1, 1_000_000)
CHECK_SECONDS_PER_MINUTE = number("CHECK_SECONDS_PER_MINUTE", 30, 1, 1_000_000)

REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": [],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "NUM_PROXIES": NUM_PROXIES,
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}

SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "Scorekeeper",
    "DESCRIPTION": (
        "Scores Mexican Train games, and the seasons of clubs. Every list is read in pages: `limit` (50 if "
        "it is not given, 200 at most) and `offset`; `count` says how many there are, `next` where to read "
        "on. A filter that a list does not have, or a value that cannot be, is refused and named."
    ),
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    # Fields of one name with choices of their own in games and in clubs
    "ENUM_NAME_OVERRIDES": {
        "RoleEnum": "games.models.Role",
        "ClubRoleEnum": "games.models.ClubRole",
        "SeasonDecidedByEnum": "games.api.club.answers.DECIDED",
        "CodeEnum": "games.api.schema.ERROR_CODES",
        "ViolationCodeEnum": "games.api.schema.VIOLATIONS",
        "RecordNoteCodeEnum": "games.api.schema.RECORD_NOTES",
    },
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
}

# The log goes to the console.

LOG_LEVEL = choice("LOG_LEVEL", "INFO", ["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"])
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
    "loggers": {
        "django.server": {"handlers": ["console"], "level": "INFO", "propagate": False},
        # A wrong host gets its 400; a traceback for each would let strangers fill the log.
        "django.security.DisallowedHost": {"handlers": [], "propagate": False},
    },
}
