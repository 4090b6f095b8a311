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
