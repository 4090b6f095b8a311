"""Better, equivalent, undecided, worse."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from polychotomy.comparison import compare_pairs
from polychotomy.core.exceptions import InvalidInput


def test_interval_is_that_of_the_corrected_test_by_hand():
    rng = np.random.default_rng(0)
    errors = rng.normal(0.2, 0.02, size=(2, 5, 5))
    pairs = compare_pairs(errors, margin=0.01)
    d = (errors[0] - errors[1]).ravel()
    reach = stats.t.ppf(0.975, 24) * d.std(ddof=1) * np.sqrt(1 / 25 + 1 / 4)
    assert pairs.low[0, 1] == pytest.approx(d.mean() - reach)
    assert pairs.high[0, 1] == pytest.approx(d.mean() + reach)


@pytest.mark.parametrize(
    ("shift", "noise", "answer"),
    [
        (-0.1, 0.01, "better"),
        (0.1, 0.01, "worse"),
        (0.0, 0.001, "equivalent"),
        (0.005, 0.0001, "equivalent"),  # a certain difference that does not matter
        (0.0, 0.1, "undecided"),
        (0.02, 0.1, "undecided"),
    ],
)
def test_the_four_answers(shift, noise, answer):
    rng = np.random.default_rng(1)
    errors = 0.3 + noise * rng.standard_normal((2, 5, 5))
    errors[0] += shift + errors[1].mean() - errors[0].mean()
    assert compare_pairs(errors, margin=0.01).answers[0][1] == answer


@given(st.integers(2, 6), st.integers(0, 10**6), st.sampled_from([0.001, 0.03]))
def test_what_is_better_one_way_is_worse_the_other(m, seed, noise):
    rng = np.random.default_rng(seed)
    errors = rng.random((m, 1, 1)) + noise * rng.standard_normal((m, 2, 5))
    pairs = compare_pairs(errors, margin=0.02)
    other = {"better": "worse", "worse": "better", "equivalent": "equivalent",
             "undecided": "undecided", "": ""}  # fmt: skip
    for i in range(m):
        assert pairs.answers[i][i] == ""
        for j in range(m):
            assert pairs.answers[j][i] == other[pairs.answers[i][j]]
    np.testing.assert_allclose(pairs.estimate, -pairs.estimate.T)
    np.testing.assert_allclose(pairs.low, -pairs.high.T)


@pytest.mark.parametrize(("samples", "answer"), [(299, "undecided"), (300, "equivalent")])
def test_the_same_in_every_fold_shows_no_more_than_the_rule_of_three(samples, answer):
    errors = np.stack([np.full((5, 5), 0.25), np.full((5, 5), 0.25), np.full((5, 5), 0.5)])
    pairs = compare_pairs(errors, margin=0.01, samples=samples)
    assert pairs.answers[0] == ("", answer, "better")


def test_samples_do_not_count_where_losses_vary():
    noise = 0.001 * np.random.default_rng(0).standard_normal((2, 5, 5))
    assert compare_pairs(0.2 + noise, margin=0.01, samples=50).answers[0][1] == "equivalent"


@pytest.mark.parametrize("samples", [0, -3, 2.5, True, "many"])
def test_samples_that_are_no_number_of_rows(samples):
    with pytest.raises(InvalidInput, match=r"samples is .*expected a whole number of rows"):
        compare_pairs(np.zeros((2, 5, 5)), margin=0.01, samples=samples)


def test_equal_learners_are_equivalent():
    pairs = compare_pairs(np.full((2, 5, 5), 0.25), margin=0.01)
    assert pairs.answers[0][1] == "equivalent"
    assert pairs.pvalues[0, 1] == 1


def test_one_learner_has_no_pairs():
    assert compare_pairs(np.zeros((1, 5, 5)), margin=0.01).to_frame().empty


def test_frame_has_a_row_a_pair_and_can_be_drawn():
    errors = np.random.default_rng(0).random((4, 5, 5))
    pairs = compare_pairs(errors, names=list("abcd"), margin=0.01)
    frame = pairs.to_frame()
    assert (frame["first"][0], frame["second"][0]) == ("a", "b")
    assert len(frame) == 6
    assert len(pairs.plot().get_yticklabels()) == 6


def test_a_margin_is_needed():
    with pytest.raises(InvalidInput, match="margin is None"):
        compare_pairs(np.zeros((2, 5, 5)), margin=None)
    with pytest.raises(InvalidInput, match="margin is 0"):
        compare_pairs(np.zeros((2, 5, 5)), margin=0)
