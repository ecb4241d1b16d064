"""What cannot be used here is told before anything is asked: once, with all places and the command that mends it."""

import pytest

from harness.build.experiment import build
from harness.build.overrides import parse
from harness.errors import ConfigError
from harness.store import Store

QUIET = ["embedder=hashing", "reranker=lexical", "judge=none", "gate=none", "tracking=none", "answerability=never"]
ASKING = ["hyde=llm", "rewrite=llm", "history=llm", "subqueries=llm", "generator=llm", "judge=llm"]


@pytest.fixture
def store(tmp_path, monkeypatch):
    for name in ("OPENAI_API_KEY", "HARNESS_POSTGRES", "PINECONE_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    return Store(tmp_path / "s.sqlite")


def problems(store, *words, **how):
    with pytest.raises(ConfigError) as caught:
        build(
            parse([*dict.fromkeys([*(word for word in QUIET if word.split("=")[0] not in slots(words)), *words])])[0],
            store,
            **how,
        )
    return caught.value.problems


def slots(words):
    return {word.split("=")[0] for word in words}


def test_one_variable_that_many_models_need_is_one_problem_with_all_places(store):
    (problem,) = problems(store, *ASKING)
    assert problem.where.split(", ") == [
        *("history.llm", "rewrite.llm", "subqueries.llm", "hyde.llm", "generator.llm", "judge.splitter.llm", "judge.support.llm")
    ]
    assert problem.fix == "export OPENAI_API_KEY=..., or answer from recorded completions with --replay"


def test_models_that_lack_different_things_are_different_problems(store):
    found = problems(store, "generator=llm", "generator.llm.api_key_env=MY_KEY", "hyde=llm")
    assert {(item.where, item.fix.partition("=")[0]) for item in found} == {
        ("generator.llm", "export MY_KEY"),
        ("hyde.llm", "export OPENAI_API_KEY"),
    }


def test_the_model_is_named_where_it_is_only_one(store):
    (problem,) = problems(store, "generator=llm")
    assert "'OPENAI_API_KEY' is unset; model 'openai/gpt-4o-mini' needs it" in problem.what
    assert "Export it" not in str(problem)


@pytest.mark.parametrize(("option", "variable"), [("pgvector", "HARNESS_POSTGRES"), ("pinecone", "PINECONE_API_KEY")])
def test_a_store_is_told_by_the_slot_in_which_it_was_chosen(store, option, variable):
    (problem,) = problems(store, f"store={option}")
    assert (problem.code, problem.where, problem.fix) == ("F010", "store", f"export {variable}=...")


def test_a_missing_package_has_the_install_command_for_its_fix(store, monkeypatch):
    monkeypatch.setattr("harness.retrieval.stores.shared.find_spec", lambda _: None)
    (problem,) = problems(store, "store=chroma")
    assert (problem.where, problem.fix) == ("store", 'pip install "rag-harness[chroma]"')


@pytest.mark.parametrize("word", ["store.m=1", "store.colour=red"])
def test_a_wrong_setting_of_a_store_is_told_once(store, word):
    (problem,) = problems(store, "store=faiss_hnsw", f"+{word}" if "colour" in word else word)
    assert problem.where == word.partition("=")[0]


def test_a_store_that_is_never_asked_need_not_be_there(store):
    words = [*QUIET, "retrievers=bm25", "store=pgvector"]
    assert "store (PgVector) changes nothing" in build(parse(words)[0], store).notices[0]


@pytest.mark.parametrize(
    ("tokenizer", "says"), [("./nope.json", "'nope.json' cannot be read"), ("openai/nope", "no model 'openai/nope'")]
)
@pytest.mark.parametrize("how", [{}, {"replay": True}, {"sending": False}])
def test_a_tokenizer_that_cannot_count_is_told_before_any_question_is_asked(store, tokenizer, says, how):
    (problem,) = problems(store, f"context.tokenizer={tokenizer}", **how)
    assert (problem.code, problem.where) == ("F010", "context")
    assert says in problem.what


def test_where_nothing_is_sent_a_missing_key_is_kept_and_not_refused(store):
    made = build(parse([*(word for word in QUIET if word != "judge=none"), *ASKING])[0], store, sending=False)
    assert [problem.code for problem in made.lacks] == ["F010"]
    assert "OPENAI_API_KEY" in made.lacks[0].what


def test_what_else_is_wrong_is_refused_where_nothing_is_sent_too(store):
    found = problems(store, "generator=llm", "ks=[50]", sending=False)
    assert [problem.code for problem in found] == ["F008"]
