"""Answers as tools have them: lm-evaluation-harness, SWE-bench, MLflow, skore, scikit-learn."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from polychotomy.core.exceptions import InvalidInput, InvalidTable
from polychotomy.study.design.dataset import name_some
from polychotomy.study.ledger.export import restore
from polychotomy.study.ledger.prediction_table import TOLERANCE, as_text, texts
from polychotomy.tables.column_notes import Note
from polychotomy.tables.csv_text import refuse_duplicates
from polychotomy.tables.files import as_path, check_table_file, kind_of_file
from polychotomy.tables.formats import Asked, json_lines
from polychotomy.tables.reading import as_pandas, read_file


def read_answers(
    given: str | Path | pd.DataFrame, *, scored: bool = False
) -> tuple[pd.DataFrame, list[str], str]:
    """Read the answers of several models, of whatever kind they are; what to say of it; its name.

    A folder holds lm-evaluation-harness's ``samples_<task>_<date>.jsonl``, one folder for each
    model, SWE-bench's results, or MLflow's evaluation tables, one file or folder for each. A
    ``.jsonl`` file has the columns of a table, or is of the first kind; a ``.json`` file is of the
    others. ``scored``: where a tool has several measures, take a score, not right and wrong.
    """
    frame = as_pandas(given)
    if isinstance(frame, pd.DataFrame):
        names = [str(name) for name in frame.columns]
        refuse_duplicates(names)
        return frame.set_axis(names, axis=1).reset_index(drop=True), [], "answers"
    if hasattr(given, "reports_"):
        return _skore(given), [], "report"
    if is_cross_validated({"": given}) or is_cross_validated(given):
        raise InvalidInput(_DICT)
    if isinstance(given, dict | list):  # columns by name, or rows
        return read_answers(pd.DataFrame(given), scored=scored)
    path = as_path(given)
    return *_read_path(path, scored), path.stem


# Folds share most of their training rows: a plain t test over their scores would call equal models
# different far too often, and which rows are wrong the scores do not tell.
_DICT = (
    "this is what scikit-learn's cross_validate returned: scores of folds do not tell which rows a "
    "model gets wrong; expected judge({name: cross_validate(…, return_estimator=True, "
    "return_indices=True)}, X, y), or a DataFrame with the column 'truth' and one of "
    "cross_val_predict(model, X, y) for each model. Of scores alone, corrected_t_test compares two."
)


def is_cross_validated(given: Any) -> bool:
    """Whether these are what ``cross_validate`` returned, one for each name.

    Examples
    --------
    >>> is_cross_validated({"tree": {"fit_time": [0.1], "test_score": [0.9]}})
    True
    """
    values = given.values() if isinstance(given, dict) else ()
    return bool(values) and all(isinstance(one, dict) and "fit_time" in one for one in values)


def from_cross_validate(results: dict[str, Any], X: Any, y: Any) -> pd.DataFrame:
    """Return the predictions of the models that ``cross_validate`` kept, of the rows it held out.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import cross_validate
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> kept = cross_validate(GaussianNB(), X, y, return_estimator=True, return_indices=True)
    >>> from_cross_validate({"NB": kept}, X, y).shape
    (150, 9)
    """
    kept = all({"estimator", "indices"} <= {*result} for result in results.values())
    if X is None or y is None or not kept:
        raise InvalidInput(_DICT)
    table, labels = X if hasattr(X, "iloc") else np.asarray(X), np.asarray(y)
    parts = []
    for name, result in results.items():
        fits = zip(result["estimator"], result["indices"]["test"], strict=True)
        for fold, (model, test) in enumerate(fits):
            rows = table.iloc[test] if hasattr(table, "iloc") else table[test]
            p = model.predict_proba(rows) if hasattr(model, "predict_proba") else None
            said = model.predict(rows)
            parts.append(_answers(name, fold, test, labels[test], said, p, model))
    return _counted(parts)


def _skore(report: Any) -> pd.DataFrame:
    """Read a ComparisonReport of skore, of cross-validations or on one test set."""
    parts = []
    for name, one in report.reports_.items():
        if "classification" not in one.ml_task:
            raise InvalidInput(f"the report is of a {one.ml_task}; expected a classification.")
        folds = getattr(one, "reports_", [one])
        tests = [test for _, test in getattr(one, "split_indices", ())]
        for fold, fit in enumerate(folds):
            truth = np.asarray(fit.y_test)
            said, p = fit.get_predictions(data_source="test"), None
            if hasattr(fit.estimator_, "predict_proba"):
                p = fit.get_predictions(data_source="test", response_method="predict_proba")
            test = tests[fold] if tests else np.arange(len(truth))
            parts.append(_answers(name, fold, test, truth, said, p, fit.estimator_))
    return _counted(parts)


def _answers(
    name: str, fold: int, rows: Any, truth: Any, said: Any, p: Any, model: Any
) -> pd.DataFrame:
    """Return what one model said of the rows of one fold."""
    found = {
        "learner": str(name), "sample": [str(row) for row in rows], "fold": fold,
        "truth": [as_text(one) for one in np.asarray(truth).tolist()],
        "predicted": [as_text(one) for one in np.asarray(said).tolist()],
    }  # fmt: skip
    if p is not None:
        classes = np.asarray(model.classes_).tolist()
        found |= {f"p:{as_text(c)}": np.asarray(p)[:, at] for at, c in enumerate(classes)}
    return pd.DataFrame(found)


def _counted(parts: list[pd.DataFrame]) -> pd.DataFrame:
    """Join folds; of repeated ones, say which repetition each is of."""
    frame = pd.concat(parts, ignore_index=True)
    shares = [name for name in frame if name.startswith("p:")]
    soft = frame.groupby("learner", sort=False)[shares].transform("count").any(axis=1)
    for name in shares:  # a class that a fit has not seen, and a model that gives labels only
        hard = (frame["predicted"] == name.removeprefix("p:")).astype(float)
        frame[name] = frame[name].fillna(0.0).where(soft, hard)
    frame["repetition"] = frame.groupby(["learner", "sample"], sort=False).cumcount()
    frame["fold"] -= frame.groupby("repetition")["fold"].transform("min")
    return frame if frame["fold"].any() else frame.drop(columns=["fold", "repetition"])


def _read_path(path: Path, scored: bool) -> tuple[pd.DataFrame, list[str]]:
    if path.is_dir() or (path.suffix == ".json" and path.exists()):
        samples = sorted(path.rglob("samples_*.jsonl"))
        if samples:
            return _lm_evaluation(samples, scored)
        files = [path] if path.is_file() else sorted(path.rglob("*.json"))
        # Files of single instances are left out.
        skip = {"logs", "trajs", "report.json"}
        read = {one: _read(one) for one in files if not skip & set(one.relative_to(path).parts)}
        whole = read.get(path)
        named = whole.values() if isinstance(whole, dict) else ()
        rows = [one for one in (whole, *named) if _are_rows(one)]
        if len(rows) == 1:  # by themselves, or under one name of the file
            return pd.DataFrame(rows[0]), []
        tables = {one: x for one, x in read.items() if isinstance(x, dict) and _is_split(x)}
        return _mlflow(tables, scored) if tables else _swe_bench(path, read)
    frame, notes = read_file(check_table_file(path), Asked(texts=_TEXT_COLUMNS))
    if "doc_id" in frame:
        return _lm_evaluation([path], scored)
    if kind_of_file(path) == "text":  # in which export writes no formulas
        frame = frame.rename(columns=restore)
        for column in _TEXT_COLUMNS & {*frame.columns}:
            frame[column] = frame[column].map(restore)
    return frame, list(notes)


def _are_rows(read: Any) -> bool:
    return isinstance(read, list) and bool(read) and all(isinstance(row, dict) for row in read)


_TEXT_COLUMNS = {"candidate", "learner", "sample", "truth", "predicted", "dataset", "plan"}


def _read(path: Path) -> Any:
    """Read a JSON file, or all lines of one of JSON lines."""
    try:
        if path.suffix == ".json":
            return json.loads(path.read_text(encoding="utf-8-sig"))
        return json_lines(path)[0]
    except ValueError as error:
        raise InvalidTable(f"{path.name!r} is no JSON: {error}.") from error


def _lm_evaluation(paths: list[Path], scored: bool) -> tuple[pd.DataFrame, list[str]]:
    """Read what lm-evaluation-harness writes with ``--log_samples``: a line for each answer.

    Model and task are in no line; they are the names of the folder and the file.
    """
    latest = {(path.parent.name, path.stem[8:].rpartition("_")[0]): path for path in paths}
    rows, notes = [], []
    if len(latest) < len(paths):
        notes.append("of several files of one model and task the last by date was read")
    for (model, task), path in latest.items():
        lines = _read(path)
        same = [one for one in lines if one.get("filter") == lines[0].get("filter")]
        # Older versions name no filter, and write the lines of one after those of another.
        kept = [*reversed({one.get("doc_id"): one for one in reversed(same)}.values())]
        if len(kept) < len(lines):
            name = repr(lines[0].get("filter", "without a name"))
            notes.append(f"of {task!r} the filter {name} was read, the first")
        metric = _measure(kept, path, scored)
        what = "scores" if scored else "right and wrong"
        notes.append(f"{what} of {task!r} are its {metric!r}")
        if any("doc_id" not in one for one in kept):
            raise InvalidTable(f"{path.name!r} has a line without 'doc_id'; expected one in each.")
        rows += [(task, model, str(one["doc_id"]), repr(0 + one[metric])) for one in kept]
    kind = "score" if scored else "correct"
    frame = pd.DataFrame(rows, columns=["dataset", "learner", "sample", kind])
    return frame, list(dict.fromkeys(notes))


def _measure(lines: list[dict[str, Any]], path: Path, scored: bool) -> str:
    """Find the measure that is a number in all answers, or 0 or 1; the first of several."""
    first = lines[0] if lines else {}
    # Older versions list none; doc_id is the one number in their lines that is no measure.
    numbers = [k for k, x in first.items() if isinstance(x, int | float) and k != "doc_id"]
    told = first.get("metrics") or sorted(numbers, key=lambda name: name not in _RIGHT)
    for name in told:
        values = [one.get(name) for one in lines]
        if all(isinstance(one, int | float) and (scored or one in (0, 1)) for one in values):
            return str(name)
    what = "a number" if scored else "0 or 1"
    hint = "" if scored else " --higher-better or --lower-better has scores compared."
    raise InvalidTable(
        f"{path.name!r} has no measure that is {what} for every answer; its 'metrics', or where "
        f"these are not listed its numbers, are {name_some(told) or 'none'}.{hint}"
    )


_TARGETS = ("target", "targets", "label", "labels", "ground_truth", "truth")
_OUTPUTS = ("prediction", "predictions", "predicted", "output", "outputs")
_RIGHT = ("is_correct", "acc", "exact_match", "passed", "resolved")
_CALLED = {  # what others call the columns that we know
    "learner": ("model", "model_name", "system", "method", "classifier", "estimator", "algorithm"),
    "sample": (
        *("id", "sample_id", "example", "example_id", "question", "question_id", "item", "item_id"),
        *("instance", "instance_id", "case", "case_id", "idx", "index", "row", "uid", "prompt_id"),
    ),
    "truth": (*_TARGETS, "gold", "y_true", "true_label", "reference", "expected", "actual"),
    "predicted": (*_OUTPUTS, "pred", "y_pred", "predicted_label", "response"),
    "correct": _RIGHT,
    "dataset": ("data_set", "dataset_name", "benchmark", "task", "suite"),
}
_MANY = 20  # numbers that count up by one are no ratings

_TEXTS = 50  # more distinct truths than this may be texts, not classes


def with_our_names(
    frame: pd.DataFrame,
    taken: Collection[str | None] = (),
    models: Collection[str] = (),
    *,
    scored: bool = False,
) -> tuple[pd.DataFrame, list[str]]:
    """Give columns that others name otherwise the names that we know, and say so.

    One is renamed only where no other might be meant, and none of the ``models`` or those
    ``taken``, which are copied. Where scores are asked for, the only other numbers are these.

    Examples
    --------
    >>> frame, notes = with_our_names(pd.DataFrame({"Model": ["A"], "id": [1], "gold": ["yes"]}))
    >>> list(frame), notes
    (['learner', 'sample', 'truth'], ["read 'Model' as learner, 'id' as sample, 'gold' as truth"])
    """
    nested = {c: frame[c].map(as_text) for c in frame if frame[c].dtype == object}
    frame, ours = frame.assign(**nested), dict[str, str]()
    there = {"learner" if name == "candidate" else name for name in frame.columns}
    for kind, names in (*_CALLED.items(), ("truth", ("answer",))):
        usual = {c: re.sub(r"\W", "_", c.lower()) for c in frame.columns}
        every = [c for c, name in usual.items() if name in (kind, *names) and c not in models]
        found = [column for column in every if column not in taken]
        if kind not in there and len(found) == 1 and _is_meant(frame, kind, found[0]):
            frame = frame.rename(columns={found[0]: kind})
            ours[found[0]] = kind
        elif kind in ("sample", "truth") and every and not found:  # groups by it, too
            frame, found = frame.assign(**{kind: frame[every[0]]}), every
        there |= {kind} if found else set()
    other = [] if {"learner", "candidate"}.isdisjoint(frame) else _told_by_values(frame, scored)
    if not other and "sample" not in there and len(frame) > 2 and len(frame.columns) > 2:
        first = frame.columns[0]  # of a table with a column for each model, if it names the cases
        steps = pd.to_numeric(frame[first], errors="coerce").diff()[1:]
        # A model may give each case another answer; but others, or the truth, then give some too.
        alone = not frame.iloc[:, 1:].isin({*frame[first]}).any(axis=None)
        names_cases = re.search("^Unnamed|_id$", first) or (
            (alone or len(frame) >= _MANY) if (steps == 1).all() else alone and steps.isna().all()
        )
        if first not in {*_CALLED, *taken, *models} and names_cases and frame[first].is_unique:
            other = [(first, "sample")]
    for column, kind in other:
        if column not in taken:
            frame, ours[column] = frame.rename(columns={column: kind}), kind
    if "p:1" in ours.values() and "p:0" not in frame:
        frame.insert(0, "p:0", 1 - frame["p:1"].astype(float))
    said = ", ".join(f"{name!r} as {kind}" for name, kind in ours.items())
    notes = [f"read {said}"] if said else []
    keys = [name for name in ("dataset", "candidate", "learner") if name in frame]
    if "dataset" in keys and "sample" not in frame and not frame.duplicated(keys).any():
        frame = frame.rename(columns={"dataset": "sample"})
        notes.append("a data set has one row for each model: data sets are the cases")
    elif len(keys) == 2 and {"sample", "score"} & {*frame} == {"score"}:
        means = frame.assign(score=pd.to_numeric(frame["score"], errors="coerce"))
        frame = means.groupby(keys, sort=False, as_index=False)["score"].mean()
        frame = frame.rename(columns={"dataset": "sample"})
        notes.append("data sets are the cases: the scores of a model on one are averaged")
    if {"truth", "predicted"} <= {*frame.columns} and frame["truth"].nunique() > max(
        _TEXTS, frame.get("sample", frame["truth"]).nunique() / 2
    ):
        return _by_equality(frame), [*notes, _AS_SAID if "correct" in frame else _EQUAL]
    return frame, notes


def _is_meant(frame: pd.DataFrame, kind: str, column: str) -> bool:
    """Whether a column is of this kind, where its name alone does not tell."""
    if column.lower() == "answer":  # of a model where no other column is
        return "predicted" in frame and "correct" not in frame
    if kind != "dataset" or "sample" not in frame:
        return True
    cases = frame.groupby(column)["sample"].nunique()
    return len(cases) > 1 and bool(cases.min() > 1)  # else it names the cases, or all of them


_OF_1 = ("prob", "proba", "probability", "y_prob", "y_proba", "y_pred_proba", "y_score")


def _told_by_values(frame: pd.DataFrame, scored: bool) -> list[tuple[str, str]]:
    """Find the columns of probabilities, whatever they are called, or that of scores.

    Those named alike but for the class (``prob_yes``, ``P(yes)``, ``yes_proba``, or the class by
    itself), which sum to 1; or beside a truth of 0 and 1 one of what is usual for that of 1.

    Examples
    --------
    >>> frame = pd.DataFrame({"truth": ["n", "y"], "P(n)": [0.9, 0.2], "P(y)": [0.1, 0.8]})
    >>> _told_by_values(frame, scored=False)
    [('P(n)', 'p:n'), ('P(y)', 'p:y')]
    """
    known = {*_CALLED, "candidate", "score", "fold", "run", "repetition", "weight"}
    numbers = frame.drop(columns=[*known], errors="ignore").apply(pd.to_numeric, errors="coerce")
    numbers = numbers.loc[:, numbers.notna().mean() > 0.5]
    if scored:
        return [(name, "score") for name in numbers if len(numbers.columns) == 1]
    if "truth" not in frame or any(name.startswith("p:") for name in frame):
        return []
    inside = [*numbers.columns[((numbers >= 0) & (numbers <= 1)).all()]]
    classes = sorted({as_text(one) for one in frame["truth"].unique()})
    for column in inside:
        before, there, after = column.partition(classes[0])
        inner = ".+" if before + after else "|".join(map(re.escape, classes))
        ends = re.compile(f"{re.escape(before)}({inner}){re.escape(after)}")
        named = {name: match[1] for name in inside if (match := ends.fullmatch(name))}
        sums = numbers[[*named]].sum(axis=1)
        if there and {*named.values()} >= {*classes} and bool((abs(sums - 1) < TOLERANCE).all()):
            return [(name, f"p:{one}") for name, one in named.items()]
    one = [name for name in inside if re.sub(r"_1$", "", name.lower()) in _OF_1]
    return [(name, "p:1") for name in one if classes == ["0", "1"] and len(one) == 1]


_EQUAL = (
    "targets are texts, not classes: right is what equals its target, which no empty answer does"
)
_AS_SAID = "targets are texts, not classes: right is what the column correct says"


def _by_equality(frame: pd.DataFrame) -> pd.DataFrame:
    texts(frame, "truth")  # refuses gaps
    right = frame.get("correct", (frame["truth"] == frame["predicted"]).astype(int).astype(str))
    return frame.drop(columns=["truth", "predicted"]).assign(correct=right)


def _is_split(read: dict[str, Any]) -> bool:
    return all(isinstance(read.get(name), list) for name in ("columns", "data"))


def _mlflow(tables: dict[Path, Any], scored: bool) -> tuple[pd.DataFrame, list[str]]:
    """Read MLflow's ``eval_results_table.json``, one for each model, of the same rows."""
    parts: dict[str, pd.DataFrame] = {}
    asked, notes = None, ["cases are matched by their row in MLflow's tables"]
    for file, read in tables.items():
        name, frame = _system(file), pd.DataFrame(read["data"], columns=read["columns"])
        if name in parts:
            raise InvalidTable(f"two evaluation tables are of {name!r}; expected a name for each.")
        inputs = frame["inputs"].tolist() if "inputs" in frame else asked
        if asked not in (None, inputs):
            raise InvalidTable(f"{name!r} was asked other inputs than {next(iter(parts))!r}.")
        asked = inputs
        if scored:
            wanted = {"score": [c for c in frame if str(c).endswith("score")]}
        else:
            known = {"truth": _TARGETS, "predicted": _OUTPUTS}
            wanted = {kind: [c for c in frame if c in names] for kind, names in known.items()}
        if not all(wanted.values()):
            want = "a column …/score" if scored else "a column target and a column prediction"
            raise InvalidTable(
                f"{file.name!r} has {name_some([*map(str, frame)])}; expected {want}."
            )
        taken = {kind: columns[0] for kind, columns in wanted.items()}
        notes += [f"{kind} is the column {column!r}" for kind, column in taken.items()]
        cells = {kind: frame[column].map(as_text) for kind, column in taken.items()}
        parts[name] = pd.DataFrame({"learner": name, "sample": frame.index.astype(str), **cells})
    joined = pd.concat(parts.values(), ignore_index=True)
    if not scored and joined["truth"].nunique() > len(joined) / len(parts) / 2:
        joined = _by_equality(joined)
        notes.append(_EQUAL)
    return joined, list(dict.fromkeys(notes))


def _swe_bench(path: Path, files: dict[Path, Any]) -> tuple[pd.DataFrame, list[str]]:
    """Read which instances each system resolved: files of SWE-bench's harness or leaderboard.

    That is ``<system>/results/results.json``, ``<system>/per_instance_details.json`` or
    ``<system>.<run>.json``; or one file, ``{system: ids, …}`` or ``{system: {"resolved": ids}}``.
    """
    told = [(file, _resolved(read)) for file, read in files.items() if isinstance(read, dict)]
    named = [(_system(file), file.name) for file, got in told if got]
    if twice := [one for one in named if named.count(one) > 1]:
        words = "{1!r} is there twice for {0!r}; expected one for each system, named apart."
        raise InvalidTable(words.format(*twice[0]))
    found = {_system(file): got for file, got in told if got}
    whole = files.get(path)
    if not found and isinstance(whole, dict):
        found = {name: _resolved(one) for name, one in whole.items() if _resolved(one)}
    if not found:
        raise InvalidTable(
            f"{path.name!r} has neither samples_<task>_<date>.jsonl of lm-evaluation-harness nor "
            "JSON files with the ids that a system has resolved, nor MLflow's "
            "eval_results_table.json; expected one of these, or a table."
        )
    every = sorted(set().union(*found.values()))
    rows = [(name, one, str(int(got.get(one, 0)))) for name, got in found.items() for one in every]
    notes = [
        f"what a system is not said to have resolved counts as not resolved, of {len(every)} "
        "instances: those that the files name; what none of them names is not counted"
    ]
    reads = [one for one in (*files.values(), *(whole or {}).values()) if isinstance(one, dict)]
    few = {"resolved", "no_generation", "no_logs"}  # of a leaderboard
    if all(one.keys() <= few or all(_resolved(one).values()) for one in reads):
        text = (
            f"the error is of {len(every)} instances alone, as those that nobody has resolved may "
            "be missing: it is too small then; judge the harness's reports <system>.<run>.json, "
            "which name every instance"
        )
        notes.append(Note(text, kind="reading"))
    return pd.DataFrame(rows, columns=["learner", "sample", "correct"]), notes


def _system(file: Path) -> str:
    """Name the system that a file is of: by its folder where all systems' files are named alike."""
    alike = ("results", "per_instance_details", "eval_results_table", "artifacts")
    return next(name for name in (file.stem, *reversed(file.parts[:-1])) if name not in alike)


def _resolved(read: Any) -> dict[str, bool]:
    """Return which of the ids that are named were resolved; none of what is no such result."""
    read = read if isinstance(read, dict) else {"resolved": read}
    done = read.get("resolved", read.get("resolved_ids"))
    if isinstance(done, list) and not _are_rows(done):
        named = [ids for key, ids in read.items() if isinstance(ids, list)]
        # Containers and images are listed, too, as "sweb.eval.…".
        return {str(one): one in done for ids in named for one in ids if "sweb." not in str(one)}
    told = {name: one.get("resolved") for name, one in read.items() if isinstance(one, dict)}
    return {name: one for name, one in told.items() if isinstance(one, bool)}
