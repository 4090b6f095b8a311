"""Sentences of verdicts whose numbers are made up, so that every case is met."""

import re
from dataclasses import fields, replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from all_sentences import all_sentences
from scipy import stats
from scipy.stats import norm
from sklearn.datasets import load_iris, make_blobs
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from polychotomy import import_predictions, judge
from polychotomy.comparison import Criterion, Ordering
from polychotomy.report import render_page
from polychotomy.study import affordable_ladder
from polychotomy.telling.choice import _say_luck
from polychotomy.telling.tried import say_not_tried
from polychotomy.verdict.choosing import Frequency

CANDIDATES = {"MAX": DummyClassifier(), "Bayes": GaussianNB(), "1-NN": KNeighborsClassifier(1)}


@pytest.fixture(scope="module")
def verdict():
    X, y = load_iris(return_X_y=True)
    return judge(CANDIDATES, X[::2], y[::2], plan="5x5")


@pytest.fixture(scope="module")
def separable():
    X, y = make_blobs(60, centers=2, cluster_std=0.1, random_state=0)
    return judge({**CANDIDATES, "tree": DecisionTreeClassifier()}, X, y, groups=np.arange(60) // 2)


def said(verdict, section):
    return " ".join(one.text for one in verdict.sentences() if one.section == section)


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (0.006, 0.02, "a gain, +1.3 points of AUC (80 % interval 0.6 to 2.0), all of the "
         "interval beyond half a point."),
        (0.001, 0.021, "a gain, +1.1 points of AUC (80 % interval 0.1 to 2.1), though perhaps of "
         "less than half a point."),
        (0.001, 0.004, "no gain that matters, +0.25 points of AUC (80 % interval 0.10 to 0.40), "
         "less than half a point."),
        (-0.001, 0.0048, "no gain that matters, +0.19 points of AUC (80 % interval −0.10 to 0.48), "
         "less than half a point either way."),
        (-0.02, 0.004, "no gain that matters, −0.8 points of AUC (80 % interval −2.0 to 0.4), less "
         "than half a point at best."),
        (-0.02, -0.001, "no gain that matters, −1.1 points of AUC (80 % interval −2.0 to −0.1), "
         "and perhaps a loss."),
        (-0.001, 0.03, "the data cannot tell, +1.4 points of AUC (80 % interval −0.1 to 3.0); "
         "about 240 rows in all may tell whether it gains half a point."),
    ],
)  # fmt: skip
def test_combining_in_all_cases(verdict, low, high, words):
    error = (high - low) / 2 / norm.ppf(0.9)
    advice = replace(
        verdict.combination, difference=(low + high) / 2, standard_error=error, over="Bayes"
    )
    advice = replace(advice, auc_over=float(advice.aucs.max()))
    (own,) = [s for s in replace(verdict, combination=advice).sentences()
              if s.section == "combining" and s.emphasis != "Next"]  # fmt: skip
    assert own.text == f"Combining the candidates, compared with Bayes alone: {words}"
    rows = re.search(r"about (\d+) rows in all", words)
    assert rows is None or f" About {rows[1]} samples would decide with power 0.8" in own.basis


def test_the_auc_has_the_interval_of_its_folds(verdict):
    losses = verdict.ordering.errors[verdict.ordering.best].ravel()  # 5 × 5 folds
    reach = stats.t.ppf(0.975, 24) * losses.std(ddof=1) * np.sqrt(1 / 25 + 1 / 4)
    low, high = 1 - losses.mean() - reach, min(1 - losses.mean() + reach, 1.0)
    ranked = replace(verdict, criterion=Criterion(name="auc"), selected=None)
    expected = f"Its mean AUC is {1 - losses.mean():.3f} (95 % interval {low:.3f} to {high:.3f})"
    assert expected in said(ranked, "which")


@pytest.mark.parametrize(
    ("runs", "words"),
    [
        ((5,), "found in all 5 runs."),
        ((3, 2), "found in 3 of 5 runs (2 different orders in all)."),
        ((2, 2, 1), "found in 2 of 5 runs (3 different orders in all)."),
    ],
)
def test_how_often_an_order_was_found(verdict, runs, words):
    order = verdict.ordering
    plain = Ordering(**{f.name: getattr(order, f.name) for f in fields(Ordering)})
    found = tuple(Frequency(order.ordered_names, count) for count in runs)
    several = replace(
        verdict, ordering=plain, frequencies=found, plan=verdict.plan | {"runs": 5}, rule="paper"
    )
    assert f"This order was {words}" in said(several, "which")


def test_class_labels_are_quoted(verdict):
    worst = verdict.confusion.worst[0]
    share = f"({100 * worst.share:.0f} % of '{worst.truth}')"
    expected = f"Worst confusion: '{worst.truth}' taken for '{worst.predicted}' {share}"
    assert expected in said(verdict, "errors")


def test_no_error_is_not_an_error_of_nothing(separable):
    text = all_sentences(separable)
    assert separable.candidate(separable.best).error == 0
    assert not re.search(r"(?<![\d.])0(\.0+)? %", text)
    # Groups of two: no more is known than of 30 independent rows.
    most = 1 - 0.025 ** (1 / 30)
    assert separable.selected.high == pytest.approx(most)
    assert f"on these 60 rows; on others expect less than {100 * most:.1f} %" in text
    assert "ranks these rows faultlessly" in text
    assert "did exactly as well in every fold, but 60 rows cannot show" in text
    assert "it was sure, and right" in text


def test_rows_of_groups_are_not_said_to_be_independent(verdict, separable):
    broken = "which those of one group are not"
    for section in ("trust", "combining"):
        (own,) = [one.basis for one in separable.sentences() if one.section == section]
        assert broken in own
    assert not any(broken in one.basis for one in verdict.sentences())


def test_rows_in_time_order_are_said_to_depend_on_each_other(verdict):
    timed = replace(verdict, plan={**verdict.plan, "kind": "time folds"})
    for section in ("trust", "combining"):
        (own,) = [one.basis for one in timed.sentences() if one.section == section]
        assert "rows close in time may not be: then intervals are too narrow" in own


def test_confidence_far_from_accuracy_is_no_trust(verdict):
    trust = replace(
        verdict.trust,
        null=replace(verdict.trust.null, pvalue=0.2),
        recalibration=replace(verdict.trust.recalibration, chosen="none"),
        confidence=0.900,
        accuracy=0.870,
        confidence_pvalue=0.011,
    )
    brief, own = [
        one for one in replace(verdict, trust=trust).sentences() if one.section == "trust"
    ]
    assert brief.text == "Caveat: its probabilities are too sure of themselves."
    assert (
        "are too sure of themselves: it is 90.0 % sure on average and right in 87.0 %" in own.text
    )
    assert "no recalibration is shown to correct them" in own.text
    assert "accuracy 0.870 (p = 0.022). Both p-values are corrected for two" in own.basis


def test_two_areas_of_one_candidate_are_told_apart(verdict):
    by_area = replace(verdict, criterion=Criterion(name="auc"), selected=None)
    bases = {one.section: one.basis for one in by_area.sentences() if "AUC:" in one.basis}
    assert "AUC: rows are ranked within their folds" in bases["combining"]
    assert "combining is judged by another" in bases["which"]


def test_other_losses_of_no_error(separable):
    text = said(replace(separable, criterion=Criterion(name="auc"), selected=None), "which")
    assert "of others up to 5.0 % may be (rule of three)" in text
    assert "Its mean AUC is 1.000" in text


@pytest.mark.parametrize("p", [0.2, 0.01])
@pytest.mark.parametrize("slope", [1.0, 1.2])
def test_trust_quotes_the_slope_only_where_it_says_the_same(verdict, p, slope):
    null = replace(verdict.trust.null, observed_slope=slope, pvalue=p)
    advice = replace(verdict.trust.recalibration, chosen="none")
    trust = replace(verdict.trust, null=null, recalibration=advice, confidence_pvalue=1.0)
    text = said(replace(verdict, trust=trust), "trust")
    band = null.to_frame().set_index("statistic").loc["slope"]
    inside = band["lower"] <= slope <= band["upper"]
    assert ("can be trusted" in text) == (p > 0.05)
    assert ("where" in text) == (inside == (p > 0.05))
    assert ("like that of true ones" in text) != ("where" in text)


def test_an_unsteady_choice_is_said_so(verdict):
    best = verdict.selected.best
    shares = np.full(3, 0.4)
    shares[best] = 0.2
    text = said(replace(verdict, selected=replace(verdict.selected, shares=shares)), "which")
    assert f"As seen its error was {100 * verdict.candidate(verdict.best).error:.1f} %" in text
    assert "would take another candidate in about 80 % of cases" in text
    for share, told in ((0.06, "about 90 % of"), (0.05, "more than nine of ten"), (0.0, "more th")):
        shares[best] = share
        text = said(replace(verdict, selected=replace(verdict.selected, shares=shares)), "which")
        assert f"would take another candidate in {told}" in text
        assert "100 % of cases" not in text


def test_preference_by_time_is_not_called_simplicity(verdict):
    asked = verdict.provenance["question"] | {"prefer": "time"}
    text = all_sentences(replace(verdict, provenance=verdict.provenance | {"question": asked}))
    assert "simpler" not in text
    assert "more complex" not in text


def test_who_beats_guessing_by_less_than_the_margin_is_not_denied(verdict):
    rows = [list(row) for row in verdict.differences.answers]
    rows[verdict.differences.names.index(verdict.best)][-1] = "worse"
    pairs = replace(verdict.differences, answers=tuple(map(tuple, rows)))
    guessing = replace(verdict, baselines=(verdict.best,), differences=pairs)
    assert guessing.sentences()[0].text == "Nothing beats guessing by 1 point."
    assert ">Nothing beats guessing by 1 point.</h1>" in guessing.to_html()


def test_who_guesses_is_told_what_the_features_know(verdict):
    advice = replace(verdict.combination, over="MAX", auc_over=0.5, difference=0.4)
    guessing = replace(verdict, baselines=(verdict.best,), combination=advice)
    assert "Yet the features do tell the classes apart" in said(guessing, "combining")
    lost = replace(advice, difference=0.01, standard_error=0.05)
    text = said(replace(guessing, combination=lost), "combining")
    assert "not shown to beat guessing either" in text
    assert said(guessing, "trust") == said(guessing, "limits") == said(guessing, "price") == ""


@pytest.mark.parametrize("rule", ["margin", "paper"])
def test_who_guesses_is_not_called_more_complex(rule):
    X, y = load_iris(return_X_y=True)
    candidates = {"Bayes": GaussianNB(), "MAX": DummyClassifier()}
    found = judge(candidates, X, y, rule=rule, anatomy=False)
    words = said(found, "which")
    assert found.best == "Bayes"
    assert "more complex" not in words
    if rule == "margin":
        assert re.search(r"Guessing is 6\d(\.\d)? points worse\.", words)
    else:
        assert "Guessing is not shown to be better (p" in words


def test_costs_have_one_mean():
    X, y = load_iris(return_X_y=True)
    costs = 1.0 - np.eye(3)
    found = judge(CANDIDATES, X, y, loss=costs, anatomy=False)
    assert "mean mean" not in "".join(f"{one.text}{one.basis}" for one in found.sentences())
    page = render_page(found)
    assert "mean cost" in page
    assert "mean mean" not in page


def test_the_page_explains_its_words(verdict):
    page = render_page(verdict)
    for word in ("truth lab", "T96", "MST09", "level ½"):
        assert word not in page


def test_what_takes_too_long_is_said_with_what_to_write(verdict):
    _, left_out = affordable_ladder(1500, 40)
    kept = replace(verdict, best="Bayes", left_out=left_out)
    (own,) = [one for one in kept.sentences() if one.emphasis == "Not tried"]
    assert own.text == (
        "Not tried, for the time it takes on such a table: SVM pairwise and SVM orthogonal (40 "
        "classes, more than 15) and boosted trees (40 classes, more than 30). To have one "
        'compared, name it: --candidates "boosted trees".'
    )
    assert "boosted trees: 40 classes, more than 30: it grows a tree for each class" in own.basis


def test_what_would_tell_nothing_new_is_not_on_the_first_screen(verdict):
    _, left_out = affordable_ladder(100, 2)
    kept = replace(verdict, left_out=left_out)
    text = "Not tried: SVM orthogonal (with two classes it is the same as SVM pairwise)."
    assert text in [one.text for one in kept.sentences()]
    assert text not in [one.text for one in kept.top()]


def test_the_one_to_use_is_named_beside_one_not_tried():
    _, left_out = affordable_ladder(8000, 3)
    sentence = say_not_tried(SimpleNamespace(best="logistic", left_out=left_out))[0]
    assert sentence.text.endswith('name it: --candidates "logistic,SVM orthogonal".')


def test_an_area_that_is_the_same_in_every_fold_has_no_interval_and_says_why():
    X = np.random.default_rng(0).normal(size=(60, 2))
    same = judge({"Bayes": GaussianNB()}, X, X[:, 0] > 0, loss="auc", anatomy=False)
    same = replace(same, ordering=replace(same.ordering, errors=0 * same.ordering.errors))
    (expected,) = [one for one in same.sentences() if "mean AUC" in one.text]
    assert "interval" not in expected.text
    assert "No interval is given: it is the same in every fold." in expected.basis


def test_nothing_that_is_left_out_leaves_a_gap():
    """Such as what fits saw of the rows, which nobody knows of answers made elsewhere."""
    right = np.random.default_rng(0).random((90, 3)) < [0.6, 0.7, 0.8]
    answers = import_predictions(pd.DataFrame(right.astype(int), columns=["a", "b", "c"]))
    for said in judge(answers).sentences():
        assert "  " not in said.text + said.basis


def test_a_slope_outside_what_is_expected_is_never_written_like_its_end(verdict):
    low = float(verdict.trust.null.to_frame().set_index("statistic").loc["slope", "lower"])
    null = replace(verdict.trust.null, observed_slope=low - 1e-5, pvalue=0.001)
    advice = replace(verdict.trust.recalibration, chosen="none")
    uneven = replace(verdict.trust, null=null, recalibration=advice, confidence_pvalue=1.0)
    text = said(replace(verdict, trust=uneven), "trust")
    slope, end = re.search(r"slope ([\d.]+), where ([\d.]+) to", text).groups()
    assert float(slope) < float(end)


def test_what_ranks_shows_no_more_than_its_rarest_class_can():
    """Ten rows of a class, all found by both: that does not show two to be within a hundredth."""
    X = np.r_[np.zeros(990), np.ones(10)][:, np.newaxis] + 1e-3 * np.arange(1000)[:, np.newaxis] % 1
    y = np.arange(1000) >= 990
    both = {"Bayes": GaussianNB(), "1-NN": KNeighborsClassifier(1)}
    for loss, answer in (("recall-at-precision", "undecided"), ("error", "equivalent")):
        found = judge(both, 9 * y[:, np.newaxis] + X, y, loss=loss, margin=0.01, anatomy=False)
        assert np.ptp(found.ordering.errors) == 0
        assert found.differences.answers[0][1] == answer


def test_the_luck_of_the_training_sample_is_not_said_of_folds_in_time(verdict):
    known = replace(verdict.selected, luck=0.1, luck_pvalue=0.001)
    luck = "The error depends on the luck of the training sample"
    assert luck in " ".join(_say_luck(verdict, known))
    in_time = replace(verdict, plan=verdict.plan | {"kind": "time folds"})
    assert luck not in " ".join(_say_luck(in_time, known))


def test_it_is_guessing_that_is_shown_to_be_better():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 5)), (rng.random(300) < 0.2).astype(int)
    guessed = judge(
        {"MAX": DummyClassifier(), "1-NN": KNeighborsClassifier(1)}, X, y, anatomy=False
    )
    assert "Guessing is shown to be better than 1-NN" in said(guessed, "real")
