"""A table of predictions: what its columns may be."""

import json

import numpy as np
import pandas as pd
import pytest

from polychotomy import judge
from polychotomy.core.exceptions import InvalidInput, InvalidTable
from polychotomy.study import import_predictions

GOOD = {
    "candidate": ["a", "a", "b", "b"],
    "sample": [10, 20, 10, 20],
    "fold": [1, 2, 1, 2],
    "truth": [0, 1, 0, 1],
    "p:0": [0.5, 0.25, 1.0, 0.0],
    "p:1": [0.5, 0.75, 0.0, 1.0],
}


def trials(table):
    """What a table is taken for: all predictions, all trials, the names of the samples."""
    with import_predictions(table) as ledger:
        return ledger.out_of_fold(), ledger.trials(), ledger.sample_ids()


def test_numbers_as_labels_and_samples():
    found, _, samples = trials(pd.DataFrame(GOOD))
    assert found.classes == ("0", "1")
    assert samples == ["10", "20"]
    assert found.folds.tolist() == [[[0, 1]]]
    assert found.predicted[:, 0, 0].tolist() == [[0, 1], [0, 1]]
    assert found.hard.tolist() == [False, True]


def test_numbers_that_became_floats():
    found, _, samples = trials(pd.DataFrame(GOOD).astype({"truth": float, "sample": float}))
    assert found.classes == ("0", "1")
    assert samples == ["10", "20"]


def test_samples_of_one_number_are_two():
    frame = pd.DataFrame(GOOD | {"sample": ["1", "01", "1", "01"]})
    assert trials(frame)[2] == ["1", "01"]


def test_labels_like_na_are_labels(tmp_path):
    path = tmp_path / "p.csv"
    path.write_text("learner,sample,fold,truth,predicted\na,0,0,NA,null\na,1,0,null,NA\n")
    assert trials(path)[0].classes == ("NA", "null")


def test_clocks_may_be_missing_in_part():
    frame = pd.DataFrame({**GOOD, "fit_seconds": [1.0, np.nan, 2.0, 3.0]})
    _, found, _ = trials(frame)
    assert [trial["fit_seconds"] for trial in found] == [1, 0, 2, 3]
    assert [trial["predict_seconds"] for trial in found] == [0] * 4


def test_sizes_may_be_missing_in_part():
    for gap in (np.nan, None, "", pd.NA):
        frame = pd.DataFrame({**GOOD, "model_bytes": [gap, "12", gap, gap]})
        assert [trial["model_bytes"] for trial in trials(frame)[1]] == [12, None, None, None]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"learner": list("aabb")}, "expected either candidate or learner"),
        ({"truth": [0, 1, None, 1]}, "truth is empty in row 3"),
        ({"repetition": [0, 0, -1, 0]}, "repetition is .*-1.* in row 3"),
        ({"model_bytes": [1, 1, -2, 1]}, "model_bytes is '-2' in row 3; expected a whole number"),
        (
            {"model_bytes": ["1", "?", "", "1"]},
            r"model_bytes is '\?' in row 2; expected a whole number",
        ),
        ({"predicted": [0, 1, 0, 7]}, "predicted is '7' in row 4, which is none of the classes"),
    ],
)
def test_bad_columns(changes, words):
    with pytest.raises(InvalidTable, match=words):
        import_predictions(pd.DataFrame({**GOOD, **changes}))


@pytest.mark.parametrize("separator", [";", "\t", "|"])
@pytest.mark.parametrize("decimal", [".", ","])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_other_separators_are_found(tmp_path, separator, decimal, mark):
    """R's write.csv2 and many spreadsheets write semicolons and decimal commas."""
    path = tmp_path / "p.csv"
    frame = pd.DataFrame(GOOD | {"fit_seconds": [0.5, 0.25, 1.5, 2.0], "candidate": list("aabb")})
    frame["sample"] = ["1,5", "2,5"] * 2  # names stay as they are written
    path.write_text(mark + frame.to_csv(sep=separator, decimal=decimal, index=False))
    found, clocks, samples = trials(path)
    assert found.probabilities[:, 0, 0].tolist() == [[[0.5, 0.5], [0.25, 0.75]], [[1, 0], [0, 1]]]
    assert [trial["fit_seconds"] for trial in clocks] == [0.5, 0.25, 1.5, 2.0]
    assert samples == ["1,5", "2,5"]


def test_exponents_after_decimal_commas(tmp_path):
    """As pandas writes small probabilities, and whole numbers of a column with gaps."""
    path = tmp_path / "p.csv"
    small = 3.9598515e-05
    shares = {"p:0": [small, 0.25, 1, 0], "p:1": [1 - small, 0.75, 0, 1]}
    frame = pd.DataFrame(GOOD | shares | {"model_bytes": [12, None, 7, 7]})
    frame.to_csv(path, sep=";", decimal=",", index=False)
    found, sizes, _ = trials(path)
    assert found.probabilities[0, 0, 0, 0].tolist() == np.float32([small, 1 - small]).tolist()
    assert [trial["model_bytes"] for trial in sizes] == [12, None, 7, None]


WHO = {"learner": ["a", "a", "b", "b"], "sample": [1, 2, 1, 2]}


def test_who_was_right_counts_where_the_truth_is_not_told(tmp_path):
    """As of answers of language models, which somebody has rated."""
    frame = pd.DataFrame(
        WHO | {"predicted": ["Paris.", "no", "Rome", "no"], "correct": [1, 1, 0, 1]}
    )
    frame.to_csv(tmp_path / "p.csv", index=False)
    for given in (frame, tmp_path / "p.csv"):
        assert trials(given)[0].fold_errors().ravel().tolist() == [0, 0.5]


def test_who_was_right_counts_where_the_truth_is_a_text():
    texts = [f"text {i}" for i in range(60)]
    frame = pd.DataFrame({"learner": "a", "sample": range(60), "truth": texts, "predicted": "no"})
    assert trials(frame)[0].fold_errors().item() == 1
    assert trials(frame.assign(correct=[1] * 45 + [0] * 15))[0].fold_errors().item() == 0.25


def test_who_was_right_and_the_answers_must_agree():
    answers = {"truth": list("xyxy"), "predicted": list("xxxy"), "correct": [1, 0, 1, 1]}
    with import_predictions(pd.DataFrame(WHO | answers)) as ledger:
        assert ledger.fold_errors().ravel().tolist() == [0.5, 0]
    words = "correct says 'right' in row 2, where the truth is 'y' and 'x' is predicted"
    with pytest.raises(InvalidTable, match=words):
        import_predictions(pd.DataFrame(WHO | answers | {"correct": [1, 1, 1, 1]}))
    shares = {"p:x": [0.9, 0.8, 0.7, 0.4], "p:y": [0.1, 0.2, 0.3, 0.6]}
    with pytest.raises(InvalidTable, match="correct says 'wrong' in row 4"):
        import_predictions(
            pd.DataFrame(WHO | shares | {"truth": list("xyxy"), "correct": [1, 0, 1, 0]})
        )
    mean = pd.DataFrame(WHO | answers | {"correct": 0.75})  # which says nothing of a row
    assert trials(mean)[0].fold_errors().ravel().tolist() == [0.5, 0]


@pytest.mark.parametrize("said", ["Y N", "t f", "True False", "1.0 0", "yes no", "pass failed"])
def test_right_and_wrong_in_words(said):
    right, wrong = said.split()
    frame = pd.DataFrame(WHO | {"correct": [right, right, wrong, right]})
    assert trials(frame)[0].fold_errors().ravel().tolist() == [0, 0.5]


def test_data_sets_by_name():
    """None is left out for having no name, and 1 and "1" are one."""
    frame = pd.DataFrame(WHO | {"truth": list("xyxy"), "predicted": "x"})
    both = pd.concat([frame, frame.assign(sample=[3, 4, 3, 4])])
    with import_predictions(both.assign(dataset=[1] * 4 + ["1"] * 4)) as ledger:
        assert ledger.out_of_fold(dataset="1").y.size == 4
    with pytest.raises(InvalidInput, match="a data set is named ''"):
        import_predictions(both.assign(dataset=[1.0] * 4 + [np.nan] * 4))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"truth": [{"a": 1}] * 4, "predicted": "x"}, "truth of any sample, such as .*'a': 1"),
        ({"truth": 0, "predicted": 0, "weight": [1e300, 1, 1e300, 1]}, r"weight is '1.*' in row 1"),
        ({"truth": 0, "predicted": 0, "weight": [1e3, 1, 1e3, 1]}, "1000 is 100% of all together"),
    ],
)
def test_odd_cells(changes, words):
    with pytest.raises(InvalidTable, match=words):
        import_predictions(pd.DataFrame(WHO | changes))


def test_lists_are_classes_as_they_are_written():
    frame = pd.DataFrame(WHO | {"truth": [["x"], []] * 2, "predicted": [["x"]] * 4})
    assert trials(frame)[0].classes == ("['x']", "[]")


def test_columns_of_one_name_are_refused():
    frame = pd.DataFrame(WHO | {"truth": 1, "predicted": 1})
    with pytest.raises(InvalidTable, match="2 columns are called 'truth'"):
        import_predictions(pd.concat([frame, frame[["truth"]]], axis=1))


@pytest.mark.parametrize("score", [10**400, 1e39, np.inf, None, "good"])
def test_scores_beyond_all_numbers(score):
    frame = pd.DataFrame(WHO | {"score": pd.Series([1, 2, 3, score], dtype=object)})
    with pytest.raises(InvalidTable, match=r"score is '.*' in row 4; expected a number from"):
        import_predictions(frame, higher_better=True)


def test_nobody_guesses_what_is_better():
    frame = pd.DataFrame(WHO | {"score": 1.0})
    with pytest.raises(InvalidInput, match="higher_better is 'lower'; expected True, False or N"):
        import_predictions(frame, higher_better="lower")


@pytest.mark.parametrize("odd", [1.3, np.nan, "?"])
def test_of_a_probability_that_is_none_the_row_is_named(odd):
    frame = pd.DataFrame({"truth": [0, 1] * 4, "A": [0.3] * 8, "B": [0.6] * 8}, dtype=object)
    frame.loc[5, "B"] = odd
    with pytest.raises(InvalidTable, match=r"B is '.*' in row 6; expected a probability from 0 to"):
        import_predictions(frame)


def test_json_with_a_list_of_rows(tmp_path):
    path = tmp_path / "p.json"
    path.write_text(pd.DataFrame(WHO | {"correct": [1, 0, 1, 1]}).to_json(orient="records"))
    assert trials(path)[0].fold_errors().ravel().tolist() == [0.5, 0]


def test_weighted_errors_end_at_one():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"learner": "a", "sample": range(20), "correct": rng.integers(0, 2, 20)})
    verdict = judge(import_predictions(frame.assign(weight=[1e6] * 5 + [1.0] * 15)))
    found = verdict.selected
    assert 0 <= found.low <= found.corrected <= found.high <= 1


TRUTH = np.array(["no", "yes", "may be"])[np.arange(60) % 3]
SURE = np.where(TRUTH[:, np.newaxis] == ["may be", "no", "yes"], 0.6, 0.2)


def long_table():
    """Two models, the second with probabilities that are those of the first, shuffled."""
    parts = []
    for name, shares in (("a", SURE), ("b", np.roll(SURE, 1, axis=0))):
        said = np.array(["may be", "no", "yes"])[shares.argmax(axis=1)]
        parts.append(
            pd.DataFrame({"model": name, "id": range(60), "y_true": TRUTH, "y_pred": said})
        )
    return pd.concat(parts, ignore_index=True), np.concatenate([SURE, np.roll(SURE, 1, axis=0)])


@pytest.mark.parametrize("called", ["prob_{}", "P({})", "{}_proba", "p.{}", "{}"])
def test_probabilities_are_found_by_the_class_in_their_names(called):
    table, shares = long_table()
    for at, one in enumerate(["may be", "no", "yes"]):
        table[called.format(one)] = shares[:, at]
    found, _, _ = trials(table)
    order = ["may be", "no", "yes"].index
    assert not found.hard.any()
    expected = shares.reshape(2, 60, 3)[..., [order(c) for c in found.classes]]
    np.testing.assert_allclose(found.probabilities[:, 0, 0], expected, atol=1e-6)


def test_columns_that_do_not_sum_to_one_are_no_probabilities():
    table, shares = long_table()
    for at, one in enumerate(["may be", "no", "yes"]):
        table[f"length_{one}"] = shares[:, at] / 2
    assert trials(table)[0].hard.all()


def test_one_column_of_probabilities_is_that_of_1():
    rng = np.random.default_rng(0)
    truth, p = rng.integers(0, 2, 50), rng.random(50).round(3)
    table = pd.DataFrame({"model": "a", "id": range(50), "target": truth, "y_prob": p})
    found, _, _ = trials(table)
    assert found.classes == ("0", "1")
    np.testing.assert_allclose(found.probabilities[0, 0, 0, :, 1], p, atol=1e-6)
    # Of what class it is, other labels do not tell.
    table = table.assign(target=np.where(truth == 1, "spam", "ham"))
    with pytest.raises(InvalidTable, match="p:<class> for every class or predicted"):
        trials(table)


@pytest.mark.parametrize("write", [str.upper, lambda said: f"{said} ", str.title])
@pytest.mark.parametrize("wide", [False, True])
def test_a_class_written_otherwise_is_not_silently_wrong(write, wide):
    table = long_table()[0]
    other = table["model"] == "b"
    table.loc[other, "y_pred"] = table.loc[other, "y_pred"].map(write)
    if wide:
        models = table.pivot(index="id", columns="model", values="y_pred")
        table = models.assign(truth=TRUTH).reset_index()
    with pytest.raises(InvalidTable, match=r"'b' says '.*', which is the class '.*' but for capit"):
        trials(table)


def test_rows_and_columns_of_python():
    table = long_table()[0]
    expected = trials(table)[0]
    for given in (table.to_dict("records"), table.to_dict("list")):
        np.testing.assert_array_equal(trials(given)[0].predicted, expected.predicted)


def test_rows_under_a_name_of_a_file(tmp_path):
    table = long_table()[0]
    path = tmp_path / "answers.json"
    path.write_text(json.dumps({"version": 2, "data": table.to_dict("records")}))
    np.testing.assert_array_equal(trials(path)[0].predicted, trials(table)[0].predicted)


def test_the_only_other_numbers_are_the_scores():
    rng = np.random.default_rng(0)
    keys = [(f"d{i}", m, f) for i in range(8) for m in "ab" for f in range(2 + i % 3)]
    table = pd.DataFrame(keys, columns=["dataset", "method", "fold"])
    table["metric_error"] = rng.random(len(table))
    with import_predictions(table, higher_better=False) as ledger:
        losses = judge(ledger).candidates
    means = table.groupby(["method", "dataset"])["metric_error"].mean().groupby("method").mean()
    assert [one.loss for one in losses] == pytest.approx(means.tolist(), abs=1e-6)
    with pytest.raises(InvalidTable, match="no column 'score'"):
        import_predictions(table.assign(size=1), higher_better=False)


@pytest.mark.parametrize("column", ["id", "y_true"])
def test_what_names_the_cases_can_name_their_groups(column):
    table = long_table()[0]
    with import_predictions(table, by=column) as ledger:
        found = judge(ledger)
    assert found.by.rows.sum() == 60
    assert found.candidate("a").error == 0


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("prompt", [f"what is {i}?" for i in range(30)]),
        ("Unnamed: 0", np.arange(30) * 3),
        ("task_id", np.arange(30) * 7 % 31),
        ("number", range(1, 31)),
    ],
)
def test_a_first_column_that_names_the_cases_is_no_model(name, cells):
    scores = np.random.default_rng(0).random((30, 2))
    table = pd.DataFrame({name: cells, "a": scores[:, 0], "b": scores[:, 1]})
    with import_predictions(table, higher_better=True) as ledger:
        found = judge(ledger)
        ids = ledger.sample_ids() or [str(i) for i in range(30)]
    assert [one.name for one in found.candidates] == ["a", "b"]
    assert sorted(ids) == sorted(map(str, cells)) or name == "number"
