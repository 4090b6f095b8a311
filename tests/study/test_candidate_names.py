"""Names are free text, but no paths upwards and nothing hidden."""

import pytest
from sklearn.dummy import DummyClassifier

from polychotomy.exceptions import InvalidInput
from polychotomy.study.candidate_names import check_candidates, check_name


@pytest.mark.parametrize("name", ["1-NN", "a/b", "naïve Bayes, σ = 1", "..x", "a..b", "=cmd"])
def test_free_text(name):
    check_name(name, "candidate")


@pytest.mark.parametrize(
    "name", ["", "  ", "../x", "a/../b", "..\\x", "..", "a\x00b", "a\x1b[2J", 3, None]
)
def test_refused(name):
    with pytest.raises(InvalidInput, match="a data set is named"):
        check_name(name, "data set")


def test_order_is_kept_and_the_users_dict_left_alone():
    given = {"b": DummyClassifier(), "a": DummyClassifier()}
    checked = check_candidates(given)
    assert list(checked) == ["b", "a"]
    assert checked is not given
