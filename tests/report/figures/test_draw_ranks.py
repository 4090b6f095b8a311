"""Many tables: mean ranks in order, with the critical difference."""

from polychotomy.comparison import nemenyi_test
from polychotomy.report.figures.many_tables import draw_ranks


def test_ranks_stand_in_order_with_the_critical_difference():
    scores = [[3, 1, 2], [3, 1, 2], [2, 1, 3], [3, 2, 1]]
    found = nemenyi_test(scores, names=["A", "B", "C"])
    figure = draw_ranks(found)
    assert [row[0] for row in figure.rows] == ["B", "C", "A"]
    assert {row[2] for row in figure.rows} == {found.critical_difference}
    assert figure.drawing.count("<circle") == 3
