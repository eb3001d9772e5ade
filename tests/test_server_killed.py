"""The server is killed while four scorers write, and answers are lost after they were given.

The whole process group gets SIGKILL at a random moment, again and again; the phones send the same call with
the same Idempotency-Key until they are answered. A failure prints the seed of the moments; `SEED=7` in the
environment repeats them.
"""

from __future__ import annotations

import http.client
import os
import random
import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from pathlib import Path
from threading import Event, Lock
from typing import Any

import pytest
from django.db import connection

from tests.site import Site

SCORERS = 4
PLAYERS = ("Ann", "Ben", "Cho")
ROUNDS = 13
SEED = int(os.environ.get("SEED", "0")) or random.SystemRandom().randrange(1, 10**6)


def fresh_database(folder: Path) -> Iterator[str]:
    """An empty database of the kind that this run is on; its address."""
    if connection.vendor == "sqlite":
        yield f"sqlite:///{folder / 'killed.sqlite3'}"
        return
    import psycopg

    given = connection.get_connection_params()
    about = {name: given[name] for name in ("host", "port", "user", "password") if given.get(name)}
    name = f"killed_{os.getpid()}_{SEED}"
    with psycopg.connect(dbname="postgres", autocommit=True, **about) as server:
        server.execute(f'CREATE DATABASE "{name}"')
        try:
            password = f":{about['password']}" if "password" in about else ""
            host = about.get("host", "")
            at = (
                f"/{name}?host={host}" if host.startswith("/") else f"{host}:{about.get('port', 5432)}/{name}"
            )
            yield f"postgresql://{about['user']}{password}@{at}"
        finally:
            server.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    for url in fresh_database(tmp_path_factory.mktemp("killed")):
        site = Site(url)
        try:
            site.migrate()
            site.start()
            yield site
        finally:
            site.kill()


@dataclass
class Table:
    """The game being written, and what was acknowledged of it: reason → (version, round, points)."""

    slug: str
    key: str
    acknowledged: dict[str, tuple[int, int, list[int]]] = field(default_factory=dict)
    refused: set[str] = field(default_factory=set)


class Evening:
    """Games one after the other; four scorers write the one that is on."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.over = Event()
        self.lock = Lock()
        self.name = secrets.token_hex(8)
        self.numbers = count(1)
        self.tables: list[Table] = []
        self.resent = 0

    def until_answered(self, method: str, path: str, body: Any, **headers: str) -> tuple[int, Any]:
        """Send the call, and the same again while the server is away."""
        for _try in range(2_000):
            try:
                return self.site.call(method, path, body, **headers)
            except (OSError, http.client.HTTPException, ValueError):
                self.resent += 1
                time.sleep(0.02)
        raise AssertionError("the server stayed away")

    def begin(self) -> Table:
        key = f"{self.name} {next(self.numbers):020}"
        status, game = self.until_answered(
            "POST", "/api/games/", {"players": list(PLAYERS)}, Idempotency_Key=key
        )
        assert status == 201, game
        self.tables.append(Table(game["id"], game["scorer_key"]))
        return self.tables[-1]

    def write(self, chance: random.Random) -> None:
        """Until the evening is over: enter the next round, or correct one; no two writes are alike."""
        while not self.over.is_set():
            with self.lock:
                table, number = self.tables[-1], next(self.numbers)
            key = {"Authorization": f"Bearer {table.key}"}
            _status, game = self.until_answered("GET", f"/api/games/{table.slug}/", None, **key)
            rounds = len(game["rounds"])
            if rounds == ROUNDS:
                with self.lock:
                    if table is self.tables[-1]:
                        self.begin()
                continue
            new = not rounds or chance.random() < 0.4
            at = rounds + 1 if new else chance.randint(1, rounds)
            points = [0, 20 + number % 80, 20 + number // 80 % 80]
            reason = f"write {number}"
            body = {
                "ended": "out",
                "hands": [{"seat": seat, "points": left} for seat, left in enumerate(points, 1)],
                "reason": reason,
            }
            once = {"Idempotency_Key": f"{reason:>30}".replace(" ", "-")}
            only_new = {"If_None_Match": "*"} if new else {}
            path = f"/api/games/{table.slug}/rounds/{at}/"
            status, answer = self.until_answered("PUT", path, body, **key, **once, **only_new)
            if status in (200, 201):
                table.acknowledged[reason] = (answer["version"], at, points)
            else:
                assert (status, answer["code"]) == (409, "conflict"), answer
                table.refused.add(reason)

    def acknowledged(self) -> int:
        return sum(len(table.acknowledged) for table in self.tables)

    def look(self, table: Table) -> tuple[Any, Any]:
        key = {"Authorization": f"Bearer {table.key}"}
        _status, game = self.until_answered("GET", f"/api/games/{table.slug}/", None, **key)
        _status, log = self.until_answered("GET", f"/api/games/{table.slug}/log/", None, **key)
        return game, log


@dataclass
class Found:
    missing: int = 0
    doubled: int = 0
    half: int = 0


def judge(table: Table, game: Any, log: Any) -> Found:
    """What was acknowledged against what is there."""
    found = Found()
    entries = {entry["reason"]: entry for entry in log["entries"] if entry["reason"]}
    written = Counter(entry["reason"] for entry in log["entries"] if entry["reason"])
    found.doubled += sum(times - 1 for times in written.values())
    found.missing += len(table.acknowledged.keys() - entries.keys())
    for reason in table.refused & entries.keys():
        raise AssertionError(f"{reason} was refused and is in the log")
    for reason, (version, number, points) in table.acknowledged.items():
        entry = entries.get(reason)
        if entry is None:
            continue
        told = {change["seat"]: change["to"] for change in entry["changes"] if change["field"] == "points"}
        same = all(points[seat - 1] == to for seat, to in told.items())
        found.missing += (entry["version"], entry["round"], same) != (version, number, True)
    # The last change of each round is what the round is.
    last: dict[int, list[int]] = {}
    for entry in log["entries"]:
        if entry["reason"] in table.acknowledged:
            last[entry["round"]] = table.acknowledged[entry["reason"]][2]
    for one in game["rounds"]:
        hands = one["hands"]
        whole = [hand["points"] for hand in hands] == [hand["score"] for hand in hands] == last[one["number"]]
        found.half += not (whole and len(hands) == len(PLAYERS))
    found.missing += len(last) - len(game["rounds"])
    numbers = [entry["version"] for entry in log["entries"]]
    found.half += numbers != list(range(1, game["version"] + 1))
    for row in game["standings"]:
        found.half += row["total"] != sum(points[row["seat"] - 1] for points in last.values())
    return found


@pytest.mark.long
def test_the_server_is_killed_while_four_scorers_write(
    site: Site, size: Callable[[int, int], int], figures: Callable[..., None]
) -> None:
    chance = random.Random(SEED)
    evening = Evening(site)
    evening.begin()
    kills = size(2, 50)

    with ThreadPoolExecutor(SCORERS) as pool:
        scorers = [pool.submit(evening.write, random.Random(f"{SEED} {one}")) for one in range(SCORERS)]
        try:
            for kill in range(kills + 1):
                wanted = evening.acknowledged() + chance.randint(1, 8)
                while evening.acknowledged() < wanted and not any(one.done() for one in scorers):
                    time.sleep(0.01)
                time.sleep(chance.uniform(0, 0.05))
                if kill < kills:
                    site.kill()
                    site.start()
        finally:
            evening.over.set()
        for scorer in scorers:
            scorer.result(timeout=100)

    found = [judge(table, *evening.look(table)) for table in evening.tables]
    missing, doubled, half = (sum(getattr(one, name) for one in found) for name in Found.__annotations__)
    acknowledged = evening.acknowledged()
    figures(
        kills=kills,
        acknowledged=acknowledged,
        sent_again=evening.resent,
        missing=missing,
        doubled=doubled,
        half_written=half,
    )
    assert (missing, doubled, half) == (0, 0, 0), f"SEED={SEED}"
    assert acknowledged > kills


@pytest.mark.long
def test_a_lost_answer_and_the_same_call_again_write_once(
    site: Site, size: Callable[[int, int], int], figures: Callable[..., None]
) -> None:
    """Every other phone hangs up when the write can be seen; the others at any moment, before it or after."""
    chance = random.Random(SEED)
    evening = Evening(site)
    resends = size(10, 200)
    late = 0
    for number in range(resends):
        if number % ROUNDS == 0:
            table = evening.begin()
        key = {"Authorization": f"Bearer {table.key}", "Idempotency_Key": f"{evening.name} lost {number:020}"}
        path = f"/api/games/{table.slug}/rounds/{number % ROUNDS + 1}/"
        points = [0, 20 + number % 80, 50]
        body = {
            "hands": [{"seat": seat, "points": left} for seat, left in enumerate(points, 1)],
            "ended": "out",
            "reason": f"write {number}",
        }

        def written(table: Table = table, rounds: int = number % ROUNDS + 1) -> bool:
            return len(evening.look(table)[0]["rounds"]) == rounds

        def until_written(written: Callable[[], bool] = written) -> None:
            while not written():
                time.sleep(0.01)

        moment = chance.choice((0, 0.005, 0.02, 0.05))
        site.drop("PUT", path, body, partial(time.sleep, moment) if number % 2 else until_written, **key)
        late += written()
        status, answer = site.call("PUT", path, body, **key)
        assert status == 201, (f"SEED={SEED}", answer)
        table.acknowledged[f"write {number}"] = (answer["version"], number % ROUNDS + 1, points)

    found = [judge(table, *evening.look(table)) for table in evening.tables]
    missing, doubled, half = (sum(getattr(one, name) for one in found) for name in Found.__annotations__)
    figures(sent_again=resends, committed_before=late, lost=missing, doubled=doubled, half_written=half)
    assert (missing, doubled, half) == (0, 0, 0), f"SEED={SEED}"
    assert late >= resends // 2
