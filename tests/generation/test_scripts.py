"""Answers, units and citations in German, French, Japanese, Chinese and Arabic."""

import pytest

from harness.generation.citations import cited_ids, find, strip, without_citations
from harness.generation.extractive import Extractive
from harness.generation.statements import statements
from harness.generation.units import full_stop, introduces, joint, units
from harness.types import Chunk, Span
from tests.builders import chunk, question, ranking

OWN, OTHER = "3f2a9c1b2d3e", "0123456789ab"


def said(text: str, kind: str = "prose") -> list[str]:
    return [unit.text for unit in units(Chunk(Span("a.md", 0, len(text)), text, kind=kind))]


def answered(asked: str, text: str) -> str:
    return Extractive(max_sentences=1).generate(question(text=asked), ranking(chunk("a.md", text=text))).text


@pytest.mark.parametrize(
    ("asked", "text", "expected"),
    [
        ("TS-88の電池は何年？", "TS-88の電池は4年もちます。雨は不可です。", "TS-88の電池は4年もちます {}。"),
        ("TS-88の電池？", "TS-88の電池は注意！雨は不可です。", "TS-88の電池は注意 {}！"),
        ("KY-27的滤网多久更换？", "KY-27的滤网四个月更换。屏幕会亮。", "KY-27的滤网四个月更换 {}。"),
        ("ما مدة ضمان الحساس DB-71؟", "مدة ضمان الحسّاس DB-71 سنتان. اللون أبيض.", "مدة ضمان الحسّاس DB-71 سنتان {}."),
        ("Wie groß ist die Fussplatte?", "Ärger droht. Die Fußplatte ist 5 cm groß.", "Die Fußplatte ist 5 cm groß {}."),
        ("Que dit l'erreur P-27 ?", "C’est l’erreur P-27 ! Le voyant est vert.", "C’est l’erreur P-27 {} !"),
        ("ＴＳ－８８の湿度", "| 項目 | 湿度 |\n|---|---|\n| TS-88 | ±3% |", "項目: TS-88; 湿度: ±3% {}."),
        ("TS-88の色", "| 製品 | 色 |\n|---|---|\n| TS-88 | 白 |", "製品: TS-88; 色: 白 {}。"),
    ],
)
def test_the_marker_stands_before_the_final_stop_of_any_script(asked: str, text: str, expected: str) -> None:
    own = f"[{chunk('a.md', text=text).chunk_id}]"
    found = answered(asked, text)
    assert found == expected.format(own)
    assert [bool(one.ids) for one in statements(found)] == [True]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("次のとおりです：\n\n・乾電池。\n・金具", ["次のとおりです：", "乾電池。", "金具", "次のとおりです： 乾電池；金具"]),
        ("① 開ける。\n② 閉める。", ["開ける。", "閉める。", "開ける；閉める"]),
        ("（1）打开；\n（2）关闭。", ["打开；", "关闭。", "打开；关闭"]),
        ("1、打开，\n2、关闭。", ["打开，", "关闭。", "打开；关闭"]),
        ("１．開ける。\n２．閉める。", ["開ける。", "閉める。", "開ける；閉める"]),
        ("- الكحول،\n- الزيوت؛\n- ماء", ["الكحول،", "الزيوت؛", "ماء", "الكحول؛ الزيوت؛ ماء"]),
        ("Verboten :\n- Öl,\n- Säure.", ["Verboten :", "Öl,", "Säure.", "Verboten : Öl; Säure"]),
        ("1、2月は休みです。", ["1、2月は休みです。"]),
    ],
)
def test_lists_are_read_with_the_marks_of_their_script(text: str, expected: list[str]) -> None:
    assert said(text) == expected


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("使えますか？はい、使えます。", "はい、使えます。"),
        ("精度はどのくらいですか。±3%です。", "±3%です。"),
        ("能用吗？可以。", "可以。"),
        ("هل يعمل الجهاز؟ نعم.", "نعم."),
        ("Est-ce vrai ? Évidemment.", "Évidemment."),
    ],
)
def test_a_question_is_never_said_but_lends_its_words(text: str, answer: str) -> None:
    (unit,) = units(Chunk(Span("a.md", 0, len(text)), text))
    assert unit.text == answer
    assert unit.read.endswith(answer) and unit.read != answer


def test_the_introduction_of_a_list_is_said_with_the_list_only() -> None:
    found = answered("安装需要什么工具？", "安装需要下列工具：\n\n- 扳手\n- 螺丝刀")
    assert found.startswith("安装需要下列工具： 扳手；螺丝刀 [")
    assert introduces("如下：") and introduces("as follows:") and not introduces("如下。")


def test_an_item_that_the_whole_list_holds_is_not_said_again() -> None:
    shown = chunk("a.md", text="电池电池说明：\n\n- 电池一节。\n- 电池两节。")
    text = Extractive(max_sentences=5).generate(question(text="电池"), ranking(shown)).text
    assert text.count("电池一节") == text.count("电池两节") == 1


@pytest.mark.parametrize(
    ("text", "stop", "between"),
    [("はい", "。", "；"), ("「はい」", "。", "；"), ("نعم", ".", "؛ "), ("Ja", ".", "; "), ("OK 5", ".", "; "), ("", ".", "; ")],
)
def test_marks_follow_the_script_of_the_text(text: str, stop: str, between: str) -> None:
    assert (full_stop(text), joint(text)) == (stop, between)


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("هو أزرق [a1، b2].", ("a1", "b2")),
        ("[1、2]", ("1", "2")),
        ("これは青です〔a1〕。", ("a1",)),
        ("青〔a1、b2〕。赤［b3］。", ("a1", "b2", "b3")),
        ("[Quelle: a1] [Quellen: b2, c3]", ("a1", "b2", "c3")),
        ("[Source : a1] [sources\u00a0: b2]", ("a1", "b2")),
        ("[出典: a1]【出典：b2】[出典1]", ("a1", "b2", "1")),
        ("[来源：a1] [來源: b2]", ("a1", "b2")),
        ("[المصدر: a1] [المصادر: b2، c3]", ("a1", "b2", "c3")),
        ("[１]。［１２］", ("1", "12")),
        ("[٣] [۴]", ("3", "4")),
        ("[ｃ１]", ("c1",)),
        ("[１-３]", ("1", "2", "3")),
        (f"〔{OWN}〕［{OTHER}］", (OWN, OTHER)),
        ("[資料1]", ("資料1",)),
    ],
)
def test_a_citation_is_found_in_the_dialects_of_other_languages(text: str, ids: tuple[str, ...]) -> None:
    assert cited_ids(text) == ids


@pytest.mark.parametrize(
    "text",
    [
        "【注意】",
        "【重要】電源",
        "［補足］",
        "〔中略〕",
        "【第3章】",
        "[第１２章]",
        "【2026年4月】",
        "[ملاحظة]",
        "【出典】",
        "[٢٠٢٦]",
        "〔〕",
        "[١:٣٠]",
    ],
)
def test_a_heading_a_date_or_a_word_in_brackets_cites_nothing(text: str) -> None:
    assert cited_ids(text) == ()


def test_a_marker_inside_other_brackets_is_found() -> None:
    assert [found.ids for found in find(f"〔[{OWN}]〕")] == [(OWN,)]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("هو أزرق [x1]، وهو أحمر.", "هو أزرق، وهو أحمر."),
        ("هل يعمل [x1]؟", "هل يعمل؟"),
        ("青です [x1]。", "青です。"),
        ("青 [x1]、赤", "青、赤"),
        ("「青 [x1]」です", "「青」です"),
        ("青〔x1〕です", "青です"),
    ],
)
def test_what_is_left_without_citations_reads_well(text: str, left: str) -> None:
    assert without_citations(text) == strip(text, ["x1"]) == left


@pytest.mark.parametrize(
    "text",
    [
        f"青です [{OWN}]。 次は赤です [{OTHER}]。",
        f"青です。[{OWN}]次は赤です。[{OTHER}]",
        f"هو أزرق [{OWN}]. وهو أحمر [{OTHER}].",
        f"هل يعمل؟ [{OWN}] نعم يعمل. [{OTHER}]",
        f"Es gilt [{OWN}]. Ärger gibt es nie [{OTHER}].",
        f"Il gèle [{OWN}]. Évidemment [{OTHER}] !",
    ],
)
def test_each_sentence_owns_its_citation(text: str) -> None:
    assert [one.ids for one in statements(text)] == [(OWN,), (OTHER,)]


@pytest.mark.parametrize("text", ["水温は20度です [abc123]。", "温度是20度 [abc123]。", "هل هو ٢٠ [abc123]؟"])
def test_a_statement_is_read_without_a_blank_before_its_stop(text: str) -> None:
    from harness.generation.statements import statements

    assert [item.text for item in statements(text)] == [text.replace(" [abc123]", "")]
