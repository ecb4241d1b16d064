"""`harness index sync` as a user runs it."""

import json

import pytest

from harness.cli.main import main
from tests.indexing.small import snapshot


def manifest(project):
    return json.loads((project / "index" / "manifest.json").read_text())


def test_the_first_sync_says_what_was_taken_up(docs, index):
    code, text = index("sync", "docs", "embedder=hashing")
    assert code == 0
    assert "generation 1: cut 5 chunks, embedded 5 texts" in text
    assert "added: 5 (battery.md, price.md, range.md, reset.md, storage.md)" in text
    assert "embed: 0 of 5 from the cache" in text


def test_a_second_sync_says_up_to_date_and_writes_no_byte(built, index, project):
    before = snapshot(project / "index")
    code, text = index("sync", "docs", "--today", "2027-01-01")
    assert (code, snapshot(project / "index")) == (0, before)
    assert "up to date: 5 documents unchanged, generation 1, nothing was written" in text


def test_one_changed_one_new_and_one_missing_document(built, index):
    (built / "battery.md").write_text("# Battery\n\nThe probe now runs on sunlight.\n")
    (built / "clock.md").write_text("# Clock\n\nIt is set by radio.\n")
    (built / "range.md").unlink()
    code, text = index("sync", "docs")
    assert code == 0
    assert "generation 2: cut 2 chunks, embedded 2 texts" in text
    for line in ("added: 1 (clock.md)", "changed: 1 (battery.md)", "missing, withdrawn: 1 (range.md)", "unchanged: 3"):
        assert line in text


def test_the_settings_of_the_first_sync_hold_for_later_ones(docs, index, project):
    index("sync", "docs", "+experiment=light", "chunker.size=64")
    (docs / "battery.md").write_text("# Battery\n\nSunlight.\n")
    code, _ = index("sync", "docs")
    assert code == 0
    assert manifest(project)["config"]["chunker"]["size"] == 64
    assert manifest(project)["words"] == ["+experiment=light", "chunker.size=64"]


def test_the_index_outlives_the_experiment_that_it_was_built_with(docs, index, project):
    index("sync", "docs", "+experiment=light")
    (project / "experiments" / "light.yaml").unlink()
    assert index("sync", "docs")[0] == 0


def test_an_override_that_changes_the_chunker_cuts_anew_and_is_remembered(built, index, project):
    code, text = index("sync", "docs", "chunker.size=8")
    assert code == 0
    assert "other settings or code: chunker; every document was cut anew" in text
    assert manifest(project)["config"]["chunker"]["size"] == 8
    assert "up to date" in index("sync", "docs")[1]


def test_an_option_of_a_slot_takes_the_place_of_what_was_set_there(docs, index, project):
    index("sync", "docs", "embedder=hashing", "chunker.size=64")
    index("sync", "docs", "chunker=fixed")
    assert manifest(project)["words"] == ["embedder=hashing", "chunker=fixed"]
    assert manifest(project)["config"]["chunker"]["size"] == 1000


def test_another_embedder_is_refused_by_both_names(built, index, project):
    before = snapshot(project / "index")
    code, text = index("sync", "docs", "embedder.dimension=64")
    assert code == 2
    for part in ("I001", "512 dimensions", "64 dimensions", "harness index reembed"):
        assert part in text
    assert snapshot(project / "index") == before


def test_every_fault_of_the_config_is_told_at_once(docs, index):
    code, text = index("sync", "docs", "embedder=hashing", "chunker.size=many", "embedder.dimension=1", "chunker.sise=3")
    assert code == 2
    for part in ("chunker.size", "embedder.dimension", "chunker.sise"):
        assert part in text


def test_a_generator_that_is_not_there_does_not_matter(docs, index):
    assert index("sync", "docs", "embedder=hashing", "generator=llm")[0] == 0


def test_a_file_that_cannot_be_read_is_told_and_the_rest_goes_on(docs, index):
    (docs / "latin.md").write_bytes("# Größe".encode("latin-1"))
    code, text = index("sync", "docs", "embedder=hashing")
    assert code == 2
    assert "added: 5" in text
    assert "1 problem in the corpus; the rest was taken up" in text
    assert "latin.md" in text and "UTF-8" in text


def test_a_file_that_can_no_longer_be_read_keeps_what_the_index_holds(built, index):
    (built / "battery.md").write_bytes(b"\xff\xfe\xff")
    code, text = index("sync", "docs")
    assert code == 2
    assert "cannot be read, kept as they were: 1 (battery.md)" in text
    assert "1 document kept the content of the index" in text
    assert "AA cells" in index("search", "cells of the probe")[1]


def test_rows_of_a_broken_file_keep_what_the_index_holds(docs, index):
    rows = [{"_id": "faq-1", "text": "Turn it clockwise."}, {"_id": "faq-2", "text": "Use a soft cloth."}]
    (docs / "faq.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert index("sync", "docs", "embedder=hashing")[0] == 0
    (docs / "faq.jsonl").write_text(json.dumps(rows[0]) + "\nnot json\n")
    code, text = index("sync", "docs")
    assert code == 2
    assert "cannot be read, kept as they were: 2 (faq-1, faq-2)" in text


def test_a_row_that_is_gone_from_a_sound_file_is_missing(docs, index):
    rows = [{"_id": "faq-1", "text": "Turn it clockwise."}, {"_id": "faq-2", "text": "Use a soft cloth."}]
    (docs / "faq.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    index("sync", "docs", "embedder=hashing")
    (docs / "faq.jsonl").write_text(json.dumps(rows[0]) + "\n")
    assert "missing, withdrawn: 1 (faq-2)" in index("sync", "docs")[1]


def test_a_broken_metadata_file_changes_nothing_since_access_lists_stand_there(docs, index, project):
    (docs / "metadata.yaml").write_text("battery.md: {acl: [staff]}\n")
    index("sync", "docs", "embedder=hashing")
    before = snapshot(project / "index")
    (docs / "metadata.yaml").write_text("battery.md: {acl: [staff}\n")
    code, text = index("sync", "docs")
    assert code == 2
    assert "the index is unchanged" in text and "metadata.yaml" in text
    assert snapshot(project / "index") == before


def test_a_document_with_a_faulty_entry_of_metadata_is_not_taken_up_without_it(docs, index):
    (docs / "metadata.yaml").write_text("battery.md: staff only\n")
    code, text = index("sync", "docs", "embedder=hashing")
    assert code == 2
    assert "added: 4 (price.md, range.md, reset.md, storage.md)" in text


def test_an_empty_folder_does_not_withdraw_everything(built, index, project):
    before = snapshot(project / "index")
    for path in built.iterdir():
        path.unlink()
    code, text = index("sync", "docs")
    assert (code, "the index is unchanged" in text) == (2, True)
    assert snapshot(project / "index") == before


def test_an_index_inside_its_corpus_is_refused(docs, index):
    code, text = index("sync", ".", "embedder=hashing")
    assert code == 2
    assert "I008" in text


def test_a_folder_that_is_no_index_is_left_alone(docs, index):
    code, text = index("sync", "docs", "embedder=hashing", "--index", "golden_sets")
    assert (code, "I004" in text) == (2, True)


@pytest.mark.parametrize("day", ["2026-2-1", "today", "2026-02-30"])
def test_a_day_that_is_none_is_refused(docs, index, day):
    code, text = index("sync", "docs", "--today", day)
    assert (code, "I009" in text) == (2, True)


def test_the_index_is_the_same_wherever_the_folder_lies(built, index, project):
    built.rename(project / "moved")
    assert "up to date" in index("sync", str(project / "moved"))[1]


def test_no_line_of_the_output_obeys_a_file_name(docs, index):
    (docs / "a[red]\x1b[31m.md").write_text("# Odd\n\nName.\n")
    _, text = index("sync", "docs", "embedder=hashing")
    assert "a[red].md" in text and "\x1b[31m" not in text


TENANT = "contracts/acme.md: {tenant: acme}\n"


@pytest.fixture
def described(docs, index):
    """The folder with a tenant's document, indexed."""
    (docs / "contracts").mkdir()
    (docs / "contracts" / "acme.md").write_text("# Acme\n\nThe secret zymurgy rebate is 40 percent.\n")
    (docs / "metadata.yaml").write_text(TENANT)
    assert index("sync", "docs", "embedder=hashing", "reranker=none")[0] == 0
    return docs


def everybody_finds_it(index):
    return "zymurgy" in index("search", "secret zymurgy rebate")[1]


def renamed(docs):
    (docs / "contracts" / "acme.md").rename(docs / "contracts" / "acme2.md")


def moved_over_another(docs):
    (docs / "contracts" / "acme.md").rename(docs / "battery.md")


def renamed_and_edited(docs):
    renamed(docs)
    with (docs / "contracts" / "acme2.md").open("a") as file:
        file.write("\nMore words.\n")


def renamed_to_one_that_was_there(docs):
    renamed(docs)
    (docs / "contracts" / "acme2.md").rename(docs / "old.md")


@pytest.mark.parametrize("change", [renamed, moved_over_another, renamed_and_edited, renamed_to_one_that_was_there])
def test_a_described_document_under_another_name_is_not_shown_to_everybody(described, index, change):
    (described / "old.md").write_text("# Old\n\nOld.\n")
    index("sync", "docs")
    (described / "old.md").unlink()
    index("sync", "docs")
    change(described)
    (described / "price.md").write_text("# Prices\n\nA filter costs 21 euros now.\n")
    for _ in range(2):
        code, text = index("sync", "docs")
        flat = " ".join(text.replace("│", " ").split())
        assert code == 2 and not everybody_finds_it(index)
        assert "I011" in flat and "1 document without an entry held back" in flat and "contracts/acme.md" in flat
        assert "Fix: rename the entry with its file, or take it out, then sync again." in flat
    assert "21 euros" in index("search", "filter costs euros")[1]


def test_what_was_held_back_is_taken_up_once_the_entry_is_renamed(described, index):
    renamed(described)
    index("sync", "docs")
    (described / "metadata.yaml").write_text(TENANT.replace("acme.md", "acme2.md"))
    code, text = index("sync", "docs")
    assert (code, "added: 1 (contracts/acme2.md)" in text, everybody_finds_it(index)) == (0, True, False)
    assert "zymurgy" in index("search", "secret zymurgy rebate", "--persona", "acme")[1]


def test_a_new_document_with_an_entry_of_its_own_is_taken_up_beside_an_orphan(described, index):
    (described / "metadata.yaml").write_text(TENANT + "gone.md: {tenant: x}\nclock.md: {title: Clock}\n")
    (described / "clock.md").write_text("# Clock\n\nIt is set by radio.\n")
    (described / "sun.md").write_text("# Sun\n\nSun.\n")
    code, text = index("sync", "docs")
    assert (code, "added: 1 (clock.md)" in text) == (2, True)
    assert "held back, perhaps a described document under another name: 1 (sun.md)" in text


def test_a_first_sync_with_nothing_but_doubtful_documents_builds_nothing(docs, index, project):
    (docs / "metadata.yaml").write_text("acme.pdf: {tenant: acme}\n")
    code, text = index("sync", "docs", "embedder=hashing")
    assert (code, "I011" in text, "no index was built" in text, (project / "index").exists()) == (2, True, True, False)


def test_an_entry_of_a_deleted_file_says_what_to_do_with_it(described, index):
    (described / "contracts" / "acme.md").unlink()
    code, text = index("sync", "docs")
    assert (code, "missing, withdrawn: 1 (contracts/acme.md)" in text) == (2, True)
    assert "take the entry out, or rename it with its file" in " ".join(text.replace("│", " ").split())


def test_files_of_a_type_that_is_not_read_are_named_on_stderr(docs, index, capsys):
    for name in ("a.xlsx", "b.doc", "sub/c.png", ".hidden.png", ".git/config"):
        (docs / name).parent.mkdir(exist_ok=True)
        (docs / name).write_bytes(b"?")
    line = "passed over, type not read: 3 (a.xlsx, b.doc, sub/c.png)"
    assert main(["index", "sync", "docs", "embedder=hashing"]) == 0
    first = capsys.readouterr()
    assert line in first.err and "passed over" not in first.out
    assert line in index("sync", "docs")[1]
    assert line in index("status", "--corpus", "docs")[1]
    (docs / "metadata.yaml").write_text("battery.md: {title: B}\n")
    assert line in index("sync", "docs")[1]


def test_a_corpus_that_is_a_file_is_refused_as_one(docs, index):
    for verb in ("sync", "schedule"):
        code, text = index(verb, "docs/battery.md")
        assert (code, "is a file; give the folder that holds it" in " ".join(text.replace("│", " ").split())) == (2, True)


@pytest.mark.parametrize("words", [("sync",), ("search",), ("schedule",), ("freshness",)])
def test_a_missing_argument_is_named_and_no_override_is_asked_for(project, index, capsys, words):
    with pytest.raises(SystemExit):
        main(["index", *words])
    said = capsys.readouterr().err
    assert "arguments are required" in said and "OVERRIDE" not in said.partition("arguments are required")[2]


@pytest.mark.parametrize(
    "words", [("sync", "docs", "doc2query=llm"), ("search", "x", "hyde=llm"), ("freshness", "tiny", "hyde=llm")]
)
def test_no_command_of_an_index_advises_to_replay(built, index, monkeypatch, project, words):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    (project / "golden_sets" / "tiny" / "timeline.jsonl").write_text(
        '{"date": "2026-06-01", "action": "add", "doc": "battery.md"}\n'
    )
    code, text = index(*words)
    assert (code, "F010" in text, "--replay" in text) == (2, True, False), text


def test_a_file_of_another_encoding_says_how_to_convert_it(docs, index):
    (docs / "latin.md").write_bytes("Caf\xe9".encode("latin1"))
    flat = " ".join(index("sync", "docs", "embedder=hashing")[1].replace("│", " ").split())
    assert "Fix: save it as UTF-8, e.g. iconv -f latin1 -t utf-8 FILE." in flat
