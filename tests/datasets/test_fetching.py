"""Fetching, from a web server on this machine with recorded files."""

import gzip
import hashlib
import io
import json
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from lzw import compress
from published_files import serving
from sklearn.datasets import load_iris

from polychotomy.datasets import downloading, fetch_dataset, load
from polychotomy.datasets.catalogue import Recipe, _entries, find_recipe
from polychotomy.datasets.raw_tables import make_table
from polychotomy.exceptions import InvalidInput, InvalidTable

IRIS = (Path(__file__).parent / "recorded" / "iris.data").read_bytes()


@pytest.fixture
def site(monkeypatch):
    monkeypatch.setattr("polychotomy.datasets.downloading.time.sleep", lambda seconds: None)
    with serving() as found:
        found.files["/iris/iris.data"] = IRIS
        yield found


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


def test_load_fetches_into_scikit_learns_data_folder(site, tmp_path, monkeypatch):
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path))
    monkeypatch.setitem(downloading.SERVERS, "uci", site.address)
    assert len(load("iris").y) == 150
    assert (tmp_path / "polychotomy" / "iris.csv.gz").is_file()
    assert load("iris", tmp_path / "polychotomy").X.shape == (150, 4)


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
    with pytest.raises(InvalidTable, match=r"Is there a connection .* pass a folder that holds"):
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


def test_only_the_web(tmp_path):
    with pytest.raises(InvalidTable, match="no web address"):
        fetch_dataset("iris", folder=tmp_path, servers={"uci": "file:///etc/"})


def test_unknown_sets():
    with pytest.raises(InvalidInput, match=r"'vehicles' to fetch\. Did you mean 'vehicle'\?"):
        fetch_dataset("vehicles")


def zipped(name, data):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(name, data)
    return file.getvalue()


@pytest.mark.parametrize(
    ("source", "data"),
    [
        ("uci:a.data", b"1,x\n2,y\n"),
        ("uci:a.gz", gzip.compress(b"1,x\n2,y\n")),
        ("uci:a.Z", compress(b"1,x\n2,y\n")),
        ("uci:an%20archive.zip#in/side.txt", zipped("in/side.txt", b"1,x\n2,y\n")),
    ],
)
def test_every_way_of_packing(site, source, data):
    site.files["/" + source.partition(":")[2].partition("#")[0].replace("%20", " ")] = data
    assert downloading.read_source(source, servers={"uci": site.address}) == "1,x\n2,y\n"


@pytest.mark.parametrize(
    ("source", "data", "message"),
    [
        ("uci:a.gz", b"no gzip", "the .gz file is broken"),
        ("uci:a.zip#b", zipped("c", b""), "does not hold 'b'"),
        ("uci:a.zip#b", b"no zip", "does not hold 'b'"),
    ],
)
def test_broken_archives(site, source, data, message):
    site.files["/" + source.partition(":")[2].partition("#")[0]] = data
    with pytest.raises(InvalidTable, match=message):
        downloading.read_source(source, servers={"uci": site.address})


def test_too_large(site, monkeypatch):
    monkeypatch.setattr("polychotomy.datasets.downloading._LIMIT", 100)
    site.files["/a"] = b"x" * 101
    site.files["/a.gz"] = gzip.compress(b"x" * 101)
    for name in ("a", "a.gz"):
        with pytest.raises(InvalidTable, match="holds more than 100 bytes"):
            downloading.read_source(f"uci:{name}", servers={"uci": site.address})


def describe(site, data, **changes):
    entry = {"url": site.address + "file.arff", "md5_checksum": hashlib.md5(data).hexdigest()}
    site.files["/file.arff"] = data
    return json.dumps({"data_set_description": entry | changes}).encode()


def test_openml_by_its_description_and_checksum(site):
    data = b"% note\n@relation r\n@attribute a numeric\n@DATA\n% c\n1,x\n"
    servers = {"openml": site.address + "data/"}
    site.files["/data/37"] = describe(site, data)
    assert downloading.read_source("openml:37", servers=servers).encode() == data
    site.files["/data/37"] = describe(site, data, md5_checksum="00")
    with pytest.raises(InvalidTable, match=r"has the checksum .* OpenML says 00"):
        downloading.read_source("openml:37", servers=servers)
    site.files["/data/37"] = b"{}"
    with pytest.raises(InvalidTable, match="no description of a data set"):
        downloading.read_source("openml:37", servers=servers)


def recipe(**changes):
    plain = {
        "name": "pets", "files": ("uci:pets",), "columns": ("-", "legs", "fur", "class"),
        "kinds": {"legs": "numeric", "fur": "nominal"}, "counts": (2, 1), "missing": 0,
    }  # fmt: skip
    return Recipe(**(plain | changes))


def rows(recipe, *texts):
    return make_table(recipe, list(texts)).fillna("").to_numpy().tolist()


def test_headings_arff_and_records_over_two_lines():
    plain = [["4", "yes", "dog"], ["4", "no", "dog"], ["2", "no", "bird"]]
    heading = ";;; a heading\n\nLEGS,FUR\n\n"
    body = "7, 4.0 ,yes,dog\n8,4,\nno,dog\n\n9,02,no,bird"
    assert rows(recipe(), heading + body) == plain
    assert rows(recipe(), "@relation x\n@Data\n" + body) == plain
    assert rows(recipe(), *body.split("\n\n")) == plain
    assert rows(recipe(separator=" "), body.replace(",\n", " ").replace(",", " ")) == plain


def test_classes_made_of_others():
    body = "7,4,Yes,1\n8,4,?,2\n9,.28,no,3\n"
    made = recipe(positive=("1", "2"), missing=1)
    assert rows(made, body) == [["4", "Yes", "1"], ["4", "", "1"], ["0.28", "no", "0"]]
    made = recipe(positive=("1",), leave_out=("3",), counts=(1, 1), missing=1, lower=True)
    assert rows(made, body) == [["4", "yes", "1"], ["4", "", "0"]]
    assert [row[2] for row in rows(recipe(above=1.5, missing=1), body)] == ["0", "1", "1"]
    assert len(rows(recipe(head=2, counts=(1, 1), missing=1), body)) == 2


def test_changed_layouts():
    with pytest.raises(InvalidTable, match=r"has 5 fields: '1,2,3,4,5'; expected 4"):
        make_table(recipe(), ["7,4,yes,dog\n1,2,3,4,5\n"])
    with pytest.raises(InvalidTable, match="holds 'many'; expected a number"):
        make_table(recipe(), ["7,many,yes,dog\n"])
    with pytest.raises(InvalidTable, match=r"classes of \[1\] rows and 1 missing"):
        make_table(recipe(), ["7,?,yes,dog\n"])


def test_the_catalogue_is_whole():
    assert len(_entries()) == 52
    for name in _entries():
        found = find_recipe(name)
        assert found.columns.count("class") == 1
        assert set(found.kinds) == set(found.columns) - {"class", "-"}
        assert list(found.counts) == sorted(found.counts, reverse=True)
        assert all(source.split(":")[0] in downloading.SERVERS for source in found.files)
    assert all(address.startswith("https://") for address in downloading.SERVERS.values())
