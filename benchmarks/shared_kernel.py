"""From how many features on does sharing the kernel matrix between the fits of a code pay?

    python benchmarks/shared_kernel.py --output docs/results [--repetitions 1] [--seed 0]

``CodedClassifier`` fits SVCs on shared kernel matrices where LIBSVM alone
would be slower. Here each code is fitted both ways at many numbers of features, one after the
other, on one thread; that both give the same probabilities is checked. The limit in
``polychotomy.multiclass.shared_kernel`` comes from these ratios.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pandas as pd
from sklearn.datasets import make_classification
from sklearn.svm import SVC
from threadpoolctl import threadpool_limits

from polychotomy import CodedClassifier
from polychotomy.multiclass import shared_kernel

FEATURES = (10, 20, 30, 50, 100, 200)
SIZES = (400, 1200)
CODES = {"orthogonal": "orthogonal"}
CALIBRATIONS = {"calibrated": "sigmoid", "not calibrated": None}
CLASSES = 8
NEVER = 10**9


def problem(n: int, features: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    return make_classification(
        n,
        features,
        n_informative=8,
        n_redundant=0,
        n_classes=CLASSES,
        n_clusters_per_class=1,
        class_sep=2.0,
        random_state=seed,
    )


def fit(
    X: np.ndarray, y: np.ndarray, code: str, calibration: str | None, *, shared: bool
) -> tuple[float, CodedClassifier]:
    """Processor seconds of a fit with the kernel always shared, or never."""
    least = 0 if shared else NEVER
    model = CodedClassifier(SVC(C=10), code=code, calibration=calibration)
    with patch.object(shared_kernel, "_FEATURES", least):
        start = time.process_time()
        model.fit(X, y)
        return time.process_time() - start, model


def ratio(n: int, features: int, code: str, calibration: str | None, trials: int, seed: int):
    """Median over trials of seconds by LIBSVM alone to seconds with sharing."""
    found = []
    for trial in range(trials):
        X, y = problem(n, features, seed + trial)
        alone, plain = fit(X, y, code, calibration, shared=False)
        together, other = fit(X, y, code, calibration, shared=True)
        np.testing.assert_allclose(plain.predict_proba(X), other.predict_proba(X), atol=1e-6)
        found.append(alone / together)
    return float(np.median(found))


def table(repetitions: int, seed: int) -> pd.DataFrame:
    rows = [
        {
            "code": name,
            "fits": words,
            "n": n,
            "features": features,
            "ratio": ratio(n, features, code, calibration, repetitions, seed),
        }
        for name, code in CODES.items()
        for words, calibration in CALIBRATIONS.items()
        for n in SIZES
        for features in FEATURES
    ]
    return pd.DataFrame(rows)


def crossover(ratios: pd.Series) -> str:
    """The fewest features from which on sharing never loses, of those tried."""
    losing = [features for features, value in ratios.items() if value < 1]
    winning = [features for features in FEATURES if features > max(losing, default=0)]
    return str(winning[0]) if winning else f"beyond {FEATURES[-1]}"


def markdown(frame: pd.DataFrame, repetitions: int, seed: int) -> str:
    wide = frame.pivot_table("ratio", ["code", "fits", "n"], "features", sort=False)
    head = ["code", "fits", "n", *map(str, FEATURES), "pays from"]
    lines = ["| " + " | ".join(head) + " |", "| " + " | ".join("---" for _ in head) + " |"]
    for (code, fits, n), ratios in wide.iterrows():
        cells = [code, fits, str(n), *(f"{value:.2f}" for value in ratios), crossover(ratios)]
        lines.append("| " + " | ".join(cells) + " |")
    command = f"--output docs/results --repetitions {repetitions} --seed {seed}"
    how_often = "once" if repetitions == 1 else f"the median of {repetitions}"
    return f"""# From how many features on sharing the kernel pays

Processor seconds to fit `CodedClassifier(SVC(C=10))` by LIBSVM alone, divided by those with kernel
values shared between the fits: above 1, sharing is faster. {CLASSES} classes, n rows, a column
for each number of features; one thread, both ways one after the other, {how_often}. Both ways
give the same machines. A code of −1 and +1 alone trains every dichotomy on the same rows, so that a
kernel matrix serves many fits. One-vs-one has rows of its own for each pair: sharing hardly ever
paid there for fits pair by pair. (All pairs are trained by one call of LIBSVM instead, on one
matrix where they are calibrated.)

{chr(10).join(lines)}

The classifier shares from {shared_kernel._FEATURES} features on where there is memory to keep the
matrices. With more rows sharing pays later, for which the limit leaves room. Single ratios vary by
a tenth or two.

Repeat with (one thread: `OMP_NUM_THREADS=1`):

```
python benchmarks/shared_kernel.py {command}
```
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--repetitions", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    with threadpool_limits(1):
        frame = table(arguments.repetitions, arguments.seed)
    arguments.output.mkdir(parents=True, exist_ok=True)
    frame.to_csv(arguments.output / "shared_kernel.csv", index=False, float_format="%.4g")
    page = markdown(frame, arguments.repetitions, arguments.seed)
    (arguments.output / "shared_kernel.md").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
