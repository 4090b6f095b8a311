"""A folder of tiny data sets in the format of the benchmark folder, made on the spot."""

import gzip
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import load_iris, load_wine, make_classification

ROWS = 90


def write_tiny_sets(folder: Path) -> Path:
    """Write sets under the names that the papers use; contents are others, and much smaller."""
    folder.mkdir(exist_ok=True)
    some = np.random.default_rng(0).permutation(150)[:ROWS]
    _write(folder, "iris", *(part[some] for part in load_iris(return_X_y=True)))
    X, y = load_wine(return_X_y=True)
    _write(folder, "wine", X[::2], y[::2])
    _write(folder, "vehicle", *_classes(4, seed=1))
    _write(folder, "segment", *_classes(3, seed=4))
    _write(folder, "hepatitis", *_classes(2, seed=2), colours=True)
    _write(folder, "pendigits_tra", *_classes(3, seed=3))
    for seed, name in enumerate(("b_liver", "b_contraceptive")):
        _write(folder, name, *_classes(2, seed=10 + seed))
    kinds = [("hepatitis", "colour", "nominal", 3, 1)]
    pd.DataFrame(kinds, columns=["name", "column", "kind", "distinct", "missing"]).to_csv(
        folder / "COLUMNS.csv", index=False
    )
    return folder


def _classes(k, *, seed):
    return make_classification(
        ROWS, 6, n_informative=4, n_redundant=0, n_classes=k, class_sep=1.5, random_state=seed
    )


def _write(folder, name, X, y, *, colours=False):
    frame = pd.DataFrame(X.round(4), columns=[f"x{i}" for i in range(X.shape[1])])
    if colours:
        frame["colour"] = np.array(["red", "green", "blue"])[np.arange(len(y)) % 3]
        frame.loc[0, "colour"] = ""
        frame.loc[1, "x0"] = np.nan
    frame["class"] = y
    (folder / f"{name}.csv.gz").write_bytes(gzip.compress(frame.to_csv(index=False).encode()))


if __name__ == "__main__":
    import sys

    write_tiny_sets(Path(sys.argv[1]))
