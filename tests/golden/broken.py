"""A folder of broken golden sets: what is wrong with each, and how the harness has to say it."""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.corpus.files import corpus_digest
from harness.fingerprint import digest
from harness.gates import baseline
from harness.golden.schema import MAX_TEXT
from tests.golden.folders import CORPUS, FILTER, lines, refusal, row, write

PAYS = {"doc": "north.md", "quote": "North pays 5 euros."}
WASH = {"doc": "aq.md", "quote": "Never wash it."}
DEEP = 100_000


def _nothing(_folder: Path) -> None:
    """Leaves the set as it was written."""


@dataclass(frozen=True)
class Broken:
    """One broken set."""

    name: str
    """Its folder; says what is broken."""
    code: str
    """Code of the fault."""
    where: str
    """File below the folder, line and field."""
    says: str
    """Words of the message."""
    fix: str
    """Words of the remedy."""
    line: Any = None
    """Second line of questions.jsonl: fields, or text as it is; the first is sound."""
    raw: bytes | None = None
    """All of questions.jsonl."""
    card: Mapping[str, Any] = field(default_factory=dict)
    """Fields of the card that are changed; None leaves one out."""
    files: Mapping[str, bytes] = field(default_factory=dict)
    """More files of the corpus."""
    after: Callable[[Path], None] = _nothing
    """Done to the folder at the end."""
    warning: bool = False
    """Whether it is a warning only."""

    def build(self, golden_sets: Path) -> Path:
        """Writes the set."""
        folder = golden_sets / self.name
        for name, data in self.files.items():
            (folder / "corpus" / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / "corpus" / name).write_bytes(data)
        second = [] if self.line is None else [self.line]
        write(folder, lines(row(id="first"), *second) if self.raw is None else self.raw, self.card)
        self.after(folder)
        return folder


def _on(place: Mapping[str, Any], **fields: Any) -> dict[str, Any]:
    """A question with one place of evidence."""
    return row(evidence=[[place]], **fields)


def _without(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


def _instead(name: str, data: bytes) -> Callable[[Path], None]:
    return lambda folder: _replace(folder / name, data)


def _replace(path: Path, data: bytes) -> None:
    path.write_bytes(data)


def _card_with(text: str) -> Callable[[Path], None]:
    return lambda folder: _replace(folder / "golden_set.yaml", (folder / "golden_set.yaml").read_bytes() + text.encode())


def _no_corpus(folder: Path) -> None:
    for path in (folder / "corpus").iterdir():
        path.unlink()
    (folder / "corpus").rmdir()


def _only_an_image(folder: Path) -> None:
    for name in CORPUS:
        (folder / "corpus" / name).rename(folder / "corpus" / f"{name}.png")


def _link_out(folder: Path) -> None:
    (folder / "corpus" / "hosts.md").symlink_to("/etc/hosts")


def _pipe(folder: Path) -> None:
    (folder / "questions.jsonl").unlink()
    os.mkfifo(folder / "questions.jsonl")


def _huge_document(folder: Path) -> None:
    with (folder / "corpus" / "huge.txt").open("wb") as file:
        file.truncate(50_000_001)


def _measured_before_an_edit(folder: Path) -> None:
    """An accepted baseline of version 1 on other questions."""
    accepted = baseline.Baseline(
        experiment="light", golden_set=folder.name, golden_version=1, run_id="r", environment={}, statistics={}, aggregates={},
        scores={}, fingerprints={"golden_set": digest(b"other"), "corpus": corpus_digest(folder / "corpus")},
    )  # fmt: skip
    baseline.save(folder.parent.parent / "reports" / folder.name / "light.json", accepted)


def _fields(*faults: tuple[str, Any, str, str, str]) -> Sequence[Broken]:
    """A wrong type for a field: name, value, place, message, remedy."""
    return [
        Broken(f"type-of-{name}-{number}", "G007" if name == "id" else "G009", f"questions.jsonl:2 {where}", says, fix, row(**{name: value}))
        for number, (name, value, where, says, fix) in enumerate(faults)
    ]  # fmt: skip


ALIASES = "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n"
COPY = "How many months does the filter of the air monitor last?"

QUESTIONS = [
    Broken(
        "canary-in-the-evidence", "G039", "questions.jsonl:2 canaries[0]", "stands in the question's own evidence", "planted instruction",
        line=row(id="q2", canaries=["filter lasts 6"]),
    ),
    Broken("no-rows", "G001", "questions.jsonl", "0 rows", "add rows", raw=b""),
    Broken("blank-lines-only", "G001", "questions.jsonl", "0 rows", "add rows", raw=b"\n \n"),
    Broken("all-retired", "G001", "questions.jsonl", "all questions are retired", "add a question", raw=lines(row(retired=True))),
    Broken("no-questions-file", "G001", "questions.jsonl", "is missing", "write", after=_without("questions.jsonl")),
    Broken("a-pipe", "G001", "questions.jsonl", "no regular file", "write", after=_pipe),
    Broken("no-json", "G002", "questions.jsonl:2", "not valid JSON", "object per line", "{oops}"),
    Broken("no-object", "G002", "questions.jsonl:2", "expected an object", "object per line", "[1]"),
    Broken("deep-json", "G002", "questions.jsonl:2", "nested too deeply", "one flat object", "[" * DEEP + "]" * DEEP),
    Broken("deep-in-a-field", "G002", "questions.jsonl:2", "nested more than 50 deep", "one flat object", '{"tags": ' + "[" * 900 + "]" * 900 + "}"),
    Broken("huge-number", "G002", "questions.jsonl:2", "not readable", "a person could read", '{"id": ' + "9" * 5000 + "}"),
    Broken("cut-off", "G003", "questions.jsonl:2", "cut off after 19 bytes", "copy it again", raw=lines(row()) + b'{"id": "q2", "quest'),
    Broken("unknown-field", "G004", "questions.jsonl:2 gold_evidence", "did you mean 'evidence'?", "rename or drop", row(gold_evidence=[])),
    Broken("unknown-field-inside", "G004", "questions.jsonl:2 evidence[0][0].prefx", "'prefix'?", "rename", _on({**FILTER, "prefx": "a"})),
    Broken("no-question", "G005", "questions.jsonl:2 question", "is missing", "add it as text", row(question=None)),
    Broken("blank-question", "G005", "questions.jsonl:2 question", "only whitespace", "write it", row(question=" \t")),
    Broken("blank-answer", "G005", "questions.jsonl:2 answers[1]", "empty", "leave it out", row(answers=["6", " "])),
    Broken("blank-quote", "G005", "questions.jsonl:2 evidence[0][0].quote", "empty", "copy the text", _on({"doc": "aq.md", "quote": " "})),
    Broken("id-twice", "G006", "questions.jsonl:2 id", "'first' already used on line 1", "rename one", row(id="first")),
    Broken("key-twice", "G008", "questions.jsonl:2", "'id' appears twice", "keep one", '{"id": "a", "id": "b"}'),
    Broken("empty-group", "G009", "questions.jsonl:2 evidence[0]", "empty group", "name a quote", row(evidence=[[]])),
    Broken("evidence-twice", "G010", "questions.jsonl:2 evidence[0][1]", "twice", "remove it", row(evidence=[[FILTER, FILTER]])),
    Broken("no-evidence", "G011", "questions.jsonl:2 evidence", "answerable question without evidence", "add quotes", row(evidence=None)),
    Broken("both", "G012", "questions.jsonl:2 evidence", "can't be both", "drop one", refusal(evidence=[[FILTER]])),
    Broken("answerable-refusal", "G012", "questions.jsonl:2 kind", "'unanswerable'", "name what it asks", row(kind="unanswerable")),
    Broken("unknown-document", "G013", "questions.jsonl:2 evidence[0][0].doc", "Closest: 'aq.md'", "relative to corpus/", _on({"doc": "aq.mb"})),
    Broken("forbidden-unknown", "G013", "questions.jsonl:2 forbid[0].doc", "Closest: 'north.md'", "relative", row(forbid=[{"doc": "nort.md"}])),
    Broken("stale-start", "G014", "questions.jsonl:2 evidence[0][0].quote", "does not stand at 7", "right start", _on({**WASH, "start": 7})),
    Broken("missing-quote", "G015", "questions.jsonl:2 evidence[0][0].quote", "First difference at character 17", "copy the text",
           _on({"doc": "aq.md", "quote": "The filter lasts 7 months."})),
    Broken("latin-1", "G016", "questions.jsonl:2", "byte 0xE9 at offset 29", "iconv", raw=lines(row()) + b'{"id": "q2", "question": "caf\xe9"}\n'),
    Broken("byte-order-mark", "G017", "questions.jsonl:1", "byte-order mark", "without BOM", raw=b"\xef\xbb\xbf" + lines(row())),
    Broken("nfd-document", "G018", "questions.jsonl:2 evidence[0][0].doc", "not NFC-normalised", "write 'caf\u00e9.md'",
           _on({"doc": "cafe\u0301.md", "quote": "Coffee"}), files={"caf\u00e9.md": b"Coffee is served.\n"}),
    Broken("nan", "G019", "questions.jsonl:2", "contains NaN", "write a number", '{"id": NaN}'),
    Broken("infinity", "G019", "questions.jsonl:2", "contains -Infinity", "write a number", '{"id": -Infinity}'),
    Broken("huge-line", "G020", "questions.jsonl:2", "limit 1,000,000", "shorten it", '{"id": "' + "x" * 1_000_001 + '"}'),
    Broken("long-question", "G020", "questions.jsonl:2 question", "20,001 characters", "shorten", row(question="x" * (MAX_TEXT + 1))),
    Broken("nul", "G021", "questions.jsonl:2 question", "control character U+0000 at character 1", "remove it", row(question="a\x00b")),
    Broken("lone-surrogate", "G021", "questions.jsonl:2 question", "lone surrogate U+D800", "remove it", row(question="a\ud800")),
    Broken("path-as-id", "G022", "questions.jsonl:2 id", "may hold only letters", "rename it", row(id="../../etc/passwd")),
    Broken("hidden-id", "G022", "questions.jsonl:2 id", "not start with a dot", "rename it", row(id=".q")),
    Broken("accent-in-id", "G022", "questions.jsonl:2 id", "may hold only letters", "rename it", row(id="cafe\u0301")),
    Broken("long-id", "G022", "questions.jsonl:2 id", "1 to 128", "rename it", row(id="x" * 129)),
    Broken("unknown-kind", "G027", "questions.jsonl:2 kind", "did you mean 'factoid'?", "one of factoid", row(kind="factoit")),
    Broken("unknown-split", "G027", "questions.jsonl:2 split", "'dev' is unknown", "one of tune, test", row(split="dev")),
    Broken("unknown-reason", "G027", "questions.jsonl:2 refusal_reason", "'future'?", "one of out_of_corpus", refusal(refusal_reason="futur")),
    Broken("unknown-role", "G027", "questions.jsonl:2 history[0].role", "'bot'", "user", row(history=[{"role": "bot", "content": "x"}])),
    Broken("two-askers", "G027", "questions.jsonl:2 tenant", "differs from persona 'north'", "keep one", row(persona="north", tenant="south")),
    Broken("no-date", "G028", "questions.jsonl:2 as_of", "'2025-13-01' is not a date", "YYYY-MM-DD", row(as_of="2025-13-01")),
    Broken("ambiguous-quote", "G029", "questions.jsonl:2 evidence[0][0].quote", "stands 2 times", "add prefix, suffix or start", _on(WASH)),
    Broken("wrong-prefix", "G029", "questions.jsonl:2 evidence[0][0].quote", "not with this prefix", "before or after it",
           _on({**WASH, "prefix": "9 days."})),
    Broken("hidden-by-tenant", "G031", "questions.jsonl:2 evidence", "hidden from tenant 'south'", "mend persona", _on(PAYS, persona="south")),
    Broken("hidden-by-date", "G031", "questions.jsonl:2 evidence", "on 2026-01-01", "dates", _on(PAYS, persona="north", as_of="2026-01-01")),
    Broken("no-reason", "G032", "questions.jsonl:2 refusal_reason", "is missing", "one of out_of_corpus", refusal(refusal_reason=None)),
    Broken("reason-without-refusal", "G032", "questions.jsonl:2 refusal_reason", "has none", "drop it", row(refusal_reason="future")),
    Broken("near-copies-straddle", "G034", "questions.jsonl:2 split", "near-copies are in tune (line 1) and in test (line 2)", "harness golden split",
           raw=lines(row(id="a", split="tune", question=COPY, group="a"), row(id="b", question=f"Hello, {COPY.lower()}", group="b"))),
    Broken("group-straddles", "G034", "questions.jsonl:2 group", "group 'story' is in tune (line 1) and in test (line 2)", "one split",
           raw=lines(row(id="a", split="tune", group="story"), row(id="b", question="Who pays?", group="story"))),
]  # fmt: skip

TYPES = _fields(
    ("id", 7, "id", "must be text, got a whole number 7", 'write "7"'),
    ("question", 1, "question", "must be text", 'write "1"'),
    ("answerable", "yes", "answerable", "must be true or false, got text 'yes'", "write true or false"),
    ("kind", ["table"], "kind", "must be text, got a list", "write text"),
    ("split", {}, "split", "must be text, got an object", "write text"),
    ("evidence", "c1", "evidence", "must be a list, got text 'c1'", '["c1"]'),
    ("evidence", [FILTER], "evidence[0]", "must be a list, got an object", "write a list"),
    ("evidence", [["aq.md"]], "evidence[0][0]", "must be an object, got text 'aq.md'", "write an object"),
    ("evidence", [[{**FILTER, "start": "6"}]], "evidence[0][0].start", "must be a whole number, got text '6'", "a whole number"),
    ("evidence", [[{**FILTER, "doc": 3}]], "evidence[0][0].doc", "must be text", 'write "3"'),
    ("answers", "6", "answers", "must be a list", '["6"]'),
    ("reference", False, "reference", "must be text, got true or false", "write text"),
    ("nuggets", [{"text": "a", "vital": "yes"}], "nuggets[0].vital", "must be true or false", "true or false"),
    ("history", ["Hi"], "history[0]", "must be an object", "an object"),
    ("persona", 1.5, "persona", "must be text, got a number 1.5", 'write "1.5"'),
    ("as_of", 2025, "as_of", "must be text", 'write "2025"'),
    ("forbid", {"doc": "aq.md"}, "forbid", "must be a list", "a list"),
    ("conflict", 1, "conflict", "must be true or false", "true or false"),
    ("group", [1], "group", "must be text", "text"),
    ("provenance", {}, "provenance", "must be text", "text"),
    ("reviewed", "no", "reviewed", "must be true or false", "true or false"),
    ("tags", "a", "tags", "must be a list", '["a"]'),
    ("retired", "no", "retired", "must be true or false", "true or false"),
)

CARDS = [
    Broken("no-card", "G030", "golden_set.yaml", "is missing", "name: no-card; version: 1; questions_sha256", after=_without("golden_set.yaml")),
    Broken("card-no-yaml", "G030", "golden_set.yaml", "not valid YAML", "mend the card", after=_instead("golden_set.yaml", b"name: [")),
    Broken("card-a-list", "G030", "golden_set.yaml", "got list", "mend the card", after=_instead("golden_set.yaml", b"- a\n")),
    Broken("card-latin-1", "G030", "golden_set.yaml", "can't decode byte 0xe9", "UTF-8", after=_instead("golden_set.yaml", b"name: caf\xe9\n")),
    Broken("card-aliases", "G030", "golden_set.yaml", "aliases", "mend the card", after=_instead("golden_set.yaml", ALIASES.encode())),
    Broken("card-number-as-name", "G030", "golden_set.yaml:5 1", "field '1' is unknown", "rename or drop", after=_card_with("1: 2\n")),
    Broken("card-unknown-field", "G030", "golden_set.yaml:5 licens", "did you mean 'licence'?", "rename", card={"licens": "x"}),
    Broken("card-name-twice", "G008", "golden_set.yaml:5 version", "'version' appears twice", "keep one", after=_card_with("version: 1\n")),
    Broken("card-of-another", "G030", "golden_set.yaml:1 name", "not the name of its folder", "write name: card-of-another", card={"name": "kb"}),
    Broken("card-without-version", "G030", "golden_set.yaml version", "is missing", "a whole number", card={"version": None}),
    Broken("card-version-zero", "G030", "golden_set.yaml:2 version", "must be 1 or more", "count up from 1", card={"version": 0}),
    Broken("card-version-text", "G030", "golden_set.yaml:2 version", "must be a whole number", "a whole number", card={"version": "one"}),
    Broken("card-from-the-future", "G024", "golden_set.yaml:5 format", "format 3 is newer than this harness reads (1)", "upgrade", card={"format": 3}),
    Broken("card-coverage", "G030", "golden_set.yaml:6 defaults.coverage", "must lie in (0, 1], got 1.5", "0.9", card={"defaults": {"coverage": 1.5}}),
    Broken("card-date", "G030", "golden_set.yaml:5 as_of", "'June' is not a date", "YYYY-MM-DD", card={"as_of": "June"}),
    Broken("wrong-counts", "G030", "golden_set.yaml:6 counts.answerable", "says 5, found 1", "what is found", card={"counts": {"answerable": 5}}),
    Broken("wrong-digest-of-questions", "G026", "golden_set.yaml:3 questions_sha256", "the files changed", "raises the version", card={"questions_sha256": "0" * 64}),
    Broken("wrong-digest-of-corpus", "G026", "golden_set.yaml:4 corpus_sha256", "the files changed", "raises the version", card={"corpus_sha256": "0" * 64}),
    Broken("edited-document", "G026", "golden_set.yaml:4 corpus_sha256", "the files changed", "raises the version",
           after=_instead("corpus/aq.md", f"{CORPUS['aq.md']}\nMore.\n".encode())),
    Broken("edited-without-a-bump", "G036", "golden_set.yaml:2 version", "reports/edited-without-a-bump/light.json", "raise version",
           after=_measured_before_an_edit),
]  # fmt: skip

ROWS = (
    b'{"_id": "ok", "text": "Words."}\n{"_id": "ok", "text": "More."}\nnope\n{"_id": 7, "text": "x"}\n{"_id": "e", "text": ""}\n'
)

CORPORA = [
    Broken("no-corpus", "C001", "corpus", "does not exist", "put the documents into corpus/", after=_no_corpus),
    Broken("nothing-readable", "C001", "corpus", "no readable document", "convert the documents", after=_only_an_image),
    Broken("empty-document", "C002", "corpus/blank.md", "empty after cleaning", "delete the file or fill it", files={"blank.md": b" \n"}),
    Broken("link-out", "C003", "corpus/hosts.md", "leaves the corpus folder", "copy the file", after=_link_out),
    Broken("huge-document", "C004", "corpus/huge.txt", "50,000,001 bytes", "split the file", after=_huge_document),
    Broken("case-collision", "C005", "corpus/AQ.md", "differ only by case", "rename one", files={"AQ.md": b"Words.\n"}),
    Broken("no-words", "C006", "corpus", "tokenizer 'stemmed' gives no token for 1 of 3 documents: 'of.md'", "another tokenizer", files={"of.md": b"The of and.\n"}),
    Broken("latin-1-document", "C008", "corpus/cafe.txt", "byte 0xE9", "iconv", files={"cafe.txt": b"caf\xe9"}),
    Broken("front-matter", "C009", "corpus/f.md", "front matter", "mend the lines", files={"f.md": b"---\ntitle: [\n---\nx\n"}),
    Broken("document-date", "C009", "corpus/f.md:2 valid_to", "'soon' is not a date", "YYYY-MM-DD", files={"f.md": b"---\nvalid_to: soon\n---\nx\n"}),
    Broken("metadata-of-nothing", "C009", "corpus/metadata.yaml", "closest: 'aq.md'", "relative to the corpus", files={"metadata.yaml": b"aq.m: {title: x}\n"}),
    Broken("metadata-aliases", "C009", "corpus/metadata.yaml", "aliases", "per document", files={"metadata.yaml": ALIASES.encode()}),
    Broken("no-pdf", "C010", "corpus/x.pdf", "PDF", "convert it to text", files={"x.pdf": b"hello"}),
    Broken("cut-off-pdf", "C010", "corpus/x.pdf", "Its text cannot be known", "convert it to text", files={"x.pdf": b"%PDF-1.4\n1 0 obj\n<<>>\n"}),
    Broken("no-slides", "C010", "corpus/x.pptx", "PPTX", "convert it to text", files={"x.pptx": b"hello"}),
    Broken("row-id-twice", "G006", "corpus/rows.jsonl:2 _id", "'ok' is already used", "rename one", files={"rows.jsonl": ROWS}),
    Broken("row-no-json", "G002", "corpus/rows.jsonl:3", "not valid JSON", "object per line", files={"rows.jsonl": ROWS}),
    Broken("row-id-a-number", "G009", "corpus/rows.jsonl:4 _id", "must be text", 'write "7"', files={"rows.jsonl": ROWS}),
    Broken("row-empty", "C002", "corpus/rows.jsonl:5 text", "is empty", "delete the line", files={"rows.jsonl": ROWS}),
    Broken("quote-beside-a-broken-document", "G015", "questions.jsonl:2 evidence[0][0].quote", "not found in 'aq.md'", "copy the text",
           _on({"doc": "aq.md", "quote": "It floats on water"}), files={"blank.md": b" "}),
]  # fmt: skip

WARNINGS = [
    Broken("few-refusals", "G023", "questions.jsonl answerable", "no unanswerable question in split test", "30 show 90.5%", warning=True),
    Broken("near-copies", "G025", "questions.jsonl:2 question", "2 of 2 questions are near-copies (lines 1, 2)", "one group",
           raw=lines(row(question=COPY), row(id="q2", question=f"Hello, {COPY}")), warning=True),
    Broken("implied-group-straddles", "G034", "questions.jsonl:1 group", "1 document is asked about in tune and test", "name groups",
           raw=lines(row(split="tune"), row(id="q2", question="Who pays?")), warning=True),
    Broken("evidence-straddles", "G034", "questions.jsonl:1 evidence", "'aq.md' 6-32 in tune (line 1) and in test (line 2)", "harness golden split",
           raw=lines(row(split="tune", group="a"), row(id="q2", question="Who pays?", group="b")), warning=True),
    Broken("conflict-not-said", "G035", "questions.jsonl:2 conflict", "conflict is not true", "add it", row(kind="conflict"), warning=True),
    Broken("conflict-of-one", "G035", "questions.jsonl:2 evidence", "all evidence lies in 'aq.md'", "the other document",
           row(kind="conflict", conflict=True), warning=True),
    Broken("hop-of-one", "G035", "questions.jsonl:2 evidence", "kind multi_hop", "change kind", row(kind="multi_hop"), warning=True),
    Broken("turn-without-turns", "G035", "questions.jsonl:2 history", "without earlier turns", "add them", row(kind="multi_turn"), warning=True),
    Broken("tenant-nobody", "G035", "questions.jsonl:2 persona", "nobody asks", "name the tenant", row(kind="tenant"), warning=True),
    Broken("injection-without-forbid", "G035", "questions.jsonl:2 forbid", "without forbid", "planted text", row(kind="injection"), warning=True),
    Broken("stale-hint", "G014", "questions.jsonl:2 evidence[0][0].start", "says 9, the quote stands at 6", "--fix", _on({**FILTER, "start": 9}), warning=True),
    Broken("windows-lines", "G037", "questions.jsonl:1", "1 lines end in CRLF", "LF", raw=json.dumps(row()).encode() + b"\r\n", warning=True),
    Broken("two-documents", "C007", "corpus", "2 documents", "add documents", warning=True),
]  # fmt: skip

ALL = [*QUESTIONS, *TYPES, *CARDS, *CORPORA, *WARNINGS]
"""Every broken set."""
