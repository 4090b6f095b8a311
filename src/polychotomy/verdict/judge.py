"""judge: every question asked of one ledger."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from polychotomy.arrays import Floats
from polychotomy.combination import CombinationAdvice, would_combining_help
from polychotomy.exceptions import InvalidInput, LearnerError
from polychotomy.predictions import OutOfFold
from polychotomy.study import Ledger, Study
from polychotomy.study.specification import fingerprint
from polychotomy.study.study import Progress
from polychotomy.validation import assess_trust
from polychotomy.verdict.rules import Rule, order_by_rule, plan_of
from polychotomy.verdict.verdict import Candidate, Failure, Verdict

_MOST_CLASS_PAIRS = 200  # each takes some hundredths of a second


def judge(
    candidates: Mapping[str, Any],
    X: Any,
    y: Any,
    *,
    rule: Rule = "paper",
    study: str | Path | None = None,
    runs: int = 1,
    n_jobs: int = 1,
    random_state: int = 0,
    dataset: str = "data",
    notes: Sequence[str] = (),
    progress: Progress | None = None,
) -> Verdict:
    """Say which candidate to use on a labelled table, and why.

    Each candidate is cross-validated into a ledger, and every answer is a function of it.

    Parameters
    ----------
    candidates : {name: classifier}
        scikit-learn classifiers in order of preference, simplest first.
    X : (n, features) DataFrame, array or sparse matrix
        Given to the candidates as it is.
    y : (n,) labels
    rule : {"paper", "margin"}
        "paper" is MultiTest [YA06]_: 5×2 cross-validation, one-sided 5×2cv t tests at 0.05 with
        Bonferroni's correction; the most preferred candidate that is not *shown* to be worse than
        another. With little data little is shown, and simple candidates are kept at a price.
        "margin" takes, by 5×5-fold cross-validation, the most preferred candidate whose error is
        within one point of every less preferred one's; measured to cost hardly more than the
        lowest mean, with simpler picks.
    study : path, optional
        Keep the ledger in this file; what it already has is not fitted again.
    runs : int
        Runs of the cross-validation. With several, "paper" takes the most frequent order, "margin"
        all folds together.
    n_jobs : int
        Worker processes.
    random_state : int
        Seed of the study.
    dataset : str
        What to call the data.
    notes : sequence of str
        Remarks about the data to hand on to the reader.
    progress : callable, optional
        Called with trials finished, trials planned, failures so far.

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
    """
    plan = plan_of(rule, runs)
    todo = Study(candidates, X, y, dataset=dataset, plan=plan, random_state=random_state)
    with todo.run(study, n_jobs=n_jobs, progress=progress) as ledger:
        return conclude(todo, ledger, rule=rule, notes=notes)


def conclude(
    study: Study, ledger: Ledger, *, rule: Rule = "paper", notes: Sequence[str] = ()
) -> Verdict:
    """Draw the verdict from a ledger; nothing is fitted.

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
    predictions = study.gather(ledger)
    errors = predictions.fold_errors()  # (m, runs, repetitions, folds)
    trials = [
        trial
        for trial in ledger.trials()
        if (trial["dataset"], trial["plan"]) == (study.dataset, study.plan.name)
        and trial["candidate"] in study.candidates
        and trial["run"] < study.plan.runs
    ]
    failures = _failures(trials)
    sound = ~np.isnan(errors).any(axis=(1, 2, 3))
    if not sound.any():
        first = failures[0]
        raise LearnerError(
            f"every candidate failed somewhere, so there is nothing to compare; {first.candidate!r}"
            f" for one, in repetition {first.repetition}, fold {first.fold}: {first.cause}"
        )
    names = np.array(list(study.candidates), dtype=object)
    frequencies, ordering = order_by_rule(rule, errors[sound], names[sound].tolist())
    combination, unasked = _combine(predictions, int(sound.sum()))
    specification = study.specification
    return Verdict(
        best=ordering.names[ordering.best],
        ordering=ordering,
        frequencies=frequencies,
        trust=assess_trust(
            predictions, ordering.names[ordering.best], random_state=study.random_state
        ),
        combination=combination,
        candidates=_summarise(errors, names.tolist(), trials),
        failures=failures,
        dataset={"name": study.dataset, **specification["datasets"][study.dataset]},
        plan=study.plan.to_dict(),
        yardsticks=tuple(name for name, one in study.candidates.items() if _is_yardstick(one)),
        provenance={
            **ledger.fact("provenance"),
            "seed": specification["seed"],
            "versions": specification["versions"],
            "candidates": specification["candidates"],
            "fingerprint": fingerprint(specification),
        },
        notes=(*notes, *unasked, *_warnings(trials)),
    )


def _is_yardstick(candidate: Any) -> bool:
    """Whether a candidate does not look at the features."""
    from sklearn.dummy import DummyClassifier

    return isinstance(candidate, DummyClassifier)


def _combine(
    predictions: OutOfFold, n_sound: int
) -> tuple[CombinationAdvice | None, tuple[str, ...]]:
    """Ask whether combining would help, or say why it was not asked."""
    k = len(predictions.classes)
    pairs = k * (k - 1) // 2
    if n_sound < 2:
        return None, ("combining was not asked about: it takes two candidates without a failure",)
    if pairs > _MOST_CLASS_PAIRS:
        reason = f"{pairs} pairs of classes, more than {_MOST_CLASS_PAIRS}"
        return None, (f"combining was not asked about: {reason}, would take too long",)
    try:
        return would_combining_help(predictions), ()
    except InvalidInput as error:
        return None, (f"combining was not asked about: {error}",)


def _failures(trials: list[dict[str, Any]]) -> tuple[Failure, ...]:
    return tuple(
        Failure(**{name: trial[name] for name in Failure._fields})
        for trial in trials
        if trial["status"] != "ok"
    )


def _summarise(
    errors: Floats, names: list[str], trials: list[dict[str, Any]]
) -> tuple[Candidate, ...]:
    rows = []
    for name, folds in zip(names, errors.reshape(len(names), -1), strict=True):
        own = [trial for trial in trials if trial["candidate"] == name]
        ok = [trial for trial in own if trial["status"] == "ok"]
        rows.append(
            Candidate(
                name=name,
                error=float(folds.mean()),
                sd=float(folds.std(ddof=1)),
                fit_seconds=float(np.mean([t["fit_seconds"] for t in ok])) if ok else 0.0,
                predict_seconds=float(np.mean([t["predict_seconds"] for t in ok])) if ok else 0.0,
                n_failed=len(own) - len(ok),
            )
        )
    return tuple(rows)


def _warnings(trials: list[dict[str, Any]]) -> list[str]:
    """One note a kind of warning: who gave it, and in how many fits."""
    counts: dict[str, Counter[str]] = {}
    for trial in trials:
        for text in trial["warnings"]:
            counts.setdefault(text.splitlines()[0], Counter())[trial["candidate"]] += 1
    return [
        f"{text} ({', '.join(f'{name} in {count} fits' for name, count in who.items())})"
        for text, who in counts.items()
    ]
