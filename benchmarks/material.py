"""What the cases are timed on: made up, the same in every run."""

import random
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from harness.text import count_tokens, sentences
from harness.types import Answer, Chunk, Document, Evidence, Hit, Question, Ranking, RunRecord, Score, Span, Trace

GROUPS = 4
"""Pieces of evidence of a question, the average of the sets that ranking metrics are usually timed on."""

_CORPUS = Path(__file__).parent.parent / "golden_sets" / "fernhill" / "corpus"


def texts(count: int, length: int) -> list[str]:
    """Passages of words that are about as common as those of a language."""
    chance = random.Random(0)
    vocabulary = [f"w{number}" for number in range(20_000)]
    weights = [1 / (rank + 2.7) for rank in range(20_000)]
    return [" ".join(chance.choices(vocabulary, weights, k=length)) for _ in range(count)]


def documents(count: int, paragraphs: int, length: int) -> list[Document]:
    """Documents of paragraphs of `length` words, in sentences of twelve."""
    made = iter(texts(count * paragraphs, length))
    return [_document(f"d{number}", [next(made) for _ in range(paragraphs)]) for number in range(count)]


def _document(name: str, paragraphs: list[str]) -> Document:
    text = "\n\n".join(" ".join(_sentences(paragraph.split())) for paragraph in paragraphs)
    return Document(name, text, title=name, content_hash=sha256(text.encode()).hexdigest())


def _sentences(words: list[str]) -> Iterator[str]:
    return (" ".join(words[start : start + 12]).capitalize() + "." for start in range(0, len(words), 12))


def prose(count: int, tokens: int) -> list[str]:
    """Passages of about so many tokens, of sentences of the Fernhill corpus in any order."""
    chance = random.Random(0)
    read = [sentence for path in sorted(_CORPUS.rglob("*.md")) for sentence in sentences(path.read_text("utf-8"))]
    return [_passage(chance, read, tokens) for _ in range(count)]


def _passage(chance: random.Random, read: list[str], tokens: int) -> str:
    parts: list[str] = []
    while count_tokens(" ".join(parts)) < tokens:
        parts.append(chance.choice(read))
    return " ".join(parts)


def asked(count: int, hits: int) -> tuple[list[Question], list[Trace]]:
    """Questions with their evidence among the first hits, and traces of three equal stations and a context of five."""
    chance = random.Random(0)
    chunks = [Chunk(Span(f"d{place}", 0, 200), f"passage {place} says so. " * 8) for place in range(hits * 2)]
    questions, traces = [], []
    for number in range(count):
        found = Ranking.of(Hit(chunk, chance.random()) for chunk in chance.sample(chunks, hits))
        places = {min(hits - 1, int(chance.expovariate(1 / 8))) for _ in range(GROUPS)}
        gold = tuple(Evidence((found.hits[place].chunk.span,)) for place in sorted(places))
        top = found.top(5)
        cited = top.hits[0].chunk.chunk_id
        answer = Answer(f"Passage says so [{cited}].", (cited,))
        questions.append(Question(f"q{number}", "What?", evidence=gold, answers=("so",)))
        traces.append(Trace(f"q{number}", (), {"bm25": found}, found, found, top, None, answer))
    return questions, traces


def record(scores: tuple[Score, ...]) -> RunRecord:
    """A run with these scores and nothing else."""
    return RunRecord("r", "", "made", {}, (), {}, {}, {}, scores, (), {})


class Instant:
    """A system that has every answer ready."""

    def __init__(self, traces: list[Trace]) -> None:
        self._traces = {trace.question_id: trace for trace in traces}

    def answer(self, question: Question) -> Trace:
        """The trace of a question."""
        return self._traces[question.question_id]


class InstantJudge:
    """A judge that has its score ready."""

    identity = "instant"
    metrics = ("faithfulness",)

    def judge(self, question: Question, _trace: Trace) -> list[Score]:
        """One score."""
        return [Score("faithfulness", question.question_id, 1.0, reason="instant")]
