"""Training on shared dot products equals plain fits, bit for bit."""

import numpy as np
import pytest
import sklearn
from numpy.testing import assert_array_equal
from sklearn.datasets import load_digits, make_blobs
from sklearn.svm import SVC, NuSVC

from polychotomy.codes import one_vs_one, random_dense
from polychotomy.multiclass import CodedClassifier
from polychotomy.multiclass.merged import KERNELS, gamma_for, kernel_of
from polychotomy.multiclass.shared_kernel import SharedKernelTrainer, gram_matrix, share_kernel
from polychotomy.multiclass.training import PlainTrainer, TrainingData

X, Y = make_blobs(300, centers=4, n_features=120, cluster_std=9.0, random_state=0)


def trainers(machine, X, y, weights=None):
    params = {} if weights is None else {"sample_weight": weights}
    weights = np.ones(len(y)) if weights is None else weights
    plain = PlainTrainer(
        machine, TrainingData(X, y, weights, params, None, False), np.array([0, 1])
    )
    return plain, share_kernel(plain, matrices=6, feature_names=None)


def assert_same_machine(a, b):
    assert set(vars(a)) == set(vars(b))
    for name, value in vars(a).items():
        assert_array_equal(value, vars(b)[name], err_msg=name)


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
        np.testing.assert_allclose(
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


@pytest.mark.parametrize("kernel", KERNELS)
def test_gram_matrix_rounds_as_libsvm_does(kernel):
    """Entries in doubt are those, and all of those, whose single-precision rounding differs."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 30))
    machine = SVC(kernel=kernel, gamma=0.02, coef0=0.3, degree=2)
    kernel = kernel_of(machine, gamma_for(machine.gamma, X))
    gram = gram_matrix(kernel, X, X @ X.T)
    rows, columns = rng.integers(400, size=(2, 4000))
    exact = np.array([kernel.at(X[i], X[j]) for i, j in zip(rows, columns, strict=True)])
    assert_array_equal(gram[rows, columns].astype(np.float32), exact.astype(np.float32))
    assert_array_equal(gram.diagonal(), [kernel.at(x, x) for x in X])
    assert_array_equal(gram.astype(np.float32), gram.T.astype(np.float32))


def test_huge_offset_is_left_to_libsvm():
    """Distances far below the rounding of the norms: no order of summation is LIBSVM's."""
    far = X + 1e7
    kernel = kernel_of(SVC(gamma=1.0), 1.0)
    assert gram_matrix(kernel, far, far @ far.T) is None
    plain, shared = trainers(SVC(gamma=1e-3), far, Y)
    rows = np.arange(300)
    assert_same_machine(plain.fit(rows, Y > 1), shared.fit(rows, Y > 1))


def test_what_does_not_fit_in_memory_is_left_to_libsvm():
    shared = CodedClassifier(SVC(), code="orthogonal").fit(X, Y).predict_proba(X)
    with sklearn.config_context(working_memory=1):
        assert trainers(SVC(), X, Y)[1] is None
        plain = CodedClassifier(SVC(), code="orthogonal").fit(X, Y).predict_proba(X)
    np.testing.assert_allclose(shared, plain, atol=1e-9)


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
