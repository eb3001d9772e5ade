"""Names that somebody chose to break something: sixty that are taken as they are, and those that are refused.

Whatever runs in any of them would show the dialog 1, an element or attribute of the name `xss`, or 49.
"""

from __future__ import annotations

from games.models import Game
from games.services import adjustment_add, player_change, round_put
from tests.cast import claim, play, start

MARKUP = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "'><xss>",
    '" xss="1',
    "' autofocus onfocus=alert(1) x='",
    "</title><xss>",
    "</textarea><script>alert(1)//",
    "</style></script><xss>",
    "<!-- <xss>",
    "--><xss>",
    "]]><xss/>",
    "<![CDATA[<xss>]]>",
    "&lt;xss&gt;",
    "&amp;#60;xss>",
    "<bdo dir=rtl><base href=//x>",
    "javascript:alert(1)",
    "<a href=data:text/html,x>x",
    "<style>*{display:none}</style>",
    "`${alert(1)}`",
)
FORMULAS = (
    "=1+1",
    "+1-1",
    "-1+1",
    "@SUM(A1:A9)",
    "＝1+1",
    "=cmd|' /C calc'!A0",
    '=HYPERLINK("http://x.example")',
    "a,b;c\\d",
    'say "hi", she said',
    "'quoted",
)
FORMATS = (
    "{{ 7*7 }}",
    "{% now 'Y' %}",
    "%s %d %n %(name)s",
    "{} {0} {name}",
    "$& $1 $` $$",
    "\\u003cxss\\u003e\\n",
    "__proto__",
    "undefined",
    "null",
    "0",
    "'; DROP TABLE games_player; --",
    "../../../etc/passwd",
    "http://x.example/?a=1&b=2#c",
    "+43 1 234 56 78",
)
SCRIPTS = (
    "محمد بن عبد الله",
    "עמית 12 כהן",
    "Ann (مرحبا) 3",
    "王小明",
    "ก็เป็นไปได้ว่าจะยาวมาก",
    "नमस्ते",
    "👩‍👩‍👧‍👦",
    "🏴󠁧󠁢󠁥󠁮󠁧󠁿🇦🇹1️⃣",
    "Z̸̡̢̛̗̘̙̜̝̞̟̠̣̤̥̦̩̪̫̬̭̮̯̰̱̲̳̀́̂̃̄̅",
    "𝕬𝖓𝖓",
    "İıſßΣς",
    "﷽﷽﷽﷽",
)
WIDE = (
    "W" * 40,
    "𒐫" * 40,
    "👨‍👩‍👧" * 8,
    "i" * 40,
)
NAMES = (*MARKUP, *FORMULAS, *FORMATS, *SCRIPTS, *WIDE)
# What a table can do worst, for where all of them would take too long.
NASTIEST = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "' autofocus onfocus=alert(1) x='",
    "</textarea><script>alert(1)//",
    "`${alert(1)}`",
    "=1+1",
    "{{ 7*7 }}",
    "$& $1 $` $$",
    "%s %d %n %(name)s",
    "محمد بن عبد الله",
    "Z̸̡̢̛̗̘̙̜̝̞̟̠̣̤̥̦̩̪̫̬̭̮̯̰̱̲̳̀́̂̃̄̅",
    "W" * 40,
    "𒐫" * 40,
    "👨‍👩‍👧" * 8,
)
# Too long, or with signs that nobody can see or that turn the text around them.
REFUSED = (
    "A" * 41,
    "x" * 200,
    "<b>" * 67,
    "👩‍👩‍👧" * 40,
    "Ann\u202enna",
    "\u2067Ann",
    "Ann\x00",
    "\x1b[31mAnn",
    "Ann\x7f",
    "\u2800\u2800",
    "\u3164",
    "\u115f\u1160",
    "\u200d\u200c",
    "\u2060Ann",
    "Ann\U000e0001",
)
GAME_NAME = '</title><script>alert(1)</script>"\' xss="1 {{ 7*7 }} %s محمد ' + "W" * 14
REASON = '<script>alert(1)</script> "\' xss="1 =1+1 {{ 7*7 }} %(name)s $& محمد ' + "W" * 200


def packed(names: tuple[str, ...]) -> Game:
    """A game of these names in which every text that people write is hostile too."""
    game = start(names, name=GAME_NAME, max_pip=18).sheet.game
    who = names[0]
    count = len(names)
    play(game, tuple(range(0, 4 * count, 4)), who=who, reason=REASON)
    play(game, tuple(range(4 * count - 4, -1, -4)), who=who)
    round_put(game=game, number=1, claim=claim((0, *range(5, 4 * count, 4))), who=who, reason=REASON)
    clash = claim((0, *[1] * (count - 1)))
    round_put(game=game, number=3, claim=clash, disputed=True, who=who, reason=REASON)
    adjustment_add(game=game, seat=2, points=-5, reason=REASON, who=who)
    player_change(game=game, seat=2, order=1, who=who)
    game.refresh_from_db()
    return game
