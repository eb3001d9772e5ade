"""Replaying rounds beside python-chess, both in the same run: each action judged, text read, random play.

An action is a tile, a draw or a pass; what is written of markers is checked too, and not counted. It is held
against a ply that is asked `board.is_legal(move)` and then pushed. Rounds: four players, double-12, played by
chance under the four presets, and the legal records of tests/engine/cases, which are short, so that what a
record costs once weighs more there. With hidden hands a replay also searches for a deal that explains it all:
printed, without an aim. Games of chess are made by python-chess by chance. Its reader of PGN checks each move
too, so it is held against reading a record and replaying it; no text is read twice, since a reader remembers
turns. Times are CPU time without the collector of garbage, as `timeit` has them, the best of several turns in
which all sides alternate and work about equally long.
"""

from __future__ import annotations

import gc
import gzip
import io
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from time import process_time

import chess
import chess.pgn

from games.engine.moves import Draw, Lay, Pass
from games.engine.reading import parse_record
from games.engine.record import Record, print_record
from games.engine.replay import replay
from games.engine.round import apply, legal_moves, start_round
from games.engine.rules import PRESETS
from games.engine.tiles import tiles_of
from tests.engine.rounds import random_round

CASES = Path(__file__).parents[1] / "engine" / "cases" / "records.jsonl.gz"
GAMES, ROUNDS, TURNS, SEED = 20, 20, 50, 12
AGAIN = 8  # rounds are replayed so often in a turn, and so many times as many are read
REPLAY, READ = 8.0, 5.0


def _cases(*, known: bool) -> list[str]:
    with gzip.open(CASES, "rt", encoding="utf-8") as file:
        found = [json.loads(line) for line in file]
    return [one["record"] for one in found if one["verdict"] == "legal" and (one["mode"] == "known") == known]


def _rounds(dice: Random, count: int) -> list[str]:
    """Whole rounds of four with the double-12 set, read from text like any other."""
    texts: list[str] = []
    while len(texts) < count:
        rules = replace(dice.choice(list(PRESETS.values())), max_pip=12)
        record, _ = random_round(dice, rules, 4, 15)
        if record.ended == "out":
            texts.append(print_record(record))
    return texts


def _actions(records: Sequence[Record]) -> int:
    return sum(
        isinstance(one, Lay | Draw | Pass) for r in records for turn in r.turns for one in turn.actions
    )


def _chess(dice: Random) -> tuple[list[list[chess.Move]], int]:
    """Games by chance, and how many plies they have."""
    games = []
    for _ in range(GAMES):
        board = chess.Board()
        while not board.is_game_over() and len(board.move_stack) < 150:
            board.push(dice.choice(list(board.legal_moves)))
        games.append(list(board.move_stack))
    return games, sum(map(len, games))


def _judged(games: Sequence[Sequence[chess.Move]]) -> None:
    for game in games:
        board = chess.Board()
        for move in game:
            if not board.is_legal(move):
                raise SystemExit(f"python-chess refuses its own {move}")
            board.push(move)


def _pgn(game: Sequence[chess.Move]) -> str:
    board = chess.Board()
    for move in game:
        board.push(move)
    return str(chess.pgn.Game.from_board(board))


def _read(texts: Sequence[str]) -> None:
    for text in texts:
        game = chess.pgn.read_game(io.StringIO(text))
        if game is None or game.errors:
            raise SystemExit("python-chess cannot read its own game")


def _played(dice: Random) -> int:
    """One round of four through the public door: how many actions."""
    tiles = list(tiles_of(12))
    dice.shuffle(tiles)
    tiles = [tile for tile in tiles if not tile.low == tile.high == 12]
    hands = {player: [tiles.pop() for _ in range(15)] for player in "ABCD"}
    state = start_round(PRESETS["gamerules"], "ABCD", engine=12, hands=hands)
    done = 0
    while not state.is_over and done < 400:
        move = dice.choice(legal_moves(state))
        state = apply(state, Draw.of(tiles.pop()) if isinstance(move, Draw) else move)
        done += 1
    return done


def _took(does: Callable[[], object]) -> float:
    gc.collect()
    gc.disable()
    begun = process_time()
    does()
    took = process_time() - begun
    gc.enable()
    return took


def _best(*sides: Callable[[], object]) -> list[float]:
    """The least seconds of each, the sides taking turns."""
    times = [[_took(side) for side in sides] for _ in range(TURNS)]
    return [min(side) for side in zip(*times, strict=True)]


def _replayed(records: Sequence[Record]) -> None:
    for _ in range(AGAIN):
        for record in records:
            replay(record)


def _whole(texts: Sequence[str]) -> None:
    """As many at a time as there are games."""
    for at in range(0, len(texts), GAMES):
        for record in [parse_record(text) for text in texts[at : at + GAMES]]:
            replay(record)


def _told(what: str, mine: float, other: float, aim: float | None) -> str | None:
    """Print seconds an action beside seconds a ply; what, if the aim is missed."""
    ratio = other / mine
    missed = aim is not None and ratio < aim
    note = "" if aim is None else f" (aim: {aim:g}, {'missed' if missed else 'holds'})"
    print(
        f"  {what}: {1e6 * mine:.2f} µs an action, {1e6 * other:.2f} a ply: {ratio:.1f} times as fast{note}"
    )
    return what if missed else None


def main() -> None:
    """Print microseconds an action and a ply, and their ratio; fail where an aim is missed."""
    dice = Random(SEED)
    games, plies = _chess(dice)
    print(f"python-chess {chess.__version__}: {len(games)} games, {plies} plies")
    missed = []
    for name, written, aim in (
        ("rounds of four, double-12, hands known", _rounds(dice, ROUNDS), REPLAY),
        ("short rounds of the cases, hands known", _cases(known=True), None),
        ("short rounds of the cases, tiles hidden", _cases(known=False), None),
    ):
        records = [parse_record(text) for text in written]
        actions = _actions(records)
        print(f"{name}: {len(records)}, {actions} actions")
        replayed, pushed = _best(lambda records=records: _replayed(records), lambda: _judged(games))  # type: ignore[misc]
        missed.append(_told("replayed", replayed / AGAIN / actions, pushed / plies, aim))

    texts = [_pgn(game) for game in games]
    reads, others = [], []
    for _ in range(TURNS):
        unread = _rounds(dice, AGAIN * ROUNDS)
        took = _took(lambda: _whole(unread))  # noqa: B023 - called at once
        reads.append(took / _actions([parse_record(text) for text in unread]))
        others.append(_took(lambda: _read(texts)) / plies)
    print(f"rounds of four, double-12, never read before: {TURNS} times {AGAIN * ROUNDS}")
    missed.append(_told("text read and replayed", min(reads), min(others), READ))

    done = sum(_played(Random(seed)) for seed in range(5))
    play, chance = _best(lambda: [_played(Random(seed)) for seed in range(5)], lambda: _chess(Random(SEED)))
    print("random play through the public door; python-chess with the end of the game looked for")
    _told("played", play / done, chance / plies, None)
    if any(missed):
        raise SystemExit(f"  missed: {', '.join(filter(None, missed))}")


if __name__ == "__main__":
    main()
