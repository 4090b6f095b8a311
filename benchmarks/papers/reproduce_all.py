"""All five reproductions into docs/results, and their verdicts into docs/reproduction.md.

``python benchmarks/papers/reproduce_all.py --data DIR --studies FOLDER --budget 20 --jobs 2`` gives
each paper 20 minutes more, on top of what FOLDER has kept of earlier calls. ``--papers t96 ht98``
picks some; ``--papers`` alone only gathers the verdicts again.
"""

from __future__ import annotations

import argparse
import csv
from collections import Counter
from pathlib import Path

from polychotomy.reproduction import reproduce
from polychotomy.reproduction.reproduce import PAPERS

DOCS = Path(__file__).parents[2] / "docs"
RUNS = {"ya06": 1000, "m24": 20, "mst09": 20, "t96": 50, "ht98": 20}
BEGIN, END = "<!-- verdicts -->", "<!-- end of verdicts -->"
VERDICTS = ("agrees", "differs", "cannot")


def count_verdicts(path: Path) -> dict[str, Counter]:
    """{table: counts of verdicts} of a paper's CSV."""
    found: dict[str, Counter] = {}
    with path.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            found.setdefault(row["table"], Counter())[row["verdict"]] += 1
    return found


def gather(page: Path, results: Path) -> None:
    """Write the table of verdicts anew, between its two marks in the page over all papers."""
    lines = ["| paper | printed | cells | agree | differ | cannot be had |"]
    lines.append("| --- | --- | --- | --- | --- | --- |")
    total: Counter = Counter()
    for paper in PAPERS:
        path = results / f"{paper}.csv"
        if not path.exists():
            continue
        name = f"[{paper.upper()}](results/{paper}.md)"
        for table, counts in count_verdicts(path).items():
            lines.append(_row(name, table, counts))
            total += counts
            name = ""
    lines.append(_row("**all**", "", total))
    before, _, rest = page.read_text(encoding="utf-8").partition(f"{BEGIN}\n")
    after = rest.partition(END)[2]
    page.write_text("\n".join([f"{before}{BEGIN}", *lines, f"{END}{after}"]), encoding="utf-8")


def _row(name: str, table: str, counts: Counter) -> str:
    cells = [str(counts[verdict]) for verdict in VERDICTS]
    return f"| {name} | {table} | {sum(counts.values())} | {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, help="folder of the data sets")
    parser.add_argument("--studies", type=Path, help="folder that keeps all runs")
    parser.add_argument("--budget", type=float, help="minutes a paper")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--papers", nargs="*", default=list(PAPERS), choices=PAPERS)
    parser.add_argument("--docs", type=Path, default=DOCS)
    options = parser.parse_args()
    results = options.docs / "results"
    results.mkdir(parents=True, exist_ok=True)
    for paper in options.papers:
        found = reproduce(
            paper,
            data=options.data,
            runs=RUNS[paper],
            budget=options.budget,
            n_jobs=options.jobs,
            study=options.studies / f"{paper}.study" if options.studies else None,
        )
        found.write(results / f"{paper}.md")
        print(found, flush=True)
    gather(options.docs / "reproduction.md", results)


if __name__ == "__main__":
    main()
