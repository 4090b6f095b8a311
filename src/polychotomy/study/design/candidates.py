"""The built-in candidates, from simplest to most complex, each taking a table as it comes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from polychotomy.core.arguments import check_count, innermost, shown, unexpected, will_have
from polychotomy.core.exceptions import InvalidInput
from polychotomy.learners.numbered_labels import with_numbered_labels
from polychotomy.tables.files import did_you_mean

# The limits of the built-in list. Processor seconds of one fit and its predictions, and error in
# per cent, on one of five folds (generated tables of 25 features and three classes; UCI's):
#
#                                  10,000 rows  100,000 rows   letter      shuttle     nursery
#   random forest, 100 trees        2.8  10.9    53.0   7.8   1.9  3.7    2.9  0.03   0.8  1.1
#   extra trees, 100                1.0  10.1    11.7   7.7   1.6  2.8    2.0  0.04   0.7  0.6
#   boosting as scikit-learn has it 1.1  10.3     3.7   8.2   7.4  3.6    0.4  0.30   0.6  3.3
#   boosting of _large              0.8  11.0     2.7   8.3   9.6  4.1    0.7  0.03   1.8  0.0
#   logistic by LBFGS               0.0  29.3     0.1  26.5   0.4 22.3    0.6  3.7    0.1  6.9
#   logistic by averaged SGD        0.2  29.6     1.3  26.6   1.5 28.5    1.0  6.8    0.4  7.8
#   k-NN                            0.2  18.4     5.8  13.1   0.4  5.0    1.7  0.16   0.3  2.7
#
# So logistic regression stays as it is. Scikit-learn's boosting diverges where a class is rare: of
# three rows in 9,000 it made 53 % of errors in a table that it else learns without any. Its ridge
# penalty keeps it from that, on tables of any size (of 19 of UCI's the log loss is lower on 17),
# and with it boosting may take larger steps, and fewer.
_LARGE = 10_000

# Leaves of each of the extra trees, at most, in a table of more than 125,000 rows. Fully grown
# trees grow with the rows: on 200,000 (25 features, three classes) 100 of them take 490 MB and err
# in 2.5 %; with 10,000 leaves 180 MB, and 3.1 %, where boosted trees err in 1.8 %. Drawing rows for
# each tree would save time, too, but at the lower sizes of a ladder that is another learner.
_ROWS_OF_BOUNDED_TREES, _MOST_LEAVES = 125_000, 10_000

_WIDE = 500  # columns: the time of boosted trees grows with columns × bins

_MOST_ROWS = {"1-NN": 20_000, "SVM pairwise": 5000, "SVM orthogonal": 2000}

_MOST_CLASSES = {"SVM pairwise": 15, "SVM orthogonal": 15, "boosted trees": 30}

_GROWTH = "its time grows with the square of the rows"

_KEPT = f"; k-NN keeps {_MOST_ROWS['1-NN']} rows, drawn at random"

_OTHER_TREES = "extra trees, tried in its place, err as little in less time"

_SAME = "with two classes it is the same as SVM pairwise"

_PARTS = {
    "SVM pairwise": "it fits six machines for each pair of classes",
    "SVM orthogonal": "it fits six machines for each dichotomy, on all rows",
    "boosted trees": "it grows a tree for each class and round",
}


class LeftOut(NamedTuple):
    """A built-in candidate that was not tried: why, and which candidates to name to have it tried.

    It is among these, beside the others; there are none where asking for it is in vain.

    Examples
    --------
    >>> from polychotomy.study import affordable_ladder
    >>> _, left_out = affordable_ladder(100_000, 3)
    >>> [one.name for one in left_out]
    ['1-NN', 'SVM pairwise', 'SVM orthogonal', 'random forest']
    """

    name: str
    reason: str
    ask_for: tuple[str, ...] = ()
    rows: int = 0  # that it was fitted on nevertheless
    cause: str = ""  # the first part of the reason, where others may share it


def ladder() -> dict[str, Any]:
    """Return the built-in candidates in order of preference, simplest first.

    The learners of [YA06]_ – the class prior (MAX), nearest mean, linear logistic regression, a
    pruned tree, the nearest neighbour – then as many neighbours as leave-one-out finds best, a
    support vector machine with radial kernel made many-class by pairwise coupling [HT98]_ and by an
    orthogonal code [M24]_, a random forest and boosted trees. Each is a pipeline of its own:
    columns of any kind become numbers, by skrub's ``TableVectorizer`` where they are none; gaps are
    filled by the median and inputs scaled, except for the forest and the boosted trees, which take
    gaps as they are. All of it is fitted on training folds only, so nothing leaks.

    Examples
    --------
    >>> list(ladder())[:5]
    ['MAX', 'nearest mean', 'logistic', 'pruned tree', '1-NN']
    >>> list(ladder())[5:]
    ['k-NN', 'SVM pairwise', 'SVM orthogonal', 'random forest', 'boosted trees']
    """
    return {name: make() for name, make in _makers().items() if name != "extra trees"}


def _makers() -> dict[str, Callable[[], Any]]:
    """Return what makes each built-in candidate: whoever names two of them waits for two."""
    from sklearn.dummy import DummyClassifier
    from sklearn.ensemble import (
        ExtraTreesClassifier,
        HistGradientBoostingClassifier,
        RandomForestClassifier,
    )
    from sklearn.linear_model import LogisticRegression
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.svm import SVC

    from polychotomy.learners import (
        ChosenNeighboursClassifier,
        NearestMeanClassifier,
        PrunedTreeClassifier,
    )
    from polychotomy.multiclass import CodedClassifier

    return {
        "MAX": lambda: DummyClassifier(strategy="prior"),
        "nearest mean": lambda: for_tables(NearestMeanClassifier()),
        "logistic": lambda: for_tables(LogisticRegression(max_iter=1000)),
        "pruned tree": lambda: for_tables(PrunedTreeClassifier()),
        "1-NN": lambda: for_tables(KNeighborsClassifier(n_neighbors=1)),
        "k-NN": lambda: for_tables(ChosenNeighboursClassifier()),
        "SVM pairwise": lambda: for_tables(CodedClassifier(SVC(), code="one-vs-one")),
        "SVM orthogonal": lambda: for_tables(CodedClassifier(SVC(), code="orthogonal")),
        "random forest": lambda: for_trees(RandomForestClassifier(n_estimators=100)),
        "extra trees": lambda: for_trees(ExtraTreesClassifier(n_estimators=100)),
        "boosted trees": lambda: for_trees(HistGradientBoostingClassifier(l2_regularization=1.0)),
    }


def affordable_ladder(
    rows: int, classes: int, *, columns: int = 1
) -> tuple[dict[str, Any], tuple[LeftOut, ...]]:
    """Return the built-in candidates for a table of this size, and which were left out.

    Support vector machines are left out above 5,000 rows (2,000 for the orthogonal code, whose
    every dichotomy sees all rows) or 15 classes, boosted trees above 30 classes. With two classes
    the two machines are one, and the pairwise one is kept. From 10,000 rows on a forest is one of
    extremely randomised trees, and comes after boosted trees, which take larger steps and stop
    early; above 20,000 the nearest neighbour is left out, and k-NN keeps 20,000 rows, drawn at
    random; above 125,000 each of these trees has at most 10,000 leaves. From 500 columns on
    boosted trees cut each into 31 bins, take larger steps and stop early. Whoever names a candidate
    gets it, as :func:`ladder` has it.

    Examples
    --------
    >>> tried, left_out = affordable_ladder(20_000, 3)
    >>> [one.name for one in left_out]
    ['SVM pairwise', 'SVM orthogonal', 'random forest']
    >>> print(left_out[0].reason)
    20000 rows, more than 5000: its time grows with the square of the rows
    """
    for name, count in {"rows": rows, "classes": classes, "columns": columns}.items():
        check_count(name, count, least=1, unit=name)
    found = ladder() if rows < _LARGE else _large(rows)
    if rows >= _LARGE or columns >= _WIDE:
        found["boosted trees"] = _quick_boosting(wide=columns >= _WIDE)
    reasons = {name: _why_left_out(name, rows, classes) for name in found}
    tried = {name: one for name, one in found.items() if reasons[name] is None}
    left_out = []
    for name, why in reasons.items():
        if why is not None:
            cause, growth = why
            beside = tuple(one for one in found if growth and (one in tried or one == name))
            reason = f"{cause}: {growth}" if growth else cause
            left_out.append(LeftOut(name, reason, beside, cause=cause))
    return tried, tuple(left_out)


def _large(rows: int) -> dict[str, Any]:
    """Return the built-in candidates as a large table has them, the random forest among them."""
    from polychotomy.learners import ChosenNeighboursClassifier

    found = {name: make() for name, make in _makers().items()}
    if rows > _MOST_ROWS["1-NN"]:
        found["k-NN"] = for_tables(ChosenNeighboursClassifier(at_most=_MOST_ROWS["1-NN"]))
    # Last, since of so many rows fully grown trees are the larger model, and slower to ask.
    trees = found.pop("extra trees")
    if rows > _ROWS_OF_BOUNDED_TREES:
        trees.set_params(extratreesclassifier__max_leaf_nodes=_MOST_LEAVES)
    return found | {"extra trees": trees}


def _quick_boosting(*, wide: bool) -> Any:
    """Return boosted trees that take larger steps and stop early; with few bins for each column."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    return for_trees(HistGradientBoostingClassifier(
        learning_rate=0.2, l2_regularization=1.0, early_stopping=True, n_iter_no_change=5, tol=1e-4,
        max_bins=31 if wide else 255,
    ))  # fmt: skip


def _why_left_out(name: str, rows: int, classes: int) -> tuple[str, str] | None:
    """Why a candidate is not tried on a table of this size, and what grows; None where it is."""
    most = _MOST_ROWS.get(name, rows)
    if rows > most:
        return f"{rows} rows, more than {most}", f"{_GROWTH}{_KEPT if name == '1-NN' else ''}"
    if name == "random forest" and rows >= _LARGE:
        return f"{rows} rows, {_LARGE} or more", _OTHER_TREES
    most = _MOST_CLASSES.get(name, classes)
    if classes > most:
        return f"{classes} classes, more than {most}", _PARTS[name]
    return (_SAME, "") if name == "SVM orthogonal" and classes == 2 else None


def for_tables(classifier: Any) -> Any:
    """Put a classifier of numbers behind steps that make numbers of any table.

    Examples
    --------
    >>> import pandas as pd
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> X = pd.DataFrame({"colour": ["red", "blue", "red", None], "size": [1.0, 2.0, None, 9.0]})
    >>> for_tables(KNeighborsClassifier(1)).fit(X, [0, 1, 0, 1]).predict(X).tolist()
    [0, 1, 0, 1]
    """
    from sklearn.preprocessing import StandardScaler

    from polychotomy.study.fitting.table_numbers import MedianImputer

    return _behind_numbers(MedianImputer(), StandardScaler(), classifier)


def for_trees(classifier: Any) -> Any:
    """Put a classifier that takes gaps and any scale behind what makes numbers of any table.

    Examples
    --------
    >>> import pandas as pd
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X = pd.DataFrame({"colour": ["red", "blue", "red", None], "size": [1.0, 2.0, None, 9.0]})
    >>> for_trees(DecisionTreeClassifier()).fit(X, [0, 1, 0, 1]).predict(X).tolist()
    [0, 1, 0, 1]
    """
    return _behind_numbers(classifier)


def _behind_numbers(*steps: Any) -> Any:
    from sklearn.pipeline import make_pipeline

    from polychotomy.study.fitting.table_numbers import TableNumbers

    return make_pipeline(TableNumbers(), *steps)


# The default comes first, which stays where others are no better.
_GRIDS: dict[str, dict[str, list[Any]]] = {
    "logistic": {"C": [1.0, 0.01, 0.1, 10.0, 100.0]},
    "SVM pairwise": {"estimator__C": [1.0, 0.1, 10.0, 100.0]},
    "SVM orthogonal": {"estimator__C": [1.0, 0.1, 10.0, 100.0]},
    "random forest": {"max_features": ["sqrt", 0.5], "min_samples_leaf": [1, 3]},
    "extra trees": {"max_features": ["sqrt", 0.5], "min_samples_leaf": [1, 3]},
    "boosted trees": {"learning_rate": [0.1, 0.03, 0.3], "max_leaf_nodes": [31, 7]},
}


def with_tuning(candidates: Mapping[str, Any]) -> dict[str, Any]:
    """Return built-in candidates, those that have settings worth a search with one.

    The others have none, or choose them already. Only the last step is searched: what comes before
    it looks at no label.

    Examples
    --------
    >>> with_tuning(choose(["logistic"]))["logistic"][-1].param_grid
    {'C': [1.0, 0.01, 0.1, 10.0, 100.0]}
    """
    from sklearn.pipeline import Pipeline

    from polychotomy.learners import tuned

    found = dict(candidates)
    for name in _GRIDS.keys() & found.keys():
        *before, (step, last) = found[name].steps
        found[name] = Pipeline([*before, (step, tuned(last, _GRIDS[name], halving=True))])
    return found


def choose(names: list[str]) -> dict[str, Any]:
    """Return built-in candidates by name, in the order given, which is the order of preference.

    Examples
    --------
    >>> list(choose(["1-NN", "MAX"]))
    ['1-NN', 'MAX']
    """
    known = _makers()
    for name in names:
        if name not in known:
            hint = did_you_mean(name, known, cutoff=0.4)
            raise InvalidInput(
                f"there is no built-in candidate {name!r}.{hint} There are: {', '.join(known)}."
            )
    if len(set(names)) < len(names):
        raise InvalidInput(f"candidates {', '.join(names)}: expected each name once.")
    return {name: known[name]() for name in names}


def check_candidates(candidates: Any) -> dict[str, Any]:
    """Return candidates as a dict, ready for labels of any kind, or say what is wrong with them.

    Examples
    --------
    >>> from sklearn.dummy import DummyClassifier
    >>> list(check_candidates({"MAX": DummyClassifier()}))
    ['MAX']
    """
    if not isinstance(candidates, Mapping) or not candidates:
        expected = "{name: classifier} with at least one, in order of preference"
        raise unexpected("candidates", candidates, expected)
    for name, candidate in candidates.items():
        check_name(name, "candidate")
        _check_candidate(name, candidate)
    return {name: with_numbered_labels(one) for name, one in candidates.items()}


def check_name(name: Any, kind: str) -> None:
    """Refuse names that are no text, could be a path upwards, or hide something.

    Examples
    --------
    >>> check_name("1-NN", "candidate")
    """
    text = name if isinstance(name, str) else ""
    if not text.strip() or not text.isprintable() or ".." in re.split(r"[\\/]", text):
        raise InvalidInput(
            f"a {kind} is named {name!r}; expected text that is not empty, without control "
            "characters and without '..' as a part of a path."
        )


def _check_candidate(name: str, candidate: Any) -> None:
    methods = all(will_have(candidate, one) for one in ("fit", "predict", "get_params"))
    kind = _kind(candidate)
    if isinstance(candidate, type) or not methods or kind not in (None, "classifier"):
        found = shown(innermost(candidate)) + (f", a {kind}" if kind else "")
        raise InvalidInput(
            f"the candidate {name!r} is {found}; expected a classifier, an object with fit, "
            "predict and get_params: KNeighborsClassifier() for example."
        )


def _kind(candidate: Any) -> str | None:
    """Return what an estimator says it is: a classifier, a regressor …; None if it does not."""
    from sklearn.utils import get_tags

    try:
        kind: str | None = get_tags(candidate).estimator_type
    except Exception:  # a class of the user's own may say nothing, or raise anything
        return None
    return kind.replace("_", " ") if kind else None
