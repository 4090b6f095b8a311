"""Peak memory of each function against the formula that documents it.

    python benchmarks/memory.py [--quick] [--output docs/results/memory.md]

Memory that a call takes beyond its arguments, its result included, as tracemalloc sees it
(NumPy reports its arrays there). A formula is an upper bound that must hold and must not be more
than twice too large; otherwise the script says so and ends with exit code 1.
"""

from __future__ import annotations

import argparse
import os
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

import workloads  # noqa: E402 - after the threads
from polychotomy.codes import one_vs_one, random_dense  # noqa: E402
from polychotomy.codes.orthogonal import orthogonal  # noqa: E402
from side_by_side import machine  # noqa: E402

MB = 1e6
LOOSE = 2.0  # a formula this many times too large says nothing


@dataclass(frozen=True)
class Claim:
    """What a call takes, as words and as a function of its size."""

    call: str
    formula: str
    bound: Callable[[int], float]
    make: Callable[[int], Callable[[], object]]
    size: int


CHUNKS = 24 * MB  # what decoders work in, at most


def claims(shrink: int = 1) -> list[Claim]:
    n, pairs = 400_000 // shrink, one_vs_one(10)
    dense = random_dense(10, length=15, random_state=0)
    decoders = {
        "decode, least squares, one-vs-one": (pairs, "least-squares"),
        "decode, Bradley–Terry, one-vs-one": (pairs, "bradley-terry"),
        "decode, least squares, orthogonal": (orthogonal(10), "least-squares"),
        "decode, Bradley–Terry, 15 random rows": (dense, "bradley-terry"),
        "decode, least squares, 15 random rows": (dense, "least-squares"),
        "decode, votes, one-vs-one": (pairs, "votes"),
        "decode, loss, one-vs-one": (pairs, "loss"),
    }
    made = [
        _chunked(f"{call}, k = 10", workloads.decoding(*how), 10, n)
        for call, how in decoders.items()
    ]
    made += [
        _chunked("project_to_simplex, k = 10", workloads.projection, 10, n),
        _chunked(
            "MergedMachines.decision_function, 45 SVCs", workloads.merged_machines, 45, n // 4
        ),
    ]
    return [
        *made,
        Claim("couple, k = 10", "16 n k² + 24 MB", lambda n: 16 * n * 100 + CHUNKS,
              workloads.coupling, n // 8),
        Claim("CodedClassifier.predict_proba, 45 SVCs", "8 n k + 24 MB",
              lambda n: 8 * n * 10 + CHUNKS, workloads.coded_prediction, n // 8),
        Claim("rank_margin", "26 n", lambda n: 26 * n + MB / 10, workloads.margin_of_weights, n),
        Claim("rank_margin_weights, m = 20", "40 n + 1 MB", lambda n: 40 * n + MB,
              workloads.hard_margin, n),
        Claim("rank_margin_weights with slack, m = 20", "90 n + 1 MB", lambda n: 90 * n + MB,
              workloads.soft_margin, n // 8),
        Claim("auc", "48 n", lambda n: 48 * n, workloads.area, n),
        Claim("pair_margins (n samples, any number of pairs)", "24 n", lambda n: 24 * n,
              workloads.margins_of_pairs, n),
        Claim("RankBoost, 20 features", "24 n × features", lambda n: 24 * n * 20,
              workloads.boosting, n // 4),
        Claim("decompose_predictions, b = 50, k = 3", "12 n b k + 15 MB",
              lambda n: 12 * n * 50 * 3 + 15 * MB, workloads.error_budget, n // 8),
        Claim("probability_trace, k = 5", "72 n k", lambda n: 72 * n * 5, workloads.trace, n),
        Claim("multitest_many, 5 learners", "4.1 KB a run", lambda n: 4100 * n, workloads.orders,
              n // 40),
    ]  # fmt: skip


def _chunked(call: str, make: Callable[[int], Callable[[], object]], columns: int, n: int) -> Claim:
    """Work in chunks of samples: its result, n rows of so many columns, and the chunk."""
    letter = "l" if columns > 10 else "k"
    formula = f"8 n {letter} + {CHUNKS / MB:.0f} MB"
    return Claim(call, formula, lambda n: 8 * n * columns + CHUNKS, make, n)


def peak(work: Callable[[], object]) -> int:
    """Bytes at most allocated at a time, after one call that fills caches."""
    work()
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a tenth of the size")
    parser.add_argument("--output", type=Path, help="write the table to this Markdown file")
    arguments = parser.parse_args()
    lines = [
        "| call | size | peak | formula | formula's value |",
        "| --- | --- | --- | --- | --- |",
    ]
    wrong = []
    for claim in claims(10 if arguments.quick else 1):
        found, bound = peak(claim.make(claim.size)), claim.bound(claim.size)
        line = f"| {claim.call} | {claim.size:,} | {found / MB:.1f} MB | {claim.formula} |"
        lines.append(f"{line} {bound / MB:.1f} MB |")
        print(lines[-1], flush=True)
        if found > bound or (bound > LOOSE * found and not arguments.quick):
            wrong.append(f"{claim.call}: {found / MB:.1f} MB, documented {bound / MB:.1f} MB")
    if arguments.output:
        arguments.output.write_text(page(lines))
    if wrong:
        raise SystemExit("formulas that do not hold, or are too loose:\n" + "\n".join(wrong))


def page(lines: list[str]) -> str:
    return (
        "# Memory\n\n"
        "Peak memory of a call beyond its arguments, its result included, in bytes; n, k, l, m, b\n"
        "as everywhere: samples, classes, dichotomies, learners, bootstrap fits. Decoders work in\n"
        "chunks, so that beyond their result they need a constant.\n\n" + "\n".join(lines) + "\n\n"
        f"Measured by tracemalloc on {machine()}.\n\nTo repeat: `python benchmarks/memory.py "
        "--output docs/results/memory.md`; it fails where a formula does not hold.\n"
    )


if __name__ == "__main__":
    main()
