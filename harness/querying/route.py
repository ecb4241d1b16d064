"""Routing by rules: identifiers to the retriever of words, summary questions to summaries, everything else past them.

An embedding blurs `FH-5331-B` into its neighbours, a word index does not. A summary of a section answers what it is about, and
stands in the way of a question about a detail. An identifier that no passage holds which the asker may see is searched everywhere.
"""

from collections.abc import Sequence
from dataclasses import dataclass as record
from dataclasses import field, replace

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from harness.errors import ConfigError, Problem
from harness.querying.route_identifiers import Identifiers
from harness.querying.route_patterns import asks_for_summary, identifiers_in
from harness.types import Chunk, Document, Query, Question

SUMMARY = "summary"
"""The kind of chunk that the chunker two_tier makes of each section."""


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Rules:
    """Says of each query which retrievers are asked and which kinds of chunk are searched, by what its text looks like."""

    identifiers: str = "bm25"
    """Name of the retriever that alone gets queries with an identifier of the corpus (part number, error code, version, file, UUID);
    empty: all do."""
    summaries: bool = False
    """Whether summary questions search the summaries of sections alone, and others everything but these."""

    def __post_init__(self) -> None:
        if not self.identifiers and not self.summaries:
            raise ConfigError("identifiers is empty and summaries is false: nothing would be routed; use route=none")

    def learn(self, documents: Sequence[Document], chunks: Sequence[Chunk]) -> "LearnedRules":
        """The step with the passages whose identifiers count and the kinds of chunk that are searched.

        Raises:
            ConfigError: when summaries are asked for and none of the chunks is one.
        """
        kinds = frozenset(chunk.kind for chunk in chunks)
        if self.summaries and SUMMARY not in kinds:
            fix = "chunker=two_tier, or route.summaries=false"
            why = "Every summary question would find nothing."
            problem = Problem("F006", "route.summaries=true", "no chunk is a summary", why, fix)
            raise ConfigError("The route cannot work on this corpus.", [problem])
        return LearnedRules(self, kinds, Identifiers(chunks if self.identifiers else ()))

    def transform(self, question: Question, queries: Sequence[Query]) -> Sequence[Query]:
        """The queries as they are: which identifiers and kinds of chunk there are is not known yet."""
        return queries


@record(frozen=True)
class LearnedRules:
    """The rules over a corpus."""

    recipe: Rules
    """The settings."""
    kinds: frozenset[str]
    """Kinds of chunk that are searched."""
    identifiers: Identifiers = field(repr=False)
    """What the passages hold of them."""

    def learn(self, documents: Sequence[Document], chunks: Sequence[Chunk]) -> "LearnedRules":
        """The same rules over other chunks."""
        return self.recipe.learn(documents, chunks)

    def transform(self, question: Question, queries: Sequence[Query]) -> Sequence[Query]:
        """The queries with the retrievers and kinds that they are for; notes say why."""
        routed = [self._by_identifier(query) for query in queries]
        return [self._by_kind(query) for query in routed] if self.recipe.summaries else routed

    def _by_identifier(self, query: Query) -> Query:
        wanted = identifiers_in(query.text) if self.recipe.identifiers else []
        found = next((identifier for identifier in wanted if self.identifiers.held(identifier, query.allowed)), "")
        if not found:
            return query
        note = f"route: identifier {found!r}, to {self.recipe.identifiers} alone"
        return replace(query, retrievers=frozenset({self.recipe.identifiers}), notes=(*query.notes, note))

    def _by_kind(self, query: Query) -> Query:
        words = asks_for_summary(query.text)
        if words:
            return replace(query, kinds=frozenset({SUMMARY}), notes=(*query.notes, f"route: {words!r} asks for summaries"))
        return replace(query, kinds=self.kinds - {SUMMARY}, notes=(*query.notes, "route: a lookup, without summaries"))
