"""What the answerability signal is worth: numbers and plots."""

import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import matplotlib
import pytest

from harness.metrics.calibration import Bin, Reliability
from harness.metrics.risk import RiskCoverage
from harness.reporting.outcomes import Plot, plots

RISK = RiskCoverage(tuple((1 - place / 20, place / 20, place / 40) for place in range(1, 21)), 0.25, 20)
RELIABILITY = Reliability((Bin(0.0, 0.1, 30, 0.02, 0.1), Bin(0.9, 1.0, 170, 0.975, 0.653)), 0.3)
NOTHING, NO_BINS = RiskCoverage((), None, 0), Reliability((), None, "no probabilities")


@pytest.fixture(scope="module")
def drawn() -> tuple[str, str]:
    """Both pictures."""
    return tuple(plot.svg() for plot in plots(RISK, RELIABILITY))  # type: ignore[return-value]


def test_the_curve_is_told_at_a_few_shares_of_questions_answered() -> None:
    assert plots(RISK, NO_BINS)[0].rows == (
        ("10%", "0.050", "0.9"),
        ("25%", "0.125", "0.75"),
        ("50%", "0.250", "0.5"),
        ("75%", "0.375", "0.25"),
        ("90%", "0.450", "0.1"),
        ("100%", "0.500", "0"),
    )


def test_a_share_between_two_steps_is_told_at_the_next_step() -> None:
    coarse = RiskCoverage(((0.9, 0.4, 0.1), (0.2, 1.0, 0.3)), 0.22, 5)
    assert plots(coarse, NO_BINS)[0].rows == (("40%", "0.100", "0.9"), ("100%", "0.300", "0.2"))


def test_the_bins_are_told_with_their_sizes() -> None:
    assert plots(NOTHING, RELIABILITY)[0].rows == (("0.0–0.1", "30", "0.020", "0.100"), ("0.9–1.0", "170", "0.975", "0.653"))


def test_area_and_error_stand_beside_the_plots() -> None:
    risk, reliability = plots(RISK, RELIABILITY)
    assert "Area under the curve 0.250 over 20 questions" in risk.remark
    assert "calibration error 0.300" in reliability.remark


def test_what_is_not_known_is_not_drawn() -> None:
    assert plots(NOTHING, NO_BINS) == ()
    assert [plot.name for plot in plots(RISK, NO_BINS)] == ["Risk and coverage"]


def test_the_same_numbers_give_the_same_bytes(drawn: tuple[str, str]) -> None:
    assert tuple(plot.svg() for plot in plots(RISK, RELIABILITY)) == drawn


def test_the_users_own_matplotlib_settings_change_nothing_and_are_left_alone(drawn: tuple[str, str]) -> None:
    with matplotlib.rc_context({"font.size": 30, "axes.grid": False, "svg.fonttype": "path", "text.usetex": True}):
        assert plots(RISK, NO_BINS)[0].svg() == drawn[0]
        assert matplotlib.rcParams["font.size"] == 30


class Attributes(HTMLParser):
    """Tags and attributes of an element."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.found: list[tuple[str, str]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.found += [(name, value or "") for name, value in attrs]


def test_a_plot_is_one_element_that_loads_nothing_and_says_nothing_of_the_page(drawn: tuple[str, str]) -> None:
    for text in drawn:
        assert text.startswith("<svg ")
        ET.fromstring(text)
        reader = Attributes(text)
        assert not {"style", "script", "image", "foreignobject", "a", "metadata"} & set(reader.tags)
        links = [value for name, value in reader.found if name.endswith("href") or "url(" in value]
        assert all(value.startswith(("#", "url(#")) or re.search(r"url\(#", value) for value in links)


def test_two_plots_share_no_name(drawn: tuple[str, str]) -> None:
    names = [set(re.findall(r' id="([^"]+)"', text)) for text in drawn]
    assert all(names)
    assert not names[0] & names[1]
    assert all(f'"#{name}"' in text or f"#{name})" in text for text, own in zip(drawn, names, strict=True) for name in own)


def test_a_plot_has_words_for_those_who_do_not_see_it_and_for_those_who_do(drawn: tuple[str, str]) -> None:
    assert 'role="img" aria-label="Risk and coverage"' in drawn[0]
    assert "share of questions answered</text>" in drawn[0]
    assert "confidence</text>" in drawn[1]


def test_a_plot_takes_the_colours_and_the_font_of_the_page(drawn: tuple[str, str]) -> None:
    for text in drawn:
        assert "var(--blue)" in text
        assert not re.search(r"#[0-9a-f]{6}\b|font-family|DejaVu", text)


def test_a_line_of_one_point_can_be_drawn() -> None:
    one = plots(RiskCoverage(((0.5, 1.0, 0.0),), 0.0, 1), Reliability((Bin(0.5, 0.6, 1, 0.5, 1.0),), 0.5))
    assert all(isinstance(plot, Plot) and plot.svg().startswith("<svg ") for plot in one)
