"""Programs find in the JSON what people read at the top of the page, by its kind."""

import json

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

from polychotomy.app import Request, judge_request


def plants(seed, n=300):
    """A table of two classes, of which one column tells something."""
    rng = np.random.default_rng(seed)
    kinds = rng.integers(2, size=n)
    numbers = {"height": rng.normal(size=n) + kinds, "width": rng.normal(size=n)}
    return pd.DataFrame(numbers).round(3).assign(kind=np.array(["herb", "tree"])[kinds])


def leak(frame):
    return frame.assign(ward=frame["kind"].map({"herb": "north", "tree": "south"}))


def identifier(frame):
    return frame.assign(ticket=[f"A-{i:04}" for i in range(len(frame))])


def copies(frame):
    return pd.concat([frame, frame[:60]], ignore_index=True)


def groups(frame):
    visits = pd.concat([frame] * 3, ignore_index=True)
    visits["height"] += norm.rvs(size=len(visits), random_state=0).round(3)
    return visits.assign(patient=[f"P{i % len(frame):03}" for i in range(len(visits))])


def rare(frame):
    frame = frame[frame["kind"] == "herb"].reset_index(drop=True)
    more = pd.concat([frame] * 8, ignore_index=True)
    return more.assign(
        height=norm.rvs(size=len(more), random_state=0),
        kind=["tree" if i < 8 else "herb" for i in range(len(more))],
    )


def as_read(frame):
    return frame


def wrote(frame, path, *, sep=",", decimal="."):
    frame.to_csv(path, index=False, sep=sep, decimal=decimal)
    return path


def asked(table, page):
    quick = {"candidates": "MAX,nearest mean", "anatomy": False, "jobs": 1, "plan": "1x5"}
    return judge_request(Request(table=table, target="kind", output=page, **quick)).verdict


@pytest.mark.parametrize(
    ("change", "kind", "written"),
    [
        (leak, "leak", {}),
        (identifier, "id", {}),
        (groups, "groups", {}),
        (copies, "copies", {}),
        (rare, "rare", {}),
        (as_read, "reading", {"sep": ";", "decimal": ","}),
    ],
)
def test_each_kind_is_named(tmp_path, change, kind, written):
    table = wrote(change(plants(0)), tmp_path / "plants.csv", **written)
    verdict = asked(table, tmp_path / "page.html")
    document = verdict.to_dict()
    assert next(iter(document)) == "warnings"
    (warning,) = document["warnings"]
    assert warning["kind"] == kind
    page = verdict.to_html()
    assert page.index("Warning") < page.index("<h1")
    (said,) = [one for one in verdict.sentences() if one.section == "warning"]
    assert f"{warning['text']}." in said.basis
    assert len(said.text) < 180
    assert json.loads(json.dumps(document, allow_nan=False)) == document


def test_a_guess_of_how_to_read_is_no_caveat(tmp_path):
    plain = asked(wrote(plants(1), tmp_path / "a.csv"), tmp_path / "a.html")
    other = asked(wrote(plants(1), tmp_path / "b.csv", sep=";", decimal=","), tmp_path / "b.html")
    assert [one.text for one in plain.top()] == [one.text for one in other.top()]
    assert plain.to_dict()["warnings"] == []


def test_those_of_several_tables_stand_first_too(tmp_path):
    folder = tmp_path / "tables"
    folder.mkdir()
    wrote(leak(plants(0)), folder / "a.csv")
    wrote(plants(1), folder / "b.csv")
    wrote(copies(plants(2)), folder / "c.csv")
    many = asked(folder, tmp_path / "page.html")
    document = many.to_dict()
    assert next(iter(document)) == "warnings"
    assert [(one["table"], one["kind"]) for one in document["warnings"]] == [
        ("a", "leak"),
        ("c", "copies"),
    ]
    page, said = many.to_html(), [one.text for one in many.sentences()]
    for one in document["warnings"]:
        assert any(text.startswith(f"Warning, of {one['table']}: ") for text in said)
        assert page.index(f"of {one['table']}") < page.index("<h1")
    assert document["spent"]["fits"] == sum(one.timings.n_fits for one in many.verdicts)
