"""Random and nested codes, and seeds."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from polychotomy.codes import check_code, code_quality, random_dense, random_sparse
from polychotomy.codes.code import connected
from polychotomy.codes.random_codes import minimum_distances, nested
from polychotomy.core.exceptions import InvalidInput
from polychotomy.decoding.prepared import is_nested

DRAWN = [random_dense, random_sparse, nested]


@pytest.mark.parametrize("draw", DRAWN)
def test_every_kind_of_random_state_is_accepted(draw):
    for make in (
        lambda: 3,
        lambda: np.int64(3),
        lambda: np.random.RandomState(3),
        lambda: np.random.default_rng(3),
    ):
        assert_array_equal(draw(5, random_state=make()), draw(5, random_state=make()))
    draw(5, random_state=None)


@pytest.mark.parametrize("draw", DRAWN)
def test_one_generator_gives_different_codes(draw):
    for generator in (np.random.default_rng(0), np.random.RandomState(0)):
        codes = [draw(6, random_state=generator) for _ in range(3)]
        assert any((codes[0] != code).any() for code in codes[1:])


@pytest.mark.parametrize("draw", DRAWN)
@pytest.mark.parametrize("state", [-1, 1.5, "seed", True])
def test_other_random_states_are_refused(draw, state):
    with pytest.raises(InvalidInput, match="random_state is"):
        draw(4, random_state=state)


@pytest.mark.parametrize("draw", [random_dense, random_sparse])
@settings(max_examples=12)
@given(k=st.integers(2, 14), seed=st.integers(0, 99), extra=st.integers(0, 12))
def test_drawn_codes_are_codes(draw, k, seed, extra):
    length = int(np.ceil(np.log2(k))) + 1 + extra
    code = check_code(draw(k, length=length, random_state=seed))
    assert code.shape == (length, k)
    assert (code.max(axis=1) == 1).all()
    assert (code.min(axis=1) == -1).all()
    assert connected(code)
    if draw is random_dense:
        assert (code != 0).all()


def test_default_lengths_are_the_papers():
    assert random_dense(26, random_state=0).shape == (48, 26)  # ⌈10 log₂ 26⌉
    assert random_sparse(26, random_state=0).shape == (71, 26)  # ⌈15 log₂ 26⌉


@pytest.mark.parametrize("k", [3, 4, 5])
@pytest.mark.parametrize("draw", [random_dense, random_sparse])
def test_few_classes_have_no_dichotomy_twice(draw, k):
    quality = code_quality(draw(k, random_state=1))
    assert quality.duplicate_rows == ()
    assert quality.complementary_rows == ()


def test_the_best_of_many_is_far_better_than_one():
    generator = np.random.default_rng(0)
    one = np.mean(
        [minimum_distances(generator.choice([-1, 1], size=(1, 34, 10))) for _ in range(200)]
    )
    assert code_quality(random_dense(10, random_state=0)).minimum_distance >= one + 3


def test_the_shortest_possible_length_is_reached():
    assert len(np.unique(random_dense(8, length=3, random_state=0), axis=1).T) == 8
    with pytest.raises(InvalidInput, match=r"length is 3; expected more: .* tells 9 classes apart"):
        random_dense(9, length=3)
    with pytest.raises(InvalidInput, match=r"length is 2; expected more: .* tells 9 classes apart"):
        random_sparse(9, length=2)


@pytest.mark.parametrize(("k", "length"), [(4, 2), (5, 3), (6, 3), (6, 4), (7, 4)])
def test_classes_that_are_far_apart_but_never_compared_do_not_hide_others(k, length):
    for seed in range(3):
        assert connected(random_sparse(k, length=length, random_state=seed))


@given(k=st.integers(2, 30), seed=st.integers(0, 99))
def test_nested_codes_are_trees(k, seed):
    code = check_code(nested(k, random_state=seed))
    assert code.shape == (k - 1, k)
    assert is_nested(code)
    assert code[0].all()


def test_all_trees_of_four_classes_are_equally_likely():
    counts = Counter(
        frozenset(map(bytes, nested(4, random_state=seed) + 1)) for seed in range(3000)
    )
    assert len(counts) == 15  # 5!!
    expected = 3000 / 15
    assert sum((c - expected) ** 2 / expected for c in counts.values()) < 36.1  # χ²(14) at 0.1 %


def test_a_code_that_is_no_tree_is_not_taken_for_one():
    assert not is_nested(np.array([[1, -1, -1], [1, -1, 0]], dtype=np.int8)[:, [0, 1, 2]][::-1][:1])
    assert not is_nested(np.array([[1, 1, -1, -1], [1, -1, 0, 0], [0, 1, -1, 0]], dtype=np.int8))
