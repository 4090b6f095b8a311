"""A small table that is easy to learn, and what it means that a request is refused."""

import os

import numpy as np
import pandas as pd

N = 60
CODES = np.arange(N) % 3
MAX = ("--candidates", "MAX", "--no-anatomy", "--jobs", "1")


def frame(**changes):
    """Three classes that a column tells apart; changed as asked."""
    random = np.random.default_rng(0)
    columns = {
        "size": (CODES + random.normal(scale=0.3, size=N)).round(3),
        "weight": random.normal(size=N).round(3),
        "kind": np.array(["ash", "beech", "cedar"])[CODES],
    }
    return pd.DataFrame(columns).assign(**changes)


def csv(**changes):
    return frame(**changes).to_csv(index=False).encode()


def check_refused(found, folder, words, *, left):
    """One message, exit code 2, and nothing was run or written."""
    assert found.returncode == 2, found.text
    assert found.stdout == ""
    assert found.stderr.startswith("error: ")
    assert len(found.stderr.splitlines()) == 1
    assert words in found.stderr
    assert sorted(os.listdir(folder)) == left
