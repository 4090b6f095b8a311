"""Speed of the decoders beside peers, interleaved, as ratios; one thread unless a row says two.

    python benchmarks/speed_decoding.py [--quick]

The peers: LIBSVM's Gauss–Seidel coupling (compiled here from libsvm_coupling.c with gcc -O3), at
its default tolerance and at one that is as exact as ours; choix; scipy's SLSQP.
"""

from __future__ import annotations

import argparse
import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

from polychotomy.codes import one_vs_one, random_dense
from polychotomy.decoding import decode_bradley_terry, decode_least_squares, project_to_simplex
from side_by_side import Row, machine, markdown, measure

Coupling = Callable[[np.ndarray, int, float], np.ndarray]


def rows(quick: bool) -> list[Row]:
    """The comparisons; ``quick`` does a tenth of the work."""
    n = 10_000 if quick else 100_000
    found = [_projection(n * 10), _bradley_terry(n), _general(n // 10)]
    if shutil.which("gcc"):
        libsvm = compile_libsvm()
        sizes = ((3, n, 3.0), (10, n, 3.0), (100, max(1000, n // 20), 1.2))
        found += [_least_squares(libsvm, k, m, target) for k, m, target in sizes]
        found += [_least_squares_exactly(libsvm, k, m) for k, m, _ in sizes]
    return found


def pairwise_outputs(k: int, n: int, *, seed: int = 0) -> np.ndarray:
    """Outputs as learners make them: of random classes, with noise of 0.5 on their logits."""
    generator = np.random.default_rng(seed)
    p = np.log(generator.dirichlet(np.full(k, 0.5), size=n) + 1e-6)
    first, second = np.triu_indices(k, 1)
    logits = p[:, first] - p[:, second] + 0.5 * generator.normal(size=(n, len(first)))
    return np.ascontiguousarray(1 / (1 + np.exp(-logits)))


def compile_libsvm() -> Coupling:
    """Compile the C file beside this one and return its function."""
    source = Path(__file__).with_name("libsvm_coupling.c")
    library = Path(tempfile.mkdtemp()) / "libsvm_coupling.so"
    command = ["gcc", "-O3", "-shared", "-fPIC"]
    subprocess.run([*command, str(source), "-o", str(library), "-lm"], check=True)
    function = ctypes.CDLL(str(library)).couple
    numbers = np.ctypeslib.ndpointer(dtype=np.float64, flags="C_CONTIGUOUS")
    function.argtypes = [ctypes.c_long, ctypes.c_int, ctypes.c_double, numbers, numbers]
    function.restype = ctypes.c_long

    def couple(r: np.ndarray, k: int, tolerance: float) -> np.ndarray:
        p = np.empty((len(r), k))
        function(len(r), k, tolerance, r, p)
        return p

    return couple


def _least_squares(libsvm: Coupling, k: int, n: int, target: float) -> Row:
    r, code = pairwise_outputs(k, n), one_vs_one(k)
    error = np.abs(libsvm(r[:1000], k, 0.005 / k) - decode_least_squares(code, r[:1000])).max()
    return Row(
        f"pairwise least squares, k = {k}, {n:,} rows",
        f"LIBSVM's sweeps in C, default tolerance (errors to {error:.0e})",
        lambda: decode_least_squares(code, r),
        lambda: libsvm(r, k, 0.005 / k),
        target,
    )


def _least_squares_exactly(libsvm: Coupling, k: int, n: int) -> Row:
    r, code = pairwise_outputs(k, n), one_vs_one(k)
    error = np.abs(libsvm(r[:1000], k, 1e-12) - decode_least_squares(code, r[:1000])).max()
    return Row(
        f"pairwise least squares, k = {k}, {n:,} rows",
        f"LIBSVM's sweeps in C, tolerance 1e-12 (errors to {error:.0e})",
        lambda: decode_least_squares(code, r),
        lambda: libsvm(r, k, 1e-12),
        None,
    )


def _bradley_terry(n: int) -> Row:
    import choix

    k, done = 10, max(20, n // 500)
    r, code = pairwise_outputs(k, n), one_vs_one(k)
    first, second = np.triu_indices(k, 1)
    tables = np.zeros((done, k, k))
    tables[:, first, second], tables[:, second, first] = r[:done], 1 - r[:done]
    return Row(
        f"Bradley–Terry, k = {k}, {n:,} rows",
        "choix ilsr_pairwise_dense, a row at a time",
        lambda: decode_bradley_terry(code, r),
        lambda: [choix.ilsr_pairwise_dense(table) for table in tables],
        150.0,
        scale=n / done,
    )


def _projection(n: int) -> Row:
    k, done = 10, 50
    points = np.random.default_rng(0).normal(1 / k, 0.3, size=(n, k))
    return Row(
        f"simplex projection, k = {k}, {n:,} rows",
        "scipy SLSQP, a row at a time",
        lambda: project_to_simplex(points),
        lambda: [_project_by_slsqp(x) for x in points[:done]],
        1000.0,
        scale=n / done,
    )


def _project_by_slsqp(x: np.ndarray) -> np.ndarray:
    return minimize(
        lambda p: ((p - x) ** 2).sum(),
        np.full(len(x), 1 / len(x)),
        jac=lambda p: 2 * (p - x),
        bounds=[(0, None)] * len(x),
        constraints={"type": "eq", "fun": lambda p: p.sum() - 1, "jac": np.ones_like},
        method="SLSQP",
        options={"ftol": 1e-12},
    ).x


def _general(n: int) -> Row:
    k, done = 10, 20
    code = random_dense(k, length=15, random_state=0)
    plus, both = (code > 0).astype(float), np.abs(code).astype(float)
    q = np.random.default_rng(0).random((n, len(code)))

    def fit(q: np.ndarray) -> np.ndarray:
        v = plus - q[:, None] * both
        return minimize(
            lambda p: ((v @ p) ** 2).sum(),
            np.full(k, 1 / k),
            jac=lambda p: 2 * v.T @ (v @ p),
            bounds=[(0, None)] * k,
            constraints={"type": "eq", "fun": lambda p: p.sum() - 1, "jac": np.ones_like},
            method="SLSQP",
            options={"ftol": 1e-12},
        ).x

    return Row(
        f"least squares, random code of 15 rows, k = {k}, {n:,} rows",
        "scipy SLSQP, a row at a time",
        lambda: decode_least_squares(code, q),
        lambda: [fit(row) for row in q[:done]],
        None,
        scale=n / done,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a tenth of the work")
    print(machine(), end="\n\n")
    print(markdown(measure(row) for row in rows(parser.parse_args().quick)))


if __name__ == "__main__":
    main()
