"""YA06: another reading of C4.5, with its own choice of splits (Quinlan, 1993 and 1996).

Numbers are split in two, categories into as many branches as they have values. Of all columns whose
gain of information is at least average, the one with the largest ratio of gain to the information
in the split itself is taken. As in release 8, a number's gain pays for the choice of its threshold,
log₂(thresholds)/n bits; a threshold leaves on each side a tenth of the cases that a class has on
average, 2 to 25; and it is a value of the training cases. Pruned by the errors on 20 % of the
cases, which the paper reserves.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from polychotomy.core.arrays import Floats, Ints
from polychotomy.reproduction.run_log import Values
from polychotomy.reproduction.ya06_reading import Mixed, load_mixed, standardised, ten_folds

FEWEST = 2  # cases in at least two branches, C4.5's default

MOST_ASKED = 25  # cases on each side of a threshold, however many there are

NEARLY = 1e-3  # bits below the average gain that still count as average, as in C4.5

RESERVED = 0.2


@dataclass
class Node:
    """A leaf, or a split of a column: numbers come before categories."""

    answer: int
    column: int = -1
    threshold: float = 0.0
    children: dict[int, Node] = field(default_factory=dict)


def predict_tree(train: Mixed, test: Mixed, rng: np.random.Generator) -> Ints:
    """Grow a tree on 80 % of the cases, prune it on the others, classify the test cases.

    Examples
    --------
    >>> rows = np.arange(40)
    >>> train = Mixed(np.zeros((40, 0)), rows[:, None] % 4, rows % 4 // 2)
    >>> predict_tree(train, train, np.random.default_rng(0))[:4].tolist()
    [0, 0, 1, 1]
    """
    order = rng.permutation(len(train.y))
    held, grown = np.split(order, [round(RESERVED * len(order))])
    root = grow_on(_rows(train, grown), np.eye(int(train.y.max()) + 1)[train.y[grown]])
    prune(root, _rows(train, held))
    return classify(root, test)


def grow_on(cases: Mixed, known: Floats) -> Node:
    """Grow a tree whose thresholds are values of its training cases, none of them between two."""
    root = grow(cases, known)
    _use_values(root, np.sort(cases.numbers, axis=0))
    return root


def _use_values(node: Node, values: Floats) -> None:
    if node.children and node.column < values.shape[1]:
        column = values[:, node.column]
        node.threshold = float(column[column.searchsorted(node.threshold, side="right") - 1])
    for child in node.children.values():
        _use_values(child, values)


def _rows(mixed: Mixed, rows: Ints) -> Mixed:
    return Mixed(mixed.numbers[rows], mixed.categories[rows], mixed.y[rows])


def grow(cases: Mixed, known: Floats) -> Node:
    """Split while a column gains information; ``known`` are the classes as indicators (n, k)."""
    counts = known.sum(axis=0)
    node = Node(int(counts.argmax()))
    if (counts > 0).sum() < 2 or len(known) < 2 * FEWEST:
        return node
    splits = [split for column in range(_width(cases)) if (split := _split(cases, column, known))]
    if not splits:
        return node
    average = float(np.mean([gain for gain, *_ in splits])) - NEARLY
    _, ratio, column, threshold = max(
        (split for split in splits if split[0] >= average), key=lambda split: split[1]
    )
    if ratio < 1e-6:
        return node
    node.column, node.threshold = column, threshold
    branches = _branches(node, cases)
    for branch in np.unique(branches):
        rows = np.flatnonzero(branches == branch)
        node.children[int(branch)] = grow(_rows(cases, rows), known[rows])
    return node


def _width(cases: Mixed) -> int:
    return cases.numbers.shape[1] + cases.categories.shape[1]


def _split(cases: Mixed, column: int, known: Floats) -> tuple[float, float, int, float] | None:
    """Return gain, gain ratio, column and threshold of a column's best split."""
    n, whole = len(known), _information(known.sum(axis=0))
    numbers = cases.numbers.shape[1]
    if column >= numbers:
        codes = cases.categories[:, column - numbers]
        parts = np.zeros((int(codes.max()) + 1, known.shape[1]))
        np.add.at(parts, codes, known)
        sizes = parts.sum(axis=1)
        if (sizes >= FEWEST).sum() < 2:
            return None
        gain = float(whole - sizes @ _information(parts) / n)
        ratio = gain / float(_information(sizes))
        return gain, ratio, column, 0.0  # of no gain, too: it counts in the average
    order = np.argsort(cases.numbers[:, column], kind="stable")
    x = cases.numbers[order, column]
    left = np.cumsum(known[order], axis=0)[:-1]
    sizes = np.arange(1, n)
    fewest = np.clip(0.1 * n / known.shape[1], FEWEST, MOST_ASKED)
    places = np.flatnonzero((x[1:] > x[:-1]) & (sizes >= fewest) & (n - sizes >= fewest))
    if not len(places):
        return None
    left, below = left[places], sizes[places] / n
    right = known.sum(axis=0) - left
    gains = whole - below * _information(left) - (1 - below) * _information(right)
    best = int(gains.argmax())
    gain, place = float(gains[best]) - np.log2(len(places)) / n, places[best]
    ratio = gain / float(_information(np.array([below[best], 1 - below[best]])))
    return (gain, ratio, column, float(x[place] + x[place + 1]) / 2) if gain > 1e-6 else None


def _information(counts: Floats) -> Floats:
    """Entropy of counts along the last axis, in bits."""
    shares = counts / np.maximum(counts.sum(axis=-1, keepdims=True), 1e-300)
    logs = np.log2(shares, where=shares > 0, out=np.zeros_like(shares))
    entropy: Floats = -(shares * logs).sum(axis=-1)
    return entropy


def _branches(node: Node, cases: Mixed) -> Ints:
    numbers = cases.numbers.shape[1]
    if node.column >= numbers:
        return cases.categories[:, node.column - numbers]
    return (cases.numbers[:, node.column] > node.threshold).astype(np.intp)


def prune(node: Node, held: Mixed) -> int:
    """Cut what does not lower the errors on the cases held back; return these."""
    own = int((held.y != node.answer).sum())
    if not node.children:
        return own
    branches = _branches(node, held)
    known = np.isin(branches, list(node.children))
    errors = int((held.y[~known] != node.answer).sum())
    for branch, child in node.children.items():
        errors += prune(child, _rows(held, np.flatnonzero(branches == branch)))
    if own <= errors:
        node.children.clear()
        return own
    return errors


def classify(node: Node, cases: Mixed) -> Ints:
    """Answer by the leaf; a category that a split has not seen, by the split's majority."""
    answers = np.full(len(cases.y), node.answer, dtype=np.intp)
    if node.children:
        branches = _branches(node, cases)
        for branch, child in node.children.items():
            rows = np.flatnonzero(branches == branch)
            if len(rows):
                answers[rows] = classify(child, _rows(cases, rows))
    return answers


def run_tree(name: str, data: Path | None, seed: int) -> Values:
    """Ten fold errors of this tree; missing numbers are filled with their means."""
    mixed = load_mixed(name, data)
    rng = np.random.default_rng(
        10_000 + seed
    )  # for what is held back; folds are the other readings'

    def errors(train: Ints, test: Ints) -> dict[str, float]:
        learned, judged = standardised(mixed, train, test)
        return {"C4.5": float(np.mean(predict_tree(learned, judged, rng) != judged.y))}

    return ten_folds(len(mixed.y), seed, errors)
