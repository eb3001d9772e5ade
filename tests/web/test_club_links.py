"""A club's links: to read, to join; what is wrong or stopped looks the same. And the public page."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from pytest_django import Settings

from games.clubs import club_change, club_link_replace, member_change
from games.models import Club, ClubKey, ClubLink, ClubRole, Member, User
from tests.web.test_club_home import page, reader, signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def newcomer() -> Client:
    phone = Client()
    phone.force_login(User.objects.create(email="ben@example.org", name="BEN"))
    return phone


def key(club: Club, role: ClubLink) -> ClubKey:
    return ClubKey.objects.get(club=club, role=role, revoked_at=None)


def join(club: Club) -> str:
    return f"/clubs/join/{key(club, ClubLink.INVITE).key}/"


def test_each_link_has_its_code_and_what_it_gives(club: Club) -> None:
    phone = signed_in(club, "Chitra")
    text = page(phone, f"/clubs/{club.slug}/links/")
    assert key(club, ClubLink.READER).key in text
    assert 'aria-label="QR code of the link"' in text
    assert "change nothing" in text
    text = page(phone, f"/clubs/{club.slug}/links/?face=invite")
    assert key(club, ClubLink.INVITE).key in text
    assert "Nobody becomes more than a member by it." in text
    assert signed_in(club, "Ben").get(f"/clubs/{club.slug}/links/").status_code == 403


def test_a_link_is_stopped_once_and_by_the_one_that_was_seen(club: Club) -> None:
    phone, seen = signed_in(club, "Chitra"), key(club, ClubLink.READER)
    reading = reader(club)
    form = {"face": "reader", "link": seen.pk}
    assert phone.post(f"/clubs/{club.slug}/links/replace/", form).status_code == 302
    new = key(club, ClubLink.READER)
    assert "The old link is stopped." in page(phone, f"/clubs/{club.slug}/links/")
    phone.post(f"/clubs/{club.slug}/links/replace/", form)
    assert key(club, ClubLink.READER) == new
    assert "Nothing was stopped" in page(phone, f"/clubs/{club.slug}/links/")
    assert reading.get(f"/clubs/{club.slug}/").status_code == 404
    phone.post(f"/clubs/{club.slug}/links/replace/", {"face": "invite", "link": "x"})
    assert phone.get(f"/clubs/{club.slug}/links/replace/").status_code == 405


def test_the_secret_leaves_the_address_and_the_device_remembers(club: Club) -> None:
    phone = Client()
    answer = phone.get(f"/clubs/read/{key(club, ClubLink.READER).key}/")
    assert answer["Location"] == f"/clubs/{club.slug}/"
    assert "reads by a link" in page(phone, f"/clubs/{club.slug}/")


def test_wrong_stopped_and_exchanged_links_look_the_same(club: Club, newcomer: Client) -> None:
    old = key(club, ClubLink.READER).key, key(club, ClubLink.INVITE).key
    for role in ClubLink:
        club_link_replace(club=club, role=role)
    addresses = [
        "/clubs/read/nothing-like-it/",
        "/clubs/join/nothing-like-it/",
        f"/clubs/read/{old[0]}/",
        f"/clubs/join/{old[1]}/",
        f"/clubs/read/{key(club, ClubLink.INVITE).key}/",
        f"/clubs/join/{key(club, ClubLink.READER).key}/",
    ]
    for phone in (Client(), newcomer):
        pages = [phone.get(address) for address in addresses]
        assert {one.status_code for one in pages} == {404}
        assert len({re.sub(rb'"X-CSRFToken": "\w+"', b"", one.content) for one in pages}) == 1


@pytest.mark.usefixtures("one_minute")
def test_guessing_is_put_off_with_the_games_links(club: Club, client: Client, settings: Settings) -> None:
    settings.WRONG_KEYS_PER_MINUTE = 3
    guesses = ["/clubs/read/a/", "/clubs/join/b/", "/s/c/", "/clubs/read/d/", "/clubs/join/e/", "/w/f/"]
    assert [client.get(guess).status_code for guess in guesses] == [404, 404, 404, 429, 429, 429]
    assert client.get(f"/clubs/read/{key(club, ClubLink.READER).key}/").status_code == 302


def test_who_is_not_signed_in_signs_in_first_and_comes_back(club: Club, client: Client) -> None:
    answer = client.get(join(club))
    assert answer.status_code == 302
    assert answer["Location"].endswith(f"?next={join(club)}")
    assert client.post(join(club), {"name": "Dan"}).status_code == 302
    assert not Member.objects.filter(club=club, name="Dan").exists()


def test_who_has_played_here_is_chosen_already_and_gets_that_name(club: Club, newcomer: Client) -> None:
    text = page(newcomer, join(club))
    assert '<option value="4" selected>Ben</option>' in text
    assert ">Chitra</option>" not in text  # has an account
    answer = newcomer.post(join(club), {"member": "4", "name": "BEN"})
    assert answer["Location"] == f"/clubs/{club.slug}/"
    assert "Ben belongs to the club now." in page(newcomer, answer["Location"])
    assert Member.objects.get(club=club, number=4).user is not None
    assert newcomer.get(join(club))["Location"] == f"/clubs/{club.slug}/"


def test_somebody_new_joins_by_a_name(club: Club, newcomer: Client) -> None:
    assert newcomer.post(join(club), {"member": "", "name": " Dan  "}).status_code == 302
    member = Member.objects.get(club=club, name="Dan")
    assert (member.role, member.number) == ("member", 7)


def test_a_name_that_cannot_be_is_told_and_kept(club: Club, newcomer: Client) -> None:
    Member.objects.filter(club=club, name="Kwame").update(role=ClubRole.ORGANISER)
    for name, said in (
        ("", "A name is needed."),
        ("chitra", "The name Chitra is taken."),
        ("kwame", "Kwame has a role in the club, so an invitation is not enough."),
        ("x" * 60, "is too long."),
    ):
        answer = newcomer.post(join(club), {"member": "2", "name": name})  # 2 is in no list
        assert answer.status_code == 422
        assert said in answer.content.decode()
        assert f'name="name" value="{name}"' in answer.content.decode()


def test_who_was_sent_away_does_not_come_back_by_the_link(club: Club) -> None:
    phone = signed_in(club, "Ben")
    member_change(club=club, number=4, left_on=club.created_at.date())
    assert "Ben has left the club." in page(phone, join(club))
    assert phone.post(join(club), {"name": "Benjamin"}).status_code == 422
    assert Member.objects.filter(club=club).count() == 6


# The public page


def test_an_owner_opens_the_page_to_anybody_and_shuts_it_again(club: Club, client: Client) -> None:
    phone = signed_in(club, "Chitra")
    settings = f"/clubs/{club.slug}/settings/"
    assert "It does not show the list of members" in page(phone, settings)
    for public, status in (({"public": "on"}, 200), ({}, 404)):
        club.refresh_from_db()
        form = {"name": "Friday Dominoes", "version": club.version, **public}
        assert phone.post(settings, form).status_code == 302
        assert client.get(f"/clubs/{club.slug}/").status_code == status
    club.refresh_from_db()
    assert club.name == "Friday Dominoes"


def test_settings_refused_or_overtaken_keep_what_was_typed(club: Club) -> None:
    phone, version = signed_in(club, "Chitra"), club.version
    settings = f"/clubs/{club.slug}/settings/"
    answer = phone.post(settings, {"name": " ", "public": "on", "version": version})
    assert answer.status_code == 422
    assert "checked" in answer.content.decode()
    club_change(club=club, name="Meanwhile", who="Kwame")
    answer = phone.post(settings, {"name": "Mine", "public": "on", "version": version})
    assert answer.status_code == 409
    assert "The club is called “Meanwhile”, no longer “Thursday Dominoes” (Kwame)." in answer.content.decode()
    assert 'value="Mine"' in answer.content.decode()
    assert signed_in(club, "Kwame", ClubRole.ORGANISER).get(settings).status_code == 403
    assert phone.put(settings).status_code == 405
