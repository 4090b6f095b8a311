"""Sets of classes: coverage by rank, by hand and on fresh cases; abstaining by sorting."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from polychotomy import judge, load_model
from polychotomy.core.exceptions import InvalidInput
from polychotomy.model import RecalibratedClassifier, predict_file
from polychotomy.validation import prediction_sets
from polychotomy.validation.sets import class_thresholds, sets_by


def drawn(seed, n, k):
    rng = np.random.default_rng(seed)
    y = rng.integers(k, size=n)
    return rng.dirichlet(np.ones(k) + 3 * np.eye(k)[0], size=n), y


@given(seed=st.integers(0, 10**6), n=st.integers(2, 80), coverage=st.sampled_from([0.5, 0.8, 0.9]))
def test_a_new_case_is_below_the_threshold_as_seldom_as_ranks_say(seed, n, coverage):
    """Of n + 1 exchangeable cases at most (1 − coverage)(n + 1) lie below the threshold of the n
    others: leave each out in turn."""
    p = np.random.default_rng(seed).random((n + 1, 1))
    below = 0
    for out in range(n + 1):
        others = np.delete(p, out, axis=0)
        cut = class_thresholds(others, np.zeros(n, dtype=int), np.array([coverage]))[0, 0]
        below += p[out, 0] < cut
    assert below <= (1 - coverage) * (n + 1) + 1e-9
    assert below >= (1 - coverage) * (n + 1) - 1 - 1e-9


@given(seed=st.integers(0, 10**6), k=st.integers(2, 5))
def test_larger_coverage_larger_sets(seed, k):
    p, y = drawn(seed, 60, k)
    cuts = class_thresholds(p, y, np.array([0.5, 0.8, 0.95]))
    few, more, most = (sets_by(p, cut) for cut in cuts)
    assert (few <= more).all()
    assert (more <= most).all()
    assert few.any(axis=1).all()


def test_by_hand():
    p1 = np.array([0.1, 0.2, 0.6, 0.7, 0.9, 0.4, 0.8, 0.9])
    y = np.array([0, 0, 0, 0, 0, 1, 1, 1])
    found = prediction_sets(np.stack([1 - p1, p1], axis=1), y, coverage=0.5, folds=np.arange(8))
    # Surest first: 0.1 right, 0.9 wrong, 0.9 right, 0.2 right, 0.8 right, 0.7 wrong, 0.6s wrong.
    assert found.errors.tolist() == pytest.approx([4 / 8, 4 / 8, 3 / 7, 2 / 6, 2 / 6, 1 / 4])
    assert found.sizes.sum() == pytest.approx(1)
    assert "of all 50.0 %" in str(found)
    assert len(found.to_frame()) == 6
    found.plot()


def test_repeated_forecasts_of_a_case_are_no_further_cases():
    p, y = drawn(0, 30, 2)
    once = class_thresholds(p, y, np.array([0.9]))
    thrice = class_thresholds(np.tile(p, (3, 1)), np.tile(y, 3), np.array([0.9]), repeats=3)
    assert once.tolist() == thrice.tolist()


def shoppers(n):
    X, codes = make_classification(
        n + 5000, 8, n_informative=4, n_classes=3, weights=[0.6, 0.3], random_state=2
    )
    y = np.array(["no", "maybe", "yes"])[codes]
    return X[:n], y[:n], X[n:], y[n:]


def test_from_a_verdict_to_sets_of_new_rows(tmp_path):
    X, y, fresh, truth = shoppers(900)
    verdict = judge({"logistic": LogisticRegression()}, X, y, anatomy=False)
    assert verdict.sets.covered.min() > 0.86
    (said,) = [one.text for one in verdict.sentences() if "to a human" in one.text]
    assert f"{verdict.sets.mean_size:.2f} classes" in said
    assert verdict.to_dict()["sets"]["errors"][0] == verdict.sets.errors[0]
    model = verdict.fit()
    sets = model.predict_sets(fresh, coverage=0.9)
    for label in ("no", "maybe", "yes"):
        own = [one for one, true in zip(sets, truth, strict=True) if true == label]
        assert np.mean([label in one for one in own]) == pytest.approx(0.9, abs=0.05)
    model.save(tmp_path / "m.skops")
    assert load_model(tmp_path / "m.skops").predict_sets(fresh[:50]) == sets[:50]


def test_a_file_has_a_column_of_sets(tmp_path):
    import pandas as pd

    X, y, fresh, _ = shoppers(300)
    names = [f"x{i}" for i in range(8)]
    verdict = judge({"l": LogisticRegression()}, pd.DataFrame(X, columns=names), y, anatomy=False)
    model = verdict.fit()
    model.save(tmp_path / "m.skops")
    pd.DataFrame(fresh[:40], columns=names).to_csv(tmp_path / "new.csv", index=False)
    predict_file(
        tmp_path / "m.skops", tmp_path / "new.csv", output=tmp_path / "out.csv", coverage=0.8
    )
    written = pd.read_csv(tmp_path / "out.csv")
    assert list(written.columns[:3]) == ["row", "predicted", "set"]
    expected = model.predict_sets(pd.DataFrame(fresh[:40], columns=names), coverage=0.8)
    assert written["set"].str.split(" | ", regex=False).tolist() == expected


def test_without_probabilities_there_are_no_sets():
    X, y, fresh, _ = shoppers(300)
    verdict = judge({"svm": LinearSVC()}, X, y, anatomy=False)
    assert verdict.sets is None
    with pytest.raises(InvalidInput, match="no sets of classes"):
        verdict.fit().predict_sets(fresh[:5])
    fitted = RecalibratedClassifier(LogisticRegression(), sets=True).fit(X, y)
    with pytest.raises(InvalidInput, match="coverage is 90"):
        fitted.choose_sets(fitted.predict_proba(fresh[:5]), 90)


def test_sets_of_each_class_are_those_of_crepes():
    """The same out-of-fold forecasts, class by class (Mondrian), without smoothing."""
    crepes = pytest.importorskip("crepes", reason="crepes is not installed")
    rng = np.random.default_rng(0)
    y = rng.choice(3, 300, p=[0.6, 0.3, 0.1])
    p, fresh = rng.dirichlet(np.ones(3), 300), rng.dirichlet(np.ones(3), 500)
    p[np.arange(300), y] += 1.0
    p /= p.sum(axis=1, keepdims=True)
    cut = class_thresholds(p, y, np.array([0.9]))[0]
    for c in range(3):
        theirs = crepes.ConformalClassifier().fit(1 - p[y == c, c])
        told = theirs.predict_set(1 - fresh[:, [c]], confidence=0.9, smoothing=False)
        assert np.array_equal(np.asarray(told, dtype=bool)[:, 0], fresh[:, c] >= cut[c])
