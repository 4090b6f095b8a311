"""With very many classes combining is asked about in pairs drawn at random, and that is said."""

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB

from polychotomy import judge, would_combining_help
from polychotomy.combination import advice
from polychotomy.core.predictions import OutOfFold


def table(k, n, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % k
    return rng.normal(size=(k, 3))[y] * 2 + rng.normal(size=(n, 3)), y


def test_pairs_are_drawn_and_the_page_says_so():
    candidates = {"MAX": DummyClassifier(), "Bayes": GaussianNB()}
    verdict = judge(candidates, *table(20, 300), anatomy=False)
    assert verdict.combination.over == verdict.best == "Bayes"
    assert (verdict.combination.n_class_pairs, verdict.combination.n_possible_pairs) == (100, 190)
    said = "100 of 190 pairs of classes"
    (note,) = [one for one in verdict.notes if one.startswith("combining was asked about in ")]
    assert said in note
    assert said in verdict.to_html()


def forecasts(k, n, seed):
    X, y = table(k, n, seed)
    rng = np.random.default_rng(seed)
    centres = np.stack([X[y == c].mean(axis=0) for c in range(k)])
    logits = -((X[:, None] - centres) ** 2).sum(axis=-1) / 2
    p = np.exp(logits + rng.normal(size=(3, n, k)))
    p = (p / p.sum(axis=-1, keepdims=True))[:, None, None]
    return OutOfFold(names=("a", "b", "c"), classes=tuple(map(str, range(k))), y=y,
                     folds=(np.arange(n) // k % 5)[None, None], predicted=p.argmax(axis=-1),
                     probabilities=p, hard=np.zeros(3, dtype=bool))  # fmt: skip


@pytest.mark.long
def test_drawn_pairs_tell_the_same_as_all_within_their_error(monkeypatch):
    given = forecasts(12, 600, 1)
    every = would_combining_help(given)
    assert every.n_class_pairs == every.n_possible_pairs == 66
    assert "drawn at random" not in str(every)
    monkeypatch.setattr(advice, "MOST_PAIRS", 20)
    some = would_combining_help(given)
    assert "Asked in 20 of 66 pairs of classes, drawn at random." in str(some)
    assert abs(some.difference - every.difference) < 2 * some.standard_error
    assert some.standard_error > every.standard_error


def test_many_samples_tell_the_same_from_some_of_each_class(monkeypatch):
    given = forecasts(3, 3000, 2)
    every = would_combining_help(given)
    assert every.n_samples == 3000
    monkeypatch.setattr(advice, "MOST_SAMPLES", 1500)
    monkeypatch.setattr(advice, "_MOST_LEARNED", 200)
    some = would_combining_help(given)
    assert some.n_samples == 1500
    assert abs(some.auc - every.auc) < 0.01
    assert every.standard_error < some.standard_error < 2 * every.standard_error


def test_classes_too_rare_for_a_pair_are_not_drawn():
    pairs, possible = advice.draw_pairs(np.repeat(np.arange(40), [30] * 5 + [1] * 35), 40)
    assert len(pairs) == possible == 10
