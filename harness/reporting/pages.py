"""HTML pages from templates: no script, nothing loaded from anywhere, every text escaped."""

from functools import cache
from typing import TYPE_CHECKING, Any

from harness.reporting.escape import clean, one_line
from harness.reporting.names import count, number, signed, word

if TYPE_CHECKING:
    from jinja2 import Environment


def page(template: str, **values: Any) -> str:
    """The page that a template of harness/reporting/templates makes of the values."""
    return _environment().get_template(template).render(**values)


def share(text: str) -> float:
    """A table's number as a percentage of 1, for the bar behind it; 0 where there is none."""
    try:
        return round(100 * min(1.0, max(0.0, float(text))), 1)
    except ValueError:
        return 0.0


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined

    made = Environment(
        loader=PackageLoader("harness.reporting"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters.update(clean=clean, one_line=one_line, count=count, number=number, signed=signed, word=word, share=share)
    return made
