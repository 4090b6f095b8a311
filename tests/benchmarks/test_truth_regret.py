"""Regret by hand, standard errors by data set, and the choice on other data sets."""

import numpy as np
import pandas as pd
import pytest
from benchmarks.truth.draws import Draw
from benchmarks.truth.regret import (
    BASELINE,
    apply_rules,
    choose_left_out,
    lowest_mean,
    summarise,
)


def draw(population, means, truth, number=0):
    fifths = np.broadcast_to(np.reshape(means, (-1, 1, 1)), (len(means), 5, 5))
    return Draw(population, 100, number, fifths[:, :, :2], fifths, np.array(truth))


def test_regret_is_the_pick_s_true_error_beyond_the_best_in_points():
    draws = [draw("a", [0.3, 0.2, 0.25], [0.31, 0.28, 0.25])]
    picks = apply_rules(
        draws, {BASELINE: lowest_mean, "first": lambda _: 0, "none": lambda _: None}
    )
    assert picks["regret"].to_numpy() == pytest.approx([3, 6, 3])
    assert picks["excess"].to_numpy() == pytest.approx([0, 3, 0])
    assert picks["undecided"].tolist() == [False, False, True]
    assert picks["pick"].tolist() == [1, 0, 1]


def test_a_tie_goes_to_the_simpler():
    assert lowest_mean(draw("a", [0.3, 0.1 + 0.2, 0.4], [0, 0, 0])) == 0


def test_a_data_set_counts_once_however_many_draws_it_has():
    draws = [draw("a", [0.1, 0.2], [0.1, 0.2], number) for number in range(3)]
    draws.append(draw("b", [0.1, 0.2], [0.1, 0.5]))
    table = summarise(apply_rules(draws, {BASELINE: lowest_mean, "last": lambda _: 1}))
    last = table.set_index("rule").loc["last"]
    assert last["regret"] == pytest.approx((10 + 40) / 2)
    assert last["regret_se"] == pytest.approx(np.std([10, 40], ddof=1) / np.sqrt(2))
    assert last["position"] == 1


def test_the_choice_never_sees_the_data_set_it_is_judged_on():
    rows = [
        ("a", "bold", 0, 5.0),
        ("b", "bold", 0, 0.0),
        ("c", "bold", 0, 0.0),
        *((population, "shy", 1, 0.0) for population in "abc"),
    ]
    picks = pd.DataFrame(rows, columns=["population", "rule", "pick", "excess"])
    picks = picks.assign(n=100, draw=0, undecided=False, simple=True, regret=picks["excess"])
    chosen = choose_left_out(picks, ["bold", "shy"], 0.2).set_index("population")
    assert chosen["chosen"].to_dict() == {"a": "bold", "b": "shy", "c": "shy"}
    assert chosen.loc["a", "excess"] == 5.0
