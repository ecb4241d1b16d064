"""The arguments of `harness calibrate` and its commands."""

import argparse

EPILOG = """A line of LABELS.jsonl holds one answer that people have judged:

  {"id": "q7", "contexts": ["The cells last 18 months."], "answer": "They last 18 months.", "label": [4, 4, 3], "scale": [1, 4]}

label is a number, or one per rater. Besides there may be "question", "metric" (left out: faithfulness) and "group" (answers that
rise and fall together; left out: each stands alone). Without "scale" labels go from 0 to 1. With --run the id is the question_id,
and contexts and answer are the run's.

A judge is calibrated when
  100 labels were judged, 20 of them of the rarer of good and bad (good: two thirds of the scale or more),
  the judge failed on at most 5 % of them,
  the lower end of the AUROC's 95 % interval is 0.75 or more, and
  its agreement with the labels is not below that of always giving the more common one.

exit code: 0 when 100 labels or more were judged, whether the judge is calibrated or only measured; 4 when fewer were,
and then no record is kept; 2 when the labels or the judge cannot be used.
"""


def add_commands(calibrate: argparse.ArgumentParser, kind: type[argparse.ArgumentParser]) -> None:
    """Adds judge, refusal and reranker."""
    commands = calibrate.add_subparsers(dest="verb", metavar="COMMAND", required=True, parser_class=kind)
    _judge(commands)
    _from_run(
        commands, "refusal", "choose on a run's tune questions when to refuse, and write the choice as an answerability option"
    )
    _from_run(commands, "reranker", "turn a reranker's scores into probabilities on a run's tune questions, as a reranker option")


def _from_run(commands: "argparse._SubParsersAction[argparse.ArgumentParser]", name: str, text: str) -> None:
    """A calibration that reads a finished run and writes a conf file with its evidence."""
    form = argparse.RawDescriptionHelpFormatter
    command = commands.add_parser(name, help=text, description=text, formatter_class=form, allow_abbrev=False)
    command.add_argument("run", nargs="?", default="", metavar="RUN", help="run folder or its name (default: the newest)")
    slot = "answerability" if name == "refusal" else name
    methods = ("threshold", "margin", "classifier") if name == "refusal" else ("platt", "isotonic")
    command.add_argument("--method", choices=methods, default=methods[0], help="what is chosen (default: %(default)s)")
    command.add_argument("--name", default="calibrated", help=f"name of the option: conf/{slot}/NAME.yaml (default: %(default)s)")
    if name == "refusal":
        cap = "highest share of answerable tune questions refused (default: no limit; the highest grounded refusal F1 decides)"
        command.add_argument("--max-over-refusal", type=float, default=1.0, metavar="SHARE", help=cap)
    command.add_argument("--json", action="store_true", help="print the evidence as JSON")
    command.add_argument("--no-save", action="store_true", help="only print; write no option")
    command.add_argument("--runs-dir", default="reports/runs", help="where runs lie (default: %(default)s)")
    command.add_argument("--debug", action="store_true", help="show the traceback of an error")
    command.set_defaults(handler=f"calibrate.{name}")


def _judge(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    text = "measure a judge's agreement with human labels; an agreement that is good enough lets its metric fail a gate"
    form = argparse.RawDescriptionHelpFormatter
    judge = commands.add_parser("judge", help=text, description=text, epilog=EPILOG, formatter_class=form, allow_abbrev=False)
    judge.add_argument("labels", metavar="LABELS.jsonl", help="one labelled answer a line; see below")
    judge.add_argument(
        "--judge", default="", metavar="NAME", help="option of the slot judge, overrides included (default: the configured one)"
    )
    judge.add_argument("--metric", default="", help="metric that the labels judge (default: what the file says)")
    judge.add_argument(
        "--run", default="", metavar="RUN", help="correct this run's mean by the labels of its questions (prediction-powered)"
    )
    judge.add_argument("--json", action="store_true", help="print the record as JSON")
    judge.add_argument("--no-save", action="store_true", help="only print; keep no calibration record")
    judge.add_argument("--runs-dir", default="reports/runs", help="where runs lie (default: %(default)s)")
    judge.add_argument(
        "--reports-dir", default="reports", help="where calibration records go: below judges/ (default: %(default)s)"
    )
    judge.add_argument("--debug", action="store_true", help="show the traceback of an error")
    judge.set_defaults(handler="calibrate.judge")
