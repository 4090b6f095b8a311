"""The data sets of the papers: by name, from a folder or from where they are published."""

from polychotomy.reproduction.data.fetching import fetch_dataset, load
from polychotomy.reproduction.data.folder import Dataset, load_folder_dataset
from polychotomy.reproduction.data.mixtures import FriedmanNormals, PlaneMixtures
from polychotomy.reproduction.data.problems import ConcentricNormals, TwoNormals

__all__ = [
    "ConcentricNormals",
    "Dataset",
    "FriedmanNormals",
    "PlaneMixtures",
    "TwoNormals",
    "fetch_dataset",
    "load",
    "load_folder_dataset",
]
