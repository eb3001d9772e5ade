"""What a name is, typed on a page or sent to the API: tidied, and without signs that nobody can see.

Knows characters. Must not know forms, bodies or rows.
"""

from __future__ import annotations

import unicodedata

DROPPED = dict.fromkeys(map(ord, "\u00ad\u061c\u200b\u200e\u200f\ufeff"))  # keyboards add them unasked
JOINERS = "\u200c\u200d"  # they shape letters in some scripts, and join emoji


def tidy(text: str) -> str:
    """A name as it is kept: NFC, and one space where several or a tab were typed."""
    return " ".join(unicodedata.normalize("NFC", text.translate(DROPPED)).split())


def unseen(text: str) -> bool:
    """Whether a name holds what nobody can see, or what turns the text around it."""
    if not any(unicodedata.category(char)[0] in "LNPS" for char in text):
        return bool(text)
    return any(
        unicodedata.category(char) in {"Cc", "Cf", "Cs"}
        and char not in JOINERS
        and not "\U000e0020" <= char <= "\U000e007f"  # the flags of England, Scotland and Wales
        for char in text
    )
