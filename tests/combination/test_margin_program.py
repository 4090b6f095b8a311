"""The program on a working set: whatever our simplex answers, what is returned is certified."""

import numpy as np
import pytest
from margin_families import FAMILIES, draw

from polychotomy.combination import linear_program as margin_program
from polychotomy.combination import rank_margin_weights
from polychotomy.combination.linear_program import GameSolution, WorkingSet, solve_saddle


def wrong(high, low):
    """A simplex that answers with the first vertex it sees."""
    p, q, m = len(high), len(low), high.shape[1]
    return GameSolution(np.eye(m)[0], np.eye(p)[0], np.eye(q)[0], 0)


@pytest.mark.parametrize("answer", [wrong, lambda high, low: None], ids=["wrong", "none"])
@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_highs_takes_over_where_the_two_sides_do_not_meet(monkeypatch, family, answer):
    scores, y = draw(family, 5, n=80, m=6)
    ours = rank_margin_weights(scores, y)
    monkeypatch.setattr(margin_program, "solve_game", answer)
    theirs = rank_margin_weights(scores, y)
    scale = max(1.0, np.ptp(scores))
    assert theirs.margin == pytest.approx(ours.margin, abs=1e-9 * scale)
    assert theirs.gap <= 1e-9 * scale


def test_saddle_by_hand():
    scores = np.array([[0.9, 0.2], [0.1, 0.8], [0.0, 0.0]])
    working = WorkingSet.of(scores[:2], scores[2:], np.array([0, 1]), np.array([2]))
    saddle = solve_saddle(working)
    np.testing.assert_allclose(saddle.weights, [3 / 7, 4 / 7])
    assert working.margin(saddle.margin) == pytest.approx(0.5)
    assert working.margin(saddle.bound) == pytest.approx(0.5)


def test_rows_that_cannot_bind_are_left_out():
    scores = np.array([[0.9, 0.8], [0.5, 0.4], [0.0, 0.1]])
    working = WorkingSet.of(scores[:2], scores[2:], np.array([0, 1]), np.array([2]))
    assert working.positives.tolist() == [1]
