"""What changed between two verdicts: from their JSON alone, as text and as a short comment."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from polychotomy import import_predictions, judge
from polychotomy.report.changes import comment, facts_of, say_changes
from polychotomy.report.text import escape_markdown

OLD = {"MAX": DummyClassifier(), "tree": DecisionTreeClassifier(max_depth=1, random_state=0)}
NEW = {**OLD, "tree": DecisionTreeClassifier(random_state=0), "a|b": GaussianNB(),
       "neighbours": KNeighborsClassifier()}  # fmt: skip


@pytest.fixture(scope="module")
def documents():
    return [
        judge(one, *load_iris(return_X_y=True), against="MAX", anatomy=False).to_dict()
        for one in (OLD, NEW)
    ]


@pytest.fixture
def paths(documents, tmp_path):
    found = [tmp_path / "old.json", tmp_path / "new.json"]
    for path, document in zip(found, documents, strict=True):
        path.write_text(json.dumps(document), encoding="utf-8")
    return found


def test_what_changed_is_said_with_both_numbers(run, tmp_path, paths, documents):
    old, new = documents
    lines = run("compare", *map(str, paths), cwd=tmp_path).stdout.splitlines()
    assert f"use: {old['best']} → {new['best']}" in lines or old["best"] == new["best"]
    assert "candidates: MAX, tree → MAX, tree, a|b, neighbours" in lines
    (expected,) = [line for line in lines if line.startswith("error to expect: ")]
    for one in documents:
        assert f"{100 * one['selected']['expected']:.1f} %" in expected
    (moved,) = [line for line in lines if line.startswith("moved by more")]
    errors = [{c["name"]: c["error"] for c in one["candidates"]}["tree"] for one in documents]
    assert f"tree {round(100 * (errors[0] - errors[1]), 1):g} points better" in moved


def test_the_same_verdict_has_not_changed(run, tmp_path, paths):
    assert run("compare", str(paths[1]), str(paths[1]), cwd=tmp_path).stdout == "Nothing changed.\n"


def test_a_comment_is_short_and_nothing_in_it_is_markup(run, tmp_path, paths, documents):
    text = run("compare", *map(str, paths), "--markdown", cwd=tmp_path).stdout
    lines = text.splitlines()
    assert len(lines) <= 15
    assert lines[0] == f"### {documents[1]['summary'][0]}".replace("|", r"\|")
    assert "| | before | now |" in lines
    assert r"a\|b" in text
    rows = [line for line in lines if line.startswith("| ")]
    assert all(line.replace(r"\|", "").count("|") == 4 for line in rows)


def test_one_verdict_alone_is_summed_up(run, tmp_path, paths, documents):
    assert (
        run("compare", str(paths[1]), cwd=tmp_path).stdout.splitlines() == documents[1]["summary"]
    )


@pytest.mark.parametrize("text", ["[1, 2]", "no json", '{"best": "a"}'])
def test_another_file_is_no_verdict(run, tmp_path, text):
    path = tmp_path / "other.json"
    path.write_text(text, encoding="utf-8")
    done = run("compare", str(path), cwd=tmp_path)
    assert done.returncode == 2
    assert "is no verdict on one table; expected what polychotomy judge --json" in done.stderr
    assert "--json > FILE.json." in done.stderr  # over no file that is there


def test_a_first_verdict_that_is_not_there_is_named_with_how_to_make_it(run, tmp_path):
    done = run("compare", "main.json", "new.json", cwd=tmp_path)
    assert done.returncode == 2
    assert "no file 'main.json'; make it by polychotomy judge … --json > main.json" in done.stderr
    done = run("compare", "mine.py", cwd=tmp_path)
    assert "no file 'mine.py'; make it by polychotomy judge … --json > FILE.json." in done.stderr


def test_of_right_and_wrong_no_class_is_compared():
    rng = np.random.default_rng(0)
    one, two = (
        judge(import_predictions(pd.DataFrame({"a": rng.integers(0, 2, n), "b": 1}))).to_dict()
        for n in (60, 90)
    )
    said = " ".join(say_changes(one, two))
    assert "60 rows" in said
    assert "class" not in said
    assert "taken for" not in said
    assert facts_of(one)["probabilities"] == "none"


def test_a_name_is_written_in_a_comment_as_it_is():
    """GitHub strikes out what stands between tildes, and reads entities."""
    assert escape_markdown("~~a~~ &lt;b") == r"\~\~a\~\~ \&lt;b"


@pytest.mark.parametrize("schema", [0, None, "2"])
def test_a_verdict_of_another_schema_is_refused(run, tmp_path, paths, documents, schema):
    paths[0].write_text(json.dumps(documents[0] | {"schema": schema}))
    found = run("compare", *map(str, paths), cwd=tmp_path)
    assert found.returncode == 2
    assert f"old.json' has the schema {schema!r}; expected {documents[0]['schema']}" in found.stderr


def test_warnings_stand_above_the_answer_and_are_beside_those_before(documents):
    X, y = load_iris(return_X_y=True, as_frame=True)
    leaking = judge(OLD, X.assign(code=y * 1.0), y.rename("kind"), anatomy=False).to_dict()
    text = comment(leaking, documents[0])
    assert text.startswith("Warning: 'code' gives 'kind' away; unless it is known when you predict")
    assert text.index("Warning") < text.index("### Use")
    assert "| warned of | – | leak |" in text
    assert "warned of: none → leak" in say_changes(documents[0], leaking)
