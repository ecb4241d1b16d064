"""A comparison as one HTML page."""

from harness.reporting.comparison import View
from harness.reporting.pages import page

MOST = 100
"""Questions shown of each direction."""


def comparison_page(view: View) -> str:
    """The whole comparison."""
    groups = [(name, view.of(name)) for name in ("worse", "better", "mixed")]
    return page(
        "compare.html.j2",
        view=view,
        a=view.found.a.record,
        b=view.found.b.record,
        groups=[(name, cases) for name, cases in groups if cases],
        few=len(view.cases) <= 12,
        most=MOST,
    )
