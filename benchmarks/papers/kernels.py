"""M24 with every kernel of the grid and both scalings: docs/results/m24_kernels.csv and .md.

``python benchmarks/papers/kernels.py --data DIR`` takes half an hour of one core. The paper prints
neither kernel nor scaling. Both of its methods must have used the same, so all 32 are tried with
one-vs-one first, which is quick, and the orthogonal code with those only that come near the printed
accuracy; on the small sets with all. ``--whole`` tries it with all on all sets, which takes hours,
and is what the page shows.
``--codes`` runs the SVM rows of other codes with 20 trials, into docs/results/m24_codes.csv. What
was run is kept; without ``--data`` only the tables are written again.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from kept import RESULTS, Kept, Key, read_again, table, write_between

from polychotomy.decoding import decode
from polychotomy.multiclass import CodedClassifier
from polychotomy.reproduction import m24
from polychotomy.reproduction.blocks import Block, Listing
from polychotomy.reproduction.cells import WORDS, Cell, explains
from polychotomy.reproduction.m24_trials import CODES
from polychotomy.reproduction.printed import read_printed
from polychotomy.reproduction.result import Reproduction

KEYS = ("data", "scaling", "C", "gamma", "code", "trial")
SCORES = ("accuracy", "uncertainty coefficient", "r", "slope")
SCALINGS = ("standardised", "to [-1, 1]")
SMALL = ("vehicle", "segment")
LARGE = {"sat": 2, "pendigits": 2, "shuttle": 1, "usps": 1}
"""With the trials of one-vs-one that all kernels get."""

SETS = m24.DATA_SETS
Reading = tuple[str, str, str]
KERNELS = [(f"{C:g}", f"{gamma:g}") for C in m24.GRID["C"] for gamma in m24.GRID["gamma"]]
READINGS = [(scaling, C, gamma) for scaling in SCALINGS for C, gamma in KERNELS]
PRINTED = {
    (row["data"], CODES[row["method"]], row["quantity"]): (
        float(row["mean"]),
        float(row["sd"] or 0),
    )
    for row in read_printed("m24")
}
CODE_KEYS = ("data", "code", "decoder", "trial")
OTHER_CODES = ("one-vs-one", "one-vs-rest", "random-dense", "nested")
"""The first is what the gains of the others are counted from."""


def split_scaled(name: str, data: Path, seed: int, scaling: str) -> m24.Split:
    """The splits of Tables 1 and 2, inputs scaled by the training part."""
    split = m24.split_data(name, data, seed)
    if scaling == "standardised":
        return split
    low, high = split.X.min(axis=0), split.X.max(axis=0)
    width = np.where(high > low, high - low, 1.0)
    X, X_test = (2 * (Z - low) / width - 1 for Z in (split.X, split.X_test))
    return split._replace(X=X, X_test=X_test)


def run_kernel(data: Path, key: Key) -> list[list[float]]:
    """Run one kernel, code and trial: accuracy, uncertainty coefficient, r and slope."""
    name, scaling, C, gamma, code, trial = key
    split = split_scaled(name, data, int(trial), scaling)
    kernel = {"C": float(C), "gamma": float(gamma) / split.X.shape[1]}
    learner = m24.make_learner("SVM", kernel)
    model = CodedClassifier(learner, code=code, decoder="bradley-terry", random_state=int(trial))
    outputs = model.fit(split.X, split.y).predict_dichotomies(split.X_test)
    p = decode(model.code_, outputs, decoder="least-squares")
    k = int(max(split.y.max(), split.y_test.max())) + 1
    found = m24.judge(m24._align(p, model.classes_, k), split.y_test)
    return [[found[score] for score in SCORES]]


def distance(kept: Kept, key: Key, score: str = "accuracy") -> float:
    """Mean minus print in the print's own errors; NaN where nothing was run.

    A trial of ours is taken to vary as a printed one does: two trials alone do not tell.
    """
    values = trials_of(kept, key)[:, SCORES.index(score)]
    mean, sd = PRINTED[key[0], key[4], score]
    unit = {"accuracy": 5e-5, "uncertainty coefficient": 5e-5, "r": 5e-7, "slope": 5e-6}[score]
    if not len(values):
        return float("nan")
    beyond = max(abs(values.mean() - mean) - unit, 0.0)
    error = max(sd * np.sqrt(1 / len(values) + 1 / 20), 1e-12)
    return float(np.copysign(beyond / error, values.mean() - mean))


def trials_of(kept: Kept, key: Key) -> np.ndarray:
    """Scores (trials, 4) of a kernel and code; its trial is not looked at."""
    return np.array(kept.groups.get(key[:5], [])).reshape(-1, len(SCORES))


def plan(kept: Kept, data: Path, *, whole: bool) -> Iterator[tuple[list[Key], object]]:
    """All kernels with one-vs-one, on small sets with both codes; then those that come nearest."""

    def trials(name: str, codes: Sequence[str], readings: Sequence[Reading], first: int, end: int):
        for trial in range(first, end):
            for reading in readings:
                for code in codes:
                    key = (name, *reading, code, str(trial))
                    yield [key], lambda key=key: run_kernel(data, key)

    both = tuple(CODES.values())
    for name in SMALL:
        yield from trials(name, both, READINGS, 0, 5)
    for name in LARGE:
        yield from trials(name, both if whole else both[:1], READINGS, 0, LARGE[name])
    for name, count in LARGE.items():
        yield from trials(name, both, nearest(kept, name)[:count], 0, 5)
    for name in LARGE:
        yield from trials(name, both, nearest(kept, name), 0, 5)
    for name in SMALL:
        yield from trials(name, both, READINGS, 5, 10)


def nearest(kept: Kept, name: str) -> list[Reading]:
    """The four kernels, of the largest sets two, whose one-vs-one is nearest to the print.

    By accuracy and uncertainty coefficient of the first trial alone, so that the choice stays.
    """

    def away(reading: Reading) -> float:
        values = kept.rows.get((name, *reading, "one-vs-one", "0"))
        if values is None:
            return float("inf")
        printed = [PRINTED[name, "one-vs-one", score] for score in SCORES[:2]]
        return max(abs(value - m) / sd for value, (m, sd) in zip(values, printed, strict=False))

    return sorted(READINGS, key=away)[: 2 * LARGE[name]]


def plan_codes(data: Path) -> Iterator[tuple[list[Key], object]]:
    """Other codes by both decoders, on the splits and with the kernels of Tables 1 and 2."""
    for name in SETS:
        kernel = m24.choose_kernel(name, data, 0)
        for trial in range(m24.RUNS):
            for code in OTHER_CODES:
                keys = [(name, code, decoder, str(trial)) for decoder in m24.DECODERS]

                def run(name=name, trial=trial, code=code, kernel=kernel):
                    found = m24.run_trial(name, data, trial, ("SVM", code), kernel)
                    return [[found[decoder][score] for score in SCORES] for decoder in m24.DECODERS]

                yield keys, run


def split_column(cell: Cell) -> tuple[str, str]:
    """Our name of a cell's code, and its score."""
    method, score = cell.column.split(", ")
    return CODES[method], score


def comparable(cells: Sequence[Cell], name: str = "") -> list[Cell]:
    """Cells of scores, of one set or of all."""
    return [c for c in cells if not c.column.endswith("seconds") and name in ("", c.row)]


def read_with(kept: Kept, cell: Cell, reading: Reading) -> Cell | None:
    """A printed cell beside what a kernel and scaling give; None where it was not run."""
    code, score = split_column(cell)
    values = trials_of(kept, (cell.row, *reading, code, ""))
    return read_again(cell, values[:, SCORES.index(score)], 20) if len(values) else None


def name_kernel(reading: Reading) -> str:
    """A kernel in words."""
    scaling, C, gamma = reading
    return f"C = {C}, γ = {gamma} / inputs, inputs {scaling.replace('to', 'scaled to')}"


def best_reading(kept: Kept, cells: Sequence[Cell], name: str) -> tuple[Reading, bool]:
    """The kernel that gives most of a set's printed scores; and whether it can be the paper's.

    It can if both methods were run with it and neither their accuracies nor their uncertainty
    coefficients surely differ: both methods had the same kernel. If none can, the one whose
    one-vs-one comes nearest is returned.
    """

    def merit(reading: Reading) -> tuple[bool, int, float]:
        found = [read_with(kept, cell, reading) for cell in comparable(cells, name)]
        done = [cell for cell in found if cell is not None]
        hard = [c for c in done if c.column.endswith(("accuracy", "coefficient"))]
        can = len(done) == len(found) and not any(c.verdict == "differs" for c in hard)
        can = can and not any(np.isnan(cell.z) for cell in done)
        away = [min(abs(cell.z), 50.0) for cell in done if not np.isnan(cell.z)]
        near = -float(np.mean(away)) if away else -99.0
        return can, sum(cell.verdict == "agrees" for cell in done), near

    best = max(READINGS, key=merit)
    return (best, True) if merit(best)[0] else (nearest(kept, name)[0], False)


def settle(kept: Kept, cells: Sequence[Cell]) -> list[Cell]:
    """Give every cell that differs what the grid says of its reason.

    Shown: by the kernel that can be the paper's and gives most of the set's printed scores. A
    kernel that gives this score and not the others, or had too few trials, is a guess.
    """
    best = {name: best_reading(kept, cells, name) for name in SETS}
    return [
        _settle(kept, cell, *best[cell.row]) if cell.verdict == "differs" else cell
        for cell in cells
    ]


def _settle(kept: Kept, cell: Cell, best: Reading, can: bool) -> Cell:
    start = "kernel, parameters and scaling are not printed"
    found = {reading: read_with(kept, cell, reading) for reading in READINGS}
    done = {reading: other for reading, other in found.items() if other is not None}
    if best not in done:
        return replace(cell, cause="learner", basis="guess", why=start)
    given = f"{name_kernel(best)} gives {done[best].ours_text}"
    if can and explains(done[best], cell):
        return replace(cell, cause="learner", basis="shown", why=f"{start}; {given}, which agrees")
    others = [reading for reading, other in done.items() if explains(other, cell)]
    if others:
        given = f"{name_kernel(others[0])} gives {done[others[0]].ours_text}"
        why = f"{start}; {given}, which is printed, but not other scores of this set"
        return replace(cell, cause="learner", basis="guess", why=why)
    words = {"differs": "which differs too", "agrees": "near both", "few": "too few trials to tell"}
    if any(other.verdict != "differs" for other in done.values()):
        why = f"{start}; {given}, {words[done[best].verdict]}"
        return replace(cell, cause="learner", basis="guess", why=why)
    why = f"unexplained; {given}, which differs too, as do all {len(done)} kernels that were run"
    return replace(cell, cause="unknown", basis="none", why=why)


def put_codes(codes: Kept, blocks: Sequence[Block]) -> list[Block]:
    """Put means over more trials into the table of rows that the paper has not."""
    return [
        replace(block, rows=tuple(_put_code(codes, row) for row in block.rows))
        if isinstance(block, Listing) and block.header[:3] == ("data", "learner", "code")
        else block
        for block in blocks
    ]


def _put_code(codes: Kept, row: tuple[str, ...]) -> tuple[str, ...]:
    name, learner, code, decoder, trials = row[:5]
    values = np.array(codes.groups.get((name, code, decoder), []))
    if learner != "SVM" or code == "one-vs-one" or len(values) < int(trials):
        return row
    pairs = np.array(codes.groups[name, "one-vs-one", "least-squares"])[: len(values)]
    gain = 100 * (values[:, 0] - pairs[:, 0]).mean()
    means = (f"{mean:.4f}" for mean in values.mean(axis=0))
    return (name, learner, code, decoder, str(len(values)), f"{gain:+.2f}", *means)


def settle_page(found: Reproduction, results: Path = RESULTS) -> Reproduction:
    """Give the page of M24 the reasons that the grid shows, and the rows of more trials."""
    kept = Kept(results / "m24_kernels.csv", KEYS, SCORES)
    found = replace(found, cells=tuple(settle(kept, found.cells)))
    if not (results / "m24_codes.csv").exists():
        return found
    codes = Kept(results / "m24_codes.csv", CODE_KEYS, SCORES)
    return replace(found, blocks=tuple(put_codes(codes, found.blocks)))


def tabulate(kept: Kept, cells: Sequence[Cell]) -> list[str]:
    """The kernel that suits each set best, each printed score, and the whole grid."""
    lines, rows = [], []
    for name in SETS:
        best, can = best_reading(kept, cells, name)
        for cell in comparable(cells, name):
            code, score = split_column(cell)
            keys = [(name, *reading, code, "") for reading in READINGS]
            run = [key for key in keys if len(trials_of(kept, key))]
            near = sum(abs(distance(kept, key, score)) <= 2 for key in run)
            other = read_with(kept, cell, best)
            start = [name, name_kernel(best) + ("" if can else " *"), cell.column]
            found = ["–", "not run"] if other is None else [other.ours_text, WORDS[other.verdict]]
            texts = [cell.printed_text, cell.ours_text, *found]
            rows.append([*start, *texts, f"{near} of {len(run)}"])
    header = ["data", "kernel", "score", "printed", "ours", "with this kernel", "verdict"]
    lines += ["## Each printed score", "", *table([*header, "kernels that come near"], rows)]
    for method, code in CODES.items():
        rows = []
        for reading in READINGS:
            own = [reading[0], reading[1], reading[2]]
            for name in SETS:
                key = (name, *reading, code, "")
                values = trials_of(kept, key)
                near = len(values) and abs(distance(kept, key)) <= 2
                mark = " ✓" if near else ""
                own.append(f"{values[:, 0].mean():.4f}{mark}" if len(values) else "–")
            rows.append(own)
        printed = [f"{PRINTED[name, code, 'accuracy'][0]:.4f}" for name in SETS]
        rows.append(["printed", "", "", *printed])
        most = Counter()
        for key in kept.rows:
            if key[4] == code:
                most[key[0]] = max(most[key[0]], int(key[5]) + 1)
        head = [f"{name}, up to {most[name]} trials" for name in SETS]
        lines += [f"## The grid: accuracy of {method}", ""]
        lines += table(["inputs", "C", "γ · inputs", *head], rows)
    return lines


def main() -> None:
    """Run what is missing, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path)
    parser.add_argument("--minutes", type=float, default=600)
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--codes", action="store_true")
    parser.add_argument("--results", type=Path, default=RESULTS)
    asked = parser.parse_args()
    kept = Kept(asked.results / "m24_kernels.csv", KEYS, SCORES)
    if asked.data and asked.codes:
        codes = Kept(asked.results / "m24_codes.csv", CODE_KEYS, SCORES)
        codes.run(plan_codes(asked.data), asked.minutes)
    elif asked.data:
        kept.run(plan(kept, asked.data, whole=asked.whole), asked.minutes)
    lines = tabulate(kept, Reproduction.read(RESULTS / "m24.md").cells)
    print("\n".join(lines))
    if (page := asked.results / "m24_kernels.md").exists():
        write_between(page, lines)


if __name__ == "__main__":
    main()
