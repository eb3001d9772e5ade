"""A record that is being written: the page, each tap on it, its news, and the text to take along.

Knows HTTP. Must not judge: the engine says what may be done, `drafts` writes it. Whoever has the address may
write: it is as long as a key.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages as notices
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.http import HttpResponseClientRedirect

from games import drafts, round_records, selectors
from games.agreement_words import refusal
from games.drafts import Against, Behind
from games.engine import writing
from games.engine.errors import Problem
from games.engine.record import Left, Record, print_record
from games.engine.replay import Replay, replay
from games.engine.taps import Tap, read_tap
from games.messages import number
from games.models import RecordDraft
from games.permissions import Access
from games.services import Refused, Written
from games.shared_records import work_counted
from games.web.access import address, opened
from games.web.device import DeviceRequest
from games.web.round_record import by_record, is_in, write_untouched
from games.web.write.mine import KEY, remember
from games.web.write.shown import Chosen, Said, Shown, persons_of, read_chosen, said_of, turn_of

DROP, SAVE, ATTACH = "drop", "save", "attach"


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def written(request: DeviceRequest, key: str) -> HttpResponse:
    """The page, and one tap on it."""
    draft = _draft(key)
    if draft is None:
        return _gone(request)
    if request.method == "POST":
        return _tap(request, draft)
    drafts.draft_seen(draft)
    return _show(request, draft)


@require_safe
@never_cache
def written_live(request: DeviceRequest, key: str) -> HttpResponse:
    """The page anew for an open one that shows something older; 204 by one query while it does not."""
    draft = _draft(key)
    if draft is None:
        return _gone(request)
    if request.GET.get("v") == draft.stamp:
        return HttpResponse(status=204)
    return _show(request, draft, on=str(request.GET.get("on", "")))


def _draft(key: str) -> RecordDraft | None:
    return RecordDraft.objects.select_related("game").filter(key=key).first()


def _gone(request: DeviceRequest) -> HttpResponse:
    """An open page is told that its record was thrown away on another phone, and where to go on."""
    slug = str((request.POST or request.GET).get("game", ""))
    known = KEY.fullmatch(slug) and opened(request, slug) is not None
    if not request.htmx and not known:
        raise Http404
    notices.warning(request, _("The record that was being written was thrown away."))
    where = reverse("board", args=[slug]) if known else reverse("write")
    return HttpResponseClientRedirect(where) if request.htmx else redirect(where)


@require_safe
@never_cache
def written_text(request: DeviceRequest, key: str) -> HttpResponse:
    """The record as a file."""
    draft = get_object_or_404(RecordDraft, key=key)
    record = drafts.record_of(draft)
    answer = HttpResponse(whole_text(record), content_type="text/plain; charset=utf-8")
    answer["Content-Disposition"] = 'attachment; filename="round.train"'
    return answer


def whole_text(record: Record, found: Replay | None = None) -> str:
    """The record with the points that its tiles tell; `found`: its replay, where there is one."""
    record = writing.judged(record)
    if found is None:
        found = replay(record, budget=drafts.budget(record))
    scores = found.scores if record.ended else None
    return print_record(record if scores is None else writing.with_scores(record, dict(scores)))


def _tap(request: DeviceRequest, draft: RecordDraft) -> HttpResponse:
    data = request.POST
    sent = str(data.get("do", ""))[:80]
    record = drafts.record_of(draft)
    version = _version(str(data.get("version", "")))
    try:
        if sent == DROP:
            drafts.draft_drop(draft=draft, version=version)
            return _leave(request, draft)
        if sent in (SAVE, ATTACH):
            return _into_round(request, draft, sent)
        player = sent.removeprefix("!").partition(":")[2]
        points = str(data.get(f"points-{player}", ""))[:20]
        tap = read_tap(sent, record, points)
        if tap is None:
            unread = sent.partition(":")[0] == "points" and player in record.players
            problem = Problem("points_unread" if unread else "no_tap", params={"given": points})
            return _refused(request, draft, problem, "", points=points)
        draft = drafts.draft_tap(draft=draft, version=version, tap=tap)
    except Against as no:
        return _refused(request, draft, no.problem, sent)
    except Refused as no:
        return _refused(request, draft, no.problems[0], "")
    except Behind as behind:
        return _behind(request, behind.draft, sent)
    query = _stays(request, drafts.record_of(draft), tap)
    return redirect(reverse("written", args=[draft.key]) + query)


def _behind(request: DeviceRequest, draft: RecordDraft, sent: str) -> HttpResponse:
    """The record as it stands now; points that were typed are still there, to be sent again."""
    what, _colon, player = sent.partition(":")
    chosen = Chosen(who=player) if what == "points" else Chosen()
    points = str(request.POST.get(f"points-{player}", ""))[:20]
    said = Said(_("Something else was written meanwhile."), _("This is the record as it stands now."), "")
    return _show(request, draft, said=said, status=409, chosen=chosen, points=points)


def _into_round(request: DeviceRequest, draft: RecordDraft, what: str) -> HttpResponse:
    """Take the record's scores into its round, or attach it: for whoever keeps score in that game."""
    access = _scorer(request, draft)
    if draft.round_number is None:
        raise PermissionDenied
    if access is None:
        no_longer = _("This phone no longer keeps score in this game.")
        said = Said(no_longer, _("What is written stays. Ask the table for the link that keeps score."), "")
        return _show(request, draft, said=said, status=422 if request.htmx else 403)
    record = drafts.record_of(draft)
    half = [persons_of(record)[player].name for player in writing.half_told(writing.now(record))]
    if half:
        part = _("%(who)s’s hand is told in part.") % {"who": half[0]}
        said = Said(part, _("Tell the rest, or take those tiles back."), "")
        return _show(request, draft, said=said, status=422, access=access)
    text = whole_text(record)
    shown = _version(str(request.POST.get("game_version", "")))
    about = {"text": text, "who": request.device.who}
    write: Callable[..., Written] = round_records.record_attach
    if what == SAVE:
        write = round_records.record_take_scores
        about |= {"device": request.device.identified(), "reason": by_record(len(record.turns))}
    try:
        done = is_in(selectors.sheet_of(access.game), draft.round_number, text) or write_untouched(
            access.game, draft.round_number, shown, write, **about
        )
    except Refused as no:
        names = selectors.sheet_of(access.game).names()
        problem = no.problems[0] if no.problems else Problem(no.code)
        said = Said(refusal(problem, names), "", "")
        return _show(request, draft, said=said, status=422, access=access)
    if not done:
        said = Said(_("The round was changed meanwhile."), _("Look again, then save."), "")
        return _show(request, draft, said=said, status=409, access=access, chosen=Chosen())
    return _leave(request, draft)


def _scorer(request: DeviceRequest, draft: RecordDraft) -> Access | None:
    """What opens the draft's game here, if it may write in it."""
    if draft.game is None:
        return None
    access = opened(request, draft.game.slug)
    return access if access is not None and access.may_score and not access.deleted else None


def _saves(
    request: DeviceRequest, draft: RecordDraft, shown: Shown, text: str, access: Access | None
) -> dict[str, Any]:
    """The buttons that take the record into its round, once it is whole; or that it is in."""
    scores = shown.found.scores
    whole = shown.record.ended and shown.found.verdict == "legal" and scores and None not in scores.values()
    whole = whole and not writing.half_told(shown.at)
    access = (access or _scorer(request, draft)) if whole else None
    if access is None or draft.round_number is None:
        return {}
    sheet = selectors.sheet_of(access.game)
    if is_in(sheet, draft.round_number, text):
        return {"is_in": True}
    there = sheet.round(draft.round_number) is not None
    save = _("Take these scores") if there else _("Save round %(number)s")
    return {
        "may_save": True,
        "may_attach": there,
        "save_words": save % {"number": number(draft.round_number)},
    }


def _version(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0


def _stays(request: DeviceRequest, record: Record, tap: Tap) -> str:
    """Telling a hand goes on with it, until it is whole; anything else begins anew with what is likely."""
    told = [one for one in record.told if isinstance(one, Left) and one.player == tap.player]
    if tap.what != "left" or not told or tap.player is None:
        return ""
    if len(told[0].tiles) == writing.now(record).state.count(tap.player):
        return ""
    kept = [(name, str(request.GET[name])) for name in ("who", "half") if name in request.GET]
    return f"?{urlencode(kept)}" if kept else ""


def _of(draft: RecordDraft) -> dict[str, str]:
    """What the page is called, and where it leads back to."""
    if draft.game is None or draft.round_number is None:
        return {"heading": _("Write a round down"), "back": reverse("write")}
    heading = _("Writing round %(number)s") % {"number": number(draft.round_number)}
    return {"heading": heading, "back": reverse("board", args=[draft.game.slug])}


def _leave(request: DeviceRequest, draft: RecordDraft) -> HttpResponse:
    """To the game's board, or to where another record begins; by htmx too."""
    answer = redirect("write") if draft.game is None else redirect("board", draft.game.slug)
    return HttpResponseClientRedirect(answer["Location"]) if request.htmx else answer


def _refused(
    request: DeviceRequest, draft: RecordDraft, problem: Problem, sent: str, *, points: str = ""
) -> HttpResponse:
    said = said_of(drafts.record_of(draft), problem, sent)
    return _show(request, draft, said=said, status=422, points=points)


def _show(
    request: DeviceRequest,
    draft: RecordDraft,
    *,
    said: Said | None = None,
    status: int = 200,
    access: Access | None = None,
    points: str = "",
    chosen: Chosen | None = None,
    on: str = "",
) -> HttpResponse:
    """`points`: as typed, where they were not written. `chosen`: rather than what the address says.

    `on`: in whose turn the page's choice was made.
    """
    record = drafts.record_of(draft)
    chosen = chosen or read_chosen(request.GET, record)
    try:
        with work_counted(address(request)):
            shown = Shown(record, chosen, drafts.undone_of(draft), on)
    except Refused:
        of = _of(draft)
        about = {"back": of["back"], "title": of["heading"]}
        return render(request, "records/later.html", about, status=429)
    whole = whole_text(record, shown.found)
    page = {
        **shown.context(),
        **_saves(request, draft, shown, whole, access),
        "whole": whole,
        "typed_points": points,
        "unread": status == 422,
        "draft": draft,
        "said": said,
        "here": reverse("written", args=[draft.key]),
        "query": shown.chosen.query,
        "text": print_record(record),
        "turn_words": _("turn %(turn)s") % {"turn": number(turn_of(shown.at))},
        **_of(draft),
    }
    return remember(request, render(request, "write/write.html", page, status=status), draft)
