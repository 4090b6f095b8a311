"""What a code is worth before anything is fitted: distances, orthogonality, wasted rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from polychotomy.codes.code import check_code, connected, two_sided
from polychotomy.core.arrays import Code, Floats, Ints
from polychotomy.core.result import Axes, DataFrame, Result, new_axes


class CodeQuality(Result):
    """What can be said of a code alone; made by ``code_quality``.

    Parameters
    ----------
    code : (l, k) int8
    column_distances : (k, k)
        Hamming distances between classes' codes, a 0 on either side counting ½; more is better.
    gram : (k, k) ints
        AᵀA, the inner products of the columns.
    duplicate_rows : tuple of tuples of ints
        Groups of equal rows.
    complementary_rows : tuple of pairs of ints
        Rows that are each other's reverse; of equal rows the first.
    untrainable_rows : tuple of ints
        Rows without a + or without a − side.
    connected : bool
        Whether the trainable rows compare all classes, directly or through others.

    Examples
    --------
    >>> from polychotomy.codes import code_quality
    >>> from polychotomy.codes import one_vs_rest
    >>> code_quality(one_vs_rest(4)).column_distances[0]
    array([0., 2., 2., 2.])
    """

    code: Code
    column_distances: Floats
    gram: Ints
    duplicate_rows: tuple[tuple[int, ...], ...]
    complementary_rows: tuple[tuple[int, int], ...]
    untrainable_rows: tuple[int, ...]
    connected: bool

    @property
    def minimum_distance(self) -> float:
        """Smallest distance between two columns: (it − 1)/2 wrong dichotomies can be corrected."""
        others = self.column_distances + np.diag(np.full(self.code.shape[1], np.inf))
        return float(others.min())

    @property
    def orthogonal(self) -> bool:
        """Whether the columns are orthogonal: AᵀA is diagonal (M24 eq. 10)."""
        return bool((self.gram == np.diag(np.diagonal(self.gram))).all())

    def to_frame(self) -> DataFrame:
        """Return one line for each dichotomy: the sizes of its sides."""
        return self._frame(
            dichotomy=np.arange(len(self.code)),
            plus=(self.code > 0).sum(axis=1),
            minus=(self.code < 0).sum(axis=1),
            absent=(self.code == 0).sum(axis=1),
            trainable=two_sided(self.code),
        )

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the code: dichotomies downwards, classes across; + dark, − light, 0 blank."""
        return draw_code(self.code, ax)

    def __str__(self) -> str:
        rows, k = self.code.shape
        least = f"columns {self.minimum_distance:g} or more apart"
        kind = ", orthogonal" if self.orthogonal else ""
        split = "" if self.connected else "; not all classes are compared"
        repeated = sum(len(group) - 1 for group in self.duplicate_rows)
        reverses, one_sided = len(self.complementary_rows), len(self.untrainable_rows)
        waste = f"{repeated} repeated, {reverses} reversed, {one_sided} untrainable rows"
        waste = waste if repeated + reverses + one_sided else "no row is wasted"
        return f"{rows} dichotomies for {k} classes; {least}{kind}; {waste}{split}."


def code_quality(code: ArrayLike) -> CodeQuality:
    """Return distances, orthogonality and wasted rows of a code.

    Parameters
    ----------
    code : array_like, (l, k)
        Coding matrix with entries −1, 0, +1.

    Returns
    -------
    CodeQuality

    Examples
    --------
    >>> from polychotomy.codes import code_quality
    >>> from polychotomy.codes.orthogonal import orthogonal
    >>> print(code_quality(orthogonal(5)))
    8 dichotomies for 5 classes; columns 4 or more apart, orthogonal; no row is wasted.
    """
    code = check_code(code)
    groups: dict[bytes, list[int]] = {}
    for i, row in enumerate(code):
        groups.setdefault(row.tobytes(), []).append(i)
    reverses = [(same[0], groups.get((-code[same[0]]).tobytes())) for same in groups.values()]
    sided = two_sided(code)
    gram = code.T.astype(np.float64) @ code
    distances = (len(code) - gram) / 2  # an entry of a pair: equal 0, opposite 1, with a zero ½
    np.fill_diagonal(distances, 0.0)
    return CodeQuality(
        code=code,
        column_distances=distances,
        gram=np.rint(gram).astype(np.intp),
        duplicate_rows=tuple(tuple(same) for same in groups.values() if len(same) > 1),
        complementary_rows=tuple((i, rows[0]) for i, rows in reverses if rows and i < rows[0]),
        untrainable_rows=tuple(np.flatnonzero(~sided).tolist()),
        connected=bool(sided.any()) and connected(code[sided]),
    )


def draw_code(code: Code, ax: Axes | None = None) -> Axes:
    """Draw a code as a picture: dichotomies downwards, classes across.

    Examples
    --------
    >>> from polychotomy.codes import one_vs_one
    >>> draw_code(one_vs_one(4)).get_xlabel()
    'class'
    """
    from matplotlib.colors import ListedColormap
    from matplotlib.ticker import MaxNLocator

    code = check_code(code)
    rows, k = code.shape
    ax = new_axes(ax, width=max(3.4, 1.2 + 0.3 * min(k, 40)), height=1.0 + 0.25 * min(rows, 60))
    colours = ListedColormap(["#f2a65a", "#ffffff", "#3b5b92"])
    ax.imshow(code, cmap=colours, vmin=-1, vmax=1, aspect="auto", interpolation="nearest")
    ax.set(xlabel="class", ylabel="dichotomy")
    ax.set_title("+ blue, − orange, absent white", fontsize="medium")
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.yaxis.set_major_locator(MaxNLocator(integer=True))
    return ax
