"""What holds over many tables, in words."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.special import ndtr

from polychotomy.comparison import ControlComparison
from polychotomy.core.numbers import counted, join, mean_words, pvalue
from polychotomy.telling.choice import say_warnings
from polychotomy.verdict.findings import Sentence
from polychotomy.verdict.many import (
    LEVEL,
    ManyVerdicts,
    friedman_pvalue,
    show_difference,
    smallest_pvalue,
)


def say_many(many: ManyVerdicts) -> tuple[Sentence, ...]:
    """Return the sentences about many tables, the conclusion first."""
    parts = _say_wins, _say_warnings, _say_leads, _say_ranks, _say_failures, _say_problems
    return tuple(one for say in parts for one in say(many))


def _say_wins(many: ManyVerdicts) -> list[Sentence]:
    most = max(many.wins.values())
    names = [name for name, count in many.wins.items() if count == most]
    claim = f"{join(names)} {'is' if len(names) == 1 else 'are'} chosen most often"
    n = len(many.tables)
    each = " each" if len(names) > 1 else ""
    text = f"{claim}: on {most} of {n} {'table' if n == 1 else 'tables'}{each}."
    others = ", ".join(f"{name} {count}" for name, count in many.wins.items())
    basis = (
        f"One verdict for each table, by the rule {many.verdicts[0].rule!r}; tables won: {others}."
    )
    return [Sentence(text=text, basis=basis, section="which", emphasis=claim)]


def _say_warnings(many: ManyVerdicts) -> list[Sentence]:
    """Say what in each of the tables may make what follows misleading."""
    return [
        replace(one, text=one.text.replace("Warning", f"Warning, of {name}", 1))
        for name, verdict in zip(many.tables, many.verdicts, strict=True)
        for one in say_warnings(verdict)
    ]


_MOST_NAMED = 5


def _say_leads(many: ManyVerdicts) -> list[Sentence]:
    """Say on which tables the first of a leaderboard is shown to be better than all others."""
    if len(many.candidates) < 2:
        return []
    shown = [f"{one.name} on {one.table}" for one in many.leads if one.shown]
    more = [f"{len(shown) - _MOST_NAMED} more"] if len(shown) > _MOST_NAMED else []
    best = f"{many.criterion.best_word} mean"
    claim = f"the {best} is shown to be better than all others on {len(shown) or 'none'}"
    named = f": {join([*shown[:_MOST_NAMED], *more])}" if shown else ""
    basis = (
        f"Whom a leaderboard prints in bold. {many.verdicts[0].differences.method} of every pair, "
        "on each table at 0.05 for all pairs together (Holm), since who leads is found on the same "
        "rows."
    )
    text = f"Of {counted(len(many.tables), 'table')}, {claim}{named}."
    return [Sentence(text=text, basis=basis, section="which")]


def _say_ranks(many: ManyVerdicts) -> list[Sentence]:
    control = many.control
    if control is None:
        return []
    test = control.friedman
    pairs = zip(control.names, test.mean_ranks, strict=True)
    basis = (
        f"{test} Mean ranks of the {mean_words(many.criterion)}: "
        f"{', '.join(f'{name} {rank:.2f}' for name, rank in pairs)}. Assumed: the tables are "
        "independent, and a fair sample of those to come."
    )
    least = smallest_pvalue(test.n_data_sets, len(control.names))
    if least > LEVEL:
        claim = "no candidate can be shown to be better than another"
        count = len(control.names)
        text = (
            f"Over all tables together, {claim}: with {test.n_data_sets} tables and {count} "
            f"candidates, the smallest p that could be found is {least:.2g}."
        )
        basis += f" That p is 1 of the {count}!^{test.n_data_sets - 1} ways in which the other "
        basis += "tables could have ranked them: all like the first."
        return [Sentence(text=text, basis=basis, section="real", emphasis=claim)]
    if not show_difference(test):
        found = friedman_pvalue(test)
        claim = "no candidate is shown to be better than another"
        text = f"Over all tables together, {claim} ({pvalue(found)}, {test.n_data_sets} tables)."
        return [Sentence(text=text, basis=basis, section="real", emphasis=claim)]
    return [_say_control(control, basis)]


def _say_control(control: ControlComparison, basis: str) -> Sentence:
    first = control.names[control.control]
    others = [i for i in range(len(control.names)) if i != control.control]
    worse = [control.names[i] for i in others if control.adjusted_pvalue[i] <= LEVEL]
    open_ = [control.names[i] for i in others if control.adjusted_pvalue[i] > LEVEL]
    parts = []
    if worse:
        parts.append(f"{join(worse)} {'is' if len(worse) == 1 else 'are'} shown to be worse")
    if open_:
        parts.append(f"{join(open_)} {'is' if len(open_) == 1 else 'are'} not told apart from it")
    pvalues = ", ".join(f"{control.names[i]} {pvalue(control.adjusted_pvalue[i])}" for i in others)
    claim = f"{first} has the best mean rank"
    return Sentence(
        text=f"Over all tables together, {claim}; {'; '.join(parts)}{_too_few(control)}.",
        basis=f"{basis} Against {first}, adjusted by Holm: {pvalues}.",
        section="real",
        emphasis=claim,
    )


def _too_few(control: ControlComparison) -> str:
    """Say that so few tables cannot show anybody to be worse, where that is so."""
    m, n = len(control.names), control.friedman.n_data_sets
    farthest = (m - 1) / np.sqrt(m * (m + 1) / (6.0 * n))  # first on every table against last
    least = min(1.0, 2.0 * (m - 1) * float(ndtr(-farthest)))
    if least <= LEVEL:
        return ""
    return f", nor could they be by {n} tables, where the smallest such p is {least:.2g}"


def _say_failures(many: ManyVerdicts) -> list[Sentence]:
    tried = dict.fromkeys(c.name for verdict in many.verdicts for c in verdict.candidates)
    gone = [name for name in tried if name not in many.candidates]
    if not gone:
        return []
    text = f"Left out of the comparison over tables: {join(gone)}."
    where = [
        f"{c.name} on {table} ({c.n_failed} fits)"
        for table, verdict in zip(many.tables, many.verdicts, strict=True)
        for c in verdict.candidates
        if c.n_failed
    ]
    basis = "They failed, or were not tried, on some table"
    basis += f": {join(where)}." if where else "."
    return [Sentence(text=text, basis=basis, section="failed")]


def _say_problems(many: ManyVerdicts) -> list[Sentence]:
    if not many.problems:
        return []
    count = len(many.problems)
    causes = "; ".join(f"{one.table} ({one.cause})" for one in many.problems)
    text = f"{count} table{'s' * (count > 1)} could not be judged: {causes}"
    basis = "One table that cannot be judged does not stop the others."
    return [Sentence(text=f"{text.rstrip('.')}.", basis=basis, section="failed")]
