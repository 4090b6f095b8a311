"""Speed of CodedClassifier beside scikit-learn: one thread, interleaved, as ratios.

    python benchmarks/speed_multiclass.py [--quick]
    python benchmarks/speed_multiclass.py --shapes
    python benchmarks/speed_multiclass.py --data DIR [--output docs/results]

The first prints the speed table: ten classes, 3000 training rows of 256 features, 3000 new rows.
The second prints time in units of SVC's own for few and many classes, by the processor's clock,
which a busy machine does not stretch as much. The third also compares log losses with
``SVC(probability=True)`` over 20 splits of ``segment`` and ``sat`` from DIR, and writes
``multiclass_svc_log_loss.md`` and ``.csv``.
"""

from __future__ import annotations

import argparse
import csv
import time
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import wilcoxon
from sklearn.datasets import make_classification
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split
from sklearn.multiclass import OutputCodeClassifier
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from polychotomy.codes import random_dense
from polychotomy.multiclass import CodedClassifier
from side_by_side import Row, machine, markdown, measure

FEATURES, CLASSES, LENGTH = 256, 10, 15
SPLITS, SEED = 20, 0
SHAPES = ((30, 6), (10, 100), (100, 6), (100, 30), (10, 1000), (100, 200))


@cache
def problem(n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, float]:
    """Training rows and labels, new rows and labels, and the γ that "scale" gives."""
    X, y = make_classification(
        2 * n, FEATURES, n_informative=30, n_classes=CLASSES, class_sep=1.5, random_state=SEED
    )
    return X[:n], y[:n], X[n:], y[n:], 1 / (FEATURES * X[:n].var())


def rows(quick: bool) -> list[Row]:
    """The comparisons; ``quick`` takes a third of the samples."""
    warnings.filterwarnings("ignore", message="The `probability` parameter was deprecated")
    n = 1000 if quick else 3000
    X, y, new, _, gamma = problem(n)
    svc = SVC(gamma=gamma)
    code = random_dense(CLASSES, length=LENGTH, random_state=SEED)
    ours_code = CodedClassifier(svc, code=code, decoder="loss", calibration=None)
    peer_code = OutputCodeClassifier(svc, code_size=LENGTH / CLASSES, random_state=SEED)
    coded, peer = ours_code.fit(X, y), peer_code.fit(X, y)
    pairs, alone = CodedClassifier(svc, calibration=None).fit(X, y), SVC(gamma=gamma).fit(X, y)
    calibrated = CodedClassifier(svc)
    probable = SVC(gamma=gamma, probability=True, random_state=SEED)
    size = f"{n} × {FEATURES}"
    return [
        Row(f"predict, {LENGTH} RBF SVCs, {size}", "OutputCodeClassifier(SVC)",
            lambda: coded.predict(new), lambda: peer.predict(new), 30),
        Row(f"predict, one-vs-one RBF SVC, {size}", "SVC",
            lambda: pairs.predict(new), lambda: alone.predict(new), 5),
        Row(f"fit, {LENGTH} RBF SVCs, {size}", "OutputCodeClassifier(SVC)",
            lambda: ours_code.fit(X, y), lambda: peer_code.fit(X, y), 3),
        Row(f"fit + predict_proba, RBF SVC, {size}", "SVC(probability=True)",
            lambda: calibrated.fit(X, y).predict_proba(new),
            lambda: probable.fit(X, y).predict_proba(new), 1),
        *(row for k, size in SHAPES[: 2 if quick else None] for row in against_svc(k, size)[:2]),
    ]  # fmt: skip


def against_svc(k: int, size: int) -> list[Row]:
    """What calibrated probabilities of all pairs cost an SVC, at k classes of some samples."""
    rng = np.random.default_rng(SEED)
    y = np.repeat(np.arange(k), size)
    X = rng.normal(size=(k, 16))[y] + rng.normal(size=(y.size, 16))
    new = rng.normal(size=(2000, 16))
    ours, alone = CodedClassifier(SVC()).fit(X, y), SVC().fit(X, y)
    probable = SVC(probability=True, random_state=SEED)
    name = f"RBF SVC, {k} classes × {size} × 16"
    return [
        Row(f"fit, {name}", "SVC", lambda: ours.fit(X, y), lambda: alone.fit(X, y), 1 / 3),
        Row(f"predict, {name}", "SVC", lambda: ours.predict(new), lambda: alone.predict(new), 0.5),
        Row(f"fit, {name}", "SVC", lambda: probable.fit(X, y), lambda: alone.fit(X, y), None),
    ]


def units_of_svc(k: int, size: int) -> str:
    """Medians of five ratios, each of three fits or predictions by the processor's clock."""

    def seconds(work: Callable[[], object]) -> float:
        start = time.process_time()
        for _ in range(3):
            work()
        return time.process_time() - start

    found = [
        float(np.median([seconds(row.ours) / seconds(row.theirs) for _ in range(5)]))
        for row in against_svc(k, size)
    ]
    return f"| {k} × {size} | {found[0]:.1f} | {found[1]:.1f} | {found[2]:.1f} |"


def log_losses(folder: Path) -> list[dict[str, object]]:
    """Log loss, error and seconds of each candidate on 20 splits of two data sets."""
    candidates = {
        "SVC(probability=True)": SVC(probability=True, random_state=SEED),
        "CodedClassifier(SVC())": CodedClassifier(SVC()),
        "CodedClassifier(SVC(), decoder='bradley-terry')": CodedClassifier(
            SVC(), decoder="bradley-terry"
        ),
    }
    found: list[dict[str, object]] = []
    for name in ("segment", "sat"):
        table = pd.read_csv(folder / f"{name}.csv.gz")
        y = table.pop("class").to_numpy()
        for split in range(SPLITS):
            train, test, y_train, y_test = train_test_split(
                table.to_numpy(float), y, test_size=0.3, random_state=split, stratify=y
            )
            scaler = StandardScaler().fit(train)
            train, test = scaler.transform(train), scaler.transform(test)
            for candidate, model in candidates.items():
                start = time.process_time()
                p = model.fit(train, y_train).predict_proba(test)
                seconds = time.process_time() - start
                found.append(
                    {"data": name, "split": split, "candidate": candidate,
                     "log_loss": log_loss(y_test, p, labels=model.classes_),
                     "error": float((model.predict(test) != y_test).mean()),
                     "seconds": seconds}
                )  # fmt: skip
    return found


def report(found: list[dict[str, object]]) -> str:
    table = pd.DataFrame(found)
    lines = [
        "# Probabilities of an RBF SVC\n",
        "Standardised features, 70 % to train on, 20 stratified splits; means over splits, "
        "processor seconds for fit and predict_proba, and Wilcoxon's signed-rank test of the log "
        "losses against `SVC(probability=True)` (splits overlap: its p-value is a "
        "description).\n",
        "| data | candidate | log loss | error | seconds | splits won | p |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for name, part in table.groupby("data", sort=False):
        losses = part.pivot(index="split", columns="candidate", values="log_loss")
        base = losses["SVC(probability=True)"]
        for candidate, rows_ in part.groupby("candidate", sort=False):
            own = losses[candidate]
            mean = rows_[["log_loss", "error", "seconds"]].mean()
            same = candidate == base.name
            test = "–" if same else f"{wilcoxon(own, base).pvalue:.2g}"
            won = "–" if same else f"{int((own < base).sum())} of {len(own)}"
            lines.append(
                f"| {name} | `{candidate}` | {mean.log_loss:.4f} | {mean.error:.4f} | "
                f"{mean.seconds:.2f} | {won} | {test} |"
            )
    lines.append(
        f"\n{machine()}\n\nRepeat with `python benchmarks/speed_multiclass.py --data DIR`."
    )
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--data", type=Path, help="folder with segment.csv.gz and sat.csv.gz")
    parser.add_argument("--output", type=Path, default=Path("docs/results"))
    parser.add_argument("--shapes", action="store_true", help="few and many classes, beside SVC")
    arguments = parser.parse_args()
    if arguments.shapes:
        warnings.filterwarnings("ignore")  # scikit-learn gives probability=True up
        print(
            "| classes × samples | fit | predict | SVC(probability=True), fit |\n"
            + "| --- " * 4
            + "|"
        )
        for shape in SHAPES[:4]:
            print(units_of_svc(*shape), flush=True)
        return
    if arguments.data is None:
        print(machine() + "\n")
        print(markdown(measure(row) for row in rows(arguments.quick)))
        return
    warnings.filterwarnings("ignore")
    found = log_losses(arguments.data)
    arguments.output.mkdir(parents=True, exist_ok=True)
    with (arguments.output / "multiclass_svc_log_loss.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(found[0]))
        writer.writeheader()
        for row in found:
            rounded = {k: f"{v:.5g}" if isinstance(v, float) else v for k, v in row.items()}
            writer.writerow(rounded)
    (arguments.output / "multiclass_svc_log_loss.md").write_text(report(found))
    print(report(found))


if __name__ == "__main__":
    main()
