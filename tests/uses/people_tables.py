"""Small tables, as people have them, each with a file of new rows to predict."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

ROWS, NEW = 64, 7


class Kind(NamedTuple):
    """What a table holds beside two columns of numbers, which tell the classes apart."""

    labels: tuple
    mixed: bool = False
    groups: bool = False

    def draw(self, n, seed):
        random = np.random.default_rng(seed)
        codes = np.arange(n) % len(self.labels)
        frame = pd.DataFrame(
            {
                "length": codes + random.normal(scale=0.5, size=n).round(3),
                "width": codes % 3 - random.normal(scale=0.5, size=n).round(3),
            }
        )
        if self.mixed:
            frame["colour"] = np.array(["red", "green", "blue"])[random.integers(3, size=n)]
            frame["seen"] = pd.date_range("2024-03-01", periods=n).strftime("%Y-%m-%d")
            frame["ripe"] = random.random(n) < 0.5
            frame.loc[random.random(n) < 0.2, ["width", "colour"]] = np.nan
        if self.groups:
            frame["patient"] = [f"P{i // 2 % 16:02}" for i in range(n)]
        return frame, np.array(self.labels)[codes]


KINDS = {
    "numbers": Kind((0, 1, 2)),
    "visits": Kind((False, True), groups=True),
    "mixed": Kind(("ash", "beech", "cedar"), mixed=True),
    "many": Kind(("1.0", "NA", "très bon, <b>", "d", "e", "f")),
}


def write_table(name: str, folder: Path) -> None:
    """Write ``<name>.csv``, with the column ``y``, and ``<name>-new.csv``, without it."""
    X, y = KINDS[name].draw(ROWS, seed=1)
    X.assign(y=y).to_csv(folder / f"{name}.csv", index=False)
    KINDS[name].draw(NEW, seed=2)[0].to_csv(folder / f"{name}-new.csv", index=False)
