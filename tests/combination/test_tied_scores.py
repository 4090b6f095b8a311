"""Ties: what is equal but for rounding is equal, however it is kept and added."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_digits
from sklearn.metrics import roc_auc_score
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from polychotomy.combination.advice import pair_odds, scores_of_odds, would_combining_help
from polychotomy.combination.two_classes import combine, join_ties
from polychotomy.core.predictions import OutOfFold
from polychotomy.core.ranking import placements

COUNTS = st.lists(st.tuples(*[st.integers(0, 400)] * 4), min_size=2, max_size=40)
KEPT = st.sampled_from([np.float32, np.float64])


def kept_probabilities(counts, dtype):
    """Shares of the classes in leaves (n, 4) as a study would keep them, (1, n, 4)."""
    table = np.array(counts, dtype=float) + [0, 0, 1, 0]
    return (table / table.sum(axis=1, keepdims=True)).astype(dtype)[None]


def exact_odds(counts):
    return [Fraction(b, a) if a else Fraction(10**9 if b else 1) for a, b, *_ in counts]


@given(COUNTS, KEPT)
def test_odds_rank_as_in_exact_arithmetic(counts, dtype):
    odds, exact = pair_odds(kept_probabilities(counts, dtype), (0, 1))[:, 0], exact_odds(counts)
    for i, j in combinations(range(len(counts)), 2):
        assert (odds[i] < odds[j], odds[i] == odds[j]) == (
            exact[i] < exact[j],
            exact[i] == exact[j],
        )


@given(COUNTS, KEPT, st.permutations(range(3)))
def test_averages_of_the_same_in_another_order_are_tied(counts, dtype, order):
    p = kept_probabilities(counts, dtype)[0]
    rows = np.stack([p, np.roll(p, 1, axis=0), np.roll(p, 2, axis=0)])
    odds = pair_odds(np.concatenate([rows, rows[list(order)]], axis=1), (0, 1))
    errors = 2 * np.finfo(dtype).eps * np.ones(odds.shape)
    first, again = np.split(combine(scores_of_odds(odds), np.full(3, 1 / 3), errors), 2)
    np.testing.assert_array_equal(first, again)


@pytest.fixture(scope="module")
def leaves():
    """A tree of digits with noise: labels, probabilities, and class counts of each leaf."""
    X, y = load_digits(return_X_y=True)
    X = X + np.random.default_rng(0).normal(size=X.shape) * X.std(axis=0)
    folds = np.arange(len(y)) % 2
    p, counts = np.empty((len(y), 10)), np.empty((len(y), 10), dtype=int)
    for fold in (0, 1):
        inside, out = folds != fold, folds == fold
        tree = DecisionTreeClassifier(max_depth=5, min_samples_leaf=5, random_state=0)
        p[out] = tree.fit(X[inside], y[inside]).predict_proba(X[out])
        of = np.zeros((tree.tree_.node_count, 10), dtype=int)
        np.add.at(of, (tree.apply(X[inside]), y[inside]), 1)
        counts[out] = of[tree.apply(X[out])]
    return y, folds, p, counts


def exact_area(y, rows, counts, pair):
    """By scikit-learn, from whole counts; and the samples of the two classes."""
    own = rows & np.isin(y, pair)
    shares = [Fraction(int(u), int(u + v)) if u + v else Fraction(1, 2)
              for v, u in counts[own][:, list(pair)]]  # fmt: skip
    score = np.unique(np.array(shares, dtype=object), return_inverse=True)[1]
    return roc_auc_score(y[own] == pair[1], score), *((y[own] == one).sum() for one in pair)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_areas_of_a_tree_are_scikit_learns_on_whole_counts(leaves, dtype):
    y, folds, p, counts = leaves
    for a, b in combinations(range(10), 2):
        own = (folds == 0) & np.isin(y, (a, b))
        odds = pair_odds(p[None, own].astype(dtype), (a, b))[:, 0]
        exact = exact_area(y, folds == 0, counts, (a, b))[0]
        assert placements(odds, y[own] == b)[0].mean() == pytest.approx(exact, abs=1e-12)
    lower, upper = p.astype(dtype).T[[0, 1]]
    assert len(np.unique(upper / np.maximum(lower, 1e-9))) > len(
        np.unique(pair_odds(p.astype(dtype)[None], (0, 1)))
    )  # or there was nothing to join


@pytest.mark.long
def test_the_advice_has_the_areas_of_whole_counts(leaves):
    y, folds, p, counts = leaves
    both = np.stack([p, p])[:, None, None].astype(np.float32)
    advice = would_combining_help(
        OutOfFold(
            names=("tree", "twin"), classes=tuple(map(str, range(10))), y=y,
            folds=folds[None, None], predicted=both.argmax(axis=-1), probabilities=both,
            hard=np.zeros(2, dtype=bool),
        )
    )  # fmt: skip
    found = []
    for pair in combinations(range(10), 2):
        each, *sizes = zip(*[exact_area(y, folds == f, counts, pair) for f in (0, 1)], strict=True)
        found.append(np.mean([np.average(each, weights=size) for size in sizes]))
    assert advice.aucs[0] == pytest.approx(np.mean(found), abs=1e-12)
    assert advice.auc == advice.auc_average == pytest.approx(advice.aucs[0], abs=1e-12)


def test_tiny_probabilities_are_told_apart():
    """As scores 2p − 1 they are all −1; scikit-learn's area of p tells them apart."""
    rng = np.random.default_rng(0)
    y = np.arange(200) % 2
    X = rng.normal(size=(200, 60)) + 0.2 * y[:, None]
    p = GaussianNB().fit(X[:100] / 5, y[:100]).predict_proba(X)
    assert ((p > 0) & (p < 1e-20)).sum() > 20
    ours = placements(pair_odds(p[None], (0, 1))[:, 0], y == 1)[0].mean()
    with np.errstate(divide="ignore"):
        assert ours == pytest.approx(roc_auc_score(y, np.log(p[:, 1]) - np.log(p[:, 0])))


def test_ends_by_hand():
    p = np.array([[[0, 0.5, 0.5], [0.5, 0, 0.5], [0, 0, 1], [0.25, 0.25, 0.5], [0, 1, 0]]])
    odds = pair_odds(p, (0, 1))[:, 0]
    np.testing.assert_array_equal(odds, [np.inf, 0, 1, 1, np.inf])
    np.testing.assert_array_equal(scores_of_odds(odds), [1, -1, 0, 0, 1])


@given(st.lists(st.floats(-1, 1, width=32), min_size=1, max_size=20))
def test_without_error_nothing_is_joined(values):
    given_values = np.array(values)
    np.testing.assert_array_equal(join_ties(given_values, np.zeros(len(values))), given_values)


def test_joining_keeps_the_shape_and_takes_the_smallest():
    joined = join_ties(np.array([[3.0, 1.1], [1.0, 2.0]]), np.full((2, 2), 0.1))
    np.testing.assert_array_equal(joined, [[3.0, 1.0], [1.0, 2.0]])
