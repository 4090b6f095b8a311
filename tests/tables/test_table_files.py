"""Files before they are tables: kinds, sizes, changes."""

import gzip
import os

import pytest

from polychotomy.core.exceptions import InvalidTable
from polychotomy.tables import files as table_files
from polychotomy.tables.files import check_table_file, read_whole, stem_of


@pytest.mark.parametrize(
    "address",
    ["https://a.org/t.csv", "http://a/t.csv", "s3://b/t.parquet", "file:///etc/t.csv", "gs:/x.csv"],
)
def test_addresses(address):
    from pathlib import Path

    with pytest.raises(InvalidTable, match="is an address, and nothing is fetched"):
        check_table_file(Path(address))


def test_a_drive_is_no_address(tmp_path, monkeypatch):
    from pathlib import Path

    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidTable, match="there is no file"):
        check_table_file(Path("C:/t.csv"))


def test_several_members_and_padding_are_one_file(tmp_path):
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(b"a,b\n") + gzip.compress(b"1,2\n") + b"\0" * 100)
    assert read_whole(path) == b"a,b\n1,2\n"


def test_large_members_come_whole(tmp_path):
    data = os.urandom(5 * 2**20)
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(data, 1))
    assert read_whole(tmp_path / "t.csv.gz") == data


@pytest.mark.parametrize("length", [30, 200])
def test_a_file_that_ends_in_the_middle(tmp_path, length):
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(os.urandom(1000))[:length])
    with pytest.raises(InvalidTable, match="it ends in the middle"):
        read_whole(path)


def test_what_is_no_gzip(tmp_path):
    path = tmp_path / "t.csv.gz"
    path.write_bytes(b"a,b\n1,2\n")
    with pytest.raises(InvalidTable, match="cannot be read as gzip"):
        read_whole(path)


def test_limits(tmp_path, monkeypatch):
    monkeypatch.setattr(table_files, "_ALWAYS_ALLOWED", 1000)
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(b"0" * 2**20))  # about a thousand to one
    with pytest.raises(InvalidTable, match="holds more than 0 MiB unpacked"):
        read_whole(path)
    path.write_bytes(gzip.compress(os.urandom(10_000)))  # large, but not for what it was packed to
    assert len(read_whole(path)) == 10_000
    monkeypatch.setattr(table_files, "MOST_BYTES", 100)
    with pytest.raises(InvalidTable, match="holds more than"):
        read_whole(path)


@pytest.mark.parametrize(
    ("name", "stem"),
    [("a.csv", "a"), ("A.CSV", "A"), ("a.b.csv.gz", "a.b"), ("a.parquet", "a"), (".csv", ".csv")],
)
def test_stems(name, stem, tmp_path):
    assert stem_of(tmp_path / name) == stem
