"""What each option must have done: proofs by slot, over the traces of a few questions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from harness.build.experiment import Experiment
from harness.golden.golden_set import GoldenSet, load
from harness.pipeline import IndexedPipeline
from harness.resources import shipped_root
from harness.text import REFUSAL
from harness.types import Document, Question, Ranking, State, Trace
from tests.every_option import nodes
from tests.every_provider import INVENTED, PLANTED, WORDING

LIGHT = dict(
    word.split("=")
    for word in [
        "duplicates=keep",
        "chunker=markdown",
        "doc2query=none",
        "embedder=hashing",
        "store=faiss",
        "retrievers=hybrid",
        "history=none",
        "rewrite=none",
        "subqueries=none",
        "hyde=off",
        "route=none",
        "fuser=rrf",
        "reranker=lexical",
        "context=top",
        "answerability=never",
        "generator=extractive",
        "verification=none",
        "judge=none",
        "gate=none",
        "tracking=none",
    ]
)
"""The option of each slot while another slot's is tested."""
READ = 8
"""Passages that a reranker reads: few, for the sake of those that read slowly."""
ON_A_RUN = ("gate", "tracking")
"""Slots that a question does not pass."""
NOT_EXACT = ("faiss_fp16", "faiss_sq8", "faiss_hnsw", "faiss_ivf", "pgvector", "chroma")
"""Stores that round or guess: neighbours that are equally near may change places."""
COPY, GONE, SHORT = "manuals/sm50b.md", "policies/withdrawn.md", "reference/short.md"
SECRET = "99.9 %"
"""What only the contract of one tenant says, whom no question has."""


@dataclass(frozen=True)
class Found:
    """What an option did."""

    experiment: Experiment
    system: IndexedPipeline
    traces: Mapping[str, Trace]
    """By the name of the question."""
    prompts: Sequence[str]
    """What providers were asked while the questions were answered."""

    def orders(self, station: str) -> list[list[str]]:
        """The chunks of a station in each trace."""
        return [ids(trace.stations()[station]) for trace in self.traces.values()]


def ids(ranking: Ranking) -> list[str]:
    return [hit.chunk.chunk_id for hit in ranking.hits]


def hidden(document: Document, persona: str, day: str) -> bool:
    """Whether an asker may not see a document on a day, in words of its own."""
    mine = document.tenant in ("", persona) and (not document.acl or persona in document.acl)
    holds = document.valid_from <= day and day < (document.valid_to or "9") and not document.deleted_at
    return not (mine and holds)


def leaks(found: Found, golden: GoldenSet, questions: Mapping[str, Question]) -> list[str]:
    """What a station held, or a provider was sent, that the asker may not see."""
    documents = {item.doc_id: item for item in golden.documents}
    held = [
        f"{name} at {station}: {hit.chunk.span.doc_id}"
        for name, trace in found.traces.items()
        for station, ranking in trace.stations().items()
        for hit in ranking.hits
        if hidden(documents[hit.chunk.span.doc_id], questions[name].persona, questions[name].as_of or golden.as_of)
    ]
    told = [prompt for prompt in found.prompts if SECRET in prompt]
    return [*held, *told]


def changed(found: Found, base: Found, station: str) -> bool:
    return found.orders(station) != base.orders(station)


def asks(found: Found, slot: str) -> bool:
    """Whether the option asks a provider."""
    return any("api_base" in node for node in nodes(found.experiment.config[slot]))


def duplicates(option: str, found: Found, base: Found) -> None:
    documents = {item.doc_id: item for item in found.system.documents}
    assert (COPY in documents) is (option == "keep")
    assert documents["manuals/sm50.md"].copies == ((COPY,) if option == "link" else ())


def chunker(option: str, found: Found, base: Found) -> None:
    chunks, usual = ({chunk.chunk_id for chunk in each.system.chunks} for each in (found, base))
    assert (chunks == usual) is (option == LIGHT["chunker"])
    assert found.traces["lookup"].context.hits[0].chunk.span.doc_id == "reference/error-codes.md"


def doc2query(option: str, found: Found, base: Found) -> None:
    assert any(chunk.questions for chunk in found.system.chunks) is (option != "none")


def embedder(option: str, found: Found, base: Found) -> None:
    dense = found.traces["lookup"].retrieved["dense"].hits
    scores = [hit.score for hit in dense]
    assert len(dense) >= 5 and scores == sorted(scores, reverse=True) and scores[0] <= 1 + 1e-6
    assert (found.experiment.pipeline.embedder.identity == base.experiment.pipeline.embedder.identity) is (option == "hashing")
    assert changed(found, base, "dense") is (option != "hashing")


def store(option: str, found: Found, base: Found) -> None:
    pairs = zip(found.orders("dense"), base.orders("dense"), strict=True)
    shared = [len(set(mine[:10]) & set(exact[:10])) for mine, exact in pairs]
    assert sum(shared) >= 0.9 * 10 * len(shared)
    if option not in NOT_EXACT:
        assert [mine[:5] for mine in found.orders("dense")] == [exact[:5] for exact in base.orders("dense")]


def retrievers(option: str, found: Found, base: Found) -> None:
    names = set(found.experiment.config["retrievers"])
    assert names == set(found.traces["lookup"].retrieved) == set(found.system.indexes)
    assert all(found.traces["lookup"].retrieved[name].hits for name in names)


def history(option: str, found: Found, base: Found) -> None:
    query, asked = found.traces["turn"].queries[0].text, base.traces["turn"].queries[0].text
    assert (query == asked) is (option == "none")
    assert option == "none" or query.startswith(WORDING) or "E-90" in query
    assert found.traces["lookup"].queries == base.traces["lookup"].queries


def rewrite(option: str, found: Found, base: Found) -> None:
    query, asked = found.traces["parts"].queries[0], base.traces["parts"].queries[0]
    assert (query.text == asked.text) is (option == "none")
    assert option == "none" or query.text == WORDING + asked.text or "MTBF (mean time between failures)" in query.text
    assert bool(query.notes) is (option != "none")


def subqueries(option: str, found: Found, base: Found) -> None:
    queries = [query.text for query in found.traces["parts"].queries]
    assert len(queries) == 1 if option == "none" else len(set(queries)) > 1
    assert queries[0] == base.traces["parts"].queries[0].text


def hyde(option: str, found: Found, base: Found) -> None:
    passages = [trace.queries[0].hypothetical for trace in found.traces.values()]
    assert all(passages) if option != "off" else not any(passages)
    assert changed(found, base, "dense") is (option != "off")
    assert not changed(found, base, "bm25")


def route(option: str, found: Found, base: Found) -> None:
    query, dense = found.traces["lookup"].queries[0], found.traces["lookup"].retrieved["dense"]
    assert (query.retrievers == frozenset({"bm25"}), not dense.hits, bool(query.notes)) == (option != "none",) * 3
    assert found.traces["tenant"].retrieved == base.traces["tenant"].retrieved


def fuser(option: str, found: Found, base: Found) -> None:
    for trace in found.traces.values():
        assert set(ids(trace.fused)) == {name for ranking in trace.retrieved.values() for name in ids(ranking)}
    assert ([trace.fused for trace in found.traces.values()] == [trace.fused for trace in base.traces.values()]) is (
        option == "rrf"
    )


def reranker(option: str, found: Found, base: Found) -> None:
    given, got = [order[:READ] for order in found.orders("fused")], found.orders("reranked")
    assert [sorted(order) for order in given] == [sorted(order) for order in got]
    assert (got == given) is (option == "none")
    if asks(found, "reranker"):
        assert got == [order[::-1] for order in given]
    if found.experiment.pipeline.reranker.calibrated:
        assert all(0 <= hit.score <= 1 for trace in found.traces.values() for hit in trace.reranked.hits)


def context(option: str, found: Found, base: Found) -> None:
    for trace in found.traces.values():
        assert 0 < len(trace.context) <= 5
        assert set(ids(trace.context)) <= set(ids(trace.reranked))


def answerability(option: str, found: Found, base: Found) -> None:
    said = {name: trace.assessment for name, trace in found.traces.items()}
    assert all(item and item.reason for item in said.values())
    for trace in found.traces.values():
        assert trace.assessment and trace.answer
        assert trace.assessment.answerable or (trace.answer.refused and trace.answer.refusal_reason.startswith("answerability: "))
    assert len({item.confidence for item in said.values() if item}) > 1
    if option != "classifier":
        assert said["nowhere"].answerable is (option == "never")  # type: ignore[union-attr]


def generator(option: str, found: Found, base: Found) -> None:
    answers = {name: trace.answer for name, trace in found.traces.items()}
    if option == "none":
        assert set(answers.values()) == {None} and found.traces["lookup"].assessment is None
        return
    for name in ("lookup", "parts"):
        answer, shown = answers[name], ids(found.traces[name].context)
        assert answer and not answer.refused and answer.text != REFUSAL
        assert answer.citations and set(answer.citations) <= set(shown)
        assert (answer.usage.calls > 0) is asks(found, "generator")


def verification(option: str, found: Found, base: Found) -> None:
    """The model's answers hold a claim that nothing supports and one of a passage that was not shown."""
    answer = found.traces["lookup"].answer
    assert answer
    wrong = (option == "none", option in ("none", "strip", "regenerate"))
    assert (INVENTED in answer.citations, PLANTED in answer.text) == wrong
    assert (INVENTED in answer.draft_citations) is (option != "none")
    assert answer.refused is (option == "refuse")
    assert bool(answer.actions) is (option != "none")
    assert any(action.startswith("regenerated because") for action in answer.actions) is (option == "regenerate")


def judge(option: str, found: Found, base: Found) -> None:
    reader, trace = found.experiment.judge, found.traces["lookup"]
    assert (reader is None) is (option == "none")
    if reader is not None:
        (asked,) = [item for item in load(shipped_root() / "golden_sets" / "smoke").questions if item.question_id == "sm-009"]
        scores = reader.judge(asked, trace)
        assert {score.metric for score in scores} >= set(reader.metrics)
        assert [score for score in scores if score.state is State.ERROR] == []
        assert any(score.state is State.SCORED and score.value is not None for score in scores)


PROOFS: Mapping[str, Callable[[str, Found, Found], None]] = {
    proof.__name__: proof
    for proof in (
        *(duplicates, chunker, doc2query, embedder, store, retrievers, history, rewrite, subqueries, hyde, route, fuser),
        *(reranker, context, answerability, generator, verification, judge),
    )
}
BESIDE = {"verification": ("generator=llm", "generator.llm.model=openai/liar")}
"""What else an option's slot needs to show what it does."""
Shows = Callable[[Found, Found], bool]
KNOBS: Mapping[tuple[str, ...], Shows] = {
    ("context.order=both_ends",): lambda found, base: all(
        [hit.chunk.chunk_id for hit in trace.context.shown] == _both_ends(ids(trace.context)) != ids(trace.context)
        for trace in found.traces.values()
    ),
    ("context.max_tokens=100",): lambda found, base: len(found.traces["lookup"].context) < len(base.traces["lookup"].context),
    ("depth.channels={dense: 3}",): lambda found, base: (
        [len(order) for order in found.orders("dense")] == [3] * len(found.traces)
    ),
    ("retrievers.bm25.engine=rank_bm25",): lambda found, base: not changed(found, base, "bm25"),
    ("retrievers.bm25.variant=plus",): lambda found, base: _scores(found) != _scores(base),
    ("retrievers.bm25.variant=l",): lambda found, base: _scores(found) != _scores(base),
    ("retrievers.bm25.tokenizer=words",): lambda found, base: _scores(found) != _scores(base),
    ("fuser=weighted", "fuser.normalise=z"): lambda found, base: changed(found, base, "fused"),
    ("fuser=weighted", "fuser.weights={dense: 0}"): lambda found, base: (
        ids(found.traces["lookup"].fused)[:3] == ids(found.traces["lookup"].retrieved["bm25"])[:3]
    ),
    ("chunker=two_tier", "route=rules", "route.summaries=true"): lambda found, base: all(
        query.kinds and "summary" not in query.kinds for query in found.traces["lookup"].queries
    ),
    ("answerability=threshold", "answerability.minimum=1"): lambda found, base: bool(
        found.traces["tenant"].answer and found.traces["tenant"].answer.refused
    ),
    ("generator.max_sentences=1",): lambda found, base: all(
        len(trace.answer.citations) <= 1 for trace in found.traces.values() if trace.answer
    ),
}
"""Settings beside the options of their slots, and what shows in the traces that they count."""


def _both_ends(names: Sequence[str]) -> list[str]:
    """Best first, second last, third second, and so on: the weakest stand in the middle."""
    return [*names[::2], *reversed(names[1::2])]


def _scores(found: Found) -> list[float]:
    return [hit.score for trace in found.traces.values() for hit in trace.retrieved["bm25"].hits]
