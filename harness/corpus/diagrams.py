"""SmartArt diagrams as nested lists of their nodes."""

from collections import defaultdict
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from harness.corpus.cleaned import single_line
from harness.corpus.traced import indent

_DGM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_NODES = (None, "node", "asst")
"""Types of the points that a reader sees; the others place and connect them."""


def diagram(root: Element) -> Iterator[str]:
    """The nodes of a diagram's data part, each under the one it belongs to; nothing where they hold no text."""
    texts = {point.get("modelId", ""): _text(point) for point in root.iter(f"{_DGM}pt") if point.get("type") in _NODES}
    under: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for link in root.iter(f"{_DGM}cxn"):
        below = link.get("destId", "")
        if link.get("type") in (None, "parOf") and below in texts:
            under[link.get("srcId", "")].append((int(link.get("srcOrd") or 0), below))
    tops = [name for top in list(under) if top not in texts for _, name in sorted(under[top])]
    lines = list[str]()
    stack, left = [(name, 0) for name in [*reversed(texts), *reversed(tops)]], dict(texts)
    while stack:
        name, depth = stack.pop()
        if name not in left:
            continue
        if text := left.pop(name):
            lines.append(f"{indent(depth)}- {text}")
        stack += [(child, depth + bool(text)) for _, child in sorted(under[name], reverse=True) if child in left]
    yield from ["\n".join(lines)] if lines else []


def _text(point: Element) -> str:
    return single_line(" ".join("".join(run.text or "" for run in line.iter(f"{_A}t")) for line in point.iter(f"{_A}p")))
