"""YA06: its printed tables beside ours, cell by cell."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

import numpy as np
from scipy.stats import fisher_exact

from polychotomy.core.arrays import Floats, Ints
from polychotomy.core.numbers import counted
from polychotomy.reproduction.cells import (
    Basis,
    Cause,
    Cell,
    Place,
    compare_numbers,
    explains,
    without_ours,
)
from polychotomy.reproduction.printed import read_printed
from polychotomy.reproduction.ya06_selections import SelectionCounts, count_selections

LEARNERS = ("MAX", "NMC", "LGC", "C4.5", "NN")

_SAME = (
    "balance breast bupa car cmc credit cylinder dermatology ecoli flare glass haberman hepatitis "
    "horse iris ionosphere monks mushroom nursery pima segment spambase tictactoe vote wave wine "
    "yeast zoo"
)

DATA_SETS = {name: name for name in _SAME.split()} | {
    "optdigits": "optdigits_tra",
    "pendigits": "pendigits_tra",
}
"""The paper's names, and those of the files: of two sets it used the training part only."""

PRINTED_RUNS = 1000

_LEVEL = 0.05

_LARGEST_SHARE_ERROR = 0.05  # of the runs, with which agreement in Table 2 is still said

_LARGEST_TOTAL_ERROR = 1.0  # percent, likewise in Table 3


SCALES = {"Table 1": 0.5, "Table 3": 1.0}
"""Points; less does not matter in practice. In Table 2 the name matters."""

_OPEN = {
    "MAX": "unexplained; class counts are right, and 1 cell in 20 differs by chance",
    "NMC": "unexplained; all inputs are numbers",
    "LGC": "gradient descent of unknown length; ours is penalised maximum likelihood, C = 1",
    "C4.5": "C4.5 splits by gain ratio and prunes by rules of its own; ours is a binary entropy "
    "tree with reduced-error pruning",
    "NN": "unexplained; all inputs are numbers",
}

_MANY_WAYS = "C4.5 splits categories many ways; ours is a binary tree on 1-of-n inputs"

_CHOSEN = "the paper's features are not known; the folder's are a choice"

_SETS = dict.fromkeys(("cylinder", "horse"), _CHOSEN)

_OF_NUMBERS = (
    "breast bupa ecoli glass haberman iris ionosphere optdigits pendigits pima segment spambase "
    "wave wine yeast"
)
"""Sets without categories."""

_BALANCE_TREE = "its inputs are numbers here; categories in the paper, as LGC's error tells"

READINGS: dict[str, Cause] = {
    "as numbers": "inputs",
    "equal or not": "inputs",
    "no penalty": "learner",
    "300 steps": "learner",
    "gain ratio": "learner",
}
"""Other readings of a learner or of its inputs, and what each would be the cause of."""

_READ = {
    "as numbers": "categories taken as numbers",
    "equal or not": "categories compared as equal or not",
    "no penalty": "no penalty (C = 10,000)",
    "300 steps": "300 steps of gradient descent",
    "gain ratio": "C4.5's own splits",
}


class Reading(NamedTuple):
    """Fold errors (percent) of other readings, by reading, data set and learner."""

    folds: Mapping[tuple[str, str, str], Floats]

    def compare(self, row: Mapping[str, str], score: str) -> dict[str, Cell]:
        """Compare a cell of Table 1 with every reading that was run of it."""
        keys = {reading: (reading, row["data"], row["learner"]) for reading in READINGS}
        return {
            reading: _compare(row, score, self.folds[key])
            for reading, key in keys.items()
            if key in self.folds
        }


def compare_table_1(errors: Floats, rows: Mapping[str, int], reading: Reading) -> list[Cell]:
    """Compare means and deviations (percent) of the fold errors, (data sets, runs, m, 5, 2)."""
    cells = []
    for row in read_printed("ya06_table1"):
        name, learner = row["data"], row["learner"]
        if name not in rows:
            cells += [_missing(row, score) for score in ("mean", "sd")]
            continue
        folds = 100 * errors[rows[name], :, LEARNERS.index(learner)].ravel()
        for score in ("mean", "sd"):
            cell = _compare(row, score, folds)
            cells.append(_compare(row, score, folds, *explain(row, score, reading, cell)))
    return cells


def _missing(row: Mapping[str, str], score: str) -> Cell:
    place = Place(f"Table 1, {score}", row["data"], row["learner"])
    return without_ours(place, printed=float(row[score]), lacks=DATA_SETS[row["data"]], decimals=2)


def _compare(
    row: Mapping[str, str],
    score: str,
    folds: Floats,
    cause: Cause = "unknown",
    basis: Basis = "none",
    why: str = "",
) -> Cell:
    """Compare the mean or the deviation of fold errors (percent)."""
    measure, share = {"mean": (mean_of_folds, 2), "sd": (deviation_of_folds, 5)}[score]
    ours, error = measure(folds)
    sd = float(row["sd"])
    return compare_numbers(
        Place(f"Table 1, {score}", row["data"], row["learner"]),
        printed=float(row[score]),
        printed_error=sd / np.sqrt(10 * PRINTED_RUNS * (1 if score == "mean" else 2)),
        ours=ours,
        ours_error=error,
        decimals=2,
        runs=len(folds) // 10,
        largest_error=sd / share,
        scale=SCALES["Table 1"],
        cause=cause,
        basis=basis,
        why=why,
        note=row["note"],
    )


def explain(
    row: Mapping[str, str], score: str, reading: Reading, ours: Cell
) -> tuple[Cause, Basis, str]:
    """Return why a cell would differ: the kind of reason, what it rests on, and words.

    Shown: a reading that was run gives the printed number, and another one than ours. Where
    readings were run and none does, nothing is claimed; a guess where one agrees for its large
    error, and for LGC where the printed number lies between them: a descent stopped elsewhere may
    give it.
    """
    name, learner = row["data"], row["learner"]
    tried = reading.compare(row, score)
    texts = {which: f"{_READ[which]}: {cell.ours:.2f}" for which, cell in tried.items()}
    for which, cell in tried.items():
        if explains(cell, ours):
            return READINGS[which], "shown", f"{texts[which]}, which agrees"
    for which, cell in tried.items():
        if cell.verdict == "agrees":
            why = f"{texts[which]} ± {cell.ours_error:.2f}, near both"
            return READINGS[which], "guess", why
    found = f"; {', '.join(texts.values())}" if texts else ""
    if learner != "MAX" and name in _SETS:
        return "data", "guess", _SETS[name] + found
    if learner == "C4.5" and not tried:
        if name == "balance":
            return "inputs", "guess", _BALANCE_TREE
        return "learner", "guess", _OPEN[learner] if name in _OF_NUMBERS.split() else _MANY_WAYS
    if learner != "LGC":
        return "unknown", "none", f"unexplained{found}" if found else _OPEN[learner]
    values = [float(cell.ours) for cell in tried.values()]
    is_between = not values or min(values) <= float(row[score]) <= max(values)
    if is_between:
        return "learner", "guess", _OPEN[learner] + found
    return "unknown", "none", f"unexplained{found}"


def mean_of_folds(folds: Floats) -> tuple[float, float]:
    """Mean of fold errors, and its standard error as if the folds were independent.

    The halves of one split are not, which makes the true error a little smaller. The spread of the
    runs' means would be nearer, but in few runs does not see what happens rarely, such as another
    majority in one half.

    Examples
    --------
    >>> [round(value, 4) for value in mean_of_folds(np.array([1.0, 3.0, 3.0, 5.0]))]
    [3.0, 0.7071]
    """
    return float(folds.mean()), float(folds.std() / np.sqrt(len(folds)))


def deviation_of_folds(folds: Floats) -> tuple[float, float]:
    """Return the deviation of fold errors, and its standard error from their fourth moment.

    Examples
    --------
    >>> [round(value, 4) for value in deviation_of_folds(np.array([1.0, 3.0, 1.0, 3.0]))]
    [1.0, 0.3536]
    """
    squares = (folds - folds.mean()) ** 2
    deviation = float(np.sqrt(squares.mean()))
    normal = deviation / np.sqrt(2 * len(folds))
    if deviation == 0:
        return 0.0, 0.0
    return deviation, float(max(normal, squares.std() / (2 * deviation * np.sqrt(len(folds)))))


def compare_table_2(selections: SelectionCounts) -> list[Cell]:
    """Compare who is named most and second most often, and in how many runs, on each set."""
    cells = []
    for row in read_printed("ya06_table2"):
        if not row["learner"]:
            continue  # the paper prints a dash: the first was named always
        place = Place("Table 2", row["data"], f"{row['method']} ({row['place']})")
        printed = f"{row['learner']} ({row['percent']})"
        if row["data"] not in selections.data_sets:
            cells.append(without_ours(place, printed=printed, lacks=DATA_SETS[row["data"]]))
            continue
        counts = selections.counts[
            selections.methods.index(row["method"]), selections.data_sets.index(row["data"])
        ]
        cells.append(_compare_choice(place, row, printed, counts))
    return cells


@cache
def simulate_selections() -> SelectionCounts:
    """Count selections from normal fold errors with the printed means and deviations of Table 1.

    What these give follows from Table 1 without any learner. The folds are independent here; in
    truth the errors of a fold are correlated.
    """
    cells = {(row["data"], row["learner"]): row for row in read_printed("ya06_table1")}
    means, deviations = (
        np.array([[float(cells[name, who][part]) for who in LEARNERS] for name in DATA_SETS]) / 100
        for part in ("mean", "sd")
    )
    places = (slice(None), None, slice(None), None, None)
    shape = (len(DATA_SETS), PRINTED_RUNS, len(LEARNERS), 5, 2)
    errors = np.random.default_rng(0).normal(means[places], deviations[places], shape)
    return count_selections(errors, names=LEARNERS, data_sets=tuple(DATA_SETS))


_SIMULATED = "normal folds with Table 1's printed means and deviations give"


def explain_choice(row: Mapping[str, str]) -> tuple[Basis, str]:
    """Say whether a share of Table 2 follows from the printed Table 1."""
    found = simulate_selections()
    method, name = found.methods.index(row["method"]), found.data_sets.index(row["data"])
    count = int(found.counts[method, name, ("*", *LEARNERS).index(row["learner"])])
    same = chance_of_shares(count, PRINTED_RUNS, float(row["percent"])) >= _LEVEL
    words = f"{_SIMULATED} {count / 10:.0f} %, which {'agrees' if same else 'differs too'}"
    return "shown" if same else "guess", words


def explain_total(row: Mapping[str, str]) -> tuple[Basis, str]:
    """Say whether a total of Table 3 follows from the printed Table 1."""
    found = simulate_selections()
    counts = found.counts[found.methods.index(row["method"])]
    column = ("not found", *LEARNERS).index(row["learner"])
    shares = counts[:, column] / PRINTED_RUNS
    total = 100 * float(shares.mean())
    error = 100 * np.sqrt(2 * (shares * (1 - shares)).sum() / PRINTED_RUNS) / len(shares)
    same = abs(total - float(row["percent"])) <= 2 * error + 0.005
    words = f"{_SIMULATED} {total:.2f} %, which {'agrees' if same else 'differs too'}"
    return "shown" if same else "guess", words


def _compare_choice(place: Place, row: Mapping[str, str], printed: str, counts: Ints) -> Cell:
    labels = ("*", *LEARNERS)
    runs = int(counts.sum())
    order = np.argsort(-counts, kind="stable")
    found = int(order[int(row["place"]) - 1])
    share = 100 * counts[found] / runs
    ours = f"{labels[found]} ({share:.0f})" if counts[found] else "–"
    own = int(counts[labels.index(row["learner"])])
    same = chance_of_shares(own, runs, float(row["percent"])) >= _LEVEL
    few = same and error_of_share(own, runs) > _LARGEST_SHARE_ERROR
    if few:
        why = f"{counted(runs, 'run')} of ours"
    elif same:  # the names need not be in the same places where two shares are nearly equal
        why = ""
    elif counts[found] and labels[found] == row["learner"]:
        why = "the same choice, in another share of the runs"
    else:
        why = f"{row['learner']} in {own} of {runs} runs; the learners differ, see Table 1"
    basis, simulated = (None, "") if same else explain_choice(row)
    return Cell(
        **place._asdict(),
        printed=printed,
        ours=ours,
        verdict="few" if few else "agrees" if same else "differs",
        cause=None if same else "follows",
        basis=basis,
        why="; ".join(text for text in (why, simulated) if text),
    )


def error_of_share(count: int, runs: int) -> float:
    """Return the standard error of a share; half a run is added to what happened and what not.

    Examples
    --------
    >>> round(error_of_share(50, 100), 3), round(error_of_share(0, 100), 3)
    (0.05, 0.007)
    """
    share = (count + 0.5) / (runs + 1)
    return float(np.sqrt(share * (1 - share) / runs))


def chance_of_shares(count: int, runs: int, percent: float) -> float:
    """Fisher's exact p-value that a share printed in whole percent of 1,000 runs is ours too.

    Of all counts that round to the printed percentage the nearest to ours is taken.

    Examples
    --------
    >>> chance_of_shares(20, 20, 100.0), round(chance_of_shares(10, 20, 85.0), 4)
    (1.0, 0.0004)
    """
    nearest = np.clip(PRINTED_RUNS * count / runs, 10 * percent - 5, 10 * percent + 5)
    theirs = int(np.clip(round(float(nearest)), 0, PRINTED_RUNS))
    table = [[count, runs - count], [theirs, PRINTED_RUNS - theirs]]
    return float(fisher_exact(table).pvalue)


def compare_table_3(selections: SelectionCounts) -> list[Cell]:
    """Compare how often each method names each learner on all data sets together, in percent."""
    shares = selections.counts / selections.counts.sum(axis=-1, keepdims=True)  # (methods, sets, 6)
    runs = int(selections.counts[0, 0].sum())
    sets = len(selections.data_sets)
    # The sets are fixed, so only the runs within each of them vary. What never happened in a few
    # runs may yet happen: half a run is added.
    likely = (selections.counts + 0.5 / sets) / (runs + 1 / sets)
    spread = np.sqrt((likely * (1 - likely)).sum(axis=1)) / sets
    labels = ("not found", *LEARNERS)
    cells = []
    for row in read_printed("ya06_table3"):
        i, j = selections.methods.index(row["method"]), labels.index(row["learner"])
        place = Place("Table 3, percent", row["method"], row["learner"])
        if sets < len(DATA_SETS):
            lacks = f"{len(DATA_SETS) - sets} of {len(DATA_SETS)} data sets"
            printed = float(row["percent"])
            cells.append(without_ours(place, printed=printed, lacks=lacks, decimals=2))
            continue
        basis, simulated = explain_total(row)
        cells.append(
            compare_numbers(
                place,
                printed=float(row["percent"]),
                printed_error=100 * float(spread[i, j]) / np.sqrt(PRINTED_RUNS),
                ours=100 * float(shares[i, :, j].mean()),
                ours_error=100 * float(spread[i, j]) / np.sqrt(runs),
                decimals=2,
                runs=runs,
                largest_error=_LARGEST_TOTAL_ERROR,
                scale=SCALES["Table 3"],
                cause="follows",
                basis=basis,
                why=f"the learners differ, see Table 1; {simulated}",
            )
        )
    return cells
