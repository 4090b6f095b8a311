"""Decoding on a graphics card, beside what the card could do at best.

    python benchmarks/gpu.py [--rows 100000000] [--output docs/results/gpu.md] [--quick]

Needs PyTorch with CUDA. The floor of decoding is bytes in + bytes out over the bandwidth of a copy
measured in the same run. Errors are those of the card's single precision beside NumPy's double on
the same rows. ``--quick`` takes a thousandth of the rows, and runs without a card too.
"""

from __future__ import annotations

import argparse
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import torch

from polychotomy.codes import one_vs_one
from polychotomy.decoding import make_decoder
from polychotomy.decoding.decode import decode
from speed_decoding import pairwise_outputs

K = 10
ON = "cuda" if torch.cuda.is_available() else "cpu"
CHECKED = 20_000  # rows compared with NumPy


@dataclass(frozen=True)
class Line:
    work: str
    seconds: float
    floor: float
    target: float | None
    error: float
    first: float  # seconds of the first call

    def __str__(self) -> str:
        times = self.seconds / self.floor
        goal = "–" if self.target is None else f"{self.target:g}×"
        reached = "" if self.target is None else "reached" if times <= self.target else "**missed**"
        return (
            f"| {self.work} | {self.seconds * 1e3:.4g} ms | {self.floor * 1e3:.4g} ms | "
            f"{times:.3g}× | {goal} | {reached} | {self.error:.1e} | {self.first:.3g} s |"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=100_000_000)
    parser.add_argument("--quick", action="store_true", help="a thousandth of the rows")
    parser.add_argument("--output", type=Path, help="write the page to this Markdown file")
    arguments = parser.parse_args()
    n = arguments.rows // (1000 if arguments.quick else 1)
    tests = "" if arguments.quick else run_tests()
    bandwidth = copy_bandwidth(n)
    print(tests, flush=True)
    print(f"{device_name()}: copy {bandwidth / 1e12:.3g} TB/s", flush=True)
    lines = []
    for line in measurements(n, bandwidth):
        print(line, flush=True)
        lines.append(line)
        if arguments.output:
            arguments.output.write_text(page(lines, bandwidth, n, tests))


def measurements(n: int, bandwidth: float) -> Any:
    outputs = make_outputs(n)
    floor = (n * (K * (K - 1) // 2) + n * K) * 4 / bandwidth
    code = one_vs_one(K)
    for decoder, target in (("least-squares", 70.0), ("bradley-terry", None)):
        work = make_decoder(code, decoder=decoder)
        seconds, first = clock(partial(work, outputs))
        error = decoding_error(work(outputs)[:CHECKED], outputs[:CHECKED], decoder)
        yield Line(f"{decoder}, k = {K}, {n:,} rows", seconds, floor, target, error, first)


def make_outputs(n: int) -> torch.Tensor:
    """Outputs as learners make them, a million different rows repeated; single precision."""
    some = torch.asarray(pairwise_outputs(K, min(n, 1_000_000)), dtype=torch.float32, device=ON)
    return some.repeat(-(-n // len(some)), 1)[:n].contiguous()


def decoding_error(p: torch.Tensor, outputs: torch.Tensor, decoder: str) -> float:
    exact = decode(one_vs_one(K), outputs.cpu().numpy(), decoder=decoder)
    return float(np.abs(p.cpu().numpy() - exact).max())


def copy_bandwidth(n: int) -> float:
    """Bytes read and written a second by a copy of as many bytes as the outputs of n rows."""
    source = torch.zeros(n * 45, dtype=torch.float32, device=ON)
    target = torch.empty_like(source)
    seconds, _ = clock(lambda: target.copy_(source))
    return 2 * source.numel() * 4 / seconds


def clock(work: Callable[[], Any], repetitions: int = 5) -> tuple[float, float]:
    """Median seconds of some calls after the first, and those of the first."""
    first = _seconds(work)
    return median(_seconds(work) for _ in range(repetitions)), first


def _seconds(work: Callable[[], Any]) -> float:
    wait()
    start = time.perf_counter()
    result = work()
    wait()
    del result
    return time.perf_counter() - start


def wait() -> None:
    if ON == "cuda":
        torch.cuda.synchronize()


def run_tests() -> str:
    """Run the tests of array libraries on the card and say how many passed."""
    files = [
        "tests/decoding/test_namespaces.py",
        "tests/decoding/test_paths.py",
    ]
    command = [sys.executable, "-m", "pytest", "-q", "-k", "cuda or cupy", *files]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    print(done.stdout[-2000:], flush=True)
    passed = done.stdout.splitlines()[-1]
    return f" The tests of array libraries with PyTorch and CuPy on it: {passed}."


def device_name() -> str:
    return torch.cuda.get_device_name() if ON == "cuda" else "no graphics card: the processor"


def page(lines: list[Line], bandwidth: float, n: int, tests: str) -> str:
    table = "\n".join(map(str, lines))
    return (
        "# On a graphics card\n\n"
        "Decoding in single precision, the arrays already on the card and the result left there.\n"
        "The floor is bytes in + bytes out over the bandwidth of a copy, measured in the same\n"
        "run. Medians of five calls; “first” is the first call. The error is the largest\n"
        "difference from NumPy in double precision. Work is done in chunks, so that memory\n"
        "beside input and output stays bounded.\n\n"
        "| work | time | floor | times the floor | target | | error | first |\n"
        "| --- | --- | --- | --- | --- | --- | --- | --- |\n"
        f"{table}\n\n"
        f"Measured on {device_name()} (copy {bandwidth / 1e12:.3g} TB/s, read and written); "
        f"PyTorch {torch.__version__}, CUDA {torch.version.cuda}, NumPy {np.__version__}, "
        f"Python {platform.python_version()}.{tests}\n\n"
        f"To repeat: `python benchmarks/gpu.py --rows {n} --output docs/results/gpu.md`.\n"
    )


if __name__ == "__main__":
    main()
