"""SmartArt and the newer charts of a deck."""

from io import BytesIO
from itertools import pairwise
from typing import Any
from zipfile import ZipFile

import pytest
from pptx import Presentation

from harness.corpus import cleaned, office
from harness.corpus.charts import newer_chart
from harness.corpus.cleaned import Cleaned, Dropped
from harness.corpus.diagrams import diagram
from harness.corpus.office import Cells, parsed
from harness.corpus.slides import extract
from tests.corpus.office import saved, with_parts

SLIDE, RELATIONS = "ppt/slides/slide1.xml", "ppt/slides/_rels/slide1.xml.rels"
DRAWN = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
DGM = f'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" {DRAWN}'
CX = f'xmlns:cx="http://schemas.microsoft.com/office/drawing/2014/chartex" {DRAWN}'
REL = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
MC = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'


def points(**texts: str) -> str:
    """Nodes of a diagram by id, and the document that they belong to."""
    said = (
        f"<dgm:pt modelId='{name}'><dgm:t><a:p><a:r><a:t>{text}</a:t></a:r></a:p></dgm:t></dgm:pt>"
        for name, text in texts.items()
    )
    return f"<dgm:ptLst><dgm:pt modelId='doc' type='doc'/>{''.join(said)}</dgm:ptLst>"


def links(*pairs: str) -> str:
    """Connections `above>below`, in their order."""
    said = (
        f"<dgm:cxn modelId='x{order}' srcId='{pair.split('>')[0]}' destId='{pair.split('>')[1]}' srcOrd='{order}'/>"
        for order, pair in enumerate(pairs)
    )
    return f"<dgm:cxnLst>{''.join(said)}</dgm:cxnLst>"


def data(*parts: str) -> str:
    return f"<dgm:dataModel {DGM}>{''.join(parts)}</dgm:dataModel>"


NESTED = data(points(b="Prune", a="Plant", c="In March"), links("doc>a", "doc>b", "b>c"))


@pytest.mark.parametrize(
    ("model", "read"),
    [
        (NESTED, ["- Plant\n- Prune\n  - In March"]),
        (data(points(a="One", b="Two")), ["- One\n- Two"]),
        (data(points(a="One", b="Two"), links("a>b", "b>a")), ["- One\n  - Two"]),
        (data(points(a="", b="Two"), links("doc>a", "a>b")), ["- Two"]),
        (data(points(a=" ")), []),
        (data(), []),
    ],
    ids=["nested", "no links", "a circle", "an empty node", "blank", "nothing"],
)
def test_a_diagram_is_a_list_of_its_nodes(model: str, read: list[str]) -> None:
    assert list(diagram(parsed(model.encode()))) == read


def dimension(kind: str, *texts: str) -> str:
    said = "".join(f"<cx:pt idx='{place}'>{text}</cx:pt>" for place, text in enumerate(texts))
    return f"<cx:{kind}><cx:lvl>{said}</cx:lvl></cx:{kind}>"


CHART = (
    f"<cx:chartSpace {CX}><cx:chartData><cx:data id='0'>{dimension('strDim', 'Open', 'Sold')}{dimension('numDim', '12', '-3')}"
    "</cx:data></cx:chartData><cx:chart><cx:title><cx:tx><cx:rich><a:p><a:r><a:t>Stock</a:t></a:r></a:p></cx:rich></cx:tx></cx:title>"
    "<cx:plotArea><cx:plotAreaRegion><cx:series><cx:tx><cx:txData><cx:v>Lamps</cx:v></cx:txData></cx:tx><cx:dataId val='0'/>"
    "</cx:series></cx:plotAreaRegion></cx:plotArea></cx:chart></cx:chartSpace>"
)


def test_a_newer_chart_is_a_table_of_its_series() -> None:
    assert list(newer_chart(parsed(CHART.encode()), Cells())) == [
        "- Stock",
        "|  | Lamps |\n| --- | --- |\n| Open | 12 |\n| Sold | -3 |",
    ]


def frame(inside: str) -> str:
    named = "<p:nvGraphicFramePr><p:cNvPr id='9' name='x'/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr><p:xfrm/>"
    return f"<p:graphicFrame>{named}<a:graphic><a:graphicData uri='x'>{inside}</a:graphicData></a:graphic></p:graphicFrame>"


def alternative(choice: str) -> str:
    fallback = "<mc:Fallback><p:sp><p:txBody><a:p><a:r><a:t>Not available</a:t></a:r></a:p></p:txBody></p:sp></mc:Fallback>"
    return f"<mc:AlternateContent {MC}><mc:Choice Requires='x'>{choice}</mc:Choice>{fallback}</mc:AlternateContent>"


SMART_ART = frame(f"<dgm:relIds {DGM} {REL} r:dm='rId77'/>")
WATERFALL = alternative(frame(f"<cx:chart {CX} {REL} r:id='rId77'/>"))


def deck(shape: str, part: str = "") -> Cleaned:
    """A deck of one slide, with a shape that names a part."""
    presentation = Presentation()
    slide: Any = presentation.slides.add_slide(presentation.slide_layouts[5])
    slide.shapes.title.text = "Year"
    whole = saved(presentation)
    with ZipFile(BytesIO(whole)) as packed:
        before = {name: packed.read(name) for name in (SLIDE, RELATIONS, "[Content_Types].xml")}
    related = b'<Relationship Id="rId77" Type="x/part" Target="../parts/data1.xml"/></Relationships>'
    change = {SLIDE: before[SLIDE].replace(b"</p:spTree>", shape.encode() + b"</p:spTree>")}
    if part:
        change[RELATIONS] = before[RELATIONS].replace(b"</Relationships>", related)
        change["ppt/parts/data1.xml"] = part.encode()
    return extract(with_parts(whole, change))


def test_the_text_of_smartart_stands_on_its_slide() -> None:
    cleaned = deck(SMART_ART, NESTED)
    assert (cleaned.text, cleaned.dropped) == ("## Year\n\n- Plant\n- Prune\n  - In March\n", ())


def test_the_numbers_of_a_newer_chart_stand_on_its_slide() -> None:
    assert deck(WATERFALL, CHART).text == "## Year\n\n- Stock\n\n|  | Lamps |\n| --- | --- |\n| Open | 12 |\n| Sold | -3 |\n"


@pytest.mark.parametrize(
    ("shape", "part", "what"),
    [
        (SMART_ART, "", "1 damaged graphic on slide 1"),
        (SMART_ART, "<dgm:broken", "1 damaged graphic on slide 1"),
        (SMART_ART * 2, "", "2 damaged graphics on slide 1"),
        (frame("<a:x/>"), "", "1 embedded object on slide 1"),
        (
            f"<mc:AlternateContent {MC}><mc:Choice><p:contentPart/></mc:Choice></mc:AlternateContent>",
            "",
            "1 embedded object on slide 1",
        ),
    ],
    ids=["no part", "broken part", "twice", "an object", "ink"],
)
def test_what_is_not_read_is_told(shape: str, part: str, what: str) -> None:
    cleaned = deck(shape, part)
    assert (cleaned.text, cleaned.dropped) == ("## Year\n", (Dropped(what, 0),))


def test_text_for_newer_programs_only_is_read() -> None:
    shape = "<p:sp><p:txBody><a:p><a:r><a:t>x = 2</a:t></a:r></a:p></p:txBody></p:sp>"
    assert deck(alternative(shape)).text == "## Year\n\n- x = 2\n"


def test_nodes_deeper_than_twenty_levels_are_indented_no_further() -> None:
    names = [f"n{number}" for number in range(3000)]
    model = data(points(**dict.fromkeys(names, "x")), links("doc>n0", *(f"{one}>{two}" for one, two in pairwise(names))))
    (text,) = diagram(parsed(model.encode()))
    assert text.split("\n") == [f"{'  ' * min(depth, 20)}- x" for depth in range(3000)]


def test_a_node_that_many_stand_over_is_gone_through_once() -> None:
    above, below = [f"a{number}" for number in range(1500)], [f"b{number}" for number in range(1500)]
    pairs = [*(f"{name}>m" for name in above), *(f"m>{name}" for name in below)]
    (text,) = diagram(parsed(data(points(**dict.fromkeys([*above, "m", *below], "x")), links(*pairs)).encode()))
    assert text.count("- x") == 3001


def test_graphics_that_name_one_part_are_limited_together(monkeypatch: pytest.MonkeyPatch) -> None:
    assert deck(SMART_ART * 2, NESTED).text.count("Plant") == 2
    monkeypatch.setattr(cleaned, "MAX_TEXT", 100)
    with pytest.raises(ValueError, match="text of more than 100 characters"):
        deck(SMART_ART * 20, NESTED)


def test_a_newer_chart_of_too_many_cells_is_refused_and_not_called_damaged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(office, "MAX_CELLS", 3)
    with pytest.raises(ValueError, match="more than 3 cells"):
        deck(WATERFALL, CHART)
