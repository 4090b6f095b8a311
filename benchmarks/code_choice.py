"""Which code for text: all pairs, or each class against the rest, beside the learner itself.

    python benchmarks/code_choice.py [--output docs/results] [--splits 5]

Documents are drawn: words by Zipf's law, mixed with those of a topic for each class; tf-idf.
"""

from __future__ import annotations

import argparse
import pickle
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.svm import LinearSVC

from polychotomy.multiclass import CodedClassifier

# Classes, documents to train on and as many to test on, words, mean length, evenness of topics.
SHAPES = ((5, 400, 6000, 80, 1.0), (10, 600, 4000, 40, 0.3), (20, 1200, 8000, 60, 0.3))
LEARNERS = {
    "LogisticRegression()": LogisticRegression(),
    "LogisticRegression(C=10)": LogisticRegression(C=10),
    "LinearSVC()": LinearSVC(),
}


def documents(shape: tuple[int, int, int, int, float], seed: int) -> tuple[Any, np.ndarray]:
    k, n, d, length, even = shape
    rng, common = np.random.default_rng(seed), 1 / (np.arange(d) + 10.0)
    common /= common.sum()
    topics = rng.gamma(even, size=(k, d)) * common
    topics /= topics.sum(axis=1, keepdims=True)
    y, rows = np.arange(2 * n) % k, []
    for label in y:
        p = 0.6 * common + 0.4 * topics[label]
        words = rng.choice(d, size=5 + rng.poisson(length), p=p)
        rows.append(np.bincount(words, minlength=d))
    counts = sparse.csr_matrix(np.array(rows))
    return TfidfTransformer(sublinear_tf=True).fit_transform(counts), y


def measure(splits: int) -> Iterator[dict[str, object]]:
    for shape in SHAPES:
        for split in range(splits):
            X, y = documents(shape, split)
            n = shape[1]
            for name, learner in LEARNERS.items():
                models = {
                    "one-vs-one": CodedClassifier(learner, code="one-vs-one"),
                    "one-vs-rest": CodedClassifier(learner, code="one-vs-rest"),
                }
                if hasattr(learner, "predict_proba"):
                    models["the learner itself"] = learner
                for model, one in models.items():
                    start = time.process_time()
                    p = one.fit(X[:n], y[:n]).predict_proba(X[n:])
                    row = {"k × n × d": " × ".join(map(str, shape[:3])), "learner": name}
                    row |= {"model": model, "accuracy": np.mean(p.argmax(axis=1) == y[n:])}
                    row |= {"log loss": log_loss(y[n:], p), "MB": len(pickle.dumps(one)) / 1e6}
                    yield row | {"seconds": time.process_time() - start}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=Path("docs/results"))
    parser.add_argument("--splits", type=int, default=5)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    found = pd.DataFrame(measure(arguments.splits))
    keys = ["k × n × d", "learner", "model"]
    means = found.groupby(keys, sort=False).mean().round(3).reset_index()
    lines = [means.columns, ["---"] * len(means.columns), *means.astype(str).to_numpy()]
    table = "\n".join("| " + " | ".join(line) + " |" for line in lines)
    page = (
        "# Which code for text?\n\n"
        f"Drawn documents, tf-idf, more words than documents; means over {arguments.splits} draws, "
        "n documents to train on and n to test on. Seconds are of the processor, fit and "
        "predict_proba; MB are those of the stored model.\n\n"
        f"{table}\n\n"
        "Pairs of a logistic model have few documents and many words each, so that they are less "
        "sure than they could be: one-vs-rest is near the learner itself in accuracy and log loss, "
        "and a fraction as large. "
        "Calibrated pairs (LinearSVC) are better than calibrated one-vs-rest. So "
        '`code="auto"` is one-vs-rest for logistic models of text and of sparse samples with '
        "more features than samples, and all pairs elsewhere: on the 20 dense sets of "
        "[the decoders' page](default_decoder.md), pairs have the lowest median log loss for "
        "logistic regression and for RBF SVCs.\n\n"
        f"Repeat with `python benchmarks/code_choice.py --splits {arguments.splits}`.\n"
    )
    (arguments.output / "code_choice.md").write_text(page)
    print(page)


if __name__ == "__main__":
    main()
