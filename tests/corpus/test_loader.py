"""Loading a corpus folder."""

import os
from hashlib import sha256
from pathlib import Path

import pytest

from harness.corpus.cleaned import Dropped
from harness.corpus.files import corpus_digest
from harness.corpus.formats import BINARY_FORMATS, ROWS, SUFFIXES, TEXT_FORMATS
from harness.corpus.loader import load_corpus, load_file, load_folder, read_corpus, unread
from harness.corpus.reading import MAX_BYTES
from harness.errors import CorpusError
from harness.types import Document


def _write_all(folder: Path, files: dict[str, str | bytes]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
    return folder


def _problems(folder: Path) -> dict[str, str]:
    """Code and place of each problem, with what it says."""
    with pytest.raises(CorpusError) as caught:
        load_corpus(folder)
    return {f"{problem.code} {problem.where}": str(problem) for problem in caught.value.problems}


def _one(folder: Path, name: str, text: str | bytes) -> Document:
    (document,) = load_corpus(_write_all(folder, {name: text}))
    return document


def test_documents_come_sorted_by_their_relative_path(tmp_path: Path) -> None:
    _write_all(tmp_path, {"b.md": "B", "a/z.txt": "Z", "a-b.md": "AB", "a.md": "A"})
    assert [document.doc_id for document in load_corpus(tmp_path)] == ["a-b.md", "a.md", "a/z.txt", "b.md"]


@pytest.mark.parametrize(("suffix", "mime_type"), [(suffix, mime) for suffix, (mime, _) in TEXT_FORMATS.items()])
def test_every_suffix_has_its_type_in_any_case(tmp_path: Path, suffix: str, mime_type: str) -> None:
    assert _one(tmp_path, f"a{suffix.upper()}", "{}").mime_type == mime_type


def test_front_matter_becomes_metadata_and_leaves_the_text(tmp_path: Path) -> None:
    text = "---\ntitle: Manual\nversion: '2.10'\ntenant: north\nacl: [north]\nauthor: Ann\ncolour: red\n---\n# Care\n"
    document = _one(tmp_path, "a.md", text)
    assert document.text == "# Care\n"
    assert (document.title, document.version, document.tenant, document.acl) == ("Manual", "2.10", "north", ("north",))
    assert (document.author, document.metadata) == ("Ann", {"colour": "red"})


def test_metadata_yaml_describes_the_files_that_cannot(tmp_path: Path) -> None:
    described = "prices/list.csv: {title: Prices, valid_from: 2025-01-01, valid_to: 2026-01-01, updated_at: '2025-02-01'}"
    _write_all(tmp_path, {"metadata.yaml": described, "prices/list.csv": "a,b\n1,2\n"})
    (document,) = load_corpus(tmp_path)
    assert (document.title, document.valid_from, document.valid_to) == ("Prices", "2025-01-01", "2026-01-01")
    assert document.text == "a,b\n1,2\n"


@pytest.mark.parametrize(
    ("name", "text", "title"),
    [
        ("manual.md", "# The *Manual* #\n\ntext", "The *Manual*"),
        ("manual.md", "```\n# comment\n```\n\n# Real\n", "Real"),
        ("manual.md", "no heading", "manual"),
        ("manual.html", "<title>The\n page</title><p>x</p>", "The page"),
        ("list.csv", "a,b", "list"),
        ("client.py", "# comment", "client"),
    ],
)
def test_a_title_is_found_where_none_is_given(tmp_path: Path, name: str, text: str, title: str) -> None:
    assert _one(tmp_path, name, text).title == title


def test_text_is_normalised(tmp_path: Path) -> None:
    assert _one(tmp_path, "a.txt", "\ufeffcafe\u0301\r\nx\ry").text == "café\nx\ny"


def test_the_hash_is_that_of_the_cleaned_text(tmp_path: Path) -> None:
    assert _one(tmp_path, "a.md", "---\ntitle: x\n---\nAlpha").content_hash == sha256(b"Alpha").hexdigest()


def test_a_line_of_dashes_is_no_front_matter(tmp_path: Path) -> None:
    assert _one(tmp_path, "a.md", "---\n\nAlpha\n").text == "---\n\nAlpha\n"


def test_files_of_unknown_type_and_hidden_files_are_ignored(tmp_path: Path) -> None:
    _write_all(tmp_path, {"a.md": "A", "b.odt": b"\xff", ".hidden.md": b"\xff"})
    assert [document.doc_id for document in load_corpus(tmp_path)] == ["a.md"]


def test_all_faults_are_reported_at_once(tmp_path: Path) -> None:
    files = {
        "empty.md": "---\ntitle: x\n---\n \n",
        "latin.txt": "caf\xe9".encode("latin-1"),
        "date.md": "---\nvalid_from: soon\n---\nA",
        "number.md": "---\nversion: 2.10\n---\nA",
        "broken.md": "---\ntitle: [\n---\nA",
        "metadata.yaml": "latin.text: {title: x}",
    }
    assert sorted(_problems(_write_all(tmp_path, files))) == [
        "C002 empty.md",
        "C008 latin.txt",
        "C009 broken.md",
        "C009 date.md valid_from",
        "C009 metadata.yaml",
        "C009 number.md version",
    ]


def test_bytes_that_are_not_utf8_are_named_with_their_place(tmp_path: Path) -> None:
    assert "byte 0xE9 at offset 3" in _problems(_write_all(tmp_path, {"a.txt": b"caf\xe9"}))["C008 a.txt"]


def test_an_unknown_path_in_metadata_names_the_nearest_document(tmp_path: Path) -> None:
    problems = _problems(_write_all(tmp_path, {"prices.csv": "a", "metadata.yaml": "price.csv: {title: x}"}))
    assert "closest: 'prices.csv'" in problems["C009 metadata.yaml"]


@pytest.mark.parametrize(
    ("front", "field", "says"),
    [
        ("version: 2.10", "version", "put the value in quotes"),
        ("title: [a]", "title", "must be text"),
        ("tenant: true", "tenant", "must be text"),
        ("valid_from: 2025-1-1", "valid_from", "YYYY-MM-DD"),
        ("acl: sales", "acl", "list of names"),
        ("valid_from: 2025-02-01\nvalid_to: 2025-02-01", "valid_to", "never hold"),
    ],
)
def test_bad_metadata_names_the_field(tmp_path: Path, front: str, field: str, says: str) -> None:
    assert says in _problems(_write_all(tmp_path, {"a.md": f"---\n{front}\n---\nA"}))[f"C009 a.md {field}"]


@pytest.mark.parametrize("bomb", ["a: &a [x]\nb: [*a, *a]", "a: " + "[" * 100_000, "a: [", "a: !!python/object:os.system x"])
def test_hostile_front_matter_is_refused_in_words(tmp_path: Path, bomb: str) -> None:
    assert "front matter" in _problems(_write_all(tmp_path, {"a.md": f"---\n{bomb}\n---\nA"}))["C009 a.md"]


@pytest.mark.parametrize("target", ["/etc/hosts", "../outside.md", "/etc"])
def test_a_link_out_of_the_corpus_is_refused(tmp_path: Path, target: str) -> None:
    (tmp_path / "outside.md").write_text("secret")
    folder = _write_all(tmp_path / "corpus", {"a.md": "A"})
    (folder / "link.md").symlink_to(target)
    assert "leaves the corpus" in _problems(folder)["C003 link.md"]
    assert corpus_digest(folder) == sha256(b"a.md\0A\0").hexdigest()


def test_a_link_inside_the_corpus_is_a_document(tmp_path: Path) -> None:
    _write_all(tmp_path, {"a.md": "A"})
    (tmp_path / "b.md").symlink_to("a.md")
    assert [document.text for document in load_corpus(tmp_path)] == ["A", "A"]


def test_ids_that_differ_only_by_case_are_refused(tmp_path: Path) -> None:
    if (_write_all(tmp_path, {"A.md": "A"}) / "a.md").exists():
        pytest.skip("the file system ignores case")
    assert "'A.md', 'a.md'" in _problems(_write_all(tmp_path, {"a.md": "a"}))["C005 A.md"]


def test_a_folder_without_readable_documents_says_what_it_found(tmp_path: Path) -> None:
    folder = _write_all(tmp_path, {"a.doc": "x", "b.odt": "x", "metadata.yaml": ""})
    says = _problems(folder)[f"C001 {folder}"]
    assert "found 2 other file(s), such as 'a.doc'" in says
    assert ".md" in says


def test_an_empty_folder_and_a_missing_one_are_errors(tmp_path: Path) -> None:
    assert "the folder is empty" in _problems(tmp_path)[f"C001 {tmp_path}"]
    with pytest.raises(CorpusError, match="does not exist"):
        load_corpus(tmp_path / "nowhere")


def test_a_pipe_is_never_read(tmp_path: Path) -> None:
    os.mkfifo(_write_all(tmp_path, {"a.md": "A"}) / "pipe.md")
    assert [document.doc_id for document in load_corpus(tmp_path)] == ["a.md"]


def test_a_huge_file_is_refused_unread(tmp_path: Path) -> None:
    with (tmp_path / "a.txt").open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    assert f"limit {MAX_BYTES:,}" in _problems(tmp_path)["C004 a.txt"]


class TestReadingAroundFaults:
    """What `read_corpus` gives of a folder with faults."""

    @pytest.mark.parametrize(
        ("files", "sound", "codes"),
        [
            ({}, ["a.md", "b.txt"], []),
            ({"empty.md": " "}, ["a.md", "b.txt"], ["C002"]),
            ({"empty.md": " ", "latin.txt": b"\xff"}, ["a.md", "b.txt"], ["C002", "C008"]),
            ({"b.txt": b"\xff"}, ["a.md"], ["C008"]),
            ({"date.md": "---\nvalid_from: soon\n---\nA"}, ["a.md", "b.txt"], ["C009"]),
            ({"metadata.yaml": "gone.md: {title: x}"}, ["a.md", "b.txt"], ["C009"]),
            ({"metadata.yaml": "- a"}, ["a.md", "b.txt"], ["C009"]),
            ({"metadata.yaml": "b.txt: {version: 2.10}"}, ["a.md"], ["C009"]),
            ({"r.jsonl": '{"_id": "x", "text": "X"}\n'}, ["a.md", "b.txt", "x"], []),
            ({"r.jsonl": '{"_id": "x", "text": "X"}\nnope\n'}, ["a.md", "b.txt"], ["G002"]),
            ({"r.jsonl": '{"_id": "a.md", "text": "X"}\n{"_id": "y", "text": "Y"}\n'}, ["b.txt", "y"], ["C005"]),
            ({"r.jsonl": '{"_id": "b.txt", "text": "X"}\n', "b.txt": " "}, ["a.md"], ["C002", "C005"]),
        ],
    )
    def test_documents_of_sound_files_come_beside_the_faults_of_the_others(
        self, tmp_path: Path, files: dict[str, str | bytes], sound: list[str], codes: list[str]
    ) -> None:
        documents, problems = read_corpus(_write_all(tmp_path, {"a.md": "A", "b.txt": "B", **files}))
        assert [document.doc_id for document in documents] == sound
        assert sorted(problem.code for problem in problems) == codes

    def test_files_whose_names_collide_are_all_left_out(self, tmp_path: Path) -> None:
        if (_write_all(tmp_path, {"A.md": "A"}) / "a.md").exists():
            pytest.skip("the file system ignores case")
        documents, problems = read_corpus(_write_all(tmp_path, {"a.md": "a", "b.md": "b"}))
        assert ([document.doc_id for document in documents], len(problems)) == (["b.md"], 1)

    def test_a_description_that_holds_is_kept_beside_one_that_does_not(self, tmp_path: Path) -> None:
        described = "a.txt: {tenant: north}\nb.txt: none\n"
        documents, _ = read_corpus(_write_all(tmp_path, {"a.txt": "A", "b.txt": "B", "metadata.yaml": described}))
        assert [(document.doc_id, document.tenant) for document in documents] == [("a.txt", "north"), ("b.txt", "")]

    def test_what_is_sound_is_what_loads_and_the_faults_are_those_of_the_error(self, tmp_path: Path) -> None:
        _write_all(tmp_path, {"a.md": "A", "b.txt": "B"})
        assert read_corpus(tmp_path) == (load_corpus(tmp_path), ())
        _write_all(tmp_path, {"c.md": " ", "d.md": b"\xff"})
        with pytest.raises(CorpusError, match=r"has 2 problem\(s\)") as caught:
            load_corpus(tmp_path)
        assert caught.value.problems == read_corpus(tmp_path)[1]

    def test_a_folder_that_does_not_exist_is_an_error(self, tmp_path: Path) -> None:
        with pytest.raises(CorpusError, match="does not exist"):
            read_corpus(tmp_path / "nowhere")


class TestCorpusDigest:
    def test_it_is_the_documented_sum(self, tmp_path: Path) -> None:
        _write_all(tmp_path, {"b.md": "B", "a/z.pdf": b"\xff", "metadata.yaml": "{}"})
        assert corpus_digest(tmp_path) == sha256(b"a/z.pdf\0\xff\0b.md\0B\0metadata.yaml\0{}\0").hexdigest()

    @pytest.mark.parametrize("edit", [{"a.md": "a"}, {"b.md": "A"}, {"metadata.yaml": ""}])
    def test_any_edit_changes_it(self, tmp_path: Path, edit: dict[str, str | bytes]) -> None:
        before = corpus_digest(_write_all(tmp_path, {"a.md": "A"}))
        assert corpus_digest(_write_all(tmp_path, edit)) != before


class TestFormats:
    @pytest.mark.parametrize(
        ("name", "mime_type"),
        [
            ("a.py", "text/x-python"),
            ("a.tsx", "text/x-tsx"),
            ("a.mjs", "text/javascript"),
            ("a.h", "text/x-c"),
            ("a.hpp", "text/x-c++"),
            ("a.cs", "text/x-csharp"),
            ("a.sh", "text/x-shellscript"),
            ("a.kt", "text/x-kotlin"),
            ("a.yml", "application/yaml"),
            ("a.toml", "application/toml"),
        ],
    )
    def test_code_and_settings_are_kept_as_they_are(self, tmp_path: Path, name: str, mime_type: str) -> None:
        found = _one(tmp_path, name, "a: |\n\tb\n")
        assert (found.mime_type, found.text, found.places) == (mime_type, "a: |\n\tb\n", ())

    def test_a_suffix_has_one_loader_and_is_lower_case(self) -> None:
        assert len(SUFFIXES) == len(TEXT_FORMATS) + len(BINARY_FORMATS) + 1
        assert all(suffix == suffix.lower() and suffix.startswith(".") for suffix in SUFFIXES)
        assert ROWS in SUFFIXES

    def test_metadata_yaml_describes_the_corpus_only_at_its_root(self, tmp_path: Path) -> None:
        _write_all(tmp_path, {"metadata.yaml": "a.md: {tenant: north}", "sub/metadata.yaml": "x: 1", "a.md": "A"})
        assert [(found.doc_id, found.tenant) for found in load_corpus(tmp_path)] == [("a.md", "north"), ("sub/metadata.yaml", "")]

    def test_a_folder_of_metadata_alone_holds_no_document(self, tmp_path: Path) -> None:
        assert f"C001 {tmp_path}" in _problems(_write_all(tmp_path, {"metadata.yaml": ""}))

    def test_what_is_not_read_is_listed(self, tmp_path: Path) -> None:
        _write_all(tmp_path, {"metadata.yaml": "{}", "a.md": "A", "b.odt": "x", ".hidden.md": "x", "c.docm": "x"})
        assert unread(tmp_path) == [".hidden.md", "b.odt", "c.docm"]


class TestOneFile:
    def test_it_is_a_document_by_its_name(self, tmp_path: Path) -> None:
        _write_all(tmp_path, {"sub/a.md": "---\ntitle: T\n---\nA\n", "metadata.yaml": "sub/a.md: {tenant: north}"})
        loaded = load_file(tmp_path / "sub" / "a.md")
        (document,) = loaded.documents
        assert (document.doc_id, document.title, document.tenant, document.text) == ("a.md", "T", "", "A\n")
        assert (loaded.problems, loaded.dropped) == ((), (Dropped("front matter", 17, 1, "a.md"),))

    def test_one_with_a_fault_gives_the_fault_alone(self, tmp_path: Path) -> None:
        loaded = load_file(_write_all(tmp_path, {"a.md": "---\nvalid_from: soon\n---\nA"}) / "a.md")
        assert (loaded.documents, [problem.code for problem in loaded.problems]) == ((), ["C009"])

    @pytest.mark.parametrize("name", ["a.odt", ".hidden.md", "plain"])
    def test_one_that_is_not_read_says_what_is(self, tmp_path: Path, name: str) -> None:
        (problem,) = load_file(_write_all(tmp_path, {name: "x"}) / name).problems
        assert (problem.code, problem.where) == ("C001", name)
        assert ".docx" in problem.what

    @pytest.mark.parametrize("name", ["nowhere.md", "."])
    def test_one_that_does_not_exist_is_an_error(self, tmp_path: Path, name: str) -> None:
        with pytest.raises(CorpusError, match="does not exist or is no file"):
            load_file(tmp_path / name)


LEFT_OUT = {
    "b.md": "---\ntitle: T\n---\nB",
    "a.html": "<p>x</p><!-- no -->",
    "c.md": "plain",
    "bad.md": "---\ntenant: [x]\n---\nB",
}


class TestWhatIsLeftOut:
    def test_a_folder_tells_it_of_each_document_that_is_kept(self, tmp_path: Path) -> None:
        loaded = load_folder(_write_all(tmp_path, {**LEFT_OUT}))
        assert [(piece.doc_id, piece.what) for piece in loaded.dropped] == [("a.html", "comment"), ("b.md", "front matter")]

    def test_kept_and_left_out_come_to_the_whole_file(self, tmp_path: Path) -> None:
        text = "---\ntitle: T\n---\n# Alpha\n\nBeta.\n"
        loaded = load_file(_write_all(tmp_path, {"a.md": text}) / "a.md")
        assert len(loaded.documents[0].text) + loaded.dropped[0].characters == len(text)
