"""Files of Unix compress; the oracle is gzip, which reads them too."""

import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lzw import compress

from polychotomy.core.exceptions import InvalidTable
from polychotomy.reproduction.data.unix_compress import uncompress


def text(n):
    return b"".join(b"%d,%d\n" % (i * 7919 % 1000, i % 13) for i in range(n))


@pytest.mark.parametrize("most_bits", [10, 12, 16])
@pytest.mark.parametrize("clear_after", [None, 17, 3001])
@pytest.mark.parametrize("n", [1, 30, 8000])
def test_what_was_compressed_comes_back(n, clear_after, most_bits):
    packed = compress(text(n), most_bits=most_bits, clear_after=clear_after)
    assert uncompress(packed, limit=10**6) == text(n)


@pytest.mark.skipif(shutil.which("gzip") is None, reason="gzip is the oracle")
@pytest.mark.parametrize("clear_after", [None, 500])
def test_gzip_reads_the_same(tmp_path, clear_after):
    packed = compress(text(20_000), clear_after=clear_after)
    (tmp_path / "t.Z").write_bytes(packed)
    oracle = subprocess.run(["gzip", "-dc", tmp_path / "t.Z"], capture_output=True, check=True)
    assert uncompress(packed, limit=10**6) == oracle.stdout == text(20_000)


@given(st.binary(max_size=300), st.sampled_from([None, 3, 50]))
def test_any_bytes_come_back(data, clear_after):
    assert uncompress(compress(data, clear_after=clear_after), limit=1000) == data


def test_bad_files():
    with pytest.raises(InvalidTable, match=r"begins with b'PK'"):
        uncompress(b"PK\x03\x04", limit=10)
    with pytest.raises(InvalidTable, match="a code that means nothing yet"):
        uncompress(b"\x1f\x9d\x90" + (511).to_bytes(2, "little"), limit=10)
    with pytest.raises(InvalidTable, match="more than 100 bytes"):
        uncompress(compress(b"a" * 1000), limit=100)
