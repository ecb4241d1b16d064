"""Every fault of a golden set, and what is doubtful in it, each with file, line, field and remedy.

`load` refuses a set whose questions could not be asked or whose evidence could not be found. What makes numbers
misleading though they can be computed (leaks between splits, documents that no word finds) is looked for here.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.corpus.loader import read_corpus, unread
from harness.errors import CorpusError, GoldenSetError, Problem
from harness.golden import doubts, leaks
from harness.golden.card import read_card
from harness.golden.drafts import DRAFTS
from harness.golden.golden_set import CORPUS, QUESTIONS, GoldenSet, load
from harness.golden.partial import evidence_of_sound
from harness.golden.places import complete, repeated_keys
from harness.golden.questions import read_question
from harness.golden.ties import ties
from harness.jsonl import Row, read_rows
from harness.retrieval.tokenizers import TokenizerName, tokenize
from harness.types import Document, Question

_ANY = {"": Document("", "-")}


@dataclass(frozen=True, slots=True)
class Findings:
    """What is wrong with a set and what is doubtful; places are relative to its folder."""

    folder: Path
    """The set."""
    golden_set: GoldenSet | None
    """The set as it loads; None when it does not."""
    errors: tuple[Problem, ...]
    """Faults, in the order of files and lines as found."""
    warnings: tuple[Problem, ...]
    """What may be meant, but weakens what can be shown."""
    notes: tuple[str, ...]
    """Remarks."""


def lint(folder: Path, tokenizers: Sequence[TokenizerName]) -> Findings:
    """Everything that `load` refuses, and: C006 documents in which one of the tokenizers finds no token, G008 a repeated
    key of the card, G034 leaks between splits; as warnings C007, G014, G023, G025, G034, G035 and G037.
    """
    try:
        return _lint(folder, tokenizers)
    except OSError as error:
        name = Path(error.filename).name if error.filename else "."
        problem = Problem("G001", name, f"cannot be read: {error.strerror}.", fix="make the files readable.")
        return Findings(folder, None, (problem,), (), ())


def _lint(folder: Path, tokenizers: Sequence[TokenizerName]) -> Findings:
    golden, errors = _loaded(folder)
    rows, _ = read_rows(folder / QUESTIONS)
    documents, wrong = _documents(folder, golden)
    asked = _asked(folder, golden, rows, documents)
    as_of = read_card(folder, {})[0].as_of
    if wrong and documents:
        errors += evidence_of_sound(rows, documents, wrong, as_of)
    tied = ties([question for _, question in asked], documents.values(), as_of)
    errors += [*repeated_keys(folder), *leaks.errors(asked, tied.straddling), *_mute(documents.values(), tokenizers)]
    warnings = [
        *leaks.warnings(asked, tied.straddling),
        *doubts.copies(asked, tied.copies),
        *doubts.few_refusals(asked),
        *doubts.disagreements(asked),
        *doubts.stale_starts(asked, documents),
        *doubts.few_documents(documents),
        *doubts.line_ends(folder / QUESTIONS),
    ]
    errors = [complete(folder, problem, wrong) for problem in errors]
    return Findings(folder, golden, tuple(dict.fromkeys(errors)), tuple(warnings), tuple(_notes(folder, asked, wrong)))


def _loaded(folder: Path) -> tuple[GoldenSet | None, list[Problem]]:
    try:
        return load(folder), []
    except GoldenSetError as error:
        return None, list(error.problems)


def _documents(folder: Path, golden: GoldenSet | None) -> tuple[dict[str, Document], list[Problem]]:
    """The documents, those of sound files only if the corpus has faults, and these faults."""
    if golden is not None:
        return {document.doc_id: document for document in golden.documents}, []
    try:
        documents, problems = read_corpus(folder / CORPUS)
    except CorpusError:
        return {}, []
    return {document.doc_id: document for document in documents}, list(problems)


def _asked(
    folder: Path, golden: GoldenSet | None, rows: Sequence[Row], documents: Mapping[str, Document]
) -> list[tuple[Row, Question]]:
    """The questions that are sound by themselves and not retired, with their lines."""
    if golden is not None:
        return list(zip((row for row in rows if not row.fields.get("retired")), golden.questions, strict=True))
    as_of = read_card(folder, {})[0].as_of
    read = ((row, read_question(row, documents or _ANY, as_of)[0]) for row in rows)
    return [(row, question) for row, question in read if question is not None]


def _mute(documents: Iterable[Document], tokenizers: Sequence[TokenizerName]) -> Iterator[Problem]:
    """C006: documents in which a tokenizer finds nothing."""
    held = list(documents)
    for name in tokenizers:
        tokens = tokenize(name, [document.text for document in held])
        mute = [document.doc_id for document, found in zip(held, tokens, strict=True) if not found]
        if mute:
            shown = ", ".join(map(repr, mute[:5])) + (", ..." if len(mute) > 5 else "")
            what = f"tokenizer {name!r} gives no token for {len(mute)} of {len(held)} documents: {shown}."
            fix = "use another tokenizer (retrievers.bm25.tokenizer), or delete what holds no words."
            yield Problem("C006", CORPUS, what, "BM25 could never find them by their text.", fix)


def _notes(folder: Path, asked: Sequence[tuple[Row, Question]], wrong: Sequence[Problem]) -> Iterator[str]:
    places = [place for row, _ in asked for group in row.fields.get("evidence", ()) for place in group]
    if whole := sum("quote" not in place for place in places):
        yield f"{whole} of {len(places)} pieces of evidence are whole documents: they have no quote"
    if (folder / DRAFTS).is_file():
        drafts, broken = read_rows(folder / DRAFTS)
        yield f"{len(drafts)} drafts wait for review in {DRAFTS}" + (f"; {len(broken)} lines cannot be read" if broken else "")
    if (folder / CORPUS).is_dir() and (left := unread(folder / CORPUS)):
        yield f"{len(left)} files of {CORPUS}/ are not read: {', '.join(left[:5])}{', ...' if len(left) > 5 else ''}"
    if wrong:
        yield "evidence was looked up in sound files of the corpus only; what lies in the others is checked once they are mended"
