"""Hundreds of classes, ten rows of each, 300 features: a code beside what scikit-learn has.

Centres are standard normal, rows normal about them. Logistic regression as it is, one against the
rest by scikit-learn, and in ``CodedClassifier`` with an orthogonal code and a random one, of fewer
rows; its probabilities also as they are decoded, without the temperature that is learned out of
fold.

    python benchmarks/many_classes.py [--output docs/results] [--classes 500 1000]

Seconds are of the processor. Memory is that of the pickled model, and what ``predict_proba`` takes
at most while it works, by tracemalloc. Seven minutes on one core, six of them for 1,000 classes.
"""

from __future__ import annotations

import argparse
import pickle
import sys
import time
import tracemalloc
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier
from sklearn.neighbors import KNeighborsClassifier

from polychotomy.calibration.temperature import sharpen
from polychotomy.decoding import decode
from polychotomy.multiclass import CodedClassifier

EACH, FEATURES, SPREAD, TESTED = 10, 300, 3.2, 50
LOWEST = 1e-15


def draw(k: int) -> tuple[Any, ...]:
    rng = np.random.default_rng(0)
    centres = rng.normal(size=(k, FEATURES))
    y, z = np.repeat(np.arange(k), EACH), rng.integers(k, size=TESTED)
    X, Z = (centres[c] + SPREAD * rng.normal(size=(c.size, FEATURES)) for c in (y, z))
    return X, y, Z, z


def quality(p: Any, z: Any) -> list[float]:
    truth = np.maximum(p[np.arange(z.size), z], LOWEST)
    return [float((p.argmax(axis=1) != z).mean()), float(-np.log(truth).mean())]


def measure(name: str, model: Any, data: tuple[Any, ...]) -> list[list[Any]]:
    X, y, Z, z = data
    start = time.process_time()
    model.fit(X, y)
    fitted = time.process_time()
    p = plain = tell(model, Z)
    told = time.process_time()
    found = []
    if isinstance(model, CodedClassifier):
        p = sharpen(plain, model.temperature_, share=p.shape[1] * model.floor_)
        found = [["the same as decoded", *quality(plain, z), *[float("nan")] * 4]]
    tracemalloc.start()
    model.predict_proba(Z[:2])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    size = len(pickle.dumps(model))
    spent = [fitted - start, 1000 * (told - fitted) / TESTED]
    found.insert(0, [name, *quality(p, z), *spent, size / 1e6, peak / 1e6])
    print(found, file=sys.stderr, flush=True)
    return found


def tell(model: Any, Z: Any) -> Any:
    """Probabilities, those of a code as they are decoded: decoding twice would take minutes."""
    if not isinstance(model, CodedClassifier):
        return model.predict_proba(Z)
    return decode(model.code_, model.predict_dichotomies(Z), weights=model.weights_)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=Path("docs/results"))
    parser.add_argument("--classes", type=int, nargs="+", default=[500, 1000])
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    page = "\n".join([f"# Many classes\n\n{ABOUT}", *map(section, arguments.classes), END])
    (arguments.output / "many_classes.md").write_text(page)


ABOUT = f"""{EACH} rows of each class to train on, {FEATURES} features, logistic regression;
{TESTED} rows to test on. Answers of dichotomies with hundreds of classes a side are each as sure
as they may be alone; together they know much more, so that decoded probabilities are far too
cautious. One exponent, learned from a fold left out, mends that without changing a prediction;
the fold is part of the seconds.
"""

END = """\
At 1,000 classes the orthogonal code errs as often as the learner itself, at 500 more often (of
50 rows, ±7 points); its log loss is between that and one against the rest, or below both; and it
is slow. It is for learners that take two classes only. A random code of few rows asks a linear
learner to part half of the classes from the others, of which ten rows each tell it too little.

## Memory

A model of a code has l · k bytes for the code and, for each of its l dichotomies, twice 8 (d + 1)
bytes of a linear learner on d features (its own and merged with the others') and half a kB that
scikit-learn's estimators take. `predict_proba` of n rows takes 8 n k bytes for the answer, and
while it decodes some 80 k².

Seconds are of the processor. Repeat with `python benchmarks/many_classes.py`.
"""


def section(k: int) -> str:
    """Measure at k classes."""
    data, learner = draw(k), LogisticRegression()
    orthogonal = CodedClassifier(learner, code="orthogonal")
    drawn = CodedClassifier(learner, code="random-dense", random_state=0)
    rows = [
        *measure("1-NN", KNeighborsClassifier(1), data),
        *measure("LogisticRegression", LogisticRegression(), data),
        *measure("OneVsRestClassifier", OneVsRestClassifier(learner), data),
        *measure('CodedClassifier, "orthogonal"', orthogonal, data),
        *measure('CodedClassifier, "random-dense"', drawn, data),
    ]
    return markdown(rows, k, orthogonal, drawn)


def markdown(rows: list[list[Any]], k: int, orthogonal: Any, drawn: Any) -> str:
    heads = ["model", "error", "log loss", "fit, s", "a row, ms", "model, MB", "peak, MB"]
    cells = [["–" if c != c else c if isinstance(c, str) else f"{c:.3g}" for c in r] for r in rows]
    table = "\n".join("| " + " | ".join(line) + " |" for line in [heads, ["---"] * 7, *cells])
    size, small = (
        1e-6 * (len(one.code_) * k + len(one.estimators_) * (16 * (FEATURES + 1) + 500))
        for one in (orthogonal, drawn)
    )
    return f"""## {k:,} classes

Equal probabilities have a log loss of {np.log(k):.2f}. The exponent of the orthogonal code is
{orthogonal.temperature_:.2f}. It has {len(orthogonal.code_)} dichotomies and {size:.1f} MB by the
formula below, the random code {len(drawn.code_)} and {small:.1f} MB.

{table}
"""


if __name__ == "__main__":
    main()
