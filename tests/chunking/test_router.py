"""The router: each document goes to the chunker of its type, and every route can be set by name."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic import ValidationError

from harness.build.compose import compose
from harness.build.experiment import build
from harness.build.overrides import parse
from harness.cache import CachedEmbedder
from harness.chunking.code import Code
from harness.chunking.fixed import Fixed
from harness.chunking.items import Items
from harness.chunking.markdown import Markdown
from harness.chunking.pages import Pages
from harness.chunking.recursive import Recursive
from harness.chunking.router import Router
from harness.chunking.table import Table
from harness.errors import ConfigError
from harness.golden.golden_set import load
from harness.golden.unreachable import cut
from harness.protocols import Chunker
from harness.store import Store
from tests.builders import document
from tests.cli.conftest import harness as harness
from tests.cli.conftest import project as project
from tests.contracts.chunker import ChunkerContract
from tests.golden.public import ROOT

ROUTES: dict[str, Chunker] = {
    "markdown": Markdown(24),
    "code": Code(24),
    "table": Table(24),
    "pages": Pages(24),
    "prose": Recursive(24),
}
OFFICE = "application/vnd.openxmlformats-officedocument"


class TestRouter(ChunkerContract):
    limit = 24 + 4

    @pytest.fixture
    def chunker(self) -> Router:
        return Router(**ROUTES)


@pytest.mark.parametrize(
    ("mime_type", "route"),
    [
        ("text/markdown", "markdown"),
        ("text/html", "markdown"),
        ("text/x-rst", "markdown"),
        (f"{OFFICE}.wordprocessingml.document", "markdown"),
        ("text/x-python", "code"),
        ("text/x-typescript", "code"),
        ("text/x-sql", "code"),
        ("text/csv", "table"),
        ("text/tab-separated-values", "table"),
        ("application/json", "table"),
        ("application/jsonl", "table"),
        ("application/pdf", "pages"),
        (f"{OFFICE}.presentationml.presentation", "pages"),
        ("text/plain", "prose"),
        ("application/yaml", "prose"),
        ("", "prose"),
    ],
)
def test_a_document_goes_to_the_chunker_of_its_type(mime_type: str, route: str) -> None:
    given = document(text="alpha = 1\n\nbeta = 2\n" * 9, mime_type=mime_type)
    assert Router(**ROUTES).route(mime_type) is ROUTES[route]
    assert Router(**ROUTES).chunk(given) == ROUTES[route].chunk(given)


def test_every_type_that_is_loaded_has_a_route() -> None:
    from harness.corpus.formats import BINARY_FORMATS, TEXT_FORMATS

    routes = {mime_type: Router(**ROUTES).route(mime_type) for mime_type, _ in [*TEXT_FORMATS.values(), *BINARY_FORMATS.values()]}
    assert {mime_type for mime_type, route in routes.items() if route is ROUTES["prose"]} == {
        "text/plain",
        "application/toml",
        "application/yaml",
    }


def test_no_piece_of_evidence_of_fernhill_is_split_or_lost_under_the_router() -> None:
    golden = load(ROOT / "golden_sets" / "fernhill")
    router = Router(Markdown(256), Code(), Table(), Pages(), Recursive())
    left = cut(golden, [chunk for given in golden.documents for chunk in router.chunk(given)])
    assert (left.pieces > 400, left.split, left.unreachable) == (True, (), ())


def composed(*words: str) -> dict[str, Any]:
    chunker: dict[str, Any] = compose(parse(list(words))[0])["chunker"]
    return chunker


def fault(*words: str) -> str:
    with pytest.raises(ConfigError) as caught:
        composed(*words)
    return str(caught.value)


def built(tmp_path: Path, *words: str) -> object:
    words = (*words, "embedder=hashing", "reranker=lexical", "judge=lexical")
    return build(parse(list(words))[0], Store(tmp_path / "s.sqlite")).pipeline.chunker


def test_the_option_is_made_of_the_options_of_its_group(tmp_path: Path) -> None:
    assert built(tmp_path, "chunker=router") == Router(Markdown(256), Code(), Table(), Pages(), Recursive())


def test_a_setting_of_one_route_is_set_by_its_name(tmp_path: Path) -> None:
    made = built(tmp_path, "chunker=router", "chunker.code.size=128", "chunker.table.rows=2")
    assert made == Router(Markdown(256), Code(128), Table(rows=2), Pages(), Recursive())


@pytest.mark.parametrize(
    ("option", "chunker"),
    [("code", Code()), ("table", Table()), ("list", Items()), ("page", Pages())],
)
def test_each_option_builds_with_its_defaults(tmp_path: Path, option: str, chunker: object) -> None:
    assert built(tmp_path, f"chunker={option}") == chunker


def test_another_option_is_chosen_for_one_route(tmp_path: Path) -> None:
    made = built(tmp_path, "chunker@chunker.markdown=fixed", "chunker.markdown.size=500", "chunker=router")
    assert made == Router(Fixed(500), Code(), Table(), Pages(), Recursive())


def test_the_embedder_inside_a_route_is_behind_its_cache(tmp_path: Path) -> None:
    made = built(tmp_path, "chunker=router", "chunker@chunker.prose=semantic", "embedder@chunker.prose.embedder=hashing")
    assert isinstance(made, Router)
    assert isinstance(made.prose.embedder, CachedEmbedder)  # type: ignore[attr-defined]


def refused(tmp_path: Path, *words: str) -> str:
    with pytest.raises(ConfigError) as caught:
        built(tmp_path, *words)
    return str(caught.value)


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("chunker.embedder", ["chunker=semantic", "embedder@chunker.embedder=tfidf_svd"]),
        (
            "chunker.prose.embedder",
            ["chunker=router", "chunker@chunker.prose=semantic", "embedder@chunker.prose.embedder=tfidf_svd"],
        ),
    ],
)
def test_an_embedder_that_must_learn_first_is_refused_before_anything_is_cut(
    tmp_path: Path, place: str, words: list[str]
) -> None:
    said = refused(tmp_path, *words)
    assert f"{place} — " in said and "must learn from the chunks" in said and "embedder@chunker.embedder=bge_small" in said


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("given", ["table", 3, None, Markdown, {"size": 20}], ids=repr)
def test_what_is_no_chunker_is_refused_with_how_one_is_chosen(route: str, given: object) -> None:
    with pytest.raises(ValidationError, match=rf"{route}\n.*`- override /chunker@chunker\.{route}: (table|NAME)`"):
        Router(**{**ROUTES, route: given})  # type: ignore[arg-type]


NAMED = """defaults:
  - light
  - override /chunker: {option}
chunker:
  {field}: {name}
"""


@pytest.mark.parametrize(
    ("option", "field", "name", "fix"),
    [
        ("router", "markdown", "table", "- override /chunker@chunker.markdown: table"),
        ("semantic", "embedder", "hashing", "- override /embedder@chunker.embedder: hashing"),
    ],
)
def test_the_name_of_an_option_in_an_experiment_is_refused_with_the_line_that_chooses_it(
    project: Path, harness: Callable[..., tuple[int, str]], option: str, field: str, name: str, fix: str
) -> None:
    (project / "experiments" / "named.yaml").write_text(NAMED.format(option=option, field=field, name=name))
    code, printed = harness("run", "+experiment=named")
    assert code == 2 and f"chunker.{field}" in printed and fix in " ".join(printed.replace("│", " ").split())


def test_a_sweep_goes_over_settings_and_options_of_routes() -> None:
    cells = parse(["chunker=router", "chunker.code.size=64,128", "chunker@chunker.markdown=table,fixed"], sweep=True)
    made = [compose(cell)["chunker"] for cell in cells]
    assert [(cell["code"]["size"], cell["markdown"]["_target_"].rpartition(".")[2]) for cell in made] == [
        (64, "Table"),
        (64, "Fixed"),
        (128, "Table"),
        (128, "Fixed"),
    ]


def test_the_same_route_given_twice_is_refused_and_two_routes_are_not() -> None:
    with pytest.raises(ConfigError, match=r"'chunker@chunker\.code'.*given twice"):
        parse(["chunker@chunker.code=table", "chunker@chunker.code=fixed"])
    assert len(parse(["chunker=router", "chunker@chunker.code=table", "chunker@chunker.pages=fixed"])[0]) == 3


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("chunker@chunker.markdwn=table", "did you mean 'chunker@chunker.markdown'?"),
        ("chunkr@chunker.code=table", "did you mean 'chunker@chunker.code'?"),
        ("chunker@chunker.code=tabel", "did you mean 'table'?"),
        ("chunker.code.siz=3", "did you mean 'chunker.code.size'?"),
        ("chunker.size=3", "no setting is called 'chunker.size'"),
        ("chunker@chunker.code.size=table", "Could not override"),
    ],
)
def test_a_route_that_does_not_exist_is_told_with_the_nearest(word: str, says: str) -> None:
    assert says in fault("chunker=router", word)


def test_a_route_of_an_option_without_routes_is_refused() -> None:
    assert "no setting is called 'chunker@chunker.code'" in fault("chunker=markdown", "chunker@chunker.code=table")


def test_a_users_own_option_takes_the_place_of_the_shipped_one_inside_the_router(project: Path) -> None:
    (project / "conf" / "chunker").mkdir(parents=True)
    (project / "conf" / "chunker" / "markdown.yaml").write_text("_target_: harness.chunking.recursive.Recursive\nsize: 77\n")
    assert composed("chunker=router")["markdown"] == {"_target_": "harness.chunking.recursive.Recursive", "size": 77}


EXPERIMENT = """# Routes chosen and set in an experiment.
defaults:
  - light
  - override /chunker: router
  - override /chunker@chunker.markdown: table
chunker:
  markdown: {rows: 1}
  prose: {size: 60}
"""


def test_an_experiment_chooses_and_sets_routes(project: Path) -> None:
    (project / "experiments" / "routed.yaml").write_text(EXPERIMENT)
    made = composed("+experiment=routed", "chunker.prose.size=50")
    assert (made["markdown"]["rows"], made["prose"]["size"]) == (1, 50)
    assert composed("+experiment=routed", "chunker@chunker.markdown=recursive")["markdown"]["_target_"].endswith("Recursive")


def test_the_whole_config_shows_the_routes(project: Path, harness: Callable[..., tuple[int, str]]) -> None:
    (project / "experiments" / "routed.yaml").write_text(EXPERIMENT)
    code, printed = harness("run", "+experiment=routed", "--cfg")
    assert code == 0 and "harness.chunking.table.Table" in printed and "rows: 1" in printed


def test_a_sweep_over_routes_runs_and_keeps_them(project: Path, harness: Callable[..., tuple[int, str]]) -> None:
    code, printed = harness("run", "-m", "+experiment=light", "chunker=router", "chunker@chunker.markdown=table,recursive")
    assert code == 0, printed
    assert "chunker@chunker.markdown=table" in printed
    kept = [yaml.safe_load(path.read_text()) for path in (project / "reports" / "runs").glob("*/config.yaml")]
    chunkers = {config["chunker"]["markdown"]["_target_"].rpartition(".")[2] for config in kept}
    assert chunkers == {"Table", "Recursive"}
