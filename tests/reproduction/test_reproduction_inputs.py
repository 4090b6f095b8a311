"""Data sets become numbers without looking at the test part."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from polychotomy.core.exceptions import InvalidInput
from polychotomy.reproduction.inputs import Standardiser, find_sets, load_numbers


def test_standardiser_is_imputer_and_scaler():
    rng = np.random.default_rng(0)
    X = 5 + 3 * rng.standard_normal((40, 4))
    X[rng.random(X.shape) < 0.2] = np.nan
    new = rng.standard_normal((5, 4))
    # scikit-learn fills first and scales then, which shrinks the deviation by the filled share.
    shares = np.sqrt((~np.isnan(X)).mean(axis=0))
    theirs = make_pipeline(SimpleImputer(), StandardScaler()).fit(X).transform(new)
    assert_allclose(Standardiser().fit(X).transform(new), theirs * shares)


def test_constant_and_empty_columns_become_zero():
    X = np.array([[0.1, np.nan], [0.1, np.nan], [0.1, np.nan]])
    assert_allclose(Standardiser().fit_transform(X), 0.0, atol=1e-9)


def test_categories_are_coded_one_of_n(sets):
    X, y = load_numbers("hepatitis", sets)
    assert X.shape == (90, 6 + 3)
    assert X[0, 6:].tolist() == [0, 0, 0]  # missing
    assert (X[1:, 6:].sum(axis=1) == 1).all()
    assert np.isnan(X[1, 0])
    assert sorted(set(y)) == [0, 1]


def test_folder_without_any_of_the_sets(sets, tmp_path):
    assert find_sets(["iris", "none"], sets) == ["iris"]
    assert find_sets(["iris", "none"], None) == ["iris", "none"]
    with pytest.raises(InvalidInput, match="has none of the paper's data sets"):
        find_sets(["iris"], tmp_path)
