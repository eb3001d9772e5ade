"""Saves the games of a file: all of them or none, and none twice.

Knows identities and keys. A game that is here already is never touched; the device may have it only if the
file carries a key that opens it. Must not know requests, cookies or sentences.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from games.attached import marks_now
from games.files.errors import NotBroughtIn
from games.files.read import Document, documents
from games.files.walk import Clock, walk
from games.models import KEPT, AccessKey, Challenge, Game, Hand, LogEntry, Player, RecordMark, Role, Round
from games.permissions import Access, accesses_by_secret
from games.removal import game_remove
from games.selectors import sheet_of

How = Literal["new", "opened", "closed", "deleted"]


@dataclass(frozen=True, slots=True)
class Brought:
    """One game of the file: made anew, here and opened by its key, here and closed to it, or deleted here.

    `access` to a deleted one is that of a key that can bring it back.
    """

    title: str
    how: How
    access: Access | None


@dataclass(frozen=True, slots=True)
class Incoming:
    """A file that could be read: its games, and what a limit counts: new games, keys that open nothing."""

    documents: Sequence[Document]
    new: int
    wrong_keys: int


def look_into(data: bytes) -> Incoming:
    """Read a file without saving anything; NotBroughtIn if it is no export."""
    found = documents(data)
    here = _here(found)
    opened = _opened(found)
    new = len({document.game["uid"] for document in found} - here.keys())
    wrong = sum(
        document.key is not None and _access(document, here[document.game["uid"]], opened) is None
        for document in found
        if document.game["uid"] in here
    )
    return Incoming(found, new, wrong)


def games_bring_in(*, incoming: Incoming) -> list[Brought]:
    """Every game of the file, in its order; NotBroughtIn, and nothing saved, if one of them cannot be."""
    try:
        return _save(incoming.documents)
    except IntegrityError:  # somebody brought in one of them at the same time: now it is here
        pass
    try:
        return _save(incoming.documents)
    except IntegrityError:
        raise NotBroughtIn("end") from None


@transaction.atomic
def _save(found: Sequence[Document]) -> list[Brought]:
    clock = Clock()
    brought: list[Brought] = []
    made: dict[object, Access] = {}
    for gone in Game.objects.filter(_over(), uid__in={document.game["uid"] for document in found}):
        game_remove(game=gone)  # its 30 days are over, though no command ran
    here, opened = _here(found), _opened(found)
    for document in found:
        uid = document.game["uid"]
        if uid in made:
            continue  # twice in the file
        if uid in here:
            access = _access(document, here[uid], opened)
            how: How = "opened" if access else "closed"
            if here[uid].deleted_at is not None:
                how, access = "deleted", access if access and access.may_score else None
            brought.append(Brought(document.title, how, access))
            continue
        try:
            walk(document, clock)
        except NotBroughtIn as refused:
            refused.game = document.title
            raise
        made[uid] = _make(document)
        brought.append(Brought(document.title, "new", made[uid]))
    return brought


def _here(found: Sequence[Document]) -> dict[object, Game]:
    """The games of the file that are in the database already, by identity; not one that is gone for good."""
    known = Game.objects.filter(uid__in={one.game["uid"] for one in found})
    return {game.uid: game for game in known.exclude(_over())}


def _over() -> Q:
    return Q(deleted_at__lte=timezone.now() - KEPT)


def _opened(found: Sequence[Document]) -> dict[str, Access]:
    """What the keys in the file open, in one query."""
    keys = {document.key for document in found if document.key}
    return accesses_by_secret(keys) if keys else {}


def _access(document: Document, game: Game, opened: Mapping[str, Access]) -> Access | None:
    access = opened.get(document.key or "")
    return access if access is not None and access.game.pk == game.pk else None


def _make(document: Document) -> Access:
    """A game of its own address and keys, otherwise as the file has it."""
    game = Game.objects.create(**document.game)
    key = AccessKey.objects.create(game=game, role=Role.SCORER)
    AccessKey.objects.create(game=game, role=Role.VIEWER)
    AccessKey.objects.create(game=game, role=Role.SEAT)
    players = Player.objects.bulk_create(Player(game=game, **row) for row in document.players)
    seats = {player.seat: player for player in players}
    rounds = Round.objects.bulk_create(
        Round(
            game=game,
            record_mark=RecordMark.OPEN if row["record"] else "",
            **{name: value for name, value in row.items() if name != "hands"},
        )
        for row in document.rounds
    )
    Hand.objects.bulk_create(
        Hand(round=one, player=seats[hand["seat"]], **{name: hand[name] for name in hand if name != "seat"})
        for one, row in zip(rounds, document.rounds, strict=True)
        for hand in row["hands"]
    )
    for number, mark in marks_now(sheet_of(game), [one.number for one in rounds if one.record]).items():
        Round.objects.filter(game=game, number=number).update(record_mark=mark)
    Challenge.objects.bulk_create(Challenge(game=game, **row) for row in document.challenges)
    LogEntry.objects.bulk_create(LogEntry(game=game, **row) for row in document.log)
    return Access(game=game, role=Role.SCORER, key_id=key.pk)
