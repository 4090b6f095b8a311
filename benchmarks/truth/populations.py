"""Large data sets as populations: a matrix of numbers and class codes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

# Every set of the folder with at least 1,450 rows that is neither a part nor a noisier copy of
# another one here (optdigits_tra, pendigits_tra, wave40), nor mostly features (isolet1, usps,
# leaf_margin: a draw of 200 would have fewer cases than columns or two cases a class).
POPULATIONS = (
    "abalone",
    "car",
    "cmc",
    "letter",
    "mushroom",
    "nursery",
    "optdigits",
    "pendigits",
    "sat",
    "segment",
    "shuttle",
    "spambase",
    "wave",
    "yeast",
)


@dataclass(frozen=True)
class Population:
    """``X``: (n, p) with categories one-hot; ``y``: (n,) class codes."""

    name: str
    X: np.ndarray
    y: np.ndarray


def load(folder: Path, name: str) -> Population:
    """Read ``<name>.csv.gz``; what is a category is said by ``COLUMNS.csv``."""
    table = pd.read_csv(folder / f"{name}.csv.gz")
    columns = pd.read_csv(folder / "COLUMNS.csv").query("name == @name")
    categories = columns.loc[columns["kind"].isin(["nominal", "binary"]), "column"]
    return encode(table, [column for column in categories if column != "class"], name)


def encode(table: pd.DataFrame, categories: list[str], name: str) -> Population:
    """One-hot every category, a missing one too; numbers stay, a missing one is the median."""
    features = table.drop(columns="class")
    numbers = features.drop(columns=categories).astype(float)
    matrix = numbers.fillna(numbers.median()).to_numpy()
    if categories:
        hot = pd.get_dummies(features[categories].astype("string").fillna("(missing)"))
        matrix = np.hstack([matrix, hot.to_numpy(dtype=float)])
    return Population(name, matrix, pd.factorize(table["class"], sort=True)[0])
