from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from polychotomy.core.exceptions import InvalidInput
from polychotomy.decomposition import would_bagging_help


def votes(wrong):
    return np.eye(2)[np.asarray(wrong, dtype=int)]


def test_by_hand():
    """3 of 10 samples won, 1 lost; one more added each way: (4 + 2) / 12 − (2 / 12)²."""
    single = votes([1, 1, 1, 0, 0, 0, 0, 0, 0, 0])
    bagged = votes([0, 0, 0, 1, 0, 0, 0, 0, 0, 0])
    advice = would_bagging_help(single, bagged, np.zeros(10, dtype=int))
    assert advice.estimate == pytest.approx(0.2)
    assert advice.cross_validated_error == pytest.approx(0.3)
    assert advice.bagged_error == pytest.approx(0.1)
    assert advice.standard_error == pytest.approx(1.2 * np.sqrt((6 / 12 - (2 / 12) ** 2) / 12))
    assert advice.disagreement == pytest.approx(6 / 12)
    # Elsewhere, of a learner of unknown kind, 0.2 · 0.5 ± 0.35 · 0.5; weighed by the variances.
    weight = 0.175**2 / (0.175**2 + advice.standard_error**2)
    assert advice.expected == pytest.approx(0.1 + weight * (0.2 - 0.1))
    reach = 1.2815516 * np.sqrt(weight) * advice.standard_error
    assert (advice.low, advice.high) == pytest.approx(
        (advice.expected - reach, advice.expected + reach)
    )
    assert advice.answer == "cannot tell"


def test_what_learns_tells_where_few_samples_do_not():
    """The same predictions, of a linear rule and of a tree."""
    wrong = np.arange(150)
    single, bagged = votes(wrong % 9 == 0), votes(wrong % 11 == 0)
    y = np.zeros(150, dtype=int)
    found = {one: would_bagging_help(single, bagged, y, kind=one) for one in ("linear", "tree")}
    assert found["linear"].expected < 0.02 < found["tree"].expected
    assert found["linear"].high - found["linear"].low < found["tree"].high - found["tree"].low
    assert "learners of this kind (tree)" in str(found["tree"])


def test_other_losses_have_no_prior():
    rng = np.random.default_rng(0)
    p, q = rng.dirichlet(np.ones(3), (2, 30))
    advice = would_bagging_help(p, q, rng.integers(0, 3, 30), loss="squared")
    assert not advice.has_prior
    assert advice.expected == advice.estimate
    assert advice.high - advice.estimate == pytest.approx(1.2815516 * advice.standard_error)
    assert "other data sets" not in str(advice)


def test_a_small_loss_where_the_two_hardly_differ_is_noise():
    """5 samples lost of 400: alone that is a "no" by 1.28 deviations, and it stays one."""
    lost = np.arange(400) < 5
    advice = would_bagging_help(votes(np.zeros(400)), votes(lost), np.zeros(400, dtype=int))
    assert advice.estimate == pytest.approx(-0.0125)
    assert -0.005 < advice.expected < 0
    assert advice.answer == "no"


def test_the_three_answers():
    y = np.zeros(2000, dtype=int)
    wrong = np.arange(2000)
    assert would_bagging_help(votes(wrong % 5 == 0), votes(wrong % 10 == 0), y).answer == "yes"
    assert would_bagging_help(votes(wrong % 10 == 0), votes(wrong % 5 == 0), y).answer == "no"
    assert would_bagging_help(votes(wrong % 5 == 0), votes(wrong % 5 == 0), y).answer == "no"
    few = slice(0, 50)
    same = would_bagging_help(votes(wrong[few] % 5 == 0), votes(wrong[few] % 5 == 0), y[few])
    assert same.answer == "cannot tell"  # 50 samples without a difference prove little
    assert would_bagging_help(
        votes(wrong % 5 == 0), votes(wrong % 10 == 0), y, gain=0.2
    ).answer == "no"  # fmt: skip


def test_repetitions_are_averaged_and_gaps_left_out():
    rng = np.random.default_rng(0)
    p = rng.dirichlet(np.ones(3), (2, 30))
    bagged, y = rng.dirichlet(np.ones(3), 30), rng.integers(0, 3, 30)
    p[0, 3], p[:, 4], bagged[5] = np.nan, np.nan, np.nan
    advice = would_bagging_help(p, bagged, y, loss="squared")
    truth = np.eye(3)[y]
    expected = np.nanmean(((p - truth) ** 2).sum(axis=2)[:, 6:], axis=0)
    expected -= ((bagged - truth) ** 2).sum(axis=1)[6:]
    assert_allclose(advice.differences[6:], expected, rtol=1e-12)
    assert np.isnan(advice.differences[[4, 5]]).all()
    assert advice.n_compared == 28
    one = ((p[1, 3] - truth[3]) ** 2).sum() - ((bagged[3] - truth[3]) ** 2).sum()
    assert advice.differences[3] == pytest.approx(one)


def test_runs_and_repetitions_are_both_repetitions():
    rng = np.random.default_rng(1)
    p, bagged = rng.dirichlet(np.ones(3), (2, 5, 30)), rng.dirichlet(np.ones(3), 30)
    y = rng.integers(0, 3, 30)
    flat = would_bagging_help(p.reshape(10, 30, 3), bagged, y)
    assert would_bagging_help(p, bagged, y).estimate == pytest.approx(flat.estimate)


def test_infinite_deviance_cannot_tell_or_is_no_difference():
    y = np.zeros(4, dtype=int)
    certain = votes([1, 1, 0, 0])
    advice = would_bagging_help(certain, certain, y, loss="deviance")
    assert advice.estimate == 0
    soft = np.full((4, 2), 0.5)
    assert would_bagging_help(certain, soft, y, loss="deviance").estimate == np.inf
    assert would_bagging_help(soft, certain, y, loss="deviance").estimate == -np.inf


@given(seed=st.integers(0, 10**6), n=st.integers(2, 60))
def test_swapping_the_two_swaps_the_sign(seed, n):
    rng = np.random.default_rng(seed)
    a, b, y = votes(rng.random(n) < 0.4), votes(rng.random(n) < 0.4), rng.integers(0, 2, n)
    there, back = would_bagging_help(a, b, y), would_bagging_help(b, a, y)
    assert there.estimate == pytest.approx(-back.estimate)
    assert there.standard_error == pytest.approx(back.standard_error)


def test_answers_are_as_sure_as_said():
    """Independent samples at the edge: "yes" in Φ(−1.2 · 1.28) = 6 %, at most the 10 % promised."""
    rng = np.random.default_rng(1)
    y, said = np.zeros(300, dtype=int), []
    for _ in range(400):
        a, b = rng.random(300) < 0.2, rng.random(300) < 0.2
        said.append(would_bagging_help(votes(a), votes(b), y, gain=0.0).answer)
    assert said.count("yes") / 400 == pytest.approx(0.062, abs=0.035)
    assert said.count("no") / 400 <= 0.1


def test_reporting():
    advice = would_bagging_help(votes([1, 0, 1]), votes([0, 1, 1]), [0, 0, 1])
    assert advice.to_frame().loc[0, "answer"] == "cannot tell"
    assert advice.plot().get_title() == "Would bagging help? Cannot tell."


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"out_of_bag": votes([0, 1])}, r"shape \(3, 2\) and out_of_bag \(2, 2\)"),
        ({"y": [0, 0, 2]}, r"y\[2\] is 2"),
        ({"gain": -1}, "gain is -1"),
        ({"kind": "bush"}, "kind is 'bush'; expected None or one of 'naive Bayes'"),
        ({"confidence": 0.4}, "confidence is 0.4"),
        ({"out_of_bag": np.full((3, 2), np.nan)}, "out_of_bag has no prediction"),
        ({"cross_validated": np.ones((3, 2))}, "cross_validated of sample 0"),
        ({"out_of_bag": [[0.5, 0.5], [np.nan] * 2, [np.nan] * 2]}, "1 samples have both"),
    ],
)
def test_errors_are_named(change, message):
    arguments = {
        "cross_validated": votes([1, 0, 1]),
        "out_of_bag": votes([0, 1, 1]),
        "y": [0, 0, 1],
    }
    with pytest.raises(InvalidInput, match=message):
        would_bagging_help(**arguments | change)


def test_the_words_have_one_sign_and_name_level_and_threshold():
    y = np.zeros(400, dtype=int)
    often, seldom = (np.eye(2)[(np.arange(400) % every == 0).astype(int)] for every in (4, 8))
    better, worse = would_bagging_help(often, seldom, y), would_bagging_help(seldom, often, y)
    for advice, verb in ((better, "lower"), (worse, "raise")):
        assert (advice.expected > 0) == (verb == "lower")
        low, high = sorted((abs(advice.low), abs(advice.high)))
        assert f"expected to {verb} the misclassification error by {abs(advice.expected):.2g} " in (
            str(advice)
        )
        assert f"(80 % interval {low:.2g} to {high:.2g})" in str(advice)
        assert "lower it by more than 0.005" in str(advice)
    assert "0.25 cross-validated, 0.125 bagged" in str(better)
    across = replace(worse, expected=-0.0001, low=-0.0235, high=0.0047)
    assert "raise the misclassification error by 0.0001 (80 % interval from 0.024 higher to " in (
        str(across)
    )
    assert "higher to 0.0047 lower)" in str(across)
