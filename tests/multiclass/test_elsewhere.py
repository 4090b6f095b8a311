"""Prediction in other array libraries: the same answers, where the samples are."""

import numpy as np
import pytest
from array_api_compat import device
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_iris, make_blobs
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier

from array_libraries import Library, open_library, to_numpy
from polychotomy.core.exceptions import InvalidInput
from polychotomy.multiclass import CodedClassifier, merge_machines

X, Y = make_blobs(200, centers=4, n_features=5, cluster_std=3.0, random_state=0)
NEW = np.random.default_rng(1).normal(scale=6.0, size=(50, 5))


LEARNERS = [
    SVC(gamma=0.05),
    SVC(),  # γ = "scale": a kernel for each machine
    SVC(kernel="poly", degree=2, coef0=1.0, gamma=0.02),
    SVC(kernel="sigmoid", gamma=0.001),
    LinearSVC(),
    LogisticRegression(),
]


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
def test_merged_machines(library, learner):
    machines = [type(learner)(**learner.get_params()).fit(X, label == Y) for label in range(4)]
    merged, new = merge_machines(machines), library.move(NEW)
    values = merged.decision_function(new)
    assert type(values) is type(new)
    assert device(values) == device(new)
    assert_allclose(to_numpy(values), merged.decision_function(NEW), rtol=1e-10, atol=1e-10)
    single = to_numpy(merged.decision_function(library.move(NEW, "float32")))
    assert single.dtype == np.float32
    assert_allclose(single, merged.decision_function(NEW), rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("learner", [SVC(), LogisticRegression()], ids=str)
@pytest.mark.parametrize("code", ["one-vs-one", "orthogonal", "one-vs-rest"])
@pytest.mark.parametrize("decoder", ["bradley-terry", "least-squares", "votes"])
def test_coded_classifiers(library, learner, code, decoder):
    thresholds = "optimal" if code == "one-vs-one" else None
    model = CodedClassifier(learner, code=code, decoder=decoder, thresholds=thresholds).fit(X, Y)
    new = library.move(NEW)
    for method in ("predict_proba", "predict_dichotomies", "predict", "decision_function", "tied"):
        found, expected = getattr(model, method)(new), getattr(model, method)(NEW)
        assert type(found) is type(new), method
        assert device(found) == device(new), method
        assert_allclose(to_numpy(found), expected, rtol=1e-8, atol=1e-9, err_msg=method)
    single = to_numpy(model.predict_proba(library.move(NEW, "float32")))
    assert_allclose(single, model.predict_proba(NEW), atol=2e-4 if decoder != "votes" else 1)


def test_labels_that_are_text_come_as_numpys(library):
    iris = load_iris()
    model = CodedClassifier(SVC(), calibration=None).fit(iris.data, iris.target_names[iris.target])
    found = model.predict(library.move(iris.data))
    assert isinstance(found, np.ndarray)
    assert_array_equal(found, model.predict(iris.data))


def test_others_are_read_by_numpy_where_that_is_possible():
    torch = open_library("torch")
    model = CodedClassifier(DecisionTreeClassifier(random_state=0)).fit(X, Y)
    assert_array_equal(model.predict(torch.move(NEW)), model.predict(NEW))


def test_others_are_refused_on_a_device():
    nowhere = Library(open_library("torch").xp, "meta")
    model = CodedClassifier(SVC(), calibration="isotonic").fit(X, Y)
    with pytest.raises(InvalidInput, match=r"X is on meta, where only merged machines predict"):
        model.predict(nowhere.move(NEW))


def test_errors_name_what_is_wrong(library):
    merged = merge_machines([SVC().fit(X, label == Y) for label in range(2)])
    with pytest.raises(InvalidInput, match=r"X has shape \(50, 4\).*fitted on 5 features"):
        merged.decision_function(library.move(NEW[:, :4]))
    spoilt = NEW.copy()
    spoilt[3, 2] = np.nan
    with pytest.raises(InvalidInput, match=r"X\[3, 2\] is .*nan.*; expected finite"):
        merged.decision_function(library.move(spoilt))
