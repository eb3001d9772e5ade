"""The forms of the pages: what may be typed, and what it means.

Knows text and its limits. Must not write: a valid form is a value that a view hands to a service.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import messages, rule_words
from games.accounts import name_change
from games.engine.errors import Problem, RuleSetError
from games.engine.rules import FIELDS, PRESETS, RuleSet, rule_set, suits
from games.engine.tiles import SETS
from games.models import NAME_LENGTH, Game, User
from games.names import tidy, unseen
from games.services import MIN_PLAYERS, Setup, check_setup

RULES = tuple(name for name in FIELDS if name not in {"max_pip", "deal"})
MOST_ROWS = 50  # more than can play, so that too many are told and not cut off
CODES = ((None, "none"), (True, "yes"), (False, "no"))


class NameField(forms.CharField):
    """A short text that people see again: tidied, without signs that cannot be seen."""

    def to_python(self, value: Any) -> str:
        return tidy(str(value or ""))

    def validate(self, value: str) -> None:
        super().validate(value)
        if unseen(value):
            raise ValidationError(_("There is a sign in this name that nobody can see. Type it again."))


def code(value: object) -> str:
    """A rule's value as a form carries it."""
    for known, word in CODES:
        if value is known:
            return word
    return "+".join(value) or "shared" if isinstance(value, tuple) else str(value)


class SetUpForm(forms.Form):
    """Players, set, house rules: everything a game is started with, as typed so far.

    `player` comes once a row. `set_auto` is the set that was proposed and not touched; `card_of` the preset
    whose values the fields showed.
    """

    preset = forms.ChoiceField(choices=lambda: [(name, name) for name in PRESETS])
    card_of = forms.CharField(required=False)
    max_pip = forms.TypedChoiceField(coerce=int, choices=[(number, number) for number in SETS])
    set_auto = forms.CharField(required=False)
    deal = forms.IntegerField(required=False, min_value=FIELDS["deal"].least, max_value=FIELDS["deal"].most)
    first_engine = forms.IntegerField(required=False, min_value=0, max_value=SETS[-1])
    rounds = forms.IntegerField(required=False, min_value=1, max_value=SETS[-1] + 1)
    name = NameField(required=False, max_length=Game._meta.get_field("name").max_length)
    played_on = forms.DateField(required=False)
    who = NameField(required=False, max_length=NAME_LENGTH)
    second_person = forms.BooleanField(required=False)

    def __init__(self, data: MultiValueDict[str, Any]) -> None:
        data = data.copy()
        preset = PRESETS.get(str(data.get("preset")), PRESETS["thoughtco"])
        for name, value in {**card_as_typed(preset), "max_pip": str(preset.max_pip)}.items():
            data.setdefault(name, value)
        super().__init__(data)
        self.rows: list[str] = [str(name) for name in data.getlist("player")][:MOST_ROWS]
        self.row_faults: dict[int, str] = {}
        for name in RULES:
            self.fields[name] = forms.TypedChoiceField(
                choices=[(code(value), code(value)) for value in rule_words.values(name)],
                coerce=_reader(name),
            )

    @property
    def names(self) -> list[str]:
        return [name for name in map(tidy, self.rows) if name]

    @property
    def chosen(self) -> str:
        """The preset; the first one where the form names none."""
        preset = str(self.data.get("preset"))
        return preset if preset in PRESETS else "thoughtco"

    def rules(self) -> RuleSet:
        """The card as far as it can be read: what cannot be is as in the preset."""
        rules = PRESETS[self.chosen]
        for name in ("max_pip", "deal", *RULES):
            try:
                value = self.fields[name].clean(self.data.get(name))
            except ValidationError:
                continue
            rules = replace(rules, **{name: value})
        return rules

    def is_valid(self) -> bool:
        return super().is_valid() and not self.row_faults

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        for row, name in enumerate(map(tidy, self.rows)):
            if unseen(name):
                self.row_faults[row] = _("There is a sign in this name that nobody can see. Type it again.")
        if not self.errors:
            self._check(data)
        return data

    def _check(self, data: dict[str, Any]) -> None:
        try:
            rules = rule_set(data["preset"], **{name: data[name] for name in ("max_pip", "deal", *RULES)})
        except RuleSetError as error:
            self._tell(error.problems)
            return
        data["setup"] = Setup(
            players=self.names,
            rules=rules,
            first_engine=data["first_engine"],
            rounds=data["rounds"],
            name=data["name"],
            played_on=data["played_on"],
            second_person=data["second_person"],
        )
        self._tell(check_setup(data["setup"]))

    def _tell(self, problems: Sequence[Problem]) -> None:
        """Each problem beside what it is about: a row of the names, or a field."""
        filled = [row for row, name in enumerate(self.rows) if tidy(name)]
        names = dict(enumerate(self.names, start=1))
        for problem in problems:
            sentence = messages.sentence(problem, names)
            if problem.code == "name_twice":  # spelled as the first one is
                first = {"name": names[int(str(problem.params["other"]))]}
                sentence = messages.sentence(replace(problem, params=first), names)
            if problem.code == "players_number" and len(names) < MIN_PLAYERS:
                sentence = _("Two names are needed.")
            if problem.seat is not None:
                self.row_faults.setdefault(filled[problem.seat - 1], sentence)
            elif problem.field == "players":
                self.add_error(None, sentence)
            else:
                self.add_error(problem.field, sentence)


def _reader(name: str) -> Any:
    meaning = {code(value): value for value in rule_words.values(name)}
    return meaning.__getitem__


def as_typed(setup: Setup, *, auto: bool = False) -> MultiValueDict[str, Any]:
    """A set-up as the form carries it; `auto`: its set is only proposed."""
    rules = setup.rules
    data: MultiValueDict[str, Any] = MultiValueDict({"player": list(setup.players)})
    show = {
        "name": setup.name,
        "played_on": "" if setup.played_on is None else setup.played_on.isoformat(),
        "first_engine": "" if setup.first_engine is None else str(setup.first_engine),
        "rounds": "" if setup.rounds is None else str(setup.rounds),
        "deal": "" if rules.deal is None else str(rules.deal),
        "max_pip": str(rules.max_pip),
        "set_auto": str(rules.max_pip) if auto else "",
        **card_as_typed(rules),
    }
    for name, value in show.items():
        data[name] = value
    if setup.second_person:
        data["second_person"] = "on"
    return data


def card_as_typed(rules: RuleSet) -> dict[str, str]:
    fields = {name: code(getattr(rules, name)) for name in RULES}
    return {"preset": rules.preset, "card_of": rules.preset, **fields}


def follow_card(data: MultiValueDict[str, Any], *, keep_own: bool) -> None:
    """Show the values of another preset that was chosen; `keep_own`: not over those that were changed."""
    chosen, shown = str(data.get("preset")), str(data.get("card_of"))
    if chosen == shown or chosen not in PRESETS:
        return
    own: Mapping[str, str] = {}
    if keep_own and shown in PRESETS:
        before = card_as_typed(PRESETS[shown])
        own = {name: str(data[name]) for name in RULES if name in data and data[name] != before[name]}
    for name, value in {**card_as_typed(PRESETS[chosen]), **own}.items():
        data[name] = value


def follow_players(data: MultiValueDict[str, Any], last_set: int | None) -> None:
    """Propose the set for as many as are named, until it was touched: the device's last, else what suits."""
    if not data.get("set_auto") or data.get("max_pip", data["set_auto"]) != data["set_auto"]:
        data["set_auto"] = ""
        return
    form = SetUpForm(data)
    seats = max(MIN_PLAYERS, len(form.names))
    rules = form.rules()
    if last_set in SETS and rule_words.has_tiles(rules, last_set, seats):
        proposed = last_set
    else:
        proposed = suits(rules, seats)
    data["max_pip"] = data["set_auto"] = str(proposed)


class DeviceForm(forms.Form):
    """How one phone looks, and whose name its entries carry."""

    who = NameField(required=False, max_length=NAME_LENGTH)
    theme = forms.ChoiceField(
        choices=[
            ("auto", gettext_lazy("Auto")),
            ("light", gettext_lazy("Light")),
            ("dark", gettext_lazy("Dark")),
        ]
    )
    big_text = forms.BooleanField(required=False)
    left_handed = forms.BooleanField(required=False)
    awake = forms.BooleanField(required=False)


class PersonForm(forms.Form):
    """What others are shown of somebody with an account. It is part of signing up, too."""

    name = NameField(label=gettext_lazy("Name"), required=False, max_length=NAME_LENGTH)

    def signup(self, request: HttpRequest, user: User) -> None:
        """django-allauth calls this once the account is there."""
        name_change(user=user, name=self.cleaned_data["name"])


class TokenForm(forms.Form):
    """The name by which its maker knows a token again."""

    name = NameField(
        label=gettext_lazy("Name of a new token"),
        max_length=NAME_LENGTH,
        error_messages={"required": gettext_lazy("The token has no name yet. What is it for?")},
    )
