"""Whether an answer in free text is a refusal: it declines because the sources do not hold the answer, or declines to help.

Read by structure, not by a list of sentences. A clause refuses when the source or the speaker's knowledge is what lacks
("the passages do not say", "I cannot find"); a negative about anything else is an answer ("the sensor cannot be mounted
outdoors"). Quoted text and conditions ("if the app cannot find the device") are set aside first. English, German, French,
Japanese, Chinese and Arabic; the words of each stand in `refusals_<language>`. Linear time in the text.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from pathlib import Path

from harness.generation.refusals_arabic import ARABIC
from harness.generation.refusals_chinese import CHINESE
from harness.generation.refusals_english import ENGLISH
from harness.generation.refusals_french import FRENCH
from harness.generation.refusals_german import GERMAN
from harness.generation.refusals_japanese import JAPANESE
from harness.generation.refusals_wording import Wording
from harness.generation.statements import statements
from harness.text import fold

_SENTENCES = Path(__file__).with_name("refusal_sentences.jsonl")
_LONGEST_SENTENCE = 400
_LONGEST_REFUSAL = 4000
_KANA = re.compile(r"[\u3041-\u30ff]")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_ARABIC_LETTER = re.compile(r"[\u0620-\u064a]")
_LATIN = re.compile(r"[a-z]{2}")
_MARKS = re.compile(r"^(?:[-*+•>#|]+ |\d{1,3}[.)] )+|[*_`#]{2,}|(?<!\w)[*_]|[*_](?!\w)")
_QUOTED = re.compile(
    r"\"[^\"]+\"|“[^“”]+”|„[^„“”]+[“”]|«[^«»]+»|»[^«»]+«|「[^「」]+」|『[^『』]+』|《[^《》]+》|`[^`]+`|(?<!\w)'[^']+'(?!\w)"
)
_LABEL = re.compile(r"^(?:answer|antwort|réponse|回答|答案|答え|الاجابه|الجواب) ?: ?")
_SAID = re.compile(
    r"\b(?:says?|said|reads|shows?|displays?|message|error|log|meldung|anzeige|fehler|zeigt|meldet|message|affiche|erreur)\b"
    r"[^:]{0,30}: .*|(?:表示|エラー|显示|顯示|错误|提示|رساله|تظهر)[^:]{0,10}:.*"
)
_compiled = cache(re.compile)
_ENDS = " .!;:。！，、…؟،-–—"


class _Kind(IntEnum):
    """What a clause does, the strongest last."""

    TALK = 0
    REFUSES = 1
    STATES = 2


@dataclass(frozen=True, slots=True)
class Labelled:
    """A sentence the patterns were written with."""

    language: str
    """ISO 639-1."""
    text: str
    """The answer."""
    refusal: bool
    """Whether a reader calls it a refusal."""


def refuses(text: str) -> bool:
    """Whether an answer is a refusal: a sentence refuses, and the others state nothing.

    Apologies, offers of help, advice where to ask, questions back and what the passages are about state nothing; an answer
    in part ("The manual gives the weight as 2 kg but does not mention the height.") is an answer, and so is anything longer
    than 4,000 characters.
    """
    if len(text) > _LONGEST_REFUSAL:
        return False
    refused = False
    for sentence in statements(text):
        kind = _kind(sentence.text)
        if kind is _Kind.STATES:
            return False
        refused = refused or kind is _Kind.REFUSES
    return refused


def refusing_sentence(sentence: str) -> bool:
    """Whether one sentence says that the answer is not known or not given, and nothing else."""
    return _kind(sentence) is _Kind.REFUSES


def labelled_sentences() -> list[Labelled]:
    """The sentences the patterns were written with; how well they do on those says little about others."""
    rows = (json.loads(line) for line in _SENTENCES.read_text(encoding="utf-8").splitlines())
    return [Labelled(row["language"], row["text"], row["refusal"]) for row in rows]


def _kind(sentence: str) -> _Kind:
    if len(sentence) > _LONGEST_SENTENCE:
        return _Kind.STATES
    read = _readable(sentence)
    kinds = [_kind_in(wording, read) for wording in _wordings(read)]
    if _Kind.REFUSES in kinds:
        return _Kind.REFUSES
    return min(kinds, default=_Kind.STATES if any(map(str.isalnum, read)) else _Kind.TALK)


def _readable(sentence: str) -> str:
    """Folded, on one line, without list marks and emphasis; a quotation becomes q, but one that is all there is is read."""
    read = _MARKS.sub("", " ".join(fold(sentence).replace("，", ",").split()))
    read = _LABEL.sub("", read.strip())
    whole = _QUOTED.fullmatch(read.rstrip(_ENDS))
    return _SAID.sub("q", read[1:].rstrip(_ENDS)[:-1] if whole else _QUOTED.sub("q", read))


def _wordings(read: str) -> Iterator[Wording]:
    if _HAN.search(read) or _KANA.search(read):
        yield JAPANESE if _KANA.search(read) else CHINESE
    elif _ARABIC_LETTER.search(read):
        yield ARABIC
    elif _LATIN.search(read):
        yield from (ENGLISH, GERMAN, FRENCH)


def _kind_in(wording: Wording, read: str) -> _Kind:
    if read.endswith(("?", "؟")):
        return _Kind.TALK
    if not _compiled(wording.cue).search(read):
        return _Kind.TALK if _is_talk(wording, read.strip(_ENDS)) else _Kind.STATES
    kinds = [_clause(wording, clause, place > 0) for place, clause in enumerate(_clauses(wording, read))]
    return max(kinds, default=_Kind.TALK)


def _clauses(wording: Wording, read: str) -> Iterator[str]:
    """Clauses that another can contradict, without conditions, trimmed, none empty."""
    for clause in _compiled(wording.turn).split(_compiled(wording.condition).sub(" ", read)):
        if trimmed := clause.strip(_ENDS + ","):
            yield trimmed


def _clause(wording: Wording, clause: str, follows: bool) -> _Kind:
    bare = _compiled(wording.answers).sub(" q ", clause)
    if _compiled(wording.lacks).search(bare) or (follows and _compiled(wording.elided).match(bare)):
        return _Kind.REFUSES
    return _Kind.TALK if _is_talk(wording, clause) else _Kind.STATES


def _is_talk(wording: Wording, clause: str) -> bool:
    return bool(_compiled(wording.talk).match(clause)) or (
        bool(_compiled(wording.about).search(clause)) and not re.search(r"\d", clause)
    )
