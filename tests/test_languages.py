"""German, French, Japanese, Chinese and Arabic text: the same words however they are typed, sentences where readers see them."""

import time
import unicodedata
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.golden.golden_set import load
from harness.terms import stems
from harness.text import count_tokens, fold, sentence_spans, sentences, token_spans, words

POLYGLOT = Path(__file__).parents[1] / "golden_sets" / "polyglot"

LATIN = "Aa Bb Éé Üü ß ŒÆ ǰ l’eau d'un Nr. 11. z. B. ½ ™ ﬁ µ"
JAPANESE = "電池を個々の〇。、「」『』と！？ﾃﾞﾝﾁ ＴＳ－８８ ① ㎡ ヴ が\u3099"
CHINESE = "设备已到期。，；：“”（）！？１２ 豈 𠮷"
ARABIC = "الملـوحة المُرشِّح شهرًا أإآٱىةؤئ ٢٢ ٠٫٨ ۴ ؟ ، ؛ . « » ﻻ \u0654 \u0670"
MARKS = "\u0301\u0308\u0323\u030c\u0640\u200f\u00ad\n .!?…\"')»\t-"
SCRIPTS = st.lists(st.sampled_from([*LATIN, *JAPANESE, *CHINESE, *ARABIC, *MARKS]), max_size=40).map("".join)
TEXTS = SCRIPTS | st.text(max_size=40)


@given(TEXTS)
@settings(max_examples=500, deadline=None, derandomize=True)
def test_folding_twice_is_folding_once(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(TEXTS)
@settings(max_examples=500, deadline=None, derandomize=True)
def test_composed_and_decomposed_letters_make_the_same_words(text: str) -> None:
    assert words(unicodedata.normalize("NFD", text)) == words(unicodedata.normalize("NFC", text)) == words(text)


@given(TEXTS)
@settings(max_examples=500, deadline=None, derandomize=True)
def test_words_are_not_empty_and_stand_in_the_folded_text(text: str) -> None:
    folded = fold(text)
    assert all(word and word in folded for word in words(text))


@given(TEXTS)
@settings(max_examples=500, deadline=None, derandomize=True)
def test_no_character_of_a_sentence_is_lost_or_said_twice(text: str) -> None:
    spans = sentence_spans(text)
    assert all(one[1] <= other[0] for one, other in pairwise(spans))
    assert "".join("".join(text[begin:end] for begin, end in spans).split()) == "".join(text.split())
    assert all(text[begin:end].strip() == text[begin:end] != "" for begin, end in spans)


@given(TEXTS)
@settings(max_examples=300, deadline=None, derandomize=True)
def test_tokens_hold_every_visible_character_of_composed_text_once(text: str) -> None:
    spans = list(token_spans(text))
    assert all(one[1] <= other[0] for one, other in pairwise(spans))
    assert "".join(text[begin:end] for begin, end in spans) == "".join(text.split())


def test_folding_is_stable_for_every_letter_and_mark_of_unicode() -> None:
    folded = fold("\na".join(chr(code) for code in range(0x20000) if not 0xD800 <= code < 0xE000))
    assert fold(folded) == folded


@pytest.mark.parametrize(
    ("typed", "otherwise"),
    [
        ("Fußplatte", "Fussplatte"),
        ("GRÖSSE", "größe"),
        ("Feuchtig\u00adkeit", "Feuchtigkeit"),
        ("l’humidité", "humidité"),
        ("L'Humidité", "humidité"),
        ("jusqu’à lorsqu’il", "à il"),
        ("cœur", "CŒUR"),
        ("ﬁltre", "filtre"),
        ("ＴＳ－８８", "TS-88"),
        ("ﾃﾞﾝﾁｺｳｶﾝ", "デンチコウカン"),
        ("３年", "3年"),
        ("４．２．７", "4.2.7"),
        ("FH‐4410‑B", "FH-4410-B"),
        ("30㎡", "30m2"),
        ("CO₂", "CO2"),
        ("25℃", "25 °C"),
        ("الملـوحة", "الملوحة"),
        ("المُرشِّح", "المرشح"),
        ("شهرًا", "شهرا"),
        ("٢٢", "22"),
        ("۲۲", "22"),
        ("٠٫٨", "0.8"),
        ("إلى آلة أسئلة", "الي اله اسيله"),
        ("ﻻ", "لا"),
        ("\u200fBW-2", "BW-2"),
    ],
)
def test_two_ways_to_type_a_word_are_one_word(typed: str, otherwise: str) -> None:
    assert words(typed) == words(otherwise) != []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("c's don't O'Brien's I'd", ["c's", "don't", "o'brien's", "i'd"]),
        ("aujourd’hui quelqu'un", ["aujourd'hui", "quelqu'un"]),
        ("d'FH-7320-K", ["fh-7320-k"]),
        ("Fernhill™ №5 2½", ["fernhill", "5", "2", "1", "2"]),
        ("個々の二〇二六年", ["個", "々", "の", "二", "〇", "二", "六", "年"]),
        ("温度・湿度", ["温", "度", "湿", "度"]),
        ("GX-5は64台", ["gx-5", "は", "64", "台"]),
        ("İstanbul", ["istanbul"]),
    ],
)
def test_words_of_many_scripts(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_english_is_folded_to_lower_case_and_nothing_else() -> None:
    text = "Part FH-4410-B, `2.4` GHz; don't PANIC_now! (e.g. state-of-the-art) ~ 5 m/s & more"
    assert fold(text) == text.lower()


@pytest.mark.parametrize(
    ("forms", "stem"),
    [
        (("الملوحة", "ملوحة", "للملوحة"), 1),
        (("حساس", "الحسّاسات", "حساسات"), 1),
        (("القراءات", "قراءة", "وبالقراءات"), 1),
        (("المضخة", "الخزّان"), 2),
    ],
)
def test_an_arabic_word_is_found_with_and_without_its_article(forms: tuple[str, ...], stem: int) -> None:
    assert len({found for terms in stems(forms) for found in terms}) == stem


def test_arabic_text_keeps_identifiers_and_english_stems() -> None:
    assert stems(["يقيس الحسّاس MR-63 sensors"])[0][2:] == ["mr-63", "mr", "63", "sensor"]


@pytest.mark.parametrize(
    ("text", "count"),
    [("المرشح", 1), ("المُرشِّح", 1), ("شهرًا", 1), ("٢٢ شهرًا", 2), ("個々", 2), ("ﾃﾞﾝﾁ", 4), ("Luftfeuchtigkeit", 3)],
)
def test_vowel_marks_are_no_tokens(text: str, count: int) -> None:
    assert count_tokens(text) == count


@pytest.mark.parametrize(
    "expected",
    [
        ["Der LK-15 hält ca. 28 Monate.", "Über Nacht lädt er.", "„Alles gut.“", "Ärger gibt es nie."],
        ["Am 11. Februar fiel es aus.", "Netzteile, z. B. Handyladegeräte, stören.", "Größere, d. h. Breite über 1 m, auch."],
        ["Siehe Nr. 5 bzw. Nr. 7.", "Vgl. Teil 2.", "Batterien, Ringe usw. Material fehlt.", "Ggf. Kabel prüfen."],
        ["Es kostet 5.", "Danach 6.", "(Ähnlich bei B.)", "»Ja.«", "Ende."],
        ["Il gèle.", "À la fin, l’anomalie disparaît.", "« Bonjour. »", "Était-ce vrai ?", "Évidemment !", "Oui."],
        ["Durée env. 30 min selon l’art. 5 du contrat.", "Tél. 03 84.", "Attendez…", "Œuvre, p. ex. Guernica."],
        ["「登録に失敗しました。」と表示されたら、やり直してください。", "「はい。そうです。」など。", "終わり。"],
        ["『赤。青？』という文字です。", "本当ですか？！", "（注意！）", "はい。"],
        ["标题：内容；第二部分。", "他说：“请更换。”", "然后离开了……", "真的吗？！", "是。"],
        ["ثبّت الحسّاس عموديًا.", "لا تُركِّبه قرب المضخة؛ فهذا خطأ.", "هل فهمت؟", "«نعم!»", "شُدّ الصامولة."],
        [
            "It lasts 5 m. it says.",
            "“Curly quotes end.”",
            "Next.",
            "The state of the art.",
            "Then CA.",
            "Put it in .env.",
            "Done.",
        ],
        ["Write to a. b. c. and wait.", "“Yes.”", "(No. 5 too.)", "[It is.]", "5 more."],
    ],
)
def test_sentences_end_where_readers_see_it(expected: list[str]) -> None:
    assert sentences(" ".join(expected)) == expected


def test_japanese_and_chinese_sentences_need_no_blank_between_them() -> None:
    assert sentences("これは水位計です。次の文。「終わり。」") == ["これは水位計です。", "次の文。", "「終わり。」"]
    assert sentences("请更换！”然后离开。") == ["请更换！”", "然后离开。"]
    assert sentences("「はい。」、「いいえ。」を選ぶ。") == ["「はい。」、「いいえ。」を選ぶ。"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1. Öffnen Sie es.\n2. Warten Sie.", ["1. Öffnen Sie es.", "2. Warten Sie."]),
        ("Intro:\n\n1. Peat\n2. Clay", ["Intro:", "1. Peat", "2. Clay"]),
        ("・乾電池\n・金具", ["・乾電池", "・金具"]),
        ("① 開ける。\n② 閉める。", ["① 開ける。", "② 閉める。"]),
        ("（1）打开\n（2）关闭", ["（1）打开", "（2）关闭"]),
        ("1、打开\n2、关闭", ["1、打开", "2、关闭"]),
        ("١. افتح\n٢. أغلق", ["١. افتح", "٢. أغلق"]),
        ("How many? 12. Then stop.", ["How many?", "12.", "Then stop."]),
        ("Bis\n11. Februar.", ["Bis", "11. Februar."]),
        ("Ende usw.\n- erst", ["Ende usw.", "- erst"]),
        ("done.\n\nimport time", ["done.", "import time"]),
        ("wrapped. \nBy hand", ["wrapped.", "By hand"]),
    ],
)
def test_a_list_number_stays_with_its_item_and_lines_of_lists_stand_apart(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@pytest.mark.parametrize(
    "piece",
    ["。", "。」", "「", "「。」と", "『「", '."', ". »", "\n", "\n1", ". a", "z. B. ", "1. ", ". \n", "ً", "’", "é\u0301"],
)
def test_any_repetition_takes_linear_time(piece: str) -> None:
    text = piece * (200_000 // len(piece))
    started = time.process_time()
    assert sentence_spans(text) or not text.strip()
    assert words(f"{text} x")[-1] == "x"
    assert count_tokens(text) >= 0
    assert time.process_time() - started < 10


def test_sentences_of_the_polyglot_set_hold_no_end_inside_and_open_with_no_closing_mark() -> None:
    said = [sentence for document in load(POLYGLOT).documents for sentence in sentences(document.text) if sentence[0] != "|"]
    assert len(said) > 500
    assert [one for one in said if one[0] in "」』”）»،。" or one.rstrip(".").isdigit()] == []
    assert [one for one in said if any(f"{end} " in one for end in ("؟", "。", "！"))] == []


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Siehe Abb. 4 und Kap. 3: Das Ventil hält max. 5 bar.", 1),
        ("Selon M. Dupont, la garantie dure 24 mois. Elle finit.", 2),
        ("Ask Prof. J. Smith. Then wait.", 2),
        ("The U.S. Army uses it.", 1),
        ("Am 3. Tag ist Ruhe. Danach nicht.", 2),
        ("See p. 12. Then go.", 2),
        ("Siehe S. 12. Dann weiter.", 2),
        ("It takes 5 s. 12 sensors wait.", 2),
        ("Use vitamin B. It helps.", 2),
        ("The cable is up to 4 m. Keep it dry.", 2),
    ],
)
def test_abbreviations_initials_and_ordinals_end_no_sentence(text: str, number: int) -> None:
    assert len(sentences(text)) == number
