"""Every statement of a verdict beside the truth: one page, from the cache of ``lab_fits.py``.

    python benchmarks/lab.py --cache CACHE

writes docs/results/lab.csv (rows are tables and picks) and lab.md; without a cache, lab.md alone is
made anew. The page has the populations
that are only reported; ``--tuned`` prints the same of those that rules may be tuned on, and writes
nothing.
"""

from __future__ import annotations

import argparse
import warnings
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import stats

from lab_fits import LEARNERS, SIMPLE, SIZES, Table, is_tuned, read_table
from polychotomy.combination import tuned_margin_weights, would_combining_help
from polychotomy.combination.advice import pair_odds, scores_of_odds
from polychotomy.comparison import compare_cases, selected_error
from polychotomy.core.predictions import OutOfFold
from polychotomy.decomposition import learning_curve_forecast, would_bagging_help
from polychotomy.validation import assess_trust
from polychotomy.verdict.case import kind_of
from polychotomy.verdict.conclusions import chooser
from polychotomy.verdict.question import Question
from simulated_pages import table_lines
from stamps import stamps

RESULTS = Path(__file__).parents[1] / "docs" / "results"
RULES = (
    "comparison/selected_error.py", "comparison/paired_t.py", "comparison/pairs.py",
    "validation/trust.py", "validation/recalibration.py", "decomposition/bagging_advice.py",
    "decomposition/learning_curve.py", "combination/advice.py", "combination/tuned_margin.py",
)  # fmt: skip
GAIN = 0.005
Z = float(stats.norm.ppf(0.9))
MOST_PAIRS = 10  # of classes, in the truth of combining


def predictions_of(table: Table) -> OutOfFold:
    k = table.own.shape[-1]
    return OutOfFold(
        names=tuple(table.names.tolist()), classes=tuple(f"{one:02d}" for one in range(k)),
        y=table.y, folds=table.folds[None], predicted=table.own.argmax(axis=-1)[:, None],
        probabilities=table.own[:, None], hard=np.zeros(len(table.own), dtype=bool),
    )  # fmt: skip


def score_table(table: Table, *, whole: bool) -> list[dict[str, object]]:
    """One row for the pick of all candidates, and one for that of the simple ones if another.

    What is said of the choice itself, which takes longer, is in the first, where ``whole``.
    """
    wrong = (table.own.argmax(axis=-1) != table.y).astype(float)
    guessing = 1 - np.bincount(table.y).max() / len(table.y)
    question = Question(guessing=guessing)
    rows, seen = [], set()
    for some in (len(wrong), SIMPLE):
        answers = np.array(
            compare_cases(wrong[:some], margin=question.smallest_difference).answers, dtype=object
        )
        choose = chooser(question, beaten=np.triu(answers == "worse"))
        best = int(choose(wrong[None, :some])[0])
        beats_guessing = wrong[best].mean() < guessing - question.smallest_difference
        if best in seen or best not in table.picks or not beats_guessing:
            continue
        seen.add(best)
        row = {"learner": str(table.names[best]), "guessing": guessing, "k": table.own.shape[-1]}
        at = int(np.flatnonzero(table.picks == best)[0])
        row |= bagging(table, best, at) | more_data(table, best, at)
        if whole and some == len(wrong):
            row |= choice(table, wrong, choose, best) | trust(table, best) | combining(table, best)
        rows.append(row)
    return rows


def bagging(table: Table, best: int, at: int) -> dict[str, object]:
    kind = kind_of(LEARNERS[table.names[best]]())
    said = would_bagging_help(table.own[best], table.bagged[at], table.y, kind=kind)
    gains = table.wrong(table.new[best]) - table.wrong(table.bagged_new[at])
    return {
        "kind": kind, "bag": said.answer, "bag_low": said.low, "bag_said": said.expected,
        "bag_high": said.high, "bag_estimate": said.estimate, "bag_error": said.standard_error,
        "bag_share": said.disagreement, "bag_true": gains.mean(),
        "bag_noise": gains.std() / np.sqrt(len(gains)),
    }  # fmt: skip


def more_data(table: Table, best: int, at: int) -> dict[str, object]:
    gains = table.other[at, :, 0] - table.other[at, :, 1]
    if np.isnan(gains).any():
        return {}
    said = learning_curve_forecast(
        table.sizes, table.sized[at].astype(float), n=len(table.y), factors=(2.0,)
    )
    return {
        "more": said.answer, "more_low": said.low, "more_said": said.expected,
        "more_high": said.high, "more_true": gains.mean(),
        "more_noise": gains.std(ddof=1) / np.sqrt(len(gains)),
    }  # fmt: skip


def choice(table: Table, wrong: np.ndarray, choose, best: int) -> dict[str, object]:
    """The error of who is chosen, and who differs from whom."""
    true = table.wrong(table.new).mean(axis=-1)
    said = selected_error(wrong, table.folds, choose=choose, n_replicates=500)
    margin = Question(guessing=1 - np.bincount(table.y).max() / len(table.y)).smallest_difference
    pairs = compare_cases(wrong, margin=margin)
    others = [one for one in range(len(wrong)) if one != best]
    off = true[best] - true[others]
    answers = [pairs.answers[best][one] for one in others]
    different = np.isin(answers, ["better", "worse"])
    sign = np.where(np.array(answers) == "better", -1, 1)
    covered = (pairs.low[best, others] <= off) & (off <= pairs.high[best, others])
    same = np.array(answers) == "equivalent"
    return {
        "error_low": said.low, "error_said": said.expected, "error_high": said.high,
        "error_true": true[best], "regret": true[best] - true.min(),
        "regret_lowest": true[int(wrong.mean(axis=(1, 2)).argmin())] - true.min(),
        "pairs": len(others), "covered": covered.sum(), "different": different.sum(),
        "wrong_sign": (different & (off * sign < 0)).sum(), "equivalent": same.sum(),
        "not_equivalent": (same & (abs(off) > margin)).sum(),
        "large": (abs(off) > 0.03).sum(), "large_seen": (different & (abs(off) > 0.03)).sum(),
    }  # fmt: skip


def trust(table: Table, best: int) -> dict[str, object]:
    """Confidence less accuracy, and whether the recalibration that is advised lowers log loss."""
    said = assess_trust(predictions_of(table), best, n_simulations=199)
    new, p = table.new[best].astype(float), table.truth.astype(float)
    right = 1 - table.wrong(new).mean()
    gap = new.max(axis=1).mean() - right
    row = {
        "trust": said.finding, "trust_reach": said.resolution, "trust_true": gap,
        "recalibrated": said.recalibration.chosen != "none",
    }  # fmt: skip
    if row["recalibrated"]:
        better = said.recalibration.calibrator.apply(new)
        losses = [-(p * np.log(np.clip(one, 1e-6, 1))).sum(axis=1).mean() for one in (new, better)]
        row["recalibration_gain"] = losses[0] - losses[1]
    return row


def weighted_auc(scores: np.ndarray, up: np.ndarray, down: np.ndarray) -> float:
    """Chance that a case of one class is ranked above one of the other; ties are halved."""
    _, rank = np.unique(scores, return_inverse=True)
    ups, downs = np.bincount(rank, up), np.bincount(rank, down)
    return float(ups @ (downs.cumsum() - downs / 2) / (up.sum() * down.sum()))


def combining(table: Table, best: int) -> dict[str, object]:
    """What is said, and the true AUC of the combination, its rivals and the pick."""
    k = table.own.shape[-1]
    said = would_combining_help(predictions_of(table), over=str(table.names[best]))
    pairs = [
        pair
        for pair in combinations(range(k), 2)
        if min((table.y == one).sum() for one in pair) >= 3
        and min(table.truth[:, one].sum() for one in pair) >= 5
    ][:MOST_PAIRS]
    areas = []
    for pair in pairs:
        rows = np.isin(table.y, pair)
        learn = scores_of_odds(pair_odds(table.own[:, 0][:, rows], pair))
        positive = table.y[rows] == pair[1]
        new = scores_of_odds(pair_odds(table.new, pair))
        weights = [
            tuned_margin_weights(learn, positive, settings=some).weights for some in _settings(k)
        ]
        truth = table.truth[:, pair[1]].astype(float), table.truth[:, pair[0]].astype(float)
        scores = [new[:, best], new.mean(axis=1), *(new @ one for one in weights)]
        areas.append([weighted_auc(one, *truth) for one in scores])
    if not areas:
        return {}
    alone, average, offered, *rivals = np.mean(areas, axis=0)
    return {
        "combine": said.answer, "combine_low": said.low, "combine_said": said.difference,
        "combine_high": said.high, "combine_true": offered - alone, "average": average - alone,
        "rivals": max(average, *rivals) - alone,
    }  # fmt: skip


def _settings(k: int) -> list[tuple]:
    """What is offered, then each of its settings alone."""
    from polychotomy.combination.tuned_margin import SETTINGS

    some = SETTINGS if k == 2 else tuple(one for one in SETTINGS if one[0] <= 1)
    return [some, *((one,) for one in some if np.isfinite(one[1]))]


def score(cache: Path, *, tuned: bool) -> pd.DataFrame:
    rows = []
    for path in sorted(cache.glob("*.npz")):
        name, n, number = path.stem.rsplit("-", 2)
        name = name.replace("_", " ")
        if is_tuned(name) == tuned:
            key = {"population": name, "n": int(n), "number": int(number)}
            rows += [key | row for row in score_table(read_table(path), whole=number == "0")]
    return pd.DataFrame(rows)


# --- the page ------------------------------------------------------------------------------------


def share(right: pd.Series) -> str:
    if not len(right):
        return "–"
    interval = stats.binomtest(int(right.sum()), len(right)).proportion_ci(method="wilson")
    return f"{right.mean():.0%} of {len(right)} ({interval.low:.0%} to {interval.high:.0%})"


def holds(frame: pd.DataFrame, what: str) -> pd.Series:
    """Whether intervals of 80 % hold the truth, each side widened by the noise of the truth."""
    said, noise = frame[f"{what}_said"], Z * frame[f"{what}_noise"]
    off = frame[f"{what}_true"] - said
    below = np.hypot(said - frame[f"{what}_low"], noise)
    above = np.hypot(frame[f"{what}_high"] - said, noise)
    return (-below <= off) & (off <= above)


def advice_row(label: str, frame: pd.DataFrame, what: str, promise: str) -> list[str]:
    """Statement, promise, yes, no, cannot tell, and how good the numbers are."""
    frame = frame[frame[what].notna()]
    yes, no, helps = frame[what] == "yes", frame[what] == "no", frame[f"{what}_true"] > GAIN
    r = frame[f"{what}_said"].corr(frame[f"{what}_true"])
    numbers = f"correlation of said and true {r:.2f}"
    if f"{what}_noise" in frame:
        numbers = f"80 % interval holds in {holds(frame, what).mean():.0%}; {numbers}"
    else:
        inside = frame[f"{what}_true"].between(frame[f"{what}_low"], frame[f"{what}_high"])
        numbers = f"95 % interval holds in {inside.mean():.0%}; {numbers}"
    return [
        label, promise, f"yes: {share(helps[yes])}; no: {share(~helps[no])}",
        f"{(~yes & ~no).mean():.0%}", f"{numbers}; truly so in {helps.mean():.0%}",
    ]  # fmt: skip


def rows_of(frame: pd.DataFrame) -> list[list[str]]:
    whole = frame[frame["error_true"].notna()]
    inside = whole["error_true"].between(whole["error_low"], whole["error_high"])
    off = 100 * (whole["error_said"] - whole["error_true"])
    total = whole[["pairs", "covered", "different", "wrong_sign", "equivalent", "not_equivalent",
                   "large", "large_seen"]].sum()  # fmt: skip
    sure = whole[whole["trust"] == "no sign against them"]
    gains = whole.loc[whole["recalibrated"] == True, "recalibration_gain"]  # noqa: E712
    combined = whole[whole["combine"].notna()]
    against = 100 * (combined["combine_true"] - combined["average"])
    behind = 100 * (combined["rivals"] - combined["combine_true"])
    return [
        ["the error of who is chosen, with its interval", "95 % hold; bias within 0.3 points",
         f"holds in {share(inside)}", "–",
         f"bias {off.mean():+.2f} ± {off.sem():.2f} points, RMSE {np.sqrt((off**2).mean()):.2f}"],
        ["who is chosen costs little", "0.1 points beyond the lowest mean",
         f"{100 * (whole['regret'] - whole['regret_lowest']).mean():+.2f} points beyond", "–",
         f"{100 * whole['regret'].mean():.2f} points beyond the truly best"],
        ["better or worse than another", "wrong sign in at most 2.5 %; intervals of 95 % hold",
         f"wrong sign in {total['wrong_sign']:.0f} of {total['different']:.0f}; intervals hold in "
         f"{total['covered'] / total['pairs']:.1%} of {total['pairs']:.0f}",
         f"{1 - (total['different'] + total['equivalent']) / total['pairs']:.0%}",
         f"of true differences above 3 points {total['large_seen'] / total['large']:.0%} are seen"],
        ["equivalent", "wrong in at most 5 %",
         f"truly apart in {total['not_equivalent']:.0f} of {total['equivalent']:.0f}", "–", ""],
        ["its probabilities can be trusted", "to the resolution that is said, 95 %",
         f"within it in {share(sure['trust_true'].abs() <= sure['trust_reach'])}",
         "–", f"said in {len(sure) / len(whole):.0%}"],
        ["recalibration corrects them", "log loss falls", f"falls in {share(gains > 0)}", "–", ""],
        advice_row("bagging", frame, "bag", "yes and no each right in 90 %"),
        advice_row("more data (twice)", frame, "more", "intervals of 80 % hold; correlation 0.6"),
        advice_row("combining", combined, "combine", "yes and no each right in 90 %"),
        ["the combination offered", "0.2 points below the plain average at worst, 0.1 below the "
         "best of its settings", f"{against.mean():+.2f} points against the plain average (worst "
         f"{against.min():+.2f})", "–", f"{behind.mean():.2f} points behind the best one, which "
         "only the truth tells"],
    ]  # fmt: skip


def page(frame: pd.DataFrame) -> str:
    head = ["what is said", "promise", "measured", "cannot tell", "besides"]
    kinds = [
        [str(kind), str(len(some)), *advice_row("", some, "bag", "")[2:4],
         f"{100 * some['bag_true'].mean():+.2f}"]
        for kind, some in frame.groupby("kind")
    ]  # fmt: skip
    sizes = [
        [f"n = {n}", *advice_row("", some, what, "")[2:]]
        for what in ("bag", "more")
        for n, some in frame.groupby("n")
    ]
    more = frame[frame["more"].notna()]
    return TEXT.format(
        stamps=stamps(RULES), tables=frame.groupby(["population", "n", "number"]).ngroups,
        populations=frame["population"].nunique(), sizes=" and ".join(map(str, SIZES)),
        picks=len(frame), rows=table_lines(head, rows_of(frame)),
        kinds=table_lines(["kind", "picks", "answers right", "cannot tell", "mean true gain, "
                           "points"], kinds),
        by_size=table_lines(["", "answers right", "cannot tell", "besides"], sizes),
        always=f"{(more['more_true'] > GAIN).mean():.0%}",
        unsure=share(more.loc[more["more"] == "cannot tell", "more_true"] > GAIN),
    )  # fmt: skip


TEXT = """{stamps}

# The lab: every statement of a verdict beside the truth

```
python benchmarks/lab_fits.py --data DIR --cache CACHE
python benchmarks/lab.py --cache CACHE
```

{tables} tables of {sizes} rows from {populations} populations (generators with interactions, noise,
imbalance, categories, up to 28 classes; large data sets), none of which a rule was tuned on. Seven
candidates are cross-validated twice in five folds and chosen from as `judge` does; a second pick is
that of the four simple ones alone ({picks} picks in all; where guessing is as good there is none;
all but bagging and more data was asked of the first table of each population and size).
The truth is known from the generator, or from up to 3,000 cases left out. The first lines of this
page's source name the modules that it has measured, and a test fails where one has changed since.

{rows}

Not met by the columns "measured" and "cannot tell": "yes" to bagging was meant
to be right in 90 %, with "cannot tell" in at most 40 %; the forecast for more data to correlate by
0.6; combining to be undecided in at most half of the tables. A difference is judged against the
refits on this very table, whose luck no test of learners knows: its sign is then wrong more often
than for the learners themselves.

## Bagging, by kind of learner

Truth: the error of the pick refitted on this table, less that of 50 bagged ones. Help is more than
half a point.

{kinds}

## By size: bagging, then twice the data

{by_size}

Whoever always says that twice the data help is right in {always}; where the answer is "cannot
tell", more data help in {unsure}. What the forecast adds is by how much.
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--tuned", action="store_true")
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    stored = RESULTS / "lab.csv"
    frame = score(asked.cache, tuned=asked.tuned) if asked.cache else pd.read_csv(stored)
    if asked.tuned:
        print(page(frame))
        return
    frame.to_csv(stored, index=False, float_format="%.5g")
    (RESULTS / "lab.md").write_text(page(frame), encoding="utf-8")


if __name__ == "__main__":
    main()
