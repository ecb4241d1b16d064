"""What a git revision says a run is to be held against: its accepted baseline and its gate rules.

A pull request can change both in its working tree, so neither is read from there; what it changed is told.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from harness import recordings
from harness.build import notices
from harness.build.compose import compose
from harness.build.experiment import Experiment, gate_of
from harness.build.overrides import parse
from harness.build.sources import experiments
from harness.errors import ConfigError, GateError
from harness.gates import baseline
from harness.gates.baseline import Baseline
from harness.gates.gate import Gate
from harness.judging import calibration
from harness.repository import Revision, revision, write_files
from harness.resources import PACKAGE, looking_in, roots
from harness.types import RunRecord, Verdict

_DECIDING = ("gate", "golden_set", "reports_dir")
"""Settings of the command line that are taken over to the revision: they say what is held against what."""


@dataclass(frozen=True)
class Reference:
    """What a run is held against, as a revision has it."""

    gate: Gate | None
    """Its rules; None when the experiment has no gate there."""
    config: Mapping[str, Any]
    """The gate as the revision's config says it, to be kept with the run."""
    accepted: Baseline | None
    """Its accepted baseline; None when there is none."""
    calibrated: frozenset[str]
    """Judged metrics that may fail the gate, by its records of the judge."""
    notices: tuple[str, ...]
    """What the working tree has otherwise: baseline, gate rules, golden set, records of the judge."""

    def held(self, record: RunRecord) -> tuple[Baseline | None, tuple[Verdict, ...]]:
        """The accepted baseline and what the gate says of a run; neither without a gate."""
        if self.gate is None:
            return None, ()
        return self.accepted, tuple(self.gate.check(record, self.accepted, self.calibrated))


@dataclass(frozen=True)
class _Subject:
    """What is to be held against the revision, as the working tree has it."""

    experiment: str
    """Its name."""
    overrides: Sequence[str]
    """What the command line changed."""
    config: Mapping[str, Any]
    """The resolved config."""
    golden_set: str
    """Name of the golden set."""
    folder: Path | None
    """Where its files lie, if they do."""
    judge: str
    """Identity of the judge; empty without one."""


def for_experiment(name: str, experiment: Experiment, golden_set: str, folder: Path) -> tuple[Experiment, Reference]:
    """What a run that is about to start is held against, and the experiment with the revision's gate.

    Args:
        name: the revision.
        experiment: as the working tree has it.
        golden_set: name of the golden set.
        folder: where its files lie.

    Raises:
        ConfigError, GateError: when the revision, its config or its baseline cannot be read.
    """
    judge = experiment.judge.identity if experiment.judge else ""
    subject = _Subject(experiment.name, experiment.overrides, experiment.config, golden_set, folder, judge)
    held = _reference(name, subject, None)
    return replace(experiment, gate=held.gate, config={**experiment.config, "gate": dict(held.config)}), held


def for_record(name: str, record: RunRecord, folder: Path | None, reports: Path) -> Reference:
    """What a finished run is held against; `reports` is where accepted baselines lie.

    Raises:
        ConfigError, GateError: when the revision, its config or its baseline cannot be read.
    """
    judge = record.fingerprints.get("judge", "")
    return _reference(
        name, _Subject(record.experiment, record.overrides, record.config, record.golden_set, folder, judge), reports
    )


def _reference(name: str, subject: _Subject, reports: Path | None) -> Reference:
    found = revision(name)
    with TemporaryDirectory() as scratch:
        target = Path(scratch).resolve()
        places = _places(found, target)
        there = _config(found, places, subject)
        lying = Path(reports or there["reports_dir"]).absolute()
        path = baseline.path_of(lying, subject.golden_set, subject.experiment)
        gate, accepted = there.get("gate") or {}, _baseline(found, target, path, subject)
        judges = {subject.judge, accepted.fingerprints.get("judge", "") if accepted else ""}
        calibrated, before = _calibrated(found, target, places, lying, judges)
        told = (
            notices.of_baseline(found, accepted, path),
            notices.of_recordings(found, path.with_suffix(f".{recordings.NAME}")),
            notices.of_rules(found, gate, subject.config.get("gate") or {}),
            notices.of_choice(found, str(there.get("golden_set")), str(subject.config.get("golden_set"))),
            notices.of_judge(found, calibrated, before),
            notices.of_golden_set(found, target, subject.golden_set, subject.folder) if subject.folder else "",
        )
        return Reference(gate_of(there), gate, accepted, calibrated, tuple(text for text in told if text))


def _places(found: Revision, target: Path) -> list[Path]:
    """The places where configs are looked for, as the revision has them; what is installed outside the branch stays."""
    places = []
    for root in roots():
        if root == PACKAGE / "_shipped" or not root.is_relative_to(found.top):
            places.append(root)
            continue
        inside = Path(found.inside(root))
        parts = ("conf", "experiments", f"reports/{calibration.FOLDER}")
        write_files(target, found.files([(inside / part).as_posix() for part in parts]))
        places.append(target / inside)
    return places


def _config(found: Revision, places: Sequence[Path], subject: _Subject) -> dict[str, Any]:
    """The config of the experiment at the revision, with what the command line says of gate and baseline."""
    with looking_in(places):
        chosen = _chosen(found, subject.experiment)
        kept = [word for word in subject.overrides if word.lstrip("+").partition("=")[0].partition(".")[0] in _DECIDING]
        try:
            return compose(parse([*chosen, *kept])[0])
        except ConfigError as error:
            raise ConfigError(f"The gate rules cannot be read at {found.name!r}.", error.problems) from error


def _chosen(found: Revision, experiment: str) -> list[str]:
    names = [name for name in experiments() if name.replace("/", "-") == experiment]
    if not names and experiment != "default":
        raise GateError(
            f"experiment {experiment!r} is not at {found.name!r}, so it has neither gate rules nor an accepted baseline there; "
            "merge it first, or leave --baseline-ref out"
        )
    return [f"+experiment={name}" for name in names]


def _baseline(found: Revision, target: Path, path: Path, subject: _Subject) -> Baseline | None:
    """The accepted baseline at the revision; never that of the working tree."""
    inside = found.inside(path)
    files = found.files([inside])
    if not files:
        return None
    write_files(target, files)
    try:
        accepted = baseline.load(target / inside)
    except GateError as error:
        raise GateError(str(error).replace(str(target / inside), f"{found.name}:{inside}")) from error
    if (accepted.experiment, accepted.golden_set) != (subject.experiment, subject.golden_set):
        raise GateError(
            f"the accepted baseline '{found.name}:{inside}' is refused: it is that of experiment {accepted.experiment!r} on golden "
            f"set {accepted.golden_set!r}, not of {subject.experiment!r} on {subject.golden_set!r}. Accept a run of that experiment"
        )
    return accepted


def _calibrated(
    found: Revision, target: Path, places: Sequence[Path], reports: Path, judges: Collection[str]
) -> tuple[frozenset[str], frozenset[str]]:
    """Metrics whose judge, the run's or the accepted one's, is calibrated: at the revision, and in the working tree."""
    inside = found.inside(reports)
    write_files(target, found.files([f"{inside}/{calibration.FOLDER}"]))
    then, now = [target / inside, *(place / "reports" for place in places)], [reports, *(root / "reports" for root in roots())]
    found_then, found_now = ([calibration.find(folders, judge) for judge in judges] for folders in (then, now))
    return frozenset().union(*found_then), frozenset().union(*found_now)
