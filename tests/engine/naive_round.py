"""The plainest possible referee: trains as lists, hands as sets, every rule asked afresh at every action.

It shares nothing with the engine but the shape of a record and what tiles cost, so that the two can be held
against each other. Hidden hands are judged by keeping every deal that could still be: for tiny sets only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations

from games.engine.hands import Hand
from games.engine.moves import Draw, Lay, Marker, Pass
from games.engine.record import Count, Left, Record, Score, Turn
from games.engine.replay import Replay
from games.engine.rules import RuleSet
from games.engine.scoring import score_round, tile_score
from games.engine.tiles import Tile

Pair = tuple[int, int]  # (high, low)
World = tuple[frozenset[Pair], ...]  # everybody's hand; the rest is the boneyard
Answer = tuple[str, str | None, int, int]  # verdict, code, turn, action


def pair(number: int) -> Pair:
    """The tile with this number, counted out."""
    high = 0
    while number > high:
        number -= high + 1
        high += 1
    return high, number


def answer(found: Replay) -> Answer:
    """What the referee of the rule book says, as `judge` does."""
    breach = found.violation
    if breach is None:
        return found.verdict, None, 0, 0
    return found.verdict, breach.code, breach.turn, breach.action


def judge(record: Record, *, worlds: bool) -> Answer:
    """The verdict; `worlds`: follow every deal (else hidden hands are believed as far as the table goes)."""
    return _Referee(record, worlds=worlds).judge()


def hands_after(record: Record, turns: int) -> list[World]:
    """Everybody's hands after so many turns, in every deal that explains the whole of a legal record."""
    referee = _Referee(record, worlds=True, remember=turns)
    assert referee.judge()[0] in ("legal", "unfinished")
    assert referee.worlds is not None
    players = len(record.players)
    worlds = [world for world in referee.worlds if record.ended is None or referee.agrees(world[:players])]
    return [world[players:] for world in worlds]


class _StopError(Exception):
    def __init__(self, code: str, at: int) -> None:
        self.code = code
        self.at = at


class _Referee:
    def __init__(self, record: Record, *, worlds: bool, remember: int | None = None) -> None:
        self.record = record
        self.remember = remember
        self.rules: RuleSet = record.rules
        self.ids = record.players
        self.every = [(a, b) for a in range(self.rules.max_pip + 1) for b in range(a + 1)]
        engine = (record.engine, record.engine)
        self.table: set[Pair] = {engine}
        self.trains: dict[str, list[Pair]] = {one: [engine] for one in (*self.ids, "M")}
        self.open: list[tuple[str, int]] = []
        self.marked: set[str] = set()
        self.known: dict[str, set[Pair]] = {}
        self.hidden: dict[str, int] = {}
        for one, hand, sought in zip(self.ids, record.hands, record.seek, strict=True):
            dealt = record.deal + sought - (one == record.layer)
            pairs = {tile for at, tile in enumerate(self.every) if (hand or 0) >> at & 1} - {engine}
            self.known[one] = pairs
            self.hidden[one] = 0 if hand is not None else dealt
        self.yard = len(self.every) - 1 - sum(self.held(one) for one in self.ids)
        self.turn = 0
        self.out: list[str] = []
        self.passes: dict[str, bool] = {}
        self.worlds: list[World] | None = list(self.deals()) if worlds else None

    def held(self, one: str) -> int:
        return len(self.known[one]) + self.hidden[one]

    def deals(self) -> Iterator[World]:
        free = [tile for tile in self.every if tile not in self.table]
        for hand in self.known.values():
            free = [tile for tile in free if tile not in hand]

        def grow(at: int, left: list[Pair]) -> Iterator[World]:
            if at == len(self.ids):
                yield ()
                return
            one = self.ids[at]
            for chosen in combinations(left, self.hidden[one]):
                rest = [tile for tile in left if tile not in chosen]
                for more in grow(at + 1, rest):
                    yield (frozenset(self.known[one].union(chosen)), *more)

        return grow(0, free)

    # --- what may be played where ---

    @property
    def first(self) -> bool:
        return self.turn <= len(self.ids)

    @property
    def bare(self) -> bool:
        """A first turn on the own train only."""
        return self.first and self.rules.first_turn != "normal"

    @property
    def whole(self) -> bool:
        return self.bare and self.rules.first_turn == "own_whole"

    def end(self, train: str) -> int:
        return self.trains[train][-1][1]

    def dead(self, pip: int) -> bool:
        return self.rules.dead_double_released and all(
            tile in self.table for tile in self.every if pip in tile
        )

    def live(self, *, earlier: bool) -> list[str]:
        return [
            train
            for train, turn in self.open
            if (turn < self.turn) == earlier and not self.dead(self.end(train))
        ]

    def chosen(self, trains: list[str]) -> list[str]:
        order = self.rules.close_order
        return trains[:1] if order == "oldest" else trains[-1:] if order == "newest" else trains

    def why_not(self, tile: Pair, train: str) -> str | None:
        """What forbids this tile on this train, whoever holds it."""
        rules = self.rules
        double = tile[0] == tile[1]
        if self.end(train) not in tile:
            return "no_match"
        if self.bare and train != self.mover:
            return "own_train_first"
        if train == "M" and self.first and rules.mexican_start == "after_first_turn":
            return "mexican_not_yet"
        if double and rules.doubles_per_turn is not None and self.doubles >= rules.doubles_per_turn:
            return "one_double"
        if self.bare:
            return None
        bound, mine = self.live(earlier=True), self.live(earlier=False)
        if bound:
            if train not in bound:
                return "must_cover"
            return None if train in self.chosen(bound) else "wrong_double"
        if mine and rules.after_double == "cover":
            return None if train == mine[-1] else "cover_on_double"
        if len(mine) > 1 and rules.after_double == "anywhere_or_first" and not double:
            if train not in mine:
                return "must_cover"
            return None if train in self.chosen(mine) else "wrong_double"
        return None if train in ("M", self.mover) or train in self.marked else "train_closed"

    def fits(self, tile: Pair) -> bool:
        return any(self.why_not(tile, train) is None for train in self.trains)

    def draw_allowed(self) -> bool:
        if self.first and not self.rules.first_turn_draw:
            return False
        if self.whole and self.laid:
            return False
        if self.fresh is not None:
            return False
        return self.rules.draw_again_after_double or self.draws == 0

    # --- the whole ---

    def engine(self) -> str | None:
        """What is wrong before the first turn."""
        record = self.record
        engine = (record.engine, record.engine)
        for one, hand in zip(self.ids, record.hands, strict=True):
            if hand is None:
                continue
            holds = bool(hand >> self.every.index(engine) & 1)
            if holds and (self.rules.engine == "set_aside" or one != record.layer):
                return "already_laid"
            if not holds and one == record.layer and self.rules.engine != "set_aside":
                return "not_in_hand"
        return "already_laid" if self.rules.engine == "set_aside" and record.layer else None

    def judge(self) -> Answer:
        record = self.record
        code = self.engine()
        if code is not None:
            return "illegal", code, 0, 0
        over = False
        self.mover = record.start
        for number, turn in enumerate(record.turns, start=1):
            self.turn = number
            if turn.player not in self.ids:
                return "illegal", "unknown_player", number, 0
            if over:
                return "illegal", "round_over", number, 0
            if turn.player != self.mover:
                return "illegal", "out_of_turn", number, 0
            try:
                self.play(turn)
            except _StopError as stop:
                verdict = "impossible" if stop.code == "no_deal" else "illegal"
                return verdict, stop.code, number, stop.at
            over = self.ends()
            if number == self.remember and self.worlds is not None:
                self.worlds = [(*world, *world) for world in self.worlds]
            self.mover = self.ids[(self.ids.index(self.mover) + 1) % len(self.ids)]
        self.turn = len(record.turns) + 1
        if record.ended is None:
            return ("legal" if over else "unfinished"), None, 0, 0
        code = self.ending(over=over)
        if code is None:
            return "legal", None, 0, 0
        return ("impossible" if code == "no_deal" else "illegal"), code, 0, 0

    def ends(self) -> bool:
        if not self.out:
            return False
        return self.rules.first_turn_out == "immediate" or self.turn >= len(self.ids)

    def play(self, turn: Turn) -> None:
        self.laid: list[Pair] = []
        self.doubles = self.draws = 0
        self.fresh: Pair | str | None = None
        self.over = self.failed = self.own = False
        sign: tuple[bool, int] | None = None
        for at, action in enumerate(turn.actions, start=1):
            if isinstance(action, Lay):
                self.lay(action, at)
            elif isinstance(action, Draw):
                self.draw(action, at)
            elif isinstance(action, Pass):
                self.rest(0 if turn.implied and at == len(turn.actions) else at)
            elif isinstance(action, Marker):
                sign = action.on, at
        if self.owing():
            self.rest(0)
        self.marker(sign)

    def owing(self) -> bool:
        return not self.over and not (self.whole and bool(self.laid))

    def lay(self, action: Lay, at: int) -> None:
        mover = self.mover
        if self.over:
            raise _StopError("turn_over", at)
        if action.train not in self.trains:
            raise _StopError("unknown_player", at)
        tile = pair(action.number)
        if tile not in self.every:
            raise _StopError("not_in_set", at)
        if tile in self.table:
            raise _StopError("already_laid", at)
        if tile not in self.known[mover] and not self.hidden[mover]:
            raise _StopError("not_in_hand", at)
        code = self.why_not(tile, action.train)
        if code is not None:
            raise _StopError(code, at)
        if tile in self.known[mover]:
            self.known[mover].discard(tile)
        else:
            self.hidden[mover] -= 1
        self.keep(lambda world: tile in world[self.seat], at)
        self.change(lambda hand: hand - {tile})
        inner = self.end(action.train)
        self.trains[action.train].append((inner, tile[0] if inner == tile[1] else tile[1]))
        self.table.add(tile)
        self.open = [(train, number) for train, number in self.open if train != action.train]
        self.laid.append(tile)
        self.fresh = None
        self.passes.clear()
        self.own = self.own or action.train == mover
        if tile[0] == tile[1]:
            self.open.append((action.train, self.turn))
            self.doubles += 1
            self.after_double(tile[0])
        else:
            self.over = not self.whole or not self.held(mover)
        if self.over and not self.held(mover):
            self.out.append(mover)

    def after_double(self, pip: int) -> None:
        empty = not self.held(self.mover)
        if self.rules.after_double == "cover" and self.dead(pip) and not self.whole:
            self.over = True
        elif empty:
            self.over = self.rules.out_on_double or self.bare or not (self.draw_allowed() and self.yard)

    def draw(self, action: Draw, at: int) -> None:
        mover = self.mover
        if self.over:
            raise _StopError("turn_over", at)
        if not self.draw_allowed():
            raise _StopError("no_draw", at)
        if not self.yard:
            raise _StopError("yard_empty", at)
        if any(self.fits(tile) for tile in self.known[mover]):
            raise _StopError("must_play", at)
        tile = None if action.number is None else pair(action.number)
        if tile is not None:  # what is wrong by itself comes before what no deal explains
            if tile not in self.every:
                raise _StopError("not_in_set", at)
            if tile in self.table:
                raise _StopError("already_laid", at)
            if tile in self.known[mover]:
                raise _StopError("not_in_hand", at)
        self.keep(lambda world: not any(self.fits(one) for one in world[self.seat]), at)
        self.yard -= 1
        self.draws += 1
        if tile is None:
            self.hidden[mover] += 1
            self.fresh = "?"
            self.deal_one(None, at)
            return
        if any(tile in hand for hand in self.known.values()):
            raise _StopError("no_deal", at)
        self.known[mover].add(tile)
        self.fresh = tile
        self.deal_one(tile, at)

    def rest(self, at: int) -> None:
        mover = self.mover
        if self.over:
            raise _StopError("turn_over", at)
        if self.owing():
            may = self.rules.drawn_tile == "may"
            fitting = [tile for tile in self.known[mover] if self.fits(tile)]
            if fitting and fitting != [self.fresh]:
                raise _StopError("must_follow_double" if self.doubles else "must_play", at)
            if fitting and not may:
                raise _StopError("must_play_drawn", at)
            if self.draw_allowed() and self.yard:
                raise _StopError("must_draw", at)
            if self.worlds is not None:
                self.keep_pass(at, exempt=may and self.fresh is not None)
            self.failed = True
            others = all(one in self.marked for one in self.ids if one != mover)
            held_back = self.first and (self.bare or self.rules.mexican_start == "after_first_turn")
            if others and not held_back and not (may and self.fresh is not None):
                self.passes[mover] = True
        self.over = True

    def marker(self, sign: tuple[bool, int] | None) -> None:
        mover = self.mover
        was = mover in self.marked
        if self.failed:
            self.marked.add(mover)
        elif self.own:
            stays = sign is not None and sign[0] and was and self.rules.marker_off == "optional"
            if not stays:
                self.marked.discard(mover)
        if sign is not None and sign[0] != (mover in self.marked):
            raise _StopError("marker", sign[1])

    # --- all deals at once ---

    @property
    def seat(self) -> int:
        return self.ids.index(self.mover)

    def keep(self, test: Callable[[World], bool], at: int) -> None:
        if self.worlds is not None:
            self.worlds = [world for world in self.worlds if test(world)]
            if not self.worlds:
                raise _StopError("no_deal", at)

    def change(self, step: Callable[[frozenset[Pair]], Iterable[Pair]]) -> None:
        if self.worlds is not None:
            seat = self.seat
            self.worlds = [
                (*world[:seat], frozenset(step(world[seat])), *world[seat + 1 :]) for world in self.worlds
            ]

    def deal_one(self, tile: Pair | None, at: int) -> None:
        """Every world with every tile it could have been; which one it was is kept beside the hands."""
        if self.worlds is None:
            return
        seat = self.seat
        grown = []
        self.came: list[Pair] = []
        for world in self.worlds:
            held = self.table.union(*world[: len(self.ids)])
            for one in self.every if tile is None else [tile]:
                if one not in held:
                    grown.append((*world[:seat], world[seat] | {one}, *world[seat + 1 :]))
                    self.came.append(one)
        if not grown:
            raise _StopError("no_deal", at)
        self.worlds = grown

    def keep_pass(self, at: int, *, exempt: bool) -> None:
        """Only worlds where nothing in the hand fits; the tile just drawn may be kept where `exempt`.

        A pass straight after a draw: `came` still runs beside the worlds.
        """
        assert self.worlds is not None
        kept = []
        for number, world in enumerate(self.worlds):
            hand = world[self.seat]
            if exempt:
                hand = hand - {self.came[number]}
            if not any(self.fits(tile) for tile in hand):
                kept.append(world)
        if not kept:
            raise _StopError("no_deal", at)
        self.worlds = list(set(kept))

    # --- after the last turn ---

    def ending(self, *, over: bool) -> str | None:
        record = self.record
        if any(one not in self.ids for one in record.out):
            return "unknown_player"
        if record.ended == "out" and not (over and set(record.out) == set(self.out)):
            return "not_out"
        if record.ended == "blocked" and (over or not self.blocked()):
            return "not_blocked"
        left = {one: set(self.known[one]) for one in self.ids if not self.hidden[one]}
        for told in record.told:
            if isinstance(told, Left) and told.player in self.ids and self.left(told):
                left[told.player] = {pair(number) for number in told.tiles}
        for told in record.told:
            if told.player not in self.ids:
                return "unknown_player"
            if isinstance(told, Left) and not self.left(told):
                return "left"
            if isinstance(told, Count) and told.number != self.held(told.player):
                return "count"
            if isinstance(told, Score) and told.points != self.points(left).get(told.player, told.points):
                return "score"
        if self.worlds is not None and not any(self.agrees(world[: len(self.ids)]) for world in self.worlds):
            return "no_deal"
        return None

    def left(self, told: Left) -> bool:
        tiles = {pair(number) for number in told.tiles}
        known = self.known[told.player]
        return (
            len(tiles) == len(told.tiles) == self.held(told.player)
            and tiles <= set(self.every) - self.table
            and known <= tiles
        )

    def points(self, hands: dict[str, set[Pair]]) -> dict[str, int]:
        """The points of those of whom they are certain if these hands, and nothing else, are known."""
        rules = self.rules
        ended = self.record.ended
        assert ended is not None
        if rules.left_counts == "tiles" and not rules.blank_half and not rules.doubles_twice:
            hands = {one: set(self.every[: self.held(one)]) for one in self.ids}  # any will do
        if len(hands) == len(self.ids):
            return self.scores(hands)
        if rules.scoring == "positive":
            return {one: 0 for one in self.ids if one not in self.out or ended == "blocked"}
        if ended == "blocked" and rules.blocked_cap:
            return {}
        found = {}
        for one, tiles in hands.items():
            cost = sum(tile_score(Tile(*tile), rules) for tile in tiles)
            bonus = rules.out_bonus if one in self.out and ended == "out" else 0
            found[one] = cost + rules.open_marker * (one in self.marked) - bonus
        return found

    def scores(self, hands: dict[str, set[Pair]]) -> dict[str, int]:
        rules, ended = self.rules, self.record.ended
        assert ended is not None
        rows = []
        for seat, one in enumerate(self.ids):
            tiles = tuple(Tile(*tile) for tile in hands[one])
            blank = rules.double_blank
            bare = sum(blank if tile == Tile(0, 0) else tile.pips for tile in tiles)
            if rules.left_counts == "tiles":
                bare = len(tiles)
            out = one in self.out and ended == "out"
            rows.append(Hand(seat, bare, tiles=tiles, out=out, marker=one in self.marked))
        counted = score_round(rows, rules=rules, ended=ended)
        return {self.ids[seat]: points for seat, points in counted.items()}

    def agrees(self, world: World) -> bool:
        hands = {one: set(hand) for one, hand in zip(self.ids, world, strict=True)}
        points = self.scores(hands)
        for told in self.record.told:
            if isinstance(told, Left) and {pair(number) for number in told.tiles} != hands[told.player]:
                return False
            if isinstance(told, Score) and told.points != points[told.player]:
                return False
        return True

    def blocked(self) -> bool:
        if self.yard:
            return False
        bound = self.chosen(self.live(earlier=True))
        ends = [self.end(train) for train in bound or self.trains]
        for one in self.ids:
            if any(end in tile for tile in self.known[one] for end in ends):
                return False
            if self.hidden[one] and not self.passes.get(one):
                return False
        return True
