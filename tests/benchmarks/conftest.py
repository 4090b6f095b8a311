"""Lets the tests import the benchmarks, which live beside the package and not in it."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
