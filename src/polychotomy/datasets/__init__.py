"""The papers' simulated problems, tables read from files, and benchmark sets by name."""

from polychotomy.datasets.fetching import fetch_dataset
from polychotomy.datasets.folder import Dataset, load_folder_dataset
from polychotomy.datasets.loading import load
from polychotomy.datasets.mixtures import FriedmanNormals, PlaneMixtures
from polychotomy.datasets.problems import ConcentricNormals, Problem, TwoNormals
from polychotomy.datasets.tables import Table, read_table

__all__ = [
    "ConcentricNormals",
    "Dataset",
    "FriedmanNormals",
    "PlaneMixtures",
    "Problem",
    "Table",
    "TwoNormals",
    "fetch_dataset",
    "load",
    "load_folder_dataset",
    "read_table",
]
