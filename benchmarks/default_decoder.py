"""Which decoder gives the better log loss over many-class data sets? By a paired test.

For every data set with three classes or more, two stratified splits, three learners and three
codes: decode the outputs with ``bradley-terry`` and ``least-squares``, each with the weights n of
HT98 and without, and take the log loss on cases not seen. Where the outputs are calibrated, each
decoder has the temperature that is learned for it. The decoders are then compared over data sets
by Wilcoxon's signed-rank test on the mean log loss of each set.

    python benchmarks/default_decoder.py --data DIR [--output docs/results] [--most-classes 12]

DIR holds ``<name>.csv.gz`` tables whose last column is ``class``. Some 40 seconds on one core with
sets of up to 12 classes.
"""

from __future__ import annotations

import argparse
import csv
import sys
import warnings
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import wilcoxon
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC

from polychotomy.calibration.temperature import sharpen
from polychotomy.decoding.decode import decode
from polychotomy.multiclass import CodedClassifier

SEED = 20240
SPLITS = 2
MOST = 400  # cases to train on, and to test on
FEWEST = 6  # cases that a class needs to be kept, so that every half has two and more
# Variants of a set that is here already.
VARIANTS = {"optdigits_tra", "pendigits_tra", "wave40", "b_hayes_1vrest"}
LEARNERS = {
    "logistic regression": LogisticRegression(max_iter=300),
    "RBF SVC, sigmoid": SVC(gamma="auto"),
    "Gaussian naive Bayes": GaussianNB(),
}
CODES = ("one-vs-one", "one-vs-rest", "orthogonal")
DECODERS = {
    "bradley-terry": ("bradley-terry", True),
    "bradley-terry, unweighted": ("bradley-terry", False),
    "least-squares": ("least-squares", True),
    "least-squares, unweighted": ("least-squares", False),
}
FLOOR = 1e-15  # log loss of a probability of exactly 0; scikit-learn's is 2e-16


def tables(folder: Path, most_classes: int) -> Iterator[tuple[str, pd.DataFrame, pd.Series]]:
    """Data sets with three classes or more, rare classes left out."""
    for path in sorted(folder.glob("*.csv.gz")):
        name = path.name.removesuffix(".csv.gz")
        table = pd.read_csv(path)
        y = table.pop("class").astype(str)
        kept = y.map(y.value_counts()) >= FEWEST
        table, y = table[kept], y[kept]
        if name not in VARIANTS and 3 <= y.nunique() <= most_classes:
            yield name, table, y


def features():
    numbers = make_pipeline(SimpleImputer(strategy="median"), StandardScaler())
    words = make_pipeline(
        SimpleImputer(strategy="most_frequent"),
        OneHotEncoder(handle_unknown="ignore", sparse_output=False),
    )
    return make_column_transformer(
        (numbers, make_column_selector(dtype_include="number")),
        (words, make_column_selector(dtype_exclude="number")),
    )


def split(X: pd.DataFrame, y: pd.Series, seed: int):
    """Standardised features and labels, at most MOST cases on either side, stratified."""
    size = min(MOST, len(y) // 2)
    # Proportional shares would leave rare classes with one case or none.
    common = y.map(y.value_counts()) * size >= 2 * len(y)
    X, y = X[common], y[common]
    size = min(MOST, len(y) // 2)
    train, test, y_train, y_test = train_test_split(
        X, y, train_size=size, test_size=size, random_state=seed, stratify=y
    )
    scaler = features().fit(train)
    return scaler.transform(train), scaler.transform(test), y_train.to_numpy(), y_test.to_numpy()


def log_losses(model: CodedClassifier, train, y_train, X, y) -> dict[str, float]:
    """Log loss of each decoder, with the temperature that the model learns for it."""
    losses = {}
    for name, (decoder, weighted) in DECODERS.items():
        if decoder != model.decoder or not hasattr(model, "classes_"):
            again = hasattr(model, "classes_") and model.calibration_ == "none"
            model.set_params(decoder=decoder)
            model = model if again else model.fit(train, y_train)
            outputs = model.predict_dichotomies(X)
            truth = np.searchsorted(model.classes_, y)
        weights = model.weights_ if weighted else None
        p = decode(model.code_, outputs, decoder=decoder, weights=weights)
        p = sharpen(p, model.temperature_)
        losses[name] = float(-np.log(np.maximum(p[np.arange(truth.size), truth], FLOOR)).mean())
    return losses


def measure(folder: Path, most_classes: int) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    for name, X, y in tables(folder, most_classes):
        for number in range(SPLITS):
            train, test, y_train, y_test = split(X, y, SEED + number)
            for learner, estimator in LEARNERS.items():
                for code in CODES:
                    model = CodedClassifier(estimator, code=code, random_state=SEED)
                    found = log_losses(model, train, y_train, test, y_test)
                    rows += [
                        {
                            "data": name,
                            "classes": model.classes_.size,
                            "split": number,
                            "learner": learner,
                            "code": code,
                            "decoder": d,
                            "log_loss": loss,
                        }
                        for d, loss in found.items()
                    ]
        print(name, file=sys.stderr, flush=True)
    return rows


def compare(rows: list[dict[str, object]], first: str, second: str) -> list[list[str]]:
    """One line for each learner and code: sets won, mean difference, Wilcoxon's p-value."""
    means: dict[tuple[str, str], dict[str, dict[str, list[float]]]] = defaultdict(
        lambda: defaultdict(lambda: defaultdict(list))
    )
    for row in rows:
        key = str(row["learner"]), str(row["code"])
        means[key][str(row["data"])][str(row["decoder"])].append(float(row["log_loss"]))
    lines = []
    for (learner, code), by_set in means.items():
        a = np.array([np.mean(found[first]) for found in by_set.values()])
        b = np.array([np.mean(found[second]) for found in by_set.values()])
        p = wilcoxon(a, b).pvalue if np.any(a != b) else 1.0
        won = f"{int((a < b).sum())} – {int((a > b).sum())}"
        lines.append(
            [
                learner,
                code,
                str(a.size),
                won,
                f"{np.median(a):.4f}",
                f"{np.median(b):.4f}",
                f"{np.median(a - b):+.4f}",
                f"{p:.2g}",
            ]
        )
    return lines


def conclude(lines: list[list[str]], first: str, second: str) -> str:
    """Say for which combinations the test finds either decoder better."""
    found: dict[str, list[str]] = {first: [], second: []}
    for learner, code, *_, difference, p in lines:
        if float(p) < 0.05:
            better = first if float(difference) < 0 else second
            found[better].append(f"{learner} with {code}")
    return "\n".join(
        f"- **{decoder}** is better (p < 0.05) for {len(names)} of {len(lines)} combinations"
        + (f": {'; '.join(names)}." if names else ".")
        for decoder, names in found.items()
    )


def markdown(rows: list[dict[str, object]], most_classes: int) -> str:
    parts = [
        "# Which decoder is the default?\n",
        "Mean log loss on cases not seen, outputs of one learner decoded twice; sets won by the "
        "first and by the second, medians over data sets, median difference (below 0: the first "
        "is better), Wilcoxon's signed-rank test over data sets.\n",
    ]
    for first, second in (
        ("bradley-terry", "least-squares"),
        ("bradley-terry", "bradley-terry, unweighted"),
        ("least-squares", "least-squares, unweighted"),
    ):
        parts.append(f"\n## {first} against {second}\n")
        parts.append(
            "| learner | code | sets | won – lost | first | second | difference | p |\n"
            "| --- | --- | --- | --- | --- | --- | --- | --- |"
        )
        lines = compare(rows, first, second)
        parts += ["| " + " | ".join(line) + " |" for line in lines]
        parts.append("\n" + conclude(lines, first, second))
    parts.append(
        "\nRepeat with `python benchmarks/default_decoder.py --data DIR --most-classes "
        f"{most_classes}`; every log loss is in `default_decoder.csv`."
    )
    return "\n".join(parts) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--output", type=Path, default=Path("docs/results"))
    parser.add_argument("--most-classes", type=int, default=30, help="leave larger sets out")
    arguments = parser.parse_args()
    warnings.filterwarnings("ignore")  # learners that stop early do so for both decoders alike
    rows = measure(arguments.data, arguments.most_classes)
    arguments.output.mkdir(parents=True, exist_ok=True)
    with (arguments.output / "default_decoder.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows({**row, "log_loss": f"{row['log_loss']:.6g}"} for row in rows)
    (arguments.output / "default_decoder.md").write_text(markdown(rows, arguments.most_classes))
    print(markdown(rows, arguments.most_classes))


if __name__ == "__main__":
    main()
