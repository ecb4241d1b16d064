"""A sentence as statements that can each be read alone, by rules for English; every other sentence stays as it is.

Two main clauses joined by `and`, by `, but`, `, so` or a semicolon become two statements, and a relative clause after the
subject becomes one of its own. A rule applies only where both halves name their subject and hold a finite verb of a closed
list, and where no subordinate clause could reach over the cut: a sentence left whole is found all the same, one cut in
the wrong place states what nobody wrote.
"""

import re

# fmt: off
_FINITE = frozenset((
    "am", "is", "are", "was", "were", "has", "have", "had", "does", "do", "did", "can", "cannot", "could", "will", "would", "shall",
    "should", "may", "might", "must", "needs", "need", "takes", "took", "costs", "cost", "lasts", "lasted", "runs", "ran", "holds",
    "held", "reaches", "reached", "requires", "required", "supports", "supported", "starts", "started", "stops", "stopped", "shows",
    "showed", "sends", "sent", "contains", "contained", "includes", "included", "uses", "used", "works", "worked", "turns", "turned",
    "becomes", "became", "applies", "applied", "remains", "remained", "gives", "gave", "covers", "covered", "expires", "expired",
    "returns", "returned", "stores", "stored", "keeps", "kept", "measures", "measured", "opens", "opened", "closes", "closed",
    "ends", "ended", "begins", "began", "weighs", "weighed", "charges", "charged", "fits", "fitted",
))
_SUBORDINATES = frozenset((
    "if", "when", "whenever", "that", "because", "unless", "until", "after", "before", "whether", "although", "though", "since",
    "which", "who", "whom", "whose", "where", "while", "once", "as", "how", "why", "what", "than", "either", "neither", "both",
))
# fmt: on
_REACH = 1000
"""Characters on each side of a joint that are looked into."""
_WORD = re.compile(r"[^\W_]+(?:[-'’.][^\W_]+)*")
_SUBJECT = r"(?:[Tt]he|[Ee]ach|[Ee]very|[Yy]our|[Oo]ur|[Yy]ou|[Ww]e|[Nn]o)"
_JOINT = re.compile(rf"(?:,\s+(?:and|but|so|yet)|\s+and|\s*;(?:\s+(?:and|but|so|yet))?)\s+(?={_SUBJECT}\s)")
_RELATIVE = re.compile(r"((?:The|A|An|Each|Every|Our|Your)(?:\s[\w-]+){1,5}),\s(?:which|who)\s([^,;:()]+),\s([^;]+)")
_PRONOUN = re.compile(r"(It|They)\s+([a-z]+)\b")
_IMPERSONAL = re.compile(r"It\s+(?:takes|took)\b|It\s+(?:is|was|may be|might be|can be|will be)\b[^.,;]*?\b(?:to|that|if|when)\b")
_NAME = re.compile(r"[^\W\d_][\w-]*(?: [\w-]+){0,3}")


def clauses(sentence: str) -> list[str]:
    """Statements of a sentence in order; the sentence alone where no rule applies safely."""
    whole = " ".join(sentence.split())
    if whole.endswith("?"):
        return [whole]
    return [_sentence(part, whole) for outer in _main_clauses(whole) for part in _relative_apart(outer)]


def resolved(statement: str, subject: str, before: str) -> str:
    """The statement with the section's subject in place of a first `It` or `They`, where that is safe.

    Args:
        statement: a sentence or clause.
        subject: the nearest heading, or the title.
        before: the sentence before it in the paragraph; empty for the first below the heading.

    Safe is a subject of one to four words that agrees in number, which the sentence before names (or there is none),
    and a verb of the closed list; `It is necessary to`, `It takes` and the like refer to nothing.
    """
    found = _PRONOUN.match(statement)
    if not found or found[2] not in _FINITE or _IMPERSONAL.match(statement) or not _NAME.fullmatch(subject):
        return statement
    plural = subject.endswith("s") and not subject.endswith("ss")
    if plural != (found[1] == "They") or (before and subject.casefold() not in before.casefold()):
        return statement
    return f"{subject}{statement[len(found[1]) :]}"


def _main_clauses(whole: str) -> list[str]:
    """Cut at each joint where what was not cut off yet and what follows stand alone."""
    found, start = [], 0
    for joint in _JOINT.finditer(whole):
        left, right = whole[start : joint.start()], whole[joint.end() : joint.end() + _REACH]
        if len(left) <= _REACH and _states(left) and _states(right) and _whole(left, joint.group()):
            found.append(left)
            start = joint.end()
    return [*found, whole[start:]]


def _relative_apart(clause: str) -> list[str]:
    found = _RELATIVE.fullmatch(clause)
    if not found:
        return [clause]
    subject, aside, rest = found.groups()
    if _opening(aside) not in _FINITE or _opening(rest) not in _FINITE:
        return [clause]
    return [f"{subject} {rest}", f"{subject} {aside}"]


def _states(clause: str) -> bool:
    """Whether a clause has something before a finite verb, and something after it."""
    found = _words(clause)
    return any(word in _FINITE for word in found[1:-1])


def _whole(clause: str, joint: str) -> bool:
    """Whether a joint ends the clause, not a list or a subordinate clause inside it."""
    enough = ";:" if joint.lstrip()[0] in ",;" else ",;:"
    return _SUBORDINATES.isdisjoint(_words(clause)) and not any(mark in clause for mark in enough)


def _opening(clause: str) -> str:
    return next(iter(_words(clause)), "")


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]


def _sentence(part: str, whole: str) -> str:
    """A part with a capital at its start and a stop at its end; the whole sentence as it stands."""
    if part == whole:
        return whole
    return f"{part[:1].upper()}{part[1:]}" + ("" if part.endswith((".", "!", "…")) else ".")
