"""The first screen says what to use, how good that is and what worries, in 60 words."""

import re
from dataclasses import replace
from html import escape, unescape
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from polychotomy import import_predictions, judge
from polychotomy.study import for_tables
from polychotomy.verdict import findings

CANDIDATES = {
    "MAX": DummyClassifier(),
    "naive Bayes": GaussianNB(),
    "neighbours": KNeighborsClassifier(3),
    "tree": DecisionTreeClassifier(random_state=0),
}


def two_classes():
    return judge(CANDIDATES, *load_breast_cancer(return_X_y=True), anatomy=False)


def many_classes():
    X, y = load_digits(return_X_y=True)
    return judge(CANDIDATES, X[:600], y[:600])


def a_leak():
    X, y = load_iris(return_X_y=True, as_frame=True)
    X = X.assign(ward=y.map({0: "north", 1: "south", 2: "west"}))
    candidates = {name: for_tables(one) for name, one in CANDIDATES.items()}
    return judge(candidates, pd.concat([X, X[:30]]), pd.concat([y, y[:30]]), anatomy=False)


def one_test_set():
    rng = np.random.default_rng(0)
    rows = [
        {"learner": name, "sample": i, "correct": int(rng.random() < right)}
        for name, right in (("system A", 0.6), ("system B", 0.75), ("system C", 0.74))
        for i in range(250)
    ]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "answers.csv"
        pd.DataFrame(rows).to_csv(path, index=False)
        return judge(import_predictions(path))


def a_tiny_table():
    y = load_wine().target
    noise = np.random.default_rng(0).normal(size=(30, 3))
    return judge(CANDIDATES, noise, y[::6][:30] % 2, anatomy=False)


def a_rare_class():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(1500, 3)), np.arange(1500) < 6
    return judge(CANDIDATES, X + y[:, None], np.where(y, "fraud", "fine"), anatomy=False)


def a_gate():
    return judge(CANDIDATES, *load_wine(return_X_y=True), against="tree", anatomy=False)


def by_the_log_loss():
    return judge(CANDIDATES, *load_wine(return_X_y=True), loss="log-loss", anatomy=False)


KINDS = (two_classes, many_classes, a_leak, one_test_set, a_tiny_table, a_gate, by_the_log_loss,
         a_rare_class)  # fmt: skip


QUICK = (two_classes, one_test_set, a_tiny_table, a_rare_class)


@pytest.fixture(
    scope="module",
    params=[one if one in QUICK else pytest.param(one, marks=pytest.mark.long) for one in KINDS],
    ids=lambda make: make.__name__,
)
def verdict(request):
    return request.param()


def words(text):
    """Words and numbers; no marks, such as a percent sign."""
    return re.findall(r"\w[\w.,'’-]*", text)


def hero(page):
    """What the page shows before its answers at a glance, without what sentences rest on."""
    shown = page.partition('<div class="hero">')[2].partition("<nav")[0]
    for hidden in (r'<span class="tip".*?</span>', r"<button.*?</button>", r"<svg.*?</svg>",
                   r'<a class="csv".*?</a>', r"<[^>]*>"):  # fmt: skip
        shown = re.sub(hidden, "", shown, flags=re.DOTALL)
    return unescape(shown)


def test_at_most_60_words_and_one_interval(verdict):
    paragraph = str(verdict).split("\n\n")[bool(warned(verdict))]
    for text in (paragraph, hero(verdict.to_html())):
        assert len(words(text)) <= 60, text
        assert len(re.findall("interval", text)) <= 1
        assert "±" not in text
        assert text.count("cannot tell") <= 1
        assert "MAX" not in text


@pytest.mark.parametrize("load", [load_iris, load_breast_cancer])
@pytest.mark.parametrize("length", [60, 200])
def test_long_names_are_cut_and_stand_whole_below(load, length):
    """Of candidates and of classes, which stay told apart where they differ at the end alone."""
    X, y = load(return_X_y=True)
    long = [f"{name} {' '.join(['of such columns'] * 20)}"[:length] for name in CANDIDATES]
    tried = dict(zip(long, CANDIDATES.values(), strict=True))
    labels = np.array([f"{'a label that goes on ' * 10}"[: length - 1] + str(i) for i in range(3)])
    verdict = judge(tried, X, labels[y], anatomy=False)
    page = verdict.to_html()
    for text in (str(verdict).split("\n\n")[0], hero(page)):
        assert len(words(text)) <= 60, text
    assert f'title="{verdict.best}"' in page.partition("</h1>")[0]
    pair = re.search(r"Worst confusion: '(.*?)' taken for '(.*?)'", str(verdict).replace("\n", " "))
    assert pair[1] != pair[2]


def test_what_to_use_how_good_and_what_next(verdict):
    first, *rest = (one.text for one in verdict.top())
    assert verdict.best in first or verdict.guesses
    said = " ".join(rest)
    expected = verdict.selected.expected or verdict.selected.high
    if verdict.criterion.is_rate:
        assert f"{100 * expected:.1f}" in said or f"{100 * expected:.2f}" in said
    guesses = [verdict.candidate(name).loss for name in verdict.baselines]
    if guesses and verdict.criterion.is_rate and not verdict.guesses:
        assert f"guessing has {100 * min(guesses):.1f} %" in said
    assert rest[-1].startswith("Next: ")
    worst = verdict.confusion.worst
    if worst and verdict.knows_labels and not verdict.guesses:
        assert f"'{worst[0].truth}' taken for '{worst[0].predicted}'" in said


def warned(verdict):
    return [one.text for one in verdict.sentences() if one.section == "warning"]


def test_columns_that_give_the_target_away_are_named_twice():
    """On what the answer depends, and above it what to do if not."""
    verdict = a_leak()
    first, *_, last = (one.text for one in verdict.top())
    assert "if 'ward' is known when you predict" in first
    leak, copies = warned(verdict)
    assert leak.endswith("unless it is known when you predict, judge again without it.")
    assert re.match(r"Warning: \d+ of 180 rows are copies of others; keep one of each", copies)
    assert last.startswith("Next: settle what is warned of above; then ")


def test_warnings_stand_above_the_answer_once_each_and_in_a_line():
    verdict = a_leak()
    page, markdown = verdict.to_html(), verdict.to_markdown().replace("\\", "")
    for line in warned(verdict):
        words = line.removeprefix("Warning")
        shown = escape(words).replace("&#x27;", "&#39;").rpartition(" ")[0]
        above_bases = page.partition("Test, numbers and assumption")[0]
        assert above_bases.count(shown) == 1
        assert page.index(shown) < page.index("<h1")
        assert markdown.index(words) < markdown.index("# Use")
        assert (str(verdict) + markdown).count(words.split(";")[0]) <= 3  # a note of Markdown
        assert len(line) <= 160
    above, first, *_ = str(verdict).split("\n\n")
    assert above.startswith("Warning: ")
    assert first.startswith("Use ")


def test_a_rare_class_is_warned_of():
    verdict = a_rare_class()
    assert warned(verdict) == [
        "Warning: 'fraud' is in 0.4 % of the rows; judge by the loss auc or balanced-error."
    ]
    assert verdict.top()[-1].text == "Next: judge by another loss, as is said above."


def test_where_only_guessing_did_not_fail_nobody_is_sent_for_other_columns():
    X, y = load_iris(return_X_y=True)
    X[3, 1] = np.inf
    found = judge({"MAX": DummyClassifier(), "naive Bayes": GaussianNB()}, X, y, anatomy=False)
    assert found.top()[-1].text == "Next: see below why fits failed, and judge again."


def test_a_class_that_is_never_found_is_named_beside_the_worst_confusion():
    stump = {"MAX": DummyClassifier(), "stump": DecisionTreeClassifier(max_depth=1, random_state=0)}
    verdict = judge(stump, *load_iris(return_X_y=True), anatomy=False)
    assert verdict.confusion.counts[2].tolist() == [0, 50, 0]
    said = "Worst confusion: '2' taken for '1' (100 % of '2'); it never finds '2'."
    assert said in [one.text for one in verdict.top()]


def few_of_a_class(count):
    """Two classes to be told apart, and some rows of a third that look like one of them."""
    rng = np.random.default_rng(1)
    y = np.array(["alive"] * 110 + ["lost"] * 110 + ["dead"] * count)
    X = rng.normal(size=(len(y), 2)) + 2.0 * (y == "lost")[:, None]
    return judge({"MAX": DummyClassifier(), "Bayes": GaussianNB()}, X, y, anatomy=False)


@pytest.mark.parametrize("count", [5, 8, 20])
def test_a_class_of_five_rows_that_is_missed_is_the_caveat_where_there_is_none_graver(count):
    found = few_of_a_class(count)
    texts = [one.text for one in found.top()]
    assert f"Caveat: it misses all of 'dead' ({count} rows)." in texts
    (worst,) = (one for one in texts if one.startswith("Worst confusion: "))
    assert worst.endswith("; it never finds 'dead'.") or worst.startswith(
        "Worst confusion: 'dead' taken for 'alive' (100 % of"
    )
    assert len(words(" ".join(texts))) <= 60
    counts = found.confusion.counts.copy()
    at = found.confusion.classes.index("dead")
    counts[at, at] = 0.2 * counts[at].sum()  # more than one in ten is found
    part = replace(found, confusion=replace(found.confusion, counts=counts))
    assert "Caveat: none; it is shown to be better than every other." in [
        one.text for one in part.top()
    ]


def test_what_is_graver_than_a_missed_class_comes_first():
    found = few_of_a_class(8)
    failed = [found.candidates[0]._replace(n_failed=1), *found.candidates[1:]]
    failure = findings.Failure("MAX", 0, 0, 0, "failed", "no reason", "")
    texts = [one.text for one in replace(found, candidates=failed, failures=(failure,)).top()]
    assert "Caveat: left out, for fits failed: MAX." in texts


def test_who_is_to_be_chosen_by_cost_is_named():
    *_, caveat, last = (one.text for one in one_test_set().top())
    rival = caveat.partition("cannot tell it from ")[2].partition(" (")[0]
    assert rival == "system C"
    assert last == "Next: choose between system B and system C by cost, or judge more rows."


def test_a_gate_and_a_growing_error_where_nothing_beats_guessing():
    """Guessing is called so by a gate, and what grows through time leaves room for its advice."""
    rng, when = np.random.default_rng(0), np.arange(600)
    X = rng.normal(size=(600, 3))
    turned = X[:, 0] * np.where(when < 300, 1, 1 - (when - 300) / 100) > 0
    growing = judge(CANDIDATES, X, turned, time=when, anatomy=False)
    assert growing.drift is not None
    assert growing.unbeaten_guess is not None
    held = judge(CANDIDATES, X[:150], rng.integers(0, 2, 150), against="baseline", anatomy=False)
    assert held.gate is not None
    for verdict in (growing, held):
        shown = hero(verdict.to_html())
        assert len(words(shown)) <= 60, shown
        assert "MAX" not in shown


def test_guessing_that_is_left_is_not_praised():
    rng = np.random.default_rng(3)
    left = judge({"MAX": DummyClassifier(), "1-NN": KNeighborsClassifier(1)},
                 rng.normal(size=(300, 3)), rng.random(300) < 0.1, anatomy=False)  # fmt: skip
    assert left.guesses
    assert left.differences.answers[0][1] == "better"
    assert not any("Caveat: none" in one.text for one in left.top())


def test_of_answers_made_elsewhere_nobody_is_called_simple():
    text = str(one_test_set())
    assert "simple" not in text
    assert "complex" not in text
    assert "listed earlier" in text


@pytest.mark.browser
@pytest.mark.long
@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_it_is_all_that_is_seen_without_scrolling(opened, write, size):
    """Every sentence of it stands on the screen, and of the rest no word does."""
    width, height = size
    for make in (two_classes, a_leak, one_test_set):
        tab, _ = opened(write(make().to_html()), viewport={"width": width, "height": height})
        boxes = [one.bounding_box() for one in tab.locator(".hero .sentence").all()]
        assert max(box["y"] + box["height"] for box in boxes) <= height
        assert tab.locator(".overview .question").first.bounding_box()["y"] >= height
