"""Random games as tables play them: dealt hands, corrections, undo, disputes, an early end."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from games.attached import record_of_round
from games.disputes import challenge_add, challenge_rule, score_decide
from games.engine.record import print_record
from games.engine.rules import PRESETS, rule_set
from games.engine.scoring import HandClaim, RoundClaim
from games.engine.tiles import Tile, tiles_of
from games.models import Game, Role, Ruling
from games.removal import game_abandon, game_delete, game_restore
from games.round_records import record_attach, record_remove, record_take_scores
from games.seats import hand_put, round_confirm
from games.selectors import STARTS, Sheet, log_of, sheet_of
from games.services import (
    Refused,
    Setup,
    adjustment_add,
    adjustment_remove,
    change_redo,
    change_undo,
    game_finish,
    game_set_up_anew,
    game_start,
    link_replace,
    player_add,
    player_change,
    round_put,
    round_remove,
)
from tests.cast import FOURTEEN
from tests.engine.rounds import random_round

WHO = ("", "Ruth", "Ben’s phone")


def random_game(chance: random.Random) -> Game:
    """A game of up to 30 changes of every kind, as `chance` has them."""
    game = game_start(setup=_setup(chance), who=chance.choice(WHO)).sheet.game
    for _step in range(chance.randint(0, 30)):
        _change(game, chance)
    game.refresh_from_db()
    return game


def _setup(chance: random.Random) -> Setup:
    rules: dict[str, Any] = {"max_pip": chance.choice([9, 12, 15, 18])}
    options: dict[str, list[Any]] = {
        "double_blank": [0, 25, 50],
        "scoring": ["penalty", "penalty", "positive"],
        "left_counts": ["pips", "pips", "tiles"],
        "engine_order": ["descending", "any_unused"],
        "blocked_cap": [False, True],
        "out_bonus": [0, 10],
        "open_marker": [0, 5],
        "blank_half": [0, 0, 5],
        "doubles_twice": [False, False, True],
        "first_turn_out": ["immediate", "finish_turn_one"],
        "tiebreaks": [("zero_rounds", "lowest_nonzero"), ("lowest_nonzero",), ()],
    }
    for name, values in options.items():
        rules[name] = chance.choice(values)
    players = chance.sample(FOURTEEN, chance.randint(2, 8))
    return Setup(
        players=players,
        rules=rule_set(chance.choice(list(PRESETS)), **rules),
        rounds=chance.randint(1, 6),
        name=chance.choice(["", "Friday at Ruth’s", "=1+1 <b>"]),
        second_person=chance.random() < 0.5,
    )


def _change(game: Game, chance: random.Random) -> None:
    sheet = sheet_of(Game.objects.get(pk=game.pk))
    who = chance.choice(WHO)
    at = len(sheet.rounds)
    what = chance.choice(
        ["put"] * 5
        + ["correct", "correct", "undo", "undo", "redo", "redo", "remove", "finish", "anew", "anew", "link"]
        + ["over", "over", "over", "finish", "confirm", "confirm", "told"]
        + ["people"] * 4
        + ["dispute"] * 5
        + ["record"] * 5
    )
    try:
        if what == "undo" and log_of(game).undo:
            change_undo(game=game, who=who)
        elif what == "redo" and log_of(game).redo:
            change_redo(game=game, who=who)
        elif what == "remove" and at:
            round_remove(game=game, number=at, who=who)
        elif what == "finish" and at:
            game_finish(game=game, who=who)
        elif what == "anew" and not at:
            game_set_up_anew(game=game, setup=_setup(chance), who=who)
        elif what in ("over", "people", "dispute", "confirm", "told", "record"):
            _other_change(what, game, sheet, chance, who)
        elif what == "link":
            link_replace(game=game, role=chance.choice(list(Role)), who=who)
        elif what == "correct" and at:
            _put(game, chance.randint(1, at), chance, who)
        elif sheet.next_number:
            _put(game, sheet.next_number, chance, who)
    except Refused:  # not every hand of chance can be; the game is as it was
        pass


def _other_change(what: str, game: Game, sheet: Sheet, chance: random.Random, who: str) -> None:
    if what == "over":
        _over(game, chance, who)
    elif what == "people":
        _people(game, sheet, chance, who)
    elif what in ("confirm", "told"):
        _phones(game, sheet, chance, what, who)
    elif what == "record":
        _record(game, sheet, chance, who)
    elif sheet.rounds:
        _dispute(game, sheet, chance, who)


def _record(game: Game, sheet: Sheet, chance: random.Random, who: str) -> None:
    """A record of a round as it might be played: attached, taken off, its scores taken over."""
    number = chance.randint(1, min(len(sheet.rounds) + 1, sheet.game.round_count))
    if sheet.round(number) and chance.random() < 0.3:
        record_remove(game=game, number=number, who=who)
        return
    head = record_of_round(sheet, number, deal=2)
    assert head is not None
    rules = replace(head.rules, deal=None)
    found, _blocked = random_round(chance, rules, len(head.players), 2, engine=head.engine)
    text = print_record(replace(found, players=head.players, names=head.names))
    if chance.random() < 0.5:
        record_take_scores(game=game, number=number, text=text, reason="By the record", who=who)
    else:
        record_attach(game=game, number=number, text=text, who=who)


def _dispute(game: Game, sheet: Sheet, chance: random.Random, who: str) -> None:
    entry = chance.choice(sheet.rounds)
    if chance.random() < 0.1:
        seat, points = chance.choice(list(entry.hands)), chance.choice([None, 5, 18])
        score_decide(game=game, number=entry.number, seat=seat, points=points, reason="Two saw it", who=who)
        return None
    if sheet.challenges and chance.random() < 0.6:
        return _rule(game, sheet, chance, who)
    challenge_add(
        game=game,
        number=entry.number,
        seat=chance.choice(list(entry.hands)),
        points=chance.choice([None, None, 0, 7, 21]),
        reason="“read out wrong”",
        role=chance.choice(list(Role)),
        who=who,
    )
    return None


def _rule(game: Game, sheet: Sheet, chance: random.Random, who: str) -> None:
    number = chance.choice([one.number for one in sheet.pending or sheet.challenges])
    upheld = chance.random() < 0.7
    points = chance.choice([None, 3, 14]) if upheld else None
    ruling = Ruling.UPHELD if upheld else Ruling.DISMISSED
    disputed = chance.random() < 0.3
    challenge_rule(
        game=game, number=number, ruling=ruling, points=points, reason="I saw it", disputed=disputed, who=who
    )


def _over(game: Game, chance: random.Random, who: str) -> None:
    """Deleted and brought back, or abandoned, and perhaps taken up again."""
    if chance.random() < 0.3:
        game_delete(game=game, who=who)
        game_restore(game=game, who=who)
        return
    game_abandon(game=game, who=who)
    if chance.random() < 0.7:
        game_restore(game=game, who=who)


def _phones(game: Game, sheet: Sheet, chance: random.Random, what: str, who: str) -> None:
    if what == "confirm" and sheet.rounds:
        round_confirm(game=game, number=chance.randint(1, len(sheet.rounds)), who=who)
    elif sheet.next_number:
        seat = chance.choice(sheet.seats(sheet.next_number))
        hand_put(game=game, number=None, claim=HandClaim(seat, points=chance.randint(1, 40)))


def _people(game: Game, sheet: Sheet, chance: random.Random, who: str) -> None:
    what = chance.choice(["add", "rename", "order", "retire", "back", "adjust", "adjust", "gone", "gone"])
    seat = chance.choice([player.seat for player in sheet.players])
    game = Game.objects.get(pk=game.pk)
    if what == "add":
        player_add(
            game=game,
            name=f"New {chance.randint(1, 999)}",
            start=chance.choice(STARTS),
            order=chance.choice([None, 1, 2]),
            who=who,
        )
    elif what == "rename":
        player_change(game=game, seat=seat, name=f"Name {chance.randint(1, 999)}", who=who)
    elif what == "order":
        player_change(game=game, seat=seat, order=chance.randint(1, 5), who=who)
    elif what == "retire":
        player_change(game=game, seat=seat, retired=True, who=who)
    elif what == "back":
        player_change(game=game, seat=seat, retired=False, who=who)
    elif what == "adjust":
        adjustment_add(game=game, seat=seat, points=chance.choice([-10, 25]), reason="late", who=who)
    else:
        given = [(player.seat, one["number"]) for player in sheet.players for one in player.adjustments]
        if given:
            seat, number = chance.choice(given)
            adjustment_remove(game=game, seat=seat, number=number, who=who)


def _put(game: Game, number: int, chance: random.Random, who: str) -> None:
    sheet = sheet_of(Game.objects.get(pk=game.pk))
    there = sheet.round(number)
    engine = there.engine if there else sheet.next_engine
    assert engine is not None
    tiles = [tile for tile in tiles_of(sheet.rules.max_pip) if tile != Tile(engine, engine)]
    chance.shuffle(tiles)
    blocked = chance.random() < 0.15
    winner = None if blocked else chance.choice(sheet.seats(number))
    told = sheet.rules.blank_half or sheet.rules.doubles_twice or chance.random() < 0.4
    disputed = chance.random() < 0.15
    hands = []
    for seat in sheet.seats(number):
        held = tuple(str(tiles.pop()) for _ in range(chance.randint(1, 4)))
        marker = bool(sheet.rules.open_marker) and chance.random() < 0.3
        if seat == winner:
            hands.append(HandClaim(seat, points=0, marker=marker))
        elif told and not disputed:
            hands.append(HandClaim(seat, tiles=held, marker=marker))
        else:  # as disputed rounds are: numbers that may be no hands of one set
            points = chance.choice([1, 1, 2, 400]) if disputed else chance.randint(1, 60)
            if sheet.rules.left_counts == "tiles":
                points = chance.randint(1, 6)
            hands.append(HandClaim(seat, points=points, marker=marker))
    claim = RoundClaim(engine, "blocked" if blocked else "out", tuple(hands))
    round_put(
        game=game,
        number=number,
        claim=claim,
        disputed=disputed,
        reason="we could not agree" if disputed else chance.choice(["", "a slip"]),
        who=who,
    )
