"""Verdicts on many tables as one page. Nothing is computed here."""

from __future__ import annotations

from collections import Counter

from polychotomy.core.numbers import amount, bare_pvalue, count, counted, join, seconds, short
from polychotomy.report.background import record_fold, repeating_facts
from polychotomy.report.figures.many_tables import TableRow, draw_ranks, draw_tables, draw_wins
from polychotomy.report.page import answer, render
from polychotomy.report.section import Cell, Fact, Fold, Section, Table, drawn
from polychotomy.verdict import ManyVerdicts


def render_many(many: ManyVerdicts) -> str:
    """Return the page over several tables: the same bytes for the same ledgers.

    Examples
    --------
    >>> from sklearn.datasets import load_iris, load_wine
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from polychotomy import judge
    >>> from polychotomy.verdict.many import unite_verdicts
    >>> both = {"MAX": DummyClassifier(), "naive Bayes": GaussianNB()}
    >>> found = [
    ...     judge(both, *load(return_X_y=True), dataset=name, anatomy=False)
    ...     for name, load in (("iris", load_iris), ("wine", load_wine))
    ... ]
    >>> "naive Bayes is chosen most often" in render_many(unite_verdicts(found))
    True
    """
    said = many.sentences()
    questions = {
        "which": "Which one, on which table?",
        "real": "Is it real over all tables?",
        "tables": "What of each table?",
        "failed": "What failed?",
        "computed": "How was this computed?",
    }
    return render(
        "many.html",
        many=many,
        title=said[0].text.rstrip("."),
        leaders=_leaders(many, 80),
        facts=_facts(many),
        wins=drawn(draw_wins, many.wins, n_tables=len(many.tables)),
        **answer(many, questions, (_which, _real, _each, _failed, _computed), said),
    )


def _leaders(many: ManyVerdicts, most: int) -> list[str]:
    """Name who is chosen on the most tables: several where they are chosen equally often."""
    wins = many.wins
    return [short(name, most) for name, won in wins.items() if won == wins[many.best]]


def _facts(many: ManyVerdicts) -> list[str]:
    fits = sum(one.timings.n_fits for one in many.verdicts)
    spent = sum(one.timings.seconds for one in many.verdicts)
    return [
        counted(len(many.wins), "candidate"),
        f"{count(sum(one.dataset['rows'] for one in many.verdicts))} rows in all",
        f"{counted(fits, 'fit')}{f', {seconds(spent)} of computing' * bool(spent)}",
    ]


def _which(many: ManyVerdicts) -> Section:
    criterion = many.criterion
    rows: list[TableRow] = []
    lines: list[list[Cell | str]] = []
    # Of one test set MultiTest's rule is not asked.
    multitest = many.verdicts[0].rule == "margin" and any(one.other_rule for one in many.verdicts)
    for name, one in zip(many.tables, many.verdicts, strict=True):
        losses = {c.name: float(c.loss) for c in one.candidates}
        sound = {who: loss for who, loss in losses.items() if who in one.ordering.names}
        rows.append(TableRow(name, sound, one.best))
        data, classes = one.dataset, len(one.dataset["classes"]) * one.knows_labels
        counts = data["rows"], data["columns"], classes
        sizes = [Cell(count(size) if size else "–", size) for size in counts]
        other = ["–" if one.other_rule is None else one.other_rule.best] * multitest
        found = [losses.get(candidate, float("nan")) for candidate in many.wins]
        cells = [Cell(amount(loss, criterion), loss) for loss in found]
        lines.append([name, *sizes, one.best, *other, *cells])
    header = ["table", "#rows", "#columns", "#classes", "use", *["by MultiTest"] * multitest]
    header += [f"#{short(name, 24)}" for name in many.wins]
    table = Table(f"Mean {criterion.words} of every candidate on every table", header, lines)
    figures = [[drawn(draw_tables, rows, criterion=criterion)]]
    notes = ["By MultiTest: what MultiTest's rule (YA06) would choose on the same folds. It keeps "
             "a simpler candidate until it is shown to be worse."] * multitest  # fmt: skip
    return Section(f"{join(_leaders(many, 40))} most often", "good", figures, [table], notes=notes)


def _real(many: ManyVerdicts) -> Section:
    control, sets, strengths = many.control, many.ranks, many.strengths
    if many.nemenyi is None or control is None or sets is None or strengths is None:
        why = "Comparing over tables takes two tables and two candidates without a failure."
        return Section("too few to compare", "plain", notes=[why])
    first, share = control.names[control.control], f"{100 * sets.level:g} %"
    columns = (control.friedman.mean_ranks, control.adjusted_pvalue, sets.first, sets.last,
               strengths.strengths, strengths.low, strengths.high)  # fmt: skip
    rows = []
    for name, rank, p, top, last, strength, low, high in zip(
        control.names, *(column.tolist() for column in columns), strict=True
    ):
        against = Cell("–" if name == first else bare_pvalue(p), p)
        places = f"{top}" if top == last else f"{top} to {last}"
        odds = f"{strength:.2f} ({low:.2f} to {high:.2f})".replace("-", "−")
        rows.append((name, Cell(f"{rank:.2f}", rank), against, places, Cell(odds, strength)))
    header = ("candidate", "#mean rank", f"#p against {short(first, 24)} (Holm)",
              f"ranks ({share} for all)", f"#strength, log odds ({share})")  # fmt: skip
    states = ["best" if name == first else "" for name in control.names]
    caption = "Mean ranks, and Holm's comparison with the first; strengths by who beats whom"
    return Section(
        "they differ" if many.differ else "not shown to differ",
        "good" if many.differ else "open", [[drawn(draw_ranks, many.nemenyi)]],
        [Table(caption, header, rows, states)], notes=[str(control.friedman)],
    )  # fmt: skip


def _each(many: ManyVerdicts) -> Section:
    folds = []
    for name, one in zip(many.tables, many.verdicts, strict=True):
        said = [(sentence.text, sentence.basis) for sentence in one.top()]
        table = Table(f"The verdict on {short(name, 60)}", ("sentence", "what it rests on"), said)
        folds.append(Fold(f"{short(name, 60)}: {said[0][0]}", [table]))
    notes = ["Judge a table by itself for its own page, with every figure."]
    return Section(counted(len(folds), "verdict"), "plain", folds=folds, notes=notes)


def _failed(many: ManyVerdicts) -> Section:
    none = Cell("–", float("nan"))
    rows = [(problem.table, "the table", none, problem.cause) for problem in many.problems]
    for name, one in zip(many.tables, many.verdicts, strict=True):
        causes = Counter((failure.candidate, failure.cause) for failure in one.failures)
        rows += [(name, who, Cell(str(n), n), cause) for (who, cause), n in causes.items()]
    notes = [short(note, 300) for note in many.notes]
    if not rows:
        return Section("nothing", "good", notes=["Nothing failed.", *notes])
    table = Table("What gave no predictions", ("table", "what", "#fits", "cause"), rows)
    return Section(counted(len(rows), "cause"), "bad", tables=[table], notes=notes)


def _computed(many: ManyVerdicts) -> Section:
    first = many.verdicts[0]
    facts = [
        Fact("Resampling", first.plan_words),
        Fact("Criterion", first.criterion.words),
        *repeating_facts(first.provenance | many.provenance),
    ]
    for name, one in zip(many.tables, many.verdicts, strict=True):
        seed, study = (one.provenance.get(what) for what in ("seed", "fingerprint"))
        facts.append(Fact(short(name, 60), f"seed {seed}, study {study}"))
    folds = [record_fold(many.provenance)]
    return Section(first.plan_words, "plain", facts=facts, folds=folds)
