"""Predictions made elsewhere, put into a ledger: one that is new, or beside what was fitted."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from polychotomy._version import __version__
from polychotomy.core.arguments import unexpected
from polychotomy.core.arrays import Floats, Ints
from polychotomy.core.exceptions import InvalidTable
from polychotomy.study.design.candidates import check_name
from polychotomy.study.design.dataset import name_some
from polychotomy.study.design.plan import ImportedFolds
from polychotomy.study.design.specification import DataPrint
from polychotomy.study.design.trials import Outcome, TrialKey, fail, succeed
from polychotomy.study.fitting.fit import is_measured
from polychotomy.study.ledger import prediction_table as columns
from polychotomy.study.ledger.ledger import Ledger
from polychotomy.study.ledger.reading import FOLDS
from polychotomy.tables.column_notes import Note
from polychotomy.tables.files import no_column

if TYPE_CHECKING:
    import pandas as pd

# Which scores are better, where scores are all that is known.
Better = Literal["", "higher", "lower"]


_CLOCKS = ("fit_seconds", "predict_seconds")
_MOST_WEIGHT = 0.9  # of one sample: what the others show is then no matter, and nothing is shown


class ImportedTrials:
    """A table's predictions of one data set, checked row by row; samples are numbered as positions.

    Parameters
    ----------
    dataset : str
    frame : DataFrame
        A row for each prediction, as `import_predictions` describes them.
    group, by : str, optional
        Columns of the table.
    better : str
        Which scores are better, where scores are all that the table has.

    Attributes
    ----------
    rows : DataFrame
        Codes of learner, run, repetition, fold, sample and predicted class, and clocks; ``where``
        is the repetition counted over all runs.
    probabilities : (rows, k) floats
        Of scores two numbers of single precision that sum to them.
    splits : (repetitions of all runs, n) ints
        The fold of every sample.
    hard : (m,) bools
        Whose probabilities are all zeros and ones, or who has none.
    """

    def __init__(
        self,
        dataset: str,
        frame: pd.DataFrame,
        group: str | None = None,
        by: str | None = None,
        better: Better = "",
    ) -> None:
        who = columns.learner_column(frame)
        if not len(frame):
            raise InvalidTable("the table of predictions has no rows; expected one for each.")
        scores = columns.scores(frame) if "score" in frame else None
        only_right = scores is not None or not columns.has_answers(frame)
        if only_right:
            right = columns.right_or_wrong(frame) if scores is None else columns.RIGHT
            frame = frame.assign(truth=columns.RIGHT, predicted=right)
        self.dataset, self.classes = dataset, columns.find_classes(frame)
        learner, self.learners = columns.encode(frame, who)
        for name in self.learners:
            check_name(name, "learner")
        sample, self.samples, self.ids = _positions(*columns.encode(frame, "sample"))
        truth = columns.look_up(columns.texts(frame, "truth"), self.classes, "truth")
        self.truth = columns.one_each("truth", truth, sample, self.samples, self.classes)
        predicted = self._read_answers(frame, learner)
        if "correct" in frame and not only_right:
            said, is_right = np.array(columns.said_right(frame)), predicted == truth
            for row in columns.first_row(
                (said != "") & (said != np.where(is_right, columns.RIGHT, columns.WRONG))
            ):
                raise InvalidTable(
                    f"correct says {str(said[row])!r} in row {row + 1}, where the truth is "
                    f"{self.classes[truth[row]]!r} and {self.classes[predicted[row]]!r} is "
                    "predicted. Leave out what does not count: correct, or truth."
                )
        if not only_right and not np.isin(predicted, self.truth).any():
            said, true = (self.classes[codes[0]] for codes in (predicted, self.truth))
            raise InvalidTable(
                f"no class that is predicted, such as {said!r}, is the truth of any sample, such "
                f"as {true!r}; expected one way of writing each class."
            )
        if scores is not None:
            self.probabilities = _as_pairs(scores)
        self.rows = _rows(frame, who, learner=learner, sample=sample, predicted=predicted)
        self.model_bytes = columns.model_bytes(frame, learner)
        self._read_about_samples(frame, sample, group, by)
        self.scale = None if scores is None else _scale(scores)
        repetitions, folds, runs = self.rows[["repetition", "fold", "run"]].max().tolist()
        self.plan = ImportedFolds(
            repetitions=repetitions + 1, folds=folds + 1, runs=runs + 1, only_right=only_right,
            better=better,
        )  # fmt: skip
        self.rows["where"] = self.rows["run"] * self.plan.repetitions + self.rows["repetition"]
        self.splits = self._find_splits()

    def _read_answers(self, frame: pd.DataFrame, learner: Ints) -> Ints:
        """Read probabilities, or votes; return the classes predicted."""
        shares = columns.find_probabilities(frame, self.classes)
        if "predicted" in frame:
            said = columns.texts(frame, "predicted")
            columns.refuse_alike(said, frame["truth"], [self.learners[one] for one in learner])
            predicted = columns.look_up(said, self.classes, "predicted")
        else:  # then there are probabilities: one of both is required
            predicted = np.argmax(np.asarray(shares), axis=1)
        self.probabilities = np.eye(len(self.classes))[predicted] if shares is None else shares
        soft = ((self.probabilities > 0) & (self.probabilities < 1)).any(axis=1)
        self.hard = np.bincount(learner[soft], minlength=len(self.learners)) == 0
        return predicted

    def _read_about_samples(
        self, frame: pd.DataFrame, sample: Ints, group: str | None, by: str | None
    ) -> None:
        """Read group, weight and another column of each sample, where they are asked for."""

        def read(column: str) -> list[str]:
            codes, names = columns.encode(frame, column)
            own = columns.one_each(column, codes, sample, self.samples, names)
            return [names[code] for code in own]

        self.groups = None if group is None else read(group)
        self.by = None if by is None else [by, read(by)]
        self.weights: list[float] | None = None
        if self.groups is not None and len(set(self.groups)) == 1:
            raise InvalidTable(
                f"the group {group!r} is {self.groups[0]!r} everywhere; expected several."
            )
        if "weight" in frame:
            expected = "a number above 0. Leave out samples that do not count"
            numbers = columns.numbers(frame, "weight", expected, low=np.nextafter(0, 1), high=1e38)
            frame = frame.assign(weight=numbers)
            self.weights = [float(weight) for weight in read("weight")]
            largest, every = max(self.weights), sum(self.weights)
            if len(self.weights) > 1 and largest > _MOST_WEIGHT * every:
                share = f"the weight {largest:g} is {largest / every:.0%} of all together"
                raise InvalidTable(f"{share}; expected several samples that count.")

    def _find_splits(self) -> NDArray[np.int16]:
        """Return the fold of every sample in every repetition; all learners must agree."""
        rows, learner, where = self.rows, self.rows["learner"], self.rows["where"]
        # The first row of a sample in a repetition is what the others are held to.
        first = rows.groupby(["where", "sample"])["fold"].transform("first")
        for row in columns.first_row(rows["fold"] != first):
            raise InvalidTable(
                f"the sample {self._sample(row)} is in fold {rows['fold'][row]} in "
                f"row {row + 1}, but in fold {first[row]} in an earlier row of "
                f"{self._repetition(where[row])}; expected all learners on the same folds."
            )
        for row in columns.first_row(rows.duplicated(["learner", "where", "sample"])):
            raise InvalidTable(
                f"the sample {self._sample(row)} is predicted by "
                f"{self.learners[learner[row]]!r} again in row {row + 1}, in "
                f"{self._repetition(where[row])}; expected once."
            )
        shape = (self.plan.runs * self.plan.repetitions, len(self.samples))
        splits = np.full(shape, -1, dtype=np.int16)
        splits[where, rows["sample"]] = rows["fold"]
        self._refuse_gaps(splits)
        return splits

    def _sample(self, row: int) -> str:
        return repr(self.samples[self.rows["sample"][row]])

    def _repetition(self, where: int) -> str:
        run, repetition = divmod(int(where), self.plan.repetitions)
        return f"run {run}, repetition {repetition}"

    def _refuse_gaps(self, splits: NDArray[np.int16]) -> None:
        """Refuse samples that nobody predicted, and folds that are predicted in part only."""
        learner, where = self.rows["learner"], self.rows["where"]
        there = np.zeros((len(self.learners), *splits.shape), dtype=bool)
        there[learner, where, self.rows["sample"]] = True
        tried = np.zeros((len(self.learners), len(splits), self.plan.folds), dtype=bool)
        tried[learner, where, self.rows["fold"]] = True
        needed = np.take_along_axis(tried, splits[np.newaxis].astype(np.intp), axis=2)
        gaps = (needed | (splits < 0)) & ~there
        for code, repetition, sample in np.argwhere(gaps)[:1]:
            counts = zip(gaps.sum(axis=(1, 2)), self.learners, strict=True)
            missing = name_some([f"{count} of {name!r}" for count, name in counts if count])
            place = f" in {self._repetition(repetition)}" if len(splits) > 1 else ""
            raise InvalidTable(
                f"answers are missing: {missing}, such as that of {self.learners[code]!r} to "
                f"the sample {self.samples[sample]!r}{place}; expected every sample once by each, "
                "or no row of a fold where the fit failed. Add rows for them, which may count them "
                "as wrong, or leave these samples out for all."
            )

    def recode(self, classes: tuple[str, ...]) -> None:
        """Give the classes another order, which may have more of them."""
        missing = [name for name in self.classes if name not in classes]
        if missing:
            raise InvalidTable(
                f"the table has the class {missing[0]!r}, which the study does not: it has "
                f"{', '.join(map(repr, classes))}."
            )
        code = np.array([classes.index(name) for name in self.classes], dtype=np.intp)
        probabilities = np.zeros((len(self.rows), len(classes)))
        probabilities[:, code] = self.probabilities
        self.classes, self.probabilities, self.truth = classes, probabilities, code[self.truth]
        self.rows["predicted"] = code[self.rows["predicted"]]

    def outcomes(self, plan: str) -> Iterator[Outcome]:
        """Yield a finished trial of a plan for each learner, repetition and fold."""
        column = {name: self.rows[name].to_numpy() for name in self.rows}
        found = self.rows.sort_values("sample").groupby(["learner", "where", "fold"]).groups
        folds = [np.unique(row).tolist() for row in self.splits]
        for learner, where in np.ndindex(len(self.learners), len(self.splits)):
            run, repetition = divmod(where, self.plan.repetitions)
            name = self.learners[learner]
            for fold in folds[where]:
                key = TrialKey(self.dataset, name, plan, run, repetition, fold)
                if (learner, where, fold) not in found:
                    reason = "no predictions of this fold in the file"
                    yield fail(key, status="failed", cause=reason, details="")
                    continue
                rows = found[learner, where, fold].to_numpy()
                size = self.model_bytes.get(learner) if is_measured(key) else None
                fit, predict = (float(column[name][rows[0]]) for name in _CLOCKS)
                yield succeed(
                    key, column["predicted"][rows], self.probabilities[rows], model_bytes=size,
                    hard=bool(self.hard[learner]), fit_seconds=fit, predict_seconds=predict,
                )  # fmt: skip


def _rows(frame: pd.DataFrame, who: str, **codes: Ints) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(
        {
            **codes, "run": columns.codes_from_0(frame, "run"),
            "repetition": columns.find_repetitions(frame, who),
            "fold": columns.codes_from_0(frame, "fold"),
            **{name: columns.seconds(frame, name) for name in _CLOCKS},
        }
    )  # fmt: skip


def _positions(
    sample: Ints, samples: tuple[str, ...]
) -> tuple[Ints, tuple[str, ...], tuple[str, ...] | None]:
    """Place each sample: by its own number if these are 0 to n − 1, else as they appear.

    Returns the position of each row's sample, the names by position, and these names again where
    they are not the positions.
    """
    numbers = [int(name) if name.isdecimal() else -1 for name in samples]
    if sorted(numbers) != list(range(len(samples))):
        return sample, samples, samples
    return np.array(numbers, dtype=np.intp)[sample], tuple(sorted(samples, key=int)), None


def _as_pairs(scores: Floats) -> Floats:
    """Return two numbers of single precision for each score, (rows, 2), that sum to it.

    So a ledger, which keeps probabilities in single precision, keeps some 14 digits of a score.

    Examples
    --------
    >>> pairs = _as_pairs(np.array([0.1, 12345.6789])).astype(np.float32)
    >>> pairs.sum(axis=1, dtype=float).round(9).tolist()
    [0.1, 12345.6789]
    """
    first = scores.astype(np.float32).astype(float)
    return np.column_stack([first, scores - first])


def _scale(scores: Floats) -> float:
    """How far apart nine tenths of the scores are, all where these are equal; two digits of it.

    Why not the range: a single one far off would make every difference small.
    """
    low, high = np.quantile(scores, [0.05, 0.95])
    return float(f"{high - low or np.ptp(scores) or 1.0:.2g}")


def import_predictions(
    path: str | Path | pd.DataFrame,
    *,
    into: str | Path | None = None,
    dataset: str | None = None,
    group: str | None = None,
    by: str | None = None,
    higher_better: bool | None = None,
    learners: Sequence[str] | None = None,
) -> Ledger:
    """Read out-of-sample predictions made elsewhere into a ledger.

    The table has a row for each prediction and the columns that ``polychotomy export`` writes:
    ``candidate`` (or ``learner``), ``sample``, ``truth``, and either ``p:<class>`` for every class
    or ``predicted``, or both; or ``correct``, 1 or 0, or ``score``, any number, in place of all
    that. ``fold``, ``run``, ``repetition``, ``weight``, ``fit_seconds``, ``predict_seconds`` and
    ``model_bytes`` may be there, ``dataset`` too; without ``fold`` all cases are one test set. A
    table without a column of candidates has a column for each model, of labels beside ``truth``,
    else of 1 and 0, or of scores; beside a truth of 0 and 1 of probabilities of 1, too. Columns may
    have other usual names (model, id, gold, benchmark, …). Order of preference is order of
    appearance.

    All learners must have been tried on the same folds. A learner without any row in a fold is
    taken to have failed there; anything else that is missing or contradicts is an error that names
    the row.

    Parameters
    ----------
    path : path or DataFrame
        A file of any kind that `read_table` reads; in CSV, semicolons, tabs or bars may stand for
        commas. Or what lm-evaluation-harness writes with ``--log_samples``, a folder with one for
        each model; or results of SWE-bench, a folder or ``.json`` file with the ids that each
        system has resolved; or MLflow's ``eval_results_table.json``, a folder with one for each
        model; or a ``ComparisonReport`` of skore. A dict of columns or a list of dicts is a table.
    into : path, optional
        A study file to keep the ledger in, new or existing; in memory by default. Into a study
        that has the data set, the learners come beside those that were fitted there: samples
        (numbered from 0), truth and folds must be the study's own, as ``export`` gives them.
    dataset : str, optional
        What to call the data; the name of the file by default.
    group : str, optional
        A column of the table: samples of one value, as questions on one document, are not
        independent, and tests and intervals count them together.
    by : str, optional
        A column of the table: the verdict says in which of its groups the best one errs more.
    higher_better : bool, optional
        Compare by the column ``score``, and say whether higher or lower scores are better. Nobody
        guesses that: a ranking upside down looks like any other.
    learners : sequence of str, optional
        The columns that are models' answers, of a table with a column for each.

    Returns
    -------
    Ledger
        Open. Everything that reads ledgers reads it.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> text = '''learner,sample,fold,truth,p:no,p:yes
    ... R forest,ann,0,yes,0.2,0.8
    ... R forest,bob,1,no,0.6,0.4
    ... '''
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "forest.csv")
    ...     _ = file.write_text(text)
    ...     with import_predictions(file) as ledger:
    ...         ledger.fold_errors().tolist(), ledger.sample_ids()
    ([[[[0.0, 0.0]]]], ['ann', 'bob'])

    Ratings of two assistants, one column for each:

    >>> import pandas as pd
    >>> from polychotomy import judge
    >>> ratings = pd.DataFrame({"mine": [3, 4, 2, 4, 3, 4], "theirs": [7, 8, 8, 9, 8, 7]})
    >>> judge(import_predictions(ratings, higher_better=True)).best
    'theirs'
    """
    from polychotomy.study.ledger.answer_formats import read_answers, with_our_names  # needs pandas

    if higher_better not in (None, False, True):
        raise unexpected("higher_better", higher_better, "True, False or None")
    scored = higher_better is not None
    frame, notes, name = read_answers(path, scored=scored)
    own = list(frame.columns)
    given, renamed = with_our_names(frame, (group, by), learners or (), scored=scored)
    said = f" ({'; '.join(renamed)}.)" if renamed else ""
    frame = columns.as_long(given, group, by, learners, scored=scored)
    frame, better = _by_score(frame, higher_better)
    used = {*frame[columns.learner_column(frame, own, said)].map(columns.as_text), group, by}
    notes += [*renamed, *columns.note_unused(given, used)]
    # Only now: what a column plan or dataset of some other table holds is no matter.
    if "plan" in frame and frame["plan"].nunique() > 1:
        names = ", ".join(repr(str(name)) for name in frame["plan"].unique())
        raise InvalidTable(f"the table has predictions of several plans ({names}); expected one.")
    if "dataset" in frame:
        named = frame["dataset"].map(columns.as_text)  # so that 1 and "1" are one, and gaps named
        parts = {str(name): part for name, part in frame.groupby(named, sort=False)}
    else:
        parts = {dataset or name: frame}
    about: dict[str, Any] = {"group": group, "by": by, "better": better}
    ready = [_check(name, part, len(parts) > 1, about, said) for name, part in parts.items()]
    ledger = Ledger(into)
    try:
        ledger.lock()
        descriptions = _describe(ready)
        for one in ready:
            known = (ledger.fact("specification") or {}).get("datasets", {})
            if one.dataset in known:
                _write_beside(ledger, one, descriptions)
            else:
                _write_new(ledger, one, descriptions, notes)
    except BaseException:
        ledger.close()
        raise
    return ledger


def _by_score(frame: pd.DataFrame, higher_better: bool | None) -> tuple[pd.DataFrame, Better]:
    """Return the table with its scores alone where these are to be compared, else without them."""
    answers = [c for c in frame.columns if c in ("predicted", "correct") or c.startswith("p:")]
    if higher_better is None:
        if "score" in frame and not answers:
            raise InvalidTable(
                "the table has scores, and nothing says which are better; expected --higher-better "
                "or --lower-better (in Python higher_better=True or False)."
            )
        return frame.drop(columns="score", errors="ignore"), ""
    if "score" not in frame:
        missing = no_column("the table", "score", list(frame.columns))
        raise InvalidTable(f"--higher-better and --lower-better are for scores, but {missing}")
    return frame.drop(columns=answers), "higher" if higher_better else "lower"


def _check(
    name: str, part: pd.DataFrame, is_one_of_several: bool, about: dict[str, Any], said: str
) -> ImportedTrials:
    """Check the predictions of one data set, which may have columns of other sets' classes."""
    check_name(name, "data set")
    alone = ""
    if is_one_of_several:
        own = part.replace("", None).dropna(axis=1, how="all").columns
        empty = [column for column in part if column.startswith("p:") and column not in own]
        part = part.drop(columns=empty).reset_index(drop=True)
        alone = f"data set {name!r}, its rows counted alone: "
    try:
        return ImportedTrials(name, part, **about)
    except InvalidTable as error:
        raise InvalidTable(f"{alone}{error}{said}") from error


def _describe(imports: Iterable[ImportedTrials]) -> dict[str, str]:
    """Describe each learner by a hash of all that it predicted."""
    digests: dict[str, Any] = {}
    for one in imports:
        predicted = one.rows["predicted"].to_numpy(dtype="<i4")
        for code, name in enumerate(one.learners):
            own = (one.rows["learner"] == code).to_numpy()
            digest = digests.setdefault(name, hashlib.sha256())
            digest.update(one.probabilities[own].astype("<f4").tobytes())
            digest.update(predicted[own].tobytes())
    return {name: f"imported predictions {d.hexdigest()[:16]}" for name, d in digests.items()}


def _write_new(ledger: Ledger, one: ImportedTrials, who: dict[str, str], notes: list[str]) -> None:
    """Write a data set that the ledger does not have, with folds of its own."""
    plan, learners, classes = one.plan, one.learners, one.classes
    about = {name: getattr(one, name) for name in ("groups", "weights", "by", "scale")}
    # Where right is the truth of all, two sets of one size differ by their names alone.
    other = *[one.dataset] * plan.only_right, *(one.groups or ()), *(one.weights or ())
    named = repr((classes, one.ids, *other)).encode()
    key = hashlib.sha256(named + one.truth.astype("<i8").tobytes()).hexdigest()
    grouped = key if one.groups else None
    data = DataPrint(sha256=key, classes=classes, codes=one.truth, groups=grouped)
    known = ledger.fact("specification") or {"seed": 0, "keep": "probabilities"}
    told = [vars(note) | {"text": note} if isinstance(note, Note) else note for note in notes]
    repetitions = plan.runs * plan.repetitions
    ledger.begin(
        {
            "datasets": {one.dataset: data.summary}, "plans": {plan.name: plan.to_dict()},
            "candidates": {name: who[name] for name in learners},
            "seed": known["seed"], "keep": known["keep"], "versions": {},
        },
        prints={one.dataset: data}, ids={one.dataset: one.ids} if one.ids else {},
        splits={(one.dataset, plan.name): one.splits.reshape(plan.runs, -1, one.splits.shape[1])},
        planned={plan.name: {one.dataset: dict.fromkeys(learners, repetitions)}},
        provenance={"polychotomy": __version__, "imported": True, "notes": told},
        about={name: {one.dataset: told} for name, told in about.items() if told is not None},
    )  # fmt: skip
    ledger.record(one.outcomes(plan.name))


def _write_beside(ledger: Ledger, one: ImportedTrials, descriptions: dict[str, str]) -> None:
    """Write learners beside those of a study, on the same samples and folds."""
    specification = ledger.fact("specification")
    one.recode(tuple(specification["datasets"][one.dataset]["classes"]))
    there = (ledger.truth(one.dataset).tolist(), tuple(ledger.sample_ids(one.dataset) or ()))
    if (one.truth.tolist(), one.ids or ()) != there or one.groups or one.weights:
        raise InvalidTable(
            f"the samples of the table and their truth are not those of the study's data "
            f"{one.dataset!r}; expected the same {len(there[0])}, as “polychotomy export” shows "
            "them, and no group and no weight."
        )
    plan = _find_plan(ledger, one)
    about = specification | {"candidates": {name: descriptions[name] for name in one.learners}}
    planned = {plan: {one.dataset: dict.fromkeys(one.learners, len(one.splits))}}
    ledger.begin(about, prints={}, splits={}, planned=planned, provenance={})
    finished = ledger.finished()
    ledger.record(outcome for outcome in one.outcomes(plan) if outcome.key not in finished)


def _find_plan(ledger: Ledger, one: ImportedTrials) -> str:
    """Return the plan of the study that has these folds."""
    plans = ledger.fact("specification")["plans"]
    for name, values in plans.items():
        if values["kind"] not in FOLDS or values.get("better", "") != one.plan.better:
            continue
        folds = ledger.folds(dataset=one.dataset, plan=name)
        if folds.shape[1] != one.plan.repetitions or len(folds) < one.plan.runs:
            continue
        if (folds[: one.plan.runs].reshape(one.splits.shape) == one.splits).all():
            return str(name)
    raise InvalidTable(
        f"the folds of the table are none of the study's ({', '.join(map(repr, plans))}); expected "
        "every sample in the fold that “polychotomy export” shows for it."
    )
