"""What a season's table costs in a small database and in a large one, and what keeping it costs a round.

Each of SQLite and PostgreSQL gets two databases of its own: one club's season of some 10,000 round scores
alone, and the same among a hundred. Its page is asked of two servers in turn, as `make run` starts them. Then
scores are corrected in the large one, in turn in a finished game of the season and in one of the same size
that is at no club. Prints ratios, and fails where one misses its aim. Each is of the fastest tenth on both
sides: what a busy machine adds comes on top, and not evenly.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.bench.http import Target, _Connection, _environment, _server

SMALL, LARGE = 1, 97  # clubs
TURNS, ASKED = 25, 8  # of each page and database; requests a turn, the first of them to warm up
PAIRS = 100  # corrections of each kind
FLAT, ON_SQLITE, ON_POSTGRES = 1.3, 8.0, 4.0


def main() -> None:
    missed = []
    with tempfile.TemporaryDirectory(prefix="scorekeeper-bench-") as name:
        folder = Path(name)
        with _postgres() as made:
            for database, most, urls in (
                ("SQLite", ON_SQLITE, [f"sqlite:///{folder / size}.sqlite3" for size in ("small", "large")]),
                ("PostgreSQL", ON_POSTGRES, [made(size) for size in ("small", "large")]),
            ):
                missed += _one(database, most, urls, folder)
    if missed:
        raise SystemExit(f"  missed: {', '.join(missed)}")


def _one(database: str, most: float, urls: list[str], folder: Path) -> list[str]:
    """Measure one database, and say what missed its aim."""
    environments = [_environment(folder) | {"DATABASE_URL": url} for url in urls]
    facts = []
    for environment, clubs in zip(environments, (SMALL, LARGE), strict=True):
        begun = time.perf_counter()
        facts.append(_run(environment, f"prepare({clubs})"))
        if clubs == LARGE:
            print(
                f"  {database}: {facts[0]['scores']:,} round scores against {facts[1]['scores']:,}, "
                f"filled in {time.perf_counter() - begun:.0f} s"
            )
    missed = []
    with _server(environments[0]) as small, _server(environments[1]) as large:
        for page, ratio, milliseconds in _pages([(small, facts[0]), (large, facts[1])]):
            aim = "" if page != "table" else f" (aim: at most {FLAT})"
            print(f"  {database}, {page}: {ratio:.2f}{aim}; {milliseconds:.0f} ms in the large one")
            if page == "table" and ratio > FLAT:
                missed.append(f"{database}, {page}")
    written = _run(environments[1], "corrections()")
    for kind, ratio in written["ratios"].items():
        aim = "" if kind != "in a finished game" else f" (aim: at most {most:g})"
        print(
            f"  {database}, a correction {kind} of the season: {ratio:.2f} times one at no club, "
            f"which takes {written['alone']:.0f} ms{aim}"
        )
        if aim and ratio > most:
            missed.append(f"{database}, a correction {kind}")
    return missed


def _run(environment: dict[str, str], call: str) -> dict[str, Any]:
    """What a function of this module prints, called in a process of its own."""
    command = [sys.executable, "-c", f"from tests.bench import season; season.{call}"]
    answer = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE).stdout
    found: dict[str, Any] = json.loads(answer)
    return found


def prepare(clubs: int) -> None:
    import django

    django.setup()
    from django.core.management import call_command
    from django.urls import reverse

    from tests.bench import _clubs

    call_command("migrate", interactive=False, verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    scores = _clubs.fill(clubs)
    season, _, _ = _clubs.measured()
    row = season.standings.select_related("member")[_clubs.MEMBERS // 2]
    path = reverse("season", args=[season.club.slug, season.number])
    pages = {
        "table": path,
        "table with a row opened": f"{path}?row={row.member.number}",
        "table as of a day": f"{path}?on=2026-04-01",
        "club’s first page": reverse("club", args=[season.club.slug]),
    }
    print(json.dumps({"scores": scores, "pages": pages}))


def _pages(servers: list[tuple[int, dict[str, Any]]]) -> Iterator[tuple[str, float, float]]:
    """(page, what it costs in the large database where it costs 1 in the small one, milliseconds there)."""
    for page in servers[0][1]["pages"]:
        connections = []
        for port, facts in servers:
            target = Target(page, facts["pages"][page], (), 200, 1)
            connections.append(_Connection(port, target))
        times: list[list[float]] = [[], []]
        for _turn in range(TURNS):
            for of, connection in zip(times, connections, strict=True):
                connection.close()  # a new one may reach the other process
                for asked in range(ASKED):
                    begun = time.perf_counter()
                    connection.many(iter((1,)), 200)
                    if asked:
                        of.append(time.perf_counter() - begun)
        small, large = map(_fast, times)
        yield page, large / small, large * 1000


def _fast(times: list[float]) -> float:
    return statistics.quantiles(times, n=10)[0]


def corrections() -> None:
    """In a process of its own: what a correction costs at a club, in one run with one that is at none."""
    import django

    django.setup()
    from games.models import ClubGame, Game, Result, Standing
    from games.services import round_put
    from tests.bench import _clubs
    from tests.cast import claim

    season, finished, alone = _clubs.measured()
    played = ClubGame.objects.filter(night__season=season).exclude(game=finished).order_by("-pk")[0].game
    Game.objects.filter(pk=played.pk).update(status="playing")
    played.rounds.filter(number=_clubs.ROUNDS).delete()
    Result.objects.filter(club_game__game=played).delete()

    def correct(game: Game, at: int) -> float:
        points = [(11 * seat + 7 * at) % 59 + 1 for seat in range(_clubs.SEATS)]
        points[at % _clubs.SEATS] = 0
        engine = game.rounds.get(number=5).engine
        begun = time.perf_counter()
        round_put(game=game, number=5, claim=claim(points, engine=engine))
        return time.perf_counter() - begun

    games = {"alone": alone, "in a finished game": finished, "in a game still played": played}
    times: dict[str, list[float]] = {kind: [] for kind in games}
    before = dict(Standing.objects.filter(season=season).values_list("member", "data"))
    for at in range(PAIRS):
        for kind in list(games) if at % 2 else reversed(games):
            times[kind].append(correct(games[kind], at))
    if before == dict(Standing.objects.filter(season=season).values_list("member", "data")):
        raise SystemExit("  the corrections have changed no row of the table")
    alone_takes = _fast(times.pop("alone"))
    ratios = {kind: _fast(some) / alone_takes for kind, some in times.items()}
    print(json.dumps({"alone": alone_takes * 1000, "ratios": ratios}))


@contextmanager
def _postgres() -> Iterator[Any]:
    """A server of its own; a call makes a database there and gives its address."""
    import psycopg

    from tests import postgres

    url = postgres._start()

    def made(name: str) -> str:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}"')
        return url.replace("/postgres?", f"/{name}?")

    try:
        yield made
    finally:
        postgres.pytest_unconfigure()
