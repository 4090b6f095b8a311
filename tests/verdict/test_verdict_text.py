"""A verdict on a terminal: questions, short lines, the table, the notes."""

import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from all_sentences import unwrapped
from page_reading import Page
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from polychotomy import judge
from polychotomy.cli.terminal import print_verdict
from polychotomy.comparison import compare_pairs, plan_comparison
from polychotomy.report.text import about_verdict, bullets, say_places
from polychotomy.telling.uncertainty import say_open, say_shown
from polychotomy.verdict import unite_verdicts
from polychotomy.verdict.findings import QUESTIONS, Gate, Undecided

CANDIDATES = {"MAX": DummyClassifier(), "Bayes": GaussianNB(), "1-NN": KNeighborsClassifier(1)}


@pytest.fixture(scope="module")
def verdict():
    X, y = load_iris(return_X_y=True)
    return judge(CANDIDATES, X[::2], y[::2], anatomy=False, notes=["a remark"])


def test_questions_are_those_of_the_page_in_its_order(verdict):
    page = Page(verdict.to_html())
    assert page.words["h2"] == list(QUESTIONS.values())
    lines = str(verdict).splitlines()
    asked = [line for line in lines if line in QUESTIONS.values()]
    assert asked == [q for q in QUESTIONS.values() if q in asked]
    said = {QUESTIONS[one.section] for one in verdict.sentences()[len(verdict.top()) :]}
    assert set(asked) == said


def test_every_sentence_and_note_is_there_in_short_lines(verdict):
    text = str(verdict)
    first, second, *_ = text.split("\n\n")  # paragraphs
    assert unwrapped(f"\n{first}") == " ".join(one.text for one in verdict.top())
    assert second == "data · 75 rows · 4 columns · 3 classes · 3 candidates"
    assert all(one.text in unwrapped(text) for one in verdict.sentences())
    assert all(note in unwrapped(text) for note in verdict.notes)
    assert "\nNotes\n• a remark\n" in text
    assert max(map(len, text.splitlines())) <= 80
    (best,) = [line for line in text.splitlines() if line.startswith("* ")]
    assert best.split()[1:3] == [verdict.best, "1"]


def test_one_is_no_plural():
    sizes = {"name": "data", "rows": 12345, "columns": 1, "classes": ["no", "yes"]}
    alone = SimpleNamespace(dataset=sizes, knows_labels=True, candidates=["MAX"])
    assert about_verdict(alone) == "data · 12,345 rows · 1 column · 2 classes · 1 candidate"


def test_predictions_made_elsewhere_have_no_columns():
    sizes = {"name": "answers", "rows": 90, "columns": 0, "classes": ["right", "wrong"]}
    elsewhere = SimpleNamespace(dataset=sizes, knows_labels=False, candidates=["a", "b"])
    assert about_verdict(elsewhere) == "answers · 90 rows · 2 candidates"


def test_a_number_stays_with_its_sign():
    said = "an error of 2.4 % (p = 0.03, 1.7 ± 3.0 points, p < 0.0001)"
    for width in range(12, 60):
        for line in bullets([said], width=width):
            assert not re.search(r"(^\W*(%|points|=|±|<))|([=±<]$)", line.strip(" •")), (
                width,
                line,
            )
    assert unwrapped("\n" + "\n".join(bullets([said], width=20))) == said


def test_a_gate_is_said_first(verdict):
    gate = Gate("Bayes", "1-NN", False, 0.1, 0.05, 0.15, 0.001)
    lines = str(replace(verdict, gate=gate)).splitlines()
    said = "The gate is not passed: it is shown to be worse than 1-NN (10 points)."
    assert lines[1] == said


def test_nothing_from_a_table_steers_a_terminal(verdict):
    odd = replace(verdict, notes=("a column \x1b[2J\x07 of\nlines",))
    assert str(odd).endswith("Notes\n• a column \ufffd[2J\ufffd of lines")


def test_shown_is_short(verdict):
    assert repr(verdict) == f"<Verdict: Use {verdict.best}.>"
    many = unite_verdicts([verdict, replace(verdict, dataset=verdict.dataset | {"name": "two"})])
    assert repr(many) == f"<ManyVerdicts: {many.sentences()[0]}>"
    assert str(many).startswith(f"{many.sentences()[0]}\n")
    assert all(one.text in unwrapped(str(many)) for one in many.sentences())
    assert "\n  table  rows  columns  classes" in str(many)


def better(verdict):
    return [s for s in verdict.sentences() if "is shown to be better than" in s.text]


def test_who_is_shown_to_be_worse_is_said_with_the_nearest(verdict):
    (own,) = better(verdict)
    i = verdict.differences.names.index(verdict.best)
    worse = [n for n, a in zip(verdict.differences.names, verdict.differences.answers[i],
                               strict=True) if a == "better"]  # fmt: skip
    assert worse == ["MAX"]
    assert own.section == "real"
    assert own.text.startswith(f"{verdict.best} is shown to be better than guessing")
    assert own in verdict.sentences()
    assert own.text in re.sub(r"\\(.)", r"\1", verdict.to_markdown()).replace("**", "")


@pytest.mark.parametrize(
    ("count", "words"),
    [
        (1, "c1, by"),
        (2, "c1 and c2; than c1, the nearest of them, by"),
        (5, "c1, c2, c3, c4 and c5; than c1, the nearest of them, by"),
        (7, "c1, c2, c3, c4 and 3 more; than c1, the nearest of them, by"),
    ],
)
def test_many_that_are_worse_are_counted(verdict, count, words):
    rng = np.random.default_rng(0)
    names = [f"c{i}" for i in range(count + 1)]
    errors = 0.1 + 0.2 * np.minimum(np.arange(count + 1), 1) + 0.01 * np.arange(count + 1)
    table = errors[:, None, None] + 0.001 * rng.normal(size=(count + 1, 5, 5))
    pairs = compare_pairs(table, names=names, margin=0.01)
    found = replace(verdict, best="c0", differences=pairs, undecided=None)
    (own,) = say_shown(found)
    assert own.text.startswith(f"c0 is shown to be better than {words} 21.0")
    assert re.search(r" points \(95 % interval 20\.\d+ to 21\.\d+, p < 0\.0001\)\.$", own.text)


def test_nobody_shown_nothing_said(verdict):
    answers = tuple(tuple("undecided" for _ in row) for row in verdict.differences.answers)
    open_ = replace(verdict, differences=replace(verdict.differences, answers=answers))
    assert better(open_) == []


def with_errors(verdict, errors, *, best="c0", undecided=None, baselines=()):
    """The verdict with pairs of these errors, which noise of the folds does not tell apart."""
    noise = 0.05 * np.random.default_rng(0).normal(size=(len(errors), 5, 5))
    noise -= noise.mean(axis=(1, 2), keepdims=True)
    names = [f"c{i}" for i in range(len(errors))]
    pairs = compare_pairs(np.reshape(errors, (-1, 1, 1)) + noise, names=names, margin=0.01)
    return replace(verdict, best=best, differences=pairs, undecided=undecided, baselines=baselines)


@pytest.mark.parametrize(
    ("errors", "baselines", "words"),
    [
        ([0.1, 0.12], (), "Against c1 the data cannot decide: it is 2.0 points worse here ("),
        ([0.1, 0.12, 0.4], (), "Against c1 the data cannot decide: it is 2.0 points worse here ("),
        (
            [0.1, 0.13, 0.12],
            (),
            "Against c2 and c1 the data cannot decide; c2, the nearest of them, is 2.0 points ",
        ),
        ([0.1, *7 * [0.12]], (), "Against c1, c2, c3, "),
        ([0.12, 0.1], (), "Against c1 the data cannot decide: it is 2.0 points better here ("),
        ([0.1, 0.12], ("c1",), "Against guessing the data cannot decide: it is 2.0 points "),
        (
            [0.1, 0.12, 0.11],
            ("c0", "c2"),
            "Whether c1 beats guessing, the data cannot decide: it is 2.0 points worse here (",
        ),
        (
            [0.1, 0.12, 0.13],
            ("c0",),
            "Whether any of c1 and c2 beats guessing, the data cannot decide; c1, the nearest of ",
        ),
    ],
)
def test_who_is_undecided_is_always_said(verdict, errors, baselines, words):
    found = with_errors(verdict, errors, baselines=baselines)
    (own,) = say_open(found)
    assert own.section == "real"
    assert own.text.startswith(words)
    assert ("and 3 more the data" in own.text) == (len(errors) == 8)
    assert re.search(r" here \(95 % interval −\d\.\d to \d\.\d, p = 0\.\d+\)\.$", own.text)


def test_who_is_undecided_is_said_everywhere(verdict):
    answers = tuple(tuple("undecided" for _ in row) for row in verdict.differences.answers)
    pairs = replace(verdict.differences, answers=answers)
    found = replace(verdict, differences=pairs, undecided=None)
    (own,) = say_open(found)
    assert own in found.sentences()
    assert own.text in unwrapped(str(found))
    assert own.text in re.sub(r"\\(.)", r"\1", found.to_markdown()).replace("**", "")
    assert own.to_dict() in found.to_dict()["sentences"]
    assert own.text in Page(found.to_html()).sentences()


def test_who_is_named_elsewhere_is_not_named_twice(verdict):
    plan = plan_comparison([[0.30, 0.26, 0.28, 0.27]], [[0.29, 0.25, 0.28, 0.25]])
    rival = Undecided("c1", "less than margin", plan, more_rows=906, margin_needed=0.03)
    assert say_open(with_errors(verdict, [0.12, 0.1], undecided=rival)) == []
    (own,) = say_open(with_errors(verdict, [0.12, 0.1, 0.13], undecided=rival))
    assert own.text.startswith("Against c2 the data cannot decide: it is 1.0 points worse here (")
    assert say_open(with_errors(verdict, [0.1, 0.9])) == []  # shown
    same = compare_pairs(np.full((2, 5, 5), 0.1), names=["c0", "c1"], margin=0.01)
    never = replace(same, answers=(("", "undecided"), ("undecided", "")))  # too few rows to show it
    assert say_open(replace(verdict, best="c0", differences=never, undecided=None)) == []


def test_whom_the_papers_test_shows_to_be_worse_is_not_undecided(verdict):
    found = with_errors(verdict, [0.12, 0.1], best="c1")
    shown = np.array([[False, True], [False, False]])
    ordering = replace(verdict.ordering, edges=shown)
    assert say_open(replace(found, ordering=ordering, rule="paper")) == []
    assert len(say_open(replace(found, ordering=ordering, rule="margin"))) == 1


def test_places_that_differ_from_the_means_are_explained(verdict, capsys):
    places = "Place: the most preferred candidate that nobody overrides comes first, then the same"
    one, *_, last = verdict.ordering.ordered_names
    losses = {one: 0.65, last: 0.64}  # within the margin: the simpler one stays first
    swapped = [c._replace(loss=losses.get(c.name, 0.645)) for c in verdict.candidates]
    found = replace(verdict, candidates=tuple(swapped))
    (own,) = say_places(found)
    assert own.startswith(f"{places} among the rest. So a simpler candidate can stand before")
    lines = str(found).splitlines()
    table = next(i for i, line in enumerate(lines) if line.startswith("  candidate "))
    assert lines[table + len(swapped) + 1].startswith("  Place: the most preferred")
    assert own in unwrapped(str(found))
    assert own in found.to_html()
    print_verdict(found, Path("page.html"))
    assert f"\n  {own}\n\nNotes\n" in capsys.readouterr().out
    in_order = {name: 0.1 * i for i, name in enumerate(verdict.ordering.ordered_names)}
    agreeing = [c._replace(loss=in_order[c.name]) for c in verdict.candidates]
    assert say_places(replace(verdict, candidates=tuple(agreeing))) == []
    again = replace(found, dataset=found.dataset | {"name": "b"})
    assert say_places(unite_verdicts([found, again])) == []
