"""A draw of the truth lab: folds, scaling, seeds and the cache."""

import numpy as np
import pandas as pd
import pytest
from benchmarks.truth.draws import (
    assign_folds,
    make_draw,
    make_draws,
    read_draws,
    standardise,
)
from benchmarks.truth.learners import LEARNERS
from benchmarks.truth.populations import Population, encode
from numpy.testing import assert_allclose, assert_array_equal

CHEAP = {name: LEARNERS[name] for name in ("majority", "nearest mean", "tree")}


@pytest.fixture
def population(monkeypatch):
    monkeypatch.setattr("benchmarks.truth.draws.LEARNERS", CHEAP)
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 300)
    return Population("small", rng.standard_normal((300, 4)) + 2 * np.eye(4)[y], y)


def test_folds_are_equal_in_size_and_in_classes():
    y = np.repeat([0, 1, 2], [40, 20, 3])
    folds = assign_folds(y, 5, np.random.default_rng(0))
    assert np.ptp(np.bincount(folds)) <= 1
    for label in range(3):
        assert np.ptp(np.bincount(folds[y == label], minlength=5)) <= 1


def test_folds_are_drawn_anew():
    y, rng = np.repeat([0, 1], 50), np.random.default_rng(0)
    assert (assign_folds(y, 2, rng) != assign_folds(y, 2, rng)).mean() == pytest.approx(
        0.5, abs=0.2
    )


def test_scale_is_that_of_the_training_part_without_its_constant_columns():
    X = np.array([[1.0, 5.0], [3.0, 5.0]])
    training, test = standardise(X, np.array([[4.0, 7.0]]))
    assert_allclose(training, [[-1.0], [1.0]])
    assert_allclose(test, [[2.0]])


def test_categories_become_columns_and_missing_ones_too():
    table = pd.DataFrame(
        {"size": [1.0, np.nan, 3.0], "colour": ["red", None, "red"], "class": ["b", "a", "b"]}
    )
    population = encode(table, ["colour"], "toy")
    assert_allclose(population.X, [[1, 0, 1], [2, 1, 0], [3, 0, 1]])
    assert_array_equal(population.y, [1, 0, 1])


def test_a_draw_depends_on_its_key_alone(population):
    one, same, other = (make_draw(population, 60, number) for number in (1, 1, 2))
    assert one.halves.shape == (len(CHEAP), 5, 2)
    assert one.fifths.shape == (len(CHEAP), 5, 5)
    assert_array_equal(one.fifths, same.fifths)
    assert_array_equal(one.truth, same.truth)
    assert (one.fifths != other.fifths).any()
    assert one.truth[0] > one.truth[1]  # separated classes: their means beat the majority


def test_the_cache_gives_back_what_was_made_and_is_not_made_twice(population, tmp_path):
    assert make_draws([population], [60], tmp_path, n_draws=1, minutes=5) == 1
    assert make_draws([population], [60], tmp_path, n_draws=1, minutes=5) == 0
    (draw,) = read_draws(tmp_path)
    assert (draw.population, draw.n, draw.number) == ("small", 60, 0)
    assert_array_equal(draw.halves, make_draw(population, 60, 0).halves)


def test_no_time_no_draws(population, tmp_path):
    assert make_draws([population], [60], tmp_path, n_draws=1, minutes=-1) == 0
