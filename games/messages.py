"""Codes and facts → sentences, translatable, in the words of the table: names, no blame, what would be right.

Knows language. Must not judge: it says what the engine and the services found.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.engine.errors import Problem

Names = Mapping[int, str]
MOST_NAMED = 4  # people in a title before it says «and 3 more»


@dataclass(frozen=True, slots=True)
class Message:
    """What is wrong, to be read first, and then why or what would be right."""

    lead: str
    rest: str = ""

    def __str__(self) -> str:
        return f"{self.lead} {self.rest}" if self.rest else self.lead


def sentence(problem: Problem, names: Names) -> str:
    return str(message(problem, names))


def message(problem: Problem, names: Names) -> Message:
    """The words for a problem or a warning; `names` by seat."""
    say = SENTENCES.get(problem.code)
    if say is None:
        return Message(problem.code)
    return say(Facts(problem, names))


def listed(words: Sequence[object]) -> str:
    """«Ann», «Ann and Ben», «Ann, Ben and Cho»."""
    texts = [str(word) for word in words]
    if len(texts) < 2:
        return "".join(texts)
    return _("%(first)s and %(last)s") % {"first": ", ".join(texts[:-1]), "last": texts[-1]}


def people_title(names: Sequence[str]) -> str:
    """What a table is called by its people: «Ann, Ben and Cho», «Ann, Ben, Cho and 3 more»."""
    if len(names) <= MOST_NAMED:
        return listed(names)
    more = len(names) - MOST_NAMED + 1
    return ngettext("%(names)s and %(more)d more", "%(names)s and %(more)d more", more) % {
        "names": ", ".join(names[: MOST_NAMED - 1]),
        "more": more,
    }


def number(value: object) -> str:
    """A whole number as the language writes it, 1,056, and −6 with the sign of its breadth."""
    if not isinstance(value, int):
        return str(value)
    return number_format(value, force_grouping=True).replace("-", "−")


def signed(value: int) -> str:
    """A penalty or bonus: +20, −5."""
    return f"{'−' if value < 0 else '+'}{number(abs(value))}"


def double(pip: object) -> str:
    """An engine's name: 6-6."""
    return f"{pip}-{pip}"


@dataclass(frozen=True, slots=True)
class Facts:
    """A problem with its facts within reach of a format string."""

    problem: Problem
    names: Names

    def __getitem__(self, fact: str) -> Any:
        return self.problem.params[fact]

    def name(self, seat: int | None) -> str:
        if seat is None:
            return ""
        return self.names.get(seat) or _("Seat %(seat)s") % {"seat": seat}

    def fill(self, text: str, **more: object) -> str:
        facts = {name: number(value) for name, value in self.problem.params.items()}
        everyone = listed([self.name(seat) for seat in self.problem.seats])
        return text % {"who": self.name(self.problem.seat), "all": everyone, **facts, **more}

    def say(self, lead: str, rest: str = "", **more: object) -> Message:
        return Message(self.fill(lead, **more), self.fill(rest, **more))


def _seat_missing(facts: Facts) -> Message:
    return facts.say(_("%(who)s has no points yet."), _("If %(who)s went out, tap 0."))


def _seat_unknown(facts: Facts) -> Message:
    if facts["kind"] == "twice":
        return facts.say(_("%(who)s has two hands here."), _("Each player has one."))
    return facts.say(_("%(who)s does not play in this round."))


def _hand_text(facts: Facts) -> Message:
    return facts.say(
        _("%(who)s: “%(text)s” cannot be read."),
        _("Points go as 33 or 10+15+8, tiles as 8-5 9-9."),
    )


def _count_text(facts: Facts) -> Message:
    return facts.say(_("%(who)s: “%(text)s” is no number of tiles."), _("It can be left out."))


def _tile_unknown(facts: Facts) -> Message:
    return facts.say(
        _("%(who)s: “%(tile)s” is no tile of this set."),
        _("Its tiles go from 0-0 to %(top)s."),
        top=double(facts["max_pip"]),
    )


def _tile_engine(facts: Facts) -> Message:
    return facts.say(_("%(tile)s is this round’s engine."), _("Nobody can hold it."))


def _tile_twice(facts: Facts) -> Message:
    if len(facts.problem.seats) == 1:
        return facts.say(_("%(tile)s is in the same hand twice."), _("There is one of it."))
    return facts.say(
        _("%(tile)s is in two hands."),
        _("%(first_name)s has it already."),
        first_name=facts.name(facts["first"]),
    )


def _points_tiles(facts: Facts) -> Message:
    return facts.say(_("%(who)s: these tiles make %(tiles_points)s, not %(points)s."))


def _points_range(facts: Facts) -> Message:
    if facts["points"] < 0:
        return facts.say(_("%(who)s: nobody can have less than 0 points."))
    if facts["points"] > facts["most"]:
        return facts.say(
            _("%(who)s: no hand is worth %(points)s."),
            _("All tiles of this round together are worth %(most)s."),
        )
    return facts.say(_("%(who)s: no tiles make exactly %(points)s."))


def _count_points(facts: Facts) -> Message:
    match facts["kind"]:
        case "tiles":
            return facts.say(_("%(who)s: the tiles named are %(tiles)s, not %(tile_count)s."))
        case "out":
            return facts.say(_("%(who)s went out and yet has tiles left."), _("Whoever goes out has none."))
        case "not_out":
            return facts.say(_("%(who)s has 0 and yet did not go out."), _("Only an empty hand is worth 0."))
    count = facts["tile_count"]
    if facts["most"] is None:
        return facts.say(
            _("%(who)s cannot hold %(tile_count)s tiles."), _("%(tiles)s can be left in a round.")
        )
    lead = ngettext(
        "%(who)s: one tile cannot be worth %(points)s.",
        "%(who)s: %(tile_count)s tiles cannot be worth %(points)s.",
        count,
    )
    if facts["points"] < facts["least"]:
        return facts.say(lead, _("The least is %(least)s."))
    if facts["most_plain"] in (None, facts["most"]):
        return facts.say(lead, _("The most is %(most)s."))
    if count == 1:
        return facts.say(lead, _("The most is %(most_plain)s, or %(most)s for the double blank."))
    return facts.say(lead, _("The most is %(most_plain)s, or %(most)s with the double blank."))


def _zeros(facts: Facts) -> Message:
    match facts["kind"]:
        case "too_many":
            return facts.say(_("%(all)s have 0."), _("Only one can go out in a round."))
        case "in_blocked":
            return facts.say(
                ngettext(
                    "%(all)s has 0, but the round was blocked.",
                    "%(all)s have 0, but the round was blocked.",
                    len(facts["seats"]),
                ),
                _("In a blocked round nobody goes out."),
            )
    return facts.say(_("Nobody has 0, but the round was not marked as blocked."), _("Who went out?"))


def _round_sum(facts: Facts) -> Message:
    return facts.say(
        _("This round comes to %(total)s."),
        ngettext(
            "With this set and %(players)s player it can be %(most)s at most.",
            "With this set and %(players)s players it can be %(most)s at most.",
            facts["players"],
        ),
    )


def _hands_clash(facts: Facts) -> Message:
    tiles = facts["tiles"]
    if facts["points"] is None:
        points = listed([number(points) for _seat, points, _count in facts["hands"]])
        lead = facts.fill(_("%(all)s cannot have %(these)s in one round."), these=points)
    elif len(facts.problem.seats) == 1:
        lead = facts.fill(_("%(who)s cannot have %(points)s."))
    elif len(facts.problem.seats) == 2:
        lead = facts.fill(_("%(all)s cannot both have %(points)s."))
    else:
        lead = facts.fill(_("%(all)s cannot all have %(points)s."))
    if len(tiles) == 1 and facts["points"] is not None:
        return Message(
            lead, facts.fill(_("Only %(tile)s is worth %(points)s, and there is one of it."), tile=tiles[0])
        )
    if tiles:
        return Message(
            lead,
            facts.fill(_("Only %(these)s can make that, and there is one of each."), these=listed(tiles)),
        )
    return Message(lead, _("There are not enough tiles for all of these hands at once."))


def _needs_tiles(facts: Facts) -> Message:
    return facts.say(
        _("%(who)s: which tiles are left?"),
        _("The house rules look at the tiles, so the points alone are not enough."),
    )


def _many_points(facts: Facts) -> Message:
    return facts.say(
        _("%(who)s: %(points)s points is unusual."),
        ngettext(
            "It needs at least %(tiles_needed)s tile. Is it right?",
            "It needs at least %(tiles_needed)s tiles. Is it right?",
            facts["tiles_needed"] or 0,
        ),
    )


def _many_tiles(facts: Facts) -> Message:
    return facts.say(
        ngettext(
            "%(who)s: %(tile_count)s tile is unusual.",
            "%(who)s: %(tile_count)s tiles is unusual.",
            facts["tile_count"],
        ),
        ngettext("%(deal)s was dealt. Is it right?", "%(deal)s were dealt. Is it right?", facts["deal"]),
    )


def _equal_hands(facts: Facts) -> Message:
    return facts.say(_("%(all)s all have %(points)s."), _("Is it right?"))


def _not_searched(facts: Facts) -> Message:
    return facts.say(
        _("Whether these hands fit together could not be found out."), _("Each alone can be right.")
    )


def _engine_order(facts: Facts) -> Message:
    given, expected, played_in = double(facts["given"]), facts["expected"], facts["played_in"]
    lead = (
        _("No engine is left.")
        if expected is None
        else _("The engine of this round is %(engine)s.") % {"engine": double(expected)}
    )
    if played_in is None:
        return Message(lead, _("%(given)s is not its turn.") % {"given": given})
    return Message(lead, _("%(given)s was played in round %(round)s.") % {"given": given, "round": played_in})


def _players_number(facts: Facts) -> Message:
    here = ngettext("Here is %(count)s.", "Here are %(count)s.", facts["count"])
    return facts.say(_("A game has %(least)s to %(most)s players."), here)


def _name_blank(facts: Facts) -> Message:
    return facts.say(_("Player %(seat)s has no name."), seat=facts.problem.seat)


def _name_unseen(facts: Facts) -> Message:
    return facts.say(
        _("The name of player %(seat)s holds a sign that nobody can see."), seat=facts.problem.seat
    )


def _name_long(facts: Facts) -> Message:
    return facts.say(_("“%(name)s” is too long."), _("A name has at most %(most)s letters."))


def _name_twice(facts: Facts) -> Message:
    return facts.say(_("The name %(name)s is taken."), _("Add a letter: %(name)s K?"))


def _first_engine(facts: Facts) -> Message:
    return facts.say(
        _("The first engine cannot be %(engine)s."),
        _("This set goes up to %(top)s."),
        engine=double(facts["given"]),
        top=double(facts["most"]),
    )


def _rounds_number(facts: Facts) -> Message:
    return facts.say(
        _("%(given)s rounds cannot be."),
        ngettext(
            "From %(first)s down there is %(most)s.",
            "From %(first)s down there are 1 to %(most)s.",
            facts["most"],
        ),
        first=double(facts["engine"]),
    )


def _deal_large(facts: Facts) -> Message:
    return facts.say(_("%(deal)s tiles each are too many."), _("%(players)s players share %(tiles)s tiles."))


def _reason_missing(facts: Facts) -> Message:
    match facts.problem.params.get("of"):
        case "challenge":
            return facts.say(_("A dispute needs a reason."), _("What did you see?"))
        case "ruling":
            return facts.say(_("A ruling needs a reason."))
    return facts.say(_("A disputed round needs a reason."))


def _cell_unknown(facts: Facts) -> Message:
    return facts.say(_("Seat %(seat)s has no score in round %(round)s."))


def _challenge_open(facts: Facts) -> Message:
    return facts.say(_("%(who)s’s round %(round)s is disputed already:"), _("“%(reason)s”"))


def _challenge_ruled(facts: Facts) -> Message:
    return facts.say(_("The dispute about %(who)s’s round %(round)s is ruled on already."))


def _undo_decided(facts: Facts) -> Message:
    return facts.say(
        _("Undo stops here: the club decided round %(round)s."),
        _("Where it was in doubt it can be decided again. Any other score can be corrected."),
    )


def _challenge_unknown(facts: Facts) -> Message:
    return facts.say(_("There is no dispute %(number)s in this game."))


def _challenge_same(facts: Facts) -> Message:
    return facts.say(_("%(who)s has %(points)s already."), _("What should it be?"))


def _challenges_many(facts: Facts) -> Message:
    return facts.say(_("%(most)s scores are in dispute."), _("The scorer has to rule on one of them first."))


def _ruling_points(facts: Facts) -> Message:
    return facts.say(_("What should %(who)s have?"), _("Blank is not 0."))


def _round_number(facts: Facts) -> Message:
    if facts["removing"] and facts["last"] == 0:
        return facts.say(_("No round is in yet."))
    if facts["removing"]:
        return facts.say(_("Only the last round can be taken back."), _("That is round %(last)s."))
    if facts["next"] is None:
        return facts.say(_("All %(rounds)s rounds are in."), _("The last one is round %(last)s."))
    return facts.say(_("Round %(given)s is not next."), _("The next one is round %(next)s."))


def _game_over(facts: Facts) -> Message:
    return facts.say(_("All %(rounds)s rounds are in."), _("Nobody can join or leave any more."))


def _players_in_round(facts: Facts) -> Message:
    return facts.say(
        _("A round has %(least)s to %(most)s players."),
        ngettext("Here it would be %(count)s.", "Here they would be %(count)s.", facts["count"]),
    )


def _seats_full(facts: Facts) -> Message:
    return facts.say(_("%(most)s people have sat at this game."), _("There is room for no more."))


def _player_unknown(facts: Facts) -> Message:
    return facts.say(_("Nobody has seat %(seat)s."))


def _adjustment_points(facts: Facts) -> Message:
    return facts.say(
        _("%(who)s: how many points?"), _("A whole number from 1 to %(most)s, with + or − before it.")
    )


def _adjustment_reason(facts: Facts) -> Message:
    return facts.say(_("%(who)s: what is it for?"), _("A penalty or bonus needs a reason."))


def _adjustments_many(facts: Facts) -> Message:
    return facts.say(_("%(who)s has %(most)s adjustments."), _("Take one back first."))


def _adjustment_unknown(facts: Facts) -> Message:
    return facts.say(_("%(who)s has no such adjustment."))


def _game_deleted(facts: Facts) -> Message:
    return facts.say(_("This game was deleted."), _("Nothing was saved."))


def _paper_score(facts: Facts) -> Message:
    return facts.say(
        _("%(who)s: by these rules %(points)s counts as %(score)s."),
        _("Choose rules under which the points on the sheet are what counts."),
    )


def _hands_over(facts: Facts) -> Message:
    return facts.say(_("The game is finished: no hand is to be entered."))


def _confirm_unasked(facts: Facts) -> Message:
    return facts.say(_("In this game no second person confirms the rounds."))


def _round_unknown(facts: Facts) -> Message:
    return facts.say(_("Round %(number)s is not in."))


def _abandon_finished(facts: Facts) -> Message:
    return facts.say(_("The game is finished."), _("Only a game that is still played can be abandoned."))


def _rule_invalid(facts: Facts) -> Message:
    allowed = facts["allowed"]
    field = facts.problem.field
    if not allowed:
        return Message(_("There is no rule “%(field)s”.") % {"field": field})
    words = {None: "none", True: "true", False: "false"}
    choices = ", ".join(
        words.get(one, str(one)) if one is None or isinstance(one, bool) else str(one) for one in allowed
    )
    return Message(
        _("“%(given)s” is no value of “%(field)s”.") % {"given": _short(facts["given"]), "field": field},
        _("It can be: %(choices)s.") % {"choices": choices},
    )


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= 40 else f"{text[:39]}…"


def _seat_held(facts: Facts) -> Message:
    return facts.say(_("%(who)s has the seat on another phone."))


def _tile_has(facts: Facts) -> Message:
    return facts.say(_("%(who)s has %(tile)s already."), _("Is it right?"))


def _out_already(facts: Facts) -> Message:
    return facts.say(_("%(who)s went out already."), _("Is it right?"))


def _same_phone(facts: Facts) -> Message:
    return facts.say(_("This phone entered round %(number)s."), _("Another phone confirms it."))


SENTENCES: Mapping[str, Callable[[Facts], Message]] = {
    "seat_held": _seat_held,
    "tile_has": _tile_has,
    "out_already": _out_already,
    "same_phone": _same_phone,
    "seat_missing": _seat_missing,
    "seat_unknown": _seat_unknown,
    "hand_text": _hand_text,
    "count_text": _count_text,
    "tile_unknown": _tile_unknown,
    "tile_engine": _tile_engine,
    "tile_twice": _tile_twice,
    "points_tiles": _points_tiles,
    "points_range": _points_range,
    "count_points": _count_points,
    "zeros": _zeros,
    "round_sum": _round_sum,
    "hands_clash": _hands_clash,
    "needs_tiles": _needs_tiles,
    "many_points": _many_points,
    "many_tiles": _many_tiles,
    "equal_hands": _equal_hands,
    "not_searched": _not_searched,
    "engine_order": _engine_order,
    "players_number": _players_number,
    "name_blank": _name_blank,
    "name_unseen": _name_unseen,
    "name_long": _name_long,
    "name_twice": _name_twice,
    "first_engine": _first_engine,
    "rounds_number": _rounds_number,
    "deal_large": _deal_large,
    "reason_missing": _reason_missing,
    "cell_unknown": _cell_unknown,
    "challenge_open": _challenge_open,
    "challenge_ruled": _challenge_ruled,
    "challenge_unknown": _challenge_unknown,
    "undo_decided": _undo_decided,
    "challenge_same": _challenge_same,
    "challenges_many": _challenges_many,
    "ruling_points": _ruling_points,
    "round_number": _round_number,
    "game_over": _game_over,
    "players_in_round": _players_in_round,
    "seats_full": _seats_full,
    "player_unknown": _player_unknown,
    "adjustment_points": _adjustment_points,
    "adjustment_reason": _adjustment_reason,
    "adjustments_many": _adjustments_many,
    "adjustment_unknown": _adjustment_unknown,
    "invalid": _rule_invalid,
    "paper_score": _paper_score,
    "game_deleted": _game_deleted,
    "abandon_finished": _abandon_finished,
    "hands_over": _hands_over,
    "confirm_unasked": _confirm_unasked,
    "round_unknown": _round_unknown,
}
