"""Records that are written tap by tap: two phones, taps sent twice, broken rules, what is forgotten."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from io import StringIO
from random import Random

import pytest
from django.core.management import call_command
from django.db import IntegrityError, transaction
from django.utils import timezone

from games import drafts
from games.attached import record_of_round
from games.drafts import Against, Behind, draft_drop, draft_start, draft_tap, record_of
from games.engine import writing
from games.engine.reading import parse_record
from games.engine.record import Record, print_record
from games.engine.rules import PRESETS
from games.engine.suits import numbers, tile_text
from games.engine.taps import Tap, read_tap
from games.engine.writing import last_step
from games.models import RecordDraft
from games.selectors import sheet_of
from games.services import Refused
from tests.cast import start

pytestmark = pytest.mark.django_db

HEADER = "rules: gamerules\nset: 6\nplayers: A=Ann, B=Ben\ndeal: 4\nengine: 6-6\nstart: A\n"


def begin(text: str = HEADER, most: int = 60) -> RecordDraft:
    return draft_start(record=parse_record(text), address="1", most=most)


def tap(draft: RecordDraft, *taps: str) -> RecordDraft:
    for text in taps:
        one = read_tap(text, record_of(draft))
        assert one is not None, text
        draft = draft_tap(draft=draft, version=draft.version, tap=one)
    return draft


def test_taps_are_written_and_taken_back_to_the_start() -> None:
    draft = begin()
    empty = draft.text
    draft = tap(draft, "lay:6-3:A", "draw", "pass", "lay:3-3:A")
    assert draft.text == HEADER + "1. A 6-3>A\n2. B + -\n3. A 3-3>A\n"
    assert draft.version == 5
    draft = tap(draft, "undo", "undo", "undo", "undo")
    assert (draft.text, draft.version) == (empty, 9)
    assert tap(draft, "undo").version == 9


def test_the_slower_of_two_phones_sees_what_is_there() -> None:
    first = begin()
    second = RecordDraft.objects.get(pk=first.pk)
    tap(first, "lay:6-3:A")
    with pytest.raises(Behind) as behind:
        tap(second, "lay:6-2:A")
    assert behind.value.draft.text.endswith("1. A 6-3>A\n")
    assert RecordDraft.objects.get().version == 2
    with pytest.raises(Behind):
        draft_drop(draft=second, version=1)


def test_a_tap_that_is_sent_twice_is_one() -> None:
    draft = begin()
    for _ in range(2):
        after = draft_tap(draft=draft, version=1, tap=Tap("lay", 24, "A"))
    assert (after.version, after.text.count("6-3")) == (2, 1)
    tap(after, "draw")
    with pytest.raises(Behind):
        draft_tap(draft=draft, version=1, tap=Tap("lay", 24, "A"))


def test_what_was_taken_back_is_done_again_until_something_else_is_written() -> None:
    taps = ("lay:6-3:A", "draw", "pass", "lay:3-3:A")
    draft = tap(begin(), *taps)
    texts = [draft.text]
    for _tap in taps:
        draft = tap(draft, "undo")
        texts.append(draft.text)
    for text in reversed(texts[:-1]):
        draft = tap(draft, "redo")
        assert draft.text == text
    assert (draft.version, draft.undone) == (13, "")
    assert tap(draft, "redo").version == 13
    draft = tap(draft, "undo", "undo", "lay:6-2:B")
    assert draft.undone == ""
    assert tap(draft, "redo") == draft


def test_undo_and_redo_sent_twice_are_one_each_and_any_other_tap_is_behind() -> None:
    """By two phones, or by one whose answer was lost."""
    draft = tap(begin(), "lay:6-3:A", "draw", "pass")
    for do, lines in (
        ("undo", "2. B +\n"),
        ("undo", "1. A 6-3>A\n"),
        ("redo", "2. B +\n"),
        ("redo", "2. B + -\n"),
    ):
        shown = draft.version
        for _ in range(2):
            draft = draft_tap(draft=draft, version=shown, tap=Tap(do))
        assert (draft.version, draft.text.endswith(lines)) == (shown + 1, True)
        for other in {"undo", "redo", "pass"} - {do}:
            with pytest.raises(Behind):
                draft_tap(draft=draft, version=shown, tap=Tap(other))
    with pytest.raises(Behind):
        draft_tap(draft=draft, version=shown - 1, tap=Tap("redo"))


def test_a_record_that_is_begun_otherwise_has_nothing_to_do_again() -> None:
    draft = tap(begin(), "lay:6-3:A", "undo")
    assert draft.undone
    other = draft_start(
        record=parse_record(HEADER.replace("deal: 4", "deal: 5")), address="1", most=60, empty=draft
    )
    assert (other.pk, other.undone, other.last_tap) == (draft.pk, "", "")


def chain(record: Record) -> list[str]:
    """The model: what is written, step by step from nothing to all of it."""
    states = [print_record(record)]
    while last_step(record) is not None:
        record = writing.taken_back(record)
        states.append(print_record(record))
    return states[::-1]


def any_tap(rng: Random, record: Record) -> str:
    """Something that may be tapped now; now and then what breaks a rule, for who is sure."""
    at = writing.now(record)
    who = rng.choice(record.players)
    if record.ended:
        tile = tile_text(rng.randrange(28))
        return rng.choice((f"!left:{who}:{tile}", f"!left:{who}:{tile}", f"points:{who}"))
    spots = [spot for spot in writing.spots(at) if spot.tiles]
    if spots and rng.random() < 0.7:
        spot = rng.choice(spots)
        return f"lay:{tile_text(rng.choice(list(numbers(spot.tiles))))}:{spot.train}"
    sure = (
        "!blocked",
        f"!out:{who}",
        "!unmoved",
        f"!pass:{who}",
        f"!lay:{tile_text(rng.randrange(28))}:{who}",
    )
    return rng.choice(("draw", "draw", "pass", "pass", "keep", "say", "draw:4-2", *sure))


@pytest.mark.parametrize("preset", PRESETS)
def test_any_taps_undos_and_redos_are_a_list_with_a_cursor(preset: str) -> None:
    """Also after broken rules, ends by word, hands and points told; the same from each phone's row."""
    rng = Random(preset)
    redone = 0
    for _round in range(4):
        names = ", ".join("ABCD"[: rng.randint(2, 4)])
        rules = replace(PRESETS[preset], max_pip=6)
        draft = begin(f"rules: {rules.preset}\nset: 6\nplayers: {names}\ndeal: 3\nengine: 6-6\nstart: A\n")
        model, cursor = [draft.text], 0
        for _ in range(70):
            do = rng.choice(("undo", "undo", "redo", "redo", "tap", "tap", "tap"))
            record = record_of(draft)
            before = draft.version
            one = Tap(do) if do != "tap" else read_tap(any_tap(rng, record), record, str(rng.randint(0, 40)))
            assert one is not None
            try:
                draft = draft_tap(draft=draft, version=before, tap=one)
            except Against:
                continue
            if do == "tap" and draft.version != before:
                model = chain(record_of(draft))
                cursor = len(model) - 1
            elif do != "tap":
                was = cursor
                cursor = max(0, cursor - 1) if do == "undo" else min(len(model) - 1, cursor + 1)
                assert draft.version == before + (cursor != was)
                redone += do == "redo" and cursor != was
            assert draft.text == model[cursor]
            assert bool(draft.undone) == (cursor < len(model) - 1)
            assert not draft.undone or draft.undone == model[-1]
    assert redone > 20


def test_what_breaks_a_rule_is_written_for_who_is_sure_and_nothing_follows() -> None:
    draft = tap(begin(), "lay:6-3:A")
    with pytest.raises(Against) as no:
        tap(draft, "lay:3-1:A")
    assert no.value.problem.code == "train_closed"
    assert RecordDraft.objects.get().version == 2
    draft = tap(draft, "!lay:3-1:A")
    for text in ("pass", "!pass", "!blocked", "!keep"):
        with pytest.raises(Against):
            tap(draft, text)
    draft = tap(draft, "undo")
    assert draft.text == HEADER + "1. A 6-3>A\n"
    for text in ("left:A:5-5", "points:A", "say"):
        with pytest.raises(Against) as no:
            tap(draft, text)
        assert no.value.problem.code == "going"


def test_what_is_no_tap_is_not_read() -> None:
    record = parse_record(HEADER)
    for text in (
        *("", "lay", "lay:6-3", "lay:6-3:Z", "lay:6-3:<script>", "lay:six:A", "lay:100-1:A", "lay:6-3:A:Z"),
        *(
            "draw:A",
            "pass:Z",
            "left:B",
            "left:M:1-1",
            "out",
            "out:M",
            "undo:A",
            "redo:A",
            "!",
            "drop",
            "lay:6-3:A:B:C",
        ),
    ):
        assert read_tap(text, record) is None, text
    for points in ("x", "1.5", "99999", "²"):
        assert read_tap("points:A", record, points) is None, points
    assert read_tap("points:A", record, "") == Tap("points", player="A")
    assert read_tap("!lay:99-1:A", record) is not None


def test_a_tile_of_no_set_can_be_written_and_is_judged() -> None:
    draft = tap(begin(), "!lay:99-1:A")
    assert record_of(draft).turns[0].player == "A"
    step = last_step(record_of(draft))
    assert step is not None
    assert step.player == "A"


def test_the_end_is_told_tile_by_tile() -> None:
    taps = ("lay:6-3:A", "lay:6-2:B", "lay:3-1:A", "lay:2-1:B", "lay:1-0:A", "lay:1-4:B", "lay:2-0:A")
    draft = tap(begin(), *taps)
    assert draft.text.endswith("out: A\n")
    draft = tap(draft, "left:B:5-5")
    assert draft.text.endswith("out: A\nleft B: 5-5\n")
    with pytest.raises(Against) as no:
        tap(draft, "left:A:5-5")
    assert no.value.problem.code == "tile_twice"
    assert tap(draft, "left:B:5-5").text.endswith("out: A\n")


@pytest.mark.usefixtures("one_minute")
def test_an_address_begins_so_many_a_minute() -> None:
    begin(most=1)
    with pytest.raises(Refused) as no:
        begin(most=1)
    assert no.value.code == "throttled"
    assert RecordDraft.objects.count() == 1


def test_a_hand_with_the_engine_that_is_set_aside_is_refused() -> None:
    with pytest.raises(Refused) as no:
        begin(HEADER + "hand A: 6-6 1-1 2-2 3-3\n")
    assert [problem.code for problem in no.value.problems] == ["already_laid"]


def test_a_record_does_not_grow_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drafts, "MOST_TEXT", len(HEADER) + 5)
    draft = begin()
    with pytest.raises(Refused) as no:
        tap(draft, "lay:6-3:A")
    assert no.value.problems[0].code == "record_long"


def test_a_round_has_one_record_that_is_being_written() -> None:
    game = start(("Ann", "Ben; = Big, Ben"), preset="gamerules").sheet.game
    record = record_of_round(sheet_of(game), 1)
    assert record is not None
    about = {"record": record, "address": "1", "most": 60, "game": game, "round_number": 1}
    one, other = draft_start(**about), draft_start(**about)  # type: ignore[arg-type]
    assert one.pk == other.pk
    assert print_record(record_of(one)) == one.text
    game.delete()
    assert RecordDraft.objects.count() == 0


def test_what_nobody_looked_at_for_half_a_year_is_removed() -> None:
    kept, gone = begin(), begin()
    long_ago = timezone.localdate() - timedelta(days=181)
    RecordDraft.objects.update(touched_on=long_ago)
    kept.refresh_from_db()
    drafts.draft_seen(kept)
    said = StringIO()
    call_command("remove_games", "--dry-run", stdout=said)
    assert "1 unfinished record to be removed." in said.getvalue()
    call_command("remove_games", stdout=said)
    assert "1 unfinished record removed." in said.getvalue()
    assert list(RecordDraft.objects.values_list("pk", flat=True)) == [kept.pk]
    assert gone.pk != kept.pk


def test_a_draft_of_a_game_says_of_which_round(db: None) -> None:
    game = start().sheet.game
    with pytest.raises(IntegrityError), transaction.atomic():
        RecordDraft.objects.create(text="", game=game)
