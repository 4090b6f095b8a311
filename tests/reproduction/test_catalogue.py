"""The catalogue of benchmark sets."""

import pytest

from polychotomy.core.exceptions import InvalidInput
from polychotomy.reproduction.data import downloading
from polychotomy.reproduction.data.catalogue import _entries, find_recipe
from polychotomy.reproduction.data.fetching import fetch_dataset


def test_the_catalogue_is_whole():
    assert len(_entries()) == 52
    for name in _entries():
        found = find_recipe(name)
        assert found.columns.count("class") == 1
        assert set(found.kinds) == set(found.columns) - {"class", "-"}
        assert list(found.counts) == sorted(found.counts, reverse=True)
        assert all(source.split(":")[0] in downloading.SERVERS for source in found.files)
    assert all(address.startswith("https://") for address in downloading.SERVERS.values())


def test_unknown_sets():
    with pytest.raises(InvalidInput, match=r"'vehicles' to fetch\. Did you mean 'vehicle'\?"):
        fetch_dataset("vehicles")
