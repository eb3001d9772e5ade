"""Settings are read from the environment, and a wrong one stops the start with one clear line."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
KEY = "k" * 50

SHOW = "from scorekeeper import settings as s; print({})"


def start(show: str, **given: str) -> subprocess.CompletedProcess[str]:
    inherited = {
        name: value for name, value in os.environ.items() if name.startswith(("PATH", "HOME", "COV"))
    }
    return subprocess.run(
        [sys.executable, "-c", SHOW.format(show)],
        cwd=ROOT,
        env=inherited | {"SECRET_KEY": KEY} | given,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DEBUG", "maybe"),
        ("HTTPS", "2"),
        ("DATABASE_URL", "mysql://root@127.0.0.1/scores"),
        ("DATABASE_URL", "scores.sqlite3"),
        ("DATABASE_URL", "sqlite://scores.sqlite3"),
        ("DATABASE_URL", "postgresql://127.0.0.1:port/scores"),
        ("CONN_MAX_AGE", "-1"),
        ("ALLOWED_HOSTS", "http://127.0.0.1"),
        ("ALLOWED_HOSTS", "localhost:8000"),
        ("CSRF_TRUSTED_ORIGINS", "scores.example.org"),
        ("TIME_ZONE", "Europe/Atlantis"),
        ("TIME_ZONE", "/etc"),
        ("NUM_PROXIES", "one"),
        ("GAMES_PER_MINUTE", "0"),
        ("WRONG_KEYS_PER_MINUTE", "3.5"),
        ("CHECK_SECONDS_PER_MINUTE", "0"),
        ("RECORDS_PER_MINUTE", "0"),
        ("LOG_LEVEL", "LOUD"),
        ("EMAIL_URL", "mail.example.org"),
        ("EMAIL_URL", "smtp://:25"),
        ("EMAIL_URL", "smtp://mail.example.org:post"),
        ("DEFAULT_FROM_EMAIL", "Scorekeeper"),
    ],
)
def test_a_wrong_value_stops_with_one_line_that_names_it(name: str, value: str) -> None:
    result = start("''", **{name: value})
    assert result.returncode == 1
    line = result.stderr.rstrip("\n")
    assert "\n" not in line, line
    assert line.startswith(f"Setting {name}={value!r} is not allowed: it must be ")


def test_a_short_secret_key_is_refused_without_being_shown() -> None:
    result = start("''", SECRET_KEY="hunter2")
    assert result.returncode == 1
    assert "at least 32 characters" in result.stderr
    assert "hunter2" not in result.stderr


def test_a_database_password_is_not_shown() -> None:
    result = start("''", DATABASE_URL="postgresql://ann:hunter2@127.0.0.1:x/scores")
    assert result.returncode == 1
    assert "hunter2" not in result.stderr


def test_a_mail_password_is_not_shown() -> None:
    result = start("''", EMAIL_URL="smtp://ann:hunter2@mail.example.org:x")
    assert result.returncode == 1
    assert "hunter2" not in result.stderr


def test_mail_goes_to_the_console_until_a_server_is_named() -> None:
    show = "s.EMAIL_BACKEND.split('.')[-2], s.EMAIL_HOST, s.EMAIL_PORT"
    assert start(show).stdout.strip() == "console None None"
    given = start(show, EMAIL_URL="smtp+tls://ann:x@mail.example.org:587")
    assert given.stdout.strip() == "smtp mail.example.org 587"


def test_sqlite_is_the_default_with_immediate_transactions() -> None:
    result = start("s.DATABASES['default']['ENGINE'], s.DATABASES['default']['OPTIONS']")
    assert "sqlite3" in result.stdout
    assert "'transaction_mode': 'IMMEDIATE'" in result.stdout
    assert "journal_mode=WAL" in result.stdout


def test_postgresql_keeps_its_connections() -> None:
    show = "[s.DATABASES['default'][n] for n in ('ENGINE', 'HOST', 'NAME', 'CONN_MAX_AGE')]"
    result = start(show, DATABASE_URL="postgresql://ann:x@127.0.0.1/scores")
    assert result.stdout.strip() == str(["django.db.backends.postgresql", "127.0.0.1", "scores", 600])


def test_cookies_work_over_plain_http_until_https_is_said() -> None:
    show = "s.SESSION_COOKIE_SECURE, s.CSRF_COOKIE_SECURE, s.SECURE_HSTS_SECONDS > 0"
    assert start(show).stdout.strip() == "False False False"
    assert start(show, HTTPS="true").stdout.strip() == "True True True"


def test_every_setting_is_in_the_readme() -> None:
    source = (ROOT / "scorekeeper" / "settings.py").read_text(encoding="utf-8")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    read = "switch( number( choice( names( hosts( origins( zone( secret_key( database( mail( sender( env.str("
    found = {
        line.split(call)[1].split('"')[1]
        for line in source.splitlines()
        for call in read.split()
        if f'{call}"' in line
    }
    assert len(found) > 10
    assert [name for name in sorted(found) if f"`{name}`" not in readme] == []
