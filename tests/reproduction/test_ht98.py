"""HT98: the worked example, the paper's own sweeps, and what thresholds do."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from polychotomy.decoding import couple_by_sweeps
from polychotomy.reproduction.ht98 import pairwise_errors, pairwise_learners
from polychotomy.reproduction.ht98_page import COUPLED, EXAMPLE, MAX_WINS, claim_cells


def test_printed_solution_is_the_third_sweep():
    assert couple_by_sweeps(EXAMPLE, sweeps=3).round(2).tolist() == [0.47, 0.25, 0.28]
    assert_allclose(
        couple_by_sweeps(EXAMPLE, sweeps=500), [0.481068, 0.241639, 0.277293], atol=1e-6
    )


@pytest.mark.parametrize("learner", ["LDA", "5-NN"])
def test_separable_pairs_leave_nothing_to_couple(learner):
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], 30)
    X = 20 * np.array([[0, 0], [0, 1], [1, 0]])[y] + rng.standard_normal((90, 2))
    for thresholds in (None, "optimal"):
        errors = pairwise_errors(pairwise_learners()[learner], (X, y), (X, y), thresholds)
        assert errors == (0.0, 0.0)


def test_claims_are_shares_of_random_mixtures():
    """Of four mixtures coupling is 10 points better than max-wins in one, alike in three."""
    alike = {MAX_WINS: 0.2, COUPLED: 0.2, "LDA": 0.3, "QDA": 0.1}
    drawn = [alike, alike, alike, alike | {MAX_WINS: 0.3}]
    cells = claim_cells([{"1": alike, "2": alike, "random": drawn}])
    shares = {cell.column: cell.ours for cell in cells[1:]}
    assert shares["coupling does substantially better than max-wins"] == 0.25
    assert shares["max-wins performs no worse than coupling"] == 0.75
    assert shares["QDA errs less than coupling"] == 1
    assert {cell.verdict for cell in cells[1:]} == {"cannot"}
