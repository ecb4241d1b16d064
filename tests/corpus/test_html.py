"""HTML to readable text."""

import time

import pytest
from bs4 import Tag
from bs4.element import PageElement

from harness.corpus import cleaned, html_lines
from harness.corpus.cleaned import Dropped
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
    found = clean(PAGE)
    assert (found.text, found.fields) == (READ, {"title": "Help"})


def _text(html: str) -> str:
    return clean(html).text.strip()


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
    [
        ("4<br>5", "4 5"),
        ("4<br/>5</br>", "4 5"),
        ("<p>a</p><p>b</p>", "a b"),
        ("<p>a</p>b", "a b"),
        ("CO<sub>2</sub>", "CO2"),
        ("a\n   b", "a b"),
        ("a<script>x</script><!-- y -->", "a"),
        ("<table><caption>a</caption><tr><td>b</td><td>c</td></tr></table>", "a b c"),
        ("", ""),
    ],
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


@pytest.mark.parametrize(
    ("head", "fields"),
    [
        ("<meta name='author' content=' Ann  Bee '>", {"author": "Ann Bee"}),
        ("<meta name=DC.Creator content='Ann'><meta name=author content='Bee'>", {"author": "Bee"}),
        ("<meta property='article:modified_time' content='2025-03-01T10:00:00Z'>", {"updated_at": "2025-03-01"}),
        ("<meta name=date content=2024-01-01><meta name=dcterms.modified content=2025-02-02>", {"updated_at": "2025-02-02"}),
        ("<meta name=dcterms.modified content='last week'><meta name=date content=2024-01-01>", {"updated_at": "2024-01-01"}),
        ("<meta property='article:published_time' content='2023-05-05'>", {"updated_at": "2023-05-05"}),
        ("<meta name=date content='2024-13-01'><meta name=author content=''>", {}),
        ("<meta charset=utf-8><meta name=author><meta content=x>", {}),
        ("<title>T</title><meta name=author content='A\x00nn'>", {"title": "T", "author": "Ann"}),
    ],
)
def test_a_page_says_author_and_date_of_itself(head: str, fields: dict[str, str]) -> None:
    assert clean(f"<html><head>{head}</head><body><p>a</p></body></html>").fields == fields


def test_what_is_dropped_is_told_with_its_line() -> None:
    page = "<head>\n<title>T</title></head>\n<nav>\nHome  page <script>x()</script></nav>\n<p>a</p><!-- note -->\n<script>y = 1</script>"
    assert clean(page).dropped == (
        Dropped("<head>", 1, 1),
        Dropped("<nav>", 9, 3),
        Dropped("<script>", 5, 6),
        Dropped("comment", 6),
    )


def test_a_page_of_content_drops_nothing() -> None:
    assert clean("<h1>a</h1><p>b</p>").dropped == ()


def test_cells_and_rows_that_are_not_closed_end_where_the_next_begin() -> None:
    assert _text("<table><caption>T<tr><th>a<th>b<tr><td>1<td>2</table>c") == "T\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\nc"


def test_lists_deeper_than_twenty_levels_are_indented_no_further() -> None:
    assert _text("<ul><li>x" * 3000).split("\n") == [f"{'  ' * min(depth, 20)}- x" for depth in range(3000)]


MANY = 3_000


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("a<br>" * MANY, "a\n" * MANY),
        ("<p>a<br>b</p>" * MANY, "a\nb\n\n" * MANY),
        ("<table><tr><td>" + "<p>a</p>" * MANY, "| " + "a " * MANY + "|\n| --- |"),
        ("<p>a</p><script>x</script>" * MANY, "a\n\n" * MANY),
        ("<table>" + "<tr><td>a" * MANY, "| a |\n| --- |\n" + "| a |\n" * (MANY - 1)),
        ("<p>a</p><table></table>" * MANY, "a\n\n" * MANY),
    ],
    ids=["line breaks", "line breaks in paragraphs", "blocks in a cell", "scripts", "open rows", "empty tables"],
)
def test_a_large_page_is_read_without_changing_its_tree(monkeypatch: pytest.MonkeyPatch, html: str, text: str) -> None:
    for name in ("index", "find_parent"):  # each goes through all the siblings or parents of an element
        monkeypatch.delattr(Tag if name == "index" else PageElement, name)
    assert _text(html) == text.strip()


def test_the_end_of_an_element_is_not_looked_for_among_all_line_breaks() -> None:
    started = time.process_time()
    assert _text("<p>a<br>b</p>" * 20_000).count("a\nb") == 20_000
    assert time.process_time() - started < 15


@pytest.mark.parametrize("start", ["<a ", "<a", '<a b="', "<!--", "<!-- x ", "</a", "<?", "<![CDATA["])
def test_markup_that_is_never_closed_is_refused_with_its_line(start: str) -> None:
    with pytest.raises(ValueError, match=r"on line 3 that is not closed in the [\d,]+ characters after it"):
        clean("<p>a</p>\n\n" + start * 30_000)


@pytest.mark.parametrize("start", ["<a ", '<a b="', "<!--", "</a"])
def test_the_end_of_a_page_may_be_cut_off(start: str) -> None:
    assert _text(f"<p>a</p>{start}").startswith("a")


@pytest.mark.parametrize(("limit", "value"), [("MAX_CHARACTERS", 20), ("MAX_TAGS", 3)])
def test_a_page_that_would_take_all_memory_is_refused(monkeypatch: pytest.MonkeyPatch, limit: str, value: int) -> None:
    monkeypatch.setattr(html_lines, limit, value)
    assert _text("<p>a</p>") == "a"
    with pytest.raises(ValueError, match="the limits for HTML"):
        clean("<p>a</p>" * 4)


def test_a_page_that_says_more_than_is_kept_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cleaned, "MAX_TEXT", 1000)
    with pytest.raises(ValueError, match="text of more than 1,000 characters"):
        clean("<ul><li>x" * 100)
