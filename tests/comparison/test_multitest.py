"""MultiTest: the paper's figures, its properties, its errors."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from polychotomy.comparison import holm, t_test_5x2
from polychotomy.comparison.multitest import multitest
from polychotomy.core.exceptions import InvalidInput


def learners(means, seed=0, noise=0.01, shape=(5, 2)):
    errors = np.random.default_rng(seed).normal(0, noise, (len(means), *shape))
    return errors + np.reshape(means, (-1, 1, 1))


error_tables = st.builds(
    learners,
    st.lists(st.sampled_from([0.1, 0.11, 0.13, 0.2, 0.4]), min_size=1, max_size=7),
    st.integers(0, 10**6),
    st.sampled_from([0.0, 0.001, 0.01, 0.1]),
)
rules = st.fixed_dictionaries(
    {
        "alpha": st.sampled_from([0.01, 0.05, 0.5, 0.9]),
        "correction": st.sampled_from(["bonferroni", "holm", None]),
        "margin": st.sampled_from([None, 0.02]),
        "test": st.sampled_from(["5x2cv-t", "paired-t", "corrected-t"]),
    }
)


def test_figure_2():
    rejected = {(0, 1), (0, 2), (0, 3), (1, 2)}
    errors = np.arange(4.0)[:, None, None] * np.ones((4, 5, 2))

    def as_drawn(a, b):
        return 0.0 if (int(a[0, 0]), int(b[0, 0])) in rejected else 1.0

    assert multitest(errors, test=as_drawn).order.tolist() == [2, 1, 3, 0]


def test_figure_4_pendigits():
    """All tests but H0: mu_3 <= mu_4 rejected: 5, 3, 4, 2, 1."""
    errors = learners([0.9005, 0.1570, 0.0624, 0.0745, 0.0074], noise=0.0005)
    assert multitest(errors).order.tolist() == [4, 2, 3, 1, 0]


@given(error_tables, rules)
def test_every_edge_puts_the_overriding_one_first(errors, rule):
    found = multitest(errors, **rule)
    place = np.argsort(found.order)
    assert sorted(found.order) == list(range(len(errors)))
    assert all(place[j] < place[i] for i, j in np.argwhere(found.edges))
    assert not np.tril(found.edges).any()
    if not found.edges.any():
        assert_array_equal(found.order, np.arange(len(errors)))
    assert found.best == found.order[0] == np.flatnonzero(~found.edges.any(axis=1))[0]


def test_the_named_one_can_be_the_worst():
    """The third overrides the first and not the second, whose errors are far apart."""
    errors = learners([0.3, 0.375, 0.2], noise=0.0)
    steps = np.array([[0, 1], [-1, 0], [1, -1], [0, 1], [-1, 0]])
    errors[0] += 0.01 * steps
    errors[1] += 0.125 * np.array([[-1, 1], [1, -1], [-0.6, 0.6], [0.6, -1], [-0.75, 1.15]])
    found = multitest(errors)
    assert np.argwhere(found.edges).tolist() == [[0, 2]]
    assert found.best == 1 == errors.mean(axis=(1, 2)).argmax()
    assert found.order.tolist() == [1, 2, 0]


@given(error_tables, rules)
def test_edges_are_p_against_level(errors, rule):
    found = multitest(errors, **rule)
    i, j = np.triu_indices(len(errors), 1)
    p, level = found.pvalues[i, j], np.broadcast_to(found.level, found.edges.shape)[i, j]
    rejected = (p <= level) & (p < 0.5)
    assert_array_equal(found.edges[i, j], rejected if rule["margin"] is None else ~rejected)


@given(error_tables, st.integers(0, 100))
def test_a_least_preferred_learner_that_beats_nobody_changes_nothing(errors, seed):
    last = errors.max() + learners([1.0], seed)
    more = multitest(np.concatenate([errors, last]), correction=None)
    assert not more.edges[:, -1].any()
    assert more.best == multitest(errors, correction=None).best


@given(error_tables, rules, st.sampled_from([1e-3, 7.0, 100.0]))
def test_the_unit_of_the_error_does_not_matter(errors, rule, unit):
    scaled = rule | {"margin": rule["margin"] and rule["margin"] * unit}
    found, other = multitest(errors, **rule), multitest(errors * unit, **scaled)
    clear = ~np.isclose(found.pvalues, found.level, rtol=1e-6)
    assert_array_equal(found.edges[clear], other.edges[clear])


def test_equal_errors_leave_the_preference_at_any_level():
    errors = np.full((4, 5, 2), 0.3)
    for alpha in (0.05, 0.6, 0.99):
        assert multitest(errors, alpha=alpha, correction=None).order.tolist() == [0, 1, 2, 3]


def test_pvalues_and_levels():
    errors = learners([0.2, 0.15, 0.1], noise=0.03)
    found = multitest(errors, alpha=0.1)
    assert found.level == 0.1 / 3
    expected = t_test_5x2(errors[0], errors[2], alternative="greater").pvalue
    assert found.pvalues[0, 2] == expected
    assert np.isnan(found.pvalues[2, 0])
    assert multitest(errors, correction=None).level == 0.05


@given(error_tables)
def test_holm_edges_are_the_adjusted_pvalues_below_alpha(errors):
    found = multitest(errors, correction="holm")
    pairs = np.triu_indices(len(errors), 1)
    assert_array_equal(found.edges[pairs], holm(found.pvalues[pairs]) <= 0.05)
    assert np.shape(found.level) == (len(errors), len(errors))


def test_one_learner():
    found = multitest(learners([0.3]), names=["only"])
    assert (found.best, found.order.tolist(), found.edges.shape) == (0, [0], (1, 1))
    assert "in 0 of 0 pairs" in str(found)


def test_a_margin_asks_for_proof():
    noisy = learners([0.2, 0.2], noise=0.2)
    assert multitest(noisy).best == 0
    assert multitest(noisy, margin=0.02).best == 1
    close = learners([0.11, 0.10], noise=0.001)
    assert multitest(close).best == 1
    assert multitest(close, margin=0.02).best == 0
    assert multitest(np.full((3, 5, 2), 0.2), margin=0.01).order.tolist() == [0, 1, 2]


def test_margin_pvalues_are_those_of_shifted_errors():
    errors = learners([0.2, 0.15, 0.1], noise=0.03)
    found = multitest(errors, margin=0.02, correction="bonferroni")
    shifted = t_test_5x2(errors[0], errors[1] + 0.02, alternative="less")
    assert_allclose(found.pvalues[0, 1], shifted.pvalue)
    assert found.level == 0.05 / 2


def test_text_and_tables():
    found = multitest(learners([0.3, 0.1]), names=["mean_of|all", "tree & co"])
    assert "mean_of|all by tree & co (p = " in str(found)
    assert found.to_frame().shape == (1, 6)
    assert found.plot().get_yticklabels()[0].get_text() == "mean_of|all"


def test_errors_name_learner_and_fold():
    errors = learners([0.3, 0.1, 0.2])
    broken = errors.copy()
    broken[1, 3, 0] = np.nan
    with pytest.raises(InvalidInput, match="'b' in repetition 3, fold 0 is nan"):
        multitest(broken, names=["a", "b", "c"])
    for alpha in (0, 1, -0.1, "0.05", np.nan, None):
        with pytest.raises(InvalidInput, match="alpha is"):
            multitest(errors, alpha=alpha)
    with pytest.raises(InvalidInput, match=r"shape \(3, 4, 2\).*expected \(\.\.\., 5, 2\)"):
        multitest(errors[:, :4])
    with pytest.raises(InvalidInput, match=r"errors is .*, which is no array; expected"):
        multitest([errors[0], errors[1, :4], errors[2]], names=["a", "b", "c"])
    with pytest.raises(InvalidInput, match=r"names is .*; expected 3 distinct names"):
        multitest(errors, names=["a", "b"])
    with pytest.raises(InvalidInput, match=r"names is .*; expected . distinct names"):
        multitest(errors, names=["a", "b", "a"])
    with pytest.raises(InvalidInput, match="two-sided only"):
        multitest(errors, test="5x2cv-f")
    with pytest.raises(InvalidInput, match="expected one p-value"):
        multitest(errors, test=lambda a, b: np.nan)
    with pytest.raises(InvalidInput, match="margin is 0"):
        multitest(errors, margin=0)
