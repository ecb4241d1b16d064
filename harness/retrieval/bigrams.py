"""Bigrams of scripts without spaces between words: Chinese, Japanese, and Korean with its particles.

Overlapping character bigrams need no dictionary and find most words of two characters and more (Nie, Gao, Zhang and Zhou 2000,
"On the use of words and n-grams for Chinese information retrieval"; Lucene's CJKAnalyzer does the same).
"""

import re
from collections.abc import Sequence

from harness.retrieval.stemming import Language, stems
from harness.text import CJK, fold

_RUN = re.compile(rf"[{CJK}]+")


def bigrams(texts: Sequence[str], language: Language) -> list[list[str]]:
    """Per text its stems without those of CJK characters, then the overlapping pairs of each run of these.

    東京都 gives 東京 and 京都; a character that stands alone stays. Full width is narrow, half-width kana are full ones (NFKC).
    """
    folded = [fold(text) for text in texts]
    others = stems([_RUN.sub(" ", text) for text in folded], language)
    return [[*found, *_pairs(text)] for found, text in zip(others, folded, strict=True)]


def _pairs(text: str) -> list[str]:
    if text.isascii():
        return []
    return [pair for run in _RUN.findall(text) for pair in _of_run(run)]


def _of_run(run: str) -> list[str]:
    return [run] if len(run) == 1 else [run[place : place + 2] for place in range(len(run) - 1)]
