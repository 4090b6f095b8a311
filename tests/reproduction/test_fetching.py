"""Fetching, from a web server on this machine with recorded files."""

import numpy as np
import pandas as pd
import pytest
from published_files import IRIS
from sklearn.datasets import load_iris

from polychotomy.core.exceptions import InvalidTable
from polychotomy.reproduction.data.fetching import fetch_dataset


def fetch_iris(site, folder):
    return fetch_dataset("iris", folder=folder, servers={"uci": site.address})


def test_a_recorded_set_is_fetched_once_and_kept(site, tmp_path):
    iris = fetch_iris(site, tmp_path / "new")
    expected = load_iris()
    assert (iris.X.to_numpy() != expected.data).any(axis=1).nonzero()[0].tolist() == [34, 37]
    assert (np.unique(iris.y, return_inverse=True)[1] == expected.target).all()
    assert dict(iris.kinds) == dict.fromkeys(iris.X.columns, "numeric")
    again = fetch_iris(site, tmp_path / "new")
    pd.testing.assert_frame_equal(again.X, iris.X)
    assert site.asked == ["/iris/iris.data"]
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["iris.csv.gz"]


def test_a_server_that_is_busy_is_asked_again(site, tmp_path):
    site.failures = [503, 429]
    assert len(fetch_iris(site, tmp_path).y) == 150
    assert len(site.asked) == 3


def test_a_server_that_stays_busy(site, tmp_path):
    site.failures = [503, 503, 503]
    with pytest.raises(InvalidTable, match="cannot be fetched after 3 tries: Service Unavailable"):
        fetch_iris(site, tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_what_is_not_there_is_not_asked_for_again(site, tmp_path):
    site.files.clear()
    with pytest.raises(InvalidTable, match=r"/iris/iris\.data answered 404"):
        fetch_iris(site, tmp_path)
    assert len(site.asked) == 1


def test_without_a_connection(tmp_path, site):
    servers = {"uci": "http://127.0.0.1:9/"}  # where nobody listens
    with pytest.raises(InvalidTable, match=r"Is there a connection .* pass a folder of"):
        fetch_dataset("iris", folder=tmp_path, servers=servers)


def test_an_answer_that_breaks_off_is_not_kept(site, tmp_path):
    site.cut = 1000
    with pytest.raises(InvalidTable, match="cannot be fetched after 3 tries"):
        fetch_iris(site, tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_a_source_that_has_changed_is_refused_and_not_kept(site, tmp_path):
    site.files["/iris/iris.data"] = IRIS.replace(b"Iris-setosa", b"Iris-virginica", 1)
    with pytest.raises(InvalidTable, match=r"classes of \[51, 50, 49\] .* expected \[50, 50, 50\]"):
        fetch_iris(site, tmp_path)
    assert list(tmp_path.iterdir()) == []
