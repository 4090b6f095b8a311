"""What failed, how this was computed: nothing hidden, nothing endless."""

from dataclasses import replace

from polychotomy.report.background import computed_section, failed_section, record_fold


def test_failures_are_told_once_a_cause_with_their_traceback(hostile):
    section = failed_section(hostile)
    (line,) = section.tables[0].lines
    assert line[1].number == len(hostile.failures)
    assert line[3].text == hostile.failures[0].cause
    (fold,) = section.folds
    assert "Traceback (most recent call last)" in fold.texts[0]
    assert any(one.startswith(hostile.notes[0]) for one in section.remarks)


def test_nothing_failed_is_said(ordinary):
    assert failed_section(ordinary).answer == "nothing"


def test_a_long_traceback_keeps_its_end(hostile):
    long = [one._replace(details="x" * 50_000 + "the cause") for one in hostile.failures]
    (fold,) = failed_section(replace(hostile, failures=tuple(long))).folds
    assert len(fold.texts[0]) < 7000
    assert fold.texts[0].endswith("the cause")


def test_other_rule_is_told_with_its_reason(ordinary):
    facts = {fact.term: fact.words for fact in computed_section(ordinary).facts}
    assert any(ordinary.other_rule.why in words for words in facts.values())


def test_sixty_classes_are_named_and_the_rest_counted(ordinary):
    many = replace(ordinary, dataset=ordinary.dataset | {"classes": [f"c{i}" for i in range(100)]})
    facts = {fact.term: fact.words for fact in computed_section(many).facts}
    assert facts["Classes"].endswith("c59\u2069 and 40 more")


def test_every_basis_is_listed_for_paper(ordinary):
    table = computed_section(ordinary).folds[0].tables[0]
    shown = {line[0].text: line[1].text for line in table.lines}
    assert shown == {one.text: one.basis for one in ordinary.sentences() if one.basis}


def test_the_record_is_cut_where_it_would_fill_the_page():
    (text,) = record_fold({"candidates": "x" * 100_000}).texts
    assert len(text) < 41_000
