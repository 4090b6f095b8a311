"""A ledger of a million trials: seconds and memory to open, summarise, resume and score it.

Builds ledgers of 10⁴, 10⁵ and 10⁶ trials (5 candidates, 5×2 folds, 30 samples of 3 classes, so
15 predictions in each trial), then asks each, in a process of its own, what a user asks: how far
is it, what is missing, what are the errors. Writes docs/results/study_scale.{csv,md}.

Run: python benchmarks/study_scale.py [--quick] [--folder DIR]
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from polychotomy.study import Dataset, Ledger, RepeatedFolds
from polychotomy.study.design.specification import print_data, specify
from polychotomy.study.design.trials import Outcome, succeed
from polychotomy.study.study import plan_trials

RESULTS = Path(__file__).parents[1] / "docs" / "results"
CANDIDATES = ["MAX", "nearest mean", "logistic", "pruned tree", "1-NN"]
N_SAMPLES, N_CLASSES = 30, 3
BATCH = 5_000  # trials a commit: what fits of a tenth of a millisecond would leave in half a second
QUESTIONS: dict[str, str] = {
    "open": "open to read",
    "open to write": "open to write, every page checked",
    "summarise": "counts, failures and clocks of each candidate",
    "resume": "find what is missing",
    "errors": "error of every fit",
}


def build(path: Path, n_trials: int) -> float:
    """Write a ledger of so many trials; return the seconds that writing took."""
    rng = np.random.default_rng(0)
    codes = np.arange(N_SAMPLES) % N_CLASSES
    data = Dataset.of(rng.normal(size=(N_SAMPLES, 2)), codes)
    plan = RepeatedFolds(runs=n_trials // (10 * len(CANDIDATES)))
    prints = {"data": print_data(data)}
    specification = specify(datasets=prints, candidates={}, plans={plan.name: plan}, seed=0)
    specification["candidates"] = dict.fromkeys(CANDIDATES, "made up")
    with Ledger(path) as ledger:
        ledger.begin(
            specification,
            prints=prints,
            splits={("data", plan.name): plan.split(codes, seed=0)},
            planned={plan.name: {"data": dict.fromkeys(CANDIDATES, plan.runs * plan.repetitions)}},
            provenance={},
        )
        start = time.perf_counter()
        batch: list[Outcome] = []
        for outcome in make_up(plan, rng):
            batch.append(outcome)
            if len(batch) == BATCH:
                ledger.record(batch)
                batch = []
        ledger.record(batch)
        return time.perf_counter() - start


def make_up(plan: RepeatedFolds, rng: np.random.Generator) -> Iterator[Outcome]:
    """Yield finished trials with random predictions."""
    left_out = N_SAMPLES // plan.folds
    shares = rng.dirichlet(np.ones(N_CLASSES), size=(997, left_out)).astype(np.float32)
    labels = shares.argmax(axis=2)
    for i, key in enumerate(plan_trials(["data"], CANDIDATES, {plan.name: plan})):
        yield succeed(key, labels[i % 997], shares[i % 997], fit_seconds=1e-4, predict_seconds=1e-5)


def ask(path: Path, question: str) -> dict[str, float]:
    """Answer one question in this process; return its seconds and the process's peak memory."""
    start = time.perf_counter()
    with Ledger(path, read_only=question != "open to write") as ledger:
        answers: dict[str, Callable[[], Any]] = {
            "summarise": ledger.say_status,
            "resume": ledger.done,
            "errors": ledger.fold_errors,
        }
        if question in answers:
            start = time.perf_counter()
            answers[question]()
        seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"seconds": seconds, "megabytes": peak}


def ask_elsewhere(path: Path, question: str) -> dict[str, float]:
    """Ask in a process of its own, so that memory is that of the question."""
    command = [sys.executable, __file__, "--ask", question, str(path)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    answer: dict[str, float] = json.loads(done.stdout)
    return answer


def measure(sizes: list[int], folder: Path) -> pd.DataFrame:
    """Return a row for each size and question."""
    rows: list[dict[str, Any]] = []
    for size in sizes:
        path = folder / f"{size}.polychotomy"
        written = build(path, size)
        megabytes = path.stat().st_size / 2**20
        rows.append({"trials": size, "question": "write", "seconds": written, "file": megabytes})
        for question in QUESTIONS:
            answer = min((ask_elsewhere(path, question) for _ in range(3)), key=_by_seconds)
            rows.append({"trials": size, "question": question, "file": megabytes, **answer})
        path.unlink()
    return pd.DataFrame(rows)


def _by_seconds(answer: dict[str, float]) -> float:
    return answer["seconds"]


def exponents(table: pd.DataFrame) -> dict[str, float]:
    """Return the slope of log seconds on log trials over the two largest sizes."""
    found = {}
    for question, rows in table.groupby("question", sort=False):
        last = rows.sort_values("trials").tail(2)
        steps = np.diff(np.log(last[["trials", "seconds"]].to_numpy(dtype=float)), axis=0)[0]
        found[str(question)] = float(steps[1] / steps[0])
    return found


def write(table: pd.DataFrame) -> str:
    """Write the results; return the page."""
    slopes = exponents(table)
    sizes = sorted(table["trials"].unique())
    lines = [
        "# A ledger of a million trials",
        "",
        "Seconds, the best of three, in a process each; peak memory of that process, Python and "
        "its libraries included. A trial here is a fit of one of 5 candidates in a 5×2 plan, with "
        f"{N_SAMPLES // 2} predictions of {N_CLASSES} classes. The exponent is that of growth "
        f"from {sizes[-2]:,} to {sizes[-1]:,} trials: 1 is linear.",
        "",
        "| what | " + " | ".join(f"{size:,} trials" for size in sizes) + " | exponent | memory |",
        "| --- |" + " ---: |" * (len(sizes) + 2),
    ]
    for question in ("write", *QUESTIONS):
        rows = table[table["question"] == question].set_index("trials")
        seconds = " | ".join(f"{rows.loc[size, 'seconds']:.2f} s" for size in sizes)
        peak = rows.loc[sizes[-1], "megabytes"]
        memory = f"{peak:.0f} MB" if peak == peak else "–"
        words = QUESTIONS.get(question, "write, in batches of 5,000 a commit")
        lines.append(f"| {words} | {seconds} | {round(slopes[question], 2) + 0.0:.2f} | {memory} |")
    files = ", ".join(f"{table[table['trials'] == s]['file'].iloc[0]:.0f} MB" for s in sizes)
    lines += ["", f"The files have {files}.", "", "Repeat: `python benchmarks/study_scale.py`.", ""]
    page = "\n".join(lines)
    RESULTS.joinpath("study_scale.md").write_text(page, encoding="utf-8")
    table.round(3).to_csv(RESULTS / "study_scale.csv", index=False)
    return page


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="10³ to 10⁴ trials; writes nothing")
    parser.add_argument("--folder", type=Path, help="where to build the ledgers")
    parser.add_argument("--ask", nargs=2, metavar=("QUESTION", "STUDY"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.ask:
        print(json.dumps(ask(Path(arguments.ask[1]), arguments.ask[0])))
        return
    sizes = [1_000, 10_000] if arguments.quick else [10_000, 100_000, 1_000_000]
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        table = measure(sizes, Path(folder))
    print(table.round(3).to_string(index=False) if arguments.quick else write(table))


if __name__ == "__main__":
    main()
