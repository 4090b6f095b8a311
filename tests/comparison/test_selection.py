"""The paper's other ways to name a best: its examples, and Table 3 in small."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from polychotomy.comparison import anova_test, select_anova, select_newman_keuls, select_testfirst
from polychotomy.comparison.multitest import multitest
from polychotomy.comparison.newman_keuls import newman_keuls
from polychotomy.comparison.selection import choose_by_newman_keuls
from polychotomy.core.exceptions import InvalidInput


def learners(means, seed=0, noise=0.01):
    errors = np.random.default_rng(seed).normal(0, noise, (len(means), 5, 2))
    return errors + np.reshape(means, (-1, 1, 1))


def underlined(groups):
    """The paper's rule in its own words, on underlines of rows numbered from 1."""
    order, lines = groups
    first = next((set(line) for line in lines if order[0] in line), {order[0]})
    best = min(first)
    for line in lines:
        if best in line and set(line) != first and min(line) < best:
            return None
    return best


@pytest.mark.parametrize(
    ("order", "lines", "best"),
    [
        ((3, 5, 4, 2, 1), [(5, 4, 2, 1)], 3),
        ((5, 4, 3, 2, 1), [(5, 4, 3)], 3),
        ((5, 2, 4, 3, 1), [(5, 2, 4), (4, 3)], 2),
        ((5, 4, 2, 1, 3), [(5, 4, 2), (2, 1, 3)], None),
    ],
)
def test_the_examples_of_the_paper(order, lines, best):
    assert underlined((order, lines)) == best


@given(
    st.lists(st.sampled_from([0.1, 0.11, 0.12, 0.13, 0.15, 0.2]), min_size=2, max_size=6),
    st.integers(0, 10**6),
)
def test_newman_keuls_follows_the_rule(means, seed):
    errors = learners(means, seed)
    found = newman_keuls(errors.reshape(len(means), 10))
    rows = [row + 1 for row in found.order]
    lines = [tuple(row + 1 for row in group) for group in found.groups]
    expected = underlined((rows, lines))
    assert select_newman_keuls(errors) == (None if expected is None else expected - 1)


@given(st.lists(st.sampled_from([0.1, 0.12, 0.2]), min_size=1, max_size=6), st.integers(0, 10**6))
def test_testfirst_and_anova_follow_their_rules(means, seed):
    errors = learners(means, seed)
    graph = multitest(errors).edges
    first = int(np.argmin(errors.mean(axis=(1, 2))))
    confirmed = graph[:first, first].all() and not graph[first].any()
    assert select_testfirst(errors) == (first if confirmed else None)
    if len(means) > 1:
        accepts = anova_test(errors.reshape(len(means), 10)).pvalue > 0.05
        assert select_anova(errors) == (0 if accepts else None)


def test_testfirst_wants_no_less_preferred_one_to_be_better():
    """The smallest mean, but clearly worse in the first replication, which makes the numerator."""
    worse = np.full((5, 2), -0.1)
    worse[0] = 0.1
    errors = 0.3 + np.stack([worse, learners([0.0], noise=0.001)[0]])
    assert errors[0].mean() < errors[1].mean()
    assert multitest(errors).edges[0, 1]
    assert select_testfirst(errors) is None


def test_batches_are_one_by_one():
    errors = np.stack([learners([0.2, 0.12, 0.11, 0.1], seed) for seed in range(50)])
    batch = choose_by_newman_keuls(errors, 0.05)
    single = [select_newman_keuls(one) for one in errors]
    assert_array_equal(batch, [-1 if one is None else one for one in single])


def test_equal_errors_name_the_preferred():
    same = np.full((3, 5, 2), 0.3)
    assert select_anova(same) == select_newman_keuls(same) == select_testfirst(same) == 0


def test_one_learner_is_the_best():
    one = learners([0.1])
    assert select_anova(one) == select_newman_keuls(one) == select_testfirst(one) == 0


@pytest.mark.parametrize("select", [select_anova, select_newman_keuls, select_testfirst])
def test_errors(select):
    with pytest.raises(InvalidInput, match="alpha is 0"):
        select(learners([0.1, 0.2]), alpha=0)
    with pytest.raises(InvalidInput, match=r"shape \(5,\)"):
        select(np.ones(5))
