"""Imported folds tell who was predicted together; they cannot be drawn."""

import numpy as np
import pytest

from polychotomy.core.exceptions import InvalidInput
from polychotomy.study.design.plan import ImportedFolds

PLAN = ImportedFolds(repetitions=2, folds=3, runs=1)


def test_rows_and_parts_agree():
    row = np.array([0, 2, 1, 0], dtype=np.int16)
    train, test = PLAN.rows(row, 0)
    assert (train.tolist(), test.tolist()) == ([1, 2], [0, 3])
    assert PLAN.parts(row)[1] == PLAN.n_folds == 3
    assert PLAN.n_trials == 6


def test_nothing_is_drawn():
    with pytest.raises(InvalidInput, match="'imported 2x3 folds' was imported"):
        PLAN.split(np.array([0, 1]), seed=0)
