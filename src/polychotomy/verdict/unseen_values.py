"""Values that a fit meets for the first time when it is tested: told once, by column and rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from polychotomy.arrays import Bools, Ints
from polychotomy.study import Ledger, Study
from polychotomy.study.target import name_some, quote

if TYPE_CHECKING:
    import pandas as pd

_WARNING = "Found unknown categories"  # scikit-learn's, which counts columns by number
_MOST_VALUES = 100  # a column of more is free text, not categories


def is_said_better(warning: str) -> bool:
    """Whether a learner's warning is what :func:`note_unseen_values` says in words.

    Examples
    --------
    >>> is_said_better("UserWarning: Found unknown categories in columns [0] during transform.")
    True
    """
    return _WARNING in warning


def note_unseen_values(study: Study, ledger: Ledger) -> list[str]:
    """Name the columns of categories with values that not every fit was trained on."""
    trials = ledger.trials(dataset=study.dataset, plan=study.plan.name)
    if not any(is_said_better(text) for trial in trials for text in trial["warnings"]):
        return []
    X = study.data.X
    if not hasattr(X, "columns"):
        return ["some rows have values that not every fit had seen in training"]
    names = {name: X[name] for name in X.columns if _is_categorical(X[name])}
    first = ledger.out_of_fold(
        [next(iter(study.candidates))],
        dataset=study.dataset,
        plan=study.plan.name,
        runs=study.plan.runs,
    )
    splits = first.folds.reshape(-1, study.data.n).astype(np.int16)
    parts = [study.plan.rows(split, fold) for split in splits for fold in range(study.plan.n_folds)]
    notes = (_note(str(name), values, parts) for name, values in names.items())
    return [note for note in notes if note is not None]


def _is_categorical(values: pd.Series) -> bool:
    return values.dtype.kind not in "iufcbMm" and values.astype(str).nunique() <= _MOST_VALUES


def _note(name: str, values: pd.Series, parts: list[tuple[Ints, Ints]]) -> str | None:
    import pandas as pd

    codes, distinct = pd.factorize(values.astype(object))
    unseen: Bools = np.zeros(len(codes), dtype=bool)
    for train, test in parts:
        known = np.zeros(len(distinct) + 1, dtype=bool)
        known[codes[train]] = True
        unseen[test] |= ~known[codes[test]]
    unseen &= codes >= 0
    count = int(unseen.sum())
    if not count:
        return None
    new: list[Any] = [quote(distinct[code]) for code in dict.fromkeys(codes[unseen].tolist())]
    return (
        f"{name!r} has in {count} {'row' if count == 1 else 'rows'} a value so rare that not every "
        f"fit had seen it in training, and took it for none of those known: {name_some(new)}"
    )
