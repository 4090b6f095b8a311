"""All pairs from one fit of LIBSVM are the machines that fits of their own would give."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import expit
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.metrics.pairwise import pairwise_kernels
from sklearn.model_selection import ShuffleSplit
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC, NuSVC

from polychotomy.codes import one_vs_one
from polychotomy.multiclass import CodedClassifier, pair_machines
from polychotomy.multiclass.pair_machines import PairMachines, leave_one_out, pair_numbers

X, Y = load_digits(n_class=5, return_X_y=True)
X, Y, Z = X[:300], Y[:300], X[300:400]
WEIGHTS = np.random.default_rng(0).uniform(0.5, 2.0, 300)


@pytest.mark.parametrize(
    "learner",
    [
        SVC(gamma=0.002),
        SVC(C=0.1),
        SVC(kernel="poly", degree=2, coef0=1.0),
        SVC(kernel="linear"),
        NuSVC(nu=0.2),
    ],
)
@pytest.mark.parametrize("weights", [None, WEIGHTS])
def test_every_machine_is_that_of_its_own_fit(learner, weights):
    model = CodedClassifier(learner, calibration=None).fit(X, Y, sample_weight=weights)
    assert isinstance(model.estimators_, PairMachines)
    outputs = model.predict_dichotomies(Z)
    for number, row in enumerate(one_vs_one(5)):
        pair = np.flatnonzero(row[Y])
        own = {} if weights is None else {"sample_weight": weights[pair]}
        machine = model.estimators_[number]
        # Its first label is the pair's first class: LIBSVM then goes through the samples as it
        # does in the fit of all classes, to the last bit.
        peer = type(machine)(**machine.get_params()).fit(X[pair], row[Y[pair]] < 0, **own)
        assert_allclose(outputs[:, number], expit(-peer.decision_function(Z)), atol=1e-12)
        assert_allclose(machine.decision_function(Z), -peer.decision_function(Z), atol=1e-10)
        assert_array_equal(machine.predict(Z), 1 - peer.predict(Z))
        assert_array_equal(np.sort(machine.support_), np.sort(peer.support_))
        assert_array_equal(machine.support_vectors_, X[pair][machine.support_])
        assert machine.n_iter_ == peer.n_iter_


@pytest.mark.parametrize("most", [5000, 299])
@pytest.mark.parametrize(
    "cv",
    [
        3,
        ShuffleSplit(4, test_size=0.4, random_state=0),
        [(np.random.default_rng(i).choice(300, 300), np.arange(i, 300, 2)) for i in range(2)],
        [(np.random.default_rng(i).permutation(300), np.arange(i, 300, 2)) for i in range(2)],
    ],
    ids=["folds", "overlapping tests", "drawn again", "of all, in another order"],
)
def test_calibrated_as_when_fitted_one_by_one(monkeypatch, most, cv):
    """With one matrix of kernel values, and where that has no room."""
    monkeypatch.setattr(pair_machines, "_MOST_KEPT", most)
    gamma = 1 / (X.shape[1] * X.var())
    fast = CodedClassifier(SVC(tol=1e-8), thresholds="optimal", cv=cv).fit(X, Y)
    slow = CodedClassifier(make_pipeline(SVC(gamma=gamma, tol=1e-8)), thresholds="optimal", cv=cv)
    slow.fit(X, Y)
    assert not isinstance(slow.estimators_, PairMachines)
    assert_allclose(fast.predict_proba(Z), slow.predict_proba(Z), atol=1e-4)
    assert_allclose(fast.thresholds_, slow.thresholds_, atol=1e-4)
    assert fast.temperature_ == pytest.approx(slow.temperature_, rel=1e-3)


@pytest.mark.parametrize("weights", [None, WEIGHTS])
@pytest.mark.parametrize(
    ("learner", "share"),
    [(SVC(gamma=0.002), 0.2), (SVC(kernel="poly", degree=2, coef0=1.0), 0.5)],
)
def test_left_out_one_by_one_as_if_fitted_again(learner, share, weights):
    model = CodedClassifier(learner, calibration=None).fit(X, Y, sample_weight=weights)
    machines, bounds = model.estimators_, np.ones(300) if weights is None else weights
    names = ("gamma", "degree", "coef0") if learner.kernel == "poly" else ("gamma",)
    params = {name: getattr(machines.machine, name) for name in names}
    said = leave_one_out(machines, pairwise_kernels(X, metric=learner.kernel, **params), bounds)
    seen, fitted = np.empty((40, 4)), np.empty((40, 4))
    for sample in range(40):
        rest, own = np.arange(300) != sample, pair_numbers(5)[Y[sample]]
        again = clone(machines.machine).set_params(decision_function_shape="ovo")
        again.fit(X[rest], Y[rest], sample_weight=None if weights is None else weights[rest])
        fitted[sample] = again.decision_function(X[[sample]])[0, own]
        seen[sample] = machines.decision_function(X[[sample]])[0, own]
    error, naive = np.abs(said[:40] - fitted), np.abs(seen - fitted)
    assert error.mean() < share * naive.mean()
    assert np.quantile(error, 0.9) < 0.05


def test_the_only_member_of_a_class_is_not_left_out():
    rows = np.concatenate([np.flatnonzero(Y < 4), np.flatnonzero(Y == 4)[:1]])
    model = CodedClassifier(SVC()).fit(X[rows], Y[rows])
    assert np.isfinite(model.predict_proba(Z)).all()
    assert model.temperature_ != 1.0


def test_a_sequence_that_can_be_sliced_and_stored():
    model = CodedClassifier(SVC()).fit(X, Y)
    again = pickle.loads(pickle.dumps(model))
    assert_array_equal(again.predict_proba(Z), model.predict_proba(Z))
    assert len(model.estimators_) == len(model.dichotomies_) == 10
    last = [
        part[-1] for part in (model.estimators_, model.estimators_[8:], list(again.estimators_))
    ]
    assert len({one.intercept_[0] for one in last}) == 1
    assert [d.threshold for d in model.dichotomies_[:2]] == [0.0, 0.0]
    with pytest.raises(IndexError):
        model.estimators_[10]


def test_samples_without_weight_are_not_there():
    weights = np.ones(300)
    weights[::3] = 0
    here = weights > 0
    model = CodedClassifier(SVC(tol=1e-8)).fit(X, Y, sample_weight=weights)
    without = CodedClassifier(SVC(tol=1e-8)).fit(X[here], Y[here])
    assert_allclose(model.predict_proba(Z), without.predict_proba(Z), atol=1e-6)


def test_what_fails_is_said_of_one_pair():
    rare = np.concatenate([np.flatnonzero(Y != 0), np.flatnonzero(Y == 0)[:3]])
    with pytest.raises(
        ValueError, match=r"NuSVC failed on dichotomy 0 \(class 0 against class 1\)"
    ):
        CodedClassifier(NuSVC(nu=0.9)).fit(X[rare], Y[rare])
