"""The winner's error, corrected: a simulation in which the truth is known."""

import sys

import numpy as np
import pytest
from scipy import stats

from polychotomy.comparison.selected_error import selected_error
from polychotomy.core.exceptions import InvalidInput
from polychotomy.verdict.choosing import chooser
from polychotomy.verdict.question import Question


def draw(rng, truth, n):
    return (rng.random((len(truth), 1, n)) < np.reshape(truth, (-1, 1, 1))).astype(float)


@pytest.mark.parametrize("truth", [[0.3] * 20, [0.3, 0.28, 0.26, 0.24, 0.22]])
def test_less_biased_than_the_plain_minimum(truth):
    rng = np.random.default_rng(0)
    plain, corrected = [], []
    folds = np.arange(100)[None] % 5
    for _ in range(60):
        found = selected_error(draw(rng, truth, 100), folds, n_replicates=100)
        plain.append(found.plain - truth[found.best])
        corrected.append(found.corrected - truth[found.best])
    error = np.std(plain) / np.sqrt(60)
    assert np.mean(plain) < -2 * error, "the plain minimum is too low"
    assert abs(np.mean(corrected)) < abs(np.mean(plain)) / 2


def test_of_what_is_not_refitted_more_is_corrected():
    """Fits on a part of the samples make the error too high, learners as they are do not."""
    rng, folds = np.random.default_rng(2), np.arange(100)[None] % 5
    losses = draw(rng, [0.3] * 8, 100)
    refitted, given = (selected_error(losses, folds, refitted=one) for one in (True, False))
    added = refitted.corrected - refitted.plain
    assert added > 0.01
    assert given.corrected - given.plain == pytest.approx(np.sqrt(2) * added)


def test_a_wavering_rule_does_not_add_the_errors_of_what_was_not_taken():
    """The rule takes learner 0 unless it is shown to be worse: by half of all draws, it is."""
    rng = np.random.default_rng(0)
    folds = np.arange(60)[None] % 5

    def cautious(errors):
        lead = (errors[:, 0] - errors[:, 1]).mean(axis=(1, 2))
        return (lead > 0.2).astype(int)

    corrected = []
    for _ in range(80):
        found = selected_error(draw(rng, [0.6, 0.4], 60), folds, choose=cautious, n_replicates=100)
        if found.best == 1:
            corrected.append(found.corrected)
    assert len(corrected) > 20
    assert np.mean(corrected) == pytest.approx(0.4, abs=0.03)


@pytest.mark.long
def test_the_interval_covers_the_winners_true_error():
    rng = np.random.default_rng(1)
    truth, folds = [0.3, 0.28, 0.26], np.arange(150)[None] % 5
    inside = 0
    for _ in range(100):
        found = selected_error(draw(rng, truth, 150), folds, n_replicates=100)
        inside += found.low <= truth[found.best] <= found.high
    assert inside >= 92


def test_no_errors_seen_do_not_mean_none_possible():
    found = selected_error(np.zeros((2, 1, 60)), np.arange(60)[None] % 5)
    assert found.corrected == 0
    assert found.low == 0
    assert found.high == pytest.approx(stats.binomtest(0, 60).proportion_ci(method="wilson").high)


def test_the_rule_of_the_verdict_can_choose():
    rng = np.random.default_rng(0)
    losses = draw(rng, [0.5, 0.25, 0.25], 400)
    found = selected_error(
        losses, np.arange(400)[None] % 5, choose=chooser(Question(margin=0.1)), names=list("abc")
    )
    assert found.names[found.best] == "b"
    assert found.shares[0] < 0.05
    assert found.shares[1] > 0.8
    assert found.expected >= found.plain


def test_groups_are_drawn_whole():
    # Two hundred rows that are twenty groups of copies carry the information of twenty.
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(20), 10)
    losses = draw(rng, [0.3], 20)[:, :, groups]
    apart = selected_error(losses, np.arange(200)[None] % 5)
    whole = selected_error(losses, (groups % 5)[None], groups=groups)
    assert whole.high - whole.low > 1.5 * (apart.high - apart.low)


def test_samples_never_left_out_do_not_count():
    losses = draw(np.random.default_rng(0), [0.3, 0.3], 100)
    folds = np.arange(100)[None] % 5
    losses[..., :10], folds[..., :10] = np.nan, -1
    found = selected_error(losses, folds)
    assert found.plain == pytest.approx(losses[found.best, 0, 10:].mean())


def test_same_seed_same_answer():
    losses, folds = draw(np.random.default_rng(0), [0.3, 0.3], 50), np.arange(50)[None] % 5
    assert selected_error(losses, folds).corrected == selected_error(losses, folds).corrected


@pytest.mark.parametrize(
    ("losses", "folds", "words"),
    [
        (np.zeros((2, 3)), np.zeros((1, 3)), r"shape \(2, 3\)"),
        (np.zeros((2, 1, 3)), np.zeros((1, 4)), r"folds \(1, 4\)"),
        (np.full((1, 1, 3), np.nan), np.zeros((1, 3)), "expected NaN exactly where the fold"),
    ],
)
def test_bad_input(losses, folds, words):
    with pytest.raises(InvalidInput, match=words):
        selected_error(losses, folds)


def test_can_be_shown():
    found = selected_error(np.zeros((2, 1, 60)), np.arange(60)[None] % 5, names=["a", "b"])
    assert "chosen among 2" in str(found)
    assert found.to_frame()["learner"].tolist() == ["a"]
    found.plot()


def test_blocks_of_samples_tell_the_same_as_samples(monkeypatch):
    rng = np.random.default_rng(5)
    hard = rng.random(4000)
    losses = np.stack([hard + 0.3 * rng.random((2, 4000)) < 0.4 + 0.003 * j for j in range(4)])
    folds = np.stack([rng.permutation(4000) % 5 for _ in range(2)])
    one_by_one = selected_error(losses.astype(float), folds)
    module = sys.modules["polychotomy.comparison.selected_error"]
    monkeypatch.setattr(module, "_MOST_UNITS", 400)
    in_blocks = selected_error(losses.astype(float), folds)
    assert in_blocks.plain == one_by_one.plain
    width = one_by_one.high - one_by_one.low
    assert in_blocks.high - in_blocks.low == pytest.approx(width, rel=0.2)
    assert in_blocks.corrected == pytest.approx(one_by_one.corrected, abs=0.1 * width)


def test_luck_worked_by_hand():
    """Two folds of four, errors 1/4 and 3/4: between (1/2)²/2 = 1/8, by chance (3/16)/3 = 1/16."""
    one = np.array([0, 0, 0, 1, 0, 1, 1, 1.0])[None, None]
    found = selected_error(one, np.repeat([0, 1], 4)[None])
    assert found.luck**2 == pytest.approx(1 / 8 - 1 / 16)
    assert found.luck_pvalue == pytest.approx(stats.chi2.sf(2, 1))
    # Of 1/32 by the samples and 1/16 by fits, with one degree of freedom: Satterthwaite's t.
    total = 1 / 32 + 1 / 16
    z = stats.t.isf(0.025, (total / (1 / 16)) ** 2)
    for end in (found.low, found.high):  # where Wilson's interval ends: |p̂ − p| = z √(p q / n)
        assert abs(0.5 - end) == pytest.approx(z * np.sqrt(end * (1 - end) * total / 0.25))


def test_no_luck_where_nothing_was_refitted_or_folds_are_single_samples():
    one = (np.arange(40) % 5 == 0).astype(float)[None, None]
    folds = (np.arange(40) % 5)[None]
    assert selected_error(one, folds).luck > 0.4
    for found in (
        selected_error(one, folds, refitted=False),
        selected_error(one, np.arange(40)[None]),
        selected_error(one, folds[:, ::-1] * 0),
    ):
        assert found.luck == 0
        wilson = stats.binomtest(8, 40).proportion_ci(method="wilson")
        assert (found.low, found.high) == pytest.approx((wilson.low, wilson.high))


def test_a_loss_that_is_no_share_has_the_interval_of_its_mean():
    one = np.random.default_rng(0).exponential(size=(1, 1, 60))
    found = selected_error(one, np.arange(60)[None] % 5, refitted=False)
    reach = stats.norm.isf(0.025) * one.std(ddof=1) / np.sqrt(60)
    assert (found.low, found.high) == pytest.approx((one.mean() - reach, one.mean() + reach))


def test_fits_that_find_a_rule_or_miss_it_are_covered():
    """A fit's error is 0.1 or 0.5 by luck, and so is that of the one that will be used."""
    rng, covered, by_rows = np.random.default_rng(2), 0, 0
    folds = np.stack([rng.permutation(300) % 5 for _ in range(5)])
    for _ in range(100):
        fits = rng.choice([0.1, 0.5], size=(5, 5))
        losses = (rng.random((5, 300)) < np.take_along_axis(fits, folds, axis=1)).astype(float)
        truth = rng.choice([0.1, 0.5])
        found = selected_error(losses[None], folds, n_replicates=10)
        covered += found.low <= truth <= found.high
        alone = selected_error(losses[None], folds, n_replicates=10, refitted=False)
        by_rows += alone.low <= truth <= alone.high
    assert covered >= 93
    assert by_rows < 20


def test_how_often_it_is_chosen_again_is_true_of_other_tables():
    """Learners some points apart: what is said of a table, and how often others choose so."""
    rng, folds, said, true = np.random.default_rng(3), np.arange(200)[None] % 5, [], []
    for _ in range(100):
        truth = rng.normal(0.3, 0.03, size=3)
        found = selected_error(draw(rng, truth, 200), folds, n_replicates=300)
        others = np.stack([draw(rng, truth, 200)[:, 0].mean(axis=1) for _ in range(40)])
        said.append(found.shares[found.best])
        true.append(np.mean(others.argmin(axis=1) == found.best))
    assert np.mean(said) == pytest.approx(np.mean(true), abs=0.06)


def test_seeds_move_the_interval_by_a_tenth_of_a_point():
    losses = draw(np.random.default_rng(0), [0.3] * 5, 100)
    ends = [
        (found.low, found.high)
        for seed in range(6)
        for found in [selected_error(losses, np.arange(100)[None] % 5, random_state=seed)]
    ]
    assert np.std(ends, axis=0).max() < 0.001
