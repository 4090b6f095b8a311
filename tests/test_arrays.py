import array_api_strict
import numpy as np
import pytest
from numpy.testing import assert_array_equal

from polychotomy.arrays import to_host


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
