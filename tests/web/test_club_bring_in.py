"""Members and past nights from files: looked at first, all or nothing, and never twice."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from games.models import Club, ClubEntry, ClubRole, Game, Member, Season
from tests import club as at_club
from tests.club import night, table
from tests.web.test_club_home import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.fixture
def organiser(club: Club) -> Client:
    return signed_in(club, "Kwame", ClubRole.ORGANISER)


class Bringing:
    """A phone on the page that brings in: it keeps what the page's form holds, and presses its buttons."""

    def __init__(self, phone: Client, club: Club, where: str) -> None:
        self.phone, self.path = phone, f"/clubs/{club.slug}/{where}/bring-in/"
        self.form: dict[str, str] = {}
        self.ready = False

    def look(self, status: int = 200, file: tuple[str, bytes] | None = None, **typed: str) -> str:
        return self.press("look", status, file, **typed)

    def bring(self, status: int = 302, **typed: str) -> str:
        return self.press("bring", status, None, **typed)

    def press(self, do: str, status: int, file: tuple[str, bytes] | None, **typed: str) -> str:
        if not self.form:
            self._keep(self.phone.get(self.path))
        data: dict[str, Any] = {**self.form, **typed, "do": do}
        if file is not None:
            data["file"] = SimpleUploadedFile(*file)
        answer: Any = self.phone.post(self.path, data)
        assert answer.status_code == status, answer.content.decode()[-6000:]
        if status == 302:
            return str(answer["Location"])
        self._keep(answer)
        return " ".join(answer.content.decode().split())

    def _keep(self, answer: Any) -> None:
        context = answer.context
        names = ("version", "text", "source", "seal", "season", "season_name")
        self.form = {name: str(context[name]) for name in names if name in context}
        for at, one, _choices in context.get("unknown", ()):
            self.form |= {f"name-{at}": one.name, f"who-{at}": one.chosen}
        self.ready = bool(context.get("ready"))


def log_of(club: Club) -> list[tuple[str, str]]:
    return list(ClubEntry.objects.filter(club=club).order_by("number").values_list("action", "about"))


# Members


def test_members_are_told_row_by_row_corrected_and_added_at_once(organiser: Client, club: Club) -> None:
    page = Bringing(organiser, club, "members")
    before = log_of(club)
    rows = "Name;Role;Joined on;Shoe\nAnn;scorer;12.3.2026;38\nben;;;\nZoë;boss;3/4/2026;\n;;;\nAnn;;;\n"
    text = page.look(422, file=("list.csv", rows.encode("cp1252")))
    assert "Row 4, Role: “boss” is no role." in text
    assert "Row 4, Joined on: “3/4/2026” can be read in two ways" in text
    assert "Row 6: “Ann” is in row 2 already." in text
    assert "read as Windows-1252" in text
    assert "Not read, because it means nothing here: “Shoe”." in text
    assert not page.ready
    assert log_of(club) == before
    mended = page.form["text"].replace("boss", "member").replace("3/4/2026", "2026-04-03")
    text = page.look(200, text=mended.replace("\nAnn\n", "\nAnn K\n"))
    assert "3 members would be added." in text
    assert "Row 3, “Ben”: there is already a Ben in the club." in text
    assert ">Add 3 members<" in text
    assert page.bring() == f"/clubs/{club.slug}/members/"
    new = Member.objects.filter(club=club, number__gt=6).order_by("number")
    assert [(one.name, one.role, str(one.joined_on)) for one in new] == [
        ("Ann", "scorer", "2026-03-12"),
        ("Zoë", "member", "2026-04-03"),
        ("Ann K", "member", "None"),
    ]
    assert log_of(club)[len(before) :] == [("brought_in", "list.csv")]
    text = " ".join(organiser.get(f"/clubs/{club.slug}/log/").content.decode().split())
    assert "Brought in from a file: list.csv" in text
    assert "3 new members: Ann, Zoë and Ann K." in text
    again = Bringing(organiser, club, "members")
    text = again.look(200, text=page.form["text"])
    assert "Everybody in it is in the club already." in text
    again.bring(200)
    assert Member.objects.filter(club=club).count() == 9


def test_a_change_after_the_look_or_by_somebody_else_is_looked_at_again(
    organiser: Client, club: Club
) -> None:
    page = Bringing(organiser, club, "members")
    page.look(text="Ann\nBob")
    text = page.bring(200, text="Ann\nBob\nCem")
    assert "Something was changed since the last look." in text
    Member.objects.create(club=club, number=7, name="Ann")
    Club.objects.filter(pk=club.pk).update(version=club.version + 9)
    text = page.bring(409)
    assert "Nothing was changed: the club had moved on." in text
    assert "Row 1, “Ann”: there is already" in text
    assert page.bring() == f"/clubs/{club.slug}/members/"
    assert Member.objects.filter(club=club, number__gt=7).count() == 2


def test_an_organiser_gives_no_role_that_only_an_owner_gives(organiser: Client, club: Club) -> None:
    page = Bringing(organiser, club, "members")
    assert "Row 2, Role: “owner” is a role that only an owner gives." in page.look(
        422, text="Name\tRole\nAnn\towner"
    )
    page.bring(422)
    assert not Member.objects.filter(club=club, name="Ann").exists()


# Past nights

LONG = """\
Date;Table;Player;Total;Rounds;Rounds out;Note
5.3.2026;1;Chitra;120;13;2;
5.3.2026;1;Ben;80;13;4;
5.3.2026;1;Kwame;;;;absent
5.3.2026;2;Priya;95;13;1;
5.3.2026;2;Siobhan;95;13;1;
5.3.2026;2;Walter;60;13;3;guest
12.3.2026;1;Chitra;70;12;3;
12.3.2026;1;Ben;110;12;2;forfeit
12.3.2026;1;Anton;130;12;0;
"""


def test_past_nights_come_with_the_table_they_would_give(organiser: Client, club: Club) -> None:
    page = Bringing(organiser, club, "seasons")
    text = page.look(422, file=("winter.csv", LONG.encode()))
    assert "The new season: A name is needed." in text
    assert "The table it would give" in text
    assert not page.ready
    text = page.look(200, season_name="Winter")
    assert "3 games of 2 nights." in text
    assert "1 row says that somebody was absent." in text
    assert "2 names are not in the club" in text
    assert "it is Siobhán" in text
    siobhan = str(Member.objects.get(club=club, name="Siobhán").number)
    assert "Something was changed" in page.bring(200, **{"who-0": siobhan})
    previewed = [
        (str(name), place, value, played)
        for place, name, value, played in organiser.post(page.path, {**page.form, "do": "look"}).context[
            "table"
        ]
    ]
    where = page.bring()
    season = Season.objects.get(club=club)
    assert where == f"/clubs/{club.slug}/seasons/{season.number}/"
    rows = season.standings.select_related("member").order_by("position")
    assert [(row.member.name, row.place, row.data["value"], row.data["nights"]) for row in rows] == [
        (name, place, value, played) for name, place, value, played in previewed
    ]
    assert table(season) == [
        ("Siobhán", 1, "95"),
        ("Priya", 1, "95"),
        ("Anton", 3, "130"),
        ("Chitra", 4, "190"),
        ("Ben", 5, "211"),
    ]
    assert log_of(club)[-2:] == [("season_added", "Winter"), ("brought_in", "winter.csv")]
    assert "Brought in: " in (told := organiser.get(where).content.decode())
    assert "of 2 nights." in told
    assert "Brought in: " not in organiser.get(f"/clubs/{club.slug}/members/").content.decode()
    text = " ".join(organiser.get(f"{where}nights/2026-03-05/").content.decode().split())
    assert "Table 2, known by its result" in text
    assert "The board" not in text
    game = Game.objects.filter(at_club__night__season=season)[0]
    assert organiser.get(f"/g/{game.slug}/").status_code == 404


def test_the_same_file_again_brings_nothing_and_says_so(organiser: Client, club: Club) -> None:
    page = Bringing(organiser, club, "seasons")
    page.look(200, file=("winter.csv", LONG.encode()), season_name="Winter")
    sent = dict(page.form)
    page.bring()
    page.form = sent
    assert "There is already a season “Winter”." in page.bring(422)
    more = LONG + "19.3.2026;1;Ben;50;13;5;\n19.3.2026;1;Priya;60;13;3;\n"
    page.form = sent | {"season": "1"}
    text = page.look(200)
    assert "3 games are in the season already and are left out." in text
    assert "Nothing is left to bring in." in text
    changed = more.replace("Chitra;70", "Chitra;71")
    text = page.look(422, text=changed)
    assert "the season has another game at this table on 12 March 2026" in text
    assert "the night of 19 March 2026 is outside of the season" in text
    assert Game.objects.count() == 3
    Season.objects.update(ends_on=None)
    page.look(200, text=more)
    page.bring()
    assert Game.objects.count() == 4


def test_what_is_wrong_names_row_column_and_what_stands_there(organiser: Client, club: Club) -> None:
    page = Bringing(organiser, club, "seasons")
    rows = """\
Night,Name,Points,Place,Note
2026-03-05,Ben,"39,5",,
2026-03-05,Priya,40,,ill
2026-02-30,Chitra,12,,
2026-03-12,Ben,12,2,
2026-03-12,BEN,13,1,
2026-03-12,Kwame,14,1,
2026-03-19,,14,,
2026-03-26,Chitra,1000000,,
05/06/2026,Chitra,10,,
2026-04-02,Chitra,,,
2026-04-09,Chitra,20,,
2026-04-09,Kwame,10,,
"""
    text = page.look(422, season_name="Winter", text=rows)
    for said in (
        "Row 2, Points: “39,5” is no whole number.",
        "Row 3, Note: “ill” is not known. It can be guest, forfeit, absent or void.",
        "Row 4, Night: there is no day “2026-02-30”.",
        "Row 6, Name: “BEN” sits at this table already, in row 5 as “Ben”.",
        "Row 7, Place: place 1 goes against the points",
        "Row 8: there is no name.",
        "Row 9, Points: “1000000” is no whole number.",
        "Row 10, Night: “05/06/2026” can be read in two ways",
        "Row 11, Points: “Chitra” has no points.",
    ):
        assert said in text, said
    assert "Row 13" not in text
    assert not page.ready
    page.bring(422)
    assert (Game.objects.count(), Season.objects.count()) == (0, 0)


def test_a_wide_table_is_a_game_a_night(organiser: Client, club: Club) -> None:
    page = Bringing(organiser, club, "seasons")
    rows = "Name\t2026-03-05\t12.3.2026\tTotal\nBen\t30\t–\t30\nPriya\t20\t15\t35\nChitra\t\t40\t40\n"
    text = page.look(200, season_name="Winter", text=rows)
    assert "2 games of 2 nights." in text
    assert "Each night is taken as one table of all who have points." in text
    assert "Not read, because it means nothing here: “Total”." in text
    page.bring()
    assert table(Season.objects.get()) == [("Ben", 1, "30"), ("Priya", 2, "35"), ("Chitra", 3, "40")]


def test_a_played_season_takes_no_game_of_its_own_twice(organiser: Client, club: Club) -> None:
    spring = at_club.season(club, measure="per_round")
    night(spring, 1, ["Chitra", "Ben"], [0, 20])
    page = Bringing(organiser, club, "seasons")
    rows = "Night;Name;Points\n2026-03-05;Chitra;0\n2026-03-05;Ben;20\n"
    text = page.look(422, season="1", text=rows)
    assert "Row 1, Rounds: this season is scored per round" in text
    text = page.look(200, season="1", text=rows.replace("\n", ";1\n").replace("Points;1", "Points;Rounds"))
    assert "Nothing is left to bring in." in text
    taken = organiser.get(f"/clubs/{club.slug}/take/club.xlsx").content
    text = Bringing(organiser, club, "seasons").look(200, season="1", file=("club.xlsx", taken))
    assert "The sheet “Results” was read, no other one." in text
    assert "Nothing is left to bring in." in text
    text = Bringing(organiser, club, "members").look(200, file=("club.xlsx", taken))
    assert "The sheet “Members” was read, no other one." in text
    assert "Everybody in it is in the club already." in text
