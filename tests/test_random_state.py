"""Every function that draws refuses a seed that is none, at its door and in the same words."""

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

from polychotomy import decompose_error, probability_trace
from polychotomy.codes import nested, random_dense
from polychotomy.combination import tuned_margin_weights
from polychotomy.comparison.selected_error import selected_error
from polychotomy.core.exceptions import InvalidInput
from polychotomy.model import fit_model
from polychotomy.reproduction.data.problems import TwoNormals
from polychotomy.reproduction.truth import simulate_decomposition

X = np.arange(40.0).reshape(20, 2)
Y = np.arange(20) % 2
TRUE = np.full((20, 2), 0.5)
LOSSES, FOLDS = Y[None, None].astype(float), np.arange(20)[None] % 5

DOORS = {
    "nested": lambda seed: nested(5, random_state=seed),
    "random_dense": lambda seed: random_dense(5, length=8, random_state=seed),
    "decompose_error": lambda seed: decompose_error(
        GaussianNB(), X, Y, n_bootstraps=3, random_state=seed
    ),
    "simulate_decomposition": lambda seed: simulate_decomposition(
        TwoNormals(), GaussianNB(), n_train=20, n_fits=3, n_test=20, random_state=seed
    ),
    "null_band": lambda seed: probability_trace(TRUE, Y).null_band(3, random_state=seed),
    "tuned_margin_weights": lambda seed: tuned_margin_weights(X, Y, random_state=seed),
    "selected_error": lambda seed: selected_error(
        LOSSES, FOLDS, n_replicates=50, random_state=seed
    ),
    "fit_model": lambda seed: fit_model(GaussianNB(), X, Y, random_state=seed),
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("seed", [-1, "x", 1.5, True, np.int64(-3)])
def test_what_is_no_seed_is_refused(door, seed):
    with pytest.raises(InvalidInput, match=r"random_state is .*; expected .*an int of at least 0"):
        DOORS[door](seed)


@pytest.mark.parametrize("door", DOORS)
def test_seeds_of_numpy_are_seeds(door):
    DOORS[door](np.int64(3))
