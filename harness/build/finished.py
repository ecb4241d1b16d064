"""The stages of a finished run, from the config that lies beside it."""

from collections.abc import Mapping
from typing import Any

from harness.build.targets import check_targets
from harness.errors import ConfigError


def stage_of(config: Mapping[str, Any], slot: str) -> Any:
    """The stage that a finished run had in a slot.

    Raises:
        ConfigError: when its config names code that it may not, or no longer makes a stage.
    """
    from hydra.errors import InstantiationException
    from hydra.utils import instantiate

    node = config.get(slot)
    if problems := check_targets({slot: node}):
        raise ConfigError("The run's config names code that it may not.", problems)
    try:
        return instantiate(node, _convert_="all")
    except InstantiationException as error:
        raise ConfigError(f"the run's {slot} cannot be made by this version; run the same command again") from error
