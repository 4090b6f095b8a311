"""Rules whose answers can be seen by eye."""

import numpy as np
import pytest
from benchmarks.truth.draws import Draw
from benchmarks.truth.regret import apply_rules, choose_left_out, summarise
from benchmarks.truth.rules import (
    GRID,
    RULES,
    one_standard_error,
    oracle,
    rope,
    within_margin,
)


def draw(means, truth=None, *, spread=0.02, population="made", number=0):
    """Errors around ``means``; noise shared by all learners, so that it pairs away in part."""
    rng = np.random.default_rng(number)
    means = np.reshape(means, (-1, 1, 1))

    def errors(folds):
        noise = rng.standard_normal((1, 5, folds)) + 0.5 * rng.standard_normal(
            (len(means), 5, folds)
        )
        return means + spread * noise

    truth = np.ravel(means) if truth is None else np.array(truth)
    return Draw(population, 200, number, errors(2), errors(5), truth)


FAR = draw([0.60, 0.30, 0.20, 0.101, 0.100], spread=0.01)


def test_a_margin_keeps_the_simplest_that_is_within_it():
    assert within_margin(FAR, points=3, level=0.2) == 3
    assert within_margin(FAR, points=12, level=0.2) == 2
    assert within_margin(FAR, points=30, level=0.2) == 1


def test_at_level_one_half_it_is_the_simplest_within_the_margin_of_the_lowest_mean():
    for number in range(30):
        one = draw([0.14, 0.12, 0.11, 0.105, 0.10], number=number)
        means = one.fifths.mean(axis=(1, 2))
        expected = np.flatnonzero(means < means.min() + 0.02)[0]
        assert within_margin(one, points=2, level=0.5) == expected


def test_one_standard_error_reaches_further_where_errors_vary_more():
    assert one_standard_error(draw([0.2, 0.1], spread=1e-6)) == 1
    assert one_standard_error(draw([0.2, 0.1], spread=2.0)) == 0


def test_rope_keeps_the_simpler_one_unless_it_is_practically_worse():
    assert rope(draw([0.105, 0.1], spread=1e-4), points=1, probability=0.95) == 0
    assert rope(draw([0.15, 0.1], spread=1e-4), points=1, probability=0.95) == 1


def test_the_oracle_looks_at_the_truth_only():
    assert oracle(draw([0.1, 0.2, 0.3], [0.30, 0.208, 0.20]), points=1) == 1


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_names_one_that_is_far_better_than_the_rest_or_nobody(rule):
    best = draw([0.9, 0.7, 0.5, 0.1, 0.6], spread=1e-3)
    assert RULES[rule](best) in (3, None)


def test_rules_through_to_the_choice():
    draws = [
        draw([0.3, 0.12, 0.1], population=population, number=number)
        for population in ("a", "b", "c")
        for number in range(2)
    ]
    picks = apply_rules(draws, RULES)
    table = summarise(picks).set_index("rule")
    assert list(table.index) == list(RULES)
    assert table.loc["oracle, within 0.5", "regret"] == 0
    chosen = choose_left_out(picks, GRID, 5)
    assert set(chosen["population"]) == {"a", "b", "c"}
    assert {GRID[rule][0] for rule in chosen["chosen"]} == {3}  # the second learner is 2 points off
