"""What a verdict is about: the part of a ledger that it reads, wherever the fits were made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from polychotomy.study import Study
from polychotomy.study.plan import Plan
from polychotomy.study.specification import Specification


@dataclass(frozen=True, eq=False, kw_only=True)
class Case:
    """One data set and plan of a ledger, with candidates in order of preference.

    Parameters
    ----------
    dataset : str
    plan : Plan
    names : tuple of str
        The candidates.
    yardsticks : tuple of str
        Those that ignore the features.
    averages : tuple of str
        Those that average many fits themselves, as forests do.
    groups : (n,) values or None
        What is kept together.
    in_time : bool
        Whether every fit is tested on later rows.
    seed : int
    specification : dict
        The study by content.
    can_fit : bool
        Whether more could be fitted: not where predictions were made elsewhere.
    """

    dataset: str
    plan: Plan
    names: tuple[str, ...]
    yardsticks: tuple[str, ...]
    averages: tuple[str, ...]
    groups: Any
    in_time: bool
    seed: int
    specification: Specification
    can_fit: bool


def case_of_study(study: Study) -> Case:
    """Return what a study's verdict is about."""
    return Case(
        dataset=study.dataset,
        plan=study.plan,
        names=tuple(study.candidates),
        yardsticks=tuple(name for name, one in study.candidates.items() if is_yardstick(one)),
        averages=tuple(name for name, one in study.candidates.items() if is_average(one)),
        groups=study.groups,
        in_time=study.time is not None,
        seed=study.random_state,
        specification=study.specification,
        can_fit=True,
    )


def is_yardstick(candidate: Any) -> bool:
    """Whether a candidate does not look at the features, whatever is done to them before.

    Examples
    --------
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> is_yardstick(make_pipeline(StandardScaler(), DummyClassifier()))
    True
    """
    from sklearn.dummy import DummyClassifier
    from sklearn.pipeline import Pipeline

    if isinstance(candidate, Pipeline):
        return bool(candidate.steps) and is_yardstick(candidate.steps[-1][1])
    return isinstance(candidate, DummyClassifier)


def is_average(candidate: Any) -> bool:
    """Whether a candidate averages many fits itself, inside whatever is wrapped around them.

    Examples
    --------
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> is_average(make_pipeline(StandardScaler(), RandomForestClassifier()))
    True
    >>> is_average(DecisionTreeClassifier())
    False
    """
    from sklearn.ensemble import BaggingClassifier, ExtraTreesClassifier, RandomForestClassifier
    from sklearn.pipeline import Pipeline

    if isinstance(candidate, BaggingClassifier | ExtraTreesClassifier | RandomForestClassifier):
        return True
    if isinstance(candidate, Pipeline):
        return bool(candidate.steps) and is_average(candidate.steps[-1][1])
    return hasattr(candidate, "estimator") and is_average(candidate.estimator)
