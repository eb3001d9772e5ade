"""A record is attached to a round that it does not agree with; its scores are taken, and taken back."""

from __future__ import annotations

import pytest
from playwright.sync_api import FilePayload, Page, expect
from pytest_django.live_server_helper import LiveServer

from games.models import AccessKey, Role
from tests.recorded import RECORD, recorded

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_record_is_attached_says_where_it_differs_and_its_scores_are_taken(
    page: Page, live_server: LiveServer
) -> None:
    game = recorded((0, 38))
    page.goto(f"{live_server}/s/{AccessKey.objects.get(game=game, role=Role.SCORER).key}/")
    page.locator("#r1").click()
    page.get_by_role("link", name="Attach a record").click()
    file: FilePayload = {"name": "friday.train", "mimeType": "text/plain", "buffer": RECORD.encode()}
    page.get_by_label("Or open its file").set_input_files(file)
    expect(page.get_by_label("Paste the record")).to_have_value(RECORD)
    expect(page.get_by_role("status")).to_have_text("In the field now: friday.train")
    page.reload()
    expect(page.get_by_label("Paste the record")).to_have_value(RECORD)
    page.get_by_role("button", name="Attach it").click()

    expect(page.get_by_role("heading", name="The record and the round differ")).to_be_visible()
    row = page.get_by_role("row", name="Ben, points left")
    expect(row.get_by_role("cell")).to_have_text(["40", "38"])
    expect(page.locator("#effect")).to_contain_text("Ben 40, not 38")

    page.get_by_role("button", name="Take its scores").click()
    expect(page.locator("#notice")).to_contain_text("Ben, round 1: now 40, was 38.")
    expect(page.locator("#r1")).to_contain_text("R1 ✓")
    expect(page.get_by_text("Every move and all points by the record: round 1")).to_be_visible()

    page.locator("#notice-do").click()
    expect(page.locator("#r1")).to_contain_text("R1 ≠")
    expect(page.locator("#c1-2")).to_contain_text("38")
