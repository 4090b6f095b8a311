"""The soft margin: its value and slope pair by pair, its optimum against a linear program."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from margin_families import FAMILIES, draw
from scipy.optimize import linprog

from polychotomy.combination import SoftMarginFit, rank_margin_weights
from polychotomy.combination.pair_margins import rank_margin
from polychotomy.combination.soft_margin import evaluate_soft_margin
from polychotomy.combination.two_classes import Sides
from polychotomy.core.exceptions import InvalidInput

families = st.sampled_from(sorted(FAMILIES))
seeds = st.integers(0, 10**6)
slacks = st.one_of(st.floats(1, 50), st.sampled_from([1.0, 2.0, 1e9, np.inf]))


def mean_of_worst(scores, y, weights, slack):
    combined = scores @ weights
    margins = np.sort((combined[y == 1][:, None] - combined[y == 0]).ravel())
    wanted = max(1.0, len(margins) / slack)
    whole = int(wanted)
    rest = (wanted - whole) * margins[min(whole, len(margins) - 1)]
    return (margins[:whole].sum() + rest) / wanted


def soft_program(scores, y, slack):
    """max ρ − C · mean ξ, ξ ≥ ρ − pair margin: a variable and a row for each pair."""
    pairs = (scores[y == 1][:, None] - scores[y == 0]).reshape(-1, scores.shape[1])
    n, m = pairs.shape
    solution = linprog(
        np.concatenate([np.zeros(m), [-1.0], np.full(n, slack / n)]),
        A_ub=np.column_stack([-pairs, np.ones(n), -np.eye(n)]),
        b_ub=np.zeros(n),
        A_eq=np.concatenate([np.ones(m), np.zeros(n + 1)])[None],
        b_eq=[1.0],
        bounds=[(0, None)] * m + [(None, None)] + [(0, None)] * n,
    )
    return -solution.fun


def test_by_hand():
    # Pair margins 1 − 0, 1 − 0.5, 0 − 0, 0 − 0.5: the worst half is (−0.5 + 0)/2.
    sides = Sides.split(
        np.array([[1.0], [0.0], [0.0], [0.5]]), np.array([True, True, False, False])
    )
    found = evaluate_soft_margin(sides, np.ones(1), 2.0, accuracy=1e-12)
    assert found.value == pytest.approx(-0.25)
    assert found.slope == pytest.approx([-0.25])


@given(families, seeds, slacks)
def test_value_is_the_mean_of_the_worst_pairs(family, seed, slack):
    scores, y = draw(family, seed, n=14, m=3)
    weights = np.random.default_rng(seed).dirichlet(np.ones(3))
    found = evaluate_soft_margin(Sides.split(scores, y == 1), weights, slack, accuracy=1e-10)
    scale = max(1.0, np.abs(scores).max())
    expected = mean_of_worst(scores, y, weights, slack)
    assert expected - 1e-12 * scale <= found.value <= expected + 2e-10 + 1e-12 * scale


@given(families, seeds, slacks)
def test_slope_makes_a_plane_above_the_function(family, seed, slack):
    scores, y = draw(family, seed, n=14, m=3)
    rng = np.random.default_rng(seed)
    weights, others = rng.dirichlet(np.ones(3)), rng.dirichlet(np.ones(3), size=20)
    found = evaluate_soft_margin(Sides.split(scores, y == 1), weights, slack, accuracy=1e-6)
    for other in others:
        plane = found.value + found.slope @ (other - weights)
        scale = max(1.0, np.abs(scores).max())
        assert plane >= mean_of_worst(scores, y, other, slack) - 1e-11 * scale


@settings(max_examples=25)
@given(families, seeds, st.floats(1.05, 50))
@pytest.mark.long
def test_optimum_equals_the_program_over_all_pairs(family, seed, slack):
    scores, y = draw(family, seed, n=14, m=4)
    fit = rank_margin_weights(scores, y, slack=slack)
    scale = max(1.0, np.ptp(scores))
    assert fit.gap <= 1e-6 * max(1.0, scale / 100)
    assert fit.objective == pytest.approx(soft_program(scores, y, slack), abs=1.2e-6 * scale)
    assert fit.soft_margin == pytest.approx(
        mean_of_worst(scores, y, fit.weights, slack), abs=1e-7 * scale
    )
    assert (fit.weights >= 0).all()
    assert fit.weights.sum() == pytest.approx(1, abs=1e-15)


def test_slack_one_is_the_mean_margin():
    scores, y = draw("useful", 5, n=40, m=4)
    fit = rank_margin_weights(scores, y, slack=1.0)
    means = scores[y == 1].mean(axis=0) - scores[y == 0].mean(axis=0)
    assert fit.soft_margin == pytest.approx(means.max(), abs=1e-6)


def test_no_slack_but_pull_is_between_the_hard_margin_and_uniform():
    scores, y = draw("good and bad", 5, n=60, m=4)
    hard = rank_margin_weights(scores, y)
    fits = [rank_margin_weights(scores, y, pull=pull) for pull in (1e-6, 1.0, 1e6)]
    margins = [fit.margin for fit in fits]
    assert margins[0] == pytest.approx(hard.margin, abs=1e-5)
    assert margins == sorted(margins, reverse=True)
    np.testing.assert_allclose(fits[-1].weights, 0.25, atol=1e-4)


@given(seeds, st.floats(1, 20), st.floats(0, 3))
@settings(max_examples=15)
def test_no_other_weights_do_better(seed, slack, pull):
    scores, y = draw("good and bad", seed, n=30, m=4)
    fit = rank_margin_weights(scores, y, slack=slack, pull=pull)
    assert isinstance(fit, SoftMarginFit)
    assert fit.margin == rank_margin(scores, y, weights=fit.weights)
    rng = np.random.default_rng(seed)
    for other in rng.dirichlet(np.ones(4), size=50):
        penalty = pull / 2 * ((other - 0.25) ** 2).sum()
        assert mean_of_worst(scores, y, other, slack) - penalty <= fit.objective + fit.gap + 1e-9


@pytest.mark.long
def test_few_evaluations_for_many_samples_and_classifiers():
    rng = np.random.default_rng(0)
    y = (rng.random(20_000) < 0.3).astype(int)
    noise = rng.normal(size=(20_000, 20))
    scores = np.tanh(0.5 * noise + np.linspace(-0.5, 1.5, 20) * (y[:, None] - 0.5))
    for slack in (1.5, 20.0, 1e4):
        fit = rank_margin_weights(scores, y, slack=slack)
        assert fit.gap <= 1e-6
        assert fit.iterations < 100


def test_reads():
    scores, y = draw("useful", 1, n=50, m=3)
    text = str(rank_margin_weights(scores, y, slack=2, pull=0.5))
    assert "at slack 2 and pull 0.5, rank margin" in text


@pytest.mark.parametrize("slack", [0.5, 0, -1, np.nan, "a lot", 0.99])
def test_refuses_slack(slack):
    with pytest.raises(InvalidInput, match=r"slack is .*; expected a number of at least 1"):
        rank_margin_weights([[1.0], [0.0]], [1, 0], slack=slack)


@pytest.mark.parametrize("pull", [-0.1, np.nan, np.inf, None])
def test_refuses_pull(pull):
    with pytest.raises(InvalidInput, match=r"pull is .*; expected a finite number of at least 0"):
        rank_margin_weights([[1.0], [0.0]], [1, 0], slack=2, pull=pull)
