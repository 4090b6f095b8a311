"""Verdicts on cells: two standard errors of both sides, and the print's rounding."""

import math

import pytest

from polychotomy.reproduction.cells import Place, compare_numbers, missing_data, not_run

PLACE = Place("Table 1", "iris", "NN")


def compared(ours, **settings):
    defaults = {"printed": 10.0, "printed_error": 0.3, "ours_error": 0.4, "decimals": 2}
    return compare_numbers(PLACE, **(defaults | settings), ours=ours)


@pytest.mark.parametrize(
    ("ours", "verdict"), [(10.0, "agrees"), (11.0, "agrees"), (11.01, "differs"), (8.9, "differs")]
)
def test_two_standard_errors_of_both_sides(ours, verdict):
    """hypot(.3, .4) = .5, so the limit is 1 and the .005 that rounding may have moved."""
    assert compared(ours).verdict == verdict


def test_z_is_ours_minus_printed_less_rounding():
    assert compared(11.005).z == pytest.approx(2.0)
    assert compared(8.995).z == pytest.approx(-2.0)


def test_exact_numbers_agree_to_rounding_only():
    exact = {"printed_error": math.nan, "ours_error": math.nan}
    assert compared(10.004, **exact).verdict == "agrees"
    assert compared(10.006, **exact).verdict == "differs"


def test_single_run_borrows_the_printed_deviation():
    single = {"ours_error": math.nan, "spread": 0.4}
    assert compared(11.0, **single).verdict == "agrees"
    assert compared(11.01, **single).verdict == "differs"


def test_difference_without_a_known_cause_says_so():
    assert compared(20.0).verdict_text == "differs: no cause known"
    assert compared(20.0, why="other data").verdict_text == "differs: other data"
    assert compared(10.0, why="other data").why == ""


def test_texts_have_the_digits_of_the_print():
    cell = compared(11.234)
    assert (cell.printed_text, cell.ours_text) == ("10.00 ± 0.30", "11.23 ± 0.40")
    assert compared(10.0, ours_error=0.0004).ours_text == "10.00 ± 0.0004"


def test_what_is_missing_is_said():
    assert "iris.csv.gz is not in" in missing_data(PLACE, printed=1.0, name="iris").why
    cell = not_run(PLACE, printed="LGC (100)")
    assert (cell.verdict, cell.ours_text, cell.printed_text) == ("cannot", "–", "LGC (100)")
