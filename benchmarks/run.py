"""Every speed comparison, side by side with a peer in one process: one table.

    python benchmarks/run.py [--quick] [--only decoding,comparison] [--output docs/results/speed.md]

Each row is the same work done by ours and by a peer, interleaved; the ratio is that of the medians.
Run it on a quiet machine. ``--quick`` takes smaller work, to see that everything runs.
"""

from __future__ import annotations

import argparse
import os
from importlib import import_module
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

from side_by_side import machine, markdown, measure  # noqa: E402 - after the threads


def main() -> None:
    arguments = _arguments()
    parts = []
    for name in _modules(arguments.only):
        rows = import_module(f"speed_{name}").rows(quick=arguments.quick)
        print(f"{name}: {len(rows)} rows", flush=True)
        measured = []
        for row in rows:
            one = measure(row, repetitions=3 if arguments.quick else 5)
            print(f"  {row.work}: {one.speedup:.3g} times {row.peer}", flush=True)
            measured.append(one)
        parts.append(f"## {name}\n\n{markdown(measured)}")
    if arguments.output:
        arguments.output.write_text(_page(parts, arguments.only))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="smaller work, three repetitions")
    parser.add_argument("--only", default="", help="packages, separated by commas")
    parser.add_argument("--output", type=Path, help="write the table to this Markdown file")
    return parser.parse_args()


def _modules(only: str) -> list[str]:
    found = sorted(
        path.stem.removeprefix("speed_") for path in Path(__file__).parent.glob("speed_*.py")
    )
    asked = [name.strip() for name in only.split(",") if name.strip()] or found
    unknown = sorted(set(asked) - set(found))
    if unknown:
        raise SystemExit(f"no benchmark for {', '.join(unknown)}; there are {', '.join(found)}")
    return asked


def _page(parts: list[str], only: str) -> str:
    chosen = f" --only {only}" if only else ""
    head = (
        "# Speed, side by side\n\n"
        "Ours and a peer's on the same work in the same process, one thread, interleaved, five\n"
        "times each after one unmeasured call of ours. “Times faster” is the peer's median time\n"
        "over ours, with the smallest and largest ratio of the five. Made by\n\n"
        f"```\npython benchmarks/run.py{chosen} --output docs/results/speed.md\n```\n\n"
        f"on {machine()}.\n\n"
    )
    return head + "\n".join(parts)


if __name__ == "__main__":
    main()
