"""What can be read: MIME type and loader by suffix."""

from collections.abc import Callable, Mapping

from harness.corpus import docx, html, json_text, markdown, pdf, plain, rst, slides
from harness.corpus.cleaned import Cleaned

_OFFICE = "application/vnd.openxmlformats-officedocument"
_CODE = {
    "text/javascript": ".cjs .js .jsx .mjs",
    "text/x-c": ".c .h",
    "text/x-c++": ".cc .cpp .cxx .hh .hpp .hxx",
    "text/x-csharp": ".cs",
    "text/x-dart": ".dart",
    "text/x-elixir": ".ex .exs",
    "text/x-go": ".go",
    "text/x-haskell": ".hs",
    "text/x-java": ".java",
    "text/x-kotlin": ".kt .kts",
    "text/x-lua": ".lua",
    "text/x-perl": ".pl .pm",
    "text/x-php": ".php",
    "text/x-python": ".py .pyi",
    "text/x-r": ".r",
    "text/x-ruby": ".rb",
    "text/x-rust": ".rs",
    "text/x-scala": ".sc .scala",
    "text/x-shellscript": ".bash .sh .zsh",
    "text/x-sql": ".sql",
    "text/x-swift": ".swift",
    "text/x-tsx": ".tsx",
    "text/x-typescript": ".cts .mts .ts",
}
"""Suffixes of source code by MIME type."""

TEXT_FORMATS: Mapping[str, tuple[str, Callable[[str], Cleaned]]] = {
    ".csv": ("text/csv", plain.clean),
    ".htm": ("text/html", html.clean),
    ".html": ("text/html", html.clean),
    ".json": ("application/json", json_text.clean),
    ".markdown": ("text/markdown", markdown.clean),
    ".md": ("text/markdown", markdown.clean),
    ".rst": ("text/x-rst", rst.clean),
    ".toml": ("application/toml", plain.clean),
    ".tsv": ("text/tab-separated-values", plain.clean),
    ".txt": ("text/plain", plain.clean),
    ".yaml": ("application/yaml", plain.clean),
    ".yml": ("application/yaml", plain.clean),
    **{suffix: (mime_type, plain.clean) for mime_type, suffixes in _CODE.items() for suffix in suffixes.split()},
}
"""Normalised text in; its loader raises ValueError for what it cannot read."""

BINARY_FORMATS: Mapping[str, tuple[str, Callable[[bytes], Cleaned]]] = {
    ".docx": (f"{_OFFICE}.wordprocessingml.document", docx.extract),
    ".pdf": ("application/pdf", pdf.extract),
    ".pptx": (f"{_OFFICE}.presentationml.presentation", slides.extract),
}
"""Bytes in; its loader raises ValueError for what it cannot read."""

ROWS = ".jsonl"
"""Suffix of files with a document, or a row of data, a line."""
ROWS_TYPE = "application/jsonl"
"""MIME type of rows of data."""
SUFFIXES = tuple(sorted((*TEXT_FORMATS, *BINARY_FORMATS, ROWS)))
"""All that can be read."""
