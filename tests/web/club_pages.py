"""Phones of a club's people for the tests of its pages, and what they read there."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from games.models import Club, ClubKey, ClubLink, ClubRole, Member
from tests import club as at_club


def client_of(club: Club, number: int, role: ClubRole | None = None) -> Client:
    """The phone of a member, who gets an account here; `role`: which they have from now on."""
    member = Member.objects.get(club=club, number=number)
    if member.user is None:
        email = f"{member.number}@{club.slug}.example.org".casefold()
        member.user = get_user_model().objects.create(email=email)
    member.role = role or member.role
    member.save()
    client = Client()
    client.force_login(member.user)
    return client


def reader_of(club: Club) -> Client:
    """A phone that has opened the reader's link."""
    key = ClubKey.objects.get(club=club, role=ClubLink.READER)
    client = Client()
    client.get(reverse("club_reader", args=[key.key]))
    return client


def everybody(club: Club) -> dict[str, Client]:
    """One phone a role, another club's owner among them."""
    zoe = Member.objects.filter(name="Zoe").first()
    other = at_club.found("Zoe", "Yan") if zoe is None else zoe.club
    return {
        "nobody": Client(),
        "reader": reader_of(club),
        "member": client_of(club, 2, ClubRole.MEMBER),
        "scorer": client_of(club, 3, ClubRole.SCORER),
        "organiser": client_of(club, 4, ClubRole.ORGANISER),
        "owner": client_of(club, 1),
        "other": client_of(other, 1),
    }


def answers(club: Club, method: str, path: str, form: dict[str, Any] | None = None) -> str:
    """The status for each of `everybody`, in order."""
    codes = []
    for phone in everybody(club).values():
        club.refresh_from_db()
        data = {**(form or {}), "version": club.version} if method == "post" else None
        codes.append(str(getattr(phone, method)(path, data).status_code))
    return " ".join(codes)
