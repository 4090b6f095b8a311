"""Bootstrap: counts that sum to n, every class in the bag, something left out."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polychotomy.core.exceptions import InvalidInput
from polychotomy.study import Bootstrap
from polychotomy.study.design.folds import draw_groups

labels = st.lists(st.integers(0, 5), min_size=1, max_size=15).map(
    lambda codes: np.unique(np.repeat(codes, 2), return_inverse=True)[1]
)


@given(labels, st.integers(0, 50))
def test_counts_sum_to_n_every_class_is_in_and_something_out(codes, seed):
    counts = draw_groups(codes, np.arange(len(codes)), np.random.default_rng(seed))
    assert counts.sum() == len(codes)
    assert (counts == 0).any()


def test_a_bag_has_every_class_unless_there_are_too_many_tiny_ones():
    for k, found in ((5, 5), (200, 170)):  # of 200 classes of two, a plain draw lacks some
        codes = np.repeat(np.arange(k), 2)
        counts = draw_groups(codes, np.arange(2 * k), np.random.default_rng(0))
        assert counts.sum() == 2 * k
        assert len(set(codes[counts > 0])) >= found
        assert (counts == 0).any()


def test_it_is_the_plain_bootstrap_where_classes_are_large():
    codes = np.arange(400) % 2
    counts = Bootstrap(replicates=200).split(codes, seed=3)[0]
    # Binomial(n, 1/n): P(0) = 0.367, variance 1 − 1/n.
    assert np.mean(counts == 0) == pytest.approx(1 / np.e, abs=0.005)
    assert counts.var() == pytest.approx(1, abs=0.02)


def test_rows_repeat_what_was_drawn():
    train, test = Bootstrap().rows(np.array([2, 0, 1, 0], dtype=np.int16), 0)
    assert train.tolist() == [0, 0, 2]
    assert test.tolist() == [1, 3]


def test_more_replicates_do_not_change_the_first_ones():
    codes = np.arange(30) % 3
    few, many = (Bootstrap(replicates=b).split(codes, seed=1) for b in (3, 8))
    np.testing.assert_array_equal(many[:, :3], few)
    assert Bootstrap(replicates=3).name == Bootstrap(replicates=8).name
    assert few.dtype == np.int16


@given(st.lists(st.integers(0, 5), min_size=6, max_size=30), st.integers(0, 20))
def test_whole_groups_are_drawn(values, seed):
    groups = np.unique([*values, 6], return_inverse=True)[1]
    if groups.max() == 0:
        return
    counts = draw_groups(np.arange(len(groups)) % 2, groups, np.random.default_rng(seed))
    for group in range(groups.max() + 1):
        assert len(set(counts[groups == group])) == 1
    drawn = [counts[groups == group][0] for group in range(groups.max() + 1)]
    assert sum(drawn) == groups.max() + 1
    assert 0 in drawn


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"time": np.arange(6)}, "train on what comes later"),
        ({"groups": np.zeros(6, dtype=int)}, "all samples are of one group"),
    ],
)
def test_errors(options, message):
    with pytest.raises(InvalidInput, match=message):
        Bootstrap().split(np.arange(6) % 2, seed=0, **options)
