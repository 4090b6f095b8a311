"""The level method on functions whose maximum is known."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from polychotomy.combination.soft_margin import Evaluation, maximise_on_simplex


def lowest_of(planes):
    def oracle(weights):
        values = planes @ weights
        return Evaluation(float(values.min()), planes[values.argmin()], 0.0)

    return oracle


@settings(max_examples=15)
@given(st.integers(0, 10**6), st.integers(2, 6), st.integers(1, 12))
@pytest.mark.long
def test_lowest_of_some_planes_equals_the_linear_program(seed, m, count):
    planes = np.random.default_rng(seed).normal(size=(count, m))
    found = maximise_on_simplex(
        lowest_of(planes), np.full(m, 1 / m), gap=1e-8, most_evaluations=400
    )
    program = linprog(
        np.append(np.zeros(m), -1.0),
        A_ub=np.column_stack([-planes, np.ones(count)]),
        b_ub=np.zeros(count),
        A_eq=np.append(np.ones(m), 0.0)[None],
        b_eq=[1.0],
        bounds=[(0, None)] * m + [(None, None)],
    )
    assert found.gap <= 1e-8
    assert found.value == pytest.approx(-program.fun, abs=2e-8)


def test_smooth_function():
    target = np.array([0.7, 0.3, 0.0])
    found = maximise_on_simplex(
        lambda w: Evaluation(-((w - target) ** 2).sum(), -2 * (w - target), 0.0),
        np.full(3, 1 / 3),
        gap=1e-8,
        most_evaluations=500,
    )
    np.testing.assert_allclose(found.weights, target, atol=2e-4)


def test_says_how_far_it_came_when_stopped():
    target = np.array([0.7, 0.3, 0.0])
    found = maximise_on_simplex(
        lambda w: Evaluation(-((w - target) ** 2).sum(), -2 * (w - target), 0.0),
        np.full(3, 1 / 3),
        gap=1e-12,
        most_evaluations=3,
    )
    assert found.evaluations == 3
    assert -found.value <= found.gap  # the maximum is 0


def test_the_error_of_a_value_is_part_of_the_gap():
    found = maximise_on_simplex(
        lambda w: Evaluation(1.0, np.zeros(2), 0.25), np.full(2, 0.5), gap=1e-9, most_evaluations=5
    )
    assert found.value == 0.75
    assert found.gap == pytest.approx(0.25)
