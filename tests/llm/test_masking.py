"""What is left of a provider's words: never a part of the key."""

import pytest

from harness.llm.masking import PIECE, masked

KEY = "sk-CANARY+/=abc-0123456789"


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("no such model 'gpt-9'", "no such model 'gpt-9'"),
        (f"bad key {KEY}, try again", "bad key ***, try again"),
        (f"bad key\nBearer {KEY}\tnow", "bad key\nBearer ***\tnow"),
        ("bad key REDACTED+/=abc-0123456789 here", "bad key *** here"),
        ("bad key REDACTEDabc here", "bad key *** here"),
        ('{"message": "bad key xREDACTED"}', '{"message": "bad key ***'),
        ("ends in 456789.", "ends in ***"),
        ("starts with sk-CANA...", "starts with ***"),
        ("escaped sk-CANARY+\\/=abc", "escaped ***"),
        ("", ""),
    ],
)
def test_a_key_is_masked_whole_and_in_pieces(said: str, left: str) -> None:
    assert masked(said, KEY) == left


def test_no_piece_of_a_key_is_left_wherever_it_is_cut() -> None:
    for start in range(len(KEY)):
        for end in range(start + PIECE, len(KEY) + 1):
            assert KEY[start:end] not in masked(f"said: <{KEY[start:end]}>", KEY)


@pytest.mark.parametrize("key", ["k", "short", "sixsix"])
def test_a_short_key_is_masked_whole(key: str) -> None:
    assert masked(f"your {key} is wrong", key) == "your *** is wrong"


def test_without_a_key_only_what_litellm_redacted_is_masked() -> None:
    assert masked("left REDACTEDx as it is", "") == "left *** as it is"
