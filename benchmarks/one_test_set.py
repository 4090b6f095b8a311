"""How often two equal models are called different on one test set, by our rule and by another.

::

    python -m benchmarks.one_test_set

writes docs/results/one_test_set.md in ten minutes on one core. Right and wrong are drawn for two
models whose true errors are equal (or differ by five points, for the power), so that every
difference shown in the first case is a false one. Compared are McNemar's test in its mid-p form,
the t test over groups, and what lm-evaluation-harness leaves to its reader: the difference over the
root of the sum of both squared standard errors, as if the models had answered different cases.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
from benchmarks.stamps import stamps
from scipy.stats import fisher_exact, rankdata

from polychotomy.comparison import (
    Criterion,
    case_t_test,
    corrected_t_test,
    league_strengths,
    mcnemar_test,
    rank_sets,
)
from polychotomy.comparison.measures import MEASURES, measure_losses
from polychotomy.core.predictions import OutOfFold
from polychotomy.verdict import find_weak_slice

MEASURED = (
    "comparison/mcnemar.py", "comparison/measures.py", "comparison/paired_t.py",
    "comparison/rank_sets.py", "verdict/by_group.py",
)  # fmt: skip
SIZES = (50, 200, 1000, 2000)
DRAWS, BATCH = 10_000, 500
ERROR, GAP, GROUP = 0.25, 0.05, 5
PAGE = Path(__file__).parents[1] / "docs/results/one_test_set.md"

Draw = Callable[[np.random.Generator, int, float], np.ndarray]
"""Of a generator, a number of cases and a gap: (2, draws, cases), who is wrong."""


def independent(rng: np.random.Generator, n: int, gap: float) -> np.ndarray:
    """Cases are hard or easy alike for both: errors go together, and cases are independent."""
    hard = rng.random((BATCH, n))
    share = 2 * np.array([ERROR + gap, ERROR])[:, None, None]
    return rng.random((2, BATCH, n)) < share * hard


def alike(rng: np.random.Generator, n: int, gap: float) -> np.ndarray:
    """The models give the same answer in 95 of 100 cases, as two versions of one do."""
    wrong = independent(rng, n, gap)
    same = rng.random((BATCH, n)) < 0.95
    wrong[1][same] = wrong[0][same]
    return wrong


def grouped(rng: np.random.Generator, n: int, gap: float) -> np.ndarray:
    """Five cases of one document: what a model errs by is drawn for the document."""
    share = ERROR + gap * np.array([1, 0])[:, None, None]
    of_document = rng.beta(2 * share, 2 * (1 - share), (2, BATCH, n // GROUP))
    return rng.random((2, BATCH, n)) < np.repeat(of_document, GROUP, axis=-1)


def by_mid_p(wrong: np.ndarray) -> np.ndarray:
    """McNemar's test in its mid-p form."""
    return np.asarray(mcnemar_test(*wrong, exact="mid-p").pvalue) < 0.05


def by_groups(wrong: np.ndarray) -> np.ndarray:
    """The t test over groups of five."""
    groups = np.arange(wrong.shape[-1]) // GROUP
    first, second = wrong[..., None, :].astype(float)
    return np.asarray(case_t_test(first, second, groups=groups, as_given=True).pvalue) < 0.05


def by_unpaired_z(wrong: np.ndarray) -> np.ndarray:
    """The difference over both standard errors, as of different cases."""
    variance = wrong.var(axis=-1, ddof=1).sum(axis=0) / wrong.shape[-1]
    difference = np.abs(np.diff(wrong.mean(axis=-1), axis=0)[0])
    return difference > 1.959964 * np.sqrt(variance)


RULES: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "mid-p McNemar": by_mid_p,
    "t test with `--group`": by_groups,
    "unpaired z": by_unpaired_z,
}

SETTINGS: dict[str, tuple[Draw, tuple[str, ...]]] = {
    "independent cases": (independent, ("mid-p McNemar", "unpaired z")),
    "heavy ties: 95 % of answers the same": (alike, ("mid-p McNemar", "unpaired z")),
    "clusters of 5": (grouped, tuple(RULES)),
}


def measure(draw: Draw, rules: tuple[str, ...], n: int, gap: float) -> dict[str, float]:
    """Share of draws in which each rule shows a difference."""
    rng = np.random.default_rng(n)
    shown = dict.fromkeys(rules, 0)
    for _ in range(DRAWS // BATCH):
        wrong = draw(rng, n, gap)
        for name in rules:
            shown[name] += int(RULES[name](wrong).sum())
    return {name: count / DRAWS for name, count in shown.items()}


CLASSES = np.array([0.7, 0.2, 0.1])
MEASURE_DRAWS = 2000


def answers(rng: np.random.Generator, wrong: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Classes of cases, and what models say that are wrong there: any of the other classes."""
    y = rng.choice(len(CLASSES), size=wrong.shape[1:], p=CLASSES)
    other = (y + rng.integers(1, len(CLASSES), size=wrong.shape)) % len(CLASSES)
    return y, np.where(wrong, other, y)


def measure_again(draw: Draw, n: int, name: str, *, by_group: bool) -> float:
    """Share of draws in which a measure of two equal models is shown to differ."""
    rng = np.random.default_rng(n)
    groups = np.arange(n) // GROUP if by_group else None
    shown = 0
    for _ in range(MEASURE_DRAWS // BATCH):
        y, said = answers(rng, draw(rng, n, 0.0))
        first, second = (
            np.stack(
                [measure_losses(name, *one, len(CLASSES)) for one in zip(y, model, strict=True)]
            )
            for model in said
        )
        pair = first[:, None], second[:, None]
        shown += int((case_t_test(*pair, groups=groups, as_given=True).pvalue < 0.05).sum())
    return shown / MEASURE_DRAWS


def measure_rows() -> list[str]:
    """Lines of a table: settings and measures, by the number of cases."""
    lines = [f"| cases | measure | {' | '.join(f'{n:,}' for n in SIZES)} |", "| --- " * 6 + "|"]
    for what, (draw, _) in SETTINGS.items():
        for name in MEASURES:
            shares = [measure_again(draw, n, name, by_group=draw is grouped) for n in SIZES]
            cells = " | ".join(f"{100 * share:.1f} %" for share in shares)
            lines.append(f"| {what} | {name} | {cells} |")
    return lines + recall_rows()


def recall_rows() -> list[str]:
    """Lines of a table: recall at a precision of two equal models, in five parts, by the t test."""
    criterion, parts = Criterion(name="recall-at-precision"), 5
    shares = []
    for n in SIZES:
        rng, shown = np.random.default_rng(n), 0
        for _ in range(MEASURE_DRAWS):
            y = (rng.permutation(n) < 0.3 * n).astype(int)
            scores = 1.5 * y + rng.normal(size=n) + 0.7 * rng.normal(size=(2, n))
            p = 1 / (1 + np.exp(-scores))[:, None, None]
            folds = np.empty(n, dtype=int)
            folds[np.argsort(y, kind="stable")] = np.arange(n) % parts
            made = OutOfFold(
                names=("a", "b"), classes=("no", "yes"), y=y, folds=folds[None, None],
                predicted=(p > 0.5).astype(int), probabilities=np.stack([1 - p, p], axis=-1),
                hard=np.zeros(2, dtype=bool),
            )  # fmt: skip
            first, second = criterion.fold_losses(made).reshape(2, -1)
            shown += bool(corrected_t_test(first, second, test_train_ratio=1e-9).pvalue < 0.05)
        shares.append(shown / MEASURE_DRAWS)
    cells = " | ".join(f"{100 * share:.1f} %" for share in shares)
    return [f"| independent cases | recall-at-precision | {cells} |"]


ANSWERS = 3

Scores = tuple[np.ndarray, np.ndarray]
"""(2, draws, cases) losses of two equal models, and (draws, cases) weights of the cases."""


def scores(noise: Callable[..., np.ndarray], rng: np.random.Generator, n: int) -> Scores:
    """Ratings that share the hardness of their cases, with noise of some kind."""
    return rng.normal(size=(BATCH, n)) + noise(size=(2, BATCH, n)), np.ones((BATCH, n))


def tied_scores(rng: np.random.Generator, n: int) -> Scores:
    """Nine in ten cases are rated alike, the others by whole numbers."""
    other = np.where(rng.random((BATCH, n)) < 0.1, rng.integers(-2, 3, (2, BATCH, n)), 0)
    return rng.integers(1, 6, (BATCH, n)) + other.astype(float), np.ones((BATCH, n))


def clustered_scores(rng: np.random.Generator, n: int) -> Scores:
    """What a model is rated by is drawn for each document of five cases, and for each case."""
    of_document = np.repeat(rng.normal(size=(2, BATCH, n // GROUP)), GROUP, axis=-1)
    return of_document + rng.normal(size=(2, BATCH, n)), np.ones((BATCH, n))


def repeated_scores(rng: np.random.Generator, n: int) -> Scores:
    """The mean of three answers to each case, whose luck the case has in common."""
    answers = rng.normal(size=(2, BATCH, n, ANSWERS)).mean(axis=-1)
    return rng.normal(size=(2, BATCH, n)) + answers, np.ones((BATCH, n))


def nested_scores(rng: np.random.Generator, n: int) -> Scores:
    """Three answers to each case, five cases of each document: luck of all three levels."""
    answers = rng.normal(size=(2, BATCH, n, ANSWERS)).mean(axis=-1)
    return clustered_scores(rng, n)[0] + answers, np.ones((BATCH, n))


def weighted_scores(rng: np.random.Generator, n: int) -> Scores:
    """Weights of a gamma distribution of shape 2, drawn with the cases."""
    return scores(rng.normal, rng, n)[0], rng.gamma(2.0, size=(BATCH, n))


def shown_by_t(found: Scores, groups: np.ndarray | None = None) -> np.ndarray:
    """The t test of a verdict, over cases or groups, of weighted means where weights differ."""
    pair = [OutOfFold.weighted(SimpleNamespace(weights=found[1]), one) for one in found[0]]
    options = {"groups": groups, "as_given": True}
    return np.asarray(case_t_test(pair[0][:, None], pair[1][:, None], **options).pvalue) < 0.05


SCORED: dict[str, Callable[[np.random.Generator, int], Scores]] = {
    "normal": lambda rng, n: scores(rng.normal, rng, n),
    "heavy tails (t, 3 df)": lambda rng, n: scores(partial(rng.standard_t, 3), rng, n),
    "heavy ties: 90 % the same": tied_scores,
    "three answers to each case": repeated_scores,
    "weights": weighted_scores,
    "clusters of 5": clustered_scores,
    "three answers to each case, clusters of 5": nested_scores,
}

SCORE_RULES: dict[str, Callable[[Scores], np.ndarray]] = {
    "t test": shown_by_t,
    "t test with `--group`": lambda one: shown_by_t(one, np.arange(one[1].shape[-1]) // GROUP),
    "unpaired z": lambda one: by_unpaired_z(one[0]),
}


def score_rows() -> list[str]:
    """Lines of a table: kinds of scores and rules, by the number of cases."""
    lines = [f"| scores | rule | {' | '.join(f'{n:,}' for n in SIZES)} |", "| --- " * 6 + "|"]
    for what, draw in SCORED.items():
        own = [name for name in SCORE_RULES if "group" not in name or "clusters" in what]
        own = own[:1] if what == "weights" else own  # the others know of none
        shown = np.zeros((len(own), len(SIZES)))
        for column, n in enumerate(SIZES):
            rng = np.random.default_rng(n)
            for _ in range(DRAWS // BATCH):
                found = draw(rng, n)
                shown[:, column] += [SCORE_RULES[name](found).sum() for name in own]
        for name, row in zip(own, 100 * shown / DRAWS, strict=True):
            lines.append(f"| {what} | {name} | {' | '.join(f'{one:.1f} %' for one in row)} |")
    return lines


LEAGUES = {
    "all alike, 25 %": lambda m: np.full(m, ERROR),
    "all alike, clusters of 5": lambda m: np.full(m, ERROR),
    "all alike, heavy ties: 95 % of answers the same": lambda m: np.full(m, ERROR),
    "two halves, 20 and 30 %": lambda m: np.where(np.arange(m) < m // 2, 0.2, 0.3),
    "graded, 10 to 40 %": lambda m: np.linspace(0.1, 0.4, m),
}
LEAGUE_SIZES = ((10, 50), (10, 200), (10, 1000), (50, 200))
LEAGUE_DRAWS = 1000


def league(rng: np.random.Generator, truth: np.ndarray, n: int, kind: str) -> np.ndarray:
    """Who is wrong, (models, cases): hard cases are hard for all."""
    m = len(truth)
    if "clusters" in kind:  # what a model errs by is drawn for each document
        of_document = rng.beta(2 * truth[:, None], 2 * (1 - truth[:, None]), (m, n // GROUP))
        return rng.random((m, n)) < np.repeat(of_document, GROUP, axis=1)
    wrong = rng.random((m, n)) < 2 * truth[:, None] * rng.random(n)
    if "ties" in kind:
        wrong = np.where(rng.random(n) < 0.95, wrong[0], wrong)
    return wrong


def rank_rows() -> list[str]:
    """Lines of a table: how often all sets of ranks hold the truth, and how large they are."""
    heads = " | ".join(f"{m} on {n:,}" for m, n in LEAGUE_SIZES)
    lines = [f"| true errors | {heads} |", "| --- " * (1 + len(LEAGUE_SIZES)) + "|"]
    for what, truth_of in LEAGUES.items():
        cells = []
        for m, n in LEAGUE_SIZES:
            truth, rng = truth_of(m), np.random.default_rng(m + n)
            first = 1 + (truth[:, None] > truth).sum(axis=1)
            last = m - (truth[:, None] < truth).sum(axis=1)
            held, ranks = 0, 0.0
            for draw in range(LEAGUE_DRAWS):
                wrong = league(rng, truth, n, what)
                groups = np.arange(n) // GROUP if "clusters" in what else None
                found = rank_sets(wrong, groups=groups, n_replicates=500, random_state=draw)
                held += bool(((found.first <= first) & (found.last >= last)).all())
                ranks += float((found.last - found.first + 1).mean())
            cells.append(f"{100 * held / LEAGUE_DRAWS:.1f} % ({ranks / LEAGUE_DRAWS:.1f})")
        lines.append(f"| {what} | {' | '.join(cells)} |")
    return lines


MODELS, FOLDS, PEER_DRAWS = 5, 10, 1000


def by_us(wrong: np.ndarray) -> np.ndarray:
    """Any model that cannot have every rank."""
    found = [rank_sets(one, n_replicates=500) for one in wrong]
    return np.array([(one.last - one.first + 1 < MODELS).any() for one in found])


def by_mcnemar(wrong: np.ndarray) -> np.ndarray:
    """Any pair, each at 5 %, uncorrected."""
    i, j = np.triu_indices(MODELS, 1)
    return (mcnemar_test(wrong[:, i], wrong[:, j], exact="mid-p").pvalue < 0.05).any(axis=1)


def in_folds(wrong: np.ndarray) -> np.ndarray:
    """Errors in ten folds, (draws, models, folds)."""
    return wrong.reshape(*wrong.shape[:2], FOLDS, -1).mean(axis=-1)


def signed_rank(apart: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Exact p-values of Wilcoxon's test, of differences above 0 and of any; zeros are split."""
    folds = apart.shape[-1]
    ranks = np.where(apart == 0, 0.0, rankdata(np.abs(apart), axis=-1))
    signs = (np.arange(2**folds)[:, None] >> np.arange(folds)) & 1
    by_chance = ranks @ signs.T
    found = (ranks * (apart > 0)).sum(axis=-1)[..., None]
    above, below = (by_chance >= found - 1e-9).mean(-1), (by_chance <= found + 1e-9).mean(-1)
    return above, np.minimum(2 * np.minimum(above, below), 1.0)


def by_best_on_folds(wrong: np.ndarray) -> np.ndarray:
    """TabArena: Wilcoxon's test over folds of each against the one that was best on them."""
    errors = in_folds(wrong)
    best = errors.mean(axis=-1).argmin(axis=1)
    apart = errors - errors[np.arange(len(errors)), best][:, None]
    p = signed_rank(apart)[1]
    p[np.arange(len(errors)), best] = 1.0
    return (p < 0.05).any(axis=1)


def by_gap(wrong: np.ndarray) -> np.ndarray:
    """skore's checks: scores that differ by a point and by a twentieth are significant."""
    scores = 1 - wrong.mean(axis=-1)
    low, high = scores.min(axis=1), scores.max(axis=1)
    return high - low >= np.maximum(0.01, 0.05 * low)


def by_pruner(wrong: np.ndarray) -> np.ndarray:
    """Optuna's WilcoxonPruner: after each fold, at 10 %, against the best trial so far."""
    errors = in_folds(wrong)
    best, any_pruned = errors[:, 0].copy(), np.zeros(len(errors), dtype=bool)
    for model in range(1, MODELS):
        pruned = np.zeros(len(errors), dtype=bool)
        for seen in range(2, FOLDS + 1):
            apart = errors[:, model, :seen] - best[:, :seen]
            p = signed_rank(apart)[0]
            pruned |= (p < 0.1) & (errors[:, model, :seen].mean(axis=-1) > best.mean(axis=-1))
        any_pruned |= pruned
        better = ~pruned & (errors[:, model].mean(axis=-1) < best.mean(axis=-1))
        best[better] = errors[better, model]
    return any_pruned


PEERS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "ours: sets of ranks": by_us,
    "mid-p McNemar of each pair, uncorrected": by_mcnemar,
    "lm-evaluation-harness: unpaired z of each pair": lambda wrong: np.any(
        [
            by_unpaired_z(np.stack([wrong[:, i], wrong[:, j]]))
            for i in range(MODELS)
            for j in range(i)
        ],
        axis=0,
    ),
    "TabArena: Wilcoxon over 10 folds against the best on them": by_best_on_folds,
    "skore: a gap of a point and a twentieth": by_gap,
    "Optuna: Wilcoxon pruner over 10 folds": by_pruner,
}


def peer_rows() -> list[str]:
    """Lines of a table: rules, by the number of cases; five models that are equally good."""
    lines = [f"| rule | {' | '.join(f'{n:,}' for n in SIZES)} |", "| --- " * 5 + "|"]
    shown = np.zeros((len(PEERS), len(SIZES)))
    for column, n in enumerate(SIZES):
        rng = np.random.default_rng(n)
        for _ in range(PEER_DRAWS // 100):
            wrong = rng.random((100, MODELS, n)) < 2 * ERROR * rng.random((100, 1, n))
            shown[:, column] += [rule(wrong).sum() for rule in PEERS.values()]
    for name, row in zip(PEERS, 100 * shown / PEER_DRAWS, strict=True):
        lines.append(f"| {name} | {' | '.join(f'{one:.1f} %' for one in row)} |")
    return lines


SLICE_DRAWS = 400
SLICE_SEED = 10_000  # tables of smaller numbers were looked at while the search was written
BASES = (0.01, 0.02, 0.05, 0.1, 0.2)


def slice_table(rng: np.random.Generator, n: int) -> pd.DataFrame:
    """Six columns of numbers, two of three values and two of two."""
    numbers = pd.DataFrame(rng.normal(size=(n, 6)), columns=list("abcdef"))
    three, two = rng.choice(list("xyz"), (n, 2)), rng.choice(list("uv"), (n, 2))
    return numbers.assign(g=three[:, 0], h=three[:, 1], i=two[:, 0], j=two[:, 1])


def among(wrong: np.ndarray, X: pd.DataFrame, there: np.ndarray) -> bool:
    """A search among 22 slices of which one is it, each column's tenths and values: no fewer do."""
    numbers, texts = X.select_dtypes("number"), X.select_dtypes(exclude="number")
    slices = [*((numbers[c] > 1.2816) for c in numbers), *((numbers[c] < -1.2816) for c in numbers)]
    slices += [texts[c] == value for c in texts for value in texts[c].unique()]
    inside = np.array(slices, dtype=float).T
    share, y = inside.mean(axis=0), wrong - wrong.mean()
    dealt = np.array([y, *(np.random.default_rng(i).permutation(y) for i in range(199))])
    largest = dealt @ inside / np.sqrt(share * (1 - share))
    first = np.array_equal(inside[:, largest[0].argmax()], there)
    return bool(first and (largest.max(axis=1) >= largest[0].max() - 1e-9).mean() <= 0.05)


def on_a_half(wrong: np.ndarray, X: pd.DataFrame, there: np.ndarray) -> bool:
    """What a test on the half that was not searched could show if the search were always right."""
    half = np.arange(len(wrong)) % 2 == 0
    return known(wrong[half], there[half])


def known(wrong: np.ndarray, there: np.ndarray) -> bool:
    """Fisher's test, one-sided, of a slice that somebody named beforehand."""
    table = [[(wrong & side).sum(), (~wrong & side).sum()] for side in (there, ~there)]
    return bool(fisher_exact(table, alternative="greater").pvalue <= 0.05)


def slice_rows() -> list[str]:
    """Lines of a table: how often a slice is named where there is none, and where there is one."""
    heads = " | ".join(f"{100 * base:g} %" for base in BASES)
    lines = [f"| 1,000 rows | {heads} |", "| --- " * (1 + len(BASES)) + "|"]
    found: dict[str, list[float]] = {}
    for base in BASES:
        counts: dict[str, int] = {}
        for seed in range(SLICE_DRAWS):
            rng = np.random.default_rng(SLICE_SEED + seed)
            X, draw = slice_table(rng, 1000), rng.random(1000)
            one, two = (
                (X["a"] > 1.2816).to_numpy(),
                ((X["a"] > 0.5244) & (X["g"] == "x")).to_numpy(),
            )
            documents = rng.beta(4 * base, 4 * (1 - base), 200).repeat(5)
            alike = slice_table(rng, 200).loc[np.arange(200).repeat(5)]
            groups = np.arange(1000) // 5
            named = {
                "no slice": find_weak_slice(draw < base, X),
                "no slice, clusters of 5": find_weak_slice(draw < documents, alike, groups=groups),
                "a tenth of the rows, by one column": find_weak_slice(draw < base + 0.1 * one, X),
                "a tenth of the rows, by two columns": find_weak_slice(draw < base + 0.1 * two, X),
            }
            for what, got in named.items():
                right = got and ("no" in what or any(c.startswith("a >") for c in got.conditions))
                counts[what] = counts.get(what, 0) + bool(right)
            wrong = draw < base + 0.1 * one
            name = "the first, by a search among 22 slices, of which it is one"
            counts[name] = counts.get(name, 0) + among(wrong, X, one)
            for what, rule in (("all rows", known), ("half of the rows", on_a_half)):
                name = f"the first, by Fisher's test of {what} if somebody named it beforehand"
                shown = rule(wrong, one) if rule is known else rule(wrong, X, one)
                counts[name] = counts.get(name, 0) + shown
        for what, count in counts.items():
            found.setdefault(what, []).append(100 * count / SLICE_DRAWS)
    for what, shares in found.items():
        lines.append(f"| {what} | {' | '.join(f'{one:.0f} %' for one in shares)} |")
    return lines


STRENGTHS = ((3, 8, 0.5), (5, 10, 0.5), (5, 30, 0.5), (5, 100, 0.5), (10, 20, 0.7), (4, 30, 2.0))


def strength_rows() -> list[str]:
    """Lines of a table: how often an interval of a strength holds the true one."""
    lines = ["| systems | tables | true strengths | held |", "| --- " * 4 + "|"]
    for m, n, spread in STRENGTHS:
        truth, held = np.linspace(-spread, spread, m), 0.0
        for seed in range(LEAGUE_DRAWS):
            # The larger of two Gumbel numbers is the first's with exactly the model's odds.
            noise = np.random.default_rng(seed).gumbel(size=(m, n))
            found = league_strengths(-truth[:, None] - noise)
            held += float(((found.low <= truth) & (truth <= found.high)).mean())
        cells = f"{m} | {n} | −{spread:g} to {spread:g} | {100 * held / LEAGUE_DRAWS:.1f} %"
        lines.append(f"| {cells} |")
    return lines


def rows(gap: float) -> list[str]:
    """Lines of a table: settings and rules, by the number of cases."""
    lines = [f"| cases | rule | {' | '.join(f'{n:,}' for n in SIZES)} |", "| --- " * 6 + "|"]
    for what, (draw, rules) in SETTINGS.items():
        found = [measure(draw, rules, n, gap) for n in SIZES]
        for name in rules:
            shares = " | ".join(f"{100 * one[name]:.1f} %" for one in found)
            lines.append(f"| {what} | {name} | {shares} |")
    return lines


TEXT = """\
{stamps}

# One test set: are differences real?

Two models answer the same cases. Here their true errors are equal, 25 %, so that every difference
shown at 5 % is a false one. Shares of {draws:,} simulated test sets; the standard error of a share
of 5 % is 0.2 points. In clusters, what a model errs by is drawn for each document of five cases.

{false}

“Unpaired z” is the difference over the root of the sum of both squared standard errors, which is
what a table of accuracies with their standard errors, as lm-evaluation-harness prints it, leaves
its reader to compute. It forgets that the cases are the same for both models: where errors go
together it shows too little, and nothing where models are much alike. Where cases come in clusters,
and this is not said, both are wrong four times as often as they claim; `--group` counts clusters.

With few discordant answers mid-p McNemar is careful: at 50 cases of which 95 % are answered alike,
about one differs, and no test can show anything.

## A difference that is there

The same with five points between the true errors (0.25 points where 95 % of the answers are the
same): shares shown. Where a rule shows too many false ones above, its share here is no merit.

{true}

## Measures that are no means

Balanced error, macro-F1, Matthews' correlation and Cohen's kappa depend on the whole confusion
matrix. `--loss macro-f1` and the like compare what each case adds to them to first order
(`measure_losses`), by the t test over cases, with `--group` over clusters. False differences at 5 %
of two models that are equally good, three classes of 70, 20 and 10 % of the cases; shares of
{measure_draws:,} test sets, standard error 0.5 points:

{measures}

Recall at a precision of 90 % is compared by its values in five parts, two classes of 70 and 30 %.

## Scores and weights

Answers that were rated by a number (`--higher-better`, `--lower-better`) are compared by the t test
over cases, with `--group` over clusters; of several answers to one case the mean counts, and a
column `weight` makes the mean a weighted one. Of nested levels (answers, cases, documents) the
highest is what is drawn by chance, and counting it holds the luck of those within. False
differences at 5 % of two models that are equally good; shares of {draws:,} test sets, standard
error 0.2 points:

{scores}

Where nine in ten ratings are the same, about four of 50 cases differ, and the test is careful.

## Ranks of a leaderboard

Of several models on one test set the verdict says who may have rank 1 (`rank_sets`). All sets of
ranks together are to hold the true ranks in 95 % of test sets, models of equal error having all
ranks that they share. Shares of {league_draws:,} simulated leagues, standard error 0.7 points; in
brackets the mean number of ranks in a set:

{ranks}

Strengths by who beats whom (`league_strengths`, Bradley and Terry) have intervals of their own.
Shares of intervals that hold the true strength, of {league_draws:,} leagues each:

{strengths}

## The rules of others, in the same place

Five models that are equally good answer the same cases; a rule fails where it tells any of them
apart. Shares of {peer_draws:,} test sets, standard error at most 1.6 points. The rules are written
down here: skore's as its source states it, the others as they are known, not by calling the tools;
what each of the tools is for is more than this rule.

{peers}

“Ours” holds for all together what it says. lm-evaluation-harness prints a standard error for each
model, from which its reader computes z. TabArena's best is chosen on the folds that then test the
others. skore's checks call a gap of a point and a twentieth of the score significant, whatever the
number of cases. Optuna's pruner looks after every fold, at 10 %; it is to save time, and a pruned
equal is its price.

## Slices of a table

Where a table is judged, slices of one or two columns are searched for in which the best one errs
more (`find_weak_slice`), and the worst is named if it is shown among all; one of two columns, of
which there are far more, must stand out by half a standard deviation more. Ten columns, 1,000 rows;
columns of the table below are the error elsewhere, a planted slice has a tenth of the rows and ten
points more. Shares of {slice_draws} tables, standard error at most 2.5 points, of 5 % 1.1:

{slices}

A slice counts as found if a condition of it is on the column of the planted one, from the same
side. In the last two rows somebody knows the slice and has but to test it, on all rows or on the
half that a search on the other half would leave; in the one before, all that is not known is which
of 22 slices it is: tenths at both ends, and values of the columns. That is about the most that
a search can find which does not know the column: of 5 % elsewhere three in four. Where errors are
many, ten points in a hundred rows are within the luck of the worst of some hundred slices: of 5 %
elsewhere about half of the planted slices are found, of 20 % one in five to ten. About four in five
are found where 1 or 2 % are wrong elsewhere.

Other searches were tried on 400 tables of their own: z or the likelihood ratio, slices of two
columns held back by a quarter of a standard deviation, a half or one, or a level for each depth.
With 5 and 10 % elsewhere they name the slice by one column in 49 to 62 and 29 to 37 %, that by two
in 28 to 46 and 14 to 24 %: what one kind gains the other loses, and the search in use is among
the best for both. Four in five cannot be had where 20 % are wrong elsewhere, even by who knows the
slice and has but to test it on all rows (68 %).

```console
$ python -m benchmarks.one_test_set
$ python -m benchmarks.slice_searches
```
"""


def write() -> None:
    """Write the page."""
    false, true = ("\n".join(rows(gap)) for gap in (0.0, GAP))
    found = {
        "stamps": stamps(MEASURED),
        "draws": DRAWS,
        "measure_draws": MEASURE_DRAWS,
        "false": false,
        "true": true,
    }
    found |= {"scores": "\n".join(score_rows())}
    found |= {"league_draws": LEAGUE_DRAWS, "ranks": "\n".join(rank_rows())}
    found |= {"strengths": "\n".join(strength_rows()), "peer_draws": PEER_DRAWS}
    found |= {"peers": "\n".join(peer_rows()), "slice_draws": SLICE_DRAWS}
    found |= {"slices": "\n".join(slice_rows())}
    PAGE.write_text(TEXT.format(**found, measures="\n".join(measure_rows())), encoding="utf-8")


if __name__ == "__main__":
    write()
