"""A judge held against people: the record of it, and whether it is good enough for its metric to fail a gate.

A calibration holds for one identity of a judge. Another threshold, model, prompt or splitter is another judge, and the
metric of a judge without a good record is advisory.
"""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from pydantic import ConfigDict, TypeAdapter, ValidationError

from harness.errors import GateError
from harness.fingerprint import fingerprint
from harness.store import write_json
from harness.types import State

FORMAT = 1
"""Version of the file's layout."""
FOLDER = "judges"
"""Where records lie below the reports folder."""
MIN_LABELS = 100
"""Judged labels that a calibration needs; the same number that correcting a mean needs (Saad-Falcon et al. 2023, ARES)."""
MIN_RARER = 20
"""Judged labels of the rarer of good and bad."""
MIN_AUROC = 0.75
"""Least lower end of the AUROC's 95 % interval; an AUROC of 1 never varies and has none, and passes on MIN_GROUPS."""
MIN_GROUPS = 20
"""Groups that an AUROC of 1 must rest on: labels of one document are one piece of evidence, however many they are."""
MAX_ERRORS = 0.05
"""Largest share of labels on which the judge may fail."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its 95 % interval."""

    value: float | None
    """The number; None where the labels leave it undefined."""
    low: float | None = None
    """Lower end; None where no interval can be given."""
    high: float | None = None
    """Upper end."""


@dataclass(frozen=True, slots=True)
class NotJudged:
    """Labels that have no score of one kind."""

    state: str
    """not_applicable, skipped, error, or no_context where the label has no passage to judge against."""
    count: int
    """How many."""
    reason: str
    """Why, for the first of them."""


@dataclass(frozen=True, slots=True)
class Rival:
    """Another judge's scores of the same answers, as the labels' file carries them."""

    name: str
    """Its name."""
    n: int
    """Answers that it has scored."""
    spearman: float | None
    """Rank correlation with the labels."""
    auroc: float | None
    """Of telling good labels from bad."""


@dataclass(frozen=True, slots=True)
class Classes:
    """Agreement on three classes: scores and labels below 1/3, up to 2/3, from 2/3 on."""

    agreement: float
    """Share of equal classes."""
    majority: float
    """Share of the most common label."""
    kappa: float | None
    """Cohen's kappa, quadratic weights."""


@dataclass(frozen=True)
class CalibrationRecord:
    """How far one judge agrees with one file of labels."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    judge: str
    """The judge's whole identity: a calibration holds for exactly this one."""
    metric: str
    """What was judged."""
    labels: str
    """Name of the labels."""
    labels_digest: str
    """SHA-256 of their file."""
    n: int
    """Labels in the file."""
    judged: int
    """Labels that the judge has scored: the denominator of all that follows."""
    groups: int
    """Clusters among them."""
    raters: int
    """Most raters that one answer has."""
    not_judged: tuple[NotJudged, ...]
    """The others."""
    base_rate: float | None
    """Share of good labels."""
    spearman: Estimate
    """Rank correlation of score and label."""
    auroc: Estimate
    """Chance that a good answer scores above a bad one."""
    agreement: Estimate
    """Share of answers that are good or bad in both."""
    majority: float | None
    """The agreement of always giving the more common of the two."""
    kappa: Estimate
    """Agreement beyond chance (Cohen 1960)."""
    ceiling: float | None
    """Spearman of one rater with the mean of the others; None with single labels."""
    classes: Classes | None = None
    """Three-way agreement, for labels of three classes."""
    rivals: tuple[Rival, ...] = ()
    """Other judges on the same answers."""

    @property
    def name(self) -> str:
        """First word of the judge's identity."""
        return self.judge.partition(" ")[0]

    @property
    def shortcomings(self) -> tuple[str, ...]:
        """What keeps this judge's metric from failing a gate; empty when it is calibrated."""
        return tuple(_shortcomings(self))

    @property
    def calibrated(self) -> bool:
        """Whether the agreement is good enough for a gate."""
        return not self.shortcomings


def _shortcomings(record: CalibrationRecord) -> Iterable[str]:
    if record.judged < MIN_LABELS:
        yield f"{_labels(record.judged, 'was', 'were')} judged, {MIN_LABELS} are needed"
    rarer = round(record.judged * min(record.base_rate, 1 - record.base_rate)) if record.base_rate is not None else 0
    if rarer < MIN_RARER:
        yield f"{_labels(rarer, 'is', 'are')} of the rarer of good and bad, {MIN_RARER} are needed"
    errors = sum(item.count for item in record.not_judged if item.state == State.ERROR)
    if errors > MAX_ERRORS * record.n:
        yield f"the judge failed on {errors} of {record.n} labels, {MAX_ERRORS:.0%} are allowed"
    low = 1.0 if record.auroc.value == 1 and record.groups >= MIN_GROUPS else record.auroc.low
    if low is None and record.auroc.value == 1:
        yield f"an AUROC of 1 on {record.groups} group{'' if record.groups == 1 else 's'} is no proof, {MIN_GROUPS} groups are needed"
    elif low is None:
        yield "AUROC has no interval on these labels"
    elif low < MIN_AUROC:
        yield f"AUROC may be as low as {low:.3f}, {MIN_AUROC} is needed"
    agreement, majority = record.agreement.value, record.majority
    if agreement is not None and majority is not None and agreement < majority:
        yield f"it agrees with {agreement:.3f} of the labels, always giving the more common one with {majority:.3f}"


def _labels(count: int, one: str, more: str) -> str:
    """`1 label is`, `2 labels are`."""
    return f"{count} label {one}" if count == 1 else f"{count} labels {more}"


def path_of(reports: Path, record: CalibrationRecord) -> Path:
    """Where a record lies: reports/judges/<judge>-<metric>-<labels>.json."""
    name = f"{record.name}-{record.metric}-{record.labels}"
    return reports / FOLDER / f"{''.join(letter if letter.isalnum() or letter in '-_.' else '-' for letter in name)}.json"


def save(path: Path, record: CalibrationRecord) -> None:
    """Writes a record with the digest of its content.

    Raises:
        StoreError: when the file cannot be written; the old one is untouched.
    """
    content = asdict(record)
    write_json(path, {"format": FORMAT, "digest": fingerprint(content), "record": content})


def load(path: Path) -> CalibrationRecord:
    """Reads a record and checks its digest.

    Raises:
        GateError: when the file is missing, no calibration record, of another format, or not what was saved.
    """
    try:
        file = json.loads(path.read_bytes())
    except OSError as error:
        raise GateError(f"cannot read the calibration record {str(path)!r}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise _refused(path, f"it is not JSON ({error})") from error
    if not isinstance(file, dict) or set(file) != {"format", "digest", "record"}:
        raise _refused(path, "it has not the keys format, digest and record")
    if file["format"] != FORMAT:
        raise _refused(path, f"its format is {file['format']!r}, this harness reads {FORMAT}")
    if (found := fingerprint(file["record"])) != file["digest"]:
        raise _refused(path, f"its content has digest {found[:12]}, the file says {str(file['digest'])[:12]}")
    try:
        return TypeAdapter(CalibrationRecord).validate_python(file["record"])
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        raise _refused(path, f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}") from error


def _refused(path: Path, why: str) -> GateError:
    fix = "It is written by `harness calibrate judge` only: restore it from version control or calibrate anew."
    return GateError(f"the calibration record {str(path)!r} is refused: {why}. {fix}")


def records_in(reports: Path) -> list[CalibrationRecord]:
    """All records below a reports folder, by file name."""
    return [load(path) for path in sorted((reports / FOLDER).glob("*.json"))]


def find(folders: Iterable[Path], judge_identity: str) -> dict[str, CalibrationRecord]:
    """By metric the record that calibrates exactly this judge; metrics without a good one are left out.

    Args:
        folders: reports folders; the first one that has a record of a metric on enough labels decides, and in it the record on
            the most. So a user's own labels on which a judge fails outweigh a shipped record on which it does well.
        judge_identity: the whole identity; another threshold, model or prompt is another judge.

    Raises:
        GateError: for a record that is not what was saved.
    """
    deciding: dict[str, CalibrationRecord] = {}
    for folder in folders:
        mine = [item for item in records_in(folder) if item.judge == judge_identity and item.judged >= MIN_LABELS]
        for record in sorted(mine, key=lambda item: (-item.judged, item.labels)):
            deciding.setdefault(record.metric, record)
    return {metric: record for metric, record in deciding.items() if record.calibrated}
