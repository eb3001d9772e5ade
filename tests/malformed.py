"""Bodies, forms and queries that somebody broke, or made to break something, from a seeded generator."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlencode

NUMBERS = (0, 1, 2, 3, 99, 32_768, 2**31, 2**63, 10**19, 10**30)
VALUES: tuple[Any, ...] = (
    None, True, False, "", " ", "x", "12", "１２", "١٢", "-0", "1e400", "0x10", "12.0", "\x00", "a\x00b",
    "\ud800",
    "\u202e", "\u200b", "\r\n", "%s%n%(x)s", "{}", "{{ 7*7 }}", "'; DROP TABLE games_game; --", "<script>",
    "../../etc/passwd", "2026-02-30", "9999-12-31", "👩‍👩‍👧", "é" * 50, "A" * 20_000,
    -1, 0, 1, 2, 14, 15, 300, 32_768, 2**31, 2**63, 10**400, -(10**400), 1.5, 1e300, float("nan"),
    float("inf"), -float("inf"), [], {}, [[]], [None], {"": None}, {"seat": 1}, ["12-12", "12-12"],
    ["13-13"], list(range(2_000)),
)  # fmt: skip
TEXTS = [str(one) for one in VALUES if not isinstance(one, list | dict) and one != "\ud800"]
TYPES = (
    "application/json", "application/json; charset=utf-8", "application/json; charset=utf-16",
    "application/json; charset=nonsense", "application/x-www-form-urlencoded", "multipart/form-data",
    "multipart/form-data; boundary=x", "text/plain", "text/html", "", "nonsense", "application/json;;;=",
    "application/" + "x" * 2_000, "application/xml",
)  # fmt: skip
HEADERS: Mapping[str, Sequence[str]] = {
    "If-Match": ("", "*", '"7"', 'W/"9"', "7, 8", "9" * 40, '"é"', "\x00", '"' * 50),
    "If-None-Match": ("", "*", '"1"', "x", "*, *"),
    "Idempotency-Key": ("", "k", "k" * 22, "k" * 255, "k" * 5_000, "é" * 30, "\x00" * 30),
    "Content-Encoding": ("gzip", "br", "identity", "nonsense"),
    "Accept": ("", "text/html", "nonsense", "application/xml;q=x"),
    "Accept-Language": ("", "xx-nonsense", "de,en;q=x", "é", "a" * 3_000),
    "HX-Request": ("true", "nonsense"),
    "HX-Target": ("\x00", "x" * 1_000),
    "X-Forwarded-For": ("", "nonsense", "1.2.3.4," * 500),
}


class Malformed(NamedTuple):
    body: bytes
    content_type: str
    headers: dict[str, str]


def headers(chance: random.Random) -> dict[str, str]:
    if chance.random() < 0.7:
        return {}
    name = chance.choice(list(HEADERS))
    return {name: chance.choice(HEADERS[name])}


def body(chance: random.Random, good: Mapping[str, Any]) -> Malformed:
    """A body of the API: `good` with something wrong in it, or nothing like it."""
    kind = chance.random()
    content_type = "application/json" if chance.random() < 0.85 else chance.choice(TYPES)
    if kind < 0.6:
        raw = as_json(wrong(chance, good))
    elif kind < 0.75:
        raw = spoilt(chance, as_json(good))
    else:
        raw = chance.choice(NO_BODY)
    return Malformed(raw, content_type, headers(chance))


def as_json(data: Any) -> bytes:
    return json.dumps(data).encode()


def wrong(chance: random.Random, good: Any) -> Any:
    """The same data with one or two values changed, taken away or added."""
    data = json.loads(json.dumps(good))
    for _change in range(chance.randint(1, 2)):
        ways = places(data)
        if not ways or chance.random() < 0.1:
            return chance.choice(VALUES)
        holder, key = chance.choice(ways)
        act = chance.random()
        if act < 0.7:
            holder[key] = chance.choice(VALUES)
        elif act < 0.85:
            holder.pop(key, None)
        else:
            holder[chance.choice(("players", "rules", "hands", "reason", "\x00", "é", "a" * 300))] = (
                chance.choice(VALUES)
            )
    return data


def places(data: Any) -> list[tuple[dict[str, Any], str]]:
    """Each object of it with each of its keys, however deep."""
    if isinstance(data, list):
        return [place for one in data for place in places(one)]
    if not isinstance(data, dict):
        return []
    return [(data, key) for key in data] + [place for one in data.values() for place in places(one)]


def spoilt(chance: random.Random, raw: bytes) -> bytes:
    """Cut off, mixed up, in another encoding, packed."""
    at = chance.randrange(len(raw) + 1)
    return chance.choice(
        (
            raw[:at],
            raw[:at] + bytes([chance.randrange(256)]) + raw[at + 1 :],
            raw + raw,
            raw.replace(b":", b"=", 1),
            raw.replace(b'"', b"'"),
            raw.decode().encode("utf-16"),
            gzip.compress(raw)[: at + 5],
            b"\xef\xbb\xbf" + raw,
            b"[" * 3_000 + raw + b"]" * 3_000,
            raw.replace(b"{", b'{"name": 1, "name": 2, ', 1),
        )
    )


NO_BODY = (
    b"", b" ", b"{", b"}", b"null", b"7", b'"x"', b"[]", b"NaN", b"\x00", b"\xff\xfe", b"{}{}", b"[" * 60_000,
    b'{"a":' * 15_000, b'{"points": ' + b"9" * 5_000 + b"}", b'{"points": 1e999999}',
    b" " * 99_999, b"{}" * 60_000,
    b'{"players": ["\\ud800", "Ben"]}', b'{"name": "\\u0000"}', b"a=1&b=2", b"--x\r\nnonsense", b"<xml/>",
)  # fmt: skip


def form(chance: random.Random, good: Mapping[str, Any], names: Sequence[str]) -> Malformed:
    """A page's form: `good` with wrong texts in the fields `names`, or nothing like a form."""
    kind = chance.random()
    fields: list[tuple[str, str]] = []
    for name, value in good.items():
        fields += [(name, str(one)) for one in (value if isinstance(value, list | tuple) else [value])]
    for _change in range(chance.randint(1, 3)):
        name = chance.choice([*names, *(name for name, _ in fields), "x"])
        if chance.random() < 0.5:
            fields = [one for one in fields if one[0] != name]
        fields += [(name, chance.choice(TEXTS))] * chance.choice((1, 1, 1, 2, 30))
    raw = urlencode(fields).encode()
    content_type = "application/x-www-form-urlencoded"
    if kind < 0.05:
        raw += b"&" + b"&".join(b"player=x%d" % number for number in range(1_100))
    elif kind < 0.1:
        raw = raw.replace(b"=", b"=%ff%fe%00", 1)
    elif kind < 0.2:
        raw, content_type = spoilt(chance, raw), chance.choice((content_type, *TYPES))
    elif kind < 0.3:
        raw, content_type = parts(chance, fields), "multipart/form-data; boundary=x"
    return Malformed(raw, content_type, headers(chance))


def parts(chance: random.Random, fields: Sequence[tuple[str, str]]) -> bytes:
    """As a browser sends files; now and then cut off or without an end."""
    raw = b""
    for name, value in fields:
        file = chance.choice((b"", b'; filename="x.json"', b'; filename="\x00"', b"; filename*=utf-8''%ff"))
        raw += b'--x\r\nContent-Disposition: form-data; name="%s"%s\r\n' % (name.encode(), file)
        raw += chance.choice((b"", b"Content-Type: nonsense\r\n", b"Content-Transfer-Encoding: base64\r\n"))
        raw += b"\r\n" + value.encode() + b"\r\n"
    return chance.choice((raw + b"--x--\r\n", raw, raw[: len(raw) // 2]))


def query(chance: random.Random) -> str:
    """A query of the pages' own names, and of no page's."""
    names = [
        "out",
        "new",
        "fix",
        "ended",
        "engine",
        "by",
        "v",
        "face",
        "again",
        "q",
        "why",
        "two",
        "format",
        "x",
    ]
    texts = [text[:500] for text in TEXTS]
    return urlencode([(chance.choice(names), chance.choice(texts)) for _ in range(chance.randint(0, 4))])


def endless(seed: int) -> Iterator[random.Random]:
    """A generator of its own for each try, so that any of them can be had again."""
    number = 0
    while True:
        yield random.Random(f"{seed} {number}")
        number += 1
