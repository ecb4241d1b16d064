import pytest

from harness.build.finished import stage_of
from harness.errors import ConfigError
from harness.reranking.lexical import Lexical


def test_a_finished_runs_stage_is_made_from_its_config() -> None:
    assert stage_of({"reranker": {"_target_": "harness.reranking.lexical.Lexical"}}, "reranker") == Lexical()


@pytest.mark.parametrize(
    ("target", "says"),
    [
        ({"_target_": "builtins.open"}, "code that it may not"),
        ({"_target_": "harness.reranking.lexical.Lexical", "depth": 3}, "cannot be made by this version"),
    ],
)
def test_a_config_that_makes_no_stage_is_an_error(target: dict[str, object], says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        stage_of({"reranker": target}, "reranker")
