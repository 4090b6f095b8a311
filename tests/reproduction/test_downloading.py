"""Files over the net: every way of packing, and what is refused."""

import gzip
import hashlib
import io
import json
import zipfile

import pytest
from lzw import compress

from polychotomy.core.exceptions import InvalidTable
from polychotomy.reproduction.data import downloading
from polychotomy.reproduction.data.fetching import fetch_dataset


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
    ids=["plain", "gzip", "compress", "zip"],  # the bytes hold the time of day
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
    ids=["no gzip", "another member", "no zip"],
)
def test_broken_archives(site, source, data, message):
    site.files["/" + source.partition(":")[2].partition("#")[0]] = data
    with pytest.raises(InvalidTable, match=message):
        downloading.read_source(source, servers={"uci": site.address})


def test_too_large(site, monkeypatch):
    monkeypatch.setattr("polychotomy.reproduction.data.downloading._LIMIT", 100)
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


def test_only_the_web(tmp_path):
    with pytest.raises(InvalidTable, match="no web address"):
        fetch_dataset("iris", folder=tmp_path, servers={"uci": "file:///etc/"})
