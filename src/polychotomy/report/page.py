"""A verdict as one self-contained HTML page. Nothing is computed here."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from polychotomy.combination import CombinationAdvice
from polychotomy.comparison import Ordering
from polychotomy.report.svg import draw_svg
from polychotomy.validation import Trust

if TYPE_CHECKING:
    import pandas as pd


class VerdictLike(Protocol):
    """What the page reads of a verdict."""

    @property
    def best(self) -> str: ...
    @property
    def ordering(self) -> Ordering: ...
    @property
    def trust(self) -> Trust: ...
    @property
    def combination(self) -> CombinationAdvice | None: ...
    @property
    def candidates(self) -> Sequence[Any]: ...
    @property
    def failures(self) -> Sequence[Any]: ...
    @property
    def frequencies(self) -> Sequence[Any]: ...
    @property
    def dataset(self) -> dict[str, Any]: ...
    @property
    def plan(self) -> dict[str, Any]: ...
    @property
    def guesses(self) -> bool: ...
    @property
    def yardsticks(self) -> Sequence[str]: ...
    @property
    def provenance(self) -> dict[str, Any]: ...
    @property
    def notes(self) -> Sequence[str]: ...
    def sentences(self) -> tuple[str, ...]: ...
    def to_frame(self) -> pd.DataFrame: ...


def render_page(verdict: VerdictLike) -> str:
    """Return the page of a verdict: the same bytes for the same ledger.

    Everything that comes from the data is escaped, and the page's policy forbids scripts and
    anything from outside, so nothing in it can run.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from polychotomy import judge
    >>> X, y = load_iris(return_X_y=True)
    >>> verdict = judge({"MAX": DummyClassifier(), "<b>bayes": GaussianNB()}, X, y)
    >>> page = render_page(verdict)
    >>> "&lt;b&gt;bayes" in page, "<b>bayes" in page
    (True, False)
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("polychotomy.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "percent": _percent,
        "points": _points,
        "pvalue": _pvalue,
        "seconds": _seconds,
    }
    ordering = verdict.ordering
    return environment.get_template("verdict.html").render(
        verdict=verdict,
        title=f"{verdict.sentences()[0].rstrip('.')}: {verdict.dataset['name']}",
        margin=getattr(ordering, "margin", None),
        rows=verdict.to_frame().to_dict("records"),
        overridden={
            name: [ordering.names[j] for j in np.flatnonzero(ordering.edges[i])]
            for i, name in enumerate(ordering.names)
        },
        pairs=ordering.to_frame().to_dict("records"),
        figure=draw_svg(
            ordering.plot, width=7.2, height=1.2 + 0.45 * len(ordering.names), name="ordering"
        ),
        trace=draw_svg(verdict.trust.plot, width=7.2, height=3.4, name="trace"),
        reliability=draw_svg(
            verdict.trust.reliability.plot, width=7.2, height=4.2, name="reliability"
        ),
        recalibration=verdict.trust.recalibration.to_frame().to_dict("records"),
        combining=_combining(verdict.combination),
        provenance=json.dumps(verdict.provenance, indent=2, ensure_ascii=False),
    )


def _combining(advice: CombinationAdvice | None) -> dict[str, Any]:
    """Figure and table of the section on combining; empty where it was not asked."""
    if advice is None:
        return {}
    frame = advice.to_frame()
    return {
        "figure": draw_svg(advice.plot, width=7.2, height=0.8 + 0.4 * len(frame), name="combining"),
        "rows": frame.to_dict("records"),
    }


def _percent(share: float) -> str:
    return "–" if np.isnan(share) else f"{100 * share:.1f} %"


def _points(difference: float) -> str:
    return f"{100 * difference:+.1f}".replace("-", "−")


def _seconds(seconds: float) -> str:
    return f"{1000 * seconds:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"


def _pvalue(p: float) -> str:
    return "< 0.0001" if p < 0.0001 else f"{p:.2g}"
