"""The slices that a question belongs to: by kind, reason of refusal, language, tenant and tag."""

from collections.abc import Sequence

from harness.types import Question


def labels(question: Question, languages: Sequence[str]) -> tuple[str, ...]:
    """Sorted names such as kind:table, reason:future, language:de, tenant:acme, tag:near-identical.

    Args:
        question: the question.
        languages: of the golden set, from its card. A tag that is one of them is the question's language; a question
            without such a tag is in the set's only language, or in none that is known.
    """
    spoken = [tag for tag in question.tags if tag in languages] or (list(languages) if len(languages) == 1 else [])
    found = {
        f"kind:{question.kind}",
        f"answerable:{'yes' if question.answerable else 'no'}",
        *(f"language:{language}" for language in spoken),
        *(f"tag:{tag}" for tag in question.tags if tag not in languages),
        *([f"reason:{question.reason}"] if question.reason else []),
        *([f"tenant:{question.persona}"] if question.persona else []),
    }
    return tuple(sorted(found))
