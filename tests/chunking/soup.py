"""Texts made of scraps of Markdown and reStructuredText in several scripts, and what holds for the blocks of any text."""

from collections.abc import Sequence

from hypothesis import strategies as st

from harness.chunking.blocks import Block

SCRAPS = [
    "word ", "Фильтр. ", "مرشح ", "交換する。", "필터 ", "🙂", "e\u0301", "# ", "## ", "A\n=\n", "---", "```", "~~~", "`", ":::", "::: x",
    "| a | b |", "| - | - |", "|", "- ", "* ", "1. ", "#. ", "(i) ", "a) ", "> ", ">>> ", ".. ", ".. x:: y", ".. _t:", ".. [1] ",
    "__ ", ":f: ", "-o  x", "::", "\n::\n\n", "+---+\n", "=== ===\n", "====\n", "<!--", "-->", "<pre>", "<div>", "[a]: b", "```{note}",
    "    ", "  ", "\t", " ", "\n", "\n", "\n", "\n\n", "\r", "\r\n", "\x00", "\x0b", "\x0c", "\x85", "\u2028", "\u3000", "\u00a0", "\\",
]  # fmt: skip

soups = st.lists(st.sampled_from(SCRAPS) | st.text(max_size=4), max_size=40).map("".join)


def faults(text: str, blocks: Sequence[Block], start: int = 0, end: int | None = None) -> list[str]:
    """Where blocks are out of order, blank at the end or leave something out; the parts of each block are held to the same."""
    end = len(text) if end is None else end
    found = []
    for block in blocks:
        if not start <= block.start < block.end <= end or text[block.end - 1].isspace():
            found.append(f"bounds {block}")
        if text[start : block.start].strip():
            found.append(f"left out before {block}")
        if block.parts:
            found += faults(text, block.parts, block.start, block.end)
        start = block.end
    return [*found, "left out at the end"] if text[start:end].strip() else found
