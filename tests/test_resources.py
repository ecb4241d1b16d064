"""Where things are looked for: the user's own folder first, the shipped ones after it."""

from pathlib import Path

import pytest

from harness import resources
from harness.resources import PACKAGE, cache_dir, roots, shipped_root

CHECKOUT = Path(__file__).resolve().parent.parent


def test_in_a_checkout_the_shipped_files_lie_beside_the_package() -> None:
    assert shipped_root() == CHECKOUT == PACKAGE.parent


@pytest.mark.parametrize("folder", ["conf", "experiments", "golden_sets"])
def test_what_is_shipped_is_there(folder: str) -> None:
    assert any((shipped_root() / folder).iterdir())


def test_in_a_wheel_they_lie_inside_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "harness" / "_shipped").mkdir(parents=True)
    monkeypatch.setattr(resources, "PACKAGE", tmp_path / "harness")
    assert shipped_root() == tmp_path / "harness" / "_shipped"


def test_a_users_folder_comes_first_and_the_shipped_one_after_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert roots() == [tmp_path.resolve(), CHECKOUT]


def test_inside_the_checkout_nothing_is_looked_for_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(CHECKOUT)
    assert roots() == [CHECKOUT]


def test_a_link_to_the_checkout_is_the_checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "link").symlink_to(CHECKOUT)
    monkeypatch.chdir(tmp_path / "link")
    assert roots() == [CHECKOUT]


def test_the_folder_is_looked_up_anew_each_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        monkeypatch.chdir(tmp_path / name)
        assert roots()[0].name == name


def test_the_cache_lies_in_the_current_folder_unless_told_otherwise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HARNESS_CACHE_DIR", raising=False)
    assert cache_dir() == tmp_path / ".harness_cache"
    monkeypatch.setenv("HARNESS_CACHE_DIR", "/elsewhere/cache")
    assert cache_dir() == Path("/elsewhere/cache")


def test_a_relative_cache_stays_where_it_is_when_the_folder_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HARNESS_CACHE_DIR", "cache")
    before = cache_dir()
    monkeypatch.chdir("/")
    assert before == tmp_path / "cache"


def test_asking_where_the_cache_is_makes_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("HARNESS_CACHE_DIR", raising=False)
    cache_dir()
    assert list(tmp_path.iterdir()) == []
