"""
The developer's page `/kit/`, served only with DEBUG: every component, and a specimen of each screen.

Knows sample people and numbers, and no model: the specimens show markup to lift into real pages.
"""

from dataclasses import dataclass, replace

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.templatetags.tiles import ICONS, MOST_PIPS, MOST_SEATS, marker_letters

PAGES = (
    "home",
    "home-empty",
    "new-game",
    "board",
    "board-14",
    "board-14-finished",
    "board-new",
    "who-out",
    "history",
    "share",
    "conflict",
    "end",
    "end-shared",
    "rules",
    "device",
)
NAMES = (
    "Ruth",
    "Ben",
    "Chitra",
    "Wilhelmina",
    "Ann",
    "Graham",
    "Dolores",
    "José María",
    "Kwame",
    "Priya",
    "Big Ben",
    "Margaret-Rose",
    "Old Tom",
    "Siobhán",
)
FIVE = """
    Ann         0 20  0 31 65  0
    Ruth       55  0 16  0 59  2
    Chitra     45  5 16 57  0 26
    Wilhelmina 21 29 11 18 38 45
    Ben        40 33 40 33 14 51
"""
FOURTEEN = """
    Priya          47  80 30  46  46  82  63   0  71  35  36  0  47  47   0 98   0  84  81
    Big_Ben        49   0 82  82  62  62  77  24   7  54  64 58  84   0  43 69  43  69  37
    Kwame          29  65 84   0  62  39  95  26   0  28  66 42   3 101  45 50  49 102  95
    José_María      0  98  0 118 129  30  17   9 103  66  22  3   0  56  54 90  86   3 106
    Wilhelmina     29 104 82  65  24  44   0 108  81  73   3 24  38  56   3 64  93  21 110
    Siobhán         3  69 60  43 111   3 110  82  31  52  91 62  21  70  44  8  54 110   0
    Ann            73  52 61  31  60   3 103  74  93  29  60 32  56  50  51 67 103  52  12
    Dolores        73  50 99  37  23  65  52  42  59  84  76 87  33  53  49 35  84  88  33
    Margaret-Rose  46  69 73  62   0  61  86  94  15  38 116 82  97   3  24 78  42  97  46
    Chitra         68  84 69  73  26   0  77 121  79   0   6 69 132  98  81 24 102   6  40
    Graham         46  48 64  78  74  57  27  71  69 115   0 35  83 112  86 60  54  44  36
    Ruth          101  46 43 112  52  81  27  66   3  46  94 65  88 101  53 47  57   0 130
    Ben            17 144 97  59  69  53  68  99  28  44  86 49  83  19  86  0 111  51  76
    Old_Tom        67  62 56  90  75 115  49  21  87  26  86 65 104  42 111 64  99  55   7
"""


@dataclass(frozen=True)
class KitPlayer:
    seat: int
    name: str
    letters: str


@dataclass(frozen=True)
class KitCell:
    round: int
    score: int
    marks: str = ""
    said: str = ""


@dataclass(frozen=True)
class KitRow:
    player: KitPlayer
    total: int
    cells: tuple[KitCell, ...]  # newest first
    place: int = 0
    gap: int = 0
    is_long: bool = False


@dataclass(frozen=True)
class KitBoard:
    rows: tuple[KitRow, ...]
    rounds: tuple[tuple[int, int], ...]  # number and engine, newest first
    many: bool = False
    thousands: bool = False


PLAYERS = tuple(
    KitPlayer(seat, name, letters)
    for seat, (name, letters) in enumerate(zip(NAMES, marker_letters(NAMES), strict=True), start=1)
)
BY_NAME = {player.name: player for player in PLAYERS}


def board(grid: str, played: int, most_pips: int, marks: dict[tuple[str, int], tuple[str, str]]) -> KitBoard:
    """A board of the grid's first `played` rounds. `marks`: by name and round, the marks and their words."""
    found = []
    for line in grid.split("\n"):
        if not line.strip():
            continue
        first, *scores = line.split()
        name = first.replace("_", " ")
        cells = []
        for number, score in enumerate(map(int, scores[:played]), start=1):
            more, said = marks.get((name, number), ("", ""))
            out = ("out", ", went out") if score == 0 else ("", "")
            cells.append(KitCell(number, score, f"{out[0]} {more}".strip(), out[1] + said))
        long = any(len(word) >= 9 for word in name.replace("-", " ").split())
        found.append(
            KitRow(BY_NAME[name], sum(map(int, scores[:played])), tuple(reversed(cells)), is_long=long)
        )
    found.sort(key=lambda row: row.total)
    least = found[0].total
    rows = tuple(
        replace(row, place=place if played else 0, gap=row.total - least)
        for place, row in enumerate(found, start=1)
    )
    engines = tuple((number, most_pips + 1 - number) for number in range(played, 0, -1))
    return KitBoard(rows, engines, many=len(rows) > 8, thousands=any(row.total > 999 for row in rows))


CHANGED = ("last corrected", ", corrected, was 15, last change")
BOARDS = {
    "board": board(FIVE, 6, 12, {("Ben", 6): CHANGED, ("Chitra", 4): ("doubt", ", in doubt")}),
    "board-new": board(FIVE, 0, 12, {}),
    "board-14": board(FOURTEEN, 6, 18, {}),
    "board-14-finished": board(
        FOURTEEN,
        19,
        18,
        {
            ("Priya", 8): ("corrected", ", corrected, was 4"),
            ("Ann", 13): ("doubt", ", in doubt"),
            ("Ben", 19): ("last", ", last change"),
        },
    ),
}


@require_safe
def kit(request: HttpRequest) -> HttpResponse:
    """The kit, or with `?page=board` one specimen as a page; also `?theme=dark`, `?big=1`, `?left=1`."""
    page = request.GET.get("page", "")
    if page and page not in PAGES:
        raise Http404
    context = {
        "device": {
            "theme": request.GET.get("theme", "auto"),
            "big_text": "big" in request.GET,
            "left_handed": "left" in request.GET,
        },
        "most_pips": MOST_PIPS,
        "pages": PAGES,
        "numbers": range(MOST_PIPS + 1),
        "twelve": range(13),
        "players": PLAYERS[:5],
        "fourteen": PLAYERS[:MOST_SEATS],
        "icons": ICONS,
        "sets": (6, 9, 12, 15, 18),
        "board": BOARDS.get(page, BOARDS["board"]),
    }
    return render(request, f"kit/{page}.html" if page else "kit.html", context)
