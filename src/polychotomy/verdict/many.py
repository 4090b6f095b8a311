"""Verdicts on many tables: one verdict each, and what holds over all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np
from scipy.special import gammaln

from polychotomy.comparison import (
    ControlComparison,
    Criterion,
    FriedmanTest,
    Nemenyi,
    RankSets,
    Strengths,
    compare_to_control,
    holm,
    league_ranks,
    league_strengths,
    nemenyi_test,
)
from polychotomy.core.arguments import shown
from polychotomy.core.arrays import Floats
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.result import Axes, DataFrame, draw_bars
from polychotomy.verdict.verdict import Told, Verdict

LEVEL = 0.05  # of the tests over all tables


class Problem(NamedTuple):
    """A table that could not be judged, and why.

    Examples
    --------
    >>> from polychotomy.verdict import Problem
    >>> problem = Problem("plants.csv", "the target 'species' has one class only")
    >>> f"{problem.table}: {problem.cause}"
    "plants.csv: the target 'species' has one class only"
    """

    table: str
    cause: str


class Lead(NamedTuple):
    """Who has the best mean on a table, and from whom it is not told apart there.

    Examples
    --------
    >>> from polychotomy.verdict.many import Lead
    >>> Lead("plants.csv", "forest", ("boosting",)).shown
    False
    """

    table: str
    name: str
    open: tuple[str, ...]

    @property
    def shown(self) -> bool:
        """Whether it is shown to be better than every other."""
        return not self.open


class ManyVerdicts(Told):
    """Verdicts on several tables, and the candidates compared over all of them.

    Parameters
    ----------
    tables : tuple of str
        Names of the tables judged.
    verdicts : tuple of Verdict
        One for each table.
    problems : tuple of Problem
        Tables that could not be judged.
    candidates : tuple of str
        Those without a failure on any table, in order of preference.
    losses : (tables, candidates) floats
        Mean loss.
    nemenyi : Nemenyi or None
        Mean ranks and their critical difference; None with fewer than two tables or candidates.
    control : ControlComparison or None
        Friedman's test, and every candidate against the one of the best mean rank (Holm).
    provenance : dict
    notes : tuple of str
    ranks : RankSets or None
        The ranks that each candidate may have over the tables, all sets holding together.
    strengths : Strengths or None
        How strong each is by who does better on how many tables (Bradley and Terry).

    Examples
    --------
    >>> from sklearn.datasets import load_iris, load_wine
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from polychotomy import judge
    >>> both = {"MAX": DummyClassifier(), "naive Bayes": GaussianNB()}
    >>> found = [
    ...     judge(both, *load(return_X_y=True), dataset=name, anatomy=False)
    ...     for name, load in (("iris", load_iris), ("wine", load_wine))
    ... ]
    >>> many = unite_verdicts(found)
    >>> many.wins
    {'MAX': 0, 'naive Bayes': 2}
    >>> print(many.sentences()[0])
    naive Bayes is chosen most often: on 2 of 2 tables.
    >>> _, rows = many.text_table()
    >>> [cells[:5] for _, cells in rows]
    [['iris', '150', '4', '3', 'naive Bayes'], ['wine', '178', '13', '3', 'naive Bayes']]
    >>> many.to_dict()["best"], many.to_markdown().count("| iris |"), "wine" in many.to_html()
    ('naive Bayes', 1, True)
    """

    _ABOVE: ClassVar = {
        "sentences": "telling.many.say_many",
        "table": "report.text.table_of_tables",
        "dict": "report.as_json.many_to_dict",
        "page": "report.many_page.render_many",
    }

    tables: tuple[str, ...]
    verdicts: tuple[Verdict, ...]
    problems: tuple[Problem, ...]
    candidates: tuple[str, ...]
    losses: Floats
    nemenyi: Nemenyi | None
    control: ControlComparison | None
    provenance: dict[str, Any]
    notes: tuple[str, ...]
    ranks: RankSets | None = None
    strengths: Strengths | None = None

    @property
    def wins(self) -> dict[str, int]:
        """On how many tables each candidate is the best, in order of preference."""
        counts = Counter(verdict.best for verdict in self.verdicts)
        names = [c.name for verdict in self.verdicts for c in verdict.candidates]
        return {name: counts[name] for name in dict.fromkeys(names)}

    @property
    def best(self) -> str:
        """The candidate chosen most often, the most preferred of equals."""
        return max(self.wins, key=lambda name: self.wins[name])

    @property
    def leads(self) -> tuple[Lead, ...]:
        """Whom a leaderboard would print in bold on each table, and whether that is shown there.

        Who leads is found on the same cases, so that all pairs count: as the table's own verdict
        counts them for ranks on one test set, else by Holm's correction.
        """
        found = []
        for table, verdict in zip(self.tables, self.verdicts, strict=True):
            pairs, m = verdict.differences, len(verdict.differences.names)
            i, j = np.triu_indices(m, 1)
            apart = np.zeros((m, m), dtype=bool)
            apart[i, j] = apart[j, i] = holm(pairs.pvalues[i, j]) <= LEVEL if m > 1 else False
            apart = apart if verdict.ranks is None else verdict.ranks.apart
            first = int(pairs.estimate[:, 0].argmin())
            rest = [k for k in range(m) if k != first and not apart[first, k]]
            found.append(Lead(table, pairs.names[first], tuple(pairs.names[k] for k in rest)))
        return tuple(found)

    @property
    def differ(self) -> bool:
        """Whether candidates are shown to differ over the tables, as the sentences have it."""
        return self.control is not None and friedman_pvalue(self.control.friedman) <= LEVEL

    @property
    def criterion(self) -> Criterion:
        """By what candidates were compared."""
        return self.verdicts[0].criterion

    @property
    def is_clean(self) -> bool:
        """Whether every table was judged, nothing failed and no gate was missed."""
        return not self.problems and all(verdict.is_clean for verdict in self.verdicts)

    @property
    def remarks(self) -> tuple[str, ...]:
        """The notes: those of single tables that warn stand with these."""
        return self.notes

    def to_frame(self) -> DataFrame:
        """Return one row for each table: its size, the best, and every candidate's mean loss."""
        import pandas as pd

        rows = [
            {
                "table": one.dataset["name"],
                "rows": one.dataset["rows"],
                "columns": one.dataset["columns"],
                "classes": len(one.dataset["classes"]),
                "best": one.best,
                **{c.name: c.loss for c in one.candidates},
            }
            for one in self.verdicts
        ]
        return pd.DataFrame(rows)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw mean ranks with their critical difference, or how often each is the best."""
        if self.nemenyi is not None:
            return self.nemenyi.plot(ax)
        label = "tables on which it is the best"
        return draw_bars(ax, list(self.wins), list(self.wins.values()), label)


def unite_verdicts(
    verdicts: Sequence[Verdict],
    *,
    problems: Sequence[Problem] = (),
    provenance: dict[str, Any] | None = None,
    notes: Sequence[str] = (),
) -> ManyVerdicts:
    """Put verdicts on several tables together and compare the candidates over them.

    Candidates that failed on some table, or were not tried there, are left out of the comparison.

    Examples
    --------
    >>> from polychotomy.core.exceptions import InvalidInput
    >>> try:  # see `ManyVerdicts` for more
    ...     unite_verdicts([])
    ... except InvalidInput as error:
    ...     print(error)
    verdicts is []; expected a list of one verdict or more, as judge(…, dataset=name) returns \
them: of a dict, list(verdicts.values()).
    """
    several = isinstance(verdicts, Sequence) and len(verdicts) > 0
    if not several or not all(isinstance(one, Verdict) for one in verdicts):
        raise InvalidInput(
            f"verdicts is {shown(verdicts)}; expected a list of one verdict or more, as "
            "judge(…, dataset=name) returns them: of a dict, list(verdicts.values())."
        )
    tables = tuple(str(verdict.dataset["name"]) for verdict in verdicts)
    names = [
        name
        for name in verdicts[0].ordering.names
        if all(name in verdict.ordering.names for verdict in verdicts)
    ]
    losses = np.array([[verdict.candidate(name).loss for name in names] for verdict in verdicts])
    control = nemenyi = ranks = strengths = None
    if len(tables) > 1 and len(names) > 1:
        nemenyi = nemenyi_test(losses, names=names)
        first = int(np.argmin(nemenyi.mean_ranks))
        control = compare_to_control(losses, control=first, names=names)
        ranks = league_ranks(losses.T, names=names)
        strengths = league_strengths(losses.T, names=names)
    return ManyVerdicts(
        tables=tables, verdicts=tuple(verdicts), problems=tuple(problems), candidates=tuple(names),
        losses=losses, nemenyi=nemenyi, control=control, provenance=dict(provenance or {}),
        notes=tuple(notes), ranks=ranks, strengths=strengths,
    )  # fmt: skip


def friedman_pvalue(test: FriedmanTest) -> float:
    """Return the p-value, no smaller than so few tables can give."""
    least = smallest_pvalue(test.n_data_sets, len(test.mean_ranks))
    return max(float(test.iman_davenport_pvalue), least)


def smallest_pvalue(n_tables: int, n_candidates: int) -> float:
    """Smallest p-value that a comparison of ranks over so many tables can have.

    If all candidates are alike, each of the m!^N rankings of m candidates on N tables is as
    likely; the most telling are those in which all tables agree, m! of them.

    Examples
    --------
    >>> smallest_pvalue(2, 2), round(smallest_pvalue(2, 3), 4), round(smallest_pvalue(3, 3), 4)
    (0.5, 0.1667, 0.0278)
    """
    return float(np.exp(-gammaln(n_candidates + 1) * (n_tables - 1)))
