"""Verdict: every answer about one table, with the numbers behind it."""

from __future__ import annotations

import re
from dataclasses import field
from pathlib import Path
from typing import Any, ClassVar, overload

from polychotomy.combination import CombinationAdvice
from polychotomy.comparison import Criterion, Ordering, PairAnswers, RankSets, SelectedError
from polychotomy.core.arrays import Floats
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.files import writing_whole
from polychotomy.core.numbers import TINY
from polychotomy.core.result import Axes, DataFrame, Result, call_above
from polychotomy.study import Study
from polychotomy.study.design.candidates import LeftOut
from polychotomy.tables.column_notes import Note, gravity
from polychotomy.validation import Confusion, PredictionSets, RankingCurve, Trust
from polychotomy.verdict import findings
from polychotomy.verdict.by_group import ErrorsByGroup, WeakSlice, errors_by_group
from polychotomy.verdict.choosing import Frequency
from polychotomy.verdict.decisions import TunedDecisions
from polychotomy.verdict.evidence import Drift
from polychotomy.verdict.findings import Candidate, Sentence


def page_or_file(page: str, path: str | Path | None) -> str | None:
    """Return a page; with a ``path`` write it there, whole or not at all, and return None."""
    if path is None:
        return page
    with writing_whole(Path(path)) as temporary:
        temporary.write_text(page, encoding="utf-8", newline="\n")
    return None


class Told(Result):
    """A result that rooms above put into sentences, texts and pages; it names their functions."""

    _ABOVE: ClassVar[dict[str, str]]

    def _call(self, what: str) -> Any:
        return call_above(self._ABOVE[what], self)

    def sentences(self) -> tuple[Sentence, ...]:
        """Say it: the conclusion first, then why, then what stays open."""
        return tuple(self._call("sentences"))

    def __str__(self) -> str:
        return str(call_above("report.text.verdict_to_text", self))

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.sentences()[0]}>"

    def text_table(self) -> tuple[list[str], list[tuple[bool, list[str]]]]:
        """Return headings and rows of text, each marked if it is the best candidate's."""
        headings, rows = self._call("table")
        return headings, rows

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values for JSON; no NaN, see docs/json_schema.md."""
        return dict(self._call("dict"))

    def to_markdown(self) -> str:
        """Return it as Markdown: sentences with footnotes, the table, the notes."""
        return str(call_above("report.text.verdict_to_markdown", self))

    @overload
    def to_html(self, path: None = None) -> str: ...

    @overload
    def to_html(self, path: str | Path) -> None: ...

    def to_html(self, path: str | Path | None = None) -> str | None:
        """Return the page; with a ``path`` write it there, whole or not at all, and return None."""
        return page_or_file(self._call("page"), path)


class Verdict(Told):
    """Which candidate to use, and why.

    Parameters
    ----------
    best : str
        The candidate to use.
    ordering : Ordering
        The candidates that never failed, ordered by the rule; with several runs of the paper's,
        that of the first run which gave the most frequent order.
    rule : {"margin", "paper"}
    margin : float
        Differences below it are of no practical meaning.
    criterion : Criterion
        By what candidates were compared.
    other_rule : OtherRule or None
        What the rule that was not asked for says of the same folds; None for a single candidate.
    frequencies : tuple of Frequency
        The orders found and in how many runs, the most frequent first (YA06 Table 2).
    differences : PairAnswers
        Better, equivalent, undecided or worse, for every pair.
    selected : SelectedError or None
        The winner's loss corrected for its having been chosen, as seen where it only guesses; None
        for the AUC, which is no mean over rows.
    recalibrated : Recalibrated or None
        Who would be chosen if all probabilities were recalibrated first, where candidates are
        compared by them and it is not the best.
    undecided : Undecided or None
        The rival that matters most of those that the data cannot tell from the best.
    price : Price
        Loss against time.
    trust : Trust
        Whether the best candidate's probabilities mean what they say, from the same predictions.
    anatomy : Anatomy or None
        What limits the best candidate; None where it was not asked.
    combination : CombinationAdvice or None
        Whether a combination ranks better than the best candidate; None where it was not asked.
    not_asked : {str: str}
        Of "anatomy", "combination", "recalibrated", "columns" those not asked, and why.
    steady : float or None
        Probability that more drawings of the folds would lead to the same choice; None where that
        is not known.
    guessing : Guessing or None
        What it would cost to give every row the same answer, whether a candidate does so or not;
        None where only who was right is known.
    contradictions : tuple of Contradiction
        Candidates whose labels are not the classes that they call most probable. Of these only the
        labels are used.
    confusion : Confusion
        Which classes the best candidate takes for which; with costs, of the labels of least
        expected cost, which were scored.
    gate : Gate or None
        Whether the comparison with ``against`` was passed.
    candidates : tuple of Candidate
        In order of preference.
    failures : tuple of Failure
        Every trial that failed, with its cause.
    left_out : tuple of LeftOut
        Built-in candidates that were not tried, and how to ask for them.
    dataset : dict
        Name, rows, columns, classes, SHA-256.
    plan : dict
        The resampling plan.
    training_share : float
        Mean share of the rows that a fit sees.
    baselines : tuple of str
        Candidates that ignore the features: something to compare with, not an answer.
    timings : Timings
        Fits, and the seconds they took.
    model : str or None
        Name of the file that the best candidate, fitted to all rows, was written to.
    provenance : dict
        Seed, versions, fingerprint of the study, the command that repeats it.
    notes : tuple of str
        What a reader should know about the data or the fits.
    drift : Drift or None
        An error of the best candidate that grows through time; None without it, without
        time, and by another criterion.
    decisions : TunedDecisions or None
        Weights of the classes by which the best candidate's labels are shown to do better by the
        loss asked: "balanced-error", "macro-f1", "mcc" or "kappa"; None without.
    sets : PredictionSets or None
        Sets of classes that hold the true one in 90 % of cases, and the error where the least sure
        cases are left to a human; None where the best candidate gives no probabilities or guesses.
    wrong : (n,) floats
        In what share of the repetitions the best candidate's label of each row was wrong; NaN of
        rows that it did not predict.
    by : ErrorsByGroup or None
        For whom it errs, where that was asked (``--by``).
    weak : WeakSlice or None
        Where in the columns of the table it is shown to err more; None if nowhere.
    ranking : tuple of RankingCurve
        ROC and precision–recall of the best candidate and of the one with the next mean: of the
        rarer of two classes, of several the most missed. Empty where there are no probabilities.
    ranks : RankSets or None
        The ranks that each candidate may have, of three or more on one test set; else None.
    columns : Columns or None
        Which columns matter to the best candidate; None where it was not asked.
    study : Study or None
        The candidates and the table that it is about, for `fit`; None of predictions made
        elsewhere. It is not pickled.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from polychotomy import judge
    >>> X, y = load_iris(return_X_y=True)
    >>> verdict = judge(
    ...     {"MAX": DummyClassifier(), "1-NN": KNeighborsClassifier(1)}, X, y, anatomy=False)
    >>> verdict.best
    '1-NN'
    >>> verdict.to_frame()[["candidate", "place"]].values.tolist()
    [['MAX', 2], ['1-NN', 1]]
    >>> round(verdict.candidate("1-NN").error, 3)
    0.047
    >>> verdict.errors_by(X[:, 2] > 4.4, column="long petals").errors.round(2).tolist()
    [0.0, 0.1]

    All that it says, each with its ``basis``, and what to say in a minute:

    >>> print(verdict.sentences()[0])
    Use 1-NN.
    >>> set(verdict.top()) <= set(verdict.sentences())
    True

    The page (``to_html(path)`` writes a file), and the same for other readers:

    >>> "Use 1-NN" in verdict.to_html(), "Use 1-NN" in verdict.to_markdown()
    (True, True)
    >>> verdict.to_dict()["best"]
    '1-NN'
    >>> _, rows = verdict.text_table()
    >>> [cells[:3] for _, cells in rows]
    [['MAX', '2', '66.7 %'], ['1-NN', '1', '4.7 %']]
    """

    _ABOVE: ClassVar = {
        "sentences": "telling.say_verdict",
        "table": "report.text.candidate_table",
        "dict": "report.as_json.verdict_to_dict",
        "page": "report.page.render_page",
    }

    best: str
    ordering: Ordering
    rule: str
    margin: float
    criterion: Criterion
    frequencies: tuple[Frequency, ...]
    differences: PairAnswers
    selected: SelectedError | None
    undecided: findings.Undecided | None
    price: findings.Price
    trust: Trust
    confusion: Confusion
    gate: findings.Gate | None
    candidates: tuple[Candidate, ...]
    failures: tuple[findings.Failure, ...]
    left_out: tuple[LeftOut, ...]
    dataset: dict[str, Any]
    plan: dict[str, Any]
    training_share: float
    baselines: tuple[str, ...]
    timings: findings.Timings
    model: str | None
    provenance: dict[str, Any]
    notes: tuple[str, ...]
    other_rule: findings.OtherRule | None = None
    drift: Drift | None = None
    not_asked: dict[str, str] = field(default_factory=dict)
    contradictions: tuple[findings.Contradiction, ...] = ()
    steady: float | None = None
    decisions: TunedDecisions | None = None
    guessing: findings.Guessing | None = None
    sets: PredictionSets | None = None
    wrong: Floats | None = None
    by: ErrorsByGroup | None = None
    weak: WeakSlice | None = None
    ranking: tuple[RankingCurve, ...] = ()
    ranks: RankSets | None = None
    anatomy: findings.Anatomy | None = None
    combination: CombinationAdvice | None = None
    recalibrated: findings.Recalibrated | None = None
    columns: findings.Columns | None = None
    study: Study | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "study": None}  # a small file must not hold the whole table

    @property
    def guesses(self) -> bool:
        """Whether the best candidate ignores the features: nothing was shown to beat guessing."""
        return self.best in self.baselines

    @property
    def unbeaten_guess(self) -> str | None:
        """Who guesses, where the rule takes another but nobody is shown to beat guessing.

        The rule with a margin compares means as they stand; here the intervals of the differences
        are asked. Of several that guess it is the one with the lowest mean.
        """
        pairs = self.differences
        guessing = [i for i, name in enumerate(pairs.names) if name in self.baselines]
        if self.guesses or self.rule != "margin" or not guessing:
            return None
        lowest = min(guessing, key=lambda i: float(pairs.estimate[i, guessing[0]]))
        others = [i for i in range(len(pairs.names)) if i not in guessing]
        return None if (pairs.high[others, lowest] < 0).any() else pairs.names[lowest]

    @property
    def in_time(self) -> bool:
        """Whether every fit was tested on later rows."""
        return self.plan.get("kind") == "time folds"

    @property
    def contradicts(self) -> bool:
        """Whether the best candidate's labels and probabilities contradict each other."""
        return any(one.name == self.best for one in self.contradictions)

    @property
    def decides_by_cost(self) -> bool:
        """Whether labels are those of least expected cost, not the most probable."""
        return self.criterion.name == "cost" and not self.trust.hard

    @property
    def model_words(self) -> str:
        """What is in a saved model: which recalibration, and by what it decides."""
        if self.contradicts:
            return "whose probabilities contradict its labels"
        if self.trust.hard:
            return "which gives labels only, no probabilities"
        recalibrated = self.trust.recalibration.chosen
        words = "without recalibration: none was shown to help"
        if recalibrated != "none":
            words = f"with {recalibrated} recalibration"
        if self.decisions is not None:
            words += "; its labels are decided by weights of the classes"
        if self.decides_by_cost:
            words += "; its labels are those of least expected cost"
            if recalibrated != "none":
                words += " by the recalibrated probabilities (the cost judged is before that)"
        return words

    @property
    def folds_words(self) -> str:
        """What means and intervals are over, in words: folds, or parts of a single test set."""
        kind, runs = self.plan.get("kind"), int(self.plan.get("runs", 1))
        own_runs = runs if self.rule == "paper" else 1  # whose ordering is that of a single one
        folds = int(self.ordering.errors[0].size) * own_runs
        alone = kind in ("fixed split", "rung") or (kind == "hold-out" and runs == 1)
        parted = kind in ("imported folds", "time folds") and self.plan["folds"] * runs == 1
        return f"{folds} parts of one test set" if alone or parted else f"{folds} folds"

    @property
    def warnings(self) -> tuple[Note, ...]:
        """Those of the notes that a reader should know of before all others, the gravest first."""
        found = (note for note in self.notes if isinstance(note, Note) and note.kind)
        return tuple(sorted(found, key=gravity))

    @property
    def remarks(self) -> tuple[str, ...]:
        """The other notes."""
        return tuple(note for note in self.notes if note not in self.warnings)

    @property
    def leaks(self) -> tuple[str, ...]:
        """Columns that give the target away."""
        return tuple(name for note in self.notes for name in getattr(note, "leaks", ()))

    @property
    def knows_labels(self) -> bool:
        """Whether it is known what the answers were, and not only which were right."""
        return not self.plan.get("only_right", False)

    @property
    def is_lossless(self) -> bool:
        """Whether there was no loss, other than an error, to speak of; then no interval is given.

        Costs may be gains, so these must all be zero.
        """
        if self.criterion.name == "score":
            return False
        if self.criterion.costs is not None:
            return not self.ordering.errors[self.ordering.best].any()
        rate, found = self.criterion.is_rate, self.selected
        return not rate and found is not None and max(found.high, found.expected) < TINY

    @property
    def judged_rows(self) -> int:
        """Rows that were predicted: all but, in order of time, the first ones."""
        return int(self.confusion.counts.sum().round())

    @property
    def plan_words(self) -> str:
        """The resampling plan in a few words."""
        name = str(self.plan.get("name") or self.plan.get("kind", ""))
        runs = int(self.plan.get("runs", 1))
        if self.plan.get("kind") in ("hold-out", "rung"):
            return f"{runs} of {self.plan['of']} folds held out"
        if runs > 1 and name == f"1x{self.plan.get('folds')} folds":
            return f"{self.plan['folds']} folds, drawn {runs} times"
        words = re.sub(r"(?<=\d)x(?=\d)", "×", name)
        return words if runs == 1 else f"{words}, {runs} runs"

    @property
    def is_clean(self) -> bool:
        """Whether nothing failed and no gate was missed."""
        return not self.failures and (self.gate is None or self.gate.passed)

    def top(self) -> tuple[Sentence, ...]:
        """Say what a reader with one minute needs."""
        return call_above("telling.say_top", self)

    def candidate(self, name: str) -> Candidate:
        """Return a candidate's numbers by name."""
        found = {candidate.name: candidate for candidate in self.candidates}
        if name not in found:
            known = ", ".join(found)
            raise InvalidInput(f"there is no candidate {name!r}; expected one of {known}.")
        return found[name]

    def errors_by(
        self, values: Any, *, column: str | None = None, groups: Any = None, weights: Any = None
    ) -> ErrorsByGroup:
        """Return for whom the best candidate errs: its error in groups of the rows.

        Parameters
        ----------
        values : (n,) array-like, such as a column of the table
            See `errors_by_group`.
        column : str, optional
            What to call them; by default their own name.
        groups, weights : (n,) array-like, optional
            Clusters of the rows, and how much each counts; by default as in the study.
        """
        if self.wrong is None:
            raise InvalidInput("nobody knows which rows were wrong; expected answers, not scores.")
        name = column or getattr(values, "name", None) or "group"
        groups = self.study.groups if groups is None and self.study is not None else groups
        options: dict[str, Any] = {"groups": groups, "weights": weights}
        return errors_by_group(self.wrong, values, column=str(name), **options)

    def to_frame(self) -> DataFrame:
        """Return one row for each candidate, in order of preference; a failed one has no place."""
        import pandas as pd

        places = {name: i + 1 for i, name in enumerate(self.ordering.ordered_names)}
        rows = [
            {"candidate": c.name, "place": places.get(c.name), **c._asdict()}
            for c in self.candidates
        ]
        frame = pd.DataFrame(rows).drop(columns="name")
        if not any(c.stopped for c in self.candidates):
            frame = frame.drop(columns="stopped")
        return frame.astype({"place": "Int64"}) if frame["place"].isna().any() else frame

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the candidates' errors and the MultiTest graph."""
        return self.ordering.plot(ax)

    def fit(self) -> Any:
        """Return the best candidate fitted on all rows, recalibrated as advised: a `Model`.

        It is a fitted scikit-learn classifier (``predict``, ``predict_proba``, ``classes_``,
        ``feature_names_in_``) that can be kept in a file (``save``, `load_model`). Each call fits
        anew, and gives the same.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from polychotomy import judge
        >>> X, y = load_iris(return_X_y=True, as_frame=True)
        >>> model = judge({"naive Bayes": GaussianNB()}, X, y, anatomy=False).fit()
        >>> model.predict(X.head(2)), model.predict_proba(X.head(2)).shape
        (array([0, 0]), (2, 3))
        """
        return call_above("model.fitting.fit_winner", self)

    def _repr_html_(self) -> str:
        from html import escape

        import pandas as pd

        first, *rest = [escape(one.text) for one in self.top()]
        warned = [escape(one.text) for one in self.sentences() if one.section == "warning"]
        headings, rows = self.text_table()
        frame = pd.DataFrame([cells for _, cells in rows], columns=headings)
        table: str = frame.to_html(index=False, escape=True)
        above = f"<p>{'<br>'.join(warned)}</p>\n" * bool(warned)
        return f"{above}<p><strong>{first}</strong></p>\n<p>{'<br>'.join(rest)}</p>\n{table}"
