"""What limits it: answers, whose budgets there are and why not everyone's."""

from dataclasses import replace

from polychotomy.report.answers import limits_section


def test_unasked_it_says_so(hostile):
    limits = limits_section(hostile)
    assert (limits.answer, limits.figures) == ("not asked", ())


def test_limits_give_both_answers(ordinary):
    section, anatomy = limits_section(ordinary), ordinary.anatomy
    words = {"yes": "helps", "no": "no help", "cannot tell": "cannot tell"}
    forecast = anatomy.forecast
    more = words[forecast.answers[0]]
    if more == "cannot tell" and forecast.expected >= forecast.gain:
        more = "probably helps"
    assert section.answer == (f"twice the data: {more}; bagging: {words[anatomy.bagging.answer]}")


def test_without_a_forecast_the_budget_stays(ordinary):
    section = limits_section(replace(ordinary, anatomy=replace(ordinary.anatomy, forecast=None)))
    names = [figure.name for row in section.figures for figure in row]
    assert names == ["error-budget", "bagging"]
    assert section.answer.startswith("bagging: ")


def test_it_is_said_whose_budgets_there_are(ordinary):
    budgets = ordinary.anatomy.budgets
    order = [one.name for one in ordinary.candidates]
    (note,) = limits_section(ordinary).notes
    for name in budgets:
        if name != ordinary.best:
            simpler = order.index(name) < order.index(ordinary.best)
            assert (
                f"{name}, the lowest mean among {'simpler' if simpler else 'more complex'}" in note
            )


def test_who_was_left_out_for_time_is_said(ordinary):
    alone = {ordinary.best: ordinary.anatomy.budgets[ordinary.best]}
    reason = "the error budget of tree was not asked: its 25 fits would have taken too long"
    anatomy = replace(ordinary.anatomy, budgets=alone, without_budget={"tree": reason})
    verdict = replace(ordinary, anatomy=anatomy, notes=("the error budget of nobody",))
    assert limits_section(verdict).notes == [f"T{reason[1:]}."]


def test_the_table_has_every_part_with_its_interval(ordinary):
    table = limits_section(ordinary).folds[0].tables[0]
    for line, (name, budget) in zip(table.lines, ordinary.anatomy.budgets.items(), strict=True):
        assert [line[0].text, line[1].text] == [name, str(budget.n_bootstraps)]
        parts = [budget.error, budget.aggregated_error, budget.aggregation_effect, budget.variance]
        assert [f"{part:.9g}" for part in parts] == [cell.value for cell in line[2:6]]
