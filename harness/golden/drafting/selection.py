"""Which candidates become drafts: nothing that is asked already, spread evenly over rules and documents."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from harness.fingerprint import fingerprint
from harness.golden.drafting.candidates import Candidate
from harness.golden.drafting.material import IDENTIFIER
from harness.golden.drafting.sameness import Alike
from harness.types import Document

INVENTED = "neighbour"
"""Topic of questions about an identifier that stands nowhere: one question each is enough."""


class Asked:
    """What lines of questions.jsonl and of a review file ask already, retired ones included."""

    def __init__(self, rows: Iterable[Mapping[str, Any]], as_of: str) -> None:
        self._alike = Alike(as_of)
        self._facts: set[tuple[str, str]] = set()
        self._identifiers: set[str] = set()
        self.documents: Counter[str] = Counter()
        """Questions by document."""
        for row in rows:
            places = [place for group in row.get("evidence", []) for place in group]
            self._add(row, [place.get("quote", "") for place in places])
            self.documents.update({place["doc"] for place in places})

    def take(self, candidate: Candidate, documents: Mapping[str, Document]) -> bool:
        """Whether a candidate asks something new, which is then counted as asked.

        It does not when some question is nearly the same, or has one answer with it from one quote or identifier.
        """
        row = {"question": candidate.question, "persona": candidate.persona, "answers": candidate.answers}
        quotes = [documents[span.doc_id].text[span.start : span.end] for group in candidate.evidence for span in group]
        invented = candidate.topic == INVENTED and self._identifiers & set(IDENTIFIER.findall(candidate.question))
        if invented or any(True for _ in self._alike.near(row)) or _facts(row, quotes) & self._facts:
            return False
        self._add(row, quotes)
        return True

    def _add(self, row: Mapping[str, Any], quotes: Sequence[str]) -> None:
        self._alike.add(row)
        self._identifiers |= set(IDENTIFIER.findall(row["question"]))
        self._facts |= _facts(row, quotes)


def _facts(row: Mapping[str, Any], quotes: Sequence[str]) -> set[tuple[str, str]]:
    """(quote, answer) and (identifier, answer) of a question."""
    about = [*quotes, *IDENTIFIER.findall(row["question"])]
    return {(item, answer.lower().strip()) for item in about for answer in row.get("answers", ())}


def select(candidates: Iterable[Candidate], documents: Mapping[str, Document], asked: Asked, limit: int) -> list[Candidate]:
    """At most `limit` candidates that are new.

    Rules take turns. Each takes the document with the fewest drafts of this batch, then one of the least used topic, then
    the document with the fewest questions before. The rest of the order is that of a digest, so that drafts spread over rows.
    """
    pools: dict[str, list[tuple[str, Candidate]]] = defaultdict(list)
    for candidate in candidates:
        pools[candidate.rule].append((fingerprint(candidate.question, candidate.persona), candidate))
    chosen: list[Candidate] = []
    drawn: Counter[str] = Counter()
    while pools and len(chosen) < limit:
        for rule in sorted(pools):
            if len(chosen) < limit and (best := _next(pools[rule], documents, asked, drawn)):
                chosen.append(best)
                drawn.update((best.doc_id, f"{rule} {best.topic}"))
            elif not pools[rule]:
                del pools[rule]
    return chosen


def _next(
    pool: list[tuple[str, Candidate]], documents: Mapping[str, Document], asked: Asked, drawn: Counter[str]
) -> Candidate | None:
    """Takes the best new candidate out of a pool, and out of the pool what is asked already."""

    def order(ranked: tuple[str, Candidate]) -> tuple[int, int, int, str]:
        digest, item = ranked
        return drawn[item.doc_id], drawn[f"{item.rule} {item.topic}"], asked.documents[item.doc_id], digest

    pool.sort(key=order)
    for place, (_, best) in enumerate(pool):
        if asked.take(best, documents):
            del pool[: place + 1]
            return best
    pool.clear()
    return None
