"""The usual weights that the margin's are compared with."""

import numpy as np

from combining import average_weights, best_single_weights, greedy_selection_weights
from polychotomy.combination.pair_margins import auc, aucs


def test_greedy_selection_by_hand():
    # Alone the first ranks 3 of 4 pairs rightly, the second 3; their sum all four.
    scores = np.array([[3.0, 1.0], [1.0, 3.0], [2.0, 0.0], [0.0, 2.0]])
    y = np.array([1, 1, 0, 0])
    weights = greedy_selection_weights(scores, y, steps=2)
    assert weights.tolist() == [0.5, 0.5]
    assert auc(scores @ weights, y) == 1.0


def test_best_single_and_average():
    rng = np.random.default_rng(0)
    y = np.arange(80) % 2
    scores = rng.normal(size=(80, 4)) + np.outer(y, [0.2, 1.0, 0.0, 0.5])
    assert best_single_weights(scores, y).argmax() == aucs(scores, y).argmax()
    assert average_weights(scores, y).tolist() == [0.25] * 4
    greedy = greedy_selection_weights(scores, y, steps=8)
    assert auc(scores @ greedy, y) >= aucs(scores, y).max() - 1e-12
