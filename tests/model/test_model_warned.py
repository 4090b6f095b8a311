"""Warnings become remarks, each once."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB

from polychotomy.model import fit_model
from polychotomy.model.model import gathering_warnings


class Hesitant(GaussianNB):
    def predict_proba(self, X):
        for _ in range(3):
            warnings.warn("are you sure?", UserWarning, stacklevel=2)
        return super().predict_proba(X)


def test_predictions_remark_on_warnings_once():
    X = pd.DataFrame({"x": np.arange(6.0)})
    model = fit_model(Hesitant(), X, [0, 0, 0, 1, 1, 1])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert model.predict_table(X).notes == ("UserWarning: are you sure?",)


def test_unknown_categories_are_said_by_the_schema_alone():
    with gathering_warnings() as found:
        warnings.warn("Found unknown categories in columns [0]", UserWarning, stacklevel=1)
    assert found == []


def test_an_error_passes_through():
    with pytest.raises(ZeroDivisionError), gathering_warnings():
        raise ZeroDivisionError
