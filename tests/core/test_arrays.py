import array_api_strict
import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from array_libraries import ALL_LIBRARIES, missing, open_library
from polychotomy.core.arrays import missing_entries, to_host


@pytest.mark.parametrize("make", [list, tuple, np.array, array_api_strict.asarray])
def test_anything_comes_as_numpys(make):
    found = to_host(make([0.5, 1.0]))
    assert type(found) is np.ndarray
    assert_array_equal(found, [0.5, 1.0])


def test_numpys_are_not_copied():
    array = np.arange(6, dtype=np.float32).reshape(2, 3).T
    assert to_host(array) is array


def test_tensors_that_are_being_differentiated():
    torch = pytest.importorskip("torch")
    tensor = torch.ones(2, dtype=torch.float32, requires_grad=True)
    found = to_host(tensor)
    assert found.dtype == np.float32
    assert_array_equal(found, [1, 1])


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (np.array([1, 2]), [False, False]),
        (np.array(["a", "nan"]), [False, False]),
        (np.array([1.0, np.nan]), [False, True]),
        (np.array([1j, np.nan]), [False, True]),
        (np.array(["2020", "NaT"], "M8[D]"), [False, True]),
        (np.array([None, pd.NA, pd.NaT, np.nan, "", 0], object), [True] * 4 + [False] * 2),
        (np.array([[None], ["a"]], object), [[True], [False]]),
    ],
)
def test_what_is_missing(values, expected):
    assert missing_entries(values).tolist() == expected


def test_an_array_among_the_entries_is_not_missing():
    values = np.empty(1, dtype=object)
    values[0] = np.array([1.0, np.nan])
    assert missing_entries(values).tolist() == [False]


@pytest.mark.parametrize("name", ALL_LIBRARIES)
def test_array_libraries_that_are_tested_here(name):
    """One skip for each library that is not here; the other tests are not collected for it."""
    if reason := missing(name):
        pytest.skip(reason)
    library = open_library(name)
    found = to_host(library.move([0.5, 1.0]))
    assert type(found) is np.ndarray
    assert_array_equal(found, [0.5, 1.0])
