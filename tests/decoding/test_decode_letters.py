"""Answers over letters: exact ones come back, two letters are dichotomies, by other optimisers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.optimize import minimize

from polychotomy.codes import balanced, random_dense
from polychotomy.core.exceptions import InvalidInput
from polychotomy.decoding import decode, decode_letters

BOTH = ("bradley-terry", "least-squares")


def answers_from(code, p, q):
    """Shares of the letters that class probabilities (n, k) give to each row, (n, l, q)."""
    mass = np.stack([p @ (code == letter).T for letter in range(q)], axis=2)
    return mass / mass.sum(axis=2, keepdims=True)


@given(st.integers(3, 12), st.integers(2, 5), st.integers(0, 10**6), st.sampled_from(BOTH))
def test_exact_answers_come_back(k, q, seed, decoder):
    rng = np.random.default_rng(seed)
    # As many rows as determine the probabilities: each gives q − 1 equations.
    code = balanced(k, q, length=2 * k, random_state=seed)
    p = rng.dirichlet(np.ones(k), 3) * 0.9 + 0.1 / k
    found = decode_letters(code, answers_from(code, p, code.max() + 1), decoder=decoder)
    assert_allclose(found, p, atol=2e-4)


@pytest.mark.parametrize("decoder", BOTH)
def test_classes_that_are_not_asked(decoder):
    code = np.array([[0, 1, 2, -1], [-1, 0, 1, 2], [0, -1, 1, 1], [0, 1, -1, 2]])
    p = np.array([[0.4, 0.3, 0.2, 0.1], [0.05, 0.05, 0.1, 0.8]])
    found = decode_letters(code, answers_from(code, p, 3), decoder=decoder)
    assert_allclose(found, p, atol=1e-5)


@pytest.mark.parametrize("decoder", BOTH)
@pytest.mark.parametrize("weighed", [False, True])
def test_two_letters_are_dichotomies(decoder, weighed):
    rng = np.random.default_rng(0)
    code = random_dense(6, length=14, random_state=0)
    outputs = rng.uniform(0.05, 0.95, (20, 14))
    weights = rng.uniform(0.5, 2.0, 14) if weighed else None
    letters, answers = (code < 0).astype(int), np.stack([outputs, 1 - outputs], axis=2)
    found = decode_letters(letters, answers, decoder=decoder, weights=weights)
    expected = decode(code, outputs, decoder=decoder, weights=weights)
    assert_allclose(found, expected, atol=1e-4)


def test_two_letters_and_the_mean_of_logs():
    code, outputs = np.array([[1, 1, -1], [1, -1, 1]]), np.array([[0.8, 0.4]])
    letters, answers = (code < 0).astype(int), np.stack([outputs, 1 - outputs], axis=2)
    odds = np.sqrt([0.8 * 0.4, 0.8 * 0.6, 0.2 * 0.4])
    found = decode_letters(letters, answers, decoder="log-mean")
    assert_allclose(found, [odds / odds.sum()], rtol=1e-9)


@pytest.mark.parametrize("decoder", [*BOTH, "log-mean"])
def test_a_letter_for_each_class_gives_the_answer_itself(decoder):
    p = np.random.default_rng(0).dirichlet(np.ones(5), 10)
    found = decode_letters(np.arange(5)[None], p[:, None, :], decoder=decoder)
    assert_allclose(found, p, atol=1e-6)


def test_divergence_is_the_least():
    rng, code = np.random.default_rng(3), np.array([[0, 0, 1, 1, 2], [0, 1, 1, 2, -1]])
    code = np.concatenate([code, [[0, 1, 2, 0, 1]]])
    answers = rng.dirichlet(np.ones(3), (1, 3))
    weights = np.array([1.0, 2.0, 0.5])

    def divergence(logs):
        p = np.exp(logs - logs.max())
        shares = answers_from(code, p[None], 3)
        return float((weights[:, None] * answers[0] * np.log(answers[0] / shares[0])).sum())

    options = {"maxiter": 20000, "maxfev": 40000, "xatol": 1e-10, "fatol": 1e-14}
    oracle = minimize(divergence, np.zeros(5), method="Nelder-Mead", options=options)
    found = decode_letters(code, answers, weights=weights)[0]
    assert divergence(np.log(found)) <= oracle.fun + 1e-8


def test_class_order_does_not_matter():
    rng = np.random.default_rng(0)
    code, order = balanced(9, 3, length=9, random_state=0), rng.permutation(9)
    answers = rng.dirichlet(np.ones(3), (6, 9))
    found = decode_letters(code, answers)
    assert_allclose(decode_letters(code[:, order], answers), found[:, order], atol=1e-5)


def test_certain_answers_leave_one_class():
    code = balanced(8, 3, random_state=0)
    answers = answers_from(code, np.eye(8), 3)
    for decoder in (*BOTH, "log-mean"):
        assert_allclose(decode_letters(code, answers, decoder=decoder), np.eye(8), atol=1e-3)


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        (
            np.full((2, 3, 2), 0.5),
            r"answers has shape \(2, 3, 2\); expected \(n, 2, q\) with q > 1",
        ),
        (np.full((1, 2, 2), 0.7), "answers are no probabilities of letters"),
    ],
)
def test_errors(answers, said):
    with pytest.raises(InvalidInput, match=said):
        decode_letters([[0, 1, 1], [0, 0, 1]], answers)


@pytest.mark.parametrize("decoder", [*BOTH, "log-mean"])
def test_what_is_said_of_letters_of_no_class_counts_for_nothing(decoder):
    code, rng = balanced(7, 3, length=7, random_state=0), np.random.default_rng(0)
    answers = rng.dirichlet(np.ones(3), (4, 7))
    more = np.concatenate([0.6 * answers, np.full((4, 7, 1), 0.4)], axis=2)
    expected = decode_letters(code, answers, decoder=decoder)
    assert_allclose(decode_letters(code, more, decoder=decoder), expected, atol=1e-6)


def test_answers_that_add_up_in_float32_alone():
    code, rng = balanced(30, 10, random_state=0), np.random.default_rng(0)
    answers = rng.dirichlet(np.ones(10), (20, len(code)))
    rounded = answers.astype(np.float32)
    expected = decode_letters(code, answers)
    assert_allclose(decode_letters(code, rounded), expected, atol=1e-5)
