"""The record of a round: what it says beside the round, and for who keeps score what can be done with it.

Knows the form. Must not judge or write: the services do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.contrib import messages as notices
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.agreement_words import Row, heading, refusal, rows
from games.attached import MOST_CHARACTERS, agreement, as_kept, played, record_of_round
from games.engine.agreement import Agreement, claim_by
from games.engine.errors import Problem
from games.engine.record import print_record
from games.messages import Message, sentence
from games.messages import number as figure
from games.models import Game, RecordMark
from games.permissions import Access
from games.record_names import Named
from games.record_words import sentence as breach_sentence
from games.round_records import (
    Attached,
    read_record,
    record_attach,
    record_of,
    record_remove,
    record_take_scores,
    told_hand,
    why_not_taken,
)
from games.selectors import Log, Sheet, log_of, sheet_of
from games.services import Conflict, Refused, Written, round_check
from games.shared_records import work_counted
from games.web.access import address, reads
from games.web.actions import meanwhile, shown_version
from games.web.device import DeviceRequest
from games.web.effect import effects_words, sheet_with
from games.web.people import Person, people
from games.web.records.check import mended_record, no_record, opened_file, unread_of
from games.web.records.verdict import verdict_page
from games.web.titles import game_title

PAGE = "games/round_record.html"
STEPS = "games/round_record_steps.html"  # once it is attached
TRIES = 3  # how often a write that collided with other changes of the game is tried again


class Told(NamedTuple):
    """What the record tells of one hand."""

    person: Person
    points: str
    out: bool
    tiles: str


class Choice(NamedTuple):
    """A player of the record, and the seat that is taken for theirs."""

    field: str
    name: str
    seat: int


@dataclass(frozen=True, slots=True)
class Shown:
    """A record beside its round. `takes`: its scores can become the round's, with `effect`."""

    found: Attached
    agreement: Agreement
    heading: Message
    breach: str
    rows: Sequence[Row]
    hands: Sequence[Told]
    choices: Sequence[Choice]
    turns: int
    takes: bool
    problems: Sequence[str]
    effect: str


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@reads
def record(request: DeviceRequest, access: Access, number: int) -> HttpResponse:
    """Whoever reads the game sees it; of the coming round only who keeps score, who may enter it by one."""
    sheet = sheet_of(access.game)
    coming = sheet.round(number) is None
    if request.method == "POST" and not access.may_score:
        raise PermissionDenied
    if coming and number != sheet.next_number:
        if request.method != "POST":
            raise Http404
        notices.warning(request, meanwhile(access))
        return redirect("board", access.game.slug)
    if request.method == "POST":
        return _do(request, access, sheet, number)
    if coming and not access.may_score:
        return redirect("round_sheet", access.game.slug, number)
    found = record_of(sheet, number)
    if found is None:
        return _page(request, access, sheet, number, None)
    return _steps(request, access, sheet, number, found)


def _steps(
    request: DeviceRequest, access: Access, sheet: Sheet, number: int, found: Attached
) -> HttpResponse:
    """The page of any record, with what it says of its round and what can be done with it."""
    return verdict_page(
        request,
        found.text,
        here=request.path,
        back=reverse("round_sheet", args=[access.game.slug, number]),
        title=_("Record of round %(number)s") % {"number": number},
        template=STEPS,
        more=_context(access, sheet, number, found, replayed=True)
        | {"draft_done": f"record:{access.game.slug}:{number}"},
    )


# What is done


def _do(request: DeviceRequest, access: Access, sheet: Sheet, number: int) -> HttpResponse:
    do, text = request.POST.get("do", ""), request.POST.get("record", "")
    if do == "remove":
        return _write(
            request, access, number, record_remove, same=lambda sheet: _text_of(sheet, number) == ""
        )
    if do == "take" and "record" not in request.POST:
        return _take(request, access, sheet, number)
    opened, fault = opened_file(request)
    text = text if opened is None else opened
    if fault or not text.strip():
        said = [fault or no_record()]
        return _page(request, access, sheet, number, None, text=text, said=said, status=422)
    try:
        with work_counted(address(request)):
            if do == "mend":
                return _mended(request, access, sheet, number, text)
            found = read_record(sheet, number, text, seats_said(request))
    except Refused as refused:
        unread = [one for one in refused.problems if "line" in one.params]
        said = [refusal(one, sheet.names()) for one in refused.problems if one not in unread]
        if refused.code == "throttled":
            said = [_("That is a lot at once. Wait a minute, then try again.")]
        status = 429 if refused.code == "throttled" else 422
        return _page(request, access, sheet, number, None, text=text, said=said, unread=unread, status=status)
    if do == "take":
        return _take(request, access, sheet, number, found)
    if do == "check" or sheet.round(number) is None:
        return _page(request, access, sheet, number, found, text=text)
    return _write(
        request,
        access,
        number,
        lambda **about: record_attach(text=found.text, seats=found.seats, **about),
        then="record",
        new=found,
        same=lambda sheet: _text_of(sheet, number) == found.text,
    )


def _mended(request: DeviceRequest, access: Access, sheet: Sheet, number: int, text: str) -> HttpResponse:
    """The form with the record's own signs in its field."""
    new = mended_record(text)
    return _page(
        request,
        access,
        sheet,
        number,
        None,
        text=new.text,
        unread=new.unread,
        mended=new.said,
        status=new.status,
    )


def _text_of(sheet: Sheet, number: int) -> str:
    found = record_of(sheet, number)
    return "" if found is None else found.text


def seats_said(request: DeviceRequest) -> dict[str, int]:
    """Who is said to sit where: fields `seat-A`."""
    fields = [name for name in request.POST if name.startswith("seat-")]
    given = {name[5:]: str(request.POST.get(name)) for name in fields}
    return {
        player: int(seat)
        for player, seat in given.items()
        if seat.isascii() and seat.isdecimal() and len(seat) < 4
    }


def _take(
    request: DeviceRequest, access: Access, sheet: Sheet, number: int, new: Attached | None = None
) -> HttpResponse:
    found = new or record_of(sheet, number)
    if found is None:
        notices.warning(request, meanwhile(access))
        return redirect("board", access.game.slug)
    about = {} if new is None else {"text": new.text, "seats": new.seats}
    reason = by_record(len(found.facts.record.turns))

    def take(**more: object) -> Written:
        device = request.device.identified()
        return record_take_scores(reason=reason, device=device, **about, **more)  # type: ignore[arg-type]

    try:
        return _write(
            request,
            access,
            number,
            take,
            refuses=True,
            new=new,
            same=lambda sheet: (
                is_in(sheet, number, found.text)
                and (new is not None or not _other_record(log_of(sheet.game), number, shown_version(request)))
            ),
        )
    except Refused as refused:
        said = [refusal(one, sheet.names()) for one in refused.problems]
        if new is None:
            notices.warning(request, " ".join(said))
            return redirect("record", access.game.slug, number)
        return _page(request, access, sheet, number, new, text=new.text, said=said, status=422)


def by_record(turns: int) -> str:
    """The reason in the log, where a round is what its record says."""
    return _("By the record of the round, %(turns)s turns.") % {"turns": figure(turns)}


def _write(
    request: DeviceRequest,
    access: Access,
    number: int,
    write: Callable[..., Written],
    *,
    then: str = "board",
    refuses: bool = False,
    new: Attached | None = None,
    same: Callable[[Sheet], bool],
) -> HttpResponse:
    """Do it, as long as neither round nor record changed since the page was shown.

    `new`: the record that was sent, which is shown again beside what the round is now. `same`: it is as it
    was meant to become, by a second tap or on another phone.
    """
    game = access.game
    try:
        done = write_untouched(game, number, shown_version(request), write, who=request.device.who)
    except Refused as refused:
        if refuses:
            raise
        names = sheet_of(game).names()
        notices.warning(request, " ".join(refusal(one, names) for one in refused.problems))
        return redirect("board", game.slug)
    sheet = sheet_of(game)
    if done or same(sheet):
        return redirect("board", game.slug) if then == "board" else redirect(then, game.slug, number)
    notices.warning(request, meanwhile(access))
    if new is None or (sheet.round(number) is None and number != sheet.next_number):
        return redirect("board", game.slug)
    return _page(request, access, sheet, number, new, text=new.text, status=409)


def is_in(sheet: Sheet, number: int, text: str) -> bool:
    """Whether round `number` has this record already, and agrees with it."""
    entry = sheet.round(number)
    if entry is None or entry.record != RecordMark.AGREES:
        return False
    found = record_of(sheet, number)
    return found is not None and found.text == as_kept(text)


def write_untouched(
    game: Game, number: int, shown: int, write: Callable[..., Written], **about: object
) -> bool:
    """Write, though other rounds changed since version `shown`; False, and nothing, if this one did."""
    for _attempt in range(TRIES):
        if _touched(sheet_of(game), number, shown):
            break
        try:
            write(game=game, number=number, version=game.version, **about)
        except Conflict as conflict:
            game = conflict.sheet.game  # what changed meanwhile may be another round
        else:
            return True
    return False


def _touched(sheet: Sheet, number: int, shown: int) -> bool:
    log = log_of(sheet.game)
    return shown > sheet.game.version or log.touched(number, shown) or _other_record(log, number, shown)


def _other_record(log: Log, number: int, shown: int) -> bool:
    """Whether the round's record is another one than at version `shown`."""
    since = (line for line in log.entries if line.number > shown)
    return any(str(number) in line.after.get("records", {}) for line in since)


# What is shown


def shown_record(sheet: Sheet, number: int, found: Attached, *, replayed: bool = False) -> Shown:
    """A record beside round `number`, with what taking its scores would do.

    `replayed`: on a page that replays it, and says how its moves were.
    """
    names, facts = sheet.names(), found.facts
    agreed = agreement(sheet, number, facts, found.seats)
    entry = sheet.round(number)
    takes = not why_not_taken(sheet, number, found) and agreed.mark != "agrees"
    problems: list[str] = []
    effect = ""
    if takes:
        claim = claim_by(facts, played(sheet, number), found.seats)
        check = round_check(sheet, number, claim)
        problems = [sentence(one, names) for one in check.problems]
        takes = not problems and (entry is None or bool(agreed.differences))
        if takes and entry is not None:  # of a new round everybody's total changes, and the hands are listed
            effect = effects_words(sheet, sheet_with(sheet, number, claim.ended, check))
    return Shown(
        found=found,
        agreement=agreed,
        heading=heading(agreed, facts, names, written=entry is not None, replayed=replayed),
        breach=_breach(found),
        rows=rows(agreed, facts, names),
        hands=list(_hands(sheet, number, found)),
        choices=[
            Choice(f"seat-{player}", Named(facts.record).player(player), found.seats.get(player, 0))
            for player in facts.record.players
        ],
        turns=len(facts.record.turns),
        takes=takes,
        problems=problems,
        effect=effect,
    )


def _breach(found: Attached) -> str:
    violation = found.facts.violation
    return "" if violation is None else breach_sentence(found.facts.record, violation)


def _hands(sheet: Sheet, number: int, found: Attached) -> Iterable[Told]:
    who = people(sheet.players)
    for seat in sheet.seats(number):
        hand = told_hand(found, seat)
        if hand is not None:
            tiles = " ".join(str(tile).replace("-", "\u2011") for tile in hand.tiles or ())
            yield Told(who[seat], figure(hand.points), hand.out, tiles)


def _page(
    request: DeviceRequest,
    access: Access,
    sheet: Sheet,
    number: int,
    found: Attached | None,
    *,
    text: str = "",
    said: Sequence[str] = (),
    unread: Sequence[Problem] = (),
    mended: Sequence[str] = (),
    status: int = 200,
) -> HttpResponse:
    """`found` is not attached yet. `said`, `unread`: why what was sent cannot be, and where in it; `mended`:
    what was done to it.
    """
    head = record_of_round(sheet, number)
    context = _context(access, sheet, number, found) | {
        "title": game_title(sheet),
        "said": said,
        "text": text,
        **unread_of(text, unread),
        "mended": mended,
        "draft": f"record:{access.game.slug}:{number}",
        "begins": "" if head is None else print_record(head),
        "most_pips": sheet.rules.max_pip,
    }
    return render(request, PAGE, context, status=status)


def _context(
    access: Access, sheet: Sheet, number: int, found: Attached | None, *, replayed: bool = False
) -> dict[str, object]:
    entry = sheet.round(number)
    persons = people(sheet.players)
    return {
        "game": sheet.game,
        "number": number,
        "entry": entry,
        "engine": sheet.next_engine if entry is None else entry.engine,
        "may_score": access.may_score,
        "most": MOST_CHARACTERS,
        "most_words": figure(MOST_CHARACTERS),
        "shown": None if found is None else shown_record(sheet, number, found, replayed=replayed),
        "seats": [persons[seat] for seat in sheet.seats(number)],
    }
