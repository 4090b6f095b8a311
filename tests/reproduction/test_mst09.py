"""MST09: parts, scores, and who is better."""

from dataclasses import replace

import numpy as np
import pytest

from polychotomy.combination import rank_margin
from polychotomy.reproduction.cells import Cell
from polychotomy.reproduction.inputs import load_numbers
from polychotomy.reproduction.mst09 import COMBINERS, boost, sample_margins, split_parts
from polychotomy.reproduction.mst09_page import RULES, find_better, join_reasons, judge_reading


def test_parts_are_disjoint_and_of_the_sizes_said(sets):
    X, y = load_numbers("b_liver", sets, one_of_n=False)
    for share, sizes in ((1 / 3, [30, 30, 30]), (0.6, [54, 18, 18])):
        parts = split_parts(X, y, 0, share)
        assert [len(labels) for _, labels in parts] == sizes
        rows = np.vstack([features for features, _ in parts])
        assert len(np.unique(rows, axis=0)) == len(np.unique(X, axis=0))
        assert parts[0][0].mean(axis=0) == pytest.approx(0, abs=1e-12)


def test_seven_different_classifiers_within_one(sets):
    (X, y), *_ = split_parts(*load_numbers("b_liver", sets, one_of_n=False), 0, 1 / 3)
    scores = np.column_stack([score(X) for score in boost(X, y, 0)])
    assert scores.shape == (30, 7)
    assert np.abs(scores).max(axis=0) == pytest.approx(1)
    assert len(np.unique(scores.round(9), axis=1).T) > 1


def test_every_rule_orders_separable_scores():
    y = np.repeat([0, 1], 10)
    scores = np.column_stack([y - 0.5, y - 0.5 + 0.01 * np.arange(20)])
    for rule in COMBINERS.values():
        combined = rule(scores, y, scores)
        assert combined[y == 1].min() > combined[y == 0].max()


def test_bold_needs_friedman_and_holm():
    rng = np.random.default_rng(0)
    clear = np.array([0.9, 0.5, 0.1]) + 0.01 * rng.standard_normal((30, 3))
    assert find_better(clear) == ["RankMargin"]
    tie = np.array([0.9, 0.5, 0.9]) + 0.01 * rng.standard_normal((30, 3))
    assert find_better(tie) == ["RankMargin", "SVM"]
    assert find_better(rng.standard_normal((30, len(RULES)))) == []


@pytest.mark.parametrize(
    ("name", "verdict", "expected"),
    [
        ("sonar", "agrees", ("design", "shown")),
        ("sonar", "few", ("design", "guess")),
        ("sonar", "differs", ("unknown", "none")),
        ("hayes", "differs", ("data", "guess")),
    ],
)
def test_reason_is_what_the_other_reading_leaves(name, verdict, expected):
    why = {"cause": "unknown", "basis": "none"} if verdict == "differs" else {}
    place = {"table": "", "row": name, "column": "", "printed": 0.9, "ours_error": 0.01}
    other = Cell(**place, ours=0.89, verdict=verdict, **why)
    ours = Cell(**place, ours=0.8, verdict="differs", cause="design", basis="guess")
    words = "60 % to train on gives"
    assert judge_reading(name, other, ours, words)[:2] == expected
    near = replace(ours, ours=0.88)  # both readings the same
    assert judge_reading(name, other, near, words)[1] != "shown"


def test_best_founded_reason_is_given():
    none, guess = ("unknown", "none", "a gives 1"), ("design", "guess", "b gives 2")
    shown = ("learner", "shown", "c gives 3")
    assert join_reasons("sonar", [none, guess, shown]) == shown
    assert join_reasons("sonar", [none, guess])[:2] == ("design", "guess")
    assert join_reasons("sonar", [none]) == ("unknown", "none", "unexplained; a gives 1")
    assert join_reasons("sonar", [])[1] == "guess"


@pytest.mark.parametrize("seed", range(5))
def test_the_rank_margin_is_twice_the_best_margin_of_a_classifier(seed):
    """§2: shifting the zero of the scores to the middle of the closest pair is best."""
    rng = np.random.default_rng(seed)
    f, y = rng.normal(size=40), np.arange(40) % 2
    best = max(sample_margins(f - t, y).min() for t in np.linspace(-3, 3, 601))
    middle = (f[y == 1].min() + f[y == 0].max()) / 2
    at_middle = sample_margins(f - middle, y).min()
    assert at_middle >= best - 1e-12
    assert 2 * at_middle == pytest.approx(rank_margin(f[:, None], y))
