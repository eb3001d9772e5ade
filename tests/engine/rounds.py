"""Random rounds: any mix of rules, played by chance through the engine's own door, then hidden or broken.

Everything follows from the `Random` that is given.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

from games.engine.hands import Hand, tile_points
from games.engine.moments import state_after
from games.engine.moves import Action, Draw, Lay, Marker, Pass, Say
from games.engine.record import Count, Left, Record, Score, Told, Turn
from games.engine.round import RoundState, apply, legal_moves, start_round, why_illegal
from games.engine.rules import FIELDS, PRESETS, RuleSet
from games.engine.scoring import score_round
from games.engine.suits import BIT, tile_number
from games.engine.tiles import SETS, Tile, tiles_of

MIXED = [name for name in FIELDS if name not in ("max_pip", "deal", "engine_order", "tiebreaks")]


def random_rules(rng: Random, max_pip: int, *, mix: bool = True) -> RuleSet:
    """A preset, with every field thrown anew where `mix`."""
    rules = rng.choice(list(PRESETS.values()))
    fields: dict[str, Any] = {"max_pip": max_pip}
    if mix:
        fields |= {name: rng.choice(FIELDS[name].choices or (0, 0, 10)) for name in MIXED}
    return replace(rules, **fields)


def random_round(
    rng: Random,
    rules: RuleSet,
    players: int,
    deal: int,
    *,
    most: int | None = None,
    engine: int | None = None,
) -> tuple[Record, bool]:
    """A legal round of at most `most` turns, every tile shown, and whether hidden hands may call it blocked.

    The hands, the boneyard's order, the looking for the engine and every choice are left to chance.
    """
    ids = tuple("ABCDEFGHIJKLNO"[:players])
    tiles = list(tiles_of(rules.max_pip))
    rng.shuffle(tiles)
    engine = rng.randint(0, rules.max_pip) if engine is None else engine
    double = Tile(engine, engine)
    layer = None
    seek = [0] * players
    if rules.engine == "set_aside":
        tiles.remove(double)
    hands = [[tiles.pop() for _ in range(deal)] for _ in ids]
    if rules.engine == "dealt":
        holders = [at for at, hand in enumerate(hands) if double in hand]
        if not holders and rng.random() < 0.3:
            tiles.remove(double)
        elif not holders:
            at = rng.randrange(players)
            while double not in hands[at]:
                at = (at + 1) % players
                hands[at].append(tiles.pop())
                seek[at] += 1
            holders = [at]
        layer = ids[holders[0]] if holders else None
    start = layer if layer and rules.starter == "engine_player" else rng.choice(ids)
    state = start_round(
        rules,
        ids,
        engine=engine,
        hands=dict(zip(ids, hands, strict=True)),
        deal=deal,
        start=start,
        layer=layer,
        seek=dict(zip(ids, seek, strict=True)),
    )
    record = Record(
        rules=rules,
        players=ids,
        names=(None,) * players,
        deal=deal,
        engine=engine,
        layer=layer,
        start=start,
        seek=tuple(seek),
        hands=tuple(sum(BIT[tile_number(tile.high, tile.low)] for tile in hand) for hand in hands),
        turns=(),
    )
    return _play(rng, record, state, tiles, most)


def _play(
    rng: Random, record: Record, state: RoundState, tiles: list[Tile], most: int | None
) -> tuple[Record, bool]:
    turns: list[Turn] = []
    after_block = rng.choice((0, 2 * len(record.players)))
    passed = 0
    while not state.is_over and (most is None or len(turns) < most):
        if state.is_blocked:
            if passed >= after_block:
                record = replace(record, ended="blocked")
                break
            passed += 1
        turn, state = _turn(rng, state, tiles)
        turns.append(turn)
    if state.is_over:
        record = replace(record, ended="out", out=state.out)
    record = replace(record, turns=tuple(turns))
    if record.ended and rng.random() < 0.7:
        record = replace(record, told=tuple(_told(rng, record, state)))
    return record, record.ended != "blocked" or passed > 0


def _turn(rng: Random, state: RoundState, tiles: list[Tile]) -> tuple[Turn, RoundState]:
    player = state.player
    assert player is not None
    was = player in state.marked
    number = state.turn
    actions: list[Action] = []
    keep = rng.random() < 0.3
    own = False
    while state.turn == number and not state.is_over:
        move = rng.choice(legal_moves(state))
        if isinstance(move, Draw):
            move = Draw.of(tiles.pop())
        own = own or (isinstance(move, Lay) and move.train == player)
        actions.append(move)
        state = apply(state, move, keep_marker=keep)
    on = player in state.marked
    chosen = was and on and own and state.rules.marker_off == "optional"
    if chosen or rng.random() < 0.3:
        actions.append(Marker(on))
    if rng.random() < 0.1:
        actions.append(Say())
    return Turn(player, tuple(actions)), state


def _told(rng: Random, record: Record, state: RoundState) -> list[Told]:
    told: list[Told] = []
    rules = record.rules
    hands = []
    for seat, player in enumerate(record.players):
        tiles = state.hand(player)
        bare = sum(tile_points(tile, rules) for tile in tiles)
        out = record.ended == "out" and player in state.out
        hands.append(Hand(seat, bare, tiles=tiles, out=out, marker=player in state.marked))
        if tiles and rng.random() < 0.5:
            told.append(Left(player, tuple(tile_number(tile.high, tile.low) for tile in tiles)))
    if rng.random() < 0.5:
        told += [Count(player, state.count(player)) for player in record.players if rng.random() < 0.8]
    assert record.ended is not None
    if rng.random() < 0.7:
        points = score_round(hands, rules=rules, ended=record.ended)
        told += [
            Score(player, points[seat]) for seat, player in enumerate(record.players) if rng.random() < 0.8
        ]
    return told


def hidden(rng: Random, record: Record) -> Record:
    """The record with some hands, or all, and some draws hidden."""
    share = rng.choice((0.5, 1.0))
    hands = tuple(None if rng.random() < share else hand for hand in record.hands)
    shown = rng.choice((0.0, 0.3, 1.0))

    def seen(action: Action) -> Action:
        return Draw() if isinstance(action, Draw) and rng.random() >= shown else action

    turns = tuple(replace(turn, actions=tuple(map(seen, turn.actions))) for turn in record.turns)
    return replace(record, hands=hands, turns=turns)


# --- one thing changed ---


def mutated(rng: Random, record: Record) -> Record:
    """The record changed in one place: a tile, a train, a draw, a pass, a turn, a sign, an end line."""
    for _ in range(50):
        change = rng.choice(_CHANGES)
        other = change(rng, record)
        if other is not None and other != record:
            return other
    return replace(record, start=rng.choice(record.players))


def _action(rng: Random, record: Record, kind: type[Action]) -> tuple[int, int] | None:
    places = [
        (at, number)
        for at, turn in enumerate(record.turns)
        for number, action in enumerate(turn.actions)
        if isinstance(action, kind)
    ]
    return rng.choice(places) if places else None


def _with(record: Record, at: int, actions: list[Action], player: str | None = None) -> Record | None:
    turn = record.turns[at]
    turns = (*record.turns[:at], Turn(player or turn.player, tuple(actions)), *record.turns[at + 1 :])
    return replace(record, turns=turns) if actions else None


def _other_tile(rng: Random, record: Record) -> Record | None:
    found = _action(rng, record, rng.choice((Lay, Draw)))
    if found is None:
        return None
    at, number = found
    actions = list(record.turns[at].actions)
    tile = rng.randrange(len(tiles_of(record.rules.max_pip)) + (rng.random() < 0.1))
    action = actions[number]
    actions[number] = Lay(tile, action.train) if isinstance(action, Lay) else Draw(tile)
    return _with(record, at, actions)


def _other_train(rng: Random, record: Record) -> Record | None:
    found = _action(rng, record, Lay)
    if found is None:
        return None
    at, number = found
    actions = list(record.turns[at].actions)
    action = actions[number]
    assert isinstance(action, Lay)
    actions[number] = Lay(action.number, rng.choice((*record.players, "M", "Z")))
    return _with(record, at, actions)


def _less(rng: Random, record: Record) -> Record | None:
    found = _action(rng, record, rng.choice((Lay, Draw, Pass)))
    if found is None:
        return None
    actions = list(record.turns[found[0]].actions)
    del actions[found[1]]
    return _with(record, found[0], actions)


def _more(rng: Random, record: Record) -> Record | None:
    if not record.turns:
        return None
    at = rng.randrange(len(record.turns))
    actions = list(record.turns[at].actions)
    tile = rng.randrange(len(tiles_of(record.rules.max_pip)))
    new = rng.choice((Draw(), Draw(tile), Pass(), Lay(tile, "M"), Lay(tile, record.turns[at].player)))
    actions.insert(rng.randint(0, len(actions)), new)
    return _with(record, at, actions)


def _sign(rng: Random, record: Record) -> Record | None:
    if not record.turns:
        return None
    at = rng.randrange(len(record.turns))
    actions = [action for action in record.turns[at].actions if not isinstance(action, Marker)]
    return _with(record, at, [*actions, Marker(rng.random() < 0.5)])


def _pass_instead(rng: Random, record: Record) -> Record | None:
    if not record.turns:
        return None
    actions: list[Action] = [Draw(), Pass()] if rng.random() < 0.5 else [Pass()]
    return _with(record, rng.randrange(len(record.turns)), actions)


def _turns(rng: Random, record: Record) -> Record | None:
    if len(record.turns) < 2:
        return None
    turns = list(record.turns)
    at = rng.randrange(len(turns) - 1)
    match rng.randrange(4):
        case 0:
            turns[at], turns[at + 1] = turns[at + 1], turns[at]
        case 1:
            del turns[at]
        case 2:
            turns.insert(at, turns[at])
        case _:
            del turns[at + 1 :]
    return replace(record, turns=tuple(turns))


def _end(rng: Random, record: Record) -> Record | None:
    match rng.randrange(4):
        case 0:
            return replace(record, ended="blocked", out=())
        case 1:
            return replace(record, ended="out", out=(rng.choice(record.players),))
        case 2 if record.ended:
            return replace(record, ended=None, out=(), told=())
        case _:
            return _told_otherwise(rng, record)


def _told_otherwise(rng: Random, record: Record) -> Record | None:
    if not record.told:
        return None
    told = list(record.told)
    at = rng.randrange(len(told))
    one = told[at]
    if isinstance(one, Left):
        tile = rng.randrange(len(tiles_of(record.rules.max_pip)))
        told[at] = Left(one.player, (*one.tiles[1:], tile))
    elif isinstance(one, Count):
        told[at] = Count(one.player, one.number + rng.choice((-1, 1)))
    else:
        told[at] = Score(one.player, one.points + rng.choice((-1, 1, 2)))
    return replace(record, told=tuple(told))


def _other_rules(rng: Random, record: Record) -> Record | None:
    name = rng.choice([name for name in MIXED if name not in ("engine", "starter")])
    value: Any = rng.choice(FIELDS[name].choices or (0, 10))
    return replace(record, rules=replace(record.rules, **{name: value}))


def _against_the_rules(rng: Random, record: Record) -> Record | None:
    """Somewhere in a legal round, best where a double is open, a tile goes where it fits and yet must not."""
    if not record.turns or None in record.hands:
        return None
    for _ in range(8):
        at = rng.randrange(len(record.turns))
        signs = [action for action in record.turns[at].actions if isinstance(action, Marker | Say)]
        moves = [action for action in record.turns[at].actions if action not in signs]
        number = rng.randint(0, len(moves) - 1)
        turns = (*record.turns[:at], Turn(record.turns[at].player, (*moves, *signs)), *record.turns[at + 1 :])
        state = state_after(replace(record, turns=turns), at, number)
        if state.open_doubles or rng.random() < 0.1:
            break
    fitting = [
        Lay(tile_number(tile.high, tile.low), train)
        for tile in state.hand(record.turns[at].player)
        for train, end in state.ends.items()
        if end in (tile.high, tile.low)
    ]
    against = [move for move in fitting if why_illegal(state, move) is not None]
    return _with(record, at, [*moves[:number], rng.choice(against)]) if against else None


def another_that_fits(rng: Random, record: Record) -> Record | None:
    """A legal record cut short at a tile instead of which another one, that fits as well, is laid."""
    found = _action(rng, record, Lay)
    if found is None:
        return None
    at, number = found
    turn = record.turns[at]
    state = state_after(record, at, number)
    lay = turn.actions[number]
    assert isinstance(lay, Lay)
    lies = {Tile.of(*one) for train in state.trains.values() for one in train}
    fitting = [
        tile_number(tile.high, tile.low)
        for tile in tiles_of(record.rules.max_pip)
        if state.ends[lay.train] in (tile.high, tile.low) and not tile.is_double and tile not in lies
    ]
    others = [tile for tile in fitting if tile != lay.number]
    if lay.number not in fitting or not others:
        return None
    last = Turn(turn.player, (*turn.actions[:number], Lay(rng.choice(others), lay.train)))
    return replace(record, turns=(*record.turns[:at], last), ended=None, out=(), told=())


_CHANGES: tuple[Callable[[Random, Record], Record | None], ...] = (
    _other_tile,
    _other_tile,
    _other_train,
    _less,
    _more,
    _sign,
    _pass_instead,
    _turns,
    _end,
    _told_otherwise,
    _other_rules,
    _against_the_rules,
    _against_the_rules,
)


def most_dealt(rules: RuleSet, players: int) -> int:
    """How many tiles each can be dealt, so that one is left to be the engine."""
    return (len(tiles_of(rules.max_pip)) - 1) // players


def any_round(rng: Random, *, mix: bool = True) -> tuple[Record, bool]:
    """A round of any set, for 2 to 14 players."""
    rules = random_rules(rng, rng.choice(SETS), mix=mix)
    players = rng.randint(2, 14)
    most = min(most_dealt(rules, players), 16)
    least = 2 if rules.engine == "dealt" else 1
    if most < least:
        return any_round(rng, mix=mix)
    most_turns = rng.choice((None, None, rng.randint(1, 60)))
    return random_round(rng, rules, players, rng.randint(least, most), most=most_turns)
