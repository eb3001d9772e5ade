"""What one phone remembers, in cookies of its own: its games, names it played with, its look and its name.

Knows cookies. Must not open a game: a key in the cookie is looked up again at each request (permissions), so
a stopped link is dead at once.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, Literal, NamedTuple

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django_htmx.middleware import HtmxDetails

MOST_GAMES = 60
MOST_NAMES = 40
MOST_BYTES = 4000  # of a cookie's value: browsers drop a larger cookie without a word
AGE = 400 * 24 * 3600  # the longest that browsers keep a cookie
GAMES_COOKIE, DEVICE_COOKIE, CLUBS_COOKIE = "games", "device", "clubs"
MOST_CLUBS = 20
THEMES = ("auto", "light", "dark")
EMPTY = {"n": [], "w": "", "t": "auto", "b": False, "l": False, "a": True, "m": None, "i": ""}
Letter = Literal["s", "v", "t"]


class DeviceGame(NamedTuple):
    """One game of this device: its slug, the role, the key row that opened it.

    "s" keeps score, "t" came by the table's code for a seat, "v" watches.
    """

    slug: str
    role: Letter
    key_id: int


class Device:
    """The device as its cookies say; a missing, forged or outdated cookie is an empty memory.

    Each cookie is opened when it is first asked about: a phone that only asks for news needs one of them.
    """

    def __init__(self, cookies: Mapping[str, str]) -> None:
        self._cookies = cookies
        self.changed = False

    @cached_property
    def games(self) -> list[DeviceGame]:
        """Newest first."""
        try:
            return [DeviceGame(*entry) for entry in _loads(self._cookies, GAMES_COOKIE) or []]
        except TypeError:
            return []

    @cached_property
    def reader_keys(self) -> list[int]:
        """The reader's links of clubs it has opened, newest first, by their key rows."""
        kept = _loads(self._cookies, CLUBS_COOKIE)
        return [key for key in kept if isinstance(key, int)] if isinstance(kept, list) else []

    @cached_property
    def _kept(self) -> dict[str, Any]:
        kept = _loads(self._cookies, DEVICE_COOKIE)
        return EMPTY | kept if isinstance(kept, dict) else EMPTY

    @cached_property
    def names(self) -> list[str]:
        """People it has played with, newest first."""
        return list(self._kept["n"])

    @cached_property
    def who(self) -> str:
        return str(self._kept["w"])

    @cached_property
    def theme(self) -> str:
        return str(self._kept["t"])

    @cached_property
    def big_text(self) -> bool:
        return bool(self._kept["b"])

    @cached_property
    def left_handed(self) -> bool:
        return bool(self._kept["l"])

    @cached_property
    def awake(self) -> bool:
        """Whether the screen stays awake while a game is open."""
        return bool(self._kept["a"])

    @cached_property
    def max_pip(self) -> int | None:
        """The set used last."""
        pip = self._kept["m"]
        return pip if isinstance(pip, int) else None

    @cached_property
    def id(self) -> str:
        """Which phone this is, so that a seat is one phone's; "" until it was needed."""
        return str(self._kept["i"])

    def identified(self) -> str:
        """The phone's own id; made when it is first needed."""
        if not self.id:
            self.id = secrets.token_urlsafe(16)
            self.changed = True
        return self.id

    def game(self, slug: str) -> DeviceGame | None:
        return next((game for game in self.games if game.slug == slug), None)

    def add_game(self, slug: str, role: Letter, key_id: int) -> None:
        """Put the game first. Beyond the newest 60 the oldest is dropped; its link still opens it."""
        self.games = [DeviceGame(slug, role, key_id), *(game for game in self.games if game.slug != slug)][
            :MOST_GAMES
        ]
        self.changed = True

    def add_club(self, key_id: int) -> None:
        self.reader_keys = [key_id, *(key for key in self.reader_keys if key != key_id)][:MOST_CLUBS]
        self.changed = True

    def add_names(self, names: Sequence[str]) -> None:
        known = {name.casefold() for name in names}
        self.names = [*names, *(name for name in self.names if name.casefold() not in known)][:MOST_NAMES]
        self.changed = True


class DeviceRequest(HttpRequest):
    """A request as the pages get it: with htmx details and the device's memory."""

    htmx: HtmxDetails
    device: Device


def _loads(cookies: Mapping[str, str], name: str) -> Any:
    try:
        return signing.loads(cookies.get(name, ""), salt=name)
    except signing.BadSignature:
        return None


def _signed(name: str, value: Any) -> str:
    return signing.dumps(value, salt=name, compress=True)


def write(device: Device, response: HttpResponse) -> None:
    """The cookies; of names too long to be kept, the oldest are dropped."""
    data: dict[str, Any] = {
        "n": device.names,
        "w": device.who,
        "t": device.theme,
        "b": device.big_text,
        "l": device.left_handed,
        "a": device.awake,
        "m": device.max_pip,
        "i": device.id,
    }
    kept = _signed(DEVICE_COOKIE, data)
    while len(kept) > MOST_BYTES and data["n"]:
        data["n"] = data["n"][:-1]
        kept = _signed(DEVICE_COOKIE, data)
    cookies = {GAMES_COOKIE: _signed(GAMES_COOKIE, device.games), DEVICE_COOKIE: kept}
    if device.reader_keys:
        cookies[CLUBS_COOKIE] = _signed(CLUBS_COOKIE, device.reader_keys)
    for name, value in cookies.items():
        response.set_cookie(
            name,
            value,
            max_age=AGE,
            httponly=True,
            samesite="Lax",
            secure=settings.SESSION_COOKIE_SECURE,
        )


class DeviceMiddleware:
    """Gives each request its device and writes the cookies back if a view changed it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        device = Device(request.COOKIES)
        request.device = device  # type: ignore[attr-defined]
        response = self.get_response(request)
        if device.changed:
            write(device, response)
        return response


def context(request: HttpRequest) -> dict[str, Device | None]:
    """For the templates: `device`."""
    return {"device": getattr(request, "device", None)}
