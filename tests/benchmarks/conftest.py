"""Lets the tests import the benchmarks, which live beside the package and not in it."""

import sys
from pathlib import Path

root = Path(__file__).parents[2]
sys.path[:0] = [str(root), str(root / "benchmarks")]  # as a package, and as the scripts see it
