"""How often is ``would_bagging_help`` right? Truth from left-out cases of real data sets.

For each data set, learner, size n and draw: n cases are drawn, the advice is taken from their
cross-validation and bootstrap fits alone, and the classifier fitted to all n cases and the bagged
one are both tried on cases left out. ``python benchmarks/bagging_advice.py --data DIR`` adds to
docs/results/bagging_advice.csv (rows are cases) the cases that are not in it, and writes .md and
.svg; without ``--data`` the last two are made anew from the first.

The rule was made on draws 0 to 2 of the data sets in ``SETS``. Its other draws, and the data sets
in ``NEW_SETS``, were drawn afterwards and looked at once.
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from advice_pages import make_page
from polychotomy.core.advice import answer_question
from polychotomy.decomposition import decompose_predictions, would_bagging_help
from polychotomy.decomposition.accumulation import share_interval
from polychotomy.decomposition.bagging_advice import combine_with_prior

SETS = (
    "abalone", "car", "letter", "nursery", "optdigits", "pendigits", "sat", "segment", "spambase",
    "wave", "wave40", "yeast",
)  # fmt: skip
NEW_SETS = ("cmc", "mushroom", "pima", "shuttle", "usps", "vehicle")
SEEN_DRAWS = 3  # of SETS
LEARNERS = {
    "tree": DecisionTreeClassifier(),
    "stump": DecisionTreeClassifier(max_depth=2),
    "1-nn": KNeighborsClassifier(1),
    "5-nn": KNeighborsClassifier(5),
    "lda": LinearDiscriminantAnalysis(),
    "bayes": GaussianNB(var_smoothing=1e-3),
    "logistic": LogisticRegression(max_iter=200),
}
SIZES = (150, 400)
BAGS = 100
REPETITIONS = 2
TEST = 3000
GAIN = 0.005
Z = 1.2815516  # 90 % at each end


def load(folder: Path, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Features as numbers, categories as indicators; rare classes joined into one."""
    table = pd.read_csv(folder / f"{name}.csv.gz")
    y = table.pop("class").astype(str)
    counts = y.value_counts()
    y = y.where(y.map(counts) >= max(20, 0.03 * len(y)), "rare")
    X = pd.get_dummies(table, drop_first=True).to_numpy(dtype=float)
    return X, np.unique(y, return_inverse=True)[1]


def predict(learner, X, k):
    """Probabilities with a column for each of k classes."""
    found = np.zeros((len(X), k))
    found[:, learner.classes_] = learner.predict_proba(X)
    return found


def cross_validate(learner, X, y, k, seed):
    found = np.full((REPETITIONS, len(y), k), np.nan)
    for repetition in range(REPETITIONS):
        plan = StratifiedKFold(10, shuffle=True, random_state=seed + repetition)
        for train, test in plan.split(X, y):
            found[repetition, test] = predict(learner.fit(X[train], y[train]), X[test], k)
    return found


def try_case(X, y, learner, n, seed):
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(y))
    inside, outside = order[:n], order[n : n + TEST]
    X, k = StandardScaler().fit(X[inside]).transform(X), y.max() + 1
    Xi, yi, Xo, yo = X[inside], y[inside], X[outside], y[outside]
    folds = cross_validate(learner, Xi, yi, k, seed)
    bags, counts = np.zeros((BAGS, n, k)), np.zeros((BAGS, n), dtype=int)
    total = np.zeros((len(yo), k))
    for bag in range(BAGS):
        rows = rng.integers(0, n, n)
        counts[bag] = np.bincount(rows, minlength=n)
        learner.fit(Xi[rows], yi[rows])
        bags[bag] = predict(learner, Xi, k)
        total += predict(learner, Xo, k)
    single = predict(learner.fit(Xi, yi), Xo, k)
    gains = 1.0 * (single.argmax(1) != yo) - (total.argmax(1) != yo)
    budget = decompose_predictions(bags, counts, yi)
    advice = would_bagging_help(folds, budget.aggregated, yi)
    return {
        "answer": advice.answer,
        "estimate": advice.estimate,
        "standard_error": advice.standard_error,
        "disagreement": advice.disagreement,
        "expected": advice.expected,
        "low": advice.low,
        "high": advice.high,
        "cross_validated_error": advice.cross_validated_error,
        "bagged_error": advice.bagged_error,
        "aggregation_effect": budget.aggregation_effect,
        "true_single_error": float((single.argmax(1) != yo).mean()),
        "true_gain": float(gains.mean()),
        "true_gain_error": float(gains.std(ddof=1) / np.sqrt(len(gains))),
    }


def run(folder: Path, draws: int, stored: Path) -> None:
    """Add the cases that are not stored yet, data set by data set."""
    warnings.simplefilter("ignore")
    known = pd.read_csv(stored) if stored.exists() else pd.DataFrame(columns=["data", "draw"])
    done = set(zip(known["data"], known["draw"], strict=True))
    for draw in range(draws):
        for name in SETS + NEW_SETS:
            if (name, draw) in done:
                continue
            X, y = load(folder, name)
            rows = [
                {"data": name, "learner": label, "n": n, "draw": draw}
                | try_case(X, y, learner, n, 1000 * draw + n)
                for n in SIZES
                for label, learner in LEARNERS.items()
            ]
            known = pd.concat([known, pd.DataFrame(rows)], ignore_index=True)
            known.to_csv(stored, index=False, float_format="%.6g")
            print(draw, name, file=sys.stderr, flush=True)


def answer_again(cases: pd.DataFrame) -> pd.DataFrame:
    """Answers of the rule as it is now, from the stored estimates and disagreements."""
    rows = []
    for case in cases.itertuples():
        expected, deviation = combine_with_prior(
            case.estimate, case.standard_error, case.disagreement
        )
        low = min(case.estimate - Z * case.standard_error, expected - Z * deviation)
        high = max(case.estimate, expected + Z * deviation)
        rows.append([answer_question(low, high, GAIN), expected, low, high])
    names = ["answer", "expected", "low", "high"]
    return cases.assign(**dict(zip(names, zip(*rows, strict=True), strict=True)))


def share(part: pd.Series) -> str:
    """Share of true values with its Wilson interval."""
    n = len(part)
    if n == 0:
        return "–"
    low, high = share_interval(part.to_numpy(dtype=float))
    return f"{part.mean():.0%} of {n} ({low:.0%} to {high:.0%})"


def report(cases: pd.DataFrame) -> str:
    """Count right answers. A truth within its own noise of the half point cannot be scored well."""
    helps, draws = cases["true_gain"] > GAIN, cases["draw"].nunique()
    lines = [
        "# Would bagging help? How often the answer is right",
        "",
        f"`python benchmarks/bagging_advice.py --data DIR --draws {draws}` repeats this. "
        f"{len(cases)} cases: {cases['data'].nunique()} data sets, {cases['learner'].nunique()} "
        f"learners, n = {', '.join(map(str, SIZES))}, up to {draws} draws; {BAGS} "
        f"bootstrap fits, {REPETITIONS} × 10-fold cross-validation; truth on up to {TEST} cases "
        f"left out, known to ± {cases['true_gain_error'].median():.4f} (median). Help: a gain "
        f"above {GAIN}.",
        "",
        f"Bagging truly helps in {helps.mean():.0%} of the cases, and costs as much in "
        f"{(cases['true_gain'] < -GAIN).mean():.0%}.",
        "",
        "| cases | says yes | and is right | says no | and is right | cannot tell |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    seen = cases["data"].isin(SETS) & (cases["draw"] < SEEN_DRAWS)
    unseen = cases[~seen]
    parts = {
        "the rule was made on": cases[seen],
        "**not seen by the rule**": unseen,
        "– new draws of the same data sets": unseen[unseen["data"].isin(SETS)],
        "– data sets never seen": unseen[unseen["data"].isin(NEW_SETS)],
    }
    parts |= {f"– n = {n}": unseen[unseen["n"] == n] for n in SIZES}
    parts |= {f"– {name}": group for name, group in unseen.groupby("learner")}
    for name, part in parts.items():
        if part.empty:
            continue
        yes, no, gain = part["answer"] == "yes", part["answer"] == "no", part["true_gain"]
        lines.append(
            f"| {name} | {yes.mean():.0%} | {share(gain[yes] > GAIN)} | {no.mean():.0%} "
            f"| {share(gain[no] <= GAIN)} | {(~yes & ~no).mean():.0%} |"
        )
    return (
        "\n".join([*lines, "", *estimates(unseen), "", "![estimates](bagging_advice.svg)"]) + "\n"
    )


def estimates(cases: pd.DataFrame) -> list[str]:
    lines = [
        "On what the rule has not seen:",
        "",
        "| estimate of the gain | bias | correlation with truth | says more than half a point |",
        "| --- | --- | --- | --- |",
    ]
    names = {
        "estimate": "cross-validated minus out-of-bag",
        "expected": "the same, weighed with what bagging did elsewhere",
        "aggregation_effect": "T96's AE (30)",
    }
    for column, name in names.items():
        off, r = cases[column] - cases["true_gain"], cases[column].corr(cases["true_gain"])
        lines.append(
            f"| {name} | {off.mean():+.4f} ± {off.std() / np.sqrt(len(off)):.4f} | {r:.2f} | "
            f"{(cases[column] > GAIN).mean():.0%} |"
        )
    off = cases["estimate"] - cases["true_gain"]
    said = np.hypot(cases["standard_error"], cases["true_gain_error"])
    noise = Z * cases["true_gain_error"]
    inside = (
        cases["true_gain"] >= cases["expected"] - np.hypot(cases["expected"] - cases["low"], noise)
    ) & (
        cases["true_gain"] <= cases["expected"] + np.hypot(cases["high"] - cases["expected"], noise)
    )
    lines += [
        "",
        f"The errors of the first are {np.sqrt((off**2).mean() / (said**2).mean()):.2f} times "
        "what its standard error says. The intervals that the answers are read from, 80 % meant "
        f"and widened by the noise of the truth, hold in {inside.mean():.0%}.",
    ]
    return lines


def draw(cases: pd.DataFrame, path: Path) -> None:
    import matplotlib.pyplot as plt

    fig, axes = plt.subplots(1, 2, figsize=(9, 4.2), sharey=True, layout="constrained")
    colours = {"yes": "#009E73", "no": "#D55E00", "cannot tell": "#999999"}
    for ax, column, title in zip(
        axes,
        ("expected", "aggregation_effect"),
        ("expected gain", "T96's aggregation effect"),
        strict=True,
    ):
        for answer, colour in colours.items():
            part = cases[cases["answer"] == answer]
            ax.scatter(100 * part[column], 100 * part["true_gain"], s=9, c=colour, label=answer)
        ax.axline((0, 0), slope=1, color="0.7", lw=0.8)
        ax.axhline(100 * GAIN, color="0.7", lw=0.8, ls="--")
        ax.set_xlabel(f"{title}, points")
    axes[0].set_ylabel("true gain from bagging, points")
    axes[0].legend(title="would bagging help?", frameon=False)
    fig.savefig(path)


def main() -> None:
    make_page("bagging_advice", __doc__, run=run, answer=answer_again, report=report, draw=draw)


if __name__ == "__main__":
    main()
