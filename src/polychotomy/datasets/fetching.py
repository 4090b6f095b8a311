"""Benchmark sets from where they are published, fetched once and kept."""

from __future__ import annotations

from pathlib import Path

from polychotomy.datasets.folder import Dataset, load_folder_dataset
from polychotomy.exceptions import InvalidInput


def fetch_dataset(name: str, *, folder: str | Path | None = None) -> Dataset:
    """Fetch a benchmark set by name, or read it from the cache.

    Parameters
    ----------
    folder : path, optional
        Where sets are kept; by default ``polychotomy`` in scikit-learn's data folder.
    """
    from sklearn.datasets import get_data_home

    cache = Path(folder) if folder is not None else Path(get_data_home()) / "polychotomy"
    if not (cache / f"{name}.csv.gz").is_file():
        raise InvalidInput(f"{name!r} is not in {str(cache)!r}; pass the folder that has it.")
    return load_folder_dataset(cache, name)
