"""The headers that every answer carries."""

import pytest
from django.test import Client


@pytest.fixture
def policy(client: Client, db: None) -> dict[str, str]:
    header = client.get("/no-such-page/").headers["Content-Security-Policy"]
    parts = (part.strip().partition(" ") for part in header.split(";"))
    return {name: sources for name, _space, sources in parts}


def test_the_policy_allows_this_site_alone(policy: dict[str, str]) -> None:
    assert {sources for name, sources in policy.items() if name.endswith("-src")} == {
        "'self'",
        "'none'",
    }
    assert policy["default-src"] == policy["script-src"] == policy["style-src"] == "'self'"


def test_the_page_cannot_be_framed_and_sends_forms_home_only(policy: dict[str, str]) -> None:
    assert policy["frame-ancestors"] == policy["base-uri"] == policy["object-src"] == "'none'"
    assert policy["form-action"] == "'self'"


def test_other_headers_are_strict(client: Client, db: None) -> None:
    headers = client.get("/no-such-page/").headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "same-origin"
