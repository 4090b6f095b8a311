"""Benchmark sets by name, from a folder or from the net."""

from __future__ import annotations

from pathlib import Path

from polychotomy.datasets.fetching import fetch_dataset
from polychotomy.datasets.folder import Dataset, load_folder_dataset


def load(name: str, data: str | Path | None = None) -> Dataset:
    r"""Load a benchmark set of the papers by name.

    Parameters
    ----------
    name : str
        Such as "iris", "vehicle" or "b_sonar".
    data : folder, optional
        Where ``<name>.csv.gz`` lies, see :func:`load_folder_dataset`. Without it the set is
        fetched once from where it is published, and kept, see :func:`fetch_dataset`.

    Examples
    --------
    >>> import gzip, pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "pets.csv.gz")
    ...     _ = path.write_bytes(gzip.compress(b"legs,class\n4,dog\n2,bird\n"))
    ...     load("pets", folder).y.tolist()
    ['dog', 'bird']
    """
    return fetch_dataset(name) if data is None else load_folder_dataset(data, name)
