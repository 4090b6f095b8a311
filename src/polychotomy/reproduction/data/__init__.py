"""The data sets of the papers: by name, from a folder or from where they are published."""

from polychotomy.reproduction.data.fetching import fetch_dataset, load
from polychotomy.reproduction.data.folder import Dataset, load_folder_dataset
from polychotomy.reproduction.data.mixtures import FriedmanNormals, PlaneMixtures

__all__ = [
    "Dataset",
    "FriedmanNormals",
    "PlaneMixtures",
    "fetch_dataset",
    "load",
    "load_folder_dataset",
]
