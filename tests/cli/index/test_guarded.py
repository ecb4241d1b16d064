"""A sync that would lose something without a word: most of the documents, or who may see them."""

import pytest

from tests.indexing.small import snapshot

SECRET = "# Acme\n\nThe secret zymurgy rebate is 40 percent.\n"


def flat(text):
    return " ".join(text.replace("│", " ").split())


@pytest.fixture
def other(project):
    """Another folder of documents."""
    (project / "other").mkdir()
    (project / "other" / "x.md").write_text("# X\n\nSomething else.\n")
    return project / "other"


def test_another_folder_is_refused_and_changes_nothing(built, other, index, project):
    before = snapshot(project / "index")
    code, text = index("sync", "other")
    assert (code, "I012" in text, "--allow-missing" in text) == (2, True, True)
    assert "5 of 5 documents that are searched are not in it (battery.md, price.md, range.md, reset.md, storage.md)" in flat(text)
    assert "last synced with a folder named 'docs'" in flat(text)
    assert snapshot(project / "index") == before


def test_another_folder_is_taken_where_that_is_allowed(built, other, index):
    code, text = index("sync", "other", "--allow-missing")
    assert (code, "missing, withdrawn: 5" in text, "added: 1 (x.md)" in text) == (0, True, True)
    assert "corpus      other\n" in index("status")[1]


@pytest.mark.parametrize(("gone", "code"), [(["battery.md", "price.md"], 0), (["battery.md", "price.md", "range.md"], 2)])
def test_up_to_half_of_the_documents_may_go_at_once(built, index, gone, code):
    for name in gone:
        (built / name).unlink()
    assert index("sync", "docs")[0] == code


@pytest.fixture(
    params=["tenant: acme", "acl: [acme]", "valid_to: 2026-02-01", "valid_from: 2027-01-01", "deleted_at: 2026-01-01"]
)
def kept(request, docs, index):
    """The folder with a document that nobody without a name finds on 2026-03-01, indexed."""
    (docs / "contracts").mkdir()
    (docs / "contracts" / "acme.md").write_text(SECRET)
    (docs / "metadata.yaml").write_text(f"contracts/acme.md: {{{request.param}}}\nprice.md: {{title: Prices}}\n")
    assert index("sync", "docs", "embedder=hashing")[0] == 0
    assert not everybody_finds_it(index)
    return docs


def everybody_finds_it(index):
    return "zymurgy" in index("search", "secret zymurgy rebate", "--as-of", "2026-03-01")[1]


def no_file(docs):
    (docs / "metadata.yaml").unlink()


def no_entry(docs):
    (docs / "metadata.yaml").write_text("price.md: {title: Prices}\n")


def an_entry_of_other_things(docs):
    (docs / "metadata.yaml").write_text("contracts/acme.md: {title: Acme, author: Ada}\n")


def no_entry_and_other_words(docs):
    no_entry(docs)
    (docs / "contracts" / "acme.md").write_text(SECRET.replace("40", "45"))


@pytest.mark.parametrize("change", [no_file, no_entry, an_entry_of_other_things, no_entry_and_other_words])
def test_a_document_of_which_nothing_is_said_any_more_is_not_shown_to_everybody(kept, index, change):
    change(kept)
    (kept / "range.md").write_text("# Range\n\nThe gateway reaches 900 metres.\n")
    assert "I013" in index("status", "--corpus", "docs")[1]
    for _ in range(2):
        code, text = index("sync", "docs")
        assert (code, everybody_finds_it(index)) == (2, False)
        assert "I013" in text and "now open to everybody: 1 (contracts/acme.md)" in flat(text)
        assert "900 metres" in index("search", "gateway reaches metres")[1]


def test_one_that_comes_back_without_its_entry_is_not_shown_either(kept, index):
    (kept / "contracts" / "acme.md").unlink()
    no_entry(kept)
    index("sync", "docs")
    (kept / "contracts" / "acme.md").write_text(SECRET)
    code, text = index("sync", "docs")
    assert (code, "I013" in text, everybody_finds_it(index)) == (2, True, False)


@pytest.mark.parametrize("place", ["entry", "front matter"])
def test_one_of_which_is_said_that_everybody_may_see_it_is_opened(kept, index, place):
    no_entry(kept)
    if place == "entry":
        (kept / "metadata.yaml").write_text("contracts/acme.md: {acl: []}\n")
    else:
        (kept / "contracts" / "acme.md").write_text(f"---\nacl: []\n---\n{SECRET}")
    code, text = index("sync", "docs")
    assert (code, "I013" in text, everybody_finds_it(index)) == (0, False, True)


def test_with_its_entry_again_nothing_is_held_back(kept, index):
    whole = (kept / "metadata.yaml").read_text()
    no_file(kept)
    assert index("sync", "docs")[0] == 2
    (kept / "metadata.yaml").write_text(whole)
    assert (index("sync", "docs")[0], everybody_finds_it(index)) == (0, False)


def test_front_matter_that_is_gone_opens_nothing_either(docs, index):
    (docs / "acme.md").write_text(f"---\ntenant: acme\n---\n{SECRET}")
    index("sync", "docs", "embedder=hashing")
    (docs / "acme.md").write_text(SECRET)
    code, text = index("sync", "docs")
    assert (code, "I013" in text, everybody_finds_it(index)) == (2, True, False)


def test_a_row_says_all_of_itself(docs, index):
    row = '{"_id": "acme", "text": "The secret zymurgy rebate is 40 percent.", "metadata": {%s}}\n'
    (docs / "rows.jsonl").write_text(row % '"tenant": "acme"')
    index("sync", "docs", "embedder=hashing")
    assert not everybody_finds_it(index)
    (docs / "rows.jsonl").write_text(row % "")
    assert (index("sync", "docs")[0], everybody_finds_it(index)) == (0, True)
