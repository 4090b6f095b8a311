"""Every claim of a verdict, computed again from its ledger by code that shares nothing with it.

The predictions are read from the exported CSV file (cross-validation) and from the database itself
(bootstrap and training sizes); the formulas are written out in plain loops, or are scipy's and
scikit-learn's.
"""

import re

import numpy as np
import pandas as pd
import pytest
from page_recount import paired_error
from scipy import stats
from sklearn.datasets import load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.dummy import DummyClassifier
from sklearn.metrics import confusion_matrix, roc_auc_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from polychotomy.study import Ledger, Study
from polychotomy.study.ledger.export import export_predictions
from polychotomy.verdict import Question, conclude
from polychotomy.verdict.question import plan_of
from polychotomy.verdict.running import run_study

NAMES = ["MAX", "tree", "1-NN", "LDA"]


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    X, y = load_wine(return_X_y=True)
    candidates = {
        "MAX": DummyClassifier(),
        "tree": DecisionTreeClassifier(max_depth=3),
        "1-NN": KNeighborsClassifier(1),
        "LDA": LinearDiscriminantAnalysis(),
    }
    study = Study(candidates, X[:, :5], y, plan=plan_of("margin", plan="5x5")[0])
    path = tmp_path_factory.mktemp("claims") / "p.csv"
    with run_study(study, Question(against="tree"), Ledger()) as ledger:
        verdict = conclude(study, ledger, Question(against="tree"))
        export_predictions(ledger, path)
        bags = ledger.bootstrap_predictions(verdict.best)
        sizes = ledger.size_errors(verdict.best)
        trials = pd.DataFrame(ledger.trials())
    table = pd.read_csv(path, dtype={"truth": str, "predicted": str})
    if "plan" in table:
        table = table[table["plan"] == "5x5 folds"]
    return verdict, table, bags, sizes, trials, y


@pytest.fixture(scope="module")
def folds(judged):
    """Error of every candidate in each of 25 folds, (4, 25), from the exported table."""
    table = judged[1].assign(wrong=lambda t: t["truth"] != t["predicted"])
    errors = table.groupby(["candidate", "repetition", "fold"])["wrong"].mean()
    return np.array([errors[name].to_numpy() for name in NAMES])


def sentence(verdict, section, start=""):
    found = [s for s in verdict.sentences() if s.section == section and s.text.startswith(start)]
    return found[0]


def numbers(text):
    return [float(x.replace("−", "-")) for x in re.findall(r"[−-]?\d+(?:\.\d+)?", text)]


def test_mean_errors(judged, folds):
    verdict = judged[0]
    for name, errors in zip(NAMES, folds, strict=True):
        assert verdict.candidate(name).error == pytest.approx(errors.mean())
        assert verdict.candidate(name).sd == pytest.approx(errors.std(ddof=1))


def test_the_choice_is_the_most_preferred_within_a_point(judged, folds):
    means = folds.mean(axis=1)
    for i in range(4):
        if all(means[i] < means[j] + 0.01 for j in range(i + 1, 4)):
            break
    assert judged[0].best == NAMES[i]
    assert judged[0].sentences()[0].text == f"Use {NAMES[i]}."


def test_the_paragraph_on_the_choice(judged, folds):
    verdict, means = judged[0], folds.mean(axis=1)
    best = NAMES.index(verdict.best)
    text = sentence(verdict, "which", "Nothing simpler").text
    nearest = min(range(best), key=lambda i: means[i])
    assert f"({NAMES[nearest]} comes closest, " in text
    off = 100 * (means[nearest] - means[best:].min())
    assert numbers(text.split("closest,")[1])[0] == pytest.approx(off, abs=0.051)


@pytest.fixture(scope="module")
def rows(judged):
    """Whether each candidate is wrong on each row in every repetition, (4, repetitions, n)."""
    table = judged[1].assign(wrong=lambda t: t["truth"] != t["predicted"])
    sizes = table.groupby(["candidate", "repetition", "fold"])["wrong"].transform("size")
    alike = table["sample"].nunique() / 5 / sizes  # a fold counts like any other
    keys = [table["candidate"], table["repetition"], table["sample"]]
    wrong = (table["wrong"] * alike).groupby(keys).mean()
    return np.array([wrong[name].unstack().to_numpy() for name in NAMES])


def difference(a, b):
    """Mean over rows and its standard error, widened for the luck of the training sets."""
    return (a - b).mean(), paired_error(a - b), a.shape[1] - 1


def interval(a, b):
    mean, scale, df = difference(a, b)
    return stats.t.interval(0.95, df, loc=mean, scale=scale)


def test_differences_and_answers(judged, rows):
    pairs = judged[0].differences
    for i, j in zip(*np.triu_indices(4, 1), strict=True):
        low, high = interval(rows[i], rows[j])
        assert pairs.low[i, j] == pytest.approx(low)
        assert pairs.high[i, j] == pytest.approx(high)
        if low > -0.01 and high < 0.01:
            answer = "equivalent"
        elif high < 0:
            answer = "better"
        else:
            answer = "worse" if low > 0 else "undecided"
        assert pairs.answers[i][j] == answer


def test_the_expected_error_by_a_naive_bootstrap(judged):
    verdict, table = judged[0], judged[1]
    wide = table.assign(wrong=table["truth"] != table["predicted"]).pivot_table(
        index="sample", columns=["candidate", "repetition"], values="wrong", aggfunc="first"
    )
    loss = np.array([wide[name].to_numpy(dtype=float).mean(axis=1) for name in NAMES])  # (4, n)
    rng = np.random.default_rng(123)
    outside, flattered = [], []
    for _ in range(2000):
        drawn = rng.integers(178, size=178)
        left = np.setdiff1d(np.arange(178), drawn)
        means = loss[:, drawn].mean(axis=1)
        chosen = next(i for i in range(4) if all(means[i] < m + 0.01 for m in means[i + 1 :]))
        outside.append(loss[chosen, left].mean())
        flattered.append(loss[chosen].mean() - means[chosen])
    plain = loss[NAMES.index(verdict.best)].mean()
    corrected = plain + np.mean(flattered)
    # Fold means are weighed alike there and samples here: near, not equal.
    assert verdict.selected.corrected == pytest.approx(corrected, abs=0.002)
    assert verdict.selected.plain == pytest.approx(plain)
    said = numbers(sentence(verdict, "which", "Expect an error").text)
    assert said[0] == pytest.approx(100 * max(corrected, plain), abs=0.3)
    assert said[1] == 95
    assert said[2] == pytest.approx(100 * np.quantile(outside, 0.025), abs=2)
    assert said[3] == pytest.approx(100 * np.quantile(outside, 0.975), abs=2)


def test_trust_compares_confidence_with_accuracy(judged):
    verdict, table = judged[0], judged[1]
    own = table[table["candidate"] == verdict.best]
    confidence = own[[c for c in own if c.startswith("p:")]].max(axis=1).mean()
    accuracy = (own["truth"] == own["predicted"]).mean()
    assert verdict.trust.confidence == pytest.approx(confidence, abs=1e-5)
    assert verdict.trust.accuracy == pytest.approx(accuracy, abs=1e-9)
    basis = sentence(verdict, "trust").basis
    assert f"confidence {confidence:.3f}, accuracy {accuracy:.3f}" in basis


def test_bagging_by_counting_votes_out_of_bag(judged):
    verdict, table, (predictions, in_bag), _, _, y = judged
    assert predictions.shape[0] == 50
    bagged = np.array(
        [np.nanmean(predictions[in_bag[:, i] == 0, i], axis=0).argmax() != y[i] for i in range(178)]
    )
    single = (
        table[table["candidate"] == verdict.best]
        .assign(wrong=lambda t: t["truth"] != t["predicted"])
        .groupby("sample")["wrong"].mean()
    )  # fmt: skip
    gain = (single.sort_index().to_numpy() - bagged).mean()
    assert verdict.anatomy.bagging.estimate == pytest.approx(gain, abs=0.012)
    budget = verdict.anatomy.budgets[verdict.best]
    errors = [np.mean(predictions[in_bag[:, i] == 0, i].argmax(axis=1) != y[i]) for i in range(178)]
    assert budget.error == pytest.approx(np.mean(errors), abs=0.01)
    text, basis = (getattr(sentence(verdict, "limits", "Bagging"), n) for n in ("text", "basis"))
    advice = verdict.anatomy.bagging
    nothing = "leave its error about as it is" in text
    assert nothing == (abs(advice.expected) < 0.0005), "what is written as 0.0 points"
    assert nothing or ("lower its error" in text) == (advice.expected > 0)
    assert advice.low < 0 < advice.high
    assert "points higher to" in text
    expected = [100 * abs(one) for one in (advice.expected, 0.8, advice.low, advice.high)]
    assert numbers(text) == pytest.approx(expected[nothing:], abs=0.051)
    answer = "yes" if advice.low > 0.005 else "no" if advice.high < 0.005 else "cannot tell"
    assert advice.answer == answer
    assert "half a point" in text
    assert ("expected to lower" in basis) == (advice.expected > 0), "one sign in text and basis"


def test_points_of_the_learning_curve(judged):
    verdict, _, _, (sizes, losses), _, _ = judged
    forecast = verdict.anatomy.forecast
    np.testing.assert_allclose(forecast.errors, losses.mean(axis=1))
    np.testing.assert_allclose(forecast.sizes, sizes)
    assert sizes[-1] == pytest.approx(178 * 4 / 5, abs=1)
    text, basis = (getattr(sentence(verdict, "limits", "Twice"), n) for n in ("text", "basis"))
    assert numbers(text)[0] == pytest.approx(100 * forecast.gains[0, 1], abs=0.051)
    now, later = (
        float(re.search(words, basis)[1])
        for words in (r"178 cases, ([\d.]+) by the fitted", r"an error of ([\d.]+) ")
    )
    assert numbers(text)[0] == pytest.approx(100 * (now - later), abs=0.1)


def test_confusion_is_scikit_learns(judged):
    verdict, table = judged[0], judged[1]
    own = table[table["candidate"] == verdict.best]
    expected = np.mean(
        [
            confusion_matrix(part["truth"], part["predicted"])
            for _, part in own.groupby("repetition")
        ],
        axis=0,
    )
    np.testing.assert_allclose(verdict.confusion.counts, expected)


def test_combining_starts_from_the_areas_of_single_candidates(judged):
    verdict, table = judged[0], judged[1]
    own = table[table["candidate"] == "LDA"].sort_values(["repetition", "sample"])
    areas = []
    for a, b in [("0", "1"), ("0", "2"), ("1", "2")]:
        part = own[own["truth"].isin([a, b])]
        score = part[f"p:{b}"] / (part[f"p:{a}"] + part[f"p:{b}"])
        by_repetition = score.groupby(part["repetition"])
        areas.append(
            np.mean([roc_auc_score(part.loc[s.index, "truth"] == b, s) for _, s in by_repetition])
        )
    advice = verdict.combination
    row = advice.names.index("LDA")
    assert advice.aucs[row] == pytest.approx(np.mean(areas), abs=0.01)
    assert advice.over == verdict.best
    own = advice.aucs[advice.names.index(verdict.best)]
    assert advice.difference == pytest.approx(advice.auc - own, abs=1e-12)
    said = numbers(sentence(verdict, "combining").text.split(". Of the single")[0])
    expected = [100 * advice.difference, 80, *(100 * end for end in advice.interval)]
    assert said[:4] == pytest.approx(expected, abs=0.051)


def test_price_is_the_mean_of_the_clocks(judged):
    verdict, trials = judged[0], judged[4]
    own = trials[(trials["candidate"] == "LDA") & (trials["plan"] == "5x5 folds")]
    assert verdict.candidate("LDA").fit_seconds == pytest.approx(own["fit_seconds"].mean())
    rivals = len(verdict.anatomy.budgets) - 1
    assert verdict.timings.n_fits - 10 == len(trials) == 4 * 25 + 70 + 25 * rivals
    spent = trials["fit_seconds"].sum() + trials["predict_seconds"].sum()
    assert verdict.timings.seconds > spent


def test_gate_is_the_one_sided_test(judged, rows):
    verdict = judged[0]
    challenger = next(n for n in verdict.ordering.ordered_names if n != "tree")
    mean, scale, df = difference(rows[NAMES.index(challenger)], rows[NAMES.index("tree")])
    assert verdict.gate.challenger == challenger
    assert verdict.gate.pvalue == pytest.approx(stats.t.sf(mean / scale, df))
    assert verdict.gate.passed == (verdict.gate.pvalue > 0.05)


def test_multitests_rule_on_these_folds(judged, folds):
    level = 0.05 / 6
    overridden = np.zeros((4, 4), dtype=bool)
    for i, j in zip(*np.triu_indices(4, 1), strict=True):
        d = folds[i] - folds[j]
        t = d.mean() / (d.std(ddof=1) * np.sqrt(1 / 25 + 1 / 4))
        overridden[i, j] = stats.t.sf(t, 24) <= level
    best = next(i for i in range(4) if not overridden[i].any())
    assert judged[0].other_rule.best == NAMES[best]


def test_what_would_decide(judged, rows):
    found = judged[0].undecided
    if found is None:
        pytest.skip("everything that matters is decided on this data")
    first, second = sorted((NAMES.index(judged[0].best), NAMES.index(found.rival)))
    low, high = interval(rows[first], rows[second])
    assert low < 0.01 < high
    assert found.margin_needed == pytest.approx(high)
