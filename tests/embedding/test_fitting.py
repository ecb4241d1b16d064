from harness.embedding.fitting import fitted
from harness.embedding.hashing import Hashing
from harness.embedding.tfidf_svd import FittedTfidfSvd, TfidfSvd
from tests.builders import chunk


def test_an_embedder_that_learns_nothing_stays_itself() -> None:
    embedder = Hashing()
    assert fitted(embedder, [chunk(text="pump")]) is embedder


def test_a_learning_embedder_knows_the_words_of_heading_text_and_questions() -> None:
    learned = fitted(TfidfSvd(), [chunk(text="pump", title="Manual", questions=("why", "how"))])
    assert isinstance(learned, FittedTfidfSvd)
    assert learned.known == ("how", "manual", "pump", "why")


def test_without_questions_it_learns_from_the_indexed_texts_alone() -> None:
    chunks = [chunk(text="pump", title="Manual"), chunk(text="valve", preface="part")]
    assert fitted(TfidfSvd(), chunks).identity == TfidfSvd().fit([item.indexed_text for item in chunks]).identity
