"""judge: every question asked of one ledger."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from signal import SIGINT, raise_signal
from threading import Timer, current_thread, main_thread
from time import monotonic
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.comparison import Criterion, RankSets, rank_sets
from polychotomy.core.arguments import as_floats, read_duration, shown, wrong_shape
from polychotomy.core.arrays import Floats, Ints
from polychotomy.core.exceptions import InvalidInput, StudyStopped
from polychotomy.core.numbers import seconds as said_seconds
from polychotomy.core.predictions import OutOfFold
from polychotomy.study import Ledger, Race, Study, TimeFolds
from polychotomy.study.design.candidates import LeftOut
from polychotomy.study.design.fixed_split import plan_of_splits
from polychotomy.study.design.plan import FirstRepetitions, Plan
from polychotomy.study.design.trials import Outcome
from polychotomy.study.progress import ShowProgress, as_show
from polychotomy.study.study import count_workers
from polychotomy.validation import (
    PredictionSets,
    Trust,
    assess_trust,
    confusion_of,
    out_of_fold_forecasts,
)
from polychotomy.validation.sets import assess_sets
from polychotomy.verdict import conclusions
from polychotomy.verdict.anatomy import (
    ALWAYS_ALLOWED,
    ANATOMY_SHARE,
    choose_rivals,
    fit_anatomy,
    read_anatomy,
)
from polychotomy.verdict.by_group import WeakSlice, errors_by_group, find_weak_slice
from polychotomy.verdict.case import Case, case_of_predictions, case_of_study, refuse_fitting
from polychotomy.verdict.columns import fit_columns, read_columns
from polychotomy.verdict.decisions import tune_decisions
from polychotomy.verdict.estimate import estimate_cost, within_budget
from polychotomy.verdict.evidence import Evidence, find_drift, read_evidence, summarise
from polychotomy.verdict.findings import Columns, NotAsked, Timings
from polychotomy.verdict.growing import how_steady, is_settled, so_far, with_runs
from polychotomy.verdict.notes import (
    gather_notes,
    note_lost,
    note_rare,
    note_table,
    note_tuned,
    note_unseen_values,
    note_untrained_classes,
    note_warnings,
    provenance_of,
)
from polychotomy.verdict.question import (
    Preference,
    Question,
    Rule,
    check_question,
    criterion_named,
    criterion_on,
    guessing_on,
    note_costs,
    one_split_in_time,
    plan_of,
    rungs_of,
)
from polychotomy.verdict.rungs import climb
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
        (``verdict.by``).
    budget : float or str, optional
        Seconds, or a time such as "10min", for all of it: what does not fit into it is left out,
        and said.
    sample_weight : (n,) whole numbers, optional
        How often each row counts: in every fit, error, test and interval, as if it stood in the
        table so often; copies of a row stay together, and are one case in tests. What limits the
        best is not asked then.
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
    criterion = criterion_of(loss if scoring is None else loss_of_score(scoring, loss))
    asked: dict[str, Any] = {"rule": rule, "margin": margin, "prefer": prefer, "against": against}
    if isinstance(notes, str) or not isinstance(notes, Sequence):
        raise InvalidInput(f"notes is {notes!r}; expected a list of remarks.")
    began, seconds = monotonic(), None if budget is None else read_duration(budget)
    found = _made_elsewhere(candidates, X, y)
    if found is not None:
        candidates, X, y = found, None, None
    if isinstance(candidates, Ledger):
        refuse_fitting(X=X, y=y, groups=groups, time=time, study=study, race=race, plan=plan, cv=cv)
        refuse_fitting(runs=runs if runs != 1 else None, random_state=random_state or None)
        refuse_fitting(budget=budget, sample_weight=sample_weight)
        case = case_of_predictions(candidates, None if dataset == "data" else dataset)
        question = Question(criterion=criterion_on(case.plan, criterion), **asked)
        question.criterion.check_classes(case.specification["datasets"][case.dataset]["classes"])
        verdict = conclude_case(case, candidates, question, notes=notes)
        return verdict if by is None else _with_groups(verdict, _name_of(by), by, case)
    question = Question(criterion=criterion, race=race, **asked)
    if X is None or y is None:
        raise InvalidInput(
            f"{'X' if X is None else 'y'} is None; expected judge(candidates, X, y), or, of "
            'predictions made elsewhere, judge(import_predictions("predictions.csv")).'
        )
    counted = None if sample_weight is None else _counted_rows(sample_weight, np.shape(y)[0])
    if counted is not None:
        for name, given in (("time", time), ("cv", cv), ("anatomy", anatomy or None)):
            if given is not None:
                raise InvalidInput(f"sample_weight together with {name}; expected one of the two.")
        by = X[by] if isinstance(by, str) and by in getattr(X, "columns", ()) else by
        by = by if by is None or isinstance(by, str) else _take(by, counted)
        notes = (
            *notes,
            f"{len(y)} rows count {len(counted)} times, by sample_weight; a row is one case",
        )
        groups = counted if groups is None else _take(groups, counted)
        X, y, anatomy = _take(X, counted), _take(y, counted), False
    if cv is not None:
        if plan is not None or time is not None or runs != 1:
            raise InvalidInput("cv=… together with plan, time or runs; expected one of these.")
        plan = plan_of_splits(cv, X, y, groups)
    resampling, most = plan_of(
        rule, runs, plan=plan, race=race, in_time=time is not None, rows=np.shape(y)[0]
    )
    todo = Study(
        candidates,
        X,
        y,
        dataset=dataset,
        plan=resampling,
        groups=groups,
        time=time,
        random_state=random_state,
    )
    todo = one_split_in_time(todo)
    check_question(question, todo)
    split_by = None if by is None else _values_of(by, todo)
    show = as_show(progress)
    workers = count_workers(n_jobs)
    remarks = (*notes, *gather_notes(lambda: note_table(todo, known=notes)))
    left_out: tuple[LeftOut, ...] = ()
    pilots: tuple[Outcome, ...] = ()
    if seconds is not None:
        estimate = estimate_cost(todo, fits=dict.fromkeys(todo.candidates, todo.plan.n_trials))
        left = seconds - (monotonic() - began)
        todo, left_out, estimate = within_budget(todo, estimate, workers, left)
        check_question(question, todo)
        pilots = estimate.pilots
    return run_to_verdict(
        todo,
        question,
        study,
        began=began,
        budget=seconds,
        anatomy=anatomy,
        notes=remarks,
        most_runs=most,
        left_out=left_out,
        by=split_by,
        pilots=pilots,
        n_jobs=workers,
        progress=show,
    ).verdict


def _made_elsewhere(candidates: Any, X: Any, y: Any) -> Ledger | None:
    """Return the predictions of a report, or of what ``cross_validate`` kept; None of others."""
    kept = isinstance(candidates, Mapping) and any(isinstance(c, dict) for c in candidates.values())
    if not kept and not hasattr(candidates, "reports_"):
        return None
    from polychotomy.study import import_predictions
    from polychotomy.study.ledger import answer_formats

    if not kept:
        return import_predictions(candidates)
    if not answer_formats.is_cross_validated(candidates):
        return None
    return import_predictions(answer_formats.from_cross_validate(dict(candidates), X, y))


def _counted_rows(weights: ArrayLike, n: int) -> Ints | None:
    """Return the rows, each as often as it counts; None where all count alike."""
    given = as_floats("sample_weight", weights)
    if given.shape != (n,):
        raise wrong_shape("sample_weight", given, f"({n},), a number for each row")
    if not (given >= 0).all() or not given.any():
        raise InvalidInput("sample_weight has a negative number, or only 0; expected some above.")
    if (given == given[0]).all():
        return None
    # Not weights passed to fit: many learners take none, and pipelines lose them on the way.
    if (given % 1 != 0).any() or given.mean() > _MOST_COPIES:
        raise InvalidInput(
            f"sample_weight is {given[np.argmax(given % 1)]:g} in some row, {given.mean():.3g} on "
            f"average; expected whole numbers, {_MOST_COPIES} at most on average: how often each "
            "row counts. Multiply and round others."
        )
    return np.repeat(np.arange(n), given.astype(int))


_MOST_COPIES = 20


def _take(values: Any, rows: Ints) -> Any:
    """Return some rows, of whatever holds them."""
    indexed = values if hasattr(values, "shape") else np.asarray(values, dtype=object)
    return indexed.iloc[rows] if hasattr(indexed, "iloc") else indexed[rows]


def _values_of(by: Any, study: Study) -> tuple[str, Any]:
    """Return what the groups are called, and their values: a column of the table, or given."""
    X = study.X
    if isinstance(by, str):
        if by not in getattr(X, "columns", ()):
            raise InvalidInput(
                f"by={by!r} is no column of X; expected one of a DataFrame, or values, "
                "one for each row."
            )
        name, values = by, X[by]
    else:
        name, values = _name_of(by), by
    errors_by_group(np.zeros(study.data.n), values, column=name)  # now, not after the fits
    return name, values


def _name_of(values: Any) -> str:
    return str(getattr(values, "name", None) or "group")


class Drawn(NamedTuple):
    """A verdict, and whether somebody stopped its study."""

    verdict: Verdict
    stopped: bool


_SO_FAR = (
    "this is the verdict so far{made}, as {why}: its intervals hold for that{more}; the same "
    "again, with a study file, goes on from there"
)

_MORE_DRAWINGS = (
    ", and more repetitions would make the choice depend less on how the folds were drawn"
)


def run_to_verdict(
    study: Study,
    question: Question,
    into: str | Path | Ledger | None,
    *,
    began: float,
    budget: float | None,
    anatomy: bool | None,
    notes: Sequence[str],
    most_runs: int,
    left_out: tuple[LeftOut, ...],
    by: tuple[str, Any] | None,
    stoppable: bool = False,
    about: Mapping[str, Any] | None = None,
    **running: Any,
) -> Drawn:
    """Run a study into a ledger, or a file of one, and draw its verdict.

    A study whose time is over gives the verdict on what of it is complete; where it is
    ``stoppable``, whoever stops it gets that, too. ``about`` goes to :func:`conclude`, ``running``
    to :func:`run_study`.
    """
    deadline = np.inf if budget is None else began + budget
    ledger, stopped = into if isinstance(into, Ledger) else Ledger(into), False
    grows, part = most_runs > 1, None
    try:
        try:
            options: dict[str, Any] = {"anatomy": anatomy, "notes": notes, "most_runs": most_runs}
            with _interrupting_at(deadline):
                run_study(study, question, ledger, deadline=deadline, **options, **running)
            part = so_far(study, ledger, question) if grows else None
        except KeyboardInterrupt as end:
            stopped = monotonic() < deadline
            part = so_far(study, ledger, question, grows=grows)
            if stopped and not stoppable:
                raise
            why = "somebody stopped it" if stopped else f"its {said_seconds(budget or 0)} are over"
            if part is None:
                least = "all folds" if question.rule == "paper" else "one repetition of the folds"
                missing = f"; there is no verdict yet, as no candidate has {least}"
                if stopped:
                    raise KeyboardInterrupt(f"{str(end) or 'stopped'}{missing}") from None
                more = f"{why}{missing}. Give it more time, or fewer candidates."
                raise StudyStopped(more) from None
            plan, made = part[0].plan, ""
            if isinstance(plan, FirstRepetitions):
                made = f", by {plan.repetitions} of {plan.of} repetitions"
            more = _MORE_DRAWINGS if grows or plan != study.plan else ""
            notes = (*notes, _SO_FAR.format(made=made, why=why, more=more))
        if part is not None:
            study, left_out = part[0], (*left_out, *part[1])
        asked: dict[str, Any] = {"anatomy": anatomy is not False, **(about or {})}
        verdict = conclude(study, ledger, question, notes=notes, left_out=left_out, **asked)
        return Drawn(verdict if by is None else _with_groups(verdict, *by), stopped)
    finally:
        if ledger is not into:
            ledger.close()


_PATIENCE = 3.0  # seconds that a fit may go on after the time is over


@contextmanager
def _interrupting_at(deadline: float) -> Iterator[None]:
    """Stop like somebody who presses Ctrl-C once the time is over, and soon after once more.

    Not by looking at the clock after every fit: a single one may take longer than all the time.
    """
    if deadline == np.inf or current_thread() is not main_thread():
        yield
        return
    left = max(deadline - monotonic(), 0.0)
    timers = [Timer(left + wait, raise_signal, [SIGINT]) for wait in (0.0, _PATIENCE)]
    for timer in timers:
        timer.daemon = True
        timer.start()
    try:
        yield
    finally:
        for timer in timers:
            timer.cancel()


def _with_groups(verdict: Verdict, column: str, values: Any, case: Case | None = None) -> Verdict:
    """Add for whom it errs; where that cannot be said, a note: the fits are not lost by it."""
    told = {} if case is None else {"groups": case.groups, "weights": case.weights}
    try:
        return replace(verdict, by=verdict.errors_by(values, column=column, **told))
    except InvalidInput as error:
        note = f"errors by {column!r} were left out: {error}"
        return replace(verdict, notes=(*verdict.notes, note))


_LOSSES = {
    "accuracy": "error",
    "balanced_accuracy": "balanced-error",
    "f1_macro": "macro-f1",
    "matthews_corrcoef": "mcc",
    "neg_log_loss": "log-loss",
    "neg_brier_score": "brier",
    "roc_auc": "auc",
    "roc_auc_ovo": "auc",
}


def loss_of_score(scoring: str, loss: Any = "error") -> str:
    """Return the loss that one of scikit-learn's scores is of.

    Examples
    --------
    >>> loss_of_score("balanced_accuracy")
    'balanced-error'
    """
    if not isinstance(scoring, str) or scoring not in _LOSSES or loss != "error":
        also = "" if loss == "error" else f" together with loss={shown(loss)}"
        raise InvalidInput(
            f"scoring={shown(scoring)}{also}; expected one of {', '.join(_LOSSES)}, alone: by "
            "these can candidates be compared. Costs of errors are loss=[[…], …]."
        )
    return _LOSSES[scoring]


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
            "whose rows are true classes and columns predicted classes."
        ) from None
    return Criterion(name="cost", costs=costs)


def run_study(
    study: Study,
    question: Question,
    into: str | Path | Ledger | None = None,
    *,
    anatomy: bool | None = True,
    notes: Sequence[str] = (),
    progress: ShowProgress | None = None,
    pilots: Sequence[Outcome] = (),
    most_runs: int = 1,
    deadline: float | None = None,
    tell: Callable[[str], None] | None = None,
    **running: Any,
) -> Ledger:
    """Run what the ledger does not have: all candidates, then what limits the best one.

    ``running`` goes to :meth:`Study.run`; ``notes`` are told where every candidate fails;
    ``pilots`` are fits that were made beforehand. The ledger is returned open.

    Up to ``most_runs`` runs of the plan are made, as long as another one might change the choice;
    :func:`so_far` tells how many there are. On large tables, fits on some of the rows come first;
    ``tell`` is given a line on each such size. What limits the best is asked where ``anatomy`` is
    True, and where it is None if the time allows: a share of what the comparison took, and up to
    the ``deadline``, by the monotonic clock.
    """
    question = question.about(guessing_on(study, question))
    race = Race() if question.race else None
    ledger = into if isinstance(into, Ledger) else Ledger(into)
    deadline = np.inf if deadline is None else deadline
    try:
        study.record_pilots(ledger, pilots)
        if most_runs > 1 and rungs_of(study, question):
            study = climb(study, question, ledger, tell=tell, progress=progress, **running)
        study.run(ledger, progress=progress, race=race, **running)
        while study.plan.runs < most_runs:
            evidence = read_evidence(case_of_study(study), ledger, question, notes=notes)
            repetition = _seconds(evidence) / study.plan.runs / running.get("n_jobs", 1)
            if is_settled(question, evidence) or monotonic() + repetition > deadline:
                break
            study = with_runs(study, study.plan.runs + 1)
            study.run(ledger, progress=progress, **running)
        if anatomy is not False:
            case = case_of_study(study)
            evidence = read_evidence(case, ledger, question, notes=notes)
            _, ordering = conclusions.order_candidates(question, evidence)
            best = ordering.names[ordering.best]
            if best not in case.baselines and best not in evidence.contradictions:
                within = None
                if anatomy is None:
                    within = max(ANATOMY_SHARE * _seconds(evidence), ALWAYS_ALLOWED)
                    within = min(within, (deadline - monotonic()) * running.get("n_jobs", 1))
                rivals = choose_rivals(evidence, best, case.baselines)
                asked: dict[str, Any] = {"within": within, "progress": progress}
                fit_anatomy(study, ledger, best, rivals=rivals, **asked, **running)
                if within is not None:
                    left = (deadline - monotonic()) * running.get("n_jobs", 1)
                    asked["within"] = min(within, left)
                fit_columns(study, ledger, question.criterion, best, **asked, **running)
    except BaseException:
        if ledger is not into:
            ledger.close()
        raise
    return ledger


def _seconds(evidence: Evidence) -> float:
    """Return what the comparison took, in seconds of fitting and predicting."""
    return sum(trial["fit_seconds"] + trial["predict_seconds"] for trial in evidence.trials)


def conclude(
    study: Study,
    ledger: Ledger,
    question: Question | None = None,
    *,
    anatomy: bool = True,
    notes: Sequence[str] = (),
    left_out: Sequence[LeftOut] = (),
    command: str | None = None,
    mark: str | None = None,
) -> Verdict:
    """Draw the verdict from a ledger; nothing is fitted.

    Without ``anatomy``, what the ledger has on what limits the best candidate is not read.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from polychotomy.study import Study
    >>> X, y = load_iris(return_X_y=True)
    >>> study = Study({"MAX": DummyClassifier(), "naive Bayes": GaussianNB()}, X, y)
    >>> with study.run() as ledger:
    ...     conclude(study, ledger).best
    'naive Bayes'
    """
    for name, given, kind in (
        ("study", study, Study),
        ("ledger", ledger, Ledger),
        ("question", question or Question(), Question),
    ):
        if not isinstance(given, kind):
            raise InvalidInput(
                f"{name} is {shown(given)}; expected a {kind.__name__}: conclude(study, ledger) "
                "with ledger = study.run(), or judge(candidates, X, y) for all in one."
            )
    verdict = conclude_case(
        case_of_study(study),
        ledger,
        question or Question(),
        anatomy=anatomy,
        notes=notes,
        note_more=lambda: [*note_tuned(study), *note_unseen_values(study, ledger)],
        left_out=left_out,
        command=command,
        mark=mark,
    )
    return replace(verdict, study=study, weak=_weak(verdict, study))


def _weak(verdict: Verdict, study: Study) -> WeakSlice | None:
    """Look where in the columns the best one errs more; sparse ones have too many to look at."""
    if verdict.wrong is None or verdict.guesses or hasattr(study.X, "tocsr"):
        return None
    return find_weak_slice(verdict.wrong, study.X, groups=study.groups)


def conclude_case(
    case: Case,
    ledger: Ledger,
    question: Question,
    *,
    anatomy: bool = True,
    notes: Sequence[str] = (),
    note_more: Callable[[], Iterable[str]] = tuple,
    left_out: Sequence[LeftOut] = (),
    command: str | None = None,
    mark: str | None = None,
) -> Verdict:
    """Draw the verdict on one case of a ledger, wherever its fits were made."""
    evidence = read_evidence(case, ledger, question, notes=notes)
    guessing = conclusions.guessing_of(question, evidence)
    question = question.about(guessing)
    frequencies, ordering = conclusions.order_candidates(question, evidence)
    best = ordering.names[ordering.best]
    pairs = conclusions.compare_all(question, evidence)
    guess = best if best in case.baselines else None
    selected = conclusions.correct_for_choice(
        question, evidence, case.groups, guess=guess, seed=case.seed
    )
    forecasts, trust_notes = conclusions.some_forecasts(evidence.tested)
    candidates = summarise(evidence)
    trust = assess_trust(forecasts, best, random_state=case.seed)
    sets = None if trust.hard or guess else _sets(forecasts, trust)
    ranking = conclusions.rank_rows(evidence, best, candidates, case.baselines)
    combination, combination_notes = conclusions.combine(evidence, best, guess=guess)
    recalibrated = conclusions.ask_recalibrated(question, evidence, best)
    limits, limits_notes = read_anatomy(case, ledger, evidence, best, asked=anatomy)
    columns = _columns(case, ledger, question, best, asked=anatomy)
    asked = (
        ("anatomy", limits), ("columns", columns), ("combination", combination),
        ("recalibrated", recalibrated),
    )  # fmt: skip
    not_asked = {name: one.reason for name, one in asked if isinstance(one, NotAsked)}
    provenance = provenance_of(
        case, ledger, question, trust=trust, selected=selected, command=command, mark=mark
    )
    # The labels that were scored: by costs not the most probable, but the cheapest.
    scored = question.criterion.decisions(evidence.predictions)
    by_time = isinstance(case.plan, TimeFolds) and question.criterion.name == "error"
    wrong = _wrong(scored[evidence.predictions.names.index(best)], evidence.predictions.y)
    verdict = Verdict(
        best=best,
        ordering=ordering,
        rule=question.rule,
        margin=question.smallest_difference,
        criterion=question.criterion,
        other_rule=conclusions.ask_other_rule(question, evidence),
        frequencies=frequencies,
        differences=pairs,
        selected=selected,
        recalibrated=None if isinstance(recalibrated, NotAsked) else recalibrated,
        undecided=conclusions.find_undecided(question, evidence, ordering, pairs, case.baselines),
        price=conclusions.price_candidates(candidates, evidence, question.criterion.words),
        trust=trust,
        anatomy=None if isinstance(limits, NotAsked) else limits,
        combination=None if isinstance(combination, NotAsked) else combination,
        confusion=confusion_of(replace(evidence.predictions, predicted=scored), best),
        gate=conclusions.hold_gate(question, evidence, ordering, case.baselines),
        ranking=ranking,
        candidates=candidates,
        failures=evidence.failures,
        left_out=tuple(left_out),
        dataset={"name": case.dataset, **case.specification["datasets"][case.dataset]},
        plan={"name": case.plan.name, **case.plan.to_dict()},
        training_share=evidence.training_share,
        baselines=case.baselines,
        timings=_timings(ledger, case.dataset),
        model=None,
        provenance=provenance,
        notes=(
            *notes,
            *gather_notes(
                note_more,
                lambda: note_costs(question.criterion, evidence.predictions.classes),
                lambda: note_rare(question, evidence.predictions),
                lambda: note_untrained_classes(case.plan, evidence.splits, evidence.predictions),
            ),
            *evidence.notes,
            *trust_notes,
            *limits_notes,
            *combination_notes,
            *not_asked.values(),
            *gather_notes(lambda: note_warnings(evidence.trials), lambda: note_lost(provenance)),
        ),
        drift=find_drift(evidence, best, grouped=case.groups is not None) if by_time else None,
        not_asked=not_asked,
        contradictions=tuple(evidence.contradictions.values()),
        decisions=tune_decisions(question.criterion, evidence, best, trust),
        sets=sets,
        ranks=_ranks(evidence),
        wrong=None if question.criterion.name == "score" else wrong,
        steady=how_steady(question, evidence),
        guessing=guessing,
        columns=None if isinstance(columns, NotAsked) else columns,
    )
    column, values = (ledger.fact("by") or {}).get(case.dataset, (None, ()))
    return (
        verdict if column is None else _with_groups(verdict, column, _numbers_if_all(values), case)
    )


def _numbers_if_all(texts: Sequence[str]) -> Sequence[Any]:
    """Return what a file has as texts as numbers, if these are all numbers or gaps."""
    try:
        return [float(text or "nan") for text in texts]
    except ValueError:
        return texts


def _columns(
    case: Case, ledger: Ledger, question: Question, best: str, *, asked: bool
) -> Columns | NotAsked:
    """Read which columns matter, or say why that is not known."""
    found = ((ledger.fact("columns") or {}).get(case.dataset) or {}).get(best)
    if asked and found is not None and found["loss"] == question.criterion.to_dict():
        return read_columns(found)
    why = " (--no-anatomy, or anatomy=False in Python)"
    if not case.can_fit:
        why = ": it takes further fits, and of predictions made elsewhere there are none"
    elif best in case.baselines:
        why = ": the best candidate only guesses"
    elif asked and found is not None:
        why = ": that was by another loss; judging again by this one asks it"
    elif asked:
        why = ": it takes further fits, which there was no time for; --anatomy asks it"
    return NotAsked(f"which columns matter was not asked{why}")


def _ranks(evidence: Evidence) -> RankSets | None:
    """Find the ranks of models as they are; those that learn would vary with the training set."""
    if not evidence.as_given or evidence.cases is None or len(evidence.names) < 3:
        return None
    losses = evidence.cases[evidence.sound].mean(axis=1)
    return rank_sets(losses, names=evidence.names, groups=evidence.groups)


def _wrong(labels: Ints, y: Ints) -> Floats:
    """Share of the labels, (runs, repetitions, n), that are wrong; NaN where there is none."""
    made = (labels >= 0).sum(axis=(0, 1))
    wrong = ((labels >= 0) & (labels != y)).sum(axis=(0, 1))
    return np.divide(wrong, made, out=np.full(len(y), np.nan), where=made > 0)


def _sets(predictions: OutOfFold, trust: Trust) -> PredictionSets:
    """Find sets of the probabilities that a model of the best one gives, recalibrated or not."""
    mended = trust.recalibration.probabilities
    return assess_sets(out_of_fold_forecasts(predictions, trust.name), mended)


def _timings(ledger: Ledger, dataset: str) -> Timings:
    own = ledger.trials(dataset=dataset)
    spent = sum(t["fit_seconds"] + t["predict_seconds"] for t in own)
    more = ((ledger.fact("columns") or {}).get(dataset) or {}).values()
    fits, seconds = (sum(one.get(part, 0) for one in more) for part in ("fits", "seconds"))
    return Timings(len(own) + fits, spent + seconds)
