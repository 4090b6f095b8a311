"""Remembered answers: those that the model would give, for every classifier of scikit-learn."""

import warnings

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils import all_estimators

from polychotomy.study import RepeatedFolds, Study
from polychotomy.study.fitting.fit import remembering
from polychotomy.study.fitting.prepare import Template
from polychotomy.study.fitting.workbench import Workbench
from polychotomy.study.study import plan_trials

X, y = load_iris(return_X_y=True)
X = np.abs(X.round(0))  # many ties, and nothing negative
SMALL = {"n_estimators": 3, "max_iter": 30, "Cs": 2}


def plain_classifiers():
    for name, kind in all_estimators(type_filter="classifier"):
        try:
            model = kind()
        except TypeError:  # made of others
            continue
        small = {key: value for key, value in SMALL.items() if key in model.get_params()}
        if hasattr(model, "predict") and Template(model, 0).is_plain:
            yield name, model.set_params(**small)


PLAIN = dict(plain_classifiers())


def both_ways(candidate):
    work = Study({"it": candidate}, X, y, plan=RepeatedFolds(repetitions=1)).work()
    keys = list(plan_trials(work.datasets, work.candidates, work.plans))
    with warnings.catch_warnings(), Workbench(work) as bench:
        warnings.simplefilter("ignore")
        return [(bench.run(key), work.run(key)) for key in [*keys, *keys]]


@pytest.mark.parametrize("name", PLAIN)
def test_every_plain_classifier_gives_the_same_bits(name):
    for remembered, alone in both_ways(PLAIN[name]):
        assert (remembered.status, remembered.cause) == (alone.status, alone.cause)
        assert remembered.predicted.tobytes() == alone.predicted.tobytes()
        assert remembered.probabilities.tobytes() == alone.probabilities.tobytes()
        assert remembered.model_bytes == alone.model_bytes


def test_a_generator_as_seed_is_drawn_from_as_often_as_alone():
    candidate = DummyClassifier(strategy="stratified", random_state=np.random.RandomState(0))
    for remembered, alone in both_ways(candidate):
        assert remembered.predicted.tobytes() == alone.predicted.tobytes()
        assert remembered.probabilities.tobytes() == alone.probabilities.tobytes()


def test_a_question_is_asked_once_and_nothing_stays():
    class Counting(KNeighborsClassifier):
        calls = 0

        def kneighbors(self, *args, **named):
            type(self).calls += 1
            return super().kneighbors(*args, **named)

    model = Counting(3).fit(X, y)
    before = set(vars(model))
    with remembering(model):
        model.predict(X)
        model.predict_proba(X)
        assert Counting.calls == 1
        model.predict_proba(X + 1)
        assert Counting.calls == 2
    assert set(vars(model)) == before


def test_what_a_caller_writes_on_is_its_own():
    model = DummyClassifier().fit(X, y)
    with remembering(model):
        model.predict_proba(X)[:] = 7
        assert model.predict_proba(X).max() < 1
