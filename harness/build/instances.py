"""A stage and the stages inside it, made from the config, with every fault of all of them told at once."""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

from pydantic import ValidationError
from pydantic_core import ArgsKwargs

from harness.build.sources import choosing
from harness.errors import HarnessError, Problem

_RAISED = (TypeError, ValueError, AttributeError, LookupError, ArithmeticError, OSError, ImportError, RuntimeError)
"""What the code of a stage can raise while it is made: a plugin's too ends in a problem, never in a traceback."""


def instance(node: Mapping[str, Any], where: str, problems: list[Problem]) -> Any:
    """The object of a node with a `_target_`, its parts first; None where it cannot be made.

    The settings beside a part that cannot be made are held to their rules all the same.

    Args:
        node: the config, whose targets are checked.
        where: its dotted key.
        problems: takes every fault.
    """
    fields: dict[str, Any] = {}
    wrong: set[str] = set()
    for name, value in node.items():
        faults: list[Problem] = []
        made = _value(value, f"{where}.{name}", faults)
        if faults:
            wrong.add(name)
            problems += faults
        elif name != "_target_":
            fields[name] = made
    kind = _kind(str(node["_target_"]))
    if not wrong:
        return _made(lambda: kind(**fields), where, problems)
    beside: list[Problem] = []
    _made(lambda: kind(**fields), where, beside)
    parts = {f"{where}.{name}" for name in wrong}
    problems += [fault for fault in beside if fault.where.startswith(f"{where}.") and fault.where not in parts]
    return None


def _value(value: Any, where: str, problems: list[Problem]) -> Any:
    if isinstance(value, Mapping):
        if "_target_" in value:
            return instance(value, where, problems)
        return {name: _value(item, f"{where}.{name}", problems) for name, item in value.items()}
    if isinstance(value, list):
        return [_value(item, f"{where}.{place}", problems) for place, item in enumerate(value)]
    return value


def _kind(target: str) -> Callable[..., Any]:
    module, _, name = target.rpartition(".")
    kind: Callable[..., Any] = getattr(import_module(module), name)
    return kind


def _made(make: Callable[[], Any], where: str, problems: list[Problem]) -> Any:
    try:
        return make()
    except ValidationError as error:
        problems += _validation_problems(error, f"{where}.")
    except HarnessError as error:
        problems += error.problems or [Problem("F001", where, str(error))]
    except _RAISED as error:
        problems.append(Problem("F001", where, (str(error) or type(error).__name__).splitlines()[0]))
    return None


def checked(kind: type, values: Mapping[str, Any], prefix: str, problems: list[Problem]) -> Any:
    """A record of plain settings; None where they are wrong. `prefix` stands before their names in messages."""
    try:
        return kind(**values)
    except ValidationError as error:
        problems += _validation_problems(error, prefix)
        return None


def _validation_problems(error: ValidationError, prefix: str) -> Sequence[Problem]:
    return [_validation_problem(item, prefix) for item in error.errors(include_url=False)]


def _validation_problem(item: Mapping[str, Any], prefix: str) -> Problem:
    """What pydantic found. What a validator of ours says names the values itself."""
    where = (prefix + ".".join(str(part) for part in item["loc"])).strip(".")
    if item["type"] == "unexpected_keyword_argument":
        fix = choosing(where) or "see `python -m harness run --cfg` for the settings of this slot"
        return Problem("F001", where, "no such setting", fix=fix)
    if item["type"] == "value_error":
        return Problem("F001", where, item["msg"].removeprefix("Value error, "))
    given = "" if item["type"] == "missing" or "key" in where else f", got {_shortly(item['input'])}"
    return Problem("F001", where, f"{item['msg']}{given}")


def _shortly(value: Any) -> str:
    text = f"a group of {len(value.kwargs or {})} settings" if isinstance(value, ArgsKwargs) else repr(value)
    return text if len(text) <= 100 else f"{text[:100]}..."
