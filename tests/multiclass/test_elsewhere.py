"""Prediction in other array libraries: the same answers, where the samples are."""

import array_api_strict
import numpy as np
import pytest
from array_api_compat import device
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_iris, make_blobs
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier

from polychotomy.exceptions import InvalidInput
from polychotomy.multiclass import CodedClassifier, merge_machines

X, Y = make_blobs(200, centers=4, n_features=5, cluster_std=3.0, random_state=0)
NEW = np.random.default_rng(1).normal(scale=6.0, size=(50, 5))


def torch_on(place):
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    if place == "cuda" and not torch.cuda.is_available():
        pytest.skip("no CUDA device")
    return lambda values, dtype="float64": torch.asarray(
        values, dtype=getattr(torch, dtype), device=place
    )


def to_strict(values, dtype="float64"):
    return array_api_strict.asarray(values, dtype=getattr(array_api_strict, dtype))


def to_cupy(values, dtype="float64"):
    cupy = pytest.importorskip("cupy", reason="CuPy is not installed")
    return cupy.asarray(values, dtype=dtype)


@pytest.fixture(params=["array_api_strict", "torch", "torch on cuda", "cupy"])
def move(request):
    if request.param in ("array_api_strict", "cupy"):
        return to_cupy if request.param == "cupy" else to_strict
    return torch_on("cuda" if "cuda" in request.param else "cpu")


def back(array):
    if hasattr(array, "get"):
        return array.get()
    return np.asarray(array.cpu() if hasattr(array, "cpu") else array)


LEARNERS = [
    SVC(gamma=0.05),
    SVC(),  # γ = "scale": a kernel for each machine
    SVC(kernel="poly", degree=2, coef0=1.0, gamma=0.02),
    SVC(kernel="sigmoid", gamma=0.001),
    LinearSVC(),
    LogisticRegression(),
]


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
def test_merged_machines(move, learner):
    machines = [type(learner)(**learner.get_params()).fit(X, label == Y) for label in range(4)]
    merged, new = merge_machines(machines), move(NEW)
    values = merged.decision_function(new)
    assert type(values) is type(new)
    assert device(values) == device(new)
    assert_allclose(back(values), merged.decision_function(NEW), rtol=1e-10, atol=1e-10)
    single = back(merged.decision_function(move(NEW, "float32")))
    assert single.dtype == np.float32
    assert_allclose(single, merged.decision_function(NEW), rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("learner", [SVC(), LogisticRegression()], ids=str)
@pytest.mark.parametrize("code", ["one-vs-one", "orthogonal", "one-vs-rest"])
@pytest.mark.parametrize("decoder", ["bradley-terry", "least-squares", "votes"])
def test_coded_classifiers(move, learner, code, decoder):
    thresholds = "optimal" if code == "one-vs-one" else None
    model = CodedClassifier(learner, code=code, decoder=decoder, thresholds=thresholds).fit(X, Y)
    new = move(NEW)
    for method in ("predict_proba", "predict_dichotomies", "predict", "decision_function", "tied"):
        found, expected = getattr(model, method)(new), getattr(model, method)(NEW)
        assert type(found) is type(new), method
        assert device(found) == device(new), method
        assert_allclose(back(found), expected, rtol=1e-8, atol=1e-9, err_msg=method)
    single = back(model.predict_proba(move(NEW, "float32")))
    assert_allclose(single, model.predict_proba(NEW), atol=2e-4 if decoder != "votes" else 1)


def test_labels_that_are_text_come_as_numpys(move):
    iris = load_iris()
    model = CodedClassifier(SVC(), calibration=None).fit(iris.data, iris.target_names[iris.target])
    found = model.predict(move(iris.data))
    assert isinstance(found, np.ndarray)
    assert_array_equal(found, model.predict(iris.data))


def test_others_are_read_by_numpy_where_that_is_possible():
    tensor = torch_on("cpu")
    model = CodedClassifier(DecisionTreeClassifier(random_state=0)).fit(X, Y)
    assert_array_equal(model.predict(tensor(NEW)), model.predict(NEW))


def test_others_are_refused_on_a_device():
    tensor = torch_on("meta")
    model = CodedClassifier(SVC(), calibration="isotonic").fit(X, Y)
    with pytest.raises(InvalidInput, match=r"X is on meta, where only merged machines predict"):
        model.predict(tensor(NEW))


def test_errors_name_what_is_wrong(move):
    merged = merge_machines([SVC().fit(X, label == Y) for label in range(2)])
    with pytest.raises(InvalidInput, match=r"X has shape \(50, 4\).*fitted on 5 features"):
        merged.decision_function(move(NEW[:, :4]))
    spoilt = NEW.copy()
    spoilt[3, 2] = np.nan
    with pytest.raises(InvalidInput, match=r"X\[3, 2\] is .*nan.*; expected finite"):
        merged.decision_function(move(spoilt))
