"""judge: the door to every question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.core.arguments import read_duration
from polychotomy.core.arrays import Ints
from polychotomy.core.estimators import counts_for, counts_near
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.numbers import percent
from polychotomy.study import Ledger, Study
from polychotomy.study.design.candidates import LeftOut
from polychotomy.study.design.fixed_split import plan_of_splits
from polychotomy.study.design.plan import Plan
from polychotomy.study.design.trials import Outcome
from polychotomy.study.progress import ShowProgress, as_show
from polychotomy.study.study import count_workers
from polychotomy.tables.column_notes import gather_notes
from polychotomy.verdict.by_group import errors_by_group
from polychotomy.verdict.case import case_of_predictions, refuse_fitting
from polychotomy.verdict.conclusions import conclude_case, run_to_verdict, with_groups
from polychotomy.verdict.estimate import estimate_cost, within_budget
from polychotomy.verdict.notes import note_rare, note_table, warn_of
from polychotomy.verdict.question import (
    Preference,
    Question,
    Rule,
    check_question,
    criterion_of,
    criterion_on,
    loss_of_score,
    one_split_in_time,
    plan_of,
)
from polychotomy.verdict.verdict import Verdict


def judge(
    candidates: Mapping[str, Any] | Ledger | Any,
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
    anatomy: bool | None = None,
    study: str | Path | None = None,
    plan: str | Plan | None = None,
    cv: Any = None,
    scoring: str | None = None,
    by: Any = None,
    budget: float | str | None = None,
    sample_weight: ArrayLike | None = None,
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
    candidates : {name: classifier}, Ledger, report or {name: cross_validate(…)}
        scikit-learn classifiers in order of preference, simplest first; or predictions, as
        `import_predictions` reads them; a ``ComparisonReport`` of skore; or, with ``X`` and ``y``,
        what ``cross_validate(…, return_estimator=True, return_indices=True)`` returned of each.
    X : (n, features) DataFrame, array or sparse matrix
        Given to the candidates as it is.
    y : (n,) labels
    rule : {"margin", "paper"}
        "margin" takes the most preferred candidate whose loss, by repeated 5-fold
        cross-validation, is within ``margin`` of every less preferred one's; measured to cost
        hardly more than the lowest mean, with simpler picks. "paper" is MultiTest [YA06]_: 5×2
        cross-validation, one-sided 5×2cv t tests at 0.05 with Bonferroni's correction; the most
        preferred candidate that is not *shown* to be worse than another. With little data little
        is shown, and simple candidates are kept at a price.
    margin : float, optional
        Difference that is of no practical meaning; by default 0.01, one point of error, and
        of a cost matrix 1 % of its largest entry by size, but with "margin" no more than a
        twentieth of what guessing loses. By the default one that is shown to be worse than
        another is not chosen, however little worse it is; a margin that you give is kept to.
    loss : str or (k, k) array-like
        By what candidates are compared: "error", "log-loss", "auc", "brier", "balanced-error",
        "macro-f1", "mcc", "kappa" or "recall-at-precision" (see `Criterion`); an array is a cost
        matrix: rows are true classes, columns predicted classes, in sorted order.
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
    anatomy : bool, optional
        Ask what limits the best candidate, too: 50 bootstrap fits and 20 at smaller sizes, and 25
        bootstrap fits of up to two rivals where there is time. By default where all of it takes no
        longer than half of the comparison, or 20 seconds.
    study : path, optional
        Keep the ledger in this file; what it already has is not fitted again.
    plan : str or Plan, optional
        How to resample: "5x5" is five repetitions of five folds. By default five folds, repeated,
        up to five times, while another drawing of the folds might well lead to another choice;
        with "paper" 5×2 folds, and with a race or several runs 5×5.
    cv : int, splitter or iterable of (train, test), optional
        The folds, as scikit-learn has them, in place of a plan: every row is predicted once in
        each repetition, from all rows of the other folds; or once and for all from the rest.
    scoring : str, optional
        The loss by scikit-learn's name for its score: "accuracy", "balanced_accuracy",
        "f1_macro", "matthews_corrcoef", "neg_log_loss", "neg_brier_score" or "roc_auc".
    by : str or (n,) values, optional
        A column of ``X``, or values: in groups of these the best one's error is given, too
        (``verdict.by``). Of predictions `import_predictions` reads the column.
    budget : float or str, optional
        Seconds, or a time such as "10min", for all of it: what does not fit into it is left out,
        and said.
    sample_weight : (n,) numbers, optional
        How often each row counts: in every fit, error, test and interval, as if it stood in the
        table so often; copies of a row stay together, and are one case in tests. What limits the
        best is not asked then. Weights that are no multiples of one number are rounded to such
        ones, by which at most 5 % of all weight moves; a note says how much.
    runs : int
        Runs of the cross-validation. With several, "paper" takes the most frequent order, "margin"
        all folds together.
    n_jobs : int
        Worker processes; −1 is one for each processor.
    random_state : int
        Seed of the study.
    dataset : str
        What to call the data; of a ledger with several data sets, the one to judge.
    notes : sequence of str
        Remarks about the data to hand on to the reader, such as those of `read_table`. Those on
        the columns of a DataFrame are found here, too.
    progress : callable or bool, optional
        Called with a ``Progress`` at the beginning and after every fit. True prints a line every
        tenth of the way, on standard error; in a notebook there is a bar unless it is False.

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
    began, seconds = monotonic(), None if budget is None else read_duration(budget)
    criterion = criterion_of(loss if scoring is None else loss_of_score(scoring, loss))
    ask = partial(Question, rule=rule, margin=margin, prefer=prefer, against=against)
    if isinstance(notes, str) or not isinstance(notes, Sequence):
        raise InvalidInput(f"notes is {notes!r}; expected a list of remarks.")
    _refuse_other_order(candidates, X, y)
    ledger = _made_elsewhere(candidates, X, y)
    if ledger is not None:
        if ledger is candidates:
            refuse_fitting(X=X, y=y)
        refuse_fitting(groups=groups, time=time, study=study, race=race, plan=plan, cv=cv)
        refuse_fitting(runs=runs if runs != 1 else None, random_state=random_state or None)
        refuse_fitting(budget=budget, sample_weight=sample_weight)
        case = case_of_predictions(ledger, None if dataset == "data" else dataset)
        question = ask(criterion=criterion_on(case.plan, criterion))
        question.criterion.check_classes(case.specification["datasets"][case.dataset]["classes"])
        known, _ = (ledger.fact("by") or {}).get(case.dataset, (None, ()))
        asked = None if isinstance(by, str) and by == known else by  # what it was read with is told
        split_by = None if asked is None else _values_of(asked, X, len(ledger.truth(case.dataset)))
        verdict = conclude_case(case, ledger, question, notes=notes)
        return verdict if split_by is None else with_groups(verdict, *split_by, case)
    question = ask(criterion=criterion, race=race)
    if X is None or y is None:
        raise InvalidInput(
            f"{'X' if X is None else 'y'} is None; expected judge(candidates, X, y), or, of "
            'predictions made elsewhere, judge(import_predictions("predictions.csv")).'
        )
    for name, given in (("y", y), ("groups", groups), ("time", time)):
        if isinstance(given, str):
            raise InvalidInput(
                f"{name}={given!r}; expected a value for each row, {name}=X[{given!r}]. What is no "
                f"feature is left out of X: X.drop(columns={given!r})."
            )
    weighted = None if sample_weight is None else _counted_rows(sample_weight, np.shape(y)[0])
    if weighted is not None:
        for name, given in (("time", time), ("cv", cv), ("anatomy", anatomy or None)):
            if given is not None:
                raise InvalidInput(f"sample_weight together with {name}; expected one of the two.")
        rows, said = weighted
        by = by if by is None or isinstance(by, str) else _take(by, rows)
        notes, anatomy = (*notes, said), False
        groups = rows if groups is None else _take(groups, rows)
        X, y = _take(X, rows), _take(y, rows)
    if cv is not None:
        if plan is not None or time is not None or runs != 1:
            raise InvalidInput("cv=… together with plan, time or runs; expected one of these.")
        plan = plan_of_splits(cv, X, y, groups)
    resampling, most_runs = plan_of(
        rule, runs, plan=plan, race=race, in_time=time is not None, rows=np.shape(y)[0]
    )
    tried: Any = candidates
    options: dict[str, Any] = {"groups": groups, "time": time, "random_state": random_state}
    todo = one_split_in_time(Study(tried, X, y, dataset=dataset, plan=resampling, **options))
    check_question(question, todo)
    split_by = None if by is None else _values_of(by, todo.X, todo.data.n)
    show, workers = as_show(progress), count_workers(n_jobs)
    remarks = (*notes, *gather_notes(lambda: note_table(todo, known=notes)))
    target = todo.data.target
    rare = gather_notes(lambda: note_rare(question, target.names, target.codes))
    warn_of((*remarks, *rare), dataset)
    left_out: tuple[LeftOut, ...] = ()
    pilots: tuple[Outcome, ...] = ()
    expected: dict[str, float] | None = None
    if seconds is not None:
        fits = dict.fromkeys(todo.candidates, todo.plan.n_trials)
        estimate = estimate_cost(todo, fits=fits, budget=seconds)
        left = seconds - (monotonic() - began)
        todo, left_out, estimate = within_budget(todo, estimate, workers, left)
        check_question(question, todo)
        pilots, expected = estimate.pilots, estimate.expected
    return run_to_verdict(
        todo, question, study, began=began, budget=seconds, anatomy=anatomy, notes=remarks,
        most_runs=most_runs, left_out=left_out, by=split_by, pilots=pilots, n_jobs=workers,
        progress=show, expected=expected,
    ).verdict  # fmt: skip


def _refuse_other_order(candidates: Any, X: Any, y: Any) -> None:
    """Refuse the first three in another order, such as scikit-learn's, which begins with X, y."""

    def learns(given: Any) -> bool:
        some = given if isinstance(given, list | tuple) else [given]
        return isinstance(given, Mapping) or any(hasattr(one, "fit") for one in some)

    axes = getattr(X, "ndim", 2), getattr(y, "ndim", 1)
    if learns(X) or learns(y) or (axes == (1, 2) and isinstance(candidates, Mapping)):
        raise InvalidInput(
            "candidates, X and y are in another order; expected judge(candidates, X, y): a dict "
            "{name: classifier}, then the table, then a label for each of its rows."
        )


def _made_elsewhere(candidates: Any, X: Any, y: Any) -> Ledger | None:
    """Return predictions, those of a report, or what ``cross_validate`` kept; None of others."""
    if isinstance(candidates, Ledger):
        return candidates
    from polychotomy.study import import_predictions
    from polychotomy.study.ledger import answer_formats

    if hasattr(candidates, "reports_"):
        return import_predictions(candidates)
    results = dict(candidates) if isinstance(candidates, Mapping) else {}
    if answer_formats.is_cross_validated(results):
        frame = answer_formats.from_cross_validate(results, X, y)
        _check_results(results, y)
        return import_predictions(frame)
    for name, one in results.items():
        if answer_formats.is_cross_validated({name: one}):
            raise InvalidInput(
                f"{name!r} is what cross_validate returned, and another candidate is none such; "
                "expected that of all candidates, or classifiers alone."
            )
    return None


def _check_results(results: dict[str, Any], y: Any) -> None:
    """Refuse what ``cross_validate`` returned of other folds or labels."""
    dealt = {name: [*map(list, one["indices"]["test"])] for name, one in results.items()}
    first, *others = dealt
    for name in others:
        if dealt[name] != dealt[first]:
            raise InvalidInput(
                f"{name!r} was cross-validated on other folds than {first!r}; expected one cv for "
                "all, such as cv=StratifiedKFold(5, shuffle=True, random_state=0)."
            )
    fits = (fit for one in results.values() for fit in one["estimator"])
    known = {label for fit in fits for label in np.asarray(getattr(fit, "classes_", ())).tolist()}
    unknown = {*np.asarray(y).tolist()} - known
    if known and unknown:
        raise InvalidInput(
            f"y has the label {min(unknown, key=str)!r}, which no model was fitted with; expected "
            "the X and y that cross_validate was given."
        )


def _counted_rows(weights: ArrayLike, n: int) -> tuple[Ints, str] | None:
    """Return the rows, each as often as it counts, and a note; None where all count alike."""
    from polychotomy.multiclass.training import check_sample_weight

    given = check_sample_weight(weights, n)
    if (given == given[0]).all():
        return None
    # Not weights passed to fit: many learners take none, pipelines lose them on the way, and tests
    # over rows would have to know them. Any weights are rounded to numbers of copies instead.
    exact = counts_for(given)
    near = counts_near(given) if exact is None else (exact, 0.0)
    if near is None:
        raise InvalidInput(
            f"sample_weight is {given[given > 0].min():g} to {given.max():g}; expected weights of "
            "which hardly any is less than a fortieth of the mean one. Cut the largest, such as by "
            "np.minimum(w, 20 * np.median(w)), or leave rows of next to no weight out."
        )
    counts, moved = near
    rows = np.repeat(np.arange(n), counts)
    said = f"{n} rows count {len(rows)} times, by sample_weight; a row is one case"
    if moved:
        said += f"; weights are rounded, by which {percent(moved)} of all weight moves"
    return rows, said


def _take(values: Any, rows: Ints) -> Any:
    """Return some rows, of whatever holds them."""
    indexed = values if hasattr(values, "shape") else np.asarray(values, dtype=object)
    return indexed.iloc[rows] if hasattr(indexed, "iloc") else indexed[rows]


def _values_of(by: Any, X: Any, n: int) -> tuple[str, Any]:
    """Return what the groups are called, and their values: a column of the table, or given."""
    if isinstance(by, str):
        if by not in getattr(X, "columns", ()):
            raise InvalidInput(
                f"by={by!r} is no column of X; expected one of a DataFrame, or values, one for "
                f"each row. Of predictions, import_predictions(…, by={by!r}) reads the column."
            )
        name, values = by, X[by]
    else:
        name, values = str(getattr(by, "name", None) or "group"), by
    errors_by_group(np.zeros(n), values, column=name)  # now, not after the fits
    return name, values
