"""Predictions made elsewhere, judged as the command line asks for it."""

from __future__ import annotations

from pathlib import Path

from polychotomy.app.inputs import check_page, read_costs, spare_inputs
from polychotomy.app.request import Judged, Request, repeat_command
from polychotomy.comparison import Criterion
from polychotomy.core.exceptions import InvalidInput
from polychotomy.study import import_predictions
from polychotomy.study.ledger.prediction_table import note_separators
from polychotomy.verdict.case import Case, case_of_predictions
from polychotomy.verdict.concluding import conclude_case, mark_of
from polychotomy.verdict.question import Question, criterion_named

_NOT_HERE = ("table", "target", "study", "candidates", "group", "time", "drop", "model", "cluster")


def judge_predictions(request: Request) -> Judged:
    """Judge predictions made elsewhere and write the page; nothing is fitted.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> text = ["candidate,sample,fold,truth,predicted"]
    >>> for i in range(40):
    ...     text.append(f"always a,{i},{i % 4},{'ab'[i % 2]},a")
    ...     text.append(f"oracle,{i},{i % 4},{'ab'[i % 2]},{'ab'[i % 2]}")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "mine.csv")
    ...     _ = file.write_text(chr(10).join(text))
    ...     page = pathlib.Path(folder, "page.html")
    ...     judge_predictions(Request(predictions=file, output=page)).verdict.best
    'oracle'
    """
    assert request.predictions is not None
    for name in _NOT_HERE:
        if getattr(request, name):
            raise InvalidInput(
                f"{'a table' if name == 'table' else f'--{name}'} together with --predictions; "
                "expected the predictions alone: nothing is fitted."
            )
    path = request.predictions
    page = request.output or Path(f"{path.name.split('.')[0]}-verdict.html")
    spare_inputs({"--output": page}, {"predictions": path})
    with import_predictions(path) as ledger:
        case = case_of_predictions(ledger)
        question = _question(request, case)
        mark = mark_of(case.specification, question)
        check_page(page, path, mark, force=request.force)
        note = note_separators(path)
        verdict = conclude_case(
            case,
            ledger,
            question,
            command=repeat_command(request),
            notes=() if note is None else (note,),
            mark=mark,
        )
    verdict.to_html(page)
    return Judged(verdict, page)


def _question(request: Request, case: Case) -> Question:
    classes = case.specification["datasets"][case.dataset]["classes"]
    if request.loss.endswith(".csv"):
        criterion = Criterion(name="cost", costs=read_costs(Path(request.loss), classes))
    else:
        criterion = criterion_named(request.loss)
    return Question(
        rule=request.rule,
        margin=request.margin,
        criterion=criterion,
        prefer=request.prefer,
        against=request.against,
    )
