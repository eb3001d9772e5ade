"""Can every slot be filled with tiles of its own? Exact, by augmenting paths on bit sets.

Knows slots, each with room for some tiles and the set of tiles that may lie in it; all slots together have
room for all tiles. Must not know players, turns or rules.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.engine.suits import numbers


class Matching:
    """Tiles in slots. `rows[slot]`: the tiles that may lie there, `rooms[slot]`: how many must.

    `held[slot]` are those that do; `free` those that lie nowhere yet. `fill` completes it.

    >>> matching = Matching([0b011, 0b110], [1, 2], 0b111)
    >>> matching.fill(), matching.held
    (True, [1, 6])
    >>> Matching([0b001, 0b111], [2, 1], 0b111).fill()
    False
    """

    __slots__ = ("free", "held", "owner", "rooms", "rows", "stuck")

    def __init__(self, rows: Sequence[int], rooms: Sequence[int], tiles: int, first: int = 0) -> None:
        """Nothing lies yet but what is quickly placed: the tiles of `first` before others."""
        self.rows = list(rows)
        self.rooms = list(rooms)
        self.held = [0] * len(self.rows)
        self.owner: dict[int, int] = {}
        self.free = tiles
        self.stuck = 0  # the slots that cannot all be filled, a bit each, once `fill` has failed
        order = sorted(range(len(self.rows)), key=lambda slot: self.rows[slot].bit_count() - self.rooms[slot])
        for slot in order:
            row, room = self.rows[slot] & self.free, self.rooms[slot]
            for choice in (row & first, row & ~first) if first else (row,):
                left = choice
                while left and room:
                    bit = left & -left
                    left ^= bit
                    self._put(bit, slot)
                    room -= 1

    def copy(self) -> Matching:
        """One that can be changed without touching this one."""
        twin: Matching = object.__new__(Matching)
        twin.rows = self.rows.copy()
        twin.rooms = self.rooms
        twin.held = self.held.copy()
        twin.owner = self.owner.copy()
        twin.free = self.free
        twin.stuck = 0
        return twin

    def _put(self, bit: int, slot: int) -> None:
        self.held[slot] |= bit
        self.owner[bit] = slot
        self.free &= ~bit

    def fill(self) -> bool:
        """Fill every slot, moving tiles where needed; False if that cannot be, with the reason in `stuck`."""
        for slot, room in enumerate(self.rooms):
            missing = room - self.held[slot].bit_count()
            for _ in range(missing):
                if not self._augment(slot):
                    return False
        return True

    def _augment(self, start: int) -> bool:
        came: dict[int, tuple[int, int]] = {}  # slot → who wants which of its tiles
        visited = 1 << start
        seen = 0
        queue = [start]
        for slot in queue:
            row = self.rows[slot]
            gift = row & self.free
            if gift:
                bit = gift & -gift
                while slot != start:
                    wanting, tile = came[slot]
                    self.held[slot] ^= tile
                    self._put(bit, slot)
                    slot, bit = wanting, tile  # noqa: PLW2901 - walking back along the path
                self._put(bit, start)
                return True
            wanted = row & ~seen
            while wanted:
                bit = wanted & -wanted
                other = self.owner[bit]
                if not visited >> other & 1:
                    visited |= 1 << other
                    came[other] = (slot, bit)
                    queue.append(other)
                seen |= self.held[other]
                wanted &= ~seen
        self.stuck = visited
        return False

    def confine(self, bit: int, slots: int) -> bool:
        """Let the tile lie in `slots` alone, a bit each; whether every slot can still be filled."""
        for slot, row in enumerate(self.rows):
            if row & bit and not slots >> slot & 1:
                self.rows[slot] = row & ~bit
        owner = self.owner.get(bit)
        if owner is None or slots >> owner & 1:
            return True
        self.held[owner] ^= bit
        del self.owner[bit]
        self.free |= bit
        return self._augment(owner)

    def movable(self) -> list[int]:
        """For a filled matching, for each slot the tiles that lie there in some filling or other.

        A tile may move from its slot to another one if a chain of moves leads back: both then lie on a
        circle, so it is enough to know which slots can reach each other.
        """
        slots = range(len(self.rows))
        reach = []  # slot → the slots whose rows want one of its tiles, then those that want one of theirs …
        for slot in slots:
            held, wanting = self.held[slot], 1 << slot
            for other, row in enumerate(self.rows):
                if row & held:
                    wanting |= 1 << other
            reach.append(wanting)
        for middle in slots:
            bit, more = 1 << middle, reach[middle]
            for slot in slots:
                if reach[slot] & bit:
                    reach[slot] |= more
        possible = []
        for slot in slots:
            tiles = 0
            for other in numbers(reach[slot]):
                tiles |= self.held[other]
            possible.append(self.rows[slot] & tiles)
        return possible
