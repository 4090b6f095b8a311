"""Trust, combining, errors: each section says what the verdict found."""

from dataclasses import replace

import numpy as np

from polychotomy.report.answers import (
    combining_section,
    errors_section,
    trust_section,  # fmt: skip
)


def test_unasked_questions_say_so(ordinary):
    without = replace(ordinary, combination=None)
    combining = combining_section(without)
    assert combining.answer == "not asked"


def test_labels_only_have_nothing_to_trust(ordinary):
    hard = replace(ordinary, trust=replace(ordinary.trust, hard=True))
    trust = trust_section(hard)
    assert (trust.answer, trust.figures) == ("labels only, no probabilities", ())


def numbers(table):
    return [[cell.text for cell in line] for line in table.lines]


def test_trust_gives_scores_and_what_recalibration_would_gain(ordinary):
    scores, recalibration = (fold.tables[0] for fold in trust_section(ordinary).folds)
    found = dict(line[:2] for line in numbers(scores))
    assert found["log loss"] == f"{ordinary.trust.scores.log_loss:.3f}"
    assert found["slope of the trace"] == f"{ordinary.trust.null.observed_slope:.3f}"
    methods = [line[0] for line in numbers(recalibration)]
    assert methods == list(ordinary.trust.recalibration.methods)


def test_an_infinite_log_loss_and_the_finite_ones_are_explained(ordinary):
    given_up = replace(ordinary.trust.scores, log_loss=float("inf"))
    verdict = replace(ordinary, trust=replace(ordinary.trust, scores=given_up))
    scores, recalibration = (fold.tables[0] for fold in trust_section(verdict).folds)
    (line,) = [line for line in numbers(scores) if line[0] == "log loss"]
    assert line[1] == "∞"
    assert "below one in a million, zeros above all, are taken as that" in recalibration.caption
    assert "the simplest within a standard error of the best" in recalibration.caption


def test_errors_name_the_worst_pairs(ordinary):
    section, worst = errors_section(ordinary), ordinary.confusion.worst
    assert section.answer == f"'{worst[0].truth}' taken for '{worst[0].predicted}'"
    assert [line[:2] for line in numbers(section.tables[0])] == [list(pair[:2]) for pair in worst]


def test_no_error_is_an_answer(ordinary):
    perfect = replace(ordinary.confusion, counts=np.diag([5.0, 5.0, 5.0]))
    section = errors_section(replace(ordinary, confusion=perfect))
    assert section.answer == "nowhere: no error"
    assert section.tables == []


def test_combining_gives_every_weight(ordinary):
    table = combining_section(ordinary).folds[0].tables[0]
    assert [line[0] for line in numbers(table)] == [
        *ordinary.combination.names, "plain average", "combination",
    ]  # fmt: skip
