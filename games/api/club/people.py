"""The calls about a club itself: which there are, its links, joining, its members, its log."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework.exceptions import NotAuthenticated, NotFound
from rest_framework.request import Request

from games import clubs as services
from games.api import calls
from games.api.answers import answer, text
from games.api.authentication import TokenAuthentication, token_of
from games.api.calls import ApiView
from games.api.club import schema
from games.api.club.answers import club_data, entry_data, known_data, links_data, member_data
from games.api.club.calls import ClubApiView, after, body_as, forbidden
from games.api.club.filters import ClubFilters, ClubLogFilters, MemberFilters
from games.api.club.inputs import ClubChange, ClubInput, JoinInput, MemberChange, MembersInput, MergeInput
from games.api.errors import BadBody, flatten
from games.api.limits import count
from games.api.lists import page_of
from games.api.serializers import Strict
from games.club_messages import club_sentence
from games.engine.errors import Problem
from games.models import ApiToken, ClubEntry, ClubKey, ClubLink, Member
from games.permissions import ClubAccess, club_access, clubs_known
from games.services import WRONG_KEY, Refused


class AccountView(ApiView):
    """What needs an account, and no club yet."""

    authentication_classes = [TokenAuthentication]
    nothing = gettext_lazy("There is no such club, or this key does not open it.")

    def sentence(self, problem: Problem) -> str:
        return club_sentence(problem)

    def valid(self, body: Strict) -> Mapping[str, Any]:
        if not body.is_valid():
            raise BadBody(list(flatten(body.errors, body.initial_data)))
        data: Mapping[str, Any] = body.validated_data
        return data

    def entered(self, request: Request, token: ApiToken, slug: str, status: int) -> HttpResponse:
        access = club_access(slug, user=token.user)
        assert access is not None  # noqa: S101 - founded or joined just now
        return after(text(club_data(request, access)), status)


class ClubsView(AccountView):
    @schema.clubs_read
    def get(self, request: Request) -> HttpResponse:
        auth: Any = request.auth
        if auth is None:
            raise NotAuthenticated(
                _("A token or a reader’s key is needed, in the header “Authorization: Bearer TOKEN”.")
            )
        keys = [auth.pk] if isinstance(auth, ClubKey) else []
        user = None if keys else token_of(request).user
        found = page_of(request, ClubFilters, clubs_known(user, keys))
        return answer(found.data(known_data(request, club, club.role) for club in found.rows))

    @schema.club_found
    def post(self, request: Request) -> HttpResponse:
        token = token_of(request)
        body = body_as(request, ClubInput)
        data = self.valid(body)

        def found() -> HttpResponse:
            owner = data.get("owner", token.user.name)
            club = services.club_found(name=data["name"], user=token.user, owner=owner)
            return self.entered(request, token, club.slug, 201)

        return calls.once(request, found, body=body.initial_data, credential=f"token {token.pk}", again=after)


class JoinView(AccountView):
    @schema.club_join
    def post(self, request: Request) -> HttpResponse:
        """By an invitation; a wrong one counts as a wrong key."""
        token = token_of(request)
        body = body_as(request, JoinInput)
        data = self.valid(body)

        def join() -> HttpResponse:
            name = data.get("name", token.user.name)
            member = services.club_join(key=data["key"], user=token.user, name=name)
            return self.entered(request, token, member.club.slug, 200)

        try:
            return calls.once(
                request, join, body=body.initial_data, credential=f"token {token.pk}", again=after
            )
        except Refused as refused:
            if refused.code == "not_found":
                count(request, WRONG_KEY, most=settings.WRONG_KEYS_PER_MINUTE)
            raise


class ClubView(ClubApiView):
    needs = {"PATCH": "own"}
    dated = True

    @schema.club_read
    def get(self, request: Request, slug: str) -> HttpResponse:
        return self.told(self.club_data(self.opened.club))

    @schema.club_change
    def patch(self, request: Request, slug: str) -> HttpResponse:
        def change(**about: Any) -> Mapping[str, Any]:
            club = services.club_change(club=self.opened.club, **about)
            return self.club_data(club)

        return self.written(request, change, body_as(request, ClubChange))


class LinksView(ClubApiView):
    needs = {"GET": "organise"}
    dated = True

    @schema.club_links_read
    def get(self, request: Request, slug: str) -> HttpResponse:
        response = self.told(self.links(request))
        response["Cache-Control"] = "no-store"
        return response

    def links(self, request: Request) -> Mapping[str, Any]:
        return links_data(request, ClubKey.objects.filter(club=self.opened.club, revoked_at=None))


class LinkView(LinksView):
    needs = {"POST": "organise"}
    http_method_names = ["post"]

    @schema.club_link_replace
    def post(self, request: Request, slug: str, role: str) -> HttpResponse:
        if role not in ClubLink.values:
            raise NotFound

        def replace(**about: Any) -> Mapping[str, Any]:
            services.club_link_replace(club=self.opened.club, role=ClubLink(role), **about)
            return self.links(request)

        return self.written(request, replace)


class LeaveView(ClubApiView):
    needs = {"POST": "belong"}

    @schema.club_leave
    def post(self, request: Request, slug: str) -> HttpResponse:
        mine = self.opened.member
        if mine is None:
            raise NotFound

        def leave(**about: Any) -> Mapping[str, Any]:
            today = timezone.localdate()
            member = services.member_change(club=self.opened.club, number=mine.number, left_on=today, **about)
            return member_data(member)

        return self.written(request, leave)


class MembersView(ClubApiView):
    needs = {"GET": "belong", "POST": "organise"}
    dated = True

    @schema.members_read
    def get(self, request: Request, slug: str) -> HttpResponse:
        found = page_of(request, MemberFilters, there(self.opened).order_by("number"))
        return self.listed(found, map(member_data, found.rows))

    @schema.members_add
    def post(self, request: Request, slug: str) -> HttpResponse:
        def add(*, names: list[str], joined_on: date | None, **about: Any) -> Mapping[str, Any]:
            made = services.members_add(club=self.opened.club, names=names, joined_on=joined_on, **about)
            around = {"count": len(made), "next": None, "previous": None}
            return {**around, "results": list(map(member_data, made))}

        return self.written(request, add, body_as(request, MembersInput), status=201)


def there(access: ClubAccess) -> QuerySet[Member]:
    """Everybody once: not who is somebody else's second entry."""
    return Member.objects.filter(club=access.club, merged_into=None)


class MemberApiView(ClubApiView):
    dated = True

    def member(self, number: int) -> Member:
        found = there(self.opened).filter(number=number).first()
        if found is None:
            raise NotFound
        return found

    def may_change(self, member: Member) -> None:
        if not self.opened.may_change(member):
            raise forbidden(_("Only an owner changes owners and organisers."))


class MemberView(MemberApiView):
    needs = {"GET": "belong", "PATCH": "organise"}

    @schema.member_read
    def get(self, request: Request, slug: str, number: int) -> HttpResponse:
        return self.told(member_data(self.member(number)))

    @schema.member_change
    def patch(self, request: Request, slug: str, number: int) -> HttpResponse:
        found = self.member(number)
        self.may_change(found)
        body = body_as(request, MemberChange)

        def change(*, who: str, version: int | None, **about: Any) -> Mapping[str, Any]:
            changes = body.changes()
            if changes.get("role", found.role) not in (found.role, *self.opened.may_give()):
                raise forbidden(_("Only an owner changes owners and organisers."))
            member = services.member_change(
                club=self.opened.club, number=number, who=who, version=version, **changes
            )
            return member_data(member)

        return self.written(request, change, body)


class MemberAccountView(MemberApiView):
    needs = {"DELETE": "organise"}

    @schema.member_unlink
    def delete(self, request: Request, slug: str, number: int) -> HttpResponse:
        self.may_change(self.member(number))

        def unlink(**about: Any) -> Mapping[str, Any]:
            member = services.member_link(club=self.opened.club, number=number, user=None, **about)
            return member_data(member)

        return self.written(request, unlink)


class MergeView(MemberApiView):
    needs = {"POST": "organise"}

    @schema.member_merge
    def post(self, request: Request, slug: str, number: int) -> HttpResponse:
        gone = self.member(number)

        def merge(*, into: int, **about: Any) -> Mapping[str, Any]:
            kept = there(self.opened).filter(number=into).first()
            if kept is None:
                raise Refused("invalid", [Problem("member_unknown", field="into", params={"number": into})])
            if not self.opened.may_merge(gone, kept):
                raise forbidden(_("Only an owner changes owners and organisers."))
            return member_data(
                services.members_merge(club=self.opened.club, number=number, into=into, **about)
            )

        return self.written(request, merge, body_as(request, MergeInput))


class ClubLogView(ClubApiView):
    needs = {"GET": "belong"}
    dated = True

    @schema.club_log_read
    def get(self, request: Request, slug: str) -> HttpResponse:
        entries = ClubEntry.objects.filter(club=self.opened.club).order_by("-number")
        found = page_of(request, ClubLogFilters, entries)
        return self.listed(found, map(entry_data, found.rows))
