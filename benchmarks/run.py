"""Every speed comparison, side by side with a peer in one process: one table.

    python benchmarks/run.py [--quick] [--only decoding,comparison] [--output docs/results/speed.md]
    python benchmarks/run.py --save benchmarks/baseline.csv       # keep the ratios
    python benchmarks/run.py --compare benchmarks/baseline.csv    # say what got slower

Each row is the same work done by ours and by a peer, interleaved; the ratio is that of the medians.
Run it on a quiet machine. ``--quick`` takes smaller work, to see that everything runs; its ratios
are of another work and are not to be compared with the others.
"""

from __future__ import annotations

import argparse
import csv
import os
from importlib import import_module
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

from side_by_side import Measured, machine, markdown, measure  # noqa: E402 - after the threads

SLOWER = 0.8  # of the baseline's ratio: less is told, where the two spreads do not overlap either


def main() -> None:
    arguments = _arguments()
    found: dict[str, list[Measured]] = {}
    for name in _modules(arguments.only):
        rows = import_module(f"speed_{name}").rows(quick=arguments.quick)
        print(f"{name}: {len(rows)} rows", flush=True)
        found[name] = []
        for row in rows:
            one = measure(row, repetitions=1 if arguments.quick else 5)
            print(f"  {row.work}: {one.speedup:.3g} times {row.peer}", flush=True)
            found[name].append(one)
    if arguments.output:
        arguments.output.write_text(_page(found, arguments.only))
    if arguments.save:
        save(found, arguments.save)
    if arguments.compare:
        slower = compare(found, load(arguments.compare))
        print("\n".join(slower) or "no ratio fell below its baseline")
        raise SystemExit(1 if slower else 0)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="smaller work, one repetition")
    parser.add_argument("--only", default="", help="packages, separated by commas")
    parser.add_argument("--output", type=Path, help="write the table to this Markdown file")
    parser.add_argument("--save", type=Path, help="write the ratios to this CSV file")
    parser.add_argument(
        "--compare", type=Path, help="say which ratios fell below those of this CSV file"
    )
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


Ratios = dict[tuple[str, str, str], tuple[float, float, float]]
"""Package, work and peer → the ratio, its smallest and its largest."""


def ratios(found: dict[str, list[Measured]]) -> Ratios:
    return {
        (name, one.row.work, one.row.peer): (one.speedup, *one.spread)
        for name, measured in found.items()
        for one in measured
    }


def save(found: dict[str, list[Measured]], path: Path) -> None:
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("package", "work", "peer", "times_faster", "smallest", "largest"))
        for key, values in ratios(found).items():
            writer.writerow((*key, *(f"{value:.4g}" for value in values)))


def load(path: Path) -> Ratios:
    with path.open(newline="") as file:
        return {
            (row["package"], row["work"], row["peer"]): (
                float(row["times_faster"]),
                float(row["smallest"]),
                float(row["largest"]),
            )
            for row in csv.DictReader(file)
        }


def compare(found: dict[str, list[Measured]], baseline: Ratios) -> list[str]:
    """Say which ratios fell clearly, and which rows one of the two does not have."""
    now = ratios(found)
    packages = {key[0] for key in now}
    lines = []
    for key, (was, least, _) in baseline.items():
        if key[0] not in packages:
            continue
        if key not in now:
            lines.append(f"gone: {key[1]} ({key[0]}), against {key[2]}")
        elif now[key][0] < SLOWER * was and now[key][2] < least:
            lines.append(f"slower: {key[1]} ({key[0]}): {now[key][0]:.3g} times, was {was:.3g}")
    new = [key for key in now if key not in baseline]
    return lines + [f"not in the baseline: {key[1]} ({key[0]})" for key in new]


def _page(found: dict[str, list[Measured]], only: str) -> str:
    parts = [f"## {name}\n\n{markdown(measured)}" for name, measured in found.items()]
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
