"""A club by the API: from founding it to a corrected standing; its people; one way for all lists."""

from __future__ import annotations

import random
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django import Settings

from games.accounts import games_claim
from games.models import (
    Club,
    ClubEntry,
    ClubKey,
    ClubLink,
    ClubRole,
    Game,
    LogEntry,
    Member,
    User,
)
from games.permissions import clubs_known, clubs_of
from games.seasons import doubt_raise
from games.told import ToldGame, ToldSeat, season_bring
from tests import club as at_club
from tests import malformed
from tests.api.caller import codes, round_of
from tests.api.club_caller import ClubCaller, grown_club, owner_of, token_of
from tests.cast import start

pytestmark = pytest.mark.django_db
KEY = "k" * 22


def reader_of(club: Club) -> ClubCaller:
    return ClubCaller(ClubKey.objects.get(club=club, role=ClubLink.READER, revoked_at=None).key, club.slug)


def member_of(club: Club, number: int, role: ClubRole) -> ClubCaller:
    user = User.objects.create(email=f"{number}@example.org")
    Member.objects.filter(club=club, number=number).update(role=role, user=user)
    return ClubCaller(token_of(user), club.slug)


def test_from_founding_a_club_to_a_corrected_standing() -> None:
    user = User.objects.create(email="chitra@example.org", name="Chitra")
    chitra = ClubCaller(token_of(user))
    founded = chitra("POST", "/clubs/", {"name": "Thursday Dominoes"}, Idempotency_Key=KEY)
    again = chitra("POST", "/clubs/", {"name": "Thursday Dominoes"}, Idempotency_Key=KEY)
    assert (founded.status_code, founded["ETag"]) == (201, '"1"')
    assert founded["Location"] == founded.json()["url"]
    assert (again.content, Club.objects.count()) == (founded.content, 1)
    assert founded.json()["may"] == ["read", "belong", "score", "organise", "own"]
    chitra.slug = founded.json()["id"]

    added = chitra.done("POST", "members/", {"names": ["Ben", "Kwame"]}, If_Match='"1"')
    assert [(one["number"], one["name"], one["account"]) for one in added["results"]] == [
        (2, "Ben", False),
        (3, "Kwame", False),
    ]
    stale = chitra("POST", "seasons/", {"name": "Spring", "starts_on": "2026-03-05"}, If_Match='"1"')
    assert (stale.status_code, stale.json()["code"], stale["ETag"]) == (409, "conflict", '"3"')
    assert stale.json()["club"] == chitra.read()
    chitra.done("POST", "seasons/", {"name": "Spring", "starts_on": "2026-03-05"}, If_Match='"3"')

    for day, rounds in (("2026-03-05", [(0, 20, 30)]), ("2026-03-12", [(25, 0, 10), (0, 5, 9)])):
        begun = {"season": 1, "on": day, "players": ["Chitra", "Ben", "Kwame"], "rounds": len(rounds)}
        game = chitra.done("POST", "games/new/", begun)
        assert [(one["name"], one["member"]) for one in game["seats"]] == [
            ("Chitra", 1),
            ("Ben", 2),
            ("Kwame", 3),
        ]
        way = f"/games/{game['id']}/"
        for number, points in enumerate(rounds, start=1):
            chitra.done("PUT", f"{way}rounds/{number}/", round_of(points))
    assert list(LogEntry.objects.order_by().values_list("who", flat=True).distinct()) == ["Chitra"]
    assert places(chitra) == [("Chitra", 1, "25"), ("Ben", 2, "25"), ("Kwame", 3, "49")]

    doubt = chitra.done(
        "POST",
        "doubts/",
        {"game": game["id"], "round": 1, "seat": 1, "points": 45, "reason": "Ben: 45"},
    )
    rows = chitra.read("seasons/1/standings/")["results"]
    assert [row["pending"] for row in rows] == [True, True, False]
    hanging = rows[1]["why"]["hanging"][0]
    assert hanging["doubt"] == doubt["number"]
    assert [tuple(move.values()) for move in hanging["moves"]] == [(1, "Chitra", 1, 2), (2, "Ben", 2, 1)]
    assert chitra.read("doubts/1/")["hanging"] == hanging

    said = {"stands": False, "reason": "The photo shows 45"}
    assert chitra.done("POST", "doubts/1/decide/", said)["hanging"] is None
    assert places(chitra) == [("Ben", 1, "25"), ("Chitra", 2, "45"), ("Kwame", 3, "49")]
    assert places(chitra, "?as_of=2026-03-05") == [("Chitra", 1, "0"), ("Ben", 2, "20"), ("Kwame", 3, "30")]
    reopened = chitra.done("POST", "doubts/1/reopen/", {"reason": "Another photo"})
    assert [step["kind"] for step in reopened["steps"]] == ["raised", "decided", "reopened"]
    assert reopened["other"] == {"void": None, "round": 1, "seat": 1, "points": 25}
    chitra.done("POST", "doubts/1/decide/", {"stands": True, "reason": "It is the same"})
    log = chitra.read("log/")["results"]
    assert [entry["version"] for entry in log] == list(range(chitra.read()["version"], 0, -1))
    assert {entry["who"] for entry in log} == {"Chitra"}


def places(caller: ClubCaller, query: str = "") -> list[tuple[str, int, str]]:
    rows = caller.read(f"seasons/1/standings/{query}")["results"]
    return [(row["name"], row["place"], row["shown"]) for row in rows]


def test_a_row_says_why_it_stands_there(club: Club) -> None:
    """What decided, both neighbours, the nights that do not count, the places that hang on a result."""
    spring = at_club.season(club, best=2, tiebreaks=("wins",))
    at_club.night(spring, 1, ["Chitra", "Ben", "Kwame"], [0, 20, 30])
    at_club.night(spring, 2, ["Chitra", "Ben"], [20, 0])
    at_club.night(spring, 3, ["Chitra", "Ben"], [7, 0])
    owner = owner_of(club)
    rows = {row["name"]: row for row in owner.read("seasons/1/standings/")["results"]}

    assert [(name, row["place"], row["exact"]) for name, row in rows.items()] == [
        ("Ben", 1, "0"),
        ("Chitra", 2, "7"),
        ("Kwame", 3, "30"),
    ]
    chitra = rows["Chitra"]["why"]
    assert [(one["on"], one["kind"], one["counted"]) for one in chitra["nights"]] == [
        ("2026-03-05", "played", True),
        ("2026-03-12", "played", False),
        ("2026-03-19", "played", True),
    ]
    assert chitra["said"] == [
        "7 points: 3 nights played.",
        "Ahead: Ben with 0. Behind: Kwame with 30.",
        "Dropped: the night of 12 March (20).",
    ]
    assert chitra["above"] == {
        "member": 4,
        "name": "Ben",
        "decided_by": "value",
        "criteria": [{"code": "value", "own": "7", "theirs": "0"}],
    }
    assert chitra["below"]["criteria"] == [{"code": "value", "own": "7", "theirs": "30"}]
    assert rows["Ben"]["why"]["above"] is None
    assert owner.read("seasons/1/standings/?member=2")["results"] == [rows["Kwame"]]

    tried = owner.done("POST", "seasons/1/scheme/preview/", {"scheme": {"best": None}})
    assert (tried["same"], tried["said"], tried["moves"]) == (False, "", [])
    assert [(row["name"], row["shown"], row["other"]["shown"]) for row in tried["rows"]] == [
        ("Ben", "0", "20"),
        ("Chitra", "7", "27"),
        ("Kwame", "30", "30"),
    ]
    assert owner.read("seasons/1/scheme/")["scheme"]["best"] == 2
    changed = owner.done("PATCH", "seasons/1/scheme/", {"scheme": {"best": None}, "reason": "All count"})
    assert (changed["scheme"]["best"], changed["scheme"]["tiebreaks"]) == (None, ["wins"])
    refused = owner("PATCH", "seasons/1/scheme/", {"scheme": {"places": [1, 5], "best": "x"}, "reason": ""})
    assert [one["field"] for one in refused.json()["problems"]] == ["scheme.best"]


def test_people_come_are_changed_become_one_and_go(club: Club) -> None:
    owner, organiser = owner_of(club), member_of(club, 2, ClubRole.ORGANISER)
    links = organiser.read("links/")
    new = ClubCaller(token_of(User.objects.create(email="siobhan@example.org", name="siobhán")))
    assert new("POST", "/clubs/join/", {"key": links["reader"]["key"]}).status_code == 404
    joined = new.done("POST", "/clubs/join/", {"key": links["invite"]["key"]})
    assert (joined["id"], joined["role"], joined["member"]) == (club.slug, "member", 5)
    assert [one["id"] for one in new.read("/clubs/")["results"]] == [club.slug]
    assert clubs_known(User.objects.get(name="siobhán")).count() == 1
    renewed = organiser.done("POST", "links/invite/replace/")
    assert renewed["invite"]["key"] != links["invite"]["key"]
    assert renewed["reader"] == links["reader"]
    assert new("POST", "/clubs/join/", {"key": links["invite"]["key"]}).status_code == 404

    new.slug = club.slug
    assert owner.done("PATCH", "members/5/", {"role": "scorer"})["role"] == "scorer"
    for number, body in ((5, {"role": "owner"}), (1, {"name": "Tom"})):  # an owner's to do
        assert organiser("PATCH", f"members/{number}/", body).status_code == 403
    assert organiser.done("PATCH", "members/5/", {"name": "Siobhan", "joined_on": None})["name"] == "Siobhan"
    twice = organiser("PATCH", "members/5/", {"name": "BEN", "role": "king", "age": 7})
    assert {one["field"] for one in twice.json()["problems"]} == {"role", "age"}
    assert codes(organiser("PATCH", "members/5/", {"name": "BEN"})) == ["name_twice"]
    assert organiser.done("DELETE", "members/5/account/")["account"] is False
    assert new("GET").status_code == 404

    spring = at_club.season(club)
    at_club.night(spring, 1, ["Ben", "Priya"], [0, 20])
    met = organiser("POST", "members/4/merge/", {"into": 6})
    assert (met.status_code, codes(met)) == (400, ["merge_met"])
    assert codes(organiser("POST", "members/4/merge/", {"into": 77})) == ["member_unknown"]
    merged = organiser.done("POST", "members/4/merge/", {"into": 3, "reason": "One person"})
    assert merged["number"] == 3
    assert organiser("GET", "members/4/").status_code == 404
    assert organiser.done("PATCH", "members/3/", {"left_on": "2026-03-31"})["left_on"] == "2026-03-31"
    assert [one["number"] for one in organiser.read("members/?left=true")["results"]] == [3]
    assert organiser.done("PATCH", "members/3/", {"left_on": None})["left_on"] is None
    last = owner("POST", "leave/")
    assert codes(last) == ["last_owner"]
    assert organiser.done("POST", "leave/")["number"] == 2
    assert organiser("GET").status_code == 404


def test_games_are_put_on_nights_changed_and_taken_off(club: Club) -> None:
    at_club.season(club)
    scorer, organiser = member_of(club, 3, ClubRole.SCORER), owner_of(club)
    started = start(["Ben", "Zoë", "Priya"], rounds=1)
    game, way = started.sheet.game, f"games/{started.sheet.game.slug}/"
    body: dict[str, Any] = {"season": 1, "on": "2026-03-05", "game": game.slug}
    strange = scorer("POST", "games/", body)
    assert [one["field"] for one in strange.json()["problems"]] == ["game"]
    assert [one["field"] for one in scorer("POST", "games/", body | {"key": "wrong"}).json()["problems"]] == [
        "game"
    ]
    seats = [{"seat": 1, "member": 99}, {"seat": 9, "member": 4}]
    wrong = scorer("POST", "games/", body | {"key": started.scorer_key, "seats": seats})
    assert (wrong.status_code, codes(wrong)) == (400, ["player_unknown", "member_unknown"])
    assert codes(scorer("POST", "games/", body | {"key": started.scorer_key, "on": "2026-03-04"})) == [
        "night_outside"
    ]
    put = scorer.done("POST", "games/", body | {"key": started.scorer_key})
    assert [(one["member"], one["place"]) for one in put["seats"]] == [(4, None), (None, None), (6, None)]
    assert codes(scorer("POST", "games/", body | {"key": started.scorer_key})) == ["game_at_club"]

    # Whoever may score for the club keeps the game's score without its key; members and readers watch.
    assert scorer("PUT", f"/games/{game.slug}/rounds/1/", round_of((0, 7, 20))).status_code == 201
    for other in (member_of(club, 6, ClubRole.MEMBER), reader_of(club)):
        assert other("GET", f"/games/{game.slug}/").status_code == 200
        assert other("GET", f"/games/{game.slug}/", If_None_Match='"2"').status_code == 304
        assert other("PUT", f"/games/{game.slug}/rounds/1/", round_of((0, 7, 20))).status_code == 403
        assert other("GET", f"/games/{start().sheet.game.slug}/").status_code == 404
    assert LogEntry.objects.get(game=game, number=2).who == "Margaret-Rose"

    changed = organiser.done(
        "PATCH",
        way,
        {"seats": [{"seat": 2, "member": 5}, {"seat": 3, "forfeit": True}], "reason": "Zoë"},
    )
    assert [(one["member"], one["forfeit"], one["points"]) for one in changed["seats"]] == [
        (4, False, 0),
        (5, False, 7),
        (6, True, 20),
    ]
    assert codes(organiser("PATCH", way, {"void": True})) == ["reason_missing"]
    twice = organiser("PATCH", way, {"seats": [{"seat": 1, "member": 4}, {"seat": 1, "member": 5}]})
    assert twice.json()["message"] == "seats: seat 1 is given twice."
    assert organiser.done("PATCH", way, {"void": True, "reason": "A tile was short"})["void"] is True
    assert [one["id"] for one in organiser.read("games/?void=true&state=finished&member=5")["results"]] == [
        game.slug
    ]
    night = organiser.done("PATCH", "seasons/1/nights/2026-03-05/", {"void": True, "reason": "Power cut"})
    assert (night["void"], night["games"], night["members"]) == (True, 1, 3)
    organiser.done("PATCH", "seasons/1/nights/2026-03-05/", {"void": False, "reason": "It was not"})
    assert organiser("GET", "seasons/1/nights/tomorrow/").status_code == 404
    doubt_raise(played=club.seasons.get().nights.get().games.get(), other={"void": False}, reason="Why?")
    assert [one["in_doubt"] for one in organiser.read("games/?in_doubt=true")["results"]] == [True]
    assert organiser.done("DELETE", way)["id"] == game.slug
    assert organiser.read("games/")["count"] == organiser.read("doubts/")["count"] == 0
    assert Game.objects.filter(pk=game.pk).exists()

    games_claim(user=User.objects.get(email="3@example.org"), key_ids=[started.scorer_key_id])
    assert scorer("POST", "games/", body).status_code == 201  # it is in the account now
    mine = scorer.read("/games/?role=scorer&status=finished&from=2020-01-01")
    assert mine["count"] == 0  # no day is known of it
    assert [one["id"] for one in scorer.read("/games/?role=scorer")["results"]] == [game.slug]


def test_a_game_that_is_known_by_its_result_alone_has_places_and_no_board(club: Club) -> None:
    seats = (
        ToldSeat(name="Ben", member=4, points=40, place=2, rounds=3),
        ToldSeat(name="Zoë", member=None, points=9, place=1, rounds=3),
    )
    game = ToldGame(on=at_club.FIRST_NIGHT, table="", seats=seats)
    season_bring(club=club, season=at_club.season(club), games=[game], source="2025.csv")
    owner = owner_of(club)
    (row,) = owner.read("games/")["results"]
    assert (row["told"], row["game_url"], row["state"]) == (True, None, "finished")
    assert [(one["name"], one["member"], one["place"], one["points"]) for one in row["seats"]] == [
        ("Ben", 4, 2, 40),
        ("Zoë", None, 1, 9),
    ]
    assert owner("GET", f"/games/{row['id']}/").status_code == 404
    doubt = {"game": row["id"], "round": 1, "seat": 1, "points": 7, "reason": "Who counted?"}
    assert codes(owner("POST", "doubts/", doubt)) == ["round_gone"]
    assert owner.read("members/4/figures/")["games"] == 1


def test_what_somebody_played_and_the_club_s_records(grown: Club) -> None:
    """As the pages say it, of the same engine: the figures themselves are tested there."""
    owner, reader = owner_of(grown), reader_of(grown)
    chitra = reader.read("members/1/figures/")
    assert (chitra["games"], chitra["wins"], chitra["doubts"]) == (3, 3, [1, 2])
    assert chitra["won_in_row"]["longest"] == chitra["nights_in_row"]["now"] == 3
    assert chitra["nights_in_row"]["first"] == {"on": "2026-03-05"}
    assert [(one["engine"], one["out"]) for one in chitra["figures"][0]["engines"]] == [(12, 3)]
    assert [
        step["so_far"]["exact"] for step in reader.read("members/4/figures/")["figures"][0]["course"]
    ] == ["20"] * 3
    assert (
        owner.read("members/2/figures/")["games"] == owner.read("members/1/figures/?season=2")["games"] == 0
    )
    assert reader("GET", "members/2/figures/").status_code == 404  # who never sat at a table
    for query in ("limit=1", "season=x"):
        assert owner("GET", f"members/1/figures/?{query}").status_code == 400
    both = reader.read("members/5/against/4/")
    assert [one["name"] for one in both["members"]] == ["Siobhán", "Ben"]
    assert (both["better"], both["worse"], both["differences"][0]["points"]) == (3, 0, 54)
    assert reader("GET", "members/5/against/5/").status_code == 404
    records = reader.read("records/")
    assert records["shown"] == records["rules"][0]["rules"] == chitra["figures"][0]["rules"]
    best = {record["code"]: record for record in records["records"]}["wins"]
    assert (best["exact"], [one["name"] for one in best["holders"]]) == ("3", ["Chitra"])
    assert reader.read(f"records/?rules={records['shown']}") == records
    assert reader("GET", "records/?rules=x").status_code == 404


LISTS = {
    "/clubs/": ["q=thursday", "public=false", "role=owner"],
    "/games/": ["role=scorer", "status=playing", "q=x", "from=2020-01-01&to=2030-01-01"],
    "members/": ["role=member", "left=false", "account=true", "q=siobhan"],
    "seasons/": ["q=SPRING", "from=2026-01-01&to=2026-12-31"],
    "seasons/1/nights/": ["void=false", "from=2026-03-05", "to=2026-03-05"],
    "seasons/1/standings/": ["as_of=2026-03-05", "member=1"],
    "games/": [
        "season=1", "night=2026-03-05", "from=2026-03-06", "member=1", "state=finished", "void=false",
        "in_doubt=true",
    ],
    "doubts/": ["open=true", "season=1", "member=1", "to=2026-03-05"],
    "log/": ["action=game_added", "before=3", "from=2020-01-01&to=2030-01-01"],
}  # fmt: skip
BAD = (
    *("limit=0", "limit=201", "limit=", "offset=-1", "limit=1&limit=2", "nonsense=1", "from=2026-02-30"),
    *("%00=1", "role=king", "open=maybe", "q=", "member=%EF%BC%91", "as_of=20260305", "q=" + "x" * 90),
)


@pytest.fixture
def grown() -> Club:
    return grown_club()


def test_every_list_is_paged_and_filtered_alike(grown: Club) -> None:
    owner = owner_of(grown)
    for path, filters in LISTS.items():
        whole = owner.read(path)
        total, results = whole["count"], whole["results"]
        assert {"count", "next", "previous", "results"} <= set(whole) <= {
            "version", "count", "next", "previous", "results"
        }, path  # fmt: skip
        assert len(results) == total > 1, path
        assert whole["next"] is whole["previous"] is None, path

        seen, way = [], f"{path}?limit=1"
        for _page in range(total):
            page = owner.read(way)
            seen += page["results"]
            assert page["count"] == total, path
            way = (page["next"] or "").replace("http://testserver/api", "")
        assert (seen, way) == (results, ""), path
        before = owner.read(f"{path}?limit=1&offset=1")["previous"]
        assert owner.read(before.replace("http://testserver/api", ""))["results"] == results[:1], path
        assert owner.read(f"{path}?offset=1000")["results"] == [], path

        for query in filters:
            found = owner.read(f"{path}?{query}")
            assert found["count"] == len(found["results"]) <= total, (path, query)
            if "as_of" not in query:  # that changes the rows themselves
                assert [row for row in results if row in found["results"]] == found["results"], (path, query)

        for query in BAD:
            answer = owner("GET", f"{path}?{query}")
            found, (problem, *more) = answer.json(), answer.json()["problems"]
            assert (answer.status_code, found["code"], more) == (400, "invalid", []), (path, query)
            assert problem["message"] == found["message"], (path, query)
            assert problem["message"].startswith(f"{problem['field']}: "), (path, query)
            assert query != "nonsense=1" or problem["code"] == "unknown_filter", path


def test_filters_find_what_they_say(grown: Club) -> None:
    owner = owner_of(grown)

    def found(path: str, field: str) -> list[Any]:
        return [row[field] for row in owner.read(path)["results"]]

    Member.objects.filter(club=grown, number=6).update(left_on=at_club.FIRST_NIGHT)
    assert found("members/?q=SIOBHAN", "name") == ["Siobhán"]
    assert found("members/?left=true", "number") == [6]
    assert found("members/?account=true&role=owner", "number") == [1]
    assert found("/clubs/?role=owner", "id") == [grown.slug]
    assert found("seasons/?to=2026-03-04", "number") == []
    assert found("seasons/1/nights/?from=2026-03-12", "on") == ["2026-03-19", "2026-03-12"]
    assert found("games/?in_doubt=false", "on") == ["2026-03-05"]
    assert found("games/?night=2026-03-12", "on") == ["2026-03-12"]
    assert found("games/?state=playing", "on") == found("games/?member=3", "on") == []
    assert found("games/?season=2", "on") == []
    assert found("doubts/?to=2026-03-12", "number") == [1]
    newest = found("log/", "version")[0]
    assert found(f"log/?before={newest}", "version") == list(range(newest - 1, 0, -1))
    assert set(found("log/?action=member_added", "about")) == set(at_club.CLUB[1:])
    assert found("log/?to=2020-01-01", "version") == []
    log = owner("GET", f"/games/{found('games/', 'id')[0]}/log/?action=started").json()
    assert ([one["action"] for one in log["entries"]], log["count"]) == (["started"], 1)
    bad = owner("GET", f"/games/{found('games/', 'id')[0]}/log/?action=x&y=1")
    assert [one["field"] for one in bad.json()["problems"]] == ["y", "action"]


def test_a_list_asks_as_much_of_the_database_however_long_it_is(grown: Club) -> None:
    owner = owner_of(grown)

    def asked() -> dict[str, int]:
        counts = {}
        for path in LISTS:
            with CaptureQueriesContext(connection) as queries:
                owner.read(path)
            counts[path] = len(queries)
        return counts

    before = asked()
    spring = grown.seasons.get(number=1)
    for at in (4, 5, 6):
        played = at_club.night(spring, at, ["Kwame", "Ben", "Priya", "Margaret-Rose"], [0, 20, at, 9])
        doubt_raise(played=played, other={"void": True}, reason="Was it finished?")
    at_club.season(grown)
    assert asked() == before
    assert max(before.values()) <= 30


def test_what_is_known_is_not_sent_again(grown: Club) -> None:
    """A version dates what only the club's log changes; the rest is dated by what it says."""
    owner = owner_of(grown)
    for path in (
        "",
        *(path for path in LISTS if path[0] != "/"),
        "members/1/",
        "seasons/1/scheme/",
        "links/",
    ):
        first = owner("GET", path)
        again = owner("GET", path, If_None_Match=first["ETag"])
        assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"]), path
        assert owner("GET", path, If_None_Match='"0"').status_code == 200, path
    tag = owner("GET", "seasons/1/standings/")["ETag"]
    game = grown.seasons.get(number=1).nights.all()[0].games.get().game
    owner.done("PUT", f"/games/{game.slug}/rounds/1/", round_of((0, 21, 1)))
    assert owner("GET", "seasons/1/standings/", If_None_Match=tag).status_code == 200


def test_every_shape_is_as_described(grown: Club) -> None:
    owner = owner_of(grown)
    schemas = owner.read("/schema/")["components"]["schemas"]
    shown = {
        "Club": "", "ClubLinks": "links/", "OneMember": "members/1/", "OneSeason": "seasons/1/",
        "SeasonScheme": "seasons/1/scheme/", "OneNight": "seasons/1/nights/2026-03-05/",
        "OneDoubt": "doubts/1/",
        "ClubMember": "members/", "Season": "seasons/", "Night": "seasons/1/nights/", "ClubGame": "games/",
        "DoubtRow": "doubts/", "ClubEntry": "log/", "SeasonStanding": "seasons/1/standings/",
        "KnownClub": "/clubs/", "ClaimedGame": "/games/", "PersonFigures": "members/1/figures/",
        "HeadToHead": "members/1/against/4/", "ClubRecords": "records/",
    }  # fmt: skip
    for name, path in shown.items():
        found = owner.read(path)
        rows = found.get("results", [found])
        assert set(rows[0]) == set(schemas[name]["properties"]), name
    row = owner.read("seasons/1/standings/")["results"][0]
    assert list(row["why"]) == list(schemas["Why"]["properties"])
    assert set(row["why"]["nights"][0]) == set(schemas["NightResult"]["properties"])
    assert set(row["why"]["below"]) == set(schemas["Neighbour"]["properties"])
    tried = owner.done("POST", "seasons/1/scheme/preview/", {"scheme": {}})
    assert set(tried) == set(schemas["SchemePreview"]["properties"])
    assert set(tried["rows"][0]) == set(schemas["BothRow"]["properties"])


def test_the_examples_are_taken(grown: Club) -> None:
    owner = owner_of(grown)
    game = owner.read("games/")["results"][-1]["id"]
    about = {"slug": grown.slug, "number": 1, "day": "2026-03-05", "game": game}
    tried = 0
    for path, calls in owner.read("/schema/")["paths"].items():
        for method, call in calls.items() if path.startswith("/api/clubs/") else ():
            content = call.get("requestBody", {}).get("content", {}).get("application/json", {})
            number = {"number": 4} if "members" in path else {}
            for name, example in content.get("examples", {}).items():
                point = transaction.savepoint()
                url = path.removeprefix("/api").format(**about | number)
                owner.done(method.upper(), url, example["value"]), name
                transaction.savepoint_rollback(point)
                tried += 1
    assert tried == 11


BODIES: dict[str, tuple[str, dict[str, Any]]] = {
    "/clubs/": ("POST", {"name": "Friday", "owner": "Ann"}),
    "/clubs/join/": ("POST", {"key": "x" * 32, "name": "Ann"}),
    "": ("PATCH", {"name": "Friday", "public": True}),
    "members/": ("POST", {"names": ["Dan", "Eve"], "joined_on": "2026-03-05"}),
    "members/5/": ("PATCH", {"name": "Dan", "role": "scorer", "joined_on": "2026-03-05", "left_on": None}),
    "members/5/merge/": ("POST", {"into": 6, "reason": "One"}),
    "seasons/": (
        "POST",
        {
            "name": "Autumn",
            "starts_on": "2026-09-03",
            "ends_on": None,
            "scheme": {"places": [3, 1], "best": 4},
        },
    ),
    "seasons/1/": ("PATCH", {"name": "Spring", "starts_on": "2026-03-01", "ends_on": "2026-06-30"}),
    "seasons/1/scheme/": (
        "PATCH",
        {"scheme": {"measure": "placement", "tiebreaks": ["wins"]}, "reason": "x"},
    ),
    "seasons/1/scheme/preview/": ("POST", {"scheme": {"measure": "per_game", "least_nights": 2}}),
    "seasons/1/nights/2026-03-05/": ("PATCH", {"void": True, "reason": "Short"}),
    "games/": ("POST", {"season": 1, "on": "2026-03-05", "game": "x", "seats": [{"seat": 1, "member": 2}]}),
    "games/new/": ("POST", {"season": 1, "on": "2026-03-05", "players": ["Ben", "Zoë"], "rounds": 3}),
    "games/GAME/": (
        "PATCH",
        {"seats": [{"seat": 1, "member": 2, "forfeit": True}], "void": False},
    ),
    "doubts/": ("POST", {"game": "GAME", "round": 1, "seat": 2, "points": 7, "reason": "Who?"}),
    "doubts/1/decide/": ("POST", {"stands": False, "reason": "All saw it"}),
    "doubts/1/reopen/": ("POST", {"reason": "They did not"}),
}


def test_no_body_or_query_brings_it_down(grown: Club, settings: Settings) -> None:
    """Each is tried on the club as it is; what is refused has written nothing."""
    settings.WRONG_KEYS_PER_MINUTE = settings.GAMES_PER_MINUTE = 1_000_000
    owner = owner_of(grown)
    owner.client.raise_request_exception = False
    slug = owner.read("games/")["results"][-1]["id"]
    chances, seen = malformed.endless(8), set()
    for path, (method, good) in BODIES.items():
        url = f"/api{path}" if path.startswith("/") else f"/api/clubs/{grown.slug}/{path}"
        whole = {name: slug if value == "GAME" else value for name, value in good.items()}
        for _time in range(6):
            sent = malformed.body(next(chances), whole)
            headers = {**sent.headers, "Authorization": f"Bearer {owner.key}"}
            seen.add(_tried(owner, method, url.replace("GAME", slug), sent, headers))
    for path in (*LISTS, *LISTS):
        chance = next(chances)
        url = f"/api{path}" if path.startswith("/") else f"/api/clubs/{grown.slug}/{path}"
        url = f"{url}?{_query(chance)}"
        seen.add(
            _tried(
                owner, "GET", url, malformed.Malformed(b"", "", {}), {"Authorization": f"Bearer {owner.key}"}
            )
        )
    assert {200, 201, 400, 415} <= seen


def _query(chance: random.Random) -> str:
    names = ["role", "left", "q", "from", "to", "open", "season", "member", "as_of", "limit", "offset", "x"]
    return "&".join(malformed.query(chance).replace("out", chance.choice(names)) for _ in range(2))


def _tried(owner: ClubCaller, method: str, url: str, sent: Any, headers: dict[str, str]) -> int:
    before = ClubEntry.objects.count(), Club.objects.count()
    with transaction.atomic():
        answer: Any = owner.client.generic(method, url, sent.body, sent.content_type, headers=headers)
        assert answer.status_code < 500, (method, url, sent, answer.content[:300])
        after = ClubEntry.objects.count(), Club.objects.count()
        assert answer.status_code < 400 or after == before, (method, url, sent)
        transaction.set_rollback(True)
    status: int = answer.status_code
    return status


@pytest.mark.usefixtures("one_minute")
def test_who_calls_is_told_what_is_missing(club: Club, settings: Settings) -> None:
    """Nothing, a wrong key, another's good key, too small a role: in words, alike where no club is."""
    settings.WRONG_KEYS_PER_MINUTE = 2
    nowhere = "/clubs/nowhere/members/"
    nobody, wrong = ClubCaller(None, club.slug), ClubCaller("sk_" + "x" * 43, club.slug)
    game_key = ClubCaller(start().scorer_key, club.slug)
    stranger, reader = owner_of(at_club.found("Zoë")), reader_of(club)
    stranger.slug = club.slug
    assert (nobody("GET", "members/").status_code, nobody("GET", nowhere).status_code) == (401, 401)
    for one in (stranger, game_key):
        there, none = one("GET", "members/"), one("GET", nowhere)
        assert (there.status_code, there.json()) == (404, none.json())
    assert reader("GET").status_code == 200
    refused = reader("GET", "members/")
    assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
    assert refused.json()["message"].startswith("This key may read the club’s tables, no more.")
    scorer = member_of(club, 3, ClubRole.SCORER)
    assert scorer("POST", "members/", {"names": ["Dan"]}).json()["message"] == (
        "Your role in the club is scorer. That is not enough for this."
    )
    assert [wrong("GET").status_code for _time in range(3)] == [401, 401, 429]
    assert [scorer("GET").status_code for _time in range(3)] == [200, 200, 200]
    assert ClubCaller(None).client.get("/api/clubs/").status_code == 401
    assert [one["role"] for one in reader.read("/clubs/")["results"]] == [None]
    assert len(clubs_of(None, [])) == 0
    assert reader("POST", "/clubs/", {"name": "x"}).status_code == 403
    assert game_key("GET", "/clubs/").status_code == 403


@pytest.mark.usefixtures("one_minute")
def test_invitation_keys_are_guessed_as_seldom_as_others(club: Club, settings: Settings) -> None:
    settings.WRONG_KEYS_PER_MINUTE = 2
    new = ClubCaller(token_of(User.objects.create(email="new@example.org", name="New")))
    tries = [new("POST", "/clubs/join/", {"key": "wrong"}, Idempotency_Key=KEY) for _time in range(3)]
    assert [answer.status_code for answer in tries] == [404, 404, 429]
    owner = owner_of(club)
    at_club.season(club)
    body = {"season": 1, "on": "2026-03-05", "game": "x", "key": "wrong"}
    assert owner("POST", "games/", body).status_code == 429
    assert reverse("api:club", args=[club.slug]) == f"/api/clubs/{club.slug}/"


def test_the_key_of_a_game_started_for_the_club_ends_with_its_member(club: Club) -> None:
    at_club.season(club)
    chitra, kwame = owner_of(club), member_of(club, 2, ClubRole.SCORER)
    begun = {"season": 1, "on": "2026-03-05", "players": ["Chitra", "Ben"]}
    game = kwame.done("POST", "games/new/", begun)
    program = ClubCaller(game["scorer_key"])
    way = f"/games/{game['id']}/"
    program.done("PUT", f"{way}rounds/1/", round_of((0, 20)))

    chitra.done("PATCH", "members/2/", {"role": "member"})
    assert program("PUT", f"{way}rounds/2/", round_of((5, 0))).status_code == 401
    assert program("GET", way).status_code == 401
    assert kwame("PUT", f"{way}rounds/2/", round_of((5, 0))).status_code == 403
    assert kwame.done("GET", way)["version"] == 2
    chitra.done("PUT", f"{way}rounds/2/", round_of((5, 0)))


def test_a_game_s_log_tells_what_the_club_decided(club: Club) -> None:
    played = at_club.night(at_club.season(club), 1, ["Chitra", "Ben"], [0, 20])
    chitra = owner_of(club)
    doubt = {"game": played.game.slug, "round": 1, "seat": 2, "points": 30, "reason": "20 or 30?"}
    chitra.done("POST", "doubts/", doubt)
    chitra.done("POST", "doubts/1/decide/", {"stands": False, "reason": "Two saw it"})
    entry = chitra.read(f"/games/{played.game.slug}/log/")["entries"][-1]
    assert (entry["action"], entry["round"], entry["who"], entry["reason"]) == (
        "decided",
        1,
        "Chitra",
        "Two saw it",
    )
    assert [(one["field"], one["from"], one["to"]) for one in entry["changes"]] == [
        ("points", 20, 30),
        ("score", 20, 30),
    ]
