"""Files to take along: to each what they may read, as of a day, and nothing once the public page is shut."""

from __future__ import annotations

import io
import json
import re
import zipfile
from datetime import date
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games import results
from games.clubs import members_merge
from games.files.xlsx import read_xlsx
from games.models import AccessKey, Club, ClubGame, ClubKey, ClubLink, ClubRole, Member, Season, User
from games.seasons import doubt_decide, doubt_raise, game_change
from games.told import ToldGame, ToldSeat, season_bring
from tests import club as at_club
from tests.club import night, table
from tests.web.test_club_home import reader, signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.fixture
def spring() -> Season:
    spring = at_club.season(at_club.found())
    night(spring, 1, ["Chitra", "Ben"], [0, 20])
    played = night(spring, 2, ["Chitra", "Ben", "Guest"], [30, 0, 9])
    doubt = doubt_raise(played=played, other={"void": True}, reason="Who sat there?", who="Ben")
    doubt_decide(doubt=doubt, stands=True, reason="All saw it", who="Chitra")
    return spring


def get(phone: Client, club: Club, path: str, status: int = 200) -> Any:
    answer = phone.get(f"/clubs/{club.slug}/{path}")
    assert answer.status_code == status, (path, answer.status_code)
    return answer


def rows(answer: Any) -> list[list[str]]:
    text = answer.content.decode()
    assert text.startswith("\ufeff")
    return [line.split(",") for line in text[1:].splitlines()]


SEASON_PATHS = [
    f"seasons/1/take/{name}.{ending}"
    for name in ("standings", "results", "nights", "doubts")
    for ending in ("csv", "xlsx")
]
SEASON_PATHS += ["seasons/1/take/season.xlsx", "seasons/1/take/season.json", "seasons/1/take/"]
CLUB_PATHS = ["take/", "take/club.xlsx", "take/club.zip", "take/club.json", "take/seasons.csv"]
CLUB_PATHS += [f"take/{name}.csv" for name in ("standings", "results", "nights", "doubts")]
PRIVATE = ["take/members.csv", "take/members.xlsx", "take/log.csv"]


def test_a_season_is_taken_along_as_of_any_day(spring: Season) -> None:
    phone = reader(spring.club)
    standings = rows(get(phone, spring.club, "seasons/1/take/standings.csv"))
    assert standings[0][:7] == ["Place", "Name", "Value", "Nights", "Games", "Rounds", "Points"]
    assert [row[:4] for row in standings[1:]] == [["1", "Ben", "20", "2"], ["2", "Chitra", "30", "2"]]
    assert standings[2][-1] == "30 points: 2 nights played. Ahead: Ben with 20."
    then = rows(get(phone, spring.club, "seasons/1/take/standings.csv?on=2026-03-05"))
    assert [row[:4] for row in then[1:]] == [["1", "Chitra", "0", "1"], ["2", "Ben", "20", "1"]]
    assert len(rows(get(phone, spring.club, "seasons/1/take/results.csv?on=2026-03-05"))) == 3
    guest = rows(get(phone, spring.club, "seasons/1/take/results.csv"))[4]
    assert guest == ["2026-03-12", "1", "Guest", "9", "1", "0", "9", "2", "guest"]
    doubts = rows(get(phone, spring.club, "seasons/1/take/doubts.csv"))
    assert [[row[4], row[5], row[6], row[7]] for row in doubts[1:]] == [
        ["in doubt", "", "Who sat there?", "Ben"],
        ["decided", "yes", "All saw it", "Chitra"],
    ]
    answer = get(phone, spring.club, "seasons/1/take/standings.xlsx")
    assert answer["Content-Disposition"] == 'attachment; filename="spring-season-standings.xlsx"'
    assert read_xlsx(answer.content).rows[1][:3] == ("1", "Ben", "20")
    season = json.loads(get(phone, spring.club, "seasons/1/take/season.json?on=2026-03-05").content)
    assert [one["on"] for one in season["season"]["nights"]] == ["2026-03-05"]
    for path in ("take/standings.csv?on=x", "take/x.csv", "take/standings.pdf", "take/standings.zip"):
        get(phone, spring.club, f"seasons/1/{path}", 404)


def test_each_takes_what_they_may_read_and_no_address_or_link(spring: Season) -> None:
    club = spring.club
    member = signed_in(club, "Ben", ClubRole.MEMBER)
    for path in [*SEASON_PATHS, *CLUB_PATHS, *PRIVATE]:
        get(member, club, path)
    for path in [*SEASON_PATHS, *CLUB_PATHS]:
        get(reader(club), club, path)
    for path in PRIVATE:
        get(reader(club), club, path, 302)
    packed = {
        "member": ["doubts", "log", "members", "nights", "results", "seasons", "standings"],
        "reader": ["doubts", "nights", "results", "seasons", "standings"],
    }
    secrets = [*ClubKey.objects.values_list("key", flat=True), *User.objects.values_list("email", flat=True)]
    for who, phone in (("member", member), ("reader", reader(club))):
        with zipfile.ZipFile(io.BytesIO(get(phone, club, "take/club.zip").content)) as archive:
            assert sorted(archive.namelist()) == [f"{name}.csv" for name in packed[who]]
            text = "".join(archive.read(name).decode() for name in archive.namelist())
        whole = json.loads(get(phone, club, "take/club.json").content)
        assert ("members" in whole, "log" in whole) == (who == "member", who == "member")
        text += json.dumps(whole)
        with zipfile.ZipFile(io.BytesIO(get(phone, club, "take/club.xlsx").content)) as archive:
            text += "".join(archive.read(name).decode() for name in archive.namelist())
        assert len(secrets) > 3
        assert [secret for secret in secrets if secret in text] == []


def looks(phone: Client, slug: str) -> str:
    """A club's page without what is another one each time, and without the address that was asked for."""
    text = phone.get(f"/clubs/{slug}/").content.decode()
    return re.sub(r'"X-CSRFToken": "\w+"', "", text).replace(slug, "")


def test_a_page_that_is_shut_opens_nothing_from_that_moment_on(spring: Season, client: Client) -> None:
    club = spring.club
    owner = signed_in(club, "Chitra")
    stranger = signed_in(at_club.found("Zoë"), "Zoë")
    nights = ["", "seasons/", "seasons/1/", "seasons/1/nights/", "seasons/1/nights/2026-03-05/", "doubts/1/"]
    paths = [*nights, "seasons/1/more/", "seasons/1/scheme/", *SEASON_PATHS, *CLUB_PATHS]
    for public in (False, True, False):
        club.refresh_from_db()
        form = {"name": club.name, "version": club.version} | ({"public": "on"} if public else {})
        owner.post(f"/clubs/{club.slug}/settings/", form)
        for phone in (client, stranger):
            for path in paths if phone is client else paths[:8]:
                answer = get(phone, club, path, 200 if public else 404)
                if public:
                    assert "no-store" in answer["Cache-Control"], path
                    assert answer["X-Robots-Tag"] == "noindex", path
                    assert "ETag" not in answer, path
            assert get(phone, club, "members/", *((403 if phone is stranger else 302,) if public else (404,)))
        assert public or looks(client, club.slug) == looks(client, "never-made")
    text = owner.get(f"/clubs/{club.slug}/settings/").content.decode()
    assert "What anybody would see" in text
    assert "data-copy" not in text


# Games that are known by their results alone, as everything else meets them


def told(spring: Season) -> ClubGame:
    """On the third night Chitra had 40, somebody new 12 and a guest 5."""
    seats = (
        ToldSeat(name="Chitra", member=1, points=40, place=3, rounds=13, zero_rounds=2),
        ToldSeat(name="Dan", member="Dan", points=12, place=2, rounds=13, zero_rounds=4),
        ToldSeat(name="Walter", member=None, points=5, place=1, rounds=13),
    )
    game = ToldGame(on=date(2026, 3, 19), table="", seats=seats)
    season_bring(club=spring.club, season=spring, games=[game], members=["Dan"], source="a.csv", who="Ben")
    return ClubGame.objects.get(told__isnull=False)


def test_a_told_game_counts_is_changed_doubted_and_merged_as_any_other(spring: Season) -> None:
    played = told(spring)
    assert table(spring) == [("Dan", 1, "12"), ("Ben", 2, "20"), ("Chitra", 3, "70")]
    assert results.season_rebuild(spring) == []
    dan = Member.objects.get(club=spring.club, name="Dan")
    members_merge(club=spring.club, number=dan.number, into=6, who="Chitra")
    assert table(spring) == [("Priya", 1, "12"), ("Ben", 2, "20"), ("Chitra", 3, "70")]
    doubt = doubt_raise(played=played, other={"void": True}, reason="Not ours?", who="Ben")
    doubt_decide(doubt=doubt, stands=False, reason="It was not", who="Chitra")
    assert table(spring) == [("Ben", 1, "20"), ("Chitra", 2, "30"), ("Priya", None, "None")]
    game_change(played=played, void=False, reason="It was", who="Chitra")
    game_change(played=played, forfeits=frozenset({2}), who="Chitra")
    assert table(spring) == [("Ben", 1, "20"), ("Priya", 2, "41"), ("Chitra", 3, "70")]
    assert results.season_rebuild(spring) == []


def test_no_link_and_no_role_opens_a_told_game(spring: Season) -> None:
    played = told(spring)
    assert not AccessKey.objects.filter(game=played.game).exists()
    slug, where = played.game.slug, f"/clubs/{spring.club.slug}/seasons/1/"
    for phone in (Client(), reader(spring.club), signed_in(spring.club, "Chitra")):
        for name in ("board", "log", "files", "file_json", "end", "share"):
            assert phone.get(reverse(name, args=[slug])).status_code == 404, name
    owner = signed_in(spring.club, "Chitra")
    assert owner.get(f"{where}games/{slug}/board/").status_code == 404
    for path in (f"games/{slug}/", f"games/{slug}/doubt/", "nights/2026-03-19/"):
        assert owner.get(where + path).status_code == 200, path
    text = " ".join(owner.get(f"{where}nights/2026-03-19/").content.decode().split())
    assert text.index(">Walter<") < text.index(">Dan<") < text.index(">Chitra<")
    assert "Known by its result" in text


def test_an_invitation_is_no_reader(spring: Season) -> None:
    key = ClubKey.objects.get(club=spring.club, role=ClubLink.INVITE)
    phone = Client()
    assert phone.get(reverse("club_reader", args=[key.key])).status_code != 200
    get(phone, spring.club, "take/club.json", 404)
