"""The case of a ledger alone: predictions that were made elsewhere, or before."""

from __future__ import annotations

from typing import Any

from polychotomy.exceptions import InvalidInput
from polychotomy.study import Ledger
from polychotomy.study.ledger_parts import FOLDS
from polychotomy.study.plan_kinds import plan_from_dict
from polychotomy.study.specification import Specification
from polychotomy.verdict.case import Case

_YARDSTICK = "sklearn.dummy.DummyClassifier("  # how a specification describes one


def refuse_fitting(**asked: Any) -> None:
    """Refuse the first argument that says how to fit: with predictions nothing is fitted.

    Examples
    --------
    >>> refuse_fitting(X=None, race=False)
    >>> refuse_fitting(X=None, runs=3)
    Traceback (most recent call last):
    ...
    polychotomy.exceptions.InvalidInput: runs=… together with predictions; expected the \
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
    if specification["datasets"][name]["groups"]:
        raise InvalidInput(
            f"the folds of {name!r} keep groups together, and a ledger does not tell which rows "
            "these are. Give judge the candidates, the table and groups=…, with the ledger's file "
            "as study=…; what it has is not fitted again."
        )
    plan, names = _only_plan(ledger, specification, name)
    how = plan_from_dict(specification["plans"][plan])
    if how.runs * how.repetitions * how.n_folds < 2 or how.n_folds < 2:
        raise InvalidInput(
            "the predictions are of one fold; expected two or more, so that what differs can be "
            "told from chance. Cross-validate, or deal the test samples into folds."
        )
    told = specification["candidates"]
    return Case(
        dataset=name,
        plan=how,
        names=names,
        yardsticks=tuple(one for one in names if told[one].startswith(_YARDSTICK)),
        averages=(),
        groups=None,
        in_time=specification["datasets"][name]["time"],
        seed=specification["seed"],
        specification=specification,
        can_fit=False,
    )


def _only_dataset(specification: Specification, asked: str | None) -> str:
    known = specification["datasets"]
    if asked is not None and asked not in known:
        raise InvalidInput(
            f"the predictions are of {', '.join(map(repr, known))}, not of {asked!r}; expected "
            "the name of one. What an import calls its data says import_predictions(…, dataset=…)."
        )
    if asked is None and len(known) != 1:
        raise InvalidInput(
            f"the predictions are of several data sets ({', '.join(known)}); expected one. Judge "
            "each alone."
        )
    return asked or next(iter(known))


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
