import numpy as np
import pytest
from numpy.testing import assert_allclose

from polychotomy.core.exceptions import InvalidInput
from polychotomy.decomposition import learning_curve_forecast

SIZES = np.array([50, 100, 200, 400])


def losses(rng, floor, scale, exponent, m=500):
    """The same samples at every size: one that is easy at a size stays so at larger ones."""
    return (rng.random((1, m)) < (floor + scale * SIZES**-exponent)[:, None]).astype(float)


def test_means_and_standard_errors_by_hand():
    table = np.array([[1.0, 0, 1, 0], [1, 0, 0, 0]])
    forecast = learning_curve_forecast([10, 20], table)
    assert_allclose(forecast.errors, [0.5, 0.25])
    assert_allclose(forecast.standard_errors, np.std(table, axis=1, ddof=1) / 2)
    assert forecast.n == 20
    assert forecast.factors.tolist() == [2, 10]


def test_the_three_answers():
    rng = np.random.default_rng(0)
    steep = learning_curve_forecast(SIZES, losses(rng, 0.02, 3.0, 0.6), n=500)
    assert steep.answers == ("yes", "yes")
    flat = np.full((4, 50), 0.2) + 1e-4 * rng.normal(size=(4, 50))
    assert learning_curve_forecast(SIZES, flat).answers[0] == "no"
    few = learning_curve_forecast(SIZES, losses(rng, 0.1, 1.0, 0.6, m=30), n=400)
    assert few.answers[0] == "cannot tell"


@pytest.mark.long
def test_forecasts_cover_what_comes():
    """Curves drawn as the fit supposes them: its 80 % intervals hold in about 80 %."""
    rng = np.random.default_rng(1)
    held = []
    for _ in range(40):
        share, exponent = rng.random(), float(np.clip(0.7 * np.exp(0.7 * rng.normal()), 0.1, 2.5))
        level = rng.uniform(0.05, 0.25)
        floor, scale = level * share, level * (1 - share) * 400**exponent
        if floor + scale * 50**-exponent > 0.9:
            continue
        forecast = learning_curve_forecast(SIZES, losses(rng, floor, scale, exponent), n=400)
        truth = floor + scale * (400 * forecast.factors) ** -exponent
        held.append((forecast.forecasts[:, 0] <= truth) & (truth <= forecast.forecasts[:, 2]))
    assert 0.7 <= np.mean(held) <= 0.99


def misses(forecast):
    """How far the curve lies above the points, in their standard errors."""
    fitted = np.interp(forecast.sizes, forecast.curve[0], forecast.curve[2])
    return (fitted - forecast.errors) / forecast.standard_errors


def test_the_curve_runs_through_points_that_do_not_fall():
    """Six to eight errors among 150 at every size, mostly in the same cases."""
    table = np.zeros((4, 150))
    for row, stop in zip(table, (6, 7, 8, 7), strict=True):
        row[:stop] = 1
    forecast = learning_curve_forecast([24, 42, 72, 120], table, n=150)
    assert np.abs(misses(forecast)).max() < 1
    assert abs(misses(forecast).mean()) < 0.4
    assert forecast.now[1] > 0.035
    assert forecast.answers == ("cannot tell", "cannot tell")  # from seven errors


@pytest.mark.parametrize("seed", range(6))
def test_errors_and_gains_tell_one_story(seed):
    """Medians of skewed distributions do not add up; what is shown does."""
    table = losses(np.random.default_rng(seed), 0.03 * seed, 1.5, 0.5, m=120)
    forecast = learning_curve_forecast(SIZES, table, n=500)
    frame = forecast.to_frame()
    assert_allclose(frame["error"], forecast.now[1] - frame["gain"])
    assert ((frame["low"] <= frame["error"]) & (frame["error"] <= frame["high"])).all()
    first, later = frame.to_dict("records")
    assert f"{first['gain']:.2g} lower" in str(forecast)
    assert f"an error of {first['error']:.3g} " in str(forecast)
    assert forecast.curve[2, -1] == pytest.approx(later["error"])  # the curve ends there
    assert (np.diff(forecast.curve[2]) <= 1e-12).all()


@pytest.mark.long
@pytest.mark.parametrize("scale", [0.0, 1.0, 4.0])
@pytest.mark.parametrize("tied", [0.3, 0.9])  # share of the samples' luck that sizes share
def test_the_curve_runs_through_the_points(scale, tied):
    rng = np.random.default_rng(5)
    truth = 0.06 + scale * SIZES**-0.8
    found = []
    for _ in range(12):
        same = rng.random(200) < tied
        luck = np.where(same, rng.random(200), rng.random((4, 200)))
        found.append(misses(learning_curve_forecast(SIZES, luck < truth[:, None], n=500)))
    assert np.abs(found).mean() < 1
    assert np.abs(np.mean(found, axis=1)).max() < 1
    assert np.abs(np.mean(found, axis=0)).max() < 0.9


def test_rows_may_come_in_any_order_and_gaps_are_left_out():
    table = losses(np.random.default_rng(2), 0.05, 2.0, 0.6)
    expected = learning_curve_forecast(SIZES, table, n=400)
    moved = learning_curve_forecast(SIZES[::-1].tolist(), table[::-1], n=400)
    assert_allclose(moved.forecasts, expected.forecasts, rtol=1e-9)
    padded = np.concatenate([table, np.full((4, 1), np.nan)], axis=1)
    assert_allclose(learning_curve_forecast(SIZES, padded).forecasts, expected.forecasts)


def test_repeats_serve_as_well_as_samples():
    rng = np.random.default_rng(3)
    repeats = 0.05 + 3 / SIZES[:, None] + 0.003 * rng.normal(size=(4, 10))
    forecast = learning_curve_forecast(SIZES, repeats)
    assert forecast.forecasts[0, 0] < 0.05 + 3 / 800 < forecast.forecasts[0, 2]


def test_reporting():
    forecast = learning_curve_forecast(SIZES, losses(np.random.default_rng(4), 0.1, 1, 0.5), n=500)
    frame = forecast.to_frame()
    assert frame["n"].tolist() == [1000, 5000]
    assert (frame["low"] <= frame["error"]).all()
    assert "Would more data help? With 2 times" in str(forecast)
    assert forecast.plot().get_xscale() == "log"
    assert not forecast.curve.flags.writeable


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sizes": [10]}, r"sizes is \[10\]"),
        ({"sizes": [10, 10]}, "different training sizes"),
        ({"losses": np.ones((3, 4))}, r"losses has shape \(3, 4\); expected \(2, m\)"),
        ({"losses": np.ones((2, 1))}, "losses has 1 columns"),
        ({"losses": -np.ones((2, 4))}, "0 or more"),
        ({"n": 5}, "n is 5; expected at least the largest size, 20"),
        ({"factors": (0.5,)}, "factors is"),
        ({"gain": np.nan}, "gain is nan"),
        ({"confidence": 1.0}, "confidence is 1.0"),
    ],
)
def test_errors_are_named(change, message):
    arguments = {"sizes": [10, 20], "losses": np.array([[0.5, 0.25], [0.25, 0.25]])} | change
    with pytest.raises(InvalidInput, match=message):
        learning_curve_forecast(arguments.pop("sizes"), arguments.pop("losses"), **arguments)
