"""How far each kernel is from its floor: the least array operations that it cannot do without.

    python benchmarks/floors.py [--quick] [--output docs/results/floors.md]

Kernel and floor are interleaved in one process, one thread, in the same chunks; the figure is the
ratio of the medians. A floor does less than the kernel: no checks, no ties, no test of convergence.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

import numpy as np  # noqa: E402 - after the threads

from polychotomy.codes import one_vs_one, random_dense  # noqa: E402
from polychotomy.codes.orthogonal import orthogonal  # noqa: E402
from polychotomy.combination.hard_margin import add_extremes  # noqa: E402
from polychotomy.combination.rank_boost import _Cuts  # noqa: E402
from polychotomy.combination.soft_margin import evaluate_soft_margin  # noqa: E402
from polychotomy.combination.two_classes import Sides  # noqa: E402
from polychotomy.decoding import project_to_simplex  # noqa: E402
from polychotomy.decoding.decode import decode  # noqa: E402
from polychotomy.decoding.kernels.elimination import solve_if_definite, solve_laplacian  # noqa: E402
from polychotomy.decomposition import decompose_predictions  # noqa: E402
from polychotomy.multiclass import merge_machines  # noqa: E402
from polychotomy.validation import probability_trace  # noqa: E402
from side_by_side import Measured, Row, machine, measure, show_time  # noqa: E402
from speed_combination import draw  # noqa: E402
from speed_decoding import pairwise_outputs  # noqa: E402

NEWTON_STEPS = 6  # what noisy outputs of ten classes usually take


def rows(quick: bool) -> list[Row]:
    return [*_decoding(quick), _merged(quick), *_combination(quick), _budget(quick), *_trace(quick)]


def _decoding(quick: bool) -> list[Row]:
    n, k = 10_000 if quick else 100_000, 10
    r, code = pairwise_outputs(k, n), one_vs_one(k)
    dense, square = random_dense(k, length=15, random_state=0), orthogonal(k)
    q, points = _uniform(n, 15), np.random.default_rng(0).normal(0.1, 0.3, size=(n, k))
    signs, plus, minus = (code * 1.0, (code > 0) * 1.0, (code < 0) * 1.0)
    orthogonal_outputs = _uniform(n, len(square))
    chunk = 5000
    matrices = np.ones((k, k, chunk)) + np.eye(k)[:, :, None]
    right = np.ones((k, chunk))
    quadratic = np.random.default_rng(0).normal(size=(k * k, 30))

    def by_chunks(work: Callable[[slice], object], size: int = chunk) -> Callable[[], None]:
        return lambda: [work(slice(s, s + size)) for s in range(0, n, size)] and None

    def forms(part: slice) -> None:
        columns = q[part].T
        quadratic @ np.concatenate([columns, columns * columns])
        solve_if_definite(np, matrices.copy(), right, least=1e-12)

    def logs(part: slice) -> None:
        np.log(r[part]) @ plus + np.log1p(-r[part]) @ minus

    def newton(part: slice) -> None:
        for _ in range(NEWTON_STEPS):
            solve_laplacian(np, matrices.copy(), right)

    def odds(part: slice) -> None:
        np.sort((2 * orthogonal_outputs[part] - 1) @ square, axis=1)

    def kernel(name: str, matrix: np.ndarray, outputs: np.ndarray) -> Callable[[], object]:
        return lambda: decode(matrix, outputs, decoder=name)

    size = f"k = {k}, {n:,} rows"
    return [
        Row(f"pairwise least squares, {size}", "one elimination of k unknowns a row",
            kernel("least-squares", code, r),
            by_chunks(lambda _: solve_if_definite(np, matrices.copy(), right, least=1e-12)), None),
        Row(f"Bradley–Terry, pairs, {size}", f"{NEWTON_STEPS} eliminations a row",
            kernel("bradley-terry", code, r), by_chunks(newton), None),
        Row(f"least squares, random code of 15 rows, {size}",
            "one matrix product, one elimination for each row",
            kernel("least-squares", dense, q), by_chunks(forms), None),
        Row(f"least squares, orthogonal code, {size}", "one matrix product, one sort",
            kernel("least-squares", square, orthogonal_outputs), by_chunks(odds), None),
        Row(f"votes, pairs, {size}", "one comparison, one matrix product",
            kernel("votes", code, r),
            by_chunks(lambda part: np.sign(r[part] - 0.5) @ signs), None),
        Row(f"loss, pairs, {size}", "two logarithms, two matrix products",
            kernel("loss", code, r), by_chunks(logs), None),
        Row(f"simplex projection, {size}", "one sort of every row",
            lambda: project_to_simplex(points),
            by_chunks(lambda part: np.sort(points[part], axis=1), 10_000), None),
    ]  # fmt: skip


def _merged(quick: bool) -> Row:
    from sklearn.svm import SVC

    rng, d, k = np.random.default_rng(0), 64, 10
    X, y = rng.normal(size=(1000, d)), np.arange(1000) % k
    pairs = [(y == i) | (y == j) for i in range(k) for j in range(i + 1, k)]
    machines = [SVC(gamma=1 / d).fit(X[members], y[members]) for members in pairs]
    merged, new = merge_machines(machines), rng.normal(size=(500 if quick else 5000, d))
    vectors, coefficients = merged.vectors, rng.normal(size=(len(merged.vectors), len(machines)))

    def least() -> None:
        for start in range(0, len(new), 250):
            products = new[start : start + 250] @ vectors.T
            np.exp(products, out=products) @ coefficients

    return Row(
        f"merged RBF machines, {len(machines)}, {len(new):,} × {d}",
        "one product, one exponential, one product",
        lambda: merged.decision_function(new),
        least,
        None,
    )


def _combination(quick: bool) -> list[Row]:
    n = 10_000 if quick else 100_000
    scores, y = draw(10 * n, 20, seed=5)
    large, sides = Sides.split(scores, y == 1), Sides.split(scores[:n].copy(), y[:n] == 1)
    weights, parts = np.full(20, 1 / 20), np.full(n, 1 / n)
    cuts, signed = _Cuts.of(sides.scores), np.where(y[:n] == 1, 2.0, -2.0) / n
    work = np.empty(cuts.orders.shape)

    def sorts() -> None:
        for values in sides.combine(weights):
            np.argsort(values)
        parts @ sides.scores

    def sums() -> None:
        np.take(signed, cuts.orders, out=work, mode="clip")
        np.cumsum(work, axis=1, out=work)

    return [
        Row(f"a pass of the hard margin, {10 * n:,} × 20", "one product with the weights",
            lambda: add_extremes(large, None, *large.combine(weights)),
            lambda: large.scores @ weights, None),
        Row(f"a value and slope of the soft margin, {n:,} × 20, C = 20", "two products, two sorts",
            lambda: evaluate_soft_margin(sides, weights, 20.0, accuracy=2.5e-8), sorts, None),
        Row(f"best cut of a RankBoost round, {n:,} × 20", "one gather, one running sum",
            lambda: cuts.best(signed), sums, None),
    ]  # fmt: skip


def _budget(quick: bool) -> Row:
    b, n, k = (50, 500, 3) if quick else (200, 5000, 3)
    rng = np.random.default_rng(0)
    predictions = rng.dirichlet(np.full(k, 0.5), (b, n))
    in_bag, y = rng.multinomial(n, np.full(n, 1 / n), b), rng.integers(0, k, n)
    weights, size = np.ones((33, b)), 200
    work = np.empty((k, b, size))

    def averages() -> None:
        for start in range(0, n - size + 1, size):
            np.copyto(work, np.moveaxis(predictions[:, start : start + size], 2, 0))
            weights @ work
            weights @ work

    return Row(
        f"error budget, {b} fits × {n:,} × {k}",
        "a copy, two averages with 33 weights",
        lambda: decompose_predictions(predictions, in_bag, y),
        averages,
        None,
    )


def _trace(quick: bool) -> list[Row]:
    found = []
    for k in (2, 10):
        n = (10**5 if quick else 5 * 10**6) // k
        p = np.random.default_rng(0).dirichlet(np.ones(k), size=n)
        y = np.arange(n) % k
        found.append(
            Row(f"trace of {n * k:.0e} probabilities, k = {k}", "one sort, one running sum",
                lambda p=p, y=y: probability_trace(p, y),
                lambda p=p: np.cumsum(np.sort(p, axis=None)), None)
        )  # fmt: skip
    return found


def _uniform(n: int, columns: int) -> np.ndarray:
    return np.random.default_rng(0).uniform(0.05, 0.95, size=(n, columns))


WHY = {
    "pairwise least squares": "the outputs are transposed to samples last, and k²/2 entries made "
    "of them; compiled C of the same coupling by LIBSVM takes three times as long",
    "Bradley–Terry, pairs": "k²/2 odds and their derivatives a step, which take as long as the "
    "elimination, and the exact number of steps of every row",
    "least squares, random code": "rows whose minimiser lies on the border need several "
    "eliminations, 2.6 on random outputs",
    "least squares, orthogonal": "checks of the outputs, and the projection, as below",
    "votes": "checks of the outputs, shares of votes made to add up to one",
    "loss": "checks of the outputs, exponentials and their sums",
    "simplex projection": "a running sum, its maximum, the shift and a scaling, each a pass over "
    "all points; finite input is checked",
    "error budget": "averages of eight quantities instead of six, checks, votes, and every "
    "sample's five quantities, worked out 33 times",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a tenth of the work, once")
    parser.add_argument("--output", type=Path, help="write the table to this Markdown file")
    arguments = parser.parse_args()
    text = write(arguments.quick)
    if arguments.output:
        arguments.output.write_text(text)


def write(quick: bool) -> str:
    """Measure every kernel, say so, and return the page."""
    found = []
    for row in rows(quick):
        found.append(measure(row, repetitions=1 if quick else 7))
        print(f"  {row.work}: {1 / found[-1].speedup:.2f} times {row.peer}", flush=True)
    return page(found)


def page(found: list[Measured]) -> str:
    lines = ["| kernel | floor | kernel's | floor's | times its floor (spread) | what is beyond |"]
    lines.append("| --- | --- | --- | --- | --- | --- |")
    for one in found:
        low, high = one.spread
        why = next((text for name, text in WHY.items() if one.row.work.startswith(name)), "")
        times = f"{show_time(one.ours)} | {show_time(one.theirs)}"
        ratio = f"{1 / one.speedup:.2f} ({1 / high:.2f} to {1 / low:.2f})"
        lines.append(f"| {one.row.work} | {one.row.peer} | {times} | {ratio} | {why} |")
    return (
        "# Kernels and their floors\n\n"
        "A floor is the least array work that a kernel cannot do without, done by NumPy in the\n"
        "same chunks: no checks, no ties, no test of convergence. One thread, interleaved,\n"
        "medians of seven. Peers that do the whole work are on another page: {doc}`speed`.\n\n"
        + "\n".join(lines)
        + f"\n\nMeasured on {machine()}.\n\n"
        "To repeat: `python benchmarks/floors.py --output docs/results/floors.md`.\n"
    )


if __name__ == "__main__":
    main()
