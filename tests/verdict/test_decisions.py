"""Labels by weighed probabilities: on rows never seen they do as well as was said."""

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score, f1_score
from sklearn.svm import LinearSVC

from polychotomy import judge, load_model
from polychotomy.comparison.measures import tuned_weights


def rare_class(n, seed=1):
    """Return ``n`` rows of which one in ten is of the class "rare", and 20,000 fresh ones."""
    X, codes = make_classification(
        n + 20_000, 10, n_informative=6, weights=[0.9], class_sep=0.8, random_state=seed
    )
    y = np.array(["common", "rare"])[codes]
    return X[:n], y[:n], X[n:], y[n:]


def macro_f1(y, predicted):
    return f1_score(y, predicted, average="macro")


@pytest.mark.parametrize(
    ("loss", "measure"), [("balanced-error", balanced_accuracy_score), ("macro-f1", macro_f1)]
)
def test_what_is_gained_is_gained_on_fresh_rows(loss, measure, tmp_path):
    X, y, fresh, truth = rare_class(2000)
    both = {"logistic": LogisticRegression()}
    verdict = judge(both, X, y, loss=loss, anatomy=False)
    found = verdict.decisions
    assert found.weights[0] == 1
    assert found.weights[1] > 1
    assert 0 < found.low < found.before - found.after < found.high
    model = verdict.fit()
    plain, weighed = (1 - measure(truth, one.predict(fresh)) for one in (
        LogisticRegression().fit(X, y), model))  # fmt: skip
    assert found.low < plain - weighed < found.high
    (said,) = [one for one in verdict.sentences() if "weighed probabilities" in one.text]
    assert f"'rare' × {found.weights[1]:.2g}" in said.text
    told = f"verdict.fit(): deciding by weights takes its {verdict.criterion.words} to "
    assert f"{told}{100 * found.after:.1f} %." in verdict.top()[-1].text
    assert len(" ".join(one.text for one in verdict.top()).split()) <= 60
    assert verdict.to_dict()["decisions"]["after"] == found.after
    assert "decided by weights of the classes" in verdict.model_words
    model.save(tmp_path / "rare.skops")
    again = load_model(tmp_path / "rare.skops")
    assert again.predict(fresh[:500]).tolist() == model.predict(fresh[:500]).tolist()


def test_it_is_not_said_where_it_does_not_gain():
    X, codes = make_classification(400, 6, n_informative=4, random_state=0)
    even = judge({"logistic": LogisticRegression()}, X, codes, loss="macro-f1", anatomy=False)
    assert even.decisions is None
    X, y, *_ = rare_class(400)
    by_error = judge({"logistic": LogisticRegression()}, X, y, anatomy=False)
    labels = judge({"svm": LinearSVC()}, X, y, loss="macro-f1", anatomy=False)
    assert by_error.decisions is labels.decisions is None


def test_weights_are_the_best_threshold_of_two_classes():
    rng = np.random.default_rng(0)
    y = (rng.random(300) < 0.2).astype(int)
    p = np.clip(0.2 + 0.2 * y + 0.15 * rng.standard_normal(300), 0.01, 0.99).round(2)
    both = np.stack([1 - p, p], axis=1)
    found = macro_f1(y, (tuned_weights("macro-f1", both, y) * both).argmax(axis=1))
    best = max(macro_f1(y, p >= cut) for cut in np.unique(p))
    assert best - 0.01 < found <= best
