"""Which one, is it real, at what price: tables have the verdict's numbers."""

from dataclasses import replace

import numpy as np
import pytest

from polychotomy.comparison import Criterion
from polychotomy.report.sections import price_section, real_section, which_section


@pytest.mark.parametrize("nothing", [0.0, np.nan])
def test_without_times_there_is_no_price(ordinary, nothing):
    untold = np.full(len(ordinary.price.names), nothing)
    price = replace(ordinary.price, fit_seconds=untold, predict_seconds=untold, model_bytes=None)
    section = price_section(replace(ordinary, price=price))
    assert section.answer == "not timed"
    assert not section.figures
    assert not section.folds
    assert section.notes == ["The predictions came without times."]
    sizes = np.full(len(price.names), 2_000.0)
    section = price_section(replace(ordinary, price=replace(price, model_bytes=sizes)))
    assert section.answer == "not timed, 2.0 kB"
    assert section.folds[0].heading == "Sizes of all candidates"


def test_times_of_some_are_told_and_not_drawn(ordinary):
    times = np.array(ordinary.price.fit_seconds)
    names = list(ordinary.price.names)
    other = next(i for i, name in enumerate(names) if name != ordinary.best)
    times[other] = 0
    price = replace(ordinary.price, fit_seconds=times)
    section = price_section(replace(ordinary, price=price))
    assert " to fit, " in section.answer
    assert not section.figures
    table = section.folds[0].tables[0]
    assert column(table, "to fit")[other].text == "–"
    assert "efficient" not in [title for title, _ in table.columns]
    assert "Some predictions came without times, so nothing is drawn." in section.notes


def test_a_loss_that_is_no_share_is_written_as_it_is(ordinary):
    page = replace(ordinary, criterion=Criterion(name="log-loss")).to_html()
    assert 'class="icon-array"' not in page
    best = ordinary.candidate(ordinary.best)
    assert f'data-v="{best.loss:.9g}">{best.loss:.4f}</td>' in page
    assert f'data-v="{best.sd:.9g}">{best.sd:.4f}</td>' in page


def test_papers_rule_has_no_margin_to_draw(ordinary):
    page = replace(ordinary, rule="paper").to_html()
    assert "MultiTest (YA06): the most preferred" in page
    assert "of the lowest</text>" not in page


def column(table, name):
    at = [title for title, _ in table.columns].index(name)
    return [line[at] for line in table.lines]


def test_candidates_have_their_place_mean_and_share(ordinary):
    table = which_section(ordinary).tables[0]
    places = {name: i + 1 for i, name in enumerate(ordinary.ordering.ordered_names)}
    names = [cell.text for cell in column(table, "candidate")]
    assert [cell.number for cell in column(table, "place")] == [places[name] for name in names]
    shares = dict(zip(ordinary.selected.names, ordinary.selected.shares, strict=True))
    again = [cell.number for cell in column(table, "chosen again")]
    np.testing.assert_allclose(again, [shares[name] for name in names])


def test_overriders_are_named_or_counted(ordinary):
    table = which_section(ordinary).tables[0]
    counts = [cell.number for cell in column(table, "overridden by")]
    assert counts == ordinary.ordering.edges.sum(axis=1).tolist()


def test_baselines_are_called_so(ordinary):
    notes = which_section(ordinary).notes
    assert "MAX does not look at the features; it is a baseline, not an answer." in notes


def test_a_failed_candidate_has_a_reason_and_no_place(hostile):
    table = which_section(hostile).tables[0]
    assert table.states[-1] == "failed"
    assert column(table, "place")[-1].value == ""
    assert "failed" in column(table, "overridden by")[-1].text


def test_pairs_have_the_verdicts_differences(ordinary):
    table = real_section(ordinary).folds[0].tables[0]
    frame = ordinary.differences.to_frame()
    shown = [cell.number for cell in column(table, "difference, points")]
    assert shown == frame["difference"].tolist()
    assert [cell.text for cell in column(table, "first is")] == frame["answer"].tolist()


def test_one_candidate_has_nothing_to_be_compared_with(ordinary):
    one = replace(ordinary.differences, names=("a",), estimate=np.zeros((1, 1)), answers=(("",),))
    assert real_section(replace(ordinary, differences=one)).answer == "nothing to compare with"


def test_the_size_of_every_model_is_told_where_it_is_known(ordinary):
    sizes = np.array([512.0, np.nan, 45_600.0])
    price = price_section(replace(ordinary, price=replace(ordinary.price, model_bytes=sizes)))
    (table,) = price.folds[0].tables
    at = table.columns.index(("size of the model", True))
    assert [line[at].text for line in table.lines] == ["512 B", "–", "46 kB"]
    assert [line[at].value for line in table.lines] == ["512", "", "45600"]
    figure = price.figures[0][0]
    column = figure.header.index("model_bytes")
    np.testing.assert_equal([row[column] for row in figure.rows], sizes)


def test_unknown_sizes_are_not_mentioned(ordinary):
    for sizes in (None, np.full(3, np.nan)):
        price = price_section(replace(ordinary, price=replace(ordinary.price, model_bytes=sizes)))
        assert "size of the model" not in [name for name, _ in price.folds[0].tables[0].columns]
        assert "model_bytes" not in price.figures[0][0].header
        assert "size" not in " ".join(price.notes)
