"""Composing the config with Hydra: the user's conf/ first, the shipped one after it."""

from functools import lru_cache
from pathlib import Path
from typing import Any

from harness.build.overrides import Override, check, entries, values_for_stages
from harness.build.sources import experiments
from harness.errors import ConfigError, Problem
from harness.resources import roots

_PRIMARY = "harness"
"""Name under which config.yaml is registered, so that the shipped one is found when the user's conf/ has none."""


def compose(overrides: list[Override]) -> dict[str, Any]:
    """The resolved config as plain dicts and lists.

    Raises:
        ConfigError: with every override that names nothing, or with what Hydra cannot compose.
    """
    config, problems = compose_known(overrides)
    if problems:
        raise ConfigError("The command line names something that does not exist.", problems)
    return config


def compose_known(overrides: list[Override]) -> tuple[dict[str, Any], list[Problem]]:
    """The config of the overrides that name something, and a problem for each that does not.

    Raises:
        ConfigError: with what Hydra cannot compose.
    """
    base = _compose([item for item in overrides if item.key == "experiment" and _exists(item)])
    slots = frozenset(key for key, value in base.items() if isinstance(value, dict))
    choices = [item for item in overrides if item.key == "experiment" or item.key in slots]
    faults = check(choices, set(base), slots)
    known = list(choices)
    config = _compose([item for item in choices if item not in faults])
    for level in _nested(overrides):
        faults |= check(level, _keys(config), slots)
        known += level
        config = _compose([item for item in overrides if item in known and item not in faults])
    free = entries([item for item in overrides if item not in known], config)
    settings = [item for item in overrides if item not in known and item not in free]
    faults |= check(settings, _keys(config), slots)
    faults |= values_for_stages([item for item in settings if item not in faults], config)
    return _compose([free.get(item, item) for item in overrides if item not in faults]), list(faults.values())


def _nested(overrides: list[Override]) -> list[list[Override]]:
    """Choices of options for stages inside others, `group@place`, the outer ones first."""
    nested = [item for item in overrides if "@" in item.key]
    depths = sorted({item.key.count(".") for item in nested})
    return [[item for item in nested if item.key.count(".") == depth] for depth in depths]


def _exists(item: Override) -> bool:
    return item.added and isinstance(item.value, str) and item.value in experiments()


def _keys(config: dict[str, Any], prefix: str = "") -> set[str]:
    keys: set[str] = set()
    for key, value in config.items():
        keys.add(f"{prefix}{key}")
        if isinstance(value, dict):
            keys |= _keys(value, f"{prefix}{key}.")
    return keys


def _compose(overrides: list[Override]) -> dict[str, Any]:
    chosen = frozenset(str(item.value) for item in overrides if item.key == "experiment")
    return _composed(tuple(_word(item) for item in overrides), chosen, tuple(roots()))


def _word(item: Override) -> str:
    """The override as Hydra takes it: a mapping may bring keys of its own, such as the names of retrievers."""
    return f"++{item.text}" if isinstance(item.value, dict) and not item.text.startswith(("+", "~")) else item.text


@lru_cache(maxsize=1024)
def _composed(words: tuple[str, ...], chosen: frozenset[str], places: tuple[Path, ...]) -> dict[str, Any]:
    """Composed once per process: the cells of a sweep share their groups, and files do not change under a command."""
    from hydra import compose as hydra_compose
    from hydra import initialize_config_dir
    from hydra.core.global_hydra import GlobalHydra
    from hydra.errors import HydraException
    from omegaconf import OmegaConf
    from omegaconf.errors import OmegaConfBaseException
    from yaml import YAMLError

    _register(chosen)
    primary, *others = [root / "conf" for root in places if (root / "conf").is_dir()]
    search = [f"hydra.searchpath=[{','.join(_quoted(f'file://{path.as_posix()}') for path in others)}]"] if others else []
    GlobalHydra.instance().clear()
    try:
        with initialize_config_dir(str(primary), version_base="1.3"):
            config = hydra_compose(_PRIMARY, [*search, *words])
            _refuse_environment(OmegaConf.to_container(config, resolve=False))
            plain = OmegaConf.to_container(config, resolve=True)
    except (
        HydraException,
        OmegaConfBaseException,
        YAMLError,
        UnicodeDecodeError,
        ValueError,
        TypeError,
        AttributeError,
    ) as error:
        raise ConfigError("The config cannot be composed.", [_problem(error)]) from error
    assert isinstance(plain, dict)
    return {str(key): value for key, value in plain.items()}


def _quoted(path: str) -> str:
    """A path as one word of Hydra's grammar, whatever characters it holds."""
    return "'" + path.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _refuse_environment(config: Any) -> None:
    """The resolved config is written to disk, so it may not hold what stands in the environment."""
    if "${oc.env" in str(config):
        fix = "give the value itself, or for a key the variable's name in api_key_env"
        raise ConfigError(
            "A setting reads the environment.", [Problem("F009", "${oc.env:...}", "would be written to disk", fix=fix)]
        )


def _problem(error: Exception) -> Problem:
    lines = [line.strip() for line in str(error).splitlines() if line.strip() and "hydra.searchpath" not in line]
    return Problem("F001", "conf/", " ".join(lines[:4]), fix="check the defaults list of the experiment or conf file named here")


def _register(chosen: frozenset[str]) -> None:
    from hydra.core.config_store import ConfigStore

    store = ConfigStore.instance()
    primary = next(path for root in roots() if (path := root / "conf" / "config.yaml").exists())
    store.store(name=_PRIMARY, node=_read(primary), provider=str(primary))
    for name, path in experiments().items():
        group, _, option = f"experiment/{name}".rpartition("/")
        try:
            node = _read(path)
        except ConfigError:
            if name in chosen:
                raise
            continue
        store.store(group=group, name=option, node=node, package="_global_", provider=f"experiments/{name}.yaml")


def _read(path: Path) -> Any:
    from omegaconf import OmegaConf
    from omegaconf.errors import OmegaConfBaseException
    from yaml import YAMLError

    try:
        content = OmegaConf.to_container(OmegaConf.load(path), resolve=False)
    except (YAMLError, OmegaConfBaseException, UnicodeDecodeError, OSError) as error:
        raise ConfigError(
            "A config file cannot be read.", [Problem("F001", str(path), str(error), fix="mend the YAML")]
        ) from error
    named = {str(key): value for key, value in content.items()} if isinstance(content, dict) else {}
    return OmegaConf.create(_words_for_switches(named))


def _words_for_switches(content: dict[str, Any]) -> dict[str, Any]:
    """YAML reads an unquoted `off` as false; in a defaults list it means the option of that name."""
    words = {True: "on", False: "off"}
    entries = content.get("defaults") or []
    if not isinstance(entries, list) or not all(isinstance(entry, dict | str) for entry in entries):
        raise ConfigError(
            "A config file cannot be read.", [Problem("F001", "defaults", f"is {entries!r}", fix="write a list of slot: option")]
        )
    fixed = [
        {key: words[value] if isinstance(value, bool) else value for key, value in entry.items()}
        if isinstance(entry, dict)
        else entry
        for entry in entries
    ]
    return {**content, "defaults": fixed} if entries else content
