"""Personal data and secrets in logged queries: replaced before anything is kept."""

import re
from collections.abc import Iterable

LEAST_DIGITS = 7
"""Digits from which a number is taken for one of a person, account or device."""
_LEAST_ATTACHED = 12
"""The same for a number in groups that hangs on a letter, as in AQ210 12345."""
_LEAST_RUN = 5
"""Digits from which a run of the documents is told from chance, so that a list of register addresses is no card number."""
MASKS = re.compile(r"\[(?:email|number|secret)\]")
"""What stands in place of what was masked."""

_BLANK = r" \t\u00a0\u2000-\u200a\u202f\u3000"
_DASH = r"\-\u2010-\u2015\u2212"
_SECRET_NAME = (
    r"pass(?:word|wd|phrase|code)?|pwd|pin|secret|token|credentials?|api[_ -]?key|(?:access|secret|private|account)[_ -]?key"
    r"|passwort|kennwort|mot de passe|contraseña"
)
_VALUE = r"[^\s\"',;&]*[^\s\"',;&.?!]"
_SECRETS = (
    re.compile(r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:[^-]|-(?!----END))*(?:-----END [A-Z ]{0,40}-----)?"),
    re.compile(r"(?<=://)(?!\[)[^\s/@]{1,200}(?=@)"),
    re.compile(r"(?<![A-Za-z0-9])eyJ[\w-]{4,}\.[\w-]+(?:\.[\w-]*)?"),
    re.compile(
        r"(?<![A-Za-z0-9])(?:(?:sk|pk|rk)[-_](?=[\w-]{0,200}\d)[\w-]{12,}|gh[opsur]_\w{10,}|github_pat_\w{10,}|glpat-[\w-]{10,}"
        r"|xox[a-z]-[\w-]{8,}|hf_[A-Za-z0-9]{16,}|A(?:KIA|SIA)[A-Z0-9]{12,}|AIza[\w-]{20,})"
    ),
    re.compile(r"(?i)(?<=\bbearer )(?=[\w.~+/-]{0,200}\d)[\w.~+/-]{8,}=*"),
    re.compile(rf"(?i)\bauthorization[\"']?[{_BLANK}]{{0,3}}[:=][{_BLANK}]{{0,3}}(?:(?:basic|bearer|digest|token)[{_BLANK}])?+(?!\[)({_VALUE})"),
    re.compile(rf"(?i)(?<![A-Za-z])(?:{_SECRET_NAME})[\"']?[{_BLANK}]{{0,3}}[:=][{_BLANK}]{{0,3}}(?!\[)(\"[^\"\n]+\"|'[^'\n]+'|{_VALUE})"),
    re.compile(rf"(?i)(?<![A-Za-z])(?:{_SECRET_NAME}) (?:is|ist|est|es) (?=\S{{0,200}}\d)({_VALUE})"),
)  # fmt: skip
"""What is masked as [secret]: the whole match, or its group."""
_EMAIL = re.compile(r"[\w.+%'-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}")
_IBAN = re.compile(rf"(?<![\w-])[A-Z]{{2}}\d{{2}}(?:[{_BLANK}{_DASH}]?[A-Z0-9]){{11,30}}(?!\w)")
_NUMBER = re.compile(rf"\+?\(?\d(?:[\d()]|[{_BLANK}./{_DASH}]{{1,3}}(?=[\d(]))*\d")
_RUN = re.compile(r"\d+")
_DATE = re.compile(r"(?<!\d)(?:(?:19|20)\d\d-[01]\d-[0-3]\d|[0-3]?\d[./][01]?\d[./](?:19|20)\d\d)(?!\d)")


def mask(text: str, public: frozenset[str]) -> tuple[str, int]:
    """The text with `[secret]`, `[email]` and `[number]` instead, and how many were replaced.

    Dates stay, and so does what is `public` because it stands in the documents (`public_in`).
    """
    total = 0

    def replaced(found: re.Match[str], mark: str, kept: bool) -> str:
        nonlocal total
        total += not kept
        return found[0] if kept else f"{found[0][: found.start(found.lastindex or 0) - found.start()]}{mark}"

    for pattern in _SECRETS:
        text = pattern.sub(lambda found: replaced(found, "[secret]", found[found.lastindex or 0] in public), text)
    text = _EMAIL.sub(lambda found: replaced(found, "[email]", found[0] in public), text)
    for pattern in (_IBAN, _NUMBER):
        text = pattern.sub(lambda found: replaced(found, "[number]", _stays(found) or _is_public(found[0], public)), text)
    return text, total


def public_in(texts: Iterable[str]) -> frozenset[str]:
    """What some texts make public: e-mail addresses, the digits of long numbers, and every run of five digits or more."""
    found: set[str] = set()
    for text in texts:
        found.update(_EMAIL.findall(text))
        found.update(_digits(match[0]) for match in _NUMBER.finditer(text) if not _stays(match))
        found.update(run for run in _RUN.findall(text) if len(run) >= _LEAST_RUN)
    return frozenset(found)


def _is_public(piece: str, public: frozenset[str]) -> bool:
    return _digits(piece) in public or public.issuperset(_RUN.findall(piece))


def _stays(found: re.Match[str]) -> bool:
    """Whether a number is too short to be a person's, dates not counted."""
    before = found.string[max(0, found.start() - 1) : found.start()]
    attached = (before.isalnum() or before == "_") and not re.search(rf"\d{{{LEAST_DIGITS}}}", found[0])
    return len(_digits(found[0])) < (_LEAST_ATTACHED if attached else LEAST_DIGITS)


def _digits(piece: str) -> str:
    return "".join(letter for letter in _DATE.sub(" ", piece) if letter.isdigit())
