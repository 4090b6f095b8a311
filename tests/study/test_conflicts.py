"""What would change recorded results is said in words; what is only more is no conflict."""

import re

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.neighbors import KNeighborsClassifier

from polychotomy.study import Bootstrap, NestedSizes, RepeatedFolds
from polychotomy.study.design.dataset import Dataset
from polychotomy.study.design.specification import find_conflicts, print_data, specify, unite

X = np.arange(8.0).reshape(4, 2)
DATA = Dataset.of(X, list("abab"))


def made(**changes):
    parts = {
        "dataset": "toy",
        "data": DATA,
        "candidates": {"MAX": DummyClassifier()},
        "plan": RepeatedFolds(),
        "seed": 0,
        "keep": "probabilities",
    } | changes
    prints = {parts["dataset"]: print_data(parts["data"])}
    return prints, specify(
        datasets=prints,
        candidates=parts["candidates"],
        plans={parts["plan"].name: parts["plan"]},
        seed=parts["seed"],
        keep=parts["keep"],
    )


def conflicts(was, now):
    both = {name: (was[0][name], now[0][name]) for name in was[0].keys() & now[0].keys()}
    return find_conflicts(was[1], now[1], both)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"seed": 1}, "the seed was 0, now 1"),
        ({"keep": "labels"}, "what is kept was 'probabilities', now 'labels'"),
        (
            {"data": Dataset.of(X + 1, list("abab"))},
            "the data 'toy' are not the same: changed",
        ),
        ({"dataset": "other"}, "the data 'other' are in the study as 'toy'; use that name"),
        (
            {"candidates": {"MAX": DummyClassifier(strategy="stratified")}},
            "the candidate 'MAX' was … strategy='prior' …, now … strategy='stratified' …$",
        ),
    ],
)
def test_differences_in_words(changes, words):
    (conflict,) = conflicts(made(), made(**changes))
    assert re.search(words, conflict)


@pytest.mark.parametrize(
    "changes",
    [
        {"candidates": {"MAX": DummyClassifier(), "1-NN": KNeighborsClassifier(1)}},
        {"candidates": {"1-NN": KNeighborsClassifier(1)}},
        {"plan": RepeatedFolds(runs=9)},
        {"plan": RepeatedFolds(folds=5)},
        {"plan": RepeatedFolds(stratified=False)},
        {"plan": Bootstrap()},
        {"plan": NestedSizes()},
        {"dataset": "other", "data": Dataset.of(X + 1, list("abab"))},
    ],
)
def test_more_is_no_conflict(changes):
    assert conflicts(made(), made(**changes)) == []


def test_more_replicates_are_no_conflict_and_the_larger_number_counts():
    few, many = made(plan=Bootstrap(replicates=5)), made(plan=Bootstrap(replicates=9))
    assert conflicts(few, many) == []
    for first, second in ((few, many), (many, few)):
        assert unite(first[1], second[1])["plans"]["bootstrap"]["replicates"] == 9


def test_version_of_a_library_is_a_conflict():
    was, now = made(), made()
    now[1]["versions"]["numpy"] = "0.1"
    assert conflicts(was, now) == [f"numpy was {np.__version__}, now 0.1"]


def test_all_differences_are_named_at_once():
    assert len(conflicts(made(), made(seed=1, keep="labels"))) == 2
