import numpy as np
from numpy.testing import assert_allclose

from polychotomy.validation.trace_sums import Spread, joint_pvalue


def test_excursions_by_hand():
    spread = Spread.of(np.array([[0.0, 3.0], [0.0, -4.0]]))
    assert_allclose(spread.up, [0, 3 / np.sqrt(2)])
    assert_allclose(spread.down, [0, 4 / np.sqrt(2)])
    far = spread.excursions(np.array([[0.0, 3.0], [0.0, -8.0], [0.5, 0.0], [0.0, 0.0]]))
    assert_allclose(far, [np.sqrt(2), 2 * np.sqrt(2), np.inf, 0])


def test_joint_pvalue_has_its_level_whatever_the_questions():
    rng = np.random.default_rng(0)
    for shared in (0.0, 0.9):
        statistics = np.sqrt(1 - shared) * rng.normal(size=(1000, 3, 40))
        statistics += np.sqrt(shared) * rng.normal(size=(1000, 1, 40))
        found = [joint_pvalue(one[:, 1:], one[:, 0]) for one in statistics]
        assert abs(np.mean(np.array(found) <= 0.1) - 0.1) < 0.04


def test_joint_pvalue_of_ties_is_one():
    assert joint_pvalue(np.zeros((3, 9)), np.zeros(3)) == 1.0
    assert joint_pvalue(np.full((1, 9), np.inf), np.array([np.inf])) == 1.0
