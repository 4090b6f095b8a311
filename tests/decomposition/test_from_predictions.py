import array_api_strict
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from t96_loops import LOSSES, decompose

from polychotomy.core.exceptions import InvalidInput, PolychotomyError
from polychotomy.decomposition import ScoredLoss, Squared, decompose_predictions, from_predictions

COLUMNS = ["error", "aggregated_error", "variance", "reversed_variance"]


def drawn(seed, *, b=9, n=15, k=3, votes=False, dtype=np.float64):
    rng = np.random.default_rng(seed)
    predictions = rng.dirichlet(np.full(k, 0.5), (b, n))
    if votes:
        predictions = np.eye(k)[predictions.argmax(axis=2)]
    in_bag = rng.multinomial(n, np.full(n, 1 / n), b)
    in_bag[0, 0] = 0  # someone is out of bag
    return predictions.astype(dtype), in_bag, rng.integers(0, k, n)


cases = st.builds(
    drawn,
    st.integers(0, 2**32 - 1),
    b=st.integers(1, 8),
    n=st.integers(1, 12),
    k=st.integers(2, 5),
    votes=st.booleans(),
)


def test_wrong_on_average_is_worse_bagged():
    """T96 §2: Y = 1 always, C says 1 with probability .4."""
    votes = np.array([[[1, 0]], [[1, 0]], [[0, 1]], [[0, 1]], [[0, 1]]])
    budget = decompose_predictions(votes, np.zeros((5, 1), dtype=int), [0])
    assert budget.error == pytest.approx(0.6, abs=1e-15)
    assert budget.aggregated_error == 1
    assert budget.aggregation_effect == pytest.approx(-0.4, abs=1e-15)
    assert budget.variance == pytest.approx(0.4)  # C differs from C_A where it is right
    assert budget.shape_effect == pytest.approx(-0.8)  # eq. (17): −.4 = .4 + (−.8)


def test_probabilities_and_votes_aggregate_differently():
    """T96 §2: (.45, .55) twice and (.9, .1) once."""
    predictions = np.array([[[0.45, 0.55]], [[0.45, 0.55]], [[0.9, 0.1]]])
    soft = decompose_predictions(predictions, np.zeros((3, 1)), [0])
    hard = decompose_predictions(np.eye(2)[predictions.argmax(axis=2)], np.zeros((3, 1)), [0])
    assert_allclose(soft.aggregated, [[0.6, 0.4]], atol=1e-15)
    assert_allclose(hard.aggregated, [[1 / 3, 2 / 3]], atol=1e-15)
    assert (soft.aggregated_error, hard.aggregated_error) == (0, 1)


@pytest.mark.parametrize("share", [0.0, 0.125, 0.25, 0.5, 0.75, 1.0])
def test_votes_of_two_classes_have_the_variance_of_eq_11(share):
    """Var = min(p̄, 1 − p̄); eq. (21) prints the reversed variance, at most 1/8."""
    votes = np.eye(2)[(np.arange(8) < 8 * share).astype(int)][:, None, :]
    budget = decompose_predictions(votes, np.zeros((8, 1)), [0])
    assert budget.variance == pytest.approx(min(share, 1 - share), abs=1e-15)
    printed = abs(share - 0.5) * (1 - abs(2 * share - 1))
    assert budget.reversed_variance == pytest.approx(printed, abs=1e-15)


@pytest.mark.parametrize("loss", LOSSES)
@given(case=cases)
def test_samples_agree_with_loops(loss, case):
    budget = decompose_predictions(*case, loss=loss)
    assert list(budget.per_sample.columns) == COLUMNS
    assert_allclose(budget.per_sample, decompose(*case, loss), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize(("b", "n", "k"), [(200, 300, 2), (7, 500, 30), (3, 20, 100)])
def test_blocks_agree_with_loops(loss, b, n, k, monkeypatch):
    monkeypatch.setattr(from_predictions, "_BLOCK", 5000)
    case = drawn(b, b=b, n=n, k=k)
    budget = decompose_predictions(*case, loss=loss)
    rows = np.array(decompose(*case, loss))
    assert_allclose(budget.per_sample, rows, rtol=1e-12, atol=1e-12)
    means = np.nanmean(rows, axis=0)
    got = [budget.error, budget.aggregated_error, budget.variance, budget.reversed_variance]
    assert_allclose(got, means, rtol=1e-12)
    for code in range(k):
        if (budget.n_out_of_bag[case[2] == code] > 0).any():
            expected = np.nanmean(rows[case[2] == code], axis=0)
            assert_allclose(
                budget.estimates[1 + code, [0, 1, 3, 4]], expected, rtol=1e-12, atol=1e-12
            )


@given(case=cases)
def test_squared_aggregation_effect_is_the_variance(case):
    budget = decompose_predictions(*case, loss="squared")
    assert budget.aggregation_effect == pytest.approx(budget.variance, abs=1e-12)
    assert budget.reversed_variance == pytest.approx(budget.variance, abs=1e-12)


@pytest.mark.parametrize("loss", LOSSES)
@given(case=cases, seed=st.integers(0, 99))
def test_order_of_fits_samples_and_classes_does_not_matter(loss, case, seed):
    predictions, in_bag, y = case
    rng = np.random.default_rng(seed)
    fits, samples, classes = (rng.permutation(size) for size in predictions.shape)
    moved = decompose_predictions(
        predictions[fits][:, samples][:, :, classes],
        in_bag[fits][:, samples],
        np.argsort(classes)[y[samples]],
        loss=loss,
    )
    still = decompose_predictions(*case, loss=loss)
    assert_allclose(moved.estimates[0], still.estimates[0], rtol=1e-10, atol=1e-10)


@given(case=cases, alpha=st.floats(0.3, 3))
def test_a_users_loss_scales(case, alpha):
    mine = ScoredLoss("mine", lambda c: alpha * Squared().score(c))
    ours = decompose_predictions(*case, loss=mine)
    theirs = decompose_predictions(*case, loss="squared")
    assert_allclose(ours.estimates, alpha * theirs.estimates, rtol=1e-9, atol=1e-12)


def test_bounds_by_hand():
    case = drawn(1)
    without = decompose_predictions(*case)
    assert without.bayes_bound == 0
    assert without.bias_bound == without.aggregated_error
    bounded = decompose_predictions(*case, nearest_neighbour_error=0.3)
    expected = 2 / 3 - np.sqrt(2 / 3 * (2 / 3 - 0.3))
    assert bounded.bayes_bound == pytest.approx(expected, abs=1e-15)
    assert bounded.bias_bound == pytest.approx(bounded.aggregated_error - expected, abs=1e-15)
    assert "may be false at n = 15" in str(bounded)
    assert decompose_predictions(*case, nearest_neighbour_error=0.9).bayes_bound == 2 / 3
    right = decompose_predictions(np.eye(3)[case[2]][None], 0 * case[1][:1], case[2],
                                  nearest_neighbour_error=0.3)  # fmt: skip
    assert right.bias_bound == -expected
    assert "above that and not believed" in str(right)


def test_samples_never_out_of_bag_are_counted_and_left_out():
    predictions, in_bag, y = drawn(3)
    in_bag[:, 4] = 1
    budget = decompose_predictions(predictions, in_bag, y)
    never = (in_bag > 0).all(axis=0)
    assert budget.n_never_out_of_bag == never.sum() >= 1
    assert f"{never.sum()} of 15 samples never out of bag" in str(budget)
    assert len(budget.per_sample) == 15
    assert_array_equal(budget.per_sample.isna().all(axis=1), never)
    assert budget.error == pytest.approx(budget.per_sample["error"].mean())


def test_a_users_loss_never_sees_what_is_no_probability():
    def scores(c):
        assert_allclose(c.sum(axis=-1), 1, atol=1e-9)
        return 1 - c / np.sqrt((c * c).sum(axis=-1, keepdims=True))

    predictions, in_bag, y = drawn(3)
    in_bag[:, 4] = 1
    predictions[in_bag > 0] = np.nan
    budget = decompose_predictions(predictions, in_bag, y, loss=ScoredLoss("spherical", scores))
    assert np.isfinite(budget.error)


def test_infinite_deviance_is_reported_never_nan():
    predictions, in_bag, y = drawn(4, votes=True)
    budget = decompose_predictions(predictions, in_bag, y, loss="deviance")
    assert budget.error == np.inf
    assert np.isfinite(budget.variance)
    assert budget.aggregation_effect == np.inf
    assert budget.n_infinite == np.isinf(budget.per_sample["error"]).sum() > 0
    assert "infinite on" in str(budget)
    assert not budget.to_frame()["estimate"].isna().any()


def test_aggregation_effect_where_all_is_infinite():
    votes = np.eye(2)[np.ones((4, 2), dtype=int)]
    budget = decompose_predictions(votes, np.zeros((4, 2)), [0, 1], loss="deviance")
    assert budget.error == budget.aggregated_error == np.inf
    assert budget.aggregation_effect == 0  # bagging changes nothing here
    mixed = np.array([[[0.0, 1.0], [0.5, 0.5]], [[0.0, 1.0], [0.0, 1.0]]])
    budget = decompose_predictions(mixed, np.zeros((2, 2)), [0, 0], loss="deviance")
    assert budget.aggregation_effect == np.inf


def test_one_fit_has_no_variance_and_unknown_monte_carlo_error():
    budget = decompose_predictions(*drawn(5, b=1))
    assert budget.variance == 0 == budget.aggregation_effect
    assert np.isnan(budget.monte_carlo_errors[0]).all()


def test_all_probabilities_equal():
    predictions = np.full((6, 10, 4), 0.25)
    budget = decompose_predictions(predictions, np.zeros((6, 10)), np.arange(10) % 4)
    assert budget.error == budget.aggregated_error == 0.75
    assert budget.variance == budget.reversed_variance == 0
    assert_allclose(budget.monte_carlo_errors, 0, atol=1e-14)


@pytest.mark.parametrize("votes", [False, True])
def test_input_may_be_of_any_kind(votes):
    predictions, in_bag, y = drawn(6, votes=votes)
    expected = decompose_predictions(predictions, in_bag, y)
    padded = np.full((9, 30, 6), np.nan)
    padded[:, ::2, ::2] = predictions
    for other in (predictions.tolist(), np.asfortranarray(predictions), padded[:, ::2, ::2]):
        got = decompose_predictions(other, in_bag.tolist(), y.tolist())
        assert_allclose(got.estimates, expected.estimates, rtol=1e-13, atol=1e-15)
    single = decompose_predictions(
        predictions.astype(np.float32), in_bag.astype(np.int8), y.astype(np.uint8)
    )
    assert_allclose(single.estimates, expected.estimates, atol=1e-6)
    if votes:
        got = decompose_predictions(predictions.astype(bool), in_bag.astype(float), y.astype(float))
        assert_allclose(got.estimates, expected.estimates, rtol=1e-13)


def test_what_is_in_bag_is_not_read():
    predictions, in_bag, y = drawn(7)
    expected = decompose_predictions(predictions, in_bag, y)
    predictions[in_bag > 0] = np.nan
    got = decompose_predictions(predictions, in_bag, y)
    assert_array_equal(got.estimates, expected.estimates)
    assert_array_equal(got.monte_carlo_errors, expected.monte_carlo_errors)


def test_the_argument_is_left_alone_and_the_result_is_frozen():
    predictions, in_bag, y = drawn(8)
    before = predictions.copy()
    budget = decompose_predictions(predictions, in_bag, y)
    assert_array_equal(predictions, before)
    with pytest.raises(ValueError, match="read-only"):
        budget.estimates[0, 0] = 1
    with pytest.raises(AttributeError):
        budget.loss = "other"


@pytest.mark.parametrize("count", [0.5, np.inf, np.nan, -1.0])
@pytest.mark.parametrize("library", [np, array_api_strict])
def test_counts_that_are_no_counts_are_named(library, count):
    predictions, in_bag, y = drawn(9)
    in_bag = in_bag.astype(float)
    in_bag[2, 3] = count
    case = [library.asarray(one) for one in (predictions, in_bag, y)]
    with pytest.raises(InvalidInput, match=r"in_bag\[2, 3\] is .* a whole number of 0 or more"):
        decompose_predictions(*case)


def test_arrays_of_other_libraries_are_copied_to_numpy(library):
    predictions, in_bag, y = drawn(3)
    for kind in ("float64", "float32"):
        expected = decompose_predictions(predictions.astype(kind), in_bag, y)
        moved = library.move(predictions, kind), library.move(in_bag, "int64")
        found = decompose_predictions(*moved, library.move(y, "int64"))
        assert_array_equal(found.sample_estimates, expected.sample_estimates)


def test_two_fits_have_an_unknown_monte_carlo_error():
    votes = np.array([[[1, 0], [0, 1]], [[0, 1], [0, 1]]])
    said = str(decompose_predictions(votes, [[0, 1], [1, 0]], [0, 1]))
    assert "nan" not in said
    assert "± unknown from 2 bootstrap fits" in said


def bad_row():
    predictions, in_bag, y = drawn(9)
    fit, sample = np.argwhere(in_bag == 0)[5]
    predictions[fit, sample] = [0.5, 0.4, 0.2]
    return (predictions, in_bag, y), rf"predictions\[{fit}, {sample}\] is .* sums to 1.1"


def negative_row():
    predictions, in_bag, y = drawn(9)
    fit, sample = np.argwhere(in_bag == 0)[7]
    predictions[fit, sample] = [-0.1, 0.9, 0.2]
    return (predictions, in_bag, y), rf"predictions\[{fit}, {sample}\] is \[-0.1"


def nan_row():
    predictions, in_bag, y = drawn(9)
    fit, sample = np.argwhere(in_bag == 0)[2]
    predictions[fit, sample] = np.nan
    return (predictions, in_bag, y), rf"predictions\[{fit}, {sample}\] is \[nan"


def infinite_row():
    predictions, in_bag, y = drawn(9)
    fit, sample = np.argwhere(in_bag == 0)[3]
    predictions[fit, sample] = [np.inf, -np.inf, 1]
    return (predictions, in_bag, y), rf"predictions\[{fit}, {sample}\] is \[inf"


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("make", [bad_row, negative_row, nan_row, infinite_row])
def test_rows_that_are_not_probabilities_are_named(make):
    case, message = make()
    with pytest.raises(InvalidInput, match=message):
        decompose_predictions(*case)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda p, b, y: (p[0], b, y), r"predictions has shape \(15, 3\)"),
        (lambda p, b, y: (p.astype(str), b, y), "type <U"),
        (lambda p, b, y: (p[:, :, :1] * 0 + 1, b, y * 0), "two classes"),
        (lambda p, b, y: (p, b[:, :-1], y), r"in_bag has shape \(9, 14\)"),
        (lambda p, b, y: (p, b - 5, y), r"in_bag\[0, 0\] is -5"),
        (lambda p, b, y: (p, b + 1, y), "no sample is out of bag"),
        (lambda p, b, y: (p, b, y[:-1]), r"y has shape \(14,\)"),
        (lambda p, b, y: (p, b, y + 1), r"y\[\d+\] is 3; expected a class code from 0 to 2"),
        (lambda p, b, y: (p, b, y + 0.5), r"y\[0\] is \d.5"),
        (lambda p, b, y: (p, b, np.where(y > 0, "b", "a")), "y holds 2 different labels"),
    ],
)
def test_bad_arrays_are_named(change, message):
    with pytest.raises(InvalidInput, match=message) as caught:
        decompose_predictions(*change(*drawn(10)))
    assert isinstance(caught.value, ValueError)
    assert isinstance(caught.value, PolychotomyError)


def test_bad_neighbour_errors_are_named():
    with pytest.raises(InvalidInput, match="nearest_neighbour_error is 12; expected"):
        decompose_predictions(*drawn(11), nearest_neighbour_error=12)
    mine = ScoredLoss("mine", Squared().score)
    with pytest.raises(InvalidInput, match="with loss 'mine'"):
        decompose_predictions(*drawn(11), loss=mine, nearest_neighbour_error=0.2)


def test_single_precision_leaves_no_dust_in_the_variance():
    p = np.random.default_rng(0).dirichlet([8.0, 1.0, 1.0], (10, 40)).astype(np.float32)
    p[..., 0] += 2
    p /= p.sum(axis=-1, keepdims=True)  # class 0 always wins
    budget = decompose_predictions(p, np.zeros((10, 40)), np.zeros(40, dtype=int))
    assert budget.variance < 1e-12


def test_classes_have_monte_carlo_errors():
    rng = np.random.default_rng(0)
    budget = decompose_predictions(
        rng.dirichlet(np.ones(2), (8, 30)), rng.poisson(1, (8, 30)), np.arange(30) % 2
    )
    frame = budget.to_frame().set_index(["class", "quantity"])["monte_carlo_error"]
    assert (frame.loc[(["0", "1"], ["error", "variance"])] > 0).all()


@pytest.mark.parametrize("loss", LOSSES)
def test_blocks_of_samples_give_what_all_together_give(loss, monkeypatch):
    case = drawn(5, b=7, n=1000)
    together = decompose_predictions(*case, loss=loss)
    monkeypatch.setattr(from_predictions, "_BLOCK", 1000)  # blocks of 64 samples
    apart = decompose_predictions(*case, loss=loss)
    assert_allclose(apart.per_sample, together.per_sample, rtol=1e-12, atol=1e-14)
    assert apart.error == pytest.approx(together.error, rel=1e-12)
    case[0][3, 700] = 7.0
    case[1][3, 700] = 0
    with pytest.raises(InvalidInput, match=r"predictions\[3, 700\]"):
        decompose_predictions(*case, loss=loss)
