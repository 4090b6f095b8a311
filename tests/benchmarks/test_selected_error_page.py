"""The simulation behind the factor √2 of selected_error: it draws what it says."""

import numpy as np
from benchmarks.selected_error import SETTINGS, Setting, draw_losses, lowest_mean, markdown, table


def test_learners_err_as_often_as_they_should_and_share_their_errors():
    setting = Setting("two", "lowest mean", [0.3, 0.1], 20_000, lowest_mean)
    correlations = []
    for shared in (0.0, 0.7):
        losses, folds = draw_losses(np.random.default_rng(0), setting, shared)
        np.testing.assert_allclose(losses.mean(axis=(1, 2)), [0.3, 0.1], atol=0.01)
        assert np.bincount(folds[0]).tolist() == [4000] * 5
        correlations.append(np.corrcoef(losses[:, 0])[0, 1])
    assert abs(correlations[0]) < 0.03
    assert correlations[1] > 0.25


def test_every_setting_gets_a_row():
    frame = table(2, 0)
    assert len(frame) == 2 * len(SETTINGS)
    page = markdown(frame, 2, 0)
    assert page.count("\n| ") == len(frame) + 2
    assert "--repetitions 2 --seed 0" in page
