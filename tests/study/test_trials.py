"""Outcomes: what travels between processes comes back as it was."""

import pickle

import numpy as np
import pytest

from polychotomy.study.trials import Outcome, TrialKey, fail, label_type

KEY = TrialKey("iris", "MAX", "5x2 folds", 0, 3, 1)


@pytest.mark.parametrize(
    ("k", "kind"), [(2, "u1"), (256, "u1"), (257, "u2"), (65536, "u2"), (65537, "i4")]
)
def test_the_smallest_type_that_holds_all_classes(k, kind):
    assert np.dtype(label_type(k)).str[1:] == kind
    assert np.array(k - 1).astype(label_type(k)) == k - 1


@pytest.mark.parametrize("k", [2, 300])
def test_an_outcome_comes_back_from_another_process(k):
    shares = np.random.default_rng(0).dirichlet(np.ones(k), size=7).astype(np.float32)
    made = Outcome(
        key=KEY,
        status="ok",
        predicted=shares.argmax(axis=1),
        probabilities=shares,
        hard=False,
        fit_seconds=0.1,
        predict_seconds=0.2,
        cause="",
        details="",
        warnings=("one", "two"),
        model_bytes=17,
    )
    back = pickle.loads(pickle.dumps(made))
    assert vars(back).keys() == vars(made).keys()
    for name, value in vars(made).items():
        np.testing.assert_array_equal(getattr(back, name), value)
    assert isinstance(back.key, TrialKey)
    assert back.probabilities.dtype == np.float32


def test_a_failure_too():
    back = pickle.loads(pickle.dumps(fail(KEY, 3, status="crashed", cause="why", details="where")))
    assert (back.status, back.cause, back.probabilities.shape) == ("crashed", "why", (0, 3))
