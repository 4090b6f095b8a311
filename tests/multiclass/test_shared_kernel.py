"""Training on shared kernel values equals plain fits, but for rounding."""

import numpy as np
import pytest
import sklearn
from numpy.testing import assert_allclose
from sklearn.datasets import load_digits, make_blobs
from sklearn.svm import SVC, NuSVC

from polychotomy.codes import one_vs_one, random_dense
from polychotomy.multiclass import CodedClassifier
from polychotomy.multiclass.inputs import settle_gamma
from polychotomy.multiclass.shared_kernel import SharedKernelTrainer, share_kernel
from polychotomy.multiclass.training import PlainTrainer, TrainingData

X, Y = make_blobs(300, centers=4, n_features=120, cluster_std=9.0, random_state=0)


def trainers(machine, X, y, weights=None):
    params = {} if weights is None else {"sample_weight": weights}
    weights = np.ones(len(y)) if weights is None else weights
    machine = settle_gamma(machine, X, weights > 0)  # one γ for all, as in CodedClassifier
    plain = PlainTrainer(
        machine, TrainingData(X, y, weights, params, None, False), np.array([0, 1])
    )
    return plain, share_kernel(plain, matrices=6, feature_names=None)


def assert_same_machine(a, b):
    assert set(vars(a)) == set(vars(b))
    for name, value in vars(a).items():
        if isinstance(value, float | np.ndarray):
            assert_allclose(value, vars(b)[name], rtol=1e-6, atol=1e-9, err_msg=name)
        else:
            assert value == vars(b)[name], name


@pytest.mark.parametrize(
    "machine",
    [
        SVC(),
        SVC(gamma=0.01, C=5.0),
        SVC(gamma="auto", class_weight="balanced"),
        SVC(kernel="linear", C=0.01),
        SVC(kernel="poly", gamma=0.002, coef0=0.5),
        SVC(kernel="poly", degree=2),
        SVC(kernel="sigmoid", gamma=0.0005, coef0=-0.1),
        NuSVC(nu=0.2),
    ],
    ids=str,
)
@pytest.mark.parametrize("code", [one_vs_one(4), random_dense(4, length=5, random_state=0)])
def test_every_attribute_equals_that_of_a_plain_fit(machine, code):
    plain, shared = trainers(machine, X, Y)
    assert isinstance(shared, SharedKernelTrainer)
    for row in code:
        rows, positive = np.flatnonzero(row[Y] != 0), row[Y] > 0
        a, b = plain.fit(rows, positive), shared.fit(rows, positive)
        assert_same_machine(a, b)
        others = np.arange(0, 300, 7)
        assert_allclose(
            shared.respond(b, rows, others, "decision_function"),
            plain.respond(a, rows, others, "decision_function"),
            rtol=1e-9,
            atol=1e-9,
        )


def test_weights_and_real_data():
    X, y = load_digits(return_X_y=True)
    weights = np.random.default_rng(0).random(len(y)) + 0.5
    plain, shared = trainers(SVC(), X, y, weights)
    rows = np.flatnonzero((y == 3) | (y == 8))
    assert_same_machine(plain.fit(rows, y == 3), shared.fit(rows, y == 3))
    rows = np.arange(len(y))
    assert_same_machine(plain.fit(rows, y > 4), shared.fit(rows, y > 4))


def test_what_does_not_fit_in_memory_is_left_to_libsvm():
    shared = CodedClassifier(SVC(), code="orthogonal").fit(X, Y).predict_proba(X)
    with sklearn.config_context(working_memory=1):
        assert trainers(SVC(), X, Y)[1] is None
        plain = CodedClassifier(SVC(), code="orthogonal").fit(X, Y).predict_proba(X)
    assert_allclose(shared, plain, atol=1e-9)


def test_only_codes_without_zeros_share(monkeypatch):
    asked = []
    monkeypatch.setattr(
        "polychotomy.multiclass.dichotomies.share_kernel", lambda *_, **how: asked.append(how)
    )
    CodedClassifier(SVC(), code="one-vs-one").fit(X, Y)
    assert asked == []
    CodedClassifier(SVC(), code="orthogonal").fit(X, Y)
    assert [how["matrices"] for how in asked] == [4]  # of all rows, and of three folds


@pytest.mark.parametrize(
    "machine",
    [SVC(kernel=lambda a, b: a @ b.T), SVC(kernel="precomputed"), SVC(gamma="wide")],
    ids=["callable", "precomputed", "not a gamma"],
)
def test_others_are_left_alone(machine):
    assert trainers(machine, X, Y)[1] is None


def test_few_features_are_left_to_libsvm():
    """It computes few of the kernel's values, and these cheaply: sharing took six times as long."""
    assert trainers(SVC(), X[:, :29], Y)[1] is None
    assert trainers(SVC(), X[:, :30], Y)[1] is not None
