"""What only decorates a verdict, such as the size of a model, is left out where it cannot be had.

It never fails a fit, and never takes a candidate from the comparison.
"""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from polychotomy import for_tables, judge

X, y = load_iris(return_X_y=True, as_frame=True)
X, y = X.iloc[::2], y.iloc[::2]


class Unpicklable(GaussianNB):
    """Cannot be pickled once it is fitted, and so has no size."""

    def __getstate__(self):
        if hasattr(self, "classes_"):
            raise RuntimeError("a fitted model of mine stays where it is")
        return super().__getstate__()


class Unprintable(GaussianNB):
    """Cannot be written down, as a record of the run would."""

    def __repr__(self):
        raise RuntimeError("no words for it")


class Talkative(GaussianNB):
    """Warns and prints on every occasion."""

    def fit(self, X, y):
        print("fitting")
        np.log(np.array([-1.0]))  # a RuntimeWarning of the learner's own
        return super().fit(X, y)


KINDS = {"usual": GaussianNB, "size": Unpicklable, "record": Unprintable, "print": Talkative}
WAYS = {
    "bare": lambda classifier: classifier,
    "pipeline": lambda classifier: make_pipeline(StandardScaler(), classifier),
    "for_tables": lambda classifier: for_tables(make_pipeline(StandardScaler(), classifier)),
}


@pytest.mark.parametrize(
    "way", [pytest.param("bare", marks=pytest.mark.long), "pipeline", "for_tables"]
)
def test_what_only_decorates_fails_nothing(way, tmp_path):
    tried = {name: WAYS[way](kind()) for name, kind in KINDS.items()}
    verdict = judge(tried, X, y, plan="1x5", anatomy=False)
    verdict.to_html(tmp_path / "page.html")
    assert not verdict.failures
    found = {one["name"]: one for one in verdict.to_dict()["candidates"]}
    assert {one["error"] for one in found.values()} == {found["usual"]["error"]}
    assert [name for name, one in found.items() if one["model_bytes"] is None] == ["size"]


def test_who_has_no_size_is_last_in_an_order_by_size():
    tried = {"size": Unpicklable(), "usual": GaussianNB()}
    verdict = judge(tried, X, y, plan="1x5", anatomy=False, prefer="memory")
    assert not verdict.failures
    assert verdict.to_dict()["ordering"]["names"] == ["usual", "size"]
