"""What a code is worth."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from polychotomy.codes import code_quality, one_vs_one, one_vs_rest, random_sparse
from polychotomy.codes.orthogonal import orthogonal
from polychotomy.core.exceptions import InvalidCode


def hamming(a, b):
    """Half a difference for every zero, as Allwein et al. define it, counted entry by entry."""
    return sum(0.5 if x * y == 0 else float(x != y) for x, y in zip(a, b, strict=True))


def test_distances_are_hamming_distances():
    code = random_sparse(6, random_state=0)
    quality = code_quality(code)
    for i in range(6):
        for j in range(6):
            expected = 0 if i == j else hamming(code[:, i], code[:, j])
            assert quality.column_distances[i, j] == expected
    off = quality.column_distances[~np.eye(6, dtype=bool)]
    assert quality.minimum_distance == off.min()


def test_a_code_by_hand():
    code = [[1, -1, 0], [1, -1, 0], [-1, 1, 0], [0, 1, 1], [0, 1, -1]]
    quality = code_quality(code)
    assert quality.duplicate_rows == ((0, 1),)
    assert quality.complementary_rows == ((0, 2),)
    assert quality.untrainable_rows == (3,)
    assert quality.connected
    assert not quality.orthogonal
    assert_array_equal(quality.gram, np.array(code).T @ np.array(code))
    assert "1 repeated, 1 reversed, 1 untrainable rows" in str(quality)


def test_orthogonality_is_seen():
    assert code_quality(orthogonal(7)).orthogonal
    assert not code_quality(one_vs_rest(5)).orthogonal
    assert "orthogonal" in str(code_quality(orthogonal(7)))
    assert code_quality(orthogonal(3)).untrainable_rows != ()


def test_disconnected_classes_are_told():
    quality = code_quality([[1, -1, 0, 0], [0, 0, 1, -1]])
    assert not quality.connected
    assert "not all classes are compared" in str(quality)


def test_it_is_a_result():
    quality = code_quality(one_vs_one(4))
    frame = quality.to_frame()
    assert isinstance(frame, pd.DataFrame)
    assert frame["plus"].tolist() == [1] * 6
    assert frame["absent"].tolist() == [2] * 6
    assert quality.plot().images[0].get_array().shape == (6, 4)
    assert "<table" in quality._repr_html_()
    with pytest.raises(ValueError, match="read-only"):
        quality.gram[0, 0] = 7
    with pytest.raises(AttributeError):
        quality.connected = False


def test_bad_codes_are_refused():
    with pytest.raises(InvalidCode, match="equal"):
        code_quality([[1, 1], [-1, -1]])


def test_the_title_stays_on_the_figure_of_a_small_code():
    ax = code_quality(one_vs_one(3)).plot()
    ax.figure.canvas.draw()
    title = ax.title.get_window_extent()
    assert title.x0 >= 0
    assert title.x1 <= ax.figure.bbox.x1
