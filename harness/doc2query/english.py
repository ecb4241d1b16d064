"""English for questions: whether a text is English, and the few words whose grammar the rules must know."""

import re

from harness.terms import STOP_WORDS
from harness.text import words

# fmt: off
_OTHER_LANGUAGES = frozenset((
    "der", "das", "und", "ist", "nicht", "mit", "ein", "eine", "für", "von", "auf", "den", "dem", "sie", "werden", "wird",
    "le", "les", "des", "et", "est", "une", "un", "pour", "dans", "du", "avec", "vous", "sur", "el", "los", "las", "es", "una",
    "por", "del", "para", "il", "che", "di", "sono", "uma", "não", "com", "het", "een", "niet",
    "och", "att", "som", "det", "og", "ikke", "nie", "się", "jest",
))
_VERBS = (
    "activate", "add", "adjust", "apply", "assemble", "attach", "back", "book", "build", "calculate", "calibrate", "cancel",
    "change", "charge", "check", "choose", "clean", "clear", "close", "configure", "confirm", "connect", "contact", "copy",
    "create", "deactivate", "define", "delete", "deploy", "detach", "disable", "disconnect", "download", "edit", "enable",
    "enter", "export", "find", "fit", "fix", "format", "get", "hold", "import", "insert", "install", "log", "maintain", "make",
    "mount", "move", "open", "order", "pair", "pay", "prepare", "press", "prevent", "protect", "read", "receive", "recover",
    "register", "remove", "rename", "renew", "repair", "replace", "report", "request", "reset", "resolve", "restart", "restore",
    "return", "revoke", "rotate", "run", "save", "scan", "schedule", "search", "select", "send", "set", "share", "ship", "sign",
    "start", "stop", "store", "submit", "switch", "sync", "test", "transfer", "troubleshoot", "turn", "uninstall", "unlock",
    "unpack", "update", "upgrade", "upload", "use", "validate", "verify", "view", "wash", "write",
)
_ALSO_NOUNS = frozenset((
    "back", "book", "build", "change", "charge", "check", "clear", "close", "contact", "copy", "download", "export", "find",
    "fit", "fix", "format", "hold", "import", "log", "make", "mount", "move", "open", "order", "pair", "pay", "press", "report",
    "request", "reset", "restart", "return", "run", "scan", "schedule", "search", "set", "share", "ship", "sign", "start", "stop",
    "store", "switch", "sync", "test", "transfer", "turn", "update", "upgrade", "upload", "use", "view", "wash",
))
_LEADS = frozenset((
    "a", "an", "the", "your", "my", "our", "its", "this", "that", "these", "all", "any", "each", "every", "another", "to", "up",
    "down", "on", "off", "out", "in", "into", "from", "with", "for", "back",
))
DETERMINERS = frozenset(("the", "a", "an", "your", "our", "each", "every", "all", "any", "some", "most", "both"))
_NO_NOUN = frozenset((
    "what", "when", "where", "who", "which", "why", "how", "if", "is", "are", "can", "does", "do", "has", "at", "in", "on", "for",
    "by", "from", "to", "after", "before", "every", "each", "new", "old", "yes", "no", "not", "only", "the", "a", "an",
))
# fmt: on
_PARTICIPLE = re.compile(r"ed$|^(?:kept|sent|paid|made|held|sold|given|taken|written|built|done|set)$")
_GERUNDS = {form: verb for verb in _VERBS for form in (f"{verb}{verb[-1]}ing", f"{verb.removesuffix('e')}ing", f"{verb}ing")}
_FOREIGN_LETTER = re.compile(r"[^\W\d_\u0000-\u024f]")


def is_english(text: str) -> bool:
    """Whether a text may be read as English: hardly a letter of another script, no more of other languages' small words."""
    if 5 * len(_FOREIGN_LETTER.findall(text)) > len(text):
        return False
    found = words(text)
    ours, theirs = (sum(word in small for word in found) for small in (STOP_WORDS, _OTHER_LANGUAGES))
    return theirs <= ours / 4


def action(phrase: str) -> str:
    """A phrase as what somebody does: `Resetting the gateway`, `Reset the gateway` are `reset the gateway`; else nothing."""
    first, _, rest = phrase.partition(" ")
    verb, following = first.lower(), rest.partition(" ")[0].lower()
    if verb == "how" and following == "to":
        return rest.partition(" ")[2]
    if not rest:
        return ""
    if verb in _GERUNDS:
        return f"{_GERUNDS[verb]} {rest}"
    sure = verb in _VERBS and (verb not in _ALSO_NOUNS or following in _LEADS)
    return f"{verb} {rest}" if sure else ""


def is_noun(name: str) -> bool:
    """Whether the name of a column may stand after `the`: no clause, no lone adjective."""
    parts = name.lower().split() or ["what"]
    return not _NO_NOUN.intersection((parts[0], parts[-1])) and (len(parts) > 1 or not parts[0].endswith("ed"))


def is_plural(name: str) -> bool:
    """Whether a name means several: `permitted values`, `lines kept`."""
    first, *_, last = 2 * name.lower().split()
    noun = first if _PARTICIPLE.search(last) else last
    return noun.endswith("s") and not noun.endswith(("ss", "us", "is"))


def inside(phrase: str, text: str) -> str:
    """A phrase as it stands inside a sentence: its first word small where it is an article, or stands small in the text."""
    first = phrase.partition(" ")[0]
    small = first.lower()
    known = small in DETERMINERS or re.search(rf"(?<!\w){re.escape(small)}(?!\w)", text)
    return small + phrase[len(first) :] if known else phrase
