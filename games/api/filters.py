"""The filters of a game's lists and of an account's."""

from __future__ import annotations

from games.api.lists import Filters, Named, Number, Word, dated
from games.models import Action, Role, Status

ROLES = (Role.SCORER.value, Role.VIEWER.value)


@dated("game__played_on", "When it was played")
class GameFilters(Filters):
    role = Word(field_name="key__role", words=ROLES, label="What the account may do in it.")
    status = Word(field_name="game__status", words=Status.values, label="Where the game stands.")
    q = Named(field_name="game__name", label="Part of its name, without case and accents.")


@dated("at__date", "When it was changed")
class LogFilters(Filters):
    action = Word(field_name="action", words=Action.values, label="What was done.")
    round = Number(field_name="round_number", label="The round that was changed.")
