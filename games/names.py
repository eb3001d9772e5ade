"""What a name or a reason is, typed or sent to the API: tidied, and without signs that nobody can see.

Knows characters. Must not know forms, bodies or rows.
"""

from __future__ import annotations

import unicodedata

DROPPED = dict.fromkeys(map(ord, "\u00ad\u061c\u200b\u200e\u200f\ufeff"))  # keyboards add them unasked
BLANKS = "\u115f\u1160\u2800\u3164\uffa0"  # letters and a symbol by their category, and nothing to be seen
JOINERS = "\u200c\u200d"  # they shape letters in some scripts, and join emoji
FLAG_TAGS = "".join(map(chr, range(0xE0020, 0xE0080)))  # the flags of England, Scotland and Wales


def tidy(text: str) -> str:
    """A name as it is kept: NFC, and one space where several or a tab were typed."""
    return " ".join(unicodedata.normalize("NFC", text.translate(DROPPED)).split())


def one_line(text: str) -> str:
    """A reason as it is kept: no line breaks, and no signs that cannot be kept or turn the text around."""
    kept = (" " if unicodedata.category(char) == "Cc" else char for char in text if not _turns(char))
    return " ".join("".join(kept).split())


def lines(text: str) -> str:
    """A text of several lines as it is kept: one kind of line end, nothing that turns the text around, and a
    sign for what cannot be kept.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    odd: dict[str, int | str | None] = {}
    for char in set(text) - {"\n", "\t"}:
        if unicodedata.category(char) in {"Cc", "Cs"}:
            odd[char] = "\N{REPLACEMENT CHARACTER}"
        elif _turns(char):
            odd[char] = ""
    return text.translate(str.maketrans(odd)) if odd else text


def apart(name: str) -> str:
    """A name that is written from right to left between signs that keep the figures beside it in place."""
    turned = any(unicodedata.bidirectional(char) in {"R", "AL"} for char in name)
    return f"\u2068{name}\u2069" if turned else name


def plain(text: str) -> str:
    """Without case and accents, so that «jose» finds José."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in parts if not unicodedata.combining(char))


def _turns(char: str) -> bool:
    """Formatting and half characters, but for what shapes letters, joins emoji or makes a flag."""
    return unicodedata.category(char) in {"Cf", "Cs"} and char not in JOINERS + FLAG_TAGS


def unseen(text: str) -> bool:
    """Whether a name holds what nobody can see, or what turns the text around it."""
    if not any(unicodedata.category(char)[0] in "LNPS" and char not in BLANKS for char in text):
        return bool(text)
    return any(unicodedata.category(char) == "Cc" or _turns(char) for char in text)
