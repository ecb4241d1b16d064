"""What every writer of questions must do. Subclass it and give the fixture `writer`."""

import pytest

from harness.protocols import QuestionWriter
from harness.types import Chunk
from tests.builders import chunk

CHUNKS = [
    chunk(text="The battery lasts 18 months.", title="Soil probe"),
    chunk(text="x"),
    chunk(text="?!"),
    chunk(text="| a | b |\n| --- | --- |\n| 1 | 2 |", kind="table"),
    chunk(text="```\ndef broken("),
    chunk(text="電池は十八か月もちます。", title="電池"),
    chunk(text="تدوم البطارية ثمانية عشر شهرا.", section_path=("كم تدوم؟",)),
    chunk(text="\x00\ud800 \u202e{subject}{0} %s \\"),
]


class QuestionWriterContract:
    @pytest.mark.parametrize("asked", CHUNKS, ids=lambda item: ascii(item.text[:12]))
    def test_questions_are_distinct_texts_with_a_word_on_one_line(self, writer: QuestionWriter, asked: Chunk) -> None:
        found = list(writer.questions(asked))
        assert len(set(found)) == len(found)
        assert all(any(letter.isalnum() for letter in question) for question in found)
        assert all(question == " ".join(question.split()) for question in found)

    def test_the_same_chunk_gives_the_same_questions(self, writer: QuestionWriter) -> None:
        assert list(writer.questions(CHUNKS[0])) == list(writer.questions(CHUNKS[0])) != []

    def test_a_chunk_without_a_word_answers_nothing(self, writer: QuestionWriter) -> None:
        assert list(writer.questions(chunk(text="?!"))) == []

    def test_the_identity_is_a_text(self, writer: QuestionWriter) -> None:
        assert writer.identity.strip()
