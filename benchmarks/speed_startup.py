"""Start-up beside the parts it cannot do without: new processes, interleaved, as ratios.

    python benchmarks/speed_startup.py

``import polychotomy`` loads nothing that is not asked for, so it stands beside ``import numpy``;
the first estimator stands beside scikit-learn's own; ``--help`` beside a program of typer's that
does nothing.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable

from side_by_side import Row, markdown, measure

OURS = "import sys; sys.argv[1:] = ['--help']; from polychotomy.cli import main; main()"
BARE = "import typer\napp = typer.Typer()\n@app.command()\ndef judge(): pass\napp(['--help'])"


def rows(quick: bool) -> list[Row]:
    del quick  # a process starts in the same time either way
    sklearn = python("from sklearn.multiclass import OneVsOneClassifier; import sklearn.svm")
    return [
        Row(
            "import polychotomy",
            "import numpy",
            python("import polychotomy"),
            python("import numpy"),
            target=1.0,
        ),
        Row(
            "from polychotomy import CodedClassifier",
            "scikit-learn's OneVsOneClassifier and svm (1/1.25: a quarter more)",
            python("from polychotomy import CodedClassifier"),
            sklearn,
            target=0.8,
        ),
        Row(
            "polychotomy --help",
            "a bare typer program's --help (1/1.25: a quarter more)",
            python(OURS),
            python(BARE),
            target=0.8,
        ),
    ]


def python(code: str) -> Callable[[], object]:
    """A new interpreter that runs some code."""
    return lambda: subprocess.run(
        [sys.executable, "-c", code], stdout=subprocess.DEVNULL, check=True
    )


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    print(markdown([measure(row, repetitions=7) for row in rows(quick=False)]))


if __name__ == "__main__":
    main()
