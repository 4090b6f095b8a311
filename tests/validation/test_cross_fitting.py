import numpy as np
from numpy.testing import assert_array_equal

from polychotomy.calibration import Temperature, Unchanged
from polychotomy.validation import check_forecasts
from polychotomy.validation.recalibration import cross_fit
from validation_strategies import draw_forecasts


def test_no_case_meets_a_map_that_saw_its_class():
    """Change one class: the recalibrated rows of its fold must not move."""
    rng = np.random.default_rng(0)
    p, y = draw_forecasts(rng, 60, 3)
    p = np.concatenate([p, rng.permutation(p)])  # two repetitions
    both = np.concatenate([y, y])
    folds = np.concatenate([np.arange(60) % 4, np.arange(60) // 15])
    options = {
        "samples": np.tile(np.arange(60), 2),
        "repetitions": np.repeat([0, 1], 60),
        "folds": folds,
    }
    seen = []

    def spy(forecasts, rows):
        seen.append(rows)
        assert np.unique(forecasts.repetitions[rows]).size == 1
        return Temperature(1 + forecasts.y[rows].sum() / 100)

    honest = cross_fit(check_forecasts(p, both, **options), spy)
    assert len(seen) == 8
    changed = both.copy()
    changed[[7, 67]] = (changed[7] + 1) % 3
    moved = cross_fit(check_forecasts(p, changed, **options), spy)
    for row in (7, 67):
        same_fold = (folds == folds[row]) & (options["repetitions"] == row // 60)
        assert_array_equal(moved[same_fold], honest[same_fold])
        assert (
            moved[~same_fold & (options["repetitions"] == row // 60)]
            != honest[~same_fold & (options["repetitions"] == row // 60)]
        ).any()


def test_own_folds_split_cases_not_rows():
    p, y = draw_forecasts(np.random.default_rng(0), 30, 2)
    trained = []
    forecasts_ = check_forecasts(
        np.repeat(p, 2, axis=0), np.repeat(y, 2), samples=np.repeat(np.arange(30), 2)
    )

    def spy(forecasts, rows):
        trained.append(set(forecasts.samples[rows]))
        left = set(np.delete(forecasts.samples, rows))
        assert not trained[-1] & left
        return Unchanged()

    cross_fit(forecasts_, spy)
    assert len(trained) == 5
