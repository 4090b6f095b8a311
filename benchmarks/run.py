"""Every measurement of speed: comparisons with peers, floors and growth, one command.

    python benchmarks/run.py --output docs/results/speed.md       # all, some 15 minutes
    python benchmarks/run.py --only decoding startup --output docs/results/speed.md
    python benchmarks/run.py --save benchmarks/baseline.csv       # keep the ratios
    python benchmarks/run.py --compare benchmarks/baseline.csv    # say what got slower

Each row is the same work done by ours and by a peer, interleaved; the ratio is that of the medians.
Run it on a quiet machine. What is not measured keeps its place in the table and in the baseline.
The pages floors.md and growth.md, with its curves, are written beside the table. ``--quick`` takes
smaller work, to see that everything runs; its ratios are of another work and are not to be compared
with the others.
"""

from __future__ import annotations

import argparse
import csv
import os
import time
import traceback
from importlib import import_module
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

import floors  # noqa: E402 - after the threads
import growth  # noqa: E402
from side_by_side import Measured, machine, markdown, measure  # noqa: E402

SLOWER = 0.8  # of the baseline's ratio: less is told, where the two spreads do not overlap either
PAGES = ("floors", "growth")  # with pages of their own


def main() -> None:
    arguments = _arguments()
    names = choose(arguments.only, quick=arguments.quick)
    found: dict[str, list[Measured]] = {}
    failed = []
    for name in names:
        start = time.perf_counter()
        print(f"{name}:", flush=True)
        try:
            _measure(name, found, names, arguments)
        except Exception:  # the others are still worth their time; the exit code tells
            traceback.print_exc()
            failed.append(name)
        print(f"{name}: {time.perf_counter() - start:.0f} s", flush=True)
    if arguments.save:
        save(ratios(found), arguments.save)
    slower = compare(ratios(found), load(arguments.compare)) if arguments.compare else []
    if arguments.compare:
        print("\n".join(slower) or "no ratio fell below its baseline")
    if failed:
        print(f"failed, and left as they were: {', '.join(failed)}")
    raise SystemExit(1 if slower or failed else 0)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="smaller work, one repetition")
    parser.add_argument("--only", nargs="+", default=[], help="some of the names it prints")
    parser.add_argument("--output", type=Path, help="write or mend the table in this Markdown file")
    parser.add_argument("--save", type=Path, help="write or mend the ratios in this CSV file")
    parser.add_argument(
        "--compare", type=Path, help="say which ratios fell below those of this CSV file"
    )
    return parser.parse_args()


def choose(only: list[str], *, quick: bool) -> list[str]:
    """The names asked for, all by default; the quick run leaves the pages to their own scripts.

    >>> choose(["startup,decoding"], quick=False)
    ['startup', 'decoding']
    """
    tables = sorted(
        path.stem.removeprefix("speed_") for path in Path(__file__).parent.glob("speed_*.py")
    )
    asked = [name for part in only for name in part.split(",") if name]
    unknown = sorted(set(asked) - {*tables, *PAGES})
    if unknown:
        known = ", ".join([*tables, *PAGES])
        raise SystemExit(f"no benchmark for {', '.join(unknown)}; there are {known}")
    return asked or (tables if quick else [*tables, *PAGES])


def _measure(
    name: str, found: dict[str, list[Measured]], names: list[str], arguments: argparse.Namespace
) -> None:
    """Measure one table or page and write it at once: an interrupted run keeps what it has."""
    folder = arguments.output.parent if arguments.output else None
    if name == "floors":
        text = floors.write(arguments.quick)
        if folder:
            (folder / "floors.md").write_text(text)
        return
    if name == "growth":
        growth.write(growth.measure_all(arguments.quick), folder)
        return
    measured = []
    for row in import_module(f"speed_{name}").rows(quick=arguments.quick):
        measured.append(measure(row, repetitions=1 if arguments.quick else 5))
        print(f"  {row.work}: {measured[-1].speedup:.3g} times {row.peer}", flush=True)
    found[name] = measured
    if arguments.output:
        together = [other for other in names if other not in PAGES]
        old = arguments.output.read_text() if arguments.output.exists() else ""
        arguments.output.write_text(mend(old, name, section(measured, name, together)))


Ratios = dict[tuple[str, str, str], tuple[float, float, float]]
"""Package, work and peer → the ratio, its smallest and its largest."""


def ratios(found: dict[str, list[Measured]]) -> Ratios:
    return {
        (name, one.row.work, one.row.peer): (one.speedup, *one.spread)
        for name, measured in found.items()
        for one in measured
    }


def save(now: Ratios, path: Path) -> None:
    """Write the ratios; those of packages that were not measured stay."""
    packages = {key[0] for key in now}
    old = load(path) if path.exists() else {}
    kept = {key: values for key, values in old.items() if key[0] not in packages}
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("package", "work", "peer", "times_faster", "smallest", "largest"))
        for key, values in sorted({**kept, **now}.items(), key=lambda item: item[0][0]):
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


def compare(now: Ratios, baseline: Ratios) -> list[str]:
    """Say which ratios fell clearly, and which rows one of the two does not have.

    >>> key = ("decoding", "projection", "scipy")
    >>> compare({key: (2.0, 1.9, 2.1)}, {key: (4.0, 3.9, 4.1)})
    ['slower: projection (decoding): 2 times, was 4']
    """
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


def section(measured: list[Measured], name: str, together: list[str]) -> str:
    others = [other for other in together if other != name]
    beside = f"in one run with {', '.join(others)}" if others else "by itself"
    return f"Measured {beside}, on {machine()}.\n\n{markdown(measured)}"


def mend(page: str, name: str, text: str) -> str:
    """Put a section in its place in the page, those of other names staying as they are.

    >>> mended = mend(mend("", "startup", "one\\n"), "decoding", "two\\n")
    >>> mend(mended, "startup", "three\\n").split("## ")[1:]
    ['decoding\\n\\ntwo\\n\\n', 'startup\\n\\nthree\\n']
    """
    _, *old = page.split("\n## ")
    sections = dict(part.split("\n", 1) for part in old)
    sections[name] = text
    parts = [f"## {each}\n\n{sections[each].strip()}\n" for each in sorted(sections)]
    return HEAD + "\n".join(parts)


HEAD = """# Speed, side by side

Ours and a peer's on the same work in the same process, interleaved, five times each after one
unmeasured call of ours; one thread, unless a row says two. “Times faster” is the peer's median time
over ours, with the smallest and largest ratio of the five. A peer that would take minutes, doing
one row after another, is timed on the first rows only, as it says, and its time multiplied. Made by

```
python benchmarks/run.py --output docs/results/speed.md
```

How far each kernel is from the least it must do: {doc}`floors`; how it grows: {doc}`growth`; what
is missed: {doc}`speed_misses`.

"""


if __name__ == "__main__":
    main()
