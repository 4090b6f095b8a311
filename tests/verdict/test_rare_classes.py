"""Rare classes: a margin that scales with what guessing costs, and nobody kept who is beaten."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, log_loss

from polychotomy import import_predictions, judge
from polychotomy.comparison import Criterion
from polychotomy.verdict import Question
from polychotomy.verdict.choosing import chooser, first_within
from polychotomy.verdict.question import cost_of_guessing

ERROR = Criterion(name="error")


def fraud(n=1000, share=0.02, seed=0):
    """One row in fifty is of the other class, and mostly to be told from the rest."""
    rng = np.random.default_rng(seed)
    y = (np.arange(n) < share * n).astype(int)
    return rng.standard_normal((n, 4)) + 1.8 * y[:, None], np.where(y, "fraud", "fine")


@pytest.mark.parametrize(("guessing", "margin"), [(0.5, 0.01), (0.2, 0.01), (0.1, 0.005)])
def test_a_twentieth_of_what_guessing_costs_at_most_a_point(guessing, margin):
    assert Question(guessing=guessing).smallest_difference == pytest.approx(margin)
    assert Question(guessing=guessing, margin=0.02).smallest_difference == 0.02
    assert Question(guessing=guessing, rule="paper").smallest_difference == 0.01


def test_guessing_costs_what_scikit_learn_says():
    counts = np.array([70, 20, 10])
    y, shares = np.repeat([0, 1, 2], counts), np.tile(counts / 100, (100, 1))
    expected = {"error": 0.3, "log-loss": log_loss(y, shares), "auc": 0.5, "balanced-error": 2 / 3,
                "brier": brier_score_loss(y, shares, scale_by_half=False)}  # fmt: skip
    for name, loss in expected.items():
        found = cost_of_guessing(Criterion(name=name), counts, ["a", "b", "c"])
        assert found.loss == pytest.approx(loss), name
        assert (found.label, found.error) == ("a", pytest.approx(0.3))


def test_guessing_is_not_good_enough_where_one_row_in_fifty_is_of_the_other_class():
    X, y = fraud()
    candidates = {"MAX": DummyClassifier(), "logistic": LogisticRegression()}
    assert judge(candidates, X, y, anatomy=False, margin=0.02).best == "MAX"
    verdict = judge(candidates, X, y, anatomy=False)
    assert verdict.best == "logistic"
    assert verdict.margin == pytest.approx(0.001)
    assert verdict.guessing == ("fine", 0.02, 0.02)
    assert "guessing has 2.0 %" in str(verdict)


def test_what_guessing_costs_is_known_without_one_who_guesses():
    X, y = fraud()
    found = judge({"logistic": LogisticRegression()}, X, y, anatomy=False).to_dict()["guessing"]
    assert found == {"label": "fine", "error": 0.02, "loss": 0.02}


def predictions(folder, *, better):
    """Of 2,000 cases A errs in 400; B is right in some of those, wrong in few others."""
    rows = np.arange(2000)
    wrong = {"A": rows < 400, "B": (rows >= better) & (rows < 402)}
    frames = [pd.DataFrame({"learner": name, "sample": rows, "fold": rows % 5, "truth": rows % 3,
                            "predicted": np.where(one, (rows + 1) % 3, rows % 3)})
              for name, one in wrong.items()]  # fmt: skip
    path = folder / "predictions.csv"
    pd.concat(frames).to_csv(path, index=False)
    return import_predictions(path)


@pytest.mark.parametrize(("better", "best"), [(19, "B"), (2, "A"), (60, "B")])
def test_one_that_is_shown_to_be_worse_is_not_kept_by_the_default_margin(tmp_path, better, best):
    """A is worse by 0.85 points, shown, and maybe by more than one: within the margin of it."""
    ledger = predictions(tmp_path, better=better)
    verdict = judge(ledger)
    assert verdict.best == verdict.ordering.ordered_names[0] == best
    answers = dict(zip(verdict.differences.names, verdict.differences.answers, strict=True))
    assert "worse" not in answers[verdict.best]
    assert verdict.selected.names[verdict.selected.best] == best
    assert judge(ledger, margin=0.01).best == ("A" if better < 22 else "B")


@given(st.lists(st.integers(0, 40), min_size=2, max_size=6), st.integers(1, 12), st.data())
def test_the_chosen_is_the_first_that_nothing_beats(counts, margin, data):
    means, m = np.array(counts) / 200, len(counts)
    worse = np.triu(means[:, None] > means) & np.array(
        data.draw(st.lists(st.lists(st.booleans(), min_size=m, max_size=m), min_size=m, max_size=m))
    )
    choose = chooser(Question(guessing=0.1 * margin), beaten=worse)
    found = int(choose(np.tile(means[None, :, None, None], (1, 1, 1, 5)))[0])
    gives_way = [
        any(counts[i] - counts[j] >= (1e-9 if worse[i, j] else margin) for j in range(i + 1, m))
        for i in range(m)
    ]
    assert found == gives_way.index(False)
    assert first_within(means[None], margin / 200) <= found


def test_a_class_rarer_than_the_margin_is_said_first():
    rng = np.random.default_rng(0)
    y = np.repeat(["a", "b", "rare"], [500, 495, 5])
    X = rng.standard_normal((1000, 3)) + 2 * (y == "b")[:, None]
    verdict = judge({"logistic": LogisticRegression()}, X, y, anatomy=False)
    (said,) = (note for note in verdict.warnings if "'rare'" in note)
    assert said == (
        "'rare' is in 0.5 % of the rows, so that to miss it altogether costs no more error than "
        "that, which is less than the margin of 1 point; judge by balanced error, AUC, log loss "
        "or costs of errors instead"
    )
    by_area = judge({"logistic": LogisticRegression()}, X, y, anatomy=False, loss="auc")
    assert not any("'rare'" in note for note in by_area.warnings)


def test_a_rare_class_is_said_before_the_first_fit(run, tmp_path):
    rng = np.random.default_rng(0)
    kinds = np.repeat(["ok", "fraud"], [995, 5])
    pd.DataFrame({"x": rng.normal(size=1000).round(3), "kind": kinds}).to_csv(
        tmp_path / "t.csv", index=False
    )
    asked = ["judge", "t.csv", "--target", "kind", "--candidates", "MAX,nearest mean"]
    result = run(*asked, "--no-anatomy", "--json", cwd=tmp_path)
    (said,) = (one for one in json.loads(result.stdout)["warnings"] if one["kind"] == "rare")
    before = result.stderr.partition("expected: ")[0]
    assert f"warning: {said['text']}" in " ".join(before.split())
