"""What `make lighthouse` says of its runs; Lighthouse itself is not in the suite."""

from __future__ import annotations

from typing import Any

from tests.lighthouse import enough, line, result


def report(performance: float, accessibility: float = 1.0, shift: float | None = 1.0) -> dict[str, Any]:
    def category(score: float, *audits: str) -> dict[str, Any]:
        return {"score": score, "auditRefs": [{"id": audit, "weight": 1} for audit in audits]}

    return {
        "categories": {
            "performance": category(performance, "layout-shift"),
            "accessibility": category(accessibility),
            "best-practices": category(1.0),
        },
        "audits": {"layout-shift": {"id": "layout-shift", "score": shift, "displayValue": "0.2"}},
    }


def test_performance_is_the_median_and_the_rest_the_least() -> None:
    found = result("board", [report(0.2), report(0.96, 0.94), report(1.0)])

    assert found.points == {"performance": 96, "accessibility": 94, "best-practices": 100}
    assert not enough(found)


def test_ninety_five_everywhere_is_enough() -> None:
    assert enough(result("board", [report(0.95, 0.95)]))


def test_what_lost_points_is_named() -> None:
    found = result("entry", [report(0.87, shift=0.5)])

    assert found.lost == ["performance: layout-shift 0.2"]
    assert "entry     performance  87" in line(found)
    assert "(under 95)" in line(found)


def test_a_page_that_was_not_measured_is_not_enough() -> None:
    broken = report(1.0)
    broken["categories"]["performance"]["score"] = None

    assert not enough(result("end", [broken]))
