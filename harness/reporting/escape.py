"""Text of models and documents made harmless, once per place where it is shown.

An answer is written by a model that read somebody's document, so it may hold terminal codes, Markdown, HTML or
workflow commands. It is always shown as text.
"""

import re

_ANSI = re.compile(r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b(?:[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
_COMMAND = re.compile(r"(?m)^[^\S\n]*(?=::)|##(?=\[)")
_MARKDOWN = re.compile(r"([\\`*\[\]|!~]|(?<!\w)_|_(?!\w))")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_BREAK = "&#8203;"
_MENTION = r"@(?!\s|$|(?<=[A-Za-z]@)\d+(?![\w-]|\.\w))"
"""Every @ but that of a metric such as Recall@5: letters, no dot or letter behind the number."""
_ISSUE = r"#(?=\w)|GH-(?=\d)"
_COMMIT = r"(?<![0-9a-z])[0-9a-f]{40}(?![0-9a-z])"
_REFERENCE = re.compile(f"(?i){_MENTION}|{_ISSUE}|{_COMMIT}")
"""What GitHub and GitLab make a link or a message of."""
_PART = 6
"""Characters between two breaks: the shortest part of a commit id that is a link has one more."""


def clean(text: str) -> str:
    """The text without terminal sequences, control characters, direction overrides and log commands; lines stay."""
    plain = _CONTROL.sub("", _ANSI.sub("", text.replace("\r\n", "\n")))
    return _COMMAND.sub(lambda found: f"{found[0]}\u200b", plain)


def one_line(text: str, limit: int = 160) -> str:
    """Cleaned text on one line, cut at a blank before `limit` characters with an ellipsis."""
    flat = " ".join(clean(text).split())
    if len(flat) <= limit:
        return flat
    head = flat[: limit - 1]
    return f"{head.rpartition(' ')[0] or head}…"


def markdown(text: str, limit: int = 160) -> str:
    """Text for a Markdown table cell or line: no markup, table bars, HTML, images, links, mentions, issues or commits."""
    escaped = re.sub("[&<>]", lambda found: _ENTITIES[found[0]], one_line(text, limit))
    escaped = _MARKDOWN.sub(r"\\\1", escaped)
    escaped = _REFERENCE.sub(lambda found: _broken(found[0]), escaped)
    return re.sub(r"(?i)://|\bwww\.", lambda found: found[0][:-1] + _BREAK + found[0][-1], escaped)


def _broken(text: str) -> str:
    """The text with an unseen break behind every few characters."""
    return "".join(f"{text[start : start + _PART]}{_BREAK}" for start in range(0, len(text), _PART))


def code(text: str, limit: int = 160) -> str:
    """Text as an inline code span that stays inside a table cell."""
    flat = one_line(text, limit).replace("`", "'").replace("|", "¦")
    return f"`{flat}`" if flat else ""
