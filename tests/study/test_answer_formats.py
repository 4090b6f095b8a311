"""Answers in the files of other tools, found without an option."""

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.linear_model import RidgeClassifier
from sklearn.model_selection import (
    RepeatedStratifiedKFold,
    ShuffleSplit,
    cross_validate,
    train_test_split,
)
from sklearn.naive_bayes import GaussianNB

from polychotomy import import_predictions, judge
from polychotomy.app import Request, judge_request
from polychotomy.core.exceptions import InvalidInput, InvalidTable


def right(seed=0, n=60, models=("org__small", "org__large")):
    rng = np.random.default_rng(seed)
    return {name: (rng.random(n) < 0.5 + 0.2 * i).astype(float) for i, name in enumerate(models)}


def lm_evaluation_line(doc_id, filter_name, **metrics):
    """A line as ``evaluate`` and ``EvaluationTracker.save_results_samples`` write it.

    lm-evaluation-harness 0.4, ``lm_eval/evaluator.py`` and ``loggers/evaluation_tracker.py``.
    """
    return {
        "doc_id": doc_id,
        "doc": {"question": f"What is {doc_id}?", "answer": "#### 18"},
        "target": "18",
        "arguments": {"gen_args_0": {"arg_0": "Question: …", "arg_1": {"until": ["\n\n"]}}},
        "resps": [["The answer is 18."]],
        "filtered_resps": ["18"],
        "filter": filter_name,
        "metrics": list(metrics),
        "doc_hash": "ab12",
        "prompt_hash": "cd34",
        "target_hash": "ef56",
        **metrics,
    }


def write_lines(path, lines):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def write_lm_evaluation(folder, task, answers, *, metric="exact_match", date="2026-01-02"):
    for model, values in answers.items():
        lines = [
            lm_evaluation_line(i, name, **{metric: value if name == "strict-match" else 1.0})
            for name in ("strict-match", "flexible-extract")
            for i, value in enumerate(values)
        ]
        write_lines(folder / model / f"samples_{task}_{date}T10-11-12.345678.jsonl", lines)
        (folder / model / f"results_{date}T10-11-12.345678.json").write_text('{"results": {}}')


def test_a_folder_of_lm_evaluation_harness(tmp_path):
    answers = right()
    write_lm_evaluation(tmp_path / "runs", "gsm8k", right(seed=9), date="2025-12-31")
    write_lm_evaluation(tmp_path / "runs", "gsm8k", answers)
    with import_predictions(tmp_path / "runs") as ledger:
        verdict = judge(ledger)
    assert verdict.dataset["name"] == "gsm8k"
    errors = {candidate.name: candidate.error for candidate in verdict.candidates}
    assert errors == pytest.approx({name: 1 - values.mean() for name, values in answers.items()})
    said = " ".join(verdict.notes)
    assert "of 'gsm8k' the filter 'strict-match' was read" in said
    assert "right and wrong of 'gsm8k' are its 'exact_match'" in said
    assert "the last by date was read" in said


def test_several_tasks_are_several_data_sets(tmp_path):
    write_lm_evaluation(tmp_path / "runs", "gsm8k", right())
    write_lm_evaluation(tmp_path / "runs", "arc_easy", right(1), metric="acc")
    page = tmp_path / "page.html"
    judged = judge_request(Request(predictions=tmp_path / "runs", output=page))
    assert judged.verdict.tables == ("arc_easy", "gsm8k")
    assert judged.verdict.candidates == ("org__large", "org__small")
    assert "right and wrong of 'gsm8k' are its 'exact_match'" in str(judged.verdict.notes)
    assert page.exists()


def test_measures_that_are_not_right_or_wrong_are_named(tmp_path):
    write_lines(tmp_path / "m" / "samples_sum_2026-01-02T1.jsonl",
                [lm_evaluation_line(0, "none", rouge1=0.31, bleu=12.5)])  # fmt: skip
    words = r"no measure that is 0 or 1 .*; its 'metrics', .* its numbers, are rouge1, bleu\."
    with pytest.raises(InvalidTable, match=words):
        import_predictions(tmp_path)


def older(lines):
    """Lines as of versions of lm-evaluation-harness that name neither filter nor measures."""
    return [{k: v for k, v in one.items() if k not in ("filter", "metrics")} for one in lines]


def test_older_versions_of_lm_evaluation_harness_name_no_measures(tmp_path):
    answers = right()
    for model, values in answers.items():
        lines = [
            lm_evaluation_line(i, "", acc_norm=0.3 + first / 2, f1=first, acc=float(value == first))
            for first in (1, 0)  # a filter after the other
            for i, value in enumerate(values)
        ]
        write_lines(tmp_path / model / "samples_arc_2024-01-02T1.jsonl", older(lines))
    errors, notes = resolved_errors(tmp_path)
    assert errors == pytest.approx({name: 1 - values.mean() for name, values in answers.items()})
    assert "right and wrong of 'arc' are its 'acc'" in notes
    assert "of 'arc' the filter 'without a name' was read, the first" in notes
    with import_predictions(tmp_path, higher_better=True) as ledger:
        assert "scores of 'arc' are its 'acc'" in str(judge(ledger).notes)


def test_what_was_looked_for_is_said_where_no_measures_are_named(tmp_path):
    write_lines(tmp_path / "m" / "samples_sum_2024-01-02T1.jsonl",
                older([lm_evaluation_line(0, "none", rouge1=0.31, bleu=12.5)]))  # fmt: skip
    words = (
        r"0 or 1 for every answer; .* where these are not listed its numbers, are rouge1, bleu\."
    )
    with pytest.raises(InvalidTable, match=words):
        import_predictions(tmp_path)


RESOLVED = {"20240402_agent": ["django-1", "sympy-2"], "20250101_other": ["django-1", "astropy-3"]}


def resolved_errors(path):
    with import_predictions(path) as ledger:
        verdict = judge(ledger)
    return {one.name: one.error for one in verdict.candidates}, " ".join(verdict.notes)


def test_the_leaderboard_of_swe_bench(tmp_path):
    """``evaluation/verified/<system>/results/results.json`` of the SWE-bench experiments."""
    for system, ids in RESOLVED.items():
        results = tmp_path / "verified" / system / "results"
        results.mkdir(parents=True)
        content = {"no_generation": ["flask-4"], "no_logs": [], "resolved": ids}
        (results / "results.json").write_text(json.dumps(content))
        by_repo = {"django/django": {"resolved": 1, "total": 2}}
        (results / "resolved_by_repo.json").write_text(json.dumps(by_repo))
        log = tmp_path / "verified" / system / "logs" / "django-1"
        log.mkdir(parents=True)
        (log / "report.json").write_text('{"django-1": {"resolved": true}}')
    errors, notes = resolved_errors(tmp_path / "verified")
    assert errors == pytest.approx(dict.fromkeys(RESOLVED, 0.5))
    assert "counts as not resolved, of 4 instances" in notes
    with import_predictions(tmp_path / "verified") as ledger:
        verdict = judge(ledger)
    (warning,) = verdict.to_dict()["warnings"]
    assert warning["kind"] == "reading"
    assert "those that nobody has resolved may be missing" in warning["text"]
    assert "<system>.<run>.json" in warning["text"]
    assert str(verdict).startswith("Warning: the error is of 4 instances")


def test_reports_of_swe_benchs_harness(tmp_path):
    """``<model>.<run>.json``, as ``make_run_report`` of swebench 2 and later writes it."""
    for system, ids in RESOLVED.items():
        every = ["astropy-3", "django-1", "flask-4", "requests-5", "sympy-2"]
        content = {
            "total_instances": 5,
            "resolved_instances": 2,
            "submitted_ids": every[:4],
            "incomplete_ids": every[4:],
            "resolved_ids": ids,
            "unresolved_ids": ["flask-4"],
            "error_ids": [],
            "unstopped_containers": ["sweb.eval.x"],
            "unremoved_images": ["sweb.eval.y"],
            "schema_version": 2,
        }
        (tmp_path / f"{system}.run1.json").write_text(json.dumps(content, indent=4))
    errors, notes = resolved_errors(tmp_path)
    assert errors == pytest.approx({f"{name}.run1": 0.6 for name in RESOLVED})
    assert "counts as not resolved, of 5 instances" in notes
    assert "may be missing" not in notes


def test_details_of_each_instance(tmp_path):
    """``evaluation/bash-only/<system>/per_instance_details.json`` of the same experiments."""
    for system, ids in RESOLVED.items():
        content = {
            name: {"cost": 0.7, "api_calls": 32, "resolved": name in ids}
            for name in ("astropy-3", "django-1", "flask-4", "sympy-2")
        }
        (tmp_path / system).mkdir()
        (tmp_path / system / "per_instance_details.json").write_text(json.dumps(content))
    errors, notes = resolved_errors(tmp_path)
    assert errors == pytest.approx(dict.fromkeys(RESOLVED, 0.5))
    assert "may be missing" not in notes


@pytest.mark.parametrize("wrap", [lambda ids: ids, lambda ids: {"resolved": ids}])
def test_one_file_of_all_systems(tmp_path, wrap):
    content = {name: wrap(ids) for name, ids in RESOLVED.items()}
    (tmp_path / "all.json").write_text(json.dumps(content))
    errors, notes = resolved_errors(tmp_path / "all.json")
    assert errors == pytest.approx(dict.fromkeys(RESOLVED, 1 / 3))
    assert "may be missing" in notes


def test_json_lines_have_the_columns_of_a_table(tmp_path):
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"learner": np.repeat(["a", "b"], 40), "sample": np.tile(range(40), 2),
                          "correct": rng.random(80) < 0.7})  # fmt: skip
    table.to_json(tmp_path / "answers.jsonl", orient="records", lines=True)
    table.to_csv(tmp_path / "answers.csv", index=False)
    found = [resolved_errors(tmp_path / f"answers.{kind}")[0] for kind in ("jsonl", "csv")]
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("name", "content", "match"),
    [
        ("x.jsonl", '{"learner": "a"}\n{"learner"\n', "'x.jsonl' cannot be read as JSON lines"),
        ("x.json", '{"a": 1}', "'x.json' has neither samples_<task>_<date>.jsonl"),
        ("x.txt", "a", "expected"),
    ],
)
def test_what_is_of_no_known_kind_is_said(tmp_path, name, content, match):
    (tmp_path / name).write_text(content)
    with pytest.raises((InvalidTable, InvalidInput), match=match):
        import_predictions(tmp_path / name)


def test_scores_of_a_harness_are_compared_where_that_is_asked_for(tmp_path):
    for model, shift in (("small", 0.0), ("large", 0.3)):
        lines = [
            {"doc_id": i, "filter": "none", "metrics": ["exact_match", "rouge1"],
             "exact_match": i % 2, "rouge1": 0.2 + shift + 0.01 * (i % 7)}
            for i in range(40)
        ]  # fmt: skip
        for line in lines:
            del line["exact_match"]
        write_lines(tmp_path / model / "samples_summary_2026-01-01T00-00-00.jsonl", lines)
    with import_predictions(tmp_path, higher_better=True) as ledger:
        verdict = judge(ledger)
    assert verdict.best == "large"
    assert any("scores of 'summary' are its 'rouge1'" in note for note in verdict.notes)


def write_mlflow(path, frame):
    """As ``mlflow.log_table`` writes the ``eval_results_table.json`` of ``mlflow.evaluate``."""
    path.parent.mkdir(parents=True, exist_ok=True)
    frame.to_json(path, orient="split", index=False)


def labelled(seed, n=80):
    rng = np.random.default_rng(seed)
    target = np.arange(n) % 3
    said = np.where(rng.random(n) < 0.7, target, rng.integers(0, 3, n)).astype(float)
    return pd.DataFrame({"x": rng.random(n), "label": target, "prediction": said})


@pytest.mark.parametrize("place", ["{}/artifacts/eval_results_table.json", "{}.json"])
def test_evaluation_tables_of_mlflow(tmp_path, place):
    tables = {"run a": labelled(0), "run b": labelled(1)}
    for name, frame in tables.items():
        write_mlflow(tmp_path / place.format(name), frame)
    with import_predictions(tmp_path) as ledger:
        verdict = judge(ledger)
    wrong = {name: np.mean(one["label"] != one["prediction"]) for name, one in tables.items()}
    assert {one.name: one.error for one in verdict.candidates} == pytest.approx(wrong)
    assert verdict.dataset["classes"] == ["0", "1", "2"]
    assert "cases are matched by their row in MLflow's tables" in " ".join(verdict.notes)


def test_one_table_of_mlflow_is_one_candidate(tmp_path):
    write_mlflow(tmp_path / "mine" / "eval_results_table.json", labelled(0))
    with import_predictions(tmp_path / "mine" / "eval_results_table.json") as ledger:
        assert ledger.fact("specification")["candidates"].keys() == {"mine"}


def asked(shift, n=40):
    """Answers in words, and a score of each."""
    target = [f"answer {i}" for i in range(n)]
    said = [text if i % 5 > shift else "no idea" for i, text in enumerate(target)]
    score = 1.0 + shift + np.arange(n) % 3
    return pd.DataFrame({"inputs": np.arange(n), "targets": target, "outputs": said,
                         "similarity/v1/score": score, "similarity/v1/reason": "so"})  # fmt: skip


def test_texts_are_right_where_they_equal_their_target_or_are_scored(tmp_path):
    for shift, name in enumerate(("often", "seldom")):
        write_mlflow(tmp_path / name / "eval_results_table.json", asked(shift))
    errors, notes = resolved_errors(tmp_path)
    assert errors == pytest.approx({"often": 0.2, "seldom": 0.4})
    assert "right is what equals its target" in notes
    with import_predictions(tmp_path, higher_better=True) as ledger:
        verdict = judge(ledger)
    assert verdict.best == "seldom"
    assert any("'similarity/v1/score'" in note for note in verdict.notes)


@pytest.mark.parametrize(
    ("frame", "match"),
    [
        (asked(0).drop(columns="targets"), "expected a column target and a column prediction"),
        (asked(0).assign(inputs=7), "was asked other inputs than"),
        (
            asked(0, n=30).drop(columns="inputs"),
            "missing: 10 of 'b', such as that of 'b' to the sample '30'; expected every",
        ),
    ],
)
def test_tables_of_mlflow_that_cannot_be_compared(tmp_path, frame, match):
    write_mlflow(tmp_path / "a" / "eval_results_table.json", asked(0))
    write_mlflow(tmp_path / "b" / "eval_results_table.json", frame)
    with pytest.raises(InvalidTable, match=match):
        import_predictions(tmp_path)


def test_two_tables_of_one_name_are_refused(tmp_path):
    for folder in ("x", "y"):
        write_mlflow(tmp_path / folder / "m" / "eval_results_table.json", labelled(0))
    with pytest.raises(InvalidTable, match="two evaluation tables are of 'm'"):
        import_predictions(tmp_path)


def test_scores_of_folds_are_refused_and_predictions_named():
    found = {"tree": {"fit_time": np.ones(5), "test_score": np.linspace(0.7, 0.8, 5)}}
    with pytest.raises(
        InvalidInput, match=r"cross_validate returned: .* cross_val_predict\(model, X, y\)"
    ):
        import_predictions(found)


def test_nobody_names_classes_where_none_are_known(tmp_path):
    """Right and wrong are no classes; nor is anything that was only scored."""
    table = pd.DataFrame({"a": [1, 0, 1, 1] * 9, "b": [0, 1, 1, 0] * 9})
    for better, words in ((None, "who was right"), (True, "what was scored")):
        with import_predictions(table, higher_better=better) as ledger:
            verdict = judge(ledger)
        verdict.to_html(tmp_path / "page.html")
        page = (tmp_path / "page.html").read_text(encoding="utf-8")
        assert f"not known: the table says {words}, not what was answered" in page
        assert "classes" not in verdict.to_markdown().splitlines()[2]


PUBLISHED = Path(__file__).parents[2] / "docs/results"
RATES = {
    100: {"vexp + Claude Code": 73, "Live-SWE-Agent": 72, "OpenHands": 70, "Sonar Foundation": 70},
    500: {"Live-SWE-Agent": 396, "OpenHands": 388, "Sonar Foundation": 396},
}


@pytest.mark.parametrize("size", RATES)
def test_published_answers_are_judged_as_the_page_says(size):
    """Sums are those that the sources print; the page has the first sentences and every p."""
    with import_predictions(PUBLISHED / f"published_answers_{size}.csv") as ledger:
        verdict = judge(ledger)
    rates = {one.name: round(size * (1 - one.error)) for one in verdict.candidates}
    assert rates == RATES[size]
    page = (PUBLISHED / "published_answers.md").read_text(encoding="utf-8")
    said = verdict.to_dict()
    assert " ".join(said["summary"]) in re.sub(r"\s+(> )?", " ", page)
    assert {one["answer"] for one in said["differences"]} == {"undecided"}
    assert {(one["low"], one["high"]) for one in said["ranks"]} == {(1, len(rates))}
    shown = said["differences"] if size == 500 else said["differences"][:1]
    assert all(f"{one['pvalue']:.2f}" in page for one in shown)


def kept_folds(who, X, y, cv):
    options = {"cv": cv, "return_estimator": True, "return_indices": True}
    return {name: cross_validate(model, X, y, **options) for name, model in who.items()}


def iris_and_two():
    X, y = load_iris(return_X_y=True, as_frame=True)
    names = load_iris().target_names[y]
    return X, names, {"naive Bayes": GaussianNB(), "ridge": RidgeClassifier()}


def test_what_cross_validate_kept_is_judged_without_a_fit():
    X, y, who = iris_and_two()
    cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
    kept = kept_folds(who, X, y, cv)
    verdict = judge(kept, X, y)
    for name, result in kept.items():
        assert verdict.candidate(name).error == pytest.approx(1 - result["test_score"].mean())
    assert (verdict.plan["repetitions"], verdict.plan["folds"]) == (2, 5)
    assert verdict.dataset["classes"] == ["setosa", "versicolor", "virginica"]
    with pytest.raises(InvalidInput, match="return_estimator=True"):
        judge({name: cross_validate(model, X, y) for name, model in who.items()}, X, y)
    with pytest.raises(InvalidInput, match="return_indices=True"):
        judge(kept)
    with pytest.raises(InvalidTable, match="every sample once"):
        judge(kept_folds(who, X, y, ShuffleSplit(4, random_state=0)), X, y)


def test_a_comparison_report_of_skore_is_judged_without_a_fit():
    skore = pytest.importorskip("skore", reason="skore is not installed")
    X, y, who = iris_and_two()
    folds = {name: skore.CrossValidationReport(m, X, y, splitter=5) for name, m in who.items()}
    verdict = judge(skore.ComparisonReport(folds))
    for name, one in folds.items():
        right = [
            np.mean(fit.get_predictions(data_source="test") == fit.y_test) for fit in one.reports_
        ]
        assert verdict.candidate(name).error == pytest.approx(1 - np.mean(right))
    assert verdict.plan["folds"] == 5
    X0, X1, y0, y1 = train_test_split(X, y, random_state=0)
    parts = {"X_train": X0, "y_train": y0, "X_test": X1, "y_test": y1}
    alone = {name: skore.EstimatorReport(model, **parts) for name, model in who.items()}
    verdict = judge(skore.ComparisonReport(alone))
    said = who["ridge"].fit(X0, y0).predict(X1)
    assert verdict.candidate("ridge").error == pytest.approx(np.mean(said != y1))
    assert verdict.plan["name"] == "one test set"


def answers(n=90):
    rng = np.random.default_rng(0)
    truth = rng.choice(["A", "B", "C"], n)
    wrong = rng.choice(["A", "B", "C"], n)
    return truth, {
        name: np.where(rng.random(n) < share, truth, wrong)
        for name, share in (("one", 0.8), ("two", 0.5))
    }


OTHER_NAMES = [
    {"learner": "model", "sample": "id", "truth": "gold", "predicted": "prediction"},
    {"learner": "System", "sample": "question_id", "truth": "y_true", "predicted": "y_pred"},
    {"learner": "candidate", "sample": "item", "truth": "label", "predicted": "output"},
]


@pytest.mark.parametrize("names", OTHER_NAMES, ids=lambda names: names["learner"])
def test_columns_may_have_the_names_that_others_use(names):
    truth, given = answers()
    ours = pd.concat(
        [
            pd.DataFrame(
                {
                    "learner": name,
                    "sample": range(len(truth)),
                    "truth": truth,
                    "predicted": own,
                }
            )
            for name, own in given.items()
        ]
    )
    wide = pd.DataFrame({names["sample"]: range(len(truth)), names["truth"]: truth, **given})
    with import_predictions(ours) as ledger:
        expected = ledger.fold_errors()
    for frame in (ours.rename(columns=names), wide):
        with import_predictions(frame) as ledger:
            np.testing.assert_array_equal(ledger.fold_errors(), expected)
            assert f"'{names['truth']}' as truth" in str(judge(ledger).notes)


def test_a_column_is_renamed_only_where_no_other_may_be_meant():
    frame = pd.DataFrame({"model": ["a"], "id": [1], "question": ["x"], "correct": [1]})
    with pytest.raises(InvalidTable, match=r"'model', 'id', 'quest.*\(read 'model' as learner\.\)"):
        import_predictions(frame)
    truth, given = answers()
    by = pd.DataFrame({"sample": range(len(truth)), "truth": truth, "method": truth, **given})
    with import_predictions(by, by="method") as ledger:
        assert [one.name for one in judge(ledger).candidates] == ["one", "two"]


def test_numbers_beside_a_truth_of_0_and_1_are_probabilities_of_1():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 80)
    frame = pd.DataFrame({"y_true": y, **{m: 0.3 * y + 0.7 * rng.random(80) for m in "ab"}})
    with import_predictions(frame) as ledger:
        verdict = judge(ledger)
    wrong = {m: float(np.mean((frame[m] > 0.5) != y)) for m in "ab"}
    assert {one.name: one.error for one in verdict.candidates} == pytest.approx(wrong)
    assert not verdict.trust.hard


def test_texts_are_right_where_they_equal_their_truth():
    rows = [
        {"model": m, "id": i, "gold": f"answer {i}", "output": f"answer {i - (i % k == 0)}"}
        for m, k in (("a", 3), ("b", 5))
        for i in range(1, 121)
    ]
    with import_predictions(pd.DataFrame(rows)) as ledger:
        verdict = judge(ledger)
    assert {one.name: one.error for one in verdict.candidates} == pytest.approx(
        {"a": 40 / 120, "b": 24 / 120}
    )
    assert any("right is what equals its target" in note for note in map(str, verdict.notes))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda line: line.pop("doc_id"), "has a line without 'doc_id'; expected one in each"),
        (lambda line: (line.pop("metrics"), line.pop("exact_match")), "its numbers, are none"),
        (lambda line: line.update(exact_match=float("nan")), "no measure that is 0 or 1"),
    ],
)
def test_lines_of_lm_evaluation_harness_that_lack_something(tmp_path, change, words):
    lines = [lm_evaluation_line(i, "none", exact_match=1.0) for i in range(5)]
    change(lines[0])
    write_lines(tmp_path / "runs" / "A" / "samples_task_2026-01-02T10-11-12.345678.jsonl", lines)
    with pytest.raises(InvalidTable, match=words):
        import_predictions(tmp_path / "runs")


def test_texts_without_a_target_are_refused():
    frame = pd.DataFrame({"learner": "A", "sample": range(60), "truth": map(str, range(60))})
    frame["predicted"] = ["", *map(str, range(1, 60))]  # an empty answer is one, and wrong
    with import_predictions(frame) as ledger:
        assert ledger.fold_errors().item() == pytest.approx(1 / 60)
    frame.loc[7, "truth"] = None
    with pytest.raises(InvalidTable, match="truth is empty in row 8"):
        import_predictions(frame)


def test_results_of_one_name_are_not_taken_for_each_other(tmp_path):
    for folder, done in (("first", ["a", "b"]), ("second", ["c"])):
        (tmp_path / "runs" / folder).mkdir(parents=True)
        told = json.dumps({"resolved_ids": done, "unresolved_ids": ["d"]})
        (tmp_path / "runs" / folder / "A.json").write_text(told)
    with pytest.raises(InvalidTable, match=r"'A.json' is there twice for 'A'; expected one"):
        import_predictions(tmp_path / "runs")


def in_words(n=60):
    """Answers in words, as libraries of language models write them."""
    return pd.DataFrame(
        {"question_id": f"q{i}", "model": m, "response": f"say {i - (i % k == 0)}",
         "answer": f"say {i}"}
        for i in range(n) for m, k in (("a", 3), ("b", 5))
    )  # fmt: skip


def test_an_answer_beside_a_response_is_the_truth():
    with import_predictions(in_words()) as ledger:
        verdict = judge(ledger)
    assert {one.name: one.error for one in verdict.candidates} == pytest.approx(
        {"a": 1 / 3, "b": 0.2}
    )
    assert "'answer' as truth" in str(verdict.notes)
    both = in_words().assign(correct=1)  # what is right is said: nobody knows what answer is
    with import_predictions(both.rename(columns={"answer": "Answer"})) as ledger:
        assert not ledger.fold_errors().any()
    gold = in_words().assign(gold=in_words()["answer"])
    with import_predictions(gold) as ledger:
        assert "'gold' as truth" in str(judge(ledger).notes)
    with pytest.raises(InvalidTable, match="'answer', 'gold' and 1 more; expected either"):
        import_predictions(gold.assign(label="say 1"))


def test_errors_name_the_columns_as_the_file_does():
    words = (
        r"columns 'question_id', 'model', 'response'; .*read 'model' as learner, 'question_id' as"
    )
    with pytest.raises(InvalidTable, match=words):
        import_predictions(in_words().drop(columns="answer"))
    frame = in_words().assign(question_id=[None, *range(119)])
    with pytest.raises(InvalidTable, match=r"sample is empty in row 1; .*'question_id' as sample"):
        import_predictions(frame)


def league(name="benchmark", sizes=(30, 20)):
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {name: part, "model": model, "item": f"{part}-{i}", "correct": int(rng.random() < share)}
        for part, n in zip(("mmlu", "gsm"), sizes, strict=True)
        for i in range(n) for model, share in (("a", 0.9), ("b", 0.4))
    )  # fmt: skip


@pytest.mark.parametrize("name", ["benchmark", "Task", "data_set", "data set", "suite"])
def test_data_sets_have_the_names_that_others_use(name, tmp_path):
    frame = league(name)
    frame.to_csv(tmp_path / "t.csv", index=False)
    asked = Request(predictions=tmp_path / "t.csv", output=tmp_path / "page.html")
    many = judge_request(asked).verdict
    assert many.tables == ("mmlu", "gsm")
    assert f"{name!r} as dataset" in str(many)
    with import_predictions(frame) as ledger:
        assert {one: len(ledger.truth(one)) for one in ("mmlu", "gsm")} == {"mmlu": 30, "gsm": 20}
        assert f"{name!r} as dataset" in str(judge(ledger, dataset="gsm").notes)
    wide = frame.pivot(index=[name, "item"], columns="model", values="correct").reset_index()
    with import_predictions(wide) as ledger:
        assert {*ledger.fact("specification")["datasets"]} == {"mmlu", "gsm"}
    with import_predictions(frame, by=name) as ledger:  # named, it is what it is named
        assert {*judge(ledger).by.names} == {"mmlu", "gsm"}


def one_table(frame, **options):
    with import_predictions(frame, **options) as ledger:
        assert len(ledger.fact("specification")["datasets"]) == 1
        return " ".join(judge(ledger).notes)


def test_a_column_of_one_task_or_of_the_cases_makes_no_tables():
    for frame in (
        league().assign(benchmark="mmlu"),
        league().assign(benchmark=league()["item"]),
        league(sizes=(49, 1)),  # of one case nothing can be said
    ):
        assert "columns not used: 'benchmark' (" in one_table(frame)


def test_columns_that_are_not_used_are_named():
    frame = league().drop(columns="benchmark").assign(language="de", document="x", run=0)
    assert "columns not used: 'language', 'document' (--group" in one_table(frame)
    frame.loc[::4, "document"] = "y"
    frame["document"] = frame.groupby("item")["document"].transform("first")
    notes = one_table(frame, by="language", group="document")
    assert "columns not used" not in notes
    wide = pd.DataFrame({"a": [1, 0] * 20, "b": 1, "remark": "?"})
    assert "columns not used: 'remark' (" in one_table(wide, learners=["a", "b"])
