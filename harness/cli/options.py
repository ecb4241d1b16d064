"""What can be put after `run`: experiments, slots and their options, each with what its file says of itself."""

from harness.build.sources import experiments, first_comment, groups
from harness.resources import roots


def listing() -> str:
    """The list as text."""
    lines = ["experiments (+experiment=NAME):"]
    lines += [f"  {name:22} {first_comment(path)}" for name, path in experiments().items()]
    lines += ["", "slots (SLOT=OPTION):"]
    lines += [f"  {group:22} {' | '.join(options)}" for group, options in groups().items()]
    sets = sorted({path.parent.name for root in roots() for path in (root / "golden_sets").glob("*/golden_set.yaml")})
    lines += ["", f"golden sets (golden_set=NAME or a folder's path): {', '.join(sets)}"]
    lines += ["", "every setting and its value: python -m harness run --cfg"]
    return "\n".join(lines)
