"""What a verdict is about: the part of a ledger that it reads, wherever the fits were made."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from polychotomy.core.arguments import innermost
from polychotomy.core.exceptions import InvalidInput
from polychotomy.study import Ledger, Study, TimeFolds
from polychotomy.study.design.plan import ImportedFolds, Plan
from polychotomy.study.design.specification import Specification, plan_from_dict
from polychotomy.study.ledger.reading import FOLDS


@dataclass(frozen=True, eq=False, kw_only=True)
class Case:
    """One data set and plan of a ledger, with candidates in order of preference.

    Parameters
    ----------
    dataset : str
    plan : Plan
    names : tuple of str
        The candidates.
    baselines : tuple of str
        Those that ignore the features.
    kinds : {name: str or None}
        What kind of learner each is: :func:`kind_of`.
    groups : (n,) values or None
        What is kept together.
    weights : (n,) floats or None
        How much each row counts.
    in_time : bool
        Whether every fit is tested on later rows.
    times : (n,) ints or None
        Ranks of the rows' times, where they are known.
    seed : int
    specification : dict
        The study by content.
    can_fit : bool
        Whether more could be fitted: not where predictions were made elsewhere.
    """

    dataset: str
    plan: Plan
    names: tuple[str, ...]
    baselines: tuple[str, ...]
    kinds: dict[str, str | None]
    groups: Any
    in_time: bool
    seed: int
    specification: Specification
    can_fit: bool
    weights: Any = None
    times: Any = None


def case_of_study(study: Study) -> Case:
    """Return what a study's verdict is about."""
    return Case(
        dataset=study.dataset, plan=study.plan, names=tuple(study.candidates),
        baselines=tuple(name for name, one in study.candidates.items() if is_baseline(one)),
        kinds={name: kind_of(one) for name, one in study.candidates.items()},
        groups=study.groups, in_time=study.time is not None, times=study.data.time,
        seed=study.random_state, specification=study.specification, can_fit=True,
    )  # fmt: skip


def is_baseline(candidate: Any) -> bool:
    """Whether a candidate does not look at the features, whatever is done to them before.

    Examples
    --------
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> is_baseline(make_pipeline(StandardScaler(), DummyClassifier()))
    True
    """
    from sklearn.dummy import DummyClassifier

    return isinstance(innermost(candidate), DummyClassifier)


# By parts of the qualified names of a learner's classes: no library is imported to be asked.
_KINDS = {
    "forest": ("sklearn.ensemble._forest", "sklearn.ensemble._bagging"),
    "boosting": ("boost", "sklearn.ensemble._gb", "lightgbm"),
    "tree": ("sklearn.tree", "learners.pruned_tree"),
    "neighbours": ("sklearn.neighbors._classification", "learners.chosen_neighbours"),
    "naive Bayes": ("sklearn.naive_bayes",),
    "linear": ("sklearn.linear_model", "DiscriminantAnalysis", "nearest_mean", "NearestCentroid"),
    "kernel": ("sklearn.svm._base", "sklearn.gaussian_process"),
}


def kind_of(candidate: Any) -> str | None:
    """Return what kind of learner a candidate is, inside whatever is wrapped around it.

    One of "forest" (all that average many fits themselves), "boosting", "tree", "neighbours",
    "naive Bayes", "linear" and "kernel"; None if it is not known.

    Examples
    --------
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> kind_of(make_pipeline(StandardScaler(), RandomForestClassifier()))
    'forest'
    """
    names = [f"{one.__module__}.{one.__qualname__}" for one in type(candidate).__mro__]
    for kind, parts in _KINDS.items():
        if any(part in name for name in names for part in parts):
            return kind
    last = innermost(candidate)
    inner = getattr(candidate, "estimator", None) if last is candidate else last
    return None if inner is None else kind_of(inner)


_BASELINE = "sklearn.dummy.DummyClassifier("  # how a specification describes one


def refuse_fitting(**asked: Any) -> None:
    """Refuse the first argument that says how to fit: with predictions nothing is fitted.

    Examples
    --------
    >>> refuse_fitting(X=None, race=False)
    >>> refuse_fitting(X=None, runs=3)
    Traceback (most recent call last):
    ...
    polychotomy.core.exceptions.InvalidInput: runs=… together with predictions; expected the \
predictions alone: nothing is fitted.
    """
    for name, value in asked.items():
        if value is not None and value is not False:
            raise InvalidInput(
                f"{name}=… together with predictions; expected the predictions alone: nothing is "
                "fitted."
            )


def case_of_predictions(ledger: Ledger, dataset: str | None = None) -> Case:
    """Return what the verdict on predictions is about that are in a ledger already."""
    specification = ledger.fact("specification")
    if specification is None:
        raise InvalidInput("the ledger is empty; expected predictions in it.")
    name = _only_dataset(specification, dataset)
    known = specification["datasets"][name]
    if len(ledger.truth(name)) < 2:
        raise InvalidInput(f"the predictions of {name!r} are of one sample; expected two or more.")
    groups = (ledger.fact("groups") or {}).get(name)
    plan, names = _only_plan(ledger, specification, name)
    how = plan_from_dict(specification["plans"][plan])
    if isinstance(how, ImportedFolds):
        how = replace(how, scale=(ledger.fact("scale") or {}).get(name, how.scale))
    by_time = isinstance(how, TimeFolds) and how.folds == 1
    if by_time or (known["groups"] and groups is None):
        raise InvalidInput(
            f"the folds of {name!r} follow {'times' if by_time else 'groups'} of the rows, which a "
            "ledger does not tell. Give judge the candidates, the table and "
            f"{'time' if by_time else 'groups'}=…, with the ledger's file as study=…; what it has "
            "is not fitted again."
        )
    told = specification["candidates"]
    return Case(
        dataset=name, plan=how, names=names,
        baselines=tuple(one for one in names if told[one].startswith(_BASELINE)), kinds={},
        groups=groups, in_time=known["time"], seed=specification["seed"],
        specification=specification, can_fit=False,
        weights=(ledger.fact("weights") or {}).get(name),
    )  # fmt: skip


def _only_dataset(specification: Specification, asked: str | None) -> str:
    known = list(specification["datasets"])
    if asked not in known and (asked is not None or len(known) != 1):
        raise InvalidInput(
            f"the predictions are of {', '.join(map(repr, known))}; expected dataset=… to name one "
            f"of these, not {asked!r}. What an import calls its data says "
            "import_predictions(…, dataset=…)."
        )
    return asked or known[0]


def _only_plan(
    ledger: Ledger, specification: Specification, dataset: str
) -> tuple[str, tuple[str, ...]]:
    """Return the plan of folds that a data set has, and who was tried on them."""
    tried = {
        plan: tuple(sets[dataset])
        for plan, sets in ledger.fact("planned").items()
        if dataset in sets and specification["plans"][plan]["kind"] in FOLDS
    }
    if len(tried) != 1:
        raise InvalidInput(
            f"the ledger has {len(tried)} plans of folds of {dataset!r}"
            f"{': ' if tried else ''}{', '.join(map(repr, tried))}; expected one."
        )
    return next(iter(tried.items()))
