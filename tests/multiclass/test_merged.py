"""merge_machines against the machines' own decision functions."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.datasets import load_iris, make_blobs
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression, Perceptron, RidgeClassifier, SGDClassifier
from sklearn.svm import SVC, LinearSVC, NuSVC
from sklearn.tree import DecisionTreeClassifier

from polychotomy.codes import one_vs_one, random_sparse
from polychotomy.core import chunks
from polychotomy.core.exceptions import InvalidInput
from polychotomy.multiclass import CodedClassifier, MergedMachines, merge_machines

X, Y = make_blobs(240, centers=5, n_features=6, cluster_std=4.0, random_state=0)
NEW = np.random.default_rng(1).normal(scale=8.0, size=(700, 6))


def fit_pairs(machine, code=None):
    code = one_vs_one(5) if code is None else code
    fits = []
    for row in code:
        rows = row[Y] != 0
        fits.append(type(machine)(**machine.get_params()).fit(X[rows], row[Y[rows]]))
    return fits


MACHINES = [
    SVC(),
    SVC(gamma=0.03),
    SVC(gamma="auto", C=10),
    SVC(kernel="poly", gamma=0.02, coef0=1.0),
    SVC(kernel="poly", degree=2),
    SVC(kernel="sigmoid", gamma=0.001),
    NuSVC(nu=0.3),
    SVC(kernel="linear"),
    LinearSVC(),
    LogisticRegression(max_iter=1000),
    SGDClassifier(random_state=0),
    RidgeClassifier(),
    Perceptron(),
    LinearDiscriminantAnalysis(),
]


@pytest.mark.parametrize("machine", MACHINES, ids=str)
def test_equals_the_machines_alone(machine):
    machines = fit_pairs(machine)
    merged = merge_machines(machines)
    assert isinstance(merged, MergedMachines)
    alone = np.column_stack([one.decision_function(NEW) for one in machines])
    values = merged.decision_function(NEW)
    assert values.shape == (700, 10)
    assert_allclose(values, alone, rtol=1e-9, atol=1e-9)


def test_overlapping_support_vectors_are_kept_once():
    machines = fit_pairs(SVC(gamma=0.05), random_sparse(5, length=12, random_state=0))
    merged = merge_machines(machines)
    every = np.concatenate([machine.support_vectors_ for machine in machines])
    assert len(merged.vectors) == len(np.unique(every, axis=0)) < len(every)
    assert len(merged.groups) == 1


def test_duplicate_samples_add_up():
    twice, labels = np.repeat(X, 2, axis=0), np.repeat(Y > 1, 2)
    machine = SVC().fit(twice, labels)
    merged = merge_machines([machine])
    assert len(merged.vectors) < len(machine.support_vectors_)
    assert_allclose(merged.decision_function(NEW)[:, 0], machine.decision_function(NEW), atol=1e-9)


def test_precomputed_kernels_are_linear_in_the_kernel_matrix():
    K = X @ X.T
    machines = [SVC(kernel="precomputed").fit(K, label < Y) for label in range(4)]
    alone = np.column_stack([machine.decision_function(NEW @ X.T) for machine in machines])
    assert_allclose(merge_machines(machines).decision_function(NEW @ X.T), alone, rtol=1e-9)


def test_linear_machines_take_sparse_and_sparsified():
    machines = [one.sparsify() for one in fit_pairs(LogisticRegression(max_iter=1000))]
    merged = merge_machines(machines)
    dense = merged.decision_function(NEW)
    assert_allclose(merged.decision_function(sparse.csr_array(NEW)), dense, atol=1e-10)


def test_input_may_be_lists_float32_fortran_or_empty_of_rows():
    merged = merge_machines(fit_pairs(SVC()))
    expected = merged.decision_function(NEW[:5])
    assert_allclose(merged.decision_function(NEW[:5].tolist()), expected)
    assert_allclose(merged.decision_function(np.asfortranarray(NEW)[:5]), expected)
    assert_allclose(merged.decision_function(NEW[:5].astype(np.float32)), expected, atol=1e-4)


@pytest.mark.parametrize("learner", [SVC(), SVC(gamma=0.1), LogisticRegression(max_iter=2000)])
def test_the_classifier_merges_and_changes_nothing(learner):
    X, y = load_iris(return_X_y=True)
    model = CodedClassifier(learner).fit(X, y)
    assert model._merged is not None
    merged = model.predict_proba(X)
    model._merged = None
    assert_allclose(merged, model.predict_proba(X), atol=1e-9)


class TestErrors:
    @pytest.mark.parametrize(
        ("machines", "message"),
        [
            ([], "machines is empty"),
            (
                [SVC()],
                r"machine 0 \(SVC\) cannot be merged: .* its classes are 0",
            ),
            ([DecisionTreeClassifier()], r"machine 0 \(DecisionTreeClassifier\)"),
            ([SVC().fit(X, Y)], "its classes are 5"),
            ([SVC(kernel=lambda a, b: a @ b.T).fit(X, Y > 1)], "its kernel is <function"),
            ([SVC().fit(sparse.csr_array(X), Y > 1)], "its support vectors csr_.*on dense samples"),
            (
                [SVC().fit(X, Y > 1), SVC(kernel="poly").fit(X, Y > 1)],
                r"machine 1 .* kernel is 'poly'.* Expected .* with one kernel",
            ),
            (
                [SVC().fit(X, Y > 1), SVC().fit(X[:, :2], Y > 1)],
                r"machine 1 .* shape \(\d+, 2\).* of the same features",
            ),
            ([SVC().fit(X, Y > 1), LinearSVC().fit(X, Y > 1)], r"machine 1 \(LinearSVC\)"),
            (
                [LinearSVC().fit(X, Y > 1), LinearSVC().fit(X[:, :2], Y > 1)],
                "machine 1 was fitted on 2 features",
            ),
        ],
    )
    def test_says_why_not(self, machines, message):
        with pytest.raises(InvalidInput, match=message):
            merge_machines(machines)

    @pytest.mark.parametrize("machine", [SVC(), LinearSVC()])
    def test_number_of_features(self, machine):
        merged = merge_machines(fit_pairs(machine))
        with pytest.raises(InvalidInput, match=r"X has 2 features; the merged machines .* on 6"):
            merged.decision_function(NEW[:, :2])


@pytest.mark.parametrize("machine", [SVC(), SVC(gamma=0.03), LogisticRegression(max_iter=1000)])
def test_chunks_and_jobs_give_the_same(machine, monkeypatch):
    merged = merge_machines(fit_pairs(machine))
    together = merged.decision_function(NEW)
    monkeypatch.setattr(chunks, "MOST_SAMPLES", 60)
    assert_allclose(merged.decision_function(NEW), together, rtol=1e-12)
    model, methods = CodedClassifier(machine, cv=3).fit(X, Y), ("predict_proba", "predict", "tied")
    alone = [getattr(model, method)(NEW) for method in methods]
    model.set_params(n_jobs=3)  # after the fit, whose processes take seconds to start
    for method, expected in zip(methods, alone, strict=True):
        assert_array_equal(getattr(model, method)(NEW), expected)


@pytest.mark.parametrize("machines", [None, 3])
def test_what_holds_no_machines_is_refused(machines):
    with pytest.raises(InvalidInput, match="expected a sequence of fitted two-class machines"):
        merge_machines(machines)
