"""Plans by kind, read back from a study file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from polychotomy.study.bootstrap import Bootstrap
from polychotomy.study.fixed_split import FixedSplit
from polychotomy.study.imported_folds import ImportedFolds
from polychotomy.study.nested_sizes import NestedSizes
from polychotomy.study.plan import Plan, RepeatedFolds
from polychotomy.study.time_folds import TimeFolds

_KINDS: dict[str, type[Any]] = {
    "repeated folds": RepeatedFolds,
    "time folds": TimeFolds,
    "bootstrap": Bootstrap,
    "fixed split": FixedSplit,
    "nested sizes": NestedSizes,
    "imported folds": ImportedFolds,
}


def plan_from_dict(values: Mapping[str, Any]) -> Plan:
    """Return the plan that ``to_dict`` gave.

    Examples
    --------
    >>> plan_from_dict(RepeatedFolds(runs=3).to_dict()) == RepeatedFolds(runs=3)
    True
    """
    plan: Plan = _KINDS[values["kind"]](**{k: v for k, v in values.items() if k != "kind"})
    return plan
