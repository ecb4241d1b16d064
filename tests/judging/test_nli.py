"""Support by an entailment model from a folder; the model is tiny, but real ONNX behind a real tokenizer."""

from math import exp
from pathlib import Path

import pytest

from harness.errors import ConfigError, StageError
from harness.judging.nli import NLI, VARIABLE, groups, labelled_place
from harness.types import Support
from tests.contracts.support_model import SupportModelContract
from tests.judging.tiny_nli import write_nli
from tests.test_store import BROKEN

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")
pytest.importorskip("tokenizers")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_nli(tmp_path_factory.mktemp("nli"))


class TestContract(SupportModelContract):
    @pytest.fixture
    def model(self, folder: Path) -> NLI:
        return NLI(str(folder))


def verdict(model: NLI, claim: str, *passages: str) -> Support:
    (found,) = model.support([claim], passages)
    return found


def softmax(*logits: float) -> float:
    """The share of the second of three logits."""
    return exp(logits[1]) / sum(map(exp, logits))


@pytest.mark.parametrize(
    ("premise", "claim", "logits"),
    [
        ("It is dry.", "It is dry.", (0, 0, 0)),
        ("Rain falls.", "It is wet.", (0, 2, 0)),
        ("Rain falls.", "Rain.", (0, 4, 0)),
        ("Sun shines.", "Rain.", (2, 2, 0)),
        ("Fog and sun.", "Rain.", (2, 2, 2)),
    ],
)
def test_the_probability_is_the_softmax_of_the_logits(
    folder: Path, premise: str, claim: str, logits: tuple[float, float, float]
) -> None:
    assert verdict(NLI(str(folder)), claim, premise).probability == pytest.approx(softmax(*logits))


def test_the_best_premise_counts_and_is_named(folder: Path) -> None:
    found = verdict(NLI(str(folder), sentences=1), "It is wet.", "Sun shines. Rain falls.", "Fog.")
    assert found.probability == pytest.approx(softmax(0, 2, 0))
    assert (found.supported, found.reason) == (True, "entailed with 0.79 by 'Rain falls.'")


def test_a_claim_is_supported_from_the_minimum_on(folder: Path) -> None:
    assert verdict(NLI(str(folder), minimum=0.7), "It is wet.", "Rain falls.").supported
    assert not verdict(NLI(str(folder), minimum=0.8), "It is wet.", "Rain falls.").supported


def test_without_a_passage_nothing_is_supported(folder: Path) -> None:
    assert verdict(NLI(str(folder)), "Rain.") == Support(0.0, False, "no passage to read")


def test_claims_are_judged_apart(folder: Path) -> None:
    model, passage = NLI(str(folder)), "Rain falls."
    together = model.support(["Rain.", "Sun."], [passage])
    assert list(together) == [verdict(model, "Rain.", passage), verdict(model, "Sun.", passage)]


def test_entailment_is_found_by_its_label_or_told_by_its_place(folder: Path) -> None:
    assert verdict(NLI(str(folder), entailment=0), "Sun.", "Sun shines.").probability == pytest.approx(softmax(0, 4, 0))
    assert verdict(NLI(str(folder)), "Sun.", "Sun shines.").probability == pytest.approx(softmax(4, 0, 0))


@pytest.mark.parametrize(
    ("told", "size", "found"),
    [
        ("abcde", 5, ["abcde"]),
        ("abc", 5, ["abc"]),
        ("abcdef", 4, ["abcd", "cdef"]),
        ("abcdefg", 4, ["abcd", "cdef", "efg"]),
        ("abc", 1, ["a", "b", "c"]),
        ("abc", 2, ["ab", "bc"]),
        ("", 3, []),
    ],
)
def test_premises_overlap_by_half_and_leave_no_sentence_out(told: str, size: int, found: list[str]) -> None:
    assert ["".join(group) for group in groups(list(told), size)] == found


def test_a_premise_that_does_not_fit_is_halved_between_sentences(folder: Path) -> None:
    """[CLS] rain falls . sun shines . [SEP] wet [SEP] are ten pieces, either sentence alone seven."""
    whole = verdict(NLI(str(folder), max_pieces=10), "wet", "Rain falls. Sun shines.")
    halved = verdict(NLI(str(folder), max_pieces=9), "wet", "Rain falls. Sun shines.")
    assert whole.probability == pytest.approx(softmax(2, 2, 0))
    assert halved.probability == pytest.approx(softmax(0, 2, 0))


def test_a_sentence_that_does_not_fit_is_an_error_and_never_cut(folder: Path) -> None:
    with pytest.raises(StageError, match="13 word pieces, the entailment model takes 12"):
        verdict(NLI(str(folder), max_pieces=12), "wet", "rain and rain and rain and rain and fog")


def test_the_folder_may_be_named_by_the_environment(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(folder))
    NLI().check()
    assert NLI().identity == NLI(str(folder)).identity


def test_the_identity_changes_with_every_file_and_setting(folder: Path, tmp_path: Path) -> None:
    other = write_nli(tmp_path / "other")
    (other / "tokenizer.json").write_text((other / "tokenizer.json").read_text() + "\n")
    models = [NLI(str(folder)), NLI(str(other)), NLI(str(folder), entailment=0), NLI(str(folder), sentences=3)]
    models += [NLI(str(folder), max_pieces=99), NLI(str(folder), minimum=0.6)]
    assert len({model.identity for model in models}) == len(models)
    assert all(model.identity.split()[:2] == ["nli", "v1"] for model in models)


def test_no_folder_is_an_error_that_names_both_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    with pytest.raises(ConfigError, match=r"judge\.support\.path or HARNESS_NLI_DIR"):
        NLI().check()


@pytest.mark.parametrize("missing", ["model.onnx", "tokenizer.json"])
def test_a_missing_file_is_named(tmp_path: Path, missing: str) -> None:
    (write_nli(tmp_path) / missing).unlink()
    with pytest.raises(ConfigError, match=f"has no {missing}"):
        NLI(str(tmp_path)).check()


@pytest.mark.parametrize(
    "content", ["{}", "[]", "no JSON", '{"id2label": {"0": "LABEL_0"}}', '{"id2label": {"a": "entailment"}}']
)
def test_labels_that_do_not_say_which_is_entailment_are_refused(tmp_path: Path, content: str) -> None:
    (write_nli(tmp_path) / "config.json").write_text(content)
    with pytest.raises(ConfigError, match="say which logit it is"):
        NLI(str(tmp_path)).check()
    NLI(str(tmp_path), entailment=1).check()


def test_a_place_that_the_model_does_not_have_is_refused(folder: Path) -> None:
    with pytest.raises(ConfigError, match=r"shape \(1, 3\); \(1, more than 3\) is needed"):
        verdict(NLI(str(folder), entailment=3), "Rain.", "Rain.")


def test_a_file_that_is_no_model_is_refused(tmp_path: Path) -> None:
    (write_nli(tmp_path) / "model.onnx").write_bytes(b"no model")
    with pytest.raises(ConfigError, match="not an ONNX model"):
        verdict(NLI(str(tmp_path)), "Rain.", "Rain.")


@pytest.mark.parametrize("text", BROKEN)
def test_a_broken_config_names_no_label(tmp_path: Path, text: str) -> None:
    (tmp_path / "config.json").write_text(text)
    with pytest.raises(ConfigError, match="names no label 'entailment'"):
        labelled_place(tmp_path / "config.json")
