"""How long large leaderboards take, in seconds of one processor.

    python -m benchmarks.leaderboards [--output docs/results/leaderboards.md]

Processor time, of the fastest of five runs: on a machine that does other things, too, it is longer
than it need be, and never shorter. Each command is a process of its own, interpreter and imports
included; "imports" is what scikit-learn, pandas and SciPy take of that.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

import numpy as np  # noqa: E402 - after the threads
import pandas as pd  # noqa: E402

from polychotomy.comparison import (  # noqa: E402
    compare_to_control,
    league_ranks,
    league_strengths,
    nemenyi_test,
    rank_sets,
)

RUNS = 5

PAGE = """# Large leaderboards: how long they take

Seconds of one processor, of the fastest of {runs} runs. A command is a process of its own: the
interpreter and its imports (scikit-learn, pandas, SciPy) are in its time, and stand alone in the
row of a table of two systems on two samples. The machine had {load:.0f} processes on {processors}
processors meanwhile; processor time is longer beside others.

## `polychotomy judge --predictions`, all questions and the page

| table | the command | of it within Python, imported already |
| --- | --- | --- |
{commands}

## Ranks of a league

84 methods on 816 splits, in Python:

| call | seconds |
| --- | --- |
{calls}

```console
$ python -m benchmarks.leaderboards
```
"""


def systems(m: int, n: int, *, scored: bool) -> pd.DataFrame:
    """Answers of m systems to n questions, which are not equally difficult."""
    rng = np.random.default_rng(0)
    easy = rng.normal(size=(n, 1)) + rng.normal(0.5, 0.7, size=m)
    if scored:
        values = easy + rng.normal(size=(n, m))
    else:
        values = (rng.random((n, m)) < 1 / (1 + np.exp(-easy))).astype(int)
    return pd.DataFrame(values, columns=[f"system {i}" for i in range(m)])


def spent(who: int) -> float:
    """Processor time so far, of this process or of its children."""
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def fastest(call: Callable[[], object], who: int) -> float:
    """Processor time of the fastest of some calls."""
    found = []
    for _ in range(RUNS):
        before = spent(who)
        call()
        found.append(spent(who) - before)
    return min(found)


def command_times(folder: Path, table: pd.DataFrame, *, scored: bool) -> tuple[float, float]:
    """Seconds of the command, and of the same in a process that has done it before."""
    from polychotomy import import_predictions, judge

    path, better = folder / "table.csv", True if scored else None
    table.to_csv(path, index_label="sample")
    command = [sys.executable, "-m", "polychotomy", "judge", "--predictions", str(path)]
    command += ["--output", str(folder / "page.html"), "--force", *["--higher-better"] * scored]

    def process() -> None:
        # Compiled modules are kept, as they are where it is installed.
        env = os.environ | {"PYTHONPYCACHEPREFIX": str(folder / "compiled")}
        env.pop("PYTHONDONTWRITEBYTECODE", None)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=env)

    def here() -> None:
        judge(import_predictions(path, higher_better=better)).to_html()

    process(), here()
    return fastest(process, resource.RUSAGE_CHILDREN), fastest(here, resource.RUSAGE_SELF)


def league_times() -> dict[str, float]:
    """Seconds of what is asked of a league of 84 methods on 816 splits."""
    rng = np.random.default_rng(0)
    losses = 0.3 + 0.02 * rng.normal(size=(84, 1)) + 0.05 * rng.normal(size=(84, 816))
    calls: dict[str, Callable[[], object]] = {
        "`league_ranks`, 1,000 orders drawn at random": lambda: league_ranks(losses),
        "`league_strengths`, 1,000 bootstraps": lambda: league_strengths(losses, n_replicates=1000),
        "`rank_sets`, 1,000 bootstraps": lambda: rank_sets(losses),
        "`nemenyi_test` and `compare_to_control`": lambda: (
            nemenyi_test(losses.T),
            compare_to_control(losses.T, control=0),
        ),
    }
    found = {name: fastest(call, resource.RUSAGE_SELF) for name, call in calls.items()}
    return found | {"all of them": sum(found.values())}


def main() -> None:
    """Measure and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", default="docs/results/leaderboards.md")
    output, began = parser.parse_args().output, time.time()
    lines = []
    for name, m, n, scored in (
        ("2 systems × 2 samples", 2, 2, False),
        ("134 systems × 500 samples, right or wrong", 134, 500, False),
        ("84 methods × 816 splits, scores", 84, 816, True),
    ):
        with tempfile.TemporaryDirectory() as folder:
            whole, here = command_times(Path(folder), systems(m, n, scored=scored), scored=scored)
        lines.append(f"| {name} | {whole:.1f} | {here:.2f} |")
    calls = [f"| {name} | {seconds:.2f} |" for name, seconds in league_times().items()]
    machine = {"load": os.getloadavg()[1], "processors": os.cpu_count()}
    page = PAGE.format(runs=RUNS, **machine, commands="\n".join(lines), calls="\n".join(calls))
    Path(output).write_text(page, encoding="utf-8")
    print(page, f"{time.time() - began:.0f} s", sep="\n")


if __name__ == "__main__":
    main()
