"""Loss-based decoding."""

import numpy as np
import pytest
from decoding_strategies import CODES, random_outputs
from numpy.testing import assert_allclose
from scipy.special import logit, softmax

from polychotomy.codes import one_vs_one, one_vs_rest
from polychotomy.decoding import decode_loss


@pytest.mark.parametrize("name", CODES)
def test_it_is_the_softmin_of_allweins_loss(name):
    code = CODES[name](5)
    q = random_outputs(code, seed=0)
    sided = (code.max(axis=1) > 0) & (code.min(axis=1) < 0)
    weights = np.random.default_rng(0).uniform(0.5, 2, size=len(code))
    margins = logit(q)[:, sided, None] * code[sided]
    loss = (weights[sided, None] * np.log1p(np.exp(-margins))).sum(axis=1)
    assert_allclose(decode_loss(code, q, weights=weights), softmax(-loss, axis=1), atol=1e-12)


def test_two_classes_keep_their_output():
    assert_allclose(decode_loss(one_vs_one(2), [[0.3], [1.0]]), [[0.3, 0.7], [1, 0]])


def test_one_vs_rest_normalises_odds():
    odds = np.array([1, 4, 0.25])
    assert_allclose(decode_loss(one_vs_rest(3), [odds / (1 + odds)])[0], odds / odds.sum())


def test_certain_outputs_are_limits():
    # Classes 0 and 1 are each ruled out once, class 2 twice; among 0 and 1 the rest decides.
    code = one_vs_one(3)
    p = decode_loss(code, [[0.7, 0.0, 0.0]])
    clipped = decode_loss(code, [[0.7, 1e-200, 1e-200]])
    assert_allclose(p, clipped, atol=1e-12)
    contradictory = decode_loss(one_vs_rest(3), [[1.0, 1.0, 0.2]])
    assert_allclose(contradictory, [[0.5, 0.5, 0]], atol=1e-12)


def test_the_weight_of_a_one_sided_row_says_nothing():
    code = np.vstack([one_vs_rest(3), [[1, 1, 1]]])
    q = [[0.5, 0.8, 0.2, 1.0]]
    expected = decode_loss(one_vs_rest(3), [[0.5, 0.8, 0.2]], weights=[1, 2, 1])
    assert_allclose(decode_loss(code, q, weights=[1, 2, 1, 9]), expected, atol=1e-12)
