"""`harness golden draft`, end to end."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.cli.golden.draft import show
from tests.fake_openai import FakeOpenAI, failing, ok

Harness = Callable[..., tuple[int, str]]
PRICES = "part_number,product,list_price_eur\nFH-1-A,Soil probe,90.00\nFH-1-B,Gateway,300.00\nFH-1-C,Air monitor,120.00\n"


@pytest.fixture
def tiny(project: Path) -> Path:
    """The project's set, with a price list in its corpus."""
    folder = project / "golden_sets" / "tiny"
    (folder / "corpus" / "prices.csv").write_text(PRICES)
    return folder


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_drafts_land_in_the_review_file_and_the_set_is_untouched(tiny: Path, harness: Harness) -> None:
    before = (tiny / "questions.jsonl").read_bytes()
    code, printed = harness("golden", "draft", "tiny", "--limit", "6")
    drafts = rows(tiny / "drafts.jsonl")
    assert code == 0
    assert (tiny / "questions.jsonl").read_bytes() == before
    assert len(drafts) == 6
    assert all(draft["reviewed"] is False and draft["provenance"].startswith("Draft: rule ") for draft in drafts)
    assert all(draft["id"] in printed and draft["question"] in printed for draft in drafts)
    assert "6 drafts written" in printed
    assert "none of them reviewed" in printed
    assert "golden check" in printed
    assert "--fix" in printed


def test_a_second_time_gives_others_until_nothing_is_left(tiny: Path, harness: Harness) -> None:
    for _ in range(2):
        harness("golden", "draft", "tiny", "--limit", "50")
    questions = [draft["question"] for draft in rows(tiny / "drafts.jsonl")]
    assert len(questions) == len(set(questions))
    assert "What is FH-1-A?" in questions
    code, printed = harness("golden", "draft", "tiny")
    assert (code, "nothing new to write" in printed) == (0, True)


def test_the_same_corpus_gives_the_same_drafts(tiny: Path, harness: Harness) -> None:
    for name in ("a.jsonl", "b.jsonl"):
        harness("golden", "draft", "tiny", "--to", name)
    assert Path("a.jsonl").read_bytes() == Path("b.jsonl").read_bytes()
    assert not (tiny / "drafts.jsonl").exists()


def test_a_corpus_without_a_single_question_can_be_drafted_from(tiny: Path, harness: Harness) -> None:
    for name in ("questions.jsonl", "golden_set.yaml"):
        (tiny / name).unlink()
    assert harness("golden", "draft", str(tiny), "--limit", "3")[0] == 0
    assert len(rows(tiny / "drafts.jsonl")) == 3


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nope",), "golden set 'nope' not found"),
        (("tiny", "--limit", "0"), "--limit 0 allows no draft"),
        (("tiny", "--to", "golden_sets/tiny/questions.jsonl"), "drafts never go into questions.jsonl"),
        (("tiny", "--to", "golden_sets"), "is a folder"),
        (("tiny", "--to", "golden_sets/tiny/corpus/x.jsonl"), "lies in the corpus"),
        (("tiny", "--to", "golden_sets/tiny/../tiny/corpus"), "lies in the corpus"),
        (("tiny", "--api-base", "http://127.0.0.1:1"), "belong to --model"),
        (("tiny", "--model", "openai/x", "--api-key-env", "sk-123"), "takes the NAME of an environment variable"),
        (("tiny", "--model", "openai/x", "--api-key-env", "NO_SUCH_KEY"), "'NO_SUCH_KEY' is unset"),
    ],
)
def test_mistakes_are_explained(tiny: Path, harness: Harness, words: tuple[str, ...], said: str) -> None:
    code, printed = harness("golden", "draft", *words)
    assert code == 2
    assert said in " ".join(printed.replace("│", " ").split())
    assert "sk-123" not in printed
    assert not (tiny / "drafts.jsonl").exists()


def test_a_model_writes_drafts_and_calls_and_tokens_are_told(
    tiny: Path, harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    quote = "A replacement filter for the air monitor costs 19 euros."
    good = {"question": "What must I pay to swap a dirty filter?", "answerable": True, "kind": "paraphrase", "quote": quote}
    item = {**good, "answer": "19 euros", "subject": "", "attribute": ""}
    monkeypatch.setenv("MY_KEY", "secret")
    with FakeOpenAI() as server:
        server.script("writer", ok(json.dumps({"questions": [item]}), tokens=(100, 20)))
        words = ("golden", "draft", "tiny", "--limit", "7", "--model", "openai/writer", "--api-base", server.url)
        code, printed = harness(*words, "--api-key-env", "MY_KEY")
        again, reprinted = harness(*words, "--api-key-env", "MY_KEY", "--to", "second.jsonl")
        assert set(server.authorizations) == {"Bearer secret"}
        calls = server.count("writer")
    (draft,) = rows(tiny / "drafts.jsonl")
    assert (code, again, draft["kind"], draft["tags"]) == (0, 0, "paraphrase", ["draft", "model"])
    assert draft["evidence"] == [[{"doc": "price.md", "quote": quote}]]
    assert f"openai/writer: {calls} passages, {calls * 100} tokens in, {calls * 20} out" in printed
    assert f"models: {calls} calls sent, 0 answered from the cache" in printed
    assert f"dropped {calls - 1}: its quote does not stand in the passage" in printed
    assert f"{calls} passages, 0 tokens in" in reprinted
    assert f"models: 0 calls sent, {calls} answered from the cache" in reprinted
    assert "secret" not in printed + (tiny / "drafts.jsonl").read_text()


def test_a_model_that_leaves_out_fields_is_no_traceback_and_its_other_questions_are_kept(tiny: Path, harness: Harness) -> None:
    quote = "A replacement filter for the air monitor costs 19 euros."
    good = {"question": "What must I pay to swap a dirty filter?", "answerable": True, "quote": quote, "answer": "19 euros"}
    broken = [{"question": "How much?", "answerable": True, "answer": "5"}, {"quote": quote}, 7, None]
    with FakeOpenAI() as server:
        server.script("writer", ok(json.dumps({"questions": [*broken, good]})))
        code, printed = harness("golden", "draft", "tiny", "--limit", "9", "--model", "openai/writer", "--api-base", server.url)
        calls = server.count("writer")
    assert code == 0
    assert f"dropped {3 * calls}: a field was missing, too long or no text" in printed
    assert [row["question"] for row in rows(tiny / "drafts.jsonl")] == [good["question"]]


def test_nothing_that_is_printed_holds_terminal_codes(capsys: pytest.CaptureFixture[str]) -> None:
    evil = "\x1b]0;pwned\x07\x1b[2Jx\u202e\n::error::y"
    show([{"id": evil, "kind": evil, "question": evil}], Path(f"{evil}.jsonl"), Path(evil))
    show([], Path(f"{evil}.jsonl"), Path(evil))
    printed = capsys.readouterr().out
    assert not set(printed) & set("\x1b\x07\u202e")
    assert not any(line.startswith("::") for line in printed.splitlines())


def test_a_review_file_with_terminal_codes_is_refused_without_printing_them(tiny: Path, harness: Harness) -> None:
    row = {"id": "d1", "question": "How long?", "answerable": True, "kind": "\x1b[2Jfactoid"}
    (tiny / "drafts.jsonl").write_text(json.dumps(row))
    code, printed = harness("golden", "draft", "tiny")
    assert code == 2
    assert "drafts.jsonl:1 kind" in printed
    assert "\x1b[2J" not in printed


def test_a_model_that_refuses_is_an_error_and_no_file(tiny: Path, harness: Harness) -> None:
    with FakeOpenAI() as server:
        server.script("writer", failing(401, "bad key"))
        code, printed = harness("golden", "draft", "tiny", "--model", "openai/writer", "--api-base", server.url)
    assert code == 2
    assert "refused the request" in printed
    assert not (tiny / "drafts.jsonl").exists()
