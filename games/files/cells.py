"""What a cell of a table may say to a spreadsheet, on the way out and back in. Pure.

Knows what a spreadsheet takes for a formula. A text that begins so gets an apostrophe, which says that it is
text; one that begins with apostrophes before such a sign gets one more, so that `bare` gives back what was.
"""

from __future__ import annotations

import re

# Where it stands first; full-width signs count in some languages.
FORMULA = re.compile(r"\s*[=+\-@\t\r＝＋－＠]")
QUOTED = re.compile(rf"'*{FORMULA.pattern}")


def safe(text: str) -> str:
    """A text that no spreadsheet takes for a formula.

    >>> safe("=1+1"), safe("'=1+1"), safe("O’Neil"), safe("'quoted")
    ("'=1+1", "''=1+1", 'O’Neil', "'quoted")
    """
    return f"'{text}" if QUOTED.match(text) else text


def bare(text: str) -> str:
    """What `safe` was given; a text that it never made is left as it is.

    >>> bare("'=1+1"), bare("''=1+1"), bare("'quoted")
    ('=1+1', "'=1+1", "'quoted")
    """
    return text[1:] if text.startswith("'") and QUOTED.match(text) else text
