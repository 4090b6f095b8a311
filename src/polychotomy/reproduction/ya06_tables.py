"""YA06: its printed tables beside ours, cell by cell."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from scipy.stats import fisher_exact

from polychotomy.core.arrays import Floats, Ints
from polychotomy.reproduction.blocks import counted
from polychotomy.reproduction.cells import Cause, Cell, Place, compare_numbers, missing_data
from polychotomy.reproduction.printed import read_printed
from polychotomy.reproduction.ya06_selections import SelectionCounts

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


_OPEN = {
    "MAX": "unexplained; class counts are right, and 1 cell in 20 differs by chance",
    "NMC": "unexplained; all inputs are numbers",
    "LGC": "gradient descent of unknown length; ours is penalised maximum likelihood, C = 1",
    "C4.5": "C4.5 splits categories many ways; ours is a binary tree on 1-of-n inputs",
    "NN": "unexplained; all inputs are numbers",
}

_CAUSES: dict[str, Cause] = {"LGC": "learner", "C4.5": "learner"}

_CODED = "categories are 1-of-n inputs here, equal in scale"

_CHOSEN = "the paper's features are not known; the folder's are a choice"

_SETS = dict.fromkeys(("cylinder", "horse"), _CHOSEN)

_INPUTS = {
    ("balance", "LGC"): "its inputs are numbers here; 1-of-n in the paper, to err so little",
    (
        "balance",
        "C4.5",
    ): "its inputs are numbers here; categories in the paper, as LGC's error tells",
}


class Reading(NamedTuple):
    """Fold errors (percent): categories compared as equal or not, and taken as numbers."""

    folds: Mapping[tuple[str, str], Floats]
    numbers: Mapping[tuple[str, str], Floats]

    def compare(self, row: Mapping[str, str], score: str) -> Cell | None:
        """Compare a cell of Table 1; None where there are no categories or no runs."""
        folds = self.folds.get((row["data"], row["learner"]))
        return None if folds is None else _compare(row, score, folds)

    def compare_as_numbers(self, row: Mapping[str, str], score: str) -> Cell | None:
        """Compare it with categories taken as numbers; None where that was not run."""
        folds = self.numbers.get((row["data"], row["learner"]))
        return None if folds is None else _compare(row, score, folds)


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
            cause, why = _cause(row, score, reading)
            cells.append(_compare(row, score, folds, cause, why))
    return cells


def _missing(row: Mapping[str, str], score: str) -> Cell:
    place = Place(f"Table 1, {score}", row["data"], row["learner"])
    return missing_data(place, printed=float(row[score]), name=DATA_SETS[row["data"]], decimals=2)


def _compare(
    row: Mapping[str, str], score: str, folds: Floats, cause: Cause = "unknown", why: str = ""
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
        cause=cause,
        why=why,
        note=row["note"],
    )


def _cause(row: Mapping[str, str], score: str, reading: Reading) -> tuple[Cause, str]:
    """Return why a cell would differ: the kind of reason, and words."""
    name, learner = row["data"], row["learner"]
    if learner != "MAX" and name in _SETS:
        return "data", _SETS[name]
    if (name, learner) in _INPUTS:
        return "inputs", _INPUTS[name, learner]
    readings = {
        "taken as numbers": reading.compare_as_numbers(row, score),
        "compared as equal or not": reading.compare(row, score),
    }
    for words, other in readings.items():
        if other is not None:
            return (
                "inputs",
                f"{_CODED}; {words} they give {other.ours:.2f}, {_SAME_AS[other.verdict]}",
            )
    return _CAUSES.get(learner, "unknown"), _OPEN[learner]


_SAME_AS = {"agrees": "which agrees", "differs": "which differs too", "few": "in too few runs"}


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
            cells.append(missing_data(place, printed=printed, name=DATA_SETS[row["data"]]))
            continue
        counts = selections.counts[
            selections.methods.index(row["method"]), selections.data_sets.index(row["data"])
        ]
        cells.append(_compare_choice(place, row, printed, counts))
    return cells


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
    return Cell(
        **place._asdict(),
        printed=printed,
        ours=ours,
        verdict="few" if few else "agrees" if same else "differs",
        cause=None if same else "follows",
        why=why,
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
            cells.append(_incomplete(place, float(row["percent"]), sets))
            continue
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
                cause="follows",
                why="the learners differ, see Table 1",
            )
        )
    return cells


def _incomplete(place: Place, printed: float, sets: int) -> Cell:
    return Cell(
        **place._asdict(),
        printed=printed,
        ours=float("nan"),
        verdict="cannot",
        why=f"the data folder has {sets} of {len(DATA_SETS)} data sets",
        decimals=2,
    )
