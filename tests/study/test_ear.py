"""An ear: every fit's own warnings, whatever another fit has done to them."""

import warnings

import pytest

from polychotomy.study.fitting.fit import Ear


def hear(ear, act):
    ear.listen()
    act()
    return [str(one.message) for one in ear.heard]


def warn():
    warnings.warn("loud", stacklevel=1)


def warn_once():
    with warnings.catch_warnings():
        warnings.simplefilter("once")
        warn()
        warn()


@pytest.mark.parametrize(
    "disturb",
    [
        lambda: warnings.simplefilter("ignore"),
        lambda: warnings.simplefilter("error"),
        lambda: warnings.filterwarnings("ignore", message="loud"),
        warnings.resetwarnings,
        lambda: setattr(warnings, "showwarning", lambda *words, **more: None),
        lambda: setattr(warnings, "filters", []),
        warn_once,
    ],
)
def test_no_fit_hears_or_is_silenced_by_another(disturb):
    before, show = list(warnings.filters), warnings.showwarning
    with Ear() as ear:
        assert hear(ear, warn) == ["loud"]
        hear(ear, disturb)
        assert hear(ear, warn) == ["loud"]
        assert hear(ear, warn) == ["loud"]
        assert hear(ear, lambda: None) == []
    assert warnings.filters == before
    assert warnings.showwarning is show


def test_nothing_is_heard_twice_and_all_of_a_fit_is_heard():
    with Ear() as ear:
        assert hear(ear, lambda: (warn(), warn())) == ["loud", "loud"]
