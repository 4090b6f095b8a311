"""What is refused at the door is shown in one short line, whatever it is."""

import contextlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from polychotomy.core.arguments import (
    as_array,
    as_floats,
    check_choice,
    check_codes,
    check_count,
    check_finite,
    check_names,
    check_share,
    is_number,
    shown,
)
from polychotomy.core.exceptions import InvalidInput

ANYTHING = st.one_of(
    st.none(), st.text(), st.binary(), st.integers(), st.floats(), st.complex_numbers(),
    st.lists(st.integers()), st.dictionaries(st.text(), st.integers()), st.sets(st.integers()),
    st.sampled_from([np.zeros((2, 3)), np.array("a"), object(), int, [[1], [2, 3]], np.nan]),
)  # fmt: skip


@given(ANYTHING)
def test_whatever_it_is_is_shown_in_one_short_line(value):
    assert "\n" not in shown(value)
    assert len(shown(value)) < 300


@given(ANYTHING)
def test_every_check_returns_or_says_the_name(value):
    for check in (
        lambda: check_choice("this", value, ("a", "b", None)),
        lambda: check_share("this", value, such_as=0.5),
        lambda: check_names("this", value, count=2),
        lambda: check_count("this", value),
        lambda: as_array("this", value),
        lambda: as_floats("this", value),
    ):
        refused = True
        with contextlib.suppress(InvalidInput):
            check()
            refused = False
        if refused:
            with pytest.raises(InvalidInput, match=r"^this .*expected"):
                check()


@pytest.mark.parametrize("dtype", [np.float32, np.int8, bool, object])
def test_real_numbers_of_any_type_are_floats(dtype):
    found = as_floats("x", np.array([[0, 1]], dtype=dtype))
    assert found.dtype == np.float64
    assert found.tolist() == [[0.0, 1.0]]


def test_what_is_no_real_number():
    assert not any(map(is_number, (True, np.True_, "1", 1j, np.nan, [1], np.ones(1), None)))
    assert all(map(is_number, (1, 0.5, np.float32(1), np.int8(1), np.inf)))
    with pytest.raises(InvalidInput, match=r"x is .*; expected an array of real numbers"):
        as_floats("x", np.ones(2, dtype=complex))
    with pytest.raises(InvalidInput, match=r"x is .*; expected an array of real numbers"):
        as_floats("x", [10**400, 1])


def test_masked_entries_are_missing_numbers():
    masked = np.ma.masked_array([1.0, 2.0], mask=[False, True])
    assert np.isnan(as_floats("x", masked)).tolist() == [False, True]


@pytest.mark.parametrize(
    "codes", [[0, 1], [0.0, 1.0], [False, True], np.array([0, 1], np.uint8), ["no", "yes"]]
)
def test_class_codes_of_any_type(codes):
    found = check_codes(codes, n=2, k=2)
    assert found.dtype == np.intp
    assert found.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("codes", "message"),
    [
        ([0, 2], r"y\[1\] is 2; expected a class code from 0 to 1"),
        ([0, -1], r"y\[1\] is -1"),
        ([0, 0.5], r"y\[1\] is 0\.5"),
        ([0, np.nan], r"y\[1\] is nan"),
        (["a", None], r"y\[0\] is 'a'.*np.unique"),
        ([0, 1, 1], r"y has shape \(3,\); expected \(2,\)"),
    ],
)
def test_what_is_no_class_code_is_named(codes, message):
    with pytest.raises(InvalidInput, match=message):
        check_codes(codes, n=2, k=2)


def test_the_first_entry_that_is_not_finite_is_named():
    check_finite("x", np.zeros((2, 2)))
    with pytest.raises(InvalidInput, match=r"^x\[1, 0\] is inf; expected finite numbers\.$"):
        check_finite("x", np.array([[0.0, 1.0], [np.inf, np.nan]]))


def test_names_are_distinct():
    with pytest.raises(InvalidInput, match="expected 3 distinct names"):
        check_names("names", ["a", "b", "a"], count=3)
