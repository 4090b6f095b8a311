"""Benchmark sets from where they are published, fetched once and kept."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from pathlib import Path

from polychotomy.core.files import writing_whole
from polychotomy.reproduction.data.catalogue import Recipe, find_recipe
from polychotomy.reproduction.data.downloading import SERVERS, read_source
from polychotomy.reproduction.data.folder import Dataset, load_folder_dataset
from polychotomy.reproduction.data.raw_tables import make_table


def fetch_dataset(
    name: str,
    *,
    folder: str | Path | None = None,
    servers: Mapping[str, str] | None = None,
) -> Dataset:
    """Fetch a benchmark set by name from UCI or OpenML; what was fetched before is read from disk.

    What comes is checked against the known class counts and missing values, and kept as
    ``<name>.csv.gz``, written whole or not at all.

    Parameters
    ----------
    name : str
        Such as "iris"; a wrong name is answered with all of them.
    folder : path, optional
        Where sets are kept; by default ``polychotomy`` in scikit-learn's data folder
        (:func:`sklearn.datasets.get_data_home`).
    servers : {"uci", "openml" or "esl": address}, optional
        Mirrors to use instead of the publishers; addresses end in a slash.

    Examples
    --------
    >>> from polychotomy.reproduction.data.fetching import fetch_dataset
    >>> fetch_dataset("irs")
    Traceback (most recent call last):
    ...
    polychotomy.core.exceptions.InvalidInput: there is no benchmark set 'irs' to fetch. Did you \
mean 'iris'? ...
    """
    recipe = find_recipe(name)
    cache = _cache_folder(folder)
    path = cache / f"{name}.csv.gz"
    if not path.is_file():
        _fetch(recipe, path, {**SERVERS, **(servers or {})})
    return load_folder_dataset(cache, name, kinds=recipe.kinds)


def _cache_folder(folder: str | Path | None) -> Path:
    if folder is not None:
        return Path(folder)
    from sklearn.datasets import get_data_home

    return Path(get_data_home()) / "polychotomy"


def _fetch(recipe: Recipe, path: Path, servers: Mapping[str, str]) -> None:
    texts = [read_source(source, servers=servers) for source in recipe.files]
    table = make_table(recipe, texts).to_csv(index=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    with writing_whole(path) as temporary:
        temporary.write_bytes(gzip.compress(table.encode(), mtime=0))


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
