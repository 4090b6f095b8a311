"""All five reproductions into docs/results, and their verdicts into docs/reproduction.md.

``python benchmarks/papers/reproduce_all.py --data DIR --studies FOLDER --budget 20 --jobs 2`` gives
each paper 20 minutes more, on top of what FOLDER has kept of earlier calls. ``--papers t96 ht98``
picks some; ``--papers`` alone only gathers the verdicts again. ``--render`` writes the pages of
docs/results as the present version would, from their own cells and blocks, without any new run.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import kernels
import margins
import mixtures
import single_fits

from polychotomy.reproduction.cells import BASES, CAUSES, VERDICTS
from polychotomy.reproduction.claims import count_claims
from polychotomy.reproduction.reproduce import PAPERS, reproduce
from polychotomy.reproduction.result import Reproduction

SETTLED = {
    "m24": kernels.settle_page,
    "mst09": margins.settle_page,
    "t96": single_fits.settle_page,
    "ht98": mixtures.settle_page,
}
"""What the settling runs add to a page: reasons shown, rows with more trials."""

SCIENCE = {
    "ya06": "[MultiTest](../science/multitest.md)",
    "m24": "[orthogonal codes](../science/orthogonal_codes.md)",
    "mst09": "[rank margin](../science/rank_margin.md)",
    "t96": "[the error budget](../science/error_budget.md)",
    "ht98": "[pairwise coupling](../science/pairwise_coupling.md)",
}
"""The page on each paper's ideas, which its results lead to."""

DOCS = Path(__file__).parents[2] / "docs"
RUNS = {"ya06": 1000, "m24": 20, "mst09": 20, "t96": 50, "ht98": 20}
CLAIMS_BEGIN, CLAIMS_END = "<!-- claims -->", "<!-- end of claims -->"
BEGIN, END = "<!-- verdicts -->", "<!-- end of verdicts -->"
WHY_BEGIN, WHY_END = "<!-- causes -->", "<!-- end of causes -->"


def read_cells(path: Path) -> list[dict[str, str]]:
    """Rows of a paper's CSV."""
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def count_verdicts(cells: list[dict[str, str]]) -> dict[str, Counter]:
    """{table: counts of verdicts} of a paper's cells."""
    found: dict[str, Counter] = {}
    for row in cells:
        own = found.setdefault(row["table"], Counter())
        own[row["verdict"]] += 1
        own["idle"] += (row["verdict"], row["practical"]) == ("differs", "same")
    return found


def gather(page: Path, results: Path) -> None:
    """Write all tables anew, each between its two marks in the page over all papers."""
    papers = {
        paper: read_cells(results / f"{paper}.csv")
        for paper in PAPERS
        if (results / f"{paper}.csv").exists()
    }
    text = page.read_text(encoding="utf-8")
    if CLAIMS_BEGIN in text:
        text = _between(text, CLAIMS_BEGIN, CLAIMS_END, tabulate_claims(results))
    text = _between(text, BEGIN, END, tabulate_verdicts(papers))
    page.write_text(_between(text, WHY_BEGIN, WHY_END, tabulate_causes(papers)), encoding="utf-8")


def _between(text: str, begin: str, end: str, lines: list[str]) -> str:
    before, mark, rest = text.partition(f"{begin}\n")
    return (
        "\n".join([f"{before}{begin}", *lines, f"{end}{rest.partition(end)[2]}"]) if mark else text
    )


def tabulate_claims(results: Path) -> list[str]:
    """Lines of the table of conclusions, and their count."""
    lines = ["| paper | claim | by our numbers | ours |", "| --- | --- | --- | --- |"]
    claims = {paper: Reproduction.read(results / f"{paper}.md").claims for paper in PAPERS}
    for paper, own in claims.items():
        for i, claim in enumerate(own):
            name = "" if i else f"[{paper.upper()}](results/{paper}.md) "
            lines.append(f"| {name}{claim.where} | {claim.text} | {claim.holds} | {claim.ours} |")
    return [count_claims([claim for own in claims.values() for claim in own]), "", *lines]


def tabulate_verdicts(papers: dict[str, list[dict[str, str]]]) -> list[str]:
    """Lines of the table of verdicts, one for each printed table."""
    header = ["paper", "printed", "cells", "agree", "differ", "too few runs", "cannot be had"]
    lines = [f"| {' | '.join(header)} | differ, but not in practice |", f"|{' --- |' * 8}"]
    total: Counter = Counter()
    for paper, cells in papers.items():
        name = f"[{paper.upper()}](results/{paper}.md)"
        for table, counts in count_verdicts(cells).items():
            lines.append(_row(name, table, counts))
            total += counts
            name = ""
    return [*lines, _row("**all**", "", total)]


def tabulate_causes(papers: dict[str, list[dict[str, str]]]) -> list[str]:
    """Lines of the table of reasons for which cells differ, a column for each paper."""
    names = [paper.upper() for paper in papers]
    lines = [f"| why cells differ | {' | '.join(names)} | all | {' | '.join(BASES.values())} |"]
    lines.append(f"| --- |{' --- |' * (len(papers) + 1 + len(BASES))}")
    every = [row for cells in papers.values() for row in cells if row["verdict"] == "differs"]
    for cause, words in [*CAUSES.items(), (None, "**all**")]:
        own = [
            sum(row["verdict"] == "differs" and cause in (None, row["cause"]) for row in cells)
            for cells in papers.values()
        ]
        kinds = [
            sum(row["basis"] == basis and cause in (None, row["cause"]) for row in every)
            for basis in BASES
        ]
        if sum(own):
            lines.append(f"| {words} | {' | '.join(map(str, [*own, sum(own), *kinds]))} |")
    return lines


def _row(name: str, table: str, counts: Counter) -> str:
    numbers = [counts[verdict] for verdict in VERDICTS]
    cells = " | ".join(map(str, [sum(numbers), *numbers, counts["idle"]]))
    return f"| {name} | {table} | {cells} |"


def lead(paper: str, found: Reproduction) -> Reproduction:
    """Lead from the results to the page that says what the paper claims and when to use it."""
    own = found.facts["what"].rpartition(END_OF_LINK)[2]
    what = f"In plain words, and when to use it: {SCIENCE[paper]}{END_OF_LINK}{own}"
    return replace(found, facts=found.facts | {"what": what})


END_OF_LINK = ", with every symbol and an example by hand. "


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, help="folder of the data sets")
    parser.add_argument("--studies", type=Path, help="folder that keeps all runs")
    parser.add_argument("--budget", type=float, help="minutes a paper")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--papers", nargs="*", default=list(PAPERS), choices=PAPERS)
    parser.add_argument("--docs", type=Path, default=DOCS)
    parser.add_argument("--render", action="store_true", help="pages anew, without any run")
    options = parser.parse_args()
    results = options.docs / "results"
    results.mkdir(parents=True, exist_ok=True)
    for paper in options.papers:
        settle = SETTLED.get(paper, lambda found: found)
        if options.render:
            page = results / f"{paper}.md"
            lead(paper, settle(Reproduction.read(page))).write(page)
            continue
        found = reproduce(
            paper,
            data=options.data,
            runs=RUNS[paper],
            budget=options.budget,
            n_jobs=options.jobs,
            study=options.studies / f"{paper}.study" if options.studies else None,
        )
        found = lead(paper, settle(found))
        found.write(results / f"{paper}.md")
        print(found, flush=True)
    gather(options.docs / "reproduction.md", results)


if __name__ == "__main__":
    main()
