"""A table with every kind of column, for all tests of models."""

import numpy as np
import pandas as pd


def messy(n=90, *, classes=3, seed=0):
    random = np.random.default_rng(seed)
    codes = np.arange(n) % classes
    X = pd.DataFrame(
        {
            "size": codes + random.normal(scale=0.4, size=n),
            "count": random.integers(0, 9, n),
            "colour": np.array(["red", "green", "blue"])[(codes + (random.random(n) < 0.2)) % 3],
            "gaps": np.where(random.random(n) < 0.2, np.nan, codes - 0.5),
            "ripe": random.random(n) < 0.5,
            "note": [f"seen {i} times at place {i % 45}" for i in range(n)],
            "day": pd.date_range("2024-01-01", periods=n).astype(str),
            "when": pd.date_range("2024-01-01", periods=n),
            "shelf": pd.Categorical(random.choice(["a", "b"], n)),
        }
    )
    return X, np.array(["ash", "beech", "cedar"])[codes]
