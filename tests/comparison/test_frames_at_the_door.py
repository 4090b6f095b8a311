"""A data frame does not say whether learners are columns or rows: it must not be guessed."""

from functools import partial

import numpy as np
import pandas as pd
import pytest

from polychotomy.comparison import (
    anova_test,
    compare_pairs,
    compare_to_control,
    friedman_test,
    kruskal_wallis_test,
    multinomial_selection,
    nemenyi_test,
    select_anova,
)
from polychotomy.comparison.multitest import multitest
from polychotomy.comparison.newman_keuls import newman_keuls
from polychotomy.core.exceptions import InvalidInput

RNG = np.random.default_rng(0)
FRAME = pd.DataFrame(RNG.random((25, 3)), columns=["tree", "linear", "forest"])


@pytest.mark.parametrize(
    "function",
    [
        multitest,
        partial(compare_pairs, margin=0.01),
        select_anova,
        anova_test,
        kruskal_wallis_test,
        newman_keuls,
    ],
)
def test_learners_first_refuses_a_frame(function):
    with pytest.raises(InvalidInput, match=r"\['tree', .*'forest'\].*frame\.to_numpy\(\)\.T"):
        function(FRAME)


def test_frames_of_other_libraries_and_empty_ones_are_refused_in_the_same_words():
    polars = pytest.importorskip("polars")
    for frame in (polars.DataFrame({"tree": [0.1], "forest": [0.2]}), pd.DataFrame()):
        with pytest.raises(InvalidInput, match="does not say whether learners are rows"):
            multitest(frame)


def test_the_advice_works():
    found = multitest(FRAME.to_numpy().T, names=list(FRAME.columns), test="paired-t")
    assert found.names == ("tree", "linear", "forest")


def test_data_sets_first_takes_the_names_of_columns():
    assert nemenyi_test(FRAME).names == ("tree", "linear", "forest")
    assert nemenyi_test(FRAME, names=list("abc")).names == ("a", "b", "c")
    assert friedman_test(FRAME).to_frame()["learner"].tolist() == ["tree", "linear", "forest"]
    assert compare_to_control(FRAME, control="linear").control == 1
    assert multinomial_selection(FRAME).names == ("tree", "linear", "forest")
    assert friedman_test(FRAME.to_numpy()).names == ("learner 0", "learner 1", "learner 2")
