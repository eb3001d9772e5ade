"""Django's admin, for the operators of a site: users to help, games to look at, the log to read.

Knows what an operator may see and change. A game is changed at its table alone, so that its log stays whole;
no secret is shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allauth.account.decorators import secure_admin_login
from django import forms
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.models import Group
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from games.accounts import account_delete, club_keys_end
from games.models import AccessKey, ApiToken, Claim, Game, LogEntry, Player, User

if TYPE_CHECKING:
    ReadOnlyBase = admin.options.BaseModelAdmin[Any]
    GameAdminBase = admin.ModelAdmin[Game]
    LogAdminBase = admin.ModelAdmin[LogEntry]
    KeyInlineBase = admin.TabularInline[AccessKey, Game]
    PlayerInlineBase = admin.TabularInline[Player, Game]
    ClaimInlineBase = admin.TabularInline[Claim, User]
    TokenInlineBase = admin.TabularInline[ApiToken, User]
    UserAdminBase = DjangoUserAdmin[User]
else:
    ReadOnlyBase = object
    GameAdminBase = LogAdminBase = admin.ModelAdmin
    KeyInlineBase = PlayerInlineBase = ClaimInlineBase = TokenInlineBase = admin.TabularInline
    UserAdminBase = DjangoUserAdmin

# Operators sign in where everybody does, so that the same limits count.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]
admin.site.site_header = admin.site.site_title = _("Scorekeeper")
admin.site.unregister(Group)


class ReadOnly(ReadOnlyBase):
    """To be looked at: nothing is added, changed or deleted here."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class PlayerInline(ReadOnly, PlayerInlineBase):
    model = Player
    fields = ("seat", "order", "name", "from_round", "to_round", "start_total")
    ordering = ("seat",)


class KeyInline(ReadOnly, KeyInlineBase):
    """Which links a game has, without their secrets."""

    model = AccessKey
    fields = ("role", "created_at", "revoked_at")
    ordering = ("created_at",)


@admin.register(Game)
class GameAdmin(ReadOnly, GameAdminBase):
    list_display = ("slug", "name", "status", "version", "round_count", "created_at", "changed_at")
    list_filter = ("status", "created_at")
    search_fields = ("slug", "name", "players__name")
    ordering = ("-changed_at",)
    inlines = (PlayerInline, KeyInline)


@admin.register(LogEntry)
class LogEntryAdmin(ReadOnly, LogAdminBase):
    list_display = ("game", "number", "at", "who", "action", "round_number", "target", "reason")
    list_filter = ("action", "at")
    list_select_related = ("game",)
    search_fields = ("game__slug", "game__name", "who", "reason")
    ordering = ("-at",)


class ClaimInline(ReadOnly, ClaimInlineBase):
    model = Claim
    fields = ("game", "created_at")


class TokenInline(ReadOnly, TokenInlineBase):
    """A user's tokens, of which not even the digest is shown. An operator may revoke one."""

    model = ApiToken
    fields = ("name", "created_at", "used_on")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return True


class AddUserForm(forms.ModelForm):  # type: ignore[type-arg]
    """Another user, who chooses a password by “Forgotten password”."""

    class Meta:
        model = User
        fields = ("email", "name")

    def save(self, commit: bool = True) -> User:
        user: User = super().save(commit=False)
        user.email = user.email.lower()
        user.set_unusable_password()
        if commit:
            user.save()
        return user


@admin.register(User)
class UserAdmin(UserAdminBase):
    add_form = AddUserForm
    list_display = ("email", "name", "is_active", "is_staff", "date_joined", "last_login")
    list_filter = ("is_active", "is_staff")
    search_fields = ("email", "name")
    ordering = ("email",)
    readonly_fields = ("date_joined", "last_login")
    filter_horizontal = ()
    fieldsets = (
        (None, {"fields": ("email", "name", "password")}),
        (_("Rights"), {"fields": ("is_active", "is_staff", "is_superuser", "user_permissions")}),
        (_("Dates"), {"fields": ("date_joined", "last_login")}),
    )
    add_fieldsets = ((None, {"fields": ("email", "name")}),)
    inlines = (ClaimInline, TokenInline)

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        super().save_model(request, obj, form, change)
        if not obj.is_active:
            club_keys_end(user=obj)

    def delete_model(self, request: HttpRequest, obj: User) -> None:
        account_delete(user=obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        for user in queryset:
            account_delete(user=user)
