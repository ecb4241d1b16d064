"""Whether an answer in free text is a refusal."""

import time
from collections import Counter
from collections.abc import Callable

import pytest

from harness.generation.llm import LLMGenerator
from harness.generation.refusals import Labelled, labelled_sentences, refuses, refusing_sentence
from harness.judging.claims import claims
from harness.llm.scripted import Scripted
from harness.text import REFUSAL, sentences
from tests.contracts.generator import PASSAGES, QUESTION, RANGE

LANGUAGES = ("ar", "de", "en", "fr", "ja", "zh")
SENTENCES = labelled_sentences()


def of(language: str, refusal: bool) -> list[Labelled]:
    return [sentence for sentence in SENTENCES if (sentence.language, sentence.refusal) == (language, refusal)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_has_forty_refusals_and_forty_answers_all_different(language: str) -> None:
    assert min(len(of(language, True)), len(of(language, False))) >= 40
    assert max(Counter(sentence.text for sentence in SENTENCES).values()) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_recall_on_the_sentences_it_was_written_with(language: str) -> None:
    missed = [sentence.text for sentence in of(language, True) if not refuses(sentence.text)]
    assert len(missed) <= 0.01 * len(of(language, True)), missed


@pytest.mark.parametrize("language", LANGUAGES)
def test_false_alarms_on_the_sentences_it_was_written_with(language: str) -> None:
    false = [sentence.text for sentence in of(language, False) if refuses(sentence.text)]
    assert len(false) <= 0.02 * len(of(language, False)), false


@pytest.mark.parametrize(
    ("answer", "refusal"),
    [
        ("I'm sorry to hear that. Press the button.", False),
        ("I'm sorry to hear that.", False),
        ("I'm sorry, but I'm unable to answer that.", True),
        ("I\u2019m sorry, but I can\u2019t find that in the documents.", True),
        ("The passages describe the pump, but they do not state its weight.", True),
        ("The manual gives the weight as 2 kg but does not mention the height.", False),
        ("The height is not given. The weight is 2 kg [a].", False),
        ("The weight is 2 kg [a]. The height is not given.", False),
        ("The manual does not say. You may want to contact support. Is there anything else?", True),
        ("I looked through the passages. None of them mentions a price. They only discuss installation.", True),
        ("The manual says: I cannot find this in the knowledge base.", False),
        ("The message \u201cI don't know\u201d means the index is empty.", False),
        ("If the app does not know the device, restart it.", False),
        ("**I don't know.**", True),
        ('"I don\'t know."', True),
        ("- The documents do not mention a price.", True),
        ("Answer: The documents do not mention a price.", True),
        (REFUSAL, True),
        (f"{REFUSAL} [a]", True),
        (f"{REFUSAL} But the AQ-210 is white.", False),
        ("Could you tell me which model you mean?", False),
        ("Thank you for your question.", False),
        ("...", False),
        ("", False),
    ],
)
def test_a_refusal_is_an_answer_that_states_nothing_else(answer: str, refusal: bool) -> None:
    assert refuses(answer) is refusal


@pytest.mark.parametrize(
    ("sentence", "refusal"),
    [
        ("It is red, but the passages do not say since when.", False),
        ("The passages do not say since when, but it is red.", False),
        ("I have no information on that, so please ask the dealer.", True),
        ("Das Handbuch nennt kein Gewicht.", True),
        ("Das Gerät hat kein Gewicht.", False),
        ("Die Meldung „Ich weiß es nicht“ erscheint zweimal.", False),
        ("Wenn Sie es nicht wissen, fragen Sie den Händler.", False),
        ("Le manuel ne mentionne pas le poids.", True),
        ("S\u2019il ne trouve rien, le voyant clignote.", False),
        ("資料には記載がありません。", True),
        ("「記載がありません」と表示されたら、再起動してください。", False),
        ("文档没有提到重量。", True),
        ("如果文档没有提到重量，请称一下。", False),
        ("لا يذكر الدليل الوزن.", True),
        ("إذا لم يذكر الدليل الوزن فزن الجهاز.", False),
    ],
)
def test_what_is_quoted_or_a_condition_does_not_refuse(sentence: str, refusal: bool) -> None:
    assert refusing_sentence(sentence) is refusal


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refusal_followed_by_a_fact_is_an_answer(language: str) -> None:
    fact = "AQ-210: 2 kg."
    assert not any(refuses(f"{sentence.text}\n\n{fact}") for sentence in of(language, True))


@pytest.mark.parametrize(
    "form", [str.upper, lambda text: text.replace("'", "\u2019"), lambda text: f"  {text.replace(' ', '  ')}\n"]
)
def test_case_apostrophes_and_blanks_do_not_matter(form: Callable[[str], str]) -> None:
    plain = [sentence.text for sentence in SENTENCES if sentence.language == "en"]
    assert [text for text in plain if refuses(form(text)) != refuses(text)] == []


def test_a_model_that_declines_in_its_own_words_has_refused() -> None:
    said = "The passages do not mention the weight of the pump."
    answer = LLMGenerator(Scripted([said])).generate(QUESTION, PASSAGES)
    assert (answer.text, answer.refused, answer.citations) == (said, True, ())
    assert (answer.refusal_reason, answer.usage.calls) == ("generator: the model declined in its own words", 1)


@pytest.mark.parametrize(
    "said",
    [
        f"The passages do not mention the weight [{RANGE.chunk_id}].",
        "The pump cannot be mounted outdoors.",
        "It is 5 m long, but the passages do not mention the weight.",
    ],
)
def test_a_reply_that_cites_or_states_something_is_an_answer(said: str) -> None:
    assert not LLMGenerator(Scripted([said])).generate(QUESTION, PASSAGES).refused


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refusing_sentence_is_no_claim(language: str) -> None:
    single = [sentence.text for sentence in of(language, True) if len(sentences(sentence.text)) == 1]
    assert len(single) > 30 and [text for text in single if claims(text)] == []


@pytest.mark.parametrize(
    "unit",
    [
        "I don't know. ",
        "the text ",
        "no information ",
        "nothing in the passages ",
        "if ",
        '"',
        "“a” ",
        "but not, ",
        "- not\n",
        "[a] not ",
        "In den Unterlagen nicht ",
        "n'est pas dans le texte ",
        "資料には情報がない",
        "情報は",
        "文档没有",
        "没有的",
        "لا تذكر الوثائق ",
    ],
)
def test_a_megabyte_takes_a_moment(unit: str) -> None:
    hostile = (unit * (1_000_000 // len(unit) + 1))[:1_000_000]
    started = time.process_time()
    assert not refuses(hostile) and not refusing_sentence(hostile)
    refuses(hostile[:4000])
    assert time.process_time() - started < 5
