"""Would combining help: what it says where the answer is known."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import norm

from polychotomy.combination import CombinationAdvice
from polychotomy.combination.advice import pair_odds, scores_of_odds, would_combining_help
from polychotomy.combination.pair_margins import auc
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.numbers import rough
from polychotomy.core.predictions import OutOfFold


def out_of_fold(probabilities, y, *, n_folds=2, repetitions=1, seed=0):
    """Predictions (m, n, k) repeated over plans of random folds."""
    m, n, k = probabilities.shape
    rng = np.random.default_rng(seed)
    folds = np.array([rng.permutation(np.arange(n) % n_folds) for _ in range(repetitions)])[None]
    repeated = np.broadcast_to(probabilities[:, None, None], (m, 1, repetitions, n, k)).copy()
    return OutOfFold(
        names=tuple("abcdefgh"[:m]),
        classes=tuple(str(c) for c in range(k)),
        y=y,
        folds=folds,
        predicted=repeated.argmax(axis=-1),
        probabilities=repeated,
        hard=np.zeros(m, dtype=bool),
    )


def two_class(seed, strengths, *, n=400, shared=0.0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    noise = rng.normal(size=(len(strengths), n)) + shared * rng.normal(size=n)
    p = expit(noise + np.array(strengths)[:, None] * (y - 0.5))
    return np.stack([1 - p, p], axis=-1), y


def many_class(seed, strengths, *, n=300, k=3):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % k
    logits = rng.normal(size=(len(strengths), n, k))
    logits += np.array(strengths)[:, None, None] * np.eye(k)[y]
    p = np.exp(logits)
    return p / p.sum(axis=-1, keepdims=True), y


def test_independent_candidates_help():
    advice = would_combining_help(out_of_fold(*two_class(0, [1.5, 1.5, 1.5]), repetitions=3))
    assert advice.conclusion == "helps"
    assert advice.pvalue < 0.01
    assert advice.interval[0] > 0
    assert str(advice).startswith("Combining would help: AUC 0.")
    assert advice.weights.sum() == pytest.approx(1)


def test_copies_of_one_candidate_make_no_difference():
    p, y = two_class(0, [1.5])
    advice = would_combining_help(out_of_fold(np.repeat(p, 3, axis=0), y))
    assert advice.difference == pytest.approx(0, abs=1e-12)
    assert advice.conclusion == "makes no difference"
    assert advice.pvalue == pytest.approx(1)


def test_little_data_cannot_tell_and_says_how_much_would():
    advice = would_combining_help(out_of_fold(*two_class(3, [1.0, 0.9], n=40, shared=1.0)))
    assert advice.conclusion == "undecided"
    assert advice.samples_to_decide > 40
    assert f"About {rough(advice.samples_to_decide)} samples would decide" in str(advice)
    # With as many samples the interval lies above 0, or below half a point, in 8 of 10 draws.
    error = advice.standard_error * np.sqrt(40 / advice.samples_to_decide)
    drawn = norm(advice.difference, error)
    reach = norm.ppf(0.975) * error
    assert max(drawn.sf(reach), drawn.cdf(0.005 - reach)) == pytest.approx(0.8, abs=0.01)


@pytest.mark.parametrize(
    ("low", "high", "conclusion"),
    [
        (0.006, 0.02, "helps"), (0.001, 0.02, "helps"), (0.001, 0.004, "helps little"),
        (-0.001, 0.004, "makes no difference"), (-0.02, 0.004, "does not help"),
        (-0.02, -0.001, "harms"), (-0.02, -0.006, "harms"), (-0.001, 0.006, "undecided"),
    ],
)  # fmt: skip
def test_the_conclusion_follows_from_the_interval_and_half_a_point(low, high, conclusion):
    advice = would_combining_help(out_of_fold(*two_class(0, [1.5, 1.5], n=60)))
    error = (high - low) / 2 / norm.ppf(0.975)
    made = replace(advice, difference=(low + high) / 2, standard_error=error)
    assert made.interval == pytest.approx((low, high))
    assert made.conclusion == conclusion
    assert made.answer == {"helps": "yes", "undecided": "cannot tell"}.get(conclusion, "no")
    assert "0.005" in str(made)


def test_compared_with_the_candidate_asked_for():
    p, y = two_class(1, [2.0, 1.0, 0.5])
    given = out_of_fold(p, y)
    best = would_combining_help(given)
    for i, name in enumerate("abc"):
        advice = would_combining_help(given, over=name)
        assert advice.over == name
        assert advice.auc_over == advice.aucs[i]
        assert advice.difference == advice.auc - advice.aucs[i]
        assert (advice.best, advice.auc_best) == (best.best, best.auc_best)
    assert best.over == best.best == "a"
    # DeLong's error, by hand: variances of each class's placements, then the factor for 2 folds, 1.
    folds, single = given.folds[0, 0], would_combining_help(given, over="b")
    own = np.zeros(400)
    for f in (0, 1):
        for i in np.flatnonzero(folds == f):
            rivals = np.flatnonzero((folds == f) & (y != y[i]))
            won = (p[1, i, 1] > p[1, rivals, 1]) if y[i] else (p[1, i, 1] < p[1, rivals, 1])
            own[i] = won.mean()
    assert np.mean([own[y == c].mean() for c in (0, 1)]) == pytest.approx(single.auc_over)
    assert "The best single candidate, chosen in each fold on the others, is mostly a" in str(
        single
    )


def test_bad_candidates_do_not_spoil_the_combination():
    advice = would_combining_help(out_of_fold(*two_class(1, [2.0, 2.0, 0.0, 0.0, 0.0]), n_folds=5))
    assert advice.weights[:2].sum() > 0.9
    assert advice.auc > advice.auc_average


def test_areas_are_those_of_the_folds():
    p, y = two_class(2, [1.5, 1.0])
    given = out_of_fold(p, y, n_folds=4)
    advice = would_combining_help(given)
    folds = given.folds[0, 0]
    for j in range(2):
        high = [auc(p[j, folds == f, 1], y[folds == f]) for f in range(4)]
        counts = [np.bincount(y[folds == f]) for f in range(4)]
        expected = np.mean(
            [np.average(high, weights=[count[c] for count in counts]) for c in (0, 1)]
        )
        assert advice.aucs[j] == pytest.approx(expected)


@pytest.mark.long
def test_best_single_is_chosen_without_the_samples_it_is_judged_on():
    # Eight candidates that know nothing: the best of them in hindsight looks better than 0.5.
    areas = []
    for seed in range(8):
        advice = would_combining_help(out_of_fold(*two_class(seed, [0.0] * 8, n=80)))
        areas.append((advice.auc_best, advice.aucs.max()))
    chosen, hindsight = np.mean(areas, axis=0)
    assert hindsight > 0.55
    assert chosen == pytest.approx(0.5, abs=0.05)


@pytest.mark.long
def test_rejects_about_as_often_as_it_says_under_no_difference():
    # Nobody knows anything: neither side is truly better.
    rejected = [
        would_combining_help(
            out_of_fold(*two_class(seed, [0.0, 0.0, 0.0], n=120), n_folds=4, seed=seed)
        ).pvalue
        < 0.05
        for seed in range(200)
    ]
    assert np.mean(rejected) <= 0.09


def test_more_than_two_classes():
    p, y = many_class(0, [1.5, 1.5, 1.5])
    advice = would_combining_help(out_of_fold(p, y, repetitions=2))
    assert advice.n_class_pairs == 3
    assert advice.conclusion == "helps"
    assert advice.n_samples == 300


def test_two_of_three_classes_give_the_binary_answer():
    # A third class of a single sample takes part in no pair.
    p, y = two_class(5, [1.5, 1.2])
    padded = np.concatenate([p, np.zeros((2, 400, 1))], axis=2)
    padded = np.concatenate([padded, np.broadcast_to([0, 0, 1.0], (2, 1, 3))], axis=1)
    advice = would_combining_help(out_of_fold(padded, np.append(y, 2)))
    assert advice.n_class_pairs == 1


def test_scores_of_two_classes_are_two_p_minus_one():
    p, _ = two_class(0, [1.0, 1.0], n=10)
    scores = scores_of_odds(pair_odds(p, (0, 1)))
    np.testing.assert_allclose(scores, (2 * p[..., 1] - 1).T, atol=1e-15)


def test_candidate_with_failed_fits_is_left_out_and_named():
    p, y = two_class(0, [1.5, 1.5, 1.5])
    given = out_of_fold(p, y)
    broken = given.probabilities.copy()
    broken[1, :, :, given.folds[0, 0] == 1] = np.nan
    failed = OutOfFold(
        names=given.names, classes=given.classes, y=y, folds=given.folds,
        predicted=given.predicted, probabilities=broken, hard=given.hard,
    )  # fmt: skip
    advice = would_combining_help(failed)
    assert advice.names == ("a", "c")
    assert advice.left_out == ("b",)
    assert "Left out for want of predictions: b." in str(advice)


def test_samples_never_left_out_are_not_needed():
    p, y = two_class(0, [1.5, 1.5])
    given = out_of_fold(p, y)
    folds, missing = given.folds.copy(), given.probabilities.copy()
    folds[..., :40] = -1
    missing[..., :40, :] = np.nan
    advice = would_combining_help(
        OutOfFold(
            names=given.names,
            classes=given.classes,
            y=y,
            folds=folds,
            predicted=given.predicted,
            probabilities=missing.astype(np.float32),
            hard=given.hard,
        )
    )
    assert advice.n_samples == 360


def test_frame_and_drawing():
    advice = would_combining_help(out_of_fold(*two_class(0, [1.5, 1.5])))
    assert isinstance(advice, CombinationAdvice)
    assert advice.to_frame()["ranker"].tolist() == ["a", "b", "plain average", "combination"]
    assert len(advice.plot().patches) == 2
    assert not advice.weights.flags.writeable


def test_refuses():
    p, y = two_class(0, [1.5])
    with pytest.raises(InvalidInput, match="every sample: a; expected two or more to combine"):
        would_combining_help(out_of_fold(p, y))
    p, y = two_class(0, [1.5, 1.5])
    with pytest.raises(InvalidInput, match="no pair of classes has two samples"):
        would_combining_help(out_of_fold(p, y, n_folds=1))
    with pytest.raises(InvalidInput, match="over is 'z'; expected a candidate with a prediction"):
        would_combining_help(out_of_fold(p, y), over="z")
    with pytest.raises(InvalidInput, match="level is 95"):
        would_combining_help(out_of_fold(p, y), level=95)
