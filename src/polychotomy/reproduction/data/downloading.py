"""Files over the net: with retries, a limit on their size, and plain words when it fails."""

from __future__ import annotations

import hashlib
import json
import time
import zlib
from collections.abc import Callable, Mapping
from io import BytesIO
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen
from zipfile import BadZipFile, ZipFile

from polychotomy._version import __version__
from polychotomy.core.exceptions import InvalidTable
from polychotomy.reproduction.data.unix_compress import uncompress

SERVERS = {
    "uci": "https://archive.ics.uci.edu/ml/machine-learning-databases/",
    "openml": "https://api.openml.org/api/v1/json/data/",
    "esl": "https://hastie.su.domains/ElemStatLearn/datasets/",
}
"""Where the sets lie: UCI, OpenML, and the data of Elements of Statistical Learning."""


_LIMIT = 256 * 2**20  # bytes; the largest set, unpacked, has a tenth of it

_TRIES = 3

_TIMEOUT = 30.0  # seconds without a byte


def read_source(source: str, *, servers: Mapping[str, str], wait: float = 1.0) -> str:
    """Return the text behind ``server:path``, unpacked; ``#member`` picks a file of a zip archive.

    Parameters
    ----------
    servers : {name: address}
        Addresses that end in a slash.
    wait : float
        Seconds before the second try; twice as long before the third.
    """
    server, _, place = source.partition(":")
    path, _, member = place.partition("#")
    if server == "openml":
        data = _from_openml(servers[server] + path, wait)
    else:
        data = download(servers[server] + path, wait=wait)
    return _unpack(data, path, member).decode("utf-8", errors="replace")


def download(address: str, *, wait: float = 1.0) -> bytes:
    """Return what lies at an http or https address; try again where that may help."""
    if not address.startswith(("https://", "http://")):
        raise InvalidTable(f"{address!r} is no web address; expected https://… or http://….")
    for attempt in range(_TRIES):
        try:
            return _get(address)
        except HTTPError as error:
            if error.code < 500 and error.code != 429:
                raise InvalidTable(f"{address} answered {error.code} {error.reason}.") from error
            cause: Exception = error
        except (URLError, TimeoutError, ConnectionError) as error:
            cause = error
        if attempt < _TRIES - 1:
            time.sleep(wait * 2**attempt)
    raise InvalidTable(
        f"{address} cannot be fetched after {_TRIES} tries: {getattr(cause, 'reason', cause)}. Is "
        "there a connection to the net? Without one, pass a folder of <name>.csv.gz files: "
        "data=FOLDER, or --data FOLDER on the command line."
    ) from cause


def _get(address: str) -> bytes:
    request = Request(address, headers={"User-Agent": f"polychotomy/{__version__}"})
    with urlopen(request, timeout=_TIMEOUT) as answer:
        data: bytes = answer.read(_LIMIT + 1)
        expected = answer.headers.get("Content-Length")
    _check_size(len(data), address)
    if expected is not None and int(expected) != len(data):
        raise ConnectionError(f"only {len(data)} of {expected} bytes came")
    return data


def _check_size(size: int, name: str) -> None:
    if size > _LIMIT:
        raise InvalidTable(f"{name} holds more than {_LIMIT} bytes; expected a benchmark set.")


def _from_openml(address: str, wait: float) -> bytes:
    """Ask for a set's description, then for its file; check the sum that OpenML gives."""
    try:
        entry: dict[str, Any] = json.loads(download(address, wait=wait))["data_set_description"]
        url, expected = str(entry["url"]), str(entry["md5_checksum"])
    except (ValueError, KeyError, TypeError) as error:
        raise InvalidTable(f"{address} gave no description of a data set.") from error
    data = download(url, wait=wait)
    found = hashlib.md5(data, usedforsecurity=False).hexdigest()
    if found != expected:
        raise InvalidTable(f"{url} has the checksum {found}; OpenML says {expected}.")
    return data


def _unpack(data: bytes, path: str, member: str) -> bytes:
    unpackers: dict[str, Callable[[bytes], bytes]] = {
        ".zip": lambda packed: _unzip(packed, member),
        ".gz": _gunzip,
        ".Z": lambda packed: uncompress(packed, limit=_LIMIT),
    }
    for suffix, unpack in unpackers.items():
        if path.endswith(suffix):
            return unpack(data)
    return data


def _gunzip(data: bytes) -> bytes:
    stream = zlib.decompressobj(wbits=31)
    try:
        text = stream.decompress(data, _LIMIT + 1)
    except zlib.error as error:
        raise InvalidTable(f"the .gz file is broken: {error}.") from error
    _check_size(len(text), "the .gz file")
    return text


def _unzip(data: bytes, member: str) -> bytes:
    try:
        with ZipFile(BytesIO(data)) as archive:
            _check_size(archive.getinfo(member).file_size, member)
            return archive.read(member)
    except (BadZipFile, KeyError) as error:
        raise InvalidTable(f"the archive does not hold {member!r}: {error}.") from error
