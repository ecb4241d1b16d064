"""HTML to readable text."""

import pytest

from harness.corpus.html import clean

PAGE = """<!DOCTYPE html>
<html><head><title>Help</title><style>p { color: red }</style></head>
<body>
<nav><a href="/">Home</a></nav>
<h1>Start</h1>
<p>Plug in the <b>antenna</b> first. It takes
 2 minutes.</p>
<h2>Lights</h2>
<table><caption>Ring light</caption>
<tr><th>Light</th><th>State</th></tr>
<tr><td>Solid <i>amber</i></td><td>Update,
 do not unplug</td></tr>
</table>
<ul><li>One</li><li>Two <ul><li>Deeper</li></ul></li></ul>
<pre>x = 1
  y = 2</pre>
<!-- hidden --><script>alert(1)</script>
<footer>Copyright</footer>
</body></html>
"""

READ = """# Start

Plug in the antenna first. It takes
 2 minutes.

## Lights

Ring light

| Light | State |
| --- | --- |
| Solid amber | Update, do not unplug |

- One
- Two
  - Deeper

```
x = 1
  y = 2
```
"""


def test_a_page_reads_as_a_person_sees_it() -> None:
    assert clean(PAGE) == (READ, {"title": "Help"})


def _text(html: str) -> str:
    return clean(html)[0].strip()


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>a<br>b</p>", "a\nb"),
        ("<div>a<p>b</p>c</div>", "a\n\nb\n\nc"),
        ("<p>CO<sub>2</sub> &amp; <a href='x'>more</a></p>", "CO2 & more"),
        ("<p>two  blanks   kept</p>", "two  blanks   kept"),
        ("<h3>Deep</h3>text", "### Deep\n\ntext"),
        ("<h2></h2><p>a</p>", "a"),
        ("<ol><li>a</li><li>b</li></ol>", "- a\n- b"),
        ("<ul><li><p>a</p><p>b</p></li></ul>", "- a\n  b"),
        ("<dl><dt>Range</dt><dd>5 m</dd></dl>", "Range\n\n5 m"),
        ("plain words", "plain words"),
        ("<p>never closed", "never closed"),
        ("<p>a</p><![CDATA[x]]><?php y ?><p>b</p>", "a\n\nb"),
    ],
)
def test_elements(html: str, text: str) -> None:
    assert _text(html) == text


@pytest.mark.parametrize("name", ["script", "style", "nav", "footer", "head", "template"])
def test_what_is_no_content_is_dropped(name: str) -> None:
    assert _text(f"<p>a</p><{name}>secret</{name}><p>b</p>") == "a\n\nb"


@pytest.mark.parametrize(
    ("cell", "text"),
    [("4<br>5", "4 5"), ("<p>a</p><p>b</p>", "a b"), ("CO<sub>2</sub>", "CO2"), ("a\n   b", "a b"), ("", "")],
)
def test_a_cell_is_one_line(cell: str, text: str) -> None:
    assert _text(f"<table><tr><td>{cell}</td></tr></table>").split("\n")[0] == f"| {text} |"


def test_a_table_inside_a_table_is_said_once() -> None:
    text = _text("<table><tr><td>outer <table><tr><td>inner</td></tr></table></td></tr></table>")
    assert text.count("inner") == 1


def test_twenty_thousand_nested_elements_do_not_overflow() -> None:
    assert _text("<b>" * 20_000 + "deep" + "</b>" * 20_000) == "deep"


@pytest.mark.parametrize("html", ["", "<html></html>", "<script>x</script>", "<!-- x -->"])
def test_a_page_without_text_is_empty(html: str) -> None:
    assert _text(html) == ""


def test_a_quote_from_one_element_is_found_as_it_was_written() -> None:
    quote = "Hold the button for 3 seconds; then wait   (see 4.2) until it is done."
    assert quote in _text(f"<main><section><p>{quote}</p></section></main>")
