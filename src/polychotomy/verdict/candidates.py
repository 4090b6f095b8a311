"""The built-in candidates: YA06's five learners, each a pipeline that takes a table as it comes."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any

from polychotomy.exceptions import InvalidInput


def ladder() -> dict[str, Any]:
    """Return the built-in candidates in order of preference, simplest first.

    They are the learners of [YA06]_: the class prior (MAX), nearest mean, linear logistic
    regression, a pruned tree and the nearest neighbour. Each is a pipeline of its own: skrub's
    ``TableVectorizer`` turns columns of any kind into numbers, gaps are filled by the median,
    inputs are scaled. All of it is fitted on training folds only, so nothing leaks.

    Examples
    --------
    >>> list(ladder())
    ['MAX', 'nearest mean', 'logistic', 'pruned tree', '1-NN']
    """
    from sklearn.dummy import DummyClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.neighbors import KNeighborsClassifier

    from polychotomy.learners import NearestMeanClassifier, PrunedTreeClassifier

    return {
        "MAX": DummyClassifier(strategy="prior"),
        "nearest mean": for_tables(NearestMeanClassifier()),
        "logistic": for_tables(LogisticRegression(max_iter=1000)),
        "pruned tree": for_tables(PrunedTreeClassifier()),
        "1-NN": for_tables(KNeighborsClassifier(n_neighbors=1)),
    }


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
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from skrub import TableVectorizer

    return make_pipeline(
        TableVectorizer(), SimpleImputer(strategy="median"), StandardScaler(), classifier
    )


def choose(names: list[str]) -> dict[str, Any]:
    """Return built-in candidates by name, in the order given, which is the order of preference.

    Examples
    --------
    >>> list(choose(["1-NN", "MAX"]))
    ['1-NN', 'MAX']
    """
    known = ladder()
    for name in names:
        if name not in known:
            near = get_close_matches(name, known, n=1, cutoff=0.4)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise InvalidInput(
                f"there is no built-in candidate {name!r}.{hint} There are: {', '.join(known)}."
            )
    if len(set(names)) < len(names):
        raise InvalidInput(f"candidates {', '.join(names)}: expected each name once.")
    return {name: known[name] for name in names}
