"""Verdicts on cells: two standard errors of both sides, and the print's rounding."""

import math

import pytest

from polychotomy.reproduction.cells import (
    CAUSES,
    Cell,
    Place,
    compare_exact,
    compare_numbers,
    without_ours,
)

PLACE = Place("Table 1", "iris", "NN")


def compared(ours, **settings):
    defaults = {"printed": 10.0, "printed_error": 0.3, "ours_error": 0.4, "decimals": 2}
    defaults |= {"runs": 100_000, "largest_error": 0.5}
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
    exact = {"printed": 10.0, "decimals": 2, "cause": "paper"}
    assert compare_exact(PLACE, ours=10.004, **exact).verdict == "agrees"
    assert compare_exact(PLACE, ours=10.006, **exact).verdict == "differs"


def test_few_runs_or_a_large_error_of_ours_do_not_agree():
    assert compared(10.0, runs=5).verdict == "agrees"
    assert compared(10.0, runs=4).verdict_text == "too few runs to tell: 4 runs of ours"
    assert compared(10.0, ours_error=0.51).verdict_text == "too few runs to tell: our error is 0.51"
    assert compared(10.0, ours_error=0.004, largest_error=0.0).verdict == "agrees"


def test_single_run_neither_agrees_nor_differs():
    cell = compared(99.0, ours_error=math.nan, runs=1)
    assert (cell.verdict, cell.why, cell.cause) == ("few", "1 run of ours", None)
    assert math.isnan(cell.z)


def test_two_runs_differ_only_beyond_students_limit():
    """At one degree of freedom that is 13.97 standard errors: 6.98, and the rounding."""
    assert compared(16.98, runs=2).verdict == "few"
    assert compared(17.0, runs=2).verdict == "differs"


def test_cause_and_its_basis_stand_exactly_where_a_cell_differs():
    settings = {"table": "T", "row": "r", "column": "c", "printed": 1.0, "ours": 1.0}
    for wrong in (
        {"verdict": "differs"},
        {"verdict": "differs", "cause": "data"},
        {"verdict": "agrees", "cause": "data"},
        {"verdict": "agrees", "basis": "guess"},
    ):
        with pytest.raises(ValueError, match="expected a cause and its basis exactly where"):
            Cell(**settings, **wrong)


def test_practice_is_a_scale_of_its_own():
    """Breast's nearest mean, 3.80 and 3.84: surely different, and it hardly matters."""
    place = {"table": "T", "row": "r", "column": "c", "decimals": 2}
    differs = {"verdict": "differs", "cause": "unknown", "basis": "none"}
    cell = Cell(**place, printed=3.80, ours=3.84, scale=0.5, **differs)
    assert cell.practical == "same"
    assert Cell(**place, printed=3.80, ours=4.31, scale=0.5, **differs).practical == "differs"
    assert Cell(**place, printed=3.80, ours=3.84, **differs).practical == ""
    assert Cell(**place, printed=3.80, ours=math.nan, scale=0.5, verdict="cannot").practical == ""
    assert Cell(**place, printed="LGC (97)", ours="LGC (90)", **differs).practical == "same"
    assert Cell(**place, printed="LGC (97)", ours="NMC (97)", **differs).practical == "differs"


def test_difference_without_a_known_cause_says_so():
    assert compared(20.0).verdict_text == "differs: unexplained"
    assert compared(20.0, cause="design").verdict_text == f"differs: {CAUSES['design']}"
    assert compared(20.0, why="other data").verdict_text == "differs: other data"
    assert compared(10.0, why="other data").why == ""


def test_texts_have_the_digits_of_the_print():
    cell = compared(11.234)
    assert (cell.printed_text, cell.ours_text) == ("10.00 ± 0.30", "11.23 ± 0.40")
    assert compared(10.0, ours_error=0.0004).ours_text == "10.00 ± 0.0004"


def test_what_is_missing_is_said():
    cell = without_ours(PLACE, printed=1.0, lacks="iris")
    assert (cell.verdict, cell.why) == ("cannot", "the data folder lacks iris")
    cell = without_ours(PLACE, printed="LGC (100)")
    assert (cell.verdict, cell.ours_text, cell.printed_text) == ("few", "–", "LGC (100)")
    assert cell.practical == ""
