"""An option that a calibration writes stands beside those that are shipped and those that somebody wrote, never in their place."""

from pathlib import Path

import pytest

from harness.build.sources import groups
from harness.cli.calibrate.writing import option_path
from harness.errors import ConfigError
from harness.resources import shipped_root

SHIPPED = [(slot, name) for slot in ("answerability", "reranker") for name in groups()[slot]]


@pytest.mark.parametrize(("slot", "name"), SHIPPED)
def test_no_shipped_option_is_shadowed(slot: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError, match="an option of that name is shipped"):
        option_path(slot, name, "refusal")


@pytest.mark.parametrize(("slot", "name"), SHIPPED)
def test_in_a_checkout_a_shipped_option_is_not_written_over(slot: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(shipped_root())
    with pytest.raises(ConfigError, match=r"is shipped|written by hand"):
        option_path(slot, name, "refusal" if slot == "answerability" else "reranker")


@pytest.mark.parametrize("name", ["", "../mine", "a/b", ".mine"])
def test_a_name_is_a_file_name(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError, match="is no file name"):
        option_path("reranker", name, "reranker")


def test_what_the_same_command_wrote_is_written_anew_and_what_somebody_else_did_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = option_path("reranker", "mine", "reranker")
    assert path == tmp_path / "conf" / "reranker" / "mine.yaml"
    path.parent.mkdir(parents=True)
    path.write_text("# Written by `harness calibrate reranker --method platt` from tune questions\n")
    assert option_path("reranker", "mine", "reranker") == path
    path.write_text("# Mine.\n")
    with pytest.raises(ConfigError, match="written by hand"):
        option_path("reranker", "mine", "reranker")
