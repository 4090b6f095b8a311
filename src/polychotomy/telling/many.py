"""What holds over many tables, in words."""

from __future__ import annotations

from dataclasses import replace

from polychotomy.comparison import ControlComparison
from polychotomy.core.numbers import counted, few, join, mean_words, pvalue
from polychotomy.telling.first import say_warnings
from polychotomy.verdict.findings import Sentence
from polychotomy.verdict.many import LEVEL, ManyVerdicts, friedman_pvalue, smallest_pvalue


def say_many(many: ManyVerdicts) -> tuple[Sentence, ...]:
    """Return the sentences about many tables, the conclusion first."""
    parts = _say_wins, _say_warnings, _say_leads, _say_ranks, _say_failures, _say_problems
    return tuple(one for say in parts for one in say(many))


def _say_wins(many: ManyVerdicts) -> list[Sentence]:
    most = max(many.wins.values())
    names = [name for name, count in many.wins.items() if count == most]
    claim = f"{join(names)} {'is' if len(names) == 1 else 'are'} chosen most often"
    each = " each" if len(names) > 1 else ""
    text = f"{claim}: on {most} of {counted(len(many.tables), 'table')}{each}."
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


def _say_leads(many: ManyVerdicts) -> list[Sentence]:
    """Say on which tables the first of a leaderboard is shown to be better than all others."""
    if len(many.candidates) < 2:
        return []
    shown = [f"{one.name} on {one.table}" for one in many.leads if one.shown]
    named = f": {join(few(shown))}" if shown else ""
    text = (
        f"Of {counted(len(many.tables), 'table')}, the {many.criterion.best_word} mean is shown to "
        f"be better than all others on {len(shown) or 'none'}{named}."
    )
    first = many.verdicts[0]
    basis = (
        f"Whom a leaderboard prints in bold. {first.differences.method} of every pair, on each "
        f"table at 0.05 for all pairs together ({'Holm' if first.ranks is None else 'as of ranks'})"
        ": who leads is found on the same rows."
    )
    return [Sentence(text=text, basis=basis, section="which")]


def _say_ranks(many: ManyVerdicts) -> list[Sentence]:
    control = many.control
    if control is None:
        return []
    test, count = control.friedman, len(control.names)
    pairs = zip(control.names, test.mean_ranks, strict=True)
    basis = (
        f"{test} Mean ranks of the {mean_words(many.criterion)}: "
        f"{', '.join(f'{name} {rank:.2f}' for name, rank in pairs)}. Assumed: the tables are "
        "independent, and a fair sample of those to come."
    )
    least = smallest_pvalue(test.n_data_sets, count)
    if least > LEVEL:
        claim = "no candidate can be shown to be better than another"
        said = (
            f": with {test.n_data_sets} tables and {count} candidates, the smallest p that could "
            f"be found is {least:.2g}"
        )
    elif friedman_pvalue(test) > LEVEL:
        claim = "no candidate is shown to be better than another"
        said = f" ({pvalue(friedman_pvalue(test))}, {test.n_data_sets} tables)"
    else:
        claim = f"{control.names[control.control]} has the best mean rank"
        said, more = _against_the_first(control)
        basis += more
    text = f"Over all tables together, {claim}{said}."
    return [Sentence(text=text, basis=basis, section="real", emphasis=claim)]


def _against_the_first(control: ControlComparison) -> tuple[str, str]:
    """Say who is shown to be worse than the first, and by which p-values."""
    found = list(zip(control.names, control.adjusted_pvalue.tolist(), strict=True))
    first, _ = found.pop(control.control)
    worse = [name for name, p in found if p <= LEVEL]
    open_ = [name for name, p in found if p > LEVEL]
    said = ""
    if worse:
        said += f"; {join(worse)} {'is' if len(worse) == 1 else 'are'} shown to be worse"
    if open_:
        said += f"; {join(open_)} {'is' if len(open_) == 1 else 'are'} not told apart from it"
    pvalues = ", ".join(f"{name} {pvalue(p)}" for name, p in found)
    return said, f" Against {first}, adjusted by Holm: {pvalues}."


def _say_failures(many: ManyVerdicts) -> list[Sentence]:
    tried = dict.fromkeys(c.name for verdict in many.verdicts for c in verdict.candidates)
    gone = [name for name in tried if name not in many.candidates]
    if not gone:
        return []
    text = f"Left out of the comparison over tables: {join(gone)}."
    basis = "They failed, or were not tried, on some table."
    return [Sentence(text=text, basis=basis, section="failed")]


def _say_problems(many: ManyVerdicts) -> list[Sentence]:
    if not many.problems:
        return []
    causes = "; ".join(f"{one.table} ({one.cause})" for one in many.problems)
    text = f"{counted(len(many.problems), 'table')} could not be judged: {causes.rstrip('.')}."
    basis = "One table that cannot be judged does not stop the others."
    return [Sentence(text=text, basis=basis, section="failed")]
