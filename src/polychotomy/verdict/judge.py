"""judge: every question asked of one ledger."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.comparison import Criterion
from polychotomy.core.exceptions import InvalidInput
from polychotomy.study import Ledger, Race, Study
from polychotomy.study.progress import ShowProgress, as_show
from polychotomy.study.study import count_workers
from polychotomy.verdict.anatomy import choose_rivals, fit_anatomy
from polychotomy.verdict.case import case_of_predictions, case_of_study, refuse_fitting
from polychotomy.verdict.concluding import conclude, conclude_case
from polychotomy.verdict.evidence import read_evidence
from polychotomy.verdict.notes import note_table
from polychotomy.verdict.question import (
    Preference,
    Question,
    Rule,
    check_question,
    criterion_named,
    plan_of,
)
from polychotomy.verdict.rules import order_by_rule
from polychotomy.verdict.verdict import Verdict


def judge(
    candidates: Mapping[str, Any] | Ledger,
    X: Any = None,
    y: Any = None,
    *,
    rule: Rule = "margin",
    margin: float | None = None,
    loss: str | ArrayLike = "error",
    prefer: Preference = "listed",
    against: str | None = None,
    race: bool = False,
    groups: Any = None,
    time: Any = None,
    anatomy: bool = True,
    study: str | Path | None = None,
    runs: int = 1,
    n_jobs: int = 1,
    random_state: int = 0,
    dataset: str = "data",
    notes: Sequence[str] = (),
    progress: ShowProgress | bool | None = None,
) -> Verdict:
    """Say which candidate to use on a labelled table, and why.

    Each candidate is cross-validated into a ledger, and every answer is a function of it.

    Predictions made elsewhere, in any language, are judged alike: with the ledger that
    ``import_predictions`` reads in place of candidates, nothing is fitted, and ``X``, ``y`` and all
    that says how to fit is left out.

    Parameters
    ----------
    candidates : {name: classifier} or Ledger
        scikit-learn classifiers in order of preference, simplest first; or predictions, as
        `import_predictions` reads them.
    X : (n, features) DataFrame, array or sparse matrix
        Given to the candidates as it is.
    y : (n,) labels
    rule : {"margin", "paper"}
        "margin" takes, by 5×5-fold cross-validation, the most preferred candidate whose loss is
        within ``margin`` of every less preferred one's; measured to cost hardly more than the
        lowest mean, with simpler picks. "paper" is MultiTest [YA06]_: 5×2 cross-validation,
        one-sided 5×2cv t tests at 0.05 with Bonferroni's correction; the most preferred candidate
        that is not *shown* to be worse than another. With little data little is shown, and simple
        candidates are kept at a price.
    margin : float, optional
        Difference that is of no practical meaning; by default 0.01, one point of error, and
        of a cost matrix 1 % of its largest entry by size.
    loss : {"error", "log-loss", "auc", "brier"} or (k, k) array-like
        By what candidates are compared (see `Criterion`); an array is a cost matrix, a row a true
        class, a column a predicted one, classes in sorted order.
    prefer : {"listed", "time", "memory"}
        The order of preference: as listed, by measured time to fit and predict, or by the size of
        the fitted model (of one fit, pickled).
    against : str, optional
        A candidate that the best of the others must not be shown to be worse than (``gate``);
        "baseline" is the one that ignores the features, which must be among them.
    race : bool
        Stop candidates that are already shown to have a higher error than a more preferred one,
        and leave them out. On one data set, one that is not worse is stopped with a probability
        of at most 0.05 (see `Race`). Needs two or more repetitions of folds.
    groups : (n,) values, optional
        Rows of one group are never on both sides of a split.
    time : (n,) values, optional
        When each row was taken; every fit is tested on later rows.
    anatomy : bool
        Ask what limits the best candidate, too: 50 bootstrap fits and 20 at smaller sizes, and 25
        bootstrap fits of up to two rivals where there is time.
    study : path, optional
        Keep the ledger in this file; what it already has is not fitted again.
    runs : int
        Runs of the cross-validation. With several, "paper" takes the most frequent order, "margin"
        all folds together.
    n_jobs : int
        Worker processes; −1 is one a processor.
    random_state : int
        Seed of the study.
    dataset : str
        What to call the data; of a ledger with several data sets, the one to judge.
    notes : sequence of str
        Remarks about the data to hand on to the reader, such as those of `read_table`. Those on
        the columns of a DataFrame are found here, too.
    progress : callable or bool, optional
        Called with a ``Progress`` at the beginning and after every fit. True prints a line every
        tenth of the way, on standard error.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from polychotomy import judge
    >>> X, y = load_wine(return_X_y=True)
    >>> verdict = judge({"MAX": DummyClassifier(), "naive Bayes": GaussianNB()}, X, y)
    >>> print(verdict.sentences()[0])
    Use naive Bayes.

    Two models that were fitted elsewhere, on the same five folds:

    >>> import pathlib, tempfile
    >>> from polychotomy import import_predictions
    >>> table = ["learner,sample,fold,truth,predicted"]
    >>> for i in range(50):
    ...     label = "ab"[i % 2]
    ...     table += [f"always a,{i},{i % 5},{label},a", f"R forest,{i},{i % 5},{label},{label}"]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "predictions.csv")
    ...     _ = file.write_text(chr(10).join(table))
    ...     judge(import_predictions(file)).best
    'R forest'
    """
    question = Question(
        rule=rule,
        margin=margin,
        criterion=criterion_of(loss),
        prefer=prefer,
        against=against,
        race=race,
    )
    if isinstance(notes, str) or not isinstance(notes, Sequence):
        raise InvalidInput(f"notes is {notes!r}; expected a list of remarks.")
    if isinstance(candidates, Ledger):
        refuse_fitting(X=X, y=y, groups=groups, time=time, study=study, race=race)
        refuse_fitting(runs=runs if runs != 1 else None, random_state=random_state or None)
        case = case_of_predictions(candidates, None if dataset == "data" else dataset)
        question.criterion.check_classes(case.specification["datasets"][case.dataset]["classes"])
        return conclude_case(case, candidates, question, anatomy=anatomy, notes=notes)
    if X is None or y is None:
        raise InvalidInput(
            f"{'X' if X is None else 'y'} is None; expected judge(candidates, X, y), or, of "
            'predictions made elsewhere, judge(import_predictions("predictions.csv")).'
        )
    todo = Study(
        candidates,
        X,
        y,
        dataset=dataset,
        plan=plan_of(rule, runs, in_time=time is not None),
        groups=groups,
        time=time,
        random_state=random_state,
    )
    check_question(question, todo)
    show = as_show(progress)
    workers = count_workers(n_jobs)
    remarks = (*notes, *note_table(todo, known=notes))
    with run_study(
        todo, question, study, anatomy=anatomy, notes=remarks, n_jobs=workers, progress=show
    ) as ledger:
        return conclude(todo, ledger, question, anatomy=anatomy, notes=remarks)


def criterion_of(loss: str | ArrayLike) -> Criterion:
    """Return a criterion by name, or that of a cost matrix.

    Examples
    --------
    >>> criterion_of("brier").words, criterion_of([[0, 5], [1, 0]]).name
    ('Brier score', 'cost')
    """
    if isinstance(loss, str):
        return criterion_named(loss)
    try:
        costs = np.asarray(loss, dtype=float)
    except (TypeError, ValueError):
        raise InvalidInput(
            f"the loss is {loss!r}; expected a name, such as 'error', or a cost matrix of numbers, "
            "a row a true class, a column a predicted one."
        ) from None
    return Criterion(name="cost", costs=costs)


def run_study(
    study: Study,
    question: Question,
    into: str | Path | Ledger | None = None,
    *,
    anatomy: bool = True,
    notes: Sequence[str] = (),
    progress: ShowProgress | None = None,
    **running: Any,
) -> Ledger:
    """Run what the ledger does not have: all candidates, then what limits the best one.

    ``running`` goes to :meth:`Study.run`; ``notes`` are told where every candidate fails.
    The ledger is returned open.
    """
    race = Race() if question.race else None
    ledger = study.run(into, progress=progress, race=race, **running)
    if anatomy:
        case = case_of_study(study)
        evidence = read_evidence(case, ledger, question, notes=notes)
        _, ordering = order_by_rule(
            question, evidence.losses[evidence.sound], evidence.names, ratio=evidence.ratio
        )
        best = ordering.names[ordering.best]
        if best not in case.yardsticks:
            rivals = choose_rivals(evidence, best, case.yardsticks)
            fit_anatomy(study, ledger, best, rivals=rivals, progress=progress, **running)
    return ledger
