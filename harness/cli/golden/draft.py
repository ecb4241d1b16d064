"""`harness golden draft`: proposed questions, into a review file."""

import argparse
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.cli.console import note, out, progress
from harness.cli.paid import budget_of, within_budget
from harness.errors import ConfigError
from harness.golden.drafting.candidates import Candidate
from harness.golden.drafting.draft import by_rules, drafts
from harness.golden.drafting.material import Material
from harness.golden.drafting.selection import Asked
from harness.golden.drafting.target import Target, read_target
from harness.golden.drafts import DRAFTS, write_drafts
from harness.golden.find import find
from harness.golden.golden_set import CORPUS, QUESTIONS
from harness.reporting.escape import clean, one_line
from harness.resources import cache_dir, roots


def command(arguments: argparse.Namespace) -> int:
    """Writes drafts and says what to do with them."""
    if arguments.limit < 1:
        raise ConfigError(f"--limit {arguments.limit} allows no draft; give 1 or more")
    if (arguments.api_base or arguments.api_key_env or arguments.overrides) and not arguments.model:
        raise ConfigError("--api-base, --api-key-env and the budget belong to --model; name the model that writes the drafts")
    folder = folder_of(arguments.set)
    review = review_file(arguments.to, folder)
    target = read_target(folder, review)
    material = Material(tuple(target.documents.values()), target.as_of)
    candidates = _asked_of_model(arguments, material, target) if arguments.model else _of_rules(material)
    made = drafts(candidates, material, target.earlier, arguments.limit)
    write_drafts(review, made)
    show(made, review, folder)
    return 0


def folder_of(name: str) -> Path:
    """The folder of a golden set; one with a corpus but no questions yet will do.

    Raises:
        ConfigError: when there is none.
    """
    return Path(name) if name and (Path(name) / CORPUS).is_dir() else find(name, roots())


def review_file(name: str, folder: Path) -> Path:
    """Where drafts go: the file that was named, or drafts.jsonl beside the questions.

    Raises:
        ConfigError: when it is the file of the questions themselves, inside the corpus, or a folder.
    """
    path = Path(name) if name else folder / DRAFTS
    if path.name == QUESTIONS:
        raise ConfigError(f"--to {name!r}: drafts never go into {QUESTIONS}; name another file")
    if path.resolve().is_relative_to((folder / CORPUS).resolve()):
        raise ConfigError(f"--to {name!r} lies in the corpus, where drafts would become documents; name another place")
    if path.is_dir():
        raise ConfigError(f"--to {name!r} is a folder; name a file such as {str(path / DRAFTS)!r}")
    return path


def show(made: Sequence[Mapping[str, Any]], review: Path, folder: Path) -> None:
    """The drafts as a short table, and what to do next."""
    for draft in made:
        _say(f"{draft['id']}  {one_line(draft['kind'], 40):16}  {one_line(draft['question'], 110)}")
    if not made:
        _say(f"{review}: nothing new to write")
        return
    kinds = ", ".join(f"{number} {kind}" for kind, number in sorted(Counter(draft["kind"] for draft in made).items()))
    _say(f"\n{review}: {len(made)} drafts written ({kinds}), none of them reviewed")
    _say(
        f"Next: read each draft, correct and complete it, set reviewed to true, move its line to {folder / QUESTIONS}, "
        f"then run `python -m harness golden check {folder} --fix`"
    )


def _say(text: str) -> None:
    out().print(clean(text), soft_wrap=True, markup=False)


def _of_rules(material: Material) -> list[Candidate]:
    if foreign := len(material.sources) - len(material.english):
        note(f"{foreign} documents are not in English: rules leave them out, --model can draft from them")
    return by_rules(material)


def _asked_of_model(arguments: argparse.Namespace, material: Material, target: Target) -> list[Candidate]:
    from harness.cache import CachedLLM
    from harness.golden.drafting.model import by_model
    from harness.llm.litellm_client import LiteLLM
    from harness.store import Store

    client = LiteLLM(arguments.model, arguments.api_base, _variable(arguments.api_key_env))
    client.check()
    llm = CachedLLM(client, Store(cache_dir() / "stages.sqlite"))
    asked = Asked(target.earlier, target.as_of).documents
    with progress() as shown, within_budget(budget_of(arguments.overrides)) as sent:
        written = by_model(llm, material, asked, arguments.limit, progress=shown)
    tokens = f"{sent.sent.input_tokens:,} tokens in, {sent.sent.output_tokens:,} out"
    note(f"{arguments.model}: {written.passages} passages, {tokens}")
    for reason, number in sorted(written.dropped.items()):
        note(f"dropped {number}: {reason}")
    return written.candidates


def _variable(name: str) -> str:
    """The name of an environment variable, not a key given by mistake."""
    if name and not (name.replace("_", "").isalnum() and name.isupper() and not name[0].isdigit()):
        raise ConfigError("--api-key-env takes the NAME of an environment variable, such as OPENAI_API_KEY, never the key itself")
    return name
