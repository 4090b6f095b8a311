"""The sections on the choice: which one, is it real, at what price."""

from __future__ import annotations

from dataclasses import replace
from math import isfinite

import numpy as np

from polychotomy.comparison import Criterion, PairAnswers
from polychotomy.core.arrays import Bools, Floats
from polychotomy.core.numbers import (
    amount,
    bare_pvalue,
    counted,
    difference,
    few,
    join,
    mean_words,
    memory,
    seconds,
    short,
)
from polychotomy.report.figures.candidates import Row, draw_candidates
from polychotomy.report.figures.pairs import draw_pairs
from polychotomy.report.figures.price import draw_price, has_sizes
from polychotomy.report.section import Cell, Fold, Section, Sign, Table, drawn
from polychotomy.report.text import explain_places, why_left_out
from polychotomy.telling.choice import degrees_of
from polychotomy.telling.tried import name_candidates
from polychotomy.verdict import Verdict

_ALL_PAIRS = 24  # candidates: the pairs of more would fill the page


def which_section(verdict: Verdict) -> Section:
    """Show every fold of every candidate."""
    criterion, ordering = verdict.criterion, verdict.ordering
    places = {name: place for place, name in enumerate(ordering.ordered_names, start=1)}
    at = {name: i for i, name in enumerate(ordering.names)}
    known = [i for i, one in enumerate(verdict.candidates) if one.name in at]
    order = [at[verdict.candidates[i].name] for i in known]
    edges = np.zeros((len(verdict.candidates),) * 2, dtype=bool)
    edges[np.ix_(known, known)] = ordering.edges[np.ix_(order, order)]
    rows = []
    for one in verdict.candidates:
        folds = ordering.errors[at[one.name]].ravel() if one.name in at else np.empty(0)
        guesses = "(guessing)" * (one.name in verdict.baselines)
        note = guesses if one.name in at else why_left_out(one)
        rows.append(Row(one.name, float(one.loss), folds, places.get(one.name), note))
    figure = drawn(draw_candidates, verdict, rows, edges)
    loss = amount(float(verdict.candidate(verdict.best).loss), criterion)
    return Section(
        f"{short(verdict.best, 40)}, {loss}",
        "open" if verdict.guesses or verdict.unbeaten_guess else "good",
        [[figure]], [_candidates_table(verdict, rows, edges)], notes=_which_notes(verdict),
        folds=[*_frequency_fold(verdict), *_left_out_fold(verdict)],
    )  # fmt: skip


def _candidates_table(verdict: Verdict, rows: list[Row], edges: Bools) -> Table:
    criterion, found, degrees = verdict.criterion, verdict.selected, degrees_of(verdict)
    shares = {} if found is None else dict(zip(found.names, found.shares.tolist(), strict=True))
    lines: list[list[Cell | str]] = []
    for i, (one, row) in enumerate(zip(verdict.candidates, rows, strict=True)):
        share = shares.get(one.name, float("nan"))
        line: list[Cell | str] = [
            one.name,
            Cell(str(row.place or "–"), float(row.place or "nan")),
            Cell(amount(row.mean, criterion), row.mean),
            Cell(amount(criterion.sign * float(one.sd), criterion), float(one.sd)),
            _overridden([rows[j].name for j in np.flatnonzero(edges[i])], row),
            Cell(f"{100 * share:.0f} %" if share == share else "–", share),
        ]
        lines.append(line if shares else line[:-1])
    states = [
        "best" if row.name == verdict.best else "" if row.folds.size else "failed" for row in rows
    ]
    over = verdict.folds_words.partition(" ")[2]  # folds, or parts of one test set
    header = ["candidate", "#place", f"#{mean_words(criterion)}", f"#sd over {over}"]
    header += ["overridden by", *["#chosen again"] * bool(shares)]
    return Table(f"Candidates in order of preference, {degrees.order}", header, lines, states)


def _overridden(overriders: list[str], row: Row) -> Cell:
    if not row.folds.size:
        return Cell(row.note)
    named = few([short(name, 30) for name in overriders], 2)
    return Cell(join(named) if named else "nobody", len(overriders))


def _which_notes(verdict: Verdict) -> list[str]:
    blind = "does not look at the features; it is a baseline, not an answer."
    again = "Chosen again: how often each would be chosen on another table of the same kind."
    notes = [*(f"{short(name, 60)} {blind}" for name in verdict.baselines), explain_places(verdict)]
    return notes + [again] * (verdict.selected is not None)


def _frequency_fold(verdict: Verdict) -> list[Fold]:
    """How many runs gave each order (YA06 Table 2)."""
    if len(verdict.frequencies) < 2:
        return []
    rows = [
        (" · ".join(short(name, 30) for name in one.order), Cell(str(one.runs), one.runs))
        for one in verdict.frequencies
    ]
    table = Table("Best first", ("order found", "#runs"), rows)
    return [Fold(f"Orders found in {verdict.plan['runs']} runs", [table])]


def _left_out_fold(verdict: Verdict) -> list[Fold]:
    if not verdict.left_out:
        return []
    columns = 3 if any(one.ask_for for one in verdict.left_out) else 2
    header = ("candidate", "why", "to try it")[:columns]
    rows = [
        (one.name, one.reason, name_candidates(one.ask_for))[:columns] for one in verdict.left_out
    ]
    table = Table("Built-in candidates that were not tried", header, rows)
    return [Fold(f"Not tried: {counted(len(rows), 'candidate')}", [table])]


def real_section(verdict: Verdict) -> Section:
    """Show every pair with its interval."""
    criterion, pairs = verdict.criterion, verdict.differences
    if len(pairs.names) < 2:
        return Section("nothing to compare with", "plain")
    nearest = _nearest(pairs, verdict.best)
    figure = drawn(draw_pairs, nearest, best=verdict.best, criterion=criterion)
    own = pairs.answers[pairs.names.index(verdict.best)]
    words = {"better": "beaten", "equivalent": "equivalent", "undecided": "undecided",
             "worse": "better"}  # fmt: skip
    found = [f"{own.count(answer)} {word}" for answer, word in words.items() if answer in own]
    some = f"Drawn are those with the {criterion.best_word} mean; the JSON has all."
    notes = [
        figure.message,
        *[some] * (len(pairs.names) > len(nearest.names)),
        "“Undecided” is an answer: the data fit both. It does not mean that two candidates are "
        "equal; “equivalent” does.",
    ]
    sign: Sign = "bad" if "worse" in own else "open" if "undecided" in own else "good"
    folds = [Fold("Pairs in numbers", [_pairs_table(verdict, criterion)])]
    return Section(", ".join(found), sign, [[figure]], folds=folds, notes=notes)


_MOST_DRAWN = 40  # candidates: all pairs of many more are megabytes, and nobody's reading


def _nearest(pairs: PairAnswers, best: str) -> PairAnswers:
    """Return the pairs of the candidates that did best, if there are very many."""
    if len(pairs.names) <= _MOST_DRAWN:
        return pairs
    behind = pairs.estimate[:, pairs.names.index(best)]
    kept = np.sort(np.argsort(behind, kind="stable")[:_MOST_DRAWN])
    kept = kept if pairs.names.index(best) in kept else np.r_[pairs.names.index(best), kept]
    square = np.ix_(kept, kept)
    return replace(
        pairs,
        names=tuple(pairs.names[i] for i in kept),
        answers=tuple(tuple(pairs.answers[i][j] for j in kept) for i in kept),
        **{part: getattr(pairs, part)[square] for part in ("estimate", "low", "high", "pvalues")},
    )


def _pairs_table(verdict: Verdict, criterion: Criterion) -> Table:
    """Return every pair; of very many candidates only those with the chosen one."""
    pairs = verdict.differences
    every = len(pairs.names) <= _ALL_PAIRS
    points = ", points" if criterion.is_rate else ""
    header = ("first", "second", f"#difference{points}", "#from", "#to", "#p-value", "first is")
    rows = [
        (
            row.first, row.second,
            *(Cell(difference(one, criterion), one) for one in (row.difference, row.low, row.high)),
            Cell(bare_pvalue(row.pvalue), row.pvalue), row.answer,
        )
        for row in pairs.to_frame().itertuples(index=False)
        if every or verdict.best in (row.first, row.second)
    ]  # fmt: skip
    which = "All pairs" if every else "Pairs with the chosen one; the JSON has all"
    ways = ("second", "first") if criterion.higher_better else ("first", "second")
    caption = (
        f"{which}: {criterion.words} of the {ways[0]} minus that of the {ways[1]}, with "
        f"{100 * pairs.level:g} % intervals"
    )
    return Table(caption, header, rows)


def price_section(verdict: Verdict) -> Section:
    """Show loss against time, where all were timed; tell what is known where not."""
    price = verdict.price
    clocks, sized = np.stack([price.fit_seconds, price.predict_seconds]), has_sizes(price)
    clocks[~(clocks > 0)] = np.nan  # a clock that ran shows some time
    timed, at = np.isfinite(clocks), list(price.names).index(verdict.best)
    spent = zip(clocks[:, at].tolist(), ("to fit", "to predict one case"), strict=True)
    parts = [f"{seconds(time)} {words}" for time, words in spent if isfinite(time)]
    parts = parts or ["not timed"]
    notes = ["Times are measured where it was computed, next to other work: good for comparing "
             "tenfold differences, not tenths."] * bool(timed.any())  # fmt: skip
    if not timed.all():
        some = "Some predictions came without times, so nothing is drawn."
        notes.append(some if timed.any() else "The predictions came without times.")
    if price.model_bytes is not None and sized:
        if np.isfinite(price.model_bytes[at]):
            parts.append(memory(float(price.model_bytes[at])))
        notes.append("The size is that of one fitted candidate, as it would be stored.")
    heading = " and ".join(["times"] * bool(timed.any()) + ["sizes"] * sized).capitalize()
    figures = []
    if timed.all():
        figures = [[drawn(draw_price, price, best=verdict.best, criterion=verdict.criterion)]]
    folds = [Fold(f"{heading} of all candidates", [_price_table(verdict, clocks)])]
    return Section(", ".join(parts), "plain", figures, folds=folds * bool(heading), notes=notes)


def _price_table(verdict: Verdict, clocks: Floats) -> Table:
    price, criterion = verdict.price, verdict.criterion
    every, sized = bool(np.isfinite(clocks[0]).all()), has_sizes(price)
    columns = [
        ("candidate", price.names),
        (f"#{mean_words(criterion)}", [Cell(amount(x, criterion), x) for x in price.loss.tolist()]),
        ("#to fit", [Cell(seconds(x), x) for x in clocks[0].tolist()]),
        ("#to predict one case", [Cell(seconds(x), x) for x in clocks[1].tolist()]),
    ]
    if price.model_bytes is not None and sized:
        sizes = [Cell(memory(x), x) for x in price.model_bytes.tolist()]
        columns.append(("#size of the model", sizes))
    if every:
        columns.append(("efficient", ["yes" if on else "no" for on in price.efficient_fit]))
    states = ["best" if name == verdict.best else "" for name in price.names]
    efficient = "; efficient: nothing is better and faster to fit" * every
    header, cells = zip(*columns, strict=True)
    rows = list(zip(*cells, strict=True))
    return Table(f"Means over fits{efficient}", header, rows, states)
