"""Source code: cut where its author did."""

import ast
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.chunking.code import Code
from harness.chunking.recursive import Recursive
from harness.chunking.syntax import GRAMMARS
from harness.corpus.formats import TEXT_FORMATS
from harness.errors import ConfigError, StageError
from harness.text import count_tokens
from harness.types import Chunk
from tests.builders import document
from tests.chunking.typed import Typed
from tests.contracts.chunker import ChunkerContract, quick
from tests.golden.public import ROOT

pytest.importorskip("tree_sitter_language_pack", reason="the extra `code` is not installed")
CORPUS = ROOT / "golden_sets" / "fernhill" / "corpus"


class TestCode(ChunkerContract):
    limit = 24

    @pytest.fixture(params=["text/x-python", "text/x-typescript", "text/x-c++", "text/markdown"])
    def chunker(self, request: pytest.FixtureRequest) -> Typed:
        return Typed(Code(size=24), request.param)


class TestTinyCode(ChunkerContract):
    limit = 4 + 2

    @pytest.fixture
    def chunker(self) -> Typed:
        return Typed(Code(size=4, overlap=0.5), "text/x-python")


def _cut(text: str, size: int = 256, mime_type: str = "text/x-python", overlap: float = 0.0) -> list[Chunk]:
    return list(Code(size=size, overlap=overlap).chunk(document("a.py", text, mime_type=mime_type)))


def _texts(text: str, size: int = 256, mime_type: str = "text/x-python") -> list[str]:
    return [chunk.text for chunk in _cut(text, size, mime_type)]


IMPORTS = "import os\nimport sys\n\nLIMIT = 4"
FUNCTION = 'def start(pump):\n    """Starts it."""\n    return pump.go(LIMIT)'
CLASS = '''class Pump:
    """Moves water."""

    size = 3

    # Slowly at first.
    @property
    def speed(self):
        return self.turns * self.size

    def stop(self):
        self.turns = 0
        self.valve.close()'''


def test_a_function_and_the_statements_around_it_are_chunks_of_their_own() -> None:
    assert _texts(f"{IMPORTS}\n\n\n{FUNCTION}\n\n\nstart(LIMIT)\n", size=60) == [IMPORTS, FUNCTION, "start(LIMIT)"]


def test_a_class_that_fits_stays_whole() -> None:
    assert [(chunk.text, chunk.section_path, chunk.kind) for chunk in _cut(CLASS)] == [(CLASS, ("class Pump",), "code")]


def test_a_larger_class_is_cut_between_its_methods() -> None:
    made = _cut(CLASS, size=40)
    assert [chunk.text for chunk in made] == [
        'class Pump:\n    """Moves water."""\n\n    size = 3',
        "    # Slowly at first.\n    @property\n    def speed(self):\n        return self.turns * self.size",
        "    def stop(self):\n        self.turns = 0\n        self.valve.close()",
    ]
    assert [chunk.section_path for chunk in made] == [
        ("class Pump",),
        ("class Pump", "def speed"),
        ("class Pump", "def stop"),
    ]


def test_comments_and_decorators_right_above_stay_with_a_definition() -> None:
    decorated = f"# Careful.\n# Twice.\n@cached\n@typed(int)\n{FUNCTION}"
    assert _texts(f"x = 1\n\n{decorated}", size=60) == ["x = 1", decorated]


def test_a_comment_with_a_blank_line_below_stands_by_itself() -> None:
    assert _texts(f"# A licence.\n\n{FUNCTION}", size=60) == ["# A licence.", FUNCTION]


def test_a_comment_at_the_end_of_a_line_stays_on_it() -> None:
    assert _texts(f"x = 1  # note\n{FUNCTION}", size=60) == ["x = 1  # note", FUNCTION]


def test_a_comment_that_leaves_no_room_for_its_function_names_it_all_the_same() -> None:
    comment = "# one two six ten red sea sky end blue"
    made = _cut(f"{comment}\n{FUNCTION}", size=count_tokens(FUNCTION))
    assert [(chunk.text, chunk.section_path) for chunk in made] == [(comment, ("def start",)), (FUNCTION, ("def start",))]


def test_a_function_that_is_too_long_is_cut_between_statements() -> None:
    lines = ["def run(a):", *(f"    first_{number} = call(a,\n        {number})" for number in range(10, 30))]
    made = _cut("\n".join(lines), size=40)
    assert "\n".join(chunk.text for chunk in made) == "\n".join(lines)
    assert len(made) > 5 and {chunk.section_path for chunk in made} == {("def run",)}
    assert all(chunk.text.startswith("    first_") and chunk.text.endswith(")") for chunk in made[1:])


def test_a_statement_that_is_too_long_is_cut_between_lines() -> None:
    lines = ['X = """', *(f"line {number}" for number in range(10, 40)), '"""']
    made = _texts("\n".join(lines), size=20)
    assert len(made) > 2
    assert [line for text in made for line in text.split("\n")] == lines


def test_definitions_of_a_few_words_are_put_together() -> None:
    text = "class A(Exception): ...\n\n\nclass B(Exception): ..."
    assert [(chunk.text, chunk.section_path) for chunk in _cut(text)] == [(text, ())]


def test_overlap_repeats_whole_statements_of_a_function_that_was_cut() -> None:
    text = "def run(a):\n    one = a\n    two = a\n    six = a\n    ten = a"
    assert [chunk.text for chunk in _cut(text, size=12, overlap=0.3)] == [
        "def run(a):\n    one = a\n    two = a",
        "    two = a\n    six = a\n    ten = a",
    ]


def test_overlap_never_reaches_into_another_definition() -> None:
    text = f"{FUNCTION}\n\n\n{FUNCTION.replace('start', 'halt')}"
    assert [chunk.text for chunk in _cut(text, size=60, overlap=0.5)] == text.split("\n\n\n")


def test_overlap_repeats_no_definition_however_tiny() -> None:
    statements = [f"first_{number} = call(a, {number})" for number in range(10, 20)]
    before, after = "\n".join([*statements[:7], "def f(): 0"]), "\n".join(statements[7:])
    made = _cut(f"{before}\n{after}", size=count_tokens(before), overlap=0.5)
    assert [chunk.text for chunk in made] == [before, after]


def test_without_heading_neither_title_nor_section_is_indexed() -> None:
    (made,) = Code(heading=False).chunk(document("a.py", FUNCTION, mime_type="text/x-python", title="SDK"))
    assert made.indexed_text == FUNCTION


LANGUAGES = {
    "text/javascript": ("export class Pump {\n  start() {\n    return 1;\n  }\n}", "class Pump", "start"),
    "text/x-typescript": ("export class Pump {\n  async start(a: number) {\n    go(a);\n  }\n}", "class Pump", "async start"),
    "text/x-java": (
        "@Entity\npublic class Pump {\n  @Override\n  void start() {\n    go();\n  }\n}",
        "public class Pump",
        "void start",
    ),
    "text/x-go": ("func (p *Pump) Start(a int) error {\n  return nil\n}", "func (p *Pump) Start"),
    "text/x-rust": ("impl Flow for Pump {\n  pub fn start(&self) {\n    go();\n  }\n}", "impl Flow for Pump", "pub fn start"),
    "text/x-c": ("/* Starts. */\nstatic int start(int a)\n{\n  return a;\n}", "static int start"),
    "text/x-c++": ("class Pump {\npublic:\n  void start() {\n    go();\n  }\n};", "class Pump", "void start"),
    "text/x-csharp": ("class Pump {\n  void Start() {\n    Go();\n  }\n}", "class Pump", "void Start"),
    "text/x-ruby": ("class Pump\n  def start(a)\n    go a\n  end\nend", "class Pump", "def start"),
    "text/x-php": ("<?php\nclass Pump {\n  function start() {\n    go();\n  }\n}", "class Pump", "function start"),
    "text/x-shellscript": ("start() {\n  echo one two\n}", "start"),
    "text/x-kotlin": ("class Pump {\n  fun start(): Int {\n    return go()\n  }\n}", "class Pump", "fun start"),
    "text/x-swift": ("class Pump {\n  func start() {\n    go()\n  }\n}", "class Pump", "func start"),
    "text/x-scala": ("class Pump {\n  def start = {\n    go()\n  }\n}", "class Pump", "def start"),
    "text/x-lua": ("function start(a)\n  return a\nend", "function start"),
}


@pytest.mark.parametrize("mime_type", LANGUAGES)
def test_definitions_are_known_by_name_in_every_language(mime_type: str) -> None:
    text, *path = LANGUAGES[mime_type]
    size = count_tokens(text) * 3 // 4 if len(path) > 1 else 50
    assert tuple(path) in {chunk.section_path for chunk in _cut(text, size, mime_type)}


@pytest.mark.parametrize("mime_type", GRAMMARS)
def test_every_grammar_is_there(mime_type: str) -> None:
    assert _texts("x", mime_type=mime_type) == ["x"]


def test_the_name_of_a_template_is_found_inside_a_few_others() -> None:
    for deep in (1, 2, 3):
        (made,) = _cut("template <class T>\n" * deep + "class Pump { T turns; };", mime_type="text/x-c++")
        assert made.section_path == ("class Pump",)


@pytest.mark.parametrize("deep", [60, 3_000])
@pytest.mark.parametrize(("wrapper", "mime_type"), [("template<class T> ", "text/x-c++"), ("int *", "text/x-c")])
def test_a_definition_wrapped_without_end_is_cut_and_all_there(deep: int, wrapper: str, mime_type: str) -> None:
    text = wrapper * deep + "f() { return; }"
    made = "".join(chunk.text for chunk in _cut(text, mime_type=mime_type))
    assert "".join(made.split()) == "".join(text.split())


def test_elements_of_tsx_are_read_as_such() -> None:
    text = "export function Pump(turns: number) {\n  return <Box on={turns > 3}>{turns}</Box>;\n}"
    follows = "function stop<T>(all: T[]) {\n  return <Box />;\n}"
    made = _cut(f"{text}\n\n{follows}", size=30, mime_type="text/x-tsx")
    assert [(chunk.text, chunk.section_path) for chunk in made] == [
        (text, ("function Pump",)),
        (follows, ("function stop",)),
    ]


def test_every_format_of_source_code_has_a_grammar() -> None:
    code = {suffix: kind for suffix, (kind, _) in TEXT_FORMATS.items() if suffix in (".tsx", ".ts", ".py", ".jsx", ".hpp")}
    assert set(code.values()) <= set(GRAMMARS)
    assert (GRAMMARS[code[".tsx"]], GRAMMARS[code[".ts"]]) == ("tsx", "typescript")


def test_sql_is_cut_between_statements() -> None:
    first, second = "CREATE TABLE pump (id int);", "SELECT id FROM pump WHERE id = 4;"
    assert _texts(f"{first}\n{second}", size=12, mime_type="text/x-sql") == [first, second]


@pytest.mark.parametrize("broken", ["def f(:\n  x = (", "class {{{", "'''", ")" * 40, "@\n@\n@", "if x:\nelse\n\x00"])
def test_broken_source_is_all_there(broken: str) -> None:
    made = _cut(f"{broken}\n\n{FUNCTION}\n", size=30)
    held = "".join(chunk.text for chunk in made)
    assert "".join(held.split()) == "".join(f"{broken}{FUNCTION}".split())


@pytest.mark.parametrize("name", ["pumpe_läuft", "水泵", "насос"])
def test_spans_count_characters_and_not_bytes(name: str) -> None:
    second = f"def {name}():\n    return 'é日🙂'"
    assert _texts(f"x = '日本🙂'\n\n{second}", size=30)[-1] == second


@pytest.mark.parametrize("text", ["(" * 30_000, "{" * 30_000, "x = 1\n" * 10_000, "# c\n" * 10_000, "if x:\n " * 3_000])
def test_hostile_source_is_cut(text: str) -> None:
    assert sum(len("".join(made.split())) for made in _texts(text)) == len("".join(text.split()))


def test_other_documents_go_to_the_recursive_chunker() -> None:
    prose = document(text="One two six. " * 90)
    assert Code(size=50, overlap=0.1).chunk(prose) == Recursive(size=50, overlap=0.1).chunk(prose)


def _definitions(text: str) -> Iterator[tuple[int, int]]:
    """Where functions and classes stand according to Python itself, decorators included."""
    lines = text.split("\n")
    starts = [sum(len(line) + 1 for line in lines[:number]) for number in range(len(lines) + 1)]
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            yield starts[first - 1], starts[node.end_lineno or first] - 1


def _lost(text: str, size: int) -> list[str]:
    """Definitions that fit and stand in no chunk whole."""
    chunks = _cut(text, size)
    fitting = [(start, end) for start, end in _definitions(text) if count_tokens(text[start:end]) <= size]
    return [
        text[start:end]
        for start, end in fitting
        if not any(chunk.span.start <= start and end <= chunk.span.end for chunk in chunks)
    ]


FILES = sorted((ROOT / "harness" / "statistics").glob("*.py")) + sorted((CORPUS / "sdk").glob("*.py"))


@pytest.mark.parametrize("size", [40, 256])
def test_every_definition_that_fits_stands_whole_in_a_chunk(size: int) -> None:
    texts = [path.read_text(encoding="utf-8") for path in FILES]
    assert sum(len(list(_definitions(text))) for text in texts) > 100
    assert [_lost(text, size) for text in texts] == [[]] * len(texts)


STATEMENTS = ["x = 1", "call(a, b=[1, 2])", "s = 'é日🙂 # no'", "return", "y = '''a\n\nb'''", "pass", "del x", "assert x, 'm'"]


@st.composite
def programs(draw: st.DrawFn) -> str:
    """Valid Python as `ast.unparse` writes it, comments put between."""
    chance = random.Random(draw(st.integers(0, 10_000)))

    def block(depth: int) -> str:
        return "\n".join(_indented(piece(depth)) for _ in range(chance.randint(1, 4)))

    def piece(depth: int) -> str:
        kind = chance.choice(["statement", "def", "class", "if"]) if depth < 3 else "statement"
        if kind == "statement":
            return chance.choice(STATEMENTS)
        head = {"def": "@dec\nasync def f{}(a, *b):", "class": "class C{}(B):", "if": "if x{}:"}[kind]
        return f"{head.format(chance.randint(1, 99))}\n{block(depth + 1)}"

    tops = [ast.unparse(ast.parse(f"def g():\n{_indented(piece(0))}").body[0].body) for _ in range(chance.randint(1, 6))]  # type: ignore[attr-defined]
    return "\n".join(f"# note {number}\n{top}" for number, top in enumerate(tops) if top != "return")


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.split("\n"))


@quick
@given(text=programs(), size=st.integers(5, 80))
def test_random_python_keeps_its_definitions(text: str, size: int) -> None:
    assert _lost(text, size) == []


def test_the_typescript_sdk_is_cut_at_its_classes_and_methods() -> None:
    text = (CORPUS / "sdk-ts" / "client.ts").read_text(encoding="utf-8")
    paths = [chunk.section_path for chunk in _cut(text, mime_type="text/x-typescript")]
    assert ("class Gate",) in paths
    assert [path[1] for path in paths if path[:1] == ("class FernhillClient",) and len(path) > 1][:2] == [
        "constructor",
        "async request",
    ]


@pytest.fixture
def no_grammars(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tree_sitter_language_pack", None)


@pytest.mark.usefixtures("no_grammars")
def test_without_the_extra_it_says_what_to_install() -> None:
    with pytest.raises(ConfigError, match=r'pip install "rag-harness\[code\]"'):
        Code().ready()
    with pytest.raises(StageError, match=r"'a.py': .*rag-harness\[code\]"):
        _cut(FUNCTION)


@pytest.mark.usefixtures("no_grammars")
def test_without_the_extra_other_documents_are_cut_all_the_same() -> None:
    assert [chunk.text for chunk in Code().chunk(document(text="Alpha beta."))] == ["Alpha beta."]


def test_the_folder_of_the_sdk_is_there() -> None:
    assert [Path(path).suffix for path in sorted(CORPUS.glob("sdk*/*"))].count(".ts") == 3
