"""Remarks on the fits of a study: classes not trained on, and what was warned of."""

from __future__ import annotations

from collections import Counter
from itertools import filterfalse
from typing import Any

import numpy as np

from polychotomy.predictions import OutOfFold
from polychotomy.study.plan import Plan
from polychotomy.study.target import quote
from polychotomy.verdict.unseen_values import is_said_better


def note_untrained_classes(plan: Plan, predictions: OutOfFold) -> list[str]:
    """Name the classes that some training sets lack: no fit on those can predict them."""
    splits = predictions.folds.reshape(-1, len(predictions.y)).astype(np.int16)
    fits = [(split, fold) for split in splits for fold in range(plan.n_folds)]
    lacking: Counter[int] = Counter()
    for split, fold in fits:
        trained = set(predictions.y[plan.rows(split, fold)[0]].tolist())
        lacking.update(set(range(len(predictions.classes))) - trained)
    return [
        f"the class {quote(predictions.classes[code])} is in none of the rows that {count} of "
        f"{len(fits)} fits of a candidate were trained on; those cannot predict it"
        for code, count in sorted(lacking.items())
    ]


def note_warnings(trials: list[dict[str, Any]]) -> list[str]:
    """One note a kind of warning: who gave it, and in how many fits."""
    counts: dict[str, Counter[str]] = {}
    for trial in trials:
        for text in filterfalse(is_said_better, trial["warnings"]):
            counts.setdefault(text.splitlines()[0], Counter())[trial["candidate"]] += 1
    return [
        f"{text} ({', '.join(f'{name} in {count} fits' for name, count in who.items())})"
        for text, who in counts.items()
    ]
