"""What a coding matrix must be."""

import tracemalloc

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from polychotomy.codes import check_code, one_vs_one
from polychotomy.codes.code import two_sided
from polychotomy.core.exceptions import InvalidCode, InvalidInput


@pytest.mark.parametrize("dtype", [int, float, np.int8, np.float32, np.int64])
def test_any_numbers_are_welcome(dtype):
    matrix = np.array([[1, -1, 0], [0, 1, -1]], dtype=dtype)
    code = check_code(matrix)
    assert code.dtype == np.int8
    assert_array_equal(code, matrix)


def test_lists_and_strided_arrays_are_welcome():
    assert_array_equal(check_code([[1, -1]]), [[1, -1]])
    wide = np.repeat(one_vs_one(4), 2, axis=1)
    assert_array_equal(check_code(wide[:, ::2]), one_vs_one(4))
    assert_array_equal(check_code(np.asfortranarray(one_vs_one(4))), one_vs_one(4))


def test_an_int8_code_is_not_copied():
    code = one_vs_one(3)
    assert check_code(code) is code


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        ([[1, -1], [1, 2]], r"code\[1, 1\] is 2; expected -1, 0 or \+1"),
        ([[1, np.nan]], r"code\[0, 1\] is nan"),
        ([[1, -1, 0], [0, 0, 0]], "row 1 of code is all zeros"),
        ([[1, -1, 0], [-1, 1, 0]], "column 2 of code is all zeros"),
        ([[1, -1, 1], [-1, 1, -1]], "columns 0 and 2 of code are equal"),
        ([1, -1], r"shape \(2,\)"),
        ([[1], [-1]], r"shape \(2, 1\)"),
        (np.zeros((0, 3)), r"shape \(0, 3\)"),
        ([["+", "-"]], "type .*; expected the numbers"),
        ([[1, -1], [1]], "not a matrix"),
        ([[1 + 0j, -1]], "type .*; expected the numbers"),
    ],
)
def test_errors_name_the_first_offence(matrix, message):
    with pytest.raises(InvalidCode, match=message):
        check_code(matrix)


def test_the_error_is_a_value_error_of_ours():
    with pytest.raises(ValueError, match="all zeros"):
        check_code([[1, -1], [0, 0]])
    assert issubclass(InvalidCode, InvalidInput)


def test_equal_columns_are_found_among_many():
    code = np.random.default_rng(0).choice([-1, 0, 1], size=(40, 300)).astype(np.int8)
    check_code(code)
    code[:, 250] = code[:, 17]
    with pytest.raises(InvalidCode, match="columns 17 and 250"):
        check_code(code)


def test_a_large_code_is_checked_without_a_copy():
    code = one_vs_one(200)
    tracemalloc.start()
    check_code(code)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < code.nbytes / 4


def test_one_sided_rows_are_told_apart():
    assert_array_equal(
        two_sided(np.array([[1, 1, 0], [1, -1, 0], [-1, 0, 0]], dtype=np.int8)),
        [False, True, False],
    )
